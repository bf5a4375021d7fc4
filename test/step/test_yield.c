// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// test_yield.c - springs that yield, springs by a formula of energy, controllers with an integral:
// closed forms, and a ledger that closes for every theta and scheme.

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "random.h"
#include "scene_run.h"

static const char *const thetas[] = { "scheme.theta=0.5", "scheme.theta=0.7", "scheme.theta=1" };
static const char *const schemes[] = { "scheme.name=moreau-jean",
                                       "scheme.name=moreau-jean-fremond" };

#define BLOCK(motion)                                                             \
    "bodies:\n  - {name: block, mass: 1, inertia: 1" motion                       \
    "}\n"                                                                         \
    "joints:\n  - {name: rail, type: slider, bodies: [block], at: [0, 0], axis: " \
    "[1, 0]}\n"

// A spring and a dry slider in series are led through two cycles: the loop has the area 4 F (A -
// F/k), the way there F (A - F/k).
static void the_loop_of_a_yielding_spring(void) {
    static const char text[] =
        BLOCK("") "springs:\n  - {name: pad, joint: rail, stiffness: 100, yield: 10}\n"
                  "motors:\n  - {name: push, joint: rail, position: \"0.3*sin(pi*t)\"}\n"
                  "scheme: {step: 0.001, duration: 4.5}\n";
    for (int k = 0; k < 6; k++) {
        scree_simulation *simulation = scene_begin(text, thetas[k / 2], schemes[k % 2], NULL);
        if (!simulation) return;
        scene_run_to(simulation, 10);
        double slid = 0.2 + 4 * 0.4;  // up to the second top and once more
        const scree_totals *totals = scree_simulation_totals(simulation);
        double lost = totals->damping_work;
        if (k < 2) CHECK_NEAR(lost, -10 * slid, 1e-5);
        CHECK_NEAR(lost, -10 * slid, 0.03);
        scree_simulation_free(simulation);
    }
}

// thrown against one: kinetic energy m v^2/2 = k s^2/2 + F z, and then it swings about z with F/k
static void a_block_is_caught(void) {
    static const char text[] =
        BLOCK(", velocity: [3, 0]") "springs:\n"
                                    "  - {name: pad, joint: rail, stiffness: 100, yield: 10}\n"
                                    "scheme: {step: 0.0005, duration: 2, theta: 0.5}\n";
    scree_simulation *simulation = scene_begin(text, NULL);
    double far = 0, least = 1;
    while (simulation && scree_simulation_left(simulation) > 0) {
        scree_error err = { 0 };
        if (scree_simulation_step(simulation, &err)) COMPLAIN("%s", err.text);
        const scree_state *state = scree_simulation_state(simulation);
        far = fmax(far, state->q[0]);
        if (state->time > 1) least = fmin(least, state->q[0]);
    }
    double slid = (4.5 - 0.5) / 10;  // (m v^2/2 - F^2/(2k))/F
    CHECK_NEAR(far, slid + 0.1, 1e-5);
    CHECK_NEAR(least, slid - 0.1, 1e-5);
    CHECK_NEAR(scree_simulation_totals(simulation)->damping_work, -10 * slid, 1e-4);
    scree_simulation_free(simulation);
}

// the period of x'' = -x - x^3 from x = 1 is 4.768022; the energy stays with theta 1/2
static void duffing(void) {
    static const char text[] =
        BLOCK("") "springs:\n  - {name: pad, joint: rail, length: -1, energy: "
                  "\"e^2/2 + e^4/4\"}\n"
                  "scheme: {step: 4.76802201/400, duration: 4.76802201}\n";
    for (int k = 0; k < 6; k++) {
        scree_simulation *simulation = scene_begin(text, thetas[k / 2], schemes[k % 2], NULL);
        if (!simulation) return;
        double before = scree_simulation_energy(simulation);
        scene_run_to(simulation, 10);
        CHECK_NEAR(before, 0.75, 1e-14);
        const scree_totals *totals = scree_simulation_totals(simulation);
        CHECK(totals->numerical_dissipation <= 1e-13);
        if (k < 2) CHECK_NEAR(scree_simulation_energy(simulation), 0.75, 1e-12);
        if (k < 2) CHECK_NEAR(scree_simulation_state(simulation)->q[0], 0, 1e-4);
        scree_simulation_free(simulation);
    }
}

// without an integral a controller hangs m g/k below its target; with one it arrives, and it does
// not wind up while it is at its limit
static void a_controller_with_an_integral(void) {
    static const char text[] =
        "parameters: {ki: 200, most: 15}\n" BLOCK("")
        "gravity: [-9.81, 0]\n"
        "motors:\n  - {name: lift, joint: rail, position: 1, stiffness: 100, damping: 25, "
        "integral: ki, limit: most}\nscheme: {step: 0.002, duration: 12}\n";
    for (int k = 0; k < 6; k++) {
        scree_simulation *simulation = scene_begin(text, thetas[k / 2], schemes[k % 2], NULL);
        if (!simulation) return;
        double most = 0;
        while (scree_simulation_left(simulation) > 0) {
            scree_error err = { 0 };
            if (scree_simulation_step(simulation, &err)) COMPLAIN("%s", err.text);
            most = fmax(most, scree_simulation_state(simulation)->q[0]);
        }
        const double *q = scree_simulation_state(simulation)->q;
        CHECK_NEAR(q[0], 1, 1e-6);
        CHECK_NEAR(100 * (1 - q[0]) - 200 * q[3], 9.81, 1e-4);
        CHECK(most < 1.15);
        CHECK_NEAR(scree_simulation_totals(simulation)->motor_work +
                       scree_simulation_totals(simulation)->numerical_dissipation,
                   9.81, 1e-3);
        scree_simulation_free(simulation);
    }
    scree_simulation *simulation = scene_begin(text, "parameters.ki=0", NULL);
    if (!scene_run_to(simulation, 20)) return;
    CHECK_NEAR(scree_simulation_state(simulation)->q[0], 1 - 0.0981, 1e-9);
    scree_simulation_free(simulation);
}

