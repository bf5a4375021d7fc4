// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// admm.c - alternating directions: motion and cones in turn, held together by a multiplier.
// in: problem, guess p.   out: best p, report.   work: a factorised matrix, six vectors, Anderson.
//
//     z = P_K(y),   xi = y - z,   (W + rho D) r = rho D (z - xi) - b - shift(rho D xi) n
//     T(y) = alpha r + (1 - alpha) z + xi
//
// y holds both the impulses z and the scaled multiplier xi, so that Anderson's acceleration of
// y = T(y) needs one vector. At the solution -rho D xi is the velocity with its shift: no product
// is spent on it. The factorisation takes the symmetric part of W; what is left of W r is carried
// over to the next iteration.

#include <float.h>
#include <math.h>
#include <string.h>

#include "law/cone.h"
#include "solve/anderson.h"
#include "solve/kkt.h"
#include "solve/solver_context.h"

enum {
    JUDGE_EVERY = 5,  // iterations
    TUNE_EVERY = 20,  // iterations between changes of rho, each of which is a factorisation
    STUCK = 100,      // iterations without a better residual before another rho is tried
    COLUMNS = 10,     // of Anderson's acceleration
    PATIENCE = 2000,  // iterations without a better residual before giving up
};

static const double relaxation = 1.6;
static const double first_rho = 0.1, least_rho = 1e-4, largest_rho = 1e2, lowest_rung = 1e-3;

typedef struct admm {
    scree_solver_context *context;
    const scree_problem *problem;
    scree_kkt *kkt;
    scree_anderson anderson;
    int nc, d;
    size_t n;
    bool symmetric;
    double rho;
    double *D, *weight;         // (nc), sqrt(D) of each component (n)
    double *blocks;             // 1 / (rho D_i) as blocks for the KKT matrix (nc x d x d)
    double *y, *T, *z, *r, *u;  // (n)
    double *rest;               // (W - Ws) r of the last iteration (n)
    double *plain;              // T(y) before the last acceleration (n)
    double last_step;           // |T(y) - y| before it, in the norm of D
    double primal, dual;        // how far r is from z, and z from the last z, relative
} admm;

// ---- preparation

static scree_status prepare(admm *run, scree_error *err) {
    scree_arena *arena = run->context->arena;
    scree_context_find_motion(run->context);
    run->problem = run->context->problem;
    run->nc = run->problem->contacts;
    run->d = run->problem->dimension;
    run->n = (size_t)run->nc * (size_t)run->d;
    run->D = SCREE_NEW(arena, double, run->nc);
    run->blocks = SCREE_NEW(arena, double, (run->n * (size_t)run->d));
    if (!run->D || !run->blocks) return scree_context_no_memory(run->context, err);
    double **vectors[] = { &run->weight, &run->y, &run->T,    &run->z,
                           &run->r,      &run->u, &run->rest, &run->plain };
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++)
        if (!(*vectors[i] = SCREE_NEW(arena, double, run->n)))
            return scree_context_no_memory(run->context, err);
    scree_context_diagonal(run->problem, run->D);
    for (int i = 0; i < run->nc; i++)
        for (int k = 0; k < run->d; k++) run->weight[i * run->d + k] = sqrt(run->D[i]);
    run->symmetric = scree_kkt_exact(run->problem);
    if (!scree_anderson_init(&run->anderson, (int)run->n, COLUMNS, run->weight, arena) ||
        !(run->kkt = scree_kkt_new(run->problem)))
        return scree_context_no_memory(run->context, err);
    return SCREE_OK;
}

static bool factorise(admm *run) {
    int d = run->d;
    for (int i = 0; i < run->nc; i++)
        for (int k = 0; k < d; k++) run->blocks[(i * d + k) * d + k] = 1 / (run->rho * run->D[i]);
    run->context->report->factorizations++;
    return scree_kkt_factor(run->kkt, run->blocks);
}

// ---- one iteration

