// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// test_existence.c - the criterion of existence: closed forms, then random contacts of a few bodies
// against what proves either answer, in words of the problem.

#include <stdlib.h>

#include "harness.h"
#include "random.h"
#include "scree/lcp.h"
#include "solve/dense_sample.h"
#include "solve/existence.h"

enum { BODIES = 3, DOFS = 6 };

static scree_existence ask(const scree_problem *problem, double *stress) {
    scree_arena arena = { 0 };
    scree_existence existence = { 0 };
    CHECK(scree_existence_find(problem, &arena, stress, &existence));
    scree_arena_free(&arena);
    return existence;
}

/// Contacts i with rows H_i (d x dofs) of bodies whose inertia is 1.
static void fill(sample *one, int contacts, int d, const double *H) {
    int size = contacts * d, dofs = BODIES * DOFS;
    for (int r = 0; r < size; r++)
        for (int c = 0; c < size; c++) {
            one->dense[r * size + c] = 0;
            for (int k = 0; k < dofs; k++)
                one->dense[r * size + c] += H[r * dofs + k] * H[c * dofs + k];
        }
    finish(one, contacts, d);
}

/// A mass between two walls, each at speed v towards it, sliding past it against each other at w:
/// u_1 + u_2 = -2 v and u_T1 - u_T2 = 2 w whatever the mass does, so that the value is -v - mu w.
/// With rolling resistance (d = 5) the walls turn against each other at w as well, mu_r = mu / 2.
static void squeezed_mass(int d, double v, double w, double mu) {
    sample *one = calloc(1, sizeof *one);
    double H[10 * BODIES * DOFS] = { 0 }, stress[10], rolling[2] = { mu / 2, mu / 2 };
    for (int i = 0; i < 2; i++) {
        H[i * d * BODIES * DOFS] = i ? -1 : 1;
        for (int k = 1; k < d; k++) H[(i * d + k) * BODIES * DOFS + k] = 1;
        one->b[i * d] = -v;
        for (int k = 1; k < d; k += 2)
            if (k == 1 || d == 5) one->b[i * d + k] = i ? -w : w;
        one->mu[i] = mu;
    }
    fill(one, 2, d, H);
    if (d == 5) one->problem.mu_rolling = rolling;
    scree_existence found = ask(&one->problem, stress);
    double value = -v - (d == 5 ? 1.5 : 1) * mu * w, largest = fmax(fabs(v), fabs(w));
    CHECK_NEAR(found.value, value, 1e-6 * largest);
    CHECK(found.holds == (value >= 0));
    CHECK(found.fails == (value < 0));
    CHECK_INT(found.jammed, value < 0 ? 2 : 0);
    for (int i = 0; i < 2; i++) CHECK_NEAR(stress[i * d], value < 0 ? 0.5 : 0, 1e-6);
    free(one);
}

static void walls_that_squeeze(void) {
    for (int d = 2; d <= 5; d += d == 3 ? 2 : 1) {
        squeezed_mass(d, 1, 0, 0.5);
        squeezed_mass(d, 1, 1, 0.5);
        squeezed_mass(d, 1, 0.3, 0);
        squeezed_mass(d, 0.2, 1, 0.7);
        squeezed_mass(d, -0.5, 1, 0.4);  // they go apart: room for 0.1
        squeezed_mass(d, -0.5, 1, 0.6);  // friction takes it
    }
}

/// A wedge between walls at rest: a self-stress, and no velocity against it.
static void walls_at_rest_leave_nothing_and_need_nothing(void) {
    sample *one = calloc(1, sizeof *one);
    double H[4 * BODIES * DOFS] = { 0 }, stress[4], fall = 1;
    for (int i = 0; i < 2; i++) {
        H[2 * i * BODIES * DOFS] = i ? -1 : 1;
        H[(2 * i + 1) * BODIES * DOFS + 1] = 1;
        one->b[2 * i + 1] = fall;
        one->mu[i] = 0.5;
    }
    fill(one, 2, 2, H);
    scree_existence found = ask(&one->problem, stress);
    CHECK_NEAR(found.value, 0, 1e-6);
    CHECK(found.holds && !found.fails);
    free(one);
}

