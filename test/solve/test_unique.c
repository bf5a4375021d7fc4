// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// test_unique.c - how many impulses there are, and that the answer is the same in any order.
//
// Freedoms by counting: rows that bear less motions. A box on two points in the plane has 4 - 3, on
// four corners in space 12 - 6, a column of n boxes n (4 - 3). Two rails that hold a slider can
// press on it as hard as they like: what friction then does to it is not unique either.

#include <stdlib.h>

#include "harness.h"
#include "random.h"
#include "scree/solve.h"

enum { MOST = 24, ROWS = 3 * MOST, DOFS = 6 * 8 };

typedef struct sample {
    scree_problem problem;
    int row[MOST + 1], column[MOST * MOST], diagonal[MOST];
    double block[ROWS * ROWS], b[ROWS], mu[MOST];
    double H[ROWS][DOFS], mass[DOFS], v[DOFS];  // masses of coordinates, free velocities
    int dofs;
} sample;

/// W and b of rows H, contacts in the order given (NULL: as they are).
static void condense(sample *one, int d, int contacts, const int *order) {
    static double W[ROWS][ROWS];
    for (int i = 0; i < contacts * d; i++)
        for (int j = 0; j < contacts * d; j++) {
            W[i][j] = 0;
            for (int k = 0; k < one->dofs; k++)
                W[i][j] += one->H[i][k] * one->H[j][k] / one->mass[k];
        }
    one->problem = (scree_problem){ .contacts = contacts,
                                    .dimension = d,
                                    .row = one->row,
                                    .column = one->column,
                                    .diagonal = one->diagonal,
                                    .block = one->block,
                                    .b = one->b,
                                    .mu = one->mu };
    for (int i = 0; i < contacts; i++) {
        int from = order ? order[i] : i;
        one->row[i + 1] = (i + 1) * contacts;
        one->diagonal[i] = i * contacts + i;
        for (int r = 0; r < d; r++) {
            one->b[i * d + r] = 0;
            for (int k = 0; k < one->dofs; k++)
                one->b[i * d + r] += one->H[from * d + r][k] * one->v[k];
        }
        for (int j = 0; j < contacts; j++) {
            int to = order ? order[j] : j;
            one->column[i * contacts + j] = j;
            for (int r = 0; r < d; r++)
                for (int c = 0; c < d; c++)
                    one->block[((i * contacts + j) * d + r) * d + c] = W[from * d + r][to * d + c];
        }
    }
}

/// Row of a direction at a point of a planar body, at x, y from its centre.
static void put(sample *one, int row, int body, double x, double y, const double *along,
                double sign) {
    double *H = one->H[row] + 3 * body;
    H[0] += sign * along[0];
    H[1] += sign * along[1];
    H[2] += sign * (x * along[1] - y * along[0]);
}

/// Boxes of width 1 and height 1/2, one on the other, on two points each; the lowest on the ground.
static int make_column(sample *one, int boxes, double push) {
    const double up[2] = { 0, 1 }, right[2] = { 1, 0 };
    *one = (sample){ .dofs = 3 * boxes };
    for (int i = 0; i < boxes; i++)
        for (int k = 0; k < 3; k++) one->mass[3 * i + k] = k < 2 ? 1 + 0.1 * i : 0.1;
    for (int i = 0; i < boxes; i++) {
        one->v[3 * i + 1] = -1;
        one->v[3 * i] = push;
        for (int side = 0; side < 2; side++) {
            int c = 2 * i + side;
            double x = side - 0.5;
            put(one, 2 * c, i, x, -0.25, up, 1);
            put(one, 2 * c + 1, i, x, -0.25, right, 1);
            if (i) put(one, 2 * c, i - 1, x, 0.25, up, -1);
            if (i) put(one, 2 * c + 1, i - 1, x, 0.25, right, -1);
        }
    }
    for (int c = 0; c < 2 * boxes; c++) one->mu[c] = 0.6;
    return 2 * boxes;
}

static scree_report solve(const sample *one, const char *name, bool least, double *p) {
    scree_solver_options options = scree_solver_options_default();
    scree_report report = { 0 };
    scree_error err = { 0 };
    options.name = name;
    options.least = least;
    if (scree_solve(&one->problem, &options, p, &report, &err)) COMPLAIN("%s: %s", name, err.text);
    if (!report.converged) COMPLAIN("%s: not solved", name);
    return report;
}

static void is_free(const sample *one, int freedom) {
    double p[ROWS] = { 0 };
    scree_report report = solve(one, "auto", true, p);
    CHECK_INT(report.unique, freedom ? SCREE_NOT_UNIQUE : SCREE_UNIQUE);
    CHECK_INT(report.freedom, freedom);
}

static void columns(void) {
    sample one;
    for (int boxes = 1; boxes <= 6; boxes++) {
        condense(&one, 2, make_column(&one, boxes, 0), NULL);
        is_free(&one, boxes);
    }
    double p[ROWS] = { 0 };  // by symmetry, and friction that is not needed is not there
    condense(&one, 2, make_column(&one, 1, 0), NULL);
    CHECK(solve(&one, "nsgs", true, p).least);
    CHECK_NEAR(p[0], 0.5, 1e-12);
    CHECK_NEAR(p[2], 0.5, 1e-12);
    CHECK_NEAR(p[1], 0, 1e-12);
    CHECK_NEAR(p[3], 0, 1e-12);
}

