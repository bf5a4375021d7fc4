// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// mechanism_fremond.c - moreau-jean-fremond for masses that depend on where they are.
// in: state.   out: next state, whose energy differs by the works of loads and contacts alone.
//
// With momenta P = M v and G = M^-1, bars for means over the step and D for differences,
//
//     D(P.G P / 2) = vbar.DP + f(q') - f(q),   vbar = Gbar Pbar,   f(q) = (P'.G P' + P.G P)/4,
//
// is an identity. So  q' = q + h vbar,  P' = P - h g + h Q + H^T p  changes the energy by
// vbar.(h Q + H^T p) and nothing else, if g.Dq = D(f + V): g is the gradient at the mean of q and
// q', and as much along M Dq as is missing (Gonzalez). The equations are solved by going round:
// with Gbar and g known, what is left is a contact problem with W = H Gbar H^T.

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "lab/mechanism.h"

enum { N = SCREE_CONFIGURATION_N, ROUNDS = 100 };

// add factor times the gradient of x.G(q) x, which is -(G x).dM_k (G x)
static void add_gradient(const scree_configuration *at, int n, const double *x, double factor,
                         double *sum) {
    double y[N], z[N];
    memcpy(y, x, (size_t)n * sizeof *x);
    scree_dense_solve(at->L, n, y);
    for (int k = 0; k < n; k++) {
        scree_dense_product(at->dM + (long)k * n * n, n, y, z);
        sum[k] -= factor * scree_configuration_dot(y, z, n);
    }
}

// Gbar x
static void mean_inverse(const scree_configuration *one, const scree_configuration *two, int n,
                         const double *x, double *y) {
    double z[N];
    memcpy(y, x, (size_t)n * sizeof *x);
    memcpy(z, x, (size_t)n * sizeof *x);
    scree_dense_solve(one->L, n, y);
    scree_dense_solve(two->L, n, z);
    for (int i = 0; i < n; i++) y[i] = (y[i] + z[i]) / 2;
}

// g of the kinetic and potential energy between the two ends
static bool find_gradient(scree_mechanism *s, double *g) {
    const scree_mechanism_def *m = s->mechanics;
    int n = m->coordinates;
    const double *P = s->momentum[0], *next = s->momentum[1];
    double half[N], way[N], heavy[N];
    for (int i = 0; i < n; i++) {
        way[i] = s->record.after.q[i] - s->record.before.q[i];
        half[i] = s->record.before.q[i] + way[i] / 2;
    }
    if (!scree_configuration_evaluate(m, half, &s->middle)) return false;
    memcpy(g, s->middle.gradient, (size_t)n * sizeof *g);
    add_gradient(&s->middle, n, P, 0.25, g);
    add_gradient(&s->middle, n, next, 0.25, g);
    double then = scree_configuration_inverse_form(&s->end, n, next) +
                  scree_configuration_inverse_form(&s->end, n, P);
    double now = scree_configuration_inverse_form(&s->start, n, next) +
                 scree_configuration_inverse_form(&s->start, n, P);
    double missing = (then - now) / 4 + s->end.potential - s->start.potential -
                     scree_configuration_dot(g, way, n);
    double size = then + now + fabs(s->end.potential) + fabs(s->start.potential);
    // over a short way rounding would become a large force
    if (fabs(missing) <= 8 * DBL_EPSILON * size) missing = 0;
    scree_dense_product(s->middle.M, n, way, heavy);
    double length = scree_configuration_dot(way, heavy, n);
    s->noise = length > 0 ? 32 * DBL_EPSILON * size * s->record.h / sqrt(length) : 0;
    for (int i = 0; length > 0 && i < n; i++) g[i] += missing / length * heavy[i];
    return true;
}

// b = 2 H vbar - ((1 - e) u_N, 0) without impulses
static void find_law_velocity(scree_mechanism *s, const double *free) {
    int n = s->mechanics->coordinates;
    for (int a = 0; a < s->touch.active; a++) {
        int c = s->touch.index[a];
        for (int k = 0; k < 2; k++)
            s->touch.b[2 * a + k] = 2 * scree_configuration_dot(s->touch.row[c][k], free, n);
        s->touch.b[2 * a] -= (1 - s->contact[c].restitution) * s->contact[c].u_before[0];
    }
}

