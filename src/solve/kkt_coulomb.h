// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// kkt_coulomb.h - the linear system of kkt.h when the shift of the law follows the velocity.
//
//     q = g - D (u + n sigma),    u = W q,    sigma_i = mu t_i . u_T,i   (t: direction of sliding)
//
// This is Newton's step for Coulomb's law itself: contacts answer with C = D (1 + n (mu t)^T),
// which is not symmetric. Where factors are those of a sheet or a chain, as in masonry, that is
// factorised as it is, by body_lu.h. Else kkt.h has the symmetric matrix of the law with fixed
// shifts, and GMRES finds the nc shifts, at the price of one solve with it an iteration.

#ifndef SCREE_SOLVE_KKT_COULOMB_H
#define SCREE_SOLVE_KKT_COULOMB_H

#include "base/arena.h"
#include "solve/body_lu.h"
#include "solve/kkt.h"

typedef struct scree_kkt_coulomb {
    const scree_problem *problem;
    scree_kkt *kkt;                 // NULL where there is the other one
    scree_body_lu *lu;              // or NULL
    double *C;                      // with it: answers of the contacts (nc x d x d)
    const double *weight;           // the D to factorise for (nc x d x d), borrowed
    const double *s;                // velocity at the iterate (nc x d), borrowed
    double *unit, *trial, *krylov;  // for GMRES: sqrt(trace(W_ii) / d), scratch
} scree_kkt_coulomb;

/// False without memory. End it, in any case.
bool scree_kkt_coulomb_init(scree_kkt_coulomb *shifted, const scree_problem *problem,
                            const double *weight, const double *s, scree_arena *arena);
void scree_kkt_coulomb_end(scree_kkt_coulomb *shifted);

/// Factorise for the weights and velocities as they are now; false if it broke down.
bool scree_kkt_coulomb_factor(scree_kkt_coulomb *shifted);

/// q and u (nc x d), sigma (nc) for g (nc x d); by GMRES with the residual of sigma below tolerance
/// times what it was for sigma = 0, or after 40 iterations.
void scree_kkt_coulomb_solve(scree_kkt_coulomb *shifted, double tolerance, const double *g,
                             double *q, double *u, double *sigma);

#endif
