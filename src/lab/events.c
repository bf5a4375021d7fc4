// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// events.c - phases and events in turn: the event-driven scheme.
// in: a small system.   out: states at multiples of the step, events with their times, accounts.

#include "scree/events.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/dense.h"
#include "lab/events_run.h"
#include "law/status.h"
#include "model/inertia.h"

enum { C = SCREE_SMALL_C, ROUNDS = 64, PIECES = 200000 };

static const double LEAST = 1e-12;     // of the step: shorter ones are taken as they are
static const double LOOKAHEAD = 1e-3;  // of the step: how far to look for what comes of a choice

const char *scree_event_kind_name(scree_event_kind kind) {
    static const char *const name[] = { "impact", "touch",     "lift-off",
                                        "stick",  "slip-plus", "slip-minus" };
    return name[kind];
}

// -------------------------------------------------------------------------------------------------
// phases

static scree_status singular(const scree_events *e, scree_error *err) {
    return scree_fail(
        err, SCREE_BAD_INPUT, SCREE_NOWHERE,
        "time %.12g: the contact forces of a phase grow beyond all bounds: Painleve's "
        "paradox; go through it with a time-stepping scheme",
        e->t);
}

// on to `until`, or to the first event before it
static scree_status integrate_to_event(scree_events *e, double until, bool *event,
                                       scree_error *err) {
    double end[SCREE_SMALL_Y], error = 0, least = LEAST * e->record.h;
    double h = fmin(e->stride, until - e->t);
    // what is left must not become a step of rounding
    if (until - e->t - h < 1e-6 * h) h = until - e->t;
    int length = scree_flow_length(&e->flow);
    bool solved;
    while ((solved = scree_flow_step(&e->flow, e->t, e->y, h, end, &error)) && h > least &&
           !(error <= 1 && scree_dense_finite(end, length)))
        h = fmax(least, h * (error > 1 ? fmax(0.2, 0.9 * pow(error, -0.2)) : 0.2));
    if (++e->pieces > PIECES)
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                          "time %.12g: more than %d pieces of integration in one step, the last of "
                          "length %.3g: loads jump or grow, or the step is too long",
                          e->t, PIECES, h);
    if (!solved) return singular(e, err);
    if (!scree_dense_finite(end, length))
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                          "time %.12g: loads, gaps or the state are not finite any more", e->t);
    scree_event_functions found;
    if (!scree_flow_event_functions(&e->flow, e->t + h, end, &found) || found.sign != e->sign)
        return singular(e, err);
    e->stride = fmax(least, h * fmin(5, error > 0 ? 0.9 * pow(error, -0.2) : 5));
    double after = scree_flow_locate_event(&e->flow, e->t, e->y, h, end, event);
    if (*event && after < h && !scree_flow_step(&e->flow, e->t, e->y, after, end, &error))
        return singular(e, err);
    e->t = after < h || h < until - e->t ? e->t + after : until;
    memcpy(e->y, end, (size_t)length * sizeof *end);
    if (!*event) scree_events_hold(e);
    return SCREE_OK;
}

static scree_status advance(scree_events *e, double until, scree_error *err) {
    scree_status status = SCREE_OK;
    int standing = 0;  // events without time going by
    while (e->t < until && !status) {
        double before = e->t;
        bool event = false;
        status = integrate_to_event(e, until, &event, err);
        if (!status && event) status = scree_events_settle(e, false, err);
        standing = event && e->t <= before ? standing + 1 : 0;
        if (standing > ROUNDS && !status)
            status = scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                                "time %.12g: events follow each other without time going by", e->t);
    }
    return status;
}

// -------------------------------------------------------------------------------------------------
// records and accounts

// the state as the record shows it, at its start or end
static void show(scree_events *e, int end) {
    const scree_small_system *small = &e->small;
    if (small->show) {
        small->show(small->self, e->t, e->y, e->y + small->n, e->q[end], e->v[end]);
        return;
    }
    memcpy(e->q[end], e->y, (size_t)small->n * sizeof(double));
    memcpy(e->v[end], e->y + small->n, (size_t)small->n * sizeof(double));
}

