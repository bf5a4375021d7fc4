// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// hull.h - the convex hull of points in space, with flat faces; the one file that knows qhull is
// behind it.

#ifndef SCREE_MODEL_HULL_H
#define SCREE_MODEL_HULL_H

#include "base/arena.h"
#include "scree/base.h"

#define SCREE_HULL_FLAT 1e-10  // of the extent: what is nearer than this is in one place or plane

typedef struct scree_hull {
    int corners;
    int *corner;  // numbers of the points that are corners, ascending
    int faces;
    int *face_first;      // (faces + 1)
    int *face_corner;     // places in corner, counter-clockwise seen from outside, lowest first
    double *face_normal;  // unit, outwards (faces x 3)
    int edges;
    int *
        edge;  // corners v < w, the face that has w after v, the face that has v after w; ascending
} scree_hull;

/// Points (points x 3), finite, of an extent > 0. Facets in one plane are one face, points in the
/// middle of faces and edges are no corners. The same points give the same hull: nothing is
/// perturbed. Memory from the arena. Costs n log n, and m^2 for a face of m corners.
scree_status scree_hull_find(int points, const double *point, double extent, scree_arena *arena,
                             scree_hull *hull, scree_error *err);

#endif
