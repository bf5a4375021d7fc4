// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// Scenes with a mechanism: the same bits as from C, interrupted or not; the ladder that leaves its
// wall, Painleve's rod in other coordinates, every scheme against event-driven.

#include "harness.h"
#include "scene_text.h"
#include "scree/scree.h"

static const double pi = 3.14159265358979323846;

static scree_simulation *open(const char *scene, const char *const *overrides, int count) {
    const char *text = scene_text(scene);
    scree_findings findings = { 0 };
    scree_simulation *made =
        text ? scree_simulation_parse(scene, text, strlen(text), overrides, count, &findings)
             : NULL;
    for (int i = 0; i < findings.count; i++) COMPLAIN("%s: %s", scene, findings.item[i].text);
    scree_findings_free(&findings);
    return made;
}

// up to a step, or to the end
static void go(scree_simulation *s, int64_t step) {
    scree_error err = { 0 };
    while (s && scree_simulation_state(s)->step < step && scree_simulation_left(s) > 0)
        if (scree_simulation_step(s, &err)) {
            COMPLAIN("%s", err.text);
            return;
        }
}

static const char *const schemes[] = { "scheme.name=moreau-jean", "scheme.name=moreau-jean-fremond",
                                       "scheme.name=moreau", "scheme.name=nscd",
                                       "scheme.name=event-driven" };

// -------------------------------------------------------------------------------------------------
// Kane's pendulum by hand

typedef struct pendulum {
    double depth, damping;
} pendulum;

static void mass_of(const void *self, const double *q, double *M, double *dM) {
    (void)self;
    double c = 0.5 * cos(q[0] - q[1]), s = 0.5 * sin(q[0] - q[1]);
    const double mass[] = { 4. / 3, c, c, 1. / 3 }, rate[] = { 0, -s, -s, 0, 0, s, s, 0 };
    memcpy(M, mass, sizeof mass);
    memcpy(dM, rate, sizeof rate);
}

static double weight_of(const void *self, const double *q, double *gradient) {
    (void)self;
    gradient[0] = 9.81 * (1.5 * sin(q[0]));
    gradient[1] = 9.81 * (0.5 * sin(q[1]));
    return -9.81 * (1.5 * cos(q[0]) + 0.5 * cos(q[1]));
}

static void damping_of(const void *self, double t, const double *q, const double *v, double *Q) {
    (void)t;
    (void)q;
    double c = ((const pendulum *)self)->damping;
    Q[0] = -c * v[0] - c * (v[0] - v[1]);
    Q[1] = c * (v[0] - v[1]);
}

static double tip_of(const void *self, int contact, const double *q, double *normal,
                     double *tangent) {
    (void)contact;
    for (int i = 0; i < 2; i++) {
        normal[i] = sin(q[i]);
        tangent[i] = cos(q[i]);
    }
    return ((const pendulum *)self)->depth - cos(q[0]) - cos(q[1]);
}

static void scene_and_program_have_the_same_bits(void) {
    const double q[] = { 20 * (pi / 180), 30 * (pi / 180) }, v[] = { -0.1, -0.2 };
    const pendulum numbers = { cos(q[0]) + cos(q[1]), 0.02 };
    for (int k = 0; k < 4; k++) {
        double e = k == 3 ? 0 : 0.5;
        const char *overrides[] = { schemes[k], k == 3 ? "parameters.e=0" : "parameters.e=0.5",
                                    "parameters.c=0.02" };
        scree_simulation *scene = open("kane-pendulum", overrides, 3);
        if (!scene) return;
        const scree_law law = { .restitution = e, .friction = 0.5 };
        const scree_mechanism_def m = { 2,    1, &numbers, mass_of, weight_of, damping_of, tip_of,
                                        &law, q, v,        NULL,    NULL,      NULL };
        const scree_run_options *options = scree_simulation_options(scene);
        scree_mechanism *program = NULL;
        scree_account account;
        scree_error err = { 0 };
        if (scree_mechanism_new(&m, &options->scheme, &options->solver, &program, &err))
            COMPLAIN("%s", err.text);
        for (int step = 1; program && step <= 1000 && !harness_complaints; step++) {
            go(scene, step);
            if (scree_mechanism_step(program, &account, &err)) COMPLAIN("%s", err.text);
            const scree_state *one = scree_simulation_state(scene),
                              *two = &scree_mechanism_record(program)->after;
            if (memcmp(one->q, two->q, sizeof q) != 0 || memcmp(one->v, two->v, sizeof v) != 0)
                COMPLAIN("%s, step %d: %.17g %.17g and %.17g %.17g", schemes[k], step, one->q[0],
                         one->q[1], two->q[0], two->q[1]);
            CHECK(scree_simulation_ledger(scene)->kinetic == account.ledger.kinetic);
        }
        scree_mechanism_free(program);
        scree_simulation_free(scene);
    }
}

