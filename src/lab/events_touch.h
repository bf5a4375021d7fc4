// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// events_touch.h - one corner of a body against the solid of another one, in the plane.
//
// A corner is a point of body a with a radius around it (0: sharp). What it meets is a half-plane,
// another corner, or a convex polygon of body b. Against a polygon the gap is made of pieces, one
// for each edge and, where the radius is not 0, one for each corner: its features, edges first.

#ifndef SCREE_LAB_EVENTS_TOUCH_H
#define SCREE_LAB_EVENTS_TOUCH_H

#include "model/collision_shape.h"

/// A body at one moment.
typedef struct scree_moving_frame {
    double at[2], angle, c, s;  // c, s: cosine and sine of the angle
    double v[2], spin;          // its velocities
    double a[2], spin_rate;     // prescribed accelerations; 0 of bodies that forces move
    int dof;                    // of its x among the coordinates of the system; -1: prescribed
} scree_moving_frame;

typedef struct scree_touch_pair {
    int a, b;  // bodies
    int shape_a, shape_b;
    int corner;                  // of the first shape
    double place[2];             // of the corner in the frame of a [m]
    double radius;               // around it [m]
    double ahead[2], behind[2];  // unit, in the frame of a: along the two edges that end in the
                                 // corner, away from it; 0 where there are none
    const scree_collision_shape *solid;  // of b
} scree_touch_pair;

/// The contact at one moment; all in world axes. With u = n . (V_a - V_b) at the point.
typedef struct scree_touch {
    double gap, normal[2], point[2];
    double turn;        // rate of the normal's angle
    double point_v[2];  // velocity of the place of contact
    double range;       // along the solid to where another feature begins; HUGE_VAL: nowhere
    int feature;
} scree_touch;

/// A feature < 0: the one that the state has.
void scree_touch_find(const scree_touch_pair *pair, const scree_moving_frame *a,
                      const scree_moving_frame *b, int feature, scree_touch *touch);

/// The feature from now on: of those that meet within slack [m] the one that the motion leads to.
int scree_touch_choose(const scree_touch_pair *pair, const scree_moving_frame *a,
                       const scree_moving_frame *b, double slack);

/// The size of the numbers that the gap is made of.
double scree_touch_length(const scree_touch_pair *pair, const scree_moving_frame *a,
                          const scree_moving_frame *b);

#endif
