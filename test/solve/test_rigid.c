// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// test_rigid.c - Gauss-Seidel on bodies: is it the plain sweep, only faster?
//
// The reference is a scalar sweep in the order that the laid-out set says; the assembled problem
// and its judge are the second opinion.

#include "failing.h"
#include "rigid_world.h"

// -------------------------------------------------------------------------------------------------
// sweeps

static void sweeps_are_the_plain_ones(void) {
    for (int i = 0; i < RECIPES; i++) {
        world one;
        scree_rigid_set set;
        scree_arena memory;
        make_lattice(&one, recipes[i]);
        int nb = one.bodies.rigid, nc = one.problem.contacts, sweeps = 6;
        if (!prepare(&one, &memory, &set)) continue;
        double *v = numbers(6 * nb), *p = numbers(3 * nc);
        memcpy(v, one.velocity, 6 * (size_t)nb * sizeof *v);
        for (int k = 0; k < sweeps; k++)
            for (int at = 0; at < 8 * set.batches; at++) {
                int c = set.contact[k % 2 == 0 ? at : 8 * set.batches - 1 - at];
                if (c >= 0) relax_plainly(&one, c, v, p);
            }
        scree_kernel_config team = scree_kernel_config_of(NULL);
        scree_rigid_sweep(&set, &team, SCREE_SWEEP_SYMMETRIC, SCREE_SWEEP_PLAIN, 0, sweeps);
        scree_rigid_impulses(&set, one.impulse);
        scree_rigid_velocities(&set, one.out);
        CHECK(largest(p, 3 * nc) > 0.1);
        CHECK_NEAR(difference(p, one.impulse, 3 * nc), 0, 1e-11 * largest(p, 3 * nc));
        CHECK_NEAR(difference(v, one.out, 6 * nb), 0, 1e-11 * largest(v, 6 * nb));
        free(v);
        free(p);
        scree_arena_free(&memory);
        close_world(&one);
    }
}

/// Contacts that share nothing: one sweep solves them, however skew and however rough.
static void one_sweep_solves_lone_contacts(void) {
    for (int balls = 0; balls < 2; balls++) {
        world one;
        int count = 4000;
        open_world(&one, count, count, balls);
        for (int i = 0; i < count; i++) {
            double scale = pow(10, uniform(-3, 3)), normal[3];
            for (int e = 0; e < 3; e++) normal[e] = uniform(-1, 1);
            for (int e = 0; e < 6; e++) one.velocity[6 * i + e] = uniform(-1, 1) * scale;
            one.inverse[7 * i] = pow(10, uniform(-3, 3));
            one.body[2 * i] = i % 2 ? i : SCREE_FIXED;
            one.body[2 * i + 1] = i % 2 ? SCREE_FIXED : i;
            one.mu[i] = i % 10 ? pow(10, uniform(-2, 1)) : 0;
            set_frame(one.frame + 9 * i, normal);
            one.position[3 * i] = i;
            if (balls) {
                one.radius[i] = uniform(0.1, 10);
                set_ball(&one, i, one.inverse[7 * i], one.inverse[7 * i] * uniform(0, 10));
                one.arm_ratio[i] = uniform(0.5, 1.5);
            } else {
                random_inertia(one.inverse + 7 * i + 1, pow(10, uniform(-2, 2)));
                for (int e = 0; e < 6; e++) one.arm[6 * i + e] = uniform(-1, 1);
            }
        }
        scree_solver_options options = { .name = "nsgs-bodies",
                                         .tolerance = 1e-9,
                                         .max_sweeps = 1 };
        scree_report report = { 0 };
        scree_error err;
        CHECK_INT(scree_solve(problem_of(&one), &options, one.impulse, &report, &err), SCREE_OK);
        CHECK_INT(report.iterations, 1);

        // each alone against its own size, so that no large one hides a small one
        int open = 0, slip = 0;
        for (int i = 0; i < count; i++) {
            double A[9], b[3], p[3] = { 0 }, *mine = one.impulse + 3 * i;
            lone_problem(&one, i, A, b);
            scree_problem alone = { .contacts = 1,
                                    .dimension = 3,
                                    .row = (int[]){ 0, 1 },
                                    .column = (int[]){ 0 },
                                    .diagonal = (int[]){ 0 },
                                    .block = A,
                                    .b = b,
                                    .mu = one.mu + i };
            CHECK_NEAR(scree_problem_residual(&alone, mine, p).scaled, 0, 1e-9);
            open += mine[0] == 0;
            slip += hypot(mine[1], mine[2]) > 0.999999 * one.mu[i] * mine[0] && mine[0] > 0;
        }
        CHECK(open > count / 4 && slip > count / 8 && count - open - slip > count / 50);
        close_world(&one);
    }
}

