// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// alart_curnier.c - Newton's method on all contacts at once, friction and its shift included.
// in: problem, guess p.   out: best p, report.   work: a matrix in the pattern of W and its LU.
//
//     F_N = p_N - max(0, x_N)                     x_N = p_N - rho_N s_N
//     F_T = p_T - P(x_T; |.| <= mu max(0, x_N))   x_T = p_T - rho_T s_T         (Alart, Curnier)
//     (A W + B) dp = -F,   A = dF/ds,   B = dF/dp
//
// with rho_N = 1 / W_NN and rho_T = 1 / (largest eigenvalue of W_TT). The rolling cone takes
// F = p - P_K(p - rho (s + shift n)) instead. It is at home where W has full rank: finite elements,
// few contacts. Where it has not, A (W + eps D) + B is factorised instead: eps grows after steps
// that failed and shrinks after good ones. Sweeps of Gauss-Seidel come first, to find most
// statuses; when Newton is lost, projected gradients lead it elsewhere.

#include <float.h>
#include <limits.h>
#include <math.h>
#include <string.h>

#include "law/cone.h"
#include "solve/block_lu.h"
#include "solve/solver_context.h"

enum {
    SEED_SWEEPS = 10,
    RESCUE_STEPS = 30,  // of projected gradients, when Newton is lost
    MEMORY = 5,         // merits that a new one is compared with
    HALVINGS = 8,
    LOOSE_STEPS = 8,  // without a better residual, before the search for steps becomes strict
    RESCUES = 40,     // times that they may help out
};

static const double least_eps = 1e-10, first_eps = 1e-2, largest_eps = 1e-1;

typedef struct newton {
    scree_solver_context *context;
    const scree_problem *problem;
    int nc, d;
    size_t n;
    double eps;
    double *D, *rho_N, *rho_T;  // (nc)
    double *p, *s;              // iterate, W p + b (n)
    double *F, *dp, *ds;        // (n)
    double *try_p, *try_s;      // (n)
    double *A, *B;              // dF/ds, dF/dp (nc x d x d)
    double *matrix;             // A W + B in the pattern of W
    bool *bears;                // contacts whose step is not known at once (nc)
    scree_block_lu *lu;
    double merit[MEMORY];  // the last ones
    int merits;
    bool loose;      // merits may grow: quick where it works
    int since_gain;  // steps without a better residual
} newton;

// ---- the function and its derivatives, one contact

typedef struct one {  // a contact
    scree_cone cone;
    double rho_N, rho_T;
} one;

static double tangent_eigenvalue(const double *W, int d) {
    if (d == 2) return W[3];
    double a = W[4], b = (W[5] + W[7]) / 2, c = W[8];
    return (a + c) / 2 + hypot((a - c) / 2, b);
}

static bool slips(const one *c, double length, double bound) {
    return length > bound || c->cone.mu == 0;
}

static void alart_curnier(const one *c, const double *p, const double *s, double *F) {
    int d = c->cone.d;
    double xN = p[0] - c->rho_N * s[0], x[SCREE_CONE_MAX] = { 0 };
    double bound = c->cone.mu * fmax(0, xN);
    for (int k = 1; k < d; k++) x[k] = p[k] - c->rho_T * s[k];
    double length = scree_cone_tangential(x, d);
    double clip = slips(c, length, bound) ? (length > 0 ? bound / length : 0) : 1;
    F[0] = p[0] - fmax(0, xN);
    for (int k = 1; k < d; k++) F[k] = p[k] - clip * x[k];
}

// A and B come zeroed
static void alart_curnier_slopes(const one *c, const double *p, const double *s, double *A,
                                 double *B) {
    int d = c->cone.d;
    double xN = p[0] - c->rho_N * s[0], x[SCREE_CONE_MAX] = { 0 };
    for (int k = 1; k < d; k++) x[k] = p[k] - c->rho_T * s[k];
    if (!(xN > 0)) {  // open: F = p
        for (int k = 0; k < d; k++) B[k * d + k] = 1;
        return;
    }
    double bound = c->cone.mu * xN, length = scree_cone_tangential(x, d);
    A[0] = c->rho_N;
    if (!slips(c, length, bound)) {
        for (int k = 1; k < d; k++) A[k * d + k] = c->rho_T;
        return;
    }
    double t[SCREE_CONE_MAX] = { 0 };
    for (int k = 1; k < d; k++) t[k] = length > 0 ? x[k] / length : 0;
    for (int r = 1; r < d; r++) {
        A[r * d] = c->cone.mu * c->rho_N * t[r];
        B[r * d] = -c->cone.mu * t[r];
        for (int k = 1; k < d; k++) {
            double turn = length > 0 ? bound / length * ((r == k) - t[r] * t[k]) : 0;
            A[r * d + k] = c->rho_T * turn;
            B[r * d + k] = (r == k) - turn;
        }
    }
}

