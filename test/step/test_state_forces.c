// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// test_state_forces.c - forces of a scene by formulas of the state of any body, at the start of the
// step or at its mean: closed forms, works, and mistakes with their places.

#include <math.h>

#include "scene_run.h"

// a ball that falls in a fluid: m v' = m g - c v^2, v = v_end tanh(g t/v_end)
static void terminal_speed(void) {
    static const char text[] =
        "gravity: [0, -9.81]\n"
        "bodies:\n  - {name: ball, mass: 2, inertia: 1}\n"
        "forces:\n  - {bodies: [ball], force: [\"-0.5*hypot(x', y')*x'\", \"-0.5*hypot(x', "
        "y')*y'\"], implicit: true}\n"
        "scheme: {step: 0.02, duration: 1, theta: 0.5}\n";
    double end = sqrt(2 * 9.81 / 0.5), exact = -end * tanh(9.81 / end), last = 0;
    static const char *const step[] = { "scheme.step=0.02", "scheme.step=0.01",
                                        "scheme.step=0.005" };
    for (int k = 0; k < 3; k++) {
        scree_simulation *simulation = scene_begin(text, step[k], NULL);
        if (!simulation) return;
        scene_run_to(simulation, 2);
        double miss = fabs(scree_simulation_state(simulation)->v[1] - exact);
        if (k) CHECK(miss < 0.27 * last);  // second order with theta 1/2
        last = miss;
        CHECK(scree_simulation_totals(simulation)->external_work < 0);
        scree_simulation_free(simulation);
    }
    CHECK(last < 2e-5);
}

// c h/m = 1e4: at the mean it is no matter, and the work of each step is negative
static void a_stiff_drag(void) {
    static const char text[] =
        "bodies:\n  - {name: ball, mass: 1, inertia: 1, velocity: [1, 0], shapes: [{type: disc, "
        "radius: 0.1}]}\n"
        "  - {name: wall, fixed: true, position: [0.1, 0], shapes: [{type: half-plane, normal: "
        "[-1, 0]}]}\n"
        "forces:\n  - {bodies: [ball], force: [\"-1e6*x' + 5\", \"0\"], implicit: true}\n"
        "scheme: {step: 0.01, duration: 0.5, theta: 0.75}\n";
    scree_simulation *simulation = scene_begin(text, NULL);
    if (!simulation) return;
    scene_run_to(simulation, 2);
    CHECK_NEAR(scree_simulation_state(simulation)->v[0], 0, 1e-5);
    CHECK(scree_simulation_totals(simulation)->external_work < 0.01);
    scree_simulation_free(simulation);
}

// Centrifugal field on a rail: x'' = w^2 x, x = cosh(w t): growth, and the work is what it has
static void centrifugal(void) {
    static const char text[] =
        "bodies:\n  - {name: bead, mass: 3, inertia: 1, position: [1, 0]}\n"
        "forces:\n  - {bodies: [any], force: [\"3*4*x\", \"3*4*y\"], implicit: true}\n"
        "scheme: {step: 0.001, duration: 1, theta: 0.5}\n";
    scree_simulation *simulation = scene_begin(text, NULL);
    if (!simulation) return;
    scene_run_to(simulation, 2);
    double x = scree_simulation_state(simulation)->q[0];
    CHECK_NEAR(x, cosh(2), 1e-5);
    CHECK_NEAR(scree_simulation_totals(simulation)->external_work, 1.5 * 4 * (x * x - 1), 1e-9);
    scree_simulation_free(simulation);
}

// Two bodies attract each other by formulas of each other's places, names with a dash among them:
// momentum stays, and the distance swings as an oscillator with the reduced mass.
static void each_sees_the_other(void) {
    static const char text[] =
        "bodies:\n  - {name: left-1, mass: 1, inertia: 1, position: [-1, 0]}\n"
        "  - {name: right, mass: 3, inertia: 1, position: [1, 0]}\n"
        "forces:\n  - {bodies: [left-1], force: [\"6*(right.x - x) + 2 -2\", \"0*right.y'\"], "
        "implicit: true}\n"
        "  - {bodies: [right], force: [\"6*(left-1.x-x)\", 0], implicit: true}\n"
        "scheme: {step: 0.001, duration: 1, theta: 0.5}\n";
    scree_simulation *simulation = scene_begin(text, NULL);
    if (!simulation) return;
    scene_run_to(simulation, 2);
    const scree_state *state = scree_simulation_state(simulation);
    CHECK_NEAR(state->v[0] + 3 * state->v[3], 0, 1e-9);
    CHECK_NEAR(state->q[3] - state->q[0], 2 * cos(sqrt(6.0 / 0.75)), 1e-4);
    scree_simulation_free(simulation);
}

// the same in space and in the way of old, at the start of the step: first order
static void in_space(void) {
    static const char text[] =
        "space: 3\nbodies:\n  - {name: ball, mass: 2, inertia: [1, 2, 3], velocity: [1, 2, 3], "
        "spin: [1, 2, 3]}\n"
        "forces:\n  - {bodies: [ball], force: [\"-2*x'\", \"-2*y'\", \"-2*z'\", 0, 0, 0], "
        "implicit: true}\n"
        "scheme: {step: 0.005, duration: 1, theta: 0.5}\n";
    for (int explicit = 0; explicit < 2; explicit ++) {
        scree_simulation *simulation =
            scene_begin(text, explicit ? "forces.0.implicit=false" : "scheme.theta=0.5", NULL);
        if (!simulation) return;
        scene_run_to(simulation, 2);
        const double *v = scree_simulation_state(simulation)->v;
        for (int k = 0; k < 3; k++) CHECK_NEAR(v[k], (k + 1) * exp(-1), explicit ? 6e-3 : 1e-5);
        scree_simulation_free(simulation);
    }
}