// -------------------------------------------------------------------------------------------------
// the order

/// Batches share no body that moves, chunks of a colour neither, and every contact stands once.
static void nothing_is_moved_twice_at_once(void) {
    for (int i = 0; i < RECIPES; i++) {
        world one;
        scree_rigid_set set;
        scree_arena memory;
        recipe r = recipes[i];
        r.side = 14;
        make_lattice(&one, r);
        if (!prepare(&one, &memory, &set)) continue;
        int *batch = calloc((size_t)set.lines, sizeof *batch), seen = 0, hubs = 0;
        int *chunk_of = calloc((size_t)set.lines, sizeof *chunk_of);
        for (int colour = 0; colour < set.colours; colour++)
            for (int chunk = set.colour[colour]; chunk < set.colour[colour + 1]; chunk++)
                for (int at = 8 * set.chunk[chunk]; at < 8 * set.chunk[chunk + 1]; at++) {
                    if (set.contact[at] < 0) continue;
                    seen++;
                    for (int side = 0; side < 2; side++) {
                        int body = one.body[2 * set.contact[at] + side];
                        if (body < 0) continue;
                        int line = set.line_of[body], mark = colour * set.chunks + chunk + 1;
                        CHECK(batch[line] != at / 8 + 1);
                        batch[line] = at / 8 + 1;
                        CHECK(chunk_of[line] == mark ||
                              (chunk_of[line] - 1) / set.chunks != colour || chunk_of[line] == 0);
                        chunk_of[line] = mark;
                    }
                }
        for (int at = 8 * set.chunk[set.chunks - 1]; at < 8 * set.batches; at++)
            hubs += set.contact[at] >= 0;
        CHECK_INT(seen + hubs, one.problem.contacts);
        CHECK_INT(hubs, r.hub ? 2 * r.side * r.side : 0);
        CHECK(set.colours > 2);
        CHECK(8 * set.batches < 1.3 * one.problem.contacts);
        free(batch);
        free(chunk_of);
        scree_arena_free(&memory);
        close_world(&one);
    }
}

static void bits_do_not_depend_on_threads(void) {
    const char *const names[] = { "nsgs-bodies", "nsgs-symmetric", "nsgs-freezing" };
    compare_threads(names, SANITIZED ? 1 : 3);
}

