// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// newton.c - Newton on Coulomb's law for all contacts at once, with two globalisations.
// in: task with a guess.   out: best p, report.   work: Jacobian in the pattern of W and its LU.
//
// The equations F(p, s) = 0 and their Jacobian are newton_rows.h's, the linear algebra
// block_lu.h's.
//
// contact-newton, a proximal point. W is singular as soon as there are more contacts than motions.
//
//     p_k+1 solves the law with  s = W p + b + eps D (p - p_k),       D_i = trace(W_ii) / d
//
// has a regular matrix W + eps D and the same fixed points. What decides success: a Newton that
// does not settle within a few steps is thrown away as a whole and eps grows; one that settles
// quickly lets eps shrink, tenfold. The inner tolerance goes with eps.
//
// alart-curnier, a line search on the merit sum D_i |F_i|^2, which need not fall in every step. It
// is at home where W has full rank: finite elements, few contacts. Where it has not, W + eps D is
// factorised: eps grows after steps that failed and shrinks after good ones. When Newton is lost,
// projected gradients lead it elsewhere.

#include "solve/newton.h"

#include <float.h>
#include <limits.h>

#include "law/cone.h"
#include "solve/gauss_seidel.h"
#include "solve/newton_rows.h"
#include "solve/path.h"

typedef struct newton {
    scree_newton_rows rows;
    scree_solver_context *context;
    const scree_problem *problem;
    size_t n;
    scree_newton_kernel kernel;
    double *C, *inverse;   // on bodies: dp = inverse right - C (W dp) of each contact (nc x d x d)
    double *u;             // on bodies: W dp (nc x d)
    scree_residual least;  // of the best iterate, which is in context->p
    int limit;             // of the report's iterations
} newton;

// ---- one step

static bool draw(scree_arena *arena, size_t n, double **vectors[], size_t count) {
    for (size_t k = 0; k < count; k++)
        if (!(*vectors[k] = SCREE_NEW(arena, double, n))) return false;
    return true;
}

static bool prepare(newton *now, scree_solver_context *context, scree_newton_kernel kernel,
                    int limit) {
    const scree_problem *problem = context->problem;
    *now = (newton){ .rows = { .problem = problem, .W = problem->block },
                     .context = context,
                     .problem = problem,
                     .n = (size_t)problem->contacts * (size_t)problem->dimension,
                     .kernel = kernel,
                     .least = { .natural = DBL_MAX, .scaled = DBL_MAX },
                     .limit = limit };
    if (!scree_newton_rows_prepare(&now->rows, !kernel.bodies, context->arena)) return false;
    if (!kernel.bodies) return scree_block_lu_allocate(kernel.contacts);
    size_t room = now->n * (size_t)problem->dimension;
    now->C = SCREE_NEW(context->arena, double, room);
    now->inverse = SCREE_NEW(context->arena, double, room);
    now->u = SCREE_NEW(context->arena, double, now->n);
    return now->C && now->inverse && now->u && scree_body_lu_allocate(kernel.bodies);
}

// X = A B
static void multiply(const double *A, const double *B, int d, double *X) {
    for (int r = 0; r < d; r++)
        for (int c = 0; c < d; c++) {
            X[r * d + c] = 0;
            for (int k = 0; k < d; k++) X[r * d + c] += A[r * d + k] * B[k * d + c];
        }
}

// K dp + A (W dp) = right of one contact, solved for dp; false if K is singular
static bool eliminate(newton *now, int i, double *right) {
    enum { SIZE = SCREE_CONE_MAX * SCREE_CONE_MAX };
    int d = now->problem->dimension, stride = scree_block_stride(d);
    double K[SIZE] = { 0 }, A[SIZE] = { 0 }, padded[SIZE] = { 0 }, inverse[SIZE];
    double *X = now->inverse + (size_t)i * (size_t)(d * d);
    double *C = now->C + (size_t)i * (size_t)(d * d);
    scree_newton_split(&now->rows, i, d, K, A, right);
    memset(C, 0, (size_t)(d * d) * sizeof *C);
    memset(X, 0, (size_t)(d * d) * sizeof *X);
    if (!now->rows.active[i]) return true;
    for (int k = 0; k < d * d; k++) padded[k / d * stride + k % d] = K[k];
    if (!scree_block_invert(padded, d, inverse)) return false;
    for (int k = 0; k < d * d; k++) X[k] = inverse[k / d * stride + k % d];
    multiply(X, A, d, C);
    return true;
}

