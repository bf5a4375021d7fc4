// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// narrow_piece.c - solids on one triangle of a mesh.
//
// A triangle is a polyhedron with a front and a back that touches like any other, but only in
// directions in which the mesh around the touching feature lies behind: else a neighbour is nearer,
// and a solid that slides over a seam would catch on a side that is not there. Where the shortest
// way is not of that kind the triangle still carries what lies over it, along its own normal. A
// touch of a side or corner belongs to the first of the pieces that share it.

#include "collide/narrow_space.h"

/// The triangle as a polyhedron without volume.
typedef struct triangle {
    scree_collision_shape solid;
    double vertex[9], normal[6];
    const scree_collision_shape *mesh;
    int piece;
    const scree_pair_frame *overlap;  // once an overlap is being shared out, else NULL
} triangle;

static const int face_first[3] = { 0, 3, 6 };
static const int face_vertex[6] = { 0, 1, 2, 0, 2, 1 };
static const int edges[12] = { 0, 1, 0, 1, 1, 2, 0, 1, 0, 2, 0, 1 };

enum { FAN_MAX = 1024 };

static void set_triangle(const scree_collision_shape *mesh, int piece, triangle *t) {
    const scree_surface *surface = &mesh->surface;
    const double *m = surface->normal + 3 * (long)piece;
    t->mesh = mesh;
    t->piece = piece;
    t->solid = (scree_collision_shape){ .kind = SCREE_COLLISION_CONVEX,
                                        .space = 3,
                                        .vertices = 3,
                                        .faces = 2,
                                        .face_first = face_first,
                                        .face_vertex = face_vertex,
                                        .edges = 3,
                                        .edge = edges };
    for (int i = 0; i < 3; i++) {
        copy3(mesh->vertex + 3 * (long)surface->piece[3 * (long)piece + i], t->vertex + 3 * i);
        along(t->solid.centre, 1.0 / 3, t->vertex + 3 * i, t->solid.centre);
        t->normal[i] = m[i];
        t->normal[3 + i] = -m[i];
    }
    for (int i = 0; i < 3; i++) {
        double d[3];
        minus(t->vertex + 3 * i, t->solid.centre, d);
        t->solid.bound = fmax(t->solid.bound, scree_length(d));
    }
    t->solid.vertex = t->vertex;
    t->solid.face_normal = t->normal;
}

/// Where a vertex of the mesh is in the direction n from x: 1 in front, 0 level, -1 behind.
static int level(const double n[3], const double x[3], const double *vertex) {
    double d[3];
    minus(vertex, x, d);
    double up = scree_dot(n, d), little = 1e-9 * scree_length(d);
    return up > little ? 1 : up < -little ? -1 : 0;
}

/// The place of a vertex in a piece.
static int place_in(const scree_surface *surface, int piece, int vertex) {
    const int *list = surface->piece + 3 * (long)piece;
    return list[0] == vertex ? 0 : list[1] == vertex ? 1 : 2;
}

/// Whose is a touch along n? One whose normal does not go with n has no part in it.
typedef enum claim { BLOCKED, OF_ANOTHER, OURS } claim;

static bool faces(const scree_surface *surface, int piece, const double n[3]) {
    return scree_dot(surface->normal + 3 * (long)piece, n) > 0;
}

/// Does another piece overlap the solid as well?
static bool overlaps(const scree_pair_frame *pair, const scree_collision_shape *mesh, int piece) {
    triangle t = { .piece = -1 };
    scree_pair_frame other = *pair;
    scree_closest_points near;
    set_triangle(mesh, piece, &t);
    other.b = &t.solid;
    return !scree_gjk_find(&other, NULL, t.normal, &near);
}

/// What a neighbour makes of the claim: n goes through it, along it, or it has the lower number.
static claim limit(const triangle *t, int neighbour, int vertex, const double x[3],
                   const double n[3], claim so_far) {
    const scree_surface *surface = &t->mesh->surface;
    int where = level(n, x, t->mesh->vertex + 3 * (long)vertex);
    if (where > 0) return BLOCKED;
    bool first = neighbour < t->piece && faces(surface, neighbour, n);
    if (where < 0 && !first) return so_far;
    return t->overlap && !overlaps(t->overlap, t->mesh, neighbour) ? so_far : OF_ANOTHER;
}

static claim claim_side(const triangle *t, int k, const double n[3]) {
    const scree_surface *surface = &t->mesh->surface;
    int next = surface->neighbour[3 * (long)t->piece + k];
    if (next < 0) return OURS;
    const int *ours = surface->piece + 3 * (long)t->piece;
    const int *theirs = surface->piece + 3 * (long)next;
    for (int i = 0; i < 3; i++) {
        if (theirs[i] != ours[k] && theirs[i] != ours[(k + 1) % 3])
            return limit(t, next, theirs[i], t->vertex + 3 * k, n, OURS);
    }
    return OURS;
}

