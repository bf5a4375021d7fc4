// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// proximal_newton.c - semismooth Newton on a proximal, unconstrained form of the problem.
// in: problem, guess p.   out: best p, report.   work: a factorised matrix, vectors of contacts.
//
// Three loops. With the centre r, the shift s (one number per contact) and eps held, the impulses
//
//     lambda = P_K(y),   y = r - (u + s n) / (eps D),   u = W lambda + b
//
// are those of the minimum of a smooth and convex function of the velocities, whatever the rank of
// W. Inner loop: Newton with an exact line search; every step solves one KKT system (kkt.h) with
// the weights P_K'(y) / (eps D). Outer loop: r = P_K(y) until it rests. Middle loop: s = mu |u_T|,
// a fixed point that is slow where much slides; its Newton step is found by GMRES from solves
// with the last factor alone, and taken if the judge likes it better.
//
// That system takes W by its symmetric part Ws. u starts from W r + b at each centre, so that the
// rest (W - Ws) r is frozen with it and the outer fixed point is that of W.
//
// What decides success: eps falls from 1e-2 while the inner loop is quick, and rises where it is
// not. Its tolerance is scaled by eps. Nothing is taken from an inner loop that did not converge. A
// few sweeps first find most of the contacts' statuses.

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "solve/gauss_seidel.h"
#include "solve/kkt.h"

enum {
    SWEEPS = 30,       // of Gauss-Seidel before anything is factorised
    JUDGE_EVERY = 8,   // sweeps, and after 1, 2 and 4
    INNER_MOST = 25,   // Newton steps before the inner loop is given up and eps raised
    SEARCH_MOST = 12,  // points of the search along a line
    BASIS = 30,        // vectors of GMRES
    REST_MOST = 4,     // plain centres after a gamble
    RESTART = 30,      // centres without a better residual before sweeps shake things up
    PATIENCE = 150,    // centres without a better residual before giving up
};

static const double first_eps = 1e-2, largest_eps = 10;
static const double inner_tolerance = 0.1;   // of the outer step, times eps
static const double slide_tolerance = 1e-2;  // of GMRES

typedef struct newton {
    scree_solver_context *context;
    const scree_problem *problem;
    scree_kkt *kkt;
    scree_gauss_seidel sweep;
    int nc, d;
    size_t n;
    bool symmetric;

    // the proximal term
    double eps, least_eps, factor_eps;  // the last: of the weights in the kernel
    double *D, *root;                   // trace(W_ii) / d and its square root (nc)
    double *r, *shift;                  // centre (n), s (nc)

    // the inner point
    double *lambda, *u;      // impulses, and their velocity as the kernel sees it (n)
    double *y, *P, *u_P;     // y, its projection, the velocity of that (n)
    double gradient, step;   // |lambda - P| in the norm of Ws, |P - r| in that of D
    double *weight;          // P_K'(y) / (eps D) (nc x d x d)
    bool factored;           // the kernel is that of weight
    double *g, *q, *du, *t;  // right side, answer and change of velocity, scratch (n)

    // Newton's step of the shift
    double *slip;          // derivative of mu |u_T| by u (n)
    double *move, *basis;  // change of s / sqrt(D) (nc), vectors of GMRES ((BASIS + 1) x nc)
    double *next;          // impulses tried (n)
    int rest, rests;       // centres for which it is not tried, and after the last gamble

    // what a gamble may be taken back to
    bool gamble;
    double *plain, *u_plain, stake;  // (n), the error there
    double last_error;

    scree_residual now, least;
} newton;

// ---- preparation

