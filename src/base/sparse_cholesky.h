// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// sparse_cholesky.h - A = L L^T for large sparse A.

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

/// A x = x in place; allocates nothing.
void scree_sparse_cholesky_solve(scree_sparse_cholesky *chol, double *x);

/// The same where the unknowns are some of the numbers in x: number i stands at place[i] (n).
void scree_sparse_cholesky_solve_at(scree_sparse_cholesky *chol, const int *place, double *x);

/// Turn L into what solves are fastest with, until the next factorisation; it pays from a few
/// solves on. They round differently then.
void scree_sparse_cholesky_settle(scree_sparse_cholesky *chol);

/// Settle, and solve for `count` right-hand sides in place: x, n numbers of each one after the
/// other. Best for 32 at a time, side by side in the mesh if they are mostly zero. The same bits
/// for any number of threads, 0: as many as there are processors. False without memory.
bool scree_sparse_cholesky_solve_many(scree_sparse_cholesky *chol, int count, double *x,
                                      int threads);

/// From the analysis: operations of a factorisation, entries of L.
double scree_sparse_cholesky_flops(const scree_sparse_cholesky *chol);
double scree_sparse_cholesky_entries(const scree_sparse_cholesky *chol);

#endif