/// From one piece to the next around a vertex, over the side that is not `back`: the piece, or -1.
static int next_around_vertex(const scree_surface *surface, int vertex, int piece, int *back) {
    int at = place_in(surface, piece, vertex);
    int side = *back == at ? (at + 2) % 3 : at;
    int next = surface->neighbour[3 * (long)piece + side];
    if (next < 0) return -1;
    // the side of the next piece that leads back has both ends in common
    const int *ours = surface->piece + 3 * (long)piece;
    int other = ours[side] == vertex ? ours[(side + 1) % 3] : ours[side];
    int here = place_in(surface, next, vertex);
    const int *theirs = surface->piece + 3 * (long)next;
    *back = theirs[(here + 1) % 3] == other ? here : (here + 2) % 3;
    return next;
}

static claim claim_corner(const triangle *t, int k, const double n[3]) {
    const scree_surface *surface = &t->mesh->surface;
    int vertex = surface->piece[3 * (long)t->piece + k];
    claim result = OURS;
    for (int way = 0; way < 2; way++) {
        int piece = t->piece, back = way ? k : (k + 2) % 3;
        for (int step = 0; step < FAN_MAX; step++) {
            piece = next_around_vertex(surface, vertex, piece, &back);
            if (piece == t->piece) return result;
            if (piece < 0) break;
            for (int i = 0; i < 3; i++) {
                int w = surface->piece[3 * (long)piece + i];
                if (w != vertex) result = limit(t, piece, w, t->vertex + 3 * k, n, result);
                if (result == BLOCKED) return BLOCKED;
            }
        }
    }
    return result;
}

/// What the mesh around the farthest feature along n makes of it.
static claim claim_feature(const triangle *t, const double n[3]) {
    int top = support_vertex(&t->solid, n), next = (top + 1) % 3, last = (top + 2) % 3;
    const double *x = t->vertex + 3 * top;
    bool with_next = level(n, x, t->vertex + 3 * next) >= 0;
    bool with_last = level(n, x, t->vertex + 3 * last) >= 0;
    if (with_next && with_last) return OURS;
    if (with_next) return claim_side(t, top, n);
    if (with_last) return claim_side(t, last, n);
    return claim_corner(t, top, n);
}

/// May the triangle push along n, and is it the one to do it?
static claim claim_along(const triangle *t, const double n[3]) {
    return scree_dot(n, t->normal) > 0 ? claim_feature(t, n) : BLOCKED;
}

static bool usable(const scree_pair_frame *pair, const scree_axis *axis, const void *self) {
    (void)pair;
    return (axis->kind == SCREE_AXIS_FACE_B && axis->b == 0) ||
           claim_along(self, axis->n) != BLOCKED;
}

/// The point of the triangle that is nearest to x; returns the side (0 to 2) or corner (3 to 5) it
/// is on, or -1 for the inside.
static int nearest_on(const triangle *t, const double x[3], double to[3]) {
    double least = HUGE_VAL, e[3], d[3], c[3];
    int found = -1;
    bool inside = true;
    for (int k = 0; k < 3; k++) {
        minus(t->vertex + 3 * ((k + 1) % 3), t->vertex + 3 * k, e);
        minus(x, t->vertex + 3 * k, d);
        scree_cross(e, d, c);
        inside = inside && scree_dot(c, t->normal) >= 0;
        double s = scree_dot(d, e) / scree_dot(e, e);
        s = s < 0 ? 0 : s > 1 ? 1 : s;
        along(d, -s, e, d);
        if (scree_dot(d, d) >= least) continue;
        least = scree_dot(d, d);
        found = s <= 0 ? 3 + k : s >= 1 ? 3 + (k + 1) % 3 : k;
        copy3(d, to);
    }
    return inside ? -1 : found;
}

static int ball_touch(const scree_pair_frame *pair, const triangle *t,
                      scree_manifold_point manifold[SCREE_MANIFOLD_MAX]) {
    scree_witness witness;
    double d[3], n[3];
    vertex_a(pair, 0, witness.a);
    minus(witness.a, t->vertex, d);
    witness.apart = scree_dot(d, t->normal);
    copy3(t->normal, n);
    int where = nearest_on(t, witness.a, d);
    if (where >= 0) {
        witness.apart = scree_length(d);
        for (int k = 0; k < 3; k++) n[k] = d[k] / witness.apart;
        if (!(scree_dot(n, t->normal) > 0)) return 0;
        if ((where < 3 ? claim_side(t, where, n) : claim_corner(t, where - 3, n)) != OURS) return 0;
    } else if (witness.apart + (pair->rounding_a > 0 ? pair->rounding_a : t->solid.bound) <= 0) {
        return 0;  // a point has no inside that could lie in front: it may sink by the triangle's
                   // size
    }
    along(witness.a, -witness.apart, n, witness.b);
    witness.feature = scree_manifold_feature(0, where < 0 ? face_code(0) : vertex_code(where));
    return scree_manifold_write(pair, n, &witness, 1, manifold);
}

