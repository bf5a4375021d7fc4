// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// test_mixed.c - scenes of several kinds of parts: each moves as it does alone, the ledger closes
// over all of them, and bodies and elastic bodies meet.

#include <stdlib.h>

#include "harness.h"
#include "scree/scree.h"

// an oscillator that hits a stop and rubs along it, under a load
#define SYSTEM                                                                                 \
    "system:\n"                                                                                \
    "  mass: [[1, 0.1], [0.1, 2]]\n"                                                           \
    "  stiffness: [[300, -100], [-100, 400]]\n"                                                \
    "  damping: [[0.1, 0], [0, 0.2]]\n"                                                        \
    "  load: [\"2 * sin(20 * t)\", 0]\n"                                                       \
    "  position: [0.02, -0.1]\n"                                                               \
    "  velocity: [-1, 0.5]\n"                                                                  \
    "  contacts:\n"                                                                            \
    "    - {name: stop, normal: [1, 0], tangent: [0, 1], gap: 0, friction: 0.3, restitution: " \
    "0.5}\n"

#define PLANE                                                                             \
    "gravity: [0, -9.81]\n"                                                               \
    "bodies:\n"                                                                           \
    "  - {name: ground, fixed: true, shapes: [{type: half-plane, normal: [0, 1]}]}\n"     \
    "  - {name: ball, mass: 1, inertia: 0.1, position: [0, 0.501], velocity: [0.3, 0],\n" \
    "     shapes: [{type: disc, radius: 0.5}]}\n"

#define SPACE                                                                       \
    "space: 3\n"                                                                    \
    "gravity: [0, 0, -9.81]\n"                                                      \
    "bodies:\n"                                                                     \
    "  - {name: ground, fixed: true, shapes: [{type: plane, normal: [0, 0, 1]}]}\n" \
    "  - {name: box, density: 100,\n"                                               \
    "     position: [0, 0, 0.45], velocity: [0.3, 0, 0], spin: [1, 2, -1],\n"       \
    "     shapes: [{type: box, size: [0.8, 0.6, 0.4]}]}\n"

// a soft block on the ground, and what falls on it
#define ELASTIC                                                                               \
    "elastic:\n"                                                                              \
    "  - {name: block, mesh: {rectangle: {at: [2, 0], size: [1, 1], cells: [4, 4]}}, young: " \
    "1e5,\n"                                                                                  \
    "     poisson: 0.3, density: 100}\n"
#define FALLING                                                          \
    "  - {name: weight, mass: 2, inertia: 0.1, position: [2.4, 1.32],\n" \
    "     shapes: [{type: disc, radius: 0.3}]}\n"

// a double pendulum that strikes the ground and rubs along it
#define MECHANISM                                                                      \
    "mechanism:\n"                                                                     \
    "  coordinates: [a, b]\n"                                                          \
    "  let: {couple: cos(a - b)/2}\n"                                                  \
    "  mass: [[4/3, couple], [couple, 1/3]]\n"                                         \
    "  potential: -9.81*(3/2*cos(a) + cos(b)/2)\n"                                     \
    "  force: [-0.1*a', 0.2*sin(9*t) - 0.1*b']\n"                                      \
    "  position: [0.55, 0.5]\n"                                                        \
    "  contacts:\n"                                                                    \
    "    - {name: tip, gap: 1.75 - cos(a) - cos(b), slip: sin(a) + sin(b), friction: " \
    "0.4, restitution: 0.3}\n"                                                         \
    "    - {name: elbow, gap: 0.95 - cos(a), slip: sin(a), friction: 0.2}\n"

#define LAWS "laws: [{restitution: 0.3, friction: 0.2}]\n"
#define SCHEME "scheme: {theta: 1/2, approach: kept, step: 1e-3, duration: 0.5}\n"

