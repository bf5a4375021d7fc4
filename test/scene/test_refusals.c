// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// test_refusals.c - every mistake in a scene of bodies has its place and its sentence.

#include "scene_case.h"

#define BODY(rest) "bodies: [{name: a, " rest "}]"
#define SHAPE(rest) BODY("fixed: true, shapes: [{type: " rest "}]")
#define MASS "mass: 1, inertia: 1, "

static void vectors_have_as_many_numbers_as_space(void) {
    refused(2, BODY("fixed: true, position: ^[0, 1, 2]"),
            "position: expected two numbers [x, y], found 3; for bodies in space write space: 3 at "
            "the top");
    refused(2, BODY("fixed: true, position: ^[0]"),
            "position: expected two numbers [x, y], found 1");
    refused(3, BODY("fixed: true, position: ^[0, 1]"),
            "position: expected three numbers [x, y, z], found 2, since the scene has space: 3");
    refused(3, BODY("fixed: true, position: ^5"),
            "position: expected a list [x, y, z], found a single value");
    refused(3, "gravity: ^[0, -9.81]\n" BODY("fixed: true"),
            "gravity: expected three numbers [x, y, z], found 2, since the scene has space: 3");
    refused(3, BODY(MASS "velocity: ^[0, 1]"),
            "velocity: expected three numbers [x, y, z], found 2, since the scene has space: 3");
    refused(3, SHAPE("sphere, radius: 1, at: ^[0, 1]"),
            "at: expected three numbers [x, y, z], found 2, since the scene has space: 3");
    refused(3, SHAPE("plane, normal: ^[0, 1]"),
            "normal: expected three numbers [x, y, z], found 2, since the scene has space: 3");
}

static void space_is_two_or_three(void) {
    const char *text = "scheme: {step: 1, duration: 1}\nbodies: [{name: a, fixed: true}]\nspace: 4";
    scene_case c = open_case(text);
    CHECK_INT(c.findings.count, 1);
    if (c.findings.count)
        CHECK_TEXT(c.findings.item[0].text, "space must be at least 2 and at most 3, got 4");
    close_case(&c);
}

static void space_is_for_bodies(void) {
    scene_case c = open_case("scheme: {step: 1, duration: 1}\nspace: 3\nsystem: {mass: [[1]]}");
    CHECK_INT(c.findings.count, 1);
    if (c.findings.count) {
        CHECK_TEXT(c.findings.item[0].text,
                   "space is for bodies; a system has the coordinates of its matrices");
        CHECK(c.findings.item[0].line == 2 && c.findings.item[0].column == 8);
    }
    close_case(&c);
}

static void inertia_is_that_of_a_body(void) {
    const char *text =
        "body \"a\": no body can have this inertia: about one axis it is more than "
        "about the two others together";
    refused(3, BODY("mass: 1, inertia: ^[1, 1, 3]"), text);
    refused(3, BODY("mass: 1, inertia: ^[2.1, 1, 1]"), text);
    // 1 and 3 about axes between x and y: the same body, turned
    refused(3, BODY("mass: 1, inertia: ^[2, 1, 0, 2, 0, 1]"), text);
}

static void mass_is_given_once(void) {
    refused(2, "bodies: [^{name: a}]",
            "body \"a\" needs mass and inertia, or density (or fixed: true)");
    refused(2, "bodies: [^{name: a, mass: 1}]",
            "body \"a\" needs inertia besides its mass (or fixed: true)");
    refused(2, "bodies: [^{name: a, inertia: 1}]",
            "body \"a\" needs mass besides its inertia (or fixed: true)");
    refused(2, BODY("mass: 1, density: ^2, shapes: [{type: disc, radius: 1}]"),
            "body \"a\" has a density, from which mass and inertia follow: leave out mass");
    refused(2, BODY("inertia: 1, density: ^2, shapes: [{type: disc, radius: 1}]"),
            "body \"a\" has a density, from which mass and inertia follow: leave out inertia");
    refused(2, BODY("density: ^2"), "body \"a\" has a density, but no shapes to take mass from");
    refused(2, BODY("density: ^0, shapes: [{type: disc, radius: 1}]"),
            "density must be positive, got 0 kg/m^3");
    refused(2, BODY("mass: 1, inertia: ^-1"), "inertia must be positive, got -1 kg m^2");
    refused(2, BODY("mass: 1, inertia: ^[1, 2, 3]"),
            "body \"a\": in the plane inertia is one number, found 3");
    refused(3, BODY("mass: 1, inertia: ^[1, 2]"),
            "body \"a\": inertia is one number, three (about the body's axes) or six (xx, xy, xz, "
            "yy, yz, zz), found 2");
    refused(3, BODY("mass: 1, inertia: ^[1, 0, 3]"), "inertia must be positive, got 0 kg m^2");
    refused(3, BODY("mass: 1, inertia: ^[1, -2, 0, -1, 0, 1]"),
            "inertia must be positive, got -1 kg m^2");
}

