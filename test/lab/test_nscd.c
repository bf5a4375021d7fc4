// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// The scheme nscd against the table it comes from, and its energy balance.

#include "random.h"
#include "scene_text.h"
#include "simulation_text.h"

// -------------------------------------------------------------------------------------------------
// the table as it is printed (corrected), U_N <= 0 and R_N <= 0, theta = 1/2

typedef struct particle {
    double m, KN, KT, W, FN, FT, mu;
    double UN, UT, VN, VT;
} particle;

enum { FLIGHT, ASCENT, SLIP_PLUS, SLIP_MINUS, STUCK, CASES };

static int step_by_table(particle *p, double h) {
    double M11 = p->m + h * h * p->KN / 2, M22 = p->m + h * h * p->KT / 2, M12 = h * h * p->W / 2;
    double FN = p->m * p->VN - h * (p->KN * p->UN + p->W * p->UT) + h * p->FN;
    double FT = p->m * p->VT - h * (p->W * p->UN + p->KT * p->UT) + h * p->FT;
    double determinant = M11 * M22 - M12 * M12;
    double freeN = (M22 * FN - M12 * FT) / determinant, freeT = (M11 * FT - M12 * FN) / determinant;
    int which = FLIGHT;
    p->VN = freeN;
    p->VT = freeT;
    if (p->UN + h * freeN >= 0) {
        which = ASCENT;
        if (freeN >= 0) {
            p->VN = p->VT = 0;
            which = STUCK;
            if (FT - p->mu * FN >= 0) {
                p->VT = (FT - p->mu * FN) / (M22 - p->mu * M12);
                which = SLIP_PLUS;
            } else if (FT + p->mu * FN <= 0) {
                p->VT = (FT + p->mu * FN) / (M22 + p->mu * M12);
                which = SLIP_MINUS;
            }
        }
    }
    p->UN += h * p->VN;
    p->UT += h * p->VT;
    return which;
}

static scree_simulation *open_particle(const particle *p, double h, int steps, const char *scheme) {
    static const char *const keys[] = { "m", "KN", "KT", "W", "FN", "FT", "mu" };
    const double values[] = { p->m, p->KN, p->KT, p->W, p->FN, p->FT, p->mu };
    char text[12][100];
    const char *overrides[12];
    for (int i = 0; i < 12; i++) overrides[i] = text[i];
    for (int i = 0; i < 7; i++)
        snprintf(text[i], sizeof *text, "parameters.%s=%.17g", keys[i], values[i]);
    snprintf(text[7], sizeof *text, "system.position=[%.17g, %.17g]", p->UN, p->UT);
    snprintf(text[8], sizeof *text, "system.velocity=[%.17g, %.17g]", p->VN, p->VT);
    snprintf(text[9], sizeof *text, "scheme.step=%.17g", h);
    snprintf(text[10], sizeof *text, "scheme.duration=%.17g", h * steps);
    snprintf(text[11], sizeof *text, "scheme.name=%s", scheme);
    scree_findings findings = { 0 };
    const char *scene = scene_text("klarbring");
    scree_simulation *made =
        scree_simulation_parse("klarbring", scene, strlen(scene), overrides, 12, &findings);
    if (!made) COMPLAIN("%s", findings.count ? findings.item[0].text : "no simulation");
    scree_findings_free(&findings);
    return made;
}

// go through a run beside the table; counts the table's cases, returns the largest difference
static double compare(particle p, double h, int steps, int *cases) {
    scree_simulation *s = open_particle(&p, h, steps, "nscd");
    scree_error err = { 0 };
    double worst = 0;
    for (int k = 0; s && k < steps; k++) {
        if (scree_simulation_step(s, &err)) {
            COMPLAIN("step %d: %s", k, err.text);
            break;
        }
        cases[step_by_table(&p, h)]++;
        const scree_state *state = scree_simulation_state(s);
        worst = fmax(worst, fmax(fabs(state->q[0] - p.UN), fabs(state->q[1] - p.UT)));
        worst = fmax(worst, fmax(fabs(state->v[0] - p.VN), fabs(state->v[1] - p.VT)));
        CHECK(scree_simulation_account(s)->energy_created == 0);
    }
    if (s) CHECK(scree_simulation_totals(s)->residual_over_bound_max < 1);
    scree_simulation_free(s);
    return worst;
}

static const particle reference = { 1, 2, 1, 1, 1, 1, 0.5, 0, 1, 0, -0.5 };

static void printed_run_is_that_of_the_table(void) {
    int cases[CASES] = { 0 };
    CHECK_NEAR(compare(reference, 1e-3, 12000, cases), 0, 1e-12);
    CHECK(cases[FLIGHT] > 6000 && cases[SLIP_PLUS] > 3000 && cases[SLIP_MINUS] > 1200);
}

static void random_particles_follow_the_table(void) {
    int cases[CASES] = { 0 };
    seed = 6;
    for (int k = 0; k < 60; k++) {
        particle p = { uniform(0.5, 2),
                       uniform(1, 3),
                       uniform(0.5, 2),
                       0,
                       uniform(0, 2),
                       uniform(-2, 2),
                       uniform(0, 1.5),
                       0,
                       0,
                       0,
                       0 };
        p.W = uniform(-0.9, 0.9) * sqrt(p.KN * p.KT);
        p.UN = k % 3 ? 0 : -uniform(0, 1);
        p.UT = uniform(-1, 1);
        p.VN = k % 2 ? 0 : -uniform(0, 1);
        p.VT = uniform(-1, 1);
        CHECK_NEAR(compare(p, 4e-3, 2000, cases), 0, 1e-12);
    }
    // to ascend in the table's sense a particle must be beyond the wall, and none comes there
    CHECK_INT(cases[ASCENT], 0);
    for (int c = 0; c < CASES; c++) CHECK(c == ASCENT || cases[c] > 1000);
}

