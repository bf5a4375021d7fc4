// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// test_joints.c - joints in steps: every kind with every scheme keeps its equations and closes the
// ledger, ideal ones do no work; closed forms; limits; loops.

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness.h"
#include "model/drive.h"
#include "model/joint.h"
#include "random.h"
#include "scree/scree.h"

static void must(scree_status status, const scree_error *err) {
    if (status) COMPLAIN("%s", err->text);
}

// a body that tumbles, at a random place
static void add_body(scree_model *model, const char *name, double x, double y, double z) {
    scree_error err;
    scree_body body = scree_body_default();
    body.name = name;
    body.mass = uniform(0.5, 2);
    body.inertia = uniform(0.05, 0.2);
    body.tensor[0] = uniform(0.1, 0.15);
    body.tensor[3] = uniform(0.1, 0.2);
    body.tensor[5] = uniform(0.15, 0.2);
    body.position[0] = x;
    body.position[1] = y;
    body.position[2] = model->space == 3 ? z : 0;
    for (int k = 0; k < 3; k++) {
        body.velocity[k] = k < model->space ? uniform(-1, 1) : 0;
        body.angular[k] = uniform(-2, 2);
    }
    body.spin = uniform(-2, 2);
    must(scree_model_add_body(model, &body, &err), &err);
}

static scree_joint joint_at(scree_joint_kind kind, int a, int b, double x, double y, double z) {
    scree_joint joint = scree_joint_default(kind, a, b);
    joint.name = scree_joint_kind_name(kind);
    for (int i = 0; i < 2; i++) {
        joint.anchor[i][0] = x;
        joint.anchor[i][1] = y;
        joint.anchor[i][2] = z;
    }
    return joint;
}

static bool far_ends(scree_joint_kind kind) { return kind == SCREE_ROD || kind == SCREE_ROPE; }

// two bodies: one held by the ground in some way, the other by the first one in the way of `kind`
static scree_model *make_pair(int space, scree_joint_kind kind) {
    scree_error err;
    scree_model *model = scree_model_new();
    must(scree_model_set_space(model, space, &err), &err);
    scree_model_set_gravity(model, 0.5, space == 2 ? -9.81 : 0.3, -9.81);
    add_body(model, "one", 0.4, 0.1, 0.2);
    add_body(model, "two", 0.9, -0.3, 0.4);
    scree_joint base = joint_at(space == 3 ? SCREE_BALL : SCREE_HINGE, 0, SCREE_GROUND, 0, 0, 0);
    scree_joint joint = joint_at(kind, 1, 0, 0.6, -0.1, space == 3 ? 0.3 : 0);
    if (far_ends(kind)) joint.anchor[0][0] += 0.5;
    joint.axis[0] = 0.6;
    joint.axis[1] = -0.8;
    joint.axis[2] = space == 3 ? 0.5 : 0;
    if (kind == SCREE_UNIVERSAL) {
        joint.axis_second[0] = 0.8;
        joint.axis_second[1] = 0.6;
    }
    joint.pitch = 0.4;
    if (kind == SCREE_HOLD) {
        joint.b = SCREE_GROUND;
        joint.held = SCREE_HOLD_Y | SCREE_HOLD_TURN;
    }
    must(scree_model_add_joint(model, &base, &err), &err);
    if (kind == SCREE_COUPLER) {  // of two hinges: a third body turns with the second
        scree_joint hinge = joint_at(SCREE_HINGE, 1, 0, 0.6, -0.1, space == 3 ? 0.3 : 0);
        hinge.axis[1] = 0.3;
        must(scree_model_add_joint(model, &hinge, &err), &err);
        add_body(model, "three", -0.4, 0.2, 0);
        hinge = joint_at(SCREE_HINGE, 2, 0, 0.2, 0.2, 0);
        hinge.axis[1] = 0.3;
        must(scree_model_add_joint(model, &hinge, &err), &err);
        joint.joint[0] = 1;
        joint.joint[1] = 2;
        joint.ratio = 1.7;
    }
    must(scree_model_add_joint(model, &joint, &err), &err);
    must(scree_model_finish(model, &err), &err);
    return model;
}

