// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// narrow_cylinder.c - cylinders with cores and with each other.
//
// A ball has a closed form. For the others the separation along n is measured for every direction
// that can be written down: caps, faces, out from the axis through a vertex, across the axis and an
// edge. The best is then improved: move a away along it until they are apart, find the shortest way
// between them, take that direction, and again. Each round maximises separation + push . n, so it
// never loses, and it stands still only where the separation is largest around. Directions that
// were written down are met exactly; others (rim on edge, rim on rim) are made exact by
// narrow_rim.c as soon as a round is near. Where the solids overlap, narrow_penetration.c looks
// whether another direction gives a shorter way out. Where only some directions may be used
// (triangles of a mesh), the four best starts are settled instead, and the way out may not be the
// shortest.

#include "collide/narrow_space.h"

enum { ROUNDS_MAX = 60 };

typedef scree_cylinder_in_frame cylinder;

void scree_cylinder_to_frame(const scree_pair_frame *pair, bool of_a, cylinder *out) {
    const scree_collision_shape *solid = of_a ? pair->a : pair->b;
    for (int i = 0; i < 2; i++) {
        if (of_a)
            vertex_a(pair, i, out->cap[i]);
        else
            copy3(vertex_b(pair, i), out->cap[i]);
    }
    minus(solid->vertex + 3, solid->vertex, out->axis);
    if (of_a) scree_rotate(pair->turn, out->axis, out->axis);
    out->length = sqrt(scree_dot(out->axis, out->axis));
    for (int k = 0; k < 3; k++) out->axis[k] /= out->length;
    out->radius = solid->radius;
}

enum { STARTS = 4 };

/// The best directions so far, the best first, no two of them near each other.
typedef struct starts {
    scree_axis axis[STARTS];
    int count;
} starts;

static void insert(const scree_pair_frame *pair, const double n[3], double apart, starts *all) {
    int at = all->count;
    // of directions that are nearly the same the better one, the first of equals
    for (int i = 0; i < all->count; i++) {
        if (scree_dot(all->axis[i].n, n) < 0.95) continue;
        if (apart <= all->axis[i].apart + pair->noise) return;
        at = i;
        break;
    }
    if (at == all->count && all->count < STARTS) all->count++;
    if (at == STARTS) {
        at--;
        if (apart <= all->axis[at].apart + pair->noise) return;
    }
    for (; at > 0 && apart > all->axis[at - 1].apart + pair->noise; at--)
        all->axis[at] = all->axis[at - 1];
    all->axis[at] = (scree_axis){ .kind = SCREE_AXIS_FREE, .apart = apart };
    copy3(n, all->axis[at].n);
}

/// Offer a direction, both ways, of any length.
static void offer(const scree_pair_frame *pair, const double d[3], starts *best) {
    double square = scree_dot(d, d);
    if (!(square > 0)) return;
    double scale = 1 / sqrt(square), n[3];
    for (int way = 0; way < 2; way++) {
        for (int k = 0; k < 3; k++) n[k] = way ? -scale * d[k] : scale * d[k];
        insert(pair, n, scree_gjk_separation(pair, n), best);
    }
}

/// Out from the axis through x, where x is beside the cylinder.
static void offer_radial(const scree_pair_frame *pair, const cylinder *c, const double x[3],
                         starts *best) {
    double d[3];
    minus(x, c->cap[0], d);
    double up = scree_dot(d, c->axis), square = scree_dot(d, d);
    along(d, -up, c->axis, d);
    if (up < 0 || up > c->length || scree_dot(d, d) <= 1e-24 * square) return;
    offer(pair, d, best);
}

/// Directions of a cylinder with a core.
static void offer_core(const scree_pair_frame *pair, bool core_a, const cylinder *c, starts *best) {
    const scree_collision_shape *core = core_a ? pair->a : pair->b;
    double x[3], y[3], d[3];
    for (int i = 0; i < core->faces; i++) {
        copy3(core->face_normal + 3 * (long)i, d);
        if (core_a) scree_rotate(pair->turn, d, d);
        offer(pair, d, best);
    }
    for (int i = 0; i < core->vertices; i++) {
        copy3(core->vertex + 3 * (long)i, x);
        if (core_a) vertex_a(pair, i, x);
        offer_radial(pair, c, x, best);
    }
    static const int segment[2] = { 0, 1 };
    int edges = core->edges ? core->edges : core->vertices == 2;
    for (int i = 0; i < edges; i++) {
        const int *edge = core->edges ? core->edge + 4 * (long)i : segment;
        minus(core->vertex + 3 * (long)edge[1], core->vertex + 3 * (long)edge[0], y);
        if (core_a) scree_rotate(pair->turn, y, y);
        scree_cross(c->axis, y, d);
        if (scree_dot(d, d) > 1e-20 * scree_dot(y, y)) offer(pair, d, best);
    }
}

