// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// test_verdict.c - certificates are never worth less than they say, and are revoked if they are.

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness.h"
#include "scree/scree.h"

static scree_simulation *open_text(const char *text, const char *override) {
    scree_findings findings = { 0 };
    scree_simulation *simulation = scree_simulation_parse("test.yaml", text, strlen(text),
                                                          &override, override != NULL, &findings);
    if (findings.count) COMPLAIN("%s", findings.item[0].text);
    scree_findings_free(&findings);
    return simulation;
}

// to the end; the status that it ended with
static scree_status finish(scree_simulation *simulation, scree_error *err) {
    scree_status status = SCREE_OK;
    while (!status && scree_simulation_left(simulation) > 0)
        status = scree_simulation_step(simulation, err);
    return status;
}

static const char rolling[] =
    "space: 3\n"
    "bodies:\n"
    "  - {name: ground, fixed: true, shapes: [{type: plane}]}\n"
    "  - {name: rod, density: 1000, position: [0, 0, 0.45],\n"
    "      orientation: [-0.214853, 0.138857, -1.249, 0.856741], velocity: [1.05556, -1.38642, "
    "-2],\n"
    "      spin: [-4.22352, 1.80678, -0.091491],\n"
    "      shapes: [{type: capsule, length: 0.6, radius: 0.05}]}\n"
    "laws: [{friction: 0, restitution: 1, rolling: 0.0947}]\n"
    "scheme: {name: moreau-jean, theta: 0.5, step: 1e-3, duration: 0.5}\n";

static const char cohesion[] =
    "bodies:\n"
    "  - {name: ground, fixed: true, shapes: [{type: half-plane}]}\n"
    "  - {name: block, density: 1, position: [0, 0.8], velocity: [0, -0.525], spin: -0.95,\n"
    "      shapes: [{type: box, size: [1, 1.6]}]}\n"
    "laws: [{cohesion: 5}]\n"
    "scheme: {name: moreau-jean-fremond, theta: 0.5, step: 1e-2, duration: 1e-2}\n";

static const char tangential[] =
    "bodies:\n"
    "  - {name: ground, fixed: true, shapes: [{type: half-plane}]}\n"
    "  - {name: disc, mass: 1, inertia: 0.5, position: [0, 1], velocity: [0, -1], spin: 3,\n"
    "      shapes: [{type: disc, radius: 1}]}\n"
    "laws: [{friction: 10, tangential_restitution: 1}]\n"
    "scheme: {name: moreau-jean, theta: 1, step: 1e-3, duration: 3e-3}\n";

// contacts of this stone separate once it turns with their impulses
// glued without being pressed: p_N = 0
static const char weightless[] =
    "bodies:\n"
    "  - {name: ground, fixed: true, shapes: [{type: half-plane}]}\n"
    "  - {name: disc, mass: 1, inertia: 0.5, position: [0, 1], spin: 3,\n"
    "     shapes: [{type: disc, radius: 1}]}\n"
    "laws: [{friction: 1, cohesion: 1e5, tangential_restitution: 1}]\n"
    "scheme: {name: moreau-jean, theta: 1, step: 1e-3, duration: 3e-3, approach: kept}\n";

static const char turning[] =
    "space: 3\n"
    "gravity: [0, 0, -9.81]\n"
    "bodies:\n"
    "  - {name: floor, fixed: true, shapes: [{type: plane}]}\n"
    "  - {name: stone, density: 978, position: [0, 0.7, 1.2], velocity: [-0.526, 0.543, -3.7],\n"
    "      spin: [-6.276, -3.106, 3.484], orientation: [1.439, 1.3, -0.095, 0.152],\n"
    "      shapes: [{type: polyhedron, vertices: [[-0.211, -0.102, 0.041], [-0.159, -0.162, "
    "-0.072],\n"
    "        [-0.214, 0.092, -0.046], [-0.067, 0.135, 0.184], [-0.177, 0.055, 0.149],\n"
    "        [-0.097, 0.062, -0.208], [0.161, 0.17, -0.043], [0.092, -0.046, 0.215]]}]}\n"
    "laws: [{restitution: 0, friction: 0}]\n"
    "scheme: {name: moreau-jean, theta: 0.5, step: 5e-3, duration: 0.69, approach: required}\n"
    "solver: {tolerance: 1e-6}\n";

