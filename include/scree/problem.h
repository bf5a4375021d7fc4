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

/// Rows of H of one contact in the columns of one part.
typedef struct scree_jacobian_block {
    int part;           // rigid bodies first, then the other parts
    int columns;        // 0: all that the part has, otherwise how many of them
    const int *column;  // which these are                               (columns)
    const double *H;    // row after row                                 (d x columns)
} scree_jacobian_block;

/// The inverse A of the inertia of a part that is not a rigid body, by what can be asked of it.
typedef struct scree_part_inverse {
    int width;  // columns of H that there can be
    int dof;    // its first degree of freedom in v_free
    void *self;
    void (*solve)(void *self, double *x);             // x = A x (width); NULL: by columns alone
    const double *(*column)(void *self, int column);  // of A (width); NULL: by solving alone
    scree_status (*require)(void *self, const int *column, int count,
                            scree_error *err);  // or NULL:
                                                // let these columns be there, others may go
    const double *factor;  // L of A^-1 = L L^T (width x width), or NULL if it is not at hand
} scree_part_inverse;

enum { SCREE_FIXED = -1 };  // the number of a body that nothing moves

/// W = H A H^T by parts: rigid bodies and others, none of which A couples with another one. Every
/// array is borrowed. H is given in one of two ways:
/// by blocks: first and block;
/// by frames, for rigid bodies without other parts: body, frame, and either arm, or, for
/// balls in space, radius and, where that is not 1, arm_ratio. H is then never stored. The arms of
/// a contact of balls are arm_ratio * radius along the normal, which points from b to a; p acts on
/// a, -p on b. In the plane d = 2, frames and arms have z = 0, and the tangent is (-n_y, n_x).
typedef struct scree_bodies {
    int rigid;              // rigid bodies
    int width;              // degrees of freedom of each: 3 in the plane, 6 in space
    const double *inverse;  // 1/m, 1/J; or 1/m and J^-1 in world axes: xx xy xz yy yz zz; all 0:
                            // keeps its velocity, whatever the impulses (rigid x 2 or 7)
    int parts;              // others behind them
    const scree_part_inverse *part;     // (parts)
    bool unsymmetric;                   // A of some part is not symmetric
    const int *first;                   // first block of each contact       (nc + 1)
    const scree_jacobian_block *block;  // by contact, then by part
    const int *body;                    // a and b, or SCREE_FIXED           (nc x 2)
    const double *frame;                // normal, first, second tangent, right-handed (nc x 9)
    const double *arm;        // from the centres of a and b to the point    (nc x 6) or NULL
    const double *radius;     // of balls                                    (rigid) or NULL
    const double *arm_ratio;  // arms over radii, NULL: 1                    (nc) or NULL
    const double *position;   // gives a good order, nothing else            (rigid x 3) or NULL
    const double *v_free;     // velocity without impulses                   (dofs) or NULL
    const double *w;          // b = H v_free + w, NULL: 0                   (nc x d) or NULL
} scree_bodies;

/// W in blocks, by bodies, or in both ways; every array is borrowed. Engines on bodies
/// take v_free and w for b; one that is not H v_free + w (scree_problem_offset) they refuse. Blocks
/// are d x d, block row after block row. What is missing of the two is made when somebody wants it.
typedef struct scree_problem {
    int contacts;         // nc
    int dimension;        // d: 2, 3, or 5 with the moments of rolling about both tangents
    const int *row;       // first block of each block row           (nc + 1)
    const int *column;    // block column, ascending within a row    (blocks)
    const int *diagonal;  // where the block (i, i) stands           (nc)
    const double *block;  // W, each block row-major                 (blocks x d x d) [1/kg] or NULL
    const double *b;      // velocity without impulses               (nc x d) [m/s]
    const double *mu;     // friction coefficient                    (nc)

    // what most problems do without: NULL
    const double *mu_second;        // along the second tangent, where friction differs there: the
                                    // cone is elliptic, slip is associated (nc), d = 3 or 5
    const double *mu_rolling;       // rolling resistance: |p_R| <= mu_rolling p_N (nc) [m], d = 5
    const double *rolling_length;   // the rolling rows have been multiplied by it (nc) [m]
    const double *cohesion;         // c >= 0: p_N >= -c, |p_T| <= mu (p_N + c) (nc) [N s]
    const unsigned char *equality;  // the d rows are equations s = 0 with p free: a joint (nc)
    const double *limit;            // of the rows of a joint: |p_r| <= limit, and p_r at the limit
                                    // against s_r where that is not 0 (a motor, dry friction)
                                    // HUGE_VAL is an equation, below 0 no such row (nc x d)
    const int *bearing;             // the joint whose reaction adds mu |weight o p_bearing| to the
                                    // finite limits of this one: its friction; -1: none. W has a
                                    // block for the two                            (nc)
    const double *bearing_weight;   // of that reaction's rows, NULL: 1             (nc x d)
    const double *compliance;    // c >= 0: s = H A H^T p + b + c p, springs. A W in blocks has it
                                 // on its diagonal already (nc x d) [1/kg]
    const scree_motion *motion;  // M and H as sparse matrices
    const scree_bodies *bodies;  // W by bodies
    void *owner;                 // of blocks that scree_problem_assemble added
} scree_problem;

typedef struct scree_residual {
    double natural;  // |p - P_K(p - (s + mu |s_T| n))| / (1 + |b|): the convention of the field
    double scaled;   // the same in the energy norm of the contacts: does not depend on units
    double natural_floor;     // what rounding of p alone can do to field, which has its units
    double rounding;          // the part of scaled that stands for the rounding of p
    double pull_rounding;     // what rounding of cohesion can do to scaled
    double natural_rounding;  // what rounding of p and of W p can do to field
    double work;              // what works of contacts can be off by, with what is missed [J]
} scree_residual;

/// The larger of the two, which is what a tolerance is held against; a field residual below its
/// floor does not count. NaN if one of them is.
SCREE_API double scree_residual_max(scree_residual residual);

/// Are both residuals below the tolerance, or, where their rounding is above `from` and 1e-13,
/// within 16 times that and below 1e-8? Between bodies of very different mass no impulses do
/// better.
SCREE_API bool scree_residual_is_rounding(scree_residual residual, double tolerance, double from);

/// Is the tolerance reached, or all that rounding leaves to reach where that is above 1/16 of it?
SCREE_API bool scree_residual_meets(scree_residual residual, double tolerance);

/// s = W p + b. By bodies alone it draws memory: false, and s is NaN, when that ran out.
SCREE_API bool scree_problem_velocity(const scree_problem *problem, const double *p, double *s);

/// The one judge of all solvers. s (nc x d) is overwritten with W p + b.
SCREE_API scree_residual scree_problem_residual(const scree_problem *problem, const double *p,
                                                double *s);

/// b = H v_free + w of a problem by bodies.
SCREE_API void scree_problem_offset(const scree_problem *problem, double *b);

/// Add W in blocks to a problem by bodies. Costs the square of the number of contacts of a part.
SCREE_API scree_status scree_problem_assemble(scree_problem *problem, scree_error *err);
/// Take these blocks away again, if there are any.
SCREE_API void scree_problem_release(scree_problem *problem);

/// The length that makes the rolling rows of a contact (d = 5) as mobile as its tangents [m].
SCREE_API double scree_problem_rolling_length(const scree_problem *problem, int contact);

#ifdef __cplusplus
}
#endif

#endif
