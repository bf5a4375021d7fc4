// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// test_sparse_cholesky.c - supernodes and factor against a dense Cholesky that knows no zeros.

#include "base/sparse_cholesky.h"

#include <stdlib.h>

#include "base/nested_dissection.h"
#include "base/supernodes.h"
#include "harness.h"
#include "random.h"

enum { MOST = 240 };

typedef struct pattern {  // lower triangle by columns, and the same dense
    int n, first[MOST + 1], row[MOST * (MOST + 1) / 2];
    double value[MOST * (MOST + 1) / 2], dense[MOST][MOST];
} pattern;

static pattern A;

// the diagonal outweighs its row, so that A is positive definite
static void finish(void) {
    int at = 0;
    for (int i = 0; i < A.n; i++) {
        A.dense[i][i] = 1;
        for (int j = 0; j < A.n; j++)
            if (j != i) A.dense[i][i] += fabs(A.dense[i][j]);
    }
    for (int j = 0; j < A.n; j++) {
        A.first[j] = at;
        for (int i = j; i < A.n; i++) {
            if (A.dense[i][j] == 0) continue;
            A.row[at] = i;
            A.value[at++] = A.dense[i][j];
        }
    }
    A.first[A.n] = at;
}

static void couple(int i, int j) {
    if (i != j) A.dense[i][j] = A.dense[j][i] = uniform(-1, 1);
}

static void make_random(int n, int couples) {
    memset(&A, 0, sizeof A);
    A.n = n;
    for (int k = 0; k < couples; k++) couple(random_int(0, n - 1), random_int(0, n - 1));
    finish();
}

// nodes of a grid with three unknowns each, as elastic bodies have them
static void make_grid(int nx, int ny) {
    memset(&A, 0, sizeof A);
    A.n = 3 * nx * ny;
    for (int a = 0; a < nx * ny; a++)
        for (int b = 0; b <= a; b++) {
            if (abs(a % nx - b % nx) > 1 || abs(a / nx - b / nx) > 1) continue;
            for (int k = 0; k < 9; k++) couple(3 * a + k / 3, 3 * b + k % 3);
        }
    finish();
}

// ---- the analysis

// fill: which entries of L are not zero in this order, by eliminating column after column
static int find_fill(const int *order, unsigned char fill[MOST][MOST]) {
    int entries = 0;
    for (int i = 0; i < A.n; i++)
        for (int j = 0; j <= i; j++) fill[i][j] = A.dense[order[i]][order[j]] != 0;
    for (int k = 0; k < A.n; k++)
        for (int j = k; j < A.n; j++) {
            entries += fill[j][k];
            if (!fill[j][k] || j == k) continue;
            for (int i = j; i < A.n; i++) fill[i][j] |= fill[i][k];
        }
    return entries;
}

static void check_order(const scree_supernodes *s) {
    unsigned char seen[MOST] = { 0 };
    for (int i = 0; i < A.n; i++) {
        CHECK(s->order[i] >= 0 && s->order[i] < A.n && !seen[s->order[i]]);
        seen[s->order[i]] = 1;
    }
}

// every column in one supernode, its rows ascending from its own columns on, and no entry of L
// anywhere else
static void check_partition(const scree_supernodes *s, unsigned char fill[MOST][MOST]) {
    CHECK_INT(s->column[0], 0);
    CHECK_INT(s->column[s->count], A.n);
    for (int k = 0; k < s->count; k++) {
        int width = s->column[k + 1] - s->column[k], rows = s->first[k + 1] - s->first[k];
        const int *row = s->row + s->first[k];
        unsigned char here[MOST] = { 0 };
        CHECK(width > 0 && rows >= width);
        for (int i = 0; i < rows; i++) {
            CHECK(i < width ? row[i] == s->column[k] + i : row[i] > row[i - 1] && row[i] < A.n);
            here[row[i]] = 1;
        }
        for (int j = s->column[k]; j < s->column[k + 1]; j++)
            for (int i = j; i < A.n; i++) CHECK(here[i] || !fill[i][j]);
        for (int i = 0; i < rows; i++) CHECK(fill[row[i]][s->column[k + 1] - 1] || i < width);
    }
}

static void check_analysis(void) {
    static unsigned char fill[MOST][MOST];
    scree_arena arena = { 0 };
    scree_supernodes s, again;
    CHECK(scree_supernodes_find(A.n, A.first, A.row, &arena, &s));
    CHECK(scree_supernodes_find(A.n, A.first, A.row, &arena, &again));
    check_order(&s);
    CHECK_NEAR(s.entries, find_fill(s.order, fill), 0);
    check_partition(&s, fill);
    CHECK_INT(again.count, s.count);
    CHECK(memcmp(again.order, s.order, (size_t)A.n * sizeof *s.order) == 0);
    CHECK(memcmp(again.row, s.row, (size_t)s.first[s.count] * sizeof *s.row) == 0);
    scree_arena_free(&arena);
}

// ---- the numbers

