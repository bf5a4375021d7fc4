// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// test_elastic.c - elastic bodies in scenes: what is written stands in the model, every mistake has
// its place and its sentence, and gmsh is run where it is installed.

#define _XOPEN_SOURCE 700

#include <sys/stat.h>
#include <unistd.h>

#include "scene_case.h"
#include "scree/fem.h"

#define MATERIAL "density: 2, young: 100, poisson: 0.3, "
#define ELASTIC(rest) "elastic: [{name: a, " rest "}]\n"
#define PLATE "mesh: {rectangle: {size: [2, 1], cells: [2, 1]}}, "
#define BRICK "mesh: {box: {size: [1, 1, 1], cells: [1, 1, 1]}}, "
#define BODY2(rest) ELASTIC(PLATE MATERIAL rest)
#define BODY3(rest) ELASTIC(BRICK MATERIAL rest)
#define MESH(rest) ELASTIC(MATERIAL "mesh: " rest)

// --- what is written is what stands in the model ------------------------------------------------

static void values_arrive(void) {
    scene_case c = taken(2, BODY2("plane: stress, thickness: 3, mass: lumped, damping: {mass: 5, "
                                  "stiffness: 6}, velocity: [7, 8]"));
    CHECK(c.model && c.model->elastics == 1 && c.model->bodies == 0);
    if (c.model && c.model->elastics == 1) {
        const scree_elastic_body *body = c.model->elastic;
        const scree_material *material = &body->material;
        CHECK_TEXT(body->name, "a");
        CHECK(material->young == 100 && material->poisson == 0.3 && material->density == 2);
        CHECK(material->thickness == 3 && material->plane_stress && material->lumped);
        CHECK(material->damping_mass == 5 && material->damping_stiffness == 6);
        CHECK_INT(body->mesh.nodes, 6);
        CHECK_INT(body->mesh.elements, 2);
        CHECK_INT(body->mesh.kind[0], SCREE_Q4);
        CHECK_INT(body->contact_nodes, 6);
        CHECK_INT(body->free, 12);
        CHECK_INT(body->group, 0);
    }
    close_case(&c);
}

static void defaults_are_those_of_the_schema(void) {
    scene_case c = taken(2, BODY2());
    if (c.model) {
        const scree_material *material = &c.model->elastic[0].material;
        CHECK(material->thickness == 1 && !material->plane_stress && !material->lumped);
        CHECK(material->damping_mass == 0 && material->damping_stiffness == 0);
        CHECK_INT(c.model->elastic[0].self_nodes, 0);
    }
    close_case(&c);
}

// number of elements, kind and the first node of a mesh
static void check_mesh(int space, const char *text, int elements, scree_element kind, double x,
                       double y, double z) {
    scene_case c = taken(space, text);
    if (c.model) {
        const scree_mesh *mesh = &c.model->elastic[0].mesh;
        double first[3] = { x, y, z }, low[3] = { INFINITY, INFINITY, INFINITY };
        CHECK_INT(mesh->elements, elements);
        CHECK_INT(mesh->kind[0], kind);
        for (int i = 0; i < mesh->nodes * space; i++)
            low[i % space] = fmin(low[i % space], mesh->node[i]);
        for (int k = 0; k < space; k++) CHECK_NEAR(low[k], first[k], 1e-14);
    }
    close_case(&c);
}

static void meshes_are_made(void) {
    check_mesh(2, MESH("{rectangle: {size: [4, 3], cells: [4, 3], at: [1, 2], elements: T3}}"), 24,
               SCREE_T3, 1, 2, 0);
    check_mesh(2, MESH("{rectangle: {size: [4, 3], cells: [4, 3]}}"), 12, SCREE_Q4, 0, 0, 0);
    check_mesh(3, MESH("{box: {size: [1, 2, 3], cells: [1, 2, 3], at: [4, 5, 6]}}"), 6, SCREE_H8, 4,
               5, 6);
    check_mesh(3, MESH("{box: {size: [1, 2, 3], cells: [1, 2, 3], elements: T4}}"), 36, SCREE_T4, 0,
               0, 0);
    check_mesh(2, MESH("{disc: {radius: 2, cells: 4, at: [1, 1], elements: T3}}"), 32, SCREE_T3, -1,
               -1, 0);
}

