// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// test_solid.c - shapes become solids: vertices, faces, pieces, places, refusals.

#include "failing.h"
#include "random.h"
#include "solid_check.h"

// -------------------------------------------------------------------------------------------------
// simple shapes

static void round_shapes(void) {
    scree_shape disc = { .kind = SCREE_DISC, .at = { 3, 4, 9 }, .radius = 2 };
    scree_collision_shape s = made(&disc, 2);
    CHECK(s.kind == SCREE_COLLISION_CONVEX && s.vertices == 1 && s.radius == 2 && s.space == 2);
    CHECK(s.vertex[0] == 3 && s.vertex[1] == 4 && s.vertex[2] == 0);
    CHECK(s.centre[0] == 3 && s.centre[1] == 4);
    CHECK_NEAR(s.bound, 2, 1e-13);
    disc.kind = SCREE_SPHERE;
    s = made(&disc, 3);
    CHECK(s.space == 3 && s.vertex[2] == 9 && s.radius == 2 && s.faces == 0);
    disc.kind = SCREE_POINT;
    s = made(&disc, 3);
    CHECK(s.radius == 0 && s.bound == 0 && s.vertices == 1);

    scree_shape capsule = { .kind = SCREE_CAPSULE, .at = { 1, 1 }, .radius = 1, .size = { 4 } };
    capsule.angle = acos(-1) / 2;
    s = made(&capsule, 2);
    CHECK(s.vertices == 2 && s.radius == 1);
    CHECK_NEAR(s.vertex[0], 1, 1e-15);
    CHECK_NEAR(s.vertex[1], -1, 1e-15);
    CHECK_NEAR(s.vertex[4], 3, 1e-15);
    CHECK_NEAR(s.bound, 3, 1e-13);
    s = made(&capsule, 3);
    CHECK(s.vertex[2] == -2 && s.vertex[5] == 2 && s.vertex[0] == 1);
    capsule.kind = SCREE_CYLINDER;
    s = made(&capsule, 3);
    CHECK(s.kind == SCREE_COLLISION_CYLINDER && s.vertices == 2 && s.radius == 1);
    CHECK_NEAR(s.bound, sqrt(5), 1e-13);
}

static void half_spaces(void) {
    scree_shape half = { .kind = SCREE_HALF_PLANE, .at = { 1, 2 }, .normal = { 0, 1e-200, 7 } };
    half.angle = acos(-1) / 2;
    scree_collision_shape s = made(&half, 2);
    CHECK(s.kind == SCREE_COLLISION_HALF_SPACE && s.bound == HUGE_VAL && s.vertices == 1);
    CHECK_NEAR(s.normal[0], -1, 1e-15);
    CHECK_NEAR(s.normal[1], 0, 1e-15);
    CHECK(s.vertex[0] == 1 && s.vertex[1] == 2 && s.normal[2] == 0);
    scree_shape plane = { .kind = SCREE_PLANE, .normal = { 0, 0, 5 }, .turn = { 3, 3, 0, 0 } };
    s = made(&plane, 3);
    CHECK_NEAR(s.normal[1], -1, 1e-15);  // a quarter around x
    CHECK_NEAR(s.normal[2], 0, 1e-15);
}

static void boxes(void) {
    for (int k = 0; k < SCALES; k++) {
        double a = scales[k];
        scree_shape box = { .kind = SCREE_BOX, .size = { 1 * a, 2 * a, 3 * a } };
        for (int turned = 0; turned < 2; turned++) {
            scree_collision_shape s = made(&box, 3);
            CHECK(s.vertices == 8 && s.faces == 6 && s.edges == 12 && s.radius == 0);
            check_topology(&s, 3 * a);
            CHECK_NEAR(s.bound, a * sqrt(14) / 2, 1e-12 * a);
            memcpy(box.turn, (double[4]){ 1, -2, 0.5, 3 }, sizeof box.turn);
            memcpy(box.at, (double[3]){ a, -a, 2 * a }, sizeof box.at);
        }
        scree_collision_shape flat = made(&box, 2);
        CHECK(flat.vertices == 4 && flat.faces == 0);
        CHECK_NEAR(flat.vertex[6], 1.5 * a, 1e-15 * a);
        check_bound(&flat);
    }
}

// -------------------------------------------------------------------------------------------------
// polygons

