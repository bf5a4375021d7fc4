// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// rotation.c - rotations in definitions of bodies.

#include "model/rotation.h"

#include <math.h>
#include <string.h>

#include "base/space.h"

// scaled first, so that squares neither overflow nor vanish
static double unit(const double *x, int count, double *scaled) {
    double largest = 0, square = 0;
    for (int i = 0; i < count; i++) largest = fmax(largest, fabs(x[i]));
    if (!(largest > 0)) return 0;
    for (int i = 0; i < count; i++) {
        scaled[i] = x[i] / largest;
        square += scaled[i] * scaled[i];
    }
    for (int i = 0; i < count; i++) scaled[i] /= sqrt(square);
    return largest;
}

void scree_rotation_about(const double axis[3], double angle, double turn[4]) {
    double direction[3] = { 0 };
    turn[0] = cos(angle / 2);
    unit(axis, 3, direction);
    for (int i = 0; i < 3; i++) turn[1 + i] = sin(angle / 2) * direction[i];
}

static void load(const double turn[4], double q[4]) {
    if (unit(turn, 4, q) == 0) memcpy(q, (const double[]){ 1, 0, 0, 0 }, 4 * sizeof *q);
}

void scree_rotation_product(const double a[4], const double b[4], double turn[4]) {
    double p[4], q[4];
    load(a, p);
    load(b, q);
    scree_quaternion_product(p, q, turn);
}

void scree_rotation_vector(const double turn[4], const double x[3], double turned[3]) {
    double q[4];
    load(turn, q);
    // t = 2 v x x, result x + w t + v x t
    double t[3] = { 2 * (q[2] * x[2] - q[3] * x[1]), 2 * (q[3] * x[0] - q[1] * x[2]),
                    2 * (q[1] * x[1] - q[2] * x[0]) };
    double result[3] = { x[0] + q[0] * t[0] + q[2] * t[2] - q[3] * t[1],
                         x[1] + q[0] * t[1] + q[3] * t[0] - q[1] * t[2],
                         x[2] + q[0] * t[2] + q[1] * t[1] - q[2] * t[0] };
    memcpy(turned, result, sizeof result);
}
