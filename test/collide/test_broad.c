// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// test_broad.c - which boxes overlap, against trying all pairs.

#include "collide/broad_phase.h"

#include <float.h>
#include <stdlib.h>

#include "failing.h"
#include "harness.h"
#include "random.h"

// -------------------------------------------------------------------------------------------------
// worlds of boxes

enum { MOST = 700 };

typedef struct world {
    int count, space;
    scree_aabb box[MOST];
    int owner[MOST];
    unsigned char moves[MOST];
} world;

typedef enum scatter {
    UNIFORM,
    PACKED,        // sizes within a factor of 3, each touching some
    CLUSTERED,     // a few clusters, far apart
    ANY_SIZE,      // 1e-6 to 1e6
    LAYERS,        // flat boxes on top of each other
    IDENTICAL,     //
    POINTS,        // no size, many in the same place
    LATTICE,       // tiny on a wide lattice, neighbours of which share corners
    ONE_HUGE,      // ratio 1e6
    ONE_ENORMOUS,  // ratio 1e12
    FAR,           // 1e-3 at 1e9
    OUTLIER,       // packed, and one far away
    NEEDLES,       // long along any axis
    TINY,          // close to the smallest numbers
    VAST,          // close to the largest
    SCATTERS,
} scatter;

static void put(world *w, int i, const double centre[3], const double extent[3]) {
    for (int d = 0; d < 3; d++) {
        w->box[i].low[d] = d < w->space ? centre[d] - extent[d] / 2 : 0;
        w->box[i].high[d] = d < w->space ? centre[d] + extent[d] / 2 : 0;
    }
}

static void put_random(world *w, int i, double width, double least, double most) {
    double centre[3], extent[3];
    for (int d = 0; d < 3; d++) {
        centre[d] = width * uniform(-1, 1);
        extent[d] = least + (most - least) * uniform(0, 1);
    }
    put(w, i, centre, extent);
}

static void put_lattice(world *w, int i, double step, double extent) {
    double centre[3] = { step * (i % 8), step * (i / 8 % 8), step * (i / 64) };
    double extents[3] = { extent, extent, extent };
    put(w, i, centre, extents);
}

static void shift(scree_aabb *box, double by) {
    for (int d = 0; d < 3; d++) box->low[d] += by, box->high[d] += by;
}

static void put_any(world *w, scatter s, int i) {
    double width = w->space == 2 ? sqrt(w->count) : cbrt(w->count);
    double size = exp(uniform(log(1e-6), log(1e6)));
    double flat[3] = { uniform(0, 2), uniform(0, 2), 1e-4 }, at[3] = { 0 }, needle[3];
    if (s == UNIFORM) put_random(w, i, width, 0, 2);
    if (s == PACKED || s == OUTLIER) put_random(w, i, width, 0.6, 1.8);
    if (s == CLUSTERED) {
        put_random(w, i, 1, 0, 0.3);
        shift(&w->box[i], 1e5 * random_int(0, 4));
    }
    if (s == ANY_SIZE) put_random(w, i, size * uniform(0, 10), size / 2, size);
    if (s == LAYERS) {
        for (int d = 0; d < 2; d++) at[d] = uniform(0, width);
        at[w->space - 1] = 1e-4 * random_int(0, 5);
        flat[w->space - 1] = 1e-4;
        put(w, i, at, flat);
    }
    if (s == IDENTICAL) put_lattice(w, 0, 1, 0.3), w->box[i] = w->box[0];
    if (s == POINTS) {
        for (int d = 0; d < 3; d++) at[d] = 0.1 * random_int(0, 6);
        put(w, i, at, (double[3]){ 0 });
    }
    if (s == LATTICE) put_lattice(w, i, 1024, i % 2 ? 1024 : 1);
    if (s == ONE_HUGE) put_random(w, i, width, i ? 0 : 1e6, i ? 1 : 2e6);
    if (s == ONE_ENORMOUS) put_random(w, i, width, i ? 0 : 1e12, i ? 1 : 2e12);
    if (s == FAR) {
        put_random(w, i, 1e-3 * width, 0, 2e-3);
        shift(&w->box[i], i % 3 ? 1e9 : -1e9);
    }
    if (s == OUTLIER && i == 0) shift(&w->box[i], 1e13);
    if (s == NEEDLES) {
        for (int d = 0; d < 3; d++) at[d] = uniform(0, width), needle[d] = 1e-3;
        needle[random_int(0, w->space - 1)] = uniform(0, 10);
        put(w, i, at, needle);
    }
    if (s == TINY) put_random(w, i, 1e-320, 0, 1e-320);
    if (s == VAST) put_random(w, i, DBL_MAX / 4, 0, DBL_MAX / 8);
}

