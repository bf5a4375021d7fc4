// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// task.h - what a solver of the menu is given, and what all of them share.

#ifndef SCREE_SOLVE_TASK_H
#define SCREE_SOLVE_TASK_H

#include "base/arena.h"
#include "scree/solve.h"
#include "solve/residual.h"

typedef struct scree_task {
    const scree_problem *problem;  // canonical: cones of law/cone.h alone, at least one contact
    const scree_solver_options *options;
    double *p;             // in: guess, out: best iterate
    scree_report *report;  // a solver adds to the counts and seconds, sets the rest with _finish
    scree_arena *arena;    // scratch; what a solver draws is given back after it
    scree_residual_scales scales;  // of the whole problem, of which this may be an island
    double rounding_from;  // rounding of p above which no more than it is asked for; of the whole
    double deadline;       // of scree_task_now; HUGE_VAL: none
} scree_task;

typedef scree_status scree_solver(scree_task *task, scree_error *err);

/// Residual at p with s = W p + b already known, in the scales of the task.
scree_residual scree_task_residual(const scree_task *task, const double *p, const double *s);

/// The same, computing s.
scree_residual scree_task_judge(scree_task *task, const double *p, double *s);

/// What the tolerance is held against, by the criterion of the options; NaN if broken.
double scree_task_error(const scree_task *task, scree_residual residual);

/// Is the residual all that rounding leaves, which is above `from`, by the criterion of the
/// options?
bool scree_task_rounded(const scree_task *task, scree_residual residual, double from);

/// Rounding that is above the tolerance of the whole problem by itself leaves nothing to solve.
static inline bool scree_task_meets(const scree_task *task, scree_residual residual) {
    return scree_task_error(task, residual) <= task->options->tolerance ||
           scree_task_rounded(task, residual, task->rounding_from);
}

/// Is the guess p = 0?
bool scree_task_is_zero(const scree_task *task);

/// Is the guess good enough as it is? Then this was the end.
bool scree_task_done_already(scree_task *task);

/// Seconds of a steady clock.
double scree_task_now(void);

/// The limit of time counts from here, once; `auto` leaves that until it takes longer than looking.
void scree_task_start_clock(scree_task *task);
bool scree_task_late(const scree_task *task);

/// End of a solver: the iterate it settles for is in task->p. Converged says the residual alone.
void scree_task_finish(scree_task *task, const char *solver, scree_residual residual,
                       scree_stop_reason reason);

scree_status scree_task_no_memory(const scree_task *task, scree_error *err);

/// D_i = trace(W_ii) / d of every contact (nc).
void scree_task_diagonal(const scree_problem *problem, double *D);

// the menu
scree_solver scree_auto_solve, scree_nsgs_solve, scree_nsgs_anderson_solve,
    scree_contact_newton_solve, scree_proximal_newton_solve, scree_admm_solve,
    scree_alart_curnier_solve, scree_apgd_solve, scree_interior_point_solve, scree_lemke_solve,
    scree_enumerate_solve;

#endif
