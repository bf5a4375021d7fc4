// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// narrow_planar_piece.c - where a flat solid touches a segment of a chain.
//
// A vertex of the solid touches the segment it stands over, along the segment's normal. A vertex of
// the chain touches the solid along the way between them, where that lies between the normals of
// its two segments; it belongs to the segment that ends there. So every touch is found once, and
// nothing catches on a seam: over flat or hollow ones, directions other than the segments' normals
// do not exist. Over a hollow seam the segment counts as longer than it is, as the solid must stay
// in front of both.

#include "collide/narrow_planar.h"
#include "collide/planar.h"

#define FLAT_BEND 1e-9  // sine of the bend up to which a seam is flat

typedef struct piece {
    double v[2][2];  // ends
    double n[2], t[2];
    bool neighbour[2], hollow[2], ridge[2];
    double along[2][2];  // direction of the neighbours
} piece;

static void direction_of(const scree_flat *b, int i, double n[2], double t[2]) {
    turn2(b, b->solid->surface.normal + 3 * (long)i, n);
    t[0] = n[1];
    t[1] = -n[0];
}

static void set_piece(const scree_flat *b, int number, piece *p) {
    const scree_surface *surface = &b->solid->surface;
    *p = (piece){ 0 };
    direction_of(b, number, p->n, p->t);
    for (int k = 0; k < 2; k++) {
        vertex_of(b, surface->piece[2 * (long)number + k], p->v[k]);
        int other = surface->neighbour[2 * (long)number + k];
        p->neighbour[k] = other >= 0;
        if (other < 0) continue;
        double n[2];
        direction_of(b, other, n, p->along[k]);
        double bend = k ? cross2(p->t, p->along[k]) : cross2(p->along[k], p->t);
        p->hollow[k] = bend > FLAT_BEND;
        p->ridge[k] = bend < -FLAT_BEND;
    }
}

static double apart_along(const double t[2], const double x[2], const double from[2]) {
    return t[0] * (x[0] - from[0]) + t[1] * (x[1] - from[1]);
}

typedef struct pair {
    const scree_flat *a;
    const piece *piece;
    const scree_pose *pb;
    double margin, noise;
    double behind, ahead;  // how far a's core reaches along the normal
    int touches;
    scree_manifold_point *manifold;
} pair;

/// A touch at x on the core of a, whose distance along n is apart.
static void add(pair *m, const double x[2], const double n[2], double apart, uint32_t feature) {
    double r = m->a->solid->radius, gap = apart - r, arm = r + gap / 2;
    if (!(gap <= m->margin) || m->touches == SCREE_MANIFOLD_MAX) return;
    m->manifold[m->touches++] = (scree_manifold_point){
        .gap = gap,
        .normal = { n[0], n[1] },
        .point = { m->pb->at[0] + (x[0] - arm * n[0]), m->pb->at[1] + (x[1] - arm * n[1]) },
        .feature = feature,
    };
}

// -------------------------------------------------------------------------------------------------
// vertices of the solid on the segment

/// Is x past end k of a hollow seam, and yet in the way of the segment?
static bool is_past_hollow(const pair *m, int k, const double x[2]) {
    const piece *p = m->piece;
    if (!p->hollow[k]) return false;
    double away = hypot(x[0] - p->v[k][0], x[1] - p->v[k][1]);
    if (away - m->a->solid->radius > m->margin) return false;
    // what is above the far end, seen from the neighbour, does not run into the segment
    const double up[2] = { -p->along[k][1], p->along[k][0] };
    return apart_along(up, x, p->v[k]) <= apart_along(up, p->v[1 - k], p->v[k]);
}

/// Is x over the segment? On a seam it is over one of the two, on a hollow one it may be over both.
static bool is_over(const pair *m, const double x[2]) {
    const piece *p = m->piece;
    if (apart_along(p->t, x, p->v[0]) < 0) return is_past_hollow(m, 0, x);
    double past = apart_along(p->t, x, p->v[1]);
    if (p->neighbour[1] ? past >= 0 : past > 0) return is_past_hollow(m, 1, x);
    return true;
}

/// Is the way out through a neighbour shorter for a point behind the segment? Or does most of the
/// solid lie behind, so that it comes from another side?
static bool leaves_elsewhere(const pair *m, const double x[2], double apart) {
    const piece *p = m->piece;
    if (apart >= 0) return false;
    for (int k = 0; k < 2; k++) {
        const double n[2] = { -p->along[k][1], p->along[k][0] };
        if (p->ridge[k] && apart_along(n, x, p->v[k]) > apart + m->noise) return true;
    }
    // a point has no inside that could lie in front: it may sink by the segment's length
    if (m->a->solid->vertices == 1 && m->a->solid->radius == 0)
        return -apart > apart_along(p->t, p->v[1], p->v[0]);
    return m->behind > m->ahead + m->noise;
}

/// The height of a vertex above the segment; infinite where it does not touch it.
static double height_of(const pair *m, int vertex, double x[2]) {
    vertex_of(m->a, vertex, x);
    double apart = apart_along(m->piece->n, x, m->piece->v[0]);
    return is_over(m, x) && !leaves_elsewhere(m, x, apart) ? apart : HUGE_VAL;
}

