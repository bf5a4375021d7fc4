// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// newton_extended.c - Newton on Coulomb's law with all digits of long double, for a few contacts.
// in: task with an iterate near a solution.   out: best p, report.   work: a dense matrix.
//
// Between bodies of very different mass the engines end a hair above the tolerance: the statuses
// are known, and the linear systems have lost the digits. Here impulses, velocities, matrix and
// steps are long double and the equations those of newton_rows.h; the proximal term, whose
// centre goes along with p, is so small that it only decides between forces that are as good.

#define SCREE_REAL long double

#include "law/cone.h"
#include "solve/newton.h"
#include "solve/newton_rows.h"

enum { MOST = 200, STEPS = 40, IDLE = 10 };  // rows of the matrix; steps, and those without a gain
static const long double proximal[] = { 1e-13L, 1e-11L, 1e-9L };  // weights against D

typedef struct extended {
    scree_newton_rows rows;
    scree_solver_context *context;
    const scree_problem *problem;
    int d, n;
    long double *J;  // dense, with the right side behind each row (n x (n + 1))
    double *trial, *velocity;
    scree_residual least;
} extended;

bool scree_newton_extended_can(const scree_problem *problem) {
    return problem->contacts * problem->dimension <= MOST;
}

static bool prepare(extended *now, scree_solver_context *context) {
    const scree_problem *problem = context->problem;
    int d = problem->dimension, n = problem->contacts * d;
    size_t numbers = (size_t)problem->row[problem->contacts] * (size_t)(d * d);
    long double *W = SCREE_NEW(context->arena, long double, numbers);
    *now = (extended){ .rows = { .problem = problem, .W = W },
                       .context = context,
                       .problem = problem,
                       .d = d,
                       .n = n,
                       .J = SCREE_NEW(context->arena, long double, ((size_t)n * (size_t)(n + 1))),
                       .trial = SCREE_NEW(context->arena, double, n),
                       .velocity = SCREE_NEW(context->arena, double, n) };
    if (!W || !now->J || !now->trial || !now->velocity) return false;
    for (size_t k = 0; k < numbers; k++) W[k] = problem->block[k];
    return scree_newton_rows_prepare(&now->rows, true, context->arena);
}

static void find_velocities(extended *now) {
    const scree_problem *problem = now->problem;
    int d = now->d;
    for (int i = 0; i < problem->contacts; i++)
        for (int r = 0; r < d; r++) {
            long double sum = problem->b[i * d + r];
            for (int at = problem->row[i]; at < problem->row[i + 1]; at++)
                for (int c = 0; c < d; c++)
                    sum += now->rows.W[(at * d + r) * d + c] *
                           now->rows.p[problem->column[at] * d + c];
            now->rows.s[i * d + r] = sum;
        }
}

static long double *row_of(const extended *now, int r) {
    return now->J + (size_t)r * (size_t)(now->n + 1);
}

// the rows as a dense matrix, that of an open contact dp = -p
static void spread_rows(extended *now) {
    const scree_problem *problem = now->problem;
    int d = now->d, n = now->n;
    memset(now->J, 0, (size_t)n * (size_t)(n + 1) * sizeof *now->J);
    for (int i = 0; i < problem->contacts; i++)
        for (int r = 0; r < d; r++) {
            long double *J = row_of(now, i * d + r);
            J[n] = now->rows.step[i * d + r];
            if (!now->rows.active[i]) {
                J[i * d + r] = 1;
                continue;
            }
            for (int at = problem->row[i]; at < problem->row[i + 1]; at++)
                for (int c = 0; c < d; c++)
                    J[problem->column[at] * d + c] += now->rows.jacobian[(at * d + r) * d + c];
        }
}

// eliminate with row pivoting, then p += the step; false if the matrix is singular
static bool take_step(extended *now) {
    int n = now->n;
    for (int k = 0; k < n; k++) {
        int pivot = k;
        for (int r = k + 1; r < n; r++)
            if (fabsl(row_of(now, r)[k]) > fabsl(row_of(now, pivot)[k])) pivot = r;
        long double *top = row_of(now, k), *other = row_of(now, pivot);
        if (!(fabsl(other[k]) > 0)) return false;
        for (int c = k; pivot != k && c <= n; c++) {
            long double swap = top[c];
            top[c] = other[c];
            other[c] = swap;
        }
        for (int r = k + 1; r < n; r++) {
            long double *J = row_of(now, r), factor = J[k] / top[k];
            if (factor == 0) continue;
            for (int c = k; c <= n; c++) J[c] -= factor * top[c];
        }
    }
    for (int k = n - 1; k >= 0; k--) {
        long double *J = row_of(now, k);
        for (int c = k + 1; c < n; c++) J[n] -= J[c] * row_of(now, c)[n];
        J[n] /= J[k];
        now->rows.p[k] += J[n];
    }
    return true;
}

// judge p in double, within the cones; false if it is no better than the best
static bool keep_best(extended *now) {
    scree_solver_context *context = now->context;
    for (int k = 0; k < now->n; k++) now->trial[k] = (double)now->rows.p[k];
    scree_cone_project_all(now->problem, now->trial);
    scree_residual residual = scree_context_judge(context, now->trial, now->velocity);
    if (!(scree_context_error(context, residual) < scree_context_error(context, now->least)))
        return false;
    now->least = residual;
    memcpy(context->p, now->trial, (size_t)now->n * sizeof *context->p);
    return true;
}

static void iterate(extended *now, int limit) {
    int idle = 0;
    for (int k = 0; k < now->n; k++) now->rows.p[k] = now->context->p[k];
    for (int step = 0; step < STEPS && idle < IDLE; step++) {
        if (scree_context_meets(now->context, now->least) || scree_context_late(now->context) ||
            now->context->report->iterations >= limit)
            return;
        find_velocities(now);
        scree_newton_rows_assess(&now->rows, now->rows.p, now->rows.s);
        scree_newton_rows_fill(&now->rows);
        spread_rows(now);
        now->context->report->iterations++;
        now->context->report->factorizations++;
        if (!take_step(now)) return;
        idle = keep_best(now) ? 0 : idle + 1;
    }
}

scree_status scree_newton_extended_solve(scree_solver_context *context, scree_error *err) {
    extended now;
    double start = scree_context_now();
    int limit = context->options->max_sweeps + context->report->iterations;
    if (!prepare(&now, context)) return scree_context_no_memory(context, err);
    now.least = scree_context_judge(context, context->p, now.velocity);
    for (size_t k = 0; k < sizeof proximal / sizeof *proximal; k++) {
        now.rows.eps = proximal[k];
        iterate(&now, limit);
    }
    context->report->seconds.factor += scree_context_now() - start;
    scree_context_finish(context, "contact-newton", now.least, SCREE_STOP_STALLED);
    return SCREE_OK;
}
