// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// narrow_phase.h - the narrow phase: where two solids touch, or come near, as a contact manifold of
// points that share a normal. Gaps are exact: no shape is inflated, and no length is ours.
//
// Flat on flat gives up to two points in the plane and four in space, otherwise one. All points of
// a pair of convex solids share one normal: the direction of the shortest way between them, or of
// the shortest way out where they overlap. The gap of a point is the signed distance of the two
// surfaces at that point along the normal.

#ifndef SCREE_COLLIDE_NARROW_PHASE_H
#define SCREE_COLLIDE_NARROW_PHASE_H

#include "model/collision_shape.h"

enum { SCREE_MANIFOLD_MAX = 4 };

typedef struct scree_manifold_point {
    double gap;        // negative: they overlap
    double normal[3];  // unit, from b to a
    double point[3];   // halfway between the surfaces; against a half-space: on the surface of a
    uint32_t feature;  // below 2^20: which features meet; the same as long as the same ones do
} scree_manifold_point;

/// Touches of two convex solids whose gap is at most reach; returns how many. The second may be a
/// half-space, the first not.
int scree_narrow_phase(const scree_collision_shape *a, const scree_pose *pa,
                       const scree_collision_shape *b, const scree_pose *pb, double margin,
                       scree_manifold_point manifold[SCREE_MANIFOLD_MAX]);

/// The same for two balls around the places a and b, in space.
int scree_narrow_phase_balls(const double a[3], double radius_a, const double b[3], double radius_b,
                             double margin, scree_manifold_point *manifold);

/// The same for a convex solid and one piece of a surface. A piece pushes to its front only; its
/// sides and corners give a normal only where no neighbour's front is in the way, so that nothing
/// catches on the seams of a smooth surface.
int scree_narrow_phase_piece(const scree_collision_shape *a, const scree_pose *pa,
                             const scree_collision_shape *b, int piece, const scree_pose *pb,
                             double margin, scree_manifold_point manifold[SCREE_MANIFOLD_MAX]);

#endif
