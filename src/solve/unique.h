// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// unique.h - are the impulses the only ones, and which of them is taken if they are not?
//
// With the statuses of an answer held, Coulomb's law is a system of equations for the impulses of
// the contacts that bear; the dimension of its kernel is the freedom of the impulses. Where there
// is one, the answer that is taken is
//
//     the limit, for eps -> 0, of the solution of   s = W p + b + eps D p
//
// as if every contact were a little soft, in proportion to its own mobility. Where statuses leave
// the velocities as they are, that is the least p in the energy metric, sum D_i |p_i|^2. It depends
// neither on the order of the contacts nor on where a solver started.

#ifndef SCREE_SOLVE_UNIQUE_H
#define SCREE_SOLVE_UNIQUE_H

#include "solve/solver_context.h"

#define SCREE_UNIQUE_NOTHING 1e-9  // an impulse or a velocity, against the largest

/// An impulse, times D, or a velocity that counts as none for answers to this tolerance.
double scree_unique_nothing(const scree_problem *problem, double tolerance);

/// Could another answer than the one with velocities s move anything otherwise? There is slip, and
/// closed contacts that act on each other: nothing else can be moved by a self-stress.
bool scree_unique_matters(const scree_problem *problem, const double *s);

enum { SCREE_UNIQUE_FEW = 12 };  // contacts of an island that is looked at in any case

/// After a solver: fill the report's `unique` and `freedom`, and put the answer above into
/// context->p where another would do as well. Small problems only, unless the options ask for it;
/// without memory, or should it not succeed, the answer is left alone.
void scree_unique_settle(scree_solver_context *context);

#endif
