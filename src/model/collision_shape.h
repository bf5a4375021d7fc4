// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// collision_shape.h - shapes as collision detection wants them: convex, in the frame of their body.
//
// A point, disc, ball, capsule, box, polygon or polyhedron is a core, the convex hull of its
// vertices, rounded by a radius (that may be 0). What is not convex is a surface: pieces in a row
// (a chain of segments in the plane, a mesh of triangles in space), each touched from its front.

#ifndef SCREE_MODEL_COLLISION_SHAPE_H
#define SCREE_MODEL_COLLISION_SHAPE_H

#include "base/arena.h"
#include "scree/model.h"

/// Where a body is: x = at + turn X. In the plane turn holds a rotation about the third axis.
typedef struct scree_pose {
    double at[3];
    double turn[9];  // row after row
} scree_pose;

typedef enum scree_collision_shape_kind {
    SCREE_COLLISION_CONVEX,      // all points within radius of the hull of the vertices
    SCREE_COLLISION_CYLINDER,    // vertices: the centres of the two caps; flat ends
    SCREE_COLLISION_HALF_SPACE,  // vertex: a point of the boundary; normal points out of the solid
    SCREE_COLLISION_SURFACE,     // see scree_surface
} scree_collision_shape_kind;

/// Pieces that touch with their front: left of the way from vertex to vertex of a segment, where a
/// triangle's vertices are seen counter-clockwise.
typedef struct scree_surface {
    int pieces;
    const int *piece;      // vertices of each piece                        (pieces x space)
    const int *neighbour;  // piece across each side, -1: none              (pieces x space): side
                           // k of a triangle joins its vertices k and k+1, end k of a segment is
                           // its vertex k
    const double *normal;  // unit, to the front                            (pieces x 3)
} scree_surface;

typedef struct scree_collision_shape {
    scree_collision_shape_kind kind;
    int space;             // 2 or 3
    double radius;         // rounding of a core; of a cylinder its radius
    int vertices;          // of a core in the plane counter-clockwise
    const double *vertex;  // (vertices x 3), the third is 0 in the plane
    double normal[3];      // of a half-space, unit

    // a core with volume: its faces and edges; empty for others
    int faces;
    const int *face_first;      // (faces + 1)
    const int *face_vertex;     // counter-clockwise seen from outside
    const double *face_normal;  // unit, outwards (faces x 3)
    int edges;
    const int *edge;  // two vertices v < w, then the two faces          (edges x 4)

    scree_surface surface;
    double centre[3], bound;  // everything lies within bound of centre; HUGE_VAL: nothing does
} scree_collision_shape;

/// How many numbers the shape takes among the pieces that identities of contacts are made of.
static inline int scree_collision_shape_pieces(const scree_collision_shape *solid) {
    return solid->kind == SCREE_COLLISION_SURFACE ? solid->surface.pieces : 1;
}

/// Make the solid of a checked shape; memory from the arena. Complains about what cannot be one.
scree_status scree_collision_shape_make(const scree_shape *shape, int space, scree_arena *arena,
                                        scree_collision_shape *solid, scree_error *err);

/// Mass, centre and inertia about the centre (xx xy xz yy yz zz; in the plane only zz, per unit of
/// thickness) in the frame of the body. Surfaces, half-spaces and points have none:
/// SCREE_BAD_INPUT.
scree_status scree_collision_shape_mass(const scree_collision_shape *solid, double density,
                                        double *mass, double centre[3], double inertia[6],
                                        scree_error *err);

#endif
