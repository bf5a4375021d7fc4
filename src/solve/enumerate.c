// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// enumerate.c - one solution of a small planar problem or LCP by search through the statuses.
// in: cells.   out: the best combination.   work: a dictionary for each depth of the search.
//
// A rescue for small problems on which Gauss-Seidel creeps. Where e and tau differ, b is not in the
// range of H, and contacts of one body that both stick can contradict each other by a little: their
// tangential impulses then grow against each other, sweep by sweep, until one of them slips. With
// the statuses given the law is linear, and the judge says which combination is a solution.

#include "solve/enumerate.h"

#include <math.h>
#include <string.h>

#include "solve/farkas.h"
#include "solve/mode_tree.h"
#include "solve/solver_context.h"

static const double BUDGET = 1e8;      // systems x entries of each: a second or two
static const double ROUNDING = 1e-11;  // of scaled variables

bool scree_enumerate_can(const scree_problem *problem) {
    return problem->dimension == 2 && problem->contacts <= SCREE_ENUMERATE_RESCUE;
}

// -------------------------------------------------------------------------------------------------
// the search

typedef struct seeker {
    scree_enumeration *out;
    double *x, *trial;  // (numbers)
    double *value;      // (variables)
} seeker;

static void try_tableau(seeker *s, const scree_tableau *tableau) {
    scree_tableau_values(tableau, s->value);
    scree_mode_problem_answer(tableau->modes, s->value, 1, s->trial);
    double error = s->out->error(s->out->context, s->trial);
    if (!(error < s->out->best)) return;
    s->out->best = error;
    memcpy(s->x, s->trial, (size_t)tableau->modes->numbers * sizeof *s->x);
}

// a partial choice can be solved already by where its node stands
static scree_tree_action visit(void *context, scree_tableau *tableau, bool leaf) {
    seeker *s = context;
    s->out->late = s->out->limits && scree_limits_passed(s->out->limits);
    if (s->out->late) return SCREE_TREE_STOP;
    if (leaf || scree_mode_tree_is_solution(tableau, s->value)) {
        try_tableau(s, tableau);
        if (s->out->best > s->out->tolerance && scree_tableau_refactor(tableau))
            try_tableau(s, tableau);
    }
    return s->out->best <= s->out->tolerance ? SCREE_TREE_STOP : SCREE_TREE_DESCEND;
}

bool scree_enumerate_run(const scree_mode_problem *modes, scree_enumeration *enumeration, double *x,
                         scree_arena *arena) {
    seeker s = { .out = enumeration,
                 .x = x,
                 .trial = SCREE_NEW(arena, double, modes->numbers),
                 .value = SCREE_NEW(arena, double, modes->unknowns + modes->rows) };
    scree_mode_tree search = { .visit = visit,
                               .context = &s,
                               .budget = (long)(BUDGET / (1 + modes->rows * modes->unknowns)) };
    enumeration->best = HUGE_VAL;
    if (!s.trial || !s.value || !scree_mode_tree_run(modes, &search, arena)) return false;
    enumeration->systems = search.systems;
    enumeration->complete = !search.exhausted && !enumeration->late;
    return true;
}

// -------------------------------------------------------------------------------------------------
// planar contact problems

typedef struct judge {
    scree_solver_context *context;
    double *s;  // (nc x 2)
} judge;

static double error_of(void *context, const double *p) {
    judge *j = context;
    return scree_context_error(j->context, scree_context_judge(j->context, p, j->s));
}

static scree_status check(const scree_problem *problem, scree_error *err) {
    if (problem->dimension == 2 && problem->contacts <= SCREE_MODE_CONTACTS) return SCREE_OK;
    return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                      "enumerate solves planar problems of up to %d contacts; this one has "
                      "dimension %d and %d contacts",
                      SCREE_MODE_CONTACTS, problem->dimension, problem->contacts);
}

scree_status scree_enumerate_solve(scree_solver_context *context, scree_error *err) {
    scree_status status = check(context->problem, err);
    if (status != SCREE_OK) return status;
    size_t n = 2 * (size_t)context->problem->contacts;
    scree_mode_problem modes;
    judge j = { context, SCREE_NEW(context->arena, double, n) };
    double *p = SCREE_NEW(context->arena, double, n), start = scree_context_now();
    scree_enumeration e = { .error = error_of,
                            .context = &j,
                            .tolerance = context->options->tolerance,
                            .limits = context->limits };
    if (!j.s || !p ||
        !scree_mode_problem_of_problem(context->problem, ROUNDING, context->arena, &modes) ||
        !scree_enumerate_run(&modes, &e, p, context->arena))
        return scree_context_no_memory(context, err);
    context->report->iterations += (int)e.systems;
    context->report->seconds.iterate += scree_context_now() - start;

    // the guess may be better than the best combination
    if (e.best < error_of(&j, context->p)) memcpy(context->p, p, n * sizeof *p);
    scree_residual residual = scree_context_judge(context, context->p, j.s);
    bool proven = false;
    if (e.best == HUGE_VAL && !scree_context_meets(context, residual) &&
        !scree_farkas_of_context(context, &proven))
        return scree_context_no_memory(context, err);
    scree_context_finish(context, "enumerate", residual,
                         proven       ? SCREE_STOP_INFEASIBLE
                         : e.late     ? SCREE_STOP_TIME
                         : e.complete ? SCREE_STOP_STALLED
                                      : SCREE_STOP_LIMIT);
    return SCREE_OK;
}
