// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// test_newton_direct.c - Newton without globalisation: equations whose W is indefinite and
// unsymmetric, as where bodies in joints are pushed, and a limit among them.

#include "solve/newton_direct.h"

#include <string.h>

#include "harness.h"
#include "random.h"

enum { CONTACTS = 12, D = 2, ROWS = CONTACTS * D };

typedef struct sample {  // a dense W in blocks
    int row[CONTACTS + 1], column[CONTACTS * CONTACTS], diagonal[CONTACTS];
    double block[CONTACTS * CONTACTS * D * D], b[ROWS], mu[CONTACTS], limit[ROWS];
    unsigned char equality[CONTACTS];
    scree_problem problem;
} sample;

static double *entry(sample *one, int r, int c) {
    int block = r / D * CONTACTS + c / D;
    return &one->block[(block * D + r % D) * D + c % D];
}

static void make(sample *one) {
    memset(one, 0, sizeof *one);
    for (int i = 0; i < CONTACTS; i++) {
        one->row[i + 1] = (i + 1) * CONTACTS;
        one->diagonal[i] = i * CONTACTS + i;
        one->equality[i] = 1;
        for (int j = 0; j < CONTACTS; j++) one->column[i * CONTACTS + j] = j;
    }
    for (int r = 0; r < ROWS; r++) {
        one->b[r] = uniform(-1, 1);
        one->limit[r] = HUGE_VAL;
        for (int c = 0; c < ROWS; c++) *entry(one, r, c) = uniform(-0.1, 0.1);
        *entry(one, r, r) += r % 3 ? 2 : -2;
    }
    one->problem = (scree_problem){ .contacts = CONTACTS,
                                    .dimension = D,
                                    .row = one->row,
                                    .column = one->column,
                                    .diagonal = one->diagonal,
                                    .block = one->block,
                                    .b = one->b,
                                    .mu = one->mu,
                                    .equality = one->equality,
                                    .limit = one->limit };
}

static double velocity(sample *one, int r, const double *p) {
    double s = one->b[r];
    for (int c = 0; c < ROWS; c++) s += *entry(one, r, c) * p[c];
    return s;
}

static void indefinite_equations_are_solved(void) {
    sample one;
    double p[ROWS] = { 0 };
    scree_residual least;
    scree_arena arena = { 0 };
    make(&one);
    CHECK(scree_newton_direct(&one.problem, 1e-12, p, &least, &arena));
    for (int r = 0; r < ROWS; r++) CHECK_NEAR(velocity(&one, r, p), 0, 1e-12);
    scree_arena_free(&arena);
}

// a motor that is too weak gives what it can, against the velocity that is left
static void a_limit_is_kept(void) {
    enum { WEAK = 4 };
    sample one;
    double p[ROWS] = { 0 };
    scree_residual least;
    scree_arena arena = { 0 };
    make(&one);
    for (int c = 0; c < ROWS; c++) *entry(&one, WEAK, c) = c == WEAK ? 2 : 0;
    one.limit[WEAK] = 0.1;
    one.b[WEAK] = -1;
    CHECK(scree_newton_direct(&one.problem, 1e-12, p, &least, &arena));
    CHECK_NEAR(p[WEAK], 0.1, 1e-14);
    for (int r = 0; r < ROWS; r++) CHECK_NEAR(velocity(&one, r, p), r == WEAK ? -0.8 : 0, 1e-12);
    scree_arena_free(&arena);
}

TEST_FILE(test_newton_direct) {
    seed = 5;
    TEST(indefinite_equations_are_solved);
    TEST(a_limit_is_kept);
    return harness_end();
}