static scree_stepper *make_stepper(const scree_model *model, scree_scheme name, double theta,
                                   double step) {
    scree_error err;
    scree_scheme_options scheme = scree_scheme_options_default();
    scree_solver_options solver = scree_solver_options_default();
    scheme.name = name;
    scheme.theta = theta;
    scheme.step = step;
    scree_stepper *stepper = NULL;
    must(scree_stepper_new(model, &scheme, &solver, &stepper, &err), &err);
    return stepper;
}

// how far equations are off
static double drift(const scree_model *model, const double *q) {
    double most = 0;
    for (int k = 0; k < model->joints; k++) {
        scree_joint_row row[SCREE_JOINT_ROWS];
        scree_joint_rows_of(model, k, q, q, row);
        for (int r = 0; r < scree_joint_equations(model, k); r++) most = fmax(most, fabs(row[r].g));
    }
    return most;
}

typedef struct outcome {
    double drift, residual, work, created, first, last;
    int steps, touching;  // touching: contacts of bodies that bore something, in all steps
} outcome;

static outcome run(const scree_model *model, scree_stepper *stepper, int steps) {
    scree_error err;
    double *scratch = calloc((size_t)(3 * model->dofs), sizeof *scratch);
    outcome out = { 0 };
    scree_account account = { .ledger =
                                  scree_ledger_of_state(model, scree_stepper_state(stepper)) };
    out.first = account.ledger.kinetic + account.ledger.potential;
    for (; out.steps < steps; out.steps++) {
        scree_status status = scree_stepper_advance(stepper, &err);
        if (status) {
            COMPLAIN("%s", err.text);
            break;
        }
        const scree_step_record *record = scree_stepper_record(stepper);
        scree_account_step(model, record->scheme->theta, 1e-10, record, &account, scratch);
        out.residual = fmax(out.residual, fabs(account.ledger.residual) / account.ledger.bound);
        out.work += fabs(account.ledger.joint_work);
        for (int i = 0; i < record->contacts; i++)
            out.touching += record->contact[i].a >= 0 && record->contact[i].impulse[0] > 0;
        if (account.energy_created > account.ledger.bound) out.created += account.energy_created;
        out.drift = fmax(out.drift, drift(model, record->after.q));
    }
    out.last = account.ledger.kinetic + account.ledger.potential;
    free(scratch);
    return out;
}

static void every_kind_closes_the_ledger(void) {
    static const struct {
        scree_scheme name;
        double theta;
    } scheme[] = { { SCREE_MOREAU_JEAN, 0.5 },         { SCREE_MOREAU_JEAN, 1 },
                   { SCREE_MOREAU_JEAN_FREMOND, 0.5 }, { SCREE_MOREAU_JEAN_FREMOND, 0.8 },
                   { SCREE_MOREAU_JEAN_FREMOND, NAN }, { SCREE_MOREAU, 0.5 } };
    for (int space = 2; space <= 3; space++)
        for (int kind = 0; kind < SCREE_JOINT_KINDS; kind++) {
            bool plane = kind == SCREE_HINGE || kind == SCREE_SLIDER || kind == SCREE_WELD ||
                         kind == SCREE_ROD || kind == SCREE_ROPE || kind == SCREE_POINT_ON_LINE ||
                         kind == SCREE_COUPLER || kind == SCREE_HOLD;
            if (space == 2 && !plane) continue;
            for (size_t s = 0; s < sizeof scheme / sizeof *scheme; s++) {
                seed = 17 + (uint64_t)kind;
                scree_model *model = make_pair(space, (scree_joint_kind)kind);
                scree_stepper *stepper = make_stepper(model, scheme[s].name, scheme[s].theta, 2e-3);
                outcome out = { 0 };
                if (stepper) out = run(model, stepper, 200 / FEWER);
                bool fine = out.steps == 200 / FEWER && out.residual < 1 && out.drift < 1e-9 &&
                            (kind == SCREE_ROPE || out.work < 1e-7);
                if (!fine || getenv("SCREE_JOINTS_VERBOSE"))
                    printf(
                        "%s in %d, scheme %zu: %d steps, drift %.2g, ledger %.2g, work %.2g, "
                        "energy %.9g -> %.9g\n",
                        scree_joint_kind_name((scree_joint_kind)kind), space, s, out.steps,
                        out.drift, out.residual, out.work, out.first, out.last);
                CHECK(fine);
                if (scheme[s].theta == 0.5 && kind != SCREE_ROPE)
                    CHECK_NEAR(out.first, out.last, 1e-7 * (1 + fabs(out.first)));
                scree_stepper_free(stepper);
                scree_model_free(model);
            }
        }
}