/// Each of these once created energy beside a certificate.
static void certificates_are_true(void) {
    const struct {
        const char *text;
        bool creates, holds;
    } row[] = { { rolling, true, false },
                { cohesion, true, false },
                { tangential, true, false },
                { weightless, true, false },
                { turning, false, true } };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        scree_error err = { 0 };
        scree_simulation *run = open_text(row[i].text, NULL);
        if (!run) continue;
        bool before = scree_simulation_theorem(run).holds;
        if (finish(run, &err)) COMPLAIN("case %zu: %s", i, err.text);
        const scree_totals *totals = scree_simulation_totals(run);
        if ((totals->energy_created > 0) != row[i].creates || before != row[i].holds ||
            scree_simulation_theorem(run).holds != row[i].holds)
            COMPLAIN("case %zu: created %g J, certified %d", i, totals->energy_created, before);
        scree_simulation_free(run);
    }
}

/// Whatever the reason: what happened in a run is stronger than what was promised.
static void runs_revoke_certificates(void) {
    scree_totals totals = scree_totals_none();
    scree_account account = { .ledger.bound = 1e-12, .active = 1, .converged = 1 };
    const scree_theorem promise = { true, "promised" }, none = { false, "never promised" };
    account.energy_created = 0.5e-12;  // rounding
    scree_totals_add(&totals, &account);
    CHECK(totals.energy_created == 0 && totals.steps_creating_energy == 0);
    CHECK(scree_totals_judge(&totals, promise).holds);
    account.energy_created = 2e-12;
    scree_totals_add(&totals, &account);
    CHECK(totals.energy_created == 2e-12 && totals.steps_creating_energy == 1);
    CHECK(!scree_totals_judge(&totals, promise).holds);
    CHECK(strstr(scree_totals_judge(&totals, promise).reason, "created"));
    CHECK(strcmp(scree_totals_judge(&totals, none).reason, "never promised") == 0);
    totals = scree_totals_none();
    account.energy_created = 0;
    account.converged = 0;
    scree_totals_add(&totals, &account);
    CHECK(!scree_totals_judge(&totals, promise).holds);
    CHECK(strstr(scree_totals_judge(&totals, promise).reason, "accepted"));
}

/// Each law has a verdict, with the names of its sides; pairs without a law have one too.
static void laws_are_listed(void) {
    scree_simulation *run = open_text(
        "bodies:\n"
        "  - {name: ground, fixed: true, shapes: [{type: half-plane}]}\n"
        "  - {name: disc, group: round, density: 1, position: [0, 2], shapes: [{type: disc, "
        "radius: "
        "1}]}\n"
        "laws:\n"
        "  - {between: [ground, round], friction: 0.5, impact: newton}\n"
        "  - {between: [disc, any], restitution: 0.5}\n"
        "scheme: {step: 1e-3, duration: 1e-2, theta: 0.5}\n",
        NULL);
    const struct {
        const char *a, *b;
        bool holds;
    } expected[] = { { "ground", "round", false }, { "disc", NULL, true }, { NULL, NULL, true } };
    scree_law_verdict law;
    if (!run) return;
    for (int i = 0; i < 3; i++) {
        CHECK(scree_simulation_law(run, i, &law));
        for (int k = 0; k < 2; k++) {
            const char *name = k ? expected[i].b : expected[i].a;
            CHECK(name ? law.side[k] && strcmp(law.side[k], name) == 0 : !law.side[k]);
        }
        CHECK(law.theorem.holds == expected[i].holds && *law.theorem.reason);
    }
    CHECK(!scree_simulation_law(run, 3, &law));
    CHECK(!scree_simulation_theorem(run).holds);
    scree_simulation_free(run);
}

