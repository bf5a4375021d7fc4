// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// test_joints.c - joints in steps: every kind with every scheme keeps its equations and closes the
// ledger, ideal ones do no work; closed forms; limits; loops.

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness.h"
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
    double drift, residual, work, first, last;
    int steps;
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
                         kind == SCREE_COUPLER;
            if (space == 2 && !plane) continue;
            for (size_t s = 0; s < sizeof scheme / sizeof *scheme; s++) {
                seed = 17 + (uint64_t)kind;
                scree_model *model = make_pair(space, (scree_joint_kind)kind);
                scree_stepper *stepper = make_stepper(model, scheme[s].name, scheme[s].theta, 2e-3);
                outcome out = { 0 };
                if (stepper) out = run(model, stepper, 200);
                bool fine = out.steps == 200 && out.residual < 1 && out.drift < 1e-9 &&
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

TEST_FILE(test_joints) {
    TEST(every_kind_closes_the_ledger);
    return harness_end();
}