// what is left of a unit mass between rails under 3 sin 2t with mu = 0.3: v = 1 - 0.45 (1 - cos 2)
static double load_across(const void *self, double t, double *rate) {
    (void)self;
    *rate = 6 * cos(2 * t);
    return 3 * sin(2 * t);
}

static double rails_error(double theta, double step) {
    scree_error err;
    scree_model *model = scree_model_new();
    scree_body body = { .name = "mass", .mass = 1, .inertia = 1, .velocity = { 1 } };
    body.force[1] = (scree_function){ .at = load_across };
    must(scree_model_add_body(model, &body, &err), &err);
    scree_joint rails = joint_at(SCREE_SLIDER, 0, SCREE_GROUND, 0, 0, 0);
    rails.axis[0] = 1;
    rails.friction = 0.3;
    must(scree_model_add_joint(model, &rails, &err), &err);
    must(scree_model_finish(model, &err), &err);
    scree_stepper *stepper = make_stepper(model, SCREE_MOREAU_JEAN_FREMOND, theta, step);
    outcome out = run(model, stepper, (int)round(1 / step));
    double v = 1 - 0.45 * (1 - cos(2)), error = fabs(out.last - v * v / 2);
    CHECK(out.residual < 1);
    CHECK_NEAR(out.work, 0.5 - out.last, 1e-9);
    scree_stepper_free(stepper);
    scree_model_free(model);
    return error;
}

static void friction_is_mu_times_the_reaction(void) {
    CHECK_NEAR(rails_error(0.5, 1e-2), 0, 2e-5);
    CHECK_NEAR(rails_error(0.5, 1e-3), 0, 2e-7);
}

// a pin of radius r stops a wheel on its hinge after w^2 J / (2 mu m g r) radians
static void a_wheel_stops_where_it_should(void) {
    scree_error err;
    scree_model *model = scree_model_new();
    double mu = 0.2, r = 0.05, J = 0.5, w = 2, m = 3, g = 9.81;
    scree_model_set_gravity(model, 0, -g, 0);
    scree_body body = { .name = "wheel", .mass = m, .inertia = J, .spin = w };
    must(scree_model_add_body(model, &body, &err), &err);
    scree_joint hinge = joint_at(SCREE_HINGE, 0, SCREE_GROUND, 0, 0, 0);
    hinge.friction = mu;
    hinge.radius = r;
    must(scree_model_add_joint(model, &hinge, &err), &err);
    must(scree_model_finish(model, &err), &err);
    scree_stepper *stepper = make_stepper(model, SCREE_MOREAU_JEAN_FREMOND, 0.5, 1e-3);
    outcome out = run(model, stepper, 5000);
    CHECK(out.residual < 1);
    // the mean velocity of the last steps is 0, their ends alternate by less than a step's change
    CHECK_NEAR(scree_stepper_state(stepper)->v[2], 0, mu * m * g * r / J * 1e-3);
    CHECK_NEAR(scree_stepper_state(stepper)->q[2], w * w * J / (2 * mu * m * g * r), 2e-3);
    scree_stepper_free(stepper);
    scree_model_free(model);
}

