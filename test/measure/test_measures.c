// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// test_measures.c - packings, piles and walls with known answers: a cubic lattice of balls that
// bears a uniform stress, blocks on blocks.

#include <stdlib.h>

#include "harness.h"
#include "scree/scree.h"

enum { SIDE = 12, BALLS = SIDE * SIDE * SIDE, CONTACTS_MAX = 4 * BALLS };

static const double d = 0.5;  // from ball to ball

typedef struct lattice {
    scree_simulation *simulation;
    scree_contact *contact;
    scree_moment moment;
} lattice;

static const char balls[] =
    "space: 3\n"
    "gravity: [0, 0, -10]\n"
    "bodies: [{name: floor, fixed: true, shapes: [{type: plane, at: [0, 0, 0]}]}]\n"
    "generate:\n"
    "  - {name: ball, arrange: grid, count: [12, 12, 12], spacing: 0.5,\n"
    "     origin: [-2.75, -2.75, 0.25],\n"
    "     body: {mass: 1, inertia: 1, shapes: [{type: sphere, radius: 0.25}]}}\n"
    "laws: [{friction: 0.5}]\n"
    "scheme: {step: 0.01, duration: 1}\n";

static scree_simulation *open_text(const char *text) {
    scree_findings findings = { 0 };
    scree_simulation *simulation =
        scree_simulation_parse("scene", text, strlen(text), NULL, 0, &findings);
    if (!simulation) {
        COMPLAIN("%d: %s", findings.count ? findings.item[0].line : 0,
                 findings.count ? findings.item[0].text : "no memory");
        exit(harness_end() + 1);
    }
    scree_findings_free(&findings);
    return simulation;
}

// each bond along axis k bears the column k of sigma times the lattice's area: f = d^2 sigma e_k
static void add_bond(lattice *l, int a, int b, int k, const double sigma[9]) {
    scree_contact *c = &l->contact[l->moment.contacts++];
    const double *q = l->moment.q + 7 * (long)a;
    double n[3] = { 0 }, t[3] = { 0 }, s[3] = { 0 };
    n[k] = 1;  // from b to a: a is the farther ball
    t[(k + 1) % 3] = 1;
    s[(k + 2) % 3] = 1;
    *c = (scree_contact){ .a = a, .b = b, .status = SCREE_CONTACT_STICK, .friction = 0.5 };
    for (int i = 0; i < 3; i++) {
        c->normal[i] = n[i];
        c->tangent[i] = t[i];
        c->point[i] = q[i] - (i == k ? d / 2 : 0);
        // on a, whose face looks to -e_k: -sigma e_k
        double f = -sigma[3 * i + k] * d * d * l->moment.step;
        c->impulse[0] += f * n[i];
        c->impulse[1] += f * t[i];
        c->impulse[2] += f * s[i];
    }
}

static int ball_at(const int i[3]) { return 1 + i[0] + SIDE * (i[1] + SIDE * i[2]); }

static lattice begin(const double sigma[9]) {
    lattice l = { .simulation = open_text(balls),
                  .contact = calloc(CONTACTS_MAX, sizeof *l.contact) };
    const scree_state *state = scree_simulation_state(l.simulation);
    l.moment = (scree_moment){ .model = scree_simulation_model(l.simulation),
                               .step = 0.01,
                               .q = state->q,
                               .contact = l.contact,
                               .stride = sizeof *l.contact };
    int i[3];
    for (i[2] = 0; i[2] < SIDE; i[2]++)
        for (i[1] = 0; i[1] < SIDE; i[1]++)
            for (i[0] = 0; i[0] < SIDE; i[0]++)
                for (int k = 0; k < 3; k++) {
                    int before[3] = { i[0], i[1], i[2] };
                    if (before[k]-- == 0) continue;
                    add_bond(&l, ball_at(i), ball_at(before), k, sigma);
                }
    return l;
}

static void end(lattice *l) {
    scree_simulation_free(l->simulation);
    free(l->contact);
}

static const double SIGMA[9] = { -100, 7, -12, 7, -80, 5, -12, 5, -150 };

// inside, where every ball has its six bonds
static scree_region inner(void) { return (scree_region){ { -2.5, -2.5, 0.5 }, { 2.5, 2.5, 5.5 } }; }

