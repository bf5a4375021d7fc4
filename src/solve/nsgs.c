// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// nsgs.c - nonsmooth Gauss-Seidel: sweeps until the judge is content; plain, or accelerated.
// in: task with a guess.   out: best p, report.   work: best iterate, velocities of the judge.
//
// Plain sweeps run forwards, which needs half as many as to and fro; but they can run in circles
// where to and fro does not, and so they change to that when they stop gaining. Cheap and robust,
// but slow on tall stacks and large mass ratios: a column of N equal bodies needs about N^2 sweeps
// per digit.
//
// Anderson's acceleration mixes the last sweeps, all forwards, into a better guess. It gives no
// promise, so a mixed guess from which the next sweep changes half as much again is taken back.

#include <float.h>
#include <math.h>
#include <string.h>

#include "solve/anderson.h"
#include "solve/gauss_seidel.h"

enum {
    CIRCLING = 100,     // sweeps without a better residual before they go to and fro
    PATIENCE = 2000,    // sweeps without a better residual before giving up
    FREEZE_FROM = 64,   // contacts; fewer are not worth the bookkeeping
    PLAIN_SWEEPS = 10,  // before mixing begins: the statuses should have settled
    MEMORY = 8,         // sweeps that are mixed
};

typedef struct gauss_seidel {
    scree_solver_context *context;
    scree_gauss_seidel sweep;
    bool mixing;
    scree_anderson anderson;
    double *before, *plain;  // p before the sweep; p after the last sweep that was no worse
    double last_change;
    bool mixed;  // the last sweep began from a mixed guess

    double *best, *s;      // best iterate so far; velocities
    scree_residual least;  // its residual
    double ratio;          // error found by the judge over the change of the sweep before it
    int sweeps, judged, last_gain;
} gauss_seidel;

static double keep_best(gauss_seidel *now, const double *p) {
    scree_residual residual = scree_context_judge(now->context, p, now->s);
    double error = scree_context_error(now->context, residual);
    now->judged = now->sweeps;
    if (error < scree_context_error(now->context, now->least)) {
        memcpy(now->best, p, scree_context_bytes(now->context));
        now->least = residual;
        now->last_gain = now->sweeps;
    }
    return error;
}

// Judging costs as much as a sweep. Look after the first ones, then when the change of a sweep says
// that the tolerance may be reached, and in any case now and then.
static bool time_to_judge(const gauss_seidel *now, double change) {
    int since = now->sweeps - now->judged;
    if (now->sweeps <= 2 || since >= 16 || since > now->sweeps / 2) return true;
    if (now->sweeps == now->context->options->max_sweeps) return true;
    return now->ratio * change <= 0.8 * now->context->options->tolerance;
}

static bool draw(gauss_seidel *now) {
    scree_solver_context *context = now->context;
    size_t n = scree_context_bytes(context) / sizeof(double);
    now->best = SCREE_NEW(context->arena, double, n);
    now->s = SCREE_NEW(context->arena, double, n);
    if (!now->best || !now->s) return false;
    if (!now->mixing) return true;
    double *weight = SCREE_NEW(context->arena, double, n);
    now->before = SCREE_NEW(context->arena, double, n);
    now->plain = SCREE_NEW(context->arena, double, n);
    if (!weight || !now->before || !now->plain) return false;
    for (size_t k = 0; k < n; k++)
        weight[k] = sqrt(now->sweep.D[k / (size_t)context->problem->dimension]);
    return scree_anderson_init(&now->anderson, (int)n, MEMORY, weight, context->arena);
}