// a door strikes its stops and bounces: w' = -e w
static void limits_bounce(void) {
    scree_error err;
    scree_model *model = scree_model_new();
    scree_body body = { .name = "door", .mass = 2, .inertia = 0.3, .position = { 0.5 } };
    body.velocity[1] = 0.5;
    body.spin = 1;
    must(scree_model_add_body(model, &body, &err), &err);
    scree_joint hinge = joint_at(SCREE_HINGE, 0, SCREE_GROUND, 0, 0, 0);
    hinge.upper = 0.5;
    hinge.lower = -0.25;
    hinge.restitution = 0.5;
    must(scree_model_add_joint(model, &hinge, &err), &err);
    must(scree_model_finish(model, &err), &err);
    scree_stepper *stepper = make_stepper(model, SCREE_MOREAU_JEAN_FREMOND, NAN, 1e-3);
    outcome out = run(model, stepper, 1000);  // strikes at 0.5 s, is on its way back
    CHECK(out.residual < 1);
    CHECK_NEAR(scree_stepper_state(stepper)->v[2], -0.5, 1e-3);
    out = run(model, stepper, 2000);  // strikes the other at 2 s
    CHECK_NEAR(scree_stepper_state(stepper)->v[2], 0.25, 1e-3);
    CHECK(out.residual < 1 && out.drift < 1e-10);
    scree_stepper_free(stepper);
    scree_model_free(model);
}

static double two_t(const void *self, double t, double *rate) {
    (void)self;
    *rate = 2;
    return 2 * t;
}

// the angle of a hinge in space jumps at pi, what drives it does not: a motor goes on, and a spring
// that is wound further lets go and gives nothing
static void angles_pass_pi(void) {
    for (int kind = 0; kind < 3; kind++) {  // a motor, one that is soft, a spring
        scree_error err;
        scree_model *model = scree_model_new();
        must(scree_model_set_space(model, 3, &err), &err);
        scree_body body = { .name = "wheel", .mass = 1, .tensor = { 1, 0, 0, 1, 0, 1 } };
        body.orientation[0] = 1;
        body.angular[2] = kind == 2 ? 5 : 2;
        must(scree_model_add_body(model, &body, &err), &err);
        scree_joint hinge = joint_at(SCREE_HINGE, 0, SCREE_GROUND, 0, 0, 0);
        hinge.axis[2] = 1;
        must(scree_model_add_joint(model, &hinge, &err), &err);
        scree_drive drive = scree_drive_default(kind == 2 ? SCREE_SPRING : SCREE_MOTOR_POSITION, 0);
        drive.name = "drive";
        drive.stiffness = kind;
        if (kind == 2)
            drive.target.constant = 1;
        else
            drive.target.at = two_t;
        must(scree_model_add_drive(model, &drive, &err), &err);
        must(scree_model_finish(model, &err), &err);
        scree_stepper *stepper = make_stepper(model, SCREE_MOREAU_JEAN_FREMOND, 0.5, 1e-2);
        double angle, rate, spring = scree_drives_energy(model, scree_stepper_state(stepper));
        outcome out = run(model, stepper, 500);
        const scree_state *end = scree_stepper_state(stepper);
        CHECK_INT(out.steps, 500);
        CHECK(out.residual < 1 && out.drift < 1e-9);
        scree_joint_coordinate(model, 0, end, &angle, &rate);
        if (kind < 2) CHECK_NEAR(remainder(angle - 10, 2 * M_PI), 0, 1e-3);
        if (kind < 2) CHECK_NEAR(rate, 2, 1e-3);
        if (kind == 2) CHECK(rate * rate / 2 + scree_drives_energy(model, end) <= 12.5 + spring);
        if (kind == 2) CHECK(fabs(rate) > 1);
        scree_stepper_free(stepper);
        scree_model_free(model);
    }
}

// many steps: equations stay where they are
static void nothing_drifts(void) {
    seed = 5;
    for (int space = 2; space <= 3; space++) {
        scree_model *model = make_pair(space, SCREE_HINGE);
        scree_stepper *stepper = make_stepper(model, SCREE_MOREAU_JEAN_FREMOND, 0.5, 2e-3);
        outcome first = run(model, stepper, 1000), last = { 0 };
        for (int k = 0; k < (SANITIZED ? 1 : 8); k++) last = run(model, stepper, 1000);
        CHECK(first.drift < 1e-10 && last.drift < 1e-10 && last.residual < 1);
        CHECK_NEAR(first.first, last.last, 1e-7 * (1 + fabs(first.first)));
        scree_stepper_free(stepper);
        scree_model_free(model);
    }
}

