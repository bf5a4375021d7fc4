// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// inertia.c - the matrices of a model in the form the time step needs.

#include "model/inertia.h"

#include "base/dense.h"

static scree_status factor_system(const scree_model *model, double h, double theta,
                                  scree_arena *arena, scree_part *part, scree_error *err) {
    const scree_system *system = &model->system;
    int n = system->coordinates;
    double *L = SCREE_NEW(arena, double, (size_t)n *(size_t)n);
    if (!L)
        return scree_fail(err, SCREE_NO_MEMORY, SCREE_NOWHERE, "out of memory for %d coordinates",
                          n);
    for (int i = 0; i < n * n; i++) {
        L[i] = system->mass[i];
        if (system->damping) L[i] += h * theta * system->damping[i];
        if (system->stiffness) L[i] += h * h * theta * theta * system->stiffness[i];
    }
    int failed = scree_dense_cholesky(L, n);
    if (failed)
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                          "M + h theta C + h^2 theta^2 K is not positive definite at row %d: "
                          "take a smaller step or check stiffness and damping",
                          failed);
    *part = (scree_part){ .dof = 3 * model->bodies, .width = n, .factor = L };
    return SCREE_OK;
}

scree_status scree_inertia_make(const scree_model *model, double h, double theta,
                                scree_arena *arena, scree_inertia *inertia, scree_error *err) {
    int parts = model->bodies + (model->system.coordinates > 0);
    *inertia = (scree_inertia){ parts, SCREE_NEW(arena, scree_part, parts) };
    double *inverse = SCREE_NEW(arena, double, 3 * (size_t)model->bodies);
    if (!inertia->part || !inverse)
        return scree_fail(err, SCREE_NO_MEMORY, SCREE_NOWHERE, "out of memory for %d bodies",
                          model->bodies);
    for (int i = 0; i < model->bodies; i++, inverse += 3) {
        const scree_body *body = &model->body[i];
        if (!body->fixed) {
            inverse[0] = inverse[1] = 1 / body->mass;
            inverse[2] = 1 / body->inertia;
        }
        inertia->part[i] = (scree_part){ .dof = 3 * i, .width = 3, .inverse = inverse };
    }
    if (!model->system.coordinates) return SCREE_OK;
    return factor_system(model, h, theta, arena, &inertia->part[parts - 1], err);
}

void scree_inertia_solve(const scree_part *part, double *x) {
    if (part->factor)
        scree_dense_solve(part->factor, part->width, x);
    else
        for (int i = 0; i < part->width; i++) x[i] *= part->inverse[i];
}

void scree_inertia_mass(const scree_model *model, const double *x, double *y) {
    for (int i = 0; i < model->bodies; i++) {
        const scree_body *body = &model->body[i];
        double mass = body->fixed ? 0 : body->mass, inertia = body->fixed ? 0 : body->inertia;
        y[3 * i] = mass * x[3 * i];
        y[3 * i + 1] = mass * x[3 * i + 1];
        y[3 * i + 2] = inertia * x[3 * i + 2];
    }
    int behind = 3 * model->bodies;
    scree_dense_product(model->system.mass, model->system.coordinates, x + behind, y + behind);
}

void scree_inertia_load(const scree_model *model, double t, double *load) {
    double rate;
    for (int i = 0; i < model->bodies; i++)
        for (int k = 0; k < 3; k++)
            load[3 * i + k] =
                model->body[i].fixed ? 0 : scree_function_at(&model->body[i].force[k], t, &rate);
    double *behind = load + 3 * (long)model->bodies;
    for (int i = 0; i < model->system.coordinates; i++)
        behind[i] = scree_function_at(&model->system.load[i], t, &rate);
}
