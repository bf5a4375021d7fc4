// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// test_language.c - what is written in a scene of bodies is what stands in the model.

#include <unistd.h>

#include "failing.h"
#include "scene_case.h"

static const double pi = 3.14159265358979323846;

#define BODY(rest) "bodies: [{name: a, " rest "}]\n"
#define SHAPE(rest) BODY("fixed: true, shapes: [{type: " rest "}]")

static void check_numbers(const double *found, int count, const double *expected) {
    for (int i = 0; i < count; i++) CHECK_NEAR(found[i], expected[i], 1e-14);
}
#define NUMBERS(found, ...)                                                         \
    check_numbers(found, (int)(sizeof((double[]){ __VA_ARGS__ }) / sizeof(double)), \
                  (double[]){ __VA_ARGS__ })

static void space_is_the_plane_unless_said(void) {
    const char *text =
        "gravity: [1, 2]\nscheme: {step: 1, duration: 1}\n"
        "bodies: [{name: a, mass: 2, inertia: 3, position: [4, 5], angle: 6, velocity: [7, 8], "
        "spin: 9, force: [1, t, 2*t], born: 10, removed: 11}]";
    scene_case c = open_case(text);
    CHECK(c.model && c.model->space == 2);
    if (!c.model) return;
    const scree_body *body = c.model->body;
    double rate;
    NUMBERS(c.model->gravity, 1, 2, 0);
    NUMBERS(body->position, 4, 5, 0);
    NUMBERS(body->velocity, 7, 8, 0);
    CHECK(body->mass == 2 && body->inertia == 3 && body->angle == 6 && body->spin == 9);
    CHECK(body->birth_time == 10 && body->removal_time == 11 && !body->fixed && !body->driven);
    CHECK_NEAR(scree_function_at(&body->force[0], 3, &rate), 1, 0);
    CHECK_NEAR(scree_function_at(&body->force[2], 3, &rate), 6, 0);
    CHECK_NEAR(rate, 2, 0);
    CHECK_INT(body->group, 0);
    close_case(&c);
}

static void space_may_be_arithmetic(void) {
    scene_case c = open_case(
        "parameters: {n: 2}\nspace: n + 1\nscheme: {step: 1, duration: 1}\n"
        "bodies: [{name: a, fixed: true, position: [1, 2, n]}]");
    CHECK(c.model && c.model->space == 3);
    if (c.model) NUMBERS(c.model->body[0].position, 1, 2, 2);
    close_case(&c);
}

static void a_body_in_space(void) {
    scene_case c = taken(3, "gravity: [1, 2, 3]\n" BODY(
                                "mass: 2, inertia: 3, position: [4, 5, 6], velocity: [7, 8, 9], "
                                "spin: [1, 2, 3], force: [1, 2, 3, 4, 5, 6*t]"));
    if (!c.model) return;
    const scree_body *body = c.model->body;
    double rate;
    NUMBERS(c.model->gravity, 1, 2, 3);
    NUMBERS(body->position, 4, 5, 6);
    NUMBERS(body->velocity, 7, 8, 9);
    NUMBERS(body->angular, 1, 2, 3);
    NUMBERS(body->tensor, 3, 0, 0, 3, 0, 3);
    for (int i = 0; i < 6; i++) CHECK_NEAR(scree_function_at(&body->force[i], 1, &rate), i + 1, 0);
    CHECK_NEAR(rate, 6, 0);
    close_case(&c);
}

static void inertia_has_three_forms(void) {
    scene_case c = taken(3, BODY("mass: 1, inertia: [2, 3, 4]"));
    if (c.model) NUMBERS(c.model->body[0].tensor, 2, 0, 0, 3, 0, 4);
    close_case(&c);
    c = taken(3, BODY("mass: 1, inertia: [2, 0.1, 0.2, 3, 0.3, 4]"));
    if (c.model) NUMBERS(c.model->body[0].tensor, 2, 0.1, 0.2, 3, 0.3, 4);
    close_case(&c);
    c = taken(2, BODY("mass: 1, inertia: [2]"));
    if (c.model) CHECK_NEAR(c.model->body[0].inertia, 2, 0);
    close_case(&c);
}

