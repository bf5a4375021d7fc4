// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// test_stacks.c - stacks of any height take a few steps of Newton on their bodies; the system on
// bodies is the one on contacts; budgets and interrupts are kept.

#include <math.h>
#include <string.h>

#include "law/assemble.h"
#include "law/motion.h"
#include "solve/body_lu.h"
#include "solve/islands.h"
#include "solve/rigid_world.h"

// boxes of weight 1 on each other, four contacts between two of them; several towers beside each
// other, and the contacts of all mixed
static void make_towers(world *one, int towers, int levels) {
    open_world(one, towers * levels, 4 * towers * levels, false);
    for (int k = 0; k < towers * levels; k++) {
        double *inverse = one->inverse + 7 * k;
        inverse[0] = 1;
        inverse[1] = inverse[4] = inverse[6] = 6;
        one->velocity[6 * k + 2] = -1;
        one->position[3 * k + 2] = k % levels;
    }
    for (int i = 0; i < 4 * towers * levels; i++) {
        int corner = i / (towers * levels), k = i % (towers * levels);
        double x = corner % 2 ? 0.5 : -0.5, y = corner / 2 ? 0.5 : -0.5;
        const double frame[9] = { 0, 0, 1, 1, 0, 0, 0, 1, 0 };
        const double arm[6] = { x, y, -0.5, x, y, 0.5 };
        one->body[2 * i] = k;
        one->body[2 * i + 1] = k % levels ? k - 1 : SCREE_FIXED;
        memcpy(one->frame + 9 * i, frame, sizeof frame);
        memcpy(one->arm + 6 * i, arm, sizeof arm);
        one->mu[i] = 0.5;
    }
    scree_problem_offset(problem_of(one), one->b);
}

static scree_report solve_towers(world *one, const char *name, double tolerance) {
    scree_solver_options options = scree_solver_options_default();
    options.name = name;
    options.tolerance = tolerance;
    scree_report report;
    CHECK_INT(scree_solve(problem_of(one), &options, one->impulse, &report, NULL), SCREE_OK);
    return report;
}

// what the four lowest contacts of the first tower bear together
static double borne(const world *one, int bodies) {
    double sum = 0;
    for (int corner = 0; corner < 4; corner++) sum += one->impulse[3 * corner * bodies];
    return sum;
}

/// As many steps for 10 levels as for 1000, in any number of islands; the weight arrives.
static void steps_do_not_grow_with_height(void) {
    const char *const name[] = { "auto", "contact-newton" };
    for (int n = 0; n < 2; n++)
        for (int levels = 20; levels <= 1000; levels *= 7)
            for (int towers = 1; towers <= 3; towers += 2) {
                world one;
                make_towers(&one, towers, levels);
                scree_report report = solve_towers(&one, name[n], 1e-9);
                CHECK(report.converged);
                CHECK(report.factorizations <= 10 * towers && report.iterations <= 10 * towers);
                CHECK_NEAR(borne(&one, towers * levels), levels, 1e-6 * levels);
                close_world(&one);
            }
}

/// A looser tolerance never takes more.
static void looser_is_not_dearer(void) {
    int last = 0;
    for (double tolerance = 1e-3; tolerance > 1e-11; tolerance *= 1e-2) {
        world one;
        make_towers(&one, 1, 300);
        scree_report report = solve_towers(&one, "auto", tolerance);
        CHECK(report.converged && report.factorizations >= last);
        last = report.factorizations;
        close_world(&one);
    }
}

// A gable of bricks 2 x 1 x 1 of weight 1 on a floor: `length` of them in the lowest course, one
// less in each above, half a brick further; four contacts between two that overlap.
static void make_gable(world *one, int length, int courses) {
    int bricks = courses * length - courses * (courses - 1) / 2, k = 0, contacts = 0;
    open_world(one, bricks, 8 * bricks, false);
    for (int c = 0; c < courses; c++)
        for (int i = 0; i < length - c; i++, k++) {
            double *inverse = one->inverse + 7 * k;
            inverse[0] = 1;
            inverse[1] = 6;
            inverse[4] = inverse[6] = 12.0 / 5;
            one->velocity[6 * k + 2] = -1;
            for (int corner = 0; corner < (c ? 8 : 4); corner++, contacts++) {
                double x = corner % 2 ? 1 : c ? 0 : -1, y = corner / 2 % 2 ? 0.5 : -0.5;
                double side = corner < 4 ? 1 : -1;  // of the brick, whose half lies on another
                const double frame[9] = { 0, 0, 1, 1, 0, 0, 0, 1, 0 };
                const double arm[6] = { side * x, y, -0.5, side * (x - 1), y, 0.5 };
                int below = k - (length - c) - (corner < 4 ? 0 : 1);
                one->body[2 * contacts] = k;
                one->body[2 * contacts + 1] = c ? below : SCREE_FIXED;
                memcpy(one->frame + 9 * contacts, frame, sizeof frame);
                memcpy(one->arm + 6 * contacts, arm, sizeof arm);
                one->mu[contacts] = 0.6;
            }
        }
    one->problem.contacts = contacts;
}

