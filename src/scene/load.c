// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// load.c - from a file to a checked scene.
// in: file or text, overrides.   out: a scene, and findings about everything that is wrong in it.

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/nearest.h"
#include "scene/scene.h"

enum { SCENE_BYTES_MAX = 64 << 20 };

scree_run_options scree_run_options_default(void) {
    return (scree_run_options){
        .scheme = scree_scheme_options_default(),
        .solver = scree_solver_options_default(),
        .duration = NAN,
        .store_every = 1,
        .store_active_only = true,
    };
}

static void check_names(const scree_scene *scene, scree_findings *findings) {
    const scree_scene_body *body = scene->top.bodies.item;
    for (int i = 0; i < scene->top.bodies.count; i++) {
        if (!body[i].name) continue;
        scree_place at = scree_scene_place(&body[i].section, "name");
        if (!*body[i].name || strcmp(body[i].name, "any") == 0)
            scree_findings_add(findings, at, "a body cannot be called \"%s\"", body[i].name);
        for (int j = 0; j < i; j++)
            if (body[j].name && strcmp(body[i].name, body[j].name) == 0) {
                scree_findings_add(findings, at, "body \"%s\" is there already, in line %d",
                                   body[i].name, scree_scene_place(&body[j].section, "name").line);
                break;
            }
    }
}

static void check_shape(const scree_scene_shape *shape, scree_findings *findings) {
    const scree_section *section = &shape->section;
    bool radius = scree_scene_given(section, "radius"),
         normal = scree_scene_given(section, "normal");
    if (shape->kind == SCREE_DISC && !radius)
        scree_findings_add(findings, scree_scene_place(section, "type"), "a disc needs a radius");
    if (shape->kind != SCREE_DISC && radius)
        scree_findings_add(findings, scree_scene_place(section, "radius"),
                           "only a disc has a radius");
    if (shape->kind != SCREE_HALF_PLANE && normal)
        scree_findings_add(findings, scree_scene_place(section, "normal"),
                           "only a half-plane has a normal");
    if (shape->kind == SCREE_HALF_PLANE && shape->normal[0] == 0 && shape->normal[1] == 0)
        scree_findings_add(findings, scree_scene_place(section, "normal"),
                           "the normal of a half-plane must have a length");
}

static void check_body(const scree_scene_body *body, scree_findings *findings) {
    const scree_section *section = &body->section;
    const char *name = body->name ? body->name : "";
    static const char *const needed[] = { "mass", "inertia" };
    for (int i = 0; i < 2; i++)
        // a key that was misspelt is complained about already
        if (!section->broken && !body->fixed && !scree_scene_given(section, needed[i]))
            scree_findings_add(findings, section->node->at, "body \"%s\" needs %s (or fixed: true)",
                               name, needed[i]);
    if (body->fixed && (body->velocity[0] != 0 || body->velocity[1] != 0))
        scree_findings_add(findings, scree_scene_place(section, "velocity"),
                           "body \"%s\" is fixed and cannot have a velocity", name);
    if (body->fixed && body->spin != 0)
        scree_findings_add(findings, scree_scene_place(section, "spin"),
                           "body \"%s\" is fixed and cannot have a spin", name);
    if (scree_scene_given(section, "force") && body->force.item && body->force.count != 3)
        scree_findings_add(findings, scree_scene_place(section, "force"),
                           "body \"%s\": force is [fx, fy, torque], found %d numbers", name,
                           body->force.count);
    const scree_scene_shape *shape = body->shapes.item;
    for (int i = 0; i < body->shapes.count; i++)
        if (!shape[i].section.broken) check_shape(&shape[i], findings);
}

static void check_law(const scree_scene *scene, const scree_scene_law *law,
                      scree_findings *findings) {
    const scree_scene_body *body = scene->top.bodies.item;
    scree_place at = scree_scene_place(&law->section, "between");
    if (!scree_scene_given(&law->section, "between") || !law->between.item) return;
    if (law->between.count != 2) {
        scree_findings_add(findings, at, "between: expected two names, found %d",
                           law->between.count);
        return;
    }
    for (int k = 0; k < 2; k++) {
        const char *name = ((const char **)law->between.item)[k];
        if (!name) continue;  // no text, complained about already
        const char *known[64];
        int count = 0;
        bool found = strcmp(name, "any") == 0;
        for (int i = 0; i < scene->top.bodies.count; i++) {
            if (!body[i].name) continue;
            found |= strcmp(name, body[i].name) == 0;
            if (count < 64) known[count++] = body[i].name;
        }
        const char *near = found ? NULL : scree_nearest(name, known, count);
        at = scree_yaml_find(law->section.node, "between")->item[k]->at;
        if (!found)
            scree_findings_add(findings, at, "between: there is no body \"%s\"%s%s%s", name,
                               near ? "; did you mean \"" : "", near ? near : "",
                               near ? "\"?" : "");
    }
}

