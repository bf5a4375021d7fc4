// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// test_criteria_pencil.c - small null spaces, and eigenvalues of quadratic pencils that are known.

#include "harness.h"
#include "lab/criteria_pencil.h"
#include "random.h"

enum { K = 6 };

static scree_pencil pencil;

static double dot(const double *x, const double *y, int n) {
    double sum = 0;
    for (int k = 0; k < n; k++) sum += x[k] * y[k];
    return sum;
}

// one line of (lambda^2 A2 + lambda A1 + A0) x
static double line_of(const scree_pencil *p, double lambda, int line, const double *x) {
    const int k = p->size, at = line * k;
    return lambda * lambda * dot(p->A2 + at, x, k) + lambda * dot(p->A1 + at, x, k) +
           dot(p->A0 + at, x, k);
}

// (lambda - S1)(lambda - S2) with S1 = T diag(a) T, T a mirror, and S2 = diag(b): eigenvalues a, b
static void fill_pencil(const double *a, const double *b, int k) {
    double u[K], T[K * K];
    for (int i = 0; i < k; i++) u[i] = uniform(-1, 1);
    for (int i = 0; i < k; i++)
        for (int j = 0; j < k; j++) T[i * k + j] = (i == j) - 2 * u[i] * u[j] / dot(u, u, k);
    pencil.size = k;
    for (int i = 0; i < k; i++)
        for (int j = 0; j < k; j++) {
            double S = 0;
            for (int l = 0; l < k; l++) S += T[i * k + l] * a[l] * T[l * k + j];
            pencil.A2[i * k + j] = i == j;
            pencil.A1[i * k + j] = -S - (i == j ? b[i] : 0);
            pencil.A0[i * k + j] = S * b[j];
        }
}

static void known_factors(void) {
    double a[K], b[K], real[2 * K], imaginary[2 * K], x[SCREE_PENCIL_COORDINATES];
    int simple = 0;
    seed = 21;
    for (int trial = 0; trial < 200; trial++) {
        int k = random_int(1, K);
        for (int i = 0; i < k; i++) a[i] = uniform(-3, 3);
        for (int i = 0; i < k; i++) b[i] = uniform(-3, 3);
        fill_pencil(a, b, k);
        int found = scree_pencil_eigenvalues(&pencil, real, imaginary);
        CHECK_INT(found, 2 * k);
        for (int i = 0; i < 2 * k && found == 2 * k; i++) {
            double known = i < k ? a[i] : b[i - k], near = HUGE_VAL, lambda = known + 1e-7;
            for (int j = 0; j < found; j++) near = fmin(near, hypot(real[j] - known, imaginary[j]));
            CHECK_NEAR(near, 0, 1e-6);
            if (!scree_pencil_motion(&pencil, &lambda, x)) continue;  // too near to another
            simple++;
            CHECK_NEAR(lambda, known, 1e-9);
            CHECK_NEAR(dot(x, x, k), 1, 1e-12);
            for (int j = 0; j < k; j++) CHECK_NEAR(line_of(&pencil, lambda, j, x), 0, 1e-9);
        }
    }
    CHECK(simple > 1000);
}

// a double root may be a pair of complex ones, whatever rounding makes of it
static void double_roots_are_refused(void) {
    double x[SCREE_PENCIL_COORDINATES], lambda = 1;
    pencil = (scree_pencil){ .size = 1, .A2 = { 1 }, .A1 = { -2 }, .A0 = { 1 } };
    CHECK(!scree_pencil_motion(&pencil, &lambda, x));
    // two motions of one rate
    pencil = (scree_pencil){ .size = 2, .A2 = { 1, 0, 0, 1 }, .A0 = { -1, 0, 0, -1 } };
    lambda = 1;
    CHECK(!scree_pencil_motion(&pencil, &lambda, x));
    lambda = 1;
    pencil.A0[3] = -2;
    CHECK(scree_pencil_motion(&pencil, &lambda, x));
    CHECK_NEAR(fabs(x[0]), 1, 1e-12);
}

// no inertia in one direction: two finite eigenvalues, not four
static void singular_inertia(void) {
    double real[2 * K], imaginary[2 * K];
    pencil = (scree_pencil){ .size = 2, .A2 = { 1, 0, 0, 0 }, .A0 = { -4, 0, 0, 1 } };
    CHECK_INT(scree_pencil_eigenvalues(&pencil, real, imaginary), 2);
    CHECK_NEAR(fabs(real[0]), 2, 1e-12);
    CHECK_NEAR(real[0] + real[1], 0, 1e-12);
}

static void rest_is_a_matter_of_tolerance(void) {
    double x[SCREE_PENCIL_COORDINATES];
    pencil = (scree_pencil){ .size = 2, .A2 = { 1, 0, 0, 1 }, .A0 = { 1, 1, 1, 1 + 1e-13 } };
    CHECK(scree_pencil_rest(&pencil, 2, 1e-12, x));
    CHECK_NEAR(x[0] + x[1], 0, 1e-12);
    pencil.A0[3] = 1 + 1e-9;
    CHECK(!scree_pencil_rest(&pencil, 2, 1e-12, x));
    // two directions at once
    for (int i = 0; i < 4; i++) pencil.A0[i] = 0;
    CHECK(!scree_pencil_rest(&pencil, 2, 1e-12, x));
}

static void null_spaces(void) {
    static scree_svd svd;
    const double dependent[] = { 1, 2, 0, 2, 4, 0 }, doubtful[] = { 1, 0, 0, 1, 1e-10, 0 };
    double y[2];
    CHECK(scree_svd_find(dependent, 2, 3, &svd));
    CHECK_INT(svd.rank, 1);
    for (int k = 1; k < 3; k++) CHECK_NEAR(dot(dependent, svd.left + 3 * k, 3), 0, 1e-14);
    // the shortest y with y_1 (1, 2, 0) + y_2 (2, 4, 0) = (5, 10, 0)
    scree_svd_solve_transposed(&svd, (const double[]){ 5, 10, 0 }, y);
    CHECK_NEAR(y[0], 1, 1e-13);
    CHECK_NEAR(y[1], 2, 1e-13);
    CHECK(!scree_svd_find(doubtful, 2, 3, &svd));
    CHECK(scree_svd_find(NULL, 0, 3, &svd));
    CHECK_INT(svd.rank, 0);
}

TEST_FILE(test_criteria_pencil) {
    TEST(known_factors);
    TEST(double_roots_are_refused);
    TEST(singular_inertia);
    TEST(rest_is_a_matter_of_tolerance);
    TEST(null_spaces);
    return harness_end();
}
