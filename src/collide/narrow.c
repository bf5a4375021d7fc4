// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// narrow.c - which narrow phase is for which pair.

#include "collide/narrow.h"

#include <assert.h>

#include "collide/narrow_planar.h"
#include "collide/narrow_space.h"

static bool is_ball(const scree_solid *solid) {
    return solid->vertices == 1 && solid->kind == SCREE_SOLID_CORE;
}

/// Are even the balls about two solids out of reach?
static bool far_away(const scree_solid *a, const scree_pose *pa, const scree_solid *b,
                     const scree_pose *pb, double reach) {
    double ca[3], cb[3], d[3];
    turned(pa->turn, a->centre, ca);
    turned(pb->turn, b->centre, cb);
    for (int k = 0; k < 3; k++) d[k] = pa->at[k] - pb->at[k] + (ca[k] - cb[k]);
    // a little more than the sum, for rounding
    double limit = reach + (a->bound + b->bound) * (1 + 1e-9);
    return dot(d, d) > limit * limit * (1 + 1e-9);
}

int scree_narrow(const scree_solid *a, const scree_pose *pa, const scree_solid *b,
                 const scree_pose *pb, double reach, scree_touch touch[SCREE_TOUCHES_MAX]) {
    assert(a->kind != SCREE_SOLID_HALF_SPACE && a->kind != SCREE_SOLID_SURFACE);
    if (a->space == 2) return scree_narrow_planar(a, pa, b, pb, reach, touch);
    if (is_ball(a) && is_ball(b)) return scree_round_balls(a, pa, b, pb, reach, touch);
    if (b->kind == SCREE_SOLID_HALF_SPACE)
        return scree_half_space_touch(a, pa, b, pb, reach, touch);
    bool cores = a->kind == SCREE_SOLID_CORE && b->kind == SCREE_SOLID_CORE;
    if (cores && (is_ball(a) || is_ball(b) || (a->vertices == 2 && b->vertices == 2)))
        return scree_round_touch(a, pa, b, pb, reach, touch);
    if (far_away(a, pa, b, pb, reach)) return 0;
    scree_meeting meeting;
    scree_meeting_set(a, pa, b, pb, reach, &meeting);
    return cores ? scree_hull_touch(&meeting, touch) : scree_cylinder_touch(&meeting, touch);
}

int scree_narrow_piece(const scree_solid *a, const scree_pose *pa, const scree_solid *b, int piece,
                       const scree_pose *pb, double reach, scree_touch touch[SCREE_TOUCHES_MAX]) {
    assert(b->kind == SCREE_SOLID_SURFACE);
    if (a->space == 2) return scree_narrow_planar_piece(a, pa, b, piece, pb, reach, touch);
    return scree_piece_touch(a, pa, b, piece, pb, reach, touch);
}