static void check_length(const scree_section *section, const char *key, int count, int wanted,
                         scree_findings *findings) {
    if (scree_scene_given(section, key) && count != wanted)
        scree_findings_add(findings, scree_scene_place(section, key),
                           "%s has %d entries, the system has %d coordinates", key, count, wanted);
}

static void check_square(const scree_section *section, const char *key, const scree_list *matrix,
                         int n, scree_findings *findings) {
    if (scree_scene_given(section, key) && (matrix->count != n || matrix->columns != n))
        scree_findings_add(findings, scree_scene_place(section, key),
                           "%s must be %d x %d like the mass matrix, found %d x %d", key, n, n,
                           matrix->count, matrix->columns);
}

static void check_contact(const scree_scene_contact *contact, int n, scree_findings *findings) {
    const scree_section *section = &contact->section;
    bool one = scree_scene_given(section, "tangent"), two = scree_scene_given(section, "tangents");
    check_length(section, "normal", contact->normal.count, n, findings);
    check_length(section, "tangent", contact->tangent.count, n, findings);
    double length = 0;
    for (int i = 0; i < contact->normal.count; i++)
        length += fabs(((const double *)contact->normal.item)[i]);
    if (length == 0)
        scree_findings_add(findings, scree_scene_place(section, "normal"), "the normal is zero");
    if (one && two)
        scree_findings_add(findings, scree_scene_place(section, "tangents"),
                           "give either tangent (planar) or tangents (spatial)");
    if (two && (contact->tangents.count != 2 || contact->tangents.columns != n))
        scree_findings_add(findings, scree_scene_place(section, "tangents"),
                           "tangents are 2 rows of %d numbers, found %d x %d", n,
                           contact->tangents.count, contact->tangents.columns);
    if (contact->friction > 0 && !one && !two)
        scree_findings_add(findings, scree_scene_place(section, "friction"),
                           "friction needs a tangent");
    int tangents = two ? 2 : one;
    if (scree_scene_given(section, "surface_velocity") && contact->surface.count != tangents)
        scree_findings_add(findings, scree_scene_place(section, "surface_velocity"),
                           "surface_velocity has %d entries, the contact has %d tangents",
                           contact->surface.count, tangents);
}

static void check_system(const scree_scene_system *system, scree_findings *findings) {
    const scree_section *section = &system->section;
    int n = system->mass.count;
    const scree_scene_contact *contact = system->contacts.item;
    if (n == 0) {
        scree_findings_add(findings, scree_scene_place(section, "mass"), "mass has no rows");
        return;
    }
    // nothing can be measured against a mass matrix that is not square
    if (system->mass.columns != n) {
        scree_findings_add(findings, scree_scene_place(section, "mass"),
                           "mass must be a square matrix, found %d x %d", n, system->mass.columns);
        return;
    }
    check_square(section, "damping", &system->damping, n, findings);
    check_square(section, "stiffness", &system->stiffness, n, findings);
    check_length(section, "load", system->load.count, n, findings);
    check_length(section, "position", system->position.count, n, findings);
    check_length(section, "velocity", system->velocity.count, n, findings);
    for (int i = 0; i < system->contacts.count; i++) {
        if (!contact[i].section.broken) check_contact(&contact[i], n, findings);
        for (int j = 0; j < i && contact[i].name; j++)
            if (contact[j].name && strcmp(contact[i].name, contact[j].name) == 0)
                scree_findings_add(findings, scree_scene_place(&contact[i].section, "name"),
                                   "contact \"%s\" is there already", contact[i].name);
    }
}

// what no single value can show
static void check_whole(scree_scene *scene, scree_findings *findings) {
    scree_scene_top *top = &scene->top;
    scree_scene_body *body = top->bodies.item;
    scree_scene_law *law = top->laws.item;
    bool bodies = scree_scene_given(&top->section, "bodies");
    bool system = scree_scene_given(&top->section, "system");
    if (bodies == system)
        scree_findings_add(
            findings, system ? scree_scene_place(&top->section, "system") : top->section.node->at,
            "a scene has either bodies or a system; this one has %s", system ? "both" : "neither");
    if (bodies && top->bodies.item && !top->bodies.count)
        scree_findings_add(findings, scree_scene_place(&top->section, "bodies"),
                           "the list of bodies is empty");
    check_names(scene, findings);
    // a section with a finding of its own is broken: no model is made of it
    int known = findings->count;
    for (int i = 0; i < top->bodies.count; i++, known = findings->count) {
        if (body[i].section.node) check_body(&body[i], findings);
        body[i].section.broken |= findings->count > known;
    }
    for (int i = 0; i < top->laws.count; i++, known = findings->count) {
        if (law[i].section.node) check_law(scene, &law[i], findings);
        law[i].section.broken |= findings->count > known;
    }
    if (system && !top->system.section.broken) check_system(&top->system, findings);
    top->system.section.broken |= findings->count > known;
    if (!top->scheme.section.broken && top->scheme.duration / top->scheme.step > 1e15)
        scree_findings_add(findings, scree_scene_place(&top->scheme.section, "step"),
                           "duration / step is %g steps, more than can be counted",
                           top->scheme.duration / top->scheme.step);
}

