// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// converge.h - errors of schemes over the step, on logarithmic axes.

#ifndef SCREE_SHOW_CONVERGE_H
#define SCREE_SHOW_CONVERGE_H

#include "scree/scene.h"

enum { SHOW_ERRORS = 8 };  // schemes in a figure, at most

/// The errors of one scheme; those that are not positive numbers are not drawn.
typedef struct show_errors {
    const char *scheme;
    const double *h, *position, *velocity;  // (count), borrowed; h falls
    int count;
} show_errors;

/// The energy over time of runs with one scheme, one for each step.
typedef struct show_energies {
    const char *scheme;
    const double *h;                            // (count), borrowed
    const double *const *time, *const *energy;  // (count) of (samples)
    int count, samples;
} show_energies;

/// Draw errors of positions and velocities in two panels, a curve for each scheme and lines with
/// the slopes of orders one and two, and below them how the curve of the energy changes with the
/// step. at_end: the errors are those at the end of the runs, not the largest and the mean.
scree_status show_convergence(const show_errors *errors, int schemes, const show_energies *energies,
                              bool at_end, scree_units units, const char *caption, const char *file,
                              scree_error *err);

#endif
