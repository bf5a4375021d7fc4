// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// Bodies in space: tops, momentum, the ledger and the decay of energy while boxes tumble.

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/space.h"
#include "harness.h"
#include "random.h"
#include "scree/simulation.h"

static scree_run_options options_with(scree_scheme name, double theta, double step, int steps) {
    scree_run_options options = scree_run_options_default();
    options.scheme.name = name;
    options.scheme.theta = theta;
    options.scheme.step = step;
    options.duration = step * steps;
    return options;
}

static scree_simulation *begin(const scree_model *model, const scree_run_options *options) {
    scree_error err = { 0 };
    scree_simulation *simulation = NULL;
    if (scree_simulation_new(model, options, &simulation, &err)) COMPLAIN("refused: %s", err.text);
    return simulation;
}

static void angular_momentum(const scree_model *model, const scree_state *state, double total[3]) {
    memset(total, 0, 3 * sizeof *total);
    for (int i = 0; i < model->bodies; i++) {
        const scree_body *body = &model->body[i];
        const double *q = state->q + 7 * i, *v = state->v + 6 * i;
        double A[9], J[6], own[3], orbit[3];
        if (body->fixed) continue;
        scree_rotation(q + 3, A);
        scree_congruence(A, body->tensor, J);
        scree_symmetric(J, v + 3, own);
        scree_cross(q, v, orbit);
        for (int k = 0; k < 3; k++) total[k] += own[k] + body->mass * orbit[k];
    }
}

/// A free top, spun about an unstable axis and turning over and over, keeps its energy and its
/// angular momentum over 10^5 steps.
static void free_top(void) {
    scree_error err = { 0 };
    scree_model *model = scree_model_new();
    scree_body top = {
        .name = "top", .mass = 1, .tensor = { 1, 0.1, 0, 2, 0.2, 3 }, .angular = { 0.3, 10, 0.2 }
    };
    CHECK(!scree_model_set_space(model, 3, &err) && !scree_model_add_body(model, &top, &err) &&
          !scree_model_finish(model, &err));
    scree_run_options options = options_with(SCREE_MOREAU_JEAN_FREMOND, 0.5, 1e-3, 100000);
    scree_simulation *simulation = begin(model, &options);
    double L[3], now[3], kinetic = scree_simulation_ledger(simulation)->kinetic, least = 1;
    angular_momentum(model, scree_simulation_state(simulation), L);
    while (scree_simulation_left(simulation) > 0) {
        if (scree_simulation_step(simulation, &err)) {
            COMPLAIN("%s", err.text);
            break;
        }
        const double *v = scree_simulation_state(simulation)->v;
        least = fmin(least, v[4] / 10);
    }
    angular_momentum(model, scree_simulation_state(simulation), now);
    double change = fabs(scree_simulation_ledger(simulation)->kinetic / kinetic - 1), lost = 0;
    for (int k = 0; k < 3; k++) lost = fmax(lost, fabs(now[k] - L[k]) / scree_length(L));
    printf("free top: energy off by %.2g, angular momentum by %.2g after 10^5 steps\n", change,
           lost);
    CHECK(change < 1e-11 && lost < 1e-11);
    CHECK(least < 0.9);  // it does turn over
    scree_simulation_free(simulation);
    scree_model_free(model);
}

static void add_box(scree_model *model, const char *name, const double size[3],
                    const double position[3], scree_error *err) {
    double m = uniform(0.5, 3);
    scree_body body = { .name = name, .mass = m };
    for (int k = 0; k < 3; k++) {
        int i = (k + 1) % 3, j = (k + 2) % 3;
        body.tensor[k == 0 ? 0 : k == 1 ? 3 : 5] = m * (size[i] * size[i] + size[j] * size[j]) / 12;
        body.position[k] = position[k];
        body.velocity[k] = uniform(-3, 3);
        body.angular[k] = uniform(-8, 8);
    }
    for (int k = 0; k < 4; k++) body.orientation[k] = uniform(-1, 1);
    scree_shape shape = { .kind = SCREE_BOX, .body = model->bodies };
    memcpy(shape.size, size, sizeof shape.size);
    CHECK(!scree_model_add_body(model, &body, err) && !scree_model_add_shape(model, &shape, err));
}

