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

#include "solve/proof.h"
#include "solve/search.h"
#include "solve/task.h"

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

static void try_node(seeker *s, const scree_node *node) {
    scree_node_values(node, s->value);
    scree_cells_answer(node->cells, s->value, 1, s->trial);
    double error = s->out->error(s->out->context, s->trial);
    if (!(error < s->out->best)) return;
    s->out->best = error;
    memcpy(s->x, s->trial, (size_t)node->cells->numbers * sizeof *s->x);
}

// a partial choice can be solved already by where its node stands
static scree_advice look(void *context, scree_node *node, bool leaf) {
    seeker *s = context;
    s->out->late = s->out->deadline < HUGE_VAL && scree_task_now() >= s->out->deadline;
    if (s->out->late) return SCREE_SEARCH_STOP;
    if (leaf || scree_search_is_solution(node, s->value)) {
        try_node(s, node);
        if (s->out->best > s->out->tolerance && scree_node_polish(node)) try_node(s, node);
    }
    return s->out->best <= s->out->tolerance ? SCREE_SEARCH_STOP : SCREE_SEARCH_ON;
}

bool scree_enumerate_run(const scree_cells *cells, scree_enumeration *enumeration, double *x,
                         scree_arena *arena) {
    seeker s = { .out = enumeration,
                 .x = x,
                 .trial = SCREE_NEW(arena, double, cells->numbers),
                 .value = SCREE_NEW(arena, double, cells->unknowns + cells->rows) };
    scree_search search = { .look = look,
                            .context = &s,
                            .budget = (long)(BUDGET / (1 + cells->rows * cells->unknowns)) };
    enumeration->best = HUGE_VAL;
    if (!s.trial || !s.value || !scree_search_run(cells, &search, arena)) return false;
    enumeration->systems = search.systems;
    enumeration->complete = !search.exhausted && !enumeration->late;
    return true;
}

// -------------------------------------------------------------------------------------------------
// planar contact problems

typedef struct judge {
    scree_task *task;
    double *s;  // (nc x 2)
} judge;

static double error_of(void *context, const double *p) {
    judge *j = context;
    return scree_task_error(j->task, scree_task_judge(j->task, p, j->s));
}

static scree_status check(const scree_problem *problem, scree_error *err) {
    if (problem->dimension == 2 && problem->contacts <= SCREE_CELLS_CONTACTS) return SCREE_OK;
    return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                      "enumerate solves planar problems of up to %d contacts; this one has "
                      "dimension %d and %d contacts",
                      SCREE_CELLS_CONTACTS, problem->dimension, problem->contacts);
}

scree_status scree_enumerate_solve(scree_task *task, scree_error *err) {
    scree_status status = check(task->problem, err);
    if (status != SCREE_OK) return status;
    size_t n = 2 * (size_t)task->problem->contacts;
    scree_cells cells;
    judge j = { task, SCREE_NEW(task->arena, double, n) };
    double *p = SCREE_NEW(task->arena, double, n), start = scree_task_now();
    scree_enumeration e = { .error = error_of,
                            .context = &j,
                            .tolerance = task->options->tolerance,
                            .deadline = task->deadline };
    if (!j.s || !p || !scree_cells_of_problem(task->problem, ROUNDING, task->arena, &cells) ||
        !scree_enumerate_run(&cells, &e, p, task->arena))
        return scree_task_no_memory(task, err);
    task->report->iterations += (int)e.systems;
    task->report->seconds.iterate += scree_task_now() - start;

    // the guess may be better than the best combination
    if (e.best < error_of(&j, task->p)) memcpy(task->p, p, n * sizeof *p);
    scree_residual residual = scree_task_judge(task, task->p, j.s);
    bool proven = false;
    if (e.best == HUGE_VAL && !scree_task_meets(task, residual) &&
        !scree_proof_of_task(task, &proven))
        return scree_task_no_memory(task, err);
    scree_task_finish(task, "enumerate", residual,
                      proven       ? SCREE_STOP_INFEASIBLE
                      : e.late     ? SCREE_STOP_TIME
                      : e.complete ? SCREE_STOP_STALLED
                                   : SCREE_STOP_LIMIT);
    return SCREE_OK;
}
