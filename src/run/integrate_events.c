// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// integrate_events.c - the scheme event-driven as an integrator: of matrix systems, mechanisms and
// few bodies in the plane.

#include <stdlib.h>

#include "run/integrator.h"
#include "scree/joint.h"
#include "scree/mechanism.h"

typedef struct event_driven {
    scree_integrator base;
    scree_events *events;
} event_driven;

static bool events_serve(const scree_integrator_input *input) {
    return input->options->scheme.name == SCREE_EVENT_DRIVEN;
}

static void events_free(scree_integrator *integrator) {
    scree_events_free(((event_driven *)integrator)->events);
    free(integrator);
}

static scree_status events_make(const scree_integrator_input *input, scree_integrator **integrator,
                                scree_error *err) {
    const scree_mechanism_def *mechanics = input->model->mechanism;
    if (mechanics && input->model->dofs != mechanics->coordinates)
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                          "event-driven is for a mechanism alone: there are other parts");
    if (scree_model_markers(input->model))
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                          "event-driven has no joints with markers: take moreau-jean-fremond");
    event_driven *made = calloc(1, sizeof *made);
    if (!made) return scree_fail_memory(err, NULL);
    made->base = (scree_integrator){ &scree_integrator_events, *input };
    scree_status status =
        mechanics ? scree_events_of_mechanism(mechanics, input->options, &made->events, err)
                  : scree_events_new(input->model, input->options, &made->events, err);
    if (status)
        events_free(&made->base);
    else
        *integrator = &made->base;
    return status;
}

static scree_status events_step(scree_integrator *integrator, scree_account *account,
                                scree_error *err) {
    return scree_events_step(((event_driven *)integrator)->events, account, err);
}

static const scree_step_record *events_record(const scree_integrator *integrator) {
    return scree_events_record(((const event_driven *)integrator)->events);
}

static scree_status events_restore(scree_integrator *integrator, const scree_state *state,
                                   const scree_contact *contact, int contacts, scree_error *err) {
    (void)contact, (void)contacts;
    return scree_events_restore(((event_driven *)integrator)->events, state, err);
}

static scree_ledger events_ledger(const scree_integrator *integrator) {
    return scree_ledger_of_state(integrator->input.model, &events_record(integrator)->after);
}

static scree_theorem events_theorem(const scree_integrator *integrator) {
    return scree_events_theorem(integrator->input.model);
}

static const char *events_method(const scree_integrator *integrator) {
    return scree_scheme_name(integrator->input.options->scheme.name);
}

static void events_describe(const scree_integrator *integrator, char *text, size_t size) {
    scree_integrator_stepper.describe(integrator, text, size);
}

static const scree_events *events_events(const scree_integrator *integrator) {
    return ((const event_driven *)integrator)->events;
}

const scree_integrator_row scree_integrator_events = {
    .name = "event-driven",
    .key = "scheme.name",
    .method_key = "scheme.name",
    .energies = true,
    .serves = events_serve,
    .make = events_make,
    .free = events_free,
    .step = events_step,
    .record = events_record,
    .restore = events_restore,
    .ledger = events_ledger,
    .theorem = events_theorem,
    .method = events_method,
    .describe = events_describe,
    .events = events_events,
};
