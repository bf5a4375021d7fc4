// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// program_bodies.c - bodies that a program adds and removes between steps.
// in: a simulation, a change of its bodies.   out: the same with another model, integrator and
// energy, which is booked as exchange.

#include <stdlib.h>
#include <string.h>

#include "model/change.h"
#include "run/simulation.h"

// what is there of a vector of the old model, in one of the new: bodies, room for more, the rest
static void copy_resized(const double *old, int width, int old_bodies, int new_bodies,
                         int old_count, double *new) {
    size_t head = (size_t)old_bodies * (size_t)width, tail = (size_t)old_count - head;
    memcpy(new, old, head * sizeof *new);
    memcpy(new + (size_t)new_bodies *(size_t)width, old + head, tail * sizeof *new);
}

// all that changes with the model; what it replaces is freed by whoever has it in the end
typedef struct replacement {
    scree_model *model;
    scree_integrator *integrator;
    double *q, *v, *applied;  // of the new size
} replacement;

static void drop(replacement *new) {
    if (new->integrator) new->integrator->row->free(new->integrator);
    scree_model_free(new->model);
    free(new->q);
    free(new->v);
    free(new->applied);
}

// the last step that was taken, also if another one was refused since
static const scree_step_record *last_record(scree_simulation *simulation) {
    const scree_step_record *record = scree_simulation_record(simulation);
    return record->before.step > record->after.step ? scree_simulation_snapshot(simulation)
                                                    : record;
}

static scree_status carry_state(const scree_simulation *simulation, replacement *new,
                                scree_error *err) {
    const scree_model *old = simulation->model, *model = new->model;
    const scree_step_record *start = new->integrator->row->record(new->integrator);
    new->q = malloc(((size_t)model->coordinates + 1) * sizeof *new->q);
    new->v = malloc(((size_t)model->dofs + 1) * sizeof *new->v);
    if (simulation->applied) new->applied = calloc((size_t)model->dofs + 1, sizeof(double));
    if (!new->q || !new->v || (simulation->applied && !new->applied))
        return scree_fail_memory(err, NULL);
    memcpy(new->q, start->after.q, (size_t)model->coordinates * sizeof *new->q);
    memcpy(new->v, start->after.v, (size_t)model->dofs * sizeof *new->v);
    copy_resized(simulation->state.q, old->body_coordinates, old->bodies, model->bodies,
                 old->coordinates, new->q);
    copy_resized(simulation->state.v, old->body_dofs, old->bodies, model->bodies, old->dofs,
                 new->v);
    if (new->applied)
        copy_resized(simulation->applied, old->body_dofs, old->bodies, model->bodies, old->dofs,
                     new->applied);
    return SCREE_OK;
}

// contacts that had impulses are the warm start of what comes: shapes have kept their numbers
static scree_status restore(scree_simulation *simulation, replacement *new, scree_error *err) {
    const scree_step_record *record = last_record(simulation);
    const scree_state *now = &simulation->state;
    const scree_state state = { now->step, now->time, new->q, new->v };
    scree_contact *contact = malloc(((size_t)record->contacts + 1) * sizeof *contact);
    int count = 0;
    if (!contact) return scree_fail_memory(err, NULL);
    int bodies = simulation->model->bodies, more = new->model->bodies - bodies;
    for (int i = 0; i < record->contacts; i++) {
        if (record->contact[i].status == SCREE_CONTACT_INACTIVE) continue;
        contact[count] = record->contact[i];
        if (contact[count].a >= bodies) contact[count].a += more;  // elastic ones stand behind
        if (contact[count].b >= bodies) contact[count].b += more;
        count++;
    }
    scree_status status =
        new->integrator->row->restore(new->integrator, &state, contact, count, err);
    free(contact);
    return status;
}

static scree_status build(scree_simulation *simulation, const scree_change *change,
                          replacement *new, bool *shares, scree_error *err) {
    const scree_integrator_row *row = scree_simulation_row(simulation);
    scree_status status = scree_change_model(simulation->model, change, &new->model, shares, err);
    if (status) return status;
    const scree_integrator_input input = { NULL, new->model, &simulation->options };
    status = row->make(&input, &new->integrator, err);
    if (!status) status = carry_state(simulation, new, err);
    if (!status) status = restore(simulation, new, err);
    return status ? status : scree_simulation_connect(simulation, new->integrator, err);
}

// the old model goes, or stays for what the new one shares with it
static scree_status keep_model(scree_simulation *simulation, bool shares, scree_error *err) {
    if (!simulation->own_model || !shares) return SCREE_OK;
    size_t count = (size_t)simulation->past_models + 1;
    scree_model **grown = realloc(simulation->past_model, count * sizeof *grown);
    if (!grown) return scree_fail_memory(err, NULL);
    simulation->past_model = grown;
    return SCREE_OK;
}

static scree_status change_bodies(scree_simulation *simulation, const scree_change *change,
                                  scree_error *err) {
    const scree_integrator_row *row = scree_simulation_row(simulation);
    replacement new = { 0 };
    bool shares = false;
    if (!row->problems)
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                          "bodies are added and removed in runs of a stepper, not of %s",
                          row->name);
    if (simulation->storing)
        return scree_fail(
            err, SCREE_BAD_INPUT, SCREE_NOWHERE,
            "bodies cannot be added or removed while the run is stored, whose tables "
            "are as wide as its bodies are many: stop it, change them, and store "
            "what follows in another file; or give bodies times of birth and removal");
    double before = scree_simulation_energy(simulation);
    const scree_model *model = simulation->model;
    scree_status status = build(simulation, change, &new, &shares, err);
    if (!status) status = keep_model(simulation, shares, err);
    if (!status) {
        simulation->model = new.model;
        status = scree_simulation_make_state(simulation, err);
        if (status) simulation->model = model;
    }
    if (status) {
        drop(&new);
        return status;
    }
    row->free(simulation->integrator);
    if (simulation->own_model && shares)
        simulation->past_model[simulation->past_models++] = simulation->own_model;
    else
        scree_model_free(simulation->own_model);
    free(simulation->applied);
    simulation->own_model = new.model;
    simulation->integrator = new.integrator;
    simulation->applied = new.applied;
    free(new.q);
    free(new.v);
    simulation->changed = simulation->program = true;
    simulation->account.ledger = row->ledger(new.integrator);
    simulation->exchange += scree_simulation_energy(simulation) - before;
    scree_simulation_show(simulation);
    return SCREE_OK;
}

scree_status scree_simulation_add_bodies(scree_simulation *simulation, const scree_body *body,
                                         int bodies, const scree_shape *shape, int shapes,
                                         scree_error *err) {
    const scree_change change = {
        .body = body, .bodies = bodies, .shape = shape, .shapes = shapes
    };
    return change_bodies(simulation, &change, err);
}

scree_status scree_simulation_remove_bodies(scree_simulation *simulation, const int *body,
                                            int bodies, scree_error *err) {
    const scree_change change = { .gone = body, .gones = bodies };
    return change_bodies(simulation, &change, err);
}
