// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// newton.h - Newton on Coulomb's law, beside the two rows of the menu (solve/solver_context.h).

#ifndef SCREE_SOLVE_NEWTON_H
#define SCREE_SOLVE_NEWTON_H

#include "solve/block_lu.h"
#include "solve/body_lu.h"
#include "solve/solver_context.h"

/// Where Newton's system is factorised: on the graph of contacts or on that of bodies.
typedef struct scree_newton_kernel {
    scree_block_lu *contacts;
    scree_body_lu *bodies;
} scree_newton_kernel;

/// The cheaper one, analysed; neither without memory. Its cost is HUGE_VAL if U would have more
/// than `most` blocks.
scree_newton_kernel scree_newton_kernel_choose(scree_solver_context *context, double most);

/// Multiplications of one step's linear algebra.
double scree_newton_kernel_cost(scree_newton_kernel kernel);

/// Is much of b_N zero: bodies that lie on each other?
bool scree_newton_tied(const scree_problem *problem);

/// contact-newton for those who have swept and analysed already: from context->p as it is, until
/// the report counts `limit` iterations. If `bonded` the first step takes its statuses from the
/// impulses, with ties closed, and it ends at once if no point settles so.
scree_status scree_contact_newton_continue(scree_solver_context *context,
                                           scree_newton_kernel kernel, bool bonded, int limit,
                                           scree_error *err);

/// The first attempt at a few contacts, dense and on the stack: no clock, some microseconds. For at
/// most 64 with Coulomb's cones alone, and no close limit of iterations. True: solved, p and the
/// report are final. False: p is as it was, and the report counts the iterations made.
bool scree_newton_dense_solve(scree_solver_context *context);

/// The last digits of a small problem, in long double, from an iterate near a solution; not a row
/// of the menu, `auto` ends with it.
scree_solver scree_newton_extended_solve;
bool scree_newton_extended_can(const scree_problem *problem);

// ---- the proximal term, for newton.c and newton_dense.c

typedef struct scree_proximal {
    double eps;     // weight against D
    double shrink;  // what it is multiplied with after the next point that settles quickly
} scree_proximal;

enum { SCREE_PROXIMAL_QUICK = 4 };  // steps of Newton
#define SCREE_PROXIMAL_LEAST 1e-9
#define SCREE_PROXIMAL_SETTLED 0.3  // inner residual over eps times the way from the centre

/// After a proximal point that took so many steps of Newton.
static inline void scree_proximal_accept(scree_proximal *now, int steps) {
    bool very = steps <= SCREE_PROXIMAL_QUICK / 2;
    double next = very ? 0.1 * now->shrink : 0.5 * now->shrink, least = very ? 0.01 : 0.1;
    double eps = now->shrink * now->eps;
    if (steps <= SCREE_PROXIMAL_QUICK)
        now->eps = eps > SCREE_PROXIMAL_LEAST ? eps : SCREE_PROXIMAL_LEAST;
    now->shrink = next > least ? next : least;
}

/// After one that was thrown away: what was refused just now would be refused again.
static inline void scree_proximal_refuse(scree_proximal *now, double most) {
    now->eps = 4 * now->eps < most ? 4 * now->eps : most;
    now->shrink = 0.7;
}

#endif
