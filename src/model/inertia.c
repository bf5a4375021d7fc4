// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// inertia.c - the matrices of a model in the form the time step needs.

#include "model/inertia.h"

#include <string.h>

#include "base/dense.h"
#include "base/space.h"
#include "model/part.h"
#include "scree/mechanism.h"

scree_status scree_inertia_make(const scree_model *model, double h, double theta, double alpha,
                                scree_arena *arena, scree_inertia *inertia, scree_error *err) {
    const scree_parts *row;
    int rows = scree_model_parts(model, &row), parts = 0;
    for (int k = 0; k < rows; k++) parts += row[k].count;
    *inertia = (scree_inertia){ parts, SCREE_NEW(arena, scree_part, parts) };
    if (!inertia->part)
        return scree_fail(err, SCREE_NO_MEMORY, SCREE_NOWHERE, "out of memory for %d bodies",
                          parts);
    scree_status status = SCREE_OK;
    for (int k = 0; !status && k < rows; k++)
        status =
            row[k].kind->invert(&row[k], h, theta, alpha, arena, inertia->part + row[k].first, err);
    return status;
}

void scree_inertia_free(scree_inertia *inertia) {
    for (int k = 0; k < inertia->parts && inertia->part; k++)
        scree_flexibility_free(inertia->part[k].flexible);
}

void scree_inertia_solve(const scree_part *part, double *x) {
    const double *inverse = part->inverse;
    if (part->flexible) {
        scree_flexibility_solve(part->flexible, x);
    } else if (part->factor_end) {
        double end[SCREE_MECHANISM_COORDINATES];
        int n = part->width;
        memcpy(end, x, (size_t)n * sizeof *x);
        scree_dense_solve(part->factor, n, x);
        scree_dense_solve(part->factor_end, n, end);
        for (int i = 0; i < n; i++) x[i] = (x[i] + end[i]) / 2;
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
    const scree_parts *row;
    int rows = scree_model_parts(model, &row);
    for (int k = 0; k < rows; k++) {
        if (row[k].kind->load)
            row[k].kind->load(&row[k], t, load);
        else
            memset(load + row[k].dof, 0, (size_t)row[k].dofs * sizeof *load);
    }
}