/// Directions of two cylinders.
static void offer_pair(const scree_pair_frame *pair, const cylinder *a, const cylinder *b,
                       starts *best) {
    double u[3], v[3], x[3], d[3], s, t;
    offer(pair, b->axis, best);
    scree_cross(a->axis, b->axis, d);
    if (scree_dot(d, d) > 1e-20) offer(pair, d, best);
    minus(a->cap[1], a->cap[0], u);
    minus(b->cap[1], b->cap[0], v);
    scree_round_segments(a->cap[0], u, b->cap[0], v, &s, &t);
    along(a->cap[0], s, u, x);
    offer_radial(pair, b, x, best);
    along(b->cap[0], t, v, x);
    offer_radial(pair, a, x, best);
}

static void offer_written(const scree_pair_frame *pair, starts *best) {
    cylinder a, b;
    bool of_a = pair->a->kind == SCREE_COLLISION_CYLINDER;
    bool of_b = pair->b->kind == SCREE_COLLISION_CYLINDER;
    double d[3];
    best->count = 0;
    scree_cylinder_to_frame(pair, of_a, &a);
    scree_cylinder_to_frame(pair, !of_b, &b);
    offer(pair, a.axis, best);
    if (of_a && of_b)
        offer_pair(pair, &a, &b, best);
    else
        offer_core(pair, of_b, &a, best);
    scree_rotate(pair->turn, pair->a->centre, d);
    along(d, 1, pair->at, d);
    minus(d, pair->b->centre, d);
    offer(pair, d, best);
}

void scree_cylinder_refine_axis(const scree_pair_frame *pair, scree_axis *axis,
                                scree_closest_points *near) {
    double target = 0.02 * fmin(pair->a->bound, pair->b->bound), little = pair->noise / 16;
    for (int round = 0; round < ROUNDS_MAX; round++) {
        double push[3], step[3], far = axis->apart < target ? target - axis->apart : 0;
        for (int k = 0; k < 3; k++) push[k] = far * axis->n[k];
        if (!scree_gjk_find(pair, push, axis->n, near)) return;
        minus(near->a, push, near->a);
        double apart = scree_gjk_separation(pair, near->n);
        minus(near->n, axis->n, step);
        // once the written directions are left, the points go on settling after the gap has
        bool on = round > 0 && apart >= axis->apart - little && scree_dot(step, step) > 1e-18;
        if (apart <= axis->apart + little && !on) return;
        axis->apart = apart;
        copy3(near->n, axis->n);
        if (scree_rim_refine_axis(pair, axis, near)) return;
        if (far == 0 && near->distance <= apart + pair->noise) return;
    }
}

/// The feature of a cylinder towards its outward direction: a cap, or a ring of two points (the
/// line on its side) or one.
static bool cylinder_flat(const cylinder *c, const double out[3], scree_disc *disc,
                          scree_feature_polygon *polygon) {
    double cosine = scree_dot(out, c->axis), across[3], e[3];
    int cap = cosine > 0;
    if (fabs(cosine) >= SCREE_FLAT_COSINE) {
        *disc = (scree_disc){ .radius = c->radius, .cap = cap };
        copy3(c->cap[cap], disc->centre);
        for (int k = 0; k < 3; k++) disc->normal[k] = cap ? c->axis[k] : -c->axis[k];
        return true;
    }
    along(out, -cosine, c->axis, across);
    double scale = c->radius / scree_length(across);
    copy3(c->axis, e);
    polygon->face = -1;
    polygon->count = fabs(cosine) <= SCREE_FLAT_SINE ? 2 : 1;
    for (int i = 0; i < polygon->count; i++) {
        polygon->vertex[i] = polygon->count == 2 ? i : cap;
        along(c->cap[polygon->vertex[i]], scale, across, polygon->x[i]);
    }
    return false;
}