// to += inverse right - C (W dp), what open contacts are to do is known: right
static void answer(newton *now, double *right, double *to) {
    int d = now->problem->dimension;
    for (int i = 0; i < now->problem->contacts; i++) {
        const double *X = now->inverse + (size_t)i * (size_t)(d * d);
        double g[SCREE_CONE_MAX], *r = right + (size_t)i * (size_t)d;
        for (int k = 0; now->rows.active[i] && k < d; k++) {
            g[k] = 0;
            for (int c = 0; c < d; c++) g[k] += X[k * d + c] * r[c];
        }
        if (now->rows.active[i]) memcpy(r, g, (size_t)d * sizeof *r);
    }
    scree_body_lu_solve(now->kernel.bodies, right, now->u);
    for (int i = 0; i < now->problem->contacts; i++) {
        const double *C = now->C + (size_t)i * (size_t)(d * d);
        for (int k = 0; k < d; k++) {
            double sum = right[i * d + k];
            for (int c = 0; c < d; c++) sum -= C[k * d + c] * now->u[i * d + c];
            to[i * d + k] += sum;
        }
    }
}

static bool find_step_on_bodies(newton *now) {
    now->context->report->factorizations++;
    now->context->report->iterations++;
    for (int i = 0; i < now->problem->contacts; i++)
        if (!eliminate(now, i, now->rows.step + i * now->problem->dimension)) return false;
    if (!scree_body_lu_factor(now->kernel.bodies, now->C)) return false;
    memcpy(now->rows.right, now->rows.step, now->n * sizeof *now->rows.right);
    memset(now->rows.step, 0, now->n * sizeof *now->rows.step);
    answer(now, now->rows.right, now->rows.step);
    return true;
}

// What is left of the linear system at (p, s), as an energy, squared; the right side for it.
static double find_rest(newton *now) {
    int d = now->problem->dimension;
    double rest = 0;
    for (int i = 0; i < now->problem->contacts; i++) {
        double K[SCREE_CONE_MAX * SCREE_CONE_MAX], A[SCREE_CONE_MAX * SCREE_CONE_MAX];
        double *right = now->rows.right + (size_t)i * (size_t)d;
        scree_newton_split(&now->rows, i, d, K, A, right);
        for (int k = 0; now->rows.active[i] && k < d; k++)
            rest += right[k] * right[k] / now->rows.of[i].D;
    }
    return rest;
}

// dp at the iterate whose statuses are known; false if the matrix is singular
static bool find_step(newton *now) {
    if (now->kernel.bodies) return find_step_on_bodies(now);
    scree_newton_rows_fill(&now->rows);
    scree_newton_rows_move_known(&now->rows);
    now->context->report->factorizations++;
    now->context->report->iterations++;
    if (!scree_block_lu_factor(now->kernel.contacts, now->rows.jacobian, now->rows.active))
        return false;
    scree_block_lu_solve(now->kernel.contacts, now->rows.step);
    return true;
}

// Judge p and keep it if it is the best; s = W p + b. Returns its error, NaN if it is broken.
static double keep_best(newton *now, const double *p, double *s) {
    scree_residual residual = scree_context_judge(now->context, p, s);
    double error = scree_context_error(now->context, residual);
    if (error < scree_context_error(now->context, now->least)) {
        now->least = residual;
        memmove(now->context->p, p, now->n * sizeof *p);
    }
    return error;
}

