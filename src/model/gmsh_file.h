// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// gmsh_file.h - what stands in a Gmsh file.

#ifndef SCREE_MODEL_GMSH_FILE_H
#define SCREE_MODEL_GMSH_FILE_H

#include "base/arena.h"
#include "scree/base.h"

enum { SCREE_GMSH_NODES = 20 };  // of an element

typedef struct scree_gmsh_node {
    int64_t tag;
    double at[3];
    int line;
} scree_gmsh_node;

typedef struct scree_gmsh_element {
    int64_t tag;
    int64_t entity;    // point, curve, surface or volume of its own dimension
    int64_t physical;  // 2.2: one group, 0 for none
    int line, dimension, corners, nodes;
    int node[SCREE_GMSH_NODES];  // by their place in the list: corners, then middles of edges
} scree_gmsh_element;

typedef struct scree_gmsh_entity {  // 4.1: groups are those of the entity
    int dimension, line;
    int64_t tag;
    int first, count;  // in the list of physical groups
} scree_gmsh_entity;

typedef struct scree_gmsh_name {
    int dimension, line;
    int64_t physical;
    const char *text;
} scree_gmsh_name;

typedef struct scree_gmsh {
    int nodes, elements, entities, physicals, names;
    scree_gmsh_node *node;        // tags ascending
    scree_gmsh_element *element;  // of first and second order, in the order of the file; nodes
                                  // inside of faces and volumes are left out
    scree_gmsh_entity *entity;    // ascending by dimension and tag
    int64_t *physical;
    scree_gmsh_name *name;
} scree_gmsh;

/// Read the text of version 2.2 or 4.1. All memory is drawn from the arena. Elements that a file of
/// version 2.2 repeats because they belong to several groups are still repeated. Errors name file
/// and line.
scree_status scree_gmsh_read(const char *path, scree_arena *arena, scree_gmsh *file,
                             scree_error *err);

/// The same for text that is in memory; name is what errors call it.
scree_status scree_gmsh_parse(const char *name, const char *text, size_t length, scree_arena *arena,
                              scree_gmsh *file, scree_error *err);

#endif
