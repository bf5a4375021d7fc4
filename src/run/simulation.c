// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// simulation.c - step, book, add up: the loop body of every run.
// in: a scene or a model.   out: states with ledgers and totals.

#include "scree/simulation.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/elastic.h"
#include "run/build.h"
#include "run/fronts.h"
#include "run/integrator.h"
#include "run/overlaps.h"
#include "run/refusal.h"
#include "run/simulation.h"
#include "run/start.h"
#include "scene/scene.h"
#include "solve/solver_context.h"

// what integrators do not look at themselves
static scree_status check(const scree_model *model, const scree_run_options *options,
                          scree_error *err) {
    if (!scree_model_finished(model))
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE, "the model is not finished");
    if (!(options->duration > 0 && isfinite(options->duration)))
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                          "the duration must be positive, got %g", options->duration);
    if (options->store_every < 1)
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                          "every how many steps to store must be at least 1, got %d",
                          options->store_every);
    return scree_solver_find(options->solver.name, err) ? SCREE_OK : SCREE_BAD_INPUT;
}

// the integrator that serves, at the start; row: the one that was asked, also if it refuses
static scree_status make(scree_simulation *made, const scree_integrator_row **row,
                         scree_error *err) {
    const scree_integrator_input input = { made->scene, made->model, &made->options };
    made->options.scheme = scree_scheme_choose(made->model, &made->options.scheme);
    scree_solver_options *solver = &made->options.solver;
    if (isnan(solver->tolerance)) {
        solver->tolerance = scree_scheme_choose_tolerance(made->model, NULL);
        solver->worst = NAN;
    }
    if (isnan(solver->worst)) solver->worst = scree_scheme_worst(made->model, solver->tolerance);
    *row = scree_integrator_choose(&input);
    scree_status status = scree_simulation_make_state(made, err);
    if (!status) status = (*row)->make(&input, &made->integrator, err);
    if (status) return status;
    made->account = (scree_account){ .ledger = (*row)->ledger(made->integrator), .converged = 1 };
    made->totals = scree_totals_none();
    scree_simulation_show(made);
    return SCREE_OK;
}

scree_status scree_simulation_make_state(scree_simulation *simulation, scree_error *err) {
    const scree_model *model = simulation->model;
    if (simulation->places >= model->coordinates && simulation->dofs >= model->dofs)
        return SCREE_OK;
    int share = simulation->places ? 2 : 1;  // who grows once will grow again
    int places = share * model->coordinates, dofs = share * model->dofs;
    double *q = SCREE_NEW(&simulation->arena, double, places),
           *v = SCREE_NEW(&simulation->arena, double, dofs);
    if (!q || !v) return scree_fail_memory(err, NULL);
    simulation->places = places;
    simulation->dofs = dofs;
    simulation->state.q = q;
    simulation->state.v = v;
    return SCREE_OK;
}

void scree_simulation_show(scree_simulation *simulation) {
    const scree_state *now = &scree_simulation_record(simulation)->after;
    const scree_model *model = simulation->model;
    scree_state *shown = &simulation->state;
    shown->step = now->step;
    shown->time = now->time;
    memcpy(shown->q, now->q, (size_t)model->coordinates * sizeof *now->q);
    memcpy(shown->v, now->v, (size_t)model->dofs * sizeof *now->v);
}

scree_status scree_simulation_new(const scree_model *model, const scree_run_options *options,
                                  scree_simulation **simulation, scree_error *err) {
    *simulation = NULL;
    scree_status status = check(model, options, err);
    if (status) return status;
    const scree_integrator_row *row;
    scree_simulation *made = calloc(1, sizeof *made);
    if (!made) return scree_fail_memory(err, NULL);
    made->model = model;
    made->options = *options;
    status = make(made, &row, err);
    if (status)
        scree_simulation_free(made);
    else
        *simulation = made;
    return status;
}