/// A world of one kind; with trimmings, some do not move, share an owner, are absent or infinite.
static void make(world *w, scatter s, int count, int space, bool trimmings) {
    w->count = count;
    w->space = space;
    for (int i = 0; i < count; i++) {
        put_any(w, s, i);
        w->owner[i] = trimmings ? random_int(0, count / 2) : i;
        w->moves[i] = !trimmings || random_int(0, 3) > 0;
        if (!trimmings) continue;
        int luck = random_int(0, 40), d = random_int(0, space - 1);
        if (luck == 0) w->box[i].low[d] = w->box[i].high[d] + 1;
        if (luck == 1) w->box[i].low[d] = -HUGE_VAL;
        if (luck == 2) w->box[i].high[d] = HUGE_VAL;
        if (luck == 3) {
            w->box[i] = (scree_aabb){ { -HUGE_VAL, -HUGE_VAL, -HUGE_VAL },
                                      { HUGE_VAL, HUGE_VAL, HUGE_VAL } };
        }
    }
}

static bool overlaps(const world *w, int i, int j) {
    if (w->owner[i] == w->owner[j] || (!w->moves[i] && !w->moves[j])) return false;
    for (int d = 0; d < w->space; d++) {
        const scree_aabb *a = &w->box[i], *b = &w->box[j];
        if (a->low[d] > a->high[d] || b->low[d] > b->high[d]) return false;
        if (fmax(a->low[d], b->low[d]) > fmin(a->high[d], b->high[d])) return false;
    }
    return true;
}

static void compare(const world *w, const int *pair, size_t pairs, const char *what) {
    size_t next = 0;
    for (int i = 0; i < w->count; i++)
        for (int j = i + 1; j < w->count; j++) {
            if (!overlaps(w, i, j)) continue;
            if (next < pairs && pair[2 * next] == i && pair[2 * next + 1] == j) {
                next++;
                continue;
            }
            COMPLAIN("%s: pair %d %d is not number %zu", what, i, j, next);
            return;
        }
    if (next != pairs) COMPLAIN("%s: %zu pairs, %zu found", what, next, pairs);
}

static const scree_boxes_changed all = { NULL, 0 };

static void find_changed(scree_broad_phase *broad, const world *w, scree_boxes_changed changed,
                         const char *what) {
    scree_error err;
    const int *pair;
    size_t pairs;
    if (scree_broad_phase_find(broad, w->box, changed, &pair, &pairs, &err))
        COMPLAIN("%s: %s", what, err.text);
    else
        compare(w, pair, pairs, what);
}

static void find_and_compare(scree_broad_phase *broad, const world *w, const char *what) {
    find_changed(broad, w, all, what);
}

static scree_broad_phase *make_broad(const world *w) {
    scree_error err;
    scree_broad_phase *broad = NULL;
    if (scree_broad_phase_new(w->count, w->space, w->owner, w->moves, &broad, &err))
        COMPLAIN("%s", err.text);
    return broad;
}

// -------------------------------------------------------------------------------------------------

static void pairs_are_those_of_brute_force(void) {
    static const int counts[] = { 0, 1, 2, 16, 17, 18, 60, 300, MOST };
    static world w;
    for (int s = 0; s < SCATTERS; s++)
        for (int k = 0; k < 9; k++)
            for (int mode = 0; mode < 4; mode++) {
                char what[80];
                snprintf(what, sizeof what, "scatter %d, %d boxes, mode %d", s, counts[k], mode);
                make(&w, (scatter)s, counts[k], 2 + mode % 2, mode / 2);
                scree_broad_phase *broad = make_broad(&w);
                find_and_compare(broad, &w, what);
                scree_broad_phase_free(broad);
            }
}

