// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// impulses.c - problem -> impulses.
// in: active contacts, free velocity.   out: impulses, law velocities, report.
//
// contacts -> problem -> solve -> refresh, until the problem is the one that its answer leads to.
// That is a fixed point of H^T p; where it does not come at once, as with thin bodies that turn far
// in a step, it is accelerated (solve/anderson.h). Where there is no fixed point to be had bodies
// turn as they did with the best impulses, and their momentum with them: then one problem is left.

#include <math.h>
#include <string.h>

#include "scree/joint.h"
#include "solve/anderson.h"
#include "solve/policy.h"
#include "solve/solver_context.h"
#include "step/stepper.h"

// contacts -> problem, in the form that the solver wants
static scree_status build(scree_stepper *stepper, scree_error *err) {
    scree_status status = scree_problem_of_step(stepper, err);
    if (status) return status;
    return scree_solve_prepare(&stepper->record.problem, &stepper->solver, &stepper->scratch, err);
}

static void take_warm_start(const scree_stepper *stepper, double *impulse) {
    const scree_contact_set *set = &stepper->set;
    int d = stepper->model->dimension;
    for (int i = 0; i < set->active_count; i++)
        memcpy(impulse + (long)i * d, set->warm_start + SCREE_ROWS_MAX * (size_t)set->active[i],
               (size_t)d * sizeof *impulse);
}

// room for the impulses, with those of the last step in it
static scree_status begin_impulses(scree_stepper *stepper, double **impulse, double **s,
                                   scree_error *err) {
    const scree_contact_set *set = &stepper->set;
    int d = stepper->model->dimension;
    size_t numbers = (size_t)set->active_count * (size_t)d;
    *impulse = SCREE_NEW(&stepper->scratch, double, 2 * numbers);
    if (!*impulse)
        return scree_fail(err, SCREE_NO_MEMORY, SCREE_NOWHERE,
                          "out of memory for a problem of %d contacts", set->active_count);
    *s = *impulse + numbers;
    take_warm_start(stepper, *impulse);
    return SCREE_OK;
}

void scree_impulses_apply(scree_stepper *stepper, const double *impulse) {
    const scree_contact_set *set = &stepper->set;
    int d = stepper->model->dimension;
    scree_stepper_clear(stepper, stepper->work);
    for (int i = 0; i < set->active_count; i++) {
        if (i + SCREE_PREFETCH_DISTANCE < set->active_count)
            scree_contacts_prefetch(stepper, set->active[i + SCREE_PREFETCH_DISTANCE],
                                    stepper->work);
        scree_contacts_apply_impulse(set, set->active[i], impulse + (long)i * d, stepper->work);
    }
}

// of bodies, whose width is known where it is called
static inline __attribute__((always_inline)) void find_mean_of_bodies(scree_stepper *stepper,
                                                                      int width) {
    const double *v = stepper->start_velocity, *after = stepper->record.after.v;
    for (int k = 0; k < stepper->presence.count; k++) {
        long i = stepper->presence.body[k];
        double own = stepper->body_theta[i];
        for (long dof = i * width; dof < (i + 1) * width; dof++)
            stepper->mean_velocity[dof] = (1 - own) * v[dof] + own * after[dof];
    }
}

static void find_mean_velocity(scree_stepper *stepper) {
    const scree_model *model = stepper->model;
    const double *v = stepper->start_velocity, *after = stepper->record.after.v;
    double *mean = stepper->mean_velocity, theta = stepper->scheme.theta;
    if (model->space == 2)
        find_mean_of_bodies(stepper, 3);
    else
        find_mean_of_bodies(stepper, 6);
    for (int i = model->bodies * model->body_dofs; i < model->dofs; i++)
        mean[i] = (1 - theta) * v[i] + theta * after[i];
}

void scree_impulses_move(scree_stepper *stepper, const double *impulse) {
    bool pushed = stepper->set.active_count > 0;
    if (pushed) scree_impulses_apply(stepper, impulse);
    for (int k = 0; k < stepper->rows; k++)
        stepper->parts[k].kind->advance(&stepper->parts[k], &stepper->stage, pushed);
    if (stepper->mean_velocity) find_mean_velocity(stepper);
}