static void diagonals_differ(void) {
    static const char *const word[] = { "right", "left", "alternate" };
    static const int corner[] = { 4, 3, 4 };  // of the first cell: who shares node 0's triangles?
    for (int i = 0; i < 3; i++) {
        char text[300];
        snprintf(text, sizeof text,
                 MESH("{rectangle: {size: [2, 2], cells: [2, 2], elements: T3, diagonal: %s}}"),
                 word[i]);
        scene_case c = taken(2, text);
        if (c.model) {
            const scree_mesh *mesh = &c.model->elastic[0].mesh;
            int with_zero = 0;
            for (int e = 0; e < mesh->elements; e++)
                for (int k = mesh->first[e]; k < mesh->first[e + 1]; k++)
                    with_zero += mesh->corner[k] == 0;
            // a diagonal through the corner gives it two triangles
            CHECK_INT(with_zero, corner[i] == 4 ? 2 : 1);
        }
        close_case(&c);
    }
}

static void contact_is_where_it_is_said(void) {
    scene_case c = taken(2, BODY2("contact: [bottom]"));
    if (c.model) {
        CHECK_INT(c.model->elastic[0].contact_nodes, 3);
        CHECK_INT(c.model->elastic[0].contact_facets, 2);
    }
    close_case(&c);
    c = taken(2, BODY2("contact: [left, right]"));
    if (c.model) CHECK_INT(c.model->elastic[0].contact_nodes, 4);
    close_case(&c);
    c = taken(2, BODY2("contact: []"));
    if (c.model) CHECK_INT(c.model->elastic[0].contact_nodes, 0);
    close_case(&c);
    c = taken(2, BODY2("self: {nodes: left, facets: right}"));
    if (c.model) {
        CHECK_INT(c.model->elastic[0].self_nodes, 2);
        CHECK_INT(c.model->elastic[0].self_facets, 1);
    }
    close_case(&c);
}

static void holds_take_away_freedom(void) {
    scene_case c = taken(2, BODY2("held: [{on: left, x: 0, y: 0}, {on: right, x: sin(t)}]"));
    if (c.model) CHECK_INT(c.model->elastic[0].free, 12 - 6);
    close_case(&c);
    // corners belong to two groups; the same value, or the same arithmetic, is no contradiction
    c = taken(2, BODY2("held: [{on: left, x: 0, y: sin(t)}, {on: bottom, y: sin(t), x: 0}]"));
    if (c.model) CHECK_INT(c.model->elastic[0].free, 12 - 8);
    close_case(&c);
    c = taken(3, BODY3("held: [{on: bottom, z: 0}, {on: left, x: 0*t}]"));
    if (c.model) CHECK_INT(c.model->elastic[0].free, 24 - 8);
    close_case(&c);
}

static void laws_know_elastic_bodies(void) {
    scene_case c =
        taken(2,
              "bodies: [{name: floor, fixed: true}, {name: wall, fixed: true, group: g}]\n"
              "elastic:\n  - {name: a, " PLATE MATERIAL "}\n  - {name: b, group: g, " PLATE MATERIAL
              "}\n"
              "laws:\n  - {friction: 0.1}\n  - {between: [a, floor], friction: 0.2}\n"
              "  - {between: [a, b], friction: 0.3}\n  - {between: [g, wall], friction: 0.4}\n");
    if (c.model) {
        CHECK(scree_model_law(c.model, 2, 0)->friction == 0.2);
        CHECK(scree_model_law(c.model, 3, 0)->friction == 0.1);
        CHECK(scree_model_law(c.model, 2, 3)->friction == 0.3);
        CHECK(scree_model_law(c.model, 3, 1)->friction == 0.4);
        CHECK_INT(c.model->elastic[1].group, 1);
    }
    close_case(&c);
}

