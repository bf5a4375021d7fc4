// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// solve.c - the menu of solvers, and the way in and out that all of them share.

#include "scree/solve.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/dense.h"
#include "base/suggestion.h"
#include "law/assemble.h"
#include "law/bodies.h"
#include "law/rigid_motion.h"
#include "law/status.h"
#include "solve/canonical.h"
#include "solve/few.h"
#include "solve/rigid_set.h"
#include "solve/solver_context.h"
#include "solve/unique.h"
#include "solve/workspace.h"

enum { ON_THE_STACK = 24576 };  // bytes that need not be allocated

static const scree_solver_entry entries[] = {
    { "auto",
      "islands one by one; sweeps, then what their progress calls for; many bodies without W",
      SCREE_JOINTS_BEARINGS, scree_auto_solve, scree_auto_bodies_solve },
    { "nsgs", "nonsmooth Gauss-Seidel with exact local solutions; robust, best for 1e-4",
      SCREE_JOINTS_BEARINGS, scree_nsgs_solve, scree_rigid_nsgs_solve },
    { "nsgs-anderson", "the same with Anderson's acceleration", SCREE_JOINTS_BEARINGS,
      scree_nsgs_anderson_solve, NULL },
    { "contact-newton", "proximal point and Newton on Coulomb's law, LU on the graph of contacts",
      SCREE_JOINTS_BEARINGS, scree_contact_newton_solve, NULL },
    { "proximal-newton", "proximal point and Newton in velocities, Cholesky on the graph of bodies",
      SCREE_JOINTS_LIMITS, scree_proximal_newton_solve, NULL },
    { "admm", "alternating directions, one factorisation for many iterations", SCREE_JOINTS_LIMITS,
      scree_admm_solve, NULL },
    { "alart-curnier", "Newton on Alart and Curnier's equations; best where W has full rank",
      SCREE_JOINTS_BEARINGS, scree_newton_solve, NULL },
    { "apgd", "accelerated projected gradients; no matrix, any number of threads",
      SCREE_JOINTS_LIMITS, scree_apgd_solve, NULL },
    { "interior-point", "primal and dual inside the cones; few, dear iterations; a reference",
      SCREE_JOINTS_EQUATIONS, scree_interior_point_solve, NULL },
    { "lemke", "pivoting on the complementarity problem of planar contacts", SCREE_JOINTS_EQUATIONS,
      scree_lemke_solve, NULL },
    { "path", "proximal points by a path of statuses that may turn back: around folds",
      SCREE_JOINTS_EQUATIONS, scree_path_solve, NULL },
    { "enumerate", "every combination of statuses of a few planar contacts", SCREE_JOINTS_EQUATIONS,
      scree_enumerate_solve, NULL },
    { "nsgs-bodies", "nsgs on rigid bodies in space, never with W, however few they are",
      SCREE_JOINTS_EQUATIONS, NULL, scree_rigid_nsgs_solve },
    { "nsgs-symmetric",
      "the same to and fro: no direction preferred, on packings about twice as many",
      SCREE_JOINTS_EQUATIONS, NULL, scree_rigid_symmetric_solve },
    { "nsgs-freezing", "the same without contacts that have stopped changing, for some sweeps",
      SCREE_JOINTS_EQUATIONS, NULL, scree_rigid_freezing_solve },
    { "ncg", "conjugate gradients over such sweeps: fewer of them, each half as dear again",
      SCREE_JOINTS_EQUATIONS, NULL, scree_rigid_ncg_solve },
    { NULL, NULL, 0, NULL, NULL },
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
        case SCREE_STOP_TURNING:
            return "solved, but bodies turn otherwise with the impulses";
    }
    return "unknown";
}

static bool at_least(const double *x, size_t count, double least) {
    for (size_t i = 0; x && i < count; i++)
        if (!(x[i] >= least && x[i] < HUGE_VAL)) return false;
    return true;
}

static bool joints_are_sound(const scree_problem *problem) {
    int nc = problem->contacts, d = problem->dimension;
    if (!at_least(problem->compliance, (size_t)nc * (size_t)d, 0)) return false;
    if ((problem->limit && !problem->equality) || (problem->bearing && !problem->limit))
        return false;
    for (int k = 0; problem->limit && k < nc * d; k++)
        if (isnan(problem->limit[k])) return false;
    for (int i = 0; problem->bearing && problem->block && i < nc; i++) {
        int of = problem->bearing[i], at = problem->row[i];
        if (of < 0) continue;
        while (at < problem->row[i + 1] && problem->column[at] != of) at++;
        if (at == problem->row[i + 1] || of == i || !problem->equality[of]) return false;
    }
    return true;
}

