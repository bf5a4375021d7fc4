// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// stepper.c - one step of any scheme that has steps; scree_stepper_advance is the engine's table of
// contents.
// in: model, state.   out: next state, contacts, report.   work: an arena that is empty in between.

#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/dense.h"
#include "law/status.h"
#include "step/stepper.h"

const char *scree_contact_status_name(scree_contact_status status) {
    static const char *const name[] = { "inactive", "open", "stick", "slip" };
    return name[status];
}

static bool any_deforms(const scree_model *model) {
    const scree_parts *row;
    int rows = scree_model_parts(model, &row);
    for (int k = 0; k < rows; k++)
        if (row[k].kind->deforms) return true;
    return false;
}

// what the row of a scheme has to say about a model
static scree_status check_row(const scree_model *model, const scree_scheme_options *scheme,
                              scree_error *err) {
    const scree_scheme_row *row = scree_scheme_row_of(scheme);
    if (!isnan(row->alpha) && (model->bodies || model->elastics))
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                          "%s is for systems given by their matrices: there are bodies", row->name);
    if (!isnan(row->alpha) && model->joints && scheme->theta != row->alpha)
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                          "%s with joints has theta %g, for which its equations and places are of "
                          "one velocity, got %g",
                          row->name, row->alpha, scheme->theta);
    for (int c = 0; row->inelastic && c < model->matrix_contacts; c++) {
        const scree_matrix_contact *contact = &model->matrix_contact[c];
        const scree_law *law = &contact->law;
        if (law->impact == SCREE_IMPACT_FREMOND)
            return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                              "contact %s: %s has no impact law to choose; moreau-jean has",
                              contact->name, row->name);
        if (law->restitution > 0 || law->tangential_restitution > 0)
            return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                              "contact %s: %s has no %srestitution, got %g; moreau-jean has",
                              contact->name, row->name, law->restitution > 0 ? "" : "tangential ",
                              fmax(law->restitution, law->tangential_restitution));
    }
    return SCREE_OK;
}

static scree_status check_parts(const scree_model *model, const scree_scheme_options *given,
                                scree_error *err) {
    const scree_scheme_options scheme = scree_scheme_choose(model, given);
    scree_status status = SCREE_OK;
    const scree_parts *row;
    int rows = scree_model_parts(model, &row);
    for (int k = 0; !status && k < rows; k++)
        if (row[k].kind->accepts) status = row[k].kind->accepts(&row[k], &scheme, err);
    return status;
}

static scree_status check_options(const scree_model *model, const scree_scheme_options *scheme,
                                  const scree_solver_options *solver, scree_error *err) {
    const scree_scheme_row *row = scree_scheme_row_of(scheme);
    if (!row->steps)
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                          "the scheme %s is for runs: take moreau-jean here", row->name);
    if (!scree_model_finished(model))
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE, "the model is not finished");
    if (model->system.coordinates && !model->system.mass)
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                          "steppers are for what has a mass, not for a sweeping process");
    if (scheme->correct == SCREE_CORRECT_PROJECTION && any_deforms(model))
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                          "correction by projection is for rigid bodies: there are elastic ones");
    if (model->dimension == 5 && any_deforms(model))
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                          "rolling resistance is for rigid bodies: there are elastic ones");
    scree_status status = check_parts(model, scheme, err);
    if (!status) status = scree_scheme_check_theta(scheme, err);
    if (!status) status = check_row(model, scheme, err);
    if (status) return status;
    if (!(scheme->step > 0 && isfinite(scheme->step)))
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE, "the step must be positive, got %g",
                          scheme->step);
    if (scheme->gap_tolerance < 0 || scheme->velocity_tolerance < 0)
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE, "tolerances must not be negative");
    if (!(solver->tolerance > 0 || isnan(solver->tolerance)) || solver->max_sweeps < 1)
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                          "the solver needs a positive tolerance and at least one sweep");
    return SCREE_OK;
}

