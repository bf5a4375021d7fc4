// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// mechanism_schemes.c - moreau-jean, moreau and nscd for masses that depend on where they are.
// in: state.   out: next state, impulses.
//
// With f = Q - grad V + grad(v.M v)/2 - (dM/dt) v, all that accelerates but contacts,
//
//     M(q*) (v' - v) = h f(t + h/2, q + (h/2) v, v) + H(q*)^T p,   q' = q + h v_theta
//
// is moreau-jean with q* = q and moreau with q* = q + (h/2) v and theta = 1/2, and
//
//     M(q) (v' - v) = h ((1 - theta) f(t, q, v') + theta f(t', q', v')) + H(q)^T p,   q' = q + h v'
//
// is nscd. For constant M, V = q.K q/2 and Q = F(t) - C v the last one is nscd of the matrix
// system. It is solved by Newton's method with a matrix that is had once in a step, by differences,
// and made symmetric, so that contact problems stay what they are: that the matrix is not exact
// costs rounds, not accuracy.

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "lab/mechanism.h"
#include "law/status.h"

enum { N = SCREE_CONFIGURATION_N, ROUNDS = 100 };

static const double ROUNDING = 64 * DBL_EPSILON;  // of the numbers that gaps and velocities are of

scree_status scree_mechanism_fail_step(const scree_mechanism *s, const char *why,
                                       scree_error *err) {
    return scree_fail(err, SCREE_UNCONVERGED, SCREE_NOWHERE, "step %lld at time %.9g: %s",
                      (long long)s->record.after.step, s->record.after.time, why);
}

// -------------------------------------------------------------------------------------------------
// contacts

void scree_mechanism_update_contacts(scree_mechanism *s, const double *q, const double *free) {
    const scree_mechanism_def *m = s->mechanics;
    int n = m->coordinates;
    const double *v = s->record.before.v;
    bool mean = s->scheme.name == SCREE_MOREAU_JEAN_FREMOND;
    for (int c = 0; c < m->contacts; c++) {
        scree_contact *contact = &s->contact[c];
        *contact =
            (scree_contact){ .id = scree_contact_id_pack(SCREE_SOURCE_ROWS, (uint64_t)c, 0, 0),
                             .a = -1,
                             .b = -2 - c,
                             .restitution = m->law[c].restitution,
                             .tangential_restitution = mean ? 1 : m->law[c].tangential_restitution,
                             .friction = m->law[c].friction };
        contact->gap = m->contact(m->self, c, q, s->touch.row[c][0], s->touch.row[c][1]);
        for (int k = 0; k < 2; k++) {
            double size = 0;
            contact->u_before[k] = scree_configuration_dot(s->touch.row[c][k], v, n);
            for (int i = 0; i < n; i++)
                size += fabs(s->touch.row[c][k][i]) * (fabs(v[i]) + fabs(free[i]));
            contact->velocity_scale = fmax(contact->velocity_scale, size);
        }
    }
}

// the size of the numbers that a gap is made of, as far as that can be seen from outside
static double length_of(const scree_mechanism *s, int c) {
    const double *q = s->record.before.q, *normal = s->touch.row[c][0];
    double length = fabs(s->contact[c].gap);
    for (int i = 0; i < s->mechanics->coordinates; i++) length += fabs(normal[i] * q[i]);
    return length;
}

void scree_mechanism_activate(scree_mechanism *s, const double *ahead, bool approach) {
    const scree_mechanism_def *m = s->mechanics;
    double row[2][N], tolerance = s->solver.tolerance;
    s->touch.active = 0;
    for (int c = 0; c < m->contacts; c++) {
        const scree_contact *contact = &s->contact[c];
        // what solvers leave of the velocity of a resting contact, and of its gap over the steps
        double slow = scree_law_velocity_slack(tolerance) * contact->velocity_scale;
        double near = scree_law_gap_slack(tolerance) * s->record.h * contact->velocity_scale +
                      ROUNDING * length_of(s, c);
        if (!isnan(s->scheme.velocity_tolerance)) slow = s->scheme.velocity_tolerance;
        if (!isnan(s->scheme.gap_tolerance)) near = s->scheme.gap_tolerance;
        if (approach && !(contact->u_before[0] <= slow)) continue;
        if (m->contact(m->self, c, ahead, row[0], row[1]) <= near)
            s->touch.index[s->touch.active++] = c;
    }
}

