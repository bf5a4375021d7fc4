// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// test_clearance.c - pins with clearance in their bushes, and coordinates of bodies held one by
// one: closed forms, works, mistakes with their places; linkages of all of it with contacts.

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "random.h"
#include "scene_run.h"

static const double g = 9.81;

// A pin without friction in a bush is a pendulum as long as the clearance: from 0.1 rad it is at
// -0.1 (but for 1e-3 of it) after half its period.
static void a_short_pendulum(void) {
    static const char text[] =
        "parameters: {c: 0.02}\ngravity: [0, -9.81]\n"
        "bodies:\n  - {name: rotor, mass: 3, inertia: 0.1, position: [c*sin(0.1), -c*cos(0.1)], "
        "spin: 7}\n"
        "joints:\n  - {name: pin, type: hinge, bodies: [rotor], at: [c*sin(0.1), -c*cos(0.1)], "
        "to: [0, 0], clearance: c*(1 + 1e-12), radius: 0.01}\n"
        "scheme: {step: 2e-5, duration: 1, theta: 0.5}\n";
    scree_simulation *simulation = scene_begin(text, NULL);
    if (!scene_run_to(simulation, M_PI * sqrt(0.02 / g) * (1 + 0.01 / 16))) return;
    const scree_state *state = scree_simulation_state(simulation);
    CHECK_NEAR(atan2(state->q[0], -state->q[1]), -0.1, 2e-4);
    CHECK_NEAR(hypot(state->q[0], state->q[1]), 0.02, 1e-6);
    CHECK_NEAR(state->v[2], 7, 1e-12);
    scree_simulation_free(simulation);
}

// A rotor in a bush climbs by the angle of friction; its weight then turns against it at radius sin
// (phi): J w' = -r m g sin(phi).
static void a_journal_runs_down(void) {
    static const char text[] =
        "parameters: {c: 1e-3}\ngravity: [0, -9.81]\n"
        "bodies:\n  - {name: rotor, mass: 3, inertia: 0.02, position: [-c*sin(atan(0.25)), "
        "-c*cos(atan(0.25))], spin: 60}\n"
        "joints:\n  - {name: pin, type: hinge, bodies: [rotor], at: [-c*sin(atan(0.25)), "
        "-c*cos(atan(0.25))], to: [0, 0], "
        "clearance: c*1.000001, radius: 0.02, friction: 0.25}\n"
        "scheme: {step: 1e-4, duration: 1, theta: 1}\n";
    scree_simulation *simulation = scene_begin(text, NULL);
    if (!scene_run_to(simulation, 0.2)) return;
    double before = scree_simulation_state(simulation)->v[2];
    scene_run_to(simulation, 0.7);
    const scree_state *state = scree_simulation_state(simulation);
    double sine = sin(atan(0.25));
    CHECK_NEAR((before - state->v[2]) / 0.5, 0.02 * 3 * g * sine / 0.02, 1e-2 * 3 * g * sine);
    CHECK_NEAR(fabs(atan2(state->q[0], -state->q[1])), atan(0.25), 2e-3);
    CHECK(scree_simulation_totals(simulation)->joint_work < 0);
    scree_simulation_free(simulation);
}

// it falls through its bush and bounces with e: up to e^2 of the height, in the plane and in space
static void a_pin_falls_and_bounces(void) {
    static const char plane[] =
        "gravity: [0, -9.81]\n"
        "bodies:\n  - {name: bob, mass: 3, inertia: 0.02, position: [0, 0.5]}\n"
        "joints:\n  - {name: pin, type: hinge, bodies: [bob], at: [0, 0.5], to: [0, 0.5], "
        "clearance: 0.5, restitution: 0.6}\n"
        "scheme: {step: 1e-4, duration: 1}\n";
    static const char space[] =
        "space: 3\ngravity: [0, -9.81, 0]\n"
        "bodies:\n  - {name: bob, mass: 3, inertia: [0.02, 0.03, 0.04], position: [0, 0.5, 0]}\n"
        "joints:\n  - {name: pin, type: ball, bodies: [bob], at: [0, 0.5, 0], to: [0, 0.5, 0], "
        "clearance: 0.5, restitution: 0.6, friction: 0.3, radius: 0.1}\n"
        "scheme: {step: 1e-4, duration: 1}\n";
    double fall = sqrt(2 * 0.5 / g), rise = 0.6 * g * fall / g;
    for (int k = 0; k < 2; k++) {
        scree_simulation *simulation = scene_begin(k ? space : plane, NULL);
        if (!scene_run_to(simulation, fall + rise)) return;
        CHECK_NEAR(scree_simulation_state(simulation)->q[1], 0.36 * 0.5, 1e-3);
        scree_simulation_free(simulation);
    }
}

