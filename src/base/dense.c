// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// dense.c - Cholesky, triangular solves and products for small dense matrices.

#include "base/dense.h"

#include <float.h>
#include <math.h>

int scree_dense_cholesky(double *A, int n) {
    for (int i = 0; i < n; i++) {
        double *row = A + (long)i * n;
        double given = row[i];
        for (int j = 0; j <= i; j++) {
            const double *other = A + (long)j * n;
            double sum = row[j];
            for (int k = 0; k < j; k++) sum -= row[k] * other[k];
            if (j < i) {
                row[j] = sum / other[j];
            } else {
                if (!(sum > n * DBL_EPSILON * given && isfinite(sum))) return i + 1;
                row[i] = sqrt(sum);
            }
        }
    }
    return 0;
}

void scree_dense_solve(const double *L, int n, double *x) {
    for (int i = 0; i < n; i++) {
        double sum = x[i];
        for (int k = 0; k < i; k++) sum -= L[(long)i * n + k] * x[k];
        x[i] = sum / L[(long)i * n + i];
    }
    for (int i = n - 1; i >= 0; i--) {
        double sum = x[i];
        for (int k = i + 1; k < n; k++) sum -= L[(long)k * n + i] * x[k];
        x[i] = sum / L[(long)i * n + i];
    }
}

void scree_dense_product(const double *A, int n, const double *x, double *y) {
    for (int i = 0; i < n; i++) {
        double sum = 0;
        for (int j = 0; A && j < n; j++) sum += A[(long)i * n + j] * x[j];
        y[i] = sum;
    }
}
