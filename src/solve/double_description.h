// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// double_description.h - convex sets of solutions: the polyhedron of a complete choice of statuses
// by its vertices and rays, and which of them lie in others.
//
// Those that lie in no other are what is reported; none of them is a piece of a larger convex set.
// If two had the same affine hull, whatever one of them demands to be zero would be zero on both,
// and the statuses that demand the least of each unit would make a third set that contains them.

#ifndef SCREE_SOLVE_DOUBLE_DESCRIPTION_H
#define SCREE_SOLVE_DOUBLE_DESCRIPTION_H

#include "solve/tableau.h"

typedef struct scree_polyhedron {
    int freedom;       // dimension of the set
    int count;         // vertices and rays
    double *value;     // the variables of each, scaled     (count x (unknowns + rows))
    bool *is_ray;      // (count)
    scree_side *side;  // the set is all points with these signs    (unknowns + rows)
} scree_polyhedron;

typedef enum scree_polyhedron_result {
    SCREE_POLYHEDRON_FOUND,
    SCREE_POLYHEDRON_EMPTY,
    SCREE_POLYHEDRON_TOO_LARGE,  // too many vertices
    SCREE_POLYHEDRON_NO_MEMORY,
} scree_polyhedron_result;

enum { SCREE_POLYHEDRON_GENERATORS = 4096 };  // vertices and rays of one set, also on the way to it

/// The set of a polished node; its dictionary is used up.
scree_polyhedron_result scree_polyhedron_of(scree_tableau *tableau, scree_arena *arena,
                                            scree_polyhedron *polyhedron);

/// Is inner a part of outer?
bool scree_polyhedron_contains(const scree_mode_problem *modes, const scree_polyhedron *outer,
                               const scree_polyhedron *inner);

/// Is all of the node's polyhedron part of the face? May miss it.
bool scree_polyhedron_covers(const scree_polyhedron *polyhedron, const scree_tableau *tableau);

/// A point inside: the mean of the vertices plus all rays (unknowns + rows).
void scree_polyhedron_middle(const scree_mode_problem *modes, const scree_polyhedron *polyhedron,
                             double *value);

/// Does the number count as zero beside the others of a point or ray?
bool scree_polyhedron_is_zero(const scree_mode_problem *modes, const double *value, int variable);

#endif
