// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// test_narrow_chain.c - where flat solids touch chains of segments: once, and along no normal but
// theirs.

#include "collide/planar_bodies.h"

enum { LINKS = 40 };

typedef struct chain {
    scree_collision_shape solid;
    scree_pose pose;
    double vertex[3 * (LINKS + 1)], normal[3 * LINKS];
    int piece[2 * LINKS], neighbour[2 * LINKS];
} chain;

/// Segments through points, the last to the first again if it is closed.
static void make_chain(chain *c, const double (*point)[2], int points, bool closed) {
    int pieces = closed ? points : points - 1;
    for (int i = 0; i < points; i++) {
        c->vertex[3 * i] = point[i][0];
        c->vertex[3 * i + 1] = point[i][1];
        c->vertex[3 * i + 2] = 0;
    }
    for (int k = 0; k < pieces; k++) {
        int next = (k + 1) % points;
        double x = point[next][0] - point[k][0], y = point[next][1] - point[k][1];
        c->piece[2 * k] = k;
        c->piece[2 * k + 1] = next;
        c->neighbour[2 * k] = k > 0 ? k - 1 : closed ? pieces - 1 : -1;
        c->neighbour[2 * k + 1] = k < pieces - 1 ? k + 1 : closed ? 0 : -1;
        c->normal[3 * k] = -y / hypot(x, y);
        c->normal[3 * k + 1] = x / hypot(x, y);
        c->normal[3 * k + 2] = 0;
    }
    c->solid = (scree_collision_shape){
        .kind = SCREE_COLLISION_SURFACE,
        .space = 2,
        .vertices = points,
        .vertex = c->vertex,
        .surface = { pieces, c->piece, c->neighbour, c->normal },
    };
    c->pose = pose_at(0, 0, 0);
}

typedef struct landing {
    int count;
    double least;  // gap
    scree_manifold_point manifold[SCREE_MANIFOLD_MAX * LINKS];
    int piece[SCREE_MANIFOLD_MAX * LINKS];
} landing;

/// The touches of all pieces.
static landing land(const body *a, const chain *c, double margin) {
    landing all = { .least = HUGE_VAL };
    for (int k = 0; k < c->solid.surface.pieces; k++) {
        scree_manifold_point *manifold = all.manifold + all.count;
        int count = scree_narrow_phase_planar_piece(&a->solid, &a->pose, &c->solid, k, &c->pose,
                                                    margin, manifold);
        for (int i = 0; i < count; i++) {
            all.least = fmin(all.least, manifold[i].gap);
            all.piece[all.count++] = k;
            CHECK(manifold[i].gap <= margin && manifold[i].feature < 1u << 20);
        }
    }
    return all;
}

/// Along a straight chain of uneven links nothing is felt but the line.
static void nothing_catches_on_a_straight_chain(void) {
    double point[LINKS + 1][2] = { { 0, 0 } };
    for (int i = 1; i <= LINKS; i++) point[i][0] = point[i - 1][0] + 0x1p-4 * random_int(1, 12);
    chain c;
    make_chain(&c, (const double(*)[2])point, LINKS + 1, false);
    body disc, box, tip;
    make_disc(&disc, 0.5);
    make_box(&box, 1, 0.5, 0);
    make_box(&tip, 1, 1, 0);
    static const double lifts[] = { 0, 0x1p-30, -0x1p-30, 0x1p-8, -0x1p-8 };
    double end = point[LINKS][0] - 2;
    for (int turned = 0; turned < 2; turned++)
        for (int k = 0; k < 5; k++)
            // multiples of 1/64 stop on every seam
            for (double x = 2; x < end; x += 0x1p-6) {
                double angle = turned ? 0.3 : 0, lift = lifts[k], s = sin(angle), co = cos(angle);
                body *side[3] = { &disc, &box, &tip };
                const double height[3] = { 0.5, 0.25, sqrt(0.5) };
                c.pose = pose_at(0, 0, angle);
                for (int b = 0; b < 3; b++) {
                    double y = height[b] + lift;
                    side[b]->pose =
                        pose_at(co * x - s * y, s * x + co * y, angle + (b == 2 ? pi / 4 : 0));
                    landing all = land(side[b], &c, 0.01);
                    int expected = b == 1 ? 2 : 1;
                    // on a seam rounding may put a corner over both links, never over none
                    if (turned ? all.count < expected || all.count > 2 * expected
                               : all.count != expected)
                        COMPLAIN("%d touches of body %d at %g", all.count, b, x);
                    CHECK_NEAR(all.least, lift, 1e-14);
                    for (int i = 0; i < all.count; i++) {
                        CHECK_NEAR(all.manifold[i].gap, lift, 1e-14);
                        CHECK_NEAR(all.manifold[i].normal[0], -s, 1e-14);
                        CHECK_NEAR(all.manifold[i].normal[1], co, 1e-14);
                    }
                }
            }
}

