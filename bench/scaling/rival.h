// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// rival.h - a contact problem handed to Siconos, and the clocks that both are held against.

#ifndef SCREE_BENCH_RIVAL_H
#define SCREE_BENCH_RIVAL_H

#include <time.h>

#include "scree/scree.h"

/// Seconds of a clock.
double rival_now(clockid_t clock);

/// W in blocks, b and mu in the text format of the field; false if that failed.
bool rival_write(const scree_problem *problem, const char *path);

/// Let the script solve the problem in the file: its processor seconds, sweeps and answer r (3
/// numbers a contact). False if it did not come to an end, within limit seconds if that is not 0.
/// Why it was SKIPPED, if it was, goes to standard error.
bool rival_ask(const char *script, const char *path, double tolerance, double limit, int contacts,
               double *seconds, int *sweeps, double *r);

#endif
