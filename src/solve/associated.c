// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// associated.c - proximal points of a convex problem, each found by Newton.
// in: problem, guess p.   out: p.   work: a factorised matrix, vectors of contacts.
//
//     lambda = P_K(y),   y = r - u / (eps D),   u = W lambda + b,      then r = lambda
//
// W is singular as soon as forces are not unique, and the proximal term makes each of these
// problems regular: it is the minimum of a smooth convex function of u. Newton with a line
// search finds it, with KKT systems of the weights P_K'(y) / (eps D). The centres approach a
// solution the quicker the smaller eps is; it falls while Newton is quick.

#include "solve/associated.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "law/cone.h"
#include "solve/canonical.h"
#include "solve/kkt.h"
#include "solve/solver_context.h"

enum {
    CENTRES = 200,  // proximal points
    IDLE = 12,      // of these without a gain: what is left is rounding
    STEPS = 30,     // of Newton for one of them
    QUICK = 5,
    BISECTIONS = 30,
};
static const double first_eps = 1e-2, least_eps = 1e-7, largest_eps = 10;

typedef struct associated {
    const scree_problem *problem;
    scree_kkt *kkt;
    int nc, d;
    size_t n;
    double eps;
    double *D;           // trace(W_ii) / d (nc)
    double *r;           // centre (n)
    double *lambda, *u;  // impulses, W lambda + b (n)
    double *y, *P;       // y, its projection (n)
    double *g, *q, *du;  // P - lambda; Newton's step of lambda and of u (n)
    double *weight;      // (nc x d x d)
    double *best, least;
} associated;

static bool draw(associated *now, scree_arena *arena) {
    double **vectors[] = { &now->r, &now->lambda, &now->u,  &now->y,   &now->P,
                           &now->g, &now->q,      &now->du, &now->best };
    for (size_t k = 0; k < sizeof vectors / sizeof *vectors; k++)
        if (!(*vectors[k] = SCREE_NEW(arena, double, now->n))) return false;
    now->D = SCREE_NEW(arena, double, now->nc);
    now->weight = SCREE_NEW(arena, double, (now->n * (size_t)now->d));
    return now->D && now->weight;
}

// x = y - by u / D, projected; by = 1 / eps from the centre, or 1 for the natural map
static void project_from(const associated *now, const double *from, double by, double *y,
                         double *P) {
    int d = now->d;
    for (int i = 0; i < now->nc; i++) {
        scree_cone cone = scree_cone_of(now->problem, i);
        for (int k = i * d; k < (i + 1) * d; k++) y[k] = from[k] - by / now->D[i] * now->u[k];
        memcpy(P + (size_t)i * (size_t)d, y + (size_t)i * (size_t)d, (size_t)d * sizeof *P);
        scree_cone_project(&cone, P + (size_t)i * (size_t)d);
    }
}

static double distance(const associated *now, const double *x, const double *y) {
    double sum = 0;
    for (int i = 0; i < now->nc; i++)
        for (int k = i * now->d; k < (i + 1) * now->d; k++)
            sum += now->D[i] * (x[k] - y[k]) * (x[k] - y[k]);
    return sqrt(sum);
}

static bool factorise(associated *now) {
    int d = now->d;
    for (int i = 0; i < now->nc; i++) {
        scree_cone cone = scree_cone_of(now->problem, i);
        double *weight = now->weight + (size_t)i * (size_t)(d * d);
        scree_cone_derivative(&cone, now->y + (size_t)i * (size_t)d, weight);
        for (int k = 0; k < d * d; k++) weight[k] /= now->eps * now->D[i];
    }
    return scree_kkt_factor(now->kkt, now->weight);
}

// derivative of the function along Newton's step: it increases with t
static double slope(const associated *now, double t) {
    int d = now->d;
    double sum = 0;
    for (int i = 0; i < now->nc; i++) {
        scree_cone cone = scree_cone_of(now->problem, i);
        double z[SCREE_CONE_MAX], scale = t / (now->eps * now->D[i]);
        for (int k = 0; k < d; k++) z[k] = now->y[i * d + k] - scale * now->du[i * d + k];
        scree_cone_project(&cone, z);
        for (int k = 0; k < d; k++)
            sum += now->du[i * d + k] * (now->lambda[i * d + k] + t * now->q[i * d + k] - z[k]);
    }
    return sum;
}

