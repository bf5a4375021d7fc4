// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// standing.c - can a configuration stand as it is? One step from rest answers.
//
// From rest a step with theta = 1 is M v' = h F + H^T p with Coulomb's law on v'. If v' = 0 solves
// it, p / h are forces that hold the loads, and the configuration is an equilibrium.

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/inertia.h"
#include "model/solid.h"
#include "scree/simulation.h"

// how far from its centre a body reaches, to weigh its spin with
static double size_of_body(const scree_model *model, int body) {
    double size = 0;
    for (int i = 0; i < model->shapes; i++) {
        const scree_solid *solid = &model->solid[i];
        if (model->shape[i].body != body || !isfinite(solid->bound)) continue;
        size = fmax(size, hypot(hypot(solid->centre[0], solid->centre[1]), solid->centre[2]) +
                              solid->bound);
    }
    return size;
}

// the largest velocity in v: of centres and of far points, or of coordinates
static double largest_velocity(const scree_model *model, const double *v) {
    double most = 0;
    for (int i = 0; i < model->bodies; i++) {
        const double *own = v + (long)i * model->body_dofs;
        double move = 0, turn = 0;
        if (!scree_body_moves(&model->body[i])) continue;
        for (int k = 0; k < model->body_dofs; k++)
            *(k < model->space ? &move : &turn) += own[k] * own[k];
        most = fmax(most, sqrt(move) + sqrt(turn) * (turn > 0 ? size_of_body(model, i) : 0));
    }
    for (int j = model->bodies * model->body_dofs; j < model->dofs; j++)
        most = fmax(most, fabs(v[j]));
    return most;
}

static scree_status step_from_rest(const scree_model *model, scree_stepper *stepper,
                                   const scree_state *now, const scree_contact *contact,
                                   int contacts, scree_error *err) {
    scree_state rest = *now;
    double *v = calloc((size_t)model->dofs, sizeof *v);
    if (!v) return scree_fail(err, SCREE_NO_MEMORY, SCREE_NOWHERE, "out of memory");
    rest.v = v;
    scree_status status = scree_stepper_restore(stepper, &rest, contact, contacts, err);
    if (!status) status = scree_stepper_advance(stepper, err);
    free(v);
    return status;
}

scree_status scree_standing_find(const scree_model *model, const scree_run_options *options,
                                 const scree_state *state, scree_standing *standing,
                                 scree_error *err) {
    *standing = (scree_standing){ 0 };
    scree_run_options still = *options;
    still.scheme.name = SCREE_MOREAU_JEAN;
    still.scheme.theta = 1;
    still.scheme.activation = SCREE_ACTIVATE_PREDICTED_LINEAR;
    still.scheme.approach = SCREE_APPROACH_REQUIRED;
    still.scheme.jacobian = SCREE_JACOBIAN_START;
    still.scheme.correct = false;
    scree_stepper *stepper = NULL;
    scree_status status = scree_stepper_new(model, &still.scheme, &still.solver, &stepper, err);
    if (!status) status = step_from_rest(model, stepper, state, NULL, 0, err);
    if (status) {
        scree_stepper_free(stepper);
        return status;
    }
    standing->stepper = stepper;
    standing->record = scree_stepper_record(stepper);
    standing->step = still.scheme.step;
    standing->acceleration = largest_velocity(model, standing->record->after.v) / still.scheme.step;
    standing->free_acceleration =
        largest_velocity(model, scree_stepper_free_velocity(stepper)) / still.scheme.step;
    double slack = fmax(1e-6, 100 * still.solver.tolerance);
    standing->stands = standing->acceleration <= slack * standing->free_acceleration;
    return SCREE_OK;
}

void scree_standing_free(scree_standing *standing) {
    scree_stepper_free(standing->stepper);
    *standing = (scree_standing){ 0 };
}
