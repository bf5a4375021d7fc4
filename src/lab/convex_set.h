// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// convex_set.h - a convex set of R^n as it stands at one moment, and the point of it that is
// nearest.
//
//     C = { x : a_i . x <= b_i,  |x - c_j| <= r_j },   |a_i| = 1,  r_j > 0

#ifndef SCREE_LAB_CONVEX_SET_H
#define SCREE_LAB_CONVEX_SET_H

#include <stdbool.h>

#include "scree/sweeping.h"

typedef struct scree_convex_set {
    int dimension, rows, balls;
    double row[SCREE_SET_ROWS][SCREE_SET_DIMENSION];  // a, of unit length
    double bound[SCREE_SET_ROWS];                     // b
    double centre[SCREE_SET_BALLS][SCREE_SET_DIMENSION];
    double radius[SCREE_SET_BALLS];
} scree_convex_set;

typedef enum scree_projected {
    SCREE_PROJECTED,          // the nearest point, to rounding
    SCREE_PROJECTED_NOWHERE,  // the set is empty
    SCREE_PROJECTED_UNKNOWN,  // neither a point nor a proof that there is none
} scree_projected;

/// How far x is outside of the constraint that it breaks most; 0 inside.
double scree_convex_set_outside(const scree_convex_set *set, const double *x);

/// The point of the set that is nearest to x (another array); x itself, bit for bit, if it is
/// inside to rounding. Half-spaces, boxes and one ball have closed forms, polyhedra a finite dual
/// method, balls with anything beside them Newton's method on the dual problem. A set that is empty
/// by less than 1e-12 of its sizes counts as one point.
scree_projected scree_convex_set_project(const scree_convex_set *set, const double *x,
                                         double *nearest);

#endif
