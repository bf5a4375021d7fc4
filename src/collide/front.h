// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// front.h - on which side of a surface is a point?

#ifndef SCREE_COLLIDE_FRONT_H
#define SCREE_COLLIDE_FRONT_H

#include "base/arena.h"
#include "model/collision_shape.h"

typedef struct scree_front scree_front;

/// Prepare questions about a surface, which is borrowed; memory from the arena.
scree_status scree_front_make(const scree_collision_shape *solid, scree_arena *arena,
                              scree_front **front, scree_error *err);

/// How far x, in the frame of the surface's body, is in front of the nearest piece, negative behind
/// it. 0 where there is no telling: on it, or past its edge.
double scree_front_height(scree_front *front, const double x[3]);

#endif
