// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// broad_phase.h - the broad phase: which axis-aligned bounding boxes (AABB) overlap. A hierarchical
// grid for what moves, a tree for what is large or does not.

#ifndef SCREE_COLLIDE_BROAD_PHASE_H
#define SCREE_COLLIDE_BROAD_PHASE_H

#include "base/arena.h"
#include "scree/base.h"

typedef struct scree_aabb {
    double low[3], high[3];  // in the plane the third is 0; may be infinite
} scree_aabb;

typedef struct scree_broad_phase scree_broad_phase;

/// Room for boxes numbered 0 .. count - 1. owner (count): boxes of one owner never meet; moves
/// (count): neither do two that do not move. Both are borrowed.
scree_status scree_broad_phase_new(int count, int space, const int *owner,
                                   const unsigned char *moves, scree_broad_phase **broad,
                                   scree_error *err);
void scree_broad_phase_free(scree_broad_phase *broad);

/// Boxes of which all others are as they were in the call before: at least those that move and are
/// there, ascending. NULL: all may have changed.
typedef struct scree_boxes_changed {
    const int *number;
    int count;
} scree_boxes_changed;

/// All pairs (i < j) whose boxes overlap (touching counts), sorted by i, then j. A box with
/// low > high is not there. *pair (2 x *pairs) is valid until the next call.
scree_status scree_broad_phase_find(scree_broad_phase *broad, const scree_aabb *box,
                                    scree_boxes_changed changed, const int **pair, size_t *pairs,
                                    scree_error *err);

/// A tree over boxes that stay, such as the pieces of a surface.
typedef struct scree_tree scree_tree;

scree_status scree_tree_make(const scree_aabb *box, int count, scree_arena *arena,
                             scree_tree **tree, scree_error *err);

/// The boxes that overlap the given one, ascending, at most room of them; returns how many there
/// are.
int scree_tree_find(const scree_tree *tree, const scree_aabb *box, int *found, int room);

#endif
