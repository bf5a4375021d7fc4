// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// test_rolling_balls.c - sweeps on balls that resist rolling, held against W in blocks of 5 x 5.

#include "rigid_world.h"
#include "solve/solver_context.h"

typedef struct rolling_world {
    world base;
    double *w, *b, *mu_rolling, *impulse;
    scree_problem whole;  // with W
} rolling_world;

// a lattice of balls of other sizes, some contacts of which do not resist; on a driven body that
// spins where `driven`
static void open_rolling(rolling_world *one, recipe r, bool driven) {
    make_lattice(&one->base, r);
    int nc = one->base.problem.contacts, n = r.side;
    one->w = numbers(5 * nc);
    one->b = numbers(5 * nc);
    one->mu_rolling = numbers(nc);
    one->impulse = numbers(5 * nc);
    // a ball of the uppermost layer keeps its velocity
    if (driven) memset(one->base.inverse + 7 * n * n * (n - 1), 0, 7 * sizeof(double));
    for (int i = 0; i < nc; i++) {
        one->mu_rolling[i] = uniform(0, 1) < 0.2 ? 0 : uniform(0, 0.2);
        memcpy(one->w + 5 * i, one->base.w + 3 * i, 3 * sizeof(double));
        for (int k = 3; r.tangential && k < 5; k++) one->w[5 * i + k] = uniform(-0.1, 0.1);
    }
    one->base.bodies.w = one->w;
    one->base.problem.dimension = 5;
    one->base.problem.b = one->b;
    one->base.problem.mu_rolling = one->mu_rolling;
    one->base.problem.bodies = &one->base.bodies;
    scree_problem_offset(&one->base.problem, one->b);
    one->whole = one->base.problem;
    CHECK_INT(scree_problem_assemble(&one->whole, NULL), SCREE_OK);
}

static void close_rolling(rolling_world *one) {
    scree_problem_release(&one->whole);
    free(one->w);
    free(one->b);
    free(one->mu_rolling);
    free(one->impulse);
    close_world(&one->base);
}

static bool lay_out(rolling_world *one, scree_arena *memory, scree_rigid_set *set) {
    scree_error err;
    bool broken = true;
    *memory = (scree_arena){ 0 };
    scree_status status =
        scree_rigid_prepare(&one->base.problem, one->impulse, memory, set, &broken, &err);
    if (status || broken) COMPLAIN("not laid out: %s", status ? err.text : "broken");
    return !status && !broken;
}

static const recipe heaps[] = {
    { .side = 6, .balls = true, .friction = -1 },
    { .side = 6, .balls = true, .friction = 1.5, .tangential = true, .hub = true },
};
enum { HEAPS = sizeof heaps / sizeof *heaps };

/// Impulses inside and outside of their cones are judged as W judges them, on every path, to
/// rounding, and come back as they were.
static void judged_as_by_blocks(void) {
    seed = 11;
    for (int k = 0; k < 2 * HEAPS; k++) {
        rolling_world one;
        open_rolling(&one, heaps[k % HEAPS], k >= HEAPS);
        int nc = one.base.problem.contacts;
        CHECK(scree_rigid_serves(&one.base.problem));
        for (int i = 0; i < 5 * nc; i++) one.impulse[i] = uniform(i % 5 ? -0.3 : -0.1, 0.5);
        double *s = numbers(5 * nc), *p = numbers(5 * nc);
        scree_residual judged = scree_problem_residual(&one.whole, one.impulse, s);
        scree_residual_scales scales = scree_residual_scale(&one.whole);
        scree_arena memory;
        scree_rigid_set set;
        if (!lay_out(&one, &memory, &set)) return;
        for (const scree_simd_kernel *const *path = scree_simd_kernels(); *path; path++) {
            scree_kernel_config config = { *path, NULL };
            scree_rigid_refresh(&set, &config);
            scree_residual own = scree_residual_of(scree_rigid_judge(&set, &config).sums, scales);
            CHECK_NEAR(own.natural, judged.natural, 1e-12 * judged.natural);
            CHECK_NEAR(own.scaled, judged.scaled, 1e-12 * judged.scaled);
            CHECK_NEAR(own.work, judged.work, 1e-12 * judged.work);
        }
        scree_rigid_impulses(&set, p);
        CHECK_NEAR(difference(p, one.impulse, 5 * nc), 0, 1e-14);
        scree_arena_free(&memory);
        free(s);
        free(p);
        close_rolling(&one);
    }
}

