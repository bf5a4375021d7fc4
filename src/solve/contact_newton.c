// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// contact_newton.c - proximal point around Newton on Coulomb's law itself, contact by contact.
// in: task with a guess.   out: best p, report.   work: Jacobian in the pattern of W and its LU.
//
// W is singular as soon as there are more contacts than motions. The proximal point iteration
//
//     p_k+1 solves the law with  s = W p + b + eps D (p - p_k),       D_i = trace(W_ii) / d
//
// has a regular matrix W + eps D and the same fixed points. Each of its problems is solved by
// semismooth Newton on Alart and Curnier's equations. With x_N = p_N - s_N / A_N, and for every
// tangential part (sliding, and rolling if there is) x_T = p_T - s_T / A_T, R = mu x_N:
//
//     x_N <= 0     open     dp = -p
//     |x_T| <= R   stick    (W dp)_T = -s_T                                (W dp)_N = -s_N always
//     |x_T| > R    slip     along t = x_T/|x_T|:  t.dp_T - mu dp_N = mu p_N - t.p_T
//                           across e:  G e.(W dp)_T + (1-G) A_T e.dp_T = -A_T e.p_T,  G = R/|x_T|
//
// which is the full Jacobian, unsymmetric by nature; W need not be symmetric either. What decides
// success: a Newton that does not settle within a few steps is thrown away as a whole and eps
// grows; one that settles quickly lets eps shrink, tenfold. The inner tolerance goes with eps.

#include <float.h>
#include <limits.h>
#include <math.h>
#include <string.h>

#include "solve/contact_newton.h"

enum {
    SEED_SWEEPS = 3,   // Gauss-Seidel, so that Newton starts from likely statuses
    INNER_STEPS = 15,  // Newton steps for one proximal point
    IDLE_STEPS = 5,    // of these without a clear gain: Newton has run into a cycle
    QUICK_STEPS = 4,
    REFUSALS = 60,      // proximal points thrown away in a row before giving up
    IDLE_POINTS = 400,  // proximal points in a row that do not help
};
static const double eps_least = 1e-9, eps_most = 10;
static const double settled = 0.3;  // inner residual over eps times the way from the centre

typedef struct part {  // one tangential part of a contact: sliding or rolling
    int first, width;  // rows
    double A;          // mobility: its inverse is the step of the natural map
    double mu;
} part;

typedef enum status { OPEN, STICK, SLIP } status;

typedef struct newton {
    scree_solver_context *context;
    scree_gauss_seidel sweep;
    scree_block_lu *lu;
    double eps;
    double *centre;    // p_k
    double *p, *s;     // Newton's iterate, and W p + b + eps D (p - p_k)
    double *step;      // right side, then dp
    double *jacobian;  // in the pattern of W
    double *best, *velocity;
    bool *active;
    scree_residual least;
    int limit;  // of the report's iterations
} newton;

static inline __attribute__((always_inline)) int parts_of(const scree_problem *problem, int i,
                                                          int d, part parts[2]) {
    const double *W = problem->block + (size_t)problem->diagonal[i] * (size_t)(d * d);
    int count = d == 5 ? 2 : 1;
    for (int k = 0; k < count; k++) {
        part *one = &parts[k];
        *one = (part){ .first = 1 + 2 * k,
                       .width = d == 2 ? 1 : 2,
                       .mu = k ? problem->mu_rolling[i] : problem->mu[i] };
        const double *B = W + one->first * (d + 1);
        if (d == 2) {
            one->A = B[0];
        } else {  // the larger eigenvalue
            double half = (B[0] - B[d + 1]) / 2, across = (B[1] + B[d]) / 2;
            one->A = (B[0] + B[d + 1]) / 2 + sqrt(half * half + across * across);
        }
    }
    return count;
}

typedef struct part_state {
    status status;
    double t[2];  // direction of slip
    double x, R;  // |x_T|, radius
    double miss;  // |p_T - P(x_T)|^2
} part_state;

static inline __attribute__((always_inline)) part_state assess_part(const part *one, double radius,
                                                                    const double *p,
                                                                    const double *s) {
    part_state at = { .R = radius };
    double y[2] = { 0 };
    for (int k = 0; k < one->width; k++) {
        y[k] = p[one->first + k] - s[one->first + k] / one->A;
        at.x += y[k] * y[k];
    }
    at.x = sqrt(at.x);
    // without friction there is nothing to stick to
    at.status = at.x <= radius && one->mu > 0 ? STICK : SLIP;
    double shrink = at.status == STICK || !(at.x > 0) ? 1 : radius / at.x;
    for (int k = 0; k < one->width; k++) {
        at.t[k] = at.x > 0 ? y[k] / at.x : k == 0;
        double off = p[one->first + k] - shrink * y[k];
        at.miss += off * off;
    }
    return at;
}

