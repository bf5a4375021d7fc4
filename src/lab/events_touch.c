// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// events_touch.c - gaps in the plane as smooth functions, feature by feature.
// in: a corner, a solid, where their bodies are and how they move.   out: gap, normal, point, and
// how these turn and move.
//
// Against an edge of b the normal turns with b; against a corner it turns with the line from one
// corner to the other:
//
//     gap = n.(p - c) - r,  n' = spin_b J n        gap = |p - c| - r - r_b,  n' = J n (J n.(p' -
//     c'))/|p - c|
//
// A sharp corner that is nowhere near an edge has the largest distance to a line of the polygon:
// its sign is right, and it is 0 only on the polygon.

#include "lab/events_touch.h"

#include <math.h>
#include <string.h>

static double dot2(const double x[2], const double y[2]) { return x[0] * y[0] + x[1] * y[1]; }

static void turn_by(const scree_moving_frame *f, const double x[2], double y[2]) {
    y[0] = f->c * x[0] - f->s * x[1];
    y[1] = f->s * x[0] + f->c * x[1];
}

static void turn_back(const scree_moving_frame *f, const double x[2], double y[2]) {
    y[0] = f->c * x[0] + f->s * x[1];
    y[1] = f->c * x[1] - f->s * x[0];
}

// velocity of a point of the body that is at x in world axes
static void velocity_of(const scree_moving_frame *f, const double x[2], double v[2]) {
    v[0] = f->v[0] - f->spin * (x[1] - f->at[1]);
    v[1] = f->v[1] + f->spin * (x[0] - f->at[0]);
}

static bool is_half_plane(const scree_collision_shape *solid) {
    return solid->kind == SCREE_COLLISION_HALF_SPACE;
}

static int edges_of(const scree_collision_shape *solid) {
    return is_half_plane(solid) ? 1 : solid->vertices > 1 ? solid->vertices : 0;
}

// edge i in the frame of the body: where it begins, outward normal, direction, length
typedef struct edge {
    const double *from;
    double normal[2], along[2], length;
} edge;

static edge edge_of(const scree_collision_shape *solid, int i) {
    if (is_half_plane(solid))
        return (edge){ solid->vertex,
                       { solid->normal[0], solid->normal[1] },
                       { -solid->normal[1], solid->normal[0] },
                       HUGE_VAL };
    const double *x = solid->vertex + 3L * i;
    const double *y = solid->vertex + 3L * (i + 1 < solid->vertices ? i + 1 : 0);
    double dx = y[0] - x[0], dy = y[1] - x[1], length = hypot(dx, dy);
    return (edge){ x, { dy / length, -dx / length }, { dx / length, dy / length }, length };
}

static double above(const edge *e, const double x[2]) {
    return e->normal[0] * (x[0] - e->from[0]) + e->normal[1] * (x[1] - e->from[1]);
}

static double along(const edge *e, const double x[2]) {
    return e->along[0] * (x[0] - e->from[0]) + e->along[1] * (x[1] - e->from[1]);
}

// the corner in world axes and seen from b
static void place_corner(const scree_touch_pair *pair, const scree_moving_frame *a,
                         const scree_moving_frame *b, double p[2], double x[2]) {
    turn_by(a, pair->place, p);
    double to[2] = { a->at[0] - b->at[0] + p[0], a->at[1] - b->at[1] + p[1] };
    turn_back(b, to, x);
    p[0] += a->at[0];
    p[1] += a->at[1];
}

static int highest_edge(const scree_collision_shape *solid, const double x[2]) {
    int best = 0;
    double most = -HUGE_VAL;
    for (int i = 0; i < edges_of(solid); i++) {
        edge e = edge_of(solid, i);
        double here = above(&e, x);
        if (here > most) {
            most = here;
            best = i;
        }
    }
    return best;
}

static int nearest_corner(const scree_collision_shape *solid, const double x[2]) {
    int best = 0;
    double least = HUGE_VAL;
    for (int i = 0; i < solid->vertices; i++) {
        const double *c = solid->vertex + 3L * i;
        double here = hypot(x[0] - c[0], x[1] - c[1]);
        if (here < least) {
            least = here;
            best = i;
        }
    }
    return best;
}

// of a round corner at x, seen from b: the edge in front of which it is, else a corner
static int nearest_feature(const scree_collision_shape *solid, const double x[2]) {
    int edges = edges_of(solid), top;
    for (int i = 0; i < edges; i++) {
        edge e = edge_of(solid, i);
        double s = along(&e, x);
        if (above(&e, x) > 0 && s >= 0 && s <= e.length) return i;
    }
    top = edges ? highest_edge(solid, x) : 0;
    if (edges) {
        edge e = edge_of(solid, top);
        if (above(&e, x) <= 0) return top;
    }
    return edges + nearest_corner(solid, x);
}

static int feature_at(const scree_touch_pair *pair, const double x[2]) {
    if (is_half_plane(pair->solid)) return 0;
    if (pair->solid->vertices == 1 || pair->radius > 0) return nearest_feature(pair->solid, x);
    return highest_edge(pair->solid, x);
}

// how far x is from the ends of an edge, or beyond those of the edges that meet in a corner
static double range_of(const scree_collision_shape *solid, int feature, const double x[2]) {
    int edges = edges_of(solid), corner = feature - edges;
    if (is_half_plane(solid) || !edges) return HUGE_VAL;
    if (corner < 0) {
        edge e = edge_of(solid, feature);
        double s = along(&e, x);
        return fmin(s, e.length - s);
    }
    edge next = edge_of(solid, corner), before = edge_of(solid, (corner ? corner : edges) - 1);
    return fmin(-along(&next, x), along(&before, x) - before.length);
}

