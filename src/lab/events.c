// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// events.c - phases and events in turn: the event-driven scheme.
// in: a small system.   out: states at multiples of the step, events with their times, accounts.
//
// At an event: contacts that touch and approach have an impact (Newton's law, Coulomb's on the
// percussion); those that touch and do not separate then get the statuses that the laws of
// accelerations leave. Statuses that differ in nothing at this moment, as at the vertex of the cone
// of friction, are told apart by what comes of them a little later.

#include "scree/events.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lab/events_system.h"
#include "law/status.h"

enum { N = SCREE_SMALL_N, C = SCREE_SMALL_C, ROUNDS = 64, CROWD = 1000000, PIECES = 200000 };

static const double LAW = 1e-10;      // of accelerations and percussions: smaller is rounding
static const double TOUCH = 1e-11;    // of the lengths that make a gap
static const double STILL = 1e-11;    // of the velocities that make u_T: does not slide
static const double REBOUND = 1e-10;  // of the fastest velocity so far: no rebound any more
static const double AHEAD = 1e-3;     // of the step: how far to look for what comes of a choice
static const double LEAST = 1e-12;    // of the step: shorter ones are taken as they are

struct scree_events {
    const scree_run_options *options;
    scree_matrix_system matrix;        // one of these two
    scree_mechanism_system mechanism;  // is what the small system stands for
    scree_small_system small;
    scree_flow flow;
    double y[SCREE_SMALL_Y], t;
    double stride;                // of the next step of integration
    int sign;                     // of the determinant of the phases
    scree_mode_solution *choice;  // (SCREE_MODE_SOLUTIONS)
    scree_event *event;
    int events, room;
    scree_step_record record;
    scree_contact contact[C];
    double q[2][N], v[2][N];
    bool fresh;           // nothing since the start but what happened at time 0
    double created;       // sum of the positive works of percussions in this step
    double corrected;     // energy that taking gaps away brought in this step
    int pieces;           // steps of integration in this step
    double largest;       // sum of the sizes of energies and works of a step, so far
    scree_ledger ledger;  // energies of the last state
};

const char *scree_event_kind_name(scree_event_kind kind) {
    static const char *const name[] = { "impact", "touch",     "lift-off",
                                        "stick",  "slip-plus", "slip-minus" };
    return name[kind];
}

static scree_status no_memory(scree_error *err) {
    return scree_fail(err, SCREE_NO_MEMORY, SCREE_NOWHERE, "out of memory");
}

static scree_status log_event(scree_events *e, const scree_event *event, scree_error *err) {
    if (e->events == CROWD)
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                          "time %.9g: more than %d events; give a larger velocity_tolerance", e->t,
                          CROWD);
    if (e->events == e->room) {
        int room = e->room ? 2 * e->room : 64;
        scree_event *grown = realloc(e->event, (size_t)room * sizeof *grown);
        if (!grown) return no_memory(err);
        e->event = grown;
        e->room = room;
    }
    e->event[e->events++] = *event;
    return SCREE_OK;
}

static void see(const scree_events *e, scree_evaluation *view) {
    scree_small_system_evaluate(&e->small, e->t, e->y, e->y + e->small.n, view);
}

static void remember(scree_events *e, const scree_evaluation *view) {
    for (int c = 0; c < e->small.contacts; c++) {
        e->flow.fastest[c] = fmax(e->flow.fastest[c], view->speed[c]);
        e->flow.longest[c] = fmax(e->flow.longest[c], view->length[c]);
    }
    for (int i = 0; i < e->small.n; i++) {
        e->flow.reach = fmax(e->flow.reach, fabs(e->y[i]));
        e->flow.pace = fmax(e->flow.pace, fabs(e->y[e->small.n + i]));
    }
}

static double rebound_limit(const scree_events *e, int c) {
    double given = e->options->scheme.velocity_tolerance;
    return isnan(given) ? REBOUND * e->flow.fastest[c] : given;
}

static bool touches(const scree_events *e, const scree_evaluation *view, int c) {
    return e->flow.phase[c] != SCREE_MODE_OPEN || view->gap[c] <= TOUCH * e->flow.longest[c];
}

static void push(scree_events *e, const scree_evaluation *view, double p[][2]) {
    double *v = e->y + e->small.n;
    for (int c = 0; c < e->small.contacts; c++)
        for (int k = 0; k < 2; k++)
            for (int i = 0; i < e->small.n; i++) v[i] += view->push[c][k][i] * p[c][k];
}

