// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// force_from_scene.c - forces of a scene that see the state of the body they act on: drag, fields.
// in: formulas of t, x, y, angle (z in space) and their velocities.   out: the model's forces.

#include <string.h>

#include "model/from_scene.h"
#include "model/part.h"
#include "scene/expression.h"

enum { PLACES = 3 };

typedef struct field {
    int count, *body;                             // it acts on (count)
    int components;                               // formulas that are there
    const struct scree_expression *const *force;  // (components)
} field;

typedef struct fields {
    const scree_model *model;
    int count;
    field *field;  // (count)
} fields;

static scree_status push(void *data, const scree_state *state, double *force, scree_error *err) {
    const fields *all = data;
    const scree_model *model = all->model;
    (void)err;
    for (int f = 0; f < all->count; f++)
        for (int k = 0; k < all->field[f].count; k++) {
            int body = all->field[f].body[k];
            const double *q = state->q + (long)body * model->body_coordinates,
                         *v = state->v + (long)body * model->body_dofs;
            scree_dual variable[2 * PLACES];
            if (!scree_body_present(&model->body[body], state->time)) continue;
            for (int c = 0; c < PLACES; c++) {
                variable[c] = (scree_dual){ q[c], 0 };
                variable[PLACES + c] = (scree_dual){ v[c], 0 };
            }
            for (int c = 0; c < all->field[f].components; c++)
                force[(long)body * model->body_dofs + c] +=
                    scree_expression_along(all->field[f].force[c], state->time, variable).value;
        }
    return SCREE_OK;
}

// the bodies that a name stands for; how many
static int bodies_of(const scree_scene *scene, const scree_model *model, const int *first,
                     const char *name, int *body) {
    scree_meaning meaning = scree_names_find(scene, name);
    int count = 0;
    for (int i = 0; i < model->bodies; i++) {
        bool one = meaning.kind == SCREE_NAMED_BODY && meaning.number == i;
        bool made =
            meaning.kind == SCREE_NAMED_GENERATED && first[meaning.number] + meaning.which - 1 == i;
        bool grouped = meaning.kind == SCREE_NAMED_GROUP && model->body[i].group == meaning.number;
        if (one || made || grouped || meaning.kind == SCREE_NAMED_ANY) body[count++] = i;
    }
    return count;
}

static bool add_field(const scree_scene *scene, const scree_model *model, const int *first,
                      const scree_scene_force *given, scree_arena *arena, field *to,
                      scree_findings *findings) {
    const char *const *name = given->bodies.item;
    to->components = given->force.count;
    to->force = given->force.item;
    size_t room = (size_t)model->bodies * (size_t)given->bodies.count;
    to->body = SCREE_NEW(arena, int, room);
    if (!to->body) {
        scree_findings_add(findings, given->section.node->at, "out of memory");
        return false;
    }
    for (int k = 0; k < given->bodies.count; k++) {
        int found = bodies_of(scene, model, first, name[k], to->body + to->count);
        to->count += found;
        if (found) continue;
        scree_findings_add(findings, scree_scene_place(&given->section, "bodies"),
                           "bodies: there is no rigid body or group \"%s\"", name[k]);
        return false;
    }
    if (given->force.count == model->body_dofs || given->force.count == model->space) return true;
    scree_findings_add(findings, scree_scene_place(&given->section, "force"),
                       "force: expected %d formulas, or %d with those of the torque, found %d",
                       model->space, model->body_dofs, given->force.count);
    return false;
}

bool scree_forces_from_scene(scree_scene *scene, scree_model *model, const int *first,
                             scree_findings *findings) {
    const scree_scene_force *given = scene->top.forces.item;
    scree_error err = { 0 };
    int count = scene->top.forces.count;
    if (!count) return true;
    fields *all = SCREE_NEW(&scene->arena, fields, 1);
    if (all) *all = (fields){ model, count, SCREE_NEW(&scene->arena, field, count) };
    if (!all || !all->field) {
        scree_findings_add(findings, SCREE_NOWHERE, "out of memory");
        return false;
    }
    bool fine = true;
    for (int i = 0; i < count; i++)
        fine = fine && !given[i].section.broken &&
               add_field(scene, model, first, &given[i], &scene->arena, &all->field[i], findings);
    return fine && !scree_model_set_forces(model, push, all, &err);
}
