// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// newton_direct.h - Newton on the law as it stands, for problems that are equations above all.

#ifndef SCREE_SOLVE_NEWTON_DIRECT_H
#define SCREE_SOLVE_NEWTON_DIRECT_H

#include "base/arena.h"
#include "scree/problem.h"

/// Newton's steps from p (nc x d), undamped; W in blocks may be indefinite and unsymmetric. p is
/// left where the residual was least, which is told. False without memory.
bool scree_newton_direct(const scree_problem *problem, double tolerance, double *p,
                         scree_residual *least, scree_arena *arena);

#endif
