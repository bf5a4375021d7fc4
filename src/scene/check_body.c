// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// check_body.c - what is wrong with a body though each of its values is fine.

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/space.h"
#include "scene/scene.h"
#include "scree/joint.h"

#define COMPLAIN(key, ...) \
    scree_findings_add(findings, scree_scene_place(section, key), __VA_ARGS__)

// every number zero
static bool is_zero(const scree_list *list) {
    const double *number = list->item;
    for (int i = 0; i < list->count; i++)
        if (number[i] != 0) return false;
    return true;
}

void scree_check_axis(const scree_section *section, const scree_list *axis, int space,
                      scree_findings *findings) {
    bool given = scree_scene_given(section, "axis"), angle = scree_scene_given(section, "angle");
    if (given && space == 2)
        COMPLAIN("axis", "in the plane an angle needs no axis");
    else if (given && (axis->count != 3 || is_zero(axis)))
        COMPLAIN("axis", "an axis is a direction [x, y, z] with a length");
    else if (given && !angle && !scree_scene_given(section, "table"))
        COMPLAIN("axis", "an axis needs an angle to turn by");
    else if (!given && angle && space == 3)
        COMPLAIN("angle", "in space an angle needs an axis [x, y, z] to turn about");
}

static void check_orientation(const scree_scene_body *body, int space, const char *name,
                              scree_findings *findings) {
    const scree_section *section = &body->section;
    scree_check_axis(section, &body->axis, space, findings);
    if (!scree_scene_given(section, "orientation")) return;
    if (space == 2)
        COMPLAIN("orientation", "%s: in the plane the orientation is one angle", name);
    else if (scree_scene_given(section, "angle"))
        COMPLAIN("orientation", "%s: give either orientation or angle and axis", name);
    else if (body->orientation.count != 4 || is_zero(&body->orientation))
        COMPLAIN("orientation", "%s: an orientation is a quaternion [w, x, y, z] with a length",
                 name);
}

// is there a body that is so hard to turn about one axis, and so easy about the others? The matrix
// of its second moments is tr(J)/2 - J, and may only be negative by how numbers are written
static bool can_be_inertia(const double *number, int count) {
    double J[6] = { number[0], 0, 0, number[1], 0, number[2] }, inverse[6];
    if (count == 6) memcpy(J, number, sizeof J);
    double trace = J[0] + J[3] + J[5], shift = trace / 2 + 1e-3 * trace;
    const double second[6] = { shift - J[0], -J[1], -J[2], shift - J[3], -J[4], shift - J[5] };
    return scree_symmetric_inverse(second, inverse);
}

static void check_values(const scree_scene_body *body, const char *name, scree_findings *findings) {
    const scree_section *section = &body->section;
    const double *number = body->inertia.item;
    int count = body->inertia.count;
    for (int i = 0; i < count; i++) {
        bool diagonal = count < 6 || i == 0 || i == 3 || i == 5;
        if (diagonal && !(number[i] > 0)) {
            COMPLAIN("inertia", "inertia must be positive, got %g kg m^2", number[i]);
            return;
        }
    }
    if (count > 1 && !can_be_inertia(number, count))
        COMPLAIN("inertia",
                 "%s: no body can have this inertia: about one axis it is more than about the two "
                 "others together",
                 name);
}

static void check_inertia(const scree_scene_body *body, int space, const char *name,
                          scree_findings *findings) {
    const scree_section *section = &body->section;
    int count = body->inertia.count;
    if (!scree_scene_given(section, "inertia")) return;
    if (space == 2 && count != 1)
        COMPLAIN("inertia", "%s: in the plane inertia is one number, found %d", name, count);
    else if (space == 3 && count != 1 && count != 3 && count != 6)
        COMPLAIN("inertia",
                 "%s: inertia is one number, three (about the body's axes) or six (xx, xy, xz, yy, "
                 "yz, zz), found %d",
                 name, count);
    else
        check_values(body, name, findings);
}

// a body that moves freely needs one of mass and inertia, or density
static void check_mass(const scree_scene_body *body, const char *name, scree_findings *findings) {
    const scree_section *section = &body->section;
    bool mass = scree_scene_given(section, "mass"), inertia = scree_scene_given(section, "inertia"),
         density = scree_scene_given(section, "density");
    if (density && (mass || inertia))
        COMPLAIN("density", "%s has a density, from which mass and inertia follow: leave out %s",
                 name, mass ? "mass" : "inertia");
    // a key that was misspelt is complained about already
    if (section->broken || body->fixed || body->motion.section.node || density) return;
    if (!mass && !inertia)
        scree_findings_add(findings, section->node->at,
                           "%s needs mass and inertia, or density (or fixed: true)", name);
    else if (!mass || !inertia)
        scree_findings_add(findings, section->node->at, "%s needs %s (or fixed: true)", name,
                           mass ? "inertia besides its mass" : "mass besides its inertia");
}

