// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// rain.c - bodies that come and go: a drop every 0.1 s, and those that have come to rest are taken
// away; what they bring and take is booked, and the second half is stored.
// prints: 20 drops came, [0-9]+ went. they brought [0-9.-]+ J. rain.h5 has 1001 steps

#include <math.h>
#include <scree/scree.h>
#include <stdio.h>

static scree_status let_fall(scree_simulation *simulation, int number, scree_error *err) {
    char name[16];
    snprintf(name, sizeof name, "drop %d", number);
    const scree_body drop = {
        .name = name, .mass = 1, .inertia = 4e-3, .position = { 0.3 * (number % 5), 1.1 }
    };
    const scree_shape disc = { .kind = SCREE_DISC, .body = 0, .radius = 0.1 };
    return scree_simulation_add_bodies(simulation, &drop, 1, &disc, 1, err);
}

static scree_status take_away(scree_simulation *simulation, bool *there, int *gone,
                              scree_error *err) {
    const scree_state *state = scree_simulation_state(simulation);
    for (int i = 1; i < scree_simulation_model(simulation)->bodies; i++) {
        const double *q = state->q + 3 * i, *v = state->v + 3 * i;
        if (!there[i] || q[1] > 0.101 || fabs(v[1]) > 1e-3) continue;
        scree_status status = scree_simulation_remove_bodies(simulation, &i, 1, err);
        if (status) return status;
        there[i] = false;
        ++*gone;
    }
    return SCREE_OK;
}

int main(void) {
    enum { DROPS = 20, STEPS = 100 };
    scree_error err = { 0 };
    bool there[DROPS + 1] = { false };
    int gone = 0;
    scree_model *model = scree_model_new();
    scree_model_set_gravity(model, 0, -9.81, 0);
    const scree_body ground = { .name = "ground", .fixed = true };
    const scree_shape plane = { .kind = SCREE_HALF_PLANE, .body = 0, .normal = { 0, 1 } };
    scree_run_options options = scree_run_options_default();
    options.scheme.step = 1e-3;
    options.duration = 3;
    scree_simulation *simulation = NULL;
    scree_status status = scree_model_add_body(model, &ground, &err);
    if (!status) status = scree_model_add_shape(model, &plane, &err);
    if (!status) status = scree_model_finish(model, &err);
    if (!status) status = scree_simulation_new(model, &options, &simulation, &err);
    for (int k = 0; !status && k < DROPS * STEPS; k++) {
        if (k % STEPS == 0) status = let_fall(simulation, k / STEPS, &err);
        if (k % STEPS == 0) there[k / STEPS + 1] = true;
        if (!status) status = scree_simulation_step(simulation, &err);
        if (!status) status = take_away(simulation, there, &gone, &err);
    }
    if (!status)
        status = scree_run(simulation, &(scree_run_request){ .path = "rain.h5" }, NULL, &err);
    scree_run_reader *reader = NULL;
    if (!status) status = scree_run_reader_open("rain.h5", &reader, &err);
    if (status) return fprintf(stderr, "%s\n", err.text), 1;
    printf("%d drops came, %d went; they brought %.3f J; rain.h5 has %lld steps\n", DROPS, gone,
           scree_simulation_totals(simulation)->exchange, (long long)reader->steps);
    scree_run_reader_close(reader);
    scree_simulation_free(simulation);
    scree_model_free(model);
    return 0;
}
