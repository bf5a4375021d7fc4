// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// background.c - a thread that does what it is given, one thing after the other.
//
// In a process that was forked while the thread ran there is none: what it had been given is the
// parent's, and what comes is done at once.

#include "base/background.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

enum { JOBS = 16 };

struct scree_background {
    pthread_t thread;
    bool started, refused;
    pid_t process;
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    struct {
        scree_background_job *job;
        void *with;
    } given[JOBS];
    unsigned first, next;  // jobs in the queue, the first one until it is done
    bool over;
};

static void *serve(void *given) {
    scree_background *b = given;
    pthread_mutex_lock(&b->mutex);
    for (;;) {
        while (b->first == b->next && !b->over) pthread_cond_wait(&b->changed, &b->mutex);
        if (b->first == b->next) break;
        unsigned at = b->first % JOBS;
        pthread_mutex_unlock(&b->mutex);
        b->given[at].job(b->given[at].with);
        pthread_mutex_lock(&b->mutex);
        b->first++;
        pthread_cond_broadcast(&b->changed);
    }
    pthread_mutex_unlock(&b->mutex);
    return NULL;
}

static bool is_alone(void) {
    cpu_set_t processors;
    return sched_getaffinity(0, sizeof processors, &processors) == 0 && CPU_COUNT(&processors) < 2;
}

// signals are the caller's
static void start(scree_background *b) {
    sigset_t all, before;
    b->refused = is_alone();
    if (b->refused) return;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    b->started = pthread_create(&b->thread, NULL, serve, b) == 0;
    b->refused = !b->started;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

scree_background *scree_background_begin(void) {
    scree_background *b = calloc(1, sizeof *b);
    if (!b) return NULL;
    b->process = getpid();
    pthread_mutex_init(&b->mutex, NULL);
    pthread_cond_init(&b->changed, NULL);
    return b;
}

unsigned scree_background_give(scree_background *b, scree_background_job *job, void *with) {
    if (!b->started && !b->refused) start(b);
    if (b->refused || b->process != getpid()) {
        job(with);
        return b->next;
    }
    pthread_mutex_lock(&b->mutex);
    while (b->next - b->first == JOBS) pthread_cond_wait(&b->changed, &b->mutex);
    b->given[b->next % JOBS].job = job;
    b->given[b->next % JOBS].with = with;
    unsigned ticket = ++b->next;
    pthread_cond_broadcast(&b->changed);
    pthread_mutex_unlock(&b->mutex);
    return ticket;
}

void scree_background_await(scree_background *b, unsigned ticket) {
    if (!b || !b->started || b->process != getpid()) return;
    pthread_mutex_lock(&b->mutex);
    while ((int)(b->first - ticket) < 0) pthread_cond_wait(&b->changed, &b->mutex);
    pthread_mutex_unlock(&b->mutex);
}

void scree_background_wait(scree_background *b) {
    if (b) scree_background_await(b, b->next);
}

void scree_background_end(scree_background *b) {
    if (!b || b->process != getpid()) return;
    if (b->started) {
        pthread_mutex_lock(&b->mutex);
        b->over = true;
        pthread_cond_broadcast(&b->changed);
        pthread_mutex_unlock(&b->mutex);
        pthread_join(b->thread, NULL);
    }
    pthread_cond_destroy(&b->changed);
    pthread_mutex_destroy(&b->mutex);
    free(b);
}