void scree_simulation_free(scree_simulation *simulation) {
    if (!simulation) return;
    if (simulation->integrator) simulation->integrator->row->free(simulation->integrator);
    scree_model_free(simulation->own_model);
    scree_scene_free(simulation->scene);
    scree_findings_free(&simulation->warnings);
    for (int i = 0; i < simulation->past_models; i++) scree_model_free(simulation->past_model[i]);
    free(simulation->past_model);
    scree_arena_free(&simulation->arena);
    free(simulation->applied);
    free(simulation);
}

// the model of a scene, or NULL: what could not be read is complained about already
static scree_model *read_model(scree_scene *scene, scree_findings *findings) {
    const scree_scene_top *top = &scene->top;
    bool something =
        top->bodies.count || top->generate.count || top->elastic.count || top->system.section.node;
    if (scene->parameters_broken || (!something && findings->count)) return NULL;
    return scree_model_from_scene(scene, findings);
}

static bool are_options_readable(const scree_scene_top *top) {
    return top->scheme.section.node && !top->scheme.section.broken && !top->solver.section.broken &&
           !top->output.section.broken;
}

// where the scene puts things
static void check_start(scree_simulation *made, scree_findings *findings) {
    const scree_integrator_input *input = &made->integrator->input;
    const scree_step_record *record = scree_simulation_record(made);
    scree_error err = { 0 };
    if (made->options.accept_overlaps) return;
    scree_overlaps_at_start(input, record, findings);
    if (scree_fronts_check(input, record->after.q, findings, &made->warnings, &err))
        scree_findings_take(findings, SCREE_NOWHERE, &err);
}

// the integrator of a scene's simulation, at its start: that of the scene, or a state of a run
static void begin(scree_simulation *made, const scree_start *start, scree_findings *findings) {
    const scree_scene *scene = made->scene;
    const scree_integrator_row *row = &scree_integrator_stepper;
    scree_error err = { 0 };
    if (start) scree_start_wake(start, made->own_model);
    scree_status status = check(made->model, &made->options, &err);
    if (!status) status = make(made, &row, &err);
    if (status) {
        scree_findings_take(findings, scree_integrator_place(row, scene), &err);
        return;
    }
    if (start && scree_start_restore(start, scene->top.start.rest, made, &err))
        scree_findings_take(findings, scree_scene_place(&scene->top.start.section, "run"), &err);
    else
        check_start(made, findings);
}

scree_simulation *scree_simulation_build(scree_scene *scene, scree_findings *findings) {
    if (!scene) return NULL;
    scree_arena arena = { 0 };
    scree_simulation *made = calloc(1, sizeof *made);
    if (!made) {
        scree_findings_no_memory(findings);
        scree_scene_free(scene);
        return NULL;
    }
    made->scene = scene;
    made->options = scene->options;
    made->model = made->own_model = read_model(scene, findings);
    const scree_start *start = scree_start_find(scene, &arena, findings);
    if (made->model && are_options_readable(&scene->top)) begin(made, start, findings);
    scree_arena_free(&arena);
    if (made->integrator && !findings->count) return made;
    scree_simulation_free(made);
    return NULL;
}

scree_simulation *scree_simulation_open(const char *file, const char *const *overrides, int count,
                                        scree_findings *findings) {
    return scree_simulation_build(scree_scene_load(file, overrides, count, findings), findings);
}

scree_simulation *scree_simulation_parse(const char *name, const char *text, size_t length,
                                         const char *const *overrides, int count,
                                         scree_findings *findings) {
    return scree_simulation_parse_with(name, text, length, overrides, count, NULL, findings);
}

scree_simulation *scree_simulation_parse_with(const char *name, const char *text, size_t length,
                                              const char *const *overrides, int count,
                                              const scree_embedded_file *supply,
                                              scree_findings *findings) {
    scree_scene *scene = scree_scene_parse(name, text, length, overrides, count, findings);
    if (scene) scene->supply = supply;
    return scree_simulation_build(scene, findings);
}

