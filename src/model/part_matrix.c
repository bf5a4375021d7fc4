// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// part_matrix.c - the matrix system as a part: M (v'-v) + h C v_theta + h K q_theta = h F_theta +
// H^T p with dense matrices.

#include <string.h>

#include "base/dense.h"
#include "model/part.h"

static void find(const scree_model *model, scree_parts *parts) {
    const scree_system *system = &model->system;
    parts->coordinates = parts->dofs = system->coordinates;
    parts->count = system->coordinates > 0;
    for (int i = 0; i < system->coordinates; i++) {
        parts->has_loads |= system->load[i].at || system->load[i].constant != 0;
        parts->loads_vary |= system->load[i].at != NULL;
    }
}

static scree_status invert(const scree_parts *parts, double h, double theta, scree_arena *arena,
                           scree_part *part, scree_error *err) {
    const scree_system *system = &parts->model->system;
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
    *part = (scree_part){ .dof = parts->dof, .width = n, .factor = L };
    return SCREE_OK;
}

static void start(const scree_parts *parts, double *q, double *v) {
    const scree_system *system = &parts->model->system;
    size_t size = (size_t)system->coordinates * sizeof *q;
    memcpy(q + parts->coordinate, system->position, size);
    memcpy(v + parts->dof, system->velocity, size);
}

static void load(const scree_parts *parts, double t, double *F) {
    double rate;
    for (int i = 0; i < parts->dofs; i++)
        F[parts->dof + i] = scree_function_at(&parts->model->system.load[i], t, &rate);
}

// Mhat (v_free - v) = h (F_theta - C v - K (q + h theta v))
static scree_status free_velocity(scree_parts *parts, const scree_stage *stage, scree_error *err) {
    (void)err;
    const scree_system *system = &parts->model->system;
    int n = system->coordinates;
    double h = stage->h, theta = stage->theta;
    const double *q = stage->before->q + parts->coordinate, *v = stage->before->v + parts->dof;
    double *change = stage->v_free + parts->dof, *middle = stage->work + parts->dof,
           *product = stage->v_start + parts->dof;
    for (int i = 0; i < n; i++) middle[i] = q[i] + h * theta * v[i];
    for (int i = 0; i < n; i++)
        change[i] = stage->load ? scree_stage_load(stage, parts->dof + i) : 0;
    scree_dense_product(system->stiffness, n, middle, product);
    for (int i = 0; i < n; i++) change[i] -= h * product[i];
    scree_dense_product(system->damping, n, v, product);
    for (int i = 0; i < n; i++) change[i] -= h * product[i];
    scree_inertia_solve(&stage->inertia->part[parts->first], change);
    for (int i = 0; i < n; i++) change[i] += v[i];
    memcpy(stage->v_start + parts->dof, v, (size_t)n * sizeof *v);
    return SCREE_OK;
}

static const char *name_of_dof(const scree_parts *parts, int dof, int *component) {
    *component = dof - parts->dof;
    return "system";
}

const scree_part_kind scree_matrix_kind = {
    .name = "matrix",
    .find = find,
    .invert = invert,
    .start = start,
    .load = load,
    .free_velocity = free_velocity,
    .advance = scree_parts_advance,
    .name_of_dof = name_of_dof,
};