// what is held stays, to the solver's tolerance, and does no work; the rest falls
static void held_coordinates(void) {
    static const char text[] =
        "gravity: [1, -9.81]\n"
        "bodies:\n  - {name: lid, mass: 2, inertia: 0.1, position: [0.5, 3], hold: [x, angle], "
        "force: [3, 0, 5]}\n"
        "  - {name: bar, mass: 2, inertia: 0.1, position: [2, 3], hold: [y], force: [0, 0, 5]}\n"
        "scheme: {step: 0.01, duration: 1}\n";
    scree_simulation *simulation = scene_begin(text, NULL);
    if (!scene_run_to(simulation, 2)) return;
    const double *q = scree_simulation_state(simulation)->q;
    const double *v = scree_simulation_state(simulation)->v;
    CHECK_NEAR(q[0], 0.5, 1e-9);
    CHECK_NEAR(q[2], 0, 1e-9);
    CHECK_NEAR(v[1], -g, 1e-9);
    CHECK_NEAR(v[3], 1, 1e-9);
    CHECK_NEAR(q[4], 3, 1e-9);
    CHECK_NEAR(v[5], 50, 1e-7);
    CHECK_NEAR(scree_simulation_totals(simulation)->joint_work, 0, 1e-8);
    scree_simulation_free(simulation);
}

// a body that is held twice: the equation too many is counted, and its joint named
static void held_twice(void) {
    static const char text[] =
        "bodies:\n  - {name: lid, mass: 2, inertia: 0.1, hold: [x, angle]}\n"
        "joints:\n  - {name: rail, type: slider, bodies: [lid], at: [0, 0], axis: [0, 1]}\n"
        "scheme: {step: 0.01, duration: 0.1}\n";
    scree_simulation *simulation = scene_begin(text, NULL);
    if (!scene_run_to(simulation, 2)) return;
    scree_assembly assembly = scree_model_assembly(scree_simulation_model(simulation));
    CHECK_INT(assembly.redundant, 2);
    CHECK(assembly.in_loop >= 0);
    scree_simulation_free(simulation);
}

// Trees of discs above rough ground, joined by pins with and without clearance, held, driven, on
// springs that may yield, in a wind: the ledger closes, with theta: auto nothing but loads and
// motors brings energy, and hardly a step is refused.
static int write_linkage(char *text, size_t size) {
    int bodies = random_int(2, 5), n = snprintf(text, size, "gravity: [0, -9.81]\nbodies:\n");
#define WRITE(...) n += snprintf(text + n, size - (size_t)n, __VA_ARGS__)
    for (int k = 0; k < bodies; k++)
        WRITE(
            "  - {name: b%d, mass: %g, inertia: %g, position: [%g, %g], velocity: [%g, %g], spin: "
            "%g, shapes: [{type: disc, radius: 0.1}]%s}\n",
            k, uniform(0.5, 2), uniform(0.01, 0.1), 0.4 * k, uniform(0.12, 0.5), uniform(-1, 1),
            uniform(-1, 1), uniform(-3, 3), k == 0 && random_int(0, 1) ? ", hold: [x]" : "");
    WRITE("  - {name: floor, fixed: true, shapes: [{type: half-plane}]}\njoints:\n");
    for (int k = 1; k < bodies; k++) {
        bool block = k > 1 && random_int(0, 3) == 0;
        WRITE(
            "  - {name: j%d, type: %s, bodies: [b%d, b%d], at: [%g, %g], clearance: %g, "
            "friction: %g, radius: 0.02, restitution: %g}\n",
            k, block ? "slider, axis: [1, 0.3], length: 0.2" : "hinge", k, k - 1, 0.4 * k - 0.2,
            uniform(0, 0.3), block || random_int(0, 2) ? uniform(0.004, 0.02) : 0.0,
            random_int(0, 1) * uniform(0, 0.5), random_int(0, 1) * uniform(0, 0.7));
    }
    WRITE("springs:\n  - {name: s, joint: j1, stiffness: %g%s}\n", uniform(0.1, 5),
          random_int(0, 1) ? ", yield: 0.3" : ", damping: 0.01");
    if (random_int(0, 1))
        WRITE("motors:\n  - {name: m, joint: j%d, velocity: \"3*sin(20*t)\", limit: %g}\n",
              bodies - 1, uniform(0.01, 1));
    if (random_int(0, 1))
        WRITE(
            "forces:\n  - {bodies: [any], force: [\"-%g*x'\", \"-0.1*y' + 0.1*b0.x\"], implicit: "
            "true}\n",
            pow(10, uniform(-1, 3)));
    WRITE("laws:\n  - {restitution: %g, friction: %g}\n", random_int(0, 1) * 0.4, uniform(0, 0.8));
    WRITE("scheme: {step: 1e-3, duration: 0.2}\n");
#undef WRITE
    return n;
}

