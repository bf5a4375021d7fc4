// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// lcp.c - the judge and the menu of linear complementarity problems.
// in: LCP.   out: a solution and a report.
//
//     field    = |min(z, w)| / (1 + |q|)
//     scaled^2 = sum D_i min(z_i, w_i / D_i)^2 / sum q_i^2 / D_i        D_i = |M_ii|, or its row's
//                                                                       largest entry

#include "scree/lcp.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "solve/enumerate.h"
#include "solve/farkas.h"
#include "solve/lemke.h"
#include "solve/solver_context.h"

// -------------------------------------------------------------------------------------------------
// the judge

static double size_of_row(const scree_lcp *lcp, int i) {
    const double *M = lcp->M + (size_t)i * (size_t)lcp->size;
    if (M[i] != 0) return fabs(M[i]);
    double largest = 0;
    for (int j = 0; j < lcp->size; j++) largest = fmax(largest, fabs(M[j]));
    return largest > 0 ? largest : 1;
}

scree_residual scree_lcp_residual(const scree_lcp *lcp, const double *z) {
    double natural = 0, q_size = 0, z_size = 0, miss = 0, scale = 0, z_scale = 0;
    for (int i = 0; i < lcp->size; i++) {
        const double *M = lcp->M + (size_t)i * (size_t)lcp->size;
        double w = lcp->q[i], D = size_of_row(lcp, i);
        for (int j = 0; j < lcp->size; j++) w += M[j] * z[j];
        double given = z[i] < w ? z[i] : w, scaled = z[i] < w / D ? z[i] : w / D;
        natural += given * given;
        miss += D * scaled * scaled;
        q_size += lcp->q[i] * lcp->q[i];
        z_size += z[i] * z[i];
        scale += lcp->q[i] * lcp->q[i] / D;
        z_scale += D * z[i] * z[i];
    }
    // with q = 0 there is nothing but z to compare with
    if (scale == 0) scale = z_scale;
    return (scree_residual){
        .natural = sqrt(natural) / (1 + sqrt(q_size)),
        .scaled = miss == 0 ? 0 : sqrt(miss / scale),
        .natural_floor = 16 * DBL_EPSILON * sqrt(z_size) / (1 + sqrt(q_size)),
    };
}

static double error_by(scree_criterion criterion, scree_residual residual) {
    switch (criterion) {
        case SCREE_CRITERION_NATURAL:
            return residual.natural;
        case SCREE_CRITERION_SCALED:
            return residual.scaled;
        case SCREE_CRITERION_BOTH:
            break;
    }
    return scree_residual_max(residual);
}

// -------------------------------------------------------------------------------------------------
// the methods

typedef struct work {
    const scree_lcp *lcp;
    const scree_solver_options *options;
    double *z;  // best so far
    scree_report *report;
    scree_arena arena;
    scree_limits limits;
} work;

static double error_of(void *context, const double *z) {
    const work *w = context;
    return error_by(w->options->criterion, scree_lcp_residual(w->lcp, z));
}

// keep z if it is better than what there is; the reason is given up when it solves
static void settle_for(work *w, const double *z, const char *solver, scree_stop_reason reason) {
    scree_report *report = w->report;
    report->solver = solver;
    if (error_of(w, z) < error_of(w, w->z)) memcpy(w->z, z, (size_t)w->lcp->size * sizeof *z);
    report->residual = scree_lcp_residual(w->lcp, w->z);
    report->converged = error_of(w, w->z) <= w->options->tolerance;
    report->reason = report->converged ? SCREE_STOP_SOLVED : reason;
}

static bool run_lemke(work *w) {
    scree_lemke_effort effort = { .max_pivots = w->options->max_sweeps, .limits = &w->limits };
    double *z = SCREE_NEW(&w->arena, double, w->lcp->size);
    scree_lemke_end end =
        z ? scree_lemke_run(w->lcp, &effort, z, &w->arena) : SCREE_LEMKE_NO_MEMORY;
    w->report->iterations += effort.pivots;
    w->report->factorizations += effort.rebuilds;
    if (end != SCREE_LEMKE_NO_MEMORY)
        settle_for(w, z, "lemke",
                   end == SCREE_LEMKE_LIMIT  ? SCREE_STOP_LIMIT
                   : end == SCREE_LEMKE_LATE ? SCREE_STOP_TIME
                                             : SCREE_STOP_STALLED);
    return end != SCREE_LEMKE_NO_MEMORY;
}

