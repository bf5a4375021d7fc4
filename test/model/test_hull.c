// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// test_hull.c - convex polyhedra: hulls against brute force, topology, places, refusals.

#include <stdlib.h>

#include "random.h"
#include "solid_check.h"

// -------------------------------------------------------------------------------------------------
// polyhedra

static scree_collision_shape hull_of(int n, const double *point, double scale) {
    double *moved = malloc(3 * (size_t)n * sizeof *moved);
    for (int i = 0; i < 3 * n; i++) moved[i] = scale * point[i];
    scree_shape shape = { .kind = SCREE_POLYHEDRON, .vertices = n, .vertex = moved };
    scree_collision_shape s = made(&shape, 3);
    if (s.faces) check_topology(&s, scale);
    free(moved);
    return s;
}

/// Every three points with all others behind them are a face, and there are no other faces.
static void check_by_force(const scree_collision_shape *s, int n, const double *point) {
    int faces = 0;
    for (int i = 0; i < n; i++)
        for (int j = i + 1; j < n; j++)
            for (int k = j + 1; k < n; k++) {
                double a[3], b[3], normal[3], low = 0, high = 0;
                for (int c = 0; c < 3; c++) {
                    a[c] = point[3 * j + c] - point[3 * i + c];
                    b[c] = point[3 * k + c] - point[3 * i + c];
                }
                cross(a, b, normal);
                for (int l = 0; l < n; l++) {
                    double d[3];
                    for (int c = 0; c < 3; c++) d[c] = point[3 * l + c] - point[3 * i + c];
                    if (l != i && l != j && l != k) low = fmin(low, dot(normal, d));
                    if (l != i && l != j && l != k) high = fmax(high, dot(normal, d));
                }
                if (low < 0 && high > 0) continue;
                faces++;
                const int corner[3] = { i, j, k };
                bool listed = false;
                for (int f = 0; f < s->faces && !listed; f++) {
                    int same = 0;
                    for (int e = s->face_first[f]; e < s->face_first[f + 1]; e++)
                        for (int c = 0; c < 3; c++)
                            same += distance(s->vertex + 3 * s->face_vertex[e],
                                             point + 3 * corner[c]) == 0;
                    listed = same == 3;
                }
                CHECK(listed);
            }
    CHECK_INT(s->faces, faces);
}

static void random_hulls(void) {
    double point[3 * 200];
    seed = 5;
    for (int round = 0; round < 300; round++) {
        int n = round < 200 ? random_int(4, 14) : random_int(15, 200);
        for (int i = 0; i < 3 * n; i++) point[i] = uniform(-1, 1);
        if (round % 3 == 0)  // flat to 1e-3, and far from the origin
            for (int i = 0; i < n; i++) point[3 * i] = 1 + 1e-3 * point[3 * i];
        scree_collision_shape s = hull_of(n, point, 1);
        if (n < 15) check_by_force(&s, n, point);
        // the order of the points is kept, and so are the scale and the numbers
        for (int i = 0, at = 0; i < s.vertices; i++, at++) {
            while (at < n && distance(s.vertex + 3 * i, point + 3 * at) != 0) at++;
            CHECK(at < n);
        }
        for (int k = 0; k < SCALES; k++) {
            scree_collision_shape other = hull_of(n, point, scales[k]);
            CHECK_INT(other.vertices, s.vertices);
            CHECK_INT(other.edges, s.edges);
            if (other.edges == s.edges)
                CHECK(!memcmp(other.edge, s.edge, 4 * (size_t)s.edges * sizeof *s.edge));
        }
        if (round % 10 == 0) scree_arena_free(&arena);
    }
}

static int prism(int sides, double *point) {
    for (int i = 0; i < 2 * sides; i++) {
        double angle = 2 * acos(-1) * (i / 2) / sides;
        point[3 * i] = cos(angle);
        point[3 * i + 1] = sin(angle);
        point[3 * i + 2] = i % 2;
    }
    return 2 * sides;
}

static void turn_points(int n, double *point) {
    double q[4], turned[3];
    for (int c = 0; c < 4; c++) q[c] = uniform(-1, 1);
    for (int i = 0; i < n; i++) {
        rotate(q, point + 3 * i, turned);
        memcpy(point + 3 * i, turned, sizeof turned);
    }
}

#define CHECK_COUNTS(s, v, e, f)    \
    do {                            \
        CHECK_INT((s).vertices, v); \
        CHECK_INT((s).edges, e);    \
        CHECK_INT((s).faces, f);    \
    } while (0)

