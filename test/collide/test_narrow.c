// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// The narrow phase in space against the judge of narrow_judge.h, on random and degenerate pairs.
// With SCREE_LONG=1 fifty times as many.

#include "collide/narrow_judge.h"
#include "harness.h"

enum { SAMPLES = 26 };

static sample shelf[SAMPLES];
static int samples;
static int times = 1;

static void stock(void) {
    double ball[3] = { 0.1, -0.2, 0.3 }, capsule[6] = { 0, 0, -1, 0, 0, 1 };
    double tilted[6] = { 0.3, 0, -1, -0.2, 0.5, 0.7 };
    double corner[12] = { 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1 };
    double needle[12] = { 0, 0, 0, 10, 0.1, 0, 10, -0.1, 0.05, 10, 0, -0.1 };
    make_points(&shelf[samples++], "ball", ball, 1, 0.7);
    make_points(&shelf[samples++], "capsule", capsule, 2, 0.4);
    make_points(&shelf[samples++], "capsule", tilted, 2, 0.1);
    make_box(&shelf[samples++], 1, 1, 1, 0);
    make_box(&shelf[samples++], 1, 0.5, 0.2, 0);
    make_box(&shelf[samples++], 2, 1, 0.01, 0);
    make_box(&shelf[samples++], 0.5, 0.7, 0.9, 0.2);
    make_points(&shelf[samples++], "tetrahedron", corner, 4, 0);
    make_points(&shelf[samples++], "needle", needle, 4, 0);
    make_prism(&shelf[samples++], 3, 1, 0.4);
    make_prism(&shelf[samples++], 6, 0.6, 0.6);
    make_prism(&shelf[samples++], 12, 1, 0.1);
    make_cylinder(&shelf[samples++], 0.5, 1);
    make_cylinder(&shelf[samples++], 1, 0.1);
    make_cylinder(&shelf[samples++], 0.1, 2);
    while (samples < SAMPLES) make_random_hull(&shelf[samples++], random_int(5, 14));
}

static bool cylinder(const scree_collision_shape *solid) {
    return solid->kind == SCREE_COLLISION_CYLINDER;
}

/// What the largest errors were, over their tolerance.
static double worst_gap, worst_point, worst_depth;
static int overlaps_of_cylinders;

static double length_scale(const scree_collision_shape *a, const scree_pose *pa,
                           const scree_collision_shape *b, const scree_pose *pb) {
    double sum = a->bound + b->bound;
    for (int k = 0; k < 3; k++)
        sum += fabs(pa->at[k] - pb->at[k]) + fabs(a->centre[k]) + fabs(b->centre[k]);
    return sum;
}

static bool is_ball(const scree_collision_shape *solid) {
    return solid->kind == SCREE_COLLISION_CONVEX && solid->vertices == 1;
}

/// The part of the gap that is on side a of the point: half of it, or its radius' part of two
/// balls.
static double share_of(const scree_collision_shape *a, const scree_collision_shape *b) {
    double sum = a->radius + b->radius;
    return is_ball(a) && is_ball(b) && sum > 0 ? a->radius / sum : 0.5;
}

/// The two ends of a touch on the cores.
static void ends_of(const scree_manifold_point *t, double radius_a, double radius_b, double share,
                    double *xa, double *xb) {
    for (int k = 0; k < 3; k++) {
        xa[k] = t->point[k] + (t->gap * share + radius_a) * t->normal[k];
        xb[k] = t->point[k] - (t->gap * (1 - share) + radius_b) * t->normal[k];
    }
}

static const scree_manifold_point *deepest(const scree_manifold_point *t, int count) {
    const scree_manifold_point *best = t;
    for (int i = 1; i < count; i++) best = t[i].gap < best->gap ? &t[i] : best;
    return best;
}

