// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// anderson.h - Anderson's acceleration of a fixed point x = T(x).
//
// Of the last steps, the combination is taken whose residual g = T(x) - x is least:
//
//     gamma = argmin |g - dG gamma|,     x+ = T(x) - (dX + dG) gamma
//
// It knows nothing of cones and gives no promise: the caller projects x+, watches its own residual,
// and after a bad step goes back to a plain one and resets the history.

#ifndef SCREE_SOLVE_ANDERSON_H
#define SCREE_SOLVE_ANDERSON_H

#include <stdbool.h>

#include "base/arena.h"

enum { SCREE_ANDERSON_MAX = 20 };  // columns

typedef struct scree_anderson {
    int n, m;              // size of x, columns kept
    int count, next;       // columns held, the one to be overwritten next
    bool started;          // last_T and last_G hold a step
    const double *weight;  // of each component in the norm of g (n), or NULL: borrowed
    double *dG, *dT;       // differences of weight g and of T(x)                    (m x n)
    double *G, *last_G, *last_T;
    double *gram;  // dG^T dG                                                        (m x m)
} scree_anderson;

/// Memory of the arena for vectors of n with m <= SCREE_ANDERSON_MAX columns; false without it.
/// weight: sqrt(D_i) of the contact for impulses, 1 / sqrt(D_i) for velocities.
bool scree_anderson_init(scree_anderson *anderson, int n, int m, const double *weight,
                         scree_arena *arena);

/// Forget all columns.
void scree_anderson_reset(scree_anderson *anderson);

/// Take in x and T(x), and overwrite x with the mixed point; it is T(x) when there is no history.
void scree_anderson_mix(scree_anderson *anderson, const double *T, double *x);

#endif
