// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// polyhedron.h - are triangles the boundary of a convex body?

#ifndef SCREE_MODEL_POLYHEDRON_H
#define SCREE_MODEL_POLYHEDRON_H

#include "model/hull.h"

/// Refuses triangles of these vertices (vertices x 3) that do not cover the hull: one lies inside
/// it, or there are too few. Files in single precision are taken for what they were meant to be:
/// depth counts from 1e-6 of the extent on.
scree_status scree_polyhedron_check(const scree_hull *hull, int vertices, const double *vertex,
                                    int triangles, const int *triangle, double extent,
                                    scree_error *err);

#endif
