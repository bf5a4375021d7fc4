// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// equilibrium_joints.h - joints and springs of bodies in the plane, as equilibria see them.
//
// Equations of joints transmit what they like: F + H^T r is at rest if G^T lambda balances it, that
// is if nothing of it is left across the rows of G. With orthonormal rows Q of the same space,
//
//     (1 - Q^T Q)(F + H^T r) = 0
//
// has the equations of bodies without joints. Springs are loads where they are.

#ifndef SCREE_LAB_EQUILIBRIUM_JOINTS_H
#define SCREE_LAB_EQUILIBRIUM_JOINTS_H

#include "base/arena.h"
#include "scree/step.h"

/// Joints whose forces at rest are not known: with friction, clearance, motors but of a force.
scree_status scree_equilibrium_joints_check(const scree_model *model, scree_error *err);

/// Forces of springs, and of motors of a force, added to the load (n); first: of each body its
/// first coordinate, or -1. Returns the largest of them.
double scree_equilibrium_joints_load(const scree_model *model, const double *q, const int *first,
                                     double *load);

/// Q (equations x n), in the arena; false without memory.
bool scree_equilibrium_joints_equations(const scree_model *model, const double *q, const int *first,
                                        int n, scree_arena *arena, double **Q, int *equations);

/// Is it a contact of a joint, and a limit or a rope among those?
bool scree_equilibrium_joints_limits(const scree_model *model, const scree_contact *contact);

/// The row of a limit or a rope.
void scree_equilibrium_joints_row(const scree_model *model, const scree_contact *contact,
                                  const double *q, const int *first, double *row);

/// x = (1 - Q^T Q) x, with what is rounding set to 0: x is a sum of numbers up to this size.
void scree_equilibrium_joints_project(const double *Q, int equations, int n, double size,
                                      double *x);

#endif
