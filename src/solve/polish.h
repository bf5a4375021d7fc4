// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// polish.h - the last digits of a small problem, in long double.

#ifndef SCREE_SOLVE_POLISH_H
#define SCREE_SOLVE_POLISH_H

#include "solve/solver_context.h"

/// Is the problem small enough?
bool scree_polish_can(const scree_problem *problem);

/// From an iterate near a solution; not a row of the menu, `auto` ends with it.
scree_solver scree_polish_solve;

#endif
