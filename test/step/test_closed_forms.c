// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// test_closed_forms.c - the built-in scenes against numbers known from elsewhere.
//
// Values of the impacting stick are those of an independent program (Acary & Collins-Craft 2024,
// section 5.1, the scheme as written); the rest are formulas. Scenes are read from the folder in
// the environment variable SCREE_SCENES, "scenes" without it.

#include <stdlib.h>

#include "scene_text.h"
#include "scree/simulation.h"

// -------------------------------------------------------------------------------------------------
// running scenes

static scree_simulation *parse(const char *name, const char *text, const char *const *overrides) {
    int count = 0;
    while (overrides && overrides[count]) count++;
    scree_findings findings = { 0 };
    scree_simulation *simulation =
        scree_simulation_parse(name, text, strlen(text), overrides, count, &findings);
    for (int i = 0; i < findings.count; i++) {
        char line[900];
        scree_error_format(&findings.item[i], line, sizeof line);
        COMPLAIN("%s", line);
    }
    if (!simulation) COMPLAIN("%s: no simulation", name);
    scree_findings_free(&findings);
    return simulation;
}

static scree_simulation *open_scene(const char *name, const char *const *overrides) {
    const char *text = scene_text(name);
    return text ? parse(name, text, overrides) : NULL;
}

#define SCENE(name, ...) open_scene(name, (const char *const[]){ __VA_ARGS__, NULL })

static bool step(scree_simulation *simulation) {
    scree_error err = { 0 };
    if (scree_simulation_step(simulation, &err) == SCREE_OK) return true;
    COMPLAIN("%s", err.text);
    return false;
}

// -------------------------------------------------------------------------------------------------
// impacting stick

typedef struct impact {
    double time, un, ut, ut_after, pn, pt, work, kinetic;
} impact;

typedef struct stick {
    impact impact[8];
    int impacts;
    double work_n, work_t, work_n_max, work_t_max;  // sums and largest of one step
    double residual;                                // largest of the ledger, over the energy
    double q[3], v[3];
} stick;

/// Run to the end. The tangent of the reference is along -x, as here: (-n_y, n_x).
static stick run_stick(scree_simulation *simulation) {
    stick result = { .work_n_max = -INFINITY, .work_t_max = -INFINITY };
    while (simulation && scree_simulation_left(simulation) && step(simulation)) {
        const scree_step_record *record = scree_simulation_record(simulation);
        const scree_ledger *ledger = scree_simulation_ledger(simulation);
        double energy = fabs(ledger->kinetic) + fabs(ledger->potential);
        result.residual = fmax(result.residual, fabs(ledger->residual) / energy);
        result.work_n += ledger->contact_normal_work;
        result.work_t += ledger->contact_tangential_work;
        result.work_n_max = fmax(result.work_n_max, ledger->contact_normal_work);
        result.work_t_max = fmax(result.work_t_max, ledger->contact_tangential_work);
        const scree_contact *contact = record->contact;
        if (contact->impulse[0] == 0 || result.impacts == 8) continue;
        double theta = scree_simulation_options(simulation)->scheme.theta;
        double ut = (1 - theta) * contact->u_before[1] + theta * contact->u_after[1];
        CHECK_NEAR(ledger->contact_tangential_work, ut * contact->impulse[1], 1e-16);
        result.impact[result.impacts++] = (impact){ record->after.time,
                                                    contact->u_before[0],
                                                    contact->u_before[1],
                                                    contact->u_after[1],
                                                    contact->impulse[0],
                                                    contact->impulse[1],
                                                    ledger->contact_tangential_work,
                                                    ledger->kinetic };
    }
    if (simulation) {
        const scree_state *state = scree_simulation_state(simulation);
        CHECK_INT(state->step, 2000);
        memcpy(result.q, state->q + 3, sizeof result.q);
        memcpy(result.v, state->v + 3, sizeof result.v);
    }
    scree_simulation_free(simulation);
    return result;
}

