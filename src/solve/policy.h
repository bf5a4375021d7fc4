// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// policy.h - how the problem of a step is solved: once, and again when the step changes it.

#ifndef SCREE_SOLVE_POLICY_H
#define SCREE_SOLVE_POLICY_H

#include "scree/solve.h"

/// Solve from the guess in p. Where there is no solution the solver proves it, and the report says
/// so; p is then what sweeps leave of the contradiction, for a step that is accepted all the same.
scree_status scree_policy_solve(const scree_problem *problem, const scree_solver_options *options,
                                double *p, scree_report *report, scree_error *err);

enum {
    SCREE_POLICY_LOCAL = 40,
    SCREE_POLICY_HASTY = 900  // iterations that are asked where no last resorts are wanted
};

/// Solve once more, now that the answer has changed the problem, pass = 1, 2, ...; more tightly:
/// what is just solved would not be, once the problem follows the new answer. From pass
/// SCREE_POLICY_LOCAL on by what stays near its guess.
scree_status scree_policy_again(const scree_problem *problem, const scree_solver_options *options,
                                int pass, double *p, scree_report *report, scree_error *err);

#endif
