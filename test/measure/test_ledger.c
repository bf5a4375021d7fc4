// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// test_ledger.c - the bound is no decoration: a step that is wrong by a little is found out; and
// what a velocity tolerance can give is no more than the theorem's bound, which is attained.

#include <stdlib.h>
#include <string.h>

#include "harness.h"
#include "scree/simulation.h"
#include "simulation_text.h"

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
    const scree_refusal *refusal = scree_simulation_refusal(simulation);
    CHECK(refusal && refusal->reason == SCREE_REFUSED_LEDGER && refusal->step == 1);
    CHECK(scree_simulation_verdict(simulation) == SCREE_RUN_REFUSED);
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

typedef struct press {
    double u, e, theta, tolerance;
    scree_impact impact;
    scree_approach approach;
} press;

// a unit mass on the ground, pressed down with 1000 N, that separates with a velocity u
static scree_simulation *pressed(const press *p, scree_model **model) {
    scree_error err = { 0 };
    const double nothing = 0;
    const scree_function load = { .constant = -1000 };
    const scree_system system = {
        .coordinates = 1, .mass = &one, .load = &load, .position = &nothing, .velocity = &p->u
    };
    const scree_matrix_contact ground = { .name = "ground",
                                          .normal = &one,
                                          .law = { .restitution = p->e, .impact = p->impact } };
    scree_run_options options = scree_run_options_default();
    scree_simulation *simulation = NULL;
    options.scheme.step = 1e-2;
    options.scheme.theta = p->theta;
    options.scheme.approach = p->approach;
    options.scheme.gap_tolerance = 1e-3;
    options.scheme.velocity_tolerance = p->tolerance;
    options.duration = 1;
    *model = scree_model_new();
    CHECK_INT(scree_model_set_system(*model, &system, &err), SCREE_OK);
    CHECK_INT(scree_model_add_matrix_contact(*model, &ground, &err), SCREE_OK);
    CHECK_INT(scree_model_finish(*model, &err), SCREE_OK);
    CHECK_INT(scree_simulation_new(*model, &options, &simulation, &err), SCREE_OK);
    return simulation;
}

// (1 - theta (1+e)) delta p_N with Newton's law, attained at u_N = delta, otherwise nothing
static void press_down(press p, double part) {
    scree_error err = { 0 };
    scree_model *model;
    p.u = part * p.tolerance;
    scree_simulation *simulation = pressed(&p, &model);
    bool newton = p.impact == SCREE_IMPACT_NEWTON && p.approach == SCREE_APPROACH_REQUIRED;
    double share = newton ? 1 - p.theta * (1 + p.e) : 0;
    CHECK_INT(scree_simulation_step(simulation, &err), SCREE_OK);
    const scree_account *account = scree_simulation_account(simulation);
    double p_N = scree_simulation_record(simulation)->contact->impulse[0];
    CHECK(p_N > 5);
    CHECK_NEAR(account->ledger.contact_normal_work, part * share * p.tolerance * p_N, 1e-9);
    CHECK((account->energy_created > 0) == (part * share > 1e-12));
    CHECK(scree_simulation_theorem(simulation).holds == !(share > 1e-12));
    scree_simulation_free(simulation);
    scree_model_free(model);
}

static void tolerance_gives_what_its_bound_says(void) {
    for (int k = 0; k < 108; k++) {
        double e = (k % 3) / 2., most = 1 / (1 + e);
        press p = { .e = e,
                    .theta = 0.5 + (k / 3 % 3) / 2. * (most - 0.5),
                    .tolerance = 1e-2,
                    .impact = k / 9 % 2 ? SCREE_IMPACT_NEWTON : SCREE_IMPACT_FREMOND,
                    .approach = k / 18 % 2 ? SCREE_APPROACH_REQUIRED : SCREE_APPROACH_KEPT };
        press_down(p, 0.5 * (k / 36));
    }
}

/// Faster than the tolerance a contact is not there.
static void nothing_beyond_the_tolerance(void) {
    scree_error err = { 0 };
    scree_model *model;
    press p = { 1e-2, 0, 0.5, 0.99e-2, SCREE_IMPACT_FREMOND, SCREE_APPROACH_REQUIRED };
    scree_simulation *simulation = pressed(&p, &model);
    CHECK_INT(scree_simulation_step(simulation, &err), SCREE_OK);
    CHECK(scree_simulation_record(simulation)->active == 0);
    scree_simulation_free(simulation);
    scree_model_free(model);
}

/// A contact's works are with the theta of its island, if it has one, and not with the scheme's.
static void contacts_have_a_theta_of_their_own(void) {
    scree_contact contact = {
        .u_before = { -2, -1 }, .u_after = { 1, 0.5 }, .impulse = { 3, 2 }, .velocity_scale = 1
    };
    for (int k = 0; k < 3; k++) {
        const double own[] = { 0, 0.5, 1 }, used[] = { 0.75, 0.5, 1 };
        contact.theta = own[k];
        double normal = 3 * (-2 + 3 * used[k]), tangential = 2 * (-1 + 1.5 * used[k]);
        scree_contact_work work = scree_ledger_contact(&contact, 2, 0.75, 1e-10);
        CHECK_NEAR(work.normal, normal, 1e-14);
        CHECK_NEAR(work.tangential, tangential, 1e-14);
    }
}