// can the numbers of the problem be worked with?
static bool is_sound(const scree_problem *problem) {
    size_t nc = (size_t)problem->contacts, d = (size_t)problem->dimension;
    if (problem->mu_second && d == 2) return false;
    if (problem->mu_second)
        for (size_t i = 0; i < nc; i++)
            if (!(problem->mu_second[i] > 0) != !(problem->mu[i] > 0)) return false;
    return (!problem->block ||
            scree_dense_finite(problem->block, (size_t)problem->row[nc] * d * d)) &&
           scree_dense_finite(problem->b, nc * d) && at_least(problem->mu, nc, 0) &&
           at_least(problem->mu_second, nc, 0) && at_least(problem->mu_rolling, nc, 0) &&
           at_least(problem->cohesion, nc, 0) && (d < 5 || problem->mu_rolling) &&
           joints_are_sound(problem);
}

static scree_solver_joints joints_of(const scree_problem *problem) {
    if (problem->bearing) return SCREE_JOINTS_BEARINGS;
    return problem->limit ? SCREE_JOINTS_LIMITS : SCREE_JOINTS_EQUATIONS;
}

bool scree_solver_takes(scree_solver *solver, const scree_problem *problem) {
    for (int i = 0; entries[i].name; i++)
        if (entries[i].with_blocks == solver) return entries[i].joints >= joints_of(problem);
    return true;
}

const scree_solver_entry *scree_solver_find(const char *name, scree_error *err) {
    const char *known[sizeof entries / sizeof *entries];
    int count = 0;
    for (; entries[count].name; count++) {
        if (entries[count].name == name || (name && strcmp(entries[count].name, name) == 0))
            return &entries[count];
        known[count] = entries[count].name;
    }
    const char *near = name ? scree_suggestion(name, known, count) : NULL;
    scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE, "there is no solver \"%s\"%s%s%s",
               name ? name : "", near ? "; did you mean \"" : "", near ? near : "",
               near ? "\"?" : "");
    return NULL;
}

// W by bodies as it is: if the row can do nothing else, or if that is cheaper than W, there or not
static bool takes_bodies(const scree_solver_entry *entry, const scree_problem *problem,
                         double tolerance, bool cold) {
    if (!problem->bodies || !entry->by_bodies) return !entry->with_blocks;
    if (!entry->with_blocks) return true;
    return scree_rigid_serves(problem) && scree_auto_prefers_bodies(problem, tolerance, cold);
}

// Problems of files have M and H: are they those of rigid bodies?
static bool may_have_bodies(const scree_solver_entry *entry, const scree_problem *problem) {
    enum { FEW = 64, FEW_PLANAR = 784 };  // contacts that are never swept on bodies
    if (problem->bodies || !problem->motion || !entry->by_bodies) return problem->bodies;
    return !entry->with_blocks || problem->contacts > (problem->dimension == 2 ? FEW_PLANAR : FEW);
}

bool scree_solve_takes_bodies(const scree_problem *problem, const scree_solver_options *options) {
    const scree_solver_entry *entry = scree_solver_find(options->name, NULL);
    return entry && !problem->block && takes_bodies(entry, problem, options->tolerance, false);
}

scree_status scree_solve_prepare(scree_problem *problem, const scree_solver_options *options,
                                 scree_arena *arena, scree_error *err) {
    if (problem->block || !problem->contacts) return SCREE_OK;
    const scree_solver_entry *entry = scree_solver_find(options->name, err);
    if (!entry) return SCREE_BAD_INPUT;
    if (takes_bodies(entry, problem, options->tolerance, false)) return SCREE_OK;
    if (!problem->bodies)
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                          "the problem has no W, neither in blocks nor by bodies");
    return scree_assemble(problem, arena, err);
}