static void note_start(scree_events *e) {
    scree_evaluation view;
    int n = e->small.n;
    scree_events_evaluate(e, &view);
    show(e, 0);
    memset(e->y + 2 * n, 0, (size_t)(scree_flow_length(&e->flow) - 2 * n) * sizeof(double));
    e->created = e->corrected = 0;
    e->pieces = 0;
    for (int c = 0; c < e->small.contacts; c++) {
        scree_contact *contact = &e->contact[c];
        *contact = (scree_contact){ .id = scree_contact_id_pack(e->small.source, (uint64_t)c, 0, 0),
                                    .a = -1,
                                    .b = -2 - c,
                                    .gap = view.gap[c],
                                    .friction = e->small.friction[c],
                                    .restitution = e->small.restitution[c] };
        if (e->small.describe) e->small.describe(e->small.self, c, e->t, e->y, e->y + n, contact);
        memcpy(contact->u_before, view.u[c], sizeof view.u[c]);
        memcpy(contact->w_before, view.w[c], sizeof view.w[c]);
    }
}

static void note_end(scree_events *e, int64_t step) {
    scree_evaluation view;
    scree_events_evaluate(e, &view);
    show(e, 1);
    int64_t before = step > 0 ? step - 1 : 0;
    e->record.before = (scree_state){ before, (double)before * e->record.h, e->q[0], e->v[0] };
    e->record.after = (scree_state){ step, (double)step * e->record.h, e->q[1], e->v[1] };
    e->record.active = 0;
    e->record.report = (scree_report){ .solver = "enumerate", .converged = true };
    for (int c = 0; c < e->small.contacts; c++) {
        scree_contact *contact = &e->contact[c];
        const double *impulse = e->y + scree_flow_contact_index(&e->flow, c);
        contact->gap_after = view.gap[c];
        contact->velocity_scale = fmax(e->flow.fastest[c], view.speed[c]);
        memcpy(contact->u_after, view.u[c], sizeof view.u[c]);
        memcpy(contact->w_after, view.w[c], sizeof view.w[c]);
        memcpy(contact->impulse, impulse, 2 * sizeof *impulse);
        scree_law_cone cone = { .mu = contact->friction };
        scree_contact_mode phase = e->flow.phase[c];
        contact->status =
            scree_law_mode_status(&cone, phase != SCREE_MODE_OPEN, phase != SCREE_MODE_STICK);
        if (contact->status == SCREE_CONTACT_OPEN && impulse[0] == 0)
            contact->status = SCREE_CONTACT_INACTIVE;
        e->record.active += contact->status != SCREE_CONTACT_INACTIVE;
    }
}

static scree_ledger energies_of(const scree_events *e) {
    scree_small_energy energy = e->small.energy(e->small.self, e->y, e->y + e->small.n);
    return (scree_ledger){ .kinetic = energy.kinetic,
                           .elastic = energy.elastic,
                           .potential = energy.potential };
}

static void fill_ledger(scree_events *e, scree_account *account) {
    const double *work = e->y + scree_flow_work_index(&e->flow, 0);
    *account = (scree_account){ .ledger = energies_of(e),
                                .energy_created = e->created,
                                .tangential_work_max = -HUGE_VAL,
                                .iterations = e->pieces,
                                .active = e->record.active,
                                .converged = 1 };
    scree_ledger *ledger = &account->ledger;
    ledger->external_work = work[SCREE_WORK_LOAD];
    ledger->damping_work = work[SCREE_WORK_DAMPING];
    ledger->contact_normal_work = work[SCREE_WORK_NORMAL];
    ledger->contact_tangential_work = work[SCREE_WORK_SLIDING];
    ledger->boundary_work = work[SCREE_WORK_WALL];
    ledger->correction_work = e->corrected;
    double scale = fabs(e->corrected), sum = e->corrected;
    for (int k = 0; k < 5; k++) {
        sum += work[k];
        scale += fabs(work[k]);
    }
    double size = e->small.energy(e->small.self, e->y, e->y + e->small.n).size;
    scale += e->size;
    scale += size;
    e->size = size;
    for (int c = 0; c < e->small.contacts; c++) {
        const scree_contact *contact = &e->contact[c];
        account->penetration = fmax(account->penetration, -contact->gap_after);
        scale += (fabs(contact->impulse[0]) + fabs(contact->impulse[1])) * contact->velocity_scale;
        if (contact->impulse[0] > 0)
            account->tangential_work_max =
                fmax(account->tangential_work_max, e->y[scree_flow_contact_index(&e->flow, c) + 2]);
    }
    ledger->residual = (ledger->kinetic - e->ledger.kinetic) +
                       (ledger->elastic - e->ledger.elastic) +
                       (ledger->potential - e->ledger.potential) - sum;
    // rounding, and the tolerance of each step of integration, which is one of the largest so far
    e->largest = fmax(e->largest, scale);
    ledger->bound = 256 * DBL_EPSILON * scale + 1e-13 * (1 + e->pieces) * e->largest;
    e->ledger = *ledger;
}

