// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// free.c - the velocity that a step would end with if nothing touched, and how bodies turn.
// in: state, loads.   out: free velocity, inertia at the end of the step.

#include <string.h>

#include "base/dense.h"
#include "base/space.h"
#include "step/stepper.h"
#include "step/turn.h"

// F at both ends of the step; loads that do not vary are looked up once
static void find_loads(scree_stepper *stepper) {
    if (!stepper->load_known)
        scree_inertia_load(stepper->model, stepper->record.before.time, stepper->load);
    if (stepper->varies || !stepper->load_known)
        scree_inertia_load(stepper->model, stepper->record.after.time, stepper->load_next);
    stepper->load_known = true;
}

// h F_theta of one degree of freedom
static double load_impulse(const scree_stepper *stepper, int i) {
    double theta = stepper->scheme.theta;
    return stepper->scheme.step * ((1 - theta) * stepper->load[i] + theta * stepper->load_next[i]);
}

// Mhat (v_free - v) = h (F_theta - C v - K (q + h theta v)) for the matrix system
static void free_system(scree_stepper *stepper) {
    const scree_model *model = stepper->model;
    int n = model->system.coordinates, behind = model->bodies * model->body_dofs;
    double h = stepper->scheme.step, theta = stepper->scheme.theta;
    const double *q = stepper->record.before.q + model->bodies * model->body_coordinates;
    const double *v = stepper->record.before.v + behind;
    double *change = stepper->free_velocity + behind, *middle = stepper->work,
           *product = stepper->start_velocity;
    for (int i = 0; i < n; i++) middle[i] = q[i] + h * theta * v[i];
    for (int i = 0; i < n; i++) change[i] = model->loaded ? load_impulse(stepper, behind + i) : 0;
    scree_dense_product(model->system.stiffness, n, middle, product);
    for (int i = 0; i < n; i++) change[i] -= h * product[i];
    scree_dense_product(model->system.damping, n, v, product);
    for (int i = 0; i < n; i++) change[i] -= h * product[i];
    scree_inertia_solve(&stepper->inertia.part[model->bodies], change);
    for (int i = 0; i < n; i++) change[i] += v[i];
}

// The same for an elastic body, where C = a M + b K, gravity pulls at the nodes, and what is held
// goes its way: its end is known, and weighs on the others through M, C and K.
static void free_elastic(scree_stepper *stepper, int e) {
    const scree_model *model = stepper->model;
    const scree_elastic_body *body = &model->elastic[e];
    const struct scree_elastic_parts *parts = body->parts;
    const scree_material *material = &body->material;
    int n = body->count, space = model->space;
    double h = stepper->scheme.step, theta = stepper->scheme.theta;
    double a = material->damping_mass, b = material->damping_stiffness;
    const double *q = stepper->record.before.q + body->coordinate;
    const double *v = stepper->record.before.v + body->dof;
    const double *next_q = stepper->record.after.q + body->coordinate;
    const double *next_v = stepper->record.after.v + body->dof;
    double *change = stepper->free_velocity + body->dof, *x = stepper->work + body->dof,
           *product = stepper->start_velocity + body->dof;

    for (int i = 0; i < n; i++) x[i] = h * (q[i] + (h * theta + b) * v[i]);
    for (int k = 0; k < parts->held; k++) {
        int i = parts->held_dof[k];
        x[i] = h * ((1 - theta) * (q[i] + b * v[i]) + theta * (next_q[i] + b * next_v[i]));
    }
    scree_fem_stiffness(&parts->fem, x, product);
    for (int i = 0; i < n; i++)
        change[i] = model->loaded ? load_impulse(stepper, body->dof + i) : 0;
    for (int node = 0, i = 0; i < n; node++)
        for (int k = 0; k < space; k++, i++)
            change[i] += h * parts->node_mass[node] * model->gravity[k] - product[i];
    if (a > 0 || parts->driven) {
        for (int i = 0; i < n; i++) x[i] = h * a * v[i];
        for (int k = 0; k < parts->held; k++) {
            int i = parts->held_dof[k];
            x[i] = h * a * ((1 - theta) * v[i] + theta * next_v[i]) + (next_v[i] - v[i]);
        }
        scree_fem_mass(&parts->fem, x, product);
        for (int i = 0; i < n; i++) change[i] -= product[i];
    }
    scree_inertia_solve(&stepper->inertia.part[model->bodies + e], change);
    for (int i = 0; i < n; i++) change[i] = body->number[i] < 0 ? next_v[i] : v[i] + change[i];
}

// a body that is not there has no mass for others to push
static void find_present(scree_stepper *stepper) {
    const scree_model *model = stepper->model;
    for (int i = 0; stepper->mortal && i < model->bodies; i++) {
        const scree_body *body = &model->body[i];
        double *inverse = stepper->inertia.part[i].inverse;
        bool present =
            scree_body_moves(body) && scree_body_present(body, stepper->record.before.time);
        inverse[0] = present ? 1 / body->mass : 0;
        if (model->space == 2)
            inverse[1] = present ? 1 / body->inertia : 0;
        else if (present)
            scree_symmetric_inverse(body->tensor, inverse + 1);
        else
            memset(inverse + 1, 0, 6 * sizeof *inverse);
    }
}

