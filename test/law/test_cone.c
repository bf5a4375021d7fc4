// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// test_cone.c - are the projections projections, their derivatives derivatives, and is the scaling
// of the interior point the one of Nesterov and Todd?
//
// The judge of a projection is Moreau's decomposition y = P_K(y) + P_K°(y). The polar cone
//
//     K° = { z_N <= -(mu |z_T| + mu_rolling |z_R|) }
//
// is projected on here by itself. Along the directions of y_T and y_R it is a corner of a half
// space, and the nearest of its faces is found by trying them all, in long double: with mu = 1e9
// nine digits cancel.

#include <float.h>
#include <stdbool.h>
#include <stdlib.h>

#include "harness.h"
#include "law/cone.h"
#include "random.h"
#include "solve/lorentz.h"

enum { ROUNDS = 20000 };

static double log_uniform(double low, double high) { return exp(uniform(log(low), log(high))); }

static double random_mu(void) {
    double kind = uniform(0, 1);
    if (kind < 0.1) return 0;
    if (kind < 0.2) return log_uniform(1e-9, 1e-3);
    if (kind < 0.3) return log_uniform(1e3, 1e9);
    return log_uniform(0.01, 10);
}

static scree_cone random_cone(int d) {
    return (scree_cone){ .d = d,
                         .free = uniform(0, 1) < 0.02,
                         .mu = random_mu(),
                         .mu_rolling = d == 5 ? random_mu() : 0 };
}

/// Points of all sizes, often with a part that is zero or on the boundary of the cone.
static void random_point(const scree_cone *cone, double *y) {
    double size = log_uniform(1e-6, 1e6);
    for (int k = 0; k < cone->d; k++) y[k] = size * uniform(-1, 1);
    double kind = uniform(0, 1);
    if (kind < 0.1) y[0] = 0;
    if (kind > 0.9) y[1] = 0;
    if (kind > 0.95 && cone->d > 2) y[2] = 0;
    if (kind > 0.4 && kind < 0.5)  // far along the axis, so that wide and narrow cones are entered
        y[0] *= log_uniform(1e-6, 1e6);
}

static double length_of(const double *x, int d) {
    double sum = 0;
    for (int k = 0; k < d; k++) sum = hypot(sum, x[k]);
    return sum;
}

// -------------------------------------------------------------------------------------------------
// the judge

static double part_length(const double *y, int first, int d) {
    if (first >= d) return 0;
    return first + 1 < d ? hypot(y[first], y[first + 1]) : fabs(y[first]);
}

/// Nearest point with n + a t + c r <= 0, t >= 0, r >= 0 to (n, t, r): face of the pattern, bit 0:
/// t = 0, bit 1: r = 0. False if the face's own projection leaves the corner.
static bool project_face(const long double in[3], long double a, long double c, int pattern,
                         long double out[3]) {
    if (pattern & 1) a = 0;
    if (pattern & 2) c = 0;
    long double t = pattern & 1 ? 0 : in[1], r = pattern & 2 ? 0 : in[2];
    long double over = fmaxl(0, in[0] + a * t + c * r) / (1 + a * a + c * c);
    out[0] = in[0] - over;
    out[1] = t - a * over;
    out[2] = r - c * over;
    return out[1] >= 0 && out[2] >= 0;
}

static void project_polar(const scree_cone *cone, const double *y, double *z) {
    long double in[3] = { y[0], part_length(y, 1, cone->d), part_length(y, 3, cone->d) };
    long double best[3] = { 0 }, least = HUGE_VALL;
    memset(z, 0, (size_t)cone->d * sizeof *z);
    if (cone->free) return;
    for (int pattern = 0; pattern < 4; pattern++) {
        long double out[3];
        if (!project_face(in, cone->mu, cone->mu_rolling, pattern, out)) continue;
        long double away = hypotl(hypotl(out[0] - in[0], out[1] - in[1]), out[2] - in[2]);
        if (away >= least) continue;
        least = away;
        memcpy(best, out, sizeof best);
    }
    z[0] = (double)best[0];
    for (int k = 1; k < cone->d; k++) {
        int part = k < 3 ? 1 : 2;
        z[k] = in[part] > 0 ? (double)(y[k] * (best[part] / in[part])) : 0;
    }
}

