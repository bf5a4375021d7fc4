// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// integrate_nscd.c - the scheme nscd of matrix systems as an integrator.

#include <stdlib.h>

#include "lab/nscd.h"
#include "run/integrator.h"

typedef struct implicit {
    scree_integrator base;
    scree_nscd *nscd;
} implicit;

static bool nscd_serves(const scree_integrator_input *input) {
    return input->options->scheme.name == SCREE_NSCD;
}

static void nscd_free(scree_integrator *integrator) {
    scree_nscd_free(((implicit *)integrator)->nscd);
    free(integrator);
}

static scree_status nscd_make(const scree_integrator_input *input, scree_integrator **integrator,
                              scree_error *err) {
    implicit *made = calloc(1, sizeof *made);
    if (!made) return scree_fail(err, SCREE_NO_MEMORY, SCREE_NOWHERE, "out of memory");
    made->base = (scree_integrator){ &scree_integrator_nscd, *input };
    scree_status status = scree_nscd_new(input->model, input->options, &made->nscd, err);
    if (status)
        nscd_free(&made->base);
    else
        *integrator = &made->base;
    return status;
}

static scree_status nscd_step(scree_integrator *integrator, scree_account *account,
                              scree_error *err) {
    return scree_nscd_step(((implicit *)integrator)->nscd, account, err);
}

static const scree_step_record *nscd_record(const scree_integrator *integrator) {
    return scree_nscd_record(((const implicit *)integrator)->nscd);
}

static scree_status nscd_restore(scree_integrator *integrator, const scree_state *state,
                                 const scree_contact *contact, int contacts, scree_error *err) {
    (void)contact, (void)contacts, (void)err;
    scree_nscd_restore(((implicit *)integrator)->nscd, state);
    return SCREE_OK;
}

static scree_ledger nscd_ledger(const scree_integrator *integrator) {
    return scree_ledger_of_state(integrator->input.model, &nscd_record(integrator)->after);
}

static scree_theorem nscd_theorem(const scree_integrator *integrator) {
    return scree_nscd_theorem(integrator->input.model, &integrator->input.options->scheme);
}

static const char *nscd_method(const scree_integrator *integrator) {
    return scree_scheme_name(integrator->input.options->scheme.name);
}

static void nscd_describe(const scree_integrator *integrator, char *text, size_t size) {
    scree_integrator_stepper.describe(integrator, text, size);
}

const scree_integrator_row scree_integrator_nscd = {
    .name = "nscd",
    .key = "scheme.step",
    .method_key = "scheme.name",
    .energies = true,
    .problems = true,
    .serves = nscd_serves,
    .make = nscd_make,
    .free = nscd_free,
    .step = nscd_step,
    .record = nscd_record,
    .restore = nscd_restore,
    .ledger = nscd_ledger,
    .theorem = nscd_theorem,
    .method = nscd_method,
    .describe = nscd_describe,
};
