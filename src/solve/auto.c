// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// auto.c - the driver: which solver, for which part of the problem, and when to change it.
// in: task with a guess.   out: best p, report.   work: islands, sweeps, what the engines need.
//
// A few contacts are tried as newton_dense.c does it. The rest is cut into islands, which are
// solved one by one, each to its share of the tolerance: again as newton_dense.c does it, then by
// sweeps. Each look at the residual gives a rate, the rate says how many sweeps are left, and these
// are weighed against Newton on the graph of contacts, whose price is known from the symbolic
// analysis. What misses the tolerance is handed on, with its best iterate, to the next engine of a
// list, and before a refusal to those of a second one, whatever the limit of iterations.
//
// How many steps Newton needs is learned from island to island, by their size, and from problem to
// problem if the caller keeps the memory.
//
// Prices are counted in multiplications, never in measured seconds: the same problem is solved in
// the same way, to the same bits, on every machine and under any load.

#include <float.h>
#include <math.h>
#include <string.h>

#include "law/assemble.h"
#include "solve/enumerate.h"
#include "solve/gauss_seidel.h"
#include "solve/infeasibility.h"
#include "solve/islands.h"
#include "solve/newton.h"

enum {
    FIRST_LOOKS = 4,           // sweeps after each of which the residual is looked at
    ANDERSON_SWEEPS = 200,     // what accelerated sweeps are expected to need
    NEWTON_STEPS = 3,          // what Newton is expected to need, one more for each doubling
    LOCAL_COST = 150,          // of solving one contact, in multiplications
    SWEEPS_ONLY_FROM = 60000,  // contacts beyond which no matrix is analysed
    PIVOTED = 200,             // planar contacts that Lemke's method is given at most
    PATIENT = 1000             // a limit of iterations from which on the last resorts are tried
};
static const double newton_most = 3e7;  // blocks of U that fit into memory

typedef struct island {
    scree_solver_context *context;
    scree_gauss_seidel sweep;
    double *best, *s;
    scree_residual least;
    double error;  // of least
    int sweeps;
    scree_block_lu *lu;  // analysed when Newton was first thought of
} island;

static size_t bytes_of(const scree_solver_context *context) {
    return (size_t)context->problem->contacts * (size_t)context->problem->dimension *
           sizeof(double);
}

static double keep_best(island *now, const double *p, scree_residual residual) {
    double error = scree_context_error(now->context, residual);
    if (!(error < now->error)) return error;
    memcpy(now->best, p, bytes_of(now->context));
    now->least = residual;
    now->error = error;
    return error;
}

static int size_class(int contacts) {
    int k = 0;
    while (contacts >>= 1) k++;
    return k;
}

// Newton has come to an end; what it needed counts as much as all that was known
static void update_step_estimate(const island *now, int steps) {
    scree_solver_memory *memory = now->context->options->memory;
    if (!memory) return;
    double *known = &memory->newton_steps[size_class(now->context->problem->contacts)];
    *known = *known > 0 ? (*known + steps) / 2 : steps;
}

static double sweep_cost(const scree_problem *problem) {
    int d = problem->dimension;
    return (double)problem->row[problem->contacts] * d * d + (double)problem->contacts * LOCAL_COST;
}

// Newton's steps; until the graph has been analysed, what they cost at least
static double newton_cost(const island *now) {
    const scree_problem *problem = now->context->problem;
    int d = problem->dimension;
    if (problem->contacts >= SWEEPS_ONLY_FROM) return HUGE_VAL;
    double blocks = problem->row[problem->contacts], step = 5 * blocks * d * d;
    step += (double)problem->contacts * (LOCAL_COST + 4 * d * d * d);
    step += now->lu ? scree_block_lu_factor_cost(now->lu) + scree_block_lu_solve_cost(now->lu)
                    : blocks * d * d * d;
    const scree_solver_memory *memory = now->context->options->memory;
    double known = memory ? memory->newton_steps[size_class(problem->contacts)] : 0;
    return (known > 0 ? known : NEWTON_STEPS + log2(problem->contacts)) * step;
}

static double anderson_cost(const island *now) {
    return 1.5 * ANDERSON_SWEEPS * sweep_cost(now->context->problem);
}

