// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// motion.h - M and H as sparse matrices, from W by bodies.

#ifndef SCREE_LAW_MOTION_H
#define SCREE_LAW_MOTION_H

#include "base/arena.h"
#include "scree/problem.h"

/// Is the inertia of all parts at hand, not only its inverse?
bool scree_motion_known(const scree_problem *problem);

/// M, H, f, w of a problem by bodies, with b = H M^-1 f + w; memory from the arena, NULL without
/// it. Degrees of freedom are those of the parts that impulses move, in their order.
const scree_motion *scree_motion_of_bodies(const scree_problem *problem, scree_arena *arena);

#endif
