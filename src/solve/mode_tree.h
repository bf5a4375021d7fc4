// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// mode_tree.h - depth first through the statuses of a complementarity problem.

#ifndef SCREE_SOLVE_MODE_TREE_H
#define SCREE_SOLVE_MODE_TREE_H

#include "solve/tableau.h"

typedef enum scree_tree_action {
    SCREE_TREE_DESCEND,
    SCREE_TREE_SKIP,
    SCREE_TREE_STOP
} scree_tree_action;

typedef struct scree_mode_tree {
    /// Told of every partial choice whose polyhedron is not empty; leaf: every unit has chosen.
    scree_tree_action (*visit)(void *context, scree_tableau *tableau, bool leaf);
    void *context;
    long budget;  // systems to look at before giving up

    // out
    long systems;    // looked at
    bool exhausted;  // the budget was used up
} scree_mode_tree;

/// False when memory ran out.
bool scree_mode_tree_run(const scree_mode_problem *modes, scree_mode_tree *search,
                         scree_arena *arena);

/// Does every unit have a status that is satisfied where the node stands? value: scratch
/// (unknowns + rows), then its values.
bool scree_mode_tree_is_solution(const scree_tableau *tableau, double *value);

#endif
