// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// surface.h - pieces in a row: who is whose neighbour, and where is the front?

#ifndef SCREE_MODEL_SURFACE_H
#define SCREE_MODEL_SURFACE_H

#include "model/collision_shape.h"

/// Segments from vertex to vertex (vertices x 3, the third 0); closed if the last vertex is the
/// first once more, which then is left out: *vertices is how many there are afterwards.
scree_status scree_surface_chain(int *vertices, const double *vertex, double extent,
                                 scree_arena *arena, scree_surface *surface, scree_error *err);

/// Triangles (triangles x 3) of vertices (vertices x 3). Costs n log n. Refuses triangles without
/// area, edges of more than two triangles, and neighbours that face opposite ways.
scree_status scree_surface_mesh(int vertices, const double *vertex, int triangles,
                                const int *triangle, double extent, scree_arena *arena,
                                scree_surface *surface, scree_error *err);

/// What the triangles of a solid enclose, negative if their fronts look inwards; 0 if there is a
/// hole, or no triangle.
double scree_surface_volume(const scree_collision_shape *solid);

/// The two triangles of each cell of a grid of rows x columns vertices, row after row, seen
/// counter-clockwise from above (2 (rows - 1) (columns - 1) x 3). NULL without memory.
int *scree_surface_grid(int rows, int columns, scree_arena *arena);

#endif
