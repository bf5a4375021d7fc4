// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// joint_from_scene.c - scene -> joints of the model.

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/space.h"
#include "model/from_scene.h"
#include "scree/fem.h"
#include "scree/joint.h"

typedef struct joiner {
    const scree_scene *scene;
    scree_model *model;
    const int *first;
    scree_findings *findings;
} joiner;

int scree_joint_side_from_scene(const scree_scene *scene, const int *first, const char *name) {
    scree_meaning meaning = scree_names_find(scene, name);
    int marker = scree_scene_marker_find(scene, name);
    if (meaning.kind == SCREE_NAMED_BODY) return meaning.number;
    if (meaning.kind == SCREE_NAMED_GENERATED) return first[meaning.number] + meaning.which - 1;
    return marker >= 0 ? SCREE_MARKER(marker) : SCREE_GROUND;
}

static int body_of(const joiner *b, const char *name) {
    return scree_joint_side_from_scene(b->scene, b->first, name);
}

static int joint_of(const joiner *b, const char *name) {
    for (int k = 0; k < b->model->joints; k++)
        if (strcmp(b->model->joint[k].name, name) == 0) return k;
    return -1;
}

// a point in the frame of a body, in the world
static void place(const scree_model *model, int body, const double *own, double out[3]) {
    const scree_body *of = &model->body[body];
    double A[9], turned[3], from[3] = { own[0], own[1], model->space == 3 ? own[2] : 0 };
    if (model->space == 3) {
        scree_rotation(of->orientation, A);
        scree_rotate(A, from, turned);
    } else {
        turned[0] = cos(of->angle) * from[0] - sin(of->angle) * from[1];
        turned[1] = sin(of->angle) * from[0] + cos(of->angle) * from[1];
        turned[2] = 0;
    }
    for (int k = 0; k < 3; k++) out[k] = of->position[k] + turned[k];
}

static void copy(const scree_list *from, double to[3]) {
    for (int k = 0; k < from->count && k < 3; k++) to[k] = ((const double *)from->item)[k];
}

static scree_joint make_joint(const scree_scene_joint *given) {
    scree_joint joint =
        scree_joint_default((scree_joint_kind)given->type, SCREE_GROUND, SCREE_GROUND);
    joint.name = given->name;
    copy(&given->at, joint.anchor[0]);
    copy(given->to.count ? &given->to : &given->at, joint.anchor[1]);
    copy(&given->axis, joint.axis);
    copy(&given->axis_second, joint.axis_second);
    if (!isnan(given->length)) joint.length = given->length;
    if (!isnan(given->pitch)) joint.pitch = given->pitch;
    joint.ratio = given->ratio;
    if (!isnan(given->lower)) joint.lower = given->lower;
    if (!isnan(given->upper)) joint.upper = given->upper;
    joint.restitution = given->restitution;
    joint.friction = given->friction;
    joint.radius = given->radius;
    joint.dry_friction = given->dry_friction;
    joint.clearance = given->clearance;
    joint.collide = given->collide;
    return joint;
}

static bool add(const joiner *b, const scree_scene_joint *given, const scree_joint *joint) {
    scree_error err = { 0 };
    scree_status status = scree_model_add_joint(b->model, joint, &err);
    const char *key = strstr(err.text, "upper limit") ? "upper"
                      : strstr(err.text, "limit")     ? "lower"
                      : strstr(err.text, "axis")      ? "axis"
                      : strstr(err.text, "axes")      ? "axis_second"
                      : strstr(err.text, "clearance") ? "clearance"
                      : strstr(err.text, "friction")  ? "friction"
                      : strstr(err.text, "such body") || strstr(err.text, "its bodies") ? "bodies"
                                                                                        : "type";
    if (status)
        scree_findings_add(b->findings, scree_scene_place(&given->section, key), "%s", err.text);
    return !status;
}

// each body of a generator and the next
static bool add_chain(const joiner *b, const scree_scene_joint *given) {
    char name[300], link[300];
    snprintf(link, sizeof link, "%.240s-1", given->chain);
    scree_meaning meaning = scree_names_find(b->scene, link);
    const scree_scene_generator *generator = b->scene->top.generate.item;
    int first = body_of(b, link), count = scree_scene_generated(&generator[meaning.number]);
    bool fine = true;
    for (int i = 0; fine && i + 1 < count; i++) {
        scree_joint joint = make_joint(given);
        snprintf(name, sizeof name, "%.240s-%d", given->name, i + 1);
        joint.name = name;
        joint.a = first + i + 1;
        joint.b = first + i;
        place(b->model, first + i, given->at.item, joint.anchor[1]);
        if (given->to.count)
            place(b->model, first + i + 1, given->to.item, joint.anchor[0]);
        else
            memcpy(joint.anchor[0], joint.anchor[1], sizeof joint.anchor[0]);
        fine = add(b, given, &joint);
    }
    return fine;
}

static bool add_one(const joiner *b, const scree_scene_joint *given) {
    const char *const *name = given->bodies.item;
    if (given->chain) return add_chain(b, given);
    scree_joint joint = make_joint(given);
    if (given->type == SCREE_COUPLER)
        for (int k = 0; k < 2; k++)
            joint.joint[k] = joint_of(b, ((const char *const *)given->joints.item)[k]);
    else
        joint.a = body_of(b, name[0]);
    if (given->bodies.count == 2) joint.b = body_of(b, name[1]);
    return add(b, given, &joint);
}

