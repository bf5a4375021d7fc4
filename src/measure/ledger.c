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
#include <stdlib.h>
#include <string.h>

#include "base/dense.h"
#include "model/inertia.h"

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
    // what the activation rule's slack and the solver's tolerance allow
    work.threshold = 2 * fmax(1e-9, 10 * tolerance) * size * contact->speed;
    return work;
}

// a sum that carries its own rounding along (Neumaier): its error does not grow with the terms
typedef struct careful {
    double sum, carry;
} careful;

static void add(careful *total, double x) {
    double sum = total->sum + x;
    total->carry += fabs(total->sum) >= fabs(x) ? (total->sum - sum) + x : (x - sum) + total->sum;
    total->sum = sum;
}

// what planar bodies contribute to a step: energies at its end, |v' - v|_M^2, and the sum of the
// absolute values of all that was added up
typedef struct body_sums {
    careful kinetic, potential, change;
    double scale;
} body_sums;

static double square(double x) { return x * x; }

static void sum_bodies(const scree_model *model, const scree_state *old, const scree_state *new,
                       body_sums *sums) {
    *sums = (body_sums){ 0 };
    double gx = model->gravity[0], gy = model->gravity[1];
    for (int i = 0; i < model->bodies; i++) {
        const scree_body *body = &model->body[i];
        if (body->fixed) continue;
        const double *p = old->q + 3 * (long)i, *q = new->q + 3 * (long)i;
        const double *u = old->v + 3 * (long)i, *v = new->v + 3 * (long)i;
        double m = body->mass, inertia = body->inertia;
        add(&sums->kinetic, (m * (v[0] * v[0] + v[1] * v[1]) + inertia * v[2] * v[2]) / 2);
        add(&sums->potential, -m * (gx * q[0] + gy * q[1]));
        add(&sums->change,
            m * (square(v[0] - u[0]) + square(v[1] - u[1])) + inertia * square(v[2] - u[2]));
        sums->scale +=
            m * (square(fabs(u[0]) + fabs(v[0])) + square(fabs(u[1]) + fabs(v[1]))) +
            inertia * square(fabs(u[2]) + fabs(v[2])) +
            m * (fabs(gx) * (fabs(p[0]) + fabs(q[0])) + fabs(gy) * (fabs(p[1]) + fabs(q[1])));
    }
}

static double value(careful total) { return total.sum + total.carry; }

// the same for the matrix system; speed and reach are |v| + |v'| and |q| + |q'|
static double system_scale(const scree_system *system, double h, const double *speed,
                           const double *reach) {
    int n = system->coordinates;
    return absolute_form(system->mass, n, speed, speed) +
           absolute_form(system->stiffness, n, reach, reach) +
           h * absolute_form(system->stiffness, n, speed, reach) +
           h * absolute_form(system->damping, n, speed, speed);
}

static double contact_scale(const scree_step_record *record, int dimension) {
    double scale = 0;
    for (int i = 0; i < record->contacts; i++) {
        const scree_contact *contact = &record->contact[i];
        for (int k = 0; k < dimension; k++)
            scale += fabs(contact->impulse[k]) *
                     (contact->speed + fabs(contact->u_before[k]) + fabs(contact->u_after[k]));
    }
    return scale;
}

scree_ledger scree_ledger_of_state(const scree_model *model, const scree_state *state) {
    int n = model->system.coordinates;
    const double *q = state->q + 3 * (long)model->bodies, *v = state->v + 3 * (long)model->bodies;
    body_sums sums;
    sum_bodies(model, state, state, &sums);
    return (scree_ledger){
        .kinetic = value(sums.kinetic) + quadratic_form(model->system.mass, n, v) / 2,
        .elastic = quadratic_form(model->system.stiffness, n, q) / 2,
        .potential = value(sums.potential),
    };
}

