// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// elastic_from_scene.c - an elastic body of a scene -> the model: its mesh, and groups of the mesh
// for the names in its conditions. What is wrong is reported at its place in the scene.

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/suggestion.h"
#include "model/elastic.h"
#include "model/from_scene.h"
#include "model/gmsh_program.h"
#include "scree/fem.h"

enum { GROUPS_SHOWN = 12 };

typedef struct worker {
    const scree_scene *scene;
    const scree_scene_elastic *given;
    int space;
    scree_mesh *mesh;
    bool lent;  // the mesh belongs to the scene
    scree_arena *scratch;
    scree_findings *findings;
} worker;

static const char *const axis_name[] = { "x", "y", "z" };

static bool out_of_memory(worker *w) {
    scree_findings_no_memory(w->findings);
    return false;
}

// --- the mesh -----------------------------------------------------------------------------------

// as the schema lists them
static const scree_element planar[] = { SCREE_T3, SCREE_Q4, SCREE_T6, SCREE_Q8 };
static const scree_element spatial[] = { SCREE_T4, SCREE_H8, SCREE_T10, SCREE_H20 };

static scree_status make_grid(worker *w, const scree_scene_grid *grid, scree_error *err) {
    const double *size = grid->size.item, *number = grid->cells.item;
    int cells[3] = { 0 };
    for (int k = 0; k < w->space; k++) cells[k] = (int)number[k];
    return w->space == 3
               ? scree_mesh_box(grid->at, size, cells, spatial[grid->elements], &w->mesh, err)
               : scree_mesh_rectangle(grid->at, size, cells, planar[grid->elements],
                                      (scree_diagonal)grid->diagonal, &w->mesh, err);
}

// a file's mistakes stand in that file, and the scene says which file it is
static bool accept_file(worker *w, scree_status status, const scree_error *err, const char *path,
                        const char *key) {
    scree_source_location at = scree_scene_place(&w->given->mesh.section, key);
    if (status == SCREE_NO_MEMORY)
        scree_findings_no_memory(w->findings);
    else if (status && err->line > 0)
        scree_findings_add(w->findings, at, "%.150s:%d: %.320s", *err->file ? err->file : path,
                           err->line, err->text);
    else if (status)
        scree_findings_add(w->findings, at, "%.150s: %.320s", *err->file ? err->file : path,
                           err->text);
    return status == SCREE_OK;
}

static bool read_mesh(worker *w, const scree_scene_mesh *given) {
    scree_error err = { 0 };
    const char *key = given->file ? "file" : "geo";
    const char *path =
        scree_from_scene_path(w->scene, given->file ? given->file : given->geo, w->scratch);
    if (!path) return out_of_memory(w);
    if (given->geo) {
        const char *geo = path;
        scree_status status =
            scree_gmsh_program_run(geo, w->space, given->size, w->scratch, &path, &err);
        if (!accept_file(w, status, &err, geo, key)) return false;
    }
    scree_status status = scree_mesh_read_gmsh(path, w->space, given->scale, &w->mesh, &err);
    return accept_file(w, status, &err, path, key);
}

// a file that is in memory; *found tells whether there is one
static bool take_supplied(worker *w, const scree_scene_mesh *given, bool *found) {
    scree_error err = { 0 };
    const scree_embedded_file *supply =
        given->file ? scree_from_scene_supplied(w->scene, given->file) : NULL;
    *found = supply != NULL;
    if (!*found) return false;
    scree_status status = scree_mesh_parse_gmsh(given->file, supply->text, supply->length, w->space,
                                                given->scale, &w->mesh, &err);
    return accept_file(w, status, &err, given->file, "file");
}

// a run file brings the meshes that were read for it
static bool borrow_mesh(worker *w, int number) {
    if (number < w->scene->meshes) w->mesh = w->scene->mesh[number];
    w->lent = w->mesh;
    return w->lent;
}

static bool make_mesh(worker *w, int number) {
    scree_error err = { 0 };
    const scree_scene_mesh *given = &w->given->mesh;
    const scree_scene_round *disc = &given->disc;
    if (given->file || given->geo) {
        bool found;
        if (borrow_mesh(w, number) || take_supplied(w, given, &found)) return true;
        return !found && read_mesh(w, given);
    }
    bool round = disc->section.node;
    scree_status status = round
                              ? scree_mesh_disc(disc->at, disc->radius, disc->cells,
                                                planar[disc->elements], &w->mesh, &err)
                              : make_grid(w, w->space == 3 ? &given->box : &given->rectangle, &err);
    if (status)
        scree_findings_take(w->findings, scree_scene_place(&w->given->section, "mesh"), &err);
    return status == SCREE_OK;
}