/// A plate and a needle are the limits of what a body can be; a plate's numbers may be rounded.
static void thin_bodies_have_an_inertia(void) {
    static const char *const limit[] = {
        BODY("mass: 1, inertia: [1, 1, 2]"),
        BODY("mass: 1, inertia: [0.333, 0.333, 0.667]"),
        BODY("mass: 1, inertia: [1e-9, 1, 1]"),
        BODY("mass: 1, inertia: [1.5, 0.5, 0, 1.5, 0, 1]"),
    };
    for (size_t i = 0; i < sizeof limit / sizeof *limit; i++) {
        scene_case c = taken(3, limit[i]);
        close_case(&c);
    }
}

static void polygons_go_either_way_round(void) {
    static const char *const way[] = {
        BODY("density: 4, shapes: [{type: polygon, vertices: [[0, 0], [1, 0], [0, 1]]}]"),
        BODY("density: 4, shapes: [{type: polygon, vertices: [[0, 0], [0, 1], [1, 0]]}]"),
    };
    for (size_t i = 0; i < 2; i++) {
        scene_case c = taken(2, way[i]);
        if (c.model) CHECK_NEAR(c.model->body[0].mass, 2, 1e-15);
        close_case(&c);
    }
}

static void orientation_has_two_forms(void) {
    scene_case c = taken(3, BODY("fixed: true, angle: deg(90), axis: [0, 3, 0]"));
    if (c.model) NUMBERS(c.model->body[0].orientation, sqrt(0.5), 0, sqrt(0.5), 0);
    close_case(&c);
    c = taken(3, BODY("fixed: true, orientation: [0.6, 0, 0, 0.8]"));
    if (c.model) NUMBERS(c.model->body[0].orientation, 0.6, 0, 0, 0.8);
    close_case(&c);
}

// --- density ------------------------------------------------------------------------------------

static void density_of_a_disc(void) {
    scene_case c =
        taken(2, BODY("density: 3, position: [1, 2], shapes: [{type: disc, radius: 2}]"));
    if (c.model) {
        const scree_body *body = c.model->body;
        CHECK_NEAR(body->mass, 12 * pi, 1e-12);
        CHECK_NEAR(body->inertia, 12 * pi * 2, 1e-12);
        NUMBERS(body->position, 1, 2, 0);
    }
    close_case(&c);
}

/// The frame of the shapes is where the user put it, though the body's is in the centre of mass.
static void density_moves_the_frame(void) {
    scene_case c = taken(2, BODY("density: 3, position: [1, 2], angle: deg(90), shapes: "
                                 "[{type: disc, radius: 2, at: [5, 0]}]"));
    if (c.model) {
        NUMBERS(c.model->body[0].position, 1, 7, 0);
        NUMBERS(c.model->shape[0].at, 0, 0, 0);
        CHECK_NEAR(c.model->body[0].angle, pi / 2, 1e-15);
    }
    close_case(&c);

    // turned about x: y goes to z
    c = taken(3, BODY("density: 6, position: [1, 2, 3], angle: deg(90), axis: [1, 0, 0], shapes: "
                      "[{type: box, size: [1, 2, 3], at: [0, 4, 0]}, {type: box, size: [1, 2, 3], "
                      "at: [0, 8, 0]}]"));
    if (c.model) {
        const scree_body *body = c.model->body;
        CHECK_NEAR(body->mass, 72, 1e-12);
        NUMBERS(body->position, 1, 2, 9);
        NUMBERS(c.model->shape[0].at, 0, -2, 0);
        NUMBERS(c.model->shape[1].at, 0, 2, 0);
        // two boxes of mass 36 at distance 2 from the centre
        check_numbers(
            body->tensor, 6,
            (double[]){ 72 * 13 / 12.0 + 72 * 4, 0, 0, 72 * 10 / 12.0, 0, 72 * 5 / 12.0 + 72 * 4 });
    }
    close_case(&c);
}

static void fixed_bodies_keep_their_frame(void) {
    scene_case c = taken(2, BODY("fixed: true, density: 3, position: [1, 2], shapes: "
                                 "[{type: disc, radius: 2, at: [5, 0]}]"));
    if (c.model) {
        NUMBERS(c.model->body[0].position, 1, 2, 0);
        NUMBERS(c.model->shape[0].at, 5, 0, 0);
    }
    close_case(&c);
}

// --- motions ------------------------------------------------------------------------------------

