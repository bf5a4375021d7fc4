// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// turn.h - how bodies in space turn in a step, so that energy and angular momentum are kept.
//
// With spin w, its mean y over the step, angular momentum L = J w and J in world axes:
//
//     C = cay(h y),   J' = C J C^T,   J' w' = L + torque,   y = (1-theta) C w + theta w'
//
// C leaves y alone, hence the change of the kinetic energy is y . torque + (1/2 - theta) |w' - C
// w|^2 exactly, whatever the torque. A body whose J is a multiple of the identity needs no C: there
// w takes the place of C w.

#ifndef SCREE_STEP_TURN_H
#define SCREE_STEP_TURN_H

#include "scree/model.h"

/// The mean spin y for a momentum L at the end; spin and inverse (of J) are those of the start. The
/// guess is in mean. False if the body turns too far within the step to be followed.
bool scree_turn_mean(const double inverse[6], const double spin[3], const double L[3], double h,
                     double theta, double mean[3]);

/// q + h v for all coordinates: orientations are turned by Cayley's map. out is not q.
void scree_turn_advance(const scree_model *model, const double *q, const double *v, double h,
                        double *out);

/// Place and velocity of a driven body at time t.
void scree_turn_drive(const scree_model *model, int body, double t, double *q, double *v);

#endif
