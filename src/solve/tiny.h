// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// tiny.h - the first attempt at a few contacts: hardly any memory, no clock, some microseconds.

#ifndef SCREE_SOLVE_TINY_H
#define SCREE_SOLVE_TINY_H

#include "solve/solver_context.h"

/// For at most 64 contacts with Coulomb's cones alone, and no close limit of iterations. True:
/// solved, p and the report are final. False: p is as it was, and the report counts the iterations
/// made.
bool scree_tiny_solve(scree_solver_context *context);

#endif
