// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// mechanism.c - steps of mechanisms whose mass depends on where they are: records and accounts.
// in: M(q), V(q), Q, gaps.   out: states, contacts, a ledger that closes.

#include "scree/mechanism.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/dense.h"
#include "lab/mechanism.h"
#include "law/status.h"

enum { N = SCREE_CONFIGURATION_N, C = SCREE_CONFIGURATION_C };

// -------------------------------------------------------------------------------------------------
// what can be done

static scree_status check_law(const scree_mechanism_def *m, int c, scree_error *err) {
    const scree_law *law = &m->law[c];
    char room[16];
    const char *name = scree_configuration_contact_name(m, c, room);
    if (!(law->restitution >= 0 && law->restitution <= 1 && law->friction >= 0))
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                          "contact %s: restitution is between 0 and 1 and friction not "
                          "negative, got %g and %g",
                          name, law->restitution, law->friction);
    if (!(law->tangential_restitution >= 0 && law->tangential_restitution <= 1))
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                          "contact %s: tangential restitution is between 0 and 1, got %g", name,
                          law->tangential_restitution);
    if (law->cohesion > 0 || law->rolling > 0 || law->friction_across > 0)
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                          "contact %s: contacts of mechanisms have restitution and friction, not "
                          "cohesion, rolling resistance or a second friction",
                          name);
    return SCREE_OK;
}

scree_status scree_mechanism_check(const scree_mechanism_def *m, scree_error *err) {
    if (m->coordinates < 1 || m->coordinates > N || m->contacts < 0 || m->contacts > C)
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                          "a mechanism has 1 to %d coordinates and up to %d contacts, found %d and "
                          "%d",
                          N, C, m->coordinates, m->contacts);
    scree_status status = SCREE_OK;
    for (int c = 0; c < m->contacts && !status; c++) status = check_law(m, c, err);
    return status;
}

static scree_status check_nscd(const scree_mechanism_def *m, scree_error *err) {
    char room[16];
    for (int c = 0; c < m->contacts; c++) {
        const scree_law *law = &m->law[c];
        const char *name = scree_configuration_contact_name(m, c, room);
        if (law->restitution > 0)
            return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                              "contact %s: nscd has no restitution, got %g; moreau-jean has", name,
                              law->restitution);
        if (law->tangential_restitution > 0)
            return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                              "contact %s: nscd has no tangential restitution, got %g; moreau-jean "
                              "has",
                              name, law->tangential_restitution);
    }
    return SCREE_OK;
}

static scree_status check_scheme(const scree_mechanism_def *m, const scree_scheme_options *scheme,
                                 scree_error *err) {
    const scree_scheme_row *row = scree_scheme_row_of(scheme);
    bool middle = row->theta_max == 0.5 || row->impact == SCREE_IMPACT_FREMOND;
    if (scheme->name == SCREE_EVENT_DRIVEN)
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                          "event-driven is no scheme of steps: see scree_events_of_mechanism");
    if (middle && scheme->theta > 0.5)
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                          "mechanisms have %s with theta 1/2 only, got %g", row->name,
                          scheme->theta);
    scree_status status = scree_scheme_check_theta(scheme, err);
    if (status) return status;
    if (!(scheme->step > 0 && isfinite(scheme->step)))
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE, "the step must be positive, got %g",
                          scheme->step);
    if (scheme->gap_tolerance < 0 || scheme->velocity_tolerance < 0)
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE, "tolerances must not be negative");
    return scheme->name == SCREE_NSCD ? check_nscd(m, err) : SCREE_OK;
}

static scree_theorem verdict(bool holds, const char *reason) {
    scree_theorem theorem = { .holds = holds };
    snprintf(theorem.reason, sizeof theorem.reason, "%s", reason);
    return theorem;
}

scree_theorem scree_mechanism_theorem(const scree_scheme_options *scheme) {
    switch (scheme->name) {
        case SCREE_MOREAU_JEAN_FREMOND:
            if (scheme->velocity_tolerance > 0)
                return verdict(false,
                               "contacts that separate may be active: leave velocity_tolerance at "
                               "auto, or 0");
            return verdict(
                true,
                "Coulomb's law on the mean velocity of the step, and a discrete gradient "
                "of the energy, for any M(q)");
        case SCREE_NSCD:
            return verdict(
                false,
                "contacts create no energy, but M(q) is that of the start of a step: what "
                "this does to the energy has either sign");
        default:
            return verdict(false,
                           "M(q) is that of one place in a step: what this does to the energy has "
                           "either sign");
    }
}

// -------------------------------------------------------------------------------------------------
// records and accounts

