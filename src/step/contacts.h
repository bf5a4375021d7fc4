// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// contacts.h - the possible contacts of a step: geometry, Jacobians, which of them are active.

#ifndef SCREE_STEP_CONTACTS_H
#define SCREE_STEP_CONTACTS_H

#include "collide/closeness.h"
#include "law/assemble.h"
#include "scree/step.h"

typedef struct scree_contact_set {
    int count;                  // pairs of shapes first, then the system's own contacts
    scree_contact *contact;     // (count)
    scree_jacobian_rows *rows;  // (count)
    double *planar;             // room for H of pairs (pairs x 2 x dimension x 3)
    double *magnitude;          // size of the numbers that each gap is made of (count)
    double *wanted;             // impulse of the last step, for the warm start (count x 3)
    int *active;                // which contacts are in the problem (count)
    int active_count;
    scree_placed *placed;   // shapes, last placed wherever they were asked for (shapes)
    scree_closeness *near;  // of the pairs, at the end of the last step (pairs)
    bool near_known;        // unless something else happened since
} scree_contact_set;

/// Everything that stays: ids, sides, laws, H of matrix systems, shapes of fixed bodies.
scree_status scree_contacts_make(const scree_model *model, const scree_scheme_options *scheme,
                                 scree_arena *arena, scree_contact_set *set, scree_error *err);

/// Find the pairs' closeness at q; next uses it if q is where the next step begins.
void scree_contacts_approach(const scree_model *model, const double *q, scree_contact_set *set);

/// Gaps, frames and H at the configuration q and time t, where the pairs' closeness was found.
void scree_contacts_locate(const scree_model *model, const double *q, double t,
                           scree_contact_set *set);

/// Velocities of the obstacles at both ends of the step.
void scree_contacts_obstacles(const scree_model *model, double t, double t_next,
                              scree_contact_set *set);

/// Gap of contact i where the shapes are placed, or at q and t for a system's contact.
double scree_contacts_gap(const scree_model *model, const scree_contact_set *set, int i,
                          const double *q, double t, double *magnitude);

#endif
