// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// narrow_judge.h - solids for the tests of the narrow phase, and a judge that shares no code with
// it: naive hulls, nearest points by trying every triangle, separations by trying every vertex.
//
// What it judges by: points of both cores at a distance along n, with no point of either between
// the two planes, cannot be nearer or farther. Where cores overlap, n gives a way out, and no other
// direction, tried densely and then climbed, may give a shorter one.

#ifndef SCREE_TEST_NARROW_JUDGE_H
#define SCREE_TEST_NARROW_JUDGE_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "collide/narrow_phase.h"
#include "random.h"

enum { POINTS_MAX = 24, FACES_MAX = 64, EDGES_MAX = 96, ENTRIES_MAX = 256 };

typedef struct sample {
    scree_collision_shape solid;
    double vertex[3 * POINTS_MAX], normal[3 * FACES_MAX];
    int first[FACES_MAX + 1], entry[ENTRIES_MAX], edge[4 * EDGES_MAX];
    const char *name;
} sample;

static inline double dot3(const double *x, const double *y) {
    return x[0] * y[0] + x[1] * y[1] + x[2] * y[2];
}

static inline double norm3(const double *x) { return sqrt(dot3(x, x)); }

static inline void cross3(const double *x, const double *y, double *z) {
    z[0] = x[1] * y[2] - x[2] * y[1];
    z[1] = x[2] * y[0] - x[0] * y[2];
    z[2] = x[0] * y[1] - x[1] * y[0];
}

static inline void random_direction(double *d) {
    double square;
    do {
        for (int k = 0; k < 3; k++) d[k] = uniform(-1, 1);
        square = dot3(d, d);
    } while (square > 1 || square < 0.01);
    for (int k = 0; k < 3; k++) d[k] /= sqrt(square);
}

static inline void spin(double angle, const double *axis, double *turn) {
    double h = sin(angle / 2), w = cos(angle / 2), x = h * axis[0], y = h * axis[1],
           z = h * axis[2];
    double r[9] = { 1 - 2 * (y * y + z * z), 2 * (x * y - w * z),     2 * (x * z + w * y),
                    2 * (x * y + w * z),     1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
                    2 * (x * z - w * y),     2 * (y * z + w * x),     1 - 2 * (x * x + y * y) };
    memcpy(turn, r, sizeof r);
}

static inline void random_turn(double *turn) {
    double axis[3];
    random_direction(axis);
    spin(uniform(0, 6.283185307179586), axis, turn);
}

static inline void multiply(const double *p, const double *q, double *r) {
    double out[9];
    for (int i = 0; i < 9; i++) {
        out[i] = 0;
        for (int k = 0; k < 3; k++) out[i] += p[i / 3 * 3 + k] * q[3 * k + i % 3];
    }
    memcpy(r, out, sizeof out);
}

static inline void to_world(const scree_pose *pose, const double *x, double *y) {
    for (int i = 0; i < 3; i++) y[i] = pose->at[i] + dot3(pose->turn + 3 * (long)i, x);
}

static inline void direction_to_world(const scree_pose *pose, const double *x, double *y) {
    for (int i = 0; i < 3; i++) y[i] = dot3(pose->turn + 3 * (long)i, x);
}

static inline void to_body(const scree_pose *pose, const double *x, double *y) {
    double d[3] = { x[0] - pose->at[0], x[1] - pose->at[1], x[2] - pose->at[2] };
    for (int i = 0; i < 3; i++)
        y[i] = pose->turn[i] * d[0] + pose->turn[3 + i] * d[1] + pose->turn[6 + i] * d[2];
}

// ---- building

