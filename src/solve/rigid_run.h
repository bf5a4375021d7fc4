// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// rigid_run.h - one solution of a problem of rigid bodies while it is being found.

#ifndef SCREE_SOLVE_RIGID_RUN_H
#define SCREE_SOLVE_RIGID_RUN_H

#include "solve/rigid_set.h"

typedef struct scree_rigid_run {
    scree_rigid_set set;
    scree_kernel_config team;
    const scree_solver_options *options;
    scree_report *report;
    double start;         // clock
    double size, energy;  // |b|^2, sum |b_i|^2 / D_i
    double *kept;         // an iterate that was good (batches x 24)
    scree_residual kept_residual;
} scree_rigid_run;

/// scree_rigid_solve in memory that is kept for the next problem.
scree_status scree_rigid_solve_in(const scree_rigid_problem *problem,
                                  const scree_solver_options *options, scree_rigid_memory *memory,
                                  scree_report *report, scree_error *err);

double scree_rigid_seconds(void);

/// The residual of the set as it is.
scree_residual scree_rigid_look(scree_rigid_run *run);
/// The number a tolerance is held against.
double scree_rigid_error(const scree_rigid_run *run, scree_residual residual);
/// Report this residual, keep the iterate if it is much better; false if it is not finite.
bool scree_rigid_note(scree_rigid_run *run, scree_residual residual);

#endif
