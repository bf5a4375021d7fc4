// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// test_local.c - does the solver of one contact solve the law, whatever A, b, mu and the units?
//
// The judge is the natural map p = P_K(p - (s + mu |s_T| n) / D), D = trace(A)/d, computed here in
// long double and made relative as R1 of the solvers: sqrt(D) |p - P_K| / (|b| / sqrt(D)).
//
// R1 must be below 1e-11, or below what the rounding of p alone does to it: an answer p in doubles
// moves s by eps |A| |p| and its first component by (1 + mu) times that, which is much where p is
// much larger than b/D (A nearly singular and b against it) and where mu is 1e6.

#include <float.h>
#include <stdbool.h>
#include <stdint.h>

#include "harness.h"
#include "solve/local.h"

enum { OPEN, STICK, SLIP, STATUSES };

typedef struct local {  // one problem
    int d;
    double A[9], b[3], mu;
} local;

// -------------------------------------------------------------------------------------------------
// random numbers

static uint64_t seed;

static uint64_t random_bits(void) {
    uint64_t z = seed += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static double uniform(double low, double high) {
    return low + (high - low) * (double)(random_bits() >> 11) * 0x1p-53;
}

static double log_uniform(double low, double high) { return exp(uniform(log(low), log(high))); }

static void random_rotation(int d, double *Q) {
    if (d == 2) {
        double angle = uniform(0, 6.283185307179586);
        Q[0] = Q[3] = cos(angle);
        Q[1] = -(Q[2] = sin(angle));
        return;
    }
    double q[4], size = 0;
    for (int i = 0; i < 4; i++) {
        q[i] = uniform(-1, 1);
        size += q[i] * q[i];
    }
    for (int i = 0; i < 4; i++) q[i] /= sqrt(size);
    double w = q[0], x = q[1], y = q[2], z = q[3];
    double R[9] = { 1 - 2 * (y * y + z * z), 2 * (x * y - w * z),     2 * (x * z + w * y),
                    2 * (x * y + w * z),     1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
                    2 * (x * z - w * y),     2 * (y * z + w * x),     1 - 2 * (x * x + y * y) };
    memcpy(Q, R, sizeof R);
}

/// A = Q diag Q^T with the eigenvalues scale .. scale / condition.
static void random_matrix(int d, double condition, double scale, double *A) {
    double Q[9], value[3];
    random_rotation(d, Q);
    for (int i = 0; i < d; i++) value[i] = scale * log_uniform(1 / condition, 1);
    for (int i = 0; i < d; i++)
        for (int j = 0; j <= i; j++) {
            double sum = 0;
            for (int k = 0; k < d; k++) sum += Q[i * d + k] * value[k] * Q[j * d + k];
            A[i * d + j] = A[j * d + i] = sum;
        }
}

static local random_problem(int d, double condition) {
    local one = { .d = d, .mu = uniform(0, 1) < 0.1 ? 0 : log_uniform(1e-2, 10) };
    random_matrix(d, condition, log_uniform(1e-6, 1e6), one.A);
    double size = log_uniform(1e-6, 1e6);
    for (int i = 0; i < d; i++) one.b[i] = size * uniform(-1, 1);
    if (uniform(0, 1) < 0.6) one.b[0] = -fabs(one.b[0]);
    return one;
}

// -------------------------------------------------------------------------------------------------
// the judge

static void project(long double *y, long double mu, int d) {
    long double n = d == 2 ? fabsl(y[1]) : hypotl(y[1], y[2]);
    if (y[0] >= 0 && n <= mu * y[0]) return;
    if (mu * n <= -y[0]) {
        memset(y, 0, sizeof *y * (size_t)d);
        return;
    }
    long double pn = (y[0] + mu * n) / (1 + mu * mu);
    for (int i = 1; i < d; i++) y[i] *= mu * pn / n;
    y[0] = pn;
}

static double law_residual(const local *one, const double *p) {
    int d = one->d;
    long double s[3] = { 0 }, y[3] = { 0 }, D = 0, miss = 0, size = 0;
    for (int i = 0; i < d; i++) {
        s[i] = one->b[i];
        D += one->A[i * d + i] / (long double)d;
        size += (long double)one->b[i] * one->b[i];
        for (int j = 0; j < d; j++) s[i] += (long double)one->A[i * d + j] * p[j];
    }
    s[0] += one->mu * (d == 2 ? fabsl(s[1]) : hypotl(s[1], s[2]));
    for (int i = 0; i < d; i++) y[i] = p[i] - s[i] / D;
    project(y, one->mu, d);
    for (int i = 0; i < d; i++) miss += (p[i] - y[i]) * (p[i] - y[i]);
    return size > 0 ? (double)(D * sqrtl(miss / size)) : (double)sqrtl(miss);
}

/// What R1 may be: see above.
static double allowed(const local *one, const double *p) {
    double D = 0, p_size = 0, b_size = 0;
    for (int i = 0; i < one->d; i++) {
        D += one->A[i * one->d + i] / one->d;
        p_size = hypot(p_size, p[i]);
        b_size = hypot(b_size, one->b[i]);
    }
    return fmax(1e-11, 4 * DBL_EPSILON * (1 + one->mu) * D * p_size / b_size);
}

static int status_of(const local *one, const double *p) {
    double tangential = one->d == 2 ? fabs(p[1]) : hypot(p[1], p[2]);
    if (p[0] == 0 && tangential == 0) return OPEN;
    return tangential < one->mu * p[0] * (1 - 1e-12) ? STICK : SLIP;
}

/// Relative distance of two answers, in the energy norm of A.
static double distance(const local *one, const double *p, const double *q) {
    double apart = 0, size = 0;
    for (int i = 0; i < one->d; i++)
        for (int j = 0; j < one->d; j++) {
            apart += (p[i] - q[i]) * one->A[i * one->d + j] * (p[j] - q[j]);
            size += p[i] * one->A[i * one->d + j] * p[j];
        }
    return size > 0 ? sqrt(fmax(apart, 0) / size) : sqrt(fmax(apart, 0));
}

/// Slip has one solution only if mu |A_TN| < A_NN; otherwise there may be several.
static bool unique(const local *one) {
    double coupling = one->d == 2 ? fabs(one->A[1]) : hypot(one->A[1], one->A[2]);
    return one->mu * coupling < 0.9 * one->A[0];
}

static double solve_and_judge(const local *one, double *p) {
    p[0] = p[1] = p[2] = -1e300;
    if (!scree_local_solve(one->A, one->b, one->mu, one->d, p)) {
        COMPLAIN("refused: A_NN = %g", one->A[0]);
        return INFINITY;
    }
    return law_residual(one, p);
}

static void complain(const local *one, const double *p, double residual) {
    const double *A = one->A;
    if (one->d == 2)
        COMPLAIN(
            "R1 = %.3g for A = {%.17g, %.17g, %.17g}, b = {%.17g, %.17g}, mu = %.17g, p = "
            "{%.17g, %.17g}",
            residual, A[0], A[1], A[3], one->b[0], one->b[1], one->mu, p[0], p[1]);
    else
        COMPLAIN(
            "R1 = %.3g for A = {%.17g, %.17g, %.17g, %.17g, %.17g, %.17g}, b = {%.17g, %.17g, "
            "%.17g}, mu = %.17g, p = {%.17g, %.17g, %.17g}",
            residual, A[0], A[1], A[2], A[4], A[5], A[8], one->b[0], one->b[1], one->b[2], one->mu,
            p[0], p[1], p[2]);
}

// -------------------------------------------------------------------------------------------------
// tests

static void solves_a_million(int d) {
    double worst = 0;
    int count[STATUSES][2] = { { 0 } };
    for (int k = 0; k < 500000; k++) {
        local one = random_problem(d, log_uniform(1, 1e6));
        double p[3], residual = solve_and_judge(&one, p);
        worst = fmax(worst, residual);
        if (!(residual <= allowed(&one, p))) complain(&one, p, residual);
        if (!(p[0] >= 0)) complain(&one, p, residual);
        count[status_of(&one, p)][one.mu > 0]++;
    }
    printf("d = %d: worst R1 %.2g; open %d, stick %d, slip %d, frictionless %d\n", d, worst,
           count[OPEN][1], count[STICK][1], count[SLIP][1], count[SLIP][0]);
    CHECK(count[OPEN][0] > 5000 && count[OPEN][1] > 50000);
    CHECK(count[STICK][1] > 50000);
    CHECK(count[SLIP][1] > 50000);
    CHECK(count[SLIP][0] > 5000);
}

static void a_million_planar_problems(void) { solves_a_million(2); }
static void a_million_spatial_problems(void) { solves_a_million(3); }

static void turned_tangents_give_the_turned_answer(void) {
    double worst = 0;
    int several = 0, other = 0;
    for (int k = 0; k < 200000; k++) {
        local one = random_problem(3, log_uniform(1, 1e4)), two = one;
        double angle = uniform(0, 6.283), c = cos(angle), s = sin(angle), p[3], q[3];
        double T[9] = { 1, 0, 0, 0, c, -s, 0, s, c }, TA[9] = { 0 };
        memset(two.A, 0, sizeof two.A);
        memset(two.b, 0, sizeof two.b);
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++) {
                for (int m = 0; m < 3; m++) TA[i * 3 + j] += T[i * 3 + m] * one.A[m * 3 + j];
                two.b[i] += T[i * 3 + j] * one.b[j];
            }
        for (int i = 0; i < 3; i++)
            for (int j = 0; j <= i; j++) {
                for (int m = 0; m < 3; m++) two.A[i * 3 + j] += TA[i * 3 + m] * T[j * 3 + m];
                two.A[j * 3 + i] = two.A[i * 3 + j];
            }
        double residual = fmax(solve_and_judge(&one, p), solve_and_judge(&two, q));
        if (!(residual <= allowed(&one, p))) complain(&one, p, residual);
        double back[3] = { q[0], c * q[1] + s * q[2], -s * q[1] + c * q[2] };
        double apart = distance(&one, p, back);
        several += !unique(&one);
        if (unique(&one)) {
            worst = fmax(worst, apart);
            if (!(apart < 1e-10)) complain(&one, p, apart);
        } else if (!(apart < 1e-6)) {
            other++;  // both solve the law: another of several solutions
        }
    }
    printf(
        "turned tangents: apart at most %.2g; %d of %d problems that may have several solutions "
        "gave another one\n",
        worst, other, several);
    CHECK(other == 0);
}