/// Order the points of a face counter-clockwise about its normal, by angle.
static inline void order_face(const double *vertex, const double *n, int *list, int count) {
    double middle[3] = { 0, 0, 0 }, u[3], v[3], angle[POINTS_MAX];
    for (int i = 0; i < count; i++)
        for (int k = 0; k < 3; k++) middle[k] += vertex[3 * list[i] + k] / count;
    for (int k = 0; k < 3; k++) u[k] = vertex[3 * list[0] + k] - middle[k];
    cross3(n, u, v);
    for (int i = 0; i < count; i++) {
        double d[3];
        for (int k = 0; k < 3; k++) d[k] = vertex[3 * list[i] + k] - middle[k];
        angle[i] = atan2(dot3(d, v), dot3(d, u));
        if (angle[i] < 0) angle[i] += 6.283185307179586;
        if (i == 0) angle[i] = 0;
    }
    for (int i = 1; i < count; i++) {
        for (int j = i; j > 0 && angle[j] < angle[j - 1]; j--) {
            double kept = angle[j];
            angle[j] = angle[j - 1];
            angle[j - 1] = kept;
            int index = list[j];
            list[j] = list[j - 1];
            list[j - 1] = index;
        }
    }
}

/// A face through three points, if all others are on one side of it and it is new.
static inline void try_plane(sample *s, int i, int j, int k, double size) {
    scree_collision_shape *solid = &s->solid;
    double e[3], f[3], n[3], most = -HUGE_VAL, least = HUGE_VAL;
    for (int m = 0; m < 3; m++) {
        e[m] = s->vertex[3 * j + m] - s->vertex[3 * i + m];
        f[m] = s->vertex[3 * k + m] - s->vertex[3 * i + m];
    }
    cross3(e, f, n);
    double length = norm3(n);
    if (length < 1e-9 * size * size) return;
    int list[POINTS_MAX], count = 0;
    for (int p = 0; p < solid->vertices; p++) {
        double d[3];
        for (int m = 0; m < 3; m++) d[m] = s->vertex[3 * p + m] - s->vertex[3 * i + m];
        double height = dot3(d, n) / length;
        most = fmax(most, height);
        least = fmin(least, height);
        if (fabs(height) < 1e-9 * size) list[count++] = p;
    }
    if (most > 1e-9 * size && least < -1e-9 * size) return;
    if (list[0] != i || list[1] != j || list[2] != k)
        return;  // of all triples of a face, the first
    double sign = most > 1e-9 * size ? -1 : 1;
    for (int m = 0; m < 3; m++) n[m] *= sign / length;
    order_face(s->vertex, n, list, count);
    memcpy(s->normal + 3 * solid->faces, n, sizeof n);
    int start = s->first[solid->faces];
    memcpy(s->entry + start, list, sizeof(int) * (size_t)count);
    s->first[++solid->faces] = start + count;
}

static inline void find_edges(sample *s) {
    scree_collision_shape *solid = &s->solid;
    for (int f = 0; f < solid->faces; f++) {
        int count = s->first[f + 1] - s->first[f];
        for (int i = 0; i < count; i++) {
            int v = s->entry[s->first[f] + i], w = s->entry[s->first[f] + (i + 1) % count], at = -1;
            int low = v < w ? v : w, high = v < w ? w : v;
            for (int e = 0; e < solid->edges; e++)
                if (s->edge[4 * e] == low && s->edge[4 * e + 1] == high) at = e;
            if (at >= 0) {
                s->edge[4 * at + 3] = f;
            } else {
                int fresh[4] = { low, high, f, -1 };
                memcpy(s->edge + 4 * solid->edges++, fresh, sizeof fresh);
            }
        }
    }
}

static inline void finish_sample(sample *s) {
    scree_collision_shape *solid = &s->solid;
    solid->space = 3;
    solid->vertex = s->vertex;
    solid->face_first = s->first;
    solid->face_vertex = s->entry;
    solid->face_normal = s->normal;
    solid->edge = s->edge;
    solid->faces = solid->edges = 0;
    double bound = 0;
    for (int k = 0; k < 3; k++) solid->centre[k] = 0;
    for (int i = 0; i < solid->vertices; i++)
        for (int k = 0; k < 3; k++) solid->centre[k] += s->vertex[3 * i + k] / solid->vertices;
    for (int i = 0; i < solid->vertices; i++) {
        double d[3];
        for (int k = 0; k < 3; k++) d[k] = s->vertex[3 * i + k] - solid->centre[k];
        bound = fmax(bound, norm3(d));
    }
    solid->bound = bound + solid->radius;
    if (solid->kind != SCREE_COLLISION_CONVEX || solid->vertices < 4) return;
    s->first[0] = 0;
    for (int i = 0; i < solid->vertices; i++)
        for (int j = i + 1; j < solid->vertices; j++)
            for (int k = j + 1; k < solid->vertices; k++) try_plane(s, i, j, k, bound);
    find_edges(s);
}

