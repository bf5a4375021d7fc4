// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// Laws beyond restitution and friction, on one ball or block, against closed forms.

#include <math.h>
#include <string.h>

#include "harness.h"
#include "scree/fem.h"
#include "scree/simulation.h"

// a ball (or a box) of mass 1 and size 1 on a plane, with a law and gravity
static scree_simulation *on_plane(scree_model **model, bool box, const double gravity[3],
                                  const double velocity[3], const double spin[3], scree_law law,
                                  scree_scheme scheme, double theta, double h, int steps) {
    scree_error err = { 0 };
    *model = scree_model_new();
    scree_body ground = { .name = "ground", .fixed = true };
    scree_shape plane = { .kind = SCREE_PLANE, .normal = { 0, 0, 1 } };
    double inertia = box ? 1. / 6 : 0.4;
    scree_body body = { .name = "body",
                        .mass = 1,
                        .tensor = { inertia, 0, 0, inertia, 0, inertia },
                        .position = { 0, 0, box ? 0.5 : 1 } };
    memcpy(body.velocity, velocity, sizeof body.velocity);
    memcpy(body.angular, spin, sizeof body.angular);
    scree_shape shape = { .kind = box ? SCREE_BOX : SCREE_SPHERE,
                          .body = 1,
                          .radius = box ? 0 : 1,
                          .size = { 1, 1, 1 } };
    CHECK(!scree_model_set_space(*model, 3, &err));
    scree_model_set_gravity(*model, gravity[0], gravity[1], gravity[2]);
    CHECK(!scree_model_add_body(*model, &ground, &err) &&
          !scree_model_add_shape(*model, &plane, &err) &&
          !scree_model_add_body(*model, &body, &err) &&
          !scree_model_add_shape(*model, &shape, &err) &&
          !scree_model_add_law(*model, -1, -1, law, &err) && !scree_model_finish(*model, &err));
    scree_run_options options = scree_run_options_default();
    options.scheme.name = scheme;
    options.scheme.theta = theta;
    options.scheme.step = h;
    options.duration = h * steps;
    scree_simulation *simulation = NULL;
    if (scree_simulation_new(*model, &options, &simulation, &err)) COMPLAIN("%s", err.text);
    while (scree_simulation_left(simulation) > 0)
        if (scree_simulation_step(simulation, &err)) {
            COMPLAIN("%s", err.text);
            break;
        }
    CHECK(scree_simulation_totals(simulation)->residual_over_bound_max < 1);
    return simulation;
}

static void end(scree_simulation *simulation, scree_model *model) {
    scree_simulation_free(simulation);
    scree_model_free(model);
}

/// Rolling resistance brakes a rolling ball by 5/7 g c/R, until it stands; without spin about the
/// normal being touched.
static void rolling_resistance(void) {
    scree_model *model;
    scree_law law = { .friction = 0.8, .rolling = 0.05 };
    const double down[3] = { 0, 0, -10 }, v[3] = { 3, 0, 0 }, spin[3] = { 0, 3, 0 };
    scree_simulation *run =
        on_plane(&model, false, down, v, spin, law, SCREE_MOREAU_JEAN, 1, 1e-3, 1000);
    const scree_state *state = scree_simulation_state(run);
    CHECK_INT(model->dimension, 5);
    CHECK_NEAR(state->v[6], 3 - 5. / 7 * 10 * 0.05, 1e-9);
    CHECK_NEAR(state->v[10], state->v[6], 1e-9);  // it rolls
    end(run, model);
    run = on_plane(&model, false, down, v, spin, law, SCREE_MOREAU_JEAN_FREMOND, 0.5, 1e-3, 1000);
    CHECK_NEAR(scree_simulation_state(run)->v[6], 3 - 5. / 7 * 10 * 0.05, 1e-3);
    CHECK_INT(scree_simulation_totals(run)->steps_creating_energy, 0);
    end(run, model);
    // stands on a slope below c/R, rolls above
    for (int k = 0; k < 2; k++) {
        double slope = k ? 0.06 : 0.04;
        const double tilted[3] = { 10 * slope, 0, -10 }, none[3] = { 0 };
        run = on_plane(&model, false, tilted, none, none, law, SCREE_MOREAU_JEAN, 1, 1e-3, 500);
        double expected = k ? 5. / 7 * (10 * slope - 10 * 0.05) * 0.5 : 0;
        CHECK_NEAR(scree_simulation_state(run)->v[6], expected, 1e-8);
        end(run, model);
    }
}

