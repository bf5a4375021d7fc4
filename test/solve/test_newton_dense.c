// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// test_newton_dense.c - the quick way through a few contacts: right where it claims to be, silent
// elsewhere.
//
// The judge here works on the dense W and shares nothing with the library.

#include "solve/newton.h"

#include <stdlib.h>
#include <string.h>

#include "dense_sample.h"
#include "harness.h"
#include "random.h"

/// A chain of points with 3 degrees of freedom each (d = 2: two), touched by so many contacts: full
/// rank or redundant, b of a motion of theirs.
static void chain(sample *one, int contacts, int d, int points) {
    int size = contacts * d, n = points * d;
    double *H = calloc((size_t)(size * n), sizeof *H);
    for (int i = 0; i < contacts; i++) {
        int first = random_int(0, points - 1);
        int second = random_int(-1, points - 1);
        for (int r = 0; r < d; r++)
            for (int c = 0; c < d; c++) {
                double value = uniform(-1, 1) + (r == c);
                H[(i * d + r) * n + first * d + c] += value;
                if (second >= 0 && second != first) H[(i * d + r) * n + second * d + c] -= value;
            }
        one->mu[i] = i % 7 == 3 ? 0 : uniform(0.1, 0.9);
    }
    double v[MOST * 3];
    for (int k = 0; k < n; k++) v[k] = uniform(-1, 1);
    for (int i = 0; i < size; i++) {
        one->b[i] = 0;
        for (int k = 0; k < n; k++) one->b[i] += H[i * n + k] * v[k];
        for (int j = 0; j < size; j++) {
            double sum = 0;
            for (int k = 0; k < n; k++) sum += H[i * n + k] * H[j * n + k];
            one->dense[i * size + j] = sum;
        }
    }
    free(H);
    finish(one, contacts, d);
}

/// |p - P_K(p - (s + mu |s_T| n))| / (1 + |b|)
static double miss_of(const sample *one, const double *p) {
    int nc = one->problem.contacts, d = one->problem.dimension, size = nc * d;
    double miss = 0, scale = 0;
    for (int i = 0; i < nc; i++) {
        double s[3] = { 0 }, x[3] = { 0 }, mu = one->mu[i];
        for (int r = 0; r < d; r++) {
            s[r] = one->b[i * d + r];
            scale += s[r] * s[r];
            for (int j = 0; j < size; j++) s[r] += one->dense[(i * d + r) * size + j] * p[j];
        }
        for (int r = 0; r < d; r++) x[r] = p[i * d + r] - s[r];
        x[0] -= mu * hypot(s[1], s[2]);
        double length = hypot(x[1], x[2]);
        if (mu * length <= -x[0]) {
            x[0] = x[1] = x[2] = 0;
        } else if (length > mu * x[0]) {
            double foot = (x[0] + mu * length) / (1 + mu * mu);
            x[0] = foot;
            x[1] *= mu * foot / length;
            x[2] *= mu * foot / length;
        }
        for (int r = 0; r < d; r++) miss += (p[i * d + r] - x[r]) * (p[i * d + r] - x[r]);
    }
    return sqrt(miss) / (1 + sqrt(scale));
}

/// As scree_solve would call it. p: guess, answer.
static bool attempt(const scree_problem *problem, const scree_solver_options *options, double *p,
                    scree_report *report) {
    scree_arena arena = { 0 };
    *report = (scree_report){ .solver = "none" };
    scree_limits limits = scree_limits_of(options);
    scree_solver_context context = { .problem = problem,
                                     .options = options,
                                     .p = p,
                                     .report = report,
                                     .arena = &arena,
                                     .scales = scree_residual_scale(problem),
                                     .limits = &limits,
                                     .most_effort = HUGE_VAL };
    bool solved = scree_newton_dense_solve(&context);
    scree_arena_free(&arena);
    return solved;
}

static int count_solved(sample *one, int contacts, int d, int points, double tolerance) {
    enum { TRIES = 60 / FEWER };
    int solved = 0;
    scree_solver_options options = scree_solver_options_default();
    options.tolerance = tolerance;
    for (int k = 0; k < TRIES; k++) {
        double p[MOST * 3] = { 0 };
        scree_report report;
        chain(one, contacts, d, points);
        bool claimed = attempt(&one->problem, &options, p, &report);
        solved += claimed;
        double miss = miss_of(one, p);
        if (claimed && !(report.converged && miss <= 1.001 * tolerance + 1e-14))
            COMPLAIN("%d contacts, d = %d: solved, but %g", contacts, d, miss);
        for (int i = 0; claimed && i < contacts; i++)
            if (!(p[i * d] >= 0)) COMPLAIN("pulls with %g", p[i * d]);
        for (int i = 0; !claimed && i < contacts * d; i++)
            if (p[i] != 0)
                COMPLAIN("%d contacts, d = %d: given up, but p has changed", contacts, d);
    }
    return 100 * solved / TRIES;
}