static void polygons(void) {
    for (int k = 0; k < SCALES; k++) {
        double a = scales[k], square[16];
        // with the middles of the sides, clockwise, from one of them on
        const double way[16] = { 1, 0, 0, 0, 0, 1, 0, 2, 1, 2, 2, 2, 2, 1, 2, 0 };
        for (int i = 0; i < 16; i++) square[i] = a * (way[i] + 0.1);
        scree_shape shape = { .kind = SCREE_POLYGON, .vertices = 8, .vertex = square };
        shape.radius = 0.5 * a;
        for (int turned = 0; turned < 2; turned++) {
            scree_collision_shape s = made(&shape, 2);
            CHECK_INT(s.vertices, 4);
            CHECK(s.radius == 0.5 * a);
            double area = 0;
            for (int i = 0; i < s.vertices; i++) {
                const double *v = s.vertex + 3 * i, *w = s.vertex + 3 * ((i + 1) % s.vertices);
                area += (v[0] * w[1] - v[1] * w[0]) / 2;
                CHECK(v[2] == 0);
            }
            CHECK_NEAR(area, 4 * a * a, 1e-14 * a * a);
            // begins with the first that was given and is a corner, the second
            if (!turned) CHECK(s.vertex[0] == square[2] && s.vertex[1] == square[3]);
            CHECK_NEAR(s.bound, a * (sqrt(2) + 0.5), 1e-12 * a);
            shape.angle = 1;
            memcpy(shape.at, (double[2]){ -a, a }, 2 * sizeof(double));
        }
    }
    // many corners, and a thin one
    double round[2000];
    for (int i = 0; i < 1000; i++) {
        round[2 * i] = 1000 * cos(2 * acos(-1) * i / 1000);
        round[2 * i + 1] = 1e-3 * sin(2 * acos(-1) * i / 1000);
    }
    scree_shape shape = { .kind = SCREE_POLYGON, .vertices = 1000, .vertex = round };
    scree_collision_shape s = made(&shape, 2);
    CHECK_INT(s.vertices, 1000);
}

// -------------------------------------------------------------------------------------------------
// surfaces

static void chains(void) {
    const double way[10] = { 0, 0, 2, 0, 2, 1, 0, 1, 0, 0 };
    scree_shape shape = { .kind = SCREE_CHAIN, .vertices = 4, .vertex = way, .angle = acos(-1) };
    scree_collision_shape s = made(&shape, 2);
    CHECK(s.kind == SCREE_COLLISION_SURFACE && s.surface.pieces == 3 && s.vertices == 4);
    const int open[6] = { -1, 1, 0, 2, 1, -1 };
    for (int k = 0; k < 6; k++) CHECK_INT(s.surface.neighbour[k], open[k]);
    CHECK_NEAR(s.surface.normal[1], -1, 1e-15);  // left of the first, turned by half
    CHECK_NEAR(s.surface.normal[3], 1, 1e-15);
    CHECK_NEAR(s.bound, sqrt(5) / 2, 1e-12);
    CHECK_NEAR(s.vertex[3], -2, 1e-15);
    shape.vertices = 5;
    s = made(&shape, 2);
    CHECK(s.surface.pieces == 4 && s.vertices == 4);
    for (int k = 0; k < 4; k++) {
        CHECK_INT(s.surface.neighbour[2 * k], (k + 3) % 4);
        CHECK_INT(s.surface.neighbour[2 * k + 1], (k + 1) % 4);
        CHECK_INT(s.surface.piece[2 * k], k);
        CHECK_INT(s.surface.piece[2 * k + 1], (k + 1) % 4);
    }
}

static void check_neighbours(const scree_surface *s, int boundary) {
    int open = 0;
    for (int t = 0; t < s->pieces; t++)
        for (int k = 0; k < 3; k++) {
            int other = s->neighbour[3 * t + k], v = s->piece[3 * t + k],
                w = s->piece[3 * t + (k + 1) % 3], back = 0;
            open += other < 0;
            for (int l = 0; l < 3 && other >= 0; l++)
                back += s->piece[3 * other + l] == w && s->piece[3 * other + (l + 1) % 3] == v &&
                        s->neighbour[3 * other + l] == t;
            if (other >= 0) CHECK_INT(back, 1);
        }
    CHECK_INT(open, boundary);
}