// boxes and balls thrown at each other, over a floor if there is one
static scree_model *tumble(bool floor, double e, double mu) {
    scree_error err = { 0 };
    scree_model *model = scree_model_new();
    CHECK(!scree_model_set_space(model, 3, &err));
    if (floor) {
        scree_body ground = { .name = "ground", .fixed = true };
        scree_shape plane = { .kind = SCREE_PLANE, .normal = { 0.1, 0.05, 1 } };
        CHECK(!scree_model_add_body(model, &ground, &err) &&
              !scree_model_add_shape(model, &plane, &err));
        scree_model_set_gravity(model, 0, 0, -9.81);
    }
    for (int i = 0; i < 5; i++) {
        double spread = floor ? 0.3 : 0.05;
        const double at[3] = { uniform(-spread, spread), uniform(-spread, spread), 1 + 1.2 * i };
        const double size[3] = { uniform(0.2, 0.7), uniform(0.2, 0.7), uniform(0.2, 0.7) };
        add_box(model, "box", size, at, &err);
        if (!floor)
            for (int k = 0; k < 3; k++)
                model->body[model->bodies - 1].velocity[k] = k == 2 ? 2.0 * (2 - i) : 0;
    }
    CHECK(!scree_model_add_law(model, -1, -1, (scree_law){ .restitution = e, .friction = mu },
                               &err) &&
          !scree_model_finish(model, &err));
    return model;
}

/// Without anything outside the momenta are kept to rounding, collisions or not, by the scheme that
/// takes H in the middle of the step (docs/theory.md says why the others keep them to its length).
static void isolated_systems_keep_momentum(void) {
    double worst = 0;
    int64_t contacts = 0;
    for (int k = 0; k < 10; k++) {
        scree_error err = { 0 };
        scree_model *model = tumble(false, uniform(0, 1), uniform(0, 1));
        scree_run_options options = options_with(SCREE_MOREAU, 0.5, 1e-3, 2500);
        scree_simulation *simulation = begin(model, &options);
        double L[3], now[3], P[3] = { 0 }, size = 0;
        const scree_state *state = scree_simulation_state(simulation);
        angular_momentum(model, state, L);
        for (int i = 0; i < model->bodies; i++)
            for (int c = 0; c < 3; c++) {
                P[c] += model->body[i].mass * state->v[6 * i + c];
                size += fabs(state->v[6 * i + c]) + fabs(state->v[6 * i + 3 + c]);
            }
        while (scree_simulation_left(simulation) > 0)
            if (scree_simulation_step(simulation, &err)) {
                COMPLAIN("%s", err.text);
                break;
            }
        state = scree_simulation_state(simulation);
        angular_momentum(model, state, now);
        for (int i = 0; i < model->bodies; i++)
            for (int c = 0; c < 3; c++) P[c] -= model->body[i].mass * state->v[6 * i + c];
        for (int c = 0; c < 3; c++)
            worst = fmax(worst, fmax(fabs(P[c]), fabs(now[c] - L[c])) / size);
        contacts += scree_simulation_totals(simulation)->contacts_solved;
        scree_simulation_free(simulation);
        scree_model_free(model);
    }
    printf("isolated: momenta off by %.2g, %lld contacts solved\n", worst, (long long)contacts);
    CHECK(worst < 1e-12 && contacts > 500);
}