/// Everything that must hold for the touches of a pair; returns the gap.
static double judge(const sample *sa, const scree_pose *pa, const sample *sb, const scree_pose *pb,
                    bool climbing, const char *what) {
    const scree_collision_shape *a = &sa->solid, *b = &sb->solid;
    scree_manifold_point t[SCREE_MANIFOLD_MAX];
    int count = scree_narrow_phase(a, pa, b, pb, HUGE_VAL, t);
    if (count < 1 || count > 4) {
        COMPLAIN("%s: %s, %s: %d touches", what, sa->name, sb->name, count);
        return 0;
    }
    double ra = rounding_of(a), rb = rounding_of(b), scale = length_scale(a, pa, b, pb);
    double far = fabs(pa->at[0]) + fabs(pa->at[1]) + fabs(pa->at[2]);
    double tolerance = 1e-11 * fmin(a->bound, b->bound) + 4e-14 * scale;
    const scree_manifold_point *best = deepest(t, count);
    double apart = judge_apart(a, pa, b, pb, best->normal), gap = apart - ra - rb;
    if (best->gap > gap + tolerance && best->gap < gap + 1e-7 * scale) {
        // a distance that is right to rounding may have a direction that is so only to its root
        double n[3];
        memcpy(n, best->normal, sizeof n);
        gap = climb_from(a, pa, b, pb, n, 1e-7, 1e-16) - ra - rb;
    }
    worst_gap = fmax(worst_gap, fabs(gap - best->gap) / tolerance);
    if (!(fabs(gap - best->gap) <= tolerance))
        COMPLAIN("%s: %s, %s: gap %.17g, along its normal %.17g (tolerance %.2g)", what, sa->name,
                 sb->name, best->gap, gap, tolerance);
    CHECK_NEAR(norm3(best->normal), 1, 1e-14);
    for (int i = 0; i < count; i++) {
        double xa[3], xb[3], ya[3], yb[3];
        CHECK(t[i].feature < 1u << 20);
        for (int j = 0; j < i; j++) CHECK(t[i].feature != t[j].feature);
        for (int k = 0; k < 3; k++) CHECK(t[i].normal[k] == best->normal[k]);
        // in an overlap the points of the features lie in the other solid, so each is asked alone
        ends_of(&t[i], ra, rb, share_of(a, b), xa, xb);
        to_body(pa, xa, ya);
        to_body(pb, xb, yb);
        double off = fmax(from_solid(a, ya), from_solid(b, yb));
        double allowed = 20 * tolerance + 4e-15 * far;
        if (count == 2) allowed += 1e-3 * (ra + rb) + 1e-8 * scale;  // edges not quite parallel
        worst_point = fmax(worst_point, off / allowed);
        if (!(off <= allowed))
            COMPLAIN("%s: %s, %s: touch %d of %d (gap %.3g) is %.3g off, %g %g", what, sa->name,
                     sb->name, i, count, t[i].gap, off, a->bound, b->bound);
    }
    if (apart <= 0 && climbing) {
        double other = climb(a, pa, b, pb, 24, 1e-5);
        worst_depth = fmax(worst_depth, (other - apart) / tolerance);
        overlaps_of_cylinders += cylinder(a) || cylinder(b);
        if (!(other <= apart + tolerance))
            COMPLAIN("%s: %s, %s: depth %.17g, but %.17g is enough", what, sa->name, sb->name,
                     -apart, -other);
    }
    return best->gap;
}

static void random_pose(double spread, scree_pose *pose) {
    random_turn(pose->turn);
    for (int k = 0; k < 3; k++) pose->at[k] = uniform(-spread, spread);
}

static const sample *any_sample(void) { return &shelf[random_int(0, samples - 1)]; }

static void random_pairs(void) {
    int apart = 0, overlap = 0;
    for (int i = 0; i < 40000 / FEWER * times; i++) {
        const sample *a = any_sample(), *b = any_sample();
        scree_pose pa, pb;
        random_pose(uniform(0.3, 2), &pa);
        random_pose(uniform(0, 1), &pb);
        double gap = judge(a, &pa, b, &pb, i % 16 == 0, "random");
        apart += gap > 0;
        overlap += gap < 0;
    }
    CHECK(apart > 4000 / FEWER && overlap > 4000 / FEWER);
}

