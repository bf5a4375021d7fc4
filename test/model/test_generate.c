// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// test_generate.c - generated bodies: how many, where, how large; none overlaps, seeds reproduce.

#include "scene/scene_case.h"

static const double pi = 3.14159265358979323846;

#define BALL "body: {density: 1000, shapes: [{type: sphere, radius: 1}]}"
#define DISC "body: {density: 1000, shapes: [{type: disc, radius: 1}]}"
#define GEN(rest) "generate: [{name: g, " rest "}]\n"

static double distance(const scree_model *model, int a, int b) {
    double square = 0;
    for (int k = 0; k < 3; k++) {
        double d = model->body[a].position[k] - model->body[b].position[k];
        square += d * d;
    }
    return sqrt(square);
}

// of bodies with one round shape each, in their order
static double radius(const scree_model *model, int body) { return model->shape[body].radius; }

static double least_gap(const scree_model *model) {
    double least = HUGE_VAL;
    for (int i = 0; i < model->bodies; i++)
        for (int j = 0; j < i; j++)
            least = fmin(least, distance(model, i, j) - radius(model, i) - radius(model, j));
    return least;
}

// everything within the box, balls and all
static void check_inside(const scree_model *model, const double *low, const double *high) {
    for (int i = 0; i < model->bodies; i++)
        for (int k = 0; k < model->space; k++) {
            double x = model->body[i].position[k], r = radius(model, i);
            CHECK(x - r >= low[k] - 1e-12 && x + r <= high[k] + 1e-12);
        }
}

static void grids(void) {
    scene_case c = taken(3, GEN(BALL ", arrange: grid, count: [3, 4, 5], origin: [1, 2, 3], "
                                     "spacing: [4, 5, 6]"));
    if (c.model) {
        CHECK_INT(c.model->bodies, 60);
        CHECK_INT(scree_scene_bodies(c.scene), 60);
        int n = 0;
        for (int z = 0; z < 5; z++)
            for (int y = 0; y < 4; y++)
                for (int x = 0; x < 3; x++, n++) {
                    const double *at = c.model->body[n].position;
                    CHECK(at[0] == 1 + 4 * x && at[1] == 2 + 5 * y && at[2] == 3 + 6 * z);
                    CHECK_INT(c.model->shape[n].body, n);
                }
        CHECK_NEAR(c.model->body[7].mass, 4000 * pi / 3, 1e-9);
        CHECK_NEAR(c.model->body[7].tensor[3], 0.4 * 4000 * pi / 3, 1e-9);
    }
    close_case(&c);
    // without spacing the bodies are gap apart, those of the pattern's place and velocity
    c = taken(2,
              GEN("body: {density: 1, position: [10, 20], velocity: [1, 2], shapes: [{type: disc, "
                  "radius: 1}]}, arrange: grid, count: [3, 2], gap: 0.5"));
    if (c.model) {
        CHECK_NEAR(least_gap(c.model), 0.5, 1e-14);
        CHECK(c.model->body[0].position[0] == 10 && c.model->body[0].position[1] == 20);
        CHECK(c.model->body[5].velocity[0] == 1 && c.model->body[5].velocity[1] == 2);
    }
    close_case(&c);
}

// in the middle of the lattice a body has 6 neighbours in the plane, 12 in space
static void hexagonal_lattices_are_close(void) {
    for (int space = 2; space <= 3; space++) {
        scene_case c =
            taken(space, space == 2 ? GEN(DISC ", arrange: hexagonal, count: [7, 7]")
                                    : GEN(BALL ", arrange: hexagonal, count: [7, 7, 7]"));
        if (c.model) {
            int all = space == 2 ? 49 : 343, middle = space == 2 ? 24 : 171, near = 0;
            CHECK_INT(c.model->bodies, all);
            for (int i = 0; i < c.model->bodies; i++)
                near += i != middle && distance(c.model, i, middle) < 2 + 1e-9;
            CHECK_INT(near, space == 2 ? 6 : 12);
            CHECK_NEAR(least_gap(c.model), 0, 1e-12);
        }
        close_case(&c);
    }
}

