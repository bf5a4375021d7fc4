// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// part_matrix.c - the matrix system as a part: M (v'-v) + h C v_theta + h K q_theta = h F_theta +
// H^T p with dense matrices.

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/dense.h"
#include "model/part.h"

static void find(const scree_model *model, scree_parts *parts) {
    const scree_system *system = &model->system;
    parts->coordinates = parts->dofs = system->coordinates;
    parts->count = system->coordinates > 0;
    parts->roundings = 16 + 2 * system->coordinates;
    for (int i = 0; system->load && i < system->coordinates; i++) {
        parts->has_loads |= system->load[i].at || system->load[i].constant != 0;
        parts->loads_vary |= system->load[i].at != NULL;
    }
}

// Mhat = M + h alpha C + h^2 theta alpha K, with alpha = theta the left side of Acary &
// Collins-Craft (82)
static scree_status invert(const scree_parts *parts, double h, double theta, double alpha,
                           scree_arena *arena, scree_part *part, scree_error *err) {
    const scree_system *system = &parts->model->system;
    int n = system->coordinates;
    double *L = SCREE_NEW(arena, double, ((size_t)n * (size_t)n));
    if (!L)
        return scree_fail(err, SCREE_NO_MEMORY, SCREE_NOWHERE, "out of memory for %d coordinates",
                          n);
    for (int i = 0; i < n * n; i++) {
        L[i] = system->mass[i];
        if (system->damping) L[i] += h * alpha * system->damping[i];
        if (system->stiffness) L[i] += h * h * theta * alpha * system->stiffness[i];
    }
    int failed = scree_dense_cholesky(L, n);
    if (failed)
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                          "M + h alpha C + h^2 theta alpha K is not positive definite at row %d: "
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

// Mhat (v_free - v) = h (F_theta - C v - K (q + h theta v)): Acary & Collins-Craft (52a), (63a),
// solved for v' as in (82), without impulses
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
        change[i] = stage->load ? scree_stage_load(stage, parts->dof + i, theta) : 0;
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

// --- the ledger ---------------------------------------------------------------------------------

// |x|^T |A| |y|, and 0 for a matrix that is not there
static double absolute_form(const double *A, int n, const double *x, const double *y) {
    double sum = 0;
    for (int i = 0; A && i < n; i++)
        for (int j = 0; j < n; j++) sum += fabs(A[(long)i * n + j] * x[i] * y[j]);
    return sum;
}

static double quadratic_form(const double *A, int n, const double *x) {
    double sum = 0;
    for (int i = 0; A && i < n; i++) {
        double row = 0;
        for (int j = 0; j < n; j++) row += A[(long)i * n + j] * x[j];
        sum += x[i] * row;
    }
    return sum;
}

// Acary & Collins-Craft (37)
static void energies(const scree_parts *parts, const scree_state *state, scree_ledger *ledger) {
    const scree_system *system = &parts->model->system;
    int n = system->coordinates;
    ledger->kinetic += quadratic_form(system->mass, n, state->v + parts->dof) / 2;
    ledger->elastic += quadratic_form(system->stiffness, n, state->q + parts->coordinate) / 2;
}

// what is added up; speed and reach are |v| + |v'| and |q| + |q'|
static double size_of(const scree_system *system, double h, const double *speed,
                      const double *reach) {
    int n = system->coordinates;
    return absolute_form(system->mass, n, speed, speed) +
           absolute_form(system->stiffness, n, reach, reach) +
           h * absolute_form(system->stiffness, n, speed, reach) +
           h * absolute_form(system->damping, n, speed, speed);
}

// energies, damping and (1/2 - alpha) |v' - v|_M^2 + (1/2 - theta) |q' - q|_K^2
static void fill_ledger(const scree_parts *parts, double theta, const scree_step_record *record,
                        double *scratch, scree_ledger *ledger, double *scale) {
    const scree_system *system = &parts->model->system;
    int n = system->coordinates;
    const double *p = record->before.q + parts->coordinate, *u = record->before.v + parts->dof;
    const double *q = record->after.q + parts->coordinate, *v = record->after.v + parts->dof;
    double *first = scratch, *second = scratch + n, alpha = record->alpha;
    energies(parts, &record->after, ledger);
    for (int i = 0; i < n; i++) first[i] = (1 - alpha) * u[i] + alpha * v[i];
    // Acary & Collins-Craft (58)
    ledger->damping_work -= record->h * quadratic_form(system->damping, n, first);
    for (int i = 0; i < n; i++) {
        first[i] = v[i] - u[i];
        second[i] = q[i] - p[i];
    }
    double inertial = quadratic_form(system->mass, n, first),
           elastic = quadratic_form(system->stiffness, n, second);
    // one product where both weights are the same
    ledger->numerical_dissipation += alpha == theta
                                         ? (0.5 - theta) * (inertial + elastic)
                                         : (0.5 - alpha) * inertial + (0.5 - theta) * elastic;
    for (int i = 0; i < n; i++) {
        first[i] = fabs(u[i]) + fabs(v[i]);
        second[i] = fabs(p[i]) + fabs(q[i]);
    }
    *scale += size_of(system, record->h, first, second);
}

// as far as a factorisation of K shifted by rounding can tell
static bool is_passive(const scree_parts *parts) {
    const scree_system *system = &parts->model->system;
    int n = system->coordinates;
    if (!system->stiffness) return true;
    double *shifted = malloc((size_t)n * (size_t)n * sizeof *shifted), trace = 0;
    if (!shifted) return false;
    memcpy(shifted, system->stiffness, (size_t)n * (size_t)n * sizeof *shifted);
    for (int i = 0; i < n; i++) trace += fabs(shifted[i * n + i]);
    for (int i = 0; i < n; i++) shifted[i * n + i] += 1e-12 * trace;
    bool sound = trace == 0 || scree_dense_cholesky(shifted, n) == 0;
    free(shifted);
    return sound;
}

const scree_part_kind scree_matrix_kind = {
    .name = "matrix",
    .find = find,
    .invert = invert,
    .start = start,
    .load = load,
    .free_velocity = free_velocity,
    .advance = scree_parts_advance,
    .energies = energies,
    .fill_ledger = fill_ledger,
    .is_passive = is_passive,
    .name_of_dof = name_of_dof,
};