// what the solver said, behind what is known of the reason
static void explain(const scree_simulation *simulation, scree_error *err) {
    const scree_refusal *refusal = &simulation->refusal;
    const scree_report *report = &scree_simulation_record(simulation)->report;
    scree_fail(err, SCREE_UNCONVERGED, SCREE_NOWHERE,
               "step %lld at time %.9g with %d contacts: %s (%s after %d iterations, residual "
               "%.3g, scaled %.3g, tolerance %.3g)",
               (long long)refusal->step, refusal->time, refusal->contacts, refusal->detail,
               scree_stop_reason_text(report->reason), report->iterations, report->residual.natural,
               report->residual.scaled, simulation->options.solver.tolerance);
}

static scree_refusal_reason reason_without_problem(scree_stop_reason said) {
    if (said == SCREE_STOP_TURNING) return SCREE_REFUSED_TURNING;
    return said == SCREE_STOP_INFEASIBLE ? SCREE_REFUSED_NO_SOLUTION : SCREE_REFUSED_NOT_FOUND;
}

// a step that the solver missed: where its problem is at hand, look into it
static void refuse(scree_simulation *simulation, int64_t step, double time, scree_error *err) {
    const scree_step_record *record = scree_simulation_record(simulation);
    bool problem = record->problem.contacts > 0 && !record->report.converged;
    scree_refusal *refusal = &simulation->refusal;
    if (problem)
        *refusal = scree_refusal_find(simulation->model, record, &simulation->options.solver);
    else
        *refusal = (scree_refusal){ .reason = reason_without_problem(record->report.reason),
                                    .advice = "take a smaller scheme.step" };
    if (!scree_simulation_row(simulation)->energies)
        snprintf(refusal->advice, sizeof refusal->advice, "look at how the parts of the set move");
    refusal->step = step;
    refusal->time = time;
    simulation->refused = true;
    if (problem && err)
        explain(simulation, err);
    else if (err)
        snprintf(refusal->detail, sizeof refusal->detail, "%s", err->text);
}

// a ledger that does not close: the step was taken and must not be believed
static void disbelieve(scree_simulation *simulation, const char *detail) {
    const scree_step_record *record = scree_simulation_record(simulation);
    simulation->refused = true;
    simulation->refusal = (scree_refusal){ .reason = SCREE_REFUSED_LEDGER,
                                           .step = record->after.step,
                                           .time = record->after.time,
                                           .contacts = record->active };
    snprintf(simulation->refusal.detail, sizeof simulation->refusal.detail, "%s", detail);
    snprintf(simulation->refusal.advice, sizeof simulation->refusal.advice,
             "this is a mistake in scree, or numbers too large for it: please report the scene");
}

static void count_engine(scree_simulation *simulation, const scree_step_record *record) {
    const char *name = record->report.solver;
    if (!record->active || !name || !record->report.converged) return;
    int i = 0;
    while (i < simulation->engines && strcmp(simulation->engine[i].solver, name) != 0) i++;
    if (i == SCREE_ENGINES) return;
    if (i == simulation->engines) simulation->engine[simulation->engines++].solver = name;
    simulation->engine[i].steps++;
}

int64_t scree_simulation_held(const scree_simulation *simulation) { return simulation->held; }

scree_eased_steps scree_simulation_eased(const scree_simulation *simulation) {
    return simulation->eased;
}

int scree_simulation_engines(const scree_simulation *simulation,
                             scree_engine_steps engine[SCREE_ENGINES]) {
    memcpy(engine, simulation->engine, (size_t)simulation->engines * sizeof *engine);
    return simulation->engines;
}

void scree_simulation_interrupt(scree_simulation *simulation, const volatile int *flag) {
    simulation->interrupt = flag;
    if (scree_simulation_row(simulation)->interrupt)
        scree_simulation_row(simulation)->interrupt(simulation->integrator, flag);
}