static void compare_impact(const impact *found, const impact *expected) {
    CHECK_NEAR(found->time, expected->time, 1e-12);
    CHECK_NEAR(found->un, expected->un, 1e-12);
    CHECK_NEAR(found->ut, expected->ut, 1e-12);
    CHECK_NEAR(found->ut_after, expected->ut_after, 1e-12);
    CHECK_NEAR(found->pn, expected->pn, 1e-12);
    CHECK_NEAR(found->pt, expected->pt, 1e-12);
    CHECK_NEAR(found->work, expected->work, 1e-12);
    CHECK_NEAR(found->kinetic, expected->kinetic, 1e-12);
}

static void compare_end(const stick *found, const double q[3], const double v[3], double work) {
    for (int k = 0; k < 3; k++) {
        CHECK_NEAR(found->q[k], q[k], 1e-12);
        CHECK_NEAR(found->v[k], v[k], 1e-12);
    }
    CHECK_NEAR(found->work_t, work, 1e-12);
    CHECK_NEAR(found->work_n, 0, 1e-14);
    CHECK(found->residual < 1e-14);
    CHECK_INT(found->impacts, 2);
}

static void stick_moreau_jean(void) {
    stick found = run_stick(SCENE("impacting-stick", "scheme.name=moreau-jean"));
    compare_impact(&found.impact[0],
                   &(impact){ 0.0603, -0.4664324637289772, 0.46485813944012855, -0.0854752652918567,
                              0.37308921265423106, 0.0037308921265423106, 7.0771828905239e-4,
                              0.25244234034939217 });
    compare_impact(&found.impact[1],
                   &(impact){ 0.1633, -0.47022774357917624, 0.025709099453282567,
                              -0.4075745044023914, 0.3127211217717339, 0.003127211217717339,
                              -5.970868890075e-4, 0.9159470038656218 });
    compare_end(&found, (double[]){ 0.2529170734063745, 0.24718510928681478, 1.0819883190944333 },
                (double[]){ -0.5068581033442596, -1.2141896655739952, 3.2073513209813838 },
                1.1063140004e-4);
}

static void stick_fremond(void) {
    stick found = run_stick(SCENE("impacting-stick", "scheme.name=moreau-jean-fremond"));
    compare_impact(&found.impact[0],
                   &(impact){ 0.0603, -0.4664324637289772, 0.46485813944012855,
                              -0.09725830831656213, 0.368670891782742, -0.00368670891782742,
                              -6.776167877976e-4, 0.25105921443297796 });
    compare_impact(&found.impact[1],
                   &(impact){ 0.1634, -0.4698471217952592, 0.01575478218293157, -0.4161291017405584,
                              0.31204514193777716, 0.0031204514193777716, -6.246743068730e-4,
                              0.9202523281271091 });
    compare_end(&found, (double[]){ 0.25395424362001495, 0.2465116021719327, 1.0835074099259314 },
                (double[]){ -0.49943374250155037, -1.2192839662794397, 3.218031198100168 },
                -1.3022910947e-3);
    CHECK(found.work_t_max <= 1e-15);
}

/// The conventions behind the authors' published files.
static void stick_of_the_authors(void) {
    stick found =
        run_stick(SCENE("impacting-stick", "scheme.name=moreau-jean", "scheme.activation=half"));
    CHECK_NEAR(found.impact[0].time, 0.0604, 1e-12);
    CHECK_NEAR(found.impact[1].time, 0.1636, 1e-12);
    found = run_stick(SCENE("impacting-stick", "scheme.name=moreau-jean-fremond",
                            "scheme.jacobian=free-end", "scheme.approach=ignored"));
    CHECK_NEAR(found.impact[0].time, 0.0603, 1e-12);
    CHECK_NEAR(found.impact[1].time, 0.1634, 1e-12);
    CHECK(found.residual < 1e-14);
}