static void fill_options(scree_scene *scene) {
    const scree_scene_scheme *scheme = &scene->top.scheme;
    const scree_scene_solver *solver = &scene->top.solver;
    scene->options = (scree_run_options){
        .scheme = { (scree_scheme)scheme->name, scheme->theta, scheme->step,
                    (scree_activation)scheme->activation, (scree_approach)scheme->approach,
                    (scree_jacobian)scheme->jacobian, scheme->gap_tolerance,
                    scheme->velocity_tolerance },
        .solver = { .name = scree_solver_list()[solver->name].name,
                    .tolerance = solver->tolerance,
                    .max_sweeps = solver->max_sweeps,
                    .threads = 1 },
        .duration = scheme->duration,
        .accept_unconverged = solver->unconverged == 1,
        .accept_overlaps = scene->top.overlaps == 1,
        .store_every = scene->top.output.every,
        .store_active_only = scene->top.output.contacts == 0,
    };
}

scree_scene *scree_scene_parse(const char *name, const char *text, size_t length,
                               const char *const *overrides, int count, scree_findings *findings) {
    scree_place at = { name, 0, 0 };
    scree_scene *scene = calloc(1, sizeof *scene);
    if (!scene) {
        scree_findings_add(findings, at, "out of memory");
        return NULL;
    }
    scree_arena *arena = &scene->arena;
    scene->file = scree_arena_text(arena, name, strlen(name));
    scene->text = scree_arena_text(arena, text, length);
    scene->length = length;
    scene->override = SCREE_NEW(arena, const char *, count);
    bool fine = scene->file && scene->text && scene->override;
    for (int i = 0; fine && i < count; i++) {
        scene->override[i] = scree_arena_text(arena, overrides[i], strlen(overrides[i]));
        fine = scene->override[scene->overrides++];
    }
    if (!fine) scree_findings_add(findings, at, "out of memory");
    scree_node *root =
        fine ? scree_yaml_parse(scene->file, scene->text, length, arena, findings) : NULL;
    if (!root) {
        if (!findings->count) scree_findings_add(findings, at, "out of memory");
        scree_scene_free(scene);
        return NULL;
    }
    for (int i = 0; i < count; i++) scree_override_apply(root, overrides[i], arena, findings);
    if (root->kind == SCREE_NODE_MAP && root->count == 0) {
        at = (scree_place){ scene->file, 1, 1 };
        scree_findings_add(findings, at, "the scene is empty (scree new writes one to start from)");
        return scene;
    }
    scree_reader_fill(scene, root, findings);
    if (scene->top.section.node) check_whole(scene, findings);
    scree_findings_sort(findings);
    fill_options(scene);
    return scene;
}

// the whole file in memory, or NULL with a finding
static char *read_file(const char *file, size_t *length, scree_findings *findings) {
    scree_place at = { file, 0, 0 };
    FILE *stream = fopen(file, "rb");
    if (!stream) {
        scree_findings_add(findings, at, "cannot be opened: %s", strerror(errno));
        return NULL;
    }
    char *text = NULL;
    size_t room = 0, used = 0, got = 1;
    while (got > 0 && used < SCENE_BYTES_MAX) {
        if (used == room) {
            char *more = realloc(text, room = room ? 2 * room : 65536);
            if (!more) break;
            text = more;
        }
        got = fread(text + used, 1, room - used, stream);
        used += got;
    }
    bool failed = ferror(stream);
    int reason = errno;
    fclose(stream);
    if (!failed && got == 0) {
        *length = used;
        return text;
    }
    free(text);
    if (failed)
        scree_findings_add(findings, at, "cannot be read: %s", strerror(reason));
    else
        scree_findings_add(findings, at, "is too large for a scene (%d MiB at most)",
                           SCENE_BYTES_MAX >> 20);
    return NULL;
}

scree_scene *scree_scene_load(const char *file, const char *const *overrides, int count,
                              scree_findings *findings) {
    size_t length = 0;
    char *text = read_file(file, &length, findings);
    if (!text) return NULL;
    scree_scene *scene = scree_scene_parse(file, text, length, overrides, count, findings);
    free(text);
    return scene;
}

void scree_scene_free(scree_scene *scene) {
    if (!scene) return;
    scree_arena_free(&scene->arena);
    free(scene);
}

const char *scree_scene_title(const scree_scene *scene) {
    return scene->top.title ? scene->top.title : "";
}

const scree_run_options *scree_scene_options(const scree_scene *scene) { return &scene->options; }

const char *scree_scene_text(const scree_scene *scene, size_t *length) {
    *length = scene->length;
    return scene->text;
}

const char *scree_scene_file(const scree_scene *scene) { return scene->file; }

int scree_scene_overrides(const scree_scene *scene, const char *const **overrides) {
    *overrides = scene->override;
    return scene->overrides;
}