static void add_seconds(scree_step_seconds *sum, const scree_step_seconds *seconds) {
    sum->detect += seconds->detect;
    sum->solve += seconds->solve;
    sum->processor += seconds->processor;
    sum->finish += seconds->finish;
}

// does the step that was taken count?
static scree_status judge(scree_simulation *simulation, scree_error *err) {
    const scree_account *account = &simulation->account;
    const scree_ledger *ledger = &account->ledger;
    const scree_state *after = scree_simulation_state(simulation);
    if (!(isfinite(ledger->residual) && isfinite(ledger->bound))) {
        bool formula = isnan(ledger->potential) && simulation->model->mechanism;
        const char *why = formula ? "V(q) is not finite"
                                  : "velocities or positions are so large that energies are not "
                                    "finite any more";
        disbelieve(simulation, why);
        if (formula)
            snprintf(simulation->refusal.advice, sizeof simulation->refusal.advice,
                     "the mechanism has come where its potential has no value");
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE, "step %lld at time %.9g: %s",
                          (long long)after->step, after->time, why);
    }
    if (fabs(ledger->residual) <= ledger->bound) return SCREE_OK;
    disbelieve(simulation, "the energy ledger is off by more than rounding");
    return scree_fail(err, SCREE_LEDGER_BROKEN, SCREE_NOWHERE,
                      "step %lld at time %.9g: the energy ledger is off by %.3g, rounding explains "
                      "%.3g",
                      (long long)after->step, after->time, ledger->residual, ledger->bound);
}

static void note_turn(scree_simulation *simulation) {
    const scree_model *model = simulation->model;
    for (int e = 0; e < model->elastics; e++) {
        const scree_elastic_body *body = &model->elastic[e];
        double turn = scree_elastic_turn(body, simulation->state.q + body->coordinate);
        if (!(turn > simulation->turn)) continue;
        simulation->turn = turn;
        simulation->turned = e;
    }
}

scree_status scree_simulation_step(scree_simulation *simulation, scree_error *err) {
    const scree_integrator_row *row = scree_simulation_row(simulation);
    scree_integrator *integrator = simulation->integrator;
    scree_account *account = &simulation->account;
    int64_t step = simulation->state.step + 1;
    double time = simulation->state.time + simulation->options.scheme.step;
    simulation->refused = false;
    scree_status status = row->step(integrator, account, err);
    if (status == SCREE_UNCONVERGED && simulation->interrupt && *simulation->interrupt)
        return scree_fail(err, SCREE_INTERRUPTED, SCREE_NOWHERE,
                          "stopped within step %lld, which is not taken, at time %.9g",
                          (long long)step, simulation->state.time);
    if (status == SCREE_UNCONVERGED && simulation->options.accept_unconverged && row->accept)
        status = row->accept(integrator, account, err);
    if (status == SCREE_UNCONVERGED) refuse(simulation, step, time, err);
    scree_simulation_show(simulation);
    if (status) return status;
    account->ledger.exchange += simulation->exchange;
    simulation->exchange = 0;
    scree_totals_add(&simulation->totals, account);
    const scree_step_record *record = row->record(integrator);
    count_engine(simulation, record);
    simulation->held += record->held > 0;
    simulation->eased.steps += record->eased > 0;
    simulation->eased.opening = fmax(simulation->eased.opening, record->eased);
    add_seconds(&simulation->seconds, &record->seconds);
    note_turn(simulation);
    return judge(simulation, err);
}

int64_t scree_simulation_steps(const scree_simulation *simulation) {
    double steps = simulation->options.duration / simulation->options.scheme.step;
    double whole = nearbyint(steps);
    // a duration that is a whole number of steps but for rounding is meant to be one
    bool meant = whole >= 1 && fabs(steps - whole) <= 1e-9 * whole;
    return (int64_t)(meant ? whole : ceil(steps));
}

