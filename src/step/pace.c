// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// pace.c - the size of the numbers that velocities are made of: the scale of slacks and rounding.
// in: velocities.   out: one size for each body, for each contact.

#include <math.h>

#include "step/stepper.h"

void scree_pace_find(scree_stepper *stepper, const double *other) {
    const scree_model *model = stepper->model;
    const double *v = stepper->record.before.v;
    for (int i = 0; i < model->bodies; i++) {
        long dof = (long)i * model->body_dofs;
        scree_pace pace = { 0 };
        int k = 0;
        for (; k < model->space; k++, dof++) {
            pace.way += fabs(v[dof]) + fabs(other[dof]);
            pace.fall += fabs(stepper->free_velocity[dof] - v[dof]);
        }
        for (; k < model->body_dofs; k++, dof++) pace.turn += fabs(v[dof]) + fabs(other[dof]);
        stepper->pace[i] = pace;
    }
}

double scree_pace_of(const scree_stepper *stepper, int i, const double *other) {
    const scree_model *model = stepper->model;
    const scree_contact *contact = &stepper->set.contact[i];
    const double *v = stepper->record.before.v;
    double most = 0;
    for (int r = 0; r < model->dimension; r++)
        most = fmax(most, fabs(contact->w_before[r]) + fabs(contact->w_after[r]));
    if (i < stepper->set.pairs) {
        const int body[2] = { contact->a, contact->b };
        if (i >= stepper->set.rigid) most += scree_tie_speed(model, &stepper->set.tie[i], v, other);
        for (int s = 0; s < 2; s++) {
            if (body[s] >= model->bodies) continue;
            const double *r = stepper->set.arm + 6 * (size_t)i + 3 * s;
            const scree_pace *pace = &stepper->pace[body[s]];
            most += pace->way + pace->turn * (fabs(r[0]) + fabs(r[1]) + fabs(r[2]));
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