static inline void make_points(sample *s, const char *name, const double *x, int count,
                               double radius) {
    memset(s, 0, sizeof *s);
    s->name = name;
    s->solid.kind = SCREE_COLLISION_CONVEX;
    s->solid.vertices = count;
    s->solid.radius = radius;
    memcpy(s->vertex, x, sizeof(double) * 3 * (size_t)count);
    finish_sample(s);
}

static inline void make_box(sample *s, double x, double y, double z, double radius) {
    double p[24];
    for (int i = 0; i < 8; i++) {
        p[3 * i] = i & 1 ? x : -x;
        p[3 * i + 1] = i & 2 ? y : -y;
        p[3 * i + 2] = i & 4 ? z : -z;
    }
    make_points(s, radius > 0 ? "rounded box" : "box", p, 8, radius);
}

static inline void make_random_hull(sample *s, int count) {
    double p[3 * POINTS_MAX];
    for (int i = 0; i < count; i++) {
        random_direction(p + 3 * i);
        p[3 * i] *= uniform(0.5, 1.5);
    }
    for (int k = 0; k < 3; k++) {  // on an ellipsoid, so that every point is a corner
        double stretch = uniform(0.4, 2);
        for (int i = 0; i < count; i++) p[3 * i + k] *= stretch;
    }
    for (int i = 0; i < count; i++) {  // back on the ball of its own axes
        double length = norm3(p + 3 * i);
        for (int k = 0; k < 3; k++) p[3 * i + k] *= (k == 0 ? 0.7 : k == 1 ? 1 : 1.3) / length;
    }
    make_points(s, "hull", p, count, 0);
}

static inline void make_prism(sample *s, int sides, double radius, double height) {
    double p[3 * POINTS_MAX];
    for (int i = 0; i < sides; i++) {
        for (int k = 0; k < 2; k++) {
            double *x = p + 3 * (2 * i + k);
            x[0] = radius * cos(6.283185307179586 * i / sides);
            x[1] = radius * sin(6.283185307179586 * i / sides);
            x[2] = k ? height : -height;
        }
    }
    make_points(s, "prism", p, 2 * sides, 0);
}

static inline void make_cylinder(sample *s, double radius, double half) {
    double p[6] = { 0, 0, -half, 0, 0, half };
    make_points(s, "cylinder", p, 2, radius);
    s->solid.kind = SCREE_COLLISION_CYLINDER;
    s->solid.bound = hypot(radius, half);
}

/// A copy scaled by a factor.
static inline void scale_sample(const sample *from, double factor, sample *s) {
    *s = *from;
    s->solid.radius *= factor;
    s->solid.bound *= factor;
    for (int k = 0; k < 3; k++) s->solid.centre[k] *= factor;
    for (int i = 0; i < 3 * s->solid.vertices; i++) s->vertex[i] *= factor;
    s->solid.vertex = s->vertex;
    s->solid.face_first = s->first;
    s->solid.face_vertex = s->entry;
    s->solid.face_normal = s->normal;
    s->solid.edge = s->edge;
}

// ---- judging

static inline double rounding_of(const scree_collision_shape *solid) {
    return solid->kind == SCREE_COLLISION_CONVEX ? solid->radius : 0;
}

/// The largest n . x over a core (or cylinder), n and x in the world.
static inline double reach_along(const scree_collision_shape *solid, const scree_pose *pose,
                                 const double *n, const double *origin) {
    double most = -HUGE_VAL, x[3], d[3];
    for (int i = 0; i < solid->vertices; i++) {
        direction_to_world(pose, solid->vertex + 3 * (long)i, x);
        for (int k = 0; k < 3; k++) x[k] += pose->at[k] - origin[k];
        most = fmax(most, dot3(n, x));
    }
    if (solid->kind != SCREE_COLLISION_CYLINDER) return most;
    for (int k = 0; k < 3; k++) d[k] = solid->vertex[3 + k] - solid->vertex[k];
    direction_to_world(pose, d, x);
    cross3(x, n, d);
    return most + solid->radius * norm3(d) / norm3(x);
}