static void bits_do_not_depend_on_the_processor(void) {
    const scree_simd_kernel *const *paths = scree_simd_kernels();
    for (int i = 0; i < RECIPES; i++) {
        world one;
        make_lattice(&one, recipes[i]);
        int nc = one.problem.contacts;
        double *p = numbers(3 * nc);
        scree_rigid_total total = { 0 };
        for (int k = 0; paths[k]; k++) {
            scree_rigid_set set;
            scree_arena memory;
            scree_kernel_config team = { .path = paths[k] };
            if (!prepare(&one, &memory, &set)) break;
            scree_rigid_sweep(&set, &team, SCREE_SWEEP_SYMMETRIC, SCREE_SWEEP_PLAIN, 0, 9);
            scree_rigid_refresh(&set, &team);
            scree_rigid_total judged = scree_rigid_judge(&set, &team);
            scree_rigid_sweep(&set, &team, SCREE_SWEEP_SYMMETRIC, SCREE_SWEEP_FREEZING, 9, 20);
            scree_rigid_sweep(&set, &team, SCREE_SWEEP_FORWARDS, SCREE_SWEEP_TRACED, 0, 1);
            double by = scree_rigid_change(&set) > 0 ? 0.25 : 0;
            scree_rigid_lead(&set, &team, (scree_momentum){ 0.5, by, false, 0 });
            scree_rigid_sweep(&set, &team, SCREE_SWEEP_FORWARDS, SCREE_SWEEP_TRACED, 0, 1);
            scree_rigid_lead(&set, &team, (scree_momentum){ 1, 0, true, 0 });
            double *here = numbers(3 * nc);
            scree_rigid_impulses(&set, here);
            if (k == 0) {
                memcpy(p, here, 3 * (size_t)nc * sizeof *p);
                total = judged;
            }
            CHECK(memcmp(p, here, 3 * (size_t)nc * sizeof *p) == 0);
            CHECK(memcmp(&total, &judged, sizeof total) == 0);
            free(here);
            scree_arena_free(&memory);
        }
        CHECK(paths[1] != NULL);
        free(p);
        close_world(&one);
    }
    int count = 0;
    while (paths[count]) count++;
    printf("%d instruction sets compared, the widest: %s\n", count, paths[0]->name);
    if (paths[0]->lanes < 8) printf("SKIPPED the AVX-512 path: this processor does not have it\n");
}

// -------------------------------------------------------------------------------------------------
// the assembled problem

static void residual_is_the_judges(void) {
    for (int i = 0; i < RECIPES; i++) {
        world one;
        recipe r = recipes[i];
        r.side = 6;
        make_lattice(&one, r);
        int nc = one.problem.contacts;
        // bodies without mobility move as they are told
        for (int k = 0; k < 6; k++) {
            int body = 36 + 7 * k;  // no two of them touch, and none the floor
            for (int e = 0; e < 7; e++) one.inverse[7 * body + e] = 0;
        }
        scree_problem whole = *problem_of(&one);
        scree_error err;
        if (scree_problem_assemble(&whole, &err)) {
            COMPLAIN("%s", err.text);
            continue;
        }
        double *s = numbers(3 * nc);
        for (int sweeps = 0; sweeps < 12; sweeps += 4) {
            scree_solver_options options = options_of("nsgs-bodies", 1e-12, sweeps ? sweeps : 1);
            memset(one.impulse, 0, 3 * (size_t)nc * sizeof(double));
            scree_report report = sweeps ? solve(&one, &options) : (scree_report){ 0 };
            for (int c = 0; !sweeps && c < 3 * nc; c++) one.impulse[c] = uniform(-1, 1);
            scree_residual there = scree_problem_residual(&whole, one.impulse, s);
            scree_residual here = scree_problem_residual(problem_of(&one), one.impulse, s);
            CHECK(there.scaled > 1e-6);
            CHECK_NEAR(here.natural, there.natural, 1e-11 * there.natural);
            CHECK_NEAR(here.scaled, there.scaled, 1e-11 * there.scaled);
            CHECK_NEAR(here.natural_floor, there.natural_floor, 1e-11 * there.natural_floor);
            CHECK_NEAR(here.rounding, there.rounding, 1e-11 * there.rounding);
            CHECK_NEAR(here.natural_rounding, there.natural_rounding,
                       1e-11 * there.natural_rounding);
            if (!sweeps) continue;
            CHECK_NEAR(report.residual.scaled, there.scaled, 1e-11 * there.scaled);
            CHECK_NEAR(report.residual.rounding, there.rounding, 1e-11 * there.rounding);
        }
        free(s);
        scree_problem_release(&whole);
        close_world(&one);
    }
}

