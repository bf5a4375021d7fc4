// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// cone.h - the cones that impulses live in, and all that solvers need to know of them.
//
//     Coulomb   |p_T| <= mu p_N                                   d = 2, 3;  mu = 0 included
//     rolling   |p_T| <= mu p_N  and  |p_R| <= mu_rolling p_N     d = 5
//     free      all of space: the rows are equations; or |p_r| <= limit row by row
//
// Elliptic cones and cohesion become these by a change of variables (solve/canonical.h).

#ifndef SCREE_LAW_CONE_H
#define SCREE_LAW_CONE_H

#include <stddef.h>

#include "scree/problem.h"

enum { SCREE_CONE_MAX = 5 };  // largest d

typedef struct scree_cone {
    int d;
    bool free;
    double mu, mu_rolling;
    const double *limit;  // of the rows of a free one (d), below 0: no such row; NULL: none
} scree_cone;

static inline scree_cone scree_cone_of(const scree_problem *problem, int contact) {
    return (scree_cone){ .d = problem->dimension,
                         .free = problem->equality && problem->equality[contact],
                         .mu = problem->mu[contact],
                         .mu_rolling = problem->mu_rolling ? problem->mu_rolling[contact] : 0,
                         .limit = problem->limit ? problem->limit +
                                                       (size_t)contact * (size_t)problem->dimension
                                                 : NULL };
}

/// Has the joint friction on the reaction of another one?
static inline bool scree_cone_bears(const scree_problem *problem, int contact) {
    return problem->bearing && problem->bearing[contact] >= 0;
}

/// The limits (d) of the rows of a joint at the impulses p of all, those of its bearing included.
void scree_cone_limits(const scree_problem *problem, int contact, const double *p, double *limit);

/// x = the nearest point of the cone to x (d components).
void scree_cone_project(const scree_cone *cone, double *x);

/// The same for the impulses of all contacts.
void scree_cone_project_all(const scree_problem *problem, double *p);

/// J (d x d) = a derivative of the projection at x: symmetric, eigenvalues within [0, 1].
void scree_cone_derivative(const scree_cone *cone, const double *x, double *J);

/// De Saxcé's shift: what has to be added to s_N to make Coulomb's law an orthogonality of cones:
/// mu |s_T| + mu_rolling |s_R|.
double scree_cone_shift(const scree_cone *cone, const double *s);

/// |x_T|
double scree_cone_tangential(const double *x, int d);

#endif
