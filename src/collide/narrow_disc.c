// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// narrow_disc.c - the flat end of a cylinder on flat features of others.
//
// Spots are corners of the common shadow along n: vertices under the disc, edges under its rim,
// rims that cross, and of the rim itself four points that are marked on the body and the lowest
// one.

#include "collide/narrow_space.h"

enum { SPOTS_MAX = 3 * SCREE_POLYGON_MAX + 16 };

void scree_disc_mark(const scree_pair_frame *pair, bool of_a, scree_disc *disc) {
    const scree_collision_shape *solid = of_a ? pair->a : pair->b;
    double axis[3];
    minus(solid->vertex + 3, solid->vertex, axis);
    double length = scree_length(axis);
    for (int k = 0; k < 3; k++) axis[k] /= length;
    any_across(axis, disc->mark[0]);
    scree_cross(axis, disc->mark[0], disc->mark[1]);
    if (!of_a) return;
    scree_rotate(pair->turn, disc->mark[0], disc->mark[0]);
    scree_rotate(pair->turn, disc->mark[1], disc->mark[1]);
}

/// How far x is from a plane through c, along n.
static double up_to(const double c[3], const double normal[3], const double x[3],
                    const double n[3]) {
    double d[3];
    minus(c, x, d);
    return scree_dot(d, normal) / scree_dot(n, normal);
}

/// A witness at x on one solid; up: from x to the other, along n.
static void add(bool x_of_a, const double x[3], double up, const double n[3], uint64_t of_x,
                uint64_t of_other, scree_witness *witness, int *count) {
    scree_witness *out = &witness[(*count)++];
    copy3(x, x_of_a ? out->a : out->b);
    along(x, up, n, x_of_a ? out->b : out->a);
    out->apart = x_of_a ? -up : up;
    out->feature =
        x_of_a ? scree_manifold_feature(of_x, of_other) : scree_manifold_feature(of_other, of_x);
}

/// Is the shadow of x in the disc?
static bool in_disc(const scree_disc *disc, const double x[3], const double n[3], double noise) {
    double y[3];
    along(x, up_to(disc->centre, disc->normal, x, n), n, y);
    minus(y, disc->centre, y);
    return scree_length(y) <= disc->radius + noise;
}

/// Is the shadow of x in the face?
static bool in_ring(const scree_feature_polygon *polygon, const double x[3], const double n[3],
                    double noise) {
    double sign = scree_dot(polygon->normal, n) > 0 ? 1 : -1;
    for (int i = 0; i < polygon->count; i++) {
        double e[3], d[3], inward[3];
        minus(polygon->x[(i + 1) % polygon->count], polygon->x[i], e);
        minus(x, polygon->x[i], d);
        scree_cross(n, e, inward);
        if (sign * scree_dot(d, inward) < -noise * scree_length(inward)) return false;
    }
    return true;
}

static uint64_t rim_code(const scree_disc *disc, int k) { return vertex_code(16 * disc->cap + k); }

/// The point of the rim at a mark (0 to 3), or (4) the one farthest out along n towards a plane;
/// false: the plane is parallel.
static bool rim_point(const scree_disc *disc, int k, const double normal[3], double x[3]) {
    double down[3];
    if (k < 4) {
        along(disc->centre, k < 2 ? disc->radius : -disc->radius, disc->mark[k % 2], x);
        return true;
    }
    // the way across the disc on which the plane, facing it, comes nearer fastest
    along(normal, -scree_dot(normal, disc->normal), disc->normal, down);
    double steep = scree_length(down);
    if (!(steep > 1e-15)) return false;
    along(disc->centre, -disc->radius / steep, down, x);
    return true;
}

/// Edges of a ring under the rim.
static void rim_on_edges(bool disc_a, const scree_disc *disc, const scree_feature_polygon *polygon,
                         const double n[3], double noise, scree_witness *witness, int *count) {
    uint64_t of_disc = face_code(disc->cap);
    int edges = polygon->count > 2 ? polygon->count : polygon->count - 1;
    for (int i = 0; i < edges; i++) {
        int j = (i + 1) % polygon->count;
        double p[3], q[3], e[3], x[3];
        along(polygon->x[i], up_to(disc->centre, disc->normal, polygon->x[i], n), n, p);
        along(polygon->x[j], up_to(disc->centre, disc->normal, polygon->x[j], n), n, q);
        minus(q, p, e);
        minus(p, disc->centre, p);
        // |p + t e| = radius, from the point of the line that is nearest to the centre
        double square = scree_dot(e, e), middle = -scree_dot(p, e) / square, foot[3];
        along(p, middle, e, foot);
        double half = disc->radius * disc->radius - scree_dot(foot, foot);
        // one that only touches the rim does so in one point
        bool touches = half <= 0 && scree_length(foot) <= disc->radius + noise;
        if (!(half > 0) && !touches) continue;
        half = touches ? 0 : sqrt(half / square);
        for (int way = 0; way < (touches ? 1 : 2); way++) {
            double t = way ? middle + half : middle - half;
            if (!(t > 0 && t < 1)) continue;
            minus(polygon->x[j], polygon->x[i], e);
            along(polygon->x[i], t, e, x);
            double up = up_to(disc->centre, disc->normal, x, n);
            bool forwards = polygon->vertex[i] < polygon->vertex[j];
            add(!disc_a, x, up, n, edge_code(polygon->vertex[i], polygon->vertex[j]),
                of_disc << 1 | (way == forwards), witness, count);
        }
    }
}

