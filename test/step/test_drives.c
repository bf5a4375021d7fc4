// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// test_drives.c - springs, dampers and motors against closed forms; the ledger closes to rounding
// with all of them (a step that it does not close in is an error).

#include <math.h>

#include "harness.h"
#include "random.h"
#include "scree/scree.h"

static const double pi = 3.14159265358979323846;

static scree_model *one_disc(double x, double v) {
    scree_error err = { 0 };
    scree_model *model = scree_model_new();
    const scree_body ball = {
        .name = "ball", .mass = 2, .inertia = 0.5, .position = { x, 0 }, .velocity = { v, 0 }
    };
    CHECK(scree_model_add_body(model, &ball, &err) == SCREE_OK);
    return model;
}

static int join(scree_model *model, scree_joint_kind kind, int a, int b, const double *from,
                const double *to) {
    scree_error err = { 0 };
    scree_joint joint = scree_joint_default(kind, a, b);
    joint.name = "joint";
    joint.collide = true;
    memcpy(joint.anchor[0], from, sizeof joint.anchor[0]);
    memcpy(joint.anchor[1], to, sizeof joint.anchor[1]);
    memcpy(joint.axis, (double[]){ 1, 0, 0 }, sizeof joint.axis);
    if (scree_model_add_joint(model, &joint, &err)) COMPLAIN("%s", err.text);
    return model->joints - 1;
}

static void drive(scree_model *model, const scree_drive *drive) {
    scree_error err = { 0 };
    if (scree_model_add_drive(model, drive, &err)) COMPLAIN("%s", err.text);
}

typedef struct end {
    double q[3], v[3], energy;
    scree_totals totals;
} end;

static end run(scree_model *model, double h, double duration, double theta, scree_scheme scheme) {
    scree_error err = { 0 };
    scree_run_options options = scree_run_options_default();
    scree_simulation *simulation = NULL;
    end at = { 0 };
    options.scheme.name = scheme;
    options.scheme.step = h;
    options.scheme.theta = theta;
    options.scheme.approach = SCREE_APPROACH_KEPT;
    options.duration = duration;
    if (!scree_model_finished(model) && scree_model_finish(model, &err)) COMPLAIN("%s", err.text);
    if (scree_simulation_new(model, &options, &simulation, &err)) COMPLAIN("%s", err.text);
    while (simulation && scree_simulation_left(simulation) > 0) {
        scree_status status = scree_simulation_step(simulation, &err);
        if (status) COMPLAIN("h %g theta %g: status %d: %s", h, theta, (int)status, err.text);
        if (status) break;
    }
    if (!simulation) return at;
    memcpy(at.q, scree_simulation_state(simulation)->q, sizeof at.q);
    memcpy(at.v, scree_simulation_state(simulation)->v, sizeof at.v);
    at.energy = scree_simulation_energy(simulation);
    at.totals = *scree_simulation_totals(simulation);
    scree_simulation_free(simulation);
    return at;
}

static const double origin[3] = { 0, 0, 0 };

// m x'' + d x' + k (x - 1) = 0 from x = 1.5 along a line: second order at theta 1/2, first above
static void an_oscillator(void) {
    const double k = 8, d = 0.4, decay = d / 4, w = sqrt(k / 2 - decay * decay), t = 1;
    double exact = 1 + 0.5 * exp(-decay * t) * (cos(w * t) + decay / w * sin(w * t));
    for (int high = 0; high < 2; high++) {
        double last = 0;
        for (int steps = 50; steps <= 200; steps *= 2) {
            scree_model *model = one_disc(1.5, 0);
            int joint =
                join(model, SCREE_DISTANCE, 0, SCREE_GROUND, (double[]){ 1.5, 0, 0 }, origin);
            scree_drive spring = scree_drive_default(SCREE_SPRING, joint);
            spring.stiffness = k;
            spring.damping = d;
            spring.target.constant = 1;
            drive(model, &spring);
            end at = run(model, 1.0 / steps, 1, high ? 0.75 : 0.5, SCREE_MOREAU_JEAN_FREMOND);
            double miss = fabs(at.q[0] - exact);
            if (last > 0) CHECK(high ? miss < 0.6 * last : miss < 0.27 * last);
            last = miss;
            CHECK(at.totals.damping_work < 0);
            CHECK(at.totals.numerical_dissipation <= 0);
            CHECK(high || fabs(at.totals.numerical_dissipation) < 1e-13);
            CHECK_NEAR(at.energy - 1, at.totals.damping_work + at.totals.numerical_dissipation,
                       1e-12);
            scree_model_free(model);
        }
        CHECK(last < (high ? 1e-2 : 1e-4));
    }
}