static void flipped_tangent_flips_the_answer(void) {
    for (int k = 0; k < 200000; k++) {
        local one = random_problem(2, log_uniform(1, 1e6)), two = one;
        double p[3], q[3];
        two.A[1] = two.A[2] = -one.A[1];
        two.b[1] = -one.b[1];
        double residual = fmax(solve_and_judge(&one, p), solve_and_judge(&two, q));
        double back[3] = { q[0], -q[1], 0 };
        if (!(residual <= allowed(&one, p))) complain(&one, p, residual);
        if (unique(&one) && !(distance(&one, p, back) < 1e-10)) complain(&one, p, residual);
    }
}

/// A in 1/kg, b in m/s: with other units of mass and velocity p is multiplied by both.
static void changes_units(int d, double mass, double velocity, double tolerance) {
    for (int k = 0; k < 50000; k++) {
        local one = random_problem(d, log_uniform(1, 1e4)), two = one;
        double p[3], q[3];
        for (int i = 0; i < d * d; i++) two.A[i] /= mass;
        for (int i = 0; i < d; i++) two.b[i] *= velocity;
        double residual = fmax(solve_and_judge(&one, p), solve_and_judge(&two, q));
        for (int i = 0; i < d; i++) q[i] /= mass * velocity;
        if (!(residual <= allowed(&one, p))) complain(&one, p, residual);
        if (unique(&one) && !(distance(&one, p, q) <= tolerance)) complain(&two, q, residual);
    }
}