// one time round: from an end to a better one; *change is how far it moved, as the root of an
// energy
static scree_status iterate(scree_mechanism *s, double *change, scree_error *err) {
    const scree_mechanism_def *m = s->mechanics;
    int n = m->coordinates;
    double h = s->record.h, g[N], known[N], free[N], mean[N], *q = s->record.after.q;
    if (!scree_configuration_evaluate(m, q, &s->end) || !find_gradient(s, g))
        return scree_mechanism_fail_step(s, "M(q) is not positive definite", err);
    memset(s->load, 0, sizeof s->load);
    for (int i = 0; i < n; i++) mean[i] = (s->record.before.q[i] + q[i]) / 2;
    if (m->force) m->force(m->self, s->record.before.time + h / 2, mean, s->vbar, s->load);
    for (int i = 0; i < n; i++) {
        known[i] = s->momentum[0][i] + h * (s->load[i] - g[i]);
        mean[i] = (s->momentum[0][i] + known[i]) / 2;
    }
    mean_inverse(&s->start, &s->end, n, mean, free);
    scree_touching_fill(s->start.L, s->end.L, n, &s->touch);
    find_law_velocity(s, free);
    scree_status status = scree_mechanism_impulses(s, err);
    if (status) return status;
    scree_touching_push(&s->touch, n, known);
    for (int i = 0; i < n; i++) mean[i] = (s->momentum[0][i] + known[i]) / 2;
    mean_inverse(&s->start, &s->end, n, mean, free);
    // a contact that holds everything fixes vbar while the momentum still moves: look at both
    double step[N], heavy[N];
    for (int i = 0; i < n; i++) {
        mean[i] = known[i] - s->momentum[1][i];
        step[i] = free[i] - s->vbar[i];
    }
    scree_dense_product(s->start.M, n, step, heavy);
    *change = sqrt(fmax(scree_configuration_inverse_form(&s->start, n, mean),
                        scree_configuration_dot(step, heavy, n)));
    for (int i = 0; i < n; i++) {
        s->vbar[i] = free[i];
        s->momentum[1][i] = known[i];
        q[i] = s->record.before.q[i] + h * free[i];
    }
    return SCREE_OK;
}

static scree_status fixed_point(scree_mechanism *s, scree_error *err) {
    int n = s->mechanics->coordinates;
    double before = HUGE_VAL, change = HUGE_VAL;
    double speed = sqrt(scree_configuration_inverse_form(&s->start, n, s->momentum[0]));
    memcpy(s->momentum[1], s->momentum[0], sizeof s->momentum[0]);
    memcpy(s->vbar, s->record.before.v, (size_t)n * sizeof(double));
    for (int i = 0; i < n; i++)
        s->record.after.q[i] = s->record.before.q[i] + s->record.h * s->vbar[i];
    for (int round = 0; round < ROUNDS; round++) {
        scree_status status = iterate(s, &change, err);
        if (status) return status;
        speed = fmax(speed, sqrt(scree_configuration_inverse_form(&s->start, n, s->momentum[1])));
        if (!isfinite(change)) break;
        // down to rounding, where it does not get better any more
        if (change <= DBL_EPSILON * speed ||
            (change <= 1e-13 * speed + s->noise && change >= before / 2)) {
            memcpy(s->record.after.v, s->momentum[1], (size_t)n * sizeof(double));
            if (!scree_configuration_evaluate(s->mechanics, s->record.after.q, &s->end))
                return scree_mechanism_fail_step(s, "M(q) is not positive definite", err);
            scree_dense_solve(s->end.L, n, s->record.after.v);
            return SCREE_OK;
        }
        before = change;
    }
    return scree_mechanism_fail_step(
        s, "its equations are not solved by going round: take a smaller step", err);
}

scree_status scree_mechanism_fremond(scree_mechanism *s, scree_error *err) {
    int n = s->mechanics->coordinates;
    double free[N], ahead[N], h = s->record.h;
    scree_status status = scree_mechanism_impulse(s, free, err);
    if (status) return status;
    scree_dense_solve(s->start.L, n, free);
    for (int i = 0; i < n; i++) {
        free[i] += s->record.before.v[i];
        ahead[i] = s->record.before.q[i] + h * s->record.before.v[i];
    }
    scree_mechanism_update_contacts(s, s->record.before.q, free);
    scree_mechanism_activate(s, ahead, true);
    scree_dense_product(s->start.M, n, s->record.before.v, s->momentum[0]);
    return fixed_point(s, err);
}
