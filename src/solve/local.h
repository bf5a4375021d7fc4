// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// local.h - Signorini's condition and Coulomb's law at one contact, solved exactly.
//
//     s = A p + b,   K* ∋ s + (shift(s), 0)  ⟂  p ∈ K            A = W_ii, d x d

#ifndef SCREE_SOLVE_LOCAL_H
#define SCREE_SOLVE_LOCAL_H

#include "law/cone.h"

/// What of A can be worked out once, before the sweeps.
typedef struct scree_local {
    scree_cone cone;
    const double *A;
    double inverse;       // 1 / A_NN
    double cosine, sine;  // to the tangents in which S, A_TT without the normal's part, is diagonal
    double lambda[2], g[2];  // S and A_TN along them
    double skew[3];          // unsymmetric part of A: (0,1), (0,2), (1,2); zero for most problems
    double alpha;            // slip parameter of the last time, a good guess for the next
    bool is_skew, is_diagonal, is_round;  // tangents are found when they are first needed;
                                          // is_round: S the same along all, and no A_TN
    // last, because only an equality needs it: Cholesky factor of A
    double L[SCREE_CONE_MAX * SCREE_CONE_MAX];
} scree_local;

/// A is borrowed. False when the contact cannot be solved alone: A_NN is negative, or an equality's
/// A is singular. A contact without mobility, A_NN = 0, gets no impulse.
bool scree_local_prepare(const scree_cone *cone, const double *A, scree_local *local);

/// p: the last impulse, overwritten with the solution, or for a rolling contact (d = 5) with one
/// that is nearer to it by a factor of 100.
void scree_local_update(scree_local *local, const double *b, double *p);

/// Both at once for Coulomb's cone (d = 2, 3). False, with p untouched, when A_NN is not positive.
bool scree_local_solve(const double *A, const double *b, double mu, int d, double *p);

#endif