static void orientation_is_given_once(void) {
    refused(2, BODY("fixed: true, angle: 1, axis: ^[0, 0, 1]"),
            "in the plane an angle needs no axis");
    refused(2, BODY("fixed: true, orientation: ^[1, 0, 0, 0]"),
            "body \"a\": in the plane the orientation is one angle");
    refused(3, BODY("fixed: true, angle: ^1"),
            "in space an angle needs an axis [x, y, z] to turn about");
    refused(3, BODY("fixed: true, axis: ^[0, 0, 1]"), "an axis needs an angle to turn by");
    refused(3, BODY("fixed: true, angle: 1, axis: ^[0, 0, 0]"),
            "an axis is a direction [x, y, z] with a length");
    refused(3, BODY("fixed: true, angle: 1, axis: ^[0, 1]"),
            "an axis is a direction [x, y, z] with a length");
    refused(3, BODY("fixed: true, orientation: ^[1, 0, 0]"),
            "body \"a\": an orientation is a quaternion [w, x, y, z] with a length");
    refused(3, BODY("fixed: true, orientation: ^[0, 0, 0, 0]"),
            "body \"a\": an orientation is a quaternion [w, x, y, z] with a length");
    refused(3, BODY("fixed: true, angle: 1, axis: [0, 0, 1], orientation: ^[1, 0, 0, 0]"),
            "body \"a\": give either orientation or angle and axis");
}

static void start_fits_the_body(void) {
    refused(2, BODY(MASS "spin: ^[1, 2]"), "body \"a\": spin is one number, found 2 numbers");
    refused(3, BODY(MASS "spin: ^1"), "body \"a\": spin is a vector [x, y, z], found 1 numbers");
    refused(2, BODY(MASS "force: ^[1, 2]"),
            "body \"a\": force is [fx, fy, torque], found 2 numbers");
    refused(
        3, BODY(MASS "force: ^[1, 2, 3]"),
        "body \"a\": force is [fx, fy, fz] and torques [tx, ty, tz] in one list of six, found 3 "
        "numbers");
    refused(2, BODY("fixed: true, velocity: ^[0, 1]"),
            "body \"a\" is fixed and cannot have a velocity");
    refused(3, BODY("fixed: true, velocity: ^[0, 0, 1]"),
            "body \"a\" is fixed and cannot have a velocity");
    refused(2, BODY("fixed: true, spin: ^2"), "body \"a\" is fixed and cannot have a spin");
    refused(2, BODY(MASS "born: ^-1"), "born must not be negative, got -1 s");
    refused(2, BODY(MASS "removed: ^0"), "removed must be positive, got 0 s");
    refused(2, BODY(MASS "born: 2, removed: ^2"),
            "body \"a\" is removed at 2 s, but born only at 2 s");
}

#define MOTION(rest) BODY("motion: {" rest "}")

