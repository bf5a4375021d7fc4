// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// pose.c - poses and boxes.

#include "collide/pose.h"

#include <math.h>

#include "base/space.h"
#include "model/inertia.h"

void scree_pose_of_body(const scree_model *model, int body, const double *q, scree_pose *pose) {
    const double *own = q + (long)body * model->body_coordinates;
    pose->at[0] = own[0];
    pose->at[1] = own[1];
    if (model->space == 3) {
        pose->at[2] = own[2];
        scree_rotation(own + 3, pose->turn);
        return;
    }
    double c = cos(own[2]), s = sin(own[2]);
    pose->at[2] = 0;
    const double turn[9] = { c, -s, 0, s, c, 0, 0, 0, 1 };
    for (int k = 0; k < 9; k++) pose->turn[k] = turn[k];
}

static void begin(scree_aabb *box) {
    for (int k = 0; k < 3; k++) {
        box->low[k] = HUGE_VAL;
        box->high[k] = -HUGE_VAL;
    }
}

static void include(scree_aabb *box, const double x[3], const double spread[3]) {
    for (int k = 0; k < 3; k++) {
        box->low[k] = fmin(box->low[k], x[k] - spread[k]);
        box->high[k] = fmax(box->high[k], x[k] + spread[k]);
    }
}

// the box of a solid in the pose's outer frame
static void surround(const scree_collision_shape *solid, const scree_pose *pose, double margin,
                     scree_aabb *box) {
    enum { MANY = 32 };  // vertices: a ball around them is as good
    double spread[3], x[3];
    begin(box);
    bool ball = solid->vertices > MANY || solid->kind == SCREE_COLLISION_SURFACE;
    for (int k = 0; k < 3; k++) spread[k] = margin + (ball ? solid->bound : solid->radius);
    if (solid->kind == SCREE_COLLISION_CYLINDER) {
        // a disc is as wide as its axis leaves room for
        double axis[3], turned[3], length = 0;
        for (int k = 0; k < 3; k++) axis[k] = solid->vertex[3 + k] - solid->vertex[k];
        scree_rotate(pose->turn, axis, turned);
        length = scree_length(axis);
        for (int k = 0; k < 3; k++)
            spread[k] = margin + solid->radius *
                                     sqrt(fmax(0, 1 - (turned[k] / length) * (turned[k] / length)));
    }
    const double *centre = solid->centre;
    for (int v = 0; v < (ball ? 1 : solid->vertices); v++) {
        scree_rotate(pose->turn, ball ? centre : solid->vertex + 3 * (long)v, x);
        for (int k = 0; k < 3; k++) x[k] += pose->at[k];
        include(box, x, spread);
    }
    for (int k = solid->space; k < 3; k++) box->low[k] = box->high[k] = 0;
}

// Everything; but for a half-space that looks along an axis only up to its boundary: a floor would
// be held against all bodies above it otherwise.
static void surround_half_space(const scree_collision_shape *solid, const scree_pose *pose,
                                double margin, scree_aabb *box) {
    double normal[3], at[3];
    scree_rotate(pose->turn, solid->normal, normal);
    scree_rotate(pose->turn, solid->vertex, at);
    for (int k = 0; k < 3; k++) {
        box->low[k] = k < solid->space ? -HUGE_VAL : 0;
        box->high[k] = k < solid->space ? HUGE_VAL : 0;
    }
    for (int k = 0; k < solid->space; k++) {
        bool along = normal[(k + 1) % 3] == 0 && normal[(k + 2) % 3] == 0;
        if (along && normal[k] > 0) box->high[k] = at[k] + pose->at[k] + margin;
        if (along && normal[k] < 0) box->low[k] = at[k] + pose->at[k] - margin;
    }
}

void scree_pose_aabb(const scree_model *model, int shape, const scree_pose *pose, double margin,
                     double t, scree_aabb *box) {
    const scree_collision_shape *solid = &model->solid[shape];
    begin(box);
    if (!scree_body_present(&model->body[model->shape[shape].body], t)) return;
    if (solid->kind == SCREE_COLLISION_HALF_SPACE)
        surround_half_space(solid, pose, margin, box);
    else
        surround(solid, pose, margin, box);
}

void scree_pose_piece_aabb(const scree_collision_shape *solid, int piece, scree_aabb *box) {
    static const double none[3] = { 0 };
    begin(box);
    for (int k = 0; k < solid->space; k++)
        include(box, solid->vertex + 3 * (long)solid->surface.piece[piece * solid->space + k],
                none);
}

void scree_pose_aabb_within(const scree_collision_shape *solid, const scree_pose *pose,
                            const scree_pose *frame, double margin, scree_aabb *box) {
    scree_pose within;
    double apart[3];
    for (int k = 0; k < 3; k++) apart[k] = pose->at[k] - frame->at[k];
    scree_rotate_back(frame->turn, apart, within.at);
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++) {
            double sum = 0;
            for (int k = 0; k < 3; k++) sum += frame->turn[3 * k + r] * pose->turn[3 * k + c];
            within.turn[3 * r + c] = sum;
        }
    surround(solid, &within, margin, box);
}
