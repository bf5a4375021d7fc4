// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// narrow_planar.c - where two flat solids touch.
// in: two convex solids and where they are.   out: up to two touches.
//
// Convex cores in the plane are kept apart, or overlap least, along the normal of one of their
// edges (separating axes), unless two vertices are nearest to each other; then the normal is the
// way between these. Along an edge's normal, what the other solid turns to it is cut to the width
// of the edge: flat on flat gives two points. Rounding is a shift of all gaps.

#include "collide/narrow_planar.h"

#include <assert.h>
#include <string.h>

#include "collide/planar.h"

// -------------------------------------------------------------------------------------------------
// points, discs and half-planes, with the arithmetic of closeness.c

static void centre_of(const scree_flat *f, const scree_pose *pose, double x[2]) {
    turn2(f, raw_vertex(f, 0), x);
    x[0] = pose->at[0] + x[0];
    x[1] = pose->at[1] + x[1];
}

static int disc_on_disc(const scree_flat *a, const scree_pose *pa, const scree_flat *b,
                        const scree_pose *pb, double margin, scree_manifold_point *manifold) {
    double ra = a->solid->radius, rb = b->solid->radius, ca[2], cb[2];
    if (ra == 0 && rb == 0) return 0;
    centre_of(a, pa, ca);
    centre_of(b, pb, cb);
    double dx = ca[0] - cb[0], dy = ca[1] - cb[1], distance = hypot(dx, dy);
    double gap = distance - ra - rb;
    if (!(gap <= margin)) return 0;
    // concentric: any direction is as good as any other
    double n[2] = { distance > 0 ? dx / distance : 1, distance > 0 ? dy / distance : 0 };
    double arm = ra > 0 ? ra + gap / 2 : 0;
    *manifold = (scree_manifold_point){ .gap = gap,
                                        .normal = { n[0], n[1] },
                                        .point = { ca[0] - arm * n[0], ca[1] - arm * n[1] } };
    return 1;
}

static int disc_on_half_plane(const scree_flat *a, const scree_pose *pa, const scree_flat *b,
                              const scree_pose *pb, double margin, scree_manifold_point *manifold) {
    double r = a->solid->radius, c[2], p[2], n[2];
    centre_of(a, pa, c);
    centre_of(b, pb, p);
    turn2(b, b->solid->normal, n);
    double gap = n[0] * (c[0] - p[0]) + n[1] * (c[1] - p[1]) - r;
    if (!(gap <= margin)) return 0;
    *manifold = (scree_manifold_point){ .gap = gap,
                                        .normal = { n[0], n[1] },
                                        .point = { c[0] - r * n[0], c[1] - r * n[1] } };
    return 1;
}

/// The lowest vertex of a core and the lower one of its neighbours.
static int core_on_half_plane(const scree_flat *a, const scree_flat *b, const scree_pose *pb,
                              double margin, scree_manifold_point *manifold) {
    double r = a->solid->radius, n[2], p[2], x[2], y[2];
    int vertex[2], count = 0;
    turn2(b, b->solid->normal, n);
    vertex_of(b, 0, p);
    lowest(a, n, &vertex[0]);
    int ahead = next_of(a, vertex[0]), behind = before(a, vertex[0]);
    vertex_of(a, ahead, x);
    vertex_of(a, behind, y);
    vertex[1] = dot2(n, x) <= dot2(n, y) ? ahead : behind;
    for (int k = 0; k < 2; k++) {
        vertex_of(a, vertex[k], x);
        double gap = n[0] * (x[0] - p[0]) + n[1] * (x[1] - p[1]) - r;
        if (!(gap <= margin)) continue;
        manifold[count++] = (scree_manifold_point){
            .gap = gap,
            .normal = { n[0], n[1] },
            .point = { pb->at[0] + (x[0] - r * n[0]), pb->at[1] + (x[1] - r * n[1]) },
            .feature = vertex_code(vertex[k]),
        };
    }
    return count;
}

// -------------------------------------------------------------------------------------------------
// cores

typedef struct axis {
    const scree_flat *base, *other;  // whose edge it is, and who stands on it
    double n[2];                     // outward
    double apart;                    // along it
    int edge, vertex;                // of base and of other
} axis;

typedef struct witness {
    double at[2];  // on the core of the other
    double apart;
    uint32_t base, other;  // codes of the features
} witness;