static void many_small_worlds(void) {
    static world w;
    for (int round = 0; round < 4000; round++) {
        int s = random_int(0, SCATTERS - 1), count = random_int(0, 60);
        char what[80];
        snprintf(what, sizeof what, "round %d, scatter %d", round, s);
        make(&w, (scatter)s, count, random_int(2, 3), random_int(0, 1));
        scree_broad_phase *broad = make_broad(&w);
        find_and_compare(broad, &w, what);
        scree_broad_phase_free(broad);
    }
}

/// Boxes whose corners are small integers: nearly all pairs touch or nearly do.
static void touching_counts(void) {
    static world w;
    for (int round = 0; round < 300; round++) {
        make(&w, UNIFORM, 200, random_int(2, 3), false);
        double unit = exp(uniform(-20, 20));
        for (int i = 0; i < w.count; i++)
            for (int d = 0; d < w.space; d++) {
                int low = random_int(-6, 6);
                w.box[i].low[d] = unit * low;
                w.box[i].high[d] = unit * (low + random_int(0, 3));
            }
        scree_broad_phase *broad = make_broad(&w);
        find_and_compare(broad, &w, "integers");
        scree_broad_phase_free(broad);
    }
}

static void calls_can_be_repeated(void) {
    static world w, next;
    static int number[MOST];
    make(&w, UNIFORM, 400, 3, true);
    scree_broad_phase *broad = make_broad(&w);
    for (int round = 0; round < 120; round++) {
        char what[80];
        snprintf(what, sizeof what, "round %d", round);
        if (round % 4 == 0) {  // something else entirely
            make(&next, (scatter)random_int(0, SCATTERS - 1), w.count, 3, true);
            memcpy(w.box, next.box, sizeof w.box);
        } else if (round % 4 == 1) {  // those that move do
            scree_boxes_changed changed = { number, 0 };
            for (int i = 0; i < w.count; i++) {
                if (!w.moves[i]) continue;
                shift(&w.box[i], uniform(-0.1, 0.1));
                number[changed.count++] = i;
            }
            int other = random_int(0, w.count - 1);  // one that does not, too
            if (round % 8 == 1 && !w.moves[other]) {
                shift(&w.box[other], uniform(-0.1, 0.1));
                changed = all;
            }
            find_changed(broad, &w, changed, what);
            continue;
        } else if (round % 4 == 2) {  // one comes or goes
            w.box[random_int(0, w.count - 1)].low[0] = random_int(0, 1) ? HUGE_VAL : 0;
        }
        find_and_compare(broad, &w, what);
    }
    scree_broad_phase_free(broad);
}

static void third_coordinate_does_not_count_in_the_plane(void) {
    static world w;
    make(&w, UNIFORM, 300, 2, true);
    for (int i = 0; i < w.count; i++) {
        w.box[i].low[2] = i % 3 ? uniform(-1, 1) : (double)NAN;
        w.box[i].high[2] = i % 5 ? -HUGE_VAL : uniform(-1, 1);
    }
    scree_broad_phase *broad = make_broad(&w);
    find_and_compare(broad, &w, "plane");
    scree_broad_phase_free(broad);
}

static void not_a_number_is_refused(void) {
    static world w;
    make(&w, PACKED, 100, 3, true);
    scree_broad_phase *broad = make_broad(&w);
    for (int round = 0; round < 100; round++) {
        int i = random_int(0, 99), d = random_int(0, 2);
        scree_aabb kept = w.box[i];
        *(round % 2 ? &w.box[i].low[d] : &w.box[i].high[d]) = NAN;
        scree_error err = { 0 };
        const int *pair;
        size_t pairs;
        char expected[80];
        snprintf(expected, sizeof expected, "box %d is not a number", i);
        CHECK_INT(scree_broad_phase_find(broad, w.box, all, &pair, &pairs, &err), SCREE_BAD_INPUT);
        CHECK_TEXT(err.text, expected);
        w.box[i] = kept;
        find_and_compare(broad, &w, "after");
    }
    scree_broad_phase_free(broad);
}

