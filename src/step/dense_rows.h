// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// dense_rows.h - contacts of a part that has few coordinates: H as dense rows.

#ifndef SCREE_STEP_DENSE_ROWS_H
#define SCREE_STEP_DENSE_ROWS_H

#include <math.h>

/// u = H x, with `rows` rows of n numbers.
static inline void scree_dense_rows_velocity(const double *H, int rows, int n, const double *x,
                                             double *u) {
    for (int k = 0; k < rows; k++) {
        u[k] = 0;
        for (int j = 0; j < n; j++) u[k] += H[k * n + j] * x[j];
    }
}

/// x += H^T p
static inline void scree_dense_rows_impulse(const double *H, int rows, int n, const double *p,
                                            double *x) {
    for (int k = 0; k < rows; k++)
        for (int j = 0; j < n; j++) x[j] += H[k * n + j] * p[k];
}

/// The size of the numbers that H v and H w are made of.
static inline double scree_dense_rows_scale(const double *H, int rows, int n, const double *v,
                                            const double *w) {
    double largest = 0;
    for (int r = 0; r < rows; r++, H += n) {
        double sum = 0;
        for (int j = 0; j < n; j++) sum += fabs(H[j]) * (fabs(v[j]) + fabs(w[j]));
        largest = fmax(largest, sum);
    }
    return largest;
}

#endif
