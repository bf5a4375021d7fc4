// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// paradox.h - where Coulomb friction has no solution, or several.
//
// A contact that slides with u_T bears the force (lambda, -mu sgn(u_T) lambda), and its gap obeys
//
//     0 <= A lambda + B  ⟂  lambda >= 0,     A = W_NN - mu sgn(u_T) W_NT
//
// with B the second derivative of the gap without the force. A may be negative: Painlevé's rod.

#ifndef SCREE_PARADOX_H
#define SCREE_PARADOX_H

#include "scree/mechanism.h"
#include "scree/step.h"

#ifdef __cplusplus
extern "C" {
#endif

/// What is zero in this header: numbers below tolerance times the size of those they are made of.
#define SCREE_PARADOX_TOLERANCE 1e-12
#define SCREE_PARADOX_TOLERANCE_MOST 1e-3

typedef struct scree_interval {
    double low, high;  // -HUGE_VAL, HUGE_VAL: without end
} scree_interval;

/// Ascending; no point lies in a family.
typedef struct scree_equation_set {
    int points;
    double point[3];
    int families;
    scree_interval family[1];
} scree_equation_set;

/// Every x with  a x + b |x| + c ∈ -(1 + d) sgn(x),  sgn(0) = [-1, 1]. Zero are a + b and a - b
/// below tolerance x max(|a|, |b|), and 1 + d + c and 1 + d - c below tolerance x max(1, |c|, |d|).
/// tolerance is from 0 to SCREE_PARADOX_TOLERANCE_MOST; numbers up to 1e100.
SCREE_API scree_status scree_equation_solve(double a, double b, double c, double d,
                                            double tolerance, scree_equation_set *set,
                                            scree_error *err);

typedef enum scree_verdict {
    SCREE_CONSISTENT,     // one solution
    SCREE_INDETERMINATE,  // two or more
    SCREE_INCONSISTENT,   // none: no finite force, so that velocities must jump
} scree_verdict;

/// What it is called in scenes, files and reports.
SCREE_API const char *scree_verdict_name(scree_verdict verdict);

typedef enum scree_motion_kind {
    SCREE_MOTION_TAKE_OFF,    // no force, the gap opens
    SCREE_MOTION_GRAZES,      // no force, and the gap stays closed all the same
    SCREE_MOTION_SLIDES,      // pressed, goes on sliding
    SCREE_MOTION_STICKS,      // pressed, stays at rest
    SCREE_MOTION_SLIPS_PLUS,  // pressed, begins to slide along its tangent
    SCREE_MOTION_SLIPS_MINUS,
} scree_motion_kind;

/// What it is called in scenes, files and reports.
SCREE_API const char *scree_motion_kind_name(scree_motion_kind kind);

/// A force of the contact (normal, tangential) that satisfies the laws, or a line of them from
/// force to end; an end without end is (HUGE_VAL, +-HUGE_VAL or 0).
typedef struct scree_motion_solution {
    scree_motion_kind kind;
    bool family;
    double force[2], end[2];
    double acceleration[2];  // of the contact under `force`
} scree_motion_solution;

enum { SCREE_MOTIONS_MAX = 8 };

/// The one closed contact of a state, and every motion that may follow.
typedef struct scree_paradox {
    scree_contact contact;   // u_before is its velocity
    bool slides;             // otherwise it is at rest
    double W[4];             // inverse mass of the contact, row after row [1/kg]
    double acceleration[2];  // without its force: of the gap, of the sliding [m/s^2]
    double A, B;             // NaN at rest
    int count;               // of solutions, -1: infinitely many
    scree_verdict verdict;
    int solutions;
    scree_motion_solution solution[SCREE_MOTIONS_MAX];
} scree_paradox;

/// Look at the model's initial state. SCREE_BAD_INPUT if its closed contacts are not exactly one,
/// or are of no use here: in space, of elastic or driven bodies, without friction, with cohesion,
/// penetrating, colliding. A gap is closed below 1e-9 of the lengths it is made of, and velocities
/// are zero below 1e-9 of those they are made of.
SCREE_API scree_status scree_paradox_find(const scree_model *model, double tolerance,
                                          scree_paradox *paradox, scree_error *err);

/// The same of a mechanism.
SCREE_API scree_status scree_paradox_find_mechanism(const scree_mechanism_def *mechanics,
                                                    double tolerance, scree_paradox *paradox,
                                                    scree_error *err);

enum { SCREE_TRIAL_STEPS = 50 };

/// What one scheme does with the state: up to SCREE_TRIAL_STEPS steps, until a contact bears
/// something.
typedef struct scree_trial {
    double h;
    scree_status status;  // of the last step; SCREE_UNCONVERGED: refused
    int step;             // that bore something, from 1; 0: none did
    scree_contact_status contact;
    double impulse[2];           // [N s]
    double before[2], after[2];  // velocities of the contact in that step, or in the first one
} scree_trial;

/// Let one scheme step from the state of the model.
SCREE_API scree_status scree_paradox_try(const scree_model *model,
                                         const scree_scheme_options *scheme,
                                         const scree_solver_options *solver, scree_trial *trial,
                                         scree_error *err);

typedef enum scree_outcome {
    SCREE_OUTCOME_FREE,     // no impulse
    SCREE_OUTCOME_FORCE,    // the impulse vanishes with the step, as a force's does
    SCREE_OUTCOME_IMPACT,   // it does not: an impact without collision
    SCREE_OUTCOME_UNCLEAR,  // one of the two steps has an impulse, the other has none
    SCREE_OUTCOME_REFUSED,  // a step was not solved
    SCREE_OUTCOME_UNFIT,    // of a grid: the question cannot be asked there
} scree_outcome;

/// What it is called in scenes, files and reports.
SCREE_API const char *scree_outcome_name(scree_outcome outcome);

/// Judge by two trials of one scheme, the second with a quarter of the first one's step or less.
SCREE_API scree_outcome scree_paradox_outcome(const scree_trial *coarse, const scree_trial *fine);

#ifdef __cplusplus
}
#endif

#endif
