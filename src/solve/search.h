// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// search.h - depth first through the statuses of a complementarity problem.

#ifndef SCREE_SOLVE_SEARCH_H
#define SCREE_SOLVE_SEARCH_H

#include "solve/node.h"

typedef enum scree_advice { SCREE_SEARCH_ON, SCREE_SEARCH_SKIP, SCREE_SEARCH_STOP } scree_advice;

typedef struct scree_search {
    /// Told of every partial choice whose polyhedron is not empty; leaf: every unit has chosen.
    scree_advice (*look)(void *context, scree_node *node, bool leaf);
    void *context;
    long budget;  // systems to look at before giving up

    // out
    long systems;    // looked at
    bool exhausted;  // the budget was used up
} scree_search;

/// False when memory ran out.
bool scree_search_run(const scree_cells *cells, scree_search *search, scree_arena *arena);

/// Does every unit have a status that is satisfied where the node stands? value: scratch
/// (unknowns + rows), then its values.
bool scree_search_is_solution(const scree_node *node, double *value);

#endif
