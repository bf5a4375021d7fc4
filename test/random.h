// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// random.h - random numbers that are the same on every machine.

#ifndef SCREE_TEST_RANDOM_H
#define SCREE_TEST_RANDOM_H

#include <stdint.h>

static uint64_t seed = 1;

static double uniform(double low, double high) {
    uint64_t z = seed += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return low + (high - low) * (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

static inline int random_int(int low, int high) { return low + (int)uniform(0, high - low + 1); }

/// The numbers from 0 to count - 1, in any order.
static inline void shuffle(int *list, int count) {
    for (int i = 0; i < count; i++) list[i] = i;
    for (int i = count - 1; i > 0; i--) {
        int j = random_int(0, i), kept = list[i];
        list[i] = list[j];
        list[j] = kept;
    }
}

#endif
