// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// force_from_scene.c - forces of a scene that see the state: drag, fields, walls that keep a
// pressure.
// in: formulas of t, of x, y, angle (in space x, y, z) of the body that they act on, of the same of
// other bodies by their names, and of the velocities of all.   out: the model's forces.

#include <string.h>

#include "model/forces.h"
#include "model/from_scene.h"
#include "model/memory.h"
#include "model/part.h"
#include "scene/expression.h"

enum { PLACES = SCREE_FORCE_PLACES };

typedef struct seen {  // what a variable of a formula stands for
    int body, place;   // body -1: the one that the force acts on
} seen;

typedef struct component {
    const scree_scene_formula *formula;
    seen *seen;  // (variables)
} component;

typedef struct field {
    int count, *body;  // it acts on (count)
    bool implicit;
    int components;        // formulas that are there
    component *component;  // (components)
} field;

typedef struct fields {
    const scree_model *model;
    int count;
    field *field;  // (count)
} fields;

// A component on a body, and its derivative along one of the body's own variables, which are its
// places and then its velocities; -1: along none.
static scree_dual component_at(const scree_model *model, const component *of, int body, int along,
                               const scree_state *state) {
    scree_dual variable[2 * SCREE_FORMULA_VARIABLES];
    int n = of->formula->variables;
    for (int i = 0; i < n; i++) {
        bool own = of->seen[i].body < 0 || of->seen[i].body == body;
        int which = of->seen[i].body < 0 ? body : of->seen[i].body, place = of->seen[i].place;
        variable[i] = (scree_dual){ state->q[(long)which * model->body_coordinates + place],
                                    own && along == place };
        variable[n + i] = (scree_dual){ state->v[(long)which * model->body_dofs + place],
                                        own && along == PLACES + place };
    }
    return scree_expression_along(of->formula->expression, state->time, variable);
}

static void add_field_at(const scree_model *model, const field *of, const scree_state *state,
                         double *force) {
    for (int k = 0; k < of->count; k++) {
        int body = of->body[k];
        if (!scree_body_present(&model->body[body], state->time)) continue;
        for (int c = 0; c < of->components; c++)
            force[(long)body * model->body_dofs + c] +=
                component_at(model, &of->component[c], body, -1, state).value;
    }
}

static void add_fields(const fields *all, bool implicit, const scree_state *state, double *force) {
    for (int f = 0; f < all->count; f++)
        if (all->field[f].implicit == implicit)
            add_field_at(all->model, &all->field[f], state, force);
}

static scree_status push(void *data, const scree_state *state, double *force, scree_error *err) {
    (void)err;
    add_fields(data, false, state, force);
    return SCREE_OK;
}

static void push_at_mean(const void *self, const scree_state *state, double *force) {
    add_fields(self, true, state, force);
}

static void slopes(const void *self, const scree_state *state, double *by_q, double *by_v) {
    const fields *all = self;
    for (int f = 0; f < all->count; f++) {
        const field *of = &all->field[f];
        for (int k = 0; of->implicit && k < of->count; k++) {
            int body = of->body[k];
            if (!scree_body_present(&all->model->body[body], state->time)) continue;
            for (int c = 0; c < of->components && c < PLACES; c++)
                for (int i = 0; i < PLACES; i++) {
                    long at = ((long)body * PLACES + c) * PLACES + i;
                    const component *own = &of->component[c];
                    by_q[at] += component_at(all->model, own, body, i, state).rate;
                    by_v[at] += component_at(all->model, own, body, PLACES + i, state).rate;
                }
        }
    }
}

// --- from the scene -----------------------------------------------------------------------------

typedef struct builder {
    const scree_scene *scene;
    const scree_model *model;
    const int *first;
    scree_arena *arena;
    scree_findings *findings;
} builder;

static bool no_memory(const builder *b) {
    scree_findings_no_memory(b->findings);
    return false;
}

// the bodies that a name stands for; how many
static int bodies_of(const builder *b, const char *name, int *body) {
    scree_meaning meaning = scree_names_find(b->scene, name);
    int count = 0;
    for (int i = 0; i < b->model->bodies; i++) {
        bool one = meaning.kind == SCREE_NAMED_BODY && meaning.number == i;
        bool made = meaning.kind == SCREE_NAMED_GENERATED &&
                    b->first[meaning.number] + meaning.which - 1 == i;
        bool grouped =
            meaning.kind == SCREE_NAMED_GROUP && b->model->body[i].group == meaning.number;
        if (one || made || grouped || meaning.kind == SCREE_NAMED_ANY) body[count++] = i;
    }
    return count;
}

