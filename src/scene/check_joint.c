// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// check_joint.c - what is wrong with a joint though each of its values is fine.

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "scene/scene.h"
#include "scree/joint.h"

#define COMPLAIN(key, ...) \
    scree_findings_add(findings, scree_scene_place(&joint->section, key), __VA_ARGS__)

static bool given(const scree_scene_joint *joint, const char *key) {
    return scree_scene_given(&joint->section, key);
}

static void check_name(const scree_scene *scene, int number, scree_findings *findings) {
    const scree_scene_joint *all = scene->top.joints.item, *joint = &all[number];
    for (int i = 0; joint->name && i < number; i++)
        if (all[i].name && strcmp(all[i].name, joint->name) == 0)
            COMPLAIN("name", "joint \"%s\" is there already, in line %d", joint->name,
                     scree_scene_place(&all[i].section, "name").line);
}

static void check_body(const scree_scene *scene, const scree_scene_joint *joint, int k,
                       scree_findings *findings) {
    const char *name = ((const char **)joint->bodies.item)[k];
    if (!name || strcmp(name, "ground") == 0) return;
    scree_named kind = scree_names_find(scene, name).kind;
    scree_source_location at = scree_yaml_find(joint->section.node, "bodies")->item[k]->at;
    if (kind == SCREE_NAMED_BODY || kind == SCREE_NAMED_GENERATED) return;
    if (scree_scene_marker_find(scene, name) >= 0) return;
    if (kind == SCREE_NAMED_ELASTIC) {
        scree_findings_add(findings, at,
                           "bodies: \"%s\" is elastic: name a marker that follows a group of its "
                           "nodes, markers: [{name: ..., elastic: %s, group: ...}]",
                           name, name);
        return;
    }
    const char *near = scree_names_near(scene, name);
    scree_findings_add(findings, at, "bodies: there is no body \"%s\"%s%s%s", name,
                       near ? "; did you mean \"" : "", near ? near : "", near ? "\"?" : "");
}

static void check_bodies(const scree_scene *scene, const scree_scene_joint *joint,
                         scree_findings *findings) {
    const char *const *name = joint->bodies.item;
    if (given(joint, "bodies") == given(joint, "chain")) {
        COMPLAIN("bodies", "a joint has either bodies or chain");
        return;
    }
    if (given(joint, "chain")) {
        char first[256];
        snprintf(first, sizeof first, "%.240s-1", joint->chain);
        if (scree_names_find(scene, first).kind != SCREE_NAMED_GENERATED)
            COMPLAIN("chain", "chain: there is no generator \"%s\"", joint->chain);
        return;
    }
    if (!name) return;
    if (joint->bodies.count < 1 || joint->bodies.count > 2) {
        COMPLAIN("bodies", "bodies: expected one or two names, found %d", joint->bodies.count);
        return;
    }
    for (int k = 0; k < joint->bodies.count; k++) check_body(scene, joint, k, findings);
    if (joint->bodies.count == 2 && name[0] && name[1] && strcmp(name[0], name[1]) == 0)
        COMPLAIN("bodies", "bodies: a joint is between two bodies, not \"%s\" twice", name[0]);
}

static void check_vector(const scree_scene_joint *joint, const char *key, const scree_list *list,
                         int space, bool direction, scree_findings *findings) {
    const double *x = list->item;
    bool zero = true;
    if (!given(joint, key)) return;
    for (int i = 0; i < list->count; i++) zero &= x[i] == 0;
    if (list->count != space)
        COMPLAIN(key, "%s: expected %d numbers, found %d", key, space, list->count);
    else if (direction && zero)
        COMPLAIN(key, "%s: a direction needs a length, this one is zero", key);
}

static void check_geometry(const scree_scene_joint *joint, int space, scree_findings *findings) {
    bool between = joint->type == SCREE_ROD || joint->type == SCREE_ROPE;
    bool plane_hinge = joint->type == SCREE_HINGE && space == 2;
    bool axis = !between && joint->type != SCREE_BALL && joint->type != SCREE_WELD && !plane_hinge;
    check_vector(joint, "at", &joint->at, space, false, findings);
    check_vector(joint, "to", &joint->to, space, false, findings);
    check_vector(joint, "axis", &joint->axis, space, true, findings);
    check_vector(joint, "axis_second", &joint->axis_second, space, true, findings);
    if (!given(joint, "at")) COMPLAIN("type", "this joint needs at, its point");
    if (between && !given(joint, "to")) COMPLAIN("type", "a rod or rope needs to, its other end");
    if (axis && !given(joint, "axis")) COMPLAIN("type", "this joint needs an axis");
    if (!axis && given(joint, "axis")) COMPLAIN("axis", "this joint has no axis");
    if (joint->type == SCREE_UNIVERSAL && !given(joint, "axis_second"))
        COMPLAIN("type", "a universal joint needs axis_second, at right angles to axis");
    if (joint->type != SCREE_UNIVERSAL && given(joint, "axis_second"))
        COMPLAIN("axis_second", "axis_second is what a universal joint has, and no other");
    if (joint->type == SCREE_SCREW && !given(joint, "pitch"))
        COMPLAIN("type", "a screw needs pitch, its way per turn");
    if (joint->type != SCREE_SCREW && given(joint, "pitch"))
        COMPLAIN("pitch", "pitch is what a screw has, and no other joint");
    bool loose =
        joint->clearance > 0 && (joint->type == SCREE_SLIDER || joint->type == SCREE_HINGE);
    if (!between && !loose && given(joint, "length"))
        COMPLAIN("length",
                 "length is for rods and ropes, and for sliders and hinges with clearance");
}

static void check_coupler(const scree_scene *scene, int number, scree_findings *findings) {
    const scree_scene_joint *all = scene->top.joints.item, *joint = &all[number];
    const char *const *name = joint->joints.item;
    if (!given(joint, "joints") || joint->joints.count != 2 || !name) {
        COMPLAIN("joints", "a coupler needs joints, two names");
        return;
    }
    if (given(joint, "bodies") || given(joint, "chain") || given(joint, "at"))
        COMPLAIN("type", "a coupler is between joints: leave bodies, chain and at out");
    for (int k = 0; k < 2; k++) {
        int i = 0;
        while (name[k] && i < number && !(all[i].name && strcmp(all[i].name, name[k]) == 0)) i++;
        if (name[k] && i == number)
            scree_findings_add(findings,
                               scree_yaml_find(joint->section.node, "joints")->item[k]->at,
                               "joints: there is no joint \"%s\" above this one", name[k]);
    }
}

void scree_check_joint(const scree_scene *scene, int number, scree_findings *findings) {
    const scree_scene_joint *joint = (const scree_scene_joint *)scene->top.joints.item + number;
    check_name(scene, number, findings);
    if (joint->type == SCREE_COUPLER) {
        check_coupler(scene, number, findings);
    } else {
        check_bodies(scene, joint, findings);
        check_geometry(joint, scene->top.space, findings);
        if (given(joint, "joints")) COMPLAIN("joints", "joints are for a coupler");
    }
    if (given(joint, "lower") && given(joint, "upper") && !(joint->lower < joint->upper))
        COMPLAIN("lower", "the lower limit %g must be below the upper one, %g", joint->lower,
                 joint->upper);
}