static int finish(const scree_pair_frame *pair, const double n[3], scree_witness *all, int count,
                  scree_witness witness[4]) {
    count = scree_manifold_reduce(n, HUGE_VAL, pair->noise, all, count);
    for (int i = 0; i < count; i++) witness[i] = all[i];
    return count;
}

int scree_disc_polygon(const scree_pair_frame *pair, bool disc_a, const scree_disc *disc,
                       const scree_feature_polygon *polygon, const double n[3],
                       scree_witness witness[4]) {
    scree_witness all[SPOTS_MAX];
    double x[3], noise = 100 * pair->noise;
    int count = 0;
    uint64_t of_disc = face_code(disc->cap);
    for (int k = 0; k < 5 && polygon->face >= 0; k++) {
        if (!rim_point(disc, k, polygon->normal, x) || !in_ring(polygon, x, n, noise)) continue;
        add(disc_a, x, up_to(polygon->x[0], polygon->normal, x, n), n, rim_code(disc, k),
            face_code(polygon->face), all, &count);
    }
    for (int i = 0; i < polygon->count; i++) {
        if (!in_disc(disc, polygon->x[i], n, noise)) continue;
        add(!disc_a, polygon->x[i], up_to(disc->centre, disc->normal, polygon->x[i], n), n,
            vertex_code(polygon->vertex[i]), of_disc, all, &count);
    }
    rim_on_edges(disc_a, disc, polygon, n, noise, all, &count);
    return finish(pair, n, all, count, witness);
}

/// Where the rim of a crosses the shadow of b's, from a first guess x: Newton along the rim.
static bool rim_crossing(const scree_disc *a, const scree_disc *b, const double n[3], double x[3]) {
    for (int round = 0; round < 8; round++) {
        double y[3], r[3], t[3], s[3];
        minus(x, a->centre, r);
        along(r, -scree_dot(r, a->normal), a->normal, r);
        double scale = a->radius / scree_length(r);
        for (int k = 0; k < 3; k++) r[k] *= scale;
        along(a->centre, 1, r, x);
        scree_cross(a->normal, r, t);
        along(x, up_to(b->centre, b->normal, x, n), n, y);
        minus(y, b->centre, y);
        along(t, -scree_dot(t, b->normal) / scree_dot(n, b->normal), n, s);
        double error = scree_dot(y, y) - b->radius * b->radius, rate = 2 * scree_dot(y, s);
        if (round == 7) return fabs(error) <= 1e-12 * b->radius * b->radius;
        if (!(fabs(rate) > 1e-9 * a->radius * b->radius)) return false;
        along(x, -error / rate, t, x);
    }
    return false;
}

static void rims_crossing(const scree_disc *a, const scree_disc *b, const double n[3],
                          scree_witness *witness, int *count) {
    double d[3], across[3], x[3];
    minus(b->centre, a->centre, d);
    along(d, -scree_dot(d, a->normal), a->normal, d);
    double distance = scree_length(d);
    if (!(distance > 1e-9 * fmin(a->radius, b->radius))) return;
    // circles in a plane: how far along the line of centres they cross
    double first = (distance + (a->radius - b->radius) * (a->radius + b->radius) / distance) / 2;
    double half = (a->radius - first) * (a->radius + first);
    if (!(half > 0)) return;
    for (int k = 0; k < 3; k++) d[k] /= distance;
    scree_cross(a->normal, d, across);
    for (int way = 0; way < 2; way++) {
        along(a->centre, first, d, x);
        along(x, way ? sqrt(half) : -sqrt(half), across, x);
        if (!rim_crossing(a, b, n, x)) continue;
        add(true, x, up_to(b->centre, b->normal, x, n), n, rim_code(a, 5 + way), rim_code(b, 7),
            witness, count);
    }
}

int scree_disc_disc(const scree_pair_frame *pair, const scree_disc *a, const scree_disc *b,
                    const double n[3], scree_witness witness[4]) {
    scree_witness all[SPOTS_MAX];
    double x[3], noise = 100 * pair->noise;
    int count = 0;
    for (int k = 0; k < 5; k++) {
        if (rim_point(a, k, b->normal, x) && in_disc(b, x, n, noise))
            add(true, x, up_to(b->centre, b->normal, x, n), n, rim_code(a, k), face_code(b->cap),
                all, &count);
        if (rim_point(b, k, a->normal, x) && in_disc(a, x, n, noise))
            add(false, x, up_to(a->centre, a->normal, x, n), n, rim_code(b, k), face_code(a->cap),
                all, &count);
    }
    rims_crossing(a, b, n, all, &count);
    return finish(pair, n, all, count, witness);
}