enum {
    PASSES = 80,  // in all
    HASTY = 30,   // where bodies touch that may be jammed
    EARLY = 12,   // where Newton comes next
    PLAIN = 3,    // those that are not accelerated
    IDLE = 10,    // those in which the error does not halve
};

typedef struct turning {
    scree_anderson history;
    double *push;  // that bodies turn with in the problem (dofs)
    double *best;  // impulses of the pass with the least residual (active x dimension)
    double least;  // that residual
    double last;   // the residual of the pass before
    int idle;      // passes since the least residual was halved
    bool changed;  // impulses turn bodies otherwise than was thought
} turning;

// where the step ends with these impulses, into the record; push may be stepper->work
static void move(scree_stepper *stepper, const double *push) {
    if (push != stepper->work)
        memcpy(stepper->work, push, (size_t)stepper->model->dofs * sizeof *push);
    for (int k = 0; k < stepper->rows; k++)
        stepper->parts[k].kind->advance(&stepper->parts[k], &stepper->stage, true);
}

// stepper->work is overwritten where H follows the step
scree_status scree_impulses_turn(scree_stepper *stepper, const double *push, bool *changed,
                                 scree_error *err) {
    scree_status status = scree_free_refresh(stepper, push, changed, err);
    if (!status && stepper->follows) {
        move(stepper, push);
        scree_stepper_follow(stepper, stepper->record.after.q, changed);
    }
    if (*changed) scree_contacts_update_velocities(stepper);
    return status;
}

// Let the bodies turn as the impulses make them, and see whether that changed anything. Where H
// followed, H^T p is another one: bodies turn with that which will move them, to rounding.
static scree_status refresh_pass(scree_stepper *stepper, const double *impulse, bool *changed,
                                 scree_error *err) {
    *changed = false;
    bool moves = stepper->refreshes || stepper->follows, again = false;
    if (!moves || !stepper->set.active_count) return SCREE_OK;
    scree_impulses_apply(stepper, impulse);
    scree_status status = scree_impulses_turn(stepper, stepper->work, changed, err);
    if (status || !*changed || !stepper->follows || !stepper->refreshes) return status;
    scree_impulses_apply(stepper, impulse);
    status = scree_free_refresh(stepper, stepper->work, &again, err);
    if (again) scree_contacts_update_velocities(stepper);
    return status;
}

// does the law hold with these impulses, now that bodies turn as they do?
scree_status scree_impulses_judge(scree_stepper *stepper, const double *impulse, double *s,
                                  scree_error *err) {
    scree_step_record *record = &stepper->record;
    scree_status status = build(stepper, err);
    if (status) return status;
    scree_residual asked = record->report.residual =
        scree_problem_residual(&record->problem, impulse, s);
    if (stepper->solver.criterion == SCREE_CRITERION_SCALED) asked.natural = 0;
    record->report.converged = scree_residual_meets(asked, stepper->solver.tolerance);
    return SCREE_OK;
}

static scree_status begin_turning(scree_stepper *stepper, turning *now, scree_error *err) {
    int dofs = stepper->model->dofs;
    size_t n = (size_t)stepper->set.active_count * (size_t)stepper->model->dimension;
    now->push = SCREE_NEW(&stepper->scratch, double, dofs);
    now->best = SCREE_NEW(&stepper->scratch, double, n);
    if (!now->push || !now->best ||
        !scree_anderson_init(&now->history, dofs, SCREE_ANDERSON_MAX, NULL, &stepper->scratch))
        return scree_fail_memory(err, NULL);
    return SCREE_OK;
}

// Keep the best impulses. A mixture that leads astray forgets the history; a plain pass that does
// so is what the history is for: bodies that are pressed hard and joined have passes whose errors
// grow eightfold, and a column takes that way of growing out. Where problems have several solutions
// passes jump between them: the last ones begin with the best and stay near it.
static void keep_best(scree_stepper *stepper, turning *now, int pass, double *impulse) {
    size_t n = (size_t)stepper->set.active_count * (size_t)stepper->model->dimension;
    double error = scree_residual_max(stepper->record.report.residual);
    if (error > 10 * now->last && now->history.count > 0) scree_anderson_reset(&now->history);
    now->last = error;
    now->idle = error < now->least / 2 ? 0 : now->idle + 1;
    if (error < now->least) memcpy(now->best, impulse, n * sizeof *impulse);
    now->least = fmin(now->least, error);
    if (pass + 1 != SCREE_POLICY_LOCAL) return;
    memcpy(impulse, now->best, n * sizeof *impulse);
    scree_anderson_reset(&now->history);
}