static void meet_edge(const scree_touch_pair *pair, const scree_moving_frame *b, int feature,
                      const double x[2], scree_touch *touch) {
    edge e = edge_of(pair->solid, feature);
    touch->gap = above(&e, x) - pair->radius;
    turn_by(b, e.normal, touch->normal);
    touch->turn = b->spin;
}

static void meet_corner(const scree_touch_pair *pair, const scree_moving_frame *b, int corner,
                        const double x[2], const double v[2], scree_touch *touch) {
    const double *c = pair->solid->vertex + 3L * corner;
    double way[2] = { x[0] - c[0], x[1] - c[1] }, distance = hypot(way[0], way[1]), place[2], w[2];
    double n[2] = { distance > 0 ? way[0] / distance : 1, distance > 0 ? way[1] / distance : 0 };
    touch->gap = distance - pair->radius - pair->solid->radius;
    turn_by(b, n, touch->normal);
    turn_by(b, c, place);
    for (int k = 0; k < 2; k++) place[k] += b->at[k];
    velocity_of(b, place, w);
    touch->turn =
        distance > 0
            ? (touch->normal[0] * (v[1] - w[1]) - touch->normal[1] * (v[0] - w[0])) / distance
            : 0;
}

void scree_touch_find(const scree_touch_pair *pair, const scree_moving_frame *a,
                      const scree_moving_frame *b, int feature, scree_touch *touch) {
    double p[2], x[2], v[2];
    int edges = edges_of(pair->solid);
    place_corner(pair, a, b, p, x);
    velocity_of(a, p, v);
    touch->feature = feature < 0 ? feature_at(pair, x) : feature;
    if (touch->feature < edges)
        meet_edge(pair, b, touch->feature, x, touch);
    else
        meet_corner(pair, b, touch->feature - edges, x, v, touch);
    touch->range = range_of(pair->solid, touch->feature, x);
    const double *n = touch->normal;
    double r = pair->radius;
    for (int k = 0; k < 2; k++) touch->point[k] = p[k] - r * n[k];
    touch->point_v[0] = v[0] + r * touch->turn * n[1];
    touch->point_v[1] = v[1] - r * touch->turn * n[0];
}

// -------------------------------------------------------------------------------------------------
// where two features meet

// velocity of the corner as b sees it
static void seen_velocity(const scree_touch_pair *pair, const scree_moving_frame *a,
                          const scree_moving_frame *b, double v[2]) {
    double p[2], x[2], own[2], other[2];
    place_corner(pair, a, b, p, x);
    velocity_of(a, p, own);
    velocity_of(b, p, other);
    double way[2] = { own[0] - other[0], own[1] - other[1] };
    turn_back(b, way, v);
}

// does body a lie in front of the edge, at its corner?
static bool stands_on(const scree_touch_pair *pair, const scree_moving_frame *a,
                      const scree_moving_frame *b, const edge *e) {
    static const double slack = 1e-9;
    double n[2], m[2];
    turn_by(b, e->normal, n);
    turn_back(a, n, m);
    return dot2(m, pair->ahead) >= -slack && dot2(m, pair->behind) >= -slack;
}

// Edges of a polygon that a sharp corner is equally far from: it is at one of their ends. The one
// that it leaves, if there is one; else of those that a stands on the one it approaches least.
static int choose_edge(const scree_touch_pair *pair, const scree_moving_frame *a,
                       const scree_moving_frame *b, const double x[2], double slack) {
    int top = highest_edge(pair->solid, x), fastest = top, best = -1;
    edge highest = edge_of(pair->solid, top);
    double v[2], level = above(&highest, x) - slack, most = -HUGE_VAL, most_standing = -HUGE_VAL;
    seen_velocity(pair, a, b, v);
    double still = 1e-9 * hypot(v[0], v[1]);
    for (int i = 0; i < edges_of(pair->solid); i++) {
        edge e = edge_of(pair->solid, i);
        if (above(&e, x) < level) continue;
        double rate = dot2(e.normal, v);
        if (rate > most) {
            most = rate;
            fastest = i;
        }
        if (rate > most_standing && stands_on(pair, a, b, &e)) {
            most_standing = rate;
            best = i;
        }
    }
    return best < 0 || most > fmax(still, most_standing) ? fastest : best;
}

// A round corner at the end of an edge goes on to where it moves.
static int choose_nearest(const scree_touch_pair *pair, const scree_moving_frame *a,
                          const scree_moving_frame *b, const double x[2], double slack) {
    double v[2];
    seen_velocity(pair, a, b, v);
    double speed = hypot(v[0], v[1]);
    if (!(speed > 0)) return feature_at(pair, x);
    double later[2] = { x[0] + 2 * slack * v[0] / speed, x[1] + 2 * slack * v[1] / speed };
    return feature_at(pair, later);
}

int scree_touch_choose(const scree_touch_pair *pair, const scree_moving_frame *a,
                       const scree_moving_frame *b, double slack) {
    double p[2], x[2];
    if (is_half_plane(pair->solid)) return 0;
    place_corner(pair, a, b, p, x);
    if (pair->solid->vertices == 1) return feature_at(pair, x);
    return pair->radius > 0 ? choose_nearest(pair, a, b, x, slack)
                            : choose_edge(pair, a, b, x, slack);
}

double scree_touch_length(const scree_touch_pair *pair, const scree_moving_frame *a,
                          const scree_moving_frame *b) {
    double size = fabs(pair->place[0]) + fabs(pair->place[1]) + pair->radius;
    for (int k = 0; k < 2; k++) size += fabs(a->at[k]) + fabs(b->at[k]);
    return size + fabs(pair->solid->vertex[0]) + fabs(pair->solid->vertex[1]) + pair->solid->radius;
}
