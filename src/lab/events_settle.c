// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// events_settle.c - what follows from an event: percussions, then statuses.
// in: a state at which a phase was lost.   out: velocities after impacts, phases, events.
//
// Contacts that touch and approach have an impact by Newton's law, with Coulomb's law on the
// percussion. Those that touch and do not separate then get the statuses that the laws of
// accelerations leave.
// Statuses that differ in nothing at this moment, as at the vertex of the cone of friction, are
// told apart by what comes of them a little later.

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lab/events_run.h"

enum { N = SCREE_SMALL_N, C = SCREE_SMALL_C, ROUNDS = 64, CROWD = 1000000 };

static const double LAW = 1e-10;      // of accelerations and percussions: smaller is rounding
static const double STILL = 1e-11;    // of the velocities that make u_T: does not slide
static const double REBOUND = 1e-10;  // of the fastest velocity so far: no rebound any more

static scree_status log_event(scree_events *e, const scree_event *event, scree_error *err) {
    if (e->events == CROWD)
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                          "time %.9g: more than %d events; give a larger velocity_tolerance", e->t,
                          CROWD);
    if (e->events == e->room) {
        int room = e->room ? 2 * e->room : 64;
        scree_event *grown = realloc(e->event, (size_t)room * sizeof *grown);
        if (!grown) return scree_fail_memory(err, NULL);
        e->event = grown;
        e->room = room;
    }
    e->event[e->events++] = *event;
    return SCREE_OK;
}

void scree_events_evaluate(const scree_events *e, scree_evaluation *view) {
    scree_small_system_evaluate(&e->small, e->t, e->y, e->y + e->small.n, view);
}

static void remember(scree_events *e, const scree_evaluation *view) {
    for (int c = 0; c < e->small.contacts; c++) {
        e->flow.fastest[c] = fmax(e->flow.fastest[c], view->speed[c]);
        e->flow.longest[c] = fmax(e->flow.longest[c], view->length[c]);
    }
    for (int i = 0; i < e->small.n; i++) {
        e->flow.reach = fmax(e->flow.reach, fabs(e->y[i]));
        e->flow.fastest_rate = fmax(e->flow.fastest_rate, fabs(e->y[e->small.n + i]));
    }
}

// the velocity that those of a contact are compared with: its fastest so far, or what forces would
// bring it to in the time that is looked ahead
static double slow(const scree_events *e, const scree_evaluation *view, int c) {
    return fmax(e->flow.fastest[c], e->flow.lookahead * view->scale[c]);
}

static double rebound_limit(const scree_events *e, int c) {
    double given = e->options->scheme.velocity_tolerance;
    return isnan(given) ? REBOUND * e->flow.fastest[c] : given;
}

static bool touches(const scree_events *e, const scree_evaluation *view, int c) {
    return e->flow.phase[c] != SCREE_MODE_OPEN ||
           (!view->far[c] && view->gap[c] <= SCREE_SMALL_TOUCH * e->flow.longest[c]);
}

static void push(scree_events *e, const scree_evaluation *view, double p[][2]) {
    double *v = e->y + e->small.n;
    for (int c = 0; c < e->small.contacts; c++)
        for (int k = 0; k < 2 && !view->far[c]; k++)
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
        for (int i = 0; i < n && !view->far[c]; i++) way[i] += view->push[c][0][i] * by->p[c][0];
    e->corrected += e->small.shift_work(e->small.self, e->y, e->y + n, way);
    for (int i = 0; i < n; i++) e->y[i] += way[i];
}

// closed contacts have no gap and no normal velocity, stuck ones do not slide: take away what
// rounding and integration have left of them
void scree_events_hold(scree_events *e) {
    static const double smooth[C] = { 0 };
    scree_evaluation view;
    scree_mode_solution back;
    double gap[C][2] = { { 0 } };
    scree_events_evaluate(e, &view);
    for (int c = 0; c < e->small.contacts; c++) {
        bool open = e->flow.phase[c] == SCREE_MODE_OPEN;
        gap[c][0] = view.gap[c];
        back.phase[c] = open ? SCREE_MODE_OPEN : SCREE_MODE_SLIP_PLUS;
    }
    remember(e, &view);
    if (scree_modes_solve(&view, smooth, gap, &back)) shift(e, &view, &back);
    scree_events_evaluate(e, &view);
    memcpy(back.phase, e->flow.phase, sizeof back.phase);
    if (!scree_modes_solve(&view, smooth, view.u, &back)) return;
    push(e, &view, back.p);
    for (int c = 0; c < e->small.contacts; c++)
        if (back.phase[c] != SCREE_MODE_OPEN) fill_ledger_impact(e, &view, c, back.p[c], back.y[c]);
}

// the scale of contacts: that of the largest among those that touch, which the others feel
static void level(const scree_events *e, const scree_evaluation *view, const double *size,
                  double *scale) {
    double most = 0;
    for (int c = 0; c < e->small.contacts; c++)
        if (touches(e, view, c)) most = fmax(most, size[c]);
    for (int c = 0; c < e->small.contacts; c++) scale[c] = fmax(most, size[c]);
}

// -------------------------------------------------------------------------------------------------
// impacts