static scree_simulation *begin(const char *text) {
    scree_findings findings = { 0 };
    char whole[1000];
    snprintf(whole, sizeof whole, "scheme: {step: 1, duration: 1}\n%s", text);
    scree_simulation *simulation =
        scree_simulation_parse("scene", whole, strlen(whole), NULL, 0, &findings);
    for (int i = 0; i < findings.count; i++) COMPLAIN("%s", findings.item[i].text);
    CHECK(simulation);
    scree_findings_free(&findings);
    return simulation;
}

#define COLUMN \
    "mesh: {rectangle: {size: [1, 2], cells: [1, 2]}}, density: 3, young: 100, poisson: 0, "
#define FLOOR "bodies: [{name: floor, fixed: true}]\n"

// without contraction across, y is all there is: u = -0.1 y under a pressed top, and
// u = -(rho g / E) (2 - y / 2) y under its own weight, exact at the nodes
static void starts_are_static_states(void) {
    scree_simulation *simulation =
        begin("gravity: [0, -10]\n" FLOOR ELASTIC(
            COLUMN "held: [{on: top, y: -0.2}], start: {gravity: false, held: [{on: top, y: -0.2}, "
                   "{on: bottom, x: 0, y: 0}]}"));
    const double *q = simulation ? scree_simulation_state(simulation)->q + 3 : NULL;
    for (int n = 0; q && n < 6; n++) CHECK_NEAR(q[2 * n + 1], -0.1 * (n / 2), 1e-14);
    scree_simulation_free(simulation);
    simulation = begin(
        "gravity: [0, -10]\n" FLOOR ELASTIC(COLUMN "start: {held: [{on: bottom, x: 0, y: 0}]}"));
    q = simulation ? scree_simulation_state(simulation)->q + 3 : NULL;
    for (int n = 0; q && n < 6; n++) {
        double y = n / 2;
        CHECK_NEAR(q[2 * n + 1], -0.3 * (2 - y / 2) * y, 1e-14);
    }
    scree_simulation_free(simulation);
    simulation = begin(FLOOR ELASTIC(
        COLUMN "start: {held: [{on: bottom, x: 0, y: 0}], loads: [{on: top, pressure: 5 + t}]}"));
    q = simulation ? scree_simulation_state(simulation)->q + 3 : NULL;
    for (int n = 0; q && n < 6; n++) CHECK_NEAR(q[2 * n + 1], -0.05 * (n / 2), 1e-14);
    scree_simulation_free(simulation);
}

// free fall: all nodes move alike, and gravity does the work
static void elastic_bodies_need_no_rigid_ones(void) {
    scree_error err = { 0 };
    scree_simulation *simulation = begin("gravity: [0, -10]\n" ELASTIC(COLUMN "velocity: [1, 2]"));
    if (simulation && scree_simulation_step(simulation, &err)) COMPLAIN("%s", err.text);
    const double *v = simulation ? scree_simulation_state(simulation)->v : NULL;
    for (int n = 0; v && n < 6; n++) {
        CHECK_NEAR(v[2 * n], 1, 1e-12);
        CHECK_NEAR(v[2 * n + 1], -8, 1e-12);
    }
    scree_simulation_free(simulation);
}

static void forces_are_functions(void) {
    scene_case c = taken(2, BODY2("force: [0, 2*t], loads: [{on: left, traction: [t, 0]}, {on: "
                                  "top, pressure: 3}]"));
    CHECK(c.model && c.model->has_loads);
    close_case(&c);
}

// --- refusals -----------------------------------------------------------------------------------