static void go_half_way(scree_stepper *stepper, turning *now) {
    for (int i = 0; i < stepper->model->dofs; i++)
        now->push[i] = (now->push[i] + stepper->work[i]) / 2;
    scree_anderson_reset(&now->history);
    now->idle = 0;
}

// The next way of turning to try: that of the impulses, from pass PLAIN on a mixture with those
// before. Where a status changes mixtures may stay where they are: then half way on, and anew.
static scree_status turn_on(scree_stepper *stepper, turning *now, int pass, double *impulse,
                            scree_error *err) {
    size_t bytes = (size_t)stepper->model->dofs * sizeof *now->push;
    bool changed = false, first = !now->push;
    if (pass + 1 < PLAIN) return stepper->ease > 0 ? build(stepper, err) : SCREE_OK;
    scree_status status = first ? begin_turning(stepper, now, err) : SCREE_OK;
    if (status) return status;
    keep_best(stepper, now, pass, impulse);
    scree_impulses_apply(stepper, impulse);
    if (first || pass + 1 == SCREE_POLICY_LOCAL)
        memcpy(now->push, stepper->work, bytes);
    else if (now->idle < IDLE)
        scree_anderson_mix(&now->history, stepper->work, now->push);
    else
        go_half_way(stepper, now);
    status = scree_impulses_turn(stepper, now->push, &changed, err);
    if (status) {  // too far: as the impulses have it
        scree_anderson_reset(&now->history);
        scree_impulses_apply(stepper, impulse);
        memcpy(now->push, stepper->work, bytes);
        status = scree_impulses_turn(stepper, now->push, &changed, err);
    }
    return status ? status : build(stepper, err);
}

// can everything be held that turns with the impulses?
static bool can_hold(const scree_stepper *stepper) {
    for (int k = 0; k < stepper->rows; k++)
        if (stepper->parts[k].refreshes && !stepper->parts[k].kind->holds) return false;
    return true;
}

static void mark(const scree_stepper *stepper, int side, bool *held) {
    if (side < 0 || side >= stepper->model->bodies) return;
    const scree_body *body = &stepper->model->body[side];
    if (scree_body_moves(body) && !scree_body_isotropic(body)) held[side] = true;
}

// hold the bodies that touch, or let go of all; how they turn and velocities follow
static scree_status hold(scree_stepper *stepper, bool *held, scree_error *err) {
    const scree_contact_set *set = &stepper->set;
    for (int k = 0; held && k < set->active_count; k++) {
        mark(stepper, set->contact[set->active[k]].a, held);
        mark(stepper, set->contact[set->active[k]].b, held);
    }
    stepper->record.held = 0;
    for (int i = 0; held && i < stepper->model->bodies; i++) stepper->record.held += held[i];
    stepper->stage.held = held;
    scree_status status = scree_free_velocity(stepper, err);
    if (!status) scree_contacts_update_velocities(stepper);
    return status;
}

// The passes lead nowhere: bodies turn as they do with the best impulses. Rows of joints depend on
// where the step ends all the same, and must hold there.
static scree_status find_held(scree_stepper *stepper, const turning *now, double *impulse,
                              double *s, scree_error *err) {
    scree_report *report = &stepper->record.report;
    size_t n = (size_t)stepper->set.active_count * (size_t)stepper->model->dimension;
    bool changed, *held = SCREE_NEW(&stepper->scratch, bool, stepper->model->bodies);
    if (!held) return scree_fail_memory(err, NULL);
    if (now->best) memcpy(impulse, now->best, n * sizeof *impulse);
    scree_impulses_apply(stepper, impulse);
    scree_status status = scree_impulses_turn(stepper, stepper->work, &changed, err);
    if (!status) status = hold(stepper, held, err);
    if (!status) status = build(stepper, err);
    if (!status)
        status =
            scree_policy_solve(&stepper->record.problem, &stepper->solver, impulse, report, err);
    if (status || !report->converged || !stepper->follows) return status;
    status = refresh_pass(stepper, impulse, &changed, err);
    if (!status) status = scree_impulses_judge(stepper, impulse, s, err);
    if (!report->converged) report->reason = SCREE_STOP_TURNING;
    return status;
}

