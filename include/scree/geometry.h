// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// geometry.h - a model as balls, lines and polygons: what a picture needs, whoever draws it.
//
// Shapes are given in the frame of their body; a body is at x = at + turn X.

#ifndef SCREE_GEOMETRY_H
#define SCREE_GEOMETRY_H

#include "scree/model.h"

#ifdef __cplusplus
extern "C" {
#endif

/// One shape. Round ones that are no balls have a number of facets with corners on the surface.
typedef struct scree_outline {
    int body;
    bool ball;     // point, disc or sphere: centre and radius, no polygons
    bool line;     // a chain: its one polygon is a line that is not filled
    bool endless;  // a plane or half-plane, cut to the view
    double centre[3], radius;
    int points;
    const double *point;  // (points x 3)
    int polygons;
    const int *first;   // (polygons + 1)
    const int *corner;  // counter-clockwise seen from outside
} scree_outline;

typedef struct scree_geometry {  // read every field; change none
    int outlines;
    const scree_outline *outline;  // by shape of the model
    struct scree_geometry_memory *memory;
} scree_geometry;

/// Where a body is: x = at + turn X, and the same turn as a quaternion w x y z.
typedef struct scree_placement {
    double at[3];
    double turn[9];  // row after row
    double quaternion[4];
} scree_placement;

/// A ball around what is to be seen; planes and half-planes, which have no end, are cut to it.
typedef struct scree_view {
    double centre[3], radius;
} scree_view;

/// The surfaces of all bodies at q as polygons of points, lines and triangles.
SCREE_API scree_status scree_geometry_new(const scree_model *model, const double *q,
                                          const scree_view *view, scree_geometry **geometry,
                                          scree_error *err);

/// Free it, with all that it owns.
SCREE_API void scree_geometry_free(scree_geometry *geometry);

/// The body at coordinates q of the whole model; a quaternion that is not quite of unit length
/// (stored in four bytes) is made so.
SCREE_API void scree_geometry_place(const scree_model *model, int body, const double *q,
                                    scree_placement *placement);

/// x = at + turn X.
SCREE_API void scree_placement_apply(const scree_placement *placement, const double X[3],
                                     double x[3]);

/// Is the body there at time t?
SCREE_API bool scree_geometry_present(const scree_model *model, int body, double t);

/// Enlarge the box by a shape that is there and has an end; false if it is not or has none.
SCREE_API bool scree_geometry_surround(const scree_model *model, int shape, const double *q,
                                       double t, double low[3], double high[3]);

/// The ball around a box; radius 1 about the origin if the box is empty.
SCREE_API scree_view scree_view_of_box(int space, const double low[3], const double high[3]);

#ifdef __cplusplus
}
#endif

#endif