scree_status scree_mechanism_impulses(scree_mechanism *s, scree_error *err) {
    const scree_report *report = &s->record.report;
    scree_status status = scree_touching_solve(s->mechanics, &s->solver, &s->touch,
                                               &s->record.problem, &s->record.report, err);
    if (status || report->converged) return status;
    return scree_fail(err, SCREE_UNCONVERGED, SCREE_NOWHERE,
                      "step %lld at time %.9g with %d contacts: %s after %d iterations, residual "
                      "%.3g (scaled %.3g), tolerance %.3g",
                      (long long)s->record.before.step, s->record.before.time, s->touch.active,
                      scree_stop_reason_text(report->reason), report->iterations,
                      report->residual.natural, report->residual.scaled, s->solver.tolerance);
}

// b = H free + (e u_N, tau u_T)
static void find_law_velocity(scree_mechanism *s, const double *free) {
    int n = s->mechanics->coordinates;
    for (int a = 0; a < s->touch.active; a++) {
        const scree_contact *contact = &s->contact[s->touch.index[a]];
        const double share[] = { contact->restitution, contact->tangential_restitution };
        for (int k = 0; k < 2; k++)
            s->touch.b[2 * a + k] =
                scree_configuration_dot(s->touch.row[s->touch.index[a]][k], free, n) +
                share[k] * contact->u_before[k];
    }
}

// -------------------------------------------------------------------------------------------------
// moreau-jean and moreau: forces where the step leads to in its half

scree_status scree_mechanism_impulse(scree_mechanism *s, double *impulse, scree_error *err) {
    const scree_mechanism_def *m = s->mechanics;
    int n = m->coordinates;
    const double *v = s->record.before.v;
    double half[N], h = s->record.h;
    for (int i = 0; i < n; i++) half[i] = s->record.before.q[i] + h / 2 * v[i];
    if (!scree_configuration_evaluate(m, half, &s->middle))
        return scree_mechanism_fail_step(s, "M(q) is not positive definite", err);
    memset(s->load, 0, sizeof s->load);
    if (m->force) m->force(m->self, s->record.before.time + h / 2, half, v, s->load);
    memcpy(impulse, s->load, (size_t)n * sizeof *impulse);
    scree_configuration_forces(&s->middle, n, v, impulse, NULL);
    for (int i = 0; i < n; i++) impulse[i] *= h;
    return SCREE_OK;
}

scree_status scree_mechanism_explicit(scree_mechanism *s, scree_error *err) {
    const scree_mechanism_def *m = s->mechanics;
    int n = m->coordinates;
    bool middle = s->scheme.name == SCREE_MOREAU;
    const scree_configuration *inertia = middle ? &s->middle : &s->start;
    const double *q = s->record.before.q, *v = s->record.before.v;
    double push[N], place[N], theta = s->scheme.theta, h = s->record.h;
    scree_state *after = &s->record.after;
    scree_status status = scree_mechanism_impulse(s, push, err);
    if (status) return status;
    scree_dense_solve(inertia->L, n, push);
    for (int i = 0; i < n; i++) {
        after->v[i] = v[i] + push[i];
        place[i] = q[i] + (middle ? h / 2 : h) * v[i];
    }
    scree_mechanism_update_contacts(s, middle ? place : q, after->v);
    // Moreau's rule takes contacts that are closed halfway, whether they approach or not
    scree_mechanism_activate(s, place, !middle);
    scree_touching_fill(inertia->L, inertia->L, n, &s->touch);
    find_law_velocity(s, after->v);
    status = scree_mechanism_impulses(s, err);
    if (status) return status;
    memset(push, 0, sizeof push);
    scree_touching_push(&s->touch, n, push);
    scree_dense_solve(inertia->L, n, push);
    for (int i = 0; i < n; i++) {
        after->v[i] += push[i];
        s->vbar[i] = (1 - theta) * v[i] + theta * after->v[i];
        after->q[i] = q[i] + h * s->vbar[i];
    }
    return scree_configuration_evaluate(m, after->q, &s->end)
               ? SCREE_OK
               : scree_mechanism_fail_step(s, "M(q) is not positive definite", err);
}

