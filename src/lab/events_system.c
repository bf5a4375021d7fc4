// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// events_system.c - a matrix system at one moment: forces, rows of contacts, W.
// in: model, t, q, v.   out: a view.

#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "lab/events_system.h"

enum { N = SCREE_SMALL_N };

static double absolute(const double *x, const double *y, int n) {
    double sum = 0;
    for (int i = 0; i < n; i++) sum += fabs(x[i] * y[i]);
    return sum;
}

// what contacts do without forces, and the size of the numbers in it
static void find_rates(const double *v, scree_evaluation *view) {
    int n = view->n;
    double size[N];
    memcpy(view->acceleration, view->force, (size_t)n * sizeof *size);
    scree_dense_solve(view->L, n, view->acceleration);
    memcpy(size, view->size, sizeof size);
    scree_dense_solve(view->L, n, size);
    for (int c = 0; c < view->contacts; c++) {
        view->scale[c] = view->speed[c] = 0;
        for (int k = 0; k < 2; k++) {
            const double *row = view->H[c][k];
            view->u[c][k] = scree_dense_dot(row, v, n) + view->w[c][k];
            view->du[c][k] = scree_dense_dot(row, view->acceleration, n) + view->drift[c][k];
            view->scale[c] = fmax(view->scale[c], fabs(view->drift[c][k]) +
                                                      absolute(row, view->acceleration, n) +
                                                      absolute(row, size, n));
            view->speed[c] = fmax(view->speed[c], fabs(view->w[c][k]) + absolute(row, v, n));
        }
    }
}

void scree_small_system_evaluate(const scree_small_system *small, double t, const double *q,
                                 const double *v, scree_evaluation *view) {
    int n = view->n = small->n;
    view->contacts = small->contacts;
    for (int c = 0; c < small->contacts; c++) {
        view->far[c] = false;
        view->range[c] = HUGE_VAL;
    }
    small->evaluate(small->self, t, q, v, view);
    for (int c = 0; c < small->contacts; c++)
        for (int k = 0; k < 2 && !view->far[c]; k++) {
            memcpy(view->push[c][k], view->H[c][k], (size_t)n * sizeof(double));
            scree_dense_solve(view->L, n, view->push[c][k]);
        }
    for (int c = 0; c < small->contacts; c++)
        for (int k = 0; k < 2; k++)
            for (int e = 0; e < small->contacts && !view->far[c]; e++)
                for (int l = 0; l < 2 && !view->far[e]; l++)
                    view->W[2 * c + k][2 * e + l] =
                        scree_dense_dot(view->H[c][k], view->push[e][l], n);
    find_rates(v, view);
}

double scree_small_system_second_rate(const scree_function *function, double t, double delta) {
    static const double weight[] = { 4 / 5., -1 / 5., 4 / 105., -1 / 280. };
    double sum = 0, before, after;
    for (int k = 1; function->at && k <= 4; k++) {
        scree_function_at(function, t - k * delta, &before);
        scree_function_at(function, t + k * delta, &after);
        sum += weight[k - 1] * (after - before);
    }
    return sum / delta;
}

static void evaluate_contact(const scree_matrix_system *self, int c, double t, const double *q,
                             const double *v, scree_evaluation *view) {
    const scree_matrix_contact *row = &self->model->matrix_contact[c];
    int n = view->n;
    double offset = scree_function_at(&row->offset, t, &view->w[c][0]);
    view->gap[c] = offset + scree_dense_dot(row->normal, q, n);
    view->length[c] =
        fabs(offset) + absolute(row->normal, q, n) + 16 * self->delta * absolute(row->normal, v, n);
    memcpy(view->H[c][0], row->normal, (size_t)n * sizeof(double));
    view->drift[c][0] = scree_small_system_second_rate(&row->offset, t, self->delta);
    if (row->tangents == 0) {
        memset(view->H[c][1], 0, (size_t)n * sizeof(double));
        view->w[c][1] = view->drift[c][1] = 0;
        return;
    }
    memcpy(view->H[c][1], row->tangent, (size_t)n * sizeof(double));
    view->w[c][1] = -scree_function_at(&row->surface[0], t, &view->drift[c][1]);
    view->drift[c][1] = -view->drift[c][1];
}

