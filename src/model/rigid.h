// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// rigid.h - what rigid bodies in the plane and in space have in common as parts.

#ifndef SCREE_MODEL_RIGID_H
#define SCREE_MODEL_RIGID_H

#include "model/part.h"

/// A body in space that is not as easy to turn about every axis.
typedef struct scree_gyroscopic_body {
    int body;
    double inverse[6];   // of J at the start of the step, world axes
    double momentum[3];  // J w + h torque of the loads
    double mean[3];      // y, the mean spin
} scree_gyroscopic_body;

/// What a stepper keeps for bodies.
typedef struct scree_rigid_work {
    bool has_births;           // is any body born or removed?
    unsigned char *kinematic;  // its motion is prescribed (bodies)
    int gyroscopic;
    scree_gyroscopic_body *gyroscopic_body;  // (gyroscopic)
} scree_rigid_work;

/// Counts and flags of the bodies of a model, if it is of this space.
void scree_rigid_find(const scree_model *model, int space, scree_parts *parts);

/// The stepper's work, without bodies that turn.
scree_status scree_rigid_make(scree_parts *parts, scree_arena *arena, scree_error *err);

/// Parts with 1/mass and so many numbers more for each body.
scree_status scree_rigid_invert(const scree_parts *parts, int numbers, scree_arena *arena,
                                scree_part *part, scree_error *err);

void scree_rigid_load(const scree_parts *parts, double t, double *F);

scree_status scree_rigid_check(const scree_parts *parts, const scree_stage *stage,
                               scree_error *err);

const char *scree_rigid_name_of_dof(const scree_parts *parts, int dof, int *component);

/// Does body i take part in the step?
static inline bool scree_rigid_present(const scree_parts *parts, const scree_stage *stage, int i) {
    const scree_rigid_work *work = parts->work;
    return !work->has_births || scree_body_present(&parts->model->body[i], stage->before->time);
}

#endif