static scree_status prepare(newton *run, scree_error *err) {
    scree_arena *arena = run->context->arena;
    size_t nc = (size_t)run->nc;
    double **vectors[] = { &run->r,    &run->lambda, &run->u,     &run->y,      &run->P,
                           &run->u_P,  &run->g,      &run->q,     &run->du,     &run->t,
                           &run->slip, &run->next,   &run->plain, &run->u_plain };
    bool fine = true;
    for (size_t k = 0; k < sizeof vectors / sizeof *vectors; k++)
        fine = fine && (*vectors[k] = SCREE_NEW(arena, double, run->n));
    run->weight = SCREE_NEW(arena, double, (run->n * (size_t)run->d));
    run->root = SCREE_NEW(arena, double, nc);
    run->shift = SCREE_NEW(arena, double, nc);
    run->move = SCREE_NEW(arena, double, nc);
    run->basis = SCREE_NEW(arena, double, (BASIS + 1) * nc);
    fine = fine && run->weight && run->root && run->shift && run->move && run->basis;
    if (!fine) return scree_context_no_memory(run->context, err);
    for (int i = 0; i < run->nc; i++) run->root[i] = sqrt(run->D[i]);
    // y holds the rounding of u times 1 / eps: what is below that cannot be resolved
    run->least_eps = fmin(fmax(1e-17 / run->context->options->tolerance, 1e-7), 1e-3);
    return SCREE_OK;
}

// ---- the inner loop

static void keep_if_better(newton *run, const double *p, scree_residual residual) {
    if (!(scree_context_error(run->context, residual) <
          scree_context_error(run->context, run->least)))
        return;
    run->least = residual;
    memcpy(run->context->p, p, run->n * sizeof *p);
}

// a new centre, with its velocity
static void centre(newton *run, const double *r, const double *u) {
    memcpy(run->r, r, run->n * sizeof *r);
    memcpy(run->lambda, r, run->n * sizeof *r);
    memcpy(run->u, u, run->n * sizeof *u);
}

static void find_shift(newton *run, const double *u) {
    for (int i = 0; i < run->nc; i++) {
        scree_cone cone = scree_cone_of(run->problem, i);
        run->shift[i] = scree_cone_shift(&cone, u + (size_t)i * (size_t)run->d);
    }
}

// |lambda - P| in the norm of Ws, which is |gradient| in that of the inverse mass
static double gradient(newton *run) {
    double sum = 0;
    if (run->symmetric) {
        for (size_t k = 0; k < run->n; k++) sum += run->g[k] * (run->u_P[k] - run->u[k]);
    } else {
        scree_problem_velocity(run->problem, run->g, run->t);
        for (size_t k = 0; k < run->n; k++) sum += run->g[k] * (run->t[k] - run->problem->b[k]);
    }
    return sqrt(fmax(sum, 0));
}

// y, P and their judgement, g = P - lambda
static void evaluate(newton *run) {
    int d = run->d;
    double step = 0;
    for (int i = 0; i < run->nc; i++) {
        scree_cone cone = scree_cone_of(run->problem, i);
        size_t at = (size_t)i * (size_t)d;
        double scale = 1 / (run->eps * run->D[i]), *P = run->P + at, *y = run->y + at;
        for (int k = 0; k < d; k++) P[k] = run->r[at + (size_t)k] - scale * run->u[at + (size_t)k];
        P[0] -= scale * run->shift[i];
        memcpy(y, P, (size_t)d * sizeof *y);
        scree_cone_project(&cone, P);
        for (int k = 0; k < d; k++) {
            double move = P[k] - run->r[at + (size_t)k];
            run->g[at + (size_t)k] = P[k] - run->lambda[at + (size_t)k];
            step += run->D[i] * move * move;
        }
    }
    run->step = sqrt(step);
    run->now = scree_context_judge(run->context, run->P, run->u_P);
    run->gradient = gradient(run);
    keep_if_better(run, run->P, run->now);
}

// Weights and their factor. Contacts that open, stick or slide in the plane have weights that only
// change with their status: often the factor at hand is the right one.
static bool factorise(newton *run) {
    int d = run->d;
    bool same = run->factored;
    for (int i = 0; i < run->nc; i++) {
        scree_cone cone = scree_cone_of(run->problem, i);
        double *weight = run->weight + (size_t)i * (size_t)(d * d);
        double J[SCREE_CONE_MAX * SCREE_CONE_MAX], scale = 1 / (run->eps * run->D[i]);
        scree_cone_derivative(&cone, run->y + (size_t)i * (size_t)d, J);
        for (int k = 0; k < d * d; k++) {
            same = same && weight[k] == J[k] * scale;
            weight[k] = J[k] * scale;
        }
    }
    if (same) return true;
    run->context->report->factorizations++;
    run->factored = scree_kkt_factor(run->kkt, run->weight);
    run->factor_eps = run->eps;
    return run->factored;
}

