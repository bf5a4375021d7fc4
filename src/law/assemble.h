// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// assemble.h - from active contacts to the problem s = W p + b.

#ifndef SCREE_LAW_ASSEMBLE_H
#define SCREE_LAW_ASSEMBLE_H

#include "base/arena.h"
#include "model/inertia.h"
#include "scree/problem.h"

/// Rows of H of one contact in the columns of one part, or in those columns of an elastic part that
/// are not zero.
typedef struct scree_block {
    int part;
    const double *H;    // (dimension x width of the part, or x columns)
    int columns;        // of an elastic part
    const int *column;  // which they are, as flexibility.h numbers them (columns)
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

/// The same in space, with the spin in world axes: H is 3 x 6, or 5 x 6 with the rows of rolling.
void scree_assemble_spatial(const double normal[3], const double tangent[3], const double arm[3],
                            double sign, int dimension, double *H);

/// W = H Mhat^-1 H^T of the given contacts; fills row, column, diagonal, block of the problem with
/// memory from the arena. Contacts are coupled when they share a part that can move.
scree_status scree_assemble_W(const scree_jacobian_rows *rows, int contacts, int dimension,
                              const scree_inertia *inertia, scree_arena *arena,
                              scree_problem *problem, scree_error *err);

#endif
