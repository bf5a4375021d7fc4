// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// lorentz.c - Nesterov and Todd's scaling of one Lorentz cone.

#include "solve/lorentz.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { SIZE = SCREE_LORENTZ_MAX };

// x_0^2 - |x_1|^2, by factors
static double determinant(const double *x, int k) {
    double length = k == 0 ? 0 : k == 1 ? fabs(x[1]) : hypot(x[1], x[2]);
    return (x[0] - length) * (x[0] + length);
}

static double inner(const double *x, const double *y, int k) {
    double sum = 0;
    for (int i = 0; i <= k; i++) sum += x[i] * y[i];
    return sum;
}

// z = factor (2 v v^T - J) x
static void reflect(const double *v, double factor, const double *x, int k, double *z) {
    double twice = 2 * inner(v, x, k);
    for (int i = 0; i <= k; i++) z[i] = factor * (twice * v[i] + (i == 0 ? -x[i] : x[i]));
}

void scree_lorentz_scale(const scree_lorentz *cone, const double *x, double *z) {
    reflect(cone->V, cone->beta, x, cone->k, z);
}

void scree_lorentz_unscale(const scree_lorentz *cone, const double *x, double *z) {
    double v[SIZE] = { cone->V[0], -cone->V[1], -cone->V[2] };
    reflect(v, 1 / cone->beta, x, cone->k, z);
}

bool scree_lorentz_prepare(scree_lorentz *cone) {
    int k = cone->k;
    const double *x = cone->x, *y = cone->y;
    double det_x = determinant(x, k), det_y = determinant(y, k);
    if (!(det_x > 0 && det_y > 0 && x[0] > 0 && y[0] > 0)) return false;
    double root_x = sqrt(det_x), root_y = sqrt(det_y), w[SIZE] = { 0 };
    double gamma = sqrt((1 + inner(x, y, k) / (root_x * root_y)) / 2);
    for (int i = 0; i <= k; i++)
        w[i] = (x[i] / root_x + (i ? -1 : 1) * y[i] / root_y) / (2 * gamma);
    cone->beta = sqrt(root_x / root_y);
    memcpy(cone->w, w, sizeof w);
    w[0] += 1;
    for (int i = 0; i < SIZE; i++) cone->V[i] = w[i] / sqrt(2 * w[0]);
    scree_lorentz_scale(cone, y, cone->lambda);
    return true;
}

double scree_lorentz_weight(const scree_lorentz *cone, bool inverse, int row, int column) {
    double size = cone->beta * cone->beta, J = row == column ? (row ? -1 : 1) : 0;
    double sign = inverse && (row == 0) != (column == 0) ? -1 : 1;
    return (inverse ? 1 / size : size) * (2 * sign * cone->w[row] * cone->w[column] - J);
}

// the largest t with lambda + t d in the cone: the least eigenvalue of d seen from lambda
static double largest_step(const double *lambda, const double *d, int k) {
    double root = sqrt(fmax(determinant(lambda, k), DBL_MIN));
    double unit[SIZE] = { 0 }, across[SIZE] = { 0 };
    for (int i = 0; i <= k; i++) unit[i] = lambda[i] / root;
    double along = unit[0] * d[0];
    for (int i = 1; i <= k; i++) along -= unit[i] * d[i];
    for (int i = 1; i <= k; i++) across[i] = d[i] - (along + d[0]) / (unit[0] + 1) * unit[i];
    double shrink = (hypot(across[1], across[2]) - along) / root;
    return shrink > 0 ? 1 / shrink : HUGE_VAL;
}

double scree_lorentz_step(const scree_lorentz *cone) {
    double dx[SIZE] = { 0 }, dy[SIZE] = { 0 };
    scree_lorentz_unscale(cone, cone->dx, dx);
    scree_lorentz_scale(cone, cone->dy, dy);
    return fmin(largest_step(cone->lambda, dx, cone->k), largest_step(cone->lambda, dy, cone->k));
}

// c = Ws (lambda \ (target e - lambda o lambda - Ws^-1 dx o Ws dy))
void scree_lorentz_correct(scree_lorentz *cone, double target) {
    int k = cone->k;
    double dx[SIZE] = { 0 }, dy[SIZE] = { 0 }, right[SIZE], quotient[SIZE];
    const double *l = cone->lambda;
    scree_lorentz_unscale(cone, cone->dx, dx);
    scree_lorentz_scale(cone, cone->dy, dy);
    right[0] = target - inner(l, l, k) - inner(dx, dy, k);
    for (int i = 1; i <= k; i++) right[i] = -2 * l[0] * l[i] - dx[0] * dy[i] - dy[0] * dx[i];
    double along = l[0] * right[0];
    for (int i = 1; i <= k; i++) along -= l[i] * right[i];
    quotient[0] = along / determinant(l, k);
    for (int i = 1; i <= k; i++) quotient[i] = (right[i] - quotient[0] * l[i]) / l[0];
    scree_lorentz_scale(cone, quotient, cone->c);
}