// -------------------------------------------------------------------------------------------------
// beginning, steps, end

static scree_status check_gaps(const scree_events *e, const scree_evaluation *view,
                               scree_error *err) {
    char room[SCREE_EVENT_NAME];
    for (int c = 0; c < e->small.contacts && !e->options->accept_overlaps; c++)
        if (view->gap[c] < -SCREE_SMALL_TOUCH * view->length[c])
            return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                              "contact %s overlaps by %.6g at the start; move it apart, or set "
                              "overlaps: accept",
                              e->small.name(e->small.self, c, room), -view->gap[c]);
    return SCREE_OK;
}

// the state of step 0 is the given one, and what happens at time 0 belongs to the first step
static scree_status begin(scree_events *e, scree_error *err) {
    size_t size = (size_t)e->small.n * sizeof(double);
    memset(e->y, 0, sizeof e->y);
    memcpy(e->y, e->small.position, size);
    memcpy(e->y + e->small.n, e->small.velocity, size);
    e->t = 0;
    e->events = 0;
    e->largest = 0;
    e->stride = e->record.h;
    memset(e->flow.fastest, 0, sizeof e->flow.fastest);
    memset(e->flow.longest, 0, sizeof e->flow.longest);
    e->flow.reach = e->flow.fastest_rate = 0;
    for (int c = 0; c < C; c++) e->flow.phase[c] = SCREE_MODE_OPEN;
    scree_evaluation view;
    scree_events_evaluate(e, &view);
    if (!scree_dense_finite(view.force, e->small.n) ||
        !scree_dense_finite(view.gap, e->small.contacts))
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                          "a load or gap at the start is not finite");
    scree_status status = check_gaps(e, &view, err);
    if (status) return status;
    note_start(e);
    note_end(e, 0);
    e->ledger = energies_of(e);
    e->size = e->small.energy(e->small.self, e->y, e->y + e->small.n).size;
    e->fresh = true;
    return scree_events_settle(e, true, err);
}

// a scheme without a system
static scree_status make(const scree_run_options *options, scree_events **events,
                         scree_error *err) {
    *events = NULL;
    if (!(options->scheme.step > 0 && isfinite(options->scheme.step)))
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE, "the step must be positive, got %g",
                          options->scheme.step);
    scree_events *e = calloc(1, sizeof *e);
    if (e) e->choice = calloc(SCREE_MODE_SOLUTIONS, sizeof *e->choice);
    if (!e || !e->choice) {
        scree_events_free(e);
        return scree_fail_memory(err, NULL);
    }
    e->options = options;
    e->record.h = options->scheme.step;
    e->flow.small = &e->small;
    e->flow.lookahead = LOOKAHEAD * e->record.h;
    e->record.contact = e->contact;
    e->record.problem.dimension = 2;
    *events = e;
    return SCREE_OK;
}

// begin, if there is a system to begin with
static scree_status finish_new(scree_status status, scree_events **events, scree_error *err) {
    scree_events *e = *events;
    e->record.contacts = e->small.contacts;
    for (int k = 0; k < 2 && !status; k++) {
        e->q[k] = calloc((size_t)e->small.coordinates + 1, sizeof(double));
        e->v[k] = calloc((size_t)e->small.coordinates + 1, sizeof(double));
        if (!e->q[k] || !e->v[k]) status = scree_fail_memory(err, NULL);
    }
    if (!status) status = begin(e, err);
    if (status) {
        scree_events_free(e);
        *events = NULL;
    }
    return status;
}

