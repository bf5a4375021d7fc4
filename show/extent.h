// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// extent.h - how much of a scene is worth seeing: one rule for pictures, films and pages.

#ifndef SCREE_SHOW_EXTENT_H
#define SCREE_SHOW_EXTENT_H

#include "scree/fem.h"
#include "scree/geometry.h"
#include "show/frame.h"
#include "show/raster.h"

typedef struct show_extent {  // a box by the camera; begin with show_extent_empty
    double low[3], high[3];   // along right, up and eye
} show_extent;

typedef struct show_sight {  // who looks at what; all borrowed
    const scree_model *model;
    const scree_geometry *geometry;
    show_camera camera;
    int axes;  // of the box that count: 2 in a picture, 3 where the eye will go round
} show_sight;

show_extent show_extent_empty(void);
bool show_extent_is_empty(const show_extent *box);

/// Where the eye is by itself: against the axis that gravity has most of is up.
show_camera show_extent_camera(const scree_model *model, double azimuth, double elevation);

/// Add what moves, but for bodies that are far away from most, which are counted; elastic bodies;
/// anchors of joints.
scree_status show_extent_moving(const show_sight *sight, const show_frame *frame, show_extent *box,
                                int *outside, scree_error *err);

/// Add fixed and driven bodies as far as they are near to what moves, and the ground below.
void show_extent_obstacles(const show_sight *sight, const show_frame *frame,
                           const show_extent *moving, show_extent *box);

/// Where a node of an elastic body is.
void show_extent_node(const scree_model *model, const double *q, const scree_elastic_body *body,
                      int node, double x[3]);

#endif