/// Outside of theta <= 1/(1+e) the normal work creates energy, whatever the friction law.
static void stick_beyond_the_theorem(void) {
    const char *schemes[] = { "scheme.name=moreau-jean", "scheme.name=moreau-jean-fremond" };
    for (int k = 0; k < 2; k++) {
        scree_simulation *simulation = SCENE("impacting-stick", schemes[k], "scheme.theta=1");
        CHECK(simulation && !scree_simulation_theorem(simulation).holds);
        stick found = run_stick(simulation);
        CHECK_NEAR(found.work_n_max, 0.174, 0.0005);
    }
    stick found = run_stick(
        SCENE("impacting-stick", "scheme.name=moreau-jean", "parameters.e=0.5", "parameters.mu=1"));
    CHECK_NEAR(found.work_t_max, 1.779e-3, 5e-7);
}

static void stick_without_reversal(void) {
    // e = 0.5 or 0 and little friction: the schemes coincide
    for (int k = 0; k < 2; k++) {
        const char *e = k ? "parameters.e=0.5" : "parameters.e=0";
        stick one = run_stick(SCENE("impacting-stick", "scheme.name=moreau-jean", e));
        stick two = run_stick(SCENE("impacting-stick", "scheme.name=moreau-jean-fremond", e));
        for (int i = 0; i < 3; i++) {
            CHECK_NEAR(one.q[i], two.q[i], 1e-14);
            CHECK_NEAR(one.v[i], two.v[i], 1e-13);
        }
    }
    // the other end of the stick (angle and spin turned round): no reversal, the same bits under
    // both schemes, and friction that takes energy; moving the other way it is the first problem
    const char *angle = "parameters.gamma0=-pi/4", *spin = "parameters.omega=-0.1";
    stick one = run_stick(SCENE("impacting-stick", "scheme.name=moreau-jean", angle, spin));
    stick two = run_stick(SCENE("impacting-stick", "scheme.name=moreau-jean-fremond", angle, spin));
    CHECK_NEAR(one.impact[0].work, -3.0231738e-3, 5e-11);
    CHECK_NEAR(one.impact[1].work, -3.7242981e-3, 5e-11);
    CHECK(memcmp(one.q, two.q, sizeof one.q) == 0 && memcmp(one.v, two.v, sizeof one.v) == 0);
    stick mirror = run_stick(
        SCENE("impacting-stick", "scheme.name=moreau-jean", angle, spin, "parameters.vx=0.5"));
    CHECK_NEAR(mirror.impact[0].work, 7.0771828905239e-4, 1e-12);
    CHECK_NEAR(mirror.q[0], -0.2529170734063745, 1e-12);
    CHECK_NEAR(mirror.v[2], -3.2073513209813838, 1e-12);
}

// -------------------------------------------------------------------------------------------------
// ball, incline, disc

static void ball_bounces_at_first_order(void) {
    const char *steps[] = { "scheme.step=2e-3", "scheme.step=5e-4", "scheme.step=1.25e-4" };
    double expected[4], t1 = sqrt(2 / 9.81), sum = 1, worst[3] = { 0 };
    for (int n = 0; n < 4; n++) {
        expected[n] = t1 * sum;
        sum += 2 * pow(0.7, n + 1);
    }
    CHECK_NEAR(expected[3], 1.8358951242479817, 1e-14);
    for (int k = 0; k < 3; k++) {
        scree_simulation *simulation = SCENE("bouncing-ball", steps[k]);
        if (!simulation) return;
        double h = scree_simulation_options(simulation)->scheme.step, moving = 0, apex = 0;
        int impacts = 0;
        while (scree_simulation_left(simulation) && step(simulation)) {
            const scree_step_record *record = scree_simulation_record(simulation);
            const double *v = record->after.v + 3;
            if (record->contact->impulse[0] > 0 && impacts < 4) {
                worst[k] = fmax(worst[k], fabs(record->after.time - expected[impacts]));
                impacts++;
            }
            if (impacts == 1) apex = fmax(apex, record->after.q[4] - 0.1);
            if (fabs(v[1]) > 2 * 9.81 * h) moving = record->after.time;
        }
        CHECK_INT(impacts, 4);
        CHECK(worst[k] <= 5 * h);
        CHECK_NEAR(apex, 0.49, 8 * h);
        // v = 2 g h is 4 h/(1-e) before the end; bounces come up to h early, at a height
        CHECK_NEAR(moving, t1 * (1 + 0.7) / (1 - 0.7), 40 * h);
        // at rest up to what gravity does in one step (e > 0 gives some of that back, for ever)
        CHECK_NEAR(scree_simulation_state(simulation)->v[4], 0, 9.81 * h);
        CHECK_NEAR(scree_simulation_state(simulation)->q[4], 0.1, h);
        scree_simulation_free(simulation);
    }
    printf("ball: impact times off by %.2g, %.2g, %.2g\n", worst[0], worst[1], worst[2]);
    CHECK(worst[2] < worst[1] && worst[1] < worst[0]);
}

