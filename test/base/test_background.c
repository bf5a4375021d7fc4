// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// test_background.c - a thread that does what it is given: all of it, in order, and awaited.

#include <sched.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/background.h"
#include "harness.h"

enum { JOBS = 200 };

typedef struct diary {
    int entry[JOBS], entries, naps;
} diary;

typedef struct page {
    diary *in;
    int number;
} page;

static void write_page(void *with) {
    const page *p = with;
    if (p->in->naps && p->number % p->in->naps == 0)
        nanosleep(&(struct timespec){ .tv_nsec = 300000 }, NULL);
    p->in->entry[p->in->entries++] = p->number;
}

// all jobs, waited for here and there
static void fill(scree_background *background, diary *d) {
    static page p[JOBS];
    unsigned ticket[JOBS];
    for (int i = 0; i < JOBS; i++) {
        p[i] = (page){ d, i };
        ticket[i] = scree_background_give(background, write_page, &p[i]);
        if (i % 50 != 10) continue;
        scree_background_await(background, ticket[i - 5]);
        CHECK(d->entry[i - 5] == i - 5);
    }
    scree_background_wait(background);
    CHECK_INT(d->entries, JOBS);
    for (int i = 0; i < JOBS; i++) CHECK(d->entry[i] == i);
}

static void everything_is_done_in_order(void) {
    for (int naps = 0; naps < 60; naps += 19) {
        diary d = { .naps = naps };
        scree_background *background = scree_background_begin();
        fill(background, &d);
        scree_background_end(background);
    }
    scree_background_wait(NULL);
    scree_background_end(NULL);
}

static void what_is_not_awaited_is_done_before_the_end(void) {
    diary d = { .naps = 1 };
    page p[3] = { { &d, 0 }, { &d, 1 }, { &d, 2 } };
    scree_background *background = scree_background_begin();
    for (int i = 0; i < 3; i++) scree_background_give(background, write_page, &p[i]);
    scree_background_end(background);
    CHECK_INT(d.entries, 3);
}

static void one_processor_needs_no_thread(void) {
    cpu_set_t all, one;
    CHECK(sched_getaffinity(0, sizeof all, &all) == 0);
    int first = 0;
    while (!CPU_ISSET(first, &all)) first++;
    CPU_ZERO(&one);
    CPU_SET(first, &one);
    CHECK(sched_setaffinity(0, sizeof one, &one) == 0);
    diary d = { 0 };
    page p = { &d, 7 };
    scree_background *background = scree_background_begin();
    scree_background_give(background, write_page, &p);
    CHECK_INT(d.entries, 1);  // at once
    scree_background_end(background);
    CHECK(sched_setaffinity(0, sizeof all, &all) == 0);
}

static void a_child_does_not_wait_for_the_thread_of_its_parent(void) {
    diary d = { .naps = 1 };
    page p = { &d, 0 };
    scree_background *background = scree_background_begin();
    for (int i = 0; i < 10; i++) scree_background_give(background, write_page, &p);
    pid_t child = fork();
    if (child == 0) {
        diary own = { 0 };
        page q = { &own, 3 };
        alarm(20);
        scree_background_wait(background);
        for (int i = 0; i < 40; i++) scree_background_give(background, write_page, &q);
        scree_background_end(background);
        _exit(own.entries != 40);
    }
    int how = -1;
    CHECK(waitpid(child, &how, 0) == child && WIFEXITED(how) && WEXITSTATUS(how) == 0);
    scree_background_end(background);
    CHECK_INT(d.entries, 10);
}

TEST_FILE(test_background) {
    TEST(everything_is_done_in_order);
    TEST(what_is_not_awaited_is_done_before_the_end);
    TEST(one_processor_needs_no_thread);
    TEST(a_child_does_not_wait_for_the_thread_of_its_parent);
    return harness_end();
}
