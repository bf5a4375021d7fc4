// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// limits.c - time of the processor, which others on the machine do not use up.
//
// Its clock costs a system call. No thread can use more of it than the steady clock shows, so that
// it is looked at only when that has come far enough.

#include "solve/limits.h"

#include <math.h>

#include "base/clock.h"
#include "solve/solver_context.h"

scree_limits scree_limits_of(const scree_solver_options *options) {
    enum { ANY = 64 };  // threads, where OpenMP chooses
    return (scree_limits){ .seconds = options->max_seconds,
                           .threads = options->threads ? options->threads : ANY,
                           .interrupt = options->interrupt,
                           .interrupted = options->interrupted,
                           .begin = NAN,
                           .processor = NAN };
}

void scree_limits_start(scree_limits *limits) {
    if (limits->seconds > 0 && isnan(limits->begin)) limits->begin = scree_context_now();
}

bool scree_limits_passed(scree_limits *limits) {
    const double early = 0.01;  // part of the limit up to which the processor was ours alone
    if (limits->interrupt && *limits->interrupt) {
        if (limits->interrupted) *limits->interrupted = true;
        return true;
    }
    if (!(limits->seconds > 0) || isnan(limits->begin)) return false;
    double steady = scree_context_now() - limits->begin;
    if (isnan(limits->processor)) {
        if (steady * limits->threads < early * limits->seconds) return false;
        limits->processor = scree_clock_processor() - steady;
    }
    return steady * limits->threads >= limits->seconds &&
           scree_clock_processor() - limits->processor >= limits->seconds;
}