static void meshes_are_one_of_five(void) {
    refused(2, MESH("^{}"),
            "a mesh is one of rectangle, box, disc, file and geo; this one is none");
    refused(2, MESH("{disc: {radius: 1, cells: 2}, file: ^a.msh}"),
            "a mesh is one of rectangle, box, disc, file and geo; this one is disc and file");
    refused(2, MESH("{box: ^{size: [1, 1, 1], cells: [1, 1, 1], at: [0, 0]}}"),
            "a box is a mesh in space: take a rectangle, or write space: 3 at the top");
    refused(3, MESH("{rectangle: ^{size: [1, 1], cells: [1, 1]}}"),
            "a rectangle is a mesh in the plane: take a box, or leave out space: 3");
    refused(2, MESH("{rectangle: {size: [1, 1], cells: [1, 1]}, scale: ^2}"),
            "scale is for a mesh from a file or geo");
    refused(2, MESH("{file: a.msh, size: ^2}"), "size is for a mesh that gmsh makes of a geo");
    refused(2, "elastic: [^{name: a, density: 1, young: 1, poisson: 0}]",
            "elastic[0] needs the key \"mesh\": What the body is made of: one of rectangle, box, "
            "disc, file and geo.");
}

static void grids_fit_their_space(void) {
    refused(2, MESH("{rectangle: {size: ^[1, 1, 1], cells: [1, 1]}}"),
            "size is a list of 2 lengths, one for each axis; found 3");
    refused(3, MESH("{box: {size: [1, 1, 1], cells: ^[2, 2]}}"),
            "cells is a list of 3 numbers, one for each axis; found 2");
    refused(2, MESH("{rectangle: {size: [1, 1], cells: ^[1, 1.5]}}"),
            "cells must be whole numbers, got 1.5");
    refused(2, MESH("{rectangle: {size: [1, 1], cells: [1, ^0]}}"),
            "cells must be at least 1 and at most 2.14748e+09, got 0");
    refused(2, MESH("{rectangle: {size: [1, 1], cells: ^[1e6, 1e6]}}"),
            "the mesh would have 1e+12 nodes, more than can be counted");
    refused(3, MESH("{box: {size: [1, 1, 1], cells: [1, 1, 1], elements: ^T3}}"),
            "elements: \"T3\" is none of T4|H8|T10|H20; did you mean \"T4\"?");
    refused(2, MESH("{rectangle: {size: [1, ^0], cells: [1, 1]}}"),
            "size must be positive, got 0 m");
    refused(2, MESH("{disc: {radius: 1, cells: ^2.5}}"), "cells must be a whole number, got 2.5");
}

static void materials_are_possible(void) {
    refused(2, ELASTIC(PLATE "density: 1, young: 1, poisson: ^0.5"),
            "\"a\": poisson must be below 1/2; at 1/2 the volume cannot change, which these "
            "elements cannot do");
    refused(2, ELASTIC(PLATE "density: 1, young: 1, poisson: ^0.6"),
            "poisson must be above -1 and at most 0.5, got 0.6");
    refused(2, ELASTIC(PLATE "density: 1, young: 1, poisson: ^-1"),
            "poisson must be above -1 and at most 0.5, got -1");
    refused(2, ELASTIC(PLATE "density: 1, young: ^0, poisson: 0"),
            "young must be positive, got 0 Pa");
    refused(2, ELASTIC(PLATE "density: ^-1, young: 1, poisson: 0"),
            "density must be positive, got -1 kg/m^3");
    refused(2, BODY2("thickness: ^0"), "thickness must be positive, got 0 m");
    refused(3, BODY3("thickness: ^2"), "\"a\": thickness is for bodies in the plane: leave it out");
    refused(3, BODY3("plane: ^stress"), "\"a\": plane is for bodies in the plane: leave it out");
    refused(2, BODY2("mass: ^lumpd"),
            "mass: \"lumpd\" is none of consistent|lumped; did you mean \"lumped\"?");
    refused(2, BODY2("damping: {stiffness: ^-1}"), "stiffness must not be negative, got -1 s");
    refused(2, BODY2("^yuong: 3"), "elastic[0] has no key \"yuong\"; did you mean \"young\"?");
}

