// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// elastic_run.h - models with elastic bodies, built and run; what is refused is complained about.

#ifndef SCREE_TEST_STEP_ELASTIC_RUN_H
#define SCREE_TEST_STEP_ELASTIC_RUN_H

#include "scree/simulation.h"
#include "step/elastic_mesh.h"

static inline scree_model *new_model(int space) {
    scree_error err = { 0 };
    scree_model *model = scree_model_new();
    if (scree_model_set_space(model, space, &err)) COMPLAIN("refused: %s", err.text);
    return model;
}

/// A body that does not move, with a flat side through the point at.
static inline void add_ground(scree_model *model, const double normal[3], const double at[3]) {
    scree_error err = { 0 };
    scree_body body = { .name = "ground", .fixed = true };
    scree_shape shape = { .kind = model->space == 2 ? SCREE_HALF_PLANE : SCREE_PLANE,
                          .body = model->bodies };
    memcpy(shape.normal, normal, sizeof shape.normal);
    memcpy(shape.at, at, sizeof shape.at);
    scree_status status = scree_model_add_body(model, &body, &err);
    if (!status) status = scree_model_add_shape(model, &shape, &err);
    if (status) COMPLAIN("refused: %s", err.text);
}

/// A disc or a ball of uniform density.
static inline void add_ball(scree_model *model, double mass, double radius, const double at[3],
                            const double velocity[3]) {
    scree_error err = { 0 };
    double inertia = (model->space == 2 ? 0.5 : 0.4) * mass * radius * radius;
    scree_body body = { .name = "ball", .mass = mass, .inertia = inertia };
    scree_shape shape = { .kind = model->space == 2 ? SCREE_DISC : SCREE_SPHERE,
                          .body = model->bodies,
                          .radius = radius };
    body.tensor[0] = body.tensor[3] = body.tensor[5] = inertia;
    memcpy(body.position, at, sizeof body.position);
    memcpy(body.velocity, velocity, sizeof body.velocity);
    scree_status status = scree_model_add_body(model, &body, &err);
    if (!status) status = scree_model_add_shape(model, &shape, &err);
    if (status) COMPLAIN("refused: %s", err.text);
}

/// Add the body, which touches nothing of its own; touching is the group that can touch, or NULL.
static inline void add_elastic(scree_model *model, scree_elastic elastic, const char *touching) {
    scree_error err = { 0 };
    int group = touching ? scree_mesh_find(elastic.mesh, touching) : 0;
    if (!elastic.name) elastic.name = "elastic";
    elastic.self_nodes = elastic.self_facets = -1;
    elastic.contact_groups = touching ? 1 : 0;
    elastic.contact_group = &group;
    if (scree_model_add_elastic(model, &elastic, &err)) COMPLAIN("refused: %s", err.text);
}

static inline void finish(scree_model *model, scree_law law) {
    scree_error err = { 0 };
    scree_status status = scree_model_add_law(model, -1, -1, law, &err);
    if (!status) status = scree_model_finish(model, &err);
    if (status) COMPLAIN("refused: %s", err.text);
}

static inline scree_run_options options_of(double theta, double step) {
    scree_run_options options = scree_run_options_default();
    options.scheme.theta = theta;
    options.scheme.step = step;
    options.duration = 1e6 * step;
    return options;
}

static inline scree_simulation *begin(const scree_model *model, const scree_run_options *options) {
    scree_error err = { 0 };
    scree_simulation *simulation = NULL;
    if (scree_simulation_new(model, options, &simulation, &err)) COMPLAIN("refused: %s", err.text);
    return simulation;
}

static inline bool advance(scree_simulation *simulation, int steps) {
    scree_error err = { 0 };
    for (int k = 0; simulation && k < steps; k++)
        if (scree_simulation_step(simulation, &err)) {
            COMPLAIN("step: %s", err.text);
            return false;
        }
    return simulation != NULL;
}

/// Begin where q and v of the one elastic body say.
static inline void put(scree_simulation *simulation, const double *q, const double *v) {
    scree_error err = { 0 };
    const scree_model *model = scree_simulation_model(simulation);
    const scree_elastic_body *body = &model->elastic[0];
    const scree_state *now = scree_simulation_state(simulation);
    scree_state state = { .q = malloc(sizeof *q * (size_t)model->coordinates),
                          .v = malloc(sizeof *v * (size_t)model->dofs) };
    scree_totals none = scree_totals_none();
    memcpy(state.q, now->q, sizeof *q * (size_t)model->coordinates);
    memcpy(state.v, now->v, sizeof *v * (size_t)model->dofs);
    memcpy(state.q + body->coordinate, q, sizeof *q * (size_t)body->count);
    memcpy(state.v + body->dof, v, sizeof *v * (size_t)body->count);
    if (scree_simulation_restore(simulation, &state, NULL, 0, &none, &err))
        COMPLAIN("refused: %s", err.text);
    free(state.q);
    free(state.v);
}

/// Impulses on the elastic body (side a of its contacts) in the last step: the normal parts.
static inline double pushed(const scree_simulation *simulation) {
    const scree_step_record *record = scree_simulation_record(simulation);
    double sum = 0;
    for (int c = 0; c < record->contacts; c++) sum += record->contact[c].impulse[0];
    return sum;
}

static inline void drop(scree_simulation *simulation, scree_model *model, scree_mesh *mesh) {
    scree_simulation_free(simulation);
    scree_model_free(model);
    scree_mesh_free(mesh);
}

#endif