static void clip(double *x, double most) {
    double length = hypot(x[0], x[1]);
    if (length > most)
        for (int e = 0; e < 2; e++) x[e] *= most / length;
}

// normal, tangent and moment in turn, each exactly, with W_ii = A
static void relax_by_blocks(const double *A, const double *s, double mu, double mu_rolling,
                            double *p) {
    double old[5], d[5], rolling[2];
    memcpy(old, p, sizeof old);
    p[0] = fmax(0, p[0] - s[0] / A[0]);
    for (int e = 1; e < 3; e++) p[e] -= s[e] / A[6];
    clip(p + 1, mu * p[0]);
    for (int k = 0; k < 5; k++) d[k] = p[k] - old[k];
    for (int e = 0; e < 2; e++) {
        rolling[e] = s[3 + e];
        for (int k = 0; k < 3; k++) rolling[e] += A[5 * (3 + e) + k] * d[k];
        p[3 + e] -= rolling[e] / A[18];
    }
    clip(p + 3, mu_rolling * p[0]);
}

/// The first contacts of a sweep, which share nothing, are solved by blocks of W_ii.
static void first_contacts_are_solved_by_blocks(void) {
    seed = 5;
    for (int k = 0; k < 2 * HEAPS; k++) {
        rolling_world one;
        open_rolling(&one, heaps[k % HEAPS], k >= HEAPS);
        int nc = one.base.problem.contacts, tried = 0;
        double *s = numbers(5 * nc), *p = numbers(5 * nc);
        for (int i = 0; i < nc; i++) {
            one.impulse[5 * i] = uniform(0, 0.5);
            for (int e = 1; e < 5; e++) one.impulse[5 * i + e] = uniform(-0.02, 0.02);
        }
        CHECK(scree_problem_velocity(&one.whole, one.impulse, s));
        scree_arena memory;
        scree_rigid_set set;
        if (!lay_out(&one, &memory, &set)) return;
        scree_kernel_config config = scree_kernel_config_of(NULL);
        scree_rigid_refresh(&set, &config);
        scree_rigid_sweep(&set, &config, SCREE_SWEEP_FORWARDS, SCREE_SWEEP_PLAIN, 0, 1);
        scree_rigid_impulses(&set, p);
        for (int l = 0; l < 8; l++) {
            int i = set.contact[l];
            if (i < 0) continue;
            double *own = one.impulse + 5 * i;
            relax_by_blocks(one.whole.block + 25 * (size_t)one.whole.diagonal[i], s + 5 * i,
                            one.base.mu[i], one.mu_rolling[i], own);
            CHECK_NEAR(difference(own, p + 5 * i, 5), 0, 1e-12 * (1 + largest(own, 5)));
            tried++;
        }
        CHECK(tried > 4);
        scree_arena_free(&memory);
        free(s);
        free(p);
        close_rolling(&one);
    }
}