static void memory_runs_out(void) {
    static world w;
    make(&w, ONE_HUGE, 300, 3, true);
    long failed = 0;
    for (fails_at = 1;; fails_at++) {
        calls = 0;
        scree_error err = { 0 };
        scree_broad_phase *broad = NULL;
        const int *pair = NULL;
        size_t pairs = 0;
        scree_status status =
            scree_broad_phase_new(w.count, w.space, w.owner, w.moves, &broad, &err);
        if (status && broad) COMPLAIN("call %ld: something was made", fails_at);
        if (!status) {
            status = scree_broad_phase_find(broad, w.box, all, &pair, &pairs, &err);
            // and again, with enough
            long reached = calls;
            find_and_compare(broad, &w, "after a failure");
            calls = reached;
        }
        scree_broad_phase_free(broad);
        if (status && status != SCREE_NO_MEMORY) COMPLAIN("status %d: %s", status, err.text);
        if (status && !err.text[0]) COMPLAIN("call %ld: no sentence", fails_at);
        if (calls < fails_at) break;
        failed += status == SCREE_NO_MEMORY;
    }
    fails_at = 0;
    CHECK(failed > 12);
}

// -------------------------------------------------------------------------------------------------
// the tree alone

static void tree_finds_what_is_there(void) {
    static world w;
    static int found[MOST], room_found[MOST];
    for (int round = 0; round < 300; round++) {
        make(&w, (scatter)(round % SCATTERS), random_int(0, 200), 3, round % 2);
        scree_arena arena = { 0 };
        scree_error err;
        scree_tree *tree = NULL;
        if (scree_tree_make(w.box, w.count, &arena, &tree, &err)) {
            COMPLAIN("%s", err.text);
            scree_arena_free(&arena);
            continue;
        }
        for (int k = 0; k < 20; k++) {
            // one of the boxes, for which nothing is left to the owners
            scree_aabb ask = w.count ? w.box[random_int(0, w.count - 1)] : (scree_aabb){ 0 };
            int count = scree_tree_find(tree, &ask, found, MOST), expected = 0;
            for (int i = 0; i < w.count; i++) {
                bool there = true;
                for (int d = 0; d < 3; d++)
                    there =
                        there && w.box[i].low[d] <= w.box[i].high[d] &&
                        fmax(ask.low[d], w.box[i].low[d]) <= fmin(ask.high[d], w.box[i].high[d]);
                if (!there) continue;
                if (expected >= count || found[expected] != i) COMPLAIN("box %d is missing", i);
                expected++;
            }
            CHECK_INT(count, expected);
            // with less room: the first ones, and how many there are
            int room = random_int(0, count);
            CHECK_INT(scree_tree_find(tree, &ask, room_found, room), count);
            if (memcmp(found, room_found, (size_t)room * sizeof *found) != 0)
                COMPLAIN("other boxes with room for %d of %d", room, count);
        }
        scree_arena_free(&arena);
    }
}

static void tree_refuses_and_fails(void) {
    static world w;
    make(&w, PACKED, MOST, 3, false);
    scree_error err = { 0 };
    scree_tree *tree;
    for (fails_at = 1; fails_at <= 3; fails_at++) {
        scree_arena arena = { 0 };
        calls = 0;
        CHECK_INT(scree_tree_make(w.box, w.count, &arena, &tree, &err), SCREE_NO_MEMORY);
        CHECK(!tree);
        scree_arena_free(&arena);
    }
    fails_at = 0;
    scree_arena arena = { 0 };
    w.box[77].high[1] = NAN;
    CHECK_INT(scree_tree_make(w.box, w.count, &arena, &tree, &err), SCREE_BAD_INPUT);
    CHECK_TEXT(err.text, "box 77 of a tree is not a number");
    scree_arena_free(&arena);
}

TEST_FILE(test_broad) {
    TEST(pairs_are_those_of_brute_force);
    TEST(many_small_worlds);
    TEST(touching_counts);
    TEST(calls_can_be_repeated);
    TEST(third_coordinate_does_not_count_in_the_plane);
    TEST(not_a_number_is_refused);
    TEST(memory_runs_out);
    TEST(tree_finds_what_is_there);
    TEST(tree_refuses_and_fails);
    return harness_end();
}