static void random_linkages(void) {
    const char *asked = getenv("SCREE_LONG");
    int rounds = asked && *asked ? 2000 : SANITIZED ? 6 : 30, refused = 0;
    seed = 5;
    for (int round = 0; round < rounds; round++) {
        char text[4000];
        write_linkage(text, sizeof text);
        scree_simulation *simulation = scene_begin(text, NULL);
        if (!simulation) return;
        double before = scree_simulation_energy(simulation);
        scree_error err = { 0 };
        scree_status status = SCREE_OK;
        while (!status && scree_simulation_left(simulation) > 0)
            status = scree_simulation_step(simulation, &err);
        refused += status == SCREE_UNCONVERGED;
        bool fine = !status || status == SCREE_UNCONVERGED;
        const scree_totals *totals = scree_simulation_totals(simulation);
        double given = totals->motor_work + totals->external_work + totals->exchange;
        double taken = scree_simulation_energy(simulation) - before - given;
        if (!fine || taken > 1e-8 || totals->joint_work > 1e-8 || totals->damping_work > 1e-8)
            COMPLAIN("linkage %d: created %g, joints %g, damping %g\n%s", round, taken,
                     totals->joint_work, totals->damping_work, text);
        scree_simulation_free(simulation);
    }
    CHECK(refused <= rounds / 200);
}

// a pin that would cross its bush in one step: refused, and the joint is named
static void a_step_too_long(void) {
    static const char text[] =
        "bodies:\n  - {name: b, mass: 1, inertia: 1, velocity: [3, 1], spin: 5}\n"
        "  - {name: a, mass: 1, inertia: 1, velocity: [-2, 2], position: [0.5, 0.3]}\n"
        "joints:\n  - {name: pin, type: hinge, bodies: [b, a], at: [0.3, 0.2], clearance: 1e-6}\n"
        "  - {name: fix, type: hinge, bodies: [a], at: [0.5, 0], to: [0.5, 0]}\n"
        "scheme: {step: 0.01, duration: 0.1}\n";
    scree_simulation *simulation = scene_begin(text, NULL);
    scree_error err = { 0 };
    scree_status status = SCREE_OK;
    while (simulation && !status && scree_simulation_left(simulation) > 0)
        status = scree_simulation_step(simulation, &err);
    CHECK(!status || strstr(err.text, "the pin of joint pin goes"));
    scree_simulation_free(simulation);
}