enum { MANY = 120 };

/// Many balls of other sizes are swept on their bodies, and brake as one does; with cohesion c the
/// resistance is that of the weight and c together.
static void many_rolling_balls(void) {
    for (int k = 0; k < 2; k++) {
        scree_error err = { 0 };
        scree_model *model = scree_model_new();
        scree_body ground = { .name = "ground", .fixed = true };
        scree_shape plane = { .kind = SCREE_PLANE, .normal = { 0, 0, 1 } };
        scree_law law = { .friction = 0.8, .rolling = 0.02, .cohesion = k ? 3 : 0 };
        CHECK(!scree_model_set_space(model, 3, &err));
        scree_model_set_gravity(model, 0, 0, -10);
        CHECK(!scree_model_add_body(model, &ground, &err) &&
              !scree_model_add_shape(model, &plane, &err));
        for (int i = 0; i < MANY; i++) {
            double r = 0.5 + 0.005 * i, v = 1 + 0.01 * i, inertia = 0.4 * r * r;
            scree_body body = { .mass = 1,
                                .tensor = { inertia, 0, 0, inertia, 0, inertia },
                                .position = { 0, 3 * i, r },
                                .velocity = { v },
                                .angular = { 0, v / r } };
            scree_shape ball = { .kind = SCREE_SPHERE, .body = i + 1, .radius = r };
            CHECK(!scree_model_add_body(model, &body, &err) &&
                  !scree_model_add_shape(model, &ball, &err));
        }
        CHECK(!scree_model_add_law(model, -1, -1, law, &err) && !scree_model_finish(model, &err));
        scree_run_options options = scree_run_options_default();
        options.scheme.name = SCREE_MOREAU_JEAN;
        options.scheme.theta = 1;
        options.scheme.step = 1e-3;
        options.duration = 0.5;
        options.solver.name = "ncg";
        options.solver.tolerance = 1e-10;
        scree_simulation *run = NULL;
        if (scree_simulation_new(model, &options, &run, &err)) COMPLAIN("%s", err.text);
        while (scree_simulation_left(run) > 0)
            if (scree_simulation_step(run, &err)) {
                COMPLAIN("%s", err.text);
                break;
            }
        for (int i = 0; i < MANY; i++) {
            double r = 0.5 + 0.005 * i, v = 1 + 0.01 * i;
            double brake = 5. / 7 * (10 + law.cohesion) * 0.02 / r;
            CHECK_NEAR(scree_simulation_state(run)->v[6 * (i + 1)], v - 0.5 * brake, 1e-9);
        }
        CHECK_INT(scree_simulation_totals(run)->steps_creating_energy, 0);
        end(run, model);
    }
}

/// A ball hangs from the ceiling as long as cohesion bears its weight.
static void cohesion(void) {
    const double up[3] = { 0, 0, 10 }, none[3] = { 0 };
    for (int k = 0; k < 2; k++) {
        scree_model *model;
        scree_law law = { .friction = 0.5, .cohesion = k ? 9.9 : 10.1 };
        scree_simulation *run =
            on_plane(&model, false, up, none, none, law, SCREE_MOREAU_JEAN, 1, 1e-3, 100);
        double z = scree_simulation_state(run)->q[9];
        if (k)
            CHECK(z > 1 + 1e-4);
        else
            CHECK_NEAR(z, 1, 1e-9);
        end(run, model);
    }
}

/// Friction along the grain and across it: a block pushed along either axis brakes by its own mu.
static void friction_axis(void) {
    for (int k = 0; k < 2; k++) {
        scree_model *model;
        scree_law law = { .friction = 0.2, .friction_across = 0.5, .friction_axis = { 1, 0, 0 } };
        const double down[3] = { 0, 0, -10 }, v[3] = { k ? 0 : 2, k ? 2 : 0, 0 }, none[3] = { 0 };
        scree_simulation *run =
            on_plane(&model, true, down, v, none, law, SCREE_MOREAU_JEAN, 1, 1e-3, 200);
        const scree_state *state = scree_simulation_state(run);
        CHECK_NEAR(state->v[6 + k], 2 - 10 * (k ? 0.5 : 0.2) * 0.2, 1e-7);
        CHECK_NEAR(state->v[6 + 1 - k], 0, 1e-7);
        end(run, model);
    }
}

