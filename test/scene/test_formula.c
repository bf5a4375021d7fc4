// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// test_formula.c - expressions of coordinates and velocities: exact derivatives along directions,
// which variables occur, every message; random ones against differences.

#include <float.h>
#include <stdint.h>
#include <string.h>

#include "harness.h"
#include "random.h"
#include "scene/expression.h"

static const char *const parameter[] = { "m", "l" };
static const double parameter_value[] = { 3, 0.5 };
static const char *const variable[] = { "x", "phi", "half" };  // half is no coordinate

static scree_names names_of(bool moving) {
    return (scree_names){ .count = 2,
                          .name = parameter,
                          .value = parameter_value,
                          .time = moving,
                          .variables = 3,
                          .coordinates = 2,
                          .variable = variable,
                          .velocity = moving };
}

typedef struct parsed {
    scree_arena arena;
    scree_expression *expression;
} parsed;

static parsed parse(const char *text) {
    parsed p = { 0 };
    scree_names names = names_of(true);
    char message[200] = "";
    int offset = -1;
    p.expression = scree_expression_parse(text, &names, &p.arena, message, sizeof message, &offset);
    if (!p.expression) COMPLAIN("%s: at %d: %s", text, offset, message);
    return p;
}

// ---- closed forms

// x = 0.7, phi = -0.4, half = 1.5, x' = 2, phi' = -3; t = 0.25
static const double place[] = { 0.7, -0.4, 1.5, 2, -3 };

static scree_dual along(const char *text, int direction) {
    scree_dual at[5], result = { NAN, NAN };
    for (int i = 0; i < 5; i++) at[i] = (scree_dual){ place[i], i == direction };
    parsed p = parse(text);
    if (p.expression) result = scree_expression_along(p.expression, 0.25, at);
    scree_arena_free(&p.arena);
    return result;
}

static void closed_forms(void) {
    double x = place[0], phi = place[1];
    CHECK_NEAR(along("m*l^2/2*cos(x - phi)", 0).value, 0.375 * cos(x - phi), 1e-16);
    CHECK_NEAR(along("m*l^2/2*cos(x - phi)", 0).rate, -0.375 * sin(x - phi), 1e-16);
    CHECK_NEAR(along("m*l^2/2*cos(x - phi)", 1).rate, 0.375 * sin(x - phi), 1e-16);
    CHECK(along("m*l^2/2*cos(x - phi)", 2).rate == 0);
    CHECK_NEAR(along("x^phi", 0).rate, phi * pow(x, phi - 1), 1e-15);
    CHECK_NEAR(along("x^phi", 1).rate, pow(x, phi) * log(x), 1e-15);
    CHECK_NEAR(along("half*x/phi", 2).rate, x / phi, 1e-15);
    CHECK_NEAR(along("hypot(x, phi)", 1).rate, phi / hypot(x, phi), 1e-16);
    CHECK_NEAR(along("atan2(phi, x)", 0).rate, -phi / (x * x + phi * phi), 1e-15);
    CHECK_NEAR(along("max(x, phi)*phi", 1).rate, x, 0);
}

static void velocities_and_time(void) {
    CHECK_NEAR(along("x'*phi", -1).value, 2 * -0.4, 1e-16);
    CHECK_NEAR(along("-m*phi'^2 + x' - t", -1).value, -27 + 2 - 0.25, 0);
    CHECK_NEAR(along("phi'*phi'", 4).rate, -6, 0);
    CHECK_NEAR(along("phi'*phi'", 1).rate, 0, 0);
    // time stands still, also where it occurs
    CHECK_NEAR(along("t*x", 0).rate, 0.25, 0);
    CHECK_NEAR(along("sin(t)", -1).rate, 0, 0);
    CHECK_NEAR(along("(x')^2", -1).value, 4, 0);
}

// a bit for each variable
static uint64_t variables_of(const scree_expression *expression) {
    uint64_t found = 0;
    for (int i = 0; i < 64; i++)
        if (scree_expression_uses(expression, i)) found |= UINT64_C(1) << i;
    CHECK_INT(scree_expression_uses(expression, -1), found != 0);
    return found;
}

static uint64_t uses(const char *text) {
    parsed p = parse(text);
    uint64_t found = p.expression ? variables_of(p.expression) : ~UINT64_C(0);
    scree_arena_free(&p.arena);
    return found;
}

static void what_occurs(void) {
    CHECK_INT(uses("m*l + 1"), 0);
    CHECK_INT(uses("m*x"), 1);
    CHECK_INT(uses("sin(phi) + t"), 2);
    CHECK_INT(uses("half*x'"), 4 + 8);
    CHECK_INT(uses("x + phi + half + x' + phi'"), 31);
}

// ---- messages

static void refused(const char *text, bool moving, int offset, const char *message) {
    scree_arena arena = { 0 };
    scree_names names = names_of(moving);
    char said[200] = "";
    int at = -1;
    if (scree_expression_parse(text, &names, &arena, said, sizeof said, &at))
        COMPLAIN("%s is taken", text);
    CHECK_TEXT(said, message);
    CHECK_INT(at, offset);
    scree_arena_free(&arena);
}

static void messages(void) {
    refused("1 + x'", false, 4, "x' (a velocity) cannot be used here");
    refused("x*t", false, 2, "t (time) cannot be used here");
    refused("half'", true, 0, "only coordinates have a velocity, and half is none");
    refused("cos(phj)", false, 4, "unknown name \"phj\", did you mean \"phi\"?");
    refused("haf*2", true, 0, "unknown name \"haf\", did you mean \"half\"?");
    refused("x(2)", true, 0, "x is a number, not a function; write a product with '*'");
    refused("x'(2)", true, 0, "x' is a number, not a function; write a product with '*'");
    refused("x''", true, 2, "expected an operator or the end but found '''");
    refused("x '", true, 2, "expected an operator or the end but found '''");
    refused("m'", true, 1, "expected an operator or the end but found '''");
    CHECK(scree_expression_is_function("sin") && scree_expression_is_function("max"));
    CHECK(!scree_expression_is_function("pi") && !scree_expression_is_function("x"));
}

