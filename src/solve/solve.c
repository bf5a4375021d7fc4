// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// solve.c - the menu of solvers, and the way in and out that all of them share.

#include "scree/solve.h"

#include <math.h>
#include <string.h>

#include "base/suggestion.h"
#include "law/status.h"
#include "solve/canonical.h"
#include "solve/solver_context.h"

static const scree_solver_entry entries[] = {
    { "auto", "islands one by one; sweeps, then what their progress calls for" },
    { "nsgs", "nonsmooth Gauss-Seidel with exact local solutions; robust, best for 1e-4" },
    { "nsgs-anderson", "the same with Anderson's acceleration" },
    { "contact-newton", "proximal point and Newton on Coulomb's law, LU on the graph of contacts" },
    { "proximal-newton",
      "proximal point and Newton in velocities, Cholesky on the graph of bodies" },
    { "admm", "alternating directions, one factorisation for many iterations" },
    { "alart-curnier", "Newton on Alart and Curnier's equations; best where W has full rank" },
    { "apgd", "accelerated projected gradients; no matrix, any number of threads" },
    { "interior-point", "primal and dual inside the cones; few, dear iterations; a reference" },
    { "lemke", "pivoting on the complementarity problem of planar contacts" },
    { "enumerate", "every combination of statuses of a few planar contacts" },
    { NULL, NULL },
};

static scree_solver *const solvers[] = {
    scree_auto_solve,
    scree_nsgs_solve,
    scree_nsgs_anderson_solve,
    scree_contact_newton_solve,
    scree_proximal_newton_solve,
    scree_admm_solve,
    scree_newton_solve,
    scree_apgd_solve,
    scree_interior_point_solve,
    scree_lemke_solve,
    scree_enumerate_solve,
};

const scree_solver_entry *scree_solver_list(void) { return entries; }

scree_solver_options scree_solver_options_default(void) {
    return (scree_solver_options){
        .name = entries[0].name, .tolerance = 1e-10, .max_sweeps = 10000, .threads = 1
    };
}

const char *scree_stop_reason_text(scree_stop_reason reason) {
    switch (reason) {
        case SCREE_STOP_SOLVED:
            return "solved";
        case SCREE_STOP_LIMIT:
            return "the limit of iterations was reached";
        case SCREE_STOP_TIME:
            return "the limit of time was reached";
        case SCREE_STOP_STALLED:
            return "no progress any more";
        case SCREE_STOP_INFEASIBLE:
            return "there is no solution";
        case SCREE_STOP_BROKEN:
            return "the problem is broken (not finite, or a massless contact)";
    }
    return "unknown";
}

static bool all_finite(const double *x, size_t count) {
    double sum[4] = { 0 };  // 0 * x is 0, or NaN for what is not finite; four sums do not wait
    size_t i = 0;
    for (; i + 4 <= count; i += 4)
        for (int k = 0; k < 4; k++) sum[k] += 0 * x[i + (size_t)k];
    for (; i < count; i++) sum[0] += 0 * x[i];
    return sum[0] + sum[1] + sum[2] + sum[3] == 0;
}

static bool at_least(const double *x, size_t count, double least) {
    for (size_t i = 0; x && i < count; i++)
        if (!(x[i] >= least && x[i] < HUGE_VAL)) return false;
    return true;
}

// can the numbers of the problem be worked with?
static bool is_sound(const scree_problem *problem) {
    size_t nc = (size_t)problem->contacts, d = (size_t)problem->dimension;
    if (problem->mu_second && d == 2) return false;
    if (problem->mu_second)
        for (size_t i = 0; i < nc; i++)
            if (!(problem->mu_second[i] > 0) != !(problem->mu[i] > 0)) return false;
    return all_finite(problem->block, (size_t)problem->row[nc] * d * d) &&
           all_finite(problem->b, nc * d) && at_least(problem->mu, nc, 0) &&
           at_least(problem->mu_second, nc, 0) && at_least(problem->mu_rolling, nc, 0) &&
           at_least(problem->cohesion, nc, 0) && (d < 5 || problem->mu_rolling);
}

static scree_solver *find_solver(const char *name, scree_error *err) {
    for (int i = 0; name && entries[i].name; i++)
        if (strcmp(entries[i].name, name) == 0) return solvers[i];
    scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE, "there is no solver \"%s\"", name ? name : "");
    return NULL;
}

// solvers start from a finite guess; their scratch is given back
static scree_status run(scree_solver *solver, scree_solver_context *context, scree_error *err) {
    size_t n = (size_t)context->problem->contacts * (size_t)context->problem->dimension;
    if (!all_finite(context->p, n)) memset(context->p, 0, n * sizeof *context->p);
    scree_arena_mark mark = scree_arena_mark_of(context->arena);
    scree_status status = solver(context, err);
    scree_arena_release(context->arena, mark);
    return status;
}

