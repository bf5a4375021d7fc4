// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// infeasibility.c - the proximal point iteration of the problem without friction; where there is no
// solution its steps do not die out, and they become the proof.
// in: problem.   out: direction.   work: a factorised matrix, six vectors.
//
//     d+ = max(0, d - (s_N(d+) + ...) / (eps D)),     s = W d+ + b
//
// One step is a piecewise linear problem, solved by guessing which contacts bear and solving the
// linear system of that guess, until the guess confirms itself. The limit of d+ - d is the d of
// infeasibility.h: exact after finitely many steps up to rounding, as everything is piecewise
// linear.

#include "solve/infeasibility.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "law/cone.h"
#include "solve/kkt.h"

enum { PROXIMAL_STEPS = 30, GUESSES = 150 };  // guesses of all steps together

static const double eps = 1e-3;       // proximal weight against D
static const double feasible = 1e-9;  // s_N against the largest |b|: the walls leave room
static const double proof = 1e10;     // a solution would have to be this much larger than b / D

typedef struct squeeze {
    const scree_problem *problem;
    scree_kkt *kkt;
    int nc, d, guesses;
    int *count;  // of factorisations in the report
    size_t n;
    double *D;        // (nc)
    double *weight;   // of the KKT matrix (nc x d x d)
    bool *bears;      // the guess (nc)
    double *at, *to;  // d and d+ (n)
    double *u, *g;    // (n)
    double largest_b;
} squeeze;

static bool is_joint(const squeeze *now, int i) {
    return now->problem->equality && now->problem->equality[i];
}

// may component k of contact i bear any load? The normal one, or of a joint those without limit.
static bool bears_load(const squeeze *now, int i, int k) {
    if (!is_joint(now, i)) return k == 0;
    return !now->problem->limit || now->problem->limit[i * now->d + k] == HUGE_VAL;
}

static bool prepare(squeeze *now, scree_arena *arena) {
    size_t nc = (size_t)now->nc;
    double **vectors[] = { &now->at, &now->to, &now->u, &now->g };
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++)
        if (!(*vectors[i] = SCREE_NEW(arena, double, now->n))) return false;
    now->D = SCREE_NEW(arena, double, nc);
    now->weight = SCREE_NEW(arena, double, (now->n * (size_t)now->d));
    now->bears = SCREE_NEW(arena, bool, nc);
    if (!now->D || !now->weight || !now->bears) return false;
    scree_context_diagonal(now->problem, now->D);
    for (size_t k = 0; k < now->n; k++)
        now->largest_b = fmax(now->largest_b, fabs(now->problem->b[k]));
    return (now->kkt = scree_kkt_new(now->problem));
}

// d+ and u = W d+ for the guess
static bool solve_guess(squeeze *now) {
    int d = now->d;
    memset(now->weight, 0, now->n * (size_t)d * sizeof *now->weight);
    memset(now->g, 0, now->n * sizeof *now->g);
    for (int i = 0; i < now->nc; i++)
        for (int k = 0; now->bears[i] && k < d; k++) {
            if (!bears_load(now, i, k)) continue;
            double scale = 1 / (eps * now->D[i]);
            now->weight[(i * d + k) * d + k] = scale;
            now->g[i * d + k] = now->at[i * d + k] - scale * now->problem->b[i * d + k];
        }
    ++*now->count;
    if (!scree_kkt_factor(now->kkt, now->weight)) return false;
    scree_kkt_solve(now->kkt, now->g, now->to, now->u);
    return true;
}

// the next guess; false if it is the same
static bool change_guess(squeeze *now) {
    bool changed = false;
    for (int i = 0; i < now->nc; i++) {
        if (is_joint(now, i)) continue;
        int at = i * now->d;
        bool bears = now->at[at] - (now->u[at] + now->problem->b[at]) / (eps * now->D[i]) > 0;
        changed |= bears != now->bears[i];
        now->bears[i] = bears;
    }
    return changed;
}

static bool proximal_step(squeeze *now, const scree_solver_context *context) {
    while (now->guesses++ < GUESSES && !scree_context_late(context) && solve_guess(now))
        if (!change_guess(now)) return true;
    return false;
}

