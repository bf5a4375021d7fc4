// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// interior_point.c - primal-dual interior point with Nesterov-Todd scaling, Mehrotra's predictor
// and corrector.
// in: problem, guess p.   out: best p, report.   work: a factorised matrix, scaled cones.
//
//     s^ = W r + b + shift n,   K* ∋ s^,  r ∈ K,   x o y = tau e for every piece,   tau -> 0
//
// A piece is a Lorentz cone, x = (mu r_N, r_T) against y = (s^_N / mu, s^_T): one for Coulomb's
// law, two that share r_N for rolling, a half line without friction. A joint has none; its rows are
// held by a large weight. Each piece answers dx = c - D dy with D = Ws^2, Ws y = x / Ws, which
// leaves the linear system of kkt.h, and the shift follows the step (kkt_coulomb.h).
//
// Inside the cones rounding ends the descent at tau of about 1e-14, which leaves an error of its
// root in contacts that neither bear nor open. The last digits are left to Newton on the law
// (newton.c). A problem that defies both is searched for a proof that it has no solution.

#include <float.h>
#include <math.h>
#include <string.h>

#include "law/cone.h"
#include "solve/infeasibility.h"
#include "solve/kkt.h"
#include "solve/kkt_coulomb.h"
#include "solve/lorentz.h"
#include "solve/solver_context.h"

enum {
    PIECES = 2,     // of a contact, at most
    PATIENCE = 30,  // steps without a better residual before giving up
};

static const double joint_weight = 1e8;  // of the rows of a joint, against 1 / D
static const double to_boundary = 0.99;  // part of the way to the boundary that a step may go
static const double short_step = 0.1, centring = 0.3;
static const double least_tau = 1e-14;  // against the first: below is rounding
static const double accuracy = 1e-3;    // of the shifts in a step

typedef struct piece {
    scree_lorentz cone;  // x and y
    int first;           // of its tangential components in the contact
    double mu;           // 1 for a half line
} piece;

typedef struct interior {
    scree_solver_context *context;
    const scree_problem *problem;
    scree_kkt *kkt;
    int nc, d, cones;
    size_t n;
    piece *piece;         // (nc x PIECES)
    int *pieces;          // of each contact (nc)
    double *D;            // (nc)
    double *weight;       // of the KKT matrix (nc x d x d)
    double *r, *s;        // impulses, W r + b (n)
    double *miss;         // s + shift n - s^ (n)
    double *g, *dr, *ds;  // (n)
    double *sigma;        // change of the shifts (nc)
    scree_kkt_coulomb shifted;
    double tau;
} interior;

// ---- pieces of contacts

static int index_of(const piece *one, int i) { return i == 0 ? 0 : one->first + i - 1; }

// factor between a component of the piece and of the contact, for impulses
static double factor_of(const piece *one, int i) { return i == 0 ? one->mu : 1; }

static void add_piece(interior *run, int i, int k, int first, double mu) {
    run->piece[i * PIECES + run->pieces[i]++] = (piece){ .cone.k = k, .first = first, .mu = mu };
    run->cones++;
}

static void make_pieces(interior *run) {
    for (int i = 0; i < run->nc; i++) {
        scree_cone cone = scree_cone_of(run->problem, i);
        if (cone.free) continue;
        if (cone.mu > 0) add_piece(run, i, run->d == 2 ? 1 : 2, 1, cone.mu);
        if (run->d == 5 && cone.mu_rolling > 0) add_piece(run, i, 2, 3, cone.mu_rolling);
        if (run->pieces[i] == 0) add_piece(run, i, 0, 1, 1);
    }
}

// a start on the central path: every contact bears the same energy
static void place_start(interior *run) {
    double energy = sqrt(run->context->scales.energy / run->nc);
    if (!(energy > 0)) energy = 1;
    for (int i = 0; i < run->nc; i++) {
        double impulse = energy / sqrt(run->D[i]), velocity = energy * sqrt(run->D[i]);
        if (run->pieces[i] > 0) run->r[i * run->d] = impulse;
        for (int j = 0; j < run->pieces[i]; j++) {
            piece *one = run->piece + i * PIECES + j;
            one->cone.x[0] = one->mu * impulse;
            one->cone.y[0] = velocity / one->mu;
        }
    }
}

// M += D or its inverse, in the coordinates of the contact
static void add_weight(const piece *one, int d, bool inverse, double *M) {
    for (int a = 0; a <= one->cone.k; a++)
        for (int c = 0; c <= one->cone.k; c++) {
            double value = scree_lorentz_weight(&one->cone, inverse, a, c);
            double f = factor_of(one, a) * factor_of(one, c);
            M[index_of(one, a) * d + index_of(one, c)] += value * (inverse ? f : 1 / f);
        }
}