static void units_do_not_matter(void) {
    for (int d = 2; d <= 3; d++) {
        changes_units(d, 3.7, 0.31, 1e-10);
        changes_units(d, 1e-3, 60, 1e-10);
        changes_units(d, 1 / 453.59237, 1 / 0.3048, 1e-10);
        changes_units(d, 0x1p20, 0x1p-9, 0);     // powers of two: the same bits
        changes_units(d, 1e50, 1.7e-40, 1e-10);  // far away, without overflow
        changes_units(d, 1e-60, 2.3e50, 1e-10);
    }
}

/// A tangential direction that no impulse can move: A_TT = A_TN = 0 there.
static void tangent_without_mobility(void) {
    for (int k = 0; k < 100000; k++) {
        local one = random_problem(2 + k % 2, 1e3);
        int d = one.d, from = d == 2 ? 1 : 1 + (int)(random_bits() % 2);
        for (int i = from; i < d; i++)
            for (int j = 0; j < d; j++) one.A[i * d + j] = one.A[j * d + i] = 0;
        if (k % 7 == 0) one.b[d - 1] = 0;
        double p[3], residual = solve_and_judge(&one, p);
        if (!(residual <= allowed(&one, p))) complain(&one, p, residual);
        // nothing couples: the normal impulse is known, friction fights what slides
        if (d == 2 && one.b[0] < 0 && one.mu > 0) {
            double pn = -one.b[0] / one.A[0];
            CHECK_NEAR(p[0], pn, 1e-12 * pn);
            if (one.b[1] != 0)
                CHECK_NEAR(p[1], -copysign(one.mu * pn, one.b[1]), 1e-12 * one.mu * pn);
        }
    }
}

