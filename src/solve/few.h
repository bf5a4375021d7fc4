// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// few.h - what `auto` does with a few contacts before it draws any memory.

#ifndef SCREE_SOLVE_FEW_H
#define SCREE_SOLVE_FEW_H

#include "solve/solver_context.h"

/// Coulomb's cone alone, in the plane or in space, W in blocks, and not more contacts than that.
bool scree_few_serves(const scree_problem *problem);

/// The guess, the formula of one contact, dense Newton: true if one of them was enough. False
/// leaves a guess in p: for others, who find out whether the problem can be worked with.
bool scree_few_solve(scree_solver_context *context);

/// Contact i alone into p (d), whatever its cone; false if it cannot be solved where it stands.
bool scree_few_single(scree_solver_context *context, int i, double *p);

/// The problem of a single contact; false if that is not what it is, or not what solves it.
bool scree_few_only(scree_solver_context *context);

#endif