/// Velocity down the incline and distance at the end; stops: the last moment at which it moved.
static void slide(const char *angle, const char *v0, double degrees, double *velocity,
                  double *distance, double *stops) {
    scree_simulation *simulation = SCENE("sliding-incline", angle, v0);
    double c = cos(degrees * acos(-1) / 180), s = sin(degrees * acos(-1) / 180);
    *stops = 0;
    while (simulation && scree_simulation_left(simulation) && step(simulation)) {
        const scree_state *state = scree_simulation_state(simulation);
        *velocity = c * state->v[3] - s * state->v[4];
        *distance = c * state->q[3] - s * state->q[4];
        CHECK_NEAR(s * state->v[3] + c * state->v[4], 0, 1e-12);  // stays on the incline
        if (fabs(*velocity) > 1e-12) *stops = state->time;
    }
    scree_simulation_free(simulation);
}

static void block_on_an_incline(void) {
    double v = 0, x = 0, stops = 0, h = 1e-3;
    slide("parameters.angle=20", "parameters.v0=2", 20, &v, &x, &stops);
    CHECK_NEAR(v, 0, 1e-12);
    CHECK_NEAR(stops, 1.5949285114815015, h);
    CHECK_NEAR(x, 1.5949285114815015, 2 * h * h);
    slide("parameters.angle=30", "parameters.v0=2", 30, &v, &x, &stops);
    CHECK_NEAR(v, 2 + 3 * 0.6571453944373277, 1e-10);
    CHECK_NEAR(x, 6 + 4.5 * 0.6571453944373277, 1e-10);
    // just below and just above arctan(mu) = 26.565051177... degrees
    slide("parameters.angle=26.5650511", "parameters.v0=0", 26.5650511, &v, &x, &stops);
    CHECK_NEAR(v, 0, 1e-13);
    CHECK_NEAR(x, 0, 1e-13);
    slide("parameters.angle=26.5650513", "parameters.v0=0", 26.5650513, &v, &x, &stops);
    double angle = 26.5650513 * acos(-1) / 180, a = 9.81 * (sin(angle) - 0.5 * cos(angle));
    CHECK(a > 1e-9);
    CHECK_NEAR(v, 3 * a, 1e-11);
}

static void disc_slides_then_rolls(void) {
    scree_simulation *simulation = SCENE("spinning-disc", "scheme.duration=2");
    if (!simulation) return;
    double g = 9.81, mu = 0.3, rolls = (2 + 5) / (3 * mu * g), slides = 0;
    while (scree_simulation_left(simulation) && step(simulation)) {
        const scree_state *state = scree_simulation_state(simulation);
        const double *v = state->v + 3;
        if (fabs(v[0] + v[2]) > 1e-12) {
            slides = state->time;
            CHECK_NEAR(v[0], 2 - mu * g * state->time, 1e-11);
            CHECK_NEAR(v[2], 5 - 2 * mu * g * state->time, 1e-11);
        }
        CHECK_NEAR(v[1], 0, 1e-13);
    }
    CHECK_NEAR(slides, rolls, 1e-3);
    CHECK_NEAR(scree_simulation_state(simulation)->v[3], (2 * 2 - 5) / 3.0, 1e-12);
    CHECK_NEAR(scree_simulation_state(simulation)->v[5], 1 / 3.0, 1e-12);
    scree_simulation_free(simulation);
}

