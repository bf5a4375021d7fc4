// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// mechanism_configuration.c - a mechanism at one place, and the contact problem there.
// in: q, v, rows of H.   out: M with its factor, V, generalised forces; W, p.

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/dense.h"
#include "lab/mechanism.h"

enum { N = SCREE_CONFIGURATION_N };

double scree_configuration_dot(const double *x, const double *y, int n) {
    double sum = 0;
    for (int i = 0; i < n; i++) sum += x[i] * y[i];
    return sum;
}

bool scree_configuration_evaluate(const scree_mechanism_def *m, const double *q,
                                  scree_configuration *at) {
    int n = m->coordinates;
    m->mass(m->self, q, at->M, at->dM);
    memcpy(at->L, at->M, (size_t)(n * n) * sizeof(double));
    memset(at->gradient, 0, sizeof at->gradient);
    at->potential = m->potential ? m->potential(m->self, q, at->gradient) : 0;
    return scree_dense_cholesky(at->L, n) == 0 && isfinite(at->potential);
}

double scree_configuration_kinetic(const scree_configuration *at, int n, const double *v) {
    double Mv[N];
    scree_dense_product(at->M, n, v, Mv);
    return scree_configuration_dot(v, Mv, n) / 2;
}

double scree_configuration_inverse_form(const scree_configuration *at, int n, const double *x) {
    double y[N];
    memcpy(y, x, (size_t)n * sizeof *x);
    scree_dense_solve(at->L, n, y);
    return scree_configuration_dot(x, y, n);
}

void scree_configuration_forces(const scree_configuration *at, int n, const double *v,
                                double *force, double *size) {
    double y[N];
    for (int i = 0; i < n; i++) force[i] -= at->gradient[i];
    for (int i = 0; size && i < n; i++) size[i] += fabs(at->gradient[i]);
    for (int k = 0; k < n; k++) {
        scree_dense_product(at->dM + (long)k * n * n, n, v, y);
        double centrifugal = scree_configuration_dot(v, y, n) / 2;
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

void scree_touching_fill(const double *one, const double *two, int n, scree_touching *t) {
    int nc = t->active;
    double y[N], z[N];
    for (int j = 0; j < nc; j++) {
        t->first[j + 1] = (j + 1) * nc;
        t->diagonal[j] = j * nc + j;
        for (int l = 0; l < 2; l++) {
            const double *row = t->row[t->index[j]][l];
            memcpy(y, row, (size_t)n * sizeof *y);
            memcpy(z, row, (size_t)n * sizeof *z);
            scree_dense_solve(one, n, y);
            scree_dense_solve(two, n, z);
            for (int i = 0; i < n; i++) y[i] = (y[i] + z[i]) / 2;
            for (int i = 0; i < nc; i++)
                for (int k = 0; k < 2; k++)
                    t->block[(i * nc + j) * 4 + 2 * k + l] =
                        scree_configuration_dot(t->row[t->index[i]][k], y, n);
        }
        for (int i = 0; i < nc; i++) t->column[i * nc + j] = j;
    }
}

scree_status scree_touching_solve(const scree_mechanism_def *m, const scree_solver_options *solver,
                                  scree_touching *t, scree_problem *problem, scree_report *report,
                                  scree_error *err) {
    *report = (scree_report){ .solver = solver->name, .converged = true };
    *problem = (scree_problem){ .dimension = 2 };
    if (!t->active) return SCREE_OK;
    for (int a = 0; a < t->active; a++) t->mu[a] = m->law[t->index[a]].friction;
    *problem = (scree_problem){ .contacts = t->active,
                                .dimension = 2,
                                .row = t->first,
                                .column = t->column,
                                .diagonal = t->diagonal,
                                .block = t->block,
                                .b = t->b,
                                .mu = t->mu };
    scree_status status = scree_solve(problem, solver, t->p, report, err);
    if (status) return status;
    scree_problem_velocity(problem, t->p, t->s);
    return SCREE_OK;
}

void scree_touching_push(const scree_touching *t, int n, double *x) {
    for (int a = 0; a < t->active; a++)
        for (int k = 0; k < 2; k++)
            for (int i = 0; i < n; i++) x[i] += t->row[t->index[a]][k][i] * t->p[2 * a + k];
}