/// The lowest vertex over the segment and the lower one of its neighbours.
static void touch_vertices(pair *m) {
    const scree_flat *a = m->a;
    double x[2], y[2], least = HUGE_VAL;
    int best = 0;
    for (int i = 0; i < a->solid->vertices; i++) {
        double height = height_of(m, i, x);
        if (height < least) {
            least = height;
            best = i;
        }
    }
    if (least == HUGE_VAL) return;
    vertex_of(a, best, x);
    add(m, x, m->piece->n, least, vertex_code(best));
    if (a->solid->vertices == 1) return;
    int ahead = next_of(a, best), behind = before(a, best);
    double up = height_of(m, ahead, x), down = height_of(m, behind, y);
    if (fmin(up, down) < HUGE_VAL)
        add(m, up <= down ? x : y, m->piece->n, fmin(up, down),
            vertex_code(up <= down ? ahead : behind));
}

// -------------------------------------------------------------------------------------------------
// ends of the segment on the solid

typedef struct near_end {
    double at[2], n[2], apart;  // point of a's core, from the end to there
    bool vertex;
    uint32_t code;
} near_end;

/// The vertex of a that is nearest to an end.
static near_end nearest_vertex(const scree_flat *a, const double v[2]) {
    near_end out = { .apart = HUGE_VAL };
    for (int i = 0; i < a->solid->vertices; i++) {
        double x[2];
        vertex_of(a, i, x);
        double distance = hypot(x[0] - v[0], x[1] - v[1]);
        if (distance < out.apart)
            out = (near_end){ { x[0], x[1] }, { 0, 0 }, distance, true, vertex_code(i) };
    }
    if (out.apart > 0)
        for (int k = 0; k < 2; k++) out.n[k] = (out.at[k] - v[k]) / out.apart;
    return out;
}

/// Does the direction from end k lie between the normals there? Same expressions as in is_over.
static bool is_between(const piece *p, int k, const near_end *near) {
    double to[2];
    for (int d = 0; d < 2; d++) to[d] = near->vertex ? near->at[d] - p->v[k][d] : near->n[d];
    double past = dot2(p->t, to);
    if (!p->neighbour[k]) return (k ? past > 0 : past < 0) && dot2(p->n, to) >= 0;
    return past >= 0 && dot2(p->along[k], to) < 0;
}

/// The edge of a that end k is farthest in front of, or least behind; of equals one that can touch.
static near_end nearest_edge(const pair *m, int k, int *edge) {
    const double *v = m->piece->v[k];
    near_end out = { 0 };
    double best = -HUGE_VAL;
    for (int i = 0; i < edges_of(m->a); i++) {
        double n[2], u[2];
        normal_of(m->a, i, n);
        vertex_of(m->a, i, u);
        double apart = apart_along(n, v, u);
        near_end here = { { v[0] - apart * n[0], v[1] - apart * n[1] },
                          { -n[0], -n[1] },
                          apart,
                          false,
                          edge_code(i) };
        if (is_between(m->piece, k, &here)) apart += 2 * m->noise;
        if (apart <= best) continue;
        best = apart;
        out = here;
        *edge = i;
    }
    return out;
}

/// If not over the edge that keeps it farthest away, an end is nearest to a vertex.
static near_end nearest_to(const pair *m, int k) {
    near_end vertex = nearest_vertex(m->a, m->piece->v[k]);
    if (m->a->solid->vertices == 1) return vertex;
    int edge = 0;
    double p[2];
    near_end out = nearest_edge(m, k, &edge);
    if (out.apart < -m->noise || vertex.apart <= m->noise) return out;
    double t = onto_edge(m->a, edge, m->piece->v[k], p);
    return t > 0 && t < 1 ? out : vertex;
}

static void touch_end(pair *m, int k) {
    const piece *p = m->piece;
    // a seam belongs to the segment that ends there
    if (p->hollow[k] || (k == 0 && p->neighbour[0])) return;
    near_end near = nearest_to(m, k);
    if (!is_between(p, k, &near)) return;
    add(m, near.at, near.n, near.apart, near.code | (uint32_t)(1 + k) << 10);
}

// -------------------------------------------------------------------------------------------------

int scree_narrow_phase_planar_piece(const scree_collision_shape *a, const scree_pose *pa,
                                    const scree_collision_shape *b, int piece_number,
                                    const scree_pose *pb, double margin,
                                    scree_manifold_point manifold[SCREE_MANIFOLD_MAX]) {
    scree_flat fa = scree_flat_of(a, pa, pb), fb = scree_flat_of(b, pb, pb);
    piece p;
    set_piece(&fb, piece_number, &p);
    double size =
        magnitude_of(&fa) + fabs(p.v[0][0]) + fabs(p.v[0][1]) + fabs(p.v[1][0]) + fabs(p.v[1][1]);
    pair m = { .a = &fa, .piece = &p, .pb = pb, .margin = margin, .manifold = manifold };
    m.noise = SCREE_PLANAR_NOISE * size;
    int vertex;
    double level = dot2(p.n, p.v[0]);
    m.behind = level - lowest(&fa, p.n, &vertex);
    m.ahead = -lowest(&fa, (double[2]){ -p.n[0], -p.n[1] }, &vertex) - level;
    if (-m.behind - a->radius > margin + m.noise) return 0;
    touch_vertices(&m);
    touch_end(&m, 0);
    touch_end(&m, 1);
    return m.touches;
}
