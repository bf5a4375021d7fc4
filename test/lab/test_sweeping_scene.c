// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// Scenes of kind sweeping, and the particle that walls confine.

#include <stdlib.h>

#include "harness.h"
#include "lab/convex_set.h"
#include "moving.h"
#include "scene_text.h"
#include "scree/scree.h"

// ---- scenes

static void a_scene_is_the_same_process(void) {
    const wave dragged = { 0, 1, 0, 0, 0 };
    const scree_function centre[] = { of_wave(&dragged), fixed(0) };
    scree_moving_set set = { .kind = SCREE_SET_BALL, .centre = centre, .radius = fixed(1) };
    const double x0[] = { 0.2, 0.6 };
    scree_findings findings = { 0 };
    const char *text = scene_text("sweeping-disc");
    scree_simulation *run =
        text ? scree_simulation_parse("disc", text, strlen(text), NULL, 0, &findings) : NULL;
    scree_sweeping *s = start(2, &set, 1, SCREE_CATCHING_UP, 0.01, x0);
    scree_error err = { 0 };
    CHECK(run && s && !findings.count);
    while (run && s && scree_simulation_left(run) > 0 && !harness_complaints) {
        CHECK_INT(scree_simulation_step(run, &err), SCREE_OK);
        go(s, 1);
        const double *x = scree_sweeping_state_of(s)->x;
        CHECK(memcmp(scree_simulation_state(run)->q, x, sizeof x0) == 0);
    }
    if (run) {
        const scree_state *state = scree_simulation_state(run);
        CHECK_INT(state->step, 400);
        // drawn at the speed of the disc's middle, nearly
        CHECK_NEAR(state->v[0], 1, 2e-3);
    }
    scree_simulation_free(run);
    scree_sweeping_free(s);
    scree_findings_free(&findings);
}

// one finding, at the line; the scene's first line is kind: sweeping
static void scene_refused(const char *rest, int line, const char *message) {
    char text[2000];
    snprintf(text, sizeof text, "kind: sweeping\n%s", rest);
    scree_findings findings = { 0 };
    scree_simulation *run = scree_simulation_parse("scene", text, strlen(text), NULL, 0, &findings);
    CHECK(!run);
    if (findings.count != 1) COMPLAIN("%d findings in %s", findings.count, text);
    for (int i = 0; i < findings.count; i++) {
        CHECK_TEXT(findings.item[i].text, message);
        CHECK_INT(findings.item[i].line, line);
    }
    scree_simulation_free(run);
    scree_findings_free(&findings);
}

#define SCHEME "scheme: {step: 0.1, duration: 1}\n"
#define POINT SCHEME "start: [0, 0]\nsets:\n"

static void bad_scenes_are_refused(void) {
    scene_refused(SCHEME "start: [0]", 1, "a scene of kind sweeping needs the key \"sets\"");
    scene_refused(SCHEME "start: []\nsets: [{type: interval, low: []}]", 3,
                  "start has 1 to 16 numbers, found 0");
    scene_refused(SCHEME "start: [0]\nsets: []", 4, "the list of sets is empty");
    scene_refused(POINT "  - {type: ball, centre: [0], radius: 1}", 5,
                  "centre has 1 entries, start 2");
    scene_refused(POINT "  - {type: ball, centre: [0, 0]}", 5,
                  "a set of type ball needs the key \"radius\"");
    scene_refused(POINT "  - {type: ball, centre: [0, 0], radius: 1, low: [0, 0]}", 5,
                  "low is not for a set of type ball, which has type, centre, radius");
    scene_refused(POINT "  - {type: interval}", 5, "an interval needs low, high or both");
    scene_refused(POINT "  - {type: half-space, normal: [0, 0, 1]}", 5,
                  "normal has 3 entries, start 2");
    scene_refused(POINT "  - {type: polyhedron, rows: [[1, 0]], offsets: [1, 2]}", 5,
                  "offsets has 2 entries, rows 1");
    scene_refused(POINT "  - {type: polyhedron, rows: [[1]], offsets: [1]}", 5,
                  "rows have 1 numbers each, start has 2");
    scene_refused(POINT "  - {type: polyhedron, rows: [[1, 1], [0, 0]], offsets: [1, 1]}", 5,
                  "row 2 is zero");
    scene_refused(POINT "  - {type: ball, centre: [3, 4], radius: 2}", 3,
                  "the start lies outside of the set, by 3");
    scene_refused(POINT "  - {type: ball, centre: [0, 0], radius: 0}", 5,
                  "radius must be positive, got 0");
    scene_refused(POINT "  - {type: ball, centre: [0, 1/0], radius: 1}", 5,
                  "centre: \"1/0\" is not a finite number");
    scene_refused(POINT "  - {type: half-space, normal: [t, t], offset: 1}", 3,
                  "set 1: the normal has the length 0 at t = 0");
    scene_refused(POINT
                  "  - {type: half-space, normal: [1, 0], offset: 1}\n"
                  "  - {type: half-space, normal: [-1, 0], offset: -2}",
                  3, "the set is empty at t = 0: its parts have no point in common");
    scene_refused(POINT "  - {type: interval, low: [-1, -1]}\nsolver: {name: nsgs}", 6,
                  "solver is not for kind: sweeping, where the scene may have title, units, kind, "
                  "parameters, start, sets, method, scheme, output");
    scene_refused(
        "scheme: {step: 0.1, duration: 1, theta: 1}\nstart: [0]\n"
        "sets: [{type: interval, low: [-1]}]",
        2, "theta is not for kind: sweeping, where scheme may have step, duration");
}