// solvers start from a finite guess; their scratch is given back
static scree_status run(scree_solver *solver, scree_solver_context *context, scree_error *err) {
    size_t n = (size_t)context->problem->contacts * (size_t)context->problem->dimension;
    if (!context->pressed && !scree_dense_finite(context->p, n))
        memset(context->p, 0, n * sizeof *context->p);
    const scree_problem *given = context->problem;
    scree_arena_mark mark = scree_arena_mark_of(context->arena);
    scree_status status = solver(context, err);
    scree_arena_release(context->arena, mark);
    context->problem = given;  // a motion may have been added
    if (!status && given->block) {
        scree_unique_settle(context);
        scree_arena_release(context->arena, mark);
    }
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
scree_status scree_solve_canonical(scree_solver *solver, scree_solver_context *context,
                                   scree_error *err) {
    enum { OF_TOLERANCE = 2, TRIES = 6, FEW = 64 };
    if (context->problem->contacts > FEW) scree_context_find_motion(context);
    const scree_problem *given = context->problem;
    const scree_solver_options *options = context->options;
    scree_solver_options stricter = *options;
    scree_report *report = context->report;
    scree_canonical canonical;
    double *s =
        SCREE_NEW(context->arena, double, ((size_t)given->contacts * (size_t)given->dimension));
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

scree_workspace *scree_workspace_new(void) { return calloc(1, sizeof(scree_workspace)); }

void scree_workspace_free(scree_workspace *workspace) {
    if (!workspace) return;
    scree_arena_free(&workspace->arena);
    scree_thread_pool_end(&workspace->pool);
    free(workspace);
}

static scree_status report_broken(scree_report *report) {
    report->converged = false;
    report->reason = SCREE_STOP_BROKEN;
    report->residual = (scree_residual){ .natural = NAN, .scaled = NAN };
    return SCREE_OK;
}

// W in blocks, and nothing else to choose from
static bool is_bare(const scree_solver_entry *entry, const scree_problem *problem) {
    return problem->block && !may_have_bodies(entry, problem);
}

static scree_status solve_blocks(const scree_solver_entry *entry, scree_solver_context *context,
                                 scree_error *err) {
    scree_solver *solver = entry->with_blocks;
    if (solver != scree_auto_solve) scree_context_start_clock(context);
    // the scales of the problem are those of the given b: cohesion moves it elsewhere
    if (!is_bare(entry, context->problem)) context->scales = scree_residual_scale(context->problem);
    return scree_canonical_needed(context->problem) ? scree_solve_canonical(solver, context, err)
                                                    : run(solver, context, err);
}

// W that is there has the last word: it may differ by rounding from that of the bodies
static scree_status solve_bodies(const scree_solver_entry *entry, scree_solver_context *context,
                                 scree_error *err) {
    const scree_problem *problem = context->problem;
    int misfit = scree_bodies_misfit(problem);
    if (misfit >= 0)
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                          "b of contact %d is not H v_free + w of its bodies, which the solver "
                          "\"%s\" takes it from: put into w what bodies do not bring",
                          misfit, entry->name);
    scree_context_start_clock(context);
    scree_status status = run(entry->by_bodies, context, err);
    if (status || !problem->block) return status;
    size_t n = (size_t)problem->contacts * (size_t)problem->dimension;
    double *s = SCREE_NEW(context->arena, double, n);
    if (!s) return scree_context_no_memory(context, err);
    bool solved = context->report->converged;
    judge_given(problem, context, s);
    if (!solved || context->report->converged || !entry->with_blocks) return SCREE_OK;
    return solve_blocks(entry, context, err);
}

// A proof from W alone takes what hardly moves for what nothing moves: of a heavy body on a light
// one it says that they jam. On the bodies themselves impulses must cancel.
static scree_status confirm_proof(const scree_problem *given, scree_solver_context *context,
                                  scree_error *err) {
    bool balanced = true;
    size_t n = (size_t)given->contacts * (size_t)given->dimension;
    double *s = SCREE_NEW(context->arena, double, n);
    if (!s || !scree_bodies_balance(given, context->p, &balanced, context->arena))
        return scree_context_no_memory(context, err);
    if (balanced) return SCREE_OK;
    memset(context->p, 0, n * sizeof *context->p);
    scree_context_finish(context, context->report->solver,
                         scree_problem_residual(given, context->p, s), SCREE_STOP_STALLED);
    return SCREE_OK;
}

// `made`: the problem with what was found out about it; *by_bodies: is W taken by them?
static scree_status make_problem(const scree_solver_entry *entry, scree_solver_context *context,
                                 scree_problem *made, bool *by_bodies, scree_error *err) {
    const scree_solver_options *options = context->options;
    *made = *context->problem;
    context->problem = made;
    if (!made->bodies && may_have_bodies(entry, made))
        made->bodies = scree_rigid_bodies_of_motion(made, context->arena);
    bool cold = made->bodies && scree_context_is_zero(context);
    *by_bodies = takes_bodies(entry, made, options->tolerance, cold);
    return *by_bodies ? SCREE_OK : scree_solve_prepare(made, options, context->arena, err);
}

static scree_status refuse_kind(const scree_solver_entry *entry, const char *what,
                                scree_error *err) {
    return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE, "the solver \"%s\" %s", entry->name,
                      what);
}

// Is the solver made for it, and can its numbers be worked with? If they cannot, *sound is false.
static scree_status check(const scree_solver_entry *entry, const scree_problem *problem,
                          bool by_bodies, bool *sound, scree_error *err) {
    if (by_bodies && !problem->bodies)
        return refuse_kind(entry,
                           "works on rigid bodies in space, which this problem does not have", err);
    if (joints_of(problem) > entry->joints)
        return refuse_kind(entry,
                           problem->bearing
                               ? "does not take friction on the reactions of joints"
                               : "does not take rows with a largest impulse (motors, dry friction)",
                           err);
    *sound = is_sound(problem);
    return SCREE_OK;
}

