// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// narrow_hull.c - convex polyhedra, capsules and triangles with each other: the separating axis
// test (SAT), then GJK.
//
// The separation along a direction n is min over a of n . x - max over b of n . x. It is largest at
// the normal of a face or of two edges, or, only if the cores are apart, where two points are
// nearest to each other. So the faces and edges come first; if what they touch shows that their
// best separation is attained, it is the distance, and otherwise GJK finds it.

#include "collide/narrow_space.h"

void scree_pair_frame_make(const scree_collision_shape *a, const scree_pose *pa,
                           const scree_collision_shape *b, const scree_pose *pb, double margin,
                           scree_pair_frame *pair) {
    double d[3];
    pair->a = a;
    pair->b = b;
    pair->frame = pb;
    minus(pa->at, pb->at, d);
    scree_rotate_back(pb->turn, d, pair->at);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            double sum = 0;
            for (int k = 0; k < 3; k++) sum += pb->turn[3 * k + i] * pa->turn[3 * k + j];
            pair->turn[3 * i + j] = sum;
        }
    }
    pair->rounding_a = a->kind == SCREE_COLLISION_CONVEX ? a->radius : 0;
    pair->rounding_b = b->kind == SCREE_COLLISION_CONVEX ? b->radius : 0;
    pair->margin = margin + pair->rounding_a + pair->rounding_b;
    double sum = a->bound + b->bound;
    for (int k = 0; k < 3; k++) sum += fabs(pair->at[k]) + fabs(a->centre[k]) + fabs(b->centre[k]);
    pair->noise = 1e-12 * fmin(a->bound, b->bound) + 8 * DBL_EPSILON * sum;
}

/// Take the axis if it keeps them farther apart; false: out of reach.
static bool offer(const scree_pair_frame *pair, const scree_axis *found, scree_axis_filter usable,
                  const void *self, scree_axis *best) {
    if (found->apart <= best->apart + pair->noise) return true;
    if (usable && !usable(pair, found, self)) return true;
    *best = *found;
    return best->apart <= pair->margin;
}

enum { SIFTED = 128 };  // faces and edges that are sifted; what is beyond is all tried

/// For each face the other solid's vertex that is deepest behind it, the separation along its
/// normal, and, once it is wanted, where that vertex is in the frame of the face.
typedef struct depths {
    int deepest_a[SIFTED], deepest_b[SIFTED];
    double apart_a[SIFTED], apart_b[SIFTED];
    double behind_a[SIFTED][3], behind_b[SIFTED][3];
} depths;

/// The lowest and the highest vertex along a direction, the first of equals.
typedef struct extent {
    double least, most;
    int lowest, highest;
} extent;

static inline extent measure(const scree_collision_shape *solid, const double d[3]) {
    const double *x = solid->vertex;
    double least = scree_dot(d, x), most = least;
    int lowest = 0, highest = 0;
    for (int k = 1; k < solid->vertices; k++) {
        double here = scree_dot(d, x + 3 * (long)k);
        lowest = here < least ? k : lowest;
        least = here < least ? here : least;
        highest = here > most ? k : highest;
        most = here > most ? here : most;
    }
    return (extent){ least, most, lowest, highest };
}

/// The other way round, without rounding.
static void reverse(extent *e) { *e = (extent){ -e->most, -e->least, e->highest, e->lowest }; }

/// Is face i straight opposite to the one before, like those of a box? Then one look at the
/// vertices serves both.
static bool opposite(const scree_collision_shape *solid, int i) {
    const double *n = solid->face_normal + 3 * (long)i;
    return i % 2 == 1 && n[0] == -n[-3] && n[1] == -n[-2] && n[2] == -n[-1];
}

static bool faces_of_b(const scree_pair_frame *pair, scree_axis_filter usable, const void *self,
                       scree_axis *best, depths *deep) {
    const scree_collision_shape *a = pair->a, *b = pair->b;
    extent of_a = { 0 };
    for (int i = 0; i < b->faces; i++) {
        const double *n = b->face_normal + 3 * (long)i;
        double in_a[3];
        if (opposite(b, i)) {
            reverse(&of_a);
        } else {
            scree_rotate_back(pair->turn, n, in_a);
            of_a = measure(a, in_a);
        }
        double level = scree_dot(n, vertex_b(pair, b->face_vertex[b->face_first[i]]));
        double apart = scree_dot(n, pair->at) - level + of_a.least;
        if (i < SIFTED) {
            deep->deepest_b[i] = of_a.lowest;
            deep->apart_b[i] = apart;
        }
        if (apart <= best->apart + pair->noise) continue;
        scree_axis found = {
            .n = { n[0], n[1], n[2] }, .apart = apart, .kind = SCREE_AXIS_FACE_B, .b = i
        };
        if (!offer(pair, &found, usable, self, best)) return false;
    }
    return true;
}

