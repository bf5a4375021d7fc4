// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// block.c - the inverse of a block that cofactors cannot be trusted with.

#include "solve/block.h"

bool scree_block_invert_any(const double *A, int d, double *inverse) {
    int stride = scree_block_stride(d);
    double M[SCREE_CONE_MAX][2 * SCREE_CONE_MAX] = { 0 }, largest = 0;
    for (int r = 0; r < d; r++) {
        for (int c = 0; c < d; c++) {
            M[r][c] = A[r * stride + c];
            largest = fmax(largest, fabs(M[r][c]));
        }
        M[r][d + r] = 1;
    }
    for (int k = 0; k < d; k++) {
        int pivot = k;
        for (int r = k + 1; r < d; r++)
            if (fabs(M[r][k]) > fabs(M[pivot][k])) pivot = r;
        if (!(fabs(M[pivot][k]) > 1e-15 * largest)) return false;
        for (int c = 0; pivot != k && c < 2 * d; c++) {
            double keep = M[k][c];
            M[k][c] = M[pivot][c];
            M[pivot][c] = keep;
        }
        double scale = 1 / M[k][k];
        for (int c = 0; c < 2 * d; c++) M[k][c] *= scale;
        for (int r = 0; r < d; r++) {
            if (r == k) continue;
            double factor = M[r][k];
            for (int c = k; c < 2 * d; c++) M[r][c] -= factor * M[k][c];
        }
    }
    for (int r = 0; r < d; r++)
        for (int c = 0; c < d; c++) inverse[r * stride + c] = M[r][d + c];
    return true;
}