static void meshes(void) {
    scree_shape shape = { .kind = SCREE_MESH, .vertices = 8, .vertex = cube };
    shape.triangle = cube_triangle;
    shape.turn[0] = shape.turn[3] = 1;  // a quarter around z
    shape.at[0] = 1;
    for (int n = 12; n > 0; n -= 11) {
        shape.triangles = n;
        scree_collision_shape s = made(&shape, 3);
        CHECK(s.kind == SCREE_COLLISION_SURFACE && s.vertices == 8 && s.surface.pieces == n);
        check_neighbours(&s.surface, n == 12 ? 0 : 3);
        CHECK_NEAR(s.surface.normal[1], -1, 1e-15);  // was -x
        CHECK_NEAR(s.vertex[3 * 2], 0, 1e-15);       // was (0, 1, 0)
        CHECK_NEAR(s.bound, sqrt(3) / 2, 1e-12);
        CHECK_NEAR(s.centre[0], 0.5, 1e-15);
    }
}

static void height_fields(void) {
    enum { ROWS = 5, COLUMNS = 7 };
    double height[ROWS * COLUMNS];
    for (int k = 0; k < SCALES; k++) {
        double a = scales[k];
        for (int r = 0; r < ROWS; r++)
            for (int c = 0; c < COLUMNS; c++) height[r * COLUMNS + c] = a * (0.5 * c - 0.25 * r);
        scree_shape shape = { .kind = SCREE_HEIGHT_FIELD, .rows = ROWS, .columns = COLUMNS };
        shape.height = height;
        shape.size[0] = 6 * a;
        shape.size[1] = 4 * a;
        shape.at[2] = a;
        scree_collision_shape s = made(&shape, 3);
        CHECK_INT(s.surface.pieces, 2 * (ROWS - 1) * (COLUMNS - 1));
        check_neighbours(&s.surface, 2 * (ROWS - 1 + COLUMNS - 1));
        double n[3] = { -0.5, 0.25, 1 }, length = sqrt(dot(n, n));
        for (int t = 0; t < s.surface.pieces; t++)
            for (int c = 0; c < 3; c++)
                CHECK_NEAR(s.surface.normal[3 * t + c], n[c] / length, 1e-14);
        CHECK_NEAR(s.vertex[0], -3 * a, 1e-15 * a);
        CHECK_NEAR(s.vertex[1], -2 * a, 1e-15 * a);
        CHECK_NEAR(s.vertex[3 * (ROWS * COLUMNS - 1)], 3 * a, 1e-15 * a);
        CHECK_NEAR(s.vertex[3 * (ROWS * COLUMNS - 1) + 2], 3 * a, 4e-15 * a);
    }
}

// -------------------------------------------------------------------------------------------------
// refusals

#define REFUSE(space, sentence, ...) refuse((scree_shape){ __VA_ARGS__ }, space, sentence)

static void refused_numbers(void) {
    REFUSE(2, "no shape of kind 99", .kind = (scree_shape_kind)99);
    REFUSE(2, "no sphere in the plane", .kind = SCREE_SPHERE, .radius = 1);
    REFUSE(3, "no disc in space", .kind = SCREE_DISC, .radius = 1);
    REFUSE(2, "disc: radius must be positive, got 0", .kind = SCREE_DISC);
    REFUSE(3, "sphere: radius must be positive, got -1", .kind = SCREE_SPHERE, .radius = -1);
    REFUSE(3, "sphere: radius must be positive, got nan", .kind = SCREE_SPHERE, .radius = NAN);
    REFUSE(3, "sphere: radius must be positive, got inf", .kind = SCREE_SPHERE, .radius = HUGE_VAL);
    REFUSE(2, "capsule: size (the length of the axis) must be positive", .kind = SCREE_CAPSULE,
           .radius = 1);
    REFUSE(3, "cylinder: radius must be positive", .kind = SCREE_CYLINDER, .size = { 1 });
    REFUSE(3, "box: size must be positive, got 0", .kind = SCREE_BOX, .size = { 1, 1 });
    REFUSE(2, "half-plane: normal", .kind = SCREE_HALF_PLANE, .normal = { 0, 0, 1 });
    REFUSE(3, "plane: normal", .kind = SCREE_PLANE, .normal = { 0, NAN, 1 });
    REFUSE(2, "place must be finite", .kind = SCREE_POINT, .at = { 0, NAN });
    REFUSE(2, "angle must be finite", .kind = SCREE_POINT, .angle = HUGE_VAL);
    REFUSE(3, "quaternion", .kind = SCREE_POINT, .turn = { 0, NAN });
}

