// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// binding.h - all that the Python package sees of C: the public headers, built-in scenes, figures
// and the page that plays a run; and loops that are left in C, with Ctrl-C looked after.

#ifndef SCREE_BINDING_H
#define SCREE_BINDING_H

#include "cli/built_in.h"
#include "scree/scree.h"
#include "show/figures.h"
#include "show/page.h"

/// Up to `count` steps, until one is refused. guarded: on
/// SIGINT the present step is not taken and SCREE_INTERRUPTED comes back, after Python's own
/// handler has been called. For the main thread only: the handler is the process's.
scree_status binding_steps(scree_simulation *simulation, int64_t count, bool guarded,
                           scree_error *err);

/// scree_solve, guarded in the same way: the solver ends with what it has.
scree_status binding_solve(const scree_problem *problem, scree_solver_options *options,
                           bool guarded, double *p, scree_report *report, scree_error *err);

/// scree_sweep_find, guarded in the same way: runs at work end their step.
scree_status binding_sweep(const scree_study *study, scree_sweep *sweep, bool guarded,
                           scree_sweep_summary *summary, scree_error *err);

/// Somebody who is told of steps.
typedef struct binding_watch {
    int (*tell)(void *data, int64_t step);  // or NULL; other than 0 stops
    void *data;
    double seconds;  // at most so often; 0: after every step
    double next;     // out
    bool guarded;
} binding_watch;

/// scree_run with a watch instead of a function of every step.
scree_status binding_run(scree_simulation *simulation, const char *path, bool resume,
                         binding_watch *watch, double *wall, scree_error *err);

/// Give back what C allocated for its caller.
void binding_free(void *memory);

#endif