// Bodies without a look at the contacts where their matrix is much the smaller one, contacts where
// these are cheap; otherwise both are analysed.
scree_newton_kernel scree_newton_kernel_choose(scree_solver_context *context, double most) {
    const double cheap = 3e6;
    scree_newton_kernel kernel = { 0 };
    double rows = (double)context->problem->contacts * context->problem->dimension;
    bool motion = !context->problem->bearing && scree_context_find_motion(context);
    if (motion && rows >= 2.0 * context->problem->motion->dofs)
        kernel.bodies = scree_body_lu_new(context->problem, most, context->arena);
    if (kernel.bodies && scree_newton_kernel_cost(kernel) < HUGE_VAL) return kernel;
    kernel.contacts = scree_block_lu_new(context->problem, most, context->arena);
    if (!motion || !kernel.contacts || scree_block_lu_factor_cost(kernel.contacts) < cheap)
        return kernel;
    if (!kernel.bodies) kernel.bodies = scree_body_lu_new(context->problem, most, context->arena);
    if (kernel.bodies &&
        !(scree_newton_kernel_cost(kernel) < scree_block_lu_factor_cost(kernel.contacts)))
        kernel.bodies = NULL;
    return kernel;
}

// with a refinement
double scree_newton_kernel_cost(scree_newton_kernel kernel) {
    if (kernel.bodies)
        return scree_body_lu_factor_cost(kernel.bodies) +
               2 * scree_body_lu_solve_cost(kernel.bodies);
    return scree_block_lu_factor_cost(kernel.contacts) + scree_block_lu_solve_cost(kernel.contacts);
}

// velocities that are nothing against the largest
static double tie_of(const scree_problem *problem, const double *s) {
    double largest = 0;
    for (int i = 0; i < problem->contacts; i++)
        largest = fmax(largest, fabs(s[i * problem->dimension]));
    return 1e-10 * largest;
}

bool scree_newton_tied(const scree_problem *problem) {
    double tie = tie_of(problem, problem->b);
    int ties = 0;
    for (int i = 0; i < problem->contacts; i++)
        ties += fabs(problem->b[i * problem->dimension]) <= tie;
    return ties > 0 && ties >= problem->contacts / 4;
}

// ---- proximal point

// In a cold stack nothing moves yet between the bodies above the lowest: s_N = 0, a tie. Newton
// calls such contacts open, and the closed set grows from the floor as a front, a level a step or
// slower. And impulses of the step before that fit a little less make velocities large where much
// rests on a contact, and flip statuses that were right. So the first step may take the statuses
// from the impulses, with ties closed and sticking, under a weak pull to the centre.

enum {
    SEED_SWEEPS = 3,    // Gauss-Seidel, so that Newton starts from likely statuses
    INNER_STEPS = 15,   // Newton steps for one proximal point
    IDLE_STEPS = 5,     // of these without a clear gain: Newton has run into a cycle
    REFUSALS = 60,      // proximal points thrown away in a row before giving up
    IDLE_POINTS = 400,  // proximal points in a row that do not help
    CYCLES = 2,         // of them thrown away in a row before a path of statuses is followed,
    PATHS = 4,          // so many times,
    CHANGES = 100,      // with at most so many factorisations each
};
static const double eps_most = 10;
static const double path_eps[] = { 1e-5, 1e-6, 1e-4 };  // in turn
static const double path_near = 1e-4;                   // the residual from which on it is worth it

typedef struct proximal {
    newton *newton;
    scree_proximal weight;
    double *centre, *velocity;  // p_k, W p_k + b
    scree_path *path;
    int paths;  // that were followed
} proximal;

// s with the proximal term; returns how far p is from the centre, squared, as an energy
static double find_velocities(const proximal *now) {
    scree_newton_rows *rows = &now->newton->rows;
    int d = rows->problem->dimension;
    double way = 0;
    scree_problem_velocity(rows->problem, rows->p, rows->s);
    for (int i = 0; i < rows->problem->contacts; i++)
        for (int k = i * d; k < (i + 1) * d; k++) {
            double from = rows->p[k] - now->centre[k];
            rows->s[k] += rows->eps * rows->of[i].D * from;
            way += rows->of[i].D * from * from;
        }
    return way;
}

