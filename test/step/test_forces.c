// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// test_forces.c - forces of a program: set per step, computed from the state; states that are set.
// The ledger closes to rounding with all of them (a step that it does not close in is an error).

#include <math.h>

#include "harness.h"
#include "scree/scree.h"

static scree_model *two_discs(void) {
    scree_error err = { 0 };
    scree_model *model = scree_model_new();
    const scree_body ball = { .name = "ball", .mass = 2, .inertia = 0.5, .position = { 1, 0 } },
                     wall = { .name = "wall", .fixed = true };
    CHECK(scree_model_add_body(model, &ball, &err) == SCREE_OK);
    CHECK(scree_model_add_body(model, &wall, &err) == SCREE_OK);
    CHECK(scree_model_finish(model, &err) == SCREE_OK);
    return model;
}

static scree_simulation *simulate(const scree_model *model, double h, double theta) {
    scree_error err = { 0 };
    scree_run_options options = scree_run_options_default();
    scree_simulation *simulation = NULL;
    options.scheme.step = h;
    options.scheme.theta = theta;
    options.duration = 1;
    CHECK(scree_simulation_new(model, &options, &simulation, &err) == SCREE_OK);
    return simulation;
}

static void run(scree_simulation *simulation) {
    scree_error err = { 0 };
    while (scree_simulation_left(simulation) > 0) {
        scree_status status = scree_simulation_step(simulation, &err);
        if (status) COMPLAIN("status %d: %s", (int)status, err.text);
        if (status) return;
    }
}

// a constant push and torque: m v = F t, and what they did is the energy that is there
static void a_push(void) {
    scree_model *model = two_discs();
    scree_error err = { 0 };
    for (double theta = 0.5; theta <= 1; theta += 0.25) {
        scree_simulation *simulation = simulate(model, 0.01, theta);
        CHECK(scree_simulation_set_force(simulation, 0, (double[]){ 3, -1, 0.5 }, &err) == 0);
        CHECK(scree_simulation_set_force(simulation, 1, (double[]){ 9, 9, 9 }, &err) == 0);
        CHECK(scree_simulation_set_force(simulation, 2, (double[]){ 9, 9, 9 }, &err) != 0);
        run(simulation);
        const double *v = scree_simulation_state(simulation)->v;
        CHECK_NEAR(v[0], 1.5, 1e-12);
        CHECK_NEAR(v[1], -0.5, 1e-12);
        CHECK_NEAR(v[2], 1, 1e-12);
        const scree_totals *totals = scree_simulation_totals(simulation);
        CHECK_NEAR(totals->external_work + totals->numerical_dissipation,
                   scree_simulation_energy(simulation), 1e-12);
        scree_simulation_free(simulation);
    }
    scree_model_free(model);
}

static scree_status spring(void *data, const scree_state *state, double *force, scree_error *err) {
    (void)err;
    int *asked = data;
    ++*asked;
    force[0] -= 2 * state->q[0] + 0.4 * state->v[0];  // k = 2, c = 0.4
    return SCREE_OK;
}

// A damped oscillator by a callback that sees q and v: x'' = -x - 0.2 x', first order in h; it is
// asked once a step.
static void an_oscillator(void) {
    scree_model *model = two_discs();
    scree_error err = { 0 };
    double w = sqrt(0.99), exact = exp(-0.1) * (cos(w) + 0.1 / w * sin(w)), last = 0;
    for (int steps = 100; steps <= 400; steps *= 2) {
        int asked = 0;
        scree_simulation *simulation = simulate(model, 1.0 / steps, 0.5);
        CHECK(scree_simulation_set_forces(simulation, spring, &asked, &err) == SCREE_OK);
        run(simulation);
        double miss = fabs(scree_simulation_state(simulation)->q[0] - exact);
        CHECK(asked == steps);
        if (last > 0) CHECK(miss < 0.6 * last && miss > 0.4 * last);
        last = miss;
        scree_simulation_free(simulation);
    }
    CHECK(last < 2e-3);
    scree_model_free(model);
}

static scree_status refuse(void *data, const scree_state *state, double *force, scree_error *err) {
    (void)force;
    if (state->step < *(int *)data) return SCREE_OK;
    return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE, "no more");
}