scree_status scree_events_new(const scree_model *model, const scree_run_options *options,
                              scree_events **events, scree_error *err) {
    scree_status status = make(options, events, err);
    if (status) return status;
    scree_events *e = *events;
    status = model->bodies && !model->system.coordinates && !model->elastics && !model->mechanism
                 ? scree_planar_system_make(model, e->record.h, &e->planar, &e->small, err)
                 : scree_matrix_system_make(model, e->record.h / 16, &e->matrix, &e->small, err);
    return finish_new(status, events, err);
}

scree_status scree_events_of_mechanism(const scree_mechanism_def *mechanics,
                                       const scree_run_options *options, scree_events **events,
                                       scree_error *err) {
    scree_status status = make(options, events, err);
    if (status) return status;
    scree_events *e = *events;
    status = scree_mechanism_system_make(mechanics, e->record.h, &e->mechanism, &e->small, err);
    return finish_new(status, events, err);
}

void scree_events_free(scree_events *events) {
    if (!events) return;
    scree_planar_system_free(events->planar);
    for (int k = 0; k < 2; k++) {
        free(events->q[k]);
        free(events->v[k]);
    }
    free(events->choice);
    free(events->event);
    free(events);
}

scree_status scree_events_step(scree_events *e, scree_account *account, scree_error *err) {
    int64_t step = e->record.after.step + 1;
    if (!e->fresh) note_start(e);
    e->fresh = false;
    scree_status status = advance(e, (double)step * e->record.h, err);
    if (status) return status;
    note_end(e, step);
    fill_ledger(e, account);
    return SCREE_OK;
}

const scree_step_record *scree_events_record(const scree_events *events) { return &events->record; }

const char *scree_events_contact_name(const scree_events *events, int contact,
                                      char room[SCREE_EVENT_NAME]) {
    return events->small.name(events->small.self, contact, room);
}

int scree_events_list(const scree_events *events, const scree_event **list) {
    *list = events->event;
    return events->events;
}

scree_status scree_events_restore(scree_events *e, const scree_state *state, scree_error *err) {
    scree_account account;
    scree_status status = begin(e, err);
    while (!status && e->record.after.step < state->step)
        status = scree_events_step(e, &account, err);
    size_t size = (size_t)e->small.coordinates * sizeof(double);
    if (!status && (memcmp(state->q, e->q[1], size) || memcmp(state->v, e->v[1], size)))
        status = scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                            "event-driven goes to a state by running through the whole run again, "
                            "and this run does not come to it");
    return status;
}

// does an impact of a body with restitution never meet friction or another contact?
static bool bodies_theorem(const scree_model *model) {
    const scree_law *law;
    int moving = 0;
    bool bounces = false, rubs = false, round = true;
    for (int i = 0; (law = scree_model_laws(model, i)); i++) {
        bounces |= !law->apart && law->restitution > 0;
        rubs |= !law->apart && law->friction > 0;
    }
    for (int i = 0; i < model->bodies; i++) moving += scree_body_moves(&model->body[i]);
    for (int i = 0; i < model->shapes; i++)
        round &= model->shape[i].kind != SCREE_POLYGON && model->shape[i].kind != SCREE_BOX;
    return !bounces || (!rubs && moving == 1 && round && model->shapes == 2);
}

// phases are exact: only impacts can create energy
scree_theorem scree_events_theorem(const scree_model *model) {
    scree_theorem theorem = { .holds = bodies_theorem(model) };
    for (int c = 0; c < model->matrix_contacts; c++) {
        const scree_law *law = &model->matrix_contact[c].law;
        bool alone = model->matrix_contacts == 1 && law->friction == 0;
        if (law->restitution > 0 && !alone) theorem.holds = false;
    }
    snprintf(theorem.reason, sizeof theorem.reason, "%s",
             theorem.holds ? "phases are exact, and no impact with restitution meets friction or "
                             "another contact"
                           : "impacts with restitution that meet friction or another contact can "
                             "create energy");
    return theorem;
}