static void finish_contacts(scree_mechanism *s) {
    const scree_mechanism_def *m = s->mechanics;
    int n = m->coordinates;
    double row[2][N];
    bool mean = s->scheme.name == SCREE_MOREAU_JEAN_FREMOND;
    for (int c = 0; c < m->contacts; c++) {
        scree_contact *contact = &s->contact[c];
        for (int k = 0; k < 2; k++) {
            const double *H = s->touch.row[c][k];
            contact->u_after[k] =
                mean ? 2 * scree_configuration_dot(H, s->vbar, n) - contact->u_before[k]
                     : scree_configuration_dot(H, s->record.after.v, n);
        }
        contact->gap_after = m->contact(m->self, c, s->record.after.q, row[0], row[1]);
    }
    for (int a = 0; a < s->touch.active; a++) {
        scree_contact *contact = &s->contact[s->touch.index[a]];
        const double *p = s->touch.p + 2 * a;
        memcpy(contact->impulse, p, 2 * sizeof *p);
        scree_law_cone cone = scree_law_cone_of(contact, s->record.h);
        scree_law_scale scale = { .s = contact->velocity_scale, .tolerance = s->solver.tolerance };
        contact->status = scree_law_status(&cone, p, s->touch.s + 2 * a, 2, scale);
    }
    s->record.active = s->touch.active;
    s->record.law_velocity = s->touch.s;
}

static double fill_ledger_contacts(const scree_mechanism *s, scree_account *account) {
    double scale = 0;
    for (int c = 0; c < s->mechanics->contacts; c++) {
        const scree_contact *contact = &s->contact[c];
        scree_contact_work work =
            scree_ledger_contact(contact, 2, scree_scheme_alpha(&s->scheme), s->solver.tolerance);
        account->penetration = fmax(account->penetration, -contact->gap_after);
        account->ledger.contact_normal_work += work.normal;
        account->ledger.contact_tangential_work += work.tangential;
        scale += (fabs(contact->impulse[0]) + fabs(contact->impulse[1])) * contact->velocity_scale;
        if (contact->impulse[0] == 0) continue;
        account->tangential_work_max = fmax(account->tangential_work_max, work.tangential);
        if (work.normal > work.threshold) account->energy_created += work.normal;
        if (work.tangential > work.threshold) account->energy_created += work.tangential;
    }
    return scale;
}

static void fill_ledger(const scree_mechanism *s, scree_account *account) {
    int n = s->mechanics->coordinates;
    double before = scree_configuration_kinetic(&s->start, n, s->record.before.v);
    *account = (scree_account){ .ledger = scree_mechanism_ledger(s),
                                .tangential_work_max = -HUGE_VAL,
                                .residual = s->record.report.residual,
                                .iterations = s->record.report.iterations,
                                .active = s->record.active,
                                .converged = s->record.report.converged };
    scree_ledger *ledger = &account->ledger;
    double scale = before + ledger->kinetic + fabs(s->start.potential) + fabs(s->end.potential) +
                   fill_ledger_contacts(s, account);
    for (int i = 0; i < n; i++) {
        double work = s->record.h * s->vbar[i] * s->load[i];
        ledger->external_work += work;
        scale += fabs(work);
    }
    double left = ledger->kinetic - before + ledger->potential - s->start.potential -
                  ledger->external_work - ledger->contact_normal_work -
                  ledger->contact_tangential_work;
    // where M is that of one place the balance is no identity: what is left of it is the scheme's
    bool exact = s->scheme.name == SCREE_MOREAU_JEAN_FREMOND;
    *(exact ? &ledger->residual : &ledger->numerical_dissipation) = left;
    ledger->bound = 256 * n * DBL_EPSILON * scale;
}

// -------------------------------------------------------------------------------------------------
// beginning, steps, end

scree_status scree_mechanism_new(const scree_mechanism_def *mechanics,
                                 const scree_scheme_options *scheme,
                                 const scree_solver_options *solver, scree_mechanism **mechanism,
                                 scree_error *err) {
    *mechanism = NULL;
    scree_status status = scree_mechanism_check(mechanics, err);
    if (!status) status = check_scheme(mechanics, scheme, err);
    if (status) return status;
    scree_mechanism *s = calloc(1, sizeof *s);
    if (!s) return scree_fail(err, SCREE_NO_MEMORY, SCREE_NOWHERE, "out of memory");
    s->mechanics = mechanics;
    s->scheme = scree_scheme_resolve(scheme);
    s->solver = *solver;
    s->record.h = scheme->step;
    s->record.before = (scree_state){ 0, 0, s->q[0], s->v[0] };
    s->record.after = (scree_state){ 0, 0, s->q[1], s->v[1] };
    s->record.contacts = mechanics->contacts;
    s->record.contact = s->contact;
    const scree_state start = { 0, 0, (double *)mechanics->position,
                                (double *)mechanics->velocity };
    status = scree_mechanism_restore(s, &start, err);
    if (status)
        free(s);
    else
        *mechanism = s;
    return status;
}

void scree_mechanism_free(scree_mechanism *mechanism) { free(mechanism); }

static bool all_finite(const double *x, int n) {
    for (int i = 0; i < n; i++)
        if (!isfinite(x[i])) return false;
    return true;
}

