// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// sweeping_judge.h - nearest points by trying every set of active rows, in long double.

#ifndef SCREE_TEST_SWEEPING_JUDGE_H
#define SCREE_TEST_SWEEPING_JUDGE_H

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "lab/convex_set.h"

enum { JUDGE_N = 6 };

// Gauss with pivots; false if the matrix is singular
static bool judge_solve(int n, long double m[JUDGE_N][JUDGE_N + 1]) {
    for (int k = 0; k < n; k++) {
        int best = k;
        for (int i = k + 1; i < n; i++)
            if (fabsl(m[i][k]) > fabsl(m[best][k])) best = i;
        if (fabsl(m[best][k]) < 1e-14L) return false;
        for (int j = 0; j <= n; j++) {
            long double swap = m[k][j];
            m[k][j] = m[best][j];
            m[best][j] = swap;
        }
        for (int i = 0; i < n; i++) {
            long double by = i == k ? 0 : m[i][k] / m[k][k];
            for (int j = k; j <= n && i != k; j++) m[i][j] -= by * m[k][j];
        }
    }
    for (int k = 0; k < n; k++) m[k][n] /= m[k][k];
    return true;
}

static long double judge_dot(const scree_convex_set *set, int i, const long double *x) {
    long double sum = 0;
    for (int k = 0; k < set->dimension; k++) sum += (long double)set->row[i][k] * x[k];
    return sum;
}

// the point x - A^T u with the rows in `chosen` (bits) as equations; true if it is the nearest one
static bool judge_rows(const scree_convex_set *set, unsigned chosen, const double *x,
                       long double *point) {
    int row[JUDGE_N], count = 0;
    long double m[JUDGE_N][JUDGE_N + 1];
    for (int i = 0; i < set->rows; i++) {
        if (!(chosen >> i & 1)) continue;
        if (count == set->dimension) return false;
        row[count++] = i;
    }
    for (int k = 0; k < set->dimension; k++) point[k] = x[k];
    for (int i = 0; i < count; i++) {
        long double a[JUDGE_N];
        for (int k = 0; k < set->dimension; k++) a[k] = set->row[row[i]][k];
        for (int j = 0; j < count; j++) m[i][j] = judge_dot(set, row[j], a);
        m[i][count] = judge_dot(set, row[i], point) - set->bound[row[i]];
    }
    if (!judge_solve(count, m)) return false;
    for (int i = 0; i < count; i++) {
        if (m[i][count] < -1e-15L) return false;
        for (int k = 0; k < set->dimension; k++) point[k] -= m[i][count] * set->row[row[i]][k];
    }
    long double size = 1;
    for (int k = 0; k < set->dimension; k++) size = fmaxl(size, fabsl(point[k]));
    for (int i = 0; i < set->rows; i++)
        if (judge_dot(set, i, point) - set->bound[i] > 1e-14L * size) return false;
    return true;
}

/// Rows only, at most JUDGE_N coordinates and 20 rows. False: there is no nearest point.
static bool judge_nearest(const scree_convex_set *set, const double *x, double *nearest) {
    long double point[JUDGE_N];
    for (unsigned chosen = 0; chosen < 1u << set->rows; chosen++) {
        if (!judge_rows(set, chosen, x, point)) continue;
        for (int k = 0; k < set->dimension; k++) nearest[k] = (double)point[k];
        return true;
    }
    return false;
}

#endif