static void natural_point(const one *c, const double *p, const double *s, double *x) {
    for (int k = 0; k < c->cone.d; k++) x[k] = p[k] - c->rho_N * s[k];
    x[0] -= c->rho_N * scree_cone_shift(&c->cone, s);
}

static void natural(const one *c, const double *p, const double *s, double *F) {
    double x[SCREE_CONE_MAX];
    natural_point(c, p, s, x);
    scree_cone_project(&c->cone, x);
    for (int k = 0; k < c->cone.d; k++) F[k] = p[k] - x[k];
}

static void natural_slopes(const one *c, const double *p, const double *s, double *A, double *B) {
    int d = c->cone.d;
    double x[SCREE_CONE_MAX], J[SCREE_CONE_MAX * SCREE_CONE_MAX], shift[SCREE_CONE_MAX] = { 0 };
    natural_point(c, p, s, x);
    scree_cone_derivative(&c->cone, x, J);
    if (!c->cone.free) {  // how the shift follows s
        double T = hypot(s[1], s[2]), R = hypot(s[3], s[4]);
        for (int k = 1; k < 3; k++) shift[k] = T > 0 ? c->cone.mu * s[k] / T : 0;
        for (int k = 3; k < 5; k++) shift[k] = R > 0 ? c->cone.mu_rolling * s[k] / R : 0;
    }
    for (int r = 0; r < d; r++)
        for (int k = 0; k < d; k++) {
            A[r * d + k] = c->rho_N * (J[r * d + k] + J[r * d] * shift[k]);
            B[r * d + k] = (r == k) - J[r * d + k];
        }
}

static one contact(const newton *run, int i) {
    return (one){ scree_cone_of(run->problem, i), run->rho_N[i], run->rho_T[i] };
}

static void function(const one *c, const double *p, const double *s, double *F) {
    if (c->cone.d == 5 || c->cone.free)
        natural(c, p, s, F);
    else
        alart_curnier(c, p, s, F);
}

// merit: an energy, sum D_i |F_i|^2
static double evaluate(const newton *run, const double *p, const double *s, double *F) {
    double merit = 0;
    for (int i = 0; i < run->nc; i++) {
        one c = contact(run, i);
        size_t at = (size_t)i * (size_t)run->d;
        function(&c, p + at, s + at, F + at);
        for (int k = 0; k < run->d; k++) merit += run->D[i] * F[at + (size_t)k] * F[at + (size_t)k];
    }
    return merit;
}

static void find_slopes(newton *run) {
    size_t dd = (size_t)(run->d * run->d);
    memset(run->A, 0, (size_t)run->nc * dd * sizeof *run->A);
    memset(run->B, 0, (size_t)run->nc * dd * sizeof *run->B);
    for (int i = 0; i < run->nc; i++) {
        one c = contact(run, i);
        const double *p = run->p + i * run->d, *s = run->s + i * run->d;
        double *A = run->A + dd * (size_t)i, *B = run->B + dd * (size_t)i;
        if (run->d == 5 || c.cone.free)
            natural_slopes(&c, p, s, A, B);
        else
            alart_curnier_slopes(&c, p, s, A, B);
    }
}

// ---- the linear system

// contacts with A = 0, B = 1 are known at once: dp = -F
static void find_bearing(newton *run) {
    int d = run->d;
    for (int i = 0; i < run->nc; i++) {
        const double *A = run->A + (size_t)i * (size_t)(d * d);
        run->bears[i] = false;
        for (int k = 0; k < d * d; k++) run->bears[i] |= A[k] != 0;
    }
}

// right -= V dp
static void subtract_product(const double *V, const double *dp, int d, double *right) {
    for (int r = 0; r < d; r++)
        for (int c = 0; c < d; c++) right[r] -= V[r * d + c] * dp[c];
}

