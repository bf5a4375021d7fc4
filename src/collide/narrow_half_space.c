// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// narrow_half_space.c - every solid against a half-space: its farthest vertex, and the face or edge
// there if it is flat.

#include "collide/narrow_space.h"

/// The half-space in the frame of a: gap of x = n . x + offset - rounding.
typedef struct boundary {
    double n[3], offset, rounding;
} boundary;

static double height(const boundary *plane, const double x[3]) {
    return scree_dot(plane->n, x) + plane->offset;
}

static void add_spot(const boundary *plane, const double x[3], uint64_t code,
                     scree_witness *witness, int *count) {
    scree_witness *out = &witness[(*count)++];
    copy3(x, out->a);
    out->apart = height(plane, x);
    out->feature = scree_manifold_feature(code, 0);
}

/// The vertices of the flat feature at the lowest vertex.
static int core_spots(const scree_collision_shape *a, const boundary *plane,
                      scree_witness *witness) {
    double d[3] = { -plane->n[0], -plane->n[1], -plane->n[2] };
    int count = 0, face, edge, lowest = support_vertex(a, d);
    scree_manifold_incident_face(a, lowest, d, &face, &edge);
    if (face >= 0) {
        for (int k = a->face_first[face]; k < a->face_first[face + 1]; k++) {
            int i = a->face_vertex[k];
            add_spot(plane, a->vertex + 3 * (long)i, vertex_code(i), witness, &count);
        }
        return count;
    }
    const int one[2] = { lowest, lowest }, two[2] = { 0, 1 };
    const int *ends = edge < 0 ? one : a->edges ? a->edge + 4 * (long)edge : two;
    for (int k = 0; k < (edge < 0 ? 1 : 2); k++)
        add_spot(plane, a->vertex + 3 * (long)ends[k], vertex_code(ends[k]), witness, &count);
    return count;
}

/// A cylinder standing on a cap: four points of its rim that stay with it, and the lowest one;
/// lying: the ends of its lowest line; otherwise the lowest point.
static int cylinder_spots(const scree_collision_shape *a, const boundary *plane,
                          scree_witness *witness) {
    double axis[3], down[3], x[3], e[3], f[3];
    int count = 0;
    minus(a->vertex + 3, a->vertex, axis);
    double length = scree_length(axis);
    for (int k = 0; k < 3; k++) axis[k] /= length;
    double cosine = scree_dot(axis, plane->n);
    const double *cap = cosine > 0 ? a->vertex : a->vertex + 3;
    // the steepest way down on a cap
    for (int k = 0; k < 3; k++) down[k] = cosine * axis[k] - plane->n[k];
    double steep = scree_length(down);
    if (fabs(cosine) >= SCREE_FLAT_COSINE) {
        any_across(axis, e);
        scree_cross(axis, e, f);
        for (int k = 0; k < 4; k++) {
            along(cap, k < 2 ? a->radius : -a->radius, k % 2 ? f : e, x);
            add_spot(plane, x, vertex_code(k) << 1 | (cosine > 0), witness, &count);
        }
    }
    if (!(steep > 1e-15)) return count;
    along(cap, a->radius / steep, down, x);
    add_spot(plane, x, vertex_code(4) << 1 | (cosine > 0), witness, &count);
    if (fabs(cosine) > SCREE_FLAT_SINE) return count;
    along(cosine > 0 ? a->vertex + 3 : a->vertex, a->radius / steep, down, x);
    add_spot(plane, x, vertex_code(4) << 1 | !(cosine > 0), witness, &count);
    return count;
}

/// A ball about the origin of its body: nothing turns.
static int centred_ball(const scree_collision_shape *a, const scree_pose *pa, const double n[3],
                        double offset, double margin, scree_manifold_point *manifold) {
    if (!(offset <= margin + a->radius)) return 0;
    manifold->gap = offset - a->radius;
    manifold->feature = 0;
    copy3(n, manifold->normal);
    for (int k = 0; k < 3; k++) manifold->point[k] = pa->at[k] - a->radius * n[k];
    return 1;
}

int scree_half_space_collide(const scree_collision_shape *a, const scree_pose *pa,
                             const scree_collision_shape *b, const scree_pose *pb, double margin,
                             scree_manifold_point manifold[SCREE_MANIFOLD_MAX]) {
    boundary plane = { .rounding = a->kind == SCREE_COLLISION_CONVEX ? a->radius : 0 };
    double n[3], d[3], origin[3];
    scree_rotate(pb->turn, b->normal, n);
    minus(pa->at, pb->at, d);
    scree_rotate(pb->turn, b->vertex, origin);
    minus(d, origin, d);
    plane.offset = scree_dot(n, d);
    const double *v = a->vertex;
    if (a->vertices == 1 && v[0] == 0 && v[1] == 0 && v[2] == 0)
        return centred_ball(a, pa, n, plane.offset, margin, manifold);
    scree_rotate_back(pa->turn, n, plane.n);
    scree_witness witness[256];
    int count = 1;
    if (a->vertices == 1)
        witness[0] = (scree_witness){ .a = { a->vertex[0], a->vertex[1], a->vertex[2] },
                                      .apart = height(&plane, a->vertex) };
    else
        count = a->kind == SCREE_COLLISION_CYLINDER ? cylinder_spots(a, &plane, witness)
                                                    : core_spots(a, &plane, witness);
    count = scree_manifold_reduce(plane.n, margin + plane.rounding, DBL_EPSILON * 1e4 * a->bound,
                                  witness, count);
    for (int i = 0; i < count; i++) {
        manifold[i].gap = witness[i].apart - plane.rounding;
        manifold[i].feature = witness[i].feature;
        copy3(n, manifold[i].normal);
        scree_rotate(pa->turn, witness[i].a, manifold[i].point);
        for (int k = 0; k < 3; k++) manifold[i].point[k] += pa->at[k] - plane.rounding * n[k];
    }
    return count;
}