// On bodies the answers 1 / eps make rounding large: what is left of the system is solved again,
// with the same factors, in contact space.
static double refine(proximal *now, double way) {
    enum { REFINEMENTS = 3 };
    newton *of = now->newton;
    double rest = sqrt(find_rest(of)), last = HUGE_VAL;
    for (int k = 0; k < REFINEMENTS && rest > 0.1 * SCREE_PROXIMAL_SETTLED * of->rows.eps * way &&
                    rest < 0.3 * last;
         k++) {
        last = rest;
        answer(of, of->rows.right, of->rows.p);
        way = sqrt(find_velocities(now));
        rest = sqrt(find_rest(of));
    }
    return way;
}

// Statuses by the impulses of the centre: what bears is closed, and what does not separate too,
// what is at the border of its cone slips, the rest sticks.
static void bond(scree_newton_rows *rows) {
    int nc = rows->problem->contacts, d = rows->problem->dimension;
    double tie = tie_of(rows->problem, rows->s);
    for (int i = 0; i < nc; i++) {
        scree_newton_contact *one = &rows->of[i];
        const double *p = rows->p + i * d;
        rows->active[i] = one->free || p[0] > 0 || rows->s[i * d] <= tie;
        for (scree_newton_part *part = one->part; part < one->part + one->parts; part++) {
            double radius = (1 - 1e-6) * part->mu * p[0];
            part->slip = scree_slip_of(part->mu, p[0] > 0 ? radius : HUGE_VAL, p[part->first],
                                       part->width == 2 ? p[part->first + 1] : 0);
            part->slip.G = 1;
        }
    }
}

// one proximal point from the centre; returns the Newton steps it took, or 0 if it did not settle
static int find_point(proximal *now, bool bonded) {
    newton *of = now->newton;
    scree_newton_rows *rows = &of->rows;
    memcpy(rows->p, now->centre, of->n * sizeof *rows->p);
    memcpy(rows->s, now->velocity, of->n * sizeof *rows->s);
    rows->eps = now->weight.eps;
    double first = sqrt(scree_newton_rows_assess(rows, rows->p, rows->s)), least = first;
    int idle = 0;
    if (bonded) bond(rows);
    for (int step = 1; step <= INNER_STEPS && idle < IDLE_STEPS; step++) {
        if (of->context->report->iterations >= of->limit || scree_context_late(of->context))
            return 0;
        if (!find_step(of)) return 0;
        for (size_t k = 0; k < of->n; k++) rows->p[k] += rows->step[k];
        double way = sqrt(find_velocities(now));
        if (of->kernel.bodies) way = refine(now, way);
        double miss = sqrt(scree_newton_rows_assess(rows, rows->p, rows->s));
        if (!(miss <= 1e6 * first)) return 0;
        if (miss <= SCREE_PROXIMAL_SETTLED * rows->eps * way || miss <= 1e-15 * first) return step;
        idle = miss < 0.7 * least ? 0 : idle + 1;
        least = fmin(least, miss);
    }
    return 0;
}

// Where Newton cycles the statuses fold: the point by a path that may turn back. Planar: there its
// pieces are straight. False if it does not come to its end.
static bool follow_path(proximal *now, int refused) {
    newton *of = now->newton;
    int left = of->limit - of->context->report->iterations, most = left < CHANGES ? left : CHANGES;
    if (of->problem->dimension != 2 || !of->kernel.contacts || refused < CYCLES ||
        now->paths >= PATHS ||
        scree_context_judge(of->context, now->centre, now->velocity).scaled > path_near)
        return false;
    if (!now->path && !(now->path = scree_path_new(of->context, of->kernel.contacts))) return false;
    double eps = path_eps[now->paths++ % 3];
    memcpy(of->rows.p, now->centre, of->n * sizeof *now->centre);
    if (!scree_path_follow(now->path, now->centre, eps, most, of->rows.p)) return false;
    now->weight.eps = eps;
    return true;
}

