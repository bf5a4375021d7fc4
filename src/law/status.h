// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// status.h - which case of the law a contact is in, and how far from it rounding may lead: the one
// rule of each that steppers, laboratory, ledger and solvers share.

#ifndef SCREE_LAW_STATUS_H
#define SCREE_LAW_STATUS_H

#include "scree/step.h"

/// What the law allows an impulse: p_N >= -pull, and p_T in an ellipse with mu and mu_second times
/// p_N + pull as its half axes.
typedef struct scree_law_cone {
    double mu, mu_second;  // mu_second 0: a circle
    double pull;           // cohesion [N s]
    bool equality;         // the rows are equations: nothing opens or slides
} scree_law_cone;

/// The cone of a contact in a step of length h.
scree_law_cone scree_law_cone_of(const scree_contact *contact, double h);

/// From what size on numbers count; below they are rounding, or what the solver left.
typedef struct scree_law_scale {
    double p, s;       // of impulses [N s]; of the velocities that s is made of [m/s]
    double tolerance;  // of the solver
} scree_law_scale;

/// Open: no impulse. Slip: on the boundary of the cone and moving, or nothing holds it (mu = 0).
/// Stick: the rest.
scree_contact_status scree_law_status(const scree_law_cone *cone, const double *p, const double *s,
                                      int d, scree_law_scale scale);

/// The same of a contact whose mode is known: closed or not, sliding or not.
scree_contact_status scree_law_mode_status(const scree_law_cone *cone, bool closed, bool slides);

/// Shares of the numbers compared below which a contact counts as closed and not separating. The
/// solver leaves u_N of a resting contact with an error of its tolerance, and the gap adds these
/// errors up: both must be larger, or resting contacts are lost (docs/theory.md).
double scree_law_velocity_slack(double tolerance);  // of the velocities that u_N is made of
double scree_law_gap_slack(double tolerance);       // of the way in a step

#endif
