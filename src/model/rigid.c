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
    unsigned char *dynamic = SCREE_NEW(arena, unsigned char, parts->count);
    int *live = SCREE_NEW(arena, int, parts->count);
    int *idle = SCREE_NEW(arena, int, (2 * (size_t)parts->count));
    if (!work || !kinematic || !dynamic || !live || !idle)
        return scree_fail(err, SCREE_NO_MEMORY, SCREE_NOWHERE, "out of memory for %d bodies",
                          parts->count);
    for (int i = 0; i < parts->count; i++) {
        kinematic[i] = parts->model->body[i].driven;
        dynamic[i] = scree_body_moves(&parts->model->body[i]);
    }
    work->kinematic = kinematic;
    work->dynamic = dynamic;
    work->live_body = live;
    work->idle = idle;
    parts->work = work;
    return scree_presence_make(parts->model, arena, &work->presence, err);
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

static void list_live(scree_rigid_work *work) {
    work->live = work->idles = 0;
    for (int i = 0, k = 0; i < work->presence.come; i++) {
        bool present = k < work->presence.count && work->presence.body[k] == i;
        k += present;
        if (work->kinematic[i]) continue;
        if (present && work->dynamic[i]) {
            work->live_body[work->live++] = i;
        } else if (work->idles && work->idle[2 * work->idles - 1] == i) {
            work->idle[2 * work->idles - 1]++;
        } else {
            work->idle[2 * work->idles] = i;
            work->idle[2 * work->idles++ + 1] = i + 1;
        }
    }
}

void scree_rigid_find_present(const scree_parts *parts, const scree_stage *stage, int numbers,
                              scree_rigid_inverse_of *inverse_of, double *inverse) {
    scree_rigid_work *work = parts->work;
    if (!scree_presence_update(parts->model, stage->before->time, &work->presence)) return;
    int gone = work->known ? work->live : parts->count;
    for (int k = 0; k < gone; k++) {
        int i = work->known ? work->live_body[k] : k;
        inverse_of(&parts->model->body[i], false, inverse + (size_t)numbers * (size_t)i);
    }
    list_live(work);
    work->known = true;
    work->settled = stage->before->step + 2;
    for (int k = 0; k < work->live; k++) {
        int i = work->live_body[k];
        inverse_of(&parts->model->body[i], true, inverse + (size_t)numbers * (size_t)i);
    }
}

static void keep(const double *from, double *to, const int idle[2], int width) {
    size_t first = (size_t)idle[0] * (size_t)width, last = (size_t)idle[1] * (size_t)width;
    memcpy(to + first, from + first, (last - first) * sizeof *to);
}

void scree_rigid_keep_idle(const scree_parts *parts, const scree_stage *stage) {
    const scree_rigid_work *work = parts->work;
    if (stage->before->step >= work->settled) return;
    for (int k = 0; k < work->idles; k++) {
        keep(stage->v_free, stage->after->v, work->idle + 2 * k, parts->model->body_dofs);
        keep(stage->before->q, stage->after->q, work->idle + 2 * k, parts->model->body_coordinates);
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