static void solve_dense(double *x) {
    static double L[MOST][MOST];
    for (int j = 0; j < A.n; j++)
        for (int i = j; i < A.n; i++) {
            double sum = A.dense[i][j];
            for (int k = 0; k < j; k++) sum -= L[i][k] * L[j][k];
            L[i][j] = i == j ? sqrt(sum) : sum / L[j][j];
        }
    for (int i = 0; i < A.n; i++) {
        for (int k = 0; k < i; k++) x[i] -= L[i][k] * x[k];
        x[i] /= L[i][i];
    }
    for (int i = A.n - 1; i >= 0; i--) {
        for (int k = i + 1; k < A.n; k++) x[i] -= L[k][i] * x[k];
        x[i] /= L[i][i];
    }
}

static void check_solution(void) {
    double x[MOST], y[MOST], z[MOST];
    scree_sparse_cholesky *chol = scree_sparse_cholesky_new(A.n, A.first, A.row);
    CHECK(chol && scree_sparse_cholesky_factor(chol, A.value));
    for (int i = 0; i < A.n; i++) x[i] = y[i] = z[i] = uniform(-1, 1);
    solve_dense(x);
    scree_sparse_cholesky_solve(chol, y);
    scree_sparse_cholesky_settle(chol);
    scree_sparse_cholesky_solve(chol, z);
    for (int i = 0; i < A.n; i++) {
        CHECK_NEAR(y[i], x[i], 1e-13);
        CHECK_NEAR(z[i], x[i], 1e-13);
    }
    // a pivot that is not positive is told
    A.value[A.first[A.n / 2]] = -1;
    CHECK(!scree_sparse_cholesky_factor(chol, A.value));
    scree_sparse_cholesky_free(chol);
}

static void random_patterns(void) {
    for (int round = 0; round < (SANITIZED ? 60 : 400); round++) {
        int n = random_int(1, MOST);
        make_random(n, random_int(0, 3 * n));
        check_analysis();
        check_solution();
    }
}

static void extreme_patterns(void) {
    make_random(MOST, 0);  // nothing but the diagonal: a forest of roots
    check_analysis();
    check_solution();
    make_random(100, 100 * 100);  // dense
    check_analysis();
    check_solution();
    memset(&A, 0, sizeof A);  // a row that is much longer than the others, and a chain
    A.n = MOST;
    for (int i = 1; i < MOST; i++) {
        couple(0, i);
        couple(i - 1, i);
    }
    finish();
    check_analysis();
    check_solution();
}

static void grids(void) {
    for (int nx = 1; nx <= 10; nx++) {
        make_grid(nx, 80 / nx);
        check_analysis();
        check_solution();
    }
}

// ---- nested dissection

enum { SIDE = 13, NODES = SIDE * SIDE * SIDE, UNKNOWNS = 3 * NODES };

static int block_first[UNKNOWNS + 1], block_row[UNKNOWNS * 42];

static bool touch(int a, int b) {
    return abs(a % SIDE - b % SIDE) <= 1 && abs(a / SIDE % SIDE - b / SIDE % SIDE) <= 1 &&
           abs(a / SIDE / SIDE - b / SIDE / SIDE) <= 1;
}

// an elastic cube, three unknowns at a node
static void make_block(void) {
    int at = 0;
    for (int j = 0; j < UNKNOWNS; j++) {
        block_first[j] = at;
        for (int i = j; i < UNKNOWNS && i / 3 <= j / 3 + SIDE * SIDE + SIDE + 1; i++)
            if (touch(i / 3, j / 3)) block_row[at++] = i;
    }
    block_first[UNKNOWNS] = at;
}

static void check_permutation(int n, const int *order) {
    static unsigned char seen[UNKNOWNS];
    memset(seen, 0, sizeof seen);
    for (int i = 0; i < n; i++) {
        CHECK(order[i] >= 0 && order[i] < n && !seen[order[i]]);
        seen[order[i]] = 1;
    }
}

// half the work of minimum degree, the same order every time
static void nested_dissection(void) {
    static int order[UNKNOWNS], again[UNKNOWNS];
    scree_arena arena = { 0 };
    scree_supernodes s;
    make_block();
    CHECK(scree_nested_dissection_order(UNKNOWNS, block_first, block_row, order));
    CHECK(scree_nested_dissection_order(UNKNOWNS, block_first, block_row, again));
    CHECK(memcmp(order, again, sizeof order) == 0);
    check_permutation(UNKNOWNS, order);
    // AMD's order takes 1.44e9 operations for this cube
    CHECK(scree_supernodes_find(UNKNOWNS, block_first, block_row, &arena, &s));
    CHECK(s.flops < 0.9e9);
    scree_arena_free(&arena);
}

// patterns without anything to cut: no edges, all edges, many parts, a star
static void nothing_to_cut(void) {
    static int order[MOST];
    static const int couples[] = { 0, MOST * MOST, MOST / 3, MOST };
    for (int k = 0; k < 4; k++) {
        make_random(MOST, couples[k]);
        CHECK(scree_nested_dissection_order(A.n, A.first, A.row, order));
        check_permutation(A.n, order);
    }
    memset(&A, 0, sizeof A);
    A.n = MOST;
    for (int i = 1; i < MOST; i++) couple(0, i);
    finish();
    CHECK(scree_nested_dissection_order(A.n, A.first, A.row, order));
    check_permutation(A.n, order);
}

TEST_FILE(test_sparse_cholesky) {
    TEST(random_patterns);
    TEST(extreme_patterns);
    TEST(grids);
    TEST(nested_dissection);
    TEST(nothing_to_cut);
    return harness_end();
}
