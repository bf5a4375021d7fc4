// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// narrow_planar.h - the narrow phase in the plane; see narrow.h.

#ifndef SCREE_COLLIDE_NARROW_PLANAR_H
#define SCREE_COLLIDE_NARROW_PLANAR_H

#include "collide/narrow.h"

/// scree_narrow for a core and a core or half-plane, in the plane. Two points never touch.
int scree_narrow_planar(const scree_solid *a, const scree_pose *pa, const scree_solid *b,
                        const scree_pose *pb, double reach, scree_touch touch[SCREE_TOUCHES_MAX]);

/// scree_narrow_piece for a core and a segment of a chain. The feature does not tell the piece.
/// What lies behind the segment for the larger part comes from another side and is not touched.
int scree_narrow_planar_piece(const scree_solid *a, const scree_pose *pa, const scree_solid *b,
                              int piece, const scree_pose *pb, double reach,
                              scree_touch touch[SCREE_TOUCHES_MAX]);

#endif
