// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// assemble.h - from active contacts to the problem s = W p + b.

#ifndef SCREE_LAW_ASSEMBLE_H
#define SCREE_LAW_ASSEMBLE_H

#include "base/arena.h"
#include "model/inertia.h"
#include "scree/problem.h"

/// Rows of H of one contact in the columns of one part.
typedef struct scree_block {
    int part;
    const double *H;  // (dimension x width of the part)
} scree_block;

enum { SCREE_BLOCKS_MAX = 2 };

typedef struct scree_jacobian_rows {
    int blocks;
    scree_block block[SCREE_BLOCKS_MAX];
} scree_jacobian_rows;

/// H rows of a planar body at a contact: normal n, tangent (-n_y, n_x), arm r from the centre of
/// mass; sign +1 for side a, -1 for side b. H: 2 x 3, or 3 x 3 with a row of zeros.
void scree_assemble_planar(const double normal[2], const double arm[2], double sign, int dimension,
                           double *H);

/// u = H x + w (dimension), x a vector of all degrees of freedom.
void scree_assemble_apply(const scree_jacobian_rows *rows, const scree_inertia *inertia,
                          int dimension, const double *x, const double *w, double *u);

/// x += H^T p.
void scree_assemble_scatter(const scree_jacobian_rows *rows, const scree_inertia *inertia,
                            int dimension, const double *p, double *x);

/// W = H Mhat^-1 H^T of the given contacts; fills row, column, diagonal, block of the problem with
/// memory from the arena. Contacts are coupled when they share a part that can move.
scree_status scree_assemble_W(const scree_jacobian_rows *rows, int contacts, int dimension,
                              const scree_inertia *inertia, scree_arena *arena,
                              scree_problem *problem, scree_error *err);

#endif
