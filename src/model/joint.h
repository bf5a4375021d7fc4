// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// joint.h - joints as functions of q: equations g(q) = 0, and a coordinate that limits hold.
//
// Over a step from q to q' a row has the mean H of both ends, with which
//
//     g(q') - g(q) = h H v_theta        exactly, for any step
//
// (Gonzalez's discrete derivative). Points and directions of bodies turn by Cayley's map, in space
// R' - R = [h y] (R + R')/2; in the plane angles take its place, and the factor tan(x/2)/(x/2).

#ifndef SCREE_MODEL_JOINT_H
#define SCREE_MODEL_JOINT_H

#include "base/arena.h"
#include "model/marker.h"
#include "scree/joint.h"

enum { SCREE_JOINT_SIDES = 4, SCREE_JOINT_ROWS = 6 };

/// A joint as its bodies see it.
typedef struct scree_joint_frame {
    double arm[2][3];   // from the centre of each to its anchor, in its own axes
    double axis[2][9];  // the joint's axis and two across it, the same
    double start;       // coordinate of a coupler, angle between the bodies in the plane
    double size;        // length that makes an angle a way
} scree_joint_frame;

/// Which contact of a joint it is: the feature of its identity. Equations have the number of the
/// first one, below 64.
enum {
    SCREE_JOINT_FRICTION = 64,
    SCREE_JOINT_LOWER,
    SCREE_JOINT_UPPER,
    SCREE_JOINT_BUSH,  // and as many more as it has bushes
    SCREE_JOINT_DRIVE = 1 << 20
};

typedef struct scree_joints {
    int room;
    scree_joint_frame *frame;  // (joints)
    int *apart;  // pairs of bodies that do not touch each other, ascending (2 x aparts)
    int aparts;
    int markers, marker_room;
    scree_marker_frame *marker;  // (markers)
    bool **joined;  // nodes of elastic bodies that markers hang on (elastics), each (nodes) or NULL
    scree_assembly assembly;
    bool loops;  // joints close some; what is not rigid counts as one
} scree_joints;

/// One function of a joint over a step; sides are those of scree_joint_bodies.
typedef struct scree_joint_row {
    double g;                        // at q
    double H[SCREE_JOINT_SIDES][6];  // of velocity and spin in space axes; in the plane x, y and
                                     // the last one count
} scree_joint_row;

/// The sides of joint k, two or four: bodies, markers; SCREE_GROUND where there is none.
int scree_joint_bodies(const scree_model *model, int k, int body[SCREE_JOINT_SIDES]);

/// Place and turn of a side at q, as a body has them: in q, or in room.
const double *scree_joint_pose(const scree_model *model, int side, const double *q, double room[7]);

/// How many equations joint k has: up to SCREE_JOINT_ROWS.
int scree_joint_equations(const scree_model *model, int k);

/// Its rows from q to q_end.
void scree_joint_rows_of(const scree_model *model, int k, const double *q, const double *q_end,
                         scree_joint_row *row);

/// What the rate of a coordinate is multiplied by where friction sees it: the radius of a hinge.
double scree_joint_rubbing_arm(const scree_joint *joint);

/// Is it limited on some side, or has it a clearance? The length of a rope always is.
bool scree_joint_is_limited(const scree_joint *joint);

/// How many contacts the play of joint k has: of a pin or ball with its bush 1; in space 2 for the
/// ends of a pin and 2 for its shoulders; of a block in its guide 4, in space 16 for its corners.
int scree_joint_bushes(const scree_model *model, int k);

/// Has one of them friction?
bool scree_joint_bush_rubs(const scree_model *model, int k, int which);

/// One of them from q to q_end: g of the first row is the gap, the others are along the tangents
/// (space).
void scree_joint_bush_rows(const scree_model *model, int k, int which, const double *q,
                           const double *q_end, scree_joint_row *row);

/// Is the contact of a joint one of these?
bool scree_joint_is_bush(const scree_contact *contact);

/// The law of that contact, and without clearance of the limits of a joint.
scree_law scree_joint_law(const scree_joint *joint);

/// Has joint k one coordinate?
bool scree_joint_has_coordinate(const scree_model *model, int k);

/// The same for its coordinate, which is g of the row.
void scree_joint_coordinate_row(const scree_model *model, int k, const double *q,
                                const double *q_end, scree_joint_row *row);

/// Angles in space are known but for whole turns: those that bring coordinate `from` of joint k
/// nearest to `to`; 0 where it is not such an angle.
double scree_joint_turns(const scree_model *model, int k, double from, double to);

/// Where degree of freedom c of a body stands in a row.
static inline int scree_joint_column(const scree_model *model, int c) {
    return model->space == 2 && c == 2 ? 5 : c;
}

/// The size of the numbers that g is made of at q.
double scree_joint_size(const scree_model *model, int k, const double *q);

/// Has joint k a marker on one of its sides?
bool scree_joint_has_markers(const scree_model *model, int k);

/// J of those of its sides that are markers from q to q_end (SCREE_JOINT_SIDES).
void scree_joint_maps(const scree_model *model, int k, const double *q, const double *q_end,
                      scree_marker_map *map);

/// u = H v of one row, with what moves, or with what is driven; map may be NULL without markers.
double scree_joint_row_velocity(const scree_model *model, int k, const scree_joint_row *row,
                                const scree_marker_map *map, const double *v, bool driven);

/// x += H^T p of one row.
void scree_joint_row_impulse(const scree_model *model, int k, const scree_joint_row *row,
                             const scree_marker_map *map, double p, double *x);

/// The number of what a side hangs on, of bodies and the parts behind them; -1: the ground, or
/// what is driven.
int scree_joint_part(const scree_model *model, int side);

/// Frames, pairs that do not touch; bodies are moved so that all joints fit.
scree_status scree_joints_finish(scree_model *model, scree_error *err);

/// Do shapes of two bodies leave each other alone, because a joint holds them?
bool scree_joints_apart(const scree_model *model, int a, int b);

#endif