// back to impulses of an earlier pass, which are no answer but come close, and bodies let go
static scree_status go_back(scree_stepper *stepper, const double *best, double *impulse, double *s,
                            scree_error *err) {
    scree_report *report = &stepper->record.report;
    size_t n = (size_t)stepper->set.active_count * (size_t)stepper->model->dimension;
    bool changed;
    memcpy(impulse, best, n * sizeof *impulse);
    scree_status status = stepper->stage.held ? hold(stepper, NULL, err) : SCREE_OK;
    for (int turn = 0; !status && turn < 2; turn++)  // the second with the H that the first led to
        status = refresh_pass(stepper, impulse, &changed, err);
    if (!status) status = scree_impulses_judge(stepper, impulse, s, err);
    if (!report->converged) report->reason = SCREE_STOP_TURNING;
    return status;
}

// Loose impulses are asked for to see where they lead. Where they are found by sweeps on the way to
// exact ones these are asked for at once.
static void ask_halfway(scree_stepper *stepper) {
    bool sees = stepper->halfway && !stepper->refreshes && !stepper->follows;
    if (!sees || !scree_solve_takes_bodies(&stepper->record.problem, &stepper->exact)) return;
    stepper->solver = stepper->exact;
    stepper->solver.workspace->halfway = stepper->halfway;
}

// Where engines miss the tolerance a step may be taken with what they reach. That is judged where
// bodies turn as these impulses make them, too.
static bool comes_close(const scree_stepper *stepper) {
    return scree_residual_meets(stepper->record.report.residual,
                                fmax(stepper->solver.worst, stepper->solver.tolerance));
}

// contacts -> problem -> impulses. The problem holds for one way of turning: solved, then swept on
// until it is the one that the impulses lead to, as the judge sees it. Equations of joints are
// eased by stepper->ease, which comes down to `least` as passes settle. most: where an engine or
// so many passes do not get on there is another way.
static scree_status find_once(scree_stepper *stepper, double least, int most, double *impulse,
                              double *s, scree_error *err) {
    const double next = 0.01;
    scree_step_record *record = &stepper->record;
    scree_report *report = &record->report;
    bool hasty = most < PASSES;
    turning now = { .least = HUGE_VAL, .last = HUGE_VAL };  // its history begins when it is needed
    int iterations = 0;
    bool missed = false;  // the tolerance, by an engine
    scree_status status = stepper->stage.held ? hold(stepper, NULL, err) : SCREE_OK;
    if (!status) status = build(stepper, err);
    if (!status) ask_halfway(stepper);
    scree_solver_options own = stepper->solver;
    if (hasty && own.max_sweeps > SCREE_POLICY_HASTY) own.max_sweeps = SCREE_POLICY_HASTY;
    for (int pass = 0; !status && pass < most; pass++) {
        const scree_problem *problem = &record->problem;
        bool again = (pass > 0 && problem->block) || stepper->ease > least;
        status = pass ? scree_policy_again(problem, &own, pass, impulse, report, err)
                      : scree_policy_solve(problem, &own, impulse, report, err);
        iterations += report->iterations;
        if (hasty && !status && !report->converged) break;
        scree_stop_reason reason = report->reason;
        missed |= !again && !report->converged;
        bool hopeless = missed && !comes_close(stepper);
        if (!status) status = refresh_pass(stepper, impulse, &now.changed, err);
        if (status || (!again && (!now.changed || hopeless))) break;
        status = scree_impulses_judge(stepper, impulse, s, err);
        if (status || (report->converged && stepper->ease <= least)) break;
        if (missed && stepper->ease <= least && comes_close(stepper)) {
            report->reason = reason;
            break;
        }
        if (report->converged || scree_residual_max(report->residual) < stepper->ease)
            stepper->ease = fmax(next * stepper->ease, least);
        report->converged = false;
        report->reason = SCREE_STOP_TURNING;
        if (pass + 1 < most) status = turn_on(stepper, &now, pass, impulse, err);
    }
    bool lost = !status && !report->converged && report->reason == SCREE_STOP_TURNING;
    if (lost && !hasty && can_hold(stepper)) {
        status = find_held(stepper, &now, impulse, s, err);
        iterations += report->iterations;
    }
    if (lost && !status && !report->converged && now.best)
        status = go_back(stepper, now.best, impulse, s, err);
    report->iterations = iterations;
    if (!status && record->problem.block) scree_problem_velocity(&record->problem, impulse, s);
    return status;
}