// 0.023181 J become 0.036800 by Newton's law and 0.013038 by Fremond's
static void kane_in_one_step(void) {
    static const double after[] = { 0.036800366581273, 0.013037911992479 };
    for (int k = 0; k < 2; k++) {
        const char *overrides[] = { schemes[k], "scheme.step=1e-9", "scheme.duration=1e-9" };
        scree_simulation *s = open("kane-pendulum", overrides, 3);
        if (!s) return;
        CHECK_NEAR(scree_simulation_ledger(s)->kinetic, 0.023181410863455, 1e-14);
        go(s, 1);
        CHECK_NEAR(scree_simulation_ledger(s)->kinetic, after[k], 1e-8);
        CHECK((scree_simulation_totals(s)->energy_created > 0) == (k == 0));
        CHECK(scree_simulation_theorem(s).holds == (k == 1));
        scree_simulation_free(s);
    }
}

// -------------------------------------------------------------------------------------------------
// interrupted

static void restored_runs_have_the_same_bits(void) {
    static const char *const scenes[] = { "kane-pendulum", "sliding-rod" };
    for (int c = 0; c < 10; c++) {
        const char *overrides[] = { schemes[c % 5],
                                    c % 5 == 4 ? "scheme.step=0.02" : "scheme.step=1e-3",
                                    "parameters.e=0" };
        int count = c < 5 && c % 5 == 3 ? 3 : 2;
        int64_t half = c % 5 == 4 ? 7 : 133;
        scree_simulation *whole = open(scenes[c / 5], overrides, count);
        scree_simulation *again = open(scenes[c / 5], overrides, count);
        if (!whole || !again) return;
        scree_error err = { 0 };
        int n = scree_simulation_model(whole)->mechanism->coordinates;
        go(whole, half);
        const scree_step_record *record = scree_simulation_record(whole);
        if (scree_simulation_restore(again, scree_simulation_state(whole), record->contact,
                                     record->contacts, scree_simulation_totals(whole), &err))
            COMPLAIN("%s", err.text);
        CHECK(scree_simulation_ledger(again)->kinetic == scree_simulation_ledger(whole)->kinetic);
        CHECK(scree_simulation_ledger(again)->potential ==
              scree_simulation_ledger(whole)->potential);
        go(whole, 3 * half);
        go(again, 3 * half);
        const scree_state *one = scree_simulation_state(whole),
                          *two = scree_simulation_state(again);
        CHECK_INT(two->step, 3 * half);
        CHECK(memcmp(one->q, two->q, (size_t)n * sizeof(double)) == 0);
        CHECK(memcmp(one->v, two->v, (size_t)n * sizeof(double)) == 0);
        CHECK(memcmp(scree_simulation_ledger(whole), scree_simulation_ledger(again),
                     sizeof(scree_ledger)) == 0);
        scree_simulation_free(whole);
        scree_simulation_free(again);
    }
}

// -------------------------------------------------------------------------------------------------
// the ladder

