// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// fronts.c - bodies that a scene puts behind surfaces that touch with their front alone: they would
// fall through. A chain or mesh that was drawn the wrong way round has none in front of it.
// in: the model at the start.   out: findings with places.

#include "run/fronts.h"

#include "base/space.h"
#include "collide/front.h"
#include "collide/pose.h"
#include "model/inertia.h"
#include "scene/scene.h"
#include "scree/fem.h"

// one surface and who starts behind it
typedef struct census {
    scree_front *front;
    scree_pose pose;    // of the surface
    int behind, ahead;  // bodies that move
    int past;           // its edge
    int first;          // of those behind it
    double depth;       // of that one
} census;

// how far a place is in front of the surface
static double height_of(const census *c, const double at[3]) {
    double from[3], x[3];
    for (int k = 0; k < 3; k++) from[k] = at[k] - c->pose.at[k];
    scree_rotate_back(c->pose.turn, from, x);
    return scree_front_height(c->front, x);
}

static void count(census *c, int side, double height) {
    if (height >= 0) {
        *(height > 0 ? &c->ahead : &c->past) += 1;
    } else if (c->behind++ == 0) {
        c->first = side;
        c->depth = -height;
    }
}

// a body is behind a surface as the middle of its first shape is
static void count_bodies(const scree_model *model, const double *q, census *c) {
    int done = -1;
    for (int i = 0; i < model->shapes; i++) {
        int body = model->shape[i].body;
        if (body <= done || !scree_body_moves(&model->body[body])) continue;
        scree_pose pose;
        double at[3];
        scree_pose_of_body(model, body, q, &pose);
        scree_rotate(pose.turn, model->solid[i].centre, at);
        for (int k = 0; k < 3; k++) at[k] += pose.at[k];
        count(c, body, height_of(c, at));
        done = body;
    }
}

static void count_elastic(const scree_model *model, census *c) {
    for (int e = 0; e < model->elastics; e++) {
        const scree_mesh *mesh = &model->elastic[e].mesh;
        double at[3] = { 0 };
        for (int i = 0; i < mesh->nodes; i++)
            for (int k = 0; k < model->space; k++)
                at[k] += mesh->node[(long)i * model->space + k] / mesh->nodes;
        count(c, model->bodies + e, height_of(c, at));
    }
}

static const char *remedy_of(scree_shape_kind kind) {
    switch (kind) {
        case SCREE_CHAIN:
            return "a chain is solid on the right of the way along its vertices: list them in the "
                   "opposite order";
        case SCREE_MESH:
            return "a triangle's front is where its vertices are seen counter-clockwise: exchange "
                   "two vertices of each";
        default:
            return "a height field is solid below: put them above";
    }
}

static void tell(const scree_integrator_input *input, int shape, const census *c,
                 scree_findings *mistakes, scree_findings *warnings) {
    const scree_model *model = input->model;
    scree_shape_kind kind = model->shape[shape].kind;
    int body = model->shape[shape].body;
    if (c->behind == 0) return;
    bool turned = c->ahead == 0 && c->past <= c->behind;
    scree_findings_add(turned ? mistakes : warnings, scree_scene_body_place(input->scene, body),
                       "%d of %d bodies that move start behind the %s of %s, %s first, by %.6g: "
                       "nothing holds them there; %s%s",
                       c->behind, c->behind + c->ahead + c->past, scree_shape_kind_name(kind),
                       scree_model_side_name(model, body), scree_model_side_name(model, c->first),
                       c->depth, remedy_of(kind), turned ? ", or set overlaps: accept" : "");
}

// who starts behind the surface of a shape
static scree_status take_census(const scree_model *model, int shape, const double *q, census *c,
                                scree_error *err) {
    scree_arena arena = { 0 };
    scree_status status = scree_front_make(&model->solid[shape], &arena, &c->front, err);
    if (!status) {
        scree_pose_of_body(model, model->shape[shape].body, q, &c->pose);
        count_bodies(model, q, c);
        count_elastic(model, c);
    }
    scree_arena_free(&arena);
    return status;
}

scree_status scree_fronts_check(const scree_integrator_input *input, const double *q,
                                scree_findings *mistakes, scree_findings *warnings,
                                scree_error *err) {
    const scree_model *model = input->model;
    scree_status status = SCREE_OK;
    for (int i = 0; i < model->shapes && !status; i++) {
        if (model->solid[i].kind != SCREE_COLLISION_SURFACE) continue;
        census c = { 0 };
        status = take_census(model, i, q, &c, err);
        if (!status) tell(input, i, &c, mistakes, warnings);
    }
    return status;
}
