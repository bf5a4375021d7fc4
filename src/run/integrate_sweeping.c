// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// integrate_sweeping.c - a sweeping process as an integrator: q is the point, v its velocity during
// the step. It has no contacts and no energies; penetration in its account is how far the point is
// outside.

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run/integrator.h"
#include "scene/scene.h"
#include "scree/sweeping.h"

enum { N = SCREE_SET_DIMENSION };

typedef struct sweeping {
    scree_integrator base;
    scree_sweeping *process;
    double q[2][N], v[2][N];  // before and after
    scree_step_record record;
} sweeping;

static bool sweeping_serves(const scree_integrator_input *input) {
    return input->scene && input->scene->top.kind == SCREE_KIND_SWEEPING;
}

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

static scree_status make_process(sweeping *own, scree_error *err) {
    const scree_integrator_input *input = &own->base.input;
    const scree_scene_top *top = &input->scene->top;
    const scree_scene_set *set = top->sets.item;
    scree_moving_set *sets = calloc((size_t)top->sets.count + 1, sizeof *sets);
    if (!sets) return scree_fail_memory(err, NULL);
    for (int i = 0; i < top->sets.count; i++) sets[i] = set_of(&set[i]);
    scree_status status = scree_sweeping_new(input->model->coordinates, sets, top->sets.count,
                                             (scree_sweeping_method)top->method, own->record.h,
                                             input->model->system.position, &own->process, err);
    free(sets);
    return status;
}

// what the process says now, as a record
static void update_record(sweeping *own) {
    const scree_sweeping_state *now = scree_sweeping_state_of(own->process);
    scree_step_record *record = &own->record;
    size_t size = (size_t)now->dimension * sizeof(double);
    memcpy(own->v[0], own->v[1], size);
    memcpy(own->q[0], now->before, size);
    memcpy(own->q[1], now->x, size);
    for (int k = 0; k < now->dimension; k++)
        own->v[1][k] = (now->x[k] - now->before[k]) / record->h;
    int64_t before = now->step > 0 ? now->step - 1 : 0;
    record->before = (scree_state){ before, (double)before * record->h, own->q[0], own->v[0] };
    record->after = (scree_state){ now->step, now->time, own->q[1], own->v[1] };
    record->report.converged = true;
}

static void sweeping_free(scree_integrator *integrator) {
    scree_sweeping_free(((sweeping *)integrator)->process);
    free(integrator);
}

static scree_status sweeping_make(const scree_integrator_input *input,
                                  scree_integrator **integrator, scree_error *err) {
    sweeping *made = calloc(1, sizeof *made);
    if (!made) return scree_fail_memory(err, NULL);
    made->base = (scree_integrator){ &scree_integrator_sweeping, *input };
    made->record.h = input->options->scheme.step;
    scree_status status = make_process(made, err);
    if (status) {
        sweeping_free(&made->base);
        return status;
    }
    update_record(made);
    *integrator = &made->base;
    return SCREE_OK;
}

static scree_status sweeping_step(scree_integrator *integrator, scree_account *account,
                                  scree_error *err) {
    sweeping *own = (sweeping *)integrator;
    scree_status status = scree_sweeping_step(own->process, err);
    if (status) {
        bool empty = scree_sweeping_state_of(own->process)->empty;
        own->record.report.reason = empty ? SCREE_STOP_INFEASIBLE : SCREE_STOP_STALLED;
        return status;
    }
    update_record(own);
    *account = (scree_account){ .converged = 1, .tangential_work_max = -HUGE_VAL };
    account->penetration = scree_sweeping_state_of(own->process)->outside;
    return SCREE_OK;
}

static const scree_step_record *sweeping_record(const scree_integrator *integrator) {
    return &((const sweeping *)integrator)->record;
}

static scree_status sweeping_restore(scree_integrator *integrator, const scree_state *state,
                                     const scree_contact *contact, int contacts, scree_error *err) {
    (void)contact, (void)contacts;
    sweeping *own = (sweeping *)integrator;
    scree_status status = scree_sweeping_restore(own->process, state->step, state->q, err);
    if (status) return status;
    update_record(own);
    memcpy(own->v[1], state->v, (size_t)integrator->input.model->dofs * sizeof(double));
    return SCREE_OK;
}

static scree_ledger sweeping_ledger(const scree_integrator *integrator) {
    (void)integrator;
    return (scree_ledger){ 0 };
}

static scree_theorem sweeping_theorem(const scree_integrator *integrator) {
    (void)integrator;
    return (scree_theorem){ .reason = "a sweeping process has no energies" };
}

static const char *sweeping_method(const scree_integrator *integrator) {
    const sweeping *own = (const sweeping *)integrator;
    return scree_sweeping_method_name(scree_sweeping_state_of(own->process)->method);
}

static void sweeping_describe(const scree_integrator *integrator, char *text, size_t size) {
    snprintf(text, size, "a point of R^%d swept by %d set(s)", integrator->input.model->coordinates,
             integrator->input.scene->top.sets.count);
}

const scree_integrator_row scree_integrator_sweeping = {
    .name = "sweeping",
    .key = "start",
    .method_key = "method",
    .serves = sweeping_serves,
    .make = sweeping_make,
    .free = sweeping_free,
    .step = sweeping_step,
    .record = sweeping_record,
    .restore = sweeping_restore,
    .ledger = sweeping_ledger,
    .theorem = sweeping_theorem,
    .method = sweeping_method,
    .describe = sweeping_describe,
};