static void the_stress_of_a_lattice_comes_back(void) {
    lattice l = begin(SIGMA);
    scree_region region = inner();
    static const int once[3] = { 1, 1, 1 }, halves[3] = { 2, 1, 5 };
    scree_cell_stress cell[10];
    scree_measure_stress(&l.moment, &region, once, cell);
    CHECK(cell[0].bodies == 1000);
    for (int k = 0; k < 9; k++) CHECK_NEAR(cell[0].stress[k], SIGMA[k], 1e-10);
    CHECK_NEAR(cell[0].pressure, 110, 1e-10);
    scree_measure_stress(&l.moment, &region, halves, cell);
    for (int i = 0; i < 10; i++) {
        CHECK(cell[i].bodies == 100);
        for (int k = 0; k < 9; k++) CHECK_NEAR(cell[i].stress[k], SIGMA[k], 1e-10);
    }
    end(&l);
}

static void strips_bear_sigma_nu(void) {
    lattice l = begin(SIGMA);
    static const double axis[2] = { 0, 0 };
    // level strips; others cut a lattice ball by ball and are left to the pile's own sampling
    scree_strip ring = { .from = { 0, 3.01 }, .to = { 2.25, 3.01 } };
    scree_measure_strip(&l.moment, axis, &ring);
    CHECK_NEAR(ring.normal[0], 0, 1e-15);
    CHECK_NEAR(ring.normal[1], 1, 1e-15);
    CHECK_NEAR(ring.density[1], -150, 0.06 * 150);
    scree_strip tube = { .from = { 1.6, 0.5 }, .to = { 1.6, 5.5 } };
    scree_measure_strip(&l.moment, axis, &tube);
    CHECK_NEAR(tube.normal[0], 1, 1e-15);
    CHECK_NEAR(tube.density[0], -90, 0.08 * 90);
    end(&l);
}

static const char cone[] =
    "space: 3\n"
    "gravity: [0, 0, -10]\n"
    "bodies: [{name: floor, fixed: true, shapes: [{type: plane, at: [0, 0, -9]}]}]\n"
    "generate:\n"
    "  - {name: shell, arrange: each, count: 200, let: {r: 0.02*i, a: 2.4*i},\n"
    "     body: {mass: 1, inertia: 1, born: 1 + i/200, shapes: [{type: sphere, radius: 0.01}],\n"
    "            position: [r*cos(a), r*sin(a), 5 - 0.75*r]}}\n"
    "  - {name: core, arrange: each, count: 50,\n"
    "     body: {mass: 1, inertia: 1, born: 3, shapes: [{type: sphere, radius: 0.01}],\n"
    "            position: [0.07*i, 0, 0]}}\n"
    "laws: [{friction: 0.5}]\n"
    "scheme: {step: 0.01, duration: 9}\n";

static void a_layer_is_what_was_born_within_its_time(void) {
    enum { RINGS = 5 };
    scree_simulation *simulation = open_text(cone);
    static const double axis[2] = { 0, 0 }, born[2] = { 1, 2 }, late[2] = { 2.5, 4 };
    scree_layer_ring ring[RINGS];
    scree_moment moment = { .model = scree_simulation_model(simulation),
                            .time = 5,
                            .step = 0.01,
                            .q = scree_simulation_state(simulation)->q };
    scree_measure_layer(&moment, axis, born, 1, RINGS, ring);
    for (int k = 0; k < RINGS - 1; k++) {
        CHECK(ring[k].bodies == (k ? 50 : 49));  // the first stands at r = 0.02
        CHECK_NEAR(ring[k].slope, -0.75, 1e-12);
        CHECK_NEAR(ring[k].z, 5 - 0.75 * ring[k].r, 1e-12);
        CHECK_NEAR(ring[k].strip.to[1] - ring[k].strip.from[1], 1, 1e-12);
    }
    CHECK(ring[RINGS - 1].bodies == 1);
    scree_measure_layer(&moment, axis, late, 1, RINGS, ring);
    CHECK(ring[0].bodies == 14 && ring[3].bodies == 8 && ring[4].bodies == 0);
    CHECK_NEAR(ring[1].slope, 0, 1e-15);
    moment.time = 1.5;  // half of the shell is there
    scree_measure_layer(&moment, axis, born, 1, RINGS, ring);
    CHECK(ring[1].bodies == 50 && ring[2].bodies <= 1 && ring[3].bodies == 0);
    scree_simulation_free(simulation);
}