// derivative of the function along the step: it increases
static double slope(const newton *run, double t) {
    int d = run->d;
    double sum = 0;
    for (int i = 0; i < run->nc; i++) {
        scree_cone cone = scree_cone_of(run->problem, i);
        size_t at = (size_t)i * (size_t)d;
        const double *y = run->y + at, *du = run->du + at, *q = run->q + at;
        double z[SCREE_CONE_MAX], scale = t / (run->eps * run->D[i]);
        for (int k = 0; k < d; k++) z[k] = y[k] - scale * du[k];
        scree_cone_project(&cone, z);
        for (int k = 0; k < d; k++) sum += du[k] * (run->lambda[at + (size_t)k] + t * q[k] - z[k]);
    }
    return sum;
}

// where the slope is nearly zero, by regula falsi between 0 and 1; 1 if the whole step is good
static double line_search(const newton *run) {
    double low = 0, high = 1, at_low = 0, at_high = slope(run, 1), t = 1;
    for (size_t k = 0; k < run->n; k++) at_low -= run->du[k] * run->g[k];
    double enough = -0.1 * at_low;
    if (!(at_low < 0) || at_high <= enough) return 1;
    for (int k = 0; k < SEARCH_MOST; k++) {
        double share = fmin(fmax(at_low / (at_low - at_high), 0.05), 0.95);
        t = low + (high - low) * share;
        double at = slope(run, t);
        if (fabs(at) <= enough) break;
        if (at < 0) {
            low = t;
            at_low = at;
            at_high *= 0.7;  // or the same end would stay for ever
        } else {
            high = t;
            at_high = at;
            at_low *= 0.7;
        }
    }
    return t;
}

typedef enum inner_end {
    INNER_SOLVED,   // the whole problem
    INNER_DONE,     // the minimum is found
    INNER_BLURRED,  // as far as rounding lets it
    INNER_SLOW,
    INNER_SINGULAR,  // to rounding, W is not positive semidefinite
    INNER_LIMIT,
    INNER_BROKEN,
} inner_end;

static inner_end solve_inner(newton *run, int *steps) {
    scree_solver_context *context = run->context;
    double blur = 16 * DBL_EPSILON / run->eps * sqrt(context->scales.energy);
    for (*steps = 0;; (*steps)++) {
        evaluate(run);
        if (scree_context_meets(context, run->least)) return INNER_SOLVED;
        if (!isfinite(run->gradient + run->step)) return INNER_BROKEN;
        if (run->gradient <= inner_tolerance * run->eps * run->step) return INNER_DONE;
        if (run->gradient <= blur) return INNER_BLURRED;
        if (*steps == INNER_MOST) return INNER_SLOW;
        if (context->report->iterations >= context->options->max_sweeps ||
            scree_context_late(context))
            return INNER_LIMIT;
        context->report->iterations++;
        double start = scree_context_now();
        if (!factorise(run)) return INNER_SINGULAR;
        scree_kkt_solve(run->kkt, run->g, run->q, run->du);
        context->report->seconds.factor += scree_context_now() - start;
        double t = line_search(run);
        for (size_t k = 0; k < run->n; k++) {
            run->lambda[k] += t * run->q[k];
            run->u[k] += t * run->du[k];
        }
    }
}

// ---- Newton's step of the shift

static void keep_plain(newton *run) {
    memcpy(run->plain, run->P, run->n * sizeof *run->P);
    memcpy(run->u_plain, run->u_P, run->n * sizeof *run->u_P);
    run->stake = scree_context_error(run->context, run->now);
}

static double length(const double *x, int width) {
    return width == 1 ? fabs(x[0]) : sqrt(x[0] * x[0] + x[1] * x[1]);
}

