// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// narrow_space.h - what the narrow phases in space share.
//
// Two solids meet in the frame of b, where b's vertices are as they are stored. Directions point
// from b to a. Cores are measured without their rounding; it is subtracted at the end.

#ifndef SCREE_COLLIDE_NARROW_SPACE_H
#define SCREE_COLLIDE_NARROW_SPACE_H

#include <float.h>
#include <math.h>

#include "base/space.h"
#include "collide/narrow_phase.h"

typedef struct scree_pair_frame {
    const scree_collision_shape *a, *b;
    const scree_pose *frame;  // of b in the world
    double turn[9], at[3];    // of a in the frame of b
    double rounding_a, rounding_b;
    double margin;  // of the cores
    double noise;   // separations nearer than this are the same
} scree_pair_frame;

/// A direction in which two cores are kept apart, and by what.
typedef enum scree_axis_kind {
    SCREE_AXIS_FACE_A,
    SCREE_AXIS_FACE_B,
    SCREE_AXIS_EDGES,
    SCREE_AXIS_FREE,  // from a point to a point
} scree_axis_kind;

typedef struct scree_axis {
    double n[3];   // unit, from b to a
    double apart;  // separation of the cores along it
    scree_axis_kind kind;
    int a, b;  // faces or edges that it belongs to
} scree_axis;

/// The nearest points of two cores that are apart.
typedef struct scree_closest_points {
    double a[3], b[3], n[3], distance;
    int corners;  // of the simplex they were found in
    int corner_a[4], corner_b[4];
} scree_closest_points;

/// What one touch is made of, before it is moved to the world.
typedef struct scree_witness {
    double a[3], b[3], apart;  // on the two cores
    uint32_t feature;
} scree_witness;

enum { SCREE_POLYGON_MAX = 256 };  // vertices of a face

/// A flat feature: 1 vertex, 2 (an edge) or more (a face), in the frame of b.
typedef struct scree_feature_polygon {
    int count, face;  // face -1: none
    int vertex[SCREE_POLYGON_MAX];
    double x[SCREE_POLYGON_MAX][3];
    double normal[3];  // outwards, of a face
} scree_feature_polygon;

/// The flat end of a cylinder, in the frame of b.
typedef struct scree_disc {
    double centre[3], normal[3], radius;
    double mark[2][3];  // two directions that stay with the body
    int cap;
} scree_disc;

/// A cylinder in the frame of b.
typedef struct scree_cylinder_in_frame {
    double cap[2][3], axis[3], length, radius;
} scree_cylinder_in_frame;

static inline void minus(const double x[3], const double y[3], double z[3]) {
    for (int k = 0; k < 3; k++) z[k] = x[k] - y[k];
}

/// z = x + s y
static inline void along(const double x[3], double s, const double y[3], double z[3]) {
    for (int k = 0; k < 3; k++) z[k] = x[k] + s * y[k];
}

static inline void copy3(const double x[3], double y[3]) {
    for (int k = 0; k < 3; k++) y[k] = x[k];
}

/// A unit vector across n, the same for the same n.
static inline void any_across(const double n[3], double t[3]) {
    int least = fabs(n[0]) <= fabs(n[1]) ? 0 : 1;
    if (fabs(n[2]) < fabs(n[least])) least = 2;
    double e[3] = { 0, 0, 0 };
    e[least] = 1;
    scree_cross(n, e, t);
    double length = scree_length(t);
    for (int k = 0; k < 3; k++) t[k] /= length;
}

static inline void vertex_a(const scree_pair_frame *pair, int i, double x[3]) {
    scree_rotate(pair->turn, pair->a->vertex + 3 * (long)i, x);
    for (int k = 0; k < 3; k++) x[k] += pair->at[k];
}

static inline const double *vertex_b(const scree_pair_frame *pair, int i) {
    return pair->b->vertex + 3 * (long)i;
}

static inline void normal_a(const scree_pair_frame *pair, int face, double n[3]) {
    scree_rotate(pair->turn, pair->a->face_normal + 3 * (long)face, n);
}

