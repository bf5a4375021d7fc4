// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// contacts.h - the possible contacts of a step: geometry, Jacobians, which of them are active.

#ifndef SCREE_STEP_CONTACTS_H
#define SCREE_STEP_CONTACTS_H

#include "law/assemble.h"
#include "scree/step.h"

typedef struct scree_contact_set {
    int count;                  // pairs of shapes first, then the system's own contacts
    scree_contact *contact;     // (count)
    scree_jacobian_rows *rows;  // (count)
    double *planar;             // room for H of pairs (pairs x 2 x dimension x 3)
    double *predicted;          // gap by the activation rule (count)
    double *rounding;           // rounding of that gap (count)
    double *wanted;             // impulse of the last step, for the warm start (count x 3)
    int *active;                // which contacts are in the problem (count)
    int active_count;
} scree_contact_set;

/// Everything that stays: ids, sides, laws, H of matrix systems.
scree_status scree_contacts_make(const scree_model *model, const scree_scheme_options *scheme,
                                 scree_arena *arena, scree_contact_set *set, scree_error *err);

/// Gaps, frames and H at the configuration q and time t.
void scree_contacts_locate(const scree_model *model, const double *q, double t,
                           scree_contact_set *set);

/// Velocities of the obstacles at both ends of the step.
void scree_contacts_obstacles(const scree_model *model, double t, double t_next,
                              scree_contact_set *set);

/// Gap of every contact at q and t, and the size of the numbers it came from (NULL: not wanted).
void scree_contacts_gaps(const scree_model *model, const double *q, double t, double *gap,
                         double *magnitude);

#endif
