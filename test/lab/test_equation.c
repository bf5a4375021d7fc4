// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// test_equation.c - a x + b |x| + c ∈ -(1 + d) sgn(x): the printed cases, and a judge that shares
// nothing with the solver.
//
// The judge looks at g(x) = a x + b |x| + c + (1 + d) sgn(x) on each open half line, where it is a
// straight line: its signs at 0 and far away say whether there is a root, and bisection finds it.

#include "harness.h"
#include "random.h"
#include "scree/paradox.h"

typedef struct verdict {
    int points;
    long double point[3];
    bool half_line[2];  // x < 0, x > 0
} verdict;

static int sign(long double x) { return (x > 0) - (x < 0); }

// long double has more digits than the solver; for the quarters below nothing is rounded at all
static verdict judge(double a, double b, double c, double d) {
    verdict v = { 0 };
    long double jump = 1 + (long double)d;
    bool zero = c <= fabsl(jump) && -c <= fabsl(jump);
    for (int k = 0; k < 2; k++) {
        int side = k ? 1 : -1;
        long double near = (long double)c + side * jump;           // g at the side of 0
        long double far = side * (long double)a + (long double)b;  // and how it grows outwards
        v.half_line[k] = sign(near) == 0 && sign(far) == 0;
        if (k == 1 && zero && !v.half_line[0] && !v.half_line[1]) v.point[v.points++] = 0;
        if (sign(near) * sign(far) != -1) continue;
        long double low = 0, high = 1;
        while (sign(near + far * high) == sign(near)) high *= 2;
        for (int i = 0; i < 200; i++) {
            long double middle = (low + high) / 2;
            *(sign(near + far * middle) == sign(near) ? &low : &high) = middle;
        }
        v.point[v.points++] = side * (low + high) / 2;
    }
    return v;
}

static void compare(double a, double b, double c, double d) {
    verdict expected = judge(a, b, c, d);
    scree_equation_set set;
    scree_error err = { 0 };
    CHECK_INT(scree_equation_solve(a, b, c, d, SCREE_PARADOX_TOLERANCE, &set, &err), SCREE_OK);
    bool line = expected.half_line[0] || expected.half_line[1];
    if (set.points != expected.points || set.families != line) {
        COMPLAIN("%g x + %g |x| + %g, d = %g: %d points, %d families, expected %d and %d", a, b, c,
                 d, set.points, set.families, expected.points, line);
        return;
    }
    for (int i = 0; i < set.points; i++) {
        double x = (double)expected.point[i];
        CHECK_NEAR(set.point[i], x, 1e-13 * (1 + fabs(x)));
    }
    if (!line) return;
    CHECK(set.family[0].low == (expected.half_line[0] ? -HUGE_VAL : 0));
    CHECK(set.family[0].high == (expected.half_line[1] ? HUGE_VAL : 0));
}

static void random_quadruples_agree_with_the_judge(void) {
    seed = 11;
    for (int i = 0; i < 4000; i++)
        compare(uniform(-3, 3), uniform(-3, 3), uniform(-3, 3), uniform(-4, 2));
}

// quarters: slopes and right sides vanish often, and nothing is rounded
static void degenerate_quadruples_agree_with_the_judge(void) {
    seed = 12;
    int endless = 0, border = 0;
    for (int i = 0; i < 20000; i++) {
        double a = random_int(-3, 3) / 4.0, b = random_int(-3, 3) / 4.0;
        double c = random_int(-6, 6) / 4.0, d = random_int(-10, 2) / 4.0;
        compare(a, b, c, d);
        endless += judge(a, b, c, d).half_line[0] || judge(a, b, c, d).half_line[1];
        border += fabs(c) == fabs(1 + d);
    }
    CHECK(endless > 300 && border > 2000);
}

typedef struct outcome {
    int count;  // -1: infinitely many
    double x[2];
} outcome;

static void check_printed(double a, double b, double c, double d, outcome expected) {
    scree_equation_set set;
    scree_error err = { 0 };
    CHECK_INT(scree_equation_solve(a, b, c, d, SCREE_PARADOX_TOLERANCE, &set, &err), SCREE_OK);
    CHECK_INT(set.families ? -1 : set.points, expected.count);
    for (int i = 0; i < set.points && i < expected.count; i++)
        CHECK_NEAR(set.point[i], expected.x[i], 1e-13 * (1 + fabs(expected.x[i])));
}

// s = 1 + d, p = a + b, m = a - b; the cases (a) to (d) of the list
static void try_printed(double p, double m, double c, double s, outcome expected) {
    check_printed((p + m) / 2, (p - m) / 2, c, s - 1, expected);
}

static void unique_cases(void) {
    seed = 13;
    for (int i = 0; i < 300; i++) {
        double p = uniform(0.1, 3), m = uniform(0.1, 3), s = uniform(0.1, 3);
        double inside = uniform(-1, 1) * s, beyond = s + uniform(0.1, 2);
        try_printed(p, m, inside, s, (outcome){ 1, { 0 } });
        try_printed(p, m, -beyond, s, (outcome){ 1, { (beyond - s) / p } });
        try_printed(p, m, beyond, s, (outcome){ 1, { (s - beyond) / m } });
        try_printed(-p, -m, inside, -s, (outcome){ 1, { 0 } });
        try_printed(-p, -m, beyond, -s, (outcome){ 1, { (beyond - s) / p } });
        try_printed(-p, -m, -beyond, -s, (outcome){ 1, { (s - beyond) / m } });
    }
}