// derivative of the shift by u, where the projection has clipped the impulse: these contacts slide
static void find_slip(newton *run) {
    int d = run->d, width = d == 2 ? 1 : 2;
    memset(run->slip, 0, run->n * sizeof *run->slip);
    for (int i = 0; i < run->nc; i++) {
        scree_cone cone = scree_cone_of(run->problem, i);
        size_t at = (size_t)i * (size_t)d;
        if (cone.free || !(run->P[at] > 0)) continue;
        for (int k = 1; k < d; k += 2) {
            const double *u = run->u_P + at + k;
            double speed = length(u, width), mu = k == 1 ? cone.mu : cone.mu_rolling;
            double before = length(run->y + at + k, width), after = length(run->P + at + k, width);
            if (!(before > after * (1 + 1e-12)) || !(speed > 0)) continue;
            for (int c = 0; c < width; c++) run->slip[at + (size_t)(k + c)] = mu * u[c] / speed;
        }
    }
}

// how impulses and velocities follow the shift: q and du for v, a change of s / sqrt(D)
static void follow(newton *run, const double *v) {
    memset(run->t, 0, run->n * sizeof *run->t);
    for (int i = 0; i < run->nc; i++) run->t[i * run->d] = -v[i] * run->root[i];
    scree_kkt_solve_weighted(run->kkt, run->t, run->q, run->du);
}

// out = v - what the map of the shift makes of v
static void apply(newton *run, const double *v, double *out) {
    int d = run->d;
    follow(run, v);
    for (int i = 0; i < run->nc; i++) {
        double sum = 0;
        for (int k = 0; k < d; k++) sum += run->slip[i * d + k] * run->du[i * d + k];
        out[i] = v[i] - sum / run->root[i];
    }
}

// v becomes orthogonal to the first vectors of the basis and of length 1, column keeps how
static void orthogonalise(newton *run, int count, double *v, double *column) {
    for (int j = 0; j < count; j++) {
        const double *other = run->basis + (size_t)j * (size_t)run->nc;
        column[j] = scree_dense_dot(v, other, run->nc);
        for (int k = 0; k < run->nc; k++) v[k] -= column[j] * other[k];
    }
    column[count] = sqrt(scree_dense_dot(v, v, run->nc));
    if (column[count] > 0)
        for (int k = 0; k < run->nc; k++) v[k] /= column[count];
}

// move: right side of (1 - map') x = move, overwritten with x
static void gmres(newton *run) {
    int nc = run->nc, m = 0;
    double R[BASIS][BASIS + 1], cosine[BASIS], sine[BASIS], rest[BASIS + 1];
    double start = rest[0] = sqrt(scree_dense_dot(run->move, run->move, nc));
    if (!(start > 0)) return;
    for (int k = 0; k < nc; k++) run->basis[k] = run->move[k] / start;
    while (m < BASIS && fabs(rest[m]) > slide_tolerance * start) {
        double *column = R[m], *v = run->basis + (size_t)m * (size_t)nc;
        apply(run, v, v + nc);
        orthogonalise(run, m + 1, v + nc, column);
        for (int j = 0; j < m; j++) {
            double a = column[j], b = column[j + 1];
            column[j] = cosine[j] * a + sine[j] * b;
            column[j + 1] = cosine[j] * b - sine[j] * a;
        }
        double size = hypot(column[m], column[m + 1]);
        if (!(size > 0)) break;
        cosine[m] = column[m] / size;
        sine[m] = column[m + 1] / size;
        column[m] = size;
        rest[m + 1] = -sine[m] * rest[m];
        rest[m] *= cosine[m];
        m++;
    }
    memset(run->move, 0, (size_t)nc * sizeof *run->move);
    for (int j = m - 1; j >= 0; j--) {
        for (int l = j + 1; l < m; l++) rest[j] -= R[l][j] * rest[l];
        rest[j] /= R[j][j];
        const double *v = run->basis + (size_t)j * (size_t)nc;
        for (int k = 0; k < nc; k++) run->move[k] += rest[j] * v[k];
    }
}