static void check_density(const scree_scene_body *body, const char *name,
                          scree_findings *findings) {
    const scree_section *section = &body->section;
    if (scree_scene_given(section, "density") && !body->shapes.count)
        COMPLAIN("density", "%s has a density, but no shapes to take mass from", name);
}

// what an own motion leaves to nobody else
unsigned scree_scene_held(const char *coordinate, int space) {
    static const struct {
        const char *name;
        int space;  // 0: any
        unsigned bit;
    } known[] = { { "x", 0, SCREE_HOLD_X },
                  { "y", 0, SCREE_HOLD_Y },
                  { "z", 3, SCREE_HOLD_Z },
                  { "angle", 2, SCREE_HOLD_TURN },
                  { "rotation", 3, SCREE_HOLD_TURN } };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if ((!known[i].space || known[i].space == space) && strcmp(known[i].name, coordinate) == 0)
            return known[i].bit;
    return 0;
}

static void check_hold(const scree_scene_body *body, int space, scree_findings *findings) {
    const char *const *name = body->hold.item;
    const scree_node *list =
        body->section.node ? scree_yaml_find(body->section.node, "hold") : NULL;
    for (int i = 0; name && list && i < body->hold.count; i++)
        if (name[i] && !scree_scene_held(name[i], space))
            scree_findings_add(findings, list->item[i]->at, "hold: \"%s\" is none of %s", name[i],
                               space == 2 ? "x, y, angle" : "x, y, z, rotation");
}

static void check_start(const scree_scene_body *body, int space, const char *name,
                        scree_findings *findings) {
    const scree_section *section = &body->section;
    bool driven = body->motion.section.node;
    const char *why = body->fixed ? "is fixed" : "follows its motion";
    bool moves = body->velocity[0] != 0 || body->velocity[1] != 0 || body->velocity[2] != 0;
    if (body->fixed && driven) COMPLAIN("motion", "%s is fixed and cannot have a motion", name);
    if ((body->fixed || driven) && moves)
        COMPLAIN("velocity", "%s %s and cannot have a velocity", name, why);
    if ((body->fixed || driven) && !is_zero(&body->spin))
        COMPLAIN("spin", "%s %s and cannot have a spin", name, why);
    if (scree_scene_given(section, "spin") && body->spin.count != (space == 3 ? 3 : 1))
        COMPLAIN("spin", "%s: spin is %s, found %d numbers", name,
                 space == 3 ? "a vector [x, y, z]" : "one number", body->spin.count);
    int forces = space == 3 ? 6 : 3;
    if (scree_scene_given(section, "force") && body->force.item && body->force.count != forces)
        COMPLAIN("force", "%s: force is %s, found %d numbers", name,
                 space == 3 ? "[fx, fy, fz] and torques [tx, ty, tz] in one list of six"
                            : "[fx, fy, torque]",
                 body->force.count);
    if (scree_scene_given(section, "hold") && (body->fixed || driven))
        COMPLAIN("hold", "%s %s and needs nothing that holds it", name, why);
    check_hold(body, space, findings);
    if (body->deposit && (body->fixed || driven))
        COMPLAIN("deposit", "%s %s and cannot be lowered onto others", name, why);
    if (body->removal_time > 0 && body->removal_time <= body->birth_time)
        COMPLAIN("removed", "%s is removed at %g s, but born only at %g s", name,
                 body->removal_time, body->birth_time);
}

// do the times in the first column ascend?
static void check_times(const scree_section *section, const char *key, const scree_list *table,
                        scree_findings *findings) {
    const double *number = table->item;
    int columns = table->columns;
    for (int i = 1; i < table->count; i++)
        if (!(number[i * columns] > number[(i - 1) * columns])) {
            COMPLAIN(key, "times must ascend: row %d is at %g s, row %d at %g s", i,
                     number[(i - 1) * columns], i + 1, number[i * columns]);
            return;
        }
}

// the key that rows of a motion came by
static const char *key_of(const scree_scene_motion *motion, bool places) {
    if (places) return motion->table_file ? "table_file" : "table";
    return motion->acceleration_file ? "acceleration_file" : "acceleration";
}

static void check_table(const scree_scene_motion *motion, int space, scree_findings *findings) {
    const scree_section *section = &motion->section;
    const char *key = key_of(motion, true);
    int rows = motion->table.count, columns = motion->table.columns;
    if (rows < 2)
        COMPLAIN(key, "a table needs at least two rows, found %d", rows);
    else if (columns != space + 1 && columns != space + 2)
        COMPLAIN(key, "rows of the table are %s and perhaps an angle; found %d numbers",
                 space == 3 ? "t, x, y, z" : "t, x, y", columns);
    else
        check_times(section, key, &motion->table, findings);
    if (space == 3 && columns == space + 2 && !scree_scene_given(section, "axis"))
        COMPLAIN(key, "in space the angles of a table need an axis [x, y, z] to turn about");
}

