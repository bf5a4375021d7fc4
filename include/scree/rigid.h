// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// rigid.h - the contact problem of rigid bodies in space, solved on the bodies without ever
// building W.
//
//     v = v_free + M^-1 H^T p,   s = H v + w,   K* ∋ s + (mu |s_T|, 0)  ⟂  p ∈ K
//
// which is the problem of problem.h with W = H M^-1 H^T and b = H v_free + w. A contact acts on
// side a with p and on side b with -p; its normal points from b to a. Time and memory of a sweep
// are proportional to the number of contacts, from ten to millions.

#ifndef SCREE_RIGID_H
#define SCREE_RIGID_H

#include "scree/solve.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { SCREE_RIGID_FIXED = -1 };  // the number of a body that nothing moves

/// Every array is borrowed. Two kinds of contact, one kind in a problem:
/// general: frame and arm are given, bodies have inverse_inertia (nb x 6);
/// central: radius is given, bodies are balls with inverse_inertia (nb), arm is NULL. The arms are
/// then reach * radius along the normal, and the tangents of frame only say what components mean.
/// A body without inverse mass and inertia keeps its velocity, whatever the impulses.
typedef struct scree_rigid_problem {
    int bodies;                     // nb
    const double *free_velocity;    // v_free: centre, then spin, in world axes    (nb x 6)
    const double *inverse_mass;     //                                             (nb) [1/kg]
    const double *inverse_inertia;  // world axes: xx xy xz yy yz zz; or one number a ball
    const double *radius;           // of balls                                    (nb) or NULL
    const double *position;         // gives a good order, nothing else            (nb x 3) or NULL
    double *velocity;               // out: v                                      (nb x 6) or NULL

    int contacts;         // nc
    const int *body;      // a and b, or SCREE_RIGID_FIXED                         (nc x 2)
    const double *frame;  // normal, first, second tangent, right-handed           (nc x 9)
    const double *arm;    // from the centre of a, of b to the contact point       (nc x 6) or NULL
    const double *arm_ratio;  // distance from both centres over the radii, NULL: 1    (nc) or NULL
    const double *w;          // the part of s that does not come from velocity, NULL: 0  (nc x 3)
    const double *mu;         // friction coefficient                                  (nc)
    double *impulse;          // p: guess and answer                                   (nc x 3)
} scree_rigid_problem;

/// What scree_rigid_solve can do; the row after the last one has no name.
///   nsgs            nonsmooth Gauss-Seidel, every sweep in the same direction
///   nsgs-symmetric  sweeps to and fro in turn; on packings it needs twice as many
///   nsgs-freezing   nsgs that leaves out, for some sweeps, contacts that have stopped changing
SCREE_API const scree_solver_entry *scree_rigid_solver_list(void);

/// Solve from the guess in problem->impulse and overwrite it and problem->velocity.
/// options->name: a row of scree_rigid_solver_list, "auto" or NULL: nsgs. The bits of the answer
/// depend neither on the number of threads nor on the processor. The answer is the last iterate,
/// or an earlier one if that was better.
SCREE_API scree_status scree_rigid_solve(const scree_rigid_problem *problem,
                                         const scree_solver_options *options, scree_report *report,
                                         scree_error *err);

/// The two residuals of problem.h at problem->impulse, without W.
SCREE_API scree_status scree_rigid_residual(const scree_rigid_problem *problem, int threads,
                                            scree_residual *residual, scree_error *err);

/// The same problem with W in blocks, for files, for other solvers and for the judge. Costs the
/// square of the number of contacts of a body.
typedef struct scree_rigid_assembled {
    scree_problem problem;  // valid until freed
    void *owner;
} scree_rigid_assembled;

SCREE_API scree_status scree_rigid_assemble(const scree_rigid_problem *problem,
                                            scree_rigid_assembled *assembled, scree_error *err);
SCREE_API void scree_rigid_assembled_free(scree_rigid_assembled *assembled);

#ifdef __cplusplus
}
#endif

#endif
