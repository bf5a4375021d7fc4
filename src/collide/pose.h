// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// pose.h - where bodies and shapes are, and their bounding boxes (AABB).

#ifndef SCREE_COLLIDE_POSE_H
#define SCREE_COLLIDE_POSE_H

#include "collide/broad_phase.h"
#include "model/collision_shape.h"

/// The pose of a body at coordinates q.
void scree_pose_of_body(const scree_model *model, int body, const double *q, scree_pose *pose);

/// A box around everything within reach of a shape; an empty one if its body is not there at time
/// t.
void scree_pose_aabb(const scree_model *model, int shape, const scree_pose *pose, double margin,
                     double t, scree_aabb *box);

/// A box around one piece of a surface, in the frame of its body.
void scree_pose_piece_aabb(const scree_collision_shape *solid, int piece, scree_aabb *box);

/// A box around everything within reach of a solid, in the axes of another body.
void scree_pose_aabb_within(const scree_collision_shape *solid, const scree_pose *pose,
                            const scree_pose *frame, double margin, scree_aabb *box);

#endif
