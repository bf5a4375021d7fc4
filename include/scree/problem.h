// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// problem.h - the contact problem of one step, and how far an answer is from solving it.
//
// Find p with   s = W p + b,   K* ∋ s + (mu |s_T|, 0)  ⟂  p ∈ K,   K: |p_T| <= mu p_N.
//
// Components are stored contact after contact, the normal one first. s_N >= 0 separates, p_N >= 0
// pushes apart. Restitution is inside b.

#ifndef SCREE_PROBLEM_H
#define SCREE_PROBLEM_H

#include "scree/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/// W in d x d blocks, block row after block row; every array is borrowed.
typedef struct scree_problem {
    int contacts;         // nc
    int dimension;        // d: 2 or 3
    const int *row;       // first block of each block row           (nc + 1)
    const int *column;    // block column, ascending within a row    (blocks)
    const int *diagonal;  // where the block (i, i) stands           (nc)
    const double *block;  // W, each block row-major                 (blocks x d x d) [1/kg]
    const double *b;      // velocity without impulses               (nc x d) [m/s]
    const double *mu;     // friction coefficient                    (nc)
} scree_problem;

typedef struct scree_residual {
    double field;        // |p - P_K(p - (s + mu |s_T| n))| / (1 + |b|): the convention of the field
    double scaled;       // the same in the energy norm of the contacts: does not depend on units
    double field_floor;  // what rounding of p alone can do to field, which has its units
} scree_residual;

/// The larger of the two, which is what a tolerance is held against; a field residual below its
/// floor does not count. NaN if one of them is.
SCREE_API double scree_residual_worse(scree_residual residual);

/// s = W p + b.
SCREE_API void scree_problem_velocity(const scree_problem *problem, const double *p, double *s);

/// The one judge of all solvers. s (nc x d) is overwritten with W p + b.
SCREE_API scree_residual scree_problem_residual(const scree_problem *problem, const double *p,
                                                double *s);

#ifdef __cplusplus
}
#endif

#endif