/// By how much x is outside of the cone.
static double outside(const scree_cone *cone, const double *x) {
    if (cone->free) return 0;
    double sliding = part_length(x, 1, cone->d) - cone->mu * x[0];
    double rolling = part_length(x, 3, cone->d) - cone->mu_rolling * x[0];
    return fmax(fmax(sliding, cone->d == 5 ? rolling : 0), -x[0]);
}

// -------------------------------------------------------------------------------------------------
// projections

static void projects(int d) {
    double worst = 0;
    int inside = 0, tip = 0, side = 0;
    for (int round = 0; round < ROUNDS; round++) {
        scree_cone cone = random_cone(d);
        double y[5] = { 0 }, x[5], z[5], again[5], size, apart = 0, moved = 0;
        random_point(&cone, y);
        memcpy(x, y, sizeof x);
        scree_cone_project(&cone, x);
        project_polar(&cone, y, z);
        memcpy(again, x, sizeof again);
        scree_cone_project(&cone, again);
        size = length_of(y, d);
        for (int k = 0; k < d; k++) {
            apart = fmax(apart, fabs(x[k] + z[k] - y[k]));
            moved = fmax(moved, fabs(again[k] - x[k]));
        }
        worst = fmax(worst, apart / size);
        if (!(apart <= 1e-14 * size))
            COMPLAIN("d = %d, mu = %g, %g, y = (%g, %g, ...): x + z misses y by %.3g of its length",
                     d, cone.mu, cone.mu_rolling, y[0], y[1], apart / size);
        CHECK(moved <= 1e-15 * size);
        CHECK(outside(&cone, x) <= 1e-15 * size);
        if (length_of(x, d) == 0)
            tip++;
        else if (length_of(z, d) <= 1e-15 * size)
            inside++;
        else
            side++;
    }
    printf("d = %d: worst decomposition %.2g; inside %d, tip %d, side %d\n", d, worst, inside, tip,
           side);
    CHECK(inside > ROUNDS / 20 && tip > ROUNDS / 20 && side > ROUNDS / 20);
}

static void projects_in_the_plane(void) { projects(2); }
static void projects_in_space(void) { projects(3); }
static void projects_with_rolling(void) { projects(5); }

static void without_friction_only_the_normal_is_left(void) {
    for (int d = 2; d <= 5; d += d == 3 ? 2 : 1) {
        scree_cone cone = { .d = d };
        double pushed[5] = { 2, 3, 4, 5, 6 }, pulled[5] = { -2, 3, 4, 5, 6 };
        scree_cone_project(&cone, pushed);
        scree_cone_project(&cone, pulled);
        CHECK_NEAR(pushed[0], 2, 0);
        CHECK_NEAR(pulled[0], 0, 0);
        for (int k = 1; k < d; k++) {
            CHECK_NEAR(pushed[k], 0, 0);
            CHECK_NEAR(pulled[k], 0, 0);
        }
    }
}

static void the_shift_brings_separating_velocities_into_the_dual(void) {
    for (int round = 0; round < ROUNDS; round++) {
        int d = (int[]){ 2, 3, 5 }[random_int(0, 2)];
        scree_cone cone = random_cone(d);
        double s[5] = { 0 }, z[5], minus[5] = { 0 };
        random_point(&cone, s);
        if (cone.free) {
            CHECK_NEAR(scree_cone_shift(&cone, s), 0, 0);
            continue;
        }
        s[0] = fabs(s[0]);
        double shift = scree_cone_shift(&cone, s), size;
        for (int k = 0; k < d; k++) minus[k] = -s[k];
        minus[0] -= shift;
        project_polar(&cone, minus, z);  // K* = -K°
        size = length_of(minus, d);
        for (int k = 0; k < d; k++) CHECK_NEAR(z[k], minus[k], 1e-14 * size);
        // and no further than needed: without s_N it is on the boundary
        double edge = cone.mu * part_length(s, 1, d) + cone.mu_rolling * part_length(s, 3, d);
        CHECK_NEAR(shift, edge, 1e-15 * edge);
    }
}

// -------------------------------------------------------------------------------------------------
// derivatives

