// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// drive.h - springs, dampers and motors: what acts along the coordinate x of a joint.
//
//     spring   f = -E'(e) - d e',   e = x - target(t)     its energy is in the ledger's `spring`
//              with a dry slider in series: e = x - target(t) - z, |E'(e)| <= yield, z slides then
//     motor    holds x or x' at target(t) with at most so much force; or gives a force of t; its
//              work is in `motor_work`
//
// Both are rows of the contact problem, implicit in theta: stiff ones do not limit the step.
// Between two points without a joint: a joint of the kind SCREE_DISTANCE.

#ifndef SCREE_DRIVE_H
#define SCREE_DRIVE_H

#include "scree/joint.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum scree_drive_kind {
    SCREE_SPRING,
    SCREE_MOTOR_POSITION,  // x = target; with stiffness and damping: as a spring would hold it,
                           // and with an integral: a PID controller
    SCREE_MOTOR_VELOCITY,  // x' = target
    SCREE_MOTOR_FORCE,     // f = target [N, N m]
} scree_drive_kind;

typedef enum scree_drive_sense {
    SCREE_DRIVE_BOTH,
    SCREE_DRIVE_PULLS,   // only where e > 0: a rope
    SCREE_DRIVE_PUSHES,  // only where e < 0: a bumper
} scree_drive_sense;

typedef struct scree_drive {
    const char *name;  // copied into the model
    scree_drive_kind kind;
    int joint;                // whose coordinate it acts on
    scree_function target;    // [m, rad; m/s, rad/s; N, N m]
    double stiffness;         // k >= 0 of E = k e^2/2 [N/m, N m/rad]; position: 0: rigid
    double damping;           // d >= 0 [N s/m, N m s/rad]
    scree_drive_sense sense;  // of springs
    double most;              // of motors: largest |force|; HUGE_VAL: no limit
    /// Of motors without integral: what `most` is multiplied with in a step that begins in this
    /// state; NULL: 1. area_self must outlive the model.
    double (*area)(const void *self, const struct scree_state *state);
    const void *area_self;
    double integral;  // of a soft position: ki >= 0 of ki * (integral of e) [N/(m s), ...]
    double yield;     // of springs with a stiffness: force at which a dry slider in series
                      // gives way; 0: there is none [N, N m]
    /// A spring of another law: E(e) and its derivative; NULL: k e^2/2. self must outlive the
    /// model.
    double (*energy)(const void *self, double e, double *slope);
    const void *self;
    int rank;  // private: among those that remember something
} scree_drive;

/// A spring without stiffness, or a motor without limit.
SCREE_API scree_drive scree_drive_default(scree_drive_kind kind, int joint);

/// Add it; its number is model->drives - 1 afterwards. Its joint is there.
SCREE_API scree_status scree_model_add_drive(scree_model *model, const scree_drive *drive,
                                             scree_error *err);

/// The energy of a spring at e; 0 of motors. slope: its derivative, may be NULL.
SCREE_API double scree_drive_energy(const scree_drive *drive, double e, double *slope);

/// The energy of all springs in a state.
SCREE_API double scree_drives_energy(const scree_model *model, const scree_state *state);

/// The drive that a contact belongs to, or -1.
SCREE_API int scree_drive_of_contact(const scree_model *model, const scree_contact *contact);

#ifdef __cplusplus
}
#endif

#endif
