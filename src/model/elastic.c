// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// elastic.c - definition of an elastic body -> its matrices, loads and prescribed displacements in
// the model.
// in: mesh, material, conditions.   out: scree_elastic_body.   work: an arena of its own.

#include "model/elastic.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/space.h"
#include "model/memory.h"

static const char axis_name[3] = { 'x', 'y', 'z' };

static void *copy_of(scree_arena *arena, const void *array, size_t count, size_t size) {
    void *copy = scree_arena_alloc(arena, count, size);
    if (copy && count) memcpy(copy, array, count * size);
    return copy;
}

// --- mesh ---------------------------------------------------------------------------------------

static bool copy_group(const scree_mesh_group *group, scree_arena *arena, scree_mesh_group *copy) {
    *copy = *group;
    copy->name = scree_arena_text(arena, group->name, strlen(group->name));
    copy->node = copy_of(arena, group->node, (size_t)group->nodes, sizeof *group->node);
    copy->facet = copy_of(arena, group->facet, (size_t)group->facets, sizeof *group->facet);
    return copy->name && copy->node && copy->facet;
}

static bool copy_mesh(const scree_mesh *mesh, scree_arena *arena, scree_mesh *copy) {
    size_t corners = (size_t)mesh->first[mesh->elements], facets = (size_t)mesh->facets;
    size_t elements = (size_t)mesh->elements;
    *copy = *mesh;
    copy->memory = NULL;
    copy->node =
        copy_of(arena, mesh->node, (size_t)mesh->nodes * (size_t)mesh->space, sizeof *mesh->node);
    copy->kind = copy_of(arena, mesh->kind, elements, sizeof *mesh->kind);
    copy->first = copy_of(arena, mesh->first, elements + 1, sizeof *mesh->first);
    copy->corner = copy_of(arena, mesh->corner, corners, sizeof *mesh->corner);
    copy->facet = copy_of(arena, mesh->facet, facets * SCREE_FACET_CORNERS, sizeof *mesh->facet);
    copy->owner = copy_of(arena, mesh->owner, facets, sizeof *mesh->owner);
    copy->group = SCREE_NEW(arena, scree_mesh_group, mesh->groups);
    bool fine = copy->node && copy->kind && copy->first && copy->corner && copy->facet &&
                copy->owner && copy->group;
    for (int g = 0; fine && g < mesh->groups; g++)
        fine = copy_group(&mesh->group[g], arena, &copy->group[g]);
    return fine;
}

// the numbers that are marked, ascending
static int *list_marked(const unsigned char *mark, int size, scree_arena *arena, int *count) {
    *count = 0;
    for (int i = 0; i < size; i++) *count += mark[i] != 0;
    int *list = SCREE_NEW(arena, int, *count);
    for (int i = 0, at = 0; list && i < size; i++)
        if (mark[i]) list[at++] = i;
    return list;
}

static bool find_contact(const scree_elastic *given, scree_arena *arena, scree_elastic_body *body) {
    const scree_mesh *mesh = &body->mesh;
    unsigned char *node = SCREE_NEW(arena, unsigned char, mesh->nodes);
    unsigned char *facet = SCREE_NEW(arena, unsigned char, mesh->facets);
    if (!node || !facet) return false;
    for (int c = 0; c < given->contact_groups; c++) {
        const scree_mesh_group *group = &mesh->group[given->contact_group[c]];
        for (int i = 0; i < group->nodes; i++) node[group->node[i]] = 1;
        for (int i = 0; i < group->facets; i++) facet[group->facet[i]] = 1;
    }
    body->contact_node = list_marked(node, mesh->nodes, arena, &body->contact_nodes);
    body->contact_facet = list_marked(facet, mesh->facets, arena, &body->contact_facets);
    if (given->self_nodes >= 0 && given->self_facets >= 0) {
        const scree_mesh_group *nodes = &mesh->group[given->self_nodes];
        const scree_mesh_group *facets = &mesh->group[given->self_facets];
        body->self_nodes = nodes->nodes;
        body->self_node = nodes->node;
        body->self_facets = facets->facets;
        body->self_facet = facets->facet;
    }
    return body->contact_node && body->contact_facet;
}