/// Column k of the derivative by central differences.
static void difference(const scree_cone *cone, const double *y, double h, int k, double *column) {
    double up[5], down[5];
    memcpy(up, y, sizeof up);
    memcpy(down, y, sizeof down);
    up[k] += h;
    down[k] -= h;
    scree_cone_project(cone, up);
    scree_cone_project(cone, down);
    for (int r = 0; r < cone->d; r++) column[r] = (up[r] - down[r]) / (2 * h);
}

/// Column k of the derivative; false where a kink is within reach: then it changes with the step,
/// or from one side to the other.
static bool slope(const scree_cone *cone, const double *y, double h, int k, double *column) {
    double narrow[5], above[5], moved[5], change = 0;
    memcpy(moved, y, sizeof moved);
    moved[k] += h;
    difference(cone, y, h, k, column);
    difference(cone, y, h / 8, k, narrow);
    difference(cone, moved, h / 8, k, above);
    for (int r = 0; r < cone->d; r++)
        change = fmax(change, fmax(fabs(narrow[r] - column[r]), fabs(above[r] - column[r])));
    return change < 1e-5;
}

static void differentiates(int d) {
    double worst = 0;
    int compared = 0, smooth = 0;
    for (int round = 0; round < ROUNDS; round++) {
        scree_cone cone = random_cone(d);
        double y[5] = { 0 }, J[25], column[5], x[5], Jx = 0, xx = 0;
        // differences cannot see cones that are narrower than their step
        if (cone.mu > 0) cone.mu = fmin(fmax(cone.mu, 1e-3), 1e3);
        if (cone.mu_rolling > 0) cone.mu_rolling = fmin(fmax(cone.mu_rolling, 1e-3), 1e3);
        random_point(&cone, y);
        double h = 1e-6 * length_of(y, d);
        scree_cone_derivative(&cone, y, J);
        for (int r = 0; r < d; r++)
            for (int c = 0; c < d; c++) CHECK_NEAR(J[r * d + c], J[c * d + r], 1e-15);
        for (int k = 0; k < d; k++) x[k] = uniform(-1, 1);
        for (int r = 0; r < d; r++) {
            xx += x[r] * x[r];
            for (int c = 0; c < d; c++) Jx += x[r] * J[r * d + c] * x[c];
        }
        CHECK(Jx >= -1e-14 * xx && Jx <= (1 + 1e-14) * xx);
        for (int k = 0; k < d; k++) {
            compared++;
            if (!slope(&cone, y, h, k, column)) continue;
            smooth++;
            for (int r = 0; r < d; r++) {
                worst = fmax(worst, fabs(J[r * d + k] - column[r]));
                if (!(fabs(J[r * d + k] - column[r]) <= 1e-4))
                    COMPLAIN("d = %d, mu = %g, %g: J[%d][%d] = %g, difference %g", d, cone.mu,
                             cone.mu_rolling, r, k, J[r * d + k], column[r]);
            }
        }
    }
    printf("d = %d: worst difference %.2g, %d of %d away from kinks\n", d, worst, smooth, compared);
    CHECK(smooth > 0.8 * compared);
}

static void differentiates_in_the_plane(void) { differentiates(2); }
static void differentiates_in_space(void) { differentiates(3); }
static void differentiates_with_rolling(void) { differentiates(5); }

// -------------------------------------------------------------------------------------------------
// the scaling of the interior point

/// A point inside, at least `margin` of its length from the boundary.
static void random_inside(int k, double margin, double *x) {
    double size = log_uniform(1e-6, 1e6), length = 0;
    for (int i = 1; i < SCREE_LORENTZ_MAX; i++) {
        x[i] = i <= k ? size * uniform(-1, 1) : 0;
        length = hypot(length, x[i]);
    }
    x[0] = length * (1 + log_uniform(margin, 10)) + (k == 0 ? size : 0);
}

static double distance_inside(const double *x, const double *dx, double t, int k) {
    double at[SCREE_LORENTZ_MAX] = { 0 };
    for (int i = 0; i <= k; i++) at[i] = x[i] + t * dx[i];
    return (at[0] - hypot(at[1], at[2])) / fabs(x[0]);
}