static const char jointed[] =
    "gravity: [0, -9.81]\n"
    "bodies:\n"
    "  - {name: cart, mass: 1, inertia: 1, velocity: [3, 0], shapes: [{type: disc, radius: 0.1}]}\n"
    "  - {name: bob, mass: 1, inertia: 1, position: [0, -1], velocity: [2, 0],\n"
    "     shapes: [{type: disc, radius: 0.1}]}\n"
    "joints:\n"
    "  - {name: rail, type: slider, bodies: [cart], at: [0, 0], axis: [1, 0], friction: 0.1,\n"
    "     lower: -0.2, upper: 0.2, restitution: 0.4}\n"
    "  - {name: cord, type: rope, bodies: [bob, cart], at: [0, -1], to: [0, 0], length: 1.01,\n"
    "     restitution: 0.8}\n"
    "springs: [{name: back, joint: rail, stiffness: 5}]\n"
    "motors: [{name: engine, joint: rail, force: 1}]\n"
    "laws: [{friction: 0}]\n"
    "scheme: {step: 1e-3, duration: 0.5}\n";

/// Joints and drives are judged, each kind of them: those that bounce as contacts do. Runs say the
/// same, and what is chosen where theta is left open is covered.
static void joints_are_judged(void) {
    const struct {
        const char *theta;
        bool limits, ropes;
    } row[] = { { NULL, true, true },
                { "scheme.theta=0.55", true, true },
                { "scheme.theta=0.6", true, false },
                { "scheme.theta=0.9", false, false } };
    static const char *const kind[] = { "equations", "friction", "limits",
                                        "ropes",     "springs",  "motors" };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        scree_error err = { 0 };
        scree_law_verdict law;
        scree_simulation *run = open_text(jointed, row[i].theta);
        if (!run) continue;
        const bool holds[] = { true, true, row[i].limits, row[i].ropes, true, true };
        CHECK(scree_simulation_law(run, 0, &law) && !law.side[0] && law.theorem.holds);
        for (int k = 0; k < 6; k++) {
            CHECK(scree_simulation_law(run, 1 + k, &law));
            CHECK(law.side[0] && strcmp(law.side[0], "joints") == 0);
            CHECK(law.side[1] && strcmp(law.side[1], kind[k]) == 0);
            if (law.theorem.holds != holds[k]) COMPLAIN("row %zu, %s", i, kind[k]);
        }
        CHECK(!scree_simulation_law(run, 7, &law));
        bool all = row[i].limits && row[i].ropes;
        scree_theorem theorem = scree_simulation_theorem(run);
        CHECK(theorem.holds == all && !strstr(theorem.reason, "no friction"));
        CHECK(!all || (strstr(theorem.reason, "Coulomb") && strstr(theorem.reason, "motors")));
        CHECK(row[i].limits || strstr(theorem.reason, "\"rail\""));
        if (finish(run, &err)) COMPLAIN("row %zu: %s", i, err.text);
        const scree_totals *totals = scree_simulation_totals(run);
        if ((totals->energy_created == 0) != all)
            COMPLAIN("row %zu: %g J created", i, totals->energy_created);
        CHECK(scree_simulation_theorem(run).holds == all);
        scree_simulation_free(run);
    }
}

static double wavy(const void *self, double e, double *slope) {
    (void)self;
    *slope = sin(e);
    return 1 - cos(e);
}

/// Of an energy that is a function nobody knows whether it is convex; theta = 1/2 does not ask.
static void springs_must_be_convex(void) {
    for (int k = 0; k < 4; k++) {
        scree_error err = { 0 };
        scree_model *model = scree_model_new();
        const scree_body body = { .name = "mass", .mass = 1, .inertia = 1 };
        scree_joint slider = scree_joint_default(SCREE_SLIDER, 0, SCREE_GROUND);
        scree_drive spring = scree_drive_default(SCREE_SPRING, 0);
        scree_scheme_options scheme = scree_run_options_default().scheme;
        slider.axis[0] = 1;
        spring.stiffness = 1;
        if (k / 2) spring.energy = wavy;
        scheme.theta = k % 2 ? 1 : 0.5;
        CHECK_INT(scree_model_add_body(model, &body, &err), SCREE_OK);
        CHECK_INT(scree_model_add_joint(model, &slider, &err), SCREE_OK);
        CHECK_INT(scree_model_add_drive(model, &spring, &err), SCREE_OK);
        CHECK_INT(scree_model_finish(model, &err), SCREE_OK);
        CHECK(scree_ledger_theorem(model, &scheme).holds == (k != 3));
        scree_model_free(model);
    }
}