static void a_cubic_lattice_is_what_it_is(void) {
    static const double pressure[9] = { -10, 0, 0, 0, -10, 0, 0, 0, -10 };
    lattice l = begin(pressure);
    scree_region region = inner();
    scree_error err = { 0 };
    scree_fabric fabric;
    scree_coordination found;
    double fraction;
    CHECK(scree_measure_fabric(&l.moment, &region, &fabric, &err) == SCREE_OK);
    for (int k = 0; k < 9; k++) CHECK_NEAR(fabric.tensor[k], k % 4 ? 0 : 1.0 / 3, 1e-12);
    CHECK_NEAR(fabric.anisotropy, 0, 1e-12);
    CHECK_NEAR(fabric.force_mean, 10 * d * d, 1e-12);
    CHECK(scree_measure_coordination(&l.moment, &region, &found, &err) == SCREE_OK);
    CHECK(found.bodies == 1000 && found.floating == 0);
    CHECK_NEAR(found.mean, 6, 0);
    CHECK(found.histogram[6] == 1000);
    CHECK(scree_measure_solid_fraction(&l.moment, &region, 1000, &fraction, &err) == SCREE_OK);
    CHECK_NEAR(fraction, 0.52359877559829887, 2e-4);
    region = scree_region_around(&l.moment);
    CHECK_NEAR(region.low[0], -3, 1e-12);
    CHECK_NEAR(region.high[2], 6, 1e-12);
    CHECK(scree_measure_coordination(&l.moment, &region, &found, &err) == SCREE_OK);
    CHECK(found.histogram[3] == 8);  // corners
    end(&l);
}

static void principal_axes_are_found(void) {
    static const double push[9] = { -10, 0, 0, 0, -10, 0, 0, 0, -10 };
    lattice l = begin(push);
    scree_region region = scree_region_around(&l.moment);
    scree_error err = { 0 };
    scree_fabric fabric;
    // all normals turned into the plane x, z at 30 degrees: one direction, eigenvalues 1, 0, 0
    for (int i = 0; i < l.moment.contacts; i++) {
        const double n[3] = { 0.86602540378443865, 0, 0.5 };
        memcpy(l.contact[i].normal, n, sizeof n);
    }
    CHECK(scree_measure_fabric(&l.moment, &region, &fabric, &err) == SCREE_OK);
    CHECK_NEAR(fabric.principal[0], 1, 1e-12);
    CHECK_NEAR(fabric.principal[1], 0, 1e-12);
    CHECK_NEAR(fabs(fabric.direction[0]), 0.86602540378443865, 1e-12);
    CHECK_NEAR(fabs(fabric.direction[2]), 0.5, 1e-12);
    end(&l);
}

// what is measured off the last step of a simulation
static scree_moment moment_of(const scree_simulation *simulation) {
    const scree_step_record *record = scree_simulation_record(simulation);
    return (scree_moment){ .model = scree_simulation_model(simulation),
                           .time = record->after.time,
                           .step = record->h,
                           .q = record->after.q,
                           .contacts = record->contacts,
                           .contact = record->contact,
                           .stride = sizeof *record->contact };
}

static scree_simulation *run(const char *text, int steps) {
    scree_simulation *simulation = open_text(text);
    scree_error err = { 0 };
    for (int i = 0; i < steps; i++)
        if (scree_simulation_step(simulation, &err)) {
            COMPLAIN("step: %s", err.text);
            break;
        }
    return simulation;
}

static void the_ground_bears_the_weight(void) {
    scree_simulation *simulation =
        run("space: 3\n"
            "gravity: [0, 0, -10]\n"
            "bodies:\n"
            "  - {name: floor, fixed: true, shapes: [{type: plane, at: [0, 0, 0]}]}\n"
            "  - {name: low, mass: 3, inertia: 1, position: [2.1, 0, 0.5],\n"
            "     shapes: [{type: box, size: [1, 1, 1]}]}\n"
            "  - {name: high, mass: 2, inertia: 1, position: [2.1, 0, 1.5],\n"
            "     shapes: [{type: box, size: [1, 1, 1]}]}\n"
            "laws: [{friction: 0.5}]\n"
            "scheme: {step: 0.01, duration: 1}\n",
            5);
    scree_moment moment = moment_of(simulation);
    static const double axis[2] = { 0, 0 };
    scree_ground_ring ring[6];
    scree_ground whole;
    double force[3], torque[3], fraction;
    scree_error err = { 0 };
    scree_measure_ground(&moment, axis, 0.5, 6, ring, &whole);
    CHECK_NEAR(whole.force, 50, 1e-6);
    CHECK_NEAR(whole.weight, 50, 1e-12);
    CHECK_NEAR(ring[3].force + ring[5].force, 50, 1e-6);  // corners at r = 1.68 and 2.65
    CHECK_NEAR(ring[3].area, 3.14159265358979323846 * 0.25 * 7, 1e-12);
    scree_measure_force_on(&moment, "high", force, torque);
    CHECK_NEAR(force[2], 20, 1e-6);
    scree_measure_force_on(&moment, "floor", force, torque);
    CHECK_NEAR(force[2], -50, 1e-6);
    CHECK(scree_measure_knows(moment.model, "low") && !scree_measure_knows(moment.model, "lo"));
    scree_region region = { { 1, -1, 0 }, { 3, 1, 4 } };  // 2 of 16, edges on no line
    CHECK(scree_measure_solid_fraction(&moment, &region, 401, &fraction, &err) == SCREE_OK);
    CHECK_NEAR(fraction, 0.125, 1e-3);
    scree_simulation_free(simulation);
}