static void mistakes(void) {
#define SCENE(body, joint)                            \
    "bodies:\n  - {name: b, mass: 1, inertia: 1" body \
    "}\njoints:\n  - {name: j, bodies: [b], " joint "}\nscheme: {step: 0.1, duration: 1}\n"
#define HINGE "type: hinge, at: [0, 0], "
    CHECK_MISTAKE(SCENE("", HINGE "clearance: -1"), "4:64: clearance must not be negative");
    CHECK_MISTAKE(
        SCENE("", "type: slider, at: [0, 0], axis: [1, 0], clearance: 0.1"),
        "4:79: joint \"j\": clearance of a slider, and of a hinge in space, needs the length");
    CHECK_MISTAKE(
        SCENE("", HINGE "to: [0.1, 0], clearance: 0.05"),
        "4:78: joint \"j\": its pin or block is 0.1 from the middle of its bush or guide at "
        "the start, and its clearance is 0.05");
    CHECK_MISTAKE(SCENE("", HINGE "clearance: 0.1, friction: 0.2"), "needs the radius");
    CHECK_MISTAKE(SCENE(", hold: [x, z]", HINGE), "2:46: hold: \"z\" is none of x, y, angle");
    CHECK_MISTAKE(SCENE(", hold: x", HINGE), "hold: expected a list of names");
    CHECK_MISTAKE(
        "bodies:\n  - {name: b, fixed: true, hold: [x]}\n"
        "scheme: {step: 0.1, duration: 1}\n",
        "2:34: body \"b\" is fixed and needs nothing that holds it");
}

// --- blocks in guides, pins in long bushes -------------------------------------------------------

// a block falls onto the wall of its guide and is braked there: mu g against 1 m/s
static void a_block_slides_in_its_guide(void) {
    static const char plane[] =
        "gravity: [0, -9.81]\n"
        "bodies: [{name: block, mass: 2, inertia: 0.1, position: [0, -1e-3], velocity: [1, 0]}]\n"
        "joints: [{name: guide, type: slider, bodies: [block], at: [0, -1e-3], to: [0, 0], axis: "
        "[1, 0], clearance: 1.0000001e-3, length: 0.4, friction: 0.2}]\n"
        "scheme: {step: 1e-3, duration: 1}\n";
    static const char space[] =
        "space: 3\ngravity: [0, -9.81, 0]\n"
        "bodies: [{name: block, mass: 2, inertia: [0.1, 0.1, 0.1], position: [0, -1e-3, 0], "
        "velocity: [1, 0, 0]}]\n"
        "joints: [{name: guide, type: slider, bodies: [block], at: [0, -1e-3, 0], to: [0, 0, 0], "
        "axis: [1, 0, 0], clearance: 1.0000001e-3, length: 0.4, radius: 0.05, friction: 0.2}]\n"
        "scheme: {step: 1e-3, duration: 1}\n";
    for (int k = 0; k < 2; k++) {
        scree_simulation *simulation = scene_begin(k ? space : plane, NULL);
        if (!scene_run_to(simulation, 0.4)) return;
        const scree_state *state = scree_simulation_state(simulation);
        double t = 0.4, way = t - 0.2 * g * t * t / 2;
        CHECK_NEAR(state->q[0], way, 2e-3 * way);
        CHECK_NEAR(state->q[1], -1e-3, 1e-9);
        CHECK(scree_simulation_totals(simulation)->joint_work < 0);
        scree_simulation_free(simulation);
    }
}

// A moment tilts a block until its ends touch: sin = 2 c/length; in space about its axis until its
// corners do: r (sin + cos) = r + c.
static void a_block_tilts_in_its_guide(void) {
    static const char plane[] =
        "gravity: [0, 0]\n"
        "bodies: [{name: block, mass: 2, inertia: 0.1, position: [0, 0], force: [0, 0, 3]}]\n"
        "joints: [{name: guide, type: slider, bodies: [block], at: [0, 0], axis: [1, 0], "
        "clearance: 0.01, length: 0.4}]\n"
        "scheme: {step: 1e-3, duration: 1, theta: 1}\n";
    static const char space[] =
        "space: 3\ngravity: [0, 0, 0]\n"
        "bodies: [{name: block, mass: 3, inertia: [0.02, 0.02, 0.02], position: [0, 0, 0], force: "
        "[0, 0, 0, 1, 0, 0]}]\n"
        "joints: [{name: guide, type: slider, bodies: [block], at: [0, 0, 0], axis: [1, 0, 0], "
        "clearance: 0.01, length: 0.3, radius: 0.1}]\n"
        "scheme: {step: 1e-3, duration: 1, theta: 1}\n";
    scree_simulation *simulation = scene_begin(plane, NULL);
    if (!scene_run_to(simulation, 0.5)) return;
    CHECK_NEAR(scree_simulation_state(simulation)->q[2], asin(0.05), 1e-9);
    scree_simulation_free(simulation);
    simulation = scene_begin(space, NULL);
    if (!scene_run_to(simulation, 0.5)) return;
    const double *q = scree_simulation_state(simulation)->q;
    double angle = 2 * asin(q[4]);
    CHECK_NEAR(0.1 * (sin(angle) + cos(angle)), 0.11, 1e-10);
    scree_simulation_free(simulation);
}

