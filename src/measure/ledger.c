// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// ledger.c - energies, works and what is left of the balance, from the record of a step.
// in: model, record.   out: a ledger whose residual must be rounding.   work: four vectors.
//
// Nothing here comes from the solver: the works are products of impulses and velocities as the
// step left them, the energies are those of its two states.

#include "scree/ledger.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/dense.h"
#include "model/inertia.h"

static double dot(const double *x, const double *y, int n) {
    double sum = 0;
    for (int i = 0; i < n; i++) sum += x[i] * y[i];
    return sum;
}

// |x|^T |A| |y|, and 0 for a matrix that is not there
static double absolute_form(const double *A, int n, const double *x, const double *y) {
    double sum = 0;
    for (int i = 0; A && i < n; i++)
        for (int j = 0; j < n; j++) sum += fabs(A[(long)i * n + j] * x[i] * y[j]);
    return sum;
}

static double quadratic_form(const double *A, int n, const double *x) {
    double sum = 0;
    for (int i = 0; A && i < n; i++) {
        double row = 0;
        for (int j = 0; j < n; j++) row += A[(long)i * n + j] * x[j];
        sum += x[i] * row;
    }
    return sum;
}

static double kinetic_form(const scree_model *model, const double *v) {
    double sum = 0;
    for (int i = 0; i < model->bodies; i++) {
        const scree_body *body = &model->body[i];
        const double *u = v + 3 * (long)i;
        if (!body->fixed)
            sum += body->mass * (u[0] * u[0] + u[1] * u[1]) + body->inertia * u[2] * u[2];
    }
    int n = model->system.coordinates;
    return sum + quadratic_form(model->system.mass, n, v + 3 * (long)model->bodies);
}

static double potential_energy(const scree_model *model, const double *q) {
    double sum = 0;
    for (int i = 0; i < model->bodies; i++)
        if (!model->body[i].fixed)
            sum -= model->body[i].mass *
                   (model->gravity[0] * q[3 * i] + model->gravity[1] * q[3 * i + 1]);
    return sum;
}

scree_ledger scree_ledger_of_state(const scree_model *model, const scree_state *state) {
    int n = model->system.coordinates;
    const double *own = state->q + 3 * (long)model->bodies;
    return (scree_ledger){
        .kinetic = kinetic_form(model, state->v) / 2,
        .elastic = quadratic_form(model->system.stiffness, n, own) / 2,
        .potential = potential_energy(model, state->q),
    };
}

scree_contact_work scree_ledger_contact(const scree_contact *contact, int dimension, double theta,
                                        double tolerance) {
    scree_contact_work work = { 0 };
    double size = 0;
    for (int k = 0; k < dimension; k++) {
        double mean = (1 - theta) * contact->u_before[k] + theta * contact->u_after[k];
        double done = mean * contact->impulse[k];
        if (k == 0)
            work.normal = done;
        else
            work.tangential += done;
        size += fabs(contact->impulse[k]);
    }
    work.threshold = fmax(tolerance, 64 * DBL_EPSILON) * size * contact->speed;
    return work;
}

// sum of the absolute values of all that was added up on the way to the residual
static double rounding_scale(const scree_model *model, const scree_step_record *record,
                             const double *speed, const double *reach) {
    const scree_system *system = &model->system;
    int n = system->coordinates, behind = 3 * model->bodies;
    double h = record->h;
    double scale = kinetic_form(model, speed);
    for (int i = 0; i < model->bodies; i++)
        if (!model->body[i].fixed)
            scale += model->body[i].mass * (fabs(model->gravity[0]) * reach[3 * i] +
                                            fabs(model->gravity[1]) * reach[3 * i + 1]);
    scale += absolute_form(system->mass, n, speed + behind, speed + behind);
    scale += absolute_form(system->stiffness, n, reach + behind, reach + behind);
    scale += h * absolute_form(system->stiffness, n, speed + behind, reach + behind);
    scale += h * absolute_form(system->damping, n, speed + behind, speed + behind);
    for (int i = 0; i < record->contacts; i++) {
        const scree_contact *contact = &record->contact[i];
        for (int k = 0; k < model->dimension; k++)
            scale += fabs(contact->impulse[k]) *
                     (contact->speed + fabs(contact->u_before[k]) + fabs(contact->u_after[k]));
    }
    return scale;
}

