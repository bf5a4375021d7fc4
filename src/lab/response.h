// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// response.h - gaps, or the balance of forces, as rows over the generators of the cones.
//
//     r_i = alpha_i (1, mu_i) + beta_i (1, -mu_i),   alpha, beta >= 0
//     elastic:  gap = n K^-1 (F t + H^T r) + g t          a row for each contact
//     rigid:    0 = F t + H^T r                           a row for each coordinate
//
// over (t, alpha_1, beta_1, alpha_2, ...). An entry below the tolerance beside the terms that it is
// the sum of is zero: that is where mu = a / |b| and a gap that is just closed are decided.

#ifndef SCREE_LAB_RESPONSE_H
#define SCREE_LAB_RESPONSE_H

#include "lab/generators.h"
#include "scree/equilibria.h"

enum { SCREE_EQUILIBRIUM_COORDINATES = 500 };

typedef struct scree_response {
    const scree_equilibrium_system *system;
    int size, rows;     // columns of a row: 1 + 2 contacts
    long double *row;   // (rows x size)
    long double *u;     // elastic: U = u_0 t + sum u_k r_k, r = all r_N, r_T ((1 + 2 nc) x n)
    double tolerance;   // raised where K is ill-conditioned
    uint64_t variable;  // bits of the variables that there are: no beta where mu = 0
} scree_response;

/// Begin with a zeroed struct; free it whatever happens.
scree_status scree_response_find(const scree_equilibrium_system *system, double tolerance,
                                 scree_response *response, scree_error *err);
void scree_response_free(scree_response *response);

/// r_N and r_T of a generator (2 contacts).
void scree_response_reaction(const scree_response *response, const scree_cone_generator *g,
                             double *r);

/// U of a vertex, its direction for a ray (coordinates).
void scree_response_displacement(const scree_response *response, const scree_cone_generator *g,
                                 double *u);

static inline int scree_response_alpha(int contact) { return 1 + 2 * contact; }
static inline int scree_response_beta(int contact) { return 2 + 2 * contact; }

#endif