static void chain_with_a_stop_keeps_its_energy(void) {
    scree_simulation *simulation = SCENE("oscillator-stop", "parameters.e=1", "parameters.push=0");
    if (!simulation) return;
    double start = scree_simulation_ledger(simulation)->kinetic;
    int impacts = 0;
    CHECK_NEAR(start, 9, 1e-14);
    while (scree_simulation_left(simulation) && step(simulation)) {
        const scree_ledger *ledger = scree_simulation_ledger(simulation);
        CHECK_NEAR(ledger->kinetic + ledger->elastic, start, 1e-10);
        impacts += scree_simulation_record(simulation)->contact->impulse[0] > 0;
    }
    CHECK(impacts >= 5);
    scree_simulation_free(simulation);
}

// -------------------------------------------------------------------------------------------------
// single impacts

static void bar_gains_or_loses(void) {
    const char *friction[] = { "parameters.mu=0.01", "parameters.mu=0.1", "parameters.mu=1" };
    const double gain[2][3] = { { 7.06220769446e-4, 8.600602156079e-3, 1.3493416308792e-2 },
                                { -6.75820114956e-4, -5.533789814072e-3, 0 } };
    for (int k = 0; k < 6; k++) {
        scree_simulation *simulation =
            SCENE("single-bar-impact", friction[k % 3],
                  k < 3 ? "scheme.name=moreau-jean" : "scheme.name=moreau-jean-fremond");
        if (!simulation) continue;
        double start = scree_simulation_ledger(simulation)->kinetic;
        CHECK_NEAR(start, 0.2504166666666667, 1e-15);
        while (scree_simulation_left(simulation) && step(simulation)) continue;
        CHECK_NEAR(scree_simulation_ledger(simulation)->kinetic - start, gain[k / 3][k % 3], 1e-12);
        scree_simulation_free(simulation);
    }
}

/// Run a scene of this file to its end and compare the velocities of a body.
static void collide(const char *text, const char *const *overrides, int body,
                    const double expected[3]) {
    scree_simulation *simulation = parse("collision", text, overrides);
    if (!simulation) return;
    while (scree_simulation_left(simulation) && step(simulation)) continue;
    for (int k = 0; k < 3; k++)
        CHECK_NEAR(scree_simulation_state(simulation)->v[3 * body + k], expected[k], 1e-12);
    scree_simulation_free(simulation);
}

#define COLLIDE(text, body, x, y, spin, ...) \
    collide(text, (const char *const[]){ __VA_ARGS__, NULL }, body, (double[]){ x, y, spin })

static const char ball[] =
    "parameters: {e: 1, mu: 1, tau: 0, vx: 2, vy: -3, w: -1, top: 100}\n"
    "bodies:\n"
    "  - {name: plane, fixed: true, shapes: [{type: half-plane, normal: [0, 1]},\n"
    "     {type: half-plane, at: [0, top], normal: [0, -1]}]}\n"
    "  - {name: ball, mass: 1, inertia: 0.4, position: [0, 1], velocity: [vx, vy], spin: w,\n"
    "     shapes: [{type: disc, radius: 1}]}\n"
    "laws: [{restitution: e, friction: mu}]\n"
    "scheme: {name: moreau-jean-fremond, theta: 1/(1+tau), step: 1e-6, duration: 3e-6}\n";

/// Moreau's ball with normal and tangential restitution; tau = (1-theta)/theta.
static void ball_on_a_plane(void) {
    COLLIDE(ball, 1, 10. / 7, 3, -17. / 7, "parameters.tau=1", "parameters.mu=10");
    COLLIDE(ball, 1, 1.7, 3, -1.75, "parameters.tau=1", "parameters.mu=0.05");
    COLLIDE(ball, 1, 11. / 7, 2.4, -29. / 14, "parameters.e=0.8", "parameters.tau=0.5");
    COLLIDE(ball, 1, 1.91, 1.5, -1.225, "parameters.e=0.5", "parameters.mu=0.02");
    COLLIDE(ball, 1, 12. / 7, 0, -12. / 7, "parameters.e=0");
    COLLIDE(ball, 1, 1.91, 1.5, -1.225, "parameters.e=0.5", "parameters.mu=0.02",
            "scheme.name=moreau-jean", "scheme.theta=1/2");
    COLLIDE(ball, 1, 12. / 7, 0, -12. / 7, "parameters.e=0", "scheme.name=moreau-jean",
            "scheme.theta=0.7");
}