/// One contact can be left at any speed: the value is cut at |b|; without b there is none.
static void what_can_open_has_room(void) {
    sample *one = calloc(1, sizeof *one);
    double H[3 * BODIES * DOFS] = { 0 }, stress[3];
    for (int k = 0; k < 3; k++) H[k * BODIES * DOFS + k] = 1;
    one->b[0] = -2;
    one->mu[0] = 0.3;
    fill(one, 1, 3, H);
    CHECK_NEAR(ask(&one->problem, stress).value, 2, 1e-4);
    one->b[0] = 0;
    CHECK(ask(&one->problem, stress).holds);
    free(one);
}

static double cone_room(const double *x, double mu, int d) {
    return x[0] * mu - (d == 2 ? fabs(x[1]) : hypot(x[1], x[2]));
}

/// Is the stress in the cones, does it move nothing, and do the given velocities oppose it by just
/// the value? Then no motion has a larger one.
static void check_stress(const sample *one, const double *stress, double value, double largest) {
    const scree_problem *problem = &one->problem;
    int d = problem->dimension, size = problem->contacts * d;
    double sum = 0, work = 0;
    for (int i = 0; i < problem->contacts; i++) {
        sum += stress[i * d];
        CHECK(cone_room(stress + i * d, problem->mu[i], d) >= -1e-5);
    }
    CHECK_NEAR(sum, 1, 1e-4);
    for (int r = 0; r < size; r++) {
        double moved = 0;
        for (int c = 0; c < size; c++) moved += one->dense[r * size + c] * stress[c];
        CHECK_NEAR(moved, 0, 1e-5);
        work += stress[r] * problem->b[r];
    }
    CHECK_NEAR(work, value, 1e-4 * largest);
}

static void make_random(sample *one, int contacts, int d, double walls) {
    double H[6 * 3 * BODIES * DOFS] = { 0 };
    int dofs = BODIES * DOFS, own = d == 2 ? 3 : 6;
    for (int i = 0; i < contacts; i++) {
        int body = random_int(0, BODIES - 1) * (contacts < 5);
        for (int r = i * d; r < (i + 1) * d; r++) {
            for (int k = 0; k < own; k++) H[r * dofs + body * DOFS + k] = uniform(-1, 1);
            one->b[r] = walls * uniform(-1, 1);
        }
        one->mu[i] = uniform(0, 1);
    }
    double v[BODIES * DOFS];
    for (int k = 0; k < dofs; k++) v[k] = uniform(-1, 1);
    for (int r = 0; r < contacts * d; r++)
        for (int k = 0; k < dofs; k++) one->b[r] += H[r * dofs + k] * v[k];
    fill(one, contacts, d, H);
}

/// Where it fails the self-stress proves it; where it holds, in the plane, there is a solution.
static void random_contacts_of_three_bodies(void) {
    int failed = 0, held = 0, undecided = 0;
    seed = 11;
    for (int trial = 0; trial < 400; trial++) {
        int d = trial % 2 ? 2 : 3, contacts = random_int(2, 6);
        sample *one = calloc(1, sizeof *one);
        double stress[18], largest = 0;
        make_random(one, contacts, d, trial % 3 ? 1 : 0);
        for (int k = 0; k < contacts * d; k++) largest = fmax(largest, fabs(one->b[k]));
        scree_existence found = ask(&one->problem, stress);
        undecided += !found.holds && !found.fails;
        failed += found.fails;
        held += found.holds;
        CHECK(trial % 3 || found.holds);  // walls at rest
        if (found.fails) check_stress(one, stress, found.value, largest);
        scree_solution_set set;
        scree_error err = { 0 };
        if (found.holds && d == 2) {
            CHECK_INT(scree_solve_all(&one->problem, 1e-10, &set, &err), SCREE_OK);
            CHECK(set.solutions > 0);
            scree_solution_set_free(&set);
        }
        free(one);
    }
    printf("%d hold, %d fail, %d undecided\n", held, failed, undecided);
    CHECK(failed > 20 && held > 200);
    CHECK_INT(undecided, 0);
}

TEST_FILE(test_existence) {
    TEST(walls_that_squeeze);
    TEST(walls_at_rest_leave_nothing_and_need_nothing);
    TEST(what_can_open_has_room);
    TEST(random_contacts_of_three_bodies);
    return harness_end();
}
