// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// rigid_motion.h - rigid bodies, frames and arms, from M and H.

#ifndef SCREE_LAW_RIGID_MOTION_H
#define SCREE_LAW_RIGID_MOTION_H

#include "base/arena.h"
#include "scree/problem.h"

/// The rigid bodies that the motion of a problem is that of: three or six degrees of freedom each,
/// one body after the other, spins in the axes of the velocities. NULL if it is of anything else,
/// or without memory. b = H v_free + w as in the motion, to rounding.
const scree_bodies *scree_rigid_bodies_of_motion(const scree_problem *problem, scree_arena *arena);

#endif
