// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// test_random_linkages.c - random linkages above rough ground: the ledger closes, ideal joints do
// no work, and where the theorem is said to hold no energy is created. SCREE_LONG=1: thousands of
// them.

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness.h"
#include "random.h"
#include "scree/scree.h"

static void must(scree_status status, const scree_error *err) {
    if (status) COMPLAIN("%s", err->text);
}

typedef struct linkage {
    scree_model *model;
    bool ideal;  // nothing in it but equations
} linkage;

static void add_ground(scree_model *model) {
    scree_error err;
    int up = model->space - 1;
    scree_body floor = scree_body_default();
    floor.name = "floor";
    floor.fixed = true;
    must(scree_model_add_body(model, &floor, &err), &err);
    scree_shape half = scree_shape_default(model->space == 2 ? SCREE_HALF_PLANE : SCREE_PLANE, 0);
    half.normal[0] = half.normal[1] = half.normal[2] = 0;
    half.normal[up] = 1;
    must(scree_model_add_shape(model, &half, &err), &err);
}

static void add_ball(scree_model *model, double x, double up) {
    scree_error err;
    scree_body body = scree_body_default();
    body.name = "ball";
    body.mass = uniform(0.3, 3);
    body.inertia = uniform(0.05, 0.2);
    for (int k = 0; k < 3; k++) body.tensor[k == 0 ? 0 : k == 1 ? 3 : 5] = uniform(0.1, 0.18);
    body.position[0] = x;
    body.position[model->space - 1] = up;
    for (int k = 0; k < model->space; k++) body.velocity[k] = uniform(-1, 1);
    for (int k = 0; k < 3; k++) body.angular[k] = uniform(-2, 2);
    body.spin = uniform(-2, 2);
    must(scree_model_add_body(model, &body, &err), &err);
    scree_shape ball =
        scree_shape_default(model->space == 2 ? SCREE_DISC : SCREE_SPHERE, model->bodies - 1);
    ball.radius = 0.1;
    must(scree_model_add_shape(model, &ball, &err), &err);
}

// limits, friction and a spring, sometimes
static void dress(linkage *it, scree_joint *joint) {
    if (joint->kind != SCREE_HINGE && joint->kind != SCREE_SLIDER) return;
    if (random_int(0, 2) == 0) {
        joint->upper = uniform(0.05, 1);
        joint->lower = -1;
        joint->restitution = random_int(0, 1) * uniform(0, 0.6);
        it->ideal = false;
    }
    if (random_int(0, 2) == 0) {
        joint->friction = uniform(0, 0.5);
        joint->radius = 0.02;
        it->ideal = false;
    }
}

static void add_spring(linkage *it, int joint) {
    scree_error err;
    scree_joint_kind kind = it->model->joint[joint].kind;
    if ((kind != SCREE_HINGE && kind != SCREE_SLIDER) || random_int(0, 3)) return;
    scree_drive spring = scree_drive_default(SCREE_SPRING, joint);
    spring.name = "spring";
    spring.stiffness = pow(10, uniform(0, 4));
    spring.damping = random_int(0, 1) * uniform(0, 3);
    must(scree_model_add_drive(it->model, &spring, &err), &err);
    it->ideal = false;
}

static void join(linkage *it, int a, int b, scree_joint_kind kind) {
    scree_error err;
    const scree_body *one = &it->model->body[a], *two = &it->model->body[b];
    scree_joint joint = scree_joint_default(kind, a, b);
    bool far = kind == SCREE_ROD || kind == SCREE_ROPE;
    joint.name = "joint";
    for (int k = 0; k < it->model->space; k++) {
        double middle = (one->position[k] + two->position[k]) / 2 + uniform(-0.05, 0.05);
        joint.anchor[0][k] = far ? one->position[k] : middle;
        joint.anchor[1][k] = far ? two->position[k] : middle;
    }
    joint.axis[0] = uniform(0.5, 1);
    joint.axis[1] = kind == SCREE_UNIVERSAL ? 0 : uniform(-1, 1);
    joint.axis_second[1] = 1;
    joint.pitch = 0.1;
    if (kind == SCREE_ROPE) it->ideal = false;
    dress(it, &joint);
    must(scree_model_add_joint(it->model, &joint, &err), &err);
    add_spring(it, it->model->joints - 1);
}