static void motions(void) {
    refused(2, BODY("fixed: true, motion: ^{angle: t}"),
            "body \"a\" is fixed and cannot have a motion");
    refused(2, BODY("velocity: ^[1, 0], motion: {angle: t}"),
            "body \"a\" follows its motion and cannot have a velocity");
    refused(2, BODY("spin: ^1, motion: {angle: t}"),
            "body \"a\" follows its motion and cannot have a spin");
    refused(2, BODY("motion: ^{}"),
            "body \"a\": a motion needs position, angle, table or acceleration");
    refused(2, MOTION("position: ^[t]"),
            "body \"a\": position is a list of 2 displacements, found 1");
    refused(3, MOTION("position: ^[t, 0]"),
            "body \"a\": position is a list of 3 displacements, found 2");
    refused(3, MOTION("angle: ^t"), "in space an angle needs an axis [x, y, z] to turn about");
    refused(2, MOTION("angle: t, axis: ^[0, 0, 1]"), "in the plane an angle needs no axis");
    refused(2, MOTION("table: ^[[0, 1, 2]]"), "a table needs at least two rows, found 1");
    refused(2, MOTION("table: ^[[0, 1], [1, 2]]"),
            "rows of the table are t, x, y and perhaps an angle; found 2 numbers");
    refused(3, MOTION("table: ^[[0, 1, 2], [1, 2, 3]]"),
            "rows of the table are t, x, y, z and perhaps an angle; found 3 numbers");
    refused(2, MOTION("table: ^[[0, 1, 2], [1, 2, 3], [1, 2, 4]]"),
            "times must ascend: row 2 is at 1 s, row 3 at 1 s");
    refused(2, MOTION("angle: t, table: ^[[0, 1, 2], [1, 2, 3]]"),
            "a motion is either table or position and angle");
    refused(3, MOTION("table: ^[[0, 1, 2, 3, 4], [1, 2, 3, 4, 5]]"),
            "in space the angles of a table need an axis [x, y, z] to turn about");
    refused(2, MOTION("acceleration: ^[[0, 1, 2]]"),
            "an accelerogram needs at least two rows, found 1");
    refused(2, MOTION("acceleration: ^[[0, 1, 2, 0], [1, 1, 2, 0]]"),
            "rows of the accelerogram are t, x, y; found 4 numbers");
    refused(2, MOTION("acceleration: ^[[0, 1, 2], [0, 1, 2]]"),
            "times must ascend: row 1 is at 0 s, row 2 at 0 s");
    refused(2, MOTION("angle: t, acceleration: ^[[0, 1, 2], [1, 1, 2]]"),
            "a motion is either acceleration or position and angle");
    refused(2, MOTION("table: [[0, 1, 2], ^[1, 2]]"),
            "table: row 2 has 2 numbers, the first has 3");
}

static void shapes_of_the_other_space(void) {
    refused(3, SHAPE("^disc, radius: 1"),
            "a disc is a shape in the plane; use a sphere or cylinder");
    refused(3, SHAPE("^half-plane"), "a half-plane is a shape in the plane; use a plane");
    refused(3, SHAPE("^polygon"), "a polygon is a shape in the plane; use a polyhedron");
    refused(3, SHAPE("^chain"), "a chain is a shape in the plane; use a mesh");
#define PLANE ", or write space: 3 at the top"
    refused(2, SHAPE("^sphere, radius: 1"), "a sphere is a shape in space; use a disc" PLANE);
    refused(2, SHAPE("^cylinder"), "a cylinder is a shape in space; use a disc or box" PLANE);
    refused(2, SHAPE("^polyhedron"), "a polyhedron is a shape in space; use a polygon" PLANE);
    refused(2, SHAPE("^plane"), "a plane is a shape in space; use a half-plane" PLANE);
    refused(2, SHAPE("^mesh"), "a mesh is a shape in space; use a chain" PLANE);
    refused(2, SHAPE("^height-field"), "a height-field is a shape in space; use a chain" PLANE);
}

static void shapes_need_their_keys(void) {
    refused(2, SHAPE("^disc"), "a disc needs a radius");
    refused(2, SHAPE("^polygon"), "a polygon needs vertices");
    refused(2, SHAPE("^chain"), "a chain needs vertices");
    refused(3, SHAPE("^sphere"), "a sphere needs a radius");
    refused(3, SHAPE("^box"), "a box needs a size");
    refused(2, SHAPE("^capsule, radius: 1"), "a capsule needs a length");
    refused(3, SHAPE("^cylinder, length: 1"), "a cylinder needs a radius");
    refused(3, SHAPE("^polyhedron"), "a polyhedron needs vertices, or a file");
    refused(3, SHAPE("^mesh"), "a mesh needs vertices and triangles, or a file");
    refused(3, SHAPE("^mesh, vertices: [[0, 0, 0], [1, 0, 0], [0, 1, 0]]"),
            "a mesh needs vertices and triangles, or a file");
    refused(3, SHAPE("^height-field, size: [1, 1]"), "a height-field needs heights");
    refused(3, SHAPE("^height-field, heights: [[0, 1], [1, 0]]"), "a height-field needs a size");
}

