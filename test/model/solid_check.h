// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// solid_check.h - what the tests of solids share: making them, and what they promise.

#ifndef SCREE_TEST_SOLID_CHECK_H
#define SCREE_TEST_SOLID_CHECK_H

#include <math.h>

#include "harness.h"
#include "model/collision_shape.h"

static const double scales[] = { 1e-6, 1e-3, 1, 1e3, 1e6 };
enum { SCALES = 5 };

static scree_arena arena;

static inline scree_collision_shape made(const scree_shape *shape, int space) {
    scree_collision_shape solid;
    scree_error err = { 0 };
    if (scree_collision_shape_make(shape, space, &arena, &solid, &err) != SCREE_OK) {
        COMPLAIN("refused: %s", err.text);
        solid = (scree_collision_shape){ 0 };
    }
    return solid;
}

static inline double dot(const double *a, const double *b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline void cross(const double *a, const double *b, double *c) {
    c[0] = a[1] * b[2] - a[2] * b[1];
    c[1] = a[2] * b[0] - a[0] * b[2];
    c[2] = a[0] * b[1] - a[1] * b[0];
}

static inline double distance(const double *a, const double *b) {
    double d[3] = { a[0] - b[0], a[1] - b[1], a[2] - b[2] };
    return sqrt(dot(d, d));
}

static inline void rotate(const double q[4], const double *x, double *y) {  // y = q x q*
    double u[3], t[3], s = 2 / (q[0] * q[0] + dot(q + 1, q + 1));
    cross(q + 1, x, u);
    cross(q + 1, u, t);
    for (int c = 0; c < 3; c++) y[c] = x[c] + s * (q[0] * u[c] + t[c]);
}

static inline void refuse(scree_shape shape, int space, const char *sentence) {
    scree_collision_shape solid;
    scree_error err = { 0 };
    scree_status status = scree_collision_shape_make(&shape, space, &arena, &solid, &err);
    CHECK_INT(status, SCREE_BAD_INPUT);
    if (!strstr(err.text, sentence)) COMPLAIN("\"%s\" instead of \"%s\"", err.text, sentence);
    CHECK_INT(scree_collision_shape_make(&shape, space, &arena, &solid, NULL), SCREE_BAD_INPUT);
}

static const double cube[24] = { 0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0,
                                 0, 0, 1, 1, 0, 1, 0, 1, 1, 1, 1, 1 };
static const int cube_triangle[36] = { 0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5, 0, 1, 5, 0, 5, 4,
                                       2, 6, 7, 2, 7, 3, 0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6 };

// -------------------------------------------------------------------------------------------------
// what a solid promises

static inline void check_bound(const scree_collision_shape *s) {
    double widest = 0;
    for (int i = 0; i < s->vertices; i++) {
        CHECK(distance(s->vertex + 3 * i, s->centre) + s->radius <= s->bound);
        for (int j = 0; j < i; j++)
            widest = fmax(widest, distance(s->vertex + 3 * i, s->vertex + 3 * j));
    }
    // Jung: no set needs more than sqrt(3/8) of its width
    CHECK(s->bound <= 1.08 * sqrt(3. / 8) * widest + s->radius * (1 + 1e-12));
}

/// Is w the vertex after v around the face?
static inline bool follows(const scree_collision_shape *s, int face, int v, int w) {
    int first = s->face_first[face], end = s->face_first[face + 1];
    for (int k = first; k < end; k++)
        if (s->face_vertex[k] == v) return s->face_vertex[k + 1 < end ? k + 1 : first] == w;
    return false;
}

static inline void check_faces(const scree_collision_shape *s, double extent) {
    for (int f = 0; f < s->faces; f++) {
        const double *n = s->face_normal + 3 * f;
        int first = s->face_first[f], count = s->face_first[f + 1] - first;
        const double *p = s->vertex + 3 * s->face_vertex[first];
        double area[3] = { 0 };
        CHECK_NEAR(dot(n, n), 1, 1e-14);
        CHECK(count >= 3);
        for (int i = 0; i < s->vertices; i++) {
            const double *v = s->vertex + 3 * i;
            double d[3] = { v[0] - p[0], v[1] - p[1], v[2] - p[2] };
            if (!(dot(n, d) <= 2e-10 * extent))
                COMPLAIN("vertex %d is %g of %g outside of face %d", i, dot(n, d), extent, f);
        }
        for (int k = 0; k < count; k++) {
            const double *v = s->vertex + 3 * s->face_vertex[first + k];
            const double *w = s->vertex + 3 * s->face_vertex[first + (k + 1) % count];
            double a[3] = { v[0] - p[0], v[1] - p[1], v[2] - p[2] }, c[3];
            double b[3] = { w[0] - p[0], w[1] - p[1], w[2] - p[2] };
            CHECK(fabs(dot(n, a)) <= 2e-10 * extent);
            cross(a, b, c);
            for (int i = 0; i < 3; i++) area[i] += c[i];
        }
        CHECK(dot(area, n) > 0);
        CHECK_NEAR(dot(area, n) / sqrt(dot(area, area)), 1, 1e-9);
    }
}

static inline void check_topology(const scree_collision_shape *s, double extent) {
    CHECK_INT(s->vertices - s->edges + s->faces, 2);
    CHECK_INT(s->face_first[s->faces], 2 * s->edges);
    for (int e = 0; e < s->edges; e++) {
        const int *edge = s->edge + 4 * e;
        CHECK(edge[0] < edge[1] && edge[2] != edge[3]);
        CHECK(follows(s, edge[2], edge[0], edge[1]));
        CHECK(follows(s, edge[3], edge[1], edge[0]));
        if (e) CHECK(edge[-4] < edge[0] || (edge[-4] == edge[0] && edge[-3] < edge[1]));
    }
    check_faces(s, extent);
    check_bound(s);
}

#endif
