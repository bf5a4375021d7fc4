// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// Position correction: who was free stays free, gaps in the end are true ones, and what cannot be
// pushed apart is told.

#include <math.h>
#include <string.h>

#include "simulation_text.h"

static void step(scree_simulation *simulation) {
    scree_error err = { 0 };
    if (scree_simulation_step(simulation, &err)) COMPLAIN("%s", err.text);
}

// three discs in a row: the first two overlap by 0.2, the third is 0.01 from them
#define ROW                                                                               \
    "overlaps: accept\nbodies:\n"                                                         \
    "  - {name: A, density: 1, position: [0, 0], shapes: [{type: disc, radius: 1}]}\n"    \
    "  - {name: B, density: 1, position: [1.8, 0], shapes: [{type: disc, radius: 1}]}\n"  \
    "  - {name: C, density: 1, position: [3.81, 0], shapes: [{type: disc, radius: 1}]}\n" \
    "scheme: {name: moreau-jean, theta: 1, step: 1e-3, duration: 5e-3, correction: projection}\n"

/// The smallest way of three equal discs: B and C go as far as A goes the other way, once C is
/// reached. With a for A's way and b for that of B and C: a + b = 0.2 in the end, of which B goes
/// 0.01 alone. The minimum of (a^2 + b^2 + (b - 0.01)^2) / 2 is at a = 0.13, b = 0.07.
static void neighbour_is_pushed_along(void) {
    scree_simulation *simulation = open_text(ROW, NULL, 0);
    if (!simulation) return;
    step(simulation);
    const double *q = scree_simulation_state(simulation)->q;
    CHECK_NEAR(q[0], -0.13, 1e-8);
    CHECK_NEAR(q[3], 1.87, 1e-8);
    CHECK_NEAR(q[6], 3.87, 1e-8);
    CHECK(scree_simulation_account(simulation)->penetration_relative < 1e-9);
    scree_simulation_free(simulation);
}

// the least true gap of discs of radius 1 among each other
static double least_gap(const double *q, int discs) {
    double least = HUGE_VAL;
    for (int i = 0; i < discs; i++)
        for (int j = i + 1; j < discs; j++)
            least = fmin(least, hypot(q[3 * i] - q[3 * j], q[3 * i + 1] - q[3 * j + 1]) - 2);
    return least;
}

/// A heap of discs, all in each other, and more pairs than are looked at one by one: after a step
/// no two overlap, by the distance of their centres, though every way turns the normals.
static void crowd_is_parted(void) {
    enum { SIDE = 5, DISCS = SIDE * SIDE };
    char text[8000];
    int at = snprintf(text, sizeof text, "overlaps: accept\nbodies:\n");
    for (int i = 0; i < DISCS; i++)
        at += snprintf(
            text + at, sizeof text - (size_t)at,
            "  - {name: d%d, density: 1, position: [%g, %g], shapes: [{type: disc, radius: "
            "1}]}\n",
            i, 1.7 * (i % SIDE) + 0.3 * (i / SIDE % 2), 1.8 * (i / SIDE) + 0.1 * (i % 3));
    snprintf(text + at, sizeof text - (size_t)at,
             "scheme: {name: moreau-jean, theta: 1, step: 1e-3, duration: 5e-3, correction: "
             "projection}\n");
    scree_simulation *simulation = open_text(text, NULL, 0);
    if (!simulation) return;
    CHECK(least_gap(scree_simulation_state(simulation)->q, DISCS) < -0.2);
    step(simulation);
    CHECK(least_gap(scree_simulation_state(simulation)->q, DISCS) > -1e-9);
    CHECK(scree_simulation_account(simulation)->penetration_relative < 1e-9);
    scree_simulation_free(simulation);
}

/// A disc between two walls that are closer together than it is wide: there is no way, it stays,
/// and the step says how deep.
static void what_is_stuck_is_told(void) {
    scree_simulation *simulation = open_text(
        "overlaps: accept\nbodies:\n"
        "  - {name: A, density: 1, position: [0, 0], shapes: [{type: disc, radius: 1}]}\n"
        "  - {name: L, fixed: true, shapes: [{type: half-plane, at: [-0.9, 0], normal: [1, 0]}]}\n"
        "  - {name: R, fixed: true, shapes: [{type: half-plane, at: [0.95, 0], normal: [-1, 0]}]}\n"
        "scheme: {name: moreau-jean, theta: 1, step: 1e-3, duration: 5e-3, correction: "
        "projection}\n",
        NULL, 0);
    if (!simulation) return;
    step(simulation);
    CHECK_NEAR(scree_simulation_state(simulation)->q[0], 0, 1e-12);
    CHECK_NEAR(scree_simulation_account(simulation)->penetration, 0.1, 1e-12);
    scree_simulation_free(simulation);
}