/// Thrown between floor and table it comes back.
static void superball(void) {
    const char *durations[] = { "scheme.duration=1e-3", "scheme.duration=3e-3",
                                "scheme.duration=5e-3" };
    const double expected[3][3] = { { 3. / 7, 1, -10. / 7 },
                                    { -31. / 49, -1, 60. / 49 },
                                    { -333. / 343, 1, 130. / 343 } };
    for (int k = 0; k < 3; k++)
        COLLIDE(ball, 1, expected[k][0], expected[k][1], expected[k][2], "parameters.tau=1",
                "parameters.mu=100", "parameters.vx=1", "parameters.vy=-1", "parameters.w=0",
                "parameters.top=2.002", "scheme.step=1e-4", durations[k]);
}

static void two_discs(void) {
    static const char text[] =
        "bodies:\n"
        "  - {name: one, mass: 1, inertia: 0.4, velocity: [1, 0.2], spin: 0.3,\n"
        "     shapes: [{type: disc, radius: 1}]}\n"
        "  - {name: two, mass: 2, inertia: 1.6, velocity: [-0.5, 0], spin: -0.2,\n"
        "     position: [0.8*(1 + sqrt(2)), -0.6*(1 + sqrt(2))],\n"
        "     shapes: [{type: disc, radius: sqrt(2)}]}\n"
        "laws: [{restitution: 0.9, friction: 0.2}]\n"
        "overlaps: accept\n"
        "scheme: {name: moreau-jean-fremond, theta: 1/1.3, step: 1e-6, duration: 2e-6}\n";
    COLLIDE(text, 0, -0.2544347970037708, 0.8074202706616385, -0.366811654182379, "title=one");
    COLLIDE(text, 1, 0.1272173985018854, -0.30371013533081925, -0.4357535212232897, "title=two");
}

static void three_balls(void) {
    static const char text[] =
        "parameters: {e: 1}\n"
        "bodies:\n"
        "  - {name: a, mass: 1, inertia: 1, velocity: [1, 0], shapes: [{type: disc, radius: "
        "0.5}]}\n"
        "  - {name: b, mass: 1, inertia: 1, position: [1, 0], shapes: [{type: disc, radius: "
        "0.5}]}\n"
        "  - {name: c, mass: 1, inertia: 1, position: [2, 0], shapes: [{type: disc, radius: "
        "0.5}]}\n"
        "laws: [{restitution: e}]\n"
        "scheme: {name: moreau-jean, step: 1e-6, duration: 3e-6}\n";
    const double e[] = { 1, 0.5, 0 };
    for (int k = 0; k < 3; k++) {
        char set[40];
        snprintf(set, sizeof set, "parameters.e=%g", e[k]);
        COLLIDE(text, 0, (1 - 2 * e[k]) / 3, 0, 0, set);
        COLLIDE(text, 1, (1 + e[k]) / 3, 0, 0, set);
        COLLIDE(text, 2, (1 + e[k]) / 3, 0, 0, set);
    }
}

