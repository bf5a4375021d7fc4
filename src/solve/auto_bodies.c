// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// auto_bodies.c - the driver for many bodies without W: sweeps on them, and when W is worth
// building.
// in: task by bodies with a guess.   out: best p, report.   work: what the engines need.

#include <limits.h>
#include <math.h>
#include <string.h>

#include "law/assemble.h"
#include "solve/auto.h"
#include "solve/canonical.h"
#include "solve/newton.h"
#include "solve/resting.h"

typedef struct meeting {
    int pairs, inner;  // of bodies that meet; of two that move
} meeting;

static meeting meeting_of(const scree_problem *problem) {
    meeting found = { 0, 0 };
    for (int i = 0; i < problem->contacts; i++) {
        const int *pair = problem->bodies->body + 2 * (size_t)i;
        if (i > 0 && pair[0] == pair[-2] && pair[1] == pair[-1]) continue;
        found.pairs++;
        found.inner += pair[0] != SCREE_FIXED && pair[1] != SCREE_FIXED;
    }
    return found;
}

// Discs and polygons in a heap: their pairs close loops, so that factors fill up, and meet in one
// point mostly, not with faces, whose statuses Newton finds at once, as those of walls and bridges.
static bool is_planar_packing(const scree_problem *problem) {
    enum { SOME = 200, LOOPS = 5 };  // contacts; a fifth of the bodies
    const double faces = 1.5;        // contacts a pair
    const scree_bodies *bodies = problem->bodies;
    if (bodies->width != 3 || problem->contacts <= SOME) return false;
    meeting found = meeting_of(problem);
    return problem->contacts < faces * found.pairs &&
           found.inner - bodies->rigid > bodies->rigid / LOOPS;
}

// Bodies in space that lie on each other with their faces, as those of walls do, not edge on face
// as in a heap: what sweeps have not done at once is some ten steps of Newton.
static bool is_masonry(const scree_problem *problem) {
    enum { FACES = 3 };  // contacts a pair
    return problem->bodies->width == 6 && !problem->bodies->radius &&
           problem->contacts >= FACES * meeting_of(problem).pairs;
}

// Boxes, rocks, bricks that fell: edges and corners on faces, so that Newton has to find what bears
// and takes a hundred steps and more, but ten from where sweeps end.
static bool is_space_heap(const scree_problem *problem) {
    enum { SOME = 500 };  // contacts
    return problem->contacts > SOME && problem->bodies->width == 6 && !problem->bodies->radius &&
           !is_masonry(problem);
}

static bool is_heap(const scree_problem *problem) {
    return is_planar_packing(problem) || is_space_heap(problem);
}

// multiplications for a contact that is swept on its bodies
static double update_cost(const scree_problem *problem) {
    enum { UPDATE = 60, ROLLING = 110 };
    return problem->dimension == 5 ? ROLLING : UPDATE;
}

// Sweeps on bodies gain digits, Newton on W is nearly as dear for a few as for many; its factors
// grow as the root of the number of contacts, in a packing. Contacts of faces want more sweeps than
// those of balls, and rolling has blocks of 5 x 5. From nothing Newton has to find what bears, in
// space with dense factors: there conjugate gradients over sweeps come first, from a few contacts
// on. In a heap they take it to where Newton needs half as many steps or less, if not all of six
// digits.
bool scree_auto_prefers_bodies(const scree_problem *problem, double tolerance, bool cold) {
    enum { NEWTON = 600, BALLS = 40, FACES = 70 };  // multiplications; sweeps a digit
    enum { FEW = 64 };                              // contacts
    if (cold && problem->bodies->width == 6) return problem->contacts > FEW;
    if (tolerance >= 1e-6 && is_heap(problem)) return true;
    double digits = fmax(-log10(tolerance), 4);  // fewer cost as much: what bears has to be found
    double sweeps = (problem->bodies->radius ? BALLS : FACES) * digits;
    double wider = problem->dimension / 3.0, newton = NEWTON * fmax(wider * wider * wider, 1);
    return sweeps * update_cost(problem) <= newton * sqrt(problem->contacts);
}

enum {
    CHEAP = 40,    // blocks of U a contact that are looked at beside sweeps,
    DEAR = 400,    // and when these have failed
    LARGE = 2000,  // contacts of balls whose factors are not looked at beside sweeps
    PACKED = 60,   // steps of Newton in a heap, at least
};

static size_t numbers_of(const scree_solver_context *context) {
    return (size_t)context->problem->contacts * (size_t)context->problem->dimension;
}

// multiplications of a sweep on the bodies
static double bodies_sweep_cost(const scree_problem *problem) {
    return update_cost(problem) * problem->contacts;
}

