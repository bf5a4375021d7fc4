// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// events_mechanism.c - a mechanism at one moment, for the event-driven scheme.
// in: M(q), V(q), Q, gaps; t, q, v.   out: a view.
//
//     M(q) dv/dt = Q - grad V + grad(v.M v)/2 - (dM/dt) v + H^T lambda,
//     drift = d/ds (H(t + s, q + s v) v + w(t + s, q + s v))
//
// M comes with its derivatives, H does not: the drift is a difference of eighth order along v, over
// a length at which what is left of the series and rounding are both small.

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "lab/events_system.h"
#include "model/mechanism.h"

enum { N = SCREE_MECHANISM_COORDINATES, LENGTHS = 16 };

static const double LENGTH = 1 / 32.;  // that coordinates move, at first: angles turn by 1
static const double WANTED = 1e-12;    // of the drift

// a contact of a mechanism in motion
typedef struct passage {
    const scree_mechanism_def *m;
    int contact;
    double t;
    const double *q, *v;
} passage;

// H v + w after s; the size of the numbers in it grows with what it finds
static void velocity_at(const passage *at, double s, double *u, double *size) {
    double place[N], row[2][N], rate[2];
    const double *v = at->v;
    int n = at->m->coordinates;
    for (int i = 0; i < n; i++) place[i] = at->q[i] + s * v[i];
    scree_configuration_gap(at->m, at->contact, at->t + s, place, row[0], row[1], rate);
    for (int k = 0; k < 2; k++) {
        double sum = fabs(rate[k]);
        u[k] = scree_dense_dot(row[k], v, n) + rate[k];
        for (int i = 0; i < n; i++) sum += fabs(row[k][i] * v[i]);
        *size = fmax(*size, sum);
    }
}

typedef struct slope {
    double rate[2];
    double series, rounding;  // what is left out of the first, what the second does to it
} slope;

// differences of orders 8 and 6 over the same points; the second says how good the first is
static slope difference(const passage *at, double delta) {
    static const double eighth[] = { 4 / 5., -1 / 5., 4 / 105., -1 / 280. };
    static const double sixth[] = { 3 / 4., -3 / 20., 1 / 60., 0 };
    double before[2], after[2], size = 0, coarse[2] = { 0 };
    slope found = { { 0 }, 0, 0 };
    for (int k = 1; k <= 4; k++) {
        velocity_at(at, -k * delta, before, &size);
        velocity_at(at, k * delta, after, &size);
        for (int r = 0; r < 2; r++) {
            found.rate[r] += eighth[k - 1] * (after[r] - before[r]) / delta;
            coarse[r] += sixth[k - 1] * (after[r] - before[r]) / delta;
        }
    }
    // the next term of the series is smaller by about a hundredth where this length is good
    found.series = fmax(fabs(found.rate[0] - coarse[0]), fabs(found.rate[1] - coarse[1])) / 100;
    found.rounding = DBL_EPSILON * size / delta;
    return found;
}

// Lengths are tried until the error is small. Over many waves of an obstacle differences grow while
// lengths shrink, so that on the way down a larger error is no reason to stop.
static void find_drift(const passage *at, double step, double *drift) {
    double fastest = 0, length = LENGTH, least = HUGE_VAL;
    bool down = true;
    for (int i = 0; i < at->m->coordinates; i++) fastest = fmax(fastest, fabs(at->v[i]));
    // an obstacle that moves has its own time
    if (at->m->moving) fastest = fmax(fastest, LENGTH / step);
    drift[0] = drift[1] = 0;
    for (int k = 0; fastest > 0 && k < LENGTHS; k++) {
        slope found = difference(at, length / fastest);
        double error = found.series + found.rounding;
        if (k == 0) down = found.series > found.rounding;
        bool better = !(error >= least);
        if (better) {
            least = error;
            memcpy(drift, found.rate, sizeof found.rate);
        }
        // rows that do not change at all, of a linear gap, need no other length
        if (found.series == 0 && found.rate[0] == 0 && found.rate[1] == 0) return;
        if (error <= WANTED * fmax(fabs(found.rate[0]), fabs(found.rate[1]))) return;
        if (down ? found.series <= found.rounding : !better) return;
        length *= down ? 1 / 4. : 4;
    }
}

static void evaluate_contact(const scree_mechanism_system *self, int c, double t, const double *q,
                             const double *v, scree_evaluation *view) {
    const scree_mechanism_def *m = self->mechanics;
    double *normal = view->H[c][0];
    view->gap[c] = scree_configuration_gap(m, c, t, q, normal, view->H[c][1], view->w[c]);
    view->length[c] = fabs(view->gap[c]);
    for (int i = 0; i < view->n; i++)
        view->length[c] += fabs(normal[i]) * (fabs(q[i]) + self->step * fabs(v[i]));
    find_drift(&(passage){ m, c, t, q, v }, self->step, view->drift[c]);
}