// r becomes the right side of the KKT system, z the impulses of y
static void split(admm *run) {
    int d = run->d;
    for (int i = 0; i < run->nc; i++) {
        scree_cone cone = scree_cone_of(run->problem, i);
        size_t at = (size_t)i * (size_t)d;
        double *z = run->z + at, *y = run->y + at, *r = run->r + at, xi[SCREE_CONE_MAX];
        double scale = run->rho * run->D[i];
        memcpy(z, y, (size_t)d * sizeof *z);
        scree_cone_project(&cone, z);
        for (int k = 0; k < d; k++) {
            xi[k] = y[k] - z[k];
            r[k] = z[k] - xi[k] -
                   (run->problem->b[at + (size_t)k] + run->rest[at + (size_t)k]) / scale;
        }
        r[0] -= scree_cone_shift(&cone, xi);
    }
}

static void find_rest(admm *run) {
    if (run->symmetric) return;
    scree_problem_velocity(run->problem, run->r, run->rest);
    for (size_t k = 0; k < run->n; k++) run->rest[k] -= run->u[k] + run->problem->b[k];
}

// T(y), and |T(y) - y| in the norm of D
static double apply(admm *run) {
    double step = 0;
    split(run);
    scree_kkt_solve(run->kkt, run->r, run->r, run->u);
    find_rest(run);
    for (size_t k = 0; k < run->n; k++) {
        double move = relaxation * (run->r[k] - run->z[k]);
        run->T[k] = run->y[k] + move;
        step += run->weight[k] * run->weight[k] * move * move;
    }
    return sqrt(step);
}

// The accelerated point is kept if the step from it is not much longer than the one before, and
// otherwise the iteration goes on from the plain point, without history.
static void advance(admm *run) {
    double step = apply(run);
    run->context->report->iterations++;
    if (!(step <= 2 * run->last_step)) {
        memcpy(run->y, run->plain, run->n * sizeof *run->y);
        scree_anderson_reset(&run->anderson);
        run->last_step = HUGE_VAL;
        return;
    }
    run->last_step = step;
    memcpy(run->plain, run->T, run->n * sizeof *run->T);
    scree_anderson_mix(&run->anderson, run->T, run->y);
}

// ---- rho

// Both residuals relative to what they compare: r against z, and the change of z against the
// multiplier.
static void measure_balance(admm *run) {
    double primal = 0, dual = 0, impulse = 0, multiplier = 0;
    for (int i = 0; i < run->nc; i++) {
        scree_cone cone = scree_cone_of(run->problem, i);
        double next[SCREE_CONE_MAX];
        memcpy(next, run->T + (size_t)i * (size_t)run->d, (size_t)run->d * sizeof *next);
        scree_cone_project(&cone, next);
        for (int k = 0; k < run->d; k++) {
            int at = i * run->d + k;
            double xi = run->T[at] - next[k];
            primal += run->D[i] * (run->r[at] - next[k]) * (run->r[at] - next[k]);
            dual += run->D[i] * (next[k] - run->z[at]) * (next[k] - run->z[at]);
            impulse += run->D[i] * next[k] * next[k];
            multiplier += run->D[i] * xi * xi;
        }
    }
    run->primal = sqrt(primal / (impulse + DBL_MIN));
    run->dual = sqrt(dual / (multiplier + DBL_MIN));
}

// the multiplier rho xi stays
static bool change_rho(admm *run, double rho) {
    if (rho == run->rho) return true;
    for (int i = 0; i < run->nc; i++) {
        scree_cone cone = scree_cone_of(run->problem, i);
        double *y = run->y + (size_t)i * (size_t)run->d, z[SCREE_CONE_MAX];
        memcpy(z, y, (size_t)run->d * sizeof *z);
        scree_cone_project(&cone, z);
        for (int k = 0; k < run->d; k++) y[k] = z[k] + (y[k] - z[k]) * run->rho / rho;
    }
    run->rho = rho;
    scree_anderson_reset(&run->anderson);
    run->last_step = HUGE_VAL;
    return factorise(run);
}