// -------------------------------------------------------------------------------------------------
// nscd: implicit in the velocity

// h times the mean of f at both ends if the step ends with the velocity x; size may be NULL
static bool end_impulse(scree_mechanism *s, const double *x, double *impulse, double *size) {
    const scree_mechanism_def *m = s->mechanics;
    int n = m->coordinates;
    double Q[N], f[N], place[N], h = s->record.h;
    memset(impulse, 0, (size_t)n * sizeof *impulse);
    memset(s->load, 0, sizeof s->load);
    for (int i = 0; i < n; i++) place[i] = s->record.before.q[i] + h * x[i];
    if (!scree_configuration_evaluate(m, place, &s->end)) return false;
    for (int end = 0; end < 2; end++) {
        const scree_state *state = end ? &s->record.after : &s->record.before;
        double weight = end ? s->scheme.theta : 1 - s->scheme.theta;
        memset(Q, 0, sizeof Q);
        if (m->force) m->force(m->self, state->time, end ? place : state->q, x, Q);
        memcpy(f, Q, sizeof f);
        scree_configuration_forces(end ? &s->end : &s->start, n, x, f, size);
        for (int i = 0; i < n; i++) {
            s->load[i] += weight * Q[i];
            impulse[i] += h * weight * f[i];
            if (size) size[i] += fabs(Q[i]);
        }
    }
    return true;
}

// M(q) less the symmetric part of the rate of the impulse with the velocity at the end, factorised
static scree_status find_matrix(scree_mechanism *s, double *A, scree_error *err) {
    int n = s->mechanics->coordinates;
    double x[N], ahead[N], behind[N], unit = 0;
    const double *v = s->record.before.v;
    if (!end_impulse(s, v, ahead, NULL))
        return scree_mechanism_fail_step(s, "M(q) is not positive definite", err);
    scree_dense_solve(s->start.L, n, ahead);
    for (int i = 0; i < n; i++) unit = fmax(unit, fmax(fabs(v[i]), fabs(ahead[i])));
    double delta = unit > 0 ? 1e-4 * unit : 1e-4;
    memcpy(A, s->start.M, (size_t)(n * n) * sizeof *A);
    memcpy(x, v, (size_t)n * sizeof *x);
    for (int j = 0; j < n; j++) {
        x[j] = v[j] + delta;
        bool fine = end_impulse(s, x, ahead, NULL);
        x[j] = v[j] - delta;
        if (!fine || !end_impulse(s, x, behind, NULL))
            return scree_mechanism_fail_step(s, "M(q) is not positive definite", err);
        x[j] = v[j];
        for (int i = 0; i < n; i++) {
            double rate = (ahead[i] - behind[i]) / (4 * delta);
            A[i * n + j] -= rate;
            A[j * n + i] -= rate;
        }
    }
    if (scree_dense_cholesky(A, n))
        return scree_mechanism_fail_step(
            s, "M less h times the rates of forces is not positive definite: take a smaller step",
            err);
    return SCREE_OK;
}

