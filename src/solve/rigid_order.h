// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// rigid_order.h - which contact stands where: bodies to lines, contacts to chunks and batches.

#ifndef SCREE_SOLVE_RIGID_ORDER_H
#define SCREE_SOLVE_RIGID_ORDER_H

#include "base/arena.h"
#include "scree/problem.h"

enum { SCREE_RIGID_FIXED_LINES = 4, SCREE_RIGID_SPARE_LINES = 8 };  // of a chunk

typedef struct scree_rigid_order {
    int moving;    // bodies that impulses move and that have contacts
    int *line_of;  // of a body, along a curve that keeps neighbours together, or -1 (nb)
    int *slot;     // of a contact: 8 batch + lane                                   (nc)
    int batches, chunks, colours;
    int *chunk;   // first batch of each chunk, the last chunk is that of the hubs  (chunks + 1)
    int *colour;  // first chunk of each colour, without the hubs                   (colours + 1)
} scree_rigid_order;

/// Everything is drawn from the arena. False: no memory. The order does not depend on the number of
/// threads.
bool scree_rigid_order_find(const scree_problem *problem, const bool *moves, scree_arena *arena,
                            scree_rigid_order *order);

#endif