// each key where it does not belong
static void shapes_have_no_other_keys(void) {
    refused(2, SHAPE("point, radius: ^1"), "a point has no radius");
    refused(2, SHAPE("point, angle: ^1"), "a point has no angle");
    refused(2, SHAPE("disc, radius: 1, normal: ^[0, 1]"), "a disc has no normal");
    refused(2, SHAPE("half-plane, length: ^1"), "a half-plane has no length");
    refused(2, SHAPE("disc, radius: 1, size: ^[1, 1]"), "a disc has no size");
    refused(2, SHAPE("disc, radius: 1, vertices: ^[[1, 1]]"), "a disc has no vertices");
    refused(3, SHAPE("sphere, radius: 1, triangles: ^[[0, 1, 2]]"), "a sphere has no triangles");
    refused(3, SHAPE("sphere, radius: 1, heights: ^[[0, 1]]"), "a sphere has no heights");
    refused(3, SHAPE("sphere, radius: 1, file: ^a.obj"), "a sphere has no file");
    refused(3, SHAPE("sphere, radius: 1, scale: ^2"), "a sphere has no scale");
    refused(3, SHAPE("box, size: [1, 1, 1], radius: ^1"), "a box has no radius");
    refused(2, SHAPE("capsule, radius: 1, length: ^0"), "length must be positive, got 0 m");
    refused(2, SHAPE("box, size: [1, 1], axis: ^[0, 0, 1]"), "in the plane an angle needs no axis");
    refused(3, SHAPE("box, size: [1, 1, 1], angle: ^1"),
            "in space an angle needs an axis [x, y, z] to turn about");
}

static void shapes_have_the_right_counts(void) {
    refused(2, SHAPE("box, size: ^[1, 1, 1]"), "size of a box: expected 2 numbers, found 3");
    refused(3, SHAPE("box, size: ^[1, 1]"), "size of a box: expected 3 numbers, found 2");
    refused(3, SHAPE("box, size: [1, ^0, 1]"), "size must be positive, got 0 m");
    refused(3, SHAPE("height-field, size: ^[1, 1, 1], heights: [[0, 1], [1, 0]]"),
            "size of a height-field: expected 2 numbers, found 3");
    refused(3, SHAPE("height-field, size: [1, 1], heights: ^[[0, 1]]"),
            "a height-field needs at least 2 x 2 heights, found 1 x 2");
    refused(2, SHAPE("polygon, vertices: ^[[0, 0], [1, 0]]"),
            "a polygon needs at least 3 vertices, found 2");
    refused(2, SHAPE("chain, vertices: ^[[0, 0]]"), "a chain needs at least 2 vertices, found 1");
    refused(2, SHAPE("polygon, vertices: ^[[0, 0, 0], [1, 0, 0], [0, 1, 0]]"),
            "vertices of a polygon: expected 2 numbers in each row, found 3");
    refused(3, SHAPE("polyhedron, vertices: ^[[0, 0], [1, 0], [0, 1], [1, 1]]"),
            "vertices of a polyhedron: expected 3 numbers in each row, found 2");
#define CORNERS "vertices: [[0, 0, 0], [1, 0, 0], [0, 1, 0]], "
    refused(3, SHAPE("mesh, " CORNERS "triangles: ^[]"), "a mesh needs a triangle");
    refused(3, SHAPE("mesh, " CORNERS "triangles: ^[[0, 1]]"),
            "triangles of a mesh: expected 3 vertices in each, found 2");
    refused(3, SHAPE("mesh, " CORNERS "triangles: ^[[0, 1, 2], [0, 1, 3]]"),
            "triangle 2 has the vertex 3, but there are 0 to 2");
    refused(3, SHAPE("mesh, " CORNERS "triangles: ^[[0, 1, 1.5]]"),
            "triangle 1 has the vertex 1.5, but there are 0 to 2");
    refused(3, SHAPE("mesh, " CORNERS "triangles: [[0, 1, 2]], file: ^a.obj"),
            "a mesh comes from a file or from vertices, not from both");
    refused(2, SHAPE("half-plane, normal: ^[0, 0]"),
            "the normal of a half-plane must have a length");
    refused(3, SHAPE("plane, normal: ^[0, 0, 0]"), "the normal of a plane must have a length");
}

static void surfaces_do_not_move_freely(void) {
#define ADVICE(parts)                                           \
    " cannot be on body \"a\", which moves freely: take " parts \
    " for its convex parts, or "                                \
    "fixed: true, or a motion"
    refused(3, BODY(MASS "shapes: [{type: ^mesh, " CORNERS "triangles: [[0, 1, 2]]}]"),
            "a mesh" ADVICE("polyhedra"));
    refused(3,
            BODY(MASS "shapes: [{type: ^height-field, size: [1, 1], heights: [[0, 0], [0, 0]]}]"),
            "a height-field" ADVICE("polyhedra"));
    refused(2, BODY(MASS "shapes: [{type: ^chain, vertices: [[0, 0], [1, 0]]}]"),
            "a chain" ADVICE("polygons"));
}

