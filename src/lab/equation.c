// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// equation.c - all solutions of  a x + b |x| + c ∈ -(1 + d) sgn(x)  (Brogliato, p. 184).
// in: a, b, c, d.   out: points and half lines.
//
// With s = 1 + d there are three branches, each a line of its own:
//
//     x > 0    (a + b) x = -s - c
//     x = 0    |c| <= |s|
//     x < 0    (a - b) x =  s - c
//
// On the outer ones a slope and a right side that both vanish leave a half line. A right side that
// vanishes means |c| = |s|, so that 0 belongs to the half line; the test of |c| <= |s| uses the
// same two zeros, and the branches never contradict each other.

#include <math.h>

#include "scree/paradox.h"

static const double largest = 1e100;  // nothing overflows below it

// a difference of numbers of this size, or zero
static double settle(double value, double size, double tolerance) {
    return fabs(value) <= tolerance * size ? 0 : value;
}

static scree_status check(const double given[4], double tolerance, scree_error *err) {
    static const char name[] = "abcd";
    for (int i = 0; i < 4; i++)
        if (!(fabs(given[i]) <= largest))
            return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                              "%c must be a number of at most %g in size, got %g", name[i], largest,
                              given[i]);
    if (!(tolerance >= 0 && tolerance <= SCREE_PARADOX_TOLERANCE_MOST))
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                          "the tolerance must be between 0 and %g, got %g",
                          SCREE_PARADOX_TOLERANCE_MOST, tolerance);
    return SCREE_OK;
}

typedef struct branch {
    double slope, right;  // slope x = right
    double side;          // the sign of x
} branch;

static bool is_half_line(const branch *one) { return one->slope == 0 && one->right == 0; }

static bool has_point(const branch *one) {
    return one->slope * one->side != 0 && one->right != 0 &&
           (one->right > 0) == (one->slope * one->side > 0);
}

static scree_status add_point(const branch *one, scree_equation_set *set, scree_error *err) {
    double x = one->right / one->slope;
    if (!isfinite(x))
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                          "a solution is too large for a number: %g / %g", one->right, one->slope);
    set->point[set->points++] = x;
    return SCREE_OK;
}

// half lines from 0, or the whole line
static void add_families(bool minus, bool plus, scree_equation_set *set) {
    if (minus || plus)
        set->family[set->families++] =
            (scree_interval){ minus ? -HUGE_VAL : 0, plus ? HUGE_VAL : 0 };
}

scree_status scree_equation_solve(double a, double b, double c, double d, double tolerance,
                                  scree_equation_set *set, scree_error *err) {
    *set = (scree_equation_set){ 0 };
    const double given[4] = { a, b, c, d };
    scree_status status = check(given, tolerance, err);
    if (status) return status;
    double steep = fmax(fabs(a), fabs(b)), high = fmax(1, fmax(fabs(c), fabs(d)));
    double s = 1 + d;
    branch plus = { settle(a + b, steep, tolerance), settle(-s - c, high, tolerance), 1 };
    branch minus = { settle(a - b, steep, tolerance), settle(s - c, high, tolerance), -1 };
    bool zero = fabs(c) < fabs(s) || plus.right == 0 || minus.right == 0;

    if (has_point(&minus)) status = add_point(&minus, set, err);
    if (zero && !is_half_line(&minus) && !is_half_line(&plus)) set->point[set->points++] = 0;
    if (!status && has_point(&plus)) status = add_point(&plus, set, err);
    add_families(is_half_line(&minus), is_half_line(&plus), set);
    return status;
}