// the record of a state: both ends are it, and nothing happens between them
static void show(scree_mechanism *s) {
    scree_state *before = &s->record.before;
    const scree_state *after = &s->record.after;
    size_t size = (size_t)s->mechanics->coordinates * sizeof(double);
    before->step = after->step;
    before->time = after->time;
    memcpy(before->q, after->q, size);
    memcpy(before->v, after->v, size);
    memcpy(s->vbar, after->v, size);
    s->touch.active = 0;
    scree_mechanism_update_contacts(s, after->q, after->v);
    finish_contacts(s);
    s->record.problem = (scree_problem){ .dimension = 2 };
    s->record.report = (scree_report){ .solver = s->solver.name, .converged = true };
}

scree_status scree_mechanism_restore(scree_mechanism *s, const scree_state *state,
                                     scree_error *err) {
    int n = s->mechanics->coordinates;
    scree_state *after = &s->record.after;
    scree_configuration at;
    if (!all_finite(state->q, n) || !all_finite(state->v, n))
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                          "positions and velocities at step %lld are not finite",
                          (long long)state->step);
    if (!scree_configuration_evaluate(s->mechanics, state->q, &at))
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                          "M(q) is not positive definite at step %lld, or V(q) not finite",
                          (long long)state->step);
    s->end = at;
    after->step = state->step;
    after->time = (double)state->step * s->record.h;
    memcpy(after->q, state->q, (size_t)n * sizeof(double));
    memcpy(after->v, state->v, (size_t)n * sizeof(double));
    show(s);
    return SCREE_OK;
}

static void swap_states(scree_mechanism *s) {
    scree_state old = s->record.before;
    s->record.before = s->record.after;
    s->record.after = old;
}

static scree_status advance(scree_mechanism *s, scree_error *err) {
    switch (s->scheme.name) {
        case SCREE_MOREAU_JEAN_FREMOND:
            return scree_mechanism_fremond(s, err);
        case SCREE_NSCD:
            return scree_mechanism_nscd(s, err);
        default:
            return scree_mechanism_explicit(s, err);
    }
}

scree_status scree_mechanism_step(scree_mechanism *s, scree_account *account, scree_error *err) {
    int n = s->mechanics->coordinates;
    swap_states(s);
    s->start = s->end;
    s->record.after.step = s->record.before.step + 1;
    s->record.after.time = (double)s->record.after.step * s->record.h;
    memset(s->touch.p, 0, sizeof s->touch.p);
    scree_status status = advance(s, err);
    if (!status && !(all_finite(s->record.after.q, n) && all_finite(s->record.after.v, n)))
        status = scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                            "step %lld at time %.9g: the state is not finite any more",
                            (long long)s->record.after.step, s->record.after.time);
    if (status) {
        s->end = s->start;
        swap_states(s);
        return status;
    }
    finish_contacts(s);
    fill_ledger(s, account);
    return SCREE_OK;
}

const scree_step_record *scree_mechanism_record(const scree_mechanism *mechanism) {
    return &mechanism->record;
}

scree_ledger scree_mechanism_ledger(const scree_mechanism *s) {
    return (scree_ledger){ .kinetic = scree_configuration_kinetic(
                               &s->end, s->mechanics->coordinates, s->record.after.v),
                           .potential = s->end.potential };
}

scree_status scree_mechanism_impact(const scree_mechanism_def *m, scree_scheme law,
                                    const scree_solver_options *solver, const double *q,
                                    const double *v, double *after, double *impulse,
                                    scree_error *err) {
    scree_status status = scree_mechanism_check(m, err);
    if (status) return status;
    int n = m->coordinates;
    scree_touching t = { .active = m->contacts };
    scree_problem problem;
    scree_report report;
    double push[N] = { 0 };
    scree_configuration at;
    if (!scree_configuration_evaluate(m, q, &at))
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE, "M(q) is not positive definite");
    for (int c = 0; c < m->contacts; c++) {
        double slide = law == SCREE_MOREAU_JEAN_FREMOND ? 1 : m->law[c].tangential_restitution;
        t.index[c] = c;
        m->contact(m->self, c, q, t.row[c][0], t.row[c][1]);
        t.b[2 * c] = (1 + m->law[c].restitution) * scree_configuration_dot(t.row[c][0], v, n);
        t.b[2 * c + 1] = (1 + slide) * scree_configuration_dot(t.row[c][1], v, n);
    }
    scree_touching_fill(at.L, at.L, n, &t);
    status = scree_touching_solve(m, solver, &t, &problem, &report, err);
    if (status) return status;
    if (!report.converged)
        return scree_fail(
            err, SCREE_UNCONVERGED, SCREE_NOWHERE, "the impact: %s, residual %.3g (scaled %.3g)",
            scree_stop_reason_text(report.reason), report.residual.natural, report.residual.scaled);
    scree_touching_push(&t, n, push);
    scree_dense_solve(at.L, n, push);
    for (int i = 0; i < n; i++) after[i] = v[i] + push[i];
    if (impulse) memcpy(impulse, t.p, (size_t)(2 * m->contacts) * sizeof *impulse);
    return SCREE_OK;
}
