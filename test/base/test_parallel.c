// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// test_parallel.c - loops on threads: every round once, however many threads there are, from loop
// to loop, and in a process that was forked while they slept.

#include <sys/wait.h>
#include <unistd.h>

#include "base/parallel.h"
#include "harness.h"

enum { MOST = 1000 };

static void count(void *with, int i) {
    int *visits = with;
    visits[i]++;
}

static bool all_once(scree_thread_pool *pool, int rounds) {
    int visits[MOST + 1] = { 0 };
    scree_parallel_for(pool, rounds, count, visits);
    bool fine = true;
    for (int i = 0; i <= MOST; i++) fine = fine && visits[i] == (i < rounds);
    return fine;
}

static void every_round_once(void) {
    static const int rounds[] = { 0, 1, 2, 31, 32, 33, MOST };
    scree_thread_pool pool = { .threads = 1 };
    for (int threads = 0; threads <= 5; threads++) {
        scree_thread_pool_want(&pool, threads);
        for (int repeat = 0; repeat < 50; repeat++)
            for (size_t k = 0; k < sizeof rounds / sizeof *rounds; k++)
                CHECK(all_once(&pool, rounds[k]));
        CHECK((pool.team != NULL) == (threads > 1 || (!threads && scree_parallel_threads(0) > 1)));
    }
    CHECK(all_once(NULL, MOST));
    scree_thread_pool_end(&pool);
    scree_thread_pool_end(&pool);
    CHECK(all_once(&pool, MOST));
    scree_thread_pool_end(&pool);
}

static void a_forked_process_has_threads_of_its_own(void) {
    scree_thread_pool pool = { .threads = 3 };
    CHECK(all_once(&pool, MOST));
    pid_t child = fork();
    if (child == 0) {
        alarm(20);
        bool fine = all_once(&pool, MOST) && all_once(&pool, MOST);
        scree_thread_pool_end(&pool);
        _exit(fine ? 0 : 1);
    }
    int status = -1;
    CHECK(child > 0 && waitpid(child, &status, 0) == child && status == 0);
    CHECK(all_once(&pool, MOST));
    scree_thread_pool_end(&pool);
}

TEST_FILE(test_parallel) {
    TEST(every_round_once);
    TEST(a_forked_process_has_threads_of_its_own);
    return harness_end();
}