// what compliance does in a step: that of joints' equations, or of contacts
typedef struct easing {
    double opening;  // of the joint's size, or the smaller shape's
    double work;     // that joints take [J]
} easing;

static easing easing_of(const scree_stepper *stepper, const double *impulse) {
    const scree_problem *problem = &stepper->record.problem;
    const scree_contact_set *set = &stepper->set;
    int d = problem->dimension;
    easing most = { 0 };
    for (int i = 0; problem->compliance && i < problem->contacts; i++) {
        const scree_contact *contact = &set->contact[set->active[i]];
        const scree_row_law *law = scree_contacts_row_law(set, set->active[i]);
        double theta = scree_stepper_theta(stepper, contact);
        double size = law || !(contact->size > 0) ? set->gap_scale[set->active[i]] : contact->size;
        for (int r = 0; !(law && law->soft) && r < d; r++) {
            double p = impulse[i * d + r], way = theta * problem->compliance[i * d + r] * fabs(p);
            most.opening = fmax(most.opening, stepper->scheme.step * way / size);
            if (law) most.work += way * fabs(p);
        }
    }
    return most;
}

double scree_impulses_energy(const scree_stepper *stepper) {
    scree_ledger ledger = { 0 };
    for (int k = 0; k < stepper->rows; k++)
        stepper->parts[k].kind->energies(&stepper->parts[k], &stepper->record.before, &ledger);
    return ledger.kinetic;
}

// nothing is proven, and no answer found
static bool is_unsolved(const scree_stepper *stepper) {
    const scree_report *report = &stepper->record.report;
    return stepper->follows && !report->converged && report->reason != SCREE_STOP_INFEASIBLE;
}

// The passes lead nowhere, or engines do not get on where equations of joints follow from others
// and those of a pass, which are a little off, contradict each other.
static bool is_lost(const scree_stepper *stepper) {
    return is_unsolved(stepper) && (stepper->record.report.reason == SCREE_STOP_TURNING ||
                                    scree_model_assembly(stepper->model).redundant);
}

// ---- passes that stay near their last impulses (near.c)

typedef struct nearness {
    double share;  // of mobility, what rows give way by as their impulses change
    double error;  // of the pass before
    double *kept;  // its impulses (active x dimension)
} nearness;

static scree_status solve_near(scree_stepper *stepper, const nearness *now, double *impulse,
                               scree_error *err) {
    scree_problem *problem = &stepper->record.problem;
    scree_solver_options tighter = stepper->solver;
    tighter.tolerance /= 10;
    scree_status status = scree_problem_near(stepper, now->kept, now->share, err);
    if (!status) status = scree_solve_prepare(problem, &stepper->solver, &stepper->scratch, err);
    if (!status) status = scree_solve(problem, &tighter, impulse, &stepper->record.report, err);
    return status;
}

// Impulses of a pass, or part of the way to them where the whole leads astray; its error.
static scree_status go_near(scree_stepper *stepper, const nearness *now, double *impulse, double *s,
                            double *error, scree_error *err) {
    enum { HALVINGS = 6 };
    size_t n = (size_t)stepper->set.active_count * (size_t)stepper->model->dimension;
    bool changed;
    scree_status status = SCREE_OK;
    for (int k = 0; !status && k <= HALVINGS; k++) {
        for (size_t i = 0; k > 0 && i < n; i++) impulse[i] = (impulse[i] + now->kept[i]) / 2;
        status = refresh_pass(stepper, impulse, &changed, err);
        if (!status) status = scree_impulses_judge(stepper, impulse, s, err);
        *error = scree_residual_max(stepper->record.report.residual);
        if (*error < now->error) break;
    }
    return status;
}

