// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// paradox_grid.c - the number of motions over a grid of parameters, and beside it what each scheme
// does there.
// in: a study, axes.   out: counts, A and B, outcomes.

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "study/study.h"

static const double SHRINK = 0.25;  // of the step, to see what vanishes with it

static bool allocate(scree_paradox_grid *g) {
    size_t n = (size_t)g->points;
    g->count = calloc(n, sizeof *g->count);
    g->A = calloc(n, sizeof *g->A);
    g->B = calloc(n, sizeof *g->B);
    bool fine = g->count && g->A && g->B;
    for (int s = 0; s < SCREE_TRIAL_SCHEMES; s++)
        fine = (g->outcome[s] = calloc(n, 1)) != NULL && fine;
    return fine;
}

void scree_paradox_grid_free(scree_paradox_grid *grid) {
    free(grid->count);
    free(grid->A);
    free(grid->B);
    for (int s = 0; s < SCREE_TRIAL_SCHEMES; s++) free(grid->outcome[s]);
    *grid = (scree_paradox_grid){ 0 };
}

static void mark_unfit(scree_paradox_grid *g, int at, const char *reason) {
    g->count[at] = SCREE_PARADOX_UNFIT;
    g->A[at] = g->B[at] = (double)NAN;
    for (int s = 0; s < SCREE_TRIAL_SCHEMES; s++) g->outcome[s][at] = SCREE_OUTCOME_UNFIT;
    if (g->unfit++) return;
    g->first_unfit = at;
    snprintf(g->reason, sizeof g->reason, "%s", reason);
}

static scree_status try_scheme(const scree_simulation *simulation, int s, unsigned char *outcome,
                               scree_error *err) {
    scree_trial trial[2];
    double h = scree_simulation_options(simulation)->scheme.step;
    for (int k = 0; k < 2; k++, h *= SHRINK) {
        scree_status status = scree_study_trial(simulation, (scree_scheme)s, h, &trial[k], err);
        if (status) return status;
    }
    *outcome = (unsigned char)scree_paradox_outcome(&trial[0], &trial[1]);
    return SCREE_OK;
}

static void evaluate_point(const scree_simulation *simulation, double tolerance, int at,
                           scree_paradox_grid *g) {
    scree_paradox paradox;
    scree_error err = { 0 };
    scree_status status = scree_study_paradox(simulation, tolerance, &paradox, &err);
    for (int s = 0; !status && s < SCREE_TRIAL_SCHEMES; s++)
        status = try_scheme(simulation, s, &g->outcome[s][at], &err);
    if (status) {
        mark_unfit(g, at, err.text);
        return;
    }
    g->count[at] = paradox.count;
    g->A[at] = paradox.A;
    g->B[at] = paradox.B;
}

scree_status scree_paradox_grid_find(const scree_study *study, const scree_axis *axis, int axes,
                                     double tolerance, scree_paradox_grid *grid, scree_error *err) {
    *grid = (scree_paradox_grid){ .points = scree_grid_points(axis, axes) };
    if (!allocate(grid))
        return scree_fail(err, SCREE_NO_MEMORY, SCREE_NOWHERE, "out of memory for %d points",
                          grid->points);
    for (int at = 0; at < grid->points; at++) {
        double value[SCREE_AXES];
        scree_findings findings = { 0 };
        scree_grid_values(axis, axes, at, value);
        scree_simulation *simulation = scree_grid_open(study, axis, axes, value, &findings);
        if (simulation)
            evaluate_point(simulation, tolerance, at, grid);
        else
            mark_unfit(grid, at, scree_study_mistake(&findings));
        scree_simulation_free(simulation);
        scree_findings_free(&findings);
        if (scree_study_progress(study, "points", at + 1, grid->points))
            return scree_fail(err, SCREE_INTERRUPTED, SCREE_NOWHERE, "stopped before the end");
    }
    return SCREE_OK;
}
