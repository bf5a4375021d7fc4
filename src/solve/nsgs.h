// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// nsgs.h - nonsmooth Gauss-Seidel, a row of the menu in solve.c.

#ifndef SCREE_SOLVE_NSGS_H
#define SCREE_SOLVE_NSGS_H

#include "scree/solve.h"

/// scratch: room for 2 x nc x d.
void scree_nsgs_solve(const scree_problem *problem, const scree_solver_options *options, double *p,
                      scree_report *report, double *scratch);

#endif