// bodies that do not fit are moved, and refused if there is no place where they would
static void the_start_is_assembled(void) {
    scree_error err;
    for (int kind = 0; kind < 3; kind++) {  // closed, a little off, too far to reach
        scree_model *model = scree_model_new();
        double bent = kind == 2 ? 0 : 0.5;  // what is straight reaches no further
        add_body(model, "one", 0.5, bent / 2, 0);
        add_body(model, "two", 1.5, bent / 2, 0);
        scree_joint hinge = joint_at(SCREE_HINGE, 0, SCREE_GROUND, 0, 0, 0);
        must(scree_model_add_joint(model, &hinge, &err), &err);
        hinge = joint_at(SCREE_HINGE, 1, 0, 1, bent, 0);
        must(scree_model_add_joint(model, &hinge, &err), &err);
        hinge = joint_at(SCREE_HINGE, 1, SCREE_GROUND, 2, 0, 0);
        hinge.anchor[1][0] = kind == 0 ? 2 : kind == 1 ? 1.98 : 2.02;
        hinge.anchor[1][1] = kind == 1 ? 0.01 : 0;
        must(scree_model_add_joint(model, &hinge, &err), &err);
        scree_status status = scree_model_finish(model, &err);
        CHECK_INT(status, kind == 2 ? SCREE_BAD_INPUT : SCREE_OK);
        if (kind == 2 && status) CHECK(strstr(err.text, "cannot close with"));
        scree_assembly found = scree_model_assembly(model);
        if (kind == 1) CHECK_INT(found.joint, 2);
        if (kind == 1) CHECK_NEAR(found.distance, 0.02, 1e-12);
        scree_model_free(model);
    }
}

// two hinges in one line: the second says nothing new
static void redundancy_is_counted(void) {
    scree_error err;
    scree_model *model = scree_model_new();
    must(scree_model_set_space(model, 3, &err), &err);
    scree_model_set_gravity(model, 0, -9.81, 0);
    add_body(model, "door", 0.5, 0, 0);
    for (int k = 0; k < 2; k++) {
        scree_joint hinge = joint_at(SCREE_HINGE, 0, SCREE_GROUND, 0, 0, k);
        must(scree_model_add_joint(model, &hinge, &err), &err);
    }
    must(scree_model_finish(model, &err), &err);
    CHECK_INT(scree_model_assembly(model).redundant, 5);
    scree_stepper *stepper = make_stepper(model, SCREE_MOREAU_JEAN_FREMOND, 0.5, 1e-3);
    outcome out = run(model, stepper, 200);
    CHECK(out.steps == 200 && out.residual < 1 && out.drift < 1e-9);
    scree_stepper_free(stepper);
    scree_model_free(model);
}