static void jitter_moves_and_leaves_room(void) {
    scene_case c = taken(3, GEN(BALL ", arrange: hexagonal, count: [6, 6, 6], jitter: 0.3"));
    scene_case plain = taken(3, GEN(BALL ", arrange: grid, count: [6, 6, 6], spacing: 9"));
    scene_case moved =
        taken(3, GEN(BALL ", arrange: grid, count: [6, 6, 6], spacing: 9, jitter: 0.3"));
    if (c.model) CHECK(least_gap(c.model) >= 0);
    double most = 0;
    for (int i = 0; plain.model && moved.model && i < 216; i++)
        for (int k = 0; k < 3; k++) {
            double d = moved.model->body[i].position[k] - plain.model->body[i].position[k];
            CHECK(fabs(d) <= 0.3 + 1e-12);
            most = fmax(most, fabs(d));
        }
    CHECK(most > 0.29);
    close_case(&c);
    close_case(&plain);
    close_case(&moved);
}

// --- random packings ----------------------------------------------------------------------------

static void packings_do_not_overlap(void) {
    scene_case c = taken(3, GEN(BALL ", arrange: random, count: 2000, radius: [0.02, 0.05], gap: "
                                     "0.001, region: [[0, 0, 0], [1, 2, 0.8]]"));
    if (c.model) {
        CHECK_INT(c.model->bodies, 2000);
        CHECK(least_gap(c.model) >= 0.001 - 1e-15);
        check_inside(c.model, (double[]){ 0, 0, 0 }, (double[]){ 1, 2, 0.8 });
    }
    close_case(&c);
    c = taken(2,
              GEN(DISC ", arrange: random, count: 500, radius: 0.02, region: [[-1, 3], [1, 4]]"));
    if (c.model) {
        CHECK_INT(c.model->bodies, 500);
        CHECK(least_gap(c.model) >= 0);
        check_inside(c.model, (double[]){ -1, 3 }, (double[]){ 1, 4 });
    }
    close_case(&c);
}

/// Sizes over three decades: the cells are those of many levels.
static void packings_of_any_size_ratio(void) {
    scene_case c = taken(2, GEN(DISC ", arrange: random, count: 3000, radius: [0.001, 1], sizes: "
                                     "by-volume, region: [[0, 0], [10, 10]]"));
    if (c.model) {
        CHECK(least_gap(c.model) >= 0);
        check_inside(c.model, (double[]){ 0, 0 }, (double[]){ 10, 10 });
    }
    close_case(&c);
}

static bool same_bodies(const scree_model *a, const scree_model *b) {
    if (a->bodies != b->bodies) return false;
    for (int i = 0; i < a->bodies; i++)
        if (memcmp(a->body[i].position, b->body[i].position, sizeof a->body[i].position) != 0 ||
            memcmp(a->body[i].orientation, b->body[i].orientation, 4 * sizeof(double)) != 0 ||
            radius(a, i) != radius(b, i))
            return false;
    return true;
}

static void seeds_reproduce(void) {
#define SEEDED(seed)                                                                        \
    taken(3, GEN(BALL ", arrange: random, count: 100, radius: [0.02, 0.05], turn: random, " \
                      "region: [[0, 0, 0], [1, 1, 1]]" seed))
    scene_case a = SEEDED(""), b = SEEDED(", seed: 1"), other = SEEDED(", seed: 2");
    if (a.model && b.model && other.model) {
        CHECK(same_bodies(a.model, b.model));
        CHECK(!same_bodies(a.model, other.model));
    }
    close_case(&a);
    close_case(&b);
    close_case(&other);
}

// the part of bodies (or of their volume) with radii below the middle
static void check_sizes(int space, const char *sizes, double middle, double part, bool volume) {
    char text[400];
    snprintf(text, sizeof text, GEN("%s, arrange: grid, count: %s, radius: [1, 4], sizes: %s"),
             space == 2 ? DISC : BALL, space == 2 ? "[100, 100]" : "[100, 50, 2]", sizes);
    scene_case c = taken(space, text);
    double below = 0, all = 0;
    for (int i = 0; c.model && i < c.model->bodies; i++) {
        double r = radius(c.model, i), weight = volume ? pow(r, space) : 1;
        CHECK(r >= 1 && r <= 4);
        all += weight;
        below += r < middle ? weight : 0;
    }
    CHECK_NEAR(below / all, part, 0.02);
    close_case(&c);
}

static void sizes_have_their_distribution(void) {
    check_sizes(3, "uniform", 2.5, 0.5, false);
    check_sizes(3, "uniform", 1.75, 0.25, false);
    check_sizes(2, "log-uniform", 2, 0.5, false);
    check_sizes(3, "by-volume", 2.5, 0.5, true);
    check_sizes(2, "by-volume", 1.75, 0.25, true);
}

