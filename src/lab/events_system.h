// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// events_system.h - a small system with planar contacts as the event-driven scheme sees it.

#ifndef SCREE_LAB_EVENTS_SYSTEM_H
#define SCREE_LAB_EVENTS_SYSTEM_H

#include "scree/events.h"

enum {
    SCREE_SMALL_N = SCREE_EVENTS_COORDINATES,
    SCREE_SMALL_C = SCREE_EVENTS_GAPS,
    SCREE_SMALL_Y = 2 * SCREE_SMALL_N + 3 * SCREE_SMALL_C + 5,
};

/// Of the lengths that make a gap: closed.
#define SCREE_SMALL_TOUCH 1e-11

typedef enum scree_contact_mode {  // of one contact; without friction slip-plus stands for closed
    SCREE_MODE_STICK,
    SCREE_MODE_SLIP_PLUS,
    SCREE_MODE_SLIP_MINUS,
    SCREE_MODE_OPEN,
    SCREE_MODES
} scree_contact_mode;

/// The system at (t, q, v): M a = force + H^T lambda, u = H v + w, du/dt = H a + drift. Rows and
/// columns of W are contact after contact, normal and tangential.
typedef struct scree_evaluation {
    int n, contacts;
    double L[SCREE_SMALL_N * SCREE_SMALL_N];           // Cholesky factor of M (n x n)
    double force[SCREE_SMALL_N], size[SCREE_SMALL_N];  // and the size of what it is the sum of
    double load_power, damping_power;                  // of the loads, of damping [W]
    double gap[SCREE_SMALL_C], length[SCREE_SMALL_C];  // and the size of what it is the sum of
    double H[SCREE_SMALL_C][2][SCREE_SMALL_N];
    double w[SCREE_SMALL_C][2], drift[SCREE_SMALL_C][2];
    bool far[SCREE_SMALL_C];      // cannot touch now: W, push and drift are not asked for
    double range[SCREE_SMALL_C];  // how far the place of a closed contact is from where its gap
                                  // becomes another function [m]; HUGE_VAL: nowhere
    // what follows from these
    double push[SCREE_SMALL_C][2][SCREE_SMALL_N];      // M^-1 H^T
    double W[2 * SCREE_SMALL_C][2 * SCREE_SMALL_C];    // H M^-1 H^T
    double acceleration[SCREE_SMALL_N];                // without contact forces
    double u[SCREE_SMALL_C][2], du[SCREE_SMALL_C][2];  // du without contact forces
    double scale[SCREE_SMALL_C];                       // of the numbers that du is made of
    double speed[SCREE_SMALL_C];                       // the same of u
} scree_evaluation;

typedef struct scree_small_energy {
    double kinetic, elastic, potential;
    double size;  // of the numbers that these are the sums of
} scree_small_energy;

/// Where the equations come from.
typedef struct scree_small_system {
    int n, contacts;
    int coordinates;  // of the states that are shown; n where `show` is NULL
    int source;       // of its contacts: SCREE_SOURCE_...
    const void *self;
    /// Fill the first part of a view.
    void (*evaluate)(const void *self, double t, const double *q, const double *v,
                     scree_evaluation *view);
    scree_small_energy (*energy)(const void *self, const double *q, const double *v);
    /// The energy that moving q by a small way brings.
    double (*shift_work)(const void *self, const double *q, const double *v, const double *way);
    /// Of a contact, for messages; room is for those whose name stands nowhere.
    const char *(*name)(const void *self, int contact, char room[SCREE_EVENT_NAME]);
    /// The state of the model (coordinates each); NULL: q and v are it.
    void (*show)(const void *self, double t, const double *q, const double *v, double *q_all,
                 double *v_all);
    /// Sides, identity and frame of a contact; NULL: it is one of rows.
    void (*describe)(const void *self, int contact, double t, const double *q, const double *v,
                     scree_contact *out);
    /// At an event: which features touch from now on, until `release` leaves those of the open
    /// contacts to the state; NULL: each gap is one smooth function.
    void (*attach)(const void *self, double t, const double *q, const double *v,
                   const double *length);
    void (*release)(const void *self, const scree_contact_mode *phase);
    const double *position, *velocity;  // at the start
    double friction[SCREE_SMALL_C], restitution[SCREE_SMALL_C];
} scree_small_system;

/// Fill a whole view.
void scree_small_system_evaluate(const scree_small_system *small, double t, const double *q,
                                 const double *v, scree_evaluation *view);

/// A matrix system as a small one; delta: over which rates of obstacles are differentiated [s].
typedef struct scree_matrix_system {
    const scree_model *model;
    double factor[SCREE_SMALL_N * SCREE_SMALL_N];
    double delta;
} scree_matrix_system;

scree_status scree_matrix_system_make(const scree_model *model, double delta,
                                      scree_matrix_system *matrix, scree_small_system *small,
                                      scree_error *err);

/// A mechanism as a small system; step: of the run.
typedef struct scree_mechanism_system {
    const scree_mechanism_def *mechanics;
    double step;
} scree_mechanism_system;

