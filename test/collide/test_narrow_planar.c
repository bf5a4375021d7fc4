// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// test_narrow_planar.c - where flat solids touch, against a judge that tries everything.

#include <float.h>

#include "collide/planar_bodies.h"

// -------------------------------------------------------------------------------------------------
// against the judge

/// The touch lies on both surfaces, half a gap away along the normal.
static void check_place(const body *a, const body *b, const scree_manifold_point *t,
                        double tolerance) {
    const body *side[2] = { a, b };
    for (int k = 0; k < 2; k++) {
        figure f = figure_of(&side[k]->solid, &side[k]->pose, &b->pose);
        double sign = k ? -1 : 1, r = side[k]->solid.radius;
        // through the surface to the core
        real x[2];
        for (int d = 0; d < 2; d++)
            x[d] = (real)t->point[d] - b->pose.at[d] + sign * (t->gap / 2 + r) * t->normal[d];
        CHECK_NEAR((double)judge_from_boundary(&f, x), 0, tolerance);
    }
}

static void check_pair(const body *a, const body *b, bool sample) {
    scree_manifold_point manifold[SCREE_MANIFOLD_MAX];
    int count = touch_of(a, b, HUGE_VAL, manifold);
    figure fa = figure_of(&a->solid, &a->pose, &b->pose);
    figure fb = figure_of(&b->solid, &b->pose, &b->pose);
    double size = size_of(a, b), radii = a->solid.radius + b->solid.radius;
    double far = fabs(b->pose.at[0]) + fabs(b->pose.at[1]) + size, tolerance = 1e-13 * size;
    // two discs meet with the arithmetic of the world
    if (a->solid.vertices == 1 && b->solid.vertices == 1) tolerance = 8 * DBL_EPSILON * far;
    double apart = (double)judge_apart(&fa, &fb);
    if (count < 1 || count > 2) COMPLAIN("%d touches", count);
    CHECK_NEAR(least_gap(manifold, count), apart - radii, tolerance);
    if (sample) CHECK_NEAR((double)judge_by_directions(&fa, &fb, 360), apart, 1e-7 * size);
    for (int k = 0; k < count; k++) {
        const double *n = manifold[k].normal;
        CHECK_NEAR(hypot(n[0], n[1]), 1, 1e-14);
        CHECK(n[2] == 0 && manifold[k].point[2] == 0 && manifold[k].feature < 1u << 20);
        // the normal keeps them as far apart as they are, unless it is lost in rounding
        real d[2] = { n[0], n[1] };
        CHECK_NEAR((double)apart_along_direction(&fa, &fb, d), apart, 1e-12 * size);
        check_place(a, b, &manifold[k], tolerance + 4 * DBL_EPSILON * far);
    }
    if (count == 2) CHECK(manifold[0].feature != manifold[1].feature);
    // reach cuts off what is beyond, exactly
    double margin = least_gap(manifold, count);
    CHECK(touch_of(a, b, margin, manifold) >= 1);
    CHECK_INT(touch_of(a, b, nextafter(margin, -HUGE_VAL), manifold), 0);
    // and the other way round
    count = touch_of(b, a, HUGE_VAL, manifold);
    CHECK_NEAR(least_gap(manifold, count), apart - radii, tolerance);
}

static void place_random(body *a, body *b, double far) {
    double size = a->solid.bound + b->solid.bound, x = far * uniform(-1, 1),
           y = far * uniform(-1, 1);
    b->pose = pose_at(x, y, uniform(-4, 4));
    a->pose = pose_at(x + uniform(-size, size), y + uniform(-size, size), uniform(-4, 4));
}

static void random_pairs(void) {
    for (int round = 0; round < 60000 / FEWER; round++) {
        body a, b;
        make_random(&a, 1, round % 3 == 0);
        make_random(&b, round % 4 == 0 ? exp(uniform(-14, 14)) : exp(uniform(-1, 1)),
                    round % 5 == 0);
        if (round % 7 == 0) make_box(&a, 1, 1, 0);
        place_random(&a, &b, 0);
        check_pair(&a, &b, round % 10 == 0);
        if (harness_complaints) {
            COMPLAIN("round %d", round);
            return;
        }
    }
}