/// Masonry that is shaken: from the impulses of another push the middle of the cones is a few steps
/// away, whatever corners bear.
static void shaken_masonry_takes_few_steps(void) {
    world one;
    make_gable(&one, 18, 14);
    for (int turn = 0; turn < 6; turn++) {
        double push = turn % 2 ? -0.35 : 0.1 * turn;
        for (int k = 0; k < one.bodies.rigid; k++) one.velocity[6 * k] = push;
        scree_report report = solve_towers(&one, "auto", 1e-6);
        printf("pushed by %.2f of its weight: %d factorisations, %d iterations, %s\n", push,
               report.factorizations, report.iterations, report.solver);
        CHECK(report.converged);
        if (turn) CHECK(report.factorizations <= 20);  // Newton alone takes 41
    }
    close_world(&one);
}

/// u = W (g - C u) for any C, and so for an island with the motion that was cut out for it.
static void check_system(const scree_problem *problem, scree_arena *arena) {
    int n = 3 * problem->contacts;
    double *C = numbers(3 * n), *g = numbers(n), *u = numbers(n), *q = numbers(n), *s = numbers(n);
    for (int k = 0; k < 3 * n; k++) C[k] = uniform(-0.02, 0.02) + (k % 9 % 4 ? 0 : 0.1);
    for (int k = 0; k < n; k++) g[k] = uniform(-1, 1);
    scree_body_lu *lu = scree_body_lu_new(problem, HUGE_VAL, arena);
    CHECK(lu && scree_body_lu_allocate(lu) && scree_body_lu_factor(lu, C));
    scree_body_lu_solve(lu, g, u);
    for (int i = 0; i < n; i++) {
        q[i] = g[i];
        for (int c = 0; c < 3; c++) q[i] -= C[3 * i + c] * u[i / 3 * 3 + c];
    }
    scree_problem_velocity(problem, q, s);
    for (int k = 0; k < n; k++) CHECK_NEAR(u[k], s[k] - problem->b[k], 1e-11);
    free(C), free(g), free(u), free(q), free(s);
}

static void systems_on_bodies_are_those_on_contacts(void) {
    world one;
    scree_arena arena = { 0 };
    make_towers(&one, 3, 7);
    scree_problem problem = *problem_of(&one);
    CHECK_INT(scree_assemble(&problem, &arena, NULL), SCREE_OK);
    CHECK(scree_motion_known(&problem));
    problem.motion = scree_motion_of_bodies(&problem, &arena);
    CHECK(problem.motion != NULL);
    check_system(&problem, &arena);
    scree_islands islands;
    CHECK(scree_islands_find(&problem, &arena, &islands));
    CHECK_INT(islands.count, 3);
    scree_island_origin origin = { .whole = &problem, .islands = &islands };
    CHECK(scree_islands_prepare_motions(&origin, &arena));
    for (int turn = 0; turn < 2; turn++)  // the work is left as it was found
        for (origin.island = 0; origin.island < 3; origin.island++) {
            scree_problem part;
            CHECK(scree_islands_extract(&problem, &islands, origin.island, &arena, &part));
            part.motion = scree_islands_motion(&origin, &arena);
            CHECK(part.motion && part.motion->dofs == 42);
            check_system(&part, &arena);
        }
    scree_arena_free(&arena);
    close_world(&one);
}

/// A set flag ends every solver at once, with what it has.
static void interrupts_are_heard(void) {
    world one;
    make_towers(&one, 1, 200);
    const volatile int asked = 1;
    scree_solver_options options = scree_solver_options_default();
    options.interrupt = &asked;
    const char *const name[] = { "auto", "contact-newton", "admm", "interior-point", "nsgs" };
    for (size_t k = 0; k < sizeof name / sizeof *name; k++) {
        scree_report report;
        options.name = name[k];
        memset(one.impulse, 0, 2400 * sizeof(double));
        CHECK_INT(scree_solve(problem_of(&one), &options, one.impulse, &report, NULL), SCREE_OK);
        CHECK(!report.converged && report.iterations < 100);
        CHECK_INT(report.reason, SCREE_STOP_TIME);
    }
    close_world(&one);
}

/// A problem that nothing solves costs no more than its budget behind the usual ways.
static void budgets_are_kept(void) {
    world one;
    make_towers(&one, 1, 30);
    scree_arena arena = { 0 };
    scree_problem problem = *problem_of(&one);
    CHECK_INT(scree_assemble(&problem, &arena, NULL), SCREE_OK);
    double *block = (double *)problem.block;  // W that is no longer that of a motion
    for (int k = 0; k < 9 * problem.row[problem.contacts]; k++) block[k] *= uniform(0.2, 1.8);
    problem.bodies = NULL;
    scree_solver_options options = scree_solver_options_default();
    scree_report free_report, report;
    CHECK_INT(scree_solve(&problem, &options, one.impulse, &free_report, NULL), SCREE_OK);
    options.max_effort = 2;  // 136 for 120 contacts
    memset(one.impulse, 0, 360 * sizeof(double));
    CHECK_INT(scree_solve(&problem, &options, one.impulse, &report, NULL), SCREE_OK);
    printf("without a solution: %d iterations and %d factorisations, with a budget %d and %d\n",
           free_report.iterations, free_report.factorizations, report.iterations,
           report.factorizations);
    CHECK(!free_report.converged && !report.converged);
    CHECK(report.iterations <= 7 * 136 && report.factorizations <= 7 * 136);  // Newton's own, too
    scree_arena_free(&arena);
    close_world(&one);
}

TEST_FILE(test_stacks) {
    TEST(steps_do_not_grow_with_height);
    TEST(looser_is_not_dearer);
    TEST(shaken_masonry_takes_few_steps);
    TEST(systems_on_bodies_are_those_on_contacts);
    TEST(interrupts_are_heard);
    TEST(budgets_are_kept);
    return harness_end();
}
