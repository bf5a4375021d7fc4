// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// apgd.c - accelerated projected gradient descent: Nesterov's momentum, restarted when it points
// uphill.
// in: problem, guess p.   out: best p, report.   work: five vectors.
//
//     x+ = P_K( y - (s(y) + shift(s(y)) n) / (L D) ),     y+ = x+ + beta (x+ - x)
//
// D_i is one number per contact, which leaves the projection exact. Velocities are linear in the
// impulses, so that the one product of an iteration, W x+, serves the judge, the momentum point and
// the test of L. Nothing here depends on the order of contacts: it runs on any number of threads,
// and its sums are added in blocks of a fixed size, so that the bits do not depend on that number.

#include <float.h>
#include <limits.h>
#include <math.h>
#include <string.h>

#include "law/cone.h"
#include "solve/solver_context.h"

enum {
    BLOCK = 128,        // contacts whose sums are added by one thread
    SERIAL_BLOCKS = 8,  // fewer are not worth waking threads
    JUDGE_EVERY = 5,    // iterations
    POWER_STEPS = 20,
    PATIENCE = 3000,  // iterations without a better residual before steps are shortened
    CALMEST = 20,     // times the steps may be shorter before giving up
    RETRIES = 60,     // of a step that was too long; each may halve it
};

static const double shrink = 0.997;  // of L after a step: where it stands, L may be smaller

typedef struct apgd {
    scree_solver_context *context;
    const scree_problem *problem;
    int d, blocks;
    scree_thread_pool *pool;  // or NULL
    double L;                 // curvature in the norm of D that the steps assume
    double global_L;          // the largest of all
    double least_L;           // grows when the shifts do not settle
    double *D;                // (nc)
    double *x, *next, *y;     // impulses: the last step, the new one, the momentum point  (nc x d)
    double *sx, *sn, *sy;     // their velocities W p + b                                  (nc x d)
    double *partial;     // sums of the blocks                                        (blocks x 3)
    double theta, beta;  // of the momentum
} apgd;

typedef struct range {
    int first, last;
} range;

static range block_range(const apgd *run, int block) {
    int last = (block + 1) * BLOCK;
    return (range){ block * BLOCK, last < run->problem->contacts ? last : run->problem->contacts };
}

static scree_status prepare(apgd *run, scree_error *err) {
    const scree_problem *problem = run->problem = run->context->problem;
    int nc = problem->contacts, n = nc * problem->dimension;
    scree_arena *arena = run->context->arena;
    run->d = problem->dimension;
    run->blocks = (nc + BLOCK - 1) / BLOCK;
    run->pool = run->blocks < SERIAL_BLOCKS ? NULL : run->context->pool;
    double **vectors[] = { &run->x, &run->next, &run->y, &run->sx, &run->sn, &run->sy };
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++)
        if (!(*vectors[i] = SCREE_NEW(arena, double, n)))
            return scree_context_no_memory(run->context, err);
    run->D = SCREE_NEW(arena, double, nc);
    run->partial = SCREE_NEW(arena, double, 3 * run->blocks);
    if (!run->D || !run->partial) return scree_context_no_memory(run->context, err);
    scree_context_diagonal(problem, run->D);
    return SCREE_OK;
}

// s = W p, of one contact
static void row_product(const scree_problem *problem, int i, const double *p, double *s) {
    int d = problem->dimension;
    double sum[SCREE_CONE_MAX] = { 0 };
    for (int at = problem->row[i]; at < problem->row[i + 1]; at++) {
        const double *W = problem->block + (size_t)at * (size_t)(d * d);
        const double *pj = p + (size_t)problem->column[at] * (size_t)d;
        for (int r = 0; r < d; r++)
            for (int c = 0; c < d; c++) sum[r] += W[r * d + c] * pj[c];
    }
    memcpy(s, sum, (size_t)d * sizeof *s);
}

typedef struct product {  // of W and a vector
    apgd *run;
    const double *x;
    double *out, size;
} product;

static void velocity_block(void *with, int block) {
    const product *of = with;
    const scree_problem *problem = of->run->problem;
    int d = of->run->d;
    range part = block_range(of->run, block);
    for (int i = part.first; i < part.last; i++) {
        row_product(problem, i, of->x, of->out + (size_t)i * (size_t)d);
        for (int k = i * d; k < (i + 1) * d; k++) of->out[k] += problem->b[k];
    }
}

static void velocity(apgd *run, const double *p, double *s) {
    product of = { .run = run, .x = p, .out = s };
    scree_parallel_for(run->pool, run->blocks, velocity_block, &of);
}

