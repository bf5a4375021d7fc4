// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// rigid.h - what rigid bodies in the plane and in space have in common as parts.

#ifndef SCREE_MODEL_RIGID_H
#define SCREE_MODEL_RIGID_H

#include "base/sum.h"
#include "model/part.h"
#include "model/presence.h"

/// A body in space that is not as easy to turn about every axis.
typedef struct scree_gyroscopic_body {
    int body;
    double inverse[6];   // of J at the start of the step, world axes
    double momentum[3];  // J w + h torque of the loads; of a body that is held C J w + h torque
    double mean[3];      // y, the mean spin
} scree_gyroscopic_body;

/// What a stepper keeps for bodies.
typedef struct scree_rigid_work {
    scree_presence presence;   // of the time at which the step begins
    int live, *live_body;      // those of it that are moved by forces and impulses (live)
    int idles, *idle;          // runs of bodies that stay where they are: first, last + 1 (idles);
                               // not of those that are still to come, see scree_presence
    unsigned char *kinematic;  // its motion is prescribed (bodies)
    unsigned char *dynamic;    // forces and impulses move it, when it is there (bodies)
    bool known;                // live bodies are those of a step before, not of none
    long long settled;         // from this step on both states have idle bodies where they are
    int gyroscopic;
    scree_gyroscopic_body *gyroscopic_body;  // (gyroscopic)
} scree_rigid_work;

/// Counts and flags of the bodies of a model, if it is of this space.
void scree_rigid_find(const scree_model *model, int space, scree_parts *parts);

/// The stepper's work, without bodies that turn.
scree_status scree_rigid_make(scree_parts *parts, scree_arena *arena, scree_error *err);

/// The inverse of a body's mass and inertia; zeros if it is not present.
typedef void scree_rigid_inverse_of(const scree_body *body, bool present, double *inverse);

/// Parts with so many numbers for each body.
scree_status scree_rigid_invert(const scree_parts *parts, int numbers,
                                scree_rigid_inverse_of *inverse_of, scree_arena *arena,
                                scree_part *part, scree_error *err);

/// Who takes part in the step, found anew where one has come or gone: a body that is not there has
/// no mass for others to push.
void scree_rigid_find_present(const scree_parts *parts, const scree_stage *stage, int numbers,
                              scree_rigid_inverse_of *inverse_of, double *inverse);

/// Fixed bodies and those that are not there end the step as they began it; what a step overwrites
/// are the states of two steps before, so this is to be seen to for two steps after a change.
void scree_rigid_keep_idle(const scree_parts *parts, const scree_stage *stage);

void scree_rigid_load(const scree_parts *parts, double t, double *F);

scree_status scree_rigid_check(const scree_parts *parts, const scree_stage *stage,
                               scree_error *err);

double scree_rigid_extent(const scree_parts *parts, const double *q);

const char *scree_rigid_name_of_dof(const scree_parts *parts, int dof, int *component);

/// Bodies that are not there take no work from loads.
void scree_rigid_mean_velocity(const scree_parts *parts, double theta,
                               const scree_step_record *record, double *mean);

/// What bodies contribute to a step: energies at its end, (1/2 - theta) |v' - v|_M^2, and what came
/// and went with bodies.
typedef struct scree_rigid_sums {
    scree_sum kinetic, potential, dissipation, exchange;
} scree_rigid_sums;

typedef struct scree_rigid_energy {
    double kinetic, potential;
} scree_rigid_energy;

/// Energies of body i; |v' - v|_M^2 of body i, and the size of all that is added up for it.
typedef scree_rigid_energy scree_rigid_energy_of(const scree_model *model, int i,
                                                 const scree_state *state);
typedef double scree_rigid_change_of(const scree_model *model, int i, const scree_state *old,
                                     const scree_state *new, double *scale);

/// What a step has for theta: that of all bodies, or one for each (bodies).
typedef struct scree_rigid_weight {
    double theta;
    const double *body_theta;  // or NULL
} scree_rigid_weight;

/// Add up the first so many bodies; those behind them are still to come. The functions of one are
/// known where it is called: no call is left of them.
static inline __attribute__((always_inline)) void scree_rigid_sum(
    const scree_parts *parts, int come, scree_rigid_weight weight, const scree_state *old,
    const scree_state *new, scree_rigid_energy_of *energy_of, scree_rigid_change_of *change_of,
    scree_rigid_sums *sums, double *scale) {
    const scree_model *model = parts->model;
    for (int i = 0; i < come; i++) {
        const scree_body *body = &model->body[i];
        if (!scree_body_moves(body)) continue;
        bool was = scree_body_present(body, old->time), is = scree_body_present(body, new->time);
        double theta = weight.body_theta ? weight.body_theta[i] : weight.theta;
        if (was)
            scree_sum_add(&sums->dissipation, (0.5 - theta) * change_of(model, i, old, new, scale));
        if (!was && !is) continue;
        scree_rigid_energy now = energy_of(model, i, new);
        if (is) {
            scree_sum_add(&sums->kinetic, now.kinetic);
            scree_sum_add(&sums->potential, now.potential);
        }
        if (was == is) continue;
        scree_sum_add(&sums->exchange, (is ? 1 : -1) * (now.kinetic + now.potential));
        *scale += now.kinetic + fabs(now.potential);
    }
}

/// The sums into the ledger: of a state, and of a step.
void scree_rigid_add_energies(const scree_rigid_sums *sums, scree_ledger *ledger);
void scree_rigid_add_sums(const scree_rigid_sums *sums, scree_ledger *ledger);

/// Energies of a state, which is its own beginning and end.
static inline __attribute__((always_inline)) void scree_rigid_energies(
    const scree_parts *parts, const scree_state *state, scree_rigid_energy_of *energy_of,
    scree_rigid_change_of *change_of, scree_ledger *ledger) {
    scree_rigid_sums sums = { 0 };
    double scale = 0;
    scree_rigid_sum(parts, parts->count, (scree_rigid_weight){ .theta = 0.5 }, state, state,
                    energy_of, change_of, &sums, &scale);
    scree_rigid_add_energies(&sums, ledger);
}

/// What a step did.
static inline __attribute__((always_inline)) void scree_rigid_fill_ledger(
    const scree_parts *parts, double theta, const scree_step_record *record,
    scree_rigid_energy_of *energy_of, scree_rigid_change_of *change_of, scree_ledger *ledger,
    double *scale) {
    scree_rigid_sums sums = { 0 };
    scree_rigid_sum(parts, parts->count - record->dormant,
                    (scree_rigid_weight){ theta, record->body_theta }, &record->before,
                    &record->after, energy_of, change_of, &sums, scale);
    scree_rigid_add_sums(&sums, ledger);
}

/// The weight of the end of the step for body i.
static inline double scree_rigid_theta(const scree_stage *stage, int i) {
    return stage->body_theta ? stage->body_theta[i] : stage->theta;
}

#endif