static void few_contacts(void) {
    const int contacts[] = { 1, 2, 3, 5, 8, 12, 13, 20, 31, 32, 50, 64 };
    sample *one = calloc(1, sizeof *one);
    seed = 5;
    for (size_t k = 0; k < sizeof contacts / sizeof *contacts; k++)
        for (int d = 2; d <= 3; d++) {
            int nc = contacts[k];
            int loose = count_solved(one, nc, d, nc, 1e-8);
            int tight = count_solved(one, nc, d, 1 + nc / 3, 1e-10);
            printf("%d contacts, d = %d: %d %% solved, %d %% of those with few motions\n", nc, d,
                   loose, tight);
            if (loose < 90) COMPLAIN("%d contacts, d = %d: only %d %% solved", nc, d, loose);
        }
    free(one);
}

static void what_is_left_to_others(void) {
    sample *one = calloc(1, sizeof *one);
    double p[MOST * 3] = { 0 };
    scree_report report;
    scree_solver_options options = scree_solver_options_default();
    seed = 6;
    chain(one, 65, 3, 65);
    CHECK(!attempt(&one->problem, &options, p, &report) && report.iterations == 0);
    chain(one, 3, 3, 3);
    options.max_sweeps = 20;  // a limit that somebody may count
    CHECK(!attempt(&one->problem, &options, p, &report) && report.iterations == 0);
    options = scree_solver_options_default();
    unsigned char joint[3] = { 0, 1, 0 };
    one->problem.equality = joint;
    CHECK(!attempt(&one->problem, &options, p, &report));
    one->problem.equality = NULL;
    for (int k = 0; k < 9; k++) one->block[one->diagonal[1] * 9 + k] = 0;  // nothing moves it
    CHECK(!attempt(&one->problem, &options, p, &report));
    for (int k = 0; k < 9; k++) CHECK(p[k] == 0);
    free(one);
}

/// Numbers at the end of what a double holds: an answer or none, and an end in any case.
static void extreme_numbers(void) {
    const double scales[] = { 1e-300, 1e-150, 1e150, 1e300 };
    sample *one = calloc(1, sizeof *one);
    scree_solver_options options = scree_solver_options_default();
    seed = 7;
    for (int k = 0; k < 32; k++) {
        double p[MOST * 3] = { 0 };
        scree_report report;
        chain(one, 4, 3, 4);
        for (int i = 0; i < one->row[4] * 9; i++) one->block[i] *= scales[k % 4];
        for (int i = 0; i < 12; i++) one->b[i] *= scales[k / 4 % 4];
        if (attempt(&one->problem, &options, p, &report))
            for (int i = 0; i < 12; i++) CHECK(isfinite(p[i]));
    }
    free(one);
}

/// What Newton says of its own matrix, unique.c finds too when it is asked: impulses that are
/// called the only ones are, and most that are get that name. Chains with few motions have others.
static void only_answers(void) {
    sample *one = calloc(1, sizeof *one);
    scree_solver_options options = scree_solver_options_default();
    int named = 0, only = 0, several = 0;
    scree_error err;
    seed = 8;
    for (int k = 0; k < 400; k++) {
        double p[MOST * 3] = { 0 };
        scree_report quick, asked;
        int contacts = 2 + k % 8, d = 2 + k / 8 % 2;
        chain(one, contacts, d, k % 3 ? contacts : 1 + contacts / 3);
        options.tolerance = k % 5 ? 1e-10 : 1e-5;
        if (!attempt(&one->problem, &options, p, &quick)) continue;
        options.least = true;
        scree_solve(&one->problem, &options, p, &asked, &err);
        options.least = false;
        named += quick.unique == SCREE_UNIQUE;
        only += asked.unique == SCREE_UNIQUE;
        several += asked.unique == SCREE_NOT_UNIQUE;
        if (quick.unique == SCREE_UNIQUE && asked.unique != SCREE_UNIQUE)
            COMPLAIN("round %d: the only ones, but there is a freedom of %d", k, asked.freedom);
    }
    printf("%d answers are the only ones, %d are not, %d were named at once\n", only, several,
           named);
    CHECK(several >= 20 && named >= 100);
    free(one);
}