/// Is n the normal of the piece, or between it and that of the next one?
static bool is_of_piece(const chain *c, int k, const double n[3]) {
    const double *own = c->normal + 3 * k;
    int next = c->neighbour[2 * k + 1];
    double to_own = own[0] * n[1] - own[1] * n[0];
    if (fabs(to_own) < 1e-12) return own[0] * n[0] + own[1] * n[1] > 0;
    if (next < 0) return false;
    const double *other = c->normal + 3 * next;
    return to_own <= 1e-12 && other[0] * n[1] - other[1] * n[0] >= -1e-12;
}

static double chain_distance(const body *a, const chain *c) {
    figure f = figure_of(&a->solid, &a->pose, &c->pose);
    real best = HUGE_VALL;
    for (int k = 0; k < c->solid.surface.pieces; k++) {
        scree_collision_shape segment = { .vertices = 2 };
        double vertex[6];
        memcpy(vertex, c->vertex + 3 * c->piece[2 * k], 3 * sizeof(double));
        memcpy(vertex + 3, c->vertex + 3 * c->piece[2 * k + 1], 3 * sizeof(double));
        segment.vertex = vertex;
        figure s = figure_of(&segment, &c->pose, &c->pose);
        best = fminl(best, judge_apart(&f, &s));
    }
    return (double)best;
}

/// Over bent chains the smallest gap is the distance, and no normal is invented.
static void gaps_over_bent_chains(void) {
    int near = 0;
    for (int round = 0; round < 1200 / FEWER; round++) {
        double point[LINKS + 1][2], bend = pow(10, random_int(-12, 0));
        int shape = random_int(0, 3);
        for (int i = 0; i <= LINKS; i++) {
            point[i][0] = 0.4 * (i - LINKS / 2) + uniform(-0.1, 0.1);
            double x = point[i][0];
            point[i][1] = shape == 0   ? bend * uniform(-0.5, 0.5)
                          : shape == 1 ? 0.05 * bend * x * x
                          : shape == 2 ? -0.05 * bend * x * x
                                       : 0;
        }
        chain c;
        body a;
        make_chain(&c, (const double(*)[2])point, LINKS + 1, false);
        make_random(&a, 0.5, round % 2);
        a.pose = pose_at(uniform(-3, 3), 3, uniform(-4, 4));
        // let it down to where its core is just above
        double wanted = round % 3 ? pow(10, random_int(-12, -1)) : a.solid.radius;
        for (int fall = 0; fall < 30; fall++) a.pose.at[1] -= chain_distance(&a, &c) - wanted;
        double distance = chain_distance(&a, &c);
        if (!(distance > 0)) continue;
        near++;
        double gap = distance - a.solid.radius;
        landing all = land(&a, &c, fmax(gap, 0) + 0.02);
        CHECK_NEAR(all.least, gap, 1e-13);
        for (int i = 0; i < all.count; i++)
            if (!is_of_piece(&c, all.piece[i], all.manifold[i].normal))
                COMPLAIN("round %d: normal %g %g on piece %d", round, all.manifold[i].normal[0],
                         all.manifold[i].normal[1], all.piece[i]);
        if (harness_complaints) {
            COMPLAIN("round %d: shape %d, bend %g, %d vertices", round, shape, bend,
                     a.solid.vertices);
            return;
        }
    }
    CHECK(near > 900 / FEWER);
}