/// Fewer masses than directions: A = H H^T has rank 1 (or 2 in space), up to rounding. With b in
/// the range of A there is always an answer; outside of it (a moving obstacle, or e and tau that
/// differ) only if no p in the cone has A p = 0, which mu |A_TN| < A_NN excludes.
static void directions_that_move_together(void) {
    for (int k = 0; k < 200000; k++) {
        local one = random_problem(2 + k % 2, 1e3);
        int d = one.d, rank = d == 2 ? 1 : 1 + (int)(random_bits() % 2);
        bool inside = k % 6 < 4;
        double H[3][2] = { { 0 } }, f[2] = { uniform(-1, 1), uniform(-1, 1) };
        for (int i = 0; i < d; i++)
            for (int j = 0; j < rank; j++) H[i][j] = uniform(-1, 1);
        for (int i = 0; i < d; i++) {
            if (inside) one.b[i] = H[i][0] * f[0] + H[i][1] * f[1];
            for (int j = 0; j < d; j++) one.A[i * d + j] = H[i][0] * H[j][0] + H[i][1] * H[j][1];
        }
        if (!inside && !unique(&one)) continue;
        double p[3], residual = solve_and_judge(&one, p);
        if (!(residual <= allowed(&one, p))) complain(&one, p, residual);
    }
}

/// The same with friction that presses more than it brakes, and with mobility of the size of
/// rounding and above in the direction that is left: p in the kernel of A is in the cone, b is in
/// the range of A. R1 may be what A's rounding (8 eps, see local.c) makes of p, and p is not to run
/// away.
static void judges_one_that_rounding_decides(const local *one) {
    double p[3], residual = solve_and_judge(one, p), D = (one->A[0] + one->A[4] + one->A[8]) / 3;
    double size =
        D * hypot(p[0], hypot(p[1], p[2])) / hypot(one->b[0], hypot(one->b[1], one->b[2]));
    if (!(residual <= 8 * allowed(one, p)) || !(size < 1e12)) complain(one, p, residual);
}

static void mobility_that_rounding_hides(void) {
    for (int k = 0; k < 300000; k++) {
        local one = { .d = 3, .mu = log_uniform(1, 1e3) };
        double H[3][3] = { { 0 } }, f[3] = { uniform(-1, 1), uniform(-1, 1), uniform(-1, 1) };
        double left = k % 2 ? log_uniform(1e-9, 1e-4) : 0;
        double apart = k % 3 ? 1 : log_uniform(1e-4, 1);  // nearly of rank 1
        for (int i = 0; i < 3; i++) {
            H[i][0] = uniform(-1, 1);
            H[i][1] = (k % 4 < 2) * ((1 - apart) * H[i][0] + apart * uniform(-1, 1));
            H[i][2] = left * uniform(-1, 1);
        }
        for (int i = 0; i < 3; i++)
            for (int m = 0; m < 3; m++) {
                one.b[i] += H[i][m] * f[m] * (m < 2 ? 1 : left);
                for (int j = 0; j < 3; j++) one.A[i * 3 + j] += H[i][m] * H[j][m];
            }
        judges_one_that_rounding_decides(&one);
    }
    // p of 7.3, 9.0, -14.7 sticks if these are all digits of A, and so does the shortest p
    const local seen = { .d = 3,
                         .A = { 0.91533296849409918, 1.0428169410103123, 1.0826031115843644,
                                1.0428169410103123, 1.188830360678947, 1.2349365837990947,
                                1.0826031115843644, 1.2349365837990947, 1.2835557972252576 },
                         .b = { -0.10593428313193923, -0.10475616503163382, -0.093329499144200467 },
                         .mu = 4.143434115713629 };
    judges_one_that_rounding_decides(&seen);
}

