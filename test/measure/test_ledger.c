// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// test_ledger.c - the bound is no decoration: a step that is wrong by a little is found out.

#include "harness.h"
#include "scree/simulation.h"

static const double one = 1;

/// A load that is not a function of time: every look at it gives a little more.
static double fickle(const void *self, double t, double *rate) {
    double *value = *(double *const *)self;
    (void)t;
    *rate = 0;
    return *value += 1e-9;
}

static scree_model *oscillator(scree_function load) {
    scree_model *model = scree_model_new();
    scree_error err = { 0 };
    scree_system system = { .coordinates = 1,
                            .mass = &one,
                            .stiffness = &one,
                            .load = &load,
                            .position = &one,
                            .velocity = &one };
    CHECK_INT(scree_model_set_system(model, &system, &err), SCREE_OK);
    CHECK_INT(scree_model_finish(model, &err), SCREE_OK);
    return model;
}

static scree_simulation *start(const scree_model *model) {
    scree_run_options options = scree_run_options_default();
    scree_simulation *simulation = NULL;
    scree_error err = { 0 };
    options.scheme.step = 1e-2;
    options.duration = 1;
    CHECK_INT(scree_simulation_new(model, &options, &simulation, &err), SCREE_OK);
    return simulation;
}

static void run_with_a_broken_ledger_fails(void) {
    double value = 1;
    double *const pointer = &value;
    scree_error err = { 0 };
    scree_model *model = oscillator((scree_function){ .at = fickle, .self = &pointer });
    scree_simulation *simulation = start(model);
    // the step and its ledger saw loads that differ by 2e-9: no rounding
    CHECK_INT(scree_simulation_step(simulation, &err), SCREE_LEDGER_BROKEN);
    CHECK(strstr(err.text, "step 1") && strstr(err.text, "ledger"));
    CHECK(scree_simulation_totals(simulation)->residual_over_bound_max > 1);
    scree_simulation_free(simulation);
    scree_model_free(model);
}

static void changed_velocity_is_found(void) {
    scree_error err = { 0 };
    scree_model *model = oscillator((scree_function){ .constant = 1 });
    scree_simulation *simulation = start(model);
    scree_ledger before = *scree_simulation_ledger(simulation);
    CHECK_INT(scree_simulation_step(simulation, &err), SCREE_OK);
    scree_step_record record = *scree_simulation_record(simulation);
    double scratch[3], v = record.after.v[0];

    scree_ledger honest = before;
    scree_ledger_step(model, 0.5, &record, &honest, scratch);
    CHECK(fabs(honest.residual) <= honest.bound && honest.bound < 1e-13);
    for (double error = 1e-13; error < 1; error *= 100) {
        scree_ledger ledger = before;
        double wrong = v + error;
        record.after.v = &wrong;
        scree_ledger_step(model, 0.5, &record, &ledger, scratch);
        CHECK(fabs(ledger.residual) > ledger.bound);
    }
    scree_simulation_free(simulation);
    scree_model_free(model);
}

TEST_FILE(test_ledger) {
    TEST(run_with_a_broken_ledger_fails);
    TEST(changed_velocity_is_found);
    return harness_end();
}
