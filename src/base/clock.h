// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// clock.h - seconds, for reports and limits of time: nothing that is computed depends on them.

#ifndef SCREE_BASE_CLOCK_H
#define SCREE_BASE_CLOCK_H

#include <time.h>

static inline double scree_clock_read(clockid_t clock) {
    struct timespec time;
    clock_gettime(clock, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/// Since some moment.
static inline double scree_clock_seconds(void) { return scree_clock_read(CLOCK_MONOTONIC); }

/// Of the processor, of all threads.
static inline double scree_clock_processor(void) {
    return scree_clock_read(CLOCK_PROCESS_CPUTIME_ID);
}

#endif