static bool same_report(const scree_report *a, const scree_report *b) {
    return strcmp(a->solver, b->solver) == 0 && a->converged == b->converged &&
           a->reason == b->reason && a->iterations == b->iterations &&
           a->factorizations == b->factorizations && a->islands == b->islands &&
           a->unique == b->unique && a->freedom == b->freedom &&
           memcmp(&a->residual, &b->residual, sizeof a->residual) == 0;
}

/// Springs without any give are looked at like an unusual problem; the answer has the same bits.
static void asked_in_two_ways(void) {
    const double soft[MOST * 3] = { 0 };
    sample *one = calloc(1, sizeof *one);
    int at_rest = 0, by_guess = 0;
    seed = 9;
    for (int k = 0; k < 600; k++) {
        int nc = 1 + k % 20, d = 2 + k / 20 % 2;
        double p[MOST * 3] = { 0 }, q[MOST * 3];
        scree_report quick, usual;
        scree_error err;
        chain(one, nc, d, 1 + nc / (1 + k % 3));
        for (int i = 0; k % 5 == 0 && i < nc; i++) one->b[i * d] = fabs(one->b[i * d]);
        for (int i = 0; k % 5 == 1 && i < nc; i++) p[i * d] = uniform(0, 1);
        if (k % 7 == 2 && d == 3) one->block[1] += 1e-4;  // not symmetric
        scree_solver_options options = scree_solver_options_default();
        if (k % 5 == 2)  // a guess that does
            scree_solve(&one->problem, &options, p, &quick, &err);
        memcpy(q, p, sizeof q);
        options.criterion = (scree_criterion)(k % 3);
        options.tolerance = k % 4 ? 1e-10 : 1e-6;
        CHECK_INT(scree_solve(&one->problem, &options, p, &quick, &err), SCREE_OK);
        one->problem.compliance = soft;
        CHECK_INT(scree_solve(&one->problem, &options, q, &usual, &err), SCREE_OK);
        at_rest += strcmp(quick.solver, "none") == 0 && k % 5 != 2;
        by_guess += strcmp(quick.solver, "none") == 0 && k % 5 == 2;
        if (memcmp(p, q, (size_t)(nc * d) * sizeof *p) != 0)
            COMPLAIN("round %d: %d contacts, d = %d: another answer", k, nc, d);
        if (!same_report(&quick, &usual))
            COMPLAIN("round %d: %d contacts, d = %d: %s after %d, %s after %d", k, nc, d,
                     quick.solver, quick.iterations, usual.solver, usual.iterations);
    }
    printf("%d need no impulses, %d have a guess that does\n", at_rest, by_guess);
    CHECK(at_rest >= 50 && by_guess >= 50);
    free(one);
}

/// Numbers that are none are told also where nothing has to be solved.
static void broken_at_rest(void) {
    const double none[] = { NAN, INFINITY, -INFINITY };
    sample *one = calloc(1, sizeof *one);
    seed = 10;
    for (int k = 0; k < 90; k++) {
        int nc = 1 + k % 5, d = 2 + k % 2;
        double p[MOST * 3] = { 0 };
        scree_report report;
        scree_error err;
        chain(one, nc, d, nc);
        for (int i = 0; i < nc; i++) one->b[i * d] = fabs(one->b[i * d]);
        if (k / 3 % 3 == 0) one->block[random_int(0, one->row[nc] * d * d - 1)] = none[k % 3];
        if (k / 3 % 3 == 1) one->b[random_int(0, nc * d - 1)] = none[k % 3];
        if (k / 3 % 3 == 2) one->mu[random_int(0, nc - 1)] = k % 2 ? -0.1 : none[k % 3];
        scree_solver_options options = scree_solver_options_default();
        CHECK_INT(scree_solve(&one->problem, &options, p, &report, &err), SCREE_OK);
        if (report.converged || report.reason != SCREE_STOP_BROKEN)
            COMPLAIN("round %d: %s", k, scree_stop_reason_text(report.reason));
    }
    free(one);
}

TEST_FILE(test_newton_dense) {
    TEST(asked_in_two_ways);
    TEST(broken_at_rest);
    TEST(few_contacts);
    TEST(only_answers);
    TEST(what_is_left_to_others);
    TEST(extreme_numbers);
    return harness_end();
}
