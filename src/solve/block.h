// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// block.h - arithmetic of d x d blocks, in place where it is used: d is known there.
//
// 2 x 2 and 5 x 5 are row-major; rows of 3 x 3 are padded to four numbers, one vector register,
// which a block of 2 x 2 fills.

#ifndef SCREE_SOLVE_BLOCK_H
#define SCREE_SOLVE_BLOCK_H

#include <math.h>

#include "law/cone.h"

#define SCREE_INLINE static inline __attribute__((always_inline))

typedef double scree_four __attribute__((vector_size(32)));

SCREE_INLINE int scree_block_stride(int d) { return d == 3 ? 4 : d; }
SCREE_INLINE int scree_block_size(int d) { return d * scree_block_stride(d); }

// by cofactors; false if A is close to singular
SCREE_INLINE bool scree_block_invert_planar(const double *A, double *inverse) {
    double one = A[0] * A[3], other = A[1] * A[2], det = one - other;
    if (!(fabs(det) > 1e-8 * (fabs(one) + fabs(other)))) return false;
    double scale = 1 / det;
    inverse[0] = A[3] * scale;
    inverse[1] = -A[1] * scale;
    inverse[2] = -A[2] * scale;
    inverse[3] = A[0] * scale;
    return true;
}

SCREE_INLINE bool scree_block_invert_spatial(const double *A, double *inverse) {
    double c0 = A[5] * A[10] - A[6] * A[9], c1 = A[6] * A[8] - A[4] * A[10];
    double c2 = A[4] * A[9] - A[5] * A[8], det = A[0] * c0 + A[1] * c1 + A[2] * c2;
    double size = fabs(A[0] * c0) + fabs(A[1] * c1) + fabs(A[2] * c2);
    if (!(fabs(det) > 1e-8 * size)) return false;
    double scale = 1 / det;
    inverse[0] = c0 * scale;
    inverse[1] = (A[2] * A[9] - A[1] * A[10]) * scale;
    inverse[2] = (A[1] * A[6] - A[2] * A[5]) * scale;
    inverse[4] = c1 * scale;
    inverse[5] = (A[0] * A[10] - A[2] * A[8]) * scale;
    inverse[6] = (A[2] * A[4] - A[0] * A[6]) * scale;
    inverse[8] = c2 * scale;
    inverse[9] = (A[1] * A[8] - A[0] * A[9]) * scale;
    inverse[10] = (A[0] * A[5] - A[1] * A[4]) * scale;
    return true;
}

/// By Gauss-Jordan with row pivoting; false if A is singular. The padding is left alone.
bool scree_block_invert_any(const double *A, int d, double *inverse);

SCREE_INLINE bool scree_block_invert(const double *A, int d, double *inverse) {
    if (d == 2 && scree_block_invert_planar(A, inverse)) return true;
    if (d == 3 && scree_block_invert_spatial(A, inverse)) return true;
    return scree_block_invert_any(A, d, inverse);
}

// X = A B of 2 x 2 blocks, each one vector: columns of A with each number twice, rows of B twice
SCREE_INLINE void scree_block_times_planar(const double *A, const double *B, scree_four *X) {
    scree_four a = *(const scree_four *)A, b = *(const scree_four *)B;
    *X = __builtin_shufflevector(a, a, 0, 0, 2, 2) * __builtin_shufflevector(b, b, 0, 1, 0, 1) +
         __builtin_shufflevector(a, a, 1, 1, 3, 3) * __builtin_shufflevector(b, b, 2, 3, 2, 3);
}

// X = A B
SCREE_INLINE void scree_block_times(const double *A, const double *B, int d, double *X) {
    if (d == 2) {
        scree_block_times_planar(A, B, (scree_four *)X);
        return;
    }
    if (d == 3) {
        const scree_four *rows = (const scree_four *)B;
        for (int r = 0; r < 3; r++)
            ((scree_four *)X)[r] =
                A[4 * r] * rows[0] + A[4 * r + 1] * rows[1] + A[4 * r + 2] * rows[2];
        return;
    }
    for (int r = 0; r < d; r++)
        for (int c = 0; c < d; c++) {
            double sum = 0;
            for (int k = 0; k < d; k++) sum += A[r * d + k] * B[k * d + c];
            X[r * d + c] = sum;
        }
}

// X -= A B
SCREE_INLINE void scree_block_subtract(const double *A, const double *B, int d, double *X) {
    if (d == 2) {
        scree_four product;
        scree_block_times_planar(A, B, &product);
        *(scree_four *)X -= product;
        return;
    }
    if (d == 3) {
        const scree_four *rows = (const scree_four *)B;
        for (int r = 0; r < 3; r++)
            ((scree_four *)X)[r] -=
                A[4 * r] * rows[0] + A[4 * r + 1] * rows[1] + A[4 * r + 2] * rows[2];
        return;
    }
    for (int r = 0; r < d; r++)
        for (int c = 0; c < d; c++) {
            double sum = 0;
            for (int k = 0; k < d; k++) sum += A[r * d + k] * B[k * d + c];
            X[r * d + c] -= sum;
        }
}

// y -= A x
SCREE_INLINE void scree_block_subtract_vector(const double *A, const double *x, int d, double *y) {
    int stride = scree_block_stride(d);
    for (int r = 0; r < d; r++)
        for (int c = 0; c < d; c++) y[r] -= A[r * stride + c] * x[c];
}

#endif
