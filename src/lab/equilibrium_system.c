// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// equilibrium_system.c - model -> the equations of rest, and which models are Klarbring's particle.

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "lab/equilibrium_joints.h"
#include "model/collision_shape.h"
#include "scree/equilibria.h"
#include "scree/joint.h"
#include "scree/step.h"

static scree_status refuse(scree_error *err, const char *what) {
    return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE, "equilibria: %s", what);
}

// arrays of the system, to be filled by those who make it
typedef struct draft {
    double *stiffness, *load, *normal, *tangent, *gap, *mu, *position;
    const char **name;
} draft;

static bool begin(int n, int contacts, bool elastic, scree_equilibrium_system *system, draft *d) {
    scree_arena *arena = calloc(1, sizeof *arena);
    *system = (scree_equilibrium_system){ .coordinates = n, .contacts = contacts, .owner = arena };
    if (!arena) return false;
    size_t rows = (size_t)contacts * (size_t)n;
    *d = (draft){
        .stiffness = SCREE_NEW(arena, double, ((size_t)n * (size_t)n)),
        .load = SCREE_NEW(arena, double, n),
        .normal = SCREE_NEW(arena, double, rows),
        .tangent = SCREE_NEW(arena, double, rows),
        .gap = SCREE_NEW(arena, double, contacts),
        .mu = SCREE_NEW(arena, double, contacts),
        .position = SCREE_NEW(arena, double, n),
        .name = SCREE_NEW(arena, const char *, contacts),
    };
    system->stiffness = elastic ? d->stiffness : NULL;
    system->load = d->load;
    system->normal = d->normal;
    system->tangent = d->tangent;
    system->gap = d->gap;
    system->mu = d->mu;
    system->position = d->position;
    system->name = d->name;
    return d->stiffness && d->load && d->normal && d->tangent && d->gap && d->mu && d->position &&
           d->name;
}

static const char *copy_name(const scree_equilibrium_system *system, const char *name) {
    const char *copy = scree_arena_text(system->owner, name ? name : "", name ? strlen(name) : 0);
    return copy ? copy : "";
}

// -------------------------------------------------------------------------------------------------
// matrix systems

static scree_status check_rows(const scree_model *model, scree_error *err) {
    const scree_system *given = &model->system;
    if (!given->stiffness)
        return refuse(err, "a matrix system needs a stiffness matrix that is positive definite");
    for (int j = 0; j < given->coordinates && given->load; j++)
        if (given->load[j].at) return refuse(err, "the load depends on time");
    for (int i = 0; i < model->matrix_contacts; i++) {
        const scree_matrix_contact *contact = &model->matrix_contact[i];
        if (contact->tangents > 1) return refuse(err, "contacts must be planar: one tangent each");
        if (contact->offset.at) return refuse(err, "a gap depends on time");
        if (contact->surface[0].at || contact->surface[0].constant != 0)
            return refuse(err, "the surface of an obstacle moves");
        if (contact->law.cohesion > 0) return refuse(err, "there is no law of cohesion at rest");
    }
    return SCREE_OK;
}

static scree_status from_matrices(const scree_model *model, scree_equilibrium_system *system,
                                  scree_error *err) {
    const scree_system *given = &model->system;
    int n = given->coordinates;
    size_t width = (size_t)n;
    draft d;
    scree_status status = check_rows(model, err);
    if (status) return status;
    if (!begin(n, model->matrix_contacts, true, system, &d))
        return scree_fail_memory(err, "equilibria");
    memcpy(d.stiffness, given->stiffness, width * width * sizeof *d.stiffness);
    for (int j = 0; j < n && given->load; j++) d.load[j] = given->load[j].constant;
    for (int i = 0; i < model->matrix_contacts; i++) {
        const scree_matrix_contact *contact = &model->matrix_contact[i];
        memcpy(d.normal + (size_t)i * width, contact->normal, width * sizeof *d.normal);
        if (contact->tangents)
            memcpy(d.tangent + (size_t)i * width, contact->tangent, width * sizeof *d.tangent);
        d.gap[i] = contact->offset.constant;
        d.mu[i] = contact->tangents ? contact->law.friction : 0;
        d.name[i] = copy_name(system, contact->name);
    }
    return SCREE_OK;
}

// -------------------------------------------------------------------------------------------------
// rigid bodies where they are

static scree_status check_bodies(const scree_model *model, scree_error *err) {
    if (model->space != 2) return refuse(err, "bodies must be in the plane");
    for (int i = 0; i < model->bodies; i++) {
        if (model->body[i].driven) return refuse(err, "a body is driven");
        for (int k = 0; k < 3; k++)
            if (model->body[i].force[k].at) return refuse(err, "a force depends on time");
    }
    return scree_equilibrium_joints_check(model, err);
}