// h v_theta . F_theta; its absolute values are added to scale
static double external_work(const scree_model *model, double theta, const scree_step_record *record,
                            double *scratch, double *scale) {
    int dofs = model->dofs;
    double *load = scratch, *load_next = scratch + dofs, sum = 0;
    scree_inertia_load(model, record->before.time, load);
    scree_inertia_load(model, record->after.time, load_next);
    for (int i = 0; i < dofs; i++) {
        double middle = (1 - theta) * record->before.v[i] + theta * record->after.v[i];
        double work = record->h * middle * ((1 - theta) * load[i] + theta * load_next[i]);
        sum += work;
        *scale += fabs(work);
    }
    return sum;
}

static void add_contacts(const scree_step_record *record, int dimension, double theta,
                         scree_ledger *ledger) {
    careful normal = { 0 }, tangential = { 0 }, boundary = { 0 };
    for (int i = 0; i < record->contacts; i++) {
        const scree_contact *contact = &record->contact[i];
        if (contact->status == SCREE_CONTACT_INACTIVE) continue;
        scree_contact_work done = scree_ledger_contact(contact, dimension, theta, 0);
        add(&normal, done.normal);
        add(&tangential, done.tangential);
        for (int k = 0; k < dimension; k++)
            add(&boundary, -contact->impulse[k] *
                               ((1 - theta) * contact->w_before[k] + theta * contact->w_after[k]));
    }
    ledger->contact_normal_work = value(normal);
    ledger->contact_tangential_work = value(tangential);
    ledger->boundary_work = value(boundary);
}

// energies, damping and (1/2 - theta) |q' - q|_K^2, |v' - v|_M^2 of the matrix system
static double add_system(const scree_model *model, double theta, const scree_step_record *record,
                         double *scratch, scree_ledger *ledger) {
    const scree_system *system = &model->system;
    int n = system->coordinates, behind = 3 * model->bodies;
    const double *p = record->before.q + behind, *q = record->after.q + behind;
    const double *u = record->before.v + behind, *v = record->after.v + behind;
    double *first = scratch, *second = scratch + n;
    ledger->kinetic += quadratic_form(system->mass, n, v) / 2;
    ledger->elastic += quadratic_form(system->stiffness, n, q) / 2;
    for (int i = 0; i < n; i++) first[i] = (1 - theta) * u[i] + theta * v[i];
    ledger->damping_work = -record->h * quadratic_form(system->damping, n, first);
    for (int i = 0; i < n; i++) {
        first[i] = v[i] - u[i];
        second[i] = q[i] - p[i];
    }
    ledger->numerical_dissipation += (0.5 - theta) * (quadratic_form(system->mass, n, first) +
                                                      quadratic_form(system->stiffness, n, second));
    for (int i = 0; i < n; i++) {
        first[i] = fabs(u[i]) + fabs(v[i]);
        second[i] = fabs(p[i]) + fabs(q[i]);
    }
    return system_scale(system, record->h, first, second);
}

void scree_ledger_step(const scree_model *model, double theta, const scree_step_record *record,
                       scree_ledger *ledger, double *scratch) {
    double kinetic = ledger->kinetic, elastic = ledger->elastic, potential = ledger->potential;
    body_sums sums;
    sum_bodies(model, &record->before, &record->after, &sums);
    double scale = sums.scale;
    ledger->kinetic = value(sums.kinetic);
    ledger->potential = value(sums.potential);
    ledger->numerical_dissipation = (0.5 - theta) * value(sums.change);
    ledger->elastic = ledger->damping_work = ledger->external_work = 0;
    ledger->contact_normal_work = ledger->contact_tangential_work = ledger->boundary_work = 0;
    if (model->system.coordinates) scale += add_system(model, theta, record, scratch, ledger);
    if (model->loaded) ledger->external_work = external_work(model, theta, record, scratch, &scale);
    if (record->active) {
        scale += contact_scale(record, model->dimension);
        add_contacts(record, model->dimension, theta, ledger);
    }

    double change =
        (ledger->kinetic - kinetic) + (ledger->elastic - elastic) + (ledger->potential - potential);
    ledger->residual = change - ledger->external_work - ledger->damping_work -
                       ledger->numerical_dissipation - ledger->contact_normal_work -
                       ledger->contact_tangential_work - ledger->boundary_work;
    // what rounding can do: every number added up, times a small multiple of epsilon
    ledger->bound = (16 + 2 * model->system.coordinates) * DBL_EPSILON * scale;
}

