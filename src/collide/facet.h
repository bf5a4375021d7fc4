// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// facet.h - a point against a facet of a surface that deforms: an edge in the plane, a triangle or
// quadrilateral in space.

#ifndef SCREE_COLLIDE_FACET_H
#define SCREE_COLLIDE_FACET_H

#include <stdbool.h>

typedef struct scree_facet_touch {
    double gap;        // along the normal of the facet; negative: the point is behind it
    double normal[3];  // unit, out of the solid
    double weight[4];  // of the facet's corners at the point nearest to x; they add up to 1
    double away;       // distance of x from that point
} scree_facet_touch;

/// The point x against a facet of 2, 3 or 4 corners (corners x 3), seen from outside
/// counter-clockwise; in the plane the solid is on the left. False if x is beside the facet rather
/// than before or behind it, or if the facet has no size. A point before an edge of the facet
/// counts as before it while it is higher above the facet than beside it, so that nothing slips
/// through between two facets of a convex surface.
bool scree_facet_meet(const double x[3], const double *corner, int corners,
                      scree_facet_touch *touch);

/// The longest edge.
double scree_facet_size(const double *corner, int corners);

#endif