/// The vertex farthest along d, the first of equals.
static inline int support_vertex(const scree_collision_shape *solid, const double d[3]) {
    int best = 0;
    double most = scree_dot(solid->vertex, d);
    for (int i = 1; i < solid->vertices; i++) {
        double here = scree_dot(solid->vertex + 3 * (long)i, d);
        if (here > most) {
            most = here;
            best = i;
        }
    }
    return best;
}

/// Sine and cosine of the angle up to which features count as flat on each other: what is farther
/// open than this does not close within a step, and what does not is told by the reach.
#define SCREE_FLAT_SINE 0.2
#define SCREE_FLAT_COSINE 0.98

// narrow_manifold.c

/// A number for a vertex, an edge (of two vertices) or a face of a solid.
static inline uint64_t vertex_code(int i) { return (uint64_t)(uint32_t)i << 2 | 1; }
static inline uint64_t face_code(int i) { return (uint64_t)(uint32_t)i << 2 | 2; }
static inline uint64_t edge_code(int i, int j) {
    uint64_t low = (uint32_t)(i < j ? i : j), high = (uint32_t)(i < j ? j : i);
    return (low << 31 | high) << 2 | 3;
}
uint32_t scree_manifold_feature(uint64_t of_a, uint64_t of_b);

/// The four (or fewer) of count witnesses that keep the deepest and span the most; those out of
/// reach are dropped. Changes their order; returns how many.
int scree_manifold_reduce(const double n[3], double margin, double noise, scree_witness *witness,
                          int count);

/// The flattest face at the vertex towards d (in the solid's frame), or -1, and edge, or -1.
void scree_manifold_incident_face(const scree_collision_shape *solid, int vertex, const double d[3],
                                  int *face, int *edge);

/// What of a core lies flat at its farthest vertex.
void scree_feature_polygon_of(const scree_pair_frame *pair, bool of_a, const double n[3],
                              scree_feature_polygon *out);

/// Witnesses of a ring on a face, at most 4.
int scree_manifold_clip_face(const scree_pair_frame *pair, bool reference_a,
                             const scree_feature_polygon *reference,
                             const scree_feature_polygon *incident, const double n[3],
                             scree_witness witness[4]);

/// Two edges that run side by side along n: the ends of where they do; 0 when they do not.
int scree_manifold_clip_edges(const scree_pair_frame *pair, const scree_feature_polygon *a,
                              const scree_feature_polygon *b, const double n[3],
                              scree_witness witness[4]);

/// Witnesses of flat features along the axis, at most 4; 0 when their shadows do not meet.
int scree_manifold_find(const scree_pair_frame *pair, const scree_axis *axis,
                        scree_witness witness[4]);

/// Two witnesses where edges run side by side, otherwise the one given by the points.
int scree_manifold_near(const scree_pair_frame *pair, const scree_closest_points *near,
                        scree_witness witness[4]);

/// Witnesses to touches in the world.
int scree_manifold_write(const scree_pair_frame *pair, const double n[3],
                         const scree_witness *witness, int count,
                         scree_manifold_point manifold[SCREE_MANIFOLD_MAX]);

// narrow_disc.c

void scree_disc_mark(const scree_pair_frame *pair, bool of_a, scree_disc *disc);
int scree_disc_polygon(const scree_pair_frame *pair, bool disc_a, const scree_disc *disc,
                       const scree_feature_polygon *polygon, const double n[3],
                       scree_witness witness[4]);
int scree_disc_disc(const scree_pair_frame *pair, const scree_disc *a, const scree_disc *b,
                    const double n[3], scree_witness witness[4]);

// narrow_gjk.c

/// Separation of the cores along n: lower bound of their distance.
double scree_gjk_separation(const scree_pair_frame *pair, const double n[3]);

/// Farthest point of a along -n minus that of b along n.
void scree_gjk_difference(const scree_pair_frame *pair, const double n[3], double w[3]);

