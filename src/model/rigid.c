// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// rigid.c - rigid bodies as parts: counts, loads, names.

#include "model/rigid.h"

#include <math.h>
#include <string.h>

void scree_rigid_find(const scree_model *model, int space, scree_parts *parts) {
    if (model->space != space) return;
    parts->count = model->bodies;
    parts->coordinates = model->bodies * model->body_coordinates;
    parts->dofs = model->bodies * model->body_dofs;
    parts->roundings = 16;
    for (int i = 0; i < model->bodies; i++) {
        const scree_body *body = &model->body[i];
        bool moves = scree_body_moves(body);
        parts->moving += moves;
        parts->drives |= body->driven;
        for (int k = 0; k < model->body_dofs; k++) {
            parts->has_loads |= moves && (body->force[k].at || body->force[k].constant != 0);
            parts->loads_vary |= body->force[k].at != NULL;
        }
    }
}

scree_status scree_rigid_make(scree_parts *parts, scree_arena *arena, scree_error *err) {
    scree_rigid_work *work = SCREE_NEW(arena, scree_rigid_work, 1);
    unsigned char *kinematic = SCREE_NEW(arena, unsigned char, parts->count);
    if (!work || !kinematic)
        return scree_fail(err, SCREE_NO_MEMORY, SCREE_NOWHERE, "out of memory for %d bodies",
                          parts->count);
    for (int i = 0; i < parts->count; i++) {
        const scree_body *body = &parts->model->body[i];
        work->has_births |= body->birth_time > 0 || body->removal_time != 0;
        kinematic[i] = body->driven;
    }
    work->kinematic = kinematic;
    parts->work = work;
    return SCREE_OK;
}

scree_status scree_rigid_invert(const scree_parts *parts, int numbers,
                                scree_rigid_inverse_of *inverse_of, scree_arena *arena,
                                scree_part *part, scree_error *err) {
    double *inverse = SCREE_NEW(arena, double, ((size_t)numbers * (size_t)parts->count));
    if (!inverse)
        return scree_fail(err, SCREE_NO_MEMORY, SCREE_NOWHERE, "out of memory for %d bodies",
                          parts->count);
    int width = parts->model->body_dofs;
    for (int i = 0; i < parts->count; i++) {
        const scree_body *body = &parts->model->body[i];
        part[i] = (scree_part){ .dof = parts->dof + i * width,
                                .width = width,
                                .inverse = inverse + (size_t)numbers * (size_t)i };
        inverse_of(body, scree_body_moves(body), part[i].inverse);
    }
    return SCREE_OK;
}

void scree_rigid_find_present(const scree_parts *parts, const scree_stage *stage, int numbers,
                              scree_rigid_inverse_of *inverse_of, double *inverse) {
    const scree_rigid_work *work = parts->work;
    for (int i = 0; work->has_births && i < parts->count; i++) {
        const scree_body *body = &parts->model->body[i];
        inverse_of(body, scree_body_moves(body) && scree_rigid_present(parts, stage, i),
                   inverse + (size_t)numbers * (size_t)i);
    }
}

void scree_rigid_load(const scree_parts *parts, double t, double *F) {
    double rate;
    int width = parts->model->body_dofs;
    for (int i = 0; i < parts->count; i++) {
        const scree_body *body = &parts->model->body[i];
        for (int k = 0; k < width; k++)
            F[(long)i * width + k] =
                scree_body_moves(body) ? scree_function_at(&body->force[k], t, &rate) : 0;
    }
}

scree_status scree_rigid_check(const scree_parts *parts, const scree_stage *stage,
                               scree_error *err) {
    const scree_state *after = stage->after;
    const scree_rigid_work *work = parts->work;
    int width = parts->model->body_coordinates;
    for (int i = 0; i < parts->count; i++) {
        bool fine = true;
        for (int k = 0; work->kinematic[i] && k < width; k++)
            fine = fine && isfinite(after->q[(long)i * width + k]);
        if (!fine)
            return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                              "step %lld at time %.9g: the motion of %s is not finite",
                              (long long)after->step, after->time, parts->model->body[i].name);
    }
    return SCREE_OK;
}

double scree_rigid_extent(const scree_parts *parts, const double *q) {
    const scree_model *model = parts->model;
    double size = 0;
    for (int i = 0; i < parts->count; i++)
        for (int k = 0; k < model->space; k++)
            size = fmax(size, fabs(q[(long)i * model->body_coordinates + k]));
    return size;
}

const char *scree_rigid_name_of_dof(const scree_parts *parts, int dof, int *component) {
    *component = dof % parts->model->body_dofs;
    return parts->model->body[dof / parts->model->body_dofs].name;
}

void scree_rigid_mean_velocity(const scree_parts *parts, double theta,
                               const scree_step_record *record, double *mean) {
    (void)theta;
    int width = parts->model->body_dofs;
    for (int i = 0; i < parts->count; i++)
        if (!scree_body_present(&parts->model->body[i], record->before.time))
            memset(mean + (long)i * width, 0, (size_t)width * sizeof *mean);
}

void scree_rigid_add_energies(const scree_rigid_sums *sums, scree_ledger *ledger) {
    ledger->kinetic += scree_sum_value(sums->kinetic);
    ledger->potential += scree_sum_value(sums->potential);
}

void scree_rigid_add_sums(const scree_rigid_sums *sums, scree_ledger *ledger) {
    scree_rigid_add_energies(sums, ledger);
    ledger->numerical_dissipation += scree_sum_value(sums->dissipation);
    ledger->exchange += scree_sum_value(sums->exchange);
}
