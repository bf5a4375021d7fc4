// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// test_forms.c - W in blocks and by bodies are one problem: one judge, one answer, one menu.

#include "rigid_world.h"

/// A ball between two walls that is pressed by both as hard as can be: s_N = 0 is rounding, and no
/// judge and no solver takes it for a solution.
static void huge_guesses_are_no_solutions(void) {
    const char *names[] = {
        "auto", "nsgs", "nsgs-bodies", "nsgs-symmetric", "nsgs-freezing", "ncg"
    };
    for (int balls = 0; balls < 2; balls++)
        for (int k = 0; k < 7; k++) {
            world one;
            double s[6];
            open_world(&one, 1, 2, balls);
            set_ball(&one, 0, 1, 1);
            one.velocity[0] = -1;
            for (int c = 0; c < 2; c++) {
                const double normal[3] = { c ? -1 : 1, 0, 0 };
                set_frame(one.frame + 9 * c, normal);
                one.body[2 * c + 1] = SCREE_FIXED;
                one.mu[c] = 0.3;
                one.impulse[3 * c] = 1e20;
                if (balls) one.arm_ratio[c] = 0;
            }
            if (balls) one.radius[0] = 1;
            scree_problem whole = *problem_of(&one);
            CHECK_INT(scree_problem_assemble(&whole, NULL), SCREE_OK);
            scree_residual here = scree_problem_residual(&one.problem, one.impulse, s);
            scree_residual there = scree_problem_residual(&whole, one.impulse, s);
            CHECK(!scree_residual_meets(here, 1e-8) && here.scaled > 1e4);
            CHECK(!scree_residual_meets(there, 1e-8) && there.scaled > 1e4);
            scree_solver_options options = options_of(k < 6 ? names[k] : "auto", 1e-8, 1000);
            scree_report report;
            scree_error err = { 0 };
            CHECK_INT(
                scree_solve(k < 6 ? &one.problem : &whole, &options, one.impulse, &report, &err),
                SCREE_OK);
            CHECK(report.converged && report.iterations > 0);
            scree_problem_velocity(&whole, one.impulse, s);
            CHECK(s[0] > -1e-8 && s[3] > -1e-8);
            CHECK(scree_residual_meets(scree_problem_residual(&one.problem, one.impulse, s), 1e-8));
            scree_problem_release(&whole);
            close_world(&one);
        }
}

/// W p by bodies is W p by blocks, and auto takes both for the same problem.
static void both_forms_are_one_problem(void) {
    for (int i = 0; i < RECIPES; i++) {
        world one;
        recipe r = recipes[i];
        r.side = 4;
        make_lattice(&one, r);
        int n = 3 * one.problem.contacts;
        scree_problem whole = *problem_of(&one);
        CHECK_INT(scree_problem_assemble(&whole, NULL), SCREE_OK);
        double *p = numbers(n), *s = numbers(n), *t = numbers(n);
        for (int k = 0; k < n; k++) p[k] = uniform(-1, 1);
        CHECK(scree_problem_velocity(&whole, p, s) && scree_problem_velocity(&one.problem, p, t));
        CHECK_NEAR(difference(s, t, n), 0, 1e-13 * largest(s, n));
        scree_solver_options options = options_of("auto", 1e-10, 10000);
        memset(p, 0, (size_t)n * sizeof *p);
        scree_report with, without;
        scree_error err;
        CHECK_INT(scree_solve(&whole, &options, p, &with, &err), SCREE_OK);
        CHECK_INT(scree_solve(&one.problem, &options, one.impulse, &without, &err), SCREE_OK);
        CHECK(with.converged && without.converged);
        CHECK(memcmp(p, one.impulse, (size_t)n * sizeof *p) == 0);  // few contacts: with W
        free(p);
        free(s);
        free(t);
        scree_problem_release(&whole);
        close_world(&one);
    }
}

/// Many contacts are swept on the bodies; what that misses is solved with W.
static void auto_leaves_bodies_when_they_fail(void) {
    world one;
    make_column(&one, 1000, true, 1);  // N^2 sweeps a digit
    scree_solver_options options = options_of("auto", 1e-4, 1000);
    scree_report report = solve(&one, &options);
    CHECK(report.converged && report.iterations < 20);  // a cold stack: Newton at once
    CHECK_NEAR(one.impulse[0], 1000, 1);
    for (int k = 0; k < 3000; k += 3) one.impulse[k] *= 1 + 0.01 * (k % 2);
    report = solve(&one, &options);
    CHECK(report.converged && report.iterations < 20);  // a guess that is worse than nothing
    CHECK_NEAR(one.impulse[0], 1000, 1);
    options.max_sweeps = 999;  // no patience: sweeps alone
    memset(one.impulse, 0, 3000 * sizeof(double));
    report = solve(&one, &options);
    CHECK(!report.converged && report.iterations == 999);
    CHECK_INT(report.reason, SCREE_STOP_LIMIT);
    close_world(&one);
}

/// A workspace changes no bit, and is used again.
static void workspaces_change_nothing(void) {
    scree_workspace *workspace = scree_workspace_new();
    CHECK(workspace != NULL);
    for (int i = 0; i < RECIPES; i++) {
        world one;
        make_lattice(&one, recipes[i]);
        int n = 3 * one.problem.contacts;
        double *p = numbers(n);
        scree_solver_options options = options_of("nsgs-bodies", 1e-6, 20);
        solve(&one, &options);
        options.workspace = workspace;
        scree_report report;
        CHECK_INT(scree_solve(problem_of(&one), &options, p, &report, NULL), SCREE_OK);
        CHECK(memcmp(p, one.impulse, (size_t)n * sizeof *p) == 0);
        free(p);
        close_world(&one);
    }
    scree_workspace_free(workspace);
    scree_workspace_free(NULL);
}

/// Engines on bodies take b from them: one that is not theirs is refused, not solved for another.
static void another_b_is_refused(void) {
    world one;
    recipe r = recipes[0];
    r.side = 4;
    make_lattice(&one, r);
    int nc = one.problem.contacts;
    scree_solver_options options = options_of("auto", 1e-3, 2000);
    scree_report report;
    scree_error err;
    one.problem.bodies = NULL;
    CHECK_INT(scree_solve(&one.problem, &options, one.impulse, &report, &err), SCREE_BAD_INPUT);
    CHECK(strstr(err.text, "has no W") != NULL);
    problem_of(&one);
    options.name = "nsgs-bodies";
    CHECK_INT(scree_solve(&one.problem, &options, one.impulse, &report, &err), SCREE_OK);
    double *b = numbers(3 * nc);
    memcpy(b, one.problem.b, 3 * (size_t)nc * sizeof *b);
    for (int i = 0; i < nc; i++) b[3 * i] -= 0.5;
    one.problem.b = b;
    CHECK_INT(scree_solve(&one.problem, &options, one.impulse, &report, &err), SCREE_BAD_INPUT);
    CHECK(strstr(err.text, "is not H v_free + w") != NULL);
    options.name = "contact-newton";  // on W, which goes with any b
    CHECK_INT(scree_solve(&one.problem, &options, one.impulse, &report, &err), SCREE_OK);
    free(b);
    close_world(&one);
}

TEST_FILE(test_forms) {
    TEST(another_b_is_refused);
    TEST(huge_guesses_are_no_solutions);
    TEST(both_forms_are_one_problem);
    TEST(auto_leaves_bodies_when_they_fail);
    TEST(workspaces_change_nothing);
    return harness_end();
}
