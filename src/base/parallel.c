// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// parallel.c - loops on threads that stay together from loop to loop.

#include "base/parallel.h"

#include <sched.h>
#include <stddef.h>
#include <unistd.h>

static int count_processors(void) {
#ifdef __linux__
    cpu_set_t allowed;
    if (sched_getaffinity(0, sizeof allowed, &allowed) == 0) return CPU_COUNT(&allowed);
#endif
    long online = sysconf(_SC_NPROCESSORS_ONLN);
    return online > 0 ? (int)online : 1;
}

int scree_parallel_threads(int threads) { return threads > 0 ? threads : count_processors(); }

void scree_thread_pool_want(scree_thread_pool *pool, int threads) {
    if (pool->threads == threads) return;
    scree_thread_pool_end(pool);
    pool->threads = threads;
}

scree_team *scree_thread_pool_team(scree_thread_pool *pool) {
    if (!pool || pool->threads == 1) return NULL;
    long process = getpid();
    if (!pool->begun || pool->process != process) {
        pool->team = scree_team_begin(scree_parallel_threads(pool->threads));
        pool->begun = true;
        pool->process = process;
    }
    return pool->team;
}

void scree_thread_pool_end(scree_thread_pool *pool) {
    if (pool->begun && pool->process == getpid()) scree_team_end(pool->team);
    pool->team = NULL;
    pool->begun = false;
}

typedef struct loop {
    scree_parallel_body *body;
    void *with;
    int count, piece;
    atomic_int drawn;
} loop;

static void take_pieces(void *with) {
    loop *now = with;
    for (int first = atomic_fetch_add(&now->drawn, now->piece); first < now->count;
         first = atomic_fetch_add(&now->drawn, now->piece))
        for (int i = first; i < first + now->piece && i < now->count; i++) now->body(now->with, i);
}

void scree_parallel_for(scree_thread_pool *pool, int count, scree_parallel_body *body, void *with) {
    enum { SHARES = 32 };  // a busy machine makes some of them wait: others take what is left
    scree_team *team = count > 1 ? scree_thread_pool_team(pool) : NULL;
    loop now = { .body = body, .with = with, .count = count, .piece = 1 + (count - 1) / SHARES };
    if (team)
        scree_team_run(team, SCREE_TEAM_ALL, take_pieces, &now);
    else
        for (int i = 0; i < count; i++) body(with, i);
}
