// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// test_team.c - threads that share one work: every piece once, none before what it follows from.

#include <time.h>

#include "base/team.h"
#include "harness.h"

enum { LAYERS = 40, WIDTH = 16, PIECES = LAYERS * WIDTH };

typedef struct wall {  // a brick lies on three of the layer below
    scree_team *team;
    atomic_int drawn;
    scree_tally done;
    int naps;  // bricks between two that take long
    double brick[LAYERS][WIDTH];
} wall;

static void lay(void *with) {
    wall *one = with;
    for (int at = atomic_fetch_add(&one->drawn, 1); at < PIECES;
         at = atomic_fetch_add(&one->drawn, 1)) {
        int layer = at / WIDTH, i = at % WIDTH;
        scree_tally_await(one->team, &one->done, layer * WIDTH);
        if (one->naps && at % one->naps == 0)
            nanosleep(&(struct timespec){ .tv_nsec = 300000 }, NULL);
        double below = 0;
        for (int k = -1; layer > 0 && k <= 1; k++)
            below += one->brick[layer - 1][(i + k + WIDTH) % WIDTH];
        one->brick[layer][i] += below / 3 + i * 0.1;
        scree_tally_add(one->team, &one->done);
    }
}

static void everything_is_done_once_and_in_order(void) {
    static wall alone, many;
    alone = (wall){ 0 };
    scree_team_run(NULL, SCREE_TEAM_ALL, lay, &alone);
    CHECK(alone.brick[LAYERS - 1][3] > 1);
    for (int threads = 1; threads <= 5; threads++) {
        scree_team *team = scree_team_begin(threads);
        CHECK(threads > 1 || !team);
        for (int round = 0; round < 20; round++) {
            many = (wall){ .team = team, .naps = round % 10 ? 0 : 37 };
            scree_team_run(team, round % 7 ? SCREE_TEAM_ALL : 1 + round % 3, lay, &many);
            CHECK_INT(atomic_load(&many.done.count), PIECES);
            CHECK(memcmp(alone.brick, many.brick, sizeof many.brick) == 0);
        }
        scree_team_end(team);
    }
}

/// Who waits long is asleep: a member that has nothing to do for a while takes no processor time.
static void waiting_costs_nothing(void) {
    scree_team *team = scree_team_begin(3);
    clock_t start = clock();
    nanosleep(&(struct timespec){ .tv_nsec = 100000000 }, NULL);
    CHECK((double)(clock() - start) / CLOCKS_PER_SEC < 0.03);
    scree_team_end(team);
}

TEST_FILE(test_team) {
    TEST(everything_is_done_once_and_in_order);
    TEST(waiting_costs_nothing);
    return harness_end();
}
