// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// workspace.h - what solvers keep from problem to problem: memory, and threads that sleep in
// between.

#ifndef SCREE_SOLVE_WORKSPACE_H
#define SCREE_SOLVE_WORKSPACE_H

#include "base/arena.h"
#include "base/parallel.h"
#include "scree/problem.h"

/// Somebody who wants to see an answer that is still loose, and may have seen enough then: sweeps
/// on bodies show it when their residual has come so far, once, and go on from there. Other solvers
/// show nothing.
typedef struct scree_halfway {
    double tolerance;                                          // of the scaled residual
    bool (*look)(void *with, const double *p, double scaled);  // false: that was enough
    void *with;
    bool looked, ended;  // has it been shown, and was it enough?
} scree_halfway;

struct scree_workspace {
    scree_arena arena;
    scree_thread_pool pool;
    scree_halfway *halfway;  // of the next problem, or NULL
};

#endif