static double add_partials(const apgd *run, int which) {
    double sum = 0;
    for (int block = 0; block < run->blocks; block++) sum += run->partial[3 * block + which];
    return sum;
}

static void power_block(void *with, int block) {
    const product *of = with;
    apgd *run = of->run;
    int d = run->d;
    range part = block_range(run, block);
    double sum = 0;
    for (int i = part.first; i < part.last; i++) {
        double *zi = of->out + (size_t)i * (size_t)d;
        row_product(run->problem, i, of->x, zi);
        for (int k = 0; k < d; k++) {
            zi[k] /= run->D[i] * of->size;
            sum += run->D[i] * zi[k] * zi[k];
        }
    }
    run->partial[3 * block] = sum;
}

// one step of the power iteration with D^-1 W: z = D^-1 W x / |x|_D, and |z|_D comes out
static double power_step(apgd *run, const double *x, double size, double *z) {
    product of = { .run = run, .x = x, .out = z, .size = size };
    scree_parallel_for(run->pool, run->blocks, power_block, &of);
    return sqrt(add_partials(run, 0));
}

// L = the largest eigenvalue of D^-1 W, from below; y and next are scratch
static void estimate_curvature(apgd *run) {
    double *x = run->y, *z = run->next, size = 0;
    for (int i = 0; i < run->problem->contacts; i++)
        for (int k = 0; k < run->d; k++) {
            x[i * run->d + k] = 1 + 0.1 * ((7 * i + 3 * k) % 11);  // no symmetry to be caught in
            size += run->D[i] * x[i * run->d + k] * x[i * run->d + k];
        }
    run->L = size = sqrt(size);
    for (int step = 0; step < POWER_STEPS && size > 0; step++) {
        size = run->L = power_step(run, x, size, z);
        double *swap = x;
        x = z;
        z = swap;
    }
    run->L = run->global_L = run->L > 0 ? 1.02 * run->L : 1;
}

static void project_block(void *with, int block) {
    apgd *run = with;
    int d = run->d;
    range part = block_range(run, block);
    for (int i = part.first; i < part.last; i++) {
        scree_cone cone = scree_cone_of(run->problem, i);
        const double *y = run->y + (size_t)i * (size_t)d, *s = run->sy + (size_t)i * (size_t)d;
        double *x = run->next + (size_t)i * (size_t)d, step = 1 / (run->L * run->D[i]);
        for (int k = 0; k < d; k++) x[k] = y[k] - step * s[k];
        x[0] -= step * scree_cone_shift(&cone, s);
        scree_cone_project(&cone, x);
    }
}

// sums over the step x+ - y: its size in D, its curvature, and whether momentum points uphill
static void sum_block(void *with, int block) {
    apgd *run = with;
    range part = block_range(run, block);
    double size = 0, curvature = 0, uphill = 0;
    for (int i = part.first; i < part.last; i++)
        for (int k = i * run->d; k < (i + 1) * run->d; k++) {
            double step = run->next[k] - run->y[k];
            size += run->D[i] * step * step;
            curvature += step * (run->sn[k] - run->sy[k]);
            uphill -= run->D[i] * step * (run->next[k] - run->x[k]);
        }
    run->partial[3 * block] = size;
    run->partial[3 * block + 1] = curvature;
    run->partial[3 * block + 2] = uphill;
}

// from y to next; a step that was too long for the curvature it met is taken again. Returns whether
// momentum has to be dropped.
static bool descend(apgd *run, int last) {
    for (int retry = 0; retry < RETRIES; retry++) {
        scree_parallel_for(run->pool, run->blocks, project_block, run);
        velocity(run, run->next, run->sn);
        scree_parallel_for(run->pool, run->blocks, sum_block, run);
        run->context->report->iterations++;
        double size = add_partials(run, 0), curvature = add_partials(run, 1);
        if (!(size > 0 && curvature > run->L * size * (1 + 1e-10))) break;
        if (run->context->report->iterations >= last) break;
        // near the solution the ratio is one of rounding errors: L grows by a bounded factor
        run->L = fmin(1.05 * curvature / size, 2 * run->L);
    }
    return add_partials(run, 2) > 0;
}

static void momentum_block(void *with, int block) {
    apgd *run = with;
    double beta = run->beta;
    range part = block_range(run, block);
    for (int k = part.first * run->d; k < part.last * run->d; k++) {
        run->y[k] = run->next[k] + beta * (run->next[k] - run->x[k]);
        run->sy[k] = run->sn[k] + beta * (run->sn[k] - run->sx[k]);
        run->x[k] = run->next[k];
        run->sx[k] = run->sn[k];
    }
}

