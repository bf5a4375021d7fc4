// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// limits.h - when a solver has to end: the limit of time, and somebody who asks for it.

#ifndef SCREE_SOLVE_LIMITS_H
#define SCREE_SOLVE_LIMITS_H

#include "scree/solve.h"

typedef struct scree_limits {
    double seconds;  // of the processor, 0: no limit
    double threads;  // that may use it up
    const volatile int *interrupt;
    bool *interrupted;
    double begin;      // of the steady clock; NaN: it does not run yet
    double processor;  // what the processor's clock showed then; NaN: not asked yet
} scree_limits;

scree_limits scree_limits_of(const scree_solver_options *options);

/// The limit of time counts from here, once.
void scree_limits_start(scree_limits *limits);

/// Has the time passed, or was the end asked for?
bool scree_limits_passed(scree_limits *limits);

#endif
