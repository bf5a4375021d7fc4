// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// body_lu.h - the system that contacts with unsymmetric answers leave to the bodies.
//
// Contacts answer a change of velocity u with impulses -C_i u_i, C_i any d x d matrix. Impulses g
// from outside then move the system by
//
//     (M + sum H_i^T C_i H_i) v = H^T g,     u = H v       (so that u = W (g - C u))
//
// factorised by LU in blocks of three degrees of freedom: half a body in space, a whole one in the
// plane. kkt.h is the same for symmetric answers.

#ifndef SCREE_SOLVE_BODY_LU_H
#define SCREE_SOLVE_BODY_LU_H

#include "base/arena.h"
#include "scree/problem.h"

typedef struct scree_body_lu scree_body_lu;

/// Order and analyse the pattern for the motion that the problem has; NULL without memory. With
/// more than `most` blocks in U the costs are HUGE_VAL.
scree_body_lu *scree_body_lu_new(const scree_problem *problem, double most, scree_arena *arena);

/// Memory for the numbers, before the first factorisation; false without it.
bool scree_body_lu_allocate(scree_body_lu *lu);

/// Factorise for the answers C (nc x d x d). False if a pivot block is singular.
bool scree_body_lu_factor(scree_body_lu *lu, const double *C);

/// u (nc x d) for g; u may be g.
void scree_body_lu_solve(const scree_body_lu *lu, const double *g, double *u);

/// Multiplications of one factorisation with its matrix, of one solve.
double scree_body_lu_factor_cost(const scree_body_lu *lu);
double scree_body_lu_solve_cost(const scree_body_lu *lu);

#endif