/// Balls around the centres of their bodies have a way of their own: the same bits.
static void centred_balls(void) {
    double middle[3] = { 0 };
    int met = 0;
    for (int n = 0; n < 2000; n++) {
        static sample a, b;
        scree_pose pa, pb;
        scree_manifold_point manifold[SCREE_MANIFOLD_MAX], other;
        double radius_a = uniform(0.2, 1), radius_b = uniform(0.2, 1), margin = uniform(0, 1);
        make_points(&a, "ball", middle, 1, radius_a);
        make_points(&b, "ball", middle, 1, radius_b);
        random_pose(1, &pa);
        random_pose(1, &pb);
        if (n % 10 == 0) memcpy(pb.at, pa.at, sizeof pb.at);
        int count = scree_narrow_phase(&a.solid, &pa, &b.solid, &pb, margin, manifold);
        CHECK(count == scree_narrow_phase_balls(pa.at, radius_a, pb.at, radius_b, margin, &other));
        if (!count) continue;
        met++;
        CHECK(memcmp(&manifold->gap, &other.gap, sizeof manifold->gap) == 0 &&
              manifold->feature == other.feature);
        CHECK(memcmp(manifold->normal, other.normal, sizeof manifold->normal) == 0);
        CHECK(memcmp(manifold->point, other.point, sizeof manifold->point) == 0);
    }
    CHECK(met > 500 && met < 2000);
}

/// Move a along n until its gap is as wished, by asking for the gap where they are apart.
static void set_apart(const sample *a, scree_pose *pa, const sample *b, const scree_pose *pb,
                      const double *n, double wished) {
    double gap = judge_apart(&a->solid, pa, &b->solid, pb, n) - rounding_of(&a->solid) -
                 rounding_of(&b->solid);
    for (int k = 0; k < 3; k++) pa->at[k] += (wished - gap) * n[k];
}

/// A direction that belongs to a feature: the normal of a face, a vertex's or an edge's.
static void feature_direction(const scree_collision_shape *s, double *d) {
    int kind = random_int(0, 2);
    random_direction(d);
    if (cylinder(s) && kind == 0) {
        for (int k = 0; k < 3; k++) d[k] = k == 2 ? (random_int(0, 1) ? 1 : -1) : 0;
    } else if (s->vertices == 2 && kind < 2) {
        double e[3] = { s->vertex[3] - s->vertex[0], s->vertex[4] - s->vertex[1],
                        s->vertex[5] - s->vertex[2] };
        double along = dot3(d, e) / dot3(e, e);
        for (int k = 0; k < 3; k++) d[k] -= along * e[k];
    } else if (s->faces && kind == 0) {
        memcpy(d, s->face_normal + 3 * (long)random_int(0, s->faces - 1), 3 * sizeof *d);
    } else if (s->edges && kind == 1) {
        const int *edge = s->edge + 4 * (long)random_int(0, s->edges - 1);
        double t = uniform(0.1, 0.9);
        for (int k = 0; k < 3; k++)
            d[k] = t * s->face_normal[3 * edge[2] + k] + (1 - t) * s->face_normal[3 * edge[3] + k];
    }
    double length = norm3(d);
    for (int k = 0; k < 3; k++) d[k] /= length;
}

/// The shortest turn that takes x to y.
static void turn_onto(const double *x, const double *y, double *turn) {
    double axis[3];
    cross3(x, y, axis);
    double s = norm3(axis);
    if (s < 1e-9) {  // any axis across
        double e[3] = { fabs(x[0]) < 0.7, fabs(x[0]) >= 0.7, 0 };
        cross3(x, e, axis);
        s = norm3(axis);
        for (int k = 0; k < 3; k++) axis[k] /= s;
        spin(dot3(x, y) > 0 ? 0 : 3.141592653589793, axis, turn);
        return;
    }
    for (int k = 0; k < 3; k++) axis[k] /= s;
    spin(atan2(s, dot3(x, y)), axis, turn);
}