// --- loads --------------------------------------------------------------------------------------

// one pattern for a number of a load: what it does at the nodes when the number is 1
static bool add_pattern(const scree_function *value, const double *unit, int count,
                        scree_arena *arena, struct scree_elastic_data *parts) {
    scree_load_pattern *pattern = &parts->load[parts->loads++];
    int used = 0;
    for (int i = 0; i < count; i++) used += unit[i] != 0;
    *pattern = (scree_load_pattern){ *value, used, SCREE_NEW(arena, int, used),
                                     SCREE_NEW(arena, double, used) };
    if (!pattern->dof || !pattern->weight) return false;
    for (int i = 0, at = 0; i < count; i++)
        if (unit[i] != 0) {
            pattern->dof[at] = i;
            pattern->weight[at++] = unit[i];
        }
    if (value->at) parts->loads_vary = true;
    return true;
}

static bool add_loads(const scree_elastic *given, const scree_elastic_body *body,
                      scree_arena *arena, struct scree_elastic_data *parts) {
    double *unit = calloc((size_t)body->count, sizeof *unit);
    parts->load = SCREE_NEW(arena, scree_load_pattern, 3 * (given->tractions + 1));
    bool fine = unit && parts->load;
    for (int i = 0; fine && i <= given->tractions; i++) {
        const scree_traction *traction = i < given->tractions ? &given->traction[i] : NULL;
        int numbers = traction && traction->pressure ? 1 : body->mesh.space;
        for (int k = 0; fine && k < numbers; k++) {
            const scree_function *value = traction ? &traction->value[k] : &given->force[k];
            double one[3] = { k == 0, k == 1, k == 2 };
            if (!value->at && value->constant == 0) continue;
            memset(unit, 0, (size_t)body->count * sizeof *unit);
            if (traction)
                scree_fem_add_traction(&body->mesh, &body->material, traction, one, unit);
            else
                scree_fem_add_volume_force(&body->mesh, &body->material, one, unit);
            fine = add_pattern(value, unit, body->count, arena, parts);
        }
    }
    free(unit);
    return fine;
}

void scree_elastic_load(const scree_elastic_body *body, double t, double *load) {
    for (int i = 0; i < body->parts->loads; i++) {
        const scree_load_pattern *pattern = &body->parts->load[i];
        double rate, value = scree_function_at(&pattern->value, t, &rate);
        for (int k = 0; k < pattern->count; k++)
            load[pattern->dof[k]] += value * pattern->weight[k];
    }
}

// --- holds --------------------------------------------------------------------------------------

// the function that holds each degree of freedom, NULL if none does
static scree_status mark_held(const scree_mesh *mesh, int holds, const scree_prescribed *hold,
                              const scree_function **by, scree_error *err) {
    for (int i = 0; i < holds; i++) {
        const scree_mesh_group *group = &mesh->group[hold[i].group];
        for (int k = 0; k < group->nodes; k++) {
            long dof = (long)group->node[k] * mesh->space + hold[i].axis;
            if (by[dof] && !scree_function_same(by[dof], &hold[i].value))
                return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                                  "node %d is held along %c by two conditions that differ, one of "
                                  "them on \"%s\"",
                                  group->node[k], axis_name[hold[i].axis], group->name);
            by[dof] = &hold[i].value;
        }
    }
    return SCREE_OK;
}

static bool list_held(const scree_function *const *by, int count, scree_arena *arena,
                      scree_elastic_body *body, struct scree_elastic_data *parts) {
    int *number = SCREE_NEW(arena, int, count);
    for (int i = 0; i < count; i++) parts->held += by[i] != NULL;
    parts->prescribed_dof = SCREE_NEW(arena, int, parts->held);
    parts->value = SCREE_NEW(arena, scree_function, parts->held);
    if (!number || !parts->prescribed_dof || !parts->value) return false;
    int held = 0;
    for (int i = 0; i < count; i++) {
        number[i] = by[i] ? -1 : body->free++;
        if (!by[i]) continue;
        parts->prescribed_dof[held] = i;
        parts->value[held++] = *by[i];
        if (by[i]->at) parts->driven = true;
    }
    body->number = number;
    return true;
}

