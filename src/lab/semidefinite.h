// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// semidefinite.h - a stiffness that does not hold everything: what closed contacts hold besides.
//
// With z . K z = 0 for some z, K U = F + H^T r does not tell U along z. Where contacts are closed,
// n U + g = 0, nothing changes if a spring of any stiffness s pulls each of their gaps to zero:
//
//     (K + s sum n^T n) U = F - s sum g n^T + H^T r
//
// which tells U if the closed contacts hold all of these z.

#ifndef SCREE_LAB_SEMIDEFINITE_H
#define SCREE_LAB_SEMIDEFINITE_H

#include "scree/equilibria.h"

/// A basis of {z : K z = 0} into z, vector after vector (n x n); the number of vectors, -1 if K has
/// a negative direction, -2 without memory.
int scree_semidefinite_null(const double *K, int n, double *z);

/// K and F with springs at the contacts of the set (bits), and with springs along their tangents,
/// too, where there is friction, if that is wanted. (n x n), (n)
void scree_semidefinite_stiffen(const scree_equilibrium_system *system, uint64_t closed,
                                bool tangents, double *K, double *F);

#endif
