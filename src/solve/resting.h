// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// resting.h - islands of a problem by bodies that the guess solves already.

#ifndef SCREE_SOLVE_RESTING_H
#define SCREE_SOLVE_RESTING_H

#include "solve/solver_context.h"

typedef struct scree_resting {
    scree_residual residual;  // of the guess, on the whole
    int islands;              // of the whole
    int count;                // contacts of the other islands
    int *contact;             // these, ascending                   (count)
    scree_problem problem;    // they alone; bodies are those of the whole
    scree_bodies bodies;
    double *p;  // their guess                                      (count x d)
} scree_resting;

/// Split off the islands whose share of the residual is within their share of SCREE_RESTING_SHARE
/// of the tolerance. False if that is not worth it, most contacts being in one island or in those
/// that do not rest, or without memory; then only islands is known.
bool scree_resting_find(scree_solver_context *context, scree_resting *rest);

/// The impulses of the others go back to their places in p of the whole.
void scree_resting_return(const scree_resting *rest, double *p);

#define SCREE_RESTING_SHARE 0.5  // of the tolerance; sqrt(1 - 0.5^2) of it is for the others

#endif