// --- groups -------------------------------------------------------------------------------------

static void complain_unknown(worker *w, const char *name, scree_source_location at) {
    const scree_mesh *mesh = w->mesh;
    const char **known = SCREE_NEW(w->scratch, const char *, mesh->groups);
    char list[300] = "";
    for (int g = 0; g < mesh->groups && g < GROUPS_SHOWN; g++) {
        size_t used = strlen(list);
        snprintf(list + used, sizeof list - used, "%s%.40s", g ? ", " : "", mesh->group[g].name);
    }
    for (int g = 0; known && g < mesh->groups; g++) known[g] = mesh->group[g].name;
    const char *near = known ? scree_suggestion(name, known, mesh->groups) : NULL;
    scree_findings_add(w->findings, at, "the mesh has no group \"%.60s\"%s%s%s; it has %s%s", name,
                       near ? " (did you mean \"" : "", near ? near : "", near ? "\"?)" : "", list,
                       mesh->groups > GROUPS_SHOWN ? ", ..." : "");
}

// the number of a group, -1 with a finding if there is none that could be used
static int find_group(worker *w, const char *name, bool faces, scree_source_location at) {
    int group = scree_mesh_find(w->mesh, name);
    const scree_mesh_group *found = group < 0 ? NULL : &w->mesh->group[group];
    if (!found)
        complain_unknown(w, name, at);
    else if (!found->nodes)
        scree_findings_add(w->findings, at, "the group \"%.60s\" of the mesh is empty", name);
    else if (faces && !found->facets)
        scree_findings_add(w->findings, at,
                           "the group \"%.60s\" of the mesh has points alone, no faces of the "
                           "boundary",
                           name);
    else
        return group;
    return -1;
}

// --- conditions ---------------------------------------------------------------------------------

static const char *text_of(const scree_scene_hold *hold, int axis) {
    return scree_yaml_find(hold->section.node, axis_name[axis])->text;
}

// the same arithmetic is the same function, wherever it is written
static scree_function value_of(const scree_scene_hold *hold, int which, int axis) {
    for (int i = 0; i < which; i++)
        for (int k = 0; k < 3; k++)
            if (scree_scene_given(&hold[i].section, axis_name[k]) &&
                strcmp(text_of(&hold[i], k), text_of(&hold[which], axis)) == 0)
                return hold[i].along[k];
    return hold[which].along[axis];
}

static void complain_twice(worker *w, const scree_scene_hold *here, const scree_scene_hold *other,
                           int axis, int node) {
    const double *x = &w->mesh->node[(long)node * w->space];
    char third[40] = "";
    if (w->space == 3) snprintf(third, sizeof third, ", %g", x[2]);
    scree_findings_add(w->findings, scree_scene_place(&here->section, axis_name[axis]),
                       "the node at (%g, %g%s) belongs to \"%.60s\" too, where %s is held at "
                       "another value (line %d)",
                       x[0], x[1], third, other->group, axis_name[axis],
                       scree_scene_place(&other->section, axis_name[axis]).line);
}

// a node cannot be in two places; source: which of given each hold comes from
static bool check_twice(worker *w, const scree_scene_hold *given, int holds,
                        const scree_prescribed *hold, const int *source) {
    const scree_mesh *mesh = w->mesh;
    int *by = SCREE_NEW(w->scratch, int, ((size_t)mesh->nodes * (size_t)w->space));  // hold + 1
    if (!by) return out_of_memory(w);
    for (int i = 0; i < holds; i++) {
        const scree_mesh_group *group = &mesh->group[hold[i].group];
        int axis = hold[i].axis;
        for (int n = 0; n < group->nodes; n++) {
            int *before = &by[(long)group->node[n] * w->space + axis];
            if (*before && !scree_function_same(&hold[*before - 1].value, &hold[i].value)) {
                complain_twice(w, &given[source[i]], &given[source[*before - 1]], axis,
                               group->node[n]);
                return false;
            }
            *before = i + 1;
        }
    }
    return true;
}

static bool take_holds(worker *w, const scree_list *list, int *count,
                       const scree_prescribed **holds) {
    const scree_scene_hold *given = list->item;
    scree_prescribed *made = SCREE_NEW(w->scratch, scree_prescribed, 3 * (size_t)list->count);
    int *source = SCREE_NEW(w->scratch, int, 3 * (size_t)list->count), used = 0;
    if (!made || !source) return out_of_memory(w);
    bool fine = true;
    for (int i = 0; i < list->count; i++) {
        int group =
            find_group(w, given[i].group, false, scree_scene_place(&given[i].section, "group"));
        fine &= group >= 0;
        for (int k = 0; k < w->space; k++) {
            if (!scree_scene_given(&given[i].section, axis_name[k])) continue;
            source[used] = i;
            made[used++] = (scree_prescribed){ group, k, value_of(given, i, k) };
        }
    }
    *count = used;
    *holds = made;
    return fine && check_twice(w, given, used, made, source);
}

