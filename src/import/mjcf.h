// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// mjcf.h - a model of MuJoCo while it is read: attributes with their defaults, angles, frames.

#ifndef SCREE_IMPORT_MJCF_H
#define SCREE_IMPORT_MJCF_H

#include "import/robot.h"
#include "import/xml.h"

typedef struct scree_mjcf {
    scree_draft *draft;
    scree_xml *root, *defaults, *assets;  // the last two may be NULL
    double angle;                         // radians of a unit of angles
    const char *sequence;                 // of Euler's angles, "xyz" if not given
    const char *folder;                   // of meshes
    bool by_geoms;                        // masses are those of geoms, whatever <inertial> says
    int bodies, room;
    struct scree_mjcf_body *body;
    int joints;  // seen so far, for names
} scree_mjcf;

typedef struct scree_mjcf_body {
    scree_xml *node;
    int parent;   // -1: the world
    int part_of;  // body that carries it: itself, or one above where it has no joint
    scree_robot_body body;
} scree_mjcf_body;

/// An attribute of the element, or of its class of defaults; NULL: none.
const char *scree_mjcf_get(const scree_mjcf *m, const scree_xml *node, const char *key);
int scree_mjcf_numbers(const scree_mjcf *m, const scree_xml *node, const char *key, int most,
                       double *out);
double scree_mjcf_number(const scree_mjcf *m, const scree_xml *node, const char *key,
                         double otherwise);

/// pos, and quat, axisangle, euler, xyaxes or zaxis.
void scree_mjcf_place(const scree_mjcf *m, const scree_xml *node, double at[3], double turn[4]);

/// The turn that takes z into this direction.
void scree_mjcf_turn_z(const double direction[3], double turn[4]);

/// Geoms of an element as shapes and masses of a body; within: its frame in that of the body.
scree_status scree_mjcf_geoms(scree_mjcf *m, const scree_xml *node, const scree_robot_frame *within,
                              scree_robot_body *body, bool masses);

/// Joints of body i with the one that carries its parent, their springs; then actuators, equalities
/// and exclusions of the whole.
void scree_mjcf_joints(scree_mjcf *m, int i);
void scree_mjcf_rest(scree_mjcf *m);

#endif
