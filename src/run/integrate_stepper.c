// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// integrate_stepper.c - the stepper as an integrator: every scheme that solves one contact problem
// a step, booked by the ledger from its record.

#include <stdio.h>
#include <stdlib.h>

#include "run/integrator.h"
#include "run/overlaps.h"
#include "scree/mechanism.h"
#include "step/stepper.h"

typedef struct stepping {
    scree_integrator base;
    scree_stepper *stepper;
    double *scratch;  // (3 x dofs)
    bool asked;       // laws are those of a program
} stepping;

static bool stepper_serves(const scree_integrator_input *input) {
    (void)input;
    return true;
}

static void stepper_free(scree_integrator *integrator) {
    stepping *own = (stepping *)integrator;
    scree_stepper_free(own->stepper);
    free(own->scratch);
    free(own);
}

static scree_status stepper_make(const scree_integrator_input *input, scree_integrator **integrator,
                                 scree_error *err) {
    const scree_run_options *options = input->options;
    stepping *made = calloc(1, sizeof *made);
    if (!made) return scree_fail_memory(err, NULL);
    made->base = (scree_integrator){ &scree_integrator_stepper, *input };
    scree_status status =
        scree_stepper_new(input->model, &options->scheme, &options->solver, &made->stepper, err);
    if (!status && !options->store_active_only) scree_stepper_list_far(made->stepper);
    if (!status) made->scratch = calloc(3 * (size_t)input->model->dofs, sizeof *made->scratch);
    if (!status && !made->scratch) status = scree_fail_memory(err, NULL);
    if (status)
        stepper_free(&made->base);
    else
        *integrator = &made->base;
    return status;
}

// the step that was taken counts: check births and book it
static scree_status stepper_finish(stepping *own, scree_account *account, scree_error *err) {
    const scree_integrator_input *input = &own->base.input;
    const scree_step_record *record = scree_stepper_record(own->stepper);
    scree_status status = scree_overlaps_at_birth(input, record, err);
    if (!status)
        scree_account_step(
            input->model, input->options->scheme.theta,
            record->loosened ? input->options->solver.worst : input->options->solver.tolerance,
            record, account, own->scratch);
    return status;
}

static scree_status stepper_step(scree_integrator *integrator, scree_account *account,
                                 scree_error *err) {
    stepping *own = (stepping *)integrator;
    scree_status status = scree_stepper_advance(own->stepper, err);
    return status ? status : stepper_finish(own, account, err);
}

static scree_status stepper_accept(scree_integrator *integrator, scree_account *account,
                                   scree_error *err) {
    stepping *own = (stepping *)integrator;
    scree_status status = scree_stepper_accept(own->stepper, err);
    return status ? status : stepper_finish(own, account, err);
}

static void stepper_interrupt(scree_integrator *integrator, const volatile int *flag) {
    scree_stepper_interrupt(((stepping *)integrator)->stepper, flag);
}

static scree_status stepper_set_forces(scree_integrator *integrator, scree_force_fn *force,
                                       void *data, scree_error *err) {
    return scree_stepper_set_forces(((stepping *)integrator)->stepper, force, data, err);
}

static void stepper_set_laws(scree_integrator *integrator, scree_law_fn *law, void *data) {
    stepping *own = (stepping *)integrator;
    own->asked = law != NULL;
    scree_stepper_set_laws(own->stepper, law, data);
}

static const scree_step_record *stepper_record(const scree_integrator *integrator) {
    return scree_stepper_record(((const stepping *)integrator)->stepper);
}

static const scree_step_record *stepper_snapshot(scree_integrator *integrator) {
    return scree_stepper_snapshot(((stepping *)integrator)->stepper);
}

static scree_status stepper_restore(scree_integrator *integrator, const scree_state *state,
                                    const scree_contact *contact, int contacts, scree_error *err) {
    return scree_stepper_restore(((stepping *)integrator)->stepper, state, contact, contacts, err);
}

static scree_ledger stepper_ledger(const scree_integrator *integrator) {
    return scree_ledger_of_state(integrator->input.model, &stepper_record(integrator)->after);
}

static scree_theorem stepper_theorem(const scree_integrator *integrator) {
    if (((const stepping *)integrator)->asked)
        return (scree_theorem){ .reason = "laws of contacts come from a function of a program" };
    return scree_ledger_theorem(integrator->input.model, &integrator->input.options->scheme);
}

static const char *stepper_method(const scree_integrator *integrator) {
    return scree_scheme_name(integrator->input.options->scheme.name);
}

// one more part of a sentence, where there are any of it
static size_t add_part(char *text, size_t size, size_t used, int count, const char *one,
                       const char *several) {
    if (count < 1 || used >= size) return used;
    int added = snprintf(text + used, size - used, "%s%d %s", used ? ", " : "", count,
                         count == 1 ? one : several);
    return used + (added > 0 ? (size_t)added : 0);
}

static void stepper_describe(const scree_integrator *integrator, char *text, size_t size) {
    const scree_model *model = integrator->input.model;
    const scree_mechanism_def *m = model->mechanism;
    size_t used = add_part(text, size, 0, model->bodies, "body", "bodies");
    used = add_part(text, size, used, model->bodies ? model->shapes : 0, "shape", "shapes");
    used = add_part(text, size, used, model->joints, "joint", "joints");
    used = add_part(text, size, used, model->elastics, "elastic body", "elastic bodies");
    used = add_part(text, size, used, model->system.coordinates, "coordinate of a system",
                    "coordinates of a system");
    used = add_part(text, size, used, m ? m->coordinates : 0, "coordinate of a mechanism",
                    "coordinates of a mechanism");
    used = add_part(text, size, used, m ? m->contacts : 0, "contact of it", "contacts of it");
    if (!used) snprintf(text, size, "nothing");
}

static scree_elastic_route stepper_route(const scree_integrator *integrator, int elastic) {
    return scree_stepper_elastic(((const stepping *)integrator)->stepper, elastic);
}

const scree_integrator_row scree_integrator_stepper = {
    .name = "stepper",
    .key = "scheme.step",
    .method_key = "scheme.name",
    .energies = true,
    .problems = true,
    .judges_laws = true,
    .serves = stepper_serves,
    .make = stepper_make,
    .free = stepper_free,
    .step = stepper_step,
    .accept = stepper_accept,
    .interrupt = stepper_interrupt,
    .set_forces = stepper_set_forces,
    .set_laws = stepper_set_laws,
    .record = stepper_record,
    .snapshot = stepper_snapshot,
    .restore = stepper_restore,
    .ledger = stepper_ledger,
    .theorem = stepper_theorem,
    .method = stepper_method,
    .describe = stepper_describe,
    .route = stepper_route,
};
