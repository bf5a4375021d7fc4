// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// closeness.h - how near two planar shapes are.

#ifndef SCREE_COLLIDE_CLOSENESS_H
#define SCREE_COLLIDE_CLOSENESS_H

#include "scree/model.h"

/// A shape in the world.
typedef struct scree_placed {
    double at[2];      // the point, the centre, a point of the edge [m]
    double normal[2];  // of a half-plane
    double magnitude;  // sum of the lengths that were added up: the scale of its rounding [m]
} scree_placed;

typedef struct scree_closeness {
    double gap;        // negative: penetration [m]
    double magnitude;  // sum of the lengths the gap was computed from: its rounding scale [m]
    double normal[2];  // unit, from b to a
    double point[2];   // where the impulse acts on both bodies [m]
} scree_closeness;

/// Place every shape at the configuration q (placed: shapes). Shapes of fixed bodies are placed
/// only if everything is asked for: they stay where they are.
void scree_closeness_place(const scree_model *model, const double *q, bool everything,
                           scree_placed *placed);

/// Gap, normal and contact point of a pair.
void scree_closeness_of(const scree_model *model, const scree_pair *pair,
                        const scree_placed *placed, scree_closeness *out);

/// How far a shape can come in a step with q + h v: no point of it moves more. Infinite for a
/// half-plane that turns.
double scree_closeness_reach(const scree_model *model, const scree_shape *shape, const double *v,
                             double h);

/// The permanent number of a pair's contact: shape a in the high half, shape b below it.
uint64_t scree_closeness_id(const scree_pair *pair);

#endif