/// Every way of sweeping ends where the judge of W is content, with the same bits for any number of
/// threads.
static void heaps_are_solved(void) {
    static const char *const names[] = { "nsgs-bodies", "ncg", "auto" };
    seed = 7;
    for (int k = 0; k < 2 * HEAPS; k++) {
        rolling_world one;
        open_rolling(&one, heaps[k % HEAPS], k >= HEAPS);
        int nc = one.base.problem.contacts, sweeps[3];
        size_t bytes = 5 * (size_t)nc * sizeof(double);
        double *s = numbers(5 * nc), *p = numbers(5 * nc);
        for (int name = 0; name < 3; name++)
            for (int threads = 1; threads <= 3; threads += 2) {
                double tolerance = name ? 1e-6 : 1e-3;
                scree_solver_options options = options_of(names[name], tolerance, 20000);
                scree_report report = { 0 };
                scree_error err;
                options.threads = threads;
                memset(one.impulse, 0, bytes);
                CHECK_INT(scree_solve(&one.base.problem, &options, one.impulse, &report, &err),
                          SCREE_OK);
                CHECK(report.converged);
                sweeps[name] = report.iterations;
                scree_residual judged = scree_problem_residual(&one.whole, one.impulse, s);
                CHECK(scree_residual_meets(judged, 1.001 * tolerance));
                if (threads > 1) CHECK(memcmp(p, one.impulse, bytes) == 0);
                memcpy(p, one.impulse, bytes);
            }
        printf(
            "%d contacts of rolling balls: %d sweeps to 1e-3, %d with conjugate gradients to "
            "1e-6\n",
            nc, sweeps[0], sweeps[1]);
        free(s);
        free(p);
        close_rolling(&one);
    }
}

/// What sweeps miss is asked of all that there is with W.
static void digits_that_sweeps_miss(void) {
    seed = 9;
    rolling_world one;
    open_rolling(&one, (recipe){ .side = 5, .balls = true, .friction = -1 }, false);
    double *s = numbers(5 * one.base.problem.contacts);
    scree_solver_options options = options_of("auto", 1e-11, 20000);
    scree_report report = { 0 };
    scree_error err;
    CHECK_INT(scree_solve(&one.base.problem, &options, one.impulse, &report, &err), SCREE_OK);
    CHECK(report.converged);
    CHECK(scree_residual_meets(scree_problem_residual(&one.whole, one.impulse, s), 1.001e-11));
    printf("1e-11 of rolling balls: %s\n", report.solver);
    free(s);
    close_rolling(&one);
}

/// Moments keep to their cones while impulses are led on, and velocities follow them.
static void leading_keeps_cones(void) {
    seed = 3;
    rolling_world one;
    open_rolling(&one, heaps[1], false);
    int nc = one.base.problem.contacts, nb = one.base.bodies.rigid;
    double *p = numbers(5 * nc), *v = numbers(6 * nb), *fresh = numbers(6 * nb);
    scree_arena memory;
    scree_rigid_set set;
    if (!lay_out(&one, &memory, &set)) return;
    scree_kernel_config config = scree_kernel_config_of(NULL);
    scree_rigid_refresh(&set, &config);
    int edge = 0;
    for (int sweep = 0; sweep < 6; sweep++) {
        scree_rigid_sweep(&set, &config, SCREE_SWEEP_FORWARDS, SCREE_SWEEP_TRACED, 0, 1);
        scree_rigid_lead(&set, &config, (scree_momentum){ 0.7, 0.9, sweep % 2, 0.3 });
        scree_rigid_impulses(&set, p);
        for (int i = 0; i < nc; i++) {
            double *own = p + 5 * i, T = hypot(own[1], own[2]), R = hypot(own[3], own[4]);
            CHECK(own[0] >= 0);
            CHECK(T <= one.base.mu[i] * own[0] + 1e-13);
            CHECK(R <= one.mu_rolling[i] * own[0] + 1e-13);
            edge += R > 1e-6 && R > one.mu_rolling[i] * own[0] - 1e-13;
        }
    }
    CHECK(edge > nc / 10);
    scree_rigid_velocities(&set, v);
    scree_rigid_refresh(&set, &config);
    scree_rigid_velocities(&set, fresh);
    CHECK_NEAR(difference(v, fresh, 6 * nb), 0, 1e-12 * (1 + largest(fresh, 6 * nb)));
    scree_arena_free(&memory);
    free(p);
    free(v);
    free(fresh);
    close_rolling(&one);
}

TEST_FILE(test_rolling_balls) {
    TEST(judged_as_by_blocks);
    TEST(first_contacts_are_solved_by_blocks);
    TEST(leading_keeps_cones);
    TEST(heaps_are_solved);
    TEST(digits_that_sweeps_miss);
    return harness_end();
}
