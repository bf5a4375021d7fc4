// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// drive_from_scene.c - scene -> springs and motors of the model.

#include <math.h>
#include <string.h>

#include "model/from_scene.h"
#include "scene/expression.h"
#include "scree/drive.h"

typedef struct builder {
    const scree_scene *scene;
    scree_model *model;
    const int *first;
    scree_findings *findings;
} builder;

static int body_of(const builder *b, const char *name) {
    return scree_joint_side_from_scene(b->scene, b->first, name);
}

static bool accept(const builder *b, const scree_scene_drive *given, scree_status status,
                   const scree_error *err) {
    if (status)
        scree_findings_add(b->findings, scree_scene_place(&given->section, "name"), "%s",
                           err->text);
    return !status;
}

static int joint_of(const scree_model *model, const char *name) {
    for (int k = 0; k < model->joints; k++)
        if (strcmp(model->joint[k].name, name) == 0) return k;
    return -1;
}

// the distance of two points, on which a spring acts; its length there
static bool add_distance(const builder *b, const scree_scene_drive *given, double *length) {
    const char *const *name = given->bodies.item;
    const double *end[2] = { given->at.item, given->to.item };
    scree_error err = { 0 };
    scree_joint joint = scree_joint_default(SCREE_DISTANCE, body_of(b, name[0]), SCREE_GROUND);
    if (given->bodies.count == 2) joint.b = body_of(b, name[1]);
    joint.name = given->name;
    joint.collide = true;
    *length = 0;
    for (int k = 0; k < b->model->space; k++) {
        for (int i = 0; i < 2; i++) joint.anchor[i][k] = end[i][k];
        *length = hypot(*length, end[0][k] - end[1][k]);
    }
    return accept(b, given, scree_model_add_joint(b->model, &joint, &err), &err);
}

typedef struct shifted {  // a length of t, less what a preload takes
    scree_function length;
    double by;
} shifted;

static double shifted_at(const void *self, double t, double *rate) {
    const shifted *of = self;
    return scree_function_at(&of->length, t, rate) - of->by;
}

static double energy_at(const void *self, double e, double *slope) {
    scree_dual value = scree_expression_along(self, 0, &(scree_dual){ e, 1 });
    *slope = value.rate;
    return value.value;
}

static bool add_spring(const builder *b, const scree_scene_drive *given, scree_arena *arena) {
    scree_error err = { 0 };
    double start = 0;
    if (!given->joint && !add_distance(b, given, &start)) return false;
    int joint = given->joint ? joint_of(b->model, given->joint) : b->model->joints - 1;
    scree_drive drive = scree_drive_default(SCREE_SPRING, joint);
    drive.name = given->name;
    drive.stiffness = given->stiffness;
    drive.damping = given->damping;
    drive.sense = (scree_drive_sense)given->sense;
    if (!isnan(given->yield)) drive.yield = given->yield;
    if (given->energy) {
        drive.energy = energy_at;
        drive.self = given->energy;
    }
    drive.target = given->target;
    if (!scree_scene_given(&given->section, "length"))
        drive.target = (scree_function){ .constant = start };
    if (given->preload != 0 && drive.target.at) {
        shifted *of = SCREE_NEW(arena, shifted, 1);
        if (!of)
            return accept(b, given, SCREE_NO_MEMORY, &(scree_error){ .text = "out of memory" });
        *of = (shifted){ drive.target, given->preload / given->stiffness };
        drive.target = (scree_function){ .at = shifted_at, .self = of };
    } else if (given->preload != 0) {
        drive.target.constant -= given->preload / given->stiffness;
    }
    return accept(b, given, scree_model_add_drive(b->model, &drive, &err), &err);
}

// what the limit of a motor is multiplied with, at the joint's own body
static bool add_area(const builder *b, scree_scene *scene, const scree_scene_drive *given,
                     scree_drive *drive) {
    const scree_joint *joint = drive->joint >= 0 ? &b->model->joint[drive->joint] : NULL;
    int body = !joint ? -1 : joint->a >= 0 ? joint->a : joint->b;
    if (body < 0) {
        scree_findings_add(b->findings, scree_scene_place(&given->section, "area"),
                           "area: there is no rigid body at joint \"%s\"", given->joint);
        return false;
    }
    drive->area = scree_state_formula_value;
    drive->area_self =
        scree_state_formula_from_scene(scene, b->model, b->first, &given->area, body, b->findings);
    return drive->area_self;
}

static bool add_motor(const builder *b, scree_scene *scene, const scree_scene_drive *given) {
    scree_error err = { 0 };
    const scree_section *section = &given->section;
    bool velocity = scree_scene_given(section, "velocity"),
         force = scree_scene_given(section, "force");
    scree_drive drive = scree_drive_default(velocity ? SCREE_MOTOR_VELOCITY
                                            : force  ? SCREE_MOTOR_FORCE
                                                     : SCREE_MOTOR_POSITION,
                                            joint_of(b->model, given->joint));
    drive.name = given->name;
    drive.target = velocity ? given->velocity : force ? given->force : given->target;
    drive.stiffness = given->stiffness;
    drive.damping = given->damping;
    drive.integral = given->integral;
    if (!isnan(given->most)) drive.most = given->most;
    if (given->area.expression && !add_area(b, scene, given, &drive)) return false;
    return accept(b, given, scree_model_add_drive(b->model, &drive, &err), &err);
}

bool scree_drives_from_scene(scree_scene *scene, scree_model *model, const int *first,
                             scree_findings *findings) {
    const scree_scene_drive *spring = scene->top.springs.item, *motor = scene->top.motors.item;
    const builder b = { scene, model, first, findings };
    bool fine = true;
    for (int i = 0; fine && i < scene->top.springs.count; i++)
        fine = !spring[i].section.broken && add_spring(&b, &spring[i], &scene->arena);
    for (int i = 0; fine && i < scene->top.motors.count; i++)
        fine = !motor[i].section.broken && add_motor(&b, scene, &motor[i]);
    return fine;
}
