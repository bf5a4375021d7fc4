// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// residual.h - the sums behind a residual, for solvers that work on an island of a problem.

#ifndef SCREE_SOLVE_RESIDUAL_H
#define SCREE_SOLVE_RESIDUAL_H

#include "base/parallel.h"
#include "scree/problem.h"

typedef struct scree_residual_sums {
    double natural;   // sum |z_i(1)|^2
    double energy;    // sum D_i |z_i(1/D_i)|^2
    double impulse;   // |p|^2
    double rounding;  // sum D_i |p_i|^2
    double speed;     // sum D_i^2 |p_i|^2
} scree_residual_sums;

typedef struct scree_residual_scales {
    double natural;  // 1 + |b|
    double energy;   // sum |b_i|^2 / D_i
    double pull;     // sum D_i c_i^2 of cohesion
} scree_residual_scales;

scree_residual_scales scree_residual_scale(const scree_problem *problem);

/// s = W p + b, on threads for large problems.
void scree_residual_velocity(const scree_problem *problem, const double *p, double *s,
                             scree_thread_pool *pool);

/// s = W p + b is given.
scree_residual_sums scree_residual_sum(const scree_problem *problem, const double *p,
                                       const double *s, scree_thread_pool *pool);

/// What one contact adds to it; of W its own block is wanted.
scree_residual_sums scree_residual_sum_of(const scree_problem *problem, const double *p,
                                          const double *s, int contact);

/// The sums at p = 0, zero being that p, unless |z(1)| is above `most`: then false, mostly after a
/// look at one contact.
bool scree_residual_at_rest(const scree_problem *problem, const double *zero, double most,
                            scree_thread_pool *pool, scree_residual_sums *sums);

static inline void scree_residual_sums_add(scree_residual_sums *to, scree_residual_sums more) {
    to->natural += more.natural;
    to->energy += more.energy;
    to->impulse += more.impulse;
    to->rounding += more.rounding;
    to->speed += more.speed;
}

scree_residual scree_residual_of(scree_residual_sums sums, scree_residual_scales scales);

/// The most that p_N s_N and p_T . s_T of the contacts asked for can add up to with what their
/// natural maps leave, work (contacts) [J]; s = W p + b is given. False when memory ran out.
bool scree_residual_works(const scree_problem *problem, const double *p, const double *s,
                          const bool *asked, double *work);

#endif
