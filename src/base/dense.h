// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// dense.h - small dense matrices, row after row, for systems of a few dozen coordinates.

#ifndef SCREE_BASE_DENSE_H
#define SCREE_BASE_DENSE_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

static inline double scree_dense_dot(const double *x, const double *y, int n) {
    double sum = 0;
    for (int k = 0; k < n; k++) sum += x[k] * y[k];
    return sum;
}

/// The largest |x_k|.
static inline double scree_dense_largest(const double *x, int n) {
    double most = 0;
    for (int k = 0; k < n; k++) most = fmax(most, fabs(x[k]));
    return most;
}

/// Are all of them numbers? NULL: there are none.
static inline bool scree_dense_finite(const double *x, size_t count) {
    double sum[4] = { 0 };  // 0 * x is 0, or NaN for what is not finite; four sums do not wait
    size_t i = 0;
    for (; x && i + 4 <= count; i += 4)
        for (int k = 0; k < 4; k++) sum[k] += 0 * x[i + (size_t)k];
    for (; x && i < count; i++) sum[0] += 0 * x[i];
    return sum[0] + sum[1] + sum[2] + sum[3] == 0;
}

/// Overwrite the lower triangle of the symmetric A (n x n) with L, A = L L^T. Returns 0, or the
/// row (from 1) whose pivot is not safely positive: below n eps times the diagonal entry.
int scree_dense_cholesky(double *A, int n);

/// Solve L L^T x = x in place.
void scree_dense_solve(const double *L, int n, double *x);

/// y = A x, or y = 0 when A is NULL.
void scree_dense_product(const double *A, int n, const double *x, double *y);

#endif