// first coordinate of each body among those that move, -1 of the others; returns how many
static int number_bodies(const scree_model *model, int *first) {
    int n = 0;
    for (int i = 0; i < model->bodies; i++) {
        first[i] = model->body[i].fixed ? -1 : n;
        n += model->body[i].fixed ? 0 : 3;
    }
    return n;
}

static double size_of(const scree_model *model) {
    double size = 0;
    for (int i = 0; i < model->shapes; i++)
        if (isfinite(model->solid[i].bound)) size = fmax(size, model->solid[i].bound);
    for (int i = 0; i < model->bodies; i++)
        size = fmax(size, hypot(model->body[i].position[0], model->body[i].position[1]));
    return size;
}

// rows of a contact: u = H v is the velocity of side a against side b at the point
static void fill_rows(const scree_model *model, const scree_contact *contact, const int *first,
                      double *normal, double *tangent) {
    const int side[2] = { contact->a, contact->b };
    for (int s = 0; s < 2; s++) {
        if (side[s] < 0 || first[side[s]] < 0) continue;
        const scree_body *body = &model->body[side[s]];
        const double *e[2] = { contact->normal, contact->tangent };
        double *row[2] = { normal + first[side[s]], tangent + first[side[s]] };
        double x = contact->point[0] - body->position[0], y = contact->point[1] - body->position[1];
        double sign = s ? -1 : 1;
        for (int k = 0; k < 2; k++) {
            row[k][0] = sign * e[k][0];
            row[k][1] = sign * e[k][1];
            row[k][2] = sign * (x * e[k][1] - y * e[k][0]);
        }
    }
}

static void fill_load(const scree_model *model, int body, double *load, double *position) {
    const scree_body *b = &model->body[body];
    for (int k = 0; k < 3; k++) load[k] = b->force[k].constant;
    for (int k = 0; k < 2; k++) load[k] += b->mass * model->gravity[k];
    position[0] = b->position[0];
    position[1] = b->position[1];
    position[2] = b->angle;
}

// of joints limits and ropes are contacts
static bool is_closed(const scree_model *model, const scree_contact *contact, double size) {
    bool joint = scree_joint_of_contact(model, contact) >= 0;
    if (joint && !scree_equilibrium_joints_limits(model, contact)) return false;
    return contact->gap_after <= 1e-9 * size;
}

static const char *name_contact(const scree_model *model, const scree_contact *contact,
                                const scree_equilibrium_system *system) {
    char name[200];
    int k = scree_joint_of_contact(model, contact);
    if (k >= 0)
        snprintf(name, sizeof name, "end of %s", model->joint[k].name);
    else
        snprintf(name, sizeof name, "%s on %s at (%.4g, %.4g)",
                 scree_model_side_name(model, contact->a), scree_model_side_name(model, contact->b),
                 contact->point[0], contact->point[1]);
    return copy_name(system, name);
}

// springs into the load; load and contacts without what equations of joints bear
static scree_status take_joints(const scree_model *model, const double *q, const int *first,
                                scree_equilibrium_system *system, draft *d, scree_error *err) {
    int n = system->coordinates, equations;
    double *Q;
    double size = 0;
    for (int i = 0; i < n; i++) size = fmax(size, fabs(d->load[i]));
    size = fmax(size, scree_equilibrium_joints_load(model, q, first, d->load));
    if (!scree_equilibrium_joints_equations(model, q, first, n, system->owner, &Q, &equations))
        return scree_fail_memory(err, "equilibria");
    system->equation = Q;
    system->equations = equations;
    scree_equilibrium_joints_project(Q, equations, n, size, d->load);
    for (int i = 0; i < system->contacts; i++) {
        scree_equilibrium_joints_project(Q, equations, n, 0, d->normal + (size_t)i * (size_t)n);
        scree_equilibrium_joints_project(Q, equations, n, 0, d->tangent + (size_t)i * (size_t)n);
    }
    return SCREE_OK;
}

static scree_status from_record(const scree_model *model, const scree_step_record *record,
                                const int *first, int n, scree_equilibrium_system *system,
                                scree_error *err) {
    double size = size_of(model);
    int closed = 0;
    draft d;
    for (int i = 0; i < record->contacts; i++)
        closed += is_closed(model, &record->contact[i], size);
    if (!begin(n, closed, false, system, &d)) return scree_fail_memory(err, "equilibria");
    for (int b = 0; b < model->bodies; b++)
        if (first[b] >= 0) fill_load(model, b, d.load + first[b], d.position + first[b]);
    for (int i = 0, at = 0; i < record->contacts; i++) {
        const scree_contact *contact = &record->contact[i];
        if (!is_closed(model, contact, size)) continue;
        if (contact->cohesion > 0) return refuse(err, "there is no law of cohesion at rest");
        double *normal = d.normal + (size_t)at * (size_t)n;
        if (scree_joint_of_contact(model, contact) >= 0)
            scree_equilibrium_joints_row(model, contact, record->after.q, first, normal);
        else
            fill_rows(model, contact, first, normal, d.tangent + (size_t)at * (size_t)n);
        d.mu[at] = contact->friction;
        d.name[at++] = name_contact(model, contact, system);
    }
    return model->joints ? take_joints(model, record->after.q, first, system, &d, err) : SCREE_OK;
}