static linkage make_linkage(int space) {
    static const scree_joint_kind plane[] = { SCREE_HINGE, SCREE_SLIDER, SCREE_ROD, SCREE_ROPE };
    scree_error err;
    linkage it = { .model = scree_model_new(), .ideal = true };
    int bodies = random_int(2, 7);
    must(scree_model_set_space(it.model, space, &err), &err);
    scree_model_set_gravity(it.model, 0, space == 2 ? -9.81 : 0, space == 2 ? 0 : -9.81);
    add_ground(it.model);
    for (int k = 1; k <= bodies; k++) {
        add_ball(it.model, 0.4 * k, uniform(0.12, 0.5));
        if (k > 1)
            join(
                &it, k, random_int(k > 2 ? k - 2 : 1, k - 1),
                space == 2 ? plane[random_int(0, 3)] : (scree_joint_kind)random_int(0, SCREE_ROPE));
    }
    if (bodies > 3 && random_int(0, 1)) join(&it, bodies, 1, SCREE_ROD);  // a loop
    scree_law law = { .restitution = random_int(0, 1) * uniform(0, 0.8),
                      .friction = uniform(0, 0.8) };
    must(scree_model_add_law(it.model, -1, -1, law, &err), &err);
    must(scree_model_finish(it.model, &err), &err);
    return it;
}

typedef struct tally {
    int claimed, touched, refused;
} tally;

static void look_at(int number, tally *all) {
    scree_error err;
    linkage it = make_linkage(2 + number % 2);
    scree_run_options options = scree_run_options_default();
    options.scheme.step = 1e-3;
    options.duration = 0.15;
    options.scheme.name = number % 5 == 4 ? SCREE_MOREAU_JEAN : SCREE_MOREAU_JEAN_FREMOND;
    scree_simulation *simulation = NULL;
    scree_status status = scree_simulation_new(it.model, &options, &simulation, &err);
    must(status, &err);
    while (!status && scree_simulation_left(simulation) > 0)
        status = scree_simulation_step(simulation, &err);
    if (status && status != SCREE_UNCONVERGED) COMPLAIN("linkage %d: %s", number, err.text);
    all->refused += status == SCREE_UNCONVERGED;
    const scree_totals *totals = simulation ? scree_simulation_totals(simulation) : NULL;
    if (totals) {
        scree_theorem theorem = scree_ledger_theorem(it.model, &options.scheme);
        double size = 1 + fabs(scree_simulation_energy(simulation));
        CHECK(totals->residual_over_bound_max < 1);
        if (theorem.holds && totals->energy_created > 1e-9 * size)
            COMPLAIN("linkage %d: the theorem holds, and %g J are created", number,
                     totals->energy_created);
        if (it.ideal && fabs(totals->joint_work) > 1e-9 * size)
            COMPLAIN("linkage %d: ideal joints do %g J", number, totals->joint_work);
        all->claimed += theorem.holds;
        all->touched += totals->contact_normal_work != 0;
    }
    scree_simulation_free(simulation);
    scree_model_free(it.model);
}

static void random_linkages_keep_their_promises(void) {
    const char *asked = getenv("SCREE_LONG");
    int runs = asked && strcmp(asked, "1") == 0 ? 3000 : SANITIZED ? 8 : 48;
    tally all = { 0 };
    seed = 23;
    for (int k = 0; k < runs; k++) look_at(k, &all);
    CHECK(all.claimed > runs / 2);
    CHECK(all.touched > runs / 2);
    CHECK(all.refused <= runs / 1000);
}

TEST_FILE(test_random_linkages) {
    TEST(random_linkages_keep_their_promises);
    return harness_end();
}