scree_ledger scree_ledger_of_step(const scree_model *model, double theta,
                                  const scree_step_record *record, double *scratch) {
    const scree_state *before = &record->before, *after = &record->after;
    int dofs = model->dofs, n = model->system.coordinates, behind = 3 * model->bodies;
    double h = record->h;
    double *middle = scratch, *load = scratch + dofs, *load_next = load + dofs;
    double *work = load_next + dofs;
    scree_ledger old = scree_ledger_of_state(model, before);
    scree_ledger ledger = scree_ledger_of_state(model, after);

    // works of applied loads and of damping: both with v_theta
    scree_inertia_load(model, before->time, load);
    scree_inertia_load(model, after->time, load_next);
    double load_size = 0;
    for (int i = 0; i < dofs; i++) {
        middle[i] = (1 - theta) * before->v[i] + theta * after->v[i];
        work[i] = (1 - theta) * load[i] + theta * load_next[i];
        load_size += fabs(h * middle[i] * work[i]);
    }
    ledger.external_work = h * dot(middle, work, dofs);
    ledger.damping_work = -h * quadratic_form(model->system.damping, n, middle + behind);

    // (1/2 - theta) (|v' - v|_M^2 + |q' - q|_K^2)
    for (int i = 0; i < dofs; i++) {
        load[i] = after->v[i] - before->v[i];
        load_next[i] = after->q[i] - before->q[i];
    }
    ledger.numerical_dissipation =
        (0.5 - theta) * (kinetic_form(model, load) +
                         quadratic_form(model->system.stiffness, n, load_next + behind));

    for (int i = 0; i < record->contacts; i++) {
        const scree_contact *contact = &record->contact[i];
        if (contact->status == SCREE_CONTACT_INACTIVE) continue;
        scree_contact_work done = scree_ledger_contact(contact, model->dimension, theta, 0);
        ledger.contact_normal_work += done.normal;
        ledger.contact_tangential_work += done.tangential;
        for (int k = 0; k < model->dimension; k++)
            ledger.boundary_work -= contact->impulse[k] * ((1 - theta) * contact->w_before[k] +
                                                           theta * contact->w_after[k]);
    }

    double change = (ledger.kinetic - old.kinetic) + (ledger.elastic - old.elastic) +
                    (ledger.potential - old.potential);
    ledger.residual = change - ledger.external_work - ledger.damping_work -
                      ledger.numerical_dissipation - ledger.contact_normal_work -
                      ledger.contact_tangential_work - ledger.boundary_work;

    // what rounding can do: every number added up, times a small multiple of epsilon
    for (int i = 0; i < dofs; i++) {
        load[i] = fabs(before->v[i]) + fabs(after->v[i]);
        load_next[i] = fabs(before->q[i]) + fabs(after->q[i]);
    }
    ledger.bound =
        (16 + 2 * n) * DBL_EPSILON * (rounding_scale(model, record, load, load_next) + load_size);
    return ledger;
}

static scree_theorem verdict(bool holds, const char *format, double x, double y) {
    scree_theorem theorem = { .holds = holds };
    snprintf(theorem.reason, sizeof theorem.reason, format, x, y);
    return theorem;
}

scree_theorem scree_ledger_theorem(const scree_model *model, const scree_scheme_options *scheme) {
    double most_e = 0, most_mu = 0;
    for (int i = 0; i < model->pairs; i++) {
        most_e = fmax(most_e, model->pair[i].law.restitution);
        most_mu = fmax(most_mu, model->pair[i].law.friction);
    }
    for (int i = 0; i < model->row_contacts; i++) {
        most_e = fmax(most_e, model->row_contact[i].law.restitution);
        most_mu = fmax(most_mu, model->row_contact[i].law.friction);
    }
    double most_theta = 1 / (1 + most_e);
    bool approach =
        scheme->approach == SCREE_APPROACH_REQUIRED ||
        (scheme->approach == SCREE_APPROACH_AUTO && scheme->activation != SCREE_ACTIVATE_HALF);

    if (!approach)
        return verdict(
            false, "contacts may be active while they separate: u_N <= 0 is not required", 0, 0);
    if (scheme->theta > most_theta * (1 + 4 * DBL_EPSILON))
        return verdict(false, "theta = %g is above 1/(1+e) = %g: normal works can be positive",
                       scheme->theta, most_theta);
    if (scheme->name == SCREE_MOREAU_JEAN && scheme->theta < 1 && most_mu > 0)
        return verdict(false,
                       "moreau-jean takes Coulomb's law on the final velocity: with friction "
                       "(mu = %g) and theta = %g < 1 tangential works can be positive",
                       most_mu, scheme->theta);
    if (scheme->name == SCREE_MOREAU_JEAN && most_mu == 0)
        return verdict(true, "no friction, and 1/2 <= theta = %g <= 1/(1+e) = %g", scheme->theta,
                       most_theta);
    return verdict(true,
                   "Coulomb's law on the mean velocity, and 1/2 <= theta = %g <= 1/(1+e) = %g",
                   scheme->theta, most_theta);
}