// as little held as it takes to get on: the less a pass is the nearer it comes, until it jumps to
// another solution
static scree_status find_near(scree_stepper *stepper, double *impulse, double *s,
                              scree_error *err) {
    enum { MOST = 150, REFUSALS = 3 };
    const double first = 0.1, least = 1e-9, most = 100;
    scree_report *report = &stepper->record.report;
    size_t n = (size_t)stepper->set.active_count * (size_t)stepper->model->dimension;
    nearness now = { first, HUGE_VAL, SCREE_NEW(&stepper->scratch, double, n) };
    bool changed = false;
    int iterations = 0, refusals = 0;
    if (!now.kept) return scree_fail_memory(err, NULL);
    scree_status status = stepper->stage.held ? hold(stepper, NULL, err) : SCREE_OK;
    for (int turn = 0; !status && turn < 2; turn++)
        status = refresh_pass(stepper, impulse, &changed, err);
    for (int pass = 0; !status && pass < MOST && now.share <= most; pass++) {
        double error = HUGE_VAL;
        memcpy(now.kept, impulse, n * sizeof *impulse);
        status = solve_near(stepper, &now, impulse, err);
        iterations += report->iterations;
        if (!status) status = go_near(stepper, &now, impulse, s, &error, err);
        if (status || report->converged) break;
        if (error < now.error) {
            now.share = fmax(now.share / (error < now.error / 10 ? 3 : 10), least);
            now.error = error;
            refusals = 0;
        } else if (refusals++ < REFUSALS) {
            now.share *= 4;
            memcpy(impulse, now.kept, n * sizeof *impulse);
            status = refresh_pass(stepper, impulse, &changed, err);
        } else {
            now.share *= 4;
            now.error = error;
            refusals = 0;
        }
    }
    report->iterations = iterations;
    if (!report->converged) report->reason = SCREE_STOP_TURNING;
    return status;
}

static bool has_contacts(const scree_stepper *stepper) {
    const scree_contact_set *set = &stepper->set;
    for (int k = 0; k < set->active_count; k++)
        if (!scree_contacts_row_law(set, set->active[k])) return true;
    return false;
}

// Bodies in joints that are jammed: contacts are planes in a step, joints the circles that they
// are, and what is wedged between joined bodies can have no room to turn with them. Then contacts
// give way, as little as it takes: that takes energy, and what it lets sink is corrected.
static scree_status find_given(scree_stepper *stepper, double *impulse, double *s,
                               scree_error *err) {
    static const double give[] = { 1e-4, 1e-3, 1e-5, 1e-6, 0 };
    const double wide = 1e-3, energy = scree_impulses_energy(stepper);
    scree_report *report = &stepper->record.report;
    size_t n = (size_t)stepper->set.active_count * (size_t)stepper->model->dimension;
    double *kept = SCREE_NEW(&stepper->scratch, double, n);
    if (!kept) return scree_fail_memory(err, NULL);
    memcpy(kept, impulse, n * sizeof *kept);
    scree_status status = SCREE_OK;
    bool fine = false, touches = has_contacts(stepper);
    for (size_t k = 0; !status && !fine && k < sizeof give / sizeof *give; k++) {
        if (give[k] > 0 && !touches) continue;
        stepper->give = give[k];
        take_warm_start(stepper, impulse);
        status = find_near(stepper, impulse, s, err);
        stepper->record.eased = give[k] > 0 ? easing_of(stepper, impulse).opening : 0;
        fine = report->converged && stepper->record.eased <= wide &&
               (touches || report->residual.work <= stepper->solver.tolerance * energy);
    }
    stepper->give = 0;
    if (status || fine) return status;
    stepper->record.eased = 0;
    report->converged = false;
    return go_back(stepper, kept, impulse, s, err);
}