int64_t scree_simulation_left(const scree_simulation *simulation) {
    int64_t left = scree_simulation_steps(simulation) - scree_simulation_state(simulation)->step;
    return left > 0 ? left : 0;
}

const scree_model *scree_simulation_model(const scree_simulation *simulation) {
    return simulation->model;
}

const scree_scene *scree_simulation_scene(const scree_simulation *simulation) {
    return simulation->scene;
}

const scree_run_options *scree_simulation_options(const scree_simulation *simulation) {
    return &simulation->options;
}

scree_integration scree_simulation_integration(const scree_simulation *simulation) {
    const scree_integrator_row *row = scree_simulation_row(simulation);
    scree_integration about = { .integrator = row->name,
                                .method = row->method(simulation->integrator),
                                .method_key = row->method_key,
                                .energies = row->energies,
                                .problems = row->problems };
    row->describe(simulation->integrator, about.text, sizeof about.text);
    return about;
}

const scree_findings *scree_simulation_warnings(const scree_simulation *simulation) {
    return &simulation->warnings;
}

const scree_events *scree_simulation_events(const scree_simulation *simulation) {
    const scree_integrator_row *row = scree_simulation_row(simulation);
    return row->events ? row->events(simulation->integrator) : NULL;
}

const scree_state *scree_simulation_state(const scree_simulation *simulation) {
    return &simulation->state;
}

const scree_step_record *scree_simulation_record(const scree_simulation *simulation) {
    return scree_simulation_row(simulation)->record(simulation->integrator);
}

const scree_step_record *scree_simulation_snapshot(scree_simulation *simulation) {
    const scree_integrator_row *row = scree_simulation_row(simulation);
    return row->snapshot ? row->snapshot(simulation->integrator)
                         : row->record(simulation->integrator);
}

const scree_ledger *scree_simulation_ledger(const scree_simulation *simulation) {
    return &simulation->account.ledger;
}

double scree_simulation_energy(const scree_simulation *simulation) {
    const scree_ledger *ledger = scree_simulation_ledger(simulation);
    return ledger->kinetic + ledger->elastic + ledger->potential + ledger->spring;
}

const scree_account *scree_simulation_account(const scree_simulation *simulation) {
    return &simulation->account;
}

scree_step_seconds scree_simulation_seconds(const scree_simulation *simulation) {
    return simulation->seconds;
}

const scree_totals *scree_simulation_totals(const scree_simulation *simulation) {
    return &simulation->totals;
}

scree_elastic_route scree_simulation_elastic(const scree_simulation *simulation, int elastic) {
    return scree_simulation_row(simulation)->route(simulation->integrator, elastic);
}

scree_theorem scree_simulation_theorem(const scree_simulation *simulation) {
    return scree_totals_judge(&simulation->totals,
                              scree_simulation_row(simulation)->theorem(simulation->integrator));
}

bool scree_simulation_law(const scree_simulation *simulation, int i, scree_law_verdict *verdict) {
    const scree_integrator_row *row = scree_simulation_row(simulation);
    if (!scree_ledger_law(simulation->model, &simulation->options.scheme, i, verdict)) return false;
    if (!row->judges_laws) verdict->theorem = row->theorem(simulation->integrator);
    return true;
}

const scree_refusal *scree_simulation_refusal(const scree_simulation *simulation) {
    return simulation->refused ? &simulation->refusal : NULL;
}

scree_status scree_simulation_restore(scree_simulation *simulation, const scree_state *state,
                                      const scree_contact *contact, int contacts,
                                      const scree_totals *totals, scree_error *err) {
    const scree_integrator_row *row = scree_simulation_row(simulation);
    scree_status status = row->restore(simulation->integrator, state, contact, contacts, err);
    if (status) return status;
    simulation->account.ledger = row->ledger(simulation->integrator);
    simulation->totals = *totals;
    scree_simulation_show(simulation);
    return SCREE_OK;
}
