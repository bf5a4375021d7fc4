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
// How many steps Newton needs is learned by size of island, and kept if the caller has a memory.
//
// Prices are counted in multiplications, never in measured seconds: the same problem is solved in
// the same way, to the same bits, on every machine and under any load.

#include <float.h>
#include <limits.h>
#include <math.h>
#include <string.h>

#include "solve/auto.h"
#include "solve/enumerate.h"
#include "solve/few.h"
#include "solve/gauss_seidel.h"
#include "solve/infeasibility.h"
#include "solve/islands.h"
#include "solve/kkt.h"
#include "solve/newton.h"
#include "solve/unique.h"

enum {
    FEW = 64,               // contacts that newton_dense.c serves
    LARGE = 2000,           // contacts that the budget is meant for
    PATIENCE = 5,           // times the budget that Newton is given
    FIRST_LOOKS = 4,        // sweeps after each of which the residual is looked at
    ANDERSON_SWEEPS = 200,  // what accelerated sweeps are expected to need
    LOCAL_COST = 150,       // of solving one contact, in multiplications
    TIED_MOST = 400,        // steps that Newton is given in a cold stack
    PIVOTED = 200,          // planar contacts that Lemke's method is given at most
};

static const double worthwhile = 0.5;  // what is left of an error that was worth its effort

typedef struct island {
    scree_solver_context *context;
    scree_gauss_seidel sweep;
    double *best, *s;
    scree_residual least;
    double error;  // of least
    int sweeps;
    scree_newton_kernel kernel;        // analysed when Newton was first thought of
    bool feasibility_known, feasible;  // is the system of kkt.h?
} island;

