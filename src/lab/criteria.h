// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// criteria.h - stable or unstable without integrating: the static and the kinetic criterion of
// matrix systems. docs/equilibria.md has the proofs.

#ifndef SCREE_LAB_CRITERIA_H
#define SCREE_LAB_CRITERIA_H

#include "scree/equilibria.h"

typedef struct scree_static scree_static;
typedef struct scree_kinetic scree_kinetic;

/// What M^-1, C and K couple to the normals. The system is borrowed; free also after a failure.
scree_status scree_static_new(const scree_model *model, const scree_equilibrium_system *system,
                              double tolerance, scree_static **made, scree_error *err);
void scree_static_free(scree_static *made);

/// Static criterion: true if the piece is stable, with the ground written. The caller answers for
/// e = 0 and damping that is not negative.
bool scree_static_judge(scree_static *made, scree_equilibrium *piece);

/// What is common to all pieces: matrices without dimensions.
scree_status scree_kinetic_new(const scree_model *model, const scree_equilibrium_system *system,
                               scree_kinetic **kinetic, scree_error *err);
void scree_kinetic_free(scree_kinetic *kinetic);

/// Kinetic criterion: true if the piece is unstable, with ground, rate and direction written;
/// otherwise `untried` (80) says why nothing was tried, or is empty.
scree_status scree_kinetic_judge(scree_kinetic *kinetic, scree_equilibria *set,
                                 scree_equilibrium *piece, bool *unstable, char *untried,
                                 scree_error *err);

#endif