// works of a percussion, with the mean of the velocities before and after it
static double fill_ledger_impact(scree_events *e, const scree_evaluation *view, int c,
                                 const double *p, const double *after) {
    double *work = e->y + scree_flow_work_index(&e->flow, 0);
    double normal = p[0] * (view->u[c][0] + after[0]) / 2;
    double sliding = p[1] * (view->u[c][1] + after[1]) / 2;
    work[SCREE_WORK_NORMAL] += normal;
    work[SCREE_WORK_SLIDING] += sliding;
    e->y[scree_flow_contact_index(&e->flow, c) + 2] += sliding;
    for (int k = 0; k < 2; k++) {
        e->y[scree_flow_contact_index(&e->flow, c) + k] += p[k];
        work[SCREE_WORK_WALL] -= p[k] * view->w[c][k];
    }
    return normal + sliding;
}

// -------------------------------------------------------------------------------------------------
// drift

// move the system by M^-1 H_N^T p and book what that does to the energy
static void shift(scree_events *e, const scree_evaluation *view, const scree_mode_solution *by) {
    int n = e->small.n;
    double way[N] = { 0 };
    for (int c = 0; c < e->small.contacts; c++)
        for (int i = 0; i < n; i++) way[i] += view->push[c][0][i] * by->p[c][0];
    e->corrected += e->small.shift_work(e->small.self, e->y, e->y + n, way);
    for (int i = 0; i < n; i++) e->y[i] += way[i];
}

// closed contacts have no gap and no normal velocity, stuck ones do not slide: take away what
// rounding and integration have left of them
static void hold(scree_events *e) {
    static const double smooth[C] = { 0 };
    scree_evaluation view;
    scree_mode_solution back;
    double gap[C][2] = { { 0 } };
    see(e, &view);
    for (int c = 0; c < e->small.contacts; c++) {
        bool open = e->flow.phase[c] == SCREE_MODE_OPEN;
        gap[c][0] = view.gap[c];
        back.phase[c] = open ? SCREE_MODE_OPEN : SCREE_MODE_SLIP_PLUS;
    }
    remember(e, &view);
    if (scree_modes_solve(&view, smooth, gap, &back)) shift(e, &view, &back);
    see(e, &view);
    memcpy(back.phase, e->flow.phase, sizeof back.phase);
    if (!scree_modes_solve(&view, smooth, view.u, &back)) return;
    push(e, &view, back.p);
    for (int c = 0; c < e->small.contacts; c++)
        if (back.phase[c] != SCREE_MODE_OPEN) fill_ledger_impact(e, &view, c, back.p[c], back.y[c]);
}

// -------------------------------------------------------------------------------------------------
// impacts

static bool approaches(const scree_events *e, const scree_evaluation *view) {
    for (int c = 0; c < e->small.contacts; c++)
        if (touches(e, view, c) && view->u[c][0] < -STILL * e->flow.fastest[c]) return true;
    return false;
}

// what restitution adds to u_N: nothing to contacts that separate, nor when they would do so too
// slowly
static double returned(const scree_events *e, const scree_evaluation *view, int c) {
    double back = e->small.restitution[c] * fmin(view->u[c][0], 0);
    return -back > rebound_limit(e, c) ? back : 0;
}

static int distinct(const scree_evaluation *view, const double *scale,
                    const scree_mode_solution *choice, int found) {
    for (int k = 1; k < found; k++)
        if (!scree_modes_same(view, scale, &choice[0], &choice[k])) return k;
    return 0;
}

// u+ = W p + u- with 0 <= u_N+ + e u_N- _|_ p_N >= 0 and Coulomb's law on u_T+
static scree_status resolve_impact(scree_events *e, const scree_evaluation *view,
                                   scree_error *err) {
    double b[C][2], scale[C], back[C];
    int may[C];
    for (int c = 0; c < e->small.contacts; c++) {
        bool near = touches(e, view, c);
        back[c] = near ? returned(e, view, c) : 0;
        b[c][0] = view->u[c][0] + back[c];
        b[c][1] = view->u[c][1];
        scale[c] = view->speed[c];
        may[c] = SCREE_MAY_OPEN | (near ? SCREE_MAY_SLIP_PLUS : SCREE_IS_FAR);
        if (near && e->small.friction[c] > 0) may[c] |= SCREE_MAY_STICK | SCREE_MAY_SLIP_MINUS;
    }
    int found = scree_modes_enumerate(view, e->small.friction, b, scale, may, LAW, e->choice);
    if (!found)
        return scree_fail(
            err, SCREE_BAD_INPUT, SCREE_NOWHERE,
            "time %.12g: no percussion agrees with the impact laws (statuses with more "
            "constraints than the system can have at once are not tried)",
            e->t);
    if (distinct(view, scale, e->choice, found))
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                          "time %.12g: several percussions agree with the impact laws; what "
                          "follows is not determined",
                          e->t);
    push(e, view, e->choice[0].p);
    double work = 0, size = 0;
    for (int c = 0; c < e->small.contacts; c++) {
        const double *p = e->choice[0].p[c];
        if (e->choice[0].phase[c] == SCREE_MODE_OPEN || p[0] <= 0) continue;
        scree_event event = { e->t,  SCREE_EVENT_IMPACT, c, { view->u[c][0], view->u[c][1] },
                              { 0 }, { p[0], p[1] } };
        event.u_after[0] = e->choice[0].y[c][0] - back[c];
        event.u_after[1] = e->choice[0].y[c][1];
        work += fill_ledger_impact(e, view, c, p, event.u_after);
        size += (fabs(p[0]) + fabs(p[1])) * (view->speed[c] + fabs(event.u_after[1]));
        scree_status status = log_event(e, &event, err);
        if (status) return status;
    }
    // at one moment all contacts together have a work, their shares of it mean nothing
    if (work > 1e-9 * size) e->created += work;
    return SCREE_OK;
}

