// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// mechanism.h - what the schemes of mechanisms share: a place, contacts of a step, the step.

#ifndef SCREE_LAB_MECHANISM_H
#define SCREE_LAB_MECHANISM_H

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
} scree_configuration;

typedef struct scree_touching {  // contacts of a step, and the problem of those that take part
    int active, index[SCREE_CONFIGURATION_C];
    double row[SCREE_CONFIGURATION_C][2][SCREE_CONFIGURATION_N];  // H of all
    int first[SCREE_CONFIGURATION_C + 1], column[SCREE_CONFIGURATION_C * SCREE_CONFIGURATION_C],
        diagonal[SCREE_CONFIGURATION_C];
    double block[SCREE_CONFIGURATION_C * SCREE_CONFIGURATION_C * 4], b[SCREE_CONFIGURATION_C * 2],
        mu[SCREE_CONFIGURATION_C];
    double p[SCREE_CONFIGURATION_C * 2], s[SCREE_CONFIGURATION_C * 2];
} scree_touching;

struct scree_mechanism {
    const scree_mechanism_def *mechanics;
    scree_scheme_options scheme;
    scree_solver_options solver;
    scree_step_record record;
    scree_contact contact[SCREE_CONFIGURATION_C];
    scree_touching touch;
    scree_configuration start, end, middle;
    double q[2][SCREE_CONFIGURATION_N], v[2][SCREE_CONFIGURATION_N];
    double vbar[SCREE_CONFIGURATION_N];         // (q' - q)/h, which works are done with
    double load[SCREE_CONFIGURATION_N];         // Q of the step
    double momentum[2][SCREE_CONFIGURATION_N];  // moreau-jean-fremond: at both ends
    double noise;  // what rounding does to a velocity in one time round, as the root of an energy
};

// -------------------------------------------------------------------------------------------------
// mechanism_configuration.c

double scree_configuration_dot(const double *x, const double *y, int n);

/// Everything at q; false if M(q) is not positive definite or V(q) not finite.
bool scree_configuration_evaluate(const scree_mechanism_def *mechanics, const double *q,
                                  scree_configuration *at);

/// v.M v / 2
double scree_configuration_kinetic(const scree_configuration *at, int n, const double *v);

/// x.M^-1 x
double scree_configuration_inverse_form(const scree_configuration *at, int n, const double *x);

/// force += grad(v.M v)/2 - (dM/dt) v - grad V; size (may be NULL): of the numbers in it.
void scree_configuration_forces(const scree_configuration *at, int n, const double *v,
                                double *force, double *size);

/// The name of a contact, or its number written into room.
const char *scree_configuration_contact_name(const scree_mechanism_def *mechanics, int contact,
                                             char room[16]);

/// W = H (G1 + G2)/2 H^T of the contacts that take part, from the Cholesky factors of 1/G1, 1/G2.
void scree_touching_fill(const double *one, const double *two, int n, scree_touching *touch);

/// p and s = W p + b of the contacts that take part; the guess is in p. Not converging is in the
/// report.
scree_status scree_touching_solve(const scree_mechanism_def *mechanics,
                                  const scree_solver_options *solver, scree_touching *touch,
                                  scree_problem *problem, scree_report *report, scree_error *err);

/// x += H^T p
void scree_touching_push(const scree_touching *touch, int n, double *x);

// -------------------------------------------------------------------------------------------------
// mechanism_schemes.c, mechanism_fremond.c: from record.before to record.after, vbar, load, end

/// h (Q - grad V - ...) where the velocity leads to in half a step, which becomes the middle.
scree_status scree_mechanism_impulse(scree_mechanism *mechanism, double *impulse, scree_error *err);

/// Gaps, rows and velocities of all contacts at q; free: the velocity without contacts, for scales.
void scree_mechanism_update_contacts(scree_mechanism *mechanism, const double *q,
                                     const double *free);

/// Impulses of the contacts that take part, with touch.b given.
scree_status scree_mechanism_impulses(scree_mechanism *mechanism, scree_error *err);

/// Those take part whose gap at `ahead` is closed, and that approach, if that is asked for.
void scree_mechanism_activate(scree_mechanism *mechanism, const double *ahead, bool approach);

scree_status scree_mechanism_explicit(scree_mechanism *mechanism, scree_error *err);
scree_status scree_mechanism_nscd(scree_mechanism *mechanism, scree_error *err);
scree_status scree_mechanism_fremond(scree_mechanism *mechanism, scree_error *err);

/// Limits of size, and laws that mechanisms have.
scree_status scree_mechanism_check(const scree_mechanism_def *mechanics, scree_error *err);

/// A step that cannot be done.
scree_status scree_mechanism_fail_step(const scree_mechanism *mechanism, const char *why,
                                       scree_error *err);

#endif