static void a_box_on_four_corners(void) {
    sample one = { .dofs = 6 };
    for (int k = 0; k < 6; k++) one.mass[k] = k < 3 ? 2 : 0.5;
    one.v[2] = -1;
    for (int i = 0; i < 4; i++) {  // normal up, tangents along x and y
        double r[3] = { i & 1 ? 1 : -1, i & 2 ? 0.7 : -0.7, -0.4 };
        for (int a = 0; a < 3; a++) {
            double e[3] = { a == 1, a == 2, a == 0 }, *H = one.H[3 * i + a];
            memcpy(H, e, sizeof e);
            H[3] = r[1] * e[2] - r[2] * e[1];
            H[4] = r[2] * e[0] - r[0] * e[2];
            H[5] = r[0] * e[1] - r[1] * e[0];
        }
        one.mu[i] = 0.5;
    }
    condense(&one, 3, 4, NULL);
    is_free(&one, 6);
    one.v[0] = 5;  // it slides: only the four normal impulses are free, by one
    condense(&one, 3, 4, NULL);
    is_free(&one, 1);
    condense(&one, 3, 1, NULL);  // one corner alone
    is_free(&one, 0);
}

static const char *const solvers[] = { "auto",      "nsgs",           "nsgs-anderson",
                                       "admm",      "contact-newton", "alart-curnier",
                                       "enumerate", "lemke",          "path" };

/// The same impulses from every solver, in any order of the contacts, from any guess.
static void the_order_does_not_matter(void) {
    sample one, mixed;
    int order[MOST];
    double p[ROWS], q[ROWS];
    seed = 4;
    for (int round = 0; round < 12; round++) {
        int n = make_column(&one, 2 + round % 3, round % 2 ? 0.3 : 0);
        condense(&one, 2, n, NULL);
        memset(p, 0, sizeof p);
        if (!solve(&one, "auto", true, p).least) COMPLAIN("round %d: not the least", round);
        for (int i = 0; i < n; i++) order[i] = i;
        for (int i = n - 1; i > 0; i--) {
            int other = random_int(0, i), keep = order[i];
            order[i] = order[other];
            order[other] = keep;
        }
        mixed = one;
        condense(&mixed, 2, n, order);
        for (int k = 0; k < 2 * n; k++) q[k] = uniform(0, 1);
        solve(&mixed, solvers[round % 6], true, q);
        for (int i = 0; i < n; i++)
            for (int k = 0; k < 2; k++)
                if (!(fabs(q[2 * i + k] - p[2 * order[i] + k]) <= 1e-11))
                    COMPLAIN("round %d, %s: %.3g off", round, solvers[round % 6],
                             fabs(q[2 * i + k] - p[2 * order[i] + k]));
    }
}

/// A slider at v = 1 between two rails, pressed down by `load`: the least forces let it go on with
/// 1 - mu load, whatever the solver, the order and the guess, without being asked.
static void rails_do_not_squeeze(void) {
    sample one = { .dofs = 2, .mass = { 1, 1 }, .v = { 1, -0.1 }, .mu = { 0.3, 0.3 } };
    for (int swap = 0; swap < 2; swap++) {
        memset(one.H, 0, sizeof one.H);
        for (int i = 0; i < 2; i++) {
            one.H[2 * i][1] = i == swap ? 1 : -1;
            one.H[2 * i + 1][0] = 1;
        }
        condense(&one, 2, 2, NULL);
        for (size_t k = 0; k < sizeof solvers / sizeof *solvers; k++) {
            double p[4] = { 0.4, -0.12, 0.4, -0.12 };
            solve(&one, solvers[k], false, p);
            CHECK_NEAR(p[2 * swap], 0.1, 1e-12);
            CHECK_NEAR(p[2 * swap + 1], -0.03, 1e-12);
            CHECK_NEAR(p[2 - 2 * swap], 0, 1e-12);
            CHECK_NEAR(p[3 - 2 * swap], 0, 1e-12);
        }
        is_free(&one, 1);
    }
}

/// A box on four corners that sticks: an answer that is as good as its tolerance asks moves a
/// little at every corner, inside the cones. That is no slip, and the answer is left as it is.
static void loose_answers_stick(void) {
    sample one = { .dofs = 6, .mass = { 1, 1, 1, 0.2, 0.2, 0.2 }, .v = { -1e-3, 5e-5, 2e-5 } };
    seed = 12;
    for (int i = 0; i < 4; i++) {
        double x = i % 2 ? 0.5 : -0.5, y = i / 2 ? 0.5 : -0.5;
        for (int r = 0; r < 3; r++) one.H[3 * i + r][r] = 1;
        one.H[3 * i][3] = y;
        one.H[3 * i][4] = -x;
        one.H[3 * i + 1][5] = -y;
        one.H[3 * i + 2][5] = x;
        one.mu[i] = 0.5;
    }
    condense(&one, 3, 4, NULL);
    for (int k = 0; k < 20; k++) {
        double p[12], given[12];
        for (int j = 0; j < 12; j++) p[j] = -one.v[j % 3] / 4 * (1 + uniform(-1e-2, 1e-2));
        memcpy(given, p, sizeof p);
        scree_solver_options options = scree_solver_options_default();
        options.tolerance = 1e-4;
        options.criterion = SCREE_CRITERION_NATURAL;
        scree_report report;
        scree_error err;
        CHECK(scree_solve(&one.problem, &options, p, &report, &err) == SCREE_OK);
        CHECK(report.converged && !report.least && memcmp(given, p, sizeof p) == 0);
    }
}

TEST_FILE(test_unique) {
    TEST(loose_answers_stick);
    TEST(columns);
    TEST(a_box_on_four_corners);
    TEST(the_order_does_not_matter);
    TEST(rails_do_not_squeeze);
    return harness_end();
}