/// A grain of several shapes is scaled as a whole, and so are its mass and inertia.
static void compounds_are_scaled(void) {
    scene_case c = taken(
        3,
        GEN("arrange: grid, count: [2, 1, 1], radius: 6, spacing: 20, body: {density: 1000, "
            "shapes: [{type: sphere, radius: 1, at: [0, 0, 2]}, {type: box, size: [1, 1, 1]}]}"));
    scene_case one = taken(3,
                           "bodies: [{name: a, density: 1000, shapes: [{type: sphere, radius: 2, "
                           "at: [0, 0, 4]}, {type: box, size: [2, 2, 2]}]}]");
    if (c.model && one.model) {
        const scree_body *a = &c.model->body[1], *b = one.model->body;
        CHECK_NEAR(a->mass, b->mass, 1e-12 * b->mass);
        for (int k = 0; k < 6; k++) CHECK_NEAR(a->tensor[k], b->tensor[k], 1e-12 * b->tensor[0]);
        CHECK_NEAR(a->position[0], 20 + b->position[0], 1e-12);
        CHECK_NEAR(a->position[2], b->position[2], 1e-12);
        for (int s = 0; s < 2; s++)
            for (int k = 0; k < 3; k++)
                CHECK_NEAR(c.model->shape[2 + s].at[k], one.model->shape[s].at[k], 1e-12);
        CHECK_NEAR(c.model->shape[3].size[1], 2, 1e-14);
    }
    close_case(&c);
    close_case(&one);
}

static void vertices_are_scaled(void) {
    scene_case c =
        taken(2, GEN("arrange: grid, count: [1, 1], radius: 10, body: {density: 1, "
                     "shapes: [{type: polygon, vertices: [[-1, -1], [1, -1], [0, 1]]}]}"));
    if (c.model) {
        double far = 0;
        // about the frame of the user, which is that of the place
        for (int i = 0; i < 3; i++) {
            const double *v = c.model->shape[0].vertex + 2 * i, *at = c.model->shape[0].at;
            const double *position = c.model->body[0].position;
            far = fmax(far, hypot(position[0] + at[0] + v[0], position[1] + at[1] + v[1]));
        }
        CHECK_NEAR(far, 10, 1e-12);
        CHECK_NEAR(c.model->body[0].mass, 2 * 50, 1e-10);
    }
    close_case(&c);
}

/// Random rotations have no preferred direction: means of a turned axis vanish, squares are thirds.
static void turns_are_uniform(void) {
    scene_case c = taken(3, GEN(BALL ", arrange: grid, count: [20, 20, 25], turn: random"));
    double mean[3] = { 0 }, square[3] = { 0 };
    int n = c.model ? c.model->bodies : 0;
    for (int i = 0; i < n; i++) {
        const double *q = c.model->body[i].orientation;
        CHECK_NEAR(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3], 1, 1e-14);
        double z[3] = { 2 * (q[1] * q[3] + q[0] * q[2]), 2 * (q[2] * q[3] - q[0] * q[1]),
                        1 - 2 * (q[1] * q[1] + q[2] * q[2]) };
        for (int k = 0; k < 3; k++) {
            mean[k] += z[k] / n;
            square[k] += z[k] * z[k] / n;
        }
    }
    for (int k = 0; k < 3; k++) {
        CHECK_NEAR(mean[k], 0, 0.02);
        CHECK_NEAR(square[k], 1.0 / 3, 0.015);
    }
    close_case(&c);
}

// --- walls and towers ---------------------------------------------------------------------------

typedef struct extent {
    double left, right, low, high;
} extent;

static extent brick_of(const scree_model *model, int body) {
    const scree_shape *shape = &model->shape[body];
    const double *at = model->body[body].position;
    int up = model->space - 1;
    double wide = shape->size[0], high = shape->size[up];
    return (extent){ at[0] - wide / 2, at[0] + wide / 2, at[up] - high / 2, at[up] + high / 2 };
}

/// Ends are flush, courses rest on each other, and no joint is above a joint.
static void check_bond(const scree_model *model, int bricks, int courses, double gap) {
    int n = 0;
    double end = bricks * 4 + (bricks - 1) * gap, mass = 0;
    for (int course = 0; course < courses; course++) {
        double x = 0;
        for (int i = 0; i < bricks + course % 2; i++, n++) {
            if (n >= model->bodies) return;
            extent brick = brick_of(model, n);
            CHECK_NEAR(brick.left, x, 1e-12);
            CHECK_NEAR(brick.low, course, 1e-12);
            CHECK_NEAR(brick.high, course + 1, 1e-12);
            bool half = course % 2 && (i == 0 || i == bricks);
            CHECK_NEAR(brick.right - brick.left, half ? (4 - gap) / 2 : 4, 1e-12);
            x = brick.right + gap;
            mass += model->body[n].mass;
        }
        CHECK_NEAR(x - gap, end, 1e-12);
    }
    CHECK_INT(model->bodies, n);
    double missing = (courses - courses / 2) * (bricks - 1) * gap + courses / 2 * bricks * gap;
    double depth = model->space == 3 ? 2 : 1;
    CHECK_NEAR(mass, 10 * depth * (courses * end - missing), 1e-9 * mass);
}