static bool faces_of_a(const scree_pair_frame *pair, scree_axis_filter usable, const void *self,
                       scree_axis *best, depths *deep) {
    const scree_collision_shape *a = pair->a, *b = pair->b;
    double out[3];
    extent of_b = { 0 };
    for (int i = 0; i < a->faces; i++) {
        const double *of_a = a->face_normal + 3 * (long)i;
        normal_a(pair, i, out);
        if (opposite(a, i))
            reverse(&of_b);
        else
            of_b = measure(b, out);
        double level = scree_dot(of_a, a->vertex + 3 * (long)a->face_vertex[a->face_first[i]]);
        double apart = of_b.least - (level + scree_dot(out, pair->at));
        if (i < SIFTED) {
            deep->deepest_a[i] = of_b.lowest;
            deep->apart_a[i] = apart;
        }
        if (apart <= best->apart + pair->noise) continue;
        scree_axis found = {
            .n = { -out[0], -out[1], -out[2] }, .apart = apart, .kind = SCREE_AXIS_FACE_A, .a = i
        };
        if (!offer(pair, &found, usable, self, best)) return false;
    }
    return true;
}

/// Can no direction between the normals of the two faces of an edge keep the solids farther apart
/// than `apart`? So it is if a vertex of the other is that deep behind both.
static inline bool hopeless(const scree_collision_shape *solid, const int *edge,
                            const double behind[SIFTED][3], const double *face_apart,
                            double apart) {
    if (!(apart < 0) || solid->faces == 2) return false;
    const double *end = solid->vertex + 3 * (long)edge[0];
    for (int side = 2; side < 4; side++) {
        // the deepest behind one face, seen from the other
        int face = edge[side], other = edge[5 - side];
        if (face >= SIFTED || face_apart[face] > apart) continue;
        double d[3];
        minus(behind[face], end, d);
        if (scree_dot(d, solid->face_normal + 3 * (long)other) <= apart) return true;
    }
    return false;
}

/// An edge and the directions in which its solid has it as its farthest feature: the arc from one
/// face's normal to the other's. A segment has the whole circle.
typedef struct ridge {
    double from[3], along[3], first[3], second[3], middle[3];
    bool whole;
} ridge;

static int ridges(const scree_collision_shape *solid) {
    return solid->edges ? solid->edges : solid->vertices == 2;
}

/// The same in the solid's own frame.
static void get_ridge(const scree_collision_shape *solid, int i, ridge *out) {
    if (solid->edges == 0) {
        copy3(solid->vertex, out->from);
        minus(solid->vertex + 3, solid->vertex, out->along);
        out->whole = true;
        return;
    }
    const int *edge = solid->edge + 4 * (long)i;
    copy3(solid->vertex + 3 * (long)edge[0], out->from);
    minus(solid->vertex + 3 * (long)edge[1], out->from, out->along);
    copy3(solid->face_normal + 3 * (long)edge[2], out->first);
    copy3(solid->face_normal + 3 * (long)edge[3], out->second);
    out->whole = false;
    if (solid->faces > 2) {
        along(out->first, 1, out->second, out->middle);
    } else {
        // front and back of a triangle: half way is straight out of its side
        const double *opposite = solid->vertex + 3 * (long)(3 - edge[0] - edge[1]);
        double inward[3];
        minus(opposite, out->from, inward);
        along(inward, -scree_dot(inward, out->along) / scree_dot(out->along, out->along),
              out->along, inward);
        for (int k = 0; k < 3; k++) out->middle[k] = -inward[k];
    }
}

static void turn_ridge(const scree_pair_frame *pair, ridge *r) {
    scree_rotate(pair->turn, r->from, r->from);
    for (int k = 0; k < 3; k++) r->from[k] += pair->at[k];
    scree_rotate(pair->turn, r->along, r->along);
    if (r->whole) return;
    scree_rotate(pair->turn, r->first, r->first);
    scree_rotate(pair->turn, r->second, r->second);
    scree_rotate(pair->turn, r->middle, r->middle);
}

