// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// infeasibility.h - a proof that a contact problem has no solution.
//
// Impulses d that push, d_N >= 0 and d_T = 0 (any d in a joint), that move nothing, W d = 0, and
// that the given velocities oppose, b.d < 0: then d.(W p + b) < 0 whatever p is, and s_N >= 0 (s =
// 0 in joints) cannot hold everywhere. Friction has no part in it. Moving walls that squeeze a body
// are the usual case.

#ifndef SCREE_SOLVE_INFEASIBILITY_H
#define SCREE_SOLVE_INFEASIBILITY_H

#include "solve/solver_context.h"

/// direction (nc x d) = such a d of length 1, checked against the numbers of the problem. False if
/// none was found, which proves nothing, or without memory. Costs some factorisations, which are
/// counted in the context's report.
bool scree_infeasibility_find(const scree_solver_context *context, double *direction);

#endif
