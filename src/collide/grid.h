// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// grid.h - a hierarchical grid (spatial hash): pairs of overlapping AABBs of any sizes, in linear
// time.

#ifndef SCREE_COLLIDE_GRID_H
#define SCREE_COLLIDE_GRID_H

#include "collide/broad_phase.h"
#include "collide/pairs.h"

enum { SCREE_GRID_LARGES = 16 };

typedef struct scree_grid scree_grid;

/// Room for so many boxes with numbers below the given one; NULL when memory ran out.
scree_grid *scree_grid_new(int members, int numbers, int space);
void scree_grid_free(scree_grid *grid);

/// Add the pairs of overlapping members of different owners. All boxes must be finite and of
/// finite extents. At most SCREE_GRID_LARGES that are much larger than the others are not looked at
/// but listed in large; returns how many. Cost: linear in members, their sizes' binary orders of
/// magnitude and the pairs.
int scree_grid_find(scree_grid *grid, const scree_aabb *box, const int *owner, const int *member,
                    int members, int *large, scree_pairs *pairs);

#endif
