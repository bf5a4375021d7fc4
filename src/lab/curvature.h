// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// curvature.h - how the gap of a closed contact bends: its second derivative along a motion.

#ifndef SCREE_LAB_CURVATURE_H
#define SCREE_LAB_CURVATURE_H

#include "step/stepper.h"

/// Acceleration of contact i, closed in the stepper's present state, when the degrees of freedom
/// accelerate with `a` (dofs): out[0] of the exact gap, out[1] of the sliding, which is right where
/// the contact is at rest. size: of the numbers that both are made of. Planar bodies or a matrix
/// system; SCREE_BAD_INPUT for driven bodies, obstacles that depend on time, corner on corner.
scree_status scree_curvature_find(const scree_stepper *stepper, int i, const double *a,
                                  double out[2], double *size, scree_error *err);

#endif
