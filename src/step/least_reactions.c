// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// least_reactions.c - of all reactions of redundant joints those of least norm.
// in: impulses that solve the problem.   out: the same motion, with least sum D p^2 over equations.
//
// Where equations follow from others, reactions x with H^T x = 0 do nothing, and which of them an
// answer has is an accident of the solver. With S = D^-1/2, D the diagonal of W, and y = p/S,
//
//     (S W S) y' = (S W S) y      solved by conjugate gradients from 0
//
// has its answer in the range of S W S: the least of all y' that do the same, whatever the order of
// joints. Only equations take part, and only where no friction bears on their reactions.

#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "law/bodies.h"
#include "model/joint.h"
#include "step/stepper.h"

typedef struct projection {
    scree_problem problem;   // with b = 0
    double *scale;           // S of rows that take part, others 0 (n)
    double *x, *r, *d, *Wd;  // (n)
    double *push;            // S d (n)
    int n;
    scree_arena *arena;
} projection;

// out = S W S d
static bool product(projection *it, const double *d, double *out) {
    scree_arena_mark mark = scree_arena_mark_of(it->arena);
    for (int i = 0; i < it->n; i++) it->push[i] = it->scale[i] * d[i];
    bool fine = scree_bodies_velocity(&it->problem, it->push, out, it->arena);
    for (int i = 0; i < it->n; i++) out[i] *= it->scale[i];
    scree_arena_release(it->arena, mark);
    return fine;
}

static bool allocate(projection *it) {
    double **of[] = { &it->scale, &it->x, &it->r, &it->d, &it->Wd, &it->push };
    for (size_t k = 0; k < sizeof of / sizeof *of; k++)
        if (!(*of[k] = SCREE_NEW(it->arena, double, it->n))) return false;
    double *zero = SCREE_NEW(it->arena, double, it->n);
    it->problem.b = zero;
    return zero != NULL;
}

// S; false: nothing to do, or no memory
static bool choose_rows(scree_stepper *stepper, projection *it) {
    const scree_contact_set *set = &stepper->set;
    int d = it->problem.dimension, rows = 0;
    double *W = SCREE_NEW(it->arena, double, ((size_t)it->n * (size_t)d));
    if (!W || !scree_bodies_diagonal(&it->problem, NULL, W, it->arena)) return false;
    for (int i = 0; i < it->problem.contacts; i++) {
        const scree_row_law *law = scree_contacts_row_law(set, set->active[i]);
        for (int r = 0; law && !law->soft && law->rule == SCREE_ROW_MEAN && r < d; r++) {
            double D = W[(size_t)i * (size_t)(d * d) + (size_t)(r * (d + 1))];
            if (law->limit[r] != HUGE_VAL || !(D > 0)) continue;
            it->scale[i * d + r] = 1 / sqrt(D);
            rows++;
        }
    }
    return rows > 0;
}

// x = the least of what does the same as y; false: not to rounding
static bool project(projection *it, const double *y) {
    const double enough = 1e-28;  // of the square of the right-hand side
    int n = it->n, most = 4 * n + 50;
    if (!product(it, y, it->r)) return false;
    double now = scree_dense_dot(it->r, it->r, n), end = enough * now;
    memcpy(it->d, it->r, (size_t)n * sizeof *it->d);
    for (int step = 0; step < most && now > end; step++) {
        if (!product(it, it->d, it->Wd)) return false;
        double curve = scree_dense_dot(it->d, it->Wd, n);
        if (!(curve > 0)) return false;
        double alpha = now / curve, last = now;
        for (int i = 0; i < n; i++) {
            it->x[i] += alpha * it->d[i];
            it->r[i] -= alpha * it->Wd[i];
        }
        now = scree_dense_dot(it->r, it->r, n);
        for (int i = 0; i < n; i++) it->d[i] = it->r[i] + now / last * it->d[i];
    }
    return now <= end;
}

void scree_least_reactions(scree_stepper *stepper, double *impulse, double *s) {
    const scree_problem *problem = &stepper->record.problem;
    if (!stepper->record.report.converged || !problem->limit || problem->bearing ||
        !scree_model_assembly(stepper->model).redundant || stepper->record.eased > 0)
        return;
    projection it = { .problem = *problem,
                      .n = problem->contacts * problem->dimension,
                      .arena = &stepper->scratch };
    it.problem.compliance = NULL;  // by which equations were eased
    if (!allocate(&it) || !choose_rows(stepper, &it)) return;
    double *y = SCREE_NEW(it.arena, double, it.n);
    if (!y) return;
    for (int i = 0; i < it.n; i++) y[i] = it.scale[i] > 0 ? impulse[i] / it.scale[i] : 0;
    if (!project(&it, y)) return;
    for (int i = 0; i < it.n; i++)
        if (it.scale[i] > 0) impulse[i] = it.scale[i] * it.x[i];
    if (problem->block) scree_problem_velocity(problem, impulse, s);
}
