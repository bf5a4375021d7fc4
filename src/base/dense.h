// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// dense.h - small dense matrices, row after row, for systems of a few dozen coordinates.

#ifndef SCREE_BASE_DENSE_H
#define SCREE_BASE_DENSE_H

static inline double scree_dense_dot(const double *x, const double *y, int n) {
    double sum = 0;
    for (int k = 0; k < n; k++) sum += x[k] * y[k];
    return sum;
}

/// Overwrite the lower triangle of the symmetric A (n x n) with L, A = L L^T. Returns 0, or the
/// row (from 1) whose pivot is not safely positive: below n eps times the diagonal entry.
int scree_dense_cholesky(double *A, int n);

/// Solve L L^T x = x in place.
void scree_dense_solve(const double *L, int n, double *x);

/// y = A x, or y = 0 when A is NULL.
void scree_dense_product(const double *A, int n, const double *x, double *y);

#endif