/// Tangential restitution: the superball of moreau and moreau-jean.
static void tangential_restitution(void) {
    for (int k = 0; k < 2; k++) {
        scree_model *model;
        scree_law law = { .restitution = 1, .tangential_restitution = 1, .friction = 10 };
        const double nothing[3] = { 0 }, v[3] = { 2, 0, -3 }, spin[3] = { 0, -1, 0 };
        scree_simulation *run = on_plane(&model, false, nothing, v, spin, law,
                                         k ? SCREE_MOREAU : SCREE_MOREAU_JEAN, 0.5, 1e-3, 1);
        const scree_state *state = scree_simulation_state(run);
        // slip v_x - R w_y = 3, reversed by an impulse of 2 * 3 / (1 + 1/0.4)
        double impulse = 6 / 3.5;
        CHECK_NEAR(state->v[6], 2 - impulse, 1e-12);
        CHECK_NEAR(state->v[8], 3, 1e-12);
        CHECK_NEAR(state->v[10], -1 + impulse / 0.4, 1e-12);
        end(run, model);
    }
}

/// A pair whose law says so passes through each other, and books nothing.
static void apart(void) {
    scree_model *model;
    scree_law law = { .friction = 0.5, .apart = true };
    const double gravity[3] = { 0, 0, -10 }, nothing[3] = { 0 };
    scree_simulation *run =
        on_plane(&model, true, gravity, nothing, nothing, law, SCREE_MOREAU_JEAN, 0.5, 1e-2, 100);
    const scree_state *state = scree_simulation_state(run);
    CHECK_NEAR(state->q[7 + 2], 0.5 - 5, 1e-12);
    CHECK(scree_simulation_totals(run)->contact_normal_work == 0);
    end(run, model);
}

/// The same of an elastic body above a rigid one and above another elastic one.
static void elastic_apart(void) {
    for (int k = 0; k < 3; k++) {
        char text[1200];
        static const char *const law[] = { "[any, any]", "[upper, lower]", "[upper, floor]" };
        snprintf(text, sizeof text,
                 "gravity: [0, -10]\n"
                 "bodies: [{name: floor, fixed: true, shapes: [{type: half-plane}]}]\n"
                 "elastic:\n"
                 "- {name: lower, density: 1, young: 1e3, poisson: 0.2, mesh: {rectangle: {size: "
                 "[1, 1], cells: [2, 2], at: [0, 1e-3]}}, held: [{on: bottom, x: 0, y: 0}]}\n"
                 "- {name: upper, density: 1, young: 1e3, poisson: 0.2, mesh: {rectangle: {size: "
                 "[0.5, 0.5], cells: [2, 2], at: [0.25, 1.1]}}}\n"
                 "laws: [{between: %s, contact: false}]\n"
                 "scheme: {step: 5e-3, duration: 0.75}\n",
                 law[k]);
        scree_findings findings = { 0 };
        scree_simulation *run =
            scree_simulation_parse("apart", text, strlen(text), NULL, 0, &findings);
        scree_error err = { 0 };
        if (!run) COMPLAIN("%s", findings.count ? findings.item[0].text : "");
        const scree_model *model = run ? scree_simulation_model(run) : NULL;
        double fallen = 0;
        while (run && scree_simulation_left(run) > 0) {
            if (scree_simulation_step(run, &err)) {
                COMPLAIN("%s", err.text);
                break;
            }
            int y = model->elastic[1].coordinate + 1;
            fallen = fmax(fallen, -scree_simulation_state(run)->q[y]);
        }
        // 2.8 m of free fall, 1.1 m to the floor, from which it bounces, 0.1 m to the lower body
        CHECK(k == 0 ? fallen > 2.5 : k == 1 ? fallen > 0.8 && fallen < 1.4 : fallen < 0.5);
        scree_simulation_free(run);
        scree_findings_free(&findings);
    }
}

TEST_FILE(test_laws) {
    TEST(apart);
    TEST(elastic_apart);
    TEST(rolling_resistance);
    TEST(many_rolling_balls);
    TEST(cohesion);
    TEST(friction_axis);
    TEST(tangential_restitution);
    return harness_end();
}
