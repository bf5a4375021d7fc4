// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// tableau.h - the polyhedron of a partial choice of statuses, as a dictionary of the simplex
// method.
//
//     basic = a other + constant,   other = 0 where the node stands
//
// All bounds are at zero, so the others always rest on theirs, and a basic variable on the wrong
// side is repaired by exchanging it: the dual simplex method without an objective.

#ifndef SCREE_SOLVE_TABLEAU_H
#define SCREE_SOLVE_TABLEAU_H

#include "solve/mode_problem.h"

typedef struct scree_tableau {
    const scree_mode_problem *modes;
    double *a;               // the constant last                 (rows x (unknowns + 1))
    int *basic, *other;      // variables                         (rows), (unknowns)
    scree_side *side;        // (unknowns + rows)
    unsigned char *decided;  // has the unit chosen?              (units)
} scree_tableau;

/// False when memory ran out.
bool scree_tableau_create(const scree_mode_problem *modes, scree_arena *arena,
                          scree_tableau *tableau);
/// The dictionary rows = B unknowns + b, with the signs common to all statuses.
void scree_tableau_begin(scree_tableau *tableau);
void scree_tableau_copy(const scree_tableau *from, scree_tableau *to);

/// Exchange the basic variable of a row with another one.
void scree_tableau_pivot(scree_tableau *tableau, int row, int other);

/// Step until every variable is on its side. Returns -1, or the row that proves that there is no
/// such point.
int scree_tableau_dual_simplex(scree_tableau *tableau);

/// The values of all variables where the node stands (unknowns + rows).
void scree_tableau_values(const scree_tableau *tableau, double *value);

/// Is the variable zero in all of the polyhedron? May miss some.
bool scree_tableau_vanishes(const scree_tableau *tableau, int variable);

/// Compute the dictionary again from the numbers of the problem, without the rounding of the way
/// here, and take variables that must be zero out of the basis. False if it is empty after all.
bool scree_tableau_refactor(scree_tableau *tableau);

/// Coefficients below this are rounding.
double scree_tableau_smallest(const scree_tableau *tableau, int row);

#endif
