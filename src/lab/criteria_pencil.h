// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// criteria_pencil.h - null spaces of small matrices, and the numbers lambda for which
// lambda^2 A2 + lambda A1 + A0 is singular. Matrices stand row after row.

#ifndef SCREE_LAB_CRITERIA_PENCIL_H
#define SCREE_LAB_CRITERIA_PENCIL_H

#include <stdbool.h>

enum {
    SCREE_PENCIL_COORDINATES = 40,  // at most
    SCREE_PENCIL_ROWS = 20,         // of matrices whose null space is wanted
};

/// A = right^T diag(value) left of rows x n: the first rank rows of left span the rows of A, the
/// others its null space.
typedef struct scree_svd {
    int rows, n, rank;
    double value[SCREE_PENCIL_COORDINATES];                             // falling
    double left[SCREE_PENCIL_COORDINATES * SCREE_PENCIL_COORDINATES];   // (n x n)
    double right[SCREE_PENCIL_COORDINATES * SCREE_PENCIL_COORDINATES];  // (rows x rows)
} scree_svd;

typedef struct scree_pencil {
    int size;
    double A2[SCREE_PENCIL_COORDINATES * SCREE_PENCIL_COORDINATES];  // (size x size)
    double A1[SCREE_PENCIL_COORDINATES * SCREE_PENCIL_COORDINATES];
    double A0[SCREE_PENCIL_COORDINATES * SCREE_PENCIL_COORDINATES];
} scree_pencil;

/// Values are zero below 1e-12 of the largest. False if one is between that and 1e-8, so that the
/// rank is a matter of rounding, or if LAPACK failed. rows <= SCREE_PENCIL_COORDINATES.
bool scree_svd_find(const double *A, int rows, int n, scree_svd *svd);

/// The shortest y with |A^T y - x| least.
void scree_svd_solve_transposed(const scree_svd *svd, const double *x, double *y);

/// All finite lambda, real and imaginary parts (2 size); returns how many, -1 if LAPACK failed.
int scree_pencil_eigenvalues(const scree_pencil *pencil, double *real, double *imaginary);

/// Improve a real lambda and find its x (size), |x| = 1. False unless it is a simple root with an x
/// of its own, well apart from the others: only then is it real in spite of rounding.
bool scree_pencil_motion(const scree_pencil *pencil, double *lambda, double *x);

/// Is A0 x = 0 for one x alone, to the tolerance (relative to `size` of A0)?
bool scree_pencil_rest(const scree_pencil *pencil, double size, double tolerance, double *x);

#endif
