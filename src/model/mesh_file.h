// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// mesh_file.h - triangles from OBJ and STL files.

#ifndef SCREE_MODEL_MESH_FILE_H
#define SCREE_MODEL_MESH_FILE_H

#include "base/arena.h"
#include "scree/base.h"

/// Does the name end in .obj or .stl?
bool scree_mesh_named(const char *path);

/// Read a file whose name ends in .obj or .stl (text or binary). Vertices (vertices x 3) are
/// multiplied by scale; those in exactly the same place are one, those without a triangle are left
/// out. Faces of more than three corners are cut into triangles that meet in the first. Normals,
/// materials and the rest are not looked at. Errors name file and line.
scree_status scree_mesh_read(const char *path, scree_arena *arena, double scale, int *vertices,
                             double **vertex, int *triangles, int **triangle, scree_error *err);

/// The same of the bytes of such a file (NULL: of the file).
scree_status scree_mesh_parse(const char *path, const char *text, size_t length, scree_arena *arena,
                              double scale, int *vertices, double **vertex, int *triangles,
                              int **triangle, scree_error *err);

#endif