static scree_status solve_in(const scree_solver_entry *entry, scree_solver_context *context,
                             scree_error *err) {
    scree_problem made;
    scree_status status = SCREE_OK;
    bool by_bodies = false, sound = true;
    if (!is_bare(entry, context->problem)) {  // else that was looked at already
        status = make_problem(entry, context, &made, &by_bodies, err);
        if (!status) status = check(entry, &made, by_bodies, &sound, err);
    }
    if (status) return status;
    if (!sound) return report_broken(context->report);
    status = by_bodies ? solve_bodies(entry, context, err) : solve_blocks(entry, context, err);
    const scree_problem *problem = context->problem;
    if (!status && context->report->reason == SCREE_STOP_INFEASIBLE && problem->bodies)
        status = confirm_proof(problem, context, err);
    return status;
}

// problems of a few contacts allocate nothing, others nothing more than the largest so far if the
// caller keeps a workspace, and begin no threads then
static scree_status solve_with(const scree_solver_entry *entry, scree_solver_context *context,
                               scree_error *err) {
    enum { FEW = 64 };
    scree_workspace *workspace = context->options->workspace;
    if (workspace && context->problem->contacts > FEW) {
        context->arena = &workspace->arena;
        context->pool = &workspace->pool;
        context->halfway = workspace->halfway;
        scree_thread_pool_want(context->pool, context->options->threads);
        scree_arena_mark mark = scree_arena_mark_of(context->arena);
        scree_status status = solve_in(entry, context, err);
        scree_arena_release(context->arena, mark);
        return status;
    }
    _Alignas(64) char small[ON_THE_STACK];
    scree_arena arena;
    scree_thread_pool pool = { .threads = context->options->threads };
    scree_arena_begin(&arena, small, sizeof small);
    context->arena = &arena;
    context->pool = &pool;
    scree_status status = solve_in(entry, context, err);
    scree_arena_free(&arena);
    scree_thread_pool_end(&pool);
    return status;
}

// `auto` of a few contacts, in whose problem there is nothing to ask for: false if that was not
// enough
static bool solve_few(scree_solver_context *context) {
    if (context->problem->contacts == 1) return scree_few_solve(context);
    _Alignas(64) char small[ON_THE_STACK];
    scree_arena arena;
    scree_arena_begin(&arena, small, sizeof small);
    context->arena = &arena;
    bool done = scree_few_solve(context);
    if (done && !context->settled) scree_unique_settle(context);
    scree_arena_free(&arena);
    return done;
}

// Most of what is asked while bodies fly needs no impulses: that is seen before anything is drawn.
static scree_status look_at_bare(const scree_solver_entry *entry, scree_solver_context *context,
                                 bool *done, scree_error *err) {
    const scree_problem *problem = context->problem;
    bool sound = true, automatic = entry->with_blocks == scree_auto_solve;
    *done =
        automatic && !context->options->least && scree_few_serves(problem) && solve_few(context);
    if (*done) return SCREE_OK;
    scree_status status = check(entry, problem, !entry->with_blocks, &sound, err);
    *done = !sound;
    if (status) return status;
    if (!sound) return report_broken(context->report);
    context->scales = scree_residual_scale(problem);
    if (!automatic || context->pressed || scree_canonical_needed(problem) ||
        context->options->least || !scree_context_is_zero(context))
        return SCREE_OK;
    *done = scree_context_done_at_rest(context);
    context->pressed = !*done;
    return SCREE_OK;
}

scree_status scree_solve(const scree_problem *problem, const scree_solver_options *options,
                         double *p, scree_report *report, scree_error *err) {
    const scree_solver_entry *entry = scree_solver_find(options->name, err);
    if (!entry) return SCREE_BAD_INPUT;
    if (!(options->tolerance >= 0))
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                          "the tolerance must not be negative, got %g", options->tolerance);
    *report = (scree_report){ .solver = options->name, .converged = true, .islands = 1 };
    if (problem->contacts == 0) {
        report->islands = 0;
        return SCREE_OK;
    }
    scree_solver_context context = { .problem = problem,
                                     .options = options,
                                     .p = p,
                                     .report = report,
                                     .rounding_from = options->tolerance,
                                     .most_effort = HUGE_VAL };
    scree_limits limits = scree_limits_of(options);
    context.limits = &limits;
    if (is_bare(entry, problem)) {
        bool done;
        scree_status status = look_at_bare(entry, &context, &done, err);
        if (status || done) return status;
    }
    return solve_with(entry, &context, err);
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