static void refused_polygons(void) {
    for (int k = 0; k < SCALES; k++) {
        double way[12];
        scree_shape shape = { .kind = SCREE_POLYGON, .vertices = 4, .vertex = way };
#define WAY(...)                                 \
    for (int i = 0; i < 2 * shape.vertices; i++) \
    way[i] = scales[k] * ((double[]){ __VA_ARGS__, 0, 0, 0, 0 })[i]
        WAY(0, 0, 2, 0, 0.5, 0.5, 0, 2);
        refuse(shape, 2, "polygon: not convex at vertex 3; give convex parts as several shapes");
        WAY(0, 0, 0, 2, 0.5, 0.5, 2, 0);
        refuse(shape, 2, "not convex at vertex 3");
        WAY(0, 0, 1, 0, 1, 0, 0, 1);
        refuse(shape, 2, "vertices 2 and 3 are the same point");
        WAY(0, 0, 1, 0, 0, 1, 0, 0);
        refuse(shape, 2, "vertices 4 and 1 are the same point");
        WAY(0, 0, 1, 1, 3, 3, 2, 2);
        refuse(shape, 2, "the 4 vertices lie on a line");
        WAY(0, 0, 1, 1, 0, 1, 1, 0);
        refuse(shape, 2, "not convex at vertex");
        WAY(0, 0, 1, 0, 1, NAN, 0, 1);
        refuse(shape, 2, "vertex 3 must be finite, got nan");
        WAY(1, 1, 1, 1, 1, 1, 1, 1);
        refuse(shape, 2, "all 4 vertices are the same point");
        WAY(0, 0, 2, 0, 1, 0, 1, 1);
        refuse(shape, 2, "not convex at vertex");
        WAY(0, 0, 1, 0, 1, 1, 0, 1);
        shape.radius = -1;
        refuse(shape, 2, "radius must not be negative");
        shape.radius = 0;
        shape.vertices = 2;
        refuse(shape, 2, "needs 3 vertices or more, got 2");
        // a star turns left at every corner
        shape.vertices = 5;
        for (int i = 0; i < 5; i++) {
            way[2 * i] = scales[k] * cos(4 * acos(-1) / 5 * i);
            way[2 * i + 1] = scales[k] * sin(4 * acos(-1) / 5 * i);
        }
        refuse(shape, 2, "not convex at vertex");
    }
}

static void refused_surfaces(void) {
    const double way[10] = { 0, 0, 1, 0, 1, 0, 2, 0, 1, 1 },
                 eight[12] = { 0, 0, 1, 1, 2, 0, 1, 1, 0, 2, 3, 3 };
    REFUSE(2, "needs 2 vertices or more, got 1", .kind = SCREE_CHAIN, .vertices = 1, .vertex = way);
    REFUSE(2, "chain: no length between vertices 2 and 3", .kind = SCREE_CHAIN, .vertices = 4,
           .vertex = way);
    REFUSE(2, "chain: vertices 2 and 4 are the same point", .kind = SCREE_CHAIN, .vertices = 6,
           .vertex = eight);
    const double line[24] = { 0, 0, 0, 1, 0, 0, 2, 0, 0, 0, 1, 0, 1, 1, 0, 0, 0, 1, 0, 0, 2 };
    const int none[6] = { 0, 1, 3, 0, 1, 2 }, outside[3] = { 0, 1, 7 };
    const int three[9] = { 0, 1, 3, 1, 0, 5, 0, 1, 6 }, inverted[6] = { 0, 1, 3, 0, 1, 5 };
    int many[60];
    for (int i = 0; i < 60; i++) many[i] = i % 3;
#define MESH(n, list) \
    .kind = SCREE_MESH, .vertices = 7, .vertex = line, .triangles = n, .triangle = list
    REFUSE(3, "mesh: no triangles are given", MESH(1, NULL));
    REFUSE(3, "mesh: needs 1 to 715827882 triangles, got 0", MESH(0, none));
    REFUSE(3, "mesh: triangle 2 of 2 has no area", MESH(2, none));
    REFUSE(3, "mesh: triangles 1, 2, 3 of 3 have no area", MESH(3, many));
    REFUSE(3, "mesh: triangles 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12 and 8 more of 20 have no area",
           MESH(20, many));
    REFUSE(3, "mesh: triangle 1 has vertex 8 of 7", MESH(1, outside));
    REFUSE(3, "mesh: triangles 1, 2 and 3 share the edge of vertices 1 and 2", MESH(3, three));
    REFUSE(3, "mesh: triangles 1 and 2 share an edge and face opposite ways", MESH(2, inverted));
    const double height[4] = { 0, 0, NAN, 0 };
#define FIELD(r, c, x, y) \
    .kind = SCREE_HEIGHT_FIELD, .rows = r, .columns = c, .height = height, .size = { x, y }
    REFUSE(3, "height-field: row 2, column 1 must be finite, got nan", FIELD(2, 2, 1, 1));
    REFUSE(3, "height-field: size along y must be positive", FIELD(2, 2, 1, 0));
    REFUSE(3, "got 1 x 2", FIELD(1, 2, 1, 1));
    REFUSE(3, "got 100000 x 100000", FIELD(100000, 100000, 1, 1));
}