// rows of a tangential part of contact i: stick copies W, slip as above
static inline __attribute__((always_inline)) void fill_part(const newton *now, int i, int d,
                                                            const part *one, const part_state *at) {
    const scree_problem *problem = now->context->problem;
    int diagonal = problem->diagonal[i];
    const double *p = now->p + (size_t)i * (size_t)d, *s = now->s + (size_t)i * (size_t)d;
    double *rhs = now->step + (size_t)i * (size_t)d;
    int first = one->first, second = first + 1;
    size_t dd = (size_t)(d * d);
    if (at->status == STICK) {
        for (int k = first; k < first + one->width; k++) rhs[k] = -s[k];
        for (int b = problem->row[i]; b < problem->row[i + 1]; b++)
            memcpy(now->jacobian + dd * (size_t)b + first * d,
                   problem->block + dd * (size_t)b + first * d,
                   (size_t)(one->width * d) * sizeof(double));
        double *J = now->jacobian + dd * (size_t)diagonal;
        for (int k = first; k < first + one->width; k++) J[k * d + k] += now->eps * now->sweep.D[i];
        return;
    }
    // along the slip direction: no W, scaled like a row with it; t . p_T = mu p_N afterwards
    double G = at->x > 0 ? at->R / at->x : 0, e[2] = { -at->t[1], at->t[0] };
    for (int b = problem->row[i]; b < problem->row[i + 1]; b++) {
        const double *W = problem->block + dd * (size_t)b;
        double *J = now->jacobian + dd * (size_t)b;
        for (int c = 0; c < d; c++) {
            J[first * d + c] = 0;
            if (one->width == 2)
                J[second * d + c] = G * (e[0] * W[first * d + c] + e[1] * W[second * d + c]);
        }
    }
    double *J = now->jacobian + dd * (size_t)diagonal, A = one->A;
    J[first * d] = -one->mu * A;
    rhs[first] = one->mu * A * p[0];
    for (int k = 0; k < one->width; k++) {
        J[first * d + first + k] = A * at->t[k];
        rhs[first] -= A * at->t[k] * p[first + k];
    }
    if (one->width == 1) return;
    rhs[second] = 0;
    for (int k = 0; k < 2; k++) {
        J[second * d + first + k] += e[k] * ((1 - G) * A + G * now->eps * now->sweep.D[i]);
        rhs[second] -= A * e[k] * p[first + k];
    }
}

// All d rows of contact i; a free cone is stick in every row. Returns D_i times its miss squared.
static inline __attribute__((always_inline)) double fill_contact(newton *now, int i, int d) {
    const scree_problem *problem = now->context->problem;
    size_t dd = (size_t)(d * d), at = (size_t)i * (size_t)d;
    double *rhs = now->step + at, *p = now->p + at, *s = now->s + at, miss = 0;
    if (problem->equality && problem->equality[i]) {
        part whole = { .first = 0, .width = d };
        part_state stuck = { .status = STICK };
        now->active[i] = true;
        fill_part(now, i, d, &whole, &stuck);
        for (int k = 0; k < d; k++) miss += s[k] * s[k] / (now->sweep.D[i] * now->sweep.D[i]);
        return now->sweep.D[i] * miss;
    }
    double A = problem->block[dd * (size_t)problem->diagonal[i]], x = p[0] - s[0] / A;
    now->active[i] = x > 0;
    if (!(x > 0)) {
        for (int k = 0; k < d; k++) {
            rhs[k] = -p[k];
            miss += p[k] * p[k];
        }
        return now->sweep.D[i] * miss;
    }
    part normal = { .first = 0, .width = 1 }, parts[2];
    part_state stuck = { .status = STICK };
    fill_part(now, i, d, &normal, &stuck);
    miss = s[0] * s[0] / (A * A);
    int count = parts_of(problem, i, d, parts);
    for (int k = 0; k < count; k++) {
        part_state state = assess_part(&parts[k], parts[k].mu * x, p, s);
        fill_part(now, i, d, &parts[k], &state);
        miss += state.miss;
    }
    return now->sweep.D[i] * miss;
}