// without friction it leaves the wall at two thirds of the height that it began with
static void ladder_leaves_its_wall(void) {
    for (int degrees = 40; degrees <= 80; degrees += 20) {
        char start[60];
        snprintf(start, sizeof start, "parameters.theta0=deg(%d)", degrees);
        const char *overrides[] = {
            schemes[4], "parameters.mu=0",  "parameters.mu_wall=0", "scheme.step=0.05",
            start,      "scheme.duration=3"
        };
        scree_simulation *s = open("sliding-rod", overrides, 6);
        const scree_event *event = NULL;
        int events = 0, left = -1;
        scree_error err = { 0 };
        while (s && left < 0 && scree_simulation_left(s) > 0) {
            if (scree_simulation_step(s, &err)) COMPLAIN("%s", err.text);
            events = scree_events_list(scree_simulation_events(s), &event);
            for (int i = 0; i < events; i++)
                if (event[i].contact == 1 && event[i].kind == SCREE_EVENT_LIFT_OFF) left = i;
        }
        CHECK(left >= 0);
        if (left < 0) return;
        // the energy that is lost in height is (m l^2/3) theta'^2/2, and the top falls with l cos
        // theta theta'
        double sine = 2 / 3. * sin(degrees * pi / 180), rate = sqrt(3 * 9.81 * sine / 2);
        CHECK_NEAR(event[left].u_before[1], -rate * sqrt(1 - sine * sine), 1e-9);
        CHECK_NEAR(event[left].u_before[0], 0, 1e-12);
        scree_simulation_free(s);
    }
}

// schemes that step come to the exact motion, half the step twice as near
static void every_scheme_comes_to_the_same_motion(void) {
    const char *exact[] = { schemes[4], "scheme.step=0.1", "scheme.duration=0.7" };
    scree_simulation *reference = open("sliding-rod", exact, 3);
    if (!reference) return;
    go(reference, 7);
    const double *q = scree_simulation_state(reference)->q;
    CHECK(q[2] < 0.8 && q[2] > 0.7);
    for (int k = 0; k < 4; k++) {
        double off[2];
        for (int half = 0; half < 2; half++) {
            const char *overrides[] = { schemes[k], half ? "scheme.step=5e-4" : "scheme.step=1e-3",
                                        "scheme.duration=0.7" };
            scree_simulation *s = open("sliding-rod", overrides, 3);
            if (!s) return;
            go(s, 10000);
            off[half] = 0;
            for (int i = 0; i < 3; i++)
                off[half] = fmax(off[half], fabs(scree_simulation_state(s)->q[i] - q[i]));
            scree_simulation_free(s);
        }
        printf("ladder, %s: off by %.2g, with half the step %.2g\n", schemes[k] + 12, off[0],
               off[1]);
        CHECK(off[0] < (k == 3 ? 0.02 : 5e-4));
        CHECK(off[0] / off[1] > 1.5);
    }
    scree_simulation_free(reference);
}

// -------------------------------------------------------------------------------------------------
// Painleve's rod

// mu, angle, spin: it slides; the tip sticks by an impact without collision
static void rod_is_that_of_the_bodies(void) {
    static const struct {
        const char *mu, *theta0, *omega0, *rate0, *v0;
    } cases[] = {
        { "parameters.mu=0.5", "parameters.theta0=1", "parameters.omega0=1", "parameters.rate0=-1",
          "parameters.v0=1" },
        { "parameters.mu=0.3", "parameters.theta0=0.6", "parameters.omega0=0", "parameters.rate0=0",
          "parameters.v0=-2" },
        { "parameters.mu=1.5", "parameters.theta0=atan(2)", "parameters.omega0=3",
          "parameters.rate0=-3", "parameters.v0=1" },
    };
    for (int c = 0; c < 3; c++) {
        double off[2];
        for (int half = 0; half < 2; half++) {
            const char *step = half ? "scheme.step=5e-5" : "scheme.step=1e-4";
            const char *of_bodies[] = {
                cases[c].mu, cases[c].theta0,       cases[c].omega0, cases[c].v0,
                step,        "scheme.duration=0.05"
            };
            const char *of_rod[] = { cases[c].mu,    cases[c].theta0,
                                     cases[c].rate0, cases[c].v0,
                                     step,           "scheme.duration=0.05",
                                     schemes[0],     "parameters.w=10" };
            scree_simulation *bodies = open("painleve-rod", of_bodies, 6);
            scree_simulation *rod = open("sliding-rod", of_rod, 8);
            if (!bodies || !rod) return;
            go(bodies, 100000);
            go(rod, 100000);
            // the second body is the rod; its angle is -theta
            const double *one = scree_simulation_state(bodies)->q + 3,
                         *two = scree_simulation_state(rod)->q;
            off[half] = hypot(one[0] - (two[0] - 0.5 * cos(two[2])),
                              one[1] - (two[1] + 0.5 * sin(two[2]))) +
                        fabs(one[2] + two[2]);
            scree_simulation_free(bodies);
            scree_simulation_free(rod);
        }
        printf("rod %d: apart by %.2g, with half the step %.2g\n", c, off[0], off[1]);
        CHECK(off[0] < 1e-3 && off[1] < 0.7 * off[0]);
    }
}