/// What touches an elastic body has its theta, whichever rules are taken: the ledger closes.
static void elastic_bodies_and_foresight(void) {
    scree_error err = { 0 };
    scree_simulation *run = open_text(
        "gravity: [0, -9.81]\n"
        "bodies:\n"
        "  - {name: ground, fixed: true, shapes: [{type: half-plane}]}\n"
        "  - {name: disc, density: 1000, position: [0.5, 0.62], velocity: [0.3, -1],\n"
        "     shapes: [{type: disc, radius: 0.1}]}\n"
        "elastic:\n"
        "  - {name: block, mesh: {rectangle: {size: [1, 0.5], cells: [4, 2], elements: Q4}},\n"
        "     young: 1e6, poisson: 0.3, density: 1000}\n"
        "laws: [{friction: 0.3}]\n"
        "scheme: {step: 1e-3, duration: 0.05, approach: foreseen, correction: none}\n",
        NULL);
    if (!run) return;
    if (finish(run, &err)) COMPLAIN("%s", err.text);
    CHECK(scree_simulation_totals(run)->contact_normal_work < 0);
    CHECK(scree_simulation_theorem(run).holds);
    scree_simulation_free(run);
}

/// A body takes part in a step if it is there at its start, wherever H is taken.
static void born_bodies_have_mass(void) {
    static const char *const jacobian[] = { "scheme.jacobian=start", "scheme.jacobian=free-end" };
    for (int k = 0; k < 4; k++) {
        scree_error err = { 0 };
        scree_simulation *run = open_text(
            k / 2
                ? "space: 3\n"
                  "gravity: [0, 0, -9.81]\n"
                  "bodies:\n"
                  "  - {name: floor, fixed: true, shapes: [{type: plane}]}\n"
                  "  - {name: ball, density: 1000, position: [0, 0, 0.101], velocity: [0, 0, -1],\n"
                  "      shapes: [{type: sphere, radius: 0.1}], born: 0.021}\n"
                  "scheme: {step: 5e-3, duration: 0.1}\n"
                : "gravity: [0, -9.81]\n"
                  "bodies:\n"
                  "  - {name: floor, fixed: true, shapes: [{type: half-plane}]}\n"
                  "  - {name: ball, density: 1000, position: [0, 0.101], velocity: [0, -1],\n"
                  "      shapes: [{type: disc, radius: 0.1}], born: 0.021}\n"
                  "scheme: {step: 5e-3, duration: 0.1}\n",
            jacobian[k % 2]);
        if (!run) continue;
        if (finish(run, &err)) COMPLAIN("case %d: %s", k, err.text);
        CHECK(scree_simulation_totals(run)->contacts_solved > 0);
        CHECK(scree_simulation_totals(run)->penetration_max < 0.01);
        scree_simulation_free(run);
    }
}

/// Thin bodies that turn far in a step: passes that creep, or diverge, are accelerated.
static void turning_bodies_are_followed(void) {
    scree_error err = { 0 };
    scree_simulation *run = open_text(
        "space: 3\n"
        "gravity: [0, 0, -9.81]\n"
        "bodies:\n"
        "  - {name: floor, motion: {position: [-0.183*sin(3.38*t), 0, -0.042*sin(4.40*t)],\n"
        "      angle: 0.119*sin(3.81*t), axis: [1, 0.3, 0]}, shapes: [{type: plane}]}\n"
        "  - {name: rod, density: 2081.2, position: [-0.532463, -0.667031, 1.01401],\n"
        "      velocity: [-3.27812, -4.46433, -2.19436], spin: [-7.60947, 8.75732, 10.3608],\n"
        "      orientation: [0.139268, -0.817336, -0.955397, 1.5857],\n"
        "      shapes: [{type: capsule, length: 0.2576, radius: 0.0515}]}\n"
        "laws: [{friction: 1.417}]\n"
        "scheme: {name: moreau-jean-fremond, theta: 0.5, step: 0.02, duration: 0.64}\n"
        "solver: {tolerance: 1e-8}\n",
        NULL);
    if (!run) return;
    if (finish(run, &err)) COMPLAIN("%s", err.text);
    CHECK(scree_simulation_totals(run)->solver_residual_max <= 1e-8);
    scree_simulation_free(run);
}

