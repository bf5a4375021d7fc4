// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// cone.h - Coulomb's cone K: |p_T| <= mu p_N, in 2D and 3D, mu = 0 included.

#ifndef SCREE_LAW_CONE_H
#define SCREE_LAW_CONE_H

/// x = the nearest point of K to x (d components).
void scree_cone_project(double *x, int d, double mu);

/// |x_T|
double scree_cone_tangential(const double *x, int d);

#endif