/// A box that slides over a chain with small bends, a little too deep, is pushed up everywhere.
static void overlapping_boxes_are_pushed_to_the_front(void) {
    for (int round = 0; round < 2000 / FEWER; round++) {
        double point[LINKS + 1][2], bend = pow(10, random_int(-9, -3)), depth = 2 * bend;
        for (int i = 0; i <= LINKS; i++) {
            point[i][0] = 0.25 * (i - LINKS / 2) + uniform(-0.05, 0.05);
            point[i][1] = bend * uniform(-0.1, 0.1);
        }
        chain c;
        body box;
        make_chain(&c, (const double(*)[2])point, LINKS + 1, false);
        make_box(&box, 1, 0.5, 0);
        box.pose = pose_at(uniform(-3, 3), 0.25 - depth, bend * uniform(-0.5, 0.5));
        landing all = land(&box, &c, depth);
        CHECK(all.count >= 2);
        CHECK_NEAR(all.least, -depth, bend);
        for (int i = 0; i < all.count; i++) CHECK(all.manifold[i].normal[1] > 1 - 10 * bend);
    }
}

static void ramps_are_seen_before_they_are_hit(void) {
    double point[3][2] = { { -5, 0 }, { 0, 0 }, { 5 * cos(0.5), 5 * sin(0.5) } };
    chain c;
    body box;
    make_chain(&c, (const double(*)[2])point, 3, false);
    make_box(&box, 1, 1, 0);
    box.pose = pose_at(-0.51, 0.5, 0);
    landing all = land(&box, &c, 0.02);
    CHECK_INT(all.count, 3);
    for (int i = 0; i < all.count; i++) {
        bool ramp = all.piece[i] == 1;
        CHECK_NEAR(all.manifold[i].gap, ramp ? 0.01 * sin(0.5) : 0, 1e-15);
        CHECK_NEAR(all.manifold[i].normal[0], ramp ? -sin(0.5) : 0, 1e-15);
    }
    // high above the ramp's end there is nothing to run into
    point[2][0] = 0.1;
    point[2][1] = 0.05;
    make_chain(&c, (const double(*)[2])point, 3, false);
    box.pose = pose_at(-0.51, 0.6, 0);
    all = land(&box, &c, 0.2);
    for (int i = 0; i < all.count; i++)
        if (all.piece[i] == 1)
            CHECK(all.manifold[i].normal[1] > 0.99 || all.manifold[i].gap > 0.05);
}

/// A block of which the front is outside: clockwise.
static void corners_and_backs_of_a_block(void) {
    double point[4][2] = { { 0, 0 }, { 1, 0 }, { 1, -1 }, { 0, -1 } };
    chain c;
    body box, disc;
    make_chain(&c, (const double(*)[2])point, 4, true);
    make_box(&box, 1, 1, 0);
    // over the corner, a little too deep: pushed up by the top alone
    for (double x = 0.6; x < 1.4; x += 0.05) {
        box.pose = pose_at(x, 0.5 - 1e-6, 0);
        landing all = land(&box, &c, 0.01);
        CHECK(all.count >= 1);
        for (int i = 0; i < all.count; i++) {
            CHECK_NEAR(all.manifold[i].gap, -1e-6, 1e-12);
            CHECK_NEAR(all.manifold[i].normal[1], 1, 1e-12);
        }
    }
    // a disc goes around the corner: one touch at a time, its gap does not change
    make_disc(&disc, 0.5);
    for (double angle = -0.2; angle < pi / 2 + 0.2; angle += 0.01) {
        double x = 1 + 0.4 * sin(fmin(fmax(angle, 0), pi / 2)) + fmin(angle, 0);
        double y = 0.4 * cos(fmin(fmax(angle, 0), pi / 2)) - fmax(angle - pi / 2, 0);
        disc.pose = pose_at(x, y, 0);
        landing all = land(&disc, &c, 0.01);
        CHECK_INT(all.count, 1);
        CHECK_NEAR(all.least, -0.1, 1e-15);
    }
    // from the left only the left side is felt, however thin the block is
    for (int i = 1; i < 3; i++) point[i][0] = 0.01;
    make_chain(&c, (const double(*)[2])point, 4, true);
    disc.pose = pose_at(-0.45, -0.5, 0);
    landing all = land(&disc, &c, 0.1);
    CHECK_INT(all.count, 1);
    CHECK_INT(all.piece[0], 3);
    CHECK_NEAR(all.manifold[0].normal[0], -1, 0);
    CHECK_NEAR(all.least, -0.05, 1e-15);
}

TEST_FILE(test_narrow_chain) {
    TEST(nothing_catches_on_a_straight_chain);
    TEST(gaps_over_bent_chains);
    TEST(overlapping_boxes_are_pushed_to_the_front);
    TEST(ramps_are_seen_before_they_are_hit);
    TEST(corners_and_backs_of_a_block);
    return harness_end();
}