#define TWO "bodies: [{name: a, fixed: true, group: g}, {name: b, fixed: true}]\n"

static void laws(void) {
    refused(2, TWO "laws: [{between: [a, ^h]}]", "between: there is no body or group \"h\"");
    refused(2, TWO "laws: [{between: ^[a]}]", "between: expected two names, found 1");
    refused(2, TWO "laws: [{rolling: ^0.1}]",
            "rolling is for bodies in space: leave it out, or write space: 3 at the top");
    refused(2, TWO "laws: [{friction_second: ^0.1}]",
            "friction_second is for bodies in space: leave it out, or write space: 3 at the top");
    refused(3, TWO "laws: [{friction_second: ^0.1}]",
            "friction_second needs grain, the direction in which friction holds");
    refused(3, TWO "laws: [{grain: ^[1, 0, 0]}]",
            "grain needs friction_second, the friction across it");
    refused(3, TWO "laws: [{friction_second: 0.1, grain: ^[0, 0, 0]}]",
            "grain is a direction [x, y, z] with a length");
    refused(3, TWO "laws: [{friction_second: 0.1, grain: ^[1, 0]}]",
            "grain is a direction [x, y, z] with a length");
    refused(2, TWO "laws: [{tangential_restitution: ^2}]",
            "tangential_restitution must be at least 0 and at most 1, got 2");
    refused(2, TWO "laws: [{cohesion: ^-1}]", "cohesion must not be negative, got -1 N");
    refused(3, TWO "laws: [{rolling: ^-1}]", "rolling must not be negative, got -1 m");
}

static void names(void) {
    refused(2, "bodies: [{name: a, fixed: true}, {name: ^a, fixed: true}]",
            "body \"a\" is there already, in line 3");
    refused(2, BODY("fixed: true, group: ^a"),
            "\"a\" is a body and a group (line 3): laws could not tell them apart");
    refused(2, BODY("fixed: true, group: ^any"), "a group cannot be called \"any\"");
    refused(2, "bodies: [{name: ^any, fixed: true}]", "a body cannot be called \"any\"");
    refused(2, TWO "laws: [{between: [^gg, a]}]",
            "between: there is no body or group \"gg\"; did you mean \"g\"?");
}

// --- generators ---------------------------------------------------------------------------------

#define DISC "body: {density: 1, shapes: [{type: disc, radius: 1}]}, "
#define BALL "body: {density: 1, shapes: [{type: sphere, radius: 1}]}, "
#define BRICK "body: {density: 1, shapes: [{type: box, size: [2, 1, 1]}]}, "
#define GEN(rest) "generate: [{name: g, " rest "}]"

static void generators_need_their_keys(void) {
    refused(
        2, "generate: [^{name: g, " DISC "count: 3}]",
        "generate[0] needs the key \"arrange\": How the bodies are placed; see the list above.");
    refused(2, GEN(DISC "arrange: ^heap, count: 3"),
            "arrange: \"heap\" is none of grid|hexagonal|random|wall|tower|each");
    refused(2, GEN(DISC "arrange: ^random, count: 3"), "a random packing needs a region");
    refused(2, GEN(DISC "arrange: grid, count: ^3"),
            "a grid count is a list of 2 numbers, one for each axis; found 1");
    refused(3, GEN(BALL "arrange: hexagonal, count: ^[3, 3]"),
            "a hexagonal count is a list of 3 numbers, one for each axis; found 2");
    refused(2, GEN(DISC "arrange: random, region: [[0, 0], [9, 9]], count: ^[3, 3]"),
            "the count of a random packing is one number, found 2");
    refused(3, GEN(BRICK "arrange: wall, count: ^5"),
            "the count of a wall is [bricks in a course, courses] or [bricks, courses, leaves], "
            "found 1 numbers");
    refused(3, GEN(BRICK "arrange: tower, count: ^[5, 5]"),
            "the count of a tower is one number, found 2");
    refused(2, GEN(DISC "arrange: grid, count: [2, ^0]"),
            "count must be at least 1 and at most 2.14748e+09, got 0");
    refused(2, GEN(DISC "arrange: grid, count: ^[2, 1.5]"), "count must be whole numbers, got 1.5");
    refused(2, GEN(DISC "arrange: grid, count: ^[100000, 100000]"),
            "the generator makes more bodies than can be counted");
    refused(2, "generate: ^[{name: g, " DISC "arrange: grid, count: [10000, 1001]}]",
            "the scene has 10010000 bodies, more than 10000000");
    refused(2, "generate: ^[]", "the list of bodies is empty");
    refused(2, "generate: [{name: g, arrange: grid, count: [1, 1], body: ^{shapes: []}}]",
            "the pattern needs mass and inertia, or density (or fixed: true)");
    refused(2, GEN("arrange: grid, count: [1, 1], body: {^name: a, fixed: true}"),
            "body has no key \"name\"; it may have group, fixed, mass, inertia, density, position, "
            "angle, axis, orientation, velocity, spin, force, motion, hold, born, deposit, "
            "removed, shapes");
}