static void conditions_have_axes(void) {
    refused(2, BODY2("held: [{on: top, z: ^0}]"), "\"a\": in the plane there is no z to hold");
    refused(2, BODY2("held: [^{on: top}]"),
            "\"a\": say which displacements are held: x, y or both");
    refused(3, BODY3("start: {held: [^{on: top}]}"),
            "\"a\": say which displacements are held: x, y or z");
    refused(2, BODY2("held: [^{y: 0}]"),
            "held[0] needs the key \"group\": A group of the mesh, or boundary.");
    refused(2, BODY2("loads: [^{on: top}]"),
            "\"a\": a load is either a traction or a pressure; this one is neither");
    refused(2, BODY2("loads: [^{on: top, traction: [1, 0], pressure: 1}]"),
            "\"a\": a load is either a traction or a pressure; this one is both");
    refused(2, BODY2("loads: [{on: top, traction: ^[1, 0, 0]}]"),
            "\"a\": traction is [x, y], found 3 numbers");
    refused(3, BODY3("start: {loads: [{on: top, traction: ^[1, 0]}]}"),
            "\"a\": traction is [x, y, z], found 2 numbers");
    refused(3, BODY3("force: ^[1, 0]"), "\"a\": force is [x, y, z], found 2 numbers");
    refused(2, BODY2("velocity: ^[1]"), "velocity: expected two numbers [x, y], found 1");
    refused(2, BODY2("held: [{on: top, y: ^sni(t)}]"),
            "y: unknown function \"sni\", did you mean \"sin\"?");
}

static void groups_are_in_the_mesh(void) {
    refused(2, BODY2("held: [{on: ^botom, y: 0}]"),
            "the mesh has no group \"botom\" (did you mean \"bottom\"?); it has left, right, "
            "bottom, top, boundary");
    refused(2, BODY2("loads: [{on: ^front, pressure: 0}]"),
            "the mesh has no group \"front\"; it has left, right, bottom, top, boundary");
    refused(3, BODY3("start: {held: [{on: ^middle, y: 0}]}"),
            "the mesh has no group \"middle\"; it has left, right, front, back, bottom, top, "
            "boundary");
    refused(2, BODY2("start: {loads: [{on: ^tops, pressure: 0}], held: [{on: left, x: 0, y: 0}]}"),
            "the mesh has no group \"tops\" (did you mean \"top\"?); it has left, right, bottom, "
            "top, boundary");
    refused(2, BODY2("contact: [left, ^rihgt]"),
            "the mesh has no group \"rihgt\" (did you mean \"right\"?); it has left, right, "
            "bottom, top, boundary");
    refused(2, BODY2("self: {nodes: left, facets: ^rigth}"),
            "the mesh has no group \"rigth\" (did you mean \"right\"?); it has left, right, "
            "bottom, top, boundary");
    refused(2, MESH("{disc: {radius: 1, cells: 2}}, contact: [^top]"),
            "the mesh has no group \"top\"; it has boundary");
}

static void nodes_are_in_one_place(void) {
    refused(2, BODY2("held: [{on: left, y: 0}, {on: top, y: ^0.1}]"),
            "the node at (0, 1) belongs to \"left\" too, where y is held at another value (line "
            "3)");
    refused(2, BODY2("held: [{on: left, y: 0, x: 0}, {on: top, y: ^sin(t)}]"),
            "the node at (0, 1) belongs to \"left\" too, where y is held at another value (line "
            "3)");
    refused(3, BODY3("start: {held: [{on: left, x: 0, z: 1}, {on: back, z: ^0}]}"),
            "the node at (0, 1, 0) belongs to \"left\" too, where z is held at another value (line "
            "3)");
}

static void names_are_used_once(void) {
    refused(2, "elastic:\n  - {name: a, " PLATE MATERIAL "}\n  - {name: ^a, " PLATE MATERIAL "}\n",
            "body \"a\" is there already, in line 4");
    refused(2, "bodies: [{name: a, fixed: true}]\nelastic: [{name: ^a, " PLATE MATERIAL "}]\n",
            "body \"a\" is there already, in line 3");
    refused(2, "elastic: [{name: ^any, " PLATE MATERIAL "}]\n", "a body cannot be called \"any\"");
    refused(2, "elastic: [{name: a, group: ^a, " PLATE MATERIAL "}]\n",
            "\"a\" is a body and a group (line 3): laws could not tell them apart");
    refused(2, BODY2("") "laws: [{between: [^aa, any]}]\n",
            "between: there is no body or group \"aa\"; did you mean \"a\"?");
}