// Is there a cheaper way from here than so many sweeps?
static bool sweeps_too_expensive(island *now, double left) {
    double price = left * sweep_cost(now->context->problem);
    if (now->sweeps + left > now->context->options->max_sweeps) price = HUGE_VAL;
    if (price > newton_cost(now) && !now->lu)
        now->lu = scree_block_lu_new(now->context->problem, newton_most, now->context->arena);
    return price > fmin(newton_cost(now), anderson_cost(now));
}

// sweeps left to the tolerance, by the rate between two looks
static double sweeps_left(const island *now, double error, double last_error, int between) {
    double rate = pow(error / last_error, 1.0 / between);
    return rate < 1 ? log(now->context->options->tolerance / error) / log(rate) : HUGE_VAL;
}

// sweep until solved, or until something else is better, which counts as stalled
static scree_stop_reason sweep_first(island *now) {
    scree_solver_context *context = now->context;
    double last_error = now->error;
    int last_look = 0, next_look = 1,
        most = context->options->max_sweeps - context->report->iterations;
    while (!scree_context_meets(context, now->least)) {
        if (now->sweeps >= most) return SCREE_STOP_LIMIT;
        scree_gauss_seidel_run(&now->sweep, context->p, true);
        now->sweeps++;
        if (now->sweeps < next_look && now->sweeps < most) continue;
        double error = keep_best(now, context->p, scree_context_judge(context, context->p, now->s));
        if (!isfinite(error)) return SCREE_STOP_BROKEN;
        if (scree_context_meets(context, now->least)) break;
        if (scree_context_late(context)) return SCREE_STOP_TIME;
        double left = sweeps_left(now, error, last_error, now->sweeps - last_look);
        if (now->sweeps > 1 && sweeps_too_expensive(now, left)) return SCREE_STOP_STALLED;
        // the next look is when the rate promises the end, but not after half as many again
        int step = now->sweeps < FIRST_LOOKS ? 1 : now->sweeps / 2;
        if (left < step) step = left < 1 ? 1 : (int)left;
        next_look = now->sweeps + step;
        last_error = error;
        last_look = now->sweeps;
    }
    return SCREE_STOP_SOLVED;
}

// islands could be swept side by side: of those, the one that needs most iterations counts
static void add_effort(scree_report *all, const scree_report *part) {
    all->factorizations += part->factorizations;
    all->seconds.prepare += part->seconds.prepare;
    all->seconds.iterate += part->seconds.iterate;
    all->seconds.factor += part->seconds.factor;
    all->seconds.judge += part->seconds.judge;
}

// One engine from p, with so many iterations; what it makes worse than the best is dropped.
static scree_status run_solver(island *now, scree_solver *engine, int iterations,
                               scree_error *err) {
    scree_solver_context *context = now->context;
    scree_report report = { .solver = context->report->solver };
    scree_solver_options options = *context->options;
    options.max_sweeps = iterations;
    scree_solver_context part = *context;
    part.options = &options;
    part.report = &report;
    scree_arena_mark mark = scree_arena_mark_of(context->arena);
    scree_status status = engine(&part, err);
    scree_arena_release(context->arena, mark);
    if (status) return status;
    add_effort(context->report, &report);
    context->report->iterations +=
        report.iterations < options.max_sweeps ? report.iterations : options.max_sweeps;
    context->report->reason = report.reason;
    if (report.reason == SCREE_STOP_INFEASIBLE) {
        memcpy(now->best, context->p, bytes_of(context));
        return SCREE_OK;
    }
    double last = now->error;
    keep_best(now, context->p, report.residual);
    if (now->error < last) context->report->solver = report.solver;
    return SCREE_OK;
}

// the same from the best iterate so far, with what is left of the iterations
static scree_status run_solver_from_best(island *now, scree_solver *engine, int most,
                                         scree_error *err) {
    memcpy(now->context->p, now->best, bytes_of(now->context));
    int left = now->context->options->max_sweeps - now->context->report->iterations;
    return run_solver(now, engine, left < most ? left : most, err);
}

typedef struct fallback {
    scree_solver *engine;
    int most;  // iterations it is given
    bool (*can)(const scree_problem *problem);
    bool afresh;  // not from the best iterate
} fallback;

