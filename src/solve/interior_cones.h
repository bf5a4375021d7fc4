// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// interior_cones.h - the cones of all contacts seen from inside, for interior points.
//
// A piece is a Lorentz cone, x = (mu r_N, r_T) against y = (s^_N / mu, s^_T): one for Coulomb's
// law, two that share r_N for rolling, a half line without friction. A joint has none; its rows are
// held by a large weight. Each contact answers dr = c - D ds^.

#ifndef SCREE_SOLVE_INTERIOR_CONES_H
#define SCREE_SOLVE_INTERIOR_CONES_H

#include "base/arena.h"
#include "scree/problem.h"
#include "solve/lorentz.h"

typedef struct scree_interior_piece {
    scree_lorentz cone;  // x and y
    int first;           // of its tangential components in the contact
    double mu;           // 1 for a half line
} scree_interior_piece;

typedef struct scree_interior_cones {
    const scree_problem *problem;
    int nc, d, cones;
    scree_interior_piece *piece;  // two for each contact, not all in use
    int *pieces;                  // of each contact (nc)
    double *D;                    // trace(W_ii) / d (nc)
    double *weight;               // D of the contacts (nc x d x d)
} scree_interior_cones;

/// The pieces of a canonical problem; false without memory.
bool scree_interior_cones_make(scree_interior_cones *all, const scree_problem *problem,
                               scree_arena *arena);

/// r and all x, y so that every contact bears the same energy.
void scree_interior_cones_place(scree_interior_cones *all, double energy, double *r);

/// x from r and y from s^, both inside the cones.
void scree_interior_cones_begin(scree_interior_cones *all, const double *r, const double *s);

/// Scalings and weights at x, y; false if one of them has left its cone.
bool scree_interior_cones_weigh(scree_interior_cones *all);

/// miss -= s^, in the rows that have one; others become 0.
void scree_interior_cones_subtract(const scree_interior_cones *all, double *miss);

/// Right sides c of the pieces: of the step to x = 0; of the step to x o y = target e that
/// anticipates the product of the step at hand, or does not.
void scree_interior_cones_predict(scree_interior_cones *all);
void scree_interior_cones_correct(scree_interior_cones *all, double target);
void scree_interior_cones_forget(scree_interior_cones *all);

/// g = c - D miss
void scree_interior_cones_gather(const scree_interior_cones *all, const double *miss, double *g);

/// Steps of the pieces from dr and ds^ of the contacts, and the largest part of them that stays
/// inside; mean of x . y after a part of them.
void scree_interior_cones_spread(scree_interior_cones *all, const double *dr, const double *ds);
double scree_interior_cones_step(const scree_interior_cones *all);
double scree_interior_cones_mean(const scree_interior_cones *all, double length);

/// x from r as it is now, y by this part of the step.
void scree_interior_cones_take(scree_interior_cones *all, double length, const double *r);

#endif