static bool take_loads(worker *w, const scree_list *list, int *count,
                       const scree_traction **tractions) {
    const scree_scene_traction *given = list->item;
    scree_traction *made = SCREE_NEW(w->scratch, scree_traction, list->count);
    if (!made) return out_of_memory(w);
    bool fine = true;
    for (int i = 0; i < list->count; i++) {
        const scree_function *along = given[i].traction.item;
        made[i].group =
            find_group(w, given[i].group, true, scree_scene_place(&given[i].section, "group"));
        made[i].pressure = scree_scene_given(&given[i].section, "pressure");
        fine &= made[i].group >= 0;
        if (made[i].pressure) made[i].value[0] = given[i].pressure;
        for (int k = 0; k < given[i].traction.count && k < 3; k++) made[i].value[k] = along[k];
    }
    *count = list->count;
    *tractions = made;
    return fine;
}

static bool take_contact(worker *w, scree_elastic *elastic) {
    const scree_list *list = &w->given->contact;
    const scree_section *section = &w->given->section;
    bool given = scree_scene_given(section, "contact");
    int count = given ? list->count : 1;
    int *group = SCREE_NEW(w->scratch, int, count);
    if (!group) return out_of_memory(w);
    bool fine = true;
    for (int i = 0; i < count; i++) {
        const char *name = given ? ((const char **)list->item)[i] : "boundary";
        scree_source_location at =
            given ? scree_yaml_find(section->node, "contact")->item[i]->at : section->node->at;
        group[i] = find_group(w, name, false, at);
        fine &= group[i] >= 0;
    }
    elastic->contact_groups = count;
    elastic->contact_group = group;
    const scree_scene_self *self = &w->given->self;
    elastic->self_nodes = elastic->self_facets = -1;
    if (!self->section.node) return fine;
    elastic->self_nodes =
        find_group(w, self->nodes, false, scree_scene_place(&self->section, "nodes"));
    elastic->self_facets =
        find_group(w, self->facets, true, scree_scene_place(&self->section, "facets"));
    return fine && elastic->self_nodes >= 0 && elastic->self_facets >= 0;
}

// --- the whole ----------------------------------------------------------------------------------

static scree_elastic begin(const worker *w) {
    const scree_scene_elastic *given = w->given;
    scree_elastic elastic = {
        .name = given->name,
        .group = scree_names_group(w->scene, given->group),
        .mesh = w->mesh,
        .material = { .young = given->young,
                      .poisson = given->poisson,
                      .density = given->density,
                      .thickness = given->thickness,
                      .plane_stress = given->plane == 1,
                      .lumped = given->mass == 1,
                      .damping_mass = given->damping.mass,
                      .damping_stiffness = given->damping.stiffness },
        .start = { .loaded = given->start.section.node != NULL, .gravity = given->start.gravity },
    };
    const scree_function *force = given->force.item;
    for (int k = 0; k < given->force.count && k < 3; k++) elastic.force[k] = force[k];
    memcpy(elastic.start.velocity, given->velocity, sizeof elastic.start.velocity);
    return elastic;
}

static bool add(worker *w, scree_model *model) {
    const scree_scene_elastic *given = w->given;
    scree_error err = { 0 };
    scree_elastic elastic = begin(w);
    scree_elastic_start *start = &elastic.start;
    // every mistake in the names of groups is told, not the first alone
    bool fine = take_holds(w, &given->held, &elastic.holds, &elastic.hold);
    fine &= take_loads(w, &given->loads, &elastic.tractions, &elastic.traction);
    fine &= take_holds(w, &given->start.held, &start->holds, &start->hold);
    fine &= take_loads(w, &given->start.loads, &start->tractions, &start->traction);
    fine &= take_contact(w, &elastic);
    if (!fine || scree_model_add_elastic(model, &elastic, &err) == SCREE_OK) return fine;
    const char *key = start->loaded ? "start" : "held";
    scree_findings_take(w->findings, scree_scene_place(&given->section, key), &err);
    return false;
}

bool scree_from_scene_elastic(const scree_scene *scene, const scree_scene_elastic *given,
                              scree_model *model, scree_arena *scratch, scree_findings *findings) {
    worker w = { .scene = scene,
                 .given = given,
                 .space = scene->top.space,
                 .scratch = scratch,
                 .findings = findings };
    bool fine = make_mesh(&w, model->elastics) && add(&w, model);
    if (!w.lent) scree_mesh_free(w.mesh);
    return fine;
}