static bool any(const scree_problem *problem) { return problem->contacts > 0; }
static bool not_too_many(const scree_problem *problem) {
    return problem->contacts < SWEEPS_ONLY_FROM;
}

// planar, and a dense matrix of it is small
static bool can_pivot(const scree_problem *problem) {
    return problem->dimension == 2 && !problem->equality && problem->contacts <= PIVOTED;
}

// planar: the pieces of a path of statuses are straight
static bool can_follow(const scree_problem *problem) {
    return problem->dimension == 2 && not_too_many(problem);
}

// what is tried after sweeps and Newton, in this order
static const fallback fallbacks[] = {
    { scree_nsgs_anderson_solve, 2000, any, false },
    { scree_contact_newton_solve, 2000, not_too_many, false },
    { scree_enumerate_solve, 1, scree_enumerate_can, false },
    { scree_proximal_newton_solve, 500, not_too_many, false },
    { scree_admm_solve, 2000, not_too_many, false },
    { scree_nsgs_solve, 1 << 30, any, false },
};

// What is tried before a refusal, limit of iterations or not: a step that is not solved ends a run.
// Those in the middle start from elsewhere and owe nothing to the iterates that led nowhere.
static const fallback last_fallbacks[] = {
    { scree_newton_extended_solve, 120, scree_newton_extended_can, false },
    { scree_lemke_solve, 2000, can_pivot, false },
    { scree_path_solve, 200, can_follow, true },
    { scree_interior_point_solve, 500, not_too_many, true },
    { scree_newton_extended_solve, 120, scree_newton_extended_can, false },
    { scree_contact_newton_solve, 1000, not_too_many, false },
    { scree_newton_solve, 2000, not_too_many, false },
};

static scree_stop_reason reason_of(const island *now, scree_stop_reason last) {
    if (scree_context_meets(now->context, now->least)) return SCREE_STOP_SOLVED;
    return last == SCREE_STOP_SOLVED ? SCREE_STOP_STALLED : last;
}

static scree_status run_fallbacks(island *now, scree_stop_reason *reason, scree_error *err) {
    scree_solver_context *context = now->context;
    if (not_too_many(context->problem) && scree_infeasibility_find(context, now->s)) {
        memcpy(now->best, now->s, bytes_of(context));
        *reason = SCREE_STOP_INFEASIBLE;
        return SCREE_OK;
    }
    for (size_t k = 0; k < sizeof fallbacks / sizeof *fallbacks; k++) {
        if (scree_context_meets(context, now->least)) break;
        if (scree_context_late(context)) {
            *reason = SCREE_STOP_TIME;
            break;
        }
        if (context->report->iterations >= context->options->max_sweeps) {
            *reason = SCREE_STOP_LIMIT;
            break;
        }
        if (!fallbacks[k].can(context->problem)) continue;
        scree_status status =
            run_solver_from_best(now, fallbacks[k].engine, fallbacks[k].most, err);
        if (status) return status;
        *reason = context->report->reason;
        if (*reason == SCREE_STOP_INFEASIBLE) break;
    }
    return SCREE_OK;
}

static bool is_refused(const island *now, scree_stop_reason reason) {
    const scree_solver_context *context = now->context;
    return !scree_context_meets(context, now->least) && context->options->max_sweeps >= PATIENT &&
           reason != SCREE_STOP_INFEASIBLE && !scree_context_late(context);
}

// some engines end outside of the cones; who goes on with a refused step wants forces that can be
static void project_to_cones(island *now) {
    scree_solver_context *context = now->context;
    int d = context->problem->dimension;
    for (int i = 0; i < context->problem->contacts; i++) {
        scree_cone cone = scree_cone_of(context->problem, i);
        scree_cone_project(&cone, now->best + (size_t)i * (size_t)d);
    }
    now->least = scree_context_judge(context, now->best, now->s);
    now->error = scree_context_error(context, now->least);
}

