// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// lemke.h - Lemke's complementary pivoting for LCPs; planar contact problems as LCPs.

#ifndef SCREE_SOLVE_LEMKE_H
#define SCREE_SOLVE_LEMKE_H

#include "base/arena.h"
#include "scree/lcp.h"
#include "solve/limits.h"

// three copies of rows^2 numbers, and rows^2 operations in each of rows / 3 to 3 rows pivots
enum { SCREE_LEMKE_ROWS = 2400 };

typedef enum scree_lemke_end {
    SCREE_LEMKE_SOLVED,
    SCREE_LEMKE_RAY,    // the path goes to infinity: for many matrices, but not all, no solution
    SCREE_LEMKE_LIMIT,  // of pivots
    SCREE_LEMKE_LATE,   // the limit of time has passed
    SCREE_LEMKE_LOST,   // rounding: the basis has become singular
    SCREE_LEMKE_NO_MEMORY,
} scree_lemke_end;

typedef struct scree_lemke_effort {
    int max_pivots;
    scree_limits *limits;  // or NULL
    int pivots;            // out
    int rebuilds;          // out: dictionaries computed anew from the basis
} scree_lemke_effort;

/// z (n): a solution if the path ends in one, otherwise the last point on it.
scree_lemke_end scree_lemke_run(const scree_lcp *lcp, scree_lemke_effort *effort, double *z,
                                scree_arena *arena);

#endif
