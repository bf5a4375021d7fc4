// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// sweep.h - Gauss-Seidel sweeps over the contacts of an assembled problem.

#ifndef SCREE_SOLVE_SWEEP_H
#define SCREE_SOLVE_SWEEP_H

#include "solve/local.h"
#include "solve/task.h"

typedef struct scree_sweep {
    const scree_problem *problem;
    scree_local *local;   // (nc)
    int *first, *column;  // blocks beside the diagonal (nc + 1), (blocks)
    double *block;        // for d = 3 by columns of four numbers, otherwise row-major
    double *D;            // trace(W_ii) / d (nc)
    int *order, *colour;  // contacts colour by colour, first of each; NULL: as they are numbered
    int colours, threads;
    unsigned char *rest;  // sweeps a contact has been quiet, or is left alone for
    double quiet;         // velocity change below which a contact counts as quiet; 0: freeze none
} scree_sweep;

/// Draws on the task's arena. err is set and BROKEN reported if a contact cannot be solved alone.
scree_status scree_sweep_prepare(scree_task *task, scree_sweep *sweep, bool *solvable,
                                 scree_error *err);

/// One sweep, forwards or backwards. Returns sum D_i^2 |change of p_i|^2: a velocity, squared.
double scree_sweep_run(scree_sweep *sweep, double *p, bool forwards);

#endif
