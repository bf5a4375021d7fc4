// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// pairs.h - a growing list of pairs of numbers, and its order.

#ifndef SCREE_COLLIDE_PAIRS_H
#define SCREE_COLLIDE_PAIRS_H

#include <stdbool.h>
#include <stddef.h>

typedef struct scree_pairs {  // begin with a zeroed struct
    int *found;               // the smaller number first, in any order       (2 x room)
    int *sorted;              // by the first, then the second               (2 x sorted_room)
    size_t count, room, sorted_room;
    bool full;  // memory ran out: pairs were lost
} scree_pairs;

/// Make room for more pairs; false (and full) when memory ran out.
bool scree_pairs_grow(scree_pairs *pairs, size_t more);

/// Sort pairs of numbers below `numbers` into pairs->sorted; start (numbers + 1) is scratch.
bool scree_pairs_sort(scree_pairs *pairs, int numbers, size_t *start);

void scree_pairs_free(scree_pairs *pairs);

static inline bool scree_pairs_reserve(scree_pairs *pairs, size_t more) {
    return pairs->room - pairs->count >= more || scree_pairs_grow(pairs, more);
}

/// Write a pair into room that was made for it; it stays if wanted is 1 and is overwritten if it
/// is 0.
static inline void scree_pairs_put(scree_pairs *pairs, int i, int j, int wanted) {
    int *pair = pairs->found + 2 * pairs->count;
    pair[0] = i < j ? i : j;
    pair[1] = i < j ? j : i;
    pairs->count += (size_t)wanted;
}

static inline void scree_pairs_add(scree_pairs *pairs, int i, int j) {
    if (scree_pairs_reserve(pairs, 1)) scree_pairs_put(pairs, i, j, 1);
}

#endif
