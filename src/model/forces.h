// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// forces.h - forces of rigid bodies that are taken at the mean of a step: F(t, q, v) at t_theta,
// q_theta and v_theta, which the step itself decides.

#ifndef SCREE_MODEL_FORCES_H
#define SCREE_MODEL_FORCES_H

#include "scree/step.h"

/// The first coordinates of a body that its own force may depend on: x, y, angle; in space x, y, z.
enum { SCREE_FORCE_PLACES = 3 };

typedef struct scree_mean_forces {
    void *self;

    /// Add F at a state to force (dofs).
    void (*at)(const void *self, const scree_state *state, double *force);

    /// Add the derivatives of the first three components of the force on each body by its own first
    /// three coordinates, and by their velocities (bodies x 9, rows are components).
    void (*slopes)(const void *self, const scree_state *state, double *by_q, double *by_v);
} scree_mean_forces;

#endif