// the whole step, or a point near the minimum if that lies before
static double line_search(const associated *now) {
    double low = 0, high = 1, start = slope(now, 0);
    if (!(slope(now, 1) > -0.1 * start)) return 1;
    for (int k = 0; k < BISECTIONS; k++) {
        double middle = (low + high) / 2, at = slope(now, middle);
        if (fabs(at) <= -0.1 * start) return middle;
        *(at < 0 ? &low : &high) = middle;
    }
    return (low + high) / 2;
}

// One proximal point, in P. Returns Newton's steps, 0 if it did not settle.
static int proximal_point(associated *now) {
    memcpy(now->lambda, now->r, now->n * sizeof *now->r);
    scree_problem_velocity(now->problem, now->lambda, now->u);
    for (int step = 1; step <= STEPS; step++) {
        project_from(now, now->r, 1 / now->eps, now->y, now->P);
        double miss = distance(now, now->P, now->lambda);
        if (miss <= 0.1 * now->eps * distance(now, now->P, now->r)) return step;
        for (size_t k = 0; k < now->n; k++) now->g[k] = now->P[k] - now->lambda[k];
        if (!factorise(now)) return 0;
        scree_kkt_solve(now->kkt, now->g, now->q, now->du);
        double t = line_search(now);
        for (size_t k = 0; k < now->n; k++) {
            now->lambda[k] += t * now->q[k];
            now->u[k] += t * now->du[k];
        }
    }
    return 0;
}

// the natural map at the centre; keeps the best one
static double judge_centre(associated *now) {
    scree_problem_velocity(now->problem, now->r, now->u);
    project_from(now, now->r, 1, now->y, now->P);
    double error = distance(now, now->P, now->r);
    if (!(error < now->least)) return error;
    now->least = error;
    memcpy(now->best, now->r, now->n * sizeof *now->r);
    return error;
}

static void iterate(associated *now) {
    double level = HUGE_VAL;
    now->eps = first_eps;
    judge_centre(now);
    for (int centre = 0, idle = 0; centre < CENTRES && idle < IDLE && now->least > 0; centre++) {
        int steps = proximal_point(now);
        if (!steps && now->eps >= largest_eps) return;
        if (steps || now->eps <= 10 * least_eps)  // so small that rounding keeps it from settling
            memcpy(now->r, now->P, now->n * sizeof *now->r);
        now->eps = steps ? fmax(now->eps / (steps <= QUICK ? 10 : 2), least_eps)
                         : fmin(10 * now->eps, largest_eps);
        judge_centre(now);
        idle = now->least < 0.5 * level ? 0 : idle + 1;
        if (now->least < 0.5 * level) level = now->least;
    }
}

static bool solve(const scree_problem *problem, scree_arena *arena, double *p) {
    associated now = {
        .problem = problem, .nc = problem->contacts, .d = problem->dimension, .least = HUGE_VAL
    };
    now.n = (size_t)now.nc * (size_t)now.d;
    if (!draw(&now, arena) || !(now.kkt = scree_kkt_new(problem))) return false;
    scree_context_diagonal(problem, now.D);
    for (int i = 0; i < now.nc; i++)
        if (!(now.D[i] > 0)) now.D[i] = 1;  // nothing moves: any step will do
    memcpy(now.r, p, now.n * sizeof *p);
    iterate(&now);
    memcpy(p, now.best, now.n * sizeof *p);
    scree_kkt_free(now.kkt);
    return true;
}

bool scree_associated_solve(const scree_problem *problem, scree_arena *arena, double *p) {
    scree_canonical canonical;
    if (problem->contacts == 0) return true;
    if (!scree_canonical_needed(problem)) return solve(problem, arena, p);
    if (!scree_canonical_make(problem, arena, &canonical)) return false;
    scree_canonical_enter(&canonical, p);
    bool fine = solve(&canonical.problem, arena, p);
    scree_canonical_leave(&canonical, p, false);
    return fine;
}
