// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// from_scene.c - scene -> model. What the model refuses is reported at its place in the scene.

#include <string.h>

#include "scene/scene.h"
#include "scree/model.h"

// false if there was an error, which becomes a finding at the given place
static bool accept(scree_status status, const scree_error *err, scree_place at,
                   scree_findings *findings) {
    if (status) scree_findings_add(findings, at, "%s", err->text);
    return status == SCREE_OK;
}

static bool add_body(scree_model *model, const scree_scene_body *given, scree_findings *findings) {
    scree_error err = { 0 };
    scree_body body = {
        .name = given->name,
        .fixed = given->fixed,
        .mass = given->mass,
        .inertia = given->inertia,
        .position = { given->position[0], given->position[1] },
        .angle = given->angle,
        .velocity = { given->velocity[0], given->velocity[1] },
        .spin = given->spin,
    };
    if (given->force.count == 3) memcpy(body.force, given->force.item, sizeof body.force);
    scree_place at = given->section.node->at;
    bool fine = accept(scree_model_add_body(model, &body, &err), &err, at, findings);
    const scree_scene_shape *shape = given->shapes.item;
    for (int i = 0; fine && i < given->shapes.count; i++) {
        scree_shape made = {
            .kind = (scree_shape_kind)shape[i].kind,
            .body = model->bodies - 1,
            .at = { shape[i].at[0], shape[i].at[1] },
            .normal = { shape[i].normal[0], shape[i].normal[1] },
            .radius = shape[i].radius,
        };
        fine = accept(scree_model_add_shape(model, &made, &err), &err, shape[i].section.node->at,
                      findings);
    }
    return fine;
}

static int body_called(const scree_model *model, const char *name) {
    for (int i = 0; i < model->bodies; i++)
        if (strcmp(model->body[i].name, name) == 0) return i;
    return -1;  // any
}

static bool add_law(scree_model *model, const scree_scene_law *given, scree_findings *findings) {
    scree_error err = { 0 };
    const char *const *name = given->between.item;
    int a = given->between.count == 2 ? body_called(model, name[0]) : -1;
    int b = given->between.count == 2 ? body_called(model, name[1]) : -1;
    scree_law law = { given->restitution, given->friction };
    return accept(scree_model_add_law(model, a, b, law, &err), &err, given->section.node->at,
                  findings);
}

static bool add_contact(scree_model *model, const scree_scene_contact *given,
                        scree_findings *findings) {
    scree_error err = { 0 };
    bool spatial = given->tangents.count == 2;
    scree_row_contact contact = {
        .name = given->name,
        .normal = given->normal.item,
        .tangent = spatial ? given->tangents.item : given->tangent.item,
        .tangents = spatial ? 2 : given->tangent.count > 0,
        .offset = given->gap,
        .law = { given->restitution, given->friction },
    };
    const scree_function *surface = given->surface.item;
    for (int k = 0; k < given->surface.count && k < 2; k++) contact.surface[k] = surface[k];
    return accept(scree_model_add_row_contact(model, &contact, &err), &err, given->section.node->at,
                  findings);
}

static bool add_system(scree_model *model, const scree_scene_system *given,
                       scree_findings *findings) {
    scree_error err = { 0 };
    scree_system system = {
        .coordinates = given->mass.count,
        .mass = given->mass.item,
        .damping = given->damping.item,
        .stiffness = given->stiffness.item,
        .load = given->load.item,
        .position = given->position.item,
        .velocity = given->velocity.item,
    };
    scree_status status = scree_model_set_system(model, &system, &err);
    const char *key = strstr(err.text, "stiffness") ? "stiffness"
                      : strstr(err.text, "damping") ? "damping"
                                                    : "mass";
    bool fine = accept(status, &err, scree_scene_place(&given->section, key), findings);
    const scree_scene_contact *contact = given->contacts.item;
    for (int i = 0; fine && i < given->contacts.count; i++)
        fine = add_contact(model, &contact[i], findings);
    return fine;
}

scree_model *scree_model_from_scene(const scree_scene *scene, scree_findings *findings) {
    const scree_scene_top *top = &scene->top;
    scree_error err = { 0 };
    scree_model *model = scree_model_new();
    if (!model) {
        scree_findings_add(findings, SCREE_NOWHERE, "out of memory");
        return NULL;
    }
    scree_model_set_gravity(model, top->gravity[0], top->gravity[1]);
    bool fine = true;
    const scree_scene_body *body = top->bodies.item;
    const scree_scene_law *law = top->laws.item;
    for (int i = 0; i < top->bodies.count; i++)
        fine = fine && !body[i].section.broken && add_body(model, &body[i], findings);
    for (int i = 0; i < top->laws.count; i++)
        fine = fine && !law[i].section.broken && add_law(model, &law[i], findings);
    if (fine && top->system.section.node)
        fine = !top->system.section.broken && add_system(model, &top->system, findings);
    scree_place at = { scene->file, 0, 0 };
    fine = fine && accept(scree_model_finish(model, &err), &err, at, findings);
    if (fine) return model;
    scree_model_free(model);
    return NULL;
}