static void pairs_far_from_the_origin(void) {
    for (int round = 0; round < 5000 / FEWER; round++) {
        body a, b;
        make_random(&a, 1, round % 2);
        make_random(&b, 1, round % 3 == 0);
        place_random(&a, &b, pow(10, random_int(0, 9)));
        check_pair(&a, &b, false);
    }
}

/// Move a so that vertex i of it comes to x, seen from b.
static void carry(body *a, const body *b, int i, const real x[2]) {
    figure f = figure_of(&a->solid, &a->pose, &b->pose);
    for (int k = 0; k < 2; k++) a->pose.at[k] += (double)(x[k] - f.x[i][k]);
}

/// Turn a so that edge i of it runs against edge j of b, up to a tilt.
static void align(body *a, int i, const body *b, int j, double tilt) {
    figure fa = figure_of(&a->solid, &a->pose, &b->pose);
    figure fb = figure_of(&b->solid, &b->pose, &b->pose);
    const real *p = fa.x[i], *q = fa.x[(i + 1) % fa.count];
    const real *u = fb.x[j], *w = fb.x[(j + 1) % fb.count];
    double angle = (double)(atan2l(w[1] - u[1], w[0] - u[0]) - atan2l(q[1] - p[1], q[0] - p[0]));
    double now = atan2(a->pose.turn[3], a->pose.turn[0]);
    a->pose = pose_at(a->pose.at[0], a->pose.at[1], now + angle + pi + tilt);
}

static void degenerate_pairs(void) {
    static const double tilts[] = { 0, 0, 1e-16, -1e-16, 1e-12, -1e-9, 1e-6, 1e-3, -1e-3, 0.05 };
    for (int round = 0; round < 60000 / FEWER; round++) {
        body a, b;
        double size = round % 3 ? 1 : exp(uniform(-14, 14));
        make_random(&a, 1, round % 4 == 0);
        make_random(&b, size, round % 5 == 0);
        if (round % 6 == 0) make_box(&a, 1, 0.5, 0);
        if (round % 6 == 1) make_box(&b, 1, 0.5, 0);
        if (round % 12 == 2) b = a;
        place_random(&a, &b, 0);
        int i = random_int(0, a.solid.vertices - 1), j = random_int(0, b.solid.vertices - 1);
        figure fb = figure_of(&b.solid, &b.pose, &b.pose);
        if (a.solid.vertices > 1 && b.solid.vertices > 1)
            align(&a, i, &b, j, tilts[random_int(0, 9)]);
        // a vertex of a on a vertex of b, or somewhere on its edge, or close above it
        const real *u = fb.x[j], *w = fb.x[(j + 1) % fb.count];
        real t = round % 2 ? 0 : uniform(-0.5, 1.5), x[2];
        for (int k = 0; k < 2; k++) x[k] = u[k] + t * (w[k] - u[k]);
        real length = hypotl(w[0] - u[0], w[1] - u[1]);
        double above = random_int(0, 2) ? 0 : uniform(-1, 1) * pow(10, random_int(-16, -1));
        if (length > 0) {
            x[0] += above * (w[1] - u[1]) / length;
            x[1] -= above * (w[0] - u[0]) / length;
        }
        carry(&a, &b, i, x);
        check_pair(&a, &b, false);
        if (harness_complaints) {
            COMPLAIN("round %d: %d on %d vertices", round, a.solid.vertices, b.solid.vertices);
            return;
        }
    }
}

