// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// correct.c - push bodies apart that have sunk into each other, by the smallest way there is.
//
//     dq = M^-1 H^T x,    0 <= gap + H dq  ⟂  x >= 0
//
// The kinetic energy is left alone (the spin of a body turns with it); what the way does to the
// potential energy is the work of the correction and has a column of its own in the ledger.

#include <math.h>
#include <string.h>

#include "base/space.h"
#include "step/stepper.h"
#include "step/turn.h"

// contacts that are deeper than rounding, and those that they could be pushed into
static int find_deep(const scree_stepper *stepper, int *chosen) {
    const scree_contact_set *set = &stepper->set;
    int count = 0;
    bool deep = false;
    for (int i = 0; i < set->pairs; i++) {
        const scree_contact *contact = &set->contact[i];
        double way = stepper->scheme.step * contact->speed;
        if (contact->status == SCREE_CONTACT_INACTIVE && !(contact->gap_after < way)) continue;
        chosen[count++] = i;
        deep |= contact->gap_after < -1e-12 * set->magnitude[i];
    }
    return deep ? count : 0;
}

static scree_status no_memory(int contacts, scree_error *err) {
    return scree_fail(err, SCREE_NO_MEMORY, SCREE_NOWHERE, "out of memory to correct %d contacts",
                      contacts);
}

// the problem without friction, in lengths
static scree_status assemble(scree_stepper *stepper, const int *chosen, int count,
                             scree_problem *problem, scree_error *err) {
    int d = stepper->model->dimension;
    scree_jacobian_rows *rows = SCREE_NEW(&stepper->scratch, scree_jacobian_rows, count);
    double *b = SCREE_NEW(&stepper->scratch, double, count *d);
    double *mu = SCREE_NEW(&stepper->scratch, double, count);
    bool fine = rows && b && mu;
    for (int i = 0; fine && i < count; i++) {
        b[(long)i * d] = stepper->set.contact[chosen[i]].gap_after;
        fine = scree_contacts_rows(stepper->model, &stepper->set, chosen[i], &stepper->inertia,
                                   &stepper->scratch, &rows[i]);
    }
    if (!fine) return no_memory(count, err);
    scree_status status =
        scree_assemble_W(rows, count, d, &stepper->inertia, &stepper->scratch, problem, err);
    problem->b = b;
    problem->mu = mu;
    return status;
}

// move all bodies by dq (dofs), and say what that did to their potential energy
static double move(scree_stepper *stepper, const double *dq) {
    const scree_model *model = stepper->model;
    scree_state *after = &stepper->record.after;
    double work = 0;
    scree_turn_advance(model, after->q, dq, 1, stepper->place);
    for (int i = 0; i < model->bodies; i++) {
        const scree_body *body = &model->body[i];
        const double *way = dq + (long)i * model->body_dofs;
        size_t at = (size_t)i * (size_t)model->body_coordinates;
        if (!scree_body_moves(body)) continue;
        memcpy(after->q + at, stepper->place + at,
               (size_t)model->body_coordinates * sizeof *after->q);
        if (!scree_body_present(body, after->time)) continue;
        for (int k = 0; k < model->space; k++) work -= body->mass * model->gravity[k] * way[k];
        double *spin = after->v + (long)i * model->body_dofs + 3;
        if (model->space == 3 && !scree_body_isotropic(body)) scree_cayley(way + 3, spin, spin);
    }
    return work;
}

scree_status scree_correct(scree_stepper *stepper, scree_error *err) {
    const scree_model *model = stepper->model;
    scree_contact_set *set = &stepper->set;
    int *chosen = SCREE_NEW(&stepper->scratch, int, set->count);
    if (!chosen) return no_memory(set->count, err);
    int count = find_deep(stepper, chosen), d = model->dimension;
    if (!count) return SCREE_OK;
    scree_problem problem = { 0 };
    double *x = SCREE_NEW(&stepper->scratch, double, count *d);
    if (!x) return no_memory(count, err);
    scree_status status = assemble(stepper, chosen, count, &problem, err);
    if (status) return status;
    scree_solver_options options = stepper->solver;
    scree_report report;
    options.name = "auto";
    options.criterion = SCREE_CRITERION_SCALED;
    options.tolerance = fmax(options.tolerance, 1e-8);
    status = scree_solve(&problem, &options, x, &report, err);
    // what cannot be pushed apart stays as it is, and the penetration in the summary tells
    if (status || !report.converged) return status;
    memset(stepper->work, 0, (size_t)model->dofs * sizeof *stepper->work);
    for (int i = 0; i < count; i++)
        scree_contacts_push(model, set, chosen[i], x + (long)i * d, stepper->work);
    for (int k = 0; k < model->bodies; k++)
        scree_inertia_solve(&stepper->inertia.part[k],
                            stepper->work + stepper->inertia.part[k].dof);
    stepper->record.correction_work = move(stepper, stepper->work);
    const scree_state *after = &stepper->record.after;
    scree_contacts_place_after(model, after->q, set);
    scree_contacts_look_again(model, 0, set->count, set);
    scree_contacts_after(model, after->q, after->time, set);
    return SCREE_OK;
}