// move rho towards equal residuals
static bool tune(admm *run) {
    measure_balance(run);
    double ratio = sqrt(run->primal / (run->dual + DBL_MIN));
    if (!(ratio > 3 || ratio < 1.0 / 3)) return true;
    double rho = run->rho * fmin(fmax(ratio, 0.1), 10);
    return change_rho(run, fmin(fmax(rho, least_rho), largest_rho));
}

// Balance serves as long as there is progress. What is left then are modes that one rho can hardly
// see: take a smaller one, and after the smallest begin anew.
static bool retune(admm *run, int step, int without_gain) {
    if (without_gain < STUCK) return step % TUNE_EVERY != 0 || tune(run);
    if (without_gain % STUCK != 0) return true;
    return change_rho(run, run->rho > lowest_rung ? 0.2 * run->rho : first_rho);
}

// ---- the loop

// p = the guess, or 0 if that is better; y = p - (s + shift n) / (rho D)
static scree_residual begin(admm *run) {
    scree_solver_context *context = run->context;
    scree_residual least = scree_context_judge(context, context->p, run->u);
    scree_residual cold = scree_context_judge(context, run->z, run->r);
    if (!(scree_context_error(context, least) < scree_context_error(context, cold))) {
        memset(context->p, 0, run->n * sizeof *context->p);
        memcpy(run->u, run->r, run->n * sizeof *run->u);
        least = cold;
    }
    for (int i = 0; i < run->nc; i++) {
        scree_cone cone = scree_cone_of(run->problem, i);
        const double *s = run->u + (size_t)i * (size_t)run->d;
        double *y = run->y + (size_t)i * (size_t)run->d, scale = run->rho * run->D[i];
        for (int k = 0; k < run->d; k++) y[k] = context->p[i * run->d + k] - s[k] / scale;
        y[0] -= scree_cone_shift(&cone, s) / scale;
    }
    return least;
}

static scree_stop_reason iterate(admm *run, scree_residual *least) {
    scree_solver_context *context = run->context;
    int last_gain = 0;
    double level = scree_context_error(context, *least);
    run->last_step = HUGE_VAL;
    for (int step = 1; !scree_context_meets(context, *least); step++) {
        if (step > context->options->max_sweeps) return SCREE_STOP_LIMIT;
        advance(run);
        if (!retune(run, step, step - last_gain)) return SCREE_STOP_BROKEN;
        if (step % JUDGE_EVERY != 0) continue;
        scree_residual residual = scree_context_judge(context, run->z, run->u);
        double error = scree_context_error(context, residual);
        if (!isfinite(error)) return SCREE_STOP_BROKEN;
        if (error < scree_context_error(context, *least)) {
            *least = residual;
            memcpy(context->p, run->z, run->n * sizeof *run->z);
            if (error < 0.99 * level) {
                level = error;
                last_gain = step;
            }
        }
        if (step - last_gain > PATIENCE) return SCREE_STOP_STALLED;
        if (scree_context_late(context)) return SCREE_STOP_TIME;
    }
    return SCREE_STOP_SOLVED;
}

scree_status scree_admm_solve(scree_solver_context *context, scree_error *err) {
    admm run = { .context = context, .rho = first_rho };
    double start = scree_context_now(), judged = context->report->seconds.judge;
    scree_status status = prepare(&run, err);
    if (status) {
        scree_kkt_free(run.kkt);
        return status;
    }
    double prepared = scree_context_now();
    context->report->seconds.prepare += prepared - start;
    scree_residual least = begin(&run);
    scree_stop_reason reason = SCREE_STOP_SOLVED;
    if (!scree_context_meets(context, least))
        reason = factorise(&run) ? iterate(&run, &least) : SCREE_STOP_BROKEN;
    judged = context->report->seconds.judge - judged;
    context->report->seconds.factor += scree_context_now() - prepared - judged;
    scree_context_finish(context, "admm", least, reason);
    scree_kkt_free(run.kkt);
    return SCREE_OK;
}
