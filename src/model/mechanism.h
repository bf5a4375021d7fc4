// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// mechanism.h - a mechanism at one place: M(q) with its factor, V(q), what accelerates it.

#ifndef SCREE_MODEL_MECHANISM_H
#define SCREE_MODEL_MECHANISM_H

#include "scree/mechanism.h"

enum {
    SCREE_CONFIGURATION_N = SCREE_MECHANISM_COORDINATES,
    SCREE_CONFIGURATION_C = SCREE_MECHANISM_CONTACTS
};

typedef struct scree_configuration {  // the mechanism at q
    double M[SCREE_CONFIGURATION_N * SCREE_CONFIGURATION_N];
    double dM[SCREE_CONFIGURATION_N * SCREE_CONFIGURATION_N * SCREE_CONFIGURATION_N];
    double L[SCREE_CONFIGURATION_N * SCREE_CONFIGURATION_N];
    double potential, gradient[SCREE_CONFIGURATION_N];
    const char *wrong;  // what is, in words, or NULL
} scree_configuration;

/// Everything at q; false, and wrong says it, if M(q) is not positive definite or V(q) not finite.
bool scree_configuration_evaluate(const scree_mechanism_def *mechanics, const double *q,
                                  scree_configuration *at);

/// v.M v / 2
double scree_configuration_kinetic(const scree_configuration *at, int n, const double *v);

/// x.M^-1 x
double scree_configuration_inverse_form(const scree_configuration *at, int n, const double *x);

/// force += grad(v.M v)/2 - (dM/dt) v - grad V; size (may be NULL): of the numbers in it.
void scree_configuration_forces(const scree_configuration *at, int n, const double *v,
                                double *force, double *size);

/// The gap of a contact at t and q with its rows, and their rates by t alone.
double scree_configuration_gap(const scree_mechanism_def *mechanics, int contact, double t,
                               const double *q, double *normal, double *tangent, double rate[2]);

/// The rows of H of a contact, 2 or with friction in space 3 (n each), and their rates by t alone.
int scree_configuration_rows(const scree_mechanism_def *mechanics);

/// The gap with all rows.
double scree_configuration_gap_rows(const scree_mechanism_def *mechanics, int contact, double t,
                                    const double *q, double *rows, double rate[3]);

/// The name of a contact, or its number written into room.
const char *scree_configuration_contact_name(const scree_mechanism_def *mechanics, int contact,
                                             char room[16]);

/// Limits of size, and laws that mechanisms have.
scree_status scree_mechanism_check(const scree_mechanism_def *mechanics, scree_error *err);

#endif
