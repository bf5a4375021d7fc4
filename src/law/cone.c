// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// cone.c - projection onto the cones, and its derivative.
//
// The foot (t, ...) of y on the rolling cone has t = y_N + mu (|y_T| - mu t)+ + m (|y_R| - m t)+,
// an increasing piecewise linear equation; clipping y_T to mu t and y_R to m t gives the rest.
// Without rolling this is the usual projection onto Coulomb's cone.

#include "law/cone.h"

#include <math.h>
#include <string.h>

double scree_cone_tangential(const double *x, int d) {
    return d == 2 ? fabs(x[1]) : hypot(x[1], x[2]);
}

// of the parts of a rolling contact, which every update of a sweep wants: their squares are far
// from the ends of what numbers can be
static double length_of(double x, double y) { return sqrt(x * x + y * y); }

double scree_cone_shift(const scree_cone *cone, const double *s) {
    if (cone->free) return 0;
    if (cone->d == 5)
        return cone->mu * length_of(s[1], s[2]) + cone->mu_rolling * length_of(s[3], s[4]);
    return cone->mu * scree_cone_tangential(s, cone->d);  // Acary & Collins-Craft (10)
}

// onto the cone of Acary & Collins-Craft (11); its polar is minus (14)
static void project_coulomb(double mu, int d, double *x) {
    double tangential = scree_cone_tangential(x, d);
    if (x[0] >= 0 && tangential <= mu * x[0]) return;  // inside; mu = 0 needs the first test

    // in the polar cone: the tip; otherwise the foot on the boundary line
    double normal = mu * tangential <= -x[0] ? 0 : (x[0] + mu * tangential) / (1 + mu * mu);
    double shrink = tangential > 0 ? mu * normal / tangential : 0;
    x[0] = normal;
    for (int k = 1; k < d; k++) x[k] *= shrink;
}

typedef struct foot {  // where a point lands on the rolling cone
    double t;          // normal component
    double T, R;       // |y_T|, |y_R|
    bool clip_T, clip_R;
} foot;

// the t from which a part of this length is not clipped any more
static double clip_end(double length, double m) {
    return length > 0 ? (m > 0 ? length / m : HUGE_VAL) : 0;
}

// The equation is increasing in t, so that clips end one after the other. Whether the foot lies
// beyond the first end is asked there, where the clip that ends has no part in the equation: a
// point on the boundary of the cone is then never mistaken by rounding.
static foot rolling_foot(const scree_cone *cone, const double *y) {
    double mu = cone->mu, m = cone->mu_rolling;
    foot f = {
        .T = length_of(y[1], y[2]), .R = length_of(y[3], y[4]), .clip_T = true, .clip_R = true
    };
    if (!(y[0] + mu * f.T + m * f.R > 0)) return f;  // the tip: t = 0
    double end_T = clip_end(f.T, mu), end_R = clip_end(f.R, m);
    if (end_T <= end_R) {
        f.clip_T = !(y[0] + m * f.R > end_T * (1 + m * m));
        f.clip_R = f.clip_T || !(y[0] > end_R);
    } else {
        f.clip_R = !(y[0] + mu * f.T > end_R * (1 + mu * mu));
        f.clip_T = f.clip_R || !(y[0] > end_T);
    }
    double a = y[0] + (f.clip_T ? mu * f.T : 0) + (f.clip_R ? m * f.R : 0);
    f.t = a / (1 + (f.clip_T ? mu * mu : 0) + (f.clip_R ? m * m : 0));
    return f;
}

void scree_cone_limits(const scree_problem *problem, int contact, const double *p, double *limit) {
    int d = problem->dimension;
    const double *given = problem->limit + (size_t)contact * (size_t)d;
    double square = 0;
    if (scree_cone_bears(problem, contact)) {
        const double *reaction = p + (size_t)problem->bearing[contact] * (size_t)d;
        for (int k = 0; k < d; k++) {
            const double *weight = problem->bearing_weight;
            double part = (weight ? weight[contact * d + k] : 1) * reaction[k];
            square += part * part;
        }
    }
    double friction = problem->mu[contact] * sqrt(square);
    for (int k = 0; k < d; k++) limit[k] = given[k] < 0 ? 0 : given[k] + friction;
}

static void project_rows(const scree_cone *cone, double *x) {
    for (int k = 0; cone->limit && k < cone->d; k++) {
        double most = fmax(cone->limit[k], 0);
        x[k] = fmin(fmax(x[k], -most), most);
    }
}