static void start(scree_stepper *stepper) {
    for (int k = 0; k < stepper->rows; k++)
        stepper->parts[k].kind->start(&stepper->parts[k], stepper->record.after.q,
                                      stepper->record.after.v);
}

scree_contact_query scree_stepper_query(const scree_stepper *stepper, const double *q, double t,
                                        const double *v) {
    const scree_scheme_options *scheme = &stepper->scheme;
    return (scree_contact_query){
        .q = q,
        .v = v,
        .w = v,
        .t = t,
        .h = scheme->step,
        .present = t,
        .slack = isnan(scheme->gap_tolerance) ? 0 : scheme->gap_tolerance,
        .at_start = scheme->jacobian == SCREE_JACOBIAN_START,
        .pool = scree_stepper_pool(stepper),
    };
}

void scree_stepper_list_far(scree_stepper *stepper) { stepper->lists_far = true; }

static scree_status take_snapshot(scree_stepper *stepper, scree_error *err) {
    scree_contact_set *set = &stepper->set;
    const scree_state *state = &stepper->record.after;
    scree_contact_query query = scree_stepper_query(stepper, state->q, state->time, state->v);
    scree_presence_update(stepper->model, state->time, &stepper->presence);
    stepper->record.together = stepper->presence.from;
    scree_status status = scree_contacts_find(stepper->model, &query, set, err);
    scree_contacts_obstacles(state, state, set);
    for (int i = 0; i < set->count; i++) {
        scree_contact *contact = &set->contact[i];
        contact->gap_after = contact->gap;
        memcpy(contact->impulse, set->warm_start + SCREE_ROWS_MAX * (size_t)i,
               sizeof contact->impulse);
        contact->status = set->status_before[i];
        scree_contacts_velocity(set, i, state->v, contact->u_after);
        for (int k = 0; k < stepper->model->dimension; k++)
            contact->u_after[k] += contact->w_after[k];
        memcpy(contact->u_before, contact->u_after, sizeof contact->u_before);
    }
    stepper->record.contacts = set->count;
    stepper->record.contact = set->contact;
    stepper->record.active = 0;
    return status;
}

const scree_step_record *scree_stepper_snapshot(scree_stepper *stepper) {
    scree_error err;
    take_snapshot(stepper, &err);  // without memory there is nothing to see
    return &stepper->record;
}

// the model's rows with the stepper's own work
static scree_status make_parts(scree_stepper *stepper, scree_error *err) {
    double alpha = scree_scheme_alpha(&stepper->scheme);
    const scree_parts *given;
    int rows = scree_model_parts(stepper->model, &given);
    scree_parts *parts = SCREE_NEW(&stepper->arena, scree_parts, rows);
    if (!parts) return scree_fail_memory(err, NULL);
    scree_status status =
        scree_inertia_make(stepper->model, stepper->scheme.step, stepper->scheme.theta, alpha,
                           &stepper->arena, &stepper->inertia, err);
    for (int k = 0; !status && k < rows; k++) {
        parts[k] = given[k];
        if (parts[k].kind->make) status = parts[k].kind->make(&parts[k], &stepper->arena, err);
        stepper->loads_vary |= parts[k].loads_vary;
        stepper->refreshes |= parts[k].refreshes;
        stepper->apart |= parts[k].apart;
    }
    stepper->rows = rows;
    stepper->parts = parts;
    stepper->stage = (scree_stage){ .scheme = &stepper->scheme,
                                    .come = stepper->model->bodies,
                                    .h = stepper->scheme.step,
                                    .theta = stepper->scheme.theta,
                                    .alpha = alpha,
                                    .before = &stepper->record.before,
                                    .after = &stepper->record.after,
                                    .inertia = &stepper->inertia,
                                    .body_theta = stepper->body_theta,
                                    .v_start = stepper->start_velocity,
                                    .v_free = stepper->free_velocity,
                                    .work = stepper->work };
    return status;
}

