// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// check_shape.c - which keys a shape of each type has, needs and cannot have.

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "scene/scene.h"

typedef struct shape_rule {
    const char *name;
    bool plane, space;
    const char *keys;     // that it may have besides type and at
    const char *needs;    // those of them that it must have
    const char *instead;  // what to write where it does not exist
} shape_rule;

// in the order of scree_shape_kind
static const shape_rule rules[SCREE_SHAPE_KINDS] = {
    { "point", true, true, "", "", "" },
    { "disc", true, false, "radius", "radius", "sphere or cylinder" },
    { "half-plane", true, false, "normal", "", "plane" },
    { "polygon", true, false, "angle vertices radius scale", "vertices", "polyhedron" },
    { "chain", true, false, "angle vertices scale", "vertices", "mesh" },
    { "sphere", false, true, "radius", "radius", "disc" },
    { "box", true, true, "angle axis size", "size", "" },
    { "capsule", true, true, "angle axis radius length", "radius length", "" },
    { "cylinder", false, true, "angle axis radius length", "radius length", "disc or box" },
    { "polyhedron", false, true, "angle axis vertices radius file scale", "", "polygon" },
    { "plane", false, true, "normal", "", "half-plane" },
    { "mesh", false, true, "angle axis vertices triangles file scale", "", "chain" },
    { "height-field", false, true, "angle axis size heights", "size heights", "chain" },
};

static const char *const all_keys[] = { "angle",   "axis", "normal",   "radius",
                                        "length",  "size", "vertices", "triangles",
                                        "heights", "file", "scale",    NULL };

// is the word one of those in words, which are parted by blanks?
static bool has_word(const char *words, const char *word) {
    size_t length = strlen(word);
    for (const char *at = words; (at = strstr(at, word)); at += length)
        if ((at == words || at[-1] == ' ') && (at[length] == ' ' || !at[length])) return true;
    return false;
}

static const char *article(const char *key) { return strchr("aeiou", *key) ? "an" : "a"; }

static bool plural(const char *key) { return key[strlen(key) - 1] == 's' && strcmp(key, "radius"); }

static void check_keys(const scree_scene_shape *shape, const shape_rule *rule,
                       scree_findings *findings) {
    const scree_section *section = &shape->section;
    for (int i = 0; all_keys[i]; i++) {
        const char *key = all_keys[i], *before = plural(key) ? "" : article(key);
        bool given = scree_scene_given(section, key);
        if (given && !has_word(rule->keys, key))
            scree_findings_add(findings, scree_scene_place(section, key), "a %s has no %s",
                               rule->name, key);
        if (!given && has_word(rule->needs, key))
            scree_findings_add(findings, scree_scene_place(section, "type"), "a %s needs %s%s%s",
                               rule->name, before, *before ? " " : "", key);
    }
}

static void check_count(const scree_scene_shape *shape, const char *key, int count, int wanted,
                        const char *what, scree_findings *findings) {
    if (scree_scene_given(&shape->section, key) && count != wanted)
        scree_findings_add(findings, scree_scene_place(&shape->section, key),
                           "%s of a %s: expected %d %s, found %d", key, rules[shape->kind].name,
                           wanted, what, count);
}

static void check_corners(const scree_scene_shape *shape, int space, scree_findings *findings) {
    static const int least[SCREE_SHAPE_KINDS] = {
        [SCREE_POLYGON] = 3, [SCREE_CHAIN] = 2, [SCREE_POLYHEDRON] = 4, [SCREE_MESH] = 3
    };
    const scree_section *section = &shape->section;
    if (!scree_scene_given(section, "vertices")) return;
    scree_source_location at = scree_scene_place(section, "vertices");
    if (shape->vertices.count < least[shape->kind])
        scree_findings_add(findings, at, "a %s needs at least %d vertices, found %d",
                           rules[shape->kind].name, least[shape->kind], shape->vertices.count);
    else
        check_count(shape, "vertices", shape->vertices.columns, space, "numbers in each row",
                    findings);
}

static void check_triangles(const scree_scene_shape *shape, scree_findings *findings) {
    const double *number = shape->triangles.item;
    if (!scree_scene_given(&shape->section, "triangles")) return;
    scree_source_location at = scree_scene_place(&shape->section, "triangles");
    if (!shape->triangles.count)
        scree_findings_add(findings, at, "a mesh needs a triangle");
    else
        check_count(shape, "triangles", shape->triangles.columns, 3, "vertices in each", findings);
    if (shape->triangles.columns != 3) return;
    for (long i = 0; i < 3L * shape->triangles.count; i++) {
        if (number[i] == floor(number[i]) && number[i] < shape->vertices.count) continue;
        scree_findings_add(findings, at, "triangle %ld has the vertex %g, but there are 0 to %d",
                           i / 3 + 1, number[i], shape->vertices.count - 1);
        return;
    }
}

// a polyhedron or mesh comes from a file or is written out
static void check_source(const scree_scene_shape *shape, scree_findings *findings) {
    const scree_section *section = &shape->section;
    bool mesh = shape->kind == SCREE_MESH, file = scree_scene_given(section, "file");
    bool vertices = scree_scene_given(section, "vertices"),
         triangles = scree_scene_given(section, "triangles");
    if (!mesh && shape->kind != SCREE_POLYHEDRON) return;
    if (file && (vertices || triangles))
        scree_findings_add(findings, scree_scene_place(section, "file"),
                           "a %s comes from a file or from vertices, not from both",
                           rules[shape->kind].name);
    else if (!file && !(vertices && (triangles || !mesh)))
        scree_findings_add(findings, scree_scene_place(section, "type"), "a %s needs %s, or a file",
                           rules[shape->kind].name, mesh ? "vertices and triangles" : "vertices");
}

static void check_normal(const scree_scene_shape *shape, scree_findings *findings) {
    if (shape->kind != SCREE_HALF_PLANE && shape->kind != SCREE_PLANE) return;
    if (shape->normal[0] == 0 && shape->normal[1] == 0 && shape->normal[2] == 0)
        scree_findings_add(findings, scree_scene_place(&shape->section, "normal"),
                           "the normal of a %s must have a length", rules[shape->kind].name);
}

void scree_check_shape(const scree_scene_shape *shape, int space, scree_findings *findings) {
    const shape_rule *rule = &rules[shape->kind];
    bool field = shape->kind == SCREE_HEIGHT_FIELD;
    if (!(space == 3 ? rule->space : rule->plane)) {
        scree_findings_add(findings, scree_scene_place(&shape->section, "type"),
                           "a %s is a shape in %s; use a %s%s", rule->name,
                           space == 3 ? "the plane" : "space", rule->instead,
                           space == 3 ? "" : ", or write space: 3 at the top");
        return;
    }
    check_keys(shape, rule, findings);
    scree_check_axis(&shape->section, &shape->axis, space, findings);
    if (has_word(rule->keys, "size"))
        check_count(shape, "size", shape->size.count, field ? 2 : space, "numbers", findings);
    if (has_word(rule->keys, "vertices")) check_corners(shape, space, findings);
    if (shape->kind == SCREE_MESH) check_triangles(shape, findings);
    check_source(shape, findings);
    check_normal(shape, findings);
    if (field && scree_scene_given(&shape->section, "heights") &&
        (shape->heights.count < 2 || shape->heights.columns < 2))
        scree_findings_add(findings, scree_scene_place(&shape->section, "heights"),
                           "a height-field needs at least 2 x 2 heights, found %d x %d",
                           shape->heights.count, shape->heights.columns);
}
