// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// front.c - on which side of a surface is a point?
// in: a surface with a front, a point.   out: its signed distance.
//
// The nearest point y of the surface is found among the pieces in a box that grows until it holds
// it. Where y is on a seam several pieces are as near, and the one whose normal is most along x - y
// tells the side: seen from a ridge both do, in a hollow y is never on the seam. Where y is on the
// edge of the surface x is past it and on neither side.

#include "collide/front.h"

#include <math.h>

#include "base/space.h"
#include "collide/broad_phase.h"
#include "collide/pose.h"

struct scree_front {
    const scree_collision_shape *solid;
    scree_tree *tree;
    int *found;    // (pieces)
    double reach;  // where a search begins
};

// the nearest point of one piece, as seen from x
typedef struct nearest {
    double way[3];  // from there to x
    double away;
    unsigned sides;  // those of the piece that it lies on, a bit for each
} nearest;

scree_status scree_front_make(const scree_collision_shape *solid, scree_arena *arena,
                              scree_front **front, scree_error *err) {
    int pieces = solid->surface.pieces;
    scree_front *made = *front = SCREE_NEW(arena, scree_front, 1);
    scree_aabb *box = SCREE_NEW(arena, scree_aabb, pieces);
    if (made) made->found = SCREE_NEW(arena, int, pieces);
    if (!made || !box || !made->found) return scree_fail_memory(err, "a surface");
    made->solid = solid;
    for (int i = 0; i < pieces; i++) {
        scree_pose_piece_aabb(solid, i, &box[i]);
        for (int k = 0; k < 3; k++) made->reach = fmax(made->reach, box[i].high[k] - box[i].low[k]);
    }
    return scree_tree_make(box, pieces, arena, &made->tree, err);
}

// of the segment from a to b; start and end are the sides that meet there, side is its own
static nearest on_segment(const double a[3], const double b[3], const double x[3], unsigned side,
                          unsigned start, unsigned end) {
    nearest out = { .sides = side };
    double along[3], to[3];
    for (int k = 0; k < 3; k++) along[k] = b[k] - a[k], to[k] = x[k] - a[k];
    double share = scree_dot(along, to) / scree_dot(along, along);
    if (share <= 0) out.sides = side | start;
    if (share >= 1) out.sides = side | end;
    share = fmin(fmax(share, 0), 1);
    for (int k = 0; k < 3; k++) out.way[k] = to[k] - share * along[k];
    out.away = scree_length(out.way);
    return out;
}

// straight down on a triangle, if x is over it
static bool is_over_triangle(const double *corner[3], const double n[3], const double x[3],
                             nearest *out) {
    for (int k = 0; k < 3; k++) {
        double side[3], to[3], inwards[3];
        for (int c = 0; c < 3; c++)
            side[c] = corner[(k + 1) % 3][c] - corner[k][c], to[c] = x[c] - corner[k][c];
        scree_cross(n, side, inwards);
        if (scree_dot(inwards, to) < 0) return false;
        if (k == 0)
            for (int c = 0; c < 3; c++) out->way[c] = scree_dot(n, to) * n[c];
    }
    out->away = scree_length(out->way);
    out->sides = 0;
    return true;
}

static nearest on_piece(const scree_collision_shape *solid, int piece, const double x[3]) {
    const scree_surface *surface = &solid->surface;
    const int *list = surface->piece + (long)piece * solid->space;
    const double *corner[3];
    nearest best = { .away = HUGE_VAL };
    for (int k = 0; k < solid->space; k++) corner[k] = solid->vertex + 3 * (long)list[k];
    if (solid->space == 2) return on_segment(corner[0], corner[1], x, 0, 1u, 2u);
    if (is_over_triangle(corner, surface->normal + 3 * (long)piece, x, &best)) return best;
    for (int k = 0; k < 3; k++) {
        nearest side = on_segment(corner[k], corner[(k + 1) % 3], x, 1u << k, 1u << (k + 2) % 3,
                                  1u << (k + 1) % 3);
        if (side.away < best.away) best = side;
    }
    return best;
}

// pieces in a box around x that holds the nearest one; how many, and how far that is
static int search(scree_front *front, const double x[3], double *away) {
    const scree_collision_shape *solid = front->solid;
    double reach = front->reach;
    for (int round = 0;; round++) {
        scree_aabb box = { .high = { 0 } };
        for (int k = 0; k < solid->space; k++)
            box.low[k] = x[k] - reach, box.high[k] = x[k] + reach;
        int count = scree_tree_find(front->tree, &box, front->found, solid->surface.pieces);
        *away = HUGE_VAL;
        for (int i = 0; i < count; i++)
            *away = fmin(*away, on_piece(solid, front->found[i], x).away);
        if (*away <= reach || !isfinite(reach)) return count;
        reach = count ? *away * (1 + 1e-9) : 2 * reach;
    }
}

double scree_front_height(scree_front *front, const double x[3]) {
    const scree_collision_shape *solid = front->solid;
    const scree_surface *surface = &solid->surface;
    double away, along = 0;
    int count = search(front, x, &away);
    for (int i = 0; i < count; i++) {
        int piece = front->found[i];
        nearest near = on_piece(solid, piece, x);
        if (near.away > away * (1 + 1e-9)) continue;
        double up = scree_dot(surface->normal + 3 * (long)piece, near.way);
        bool straight = fabs(up) >= (1 - 1e-9) * near.away;
        for (int k = 0; k < solid->space && !straight; k++)
            if (near.sides & 1u << k && surface->neighbour[(long)piece * solid->space + k] < 0)
                return 0;
        if (fabs(up) > fabs(along)) along = up;
    }
    return along < 0 ? -away : along > 0 ? away : 0;
}