// -------------------------------------------------------------------------------------------------
// the balance, with all that a system may have

static const char *const machine =
    "parameters: {e: 0}\n"
    "system:\n"
    "  mass: [[2, 0.3, 0], [0.3, 1, 0.1], [0, 0.1, 1.5]]\n"
    "  stiffness: [[30, -10, 2], [-10, 25, -8], [2, -8, 40]]\n"
    "  damping: [[0.4, -0.1, 0], [-0.1, 0.3, 0], [0, 0, 0.2]]\n"
    "  load: [-20 + 9*sin(5*t), 8, -6 + 4*cos(2*t)]\n"
    "  velocity: [1, -2, 1.5]\n"
    "  contacts:\n"
    "    - {name: shaker, normal: [1, 0.2, 0], tangent: [0, 0.3, 1], gap: 0.05 + 0.1*sin(7*t),\n"
    "       friction: 0.6, restitution: e, surface_velocity: [0.5*cos(t)]}\n"
    "    - {name: stop, normal: [0, -1, 0.4], tangent: [1, 0, 0], gap: 0.1, friction: 0.3}\n"
    "    - {name: smooth, normal: [0, 0, 1], gap: 0.2}\n"
    "scheme: {name: nscd, step: 2e-3, duration: 4}\n";

static scree_simulation *open_machine(const char *const *overrides, int count) {
    return open_text(machine, overrides, count);
}

// a scheme with another balance would miss it by the order of the works
static void ledger_closes_with_moving_walls_and_damping(void) {
    static const char *const thetas[] = { "scheme.theta=0.5", "scheme.theta=0.7",
                                          "scheme.theta=1" };
    for (int k = 0; k < 3; k++) {
        scree_simulation *s = open_machine(&thetas[k], 1);
        if (!s) return;
        scree_error err = { 0 };
        int64_t contacts = 0;
        while (scree_simulation_left(s) > 0 && !harness_complaints) {
            scree_status status = scree_simulation_step(s, &err);
            if (status) COMPLAIN("%s", err.text);
            contacts += scree_simulation_account(s)->active;
            CHECK(scree_simulation_ledger(s)->numerical_dissipation <= 0);
            CHECK(scree_simulation_ledger(s)->damping_work <= 0);
        }
        const scree_totals *totals = scree_simulation_totals(s);
        CHECK(contacts > 500);
        CHECK(totals->residual_max < 1e-13 && totals->residual_over_bound_max < 1);
        CHECK(fabs(totals->boundary_work) > 0.1 && totals->contact_tangential_work < -0.1);
        CHECK(totals->energy_created == 0);
        scree_simulation_free(s);
    }
}

static void restored_run_has_the_same_bits(void) {
    scree_simulation *one = open_machine(NULL, 0), *two = open_machine(NULL, 0);
    scree_error err = { 0 };
    for (int k = 0; one && k < 700; k++) CHECK(!scree_simulation_step(one, &err));
    if (one && two) {
        const scree_totals totals = *scree_simulation_totals(one);
        const scree_step_record *record = scree_simulation_record(one);
        CHECK(!scree_simulation_restore(two, &record->after, record->contact, record->contacts,
                                        &totals, &err));
        for (int k = 0; k < 500; k++) {
            CHECK(!scree_simulation_step(one, &err));
            CHECK(!scree_simulation_step(two, &err));
        }
        const scree_state *a = scree_simulation_state(one), *b = scree_simulation_state(two);
        CHECK(memcmp(a->q, b->q, 3 * sizeof *a->q) == 0);
        CHECK(memcmp(a->v, b->v, 3 * sizeof *a->v) == 0);
        CHECK(memcmp(scree_simulation_totals(one), scree_simulation_totals(two), sizeof totals) ==
              0);
    }
    scree_simulation_free(one);
    scree_simulation_free(two);
}

static void what_it_cannot_do_is_said(void) {
    const char *override = "parameters.e=0.5";
    scree_findings findings = { 0 };
    CHECK(!scree_simulation_parse("machine", machine, strlen(machine), &override, 1, &findings));
    CHECK(findings.count == 1 && strstr(findings.item[0].text, "restitution"));
    scree_findings_free(&findings);
    const char *ball = scene_text("bouncing-ball");
    override = "scheme.name=nscd";
    CHECK(!scree_simulation_parse("ball", ball, strlen(ball), &override, 1, &findings));
    CHECK(findings.count == 1 && strstr(findings.item[0].text, "matrices"));
    scree_findings_free(&findings);
}

TEST_FILE(test_nscd) {
    TEST(printed_run_is_that_of_the_table);
    TEST(random_particles_follow_the_table);
    TEST(ledger_closes_with_moving_walls_and_damping);
    TEST(restored_run_has_the_same_bits);
    TEST(what_it_cannot_do_is_said);
    return harness_end();
}
