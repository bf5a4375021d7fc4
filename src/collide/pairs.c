// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// pairs.c - a growing list of pairs of numbers, and its order.
//
// Sorting is linear: a counting sort by the first number, then every short run by insertion and
// every long one (a large box has many partners) digit by digit.

#include "collide/pairs.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_ROOM = 256, SHORT_RUN = 48, DIGIT = 8 };

static bool make_room(int **list, size_t *room, size_t need) {
    if (need <= *room) return true;
    size_t more = *room ? *room : FIRST_ROOM;
    while (more < need) more += more / 2;
    if (more > SIZE_MAX / (4 * sizeof **list)) return false;
    int *moved = realloc(*list, 2 * more * sizeof *moved);
    if (!moved) return false;
    *list = moved;
    *room = more;
    return true;
}

bool scree_pairs_grow(scree_pairs *pairs, size_t more) {
    if (!pairs->full && make_room(&pairs->found, &pairs->room, pairs->count + more)) return true;
    pairs->full = true;
    return false;
}

// all pairs of a run share their first number
static void insert_run(int *pair, size_t count) {
    for (size_t k = 1; k < count; k++) {
        int second = pair[2 * k + 1];
        size_t at = k;
        for (; at > 0 && pair[2 * at - 1] > second; at--) pair[2 * at + 1] = pair[2 * at - 1];
        pair[2 * at + 1] = second;
    }
}

static void sort_long_run(int *pair, size_t count, int numbers, int *scratch) {
    for (size_t k = 0; k < count; k++) scratch[k] = pair[2 * k + 1];
    int *from = scratch, *to = scratch + count;
    for (int shift = 0; shift < 31 && numbers >> shift > 0; shift += DIGIT) {
        size_t start[1 << DIGIT] = { 0 }, sum = 0;
        for (size_t k = 0; k < count; k++) start[from[k] >> shift & ((1 << DIGIT) - 1)]++;
        for (int d = 0; d < 1 << DIGIT; d++) {
            size_t here = start[d];
            start[d] = sum;
            sum += here;
        }
        for (size_t k = 0; k < count; k++)
            to[start[from[k] >> shift & ((1 << DIGIT) - 1)]++] = from[k];
        int *swap = from;
        from = to;
        to = swap;
    }
    for (size_t k = 0; k < count; k++) pair[2 * k + 1] = from[k];
}

bool scree_pairs_sort(scree_pairs *pairs, int numbers, size_t *start) {
    size_t count = pairs->count;
    if (count == 0) return true;
    if (!make_room(&pairs->sorted, &pairs->sorted_room, count)) return false;
    memset(start, 0, ((size_t)numbers + 1) * sizeof *start);
    for (size_t k = 0; k < count; k++) start[pairs->found[2 * k]]++;
    size_t sum = 0;
    for (int i = 0; i < numbers; i++) {
        size_t here = start[i];
        start[i] = sum;
        sum += here;
    }
    for (size_t k = 0; k < count; k++) {
        const int *pair = pairs->found + 2 * k;
        int *to = pairs->sorted + 2 * start[pair[0]]++;
        to[0] = pair[0];
        to[1] = pair[1];
    }
    // start now says where each run ends; found is free for scratch
    size_t begin = 0;
    for (int i = 0; i < numbers; i++) {
        size_t run = start[i] - begin;
        int *pair = pairs->sorted + 2 * begin;
        if (run > SHORT_RUN)
            sort_long_run(pair, run, numbers, pairs->found);
        else if (run > 1)
            insert_run(pair, run);
        begin = start[i];
    }
    return true;
}

void scree_pairs_free(scree_pairs *pairs) {
    free(pairs->found);
    free(pairs->sorted);
    *pairs = (scree_pairs){ 0 };
}
