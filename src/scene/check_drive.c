// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// check_drive.c - what is wrong with a spring or motor though each of its values is fine.

#include <math.h>
#include <string.h>

#include "scene/scene.h"

#define COMPLAIN(key, ...) \
    scree_findings_add(findings, scree_scene_place(&drive->section, key), __VA_ARGS__)

static bool given(const scree_scene_drive *drive, const char *key) {
    return scree_scene_given(&drive->section, key);
}

static void check_joint(const scree_scene *scene, const scree_scene_drive *drive,
                        scree_findings *findings) {
    const scree_scene_joint *joint = scene->top.joints.item;
    for (int i = 0; i < scene->top.joints.count; i++)
        if (joint[i].name && strcmp(joint[i].name, drive->joint) == 0) return;
    COMPLAIN("joint", "joint: there is no joint \"%s\"", drive->joint);
}

static void check_ends(const scree_scene *scene, const scree_scene_drive *drive,
                       scree_findings *findings) {
    const char *const *name = drive->bodies.item;
    int space = scene->top.space;
    if (!given(drive, "bodies") || !given(drive, "at") || !given(drive, "to")) {
        COMPLAIN("name", "a spring needs bodies, at and to, or a joint");
        return;
    }
    if (drive->at.count != space || drive->to.count != space)
        COMPLAIN(drive->at.count != space ? "at" : "to", "expected %d numbers", space);
    for (int k = 0; name && k < drive->bodies.count; k++) {
        if (!name[k] || strcmp(name[k], "ground") == 0) continue;
        scree_named kind = scree_names_find(scene, name[k]).kind;
        bool known = kind == SCREE_NAMED_BODY || kind == SCREE_NAMED_GENERATED ||
                     scree_scene_marker_find(scene, name[k]) >= 0;
        if (!known) COMPLAIN("bodies", "bodies: there is no rigid body or marker \"%s\"", name[k]);
    }
    if (drive->bodies.count == 2 && name && name[0] && name[1] && strcmp(name[0], name[1]) == 0)
        COMPLAIN("bodies", "bodies: a spring is between two bodies, not \"%s\" twice", name[0]);
}

void scree_check_spring(const scree_scene *scene, const scree_scene_drive *drive,
                        scree_findings *findings) {
    if (given(drive, "joint")) {
        if (given(drive, "bodies") || given(drive, "at") || given(drive, "to"))
            COMPLAIN("joint", "a spring has either a joint, or bodies, at and to");
        check_joint(scene, drive, findings);
    } else {
        check_ends(scene, drive, findings);
    }
    if (!(drive->stiffness > 0) && !(drive->damping > 0) && !drive->energy)
        COMPLAIN("name", "a spring needs a stiffness, an energy or a damping");
    if (drive->stiffness > 0 && drive->energy)
        COMPLAIN("energy", "a spring has either a stiffness or an energy");
    if (given(drive, "yield") && !(drive->stiffness > 0))
        COMPLAIN("yield", "yield needs a stiffness");
    if (given(drive, "yield") && given(drive, "acts") && drive->sense)
        COMPLAIN("acts", "a spring that yields acts both ways");
    if (given(drive, "yield") && fabs(drive->preload) > drive->yield)
        COMPLAIN("preload", "preload %g is beyond the yield, %g", drive->preload, drive->yield);
    if (drive->preload != 0 && !(drive->stiffness > 0))
        COMPLAIN("preload", "preload needs a stiffness; a force without one is a motor's force");
}

void scree_check_motor(const scree_scene *scene, const scree_scene_drive *drive,
                       scree_findings *findings) {
    int ways = given(drive, "velocity") + given(drive, "position") + given(drive, "force");
    check_joint(scene, drive, findings);
    if (ways != 1) COMPLAIN("name", "a motor has one of velocity, position and force");
    if ((drive->stiffness > 0 || drive->damping > 0) && !given(drive, "position"))
        COMPLAIN("stiffness", "stiffness and damping of a motor go with position");
    if (drive->damping > 0 && !(drive->stiffness > 0))
        COMPLAIN("damping", "damping of a motor goes with stiffness");
    if (drive->integral > 0 && !(drive->stiffness > 0))
        COMPLAIN("integral", "integral of a motor goes with stiffness");
    if (given(drive, "area") && (!given(drive, "limit") || drive->integral > 0))
        COMPLAIN("area", "area goes with limit, which it is multiplied with, and without integral");
    if (given(drive, "force") && given(drive, "limit"))
        COMPLAIN("limit", "a force that is given has no limit");
}