// after a sweep from `before` to p that changed so much: p becomes the next guess
static void mix(gauss_seidel *now, double change, double *p) {
    size_t bytes = scree_context_bytes(now->context);
    if (now->mixed && !(change <= 1.5 * now->last_change)) {
        memcpy(p, now->plain, bytes);
        scree_anderson_reset(&now->anderson);
        now->mixed = false;
        return;
    }
    memcpy(now->plain, p, bytes);
    now->last_change = change;
    if (now->sweeps < PLAIN_SWEEPS) return;
    scree_anderson_mix(&now->anderson, now->plain, now->before);
    memcpy(p, now->before, bytes);
    scree_cone_project_all(now->context->problem, p);
    now->mixed = true;
}

static scree_stop_reason iterate(gauss_seidel *now) {
    scree_solver_context *context = now->context;
    double *p = context->p;
    while (!scree_context_meets(context, now->least)) {
        if (now->sweeps >= context->options->max_sweeps) return SCREE_STOP_LIMIT;
        if (now->mixing) memcpy(now->before, p, scree_context_bytes(context));
        bool circling = !now->mixing && now->sweeps - now->last_gain > CIRCLING;
        double change =
            sqrt(scree_gauss_seidel_run(&now->sweep, p, !circling || now->sweeps % 2 == 0));
        now->sweeps++;
        if (time_to_judge(now, change)) {
            double error = keep_best(now, p);
            now->ratio = change > 0 ? error / change : 0;
            if (!isfinite(error)) return SCREE_STOP_BROKEN;
            if (scree_context_late(context)) return SCREE_STOP_TIME;
            if (now->sweeps - now->last_gain > PATIENCE) return SCREE_STOP_STALLED;
        }
        if (now->mixing) mix(now, change, p);
    }
    return SCREE_STOP_SOLVED;
}

// the better of the guess and nothing
static void choose_guess(gauss_seidel *now) {
    scree_solver_context *context = now->context;
    bool any = false;
    for (size_t k = 0; k < scree_context_bytes(context) / sizeof(double); k++)
        any = any || context->p[k] != 0;
    keep_best(now, now->best);
    if (any) keep_best(now, context->p);
    memcpy(context->p, now->best, scree_context_bytes(context));
}

static double size_of_b(const scree_problem *problem) {
    double sum = 0;
    for (int k = 0; k < problem->contacts * problem->dimension; k++)
        sum += problem->b[k] * problem->b[k];
    return sqrt(sum);
}

static scree_status solve(scree_solver_context *context, bool mixing, const char *name,
                          scree_error *err) {
    double start = scree_context_now(), judged = context->report->seconds.judge;
    gauss_seidel now = { .context = context,
                         .mixing = mixing,
                         .least = { .natural = DBL_MAX, .scaled = DBL_MAX } };
    bool solvable;
    scree_status status = scree_gauss_seidel_prepare(context, &now.sweep, &solvable, err);
    if (status) return status;
    if (!draw(&now)) return scree_context_no_memory(context, err);
    context->report->seconds.prepare += scree_context_now() - start;
    start = scree_context_now();
    int nc = context->problem->contacts;
    if (!mixing && nc >= FREEZE_FROM)
        now.sweep.idle_velocity =
            1e-2 * context->options->tolerance * size_of_b(context->problem) / sqrt(nc);
    if (nc > 1) choose_guess(&now);  // one contact alone is solved by its first sweep
    scree_stop_reason reason = solvable ? iterate(&now) : SCREE_STOP_BROKEN;
    memcpy(context->p, now.best, scree_context_bytes(context));
    if (now.least.natural == DBL_MAX) now.least = (scree_residual){ .natural = NAN, .scaled = NAN };
    context->report->iterations += now.sweeps;
    context->report->seconds.iterate +=
        scree_context_now() - start - (context->report->seconds.judge - judged);
    scree_context_finish(context, name, now.least, reason);
    return SCREE_OK;
}

scree_status scree_nsgs_solve(scree_solver_context *context, scree_error *err) {
    return solve(context, false, "nsgs", err);
}

scree_status scree_nsgs_anderson_solve(scree_solver_context *context, scree_error *err) {
    return solve(context, true, "nsgs-anderson", err);
}