/// The front, as an axis.
static scree_axis front_of(const scree_pair_frame *pair, const triangle *t) {
    scree_axis axis = { .kind = SCREE_AXIS_FACE_B, .b = 0 };
    copy3(t->normal, axis.n);
    axis.apart = scree_gjk_separation(pair, axis.n);
    return axis;
}

static bool is_front(const scree_axis *axis) {
    return axis->kind == SCREE_AXIS_FACE_B && axis->b == 0;
}

/// Does a piece around the triangle give a shorter way out? Then the overlap is its own affair.
static bool yields(const scree_pair_frame *pair, const triangle *t, double apart) {
    const scree_surface *surface = &t->mesh->surface;
    for (int k = 0; k < 3; k++) {
        int vertex = surface->piece[3 * (long)t->piece + k];
        for (int way = 0; way < 2; way++) {
            int piece = t->piece, back = way ? k : (k + 2) % 3;
            for (int step = 0; step < FAN_MAX; step++) {
                piece = next_around_vertex(surface, vertex, piece, &back);
                if (piece < 0 || piece == t->piece) break;
                const double *n = surface->normal + 3 * (long)piece;
                if (scree_gjk_separation(pair, n) > apart + pair->noise &&
                    claim_feature(t, n) != BLOCKED && overlaps(pair, t->mesh, piece))
                    return true;
            }
            if (piece == t->piece) break;
        }
    }
    return false;
}

/// What lies over the triangle, whatever is nearer elsewhere.
static int front_touch(const scree_pair_frame *pair, const triangle *t, bool overlap,
                       scree_manifold_point manifold[SCREE_MANIFOLD_MAX]) {
    scree_witness witness[4];
    int count, kept = 0;
    scree_axis axis = front_of(pair, t);
    if (pair->a->kind == SCREE_COLLISION_CYLINDER)
        count = scree_cylinder_flat(pair, t->normal, witness);
    else
        count = scree_manifold_find(pair, &axis, witness);
    for (int i = 0; i < count; i++) {
        // behind the triangle without touching it is past one of its sides
        if (overlap || witness[i].apart >= -pair->noise) witness[kept++] = witness[i];
    }
    return scree_manifold_write(pair, t->normal, witness, kept, manifold);
}

static int core_touch(const scree_pair_frame *pair, triangle *t,
                      scree_manifold_point manifold[SCREE_MANIFOLD_MAX]) {
    scree_axis axis;
    scree_witness witness[4];
    if (!scree_hull_separating_axis(pair, NULL, NULL, &axis)) return 0;
    bool overlap = axis.apart <= 0;
    if (overlap) {
        scree_hull_separating_axis(pair, usable, t, &axis);
        if (yields(pair, t, axis.apart)) return 0;
    }
    if (is_front(&axis) && overlap) return front_touch(pair, t, true, manifold);
    int count = scree_hull_manifold(pair, &axis, witness);
    t->overlap = overlap ? pair : NULL;
    claim whose = is_front(&axis) ? OURS : claim_along(t, axis.n);
    t->overlap = NULL;
    if (whose == BLOCKED) return front_touch(pair, t, overlap, manifold);
    return whose == OURS ? scree_manifold_write(pair, axis.n, witness, count, manifold) : 0;
}

static int cylinder_touch(const scree_pair_frame *pair, triangle *t,
                          scree_manifold_point manifold[SCREE_MANIFOLD_MAX]) {
    scree_axis axis;
    scree_closest_points near;
    scree_witness witness[4];
    if (!scree_cylinder_separating_axis(pair, usable, t, &axis, &near)) return 0;
    bool overlap = axis.apart <= 0;
    t->overlap = overlap ? pair : NULL;
    claim whose = claim_along(t, axis.n);
    t->overlap = NULL;
    if (whose == BLOCKED) {
        if (overlap && yields(pair, t, scree_gjk_separation(pair, t->normal))) return 0;
        return front_touch(pair, t, overlap, manifold);
    }
    int count = scree_cylinder_manifold(pair, &axis, &near, witness);
    return whose == OURS ? scree_manifold_write(pair, axis.n, witness, count, manifold) : 0;
}

int scree_piece_collide(const scree_collision_shape *a, const scree_pose *pa,
                        const scree_collision_shape *b, int piece, const scree_pose *pb,
                        double margin, scree_manifold_point manifold[SCREE_MANIFOLD_MAX]) {
    triangle t = { .piece = -1 };
    scree_pair_frame pair;
    set_triangle(b, piece, &t);
    scree_pair_frame_make(a, pa, &t.solid, pb, margin, &pair);
    if (a->vertices == 1) return ball_touch(&pair, &t, manifold);
    // wholly behind, or out of reach in front
    const double *m = t.normal, back[3] = { -m[0], -m[1], -m[2] };
    if (scree_gjk_separation(&pair, back) >= pair.rounding_a) return 0;
    if (scree_gjk_separation(&pair, m) > pair.margin) return 0;
    return a->kind == SCREE_COLLISION_CYLINDER ? cylinder_touch(&pair, &t, manifold)
                                               : core_touch(&pair, &t, manifold);
}