static scree_status nonsense(void *data, const scree_state *state, double *force,
                             scree_error *err) {
    (void)data;
    (void)state;
    (void)err;
    force[1] = NAN;
    return SCREE_OK;
}

// what a callback refuses is not taken, and another force goes on from there
static void refusals(void) {
    scree_model *model = two_discs();
    scree_simulation *simulation = simulate(model, 0.1, 0.5);
    scree_error err = { 0 };
    int most = 3;
    CHECK(scree_simulation_set_forces(simulation, refuse, &most, &err) == SCREE_OK);
    for (int k = 0; k < 3; k++) CHECK(scree_simulation_step(simulation, &err) == SCREE_OK);
    CHECK(scree_simulation_step(simulation, &err) == SCREE_BAD_INPUT);
    CHECK(strcmp(err.text, "no more") == 0);
    CHECK(scree_simulation_state(simulation)->step == 3);
    CHECK(scree_simulation_set_forces(simulation, nonsense, NULL, &err) == SCREE_OK);
    CHECK(scree_simulation_step(simulation, &err) == SCREE_BAD_INPUT);
    CHECK(strstr(err.text, "the force on ball, component 1, is not finite"));
    CHECK(scree_simulation_set_forces(simulation, NULL, NULL, &err) == SCREE_OK);
    run(simulation);
    CHECK(scree_simulation_state(simulation)->v[0] == 0);
    scree_simulation_free(simulation);
    scree_model_free(model);
}

// a state that is set brings its energy as exchange, once
static void a_set_state(void) {
    scree_model *model = two_discs();
    scree_simulation *simulation = simulate(model, 0.1, 0.5);
    scree_error err = { 0 };
    double q[6], v[6] = { 3, 4, 0 };
    CHECK(scree_simulation_step(simulation, &err) == SCREE_OK);
    memcpy(q, scree_simulation_state(simulation)->q, sizeof q);
    CHECK(scree_simulation_set_state(simulation, q, v, &err) == SCREE_OK);
    CHECK_NEAR(scree_simulation_energy(simulation), 25, 1e-13);
    CHECK(scree_simulation_step(simulation, &err) == SCREE_OK);
    CHECK_NEAR(scree_simulation_ledger(simulation)->exchange, 25, 1e-13);
    CHECK(scree_simulation_step(simulation, &err) == SCREE_OK);
    CHECK(scree_simulation_ledger(simulation)->exchange == 0);
    CHECK_NEAR(scree_simulation_totals(simulation)->exchange, 25, 1e-13);
    scree_simulation_free(simulation);
    scree_model_free(model);
}

// drag by a formula of a scene: v = exp(-t), first order; and what is wrong has its place
static void formulas(void) {
    static const char good[] =
        "bodies:\n  - {name: ball, mass: 2, inertia: 1, velocity: [1, 0], spin: 3, group: g}\n"
        "forces:\n  - {bodies: [g], force: [\"-2*x'\", \"-2*y'\", \"-angle'\"]}\n"
        "scheme: {step: 1e-3, duration: 1}\n";
    static const char bad[] =
        "bodies:\n  - {name: ball, mass: 2, inertia: 1}\n"
        "forces:\n  - {bodies: [boll], force: [\"x\", 0]}\n"
        "scheme: {step: 1e-3, duration: 1}\n";
    scree_findings findings = { 0 };
    scree_simulation *simulation =
        scree_simulation_parse("good", good, sizeof good - 1, NULL, 0, &findings);
    CHECK(simulation && findings.count == 0);
    run(simulation);
    const double *v = scree_simulation_state(simulation)->v;
    CHECK_NEAR(v[0], exp(-1), 5e-4);
    CHECK_NEAR(v[2], 3 * exp(-1), 2e-3);
    const scree_totals *totals = scree_simulation_totals(simulation);
    CHECK_NEAR(scree_simulation_energy(simulation) - 5.5,
               totals->external_work + totals->numerical_dissipation, 1e-12);
    scree_simulation_free(simulation);
    CHECK(!scree_simulation_parse("bad", bad, sizeof bad - 1, NULL, 0, &findings));
    CHECK(findings.count == 1 && findings.item[0].line == 4);
    scree_findings_free(&findings);
}

TEST_FILE(test_forces) {
    TEST(formulas);
    TEST(a_push);
    TEST(an_oscillator);
    TEST(refusals);
    TEST(a_set_state);
    return harness_end();
}