/// The edge of base whose normal keeps the other farthest away.
static axis best_edge(const scree_flat *base, const scree_flat *other) {
    axis best = { .apart = -HUGE_VAL };
    for (int i = 0; i < edges_of(base); i++) {
        double n[2], u[2];
        int vertex;
        normal_of(base, i, n);
        vertex_of(base, i, u);
        double apart = lowest(other, n, &vertex) - dot2(n, u);
        if (apart > best.apart) best = (axis){ base, other, { n[0], n[1] }, apart, i, vertex };
    }
    return best;
}

/// One end of the common width: a vertex of the other that stands on the edge, or a vertex of the
/// base under the other's edge. Where both coincide the name does not depend on who is the base.
static void name_end(const axis *x, bool cut, bool near, bool base_is_a, int edge, int inner,
                     int outer, witness *s) {
    bool on_base = cut;
    if (near) on_base = base_is_a;
    s->base = on_base ? vertex_code(outer) : edge_code(x->edge);
    s->other = on_base ? edge_code(edge) : vertex_code(inner);
}

/// Cut the other's edge to the width of the base's; 0, 1 or 2 witnesses.
static int cut(const axis *x, int edge, bool base_is_a, double noise, witness s[2]) {
    double u[2], w[2], p[2], q[2];
    int next = next_of(x->base, x->edge), end = next_of(x->other, edge);
    vertex_of(x->base, x->edge, u);
    vertex_of(x->base, next, w);
    vertex_of(x->other, edge, p);
    vertex_of(x->other, end, q);
    const double t[2] = { -x->n[1], x->n[0] };
    double from = dot2(t, u), width = dot2(t, w) - from;
    // the other's edge runs the other way
    double tp = dot2(t, p) - from, tq = dot2(t, q) - from;
    double low = fmax(tq, 0), high = fmin(tp, width);
    if (high < low - noise) return 0;
    double level = dot2(x->n, u), ap = dot2(x->n, p) - level, aq = dot2(x->n, q) - level;
    double close = 1e-6 * fmin(width, tp - tq);
    const double place[2] = { low, high };
    for (int k = 0; k < 2; k++) {
        double f = fmin(fmax((tp - place[k]) / (tp - tq), 0), 1);
        double at[2] = { p[0] + f * (q[0] - p[0]), p[1] + f * (q[1] - p[1]) };
        s[k] = (witness){ { at[0], at[1] }, ap + f * (aq - ap), 0, 0 };
    }
    name_end(x, tq < 0, fabs(tq) <= close, base_is_a, edge, end, x->edge, &s[0]);
    name_end(x, tp > width, fabs(tp - width) <= close, base_is_a, edge, edge, next, &s[1]);
    return high - low > noise ? 2 : 1;
}

/// The foremost vertex of the other, wherever it is.
static witness on_edge(const axis *x) {
    double p[2];
    vertex_of(x->other, x->vertex, p);
    return (witness){ { p[0], p[1] }, x->apart, edge_code(x->edge), vertex_code(x->vertex) };
}

/// Where the other stands on the edge: nowhere if it hangs over its ends.
static int stand(const axis *x, bool base_is_a, double noise, witness s[2]) {
    if (x->other->solid->vertices > 1) {
        double cosine;
        int edge = flattest(x->other, x->vertex, x->n, &cosine);
        if (is_flat(cosine)) return cut(x, edge, base_is_a, noise, s);
    }
    double u[2], w[2];
    vertex_of(x->base, x->edge, u);
    vertex_of(x->base, next_of(x->base, x->edge), w);
    const double t[2] = { -x->n[1], x->n[0] };
    *s = on_edge(x);
    double place = dot2(t, s->at);
    return place >= dot2(t, u) - noise && place <= dot2(t, w) + noise;
}

typedef struct nearest {
    double distance;
    double from[2], to[2];  // on the base, on the other
    uint32_t base, other;
} nearest;

/// Vertices of one core against edges of another. A vertex that lies deeper than `slack` behind
/// the foremost one along the axis cannot be nearer than what is known.
static void try_vertices(const scree_flat *point, const scree_flat *edge, const double n[2],
                         bool point_is_base, double apart, double noise, nearest *best) {
    int first;
    double front = lowest(point, n, &first);
    for (int i = 0; i < point->solid->vertices; i++) {
        double x[2], p[2];
        vertex_of(point, i, x);
        if (dot2(n, x) - front > best->distance - apart + noise) continue;
        for (int e = 0; e < edges_of(edge); e++) {
            double t = onto_edge(edge, e, x, p), distance = hypot(x[0] - p[0], x[1] - p[1]);
            if (distance >= best->distance) continue;
            uint32_t there = t <= 0   ? vertex_code(e)
                             : t >= 1 ? vertex_code(next_of(edge, e))
                                      : edge_code(e);
            best->distance = distance;
            memcpy(best->from, point_is_base ? x : p, sizeof p);
            memcpy(best->to, point_is_base ? p : x, sizeof p);
            best->base = point_is_base ? vertex_code(i) : there;
            best->other = point_is_base ? there : vertex_code(i);
        }
    }
}

