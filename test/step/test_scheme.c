// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// test_scheme.c - schemes that the library does not know, each by one row of numbers and rules.

#include "harness.h"
#include "scree/scree.h"

enum { STEPS = 64 };
static const double h = 1.0 / STEPS, rise = 3;

// A mass on a floor that rises as a t^2/2, and a spring in the other coordinate; the whole run is
// a row of the caller.
static double floor_at(const void *self, double t, double *rate) {
    (void)self;
    *rate = -rise * t;
    return -rise * t * t / 2;
}

static scree_model *make_model(double restitution) {
    const double mass[] = { 2, 0, 0, 1 }, stiffness[] = { 0, 0, 0, 40 }, damping[] = { 0, 0, 0, 1 };
    const double q[] = { 0, 0.5 }, v[] = { 0, 1 }, normal[] = { 1, 0 };
    const scree_system system = { .coordinates = 2,
                                  .mass = mass,
                                  .stiffness = stiffness,
                                  .damping = damping,
                                  .position = q,
                                  .velocity = v };
    const scree_matrix_contact contact = { .name = "floor",
                                           .normal = normal,
                                           .offset = { .at = floor_at },
                                           .law = { .restitution = restitution } };
    scree_error err = { 0 };
    scree_model *model = scree_model_new();
    CHECK_INT(scree_model_set_system(model, &system, &err), SCREE_OK);
    CHECK_INT(scree_model_add_matrix_contact(model, &contact, &err), SCREE_OK);
    CHECK_INT(scree_model_finish(model, &err), SCREE_OK);
    return model;
}

static scree_run_options options_of(const scree_scheme_row *row, double theta) {
    scree_run_options options = scree_run_options_default();
    options.scheme.row = row;
    options.scheme.theta = theta;
    options.scheme.step = h;
    options.duration = 1;
    return options;
}

// the run of a row to its end; every step closes its ledger or is refused
static scree_simulation *run(const scree_model *model, const scree_scheme_row *row, double theta) {
    const scree_run_options options = options_of(row, theta);
    scree_simulation *simulation = NULL;
    scree_error err = { 0 };
    scree_status status = scree_simulation_new(model, &options, &simulation, &err);
    while (!status && scree_simulation_left(simulation) > 0)
        status = scree_simulation_step(simulation, &err);
    if (status) COMPLAIN("%s", err.text);
    return simulation;
}

// contacts that are closed at the start of a step, obstacles at a quarter of it: v' = a (t + h/4)
static void obstacle_where_the_row_says(void) {
    const scree_scheme_row quarter = { .name = "quarter",
                                       .alpha = NAN,
                                       .theta_min = 0.5,
                                       .theta_max = 0.75,
                                       .rules_fixed = true,
                                       .activation = SCREE_ACTIVATE_CLOSED,
                                       .approach = SCREE_APPROACH_IGNORED,
                                       .jacobian = SCREE_JACOBIAN_START,
                                       .impact = SCREE_IMPACT_NEWTON,
                                       .obstacle_at = 0.25,
                                       .steps = true };
    scree_model *model = make_model(0);
    scree_simulation *simulation = run(model, &quarter, 0.75);
    if (simulation)
        CHECK_NEAR(scree_simulation_state(simulation)->v[0], rise * (1 - 0.75 * h), 1e-12);
    scree_simulation_free(simulation);

    scree_error err = { 0 };
    scree_run_options options = options_of(&quarter, 1);
    CHECK_INT(scree_simulation_new(model, &options, &simulation, &err), SCREE_BAD_INPUT);
    CHECK(strstr(err.text, "quarter takes other theta than 1") != NULL);
    options.scheme.theta = 0.5;
    scree_theorem theorem = scree_ledger_theorem(model, &options.scheme);
    CHECK(!theorem.holds && strncmp(theorem.reason, "quarter takes contacts", 22) == 0);
    scree_model_free(model);
}

// M (v' - v) + h C v_alpha + h K q_theta = 0, q' = q + h v_alpha for any alpha, and the identity
// dE = -h v_alpha.C v_alpha + (1/2 - alpha)|v' - v|_M^2 + (1/2 - theta)|q' - q|_K^2 beside contacts
static void any_alpha_balances(void) {
    scree_model *model = make_model(0);
    for (int k = 0; k < 4; k++) {
        const double alpha = 0.5 + k / 6.0, theta = 1 - k / 6.0;
        const scree_scheme_row row = { .name = "between",
                                       .alpha = alpha,
                                       .theta_min = 0.5,
                                       .theta_max = 1,
                                       .impact = SCREE_IMPACT_NEWTON,
                                       .obstacle_at = 1,
                                       .inelastic = true,
                                       .steps = true };
        scree_simulation *simulation = run(model, &row, theta);
        if (!simulation) continue;
        const scree_step_record *record = scree_simulation_record(simulation);
        const scree_state *before = &record->before, *after = &record->after;
        double mean = (1 - alpha) * before->v[1] + alpha * after->v[1];
        double spring = 40 * ((1 - theta) * before->q[1] + theta * after->q[1]);
        CHECK_NEAR(after->q[1], before->q[1] + h * mean, 1e-15);
        CHECK_NEAR(after->v[1] - before->v[1] + h * mean + h * spring, 0, 1e-13);
        CHECK(scree_simulation_totals(simulation)->residual_over_bound_max < 1);
        CHECK(scree_simulation_totals(simulation)->contacts_solved > 0);
        scree_simulation_free(simulation);
    }
    scree_model_free(model);
}

static void refusals_name_the_row(void) {
    const scree_scheme_row soft = { .name = "soft",
                                    .alpha = 1,
                                    .theta_min = 0.5,
                                    .theta_max = 1,
                                    .impact = SCREE_IMPACT_NEWTON,
                                    .obstacle_at = 1,
                                    .inelastic = true,
                                    .steps = true };
    scree_model *model = make_model(0.5);
    const scree_run_options options = options_of(&soft, 0.5);
    scree_simulation *simulation = NULL;
    scree_error err = { 0 };
    CHECK_INT(scree_simulation_new(model, &options, &simulation, &err), SCREE_BAD_INPUT);
    CHECK_TEXT(err.text, "contact floor: soft has no restitution, got 0.5; moreau-jean has");
    scree_model_free(model);
}

TEST_FILE(test_scheme) {
    TEST(obstacle_where_the_row_says);
    TEST(any_alpha_balances);
    TEST(refusals_name_the_row);
    return harness_end();
}