static scree_status allocate(scree_stepper *stepper, scree_error *err) {
    const scree_model *model = stepper->model;
    double **of_dofs[] = { &stepper->record.before.v,   &stepper->record.after.v,
                           &stepper->free_velocity,     &stepper->start_velocity,
                           &stepper->obstacle_velocity, &stepper->load,
                           &stepper->load_next,         &stepper->work,
                           &stepper->end_velocity };
    double **of_places[] = { &stepper->record.before.q, &stepper->record.after.q,
                             &stepper->q_trial };
    bool fine = true;
    for (size_t i = 0; i < sizeof of_dofs / sizeof *of_dofs; i++)
        fine = fine && (*of_dofs[i] = SCREE_NEW(&stepper->arena, double, model->dofs));
    for (size_t i = 0; i < sizeof of_places / sizeof *of_places; i++)
        fine = fine && (*of_places[i] = SCREE_NEW(&stepper->arena, double, model->coordinates));
    stepper->velocity_scale = SCREE_NEW(&stepper->arena, scree_velocity_scale, model->bodies);
    if (!fine || !stepper->velocity_scale)
        return scree_fail(err, SCREE_NO_MEMORY, SCREE_NOWHERE,
                          "out of memory for %d degrees of freedom", model->dofs);
    if (stepper->scheme.approach == SCREE_APPROACH_FORESEEN) {
        stepper->body_theta = SCREE_NEW(&stepper->arena, double, model->bodies);
        stepper->mean_velocity = SCREE_NEW(&stepper->arena, double, model->dofs);
        stepper->island = SCREE_NEW(&stepper->arena, int, model->bodies);
        if (!stepper->body_theta || !stepper->mean_velocity || !stepper->island)
            return scree_fail(err, SCREE_NO_MEMORY, SCREE_NOWHERE, "out of memory for %d bodies",
                              model->bodies);
        stepper->record.body_theta = stepper->body_theta;
        for (int i = 0; i < model->bodies; i++) stepper->body_theta[i] = stepper->scheme.theta;
    }
    scree_status status = make_parts(stepper, err);
    if (!status) status = scree_presence_make(model, &stepper->arena, &stepper->presence, err);
    if (!status) status = scree_mean_forces_make(stepper, err);
    if (!status) status = scree_stepper_set_forces(stepper, NULL, NULL, err);
    if (status) return status;
    status = scree_contacts_make(model, &stepper->scheme, &stepper->arena, &stepper->set, err);
    for (int k = 0; !status && k < stepper->set.pair_laws; k++)
        stepper->friction_varies |= scree_law_friction_varies(&stepper->set.laws[k]);
    for (int k = 0; k < stepper->set.sources; k++)
        stepper->follows |= stepper->set.source[k].kind->follow != NULL;
    return status;
}

scree_status scree_stepper_new(const scree_model *model, const scree_scheme_options *given,
                               const scree_solver_options *solver, scree_stepper **stepper,
                               scree_error *err) {
    *stepper = NULL;
    scree_status status = check_options(model, given, solver, err);
    if (status) return status;
    scree_stepper *made = calloc(1, sizeof *made);
    if (!made) return scree_fail_memory(err, NULL);
    made->model = model;
    made->scheme = scree_scheme_choose(model, given);
    made->solver = *solver;
    if (isnan(solver->tolerance)) {
        made->solver.tolerance = scree_scheme_choose_tolerance(model, NULL);
        made->solver.worst = scree_scheme_worst(model, made->solver.tolerance);
    }
    for (int i = 0; i < model->bodies; i++) {
        made->has_births |= model->body[i].birth_time > 0 || model->body[i].removal_time != 0;
        made->has_deposits |= model->body[i].deposit;
    }
    made->record.h = made->scheme.step;
    made->record.alpha = scree_scheme_alpha(&made->scheme);
    made->record.scheme = &made->scheme;
    if (!solver->workspace) made->solver.workspace = made->workspace = scree_workspace_new();
    if (made->solver.workspace)
        scree_thread_pool_want(&made->solver.workspace->pool, solver->threads);
    status = made->solver.workspace ? allocate(made, err) : scree_fail_memory(err, NULL);
    if (!status) {
        start(made);
        made->stale = true;
        scree_deposit_newborn(made, -HUGE_VAL);
        status = take_snapshot(made, err);
    }
    if (status)
        scree_stepper_free(made);
    else
        *stepper = made;
    return status;
}

