// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// solver_context.h - what a solver of the menu is given, and what all of them share.

#ifndef SCREE_SOLVE_SOLVER_CONTEXT_H
#define SCREE_SOLVE_SOLVER_CONTEXT_H

#include "base/arena.h"
#include "scree/solve.h"
#include "solve/limits.h"
#include "solve/residual.h"

typedef struct scree_solver_context {
    const scree_problem *problem;  // canonical: cones of law/cone.h alone, at least one contact
    const scree_solver_options *options;
    double *p;                // in: guess, out: best iterate
    scree_report *report;     // a solver adds to the counts and seconds, sets the rest with _finish
    scree_arena *arena;       // scratch; what a solver draws is given back after it
    scree_thread_pool *pool;  // of options->threads
    scree_residual_scales scales;  // of the whole problem, of which this may be an island
    double rounding_from;  // rounding of p above which no more than it is asked for; of the whole
    scree_limits *limits;  // of time
    double effort;         // of other reports that counts here
    double most_effort;    // HUGE_VAL: no limit
    const struct scree_island_origin *origin;  // of an island, or NULL
    struct scree_halfway *halfway;             // who wants to see a loose answer, or NULL
    bool pressed;                              // p is 0 and has been judged: that is no answer
    bool tried;    // few.c has: the guess is no answer, and dense Newton found none
    bool settled;  // by a solver: unique.c would find nothing to exchange in its answer
} scree_solver_context;

typedef scree_status scree_solver(scree_solver_context *context, scree_error *err);

/// Add W in blocks to a problem by bodies, with memory from the arena, if the solver of the options
/// will want it; it is then there for the caller too.
scree_status scree_solve_prepare(scree_problem *problem, const scree_solver_options *options,
                                 scree_arena *arena, scree_error *err);

/// Will a problem that has no W be solved by its bodies?
bool scree_solve_takes_bodies(const scree_problem *problem, const scree_solver_options *options);

/// Residual at p with s = W p + b already known, in the scales of the task.
scree_residual scree_context_residual(const scree_solver_context *context, const double *p,
                                      const double *s);

/// The same, computing s.
scree_residual scree_context_judge(scree_solver_context *context, const double *p, double *s);

/// What the tolerance is held against, by the criterion of the options; NaN if broken.
static inline double scree_context_error(const scree_solver_context *context,
                                         scree_residual residual) {
    double floor = residual.natural_floor / 16;
    switch (context->options->criterion) {
        case SCREE_CRITERION_NATURAL:
            // impulses whose rounding alone does more cannot be told from a solution
            return residual.natural < floor ? floor : residual.natural;
        case SCREE_CRITERION_SCALED:
            return residual.scaled;
        case SCREE_CRITERION_BOTH:
            break;
    }
    return scree_residual_worse(residual);
}

/// Is the residual all that rounding leaves, which is above `from`, by the criterion of the
/// options?
bool scree_context_rounded(const scree_solver_context *context, scree_residual residual,
                           double from);

/// Rounding that is above the tolerance of the whole problem by itself leaves nothing to solve.
static inline bool scree_context_meets(const scree_solver_context *context,
                                       scree_residual residual) {
    return scree_context_error(context, residual) <= context->options->tolerance ||
           scree_context_rounded(context, residual, context->rounding_from);
}

/// Is the guess p = 0?
bool scree_context_is_zero(const scree_solver_context *context);

/// Is the guess good enough as it is? Then this was the end. At rest: the guess is known to be 0.
bool scree_context_done_already(scree_solver_context *context);
bool scree_context_done_at_rest(scree_solver_context *context);

/// Seconds of a steady clock.
double scree_context_now(void);

/// The limit of time counts from here, once; `auto` leaves that until it takes longer than looking.
void scree_context_start_clock(scree_solver_context *context);
bool scree_context_late(const scree_solver_context *context);

/// Factorisations, and sweeps and the like as a fifth of one.
static inline double scree_report_effort(const scree_report *report) {
    return 0.2 * report->iterations + 0.8 * report->factorizations;
}
double scree_context_effort(const scree_solver_context *context);

/// End of a solver: the iterate it settles for is in context->p. Converged says the residual alone.
static inline void scree_context_finish(scree_solver_context *context, const char *solver,
                                        scree_residual residual, scree_stop_reason reason) {
    scree_report *report = context->report;
    report->solver = solver;
    report->residual = residual;
    report->converged = scree_context_meets(context, residual);
    report->reason = report->converged ? SCREE_STOP_SOLVED : reason;
}

/// The same if the residual is small enough, else nothing.
static inline bool scree_context_solved_by(scree_solver_context *context, const char *solver,
                                           const scree_residual *residual) {
    bool solved = scree_context_meets(context, *residual);
    if (solved) scree_context_finish(context, solver, *residual, SCREE_STOP_SOLVED);
    return solved;
}

scree_status scree_context_no_memory(const scree_solver_context *context, scree_error *err);

/// D_i = trace(W_ii) / d of every contact (nc).
void scree_context_diagonal(const scree_problem *problem, double *D);

/// Let the problem have its motion, made from its bodies or cut out of that of the whole, with
/// memory from the arena. False if there is none.
bool scree_context_find_motion(scree_solver_context *context);

/// The row of the menu with this name; NULL with err, which names a near one, if there is none.
const scree_solver_entry *scree_solver_find(const char *name, scree_error *err);

/// Does it take the joints of the problem?
bool scree_solver_takes(scree_solver *solver, const scree_problem *problem);

/// With this solver, in variables in which all cones are those of law/cone.h (canonical.h); what is
/// reported was judged on the problem as it is given, with W in blocks.
scree_status scree_solve_canonical(scree_solver *solver, scree_solver_context *context,
                                   scree_error *err);

/// Are sweeps on the bodies cheaper than W and what is done with it? cold: from no impulses.
bool scree_auto_prefers_bodies(const scree_problem *problem, double tolerance, bool cold);

/// Conjugate gradients over sweeps, as long as so many of them halve the residual; 0: as `ncg`.
scree_status scree_rigid_ncg_try(scree_solver_context *context, double patience, scree_error *err);

// the menu; on bodies: scree_rigid_serves has said yes
scree_solver scree_auto_bodies_solve, scree_rigid_nsgs_solve, scree_rigid_symmetric_solve,
    scree_rigid_freezing_solve, scree_rigid_ncg_solve;
scree_solver scree_auto_solve, scree_nsgs_solve, scree_nsgs_anderson_solve,
    scree_contact_newton_solve, scree_proximal_newton_solve, scree_admm_solve, scree_newton_solve,
    scree_apgd_solve, scree_interior_point_solve, scree_lemke_solve, scree_enumerate_solve,
    scree_path_solve;

/// Bytes of the impulses of the problem.
static inline size_t scree_context_bytes(const scree_solver_context *context) {
    return (size_t)context->problem->contacts * (size_t)context->problem->dimension *
           sizeof(double);
}

#endif
