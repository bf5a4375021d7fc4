// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// check_marker.c - what is wrong with a marker though each of its values is fine.

#include <string.h>

#include "scene/expression.h"
#include "scene/scene.h"

#define COMPLAIN(key, ...) \
    scree_findings_add(findings, scree_scene_place(&marker->section, key), __VA_ARGS__)

static bool given(const scree_scene_marker *marker, const char *key) {
    return scree_scene_given(&marker->section, key);
}

int scree_scene_marker_find(const scree_scene *scene, const char *name) {
    const scree_scene_marker *marker = scene->top.markers.item;
    for (int i = 0; i < scene->top.markers.count; i++)
        if (marker[i].name && strcmp(marker[i].name, name) == 0) return i;
    return -1;
}

static void check_name(const scree_scene *scene, int number, const scree_scene_marker *marker,
                       scree_findings *findings) {
    int first = marker->name ? scree_scene_marker_find(scene, marker->name) : number;
    if (first < number)
        COMPLAIN("name", "marker \"%s\" is there already", marker->name);
    else if (marker->name && (strcmp(marker->name, "ground") == 0 ||
                              scree_names_find(scene, marker->name).kind != SCREE_NAMED_NOTHING))
        COMPLAIN("name", "\"%s\" has a meaning already: a marker needs a name of its own",
                 marker->name);
}

static void check_rows(const scree_scene *scene, const scree_scene_marker *marker, const char *key,
                       int rows, scree_findings *findings) {
    int space = scene->top.space;
    if (rows == space || (space == 2 && rows == 3)) return;
    COMPLAIN(key, "%s: expected %s, found %d", key,
             space == 2 ? "x and y, or x, y and angle" : "x, y and z", rows);
}

static void check_system(const scree_scene *scene, const scree_scene_marker *marker,
                         scree_findings *findings) {
    const scree_scene_system *system = &scene->top.system;
    if (!system->section.node) {
        COMPLAIN("system", "system: this scene has no system");
        return;
    }
    check_rows(scene, marker, "system", marker->system.count, findings);
    if (marker->system.columns != system->mass.count)
        COMPLAIN("system", "system: a row has %d numbers, the system has %d coordinates",
                 marker->system.columns, system->mass.count);
}

// does a variable from this number on occur? They are velocities
static bool uses_beyond(const scree_expression *formula, int first) {
    for (int i = first; i < SCREE_EXPRESSION_VARIABLES; i++)
        if (scree_expression_uses(formula, i)) return true;
    return false;
}

static void check_mechanism(const scree_scene *scene, const scree_scene_marker *marker,
                            scree_findings *findings) {
    const scree_expression *const *row = marker->mechanism.item;
    int seen = scene->top.mechanism.coordinates.count + scene->top.mechanism.definitions.count;
    if (!scree_scene_given(&scene->top.section, "mechanism")) {
        COMPLAIN("mechanism", "mechanism: this scene has no mechanism");
        return;
    }
    check_rows(scene, marker, "mechanism", marker->mechanism.count, findings);
    for (int i = 0; i < marker->mechanism.count; i++)
        if (row[i] && (scree_expression_varies(row[i]) || uses_beyond(row[i], seen)))
            COMPLAIN("mechanism", "mechanism: where a marker is depends on coordinates alone");
}

void scree_check_marker(const scree_scene *scene, int number, scree_findings *findings) {
    const scree_scene_marker *marker = (const scree_scene_marker *)scene->top.markers.item + number;
    int ways = given(marker, "elastic") + given(marker, "system") + given(marker, "mechanism");
    check_name(scene, number, marker, findings);
    if (ways != 1) {
        COMPLAIN("name", "a marker has one of elastic, system and mechanism");
        return;
    }
    if (given(marker, "elastic") != given(marker, "group"))
        COMPLAIN("name", "elastic and group go together: the nodes that the marker follows");
    if (given(marker, "elastic") &&
        scree_names_find(scene, marker->elastic).kind != SCREE_NAMED_ELASTIC)
        COMPLAIN("elastic", "elastic: there is no elastic body \"%s\"", marker->elastic);
    if (given(marker, "system")) check_system(scene, marker, findings);
    if (given(marker, "mechanism")) check_mechanism(scene, marker, findings);
}