static scree_simulation *parse(const char *text, const char *override) {
    scree_findings findings = { 0 };
    scree_simulation *made = scree_simulation_parse("mixed.yaml", text, strlen(text), &override,
                                                    override ? 1 : 0, &findings);
    if (!made) COMPLAIN("refused: %s", findings.count ? findings.item[0].text : "?");
    scree_findings_free(&findings);
    return made;
}

static bool step(scree_simulation *simulation) {
    scree_error err = { 0 };
    scree_status status = scree_simulation_step(simulation, &err);
    if (status) COMPLAIN("%s", err.text);
    return status == SCREE_OK;
}

static int active_of(const scree_simulation *simulation) {
    return scree_simulation_record(simulation)->active;
}

static bool same(const double *x, const double *y, int count, double tolerance) {
    for (int i = 0; i < count; i++)
        if (!(fabs(x[i] - y[i]) <= tolerance)) return false;
    return true;
}

/// Two scenes alone and in one, where the second comes behind the first in q and v: the same bits
/// until the solver is given another problem, since both bear impulses in one step or the system's
/// contact gets a row of zeros in space; from there on what it leaves of it.
static void together_as_alone(const char *first, const char *second, const char *both) {
    scree_simulation *a = parse(first, NULL), *b = parse(second, NULL), *ab = parse(both, NULL);
    int bearing = 0, others = 0, steps = 0;
    bool fine = a && b && ab;
    while (fine && scree_simulation_left(ab) && step(a) && step(b) && step(ab)) {
        const scree_state *one = scree_simulation_state(a), *two = scree_simulation_state(b),
                          *all = scree_simulation_state(ab);
        int q = scree_simulation_model(a)->coordinates, v = scree_simulation_model(a)->dofs,
            n = scree_simulation_model(b)->dofs;
        bool flat = scree_simulation_model(b)->dimension == scree_simulation_model(ab)->dimension;
        bearing += active_of(a) > 0 || active_of(b) > 0;
        others += (active_of(a) > 0 || !flat) && active_of(b) > 0;
        double tolerance = others ? 1e-9 : 0;
        fine = same(all->q, one->q, q, tolerance) && same(all->v, one->v, v, tolerance) &&
               same(all->q + q, two->q, n, tolerance) && same(all->v + v, two->v, n, tolerance);
        if (!fine) COMPLAIN("other numbers after step %lld", (long long)all->step);
        steps++;
    }
    CHECK_INT(steps, 500);
    CHECK(others > 0 && bearing > 10);
    scree_simulation_free(a);
    scree_simulation_free(b);
    scree_simulation_free(ab);
}

static void a_system_beside_bodies_moves_as_alone(void) {
    together_as_alone(PLANE LAWS SCHEME, SYSTEM SCHEME, PLANE SYSTEM LAWS SCHEME);
}

static void also_in_space(void) {
    together_as_alone(SPACE LAWS SCHEME, SYSTEM SCHEME, SPACE SYSTEM LAWS SCHEME);
}

static void a_mechanism_beside_bodies_moves_as_alone(void) {
    together_as_alone(PLANE LAWS SCHEME, MECHANISM SCHEME, PLANE MECHANISM LAWS SCHEME);
}

static void a_mechanism_beside_bodies_in_space(void) {
    together_as_alone(SPACE LAWS SCHEME, MECHANISM SCHEME, SPACE MECHANISM LAWS SCHEME);
}

static void a_mechanism_beside_a_system(void) {
    together_as_alone(SYSTEM SCHEME, MECHANISM SCHEME, SYSTEM MECHANISM SCHEME);
}