// Newton on the bodies, if its factors fit into memory: what so many steps cost, with W for the
// products in contact space; more than so many blocks of U a contact are not worth the analysis
static double bodies_newton_cost(scree_solver_context *context, double steps, double fill) {
    const scree_problem *problem = context->problem;
    double most = fmin(SCREE_AUTO_NEWTON_MOST, fill * problem->contacts);
    scree_arena_mark mark = scree_arena_mark_of(context->arena);
    double cost = HUGE_VAL;
    if (scree_context_find_motion(context)) {
        scree_body_lu *lu = scree_body_lu_new(context->problem, most, context->arena);
        if (lu) cost = steps * (scree_body_lu_factor_cost(lu) + 2 * scree_body_lu_solve_cost(lu));
    }
    context->problem = problem;
    scree_arena_release(context->arena, mark);
    return cost;
}

// by all that there is for problems with W, adding to the report what was done before
static scree_status solve_assembled(scree_solver_context *context, scree_error *err) {
    scree_report *report = context->report, before = *report;
    const scree_problem *given = context->problem;
    scree_problem problem = *given;
    scree_status status = problem.block ? SCREE_OK : scree_assemble(&problem, context->arena, err);
    if (status) return status;
    *report = (scree_report){
        .solver = before.solver, .converged = true, .islands = 1, .seconds = before.seconds
    };
    context->problem = &problem;
    context->scales = scree_residual_scale(&problem);
    status = scree_canonical_needed(&problem)
                 ? scree_solve_canonical(scree_auto_solve, context, err)
                 : scree_auto_solve(context, err);
    report->iterations += before.iterations;
    context->problem = given;
    return status;
}

typedef struct sweeping {
    int most;         // sweeps
    double patience;  // as long as so many halve the residual; 0: as long as there is a gain
    bool plain;       // not conjugate gradients over them
} sweeping;

static scree_status sweep(scree_solver_context *context, sweeping how, scree_error *err) {
    return how.plain ? scree_rigid_nsgs_solve(context, err)
                     : scree_rigid_ncg_try(context, how.patience, err);
}

// more sweeps on the bodies; true: there is nothing left to do
static bool sweep_bodies(scree_solver_context *context, sweeping how, scree_status *status,
                         scree_error *err) {
    scree_report *report = context->report, before = *report;
    scree_solver_options options = *context->options;
    int left = options.max_sweeps - before.iterations;
    options.max_sweeps = how.most < left ? how.most : left;
    scree_solver_context part = *context;
    part.options = &options;
    report->iterations = 0;
    scree_arena_mark mark = scree_arena_mark_of(context->arena);
    *status = options.max_sweeps > 0 ? sweep(&part, how, err) : SCREE_OK;
    scree_arena_release(context->arena, mark);
    context->scales = part.scales;
    report->iterations += before.iterations;
    return *status || report->converged || report->reason == SCREE_STOP_BROKEN ||
           scree_context_late(context);
}

// All that there is with W, which for masonry is some ten steps of Newton, unless it is hit or
// slides everywhere. What is not solved then is swept on from where sweeps had come, not from where
// Newton lost its way; what comes closer is kept.
static scree_status solve_assembled_first(scree_solver_context *context, scree_error *err) {
    const sweeping patiently = { .most = INT_MAX };
    scree_report *report = context->report;
    size_t bytes = numbers_of(context) * sizeof *context->p;
    double *swept = SCREE_NEW(context->arena, double, 2 * numbers_of(context));
    if (!swept) return scree_context_no_memory(context, err);
    double *found = swept + numbers_of(context);
    memcpy(swept, context->p, bytes);
    double most_effort = context->most_effort;
    scree_status status = solve_assembled(context, err);
    context->most_effort = most_effort;
    bool open = report->reason == SCREE_STOP_STALLED || report->reason == SCREE_STOP_LIMIT;
    if (status || report->converged || !open || scree_context_late(context)) return status;
    scree_report before = *report;
    memcpy(found, context->p, bytes);
    memcpy(context->p, swept, bytes);
    sweep_bodies(context, patiently, &status, err);
    if (status || report->converged ||
        scree_context_error(context, report->residual) <
            scree_context_error(context, before.residual))
        return status;
    memcpy(context->p, found, bytes);
    scree_context_finish(context, before.solver, before.residual, before.reason);
    return SCREE_OK;
}

