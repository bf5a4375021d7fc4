// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// parallel.h - parallel for: loops on threads. What a loop computes must not depend on how many
// there are: its rounds write to different places, and sums go piece by piece in a fixed order.

#ifndef SCREE_BASE_PARALLEL_H
#define SCREE_BASE_PARALLEL_H

#include <stdbool.h>

#include "base/team.h"

/// Threads that come together when a loop first has work for them, stay until
/// scree_thread_pool_end, and sleep in between; a zeroed one has as many as there are processors.
typedef struct scree_thread_pool {
    int threads;       // wanted, the caller's among them; 0: as many as there are processors
    scree_team *team;  // NULL: the caller is alone, or nobody was needed yet
    bool begun;
    long process;  // that has these threads: a copy of it that was forked has none
} scree_thread_pool;

/// As many threads as that, or, if that is 0, as there are processors for this program.
int scree_parallel_threads(int threads);

/// From now on so many.
void scree_thread_pool_want(scree_thread_pool *pool, int threads);

/// The threads of a pool, at work; NULL, also for no pool: the caller is alone.
scree_team *scree_thread_pool_team(scree_thread_pool *pool);
void scree_thread_pool_end(scree_thread_pool *pool);

/// body(with, i) for i = 0 to count - 1, in any order. No pool: by the caller alone.
typedef void scree_parallel_body(void *with, int i);
void scree_parallel_for(scree_thread_pool *pool, int count, scree_parallel_body *body, void *with);

#endif
