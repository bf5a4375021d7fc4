// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// narrow_planar.h - the narrow phase in the plane; see narrow_phase.h.

#ifndef SCREE_COLLIDE_NARROW_PLANAR_H
#define SCREE_COLLIDE_NARROW_PLANAR_H

#include "collide/narrow_phase.h"

/// scree_narrow_phase for a core and a core or half-plane, in the plane. Two points never touch.
int scree_narrow_phase_planar(const scree_collision_shape *a, const scree_pose *pa,
                              const scree_collision_shape *b, const scree_pose *pb, double margin,
                              scree_manifold_point manifold[SCREE_MANIFOLD_MAX]);

/// scree_narrow_phase_piece for a core and a segment of a chain. The feature does not tell the
/// piece. What lies behind the segment for the larger part comes from another side and is not
/// touched.
int scree_narrow_phase_planar_piece(const scree_collision_shape *a, const scree_pose *pa,
                                    const scree_collision_shape *b, int piece, const scree_pose *pb,
                                    double margin,
                                    scree_manifold_point manifold[SCREE_MANIFOLD_MAX]);

#endif
