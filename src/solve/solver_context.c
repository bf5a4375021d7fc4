// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// solver_context.c - what the solvers share: the judge in the scales of the task, the clock, the
// ending.

#include "solve/solver_context.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/clock.h"
#include "law/motion.h"
#include "solve/islands.h"
#include "solve/workspace.h"

enum { TIMED_FROM = 32 };  // contacts; judging fewer takes no longer than looking at the clock

scree_residual scree_context_residual(const scree_solver_context *context, const double *p,
                                      const double *s) {
    return scree_residual_of(scree_residual_sum(context->problem, p, s, context->pool),
                             context->scales);
}

scree_residual scree_context_judge(scree_solver_context *context, const double *p, double *s) {
    bool timed = context->problem->contacts >= TIMED_FROM;
    double start = timed ? scree_context_now() : 0;
    scree_residual_velocity(context->problem, p, s, context->pool);
    scree_residual residual = scree_context_residual(context, p, s);
    if (timed) context->report->seconds.judge += scree_context_now() - start;
    return residual;
}

double scree_context_error(const scree_solver_context *context, scree_residual residual) {
    switch (context->options->criterion) {
        case SCREE_CRITERION_NATURAL:
            // impulses whose rounding alone does more cannot be told from a solution
            return residual.natural < residual.natural_floor / 16 ? residual.natural_floor / 16
                                                                  : residual.natural;
        case SCREE_CRITERION_SCALED:
            return residual.scaled;
        case SCREE_CRITERION_BOTH:
            break;
    }
    return scree_residual_max(residual);
}

bool scree_context_rounded(const scree_solver_context *context, scree_residual residual,
                           double from) {
    scree_criterion criterion = context->options->criterion;
    if (criterion == SCREE_CRITERION_NATURAL) return false;
    if (criterion == SCREE_CRITERION_SCALED) residual.natural = residual.natural_rounding = 0;
    return scree_residual_is_rounding(residual, context->options->tolerance, from);
}

bool scree_context_is_zero(const scree_solver_context *context) {
    enum { AT_A_TIME = 8 };
    const double *p = context->p;
    int n = context->problem->contacts * context->problem->dimension, k = 0;
    for (; k + AT_A_TIME <= n; k += AT_A_TIME) {
        uint64_t bits = 0, one[AT_A_TIME];
        memcpy(one, p + k, sizeof one);
        for (int j = 0; j < AT_A_TIME; j++) bits |= one[j];
        if (bits << 1) return false;  // but for the sign of a zero
    }
    for (; k < n; k++)
        if (p[k] != 0) return false;
    return true;
}

static scree_residual judge_guess(scree_solver_context *context) {
    scree_arena_mark mark = scree_arena_mark_of(context->arena);
    size_t n = (size_t)context->problem->contacts * (size_t)context->problem->dimension;
    double *s = SCREE_NEW(context->arena, double, n);
    scree_residual residual = { .natural = NAN, .scaled = NAN };  // without memory: not good enough
    if (s) residual = scree_context_judge(context, context->p, s);
    scree_arena_release(context->arena, mark);
    return residual;
}

static bool take_guess(scree_solver_context *context, scree_residual residual) {
    if (!scree_context_meets(context, residual)) return false;
    scree_context_finish(context, "none", residual, SCREE_STOP_SOLVED);
    return true;
}

bool scree_context_done_at_rest(scree_solver_context *context) {
    scree_residual_sums sums;
    double most = context->options->criterion == SCREE_CRITERION_SCALED
                      ? HUGE_VAL
                      : context->options->tolerance * context->scales.natural;
    if (!scree_residual_at_rest(context->problem, context->p, most, context->pool, &sums))
        return false;
    context->settled = take_guess(context, scree_residual_of(sums, context->scales));
    return context->settled;  // there is nothing less
}

bool scree_context_done_already(scree_solver_context *context) {
    return scree_context_is_zero(context) ? scree_context_done_at_rest(context)
                                          : take_guess(context, judge_guess(context));
}

double scree_context_now(void) { return scree_clock_seconds(); }

void scree_context_start_clock(scree_solver_context *context) {
    scree_limits_start(context->limits);
}

bool scree_context_late(const scree_solver_context *context) {
    return scree_limits_passed(context->limits) || (context->halfway && context->halfway->ended) ||
           scree_context_effort(context) >= context->most_effort;
}

double scree_context_effort(const scree_solver_context *context) {
    return context->effort + scree_report_effort(context->report);
}

void scree_context_finish(scree_solver_context *context, const char *solver,
                          scree_residual residual, scree_stop_reason reason) {
    scree_report *report = context->report;
    report->solver = solver;
    report->residual = residual;
    report->converged = scree_context_meets(context, residual);
    report->reason = report->converged ? SCREE_STOP_SOLVED : reason;
}

scree_status scree_context_no_memory(const scree_solver_context *context, scree_error *err) {
    return scree_fail(err, SCREE_NO_MEMORY, SCREE_NOWHERE, "out of memory for %d contacts",
                      context->problem->contacts);
}

void scree_context_diagonal(const scree_problem *problem, double *D) {
    int d = problem->dimension;
    for (int i = 0; i < problem->contacts; i++) {
        const double *W = problem->block + (size_t)problem->diagonal[i] * (size_t)(d * d);
        D[i] = 0;
        for (int k = 0; k < d; k++) D[i] += W[k * d + k] / d;
    }
}

bool scree_context_find_motion(scree_solver_context *context) {
    const scree_problem *given = context->problem;
    const scree_island_origin *origin = context->origin;
    const scree_motion *motion = NULL;
    if (given->motion) return true;
    if (origin && origin->number)
        motion = scree_islands_motion(origin, context->arena);
    else if (!origin && given->bodies && scree_motion_known(given))
        motion = scree_motion_of_bodies(given, context->arena);
    scree_problem *problem = motion ? SCREE_NEW(context->arena, scree_problem, 1) : NULL;
    if (!problem) return false;
    *problem = *given;
    problem->motion = motion;
    context->problem = problem;
    return true;
}