// body.place
static bool find_seen(const builder *b, const scree_scene_formula *formula, const char *variable,
                      seen *out) {
    static const char *const plane[] = { "x", "y", "angle" }, *const space[] = { "x", "y", "z" };
    const char *const *place = b->model->space == 2 ? plane : space;
    const char *dot = strrchr(variable, '.');
    char *name = scree_arena_text(b->arena, variable, (size_t)(dot - variable));
    if (!name) return no_memory(b);
    scree_meaning meaning = scree_names_find(b->scene, name);
    bool one = meaning.kind == SCREE_NAMED_BODY, made = meaning.kind == SCREE_NAMED_GENERATED;
    if (!one && !made) {
        const char *near = scree_names_near(b->scene, name);
        scree_findings_add(
            b->findings, formula->at, "%s: there is no rigid body \"%s\"%s%s%s%s", variable, name,
            near ? "; did you mean \"" : "", near ? near : "", near ? "\"?" : "",
            strchr(name, '-') && !near ? " (a difference needs spaces: a - b.x)" : "");
        return false;
    }
    for (int i = 0; i < PLACES; i++) {
        if (strcmp(dot + 1, place[i]) != 0) continue;
        int body = one ? meaning.number : b->first[meaning.number] + meaning.which - 1;
        *out = (seen){ body, i };
        return true;
    }
    scree_findings_add(b->findings, formula->at,
                       "%s: a body has %s, %s and %s, and their velocities %s' and so on", variable,
                       place[0], place[1], place[2], place[0]);
    return false;
}

static bool add_component(const builder *b, const scree_scene_formula *formula, component *to) {
    *to = (component){ formula, SCREE_NEW(b->arena, seen, formula->variables) };
    if (!to->seen) return no_memory(b);
    bool fine = true;
    for (int i = 0; fine && i < formula->variables; i++) {
        to->seen[i] = (seen){ -1, i };
        if (i >= SCREE_FORMULA_OWN)
            fine = find_seen(b, formula, formula->variable[i], &to->seen[i]);
    }
    return fine;
}

static bool add_field(const builder *b, const scree_scene_force *given, field *to) {
    const char *const *name = given->bodies.item;
    const scree_scene_formula *formula = given->force.item;
    int components = given->force.count;
    size_t room = (size_t)b->model->bodies * (size_t)given->bodies.count;
    *to = (field){ .body = SCREE_NEW(b->arena, int, room),
                   .implicit = given->implicit,
                   .components = components,
                   .component = SCREE_NEW(b->arena, component, components) };
    if (!to->body || !to->component) return no_memory(b);
    for (int k = 0; k < given->bodies.count; k++) {
        int found = bodies_of(b, name[k], to->body + to->count);
        to->count += found;
        if (found) continue;
        scree_findings_add(b->findings, scree_scene_place(&given->section, "bodies"),
                           "bodies: there is no rigid body or group \"%s\"", name[k]);
        return false;
    }
    if (components != b->model->body_dofs && components != b->model->space) {
        scree_findings_add(b->findings, scree_scene_place(&given->section, "force"),
                           "force: expected %d formulas, or %d with those of the torque, found %d",
                           b->model->space, b->model->body_dofs, components);
        return false;
    }
    for (int c = 0; c < components; c++)
        if (!add_component(b, &formula[c], &to->component[c])) return false;
    return true;
}

typedef struct state_formula {
    const scree_model *model;
    component of;
    int body;
} state_formula;

double scree_state_formula_value(const void *self, const scree_state *state) {
    const state_formula *own = self;
    return component_at(own->model, &own->of, own->body, -1, state).value;
}

const void *scree_state_formula_from_scene(scree_scene *scene, const scree_model *model,
                                           const int *first, const scree_scene_formula *formula,
                                           int body, scree_findings *findings) {
    const builder b = { scene, model, first, &scene->arena, findings };
    state_formula *made = SCREE_NEW(b.arena, state_formula, 1);
    if (!made) {
        no_memory(&b);
        return NULL;
    }
    made->model = model;
    made->body = body;
    return add_component(&b, formula, &made->of) ? made : NULL;
}

bool scree_forces_from_scene(scree_scene *scene, scree_model *model, const int *first,
                             scree_findings *findings) {
    const scree_scene_force *given = scene->top.forces.item;
    const builder b = { scene, model, first, &scene->arena, findings };
    scree_error err = { 0 };
    int count = scene->top.forces.count;
    bool fine = true, explicit = false, implicit = false;
    if (!count) return true;
    fields *all = SCREE_NEW(&scene->arena, fields, 1);
    if (all) *all = (fields){ model, count, SCREE_NEW(&scene->arena, field, count) };
    if (!all || !all->field) return no_memory(&b);
    for (int i = 0; fine && i < count; i++) {
        fine = !given[i].section.broken && add_field(&b, &given[i], &all->field[i]);
        implicit |= given[i].implicit;
        explicit |= !given[i].implicit;
    }
    if (fine && implicit)
        model->memory->mean_forces = (scree_mean_forces){ all, push_at_mean, slopes };
    if (fine && explicit) fine = !scree_model_set_forces(model, push, all, &err);
    return fine;
}
