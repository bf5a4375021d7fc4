// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// enumerate.h - every combination of statuses of a small planar problem, until one solves it.

#ifndef SCREE_SOLVE_ENUMERATE_H
#define SCREE_SOLVE_ENUMERATE_H

#include "scree/solve.h"

enum { SCREE_ENUMERATE_CONTACTS = 8 };  // 4^8 combinations at most

/// Can the problem be enumerated: planar, and few contacts?
bool scree_enumerate_can(const scree_problem *problem);

/// Overwrite p and the report's residual with the best combination found, if it is better than
/// what the report already has.
void scree_enumerate_solve(const scree_problem *problem, const scree_solver_options *options,
                           double *p, scree_report *report);

#endif
