// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// test_path.c - a path of statuses: it turns back where the branch of solutions folds.
//
// One contact in Painleve's situation, W = (1 -3; -3 10), mu = 1/2, b = (beta, -6), by hand: as
// beta falls an open contact (s = b) meets the branch that slips forward (p_N = 2 beta,
// s_T = 4 beta - 6) at beta = 0; that one leads back up to beta = 3/2, where it sticks, and
// sticking leads down to every beta below. At beta = -1 nothing else is left: p = (28, 9).

#include <stdlib.h>

#include "harness.h"
#include "random.h"
#include "scree/solve.h"
#include "solve/path.h"

enum { MOST = 12, ROWS = 3 * MOST };

typedef struct sample {
    scree_problem problem;
    int row[MOST + 1], column[MOST * MOST], diagonal[MOST];
    double block[ROWS * ROWS], b[ROWS], mu[MOST];
} sample;

/// A full W = H H^T of random rows, with this many motions.
static void make(sample *one, int d, int contacts, int motions, double mu) {
    double H[ROWS][ROWS];
    *one = (sample){ .problem = { .contacts = contacts, .dimension = d } };
    scree_problem *problem = &one->problem;
    problem->row = one->row;
    problem->column = one->column;
    problem->diagonal = one->diagonal;
    problem->block = one->block;
    problem->b = one->b;
    problem->mu = one->mu;
    for (int r = 0; r < contacts * d; r++)
        for (int k = 0; k < motions; k++) H[r][k] = uniform(-1, 1);
    double v[ROWS];
    for (int k = 0; k < motions; k++) v[k] = uniform(-1, 1);
    for (int i = 0; i < contacts; i++) {
        one->row[i + 1] = (i + 1) * contacts;
        one->diagonal[i] = i * contacts + i;
        one->mu[i] = mu;
        for (int r = 0; r < d; r++)
            for (int k = 0; k < motions; k++) one->b[i * d + r] += H[i * d + r][k] * v[k];
        for (int j = 0; j < contacts; j++) {
            one->column[i * contacts + j] = j;
            for (int r = 0; r < d; r++)
                for (int c = 0; c < d; c++)
                    for (int k = 0; k < motions; k++)
                        one->block[((i * contacts + j) * d + r) * d + c] +=
                            H[i * d + r][k] * H[j * d + c][k];
        }
    }
}

static void make_painleve(sample *one, double beta) {
    make(one, 2, 1, 2, 0.5);
    memcpy(one->block, (double[]){ 1, -3, -3, 10 }, 4 * sizeof *one->block);
    memcpy(one->b, (double[]){ beta, -6 }, 2 * sizeof *one->b);
}

typedef struct attempt {
    bool ended;
    int changes;
    scree_report report;
} attempt;

static attempt follow(const scree_problem *problem, const double *centre, double eps, double *p) {
    attempt out = { 0 };
    scree_arena arena = { 0 };
    scree_solver_options options = scree_solver_options_default();
    scree_limits limits = scree_limits_of(&options);
    scree_solver_context context = { .problem = problem,
                                     .options = &options,
                                     .p = p,
                                     .report = &out.report,
                                     .arena = &arena,
                                     .scales = scree_residual_scale(problem),
                                     .limits = &limits,
                                     .most_effort = HUGE_VAL };
    scree_block_lu *lu = scree_block_lu_new(problem, HUGE_VAL, &arena);
    scree_path *path = lu ? scree_path_new(&context, lu) : NULL;
    CHECK(path);
    out.ended = path && scree_path_follow(path, centre, eps, 100, p);
    out.changes = path ? scree_path_changes(path) : 0;
    scree_arena_free(&arena);
    return out;
}

static void it_turns_back_at_a_fold(void) {
    sample one;
    double none[2] = { 0 };
    make_painleve(&one, -1);
    for (double from = -2; from <= 2; from += 0.25) {
        // the statuses of another beta, of which there are several
        double p[2] = { fmax(0, from), 0.4 * fmax(0, from) };
        attempt now = follow(&one.problem, none, 1e-12, p);
        CHECK(now.ended);
        CHECK_NEAR(p[0], 28, 1e-8);
        CHECK_NEAR(p[1], 9, 1e-8);
        CHECK(now.changes <= 3);
        CHECK_INT(now.report.factorizations, now.changes + 1);
    }
    double slips[2] = { 1e-3, 5e-4 };  // down leads to the open end of the branch, so up it goes
    CHECK(follow(&one.problem, none, 1e-12, slips).changes > 0);
    CHECK_NEAR(slips[0], 28, 1e-8);
}

/// A path that ends has solved s = W p + b + eps D (p - centre), whatever it began with.
static void its_end_is_a_proximal_point(void) {
    int ended = 0, changes = 0;
    seed = 3;
    for (int round = 0; round < 60; round++) {
        sample one;
        int d = 2 + round % 2, contacts = random_int(2, 8);
        make(&one, d, contacts, random_int(3, 8), uniform(0.1, 1));
        double centre[ROWS], p[ROWS], s[ROWS], eps = 1e-2;
        for (int k = 0; k < contacts * d; k++) {
            centre[k] = uniform(-1, 1);
            p[k] = uniform(-1, 1);
        }
        attempt now = follow(&one.problem, centre, eps, p);
        if (!now.ended) continue;
        for (int i = 0; i < contacts; i++) {  // the same as a problem of its own
            double D = 0;
            int at = one.diagonal[i] * d * d;
            for (int k = 0; k < d; k++) D += one.block[at + k * d + k] / d;
            for (int k = 0; k < d; k++) {
                one.block[at + k * d + k] += eps * D;
                one.b[i * d + k] -= eps * D * centre[i * d + k];
            }
        }
        scree_residual residual = scree_problem_residual(&one.problem, p, s);
        if (!(residual.natural <= 1e-10)) COMPLAIN("round %d: %.3g", round, residual.natural);
        ended++;
        changes += now.changes;
    }
    printf("%d of 60 paths ended, %d changes of status\n", ended, changes);
    CHECK(ended >= 50);
    CHECK(changes > 60);
}

TEST_FILE(test_path) {
    TEST(it_turns_back_at_a_fold);
    TEST(its_end_is_a_proximal_point);
    return harness_end();
}
