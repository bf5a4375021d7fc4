// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// narrow_penetration.c - penetration depth: is there a shorter way out of an overlap? All
// directions, by branch and bound, where others expand a polytope (EPA).
//
// If w is the difference of the farthest points along one direction, the separation along any other
// n is at most n . w. Over a triangle of directions that is at most its largest value at the
// corners, as long as it is negative. So triangles that hold nothing better than what is known are
// dropped, others are cut into four, and what is left when they are small is settled.

#include "collide/narrow_space.h"

enum { LEVELS = 6, KNOWN_MAX = 96 };

typedef struct search {
    const scree_pair_frame *pair;
    scree_axis *axis;
    scree_closest_points *near;
    double known[KNOWN_MAX][3];  // directions around which nothing new is
    int count;
} search;

/// Directions nearer to each other than this (1.8 degrees) lead to the same way out.
#define SAME_COSINE 0.9995

static bool is_known(const search *s, const double n[3]) {
    for (int i = 0; i < s->count; i++)
        if (scree_dot(s->known[i], n) > SAME_COSINE) return true;
    return s->count + 2 > KNOWN_MAX;
}

static void settle_from(const double n[3], search *s) {
    scree_axis axis = { .kind = SCREE_AXIS_FREE };
    scree_closest_points near;
    copy3(n, axis.n);
    axis.apart = scree_gjk_separation(s->pair, n);
    scree_cylinder_refine_axis(s->pair, &axis, &near);
    copy3(n, s->known[s->count++]);
    copy3(axis.n, s->known[s->count++]);
    if (axis.apart <= s->axis->apart + s->pair->noise) return;
    *s->axis = axis;
    *s->near = near;
}

static void middle_of(const double p[3], const double q[3], double m[3]) {
    along(p, 1, q, m);
    double length = scree_length(m);
    for (int k = 0; k < 3; k++) m[k] /= length;
}

/// Does the triangle hold nothing better, as far as one difference tells?
static bool beaten(const double p[3], const double q[3], const double r[3], const double w[3],
                   const search *s) {
    double most = s->axis->apart + s->pair->noise;
    return scree_dot(p, w) <= most && scree_dot(q, w) <= most && scree_dot(r, w) <= most;
}

static void subdivide(const double p[3], const double q[3], const double r[3],
                      const double parent[3], int level, search *s) {
    double c[3], w[3];
    if (beaten(p, q, r, parent, s)) return;
    along(p, 1, q, c);
    along(c, 1, r, c);
    double length = scree_length(c);
    for (int k = 0; k < 3; k++) c[k] /= length;
    scree_gjk_difference(s->pair, c, w);
    if (beaten(p, q, r, w, s)) return;
    if (level == LEVELS) {
        if (!is_known(s, c)) settle_from(c, s);
        return;
    }
    double pq[3], qr[3], rp[3];
    middle_of(p, q, pq);
    middle_of(q, r, qr);
    middle_of(r, p, rp);
    subdivide(p, pq, rp, w, level + 1, s);
    subdivide(q, qr, pq, w, level + 1, s);
    subdivide(r, rp, qr, w, level + 1, s);
    subdivide(pq, qr, rp, w, level + 1, s);
}

void scree_penetration_depth(const scree_pair_frame *pair, scree_axis *axis,
                             scree_closest_points *near) {
    search s = { .pair = pair, .axis = axis, .near = near, .count = 1 };
    double w[3];
    copy3(axis->n, s.known[0]);
    scree_gjk_difference(pair, axis->n, w);
    for (int i = 0; i < 8; i++) {
        double x[3] = { i & 1 ? 1 : -1, 0, 0 }, y[3] = { 0, i & 2 ? 1 : -1, 0 };
        double z[3] = { 0, 0, i & 4 ? 1 : -1 };
        subdivide(x, y, z, w, 0, &s);
    }
}