// A block slides with kinetic friction and holds with the static one: it stops after v^2/(2 mu g),
// and then bears a push between the two. Works of friction are negative in every step.
static void static_and_kinetic(void) {
    static const char text[] =
        "gravity: [0, -10]\nbodies:\n"
        "  - {name: block, mass: 2, inertia: 1, position: [0, 0.1], velocity: [3, 0], hold: "
        "[angle], "
        "force: [\"8*step(t - 2)\", 0, 0], shapes: [{type: disc, radius: 0.1}]}\n"
        "  - {name: floor, fixed: true, shapes: [{type: half-plane}]}\n"
        "laws:\n  - {friction: 0.5, friction_kinetic: 0.3, friction_speed: 1e-4}\n"
        "scheme: {step: 1e-3, duration: 3}\n";
    static const char *const thetas[] = { "scheme.theta=0.5", "scheme.theta=1" };
    for (int k = 0; k < 2; k++) {
        scree_simulation *simulation = scene_begin(text, thetas[k], NULL);
        if (!scene_run_to(simulation, 1.9)) return;
        double stopped = scree_simulation_state(simulation)->q[0];
        CHECK_NEAR(stopped, 1.5, 5e-3);
        scene_run_to(simulation, 4);
        CHECK_NEAR(scree_simulation_state(simulation)->q[0], stopped, 1e-9);
        CHECK(scree_simulation_totals(simulation)->contact_tangential_work < 0);
        CHECK(scree_simulation_totals(simulation)->energy_created == 0);
        scree_law_verdict verdict;
        const scree_run_options *options = scree_simulation_options(simulation);
        CHECK(scree_ledger_law(scree_simulation_model(simulation), &options->scheme, 0, &verdict));
        CHECK(verdict.theorem.holds && strstr(verdict.theorem.reason, "friction of time or speed"));
        scree_simulation_free(simulation);
    }
}

// ice that thaws: friction from t = 0.5 on; and one that becomes negative is refused
static void friction_of_time(void) {
    static const char text[] =
        "parameters: {less: 0}\ngravity: [0, -10]\nbodies:\n"
        "  - {name: block, mass: 2, inertia: 1, position: [0, 0.1], velocity: [1, 0], hold: "
        "[angle], "
        "shapes: [{type: disc, radius: 0.1}]}\n"
        "  - {name: floor, fixed: true, shapes: [{type: half-plane}]}\n"
        "laws:\n  - {friction: \"0.2*step(t - 0.5) - less*t\"}\n"
        "scheme: {step: 1e-3, duration: 0.9}\n";
    scree_simulation *simulation = scene_begin(text, NULL);
    if (!scene_run_to(simulation, 4)) return;
    CHECK_NEAR(scree_simulation_state(simulation)->v[0], 1 - 2 * 0.4, 3e-3);
    scree_simulation_free(simulation);
    simulation = scene_begin(text, "parameters.less=1", NULL);
    scree_error err = { 0 };
    CHECK(simulation && scree_simulation_step(simulation, &err) == SCREE_BAD_INPUT);
    CHECK(strstr(err.text, "friction between \"block\" and \"floor\" is -0.001"));
    scree_simulation_free(simulation);
}

static void mistakes(void) {
    CHECK_MISTAKE(
        "bodies:\n  - {name: ball, mass: 2, inertia: 1}\nlaws:\n"
        "  - {friction: 0.5, friction_kinetic: 0.2}\nscheme: {step: 0.1, duration: 1}\n",
        "4:39: friction_kinetic and friction_speed go together");
#define FORCE(force)                                            \
    "bodies:\n  - {name: ball, mass: 2, inertia: 1}\nforces:\n" \
    "  - {bodies: [ball], force: " force "}\nscheme: {step: 0.1, duration: 1}\n"
    CHECK_MISTAKE(FORCE("[\"bell.x\", 0]"), "4:30: bell.x: there is no rigid body \"bell\"");
    CHECK_MISTAKE(FORCE("[\"bell.x\", 0]"), "did you mean \"ball\"");
    CHECK_MISTAKE(FORCE("[\"ball.z\", 0]"), "ball.z: a body has x, y and angle");
    CHECK_MISTAKE(FORCE("[\"3 + ball.\", 0]"), "4:");
    CHECK_MISTAKE(FORCE("[\"x\"]"), "expected 2 formulas, or 3 with those of the torque, found 1");
    CHECK_MISTAKE(FORCE("[x, y], implicit: 3"), "implicit: expected true or false");
}

TEST_FILE(test_state_forces) {
    TEST(terminal_speed);
    TEST(a_stiff_drag);
    TEST(centrifugal);
    TEST(each_sees_the_other);
    TEST(in_space);
    TEST(static_and_kinetic);
    TEST(friction_of_time);
    TEST(mistakes);
    return harness_end();
}