static void rod_has_the_paradox_of_the_bodies(void) {
    static const char *const spin[][2] = { { "parameters.omega0=3", "parameters.rate0=-3" },
                                           { "parameters.omega0=6", "parameters.rate0=-6" } };
    for (int c = 0; c < 2; c++) {
        const char *of_rod[] = { "parameters.mu=1.5", "parameters.theta0=atan(2)", spin[c][1],
                                 "parameters.v0=1", "parameters.w=10" };
        scree_simulation *bodies = open("painleve-rod", spin[c], 1);
        scree_simulation *rod = open("sliding-rod", of_rod, 5);
        scree_paradox one, two;
        scree_error err = { 0 };
        if (!bodies || !rod) return;
        CHECK(!scree_paradox_find(scree_simulation_model(bodies), 1e-12, &one, &err));
        CHECK(!scree_paradox_find_mechanism(scree_simulation_model(rod)->mechanism, 1e-12, &two,
                                            &err));
        CHECK_INT(two.count, c ? 2 : 0);
        CHECK_INT(two.count, one.count);
        CHECK_NEAR(two.A, -0.2, 1e-13);
        CHECK_NEAR(two.B, one.B, 1e-11);
        for (int i = 0; i < two.solutions && i < one.solutions; i++) {
            CHECK_INT(two.solution[i].kind, one.solution[i].kind);
            CHECK_NEAR(two.solution[i].force[0], one.solution[i].force[0], 1e-9);
        }
        scree_simulation_free(bodies);
        scree_simulation_free(rod);
    }
}

// the ladder touches twice, and a pendulum that strikes is in the middle of something else
static void paradoxes_want_one_contact_that_slides(void) {
    static const char *const what[] = { "2 contacts are closed", "collide with normal velocity" };
    static const char *const scenes[] = { "sliding-rod", "kane-pendulum" };
    for (int c = 0; c < 2; c++) {
        scree_simulation *s = open(scenes[c], NULL, 0);
        scree_paradox paradox;
        scree_error err = { 0 };
        if (!s) return;
        CHECK_INT(scree_paradox_find_mechanism(scree_simulation_model(s)->mechanism, 1e-12,
                                               &paradox, &err),
                  SCREE_BAD_INPUT);
        if (!strstr(err.text, what[c])) COMPLAIN("%s", err.text);
        scree_simulation_free(s);
    }
}

TEST_FILE(test_mechanism_scene) {
    TEST(scene_and_program_have_the_same_bits);
    TEST(kane_in_one_step);
    TEST(restored_runs_have_the_same_bits);
    TEST(ladder_leaves_its_wall);
    TEST(every_scheme_comes_to_the_same_motion);
    TEST(rod_is_that_of_the_bodies);
    TEST(rod_has_the_paradox_of_the_bodies);
    TEST(paradoxes_want_one_contact_that_slides);
    return harness_end();
}
