// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// test_random_linkages.c - random linkages above rough ground: the ledger closes, ideal joints do
// no work, and where the theorem is said to hold no energy is created; some of them hang on elastic
// beams, matrix systems and mechanisms, some joints have clearance, limits, friction, springs and
// motors. SCREE_LONG=1: thousands of them.

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

// room in its bush or guide, with friction and restitution of its own; true: it has that
static bool loosen(linkage *it, scree_joint *joint) {
    bool can = joint->kind == SCREE_HINGE || joint->kind == SCREE_SLIDER ||
               (joint->kind == SCREE_BALL && it->model->space == 3);
    if (!can || random_int(0, 3)) return false;
    joint->clearance = uniform(5e-3, 2e-2);
    joint->radius = 0.02;
    joint->length = joint->kind == SCREE_BALL ? 0 : 0.1;
    joint->restitution = random_int(0, 1) * uniform(0, 0.6);
    joint->friction = random_int(0, 1) * uniform(0, 0.5);
    it->ideal = false;
    return true;
}

// limits, friction and a spring, sometimes
static void dress(linkage *it, scree_joint *joint) {
    if (loosen(it, joint)) return;
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

// turns or pushes with what force it has
static void add_motor(linkage *it, int joint) {
    scree_error err;
    scree_joint_kind kind = it->model->joint[joint].kind;
    if ((kind != SCREE_HINGE && kind != SCREE_SLIDER) || random_int(0, 5)) return;
    bool follows = random_int(0, 1);
    scree_drive motor =
        scree_drive_default(follows ? SCREE_MOTOR_POSITION : SCREE_MOTOR_VELOCITY, joint);
    motor.name = "motor";
    motor.target.constant = uniform(-0.3, 0.3);
    motor.most = pow(10, uniform(-1, 2));
    if (follows) motor.stiffness = pow(10, uniform(0, 3));
    if (follows) motor.damping = uniform(0, 3);
    if (follows) motor.integral = random_int(0, 1) * uniform(0, 30);
    must(scree_model_add_drive(it->model, &motor, &err), &err);
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
    add_motor(it, it->model->joints - 1);
}

// --- what is no rigid body -----------------------------------------------------------------------

static void mass_of_arm(const void *self, const double *q, double *M, double *dM) {
    (void)self, (void)q;
    M[0] = 0.8;
    dM[0] = 0;
}

static double weight_of_arm(const void *self, const double *q, double *gradient) {
    (void)self;
    gradient[0] = 3 * sin(q[0]);
    return -3 * cos(q[0]);
}

// the hand of an arm of length 0.7 about (0, 1)
static double hand_of_arm(const void *self, int row, const double *q, double *gradient) {
    double s = 0.7 * sin(q[0]), c = 0.7 * cos(q[0]);
    (void)self;
    gradient[0] = row == 0 ? c : row == 1 ? s : 1;
    return row == 0 ? s : row == 1 ? 1 - c : q[0];
}

static int add_arm(scree_model *model) {
    static const double start[1] = { 0.4 }, rest[1] = { 0 };
    static const scree_mechanism_def arm = { .coordinates = 1,
                                             .mass = mass_of_arm,
                                             .potential = weight_of_arm,
                                             .position = start,
                                             .velocity = rest };
    scree_error err;
    const scree_marker hand = {
        .name = "hand", .kind = SCREE_MARKER_MECHANISM, .rows = 3, .value = hand_of_arm
    };
    must(scree_model_set_mechanism(model, &arm, &err), &err);
    must(scree_model_add_marker(model, &hand, &err), &err);
    return SCREE_MARKER(scree_model_markers(model) - 1);
}

// a mass on springs that moves in all directions
static int add_system(scree_model *model) {
    int n = model->space;
    double mass[9] = { 0 }, stiffness[9] = { 0 }, row[9] = { 0 }, zero[3] = { 0 };
    scree_error err;
    for (int k = 0; k < n; k++) {
        mass[k * n + k] = uniform(0.5, 2);
        stiffness[k * n + k] = pow(10, uniform(1, 3));
        row[k * n + k] = 1;
    }
    const scree_system system = {
        .coordinates = n, .mass = mass, .stiffness = stiffness, .position = zero, .velocity = zero
    };
    const scree_marker marker = {
        .name = "mass", .kind = SCREE_MARKER_SYSTEM, .rows = n, .row = row
    };
    must(scree_model_set_system(model, &system, &err), &err);
    must(scree_model_add_marker(model, &marker, &err), &err);
    return SCREE_MARKER(scree_model_markers(model) - 1);
}

// a beam above the ground whose left end is welded to it
static int add_beam(scree_model *model) {
    const double low[3] = { -1, model->space == 2 ? 0.6 : -0.05, 0.6 }, size[3] = { 0.8, 0.1, 0.1 };
    const int cells[3] = { 6, 1, 1 };
    scree_mesh *mesh = NULL;
    scree_error err;
    must(model->space == 2
             ? scree_mesh_rectangle(low, size, cells, SCREE_Q4, SCREE_DIAGONAL_RIGHT, &mesh, &err)
             : scree_mesh_box(low, size, cells, SCREE_H8, &mesh, &err),
         &err);
    scree_elastic beam = scree_elastic_default();
    const int boundary = scree_mesh_find(mesh, "boundary");
    beam.name = "beam";
    beam.mesh = mesh;
    beam.material.young = pow(10, uniform(5, 9));
    beam.material.poisson = 0.3;
    beam.material.density = 500;
    beam.contact_groups = random_int(0, 1);
    beam.contact_group = &boundary;
    must(scree_model_add_elastic(model, &beam, &err), &err);
    for (int end = 0; end < 2; end++) {
        const scree_marker marker = { .name = end ? "tip" : "root",
                                      .kind = SCREE_MARKER_PATCH,
                                      .body = model->elastics - 1,
                                      .group = scree_mesh_find(mesh, end ? "right" : "left") };
        must(scree_model_add_marker(model, &marker, &err), &err);
    }
    scree_mesh_free(mesh);
    int markers = scree_model_markers(model);
    scree_joint clamp = scree_joint_default(SCREE_WELD, SCREE_MARKER(markers - 2), SCREE_GROUND);
    clamp.name = "clamp";
    must(scree_model_add_joint(model, &clamp, &err), &err);
    return SCREE_MARKER(markers - 1);
}

// a ball that hangs on a marker, which is at this place
static void hang(linkage *it, int side, int body, const double at[3]) {
    static const scree_joint_kind plane[] = { SCREE_HINGE, SCREE_ROD, SCREE_POINT_ON_LINE,
                                              SCREE_ROPE };
    static const scree_joint_kind space[] = { SCREE_BALL, SCREE_ROD, SCREE_POINT_ON_LINE,
                                              SCREE_ROPE };
    scree_error err;
    bool flat = it->model->space == 2;
    scree_joint_kind kind = (flat ? plane : space)[random_int(0, 3)];
    scree_joint joint = scree_joint_default(kind, body, side);
    joint.name = "hanging";
    joint.axis[0] = 1;
    joint.axis[1] = uniform(-0.3, 0.3);
    bool far = kind == SCREE_ROD || kind == SCREE_ROPE;
    for (int k = 0; k < it->model->space; k++) {
        joint.anchor[1][k] = at[k];
        joint.anchor[0][k] = far ? it->model->body[body].position[k] : at[k];
    }
    if (kind == SCREE_ROPE) it->ideal = false;
    must(scree_model_add_joint(it->model, &joint, &err), &err);
}

// some linkages hang on something else
static void add_others(linkage *it, int number) {
    scree_model *model = it->model;
    bool flat = model->space == 2;
    const double tip[3] = { -0.2, flat ? 0.65 : 0, 0.65 };
    const double hand[3] = { 0.7 * sin(0.4), 1 - 0.7 * cos(0.4), 0 }, origin[3] = { 0 };
    int system = number % 3 == 1 ? add_system(model) : 0;
    if (system) hang(it, system, model->bodies - 1, origin);
    if (flat && number % 5 == 0) hang(it, add_arm(model), 1, hand);
    if (number % 4 == 2) hang(it, add_beam(model), 1, tip);
}

static linkage make_linkage(int space, int number) {
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
    add_others(&it, number / 2);
    scree_law law = { .restitution = random_int(0, 1) * uniform(0, 0.8),
                      .friction = uniform(0, 0.8) };
    must(scree_model_add_law(it.model, -1, -1, law, &err), &err);
    must(scree_model_finish(it.model, &err), &err);
    return it;
}

typedef struct tally {
    int claimed, touched, refused, marked, loose, driven;
} tally;

static void look_at(int number, tally *all) {
    scree_error err;
    linkage it = make_linkage(2 + number % 2, number);
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
        all->marked += scree_model_markers(it.model) > 0;
        all->driven += totals->motor_work != 0;
        for (int k = 0; k < it.model->joints; k++) all->loose += it.model->joint[k].clearance > 0;
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
    CHECK(all.marked > runs / 3);
    if (runs >= 48) CHECK(all.loose > runs / 4 && all.driven > runs / 20);  // few have few
    printf("linkages: %d of %d refused\n", all.refused, runs);
    CHECK(all.refused <= runs / 1000);
}

TEST_FILE(test_random_linkages) {
    TEST(random_linkages_keep_their_promises);
    return harness_end();
}