// Then, if all that is left is rounding, though that is not above the tolerance by itself, it is
// taken: nothing has come closer.
static scree_status run_last_fallbacks(island *now, scree_stop_reason *reason, scree_error *err) {
    scree_solver_context *context = now->context;
    for (size_t k = 0; k < sizeof last_fallbacks / sizeof *last_fallbacks; k++) {
        if (!is_refused(now, *reason)) return SCREE_OK;
        if (!last_fallbacks[k].can(context->problem)) continue;
        memcpy(context->p, now->best, bytes_of(context));
        if (last_fallbacks[k].afresh) memset(context->p, 0, bytes_of(context));
        scree_status status =
            run_solver(now, last_fallbacks[k].engine, last_fallbacks[k].most, err);
        if (status) return status;
        *reason = context->report->reason;
    }
    if (is_refused(now, *reason) &&
        scree_context_rounded(context, now->least, context->rounding_from / 16))
        context->rounding_from /= 16;
    if (is_refused(now, *reason)) project_to_cones(now);
    return SCREE_OK;
}

// sweeps have become dear: the cheaper of acceleration and Newton, then the other
static scree_status leave_sweeps(island *now, scree_stop_reason *reason, scree_error *err) {
    scree_solver_context *context = now->context;
    scree_status status = SCREE_OK;
    bool newton = now->lu && newton_cost(now) < HUGE_VAL;  // else it does not fit into memory
    if (!newton || newton_cost(now) > anderson_cost(now)) {
        // as many sweeps as Newton would cost
        double worth = newton ? newton_cost(now) / (1.5 * sweep_cost(context->problem)) : HUGE_VAL;
        int most = worth < context->options->max_sweeps ? (int)worth : context->options->max_sweeps;
        status = run_solver_from_best(now, scree_nsgs_anderson_solve, most, err);
    }
    if (!status && newton && !scree_context_meets(context, now->least)) {
        int before = context->report->factorizations;
        memcpy(context->p, now->best, bytes_of(context));
        status = scree_contact_newton_continue(context, now->lu, context->options->max_sweeps, err);
        if (status) return status;
        keep_best(now, context->p, context->report->residual);
        update_step_estimate(now, context->report->factorizations - before);
    }
    *reason = context->report->reason;
    return status;
}

static bool draw(island *now) {
    size_t n = bytes_of(now->context) / sizeof(double);
    now->best = SCREE_NEW(now->context->arena, double, n);
    now->s = SCREE_NEW(now->context->arena, double, n);
    return now->best && now->s;
}

// the better of the guess and nothing
static void choose_guess(island *now) {
    scree_solver_context *context = now->context;
    keep_best(now, now->best, scree_context_residual(context, now->best, context->problem->b));
    if (scree_context_is_zero(context)) return;
    keep_best(now, context->p, scree_context_judge(context, context->p, now->s));
    memcpy(context->p, now->best, bytes_of(context));
}

static scree_status solve_island(scree_solver_context *context, scree_error *err) {
    island now = { .context = context,
                   .error = DBL_MAX,
                   .least = { .natural = DBL_MAX, .scaled = DBL_MAX } };
    scree_status status = SCREE_OK;
    bool solvable;
    scree_stop_reason reason = SCREE_STOP_SOLVED;
    context->report->solver = "none";
    if (!draw(&now)) return scree_context_no_memory(context, err);
    choose_guess(&now);
    if (!scree_context_meets(context, now.least)) {
        status = scree_gauss_seidel_prepare(context, &now.sweep, &solvable, err);
        if (status) return status;
        context->report->solver = "nsgs";
        reason = solvable ? sweep_first(&now) : SCREE_STOP_BROKEN;
        context->report->iterations += now.sweeps;
    }
    if (reason == SCREE_STOP_STALLED && (status = leave_sweeps(&now, &reason, err))) return status;
    if ((reason == SCREE_STOP_STALLED || reason == SCREE_STOP_BROKEN) &&
        (status = run_fallbacks(&now, &reason, err)))
        return status;
    if (is_refused(&now, reason) && (status = run_last_fallbacks(&now, &reason, err)))
        return status;
    memcpy(context->p, now.best, bytes_of(context));
    if (now.error == DBL_MAX) now.least = (scree_residual){ .natural = NAN, .scaled = NAN };
    scree_context_finish(context, context->report->solver, now.least, reason_of(&now, reason));
    return SCREE_OK;
}

