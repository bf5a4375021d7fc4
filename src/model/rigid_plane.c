// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// rigid_plane.c - rigid bodies in the plane: q = x, y, angle and A = 1/m, 1/m, 1/J.

#include <math.h>
#include <string.h>

#include "model/rigid.h"

enum { WIDTH = 3, NUMBERS = 2 };  // of one body in q and v, in A

static void find(const scree_model *model, scree_parts *parts) {
    scree_rigid_find(model, 2, parts);
}

static void invert_body(const scree_body *body, bool present, double *inverse) {
    inverse[0] = present ? 1 / body->mass : 0;
    inverse[1] = present ? 1 / body->inertia : 0;
}

static scree_status invert(const scree_parts *parts, double h, double theta, double alpha,
                           scree_arena *arena, scree_part *part, scree_error *err) {
    (void)h;
    (void)theta;
    (void)alpha;
    return scree_rigid_invert(parts, NUMBERS, invert_body, arena, part, err);
}

static void drive(const scree_parts *parts, double t, double *q, double *v) {
    for (int i = 0; i < parts->count; i++) {
        const scree_body *body = &parts->model->body[i];
        double rate[WIDTH], *x = q + (long)i * WIDTH;
        if (!body->driven) continue;
        for (int k = 0; k < 2; k++)
            x[k] = body->position[k] + scree_function_at(&body->path.along[k], t, &rate[k]);
        x[2] = body->angle + scree_function_at(&body->path.angle, t, &rate[2]);
        if (v) memcpy(v + (long)i * WIDTH, rate, sizeof rate);
    }
}

static void start(const scree_parts *parts, double *q, double *v) {
    for (int i = 0; i < parts->count; i++) {
        const scree_body *body = &parts->model->body[i];
        double *x = q + (long)i * WIDTH, *u = v + (long)i * WIDTH;
        memcpy(x, body->position, 2 * sizeof *x);
        memcpy(u, body->velocity, 2 * sizeof *u);
        x[2] = body->angle;
        u[2] = body->spin;
    }
    drive(parts, 0, q, v);
}

// the relaxed velocity of Moreau (36); Acary & Collins-Craft (82) without C, K and impulses
static scree_status free_velocity(scree_parts *parts, const scree_stage *stage, scree_error *err) {
    (void)err;
    const double *v = stage->before->v, *g = parts->model->gravity;
    double *inverse = stage->inertia->part[parts->first].inverse, *out = stage->v_free;
    scree_rigid_find_present(parts, stage, NUMBERS, invert_body, inverse);
    memcpy(stage->v_start, v, (size_t)stage->come * WIDTH * sizeof *v);
    memcpy(out, v, (size_t)stage->come * WIDTH * sizeof *v);
    const scree_rigid_work *work = parts->work;
    for (int n = 0; n < work->live; n++) {
        int i = work->live_body[n];
        double theta = scree_rigid_theta(stage, i);
        for (int k = 0; k < WIDTH; k++) {
            int dof = i * WIDTH + k;
            double change = stage->load ? scree_stage_load(stage, dof, theta) *
                                              inverse[NUMBERS * (long)i + k / 2]
                                        : 0;
            if (k < 2) change += stage->h * g[k];
            out[dof] = v[dof] + change;
        }
    }
    return SCREE_OK;
}

static void advance(scree_parts *parts, const scree_stage *stage, bool pushed) {
    const scree_rigid_work *work = parts->work;
    const scree_state *before = stage->before, *after = stage->after;
    const double *inverse = stage->inertia->part[parts->first].inverse;
    double h = stage->h;
    scree_rigid_keep_idle(parts, stage);
    for (int n = 0; n < work->live; n++) {
        int i = work->live_body[n];
        double theta = scree_rigid_theta(stage, i);
        for (int k = 0; k < WIDTH; k++) {
            int dof = i * WIDTH + k;
            double change = pushed ? stage->work[dof] * inverse[NUMBERS * (long)i + k / 2] : 0;
            after->v[dof] = stage->v_free[dof] + change;
            double mean = (1 - theta) * before->v[dof] + theta * after->v[dof];
            after->q[dof] = before->q[dof] + h * mean;
        }
    }
}

// --- the ledger ---------------------------------------------------------------------------------

static double square(double x) { return x * x; }

static scree_rigid_energy energy_of(const scree_model *model, int i, const scree_state *state) {
    const scree_body *body = &model->body[i];
    const double *q = state->q + (long)i * WIDTH, *v = state->v + (long)i * WIDTH;
    double twice = 0, fall = 0;
    for (int k = 0; k < 2; k++) {
        twice += body->mass * v[k] * v[k];
        fall += model->gravity[k] * q[k];
    }
    twice += body->inertia * v[2] * v[2];
    return (scree_rigid_energy){ twice / 2, -body->mass * fall };
}

static double change_of(const scree_model *model, int i, const scree_state *old,
                        const scree_state *new, double *scale) {
    const scree_body *body = &model->body[i];
    const double *p = old->q + (long)i * WIDTH, *q = new->q + (long)i *WIDTH;
    const double *u = old->v + (long)i * WIDTH, *v = new->v + (long)i *WIDTH;
    double change = 0;
    for (int k = 0; k < 2; k++) {
        change += body->mass * square(v[k] - u[k]);
        *scale += body->mass * (square(fabs(u[k]) + fabs(v[k])) +
                                fabs(model->gravity[k]) * (fabs(p[k]) + fabs(q[k])));
    }
    *scale += body->inertia * square(fabs(u[2]) + fabs(v[2]));
    return change + body->inertia * square(v[2] - u[2]);
}

static void energies(const scree_parts *parts, const scree_state *state, scree_ledger *ledger) {
    scree_rigid_energies(parts, state, energy_of, change_of, ledger);
}

static void fill_ledger(const scree_parts *parts, double theta, const scree_step_record *record,
                        double *scratch, scree_ledger *ledger, double *scale) {
    (void)scratch;
    scree_rigid_fill_ledger(parts, theta, record, energy_of, change_of, ledger, scale);
}

const scree_part_kind scree_rigid_plane = {
    .name = "rigid-plane",
    .find = find,
    .invert = invert,
    .make = scree_rigid_make,
    .start = start,
    .drive = drive,
    .load = scree_rigid_load,
    .free_velocity = free_velocity,
    .advance = advance,
    .check = scree_rigid_check,
    .energies = energies,
    .fill_ledger = fill_ledger,
    .mean_velocity = scree_rigid_mean_velocity,
    .extent = scree_rigid_extent,
    .name_of_dof = scree_rigid_name_of_dof,
};
