// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// cone.c - projection onto Coulomb's cone.

#include "law/cone.h"

#include <math.h>

double scree_cone_tangential(const double *x, int d) {
    return d == 2 ? fabs(x[1]) : hypot(x[1], x[2]);
}

void scree_cone_project(double *x, int d, double mu) {
    double tangential = scree_cone_tangential(x, d);
    if (x[0] >= 0 && tangential <= mu * x[0]) return;  // inside; mu = 0 needs the first test

    // in the polar cone: the tip; otherwise the foot on the boundary line
    double normal = mu * tangential <= -x[0] ? 0 : (x[0] + mu * tangential) / (1 + mu * mu);
    double shrink = tangential > 0 ? mu * normal / tangential : 0;
    x[0] = normal;
    for (int k = 1; k < d; k++) x[k] *= shrink;
}
