// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// planar_bodies.h - flat solids for tests of the narrow phase in the plane.

#ifndef SCREE_TEST_COLLIDE_PLANAR_BODIES_H
#define SCREE_TEST_COLLIDE_PLANAR_BODIES_H

#include "collide/narrow_planar.h"
#include "collide/planar_judge.h"
#include "harness.h"
#include "random.h"

static const double pi = 3.14159265358979323846;

typedef struct body {
    scree_collision_shape solid;
    double vertex[3 * JUDGE_MOST];
    scree_pose pose;
} body;

static inline scree_pose pose_at(double x, double y, double angle) {
    double c = cos(angle), s = sin(angle);
    return (scree_pose){ { x, y, 0 }, { c, -s, 0, s, c, 0, 0, 0, 1 } };
}

static inline void tie(body *b) {
    b->solid.kind = SCREE_COLLISION_CONVEX;
    b->solid.space = 2;
    b->solid.vertex = b->vertex;
    b->solid.bound = 0;
    for (int i = 0; i < b->solid.vertices; i++)
        b->solid.bound = fmax(b->solid.bound, hypot(b->vertex[3 * i], b->vertex[3 * i + 1]));
    b->solid.bound += b->solid.radius;
}

/// Vertices on an ellipse, in order: 1 a disc, 2 a capsule, else a polygon.
static inline void make_random(body *b, double size, bool round) {
    *b = (body){ 0 };
    int count = random_int(1, 9);
    double angle[JUDGE_MOST], wide = uniform(0.05, 1), x = uniform(-1, 1), y = uniform(-1, 1);
    for (int i = 0; i < count; i++) angle[i] = 2 * pi * (i + uniform(0, 0.8)) / count;
    for (int i = 0; i < count; i++) {
        b->vertex[3 * i] = size * (x + cos(angle[i]));
        b->vertex[3 * i + 1] = size * (y + wide * sin(angle[i]));
    }
    b->solid.vertices = count;
    b->solid.radius = round || count == 1 ? size * uniform(0.01, 0.5) : 0;
    tie(b);
}

static inline void make_box(body *b, double width, double height, double radius) {
    *b = (body){ 0 };
    const double w = width / 2, h = height / 2;
    const double corner[4][2] = { { -w, -h }, { w, -h }, { w, h }, { -w, h } };
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 2; k++) b->vertex[3 * i + k] = corner[i][k];
    b->solid.vertices = 4;
    b->solid.radius = radius;
    tie(b);
    b->pose = pose_at(0, 0, 0);
}

static inline void make_disc(body *b, double radius) {
    *b = (body){ .solid = { .vertices = 1, .radius = radius } };
    tie(b);
    b->pose = pose_at(0, 0, 0);
}

static inline void make_half_plane(body *b, double x, double y, double angle) {
    *b = (body){ .solid = { .vertices = 1, .normal = { -sin(angle), cos(angle), 0 } } };
    tie(b);
    b->vertex[0] = x;
    b->vertex[1] = y;
    b->solid.kind = SCREE_COLLISION_HALF_SPACE;
    b->pose = pose_at(0, 0, 0);
}

static inline double size_of(const body *a, const body *b) {
    return a->solid.bound + b->solid.bound +
           hypot(a->pose.at[0] - b->pose.at[0], a->pose.at[1] - b->pose.at[1]);
}

static inline int touch_of(const body *a, const body *b, double margin,
                           scree_manifold_point *manifold) {
    return scree_narrow_phase_planar(&a->solid, &a->pose, &b->solid, &b->pose, margin, manifold);
}

static inline double least_gap(const scree_manifold_point *manifold, int count) {
    double least = HUGE_VAL;
    for (int k = 0; k < count; k++) least = fmin(least, manifold[k].gap);
    return least;
}

#endif
