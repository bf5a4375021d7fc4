// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// test_stability.c - verdicts of equilibria: theorems, energy, experiments, and that experiments do
// not contradict theorems.

#include "scene_text.h"
#include "scree/equilibria.h"

static const double TOLERANCE = 1e-12;

typedef struct bench {  // a model with its equilibria
    scree_scene *scene;
    scree_model *model;
    scree_equilibrium_system system;
    scree_equilibria set;
    scree_status status;
} bench;

static bench open_text(const char *text, const char *const *overrides, int count,
                       scree_stability_method method) {
    bench b = { .status = SCREE_BAD_INPUT };
    scree_findings findings = { 0 };
    scree_error err = { 0 };
    b.scene = scree_scene_parse("test", text, strlen(text), overrides, count, &findings);
    b.model = b.scene && !findings.count ? scree_model_from_scene(b.scene, &findings) : NULL;
    if (!b.model) COMPLAIN("%s", findings.count ? findings.item[0].text : "no model");
    scree_findings_free(&findings);
    if (!b.model) return b;
    const scree_run_options *options = scree_scene_options(b.scene);
    b.status = scree_equilibrium_system_new(b.model, options, &b.system, &err);
    if (!b.status) b.status = scree_equilibria_find(&b.system, TOLERANCE, &b.set, &err);
    if (!b.status)
        b.status = scree_stability_judge(b.model, options, &b.system, method, &b.set, &err);
    if (b.status) COMPLAIN("%s", err.text);
    return b;
}

static void close_bench(bench *b) {
    scree_equilibria_free(&b->set);
    scree_equilibrium_system_free(&b->system);
    scree_model_free(b->model);
    scree_scene_free(b->scene);
}

static bench open_particle(double W, double FT, double mu, scree_stability_method method) {
    char text[3][60];
    // long enough to see a motion come back, in few steps
    const char *overrides[5] = { text[0], text[1], text[2], "scheme.step=5e-3",
                                 "scheme.duration=40" };
    snprintf(text[0], sizeof text[0], "parameters.W=%.17g", W);
    snprintf(text[1], sizeof text[1], "parameters.FT=%.17g", FT);
    snprintf(text[2], sizeof text[2], "parameters.mu=%.17g", mu);
    return open_text(scene_text("klarbring"), overrides, 5, method);
}

typedef struct expected {
    scree_rest status;
    const char *verdict, *ground;
} expected;

static void check_verdicts(const bench *b, const expected *list, int count) {
    CHECK_INT(b->set.count, count);
    for (int k = 0; k < count; k++)
        for (int i = 0; i < b->set.count; i++) {
            const scree_equilibrium *piece = &b->set.item[i];
            if (piece->status[0] != list[k].status) continue;
            CHECK_TEXT(scree_stability_name(piece->stability), list[k].verdict);
            if (!strstr(piece->ground, list[k].ground))
                COMPLAIN("ground \"%s\", expected \"%s\"", piece->ground, list[k].ground);
            // the kinetic criterion names a motion that leaves, and no pushes that are survived
            CHECK_INT(piece->stable_directions > 0,
                      strcmp(list[k].verdict, "unstable") == 0 &&
                          !strstr(piece->ground, "kinetic criterion"));
        }
}

// -------------------------------------------------------------------------------------------------
// theorems

