// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// narrow_rim.c - where a cylinder touches in one point: rims and sides with corners, edges, rims
// and sides.
//
// Near a direction n the farthest point of a rim is c + r u, u the unit part of n across the axis,
// of a line on the side the same with n across the axis. The separation is f(n) = n . (xa - xb),
// its gradient xa - xb, and its curvature comes from the rims alone, so that its maximum over unit
// vectors, across those lines that take part, is found by Newton's method to rounding. What is
// found counts only if the true separation along n is f: then the features were the right ones, and
// where the solids are apart nothing can be nearer.

#include "collide/narrow_space.h"

enum { CURVES_MAX = 24, ROUNDS_MAX = 24 };

/// A circle (radius 0: a point) that may be drawn along a line.
typedef struct curve {
    double centre[3], axis[3], radius;
    double line[3], length;  // unit, from the centre; length 0: none
    int corner;
} curve;

/// How far from across an edge or side may be for its line to take part.
#define NEARLY_ACROSS 0.3

static void add_line(const double from[3], const double to[3], curve *c) {
    minus(to, from, c->line);
    c->length = sqrt(scree_dot(c->line, c->line));
    for (int k = 0; k < 3; k++) c->line[k] /= c->length;
}

static int curves_of_cylinder(const scree_pair_frame *pair, bool of_a, const double out[3],
                              curve *list) {
    scree_cylinder_in_frame cylinder;
    scree_cylinder_to_frame(pair, of_a, &cylinder);
    double cosine = scree_dot(out, cylinder.axis);
    int cap = cosine > 0, count = fabs(cosine) < NEARLY_ACROSS ? 3 : 1;
    for (int i = 0; i < count; i++) {
        list[i] = (curve){ .radius = cylinder.radius, .corner = i == 1 ? 1 - cap : cap };
        copy3(cylinder.axis, list[i].axis);
        copy3(cylinder.cap[list[i].corner], list[i].centre);
    }
    if (count == 3) add_line(cylinder.cap[cap], cylinder.cap[1 - cap], &list[2]);
    return count;
}

static void place_vertex(const scree_pair_frame *pair, bool of_a, int i, double x[3]) {
    if (of_a)
        vertex_a(pair, i, x);
    else
        copy3(vertex_b(pair, i), x);
}

/// Vertices that are as far as the farthest, up to what a direction may still be wrong by, and the
/// edges there that are nearly across.
static int curves_of_core(const scree_pair_frame *pair, bool of_a, const double out[3],
                          curve *list) {
    static const int segment[2] = { 0, 1 };
    const scree_collision_shape *core = of_a ? pair->a : pair->b;
    double d[3], x[3];
    copy3(out, d);
    if (of_a) scree_rotate_back(pair->turn, out, d);
    int count = 0, edges = core->edges ? core->edges : core->vertices == 2;
    double top =
        scree_dot(core->vertex + 3 * (long)support_vertex(core, d), d) - 1e-7 * core->bound;
    for (int i = 0; i < edges && count < CURVES_MAX; i++) {
        const int *edge = core->edges ? core->edge + 4 * (long)i : segment;
        const double *v = core->vertex + 3 * (long)edge[0], *w = core->vertex + 3 * (long)edge[1];
        if (scree_dot(v, d) < top && scree_dot(w, d) < top) continue;
        list[count] = (curve){ .corner = edge[0] };
        place_vertex(pair, of_a, edge[0], list[count].centre);
        place_vertex(pair, of_a, edge[1], x);
        add_line(list[count].centre, x, &list[count]);
        if (fabs(scree_dot(list[count].line, out)) < NEARLY_ACROSS) count++;
    }
    for (int i = 0; i < core->vertices && count < CURVES_MAX; i++) {
        if (scree_dot(core->vertex + 3 * (long)i, d) < top) continue;
        list[count] = (curve){ .corner = i };
        place_vertex(pair, of_a, i, list[count++].centre);
    }
    return count;
}

static int curves_of(const scree_pair_frame *pair, bool of_a, const double out[3], curve *list) {
    const scree_collision_shape *solid = of_a ? pair->a : pair->b;
    return solid->kind == SCREE_COLLISION_CYLINDER ? curves_of_cylinder(pair, of_a, out, list)
                                                   : curves_of_core(pair, of_a, out, list);
}

