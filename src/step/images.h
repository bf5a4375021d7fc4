// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// images.h - pairs of boxes in a world that repeats itself.
//
// Boxes are moved into the cell that begins with 0, and those near its beginning are there once
// more behind its end: along one axis, along the other, along both. Two boxes meet across a border
// as a box and such an image, or as images along different axes.

#ifndef SCREE_STEP_IMAGES_H
#define SCREE_STEP_IMAGES_H

#include "collide/broad_phase.h"
#include "scree/model.h"

typedef struct scree_images {
    int copies;            // a box and its images: 1, 2, 4 or 8
    scree_aabb *box;       // (copies x shapes)
    int *owner;            // (copies x shapes)
    unsigned char *moves;  // (copies x shapes)
    int *pair, room;       // pairs of shapes (2 x room)
} scree_images;

/// Memory from the arena but for pairs; owner and moves are those of shapes.
scree_status scree_images_make(const scree_model *model, const int *owner,
                               const unsigned char *moves, scree_arena *arena, scree_images *images,
                               scree_error *err);
void scree_images_free(scree_images *images);

/// The boxes of shapes, which are the first of images->box, become those of all images.
void scree_images_place(const scree_model *model, scree_images *images);

/// Pairs of images -> pairs of shapes, each once, sorted as scree_broad_phase_find has them.
scree_status scree_images_merge(const scree_model *model, scree_images *images, const int **pair,
                                size_t *pairs, scree_error *err);

#endif
