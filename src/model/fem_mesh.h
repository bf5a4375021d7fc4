// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// fem_mesh.h - meshes from arrays whose elements and nodes have names of their own.

#ifndef SCREE_MODEL_FEM_MESH_H
#define SCREE_MODEL_FEM_MESH_H

#include "scree/fem.h"

enum { SCREE_MESH_MOST = 10000000 };  // nodes, elements and facets of groups of a mesh

/// What complaints call things, and where they are written. Arrays are NULL where they do not
/// apply: things are then called by their number from 0, and have no place.
typedef struct scree_mesh_labels {
    const char *path;
    const int64_t *element;       // (elements)
    const int *line;              // of each element
    const int64_t *node;          // (nodes)
    const int *surface;           // which surface each element belongs to, from 0 (elements)
    int surfaces;                 // 0: all elements belong to one
    const int *const *part_line;  // lines of what each part lists (parts)
} scree_mesh_labels;

/// Like scree_mesh_make.
scree_status scree_mesh_build(int space, int nodes, const double *node, int elements,
                              const scree_element *kind, const int *corner, int parts,
                              const scree_mesh_part *part, const scree_mesh_labels *labels,
                              scree_mesh **mesh, scree_error *err);

#endif
