// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// robot.h - bodies of MJCF and URDF while they are put together: frames, shapes, masses.
//
// There a body has a frame of its own, and its centre of mass is somewhere in it; in a scene the
// frame of a body is its centre of mass.

#ifndef SCREE_IMPORT_ROBOT_H
#define SCREE_IMPORT_ROBOT_H

#include "import/draft.h"
#include "model/mass.h"

typedef struct scree_robot_frame {
    double at[3], turn[4];  // quaternion w x y z of unit length
} scree_robot_frame;

typedef struct scree_robot_shape {
    scree_draft_shape shape;
    struct scree_robot_shape *next;
} scree_robot_shape;

typedef struct scree_robot_body {
    const char *name;         // in the file
    const char *in_scene;     // after scree_robot_add
    scree_robot_frame frame;  // in the world
    bool fixed;
    scree_mass mass;  // in its frame
    scree_robot_shape *first;
    int shapes;
} scree_robot_body;

/// A frame that is given in another one.
scree_robot_frame scree_robot_place(const scree_robot_frame *parent, const double at[3],
                                    const double turn[4]);

/// Mass, centre and inertia of a shape in the frame that it is given in; mass 0: by density. False
/// if the shape has no volume that is known.
bool scree_robot_shape_mass(scree_draft *draft, const scree_draft_shape *shape, double mass,
                            double density, scree_mass *out);

/// Inertia (xx xy xz yy yz zz) turned.
void scree_robot_turn_inertia(const double turn[4], const double given[6], double out[6]);

/// Put a shape on a body; false without memory.
bool scree_robot_put(scree_draft *draft, scree_robot_body *body, const scree_draft_shape *shape);

/// A mesh file beside the file of the draft, as a polyhedron: its hull. False: the draft says why.
bool scree_robot_mesh(scree_draft *draft, const char *folder, const char *file,
                      const double scale[3], scree_draft_shape *shape);

/// All of a body (its name, shapes, what it weighs) and its shapes into the draft.
scree_status scree_robot_add(scree_draft *draft, scree_robot_body *body);

#endif