static void motion_and_scale_change_nothing(void) {
    for (int round = 0; round < 10000 / FEWER; round++) {
        body a, b;
        make_random(&a, 1, round % 3 == 0);
        make_random(&b, exp(uniform(-3, 3)), round % 2);
        place_random(&a, &b, 1);
        if (round % 4 == 0) make_half_plane(&b, uniform(-1, 1), uniform(-1, 1), uniform(-4, 4));
        scree_manifold_point manifold[SCREE_MANIFOLD_MAX], other[SCREE_MANIFOLD_MAX];
        int count = touch_of(&a, &b, HUGE_VAL, manifold);
        // a power of two: the same bits
        int power = random_int(-60, 60);
        body c = a, d = b;
        body *scaled[2] = { &c, &d };
        for (int k = 0; k < 2; k++) {
            for (int i = 0; i < 3 * JUDGE_MOST; i++)
                scaled[k]->vertex[i] = ldexp(scaled[k]->vertex[i], power);
            for (int i = 0; i < 3; i++) scaled[k]->pose.at[i] = ldexp(scaled[k]->pose.at[i], power);
            scaled[k]->solid.radius = ldexp(scaled[k]->solid.radius, power);
            scaled[k]->solid.bound = ldexp(scaled[k]->solid.bound, power);
            scaled[k]->solid.vertex = scaled[k]->vertex;
        }
        CHECK_INT(touch_of(&c, &d, HUGE_VAL, other), count);
        for (int k = 0; k < count; k++) {
            CHECK(other[k].gap == ldexp(manifold[k].gap, power));
            CHECK(other[k].feature == manifold[k].feature);
            for (int i = 0; i < 3; i++) {
                CHECK(other[k].normal[i] == manifold[k].normal[i]);
                CHECK(other[k].point[i] == ldexp(manifold[k].point[i], power));
            }
        }
        // moved and turned together
        double angle = uniform(-4, 4), x = uniform(-9, 9), y = uniform(-9, 9);
        body e = a, f = b;
        body *moved[2] = { &e, &f };
        for (int k = 0; k < 2; k++) {
            const double *at = moved[k]->pose.at, *turn = moved[k]->pose.turn;
            moved[k]->pose = pose_at(x + cos(angle) * at[0] - sin(angle) * at[1],
                                     y + sin(angle) * at[0] + cos(angle) * at[1],
                                     angle + atan2(turn[3], turn[0]));
            moved[k]->solid.vertex = moved[k]->vertex;
        }
        int again = touch_of(&e, &f, HUGE_VAL, other);
        CHECK_NEAR(least_gap(other, again), least_gap(manifold, count),
                   1e-13 * (20 + size_of(&a, &b)));
    }
}

static void two_points_never_touch(void) {
    body a, b;
    scree_manifold_point manifold[SCREE_MANIFOLD_MAX];
    make_disc(&a, 0);
    make_disc(&b, 0);
    CHECK_INT(touch_of(&a, &b, HUGE_VAL, manifold), 0);
    make_disc(&b, 1);
    CHECK_INT(touch_of(&a, &b, HUGE_VAL, manifold), 1);
    CHECK_NEAR(manifold[0].gap, -1, 0);
    CHECK_INT(manifold[0].feature, 0);
}

// -------------------------------------------------------------------------------------------------
// flat on flat

/// Lay a box on something flat at height 0, tilted about its lower left or right corner. Both
/// corners are found, with their heights as gaps.
static void rock(const body *ground, double width, double lift, double slack) {
    body box;
    make_box(&box, width, 0.4, 0);
    uint32_t left = 0, right = 0;
    for (double size = 1e-2; size > 1e-10; size *= 0.7)
        for (int sign = -1; sign <= 1; sign += 2) {
            double angle = sign * size, c = cos(angle), s = sin(angle);
            // heights of the lower corners; the lower one at lift
            double middle = lift + width / 2 * fabs(s) + 0.2 * c;
            box.pose = pose_at(0.01, middle, angle);
            double heights[2] = { middle - 0.2 * c - width / 2 * s,
                                  middle - 0.2 * c + width / 2 * s };
            scree_manifold_point manifold[SCREE_MANIFOLD_MAX];
            int count = touch_of(&box, ground, 1, manifold);
            CHECK_INT(count, 2);
            if (count != 2) continue;
            const scree_manifold_point *l =
                manifold[0].point[0] < manifold[1].point[0] ? &manifold[0] : &manifold[1];
            const scree_manifold_point *r = l == &manifold[0] ? &manifold[1] : &manifold[0];
            double tolerance = 1e-15 + slack * size;
            CHECK_NEAR(fmin(l->gap, r->gap), lift, 1e-15);
            CHECK_NEAR(l->gap, heights[0], tolerance);
            CHECK_NEAR(r->gap, heights[1], tolerance);
            CHECK_NEAR(l->normal[1], 1, size * size);
            CHECK_NEAR(l->point[0], 0.01 - width / 2, 0.5 * size + tolerance);
            CHECK_NEAR(r->point[0], 0.01 + width / 2, 0.5 * size + tolerance);
            // the same corners, whichever is lower
            if (!left && !right) left = l->feature, right = r->feature;
            CHECK_INT(l->feature, left);
            CHECK_INT(r->feature, right);
        }
}