void scree_elastic_drive(const scree_elastic_body *body, double t, double *q, double *v) {
    const struct scree_elastic_data *parts = body->parts;
    for (int i = 0; i < parts->held; i++) {
        double rate, value = scree_function_at(&parts->value[i], t, &rate);
        if (q) q[parts->prescribed_dof[i]] = value;
        if (v) v[parts->prescribed_dof[i]] = rate;
    }
}

// --- start --------------------------------------------------------------------------------------

static scree_status find_static(const scree_elastic_start *start, const double gravity[3],
                                const scree_elastic_body *body, struct scree_elastic_data *parts,
                                scree_error *err) {
    size_t count = (size_t)body->count;
    int space = body->mesh.space;
    const scree_function **by = calloc(count, sizeof *by);
    unsigned char *held = calloc(count, 1);
    double *force = calloc(count, sizeof *force), rate;
    scree_status status =
        by && held && force ? SCREE_OK : scree_fail_memory(err, "an elastic body");
    if (!status) status = mark_held(&body->mesh, start->holds, start->hold, by, err);
    for (size_t i = 0; !status && i < count; i++) {
        held[i] = by[i] != NULL;
        if (held[i]) parts->start[i] = scree_function_at(by[i], 0, &rate);
        if (start->gravity)
            force[i] += parts->node_mass[i / (size_t)space] * gravity[i % (size_t)space];
    }
    for (int i = 0; !status && i < start->tractions; i++) {
        double value[3];
        for (int k = 0; k < 3; k++)
            value[k] = scree_function_at(&start->traction[i].value[k], 0, &rate);
        scree_fem_add_traction(&body->mesh, &body->material, &start->traction[i], value, force);
    }
    if (!status)
        status = scree_fem_static(&body->mesh, &parts->fem, held, force, parts->start, err);
    free(by);
    free(held);
    free(force);
    return status;
}

// the run's own conditions must go on from the start, not jump
static scree_status join_start(const scree_elastic_body *body, struct scree_elastic_data *parts,
                               scree_error *err) {
    double most = 0;
    for (int i = 0; i < body->count; i++) most = fmax(most, fabs(parts->start[i]));
    for (int i = 0; i < parts->held; i++) {
        int dof = parts->prescribed_dof[i], space = body->mesh.space;
        double rate, want = scree_function_at(&parts->value[i], 0, &rate), is = parts->start[dof];
        if (!isfinite(want) || !isfinite(rate))
            return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                              "the displacement that holds node %d along %c is not finite at time "
                              "0",
                              dof / space, axis_name[dof % space]);
        if (fabs(want - is) > 1e-9 * fmax(fabs(want), most))
            return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                              "node %d is held at %g along %c, but is at %g at the start: give a "
                              "static start under the same condition, or let the displacement "
                              "begin where the node is",
                              dof / space, want, axis_name[dof % space], is);
        parts->start[dof] = want;
    }
    return SCREE_OK;
}

void scree_elastic_begin(const scree_elastic_body *body, double *q, double *v) {
    memcpy(q, body->parts->start, (size_t)body->count * sizeof *q);
    for (int i = 0; i < body->count; i++) v[i] = body->parts->velocity[i % body->mesh.space];
    scree_elastic_drive(body, 0, NULL, v);
}

// --- the whole ----------------------------------------------------------------------------------