/// The ledger closes at every step of tumbling boxes, and within the theorem no step creates
/// energy.
static void tumbling_bodies_lose_energy(void) {
    int64_t contacts = 0, creating = 0, unconverged = 0;
    double worst = 0;
    for (int k = 0; k < 20 / FEWER; k++) {
        scree_error err = { 0 };
        double e = k % 2 ? 0 : uniform(0, 1), mu = uniform(0, 1);
        double theta = k % 4 < 2 ? 0.5 : uniform(0.5, 1 / (1 + e));
        scree_model *model = tumble(true, e, mu);
        scree_run_options options =
            options_with(SCREE_MOREAU_JEAN_FREMOND, theta, 2e-3, SANITIZED ? 500 : 1000);
        options.accept_unconverged = true;
        scree_simulation *simulation = begin(model, &options);
        CHECK(scree_simulation_theorem(simulation).holds);
        while (scree_simulation_left(simulation) > 0)
            if (scree_simulation_step(simulation, &err)) {
                COMPLAIN("%s", err.text);
                break;
            }
        const scree_totals *totals = scree_simulation_totals(simulation);
        contacts += totals->contacts_solved;
        creating += totals->steps_creating_energy;
        unconverged += totals->unconverged;
        worst = fmax(worst, totals->residual_over_bound_max);
        scree_simulation_free(simulation);
        scree_model_free(model);
    }
    printf(
        "tumbling: %lld contacts solved, %lld steps create energy, %lld unconverged, ledger "
        "residual/bound %.2g\n",
        (long long)contacts, (long long)creating, (long long)unconverged, worst);
    CHECK(contacts > (SANITIZED ? 500 : 10000));
    CHECK_INT(creating, 0);
}

// ---- what moves bodies

static double circling(const void *self, double t, double *rate) {
    (void)self;
    *rate = 3 * cos(30 * t);
    return 0.1 * sin(30 * t);
}

static double turning(const void *self, double t, double *rate) {
    (void)self;
    *rate = 20 * t;
    return 10 * t * t;
}

/// Boxes thrown about by a driven paddle: its work is the boundary's, and the ledger closes with
/// it.
static void driven_bodies_work(void) {
    scree_error err = { 0 };
    for (int k = 0; k < 4; k++) {
        scree_model *model = scree_model_new();
        CHECK(!scree_model_set_space(model, 3, &err));
        scree_model_set_gravity(model, 0, 0, -9.81);
        scree_body paddle = { .name = "paddle",
                              .driven = true,
                              .path = { .along = { [2] = { .at = circling } },
                                        .angle = { .at = turning },
                                        .axis = { 0.2, 1, 0.3 } } };
        scree_shape plate = { .kind = SCREE_BOX, .size = { 2, 2, 0.2 } };
        CHECK(!scree_model_add_body(model, &paddle, &err) &&
              !scree_model_add_shape(model, &plate, &err));
        for (int i = 0; i < 3; i++)
            add_box(model, "box", (double[]){ 0.3, 0.4, 0.2 },
                    (double[]){ 0.2 * i - 0.2, 0.1 * i, 0.7 + 0.6 * i }, &err);
        for (int i = 1; i < 4; i++) memset(model->body[i].velocity, 0, 3 * sizeof(double));
        CHECK(!scree_model_add_law(model, -1, -1, (scree_law){ .friction = 0.4 }, &err) &&
              !scree_model_finish(model, &err));
        scree_run_options options = options_with((scree_scheme)(k % 3), 0.5, 1e-3, 1000);
        options.accept_unconverged = true;
        scree_simulation *simulation = begin(model, &options);
        while (scree_simulation_left(simulation) > 0)
            if (scree_simulation_step(simulation, &err)) {
                COMPLAIN("%s", err.text);
                break;
            }
        const scree_totals *totals = scree_simulation_totals(simulation);
        CHECK(totals->boundary_work != 0 && totals->contacts_solved > 5);
        CHECK(totals->residual_over_bound_max < 1);
        scree_simulation_free(simulation);
        scree_model_free(model);
    }
}