/// Faces of many corners stay whole when rounding has bent them, in any position and at any scale.
static void flat_faces(void) {
    double point[3 * 1000];
    seed = 7;
    for (int round = 0; round < 40; round++) {
        double scale = scales[round % SCALES];
        // a cube as a grid of points, some of them twice
        int n = 0;
        for (int i = 0; i < 125; i++)
            for (int twice = 0; twice < 1 + (i % 7 == 0); twice++, n++) {
                point[3 * n] = i % 5;
                point[3 * n + 1] = i / 5 % 5;
                point[3 * n + 2] = i / 25;
            }
        if (round) turn_points(n, point);
        scree_collision_shape s = hull_of(n, point, scale);
        CHECK_COUNTS(s, 8, 12, 6);
        for (int sides = 3; sides < 400; sides = sides * 3 / 2 + 1) {
            n = prism(sides, point);
            if (round) turn_points(n, point);
            s = hull_of(n, point, scale);
            CHECK_COUNTS(s, 2 * sides, 3 * sides, sides + 2);
        }
        const double octahedron[18] = { 1, 0, 0, -1, 0, 0, 0, 1, 0, 0, -1, 0, 0, 0, 1, 0, 0, -1 };
        memcpy(point, octahedron, sizeof octahedron);
        turn_points(6, point);
        s = hull_of(6, point, scale);
        CHECK_COUNTS(s, 6, 12, 8);
        // a dodecahedron: 8 corners of a cube and 12 more
        double golden = (1 + sqrt(5)) / 2;
        n = 0;
        for (int i = 0; i < 8; i++, n++)
            for (int c = 0; c < 3; c++) point[3 * n + c] = i >> c & 1 ? 1 : -1;
        for (int i = 0; i < 12; i++, n++) {
            int axis = i / 4;
            point[3 * n + axis] = 0;
            point[3 * n + (axis + 1) % 3] = (i & 1 ? 1 : -1) / golden;
            point[3 * n + (axis + 2) % 3] = (i & 2 ? 1 : -1) * golden;
        }
        turn_points(n, point);
        s = hull_of(n, point, scale);
        CHECK_COUNTS(s, 20, 30, 12);
        scree_arena_free(&arena);
    }
}

/// Points on a sphere, some moved by less than counts and by more: whatever comes out is a solid.
static void nearly_flat(void) {
    double point[3 * 120];
    seed = 9;
    int taken = 0, rounds = 600;
    for (int round = 0; round < rounds; round++) {
        int n = round % 2 ? prism(random_int(3, 30), point) : 8;
        for (int i = 0; i < 8 && round % 2 == 0; i++)
            for (int c = 0; c < 3; c++) point[3 * i + c] = i >> c & 1;
        for (int i = 0; i < 20; i++, n++)  // more points on edges, faces, and the corners again
            for (int c = 0; c < 3; c++) {
                int a = random_int(0, 7), b = random_int(0, 7);
                double part = random_int(0, 4) / 4.;
                point[3 * n + c] = (1 - part) * point[3 * a + c] + part * point[3 * b + c];
            }
        double noise = pow(10, uniform(-17, -6));
        for (int i = 0; i < 3 * n; i++) point[i] += noise * uniform(-1, 1);
        scree_collision_shape s;
        scree_error err = { 0 };
        scree_shape shape = { .kind = SCREE_POLYHEDRON, .vertices = n, .vertex = point };
        if (scree_collision_shape_make(&shape, 3, &arena, &s, &err) == SCREE_OK) {
            taken++;
            check_topology(&s, 2);
        } else {
            printf("noise %.2g: %s\n", noise, err.text);
        }
        scree_arena_free(&arena);
    }
    CHECK_INT(taken, rounds);
}

static void large_hull(void) {
    enum { N = 20000 };
    static double point[3 * N];
    seed = 3;
    for (int i = 0; i < N; i++) {
        double z = uniform(-1, 1), angle = uniform(0, 2 * acos(-1)), r = sqrt(1 - z * z);
        memcpy(point + 3 * i, (double[3]){ r * cos(angle), r * sin(angle), z }, 3 * sizeof *point);
    }
    scree_shape shape = { .kind = SCREE_POLYHEDRON, .vertices = N, .vertex = point };
    scree_collision_shape s = made(&shape, 3);
    CHECK_COUNTS(s, N, 3 * N - 6, 2 * N - 4);
    CHECK_NEAR(s.bound, 1, 0.02);
    scree_arena_free(&arena);
}

