// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// sweeping_integrator.c - scene -> sweeping process, and its steps as records of the engine.
// in: a scene of kind sweeping.   out: states (q = x) and accounts, as run files want them.

#include "run/sweeping_integrator.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "scene/scene.h"

enum { N = SCREE_SET_DIMENSION };

struct scree_sweeping_integrator {
    scree_sweeping *process;
    double h;
    double q[2][N], v[2][N];  // before and after
    scree_step_record record;
};

static scree_moving_set set_of(const scree_scene_set *set) {
    return (scree_moving_set){
        .kind = (scree_set_kind)set->type,
        .low = set->low.item,
        .high = set->high.item,
        .normal = set->normal.item,
        .centre = set->centre.item,
        .offset = set->offset,
        .radius = set->radius,
        .rows = set->rows.count,
        .row = set->rows.item,
        .offsets = set->offsets.item,
    };
}

static scree_status make_process(const scree_scene *scene, scree_sweeping_integrator *sweep,
                                 scree_error *err) {
    const scree_scene_top *top = &scene->top;
    const scree_scene_set *set = top->sets.item;
    scree_moving_set *sets = calloc((size_t)top->sets.count + 1, sizeof *sets);
    if (!sets) return scree_fail(err, SCREE_NO_MEMORY, SCREE_NOWHERE, "out of memory");
    for (int i = 0; i < top->sets.count; i++) sets[i] = set_of(&set[i]);
    scree_status status = scree_sweeping_new(
        top->start.count, sets, top->sets.count, (scree_sweeping_method)top->method,
        scene->options.scheme.step, top->start.item, &sweep->process, err);
    free(sets);
    return status;
}

// what the process says now, as the engine's record
static void show(scree_sweeping_integrator *sweep) {
    const scree_sweeping_state *now = scree_sweeping_state_of(sweep->process);
    scree_step_record *record = &sweep->record;
    size_t size = (size_t)now->dimension * sizeof(double);
    memcpy(sweep->v[0], sweep->v[1], size);
    memcpy(sweep->q[0], now->before, size);
    memcpy(sweep->q[1], now->x, size);
    for (int k = 0; k < now->dimension; k++)
        sweep->v[1][k] = (now->x[k] - now->before[k]) / sweep->h;
    int64_t before = now->step > 0 ? now->step - 1 : 0;
    record->before = (scree_state){ before, (double)before * sweep->h, sweep->q[0], sweep->v[0] };
    record->after = (scree_state){ now->step, now->time, sweep->q[1], sweep->v[1] };
    record->h = sweep->h;
    record->report.converged = true;
}

bool scree_sweeping_integrator_build(const scree_scene *scene, scree_sweeping_integrator **out,
                                     scree_model **model, scree_findings *findings) {
    const scree_section *section = &scene->top.section;
    scree_error err = { 0 };
    *model = scree_model_from_scene(scene, findings);
    if (!*model) return false;
    *out = calloc(1, sizeof **out);
    if (!*out) {
        scree_findings_add(findings, SCREE_NOWHERE, "out of memory");
        return false;
    }
    (*out)->h = scene->options.scheme.step;
    scree_status status = make_process(scene, *out, &err);
    if (!status) {
        show(*out);
        return true;
    }
    scree_findings_add(findings, scree_scene_place(section, "start"), "%s", err.text);
    scree_sweeping_integrator_free(*out);
    scree_model_free(*model);
    *out = NULL;
    *model = NULL;
    return false;
}

void scree_sweeping_integrator_free(scree_sweeping_integrator *sweep) {
    if (!sweep) return;
    scree_sweeping_free(sweep->process);
    free(sweep);
}

scree_status scree_sweeping_integrator_step(scree_sweeping_integrator *sweep,
                                            scree_account *account, scree_error *err) {
    scree_status status = scree_sweeping_step(sweep->process, err);
    if (status) return status;
    show(sweep);
    *account = (scree_account){ .converged = 1, .tangential_work_max = -HUGE_VAL };
    account->penetration = scree_sweeping_state_of(sweep->process)->outside;
    return SCREE_OK;
}

scree_status scree_sweeping_integrator_restore(scree_sweeping_integrator *sweep,
                                               const scree_state *state, scree_error *err) {
    scree_status status = scree_sweeping_restore(sweep->process, state->step, state->q, err);
    if (status) return status;
    show(sweep);
    memcpy(sweep->v[1], state->v,
           (size_t)scree_sweeping_state_of(sweep->process)->dimension * sizeof(double));
    return SCREE_OK;
}

const scree_sweeping *scree_sweeping_integrator_process(const scree_sweeping_integrator *sweep) {
    return sweep->process;
}

const scree_step_record *scree_sweeping_integrator_record(const scree_sweeping_integrator *sweep) {
    return &sweep->record;
}