// ---- random expressions

enum { TEXT = 4000 };

// a smooth expression of all variables, whose values stay within about 1e3
static void write_random(char *text, int depth) {
    static const char *const leaf[] = { "x", "phi", "half", "x'", "phi'", "l", "0.3", "t" };
    static const char *const one[] = { "sin", "cos", "atan", "tanh" };
    char a[TEXT], b[TEXT];
    if (depth == 0) {
        snprintf(text, TEXT, "%s", leaf[random_int(0, 7)]);
        return;
    }
    write_random(a, depth - 1);
    write_random(b, depth - 1);
    int kind = random_int(0, 7);
    if (kind < 2)
        snprintf(text, TEXT, "%s(%.1900s) - %.1900s", one[random_int(0, 3)], a, b);
    else if (kind == 2)
        snprintf(text, TEXT, "(%.1900s)*tanh(%.1900s)", a, b);
    else if (kind == 3)
        snprintf(text, TEXT, "(%.1900s)/(2 + sin(%.1900s))", a, b);
    else if (kind == 4)
        snprintf(text, TEXT, "sqrt(1 + (%.1900s)^2) + %.1900s", a, b);
    else if (kind == 5)
        snprintf(text, TEXT, "exp(cos(%.1900s))*sin(%.1900s)", a, b);
    else if (kind == 6)
        snprintf(text, TEXT, "hypot(%.1900s, 1)^(1/3) + (%.1900s)", a, b);
    else
        snprintf(text, TEXT, "log(3 + cos(%.1900s)) + atan2(%.1900s, 5)", a, b);
}

// value at place + s direction
static double value_at(const scree_expression *e, const double *q, const double *direction,
                       double s) {
    scree_dual at[5];
    for (int i = 0; i < 5; i++) at[i] = (scree_dual){ q[i] + s * direction[i], 0 };
    return scree_expression_along(e, 0.25, at).value;
}

// central differences of order 8, from values alone
static double difference(const scree_expression *e, const double *q, const double *direction,
                         double h) {
    static const double weight[] = { 4 / 5., -1 / 5., 4 / 105., -1 / 280. };
    double sum = 0;
    for (int k = 1; k <= 4; k++)
        sum += weight[k - 1] *
               (value_at(e, q, direction, k * h) - value_at(e, q, direction, -k * h)) / h;
    return sum;
}

static void random_derivatives(void) {
    char text[TEXT];
    double worst = 0;
    int looked = 0;
    for (int trial = 0; trial < 3000; trial++) {
        double q[5], direction[5];
        scree_dual at[5];
        write_random(text, random_int(1, 4));
        for (int i = 0; i < 5; i++) {
            q[i] = uniform(-1, 1);
            direction[i] = uniform(-1, 1);
            at[i] = (scree_dual){ q[i], direction[i] };
        }
        parsed p = parse(text);
        if (!p.expression) return;
        scree_dual exact = scree_expression_along(p.expression, 0.25, at);
        CHECK(exact.value == value_at(p.expression, q, direction, 0));
        // two lengths: where they do not agree differences say nothing
        double fine = difference(p.expression, q, direction, 1e-3);
        double coarse = difference(p.expression, q, direction, 2e-3);
        double size = 1 + fabs(exact.rate) + fabs(exact.value);
        scree_arena_free(&p.arena);
        if (fabs(fine - coarse) > 1e-10 * size) continue;
        looked++;
        worst = fmax(worst, fabs(exact.rate - fine) / size);
        if (!(fabs(exact.rate - fine) <= 1e-11 * size))
            COMPLAIN("%s: %.17g, by differences %.17g", text, exact.rate, fine);
    }
    CHECK(looked > 2000);
    printf("random formulas: %d looked at, worst derivative off by %.2g\n", looked, worst);
}

// a derivative along a direction is the sum of those along its coordinates
static void directions_add_up(void) {
    char text[TEXT];
    for (int trial = 0; trial < 500; trial++) {
        scree_dual at[5];
        double q[5], direction[5], sum = 0, size = 0;
        write_random(text, random_int(1, 4));
        parsed p = parse(text);
        if (!p.expression) return;
        for (int i = 0; i < 5; i++) {
            q[i] = uniform(-1, 1);
            direction[i] = uniform(-1, 1);
        }
        uint64_t occurs = variables_of(p.expression);
        for (int k = 0; k < 5; k++) {
            for (int i = 0; i < 5; i++) at[i] = (scree_dual){ q[i], i == k };
            double rate = scree_expression_along(p.expression, 0.25, at).rate;
            if (!(occurs >> k & 1)) CHECK(rate == 0);
            sum += direction[k] * rate;
            size += fabs(direction[k] * rate);
        }
        for (int i = 0; i < 5; i++) at[i] = (scree_dual){ q[i], direction[i] };
        CHECK_NEAR(scree_expression_along(p.expression, 0.25, at).rate, sum, 1e-13 * (1 + size));
        scree_arena_free(&p.arena);
    }
}

TEST_FILE(test_formula) {
    TEST(closed_forms);
    TEST(velocities_and_time);
    TEST(what_occurs);
    TEST(messages);
    TEST(random_derivatives);
    TEST(directions_add_up);
    return harness_end();
}