static void rocking_is_continuous(void) {
    body plane, table, brick;
    make_half_plane(&plane, 0, 0, 0);
    make_box(&table, 10, 1, 0);
    table.pose = pose_at(0, -0.5, 0);
    make_box(&brick, 1, 1, 0);
    brick.pose = pose_at(0.01, -0.5, 0);
    static const double lifts[] = { 0, 1e-6, -1e-6, 1e-3, -1e-3 };
    for (int k = 0; k < 5; k++) {
        rock(&plane, 1, lifts[k], 0);
        rock(&table, 1, lifts[k], 0);
        rock(&brick, 0.5, lifts[k], 0);
    }
}

/// Equal boxes on top of each other: either may be the base, and nothing jumps.
static void stacks_of_equal_boxes(void) {
    body low, high;
    make_box(&low, 1, 1, 0);
    make_box(&high, 1, 1, 0);
    for (int round = 0; round < 20000 / FEWER; round++) {
        double shift = uniform(-1, 1) * pow(10, random_int(-17, -1));
        double tilt = uniform(-1, 1) * pow(10, random_int(-17, -4));
        double gap = uniform(-1, 1) * pow(10, random_int(-17, -4)), turn = uniform(-4, 4);
        low.pose = pose_at(0, 0, turn);
        high.pose = pose_at(-sin(turn) * (1 + gap) + cos(turn) * shift,
                            cos(turn) * (1 + gap) + sin(turn) * shift, turn + tilt);
        scree_manifold_point manifold[SCREE_MANIFOLD_MAX];
        int count = touch_of(&high, &low, 0.01, manifold);
        CHECK_INT(count, 2);
        for (int k = 0; k < count; k++) {
            CHECK_NEAR(manifold[k].gap, gap, 2 * fabs(tilt) + 1e-15);
            CHECK_NEAR(-sin(turn) * manifold[k].normal[0] + cos(turn) * manifold[k].normal[1], 1,
                       1e-7);
        }
        if (count == 2)
            CHECK_NEAR(hypot(manifold[0].point[0] - manifold[1].point[0],
                             manifold[0].point[1] - manifold[1].point[1]),
                       1 - fabs(shift), 2 * fabs(tilt) + 1e-14);
        // a's corners give the names while they are hardly off
        if (count == 2 && fabs(shift) + fabs(tilt) < 1e-7) {
            CHECK_INT(manifold[0].feature & 1023 & 1, 0);
            CHECK_INT(manifold[1].feature & 1023 & 1, 0);
        }
    }
}

static void capsules_lie_side_by_side(void) {
    body a, b;
    scree_manifold_point manifold[SCREE_MANIFOLD_MAX];
    make_disc(&a, 0.25);
    a.solid.vertices = 2;
    a.vertex[0] = -1;
    a.vertex[3] = 1;
    b = a;
    b.solid.vertex = b.vertex;
    a.pose = pose_at(0.5, 1, pi);
    CHECK_INT(touch_of(&a, &b, 1, manifold), 2);
    for (int k = 0; k < 2; k++) {
        CHECK_NEAR(manifold[k].gap, 0.5, 1e-15);
        CHECK_NEAR(manifold[k].point[1], 0.5, 1e-15);
        CHECK_NEAR(manifold[k].normal[1], 1, 1e-15);
    }
    CHECK_NEAR(fmin(manifold[0].point[0], manifold[1].point[0]), -0.5, 1e-15);
    CHECK_NEAR(fmax(manifold[0].point[0], manifold[1].point[0]), 1, 1e-15);
}