void scree_stepper_free(scree_stepper *stepper) {
    if (!stepper) return;
    scree_contacts_free(&stepper->set);
    scree_inertia_free(&stepper->inertia);
    scree_arena_free(&stepper->arena);
    scree_arena_free(&stepper->scratch);
    scree_workspace_free(stepper->workspace);
    free(stepper->asked_law);
    free(stepper);
}

void scree_stepper_interrupt(scree_stepper *stepper, const volatile int *flag) {
    stepper->solver.interrupt = flag;
    stepper->solver.interrupted = &stepper->interrupted;
}

scree_elastic_route scree_stepper_elastic(const scree_stepper *stepper, int elastic) {
    int part = scree_model_parts_of(stepper->model, &scree_elastic_kind)->first + elastic;
    const scree_flexibility *flexible = stepper->inertia.part[part].flexible;
    return (scree_elastic_route){ scree_flexibility_entries(flexible),
                                  scree_flexibility_locals(flexible),
                                  scree_flexibility_columns(flexible),
                                  scree_flexibility_condensed(flexible) };
}

const scree_state *scree_stepper_state(const scree_stepper *stepper) {
    return &stepper->record.after;
}

const double *scree_stepper_free_velocity(const scree_stepper *stepper) {
    return stepper->free_velocity;
}

const scree_step_record *scree_stepper_record(const scree_stepper *stepper) {
    return &stepper->record;
}

scree_status scree_stepper_restore(scree_stepper *stepper, const scree_state *state,
                                   const scree_contact *contact, int contacts, scree_error *err) {
    const scree_model *model = stepper->model;
    scree_status status = scree_contacts_restore(model, contact, contacts, &stepper->set, err);
    if (status) return status;
    scree_state *after = &stepper->record.after;
    after->step = state->step;
    after->time = (double)state->step * stepper->scheme.step;
    memcpy(after->q, state->q, (size_t)model->coordinates * sizeof *state->q);
    memcpy(after->v, state->v, (size_t)model->dofs * sizeof *state->v);
    scree_parts_drive(stepper->parts, stepper->rows, after->time, after->q, after->v);
    stepper->load_known = false;
    stepper->stale = true;
    scree_contacts_invalidate(&stepper->set);
    return take_snapshot(stepper, err);
}

void scree_stepper_velocity_before(scree_stepper *stepper, int i) {
    scree_contact *contact = &stepper->set.contact[i];
    scree_contacts_velocity(&stepper->set, i, stepper->start_velocity, contact->u_before);
    for (int k = 0; k < stepper->model->dimension; k++)
        contact->u_before[k] += contact->w_before[k];
}

static void update_velocity(scree_stepper *stepper, int i, void *with) {
    (void)with;
    scree_stepper_velocity_before(stepper, i);
}

// w and w' of all contacts, at both ends of the step; or both at one time within it, as Moreau has
// it (his (34): the rheonomic term is that of the midpoint throughout the step)
static void find_obstacles(scree_stepper *stepper) {
    double at = scree_scheme_row_of(&stepper->scheme)->obstacle_at;
    const scree_state *before = &stepper->record.before, *after = &stepper->record.after;
    const scree_state within = { .time = before->time + at * stepper->scheme.step,
                                 .q = stepper->q_trial,
                                 .v = stepper->obstacle_velocity };
    if (at < 1) {
        scree_parts_drive(stepper->parts, stepper->rows, within.time, within.q, within.v);
        before = after = &within;
    }
    scree_contacts_obstacles(before, after, &stepper->set);
}

