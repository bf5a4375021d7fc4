// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// change.h - a finished model with some bodies more, and without some.

#ifndef SCREE_MODEL_CHANGE_H
#define SCREE_MODEL_CHANGE_H

#include "scree/model.h"

/// What is to become of a model.
typedef struct scree_change {
    const scree_body *body;  // to be added behind the rigid ones that are there (bodies)
    int bodies;
    const scree_shape *shape;  // theirs; shape->body counts from the first of them (shapes)
    int shapes;
    const int *gone;  // bodies that are not there any more; they keep their numbers (gones)
    int gones;
} scree_change;

/// A finished copy of a finished model with the change. Elastic bodies and functions are shared: if
/// it says so in *shares, the old model must outlive the new one.
scree_status scree_change_model(const scree_model *model, const scree_change *change,
                                scree_model **made, bool *shares, scree_error *err);

#endif
