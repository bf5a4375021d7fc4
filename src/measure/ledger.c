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
#include "base/space.h"
#include "law/status.h"
#include "measure/elastic.h"
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
    work.threshold = 2 * scree_law_velocity_slack(tolerance) * size * contact->speed;
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

// what bodies contribute to a step: energies at its end, |v' - v|_M^2, what came and went with
// bodies, and the sum of the absolute values of all that was added up
typedef struct body_sums {
    careful kinetic, potential, change, exchange;
    double scale;
} body_sums;

static double square(double x) { return x * x; }

static double value(careful total) { return total.sum + total.carry; }

// x . J x of a body in space, in its own axes
static double tensor_form(const double J[6], const double x[3]) {
    double y[3];
    scree_symmetric(J, x, y);
    return scree_dot(x, y);
}

// the spin of a body in space in its own axes; those of the world do as well for one that is as
// easy to turn about every axis, and the step treats it so
static void own_spin(const scree_model *model, int i, const scree_state *state, double spin[3]) {
    const double *v = state->v + 6 * (long)i + 3;
    double A[9];
    if (scree_body_isotropic(&model->body[i])) {
        memcpy(spin, v, 3 * sizeof *spin);
        return;
    }
    scree_rotation(state->q + 7 * (long)i + 3, A);
    scree_turn_back(A, v, spin);
}

typedef struct energies {
    double kinetic, potential;
} energies;

static energies energies_of(const scree_model *model, int i, const scree_state *state) {
    const scree_body *body = &model->body[i];
    const double *q = state->q + (long)i * model->body_coordinates;
    const double *v = state->v + (long)i * model->body_dofs;
    double twice = 0, fall = 0;
    for (int k = 0; k < model->space; k++) {
        twice += body->mass * v[k] * v[k];
        fall += model->gravity[k] * q[k];
    }
    if (model->space == 2) {
        twice += body->inertia * v[2] * v[2];
    } else {
        double spin[3];
        own_spin(model, i, state, spin);
        twice += tensor_form(body->tensor, spin);
    }
    return (energies){ twice / 2, -body->mass * fall };
}

// |v' - v|_M^2 of one body, and the size of all that is added up for it
static double change_of(const scree_model *model, int i, const scree_state *old,
                        const scree_state *new, double *scale) {
    const scree_body *body = &model->body[i];
    const double *p = old->q + (long)i * model->body_coordinates;
    const double *q = new->q + (long)i * model->body_coordinates;
    const double *u = old->v + (long)i * model->body_dofs, *v = new->v + (long)i * model->body_dofs;
    double change = 0;
    for (int k = 0; k < model->space; k++) {
        change += body->mass * square(v[k] - u[k]);
        *scale += body->mass * (square(fabs(u[k]) + fabs(v[k])) +
                                fabs(model->gravity[k]) * (fabs(p[k]) + fabs(q[k])));
    }
    if (model->space == 2) {
        *scale += body->inertia * square(fabs(u[2]) + fabs(v[2]));
        return change + body->inertia * square(v[2] - u[2]);
    }
    double before[3], after[3];
    own_spin(model, i, old, before);
    own_spin(model, i, new, after);
    double size = scree_length(before) + scree_length(after);
    // turning there and back costs more roundings than the plane has
    *scale += 8 * (body->tensor[0] + body->tensor[3] + body->tensor[5]) * square(size);
    for (int k = 0; k < 3; k++) after[k] -= before[k];
    return change + tensor_form(body->tensor, after);
}

static void sum_bodies(const scree_model *model, const scree_state *old, const scree_state *new,
                       body_sums *sums) {
    *sums = (body_sums){ 0 };
    for (int i = 0; i < model->bodies; i++) {
        const scree_body *body = &model->body[i];
        if (!scree_body_moves(body)) continue;
        bool was = scree_body_present(body, old->time), is = scree_body_present(body, new->time);
        if (was) add(&sums->change, change_of(model, i, old, new, &sums->scale));
        if (!was && !is) continue;
        energies now = energies_of(model, i, new);
        if (is) {
            add(&sums->kinetic, now.kinetic);
            add(&sums->potential, now.potential);
        }
        if (was == is) continue;
        add(&sums->exchange, (is ? 1 : -1) * (now.kinetic + now.potential));
        sums->scale += now.kinetic + fabs(now.potential);
    }
}

// the same for the matrix system; speed and reach are |v| + |v'| and |q| + |q'|
static double system_scale(const scree_system *system, double h, const double *speed,
                           const double *reach) {
    int n = system->coordinates;
    return absolute_form(system->mass, n, speed, speed) +
           absolute_form(system->stiffness, n, reach, reach) +
           h * absolute_form(system->stiffness, n, speed, reach) +
           h * absolute_form(system->damping, n, speed, speed);
}

scree_ledger scree_ledger_of_state(const scree_model *model, const scree_state *state) {
    int n = model->system.coordinates;
    const double *q = state->q + (long)model->bodies * model->body_coordinates;
    const double *v = state->v + (long)model->bodies * model->body_dofs;
    body_sums sums;
    sum_bodies(model, state, state, &sums);
    scree_ledger ledger = {
        .kinetic = value(sums.kinetic) + quadratic_form(model->system.mass, n, v) / 2,
        .elastic = quadratic_form(model->system.stiffness, n, q) / 2,
        .potential = value(sums.potential),
    };
    for (int e = 0; e < model->elastics; e++) scree_ledger_energies(model, e, state, &ledger);
    return ledger;
}