static void accept(proximal *now, int steps) {
    newton *of = now->newton;
    memcpy(now->centre, of->rows.p, of->n * sizeof *now->centre);
    scree_cone_project_all(of->problem, now->centre);
    keep_best(of, now->centre, now->velocity);
    scree_proximal_accept(&now->weight, steps);
}

// The first point with the statuses of its centre, at an eps that hardly pulls, then at larger
// ones. True: it is the centre now.
static bool bond_first(proximal *now) {
    static const double eps[] = { 1e-6, 1e-4, 1e-2 };
    for (size_t k = 0; k < sizeof eps / sizeof *eps; k++) {
        now->weight = (scree_proximal){ eps[k], 0.01 };
        int steps = find_point(now, true);
        if (steps) accept(now, steps);
        if (steps) return true;
    }
    return false;
}

// far from the solution statuses are guesses, and a strong pull to the centre helps
static void weigh_by_residual(proximal *now) {
    double eps = 0.3 * sqrt(now->newton->least.scaled);
    now->weight = (scree_proximal){ fmin(fmax(eps, 1e-3), 0.1), 0.1 };
}

static scree_stop_reason iterate_points(proximal *now) {
    newton *of = now->newton;
    scree_solver_context *context = of->context;
    int refused = 0, idle = 0;
    double last = scree_context_error(context, of->least);
    while (!scree_context_meets(context, of->least)) {
        if (context->report->iterations >= of->limit) return SCREE_STOP_LIMIT;
        if (scree_context_late(context)) return SCREE_STOP_TIME;
        int steps = find_point(now, false);
        if (!steps && follow_path(now, refused + 1)) steps = SCREE_PROXIMAL_QUICK;
        if (steps) {
            refused = 0;
            accept(now, steps);
        } else {
            if (++refused > REFUSALS) return SCREE_STOP_STALLED;
            scree_proximal_refuse(&now->weight, eps_most);
        }
        // centres that wander off without a gain: there may be no solution
        double error = scree_context_error(context, of->least);
        idle = error < 0.9 * last ? 0 : idle + 1;
        if (error < 0.9 * last) last = error;
        if (idle > IDLE_POINTS) return SCREE_STOP_STALLED;
    }
    return SCREE_STOP_SOLVED;
}