/// The farthest point of the circle towards `out` and the way along it there; returns its curvature
/// as a function of the direction, negative: the direction is along the axis.
static double farthest_of(const curve *c, const double out[3], double x[3], double tangent[3]) {
    copy3(c->centre, x);
    if (c->radius == 0) {
        tangent[0] = tangent[1] = tangent[2] = 0;
        return 0;
    }
    double across[3];
    along(out, -scree_dot(out, c->axis), c->axis, across);
    along(across, -scree_dot(across, c->axis), c->axis, across);
    double sine = scree_length(across);
    if (!(sine > 1e-12)) return -1;
    along(x, c->radius / sine, across, x);
    scree_cross(c->axis, across, tangent);
    for (int k = 0; k < 3; k++) tangent[k] /= sine;
    return c->radius / sine;
}

/// Points of both curves along n, and the gradient (2) and curvature (xx xy yy) of the separation
/// in the directions t; false: along the axis of a rim.
typedef struct slope {
    double xa[3], xb[3], gradient[2], curvature[3];
} slope;

static bool slope_at(const curve *a, const curve *b, const double n[3], const double t[2][3],
                     slope *out) {
    double back[3] = { -n[0], -n[1], -n[2] }, along_a[3], along_b[3], w[3];
    double bend_a = farthest_of(a, back, out->xa, along_a);
    double bend_b = farthest_of(b, n, out->xb, along_b);
    if (bend_a < 0 || bend_b < 0) return false;
    minus(out->xa, out->xb, w);
    double a0 = scree_dot(along_a, t[0]), a1 = scree_dot(along_a, t[1]);
    double b0 = scree_dot(along_b, t[0]), b1 = scree_dot(along_b, t[1]), apart = scree_dot(w, n);
    out->gradient[0] = scree_dot(w, t[0]);
    out->gradient[1] = scree_dot(w, t[1]);
    out->curvature[0] = -bend_a * a0 * a0 - bend_b * b0 * b0 - apart;
    out->curvature[1] = -bend_a * a0 * a1 - bend_b * b0 * b1;
    out->curvature[2] = -bend_a * a1 * a1 - bend_b * b1 * b1 - apart;
    return true;
}

/// Newton's step in one or two directions; false: there is no maximum near.
static bool newton_step(const slope *s, int ways, double step[2]) {
    const double *g = s->gradient, *h = s->curvature;
    step[1] = 0;
    if (!(h[0] < 0)) return false;
    step[0] = -g[0] / h[0];
    if (ways == 1) return true;
    double determinant = h[0] * h[2] - h[1] * h[1];
    if (!(determinant > 0)) return false;
    step[0] = (h[1] * g[1] - h[2] * g[0]) / determinant;
    step[1] = (h[1] * g[0] - h[0] * g[1]) / determinant;
    return true;
}

static void normalise(double n[3]) {
    double length = scree_length(n);
    for (int k = 0; k < 3; k++) n[k] /= length;
}

/// Go up to the maximum of the separation of two curves, across a line (or NULL).
static bool climb(const curve *a, const curve *b, const double *line, double n[3]) {
    double last = HUGE_VAL;
    if (line) along(n, -scree_dot(n, line), line, n);
    normalise(n);
    for (int round = 0; round < ROUNDS_MAX; round++) {
        double t[2][3], step[2];
        slope s;
        if (line) {
            scree_cross(line, n, t[0]);
            copy3(line, t[1]);
        } else {
            any_across(n, t[0]);
            scree_cross(n, t[0], t[1]);
        }
        if (!slope_at(a, b, n, t, &s) || !newton_step(&s, line ? 1 : 2, step)) return false;
        double size = hypot(step[0], step[1]), scale = size > 0.5 ? 0.5 / size : 1;
        for (int k = 0; k < 3; k++) n[k] += scale * (step[0] * t[0][k] + step[1] * t[1][k]);
        // rounding must not lean it out of the plane
        if (line) along(n, -scree_dot(n, line), line, n);
        normalise(n);
        if (size < 1e-15 || (size < 1e-7 && size >= last / 2)) return true;
        last = size;
    }
    return false;
}

/// A better start across a line for a rim whose axis n is near, where its curvature changes at
/// once. With n = p + u q, q across line and axis, the slope there is B - R u / sqrt(u^2 + e^2).
static void start_near_axis(const curve *rim, const double line[3], double across, double n[3]) {
    double q[3], p[3];
    double e = scree_dot(rim->axis, line), most = rim->radius * (1 - e * e);
    if (1 - scree_dot(n, rim->axis) * scree_dot(n, rim->axis) > 1e-3 || !(fabs(across) < most))
        return;
    scree_cross(line, rim->axis, q);
    normalise(q);
    scree_cross(q, line, p);
    double u = fabs(e) * across / sqrt((most - across) * (most + across));
    double sign = scree_dot(p, n) < 0 ? -1 : 1;
    for (int k = 0; k < 3; k++) n[k] = sign * p[k] + u * q[k];
}