static double keep_best(island *now, const double *p, scree_residual residual) {
    double error = scree_context_error(now->context, residual);
    if (!(error < now->error)) return error;
    memcpy(now->best, p, scree_context_bytes(now->context));
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

static bool is_analysed(const island *now) { return now->kernel.contacts || now->kernel.bodies; }

static void analyse(island *now) {
    if (!is_analysed(now))
        now->kernel = scree_newton_kernel_choose(now->context, SCREE_AUTO_NEWTON_MOST);
}

// one step of Newton; until a graph has been analysed, what it costs at least
static double newton_step_cost(const island *now) {
    const scree_problem *problem = now->context->problem;
    int d = problem->dimension;
    double blocks = problem->row[problem->contacts], step = 5 * blocks * d * d;
    step += (double)problem->contacts * (LOCAL_COST + 4 * d * d * d);
    return step + (is_analysed(now) ? scree_newton_kernel_cost(now->kernel) : blocks * d * d * d);
}

static double newton_cost(const island *now) {
    const scree_problem *problem = now->context->problem;
    const scree_solver_memory *memory = now->context->options->memory;
    double known = memory ? memory->newton_steps[size_class(problem->contacts)] : 0;
    return (known > 0 ? known : SCREE_AUTO_NEWTON_STEPS + log2(problem->contacts)) *
           newton_step_cost(now);
}

static double anderson_cost(const island *now) {
    return 1.5 * ANDERSON_SWEEPS * sweep_cost(now->context->problem);
}

// Is there a cheaper way from here than so many sweeps?
static bool sweeps_too_expensive(island *now, double left) {
    double price = left * sweep_cost(now->context->problem);
    if (now->sweeps + left > now->context->options->max_sweeps) price = HUGE_VAL;
    if (price > newton_cost(now)) analyse(now);
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
    int last_check = 0, next_check = 1,
        most = context->options->max_sweeps - context->report->iterations;
    while (!scree_context_meets(context, now->least)) {
        if (now->sweeps >= most) return SCREE_STOP_LIMIT;
        scree_gauss_seidel_run(&now->sweep, context->p, true);
        now->sweeps++;
        if (now->sweeps < next_check && now->sweeps < most) continue;
        double error = keep_best(now, context->p, scree_context_judge(context, context->p, now->s));
        if (!isfinite(error)) return SCREE_STOP_BROKEN;
        if (scree_context_meets(context, now->least)) break;
        if (scree_context_late(context)) return SCREE_STOP_TIME;
        double left = sweeps_left(now, error, last_error, now->sweeps - last_check);
        if (now->sweeps > 1 && sweeps_too_expensive(now, left)) return SCREE_STOP_STALLED;
        // the next look is when the rate promises the end, but not after half as many again
        int step = now->sweeps < FIRST_LOOKS ? 1 : now->sweeps / 2;
        if (left < step) step = left < 1 ? 1 : (int)left;
        next_check = now->sweeps + step;
        last_error = error;
        last_check = now->sweeps;
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

// The budget is that of LARGE contacts and more. A factorisation grows faster than contacts do, so
// that of fewer there may be more: the work is the same.
static double budget_of(const scree_solver_context *context) {
    double most = context->options->max_effort, contacts = context->problem->contacts;
    if (!(most > 0) || contacts <= FEW) return HUGE_VAL;
    double more = fmax(1, LARGE / contacts);
    return most * more * sqrt(more);
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
    part.effort = scree_context_effort(context);
    if (part.most_effort < HUGE_VAL)
        part.most_effort = fmin(part.most_effort, part.effort + budget_of(context) / 6);
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
        memcpy(now->best, context->p, scree_context_bytes(context));
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
    memcpy(now->context->p, now->best, scree_context_bytes(now->context));
    int left = now->context->options->max_sweeps - now->context->report->iterations;
    return run_solver(now, engine, left < most ? left : most, err);
}

typedef enum start_point {
    FROM_BEST,
    FROM_NOTHING,
    FROM_LAST
} start_point;  // last: where that one ended

typedef struct fallback {
    scree_solver *engine;
    int most;  // iterations it is given
    bool (*can)(island *now);
    start_point from;
} fallback;

static bool any(island *now) { return now->context->problem->contacts > 0; }

// matrices that fit into memory
static bool can_newton(island *now) {
    analyse(now);
    return is_analysed(now) && newton_step_cost(now) < HUGE_VAL;
}

static bool can_newton_on_contacts(island *now) { return can_newton(now) && !now->kernel.bodies; }

static bool can_factor(island *now) {
    enum { SOME = 5000 };  // contacts that need no look
    if (now->context->problem->contacts <= SOME) return true;
    scree_context_find_motion(now->context);
    if (!now->feasibility_known) now->feasible = scree_kkt_feasible(now->context->problem);
    now->feasibility_known = true;
    return now->feasible;
}

static bool can_both(island *now) { return can_factor(now) && can_newton(now); }

static bool can_enumerate(island *now) { return scree_enumerate_can(now->context->problem); }
static bool can_extend(island *now) { return scree_newton_extended_can(now->context->problem); }

// planar, and a dense matrix of it is small
static bool can_pivot(island *now) {
    const scree_problem *problem = now->context->problem;
    return problem->dimension == 2 && !problem->equality && problem->contacts <= PIVOTED;
}

// planar: the pieces of a path of statuses are straight
static bool can_follow(island *now) {
    return now->context->problem->dimension == 2 && can_newton_on_contacts(now);
}

// What is tried after sweeps and Newton, in this order. Where impulses are not unique and the
// statuses at hand lead nowhere, the interior point has others, from the middle of the cones,
// though its residual is larger: Newton goes on from there.
static const fallback fallbacks[] = {
    { scree_interior_point_solve, 40, can_both, FROM_NOTHING },
    { scree_contact_newton_solve, 500, can_both, FROM_LAST },
    { scree_nsgs_anderson_solve, 2000, any, FROM_BEST },
    { scree_contact_newton_solve, 2000, can_newton, FROM_BEST },
    { scree_enumerate_solve, 1, can_enumerate, FROM_BEST },
    { scree_proximal_newton_solve, 500, can_factor, FROM_BEST },
    { scree_admm_solve, 2000, can_factor, FROM_BEST },
    { scree_nsgs_solve, 1 << 30, any, FROM_BEST },
};

// What is tried before a refusal, limit of iterations or not: a step that is not solved ends a run.
// Those in the middle start from elsewhere and owe nothing to the iterates that led nowhere.
static const fallback last_fallbacks[] = {
    { scree_newton_extended_solve, 120, can_extend, FROM_BEST },
    { scree_lemke_solve, 2000, can_pivot, FROM_BEST },
    { scree_path_solve, 200, can_follow, FROM_NOTHING },
    { scree_interior_point_solve, 25, can_both, FROM_NOTHING },
    { scree_contact_newton_solve, 1000, can_both, FROM_LAST },
    { scree_interior_point_solve, 15, can_both, FROM_NOTHING },
    { scree_contact_newton_solve, 1000, can_both, FROM_LAST },
    { scree_interior_point_solve, 500, can_factor, FROM_NOTHING },
    { scree_contact_newton_solve, 1000, can_both, FROM_LAST },
    { scree_newton_extended_solve, 120, can_extend, FROM_BEST },
    { scree_contact_newton_solve, 1000, can_newton, FROM_BEST },
    { scree_newton_solve, 2000, can_newton_on_contacts, FROM_BEST },
};

static bool can_run(island *now, const fallback *row) {
    return scree_solver_takes(row->engine, now->context->problem) && row->can(now);
}

static scree_status run_fallback(island *now, const fallback *row, int most, scree_error *err) {
    scree_solver_context *context = now->context;
    if (row->from == FROM_BEST) memcpy(context->p, now->best, scree_context_bytes(context));
    if (row->from == FROM_NOTHING) memset(context->p, 0, scree_context_bytes(context));
    return run_solver(now, row->engine, row->most < most ? row->most : most, err);
}

static scree_stop_reason reason_of(const island *now, scree_stop_reason last) {
    if (scree_context_meets(now->context, now->least)) return SCREE_STOP_SOLVED;
    if (last == SCREE_STOP_TIME && !scree_limits_passed(now->context->limits))
        return SCREE_STOP_LIMIT;  // of effort
    return last == SCREE_STOP_SOLVED ? SCREE_STOP_STALLED : last;
}

// From here on effort is an extra: half of it for what is usual, half for last resorts, and of that
// a third for one engine, so that others have their turn.
static void limit_effort(scree_solver_context *context) {
    context->most_effort = scree_context_effort(context) + budget_of(context) / 2;
}

// may a problem that is dear be left as it is?
static bool is_taken(const island *now) {
    const scree_solver_context *context = now->context;
    return context->problem->contacts >= LARGE && now->error <= context->options->worst;
}

static scree_status run_fallbacks(island *now, scree_stop_reason *reason, scree_error *err) {
    scree_solver_context *context = now->context;
    limit_effort(context);
    if (can_factor(now) && scree_infeasibility_find(context, now->s)) {
        memcpy(now->best, now->s, scree_context_bytes(context));
        *reason = SCREE_STOP_INFEASIBLE;
        return SCREE_OK;
    }
    for (size_t k = 0; k < sizeof fallbacks / sizeof *fallbacks; k++) {
        if (scree_context_meets(context, now->least) || is_taken(now)) break;
        if (scree_context_late(context)) {
            *reason = SCREE_STOP_TIME;
            break;
        }
        if (context->report->iterations >= context->options->max_sweeps) {
            *reason = SCREE_STOP_LIMIT;
            break;
        }
        if (!can_run(now, &fallbacks[k])) continue;
        int left = context->options->max_sweeps - context->report->iterations;
        scree_status status = run_fallback(now, &fallbacks[k], left, err);
        if (status) return status;
        *reason = context->report->reason;
        if (*reason == SCREE_STOP_INFEASIBLE) break;
    }
    return SCREE_OK;
}

// a step that is not solved ends a run, unless it may be taken with what there is
static bool is_refused(const island *now, scree_stop_reason reason) {
    const scree_solver_context *context = now->context;
    return !scree_context_meets(context, now->least) && !(now->error <= context->options->worst) &&
           context->options->max_sweeps >= SCREE_AUTO_PATIENT && reason != SCREE_STOP_INFEASIBLE &&
           !scree_context_late(context);
}

// some engines end outside of the cones; who goes on with a refused step wants forces that can be
static void project_to_cones(island *now) {
    scree_solver_context *context = now->context;
    scree_cone_project_all(context->problem, now->best);
    now->least = scree_context_judge(context, now->best, now->s);
    now->error = scree_context_error(context, now->least);
}

// Then, if all that is left is rounding, though that is not above the tolerance by itself, it is
// taken: nothing has come closer.
static scree_status run_last_fallbacks(island *now, scree_stop_reason *reason, scree_error *err) {
    scree_solver_context *context = now->context;
    limit_effort(context);
    for (size_t k = 0; k < sizeof last_fallbacks / sizeof *last_fallbacks; k++) {
        if (!is_refused(now, *reason)) return SCREE_OK;
        if (scree_context_late(context)) break;
        if (!can_run(now, &last_fallbacks[k])) continue;
        scree_status status = run_fallback(now, &last_fallbacks[k], INT_MAX, err);
        if (status) return status;
        *reason = context->report->reason;
    }
    if (is_refused(now, *reason) &&
        scree_context_rounded(context, now->least, context->rounding_from / 16))
        context->rounding_from /= 16;
    if (is_refused(now, *reason)) project_to_cones(now);
    return SCREE_OK;
}

// contact-newton from the best iterate, with so many steps. Several times the budget and no gain
// from that: hopeless. Where a run would take what there is it gets as much: what is nearly solved
// is most often a few hundred steps from the end, and a run with a step above its tolerance is
// warned about.
static scree_status run_newton(island *now, bool bonded, int most, scree_error *err) {
    scree_solver_context *context = now->context;
    const scree_report *report = context->report;
    int end = context->options->max_sweeps;
    scree_status status = SCREE_OK;
    if (most < end - report->iterations) end = report->iterations + most;
    for (double last = HUGE_VAL; now->error < worthwhile * last;) {
        int done = report->iterations;
        int limit = done + (int)fmin(PATIENCE * budget_of(context), end - done);
        last = now->error;
        memcpy(context->p, now->best, scree_context_bytes(context));
        status = scree_contact_newton_continue(context, now->kernel, bonded, limit, err);
        if (status) break;
        keep_best(now, context->p, report->residual);
        if (report->reason != SCREE_STOP_LIMIT || report->iterations >= end) break;
    }
    return status;
}

// many more impulses than motions: faces on each other, whose statuses say more than velocities
static bool is_hyperstatic(const island *now) {
    const scree_problem *problem = now->context->problem;
    return now->kernel.bodies &&
           (double)problem->contacts * problem->dimension >= 2.0 * problem->motion->dofs;
}

// Faces on each other that all but stick: what bears them is far from unique, and the middle of the
// cones is some ten steps away, from nothing and however thin the set of such impulses is. inside:
// that is the best there is, so that impulses say nothing of statuses.
static scree_status run_interior(island *now, bool *inside, scree_error *err) {
    enum { STEPS = 25 };
    const fallback row = { scree_interior_point_solve, STEPS, can_both, FROM_NOTHING };
    double before = now->error;
    scree_status status = can_run(now, &row) ? run_fallback(now, &row, INT_MAX, err) : SCREE_OK;
    *inside = now->error < before;
    return status;
}

// sweeps have become dear: the cheaper of acceleration and Newton, then the other
static scree_status leave_sweeps(island *now, scree_stop_reason *reason, scree_error *err) {
    scree_solver_context *context = now->context;
    scree_status status = SCREE_OK;
    bool newton = is_analysed(now) && newton_cost(now) < HUGE_VAL;  // else it is too large
    if (!newton || newton_cost(now) > anderson_cost(now)) {
        // as many sweeps as Newton would cost
        double worth = newton ? newton_cost(now) / (1.5 * sweep_cost(context->problem)) : HUGE_VAL;
        int most = worth < context->options->max_sweeps ? (int)worth : context->options->max_sweeps;
        status = run_solver_from_best(now, scree_nsgs_anderson_solve, most, err);
    }
    int before = context->report->factorizations;
    bool faces = newton && is_hyperstatic(now), inside = false;
    bool many = context->problem->contacts > FEW;
    if (!status && faces && many && !scree_context_meets(context, now->least))
        status = run_interior(now, &inside, err);
    if (!status && faces && !inside && !scree_context_meets(context, now->least))
        status = run_newton(now, true, TIED_MOST, err);
    if (!status && newton && !scree_context_meets(context, now->least)) {
        status = run_newton(now, false, context->options->max_sweeps, err);
        update_step_estimate(now, context->report->factorizations - before);
    }
    *reason = context->report->reason;
    return status;
}

static bool begin(island *now, scree_solver_context *context) {
    size_t n = scree_context_bytes(context) / sizeof(double);
    *now = (island){ .context = context,
                     .error = DBL_MAX,
                     .least = { .natural = DBL_MAX, .scaled = DBL_MAX },
                     .best = SCREE_NEW(context->arena, double, n),
                     .s = SCREE_NEW(context->arena, double, n) };
    return now->best && now->s;
}

// the better of the guess and nothing
static void choose_guess(island *now) {
    scree_solver_context *context = now->context;
    keep_best(now, now->best, scree_context_residual(context, now->best, context->problem->b));
    if (scree_context_is_zero(context)) return;
    keep_best(now, context->p, scree_context_judge(context, context->p, now->s));
    memcpy(context->p, now->best, scree_context_bytes(context));
}

// what rolls is dear to update, and left alone for a while where that changed less than this
static double mean_b(const scree_problem *problem) {
    double sum = 0;
    for (int k = 0; k < problem->contacts * problem->dimension; k++)
        sum += problem->b[k] * problem->b[k];
    return sqrt(sum / problem->contacts);
}

// A cold stack: Newton with its ties closed, unless sweeps are much cheaper.
static scree_status try_ties(island *now, scree_error *err) {
    scree_solver_context *context = now->context;
    double worth = SCREE_AUTO_TIED_SWEEPS * sweep_cost(context->problem);
    if (!scree_context_is_zero(context) || !scree_newton_tied(context->problem) ||
        SCREE_AUTO_TIED_STEPS * newton_step_cost(now) > worth)
        return SCREE_OK;
    analyse(now);
    if (!is_analysed(now) || SCREE_AUTO_TIED_STEPS * newton_step_cost(now) > worth) return SCREE_OK;
    scree_status status = run_newton(now, true, TIED_MOST, err);
    memcpy(context->p, now->best, scree_context_bytes(context));
    return status;
}

// Joints are equations more than anything else: Newton first, sweeps creep along their chains.
static scree_status try_joints(island *now, scree_error *err) {
    scree_solver_context *context = now->context;
    if (!context->problem->limit || context->options->max_sweeps < TIED_MOST || !can_newton(now))
        return SCREE_OK;
    scree_status status = run_newton(now, false, TIED_MOST, err);
    memcpy(context->p, now->best, scree_context_bytes(context));
    return status;
}

static scree_status solve_island(scree_solver_context *context, scree_error *err) {
    island now;
    scree_status status = SCREE_OK;
    bool solvable;
    scree_stop_reason reason = SCREE_STOP_SOLVED;
    context->report->solver = "none";
    if (!begin(&now, context)) return scree_context_no_memory(context, err);
    choose_guess(&now);
    if (!scree_context_meets(context, now.least) && (status = try_joints(&now, err))) return status;
    if (!scree_context_meets(context, now.least) && (status = try_ties(&now, err))) return status;
    if (!scree_context_meets(context, now.least)) {
        status = scree_gauss_seidel_prepare(context, &now.sweep, &solvable, err);
        if (status) return status;
        context->report->solver = "nsgs";
        if (context->problem->dimension == 5)
            now.sweep.idle_velocity = 0.5 * context->options->tolerance * mean_b(context->problem);
        reason = solvable ? sweep_first(&now) : SCREE_STOP_BROKEN;
        context->report->iterations += now.sweeps;
    }
    if (reason == SCREE_STOP_STALLED && (status = leave_sweeps(&now, &reason, err))) return status;
    if ((reason == SCREE_STOP_STALLED || reason == SCREE_STOP_BROKEN) &&
        (status = run_fallbacks(&now, &reason, err)))
        return status;
    if (is_refused(&now, reason) && (status = run_last_fallbacks(&now, &reason, err)))
        return status;
    memcpy(context->p, now.best, scree_context_bytes(context));
    if (now.error == DBL_MAX) now.least = (scree_residual){ .natural = NAN, .scaled = NAN };
    scree_context_finish(context, context->report->solver, now.least, reason_of(&now, reason));
    return SCREE_OK;
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
    scree_island_origin origin = *context->origin;
    origin.island = k;
    if (!p || !scree_islands_extract(context->problem, islands, k, context->arena, &problem))
        return scree_context_no_memory(context, err);
    scree_solver_options options = *context->options;
    double share = sqrt((double)count / context->problem->contacts);
    options.tolerance *= share;
    options.worst *= share;
    scree_solver_context part = *context;
    part.problem = &problem;
    part.options = &options;
    part.p = p;
    part.report = report;
    part.effort = 0;
    part.pressed = part.tried = part.settled = false;
    part.origin = &origin;
    take(context, islands, k, p);
    scree_status status = SCREE_OK;
    if (!scree_context_done_already(&part) && !scree_newton_dense_solve(&part))
        status = solve_island(&part, err);
    context->rounding_from = part.rounding_from;
    context->settled = context->settled && (part.settled || count > SCREE_UNIQUE_FEW);
    if (report->reason == SCREE_STOP_INFEASIBLE)  // the proof is zero elsewhere
        memset(context->p, 0, scree_context_bytes(context));
    give_back(context, islands, k, p);
    return status;
}

// islands that are more than small may want their share of the motion
static bool find_origin(scree_solver_context *context, scree_island_origin *origin) {
    int largest = 0;
    for (int k = 0; k < origin->islands->count; k++) {
        int count = origin->islands->first[k + 1] - origin->islands->first[k];
        if (count > largest) largest = count;
    }
    bool motion = largest > FEW && scree_context_find_motion(context);
    origin->whole = context->problem;
    context->origin = origin;
    return !motion || scree_islands_prepare_motions(origin, context->arena);
}

static scree_status solve_islands(scree_solver_context *context, const scree_islands *islands,
                                  scree_error *err) {
    scree_report *all = context->report;
    scree_stop_reason reason = SCREE_STOP_SOLVED;
    int largest = 0;
    all->solver = "nsgs";
    context->settled = true;
    scree_island_origin origin = { .islands = islands };
    if (!find_origin(context, &origin)) return scree_context_no_memory(context, err);
    for (int k = 0; k < islands->count; k++) {
        int count = islands->first[k + 1] - islands->first[k];
        int i = islands->contact[islands->first[k]];
        double *p = context->p + (size_t)i * (size_t)context->problem->dimension;
        if (count == 1 && scree_few_single(context, i, p)) continue;
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
    double *s = SCREE_NEW(context->arena, double, scree_context_bytes(context) / sizeof(double));
    if (!s) return scree_context_no_memory(context, err);
    scree_residual residual = { .natural = NAN, .scaled = NAN };
    if (reason != SCREE_STOP_INFEASIBLE) residual = scree_context_judge(context, context->p, s);
    scree_context_finish(context, all->solver, residual,
                         reason == SCREE_STOP_SOLVED ? SCREE_STOP_STALLED : reason);
    context->origin = NULL;
    return SCREE_OK;
}

// Islands were asked for their share of the tolerance, which one of them may need for itself.
static scree_status try_whole(scree_solver_context *context, scree_error *err) {
    scree_stop_reason reason = context->report->reason;
    if (reason == SCREE_STOP_SOLVED || reason == SCREE_STOP_INFEASIBLE ||
        reason == SCREE_STOP_BROKEN)
        return SCREE_OK;
    island now;
    if (!begin(&now, context)) return scree_context_no_memory(context, err);
    keep_best(&now, context->p, context->report->residual);
    if (!is_refused(&now, reason)) return SCREE_OK;
    scree_status status = run_last_fallbacks(&now, &reason, err);
    if (status) return status;
    memcpy(context->p, now.best, scree_context_bytes(context));
    scree_context_finish(context, context->report->solver, now.least, reason_of(&now, reason));
    return SCREE_OK;
}

scree_status scree_auto_solve(scree_solver_context *context, scree_error *err) {
    const scree_problem *problem = context->problem;
    if (!context->tried && ((!context->pressed && scree_context_done_already(context)) ||
                            scree_few_only(context) || scree_newton_dense_solve(context)))
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
    context->settled = whole.settled && context->report->reason == SCREE_STOP_SOLVED;
    if (!status) status = try_whole(&whole, err);
    context->rounding_from = whole.rounding_from;
    return status;
}