static void elastic_bodies_are_the_scene_or_not(void) {
    refused(2, "elastic: ^[]\n", "the list of elastic bodies is empty");
    refused(2, "elastic: ^{}\n",
            "elastic: expected a list (each entry begins with \"- \"), found a map");
}

static void starts_are_held(void) {
    scene_case c = open_case("scheme: {step: 1, duration: 1}\n" BODY2("start: {gravity: true}"));
    CHECK_INT(c.findings.count, 1);
    if (c.findings.count) CHECK_INT(c.findings.item[0].line, 2);
    CHECK(!c.model);
    close_case(&c);
    c = open_case("scheme: {step: 1, duration: 1}\n" BODY2("held: [{on: top, y: 1}]"));
    CHECK_INT(c.findings.count, 1);
    close_case(&c);
}

// --- files --------------------------------------------------------------------------------------

static char folder[200];

static void write_file(const char *name, const char *text) {
    char path[300];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "wb");
    CHECK(file && fputs(text, file) >= 0);
    if (file) fclose(file);
}

// the inode number of a file, 0 if there is none: a file that is made anew has another one
static unsigned long number_of(const char *name) {
    char path[300];
    struct stat about;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return stat(path, &about) == 0 ? (unsigned long)about.st_ino : 0;
}

// a scene in the folder, with this mesh
static scene_case open_there(const char *mesh) {
    char text[1000], name[300];
    snprintf(name, sizeof name, "%s/scene.yaml", folder);
    snprintf(text, sizeof text, "scheme: {step: 1, duration: 1}\n" MESH("%s"), mesh);
    scene_case c = { 0 };
    c.scene = scree_scene_parse(name, text, strlen(text), NULL, 0, &c.findings);
    if (c.scene && !c.findings.count) c.model = scree_model_from_scene(c.scene, &c.findings);
    return c;
}

// the one finding begins with the folder and goes on with this
static void refused_there(const char *mesh, const char *message) {
    scene_case c = open_there(mesh);
    CHECK(!c.model);
    CHECK_INT(c.findings.count, 1);
    if (c.findings.count) {
        const char *text = c.findings.item[0].text;
        size_t skip = strlen(folder) + 1;
        if (strlen(text) < skip || strncmp(text + skip, message, strlen(message)) != 0)
            COMPLAIN("%s, expected %s", text, message);
        CHECK_INT(c.findings.item[0].line, 2);
    }
    close_case(&c);
}

static const char *const triangle_file =
    "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n2\n1 1 \"foot\"\n2 2 \"all\"\n"
    "$EndPhysicalNames\n$Nodes\n3\n1 0 0 0\n2 1 0 0\n3 0 1 0\n$EndNodes\n$Elements\n2\n"
    "1 1 2 1 1 1 2\n2 2 2 2 1 1 2 3\n$EndElements\n";

static void files_are_beside_the_scene(void) {
    write_file("triangle.msh", triangle_file);
    scene_case c = open_there("{file: triangle.msh, scale: 2}, contact: [foot]");
    for (int i = 0; i < c.findings.count; i++) COMPLAIN("%s", c.findings.item[i].text);
    if (c.model) {
        CHECK_INT(c.model->elastic[0].mesh.elements, 1);
        CHECK_INT(c.model->elastic[0].contact_nodes, 2);
        CHECK_NEAR(c.model->elastic[0].mesh.node[2], 2, 0);
    }
    close_case(&c);
    refused_there("{file: none.msh}", "none.msh: ");
    refused_there("{geo: none.geo}", "none.geo: cannot be opened: No such file or directory");
    refused_there("{geo: .}", ".: is no file");
}