static void bodies_by_number_are_read_one_by_one(void) {
    refused(2, GEN("arrange: each, count: ^[2, 2], body: {fixed: true}"),
            "the count of a list of each is one number, found 2");
    refused(2, GEN("arrange: each, count: 2, gap: ^1, body: {fixed: true}"),
            "arrange: each has no gap");
    refused(2, GEN(DISC "arrange: grid, count: [2, 2], let: ^{a: 1}"), "arrange: grid has no let");
    refused(2, GEN("arrange: each, count: 2, body: {mass: i, inertia: ^i - 1}"),
            "inertia must be positive, got 0 kg m^2");
    refused(2, GEN("arrange: each, count: 2, body: {fixed: true, position: [^j, 0]}"),
            "position: unknown name \"j\"");
    refused(2, GEN("arrange: each, count: ^i, body: {fixed: true}"),
            "count: unknown name \"i\", did you mean \"pi\"?");
    refused(2, "parameters: {i: 1}\n" GEN("arrange: each, count: 2, body: ^{fixed: true}"),
            "\"i\" is a name already: in arrange: each it is the number of the body");
    refused(2, GEN("arrange: each, count: 2, let: {a: 1, ^pi: 2}, body: {fixed: true}"),
            "\"pi\" cannot be a name: letters, digits and _ only, not pi or auto");
    refused(2, GEN("arrange: each, count: 2, let: ^[a], body: {fixed: true}"),
            "let: expected a map of names and numbers, found a list");
}

static void generators_have_no_other_keys(void) {
    refused(2, GEN(DISC "arrange: grid, count: [1, 1], region: ^[[0, 0], [1, 1]]"),
            "arrange: grid has no region");
    refused(2, GEN(DISC "arrange: grid, count: [1, 1], per_level: ^3"),
            "arrange: grid has no per_level");
#define BOX2 "[[0, 0], [9, 9]]"
    refused(2, GEN(DISC "arrange: random, count: 1, region: " BOX2 ", spacing: ^3"),
            "arrange: random has no spacing");
    refused(2, GEN(DISC "arrange: random, count: 1, region: " BOX2 ", origin: ^[0, 0]"),
            "arrange: random has no origin");
    refused(2, GEN(DISC "arrange: random, count: 1, region: " BOX2 ", jitter: ^3"),
            "arrange: random has no jitter");
    refused(3, GEN(BRICK "arrange: wall, count: [2, 2], turn: ^random"),
            "arrange: wall has no turn");
    refused(3, GEN(BRICK "arrange: tower, count: 2, seed: ^3"), "arrange: tower has no seed");
    refused(3, GEN(BRICK "arrange: tower, count: 2, radius: ^3"), "arrange: tower has no radius");
}

