// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// inertia.c - the matrices of a model in the form the time step needs.

#include "model/inertia.h"

#include <string.h>

#include "base/dense.h"
#include "base/space.h"

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
    *part = (scree_part){ .dof = model->bodies * model->body_dofs, .width = n, .factor = L };
    return SCREE_OK;
}

scree_status scree_inertia_make(const scree_model *model, double h, double theta,
                                scree_arena *arena, scree_inertia *inertia, scree_error *err) {
    int parts = model->bodies + model->elastics + (model->system.coordinates > 0);
    *inertia = (scree_inertia){ parts, SCREE_NEW(arena, scree_part, parts) };
    size_t numbers = model->space == 3 ? 7 : 2;
    double *inverse = SCREE_NEW(arena, double, numbers *(size_t)model->bodies);
    if (!inertia->part || !inverse)
        return scree_fail(err, SCREE_NO_MEMORY, SCREE_NOWHERE, "out of memory for %d bodies",
                          model->bodies);
    for (int i = 0; i < model->bodies; i++, inverse += numbers) {
        const scree_body *body = &model->body[i];
        if (scree_body_moves(body)) {
            inverse[0] = 1 / body->mass;
            if (model->space == 2)
                inverse[1] = 1 / body->inertia;
            else
                scree_symmetric_inverse(body->tensor, inverse + 1);
        }
        inertia->part[i] = (scree_part){ .dof = i * model->body_dofs,
                                         .width = model->body_dofs,
                                         .inverse = inverse };
    }
    scree_status status = SCREE_OK;
    for (int e = 0; !status && e < model->elastics; e++) {
        scree_part *part = &inertia->part[model->bodies + e];
        *part = (scree_part){ .dof = model->elastic[e].dof, .width = model->elastic[e].count };
        status = scree_flexibility_new(&model->elastic[e], h, theta, &part->flexible, err);
    }
    if (status || !model->system.coordinates) return status;
    return factor_system(model, h, theta, arena, &inertia->part[parts - 1], err);
}

void scree_inertia_free(scree_inertia *inertia) {
    for (int k = 0; k < inertia->parts && inertia->part; k++)
        scree_flexibility_free(inertia->part[k].flexible);
}

void scree_inertia_solve(const scree_part *part, double *x) {
    const double *inverse = part->inverse;
    if (part->flexible) {
        scree_flexibility_solve(part->flexible, x);
    } else if (part->factor) {
        scree_dense_solve(part->factor, part->width, x);
    } else if (part->width == 3) {
        x[0] *= inverse[0];
        x[1] *= inverse[0];
        x[2] *= inverse[1];
    } else {
        double turn[3];
        scree_symmetric(inverse + 1, x + 3, turn);
        for (int k = 0; k < 3; k++) {
            x[k] *= inverse[0];
            x[3 + k] = turn[k];
        }
    }
}

void scree_inertia_load(const scree_model *model, double t, double *load) {
    double rate;
    int width = model->body_dofs;
    for (int i = 0; i < model->bodies; i++)
        for (int k = 0; k < width; k++)
            load[(long)i * width + k] = scree_body_moves(&model->body[i])
                                            ? scree_function_at(&model->body[i].force[k], t, &rate)
                                            : 0;
    double *behind = load + (long)model->bodies * width;
    for (int i = 0; i < model->system.coordinates; i++)
        behind[i] = scree_function_at(&model->system.load[i], t, &rate);
    for (int e = 0; e < model->elastics; e++) {
        const scree_elastic_body *body = &model->elastic[e];
        memset(load + body->dof, 0, (size_t)body->count * sizeof *load);
        scree_elastic_load(body, t, load + body->dof);
    }
}
