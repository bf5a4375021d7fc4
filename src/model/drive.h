// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// drive.h - what springs and motors are over a step.
//
// A spring has the force of the discrete derivative of its energy, mixed with that of its end:
//
//     F = (2 - 2 theta) (E(e') - E(e))/(e' - e) + (2 theta - 1) E'(e')
//
// which is k e_theta for E = k e^2/2. Its work is -dE - (2 theta - 1)(E'(e') (e' - e) - dE), and
// the last bracket is not negative where E is convex.

#ifndef SCREE_MODEL_DRIVE_H
#define SCREE_MODEL_DRIVE_H

#include "scree/drive.h"

// A spring with a dry slider in series has over one step the energy k e^2/2 up to its yield and
// yield |e| - yield^2/(2 k) beyond: convex again. What is beyond the yield where the step ends is
// what the slider went, and yield times it is lost.

/// Forces of a spring from e to e_end against the way, with their derivatives by e_end.
typedef struct scree_drive_force {
    double mean, mean_slope;  // (E' - E)/(e' - e)
    double end, end_slope;    // E'(e')
} scree_drive_force;

scree_drive_force scree_drive_force_of(const scree_drive *drive, double e, double e_end);

/// -1: e counts the other way, so that what it can do is a push.
static inline double scree_drive_sign(const scree_drive *drive) {
    return drive->sense == SCREE_DRIVE_PULLS ? -1 : 1;
}

/// Does the row have a compliance?
static inline bool scree_drive_is_soft(const scree_drive *drive) {
    return drive->kind == SCREE_SPRING || drive->kind == SCREE_MOTOR_FORCE ||
           (drive->kind == SCREE_MOTOR_POSITION && drive->stiffness > 0);
}

/// Has it a number of its own in q?
static inline bool scree_drive_remembers(const scree_drive *drive) {
    return drive->yield > 0 || drive->integral > 0;
}

/// That number at q; 0 without.
double scree_drive_remembered(const scree_model *model, const scree_drive *drive, const double *q);

/// What is left of e when the slider has gone: all without one.
double scree_drive_kept(const scree_drive *drive, double e);

/// Where e is 0 at q and t: the target, and what the slider has gone.
double scree_drive_rest(const scree_model *model, const scree_drive *drive, const double *q,
                        double t);

/// What is added to coordinate x where a spring or motor compares it with its rest: whole turns.
double scree_drive_turns(const scree_model *model, const scree_drive *drive, double x, double rest);

/// e at q and t.
double scree_drive_elongation(const scree_model *model, const scree_drive *drive, const double *q,
                              double t);

#endif
