// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// sweeping.h - Moreau's sweeping process: a point that a moving convex set takes along.
//
//     -dx/dt ∈ N_C(t)(x),   x(0) = x_0 ∈ C(0),   C(t) = { x : f_i(t, x) <= 0 for all i }
//
// The point rests inside of C and is pushed by its boundary, along the normal and no faster than
// that moves. docs/sweeping.md says what each method can do.

#ifndef SCREE_SWEEPING_H
#define SCREE_SWEEPING_H

#include "scree/model.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The most that there may be of coordinates, half-spaces (a box has two for each coordinate) and
/// balls.
enum { SCREE_SET_DIMENSION = 16, SCREE_SET_ROWS = 128, SCREE_SET_BALLS = 16 };

typedef enum scree_set_kind {
    SCREE_SET_INTERVAL,    // low <= x <= high, coordinate by coordinate
    SCREE_SET_HALF_SPACE,  // normal . x <= offset
    SCREE_SET_BALL,        // |x - centre| <= radius
    SCREE_SET_POLYHEDRON,  // rows . x <= offsets
} scree_set_kind;

/// One moving set; C is the intersection of several. Numbers may depend on time.
typedef struct scree_moving_set {
    scree_set_kind kind;
    const scree_function *low, *high;  // interval (n), or NULL: not bounded on that side
    const scree_function *normal;      // half-space (n), of any length but zero
    const scree_function *centre;      // ball (n)
    scree_function offset, radius;     // half-space; ball, positive
    int rows;                          // polyhedron
    const double *row;                 // (rows x n), none of them zero
    const scree_function *offsets;     // (rows)
} scree_moving_set;

typedef enum scree_sweeping_method {
    SCREE_CATCHING_UP,  // implicit: x' = the point of C(t + h) that is nearest to x
    SCREE_LAZY,         // explicit: x' = x + h v, v the least velocity that the boundary allows
} scree_sweeping_method;

/// What it is called in scenes, files and reports.
SCREE_API const char *scree_sweeping_method_name(scree_sweeping_method method);

typedef struct scree_sweeping scree_sweeping;

/// A process at its start. The sets are copied, but their functions keep their borrowed self. An
/// error if there is no set at time 0 or the start is not in it.
SCREE_API scree_status scree_sweeping_new(int dimension, const scree_moving_set *set, int sets,
                                          scree_sweeping_method method, double step,
                                          const double *start, scree_sweeping **sweeping,
                                          scree_error *err);

/// Free it, with all that it owns.
SCREE_API void scree_sweeping_free(scree_sweeping *sweeping);

/// One step; an error (the point stays) where the set is empty or its functions are not finite.
SCREE_API scree_status scree_sweeping_step(scree_sweeping *sweeping, scree_error *err);

typedef struct scree_sweeping_state {  // read every field; change none
    int dimension, sets;
    scree_sweeping_method method;
    int64_t step;
    double time;           // step * h
    const double *x;       // (dimension)
    const double *before;  // x of the step before (dimension)
    double outside;        // of the constraint that x breaks most at this time; 0 inside
    bool empty;            // the set that the last step looked for is, proven
} scree_sweeping_state;

/// The present state of the process.
SCREE_API const scree_sweeping_state *scree_sweeping_state_of(const scree_sweeping *sweeping);

/// Go to a state of before.
SCREE_API scree_status scree_sweeping_restore(scree_sweeping *sweeping, int64_t step,
                                              const double *x, scree_error *err);

/// The point of C(t) that is nearest to x (another array).
SCREE_API scree_status scree_sweeping_project(scree_sweeping *sweeping, double t, const double *x,
                                              double *nearest, scree_error *err);

#ifdef __cplusplus
}
#endif

#endif
