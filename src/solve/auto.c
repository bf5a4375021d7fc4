// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// auto.c - the driver: which solver, for which part of the problem, and when to change it.
// in: task with a guess.   out: best p, report.   work: islands, sweeps, what the engines need.
//
// A few contacts are tried as tiny.c does it. The rest is cut into islands, which are solved one by
// one, each to its share of the tolerance: again as tiny.c does it, then by sweeps. Each look at
// the residual gives a rate, the rate says how many sweeps are left, and these are weighed against
// Newton on the graph of contacts, whose price is known from the symbolic analysis. What misses the
// tolerance is handed on, with its best iterate, to the next engine of a list, and before a refusal
// to those of a second one, whatever the limit of iterations.
//
// How many steps Newton needs is learned from island to island, by their size, and from problem to
// problem if the caller keeps the memory.
//
// Prices are counted in multiplications, never in measured seconds: the same problem is solved in
// the same way, to the same bits, on every machine and under any load.

#include <float.h>
#include <math.h>
#include <string.h>

#include "solve/contact_newton.h"
#include "solve/enumerate.h"
#include "solve/infeasible.h"
#include "solve/islands.h"
#include "solve/polish.h"
#include "solve/tiny.h"

enum {
    FIRST_LOOKS = 4,           // sweeps after each of which the residual is looked at
    ANDERSON_SWEEPS = 200,     // what accelerated sweeps are expected to need
    NEWTON_STEPS = 3,          // what Newton is expected to need, one more for each doubling
    LOCAL_PRICE = 150,         // of solving one contact, in multiplications
    SWEEPS_ONLY_FROM = 60000,  // contacts beyond which no matrix is analysed
    PIVOTED = 200,             // planar contacts that Lemke's method is given at most
    PATIENT = 1000             // a limit of iterations from which on the last resorts are tried
};
static const double newton_most = 3e7;  // blocks of U that fit into memory

typedef struct island {
    scree_task *task;
    scree_sweep sweep;
    double *best, *s;
    scree_residual least;
    double error;  // of least
    int sweeps;
    scree_block_lu *lu;  // analysed when Newton was first thought of
} island;

static size_t bytes_of(const scree_task *task) {
    return (size_t)task->problem->contacts * (size_t)task->problem->dimension * sizeof(double);
}

