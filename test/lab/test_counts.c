// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// test_counts.c - how many solutions an LCP has: N-matrices, P-matrices, and Moreau's impact law.
//
// An N-matrix has negative principal minors. With negative entries only, the LCP has two solutions
// for r > 0 and none if r has a negative entry; with a positive entry among them three and one, and
// two for r >= 0 with one zero.

#include "harness.h"
#include "random.h"
#include "scree/lcp.h"

static const double margin = 0.02;  // no minor is closer to zero: counts would depend on rounding

static double minor_2(const double *M, int n, int i, int k) {
    return M[i * n + i] * M[k * n + k] - M[i * n + k] * M[k * n + i];
}

static double determinant_3(const double *M) {
    return M[0] * (M[4] * M[8] - M[5] * M[7]) - M[1] * (M[3] * M[8] - M[5] * M[6]) +
           M[2] * (M[3] * M[7] - M[4] * M[6]);
}

// do all principal minors have this sign?
static bool minors_are(const double *M, int n, double sign) {
    for (int i = 0; i < n; i++) {
        if (!(sign * M[i * n + i] > margin)) return false;
        for (int k = i + 1; k < n; k++)
            if (!(sign * minor_2(M, n, i, k) > margin)) return false;
    }
    return n == 2 || sign * determinant_3(M) > margin;
}

static bool has_positive(const double *M, int n) {
    for (int i = 0; i < n * n; i++)
        if (M[i] > 0) return true;
    return false;
}

static void draw_N_matrix(int n, bool positive, double *M) {
    do
        for (int i = 0; i < n * n; i++) M[i] = uniform(-2, positive ? 2 : -0.05);
    while (!minors_are(M, n, -1) || has_positive(M, n) != positive);
}

static int count(const double *M, const double *r, int n) {
    scree_solution_set set = { 0 };
    scree_error err = { 0 };
    const scree_lcp lcp = { n, M, r };
    if (scree_lcp_all(&lcp, 1e-12, &set, &err)) {
        COMPLAIN("%s", err.text);
        return -2;
    }
    int solutions = set.solutions;
    for (int i = 0; i < set.solutions; i++) {
        if (set.solution[i].freedom) solutions = -1;
        CHECK(scree_lcp_residual(&lcp, set.solution[i].vertex).natural < 1e-9);
    }
    scree_solution_set_free(&set);
    return solutions;
}

// r: all positive, one entry negative, or one zero
static void draw_r(int n, double low, double *r) {
    for (int i = 0; i < n; i++) r[i] = uniform(0.1, 2);
    if (low < 0) r[random_int(0, n - 1)] = uniform(-2, -0.1);
    if (low == 0) r[random_int(0, n - 1)] = 0;
}

static void check_counts(int n, bool positive, double low, int expected) {
    double M[9], r[3];
    for (int i = 0; i < 150; i++) {
        draw_N_matrix(n, positive, M);
        draw_r(n, low, r);
        CHECK_INT(count(M, r, n), expected);
    }
}

static void N_matrices_with_negative_entries(void) {
    seed = 21;
    for (int n = 2; n <= 3; n++) {
        check_counts(n, false, 1, 2);
        check_counts(n, false, -1, 0);
    }
}

static void N_matrices_with_a_positive_entry(void) {
    seed = 22;
    for (int n = 2; n <= 3; n++) {
        check_counts(n, true, 1, 3);
        check_counts(n, true, -1, 1);
        check_counts(n, true, 0, 2);
    }
}

static void P_matrices_have_one(void) {
    seed = 23;
    for (int n = 2; n <= 3; n++)
        for (int i = 0; i < 150; i++) {
            double M[9], r[3];
            do
                for (int k = 0; k < n * n; k++) M[k] = uniform(-2, 2);
            while (!minors_are(M, n, 1));
            for (int k = 0; k < n; k++) r[k] = uniform(-2, 2);
            CHECK_INT(count(M, r, n), 1);
        }
}

static void check_point(const scree_solution_set *set, double x, double y) {
    for (int i = 0; i < set->solutions; i++) {
        const double *z = set->solution[i].vertex;
        if (fabs(z[0] - x) < 1e-12 && fabs(z[1] - y) < 1e-12) return;
    }
    COMPLAIN("no solution (%g, %g)", x, y);
}

static void check_set(const double *M, const double *r, const double (*z)[2], int solutions) {
    scree_solution_set set = { 0 };
    scree_error err = { 0 };
    const scree_lcp lcp = { 2, M, r };
    CHECK_INT(scree_lcp_all(&lcp, 1e-12, &set, &err), SCREE_OK);
    CHECK_INT(set.solutions, solutions);
    for (int i = 0; i < solutions; i++) check_point(&set, z[i][0], z[i][1]);
    scree_solution_set_free(&set);
}

