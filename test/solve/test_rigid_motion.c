// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// test_rigid_motion.c - rigid bodies read off M and H.

#include "law/motion.h"
#include "law/rigid_motion.h"
#include "rigid_world.h"

/// M and H of a world, without its bodies; zeros of H may be left out.
static scree_problem with_motion(const scree_problem *given, bool thin, scree_arena *memory) {
    scree_problem problem = *given;
    scree_motion *motion = (scree_motion *)scree_motion_of_bodies(given, memory);
    problem.bodies = NULL;
    problem.motion = motion;
    if (!motion || !thin) return problem;
    int *first = (int *)motion->H_first, *dof = (int *)motion->H_dof, to = 0;
    double *H = (double *)motion->H;
    size_t d = (size_t)given->dimension;
    for (int i = 0, at = 0; i < given->contacts; i++) {
        int end = first[i + 1];
        for (; at < end; at++) {
            if (largest(H + (size_t)at * d, (int)d) == 0) continue;
            memmove(H + (size_t)to * d, H + (size_t)at * d, d * sizeof *H);
            dof[to++] = dof[at];
        }
        first[i + 1] = to;
    }
    return problem;
}

/// Walls along the axes, whose rows have zeros.
static void straighten(world *one) {
    for (int c = 0; c < one->problem.contacts; c += 5) {
        const double frame[9] = { 0, 0, 1, 1, 0, 0, 0, 1, 0 };
        memcpy(one->frame + 9 * c, frame, sizeof frame);
    }
}

static void read_off(world *one, bool balls) {
    const scree_problem *given = problem_of(one);
    int n = given->dimension * given->contacts;
    double *p = numbers(n), *s = numbers(n), *t = numbers(n);
    for (int i = 0; i < n; i++) p[i] = uniform(-1, 1);
    CHECK(scree_problem_velocity(given, p, s));
    for (int thin = 0; thin < 2; thin++) {
        scree_arena memory = { 0 };
        scree_problem problem = with_motion(given, thin, &memory);
        problem.bodies = scree_rigid_bodies_of_motion(&problem, &memory);
        CHECK(problem.bodies && !problem.bodies->radius == !balls);
        if (problem.bodies) {
            CHECK(scree_problem_velocity(&problem, p, t));
            CHECK_NEAR(difference(s, t, n), 0, 1e-11 * largest(s, n));
        }
        scree_arena_free(&memory);
    }
    free(p);
    free(s);
    free(t);
    close_world(one);
}

/// s = W p + b is the same for what was read off, and balls are known as such.
static void bodies_are_read_off(void) {
    seed = 11;
    world one;
    for (int k = 0; k < RECIPES; k++) {
        make_lattice(&one, recipes[k]);
        straighten(&one);
        read_off(&one, recipes[k].balls);
    }
    make_plane(&one, 60, 4);
    read_off(&one, false);
}

/// What is a little else than rigid is not taken for it.
static void others_are_left_alone(void) {
    seed = 12;
    world one;
    make_lattice(&one, recipes[2]);
    const scree_problem *given = problem_of(&one);
    for (int k = 0; k < 3; k++) {
        scree_arena memory = { 0 };
        scree_problem problem = with_motion(given, false, &memory);
        const scree_motion *motion = problem.motion;
        if (k == 0) ((double *)motion->H)[3 * 4] *= 1 + 1e-6;  // of a moment
        if (k == 1) ((double *)motion->H)[0] += 1e-6;          // of a normal
        if (k == 2) ((double *)motion->M)[0] *= 1 + 1e-6;      // of a mass, in one direction
        CHECK(!scree_rigid_bodies_of_motion(&problem, &memory));
        scree_arena_free(&memory);
    }
    close_world(&one);
}

/// A problem with W, M and H, as files have it, is swept on its bodies, and W says that it is
/// solved.
static void files_are_swept_on_bodies(void) {
    seed = 13;
    const char *const names[] = { "auto", "ncg", "nsgs-bodies" };
    world one;
    make_lattice(&one, recipes[0]);
    const scree_problem *given = problem_of(&one);
    scree_arena memory = { 0 };
    scree_problem problem = with_motion(given, true, &memory), whole = *given;
    scree_error err;
    CHECK_INT(scree_problem_assemble(&whole, &err), SCREE_OK);
    problem.row = whole.row;
    problem.column = whole.column;
    problem.diagonal = whole.diagonal;
    problem.block = whole.block;
    double *s = numbers(3 * problem.contacts);
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        scree_solver_options options = options_of(names[k], 1e-5, 20000);
        scree_report report = { 0 };
        memset(one.impulse, 0, 3 * (size_t)problem.contacts * sizeof *one.impulse);
        CHECK_INT(scree_solve(&problem, &options, one.impulse, &report, &err), SCREE_OK);
        CHECK(report.converged && report.factorizations == 0);
        CHECK(scree_residual_meets(scree_problem_residual(&whole, one.impulse, s), 1e-5));
    }
    free(s);
    scree_problem_release(&whole);
    scree_arena_free(&memory);
    close_world(&one);
}

TEST_FILE(test_rigid_motion) {
    TEST(bodies_are_read_off);
    TEST(others_are_left_alone);
    TEST(files_are_swept_on_bodies);
    return harness_end();
}