// -------------------------------------------------------------------------------------------------
// statuses

static int possible(const scree_events *e, const scree_evaluation *view, int c) {
    double mu = e->small.friction[c], u = view->u[c][1];
    if (!touches(e, view, c) || view->u[c][0] > STILL * e->flow.fastest[c])
        return SCREE_MAY_OPEN | SCREE_IS_FAR;
    if (mu == 0) return SCREE_MAY_OPEN | SCREE_MAY_SLIP_PLUS;
    if (fabs(u) > STILL * fmax(view->speed[c], e->flow.fastest[c]))
        return SCREE_MAY_OPEN | SCREE_IS_SLIDING |
               (u > 0 ? SCREE_MAY_SLIP_PLUS : SCREE_MAY_SLIP_MINUS);
    return SCREE_MAY_OPEN | SCREE_MAY_STICK | SCREE_MAY_SLIP_PLUS | SCREE_MAY_SLIP_MINUS;
}

// how much a choice is at odds with the laws a little later
static double trouble(const scree_events *e, const scree_mode_solution *choice, const int *may) {
    double end[SCREE_SMALL_Y], error, worst = 0, after = AHEAD * e->record.h;
    const double *mu = e->small.friction;
    scree_flow flow = e->flow;
    scree_evaluation view;
    scree_mode_solution then;
    memcpy(flow.phase, choice->phase, sizeof flow.phase);
    if (!scree_flow_step(&flow, e->t, e->y, after, end, &error)) return HUGE_VAL;
    scree_small_system_evaluate(&e->small, e->t + after, end, end + e->small.n, &view);
    memcpy(then.phase, choice->phase, sizeof then.phase);
    if (!scree_modes_solve(&view, mu, view.du, &then)) return HUGE_VAL;
    for (int c = 0; c < e->small.contacts; c++) {
        double unit = view.scale[c], force = unit / view.W[2 * c][2 * c], miss = 0;
        if (may[c] & SCREE_IS_FAR || unit == 0) continue;
        if (then.phase[c] == SCREE_MODE_OPEN) {
            miss = -then.y[c][0] / unit;
        } else {
            miss = -then.p[c][0] / force;
            if (then.phase[c] == SCREE_MODE_STICK)
                miss = fmax(miss, (fabs(then.p[c][1]) - mu[c] * then.p[c][0]) / force);
            else if (mu[c] > 0 && !(may[c] & SCREE_IS_SLIDING))
                miss = fmax(miss,
                            (then.phase[c] == SCREE_MODE_SLIP_PLUS ? -1 : 1) * then.y[c][1] / unit);
        }
        worst = fmax(worst, miss);
    }
    return worst;
}

static scree_status paradox(const scree_events *e, const scree_evaluation *view, bool several,
                            scree_error *err) {
    char room[16];
    for (int c = 0; c < e->small.contacts; c++) {
        const double *row = view->W[2 * c];
        double pressed = row[2 * c] - e->small.friction[c] * fabs(row[2 * c + 1]);
        if (touches(e, view, c) && pressed < 0)
            return scree_fail(
                err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                "time %.12g: %s: Painleve's paradox, friction at %s presses it closed "
                "(W_NN - mu |W_NT| = %.6g < 0)",
                e->t,
                several ? "several accelerations agree with the contact laws"
                        : "no acceleration agrees with the contact laws",
                e->small.name(e->small.self, c, room), pressed);
    }
    return scree_fail(
        err, SCREE_BAD_INPUT, SCREE_NOWHERE,
        several ? "time %.12g: several accelerations agree with the contact laws, and "
                  "none of them goes on with what was: what follows is not determined"
                : "time %.12g: no acceleration agrees with the contact laws (statuses with more "
                  "constraints than the system can have at once are not tried)",
        e->t);
}

