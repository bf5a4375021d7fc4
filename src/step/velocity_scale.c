// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// velocity_scale.c - the size of the numbers that velocities are made of: the scale of slacks and
// rounding. in: velocities.   out: one size for each body, for each contact.

#include <math.h>

#include "step/stepper.h"

static double length(const double *x, int n) {
    double sum = 0;
    for (int k = 0; k < n; k++) sum += x[k] * x[k];
    return sqrt(sum);
}

// lengths of vectors, so that no slack depends on the axes
void scree_velocity_scale_find(scree_stepper *stepper, const double *other) {
    const scree_model *model = stepper->model;
    int space = model->space, turns = model->body_dofs - space;
    for (int i = 0; i < model->bodies; i++) {
        long dof = (long)i * model->body_dofs;
        const double *v = stepper->record.before.v + dof, *next = other + dof;
        double gain[3] = { 0 };
        for (int k = 0; k < space; k++) gain[k] = stepper->free_velocity[dof + k] - v[k];
        stepper->velocity_scale[i] =
            (scree_velocity_scale){ .linear = length(v, space) + length(next, space),
                                    .angular =
                                        length(v + space, turns) + length(next + space, turns),
                                    .load_change = length(gain, space) };
    }
}

double scree_velocity_scale_of(const scree_stepper *stepper, int i, const double *other) {
    const scree_model *model = stepper->model;
    const scree_contact *contact = &stepper->set.contact[i];
    const double *v = stepper->record.before.v;
    double most = 0;
    for (int r = 0; r < model->dimension; r++)
        most = fmax(most, fabs(contact->w_before[r]) + fabs(contact->w_after[r]));
    if (i < stepper->set.pairs) {
        const int body[2] = { contact->a, contact->b };
        if (i >= stepper->set.rigid)
            most += scree_node_stencil_velocity_scale(model, &stepper->set.stencil[i], v, other);
        for (int s = 0; s < 2; s++) {
            if (body[s] >= model->bodies) continue;
            const double *r = stepper->set.arm + 6 * (size_t)i + 3 * s;
            const scree_velocity_scale *velocity_scale = &stepper->velocity_scale[body[s]];
            most += velocity_scale->linear + velocity_scale->angular * length(r, 3);
        }
        return most;
    }
    int n = model->system.coordinates, c = i - stepper->set.pairs;
    double largest = 0;
    for (int r = 0; r < model->dimension; r++) {
        const double *H =
            stepper->set.row_H + ((size_t)c * (size_t)model->dimension + (size_t)r) * (size_t)n;
        double size = 0;
        for (int j = 0; j < n; j++) {
            long dof = (long)model->bodies * model->body_dofs + j;
            size += fabs(H[j]) * (fabs(v[dof]) + fabs(other[dof]));
        }
        largest = fmax(largest, size);
    }
    return most + largest;
}
