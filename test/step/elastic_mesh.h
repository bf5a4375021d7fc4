// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// elastic_mesh.h - grids for the tests of elastic bodies: nodes moved, numbered anew.

#ifndef SCREE_TEST_STEP_ELASTIC_MESH_H
#define SCREE_TEST_STEP_ELASTIC_MESH_H

#include <stdlib.h>

#include "harness.h"
#include "random.h"
#include "scree/fem.h"

static inline bool is_spatial(scree_element kind) { return kind == SCREE_T4 || kind == SCREE_H8; }

/// A rectangle or a box; in the plane two numbers of each are read.
static inline scree_mesh *grid_mesh(scree_element kind, const double *low, const double *size,
                                    const int *cells) {
    scree_error err = { 0 };
    scree_mesh *mesh = NULL;
    double at[3] = { 0 }, wide[3] = { 0 };
    int number[3] = { 0 };
    for (int k = 0; k < (is_spatial(kind) ? 3 : 2); k++) {
        at[k] = low[k];
        wide[k] = size[k];
        number[k] = cells[k];
    }
    scree_status status =
        is_spatial(kind)
            ? scree_mesh_box(at, wide, number, kind, &mesh, &err)
            : scree_mesh_rectangle(at, wide, number, kind, SCREE_DIAGONAL_ALTERNATE, &mesh, &err);
    if (status) COMPLAIN("no grid: %s", err.text);
    return mesh;
}

// a group of the mesh with the new numbers of its nodes, or their list where there are no facets
static inline scree_mesh_part part_of(const scree_mesh *from, const scree_mesh_group *group,
                                      const int *order) {
    int numbers = group->facets ? SCREE_FACET_CORNERS * group->facets : group->nodes;
    int *node = malloc(sizeof *node * (size_t)(numbers + 1));
    for (int i = 0; i < numbers; i++) {
        int old = group->facets ? from->facet[SCREE_FACET_CORNERS * group->facet[i / 4] + i % 4]
                                : group->node[i];
        node[i] = old < 0 ? -1 : order ? order[old] : old;
    }
    return (scree_mesh_part){ group->name, group->nodes, node, group->facets };
}

/// The mesh with its nodes at other places (nodes x space, in the old numbers). Node i gets the
/// number order[i], element turn[k] comes as number k; NULL leaves them as they are.
static inline scree_mesh *remake(const scree_mesh *from, const double *node, const int *order,
                                 const int *turn) {
    int space = from->space, parts = from->groups - 1, at = 0;  // the last one is the boundary
    double *moved = malloc(sizeof *moved * (size_t)(from->nodes * space));
    int *corner = malloc(sizeof *corner * (size_t)from->first[from->elements]);
    scree_element *kind = malloc(sizeof *kind * (size_t)from->elements);
    scree_mesh_part *part = calloc((size_t)from->groups, sizeof *part);
    for (int i = 0; i < from->nodes * space; i++)
        moved[(order ? order[i / space] : i / space) * space + i % space] = node[i];
    for (int k = 0; k < from->elements; k++) {
        int e = turn ? turn[k] : k;
        kind[k] = from->kind[e];
        for (int c = from->first[e]; c < from->first[e + 1]; c++)
            corner[at++] = order ? order[from->corner[c]] : from->corner[c];
    }
    for (int g = 0; g < parts; g++) part[g] = part_of(from, &from->group[g], order);
    scree_error err = { 0 };
    scree_mesh *mesh = NULL;
    if (scree_mesh_make(space, from->nodes, moved, from->elements, kind, corner, parts, part, &mesh,
                        &err))
        COMPLAIN("no mesh: %s", err.text);
    for (int g = 0; g < parts; g++) free((void *)part[g].node);
    free(part);
    free(kind);
    free(corner);
    free(moved);
    return mesh;
}

/// 0 ... count - 1 in random order.
static inline int *shuffled(int count) {
    int *list = malloc(sizeof *list * (size_t)(count + 1));
    for (int i = 0; i < count; i++) {
        int j = random_int(0, i);
        list[i] = list[j];
        list[j] = i;
    }
    return list;
}

/// Inner nodes of a grid are moved by up to amount. The grid is freed.
static inline scree_mesh *shaken(scree_mesh *grid, double amount) {
    int space = grid->space, boundary = scree_mesh_find(grid, "boundary");
    double *node = malloc(sizeof *node * (size_t)(grid->nodes * space));
    unsigned char *outside = calloc((size_t)grid->nodes, 1);
    for (int i = 0; i < grid->group[boundary].nodes; i++)
        outside[grid->group[boundary].node[i]] = 1;
    for (int i = 0; i < grid->nodes * space; i++)
        node[i] = grid->node[i] + (outside[i / space] ? 0 : amount * uniform(-1, 1));
    scree_mesh *mesh = remake(grid, node, NULL, NULL);
    free(outside);
    free(node);
    scree_mesh_free(grid);
    return mesh;
}

#endif