static void a_solution_satisfies_the_judge(void) {
    for (int i = 0; i < RECIPES; i++) {
        world one;
        recipe r = recipes[i];
        r.side = 5;
        make_lattice(&one, r);
        scree_solver_options options = options_of("nsgs-bodies", 1e-8, 20000);
        scree_report report = solve(&one, &options);
        CHECK(report.converged);
        CHECK_INT(report.reason, SCREE_STOP_SOLVED);
        scree_problem whole = *problem_of(&one);
        scree_error err;
        CHECK_INT(scree_problem_assemble(&whole, &err), SCREE_OK);
        double *s = numbers(3 * one.problem.contacts);
        scree_residual judged = scree_problem_residual(&whole, one.impulse, s);
        CHECK(scree_residual_max(judged) <= 1.001e-8);

        // and stays where it is
        report = solve(&one, &options);
        CHECK_INT(report.iterations, 0);
        free(s);
        scree_problem_release(&whole);
        close_world(&one);
    }
}

// -------------------------------------------------------------------------------------------------
// physics

/// A heap without a floor: what one body gets, another gives.
static void momentum_is_conserved(void) {
    for (int balls = 0; balls < 2; balls++) {
        world one;
        make_lattice(&one, (recipe){ .side = 7, .balls = balls, .friction = 1 });
        scree_problem *problem = &one.problem;
        int nb = one.bodies.rigid, kept = 0;
        for (int c = 0; c < problem->contacts; c++) {
            int a = one.body[2 * c], b = one.body[2 * c + 1];
            if (b < 0) continue;
            one.body[2 * kept] = a;
            one.body[2 * kept + 1] = b;
            one.mu[kept] = one.mu[c];
            // one common point of contact, halfway
            double gap[3];
            for (int e = 0; e < 3; e++) gap[e] = one.position[3 * a + e] - one.position[3 * b + e];
            set_frame(one.frame + 9 * kept, gap);
            if (balls) one.arm_ratio[kept] = sqrt(dot3(gap, gap)) / (one.radius[a] + one.radius[b]);
            for (int e = 0; !balls && e < 3; e++) {
                double off = uniform(-0.2, 0.2);
                one.arm[6 * kept + e] = off - 0.5 * gap[e];
                one.arm[6 * kept + 3 + e] = off + 0.5 * gap[e];
            }
            for (int e = 0; e < 3; e++) one.w[3 * kept + e] = one.w[3 * c + e];
            kept++;
        }
        problem->contacts = kept;
        // inertia in closed form, to have the moments of momentum
        for (int i = 0; i < nb && !balls; i++) {
            double *I = one.inverse + 7 * i + 1;
            I[0] = I[3] = I[5] = uniform(1, 9);
            I[1] = I[2] = I[4] = 0;
        }
        scree_solver_options options = options_of("nsgs-bodies", 1e-12, 50);
        solve(&one, &options);
        CHECK(largest(one.impulse, 3 * kept) > 0.1);
        double sum[6] = { 0 }, size = 0;
        for (int i = 0; i < nb; i++) {
            double change[6], mass = 1 / one.inverse[7 * i], moment[3];
            double inertia = 1 / one.inverse[7 * i + 1];
            for (int e = 0; e < 6; e++) change[e] = one.out[6 * i + e] - one.velocity[6 * i + e];
            cross3(one.position + 3 * i, change, moment);
            for (int e = 0; e < 3; e++) {
                sum[e] += mass * change[e];
                sum[3 + e] += mass * moment[e] + inertia * change[3 + e];
                size += fabs(mass * change[e]) + fabs(inertia * change[3 + e]);
            }
        }
        CHECK(size > 1);
        for (int e = 0; e < 6; e++) CHECK_NEAR(sum[e], 0, 1e-13 * size);
        close_world(&one);
    }
}

