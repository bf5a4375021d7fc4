// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// spring_masses.h - a part kind from outside: masses on a line, each on its spring. One file, one
// row; CONTRIBUTING.md tells the recipe.
//
//     m (v'-v) + h k q_theta = h F_theta,   q' = q + h v_theta

#ifndef SCREE_TEST_SPRING_MASSES_H
#define SCREE_TEST_SPRING_MASSES_H

#include <math.h>

#include "model/part.h"

typedef struct spring_mass {
    const char *name;
    double mass, stiffness, position, velocity;
    scree_function load;
} spring_mass;

static const spring_mass *spring_mass_of(const scree_parts *parts) { return parts->data; }

static scree_status spring_masses_invert(const scree_parts *parts, double h, double theta,
                                         double alpha, scree_arena *arena, scree_part *part,
                                         scree_error *err) {
    const spring_mass *own = spring_mass_of(parts);
    double *L = SCREE_NEW(arena, double, parts->count);
    if (!L) return scree_fail_memory(err, NULL);
    for (int i = 0; i < parts->count; i++) {
        L[i] = sqrt(own[i].mass + h * h * theta * alpha * own[i].stiffness);
        part[i] = (scree_part){ .dof = parts->dof + i, .width = 1, .factor = L + i };
    }
    return SCREE_OK;
}

static void spring_masses_start(const scree_parts *parts, double *q, double *v) {
    for (int i = 0; i < parts->count; i++) {
        q[parts->coordinate + i] = spring_mass_of(parts)[i].position;
        v[parts->dof + i] = spring_mass_of(parts)[i].velocity;
    }
}

static void spring_masses_load(const scree_parts *parts, double t, double *F) {
    double rate;
    for (int i = 0; i < parts->count; i++)
        F[parts->dof + i] = scree_function_at(&spring_mass_of(parts)[i].load, t, &rate);
}

static scree_status spring_masses_free_velocity(scree_parts *parts, const scree_stage *stage,
                                                scree_error *err) {
    (void)err;
    double h = stage->h, theta = stage->theta;
    for (int i = 0; i < parts->count; i++) {
        int dof = parts->dof + i;
        double q = stage->before->q[parts->coordinate + i], v = stage->before->v[dof];
        double change = stage->load ? scree_stage_load(stage, dof, theta) : 0;
        change -= h * (spring_mass_of(parts)[i].stiffness * (q + h * theta * v));
        scree_inertia_solve(&stage->inertia->part[parts->first + i], &change);
        stage->v_start[dof] = v;
        stage->v_free[dof] = v + change;
    }
    return SCREE_OK;
}

static void spring_masses_energies(const scree_parts *parts, const scree_state *state,
                                   scree_ledger *ledger) {
    for (int i = 0; i < parts->count; i++) {
        const spring_mass *own = &spring_mass_of(parts)[i];
        double q = state->q[parts->coordinate + i], v = state->v[parts->dof + i];
        ledger->kinetic += own->mass * v * v / 2;
        ledger->elastic += own->stiffness * q * q / 2;
    }
}

static void spring_masses_fill_ledger(const scree_parts *parts, double theta,
                                      const scree_step_record *record, double *scratch,
                                      scree_ledger *ledger, double *scale) {
    (void)scratch;
    spring_masses_energies(parts, &record->after, ledger);
    for (int i = 0; i < parts->count; i++) {
        const spring_mass *own = &spring_mass_of(parts)[i];
        double p = record->before.q[parts->coordinate + i], u = record->before.v[parts->dof + i];
        double q = record->after.q[parts->coordinate + i], v = record->after.v[parts->dof + i];
        double speed = fabs(u) + fabs(v), reach = fabs(p) + fabs(q) + record->h * speed;
        ledger->numerical_dissipation +=
            (0.5 - theta) * (own->mass * (v - u) * (v - u) + own->stiffness * (q - p) * (q - p));
        *scale += own->mass * speed * speed + own->stiffness * reach * reach;
    }
}

static const char *spring_masses_name_of_dof(const scree_parts *parts, int dof, int *component) {
    *component = 0;
    return spring_mass_of(parts)[dof - parts->dof].name;
}

static const scree_part_kind spring_masses = {
    .name = "spring-masses",
    .invert = spring_masses_invert,
    .start = spring_masses_start,
    .load = spring_masses_load,
    .free_velocity = spring_masses_free_velocity,
    .advance = scree_parts_advance,
    .energies = spring_masses_energies,
    .fill_ledger = spring_masses_fill_ledger,
    .name_of_dof = spring_masses_name_of_dof,
};

#endif