/// The direction in which both edges are the farthest of their solids, unit; false: there is none.
static bool common_direction(const ridge *a, const ridge *b, double n[3]) {
    if (!b->whole && scree_dot(b->first, a->along) * scree_dot(b->second, a->along) >= 0)
        return false;
    if (!a->whole && scree_dot(a->first, b->along) * scree_dot(a->second, b->along) >= 0)
        return false;
    scree_cross(a->along, b->along, n);
    double square = scree_dot(n, n);
    if (!(square > 1e-20 * scree_dot(a->along, a->along) * scree_dot(b->along, b->along)))
        return false;
    double towards = b->whole ? -scree_dot(a->middle, n) : scree_dot(b->middle, n);
    if (!a->whole && !b->whole && scree_dot(a->middle, n) * towards >= 0) return false;
    double scale = (towards < 0 ? -1 : 1) / sqrt(square);
    for (int k = 0; k < 3; k++) n[k] *= scale;
    return true;
}

/// Edge i of a with some edges of b.
static bool edge_with_edges(const scree_pair_frame *pair, int i, const ridge *b, const int *number,
                            int count, scree_axis_filter usable, const void *self,
                            scree_axis *best) {
    ridge a;
    get_ridge(pair->a, i, &a);
    turn_ridge(pair, &a);
    for (int j = 0; j < count; j++) {
        scree_axis found;
        double d[3];
        if (!common_direction(&a, &b[j], found.n)) continue;
        minus(a.from, b[j].from, d);
        if (scree_dot(found.n, d) <= best->apart + pair->noise) continue;
        // edges that are nearly parallel may have been judged wrongly: measure
        found.apart = scree_gjk_separation(pair, found.n);
        found.kind = SCREE_AXIS_EDGES;
        found.a = i;
        found.b = number[j];
        if (!offer(pair, &found, usable, self, best)) return false;
    }
    return true;
}

static void place_deepest(const scree_pair_frame *pair, depths *deep) {
    for (int i = 0; i < pair->b->faces && i < SIFTED; i++)
        vertex_a(pair, deep->deepest_b[i], deep->behind_b[i]);
    for (int i = 0; i < pair->a->faces && i < SIFTED; i++) {
        double d[3];
        minus(vertex_b(pair, deep->deepest_a[i]), pair->at, d);
        scree_rotate_back(pair->turn, d, deep->behind_a[i]);
    }
}

static bool edges_of_both(const scree_pair_frame *pair, scree_axis_filter usable, const void *self,
                          scree_axis *best, depths *deep) {
    const scree_collision_shape *a = pair->a, *b = pair->b;
    if (best->apart < 0) place_deepest(pair, deep);
    int count_a = ridges(a), count_b = ridges(b);
    for (int first = 0; first < count_b; first += SIFTED) {
        ridge some[SIFTED];
        int number[SIFTED], count = 0;
        for (int j = first; j < count_b && j < first + SIFTED; j++) {
            if (b->edges &&
                hopeless(b, b->edge + 4 * (long)j, deep->behind_b, deep->apart_b, best->apart))
                continue;
            number[count] = j;
            get_ridge(b, j, &some[count++]);
        }
        for (int i = 0; i < count_a; i++) {
            if (a->edges &&
                hopeless(a, a->edge + 4 * (long)i, deep->behind_a, deep->apart_a, best->apart))
                continue;
            if (!edge_with_edges(pair, i, some, number, count, usable, self, best)) return false;
        }
    }
    return true;
}

bool scree_hull_separating_axis(const scree_pair_frame *pair, scree_axis_filter usable,
                                const void *self, scree_axis *axis) {
    depths deep;
    axis->apart = -HUGE_VAL;
    return faces_of_b(pair, usable, self, axis, &deep) &&
           faces_of_a(pair, usable, self, axis, &deep) &&
           edges_of_both(pair, usable, self, axis, &deep);
}

/// When the features of the axis show nothing: the farthest vertex along it.
static void single_spot(const scree_pair_frame *pair, const scree_axis *axis,
                        scree_witness *witness) {
    double back[3] = { -axis->n[0], -axis->n[1], -axis->n[2] }, in_a[3];
    uint64_t of_a = face_code(axis->a), of_b = face_code(axis->b);
    if (axis->kind == SCREE_AXIS_FACE_A) {
        int i = support_vertex(pair->b, axis->n);
        copy3(vertex_b(pair, i), witness->b);
        along(witness->b, axis->apart, axis->n, witness->a);
        of_b = vertex_code(i);
    } else {
        scree_rotate_back(pair->turn, back, in_a);
        int i = support_vertex(pair->a, in_a);
        vertex_a(pair, i, witness->a);
        along(witness->a, -axis->apart, axis->n, witness->b);
        of_a = vertex_code(i);
    }
    witness->apart = axis->apart;
    witness->feature = scree_manifold_feature(of_a, of_b);
}