// one time round: a better velocity at the end; *change as the root of an energy
static scree_status iterate(scree_mechanism *s, const double *A, double *x, double *change,
                            scree_error *err) {
    const scree_mechanism_def *m = s->mechanics;
    int n = m->coordinates;
    double impulse[N], size[N] = { 0 }, way[N], missing[N], next[N], heavy[N];
    if (!end_impulse(s, x, impulse, size))
        return scree_mechanism_fail_step(s, "M(q) is not positive definite", err);
    for (int i = 0; i < n; i++) way[i] = x[i] - s->record.before.v[i];
    scree_dense_product(s->start.M, n, way, missing);
    for (int i = 0; i < n; i++) {
        missing[i] = impulse[i] - missing[i];
        size[i] *= s->record.h;
    }
    scree_dense_solve(A, n, missing);
    for (int i = 0; i < n; i++) next[i] = x[i] + missing[i];
    scree_touching_fill(A, A, n, &s->touch);
    find_law_velocity(s, next);
    scree_status status = scree_mechanism_impulses(s, err);
    if (status) return status;
    memset(missing, 0, sizeof missing);
    scree_touching_push(&s->touch, n, missing);
    scree_dense_solve(A, n, missing);
    for (int i = 0; i < n; i++) {
        next[i] += missing[i];
        way[i] = next[i] - x[i];
        x[i] = next[i];
    }
    scree_dense_product(s->start.M, n, way, heavy);
    *change = sqrt(scree_configuration_dot(way, heavy, n));
    s->noise = 32 * DBL_EPSILON * sqrt(scree_configuration_inverse_form(&s->start, n, size));
    return SCREE_OK;
}

static scree_status fixed_point(scree_mechanism *s, const double *A, double *x, scree_error *err) {
    int n = s->mechanics->coordinates;
    double before = HUGE_VAL, change = HUGE_VAL;
    double speed = sqrt(2 * scree_configuration_kinetic(&s->start, n, s->record.before.v));
    for (int round = 0; round < ROUNDS; round++) {
        scree_status status = iterate(s, A, x, &change, err);
        if (status) return status;
        speed = fmax(speed, sqrt(2 * scree_configuration_kinetic(&s->start, n, x)));
        if (!isfinite(change)) break;
        // down to rounding, where it does not get better any more
        if (change <= DBL_EPSILON * speed ||
            (change <= 1e-13 * speed + s->noise && change >= before / 2))
            return SCREE_OK;
        before = change;
    }
    return scree_mechanism_fail_step(
        s, "its equations are not solved by going round: take a smaller step", err);
}

// the free motion would end in the obstacle and not leave it
static void find_contacts(scree_mechanism *s, const double *free) {
    const scree_mechanism_def *m = s->mechanics;
    int n = m->coordinates;
    double ahead[N], row[2][N];
    for (int i = 0; i < n; i++) ahead[i] = s->record.before.q[i] + s->record.h * free[i];
    scree_mechanism_update_contacts(s, s->record.before.q, free);
    for (int c = 0; c < m->contacts; c++) {
        double speed = s->contact[c].velocity_scale, length = length_of(s, c) + s->record.h * speed;
        double approach = scree_configuration_dot(s->touch.row[c][0], free, n);
        if (m->contact(m->self, c, ahead, row[0], row[1]) <= ROUNDING * length &&
            approach <= ROUNDING * speed)
            s->touch.index[s->touch.active++] = c;
    }
}

scree_status scree_mechanism_nscd(scree_mechanism *s, scree_error *err) {
    const scree_mechanism_def *m = s->mechanics;
    int n = m->coordinates;
    double A[N * N], impulse[N];
    scree_state *after = &s->record.after;
    s->touch.active = 0;
    scree_status status = find_matrix(s, A, err);
    if (status) return status;
    memcpy(after->v, s->record.before.v, (size_t)n * sizeof(double));
    status = fixed_point(s, A, after->v, err);
    if (status) return status;
    find_contacts(s, after->v);
    if (s->touch.active) status = fixed_point(s, A, after->v, err);
    if (status) return status;
    memcpy(s->vbar, after->v, (size_t)n * sizeof(double));
    for (int i = 0; i < n; i++) after->q[i] = s->record.before.q[i] + s->record.h * after->v[i];
    // the loads and the place of the velocity that was found
    return end_impulse(s, after->v, impulse, NULL)
               ? SCREE_OK
               : scree_mechanism_fail_step(s, "M(q) is not positive definite", err);
}