int scree_cylinder_flat(const scree_pair_frame *pair, const double n[3], scree_witness witness[4]) {
    scree_disc disc_a, disc_b;
    scree_feature_polygon a, b;
    bool round_a = false, round_b = false;
    double back[3] = { -n[0], -n[1], -n[2] };
    cylinder c;
    if (pair->a->kind == SCREE_COLLISION_CYLINDER) {
        scree_cylinder_to_frame(pair, true, &c);
        round_a = cylinder_flat(&c, back, &disc_a, &a);
        if (round_a) scree_disc_mark(pair, true, &disc_a);
    } else {
        scree_feature_polygon_of(pair, true, n, &a);
    }
    if (pair->b->kind == SCREE_COLLISION_CYLINDER) {
        scree_cylinder_to_frame(pair, false, &c);
        round_b = cylinder_flat(&c, n, &disc_b, &b);
        if (round_b) scree_disc_mark(pair, false, &disc_b);
    } else {
        scree_feature_polygon_of(pair, false, n, &b);
    }
    if (round_a && round_b) return scree_disc_disc(pair, &disc_a, &disc_b, n, witness);
    if (round_a) return scree_disc_polygon(pair, true, &disc_a, &b, n, witness);
    if (round_b) return scree_disc_polygon(pair, false, &disc_b, &a, n, witness);
    if (a.face >= 0) return scree_manifold_clip_face(pair, true, &a, &b, n, witness);
    if (b.face >= 0) return scree_manifold_clip_face(pair, false, &b, &a, n, witness);
    if (a.count == 2 && b.count == 2) return scree_manifold_clip_edges(pair, &a, &b, n, witness);
    return 0;
}

/// How far x is outside of a solid, at least.
static double outside(const scree_pair_frame *pair, bool of_a, const double x[3]) {
    const scree_collision_shape *solid = of_a ? pair->a : pair->b;
    double d[3], y[3], e[3], most = -HUGE_VAL;
    minus(x, pair->at, d);
    copy3(x, y);
    if (of_a) scree_rotate_back(pair->turn, d, y);
    for (int i = 0; i < solid->faces; i++) {
        minus(y, solid->vertex + 3 * (long)solid->face_vertex[solid->face_first[i]], d);
        most = fmax(most, scree_dot(d, solid->face_normal + 3 * (long)i));
    }
    if (solid->faces) return most;
    minus(y, solid->vertex, d);
    minus(solid->vertex + 3, solid->vertex, e);
    double length = scree_length(e), up = scree_dot(d, e) / length;
    double radius = solid->kind == SCREE_COLLISION_CYLINDER ? solid->radius : 0;
    along(d, -up / length, e, d);
    return fmax(fmax(-up, up - length), scree_length(d) - radius);
}

/// The witness of the nearest points: at their middle, or, where they are not above each other, at
/// the one of them that is best on both solids.
static void near_spot(const scree_pair_frame *pair, const scree_axis *axis,
                      const scree_closest_points *near, scree_witness *witness) {
    static const double shift[3] = { 0, 0.5, -0.5 };
    double d[3], least = HUGE_VAL;
    minus(near->a, near->b, d);
    along(d, -scree_dot(d, axis->n), axis->n, d);
    for (int i = 0; i < 3; i++) {
        double x[3], y[3];
        for (int k = 0; k < 3; k++) {
            double middle = (near->a[k] + near->b[k]) / 2 + shift[i] * d[k];
            x[k] = middle + axis->apart / 2 * axis->n[k];
            y[k] = middle - axis->apart / 2 * axis->n[k];
        }
        double off = fmax(outside(pair, true, x), outside(pair, false, y));
        if (off >= least - pair->noise) continue;
        least = off;
        copy3(x, witness->a);
        copy3(y, witness->b);
    }
    witness->apart = axis->apart;
    witness->feature =
        scree_manifold_feature(vertex_code(near->corner_a[0]), vertex_code(near->corner_b[0]));
}

int scree_cylinder_manifold(const scree_pair_frame *pair, scree_axis *axis,
                            scree_closest_points *near, scree_witness witness[4]) {
    double least = HUGE_VAL;
    int count = scree_cylinder_flat(pair, axis->n, witness);
    for (int i = 0; i < count; i++) least = fmin(least, witness[i].apart);
    if (fabs(least - axis->apart) <= 4 * pair->noise) return count;
    scree_rim_refine_axis(pair, axis, near);
    near_spot(pair, axis, near, witness);
    return 1;
}

