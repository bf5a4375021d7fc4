// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// polish.c - Newton on Coulomb's law with all digits of long double, for a few contacts.
// in: task with an iterate near a solution.   out: best p, report.   work: a dense matrix.
//
// Between bodies of very different mass the engines end a hair above the tolerance: the statuses
// are known, and the linear systems have lost the digits. Here impulses, velocities, matrix and
// steps are long double and the equations those of contact_newton.c; the proximal term, whose
// centre goes along with p, is so small that it only decides between forces that are as good.

#include "solve/polish.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "law/cone.h"

enum { MOST = 200, STEPS = 40, IDLE = 10 };  // rows of the matrix; steps, and those without a gain
static const long double proximal[] = { 1e-13L, 1e-11L, 1e-9L };  // weights against D

typedef long double real;

typedef struct polish {
    scree_solver_context *context;
    const scree_problem *problem;
    int nc, d, n;
    real eps;
    real *W;      // dense (n x n)
    real *J;      // Newton's matrix, with the right side behind each row (n x (n + 1))
    real *p, *s;  // (n)
    double *D, *trial, *velocity;
    scree_residual least;
} polish;

bool scree_polish_can(const scree_problem *problem) {
    return problem->contacts * problem->dimension <= MOST;
}

static bool prepare(polish *now) {
    scree_arena *arena = now->context->arena;
    size_t n = (size_t)now->n;
    now->W = SCREE_NEW(arena, real, n * n);
    now->J = SCREE_NEW(arena, real, n * (n + 1));
    now->p = SCREE_NEW(arena, real, n);
    now->s = SCREE_NEW(arena, real, n);
    now->D = SCREE_NEW(arena, double, now->nc);
    now->trial = SCREE_NEW(arena, double, n);
    now->velocity = SCREE_NEW(arena, double, n);
    if (!now->W || !now->J || !now->p || !now->s || !now->D || !now->trial || !now->velocity)
        return false;
    scree_context_diagonal(now->problem, now->D);
    int d = now->d;
    for (int i = 0; i < now->nc; i++)
        for (int at = now->problem->row[i]; at < now->problem->row[i + 1]; at++)
            for (int r = 0; r < d; r++)
                for (int c = 0; c < d; c++)
                    now->W[(size_t)(i * d + r) * n + (size_t)(now->problem->column[at] * d + c)] +=
                        now->problem->block[(size_t)at * (size_t)(d * d) + (size_t)(r * d + c)];
    return true;
}

static void velocities(polish *now) {
    for (int r = 0; r < now->n; r++) {
        const real *W = now->W + (size_t)r * (size_t)now->n;
        now->s[r] = now->problem->b[r];
        for (int c = 0; c < now->n; c++) now->s[r] += W[c] * now->p[c];
    }
}

static real *row_of(const polish *now, int r) { return now->J + (size_t)r * (size_t)(now->n + 1); }

// row r of J += factor times row k of W + eps D
static void add_W(const polish *now, int r, int k, real factor) {
    real *J = row_of(now, r);
    for (int c = 0; c < now->n; c++)
        J[c] += factor * now->W[(size_t)k * (size_t)now->n + (size_t)c];
    J[k] += factor * now->eps * now->D[k / now->d];
}

static void hold_row(const polish *now, int k) {
    add_W(now, k, k, 1);
    row_of(now, k)[now->n] = -now->s[k];
}

// a tangential part of `width` rows from row `first` on, bounded by mu times row `normal`
static void fill_tangents(const polish *now, int normal, int first, int width, real mu, real xN) {
    real A = 0, x[2] = { 0 }, length = 0;
    for (int k = 0; k < width; k++) A += now->W[(size_t)(first + k) * (size_t)(now->n + 1)] / width;
    for (int k = 0; k < width; k++) {
        x[k] = A > 0 ? now->p[first + k] - now->s[first + k] / A : 0;
        length += x[k] * x[k];
    }
    length = sqrtl(length);
    if (length <= mu * xN && mu > 0) {
        for (int k = 0; k < width; k++) hold_row(now, first + k);
        return;
    }
    real t[2] = { 1, 0 }, share = 0;
    if (length > 0) {
        for (int k = 0; k < width; k++) t[k] = x[k] / length;
        share = mu * xN / length;
    }
    if (!(A > 0)) A = 1;
    // along t the impulse is on the boundary of the cone
    real *J = row_of(now, first);
    J[normal] = -mu * A;
    J[now->n] = mu * A * now->p[normal];
    for (int k = 0; k < width; k++) {
        J[first + k] = A * t[k];
        J[now->n] -= A * t[k] * now->p[first + k];
    }
    if (width == 1) return;
    // across it follows the direction of slip
    real e[2] = { -t[1], t[0] }, *across = row_of(now, first + 1);
    for (int k = 0; k < 2; k++) add_W(now, first + 1, first + k, share * e[k]);
    for (int k = 0; k < 2; k++) {
        across[first + k] += (1 - share) * A * e[k];
        across[now->n] -= A * e[k] * now->p[first + k];
    }
}

