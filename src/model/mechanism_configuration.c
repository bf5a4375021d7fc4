// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// mechanism_configuration.c - a mechanism at one place.
// in: q, v.   out: M with its factor, V, generalised forces.

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/dense.h"
#include "model/mechanism.h"

enum { N = SCREE_CONFIGURATION_N, C = SCREE_CONFIGURATION_C };

bool scree_configuration_evaluate(const scree_mechanism_def *m, const double *q,
                                  scree_configuration *at) {
    int n = m->coordinates;
    m->mass(m->self, q, at->M, at->dM);
    memcpy(at->L, at->M, (size_t)(n * n) * sizeof(double));
    memset(at->gradient, 0, sizeof at->gradient);
    at->potential = m->potential ? m->potential(m->self, q, at->gradient) : 0;
    at->wrong = !isfinite(at->potential)              ? "V(q) is not finite"
                : scree_dense_cholesky(at->L, n) != 0 ? "M(q) is not positive definite"
                                                      : NULL;
    return !at->wrong;
}

double scree_configuration_kinetic(const scree_configuration *at, int n, const double *v) {
    double Mv[N];
    scree_dense_product(at->M, n, v, Mv);
    return scree_dense_dot(v, Mv, n) / 2;
}

double scree_configuration_inverse_form(const scree_configuration *at, int n, const double *x) {
    double y[N];
    memcpy(y, x, (size_t)n * sizeof *x);
    scree_dense_solve(at->L, n, y);
    return scree_dense_dot(x, y, n);
}

void scree_configuration_forces(const scree_configuration *at, int n, const double *v,
                                double *force, double *size) {
    double y[N];
    for (int i = 0; i < n; i++) force[i] -= at->gradient[i];
    for (int i = 0; size && i < n; i++) size[i] += fabs(at->gradient[i]);
    for (int k = 0; k < n; k++) {
        scree_dense_product(at->dM + (long)k * n * n, n, v, y);
        double centrifugal = scree_dense_dot(v, y, n) / 2;
        force[k] += centrifugal;
        for (int i = 0; i < n; i++) force[i] -= v[k] * y[i];
        if (!size) continue;
        size[k] += fabs(centrifugal);
        for (int i = 0; i < n; i++) size[i] += fabs(v[k] * y[i]);
    }
}

const char *scree_configuration_contact_name(const scree_mechanism_def *m, int contact,
                                             char room[16]) {
    if (m->contact_name && m->contact_name[contact]) return m->contact_name[contact];
    snprintf(room, 16, "%d", contact);
    return room;
}

// -------------------------------------------------------------------------------------------------
// what can be done

static scree_status check_law(const scree_mechanism_def *m, int c, scree_error *err) {
    const scree_law *law = &m->law[c];
    char room[16];
    const char *name = scree_configuration_contact_name(m, c, room);
    if (!(law->restitution >= 0 && law->restitution <= 1 && law->friction >= 0))
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                          "contact %s: restitution is between 0 and 1 and friction not "
                          "negative, got %g and %g",
                          name, law->restitution, law->friction);
    if (!(law->tangential_restitution >= 0 && law->tangential_restitution <= 1))
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                          "contact %s: tangential restitution is between 0 and 1, got %g", name,
                          law->tangential_restitution);
    if (law->cohesion > 0 || law->rolling > 0 || law->friction_across > 0)
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                          "contact %s: contacts of mechanisms have restitution and friction, not "
                          "cohesion, rolling resistance or a second friction",
                          name);
    return SCREE_OK;
}

double scree_configuration_gap(const scree_mechanism_def *mechanics, int contact, double t,
                               const double *q, double *normal, double *tangent, double rate[2]) {
    const scree_mechanism_def *m = mechanics;
    if (m->moving) return m->moving(m->self, contact, t, q, normal, tangent, rate);
    rate[0] = rate[1] = 0;
    return m->contact(m->self, contact, q, normal, tangent);
}

int scree_configuration_rows(const scree_mechanism_def *mechanics) {
    return mechanics->across ? 3 : 2;
}

double scree_configuration_gap_rows(const scree_mechanism_def *mechanics, int contact, double t,
                                    const double *q, double *rows, double rate[3]) {
    int n = mechanics->coordinates;
    rate[2] = 0;
    if (mechanics->across)
        mechanics->across(mechanics->self, contact, t, q, rows + 2L * n, &rate[2]);
    return scree_configuration_gap(mechanics, contact, t, q, rows, rows + n, rate);
}

scree_status scree_mechanism_check(const scree_mechanism_def *m, scree_error *err) {
    if (m->coordinates < 1 || m->coordinates > N || m->contacts < 0 || m->contacts > C)
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                          "a mechanism has 1 to %d coordinates and up to %d contacts, found %d and "
                          "%d",
                          N, C, m->coordinates, m->contacts);
    scree_status status = SCREE_OK;
    for (int c = 0; c < m->contacts && !status; c++) status = check_law(m, c, err);
    return status;
}
