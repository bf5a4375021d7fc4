// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// packing.h - balls at random places of a box, none overlapping; and the random numbers for it.

#ifndef SCREE_MODEL_PACKING_H
#define SCREE_MODEL_PACKING_H

#include "base/arena.h"
#include "scree/base.h"

/// A number in [0, 1), the same on every machine (splitmix64: Steele, Lea, Flood 2014).
static inline double scree_random(uint64_t *state) {
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

typedef struct scree_packing {
    int space;  // 2: discs, 3: balls
    int count;
    const double *radius;    // (count)
    double gap;              // least room between two of them
    double low[3], high[3];  // the box that they lie in
} scree_packing;

/// Find places (count x 3). Complains with how many could be placed when the box is full.
scree_status scree_packing_fill(const scree_packing *packing, uint64_t *random,
                                scree_arena *scratch, double *place, scree_error *err);

#endif
