// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// closeness.c - exact gaps between points, discs and half-planes; no margins, no lengths of ours.
//
// Both bodies get the impulse at one common point, which keeps the angular momentum: the point of
// a itself against a half-plane or when a is a point, halfway between the surfaces of two discs.

#include "collide/closeness.h"

#include <math.h>

void scree_closeness_place(const scree_model *model, const double *q, bool everything,
                           scree_placed *placed) {
    int turned = -1;  // the body that c and s belong to
    double c = 1, s = 0;
    for (int i = 0; i < model->shapes; i++) {
        const scree_shape *shape = &model->shape[i];
        const double *body = q + 3 * (long)shape->body;
        scree_placed *out = &placed[i];
        if (model->body[shape->body].fixed && !everything) continue;
        double x = shape->at[0], y = shape->at[1];
        bool plane = shape->kind == SCREE_HALF_PLANE, centred = x == 0 && y == 0;
        out->magnitude = fabs(body[0]) + fabs(body[1]) + fabs(x) + fabs(y);
        // what sits in the centre does not feel the angle
        if ((plane || !centred) && turned != shape->body) {
            c = cos(body[2]);
            s = sin(body[2]);
            turned = shape->body;
        }
        out->at[0] = body[0] + (centred ? 0 : c * x - s * y);
        out->at[1] = body[1] + (centred ? 0 : s * x + c * y);
        if (!plane) continue;
        out->normal[0] = c * shape->normal[0] - s * shape->normal[1];
        out->normal[1] = s * shape->normal[0] + c * shape->normal[1];
    }
}

static void against_half_plane(double radius, const scree_placed *a, const scree_placed *plane,
                               scree_closeness *out) {
    double nx = plane->normal[0], ny = plane->normal[1];
    out->gap = nx * (a->at[0] - plane->at[0]) + ny * (a->at[1] - plane->at[1]) - radius;
    out->magnitude = a->magnitude + plane->magnitude + radius;
    out->normal[0] = nx;
    out->normal[1] = ny;
    out->point[0] = a->at[0] - radius * nx;
    out->point[1] = a->at[1] - radius * ny;
}

static void against_disc(const scree_shape *a, const scree_shape *b, const scree_placed *pa,
                         const scree_placed *pb, scree_closeness *out) {
    double dx = pa->at[0] - pb->at[0], dy = pa->at[1] - pb->at[1];
    double distance = hypot(dx, dy);
    // concentric: any direction is as good as any other
    out->normal[0] = distance > 0 ? dx / distance : 1;
    out->normal[1] = distance > 0 ? dy / distance : 0;
    out->gap = distance - a->radius - b->radius;
    out->magnitude = pa->magnitude + pb->magnitude + a->radius + b->radius;
    double arm = a->kind == SCREE_DISC ? a->radius + out->gap / 2 : 0;
    out->point[0] = pa->at[0] - arm * out->normal[0];
    out->point[1] = pa->at[1] - arm * out->normal[1];
}

void scree_closeness_of(const scree_model *model, const scree_pair *pair,
                        const scree_placed *placed, scree_closeness *out) {
    const scree_shape *a = &model->shape[pair->a], *b = &model->shape[pair->b];
    if (b->kind == SCREE_HALF_PLANE)
        against_half_plane(a->radius, &placed[pair->a], &placed[pair->b], out);
    else
        against_disc(a, b, &placed[pair->a], &placed[pair->b], out);
}

double scree_closeness_reach(const scree_model *model, const scree_shape *shape, const double *v,
                             double h) {
    if (model->body[shape->body].fixed) return 0;
    const double *body = v + 3 * (long)shape->body;
    double arm = fabs(shape->at[0]) + fabs(shape->at[1]);
    if (shape->kind == SCREE_HALF_PLANE && body[2] != 0) return HUGE_VAL;
    return h * (fabs(body[0]) + fabs(body[1]) + fabs(body[2]) * arm);
}

uint64_t scree_closeness_id(const scree_pair *pair) {
    return (uint64_t)(uint32_t)pair->a << 32 | (uint32_t)pair->b;
}