// A gate on three hinges in one line, added in every order: the reactions are those of least norm,
// a third of the weight each, and the same to rounding; all three are named.
static void least_reactions_in_any_order(void) {
    static const int order[6][3] = { { 0, 1, 2 }, { 0, 2, 1 }, { 1, 0, 2 },
                                     { 1, 2, 0 }, { 2, 0, 1 }, { 2, 1, 0 } };
    static const double height[3] = { 0.3, 1.1, 1.7 };
    double first[3][6];
    for (int n = 0; n < 6; n++) {
        scree_error err;
        scree_model *model = scree_model_new();
        scree_body gate = scree_body_default();
        gate.name = "gate";
        gate.mass = 20;
        gate.tensor[0] = gate.tensor[3] = 5;
        gate.tensor[5] = 1;
        gate.position[0] = 0.5;
        gate.position[2] = 1;
        must(scree_model_set_space(model, 3, &err), &err);
        scree_model_set_gravity(model, 0, 0, -9.81);
        must(scree_model_add_body(model, &gate, &err), &err);
        for (int k = 0; k < 3; k++) {
            scree_joint hinge = joint_at(SCREE_HINGE, 0, SCREE_GROUND, 0, 0, height[order[n][k]]);
            must(scree_model_add_joint(model, &hinge, &err), &err);
        }
        must(scree_model_finish(model, &err), &err);
        scree_assembly found = scree_model_assembly(model);
        CHECK_INT(found.redundant, 10);
        CHECK_INT(found.joints, 3);
        scree_stepper *stepper = make_stepper(model, SCREE_MOREAU_JEAN_FREMOND, 0.5, 1e-2);
        for (int step = 0; step < 3; step++) must(scree_stepper_advance(stepper, &err), &err);
        const scree_step_record *record = scree_stepper_record(stepper);
        for (int k = 0; k < 3; k++) {
            scree_joint_reaction sum = { 0 };
            for (int i = 0; i < record->contacts; i++)
                if (scree_joint_of_contact(model, &record->contact[i]) == k)
                    scree_joint_add_reaction(model, record->after.q, &record->contact[i], 1e-2,
                                             &sum);
            CHECK_NEAR(sum.force[2], 20 * 9.81 / 3, 1e-8);
            for (int c = 0; c < 6; c++) {
                double value = c < 3 ? sum.force[c] : sum.moment[c - 3];
                if (n == 0) first[order[n][k]][c] = value;
                CHECK_NEAR(value, first[order[n][k]][c], 1e-9);
            }
        }
        scree_stepper_free(stepper);
        scree_model_free(model);
    }
}

// a tree of balls, each joined to an earlier one or to nothing, above rough ground
static scree_model *make_linkage(int space) {
    static const scree_joint_kind plane[] = { SCREE_HINGE, SCREE_SLIDER, SCREE_ROD, SCREE_ROPE };
    scree_error err;
    scree_model *model = scree_model_new();
    must(scree_model_set_space(model, space, &err), &err);
    scree_model_set_gravity(model, 0, space == 2 ? -9.81 : 0, -9.81);
    scree_body floor = { .name = "floor", .fixed = true };
    must(scree_model_add_body(model, &floor, &err), &err);
    scree_shape half = scree_shape_default(space == 2 ? SCREE_HALF_PLANE : SCREE_PLANE, 0);
    half.normal[space - 1] = 1;
    must(scree_model_add_shape(model, &half, &err), &err);
    int bodies = random_int(2, 6);
    for (int k = 1; k <= bodies; k++) {
        double up = uniform(0.12, 0.5), x = 0.4 * k;
        add_body(model, "ball", x, space == 2 ? up : 0, up);
        scree_shape ball = scree_shape_default(space == 2 ? SCREE_DISC : SCREE_SPHERE, k);
        ball.radius = 0.1;
        must(scree_model_add_shape(model, &ball, &err), &err);
        if (k == 1 || uniform(0, 1) < 0.1) continue;
        scree_joint_kind kind =
            space == 2 ? plane[random_int(0, 3)] : (scree_joint_kind)random_int(0, SCREE_ROPE);
        scree_joint joint = joint_at(kind, k, k - 1, x - 0.2, uniform(0, 0.3), uniform(0, 0.3));
        if (space == 2) joint.anchor[0][2] = joint.anchor[1][2] = 0;
        if (far_ends(kind)) joint.anchor[0][0] = x;
        joint.axis[0] = uniform(0.5, 1);
        joint.axis_second[1] = 1;
        if (kind == SCREE_UNIVERSAL) joint.axis[1] = 0;
        joint.pitch = 0.1;
        if (kind == SCREE_HINGE || kind == SCREE_SLIDER) {
            joint.upper = uniform(0.05, 1);
            joint.lower = -1;
            joint.friction = random_int(0, 1) * uniform(0, 0.5);
            joint.radius = 0.02;
        }
        must(scree_model_add_joint(model, &joint, &err), &err);
    }
    scree_law law = { .restitution = random_int(0, 1) * 0.4, .friction = uniform(0, 0.8) };
    must(scree_model_add_law(model, -1, -1, law, &err), &err);
    must(scree_model_finish(model, &err), &err);
    return model;
}