// the velocity over the step that loads work with; see model/rigid_space.c for spins
static void mean_velocity(const scree_model *model, double theta, const scree_step_record *record,
                          double *mean) {
    for (int i = 0; i < model->dofs; i++)
        mean[i] = (1 - theta) * record->before.v[i] + theta * record->after.v[i];
    for (int i = 0; model->space == 3 && i < model->bodies; i++) {
        if (scree_body_isotropic(&model->body[i])) continue;
        double A[9], before[3], after[3];
        own_spin(model, i, &record->before, before);
        own_spin(model, i, &record->after, after);
        for (int k = 0; k < 3; k++) after[k] = (1 - theta) * before[k] + theta * after[k];
        scree_rotation(record->before.q + 7 * (long)i + 3, A);
        scree_turn(A, after, mean + 6 * (long)i + 3);
    }
}

// h v_theta . F_theta; its absolute values are added to scale
static double external_work(const scree_model *model, double theta, const scree_step_record *record,
                            double *scratch, double *scale) {
    int dofs = model->dofs;
    double *load = scratch, *load_next = scratch + dofs, *mean = scratch + 2 * (long)dofs, sum = 0;
    scree_inertia_load(model, record->before.time, load);
    scree_inertia_load(model, record->after.time, load_next);
    mean_velocity(model, theta, record, mean);
    for (int i = 0; i < dofs; i++) {
        int body = i / model->body_dofs;
        if (body < model->bodies && !scree_body_present(&model->body[body], record->before.time))
            continue;
        double work = record->h * mean[i] * ((1 - theta) * load[i] + theta * load_next[i]);
        sum += work;
        *scale += fabs(work);
    }
    return sum;
}

// works of contacts; returns the size of the numbers that they are made of
static double add_contacts(const scree_step_record *record, int dimension, double theta,
                           scree_ledger *ledger) {
    careful normal = { 0 }, tangential = { 0 }, boundary = { 0 };
    double scale = 0;
    for (int i = 0; i < record->contacts; i++) {
        const scree_contact *contact = &record->contact[i];
        for (int k = 0; k < dimension; k++)
            scale += fabs(contact->impulse[k]) *
                     (contact->speed + fabs(contact->u_before[k]) + fabs(contact->u_after[k]));
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
    return scale;
}

// energies, damping and (1/2 - theta) |q' - q|_K^2, |v' - v|_M^2 of the matrix system
static double add_system(const scree_model *model, double theta, const scree_step_record *record,
                         double *scratch, scree_ledger *ledger) {
    const scree_system *system = &model->system;
    int n = system->coordinates, behind = model->bodies * model->body_dofs;
    long place = (long)model->bodies * model->body_coordinates;
    const double *p = record->before.q + place, *q = record->after.q + place;
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
    ledger->exchange = value(sums.exchange);
    ledger->correction_work = record->correction_work;
    scale += fabs(record->correction_work);
    ledger->elastic = ledger->damping_work = ledger->external_work = 0;
    ledger->contact_normal_work = ledger->contact_tangential_work = ledger->boundary_work = 0;
    ledger->held_work = 0;
    if (model->system.coordinates) scale += add_system(model, theta, record, scratch, ledger);
    for (int e = 0; e < model->elastics; e++)
        scale += scree_ledger_elastic(model, e, theta, record, scratch, ledger);
    if (model->loaded) ledger->external_work = external_work(model, theta, record, scratch, &scale);
    if (record->active) scale += add_contacts(record, model->dimension, theta, ledger);

    double change =
        (ledger->kinetic - kinetic) + (ledger->elastic - elastic) + (ledger->potential - potential);
    ledger->residual = change - ledger->external_work - ledger->damping_work -
                       ledger->numerical_dissipation - ledger->contact_normal_work -
                       ledger->contact_tangential_work - ledger->boundary_work -
                       ledger->correction_work - ledger->held_work - ledger->exchange;
    // what rounding can do: every number added up, times a small multiple of epsilon
    int roundings = model->elastics ? 64 : 16 + 2 * model->system.coordinates;
    ledger->bound = roundings * DBL_EPSILON * scale;
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
    const scree_law *law;
    for (int i = 0; (law = scree_model_laws(model, i)); i++) {
        most.restitution = fmax(most.restitution, law->restitution);
        most.friction = fmax(most.friction, fmax(law->friction, law->friction_second));
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
        scheme->approach == SCREE_APPROACH_REQUIRED || scheme->approach == SCREE_APPROACH_KEPT ||
        (scheme->approach == SCREE_APPROACH_AUTO && scheme->activation != SCREE_ACTIVATE_HALF);

    if (scheme->name == SCREE_MOREAU)
        return verdict(
            false, "moreau takes contacts that are closed halfway, whether they approach or not", 0,
            0);
    // with theta = 1 and e = 0 the normal work is p_N u_N' = 0, whatever u_N is
    if (!approach && !(theta == 1 && most.restitution == 0))
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
