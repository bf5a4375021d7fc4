// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// lemke_contact.c - a planar contact problem as an LCP, for Lemke's method.
// in: planar problem.   out: p, or a proof that there is none.   work: the LCP, dense.
//
// With sigma = mu p_N + p_T, kappa = mu p_N - p_T and s_T = s+ - s-,
//
//     0 <= s_N   ⟂ p_N   >= 0       s_N   = W_NN p_N + W_NT (sigma - mu p_N) + b_N
//     0 <= s+    ⟂ sigma >= 0       s+    = W_TN p_N + W_TT (sigma - mu p_N) + b_T + s-
//     0 <= kappa ⟂ s-    >= 0       kappa = 2 mu p_N - sigma
//
// (Pfeiffer and Glocker). A contact without friction has only the first row. Impulses are counted
// in a unit that makes W about 1, as the other entries are: Lemke's method compares them.

#include <math.h>
#include <string.h>

#include "solve/farkas.h"
#include "solve/lemke.h"
#include "solve/solver_context.h"

static int rows_of(const scree_problem *problem, int i) { return problem->mu[i] > 0 ? 3 : 1; }

static int count_rows(const scree_problem *problem) {
    int rows = 0;
    for (int i = 0; i < problem->contacts; i++) rows += rows_of(problem, i);
    return rows;
}

// the unit of impulses: a power of two, which rounds nothing
static double unit_of(const scree_problem *problem) {
    double largest = 0;
    int exponent;
    for (size_t k = 0; k < 4 * (size_t)problem->row[problem->contacts]; k++)
        largest = fmax(largest, fabs(problem->block[k]));
    frexp(largest, &exponent);
    return ldexp(1, -exponent);
}

// the block of contact i against contact j, whose rows begin at M
static void add_block(const double *W, double unit, bool friction_i, double mu_j, size_t n,
                      double *M) {
    M[0] = unit * (W[0] - W[1] * mu_j);
    if (mu_j > 0) M[1] = unit * W[1];
    if (!friction_i) return;
    M[n] = unit * (W[2] - W[3] * mu_j);
    if (mu_j > 0) M[n + 1] = unit * W[3];
}

static void fill_lcp(const scree_problem *problem, const int *first, double unit, double *M,
                     double *q, size_t n) {
    for (int i = 0; i < problem->contacts; i++) {
        double *row = M + (size_t)first[i] * n, mu = problem->mu[i];
        for (int at = problem->row[i]; at < problem->row[i + 1]; at++) {
            int j = problem->column[at];
            add_block(problem->block + 4 * (size_t)at, unit, mu > 0, problem->mu[j], n,
                      row + first[j]);
        }
        q[first[i]] = problem->b[2 * i];
        if (!(mu > 0)) continue;
        q[first[i] + 1] = problem->b[2 * i + 1];
        row[n + (size_t)first[i] + 2] = 1;
        row[2 * n + (size_t)first[i]] = 2 * mu;
        row[2 * n + (size_t)first[i] + 1] = -1;
    }
}

static void read_impulses(const scree_problem *problem, const int *first, double unit,
                          const double *z, double *p) {
    for (int i = 0; i < problem->contacts; i++) {
        double normal = unit * z[first[i]], limit = problem->mu[i] * normal;
        double tangent = problem->mu[i] > 0 ? unit * z[first[i] + 1] - limit : 0;
        p[2 * i] = normal;
        p[2 * i + 1] = fmin(fmax(tangent, -limit), limit);
    }
}

static scree_stop_reason reason_of(scree_lemke_end end) {
    switch (end) {
        case SCREE_LEMKE_LIMIT:
            return SCREE_STOP_LIMIT;
        case SCREE_LEMKE_LATE:
            return SCREE_STOP_TIME;
        default:
            return SCREE_STOP_STALLED;
    }
}

static scree_status check(const scree_problem *problem, scree_error *err) {
    int rows = problem->dimension == 2 ? count_rows(problem) : 0;
    if (problem->dimension != 2)
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                          "lemke solves planar problems; this one has dimension %d",
                          problem->dimension);
    for (int i = 0; problem->equality && i < problem->contacts; i++)
        if (problem->equality[i])
            return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                              "lemke cannot solve problems with joints (contact %d)", i);
    if (rows > SCREE_LEMKE_ROWS)
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                          "lemke solves problems of up to %d rows; this one has %d (three for each "
                          "contact with friction)",
                          SCREE_LEMKE_ROWS, rows);
    return SCREE_OK;
}

scree_status scree_lemke_solve(scree_solver_context *context, scree_error *err) {
    const scree_problem *problem = context->problem;
    scree_status status = check(problem, err);
    if (status != SCREE_OK) return status;
    size_t nc = (size_t)problem->contacts, n = (size_t)count_rows(problem);
    int *first = SCREE_NEW(context->arena, int, nc);
    double *M = SCREE_NEW(context->arena, double, (n * n)),
           *q = SCREE_NEW(context->arena, double, n);
    double *z = SCREE_NEW(context->arena, double, n),
           *p = SCREE_NEW(context->arena, double, 2 * nc);
    double *s = SCREE_NEW(context->arena, double, 2 * nc);
    if (!first || !M || !q || !z || !p || !s) return scree_context_no_memory(context, err);
    for (size_t i = 1; i < nc; i++) first[i] = first[i - 1] + rows_of(problem, (int)i - 1);
    double unit = unit_of(problem);
    fill_lcp(problem, first, unit, M, q, n);

    double start = scree_context_now();
    scree_lemke_effort effort = { .max_pivots = context->options->max_sweeps,
                                  .limits = context->limits };
    scree_lcp lcp = { (int)n, M, q };
    scree_lemke_end end = scree_lemke_run(&lcp, &effort, z, context->arena);
    if (end == SCREE_LEMKE_NO_MEMORY) return scree_context_no_memory(context, err);
    context->report->iterations += effort.pivots;
    context->report->factorizations += effort.rebuilds;
    context->report->seconds.iterate += scree_context_now() - start;

    // the guess may be better than the end of a path that did not arrive
    read_impulses(problem, first, unit, z, p);
    scree_residual guess = scree_context_judge(context, context->p, s);
    scree_residual residual = scree_context_judge(context, p, s);
    if (scree_context_error(context, residual) <= scree_context_error(context, guess))
        memcpy(context->p, p, 2 * nc * sizeof *p);
    else
        residual = guess;
    bool proven = false;
    if (end == SCREE_LEMKE_RAY && !scree_context_meets(context, residual) &&
        !scree_farkas_of_context(context, &proven))
        return scree_context_no_memory(context, err);
    scree_context_finish(context, "lemke", residual,
                         proven ? SCREE_STOP_INFEASIBLE : reason_of(end));
    return SCREE_OK;
}