static scree_status from_bodies(const scree_model *model, const scree_run_options *options,
                                scree_equilibrium_system *system, scree_error *err) {
    scree_status status = check_bodies(model, err);
    if (status) return status;
    scree_stepper *stepper = NULL;
    int *first = calloc((size_t)model->bodies + 1, sizeof *first);
    status = first ? scree_stepper_new(model, &options->scheme, &options->solver, &stepper, err)
                   : scree_fail_memory(err, "equilibria");
    if (!status)
        status = from_record(model, scree_stepper_snapshot(stepper), first,
                             number_bodies(model, first), system, err);
    scree_stepper_free(stepper);
    free(first);
    return status;
}

scree_status scree_equilibrium_system_new(const scree_model *model,
                                          const scree_run_options *options,
                                          scree_equilibrium_system *system, scree_error *err) {
    *system = (scree_equilibrium_system){ 0 };
    bool matrices = model->system.coordinates > 0;
    scree_status status = scree_model_check_mass(model, "equilibria are found", err);
    if (status) return status;
    if (model->elastics)
        status = refuse(err, "elastic bodies have too many coordinates; give a matrix system");
    else if (matrices && model->bodies)
        status = refuse(err, "a scene has either a matrix system or bodies");
    else if (matrices && model->joints)
        status = refuse(err, "joints of a matrix system are not looked at");
    else if (matrices)
        status = from_matrices(model, system, err);
    else
        status = from_bodies(model, options, system, err);
    if (status) scree_equilibrium_system_free(system);
    return status;
}

void scree_equilibrium_system_free(scree_equilibrium_system *system) {
    if (system->owner) scree_arena_free(system->owner);
    free(system->owner);
    *system = (scree_equilibrium_system){ 0 };
}

// -------------------------------------------------------------------------------------------------
// Klarbring's particle

// x.K y, zero if nothing but rounding is left of it
static double product(const double *x, const double *K, const double *y, double tolerance) {
    double sum = 0, size = 0;
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++) {
            sum += x[i] * K[2 * i + j] * y[j];
            size += fabs(x[i] * K[2 * i + j] * y[j]);
        }
    return fabs(sum) <= tolerance * size ? 0 : sum;
}

static bool is_particle(const scree_model *model, const scree_equilibrium_system *system) {
    const double *M = model->system.mass, *C = model->system.damping;
    const double *n = system->normal, *t = system->tangent;
    if (model->system.coordinates != 2 || system->contacts != 1 || !system->stiffness) return false;
    if (model->matrix_contact[0].law.restitution != 0 ||
        model->matrix_contact[0].law.tangential_restitution != 0)
        return false;
    for (int k = 0; k < 4 && C; k++)
        if (C[k] != 0) return false;
    double off = fabs(M[0] - M[3]) + fabs(M[1]) + fabs(M[2]);
    double skew = fabs(n[0] * n[0] + n[1] * n[1] - 1) + fabs(t[0] * t[0] + t[1] * t[1] - 1) +
                  fabs(n[0] * t[0] + n[1] * t[1]);
    return off <= 1e-14 * M[0] && skew <= 1e-14;
}

bool scree_klarbring_of(const scree_model *model, const scree_equilibrium_system *system,
                        double tolerance, scree_klarbring *particle) {
    if (!is_particle(model, system)) return false;
    // U_N = -gap: the first axis points against the normal, and begins where the gap is closed
    const double *K = system->stiffness, *t = system->tangent;
    const double e[2] = { -system->normal[0], -system->normal[1] };
    *particle = (scree_klarbring){ .m = model->system.mass[0],
                                   .KN = product(e, K, e, tolerance),
                                   .W = product(e, K, t, tolerance),
                                   .KT = product(t, K, t, tolerance),
                                   .mu = system->mu[0] };
    particle->FN = e[0] * system->load[0] + e[1] * system->load[1] - particle->KN * system->gap[0];
    particle->FT = t[0] * system->load[0] + t[1] * system->load[1] - particle->W * system->gap[0];
    double one = particle->KT * particle->FN, two = particle->W * particle->FT;
    particle->A = fabs(one - two) <= tolerance * (fabs(one) + fabs(two)) ? 0 : one - two;
    return true;
}