static void evaluate_mechanism(const void *from, double t, const double *q, const double *v,
                               scree_evaluation *view) {
    const scree_mechanism_system *self = from;
    const scree_mechanism_def *m = self->mechanics;
    int n = view->n;
    scree_configuration at;
    bool sound = scree_configuration_evaluate(m, q, &at);
    memcpy(view->L, at.L, (size_t)(n * n) * sizeof(double));
    memset(view->force, 0, sizeof view->force);
    memset(view->size, 0, sizeof view->size);
    if (m->force) m->force(m->self, t, q, v, view->force);
    view->load_power = scree_dense_dot(view->force, v, n);
    view->damping_power = 0;
    for (int i = 0; i < n; i++) view->size[i] = fabs(view->force[i]);
    scree_configuration_forces(&at, n, v, view->force, view->size);
    // without a mass nothing that follows is a number, and the scheme says so
    if (!sound) view->force[0] = NAN;
    for (int c = 0; c < view->contacts; c++) evaluate_contact(self, c, t, q, v, view);
}

static scree_small_energy energy_of(const void *from, const double *q, const double *v) {
    const scree_mechanism_system *self = from;
    int n = self->mechanics->coordinates;
    scree_configuration at;
    scree_configuration_evaluate(self->mechanics, q, &at);
    scree_small_energy energy = { .kinetic = scree_configuration_kinetic(&at, n, v),
                                  .potential = at.potential,
                                  .size = fabs(at.potential) };
    for (int i = 0; i < n * n; i++) energy.size += fabs(at.M[i] * v[i / n] * v[i % n]);
    return energy;
}

// V and the kinetic energy change with q
static double shift_work(const void *from, const double *q, const double *v, const double *way) {
    const scree_mechanism_system *self = from;
    int n = self->mechanics->coordinates;
    double half[N] = { 0 }, y[N], work = 0;
    scree_configuration at;
    for (int i = 0; i < n; i++) half[i] = q[i] + way[i] / 2;
    scree_configuration_evaluate(self->mechanics, half, &at);
    for (int k = 0; k < n; k++) {
        scree_dense_product(at.dM + (long)k * n * n, n, v, y);
        work += way[k] * (at.gradient[k] + scree_dense_dot(v, y, n) / 2);
    }
    return work;
}

static const char *name_of(const void *from, int c, char room[SCREE_EVENT_NAME]) {
    return scree_configuration_contact_name(((const scree_mechanism_system *)from)->mechanics, c,
                                            room);
}

static scree_status check(const scree_mechanism_def *m, scree_error *err) {
    char room[16];
    if (m->coordinates > SCREE_SMALL_N || m->contacts > SCREE_SMALL_C)
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                          "event-driven takes up to %d coordinates and %d contacts, found %d and "
                          "%d",
                          SCREE_SMALL_N, SCREE_SMALL_C, m->coordinates, m->contacts);
    if (m->across)
        return scree_fail(
            err, SCREE_BAD_INPUT, SCREE_NOWHERE,
            "event-driven is for planar contacts: the mechanism has friction in space");
    for (int c = 0; c < m->contacts; c++)
        if (m->law[c].tangential_restitution > 0)
            return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                              "contact %s: event-driven knows restitution and friction, not "
                              "tangential restitution and cohesion",
                              scree_configuration_contact_name(m, c, room));
    return SCREE_OK;
}

scree_status scree_mechanism_system_make(const scree_mechanism_def *m, double step,
                                         scree_mechanism_system *system, scree_small_system *small,
                                         scree_error *err) {
    scree_configuration at;
    scree_status status = scree_mechanism_check(m, err);
    if (!status) status = check(m, err);
    if (status) return status;
    if (!scree_configuration_evaluate(m, m->position, &at))
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE, "%s at the start", at.wrong);
    *system = (scree_mechanism_system){ m, step };
    *small = (scree_small_system){ .n = m->coordinates,
                                   .contacts = m->contacts,
                                   .coordinates = m->coordinates,
                                   .source = SCREE_SOURCE_FORMULAS,
                                   .self = system,
                                   .evaluate = evaluate_mechanism,
                                   .energy = energy_of,
                                   .shift_work = shift_work,
                                   .name = name_of,
                                   .position = m->position,
                                   .velocity = m->velocity };
    for (int c = 0; c < m->contacts; c++) {
        small->friction[c] = m->law[c].friction;
        small->restitution[c] = m->law[c].restitution;
    }
    return SCREE_OK;
}
