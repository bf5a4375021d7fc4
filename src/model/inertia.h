// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// inertia.h - Mhat = M + h theta C + h^2 theta^2 K and its inverse, part by part.
//
// A part is a range of degrees of freedom that Mhat does not couple with the others: one body,
// rigid or elastic, or the matrix system.

#ifndef SCREE_MODEL_INERTIA_H
#define SCREE_MODEL_INERTIA_H

#include "base/arena.h"
#include "model/flexibility.h"
#include "scree/model.h"

typedef struct scree_part {
    int dof, width;   // first degree of freedom, how many
    double *inverse;  // of a body: 1/mass, then 1/inertia, or the inverse of the tensor in world
                      // axes (2 or 7 numbers), all 0 if nothing moves it; otherwise NULL
    const double *factor;      // L of Mhat = L L^T (width x width), or NULL
    const double *factor_end;  // A is the mean of the inverses by both factors; NULL: there is one
    scree_flexibility *flexible;  // of an elastic body, otherwise NULL
} scree_part;

/// Is the body moved by forces and impulses?
static inline bool scree_body_moves(const scree_body *body) {
    return !body->fixed && !body->driven;
}

/// Is a body in space as easy to turn about every axis?
static inline bool scree_body_isotropic(const scree_body *body) {
    const double *J = body->tensor;
    return J[0] == J[3] && J[0] == J[5] && J[1] == 0 && J[2] == 0 && J[4] == 0;
}

/// Is the body there during a step from time t on?
static inline bool scree_present_within(double birth, double removal, double t) {
    return t >= birth && (removal == 0 || t < removal);
}

static inline bool scree_body_present(const scree_body *body, double t) {
    return scree_present_within(body->birth_time, body->removal_time, t);
}

typedef struct scree_inertia {
    int parts;         // row by row (part.h): bodies, fixed ones included with inverse 0, the
                       // system, elastic bodies
    scree_part *part;  // (parts)
} scree_inertia;

/// Factor Mhat for the step h. Memory is drawn from the arena, but for elastic bodies.
scree_status scree_inertia_make(const scree_model *model, double h, double theta, double alpha,
                                scree_arena *arena, scree_inertia *inertia, scree_error *err);

void scree_inertia_free(scree_inertia *inertia);

/// x = Mhat^-1 x for one part; x points to the part's own width numbers.
void scree_inertia_solve(const scree_part *part, double *x);

/// Applied loads F(t) without gravity (dofs).
void scree_inertia_load(const scree_model *model, double t, double *load);

#endif
