// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// interior_point.c - primal-dual interior point with Nesterov-Todd scaling, Mehrotra's predictor
// and corrector.
// in: problem, guess p.   out: best p, report.   work: a factorised matrix, scaled cones.
//
//     s^ = W r + b + shift n,   K* ∋ s^,  r ∈ K,   x o y = tau e for every piece,   tau -> 0
//
// The cones answer dr = c - D ds^ (interior_cones.h), which leaves the linear system of kkt.h, and
// the shift follows the step (kkt_coulomb.h).
//
// Inside the cones rounding ends the descent at tau of about 1e-14, which leaves an error of its
// root in contacts that neither bear nor open. The last digits are left to Newton on the law
// (newton.c). A problem that defies both is searched for a proof that it has no solution.

#include <float.h>
#include <limits.h>
#include <math.h>
#include <string.h>

#include "law/cone.h"
#include "solve/infeasibility.h"
#include "solve/interior_cones.h"
#include "solve/kkt_coulomb.h"
#include "solve/newton.h"

enum {
    PATIENCE = 30,  // steps without a better residual before giving up
};

static const double to_boundary = 0.99;  // part of the way to the boundary that a step may go
static const double short_step = 0.1, centring = 0.3;
static const double least_tau = 1e-14;  // against the first: below is rounding
static const double accuracy = 1e-3;    // of the shifts in a step

typedef struct interior {
    scree_solver_context *context;
    const scree_problem *problem;
    scree_interior_cones cones;
    int nc, d;
    size_t n;
    double *r, *s;        // impulses, W r + b (n)
    double *miss;         // s + shift n - s^ (n)
    double *g, *dr, *ds;  // (n)
    double *sigma;        // change of the shifts (nc)
    scree_kkt_coulomb shifted;
    double tau;
} interior;

// ---- steps

// miss = W r + b + shift n - s^; rows without a cone of their own miss nothing
static void find_miss(interior *run) {
    memcpy(run->miss, run->s, run->n * sizeof *run->miss);
    for (int i = 0; i < run->nc; i++) {
        scree_cone cone = scree_cone_of(run->problem, i);
        if (!cone.free) run->miss[i * run->d] += scree_cone_shift(&cone, run->s + i * run->d);
    }
    scree_interior_cones_subtract(&run->cones, run->miss);
}

// solve for the step that belongs to the right sides of the cones
static void find_step(interior *run) {
    scree_interior_cones_gather(&run->cones, run->miss, run->g);
    scree_kkt_coulomb_solve(&run->shifted, accuracy, run->g, run->dr, run->ds, run->sigma);
    for (size_t k = 0; k < run->n; k++) run->ds[k] += run->miss[k];
    for (int i = 0; i < run->nc; i++) run->ds[i * run->d] += run->sigma[i];
    scree_interior_cones_spread(&run->cones, run->dr, run->ds);
}

// the corrector's step towards x o y = target e; returns its length
static double correct(interior *run, double target) {
    scree_interior_cones_correct(&run->cones, target);
    find_step(run);
    return fmin(1, to_boundary * scree_interior_cones_step(&run->cones));
}

static bool advance(interior *run) {
    scree_solver_context *context = run->context;
    if (!scree_interior_cones_weigh(&run->cones)) return false;
    context->report->factorizations++;
    context->report->iterations++;
    if (!scree_kkt_coulomb_factor(&run->shifted)) return false;
    run->tau = scree_interior_cones_mean(&run->cones, 0);
    scree_interior_cones_predict(&run->cones);
    find_step(run);
    double length = fmin(1, scree_interior_cones_step(&run->cones));
    double ratio = scree_interior_cones_mean(&run->cones, length) / run->tau;
    length = correct(run, run->tau * fmin(1, ratio * ratio * ratio));
    if (length < short_step) {  // back towards the central path
        scree_interior_cones_forget(&run->cones);
        length = correct(run, centring * run->tau);
    }
    for (size_t k = 0; k < run->n; k++) run->r[k] += length * run->dr[k];
    scree_interior_cones_take(&run->cones, length, run->r);
    return length > 1e-10;
}

// ---- the loop

static scree_status prepare(interior *run, scree_error *err) {
    scree_arena *arena = run->context->arena;
    scree_context_find_motion(run->context);
    run->problem = run->context->problem;
    run->nc = run->problem->contacts;
    run->d = run->problem->dimension;
    run->n = (size_t)run->nc * (size_t)run->d;
    double **vectors[] = { &run->r, &run->s, &run->miss, &run->g, &run->dr, &run->ds };
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++)
        if (!(*vectors[i] = SCREE_NEW(arena, double, run->n)))
            return scree_context_no_memory(run->context, err);
    run->sigma = SCREE_NEW(arena, double, run->nc);
    if (!run->sigma || !scree_interior_cones_make(&run->cones, run->problem, arena) ||
        !scree_kkt_coulomb_init(&run->shifted, run->problem, run->cones.weight, run->s, arena))
        return scree_context_no_memory(run->context, err);
    return SCREE_OK;
}