// Bodies on springs that yield or not, with contacts among them: the ledger closes, sliders and
// dampers take energy, and so does the scheme.
static void random_nets(void) {
    const char *asked = getenv("SCREE_LONG");
    int rounds = asked && *asked ? 1500 : 24;
    for (int round = 0; round < rounds; round++) {
        char text[6000];
        int length = snprintf(text, sizeof text, "gravity: [0, -9.81]\nbodies:\n");
        for (int i = 0; i < 4; i++)
            length +=
                snprintf(text + length, sizeof text - (size_t)length,
                         "  - {name: b%d, mass: %g, inertia: %g, position: [%d, %g], "
                         "velocity: [%g, %g], spin: %g, shapes: [{type: disc, radius: %g}]}\n",
                         i, uniform(0.5, 2), uniform(0.1, 1), i, uniform(0.5, 2), uniform(-3, 3),
                         uniform(-3, 3), uniform(-2, 2), uniform(0.2, 0.4));
        length += snprintf(text + length, sizeof text - (size_t)length,
                           "  - {name: floor, fixed: true, shapes: [{type: half-plane}]}\n"
                           "laws:\n  - {restitution: %g, friction: %g}\nsprings:\n",
                           uniform(0, 0.9), uniform(0, 0.8));
        for (int i = 0; i < 4; i++) {
            const char *energy = "energy: \"40*e^2 + 30*e^4\"";
            char linear[100];
            snprintf(linear, sizeof linear, "stiffness: %g%s%g", pow(10, uniform(0, 4)),
                     random_int(0, 2) ? ", yield: " : ", damping: ", pow(10, uniform(-1, 1.5)));
            length +=
                snprintf(text + length, sizeof text - (size_t)length,
                         "  - {name: s%d, bodies: [b%d, %s], at: [%d, %g], to: [%d, %g], %s}\n", i,
                         i, i ? "b0" : "ground", i, uniform(0.5, 2), i ? 0 : -1, i ? 1.0 : 3.0,
                         random_int(0, 3) ? linear : energy);
        }
        length += snprintf(text + length, sizeof text - (size_t)length,
                           "scheme: {step: %g, duration: 0.3, name: %s}\n",
                           pow(10, uniform(-3, -2)), schemes[round % 2] + 12);
        bool auto_theta = round % 3 == 0;
        scree_simulation *simulation =
            scene_begin(text, auto_theta ? "scheme.theta=auto" : "scheme.theta=0.5", NULL);
        if (!simulation) return;
        scene_run_to(simulation, 1);
        const scree_totals *totals = scree_simulation_totals(simulation);
        CHECK(totals->damping_work <= 1e-7);
        CHECK(totals->contact_normal_work <= 1e-7);
        scree_simulation_free(simulation);
    }
}

static void mistakes(void) {
    const char *start = BLOCK("") "scheme: {step: 0.1, duration: 1}\n";
    static const struct {
        const char *line, *said;
    } given[] = {
        { "springs:\n  - {name: s, joint: rail, stiffness: 1, energy: \"e^2\"}\n",
          "7:50: a spring has either a stiffness or an energy" },
        { "springs:\n  - {name: s, joint: rail, energy: \"e^2 + x\"}\n", "7:43: energy: unknown" },
        { "springs:\n  - {name: s, joint: rail, damping: 1, yield: 3}\n",
          "7:47: yield needs a stiffness" },
        { "springs:\n  - {name: s, joint: rail, stiffness: 1, yield: -3}\n",
          "7:49: yield must be positive" },
        { "springs:\n  - {name: s, joint: rail, stiffness: 1, yield: 3, acts: pull}\n",
          "7:58: a spring that yields acts both ways" },
        { "springs:\n  - {name: s, joint: rail, stiffness: 1, yield: 3, preload: 4}\n",
          "7:61: preload 4 is beyond the yield, 3" },
        { "motors:\n  - {name: m, joint: rail, position: 1, integral: 4}\n",
          "7:51: integral of a motor goes with stiffness" },
    };
    for (size_t i = 0; i < sizeof given / sizeof *given; i++) {
        char text[1000];
        snprintf(text, sizeof text, "%s%s", start, given[i].line);
        CHECK_MISTAKE(text, given[i].said);
    }
}

TEST_FILE(test_yield) {
    TEST(the_loop_of_a_yielding_spring);
    TEST(a_block_is_caught);
    TEST(duffing);
    TEST(a_controller_with_an_integral);
    TEST(random_nets);
    TEST(mistakes);
    return harness_end();
}