/// Bodies that come and go bring and take their energy, and touch nothing while they are not there.
static void bodies_come_and_go(void) {
    scree_error err = { 0 };
    scree_model *model = scree_model_new();
    CHECK(!scree_model_set_space(model, 3, &err));
    scree_model_set_gravity(model, 0, 0, -10);
    scree_body ground = { .name = "ground", .fixed = true };
    scree_shape plane = { .kind = SCREE_PLANE, .normal = { 0, 0, 1 } };
    CHECK(!scree_model_add_body(model, &ground, &err) &&
          !scree_model_add_shape(model, &plane, &err));
    for (int i = 0; i < 3; i++) {
        scree_body ball = { .name = "ball",
                            .mass = 2,
                            .tensor = { 0.2, 0, 0, 0.2, 0, 0.2 },
                            .position = { 0, 0, 0.5 + i },
                            .velocity = { 0.5, 0, 0 },
                            .birth_time = i == 1 ? 0.2 : 0,
                            .removal_time = i == 2 ? 0.4 : 0 };
        scree_shape sphere = { .kind = SCREE_SPHERE, .body = 1 + i, .radius = 0.5 };
        CHECK(!scree_model_add_body(model, &ball, &err) &&
              !scree_model_add_shape(model, &sphere, &err));
    }
    CHECK(!scree_model_add_law(model, -1, -1, (scree_law){ .friction = 0.3 }, &err) &&
          !scree_model_finish(model, &err));
    scree_run_options options = options_with(SCREE_MOREAU_JEAN, 0.5, 1e-2, 60);
    scree_simulation *simulation = begin(model, &options);
    double waiting = 0;
    while (scree_simulation_left(simulation) > 0) {
        if (scree_simulation_step(simulation, &err)) COMPLAIN("%s", err.text);
        const scree_state *state = scree_simulation_state(simulation);
        if (state->time < 0.2 - 1e-9)
            waiting = fmax(waiting, fabs(state->q[14] - 0) + fabs(state->q[16] - 1.5));
        const scree_ledger *ledger = scree_simulation_ledger(simulation);
        bool event = fabs(state->time - 0.2) < 1e-9 || fabs(state->time - 0.4) < 1e-9;
        CHECK((ledger->exchange != 0) == event);
    }
    CHECK_NEAR(waiting, 0, 0);
    // 2 kg at 1.5 m with 0.5 m/s came, and the one on top of them went
    CHECK(scree_simulation_totals(simulation)->exchange != 0);
    CHECK(scree_simulation_totals(simulation)->residual_over_bound_max < 1);
    scree_simulation_free(simulation);
    scree_model_free(model);
}

/// Boxes that land at speed sink in; the correction lifts them out, and its work is booked.
static void correction_is_booked(void) {
    for (int correct = 0; correct < 2; correct++) {
        scree_error err = { 0 };
        uint64_t again = seed;
        scree_model *model = tumble(true, 0, 0.5);
        scree_run_options options = options_with(SCREE_MOREAU_JEAN, 0.5, 5e-3, 400);
        options.scheme.correct = correct;
        options.accept_unconverged = true;
        scree_simulation *simulation = begin(model, &options);
        double last = 0;
        while (scree_simulation_left(simulation) > 0) {
            if (scree_simulation_step(simulation, &err)) {
                COMPLAIN("%s", err.text);
                break;
            }
            last = scree_simulation_account(simulation)->penetration_relative;
        }
        const scree_totals *totals = scree_simulation_totals(simulation);
        printf(
            "%s: penetration %.2g of the size at most, %.2g in the end, correction work %.3g J\n",
            correct ? "corrected" : "left alone", totals->penetration_relative_max, last,
            totals->correction_work);
        CHECK(totals->residual_over_bound_max < 1);
        CHECK((totals->correction_work > 0) == correct);
        if (correct) CHECK(last < 1e-6);
        scree_simulation_free(simulation);
        scree_model_free(model);
        if (!correct) seed = again;
    }
}

