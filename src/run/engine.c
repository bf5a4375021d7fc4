// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// engine.c - which engine steps what is not the stepper's.

#include "run/engine.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/dense.h"
#include "lab/nscd.h"

struct scree_engine {  // one of the first three is there
    scree_nscd *nscd;
    scree_mechanism *mechanism;
    scree_events *events;
    const scree_mechanism_def *mechanics;  // of mechanism and, if they are a mechanism's, events
};

bool scree_engine_serves(scree_scheme scheme) {
    return scheme == SCREE_NSCD || scheme == SCREE_EVENT_DRIVEN;
}

scree_status scree_engine_new(const scree_model *model, const scree_run_options *options,
                              scree_engine **engine, scree_error *err) {
    *engine = NULL;
    scree_engine *made = calloc(1, sizeof *made);
    if (!made) return scree_fail(err, SCREE_NO_MEMORY, SCREE_NOWHERE, "out of memory");
    scree_status status = options->scheme.name == SCREE_NSCD
                              ? scree_nscd_new(model, options, &made->nscd, err)
                              : scree_events_new(model, options, &made->events, err);
    if (status)
        scree_engine_free(made);
    else
        *engine = made;
    return status;
}

scree_status scree_engine_of_mechanism(const scree_mechanism_def *mechanics,
                                       const scree_run_options *options, scree_engine **engine,
                                       scree_error *err) {
    *engine = NULL;
    scree_engine *made = calloc(1, sizeof *made);
    if (!made) return scree_fail(err, SCREE_NO_MEMORY, SCREE_NOWHERE, "out of memory");
    made->mechanics = mechanics;
    scree_status status = options->scheme.name == SCREE_EVENT_DRIVEN
                              ? scree_events_of_mechanism(mechanics, options, &made->events, err)
                              : scree_mechanism_new(mechanics, &options->scheme, &options->solver,
                                                    &made->mechanism, err);
    if (status)
        scree_engine_free(made);
    else
        *engine = made;
    return status;
}

void scree_engine_free(scree_engine *engine) {
    if (!engine) return;
    scree_nscd_free(engine->nscd);
    scree_mechanism_free(engine->mechanism);
    scree_events_free(engine->events);
    free(engine);
}

scree_status scree_engine_step(scree_engine *engine, scree_account *account, scree_error *err) {
    if (engine->nscd) return scree_nscd_step(engine->nscd, account, err);
    if (engine->mechanism) return scree_mechanism_step(engine->mechanism, account, err);
    return scree_events_step(engine->events, account, err);
}

const scree_step_record *scree_engine_record(const scree_engine *engine) {
    if (engine->nscd) return scree_nscd_record(engine->nscd);
    if (engine->mechanism) return scree_mechanism_record(engine->mechanism);
    return scree_events_record(engine->events);
}

scree_status scree_engine_restore(scree_engine *engine, const scree_state *state,
                                  scree_error *err) {
    if (engine->mechanism) return scree_mechanism_restore(engine->mechanism, state, err);
    if (engine->events) return scree_events_restore(engine->events, state, err);
    scree_nscd_restore(engine->nscd, state);
    return SCREE_OK;
}

scree_theorem scree_engine_theorem(const scree_engine *engine, const scree_model *model,
                                   const scree_scheme_options *scheme) {
    if (engine->nscd) return scree_nscd_theorem(model, scheme);
    if (engine->mechanics) return scree_mechanism_theorem(engine->mechanics, scheme);
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

const scree_events *scree_engine_events(const scree_engine *engine) { return engine->events; }

// v.M(q) v / 2 and V(q)
static scree_ledger energies_of(const scree_mechanism_def *m, const scree_state *state) {
    enum { N = SCREE_MECHANISM_COORDINATES };
    double M[N * N], dM[N * N * N], x[N];
    scree_ledger ledger = { 0 };
    m->mass(m->self, state->q, M, dM);
    scree_dense_product(M, m->coordinates, state->v, x);
    for (int i = 0; i < m->coordinates; i++) ledger.kinetic += state->v[i] * x[i] / 2;
    if (m->potential) ledger.potential = m->potential(m->self, state->q, x);
    return ledger;
}

scree_ledger scree_engine_ledger(const scree_engine *engine, const scree_model *model) {
    if (engine->mechanism) return scree_mechanism_ledger(engine->mechanism);
    const scree_state *state = &scree_engine_record(engine)->after;
    return engine->mechanics ? energies_of(engine->mechanics, state)
                             : scree_ledger_of_state(model, state);
}

const scree_mechanism_def *scree_engine_mechanics(const scree_engine *engine) {
    return engine->mechanics;
}
