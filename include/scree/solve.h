// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// solve.h - from a contact problem to contact impulses.

#ifndef SCREE_SOLVE_H
#define SCREE_SOLVE_H

#include "scree/problem.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Which residual a tolerance is held against.
typedef enum scree_criterion {
    SCREE_CRITERION_BOTH,     // the worse of the two, see scree_residual_max
    SCREE_CRITERION_NATURAL,  // the convention of the field, for comparison with other codes
    SCREE_CRITERION_SCALED,
} scree_criterion;

/// What `auto` has learned of problems and islands of each size, 2^k contacts; begin with a zeroed
/// one and hand it on from problem to problem. What is learned changes what is done, so that a run
/// that must give the same bits after a restart has to keep it too, or do without.
typedef struct scree_solver_memory {
    double newton_steps[32];  // that Newton needed lately; 0: not tried yet
} scree_solver_memory;

/// Memory that scree_solve keeps from problem to problem; one problem at a time.
typedef struct scree_workspace scree_workspace;

/// An empty workspace; NULL: no memory.
SCREE_API scree_workspace *scree_workspace_new(void);

/// Free it, with all that it owns.
SCREE_API void scree_workspace_free(scree_workspace *workspace);

enum { SCREE_THREADS_MOST = 1024 };

typedef struct scree_solver_options {
    const char *name;  // a row of scree_solver_list
    double tolerance;  // > 0; in the options of a run NaN: by the model
    double worst;      // of a run, where no engine comes below the tolerance: a step whose residual
                       // is not above this is taken all the same, and counted; 0: none is
    int max_sweeps;    // iterations of any kind: sweeps over all contacts, Newton steps; at least 1
                       // (from 1000 on `auto` adds up to 10000 before it gives up)
    scree_criterion criterion;
    double max_seconds;  // of the processor, 0: no limit. With a limit the answer depends
                         // on the machine.
    double max_effort;   // factorisations that `auto` spends on a problem which its usual ways do
                         // not solve, a sweep counts as a fifth; 0: no limit. For 2000 contacts and
                         // more; fewer have proportionally more, up to 64 no limit
    const volatile int *interrupt;  // or NULL: not 0, the solver ends soon with what it has
    bool *interrupted;              // or NULL: set where that happened
    int threads;  // 0: one a processor; at most SCREE_THREADS_MOST. The answer does not
                  // depend on it.
    scree_solver_memory *memory;  // or NULL: what is learned is forgotten after the problem
    scree_workspace *workspace;   // or NULL
    bool least;  // up to 300 contacts: say whether impulses are unique, take the least if not
} scree_solver_options;

/// auto, 1e-10, 10000 iterations, both residuals, no limit of time, one thread.
SCREE_API scree_solver_options scree_solver_options_default(void);

typedef enum scree_stop_reason {
    SCREE_STOP_SOLVED,      // below the tolerance
    SCREE_STOP_LIMIT,       // the limit of iterations came first
    SCREE_STOP_TIME,        // the limit of time came first
    SCREE_STOP_STALLED,     // no progress any more, above the tolerance
    SCREE_STOP_INFEASIBLE,  // there is no solution, and p proves it
    SCREE_STOP_BROKEN,      // the problem holds numbers that are not finite, or a singular contact
    SCREE_STOP_TURNING,     // of a step: solved, but bodies turn otherwise with these impulses
} scree_stop_reason;

typedef struct scree_seconds {
    double prepare;  // islands, ordering, copies
    double iterate;  // sweeps, products, projections
    double factor;   // matrices built and factorised, and solves with them
    double judge;    // residuals
} scree_seconds;

/// Are the impulses the only ones with their statuses? Other statuses may be a solution too.
typedef enum scree_uniqueness {
    SCREE_UNIQUE_UNKNOWN,  // not looked at: too many contacts, nothing that depends on it
    SCREE_UNIQUE,
    SCREE_NOT_UNIQUE,  // the set of impulses has the dimension `freedom`
} scree_uniqueness;

typedef struct scree_report {
    const char *solver;  // the one that had the last word
    bool converged;
    scree_stop_reason reason;
    int iterations;      // sweeps, Newton steps and the like, of the island that needed most
    int factorizations;  // of a matrix of the size of the problem
    int islands;         // independent parts that were solved on their own
    scree_residual residual;
    scree_seconds seconds;
    scree_uniqueness unique;
    int freedom;  // dimension of the set of impulses around the answer, if that is not unknown
    bool least;   // the answer has been made the least of the set
} scree_report;

/// Why a solver ended, in words.
SCREE_API const char *scree_stop_reason_text(scree_stop_reason reason);

/// Solve from the guess in p (nc x d) and overwrite p with the best iterate found. Missing the
/// tolerance is a report, not an error; errors are an unknown solver, one that cannot serve the
/// problem's cones or bodies, or no memory. W may be given in blocks or by bodies (problem.h): what
/// a solver wants in blocks is assembled for it. With SCREE_STOP_INFEASIBLE p holds the proof
/// instead: normal impulses p_N >= 0, nothing tangential (joints: any), with W p = 0 and b.p < 0,
/// of length 1. No motion then makes all of s_N >= 0.
SCREE_API scree_status scree_solve(const scree_problem *problem,
                                   const scree_solver_options *options, double *p,
                                   scree_report *report, scree_error *err);

struct scree_solver_context;  // the library's own

typedef struct scree_statuses {
    int open, stick, slip;  // contacts; an equality counts as stick
} scree_statuses;

/// How many contacts are open, stick and slip at p, s = W p + b: open bears nothing against the
/// largest, stick moves by nothing against the largest or is inside its cone; mu = 0 slips.
SCREE_API scree_statuses scree_problem_statuses(const scree_problem *problem, const double *p,
                                                const double *s, double tolerance);

/// The joints that a solver takes: equations, rows with limits, friction on reactions besides.
typedef enum scree_solver_joints {
    SCREE_JOINTS_EQUATIONS,
    SCREE_JOINTS_LIMITS,
    SCREE_JOINTS_BEARINGS,
} scree_solver_joints;

/// One row of the menu: what it does with W in blocks, and what with W by bodies (rigid bodies in
/// space by frames, Coulomb's cones); NULL: it does not take that.
typedef struct scree_solver_entry {
    const char *name, *summary;
    scree_solver_joints joints;
    scree_status (*with_blocks)(struct scree_solver_context *context, scree_error *err);
    scree_status (*by_bodies)(struct scree_solver_context *context, scree_error *err);
} scree_solver_entry;

/// The menu; the row after the last one has no name.
SCREE_API const scree_solver_entry *scree_solver_list(void);

#ifdef __cplusplus
}
#endif

#endif