/// Features on features: b as it is, a turned so that one of its features faces one of b's, then
/// twisted about it by any angle, none or a right one, and tilted a little or not at all.
static void place_features(const sample *a, scree_pose *pa, const sample *b, scree_pose *pb) {
    static const double tilts[] = { 0, 0, 1e-15, 1e-12, 1e-9, 1e-6, 1e-4, 1e-2 };
    static const double gaps[] = { 0, 1e-15, -1e-15, 1e-10, -1e-10, 1e-5, -1e-5, 1e-2, -1e-2, 0.3 };
    double da[3], db[3], n[3], turn[9], axis[3];
    if (random_int(0, 2)) {
        random_pose(1, pb);
    } else {
        memset(pb, 0, sizeof *pb);
        pb->turn[0] = pb->turn[4] = pb->turn[8] = 1;
    }
    feature_direction(&a->solid, da);
    feature_direction(&b->solid, db);
    direction_to_world(pb, db, n);
    double back[3] = { -n[0], -n[1], -n[2] };
    turn_onto(da, back, pa->turn);
    int twist = random_int(0, 2);
    spin(twist == 0 ? 0 : twist == 1 ? 1.5707963267948966 : uniform(0, 6), n, turn);
    multiply(turn, pa->turn, pa->turn);
    random_direction(axis);
    spin(tilts[random_int(0, 7)], axis, turn);
    multiply(turn, pa->turn, pa->turn);
    double slide = random_int(0, 1) ? uniform(0, 1) : 0;
    random_direction(axis);
    for (int k = 0; k < 3; k++) pa->at[k] = pb->at[k] + slide * axis[k];
    set_apart(a, pa, b, pb, n, gaps[random_int(0, 9)]);
}

static void features_on_features(void) {
    for (int i = 0; i < 40000 / FEWER * times; i++) {
        const sample *a = any_sample(), *b = any_sample();
        scree_pose pa, pb;
        place_features(a, &pa, b, &pb);
        judge(a, &pa, b, &pb, i % 16 == 0, "features");
    }
}

static void nested_scales(void) {
    for (int i = 0; i < 10000 / FEWER * times; i++) {
        const sample *b = any_sample();
        sample a;
        scree_pose pa, pb;
        double factor = pow(10, random_int(-6, 6));
        scale_sample(any_sample(), factor, &a);
        place_features(&a, &pa, b, &pb);
        judge(&a, &pa, b, &pb, false, "nested");
    }
}

/// The same pair the other way round.
static void swapped_pairs(void) {
    for (int i = 0; i < 4000 / FEWER * times; i++) {
        const sample *a = any_sample(), *b = any_sample();
        scree_pose pa, pb;
        scree_manifold_point t[SCREE_MANIFOLD_MAX], u[SCREE_MANIFOLD_MAX];
        bool placed = i % 2;
        if (placed) {
            place_features(a, &pa, b, &pb);
        } else {
            random_pose(2, &pa);
            random_pose(1, &pb);
        }
        int count = scree_narrow_phase(&a->solid, &pa, &b->solid, &pb, HUGE_VAL, t);
        int other = scree_narrow_phase(&b->solid, &pb, &a->solid, &pa, HUGE_VAL, u);
        double scale = length_scale(&a->solid, &pa, &b->solid, &pb);
        const scree_manifold_point *x = deepest(t, count), *y = deepest(u, other);
        CHECK_NEAR(x->gap, y->gap, 4e-11 * scale);
        // an overlap may have two ways out that are as short
        if (placed || x->gap < 0) continue;
        // an edge on the side of a cylinder has two ends that are as far out: which of them is
        // asked for a face that is nearly flat, and gives a second touch, is left to rounding
        if (!cylinder(&a->solid) && !cylinder(&b->solid)) CHECK_INT(count, other);
        for (int k = 0; k < 3; k++) {
            CHECK_NEAR(x->normal[k], -y->normal[k], 1e-9);
            CHECK_NEAR(x->point[k], y->point[k], 1e-9 * scale);
        }
    }
}

static void scale_pose(const scree_pose *from, double factor, scree_pose *pose) {
    *pose = *from;
    for (int k = 0; k < 3; k++) pose->at[k] *= factor;
}

