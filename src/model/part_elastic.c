// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// part_elastic.c - elastic bodies as parts: M (v'-v) + h C v_theta + h K q_theta = h F_theta + h G
// + H^T p with C = a M + b K, on the nodes that are not held.

#include <math.h>
#include <string.h>

#include "model/elastic.h"
#include "model/part.h"

static void find(const scree_model *model, scree_parts *parts) {
    parts->count = parts->moving = model->elastics;
    for (int e = 0; e < model->elastics; e++) {
        const scree_elastic_body *body = &model->elastic[e];
        parts->coordinates += body->count;
        parts->dofs += body->count;
        parts->has_loads |= body->parts->loads > 0;
        parts->loads_vary |= body->parts->varies;
        parts->drives |= body->parts->held > 0;
    }
}

static scree_status invert(const scree_parts *parts, double h, double theta, scree_arena *arena,
                           scree_part *part, scree_error *err) {
    (void)arena;
    scree_status status = SCREE_OK;
    for (int e = 0; !status && e < parts->count; e++) {
        const scree_elastic_body *body = &parts->model->elastic[e];
        part[e] = (scree_part){ .dof = body->dof, .width = body->count };
        status = scree_flexibility_new(body, h, theta, &part[e].flexible, err);
    }
    return status;
}

static void start(const scree_parts *parts, double *q, double *v) {
    for (int e = 0; e < parts->count; e++) {
        const scree_elastic_body *body = &parts->model->elastic[e];
        scree_elastic_begin(body, q + body->coordinate, v + body->dof);
    }
}

static void drive(const scree_parts *parts, double t, double *q, double *v) {
    for (int e = 0; e < parts->count; e++) {
        const scree_elastic_body *body = &parts->model->elastic[e];
        scree_elastic_drive(body, t, q + body->coordinate, v ? v + body->dof : NULL);
    }
}

static void load(const scree_parts *parts, double t, double *F) {
    memset(F + parts->dof, 0, (size_t)parts->dofs * sizeof *F);
    for (int e = 0; e < parts->count; e++)
        scree_elastic_load(&parts->model->elastic[e], t, F + parts->model->elastic[e].dof);
}

// Mhat (v_free - v) = h (F_theta + G - C v - K (q + h theta v)): gravity pulls at the nodes, and
// what is held goes its way: its end is known, and weighs on the others through M, C and K.
static void free_body(const scree_model *model, const scree_elastic_body *body, scree_part *part,
                      const scree_stage *stage) {
    const struct scree_elastic_parts *parts = body->parts;
    int n = body->count, space = model->space;
    double h = stage->h, theta = stage->theta;
    double a = body->material.damping_mass, b = body->material.damping_stiffness;
    const double *q = stage->before->q + body->coordinate, *v = stage->before->v + body->dof;
    const double *next_q = stage->after->q + body->coordinate;
    const double *next_v = stage->after->v + body->dof;
    double *change = stage->v_free + body->dof, *x = stage->work + body->dof,
           *product = stage->v_start + body->dof;

    for (int i = 0; i < n; i++) x[i] = h * (q[i] + (h * theta + b) * v[i]);
    for (int k = 0; k < parts->held; k++) {
        int i = parts->held_dof[k];
        x[i] = h * ((1 - theta) * (q[i] + b * v[i]) + theta * (next_q[i] + b * next_v[i]));
    }
    scree_fem_stiffness(&parts->fem, x, product);
    for (int i = 0; i < n; i++)
        change[i] = stage->load ? scree_stage_load(stage, body->dof + i) : 0;
    for (int node = 0, i = 0; i < n; node++)
        for (int k = 0; k < space; k++, i++)
            change[i] += h * parts->node_mass[node] * model->gravity[k] - product[i];
    if (a > 0 || parts->driven) {
        for (int i = 0; i < n; i++) x[i] = h * a * v[i];
        for (int k = 0; k < parts->held; k++) {
            int i = parts->held_dof[k];
            x[i] = h * a * ((1 - theta) * v[i] + theta * next_v[i]) + (next_v[i] - v[i]);
        }
        scree_fem_mass(&parts->fem, x, product);
        for (int i = 0; i < n; i++) change[i] -= product[i];
    }
    scree_inertia_solve(part, change);
    for (int i = 0; i < n; i++) change[i] = body->number[i] < 0 ? next_v[i] : v[i] + change[i];
    memcpy(stage->v_start + body->dof, v, (size_t)n * sizeof *v);
}

static scree_status free_velocity(scree_parts *parts, const scree_stage *stage, scree_error *err) {
    (void)err;
    for (int e = 0; e < parts->count; e++)
        free_body(parts->model, &parts->model->elastic[e], &stage->inertia->part[parts->first + e],
                  stage);
    return SCREE_OK;
}

static void advance(scree_parts *parts, const scree_stage *stage, bool pushed) {
    scree_parts_advance(parts, stage, pushed);
    drive(parts, stage->after->time, stage->after->q, NULL);
}

static scree_status check(const scree_parts *parts, const scree_stage *stage, scree_error *err) {
    const scree_state *after = stage->after;
    for (int e = 0; e < parts->count; e++) {
        const scree_elastic_body *body = &parts->model->elastic[e];
        for (int k = 0; body->parts->driven && k < body->parts->held; k++)
            if (!isfinite(after->q[body->coordinate + body->parts->held_dof[k]]) ||
                !isfinite(after->v[body->dof + body->parts->held_dof[k]]))
                return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                                  "step %lld at time %.9g: a displacement that holds %s, or its "
                                  "rate, is not finite",
                                  (long long)after->step, after->time, body->name);
    }
    return SCREE_OK;
}

static const char *name_of_dof(const scree_parts *parts, int dof, int *component) {
    int e = parts->count - 1;
    while (e > 0 && dof < parts->model->elastic[e].dof) e--;
    *component = dof - parts->model->elastic[e].dof;
    return parts->model->elastic[e].name;
}

const scree_part_kind scree_elastic_kind = {
    .name = "elastic",
    .find = find,
    .invert = invert,
    .start = start,
    .drive = drive,
    .load = load,
    .free_velocity = free_velocity,
    .advance = advance,
    .check = check,
    .name_of_dof = name_of_dof,
};
