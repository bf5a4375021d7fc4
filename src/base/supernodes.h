// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// supernodes.h - the symbolic half of A = L L^T: order of elimination, and columns of L in panels.

#ifndef SCREE_BASE_SUPERNODES_H
#define SCREE_BASE_SUPERNODES_H

#include <stdbool.h>

#include "base/arena.h"

typedef struct scree_supernodes {  // k = 0 ... count - 1: adjacent columns of L that share their
                                   // rows
    int count;
    int *order;             // row and column of A that is eliminated as number i (n)
    int *column;            // first column of each (count + 1)
    int *first, *row;       // its rows, ascending, its own columns first: row[first[k]] ...
    double flops, entries;  // operations of a factorisation, entries of L, amalgamation left out
} scree_supernodes;

/// Analyse the pattern of the lower triangle, by columns: first (n + 1), row (ascending, the
/// diagonal included). All that is found lives in the arena. False without memory, or where the
/// rows of all supernodes are more than an int counts.
bool scree_supernodes_find(int n, const int *first, const int *row, scree_arena *arena,
                           scree_supernodes *out);

#endif
