// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// islands.h - the parts of a problem that do not touch each other.

#ifndef SCREE_SOLVE_ISLANDS_H
#define SCREE_SOLVE_ISLANDS_H

#include "base/arena.h"
#include "scree/problem.h"

typedef struct scree_islands {
    int count;
    int *first;    // first place of each island in `contact`   (count + 1)
    int *contact;  // contacts, island after island, ascending  (nc)
    int *place;    // where a contact stands within its island  (nc)
} scree_islands;

/// Connected by the blocks of W. False without memory.
bool scree_islands_find(const scree_problem *problem, scree_arena *arena, scree_islands *islands);

/// One island as a problem of its own, without a motion. False without memory.
bool scree_islands_extract(const scree_problem *problem, const scree_islands *islands, int island,
                           scree_arena *arena, scree_problem *part);

/// Where an island came from, for its motion, which few islands want.
typedef struct scree_island_origin {
    const scree_problem *whole;
    const scree_islands *islands;
    int island;
    int *number, *stack;  // work (degrees of freedom of the whole)
} scree_island_origin;

/// Draw the work for a whole that has a motion; false without memory.
bool scree_islands_prepare_motions(scree_island_origin *origin, scree_arena *arena);

/// The island's share of the motion of the whole, or NULL without memory; costs its own size.
const scree_motion *scree_islands_motion(const scree_island_origin *origin, scree_arena *arena);

#endif
