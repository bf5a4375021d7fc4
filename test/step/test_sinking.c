// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// test_sinking.c - what lies on something does not sink into it, at the settings that a scene gets
// if it does not say any.

#include <stdlib.h>

#include "harness.h"
#include "scree/simulation.h"

static scree_totals totals_of(const char *text, double *theta, bool *holds, double *ahead) {
    scree_findings findings = { 0 };
    scree_error err = { 0 };
    scree_totals totals = { .penetration_relative_max = HUGE_VAL };
    scree_simulation *s = scree_simulation_parse("sinking", text, strlen(text), NULL, 0, &findings);
    for (int i = 0; i < findings.count; i++) COMPLAIN("%s", findings.item[i].text);
    while (s && scree_simulation_left(s) > 0)
        if (scree_simulation_step(s, &err)) break;
    if (err.text[0]) COMPLAIN("%s", err.text);
    if (s) {
        totals = *scree_simulation_totals(s);
        *theta = scree_simulation_options(s)->scheme.theta;
        *holds = scree_simulation_theorem(s).holds;
        const scree_run_options *options = scree_simulation_options(s);
        *ahead =
            scree_scheme_forecast_of(scree_simulation_model(s), &options->scheme, options->duration)
                .penetration;
    }
    scree_simulation_free(s);
    scree_findings_free(&findings);
    return totals;
}

#define FLOOR               \
    "gravity: [0, -9.81]\n" \
    "bodies:\n"             \
    "  - {name: floor, fixed: true, shapes: [{type: half-plane}]}\n"
#define BOX                                                                \
    "  - {name: block, density: 2000, position: [0, 0.061], angle: 0.05, " \
    "shapes: [{type: box, size: [0.4, 0.1]}]}\n"

static const char *const block =  // sank by half its length within these four seconds
    FLOOR BOX "laws: [{friction: 0.5}]\nscheme: {name: moreau-jean, step: 1e-3, duration: 4}\n";

static const char *const bouncing_block =
    FLOOR BOX "laws: [{friction: 0.5, restitution: 0.3}]\nscheme: {step: 1e-3, duration: 4}\n";

static const char *const block_in_space =
    "space: 3\ngravity: [0, 0, -9.81]\n"
    "bodies:\n"
    "  - {name: floor, fixed: true, shapes: [{type: plane}]}\n"
    "  - {name: block, density: 2000, position: [0, 0, 0.085], axis: [1, 2, 0], angle: "
    "0.1, shapes: [{type: box, size: [0.4, 0.3, 0.1]}]}\n"
    "laws: [{friction: 0.5}]\nscheme: {name: moreau-jean, step: 1e-3, duration: 4}\n";

static const char *const ball =  // 0.87 mm every second
    FLOOR
    "  - {name: ball, density: 30, position: [0, 1.1], shapes: [{type: disc, radius: 0.1}]}\n"
    "laws: [{restitution: 0.7}]\nscheme: {step: 1e-3, duration: 40}\n";

static const char *const stop =  // a matrix system
    "system:\n"
    "  mass: [[1]]\n"
    "  load: [-9.81]\n"
    "  position: [0.5]\n"
    "  contacts: [{name: stop, normal: [1], restitution: 0.5}]\n"
    "scheme: {step: 1e-3, duration: 20}\n";

// What loses nothing beside what does not bounce at all: theta = 1/2 for all sank by 3 to 40 % of a
// body, where a ball without restitution was hit by one with all of it.
static const char *const mixed = FLOOR BOX
    "  - {name: dead, density: 2000, position: [0, 0.3], velocity: [0, -3], shapes: [{type: disc, "
    "radius: 0.05}]}\n"
    "  - {name: alive, density: 2000, position: [0.01, 0.45], velocity: [0, -4], spin: 3, shapes: "
    "[{type: box, size: [0.1, 0.08]}]}\n"
    "laws:\n  - {friction: 0.4}\n  - {between: [dead, alive], restitution: 1, friction: 0.4}\n"
    "scheme: {step: 5e-3, duration: 2}\n";

// Nodes at theta = 1/2 went on for half of their way after an impact: the ball by 70 % of a facet,
// the block, whose nodes bounce, by 100 %, and a rigid block fell between them.
static const char *const rubber_ball = FLOOR
    "elastic: [{name: ball, mesh: {disc: {radius: 0.1, cells: 6, at: [0, 0.3]}}, young: 1e5, "
    "poisson: 0.3, density: 1000}]\n"
    "laws: [{friction: 0.3}]\nscheme: {step: 4e-3, duration: 1}\n";

static const char *const rubber_block = FLOOR BOX
    "elastic: [{name: soft, mesh: {rectangle: {size: [0.3, 0.2], cells: [3, 2], at: [-0.1, 0.2]}}, "
    "young: 3e4, poisson: 0.2, density: 300}]\n"
    "laws: [{friction: 0.6}, {between: [any, floor], friction: 0.1, restitution: 0.47}]\n"
    "scheme: {step: 2e-3, duration: 1}\n";