void scree_contacts_update_velocities(scree_stepper *stepper) {
    find_obstacles(stepper);
    scree_contacts_parallel_for(stepper, stepper->set.count, update_velocity, NULL);
}

const double *scree_stepper_free_rate(scree_stepper *stepper) {
    const double *v = stepper->record.before.v, *free = stepper->free_velocity;
    double alpha = stepper->stage.alpha;
    for (int i = 0; i < stepper->model->dofs; i++)
        stepper->work[i] = (1 - alpha) * v[i] + alpha * free[i];
    return stepper->work;
}

void scree_stepper_follow(scree_stepper *stepper, const double *q_end, bool *changed) {
    for (int k = 0; k < stepper->set.sources; k++) {
        scree_source *source = &stepper->set.source[k];
        if (source->kind->follow)
            source->kind->follow(source, &stepper->set, stepper->record.before.q, q_end, changed);
    }
}

// H of the step as it would be with the velocities of its beginning
static void follow_prediction(scree_stepper *stepper) {
    const scree_state *before = &stepper->record.before;
    bool changed = false;
    scree_parts_integrate(stepper->parts, stepper->rows, before->q, before->v, stepper->scheme.step,
                          stepper->q_trial);
    scree_parts_drive(stepper->parts, stepper->rows, stepper->record.after.time, stepper->q_trial,
                      NULL);
    scree_stepper_follow(stepper, stepper->q_trial, &changed);
}

// state -> contacts: gaps and frames where the scheme wants them, and what is driven
scree_status scree_stepper_find_contacts(scree_stepper *stepper, const double *w,
                                         scree_error *err) {
    const scree_model *model = stepper->model;
    const scree_state *before = &stepper->record.before, *after = &stepper->record.after;
    scree_contact_set *set = &stepper->set;
    double h = stepper->scheme.step, time = before->time;
    const double *place = before->q;
    if (stepper->scheme.jacobian == SCREE_JACOBIAN_MIDDLE) {  // Moreau (32): q_m
        scree_parts_integrate(stepper->parts, stepper->rows, before->q, before->v, h / 2,
                              stepper->q_trial);
        place = stepper->q_trial;
        time = before->time + h / 2;
    } else if (stepper->scheme.jacobian == SCREE_JACOBIAN_FREE_END) {
        scree_parts_integrate(stepper->parts, stepper->rows, before->q,
                              scree_stepper_free_rate(stepper), h, stepper->q_trial);
        place = stepper->q_trial;
        time = after->time;
    }
    if (place != before->q)
        scree_parts_drive(stepper->parts, stepper->rows, time, stepper->q_trial, NULL);
    scree_contact_query query = scree_stepper_query(stepper, place, time, before->v);
    query.w = w;
    query.near_only = !stepper->lists_far && scree_stepper_near_only(stepper);
    if (stepper->scheme.approach == SCREE_APPROACH_FORESEEN)
        query.reach = scree_stepper_reach(stepper);
    query.present = before->time;  // as for masses (scree_rigid_present), wherever H is taken
    scree_status status = scree_contacts_find(model, &query, set, err);
    if (status) return status;
    if (stepper->follows) follow_prediction(stepper);
    find_obstacles(stepper);
    return scree_pair_laws_evaluate(stepper, err);
}

double scree_stepper_gap_ahead(const scree_stepper *stepper, int i) {
    const scree_contact *contact = &stepper->set.contact[i];
    double u[SCREE_ROWS_MAX], theta = scree_stepper_theta(stepper, contact);
    scree_contacts_velocity(&stepper->set, i, stepper->mean_velocity, u);
    double driven = (1 - theta) * contact->w_before[0] + theta * contact->w_after[0];
    return contact->gap + stepper->scheme.step * (u[0] + driven);
}