static void edge_corners(const scree_collision_shape *solid, int i, double s, int corner[4]) {
    static const int segment[2] = { 0, 1 };
    const int *edge = solid->edges ? solid->edge + 4 * (long)i : segment;
    corner[0] = edge[s >= 1];
    corner[1] = edge[s > 0];
}

/// Nearest points of two cores that no face comes between: of all edges with all edges.
static void nearest_of_edges(const scree_pair_frame *pair, scree_closest_points *near) {
    int count_a = ridges(pair->a), count_b = ridges(pair->b);
    near->distance = HUGE_VAL;
    near->corners = 2;
    for (int i = 0; i < count_a; i++) {
        ridge a, b;
        get_ridge(pair->a, i, &a);
        turn_ridge(pair, &a);
        for (int j = 0; j < count_b; j++) {
            double x[3], y[3], d[3], s, t;
            get_ridge(pair->b, j, &b);
            scree_round_segments(a.from, a.along, b.from, b.along, &s, &t);
            along(a.from, s, a.along, x);
            along(b.from, t, b.along, y);
            minus(x, y, d);
            double distance = scree_length(d);
            if (!(distance < near->distance)) continue;
            near->distance = distance;
            copy3(x, near->a);
            copy3(y, near->b);
            for (int k = 0; k < 3; k++) near->n[k] = d[k] / distance;
            edge_corners(pair->a, i, s, near->corner_a);
            edge_corners(pair->b, j, t, near->corner_b);
        }
    }
}

/// By how much a distance is more than what its own direction proves.
static double doubt(const scree_pair_frame *pair, const scree_closest_points *near) {
    return near->distance - scree_gjk_separation(pair, near->n);
}

/// The edge whose ends are all there is in a list of vertices; -1: none, -2: it is one vertex.
static int spanned_edge(const scree_collision_shape *solid, const int *corner, int count) {
    int low = corner[0], high = corner[0];
    for (int i = 1; i < count; i++) {
        low = corner[i] < low ? corner[i] : low;
        high = corner[i] > high ? corner[i] : high;
    }
    if (low == high) return -2;
    for (int i = 0; i < count; i++) {
        if (corner[i] != low && corner[i] != high) return -1;
    }
    if (solid->edges == 0) return 0;
    for (int i = 0; i < solid->edges; i++) {
        const int *edge = solid->edge + 4 * (long)i;
        if (edge[0] == low && edge[1] == high) return i;
    }
    return -1;
}

/// Nearest points of the lines of two edges from points that are near them: the step that takes
/// what is between them across both.
static bool refine(const ridge *a, const ridge *b, double x[3], double y[3]) {
    double d[3], f[3], c[3];
    minus(y, x, d);
    scree_cross(a->along, b->along, c);
    double square = scree_dot(c, c);
    if (!(square > 1e-20 * scree_dot(a->along, a->along) * scree_dot(b->along, b->along)))
        return false;
    scree_cross(d, b->along, f);
    along(x, scree_dot(f, c) / square, a->along, x);
    scree_cross(d, a->along, f);
    along(y, scree_dot(f, c) / square, b->along, y);
    return true;
}

/// By how much the nearest points are not above each other.
static double askew(const scree_closest_points *near) {
    double d[3];
    minus(near->a, near->b, d);
    along(d, -near->distance, near->n, d);
    return scree_length(d);
}

/// Points of two edges that a sliver of a simplex left askew: from the edges themselves.
static void straighten(const scree_pair_frame *pair, scree_closest_points *near) {
    if (askew(near) <= 4 * pair->noise) return;
    int edge_a = spanned_edge(pair->a, near->corner_a, near->corners);
    int edge_b = spanned_edge(pair->b, near->corner_b, near->corners);
    if (edge_a < 0 || edge_b < 0) return;
    scree_closest_points other = *near;
    ridge a, b;
    double d[3];
    get_ridge(pair->a, edge_a, &a);
    turn_ridge(pair, &a);
    get_ridge(pair->b, edge_b, &b);
    for (int k = 0; k < 2; k++)
        if (!refine(&a, &b, other.a, other.b)) return;
    minus(other.a, other.b, d);
    other.distance = scree_length(d);
    for (int k = 0; k < 3; k++) other.n[k] = d[k] / other.distance;
    if (doubt(pair, &other) <= doubt(pair, near) + pair->noise) *near = other;
}