// A contact that touches no other is solved where it stands; one update, a few if W_ii is
// unsymmetric. False if it is not that simple: nothing moves it, or it cannot be solved alone.
static bool solve_single(scree_solver_context *context, int i, double *p) {
    const scree_problem *problem = context->problem;
    int d = problem->dimension;
    scree_local local;
    scree_cone cone = scree_cone_of(problem, i);
    const double *A = problem->block + (size_t)problem->diagonal[i] * (size_t)(d * d);
    if (!(A[0] > 0) || !scree_local_prepare(&cone, A, &local)) return false;
    for (int k = 0; k < 30; k++) {
        double before[SCREE_CONE_MAX], change = 0, size = 0;
        memcpy(before, p, (size_t)d * sizeof *p);
        scree_local_update(&local, problem->b + (size_t)i * (size_t)d, p);
        for (int r = 0; r < d; r++) {
            change += (p[r] - before[r]) * (p[r] - before[r]);
            size += p[r] * p[r];
        }
        if (!local.is_skew || change <= 16 * DBL_EPSILON * DBL_EPSILON * size) break;
    }
    if (context->report->iterations == 0) context->report->iterations = 1;
    return true;
}

static void take(const scree_solver_context *context, const scree_islands *islands, int k,
                 double *part) {
    size_t bytes = (size_t)context->problem->dimension * sizeof *part;
    for (int i = islands->first[k]; i < islands->first[k + 1]; i++)
        memcpy((char *)part + (size_t)(i - islands->first[k]) * bytes,
               (char *)context->p + (size_t)islands->contact[i] * bytes, bytes);
}

static void give_back(scree_solver_context *context, const scree_islands *islands, int k,
                      const double *part) {
    size_t bytes = (size_t)context->problem->dimension * sizeof *part;
    for (int i = islands->first[k]; i < islands->first[k + 1]; i++)
        memcpy((char *)context->p + (size_t)islands->contact[i] * bytes,
               (const char *)part + (size_t)(i - islands->first[k]) * bytes, bytes);
}

// one island as a task of its own, to its share of the tolerance
static scree_status solve_part(scree_solver_context *context, const scree_islands *islands, int k,
                               scree_report *report, scree_error *err) {
    int count = islands->first[k + 1] - islands->first[k];
    scree_problem problem;
    double *p =
        SCREE_NEW(context->arena, double, ((size_t)count * (size_t)context->problem->dimension));
    if (!p || !scree_islands_extract(context->problem, islands, k, context->arena, &problem))
        return scree_context_no_memory(context, err);
    scree_solver_options options = *context->options;
    options.tolerance *= sqrt((double)count / context->problem->contacts);
    scree_solver_context part = *context;
    part.problem = &problem;
    part.options = &options;
    part.p = p;
    part.report = report;
    take(context, islands, k, p);
    scree_status status = SCREE_OK;
    if (!scree_context_done_already(&part) && !scree_newton_dense_solve(&part))
        status = solve_island(&part, err);
    context->rounding_from = part.rounding_from;
    if (report->reason == SCREE_STOP_INFEASIBLE)  // the proof is zero elsewhere
        memset(context->p, 0, bytes_of(context));
    give_back(context, islands, k, p);
    return status;
}

static scree_status solve_islands(scree_solver_context *context, const scree_islands *islands,
                                  scree_error *err) {
    scree_report *all = context->report;
    scree_stop_reason reason = SCREE_STOP_SOLVED;
    int largest = 0;
    all->solver = "nsgs";
    for (int k = 0; k < islands->count; k++) {
        int count = islands->first[k + 1] - islands->first[k];
        int i = islands->contact[islands->first[k]];
        double *p = context->p + (size_t)i * (size_t)context->problem->dimension;
        if (count == 1 && solve_single(context, i, p)) continue;
        scree_report report = { .converged = true };
        scree_arena_mark mark = scree_arena_mark_of(context->arena);
        scree_status status = solve_part(context, islands, k, &report, err);
        scree_arena_release(context->arena, mark);
        if (status) return status;
        add_effort(all, &report);
        if (report.iterations > all->iterations) all->iterations = report.iterations;
        if (count > largest) {  // the largest island gives the name
            largest = count;
            all->solver = report.solver;
        }
        if (report.reason != SCREE_STOP_SOLVED) reason = report.reason;
        if (reason == SCREE_STOP_INFEASIBLE) break;
    }
    double *s = SCREE_NEW(context->arena, double, bytes_of(context) / sizeof(double));
    if (!s) return scree_context_no_memory(context, err);
    scree_residual residual = { .natural = NAN, .scaled = NAN };
    if (reason != SCREE_STOP_INFEASIBLE) residual = scree_context_judge(context, context->p, s);
    scree_context_finish(context, all->solver, residual,
                         reason == SCREE_STOP_SOLVED ? SCREE_STOP_STALLED : reason);
    return SCREE_OK;
}