/// A ball shot at a thin plate does not pass through it: head-on with theta = 1 at any speed,
/// obliquely and with any theta as long as it moves less than half of the plate's thickness in a
/// step.
static void nothing_tunnels(void) {
    int passed = 0;
    for (int k = 0; k < 200; k++) {
        scree_error err = { 0 };
        bool oblique = k % 2;
        double h = 1e-3, thickness = 0.02,
               speed = oblique ? 0.5 * thickness / h : pow(10, uniform(0, 5));
        double tilt = oblique ? uniform(-1.4, 1.4) : 0, radius = uniform(0.005, 0.1);
        scree_model *model = scree_model_new();
        scree_body plate = { .name = "plate", .fixed = true };
        scree_shape flat = { .kind = SCREE_BOX, .size = { 4, 4, thickness } };
        double away = radius + 0.05 + uniform(0, h * speed);
        scree_body ball = { .name = "ball",
                            .mass = 1,
                            .tensor = { 1, 0, 0, 1, 0, 1 },
                            .position = { -away * tan(tilt), uniform(-1, 1), away },
                            .velocity = { speed * sin(tilt), 0, -speed * cos(tilt) } };
        scree_shape round = { .kind = SCREE_SPHERE, .body = 1, .radius = radius };
        CHECK(!scree_model_set_space(model, 3, &err) &&
              !scree_model_add_body(model, &plate, &err) &&
              !scree_model_add_shape(model, &flat, &err) &&
              !scree_model_add_body(model, &ball, &err) &&
              !scree_model_add_shape(model, &round, &err) && !scree_model_finish(model, &err));
        scree_run_options options = options_with(SCREE_MOREAU_JEAN, oblique ? 0.5 : 1, h, 30);
        scree_simulation *simulation = begin(model, &options);
        while (scree_simulation_left(simulation) > 0)
            if (scree_simulation_step(simulation, &err)) COMPLAIN("%s", err.text);
        const scree_state *state = scree_simulation_state(simulation);
        bool over = fabs(state->q[7]) < 2;  // otherwise it left by the side
        passed += over && !(state->q[9] > 0);
        scree_simulation_free(simulation);
        scree_model_free(model);
    }
    CHECK_INT(passed, 0);
}

// a box of the given aspect on a slope, or on another box that it overhangs
static bool stands(double slope, double mu, double overhang) {
    scree_error err = { 0 };
    scree_model *model = scree_model_new();
    CHECK(!scree_model_set_space(model, 3, &err));
    scree_model_set_gravity(model, 10 * sin(slope), 0, -10 * cos(slope));
    scree_body ground = { .name = "ground", .fixed = true };
    scree_shape plane = { .kind = SCREE_PLANE, .normal = { 0, 0, 1 } };
    CHECK(!scree_model_add_body(model, &ground, &err) &&
          !scree_model_add_shape(model, &plane, &err));
    for (int i = 0; i < 2; i++) {
        scree_body body = { .name = "box",
                            .mass = 1,
                            .tensor = { 1. / 6, 0, 0, 1. / 6, 0, 1. / 6 },
                            .position = { i * overhang, 0, 0.5 + i } };
        scree_shape box = { .kind = SCREE_BOX, .body = 1 + i, .size = { 1, 1, 1 } };
        CHECK(!scree_model_add_body(model, &body, &err) &&
              !scree_model_add_shape(model, &box, &err));
    }
    CHECK(!scree_model_add_law(model, -1, -1, (scree_law){ .friction = mu }, &err) &&
          !scree_model_finish(model, &err));
    scree_run_options options = options_with(SCREE_MOREAU_JEAN, 1, 1e-2, 1);
    scree_simulation *simulation = begin(model, &options);
    scree_static_check standing = { 0 };
    if (scree_static_check_find(model, &options, scree_simulation_state(simulation), &standing,
                                &err))
        COMPLAIN("%s", err.text);
    bool answer = standing.admissible;
    scree_static_check_free(&standing);
    scree_simulation_free(simulation);
    scree_model_free(model);
    return answer;
}