static bool run_enumeration(work *w) {
    scree_mode_problem modes;
    scree_enumeration e = {
        .error = error_of, .context = w, .tolerance = w->options->tolerance, .limits = &w->limits
    };
    double *z = SCREE_NEW(&w->arena, double, w->lcp->size);
    if (!z || !scree_mode_problem_of_lcp(w->lcp, 1e-11, &w->arena, &modes) ||
        !scree_enumerate_run(&modes, &e, z, &w->arena))
        return false;
    w->report->iterations += (int)e.systems;
    settle_for(w, z, "enumerate",
               e.late       ? SCREE_STOP_TIME
               : e.complete ? SCREE_STOP_STALLED
                            : SCREE_STOP_LIMIT);
    return true;
}

// nothing found: is that provable?
static bool prove(work *w) {
    scree_mode_problem modes;
    bool proven = false;
    double *y = SCREE_NEW(&w->arena, double, w->lcp->size);
    if (!y || !scree_mode_problem_of_lcp(w->lcp, 1e-10, &w->arena, &modes) ||
        !scree_farkas_find(&modes, &w->arena, y, &proven))
        return false;
    if (!proven) return true;
    memcpy(w->z, y, (size_t)w->lcp->size * sizeof *y);
    w->report->reason = SCREE_STOP_INFEASIBLE;
    return true;
}

// -------------------------------------------------------------------------------------------------
// the menu

static bool is_named(const char *name, const char *known) {
    return name && strcmp(name, known) == 0;
}

static scree_status check(const scree_lcp *lcp, const char *name, scree_error *err) {
    bool lemke = is_named(name, "lemke"), enumerate = is_named(name, "enumerate");
    int limit = enumerate ? SCREE_MODE_UNKNOWNS : SCREE_LEMKE_ROWS;
    if (!lemke && !enumerate && !is_named(name, "auto"))
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                          "\"%s\" does not solve LCPs; auto, lemke and enumerate do",
                          name ? name : "");
    if (lcp->size > limit)
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                          "%s solves LCPs up to size %d; this one has %d", name, limit, lcp->size);
    return SCREE_OK;
}

static bool is_finite(const scree_lcp *lcp) {
    size_t n = (size_t)lcp->size;
    for (size_t k = 0; k < n * n; k++)
        if (!isfinite(lcp->M[k])) return false;
    for (size_t k = 0; k < n; k++)
        if (!isfinite(lcp->q[k])) return false;
    return true;
}

static bool run(work *w, const char *name) {
    bool automatic = is_named(name, "auto"), fine = true;
    if (!is_named(name, "enumerate")) fine = run_lemke(w);
    bool missed = !w->report->converged && w->report->reason != SCREE_STOP_TIME;
    if (fine && !is_named(name, "lemke") && w->lcp->size <= SCREE_MODE_UNKNOWNS &&
        (missed || !automatic))
        fine = run_enumeration(w);
    if (fine && w->report->reason == SCREE_STOP_STALLED) fine = prove(w);
    return fine;
}

scree_status scree_lcp_solve(const scree_lcp *lcp, const scree_solver_options *options, double *z,
                             scree_report *report, scree_error *err) {
    double start = scree_context_now();
    work w = {
        .lcp = lcp, .options = options, .z = z, .report = report, .limits = scree_limits_of(options)
    };
    scree_limits_start(&w.limits);
    *report = (scree_report){ .solver = options->name, .islands = 1 };
    scree_status status = check(lcp, options->name, err);
    if (status != SCREE_OK) return status;
    memset(z, 0, (size_t)lcp->size * sizeof *z);
    if (!is_finite(lcp)) {
        report->reason = SCREE_STOP_BROKEN;
        report->residual = (scree_residual){ .natural = NAN, .scaled = NAN };
        return SCREE_OK;
    }
    if (!run(&w, options->name))
        status = scree_fail(err, SCREE_NO_MEMORY, SCREE_NOWHERE, "out of memory for an LCP of %d",
                            lcp->size);
    scree_arena_free(&w.arena);
    report->seconds.iterate = scree_context_now() - start;
    return status;
}