// ---- a particle confined by walls: sweeping in the velocity

typedef struct particle {
    double t, q[2], u[2];
} particle;

// Moreau's first scheme (2001, formula 17) in the vessel of the scene, whose middle is at height
// w(t)
static void confine(particle *p, const wave *w, double g, double h) {
    static const double tilt = 0.52359877559829887308;
    const double walls[4][4] = { { sin(tilt), cos(tilt), 0, 0 },
                                 { -sin(tilt), cos(tilt), 0, 0 },
                                 { 1, 0, -1, 0 },
                                 { -1, 0, 1, 0 } };
    double rate, middle = wave_at(w, p->t + h / 2, &rate);
    double free[2] = { p->u[0], p->u[1] - h * g }, at[2];
    scree_convex_set gamma = { .dimension = 2 };
    for (int k = 0; k < 2; k++) at[k] = p->q[k] + h / 2 * p->u[k];
    for (int i = 0; i < 4; i++) {
        const double *n = walls[i];
        if (n[0] * (at[0] - n[2]) + n[1] * (at[1] - n[3] - middle) > 0) continue;
        for (int k = 0; k < 2; k++) gamma.row[gamma.rows][k] = -n[k];
        gamma.bound[gamma.rows++] = -n[1] * rate;
    }
    CHECK_INT(scree_convex_set_project(&gamma, free, p->u), SCREE_PROJECTED);
    for (int k = 0; k < 2; k++) p->q[k] = at[k] + h / 2 * p->u[k];
    p->t += h;
}

// the largest distance of positions between the run of a scene and the formulas
static double confined_apart(const wave *w, double h, const char *const *changes, int count) {
    scree_findings findings = { 0 };
    const char *text = scene_text("confined-particle");
    if (!text) return NAN;
    scree_simulation *run =
        scree_simulation_parse("confined-particle", text, strlen(text), changes, count, &findings);
    for (int i = 0; i < findings.count; i++) COMPLAIN("%s", findings.item[i].text);
    scree_findings_free(&findings);
    particle p = { 0, { -0.5, 0.6 }, { 0, 0 } };
    double most = 0;
    scree_error err = { 0 };
    while (run && scree_simulation_left(run) > 0) {
        if (scree_simulation_step(run, &err)) {
            COMPLAIN("%s", err.text);
            break;
        }
        confine(&p, w, 9.81, h);
        const double *q = scree_simulation_state(run)->q + 3;  // behind the vessel
        most = fmax(most, hypot(q[0] - p.q[0], q[1] - p.q[1]));
    }
    scree_simulation_free(run);
    return most;
}

static void a_confined_particle_obeys_moreaus_formulas(void) {
    // a vessel that rises evenly, and a shaken one
    const wave rising = { 0, 0.3, 0, 0, 0 }, shaken = { 0, 0, 0.2, 9, 0 };
    const char *even[] = { "bodies.vessel.motion.position=[0, 0.3*t]" };
    const char *coarse[] = { "scheme.duration=1" };
    const char *fine[] = { "scheme.duration=1", "scheme.step=2.5e-4" };
    CHECK_NEAR(confined_apart(&rising, 1e-3, even, 1), 0, 1e-10);
    CHECK_NEAR(confined_apart(&shaken, 1e-3, coarse, 1), 0, 1e-10);
    CHECK_NEAR(confined_apart(&shaken, 2.5e-4, fine, 2), 0, 1e-10);
}

TEST_FILE(test_sweeping_scene) {
    TEST(a_scene_is_the_same_process);
    TEST(bad_scenes_are_refused);
    TEST(a_confined_particle_obeys_moreaus_formulas);
    return harness_end();
}