/// Gauss-Seidel on a chain: each sweep takes cos^2(pi / 2N) of what is left.
static void column_converges_at_the_known_rate(void) {
    const int heights[] = { 5, 10, 20, 40 };
    for (int balls = 0; balls < 2; balls++)
        for (int k = 0; k < 4; k++) {
            int N = heights[k], skip = 3 * N * N / 2, count = 20;
            world one;
            scree_rigid_set set;
            scree_arena memory;
            make_column(&one, N, balls, 1);
            if (!prepare(&one, &memory, &set)) continue;
            scree_kernel_config team = scree_kernel_config_of(NULL);
            double error[2] = { 0 };
            for (int part = 0; part < 2; part++) {
                int from = part ? skip : 0, to = part ? skip + count : skip;
                scree_rigid_sweep(&set, &team, SCREE_SWEEP_FORWARDS, SCREE_SWEEP_PLAIN, from, to);
                scree_rigid_impulses(&set, one.impulse);
                // the bottom contact bears everything: N, N - 1, ...
                for (int i = 0; i < N; i++)
                    error[part] = fmax(error[part], fabs(one.impulse[3 * i] - (N - i)));
            }
            double rate = pow(error[1] / error[0], 1.0 / count), c = cos(M_PI / (2 * N));
            // how much is left, within one per cent of what a sweep takes
            CHECK_NEAR(1 - rate, 1 - c * c, 0.01 * (1 - c * c));
            scree_arena_free(&memory);
            close_world(&one);
        }
}

/// Sweeps needed grow with the ratio; where that is too many, the report says so.
static void heavy_on_light(void) {
    const double ratios[] = { 1, 1e2, 1e4, 1e6 };
    for (int balls = 0; balls < 2; balls++)
        for (int k = 0; k < 4; k++) {
            world one;
            make_column(&one, 2, balls, ratios[k]);
            scree_solver_options options =
                options_of("nsgs-bodies", 1e-6, (int)(40 * ratios[k]) + 100);
            options.criterion = SCREE_CRITERION_SCALED;
            scree_report report = solve(&one, &options);
            CHECK_INT(report.reason, k < 3 ? SCREE_STOP_SOLVED : SCREE_STOP_STALLED);
            CHECK_INT(report.converged, k < 3);
            if (report.converged) {
                CHECK_NEAR(one.impulse[0], ratios[k] + 1, 1e-3 * ratios[k]);
                CHECK_NEAR(one.impulse[3], ratios[k], 1e-3 * ratios[k]);
            }
            double s[6];
            scree_residual judged = scree_problem_residual(problem_of(&one), one.impulse, s);
            CHECK_NEAR(judged.scaled, report.residual.scaled, 1e-9 * judged.scaled);
            close_world(&one);
        }
}

/// Impulses need not be unique, velocities are: with little friction, in any order.
static void order_does_not_change_velocities(void) {
    for (int balls = 0; balls < 2; balls++) {
        world one, other;
        recipe r = { .side = 5, .balls = balls, .friction = 0.1 };
        seed = 77;
        make_lattice(&one, r);
        seed = 77;
        make_lattice(&other, r);
        int nb = one.bodies.rigid, nc = one.problem.contacts;
        for (int i = nc - 1; i > 0; i--) {
            int j = random_int(0, i);
            for (int e = 0; e < 9; e++) {
                double *list[] = { other.frame, other.arm, other.w, other.mu, other.arm_ratio };
                const int width[] = { 9, 6, 3, 1, 1 };
                for (int k = 0; k < 5; k++) {
                    if (!list[k] || e >= width[k]) continue;
                    double *x = list[k] + width[k] * i + e, *y = list[k] + width[k] * j + e;
                    double swap = *x;
                    *x = *y;
                    *y = swap;
                }
            }
            for (int e = 0; e < 2; e++) {
                int swap = other.body[2 * i + e];
                other.body[2 * i + e] = other.body[2 * j + e];
                other.body[2 * j + e] = swap;
            }
        }
        other.bodies.position = NULL;  // another order of bodies, too
        scree_solver_options options = options_of("nsgs-bodies", 1e-11, 50000);
        options.criterion = SCREE_CRITERION_SCALED;
        CHECK(solve(&one, &options).converged);
        CHECK(solve(&other, &options).converged);
        CHECK_NEAR(difference(one.out, other.out, 6 * nb), 0, 1e-7);

        // leaving out what rests must not change the answer
        options.name = "nsgs-freezing";
        memset(other.impulse, 0, 3 * (size_t)nc * sizeof(double));
        scree_report report = solve(&other, &options);
        CHECK(report.converged);
        CHECK_NEAR(difference(one.out, other.out, 6 * nb), 0, 1e-7);
        close_world(&one);
        close_world(&other);
    }
}

