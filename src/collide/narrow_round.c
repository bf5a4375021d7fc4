// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// narrow_round.c - balls with every core, and capsules with each other: closed forms.

#include "collide/narrow_space.h"

/// y = R x + d
static void placed(const double turn[9], const double x[3], const double d[3], double y[3]) {
    scree_rotate(turn, x, y);
    for (int k = 0; k < 3; k++) y[k] += d[k];
}

/// The touch of a ball about `centre` of a with what is at the distance along n.
static int write_ball(const double centre[3], double radius_a, double radius_b, double distance,
                      const double n[3], double margin, uint32_t feature,
                      scree_manifold_point *manifold) {
    manifold->gap = distance - (radius_a + radius_b);
    if (!(manifold->gap <= margin)) return 0;
    copy3(n, manifold->normal);
    along(centre, -(radius_a + manifold->gap / 2), n, manifold->point);
    manifold->feature = feature;
    return 1;
}

/// Where the centre of a ball is, seen from its body.
static void centre_of(const scree_collision_shape *ball, const scree_pose *pose, double x[3]) {
    const double *v = ball->vertex;
    if (v[0] == 0 && v[1] == 0 && v[2] == 0)
        x[0] = x[1] = x[2] = 0;
    else
        scree_rotate(pose->turn, v, x);
}

/// Balls around places that are offsets away from pa and pb. The point divides the way between the
/// centres as the radii do: the arms of both sides are then their radii times the same factor.
static inline int meet_balls(const double pa[3], const double offset_a[3], double radius_a,
                             const double pb[3], const double offset_b[3], double radius_b,
                             double margin, scree_manifold_point *manifold) {
    double d[3], centre[3];
    for (int k = 0; k < 3; k++) d[k] = pa[k] - pb[k] + (offset_a[k] - offset_b[k]);
    double square = scree_dot(d, d), sum = radius_a + radius_b, limit = margin + sum;
    if (square > limit * limit) return 0;
    double distance = sqrt(square), scale = 1 / distance;
    manifold->gap = distance - sum;
    if (!(manifold->gap <= margin)) return 0;
    // concentric: any direction is as good as any other
    for (int k = 0; k < 3; k++) manifold->normal[k] = distance > 0 ? scale * d[k] : k == 0;
    for (int k = 0; k < 3; k++) centre[k] = offset_a[k] + pa[k];
    double share = sum > 0 ? radius_a / sum : 0.5;
    along(centre, -(radius_a + manifold->gap * share), manifold->normal, manifold->point);
    manifold->feature = 0;
    return 1;
}

int scree_narrow_phase_balls(const double a[3], double radius_a, const double b[3], double radius_b,
                             double margin, scree_manifold_point *manifold) {
    static const double none[3] = { 0 };
    return meet_balls(a, none, radius_a, b, none, radius_b, margin, manifold);
}

int scree_round_balls(const scree_collision_shape *a, const scree_pose *pa,
                      const scree_collision_shape *b, const scree_pose *pb, double margin,
                      scree_manifold_point *manifold) {
    double va[3], vb[3];
    centre_of(a, pa, va);
    centre_of(b, pb, vb);
    return meet_balls(pa->at, va, a->radius, pb->at, vb, b->radius, margin, manifold);
}

static int ball_capsule(const scree_collision_shape *a, const scree_pose *pa,
                        const scree_collision_shape *b, const scree_pose *pb, double margin,
                        scree_manifold_point *manifold) {
    double d[3], c[3], e[3], n[3], p[3], world[3];
    minus(pa->at, pb->at, d);
    placed(pa->turn, a->vertex, d, p);  // the centre, seen from b
    scree_rotate_back(pb->turn, p, c);
    minus(b->vertex + 3, b->vertex, e);
    minus(c, b->vertex, d);
    double t = scree_dot(d, e) / scree_dot(e, e);
    t = t < 0 ? 0 : t > 1 ? 1 : t;
    along(d, -t, e, d);
    double distance = scree_length(d);
    if (distance > 0)
        for (int k = 0; k < 3; k++) n[k] = d[k] / distance;
    else
        any_across(e, n);
    scree_rotate(pb->turn, n, world);
    placed(pa->turn, a->vertex, pa->at, p);
    uint64_t of_b = t <= 0 ? vertex_code(0) : t >= 1 ? vertex_code(1) : edge_code(0, 1);
    return write_ball(p, a->radius, b->radius, distance, world, margin,
                      scree_manifold_feature(vertex_code(0), of_b), manifold);
}