static bool approaches(const scree_events *e, const scree_evaluation *view) {
    for (int c = 0; c < e->small.contacts; c++)
        if (touches(e, view, c) && view->u[c][0] < -STILL * slow(e, view, c)) return true;
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

static scree_status crowded(const scree_events *e, scree_error *err) {
    return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                      "time %.12g: more than %d contacts touch at once, too many for event-driven, "
                      "which tries all their statuses",
                      e->t, SCREE_EVENTS_CONTACTS);
}

// u+ = W p + u- with 0 <= u_N+ + e u_N- _|_ p_N >= 0 and Coulomb's law on u_T+
static scree_status resolve_impact(scree_events *e, const scree_evaluation *view,
                                   scree_error *err) {
    double b[C][2], scale[C], back[C];
    int may[C];
    level(e, view, view->speed, scale);
    for (int c = 0; c < e->small.contacts; c++) {
        bool near = touches(e, view, c);
        back[c] = near ? returned(e, view, c) : 0;
        b[c][0] = view->u[c][0] + back[c];
        b[c][1] = view->u[c][1];
        may[c] = SCREE_MAY_OPEN | (near ? SCREE_MAY_SLIP_PLUS : SCREE_IS_FAR);
        if (near && e->small.friction[c] > 0) may[c] |= SCREE_MAY_STICK | SCREE_MAY_SLIP_MINUS;
    }
    int found = scree_modes_enumerate(view, e->small.friction, b, scale, may, LAW, e->choice);
    if (found < 0) return crowded(e, err);
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
    if (!touches(e, view, c) || view->u[c][0] > STILL * slow(e, view, c))
        return SCREE_MAY_OPEN | SCREE_IS_FAR;
    if (mu == 0) return SCREE_MAY_OPEN | SCREE_MAY_SLIP_PLUS;
    if (fabs(u) > STILL * fmax(view->speed[c], slow(e, view, c)))
        return SCREE_MAY_OPEN | SCREE_IS_SLIDING |
               (u > 0 ? SCREE_MAY_SLIP_PLUS : SCREE_MAY_SLIP_MINUS);
    return SCREE_MAY_OPEN | SCREE_MAY_STICK | SCREE_MAY_SLIP_PLUS | SCREE_MAY_SLIP_MINUS;
}

// how much a choice is at odds with the laws a little later
static double trouble(const scree_events *e, const scree_mode_solution *choice, const int *may) {
    double end[SCREE_SMALL_Y], error, worst = 0, after = e->flow.lookahead;
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
        double unit = view.scale[c], miss = 0;
        if (may[c] & SCREE_IS_FAR || unit == 0) continue;
        double force = unit / view.W[2 * c][2 * c];
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
    char room[SCREE_EVENT_NAME];
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
static int continued(scree_events *e, const scree_evaluation *view, const double *scale,
                     int found) {
    scree_mode_solution old;
    memcpy(old.phase, e->flow.phase, sizeof old.phase);
    if (!scree_modes_solve(view, e->small.friction, view->du, &old)) return -1;
    for (int k = 0; k < found; k++)
        if (scree_modes_same(view, scale, &old, &e->choice[k])) return k;
    return -1;
}

static scree_status choose(scree_events *e, const scree_evaluation *view, bool struck,
                           scree_contact_mode *phase, scree_error *err) {
    int may[C], best = 0;
    double scale[C];
    level(e, view, view->scale, scale);
    for (int c = 0; c < e->small.contacts; c++) may[c] = possible(e, view, c);
    int found =
        scree_modes_enumerate(view, e->small.friction, view->du, scale, may, LAW, e->choice);
    if (found < 0) return crowded(e, err);
    if (!found) return paradox(e, view, false, err);
    if (distinct(view, scale, e->choice, found)) {
        best = struck ? -1 : continued(e, view, scale, found);
        if (best < 0) return paradox(e, view, true, err);
    }
    double least = found > 1 ? trouble(e, &e->choice[best], may) : 0;
    for (int k = 0, first = best; k < found; k++) {
        if (k == first || !scree_modes_same(view, scale, &e->choice[first], &e->choice[k]))
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

// which features of bodies touch
static void attach(const scree_events *e) {
    if (e->small.attach)
        e->small.attach(e->small.self, e->t, e->y, e->y + e->small.n, e->flow.longest);
}

scree_status scree_events_settle(scree_events *e, bool start, scree_error *err) {
    scree_evaluation view;
    scree_contact_mode phase[C];
    bool struck = start;  // nothing was before to go on with
    scree_status status = SCREE_OK;
    attach(e);
    scree_events_evaluate(e, &view);
    remember(e, &view);
    for (int round = 0; approaches(e, &view) && !status; round++) {
        if (round == ROUNDS)
            return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                              "time %.12g: impacts at one moment do not end", e->t);
        status = resolve_impact(e, &view, err);
        struck = true;
        attach(e);
        scree_events_evaluate(e, &view);
    }
    if (!status) status = choose(e, &view, struck, phase, err);
    for (int c = 0; c < e->small.contacts && !status; c++)
        status = log_change(e, &view, c, e->flow.phase[c], phase[c], err);
    if (status) return status;
    memcpy(e->flow.phase, phase, sizeof phase);
    if (e->small.release) e->small.release(e->small.self, phase);
    scree_events_hold(e);
    scree_event_functions found;
    scree_flow_event_functions(&e->flow, e->t, e->y, &found);
    e->sign = found.sign;
    return SCREE_OK;
}