// -------------------------------------------------------------------------------------------------
// bad input

static void broken_problems_are_refused(void) {
    world one;
    scree_error err;
    scree_report report;
    scree_solver_options options = options_of("nsgs-bodies", 1e-8, 10);
    recipe r = { .side = 3, .balls = false, .friction = 0.5 };

    make_lattice(&one, r);
    one.velocity[5] = NAN;
    report = solve(&one, &options);
    CHECK(!report.converged);
    CHECK_INT(report.reason, SCREE_STOP_BROKEN);
    one.velocity[5] = 0;
    one.body[0] = SCREE_FIXED;
    one.body[1] = SCREE_FIXED;
    CHECK_INT(solve(&one, &options).reason, SCREE_STOP_BROKEN);
    one.body[0] = 99;
    CHECK_INT(scree_solve(&one.problem, &options, one.impulse, &report, &err), SCREE_BAD_INPUT);
    CHECK_TEXT(err.text, "contact 0: there is no body 99");
    one.body[0] = 1;
    one.mu[3] = -1;
    CHECK_INT(solve(&one, &options).reason, SCREE_STOP_BROKEN);
    one.mu[3] = 1;
    for (int e = 0; e < 3; e++) one.frame[9 + 6 + e] *= -1;
    CHECK_INT(scree_solve(&one.problem, &options, one.impulse, &report, &err), SCREE_BAD_INPUT);
    CHECK_TEXT(err.text, "contact 1: the frame is not orthonormal and right-handed");
    options.name = "none";
    CHECK_INT(scree_solve(&one.problem, &options, one.impulse, &report, &err), SCREE_BAD_INPUT);
    options.name = "nsgs-bodies";
    one.problem.contacts = 0;
    CHECK(solve(&one, &options).converged);
    CHECK_NEAR(difference(one.out, one.velocity, 6 * one.bodies.rigid), 0, 0);
    close_world(&one);
}

static void every_allocation_may_fail(void) {
    for (int i = 0; i < RECIPES; i++) {
        world one;
        recipe r = recipes[i];
        r.side = 6;
        make_lattice(&one, r);
        scree_solver_options options = options_of("nsgs-bodies", 1e-3, 3);
        int failed[2] = { 0 };
        for (int what = 0; what < 2; what++)
            for (fails_at = 1; fails_at > 0; fails_at++) {
                scree_report report;
                scree_problem whole = *problem_of(&one);
                scree_error err;
                calls = 0;
                scree_status status =
                    what ? scree_problem_assemble(&whole, &err)
                         : scree_solve(&one.problem, &options, one.impulse, &report, &err);
                bool reached = calls >= fails_at;
                CHECK_INT(status, reached ? SCREE_NO_MEMORY : SCREE_OK);
                failed[what] += reached;
                if (what) scree_problem_release(&whole);
                if (!reached) break;
            }
        fails_at = 0;
        CHECK(failed[0] >= 2 && failed[1] >= 2);
        close_world(&one);
    }
}

TEST_FILE(test_rigid) {
    TEST(sweeps_are_the_plain_ones);
    TEST(one_sweep_solves_lone_contacts);
    TEST(nothing_is_moved_twice_at_once);
    TEST(bits_do_not_depend_on_threads);
    TEST(bits_do_not_depend_on_the_processor);
    TEST(residual_is_the_judges);
    TEST(a_solution_satisfies_the_judge);
    TEST(momentum_is_conserved);
    TEST(column_converges_at_the_known_rate);
    TEST(heavy_on_light);
    TEST(order_does_not_change_velocities);
    TEST(broken_problems_are_refused);
    TEST(every_allocation_may_fail);
    return harness_end();
}
