// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// test_mechanism_examples.h - mechanisms that several tests ask: Kane's double pendulum, a bar,
// Painleve's rod, matrix systems, random ones.

#ifndef SCREE_TEST_MECHANISM_EXAMPLES_H
#define SCREE_TEST_MECHANISM_EXAMPLES_H

#include "harness.h"
#include "random.h"
#include "scree/mechanism.h"

enum { N = SCREE_MECHANISM_COORDINATES };

static inline scree_solver_options solver(void) {
    scree_solver_options options = scree_solver_options_default();
    options.tolerance = 1e-12;
    return options;
}

static inline double dot(const double *x, const double *y, int n) {
    double sum = 0;
    for (int i = 0; i < n; i++) sum += x[i] * y[i];
    return sum;
}

// -------------------------------------------------------------------------------------------------
// Kane's double pendulum: rods of mass and length 1, angles from the vertical

static inline void pendulum_mass(const void *self, const double *q, double *M, double *dM) {
    (void)self;
    double couple = cos(q[0] - q[1]) / 2, slope = sin(q[0] - q[1]) / 2;
    const double mass[] = { 4. / 3, couple, couple, 1. / 3 };
    const double rate[] = { 0, -slope, -slope, 0, 0, slope, slope, 0 };
    memcpy(M, mass, sizeof mass);
    memcpy(dM, rate, sizeof rate);
}

static inline double pendulum_weight(const void *self, const double *q, double *gradient) {
    (void)self;
    gradient[0] = 9.81 * 1.5 * sin(q[0]);
    gradient[1] = 9.81 * 0.5 * sin(q[1]);
    return -9.81 * (1.5 * cos(q[0]) + 0.5 * cos(q[1]));
}

// the tip on a floor below
static inline double pendulum_tip(const void *self, int contact, const double *q, double *normal,
                                  double *tangent) {
    (void)contact;
    for (int i = 0; i < 2; i++) {
        normal[i] = sin(q[i]);
        tangent[i] = cos(q[i]);
    }
    return *(const double *)self - cos(q[0]) - cos(q[1]);
}

static const double degree = 3.14159265358979323846 / 180;

static inline double kinetic(const scree_mechanism_def *m, const double *q, const double *v) {
    double M[N * N], dM[N * N * N], sum = 0;
    int n = m->coordinates;
    m->mass(m->self, q, M, dM);
    for (int i = 0; i < n * n; i++) sum += M[i] * v[i / n] * v[i % n] / 2;
    return sum;
}

// -------------------------------------------------------------------------------------------------
// a bar of mass and length 1; the end that touches is at (sin, -cos)/2 of its centre

static inline void bar_mass(const void *self, const double *q, double *M, double *dM) {
    (void)self;
    (void)q;
    const double mass[] = { 1, 0, 0, 0, 1, 0, 0, 0, 1. / 12 };
    memcpy(M, mass, sizeof mass);
    memset(dM, 0, 27 * sizeof *dM);
}

static inline double bar_weight(const void *self, const double *q, double *gradient) {
    (void)self;
    gradient[0] = gradient[2] = 0;
    gradient[1] = 10;
    return 10 * q[1];
}

static inline double bar_end(const void *self, int contact, const double *q, double *normal,
                             double *tangent) {
    (void)self;
    (void)contact;
    const double n[] = { 0, 1, sin(q[2]) / 2 }, t[] = { -1, 0, -cos(q[2]) / 2 };
    memcpy(normal, n, sizeof n);
    memcpy(tangent, t, sizeof t);
    return q[1] - cos(q[2]) / 2;
}

// -------------------------------------------------------------------------------------------------
// Painleve's rod of mass and length 1: its tip and its other end on the ground, q = (x, y, angle)

static inline double rod_weight(const void *self, const double *q, double *gradient) {
    (void)self;
    gradient[0] = gradient[2] = 0;
    gradient[1] = 9.81;
    return 9.81 * q[1];
}

static inline double rod_end(const void *self, int contact, const double *q, double *normal,
                             double *tangent) {
    (void)self;
    double arm = contact ? -0.5 : 0.5;
    const double n[] = { 0, 1, arm * cos(q[2]) }, t[] = { -1, 0, arm * sin(q[2]) };
    memcpy(normal, n, sizeof n);
    memcpy(tangent, t, sizeof t);
    return q[1] + arm * sin(q[2]);
}

// the tip slides with the velocity v0 at the angle theta with the ground
static inline void rod_start(double theta, double omega, double v0, double *q, double *v) {
    const double place[] = { -cos(theta) / 2, sin(theta) / 2, -theta };
    const double speed[] = { v0 - omega / 2 * sin(theta), -omega / 2 * cos(theta), omega };
    memcpy(q, place, sizeof place);
    memcpy(v, speed, sizeof speed);
}

// -------------------------------------------------------------------------------------------------
// a matrix system of a model, whose obstacles do not move

static inline void matrix_mass(const void *self, const double *q, double *M, double *dM) {
    const scree_system *system = &((const scree_model *)self)->system;
    size_t n = (size_t)system->coordinates;
    (void)q;
    memcpy(M, system->mass, n * n * sizeof *M);
    memset(dM, 0, n * n * n * sizeof *dM);
}

static inline double matrix_potential(const void *self, const double *q, double *gradient) {
    const scree_system *system = &((const scree_model *)self)->system;
    int n = system->coordinates;
    for (int i = 0; i < n; i++)
        gradient[i] = system->stiffness ? dot(system->stiffness + i * n, q, n) : 0;
    return dot(gradient, q, n) / 2;
}