// what the caller sees is measured on what the caller gave; s is scratch
static void judge_given(const scree_problem *given, scree_solver_context *context, double *s) {
    scree_report *report = context->report;
    if (report->reason == SCREE_STOP_BROKEN || report->reason == SCREE_STOP_INFEASIBLE) return;
    scree_residual residual = scree_problem_residual(given, context->p, s);
    bool lost = report->converged && !scree_context_meets(context, residual);
    scree_context_finish(context, report->solver, residual,
                         lost ? SCREE_STOP_STALLED : report->reason);
}

// The canonical problem weighs its contacts a little differently. What it takes for solved and the
// given one does not is asked for again, more strictly: than the tolerance, then than what it was.
static scree_status solve_canonical(scree_solver *solver, scree_solver_context *context,
                                    scree_error *err) {
    enum { OF_TOLERANCE = 2, TRIES = 6 };
    const scree_problem *given = context->problem;
    const scree_solver_options *options = context->options;
    scree_solver_options stricter = *options;
    scree_report *report = context->report;
    scree_canonical canonical;
    double *s =
        SCREE_NEW(context->arena, double, (size_t)given->contacts *(size_t)given->dimension);
    if (!s || !scree_canonical_make(given, context->arena, &canonical))
        return scree_context_no_memory(context, err);
    for (int k = 0; k < TRIES && stricter.max_sweeps > 0; k++) {
        context->problem = &canonical.problem;
        context->options = &stricter;
        scree_canonical_enter(&canonical, context->p);
        scree_status status = run(solver, context, err);
        scree_canonical_leave(&canonical, context->p, report->reason == SCREE_STOP_INFEASIBLE);
        context->problem = given;
        context->options = options;
        bool solved = report->converged;
        double reached = scree_context_error(context, report->residual);
        if (status) return status;
        judge_given(given, context, s);
        if (!solved || report->converged) break;
        if (k >= OF_TOLERANCE) stricter.tolerance = fmin(stricter.tolerance, reached);
        stricter.tolerance *=
            0.5 * options->tolerance / scree_context_error(context, report->residual);
        stricter.max_sweeps = options->max_sweeps - report->iterations;
    }
    return SCREE_OK;
}

static scree_status solve_with(scree_solver *solver, scree_solver_context *context,
                               scree_error *err) {
    enum { SMALL = 24576 };  // problems of a few contacts allocate nothing
    _Alignas(64) char small[SMALL];
    scree_arena arena;
    scree_arena_begin(&arena, small, sizeof small);
    context->arena = &arena;
    if (solver != scree_auto_solve) scree_context_start_clock(context);
    scree_status status = scree_canonical_needed(context->problem)
                              ? solve_canonical(solver, context, err)
                              : run(solver, context, err);
    scree_arena_free(&arena);
    return status;
}

scree_status scree_solve(const scree_problem *problem, const scree_solver_options *options,
                         double *p, scree_report *report, scree_error *err) {
    scree_solver *solver = find_solver(options->name, err);
    if (!solver) return SCREE_BAD_INPUT;
    *report = (scree_report){ .solver = options->name, .converged = true, .islands = 1 };
    if (problem->contacts == 0) {
        report->islands = 0;
        return SCREE_OK;
    }
    if (!is_sound(problem)) {
        report->converged = false;
        report->reason = SCREE_STOP_BROKEN;
        report->residual = (scree_residual){ .natural = NAN, .scaled = NAN };
        return SCREE_OK;
    }
    // the scales of the problem are those of the given b: cohesion moves it elsewhere
    scree_solver_context context = { .problem = problem,
                                     .options = options,
                                     .p = p,
                                     .report = report,
                                     .scales = scree_residual_scale(problem),
                                     .rounding_from = options->tolerance,
                                     .deadline = HUGE_VAL };
    return solve_with(solver, &context, err);
}

scree_statuses scree_problem_statuses(const scree_problem *problem, const double *p,
                                      const double *s, double tolerance) {
    int d = problem->dimension;
    scree_law_scale scale = { .tolerance = tolerance };
    for (int k = 0; k < problem->contacts * d; k++) {
        scale.p = fmax(scale.p, fabs(p[k]));
        scale.s = fmax(scale.s, fmax(fabs(s[k]), fabs(problem->b[k])));
    }
    scree_statuses statuses = { 0 };
    for (int i = 0; i < problem->contacts; i++) {
        scree_law_cone cone = { .mu = problem->mu[i],
                                .mu_second = problem->mu_second ? problem->mu_second[i] : 0,
                                .pull = problem->cohesion ? problem->cohesion[i] : 0,
                                .equality = problem->equality && problem->equality[i] };
        switch (scree_law_status(&cone, p + (long)i * d, s + (long)i * d, d, scale)) {
            case SCREE_CONTACT_STICK:
                statuses.stick++;
                break;
            case SCREE_CONTACT_SLIP:
                statuses.slip++;
                break;
            default:
                statuses.open++;
        }
    }
    return statuses;
}