static void the_scaling_maps_y_to_x(void) {
    double worst = 0;
    for (int round = 0; round < ROUNDS; round++) {
        scree_lorentz cone = { .k = random_int(0, 2) };
        double z[SCREE_LORENTZ_MAX] = { 0 };
        random_inside(cone.k, 0.01, cone.x);
        random_inside(cone.k, 0.01, cone.y);
        CHECK(scree_lorentz_prepare(&cone));
        double size = length_of(cone.x, cone.k + 1);
        for (int r = 0; r <= cone.k; r++) {  // D y = x
            for (int c = 0; c <= cone.k; c++)
                z[r] += scree_lorentz_weight(&cone, false, r, c) * cone.y[c];
            worst = fmax(worst, fabs(z[r] - cone.x[r]) / size);
        }
        scree_lorentz_unscale(&cone, cone.x, z);  // Ws^-1 x = lambda
        for (int i = 0; i <= cone.k; i++)
            CHECK_NEAR(z[i], cone.lambda[i], 1e-12 * length_of(cone.lambda, cone.k + 1));
        scree_lorentz_scale(&cone, z, z);
        for (int i = 0; i <= cone.k; i++) CHECK_NEAR(z[i], cone.x[i], 1e-12 * size);
    }
    printf("D y = x to %.2g\n", worst);
    CHECK(worst <= 1e-13);
}

static void the_inverse_weight_is_the_inverse(void) {
    for (int round = 0; round < ROUNDS; round++) {
        scree_lorentz cone = { .k = random_int(0, 2) };
        random_inside(cone.k, 0.1, cone.x);
        random_inside(cone.k, 0.1, cone.y);
        CHECK(scree_lorentz_prepare(&cone));
        for (int r = 0; r <= cone.k; r++)
            for (int c = 0; c <= cone.k; c++) {
                double sum = 0;
                for (int i = 0; i <= cone.k; i++)
                    sum += scree_lorentz_weight(&cone, false, r, i) *
                           scree_lorentz_weight(&cone, true, i, c);
                CHECK_NEAR(sum, r == c, 1e-11);
            }
    }
}

static void the_largest_step_ends_on_the_boundary(void) {
    int bounded = 0;
    for (int round = 0; round < ROUNDS; round++) {
        scree_lorentz cone = { .k = random_int(0, 2) };
        random_inside(cone.k, 0.1, cone.x);
        random_inside(cone.k, 0.1, cone.y);
        for (int i = 0; i <= cone.k; i++) {
            cone.dx[i] = cone.x[0] * uniform(-1, 1);
            cone.dy[i] = cone.y[0] * uniform(-1, 1);
        }
        CHECK(scree_lorentz_prepare(&cone));
        double t = scree_lorentz_step(&cone);
        if (t == HUGE_VAL) t = 1e6;
        bounded += t < 1e6;
        double x = distance_inside(cone.x, cone.dx, t, cone.k);
        double y = distance_inside(cone.y, cone.dy, t, cone.k);
        CHECK(fmin(x, y) >= -1e-9 * (1 + t));
        if (t < 1e6) CHECK(fmin(x, y) <= 1e-9 * (1 + t));
    }
    CHECK(bounded > ROUNDS / 2);
}

static void what_is_outside_has_no_scaling(void) {
    scree_lorentz edge = { .k = 2, .x = { 5, 3, 4 }, .y = { 2, 1, 0 } };
    scree_lorentz negative = { .k = 0, .x = { -1 }, .y = { -1 } };
    CHECK(!scree_lorentz_prepare(&edge));
    CHECK(!scree_lorentz_prepare(&negative));
}

TEST_FILE(test_cone) {
    TEST(projects_in_the_plane);
    TEST(projects_in_space);
    TEST(projects_with_rolling);
    TEST(without_friction_only_the_normal_is_left);
    TEST(the_shift_brings_separating_velocities_into_the_dual);
    TEST(differentiates_in_the_plane);
    TEST(differentiates_in_space);
    TEST(differentiates_with_rolling);
    TEST(the_scaling_maps_y_to_x);
    TEST(the_inverse_weight_is_the_inverse);
    TEST(the_largest_step_ends_on_the_boundary);
    TEST(what_is_outside_has_no_scaling);
    return harness_end();
}
