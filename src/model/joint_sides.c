// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// joint_sides.c - sides of joints, whatever they are on: where they are, and rows of velocity and
// spin as rows of all degrees of freedom.
// in: joint, row.   out: H v, H^T p.

#include <math.h>

#include "model/inertia.h"
#include "model/joint.h"
#include "model/memory.h"

const double *scree_joint_pose(const scree_model *model, int side, const double *q,
                               double room[7]) {
    static const double ground[2][7] = { { 0 }, { 0, 0, 0, 1 } };
    if (side >= 0) return q + (long)side * model->body_coordinates;
    if (side == SCREE_GROUND) return ground[model->space == 3];
    scree_marker_pose(model, scree_marker_of_side(side), q, room);
    return room;
}

double scree_joint_size(const scree_model *model, int k, const double *q) {
    int side[SCREE_JOINT_SIDES], sides = scree_joint_bodies(model, k, side);
    double size = model->memory->joints.frame[k].size, room[7];
    for (int i = 0; i < sides; i++) {
        const double *pose = scree_joint_pose(model, side[i], q, room);
        for (int c = 0; c < model->space; c++) size += fabs(pose[c]);
    }
    return size;
}

bool scree_joint_has_markers(const scree_model *model, int k) {
    int side[SCREE_JOINT_SIDES], sides = scree_joint_bodies(model, k, side);
    for (int i = 0; i < sides; i++)
        if (scree_marker_of_side(side[i]) >= 0) return true;
    return false;
}

void scree_joint_maps(const scree_model *model, int k, const double *q, const double *q_end,
                      scree_marker_map *map) {
    int side[SCREE_JOINT_SIDES], sides = scree_joint_bodies(model, k, side);
    for (int i = 0; i < sides; i++) {
        int m = scree_marker_of_side(side[i]);
        if (m >= 0) scree_marker_map_find(model, m, q, q_end, &map[i]);
    }
}

int scree_joint_part(const scree_model *model, int side) {
    int m = scree_marker_of_side(side);
    if (m >= 0) return scree_marker_frame_of(model, m)->part;
    return side >= 0 && scree_body_moves(&model->body[side]) ? side : -1;
}

double scree_joint_row_velocity(const scree_model *model, int k, const scree_joint_row *row,
                                const scree_marker_map *map, const double *v, bool driven) {
    int side[SCREE_JOINT_SIDES], sides = scree_joint_bodies(model, k, side);
    double u = 0;
    for (int i = 0; i < sides; i++) {
        int m = scree_marker_of_side(side[i]);
        if (m >= 0) u += scree_marker_velocity(model, m, &map[i], row->H[i], v, driven);
        if (side[i] < 0 || model->body[side[i]].fixed || model->body[side[i]].driven != driven)
            continue;
        const double *own = v + (long)side[i] * model->body_dofs;
        for (int c = 0; c < model->body_dofs; c++)
            u += row->H[i][scree_joint_column(model, c)] * own[c];
    }
    return u;
}

void scree_joint_row_impulse(const scree_model *model, int k, const scree_joint_row *row,
                             const scree_marker_map *map, double p, double *x) {
    int side[SCREE_JOINT_SIDES], sides = scree_joint_bodies(model, k, side);
    for (int i = 0; i < sides; i++) {
        int m = scree_marker_of_side(side[i]);
        if (m >= 0) scree_marker_impulse(model, m, &map[i], row->H[i], p, x);
        if (side[i] < 0 || !scree_body_moves(&model->body[side[i]])) continue;
        double *own = x + (long)side[i] * model->body_dofs;
        for (int c = 0; c < model->body_dofs; c++)
            own[c] += row->H[i][scree_joint_column(model, c)] * p;
    }
}