/// Kane's double pendulum hits the ground; at one moment it is a system with constant matrices.
static void double_pendulum(void) {
    static const char text[] =
        "parameters: {a: deg(20), b: deg(30)}\n"
        "system:\n"
        "  mass: [[4/3, cos(a - b)/2], [cos(a - b)/2, 1/3]]\n"
        "  velocity: [-0.1, -0.2]\n"
        "  contacts:\n"
        "    - {name: tip, normal: [sin(a), sin(b)], tangent: [cos(a), cos(b)],\n"
        "       restitution: 0.5, friction: 0.5}\n"
        "scheme: {theta: 1/2, step: 1e-9, duration: 1e-9}\n";
    const double expected[2][3] = { { 0.036800366581273, -0.3346489298, 0.3631153642 },
                                    { 0.013037911992479, -0.2062930193, 0.2753147504 } };
    for (int k = 0; k < 2; k++) {
        const char *scheme[] = { k ? "scheme.name=moreau-jean-fremond" : "scheme.name=moreau-jean",
                                 NULL };
        scree_simulation *simulation = parse("pendulum", text, scheme);
        if (!simulation) continue;
        CHECK_NEAR(scree_simulation_ledger(simulation)->kinetic, 0.023181410863455, 1e-15);
        CHECK(step(simulation));
        CHECK_NEAR(scree_simulation_ledger(simulation)->kinetic, expected[k][0], 1e-12);
        CHECK_NEAR(scree_simulation_state(simulation)->v[0], expected[k][1], 5e-11);
        CHECK_NEAR(scree_simulation_state(simulation)->v[1], expected[k][2], 5e-11);
        CHECK_INT(scree_simulation_record(simulation)->contact->status,
                  k ? SCREE_CONTACT_SLIP : SCREE_CONTACT_STICK);
        scree_simulation_free(simulation);
    }
}

// -------------------------------------------------------------------------------------------------
// Moreau's obstacle: a mass on a floor that rises as a t^2/2

#define RISING_SCHEME "scheme: {name: moreau, step: 1/64, duration: 1}\n"

// By his (34) u' = v' - w with w = a t_m throughout the step and e = 0: v' = a t_m, and the mean of
// both velocities gives q. That of the end of the step would make v' = a t'.
static void follow_rising(const char *scene, int coordinate, int dof) {
    const double a = 3, h = 1.0 / 64;
    scree_simulation *simulation = parse("rising floor", scene, NULL);
    double q = 0, v = 0;
    for (int n = 0; simulation && n < 64 && step(simulation); n++) {
        const scree_step_record *record = scree_simulation_record(simulation);
        double next = a * (n + 0.5) * h;
        q += h * (v + next) / 2;
        v = next;
        CHECK_NEAR(record->after.v[dof], v, 1e-12);
        CHECK_NEAR(record->after.q[coordinate], q, 1e-12);
        CHECK_INT(record->active, 1);
        CHECK_NEAR(record->contact[0].w_before[0], -v, 1e-12);
        CHECK_NEAR(record->contact[0].w_after[0], -v, 1e-12);
    }
    scree_simulation_free(simulation);
}

static void obstacle_of_moreau_is_that_of_the_middle(void) {
    follow_rising(RISING_SCHEME
                  "system:\n"
                  "  mass: [[2]]\n"
                  "  contacts: [{name: floor, normal: [1], gap: -3*t^2/2}]\n",
                  0, 0);
    follow_rising(RISING_SCHEME
                  "bodies:\n"
                  "  - name: floor\n"
                  "    motion: {position: [0, 3*t^2/2]}\n"
                  "    shapes: [{type: half-plane, normal: [0, 1]}]\n"
                  "  - name: mass\n"
                  "    mass: 2\n"
                  "    inertia: 1\n"
                  "    shapes: [{type: point}]\n",
                  4, 4);
}

TEST_FILE(test_closed_forms) {
    TEST(obstacle_of_moreau_is_that_of_the_middle);
    TEST(stick_moreau_jean);
    TEST(stick_fremond);
    TEST(stick_of_the_authors);
    TEST(stick_beyond_the_theorem);
    TEST(stick_without_reversal);
    TEST(ball_bounces_at_first_order);
    TEST(block_on_an_incline);
    TEST(disc_slides_then_rolls);
    TEST(chain_with_a_stop_keeps_its_energy);
    TEST(bar_gains_or_loses);
    TEST(ball_on_a_plane);
    TEST(superball);
    TEST(two_discs);
    TEST(three_balls);
    TEST(double_pendulum);
    return harness_end();
}
