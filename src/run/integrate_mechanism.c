// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// integrate_mechanism.c - the schemes of mechanisms as an integrator.

#include <stdio.h>
#include <stdlib.h>

#include "run/integrator.h"

typedef struct mechanism {
    scree_integrator base;
    scree_mechanism *mechanism;
} mechanism;

static bool mechanism_serves(const scree_integrator_input *input) {
    return input->model->system.mechanics;
}

static void mechanism_free(scree_integrator *integrator) {
    scree_mechanism_free(((mechanism *)integrator)->mechanism);
    free(integrator);
}

static scree_status mechanism_make(const scree_integrator_input *input,
                                   scree_integrator **integrator, scree_error *err) {
    mechanism *made = calloc(1, sizeof *made);
    if (!made) return scree_fail(err, SCREE_NO_MEMORY, SCREE_NOWHERE, "out of memory");
    made->base = (scree_integrator){ &scree_integrator_mechanism, *input };
    scree_status status =
        scree_mechanism_new(input->model->system.mechanics, &input->options->scheme,
                            &input->options->solver, &made->mechanism, err);
    if (status)
        mechanism_free(&made->base);
    else
        *integrator = &made->base;
    return status;
}

static scree_status mechanism_step(scree_integrator *integrator, scree_account *account,
                                   scree_error *err) {
    return scree_mechanism_step(((mechanism *)integrator)->mechanism, account, err);
}

static const scree_step_record *mechanism_record(const scree_integrator *integrator) {
    return scree_mechanism_record(((const mechanism *)integrator)->mechanism);
}

static scree_status mechanism_restore(scree_integrator *integrator, const scree_state *state,
                                      const scree_contact *contact, int contacts,
                                      scree_error *err) {
    (void)contact, (void)contacts;
    return scree_mechanism_restore(((mechanism *)integrator)->mechanism, state, err);
}

static scree_ledger mechanism_ledger(const scree_integrator *integrator) {
    return scree_mechanism_ledger(((const mechanism *)integrator)->mechanism);
}

static scree_theorem mechanism_theorem(const scree_integrator *integrator) {
    return scree_mechanism_theorem(&integrator->input.options->scheme);
}

static const char *mechanism_method(const scree_integrator *integrator) {
    return scree_scheme_name(integrator->input.options->scheme.name);
}

static void mechanism_describe(const scree_integrator *integrator, char *text, size_t size) {
    const scree_model *model = integrator->input.model;
    snprintf(text, size, "a mechanism with %d coordinate(s) and %d contact(s)", model->coordinates,
             model->matrix_contacts);
}

const scree_integrator_row scree_integrator_mechanism = {
    .name = "mechanism",
    .key = "scheme.name",
    .method_key = "scheme.name",
    .energies = true,
    .problems = true,
    .serves = mechanism_serves,
    .make = mechanism_make,
    .free = mechanism_free,
    .step = mechanism_step,
    .record = mechanism_record,
    .restore = mechanism_restore,
    .ledger = mechanism_ledger,
    .theorem = mechanism_theorem,
    .method = mechanism_method,
    .describe = mechanism_describe,
};