// a pin in space is pushed against a shoulder and tilted until both ends touch
static void a_pin_tilts_in_its_bush(void) {
    static const char text[] =
        "space: 3\ngravity: [0, 0, 0]\n"
        "bodies: [{name: rotor, mass: 3, inertia: [0.02, 0.02, 0.02], position: [0, 0, 0], force: "
        "[0, 0.5, 0, 1, 0, 0.5]}]\n"
        "joints: [{name: pin, type: hinge, bodies: [rotor], at: [0, 0, 0], axis: [0, 1, 0], "
        "clearance: 0.01, length: 0.3, radius: 0.02}]\n"
        "scheme: {step: 1e-3, duration: 1, theta: 1}\n";
    scree_simulation *simulation = scene_begin(text, NULL);
    if (!scene_run_to(simulation, 1)) return;
    const double *q = scree_simulation_state(simulation)->q;
    CHECK_NEAR(2 * asin(hypot(hypot(q[4], q[5]), q[6])), asin(0.02 / 0.3), 1e-9);
    CHECK_NEAR(q[1], 0.01, 1e-12);
    scree_simulation_free(simulation);
}

// a pin with two ends, in the middle of which its rotor is, moves as one in the plane
static void a_long_pin_is_as_one_in_the_plane(void) {
    static const char plane[] =
        "gravity: [0, -9.81]\n"
        "bodies: [{name: rotor, mass: 3, inertia: 0.02, position: [0, 0], spin: 60}]\n"
        "joints: [{name: pin, type: hinge, bodies: [rotor], at: [0, 0], clearance: 1e-3, friction: "
        "0.25, radius: 0.02, restitution: 0.4}]\n"
        "scheme: {step: 1e-4, duration: 0.3, theta: 0.6}\n";
    static const char space[] =
        "space: 3\ngravity: [0, -9.81, 0]\n"
        "bodies: [{name: rotor, mass: 3, inertia: [0.02, 0.02, 0.02], position: [0, 0, 0], spin: "
        "[0, 0, 60]}]\n"
        "joints: [{name: pin, type: hinge, bodies: [rotor], at: [0, 0, 0], axis: [0, 0, 1], "
        "clearance: 1e-3, length: 0.2, friction: 0.25, radius: 0.02, restitution: 0.4}]\n"
        "scheme: {step: 1e-4, duration: 0.3, theta: 0.6}\n";
    scree_simulation *one = scene_begin(plane, NULL), *other = scene_begin(space, NULL);
    if (!scene_run_to(one, 0.3) || !scene_run_to(other, 0.3)) return;
    const scree_state *a = scree_simulation_state(one), *b = scree_simulation_state(other);
    for (int k = 0; k < 2; k++) CHECK_NEAR(a->q[k], b->q[k], 1e-7);
    CHECK_NEAR(a->v[2], b->v[5], 1e-4);
    CHECK_NEAR(scree_simulation_totals(one)->joint_work, scree_simulation_totals(other)->joint_work,
               1e-4);
    scree_simulation_free(one);
    scree_simulation_free(other);
}

TEST_FILE(test_clearance) {
    TEST(a_short_pendulum);
    TEST(a_journal_runs_down);
    TEST(a_pin_falls_and_bounces);
    TEST(held_coordinates);
    TEST(held_twice);
    TEST(random_linkages);
    TEST(a_step_too_long);
    TEST(mistakes);
    TEST(a_block_slides_in_its_guide);
    TEST(a_block_tilts_in_its_guide);
    TEST(a_pin_tilts_in_its_bush);
    TEST(a_long_pin_is_as_one_in_the_plane);
    return harness_end();
}