/// A pendulum, an oscillator, bodies and a soft block in one problem, under every scheme.
static void a_mechanism_among_all_closes_the_ledger(void) {
    static const char *const scheme[] = { "scheme.name=moreau-jean", "scheme.name=moreau",
                                          "scheme.name=moreau-jean-fremond" };
    for (int k = 0; k < 3; k++) {
        scree_simulation *all =
            parse(PLANE FALLING SYSTEM MECHANISM ELASTIC LAWS SCHEME, scheme[k]);
        bool row = false, formula = false, pair = false;
        if (!all) continue;
        const scree_model *model = scree_simulation_model(all);
        CHECK_INT(model->coordinates, 3 * 3 + 2 + 2 + 50);
        CHECK_INT(model->elastic[0].coordinate, 3 * 3 + 2 + 2);
        CHECK_INT(scree_model_group_of(model, "mechanism").coordinate, 3 * 3 + 2);
        CHECK_TEXT(model->matrix_contact[model->mechanism_contact].name, "tip");
        while (scree_simulation_left(all) && step(all)) {
            const scree_step_record *record = scree_simulation_record(all);
            for (int i = 0; i < record->contacts; i++) {
                const scree_contact *contact = &record->contact[i];
                if (contact->impulse[0] <= 0) continue;
                row |= contact->b == -2;
                formula |= contact->b == -3;
                pair |= contact->a >= 0;
            }
        }
        CHECK_INT(scree_simulation_left(all), 0);
        CHECK(row && formula && pair);
        // the discrete gradient leaves rounding alone; the others book what M(q) costs
        const scree_totals *totals = scree_simulation_totals(all);
        CHECK(totals->residual_over_bound_max < 1);
        CHECK((fabs(totals->numerical_dissipation) > 1e-6) == (k < 2));
        CHECK(k < 2 || totals->energy_created == 0);
        scree_simulation_free(all);
    }
}

/// A step that misses its tolerance is refused, or taken with what there is: the balance of the
/// mechanism is closed under any impulses.
static void steps_of_mechanisms_can_be_accepted(void) {
    scree_simulation *refused =
        parse(MECHANISM SCHEME "solver: {name: nsgs, max_sweeps: 1}\n", NULL);
    scree_simulation *accepted =
        parse(MECHANISM SCHEME "solver: {name: nsgs, max_sweeps: 1, unconverged: accept}\n", NULL);
    scree_error err = { 0 };
    if (!refused || !accepted) return;
    scree_status status = SCREE_OK;
    while (scree_simulation_left(refused) && !status) status = scree_simulation_step(refused, &err);
    CHECK_INT(status, SCREE_UNCONVERGED);
    while (scree_simulation_left(accepted) && step(accepted)) continue;
    CHECK_INT(scree_simulation_left(accepted), 0);
    CHECK(scree_simulation_totals(accepted)->unconverged > 0);
    CHECK(scree_simulation_totals(accepted)->residual_over_bound_max < 1);
    scree_simulation_free(refused);
    scree_simulation_free(accepted);
}

static void all_kinds_in_one_scene_close_the_ledger(void) {
    static const char *const scheme[] = { "scheme.name=moreau-jean", "scheme.name=moreau",
                                          "scheme.theta=0.7", "scheme.theta=1" };
    for (int k = 0; k < 4; k++) {
        scree_simulation *all = parse(PLANE FALLING SYSTEM ELASTIC LAWS SCHEME, scheme[k]);
        const scree_model *model = all ? scree_simulation_model(all) : NULL;
        bool system = false, soft = false;
        if (!all) continue;
        CHECK_INT(model->coordinates, 3 * 3 + 2 + 50);
        CHECK_INT(model->elastic[0].coordinate, 3 * 3 + 2);
        while (scree_simulation_left(all) &&
               step(all)) {  // a ledger that does not close is refused
            const scree_step_record *record = scree_simulation_record(all);
            for (int i = 0; i < record->contacts; i++) {
                const scree_contact *contact = &record->contact[i];
                if (contact->impulse[0] <= 0) continue;
                system |= contact->a == -1;
                soft |= contact->a == 3 && contact->b == 2;
            }
        }
        CHECK_INT(scree_simulation_left(all), 0);
        CHECK(system && soft);
        const scree_totals *totals = scree_simulation_totals(all);
        CHECK(totals->damping_work < 0 && totals->residual_over_bound_max < 1);
        scree_simulation_free(all);
    }
}

