// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// planar.h - what the narrow phases in the plane share: cores in the axes of the world, seen from
// where the second body is, so that nothing is lost far from the origin.

#ifndef SCREE_COLLIDE_PLANAR_H
#define SCREE_COLLIDE_PLANAR_H

#include <float.h>
#include <math.h>

#include "collide/narrow_phase.h"

/// Sine of the angle up to which edges count as flat on each other. It makes no gap wrong: the
/// second point only comes and goes where it is far from touching.
#define SCREE_PLANAR_FLAT 0.2

/// How far rounding may be off, as part of the lengths involved.
#define SCREE_PLANAR_NOISE (64 * DBL_EPSILON)

typedef struct scree_flat {
    const scree_collision_shape *solid;
    double c, s;  // turned by
    double at[2];
} scree_flat;

static inline scree_flat scree_flat_of(const scree_collision_shape *solid, const scree_pose *pose,
                                       const scree_pose *seen_from) {
    return (scree_flat){ solid,
                         pose->turn[0],
                         pose->turn[3],
                         { pose->at[0] - seen_from->at[0], pose->at[1] - seen_from->at[1] } };
}

static inline double dot2(const double x[2], const double y[2]) {
    return x[0] * y[0] + x[1] * y[1];
}

static inline double cross2(const double x[2], const double y[2]) {
    return x[0] * y[1] - x[1] * y[0];
}

static inline void turn2(const scree_flat *f, const double x[2], double y[2]) {
    double x0 = x[0], x1 = x[1];
    y[0] = f->c * x0 - f->s * x1;
    y[1] = f->s * x0 + f->c * x1;
}

static inline const double *raw_vertex(const scree_flat *f, int i) {
    return f->solid->vertex + 3 * (long)i;
}

static inline void vertex_of(const scree_flat *f, int i, double x[2]) {
    turn2(f, raw_vertex(f, i), x);
    x[0] += f->at[0];
    x[1] += f->at[1];
}

/// A core has an edge from each vertex to the next, a segment one to and one fro, a point none.
static inline int edges_of(const scree_flat *f) {
    return f->solid->vertices > 1 ? f->solid->vertices : 0;
}

static inline int next_of(const scree_flat *f, int i) {
    return i + 1 < f->solid->vertices ? i + 1 : 0;
}

static inline int before(const scree_flat *f, int i) {
    return (i > 0 ? i : f->solid->vertices) - 1;
}

/// The outward normal of edge i, from vertex i to the next.
static inline void normal_of(const scree_flat *f, int i, double n[2]) {
    const double *x = raw_vertex(f, i), *y = raw_vertex(f, next_of(f, i));
    double dx = y[0] - x[0], dy = y[1] - x[1], length = sqrt(dx * dx + dy * dy);
    turn2(f, (double[2]){ dy / length, -dx / length }, n);
}

/// The least of n . x over the core, and the vertex where.
static inline double lowest(const scree_flat *f, const double n[2], int *vertex) {
    double m[2] = { f->c * n[0] + f->s * n[1], f->c * n[1] - f->s * n[0] };
    double least = dot2(m, raw_vertex(f, 0));
    *vertex = 0;
    for (int i = 1; i < f->solid->vertices; i++) {
        double here = dot2(m, raw_vertex(f, i));
        if (here < least) {
            least = here;
            *vertex = i;
        }
    }
    return least + dot2(n, f->at);
}

/// Of the two edges at a vertex the one whose normal is nearest to -n, and how near.
static inline int flattest(const scree_flat *f, int vertex, const double n[2], double *cosine) {
    double ahead[2], behind[2];
    int other = before(f, vertex);
    normal_of(f, vertex, ahead);
    normal_of(f, other, behind);
    bool back = -dot2(behind, n) > -dot2(ahead, n);
    *cosine = -dot2(back ? behind : ahead, n);
    return back ? other : vertex;
}

static inline bool is_flat(double cosine) {
    return cosine > 0 && 1 - cosine * cosine < SCREE_PLANAR_FLAT * SCREE_PLANAR_FLAT;
}

/// The sum of all lengths that the vertices are made of.
static inline double magnitude_of(const scree_flat *f) {
    double most = 0;
    for (int i = 0; i < f->solid->vertices; i++)
        most = fmax(most, fabs(raw_vertex(f, i)[0]) + fabs(raw_vertex(f, i)[1]));
    return most + fabs(f->at[0]) + fabs(f->at[1]);
}

/// The point of edge i nearest to x; returns where on it, from 0 to 1.
static inline double onto_edge(const scree_flat *f, int i, const double x[2], double p[2]) {
    double u[2], w[2];
    vertex_of(f, i, u);
    vertex_of(f, next_of(f, i), w);
    double along[2] = { w[0] - u[0], w[1] - u[1] }, to[2] = { x[0] - u[0], x[1] - u[1] };
    double t = dot2(to, along) / dot2(along, along);
    t = t > 0 ? fmin(t, 1) : 0;
    for (int k = 0; k < 2; k++) p[k] = t < 1 ? u[k] + t * along[k] : w[k];
    return t;
}

// ten bits of a feature for each side
static inline uint32_t ten_bits(uint32_t code) {
    return code < 1024 ? code : code * 2654435761u >> 22;
}
static inline uint32_t vertex_code(int i) { return ten_bits(2 * (uint32_t)i); }
static inline uint32_t edge_code(int i) { return ten_bits(2 * (uint32_t)i + 1); }

#endif
