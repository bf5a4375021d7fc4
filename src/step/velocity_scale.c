// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// velocity_scale.c - the size of the numbers that velocities are made of: the scale of slacks and
// rounding. in: velocities.   out: one size for each body, for each contact.

#include <math.h>

#include "step/stepper.h"

static inline __attribute__((always_inline)) double length(const double *x, int n) {
    double sum = 0;
    for (int k = 0; k < n; k++) sum += x[k] * x[k];
    return sqrt(sum);
}

// Of a body, with v at the start, its free velocity and another one: lengths of vectors, so that no
// slack depends on the axes. The widths are known where it is called.
static inline __attribute__((always_inline)) scree_velocity_scale scale_of(const double *v,
                                                                           const double *free,
                                                                           const double *next,
                                                                           int space, int turns) {
    double gain[3];
    for (int k = 0; k < space; k++) gain[k] = free[k] - v[k];
    return (scree_velocity_scale){ .linear = length(v, space) + length(next, space),
                                   .angular =
                                       length(v + space, turns) + length(next + space, turns),
                                   .load_change = length(gain, space) };
}

void scree_velocity_scale_find(scree_stepper *stepper, const double *other) {
    const scree_model *model = stepper->model;
    const double *v = stepper->record.before.v, *free = stepper->free_velocity;
    scree_velocity_scale *scale = stepper->velocity_scale;
    const scree_presence *here = &stepper->presence;
    for (int k = 0; k < here->count; k++) {
        long i = here->body[k];
        scale[i] = model->space == 2 ? scale_of(v + 3 * i, free + 3 * i, other + 3 * i, 2, 1)
                                     : scale_of(v + 6 * i, free + 6 * i, other + 6 * i, 3, 3);
    }
}

double scree_velocity_scale_of(const scree_stepper *stepper, int i, const double *other) {
    const scree_model *model = stepper->model;
    const scree_contact *contact = &stepper->set.contact[i];
    double most = 0;
    for (int r = 0; r < model->dimension; r++)
        most = fmax(most, fabs(contact->w_before[r]) + fabs(contact->w_after[r]));
    const scree_source *source = scree_contacts_source(&stepper->set, i);
    scree_scale_query query = { stepper->record.before.v, other, stepper->velocity_scale };
    return source->kind->velocity_scale(source, &stepper->set, i, &query, most);
}

static inline double square_of(const double *v, int space) {
    double square = 0;
    for (int k = 0; k < space; k++) square += v[k] * v[k];
    return square;
}

double scree_stepper_reach(const scree_stepper *stepper) {
    const scree_model *model = stepper->model;
    const double *v = stepper->record.before.v;
    const scree_presence *here = &stepper->presence;
    int space = model->space;
    double most = 0;
    for (int k = 0; k < here->count; k++)
        most = fmax(most, square_of(v + (long)here->body[k] * model->body_dofs, space));
    for (int e = 0; e < model->elastics; e++)
        for (long n = 0; n < model->elastic[e].mesh.nodes; n++)
            most = fmax(most, square_of(v + model->elastic[e].dof + n * space, space));
    return stepper->scheme.step * sqrt(most);
}
