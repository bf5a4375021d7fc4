// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// place.h - where bodies, shapes and their boxes are.

#ifndef SCREE_COLLIDE_PLACE_H
#define SCREE_COLLIDE_PLACE_H

#include "collide/broad.h"
#include "model/solid.h"

/// The pose of a body at coordinates q.
void scree_place_body(const scree_model *model, int body, const double *q, scree_pose *pose);

/// A box around everything within reach of a shape; an empty one if its body is not there at time
/// t.
void scree_place_box(const scree_model *model, int shape, const scree_pose *pose, double reach,
                     double t, scree_box *box);

/// A box around one piece of a surface, in the frame of its body.
void scree_place_piece(const scree_solid *solid, int piece, scree_box *box);

/// A box around everything within reach of a solid, in the axes of another body.
void scree_place_box_within(const scree_solid *solid, const scree_pose *pose,
                            const scree_pose *frame, double reach, scree_box *box);

#endif
