// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// joint.h - joints between bodies, between markers of other parts, and with the ground.
//
// A joint takes some of the relative motion of a and b away: equations g(q) = 0 that the contact
// problem of each step solves together with its contacts. What it leaves has a coordinate where it
// is one number: the angle of a hinge, the way of a slider along its axis, the length of a rope.

#ifndef SCREE_JOINT_H
#define SCREE_JOINT_H

#include "scree/step.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { SCREE_GROUND = -1 };  // instead of a body: what never moves

typedef enum scree_joint_kind {
    SCREE_HINGE,           // one axis to turn about; in the plane a point
    SCREE_SLIDER,          // one axis to slide along, no turning
    SCREE_BALL,            // in space: one point
    SCREE_CYLINDRICAL,     // in space: an axis to turn about and to slide along
    SCREE_PLANAR,          // in space: the plane across the axis
    SCREE_UNIVERSAL,       // in space: a point, and an axis of each that stay at right angles
    SCREE_WELD,            // nothing is left
    SCREE_SCREW,           // in space: turns about the axis and slides along it by pitch a turn
    SCREE_ROD,             // the anchors keep their distance
    SCREE_ROPE,            // the anchors are no further apart than the length
    SCREE_POINT_ON_LINE,   // the anchor of a stays on the axis through that of b
    SCREE_POINT_ON_PLANE,  // the anchor of a stays on the plane across the axis; in space
    SCREE_COUPLER,         // coordinate of one joint + ratio x that of another stays as it was
    SCREE_COORDINATE,      // nothing is held; the way of a's anchor along the axis is what limits,
                           // springs, motors and couplers act on
    SCREE_DISTANCE,        // nothing is held; the distance of the anchors is what springs act on
    SCREE_HOLD,            // coordinates of a, one by one, stay as they are: `held`
    SCREE_JOINT_KINDS
} scree_joint_kind;

/// Bits of `held`.
enum { SCREE_HOLD_X = 1, SCREE_HOLD_Y = 2, SCREE_HOLD_Z = 4, SCREE_HOLD_TURN = 8 };

/// What it is called in scenes, files and reports.
SCREE_API const char *scree_joint_kind_name(scree_joint_kind kind);

typedef struct scree_joint {
    const char *name;  // copied into the model
    scree_joint_kind kind;
    int a, b;               // bodies, SCREE_MARKER(m): markers; SCREE_GROUND: none
    double anchor[2][3];    // on a and on b at the start, world axes [m]
    double axis[3];         // at the start, world axes, any length; fixed in both
    double axis_second[3];  // universal: that of b; axis is that of a
    double length;          // rope, rod: 0: the distance at the start; with clearance: of the block
                            // of a slider, the pin of a hinge in space [m]
    double pitch;           // screw: way of a along the axis in a turn [m]
    int joint[2];           // coupler: numbers of two joints that were added before
    double ratio;           // coupler: x + ratio y = const
    double lower, upper;    // limits of the coordinate [rad, m]; -HUGE_VAL, HUGE_VAL: none
    double restitution;     // at the limits, and of a rope that tightens
    double friction;        // mu: against the coordinate, mu times the force across it
    double radius;          // hinge: where it rubs: its moment is radius times that force; of a
                            // slider in space with clearance half the width of its block [m]
    double dry_friction;    // against the coordinate, whatever is transmitted [N, N m]
    bool collide;           // shapes of a and b may touch each other
    double clearance;       // hinge, slider, ball: how far pin or block may be from the middle of
                            // its bush or guide, touched with restitution and friction. 0 means
                            // that it is held there [m]
    unsigned held;          // hold: SCREE_HOLD_X and so on; in space a turn is held as a whole
} scree_joint;

/// No limits, ratio 1, the third axis.
SCREE_API scree_joint scree_joint_default(scree_joint_kind kind, int a, int b);

/// Add a joint; its number is model->joints - 1 afterwards. Its bodies are there.
SCREE_API scree_status scree_model_add_joint(scree_model *model, const scree_joint *joint,
                                             scree_error *err);

// -------------------------------------------------------------------------------------------------
// markers

/// Instead of a body: marker m of the model.
#define SCREE_MARKER(m) (-2 - (m))

typedef enum scree_marker_kind {
    SCREE_MARKER_PATCH,      // the mean motion of a group of nodes of an elastic body
    SCREE_MARKER_SYSTEM,     // linear forms of the coordinates of the matrix system
    SCREE_MARKER_MECHANISM,  // functions of the coordinates of the mechanism
} scree_marker_kind;

/// A frame on a part that is no rigid body: joints and springs hold it as they hold a body.
typedef struct scree_marker {
    const char *name;  // copied into the model
    scree_marker_kind kind;
    int body, group;    // patch: elastic body, group of its mesh
    int rows;           // others: x, y, z (space), and in the plane the angle, or without it
    const double *row;  // system: (rows x coordinates), copied
    /// mechanism: value of a row at its coordinates q, with its gradient (coordinates).
    double (*value)(const void *self, int row, const double *q, double *gradient);
    const void *self;
} scree_marker;

/// Add a marker; its number is scree_model_markers - 1 afterwards. Its part is there.
SCREE_API scree_status scree_model_add_marker(scree_model *model, const scree_marker *marker,
                                              scree_error *err);

/// How many there are.
SCREE_API int scree_model_markers(const scree_model *model);

/// Marker m, or NULL.
SCREE_API const scree_marker *scree_model_marker(const scree_model *model, int m);

/// Where the anchor of joint k on its first (0) or second (1) side is at q.
SCREE_API void scree_joint_anchor(const scree_model *model, int k, int side, const double *q,
                                  double x[3]);

// -------------------------------------------------------------------------------------------------

/// How far joints were off when the model was finished, before bodies were moved and their
/// velocities changed, as little as masses allow, so that all joints fit.
typedef struct scree_assembly {
    int joint;                 // the one that was off most, or -1
    double distance;           // [m, rad]
    int joint_velocity;        // the same for velocities
    double velocity;           // [m/s, rad/s]
    double energy;             // that the velocities lost [J]
    int redundant;             // equations that follow from others
    int in_loop;               // a joint of these, or -1
    int joints;                // whose reactions are not unique for that,
    const int *joint_of_loop;  // ascending (joints)
} scree_assembly;

/// What joints asked of the bodies when the model was finished.
SCREE_API scree_assembly scree_model_assembly(const scree_model *model);

/// The coordinate of joint k and its rate in a state. False: it has none.
SCREE_API bool scree_joint_coordinate(const scree_model *model, int k, const scree_state *state,
                                      double *coordinate, double *rate);

/// What a joint does to its first body over a step, world axes [N, N m].
typedef struct scree_joint_reaction {
    double force[3], moment[3];  // mean over the step; the moment is about the anchor
    double friction;             // of it, what friction contributes along the coordinate
} scree_joint_reaction;

/// Add what a contact of a joint contributes, in a step of length h that ends at q.
SCREE_API void scree_joint_add_reaction(const scree_model *model, const double *q,
                                        const scree_contact *contact, double h,
                                        scree_joint_reaction *reaction);

/// The joint that a contact belongs to, or -1.
SCREE_API int scree_joint_of_contact(const scree_model *model, const scree_contact *contact);

#ifdef __cplusplus
}
#endif

#endif