static void nothing_sinks(void) {
    const struct {
        const char *name, *text;
        double theta, most;
    } of[] = { { "block", block, 1, 1e-4 },
               { "bouncing block", bouncing_block, 1 / 1.3, 1e-4 },
               { "block in space", block_in_space, 1, 2e-3 },
               { "ball", ball, 1 / 1.7, 1e-4 },
               { "mixed", mixed, 0.5, 6e-3 },
               { "rubber ball", rubber_ball, 0.5, 1e-6 },
               { "rubber block", rubber_block, 0.5, 6e-3 },
               { "system", stop, 0.5, HUGE_VAL } };
    for (size_t k = 0; k < sizeof of / sizeof *of; k++) {
        double theta = 0, ahead = 0;
        bool holds = false;
        scree_totals totals = totals_of(of[k].text, &theta, &holds, &ahead);
        printf("%s: theta %.4g, penetration %.2g m, %.2g of its size, created %g J\n", of[k].name,
               theta, totals.penetration_max, totals.penetration_relative_max,
               totals.energy_created);
        CHECK(fabs(theta - of[k].theta) < 1e-15 && holds && totals.energy_created == 0);
        CHECK(totals.penetration_relative_max <= 1.001 * ahead && ahead < 0.01);
        CHECK(totals.penetration_relative_max < of[k].most && totals.penetration_max < 5e-3);
    }
}

// the more bodies move the less digits of each impulse are asked for, of grains the least; joints
// that are left open do work later
static void tolerance_goes_with_size(void) {
    static const char *const joint =
        "joints: [{name: j, type: hinge, bodies: [d-1, d-2], at: [1.5, 2]}]\n";
    static const struct {
        int bodies;
        const char *shape, *joints;
        double tolerance;
    } of[] = { { 100, "disc, radius: 1", "", 1e-10 },   { 101, "disc, radius: 1", "", 1e-4 },
               { 1000, "disc, radius: 1", "", 1e-4 },   { 1001, "disc, radius: 1", "", 1e-3 },
               { 100, "box, size: [2, 2]", "", 1e-10 }, { 101, "box, size: [2, 2]", "", 1e-5 },
               { 1000, "box, size: [2, 2]", "", 1e-5 }, { 1001, "box, size: [2, 2]", "", 1e-4 },
               { 101, "disc, radius: 1", joint, 1e-6 }, { 101, "box, size: [2, 2]", joint, 1e-6 },
               { 1001, "disc, radius: 1", joint, 1e-4 } };
    for (size_t k = 0; k < sizeof of / sizeof *of; k++) {
        char text[500];
        snprintf(text, sizeof text,
                 "bodies: [{name: floor, fixed: true, shapes: [{type: half-plane}]}]\n"
                 "generate: [{name: d, arrange: grid, count: [%d, 1], spacing: 3, origin: [0, 2], "
                 "body: {density: 1, shapes: [{type: %s}]}}]\n"
                 "scheme: {step: 1e-3, duration: 1}\n%s",
                 of[k].bodies, of[k].shape, of[k].joints);
        scree_findings findings = { 0 };
        scree_simulation *s =
            scree_simulation_parse("many", text, strlen(text), NULL, 0, &findings);
        for (int i = 0; i < findings.count; i++) COMPLAIN("%s", findings.item[i].text);
        scree_scheme_reason reason;
        CHECK(s &&
              scree_scheme_choose_tolerance(scree_simulation_model(s), &reason) == of[k].tolerance);
        scree_simulation_free(s);
        scree_findings_free(&findings);
    }
}

// a block of rubber and a rigid box
static void elastic_bodies_are_counted(void) {
    scree_findings findings = { 0 };
    scree_simulation *s =
        scree_simulation_parse("rubber", rubber_block, strlen(rubber_block), NULL, 0, &findings);
    scree_scheme_reason reason = { 0 };
    CHECK(s && scree_scheme_choose_tolerance(scree_simulation_model(s), &reason) == 1e-10);
    CHECK_TEXT(reason.why, "2 bodies move, not more than 100");
    scree_simulation_free(s);
    scree_findings_free(&findings);
}

