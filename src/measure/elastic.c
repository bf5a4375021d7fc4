// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// elastic.c - energies and works of elastic bodies, from the record of a step.
// in: model, record.   out: terms of the ledger.   work: three vectors.
//
// With R = M (v'-v) + h C v_theta + h K q_theta - h F_theta - h G, which is zero where nothing is
// held but for the impulses of contacts, the work of what is held is
//
//     v_theta . R + (q' - q - h v_theta) . (K q_theta - G)      over the held degrees of freedom:
//
// the second part is there because a displacement that is given need not go with the mean of the
// velocities that are given with it.

#include "measure/elastic.h"

#include <math.h>
#include <string.h>

#include "base/space.h"
#include "model/elastic.h"

static double potential_of(const scree_model *model, const scree_elastic_body *body,
                           const double *q) {
    const double *g = model->gravity;
    double sum = 0;
    if (g[0] == 0 && g[1] == 0 && g[2] == 0) return 0;
    for (int i = 0; i < body->mesh.nodes; i++) {
        double x[3];
        scree_elastic_place(body, q, i, x);
        sum -= body->parts->node_mass[i] * scree_dot(g, x);
    }
    return sum;
}

void scree_ledger_energies(const scree_model *model, int e, const scree_state *state,
                           scree_ledger *ledger) {
    const scree_elastic_body *body = &model->elastic[e];
    const scree_fem *fem = &body->parts->fem;
    ledger->kinetic += scree_fem_mass_form(fem, state->v + body->dof, NULL) / 2;
    ledger->elastic += scree_fem_stiffness_form(fem, state->q + body->coordinate, NULL) / 2;
    ledger->potential += potential_of(model, body, state->q + body->coordinate);
}

// the two ends of the step, of one body
typedef struct ends {
    const double *p, *q;  // displacements before and after
    const double *u, *v;  // velocities
} ends;

// what is held and stays where it is does no work
static bool moves(const scree_elastic_body *body, const ends *s) {
    for (int i = 0; i < body->parts->held; i++) {
        int dof = body->parts->held_dof[i];
        if (s->u[dof] != 0 || s->v[dof] != 0 || s->q[dof] != s->p[dof]) return true;
    }
    return false;
}

static double held_work(const scree_model *model, const scree_elastic_body *body, double theta,
                        const scree_step_record *record, const ends *s, double *scratch,
                        double *scale) {
    const struct scree_elastic_parts *parts = body->parts;
    const scree_material *material = &body->material;
    int n = body->count, space = body->mesh.space;
    double h = record->h, sum = 0;
    double *inertial = scratch, *elastic = scratch + n, *work = scratch + 2 * (long)n;

    // elastic = K q_theta;   inertial = M (v'-v) + h C v_theta - h F_theta
    for (int i = 0; i < n; i++)
        work[i] = (s->v[i] - s->u[i]) +
                  h * material->damping_mass * ((1 - theta) * s->u[i] + theta * s->v[i]);
    scree_fem_mass(&parts->fem, work, inertial);
    for (int i = 0; i < n; i++)
        work[i] = h * material->damping_stiffness * ((1 - theta) * s->u[i] + theta * s->v[i]);
    if (material->damping_stiffness > 0) {
        scree_fem_stiffness(&parts->fem, work, elastic);
        for (int i = 0; i < n; i++) inertial[i] += elastic[i];
    }
    memset(work, 0, (size_t)n * sizeof *work);
    scree_elastic_load(body, record->before.time, work);
    for (int i = 0; i < n; i++) inertial[i] -= h * (1 - theta) * work[i];
    memset(work, 0, (size_t)n * sizeof *work);
    scree_elastic_load(body, record->after.time, work);
    for (int i = 0; i < n; i++) inertial[i] -= h * theta * work[i];
    for (int i = 0; i < n; i++) work[i] = (1 - theta) * s->p[i] + theta * s->q[i];
    scree_fem_stiffness(&parts->fem, work, elastic);

    for (int i = 0; i < parts->held; i++) {
        int dof = parts->held_dof[i];
        double mean = (1 - theta) * s->u[dof] + theta * s->v[dof], way = s->q[dof] - s->p[dof];
        double rest = elastic[dof] - parts->node_mass[dof / space] * model->gravity[dof % space];
        sum += mean * inertial[dof] + way * rest;
        *scale += fabs(mean * inertial[dof]) + fabs(way * rest);
    }
    return sum;
}

