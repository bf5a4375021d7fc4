// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// test_newton.c - Newton's rows against differences of the law's equations, written here anew.
//
// F(p + h dp) = F(p) (1 - h) + O(h^2) along the step dp that the rows give, for every status, every
// dimension, a W that is not symmetric, and with the proximal term around p.

#include <stdlib.h>

#include "harness.h"
#include "random.h"
#include "solve/newton_rows.h"

enum { CONTACTS = 4, ROWS = 5 * CONTACTS };

typedef struct sample {  // every contact touches every other one
    scree_problem problem;
    int row[CONTACTS + 1], column[CONTACTS * CONTACTS], diagonal[CONTACTS];
    double block[ROWS * ROWS], b[ROWS], mu[CONTACTS], rolling[CONTACTS];
    unsigned char equality[CONTACTS];
    scree_arena arena;
    scree_newton_rows rows;
    int n;
} sample;

// W: diagonally dominant, so that it is regular whatever the statuses are
static void make(sample *it, int d) {
    *it = (sample){ .n = CONTACTS * d };
    for (int i = 0; i < CONTACTS; i++) {
        it->row[i + 1] = (i + 1) * CONTACTS;
        it->diagonal[i] = i * CONTACTS + i;
        it->mu[i] = random_int(0, 5) ? uniform(0.1, 1) : 0;
        it->rolling[i] = uniform(0.1, 1);
        it->equality[i] = random_int(0, 7) == 0;
        for (int j = 0; j < CONTACTS; j++) it->column[i * CONTACTS + j] = j;
    }
    for (int k = 0; k < it->n * it->n; k++) it->block[k] = uniform(-0.1, 0.1);
    for (int i = 0; i < CONTACTS; i++)
        for (int k = 0; k < d; k++) it->block[(it->diagonal[i] * d + k) * d + k] = uniform(1, 1.5);
    for (int k = 0; k < it->n; k++) it->b[k] = uniform(-1, 1);
    it->problem = (scree_problem){ .contacts = CONTACTS,
                                   .dimension = d,
                                   .row = it->row,
                                   .column = it->column,
                                   .diagonal = it->diagonal,
                                   .block = it->block,
                                   .b = it->b,
                                   .mu = it->mu,
                                   .mu_rolling = d == 5 ? it->rolling : NULL,
                                   .equality = it->equality };
    it->rows = (scree_newton_rows){ .problem = &it->problem, .W = it->block };
    CHECK(scree_newton_rows_prepare(&it->rows, true, &it->arena));
}

static double W_at(const sample *it, int r, int c) {
    int d = it->problem.dimension;
    return it->block[((r / d * CONTACTS + c / d) * d + r % d) * d + c % d];
}

static void find_velocity(const sample *it, const double *p, double *s) {
    for (int r = 0; r < it->n; r++) {
        s[r] = it->b[r] +
               it->rows.eps * it->rows.of[r / it->problem.dimension].D * (p[r] - it->rows.p[r]);
        for (int c = 0; c < it->n; c++) s[r] += W_at(it, r, c) * p[c];
    }
}

// largest eigenvalue of a block of two rows, or its one entry
static double mobility(const sample *it, int first, int width) {
    double a = W_at(it, first, first);
    if (width == 1) return a;
    double c = W_at(it, first + 1, first + 1);
    double b = (W_at(it, first, first + 1) + W_at(it, first + 1, first)) / 2;
    return (a + c) / 2 + hypot((a - c) / 2, b);
}

// p_T - P(p_T - s_T / A; disc of radius R)
static void tangents(const sample *it, int first, double radius, const double *p, const double *s,
                     double *F) {
    int width = it->problem.dimension == 2 ? 1 : 2;
    double A = mobility(it, first, width), x[2] = { 0 };
    for (int k = 0; k < width; k++) x[k] = p[first + k] - s[first + k] / A;
    double length = hypot(x[0], x[1]), scale = length > radius ? radius / length : 1;
    for (int k = 0; k < width; k++) F[first + k] = p[first + k] - scale * x[k];
}

static void evaluate(const sample *it, const double *p, double *F) {
    double s[ROWS];
    int d = it->problem.dimension;
    find_velocity(it, p, s);
    for (int i = 0; i < CONTACTS; i++) {
        int at = i * d;
        double D = 0, xN = fmax(0, p[at] - s[at] / W_at(it, at, at));
        for (int k = 0; k < d; k++) D += W_at(it, at + k, at + k) / d;
        if (it->equality[i]) {
            for (int k = at; k < at + d; k++) F[k] = s[k] / D;
            continue;
        }
        F[at] = p[at] - xN;
        tangents(it, at + 1, it->mu[i] * xN, p, s, F);
        if (d == 5) tangents(it, at + 3, it->rolling[i] * xN, p, s, F);
    }
}

