// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// fem_kind.h - kinds of elements as rows: corners, sides, and the nodes in the middle of edges.

#ifndef SCREE_MODEL_FEM_KIND_H
#define SCREE_MODEL_FEM_KIND_H

#include "scree/fem.h"

enum {
    SCREE_FEM_SIDES = 6,
    SCREE_FEM_EDGES = 12,
    SCREE_FEM_SIDE_NODES = 8,  // at most: corners and the middles of a side's edges
    SCREE_FEM_PIECES = 5,      // flat facets that a side is cut into
};

typedef struct scree_fem_kind {
    const char *name;
    int space, corners, nodes, sides;  // nodes: corners and middles
    bool simplex, quadratic;
    scree_element corner_kind;                               // the same with its corners alone
    signed char side[SCREE_FEM_SIDES][SCREE_FACET_CORNERS];  // corners, counter-clockwise from
                                                             // outside, -1 behind the last
    signed char next[8][3];  // the corners next to each, right-handed if the element is
    signed char edge[SCREE_FEM_EDGES][2];  // between which corners node `corners + k` lies
} scree_fem_kind;

/// The row of a kind, or NULL.
const scree_fem_kind *scree_fem_kind_of(scree_element kind);

/// The nodes of a side among those of the element: corners in their order, then the middle behind
/// each of them. Returns the number of corners; all that there are in *nodes.
int scree_fem_kind_side(const scree_fem_kind *kind, int side, int node[SCREE_FEM_SIDE_NODES],
                        int *nodes);

/// A side with so many corners as flat facets, in places of the list above (-1 behind the last):
/// itself, or two edges, four triangles, or four triangles at the corners of a quadrilateral.
/// Returns how many.
int scree_fem_kind_pieces(const scree_fem_kind *kind, int corners,
                          int piece[SCREE_FEM_PIECES][SCREE_FACET_CORNERS]);

#endif