static void examples_by_hand(void) {
    const double one[4] = { -1, -2, -2, -1 }, two[4] = { -1, 2, 2, -1 };
    const double both[2] = { 1, 1 }, mixed[2] = { -1, 1 };
    check_set(one, both, (const double[][2]){ { 0, 0 }, { 1. / 3, 1. / 3 } }, 2);
    check_set(two, both, (const double[][2]){ { 0, 0 }, { 1, 0 }, { 0, 1 } }, 3);
    check_set(two, mixed, (const double[][2]){ { 0, 1 } }, 1);
}

// -------------------------------------------------------------------------------------------------
// Moreau's impact law: v+ = v- - (1 + e) proj_M(N, v-), N the cone of outward normals

enum { DOFS = 3, NORMALS = 2 };

typedef struct impact {
    double mass[DOFS];  // M is diagonal
    double H[NORMALS][DOFS];
    double before[DOFS];
    double e;
} impact;

static impact draw_impact(void) {
    impact x;
    for (int k = 0; k < DOFS; k++) {
        x.mass[k] = uniform(0.5, 3);
        x.before[k] = uniform(-2, 2);
        for (int i = 0; i < NORMALS; i++) x.H[i][k] = uniform(-1, 1);
    }
    x.e = uniform(0, 1);
    return x;
}

static double normal_velocity(const impact *x, int i, const double *v) {
    double u = 0;
    for (int k = 0; k < DOFS; k++) u += x->H[i][k] * v[k];
    return u;
}

// D = H M^-1 H^T; returns its determinant
static double delassus(const impact *x, double D[4]) {
    for (int i = 0; i < NORMALS; i++)
        for (int j = 0; j < NORMALS; j++) {
            D[2 * i + j] = 0;
            for (int k = 0; k < DOFS; k++) D[2 * i + j] += x->H[i][k] * x->H[j][k] / x->mass[k];
        }
    return D[0] * D[3] - D[1] * D[2];
}

// v+ by projecting v- on the tangent cone, one wall after the other with memory of its push: the
// rest is the projection on N
static void project(const impact *x, double after[DOFS]) {
    double v[DOFS], p[NORMALS] = { 0 };
    memcpy(v, x->before, sizeof v);
    for (int round = 0; round < 20000; round++)
        for (int i = 0; i < NORMALS; i++) {
            double own = 0;
            for (int k = 0; k < DOFS; k++) own += x->H[i][k] * x->H[i][k] / x->mass[k];
            double next = fmax(0, p[i] - normal_velocity(x, i, v) / own);
            for (int k = 0; k < DOFS; k++) v[k] += (next - p[i]) * x->H[i][k] / x->mass[k];
            p[i] = next;
        }
    for (int k = 0; k < DOFS; k++) after[k] = v[k] - x->e * (x->before[k] - v[k]);
}

// 0 <= U+ + e U-  ⟂  D^-1 (U+ + e U-) - (1 + e) D^-1 U- >= 0 has one solution, the law's
static void impact_law_is_an_lcp(void) {
    seed = 24;
    int pushed = 0, free_of_one = 0;
    for (int i = 0; i < 300; i++) {
        impact x = draw_impact();
        double D[4], det = delassus(&x, D), r[2], after[DOFS], u[2];
        if (det < 0.05) continue;
        const double inverse[4] = { D[3] / det, -D[1] / det, -D[2] / det, D[0] / det };
        for (int k = 0; k < NORMALS; k++) u[k] = normal_velocity(&x, k, x.before);
        for (int k = 0; k < NORMALS; k++)
            r[k] = -(1 + x.e) * (inverse[2 * k] * u[0] + inverse[2 * k + 1] * u[1]);
        scree_solution_set set = { 0 };
        scree_error err = { 0 };
        const scree_lcp lcp = { NORMALS, inverse, r };
        CHECK_INT(scree_lcp_all(&lcp, 1e-12, &set, &err), SCREE_OK);
        CHECK_INT(set.solutions, 1);
        project(&x, after);
        for (int k = 0; k < NORMALS && set.solutions == 1; k++) {
            double z = set.solution[0].vertex[k];
            CHECK_NEAR(z - x.e * u[k], normal_velocity(&x, k, after), 1e-9);
            pushed += z < 1e-12;
            free_of_one += z > 1e-6;
        }
        scree_solution_set_free(&set);
    }
    CHECK(pushed > 50 && free_of_one > 50);
}

TEST_FILE(test_counts) {
    TEST(N_matrices_with_negative_entries);
    TEST(N_matrices_with_a_positive_entry);
    TEST(P_matrices_have_one);
    TEST(examples_by_hand);
    TEST(impact_law_is_an_lcp);
    return harness_end();
}