static void half_planes_see_the_lowest_corners(void) {
    for (int round = 0; round < 20000 / FEWER; round++) {
        body a, b;
        make_random(&a, exp(uniform(-5, 5)), round % 2);
        make_half_plane(&b, uniform(-2, 2), uniform(-2, 2), uniform(-4, 4));
        a.pose = pose_at(uniform(-9, 9), uniform(-9, 9), uniform(-4, 4));
        b.pose = pose_at(uniform(-9, 9), uniform(-9, 9), uniform(-4, 4));
        double size = 30 + a.solid.bound;
        scree_manifold_point manifold[SCREE_MANIFOLD_MAX];
        int count = touch_of(&a, &b, HUGE_VAL, manifold);
        CHECK_INT(count, a.solid.vertices > 1 ? 2 : 1);
        figure f = figure_of(&a.solid, &a.pose, &b.pose), p = figure_of(&b.solid, &b.pose, &b.pose);
        real n[2], low = HUGE_VALL;
        for (int k = 0; k < 2; k++)
            n[k] = (real)b.pose.turn[3 * k] * b.solid.normal[0] +
                   (real)b.pose.turn[3 * k + 1] * b.solid.normal[1];
        p.count = 1;
        for (int i = 0; i < f.count; i++)
            low = fminl(low, n[0] * (f.x[i][0] - p.x[0][0]) + n[1] * (f.x[i][1] - p.x[0][1]));
        CHECK_NEAR(least_gap(manifold, count), (double)(low - a.solid.radius), 4e-16 * size);
        for (int k = 0; k < count; k++) {
            // on the surface of a, and as high as the gap says
            real x[2], high = 0;
            for (int d = 0; d < 2; d++) {
                x[d] = (real)manifold[k].point[d] - b.pose.at[d];
                high += n[d] * (x[d] - p.x[0][d]);
                x[d] += a.solid.radius * n[d];
            }
            CHECK_NEAR((double)high, manifold[k].gap, 2e-15 * size);
            CHECK_NEAR((double)judge_from_boundary(&f, x), 0, 2e-15 * size);
        }
    }
}

/// Points, discs and half-planes have had a formula for long; runs depend on its bits.
static void discs_keep_their_bits(void) {
    for (int round = 0; round < 5000 / FEWER; round++) {
        body a, b;
        make_disc(&a, round % 5 ? uniform(0.1, 1) : 0);
        make_disc(&b, uniform(0.1, 1));
        if (round % 2) make_half_plane(&b, 0, 0, uniform(-4, 4));
        double q[2][3], at[2][2], n[2], point[2], gap;
        for (int k = 0; k < 2; k++) {
            body *one = k ? &b : &a;
            for (int i = 0; i < 3; i++) q[k][i] = uniform(-3, 3);
            bool centred = random_int(0, 1);
            double x = centred ? 0 : uniform(-1, 1), y = centred ? 0 : uniform(-1, 1);
            double c = cos(q[k][2]), s = sin(q[k][2]);
            one->vertex[0] = x;
            one->vertex[1] = y;
            one->pose = pose_at(q[k][0], q[k][1], q[k][2]);
            at[k][0] = q[k][0] + (centred ? 0 : c * x - s * y);
            at[k][1] = q[k][1] + (centred ? 0 : s * x + c * y);
        }
        double ra = a.solid.radius, rb = b.solid.radius;
        if (round % 2) {
            double c = cos(q[1][2]), s = sin(q[1][2]);
            const double *own = b.solid.normal;
            n[0] = c * own[0] - s * own[1];
            n[1] = s * own[0] + c * own[1];
            gap = n[0] * (at[0][0] - at[1][0]) + n[1] * (at[0][1] - at[1][1]) - ra;
            for (int i = 0; i < 2; i++) point[i] = at[0][i] - ra * n[i];
        } else {
            double dx = at[0][0] - at[1][0], dy = at[0][1] - at[1][1], distance = hypot(dx, dy);
            n[0] = dx / distance;
            n[1] = dy / distance;
            gap = distance - ra - rb;
            double arm = ra > 0 ? ra + gap / 2 : 0;
            for (int i = 0; i < 2; i++) point[i] = at[0][i] - arm * n[i];
        }
        scree_manifold_point manifold[SCREE_MANIFOLD_MAX];
        CHECK_INT(touch_of(&a, &b, HUGE_VAL, manifold), 1);
        CHECK(manifold[0].gap == gap && manifold[0].feature == 0);
        for (int i = 0; i < 2; i++)
            CHECK(manifold[0].normal[i] == n[i] && manifold[0].point[i] == point[i]);
    }
}

TEST_FILE(test_narrow_planar) {
    TEST(random_pairs);
    TEST(pairs_far_from_the_origin);
    TEST(degenerate_pairs);
    TEST(motion_and_scale_change_nothing);
    TEST(two_points_never_touch);
    TEST(discs_keep_their_bits);
    TEST(rocking_is_continuous);
    TEST(stacks_of_equal_boxes);
    TEST(capsules_lie_side_by_side);
    TEST(half_planes_see_the_lowest_corners);
    return harness_end();
}