// of several motions the one that goes on with the phases so far; -1 if there is none
static int continued(scree_events *e, const scree_evaluation *view, int found) {
    scree_mode_solution old;
    memcpy(old.phase, e->flow.phase, sizeof old.phase);
    if (!scree_modes_solve(view, e->small.friction, view->du, &old)) return -1;
    for (int k = 0; k < found; k++)
        if (scree_modes_same(view, view->scale, &old, &e->choice[k])) return k;
    return -1;
}

static scree_status choose(scree_events *e, const scree_evaluation *view, bool struck,
                           scree_contact_mode *phase, scree_error *err) {
    int may[C], best = 0;
    for (int c = 0; c < e->small.contacts; c++) may[c] = possible(e, view, c);
    int found =
        scree_modes_enumerate(view, e->small.friction, view->du, view->scale, may, LAW, e->choice);
    if (!found) return paradox(e, view, false, err);
    if (distinct(view, view->scale, e->choice, found)) {
        best = struck ? -1 : continued(e, view, found);
        if (best < 0) return paradox(e, view, true, err);
    }
    double least = found > 1 ? trouble(e, &e->choice[best], may) : 0;
    for (int k = 0, first = best; k < found; k++) {
        if (k == first || !scree_modes_same(view, view->scale, &e->choice[first], &e->choice[k]))
            continue;
        double miss = trouble(e, &e->choice[k], may);
        // the first of those that are equally good but for rounding
        if (miss < least - 1e-12) {
            least = miss;
            best = k;
        }
    }
    memcpy(phase, e->choice[best].phase, (size_t)e->small.contacts * sizeof *phase);
    return SCREE_OK;
}

static scree_status log_change(scree_events *e, const scree_evaluation *view, int c,
                               scree_contact_mode was, scree_contact_mode is, scree_error *err) {
    static const scree_event_kind kinds[] = { SCREE_EVENT_STICK, SCREE_EVENT_SLIP_PLUS,
                                              SCREE_EVENT_SLIP_MINUS, SCREE_EVENT_LIFT_OFF };
    scree_event event = { e->t,
                          SCREE_EVENT_TOUCH,
                          c,
                          { view->u[c][0], view->u[c][1] },
                          { view->u[c][0], view->u[c][1] },
                          { 0 } };
    scree_status status = SCREE_OK;
    if (was == is) return SCREE_OK;
    if (was == SCREE_MODE_OPEN) status = log_event(e, &event, err);
    // closed without friction is the only way to be closed
    if (status || (was == SCREE_MODE_OPEN && e->small.friction[c] == 0)) return status;
    event.kind = kinds[is];
    return log_event(e, &event, err);
}

// impacts until nothing approaches, then statuses
static scree_status settle(scree_events *e, bool start, scree_error *err) {
    scree_evaluation view;
    scree_contact_mode phase[C];
    bool struck = start;  // nothing was before to go on with
    scree_status status = SCREE_OK;
    see(e, &view);
    remember(e, &view);
    for (int round = 0; approaches(e, &view) && !status; round++) {
        if (round == ROUNDS)
            return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                              "time %.12g: impacts at one moment do not end", e->t);
        status = resolve_impact(e, &view, err);
        struck = true;
        see(e, &view);
    }
    if (!status) status = choose(e, &view, struck, phase, err);
    for (int c = 0; c < e->small.contacts && !status; c++)
        status = log_change(e, &view, c, e->flow.phase[c], phase[c], err);
    if (status) return status;
    memcpy(e->flow.phase, phase, sizeof phase);
    hold(e);
    scree_event_functions watch;
    scree_flow_event_functions(&e->flow, e->t, e->y, &watch);
    e->sign = watch.sign;
    return SCREE_OK;
}

// -------------------------------------------------------------------------------------------------
// phases

