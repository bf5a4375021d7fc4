// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// planar_judge.h - how far two flat solids are apart, by trying everything in long double.
//
// Two opinions that share nothing with the library or each other: all pairs of segments (for
// overlapping cores: all edge normals), and the supports of both solids over all directions.

#ifndef SCREE_TEST_COLLIDE_PLANAR_JUDGE_H
#define SCREE_TEST_COLLIDE_PLANAR_JUDGE_H

#include <math.h>

#include "model/collision_shape.h"

enum { JUDGE_MOST = 24 };

typedef long double real;

typedef struct figure {
    int count;
    real x[JUDGE_MOST][2];
    double radius;
} figure;

/// The vertices of a solid, seen from where another is.
static inline figure figure_of(const scree_collision_shape *solid, const scree_pose *pose,
                               const scree_pose *from) {
    figure f = { .count = solid->vertices, .radius = solid->radius };
    for (int i = 0; i < f.count; i++)
        for (int k = 0; k < 2; k++) {
            const double *v = solid->vertex + 3 * i, *row = pose->turn + 3 * k;
            f.x[i][k] = (real)pose->at[k] - from->at[k] + (real)row[0] * v[0] + (real)row[1] * v[1];
        }
    return f;
}

static inline real area(const real p[2], const real q[2], const real x[2]) {
    return (q[0] - p[0]) * (x[1] - p[1]) - (q[1] - p[1]) * (x[0] - p[0]);
}

static inline real point_to_segment(const real x[2], const real p[2], const real q[2]) {
    real dx = q[0] - p[0], dy = q[1] - p[1], square = dx * dx + dy * dy;
    real t = square > 0 ? ((x[0] - p[0]) * dx + (x[1] - p[1]) * dy) / square : 0;
    t = fminl(fmaxl(t, 0), 1);
    return hypotl(x[0] - p[0] - t * dx, x[1] - p[1] - t * dy);
}

static inline bool segments_cross(const real p[2], const real q[2], const real u[2],
                                  const real w[2]) {
    real a = area(p, q, u), b = area(p, q, w), c = area(u, w, p), d = area(u, w, q);
    return ((a > 0 && b < 0) || (a < 0 && b > 0)) && ((c > 0 && d < 0) || (c < 0 && d > 0));
}

static inline bool is_inside(const figure *f, const real x[2]) {
    if (f->count < 3) return false;
    for (int i = 0; i < f->count; i++)
        if (area(f->x[i], f->x[(i + 1) % f->count], x) <= 0) return false;
    return true;
}

/// How far the cores are apart along d, from b to a.
static inline real apart_along_direction(const figure *a, const figure *b, const real d[2]) {
    real low = HUGE_VALL, high = -HUGE_VALL;
    for (int i = 0; i < a->count; i++) low = fminl(low, d[0] * a->x[i][0] + d[1] * a->x[i][1]);
    for (int i = 0; i < b->count; i++) high = fmaxl(high, d[0] * b->x[i][0] + d[1] * b->x[i][1]);
    return low - high;
}

static inline real best_edge_normal(const figure *a, const figure *b) {
    real best = -HUGE_VALL;
    for (int side = 0; side < 2; side++) {
        const figure *f = side ? b : a;
        for (int i = 0; i < f->count && f->count > 1; i++) {
            const real *p = f->x[i], *q = f->x[(i + 1) % f->count];
            real length = hypotl(q[0] - p[0], q[1] - p[1]), sign = side ? 1 : -1;
            real d[2] = { sign * (q[1] - p[1]) / length, -sign * (q[0] - p[0]) / length };
            best = fmaxl(best, apart_along_direction(a, b, d));
        }
    }
    return best;
}

/// Distance of the cores, or less than 0 by how much they overlap.
static inline real judge_apart(const figure *a, const figure *b) {
    real best = HUGE_VALL;
    bool overlap = is_inside(a, b->x[0]) || is_inside(b, a->x[0]);
    for (int i = 0; i < a->count; i++)
        for (int j = 0; j < b->count; j++) {
            const real *p = a->x[i], *q = a->x[(i + 1) % a->count];
            const real *u = b->x[j], *w = b->x[(j + 1) % b->count];
            overlap = overlap || segments_cross(p, q, u, w);
            best = fminl(best, point_to_segment(p, u, w));
            best = fminl(best, point_to_segment(u, p, q));
        }
    return overlap ? best_edge_normal(a, b) : best;
}

static inline real apart_at_angle(const figure *a, const figure *b, real angle) {
    const real d[2] = { cosl(angle), sinl(angle) };
    return apart_along_direction(a, b, d);
}

/// The same as the most that any direction keeps them apart: sampled, every peak refined.
static inline real judge_by_directions(const figure *a, const figure *b, int samples) {
    const real step = 2 * acosl(-1.0L) / samples;
    real most = -HUGE_VALL;
    for (int k = 0; k < samples; k++) {
        real where = k * step, best = apart_at_angle(a, b, where);
        bool peak = best >= apart_at_angle(a, b, where - step) &&
                    best >= apart_at_angle(a, b, where + step);
        for (real width = step; peak && width > 1e-10L; width *= 0.7L)
            for (int sign = -1; sign <= 1; sign += 2) {
                real here = apart_at_angle(a, b, where + sign * width);
                if (here > best) best = here, where += sign * width;
            }
        most = fmaxl(most, best);
    }
    return most;
}

/// Distance of a point from a core's boundary, inside or out.
static inline real judge_from_boundary(const figure *f, const real x[2]) {
    real best = HUGE_VALL;
    for (int i = 0; i < f->count; i++)
        best = fminl(best, point_to_segment(x, f->x[i], f->x[(i + 1) % f->count]));
    return best;
}

#endif
