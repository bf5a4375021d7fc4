// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// gauss_seidel.h - Gauss-Seidel sweeps over the contacts of an assembled problem.

#ifndef SCREE_SOLVE_GAUSS_SEIDEL_H
#define SCREE_SOLVE_GAUSS_SEIDEL_H

#include "solve/local.h"
#include "solve/solver_context.h"

typedef struct scree_gauss_seidel {
    const scree_problem *problem;
    scree_local *local;   // (nc)
    int *first, *column;  // blocks beside the diagonal (nc + 1), (blocks)
    double *block;        // for d = 3 by columns of four numbers, otherwise row-major
    double *D;            // trace(W_ii) / d (nc)
    double *limit;        // of joints whose rows have some, as reactions are now (nc x d), or NULL
    int *order, *colour;  // contacts colour by colour, first of each; NULL: as they are numbered
    int colours;
    scree_thread_pool *pool;
    unsigned char *idle_sweeps;  // sweeps a contact has been quiet, or is left alone for
    double idle_velocity;  // velocity change below which a contact counts as quiet; 0: freeze none
} scree_gauss_seidel;

/// Draws on the context's arena. err is set and BROKEN reported if a contact cannot be solved
/// alone.
scree_status scree_gauss_seidel_prepare(scree_solver_context *context, scree_gauss_seidel *sweep,
                                        bool *solvable, scree_error *err);

/// One sweep, forwards or backwards. Returns sum D_i^2 |change of p_i|^2: a velocity, squared.
double scree_gauss_seidel_run(scree_gauss_seidel *sweep, double *p, bool forwards);

#endif