// the change of s, and in q that of the impulses
static bool find_move(newton *run) {
    if (run->factor_eps != run->eps && !factorise(run)) return false;
    find_slip(run);
    for (int i = 0; i < run->nc; i++) {
        scree_cone cone = scree_cone_of(run->problem, i);
        size_t at = (size_t)i * (size_t)run->d;
        run->move[i] = (scree_cone_shift(&cone, run->u_P + at) - run->shift[i]) / run->root[i];
    }
    gmres(run);
    follow(run, run->move);
    return true;
}

// Newton's step of the shift, and the impulses it predicts if the judge prefers them; otherwise
// those of the inner loop. Then statuses change on the way: a gamble, that may be taken back.
static bool predict(newton *run) {
    int d = run->d;
    double start = scree_context_now(), error = scree_context_error(run->context, run->now);
    bool fine = find_move(run);
    run->context->report->seconds.factor += scree_context_now() - start;
    if (!fine) return false;
    for (int i = 0; i < run->nc; i++) {
        scree_cone cone = scree_cone_of(run->problem, i);
        size_t at = (size_t)i * (size_t)d;
        for (int k = 0; k < d; k++)
            run->next[at + (size_t)k] = run->P[at + (size_t)k] + run->q[at + (size_t)k];
        scree_cone_project(&cone, run->next + at);
    }
    scree_residual residual = scree_context_judge(run->context, run->next, run->t);
    run->gamble = !(scree_context_error(run->context, residual) < error);
    if (run->gamble) {
        keep_plain(run);
        centre(run, run->P, run->u_P);
    } else {
        keep_if_better(run, run->next, residual);
        centre(run, run->next, run->t);
    }
    for (int i = 0; i < run->nc; i++)
        run->shift[i] = fmax(0, run->shift[i] + run->move[i] * run->root[i]);
    return true;
}

// ---- the outer loop

// after a gamble some centres are plain ones, more of them after each
static void next_centre(newton *run) {
    if (run->rest == 0 && predict(run)) {
        if (!run->gamble) run->rests = 0;
        if (run->gamble && run->rests < REST_MOST) run->rests++;
        run->rest = run->rests;
        return;
    }
    if (run->rest > 0) run->rest--;
    centre(run, run->P, run->u_P);
    find_shift(run, run->u_P);
}

// the gamble is lost: back to the plain centre
static void rollback(newton *run) {
    run->gamble = false;
    centre(run, run->plain, run->u_plain);
    find_shift(run, run->u_plain);
}

// eps for the next centre
static void tune(newton *run, inner_end end, int steps) {
    double error = scree_context_error(run->context, run->now);
    bool slow = error > 0.9 * run->last_error;
    if (end == INNER_SLOW || (end == INNER_BLURRED && slow))
        run->eps = fmin(3 * run->eps, largest_eps);
    else if (end == INNER_DONE && (steps <= 3 || (slow && steps <= 4)))
        run->eps = fmax(run->eps / (steps <= 1 ? 100 : 3), fmin(run->eps, run->least_eps));
    run->last_error = error;
}

// start over at the centre with a larger eps; false if that cannot help
static bool retreat(newton *run) {
    if (run->eps >= largest_eps) return false;
    run->eps = run->least_eps = fmin(10 * run->eps, largest_eps);
    memcpy(run->lambda, run->r, run->n * sizeof *run->r);
    scree_problem_velocity(run->problem, run->r, run->u);
    return true;
}

static bool is_lost(const newton *run, inner_end end) {
    if (!run->gamble) return false;
    return end == INNER_SLOW || scree_context_error(run->context, run->now) > 100 * run->stake;
}

