// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// free.c - the velocity that a step would end with if nothing touched.
// in: state, loads.   out: free velocity, inertia at the end of the step.

#include <math.h>
#include <string.h>

#include "step/stepper.h"

// F at both ends of the step; loads that do not vary are looked up once
static void find_loads(scree_stepper *stepper) {
    if (!stepper->load_known)
        scree_inertia_load(stepper->model, stepper->record.before.time, stepper->load);
    if (stepper->loads_vary || !stepper->load_known)
        scree_inertia_load(stepper->model, stepper->record.after.time, stepper->load_next);
    stepper->load_known = true;
    stepper->stage.load = stepper->load;
    stepper->stage.load_next = stepper->load_next;
}

// what is not moved by impulses takes no work from forces
static void drop_idle(scree_stepper *stepper) {
    const scree_model *model = stepper->model;
    size_t bytes = (size_t)model->body_dofs * sizeof *stepper->force;
    for (int i = 0; i < model->bodies; i++)
        if (!scree_body_moves(&model->body[i]))
            memset(stepper->force + (long)i * model->body_dofs, 0, bytes);
}

static scree_status check_forces(const scree_stepper *stepper, scree_error *err) {
    for (int i = 0; i < stepper->model->dofs; i++) {
        int row = 0, component = 0;
        if (isfinite(stepper->force[i])) continue;
        while (row + 1 < stepper->rows && stepper->parts[row + 1].dof <= i) row++;
        const scree_parts *parts = &stepper->parts[row];
        const char *name = parts->kind->name_of_dof(parts, i, &component);
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                          "step %lld at time %.9g: the force on %s, component %d, is not finite",
                          (long long)stepper->record.after.step, stepper->record.before.time, name,
                          component);
    }
    return SCREE_OK;
}

scree_status scree_free_forces(scree_stepper *stepper, scree_error *err) {
    const scree_state *before = &stepper->record.before;
    const scree_model *model = stepper->model;
    scree_status status = SCREE_OK;
    if (!stepper->force) return SCREE_OK;
    memset(stepper->force, 0, (size_t)model->dofs * sizeof *stepper->force);
    if (model->force) status = model->force(model->force_data, before, stepper->force, err);
    if (!status && stepper->force_fn)
        status = stepper->force_fn(stepper->force_data, before, stepper->force, err);
    if (!status && stepper->mean_forces) scree_mean_forces_begin(stepper);
    if (!status) status = check_forces(stepper, err);
    if (!status) drop_idle(stepper);
    return status;
}

// the loads of both ends of the step with them
static void add_forces(scree_stepper *stepper) {
    int dofs = stepper->model->dofs;
    bool loads = stepper->model->has_loads;
    double *load = stepper->force_loads, *next = load + dofs;
    for (int i = 0; i < dofs; i++) {
        load[i] = stepper->force[i] + (loads ? stepper->load[i] : 0);
        next[i] = stepper->force[i] + (loads ? stepper->load_next[i] : 0);
    }
    stepper->stage.load = load;
    stepper->stage.load_next = next;
}

scree_status scree_stepper_set_forces(scree_stepper *stepper, scree_force_fn *force, void *data,
                                      scree_error *err) {
    size_t dofs = (size_t)stepper->model->dofs;
    stepper->force_fn = force;
    stepper->force_data = data;
    bool any = force || stepper->model->force || stepper->mean_forces;
    if (any && !stepper->force_loads) {
        stepper->force_loads = SCREE_NEW(&stepper->arena, double, 3 * dofs);
        if (!stepper->force_loads) return scree_fail_memory(err, NULL);
    }
    stepper->force = any ? stepper->force_loads + 2 * dofs : NULL;
    stepper->record.force = stepper->force;
    if (!any) stepper->stage.load = stepper->stage.load_next = NULL;
    return SCREE_OK;
}

scree_status scree_free_loaded(scree_stepper *stepper, scree_error *err) {
    scree_status status = SCREE_OK;
    if (stepper->model->has_loads) find_loads(stepper);
    if (stepper->force) add_forces(stepper);
    for (int k = 0; !status && k < stepper->rows; k++)
        status = stepper->parts[k].kind->free_velocity(&stepper->parts[k], &stepper->stage, err);
    return status;
}

scree_status scree_free_velocity(scree_stepper *stepper, scree_error *err) {
    bool changed = false, settles = stepper->mean_forces && !stepper->stage.held;
    return settles ? scree_mean_forces_settle(stepper, NULL, &changed, err)
                   : scree_free_loaded(stepper, err);
}

scree_status scree_free_refresh(scree_stepper *stepper, const double *push, bool *changed,
                                scree_error *err) {
    scree_status status = SCREE_OK;
    *changed = false;
    if (stepper->mean_forces && !stepper->stage.held)
        status = scree_mean_forces_settle(stepper, push, changed, err);
    for (int k = 0; !status && k < stepper->rows; k++) {
        scree_parts *parts = &stepper->parts[k];
        if (parts->refreshes)
            status = parts->kind->refresh(parts, &stepper->stage, push, changed, err);
    }
    return status;
}
