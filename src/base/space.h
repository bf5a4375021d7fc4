// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// space.h - vectors, rotations and symmetric matrices of three dimensions.
//
// Matrices are row after row; a symmetric one is xx xy xz yy yz zz; quaternions are w x y z.

#ifndef SCREE_BASE_SPACE_H
#define SCREE_BASE_SPACE_H

#include <math.h>
#include <stdbool.h>

static inline double scree_dot(const double a[3], const double b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline void scree_cross(const double a[3], const double b[3], double out[3]) {
    double x = a[1] * b[2] - a[2] * b[1], y = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
    out[0] = x;
    out[1] = y;
}

static inline double scree_length(const double a[3]) { return sqrt(scree_dot(a, a)); }

/// out = A x and out = A^T x; out may be x.
static inline void scree_rotate(const double A[9], const double x[3], double out[3]) {
    double x0 = x[0], x1 = x[1], x2 = x[2];
    for (int i = 0; i < 3; i++) out[i] = A[3 * i] * x0 + A[3 * i + 1] * x1 + A[3 * i + 2] * x2;
}
static inline void scree_rotate_back(const double A[9], const double x[3], double out[3]) {
    double x0 = x[0], x1 = x[1], x2 = x[2];
    for (int i = 0; i < 3; i++) out[i] = A[i] * x0 + A[3 + i] * x1 + A[6 + i] * x2;
}

/// out = S x, S symmetric; out is not x.
static inline void scree_symmetric(const double S[6], const double x[3], double out[3]) {
    out[0] = S[0] * x[0] + S[1] * x[1] + S[2] * x[2];
    out[1] = S[1] * x[0] + S[3] * x[1] + S[4] * x[2];
    out[2] = S[2] * x[0] + S[4] * x[1] + S[5] * x[2];
}

/// out = A S A^T, S symmetric; out is not S.
static inline void scree_congruence(const double A[9], const double S[6], double out[6]) {
    double B[9];
    for (int i = 0; i < 3; i++) scree_symmetric(S, A + 3 * i, B + 3 * i);
    out[0] = scree_dot(B, A);
    out[1] = scree_dot(B, A + 3);
    out[2] = scree_dot(B, A + 6);
    out[3] = scree_dot(B + 3, A + 3);
    out[4] = scree_dot(B + 3, A + 6);
    out[5] = scree_dot(B + 6, A + 6);
}

/// The inverse of a symmetric matrix, by cofactors; false if it is not positive definite.
static inline bool scree_symmetric_inverse(const double S[6], double out[6]) {
    double xx = S[3] * S[5] - S[4] * S[4], xy = S[2] * S[4] - S[1] * S[5],
           xz = S[1] * S[4] - S[2] * S[3];
    double determinant = S[0] * xx + S[1] * xy + S[2] * xz, minor = S[0] * S[3] - S[1] * S[1];
    if (!(S[0] > 0 && minor > 0 && determinant > 0)) return false;
    out[0] = xx / determinant;
    out[1] = xy / determinant;
    out[2] = xz / determinant;
    out[3] = (S[0] * S[5] - S[2] * S[2]) / determinant;
    out[4] = (S[1] * S[2] - S[0] * S[4]) / determinant;
    out[5] = minor / determinant;
    return true;
}

/// The rotation of a unit quaternion.
static inline void scree_rotation(const double q[4], double A[9]) {
    double w = q[0], x = q[1], y = q[2], z = q[3];
    A[0] = 1 - 2 * (y * y + z * z);
    A[1] = 2 * (x * y - w * z);
    A[2] = 2 * (x * z + w * y);
    A[3] = 2 * (x * y + w * z);
    A[4] = 1 - 2 * (x * x + z * z);
    A[5] = 2 * (y * z - w * x);
    A[6] = 2 * (x * z - w * y);
    A[7] = 2 * (y * z + w * x);
    A[8] = 1 - 2 * (x * x + y * y);
}

/// out = a b: the turn of b, then that of a; out is neither of them.
static inline void scree_quaternion_product(const double a[4], const double b[4], double out[4]) {
    out[0] = a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3];
    out[1] = a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2];
    out[2] = a[0] * b[2] + a[2] * b[0] + a[3] * b[1] - a[1] * b[3];
    out[3] = a[0] * b[3] + a[3] * b[0] + a[1] * b[2] - a[2] * b[1];
}

/// out = the turn of Cayley by the vector a, after q: cay(a) has the quaternion (1, a/2), made
/// unit.
static inline void scree_cayley_after(const double a[3], const double q[4], double out[4]) {
    const double turn[4] = { 1, a[0] / 2, a[1] / 2, a[2] / 2 };
    double r[4];
    scree_quaternion_product(turn, q, r);
    double length = sqrt(r[0] * r[0] + r[1] * r[1] + r[2] * r[2] + r[3] * r[3]);
    for (int i = 0; i < 4; i++) out[i] = r[i] / length;
}

/// out = cay(a) x; out may be x.
static inline void scree_cayley(const double a[3], const double x[3], double out[3]) {
    double b[3] = { a[0] / 2, a[1] / 2, a[2] / 2 }, first[3], second[3];
    double share = 2 / (1 + scree_dot(b, b));
    scree_cross(b, x, first);
    scree_cross(b, first, second);
    for (int i = 0; i < 3; i++) out[i] = x[i] + share * (first[i] + second[i]);
}

/// Two unit vectors that make a right-handed frame with a unit normal; depends on nothing else.
static inline void scree_tangents(const double n[3], double first[3], double second[3]) {
    double sign = copysign(1, n[2]), a = -1 / (sign + n[2]), b = n[0] * n[1] * a;
    first[0] = 1 + sign * n[0] * n[0] * a;
    first[1] = sign * b;
    first[2] = -sign * n[0];
    second[0] = b;
    second[1] = sign + n[1] * n[1] * a;
    second[2] = -n[1];
}

#endif
