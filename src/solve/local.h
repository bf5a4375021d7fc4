// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// local.h - the problem of one contact, solved exactly.

#ifndef SCREE_SOLVE_LOCAL_H
#define SCREE_SOLVE_LOCAL_H

#include <stdbool.h>

/// Solve s = A p + b, K* ∋ s + (mu |s_T|, 0) ⟂ p ∈ K for one contact with A symmetric positive
/// definite (d x d). Returns false, with p untouched, when A_NN is not positive.
bool scree_local_solve(const double *A, const double *b, double mu, int d, double *p);

#endif