static void fill_contact(const polish *now, int i) {
    int d = now->d, first = i * d;
    scree_cone cone = scree_cone_of(now->problem, i);
    if (cone.free) {
        for (int k = 0; k < d; k++) hold_row(now, first + k);
        return;
    }
    real A = now->W[(size_t)first * (size_t)(now->n + 1)];
    real xN = A > 0 ? now->p[first] - now->s[first] / A : 0;
    if (!(xN > 0)) {
        for (int k = first; k < first + d; k++) {
            row_of(now, k)[k] = 1;
            row_of(now, k)[now->n] = -now->p[k];
        }
        return;
    }
    hold_row(now, first);
    fill_tangents(now, first, first + 1, d == 2 ? 1 : 2, cone.mu, xN);
    if (d == 5) fill_tangents(now, first, first + 3, 2, cone.mu_rolling, xN);
}

// eliminate with row pivoting, then p += the step; false if the matrix is singular
static bool take_step(polish *now) {
    int n = now->n;
    for (int k = 0; k < n; k++) {
        int pivot = k;
        for (int r = k + 1; r < n; r++)
            if (fabsl(row_of(now, r)[k]) > fabsl(row_of(now, pivot)[k])) pivot = r;
        real *top = row_of(now, k), *other = row_of(now, pivot);
        if (!(fabsl(other[k]) > 0)) return false;
        for (int c = k; pivot != k && c <= n; c++) {
            real swap = top[c];
            top[c] = other[c];
            other[c] = swap;
        }
        for (int r = k + 1; r < n; r++) {
            real *J = row_of(now, r), factor = J[k] / top[k];
            if (factor == 0) continue;
            for (int c = k; c <= n; c++) J[c] -= factor * top[c];
        }
    }
    for (int k = n - 1; k >= 0; k--) {
        real *J = row_of(now, k);
        for (int c = k + 1; c < n; c++) J[n] -= J[c] * row_of(now, c)[n];
        J[n] /= J[k];
        now->p[k] += J[n];
    }
    return true;
}

// judge p in double, within the cones; false if it is no better than the best
static bool keep_best(polish *now) {
    scree_solver_context *context = now->context;
    for (int k = 0; k < now->n; k++) now->trial[k] = (double)now->p[k];
    for (int i = 0; i < now->nc; i++) {
        scree_cone cone = scree_cone_of(now->problem, i);
        scree_cone_project(&cone, now->trial + (size_t)i * (size_t)now->d);
    }
    scree_residual residual = scree_context_judge(context, now->trial, now->velocity);
    if (!(scree_context_error(context, residual) < scree_context_error(context, now->least)))
        return false;
    now->least = residual;
    memcpy(context->p, now->trial, (size_t)now->n * sizeof *context->p);
    return true;
}

static void iterate(polish *now, int most) {
    int idle = 0;
    for (int k = 0; k < now->n; k++) now->p[k] = now->context->p[k];
    for (int step = 0; step < STEPS && idle < IDLE; step++) {
        if (scree_context_meets(now->context, now->least) || scree_context_late(now->context) ||
            now->context->report->iterations >= most)
            return;
        velocities(now);
        memset(now->J, 0, (size_t)now->n * (size_t)(now->n + 1) * sizeof *now->J);
        for (int i = 0; i < now->nc; i++) fill_contact(now, i);
        now->context->report->iterations++;
        now->context->report->factorizations++;
        if (!take_step(now)) return;
        idle = keep_best(now) ? 0 : idle + 1;
    }
}

scree_status scree_polish_solve(scree_solver_context *context, scree_error *err) {
    polish now = { .context = context,
                   .problem = context->problem,
                   .nc = context->problem->contacts,
                   .d = context->problem->dimension,
                   .n = context->problem->contacts * context->problem->dimension };
    double start = scree_context_now();
    int most = context->options->max_sweeps + context->report->iterations;
    if (!prepare(&now)) return scree_context_no_memory(context, err);
    now.least = scree_context_judge(context, context->p, now.velocity);
    for (size_t k = 0; k < sizeof proximal / sizeof *proximal; k++) {
        now.eps = proximal[k];
        iterate(&now, most);
    }
    context->report->seconds.factor += scree_context_now() - start;
    scree_context_finish(context, "contact-newton", now.least, SCREE_STOP_STALLED);
    return SCREE_OK;
}