static inline void matrix_force(const void *self, double t, const double *q, const double *v,
                                double *Q) {
    const scree_system *system = &((const scree_model *)self)->system;
    int n = system->coordinates;
    double rate;
    (void)q;
    for (int i = 0; i < n; i++)
        Q[i] = scree_function_at(&system->load[i], t, &rate) -
               (system->damping ? dot(system->damping + i * n, v, n) : 0);
}

static inline double matrix_contact(const void *self, int contact, const double *q, double *normal,
                                    double *tangent) {
    const scree_model *model = self;
    const scree_matrix_contact *row = &model->matrix_contact[contact];
    size_t size = (size_t)model->system.coordinates * sizeof *normal;
    memcpy(normal, row->normal, size);
    if (row->tangents)
        memcpy(tangent, row->tangent, size);
    else
        memset(tangent, 0, size);
    return row->offset.constant + dot(normal, q, model->system.coordinates);
}

static inline scree_mechanism_def matrix_mechanics(const scree_model *model, scree_law *law) {
    for (int c = 0; c < model->matrix_contacts; c++) law[c] = model->matrix_contact[c].law;
    return (scree_mechanism_def){ .coordinates = model->system.coordinates,
                                  .contacts = model->matrix_contacts,
                                  .self = model,
                                  .mass = matrix_mass,
                                  .potential = matrix_potential,
                                  .force = matrix_force,
                                  .contact = matrix_contact,
                                  .law = law,
                                  .position = model->system.position,
                                  .velocity = model->system.velocity };
}

// -------------------------------------------------------------------------------------------------
// random mechanisms: M = L L^T + I/2 with waves in L, V and the gaps of waves and springs

typedef struct waves {  // value + way.q + size sin(turn.q + phase)
    double value, way[N], size, turn[N], phase;
} waves;

typedef struct machine {
    int n, contacts;
    waves L[N * N], V, gap[SCREE_MECHANISM_CONTACTS], side[SCREE_MECHANISM_CONTACTS];
    double q[N], v[N], spring;
    scree_law law[SCREE_MECHANISM_CONTACTS];
} machine;

static inline double at(const waves *w, int n, const double *q, double *gradient) {
    double angle = dot(w->turn, q, n) + w->phase;
    for (int i = 0; i < n; i++) gradient[i] = w->way[i] + w->size * cos(angle) * w->turn[i];
    return w->value + dot(w->way, q, n) + w->size * sin(angle);
}

static inline void machine_mass(const void *self, const double *q, double *M, double *dM) {
    const machine *m = self;
    int n = m->n;
    double L[N * N], dL[N * N][N];
    for (int i = 0; i < n * n; i++) L[i] = at(&m->L[i], n, q, dL[i]);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            M[i * n + j] = (i == j) / 2. + dot(L + i * n, L + j * n, n);
            for (int k = 0; k < n; k++) {
                double sum = 0;
                for (int l = 0; l < n; l++)
                    sum += dL[i * n + l][k] * L[j * n + l] + L[i * n + l] * dL[j * n + l][k];
                dM[(k * n + i) * n + j] = sum;
            }
        }
}

static inline double machine_potential(const void *self, const double *q, double *gradient) {
    const machine *m = self;
    double V = at(&m->V, m->n, q, gradient) + m->spring * dot(q, q, m->n) / 2;
    for (int i = 0; i < m->n; i++) gradient[i] += m->spring * q[i];
    return V;
}

static inline double machine_contact(const void *self, int contact, const double *q, double *normal,
                                     double *tangent) {
    const machine *m = self;
    at(&m->side[contact], m->n, q, tangent);
    return at(&m->gap[contact], m->n, q, normal);
}

static inline waves random_waves(int n, double value, double way, double size) {
    waves w = { .value = value, .size = size, .phase = uniform(0, 6) };
    for (int i = 0; i < n; i++) {
        w.way[i] = uniform(-way, way);
        w.turn[i] = uniform(-2, 2);
    }
    return w;
}

static inline machine random_machine(void) {
    machine m = { .n = random_int(1, 5), .contacts = random_int(1, 4) };
    for (int i = 0; i < m.n * m.n; i++)
        m.L[i] = random_waves(m.n, uniform(-0.7, 0.7), 0, uniform(0, 0.5));
    m.V = random_waves(m.n, 0, 3, uniform(0, 2));
    m.spring = uniform(0, 20);
    for (int i = 0; i < m.n; i++) m.v[i] = uniform(-2, 2);
    for (int c = 0; c < m.contacts; c++) {
        double slope[N];
        m.gap[c] = random_waves(m.n, 0, 1, 0.2);
        m.side[c] = random_waves(m.n, 0, 1, 0.2);
        m.gap[c].value = uniform(0, 0.1) - at(&m.gap[c], m.n, m.q, slope);
        m.law[c].restitution = uniform(0, 1) < 0.3 ? 0 : uniform(0, 1);
        m.law[c].friction = uniform(0, 1);
    }
    return m;
}

static inline scree_mechanism_def mechanics_of(const machine *m) {
    return (scree_mechanism_def){ .coordinates = m->n,
                                  .contacts = m->contacts,
                                  .self = m,
                                  .mass = machine_mass,
                                  .potential = machine_potential,
                                  .contact = machine_contact,
                                  .law = m->law,
                                  .position = m->q,
                                  .velocity = m->v };
}

#endif