// inverse of a symmetric positive definite matrix of a contact, by Gauss and Jordan
static bool invert(double *M, int d) {
    for (int k = 0; k < d; k++) {
        double pivot = M[k * d + k];
        if (!(pivot > 0)) return false;
        for (int c = 0; c < d; c++) M[k * d + c] /= c == k ? 1 : pivot;
        for (int r = 0; r < d; r++) {
            if (r == k) continue;
            double f = M[r * d + k];
            for (int c = 0; c < d; c++)
                if (c != k) M[r * d + c] -= f * M[k * d + c];
            M[r * d + k] = -f / pivot;
        }
        M[k * d + k] = 1 / pivot;
    }
    return true;
}

static bool find_weight(interior *run, int i) {
    int d = run->d;
    double *D = run->weight + (size_t)i * (size_t)(d * d);
    memset(D, 0, (size_t)(d * d) * sizeof *D);
    if (run->pieces[i] == 0)
        for (int k = 0; k < d; k++) D[k * d + k] = joint_weight / run->D[i];
    for (int j = 0; j < run->pieces[i]; j++)
        if (!scree_lorentz_prepare(&run->piece[i * PIECES + j].cone)) return false;
    for (int j = 0; j < run->pieces[i]; j++)
        add_weight(run->piece + i * PIECES + j, d, run->pieces[i] == 2, D);
    return run->pieces[i] < 2 || invert(D, d);
}

// c of the contact: dr + D ds = c
static void gather_right(const interior *run, int i, double *c) {
    int d = run->d;
    const double *D = run->weight + (size_t)i * (size_t)(d * d);
    double e[SCREE_CONE_MAX] = { 0 };
    for (int j = 0; j < run->pieces[i]; j++) {
        const piece *one = run->piece + i * PIECES + j;
        double z[SCREE_LORENTZ_MAX];
        memcpy(z, one->cone.c, sizeof z);
        if (run->pieces[i] == 2) {
            scree_lorentz_unscale(&one->cone, z, z);
            scree_lorentz_unscale(&one->cone, z, z);
        }
        for (int a = 0; a <= one->cone.k; a++)
            e[index_of(one, a)] +=
                run->pieces[i] == 2 ? factor_of(one, a) * z[a] : z[a] / factor_of(one, a);
    }
    for (int r = 0; r < d; r++) {
        c[r] = run->pieces[i] == 2 ? 0 : e[r];
        for (int k = 0; run->pieces[i] == 2 && k < d; k++) c[r] += D[r * d + k] * e[k];
    }
}

// dx and dy of the pieces from dr and ds of the contact
static void spread_step(interior *run, int i) {
    const double *dr = run->dr + i * run->d, *ds = run->ds + i * run->d;
    for (int j = 0; j < run->pieces[i]; j++) {
        piece *one = run->piece + i * PIECES + j;
        for (int a = 0; a <= one->cone.k; a++)
            one->cone.dx[a] = factor_of(one, a) * dr[index_of(one, a)];
        if (run->pieces[i] == 1) {
            for (int a = 0; a <= one->cone.k; a++)
                one->cone.dy[a] = ds[index_of(one, a)] / factor_of(one, a);
            continue;
        }
        double z[SCREE_LORENTZ_MAX] = { 0 };
        for (int a = 0; a <= one->cone.k; a++) z[a] = one->cone.c[a] - one->cone.dx[a];
        scree_lorentz_unscale(&one->cone, z, z);
        scree_lorentz_unscale(&one->cone, z, one->cone.dy);
    }
}

// ---- steps

// miss = W r + b + shift n - s^; rows without a cone of their own miss nothing
static void find_miss(interior *run) {
    memset(run->miss, 0, run->n * sizeof *run->miss);
    for (int i = 0; i < run->nc; i++) {
        scree_cone cone = scree_cone_of(run->problem, i);
        const double *s = run->s + i * run->d;
        double *miss = run->miss + i * run->d;
        if (cone.free) {
            memcpy(miss, s, (size_t)run->d * sizeof *miss);
            continue;
        }
        miss[0] = s[0] + scree_cone_shift(&cone, s);
        for (int j = 0; j < run->pieces[i]; j++) {
            const piece *one = run->piece + i * PIECES + j;
            miss[0] -= one->mu * one->cone.y[0];
            for (int a = 1; a <= one->cone.k; a++)
                miss[index_of(one, a)] = s[index_of(one, a)] - one->cone.y[a];
        }
    }
}

// solve for the step that belongs to the right sides c of the pieces
static void find_step(interior *run) {
    int d = run->d;
    for (int i = 0; i < run->nc; i++) {
        const double *D = run->weight + (size_t)i * (size_t)(d * d), *miss = run->miss + i * d;
        double *g = run->g + i * d;
        gather_right(run, i, g);
        for (int r = 0; r < d; r++)
            for (int k = 0; k < d; k++) g[r] -= D[r * d + k] * miss[k];
    }
    scree_kkt_coulomb_solve(&run->shifted, accuracy, run->g, run->dr, run->ds, run->sigma);
    for (size_t k = 0; k < run->n; k++) run->ds[k] += run->miss[k];
    for (int i = 0; i < run->nc; i++) run->ds[i * d] += run->sigma[i];
    for (int i = 0; i < run->nc; i++) spread_step(run, i);
}