// what holds coordinates of one body
static bool add_hold(const joiner *b, const scree_scene_body *given, int body) {
    char name[300];
    scree_error err = { 0 };
    const char *const *coordinate = given->hold.item;
    scree_joint joint = scree_joint_default(SCREE_HOLD, body, SCREE_GROUND);
    snprintf(name, sizeof name, "%.240s.hold", b->model->body[body].name);
    joint.name = name;
    joint.collide = true;
    memcpy(joint.anchor[0], b->model->body[body].position, sizeof joint.anchor[0]);
    memcpy(joint.anchor[1], b->model->body[body].position, sizeof joint.anchor[1]);
    for (int i = 0; i < given->hold.count; i++)
        joint.held |= scree_scene_held(coordinate[i], b->model->space);
    scree_status status = scree_model_add_joint(b->model, &joint, &err);
    if (status)
        scree_findings_add(b->findings, scree_scene_place(&given->section, "hold"), "%s", err.text);
    return !status;
}

// the description of body k of the model, in the order of scenes; which generator it is of
static const scree_scene_body *described(const scree_scene *scene, int k) {
    const scree_scene_generator *generator = scene->top.generate.item;
    if (k < scene->top.bodies.count) return (const scree_scene_body *)scene->top.bodies.item + k;
    k -= scene->top.bodies.count;
    for (int g = 0; g < scene->top.generate.count; g++) {
        int count = scree_scene_generated(&generator[g]);
        bool each = generator[g].arrange == SCREE_ARRANGE_EACH;
        if (k < count)
            return each ? (const scree_scene_body *)generator[g].each.item + k : &generator[g].body;
        k -= count;
    }
    return NULL;
}

static bool add_holds(const joiner *b) {
    bool fine = true;
    for (int k = 0; fine && k < b->model->bodies; k++) {
        const scree_scene_body *given = described(b->scene, k);
        if (given && given->hold.count) fine = add_hold(b, given, k);
    }
    return fine;
}

// the group of a patch; -1, and it is said where
static int group_of(const joiner *b, const scree_scene_marker *given, int body) {
    const scree_mesh *mesh = &b->model->elastic[body].mesh;
    int group = scree_mesh_find(mesh, given->group);
    char list[300] = "";
    for (int g = 0; group < 0 && g < mesh->groups && g < 6; g++) {
        size_t used = strlen(list);
        snprintf(list + used, sizeof list - used, "%s%.40s", g ? ", " : "", mesh->group[g].name);
    }
    if (group < 0)
        scree_findings_add(b->findings, scree_scene_place(&given->section, "group"),
                           "group: the mesh of \"%s\" has no group \"%s\"; it has %s",
                           given->elastic, given->group, list);
    return group;
}

static bool add_marker(const joiner *b, scree_scene *scene, const scree_scene_marker *given) {
    scree_error err = { 0 };
    scree_marker marker = { .name = given->name };
    if (given->elastic) {
        marker.kind = SCREE_MARKER_PATCH;
        marker.body = scree_names_find(scene, given->elastic).number;
        marker.group = group_of(b, given, marker.body);
        if (marker.group < 0) return false;
    } else if (given->system.count) {
        marker.kind = SCREE_MARKER_SYSTEM;
        marker.rows = given->system.count;
        marker.row = given->system.item;
    } else {
        marker.kind = SCREE_MARKER_MECHANISM;
        marker.rows = given->mechanism.count;
        marker.value = scree_marker_formulas_value;
        marker.self = scree_marker_formulas_from_scene(scene, given);
    }
    scree_status status = scree_model_add_marker(b->model, &marker, &err);
    if (status)
        scree_findings_add(b->findings, scree_scene_place(&given->section, "name"), "%s", err.text);
    return !status;
}

bool scree_markers_from_scene(scree_scene *scene, scree_model *model, scree_findings *findings) {
    const scree_scene_marker *marker = scene->top.markers.item;
    const joiner b = { scene, model, NULL, findings };
    bool fine = true;
    for (int i = 0; fine && i < scene->top.markers.count; i++)
        fine = !marker[i].section.broken && add_marker(&b, scene, &marker[i]);
    return fine;
}

bool scree_joints_from_scene(const scree_scene *scene, scree_model *model, const int *first,
                             scree_findings *findings) {
    const scree_scene_joint *joint = scene->top.joints.item;
    const joiner b = { scene, model, first, findings };
    bool fine = true;
    for (int i = 0; fine && i < scene->top.joints.count; i++)
        fine = !joint[i].section.broken && add_one(&b, &joint[i]);
    return fine && add_holds(&b);
}

scree_source_location scree_joint_place(const scree_scene *scene, int k, const char *key) {
    const scree_scene_joint *joint = scene->top.joints.item;
    const scree_scene_generator *generator = scene->top.generate.item;
    for (int i = 0; i < scene->top.joints.count; i++) {
        int count = 1;
        if (joint[i].chain) {
            char link[300];
            snprintf(link, sizeof link, "%.240s-1", joint[i].chain);
            count = scree_scene_generated(&generator[scree_names_find(scene, link).number]) - 1;
        }
        if (k < count) return scree_scene_place(&joint[i].section, key);
        k -= count;
    }
    const scree_scene_body *body;
    for (int i = 0; (body = described(scene, i)); i++)
        if (body->hold.count && k-- == 0) return scree_scene_place(&body->section, "hold");
    return SCREE_NOWHERE;
}
