// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// parallel.h - parallel for: loops on threads. What a loop computes must not depend on how many
// there are: its rounds write to different places, and sums go piece by piece in a fixed order.

#ifndef SCREE_BASE_PARALLEL_H
#define SCREE_BASE_PARALLEL_H

#ifdef _OPENMP
#include <omp.h>
#define SCREE_PRAGMA(text) _Pragma(#text)
/// Before a for loop. threads: 1 none beside the caller's, 0 as many as OpenMP has.
#define SCREE_PARALLEL_FOR(threads)                                    \
    SCREE_PRAGMA(omp parallel for schedule(static) if ((threads) != 1)    \
                 num_threads((threads) > 0 ? (threads) : omp_get_max_threads()))
#else
#define SCREE_PARALLEL_FOR(threads) (void)(threads);
#endif

#endif