// the best impulses, swept: they find most of the contacts' statuses
static void start_by_sweeps(newton *run) {
    scree_solver_context *context = run->context;
    memcpy(run->next, context->p, run->n * sizeof *run->next);
    for (int k = 1; k <= SWEEPS && !scree_context_meets(context, run->least); k++) {
        if (context->report->iterations >= context->options->max_sweeps) break;
        scree_gauss_seidel_run(&run->sweep, run->next, k % 2 == 1);
        context->report->iterations++;
        if ((k & (k - 1)) == 0 || k % JUDGE_EVERY == 0 || k == SWEEPS)
            keep_if_better(run, run->next, scree_context_judge(context, run->next, run->t));
    }
    scree_problem_velocity(run->problem, run->next, run->t);
    centre(run, run->next, run->t);
    find_shift(run, run->t);
    run->eps = first_eps;
    run->gamble = false;
    run->last_error = HUGE_VAL;
}

static scree_stop_reason iterate(newton *run) {
    scree_solver_context *context = run->context;
    double level = HUGE_VAL;
    for (int since = 0, steps; since < PATIENCE; since++) {
        inner_end end = solve_inner(run, &steps);
        if (end == INNER_SOLVED) return SCREE_STOP_SOLVED;
        if (end == INNER_BROKEN) return SCREE_STOP_BROKEN;
        if (end == INNER_SINGULAR) {
            if (!retreat(run)) return SCREE_STOP_BROKEN;
            continue;
        }
        if (end == INNER_LIMIT)
            return scree_context_late(context) ? SCREE_STOP_TIME : SCREE_STOP_LIMIT;
        if (is_lost(run, end)) {
            rollback(run);
            continue;
        }
        run->gamble = false;
        if (end != INNER_SLOW) next_centre(run);
        tune(run, end, steps);
        if (scree_context_error(context, run->least) < 0.99 * level) {
            level = scree_context_error(context, run->least);
            since = 0;
        }
        if (since % RESTART == RESTART - 1) start_by_sweeps(run);
    }
    return SCREE_STOP_STALLED;
}

// from the guess, or from 0 if that is better
static void begin(newton *run) {
    scree_solver_context *context = run->context;
    run->least = scree_context_judge(context, context->p, run->u);
    scree_residual cold = scree_context_judge(context, run->P, run->t);
    if (!(scree_context_error(context, run->least) <= scree_context_error(context, cold))) {
        run->least = cold;
        memset(context->p, 0, run->n * sizeof *context->p);
    }
    start_by_sweeps(run);
}

// what only problems need that the sweeps do not solve
static scree_status continue_by_newton(newton *run, scree_stop_reason *reason, scree_error *err) {
    double start = scree_context_now();
    scree_context_find_motion(run->context);
    run->problem = run->context->problem;
    run->kkt = scree_kkt_new(run->problem);
    if (!run->kkt) return scree_context_no_memory(run->context, err);
    run->symmetric = scree_kkt_exact(run->problem);
    run->context->report->seconds.prepare += scree_context_now() - start;
    *reason = iterate(run);
    scree_kkt_free(run->kkt);
    return SCREE_OK;
}

scree_status scree_proximal_newton_solve(scree_solver_context *context, scree_error *err) {
    const scree_problem *problem = context->problem;
    newton run = { .context = context,
                   .problem = problem,
                   .nc = problem->contacts,
                   .d = problem->dimension,
                   .n = (size_t)problem->contacts * (size_t)problem->dimension,
                   .least = { .natural = NAN, .scaled = NAN } };
    scree_seconds *seconds = &context->report->seconds;
    scree_stop_reason reason = SCREE_STOP_BROKEN;
    double start = scree_context_now();
    bool solvable;
    scree_status status = scree_gauss_seidel_prepare(context, &run.sweep, &solvable, err);
    run.D = run.sweep.D;
    if (!status) status = prepare(&run, err);
    if (status) return status;
    seconds->prepare += scree_context_now() - start;
    start = scree_context_now();
    double other = seconds->prepare + seconds->judge + seconds->factor;
    if (solvable) {
        begin(&run);
        if (!scree_context_meets(context, run.least))
            status = continue_by_newton(&run, &reason, err);
    }
    other = seconds->prepare + seconds->judge + seconds->factor - other;
    seconds->iterate += scree_context_now() - start - other;
    scree_context_finish(context, "proximal-newton", run.least, reason);
    return status;
}
