// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// test_front.c - on which side of a surface a point is, against solids whose inside is known.

#include "collide/front.h"
#include "harness.h"
#include "random.h"

static scree_front *front_of(const scree_shape *shape, int space, scree_arena *arena,
                             scree_collision_shape *solid) {
    scree_error err = { 0 };
    scree_front *front = NULL;
    if (scree_collision_shape_make(shape, space, arena, solid, &err) ||
        scree_front_make(solid, arena, &front, &err))
        COMPLAIN("%s", err.text);
    return front;
}

static double distance_to_segment(const double *a, const double *b, const double *x) {
    double along[2] = { b[0] - a[0], b[1] - a[1] }, to[2] = { x[0] - a[0], x[1] - a[1] };
    double share =
        (along[0] * to[0] + along[1] * to[1]) / (along[0] * along[0] + along[1] * along[1]);
    share = fmin(fmax(share, 0), 1);
    return hypot(to[0] - share * along[0], to[1] - share * along[1]);
}

// by crossings of a ray
static bool is_inside(const double *vertex, int count, const double *x) {
    bool in = false;
    for (int i = 0, j = count - 1; i < count; j = i++) {
        const double *a = vertex + 2 * i, *b = vertex + 2 * j;
        if ((a[1] > x[1]) != (b[1] > x[1]) &&
            x[0] < (b[0] - a[0]) * (x[1] - a[1]) / (b[1] - a[1]) + a[0])
            in = !in;
    }
    return in;
}

// a closed chain with ridges and hollows, counter-clockwise: its front is inside
static void stars(void) {
    enum { CORNERS = 11 };
    for (int way = 0; way < 2; way++) {
        double vertex[2 * (CORNERS + 1)];
        for (int i = 0; i <= CORNERS; i++) {
            int at = way ? CORNERS - i : i;
            double angle = 2 * M_PI * (at % CORNERS) / CORNERS, r = at % CORNERS % 2 ? 1 : 0.4;
            vertex[2 * i] = r * cos(angle);
            vertex[2 * i + 1] = r * sin(angle);
        }
        scree_arena arena = { 0 };
        scree_collision_shape solid;
        scree_shape shape = { .kind = SCREE_CHAIN, .vertices = CORNERS + 1, .vertex = vertex };
        scree_front *front = front_of(&shape, 2, &arena, &solid);
        for (int trial = 0; front && trial < 2000; trial++) {
            double x[3] = { uniform(-1.5, 1.5), uniform(-1.5, 1.5), 0 };
            double away = HUGE_VAL;
            for (int i = 0; i < CORNERS; i++)
                away = fmin(away, distance_to_segment(vertex + 2 * i, vertex + 2 * i + 2, x));
            bool ahead = is_inside(vertex, CORNERS, x) == (way == 0);
            CHECK_NEAR(scree_front_height(front, x), ahead ? away : -away, 1e-12);
        }
        scree_arena_free(&arena);
    }
}

// past the ends of a roof nothing is behind it
static void open_chain(void) {
    const double vertex[] = { 1, 0, 0, 1, -1, 0 };
    scree_arena arena = { 0 };
    scree_collision_shape solid;
    scree_shape shape = { .kind = SCREE_CHAIN, .vertices = 3, .vertex = vertex };
    scree_front *front = front_of(&shape, 2, &arena, &solid);
    const double below[3] = { 0.1, 0.2 }, above[3] = { 0, 7 }, beside[3] = { 1.5, -0.8 };
    CHECK_NEAR(scree_front_height(front, above), -6, 1e-14);
    CHECK_NEAR(scree_front_height(front, below), 0.7 / sqrt(2), 1e-14);
    CHECK_NEAR(scree_front_height(front, beside), 0, 0);
    scree_arena_free(&arena);
}

// a box of triangles, turned outwards or inwards, and one without its lid
static void boxes(void) {
    const double vertex[] = { -1, -1, -1, 1, -1, -1, 1, 1, -1, -1, 1, -1,
                              -1, -1, 1,  1, -1, 1,  1, 1, 1,  -1, 1, 1 };
    int triangle[36] = { 0, 2, 1, 0, 3, 2, 0, 1, 5, 0, 5, 4, 1, 2, 6, 1, 6, 5,
                         2, 3, 7, 2, 7, 6, 3, 0, 4, 3, 4, 7, 4, 5, 6, 4, 6, 7 };
    for (int inwards = 0; inwards < 2; inwards++) {
        scree_arena arena = { 0 };
        scree_collision_shape solid;
        scree_shape shape = { .kind = SCREE_MESH,
                              .vertices = 8,
                              .vertex = vertex,
                              .triangles = 12,
                              .triangle = triangle };
        scree_front *front = front_of(&shape, 3, &arena, &solid);
        for (int trial = 0; front && trial < 2000; trial++) {
            double x[3], out[3], deep = HUGE_VAL;
            bool inside = true;
            for (int k = 0; k < 3; k++) {
                x[k] = uniform(-2, 2);
                out[k] = fmax(fabs(x[k]) - 1, 0);
                inside &= fabs(x[k]) < 1;
                deep = fmin(deep, 1 - fabs(x[k]));
            }
            double away =
                inside ? -deep : sqrt(out[0] * out[0] + out[1] * out[1] + out[2] * out[2]);
            CHECK_NEAR(scree_front_height(front, x), inwards ? -away : away, 1e-12);
        }
        scree_arena_free(&arena);
        for (int t = 0; t < 12; t++) {
            int swap = triangle[3 * t];
            triangle[3 * t] = triangle[3 * t + 1];
            triangle[3 * t + 1] = swap;
        }
    }
    scree_arena arena = { 0 };
    scree_collision_shape solid;
    scree_shape shape = {
        .kind = SCREE_MESH, .vertices = 8, .vertex = vertex, .triangles = 10, .triangle = triangle
    };
    scree_front *front = front_of(&shape, 3, &arena, &solid);
    const double over[3] = { 0, 0, 3 }, low[3] = { 0, 0, -0.5 }, under[3] = { 0, 0, -3 };
    CHECK_NEAR(scree_front_height(front, over), 0, 0);
    CHECK_NEAR(scree_front_height(front, low), -0.5, 1e-14);
    CHECK_NEAR(scree_front_height(front, under), 2, 1e-14);
    scree_arena_free(&arena);
}

TEST_FILE(test_front) {
    TEST(stars);
    TEST(open_chain);
    TEST(boxes);
    return harness_end();
}