static void check_at(const scree_function *function, double t, double value, double slope) {
    double rate;
    CHECK_NEAR(scree_function_at(function, t, &rate), value, 1e-14);
    CHECK_NEAR(rate, slope, 1e-14);
}

static void motions_are_functions(void) {
    scene_case c = taken(2, BODY("motion: {position: [2*t, t^2], angle: 3*t}"));
    if (c.model) {
        const scree_path *path = &c.model->body[0].path;
        CHECK(c.model->body[0].driven && !c.model->body[0].fixed);
        check_at(&path->along[0], 3, 6, 2);
        check_at(&path->along[1], 3, 9, 6);
        check_at(&path->angle, 3, 9, 3);
        NUMBERS(path->axis, 0, 0, 1);
    }
    close_case(&c);
    c = taken(3, BODY("motion: {angle: t, axis: [0, 2, 0]}"));
    if (c.model) {
        check_at(&c.model->body[0].path.along[2], 3, 0, 0);
        NUMBERS(c.model->body[0].path.axis, 0, 1, 0);
    }
    close_case(&c);
}

static void motions_are_tables(void) {
    scene_case c = taken(2, BODY("motion: {table: [[1, 0, 5, 0], [2, 4, 5, 1], [4, 4, 3, 0]]}"));
    if (c.model) {
        const scree_path *path = &c.model->body[0].path;
        check_at(&path->along[0], 0, 0, 0);
        check_at(&path->along[0], 1, 0, 4);
        check_at(&path->along[0], 1.25, 1, 4);
        check_at(&path->along[0], 2, 4, 0);
        check_at(&path->along[1], 1.5, 5, 0);
        check_at(&path->along[1], 3, 4, -1);
        check_at(&path->along[1], 4, 3, 0);
        check_at(&path->along[1], 1e9, 3, 0);
        check_at(&path->angle, 1.5, 0.5, 1);
        check_at(&path->angle, 3, 0.5, -0.5);
    }
    close_case(&c);
    c = taken(3, BODY("motion: {table: [[0, 1, 2, 3, 0], [1, 2, 4, 6, 1]], axis: [1, 0, 0]}"));
    if (c.model) {
        check_at(&c.model->body[0].path.along[2], 0.5, 4.5, 3);
        check_at(&c.model->body[0].path.angle, 0.5, 0.5, 1);
    }
    close_case(&c);
    // without angles
    c = taken(2, BODY("motion: {table: [[0, 1, 2], [1, 2, 4]]}"));
    if (c.model) check_at(&c.model->body[0].path.angle, 0.5, 0, 0);
    close_case(&c);
}

// a(t) is 2 for a second, then falls to -2 within two: v is 2 at t = 1 and again at t = 3
static void motions_are_accelerograms(void) {
    scene_case c = taken(2, BODY("motion: {acceleration: [[0, 2, 0], [1, 2, 3], [3, -2, -3]]}"));
    if (c.model) {
        const scree_path *path = &c.model->body[0].path;
        check_at(&path->along[0], -1, 0, 0);
        check_at(&path->along[0], 0, 0, 0);
        check_at(&path->along[0], 0.5, 0.25, 1);
        check_at(&path->along[0], 1, 1, 2);
        check_at(&path->along[0], 2, 1 + 2 + 1 - 1.0 / 3, 3);
        check_at(&path->along[0], 3, 1 + 4 + 4 - 8.0 / 3, 2);
        check_at(&path->along[0], 5, 1 + 4 + 4 - 8.0 / 3 + 4, 2);
        check_at(&path->along[1], 1, 0.5, 1.5);
        check_at(&path->angle, 2, 0, 0);
    }
    close_case(&c);
}

// --- shapes -------------------------------------------------------------------------------------

static scree_shape shape_of(int space, const char *text, scene_case *c) {
    *c = taken(space, text);
    scree_shape none = { 0 };
    if (c->model) CHECK_INT(c->model->shapes, 1);
    return c->model && c->model->shapes ? c->model->shape[0] : none;
}