// Jacobian and right side at (p, s); returns the size of the equations' residual
static inline __attribute__((always_inline)) double fill_rows(newton *now, int d) {
    const scree_problem *problem = now->context->problem;
    int nc = problem->contacts;
    double sum = 0;
    for (int i = 0; i < nc; i++) sum += fill_contact(now, i, d);
    // the steps of open contacts are known: they go to the right
    for (int i = 0; i < nc; i++) {
        if (!now->active[i]) continue;
        for (int b = problem->row[i]; b < problem->row[i + 1]; b++) {
            int j = problem->column[b];
            if (now->active[j]) continue;
            const double *J = now->jacobian + (size_t)b * (size_t)(d * d);
            for (int r = 0; r < d; r++)
                for (int c = 0; c < d; c++)
                    now->step[i * d + r] -= J[r * d + c] * now->step[j * d + c];
        }
    }
    return sqrt(sum);
}

static double fill(newton *now) {
    switch (now->context->problem->dimension) {
        case 2:
            return fill_rows(now, 2);
        case 3:
            return fill_rows(now, 3);
        default:
            return fill_rows(now, now->context->problem->dimension);
    }
}

static void velocities(newton *now) {
    const scree_problem *problem = now->context->problem;
    int d = problem->dimension;
    scree_problem_velocity(problem, now->p, now->s);
    for (int i = 0; i < problem->contacts; i++)
        for (int k = i * d; k < (i + 1) * d; k++)
            now->s[k] += now->eps * now->sweep.D[i] * (now->p[k] - now->centre[k]);
}

static double way_from_centre(const newton *now) {
    int d = now->context->problem->dimension;
    double sum = 0;
    for (int i = 0; i < now->context->problem->contacts; i++)
        for (int k = i * d; k < (i + 1) * d; k++) {
            double way = now->p[k] - now->centre[k];
            sum += now->sweep.D[i] * way * way;
        }
    return sqrt(sum);
}

// One proximal point from the centre; s at entry: W centre + b. Returns the Newton steps it took,
// or 0 if it did not settle.
static int proximal_point(newton *now) {
    size_t n = (size_t)now->context->problem->contacts * (size_t)now->context->problem->dimension;
    memcpy(now->p, now->centre, n * sizeof *now->p);
    double first = fill(now), least = first;
    int idle = 0;
    for (int step = 1; step <= INNER_STEPS && idle < IDLE_STEPS; step++) {
        if (now->context->report->iterations >= now->limit || scree_context_late(now->context))
            return 0;
        now->context->report->factorizations++;
        now->context->report->iterations++;
        if (!scree_block_lu_factor(now->lu, now->jacobian, now->active)) return 0;
        scree_block_lu_solve(now->lu, now->step);
        for (size_t k = 0; k < n; k++) now->p[k] += now->step[k];
        velocities(now);
        double miss = fill(now);
        if (!(miss <= 1e6 * first)) return 0;
        if (miss <= settled * now->eps * way_from_centre(now) || miss <= 1e-15 * first) return step;
        idle = miss < 0.7 * least ? 0 : idle + 1;
        least = fmin(least, miss);
    }
    return 0;
}

static void project_all(const scree_problem *problem, double *p) {
    for (int i = 0; i < problem->contacts; i++) {
        scree_cone cone = scree_cone_of(problem, i);
        scree_cone_project(&cone, p + (size_t)i * (size_t)problem->dimension);
    }
}

// judge p, which is brought into the cones first, and keep it if it is the best; velocity = W p + b
static void keep_best(newton *now, double *p) {
    scree_solver_context *context = now->context;
    size_t n = (size_t)context->problem->contacts * (size_t)context->problem->dimension;
    project_all(context->problem, p);
    scree_residual residual = scree_context_judge(context, p, now->velocity);
    if (!(scree_context_error(context, residual) < scree_context_error(context, now->least)))
        return;
    now->least = residual;
    memcpy(now->best, p, n * sizeof *p);
}

static bool draw(newton *now) {
    scree_solver_context *context = now->context;
    size_t n = (size_t)context->problem->contacts * (size_t)context->problem->dimension;
    double **vectors[] = { &now->centre, &now->p, &now->s, &now->step, &now->best, &now->velocity };
    for (size_t k = 0; k < sizeof vectors / sizeof *vectors; k++)
        if (!(*vectors[k] = SCREE_NEW(context->arena, double, n))) return false;
    size_t blocks = (size_t)context->problem->row[context->problem->contacts];
    now->jacobian =
        SCREE_NEW(context->arena, double,
                  blocks *(size_t)context->problem->dimension *(size_t)context->problem->dimension);
    now->active = SCREE_NEW(context->arena, bool, context->problem->contacts);
    return now->jacobian && now->active;
}