// Where a closed linkage lies flat or stretched its H loses rank: reactions that do nothing there
// are not determined, and passes lead nowhere. Then equations give way by a compliance, as little
// as it takes, so that these reactions are small; what that leaves open the next step takes back.
static scree_status find_eased(scree_stepper *stepper, double *impulse, double *s,
                               scree_error *err) {
    static const double ease[] = { 1e-8, 1e-7, 1e-6, 3e-6, 1e-5, 3e-5, 1e-4, 3e-4, 1e-3 };
    const double wide = 1e-6;
    scree_report *report = &stepper->record.report;
    scree_stop_reason reason = report->reason;
    size_t n = (size_t)stepper->set.active_count * (size_t)stepper->model->dimension;
    double energy = scree_impulses_energy(stepper);
    double *kept = SCREE_NEW(&stepper->scratch, double, n);
    if (!kept) return scree_fail(err, SCREE_NO_MEMORY, SCREE_NOWHERE, "out of memory");
    memcpy(kept, impulse, n * sizeof *kept);
    scree_status status = SCREE_OK;
    bool lost = true, fine = false;
    for (size_t k = 0; !status && lost && k < sizeof ease / sizeof *ease; k++) {
        stepper->ease = ease[k];
        memset(impulse, 0, n * sizeof *impulse);
        status = find_once(stepper, ease[k], PASSES, impulse, s, err);
        lost = is_lost(stepper);
        easing found = easing_of(stepper, impulse);
        stepper->record.eased = found.opening;
        fine = report->converged && found.opening <= wide && found.work <= wide * energy;
    }
    stepper->ease = 0;
    if (status || fine) return status;
    stepper->record.eased = 0;
    status = go_back(stepper, kept, impulse, s, err);
    if (!report->converged) report->reason = reason;
    return status;
}

// Equations that follow from others contradict each other in a pass that is a little off: together
// they would hold what is free. So they give way at first, and then less and less, in the end by
// a tenth of the solver's tolerance.
static scree_status find(scree_stepper *stepper, double *impulse, double *s, scree_error *err) {
    const double first = 1e-6, slight = fmin(first, stepper->solver.tolerance / 10);
    bool redundant = stepper->follows && scree_model_assembly(stepper->model).redundant;
    stepper->record.eased = 0;
    stepper->ease = redundant ? first : 0;
    double least = redundant ? slight : 0;
    bool jams = stepper->follows && has_contacts(stepper), curves = scree_tangent_serves(stepper);
    int most = jams ? HASTY : curves ? EARLY : PASSES;
    scree_status status = find_once(stepper, least, most, impulse, s, err);
    if (!status && curves && is_unsolved(stepper)) {
        take_warm_start(stepper, impulse);
        stepper->ease = least;
        status = scree_tangent_find(stepper, impulse, s, err);
    }
    stepper->ease = 0;
    if (!status && jams && is_unsolved(stepper)) {
        status = find_given(stepper, impulse, s, err);
        if (status || !is_unsolved(stepper)) return status;
    }
    if (!status && most < PASSES && is_unsolved(stepper)) {
        take_warm_start(stepper, impulse);
        stepper->ease = redundant ? first : 0;
        status = find_once(stepper, least, PASSES, impulse, s, err);
        stepper->ease = 0;
    }
    if (status || !is_lost(stepper)) return status;
    status = find_eased(stepper, impulse, s, err);
    return status || jams || !is_lost(stepper) ? status : find_given(stepper, impulse, s, err);
}

// a step without contacts has an empty problem
static scree_status find_none(scree_stepper *stepper, scree_error *err) {
    scree_step_record *record = &stepper->record;
    record->problem = (scree_problem){ .dimension = stepper->model->dimension };
    record->eased = 0;
    return scree_solve(&record->problem, &stepper->solver, NULL, &record->report, err);
}

scree_status scree_impulses_find(scree_stepper *stepper, double **impulse, double **s,
                                 scree_error *err) {
    *impulse = *s = NULL;
    if (!stepper->set.active_count && !stepper->stage.held) return find_none(stepper, err);
    scree_status status = begin_impulses(stepper, impulse, s, err);
    return status ? status : find(stepper, *impulse, *s, err);
}