// is s_N >= 0, and s = 0 in joints, at d+?
static bool leaves_room(const squeeze *now) {
    for (int i = 0; i < now->nc; i++)
        for (int k = 0; k < now->d; k++) {
            if (!bears_load(now, i, k)) continue;
            double s = now->u[i * now->d + k] + now->problem->b[i * now->d + k];
            if (is_joint(now, i)) s = -fabs(s);
            if (!(s >= -feasible * now->largest_b)) return false;
        }
    return true;
}

// |V x|^2 in units of energy for V = W or its transpose; out is scratch
static double moved(const squeeze *now, bool transposed, const double *x, double *out) {
    const scree_problem *problem = now->problem;
    int d = now->d;
    double sum = 0;
    memset(out, 0, now->n * sizeof *out);
    for (int i = 0; i < now->nc; i++)
        for (int at = problem->row[i]; at < problem->row[i + 1]; at++) {
            const double *W = problem->block + (size_t)at * (size_t)(d * d);
            int j = problem->column[at];
            for (int r = 0; r < d; r++)
                for (int c = 0; c < d; c++) {
                    if (transposed)
                        out[j * d + c] += W[r * d + c] * x[i * d + r];
                    else
                        out[i * d + r] += W[r * d + c] * x[j * d + c];
                }
        }
    for (int i = 0; i < now->nc; i++)
        for (int k = i * d; k < (i + 1) * d; k++) sum += out[k] * out[k] / now->D[i];
    return sum;
}

// A solution p would have 0 <= d.(W p + b), so |W^T d| |p| >= -b.d: is that out of all proportion?
static bool proves(squeeze *now, const double *x) {
    double work = 0, b = 0;
    for (int i = 0; i < now->nc; i++)
        for (int k = i * now->d; k < (i + 1) * now->d; k++) {
            work -= now->problem->b[k] * x[k];
            b += now->problem->b[k] * now->problem->b[k] / now->D[i];
        }
    double motion = fmax(moved(now, false, x, now->g), moved(now, true, x, now->g));
    return work > 0 && work > proof * sqrt(b * motion);
}

// pushes only, of length 1
static bool normalise(const squeeze *now, double *x) {
    double length = 0;
    for (int i = 0; i < now->nc; i++)
        for (int k = 0; k < now->d; k++) {
            double *one = &x[i * now->d + k];
            if (!is_joint(now, i)) *one = k == 0 ? fmax(0, *one) : 0;
            length = hypot(length, *one);
        }
    if (!(length > 0 && isfinite(length))) return false;
    for (size_t k = 0; k < now->n; k++) x[k] /= length;
    return true;
}

// x = d+ - d. Proximal steps of x itself, without b, take out what still moves something: the
// difference has the rounding errors of two large vectors, they have those of x.
static bool take_direction(squeeze *now, double *x) {
    for (size_t k = 0; k < now->n; k++) x[k] = now->to[k] - now->at[k];
    for (int refined = 0; refined < 2; refined++) {
        if (!normalise(now, x)) return false;
        scree_kkt_solve(now->kkt, x, x, now->g);
    }
    return normalise(now, x);
}

static bool search(squeeze *now, const scree_solver_context *context, double *direction) {
    for (int i = 0; i < now->nc; i++)
        now->bears[i] = is_joint(now, i) || now->problem->b[i * now->d] < 0;
    for (int step = 0; step < PROXIMAL_STEPS; step++) {
        if (!proximal_step(now, context) || leaves_room(now)) return false;
        if (take_direction(now, direction) && proves(now, direction)) return true;
        memcpy(now->at, now->to, now->n * sizeof *now->at);
    }
    return false;
}

bool scree_infeasibility_find(const scree_solver_context *context, double *direction) {
    squeeze now = { .problem = context->problem,
                    .nc = context->problem->contacts,
                    .d = context->problem->dimension,
                    .count = &context->report->factorizations };
    now.n = (size_t)now.nc * (size_t)now.d;
    scree_arena_mark mark = scree_arena_mark_of(context->arena);
    double start = scree_context_now();
    bool found = prepare(&now, context->arena) && search(&now, context, direction);
    scree_kkt_free(now.kkt);
    scree_arena_release(context->arena, mark);
    context->report->seconds.factor += scree_context_now() - start;
    return found;
}