// the velocity at the end that laws see
static void find_end_velocity(scree_stepper *stepper) {
    scree_step_record *record = &stepper->record;
    record->v_end = record->after.v;
    if (!stepper->apart) return;
    memcpy(stepper->end_velocity, record->after.v,
           (size_t)stepper->model->dofs * sizeof *stepper->end_velocity);
    for (int k = 0; k < stepper->rows; k++)
        if (stepper->parts[k].apart)
            stepper->parts[k].kind->end_velocity(&stepper->parts[k], &stepper->stage,
                                                 stepper->end_velocity);
    record->v_end = stepper->end_velocity;
}

// u' of a contact by the step's own H, and the gap where the next step begins
static void find_velocity_after(scree_stepper *stepper, int i) {
    double h = stepper->scheme.step, alpha = stepper->stage.alpha;
    scree_contact *contact = &stepper->set.contact[i];
    scree_contacts_velocity(&stepper->set, i, stepper->record.v_end, contact->u_after);
    for (int k = 0; k < stepper->model->dimension; k++) contact->u_after[k] += contact->w_after[k];
    contact->gap_after =
        stepper->mean_velocity
            ? scree_stepper_gap_ahead(stepper, i)
            : contact->gap + h * ((1 - alpha) * contact->u_before[0] + alpha * contact->u_after[0]);
}

typedef struct answer {
    const double *impulse;  // (active x dimension)
    double *s;              // (active x dimension)
} answer;

// what became of active contact k
static void finish_contact(scree_stepper *stepper, int k, const answer *found) {
    int i = stepper->set.active[k], d = stepper->model->dimension;
    scree_contact *contact = &stepper->set.contact[i];
    double *s = found->s + (long)k * d;
    contact->velocity_scale =
        fmax(contact->velocity_scale, scree_velocity_scale_of(stepper, i, stepper->record.after.v));
    memcpy(contact->impulse, found->impulse + (long)k * d, (size_t)d * sizeof *s);
    for (int r = 0; !stepper->record.problem.block && r < d; r++)  // there is no W to ask
        s[r] = contact->u_after[r] + scree_stepper_law_share(stepper, i, r);
    scree_law_cone cone = scree_law_cone_of(contact, stepper->scheme.step);
    cone.pull = scree_stepper_cohesion(contact) * stepper->scheme.step;
    const scree_row_law *rows = scree_contacts_row_law(&stepper->set, i);
    cone.equality = rows && !rows->one_sided;
    scree_law_scale scale = { .s = contact->velocity_scale,
                              .tolerance = stepper->solver.tolerance };
    contact->status = scree_law_status(&cone, contact->impulse, s, d, scale);
}

static void finish_chunk(scree_stepper *stepper, int first, int last, void *with) {
    scree_contact_set *set = &stepper->set;
    for (int i = first; i < last; i++) {
        if (i + SCREE_PREFETCH_DISTANCE < last)
            scree_contacts_prefetch(stepper, i + SCREE_PREFETCH_DISTANCE, stepper->record.after.v);
        find_velocity_after(stepper, i);
    }
    int end = scree_contacts_active_from(set, last);
    for (int k = scree_contacts_active_from(set, first); k < end; k++)
        finish_contact(stepper, k, with);
    scree_contacts_update_chunk(first, last, set);
}

// impulses -> next state
static void apply(scree_stepper *stepper, const double *impulse, double *s) {
    const scree_state *after = &stepper->record.after;
    int active = stepper->set.active_count;
    answer found = { impulse, s };
    if (!stepper->moved) scree_impulses_move(stepper, impulse);
    find_end_velocity(stepper);
    if (active) scree_velocity_scale_find(stepper, after->v);
    scree_contacts_update_poses(after->q, &stepper->set);
    scree_contacts_parallel_for_chunks(stepper, finish_chunk, &found);
    scree_contacts_update_gaps(after->q, after->time, &stepper->set);
}

// who is there, and who is still to come when the step is over: there it leaves all as it was
static void find_present(scree_stepper *stepper) {
    const scree_model *model = stepper->model;
    scree_presence *presence = &stepper->presence;
    double end = stepper->record.after.time;
    scree_presence_update(model, stepper->record.before.time, presence);
    stepper->stage.come =
        end < presence->until ? presence->come : scree_presence_come(model, end, presence);
    stepper->record.dormant = model->bodies - stepper->stage.come;
    stepper->record.together = presence->from;
}