scree_status scree_contact_newton_continue(scree_solver_context *context,
                                           scree_newton_kernel kernel, bool bonded, int limit,
                                           scree_error *err) {
    double start = scree_context_now(), judged = context->report->seconds.judge;
    newton of;
    proximal now = { .newton = &of };
    double **vectors[] = { &now.centre, &now.velocity };
    if (!prepare(&of, context, kernel, limit) || !draw(context->arena, of.n, vectors, 2))
        return scree_context_no_memory(context, err);
    scree_cone_project_all(context->problem, context->p);
    if (!isfinite(keep_best(&of, context->p, now.velocity))) {
        memset(context->p, 0, of.n * sizeof *context->p);
        keep_best(&of, context->p, now.velocity);
    }
    memcpy(now.centre, context->p, of.n * sizeof *now.centre);
    scree_stop_reason reason = SCREE_STOP_STALLED;
    if (!bonded) weigh_by_residual(&now);
    if (!bonded || bond_first(&now))
        reason = iterate_points(&now);
    else if (scree_context_late(context))
        reason = SCREE_STOP_TIME;
    context->report->seconds.factor +=
        scree_context_now() - start - (context->report->seconds.judge - judged);
    scree_context_finish(context, "contact-newton", of.least, reason);
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

static int limit_of(const scree_solver_context *context) {
    int done = context->report->iterations, most = context->options->max_sweeps;
    return most > INT_MAX - done ? INT_MAX : done + most;
}

scree_status scree_contact_newton_solve(scree_solver_context *context, scree_error *err) {
    double start = scree_context_now();
    size_t n = (size_t)context->problem->contacts * (size_t)context->problem->dimension;
    int limit = limit_of(context);
    scree_gauss_seidel sweep;
    bool solvable;
    scree_status outcome = scree_gauss_seidel_prepare(context, &sweep, &solvable, err);
    if (outcome) return outcome;
    double *s = SCREE_NEW(context->arena, double, n);
    scree_newton_kernel kernel = scree_newton_kernel_choose(context, INT_MAX);
    if (!s || !(kernel.bodies || kernel.contacts)) return scree_context_no_memory(context, err);
    context->report->seconds.prepare += scree_context_now() - start;
    if (!solvable) {
        scree_context_finish(context, "contact-newton", scree_context_judge(context, context->p, s),
                             SCREE_STOP_BROKEN);
        return SCREE_OK;
    }
    if (scree_context_is_zero(context) && scree_newton_tied(context->problem)) {
        outcome = scree_contact_newton_continue(context, kernel, true, limit, err);
        if (outcome || context->report->converged || scree_context_late(context)) return outcome;
    }
    seed(context, &sweep, s);
    return scree_contact_newton_continue(context, kernel, false, limit, err);
}

// ---- line search

enum {
    START_SWEEPS = 10,  // of Gauss-Seidel, to find most statuses
    RESCUE_STEPS = 30,  // of projected gradients, when Newton is lost
    RESCUES = 40,       // times that they may help out
    MEMORY = 5,         // merits that a new one is compared with
    HALVINGS = 8,
    LOOSE_STEPS = 8,  // without a better residual, before the line search becomes strict
};
static const double search_eps_first = 1e-2, search_eps_least = 1e-10, search_eps_most = 1e-1;

typedef struct search {
    newton *newton;
    double *trial_p, *trial_s, *ds;  // ds = W dp
    double merit[MEMORY];            // the last ones
    int merits;
    bool loose;      // merits may grow: quick where it works
    int since_gain;  // steps without a better residual
} search;

static void remember_merit(search *now, double merit) {
    now->merit[now->merits++ % MEMORY] = merit;
}

static double worst_merit(const search *now) {
    double worst = 0;
    for (int i = 0; i < now->merits && i < MEMORY; i++) worst = fmax(worst, now->merit[i]);
    return worst;
}

// dp and ds; false if the matrix is singular or the step not finite
static bool find_direction(search *now) {
    newton *of = now->newton;
    if (!find_step(of)) return false;
    for (size_t k = 0; k < of->n; k++)
        if (!isfinite(of->rows.step[k])) return false;
    scree_problem_velocity(of->problem, of->rows.step, now->ds);
    for (size_t k = 0; k < of->n; k++) now->ds[k] -= of->problem->b[k];
    return true;
}

// the first of 1, 1/2, 1/4, ... that betters the worst of the last merits; 0 if there is none
static double line_search(search *now, double *merit) {
    newton *of = now->newton;
    double length = 1, limit = (now->loose ? 4 : 1) * worst_merit(now);
    for (int halving = 0; halving <= HALVINGS; halving++, length /= 2) {
        for (size_t k = 0; k < of->n; k++) {
            now->trial_p[k] = of->rows.p[k] + length * of->rows.step[k];
            now->trial_s[k] = of->rows.s[k] + length * now->ds[k];
        }
        *merit = scree_newton_rows_assess(&of->rows, now->trial_p, now->trial_s);
        if (*merit <= (1 - 1e-4 * length) * limit) return length;
    }
    return 0;
}

// one step of Newton; false if it led nowhere
static bool advance(search *now) {
    scree_newton_rows *rows = &now->newton->rows;
    double merit = scree_newton_rows_assess(rows, rows->p, rows->s), length = 0;
    if (find_direction(now)) length = line_search(now, &merit);
    if (!(length > 0)) {
        rows->eps = fmin(100 * rows->eps, search_eps_most);
        return false;
    }
    memcpy(rows->p, now->trial_p, now->newton->n * sizeof *rows->p);
    remember_merit(now, merit);
    rows->eps = length == 1 ? fmax(rows->eps / 4, search_eps_least)
                            : fmin(rows->eps * (length < 0.1 ? 10 : 1), search_eps_most);
    return !now->loose || now->since_gain++ < LOOSE_STEPS;
}

// Sweeps from the best iterate at first; where they and Newton led nowhere, another method may,
// every third time from nothing, as the best may be a dead end.
static scree_status restart(search *now, int rescues, scree_error *err) {
    newton *of = now->newton;
    scree_solver_context *context = of->context;
    scree_solver_options options = *context->options;
    int most = rescues == 1 ? START_SWEEPS : RESCUE_STEPS;
    int left = of->limit - context->report->iterations;
    options.max_sweeps = most < left ? most : left;
    scree_solver_context part = *context;
    part.options = &options;
    part.p = of->rows.p;
    memcpy(part.p, context->p, of->n * sizeof *part.p);
    if (rescues % 3 == 0) memset(part.p, 0, of->n * sizeof *part.p);
    scree_arena_mark mark = scree_arena_mark_of(context->arena);
    scree_status status =
        rescues == 1 ? scree_nsgs_solve(&part, err) : scree_apgd_solve(&part, err);
    scree_arena_release(context->arena, mark);
    now->merits = 0;
    now->loose = rescues % 3 == 1;
    return status;
}

static scree_status iterate_steps(search *now, scree_stop_reason *reason, scree_error *err) {
    newton *of = now->newton;
    scree_solver_context *context = of->context;
    scree_newton_rows *rows = &of->rows;
    int rescues = 0;
    for (bool lost = true; !scree_context_meets(context, of->least);) {  // sweeps come first
        *reason = SCREE_STOP_LIMIT;
        if (context->report->iterations >= of->limit) return SCREE_OK;
        *reason = SCREE_STOP_STALLED;
        if (lost && rescues++ > RESCUES) return SCREE_OK;
        scree_status status = lost ? restart(now, rescues, err) : SCREE_OK;
        if (status) return status;
        double least = scree_context_error(context, of->least),
               error = keep_best(of, rows->p, rows->s);
        *reason = SCREE_STOP_BROKEN;
        if (!isfinite(error)) return SCREE_OK;
        if (scree_context_meets(context, of->least)) break;
        if (lost) remember_merit(now, scree_newton_rows_assess(rows, rows->p, rows->s));
        if (lost || error < least) now->since_gain = 0;
        *reason = SCREE_STOP_LIMIT;
        if (context->report->iterations >= of->limit) return SCREE_OK;
        lost = !advance(now);
        *reason = SCREE_STOP_TIME;
        if (scree_context_late(context)) return SCREE_OK;
    }
    *reason = SCREE_STOP_SOLVED;
    return SCREE_OK;
}

// start from the guess or from 0, whichever is better
static void choose_start(newton *now) {
    scree_solver_context *context = now->context;
    scree_residual cold = scree_context_judge(context, now->rows.p, now->rows.s);
    keep_best(now, context->p, now->rows.s);
    if (scree_context_error(context, now->least) < scree_context_error(context, cold)) return;
    now->least = cold;
    memset(context->p, 0, now->n * sizeof *context->p);
}

scree_status scree_newton_solve(scree_solver_context *context, scree_error *err) {
    double start = scree_context_now();
    newton of;
    search now = { .newton = &of };
    double **vectors[] = { &now.trial_p, &now.trial_s, &now.ds };
    scree_newton_kernel kernel = { .contacts = scree_block_lu_new(context->problem, HUGE_VAL,
                                                                  context->arena) };
    if (!kernel.contacts || !prepare(&of, context, kernel, limit_of(context)) ||
        !draw(context->arena, of.n, vectors, 3))
        return scree_context_no_memory(context, err);
    of.rows.eps = search_eps_first;
    context->report->seconds.prepare += scree_context_now() - start;

    scree_seconds before = context->report->seconds;
    start = scree_context_now();
    choose_start(&of);
    scree_stop_reason reason;
    scree_status status = iterate_steps(&now, &reason, err);
    const scree_seconds *after = &context->report->seconds;
    context->report->seconds.factor += scree_context_now() - start - (after->judge - before.judge) -
                                       (after->iterate - before.iterate) -
                                       (after->prepare - before.prepare);
    if (!status) scree_context_finish(context, "alart-curnier", of.least, reason);
    return status;
}
