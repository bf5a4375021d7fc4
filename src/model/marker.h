// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// marker.h - markers: frames on parts that are no rigid bodies, with their mean Jacobian over a
// step.
//
// A marker has a place and a turn as a body has them (a pose: 3 numbers in the plane, 7 in space),
// functions of the coordinates of its part. Over a step from q to q' it has a J with
//
//     place' - place = h J_place v_theta,    turn from one end to the other = h J_turn v_theta
//
// exactly, so that the rows of joints (joint.h), which are written for velocity and spin of a
// frame, hold on any part.
//
//     patch       place = mean of its nodes, small rotation c = the mean one, both weighted by
//     area;
//                 in space turned by Cayley's map of c, whose spin is T(c, c') c'
//     system      linear forms of the coordinates
//     mechanism   formulas; J is the mean of their gradients along the way, by Gauss' rule, and
//                 what that leaves of the difference (Gonzalez)

#ifndef SCREE_MODEL_MARKER_H
#define SCREE_MODEL_MARKER_H

#include "model/mechanism.h"
#include "scree/joint.h"

enum { SCREE_MARKER_FORMULAS = 4 };  // x, y, z, angle

/// A marker as its part sees it.
typedef struct scree_marker_frame {
    scree_marker given;
    int part;             // number of its part among all (model/inertia.h)
    int columns;          // numbers of v that move it
    int coordinate, dof;  // where those of its part begin in q and v
    int *local;           // which of these each column is, ascending (columns)
    double *rate;         // of patch and system: (6 x columns) of place and small rotation
    double *lightness;    // 1/mass of each column, roughly; 0: it is held (columns)
    double centre[3];     // of a patch, in the mesh
    bool turns;           // is it known how it is turned?
} scree_marker_frame;

/// J over a step, but for what is constant.
typedef struct scree_marker_map {
    double turn[9];                                                 // of a patch in space: T
    double gradient[SCREE_MARKER_FORMULAS][SCREE_CONFIGURATION_N];  // of a mechanism
} scree_marker_map;

/// The marker of a side of a joint, or -1: a body or the ground.
static inline int scree_marker_of_side(int side) { return side < SCREE_GROUND ? -2 - side : -1; }

/// The frame of marker m of a finished model.
const scree_marker_frame *scree_marker_frame_of(const scree_model *model, int m);

/// Place and turn at q: x, y, angle, or x, y, z and a quaternion.
void scree_marker_pose(const scree_model *model, int m, const double *q, double pose[7]);

/// J from q to q_end.
void scree_marker_map_find(const scree_model *model, int m, const double *q, const double *q_end,
                           scree_marker_map *map);

/// What a force and a moment (w: velocity and spin, as rows of joints are) do along a column: w.J.
double scree_marker_column(const scree_model *model, int m, const scree_marker_map *map,
                           const double w[6], int column);

/// w.J x, of columns that are free, or of those that are held.
double scree_marker_velocity(const scree_model *model, int m, const scree_marker_map *map,
                             const double w[6], const double *x, bool held);

/// x += (w.J) p, of columns that are free.
void scree_marker_impulse(const scree_model *model, int m, const scree_marker_map *map,
                          const double w[6], double p, double *x);

/// Which nodes of elastic body e markers hang on (nodes); NULL: none.
const bool *scree_marker_nodes(const scree_model *model, int e);

/// Frames of all markers; parts have their places.
scree_status scree_markers_finish(scree_model *model, scree_error *err);

#endif