double scree_elastic_turn(const scree_elastic_body *body, const double *q) {
    const scree_mesh *mesh = &body->mesh;
    const double *mass = body->parts->node_mass;
    double centre[3] = { 0 }, mean[3] = { 0 }, sum = 0, moment[3] = { 0 };
    double J[6] = { 0 }, inverse[6], turn[3];
    for (int i = 0; i < mesh->nodes; i++) {
        sum += mass[i];
        for (int k = 0; k < mesh->space; k++) {
            centre[k] += mass[i] * mesh->node[(long)i * mesh->space + k];
            mean[k] += mass[i] * q[(long)i * mesh->space + k];
        }
    }
    for (int i = 0; i < mesh->nodes; i++) {
        double x[3] = { 0 }, u[3] = { 0 }, about[3];
        for (int k = 0; k < mesh->space; k++) {
            x[k] = mesh->node[(long)i * mesh->space + k] - centre[k] / sum;
            u[k] = q[(long)i * mesh->space + k] - mean[k] / sum;
        }
        scree_cross(x, u, about);
        for (int k = 0; k < 3; k++) moment[k] += mass[i] * about[k];
        J[0] += mass[i] * (x[1] * x[1] + x[2] * x[2]);
        J[1] -= mass[i] * x[0] * x[1];
        J[2] -= mass[i] * x[0] * x[2];
        J[3] += mass[i] * (x[0] * x[0] + x[2] * x[2]);
        J[4] -= mass[i] * x[1] * x[2];
        J[5] += mass[i] * (x[0] * x[0] + x[1] * x[1]);
    }
    if (!scree_symmetric_inverse(J, inverse)) return 0;  // all nodes in a line
    scree_symmetric(inverse, moment, turn);
    return scree_length(turn);
}

static bool is_group(const scree_mesh *mesh, int group) {
    return group >= 0 && group < mesh->groups;
}

static scree_status check_conditions(const scree_mesh *mesh, int holds,
                                     const scree_prescribed *hold, int tractions,
                                     const scree_traction *traction, scree_error *err) {
    for (int i = 0; i < holds; i++)
        if (!is_group(mesh, hold[i].group) || hold[i].axis < 0 || hold[i].axis >= mesh->space)
            return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                              "a displacement is held on a group or along an axis that the mesh "
                              "does not have");
    for (int i = 0; i < tractions; i++) {
        if (!is_group(mesh, traction[i].group))
            return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                              "a traction on a group that the mesh does not have");
        if (!mesh->group[traction[i].group].facets)
            return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                              "a traction on \"%s\", which has no facets",
                              mesh->group[traction[i].group].name);
    }
    return SCREE_OK;
}

static scree_status check(const scree_model *model, const scree_elastic *given, scree_error *err) {
    const scree_mesh *mesh = given->mesh;
    const scree_elastic_start *start = &given->start;
    if (model->memory->finished)
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE, "the model is finished already");
    if (mesh->space != model->space)
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE, "the mesh is %s, the model is %s",
                          mesh->space == 2 ? "planar" : "spatial",
                          model->space == 2 ? "planar" : "spatial");
    if (given->group < 0 || given->group > model->groups)
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE, "there is no such group");
    for (int c = 0; c < given->contact_groups; c++)
        if (!is_group(mesh, given->contact_group[c]))
            return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                              "contact on a group that the mesh does not have");
    for (int k = 0; k < 3; k++)
        if (!isfinite(start->velocity[k]))
            return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE, "velocity must be finite");
    if (given->self_nodes >= mesh->groups || given->self_facets >= mesh->groups)
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                          "contact with itself on a group that the mesh does not have");
    scree_status status =
        check_conditions(mesh, given->holds, given->hold, given->tractions, given->traction, err);
    return status ? status
                  : check_conditions(mesh, start->holds, start->hold, start->tractions,
                                     start->traction, err);
}

