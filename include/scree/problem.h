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

/// The motion a problem was condensed from: M v = f + H^T p, s = H v + w, so that W = H M^-1 H^T
/// and b = H M^-1 f + w. Every array is borrowed.
typedef struct scree_motion {
    int dofs;
    const int *M_first;  // first entry of each column of M             (dofs + 1)
    const int *M_row;    // its row, ascending within a column          (entries)
    const double *M;     // both triangles                              (entries)
    const int *H_first;  // first entry of each contact in H            (nc + 1)
    const int *H_dof;    // the degrees of freedom a contact acts on, ascending within a contact
    const double *H;     // d coefficients for each entry of H_dof      (entries x d)
    const double *f;     // impulse of the loads and of the state before (dofs)
    const double *w;     // velocity without motion                     (nc x d)
} scree_motion;

/// W in d x d blocks, block row after block row; every array is borrowed.
typedef struct scree_problem {
    int contacts;         // nc
    int dimension;        // d: 2, 3, or 5 with the moments of rolling about both tangents
    const int *row;       // first block of each block row           (nc + 1)
    const int *column;    // block column, ascending within a row    (blocks)
    const int *diagonal;  // where the block (i, i) stands           (nc)
    const double *block;  // W, each block row-major                 (blocks x d x d) [1/kg]
    const double *b;      // velocity without impulses               (nc x d) [m/s]
    const double *mu;     // friction coefficient                    (nc)

    // what most problems do without: NULL
    const double *mu_second;        // along the second tangent, where friction differs there: the
                                    // cone is elliptic, slip is associated (nc), d = 3 or 5
    const double *mu_rolling;       // rolling resistance: |p_R| <= mu_rolling p_N (nc) [m], d = 5
    const double *rolling_length;   // the rolling rows have been multiplied by it (nc) [m]
    const double *cohesion;         // c >= 0: p_N >= -c, |p_T| <= mu (p_N + c) (nc) [N s]
    const unsigned char *equality;  // the d rows are equations s = 0 with p free: a joint (nc)
    const scree_motion *motion;
} scree_problem;

typedef struct scree_residual {
    double field;        // |p - P_K(p - (s + mu |s_T| n))| / (1 + |b|): the convention of the field
    double scaled;       // the same in the energy norm of the contacts: does not depend on units
    double field_floor;  // what rounding of p alone can do to field, which has its units
    double rounding;     // the part of scaled that stands for the rounding of p
    double field_rounding;  // what rounding of p and of W p can do to field
} scree_residual;

/// The larger of the two, which is what a tolerance is held against; a field residual below its
/// floor does not count. NaN if one of them is.
SCREE_API double scree_residual_worse(scree_residual residual);

/// Are both residuals below the tolerance, or, where their rounding is above `from` and 1e-13,
/// within 16 times that and below 1e-8? Between bodies of very different mass no impulses do
/// better.
SCREE_API bool scree_residual_is_rounding(scree_residual residual, double tolerance, double from);

/// Is the tolerance reached, or all that rounding leaves to reach where that is above 1/16 of it?
SCREE_API bool scree_residual_meets(scree_residual residual, double tolerance);

/// s = W p + b.
SCREE_API void scree_problem_velocity(const scree_problem *problem, const double *p, double *s);

/// The one judge of all solvers. s (nc x d) is overwritten with W p + b.
SCREE_API scree_residual scree_problem_residual(const scree_problem *problem, const double *p,
                                                double *s);

/// The length that makes the rolling rows of a contact (d = 5) as mobile as its tangents [m].
SCREE_API double scree_problem_rolling_length(const scree_problem *problem, int contact);

#ifdef __cplusplus
}
#endif

#endif