// Sweeps of a stack end above the tolerance: what is taken where the scene leaves it open, and
// counted, is refused where it does not.
static void steps_are_taken_at_worst(void) {
    static const char *const stack = FLOOR
        "generate: [{name: b, arrange: grid, count: [1, 6], spacing: 0.1, origin: [0, 0.05], "
        "body: {density: 1000, shapes: [{type: box, size: [0.3, 0.1]}]}}]\n"
        "laws: [{friction: 0.5}]\nscheme: {step: 1e-3, duration: 5e-3}\n"
        "solver: {name: nsgs, max_sweeps: 1400}\n";
    static const char *const exact[] = { "solver.tolerance=1e-10" };
    for (int given = 0; given < 2; given++) {
        scree_findings findings = { 0 };
        scree_error err = { 0 };
        scree_simulation *s =
            scree_simulation_parse("stack", stack, strlen(stack), exact, given, &findings);
        CHECK(s && !findings.count);
        scree_status status = SCREE_OK;
        while (!status && scree_simulation_left(s) > 0) status = scree_simulation_step(s, &err);
        const scree_totals *totals = scree_simulation_totals(s);
        double worst = scree_scheme_worst(scree_simulation_model(s), 1e-10);
        printf("%lld steps with a residual of up to %.2g\n", (long long)totals->loosened,
               totals->solver_residual_max);
        CHECK(status == (given ? SCREE_UNCONVERGED : SCREE_OK));
        CHECK(fabs(worst - 1e-6) < 1e-20 && totals->unconverged == 0);
        if (!given) {
            CHECK(totals->loosened > 0 && totals->energy_created == 0);
            CHECK(totals->solver_residual_max > 1e-10 && totals->solver_residual_max <= worst);
            CHECK(scree_simulation_theorem(s).holds);
        }
        scree_simulation_free(s);
        scree_findings_free(&findings);
    }
}

// A wall without mortar and a ball that flies into it: where factorisations are scarce Newton
// misses the step of the blow, and sweeps have it.
static void sweeps_have_what_newton_misses(void) {
    static const char *const wall =
        "space: 3\ngravity: [0, 0, -9.81]\n"
        "bodies: [{name: ground, fixed: true, shapes: [{type: plane}]}, {name: ball, density: "
        "7800, "
        "position: [1.05, -1, 0.44], velocity: [0, 15, 1], shapes: [{type: sphere, radius: "
        "0.15}]}]\n"
        "generate: [{name: brick, arrange: wall, count: [10, 11], body: {density: 1800, shapes: "
        "[{type: box, size: [0.21, 0.10, 0.06]}]}}]\n"
        "laws: [{friction: 0.6}]\nscheme: {step: 1e-3, duration: 0.06}\nsolver: {max_effort: 1}\n";
    scree_findings findings = { 0 };
    scree_error err = { 0 };
    scree_simulation *s = scree_simulation_parse("wall", wall, strlen(wall), NULL, 0, &findings);
    CHECK(s && !findings.count);
    scree_status status = SCREE_OK;
    while (!status && scree_simulation_left(s) > 0) status = scree_simulation_step(s, &err);
    const scree_totals *totals = scree_simulation_totals(s);
    CHECK(!status && scree_simulation_steps(s) == 60 && totals->energy_created == 0);
    CHECK(totals->penetration_relative_max < 0.01 && scree_simulation_theorem(s).holds);
    scree_simulation_free(s);
    scree_findings_free(&findings);
}

// what is chosen, and why, is told of keys that are not given, and of no others
static void choices_are_explained(void) {
    static const char *const papers = FLOOR BOX
        "laws: [{friction: 0.5}]\n"
        "scheme: {theta: 1/2, approach: required, correction: none, step: 1e-3, duration: "
        "4}\n";
    const char *const text[] = { bouncing_block, papers };
    static const char *const keys[] = { "theta", "approach", "correction" };
    static const char *const values[] = { "0.769231", "foreseen", "limited" };
    for (int k = 0; k < 2; k++) {
        scree_findings findings = { 0 };
        scree_scheme_reason reason;
        scree_simulation *s =
            scree_simulation_parse("chosen", text[k], strlen(text[k]), NULL, 0, &findings);
        CHECK(s && !findings.count);
        const scree_model *model = scree_simulation_model(s);
        const scree_run_options *given = scree_scene_options(scree_simulation_scene(s));
        int count = 0;
        for (; scree_scheme_explain(model, &given->scheme, count, &reason); count++) {
            CHECK_TEXT(reason.key, keys[count]);
            CHECK_TEXT(reason.value, values[count]);
            CHECK(strlen(reason.why) > 20);
        }
        CHECK_INT(count, k ? 0 : 3);
        scree_scheme_forecast ahead = scree_scheme_forecast_of(model, &given->scheme, 4);
        CHECK(k ? isinf(ahead.penetration) : ahead.penetration == 5e-3);
        CHECK(ahead.speed > 1 && ahead.size > 0.2 && ahead.size < 0.21);
        scree_simulation_free(s);
        scree_findings_free(&findings);
    }
}

TEST_FILE(test_sinking) {
    TEST(tolerance_goes_with_size);
    TEST(elastic_bodies_are_counted);
    TEST(steps_are_taken_at_worst);
    TEST(sweeps_have_what_newton_misses);
    TEST(choices_are_explained);
    TEST(nothing_sinks);
    return harness_end();
}