/// min over a of n . x - max over b of n . x
static inline double judge_apart(const scree_collision_shape *a, const scree_pose *pa,
                                 const scree_collision_shape *b, const scree_pose *pb,
                                 const double *n) {
    double back[3] = { -n[0], -n[1], -n[2] };
    return -reach_along(a, pa, back, pb->at) - reach_along(b, pb, n, pb->at);
}

static inline double from_segment(const double *p, const double *q, const double *x) {
    double e[3], d[3];
    for (int k = 0; k < 3; k++) {
        e[k] = q[k] - p[k];
        d[k] = x[k] - p[k];
    }
    double t = fmin(1, fmax(0, dot3(d, e) / dot3(e, e)));
    for (int k = 0; k < 3; k++) d[k] -= t * e[k];
    return norm3(d);
}

/// Distance of a point (in the frame of the body) from a core, or cylinder; 0 inside.
static inline double from_solid(const scree_collision_shape *solid, const double *x) {
    const double *v = solid->vertex;
    double d[3], least = HUGE_VAL;
    for (int k = 0; k < 3; k++) d[k] = x[k] - v[k];
    if (solid->kind == SCREE_COLLISION_CYLINDER) {
        double e[3] = { v[3] - v[0], v[4] - v[1], v[5] - v[2] }, c[3];
        double length = norm3(e), t = dot3(d, e) / length;
        cross3(d, e, c);
        return hypot(fmax(0, fmax(-t, t - length)), fmax(0, norm3(c) / length - solid->radius));
    }
    if (solid->vertices == 1) return norm3(d);
    if (solid->vertices == 2) return from_segment(v, v + 3, x);
    double highest = -HUGE_VAL;
    for (int f = 0; f < solid->faces; f++) {
        const double *n = solid->face_normal + 3 * (long)f;
        const int *list = solid->face_vertex + solid->face_first[f];
        int count = solid->face_first[f + 1] - solid->face_first[f];
        bool inside = true;
        for (int k = 0; k < 3; k++) d[k] = x[k] - v[3 * list[0] + k];
        double height = dot3(d, n);
        highest = fmax(highest, height);
        for (int i = 0; i < count; i++) {
            const double *p = v + 3 * (long)list[i], *q = v + 3 * (long)list[(i + 1) % count];
            double e[3], g[3], c[3];
            least = fmin(least, from_segment(p, q, x));
            for (int k = 0; k < 3; k++) {
                e[k] = q[k] - p[k];
                g[k] = x[k] - p[k];
            }
            cross3(e, g, c);
            inside = inside && dot3(c, n) >= 0;
        }
        if (inside) least = fmin(least, fabs(height));
    }
    return highest <= 0 ? 0 : least;
}

/// Climb from n with steps that shrink from one size to another; returns the separation.
static inline double climb_from(const scree_collision_shape *a, const scree_pose *pa,
                                const scree_collision_shape *b, const scree_pose *pb, double *n,
                                double step, double until) {
    double here = judge_apart(a, pa, b, pb, n);
    for (int tries = 0; step > until;) {
        double m[3], d[3];
        random_direction(d);
        for (int k = 0; k < 3; k++) m[k] = n[k] + step * d[k];
        double length = norm3(m);
        for (int k = 0; k < 3; k++) m[k] /= length;
        double there = judge_apart(a, pa, b, pb, m);
        if (there > here) {
            here = there;
            memcpy(n, m, sizeof m);
            tries = 0;
            step *= 1.5;
        } else if (++tries > 8) {
            tries = 0;
            step *= 0.5;
        }
    }
    return here;
}

/// The largest separation over directions: a dense start, then climbing.
static inline double climb(const scree_collision_shape *a, const scree_pose *pa,
                           const scree_collision_shape *b, const scree_pose *pb, int starts,
                           double until) {
    double best = -HUGE_VAL;
    for (int i = 0; i < starts; i++) {
        double n[3];
        random_direction(n);
        double here = climb_from(a, pa, b, pb, n, 0.3, until);
        best = fmax(best, here);
    }
    return best;
}

#endif