static void start(const curve *a, const curve *b, const double line[3], double n[3]) {
    const curve *rim = a->length > 0 ? b : a;
    double d[3], q[3];
    if (rim->radius == 0) return;
    minus(a->centre, b->centre, d);
    scree_cross(line, rim->axis, q);
    double sine = scree_length(q);
    if (sine > 0.9) start_near_axis(rim, line, scree_dot(d, q) / sine, n);
}

/// The direction of two curves, starting from n.
static bool direction_of(const curve *a, const curve *b, double n[3]) {
    const double *line = a->length > 0 ? a->line : b->length > 0 ? b->line : NULL;
    if (!(a->length > 0) || !(b->length > 0)) {
        if (line) start(a, b, line, n);
        return climb(a, b, line, n);
    }
    double d[3];
    scree_cross(a->line, b->line, d);
    if (!(scree_dot(d, d) > 1e-16)) return false;
    double sign = scree_dot(d, n) < 0 ? -1 : 1;
    for (int k = 0; k < 3; k++) n[k] = sign * d[k];
    normalise(n);
    return true;
}

/// Move the points along their lines to where they face each other; false: beyond an end.
static bool face_each_other(const curve *a, const curve *b, double noise, slope *s) {
    double w[3], along_a = 0, along_b = 0;
    minus(s->xb, s->xa, w);
    double to_a = scree_dot(w, a->line), to_b = -scree_dot(w, b->line);
    if (a->length > 0 && b->length > 0) {
        double cosine = scree_dot(a->line, b->line), square = 1 - cosine * cosine;
        along_a = (to_a + cosine * to_b) / square;
        along_b = (to_b + cosine * to_a) / square;
    } else {
        along_a = a->length > 0 ? to_a : 0;
        along_b = b->length > 0 ? to_b : 0;
    }
    along(s->xa, along_a, a->line, s->xa);
    along(s->xb, along_b, b->line, s->xb);
    return along_a >= -noise && along_a <= a->length + noise && along_b >= -noise &&
           along_b <= b->length + noise;
}

/// Try one pair of curves from a direction; true: they are what keeps the solids apart.
static bool try_pair(const scree_pair_frame *pair, const curve *a, const curve *b,
                     const double from[3], scree_axis *axis, scree_closest_points *near) {
    double n[3], w[3], turn[3], none[2][3] = { { 0 } };
    slope s;
    copy3(from, n);
    if (!direction_of(a, b, n) || !slope_at(a, b, n, none, &s)) return false;
    if (!face_each_other(a, b, 100 * pair->noise, &s)) return false;
    minus(s.xa, s.xb, w);
    double apart = scree_gjk_separation(pair, n), little = pair->noise / 16;
    if (apart < fmax(scree_dot(w, n), axis->apart) - pair->noise) return false;
    // a direction that was written down is exact: it stays
    minus(n, axis->n, turn);
    if (apart > axis->apart + little || scree_dot(turn, turn) > 1e-28) {
        copy3(n, axis->n);
        axis->apart = apart;
    }
    copy3(s.xa, near->a);
    copy3(s.xb, near->b);
    copy3(axis->n, near->n);
    near->distance = axis->apart;
    near->corners = 1;
    near->corner_a[0] = a->corner;
    near->corner_b[0] = b->corner;
    return true;
}

/// Is n along the axis of a cylinder? Then its rim has no farthest point.
static bool along_axis(const scree_pair_frame *pair, bool of_a, const double n[3]) {
    const scree_collision_shape *solid = of_a ? pair->a : pair->b;
    if (solid->kind != SCREE_COLLISION_CYLINDER) return false;
    scree_cylinder_in_frame cylinder;
    double c[3];
    scree_cylinder_to_frame(pair, of_a, &cylinder);
    scree_cross(cylinder.axis, n, c);
    return scree_dot(c, c) < 1e-22;
}

bool scree_rim_refine_axis(const scree_pair_frame *pair, scree_axis *axis,
                           scree_closest_points *near) {
    curve a[CURVES_MAX], b[CURVES_MAX];
    double back[3] = { -axis->n[0], -axis->n[1], -axis->n[2] }, from[3];
    int count_a = curves_of(pair, true, back, a);
    int count_b = curves_of(pair, false, axis->n, b);
    bool stuck = along_axis(pair, true, axis->n) || along_axis(pair, false, axis->n);
    copy3(stuck ? near->n : axis->n, from);
    for (int i = 0; i < count_a; i++)
        for (int j = 0; j < count_b; j++)
            if (try_pair(pair, &a[i], &b[j], from, axis, near)) return true;
    return false;
}