// stiff springs do not limit the step: k h^2/m = 1e8, and at theta 1/2 the energy stays
static void a_stiff_spring(void) {
    scree_model *model = one_disc(1.5, 0);
    int joint = join(model, SCREE_DISTANCE, 0, SCREE_GROUND, (double[]){ 1.5, 0, 0 }, origin);
    scree_drive spring = scree_drive_default(SCREE_SPRING, joint);
    spring.stiffness = 2e12;
    spring.target.constant = 1.5 - 1e-6;
    drive(model, &spring);
    end at = run(model, 0.01, 1, 0.5, SCREE_MOREAU_JEAN);
    CHECK_NEAR(at.energy, 1, 1e-6);
    at = run(model, 0.01, 1, 1, SCREE_MOREAU_JEAN);
    CHECK(at.energy < 1e-6);
    CHECK_NEAR(at.q[0], 1.5 - 1e-6, 1e-9);
    scree_model_free(model);
}

// A ball flies into a bumper, or to the end of an elastic rope, and comes back as fast; between it
// flies free.
static void one_sided(void) {
    for (int rope = 0; rope < 2; rope++)
        for (double theta = 0.5; theta <= 1; theta += 0.25) {
            scree_model *model = one_disc(1.2, rope ? 1 : -1);
            int joint =
                join(model, SCREE_DISTANCE, 0, SCREE_GROUND, (double[]){ 1.2, 0, 0 }, origin);
            scree_drive spring = scree_drive_default(SCREE_SPRING, joint);
            spring.stiffness = 200;
            spring.sense = rope ? SCREE_DRIVE_PULLS : SCREE_DRIVE_PUSHES;
            spring.target.constant = rope ? 1.4 : 1;
            drive(model, &spring);
            end at = run(model, 1e-3, 0.7, theta, SCREE_MOREAU_JEAN_FREMOND);
            // 0.2 s of flight, half a period of contact, then back
            double left = 0.7 - 0.2 - pi * sqrt(2.0 / 200);
            double v = at.v[0], place = (rope ? 1.4 : 1) + (rope ? -1 : 1) * left;
            CHECK(fabs(v) <= 1 + 1e-9);
            if (theta == 0.5) CHECK_NEAR(v, rope ? -1.0 : 1.0, 1e-9);
            if (theta == 0.5) CHECK_NEAR(at.q[0], place, 2e-3);
            CHECK(at.totals.numerical_dissipation <= 0);
            CHECK_NEAR(at.totals.damping_work, 0, 1e-9);
            scree_model_free(model);
        }
}

static double hardening(const void *self, double e, double *slope) {
    (void)self;
    *slope = e + e * e * e;
    return e * e / 2 + e * e * e * e / 4;
}

// Duffing's oscillator keeps its energy at theta 1/2, whatever the step, and loses some above
static void a_nonlinear_spring(void) {
    for (double theta = 0.5; theta <= 1; theta += 0.5) {
        scree_model *model = one_disc(5, 3);
        int joint = join(model, SCREE_DISTANCE, 0, SCREE_GROUND, (double[]){ 5, 0, 0 }, origin);
        scree_drive spring = scree_drive_default(SCREE_SPRING, joint);
        spring.energy = hardening;
        spring.target.constant = 4;
        drive(model, &spring);
        end at = run(model, 0.05, 20, theta, SCREE_MOREAU_JEAN);
        if (theta == 0.5) CHECK_NEAR(at.energy, 9.75, 1e-6);
        if (theta == 1) CHECK(at.energy < 9.75);
        CHECK_NEAR(at.totals.damping_work, 0, 1e-6);
        scree_model_free(model);
    }
}

// a slider driven at 1 m/s with at most 4 N: v = 2 t until it is there, then it stays
static void a_motor_that_saturates(void) {
    for (double theta = 0.5; theta <= 1; theta += 0.25) {
        scree_model *model = one_disc(0, 0);
        int joint = join(model, SCREE_SLIDER, 0, SCREE_GROUND, origin, origin);
        scree_drive motor = scree_drive_default(SCREE_MOTOR_VELOCITY, joint);
        motor.target.constant = 1;
        motor.most = 4;
        drive(model, &motor);
        end early = run(model, 1e-3, 0.25, theta, SCREE_MOREAU_JEAN),
            late = run(model, 1e-3, 1, theta, SCREE_MOREAU_JEAN);
        CHECK_NEAR(early.v[0], 0.5, 1e-9);
        CHECK_NEAR(late.v[0], 1, 2e-3);
        CHECK_NEAR(late.totals.motor_work + late.totals.numerical_dissipation, late.energy, 1e-9);
        scree_model_free(model);
    }
}

static double ramp(const void *self, double t, double *rate) {
    (void)self;
    *rate = 2 * t;
    return t * t;
}

static double steady(const void *self, double t, double *rate) {
    (void)self;
    *rate = 1;
    return t;
}