void scree_stepper_clear(const scree_stepper *stepper, double *v) {
    const scree_model *model = stepper->model;
    int come = stepper->stage.come * model->body_dofs, rigid = model->bodies * model->body_dofs;
    memset(v, 0, (size_t)come * sizeof *v);
    memset(v + rigid, 0, (size_t)(model->dofs - rigid) * sizeof *v);
}

static void begin(scree_stepper *stepper) {
    const scree_model *model = stepper->model;
    scree_state *before = &stepper->record.before, *after = &stepper->record.after, old = *before;
    *before = *after;
    after->q = old.q;
    after->v = old.v;
    after->step = before->step + 1;
    after->time = (double)after->step * stepper->scheme.step;
    if (stepper->stale) {
        memcpy(after->q, before->q, (size_t)model->coordinates * sizeof *after->q);
        memcpy(after->v, before->v, (size_t)model->dofs * sizeof *after->v);
    }
    stepper->stale = false;
    if (stepper->has_births) find_present(stepper);
    scree_arena_release(&stepper->scratch, (scree_arena_mark){ 0 });
    stepper->stage.held = NULL;
    stepper->record.held = 0;
    stepper->record.loosened = false;
    for (int k = 0; stepper->body_theta && k < stepper->presence.count; k++)
        stepper->body_theta[stepper->presence.body[k]] = stepper->scheme.theta;
    scree_parts_drive(stepper->parts, stepper->rows, after->time, after->q, after->v);
}

static void rollback(scree_stepper *stepper) {
    scree_state attempt = stepper->record.after;
    stepper->record.after = stepper->record.before;
    stepper->record.before = attempt;
    stepper->stale = true;
    scree_contacts_invalidate(&stepper->set);
}

// the step counts: remember what the next one needs
static scree_status commit(scree_stepper *stepper, scree_error *err) {
    double *swap = stepper->load;
    if (stepper->loads_vary) {
        stepper->load = stepper->load_next;
        stepper->load_next = swap;
    }
    return scree_contacts_cache_impulses(&stepper->set, err);
}

static scree_status check_loads(const scree_stepper *stepper, const scree_parts *parts,
                                scree_error *err) {
    const scree_state *after = &stepper->record.after;
    for (int i = parts->dof; i < parts->dof + parts->dofs; i++) {
        if (isfinite(stepper->load[i]) && isfinite(stepper->load_next[i])) continue;
        int component;
        const char *name = parts->kind->name_of_dof(parts, i, &component);
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                          "step %lld at time %.9g: the load on %s, component %d, is not finite",
                          (long long)after->step, after->time, name, component);
    }
    return SCREE_OK;
}

// functions of time may give anything: name the one that does not give a number
static scree_status check_functions(const scree_stepper *stepper, scree_error *err) {
    scree_status status = SCREE_OK;
    for (int k = 0; !status && k < stepper->rows; k++) {
        const scree_parts *parts = &stepper->parts[k];
        if (parts->loads_vary) status = check_loads(stepper, parts, err);
        if (!status && parts->drives && parts->kind->check)
            status = parts->kind->check(parts, &stepper->stage, err);
    }
    for (int k = 0; !status && k < stepper->set.sources; k++) {
        const scree_source *source = &stepper->set.source[k];
        if (source->kind->check)
            status = source->kind->check(source, &stepper->set, &stepper->record.after, err);
    }
    return status;
}

