// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// team.c - threads that share one work for a while.

#include "base/team.h"

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>

enum { SPINS = 1000 };  // looks before falling asleep: some ten microseconds

struct scree_team {
    int others;  // beside the caller
    pthread_t *thread;
    scree_team_job *job;
    void *with;
    atomic_bool over;
    atomic_int seats;             // for members that may still join the job
    unsigned joined;              // members that did, of all jobs
    scree_tally begun, finished;  // jobs; members that are through with one, of all jobs
    atomic_int asleep;
    pthread_mutex_t mutex;
    pthread_cond_t changed;
};

static void rest_a_little(void) {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

// Who counts looks for sleepers afterwards, who falls asleep says so before it looks at the count:
// one of them sees the other.
void scree_tally_add(scree_team *team, scree_tally *tally) {
    atomic_fetch_add(&tally->count, 1);
    if (!team || atomic_load(&team->asleep) == 0) return;
    pthread_mutex_lock(&team->mutex);
    pthread_cond_broadcast(&team->changed);
    pthread_mutex_unlock(&team->mutex);
}

// counts of a long run begin again from the least number
static bool is_reached(scree_tally *tally, unsigned least) {
    return (int)(atomic_load(&tally->count) - least) >= 0;
}

void scree_tally_await(scree_team *team, scree_tally *tally, unsigned least) {
    for (int i = 0; i < SPINS; i++) {
        if (is_reached(tally, least)) return;
        rest_a_little();
    }
    if (!team) return;  // alone there is nobody to wait for
    pthread_mutex_lock(&team->mutex);
    atomic_fetch_add(&team->asleep, 1);
    while (!is_reached(tally, least)) pthread_cond_wait(&team->changed, &team->mutex);
    atomic_fetch_sub(&team->asleep, 1);
    pthread_mutex_unlock(&team->mutex);
}

static bool take_seat(scree_team *team) {
    int left = atomic_load(&team->seats);
    while (left > 0)
        if (atomic_compare_exchange_weak(&team->seats, &left, left - 1)) return true;
    return false;
}

static void *serve(void *given) {
    scree_team *team = given;
    for (unsigned seen = 0;;) {
        scree_tally_await(team, &team->begun, seen + 1);
        seen = atomic_load(&team->begun.count);
        if (team->over) return NULL;
        if (!take_seat(team)) continue;  // too late: others have done it
        team->job(team->with);
        scree_tally_add(team, &team->finished);
    }
}

// signals are the caller's
static void start_threads(scree_team *team, int wanted) {
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    while (team->others < wanted &&
           pthread_create(&team->thread[team->others], NULL, serve, team) == 0)
        team->others++;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

scree_team *scree_team_begin(int threads) {
    if (threads <= 1) return NULL;
    scree_team *team = calloc(1, sizeof *team);
    pthread_t *thread = calloc((size_t)threads - 1, sizeof *thread);
    if (!team || !thread) {
        free(team);
        free(thread);
        return NULL;
    }
    team->thread = thread;
    pthread_mutex_init(&team->mutex, NULL);
    pthread_cond_init(&team->changed, NULL);
    start_threads(team, threads - 1);
    return team;
}

void scree_team_run(scree_team *team, int most, scree_team_job *job, void *with) {
    if (!team) {
        job(with);
        return;
    }
    int seats = most - 1 < team->others ? most - 1 : team->others;
    team->job = job;
    team->with = with;
    atomic_store(&team->seats, seats);
    scree_tally_add(team, &team->begun);
    job(with);
    team->joined += (unsigned)(seats - atomic_exchange(&team->seats, 0));
    scree_tally_await(team, &team->finished, team->joined);
}

void scree_team_end(scree_team *team) {
    if (!team) return;
    team->over = true;
    scree_tally_add(team, &team->begun);
    for (int i = 0; i < team->others; i++) pthread_join(team->thread[i], NULL);
    pthread_cond_destroy(&team->changed);
    pthread_mutex_destroy(&team->mutex);
    free(team->thread);
    free(team);
}