/// Two boxes stand on a slope up to the angle of friction, and on each other up to half their
/// width.
static void standing_is_decided(void) {
    CHECK(stands(0, 0.5, 0) && stands(0, 0, 0) && stands(0, 0.5, 0.4999) && stands(0, 0, -0.4999));
    CHECK(!stands(0, 0.5, 0.5001) && !stands(0, 0.5, -0.5001));
    CHECK(stands(atan(0.3) - 1e-4, 0.3, 0) && !stands(atan(0.3) + 1e-4, 0.3, 0));
    CHECK(!stands(1e-4, 0, 0));
    // two boxes, one on the other, tip over their lower edge at atan(1/2)
    CHECK(stands(atan(0.5) - 1e-4, 2, 0) && !stands(atan(0.5) + 1e-4, 2, 0));
}

/// A lattice of balls of unequal size, 2 % apart from each other and flying together.
static scree_model *lattice_of_balls(int side) {
    scree_error err = { 0 };
    scree_model *model = scree_model_new();
    CHECK(!scree_model_set_space(model, 3, &err));
    for (int i = 0; i < side * side * side; i++) {
        const int cell[3] = { i % side, i / side % side, i / side / side };
        double r = (cell[0] + cell[1] + cell[2]) % 2 ? 0.3 : 0.68, m = r * r * r;
        double J = 0.4 * m * r * r;
        scree_body body = { .name = "ball", .mass = m, .tensor = { J, 0, 0, J, 0, J } };
        scree_shape ball = { .kind = SCREE_SPHERE, .body = i, .radius = r };
        for (int k = 0; k < 3; k++) {
            body.position[k] = cell[k];
            body.velocity[k] = 3 * (0.5 * (side - 1) - cell[k]) + 0.1 * sin(7 * i + k);
        }
        CHECK(!scree_model_add_body(model, &body, &err) &&
              !scree_model_add_shape(model, &ball, &err));
    }
    CHECK(!scree_model_add_law(model, -1, -1, (scree_law){ .friction = 0.3 }, &err) &&
          !scree_model_finish(model, &err));
    return model;
}

/// Where contacts are does not depend on the solver: on bodies or with W, the points are the same.
static void solvers_move_no_points(void) {
    scree_error err = { 0 };
    scree_model *model = lattice_of_balls(6);
    const char *names[2] = { "nsgs", "contact-newton" };
    scree_simulation *one[2];
    const scree_step_record *record[2];
    for (int k = 0; k < 2; k++) {
        scree_run_options options = options_with(SCREE_MOREAU_JEAN, 1, 1e-2, 1);
        options.solver.name = names[k];
        options.solver.tolerance = 1e-4;
        one[k] = begin(model, &options);
        if (scree_simulation_step(one[k], &err)) COMPLAIN("%s: %s", names[k], err.text);
        record[k] = scree_simulation_record(one[k]);
    }
    CHECK_INT(record[0]->contacts, record[1]->contacts);
    CHECK(record[0]->active > 400);
    for (int i = 0; i < record[0]->contacts; i++)
        for (int k = 0; k < 3; k++)
            CHECK_NEAR(record[0]->contact[i].point[k], record[1]->contact[i].point[k], 0);
    // the point divides the way between the centres as the radii do
    const scree_contact *first = &record[0]->contact[0];
    CHECK(first->gap > 0.01);
    double to_a = 0, to_b = 0;
    for (int k = 0; k < 3; k++) {
        to_a = hypot(to_a, first->point[k] - record[0]->before.q[7 * first->a + k]);
        to_b = hypot(to_b, first->point[k] - record[0]->before.q[7 * first->b + k]);
    }
    CHECK_NEAR(to_a / to_b, model->shape[first->a].radius / model->shape[first->b].radius, 1e-12);
    for (int k = 0; k < 2; k++) scree_simulation_free(one[k]);
    scree_model_free(model);
}

TEST_FILE(test_space) {
    TEST(solvers_move_no_points);
    TEST(free_top);
    TEST(isolated_systems_keep_momentum);
    TEST(tumbling_bodies_lose_energy);
    TEST(driven_bodies_work);
    TEST(bodies_come_and_go);
    TEST(correction_is_booked);
    TEST(nothing_tunnels);
    TEST(standing_is_decided);
    return harness_end();
}