// row sums of M, which gravity pulls at, and of the sizes of K
static bool find_row_sums(const scree_fem *fem, scree_arena *arena,
                          struct scree_elastic_data *parts) {
    int size = fem->space * fem->space;
    parts->node_mass = copy_of(arena, fem->diagonal, (size_t)fem->nodes, sizeof *fem->diagonal);
    parts->node_stiffness = SCREE_NEW(arena, double, fem->nodes);
    if (!parts->node_mass || !parts->node_stiffness) return false;
    for (int i = 0; i < fem->nodes; i++)
        for (int e = fem->row[i]; e < fem->row[i + 1]; e++) {
            int j = fem->column[e];
            double sum = 0;
            for (int k = 0; k < size; k++) sum += fabs(fem->stiffness[(long)e * size + k]);
            parts->node_mass[i] += fem->mass[e];
            parts->node_mass[j] += fem->mass[e];
            parts->node_stiffness[i] += sum;
            parts->node_stiffness[j] += sum;
        }
    return true;
}

static scree_status hold(const scree_elastic *given, scree_arena *arena, scree_elastic_body *body,
                         struct scree_elastic_data *parts, scree_error *err) {
    const scree_function **by = calloc((size_t)body->count, sizeof *by);
    scree_status status = by ? mark_held(&body->mesh, given->holds, given->hold, by, err)
                             : scree_fail_memory(err, "an elastic body");
    if (!status && !list_held(by, body->count, arena, body, parts))
        status = scree_fail_memory(err, "an elastic body");
    free(by);
    if (!status && body->free == 0)
        status = scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                            "every node is held: make it a "
                            "rigid body that is fixed");
    return status;
}

static double smallest_extent(const scree_mesh *mesh) {
    double least = HUGE_VAL;
    for (int i = 0; i < mesh->elements; i++) least = fmin(least, scree_fem_extent(mesh, i));
    return least;
}

static scree_status build(const scree_model *model, const scree_elastic *given,
                          scree_elastic_body *body, scree_error *err) {
    scree_arena *arena = &model->memory->arena;
    const char *name = given->name ? given->name : "";
    struct scree_elastic_data *parts = SCREE_NEW(arena, struct scree_elastic_data, 1);
    *body = (scree_elastic_body){
        .name = scree_arena_text(arena, name, strlen(name)),
        .group = given->group,
        .material = given->material,
        .coordinate = model->coordinates,
        .dof = model->dofs,
        .count = given->mesh->nodes * given->mesh->space,
        .wave_speed = scree_material_wave_speed(&given->material),
        .extent = smallest_extent(given->mesh),
        .parts = parts,
    };
    bool fine = parts && body->name && copy_mesh(given->mesh, arena, &body->mesh) &&
                find_contact(given, arena, body);
    if (!fine) return scree_fail_memory(err, "an elastic body");
    scree_status status = scree_fem_assemble(&body->mesh, &body->material, arena, &parts->fem, err);
    if (status) return status;
    parts->start = SCREE_NEW(arena, double, body->count);
    memcpy(parts->velocity, given->start.velocity, sizeof parts->velocity);
    if (!parts->start || !find_row_sums(&parts->fem, arena, parts) ||
        !add_loads(given, body, arena, parts))
        return scree_fail_memory(err, "an elastic body");
    status = hold(given, arena, body, parts, err);
    if (!status && given->start.loaded)
        status = find_static(&given->start, model->gravity, body, parts, err);
    return status ? status : join_start(body, parts, err);
}

scree_status scree_model_add_elastic(scree_model *model, const scree_elastic *elastic,
                                     scree_error *err) {
    scree_error why = { 0 };
    scree_elastic_body body;
    scree_status status = check(model, elastic, &why);
    if (!status) status = build(model, elastic, &body, &why);
    if (status)
        return scree_fail(err, status, SCREE_NOWHERE, "elastic body \"%s\": %s",
                          elastic->name ? elastic->name : "", why.text);
    size_t size = ((size_t)model->elastics + 1) * sizeof body;
    scree_elastic_body *array = realloc(model->elastic, size);
    if (!array) return scree_fail_memory(err, "an elastic body");
    model->elastic = array;
    array[model->elastics++] = body;
    model->dofs += body.count;
    model->coordinates += body.count;
    return SCREE_OK;
}