// the rows as a dense system, solved with row pivoting
static void solve_rows(const sample *it, double *x) {
    static double J[ROWS][ROWS + 1];
    int n = it->n, d = it->problem.dimension;
    for (int r = 0; r < n; r++) {
        for (int c = 0; c < n; c++)
            J[r][c] = it->rows.active[r / d]
                          ? it->rows.jacobian[((r / d * CONTACTS + c / d) * d + r % d) * d + c % d]
                          : r == c;
        J[r][n] = it->rows.step[r];
    }
    for (int k = 0; k < n; k++) {
        int pivot = k;
        for (int r = k + 1; r < n; r++)
            if (fabs(J[r][k]) > fabs(J[pivot][k])) pivot = r;
        for (int c = 0; c <= n; c++) {
            double swap = J[k][c];
            J[k][c] = J[pivot][c];
            J[pivot][c] = swap;
        }
        for (int r = 0; r < n; r++)
            for (int c = n; r != k && c >= k; c--) J[r][c] -= J[r][k] / J[k][k] * J[k][c];
    }
    for (int k = 0; k < n; k++) x[k] = J[k][n] / J[k][k];
}

typedef struct tally {
    int open, stick, slip, checked;
} tally;

// false if a status changes within h of p: there is no derivative to compare with
static bool count_statuses(sample *it, const double *p, const double *dp, double h, tally *seen) {
    int code[2] = { 0 };
    for (int side = 0; side < 2; side++) {
        double q[ROWS], s[ROWS];
        for (int k = 0; k < it->n; k++) q[k] = p[k] + (side ? h : -h) * dp[k];
        find_velocity(it, q, s);
        scree_newton_rows_assess(&it->rows, q, s);
        for (int i = 0; i < CONTACTS; i++) {
            const scree_newton_contact *one = &it->rows.of[i];
            for (int k = 0; k < one->parts; k++)
                code[side] = 3 * code[side] +
                             (it->rows.active[i] ? 1 + (!one->free && one->part[k].slip.slips) : 0);
        }
    }
    for (int c = code[0]; code[0] == code[1] && c > 0; c /= 3) {
        seen->stick += c % 3 == 1;
        seen->slip += c % 3 == 2;
        seen->open += c % 3 == 0;
    }
    return code[0] == code[1];
}

static void check_step(sample *it, tally *seen) {
    double dp[ROWS], F[ROWS], plus[ROWS], minus[ROWS], q[ROWS], h = 1e-6;
    it->rows.eps = random_int(0, 1) * uniform(0, 0.5);
    for (int k = 0; k < it->n; k++) it->rows.p[k] = uniform(-0.5, 1.5);
    find_velocity(it, it->rows.p, it->rows.s);
    evaluate(it, it->rows.p, F);
    double merit = scree_newton_rows_assess(&it->rows, it->rows.p, it->rows.s), sum = 0;
    for (int k = 0; k < it->n; k++) sum += it->rows.of[k / it->problem.dimension].D * F[k] * F[k];
    CHECK_NEAR(merit, sum, 1e-12 * (1 + sum));
    scree_newton_rows_fill(&it->rows);
    solve_rows(it, dp);
    if (!count_statuses(it, it->rows.p, dp, h, seen)) return;
    for (int k = 0; k < it->n; k++) q[k] = it->rows.p[k] + h * dp[k];
    evaluate(it, q, plus);
    for (int k = 0; k < it->n; k++) q[k] = it->rows.p[k] - h * dp[k];
    evaluate(it, q, minus);
    for (int k = 0; k < it->n; k++) CHECK_NEAR((plus[k] - minus[k]) / (2 * h), -F[k], 1e-6);
    seen->checked++;
}

static void rows_are_the_derivative(void) {
    static const int dimensions[] = { 2, 3, 5 };
    for (int which = 0; which < 3; which++) {
        tally seen = { 0 };
        for (int round = 0; round < 300; round++) {
            sample it;
            make(&it, dimensions[which]);
            check_step(&it, &seen);
            scree_arena_free(&it.arena);
        }
        CHECK(seen.checked > 250 && seen.open > 100 && seen.stick > 100 && seen.slip > 100);
    }
}

TEST_FILE(test_newton) {
    TEST(rows_are_the_derivative);
    return harness_end();
}