// Islands were asked for their share of the tolerance, which one of them may need for itself.
static scree_status try_whole(scree_solver_context *context, scree_error *err) {
    scree_stop_reason reason = context->report->reason;
    if (reason == SCREE_STOP_SOLVED || reason == SCREE_STOP_INFEASIBLE ||
        reason == SCREE_STOP_BROKEN)
        return SCREE_OK;
    island now = { .context = context,
                   .error = DBL_MAX,
                   .least = { .natural = DBL_MAX, .scaled = DBL_MAX } };
    if (!draw(&now)) return scree_context_no_memory(context, err);
    keep_best(&now, context->p, context->report->residual);
    if (!is_refused(&now, reason)) return SCREE_OK;
    scree_status status = run_last_fallbacks(&now, &reason, err);
    if (status) return status;
    memcpy(context->p, now.best, bytes_of(context));
    scree_context_finish(context, context->report->solver, now.least, reason_of(&now, reason));
    return SCREE_OK;
}

static bool solve_only(scree_solver_context *context) {
    double s[SCREE_CONE_MAX];
    if (context->problem->contacts != 1 || !solve_single(context, 0, context->p)) return false;
    scree_context_finish(context, "nsgs", scree_context_judge(context, context->p, s),
                         SCREE_STOP_STALLED);
    return context->report->converged;
}

scree_status scree_auto_solve(scree_solver_context *context, scree_error *err) {
    const scree_problem *problem = context->problem;
    if (scree_context_done_already(context) || solve_only(context) ||
        scree_newton_dense_solve(context))
        return SCREE_OK;
    scree_context_start_clock(context);
    scree_islands islands;
    if (!scree_islands_find(problem, context->arena, &islands))
        return scree_context_no_memory(context, err);
    context->report->islands = islands.count;
    if (islands.count == 1) return solve_island(context, err);
    scree_solver_memory forgotten = { 0 };
    scree_solver_options options = *context->options;
    if (!options.memory) options.memory = &forgotten;
    scree_solver_context whole = *context;
    whole.options = &options;
    scree_status status = solve_islands(&whole, &islands, err);
    if (!status) status = try_whole(&whole, err);
    context->rounding_from = whole.rounding_from;
    return status;
}

// -------------------------------------------------------------------------------------------------
// many bodies: is W worth building?

// Sweeps on bodies gain digits, Newton on W is nearly as dear for a few as for many; its factors
// grow as the root of the number of contacts, in a packing. Contacts of faces want more sweeps than
// those of balls.
bool scree_auto_prefers_bodies(const scree_problem *problem, double tolerance) {
    enum { UPDATE = 60, NEWTON = 600, BALLS = 40, FACES = 70 };  // multiplications; sweeps a digit
    double digits = fmax(-log10(tolerance), 4);  // fewer cost as much: what bears has to be found
    double sweeps = (problem->bodies->radius ? BALLS : FACES) * digits;
    return sweeps * UPDATE <= NEWTON * sqrt(problem->contacts);
}

// By conjugate gradients over sweeps on the bodies; should that fail, and should W not be too
// large, by all that there is for problems with W.
scree_status scree_auto_bodies_solve(scree_solver_context *context, scree_error *err) {
    enum { MANY = 20000 };
    scree_report *report = context->report, before = *report;
    scree_status status = scree_rigid_ncg_solve(context, err);
    if (status || report->converged || report->reason == SCREE_STOP_BROKEN ||
        context->problem->contacts > MANY || context->options->max_sweeps < PATIENT ||
        scree_context_late(context))
        return status;
    scree_problem problem = *context->problem;
    int sweeps = report->iterations;
    status = scree_assemble(&problem, context->arena, err);
    if (status) return status;
    before.seconds = report->seconds;
    *report = before;
    context->problem = &problem;
    context->scales = scree_residual_scale(&problem);
    status = scree_auto_solve(context, err);
    report->iterations += sweeps;
    return status;
}
