// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// rotation.h - rotations in definitions of bodies: quaternions w x y z, all zero for no turn.

#ifndef SCREE_MODEL_ROTATION_H
#define SCREE_MODEL_ROTATION_H

/// The rotation by angle about axis, which may have any length but zero.
void scree_rotation_about(const double axis[3], double angle, double turn[4]);

/// first b, then a; of unit length. The result may be one of them.
void scree_rotation_product(const double a[4], const double b[4], double turn[4]);

/// The vector x turned; the result may be x.
void scree_rotation_vector(const double turn[4], const double x[3], double turned[3]);

#endif