/// Other units: powers of two give the same bits, anything else the same to rounding.
static void scaled_pairs(void) {
    for (int i = 0; i < 4000 / FEWER * times; i++) {
        const sample *a = any_sample(), *b = any_sample();
        sample sa, sb;
        scree_pose pa, pb, qa, qb;
        scree_manifold_point t[SCREE_MANIFOLD_MAX], u[SCREE_MANIFOLD_MAX];
        if (i % 2) {
            place_features(a, &pa, b, &pb);
        } else {
            random_pose(2, &pa);
            random_pose(1, &pb);
        }
        bool exact = i % 4 < 2;
        double factor = exact ? ldexp(1, random_int(-60, 60)) : exp(uniform(-14, 14));
        scale_sample(a, factor, &sa);
        scale_sample(b, factor, &sb);
        scale_pose(&pa, factor, &qa);
        scale_pose(&pb, factor, &qb);
        int count = scree_narrow_phase(&a->solid, &pa, &b->solid, &pb, HUGE_VAL, t);
        int other = scree_narrow_phase(&sa.solid, &qa, &sb.solid, &qb, HUGE_VAL, u);
        double scale = length_scale(&a->solid, &pa, &b->solid, &pb);
        CHECK_NEAR(deepest(t, count)->gap, deepest(u, other)->gap / factor, 4e-11 * scale);
        if (!exact) continue;
        CHECK_INT(count, other);
        for (int j = 0; j < count && j < other; j++) {
            CHECK(u[j].gap == factor * t[j].gap && u[j].feature == t[j].feature);
            for (int k = 0; k < 3; k++)
                CHECK(u[j].normal[k] == t[j].normal[k] && u[j].point[k] == factor * t[j].point[k]);
        }
    }
}

/// Both moved together, and far away.
static void moved_pairs(void) {
    for (int i = 0; i < 4000 / FEWER * times; i++) {
        const sample *a = any_sample(), *b = any_sample();
        scree_pose pa, pb, move, qa, qb;
        scree_manifold_point t[SCREE_MANIFOLD_MAX], u[SCREE_MANIFOLD_MAX];
        double far = i % 2 ? 1 : 1e6;
        place_features(a, &pa, b, &pb);
        random_pose(far, &move);
        multiply(move.turn, pa.turn, qa.turn);
        multiply(move.turn, pb.turn, qb.turn);
        to_world(&move, pa.at, qa.at);
        to_world(&move, pb.at, qb.at);
        int count = scree_narrow_phase(&a->solid, &pa, &b->solid, &pb, HUGE_VAL, t);
        int other = scree_narrow_phase(&a->solid, &qa, &b->solid, &qb, HUGE_VAL, u);
        double scale = length_scale(&a->solid, &pa, &b->solid, &pb);
        CHECK_NEAR(deepest(t, count)->gap, deepest(u, other)->gap, 4e-11 * scale + 1e-15 * far);
    }
}

// ---- half-spaces

static void make_half_space(sample *s, const double *at, const double *n) {
    make_points(s, "half-space", at, 1, 0);
    s->solid.kind = SCREE_COLLISION_HALF_SPACE;
    memcpy(s->solid.normal, n, sizeof s->solid.normal);
    s->solid.bound = HUGE_VAL;
}

static void half_spaces(void) {
    for (int i = 0; i < 20000 / FEWER * times; i++) {
        const sample *a = any_sample();
        sample plane;
        scree_pose pa, pb;
        scree_manifold_point t[SCREE_MANIFOLD_MAX];
        double at[3] = { 0.3, -0.1, 0.2 }, n[3], down[3], d[3], origin[3];
        random_direction(n);
        make_half_space(&plane, at, n);
        random_pose(1, &pa);
        random_pose(1, &pb);
        direction_to_world(&pb, n, d);
        if (i % 2) {
            feature_direction(&a->solid, n);
            for (int k = 0; k < 3; k++) down[k] = -d[k];
            turn_onto(n, down, pa.turn);
        }
        for (int k = 0; k < 3; k++) down[k] = -d[k];
        to_world(&pb, at, origin);
        double radius = rounding_of(&a->solid);
        double gap = -reach_along(&a->solid, &pa, down, origin) - radius;
        int count = scree_narrow_phase(&a->solid, &pa, &plane.solid, &pb, HUGE_VAL, t);
        CHECK(count >= 1);
        CHECK_NEAR(deepest(t, count)->gap, gap, 1e-13 + 1e-11 * a->solid.bound);
        CHECK(scree_narrow_phase(&a->solid, &pa, &plane.solid, &pb, gap - 1e-9, t) == 0);
        count = scree_narrow_phase(&a->solid, &pa, &plane.solid, &pb, HUGE_VAL, t);
        for (int j = 0; j < count; j++) {
            double x[3], y[3], height[3];
            for (int k = 0; k < 3; k++) {
                CHECK_NEAR(t[j].normal[k], d[k], 1e-15);
                height[k] = t[j].point[k] - origin[k];
                x[k] = t[j].point[k] + radius * d[k];
            }
            CHECK_NEAR(dot3(height, d), t[j].gap, 1e-12);
            to_body(&pa, x, y);
            CHECK(from_solid(&a->solid, y) <= 1e-12);
        }
    }
}