static bool all_finite(const double *y, int n) {
    for (int i = 0; i < n; i++)
        if (!isfinite(y[i])) return false;
    return true;
}

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
           !(error <= 1 && all_finite(end, length)))
        h = fmax(least, h * (error > 1 ? fmax(0.2, 0.9 * pow(error, -0.2)) : 0.2));
    if (++e->pieces > PIECES)
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                          "time %.12g: more than %d pieces of integration in one step, the last of "
                          "length %.3g: loads jump or grow, or the step is too long",
                          e->t, PIECES, h);
    if (!solved) return singular(e, err);
    if (!all_finite(end, length))
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                          "time %.12g: loads, gaps or the state are not finite any more", e->t);
    scree_event_functions watch;
    if (!scree_flow_event_functions(&e->flow, e->t + h, end, &watch) || watch.sign != e->sign)
        return singular(e, err);
    e->stride = fmax(least, h * fmin(5, error > 0 ? 0.9 * pow(error, -0.2) : 5));
    double after = scree_flow_locate_event(&e->flow, e->t, e->y, h, end, event);
    if (*event && after < h && !scree_flow_step(&e->flow, e->t, e->y, after, end, &error))
        return singular(e, err);
    e->t = after < h || h < until - e->t ? e->t + after : until;
    memcpy(e->y, end, (size_t)length * sizeof *end);
    if (!*event) hold(e);
    return SCREE_OK;
}

static scree_status advance(scree_events *e, double until, scree_error *err) {
    scree_status status = SCREE_OK;
    int standing = 0;  // events without time going by
    while (e->t < until && !status) {
        double before = e->t;
        bool event = false;
        status = integrate_to_event(e, until, &event, err);
        if (!status && event) status = settle(e, false, err);
        standing = event && e->t <= before ? standing + 1 : 0;
        if (standing > ROUNDS && !status)
            status = scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                                "time %.12g: events follow each other without time going by", e->t);
    }
    return status;
}

// -------------------------------------------------------------------------------------------------
// records and accounts

static void note_start(scree_events *e) {
    scree_evaluation view;
    int n = e->small.n;
    see(e, &view);
    memcpy(e->q[0], e->y, (size_t)n * sizeof(double));
    memcpy(e->v[0], e->y + n, (size_t)n * sizeof(double));
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
        memcpy(contact->u_before, view.u[c], sizeof view.u[c]);
        memcpy(contact->w_before, view.w[c], sizeof view.w[c]);
    }
}

static void note_end(scree_events *e, int64_t step) {
    scree_evaluation view;
    int n = e->small.n;
    see(e, &view);
    memcpy(e->q[1], e->y, (size_t)n * sizeof(double));
    memcpy(e->v[1], e->y + n, (size_t)n * sizeof(double));
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
    scree_small_energy energy = e->small.energy(e->small.self, e->q[1], e->v[1]);
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
    for (int k = 0; k < 2; k++) scale += e->small.energy(e->small.self, e->q[k], e->v[k]).size;
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
    char room[16];
    for (int c = 0; c < e->small.contacts && !e->options->accept_overlaps; c++)
        if (view->gap[c] < -TOUCH * view->length[c])
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
    e->flow.reach = e->flow.pace = 0;
    for (int c = 0; c < C; c++) e->flow.phase[c] = SCREE_MODE_OPEN;
    scree_evaluation view;
    see(e, &view);
    if (!all_finite(view.force, e->small.n) || !all_finite(view.gap, e->small.contacts))
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                          "a load or gap at the start is not finite");
    scree_status status = check_gaps(e, &view, err);
    if (status) return status;
    note_start(e);
    note_end(e, 0);
    e->ledger = energies_of(e);
    e->fresh = true;
    return settle(e, true, err);
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
        return no_memory(err);
    }
    e->options = options;
    e->record.h = options->scheme.step;
    e->flow.small = &e->small;
    e->record.contact = e->contact;
    e->record.problem.dimension = 2;
    *events = e;
    return SCREE_OK;
}

// begin, if there is a system to begin with
static scree_status finish_new(scree_status status, scree_events **events, scree_error *err) {
    scree_events *e = *events;
    e->record.contacts = e->small.contacts;
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
    status = scree_matrix_system_make(model, e->record.h / 16, &e->matrix, &e->small, err);
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

int scree_events_list(const scree_events *events, const scree_event **list) {
    *list = events->event;
    return events->events;
}

scree_status scree_events_restore(scree_events *e, const scree_state *state, scree_error *err) {
    scree_account account;
    scree_status status = begin(e, err);
    while (!status && e->record.after.step < state->step)
        status = scree_events_step(e, &account, err);
    size_t size = (size_t)e->small.n * sizeof(double);
    if (!status && (memcmp(state->q, e->q[1], size) || memcmp(state->v, e->v[1], size)))
        status = scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                            "event-driven goes to a state by running through the whole run again, "
                            "and this run does not come to it");
    return status;
}

// phases are exact: only impacts can create energy
scree_theorem scree_events_theorem(const scree_model *model) {
    scree_theorem theorem = { .holds = true };
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
