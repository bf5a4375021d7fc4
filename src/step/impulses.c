// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// impulses.c - problem -> impulses.
// in: active contacts, free velocity.   out: impulses, law velocities, report.

#include <math.h>
#include <string.h>

#include "law/assemble.h"
#include "step/stepper.h"

// contacts -> problem with W in blocks
static scree_status assemble(scree_stepper *stepper, scree_error *err) {
    scree_status status = scree_problem_of_step(stepper, err);
    if (status || !stepper->set.active_count) return status;
    return scree_assemble(&stepper->record.problem, &stepper->scratch, err);
}

// room for the impulses, with those of the last step in it
static scree_status begin_impulses(scree_stepper *stepper, double **impulse, double **s,
                                   scree_error *err) {
    const scree_contact_set *set = &stepper->set;
    int d = stepper->model->dimension;
    *impulse = SCREE_NEW(&stepper->scratch, double, set->active_count *d);
    *s = SCREE_NEW(&stepper->scratch, double, set->active_count *d);
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

// Where there is no solution the solver proves it, and the step is refused; should it be accepted
// all the same, it is with what sweeps leave of the contradiction.
static scree_status solve_contradiction(scree_stepper *stepper, double *impulse, scree_error *err) {
    const scree_problem *problem = &stepper->record.problem;
    scree_solver_options options = stepper->solver;
    options.name = "nsgs";
    if (options.max_sweeps > 1000) options.max_sweeps = 1000;
    memset(impulse, 0, (size_t)problem->contacts * (size_t)problem->dimension * sizeof *impulse);
    scree_status status = scree_solve(problem, &options, impulse, &stepper->record.report, err);
    stepper->record.report.converged = false;
    stepper->record.report.reason = SCREE_STOP_INFEASIBLE;
    return status;
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

// Solve once more, now that bodies turn another way, and more tightly: what is just solved would
// not be, once they turn as the new impulses make them. Where velocities are not unique a solver
// may jump from one solution to another each time it is asked, sweeps move no further than they
// must: so mostly by sweeps, and now and then by all there is.
static scree_status solve_again(scree_stepper *stepper, int pass, double *impulse,
                                scree_error *err) {
    enum { SWEEPS = 300, TURNS = 3 };
    scree_solver_options options = stepper->solver;
    options.tolerance /= 10;
    if (pass % TURNS) {
        options.name = "nsgs-anderson";
        if (options.max_sweeps > SWEEPS) options.max_sweeps = SWEEPS;
    }
    return scree_solve(&stepper->record.problem, &options, impulse, &stepper->record.report, err);
}

static scree_status solve(scree_stepper *stepper, double *impulse, scree_error *err) {
    scree_step_record *record = &stepper->record;
    scree_status status =
        scree_solve(&record->problem, &stepper->solver, impulse, &record->report, err);
    if (!status && record->report.reason == SCREE_STOP_INFEASIBLE)
        status = solve_contradiction(stepper, impulse, err);
    return status;
}

// does the law hold with these impulses, now that bodies turn as they do?
static scree_status judge(scree_stepper *stepper, bool large, double *impulse, double *s,
                          scree_error *err) {
    scree_step_record *record = &stepper->record;
    scree_status status =
        large ? scree_large_solve(stepper, impulse, true, err) : assemble(stepper, err);
    if (status) return status;
    if (!large) record->report.residual = scree_problem_residual(&record->problem, impulse, s);
    record->report.converged =
        scree_residual_meets(record->report.residual, stepper->solver.tolerance);
    return SCREE_OK;
}

// One way of turning: problem -> impulses. Many contacts are solved without W; should that fail,
// and should they not be too many, all that there is for problems with W is tried.
static scree_status solve_once(scree_stepper *stepper, bool *large, double *impulse,
                               scree_error *err) {
    enum { MANY = 20000, PATIENT = 1000 };
    scree_report *report = &stepper->record.report;
    if (*large) {
        scree_status status = scree_large_solve(stepper, impulse, false, err);
        if (status || report->converged || stepper->set.active_count > MANY ||
            stepper->solver.max_sweeps < PATIENT)
            return status;
        *large = false;
        int sweeps = report->iterations;
        status = assemble(stepper, err);
        if (!status) status = solve(stepper, impulse, err);
        report->iterations += sweeps;
        return status;
    }
    return solve(stepper, impulse, err);
}

// contacts -> problem -> impulses. The problem holds for one way of turning: solved, then swept on
// until it is the one that the impulses lead to, as the judge sees it.
static scree_status find(scree_stepper *stepper, double *impulse, double *s, scree_error *err) {
    enum { PASSES = 60 };
    scree_step_record *record = &stepper->record;
    int iterations = 0;
    bool changed = true, large = scree_large_applies(stepper);
    record->problem = (scree_problem){ .dimension = stepper->model->dimension };
    scree_status status = large ? SCREE_OK : assemble(stepper, err);
    for (int pass = 0; !status && pass < PASSES; pass++) {
        bool again = pass > 0 && !large;
        status = again ? solve_again(stepper, pass, impulse, err)
                       : solve_once(stepper, &large, impulse, err);
        iterations += record->report.iterations;
        if (!status) status = refresh_pass(stepper, impulse, &changed, err);
        if (status || (!again && (!changed || !record->report.converged))) break;
        status = judge(stepper, large, impulse, s, err);
        if (record->report.converged) break;
    }
    record->report.iterations = iterations;
    if (!status && !large) scree_problem_velocity(&record->problem, impulse, s);
    return status;
}

scree_status scree_stepper_assemble(scree_stepper *stepper, scree_error *err) {
    return stepper->record.problem.contacts ? SCREE_OK : assemble(stepper, err);
}

scree_status scree_impulses_find(scree_stepper *stepper, double **impulse, double **s,
                                 scree_error *err) {
    scree_status status = begin_impulses(stepper, impulse, s, err);
    return status ? status : find(stepper, *impulse, *s, err);
}
