// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// narrow_phase.c - the narrow phase: which collider is for which pair of shapes.

#include "collide/narrow_phase.h"

#include <assert.h>

#include "collide/narrow_planar.h"
#include "collide/narrow_space.h"

static bool is_ball(const scree_collision_shape *solid) {
    return solid->vertices == 1 && solid->kind == SCREE_COLLISION_CONVEX;
}

/// Are even the balls about two solids out of reach?
static bool far_away(const scree_collision_shape *a, const scree_pose *pa,
                     const scree_collision_shape *b, const scree_pose *pb, double margin) {
    double ca[3], cb[3], d[3];
    scree_rotate(pa->turn, a->centre, ca);
    scree_rotate(pb->turn, b->centre, cb);
    for (int k = 0; k < 3; k++) d[k] = pa->at[k] - pb->at[k] + (ca[k] - cb[k]);
    // a little more than the sum, for rounding
    double limit = margin + (a->bound + b->bound) * (1 + 1e-9);
    return scree_dot(d, d) > limit * limit * (1 + 1e-9);
}

int scree_narrow_phase(const scree_collision_shape *a, const scree_pose *pa,
                       const scree_collision_shape *b, const scree_pose *pb, double margin,
                       scree_manifold_point manifold[SCREE_MANIFOLD_MAX]) {
    assert(a->kind != SCREE_COLLISION_HALF_SPACE && a->kind != SCREE_COLLISION_SURFACE);
    if (a->space == 2) return scree_narrow_phase_planar(a, pa, b, pb, margin, manifold);
    if (is_ball(a) && is_ball(b)) return scree_round_balls(a, pa, b, pb, margin, manifold);
    if (b->kind == SCREE_COLLISION_HALF_SPACE)
        return scree_half_space_collide(a, pa, b, pb, margin, manifold);
    bool cores = a->kind == SCREE_COLLISION_CONVEX && b->kind == SCREE_COLLISION_CONVEX;
    if (cores && (is_ball(a) || is_ball(b) || (a->vertices == 2 && b->vertices == 2)))
        return scree_round_collide(a, pa, b, pb, margin, manifold);
    if (far_away(a, pa, b, pb, margin)) return 0;
    scree_pair_frame pair;
    scree_pair_frame_make(a, pa, b, pb, margin, &pair);
    return cores ? scree_hull_collide(&pair, manifold) : scree_cylinder_collide(&pair, manifold);
}

int scree_narrow_phase_piece(const scree_collision_shape *a, const scree_pose *pa,
                             const scree_collision_shape *b, int piece, const scree_pose *pb,
                             double margin, scree_manifold_point manifold[SCREE_MANIFOLD_MAX]) {
    assert(b->kind == SCREE_COLLISION_SURFACE);
    if (a->space == 2)
        return scree_narrow_phase_planar_piece(a, pa, b, piece, pb, margin, manifold);
    return scree_piece_collide(a, pa, b, piece, pb, margin, manifold);
}
