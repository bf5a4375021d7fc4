// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// bodies.h - W = H A H^T by bodies: rows of H, A x, products.

#ifndef SCREE_LAW_BODIES_H
#define SCREE_LAW_BODIES_H

#include "base/arena.h"
#include "scree/problem.h"

enum {
    SCREE_ROWS_MOST = 5,
    SCREE_RIGID_WIDTH_MOST = 6
};  // largest d, degrees of freedom of a body

/// H rows of a planar body at a contact: normal n, tangent (-n_y, n_x), arm r from the centre of
/// mass; sign +1 for side a, -1 for side b. H: 2 x 3, or 3 x 3 with a row of zeros.
void scree_bodies_planar(const double normal[2], const double arm[2], double sign, int dimension,
                         double *H);

/// The same in space, with the spin in world axes: H is 3 x 6, or 5 x 6 with the rows of rolling.
void scree_bodies_spatial(const double normal[3], const double tangent[3], const double arm[3],
                          double sign, int dimension, double *H);

/// Room for the two blocks of H of a contact that is given by its frame.
typedef struct scree_frame_rows {
    scree_jacobian_block block[2];
    double H[2][SCREE_ROWS_MOST * SCREE_RIGID_WIDTH_MOST];
} scree_frame_rows;

/// The blocks of H of contact i, with or without those of bodies that keep their velocity, and how
/// many there are; *block may point to room.
int scree_bodies_rows(const scree_problem *problem, int i, scree_frame_rows *room,
                      const scree_jacobian_block **block);

/// Is the part moved by impulses?
bool scree_bodies_moves(const scree_bodies *bodies, int part);

static inline int scree_bodies_width(const scree_bodies *bodies, int part) {
    return part < bodies->rigid ? bodies->width : bodies->part[part - bodies->rigid].width;
}

static inline int scree_bodies_dof(const scree_bodies *bodies, int part) {
    return part < bodies->rigid ? part * bodies->width : bodies->part[part - bodies->rigid].dof;
}

/// How many degrees of freedom there are.
int scree_bodies_dofs(const scree_bodies *bodies);

/// Y (d x width of the part) = A H^T of one block, transposed; not for parts that have columns.
void scree_bodies_spread(const scree_bodies *bodies, const scree_jacobian_block *block,
                         int dimension, double *Y);

/// W (d x d) += H_i A H_j^T for blocks of the same part. Y: scree_bodies_spread of j; of parts that
/// have columns, those of i are there.
void scree_bodies_couple(const scree_bodies *bodies, const scree_jacobian_block *i,
                         const scree_jacobian_block *j, const double *Y, int dimension, double *W);

/// Let the columns of A be there that these blocks of one part need (count); parts without columns
/// need none.
scree_status scree_bodies_require(const scree_bodies *bodies,
                                  const scree_jacobian_block *const *block, int count,
                                  scree_arena *arena, scree_error *err);

/// s = W p + b; scratch from the arena. False without memory.
bool scree_bodies_velocity(const scree_problem *problem, const double *p, double *s,
                           scree_arena *arena);

/// The first contact at which b is not H v_free + w, or -1; of very many contacts some are looked
/// at.
int scree_bodies_misfit(const scree_problem *problem);

/// Do impulses p cancel each other on every part that moves, to a thousandth of their sizes there?
/// W p = 0 does not tell where masses are very different. balanced: the answer. False without
/// memory.
bool scree_bodies_balance(const scree_problem *problem, const double *p, bool *balanced,
                          scree_arena *arena);

/// W_ii of all contacts (nc x d x d), or of those that are asked for (asked: nc, NULL: all), one
/// after another; scratch from the arena. False without memory.
bool scree_bodies_diagonal(const scree_problem *problem, const bool *asked, double *W,
                           scree_arena *arena);

#endif
