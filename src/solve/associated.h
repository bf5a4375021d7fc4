// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// associated.h - the convex problem of the cones alone, without the shift of Coulomb's law.
//
//     minimise  p.W p / 2 + b.p  over p in K,     that is   K* ∋ W p + b ⟂ p ∈ K
//
// With W = H M^-1 H^T and b = H M^-1 F it is that of the least |F + H^T p| in the norm of M^-1: are
// there any forces in the cones that hold the loads F?

#ifndef SCREE_SOLVE_ASSOCIATED_H
#define SCREE_SOLVE_ASSOCIATED_H

#include "base/arena.h"
#include "scree/problem.h"

/// Solve from the guess in p (nc x d) as far as rounding lets it, and overwrite p. W is symmetric;
/// all cones of problem.h. False without memory.
bool scree_associated_solve(const scree_problem *problem, scree_arena *arena, double *p);

#endif
