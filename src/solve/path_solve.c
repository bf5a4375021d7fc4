// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// path_solve.c - proximal points one after another, each by the path of statuses of path.c.
// in: task with a guess.   out: best p, report.   work: a path.
//
// It begins with sweeps, unless there is a guess, and what it misses is left to contact-newton.

#include <limits.h>
#include <math.h>
#include <string.h>

#include "law/cone.h"
#include "solve/newton.h"
#include "solve/path.h"

enum {
    SWEEPS = 300,   // Gauss-Seidel, if nothing is known: the path wants statuses nearly right
    POINTS = 12,    // proximal points
    CHANGES = 200,  // factorisations for all of them
    QUICK = 3       // changes of statuses after which the next point may be further away
};
static const double first_eps = 1e-4, least_eps = 1e-9;

typedef struct walk {
    scree_path *path;
    scree_solver_context *context;
    scree_residual least;  // of the best iterate, which is in context->p
    double *centre, *p, *s;
    size_t bytes;
} walk;

// the point becomes the centre; kept if it is the best so far
static void accept(walk *now) {
    scree_solver_context *context = now->context;
    memcpy(now->centre, now->p, now->bytes);
    scree_cone_project_all(context->problem, now->centre);
    scree_residual residual = scree_context_judge(context, now->centre, now->s);
    if (!(scree_context_error(context, residual) < scree_context_error(context, now->least)))
        return;
    now->least = residual;
    memcpy(context->p, now->centre, now->bytes);
}

// The path of the first point does the work; the points after it are where it led to.
static void iterate(walk *now, int limit) {
    scree_report *report = now->context->report;
    double eps = first_eps;
    limit = limit - report->iterations < CHANGES ? limit : report->iterations + CHANGES;
    memcpy(now->centre, now->context->p, now->bytes);
    for (int k = 0; k < POINTS && !scree_context_meets(now->context, now->least); k++) {
        memcpy(now->p, now->centre, now->bytes);
        if (!scree_path_follow(now->path, now->centre, eps, limit - report->iterations, now->p))
            return;
        accept(now);
        if (scree_path_changes(now->path) < QUICK) eps = fmax(eps / 100, least_eps);
    }
}

static scree_status walk_on(scree_solver_context *context, scree_block_lu *lu, int limit,
                            scree_error *err) {
    size_t n = (size_t)context->problem->contacts * (size_t)context->problem->dimension;
    double start = scree_context_now();
    walk now = { .path = scree_path_new(context, lu),
                 .context = context,
                 .centre = SCREE_NEW(context->arena, double, n),
                 .p = SCREE_NEW(context->arena, double, n),
                 .s = SCREE_NEW(context->arena, double, n),
                 .bytes = n * sizeof(double) };
    if (!now.path || !now.centre || !now.p || !now.s) return scree_context_no_memory(context, err);
    now.least = scree_context_judge(context, context->p, now.s);
    iterate(&now, limit);
    context->report->seconds.factor += scree_context_now() - start;
    scree_context_finish(context, "path", now.least, SCREE_STOP_STALLED);
    return SCREE_OK;
}

static scree_status sweep(scree_solver_context *context, scree_error *err) {
    scree_solver_options options = *context->options;
    if (options.max_sweeps > SWEEPS) options.max_sweeps = SWEEPS;
    scree_solver_context part = *context;
    part.options = &options;
    return scree_nsgs_solve(&part, err);
}

scree_status scree_path_solve(scree_solver_context *context, scree_error *err) {
    scree_report *report = context->report;
    int most = context->options->max_sweeps, done = report->iterations;
    int limit = most > INT_MAX - done ? INT_MAX : done + most;
    scree_status status = scree_context_is_zero(context) ? sweep(context, err) : SCREE_OK;
    if (status || (report->iterations > done && report->reason != SCREE_STOP_LIMIT &&
                   report->reason != SCREE_STOP_STALLED))
        return status;
    scree_block_lu *lu = scree_block_lu_new(context->problem, INT_MAX, context->arena);
    if (!lu) return scree_context_no_memory(context, err);
    status = walk_on(context, lu, limit, err);
    if (!status && !report->converged && report->iterations < limit)
        status = scree_contact_newton_continue(context, (scree_newton_kernel){ .contacts = lu },
                                               false, limit, err);
    if (!status) scree_context_finish(context, "path", report->residual, report->reason);
    return status;
}
