// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// lorentz.h - a pair x, y inside the second-order (Lorentz) cone |x_1| < x_0, and its scaling by
// Nesterov and Todd.
//
//     Ws^-1 x = Ws y = lambda,   Ws = beta (2 V V^T - J),   D = Ws^2 = beta^2 (2 w w^T - J),   D y
//     = x
//
// J = diag(1, -1, -1), x o y = (x.y, x_0 y_1 + y_0 x_1). With k = 0 the cone is a half line.

#ifndef SCREE_SOLVE_LORENTZ_H
#define SCREE_SOLVE_LORENTZ_H

#include <stdbool.h>

enum { SCREE_LORENTZ_MAX = 3 };

typedef struct scree_lorentz {
    int k;  // components beside the first one: 0, 1, 2
    double x[SCREE_LORENTZ_MAX], y[SCREE_LORENTZ_MAX];
    double dx[SCREE_LORENTZ_MAX], dy[SCREE_LORENTZ_MAX];  // a step
    double c[SCREE_LORENTZ_MAX];                          // its right side: dx + D dy = c
    double beta, V[SCREE_LORENTZ_MAX], w[SCREE_LORENTZ_MAX], lambda[SCREE_LORENTZ_MAX];
} scree_lorentz;

/// beta, V, w and lambda of x and y; false if one of them has left its cone.
bool scree_lorentz_prepare(scree_lorentz *cone);

/// z = Ws x, z = Ws^-1 x. In place is allowed.
void scree_lorentz_scale(const scree_lorentz *cone, const double *x, double *z);
void scree_lorentz_unscale(const scree_lorentz *cone, const double *x, double *z);

/// Entry of D, or of its inverse.
double scree_lorentz_weight(const scree_lorentz *cone, bool inverse, int row, int column);

/// The largest t with x + t dx and y + t dy in the cone.
double scree_lorentz_step(const scree_lorentz *cone);

/// c of the step to x o y = target e, with the product of the step dx, dy at hand anticipated.
void scree_lorentz_correct(scree_lorentz *cone, double target);

#endif