static void walls_are_in_running_bond(void) {
    scene_case c = taken(3, GEN("arrange: wall, count: [5, 7], body: {density: 10, shapes: [{type: "
                                "box, size: [4, 2, 1]}]}"));
    if (c.model) {
        check_bond(c.model, 5, 7, 0);
        CHECK_INT(scree_scene_bodies(c.scene), c.model->bodies);
        CHECK_NEAR(c.model->body[0].position[1], 1, 0);
    }
    close_case(&c);
    c = taken(2, GEN("arrange: wall, count: [3, 4], gap: 0.25, body: {density: 10, shapes: [{type: "
                     "box, size: [4, 1]}]}"));
    if (c.model) {
        check_bond(c.model, 3, 4, 0.25);
        CHECK_INT(scree_scene_bodies(c.scene), c.model->bodies);
    }
    close_case(&c);
    c = taken(3, GEN("arrange: wall, count: [5, 6, 3], origin: [0, 5, 0], body: {fixed: true, "
                     "shapes: [{type: box, size: [4, 2, 1]}]}"));
    if (c.model) {
        CHECK_INT(c.model->bodies, 3 * (6 * 5 + 3));
        CHECK_INT(scree_scene_bodies(c.scene), c.model->bodies);
        CHECK_NEAR(c.model->body[c.model->bodies - 1].position[1], 5 + 1 + 2 * 2, 0);
    }
    close_case(&c);
}

static void towers_are_crosswise(void) {
    scene_case c = taken(3, GEN("arrange: tower, count: 6, per_level: 3, origin: [1, 2, 3], body: "
                                "{density: 10, shapes: [{type: box, size: [6, 1, 0.5]}]}"));
    if (c.model) CHECK_INT(c.model->bodies, 18);
    for (int i = 0; c.model && i < 18; i++) {
        const scree_body *body = &c.model->body[i];
        int level = i / 3, across = level % 2 ? 0 : 1, along = 1 - across;
        CHECK_NEAR(body->position[across], 2 - along + (i % 3 - 1) * 2.5, 1e-12);
        CHECK_NEAR(body->position[along], 1 + along, 1e-12);
        CHECK_NEAR(body->position[2], 3 + (level + 0.5) * 0.5, 1e-12);
        CHECK_NEAR(body->orientation[3], level % 2 ? sqrt(0.5) : 0, 1e-15);
        CHECK_NEAR(body->mass, 30, 1e-12);
    }
    close_case(&c);
}

/// Ten thousand bodies in a few lines, and a hundred thousand are read as quickly as they are made.
static void many(void) {
    scene_case c = taken(3,
                         "generate:\n"
                         "  - name: grain\n"
                         "    arrange: random\n"
                         "    count: 100000\n"
                         "    radius: [1.25e-3, 2.5e-3]\n"
                         "    region: [[0, 0, 0], [0.2, 0.2, 0.4]]\n"
                         "    body: {density: 1000, shapes: [{type: sphere, radius: 1}]}\n"
                         "laws: [{between: [grain, grain-99999], friction: 0.4}]\n");
    if (c.model) {
        CHECK_INT(c.model->bodies, 100000);
        CHECK_TEXT(c.model->body[99999].name, "grain-100000");
        CHECK_NEAR(scree_model_law(c.model, 0, 99998)->friction, 0.4, 0);
        CHECK_NEAR(scree_model_law(c.model, 0, 99999)->friction, 0, 0);
    }
    close_case(&c);
}

TEST_FILE(test_generate) {
    TEST(grids);
    TEST(hexagonal_lattices_are_close);
    TEST(jitter_moves_and_leaves_room);
    TEST(packings_do_not_overlap);
    TEST(packings_of_any_size_ratio);
    TEST(seeds_reproduce);
    TEST(sizes_have_their_distribution);
    TEST(compounds_are_scaled);
    TEST(vertices_are_scaled);
    TEST(turns_are_uniform);
    TEST(walls_are_in_running_bond);
    TEST(towers_are_crosswise);
    TEST(many);
    return harness_end();
}