static const char *const square_script =
    "Point(1) = {0, 0, 0, 1}; Point(2) = {1, 0, 0, 1}; Point(3) = {1, 1, 0, 1};\n"
    "Point(4) = {0, 1, 0, 1}; Line(1) = {1, 2}; Line(2) = {2, 3}; Line(3) = {3, 4};\n"
    "Line(4) = {4, 1}; Curve Loop(1) = {1, 2, 3, 4}; Plane Surface(1) = {1};\n"
    "Physical Curve(\"foot\") = {1}; Physical Surface(\"all\") = {1};\n";

static void without_gmsh_it_says_so(void) {
    char *path = getenv("PATH"), *kept = strdup(path ? path : "");
    write_file("square.geo", square_script);
    setenv("PATH", folder, 1);
    refused_there("{geo: square.geo}",
                  "square.geo: the program gmsh is not installed: install it, "
                  "or make the mesh elsewhere and give it by the key file");
    setenv("PATH", kept ? kept : "", 1);
    free(kept);
    CHECK_INT(number_of("square.geo.msh"), 0);
}

static int elements_of(const char *mesh) {
    scene_case c = open_there(mesh);
    for (int i = 0; i < c.findings.count; i++) COMPLAIN("%s", c.findings.item[i].text);
    int elements = c.model ? c.model->elastic[0].mesh.elements : 0;
    close_case(&c);
    return elements;
}

static void gmsh_makes_meshes_and_keeps_them(void) {
    if (system("gmsh --version >/dev/null 2>&1") != 0) {
        printf("SKIPPED meshes of .geo scripts: the program gmsh is not installed\n");
        return;
    }
    write_file("square.geo", square_script);
    int coarse = elements_of("{geo: square.geo}, contact: [foot]");
    unsigned long first = number_of("square.geo.msh");
    CHECK(coarse > 0 && first);
    CHECK_INT(elements_of("{geo: square.geo}"), coarse);
    CHECK_INT(number_of("square.geo.msh"), first);  // not made again

    CHECK(elements_of("{geo: square.geo, size: 0.1}") > 10 * coarse);
    CHECK_INT(elements_of("{geo: square.geo}"), coarse);
    write_file("square.geo", "Mesh.RecombineAll = 1;\n");
    refused_there("{geo: square.geo}", "square.geo.msh:10: the file ends without");  // no surface
    write_file("square.geo", "Point(1) = nonsense\n");
    refused_there("{geo: square.geo}", "square.geo: gmsh could not make a mesh of it: Error   : ");
}

static void clean_up(void) {
    static const char *const name[] = { "triangle.msh", "square.geo", "square.geo.msh" };
    for (int i = 0; i < 3; i++) {
        char path[300];
        snprintf(path, sizeof path, "%s/%s", folder, name[i]);
        remove(path);
    }
    CHECK(rmdir(folder) == 0);  // nothing else is left
}

TEST_FILE(test_elastic) {
    const char *temporary = getenv("TMPDIR");
    snprintf(folder, sizeof folder, "%.150s/scree-elastic-XXXXXX", temporary ? temporary : "/tmp");
    if (!mkdtemp(folder)) return 2;
    TEST(values_arrive);
    TEST(defaults_are_those_of_the_schema);
    TEST(meshes_are_made);
    TEST(diagonals_differ);
    TEST(contact_is_where_it_is_said);
    TEST(holds_take_away_freedom);
    TEST(laws_know_elastic_bodies);
    TEST(starts_are_static_states);
    TEST(elastic_bodies_need_no_rigid_ones);
    TEST(forces_are_functions);
    TEST(meshes_are_one_of_five);
    TEST(grids_fit_their_space);
    TEST(materials_are_possible);
    TEST(conditions_have_axes);
    TEST(groups_are_in_the_mesh);
    TEST(nodes_are_in_one_place);
    TEST(names_are_used_once);
    TEST(elastic_bodies_are_the_scene_or_not);
    TEST(starts_are_held);
    TEST(files_are_beside_the_scene);
    TEST(without_gmsh_it_says_so);
    TEST(gmsh_makes_meshes_and_keeps_them);
    TEST(clean_up);
    return harness_end();
}