// row i of A (W + eps D) + B, and what known steps do to its right side
static void build_row(newton *run, int i) {
    const scree_problem *problem = run->problem;
    int d = run->d;
    size_t dd = (size_t)(d * d);
    const double *A = run->A + dd * (size_t)i, *B = run->B + dd * (size_t)i;
    for (int at = problem->row[i]; at < problem->row[i + 1]; at++) {
        const double *W = problem->block + dd * (size_t)at;
        double *J = run->matrix + dd * (size_t)at, shift = run->eps * run->D[i];
        int j = problem->column[at];
        for (int r = 0; r < d; r++)
            for (int c = 0; c < d; c++) {
                double sum = j == i ? B[r * d + c] + shift * A[r * d + c] : 0;
                for (int k = 0; k < d; k++) sum += A[r * d + k] * W[k * d + c];
                J[r * d + c] = sum;
            }
        if (!run->bears[j]) subtract_product(J, run->dp + j * d, d, run->dp + i * d);
    }
}

// dp and ds = W dp; false if the matrix is singular or the step not finite
static bool find_step(newton *run) {
    find_slopes(run);
    find_bearing(run);
    for (size_t k = 0; k < run->n; k++) run->dp[k] = -run->F[k];
    for (int i = 0; i < run->nc; i++)
        if (run->bears[i]) build_row(run, i);
    run->context->report->factorizations++;
    if (!scree_block_lu_factor(run->lu, run->matrix, run->bears)) return false;
    scree_block_lu_solve(run->lu, run->dp);
    for (size_t k = 0; k < run->n; k++)
        if (!isfinite(run->dp[k])) return false;
    scree_problem_velocity(run->problem, run->dp, run->ds);
    for (size_t k = 0; k < run->n; k++) run->ds[k] -= run->problem->b[k];
    return true;
}

// ---- the steps

static void remember_merit(newton *run, double merit) {
    run->merit[run->merits++ % MEMORY] = merit;
}

static double worst_merit(const newton *run) {
    double worst = 0;
    for (int i = 0; i < run->merits && i < MEMORY; i++) worst = fmax(worst, run->merit[i]);
    return worst;
}

// The first of 1, 1/2, 1/4, ... that betters the worst of the last merits; 0 if there is none.
static double line_search(newton *run, double *merit) {
    double length = 1, limit = (run->loose ? 4 : 1) * worst_merit(run);
    for (int halving = 0; halving <= HALVINGS; halving++, length /= 2) {
        for (size_t k = 0; k < run->n; k++) {
            run->try_p[k] = run->p[k] + length * run->dp[k];
            run->try_s[k] = run->s[k] + length * run->ds[k];
        }
        *merit = evaluate(run, run->try_p, run->try_s, run->F);
        if (*merit <= (1 - 1e-4 * length) * limit) return length;
    }
    return 0;
}

// one step of Newton; false if it led nowhere
static bool advance(newton *run) {
    double merit = evaluate(run, run->p, run->s, run->F), length = 0;
    if (find_step(run)) length = line_search(run, &merit);
    run->context->report->iterations++;
    if (!(length > 0)) {
        run->eps = fmin(100 * run->eps, largest_eps);
        return false;
    }
    memcpy(run->p, run->try_p, run->n * sizeof *run->p);
    remember_merit(run, merit);
    run->eps = length == 1 ? fmax(run->eps / 4, least_eps)
                           : fmin(run->eps * (length < 0.1 ? 10 : 1), largest_eps);
    return !run->loose || run->since_gain++ < LOOSE_STEPS;
}

// Sweeps of Gauss-Seidel from p at first; where they and Newton led nowhere, another method may.
static scree_status improve(newton *run, bool first, int left, scree_error *err) {
    scree_solver_context *context = run->context;
    scree_solver_options options = *context->options;
    int most = first ? SEED_SWEEPS : RESCUE_STEPS;
    options.max_sweeps = most < left ? most : left;
    scree_solver_context part = *context;
    part.options = &options;
    part.p = run->p;
    scree_arena_mark mark = scree_arena_mark_of(context->arena);
    scree_status status = first ? scree_nsgs_solve(&part, err) : scree_apgd_solve(&part, err);
    scree_arena_release(context->arena, mark);
    return status;
}

// ---- the loop

