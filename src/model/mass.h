// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// mass.h - bodies of several solids: their mass together.

#ifndef SCREE_MODEL_MASS_H
#define SCREE_MODEL_MASS_H

/// As scree_collision_shape_mass has it: inertia about the centre, xx xy xz yy yz zz, in the plane
/// only zz.
typedef struct scree_mass {  // begin with a zeroed struct
    double mass, centre[3], inertia[6];
} scree_mass;

/// Add a part to the total. space: 2 or 3.
void scree_mass_add(scree_mass *total, int space, const scree_mass *part);

#endif