static double step_length(const interior *run) {
    double length = HUGE_VAL;
    for (int i = 0; i < run->nc; i++)
        for (int j = 0; j < run->pieces[i]; j++)
            length = fmin(length, scree_lorentz_step(&run->piece[i * PIECES + j].cone));
    return length;
}

// mean of x . y after a step
static double complementarity(const interior *run, double length) {
    double sum = 0;
    for (int i = 0; i < run->nc; i++)
        for (int j = 0; j < run->pieces[i]; j++) {
            const piece *one = run->piece + i * PIECES + j;
            for (int a = 0; a <= one->cone.k; a++)
                sum += (one->cone.x[a] + length * one->cone.dx[a]) *
                       (one->cone.y[a] + length * one->cone.dy[a]);
        }
    return run->cones > 0 ? sum / run->cones : 0;
}

static void predict(interior *run) {
    for (int i = 0; i < run->nc; i++)
        for (int j = 0; j < run->pieces[i]; j++) {
            piece *one = run->piece + i * PIECES + j;
            for (int a = 0; a <= one->cone.k; a++) one->cone.c[a] = -one->cone.x[a];
        }
    find_step(run);
}

static void take(interior *run, double length) {
    for (size_t k = 0; k < run->n; k++) run->r[k] += length * run->dr[k];
    for (int i = 0; i < run->nc; i++)
        for (int j = 0; j < run->pieces[i]; j++) {
            piece *one = run->piece + i * PIECES + j;
            for (int a = 0; a <= one->cone.k; a++) {
                one->cone.x[a] = factor_of(one, a) * run->r[i * run->d + index_of(one, a)];
                one->cone.y[a] += length * one->cone.dy[a];
            }
        }
}

// the corrector's step towards x o y = target e; returns its length
static double correct_all(interior *run, double target) {
    for (int i = 0; i < run->nc; i++)
        for (int j = 0; j < run->pieces[i]; j++)
            scree_lorentz_correct(&run->piece[i * PIECES + j].cone, target);
    find_step(run);
    return fmin(1, to_boundary * step_length(run));
}

static void forget_step(interior *run) {
    for (int i = 0; i < run->nc * PIECES; i++) {
        memset(run->piece[i].cone.dx, 0, sizeof run->piece[i].cone.dx);
        memset(run->piece[i].cone.dy, 0, sizeof run->piece[i].cone.dy);
    }
}

static bool advance(interior *run) {
    scree_solver_context *context = run->context;
    for (int i = 0; i < run->nc; i++)
        if (!find_weight(run, i)) return false;
    context->report->factorizations++;
    context->report->iterations++;
    if (!scree_kkt_factor(run->kkt, run->weight)) return false;
    run->tau = complementarity(run, 0);
    predict(run);
    double length = fmin(1, step_length(run));
    double ratio = complementarity(run, length) / run->tau;
    length = correct_all(run, run->tau * fmin(1, ratio * ratio * ratio));
    if (length < short_step) {  // back towards the central path
        forget_step(run);
        length = correct_all(run, centring * run->tau);
    }
    take(run, length);
    return length > 1e-10;
}

// ---- the loop

static scree_status prepare(interior *run, scree_error *err) {
    scree_arena *arena = run->context->arena;
    run->problem = run->context->problem;
    run->nc = run->problem->contacts;
    run->d = run->problem->dimension;
    run->n = (size_t)run->nc * (size_t)run->d;
    double **vectors[] = { &run->r, &run->s, &run->miss, &run->g, &run->dr, &run->ds };
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++)
        if (!(*vectors[i] = SCREE_NEW(arena, double, run->n)))
            return scree_context_no_memory(run->context, err);
    run->D = SCREE_NEW(arena, double, run->nc);
    run->weight = SCREE_NEW(arena, double, (run->n * (size_t)run->d));
    run->piece = SCREE_NEW(arena, piece, run->nc * PIECES);
    run->pieces = SCREE_NEW(arena, int, run->nc);
    run->sigma = SCREE_NEW(arena, double, run->nc);
    if (!run->D || !run->weight || !run->piece || !run->pieces || !run->sigma ||
        !(run->kkt = scree_kkt_new(run->problem)) ||
        !scree_kkt_coulomb_init(&run->shifted, run->problem, run->kkt, run->weight, run->s, arena))
        return scree_context_no_memory(run->context, err);
    scree_context_diagonal(run->problem, run->D);
    make_pieces(run);
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
    place_start(run);
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

// Newton from where the interior ends; it has its own share of the iterations
static scree_status polish(interior *run, int used, scree_residual *least, scree_error *err) {
    scree_solver_context part = *run->context;
    scree_solver_options options = *part.options;
    options.max_sweeps -= used;
    if (options.max_sweeps < 1) return SCREE_OK;
    part.options = &options;
    scree_arena_mark mark = scree_arena_mark_of(part.arena);
    scree_status status = scree_newton_solve(&part, err);
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
    scree_kkt_free(run.kkt);
    return status;
}
