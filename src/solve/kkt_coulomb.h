// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// kkt_coulomb.h - the linear system of kkt.h when the shift of the law follows the velocity.
//
//     q = g - D (u + n sigma),    u = W q,    sigma_i = mu t_i . u_T,i   (t: direction of sliding)
//
// This is Newton's step for Coulomb's law itself. kkt.h has the symmetric matrix of the law
// with fixed shifts; GMRES finds the nc shifts, at the price of one solve with it an iteration.

#ifndef SCREE_SOLVE_KKT_COULOMB_H
#define SCREE_SOLVE_KKT_COULOMB_H

#include "base/arena.h"
#include "solve/kkt.h"

typedef struct scree_kkt_coulomb {
    const scree_problem *problem;
    scree_kkt *kkt;                 // borrowed; factorised by the caller
    const double *weight;           // the D it was factorised for (nc x d x d), borrowed
    const double *s;                // velocity at the iterate (nc x d), borrowed
    double *unit, *trial, *krylov;  // sqrt(trace(W_ii) / d), scratch
} scree_kkt_coulomb;

/// False without memory.
bool scree_kkt_coulomb_init(scree_kkt_coulomb *shifted, const scree_problem *problem,
                            scree_kkt *kkt, const double *weight, const double *s,
                            scree_arena *arena);

/// q and u (nc x d), sigma (nc) for g (nc x d), with the residual of sigma below tolerance times
/// what it was for sigma = 0, or after 40 iterations.
void scree_kkt_coulomb_solve(scree_kkt_coulomb *shifted, double tolerance, const double *g,
                             double *q, double *u, double *sigma);

#endif