static void cases_of_none_one_and_two(void) {
    seed = 14;
    for (int i = 0; i < 300; i++) {
        double p = -uniform(0.1, 3), m = uniform(0.1, 3), s = -uniform(0.1, 3);
        double below = s - uniform(0.1, 2), inside = uniform(-0.9, 1) * -s;
        double above = -s + uniform(0.1, 2);
        try_printed(p, m, below, s, (outcome){ 0, { 0 } });
        try_printed(p, m, s, s, (outcome){ 1, { 0 } });
        try_printed(p, m, inside, s, (outcome){ 2, { (s - inside) / m, 0 } });
        try_printed(p, m, -s, s, (outcome){ 2, { 2 * s / m, 0 } });
        try_printed(p, m, above, s, (outcome){ 2, { (s - above) / m, (-s - above) / p } });
    }
}

static void cases_of_half_lines(void) {
    seed = 15;
    for (int i = 0; i < 300; i++) {
        double k = -uniform(0.1, 3), s = -uniform(0.1, 3), inside = uniform(-0.9, 0.9) * s;
        double beyond = -s + uniform(0.1, 2);
        try_printed(k, 0, inside, s, (outcome){ 1, { 0 } });
        try_printed(0, k, inside, s, (outcome){ 1, { 0 } });
        try_printed(0, k, -s, s, (outcome){ -1, { 0 } });
        try_printed(0, k, beyond, s, (outcome){ 0, { 0 } });
        try_printed(k, 0, -beyond, s, (outcome){ 0, { 0 } });
        try_printed(k, 0, s, s, (outcome){ -1, { 0 } });
    }
}

// 0.1 + 0.2 is not 0.3: rounding of what is given must not decide, unless it is asked to
static void tolerance_decides(void) {
    scree_equation_set set;
    scree_error err = { 0 };
    double a = 0.1 + 0.2, b = -0.3, d = -2.3;
    CHECK(a + b != 0);
    CHECK_INT(scree_equation_solve(a, b, 1.3, d, 1e-12, &set, &err), SCREE_OK);
    CHECK_INT(set.families, 1);
    CHECK(set.family[0].low == 0 && set.family[0].high == HUGE_VAL);
    CHECK_INT(scree_equation_solve(a, b, 1.3, d, 0, &set, &err), SCREE_OK);
    CHECK_INT(set.families, 0);
    // what is farther away than the tolerance counts
    CHECK_INT(scree_equation_solve(0.3 + 1e-9, b, 1.3, d, 1e-12, &set, &err), SCREE_OK);
    CHECK_INT(set.families, 0);
    CHECK_INT(scree_equation_solve(0.3 + 1e-9, b, 1.3, d, 1e-6, &set, &err), SCREE_OK);
    CHECK_INT(set.families, 1);
}

static void whole_line(void) {
    scree_equation_set set;
    scree_error err = { 0 };
    CHECK_INT(scree_equation_solve(0, 0, 0, -1, 1e-12, &set, &err), SCREE_OK);
    CHECK_INT(set.points, 0);
    CHECK_INT(set.families, 1);
    CHECK(set.family[0].low == -HUGE_VAL && set.family[0].high == HUGE_VAL);
}

static void scale_changes_nothing(void) {
    scree_equation_set one, two;
    scree_error err = { 0 };
    seed = 16;
    for (int i = 0; i < 500; i++) {
        double a = uniform(-3, 3), b = uniform(-3, 3), c = uniform(-3, 3), d = uniform(-4, 2);
        scree_equation_solve(a, b, c, d, 1e-12, &one, &err);
        scree_equation_solve(0x1p-90 * a, 0x1p-90 * b, c, d, 1e-12, &two, &err);
        CHECK_INT(two.points, one.points);
        for (int k = 0; k < one.points; k++) CHECK(two.point[k] == 0x1p90 * one.point[k]);
    }
}

static void bad_input_is_refused(void) {
    scree_equation_set set;
    scree_error err = { 0 };
    CHECK_INT(scree_equation_solve(NAN, 1, 1, 1, 1e-12, &set, &err), SCREE_BAD_INPUT);
    CHECK(strstr(err.text, "a must be") != NULL);
    CHECK_INT(scree_equation_solve(1, 1, 1, HUGE_VAL, 1e-12, &set, &err), SCREE_BAD_INPUT);
    CHECK_INT(scree_equation_solve(1, 1, 1e101, 1, 1e-12, &set, &err), SCREE_BAD_INPUT);
    CHECK(strstr(err.text, "1e+100") != NULL);
    CHECK_INT(scree_equation_solve(1, 1, 1, 1, -1, &set, &err), SCREE_BAD_INPUT);
    CHECK_INT(scree_equation_solve(1, 1, 1, 1, 0.1, &set, &err), SCREE_BAD_INPUT);
    CHECK(strstr(err.text, "0.001") != NULL);
    CHECK_INT(scree_equation_solve(1e-300, 0, 1e99, 0, 1e-12, &set, &err), SCREE_BAD_INPUT);
    CHECK(strstr(err.text, "too large") != NULL);
}

TEST_FILE(test_equation) {
    TEST(random_quadruples_agree_with_the_judge);
    TEST(degenerate_quadruples_agree_with_the_judge);
    TEST(unique_cases);
    TEST(cases_of_none_one_and_two);
    TEST(cases_of_half_lines);
    TEST(tolerance_decides);
    TEST(whole_line);
    TEST(scale_changes_nothing);
    TEST(bad_input_is_refused);
    return harness_end();
}
