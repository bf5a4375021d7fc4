// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// workspace.h - what solvers keep from problem to problem: memory, and threads that sleep in
// between.

#ifndef SCREE_SOLVE_WORKSPACE_H
#define SCREE_SOLVE_WORKSPACE_H

#include "base/arena.h"
#include "base/parallel.h"

struct scree_workspace {
    scree_arena arena;
    scree_thread_pool pool;
};

#endif
