// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// mesh_file.h - triangles from OBJ and STL files.

#ifndef SCREE_MODEL_MESH_FILE_H
#define SCREE_MODEL_MESH_FILE_H

#include "base/arena.h"
#include "scree/base.h"

/// Read a file whose name ends in .obj or .stl (text or binary). Vertices (vertices x 3) are
/// multiplied by scale; those in exactly the same place are one, those without a triangle are left
/// out. Faces of more than three corners are cut into triangles that meet in the first. Normals,
/// materials and the rest are not looked at. Errors name file and line.
scree_status scree_mesh_read(const char *path, scree_arena *arena, double scale, int *vertices,
                             double **vertex, int *triangles, int **triangle, scree_error *err);

#endif