/// What lies on an elastic body does not see the system.
static void bodies_and_elastic_bodies_meet_beside_a_system(void) {
    scree_simulation *alone = parse(PLANE FALLING ELASTIC LAWS SCHEME, NULL);
    scree_simulation *mixed = parse(PLANE FALLING SYSTEM ELASTIC LAWS SCHEME, NULL);
    bool fine = alone && mixed;
    for (int k = 0; fine && k < 500; k++) {
        fine = step(alone) && step(mixed);
        const scree_state *one = scree_simulation_state(alone),
                          *all = scree_simulation_state(mixed);
        for (int i = 0; fine && i < 59; i++) CHECK_NEAR(all->q[i < 9 ? i : i + 2], one->q[i], 1e-9);
    }
    scree_simulation_free(alone);
    scree_simulation_free(mixed);
}

static void a_mixed_run_goes_on_with_the_same_bits(void) {
    scree_simulation *whole = parse(PLANE FALLING SYSTEM MECHANISM ELASTIC LAWS SCHEME, NULL);
    scree_simulation *rest = parse(PLANE FALLING SYSTEM MECHANISM ELASTIC LAWS SCHEME, NULL);
    scree_error err = { 0 };
    bool fine = whole && rest;
    for (int k = 0; fine && k < 300; k++) fine = step(whole);
    if (fine) {
        const scree_step_record *record = scree_simulation_record(whole);
        CHECK_INT(scree_simulation_restore(rest, &record->after, record->contact, record->contacts,
                                           scree_simulation_totals(whole), &err),
                  SCREE_OK);
    }
    while (fine && scree_simulation_left(whole)) {
        fine = step(whole) && step(rest);
        const scree_model *model = scree_simulation_model(whole);
        const scree_state *one = scree_simulation_state(whole), *two = scree_simulation_state(rest);
        CHECK(same(one->q, two->q, model->coordinates, 0) && same(one->v, two->v, model->dofs, 0));
    }
    scree_simulation_free(whole);
    scree_simulation_free(rest);
}

/// A third tangential row that a system does not have, beside bodies that have rolling resistance.
static void rows_that_a_system_lacks_are_zero(void) {
    scree_simulation *all =
        parse(SPACE
              "  - {name: marble, density: 1000, position: [3, 0, 0.1], velocity: [1, 0.2, 0],\n"
              "     shapes: [{type: sphere, radius: 0.1}]}\n" SYSTEM
              "laws: [{restitution: 0, friction: 0.5, rolling: 0.01}]\n" SCHEME,
              NULL);
    if (!all) return;
    CHECK_INT(scree_simulation_model(all)->dimension, 5);
    while (scree_simulation_left(all) && step(all)) {
        const scree_step_record *record = scree_simulation_record(all);
        for (int i = 0; i < record->contacts; i++)
            if (record->contact[i].a == -1)
                for (int k = 2; k < 5; k++) CHECK(record->contact[i].impulse[k] == 0);
    }
    CHECK_INT(scree_simulation_left(all), 0);
    scree_simulation_free(all);
}

TEST_FILE(test_mixed) {
    TEST(a_system_beside_bodies_moves_as_alone);
    TEST(also_in_space);
    TEST(a_mechanism_beside_bodies_moves_as_alone);
    TEST(a_mechanism_beside_bodies_in_space);
    TEST(a_mechanism_beside_a_system);
    TEST(a_mechanism_among_all_closes_the_ledger);
    TEST(steps_of_mechanisms_can_be_accepted);
    TEST(all_kinds_in_one_scene_close_the_ledger);
    TEST(bodies_and_elastic_bodies_meet_beside_a_system);
    TEST(a_mixed_run_goes_on_with_the_same_bits);
    TEST(rows_that_a_system_lacks_are_zero);
    return harness_end();
}
