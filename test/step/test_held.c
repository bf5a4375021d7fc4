// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// A contact that bore an impulse stays in the problem while its gap is a small part of the way that
// loads would move its bodies in a step; one that bore none does not.

#include "harness.h"
#include "scree/scree.h"

static const double h = 1e-3, g = 10;

/// A ball at rest, `above` over the floor, that bore `impulse` in the step before: is its contact
/// in the problem of the next step?
static bool stays(double above, double impulse, double gap_tolerance) {
    scree_error err = { 0 };
    scree_model *model = scree_model_new();
    scree_model_set_gravity(model, 0, -g, 0);
    scree_body floor = { .name = "floor", .fixed = true };
    scree_body ball = { .name = "ball", .mass = 2, .inertia = 1, .position = { 0, 1, 0 } };
    scree_shape flat = { .kind = SCREE_HALF_PLANE, .normal = { 0, 1, 0 } };
    scree_shape disc = { .kind = SCREE_DISC, .body = 1, .radius = 1 };
    CHECK_INT(scree_model_add_body(model, &floor, &err), SCREE_OK);
    CHECK_INT(scree_model_add_body(model, &ball, &err), SCREE_OK);
    CHECK_INT(scree_model_add_shape(model, &flat, &err), SCREE_OK);
    CHECK_INT(scree_model_add_shape(model, &disc, &err), SCREE_OK);
    CHECK_INT(scree_model_finish(model, &err), SCREE_OK);
    scree_scheme_options scheme = scree_scheme_options_default();
    scheme.name = SCREE_MOREAU_JEAN;
    scheme.theta = 1;
    scheme.step = h;
    scheme.gap_tolerance = gap_tolerance;
    scree_solver_options solver = scree_solver_options_default();
    scree_stepper *stepper = NULL;
    CHECK_INT(scree_stepper_new(model, &scheme, &solver, &stepper, &err), SCREE_OK);

    scree_contact bore = scree_stepper_record(stepper)->contact[0];
    bore.impulse[0] = impulse;
    bore.status = SCREE_CONTACT_STICK;
    double q[6] = { 0, 0, 0, 0, 1 + above, 0 }, v[6] = { 0 };
    scree_state state = { .step = 5, .q = q, .v = v };
    CHECK_INT(scree_stepper_restore(stepper, &state, &bore, 1, &err), SCREE_OK);
    CHECK_INT(scree_stepper_advance(stepper, &err), SCREE_OK);
    bool active = scree_stepper_record(stepper)->active == 1;
    scree_stepper_free(stepper);
    scree_model_free(model);
    return active;
}

static void a_contact_is_held(void) {
    double way = g * h * h;
    CHECK(stays(0, 0, NAN) && stays(0, 1, NAN));
    CHECK(stays(0.2 * way, 1, NAN));
    CHECK(!stays(0.2 * way, 0, NAN));  // nothing was there to be held
    CHECK(!stays(0.3 * way, 1, NAN));
    CHECK(!stays(0.2 * way, 1, 0.1 * way));  // a tolerance that is given is the tolerance
}

/// How deep a point is after it fell on a surface and lay there for a second.
static double depth_after(const char *text, int height) {
    scree_findings findings = { 0 };
    scree_error err = { 0 };
    scree_simulation *simulation =
        scree_simulation_parse("point", text, strlen(text), NULL, 0, &findings);
    CHECK_INT(findings.count, 0);
    if (!simulation) return HUGE_VAL;
    while (scree_simulation_left(simulation))
        if (scree_simulation_step(simulation, &err)) break;
    CHECK_INT(scree_simulation_left(simulation), 0);
    double depth = -scree_simulation_state(simulation)->q[height];
    scree_simulation_free(simulation);
    scree_findings_free(&findings);
    return depth;
}

#define POINT "mass: 1, inertia: 1, shapes: [{type: point}]}\n"

// a point has no inside: a surface holds it although theta = 1/2 has let it sink a little
static void a_point_rests_on_a_surface(void) {
    double chain = depth_after(
        "scheme: {step: 1e-3, duration: 1.2, theta: 1/2}\ngravity: [0, -10]\nbodies:\n- {name: "
        "point, "
        "position: [0.2, 0.01], " POINT
        "- {name: ground, fixed: true, shapes: [{type: chain, vertices: "
        "[[-1, 0], [0, 0], [1, 0]]}]}\n",
        1);
    double mesh = depth_after(
        "scheme: {step: 1e-3, duration: 1.2, theta: 1/2}\nspace: 3\ngravity: [0, 0, "
        "-10]\nbodies:\n- {name: "
        "point, position: "
        "[0.2, 0.1, 0.01], " POINT
        "- {name: ground, fixed: true, shapes: [{type: mesh, vertices: "
        "[[-1, -1, 0], [1, -1, 0], [1, 1, 0], [-1, 1, 0]], triangles: "
        "[[0, 1, 2], [0, 2, 3]]}]}\n",
        2);
    CHECK(chain > 0 && chain < 1e-3);
    CHECK(mesh > 0 && mesh < 1e-3);
    CHECK_NEAR(mesh, chain, 1e-12);
}

// Bodies on several pieces of a surface that stands before them in the list: contacts ascend by
// their identities all the same, so that each finds its impulse of the last step again. What rests
// then takes no iterations.
static void impulses_on_a_surface_are_found_again(void) {
    static const char *text =
        "scheme: {step: 1e-3, duration: 0.01}\ngravity: [0, -10]\nbodies:\n"
        "- {name: ground, fixed: true, shapes: [{type: chain, vertices: "
        "[[-3, 0], [-1, 0], [1, 0], [3, 0]]}]}\n"
        "- {name: a, position: [2, 0.1], mass: 1, inertia: 0.01, shapes: [{type: disc, radius: "
        "0.1}]}\n"
        "- {name: b, position: [-2, 0.1], mass: 2, inertia: 0.01, shapes: [{type: disc, radius: "
        "0.1}]}\n"
        "- {name: c, position: [0, 0.1], mass: 3, inertia: 0.01, shapes: [{type: disc, radius: "
        "0.1}]}\n"
        "- {name: d, position: [1.5, 0.1], mass: 4, inertia: 0.01, shapes: [{type: disc, radius: "
        "0.1}]}\n"
        "laws: [{friction: 0.5}]\n";
    scree_findings findings = { 0 };
    scree_error err = { 0 };
    scree_simulation *simulation =
        scree_simulation_parse("row", text, strlen(text), NULL, 0, &findings);
    CHECK_INT(findings.count, 0);
    for (int k = 0; simulation && scree_simulation_left(simulation); k++) {
        CHECK_INT(scree_simulation_step(simulation, &err), SCREE_OK);
        const scree_step_record *record = scree_simulation_record(simulation);
        CHECK_INT(record->active, 4);
        for (int i = 1; i < record->contacts; i++)
            CHECK(scree_contact_id_less(record->contact[i - 1].id, record->contact[i].id));
        if (k > 0) CHECK_INT(record->report.iterations, 0);
    }
    scree_simulation_free(simulation);
    scree_findings_free(&findings);
}

TEST_FILE(test_held) {
    TEST(impulses_on_a_surface_are_found_again);
    TEST(a_contact_is_held);
    TEST(a_point_rests_on_a_surface);
    return harness_end();
}