static scree_status prepare(newton *run, scree_error *err) {
    scree_arena *arena = run->context->arena;
    const scree_problem *problem = run->problem = run->context->problem;
    int nc = run->nc = problem->contacts, d = run->d = problem->dimension;
    size_t n = run->n = (size_t)nc * (size_t)d;
    double **vectors[] = {
        &run->p, &run->s, &run->F, &run->dp, &run->ds, &run->try_p, &run->try_s
    };
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++)
        if (!(*vectors[i] = SCREE_NEW(arena, double, n)))
            return scree_context_no_memory(run->context, err);
    run->D = SCREE_NEW(arena, double, nc);
    run->rho_N = SCREE_NEW(arena, double, nc);
    run->rho_T = SCREE_NEW(arena, double, nc);
    run->A = SCREE_NEW(arena, double, n *(size_t)d);
    run->B = SCREE_NEW(arena, double, n *(size_t)d);
    run->matrix = SCREE_NEW(arena, double, (size_t)problem->row[nc] * (size_t)(d * d));
    run->bears = SCREE_NEW(arena, bool, nc);
    run->lu = scree_block_lu_new(problem, HUGE_VAL, arena);
    if (!run->D || !run->rho_N || !run->rho_T || !run->A || !run->B || !run->matrix ||
        !run->bears || !run->lu)
        return scree_context_no_memory(run->context, err);
    scree_context_diagonal(problem, run->D);
    for (int i = 0; i < nc; i++) {
        const double *W = problem->block + (size_t)problem->diagonal[i] * (size_t)(d * d);
        bool whole = d == 5 || (problem->equality && problem->equality[i]);
        run->rho_N[i] = 1 / (whole ? run->D[i] : W[0]);
        run->rho_T[i] = 1 / (whole ? run->D[i] : tangent_eigenvalue(W, d));
    }
    return SCREE_OK;
}

static void keep_best(newton *run, scree_residual residual, scree_residual *least) {
    if (!(scree_context_error(run->context, residual) < scree_context_error(run->context, *least)))
        return;
    *least = residual;
    run->since_gain = 0;
    memcpy(run->context->p, run->p, run->n * sizeof *run->p);
}

// start from the guess or from 0, whichever is better
static scree_residual begin(newton *run) {
    scree_solver_context *context = run->context;
    scree_residual least = scree_context_judge(context, context->p, run->s);
    scree_residual cold = scree_context_judge(context, run->p, run->s);
    if (scree_context_error(context, least) < scree_context_error(context, cold)) {
        memcpy(run->p, context->p, run->n * sizeof *run->p);
        return least;
    }
    memset(context->p, 0, run->n * sizeof *context->p);
    return cold;
}

static scree_status iterate(newton *run, scree_residual *least, scree_stop_reason *reason,
                            scree_error *err) {
    scree_solver_context *context = run->context;
    int done = context->report->iterations, most = context->options->max_sweeps, rescues = 0;
    int last = most > INT_MAX - done ? INT_MAX : done + most;
    bool lost = true;  // sweeps come first
    *reason = SCREE_STOP_LIMIT;
    while (!scree_context_meets(context, *least)) {
        if (context->report->iterations >= last) return SCREE_OK;
        if (lost && rescues++ > RESCUES) {
            *reason = SCREE_STOP_STALLED;
            return SCREE_OK;
        }
        if (lost) {
            // from the best iterate; every third time from nothing, as the best may be a dead end
            memcpy(run->p, context->p, run->n * sizeof *run->p);
            if (rescues % 3 == 0) memset(run->p, 0, run->n * sizeof *run->p);
            scree_status status =
                improve(run, rescues == 1, last - context->report->iterations, err);
            if (status) return status;
        }
        scree_residual residual = scree_context_judge(context, run->p, run->s);
        if (!isfinite(scree_context_error(context, residual))) {
            *reason = SCREE_STOP_BROKEN;
            return SCREE_OK;
        }
        keep_best(run, residual, least);
        if (scree_context_meets(context, *least)) break;
        if (lost) {
            run->merits = run->since_gain = 0;
            run->loose = rescues % 3 == 1;
            remember_merit(run, evaluate(run, run->p, run->s, run->F));
        }
        if (context->report->iterations >= last) return SCREE_OK;
        lost = !advance(run);
        if (scree_context_late(context)) {
            *reason = SCREE_STOP_TIME;
            return SCREE_OK;
        }
    }
    return SCREE_OK;
}

scree_status scree_alart_curnier_solve(scree_solver_context *context, scree_error *err) {
    newton run = { .context = context, .eps = first_eps };
    double start = scree_context_now();
    scree_status status = prepare(&run, err);
    if (status) return status;
    context->report->seconds.prepare += scree_context_now() - start;

    scree_seconds before = context->report->seconds;
    start = scree_context_now();
    scree_residual least = begin(&run);
    scree_stop_reason reason;
    status = iterate(&run, &least, &reason, err);
    const scree_seconds *after = &context->report->seconds;
    context->report->seconds.factor += scree_context_now() - start - (after->judge - before.judge) -
                                       (after->iterate - before.iterate) -
                                       (after->prepare - before.prepare);
    if (!status) scree_context_finish(context, "alart-curnier", least, reason);
    return status;
}