static void theorems_of_the_nine_cells(void) {
    const scree_rest FREE = SCREE_REST_FREE, GRAZING = SCREE_REST_GRAZING, STUCK = SCREE_REST_STUCK;
    const char *stable = "stable", *unstable = "unstable";
    for (int mirrored = 0; mirrored < 2; mirrored++) {
        double sign = mirrored ? -1 : 1;
        const scree_rest PLUS = mirrored ? SCREE_REST_SLIP_MINUS : SCREE_REST_SLIP_PLUS;
        const scree_rest MINUS = mirrored ? SCREE_REST_SLIP_PLUS : SCREE_REST_SLIP_MINUS;
        const struct {
            double FT, mu;
            int count;
            expected list[3];
        } cell[9] = {
            { 2, 0.5, 1, { { FREE, stable, "theorem 5.1" } } },
            { 2, 1, 1, { { FREE, stable, "theorem 5.1" } } },
            { 2,
              1.5,
              3,
              { { FREE, stable, "theorem 5.1" },
                { PLUS, unstable, "theorem 5.6 (corrected)" },
                { STUCK, stable, "theorem 5.5 (corrected)" } } },
            { 1, 0.5, 1, { { GRAZING, "asymptotically-stable", "theorem 5.2" } } },
            { 1,
              1,
              2,
              { { GRAZING, stable, "theorem 5.3" },
                { PLUS, unstable, "theorem 5.4 (corrected)" } } },
            { 1, 1.5, 2, { { GRAZING, stable, "theorem 5.5" }, { STUCK, stable, "theorem 5.5" } } },
            { 0,
              0.5,
              3,
              { { PLUS, stable, "theorem 5.5" },
                { STUCK, stable, "theorem 5.5" },
                { MINUS, stable, "theorem 5.5" } } },
            { 0, 1, 2, { { MINUS, stable, "theorem 5.5" }, { STUCK, stable, "theorem 5.5" } } },
            { 0, 1.5, 2, { { MINUS, stable, "theorem 5.5" }, { STUCK, stable, "theorem 5.5" } } },
        };
        for (int i = 0; i < 9; i++) {
            bench b = open_particle(sign, sign * cell[i].FT, cell[i].mu, SCREE_JUDGE_PROOF);
            check_verdicts(&b, cell[i].list, cell[i].count);
            for (int k = 0; k < b.set.count; k++)
                if (b.set.item[k].stability == SCREE_STABILITY_UNSTABLE)
                    CHECK_TEXT(b.set.item[k].stable_direction[0], mirrored ? "+T" : "-T");
            close_bench(&b);
        }
    }
}

static const char TURNED[] =
    "parameters: { c: cos(0.7), s: sin(0.7), FN: 1, FT: 2, mu: 1.5, g: 0.4, e: 0, d: 0 }\n"
    "system:\n"
    "  mass: [[3, 0], [0, 3]]\n"
    "  damping: [[d, 0], [0, d]]\n"
    "  stiffness:\n"
    "    - [2*c*c + s*s - 2*c*s, c*s + c*c - s*s]\n"
    "    - [c*s + c*c - s*s, 2*s*s + c*c + 2*c*s]\n"
    "  load: [(FN + 2*g)*c - (FT + g)*s, (FN + 2*g)*s + (FT + g)*c]\n"
    "  position: [0, 0]\n"
    "  contacts:\n"
    "    - { name: wall, normal: [-c, -s], tangent: [-s, c], gap: g, friction: mu, restitution: e "
    "}\n"
    "scheme: { name: moreau-jean, theta: 1/2, step: 1e-2, duration: 30 }\n";

// the same particle in other axes, and away from the wall when its springs are at rest
static void turned_axes_do_not_matter(void) {
    bench b = open_text(TURNED, NULL, 0, SCREE_JUDGE_PROOF);
    scree_klarbring p;
    if (!b.status && scree_klarbring_of(b.model, &b.system, TOLERANCE, &p)) {
        CHECK_NEAR(p.m, 3, 0);
        CHECK_NEAR(p.KN, 2, 1e-14);
        CHECK_NEAR(p.KT, 1, 1e-14);
        CHECK_NEAR(p.W, 1, 1e-14);
        CHECK_NEAR(p.FN, 1, 1e-14);
        CHECK_NEAR(p.FT, 2, 1e-14);
        CHECK_NEAR(p.A, -1, 1e-14);
    } else {
        COMPLAIN("not taken for Klarbring's particle");
    }
    const expected list[] = { { SCREE_REST_FREE, "stable", "theorem 5.1" },
                              { SCREE_REST_SLIP_PLUS, "unstable", "theorem 5.6" },
                              { SCREE_REST_STUCK, "stable", "theorem 5.5" } };
    check_verdicts(&b, list, 3);
    close_bench(&b);
}

