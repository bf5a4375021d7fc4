// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// sparse_cholesky.h - A = L L^T for large sparse A; the one file that knows CHOLMOD is behind it.

#ifndef SCREE_BASE_SPARSE_CHOLESKY_H
#define SCREE_BASE_SPARSE_CHOLESKY_H

#include <stdbool.h>

typedef struct scree_sparse_cholesky scree_sparse_cholesky;

/// Analyse the pattern of the lower triangle, by columns: first (n + 1), row (ascending, the
/// diagonal included). NULL without memory.
scree_sparse_cholesky *scree_sparse_cholesky_new(int n, const int *first, const int *row);
void scree_sparse_cholesky_free(scree_sparse_cholesky *chol);

/// Factorise with these values in the analysed pattern. False if A is not positive definite.
bool scree_sparse_cholesky_factor(scree_sparse_cholesky *chol, const double *value);

/// A x = x in place.
void scree_sparse_cholesky_solve(scree_sparse_cholesky *chol, double *x);

/// From the analysis: operations of a factorisation, entries of L.
double scree_sparse_cholesky_flops(const scree_sparse_cholesky *chol);
double scree_sparse_cholesky_entries(const scree_sparse_cholesky *chol);

#endif