/// At rest the velocities of a problem are the rounding of its cohesion, and no measure of
/// anything.
static void glued_bodies_come_to_rest(void) {
    scree_error err = { 0 };
    scree_simulation *run = open_text(
        "space: 3\n"
        "bodies:\n"
        "  - {name: floor, fixed: true, shapes: [{type: plane}]}\n"
        "  - {name: ball, density: 1564.96, position: [0.0101636, -0.102128, 0.35],\n"
        "      velocity: [0.320603, -0.244741, -1.93146], spin: [-7.2944, -6.57025, -0.792],\n"
        "      shapes: [{type: sphere, radius: 0.118357}]}\n"
        "laws: [{friction: 0.3, cohesion: 20}]\n"
        "scheme: {name: moreau, step: 0.005, duration: 1}\n"
        "solver: {tolerance: 1e-6}\n",
        NULL);
    if (!run) return;
    if (finish(run, &err)) COMPLAIN("%s", err.text);
    scree_simulation_free(run);
}

/// A thin rod that spins about all axes, by more than half a radian in a step.
static void fast_tops_are_followed(void) {
    scree_error err = { 0 };
    scree_simulation *run = open_text(
        "space: 3\n"
        "bodies:\n"
        "  - {name: rod, density: 1000, position: [0, 0, 1], spin: [-1, 29, -16],\n"
        "      shapes: [{type: box, size: [0.44, 0.07, 0.12]}]}\n"
        "scheme: {step: 0.03, duration: 3, theta: 0.5}\n",
        NULL);
    if (!run) return;
    double before = scree_simulation_energy(run);
    if (finish(run, &err)) COMPLAIN("%s", err.text);
    CHECK_NEAR(scree_simulation_energy(run), before, 1e-10 * before);
    scree_simulation_free(run);
}

/// Bodies in joints are pushed apart together with their joints, which stay closed: opening and
/// closing them did work of either sign beside a certificate.
static void corrections_leave_joints_closed(void) {
    scree_error err = { 0 };
    scree_simulation *run = open_text(
        "gravity: [0, -9.81]\n"
        "overlaps: accept\n"
        "bodies:\n"
        "  - {name: floor, fixed: true, shapes: [{type: half-plane}]}\n"
        "  - {name: low, density: 1000, position: [0, 0.09], shapes: [{type: disc, radius: 0.1}]}\n"
        "  - {name: high, density: 1000, position: [0.3, 0.25], spin: 1,\n"
        "     shapes: [{type: box, size: [0.2, 0.1]}]}\n"
        "  - {name: loose, density: 1000, position: [-0.18, 0.1],\n"
        "     shapes: [{type: disc, radius: 0.1}]}\n"
        "joints: [{name: pin, type: hinge, bodies: [low, high], at: [0.15, 0.17]}]\n"
        "laws: [{friction: 0.3}]\n"
        "scheme: {step: 1e-3, duration: 0.1, correction: projection}\n",
        NULL);
    if (!run) return;
    if (finish(run, &err)) COMPLAIN("%s", err.text);
    const scree_totals *totals = scree_simulation_totals(run);
    const double *q = scree_simulation_state(run)->q;
    CHECK(fabs(totals->joint_work) < 1e-12);
    CHECK(scree_simulation_theorem(run).holds);
    CHECK(totals->penetration_max < 1e-6);
    CHECK(hypot(q[3] - q[9], q[4] - q[10]) > 0.2 - 1e-6);  // low and loose
    scree_simulation_free(run);
}

// Steps that end above the tolerance, and are taken, are judged as the others where bodies turn as
// their impulses make them: else contacts act by a law that was not looked at.
static void what_is_taken_at_worst_creates_nothing(void) {
    const char wall[] =
        "space: 3\n"
        "gravity: [0, 0, -9.81]\n"
        "bodies:\n"
        "  - {name: ground, fixed: true, shapes: [{type: plane}]}\n"
        "  - {name: ball, density: 7800, position: [0.42, -1, 0.16], velocity: [0, 15, 1],\n"
        "     shapes: [{type: sphere, radius: 0.15}]}\n"
        "generate:\n"
        "  - {name: brick, arrange: wall, count: [4, 4],\n"
        "     body: {density: 1800, shapes: [{type: box, size: [0.21, 0.10, 0.06]}]}}\n"
        "laws: [{friction: 0.6}]\n"
        "scheme: {step: 1e-3, duration: 0.1}\n"
        "solver: {max_sweeps: 60}\n";
    scree_error err = { 0 };
    scree_simulation *run = open_text(wall, NULL);
    if (!run) return;
    if (finish(run, &err)) COMPLAIN("%s", err.text);
    const scree_totals *totals = scree_simulation_totals(run);
    CHECK(totals->loosened > 0);
    if (totals->energy_created > 0) COMPLAIN("%g J created", totals->energy_created);
    CHECK(totals->solver_residual_max <= scree_simulation_options(run)->solver.worst);
    scree_simulation_free(run);
}

