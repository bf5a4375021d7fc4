// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// turn.c - rotations within a step.

#include "step/turn.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/space.h"

// x = A^-1 x for a general 3 x 3 matrix, by Cramer's rule
static bool solve_three(const double A[9], double x[3]) {
    double c0[3], c1[3], c2[3], out[3];
    scree_cross(A + 3, A + 6, c0);
    scree_cross(A + 6, A, c1);
    scree_cross(A, A + 3, c2);
    double determinant = scree_dot(A, c0);
    if (!(fabs(determinant) > 0)) return false;
    for (int i = 0; i < 3; i++) out[i] = (x[0] * c0[i] + x[1] * c1[i] + x[2] * c2[i]) / determinant;
    memcpy(x, out, sizeof out);
    return true;
}

// G(y) = y - (1-theta) w - theta J^-1 cay(h y)^T L, in the axes of the start
static void defect(const double inverse[6], const double spin[3], const double L[3], double h,
                   double theta, const double y[3], double G[3]) {
    const double back[3] = { -h * y[0], -h * y[1], -h * y[2] };
    double turned[3], moved[3];
    scree_cayley(back, L, turned);
    scree_symmetric(inverse, turned, moved);
    for (int i = 0; i < 3; i++) G[i] = y[i] - (1 - theta) * spin[i] - theta * moved[i];
}

bool scree_turn_mean(const double inverse[6], const double spin[3], const double L[3], double h,
                     double theta, double mean[3]) {
    enum { STEPS = 60 };
    // the derivative of G where h y is small: I - theta h J^-1 [L], its error is of second order
    const double cross[9] = { 0, -L[2], L[1], L[2], 0, -L[0], -L[1], L[0], 0 };
    double A[9];
    for (int c = 0; c < 3; c++) {
        const double column[3] = { cross[c], cross[3 + c], cross[6 + c] };
        double moved[3];
        scree_symmetric(inverse, column, moved);
        for (int r = 0; r < 3; r++) A[3 * r + c] = (r == c) - theta * h * moved[r];
    }
    double last = HUGE_VAL, end[3];
    scree_symmetric(inverse, L, end);
    double rounding = 4 * DBL_EPSILON * (scree_length(spin) + scree_length(end));
    for (int k = 0; k < STEPS; k++) {
        double G[3];
        defect(inverse, spin, L, h, theta, mean, G);
        if (!solve_three(A, G)) return false;
        for (int i = 0; i < 3; i++) mean[i] -= G[i];
        double size = scree_length(G);
        if (size <= rounding || (size >= last && size <= 1e3 * rounding)) return true;
        if (!isfinite(size)) return false;
        last = size;
    }
    return false;
}

void scree_turn_advance(const scree_model *model, const double *q, const double *v, double h,
                        double *out) {
    if (model->space == 2) {
        for (int i = 0; i < model->coordinates; i++) out[i] = q[i] + h * v[i];
        return;
    }
    for (int i = 0; i < model->bodies; i++) {
        const double *p = q + 7 * (long)i, *u = v + 6 * (long)i;
        const double turn[3] = { h * u[3], h * u[4], h * u[5] };
        for (int k = 0; k < 3; k++) out[7 * (long)i + k] = p[k] + h * u[k];
        scree_cayley_after(turn, p + 3, out + 7 * (long)i + 3);
    }
    long behind = 7 * (long)model->bodies, dof = 6 * (long)model->bodies;
    for (long j = 0; j < model->coordinates - behind; j++)
        out[behind + j] = q[behind + j] + h * v[dof + j];
}

void scree_turn_drive(const scree_model *model, int i, double t, double *q, double *v) {
    const scree_body *body = &model->body[i];
    const scree_path *path = &body->path;
    double rate, angle = scree_function_at(&path->angle, t, &rate);
    double *place = q + (long)i * model->body_coordinates, *move = v + (long)i * model->body_dofs;
    for (int k = 0; k < model->space; k++)
        place[k] = body->position[k] + scree_function_at(&path->along[k], t, &move[k]);
    if (model->space == 2) {
        place[2] = body->angle + angle;
        move[2] = rate;
        return;
    }
    double c = cos(angle / 2), s = sin(angle / 2);
    const double *a = path->axis, *p = body->orientation;
    const double r[4] = { c, s * a[0], s * a[1], s * a[2] };
    scree_quaternion_product(r, p, place + 3);
    for (int k = 0; k < 3; k++) move[3 + k] = rate * a[k];
}