/// What the natural map of a contact leaves explains a work of it, of one that was solved, and no
/// more than that; what is explained is told, too.
static void residual_explains_works(void) {
    const struct {
        double s, u;  // of the problem, of the record
        bool solved, created;
    } row[] = { { 1e-4, 1e-4, true, false }, { 1e-4, 2.1e-4, true, true },
                { 1e-6, 1e-4, true, true },  { 1e-4, 1e-4, false, true },
                { 0, 1e-9, true, false },  // slack of the activation rule
                { 0, 1e-8, true, true } };
    scree_error err = { 0 };
    scree_model *model = oscillator((scree_function){ .constant = 1 });
    scree_simulation *simulation = start(model);
    CHECK_INT(scree_simulation_step(simulation, &err), SCREE_OK);
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        int rows[] = { 0, 1 }, zero = 0;
        double scratch[3], W[4] = { 1, 0, 0, 1 }, b[2] = { row[i].s - 1, 0 }, mu = 0;
        scree_step_record record = *scree_simulation_record(simulation);
        scree_contact contact[2] = { { .status = SCREE_CONTACT_INACTIVE },
                                     { .status = SCREE_CONTACT_STICK,
                                       .impulse = { 1 },
                                       .u_before = { row[i].u },
                                       .u_after = { row[i].u },
                                       .velocity_scale = 1 } };
        scree_account account = { 0 };
        record.contact = contact;
        record.contacts = 2;
        record.active = 1;
        record.report.converged = row[i].solved;
        record.problem = (scree_problem){ .dimension = 2,
                                          .contacts = 1,
                                          .row = rows,
                                          .column = &zero,
                                          .diagonal = &zero,
                                          .block = W,
                                          .b = b,
                                          .mu = &mu };
        scree_account_step(model, 0.5, 1e-6, &record, &account, scratch);
        CHECK_NEAR(account.energy_created, row[i].created ? row[i].u : 0, 1e-18);
        CHECK_NEAR(account.energy_tolerated, row[i].created ? 0 : row[i].u, 1e-18);
    }
    scree_simulation_free(simulation);
    scree_model_free(model);
}

/// What a step after an impact leaves open in a joint, a share of velocities that are gone by then,
/// the next one takes back: a work that its own residual does not explain, and no energy that a law
/// creates. More than that is.
static void joints_close_what_was_left_open(void) {
    static const char scene[] =
        "space: 2\n"
        "bodies:\n"
        "  - {name: a, mass: 1, inertia: 0.01, position: [-1, 0], velocity: [0, -10], spin: 10,\n"
        "     shapes: [{type: disc, radius: 0.1}]}\n"
        "  - {name: b, mass: 1, inertia: 0.01, position: [1, 0], velocity: [0, 10], spin: 10,\n"
        "     shapes: [{type: disc, radius: 0.1}]}\n"
        "joints: [{name: j, type: fixed, bodies: [a, b], at: [0, 0]}]\n"
        "scheme: {step: 1e-4, duration: 1}\n"
        "solver: {tolerance: 1e-12}\n";
    scree_error err = { 0 };
    scree_simulation *simulation = open_text(scene, NULL, 0);
    if (!simulation) return;
    CHECK_INT(scree_simulation_step(simulation, &err), SCREE_OK);
    const scree_model *model = scree_simulation_model(simulation);
    scree_step_record record = *scree_simulation_record(simulation);
    CHECK(record.contacts > 0 && record.contacts == record.active);
    scree_contact *contact = calloc((size_t)record.contacts, sizeof *contact);
    double *scratch = calloc((size_t)(3 * model->dofs), sizeof *scratch);
    for (int turn = 0; turn < 2; turn++) {
        double open = turn ? 1e-3 : 1e-6, work = 0;  // of 10 m/s
        scree_account account = { 0 };
        memcpy(contact, record.contact, (size_t)record.contacts * sizeof *contact);
        for (int k = 0; k < 2; k++) {
            double p = contact[0].impulse[k];
            contact[0].u_before[k] = contact[0].u_after[k] = p > 0 ? open : -open;
            work += fabs(p) * open;
        }
        record.contact = contact;
        scree_account_step(model, 0.5, 1e-6, &record, &account, scratch);
        CHECK(work > 1e-10);
        CHECK_NEAR(account.energy_created, turn ? work : 0, 1e-3 * work);
        CHECK_NEAR(account.energy_tolerated, turn ? 0 : work, 1e-3 * work);
        record.contact = scree_simulation_record(simulation)->contact;
    }
    free(contact), free(scratch);
    scree_simulation_free(simulation);
}

TEST_FILE(test_ledger) {
    TEST(joints_close_what_was_left_open);
    TEST(residual_explains_works);
    TEST(contacts_have_a_theta_of_their_own);
    TEST(run_with_a_broken_ledger_fails);
    TEST(changed_velocity_is_found);
    TEST(tolerance_gives_what_its_bound_says);
    TEST(nothing_beyond_the_tolerance);
    return harness_end();
}
