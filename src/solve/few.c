// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// few.c - a few contacts: one look at the numbers, then what is most often enough.
// in: task with a guess, scales not yet known.   out: p and report, if solved.   work: the stack.
//
// Most problems of a few contacts are solved in less time than it takes to ask what kind of problem
// they are, so that this is asked once, here. Whatever is unusual is left to others.

#include "solve/few.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "solve/local.h"
#include "solve/newton.h"

enum { MOST = 64, LARGEST = 3 * MOST };  // contacts; numbers

bool scree_few_serves(const scree_problem *problem) {
    return problem->contacts <= MOST && (problem->dimension == 2 || problem->dimension == 3) &&
           problem->block && !problem->mu_second && !problem->mu_rolling && !problem->cohesion &&
           !problem->equality && !problem->limit && !problem->bearing && !problem->compliance;
}

// A contact that touches no other is solved where it stands; one update, a few if W_ii is
// unsymmetric or it rolls. False if it is not that simple: nothing moves it, or not alone.
bool scree_few_single(scree_solver_context *context, int i, double *p) {
    const scree_problem *problem = context->problem;
    int d = problem->dimension;
    scree_local local;
    scree_cone cone = scree_cone_of(problem, i);
    const double *A = problem->block + (size_t)problem->diagonal[i] * (size_t)(d * d),
                 *b = problem->b + (size_t)i * (size_t)d;
    if (!(A[0] > 0) || scree_cone_bears(problem, i) || !scree_local_prepare(&cone, A, &local))
        return false;
    if (context->report->iterations == 0) context->report->iterations = 1;
    if (d < 5 && !local.is_skew) {
        scree_local_update(&local, b, p);
        return true;
    }
    for (int k = 0; k < 30; k++) {
        double before[SCREE_CONE_MAX], change = 0, size = 0;
        memcpy(before, p, (size_t)d * sizeof *p);
        scree_local_update(&local, b, p);
        for (int r = 0; r < d; r++) {
            change += (p[r] - before[r]) * (p[r] - before[r]);
            size += p[r] * p[r];
        }
        if (change <= 16 * DBL_EPSILON * DBL_EPSILON * size) break;
    }
    return true;
}

bool scree_few_only(scree_solver_context *context) {
    double s[SCREE_CONE_MAX];
    if (context->problem->contacts != 1 || !scree_few_single(context, 0, context->p)) return false;
    scree_context_finish(context, "nsgs", scree_context_judge(context, context->p, s),
                         SCREE_STOP_STALLED);
    return context->settled = context->report->converged;
}

bool scree_few_solve(scree_solver_context *context) {
    const scree_problem *problem = context->problem;
    if (!scree_residual_look(problem, &context->scales)) return false;
    if (scree_context_is_zero(context)) {
        if (scree_context_done_at_rest(context)) return true;
        context->pressed = true;
    } else {
        double s[LARGEST];
        scree_residual residual = scree_context_judge(context, context->p, s);
        if (scree_context_solved_by(context, "none", &residual)) return true;
        if (isnan(residual.natural)) return false;
    }
    context->tried = true;
    return scree_few_only(context) || scree_newton_dense_solve(context);
}
