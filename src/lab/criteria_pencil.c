// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// criteria_pencil.c - small singular value decompositions and quadratic eigenvalues, by LAPACK.
//
// With z = lambda x the quadratic problem is linear: lambda (x, A2 z) = (z, -A0 x - A1 z). A2 may
// be singular (friction can take away all inertia), so the pair of matrices is kept as it is. BLAS
// works on one thread: its results depend on how many it has.

#include "lab/criteria_pencil.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "base/dense.h"

enum { N = SCREE_PENCIL_COORDINATES };

static const double ZERO = 1e-12;   // singular values below this times the largest are none
static const double CLEAR = 1e-8;   // and above this they are some
static const double APART = 1e-6;   // an eigenvalue is simple if its neighbours are that far
static const double SMALL = 1e-11;  // what rounding may leave of a singular matrix

extern void openblas_set_num_threads(int threads) __attribute__((weak));
extern void dgesvd_(const char *jobu, const char *jobvt, const int *m, const int *n, double *A,
                    const int *lda, double *S, double *U, const int *ldu, double *VT,
                    const int *ldvt, double *work, const int *lwork, int *info, size_t, size_t);
extern void dggev_(const char *jobvl, const char *jobvr, const int *n, double *A, const int *lda,
                   double *B, const int *ldb, double *alphar, double *alphai, double *beta,
                   double *VL, const int *ldvl, double *VR, const int *ldvr, double *work,
                   const int *lwork, int *info, size_t, size_t);

// -------------------------------------------------------------------------------------------------
// singular values

// LAPACK reads columns, so it decomposes A^T: its U are our left vectors, one after the other, and
// what it calls VT has rows of A as columns
static bool decompose(const double *A, int rows, int n, scree_svd *svd) {
    double copy[N * N], work[10 * N];
    const int room = 10 * N;
    int info = 0;
    if (openblas_set_num_threads) openblas_set_num_threads(1);
    memcpy(copy, A, (size_t)rows * (size_t)n * sizeof *copy);
    dgesvd_("A", "A", &n, &rows, copy, &n, svd->value, svd->left, &n, svd->right, &rows, work,
            &room, &info, 1, 1);
    return info == 0;
}

bool scree_svd_find(const double *A, int rows, int n, scree_svd *svd) {
    svd->rows = rows;
    svd->n = n;
    svd->rank = 0;
    memset(svd->left, 0, sizeof svd->left);
    if (!rows) {
        for (int i = 0; i < n; i++) svd->left[i * n + i] = 1;
        return true;
    }
    if (!decompose(A, rows, n, svd)) return false;
    int count = rows < n ? rows : n;
    for (int i = 0; i < count; i++) {
        double share = svd->value[i] / svd->value[0];
        if (share > ZERO && share < CLEAR) return false;
        svd->rank += share > ZERO;
    }
    return true;
}

void scree_svd_solve_transposed(const scree_svd *svd, const double *x, double *y) {
    int n = svd->n, rows = svd->rows;
    for (int i = 0; i < rows; i++) y[i] = 0;
    for (int k = 0; k < svd->rank; k++) {
        double part = 0;
        for (int j = 0; j < n; j++) part += svd->left[k * n + j] * x[j];
        for (int i = 0; i < rows; i++) y[i] += part / svd->value[k] * svd->right[i * rows + k];
    }
}

// -------------------------------------------------------------------------------------------------
// eigenvalues

int scree_pencil_eigenvalues(const scree_pencil *pencil, double *real, double *imaginary) {
    int k = pencil->size, size = 2 * k, found = 0, info = 0;
    const int room = 32 * N, one = 1;
    double A[4 * N * N] = { 0 }, B[4 * N * N] = { 0 }, work[32 * N], none;
    double above[2 * N], beside[2 * N], below[2 * N];
    for (int i = 0; i < k; i++) {
        A[i + (k + i) * size] = 1;
        B[i + i * size] = 1;
        for (int j = 0; j < k; j++) {
            A[k + i + j * size] = -pencil->A0[i * k + j];
            A[k + i + (k + j) * size] = -pencil->A1[i * k + j];
            B[k + i + (k + j) * size] = pencil->A2[i * k + j];
        }
    }
    if (openblas_set_num_threads) openblas_set_num_threads(1);
    dggev_("N", "N", &size, A, &size, B, &size, above, beside, below, &none, &one, &none, &one,
           work, &room, &info, 1, 1);
    if (info) return -1;
    for (int i = 0; i < size; i++) {
        // infinite, or any number at all when both vanish
        if (!(fabs(below[i]) > ZERO * hypot(above[i], beside[i])) || fabs(below[i]) < ZERO)
            continue;
        real[found] = above[i] / below[i];
        imaginary[found++] = beside[i] / below[i];
    }
    return found;
}

// y.(2 lambda A2 + A1) x, how fast lambda moves the smallest singular value
static double slope_of(const scree_pencil *p, double lambda, const double *y, const double *x) {
    double slope = 0;
    for (int i = 0; i < p->size; i++)
        for (int j = 0; j < p->size; j++) {
            int at = i * p->size + j;
            slope += y[i] * (2 * lambda * p->A2[at] + p->A1[at]) * x[j];
        }
    return slope;
}

// the smallest singular value of lambda^2 A2 + lambda A1 + A0 with its vectors, y.P x = value
static bool singular_pair_at(const scree_pencil *p, double lambda, scree_svd *svd, double *y,
                             double *x) {
    double P[N * N];
    int k = p->size;
    for (int i = 0; i < k * k; i++) P[i] = lambda * (lambda * p->A2[i] + p->A1[i]) + p->A0[i];
    if (!decompose(P, k, k, svd)) return false;
    for (int i = 0; i < k; i++) {
        x[i] = svd->left[(k - 1) * k + i];
        y[i] = svd->right[i * k + k - 1];
    }
    return true;
}

bool scree_pencil_motion(const scree_pencil *p, double *lambda, double *x) {
    scree_svd svd;
    double y[N];
    int k = p->size;
    for (int round = 0; round < 4; round++) {
        if (!singular_pair_at(p, *lambda, &svd, y, x)) return false;
        double size =
            2 * *lambda * scree_dense_largest(p->A2, k * k) + scree_dense_largest(p->A1, k * k);
        double slope = slope_of(p, *lambda, y, x);
        if (!(fabs(slope) > APART * size)) return false;
        if (round < 3) *lambda -= svd.value[k - 1] / slope;
    }
    double all = *lambda * (*lambda * scree_dense_largest(p->A2, k * k) +
                            scree_dense_largest(p->A1, k * k)) +
                 scree_dense_largest(p->A0, k * k);
    return svd.value[k - 1] <= SMALL * all && (k == 1 || svd.value[k - 2] > APART * all);
}

bool scree_pencil_rest(const scree_pencil *p, double size, double tolerance, double *x) {
    scree_svd svd;
    double y[N];
    int k = p->size;
    if (!singular_pair_at(p, 0, &svd, y, x)) return false;
    return svd.value[k - 1] <= tolerance * size && (k == 1 || svd.value[k - 2] > APART * size);
}