static void move_momentum(apgd *run, bool restart) {
    double theta = (1 + sqrt(1 + 4 * run->theta * run->theta)) / 2;
    run->beta = restart ? 0 : (run->theta - 1) / theta;
    run->theta = restart ? 1 : theta;
    scree_parallel_for(run->pool, run->blocks, momentum_block, run);
}

static scree_residual judge(const apgd *run, const double *p, const double *s) {
    double start = scree_context_now();
    scree_residual residual = scree_context_residual(run->context, p, s);
    run->context->report->seconds.judge += scree_context_now() - start;
    return residual;
}

// x = the guess, or 0 if that is better
static scree_residual begin(apgd *run) {
    size_t bytes = (size_t)(run->problem->contacts * run->d) * sizeof *run->x;
    memcpy(run->x, run->context->p, bytes);
    velocity(run, run->x, run->sx);
    scree_residual guess = judge(run, run->x, run->sx);
    memset(run->next, 0, bytes);
    velocity(run, run->next, run->sn);
    scree_residual cold = judge(run, run->next, run->sn);
    if (!(scree_context_error(run->context, guess) < scree_context_error(run->context, cold))) {
        memset(run->x, 0, bytes);
        memcpy(run->sx, run->sn, bytes);
        guess = cold;
    }
    memcpy(run->context->p, run->x, bytes);
    return guess;
}

// Where the shifts follow long steps in circles, shorter ones from the best iterate may settle.
static bool calm_down(apgd *run) {
    size_t bytes = (size_t)(run->problem->contacts * run->d) * sizeof *run->x;
    run->least_L = run->least_L > 0 ? 4 * run->least_L : run->global_L;
    if (run->least_L > CALMEST * run->global_L) return false;
    run->L = fmax(run->L, run->least_L);
    run->theta = 1;
    memcpy(run->x, run->context->p, bytes);
    velocity(run, run->x, run->sx);
    memcpy(run->y, run->x, bytes);
    memcpy(run->sy, run->sx, bytes);
    return true;
}

static scree_stop_reason iterate(apgd *run, scree_residual *least) {
    scree_solver_context *context = run->context;
    size_t bytes = (size_t)(run->problem->contacts * run->d) * sizeof *run->x;
    int last_gain = context->report->iterations, most = context->options->max_sweeps;
    int last = most > INT_MAX - last_gain ? INT_MAX : last_gain + most;
    double level = scree_context_error(context, *least);
    for (int step = 1; !scree_context_meets(context, *least); step++) {
        if (context->report->iterations >= last) return SCREE_STOP_LIMIT;
        move_momentum(run, descend(run, last));
        run->L = fmax(shrink * run->L, run->least_L);
        if (step > JUDGE_EVERY && step % JUDGE_EVERY != 0) continue;
        scree_residual residual = judge(run, run->x, run->sx);
        double error = scree_context_error(context, residual);
        if (!isfinite(error)) return SCREE_STOP_BROKEN;
        if (error < scree_context_error(context, *least)) {
            *least = residual;
            memcpy(context->p, run->x, bytes);
            if (error < 0.99 * level) {
                level = error;
                last_gain = context->report->iterations;
            }
        }
        if (context->report->iterations - last_gain > PATIENCE) {
            if (!calm_down(run)) return SCREE_STOP_STALLED;
            last_gain = context->report->iterations;
            level = scree_context_error(context, *least);
        }
        if (scree_context_late(context)) return SCREE_STOP_TIME;
    }
    return SCREE_STOP_SOLVED;
}

scree_status scree_apgd_solve(scree_solver_context *context, scree_error *err) {
    apgd run = { .context = context, .theta = 1 };
    double start = scree_context_now(), judged = context->report->seconds.judge;
    scree_status status = prepare(&run, err);
    if (status) return status;
    estimate_curvature(&run);
    context->report->seconds.prepare += scree_context_now() - start;

    start = scree_context_now();
    scree_residual least = begin(&run);
    size_t bytes = (size_t)(run.problem->contacts * run.d) * sizeof *run.x;
    memcpy(run.y, run.x, bytes);
    memcpy(run.sy, run.sx, bytes);
    scree_stop_reason reason = iterate(&run, &least);
    judged = context->report->seconds.judge - judged;
    context->report->seconds.iterate += scree_context_now() - start - judged;
    scree_context_finish(context, "apgd", least, reason);
    return SCREE_OK;
}
