// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// fem_kind.c - kinds of elements as rows: corners, sides, and the nodes in the middle of edges.
//
// Orders are those of VTK; Gmsh has the middles of T10 and H20 in another one (fem_gmsh.c).

#include "model/fem_kind.h"

#include <stddef.h>
#include <string.h>

#define TRIANGLE_SIDES                                                \
    .side = { { 0, 1, -1, -1 }, { 1, 2, -1, -1 }, { 2, 0, -1, -1 } }, \
    .next = { { 1, 2 }, { 2, 0 }, { 0, 1 } }
#define QUADRILATERAL_SIDES                                                             \
    .side = { { 0, 1, -1, -1 }, { 1, 2, -1, -1 }, { 2, 3, -1, -1 }, { 3, 0, -1, -1 } }, \
    .next = { { 1, 3 }, { 2, 0 }, { 3, 1 }, { 0, 2 } }
#define TETRAHEDRON_SIDES                                                           \
    .side = { { 0, 2, 1, -1 }, { 0, 1, 3, -1 }, { 1, 2, 3, -1 }, { 0, 3, 2, -1 } }, \
    .next = { { 1, 2, 3 }, { 0, 3, 2 }, { 0, 1, 3 }, { 0, 2, 1 } }
#define HEXAHEDRON_SIDES                                          \
    .side = { { 0, 3, 2, 1 }, { 4, 5, 6, 7 }, { 0, 1, 5, 4 },     \
              { 1, 2, 6, 5 }, { 2, 3, 7, 6 }, { 3, 0, 4, 7 } },   \
    .next = { { 1, 3, 4 }, { 2, 0, 5 }, { 3, 1, 6 }, { 0, 2, 7 }, \
              { 7, 5, 0 }, { 4, 6, 1 }, { 5, 7, 2 }, { 6, 4, 3 } }

// clang-format off
static const scree_fem_kind table[] = {
    [SCREE_T3] = { "T3", 2, 3, 3, 3, true, false, SCREE_T3, TRIANGLE_SIDES },
    [SCREE_Q4] = { "Q4", 2, 4, 4, 4, false, false, SCREE_Q4, QUADRILATERAL_SIDES },
    [SCREE_T4] = { "T4", 3, 4, 4, 4, true, false, SCREE_T4, TETRAHEDRON_SIDES },
    [SCREE_H8] = { "H8", 3, 8, 8, 6, false, false, SCREE_H8, HEXAHEDRON_SIDES },
    [SCREE_T6] = { "T6", 2, 3, 6, 3, true, true, SCREE_T3, TRIANGLE_SIDES,
                   .edge = { { 0, 1 }, { 1, 2 }, { 2, 0 } } },
    [SCREE_Q8] = { "Q8", 2, 4, 8, 4, false, true, SCREE_Q4, QUADRILATERAL_SIDES,
                   .edge = { { 0, 1 }, { 1, 2 }, { 2, 3 }, { 3, 0 } } },
    [SCREE_T10] = { "T10", 3, 4, 10, 4, true, true, SCREE_T4, TETRAHEDRON_SIDES,
                    .edge = { { 0, 1 }, { 1, 2 }, { 2, 0 }, { 0, 3 }, { 1, 3 }, { 2, 3 } } },
    [SCREE_H20] = { "H20", 3, 8, 20, 6, false, true, SCREE_H8, HEXAHEDRON_SIDES,
                    .edge = { { 0, 1 }, { 1, 2 }, { 2, 3 }, { 3, 0 }, { 4, 5 }, { 5, 6 },
                              { 6, 7 }, { 7, 4 }, { 0, 4 }, { 1, 5 }, { 2, 6 }, { 3, 7 } } },
};
// clang-format on

const scree_fem_kind *scree_fem_kind_of(scree_element kind) {
    return (size_t)kind < sizeof table / sizeof *table ? &table[kind] : NULL;
}

int scree_element_corners(scree_element kind) {
    const scree_fem_kind *row = scree_fem_kind_of(kind);
    return row ? row->corners : 0;
}

int scree_element_nodes(scree_element kind) {
    const scree_fem_kind *row = scree_fem_kind_of(kind);
    return row ? row->nodes : 0;
}

int scree_element_outline(scree_element kind, int node[SCREE_OUTLINE_NODES]) {
    const scree_fem_kind *row = scree_fem_kind_of(kind);
    if (!row || row->space != 2) return 0;
    int step = row->quadratic ? 2 : 1;
    for (int k = 0; k < row->nodes; k++) node[k] = k % step * row->corners + k / step;
    return row->nodes;
}

// the node between two corners
static int middle_of(const scree_fem_kind *kind, int a, int b) {
    for (int k = 0; k < kind->nodes - kind->corners; k++) {
        const signed char *edge = kind->edge[k];
        if ((edge[0] == a && edge[1] == b) || (edge[0] == b && edge[1] == a))
            return kind->corners + k;
    }
    return -1;
}

int scree_fem_kind_side(const scree_fem_kind *kind, int side, int node[SCREE_FEM_SIDE_NODES],
                        int *nodes) {
    int corners = 0;
    for (; corners < SCREE_FACET_CORNERS && kind->side[side][corners] >= 0; corners++)
        node[corners] = kind->side[side][corners];
    *nodes = corners;
    int edges = !kind->quadratic ? 0 : corners == 2 ? 1 : corners;
    for (int k = 0; k < edges; k++)
        node[(*nodes)++] = middle_of(kind, node[k], node[(k + 1) % corners]);
    return corners;
}

int scree_fem_kind_pieces(const scree_fem_kind *kind, int corners,
                          int piece[SCREE_FEM_PIECES][SCREE_FACET_CORNERS]) {
    static const int whole[5][SCREE_FACET_CORNERS] = {
        [2] = { 0, 1, -1, -1 }, [3] = { 0, 1, 2, -1 }, [4] = { 0, 1, 2, 3 }
    };
    static const int edges[2][SCREE_FACET_CORNERS] = { { 0, 2, -1, -1 }, { 2, 1, -1, -1 } };
    static const int triangles[4][SCREE_FACET_CORNERS] = {
        { 0, 3, 5, -1 }, { 3, 1, 4, -1 }, { 5, 4, 2, -1 }, { 3, 4, 5, -1 }
    };
    static const int round[5][SCREE_FACET_CORNERS] = {
        { 0, 4, 7, -1 }, { 4, 1, 5, -1 }, { 5, 2, 6, -1 }, { 6, 3, 7, -1 }, { 4, 5, 6, 7 }
    };
    if (!kind->quadratic) {
        memcpy(piece[0], whole[corners], sizeof *piece);
        return 1;
    }
    if (corners == 2) memcpy(piece, edges, sizeof edges);
    if (corners == 3) memcpy(piece, triangles, sizeof triangles);
    if (corners == 4) memcpy(piece, round, sizeof round);
    return corners == 2 ? 2 : corners + 1;
}