static scree_stop_reason iterate(newton *now) {
    scree_solver_context *context = now->context;
    size_t bytes =
        (size_t)context->problem->contacts * (size_t)context->problem->dimension * sizeof *now->p;
    int refused = 0, idle = 0;
    double last = scree_context_error(context, now->least), shrink = 0.1;
    scree_problem_velocity(context->problem, now->centre, now->velocity);
    // far from the solution statuses are guesses, and a strong pull to the centre helps
    now->eps = fmin(fmax(0.3 * sqrt(now->least.scaled), 1e-3), 0.1);
    while (!scree_context_meets(context, now->least)) {
        if (context->report->iterations >= now->limit) return SCREE_STOP_LIMIT;
        if (scree_context_late(context)) return SCREE_STOP_TIME;
        memcpy(now->s, now->velocity, bytes);
        int steps = proximal_point(now);
        if (steps) {
            refused = 0;
            memcpy(now->centre, now->p, bytes);
            keep_best(now, now->centre);
            if (steps <= QUICK_STEPS) now->eps = fmax(shrink * now->eps, eps_least);
            shrink = steps <= QUICK_STEPS / 2 ? fmax(0.1 * shrink, 0.01) : fmax(0.5 * shrink, 0.1);
        } else {
            if (++refused > REFUSALS) return SCREE_STOP_STALLED;
            now->eps = fmin(4 * now->eps, eps_most);
            shrink = 0.7;  // what was refused just now would be refused again
        }
        // centres that wander off without a gain: there may be no solution
        double error = scree_context_error(context, now->least);
        idle = error < 0.9 * last ? 0 : idle + 1;
        if (error < 0.9 * last) last = error;
        if (idle > IDLE_POINTS) return SCREE_STOP_STALLED;
    }
    return SCREE_STOP_SOLVED;
}

scree_status scree_contact_newton_continue(scree_solver_context *context, scree_gauss_seidel *sweep,
                                           scree_block_lu *lu, int limit, scree_error *err) {
    double start = scree_context_now(), judged = context->report->seconds.judge;
    newton now = { .context = context,
                   .sweep = *sweep,
                   .lu = lu,
                   .limit = limit,
                   .least = { .natural = DBL_MAX, .scaled = DBL_MAX } };
    size_t bytes =
        (size_t)context->problem->contacts * (size_t)context->problem->dimension * sizeof *now.p;
    if (!draw(&now)) return scree_context_no_memory(context, err);
    memcpy(now.centre, context->p, bytes);
    keep_best(&now, now.centre);
    scree_stop_reason reason = iterate(&now);
    memcpy(context->p, now.best, bytes);
    context->report->seconds.factor +=
        scree_context_now() - start - (context->report->seconds.judge - judged);
    scree_context_finish(context, "contact-newton", now.least, reason);
    return SCREE_OK;
}

// a few sweeps from the better of the guess and nothing; not judged, Newton does that
static void seed(scree_solver_context *context, scree_gauss_seidel *sweep, double *s) {
    size_t n = (size_t)context->problem->contacts * (size_t)context->problem->dimension;
    scree_residual warm = scree_context_judge(context, context->p, s);
    double *cold = SCREE_NEW(context->arena, double, n);
    if (!cold) return;
    if (!(scree_context_error(context, warm) <=
          scree_context_error(context, scree_context_residual(context, cold, context->problem->b))))
        memset(context->p, 0, n * sizeof *context->p);
    if (scree_context_meets(context, warm)) return;
    for (int k = 0; k < SEED_SWEEPS && k < context->options->max_sweeps; k++) {
        scree_gauss_seidel_run(sweep, context->p, true);
        context->report->iterations++;
    }
}

scree_status scree_contact_newton_solve(scree_solver_context *context, scree_error *err) {
    double start = scree_context_now();
    size_t n = (size_t)context->problem->contacts * (size_t)context->problem->dimension;
    int done = context->report->iterations, most = context->options->max_sweeps;
    scree_gauss_seidel sweep;
    bool solvable;
    scree_status outcome = scree_gauss_seidel_prepare(context, &sweep, &solvable, err);
    if (outcome) return outcome;
    double *s = SCREE_NEW(context->arena, double, n);
    scree_block_lu *lu = scree_block_lu_new(context->problem, INT_MAX, context->arena);
    if (!s || !lu) return scree_context_no_memory(context, err);
    context->report->seconds.prepare += scree_context_now() - start;
    if (!solvable) {
        scree_context_finish(context, "contact-newton", scree_context_judge(context, context->p, s),
                             SCREE_STOP_BROKEN);
        return SCREE_OK;
    }
    seed(context, &sweep, s);
    return scree_contact_newton_continue(context, &sweep, lu,
                                         most > INT_MAX - done ? INT_MAX : done + most, err);
}
