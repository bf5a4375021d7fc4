// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// narrow_gjk.c - GJK: nearest points of two convex solids from their support functions (Gilbert,
// Johnson, Keerthi 1988): the point of the Minkowski difference a - b that is nearest to 0, by
// simplices.
//
// The nearest point of a simplex is the best over all its vertices, edges and faces: more work than
// a decision tree, but no decision in it can be wrong by rounding.

#include "collide/narrow_space.h"

enum { ROUNDS_MAX = 128 };

typedef struct support {
    double w[3], a[3], b[3];  // w = a - b
    int corner_a, corner_b;
} support;

typedef struct simplex {
    support point[4];
    double weight[4];
    int count;
    double v[3], square;  // nearest point of it to 0
} simplex;

/// The farthest point of a solid along d, all in its own frame; returns the number of the vertex,
/// or of the cap.
static int farthest_point(const scree_collision_shape *solid, const double d[3], double x[3]) {
    int best = support_vertex(solid, d);
    copy3(solid->vertex + 3 * (long)best, x);
    if (solid->kind != SCREE_COLLISION_CYLINDER) return best;
    double axis[3], across[3];
    minus(solid->vertex + 3, solid->vertex, axis);
    double square = scree_dot(axis, axis);
    along(d, -scree_dot(d, axis) / square, axis, across);
    // again: what is left of a direction along the axis must not lean
    along(across, -scree_dot(across, axis) / square, axis, across);
    double length = scree_length(across);
    // along the axis every point of the cap is as far
    if (length > 1e-15 * scree_length(d)) along(x, solid->radius / length, across, x);
    return best;
}

static void support_at(const scree_pair_frame *pair, const double *push, const double d[3],
                       support *out) {
    double in_a[3], back[3] = { -d[0], -d[1], -d[2] };
    scree_rotate_back(pair->turn, back, in_a);
    out->corner_a = farthest_point(pair->a, in_a, out->a);
    scree_rotate(pair->turn, out->a, out->a);
    for (int k = 0; k < 3; k++) out->a[k] += pair->at[k] + (push ? push[k] : 0);
    out->corner_b = farthest_point(pair->b, d, out->b);
    minus(out->a, out->b, out->w);
}

double scree_gjk_separation(const scree_pair_frame *pair, const double n[3]) {
    support s;
    support_at(pair, NULL, n, &s);
    return scree_dot(s.w, n);
}

void scree_gjk_difference(const scree_pair_frame *pair, const double n[3], double w[3]) {
    support s;
    support_at(pair, NULL, n, &s);
    copy3(s.w, w);
}

/// Take the sub-simplex if its nearest point v is inside and nearer than the best so far.
static void offer(const simplex *all, const int *which, const double *weight, int count,
                  const double v[3], simplex *best) {
    double square = scree_dot(v, v);
    // of equals the larger part: its direction is the better one
    if (!(square <= best->square)) return;
    best->square = square;
    best->count = count;
    copy3(v, best->v);
    for (int i = 0; i < count; i++) {
        best->point[i] = all->point[which[i]];
        best->weight[i] = weight[i];
    }
}

static void try_edge(const simplex *all, int i, int j, simplex *best) {
    const double *p = all->point[i].w, *q = all->point[j].w;
    double e[3], v[3];
    minus(q, p, e);
    double square = scree_dot(e, e), t = -scree_dot(p, e) / square;
    if (!(square > 0) || !(t > 0) || !(t < 1)) return;
    along(p, t, e, v);
    // once more, from where rounding left it
    t -= scree_dot(v, e) / square;
    along(p, t, e, v);
    double weight[2] = { 1 - t, t };
    int which[2] = { i, j };
    offer(all, which, weight, 2, v, best);
}