static void shapes_in_the_plane(void) {
    scene_case c;
    scree_shape shape = shape_of(2, SHAPE("point, at: [1, 2]"), &c);
    CHECK_INT(shape.kind, SCREE_POINT);
    NUMBERS(shape.at, 1, 2, 0);
    close_case(&c);
    shape = shape_of(2, SHAPE("half-plane"), &c);
    CHECK_INT(shape.kind, SCREE_HALF_PLANE);
    NUMBERS(shape.normal, 0, 1, 0);
    close_case(&c);
    shape = shape_of(2,
                     SHAPE("polygon, at: [1, 0], angle: 2, radius: 0.1, scale: 2, vertices: "
                           "[[0, 0], [1, 0], [0, 1]]"),
                     &c);
    CHECK_INT(shape.kind, SCREE_POLYGON);
    CHECK_INT(shape.vertices, 3);
    CHECK(shape.angle == 2 && shape.radius == 0.1);
    if (shape.vertices == 3) NUMBERS(shape.vertex, 0, 0, 2, 0, 0, 2);
    close_case(&c);
    shape = shape_of(2, SHAPE("chain, vertices: [[0, 0], [1, 0]]"), &c);
    CHECK_INT(shape.kind, SCREE_CHAIN);
    CHECK_INT(shape.vertices, 2);
    close_case(&c);
    shape = shape_of(2, SHAPE("capsule, length: 2, radius: 0.5, angle: 1"), &c);
    CHECK_INT(shape.kind, SCREE_CAPSULE);
    CHECK(shape.size[0] == 2 && shape.radius == 0.5 && shape.angle == 1);
    close_case(&c);
    shape = shape_of(2, SHAPE("box, size: [4, 2], angle: 1"), &c);
    CHECK_INT(shape.kind, SCREE_BOX);
    NUMBERS(shape.size, 4, 2, 0);
    CHECK(shape.angle == 1);
    close_case(&c);
}

static void shapes_in_space(void) {
    scene_case c;
    scree_shape shape = shape_of(3, SHAPE("sphere, at: [1, 2, 3], radius: 4"), &c);
    CHECK_INT(shape.kind, SCREE_SPHERE);
    NUMBERS(shape.at, 1, 2, 3);
    CHECK_NEAR(shape.radius, 4, 0);
    close_case(&c);
    shape = shape_of(3, SHAPE("plane"), &c);
    CHECK_INT(shape.kind, SCREE_PLANE);
    NUMBERS(shape.normal, 0, 0, 1);
    close_case(&c);
    shape = shape_of(3, SHAPE("box, size: [1, 2, 3], angle: pi, axis: [0, 0, 2]"), &c);
    CHECK_INT(shape.kind, SCREE_BOX);
    NUMBERS(shape.size, 1, 2, 3);
    NUMBERS(shape.turn, 0, 0, 0, 1);
    close_case(&c);
    shape = shape_of(3, SHAPE("capsule, length: 2, radius: 0.5"), &c);
    CHECK(shape.kind == SCREE_CAPSULE && shape.size[0] == 2 && shape.radius == 0.5);
    close_case(&c);
    shape = shape_of(3, SHAPE("cylinder, length: 2, radius: 0.5"), &c);
    CHECK(shape.kind == SCREE_CYLINDER && shape.size[0] == 2 && shape.radius == 0.5);
    close_case(&c);
    shape = shape_of(
        3, SHAPE("polyhedron, vertices: [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], scale: 3"),
        &c);
    CHECK_INT(shape.kind, SCREE_POLYHEDRON);
    CHECK_INT(shape.vertices, 4);
    if (shape.vertices == 4) CHECK_NEAR(shape.vertex[11], 3, 0);
    close_case(&c);
    shape = shape_of(3, SHAPE("height-field, size: [4, 2], heights: [[0, 1, 2], [3, 4, 5]]"), &c);
    CHECK_INT(shape.kind, SCREE_HEIGHT_FIELD);
    CHECK(shape.rows == 2 && shape.columns == 3);
    NUMBERS(shape.size, 4, 2, 0);
    if (shape.height) NUMBERS(shape.height, 0, 1, 2, 3, 4, 5);
    close_case(&c);
    shape = shape_of(3,
                     SHAPE("mesh, vertices: [[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]], "
                           "triangles: [[0, 1, 2], [1, 3, 2]]"),
                     &c);
    CHECK_INT(shape.kind, SCREE_MESH);
    CHECK(shape.vertices == 4 && shape.triangles == 2);
    if (shape.triangles == 2) CHECK(shape.triangle[3] == 1 && shape.triangle[5] == 2);
    close_case(&c);
}