/// How many touches there are on a plane, from how a solid lies on it.
static void counts_on_plane(void) {
    sample plane, box, capsule, rod;
    double up[3] = { 0, 0, 1 }, zero[3] = { 0, 0, 0 }, x[3] = { 1, 0, 0 };
    double ends[6] = { -1, 0, 0, 1, 0, 0 };
    scree_pose pa = { { 0, 0, 3 }, { 1, 0, 0, 0, 1, 0, 0, 0, 1 } }, pb = pa, lying = pa;
    scree_manifold_point t[SCREE_MANIFOLD_MAX];
    pb.at[2] = 0;
    make_half_space(&plane, zero, up);
    make_box(&box, 1, 1, 1, 0);
    make_points(&capsule, "capsule", ends, 2, 0.3);
    make_cylinder(&rod, 0.5, 1);
    spin(1.5707963267948966, x, lying.turn);
    CHECK_INT(scree_narrow_phase(&box.solid, &pa, &plane.solid, &pb, 5, t), 4);
    CHECK_INT(scree_narrow_phase(&capsule.solid, &pa, &plane.solid, &pb, 5, t), 2);
    CHECK_INT(scree_narrow_phase(&rod.solid, &pa, &plane.solid, &pb, 5, t), 4);
    CHECK_INT(scree_narrow_phase(&rod.solid, &lying, &plane.solid, &pb, 5, t), 2);
    spin(0.7853981633974483, x, pa.turn);
    CHECK_INT(scree_narrow_phase(&box.solid, &pa, &plane.solid, &pb, 5, t), 2);
    CHECK_INT(scree_narrow_phase(&rod.solid, &pa, &plane.solid, &pb, 5, t), 1);
}

/// How many there are between solids that lie on each other.
static void counts_on_solids(void) {
    sample box, slab, capsule, rod;
    double ends[6] = { -1, 0, 0, 1, 0, 0 }, y[3] = { 0, 1, 0 };
    scree_pose pb = { { 0, 0, 0 }, { 1, 0, 0, 0, 1, 0, 0, 0, 1 } }, pa = pb;
    scree_manifold_point t[SCREE_MANIFOLD_MAX];
    make_box(&slab, 5, 5, 1, 0);
    make_box(&box, 1, 1, 1, 0);
    make_points(&capsule, "capsule", ends, 2, 0.3);
    make_cylinder(&rod, 0.5, 1);
    for (int k = -1; k <= 1; k++) {
        pa.at[2] = 2 + k * 1e-3;
        CHECK_INT(scree_narrow_phase(&box.solid, &pa, &slab.solid, &pb, 1, t), 4);
        CHECK_INT(scree_narrow_phase(&rod.solid, &pa, &slab.solid, &pb, 1, t), 4);
        CHECK_INT(scree_narrow_phase(&rod.solid, &pa, &rod.solid, &pb, 1, t), 4);
        CHECK_INT(scree_narrow_phase(&box.solid, &pa, &rod.solid, &pb, 1, t), 4);
        for (int i = 0; i < 4; i++) CHECK_NEAR(t[i].gap, k * 1e-3, 1e-15);
        pa.at[2] = 1.3 + k * 1e-3;
        CHECK_INT(scree_narrow_phase(&capsule.solid, &pa, &slab.solid, &pb, 1, t), 2);
        pa.at[2] = 0.6 + k * 1e-3;
        CHECK_INT(scree_narrow_phase(&capsule.solid, &pa, &capsule.solid, &pb, 1, t), 2);
        CHECK_NEAR(t[0].gap, k * 1e-3, 1e-15);
        scree_pose lying = pa;
        lying.at[2] = 1.5 + k * 1e-3;
        spin(1.5707963267948966, y, lying.turn);
        CHECK_INT(scree_narrow_phase(&rod.solid, &lying, &slab.solid, &pb, 1, t), 2);
        CHECK_NEAR(t[0].gap, k * 1e-3, 1e-15);
    }
}