static scree_residual begin(interior *run) {
    scree_solver_context *context = run->context;
    scree_residual least = scree_context_judge(context, context->p, run->s);
    scree_residual cold = scree_context_judge(context, run->r, run->s);
    if (!(scree_context_error(context, least) < scree_context_error(context, cold))) {
        memset(context->p, 0, run->n * sizeof *context->p);
        least = cold;
    }
    return least;
}

static scree_stop_reason iterate(interior *run, scree_residual *least) {
    scree_solver_context *context = run->context;
    int last_gain = 0;
    double first_tau = 0;
    double energy = sqrt(context->scales.energy / run->nc);
    scree_interior_cones_place(&run->cones, energy > 0 ? energy : 1, run->r);
    scree_problem_velocity(run->problem, run->r, run->s);
    for (int step = 1; !scree_context_meets(context, *least); step++) {
        if (step > context->options->max_sweeps) return SCREE_STOP_LIMIT;
        find_miss(run);
        if (!advance(run)) return SCREE_STOP_STALLED;
        scree_residual residual = scree_context_judge(context, run->r, run->s);
        double error = scree_context_error(context, residual);
        if (!isfinite(error)) return SCREE_STOP_STALLED;
        if (error < scree_context_error(context, *least)) {
            *least = residual;
            last_gain = step;
            memcpy(context->p, run->r, run->n * sizeof *run->r);
        }
        first_tau = fmax(first_tau, run->tau);
        if (step - last_gain > PATIENCE || run->tau < least_tau * first_tau)
            return SCREE_STOP_STALLED;
        if (scree_context_late(context)) return SCREE_STOP_TIME;
    }
    return SCREE_STOP_SOLVED;
}

// proximal points, whose matrix may be that of the bodies
static scree_status continue_by_points(scree_solver_context *context, scree_error *err) {
    scree_newton_kernel kernel = scree_newton_kernel_choose(context, INT_MAX);
    int limit = context->options->max_sweeps;
    if (!kernel.bodies && !kernel.contacts) return scree_context_no_memory(context, err);
    limit += limit > INT_MAX - context->report->iterations ? 0 : context->report->iterations;
    return scree_contact_newton_continue(context, kernel, false, limit, err);
}

// Newton from where the interior ends; it has its own share of the iterations
static scree_status polish(interior *run, int used, scree_residual *least, scree_error *err) {
    scree_solver_context part = *run->context;
    scree_solver_options options = *part.options;
    options.max_sweeps -= used;
    if (options.max_sweeps < 1) return SCREE_OK;
    part.options = &options;
    scree_arena_mark mark = scree_arena_mark_of(part.arena);
    scree_status status =
        run->problem->motion ? continue_by_points(&part, err) : scree_newton_solve(&part, err);
    scree_arena_release(part.arena, mark);
    *least = part.report->residual;
    return status;
}

static scree_status descend(interior *run, scree_error *err) {
    scree_solver_context *context = run->context;
    int before = context->report->iterations;
    scree_seconds spent = context->report->seconds;
    double start = scree_context_now();
    scree_residual least = begin(run);
    scree_stop_reason reason = iterate(run, &least);
    context->report->seconds.factor +=
        scree_context_now() - start - (context->report->seconds.judge - spent.judge);
    if (reason == SCREE_STOP_STALLED) {
        scree_status status = polish(run, context->report->iterations - before, &least, err);
        if (status) return status;
    }
    if (reason == SCREE_STOP_STALLED && !scree_context_meets(context, least) &&
        scree_infeasibility_find(context, run->r)) {
        memcpy(context->p, run->r, run->n * sizeof *run->r);
        least = scree_context_judge(context, context->p, run->s);
        scree_context_finish(context, "interior-point", least, SCREE_STOP_INFEASIBLE);
        return SCREE_OK;
    }
    scree_context_finish(context, "interior-point", least, reason);
    return SCREE_OK;
}

scree_status scree_interior_point_solve(scree_solver_context *context, scree_error *err) {
    interior run = { .context = context };
    double start = scree_context_now();
    scree_status status = prepare(&run, err);
    context->report->seconds.prepare += scree_context_now() - start;
    if (!status) status = descend(&run, err);
    scree_kkt_coulomb_end(&run.shifted);
    return status;
}
