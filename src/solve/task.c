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

double scree_task_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
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
