// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// shifted.h - the linear system of kernel.h when the shift of the law follows the velocity.
//
//     q = g - D (u + n sigma),    u = W q,    sigma_i = mu t_i . u_T,i   (t: direction of sliding)
//
// This is Newton's step for Coulomb's law itself. The kernel has the symmetric matrix of the law
// with fixed shifts; GMRES finds the nc shifts, at the price of one kernel solve an iteration.

#ifndef SCREE_SOLVE_SHIFTED_H
#define SCREE_SOLVE_SHIFTED_H

#include "base/arena.h"
#include "solve/kernel.h"

typedef struct scree_shifted {
    const scree_problem *problem;
    scree_kernel *kernel;           // borrowed; factorised by the caller
    const double *weight;           // the D it was factorised for (nc x d x d), borrowed
    const double *s;                // velocity at the iterate (nc x d), borrowed
    double *unit, *trial, *krylov;  // sqrt(trace(W_ii) / d), scratch
} scree_shifted;

/// False without memory.
bool scree_shifted_init(scree_shifted *shifted, const scree_problem *problem, scree_kernel *kernel,
                        const double *weight, const double *s, scree_arena *arena);

/// q and u (nc x d), sigma (nc) for g (nc x d), with the residual of sigma below tolerance times
/// what it was for sigma = 0, or after 40 iterations.
void scree_shifted_solve(scree_shifted *shifted, double tolerance, const double *g, double *q,
                         double *u, double *sigma);

#endif
