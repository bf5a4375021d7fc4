// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// closeness.h - how near two planar shapes are.

#ifndef SCREE_COLLIDE_CLOSENESS_H
#define SCREE_COLLIDE_CLOSENESS_H

#include "scree/model.h"

typedef struct scree_closeness {
    double gap;        // negative: penetration [m]
    double magnitude;  // sum of the lengths the gap was computed from: its rounding scale [m]
    double normal[2];  // unit, from b to a
    double point[2];   // where the impulse acts on both bodies [m]
} scree_closeness;

/// Gap, normal and contact point of a pair at the configuration q.
void scree_closeness_of(const scree_model *model, const scree_pair *pair, const double *q,
                        scree_closeness *out);

/// The permanent number of a pair's contact: shape a in the high half, shape b below it.
uint64_t scree_closeness_id(const scree_pair *pair);

#endif