/// The best way out of an overlap that is usable, from the best starts; the first is settled.
static void settle_usable(const scree_pair_frame *pair, scree_axis_filter usable, const void *self,
                          starts *best, scree_axis *axis, scree_closest_points *near) {
    bool refused = !usable(pair, axis, self);
    double size = fmin(pair->a->bound, pair->b->bound);
    for (int i = 1; i < best->count && axis->apart < 0; i++) {
        scree_closest_points other;
        if (!refused && best->axis[i].apart < 4 * axis->apart - 0.01 * size) continue;
        scree_cylinder_refine_axis(pair, &best->axis[i], &other);
        if (!refused && best->axis[i].apart <= axis->apart + pair->noise) continue;
        if (!usable(pair, &best->axis[i], self)) continue;
        refused = false;
        *axis = best->axis[i];
        *near = other;
    }
}

bool scree_cylinder_separating_axis(const scree_pair_frame *pair, scree_axis_filter usable,
                                    const void *self, scree_axis *axis,
                                    scree_closest_points *near) {
    starts best;
    offer_written(pair, &best);
    if (best.axis[0].apart > pair->margin) return false;
    *axis = best.axis[0];
    scree_cylinder_refine_axis(pair, axis, near);
    // apart there is one way only, overlapping there may be others
    if (axis->apart < 0 && usable)
        settle_usable(pair, usable, self, &best, axis, near);
    else if (axis->apart < 0)
        scree_penetration_depth(pair, axis, near);
    return axis->apart <= pair->margin;
}

/// A ball: its centre is beside the cylinder, over a cap or off its rim.
static int with_ball(const scree_pair_frame *pair, bool ball_a,
                     scree_manifold_point manifold[SCREE_MANIFOLD_MAX]) {
    cylinder c;
    double x[3], d[3], out[3];
    scree_axis axis;
    scree_cylinder_to_frame(pair, !ball_a, &c);
    copy3(pair->b->vertex, x);
    if (ball_a) vertex_a(pair, 0, x);
    minus(x, c.cap[0], d);
    double up = scree_dot(d, c.axis), over = fabs(up - c.length / 2) - c.length / 2;
    int cap = up > c.length / 2;
    along(d, -up, c.axis, out);
    double from_axis = scree_length(out), beside = from_axis - c.radius;
    if (from_axis > 0)
        for (int k = 0; k < 3; k++) out[k] /= from_axis;
    else
        any_across(c.axis, out);
    uint64_t code = over > 0 && beside > 0 ? edge_code(0, 1 + cap) : vertex_code(cap);
    double part_up = over > 0 ? over : 0, part_out = beside > 0 ? beside : 0;
    if (over <= 0 && beside <= 0) {
        part_up = over > beside ? over : 0;
        part_out = over > beside ? 0 : beside;
    }
    if (part_up == 0) code = face_code(0);
    double size = hypot(part_up, part_out), sign = over <= 0 && beside <= 0 ? -1 : 1;
    if (size > 0) {
        for (int k = 0; k < 3; k++)
            axis.n[k] = sign / size * (part_out * out[k] + (cap ? 1 : -1) * part_up * c.axis[k]);
    } else {
        copy3(out, axis.n);
    }
    scree_witness witness;
    axis.apart = sign * size;
    copy3(x, ball_a ? witness.a : witness.b);
    along(x, -axis.apart, axis.n, ball_a ? witness.b : witness.a);
    for (int k = 0; k < 3 && !ball_a; k++) axis.n[k] = -axis.n[k];
    witness.apart = axis.apart;
    witness.feature = scree_manifold_feature(ball_a ? 0 : code, ball_a ? code : 0);
    return scree_manifold_write(pair, axis.n, &witness, 1, manifold);
}

int scree_cylinder_collide(const scree_pair_frame *pair,
                           scree_manifold_point manifold[SCREE_MANIFOLD_MAX]) {
    if (pair->a->vertices == 1 || pair->b->vertices == 1)
        return with_ball(pair, pair->a->vertices == 1, manifold);
    scree_axis axis;
    scree_closest_points near;
    scree_witness witness[4];
    if (!scree_cylinder_separating_axis(pair, NULL, NULL, &axis, &near)) return 0;
    int count = scree_cylinder_manifold(pair, &axis, &near, witness);
    return scree_manifold_write(pair, axis.n, witness, count, manifold);
}