// Is it a stack whose guess is worth nothing, and are some steps of Newton cheaper than the sweeps
// that it would take?
static bool is_cold_stack(scree_solver_context *context) {
    const scree_problem *problem = context->problem;
    if (!scree_newton_tied(problem)) return false;
    if (!scree_context_is_zero(context)) {
        scree_arena_mark mark = scree_arena_mark_of(context->arena);
        double *s = SCREE_NEW(context->arena, double, numbers_of(context));
        bool worse = s && scree_problem_residual(problem, context->p, s).scaled > 1;
        scree_arena_release(context->arena, mark);
        if (!worse) return false;
    }
    return bodies_newton_cost(context, SCREE_AUTO_TIED_STEPS, CHEAP) <=
           SCREE_AUTO_TIED_SWEEPS * bodies_sweep_cost(problem);
}

// Is there nothing better to be had for a fair price than what a run takes in the end?
static bool would_do(const scree_solver_context *context) {
    return scree_residual_meets(context->report->residual, context->options->worst);
}

// Cold stacks by Newton at once. Many balls by sweeps on the bodies, their factors being dense:
// where conjugate gradients hover, plain ones get on.
// Others by such sweeps until these have cost as much as Newton would, and then by all that there
// is with W, masonry the other way round; where Newton's factors do not fit there are sweeps alone.
static scree_status solve_whole(scree_solver_context *context, scree_error *err) {
    enum { FIRST = 300 };  // sweeps before Newton is thought of: as dear as its symbolic analysis
    enum { FAIR = 3000 };  // sweeps that masonry would take at least
    const scree_problem *problem = context->problem;
    scree_status status = SCREE_OK;
    double newton,
        steps = is_heap(problem) ? PACKED : SCREE_AUTO_NEWTON_STEPS + log2(problem->contacts);
    bool patient = context->options->max_sweeps >= SCREE_AUTO_PATIENT;
    bool all = !patient || (problem->bodies->radius && problem->contacts > LARGE);
    if (patient && is_cold_stack(context)) {
        memset(context->p, 0, numbers_of(context) * sizeof *context->p);
        return solve_assembled_first(context, err);
    }
    sweeping how = { .most = all ? INT_MAX : FIRST };
    if (sweep_bodies(context, how, &status, err) || !patient) return status;
    if (all) {
        how.plain = true;
        if (would_do(context) || sweep_bodies(context, how, &status, err)) return status;
        newton = bodies_newton_cost(context, steps, DEAR);
    } else {
        newton = bodies_newton_cost(context, steps, CHEAP);
        double worth = newton / bodies_sweep_cost(problem) - FIRST;
        if (worth < 1 || (worth < FAIR && is_masonry(problem)))
            return solve_assembled_first(context, err);
        how = (sweeping){ .most = INT_MAX, .patience = worth };
        if (sweep_bodies(context, how, &status, err)) return status;
    }
    return newton < HUGE_VAL ? solve_assembled(context, err) : SCREE_OK;
}

// the islands that do not rest, to what the others leave of the tolerance
static scree_status solve_busy(scree_solver_context *context, scree_resting *rest,
                               scree_error *err) {
    scree_solver_options options = *context->options;
    options.tolerance *= sqrt(1 - SCREE_RESTING_SHARE * SCREE_RESTING_SHARE);
    scree_solver_context part = *context;
    part.options = &options;
    part.halfway = NULL;
    part.problem = &rest->problem;
    part.p = rest->p;
    bool sweeps = scree_auto_prefers_bodies(&rest->problem, options.tolerance, false);
    scree_status status = sweeps ? solve_whole(&part, err) : solve_assembled(&part, err);
    if (!status) scree_resting_return(rest, context->p);
    return status;
}

// What rests is left as it is, the others are solved, and the judge sees the whole; left: that is
// not the end.
static scree_status solve_beside(scree_solver_context *context, scree_resting *rest, bool *left,
                                 scree_error *err) {
    scree_report *report = context->report;
    if (rest->count) {
        double *s = SCREE_NEW(context->arena, double, numbers_of(context));
        if (!s) return scree_context_no_memory(context, err);
        scree_status status = solve_busy(context, rest, err);
        if (status || report->reason == SCREE_STOP_BROKEN) return status;
        rest->residual = scree_problem_residual(context->problem, context->p, s);
    } else {
        report->solver = "none";
        report->reason = SCREE_STOP_SOLVED;
    }
    scree_context_finish(context, report->solver, rest->residual, report->reason);
    report->islands = rest->islands;
    *left = !report->converged && report->reason == SCREE_STOP_SOLVED;
    return SCREE_OK;
}

scree_status scree_auto_bodies_solve(scree_solver_context *context, scree_error *err) {
    scree_resting rest;
    scree_arena_mark mark = scree_arena_mark_of(context->arena);
    scree_status status = SCREE_OK;
    bool found = scree_resting_find(context, &rest), left = !found;
    if (found) status = solve_beside(context, &rest, &left, err);
    scree_arena_release(context->arena, mark);
    return !status && left ? solve_whole(context, err) : status;
}