/// Nearest points of the cores, moved apart by push (or NULL); false: they overlap.
bool scree_gjk_find(const scree_pair_frame *pair, const double *push, const double start[3],
                    scree_closest_points *near);

// narrow_hull.c, narrow_cylinder.c, narrow_round.c, narrow_half_space.c

void scree_pair_frame_make(const scree_collision_shape *a, const scree_pose *pa,
                           const scree_collision_shape *b, const scree_pose *pb, double margin,
                           scree_pair_frame *pair);

/// The axis along which two cores (two vertices or more, not both two) are farthest apart; false:
/// farther than reach. usable (or NULL) may refuse an axis while they overlap.
typedef bool (*scree_axis_filter)(const scree_pair_frame *pair, const scree_axis *axis,
                                  const void *self);
bool scree_hull_separating_axis(const scree_pair_frame *pair, scree_axis_filter usable,
                                const void *self, scree_axis *axis);

/// Its witnesses; where the cores are apart and no face or edge keeps them so, the axis becomes
/// that of their nearest points.
int scree_hull_manifold(const scree_pair_frame *pair, scree_axis *axis, scree_witness witness[4]);
int scree_hull_collide(const scree_pair_frame *pair,
                       scree_manifold_point manifold[SCREE_MANIFOLD_MAX]);

/// Nearest points of the segments p + s u, s in [0, 1], and q + t v.
void scree_round_segments(const double p[3], const double u[3], const double q[3],
                          const double v[3], double *s, double *t);

/// Two balls.
int scree_round_balls(const scree_collision_shape *a, const scree_pose *pa,
                      const scree_collision_shape *b, const scree_pose *pb, double margin,
                      scree_manifold_point *manifold);

/// A ball and another core, or two capsules.
int scree_round_collide(const scree_collision_shape *a, const scree_pose *pa,
                        const scree_collision_shape *b, const scree_pose *pb, double margin,
                        scree_manifold_point manifold[SCREE_MANIFOLD_MAX]);

int scree_half_space_collide(const scree_collision_shape *a, const scree_pose *pa,
                             const scree_collision_shape *b, const scree_pose *pb, double margin,
                             scree_manifold_point manifold[SCREE_MANIFOLD_MAX]);

void scree_cylinder_to_frame(const scree_pair_frame *pair, bool of_a, scree_cylinder_in_frame *out);

/// Improve the axis until it stands still; near: the points that belong to it.
void scree_cylinder_refine_axis(const scree_pair_frame *pair, scree_axis *axis,
                                scree_closest_points *near);

/// The axis along which a cylinder and a core or cylinder are farthest apart; false: out of reach.
bool scree_cylinder_separating_axis(const scree_pair_frame *pair, scree_axis_filter usable,
                                    const void *self, scree_axis *axis, scree_closest_points *near);

/// Witnesses of what is flat along n, 0 for none; and the same with the one of the nearest points
/// where nothing is: then the axis is made exact too.
int scree_cylinder_flat(const scree_pair_frame *pair, const double n[3], scree_witness witness[4]);
int scree_cylinder_manifold(const scree_pair_frame *pair, scree_axis *axis,
                            scree_closest_points *near, scree_witness witness[4]);
int scree_cylinder_collide(const scree_pair_frame *pair,
                           scree_manifold_point manifold[SCREE_MANIFOLD_MAX]);

// narrow_rim.c

/// If the solids touch in a point near the axis: the exact axis and points; else false.
bool scree_rim_refine_axis(const scree_pair_frame *pair, scree_axis *axis,
                           scree_closest_points *near);

// narrow_penetration.c

/// A shorter way out of an overlap than along the axis, if there is one.
void scree_penetration_depth(const scree_pair_frame *pair, scree_axis *axis,
                             scree_closest_points *near);

// narrow_piece.c

int scree_piece_collide(const scree_collision_shape *a, const scree_pose *pa,
                        const scree_collision_shape *b, int piece, const scree_pose *pb,
                        double margin, scree_manifold_point manifold[SCREE_MANIFOLD_MAX]);

#endif