#define INLINE static inline __attribute__((always_inline))

INLINE double length_of(const double *x, int space) {
    double sum = 0;
    for (int k = 0; k < space; k++) sum += fabs(x[k]);
    return sum;
}

// Energies are made of differences of displacements, but what rounding does to a displacement
// itself works against the forces between nodes too.
INLINE double size_in(const scree_model *model, const scree_elastic_body *body, int space, double h,
                      const ends *s) {
    const struct scree_elastic_parts *parts = body->parts;
    double sum = 0,
           pull = fabs(model->gravity[0]) + fabs(model->gravity[1]) + fabs(model->gravity[2]);
    for (int i = 0; i < body->mesh.nodes; i++) {
        double before[3] = { 0 }, after[3] = { 0 };
        long at = (long)i * space;
        for (int k = 0; k < space; k++) {
            before[k] = s->p[at + k] - s->p[k];
            after[k] = s->q[at + k] - s->q[k];
        }
        double apart = length_of(before, space) + length_of(after, space);
        double place = length_of(s->p + at, space) + length_of(s->q + at, space);
        double speed = length_of(s->u + at, space) + length_of(s->v + at, space);
        double reach = apart + h * speed;
        sum += parts->node_mass[i] * speed * speed +
               parts->node_stiffness[i] * reach * (reach + place) +
               parts->node_mass[i] * pull *
                   (place + 2 * length_of(body->mesh.node + at, space) + h * speed);
    }
    return sum;
}

// loops over axes of a number that the compiler knows: this is done in every step
static double size_of(const scree_model *model, const scree_elastic_body *body, double h,
                      const ends *s) {
    return body->mesh.space == 2 ? size_in(model, body, 2, h, s) : size_in(model, body, 3, h, s);
}

double scree_ledger_elastic(const scree_model *model, int e, double theta,
                            const scree_step_record *record, double *scratch,
                            scree_ledger *ledger) {
    const scree_elastic_body *body = &model->elastic[e];
    const scree_fem *fem = &body->parts->fem;
    const scree_material *material = &body->material;
    int n = body->count;
    ends s = { record->before.q + body->coordinate, record->after.q + body->coordinate,
               record->before.v + body->dof, record->after.v + body->dof };
    double scale = size_of(model, body, record->h, &s), *work = scratch;
    scree_ledger_energies(model, e, &record->after, ledger);
    if (material->damping_mass > 0 || material->damping_stiffness > 0) {
        for (int i = 0; i < n; i++) work[i] = (1 - theta) * s.u[i] + theta * s.v[i];
        double inner = material->damping_mass * scree_fem_mass_form(fem, work, NULL) +
                       material->damping_stiffness * scree_fem_stiffness_form(fem, work, NULL);
        ledger->damping_work -= record->h * inner;
        scale += record->h * inner;
    }
    if (theta != 0.5) {
        for (int i = 0; i < n; i++) work[i] = s.v[i] - s.u[i];
        double change = scree_fem_mass_form(fem, work, NULL);
        for (int i = 0; i < n; i++) work[i] = s.q[i] - s.p[i];
        change += scree_fem_stiffness_form(fem, work, NULL);
        ledger->numerical_dissipation += (0.5 - theta) * change;
    }
    if (body->parts->driven && moves(body, &s))
        ledger->held_work += held_work(model, body, theta, record, &s, scratch, &scale);
    return scale;
}
