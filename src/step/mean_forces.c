// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// mean_forces.c - forces of bodies at the mean of the step, F(t_theta, q_theta, v_theta).
// in: impulses, forces of the start.   out: stepper->force, v_free.   work: vectors kept.
//
// Newton's method on F, body by body: with a change dF the mean moves by
//
//     dv_theta = theta h A dF,    dq_theta = theta^2 h^2 A dF
//
// so that (1 - (theta h dF/dv + theta^2 h^2 dF/dq) A) dF = what F is off. Forces that depend on
// other bodies follow from turn to turn. Work is booked with the F that was used, so that the
// ledger closes wherever the iteration stops.

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/space.h"
#include "model/memory.h"
#include "step/stepper.h"

enum { N = SCREE_FORCE_PLACES, TURNS = 60 };

struct scree_mean_work {
    double *given, *wanted, *push, *before;  // (dofs)
    double *by_q, *by_v;                     // (bodies x 9)
    scree_state mean;
};

scree_status scree_mean_forces_make(scree_stepper *stepper, scree_error *err) {
    const scree_model *model = stepper->model;
    if (!model->memory->mean_forces.at) return SCREE_OK;
    scree_arena *arena = &stepper->arena;
    size_t dofs = (size_t)model->dofs, slopes = (size_t)model->bodies * N * N;
    struct scree_mean_work *work = SCREE_NEW(arena, struct scree_mean_work, 1);
    double *room = SCREE_NEW(arena, double, 5 * dofs + 2 * slopes);
    double *q = SCREE_NEW(arena, double, model->coordinates);
    if (!work || !room || !q) return scree_fail_memory(err, "forces");
    *work = (struct scree_mean_work){ room,
                                      room + dofs,
                                      room + 2 * dofs,
                                      room + 3 * dofs,
                                      room + 5 * dofs,
                                      room + 5 * dofs + slopes,
                                      { .q = q, .v = room + 4 * dofs } };
    stepper->mean_forces = work;
    stepper->refreshes = true;
    return SCREE_OK;
}

static double theta_of(const scree_stepper *stepper, int body) {
    return stepper->body_theta ? stepper->body_theta[body] : stepper->scheme.theta;
}

// where the step leads with the forces as they are now
static scree_status move(scree_stepper *stepper, bool pushed, scree_error *err) {
    const struct scree_mean_work *work = stepper->mean_forces;
    size_t bytes = (size_t)stepper->model->dofs * sizeof *work->push;
    bool changed;
    scree_status status = scree_free_loaded(stepper, err);
    for (int k = 0; !status && k < stepper->rows; k++) {
        scree_parts *parts = &stepper->parts[k];
        if (pushed && parts->refreshes)
            status = parts->kind->refresh(parts, &stepper->stage, work->push, &changed, err);
        if (pushed) memcpy(stepper->work, work->push, bytes);
        if (!status) parts->kind->advance(parts, &stepper->stage, pushed);
    }
    return status;
}

static void find_mean(scree_stepper *stepper) {
    const scree_model *model = stepper->model;
    const scree_state *from = &stepper->record.before, *to = &stepper->record.after;
    scree_state *mean = &stepper->mean_forces->mean;
    memcpy(mean->q, from->q, (size_t)model->coordinates * sizeof *mean->q);
    memcpy(mean->v, from->v, (size_t)model->dofs * sizeof *mean->v);
    mean->time = from->time + stepper->scheme.theta * stepper->scheme.step;
    for (int i = 0; i < model->bodies; i++) {
        double theta = theta_of(stepper, i);
        for (int k = 0; k < N; k++) {
            long q = (long)i * model->body_coordinates + k, v = (long)i * model->body_dofs + k;
            mean->q[q] += theta * (to->q[q] - from->q[q]);
            mean->v[v] += theta * (to->v[v] - from->v[v]);
        }
    }
}

// dF of one body from what its F is off
static void correct(const scree_stepper *stepper, int body, const double off[N], double change[N]) {
    const struct scree_mean_work *work = stepper->mean_forces;
    const double *inverse = stepper->inertia.part[body].inverse;
    double h = stepper->scheme.step, theta = theta_of(stepper, body), J[N][N], across[N][N];
    bool plane = stepper->model->space == 2;
    for (int r = 0; r < N; r++)
        for (int c = 0; c < N; c++) {
            long at = ((long)body * N + r) * N + c;
            double A = plane && c == 2 ? inverse[1] : inverse[0];
            J[c][r] = (r == c) - theta * h * (work->by_v[at] + theta * h * work->by_q[at]) * A;
        }
    // Cramer's rule: J holds columns
    for (int k = 0; k < N; k++) scree_cross(J[(k + 1) % N], J[(k + 2) % N], across[k]);
    double determinant = scree_dot(J[0], across[0]);
    for (int k = 0; k < N; k++)
        change[k] = determinant != 0 ? scree_dot(off, across[k]) / determinant : off[k];
}

