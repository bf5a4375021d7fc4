// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// mechanism.c - a mechanism alone, as a model with nothing else in it, and its impacts.
// in: M(q), V(q), Q, gaps.   out: states, contacts, a ledger that closes.

#include "scree/mechanism.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/dense.h"
#include "model/mechanism.h"

enum { N = SCREE_CONFIGURATION_N, C = SCREE_CONFIGURATION_C };

struct scree_mechanism {
    scree_model *model;
    scree_stepper *stepper;
    double tolerance;
    double scratch[3 * N];
};

scree_status scree_mechanism_new(const scree_mechanism_def *mechanics,
                                 const scree_scheme_options *scheme,
                                 const scree_solver_options *solver, scree_mechanism **mechanism,
                                 scree_error *err) {
    *mechanism = NULL;
    if (scheme->name == SCREE_EVENT_DRIVEN)
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                          "event-driven is no scheme of steps: see scree_events_of_mechanism");
    scree_mechanism *s = calloc(1, sizeof *s);
    if (s) s->model = scree_model_new();
    if (!s || !s->model) {
        free(s);
        return scree_fail_memory(err, NULL);
    }
    s->tolerance = solver->tolerance;
    scree_status status = scree_model_set_mechanism(s->model, mechanics, err);
    if (!status) status = scree_model_finish(s->model, err);
    if (!status) status = scree_stepper_new(s->model, scheme, solver, &s->stepper, err);
    if (status)
        scree_mechanism_free(s);
    else
        *mechanism = s;
    return status;
}

void scree_mechanism_free(scree_mechanism *mechanism) {
    if (!mechanism) return;
    scree_stepper_free(mechanism->stepper);
    scree_model_free(mechanism->model);
    free(mechanism);
}

scree_status scree_mechanism_restore(scree_mechanism *s, const scree_state *state,
                                     const scree_contact *contact, int contacts, scree_error *err) {
    int n = s->model->dofs;
    scree_configuration at;
    if (!scree_dense_finite(state->q, n) || !scree_dense_finite(state->v, n))
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                          "positions and velocities at step %lld are not finite",
                          (long long)state->step);
    if (!scree_configuration_evaluate(s->model->mechanism, state->q, &at))
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE, "%s at step %lld", at.wrong,
                          (long long)state->step);
    return scree_stepper_restore(s->stepper, state, contact, contacts, err);
}

scree_status scree_mechanism_step(scree_mechanism *s, scree_account *account, scree_error *err) {
    *account = (scree_account){ .ledger = scree_mechanism_ledger(s) };
    scree_status status = scree_stepper_advance(s->stepper, err);
    const scree_step_record *record = scree_mechanism_record(s);
    if (!status)
        scree_account_step(s->model, record->scheme->theta, s->tolerance, record, account,
                           s->scratch);
    return status;
}

const scree_step_record *scree_mechanism_record(const scree_mechanism *mechanism) {
    return scree_stepper_record(mechanism->stepper);
}

scree_ledger scree_mechanism_ledger(const scree_mechanism *s) {
    return scree_ledger_of_state(s->model, &scree_mechanism_record(s)->after);
}

// -------------------------------------------------------------------------------------------------
// impacts

static void solve_mass(void *self, double *x) {
    const scree_part_inverse *part = self;
    scree_dense_solve(part->factor, part->width, x);
}

scree_status scree_mechanism_impact(const scree_mechanism_def *m, scree_scheme law,
                                    const scree_solver_options *solver, const double *q,
                                    const double *v, double *after, double *impulse,
                                    scree_error *err) {
    scree_status status = scree_mechanism_check(m, err);
    if (!status && m->across)
        status = scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                            "impacts are for mechanisms with planar contacts");
    if (status) return status;
    int n = m->coordinates, nc = m->contacts, first[C + 1];
    double H[C][2 * N], b[2 * C], mu[C], p[2 * C] = { 0 }, push[N] = { 0 };
    scree_jacobian_block block[C];
    scree_configuration at;
    if (!scree_configuration_evaluate(m, q, &at))
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE, "%s", at.wrong);
    for (int c = 0; c < nc; c++) {
        double slide = law == SCREE_MOREAU_JEAN_FREMOND ? 1 : m->law[c].tangential_restitution;
        double rate[2];
        scree_configuration_gap(m, c, 0, q, H[c], H[c] + n, rate);
        b[2 * c] = (1 + m->law[c].restitution) * scree_dense_dot(H[c], v, n);
        b[2 * c + 1] = (1 + slide) * scree_dense_dot(H[c] + n, v, n);
        mu[c] = m->law[c].friction;
        first[c] = c;
        block[c] = (scree_jacobian_block){ .part = 0, .H = H[c] };
    }
    first[nc] = nc;
    scree_part_inverse part = { .width = n, .factor = at.L, .solve = solve_mass };
    part.self = &part;
    const scree_bodies bodies = { .parts = 1, .part = &part, .first = first, .block = block };
    scree_problem problem = { .contacts = nc, .dimension = 2, .b = b, .mu = mu, .bodies = &bodies };
    scree_report report = { .converged = true };
    if (nc) status = scree_problem_assemble(&problem, err);
    if (!status && nc) status = scree_solve(&problem, solver, p, &report, err);
    scree_problem_release(&problem);
    if (status) return status;
    if (!report.converged)
        return scree_fail(
            err, SCREE_UNCONVERGED, SCREE_NOWHERE, "the impact: %s, residual %.3g (scaled %.3g)",
            scree_stop_reason_text(report.reason), report.residual.natural, report.residual.scaled);
    for (int c = 0; c < nc; c++)
        for (int k = 0; k < 2; k++)
            for (int i = 0; i < n; i++) push[i] += H[c][k * n + i] * p[2 * c + k];
    scree_dense_solve(at.L, n, push);
    for (int i = 0; i < n; i++) after[i] = v[i] + push[i];
    if (impulse) memcpy(impulse, p, (size_t)(2 * nc) * sizeof *impulse);
    return SCREE_OK;
}