/// Vertices and normals land where an independent rotation puts them.
static void places(void) {
    double q[4] = { 0.3, -1.1, 0.7, 2 }, at[3] = { 5, -6, 7 }, want[3];
    double point[30];
    seed = 11;
    for (int i = 0; i < 30; i++) point[i] = uniform(-1, 1);
    scree_shape shape = { .kind = SCREE_POLYHEDRON, .vertices = 10, .vertex = point };
    scree_collision_shape plain = made(&shape, 3);
    memcpy(shape.turn, q, sizeof q);
    memcpy(shape.at, at, sizeof at);
    scree_collision_shape turned = made(&shape, 3);
    CHECK_INT(turned.vertices, plain.vertices);
    CHECK_INT(turned.faces, plain.faces);
    for (int i = 0; i < plain.vertices; i++) {
        rotate(q, plain.vertex + 3 * i, want);
        for (int c = 0; c < 3; c++) CHECK_NEAR(turned.vertex[3 * i + c], want[c] + at[c], 4e-15);
    }
    for (int f = 0; f < plain.faces; f++) {
        rotate(q, plain.face_normal + 3 * f, want);
        for (int c = 0; c < 3; c++) CHECK_NEAR(turned.face_normal[3 * f + c], want[c], 1e-15);
    }
    check_topology(&turned, 2);
}

/// Triangles that cover their hull are fine, also those of a file in single precision.
static void convex_triangles(void) {
    double corner[24];
    scree_shape shape = { .kind = SCREE_POLYHEDRON, .vertices = 8, .vertex = corner };
    shape.triangles = 12;
    shape.triangle = cube_triangle;
    seed = 21;
    for (int round = 0; round < 100; round++) {
        double a = scales[round % SCALES];
        memcpy(corner, cube, sizeof cube);
        turn_points(8, corner);
        for (int i = 0; i < 24; i++) {
            corner[i] *= a;
            if (round % 2) corner[i] = (double)(float)corner[i];
        }
        scree_collision_shape s = made(&shape, 3);
        CHECK_INT(s.vertices, 8);
        if (round % 2 == 0) CHECK_COUNTS(s, 8, 12, 6);
    }
}

static void refused_polyhedra(void) {
    for (int k = 0; k < SCALES; k++) {
        double corner[27];
        for (int i = 0; i < 24; i++) corner[i] = scales[k] * cube[i];
        for (int c = 0; c < 3; c++) corner[24 + c] = scales[k] * (c == 0 ? 0.3 : 0.5);
        scree_shape shape = { .kind = SCREE_POLYHEDRON, .vertices = 4, .vertex = corner };
        refuse(shape, 3, "the 4 vertices of the polyhedron lie in a plane");
        shape.vertices = 3;
        refuse(shape, 3, "needs 4 vertices or more, got 3");
        shape.vertices = 5;
        double same[15] = { 0 };
        for (int i = 0; i < 15; i++) same[i] = corner[i % 9];
        shape.vertex = same;
        refuse(shape, 3, "needs 4 different vertices or more, got 3");
        for (int i = 0; i < 15; i++) same[i] = scales[k] * (i / 3) * (1 + i % 3);
        refuse(shape, 3, "lie in a plane");
        // thinner than counts, thicker than rounding
        for (int i = 0; i < 12; i++) same[i] = corner[i];
        memcpy(same + 12, (double[3]){ scales[k] / 3, scales[k] / 3, 3e-11 * scales[k] },
               3 * sizeof *same);
        refuse(shape, 3, "lie in a plane");
        same[4] = NAN;
        refuse(shape, 3, "vertex 2 must be finite");
        // a dent from one side into a cube, then a cube without that side
        int dented[42];
        memcpy(dented, cube_triangle, sizeof cube_triangle);
        const int dent[12] = { 0, 4, 8, 4, 6, 8, 6, 2, 8, 2, 0, 8 };
        memcpy(dented, dent, sizeof dent);
        memcpy(dented + 12, cube_triangle + 6, 30 * sizeof *dented);
        shape = (scree_shape){ .kind = SCREE_POLYHEDRON, .vertices = 9, .vertex = corner };
        shape.triangles = 14;
        shape.triangle = dented;
        refuse(shape, 3,
               "polyhedron: not convex: triangle 1 lies inside the hull; give convex parts as "
               "several shapes, or fix the body and use a mesh");
        shape.triangle = cube_triangle + 6;
        shape.triangles = 10;
        shape.vertices = 8;
        refuse(shape, 3, "polyhedron: open: the triangles cover 83.33 % of their hull");
        dented[5] = 8;
        shape.triangle = dented;
        refuse(shape, 3, "polyhedron: triangle 1 has vertex 9 of 8");
        shape.radius = -1;
        refuse(shape, 3, "radius must not be negative");
    }
}

TEST_FILE(test_hull) {
    TEST(random_hulls);
    TEST(flat_faces);
    TEST(nearly_flat);
    TEST(large_hull);
    TEST(places);
    TEST(convex_triangles);
    TEST(refused_polyhedra);
    scree_arena_free(&arena);
    return harness_end();
}
