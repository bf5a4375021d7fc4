// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// inertia.h - Mhat = M + h theta C + h^2 theta^2 K and its inverse, part by part.
//
// A part is a range of degrees of freedom that Mhat does not couple with the others: one planar
// body, or the matrix system.

#ifndef SCREE_MODEL_INERTIA_H
#define SCREE_MODEL_INERTIA_H

#include "base/arena.h"
#include "scree/model.h"

typedef struct scree_part {
    int dof, width;         // first degree of freedom, how many
    const double *inverse;  // 1 / diagonal of Mhat (width), or NULL
    const double *factor;   // L of Mhat = L L^T (width x width), or NULL
} scree_part;

typedef struct scree_inertia {
    int parts;         // bodies in their order, fixed ones included with inverse 0; then the system
    scree_part *part;  // (parts)
} scree_inertia;

/// Factor Mhat for the step h. All memory is drawn from the arena.
scree_status scree_inertia_make(const scree_model *model, double h, double theta,
                                scree_arena *arena, scree_inertia *inertia, scree_error *err);

/// x = Mhat^-1 x for one part; x points to the part's own width numbers.
void scree_inertia_solve(const scree_part *part, double *x);

/// y = M x for the whole model (dofs); fixed bodies count as massless.
void scree_inertia_mass(const scree_model *model, const double *x, double *y);

/// Applied loads F(t) without gravity (dofs).
void scree_inertia_load(const scree_model *model, double t, double *load);

#endif