/// GJK, and the long way where slivers have misled it; false: not apart.
static bool nearest_points(const scree_pair_frame *pair, const scree_axis *axis,
                           scree_closest_points *near) {
    scree_closest_points other;
    if (!(axis->apart > 0)) return false;
    bool found = scree_gjk_find(pair, NULL, axis->n, near);
    if (found) straighten(pair, near);
    if (found && doubt(pair, near) <= 4 * pair->noise) return true;
    nearest_of_edges(pair, &other);
    if (!(other.distance > 0)) return found;
    if (!found || doubt(pair, &other) < doubt(pair, near)) *near = other;
    return true;
}

/// Do the features of the axis touch at its separation? Then it is the distance.
static bool attained(const scree_pair_frame *pair, const scree_axis *axis,
                     const scree_witness *witness, int count) {
    double least = HUGE_VAL;
    for (int i = 0; i < count; i++) least = fmin(least, witness[i].apart);
    return least <= axis->apart + 10 * pair->noise;
}

static int free_spots(const scree_pair_frame *pair, const scree_closest_points *near,
                      scree_axis *axis, scree_witness witness[4]) {
    axis->kind = SCREE_AXIS_FREE;
    axis->apart = near->distance;
    copy3(near->n, axis->n);
    return scree_manifold_near(pair, near, witness);
}

int scree_hull_manifold(const scree_pair_frame *pair, scree_axis *axis, scree_witness witness[4]) {
    int count = scree_manifold_find(pair, axis, witness);
    if (attained(pair, axis, witness, count)) return count;
    scree_closest_points near;
    if (nearest_points(pair, axis, &near)) return free_spots(pair, &near, axis, witness);
    if (count == 0) single_spot(pair, axis, witness);
    return count ? count : 1;
}

/// Witnesses of cores that a face shows to be apart: of that face, or of what GJK finds; 0 when
/// both leave it open.
static int apart_spots(const scree_pair_frame *pair, scree_axis *axis, scree_witness witness[4]) {
    int count = scree_manifold_find(pair, axis, witness);
    if (attained(pair, axis, witness, count)) return count;
    scree_closest_points near;
    if (!scree_gjk_find(pair, NULL, axis->n, &near)) return 0;
    straighten(pair, &near);
    if (doubt(pair, &near) > 4 * pair->noise) return 0;
    int edge_a = spanned_edge(pair->a, near.corner_a, near.corners);
    int edge_b = spanned_edge(pair->b, near.corner_b, near.corners);
    if (edge_a == -1 || edge_b == -1) return 0;
    if (edge_a == -2 || edge_b == -2) return free_spots(pair, &near, axis, witness);
    // two edges: their common normal is exact even where they nearly touch
    scree_axis edges = { .kind = SCREE_AXIS_EDGES, .a = edge_a, .b = edge_b };
    ridge a, b;
    get_ridge(pair->a, edge_a, &a);
    turn_ridge(pair, &a);
    get_ridge(pair->b, edge_b, &b);
    if (!common_direction(&a, &b, edges.n)) return 0;
    edges.apart = scree_gjk_separation(pair, edges.n);
    if (edges.apart < near.distance - 4 * pair->noise) return 0;
    *axis = edges;
    count = scree_manifold_find(pair, axis, witness);
    return attained(pair, axis, witness, count) ? count : 0;
}

int scree_hull_collide(const scree_pair_frame *pair,
                       scree_manifold_point manifold[SCREE_MANIFOLD_MAX]) {
    scree_axis axis = { .apart = -HUGE_VAL };
    scree_witness witness[4];
    depths deep;
    if (!faces_of_b(pair, NULL, NULL, &axis, &deep)) return 0;
    if (!faces_of_a(pair, NULL, NULL, &axis, &deep)) return 0;
    scree_axis face = axis;
    int count = axis.apart > 0 ? apart_spots(pair, &face, witness) : 0;
    if (count) return scree_manifold_write(pair, face.n, witness, count, manifold);
    if (!edges_of_both(pair, NULL, NULL, &axis, &deep)) return 0;
    count = scree_hull_manifold(pair, &axis, witness);
    return scree_manifold_write(pair, axis.n, witness, count, manifold);
}
