// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// solve.h - from a contact problem to contact impulses.

#ifndef SCREE_SOLVE_H
#define SCREE_SOLVE_H

#include "scree/problem.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct scree_solver_options {
    const char *name;  // a row of scree_solver_list
    double tolerance;  // both residuals must come below it, > 0
    int max_sweeps;    // sweeps over all contacts, at least 1
} scree_solver_options;

/// nsgs, 1e-10, 10000 sweeps.
SCREE_API scree_solver_options scree_solver_options_default(void);

typedef enum scree_stop_reason {
    SCREE_STOP_SOLVED,   // below the tolerance
    SCREE_STOP_LIMIT,    // the limit of iterations came first
    SCREE_STOP_STALLED,  // no progress any more, above the tolerance
    SCREE_STOP_BROKEN,   // the problem holds numbers that are not finite, or a singular contact
} scree_stop_reason;

typedef struct scree_report {
    const char *solver;
    bool converged;
    scree_stop_reason reason;
    int iterations;  // sweeps done
    scree_residual residual;
} scree_report;

SCREE_API const char *scree_stop_reason_text(scree_stop_reason reason);

/// Solve from the guess in p (nc x d) and overwrite p with the best iterate found. Missing the
/// tolerance is a report, not an error; errors are an unknown solver or no memory.
SCREE_API scree_status scree_solve(const scree_problem *problem,
                                   const scree_solver_options *options, double *p,
                                   scree_report *report, scree_error *err);

typedef struct scree_solver_entry {
    const char *name, *summary;
} scree_solver_entry;

/// The menu; the row after the last one has no name.
SCREE_API const scree_solver_entry *scree_solver_list(void);

#ifdef __cplusplus
}
#endif

#endif