/// A body that is born at the end of a step is not pushed by that step.
static void unborn_is_left_alone(void) {
    scree_simulation *simulation = open_text(
        "overlaps: accept\nbodies:\n"
        "  - {name: A, density: 1, position: [0, 0], shapes: [{type: disc, radius: 1}]}\n"
        "  - {name: B, density: 1, born: 1e-3, position: [1.5, 0], shapes: [{type: disc, radius: "
        "1}]}\n"
        "scheme: {name: moreau-jean, theta: 1, step: 1e-3, duration: 5e-3, correction: "
        "projection}\n",
        NULL, 0);
    if (!simulation) return;
    step(simulation);
    const double *q = scree_simulation_state(simulation)->q;
    CHECK_NEAR(q[3], 1.5, 0);
    step(simulation);
    q = scree_simulation_state(simulation)->q;
    CHECK_NEAR(q[3] - q[0], 2, 1e-8);
    scree_simulation_free(simulation);
}

/// `limited` pushes what has sunk deeper than 1/200 back to 1/250, and then has nothing to do:
/// discs that touch, and one that is not too deep, are left where they are.
static void limit_leaves_room(void) {
    scree_simulation *simulation = open_text(
        "overlaps: accept\nbodies:\n"
        "  - {name: A, density: 1, position: [0, 0], shapes: [{type: disc, radius: 1}]}\n"
        "  - {name: B, density: 1, position: [1.9, 0], shapes: [{type: disc, radius: 1}]}\n"
        "  - {name: C, density: 1, position: [0, 9], shapes: [{type: disc, radius: 1}]}\n"
        "  - {name: D, density: 1, position: [1.9965, 9], shapes: [{type: disc, radius: 1}]}\n"
        "scheme: {step: 1e-3, duration: 5e-3, correction: limited}\n",
        NULL, 0);
    if (!simulation) return;
    step(simulation);
    const double *q = scree_simulation_state(simulation)->q;
    double apart = q[3] - q[0];
    CHECK_NEAR(apart, 2 - 4e-3, 1e-9);
    CHECK_NEAR(q[9] - q[6], 1.9965, 0);
    CHECK_NEAR(scree_simulation_account(simulation)->penetration, 4e-3, 1e-9);
    step(simulation);
    q = scree_simulation_state(simulation)->q;
    CHECK_NEAR(q[3] - q[0], apart, 0);
    scree_simulation_free(simulation);
}

// So many contacts in space are solved on the bodies: with v_free and w of these left out the
// answer was that of b = 0, nothing moved, and it was called solved.
static void many_boxes_are_parted(void) {
    scree_simulation *simulation = open_text(
        "space: 3\noverlaps: accept\n"
        "generate: [{name: b, arrange: grid, count: [4, 4, 4], spacing: 0.0995, body: {density: "
        "1000, shapes: [{type: box, size: [0.1, 0.1, 0.1]}]}}]\n"
        "scheme: {step: 1e-3, duration: 1e-3, correction: projection}\n",
        NULL, 0);
    if (!simulation) return;
    step(simulation);
    CHECK(scree_simulation_account(simulation)->penetration < 1e-9);
    scree_simulation_free(simulation);
}

/// Bodies in joints go with their joints: a rod holds A and B, C overlaps B by 0.2. Two of three
/// equal discs go one way, by a third of that, and the rod is as long as it was; a spring at A
/// keeps the work of its way in the ledger.
static void joined_bodies_go_together(void) {
    scree_simulation *simulation = open_text(
        "overlaps: accept\nbodies:\n"
        "  - {name: A, density: 1, position: [0, 0], shapes: [{type: disc, radius: 1}]}\n"
        "  - {name: B, density: 1, position: [3, 0], shapes: [{type: disc, radius: 1}]}\n"
        "  - {name: C, density: 1, position: [4.8, 0], shapes: [{type: disc, radius: 1}]}\n"
        "joints:\n"
        "  - {name: bar, type: rod, bodies: [A, B], at: [0, 0], to: [3, 0]}\n"
        "springs:\n"
        "  - {name: cord, bodies: [A], at: [0, 0], to: [-2, 0], length: 2, stiffness: 1e-3}\n"
        "scheme: {name: moreau-jean, theta: 1, step: 1e-3, duration: 5e-3, correction: "
        "projection}\n",
        NULL, 0);
    if (!simulation) return;
    step(simulation);
    const double *q = scree_simulation_state(simulation)->q, way = 0.2 / 3;
    CHECK_NEAR(q[0], -way, 1e-6);
    CHECK_NEAR(q[3], 3 - way, 1e-6);
    CHECK_NEAR(q[6], 4.8 + 2 * way, 1e-6);
    CHECK_NEAR(hypot(q[3] - q[0], q[4] - q[1]), 3, 1e-13);
    const scree_account *account = scree_simulation_account(simulation);
    CHECK(account->penetration_relative < 1e-9);
    CHECK_NEAR(account->ledger.correction_work, 1e-3 * way * way / 2, 1e-8);
    CHECK(fabs(account->ledger.residual) <= account->ledger.bound);
    scree_simulation_free(simulation);
}

TEST_FILE(test_correct) {
    TEST(neighbour_is_pushed_along);
    TEST(crowd_is_parted);
    TEST(many_boxes_are_parted);
    TEST(what_is_stuck_is_told);
    TEST(unborn_is_left_alone);
    TEST(limit_leaves_room);
    TEST(joined_bodies_go_together);
    return harness_end();
}
