// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// nsgs.c - nonsmooth Gauss-Seidel: each contact in turn solved exactly, the others held.
// in: problem, guess p.   out: best p, report.   work: best iterate, velocities of the judge.
//
// Sweeps run forwards and backwards in turn. Cheap and robust; slow on tall stacks and large mass
// ratios (a column of N equal bodies needs about N^2 sweeps per digit).

#include "solve/nsgs.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "solve/local.h"

enum { PATIENCE = 2000 };  // sweeps without a better residual before giving up

static bool relax(const scree_problem *problem, int i, double *p) {
    int d = problem->dimension;
    double b[3];
    for (int r = 0; r < d; r++) b[r] = problem->b[i * d + r];
    for (int at = problem->row[i]; at < problem->row[i + 1]; at++) {
        if (at == problem->diagonal[i]) continue;
        const double *W = problem->block + (size_t)at * (size_t)(d * d);
        const double *pj = p + (size_t)problem->column[at] * (size_t)d;
        for (int r = 0; r < d; r++)
            for (int c = 0; c < d; c++) b[r] += W[r * d + c] * pj[c];
    }
    const double *A = problem->block + (size_t)problem->diagonal[i] * (size_t)(d * d);
    return scree_local_solve(A, b, problem->mu[i], d, p + (size_t)i * (size_t)d);
}

static bool sweep(const scree_problem *problem, bool forwards, double *p) {
    int nc = problem->contacts;
    for (int i = 0; i < nc; i++)
        if (!relax(problem, forwards ? i : nc - 1 - i, p)) return false;
    return true;
}

// judging costs as much as a sweep: look after each of the first ones, then after one in eight
static bool time_to_judge(int sweeps) { return sweeps <= 8 || sweeps % 8 == 0; }

void scree_nsgs_solve(const scree_problem *problem, const scree_solver_options *options, double *p,
                      scree_report *report, double *scratch) {
    size_t size = (size_t)problem->contacts * (size_t)problem->dimension * sizeof *p;
    double *best = scratch, *s = scratch + problem->contacts * problem->dimension;

    // a guess that does not help is dropped; one contact alone is solved by its first sweep
    scree_residual residual = { .field = DBL_MAX, .scaled = DBL_MAX };
    if (problem->contacts > 1) {
        residual = scree_problem_residual(problem, p, s);
        memset(best, 0, size);
        scree_residual cold = scree_problem_residual(problem, best, s);
        if (!(scree_residual_worse(residual) < scree_residual_worse(cold))) {
            memset(p, 0, size);
            residual = cold;
        }
    }

    int sweeps = 0, last_gain = 0;
    scree_residual least = residual;
    double level =
        scree_residual_worse(least);  // a gain is one per cent below the level of the last gain
    memcpy(best, p, size);
    report->reason = SCREE_STOP_LIMIT;
    while (!(scree_residual_worse(least) <= options->tolerance) && sweeps < options->max_sweeps) {
        if (!sweep(problem, sweeps % 2 == 0, p)) {
            report->reason = SCREE_STOP_BROKEN;
            break;
        }
        sweeps++;
        if (!time_to_judge(sweeps) && sweeps < options->max_sweeps) continue;
        residual = scree_problem_residual(problem, p, s);
        if (scree_residual_worse(residual) < scree_residual_worse(least)) {
            least = residual;
            if (scree_residual_worse(least) < 0.99 * level) {
                level = scree_residual_worse(least);
                last_gain = sweeps;
            }
            memcpy(best, p, size);
        } else if (!isfinite(scree_residual_worse(residual))) {
            report->reason = SCREE_STOP_BROKEN;
            break;
        }
        if (sweeps - last_gain > PATIENCE) {
            report->reason = SCREE_STOP_STALLED;
            break;
        }
    }
    memcpy(p, best, size);
    report->converged = scree_residual_worse(least) <= options->tolerance;
    if (report->converged) report->reason = SCREE_STOP_SOLVED;
    report->iterations = sweeps;
    report->residual = least;
}