static void extreme_friction(void) {
    const double friction[] = { 1e-300, 1e-150, 1e-30, 1e-12, 1e-8, 1e2, 1e4, 1e6 };
    for (int k = 0; k < 200000; k++) {
        local one = random_problem(2 + k % 2, 1e3);
        one.mu = friction[(k / 2) % 8];
        double p[3], residual = solve_and_judge(&one, p);
        if (!(residual <= allowed(&one, p))) complain(&one, p, residual);
        if (one.b[0] < 0 && one.mu < 1e-11 && !(fabs(p[0] + one.b[0] / one.A[0]) < 1e-9 * p[0]))
            complain(&one, p, residual);  // no friction to speak of
    }
}

static void edges_of_the_cases(void) {
    for (int k = 0; k < 100000; k++) {
        local one = random_problem(2 + k % 2, 1e3);
        int d = one.d;
        double p[3];

        // b_N = 0: nothing presses, p = 0 (both zeros)
        local grazing = one;
        grazing.b[0] = k % 4 < 2 ? 0.0 : -0.0;
        double residual = solve_and_judge(&grazing, p);
        if (!(residual <= allowed(&grazing, p))) complain(&grazing, p, residual);
        if (unique(&grazing) && status_of(&grazing, p) != OPEN) complain(&grazing, p, residual);

        // b = 0
        memset(grazing.b, 0, sizeof grazing.b);
        residual = solve_and_judge(&grazing, p);
        if (!(residual == 0)) complain(&grazing, p, residual);

        // c = b_T - A_TN b_N/A_NN = 0: no tangential impulse is needed
        local still = one;
        still.b[0] = -fabs(still.b[0]);
        for (int i = 1; i < d; i++) still.b[i] = still.A[i * d] * still.b[0] / still.A[0];
        residual = solve_and_judge(&still, p);
        if (!(residual <= allowed(&still, p))) complain(&still, p, residual);

        // the stick answer is on the boundary of the cone, up to rounding
        local edge = one;
        if (edge.mu == 0) continue;
        double angle = uniform(0, 6.283), r[3] = { uniform(0.1, 1), 0, 0 };
        r[1] = edge.mu * r[0] * (d == 2 ? (k % 4 < 2 ? 1 : -1) : cos(angle));
        if (d == 3) r[2] = edge.mu * r[0] * sin(angle);
        for (int i = 0; i < d; i++) {
            edge.b[i] = 0;
            for (int j = 0; j < d; j++) edge.b[i] -= edge.A[i * d + j] * r[j];
        }
        residual = solve_and_judge(&edge, p);
        if (!(residual <= allowed(&edge, p))) complain(&edge, p, residual);
    }
}

static void refuses_a_normal_without_mobility(void) {
    const double bad[] = { 0, -0.0, -1, -1e-300, NAN };
    for (int d = 2; d <= 3; d++)
        for (int k = 0; k < 5; k++) {
            double A[9] = { 0 }, b[3] = { -1, 0.5, 0.25 }, p[3] = { 1, 2, 3 };
            for (int i = 0; i < d; i++) A[i * d + i] = 1;
            A[0] = bad[k];
            CHECK(!scree_local_solve(A, b, 0.5, d, p));
            CHECK(p[0] == 1 && p[1] == 2 && p[2] == 3);
        }
}

/// No promise about the answer, but an end.
static void ends_with_numbers_that_are_none(void) {
    const double none[] = { NAN, INFINITY, -INFINITY, 1e308, -1e308 };
    for (int d = 2; d <= 3; d++)
        for (int k = 0; k < 5; k++)
            for (int i = 0; i < d * d + d + 1; i++) {
                local one = { .d = d, .A = { 0 }, .b = { -1, 2, -0.5 }, .mu = 0.3 };
                for (int j = 0; j < d; j++) one.A[j * d + j] = 1;
                if (i < d * d)
                    one.A[i] = none[k];
                else if (i < d * d + d)
                    one.b[i - d * d] = none[k];
                else
                    one.mu = none[k];
                double p[3] = { 0 };
                scree_local_solve(one.A, one.b, one.mu, d, p);
            }
}

TEST_FILE(test_local) {
    TEST(a_million_planar_problems);
    TEST(a_million_spatial_problems);
    TEST(turned_tangents_give_the_turned_answer);
    TEST(flipped_tangent_flips_the_answer);
    TEST(units_do_not_matter);
    TEST(tangent_without_mobility);
    TEST(directions_that_move_together);
    TEST(mobility_that_rounding_hides);
    TEST(extreme_friction);
    TEST(edges_of_the_cases);
    TEST(refuses_a_normal_without_mobility);
    TEST(ends_with_numbers_that_are_none);
    return harness_end();
}
