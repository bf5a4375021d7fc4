// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// test_fallbacks.c - what `auto` does before it refuses a step, and what it takes for rounding.
//
// The problems are steps of scenes that once were refused: balls at rest in a box, a heavy box on
// four light ones, bodies whose masses differ by a factor of 1e6. Answers are held against the law
// in long double, never against the library's residual.

#include <stdlib.h>

#include "harness.h"
#include "random.h"
#include "scree/problem_file.h"
#include "scree/solve.h"

static const char *const names[] = {
    "balls-1", "balls-2", "balls-3", "heavy", "planar", "unequal"
};
enum { NAMES = sizeof names / sizeof *names };

static bool read_problem(const char *name, scree_problem_file *file) {
    const char *folder = getenv("SCREE_HARD");
    scree_error err = { 0 };
    char path[1000];
    snprintf(path, sizeof path, "%s/%s.hdf5", folder ? folder : "test/solve/problems", name);
    if (!scree_problem_read(path, file, &err)) return true;
    COMPLAIN("%s", err.text);
    return false;
}

static size_t size_of(const scree_problem *problem) {
    return (size_t)problem->contacts * (size_t)problem->dimension;
}

static scree_report solve(const scree_problem *problem, const char *solver, int threads,
                          double *p) {
    scree_solver_options options = scree_solver_options_default();
    scree_report report = { 0 };
    scree_error err = { 0 };
    options.name = solver;
    options.threads = threads;
    if (scree_solve(problem, &options, p, &report, &err)) COMPLAIN("%s", err.text);
    return report;
}

/// s = W p + b of one contact.
static void velocity_of(const scree_problem *problem, int i, const double *p, long double *s) {
    int d = problem->dimension;
    for (int r = 0; r < d; r++) s[r] = problem->b[i * d + r];
    for (int at = problem->row[i]; at < problem->row[i + 1]; at++)
        for (int r = 0; r < d; r++)
            for (int c = 0; c < d; c++)
                s[r] += (long double)problem->block[(at * d + r) * d + c] *
                        p[problem->column[at] * d + c];
}

static long double length_of(const long double *x, int count) {
    long double sum = 0;
    for (int k = 0; k < count; k++) sum += x[k] * x[k];
    return sqrtl(sum);
}

/// Coulomb's law of one contact in words, velocities: it does not approach, a contact that bears
/// does not leave, one that slides is at the edge of its cone and pushed back.
static long double miss_of(const scree_problem *problem, int i, const double *p) {
    int d = problem->dimension;
    long double s[3], t[2] = { 0 }, mu = problem->mu[i], W = 0;
    velocity_of(problem, i, p, s);
    for (int k = 0; k < d; k++)
        W = fmaxl(W, problem->block[(problem->diagonal[i] * d + k) * d + k]);
    p += (size_t)i * (size_t)d;
    for (int k = 1; k < d; k++) t[k - 1] = p[k];
    long double slip = length_of(s + 1, d - 1), push = length_of(t, d - 1), along = 0;
    for (int k = 1; k < d; k++) along += s[k] * p[k];
    long double miss = fmaxl(-s[0], W * fmaxl(0, push - mu * p[0]));
    miss = fmaxl(miss, fminl(fabsl(s[0]), W * p[0]));
    miss = fmaxl(miss, fminl(slip, W * fmaxl(0, mu * p[0] - push)));
    // friction is opposite to slip: the part of the slip that is not
    if (push > 0) miss = fmaxl(miss, fminl(slip + along / push, W * push));
    return miss;
}

/// The largest violation, against the largest velocity without impulses.
static double law_miss(const scree_problem *problem, const double *p) {
    long double worst = 0, size = 0;
    for (size_t k = 0; k < size_of(problem); k++) size = fmaxl(size, fabs(problem->b[k]));
    for (int i = 0; i < problem->contacts; i++) worst = fmaxl(worst, miss_of(problem, i, p));
    return (double)(worst / size);
}

/// Each is solved, to the tolerance and in words; the bits do not depend on the threads.
static void hard_problems_are_solved(void) {
    for (int k = 0; k < NAMES; k++) {
        scree_problem_file file;
        if (!read_problem(names[k], &file)) continue;
        size_t n = size_of(&file.problem);
        double *p = calloc(n, sizeof *p), *q = calloc(n, sizeof *q);
        if (p && q) {
            scree_report report = solve(&file.problem, "auto", 1, p);
            solve(&file.problem, "auto", 3, q);
            printf("%s: %s by %s, %d iterations, scaled %.2g, law missed by %.2g\n", names[k],
                   scree_stop_reason_text(report.reason), report.solver, report.iterations,
                   report.residual.scaled, law_miss(&file.problem, p));
            CHECK(report.converged);
            CHECK(law_miss(&file.problem, p) < 1e-8);
            CHECK(memcmp(p, q, n * sizeof *p) == 0);
            if (strcmp(names[k], "heavy") != 0) CHECK(scree_residual_max(report.residual) <= 1e-10);
        }
        free(p);
        free(q);
        scree_problem_file_free(&file);
    }
}

/// A limit of few iterations is kept to: no last resorts.
static void a_small_limit_is_kept(void) {
    scree_problem_file file;
    if (!read_problem("balls-2", &file)) return;
    double *p = calloc(size_of(&file.problem), sizeof *p);
    scree_solver_options options = scree_solver_options_default();
    scree_report report;
    scree_error err = { 0 };
    options.max_sweeps = 200;
    if (p && !scree_solve(&file.problem, &options, p, &report, &err)) {
        CHECK(!report.converged);
        CHECK(report.iterations <= 200);
    }
    free(p);
    scree_problem_file_free(&file);
}

/// Rounding excuses what no impulses in double precision avoid, and nothing else.
static void rounding_is_no_licence(void) {
    scree_problem_file file;
    if (!read_problem("heavy", &file)) return;
    const scree_problem *problem = &file.problem;
    size_t n = size_of(problem);
    double *p = calloc(n, sizeof *p), *q = calloc(n, sizeof *q), *s = calloc(n, sizeof *s);
    if (p && q && s && solve(problem, "auto", 1, p).converged) {
        scree_residual at = scree_problem_residual(problem, p, s);
        CHECK(scree_residual_meets(at, 1e-10) && scree_residual_max(at) > 1e-10);
        CHECK(at.scaled >= at.rounding && at.scaled <= 16 * at.rounding);
        seed = 5;
        for (int round = 0; round < 200; round++) {
            double size = pow(10, uniform(-13, 12));
            for (size_t k = 0; k < n; k++) q[k] = p[k] * (1 + size * uniform(-1, 1));
            scree_residual there = scree_problem_residual(problem, q, s);
            if (scree_residual_meets(there, 1e-10) != (law_miss(problem, q) < 1e-8) &&
                (size > 1e-12 || law_miss(problem, q) > 1e-7))
                COMPLAIN("off by %g: scaled %g, law missed by %g", size, there.scaled,
                         law_miss(problem, q));
        }
        // impulses that swallow the velocities
        for (size_t k = 0; k < n; k++) q[k] = k % 3 == 0 ? 1e30 : 0;
        CHECK(!scree_residual_meets(scree_problem_residual(problem, q, s), 1e-10));
    }
    free(p);
    free(q);
    free(s);
    scree_problem_file_free(&file);
}

TEST_FILE(test_fallbacks) {
    TEST(hard_problems_are_solved);
    TEST(a_small_limit_is_kept);
    TEST(rounding_is_no_licence);
    return harness_end();
}