// f = F - C v - K q
static void evaluate_matrix(const void *from, double t, const double *q, const double *v,
                            scree_evaluation *view) {
    const scree_matrix_system *self = from;
    const scree_system *system = &self->model->system;
    int n = view->n;
    double rate;
    memcpy(view->L, self->factor, (size_t)(n * n) * sizeof(double));
    memset(view->size, 0, sizeof view->size);
    view->load_power = view->damping_power = 0;
    for (int i = 0; i < n; i++) {
        double load = scree_function_at(&system->load[i], t, &rate), damping = 0, spring = 0;
        view->size[i] = fabs(load);
        if (system->damping) {
            damping = scree_dense_dot(system->damping + (long)i * n, v, n);
            view->size[i] += absolute(system->damping + (long)i * n, v, n);
        }
        if (system->stiffness) {
            spring = scree_dense_dot(system->stiffness + (long)i * n, q, n);
            view->size[i] += absolute(system->stiffness + (long)i * n, q, n);
        }
        view->force[i] = load - damping - spring;
        view->load_power += load * v[i];
        view->damping_power -= damping * v[i];
    }
    for (int c = 0; c < view->contacts; c++) evaluate_contact(self, c, t, q, v, view);
}

static double form(const double *A, int n, const double *x) {
    double sum = 0;
    for (int i = 0; A && i < n * n; i++) sum += A[i] * x[i / n] * x[i % n];
    return sum;
}

static double size_of(const double *A, int n, const double *x) {
    double sum = 0;
    for (int i = 0; A && i < n * n; i++) sum += fabs(A[i] * x[i / n] * x[i % n]);
    return sum;
}

static scree_small_energy energy_of(const void *from, const double *q, const double *v) {
    const scree_system *system = &((const scree_matrix_system *)from)->model->system;
    int n = system->coordinates;
    return (scree_small_energy){ .kinetic = form(system->mass, n, v) / 2,
                                 .elastic = form(system->stiffness, n, q) / 2,
                                 .size = size_of(system->mass, n, v) +
                                         size_of(system->stiffness, n, q) };
}

static double shift_work(const void *from, const double *q, const double *v, const double *way) {
    const scree_system *system = &((const scree_matrix_system *)from)->model->system;
    const double *K = system->stiffness;
    int n = system->coordinates;
    double work = 0;
    (void)v;
    for (int i = 0; K && i < n * n; i++) work += way[i / n] * K[i] * (q[i % n] + way[i % n] / 2);
    return work;
}

static const char *name_of(const void *from, int contact, char room[SCREE_EVENT_NAME]) {
    (void)room;
    return ((const scree_matrix_system *)from)->model->matrix_contact[contact].name;
}

static scree_status check(const scree_model *model, scree_error *err) {
    scree_status status = scree_model_check_mass(model, "event-driven is", err);
    if (status) return status;
    if (model->bodies || model->elastics || !model->system.coordinates)
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                          "event-driven is for a system given by its matrices, for a mechanism or "
                          "for rigid bodies in the plane, each alone");
    if (model->system.coordinates > SCREE_SMALL_N || model->matrix_contacts > SCREE_SMALL_C)
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                          "event-driven takes up to %d coordinates and %d contacts, found %d and "
                          "%d",
                          SCREE_SMALL_N, SCREE_SMALL_C, model->system.coordinates,
                          model->matrix_contacts);
    for (int c = 0; c < model->matrix_contacts; c++) {
        const scree_matrix_contact *row = &model->matrix_contact[c];
        if (row->tangents > 1)
            return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                              "contact %s: event-driven is for planar contacts", row->name);
        if (row->law.impact == SCREE_IMPACT_FREMOND)
            return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                              "contact %s: event-driven has Newton's impact law, not Fremond's, "
                              "which belongs to a step",
                              row->name);
        if (row->law.tangential_restitution > 0 || row->law.cohesion > 0)
            return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                              "contact %s: event-driven knows restitution and friction, not "
                              "tangential restitution and cohesion",
                              row->name);
    }
    return SCREE_OK;
}

scree_status scree_matrix_system_make(const scree_model *model, double delta,
                                      scree_matrix_system *matrix, scree_small_system *small,
                                      scree_error *err) {
    scree_status status = check(model, err);
    if (status) return status;
    int n = model->system.coordinates;
    matrix->model = model;
    matrix->delta = delta;
    memcpy(matrix->factor, model->system.mass, (size_t)(n * n) * sizeof(double));
    if (scree_dense_cholesky(matrix->factor, n))
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                          "the mass matrix is not positive definite");
    *small = (scree_small_system){ .n = n,
                                   .contacts = model->matrix_contacts,
                                   .coordinates = n,
                                   .source = SCREE_SOURCE_ROWS,
                                   .self = matrix,
                                   .evaluate = evaluate_matrix,
                                   .energy = energy_of,
                                   .shift_work = shift_work,
                                   .name = name_of,
                                   .position = model->system.position,
                                   .velocity = model->system.velocity };
    for (int c = 0; c < model->matrix_contacts; c++) {
        small->friction[c] =
            model->matrix_contact[c].tangents ? model->matrix_contact[c].law.friction : 0;
        small->restitution[c] = model->matrix_contact[c].law.restitution;
    }
    return SCREE_OK;
}