static void try_face(const simplex *all, int i, int j, int k, simplex *best) {
    const double *p = all->point[i].w, *q = all->point[j].w, *r = all->point[k].w;
    double e[3], f[3], n[3], c[3], v[3];
    minus(q, p, e);
    minus(r, p, f);
    scree_cross(e, f, n);
    double square = scree_dot(n, n), longest = fmax(scree_dot(e, e), scree_dot(f, f));
    if (!(square > 1e-28 * longest * longest)) return;
    scree_cross(q, r, c);
    double alpha = scree_dot(c, n) / square;
    scree_cross(r, p, c);
    double beta = scree_dot(c, n) / square;
    double rest = 1 - alpha - beta;
    if (!(alpha > 0) || !(beta > 0) || !(rest > 0)) return;
    double height = (scree_dot(p, n) + scree_dot(q, n) + scree_dot(r, n)) / (3 * square);
    for (int m = 0; m < 3; m++) v[m] = height * n[m];
    double weight[3] = { alpha, beta, rest };
    int which[3] = { i, j, k };
    offer(all, which, weight, 3, v, best);
}

/// Is 0 inside the tetrahedron?
static bool encloses(const simplex *all) {
    for (int i = 0; i < 4; i++) {
        const double *p = all->point[(i + 1) % 4].w, *q = all->point[(i + 2) % 4].w;
        const double *r = all->point[(i + 3) % 4].w;
        double e[3], f[3], g[3], n[3];
        minus(q, p, e);
        minus(r, p, f);
        minus(all->point[i].w, p, g);
        scree_cross(e, f, n);
        double here = scree_dot(n, g), zero = -scree_dot(n, p);
        if (!(here * zero > 0)) return false;
    }
    return true;
}

/// The part of the simplex nearest to 0 that has its newest (last) point.
static void nearest_part(simplex *all) {
    simplex best = { .square = HUGE_VAL };
    int last = all->count - 1;
    double one = 1;
    offer(all, &last, &one, 1, all->point[last].w, &best);
    for (int i = 0; i < last; i++) {
        try_edge(all, i, last, &best);
        for (int j = i + 1; j < last; j++) try_face(all, i, j, last, &best);
    }
    *all = best;
}

static bool known(const simplex *all, const support *s) {
    for (int i = 0; i < all->count; i++) {
        const double *w = all->point[i].w;
        if (w[0] == s->w[0] && w[1] == s->w[1] && w[2] == s->w[2]) return true;
    }
    return false;
}

static void write_points(const simplex *all, scree_closest_points *near) {
    near->distance = sqrt(all->square);
    near->corners = all->count;
    for (int k = 0; k < 3; k++) {
        near->a[k] = near->b[k] = 0;
        near->n[k] = all->v[k] / near->distance;
    }
    for (int i = 0; i < all->count; i++) {
        along(near->a, all->weight[i], all->point[i].a, near->a);
        along(near->b, all->weight[i], all->point[i].b, near->b);
        near->corner_a[i] = all->point[i].corner_a;
        near->corner_b[i] = all->point[i].corner_b;
    }
}

bool scree_gjk_find(const scree_pair_frame *pair, const double *push, const double start[3],
                    scree_closest_points *near) {
    simplex now = { .count = 1, .weight = { 1 } };
    // flat solids end at a corner, curved ones only ever come nearer
    bool curved =
        pair->a->kind == SCREE_COLLISION_CYLINDER || pair->b->kind == SCREE_COLLISION_CYLINDER;
    double enough = curved ? 1e-13 : 1e-15;
    support_at(pair, push, start, &now.point[0]);
    copy3(now.point[0].w, now.v);
    now.square = scree_dot(now.v, now.v);
    for (int round = 0; round < ROUNDS_MAX && now.square > 0; round++) {
        simplex next = now;
        support *s = &next.point[next.count];
        support_at(pair, push, now.v, s);
        // nothing is nearer than the plane through s, and if that is beyond 0, 0 is not inside
        double level = scree_dot(now.v, s->w);
        if (known(&now, s) || now.square - level <= enough * now.square) break;
        next.count++;
        if (!(level > 0) && next.count == 4 && encloses(&next)) return false;
        nearest_part(&next);
        bool nearer = next.square < now.square;
        if (next.square <= now.square) now = next;
        if (!nearer) break;
    }
    if (!(now.square > 0)) return false;
    write_points(&now, near);
    return true;
}