static void check_acceleration(const scree_scene_motion *motion, int space,
                               scree_findings *findings) {
    const scree_section *section = &motion->section;
    const scree_list *table = &motion->acceleration;
    const char *key = key_of(motion, false);
    if (table->count < 2)
        COMPLAIN(key, "an accelerogram needs at least two rows, found %d", table->count);
    else if (table->columns != space + 1)
        COMPLAIN(key, "rows of the accelerogram are %s; found %d numbers",
                 space == 3 ? "t, x, y, z" : "t, x, y", table->columns);
    else
        check_times(section, key, table, findings);
}

bool scree_check_motion_rows(scree_scene *scene, scree_scene_motion *motion,
                             scree_findings *findings) {
    const scree_section *section = &motion->section;
    int space = scene->top.space, known = findings->count;
    bool places = motion->table.count || motion->table_file;
    bool accelerations = motion->acceleration.count || motion->acceleration_file;
    if (places) check_table(motion, space, findings);
    if (accelerations) check_acceleration(motion, space, findings);
    if (findings->count != known || findings->truncated) return false;
    if (places && !scree_motion_from_table(motion, space, &scene->arena))
        COMPLAIN("table", "out of memory");
    if (accelerations && !scree_motion_from_acceleration(motion, space, &scene->arena))
        COMPLAIN("acceleration", "out of memory");
    return findings->count == known;
}

// a motion is given in one way
static void check_ways(const scree_scene_motion *motion, const char *name,
                       scree_findings *findings) {
    static const char *const way[] = { "table", "acceleration", "table_file", "acceleration_file" };
    const scree_section *section = &motion->section;
    const char *first = NULL;
    bool moves = scree_scene_given(section, "position") || scree_scene_given(section, "angle");
    for (int i = 0; i < 4; i++) {
        if (!scree_scene_given(section, way[i])) continue;
        if (moves) COMPLAIN(way[i], "a motion is either %s or position and angle", way[i]);
        if (first) COMPLAIN(way[i], "a motion is either %s or %s", first, way[i]);
        first = way[i];
    }
    if (!first && !moves)
        scree_findings_add(findings, section->node->at,
                           "%s: a motion needs position, angle, table or acceleration", name);
    if (scree_scene_given(section, "scale") && !motion->table_file && !motion->acceleration_file)
        COMPLAIN("scale", "scale is of numbers in a file");
}

static void check_motion(scree_scene *scene, scree_scene_motion *motion, const char *name,
                         scree_findings *findings) {
    const scree_section *section = &motion->section;
    int space = scene->top.space, known = findings->count;
    check_ways(motion, name, findings);
    if (scree_scene_given(section, "position") && motion->position.count != space)
        COMPLAIN("position", "%s: position is a list of %d displacements, found %d", name, space,
                 motion->position.count);
    scree_check_axis(section, &motion->axis, space, findings);
    if (findings->count != known || findings->truncated) return;
    if (scree_scene_given(section, "table") && !motion->table.count)
        check_table(motion, space, findings);
    if (scree_scene_given(section, "acceleration") && !motion->acceleration.count)
        check_acceleration(motion, space, findings);
    if (!motion->table_file && !motion->acceleration_file)  // they are read with the model
        scree_check_motion_rows(scene, motion, findings);
}

// what cannot move by itself is refused with advice, never replaced by its hull
static void check_surfaces(const scree_scene_body *body, const char *name,
                           scree_findings *findings) {
    static const char *const surface[SCREE_SHAPE_KINDS] = {
        [SCREE_CHAIN] = "chain", [SCREE_MESH] = "mesh", [SCREE_HEIGHT_FIELD] = "height-field"
    };
    const scree_scene_shape *shape = body->shapes.item;
    bool free = !body->fixed && !body->motion.section.node;
    for (int i = 0; i < body->shapes.count && free; i++)
        if (!shape[i].section.broken && surface[shape[i].kind])
            scree_findings_add(findings, scree_scene_place(&shape[i].section, "type"),
                               "a %s cannot be on %s, which moves freely: take %s for its convex "
                               "parts, or fixed: true, or a motion",
                               surface[shape[i].kind], name,
                               shape[i].kind == SCREE_CHAIN ? "polygons" : "polyhedra");
}

void scree_check_body(scree_scene *scene, scree_scene_body *body, bool pattern,
                      scree_findings *findings) {
    int space = scene->top.space;
    char name[120];
    snprintf(name, sizeof name, pattern ? "the pattern" : "body \"%.100s\"",
             body->name ? body->name : "");
    check_mass(body, name, findings);
    check_density(body, name, findings);
    check_inertia(body, space, name, findings);
    check_orientation(body, space, name, findings);
    check_start(body, space, name, findings);
    if (body->motion.section.node && !body->motion.section.broken)
        check_motion(scene, &body->motion, name, findings);
    const scree_scene_shape *shape = body->shapes.item;
    for (int i = 0; i < body->shapes.count; i++)
        if (shape[i].section.node && !shape[i].section.broken)
            scree_check_shape(&shape[i], space, findings);
    check_surfaces(body, name, findings);
}