/// The point of a polyhedron that is nearest to c, seen from c, when it is not inside a face.
static uint64_t nearest_of_edges(const scree_collision_shape *solid, const double c[3],
                                 double to[3]) {
    double least = HUGE_VAL, e[3], d[3];
    uint64_t code = 0;
    for (int i = 0; i < solid->edges; i++) {
        const int *edge = solid->edge + 4 * (long)i;
        const double *from = solid->vertex + 3 * (long)edge[0];
        minus(solid->vertex + 3 * (long)edge[1], from, e);
        minus(c, from, d);
        double t = scree_dot(d, e) / scree_dot(e, e);
        t = t < 0 ? 0 : t > 1 ? 1 : t;
        along(d, -t, e, d);
        if (scree_dot(d, d) >= least) continue;
        least = scree_dot(d, d);
        copy3(d, to);
        code = t <= 0   ? vertex_code(edge[0])
               : t >= 1 ? vertex_code(edge[1])
                        : edge_code(edge[0], edge[1]);
    }
    return code;
}

/// Is the foot of c on the plane of the face inside it?
static bool above_face(const scree_collision_shape *solid, int face, const double c[3]) {
    int first = solid->face_first[face], count = solid->face_first[face + 1] - first;
    for (int i = 0; i < count; i++) {
        const double *p = solid->vertex + 3 * (long)solid->face_vertex[first + i];
        const double *q = solid->vertex + 3 * (long)solid->face_vertex[first + (i + 1) % count];
        double e[3], d[3], s[3];
        minus(q, p, e);
        minus(c, p, d);
        scree_cross(e, d, s);
        if (scree_dot(s, solid->face_normal + 3 * (long)face) < 0) return false;
    }
    return true;
}

static int ball_hull(const scree_collision_shape *a, const scree_pose *pa,
                     const scree_collision_shape *b, const scree_pose *pb, double margin,
                     scree_manifold_point *manifold) {
    double d[3], c[3], n[3], p[3], height = -HUGE_VAL;
    int face = 0;
    minus(pa->at, pb->at, d);
    placed(pa->turn, a->vertex, d, p);
    scree_rotate_back(pb->turn, p, c);
    double limit = margin + (a->radius + b->radius);
    for (int i = 0; i < b->faces; i++) {
        minus(c, b->vertex + 3 * (long)b->face_vertex[b->face_first[i]], d);
        double here = scree_dot(d, b->face_normal + 3 * (long)i);
        if (here > limit) return 0;
        if (here <= height) continue;
        height = here;
        face = i;
    }
    uint64_t of_b = face_code(face);
    double distance = height;
    copy3(b->face_normal + 3 * (long)face, n);
    if (height > 0 && !above_face(b, face, c)) {
        of_b = nearest_of_edges(b, c, d);
        distance = scree_length(d);
        for (int k = 0; k < 3; k++) n[k] = d[k] / distance;
    }
    scree_rotate(pb->turn, n, n);
    placed(pa->turn, a->vertex, pa->at, p);
    return write_ball(p, a->radius, b->radius, distance, n, margin,
                      scree_manifold_feature(vertex_code(0), of_b), manifold);
}

/// The best t in [0, 1] for q + t v to be near x.
static double best_on(const double x[3], const double q[3], const double v[3]) {
    double d[3];
    minus(x, q, d);
    double t = scree_dot(d, v) / scree_dot(v, v);
    return t < 0 ? 0 : t > 1 ? 1 : t;
}

static double square_between(const double p[3], double s, const double u[3], const double q[3],
                             double t, const double v[3]) {
    double x[3], y[3];
    along(p, s, u, x);
    along(q, t, v, y);
    minus(x, y, x);
    return scree_dot(x, x);
}

