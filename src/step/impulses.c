// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// impulses.c - active contacts -> problem -> impulses.
// in: active contacts, free velocity.   out: impulses, law velocities, report.

#include <math.h>
#include <string.h>

#include "step/stepper.h"

// laws that are more than restitution and friction
static scree_status add_laws(scree_stepper *stepper, scree_problem *problem, scree_error *err) {
    const scree_contact_set *set = &stepper->set;
    int nc = set->active_count;
    bool second = false, cohesion = false;
    for (int i = 0; i < nc; i++) {
        second |= set->contact[set->active[i]].friction_second > 0;
        cohesion |= set->contact[set->active[i]].cohesion > 0;
    }
    bool rolling = problem->dimension == 5;
    if (!second && !cohesion && !rolling) return SCREE_OK;
    double *other = SCREE_NEW(&stepper->scratch, double, nc);
    double *roll = SCREE_NEW(&stepper->scratch, double, nc);
    double *pull = SCREE_NEW(&stepper->scratch, double, nc);
    if (!other || !roll || !pull)
        return scree_fail(err, SCREE_NO_MEMORY, SCREE_NOWHERE,
                          "out of memory for a problem of %d contacts", nc);
    for (int i = 0; i < nc; i++) {
        const scree_contact *contact = &set->contact[set->active[i]];
        other[i] = contact->friction_second > 0 ? contact->friction_second : contact->friction;
        roll[i] = contact->rolling;
        pull[i] = contact->cohesion * stepper->scheme.step;
    }
    if (second) problem->mu_second = other;
    if (cohesion) problem->cohesion = pull;
    if (rolling) problem->mu_rolling = roll;
    return SCREE_OK;
}

double scree_stepper_share(const scree_stepper *stepper, const scree_contact *contact, int row) {
    if (row) return contact->tangential_restitution;
    // To a contact that separates Newton's law would give energy, the law on the mean velocity does
    // not: one that is kept, or one that approached while bodies were thought to turn freely and
    // separates the way they turn with the impulses.
    bool mean = stepper->scheme.approach == SCREE_APPROACH_KEPT ||
                (stepper->scheme.name == SCREE_MOREAU_JEAN_FREMOND &&
                 stepper->scheme.approach == SCREE_APPROACH_REQUIRED);
    double most = (1 - stepper->scheme.theta) / stepper->scheme.theta;
    return mean && contact->u_before[0] > 0 ? fmax(contact->restitution, most)
                                            : contact->restitution;
}

// b = u_free + (e u_N, tau u_T) of one contact
static void find_law_velocity(const scree_stepper *stepper, int i, double *b) {
    const scree_contact *contact = &stepper->set.contact[i];
    scree_contacts_velocity(stepper->model, &stepper->set, i, stepper->free_velocity, false, b);
    for (int k = 0; k < stepper->model->dimension; k++)
        b[k] +=
            contact->w_after[k] + scree_stepper_share(stepper, contact, k) * contact->u_before[k];
}

// contacts -> problem: W, b, mu
static scree_status assemble(scree_stepper *stepper, scree_error *err) {
    const scree_model *model = stepper->model;
    scree_contact_set *set = &stepper->set;
    scree_problem *problem = &stepper->record.problem;
    int nc = set->active_count, d = model->dimension;
    *problem = (scree_problem){ .dimension = d };
    if (nc == 0) return SCREE_OK;
    scree_jacobian_rows *rows = SCREE_NEW(&stepper->scratch, scree_jacobian_rows, nc);
    double *b = SCREE_NEW(&stepper->scratch, double, nc *d);
    double *mu = SCREE_NEW(&stepper->scratch, double, nc);
    bool fine = rows && b && mu;
    for (int i = 0; fine && i < nc; i++) {
        find_law_velocity(stepper, set->active[i], b + (long)i * d);
        mu[i] = set->contact[set->active[i]].friction;
        fine = scree_contacts_rows(model, set, set->active[i], &stepper->inertia, &stepper->scratch,
                                   &rows[i]);
    }
    if (!fine)
        return scree_fail(err, SCREE_NO_MEMORY, SCREE_NOWHERE,
                          "out of memory for a problem of %d contacts", nc);
    scree_status status =
        scree_assemble_W(rows, nc, d, &stepper->inertia, &stepper->scratch, problem, err);
    if (status) return status;
    problem->b = b;
    problem->mu = mu;
    return add_laws(stepper, problem, err);
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
        memcpy(*impulse + (long)i * d, set->wanted + SCREE_ROWS_MAX * (size_t)set->active[i],
               (size_t)d * sizeof **impulse);
    return SCREE_OK;
}

void scree_impulses_push(scree_stepper *stepper, const double *impulse) {
    const scree_contact_set *set = &stepper->set;
    int d = stepper->model->dimension;
    memset(stepper->work, 0, (size_t)stepper->model->dofs * sizeof *stepper->work);
    for (int i = 0; i < set->active_count; i++) {
        if (i + SCREE_AHEAD < set->active_count)
            scree_stepper_ask(stepper, set->active[i + SCREE_AHEAD], stepper->work);
        scree_contacts_push(stepper->model, set, set->active[i], impulse + (long)i * d,
                            stepper->work);
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
static scree_status follow_turning(scree_stepper *stepper, const double *impulse, bool *changed,
                                   scree_error *err) {
    *changed = false;
    if (!stepper->refreshes || !stepper->set.active_count) return SCREE_OK;
    scree_impulses_push(stepper, impulse);
    scree_status status = scree_free_follow(stepper, stepper->work, changed, err);
    if (*changed) scree_stepper_see(stepper);
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
        if (!status) status = follow_turning(stepper, impulse, &changed, err);
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