/// A file is found beside the scene, wherever the program runs.
static void meshes_from_files(void) {
    char folder[] = "/tmp/scree-test-XXXXXX", path[100], scene[100];
    if (!mkdtemp(folder)) {
        COMPLAIN("no folder for files");
        return;
    }
    snprintf(path, sizeof path, "%s/floor.obj", folder);
    snprintf(scene, sizeof scene, "%s/scene.yaml", folder);
    FILE *file = fopen(path, "w");
    CHECK(file && fputs("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nf 1 2 3\nf 2 4 3\n", file) >= 0);
    if (file) fclose(file);
    file = fopen(scene, "w");
    CHECK(file && fputs("space: 3\nscheme: {step: 1, duration: 1}\n" SHAPE(
                            "mesh, file: floor.obj, scale: 10"),
                        file) >= 0);
    if (file) fclose(file);

    scene_case c = { 0 };
    c.scene = scree_scene_load(scene, NULL, 0, &c.findings);
    if (c.scene && !c.findings.count) c.model = scree_model_from_scene(c.scene, &c.findings);
    for (int i = 0; i < c.findings.count; i++) COMPLAIN("%s", c.findings.item[i].text);
    CHECK(c.model && c.model->shapes == 1 && c.model->shape[0].triangles == 2);
    if (c.model) {
        double far = 0;
        for (int i = 0; i < 12; i++) far = fmax(far, c.model->shape[0].vertex[i]);
        CHECK_NEAR(far, 10, 0);
    }
    close_case(&c);
    remove(path);
    remove(scene);
    rmdir(folder);
}

// --- laws and groups ----------------------------------------------------------------------------

static void laws_by_name_and_group(void) {
    scene_case c = taken(
        3,
        "bodies:\n"
        "  - {name: a, fixed: true, group: stones}\n"
        "  - {name: b, mass: 1, inertia: 1, group: stones}\n"
        "  - {name: c, mass: 1, inertia: 1}\n"
        "laws:\n"
        "  - {friction: 0.1}\n"
        "  - {between: [stones, any], friction: 0.2}\n"
        "  - {between: [stones, stones], friction: 0.3, friction_second: 0.4, grain: [0, 2, 0], "
        "rolling: 0.01, cohesion: 5, tangential_restitution: 0.6, restitution: 0.7}\n"
        "  - {between: [c, a], friction: 0.5}\n");
    if (c.model) {
        CHECK_INT(c.model->groups, 1);
        CHECK_TEXT(c.model->group[1], "stones");
        CHECK(c.model->body[0].group == 1 && c.model->body[2].group == 0);
        const scree_law *law = scree_model_law(c.model, 0, 1);
        CHECK(law->friction == 0.3 && law->friction_across == 0.4 && law->rolling == 0.01);
        CHECK(law->cohesion == 5 && law->tangential_restitution == 0.6 && law->restitution == 0.7);
        CHECK(law->friction_axis[0] == 0 && law->friction_axis[1] > 0 &&
              law->friction_axis[2] == 0);
        CHECK_NEAR(scree_model_law(c.model, 1, 2)->friction, 0.2, 0);
        CHECK_NEAR(scree_model_law(c.model, 0, 2)->friction, 0.5, 0);
    }
    close_case(&c);
}

static void bodies_are_formulas_of_their_number(void) {
    scene_case c = taken(2,
                         "parameters: {n: 3}\nbodies: [{name: floor, fixed: true}]\ngenerate:\n"
                         "  - name: b\n    arrange: each\n    count: n\n"
                         "    let: {a: 2*i, c: a + n}\n"
                         "    body: {mass: i, inertia: c, position: [a, -i], born: i - 1, shapes: "
                         "[{type: disc, radius: 1/i}]}\n"
                         "laws: [{between: [b-3, floor], friction: 1}, {between: [b, b]}]\n");
    CHECK(c.model && c.model->bodies == 4);
    for (int i = 1; c.model && i < 4; i++) {
        const scree_body *body = &c.model->body[i];
        char name[] = "b-0";
        name[2] = (char)('0' + i);
        CHECK(strcmp(body->name, name) == 0 && body->group == 1);
        CHECK(body->mass == i && body->inertia == 2 * i + 3);
        CHECK(body->position[0] == 2 * i && body->position[1] == -i);
        CHECK(body->birth_time == i - 1 && c.model->shape[i - 1].radius == 1.0 / i);
    }
    close_case(&c);
}

