// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// faces.h - convex sets of solutions: the polyhedron of a complete choice of statuses by its
// vertices and rays, and which of them lie in others.
//
// Those that lie in no other are what is reported; none of them is a piece of a larger convex set.
// If two had the same affine hull, whatever one of them demands to be zero would be zero on both,
// and the statuses that demand the least of each unit would make a third set that contains them.

#ifndef SCREE_SOLVE_FACES_H
#define SCREE_SOLVE_FACES_H

#include "solve/node.h"

typedef struct scree_face {
    int freedom;       // dimension of the set
    int count;         // vertices and rays
    double *value;     // the variables of each, scaled     (count x (unknowns + rows))
    bool *is_ray;      // (count)
    scree_side *side;  // the set is all points with these signs    (unknowns + rows)
} scree_face;

typedef enum scree_face_result {
    SCREE_FACE_FOUND,
    SCREE_FACE_EMPTY,
    SCREE_FACE_TOO_LARGE,  // too many vertices
    SCREE_FACE_NO_MEMORY,
} scree_face_result;

enum { SCREE_FACE_GENERATORS = 4096 };  // vertices and rays of one set, also on the way to it

/// The set of a polished node; its dictionary is used up.
scree_face_result scree_face_of(scree_node *node, scree_arena *arena, scree_face *face);

/// Is inner a part of outer?
bool scree_face_contains(const scree_cells *cells, const scree_face *outer,
                         const scree_face *inner);

/// Is all of the node's polyhedron part of the face? May miss it.
bool scree_face_covers(const scree_face *face, const scree_node *node);

/// A point inside: the mean of the vertices plus all rays (unknowns + rows).
void scree_face_middle(const scree_cells *cells, const scree_face *face, double *value);

/// Does the number count as zero beside the others of a point or ray?
bool scree_face_is_zero(const scree_cells *cells, const double *value, int variable);

#endif