scree_status scree_mechanism_system_make(const scree_mechanism_def *mechanics, double step,
                                         scree_mechanism_system *system, scree_small_system *small,
                                         scree_error *err);

/// Rigid bodies in the plane as a small system; step: of the run. Freed by
/// scree_planar_system_free.
typedef struct scree_planar_system scree_planar_system;

scree_status scree_planar_system_make(const scree_model *model, double step,
                                      scree_planar_system **system, scree_small_system *small,
                                      scree_error *err);

void scree_planar_system_free(scree_planar_system *system);

/// How the rate of a function changes: its rate is exact, this is a difference of eighth order over
/// delta.
double scree_small_system_second_rate(const scree_function *function, double t, double delta);

// -------------------------------------------------------------------------------------------------
// events_modes.c: y = W p + b with the contact laws, by trying all statuses

/// Which phases a contact may be in, and what is asked of them.
enum {
    SCREE_MAY_STICK = 1 << SCREE_MODE_STICK,
    SCREE_MAY_SLIP_PLUS = 1 << SCREE_MODE_SLIP_PLUS,
    SCREE_MAY_SLIP_MINUS = 1 << SCREE_MODE_SLIP_MINUS,
    SCREE_MAY_OPEN = 1 << SCREE_MODE_OPEN,
    SCREE_IS_SLIDING = 16,  // y_T need not have the direction of slip
    SCREE_IS_FAR = 32,      // y_N may have any sign when open
};

typedef struct scree_mode_solution {
    scree_contact_mode phase[SCREE_SMALL_C];
    double p[SCREE_SMALL_C][2], y[SCREE_SMALL_C][2];
} scree_mode_solution;

enum { SCREE_MODE_SOLUTIONS = 512 };

/// p and y of given phases: y_N = 0 where closed, y_T = 0 where stuck, p on the cone where sliding.
/// Returns the sign of the determinant, 0 if it vanishes.
int scree_modes_solve(const scree_evaluation *view, const double *mu, const double b[][2],
                      scree_mode_solution *choice);

/// All phases that agree with the laws, up to SCREE_MODE_SOLUTIONS; tolerance: relative to scale,
/// the size of the numbers in b (contacts). -1: more than SCREE_EVENTS_CONTACTS may be closed.
int scree_modes_enumerate(const scree_evaluation *view, const double *mu, const double b[][2],
                          const double *scale, const int *may, double tolerance,
                          scree_mode_solution *choice);

/// Do two choices move the system alike?
bool scree_modes_same(const scree_evaluation *view, const double *scale,
                      const scree_mode_solution *one, const scree_mode_solution *other);

// -------------------------------------------------------------------------------------------------
// events_flow.c: one phase, integrated

/// Places in the vector that is integrated: q, v, of each contact impulse and work of sliding, then
/// works of all.
typedef struct scree_flow {
    const scree_small_system *small;
    scree_contact_mode phase[SCREE_SMALL_C];
    double fastest[SCREE_SMALL_C];  // that contacts have moved, the scale of their velocities
    double longest[SCREE_SMALL_C];  // the same of what their gaps are made of
    double reach, fastest_rate;     // largest coordinate and velocity so far
    double lookahead;               // how far to look for what comes of a choice [s]
} scree_flow;

enum {
    SCREE_WORK_LOAD,
    SCREE_WORK_DAMPING,
    SCREE_WORK_NORMAL,
    SCREE_WORK_SLIDING,
    SCREE_WORK_WALL
};

static inline int scree_flow_contact_index(const scree_flow *flow, int contact) {
    return 2 * flow->small->n + 3 * contact;
}
static inline int scree_flow_work_index(const scree_flow *flow, int which) {
    return 2 * flow->small->n + 3 * flow->small->contacts + which;
}
static inline int scree_flow_length(const scree_flow *flow) {
    return 2 * flow->small->n + 3 * flow->small->contacts + 5;
}

/// One step of an explicit method of order 5 from y at t over h to `end`; false if a phase has no
/// forces. error: of the step, 1 is the tolerance.
bool scree_flow_step(const scree_flow *flow, double t, const double *y, double h, double *end,
                     double *error);

enum { SCREE_WATCHED = 3 };

/// What must stay positive in a phase, at y: [c][0] gap or normal force, [c][1] sliding velocity or
/// what friction could still bear, [c][2] the range of a closed contact's place; where there is
/// nothing to watch it is 1.
typedef struct scree_event_functions {
    double value[SCREE_SMALL_C][SCREE_WATCHED], tolerance[SCREE_SMALL_C][SCREE_WATCHED];
    double approach[SCREE_SMALL_C];  // rate of the gap
    double rounding[SCREE_SMALL_C];  // what rounding does to it
    int sign;                        // of the determinant of the phase
} scree_event_functions;

bool scree_flow_event_functions(const scree_flow *flow, double t, const double *y,
                                scree_event_functions *found);

/// The first moment in (0, h] after t at which something watched is lost; h if there is none, and
/// *lost says which.
double scree_flow_locate_event(const scree_flow *flow, double t, const double *y, double h,
                               const double *end, bool *lost);

#endif