static double consider(island *now, const double *p, scree_residual residual) {
    double error = scree_task_error(now->task, residual);
    if (!(error < now->error)) return error;
    memcpy(now->best, p, bytes_of(now->task));
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
static void learn(const island *now, int steps) {
    scree_solver_memory *memory = now->task->options->memory;
    if (!memory) return;
    double *known = &memory->newton_steps[size_class(now->task->problem->contacts)];
    *known = *known > 0 ? (*known + steps) / 2 : steps;
}

static double sweep_price(const scree_problem *problem) {
    int d = problem->dimension;
    return (double)problem->row[problem->contacts] * d * d +
           (double)problem->contacts * LOCAL_PRICE;
}

// Newton's steps; until the graph has been analysed, what they cost at least
static double newton_price(const island *now) {
    const scree_problem *problem = now->task->problem;
    int d = problem->dimension;
    if (problem->contacts >= SWEEPS_ONLY_FROM) return HUGE_VAL;
    double blocks = problem->row[problem->contacts], step = 5 * blocks * d * d;
    step += (double)problem->contacts * (LOCAL_PRICE + 4 * d * d * d);
    step += now->lu ? scree_block_lu_factor_cost(now->lu) + scree_block_lu_solve_cost(now->lu)
                    : blocks * d * d * d;
    const scree_solver_memory *memory = now->task->options->memory;
    double known = memory ? memory->newton_steps[size_class(problem->contacts)] : 0;
    return (known > 0 ? known : NEWTON_STEPS + log2(problem->contacts)) * step;
}

static double anderson_price(const island *now) {
    return 1.5 * ANDERSON_SWEEPS * sweep_price(now->task->problem);
}

// Is there a cheaper way from here than so many sweeps?
static bool sweeps_are_dear(island *now, double left) {
    double price = left * sweep_price(now->task->problem);
    if (now->sweeps + left > now->task->options->max_sweeps) price = HUGE_VAL;
    if (price > newton_price(now) && !now->lu)
        now->lu = scree_block_lu_new(now->task->problem, newton_most, now->task->arena);
    return price > fmin(newton_price(now), anderson_price(now));
}

// sweeps left to the tolerance, by the rate between two looks
static double sweeps_left(const island *now, double error, double last_error, int between) {
    double rate = pow(error / last_error, 1.0 / between);
    return rate < 1 ? log(now->task->options->tolerance / error) / log(rate) : HUGE_VAL;
}

// sweep until solved, or until something else is better, which counts as stalled
static scree_stop_reason sweep_first(island *now) {
    scree_task *task = now->task;
    double last_error = now->error;
    int last_look = 0, next_look = 1, most = task->options->max_sweeps - task->report->iterations;
    while (!scree_task_meets(task, now->least)) {
        if (now->sweeps >= most) return SCREE_STOP_LIMIT;
        scree_sweep_run(&now->sweep, task->p, true);
        now->sweeps++;
        if (now->sweeps < next_look && now->sweeps < most) continue;
        double error = consider(now, task->p, scree_task_judge(task, task->p, now->s));
        if (!isfinite(error)) return SCREE_STOP_BROKEN;
        if (scree_task_meets(task, now->least)) break;
        if (scree_task_late(task)) return SCREE_STOP_TIME;
        double left = sweeps_left(now, error, last_error, now->sweeps - last_look);
        if (now->sweeps > 1 && sweeps_are_dear(now, left)) return SCREE_STOP_STALLED;
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
static scree_status give_to(island *now, scree_solver *engine, int iterations, scree_error *err) {
    scree_task *task = now->task;
    scree_report report = { .solver = task->report->solver };
    scree_solver_options options = *task->options;
    options.max_sweeps = iterations;
    scree_task part = *task;
    part.options = &options;
    part.report = &report;
    scree_arena_mark mark = scree_arena_mark_of(task->arena);
    scree_status status = engine(&part, err);
    scree_arena_release(task->arena, mark);
    if (status) return status;
    add_effort(task->report, &report);
    task->report->iterations +=
        report.iterations < options.max_sweeps ? report.iterations : options.max_sweeps;
    task->report->reason = report.reason;
    if (report.reason == SCREE_STOP_INFEASIBLE) {
        memcpy(now->best, task->p, bytes_of(task));
        return SCREE_OK;
    }
    double last = now->error;
    consider(now, task->p, report.residual);
    if (now->error < last) task->report->solver = report.solver;
    return SCREE_OK;
}

// the same from the best iterate so far, with what is left of the iterations
static scree_status hand_over(island *now, scree_solver *engine, int most, scree_error *err) {
    memcpy(now->task->p, now->best, bytes_of(now->task));
    int left = now->task->options->max_sweeps - now->task->report->iterations;
    return give_to(now, engine, left < most ? left : most, err);
}

typedef struct resort {
    scree_solver *engine;
    int most;  // iterations it is given
    bool (*can)(const scree_problem *problem);
    bool afresh;  // not from the best iterate
} resort;

static bool any(const scree_problem *problem) { return problem->contacts > 0; }
static bool not_too_many(const scree_problem *problem) {
    return problem->contacts < SWEEPS_ONLY_FROM;
}

// planar, and a dense matrix of it is small
static bool can_pivot(const scree_problem *problem) {
    return problem->dimension == 2 && !problem->equality && problem->contacts <= PIVOTED;
}

// what is tried after sweeps and Newton, in this order
static const resort resorts[] = {
    { scree_nsgs_anderson_solve, 2000, any, false },
    { scree_contact_newton_solve, 2000, not_too_many, false },
    { scree_enumerate_solve, 1, scree_enumerate_can, false },
    { scree_proximal_newton_solve, 500, not_too_many, false },
    { scree_admm_solve, 2000, not_too_many, false },
    { scree_nsgs_solve, 1 << 30, any, false },
};

// What is tried before a refusal, limit of iterations or not: a step that is not solved ends a run.
// Those in the middle start from elsewhere and owe nothing to the iterates that led nowhere.
static const resort last_resorts[] = {
    { scree_polish_solve, 120, scree_polish_can, false },
    { scree_lemke_solve, 2000, can_pivot, false },
    { scree_interior_point_solve, 500, not_too_many, true },
    { scree_polish_solve, 120, scree_polish_can, false },
    { scree_contact_newton_solve, 1000, not_too_many, false },
    { scree_alart_curnier_solve, 2000, not_too_many, false },
};

static scree_stop_reason reason_of(const island *now, scree_stop_reason last) {
    if (scree_task_meets(now->task, now->least)) return SCREE_STOP_SOLVED;
    return last == SCREE_STOP_SOLVED ? SCREE_STOP_STALLED : last;
}

static scree_status rescue(island *now, scree_stop_reason *reason, scree_error *err) {
    scree_task *task = now->task;
    if (not_too_many(task->problem) && scree_infeasible(task, now->s)) {
        memcpy(now->best, now->s, bytes_of(task));
        *reason = SCREE_STOP_INFEASIBLE;
        return SCREE_OK;
    }
    for (size_t k = 0; k < sizeof resorts / sizeof *resorts; k++) {
        if (scree_task_meets(task, now->least)) break;
        if (scree_task_late(task)) {
            *reason = SCREE_STOP_TIME;
            break;
        }
        if (task->report->iterations >= task->options->max_sweeps) {
            *reason = SCREE_STOP_LIMIT;
            break;
        }
        if (!resorts[k].can(task->problem)) continue;
        scree_status status = hand_over(now, resorts[k].engine, resorts[k].most, err);
        if (status) return status;
        *reason = task->report->reason;
        if (*reason == SCREE_STOP_INFEASIBLE) break;
    }
    return SCREE_OK;
}

static bool is_refused(const island *now, scree_stop_reason reason) {
    const scree_task *task = now->task;
    return !scree_task_meets(task, now->least) && task->options->max_sweeps >= PATIENT &&
           reason != SCREE_STOP_INFEASIBLE && !scree_task_late(task);
}

// some engines end outside of the cones; who goes on with a refused step wants forces that can be
static void pull_back(island *now) {
    scree_task *task = now->task;
    int d = task->problem->dimension;
    for (int i = 0; i < task->problem->contacts; i++) {
        scree_cone cone = scree_cone_of(task->problem, i);
        scree_cone_project(&cone, now->best + (size_t)i * (size_t)d);
    }
    now->least = scree_task_judge(task, now->best, now->s);
    now->error = scree_task_error(task, now->least);
}

// Then, if all that is left is rounding, though that is not above the tolerance by itself, it is
// taken: nothing has come closer.
static scree_status try_last(island *now, scree_stop_reason *reason, scree_error *err) {
    scree_task *task = now->task;
    for (size_t k = 0; k < sizeof last_resorts / sizeof *last_resorts; k++) {
        if (!is_refused(now, *reason)) return SCREE_OK;
        if (!last_resorts[k].can(task->problem)) continue;
        memcpy(task->p, now->best, bytes_of(task));
        if (last_resorts[k].afresh) memset(task->p, 0, bytes_of(task));
        scree_status status = give_to(now, last_resorts[k].engine, last_resorts[k].most, err);
        if (status) return status;
        *reason = task->report->reason;
    }
    if (is_refused(now, *reason) && scree_task_rounded(task, now->least, task->rounding_from / 16))
        task->rounding_from /= 16;
    if (is_refused(now, *reason)) pull_back(now);
    return SCREE_OK;
}

// sweeps have become dear: the cheaper of acceleration and Newton, then the other
static scree_status leave_sweeps(island *now, scree_stop_reason *reason, scree_error *err) {
    scree_task *task = now->task;
    scree_status status = SCREE_OK;
    bool newton = now->lu && newton_price(now) < HUGE_VAL;  // else it does not fit into memory
    if (!newton || newton_price(now) > anderson_price(now)) {
        // as many sweeps as Newton would cost
        double worth = newton ? newton_price(now) / (1.5 * sweep_price(task->problem)) : HUGE_VAL;
        int most = worth < task->options->max_sweeps ? (int)worth : task->options->max_sweeps;
        status = hand_over(now, scree_nsgs_anderson_solve, most, err);
    }
    if (!status && newton && !scree_task_meets(task, now->least)) {
        int before = task->report->factorizations;
        memcpy(task->p, now->best, bytes_of(task));
        status = scree_contact_newton_continue(task, &now->sweep, now->lu,
                                               task->options->max_sweeps, err);
        if (status) return status;
        consider(now, task->p, task->report->residual);
        learn(now, task->report->factorizations - before);
    }
    *reason = task->report->reason;
    return status;
}

static bool draw(island *now) {
    size_t n = bytes_of(now->task) / sizeof(double);
    now->best = SCREE_NEW(now->task->arena, double, n);
    now->s = SCREE_NEW(now->task->arena, double, n);
    return now->best && now->s;
}

// the better of the guess and nothing
static void choose_guess(island *now) {
    scree_task *task = now->task;
    consider(now, now->best, scree_task_residual(task, now->best, task->problem->b));
    if (scree_task_is_zero(task)) return;
    consider(now, task->p, scree_task_judge(task, task->p, now->s));
    memcpy(task->p, now->best, bytes_of(task));
}

static scree_status solve_island(scree_task *task, scree_error *err) {
    island now = { .task = task,
                   .error = DBL_MAX,
                   .least = { .field = DBL_MAX, .scaled = DBL_MAX } };
    scree_status status = SCREE_OK;
    bool solvable;
    scree_stop_reason reason = SCREE_STOP_SOLVED;
    task->report->solver = "none";
    if (!draw(&now)) return scree_task_no_memory(task, err);
    choose_guess(&now);
    if (!scree_task_meets(task, now.least)) {
        status = scree_sweep_prepare(task, &now.sweep, &solvable, err);
        if (status) return status;
        task->report->solver = "nsgs";
        reason = solvable ? sweep_first(&now) : SCREE_STOP_BROKEN;
        task->report->iterations += now.sweeps;
    }
    if (reason == SCREE_STOP_STALLED && (status = leave_sweeps(&now, &reason, err))) return status;
    if ((reason == SCREE_STOP_STALLED || reason == SCREE_STOP_BROKEN) &&
        (status = rescue(&now, &reason, err)))
        return status;
    if (is_refused(&now, reason) && (status = try_last(&now, &reason, err))) return status;
    memcpy(task->p, now.best, bytes_of(task));
    if (now.error == DBL_MAX) now.least = (scree_residual){ .field = NAN, .scaled = NAN };
    scree_task_finish(task, task->report->solver, now.least, reason_of(&now, reason));
    return SCREE_OK;
}

// A contact that touches no other is solved where it stands; one update, a few if W_ii is
// unsymmetric. False if it is not that simple: nothing moves it, or it cannot be solved alone.
static bool solve_single(scree_task *task, int i, double *p) {
    const scree_problem *problem = task->problem;
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
    if (task->report->iterations == 0) task->report->iterations = 1;
    return true;
}

static void take(const scree_task *task, const scree_islands *islands, int k, double *part) {
    size_t bytes = (size_t)task->problem->dimension * sizeof *part;
    for (int i = islands->first[k]; i < islands->first[k + 1]; i++)
        memcpy((char *)part + (size_t)(i - islands->first[k]) * bytes,
               (char *)task->p + (size_t)islands->contact[i] * bytes, bytes);
}

static void give_back(scree_task *task, const scree_islands *islands, int k, const double *part) {
    size_t bytes = (size_t)task->problem->dimension * sizeof *part;
    for (int i = islands->first[k]; i < islands->first[k + 1]; i++)
        memcpy((char *)task->p + (size_t)islands->contact[i] * bytes,
               (const char *)part + (size_t)(i - islands->first[k]) * bytes, bytes);
}

// one island as a task of its own, to its share of the tolerance
static scree_status solve_part(scree_task *task, const scree_islands *islands, int k,
                               scree_report *report, scree_error *err) {
    int count = islands->first[k + 1] - islands->first[k];
    scree_problem problem;
    double *p = SCREE_NEW(task->arena, double, (size_t)count *(size_t)task->problem->dimension);
    if (!p || !scree_islands_extract(task->problem, islands, k, task->arena, &problem))
        return scree_task_no_memory(task, err);
    scree_solver_options options = *task->options;
    options.tolerance *= sqrt((double)count / task->problem->contacts);
    scree_task part = *task;
    part.problem = &problem;
    part.options = &options;
    part.p = p;
    part.report = report;
    take(task, islands, k, p);
    scree_status status = SCREE_OK;
    if (!scree_task_done_already(&part) && !scree_tiny_solve(&part))
        status = solve_island(&part, err);
    task->rounding_from = part.rounding_from;
    if (report->reason == SCREE_STOP_INFEASIBLE)  // the proof is zero elsewhere
        memset(task->p, 0, bytes_of(task));
    give_back(task, islands, k, p);
    return status;
}

static scree_status solve_islands(scree_task *task, const scree_islands *islands,
                                  scree_error *err) {
    scree_report *all = task->report;
    scree_stop_reason reason = SCREE_STOP_SOLVED;
    int largest = 0;
    all->solver = "nsgs";
    for (int k = 0; k < islands->count; k++) {
        int count = islands->first[k + 1] - islands->first[k];
        int i = islands->contact[islands->first[k]];
        double *p = task->p + (size_t)i * (size_t)task->problem->dimension;
        if (count == 1 && solve_single(task, i, p)) continue;
        scree_report report = { .converged = true };
        scree_arena_mark mark = scree_arena_mark_of(task->arena);
        scree_status status = solve_part(task, islands, k, &report, err);
        scree_arena_release(task->arena, mark);
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
    double *s = SCREE_NEW(task->arena, double, bytes_of(task) / sizeof(double));
    if (!s) return scree_task_no_memory(task, err);
    scree_residual residual = { .field = NAN, .scaled = NAN };
    if (reason != SCREE_STOP_INFEASIBLE) residual = scree_task_judge(task, task->p, s);
    scree_task_finish(task, all->solver, residual,
                      reason == SCREE_STOP_SOLVED ? SCREE_STOP_STALLED : reason);
    return SCREE_OK;
}

// Islands were asked for their share of the tolerance, which one of them may need for itself.
static scree_status try_whole(scree_task *task, scree_error *err) {
    scree_stop_reason reason = task->report->reason;
    if (reason == SCREE_STOP_SOLVED || reason == SCREE_STOP_INFEASIBLE ||
        reason == SCREE_STOP_BROKEN)
        return SCREE_OK;
    island now = { .task = task,
                   .error = DBL_MAX,
                   .least = { .field = DBL_MAX, .scaled = DBL_MAX } };
    if (!draw(&now)) return scree_task_no_memory(task, err);
    consider(&now, task->p, task->report->residual);
    if (!is_refused(&now, reason)) return SCREE_OK;
    scree_status status = try_last(&now, &reason, err);
    if (status) return status;
    memcpy(task->p, now.best, bytes_of(task));
    scree_task_finish(task, task->report->solver, now.least, reason_of(&now, reason));
    return SCREE_OK;
}

static bool solve_only(scree_task *task) {
    double s[SCREE_CONE_MAX];
    if (task->problem->contacts != 1 || !solve_single(task, 0, task->p)) return false;
    scree_task_finish(task, "nsgs", scree_task_judge(task, task->p, s), SCREE_STOP_STALLED);
    return task->report->converged;
}

scree_status scree_auto_solve(scree_task *task, scree_error *err) {
    const scree_problem *problem = task->problem;
    if (scree_task_done_already(task) || solve_only(task) || scree_tiny_solve(task))
        return SCREE_OK;
    scree_task_start_clock(task);
    scree_islands islands;
    if (!scree_islands_find(problem, task->arena, &islands)) return scree_task_no_memory(task, err);
    task->report->islands = islands.count;
    if (islands.count == 1) return solve_island(task, err);
    scree_solver_memory forgotten = { 0 };
    scree_solver_options options = *task->options;
    if (!options.memory) options.memory = &forgotten;
    scree_task whole = *task;
    whole.options = &options;
    scree_status status = solve_islands(&whole, &islands, err);
    if (!status) status = try_whole(&whole, err);
    task->rounding_from = whole.rounding_from;
    return status;
}