static void joints_have_two_names(void) {
    const struct {
        const char *weld, *coupler;
    } word[] = { { "weld", "coupler" }, { "fixed", "gear" } };
    const char *const format =
        "bodies: [{name: a, mass: 1, inertia: 1}, {name: b, mass: 1, inertia: 1},\n"
        "  {name: c, mass: 1, inertia: 1}]\n"
        "joints:\n"
        "  - {name: one, type: hinge, bodies: [a], at: [0, 0]}\n"
        "  - {name: two, type: hinge, bodies: [b], at: [0, 0]}\n"
        "  - {name: three, type: %s, bodies: [c, b], at: [0, 0]}\n"
        "  - {name: four, type: %s, joints: [one, two], ratio: 2}\n";
    for (int k = 0; k < 2; k++) {
        char text[1000];
        snprintf(text, sizeof text, format, word[k].weld, word[k].coupler);
        scene_case c = taken(2, text);
        CHECK(c.model && c.model->joints == 4);
        CHECK(c.model && c.model->joint[2].kind == SCREE_WELD);
        CHECK(c.model && c.model->joint[3].kind == SCREE_COUPLER && c.model->joint[3].ratio == 2);
        close_case(&c);
    }
    char text[1000] = "scheme: {step: 1, duration: 1}\n";
    size_t length = strlen(text);
    snprintf(text + length, sizeof text - length, format, "\"fixed=weld|gear\"", "gear");
    scene_case c = open_case(text);
    CHECK(c.findings.count == 1 && strstr(c.findings.item[0].text, "none of hinge|"));
    close_case(&c);
}

static void generated_bodies_have_names_groups_and_laws(void) {
    scene_case c = taken(
        2,
        "bodies: [{name: ground, fixed: true, shapes: [{type: half-plane}]}]\n"
        "generate:\n"
        "  - {name: a, arrange: grid, count: [2, 1], origin: [0, 5], body: {density: 1, shapes: "
        "[{type: disc, radius: 1}]}}\n"
        "  - {name: b, arrange: grid, count: [2, 1], origin: [0, 9], body: {density: 1, group: "
        "stones, shapes: [{type: disc, radius: 1}]}}\n"
        "laws:\n"
        "  - {between: [a, stones], friction: 0.1}\n"
        "  - {between: [b-2, ground], friction: 0.2}\n"
        "  - {between: [a, ground], friction: 0.3}\n");
    if (c.model) {
        static const char *const name[] = { "ground", "a-1", "a-2", "b-1", "b-2" };
        CHECK_INT(c.model->bodies, 5);
        CHECK_INT(scree_scene_bodies(c.scene), 5);
        for (int i = 0; i < c.model->bodies && i < 5; i++)
            CHECK_TEXT(c.model->body[i].name, name[i]);
        CHECK_NEAR(scree_model_law(c.model, 2, 3)->friction, 0.1, 0);
        CHECK_NEAR(scree_model_law(c.model, 0, 4)->friction, 0.2, 0);
        CHECK_NEAR(scree_model_law(c.model, 0, 3)->friction, 0, 0);
        CHECK_NEAR(scree_model_law(c.model, 0, 2)->friction, 0.3, 0);
    }
    close_case(&c);
}

static void run_options(void) {
    scene_case c = open_case(
        "bodies: [{name: a, fixed: true}]\n"
        "scheme: {step: 1, duration: 2, name: moreau, correction: projection}\n"
        "solver: {threads: 0}\noutput: {precision: single, compression: 6}\n");
    CHECK_INT(c.findings.count, 0);
    const scree_run_options *options = scree_scene_options(c.scene);
    CHECK_INT(options->scheme.name, SCREE_MOREAU);
    CHECK(options->scheme.correct && options->precision_single);
    CHECK_INT(options->solver.threads, 0);
    CHECK_INT(options->compression, 6);
    close_case(&c);
}