/// A block that rocks through the flush position: four touches all the time, each where it was,
/// with a gap that grows with the angle.
static void rocking(void) {
    sample box, slab;
    double y[3] = { 0, 1, 0 };
    scree_pose pb = { { 0, 0, 0 }, { 1, 0, 0, 0, 1, 0, 0, 0, 1 } }, pa = pb;
    make_box(&slab, 5, 5, 1, 0);
    make_box(&box, 1, 0.5, 2, 0);
    for (int i = -4000; i <= 4000; i++) {
        double angle = (i / 4000.0) * fabs(i / 4000.0) * 0.01;
        scree_manifold_point t[SCREE_MANIFOLD_MAX];
        spin(angle, y, pa.turn);
        pa.at[0] = 0.3;
        pa.at[2] = 3 + 1e-5;
        int count = scree_narrow_phase(&box.solid, &pa, &slab.solid, &pb, 1, t);
        CHECK_INT(count, 4);
        for (int j = 0; j < count; j++) {
            double side = t[j].point[0] > 0.3 ? 1 : -1;
            double gap = 3 + 1e-5 - side * sin(angle) - 2 * cos(angle) - 1;
            CHECK_NEAR(t[j].gap, gap, 1e-14 + 4 * angle * angle * (gap < 0));
            CHECK_NEAR(fabs(t[j].point[1]), 0.5, 1e-12);
            CHECK_NEAR(t[j].point[0], 0.3 + side, 0.03);
        }
    }
}

/// Blocks lying on each other anyhow: a motion below the noise leaves every name as it is.
static void names_stay(void) {
    sample slab;
    make_box(&slab, 1.2, 0.9, 1, 0);
    for (int i = 0; i < 2000 / FEWER * times; i++) {
        const sample *a = &shelf[random_int(3, 4)];
        scree_pose pb, pa, moved;
        scree_manifold_point t[SCREE_MANIFOLD_MAX], u[SCREE_MANIFOLD_MAX];
        double z[3] = { 0, 0, 1 }, axis[3], turn[9], at[3];
        random_pose(1, &pb);
        spin(uniform(0, 6), z, turn);
        multiply(pb.turn, turn, pa.turn);
        for (int k = 0; k < 2; k++) at[k] = uniform(-0.8, 0.8);
        at[2] = 1 + a->vertex[3 * 7 + 2] + uniform(-1e-3, 1e-3);
        to_world(&pb, at, pa.at);
        int count = scree_narrow_phase(&a->solid, &pa, &slab.solid, &pb, 1, t);
        random_direction(axis);
        spin(1e-14, axis, turn);
        multiply(turn, pa.turn, moved.turn);
        for (int k = 0; k < 3; k++) moved.at[k] = pa.at[k] + uniform(-1e-14, 1e-14);
        CHECK(count >= 3);
        CHECK_INT(scree_narrow_phase(&a->solid, &moved, &slab.solid, &pb, 1, u), count);
        for (int j = 0; j < count; j++) {
            bool kept = false;
            for (int k = 0; k < count; k++) kept = kept || t[j].feature == u[k].feature;
            CHECK(kept);
        }
    }
}

TEST_FILE(test_narrow) {
    const char *long_run = getenv("SCREE_LONG");
    if (long_run && *long_run) times = 50;
    stock();
    TEST(random_pairs);
    TEST(centred_balls);
    TEST(features_on_features);
    TEST(nested_scales);
    printf("worst over tolerance: gap %.3g, points %.3g, depth %.3g\n", worst_gap, worst_point,
           worst_depth);
    printf("%d overlaps of cylinders were climbed out of\n", overlaps_of_cylinders);
    TEST(swapped_pairs);
    TEST(scaled_pairs);
    TEST(moved_pairs);
    TEST(half_spaces);
    TEST(counts_on_plane);
    TEST(counts_on_solids);
    TEST(rocking);
    TEST(names_stay);
    return harness_end();
}
