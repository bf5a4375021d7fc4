// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// node.h - the polyhedron of a partial choice of statuses, as a dictionary of the simplex method.
//
//     basic = a other + constant,   other = 0 where the node stands
//
// All bounds are at zero, so the others always rest on theirs, and a basic variable on the wrong
// side is repaired by exchanging it: the dual simplex method without an objective.

#ifndef SCREE_SOLVE_NODE_H
#define SCREE_SOLVE_NODE_H

#include "solve/cells.h"

typedef struct scree_node {
    const scree_cells *cells;
    double *a;               // the constant last                 (rows x (unknowns + 1))
    int *basic, *other;      // variables                         (rows), (unknowns)
    scree_side *side;        // (unknowns + rows)
    unsigned char *decided;  // has the unit chosen?              (units)
} scree_node;

/// False when memory ran out.
bool scree_node_create(const scree_cells *cells, scree_arena *arena, scree_node *node);
/// The dictionary rows = B unknowns + b, with the signs common to all statuses.
void scree_node_begin(scree_node *node);
void scree_node_copy(const scree_node *from, scree_node *to);

/// Exchange the basic variable of a row with another one.
void scree_node_pivot(scree_node *node, int row, int other);

/// Step until every variable is on its side. Returns -1, or the row that proves that there is no
/// such point.
int scree_node_settle(scree_node *node);

/// The values of all variables where the node stands (unknowns + rows).
void scree_node_values(const scree_node *node, double *value);

/// Is the variable zero in all of the polyhedron? May miss some.
bool scree_node_vanishes(const scree_node *node, int variable);

/// Compute the dictionary again from the numbers of the problem, without the rounding of the way
/// here, and take variables that must be zero out of the basis. False if it is empty after all.
bool scree_node_polish(scree_node *node);

/// Coefficients below this are rounding.
double scree_node_smallest(const scree_node *node, int row);

#endif
