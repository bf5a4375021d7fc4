// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// program.c - what a program does to a simulation between its steps: forces, laws, states.
// in: what the program sets.   out: external work, exchange.

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "run/simulation.h"

// all forces of the program
static scree_status push(void *data, const scree_state *state, double *force, scree_error *err) {
    const scree_simulation *simulation = data;
    for (int i = 0; simulation->applied && i < simulation->model->dofs; i++)
        force[i] += simulation->applied[i];
    return simulation->force_fn ? simulation->force_fn(simulation->force_data, state, force, err)
                                : SCREE_OK;
}

scree_status scree_simulation_connect(scree_simulation *simulation, scree_integrator *integrator,
                                      scree_error *err) {
    const scree_integrator_row *row = integrator->row;
    if (row->interrupt) row->interrupt(integrator, simulation->interrupt);
    if (simulation->law_fn) row->set_laws(integrator, simulation->law_fn, simulation->law_data);
    bool any = simulation->applied || simulation->force_fn;
    return any ? row->set_forces(integrator, push, simulation, err) : SCREE_OK;
}

static scree_status set_push(scree_simulation *simulation, scree_error *err) {
    const scree_integrator_row *row = scree_simulation_row(simulation);
    bool any = simulation->applied || simulation->force_fn;
    if (!row->set_forces)
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                          "forces of a program are for steppers, not for %s", row->name);
    simulation->program |= any;
    return row->set_forces(simulation->integrator, any ? push : NULL, simulation, err);
}

// room for the forces that are set, all zero at first
static scree_status make_applied(scree_simulation *simulation, scree_error *err) {
    if (simulation->applied) return SCREE_OK;
    simulation->applied = calloc((size_t)simulation->model->dofs + 1, sizeof(double));
    return simulation->applied ? SCREE_OK : scree_fail_memory(err, NULL);
}

static scree_status check_force(const double *force, int count, scree_error *err) {
    for (int i = 0; i < count; i++)
        if (!isfinite(force[i]))
            return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                              "forces must be finite numbers, component %d is %g", i, force[i]);
    return SCREE_OK;
}

scree_status scree_simulation_set_force(scree_simulation *simulation, int body, const double *force,
                                        scree_error *err) {
    const scree_model *model = simulation->model;
    if (body < 0 || body >= model->bodies)
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                          "there is no body %d; bodies are counted from 0 to %d", body,
                          model->bodies - 1);
    size_t width = (size_t)model->body_dofs;
    scree_status status = check_force(force, model->body_dofs, err);
    if (!status) status = make_applied(simulation, err);
    if (status) return status;
    memcpy(simulation->applied + (size_t)body * width, force, width * sizeof *force);
    return set_push(simulation, err);
}

scree_status scree_simulation_set_load(scree_simulation *simulation, const double *load,
                                       scree_error *err) {
    if (!load) {
        free(simulation->applied);
        simulation->applied = NULL;
        return set_push(simulation, err);
    }
    scree_status status = check_force(load, simulation->model->dofs, err);
    if (!status) status = make_applied(simulation, err);
    if (status) return status;
    memcpy(simulation->applied, load, (size_t)simulation->model->dofs * sizeof *load);
    return set_push(simulation, err);
}

scree_status scree_simulation_set_forces(scree_simulation *simulation, scree_force_fn *force,
                                         void *data, scree_error *err) {
    simulation->force_fn = force;
    simulation->force_data = data;
    return set_push(simulation, err);
}

scree_status scree_simulation_set_laws(scree_simulation *simulation, scree_law_fn *law, void *data,
                                       scree_error *err) {
    const scree_integrator_row *row = scree_simulation_row(simulation);
    if (!row->set_laws)
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                          "laws of a program are for steppers, not for %s", row->name);
    simulation->program |= law != NULL;
    simulation->law_fn = law;
    simulation->law_data = data;
    row->set_laws(simulation->integrator, law, data);
    return SCREE_OK;
}

// numbers, and orientations that are some; those are made of unit length where they are not
static scree_status check_state(const scree_model *model, double *q, const double *v,
                                scree_error *err) {
    bool fine = true;
    for (int i = 0; fine && i < model->coordinates; i++) fine = isfinite(q[i]);
    for (int i = 0; fine && i < model->dofs; i++) fine = isfinite(v[i]);
    if (!fine)
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE, "a state must be of finite numbers");
    for (int i = 0; model->space == 3 && i < model->bodies; i++) {
        double *turn = q + (long)i * model->body_coordinates + 3, square = 0;
        for (int k = 0; k < 4; k++) square += turn[k] * turn[k];
        if (!(square > 0.25 && square < 4))
            return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                              "body \"%s\": its orientation must be a quaternion of length 1, it "
                              "has %g",
                              model->body[i].name, sqrt(square));
        for (int k = 0; fabs(square - 1) > 1e-12 && k < 4; k++) turn[k] /= sqrt(square);
    }
    return SCREE_OK;
}

scree_status scree_simulation_set_state(scree_simulation *simulation, const double *q,
                                        const double *v, scree_error *err) {
    const scree_integrator_row *row = scree_simulation_row(simulation);
    const scree_state *now = &simulation->state;
    const scree_model *model = simulation->model;
    double before = scree_simulation_energy(simulation);
    size_t places = (size_t)model->coordinates, dofs = (size_t)model->dofs;
    if (!row->energies)
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                          "the point of a sweeping process cannot be moved");
    double *copy = malloc((places + dofs + 1) * sizeof *copy);  // q and v may be those of the state
    if (!copy) return scree_fail_memory(err, NULL);
    memcpy(copy, q, places * sizeof *q);
    memcpy(copy + places, v, dofs * sizeof *v);
    const scree_state state = {
        .step = now->step, .time = now->time, .q = copy, .v = copy + places
    };
    scree_status status = check_state(model, copy, copy + places, err);
    if (!status) status = row->restore(simulation->integrator, &state, NULL, 0, err);
    free(copy);
    if (status) return status;
    simulation->program = true;
    simulation->account.ledger = row->ledger(simulation->integrator);
    simulation->exchange += scree_simulation_energy(simulation) - before;
    scree_simulation_show(simulation);
    return SCREE_OK;
}
