// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// impulses.c - problem -> impulses.
// in: active contacts, free velocity.   out: impulses, law velocities, report.
//
// contacts -> problem -> solve -> refresh, until the problem is the one that its answer leads to.

#include <math.h>
#include <string.h>

#include "solve/policy.h"
#include "solve/solver_context.h"
#include "step/stepper.h"

// contacts -> problem, in the form that the solver wants
static scree_status build(scree_stepper *stepper, scree_error *err) {
    scree_status status = scree_problem_of_step(stepper, err);
    if (status) return status;
    return scree_solve_prepare(&stepper->record.problem, &stepper->solver, &stepper->scratch, err);
}

// room for the impulses, with those of the last step in it
static scree_status begin_impulses(scree_stepper *stepper, double **impulse, double **s,
                                   scree_error *err) {
    const scree_contact_set *set = &stepper->set;
    int d = stepper->model->dimension;
    *impulse = SCREE_NEW(&stepper->scratch, double, (set->active_count * d));
    *s = SCREE_NEW(&stepper->scratch, double, (set->active_count * d));
    if (!*impulse || !*s)
        return scree_fail(err, SCREE_NO_MEMORY, SCREE_NOWHERE,
                          "out of memory for a problem of %d contacts", set->active_count);
    for (int i = 0; i < set->active_count; i++)
        memcpy(*impulse + (long)i * d, set->warm_start + SCREE_ROWS_MAX * (size_t)set->active[i],
               (size_t)d * sizeof **impulse);
    return SCREE_OK;
}

void scree_impulses_apply(scree_stepper *stepper, const double *impulse) {
    const scree_contact_set *set = &stepper->set;
    int d = stepper->model->dimension;
    memset(stepper->work, 0, (size_t)stepper->model->dofs * sizeof *stepper->work);
    for (int i = 0; i < set->active_count; i++) {
        if (i + SCREE_PREFETCH_DISTANCE < set->active_count)
            scree_contacts_prefetch(stepper, set->active[i + SCREE_PREFETCH_DISTANCE],
                                    stepper->work);
        scree_contacts_apply_impulse(set, set->active[i], impulse + (long)i * d, stepper->work);
    }
}

// let the bodies turn as the impulses make them, and see whether that changed anything
static scree_status refresh_pass(scree_stepper *stepper, const double *impulse, bool *changed,
                                 scree_error *err) {
    *changed = false;
    if (!stepper->refreshes || !stepper->set.active_count) return SCREE_OK;
    scree_impulses_apply(stepper, impulse);
    scree_status status = scree_free_refresh(stepper, stepper->work, changed, err);
    if (*changed) scree_contacts_update_velocities(stepper);
    return status;
}

// does the law hold with these impulses, now that bodies turn as they do?
static scree_status judge(scree_stepper *stepper, const double *impulse, double *s,
                          scree_error *err) {
    scree_step_record *record = &stepper->record;
    scree_status status = build(stepper, err);
    if (status) return status;
    record->report.residual = scree_problem_residual(&record->problem, impulse, s);
    record->report.converged =
        scree_residual_meets(record->report.residual, stepper->solver.tolerance);
    return SCREE_OK;
}

// contacts -> problem -> impulses. The problem holds for one way of turning: solved, then swept on
// until it is the one that the impulses lead to, as the judge sees it.
static scree_status find(scree_stepper *stepper, double *impulse, double *s, scree_error *err) {
    enum { PASSES = 60 };
    scree_step_record *record = &stepper->record;
    scree_report *report = &record->report;
    int iterations = 0;
    bool changed = true;
    scree_status status = build(stepper, err);
    for (int pass = 0; !status && pass < PASSES; pass++) {
        const scree_problem *problem = &record->problem;
        bool again = pass > 0 && problem->block;
        status = pass ? scree_policy_again(problem, &stepper->solver, pass, impulse, report, err)
                      : scree_policy_solve(problem, &stepper->solver, impulse, report, err);
        iterations += report->iterations;
        if (!status) status = refresh_pass(stepper, impulse, &changed, err);
        if (status || (!again && (!changed || !report->converged))) break;
        status = judge(stepper, impulse, s, err);
        if (report->converged) break;
    }
    report->iterations = iterations;
    if (!status && record->problem.block) scree_problem_velocity(&record->problem, impulse, s);
    return status;
}

scree_status scree_impulses_find(scree_stepper *stepper, double **impulse, double **s,
                                 scree_error *err) {
    scree_status status = begin_impulses(stepper, impulse, s, err);
    return status ? status : find(stepper, *impulse, *s, err);
}