/// The shortest way between two cores that are apart; false: so short that its direction is lost in
/// rounding and keeps them less apart than the axis does.
static bool go_between(axis *x, double noise, witness *s) {
    nearest best = { .distance = HUGE_VAL };
    const double back[2] = { -x->n[0], -x->n[1] };
    try_vertices(x->other, x->base, x->n, false, x->apart, noise, &best);
    try_vertices(x->base, x->other, back, true, x->apart, noise, &best);
    if (best.distance <= noise) return false;
    double n[2], against[2];
    for (int k = 0; k < 2; k++) {
        n[k] = (best.to[k] - best.from[k]) / best.distance;
        against[k] = -n[k];
    }
    int vertex;
    if (lowest(x->other, n, &vertex) + lowest(x->base, against, &vertex) < x->apart - noise)
        return false;
    memcpy(x->n, n, sizeof n);
    *s = (witness){ { best.to[0], best.to[1] }, best.distance, best.base, best.other };
    return true;
}

static int write_touches(const axis *x, bool base_is_a, const witness *s, int witnesses,
                         const scree_pose *pb, double margin, scree_manifold_point *manifold) {
    double r_base = x->base->solid->radius, r_other = x->other->solid->radius;
    double sign = base_is_a ? -1 : 1;
    int count = 0;
    for (int k = 0; k < witnesses; k++) {
        double gap = s[k].apart - r_base - r_other, arm = r_other + gap / 2;
        if (!(gap <= margin)) continue;
        manifold[count] = (scree_manifold_point){
            .gap = gap,
            .normal = { sign * x->n[0], sign * x->n[1] },
            .point = { pb->at[0] + (s[k].at[0] - arm * x->n[0]),
                       pb->at[1] + (s[k].at[1] - arm * x->n[1]) },
            .feature = base_is_a ? s[k].base | s[k].other << 10 : s[k].other | s[k].base << 10,
        };
        if (count == 1 && manifold[1].feature == manifold[0].feature) manifold[1].feature ^= 1;
        count++;
    }
    return count;
}

static int core_on_core(const scree_flat *a, const scree_flat *b, const scree_pose *pb,
                        double margin, scree_manifold_point *manifold) {
    double noise = SCREE_PLANAR_NOISE * (magnitude_of(a) + magnitude_of(b));
    axis best = best_edge(b, a), of_a = best_edge(a, b);
    if (of_a.apart > best.apart + noise) best = of_a;
    if (best.apart - a->solid->radius - b->solid->radius > margin + noise) return 0;
    bool base_is_a = best.base == a;
    witness s[2];
    int witnesses = stand(&best, base_is_a, noise, s);
    double least = witnesses > 1 ? fmin(s[0].apart, s[1].apart) : s[0].apart;
    bool stands = witnesses > 0 && least <= best.apart + noise;
    if (!stands && best.apart > -noise && go_between(&best, noise, s)) {
        witnesses = 1;
    } else if (witnesses == 0) {
        // overlapping, or apart by noise: the vertex that is deepest
        s[0] = on_edge(&best);
        witnesses = 1;
    }
    return write_touches(&best, base_is_a, s, witnesses, pb, margin, manifold);
}

int scree_narrow_phase_planar(const scree_collision_shape *a, const scree_pose *pa,
                              const scree_collision_shape *b, const scree_pose *pb, double margin,
                              scree_manifold_point manifold[SCREE_MANIFOLD_MAX]) {
    assert(a->kind == SCREE_COLLISION_CONVEX);
    scree_flat fa = scree_flat_of(a, pa, pb), fb = scree_flat_of(b, pb, pb);
    if (b->kind == SCREE_COLLISION_HALF_SPACE)
        return a->vertices == 1 ? disc_on_half_plane(&fa, pa, &fb, pb, margin, manifold)
                                : core_on_half_plane(&fa, &fb, pb, margin, manifold);
    assert(b->kind == SCREE_COLLISION_CONVEX);
    if (a->vertices == 1 && b->vertices == 1)
        return disc_on_disc(&fa, pa, &fb, pb, margin, manifold);
    return core_on_core(&fa, &fb, pb, margin, manifold);
}