// -------------------------------------------------------------------------------------------------
// memory that runs out

static void fail_each(const scree_shape *shape, int space) {
    long all = 0;
    for (long n = 0; n <= all || n == 0; n++) {
        scree_arena own = { 0 };
        scree_collision_shape solid;
        scree_error err = { 0 };
        fails_at = n ? n : 1000000;
        calls = 0;
        scree_status status = scree_collision_shape_make(shape, space, &own, &solid, &err);
        if (n == 0) all = calls;
        fails_at = 0;
        CHECK_INT(status, n ? SCREE_NO_MEMORY : SCREE_OK);
        if (n) CHECK(strstr(err.text, "memory") != NULL);
        scree_arena_free(&own);
    }
    CHECK(all > 0);
}

static void allocations(void) {
    enum { N = 3000 };
    static double point[3 * N], height[N];
    seed = 31;
    for (int i = 0; i < N; i++) {
        double angle = 2 * acos(-1) * i / N;
        point[2 * i] = cos(angle);
        point[2 * i + 1] = sin(angle);
    }
    fail_each(&(scree_shape){ .kind = SCREE_DISC, .radius = 1 }, 2);
    fail_each(&(scree_shape){ .kind = SCREE_BOX, .size = { 1, 1, 1 } }, 3);
    fail_each(&(scree_shape){ .kind = SCREE_PLANE, .normal = { 1 } }, 3);
    fail_each(&(scree_shape){ .kind = SCREE_POLYGON, .vertices = N, .vertex = point }, 2);
    fail_each(&(scree_shape){ .kind = SCREE_CHAIN, .vertices = N, .vertex = point }, 2);
    scree_shape field = { .kind = SCREE_HEIGHT_FIELD, .rows = 30, .columns = 100 };
    field.height = height;
    field.size[0] = field.size[1] = 1;
    fail_each(&field, 3);
    scree_shape mesh = { .kind = SCREE_MESH, .vertices = 8, .vertex = cube };
    mesh.triangles = 12;
    mesh.triangle = cube_triangle;
    fail_each(&mesh, 3);
    mesh.kind = SCREE_POLYHEDRON;
    fail_each(&mesh, 3);
    for (int i = 0; i < 3 * N; i++) point[i] = random_int(-1000000, 1000000);
    fail_each(&(scree_shape){ .kind = SCREE_POLYHEDRON, .vertices = N, .vertex = point }, 3);
}

static void names(void) {
    CHECK_TEXT(scree_shape_kind_name(SCREE_POINT), "point");
    CHECK_TEXT(scree_shape_kind_name(SCREE_HEIGHT_FIELD), "height-field");
    CHECK_TEXT(scree_shape_kind_name(SCREE_SHAPE_KINDS), "?");
    for (int k = 0; k < SCREE_SHAPE_KINDS; k++)
        CHECK(scree_shape_kind_name((scree_shape_kind)k) != NULL);
}

TEST_FILE(test_solid) {
    TEST(names);
    TEST(round_shapes);
    TEST(half_spaces);
    TEST(boxes);
    TEST(polygons);
    TEST(chains);
    TEST(meshes);
    TEST(height_fields);
    TEST(refused_numbers);
    TEST(refused_polygons);
    TEST(refused_surfaces);
    TEST(allocations);
    scree_arena_free(&arena);
    return harness_end();
}