static void generators_have_values_that_fit(void) {
    refused(2, GEN(DISC "arrange: random, count: 1, region: ^[[0, 0]]"),
            "a region is two corners of 2 numbers, found 1 x 2");
    refused(2, GEN(DISC "arrange: random, count: 1, region: ^[[0, 5], [1, 5]]"),
            "the low corner of the region must be below the high one: 5, 5");
    refused(2, GEN(DISC "arrange: grid, count: [1, 1], radius: ^[1, 2, 3]"),
            "radius is one number, or [least, greatest]; found 3");
    refused(2, GEN(DISC "arrange: grid, count: [1, 1], radius: ^[2, 1]"),
            "the least radius 2 is above the greatest, 1");
    refused(2, GEN(DISC "arrange: grid, count: [1, 1], sizes: ^uniform"),
            "sizes needs radius: [least, greatest]");
    refused(2,
            GEN("body: {mass: 1, inertia: 1, shapes: [{type: disc, radius: 1}]}, arrange: grid, "
                "count: [1, 1], radius: ^1"),
            "bodies of a given radius need density in place of mass and inertia");
    refused(2, GEN(DISC "arrange: grid, count: [1, 1], spacing: ^[1, 2, 3]"),
            "spacing is one number or one for each axis, found 3");
    refused(2, GEN(DISC "arrange: hexagonal, count: [1, 1], spacing: ^[1, 2]"),
            "spacing is one number, found 2");
    refused(2,
            "generate: [{name: ^g, body: {fixed: true, shapes: [{type: half-plane}]}, arrange: "
            "grid, count: [2, 2]}]",
            "g: the bodies have no end: give spacing");
    refused(2,
            "generate: [{name: ^g, body: {fixed: true, shapes: [{type: point}]}, arrange: grid, "
            "count: [2, 2], radius: 1}]",
            "g: only bodies of a size can be scaled to a radius");
    refused(2,
            "generate: [{name: ^g, body: {fixed: true}, arrange: random, count: 2, region: " BOX2
            "}]",
            "g: only bodies of a size can be placed at random");
    refused(
        2, "generate: [{name: ^g, " DISC "arrange: random, count: 4, region: [[0, 0], [1, 9]]}]",
        "the region is full: 0 of 4 bodies could be placed at random, and their balls fill 0 of "
        "it; make it larger, or the bodies fewer or smaller");
    refused(2,
            "generate: [{name: ^g, " DISC
            "arrange: random, count: 4, region: [[-1e308, 0], [1e308, 9]]}]",
            "the region has no end");
}

// how many fit is up to chance, but told
static void a_full_region_says_how_many(void) {
    scene_case c = open_case("scheme: {step: 1, duration: 1}\n" GEN(
        DISC "arrange: random, count: 40, region: [[0, 0], [9, 9]]"));
    int placed = -1, wanted = -1;
    double part = -1;
    CHECK_INT(c.findings.count, 1);
    if (c.findings.count)
        sscanf(
            c.findings.item[0].text,
            "the region is full: %d of %d bodies could be placed at random, and their balls fill "
            "%lg",
            &placed, &wanted, &part);
    CHECK(placed > 8 && placed < 17);
    CHECK_INT(wanted, 40);
    CHECK_NEAR(part, placed * 3.14159265 / 81, 1e-3);
    close_case(&c);
}

static void bricks(void) {
    refused(2,
            GEN("arrange: wall, count: [1, 1], body: ^{density: 1, shapes: [{type: disc, radius: "
                "1}]}"),
            "a wall is built of a body with one shape, a box");
    refused(3,
            GEN("arrange: wall, count: [1, 1], body: ^{mass: 1, inertia: 1, shapes: [{type: box, "
                "size: [2, 1, 1]}]}"),
            "a wall has half bricks too: give density in place of mass and inertia");
    refused(3,
            GEN("arrange: wall, count: [1, 1], body: {density: 1, shapes: [^{type: box, at: [0, "
                "0, 1], size: [2, 1, 1]}]}"),
            "the box of a wall sits at the origin of its body and is not turned");
    refused(3,
            GEN("arrange: tower, count: 2, body: {orientation: ^[1, 1, 0, 0], density: 1, shapes: "
                "[{type: box, size: [2, 1, 1]}]}"),
            "the bodies of a tower are turned by it alone: leave out orientation");
    refused(3, GEN(BRICK "arrange: tower, count: 2, per_level: ^3"),
            "3 planks of width 1 do not fit on a level of width 2");
    refused(2,
            GEN("body: {density: 1, shapes: [{type: box, size: [2, 1]}]}, arrange: ^tower, count: "
                "2"),
            "a tower is built in space; in the plane take a grid or a wall");
    refused(3, "generate: [{name: ^g, " BRICK "arrange: wall, count: [2, 2], gap: 2}]",
            "g: the gap is wider than a brick");
}