void scree_round_segments(const double p[3], const double u[3], const double q[3],
                          const double v[3], double *s, double *t) {
    double c[3], d[3], f[3], x[3], least = HUGE_VAL;
    double try_s[5] = { 0, 1 }, try_t[5] = { 0, 0, 0, 1 };
    int tries = 4;
    for (int k = 0; k < 2; k++) {
        along(p, k, u, x);
        try_t[k] = best_on(x, q, v);
        along(q, k, v, x);
        try_s[2 + k] = best_on(x, p, u);
    }
    scree_cross(u, v, c);
    double square = scree_dot(c, c);
    minus(q, p, d);
    if (square > 1e-28 * scree_dot(u, u) * scree_dot(v, v)) {
        scree_cross(d, v, f);
        double inner = scree_dot(f, c) / square;
        if (inner > 0 && inner < 1) {
            along(p, inner, u, x);
            try_t[4] = best_on(x, q, v);
            along(q, try_t[4], v, x);
            try_s[4] = best_on(x, p, u);
            tries = 5;
        }
    }
    for (int k = tries - 1; k >= 0; k--) {
        double here = square_between(p, try_s[k], u, q, try_t[k], v);
        if (here >= least) continue;
        least = here;
        *s = try_s[k];
        *t = try_t[k];
    }
}

static void end_codes(double s, int corner[4]) {
    corner[0] = s >= 1;
    corner[1] = s > 0;
}

static int capsule_capsule(const scree_collision_shape *a, const scree_pose *pa,
                           const scree_collision_shape *b, const scree_pose *pb, double margin,
                           scree_manifold_point manifold[SCREE_MANIFOLD_MAX]) {
    scree_pair_frame pair;
    scree_closest_points near = { .corners = 2 };
    scree_witness witness[4];
    double p[3], u[3], v[3], d[3], s, t;
    scree_pair_frame_make(a, pa, b, pb, margin, &pair);
    vertex_a(&pair, 0, p);
    minus(a->vertex + 3, a->vertex, u);
    scree_rotate(pair.turn, u, u);
    minus(b->vertex + 3, b->vertex, v);
    scree_round_segments(p, u, b->vertex, v, &s, &t);
    along(p, s, u, near.a);
    along(b->vertex, t, v, near.b);
    minus(near.a, near.b, d);
    near.distance = scree_length(d);
    if (near.distance > pair.margin) return 0;
    if (near.distance > pair.noise) {
        for (int k = 0; k < 3; k++) near.n[k] = d[k] / near.distance;
    } else {
        // the axes meet: out across both, or across the one if they have the same direction
        scree_cross(u, v, near.n);
        double length = sqrt(scree_dot(near.n, near.n));
        if (length > 1e-9 * sqrt(scree_dot(u, u) * scree_dot(v, v)))
            for (int k = 0; k < 3; k++) near.n[k] /= length;
        else
            any_across(v, near.n);
        near.distance = 0;
    }
    end_codes(s, near.corner_a);
    end_codes(t, near.corner_b);
    int count = scree_manifold_near(&pair, &near, witness);
    return scree_manifold_write(&pair, near.n, witness, count, manifold);
}

int scree_round_collide(const scree_collision_shape *a, const scree_pose *pa,
                        const scree_collision_shape *b, const scree_pose *pb, double margin,
                        scree_manifold_point manifold[SCREE_MANIFOLD_MAX]) {
    if (a->vertices == 2 && b->vertices == 2)
        return capsule_capsule(a, pa, b, pb, margin, manifold);
    if (a->vertices > 1) {
        int count = scree_round_collide(b, pb, a, pa, margin, manifold);
        for (int i = 0; i < count; i++)
            for (int k = 0; k < 3; k++) manifold[i].normal[k] = -manifold[i].normal[k];
        return count;
    }
    return b->vertices == 2 ? ball_capsule(a, pa, b, pb, margin, manifold)
                            : ball_hull(a, pa, b, pb, margin, manifold);
}