// An elastic block tips over an edge: it turns further than its elasticity knows, and the run says
// so, in two degrees.
static void elastic_bodies_that_turn_are_told(void) {
    const char tipping[] =
        "gravity: [0, -9.81]\n"
        "bodies:\n"
        "  - {name: step, fixed: true, position: [0.02, 0.05],\n"
        "     shapes: [{type: box, size: [0.1, 0.1]}]}\n"
        "elastic:\n"
        "  - name: block\n"
        "    mesh: {rectangle: {size: [0.3, 0.1], at: [0, 0.1], cells: [6, 2]}}\n"
        "    density: 1000\n"
        "    young: 1e7\n"
        "    poisson: 0.3\n"
        "laws: [{friction: 0.5}]\n"
        "scheme: {step: 5e-4, duration: 0.3}\n";
    const double least[] = { 0, 0.1, 0.32 }, end[] = { 0.02, 0.1, 0.3 };
    scree_error err = { 0 };
    scree_simulation *run = open_text(tipping, NULL);
    for (int k = 0; run && k < 3; k++) {
        scree_warning said[SCREE_WARNINGS];
        while (scree_simulation_state(run)->time < end[k] - 1e-9)
            if (scree_simulation_step(run, &err)) COMPLAIN("%s", err.text);
        int count = scree_simulation_run_warnings(run, said);
        CHECK_INT(count, k > 0);
        if (count != 1 || k == 0) continue;
        CHECK_INT(said[0].kind, SCREE_WARNING_TURNED);
        CHECK_INT(said[0].allowed, k == 1);
        double turned = atof(strstr(said[0].text, "by ") + 3);
        if (!(turned > atan(least[k]))) COMPLAIN("%s", said[0].text);
    }
    scree_simulation_free(run);
}

// Numbers whose squares are beyond all doubles: nothing is proven about such a problem.
static void what_overflows_is_not_called_proven(void) {
    const char heavy[] =
        "gravity: [0, -1e200]\n"
        "bodies:\n"
        "  - {name: ground, fixed: true, shapes: [{type: half-plane}]}\n"
        "  - {name: ball, mass: 1, inertia: 0.4, position: [0, 1],\n"
        "     shapes: [{type: disc, radius: 0.1}]}\n"
        "scheme: {step: 1e-3, duration: 0.1}\n";
    scree_error err = { 0 };
    scree_simulation *run = open_text(heavy, NULL);
    if (!run) return;
    CHECK_INT(finish(run, &err), SCREE_UNCONVERGED);
    const scree_refusal *refusal = scree_simulation_refusal(run);
    CHECK(refusal && refusal->reason == SCREE_REFUSED_NOT_FOUND);
    CHECK(refusal && strstr(refusal->advice, "out of all proportion"));
    scree_simulation_free(run);
}

TEST_FILE(test_verdict) {
    TEST(elastic_bodies_that_turn_are_told);
    TEST(what_overflows_is_not_called_proven);
    TEST(what_is_taken_at_worst_creates_nothing);
    TEST(corrections_leave_joints_closed);
    TEST(certificates_are_true);
    TEST(runs_revoke_certificates);
    TEST(laws_are_listed);
    TEST(joints_are_judged);
    TEST(springs_must_be_convex);
    TEST(elastic_bodies_and_foresight);
    TEST(born_bodies_have_mass);
    TEST(turning_bodies_are_followed);
    TEST(glued_bodies_come_to_rest);
    TEST(fast_tops_are_followed);
    return harness_end();
}