static void generated_names(void) {
#define GRID(name) "{name: " name ", " DISC "arrange: grid, count: [2, 2]}"
    refused(2, "generate: [" GRID("g") ", " GRID("^g") "]",
            "bodies called \"g\" are generated already, in line 3");
    refused(2, "bodies: [{name: ^g-3, fixed: true}]\ngenerate: [" GRID("g") "]",
            "a body cannot be called \"g-3\", which the generator in line 4 makes");
    refused(2, "generate: [" GRID("g") ", " GRID("^g-4") "]",
            "a group cannot be called \"g-4\", which the generator in line 3 makes");
    refused(2, "bodies: [{name: g, fixed: true}]\ngenerate: [" GRID("^g") "]",
            "\"g\" is a body and a group (line 3): laws could not tell them apart");
    refused(2, "generate: [" GRID("g") "]\nlaws: [{between: [^g-5, any]}]",
            "between: there is no body or group \"g-5\"");
    refused(2, "generate: [" GRID("g") "]\nlaws: [{between: [^g-01, any]}]",
            "between: there is no body or group \"g-01\"");
    refused(2, "generate: [" GRID("^any") "]", "a group cannot be called \"any\"");
}

static void options(void) {
    const char *body = "bodies: [{name: a, fixed: true}]\n";
    char text[400];
    snprintf(text, sizeof text, "%ssolver: {threads: ^-1}", body);
    refused(2, text, "threads must be at least 0 and at most 1024, got -1");
    snprintf(text, sizeof text, "%ssolver: {threads: ^2000000000}", body);
    refused(2, text, "threads must be at least 0 and at most 1024, got 2e+09");
    snprintf(text, sizeof text, "%ssolver: {sweeps: ^50}", body);
    refused(2, text, "sweeps is for mode: flow; in the mode exact the limit is max_sweeps");
    snprintf(text, sizeof text, "%ssolver: {mode: flow, unconverged: ^stop}", body);
    refused(2, text,
            "unconverged is for mode: exact; in the mode flow a step has its sweeps and is "
            "accepted: leave it out");
    snprintf(text, sizeof text, "%soutput: {precision: ^half}", body);
    refused(2, text, "precision: \"half\" is none of double|single");
    snprintf(text, sizeof text, "%soutput: {compression: ^10}", body);
    refused(2, text, "compression must be at least 0 and at most 9, got 10");
}

static void refused_scheme(const char *rest, const char *message) {
    char text[400];
    int line, column;
    snprintf(text, sizeof text,
             "bodies: [{name: a, fixed: true}]\nscheme: {step: 1, duration: 1, name: moreau, %s}",
             rest);
    take_mark(text, &line, &column);
    scene_case c = open_case(text);
    CHECK_INT(c.findings.count, 1);
    if (c.findings.count) {
        CHECK_TEXT(c.findings.item[0].text, message);
        CHECK(c.findings.item[0].line == line && c.findings.item[0].column == column);
    }
    close_case(&c);
}

static void the_scheme_moreau(void) {
    refused_scheme("theta: ^0.6", "moreau is a midpoint scheme: theta is 1/2, got 0.6");
    refused_scheme("activation: ^half", "the scheme moreau has its own activation: leave it out");
    refused_scheme("approach: ^auto", "the scheme moreau has its own approach: leave it out");
    refused_scheme("jacobian: ^start", "the scheme moreau has its own jacobian: leave it out");
}

static void files(void) {
    refused(3, SHAPE("mesh, file: ^no/such.obj"),
            "no/such.obj: cannot be read: No such file or directory");
}

TEST_FILE(test_refusals) {
    TEST(vectors_have_as_many_numbers_as_space);
    TEST(space_is_two_or_three);
    TEST(space_is_for_bodies);
    TEST(inertia_is_that_of_a_body);
    TEST(mass_is_given_once);
    TEST(orientation_is_given_once);
    TEST(start_fits_the_body);
    TEST(motions);
    TEST(shapes_of_the_other_space);
    TEST(shapes_need_their_keys);
    TEST(shapes_have_no_other_keys);
    TEST(shapes_have_the_right_counts);
    TEST(surfaces_do_not_move_freely);
    TEST(laws);
    TEST(names);
    TEST(generators_need_their_keys);
    TEST(bodies_by_number_are_read_one_by_one);
    TEST(generators_have_no_other_keys);
    TEST(generators_have_values_that_fit);
    TEST(a_full_region_says_how_many);
    TEST(bricks);
    TEST(generated_names);
    TEST(options);
    TEST(the_scheme_moreau);
    TEST(files);
    return harness_end();
}
