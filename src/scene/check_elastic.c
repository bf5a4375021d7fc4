// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// check_elastic.c - what is wrong with an elastic body though each of its values is fine. Groups
// are looked up when the mesh is there (model/elastic_from_scene.c).

#include <limits.h>
#include <math.h>
#include <stdio.h>

#include "scene/scene.h"

#define COMPLAIN(key, ...) \
    scree_findings_add(findings, scree_scene_place(section, key), __VA_ARGS__)

static const char *const axis_name[] = { "x", "y", "z" };

// --- the mesh -----------------------------------------------------------------------------------

// a file may be either in the plane or in space
static const struct {
    const char *key;
    int space;  // 0: both
} makers[] = { { "rectangle", 2 }, { "box", 3 }, { "disc", 2 }, { "file", 0 }, { "geo", 0 } };
enum { MAKERS = sizeof makers / sizeof makers[0] };

static void check_grid(const scree_scene_grid *grid, int axes, scree_findings *findings) {
    const scree_section *section = &grid->section;
    const double *cells = grid->cells.item;
    double nodes = 1;
    if (grid->size.count != axes)
        COMPLAIN("size", "size is a list of %d lengths, one for each axis; found %d", axes,
                 grid->size.count);
    if (grid->cells.count != axes) {
        COMPLAIN("cells", "cells is a list of %d numbers, one for each axis; found %d", axes,
                 grid->cells.count);
        return;
    }
    for (int k = 0; k < axes; k++) {
        if (cells[k] != floor(cells[k])) {
            COMPLAIN("cells", "cells must be whole numbers, got %g", cells[k]);
            return;
        }
        nodes *= cells[k] + 1;
    }
    if (nodes * axes > INT_MAX)
        COMPLAIN("cells", "the mesh would have %.3g nodes, more than can be counted", nodes);
}

static void check_mesh(const scree_scene_mesh *mesh, int space, scree_findings *findings) {
    const scree_section *section = &mesh->section;
    const char *made = NULL;
    for (int i = 0; i < MAKERS; i++) {
        if (!scree_scene_given(section, makers[i].key)) continue;
        if (made) {
            COMPLAIN(makers[i].key,
                     "a mesh is one of rectangle, box, disc, file and geo; this one "
                     "is %s and %s",
                     made, makers[i].key);
            return;
        }
        made = makers[i].key;
        if (makers[i].space && makers[i].space != space) {
            COMPLAIN(made,
                     space == 3 ? "a %s is a mesh in the plane: take a box, or leave out "
                                  "space: 3"
                                : "a %s is a mesh in space: take a rectangle, or write "
                                  "space: 3 at the top",
                     made);
            return;
        }
    }
    if (!made)
        scree_findings_add(findings, section->node->at,
                           "a mesh is one of rectangle, box, disc, file and geo; this one is none");
    if (scree_scene_given(section, "scale") && !mesh->file && !mesh->geo)
        COMPLAIN("scale", "scale is for a mesh from a file or geo");
    if (scree_scene_given(section, "size") && !mesh->geo)
        COMPLAIN("size", "size is for a mesh that gmsh makes of a geo");
    if (mesh->rectangle.section.node) check_grid(&mesh->rectangle, 2, findings);
    if (mesh->box.section.node) check_grid(&mesh->box, 3, findings);
}

// --- material, conditions -----------------------------------------------------------------------

static void check_material(const scree_scene_elastic *elastic, int space, const char *name,
                           scree_findings *findings) {
    static const char *const planar[] = { "plane", "thickness" };
    const scree_section *section = &elastic->section;
    if (elastic->poisson == 0.5)
        COMPLAIN("poisson",
                 "%s: poisson must be below 1/2; at 1/2 the volume cannot change, which these "
                 "elements cannot do",
                 name);
    for (int i = 0; i < 2; i++)
        if (space == 3 && scree_scene_given(section, planar[i]))
            COMPLAIN(planar[i], "%s: %s is for bodies in the plane: leave it out", name, planar[i]);
}

static void check_holds(const scree_list *list, int space, const char *name,
                        scree_findings *findings) {
    const scree_scene_hold *hold = list->item;
    for (int i = 0; i < list->count; i++) {
        const scree_section *section = &hold[i].section;
        if (section->broken || !section->node) continue;
        bool any = false;
        for (int k = 0; k < space; k++) any |= scree_scene_given(section, axis_name[k]);
        if (space == 2 && scree_scene_given(section, "z"))
            COMPLAIN("z", "%s: in the plane there is no z to hold", name);
        else if (!any)
            scree_findings_add(findings, section->node->at,
                               "%s: say which displacements are held: x, y%s", name,
                               space == 3 ? " or z" : " or both");
    }
}

static void check_components(const scree_section *section, const char *key, const scree_list *list,
                             int space, const char *name, scree_findings *findings) {
    if (scree_scene_given(section, key) && list->item && list->count != space)
        COMPLAIN(key, "%s: %s is %s, found %d numbers", name, key,
                 space == 3 ? "[x, y, z]" : "[x, y]", list->count);
}

static void check_loads(const scree_list *list, int space, const char *name,
                        scree_findings *findings) {
    const scree_scene_traction *load = list->item;
    for (int i = 0; i < list->count; i++) {
        const scree_section *section = &load[i].section;
        if (section->broken || !section->node) continue;
        bool traction = scree_scene_given(section, "traction"),
             pressure = scree_scene_given(section, "pressure");
        if (traction == pressure)
            scree_findings_add(findings, section->node->at,
                               "%s: a load is either a traction or a pressure; this one is %s",
                               name, traction ? "both" : "neither");
        check_components(section, "traction", &load[i].traction, space, name, findings);
    }
}

void scree_check_elastic(const scree_scene_elastic *elastic, int space, scree_findings *findings) {
    char name[120];
    snprintf(name, sizeof name, "\"%.100s\"", elastic->name ? elastic->name : "");
    const scree_scene_start *start = &elastic->start;
    if (elastic->mesh.section.node && !elastic->mesh.section.broken)
        check_mesh(&elastic->mesh, space, findings);
    check_material(elastic, space, name, findings);
    check_holds(&elastic->held, space, name, findings);
    check_loads(&elastic->loads, space, name, findings);
    check_components(&elastic->section, "force", &elastic->force, space, name, findings);
    if (!start->section.node || start->section.broken) return;
    check_holds(&start->held, space, name, findings);
    check_loads(&start->loads, space, name, findings);
}