// with the mean spin of a body known: inertia at the end, spin of the start as seen from there, and
// spin at the end without contact
static void turn_with(scree_stepper *stepper, const scree_turning *turning) {
    long dof = 6 * (long)turning->body;
    double h = stepper->scheme.step, *inverse = stepper->inertia.part[turning->body].inverse + 1;
    double turn[3], C[9];
    for (int k = 0; k < 3; k++) turn[k] = h * turning->mean[k];
    static const double axis[3][3] = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };
    for (int c = 0; c < 3; c++) {
        double column[3];
        scree_cayley(turn, axis[c], column);
        for (int r = 0; r < 3; r++) C[3 * r + c] = column[r];
    }
    scree_congruence(C, turning->inverse, inverse);
    scree_turn(C, stepper->record.before.v + dof + 3, stepper->start_velocity + dof + 3);
    scree_symmetric(inverse, turning->momentum, stepper->free_velocity + dof + 3);
}

static scree_status too_fast(const scree_stepper *stepper, int body, scree_error *err) {
    const double *spin = stepper->record.before.v + 6 * (long)body + 3;
    return scree_fail(
        err, SCREE_BAD_INPUT, SCREE_NOWHERE,
        "step %lld at time %.9g: body \"%s\" turns too far in one step to be followed "
        "(%.3g rad): take a smaller step",
        (long long)stepper->record.after.step, stepper->record.after.time,
        stepper->model->body[body].name, stepper->scheme.step * scree_length(spin));
}

// J w + h T of the bodies that are not easy to turn, and how they turn without contact
static scree_status free_turning(scree_stepper *stepper, scree_error *err) {
    const scree_model *model = stepper->model;
    for (int i = 0; i < stepper->turnings; i++) {
        scree_turning *turning = &stepper->turning[i];
        const scree_body *body = &model->body[turning->body];
        long dof = 6 * (long)turning->body;
        const double *spin = stepper->record.before.v + dof + 3;
        if (stepper->inertia.part[turning->body].inverse[0] == 0) continue;
        double A[9], J[6];
        scree_rotation(stepper->record.before.q + 7 * (long)turning->body + 3, A);
        scree_congruence(A, body->tensor, J);
        scree_symmetric_inverse(J, turning->inverse);
        scree_symmetric(J, spin, turning->momentum);
        if (model->loaded)
            for (int k = 0; k < 3; k++)
                turning->momentum[k] += load_impulse(stepper, (int)dof + 3 + k);
        memcpy(turning->mean, spin, sizeof turning->mean);
        if (!scree_turn_mean(turning->inverse, spin, turning->momentum, stepper->scheme.step,
                             stepper->scheme.theta, turning->mean))
            return too_fast(stepper, turning->body, err);
        turn_with(stepper, turning);
    }
    return SCREE_OK;
}

scree_status scree_free_velocity(scree_stepper *stepper, scree_error *err) {
    const scree_model *model = stepper->model;
    const double *v = stepper->record.before.v;
    double *out = stepper->free_velocity, h = stepper->scheme.step, impulse[6];
    int width = model->body_dofs;
    if (model->loaded) find_loads(stepper);
    if (model->system.coordinates) free_system(stepper);
    for (int e = 0; e < model->elastics; e++) free_elastic(stepper, e);
    find_present(stepper);
    memcpy(stepper->start_velocity, v, (size_t)model->dofs * sizeof *v);
    for (int i = 0; i < model->bodies; i++) {
        const scree_part *part = &stepper->inertia.part[i];
        bool falls = part->inverse[0] > 0;
        for (int k = 0; k < width; k++)
            impulse[k] = model->loaded && falls ? load_impulse(stepper, part->dof + k) : 0;
        if (model->loaded) scree_inertia_solve(part, impulse);
        for (int k = 0; k < width; k++) {
            double change = impulse[k];
            if (falls && k < model->space) change += h * model->gravity[k];
            out[part->dof + k] = v[part->dof + k] + change;
        }
    }
    return free_turning(stepper, err);
}

scree_status scree_free_follow(scree_stepper *stepper, const double *push, bool *changed,
                               scree_error *err) {
    *changed = false;
    for (int i = 0; i < stepper->turnings; i++) {
        scree_turning *turning = &stepper->turning[i];
        const double *torque = push + 6 * (long)turning->body + 3;
        if (stepper->inertia.part[turning->body].inverse[0] == 0) continue;
        double momentum[3], mean[3];
        for (int k = 0; k < 3; k++) momentum[k] = turning->momentum[k] + torque[k];
        memcpy(mean, turning->mean, sizeof mean);
        if (!scree_turn_mean(turning->inverse,
                             stepper->record.before.v + 6 * (long)turning->body + 3, momentum,
                             stepper->scheme.step, stepper->scheme.theta, mean))
            return too_fast(stepper, turning->body, err);
        if (memcmp(mean, turning->mean, sizeof mean) == 0) continue;
        memcpy(turning->mean, mean, sizeof mean);
        turn_with(stepper, turning);
        *changed = true;
    }
    return SCREE_OK;
}