void scree_cone_project(const scree_cone *cone, double *x) {
    if (cone->free) {
        project_rows(cone, x);
        return;
    }
    if (cone->d < 5) {
        project_coulomb(cone->mu, cone->d, x);
        return;
    }
    foot f = rolling_foot(cone, x);
    double T = f.t > 0 ? (f.clip_T ? cone->mu * f.t / f.T : 1) : 0;
    double R = f.t > 0 ? (f.clip_R ? cone->mu_rolling * f.t / f.R : 1) : 0;
    x[0] = f.t;
    for (int k = 1; k < 3; k++) x[k] *= T;
    for (int k = 3; k < 5; k++) x[k] *= R;
}

static void identity(double *J, int d) {
    memset(J, 0, (size_t)(d * d) * sizeof *J);
    for (int k = 0; k < d; k++) J[k * d + k] = 1;
}

// J of the Coulomb cone: (1, mu t)(1, mu t)^T / (1 + mu^2), and mu p / n across the slip direction
static void derivative_coulomb(double mu, int d, const double *x, double *J) {
    double n = scree_cone_tangential(x, d);
    if (x[0] >= 0 && n <= mu * x[0]) {
        identity(J, d);
        if (mu == 0) memset(J + 1, 0, (size_t)(d * d - 1) * sizeof *J);
        return;
    }
    memset(J, 0, (size_t)(d * d) * sizeof *J);
    if (mu * n <= -x[0]) return;
    double t[3] = { 1 }, normal = (x[0] + mu * n) / (1 + mu * mu);
    for (int k = 1; k < d; k++) t[k] = n > 0 ? mu * x[k] / n : 0;
    for (int r = 0; r < d; r++)
        for (int c = 0; c < d; c++) J[r * d + c] = t[r] * t[c] / (1 + mu * mu);
    if (d == 2 || !(n > 0)) return;
    double across = mu * normal / n, e[2] = { -x[2] / n, x[1] / n };
    for (int r = 0; r < 2; r++)
        for (int c = 0; c < 2; c++) J[(r + 1) * d + c + 1] += across * e[r] * e[c];
}

// one clipped pair of the rolling cone: what turns with it, and how it follows t
static void derivative_pair(double *J, int first, const double *x, double length, double m,
                            double t, double *along) {
    double e[2] = { x[first] / length, x[first + 1] / length }, across = m * t / length;
    along[first] = m * e[0];
    along[first + 1] = m * e[1];
    J[first * 5 + first] = across * e[1] * e[1];
    J[first * 5 + first + 1] = J[(first + 1) * 5 + first] = -across * e[0] * e[1];
    J[(first + 1) * 5 + first + 1] = across * e[0] * e[0];
}

void scree_cone_project_all(const scree_problem *problem, double *p) {
    for (int i = 0; i < problem->contacts; i++) {
        scree_cone cone = scree_cone_of(problem, i);
        double limit[SCREE_CONE_MAX];
        if (cone.free && scree_cone_bears(problem, i)) {
            scree_cone_limits(problem, i, p, limit);
            cone.limit = limit;
        }
        scree_cone_project(&cone, p + (size_t)i * (size_t)problem->dimension);
    }
}

void scree_cone_derivative(const scree_cone *cone, const double *x, double *J) {
    if (cone->free) {
        identity(J, cone->d);
        for (int k = 0; cone->limit && k < cone->d; k++)
            if (!(fabs(x[k]) < cone->limit[k])) J[k * cone->d + k] = 0;
        return;
    }
    if (cone->d < 5) {
        derivative_coulomb(cone->mu, cone->d, x, J);
        return;
    }
    foot f = rolling_foot(cone, x);
    double along[5] = { 1 }, m = cone->mu_rolling;
    memset(J, 0, 25 * sizeof *J);
    if (!(f.t > 0)) return;
    if (f.clip_T)
        derivative_pair(J, 1, x, f.T, cone->mu, f.t, along);
    else if (cone->mu > 0)
        J[6] = J[12] = 1;
    if (f.clip_R)
        derivative_pair(J, 3, x, f.R, m, f.t, along);
    else if (m > 0)
        J[18] = J[24] = 1;
    double size = 1 + (f.clip_T ? cone->mu * cone->mu : 0) + (f.clip_R ? m * m : 0);
    for (int r = 0; r < 5; r++)
        for (int c = 0; c < 5; c++) J[r * 5 + c] += along[r] * along[c] / size;
}