// restitution, damping: the theorems are silent, and other grounds have their own hypotheses
static void theorems_keep_to_their_hypotheses(void) {
    const char *bouncing[] = { "parameters.e=0.5" };
    bench b = open_text(TURNED, bouncing, 1, SCREE_JUDGE_PROOF);
    const expected bounce[] = { { SCREE_REST_FREE, "stable", "energy: no reaction" },
                                { SCREE_REST_SLIP_PLUS, "unstable", "kinetic criterion" },
                                { SCREE_REST_STUCK, "undecided", "no theorem" } };
    check_verdicts(&b, bounce, 3);
    close_bench(&b);
    const char *damped[] = { "parameters.d=0.1" };
    b = open_text(TURNED, damped, 1, SCREE_JUDGE_PROOF);
    const expected list[] = { { SCREE_REST_FREE, "asymptotically-stable", "energy" },
                              { SCREE_REST_SLIP_PLUS, "unstable", "kinetic criterion" },
                              { SCREE_REST_STUCK, "stable", "static criterion" } };
    check_verdicts(&b, list, 3);
    close_bench(&b);
    const char *driven[] = { "parameters.d=-0.1" };
    b = open_text(TURNED, driven, 1, SCREE_JUDGE_PROOF);
    const expected drive[] = { { SCREE_REST_FREE, "unstable", "kinetic criterion" },
                               { SCREE_REST_SLIP_PLUS, "unstable", "kinetic criterion" },
                               { SCREE_REST_STUCK, "undecided", "no theorem" } };
    check_verdicts(&b, drive, 3);
    close_bench(&b);
}

static void energy_without_friction(void) {
    bench b = open_particle(1, 0, 0, SCREE_JUDGE_PROOF);
    const expected pressed = { SCREE_REST_STUCK, "stable", "energy: no friction" };
    check_verdicts(&b, &pressed, 1);
    close_bench(&b);
    b = open_particle(1, 1, 0, SCREE_JUDGE_PROOF);
    const expected grazing = { SCREE_REST_GRAZING, "stable", "energy: no reaction" };
    check_verdicts(&b, &grazing, 1);
    close_bench(&b);
}

static void energy_without_coupling(void) {
    const expected pressed[] = { { SCREE_REST_STUCK, "stable", "static criterion" },
                                 { SCREE_REST_SLIP_PLUS, "stable", "static criterion" },
                                 { SCREE_REST_SLIP_MINUS, "stable", "static criterion" } };
    bench b = open_particle(0, 1, 0.5, SCREE_JUDGE_PROOF);
    check_verdicts(&b, pressed, 3);
    close_bench(&b);
    b = open_particle(0, 1, 0.5, SCREE_JUDGE_EXPERIMENT);
    for (int i = 0; i < b.set.count; i++)
        CHECK_INT(b.set.item[i].stability, SCREE_STABILITY_STABLE);
    close_bench(&b);
}

// -------------------------------------------------------------------------------------------------
// experiments

// what an experiment decides must be what the theorem says; 5.6 and the stuck states are decided
static void experiments_agree_with_theorems(void) {
    const double FT[] = { 2, 1, 0 }, mu[] = { 0.5, 1, 1.5 };
    int decided = 0, unstable = 0;
    for (int i = 0; i < 9; i += SANITIZED ? 4 : 1) {
        bench proof = open_particle(1, FT[i / 3], mu[i % 3], SCREE_JUDGE_PROOF);
        bench seen = open_particle(1, FT[i / 3], mu[i % 3], SCREE_JUDGE_EXPERIMENT);
        CHECK_INT(seen.set.count, proof.set.count);
        for (int k = 0; k < seen.set.count && k < proof.set.count; k++) {
            scree_stability truth = proof.set.item[k].stability, said = seen.set.item[k].stability;
            CHECK(strncmp(seen.set.item[k].ground, "experiment", 10) == 0);
            if (said == SCREE_STABILITY_UNDECIDED) continue;
            decided++;
            unstable += said == SCREE_STABILITY_UNSTABLE;
            CHECK_INT(said == SCREE_STABILITY_UNSTABLE, truth == SCREE_STABILITY_UNSTABLE);
            if (said == SCREE_STABILITY_ASYMPTOTIC) CHECK_INT(truth, SCREE_STABILITY_ASYMPTOTIC);
        }
        close_bench(&proof);
        close_bench(&seen);
    }
    CHECK(SANITIZED || unstable == 1);
    CHECK(decided >= (SANITIZED ? 4 : 12));
}