static void flow_is_a_mode_of_bounded_cost(void) {
#define FLOW "bodies: [{name: a, fixed: true}]\nscheme: {step: 1, duration: 2}\n"
    scene_case c = open_case(FLOW "solver: {mode: flow, sweeps: 20}\n");
    CHECK_INT(c.findings.count, 0);
    const scree_run_options *options = scree_scene_options(c.scene);
    CHECK(options->flow && options->accept_unconverged);
    CHECK_INT(options->solver.max_sweeps, 20);
    CHECK(options->solver.tolerance == 1e-4);
    close_case(&c);
    c = open_case(FLOW "solver: {mode: flow, tolerance: 1e-2}\n");
    options = scree_scene_options(c.scene);
    CHECK_INT(options->solver.max_sweeps, 50);
    CHECK(options->solver.tolerance == 1e-2);
    close_case(&c);
    c = open_case(FLOW);
    CHECK(!scree_scene_options(c.scene)->flow);
    close_case(&c);
#undef FLOW
}

// --- memory -------------------------------------------------------------------------------------

static const char *const rich =
    "space: 3\nscheme: {step: 1, duration: 1}\nbodies:\n"
    "  - {name: a, group: g, motion: {table: [[0, 1, 2, 3], [1, 2, 3, 4]]}, shapes: [{type: mesh, "
    "vertices: [[0, 0, 0], [1, 0, 0], [0, 1, 0]], triangles: [[0, 1, 2]]}]}\n"
    "  - {name: b, density: 1, shapes: [{type: polyhedron, vertices: [[0, 0, 0], [1, 0, 0], [0, 1, "
    "0], [0, 0, 1]]}, {type: sphere, radius: 1}]}\n"
    "generate:\n"
    "  - {name: c, arrange: random, count: 9, radius: [1, 2], turn: random, region: [[0, 0, 0], "
    "[99, 99, 99]], body: {density: 1, shapes: [{type: polyhedron, vertices: [[0, 0, 0], [1, 0, "
    "0], "
    "[0, 1, 0], [0, 0, 1]]}]}}\n"
    "  - {name: d, arrange: wall, count: [2, 2], body: {density: 1, shapes: [{type: box, size: [2, "
    "1, "
    "1]}]}}\n"
    "  - {name: e, arrange: each, count: 3, let: {u: i}, body: {position: [0, 0, u], motion: "
    "{acceleration: [[0, 0, 0, i], [1, 0, 0, 0]]}}}\n"
    "laws: [{between: [g, c], friction: 1}, {between: [b, d-2], friction: 1}]\n";

static void memory_may_run_out(void) {
    fails_at = calls = 0;
    scene_case good = open_case(rich);
    CHECK(good.model && good.model->bodies == 2 + 9 + 5 + 3);
    close_case(&good);
    long all = calls;
    CHECK(all > 10);
    for (long n = 1; n <= all; n++) {
        fails_at = n;
        calls = 0;
        scene_case c = open_case(rich);
        bool said = c.findings.truncated;
        for (int i = 0; i < c.findings.count; i++)
            said = said || strstr(c.findings.item[i].text, "memory");
        if (!c.model && !said) COMPLAIN("allocation %ld of %ld fails, and nobody says so", n, all);
        if (c.model && c.findings.count) COMPLAIN("allocation %ld: a model with findings", n);
        close_case(&c);
    }
    fails_at = 0;
}

TEST_FILE(test_language) {
    TEST(space_is_the_plane_unless_said);
    TEST(space_may_be_arithmetic);
    TEST(a_body_in_space);
    TEST(inertia_has_three_forms);
    TEST(thin_bodies_have_an_inertia);
    TEST(polygons_go_either_way_round);
    TEST(orientation_has_two_forms);
    TEST(density_of_a_disc);
    TEST(density_moves_the_frame);
    TEST(fixed_bodies_keep_their_frame);
    TEST(motions_are_functions);
    TEST(motions_are_tables);
    TEST(motions_are_accelerograms);
    TEST(bodies_are_formulas_of_their_number);
    TEST(shapes_in_the_plane);
    TEST(shapes_in_space);
    TEST(meshes_from_files);
    TEST(laws_by_name_and_group);
    TEST(joints_have_two_names);
    TEST(generated_bodies_have_names_groups_and_laws);
    TEST(run_options);
    TEST(flow_is_a_mode_of_bounded_cost);
    TEST(memory_may_run_out);
    return harness_end();
}