static scree_theorem verdict(bool holds, const char *format, double x, double y) {
    scree_theorem theorem = { .holds = holds };
    snprintf(theorem.reason, sizeof theorem.reason, format, x, y);
    return theorem;
}

typedef struct extremes {
    double restitution, friction;  // the largest of all laws
} extremes;

static extremes extremes_of(const scree_model *model) {
    extremes most = { 0 };
    for (int i = 0; i < model->pairs; i++) {
        most.restitution = fmax(most.restitution, model->pair[i].law.restitution);
        most.friction = fmax(most.friction, model->pair[i].law.friction);
    }
    for (int i = 0; i < model->row_contacts; i++) {
        most.restitution = fmax(most.restitution, model->row_contact[i].law.restitution);
        most.friction = fmax(most.friction, model->row_contact[i].law.friction);
    }
    return most;
}

// is K positive semidefinite, as far as a factorisation of K shifted by rounding can tell?
static bool stiffness_is_sound(const scree_system *system) {
    int n = system->coordinates;
    if (!system->stiffness) return true;
    double *shifted = malloc((size_t)n * (size_t)n * sizeof *shifted), trace = 0;
    if (!shifted) return false;
    memcpy(shifted, system->stiffness, (size_t)n * (size_t)n * sizeof *shifted);
    for (int i = 0; i < n; i++) trace += fabs(shifted[i * n + i]);
    for (int i = 0; i < n; i++) shifted[i * n + i] += 1e-12 * trace;
    bool sound = trace == 0 || scree_dense_cholesky(shifted, n) == 0;
    free(shifted);
    return sound;
}

scree_theorem scree_ledger_theorem(const scree_model *model, const scree_scheme_options *scheme) {
    extremes most = extremes_of(model);
    double limit = 1 / (1 + most.restitution), theta = scheme->theta;
    bool newton = scheme->name == SCREE_MOREAU_JEAN;
    bool approach =
        scheme->approach == SCREE_APPROACH_REQUIRED ||
        (scheme->approach == SCREE_APPROACH_AUTO && scheme->activation != SCREE_ACTIVATE_HALF);

    if (!approach)
        return verdict(
            false, "contacts may be active while they separate: u_N <= 0 is not required", 0, 0);
    if (scheme->velocity_tolerance > 0)
        return verdict(false,
                       "contacts that separate with up to %g may be active: leave "
                       "velocity_tolerance at auto, or 0",
                       scheme->velocity_tolerance, 0);
    if (theta > limit * (1 + 4 * DBL_EPSILON))
        return verdict(false, "theta = %g is above 1/(1+e) = %g: normal works can be positive",
                       theta, limit);
    if (newton && theta < 1 && most.friction > 0)
        return verdict(false,
                       "moreau-jean takes Coulomb's law on the final velocity: with friction "
                       "(mu = %g) and theta = %g < 1 tangential works can be positive",
                       most.friction, theta);
    if (theta > 0.5 && !stiffness_is_sound(&model->system))
        return verdict(false,
                       "the stiffness matrix is not positive semidefinite, and theta = %g > 1/2",
                       theta, 0);
    if (newton && most.friction == 0)
        return verdict(true, "no friction, and 1/2 <= theta = %g <= 1/(1+e) = %g", theta, limit);
    return verdict(true,
                   "Coulomb's law on the mean velocity, and 1/2 <= theta = %g <= 1/(1+e) = %g",
                   theta, limit);
}