// From rest a motor of velocity has its rate after one step and one of position after two, and
// both keep it; whatever they did on the way is in the ledger.
static void motors_from_rest(void) {
    for (int k = 0; k < 12; k++) {
        double theta = 0.5 + 0.25 * (k / 4), h = 0.01;
        bool position = k & 1;
        scree_model *model = one_disc(0, 0);
        int joint = join(model, SCREE_HINGE, 0, SCREE_GROUND, origin, origin);
        scree_drive motor =
            scree_drive_default(position ? SCREE_MOTOR_POSITION : SCREE_MOTOR_VELOCITY, joint);
        motor.target.constant = 1;
        if (position) motor.target.at = steady;
        drive(model, &motor);
        int steps = 2 + (k & 2) / 2;  // an odd number of them, and an even one
        end at = run(model, h, steps * h, theta, SCREE_MOREAU_JEAN_FREMOND);
        CHECK_NEAR(at.v[2], 1, 1e-9);
        CHECK_NEAR(at.q[2], steps * h - (position ? 0 : (1 - theta) * h), 1e-9);
        CHECK_NEAR(at.totals.motor_work + at.totals.numerical_dissipation, at.energy, 1e-9);
        scree_model_free(model);
    }
}

// A servo follows a parabola; off by what the mean of its end rates misses, nothing with theta 1/2.
// A given force does F^2 t^2/2m.
static void a_servo_and_a_force(void) {
    scree_model *model = one_disc(0, 0);
    int joint = join(model, SCREE_SLIDER, 0, SCREE_GROUND, origin, origin);
    scree_drive motor = scree_drive_default(SCREE_MOTOR_POSITION, joint);
    motor.target.at = ramp;
    drive(model, &motor);
    end at;
    for (double theta = 0.5; theta <= 1; theta += 0.25) {
        at = run(model, 0.01, 1, theta, SCREE_MOREAU_JEAN_FREMOND);
        CHECK_NEAR(at.q[0], 1 + (1 - theta) * (2 * theta - 1) * 1e-4, 1e-9);
    }
    scree_model_free(model);

    model = one_disc(0, 0);
    joint = join(model, SCREE_SLIDER, 0, SCREE_GROUND, origin, origin);
    motor = scree_drive_default(SCREE_MOTOR_FORCE, joint);
    motor.target.constant = 3;
    drive(model, &motor);
    at = run(model, 0.01, 1, 0.5, SCREE_MOREAU_JEAN_FREMOND);
    CHECK_NEAR(at.v[0], 1.5, 1e-8);
    CHECK_NEAR(at.totals.motor_work, 2.25, 1e-7);
    scree_model_free(model);
}

// Random nets of bodies, joints and springs: nothing creates energy, whatever theta and step are,
// and the ledger closes.
static void random_nets(void) {
    seed = 99;
    for (int round = 0; round < 60; round++) {
        scree_error err = { 0 };
        scree_model *model = scree_model_new();
        double at[5][3] = { { 0 } };
        for (int i = 0; i < 5; i++) {
            at[i][0] = i + uniform(-0.2, 0.2);
            at[i][1] = uniform(-1, 1);
            scree_body body = { .name = "body",
                                .mass = uniform(0.5, 2),
                                .inertia = uniform(0.2, 1),
                                .velocity = { uniform(-2, 2), uniform(-2, 2) },
                                .spin = uniform(-2, 2) };
            memcpy(body.position, at[i], sizeof body.position);
            CHECK(scree_model_add_body(model, &body, &err) == SCREE_OK);
        }
        for (int i = 0; i < 5; i++) {
            int other = i == 0 ? SCREE_GROUND : random_int(0, i - 1);
            double to[3] = { uniform(-1, 0), 2, 0 };
            if (other >= 0) memcpy(to, at[other], sizeof to);
            int joint = join(model, SCREE_DISTANCE, i, other, at[i], to);
            scree_drive spring = scree_drive_default(SCREE_SPRING, joint);
            spring.stiffness = pow(10, uniform(-1, 4));
            spring.damping = uniform(0, 1) < 0.5 ? 0 : uniform(0, 5);
            spring.sense = (scree_drive_sense)random_int(0, 2);
            spring.target.constant = uniform(0.5, 1.5);
            drive(model, &spring);
        }
        double theta = uniform(0, 1) < 0.3 ? 0.5 : uniform(0.5, 1);
        CHECK(scree_model_finish(model, &err) == SCREE_OK);
        end done = run(model, pow(10, uniform(-3, -1.5)), 0.3, theta,
                       round % 2 ? SCREE_MOREAU_JEAN : SCREE_MOREAU_JEAN_FREMOND);
        CHECK(done.totals.numerical_dissipation <= 1e-9);
        CHECK(done.totals.damping_work <= 1e-6);
        scree_model_free(model);
    }
}

TEST_FILE(test_drives) {
    TEST(an_oscillator);
    TEST(a_stiff_spring);
    TEST(one_sided);
    TEST(a_nonlinear_spring);
    TEST(a_motor_that_saturates);
    TEST(motors_from_rest);
    TEST(a_servo_and_a_force);
    TEST(random_nets);
    return harness_end();
}