static void random_linkages_create_no_energy(void) {
    seed = 11;
    int runs = SANITIZED ? 10 : 60, touching = 0;
    for (int k = 0; k < runs; k++) {
        scree_model *model = make_linkage(2 + k % 2);
        scree_stepper *stepper = make_stepper(model, SCREE_MOREAU_JEAN_FREMOND, NAN, 1e-3);
        outcome out = run(model, stepper, 150);
        CHECK_INT(out.steps, 150);
        touching += out.touching;
        CHECK(out.residual < 1);
        CHECK_NEAR(out.created, 0, 1e-9);
        if (!(out.drift < 1e-7)) COMPLAIN("linkage %d drifts by %g", k, out.drift);
        scree_stepper_free(stepper);
        scree_model_free(model);
    }
    CHECK(touching > 10 * runs);
}

// the parallelogram of three bars that falls from where it stands
static scree_model *make_parallelogram(double left) {
    static const double at[3][2] = { { 0, 0.5 }, { 1, 0.5 }, { 0.5, 1 } };
    static const char *const name[4] = { "left", "right", "upper left", "upper right" };
    scree_error err;
    scree_model *model = scree_model_new();
    scree_model_set_gravity(model, 0, -10, 0);
    for (int i = 0; i < 3; i++) {
        scree_body body = scree_body_default();
        body.name = name[i];
        body.mass = i ? 1 : left;
        body.inertia = 0.1 * body.mass;
        memcpy(body.position, at[i], sizeof at[i]);
        body.velocity[0] = i == 2;
        must(scree_model_add_body(model, &body, &err), &err);
    }
    for (int k = 0; k < 4; k++) {
        scree_joint hinge =
            joint_at(SCREE_HINGE, k < 2 ? k : 2, k < 2 ? SCREE_GROUND : k - 2, k % 2, k / 2, 0);
        hinge.name = name[k];
        must(scree_model_add_joint(model, &hinge, &err), &err);
    }
    must(scree_model_finish(model, &err), &err);
    return model;
}

// Where a linkage lies flat it may go on in two ways, and reactions are not determined: steps go
// through it, if need be with joints a little open for one step.
static void a_flat_linkage(void) {
    static const double step[] = { 1e-3, 3e-3, 3e-2, 1e-1 };
    scree_error err = { 0 };
    for (int k = 0; k < 8; k++) {
        scree_model *model = make_parallelogram(k < 4 ? 1 : 3);
        scree_run_options options = scree_run_options_default();
        scree_simulation *simulation = NULL;
        scree_status status;
        options.scheme.step = step[k % 4];
        options.duration = SANITIZED ? 2 : 6;
        must(scree_simulation_new(model, &options, &simulation, &err), &err);
        double energy = scree_simulation_energy(simulation);
        bool far = k % 4 == 3;  // half a turn in three steps
        do {
            status = scree_simulation_step(simulation, &err);
            CHECK(drift(model, scree_simulation_state(simulation)->q) < 2e-6);
            CHECK_NEAR(scree_simulation_energy(simulation), energy, far ? 1e-5 : 1e-7);
        } while (!status && scree_simulation_left(simulation) > 0);
        CHECK(!status || (far && status == SCREE_UNCONVERGED && strstr(err.text, "joint ")));
        CHECK(scree_simulation_totals(simulation)->residual_over_bound_max < 1);
        CHECK(scree_simulation_eased(simulation).opening <= 1e-6);
        scree_simulation_free(simulation);
        scree_model_free(model);
    }
}

TEST_FILE(test_joints) {
    TEST(every_kind_closes_the_ledger);
    TEST(friction_is_mu_times_the_reaction);
    TEST(a_wheel_stops_where_it_should);
    TEST(limits_bounce);
    TEST(angles_pass_pi);
    TEST(nothing_drifts);
    TEST(the_start_is_assembled);
    TEST(redundancy_is_counted);
    TEST(least_reactions_in_any_order);
    TEST(random_linkages_create_no_energy);
    TEST(a_flat_linkage);
    return harness_end();
}