static bool finite_state(const scree_stepper *stepper) {
    const scree_model *model = stepper->model;
    const scree_state *state = &stepper->record.after;
    int come = stepper->stage.come;
    if (come == model->bodies)
        return scree_dense_finite(state->q, (size_t)model->coordinates) &&
               scree_dense_finite(state->v, (size_t)model->dofs);
    int places = model->bodies * model->body_coordinates, dofs = model->bodies * model->body_dofs;
    return scree_dense_finite(state->q, (size_t)(come * model->body_coordinates)) &&
           scree_dense_finite(state->v, (size_t)(come * model->body_dofs)) &&
           scree_dense_finite(state->q + places, (size_t)(model->coordinates - places)) &&
           scree_dense_finite(state->v + dofs, (size_t)(model->dofs - dofs));
}

// how long it is since the clock was read last; nothing while there are few contacts
static double seconds_since(const scree_stepper *stepper, double *clock) {
    enum { FEW = 32 };
    if (stepper->set.count < FEW) return 0;
    double before = *clock;
    *clock = scree_clock_seconds();
    return before > 0 ? *clock - before : 0;
}

scree_status scree_stepper_advance(scree_stepper *stepper, scree_error *err) {
    scree_step_record *record = &stepper->record;
    double *impulse = NULL, *s = NULL, clock = 0;

    seconds_since(stepper, &clock);
    begin(stepper);
    stepper->attempted = stepper->interrupted = stepper->moved = false;
    scree_status status = scree_free_forces(stepper, err);
    if (!status) status = scree_free_velocity(stepper, err);  // state -> free velocity
    if (!status)
        status =
            scree_stepper_find_contacts(stepper, stepper->free_velocity, err);  // state -> contacts
    if (!status) status = check_functions(stepper, err);
    if (!status) scree_activate(stepper);  // contacts -> active ones
    record->seconds.detect = seconds_since(stepper, &clock);
    double processor = clock > 0 ? scree_clock_processor() : 0;
    if (!status) status = scree_foresee_impulses(stepper, &impulse, &s, err);  // ... -> impulses
    record->seconds.solve = seconds_since(stepper, &clock);
    record->seconds.processor = clock > 0 ? scree_clock_processor() - processor : 0;
    if (status) {
        if (status == SCREE_UNCONVERGED)  // bodies turn too far: there is no problem to look at
            record->report = (scree_report){ .solver = "", .reason = SCREE_STOP_TURNING };
        record->problem = (scree_problem){ .dimension = stepper->model->dimension };
        record->active = 0;
        rollback(stepper);
        return status;
    }
    scree_least_reactions(stepper, impulse, s);
    record->law_velocity = s;
    record->contacts = stepper->set.count;
    record->contact = stepper->set.contact;
    record->active = stepper->set.active_count;
    apply(stepper, impulse, s);  // impulses -> next state
    record->correction_work = 0;
    if (stepper->scheme.correct) status = scree_project_positions(stepper, err);
    if (!status && scree_deposit_newborn(stepper, record->before.time))
        scree_contacts_invalidate(&stepper->set);
    record->seconds.finish = seconds_since(stepper, &clock);
    if (status) {
        rollback(stepper);
        return status;
    }
    if (!finite_state(stepper)) {
        rollback(stepper);
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                          "step %lld at time %.9g: the state is not finite any more",
                          (long long)record->before.step, record->before.time);
    }
    if (record->report.converged && !stepper->interrupted) return commit(stepper, err);
    rollback(stepper);
    stepper->attempted = true;
    return scree_fail(
        err, SCREE_UNCONVERGED, SCREE_NOWHERE,
        "step %lld at time %.9g with %d contacts: %s after %d iterations, residual %.3g "
        "(scaled %.3g), tolerance %.3g",
        (long long)record->before.step, record->before.time, record->active,
        scree_stop_reason_text(record->report.reason), record->report.iterations,
        record->report.residual.natural, record->report.residual.scaled, stepper->solver.tolerance);
}

scree_status scree_stepper_accept(scree_stepper *stepper, scree_error *err) {
    if (!stepper->attempted) return SCREE_UNCONVERGED;  // there is nothing to take, as err says
    assert(!stepper->record.report.converged || stepper->interrupted);
    rollback(stepper);
    return commit(stepper, err);
}