// what F cannot be told from because velocities are rounded
static double least_size(const scree_stepper *stepper, int body) {
    const double share = 1e-6;
    long from = (long)body * stepper->model->body_dofs;
    double speed = 0;
    for (int k = 0; k < N; k++)
        speed += fabs(stepper->record.before.v[from + k]) + fabs(stepper->free_velocity[from + k]) +
                 fabs(stepper->record.after.v[from + k]);
    return share * speed * stepper->model->body[body].mass / stepper->scheme.step;
}

// one turn; how much forces were off, over their size
static double fixed_point_pass(scree_stepper *stepper) {
    const scree_model *model = stepper->model;
    const scree_mean_forces *forces = &model->memory->mean_forces;
    struct scree_mean_work *work = stepper->mean_forces;
    size_t slopes = (size_t)model->bodies * N * N, dofs = (size_t)model->dofs;
    double most = 0;
    find_mean(stepper);
    memcpy(work->wanted, work->given, dofs * sizeof *work->wanted);
    memset(work->by_q, 0, 2 * slopes * sizeof *work->by_q);
    forces->at(forces->self, &work->mean, work->wanted);
    forces->slopes(forces->self, &work->mean, work->by_q, work->by_v);
    for (int i = 0; i < model->bodies; i++) {
        double off[6] = { 0 }, change[6] = { 0 }, size = 0, error = 0;
        double *own = stepper->force + (long)i * model->body_dofs;
        if (!scree_body_moves(&model->body[i])) continue;
        size = least_size(stepper, i);
        for (int k = 0; k < model->body_dofs; k++) {
            off[k] = change[k] = work->wanted[(long)i * model->body_dofs + k] - own[k];
            size = fmax(size, fabs(own[k]) + fabs(off[k]));
            error = fmax(error, fabs(off[k]));
        }
        if (!(error > 0)) continue;
        most = isfinite(error) ? fmax(most, error / size) : HUGE_VAL;
        correct(stepper, i, off, change);
        for (int k = 0; k < model->body_dofs; k++) own[k] += change[k];
    }
    return most;
}

scree_status scree_mean_forces_settle(scree_stepper *stepper, const double *push, bool *changed,
                                      scree_error *err) {
    const double rounding = 64 * DBL_EPSILON, enough = 1e-9;
    struct scree_mean_work *work = stepper->mean_forces;
    size_t bytes = (size_t)stepper->model->dofs * sizeof *work->push;
    double error = HUGE_VAL;
    scree_status status = SCREE_OK;
    memcpy(work->before, stepper->force, bytes);
    if (push) memcpy(work->push, push, bytes);
    for (int turn = 0; !status && error > rounding && turn < TURNS; turn++) {
        status = move(stepper, push, err);
        if (status) break;
        double last = error;
        error = fixed_point_pass(stepper);
        if (error <= enough && error >= last) break;  // no better than that
    }
    if (push) memcpy(stepper->work, work->push, bytes);
    if (!status && !(error <= enough))
        status =
            scree_fail(err, SCREE_UNCONVERGED, SCREE_NOWHERE,
                       "step %lld at time %.9g: implicit forces do not settle (off by %.3g of "
                       "their size): take a smaller step",
                       (long long)stepper->record.after.step, stepper->record.before.time, error);
    if (!status) status = move(stepper, push, err);
    if (push) memcpy(stepper->work, work->push, bytes);
    *changed |= memcmp(work->before, stepper->force, bytes) != 0;
    return status;
}

void scree_mean_forces_begin(scree_stepper *stepper) {
    const scree_mean_forces *forces = &stepper->model->memory->mean_forces;
    struct scree_mean_work *work = stepper->mean_forces;
    memcpy(work->given, stepper->force, (size_t)stepper->model->dofs * sizeof *work->given);
    forces->at(forces->self, &stepper->record.before, stepper->force);
}
