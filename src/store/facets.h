// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// facets.h - shapes as polygons for drawing, in the frame of their body.

#ifndef SCREE_STORE_FACETS_H
#define SCREE_STORE_FACETS_H

#include "base/arena.h"
#include "scree/model.h"

typedef struct scree_facets {
    int points;
    double *point;  // (points x 3)
    int polygons;
    int *first;   // (polygons + 1)
    int *corner;  // counter-clockwise seen from outside
    bool line;    // a chain: the one polygon is a line that is not filled
} scree_facets;

/// What a plane or half-plane is cut to: a square (a strip) as wide as a ball, in the frame of the
/// body.
typedef struct scree_facets_view {
    double centre[3], radius;
} scree_facets_view;

/// Is the shape a ball, to be drawn as a point with a radius?
bool scree_facets_ball(scree_shape_kind kind);

/// Polygons of a shape of a finished model that is no ball. Round ones become a number of facets
/// with corners on the surface. Memory from the arena.
scree_status scree_facets_make(const scree_model *model, int shape, const scree_facets_view *view,
                               scree_arena *arena, scree_facets *facets, scree_error *err);

#endif
