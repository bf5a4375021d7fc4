// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// task.c - what the solvers share: the judge in the scales of the task, the clock, the ending.

#include "solve/task.h"

#include <math.h>
#include <time.h>

enum { TIMED_FROM = 32 };  // contacts; judging fewer takes no longer than looking at the clock

scree_residual scree_task_residual(const scree_task *task, const double *p, const double *s) {
    return scree_residual_of(scree_residual_sum(task->problem, p, s, task->options->threads),
                             task->scales);
}

scree_residual scree_task_judge(scree_task *task, const double *p, double *s) {
    bool timed = task->problem->contacts >= TIMED_FROM;
    double start = timed ? scree_task_now() : 0;
    scree_residual_velocity(task->problem, p, s, task->options->threads);
    scree_residual residual = scree_task_residual(task, p, s);
    if (timed) task->report->seconds.judge += scree_task_now() - start;
    return residual;
}

double scree_task_error(const scree_task *task, scree_residual residual) {
    switch (task->options->criterion) {
        case SCREE_CRITERION_FIELD:
            // impulses whose rounding alone does more cannot be told from a solution
            return fmax(residual.field, residual.field_floor / 16) + 0 * residual.field;
        case SCREE_CRITERION_SCALED:
            return residual.scaled;
        case SCREE_CRITERION_BOTH:
            break;
    }
    return scree_residual_worse(residual);
}

bool scree_task_rounded(const scree_task *task, scree_residual residual, double from) {
    scree_criterion criterion = task->options->criterion;
    if (criterion == SCREE_CRITERION_FIELD) return false;
    if (criterion == SCREE_CRITERION_SCALED) residual.field = residual.field_rounding = 0;
    return scree_residual_is_rounding(residual, task->options->tolerance, from);
}

bool scree_task_is_zero(const scree_task *task) {
    for (int k = 0; k < task->problem->contacts * task->problem->dimension; k++)
        if (task->p[k] != 0) return false;
    return true;
}

static scree_residual judge_guess(scree_task *task) {
    scree_arena_mark mark = scree_arena_mark_of(task->arena);
    size_t n = (size_t)task->problem->contacts * (size_t)task->problem->dimension;
    double *s = SCREE_NEW(task->arena, double, n);
    scree_residual residual = { .field = NAN, .scaled = NAN };  // without memory: not good enough
    if (s) residual = scree_task_judge(task, task->p, s);
    scree_arena_release(task->arena, mark);
    return residual;
}

bool scree_task_done_already(scree_task *task) {
    scree_residual residual;
    if (scree_task_is_zero(task)) {
        scree_residual_sums sums =
            scree_residual_sum(task->problem, task->p, task->problem->b, task->options->threads);
        double most = task->options->tolerance * task->scales.field;
        if (task->options->criterion != SCREE_CRITERION_SCALED && !(sums.field <= most * most))
            return false;  // in most cases, without a root or a division
        residual = scree_residual_of(sums, task->scales);
    } else {
        residual = judge_guess(task);
    }
    if (!scree_task_meets(task, residual)) return false;
    scree_task_finish(task, "none", residual, SCREE_STOP_SOLVED);
    return true;
}

double scree_task_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void scree_task_start_clock(scree_task *task) {
    if (task->options->max_seconds > 0 && !(task->deadline < HUGE_VAL))
        task->deadline = scree_task_now() + task->options->max_seconds;
}

bool scree_task_late(const scree_task *task) {
    return task->deadline < HUGE_VAL && scree_task_now() >= task->deadline;
}

void scree_task_finish(scree_task *task, const char *solver, scree_residual residual,
                       scree_stop_reason reason) {
    scree_report *report = task->report;
    report->solver = solver;
    report->residual = residual;
    report->converged = scree_task_meets(task, residual);
    report->reason = report->converged ? SCREE_STOP_SOLVED : reason;
}

scree_status scree_task_no_memory(const scree_task *task, scree_error *err) {
    return scree_fail(err, SCREE_NO_MEMORY, SCREE_NOWHERE, "out of memory for %d contacts",
                      task->problem->contacts);
}

void scree_task_diagonal(const scree_problem *problem, double *D) {
    int d = problem->dimension;
    for (int i = 0; i < problem->contacts; i++) {
        const double *W = problem->block + (size_t)problem->diagonal[i] * (size_t)(d * d);
        D[i] = 0;
        for (int k = 0; k < d; k++) D[i] += W[k * d + k] / d;
    }
}
