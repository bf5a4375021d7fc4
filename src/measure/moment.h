// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// moment.h - what measures of a moment share.

#ifndef SCREE_MEASURE_MOMENT_H
#define SCREE_MEASURE_MOMENT_H

#include "scree/measure.h"

/// A rigid body that moves by itself and is there.
bool scree_moment_grain(const scree_moment *moment, int side);

/// Centre of mass of a rigid body (space numbers).
const double *scree_moment_centre(const scree_moment *moment, int body);

/// The same in the cell of a world that repeats itself.
void scree_moment_place(const scree_moment *moment, int body, double centre[3]);

/// From the centre of a body to the point of one of its contacts, by the shortest way.
void scree_moment_arm(const scree_moment *moment, const scree_contact *contact, int body,
                      double arm[3]);

#endif