static void a_cone_has_its_slope(void) {
    scree_simulation *simulation = open_text(
        "space: 3\n"
        "generate:\n"
        "  - {name: ball, arrange: each, count: 200, let: {r: 0.02*i, a: 2.4*i},\n"
        "     body: {mass: 1, inertia: 1, position: [r*cos(a), r*sin(a), 5 - 0.5*r],\n"
        "            shapes: [{type: sphere, radius: 0.001}]}}\n"
        "scheme: {step: 0.01, duration: 1}\n");
    scree_moment moment = { .model = scree_simulation_model(simulation),
                            .q = scree_simulation_state(simulation)->q,
                            .step = 0.01 };
    static const double axis[2] = { 0, 0 };
    double height[20];
    scree_slope slope;
    scree_measure_slope(&moment, axis, 0.2, 20, height, &slope);
    CHECK_NEAR(slope.angle, atan(0.5), 2e-3);
    scree_simulation_free(simulation);
}

static const scree_block_joint *joint_of(const scree_block_joint *joint, int count,
                                         const scree_model *model, const char *a, const char *b) {
    for (int i = 0; i < count; i++)
        if (strcmp(model->body[joint[i].a].name, a) == 0 &&
            strcmp(model->body[joint[i].b].name, b) == 0)
            return &joint[i];
    COMPLAIN("no joint of %s and %s", a, b);
    return joint;
}

// one block stands, one slides, one tips over its right end
static void joints_of_blocks(void) {
    scree_simulation *simulation =
        run("gravity: [0, -10]\n"
            "bodies:\n"
            "  - {name: floor, fixed: true, shapes: [{type: half-plane}]}\n"
            "  - {name: still, mass: 1, inertia: 1, position: [0, 0.5],\n"
            "     shapes: [{type: box, size: [1, 1]}]}\n"
            "  - {name: slides, mass: 1, inertia: 1, position: [5, 0.5], velocity: [3, 0],\n"
            "     shapes: [{type: box, size: [2, 1]}]}\n"
            "  - {name: tips, mass: 1, inertia: 1, position: [10, 1], spin: -0.4, velocity: [0.4, "
            "0.2],\n"
            "     shapes: [{type: box, size: [1, 2]}]}\n"
            "laws: [{friction: 0.5}, {between: [tips, any], friction: 5}]\n"
            "scheme: {step: 0.005, duration: 1}\n",
            40);
    scree_moment moment = moment_of(simulation);
    scree_block_joint *joint;
    int count;
    scree_error err = { 0 };
    CHECK(scree_measure_joints(&moment, 1e-3, &joint, &count, &err) == SCREE_OK);
    CHECK(count == 3);
    const scree_block_joint *still = joint_of(joint, count, moment.model, "floor", "still");
    CHECK(still->state == SCREE_JOINT_CLOSED);
    CHECK_NEAR(still->point[0], 0, 1e-6);
    CHECK_NEAR(still->force[1], -10, 1e-6);  // on the floor
    CHECK(joint_of(joint, count, moment.model, "floor", "slides")->state == SCREE_JOINT_SLIDING);
    const scree_block_joint *tips = joint_of(joint, count, moment.model, "floor", "tips");
    CHECK(tips->state == SCREE_JOINT_HINGED);
    CHECK(strcmp(tips->side, "right") == 0);
    CHECK(strcmp(scree_joint_state_name(tips->state), "hinged") == 0);
    free(joint);
    scree_simulation_free(simulation);
}

TEST_FILE(test_measures) {
    TEST(the_stress_of_a_lattice_comes_back);
    TEST(strips_bear_sigma_nu);
    TEST(a_layer_is_what_was_born_within_its_time);
    TEST(a_cubic_lattice_is_what_it_is);
    TEST(principal_axes_are_found);
    TEST(the_ground_bears_the_weight);
    TEST(a_cone_has_its_slope);
    TEST(joints_of_blocks);
    return harness_end();
}