// Basseville & Leger, section 6: restitution changes little, all three states stay stable. The
// motions of steps sink into the wall with `required`, which is no instability; Fremond's impact
// law is not for motions from event to event.
static void restitution_does_not_shake(void) {
    const char *by_events[] = { "parameters.FT=0", "scheme.duration=100",
                                "system.contacts.wall.restitution=0.2" };
    const char *by_steps[] = { "parameters.FT=0",
                               "scheme.duration=100",
                               "system.contacts.wall.restitution=0.2",
                               "system.contacts.wall.impact=fremond",
                               "scheme.approach=required",
                               "scheme.step=2e-2" };
    for (int i = 0; i < 2; i++) {
        bench b = open_text(scene_text("klarbring"), i ? by_steps : by_events, i ? 6 : 3,
                            SCREE_JUDGE_AUTO);
        CHECK_INT(b.set.count, 3);
        for (int k = 0; k < b.set.count; k++) {
            const scree_equilibrium *piece = &b.set.item[k];
            CHECK_INT(strstr(piece->ground, "event-driven") != NULL, !i);
            CHECK(piece->stability != SCREE_STABILITY_UNSTABLE);
            if (!i) CHECK_INT(piece->stability, SCREE_STABILITY_STABLE);
        }
        close_bench(&b);
    }
}

// the push that a state in impending slip survives: down the wall
static void survived_pushes_are_named(void) {
    bench b = open_particle(1, 2, 1.5, SCREE_JUDGE_EXPERIMENT);
    bool named = false, wrong = false;
    for (int i = 0; i < b.set.count; i++) {
        const scree_equilibrium *piece = &b.set.item[i];
        if (piece->stability != SCREE_STABILITY_UNSTABLE) continue;
        for (int k = 0; k < piece->stable_directions; k++) {
            named = named || strcmp(piece->stable_direction[k], "(0, -1)") == 0;
            wrong = wrong || strcmp(piece->stable_direction[k], "(0, 1)") == 0;
        }
    }
    CHECK(named && !wrong);
    close_bench(&b);
}

static const char BLOCK[] =
    "parameters: { slope: 0.2, tall: 1 }\n"
    "gravity: [9.81*sin(slope), -9.81*cos(slope)]\n"
    "bodies:\n"
    "  - name: ground\n"
    "    fixed: true\n"
    "    shapes: [{ type: half-plane, normal: [0, 1] }]\n"
    "  - name: block\n"
    "    mass: 2\n"
    "    inertia: 1\n"
    "    position: [0, tall/2]\n"
    "    shapes:\n"
    "      - { type: point, at: [-0.5, -tall/2] }\n"
    "      - { type: point, at: [0.5, -tall/2] }\n"
    "laws: [{ friction: 0.5, restitution: 0 }]\n"
    "scheme: { name: moreau-jean, theta: 1/2, step: 2e-3, duration: 4 }\n";

static void block_on_a_slope(void) {
    bench b = open_text(BLOCK, NULL, 0, SCREE_JUDGE_AUTO);
    CHECK_INT(b.set.contacts, 2);
    CHECK(b.set.count > 0);
    double weight = 2 * 9.81 * cos(0.2), tip = 2 * 9.81 * sin(0.2) * 0.5;
    for (int i = 0; i < b.set.count; i++) {
        const scree_equilibrium *piece = &b.set.item[i];
        CHECK_NEAR(piece->rn[0] + piece->rn[2], weight, 1e-10);
        CHECK_NEAR(fabs(piece->rn[0] - piece->rn[2]), 2 * tip, 1e-10);
        CHECK_INT(piece->stability, SCREE_STABILITY_STABLE);
    }
    close_bench(&b);
    const char *steep[] = { "parameters.slope=0.6" };
    b = open_text(BLOCK, steep, 1, SCREE_JUDGE_AUTO);
    CHECK_INT(b.set.count, 0);  // tan(0.6) > mu
    close_bench(&b);
}

TEST_FILE(test_stability) {
    TEST(theorems_of_the_nine_cells);
    TEST(turned_axes_do_not_matter);
    TEST(theorems_keep_to_their_hypotheses);
    TEST(energy_without_friction);
    TEST(energy_without_coupling);
    TEST(experiments_agree_with_theorems);
    TEST(restitution_does_not_shake);
    TEST(survived_pushes_are_named);
    TEST(block_on_a_slope);
    return harness_end();
}
