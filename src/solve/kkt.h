// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// kkt.h - the reduced KKT system behind proximal-newton, admm and interior-point.
//
// Contacts answer a change of velocity u with impulses -D u, D_i symmetric positive semidefinite.
// Impulses g from outside then move the system by
//
//     (M + sum H_i^T D_i H_i) v = H^T g,     u = H v,     q = g - D u       (so that u = W q)
//
// With M and H known that matrix is factorised, on the graph of bodies. From W alone the same
// answer is  q = g - C z,  (1 + C^T W C) z = C^T W g,  u = W q  with  D = C C^T: the matrix is on
// the graph of contacts. The cheaper one is taken. W enters by its symmetric part.

#ifndef SCREE_SOLVE_KKT_H
#define SCREE_SOLVE_KKT_H

#include "base/arena.h"
#include "scree/problem.h"

typedef struct scree_kkt scree_kkt;

/// Is W its own symmetric part, but for rounding?
bool scree_kkt_exact(const scree_problem *problem);

/// Symbolic analysis, once per problem; NULL without memory. Free it.
scree_kkt *scree_kkt_new(const scree_problem *problem);
void scree_kkt_free(scree_kkt *kkt);

/// Factorise for the weights D (nc x d x d). False if it broke down: W is not positive
/// semidefinite, to the digits that D leaves.
bool scree_kkt_factor(scree_kkt *kkt, const double *D);

/// q and u (nc x d) for g. In place is allowed: q == g.
void scree_kkt_solve(scree_kkt *kkt, const double *g, double *q, double *u);

/// The same for g = D x with the weights of the factorisation, which is cheaper; q is not x.
void scree_kkt_solve_weighted(scree_kkt *kkt, const double *x, double *q, double *u);

/// Does the factor fit into memory and into a day? It is analysed for that.
bool scree_kkt_feasible(const scree_problem *problem);

/// Operations of one factorisation and of one solve, from the symbolic analysis.
double scree_kkt_factor_cost(const scree_kkt *kkt);
double scree_kkt_solve_cost(const scree_kkt *kkt);

#endif
