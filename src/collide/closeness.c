// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// closeness.c - exact gaps between points, discs and half-planes; no margins, no lengths of ours.
//
// Both bodies get the impulse at one common point, which keeps the angular momentum: the point of
// a itself against a half-plane or when a is a point, halfway between the surfaces of two discs.

#include "collide/closeness.h"

#include <math.h>

typedef struct placed {
    double x[2];       // in the world
    double axis[2];    // first axis of the body's frame
    double magnitude;  // lengths added up on the way
} placed;

static placed place(const scree_shape *shape, const double *q) {
    const double *body = q + 3 * (long)shape->body;
    double c = cos(body[2]), s = sin(body[2]);
    placed p = {
        { body[0] + c * shape->at[0] - s * shape->at[1],
          body[1] + s * shape->at[0] + c * shape->at[1] },
        { c, s },
        fabs(body[0]) + fabs(body[1]) + fabs(shape->at[0]) + fabs(shape->at[1]),
    };
    return p;
}

static void against_half_plane(const scree_shape *a, const scree_shape *plane, placed pa, placed pb,
                               scree_closeness *out) {
    double nx = pb.axis[0] * plane->normal[0] - pb.axis[1] * plane->normal[1];
    double ny = pb.axis[1] * plane->normal[0] + pb.axis[0] * plane->normal[1];
    double radius = a->kind == SCREE_DISC ? a->radius : 0;
    out->gap = nx * (pa.x[0] - pb.x[0]) + ny * (pa.x[1] - pb.x[1]) - radius;
    out->magnitude = pa.magnitude + pb.magnitude + radius;
    out->normal[0] = nx;
    out->normal[1] = ny;
    out->point[0] = pa.x[0] - radius * nx;
    out->point[1] = pa.x[1] - radius * ny;
}

static void against_disc(const scree_shape *a, const scree_shape *b, placed pa, placed pb,
                         scree_closeness *out) {
    double dx = pa.x[0] - pb.x[0], dy = pa.x[1] - pb.x[1];
    double distance = hypot(dx, dy);
    double radius = a->kind == SCREE_DISC ? a->radius : 0;
    // concentric: any direction is as good as any other
    out->normal[0] = distance > 0 ? dx / distance : 1;
    out->normal[1] = distance > 0 ? dy / distance : 0;
    out->gap = distance - radius - b->radius;
    out->magnitude = pa.magnitude + pb.magnitude + radius + b->radius;
    double arm = a->kind == SCREE_DISC ? radius + out->gap / 2 : 0;
    out->point[0] = pa.x[0] - arm * out->normal[0];
    out->point[1] = pa.x[1] - arm * out->normal[1];
}

void scree_closeness_of(const scree_model *model, const scree_pair *pair, const double *q,
                        scree_closeness *out) {
    const scree_shape *a = &model->shape[pair->a], *b = &model->shape[pair->b];
    placed pa = place(a, q), pb = place(b, q);
    if (b->kind == SCREE_HALF_PLANE)
        against_half_plane(a, b, pa, pb, out);
    else
        against_disc(a, b, pa, pb, out);
}

uint64_t scree_closeness_id(const scree_pair *pair) {
    return (uint64_t)(uint32_t)pair->a << 32 | (uint32_t)pair->b;
}
