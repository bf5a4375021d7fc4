// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// test_rigid_ways.c - sweeps on bodies: in the plane, in an order that strays do not spoil, and
// with conjugate gradients over them.

#include "rigid_world.h"
#include "solve/solver_context.h"
#include "solve/workspace.h"

// -------------------------------------------------------------------------------------------------
// contacts in the plane

/// One sweep over contacts that share nothing gives the local solutions; many give what the judge
/// of W takes for a solution; conjugate gradients end there too; and threads change no bit of it.
static void planar_contacts_are_swept(void) {
    seed = 3;
    world one;
    make_plane(&one, 600, 4);
    int nc = one.problem.contacts;
    CHECK(scree_rigid_serves(problem_of(&one)));
    scree_problem whole = one.problem;
    CHECK_INT(scree_problem_assemble(&whole, NULL), SCREE_OK);
    double *s = numbers(2 * nc), *t = numbers(2 * nc), *p = numbers(2 * nc);
    for (int k = 0; k < 2 * nc; k++) p[k] = uniform(-1, 1);
    CHECK(scree_problem_velocity(&whole, p, s) && scree_problem_velocity(&one.problem, p, t));
    CHECK_NEAR(difference(s, t, 2 * nc), 0, 1e-12 * largest(s, 2 * nc));

    // the first contact of a sweep, alone
    scree_rigid_set set;
    scree_arena memory;
    if (!prepare(&one, &memory, &set)) return;
    scree_kernel_config config = scree_kernel_config_of(NULL);
    scree_rigid_sweep(&set, &config, SCREE_SWEEP_FORWARDS, SCREE_SWEEP_PLAIN, 0, 1);
    scree_rigid_impulses(&set, p);
    for (int l = 0; l < 8; l++) {
        int i = set.contact[l];
        double own[2] = { 0 };
        const double *A = whole.block + 4 * (size_t)whole.diagonal[i];
        CHECK(scree_local_solve(A, whole.b + 2 * i, one.mu[i], 2, own));
        CHECK_NEAR(difference(own, p + 2 * i, 2), 0, 1e-12 * (1 + largest(own, 2)));
    }
    scree_arena_free(&memory);

    const char *names[] = { "nsgs-bodies", "ncg" };
    int sweeps[2];
    for (int k = 0; k < 2; k++) {
        scree_solver_options options = options_of(names[k], 1e-4, 20000);
        memset(one.impulse, 0, 2 * (size_t)nc * sizeof *p);
        scree_report report = { 0 };
        scree_error err;
        CHECK_INT(scree_solve(&one.problem, &options, one.impulse, &report, &err), SCREE_OK);
        sweeps[k] = report.iterations;
        CHECK(report.converged);
        scree_residual judged = scree_problem_residual(&whole, one.impulse, s);
        CHECK(scree_residual_meets(judged, 1.001e-4));
        CHECK_NEAR(judged.scaled, report.residual.scaled, 1e-6 * judged.scaled);
        memcpy(p, one.impulse, 2 * (size_t)nc * sizeof *p);
        options.threads = 3;
        memset(one.impulse, 0, 2 * (size_t)nc * sizeof *p);
        CHECK_INT(scree_solve(&one.problem, &options, one.impulse, &report, &err), SCREE_OK);
        CHECK(memcmp(p, one.impulse, 2 * (size_t)nc * sizeof *p) == 0);
    }
    printf("%d planar contacts: %d sweeps, %d with conjugate gradients\n", nc, sweeps[0],
           sweeps[1]);
    CHECK(sweeps[1] < sweeps[0]);
    free(s);
    free(t);
    free(p);
    scree_problem_release(&whole);
    close_world(&one);
}

/// A heap in the plane is swept on its bodies first, up to six digits; a column is not, nor a heap
/// whose bodies meet with faces: their statuses are Newton's.
static void planar_heaps_are_swept_first(void) {
    seed = 5;
    world heap, column;
    make_plane(&heap, 20, 20);
    make_plane(&column, 1, 400);
    CHECK(scree_auto_prefers_bodies(problem_of(&heap), 1e-6, false));
    CHECK(!scree_auto_prefers_bodies(problem_of(&heap), 1e-8, false));
    CHECK(!scree_auto_prefers_bodies(problem_of(&column), 1e-6, false));
    world faces;
    make_plane(&faces, 20, 20);
    for (int i = 1; i < faces.problem.contacts; i += 2)
        memcpy(faces.body + 2 * i, faces.body + 2 * i - 2, 2 * sizeof *faces.body);
    CHECK(!scree_auto_prefers_bodies(problem_of(&faces), 1e-6, false));
    close_world(&faces);

    int numbers_of_heap = 2 * heap.problem.contacts;
    double *p = numbers(numbers_of_heap), *s = numbers(numbers_of_heap);
    scree_problem whole = heap.problem;
    CHECK_INT(scree_problem_assemble(&whole, NULL), SCREE_OK);
    for (int threads = 1; threads < 4; threads += 2) {
        scree_solver_options options = options_of("auto", 1e-6, 20000);
        scree_report report = { 0 };
        scree_error err;
        options.threads = threads;
        memset(heap.impulse, 0, (size_t)numbers_of_heap * sizeof *p);
        CHECK_INT(scree_solve(&heap.problem, &options, heap.impulse, &report, &err), SCREE_OK);
        CHECK(report.converged);
        CHECK(scree_residual_meets(scree_problem_residual(&whole, heap.impulse, s), 1.001e-6));
        if (threads > 1) CHECK(memcmp(p, heap.impulse, (size_t)numbers_of_heap * sizeof *p) == 0);
        memcpy(p, heap.impulse, (size_t)numbers_of_heap * sizeof *p);
    }
    free(p);
    free(s);
    scree_problem_release(&whole);
    close_world(&heap);
    close_world(&column);
}

// -------------------------------------------------------------------------------------------------
// strays

// how far apart the two bodies of a contact stand in memory, on average
static double reach_of(world *one) {
    scree_rigid_set set;
    scree_arena memory;
    if (!prepare(one, &memory, &set)) return NAN;
    double sum = 0;
    int pairs = 0;
    for (int i = 0; i < one->problem.contacts; i++) {
        int a = one->body[2 * i], b = one->body[2 * i + 1];
        if (a < 0 || b < 0 || set.line_of[a] < 0 || set.line_of[b] < 0) continue;
        sum += abs(set.line_of[a] - set.line_of[b]);
        pairs++;
    }
    scree_arena_free(&memory);
    return sum / pairs;
}

/// One body a million widths away is no reason to shuffle the others.
static void strays_do_not_spoil_the_order(void) {
    seed = 1;
    world one;
    recipe r = recipes[0];
    r.side = 14;
    make_lattice(&one, r);
    double before = reach_of(&one);
    one.position[3 * 5] = 1e6 * r.side;
    double after = reach_of(&one);
    CHECK(before < 0.2 * one.bodies.rigid);
    CHECK_NEAR(after, before, 0.05 * before);
    close_world(&one);
}

// -------------------------------------------------------------------------------------------------
// conjugate gradients

/// A step along the direction ends inside the cones, and velocities go along with it.
static void leading_keeps_cones_and_velocities(void) {
    seed = 1;
    for (int i = 0; i < RECIPES; i++) {
        world one;
        scree_rigid_set set;
        scree_arena memory;
        make_lattice(&one, recipes[i]);
        if (!prepare(&one, &memory, &set)) continue;
        int nb = one.bodies.rigid, nc = one.problem.contacts;
        double *before = numbers(3 * nc), *v = numbers(6 * nb);
        scree_kernel_config team = scree_kernel_config_of(NULL);
        scree_rigid_sweep(&set, &team, SCREE_SWEEP_FORWARDS, SCREE_SWEEP_TRACED, 0, 1);
        CHECK(scree_rigid_change(&set) > 0);
        scree_rigid_impulses(&set, before);
        // the first sweep began at nothing: 4 times as much
        scree_rigid_lead(&set, &team, (scree_momentum){ 0, 3, false, 0 });
        scree_rigid_impulses(&set, one.impulse);
        for (int k = 0; k < 3 * nc; k++) before[k] *= 4;
        CHECK_NEAR(difference(before, one.impulse, 3 * nc), 0, 1e-13 * largest(before, 3 * nc));
        // half of it, then out of the cones
        scree_rigid_lead(&set, &team, (scree_momentum){ 0, -3.5, false, 0 });
        scree_rigid_lead(&set, &team, (scree_momentum){ 0, -1.5, false, 0 });
        scree_rigid_impulses(&set, one.impulse);
        for (int k = 0; k < nc; k++) {
            double *p = one.impulse + 3 * k, most = one.mu[k] * p[0];
            CHECK(p[0] >= 0 && hypot(p[1], p[2]) <= most * (1 + 1e-12) + 1e-12);
        }
        CHECK(largest(one.impulse, 3 * nc) < 0.2 * largest(before, 3 * nc));
        scree_rigid_velocities(&set, v);
        scree_rigid_refresh(&set, &team);
        scree_rigid_velocities(&set, one.out);
        CHECK_NEAR(difference(v, one.out, 6 * nb), 0, 1e-12 * largest(v, 6 * nb));
        free(before);
        free(v);
        scree_arena_free(&memory);
        close_world(&one);
    }
}

static double compare_multiple(const scree_rigid_set *set, const double *p, double times, int n) {
    double *here = numbers(n), most = 0;
    scree_rigid_impulses(set, here);
    for (int k = 0; k < n; k++) most = fmax(most, fabs(here[k] - times * p[k]));
    free(here);
    return most;
}

/// With clocks a contact goes k/(k+3) of its way on after k moves, and stays where a sweep turns it
/// round, or goes on with a part of k.
static void clocks_go_on_contact_by_contact(void) {
    seed = 1;
    for (int i = 0; i < RECIPES; i++) {
        world one;
        scree_rigid_set set;
        scree_arena memory;
        make_lattice(&one, recipes[i]);
        if (!prepare(&one, &memory, &set)) continue;
        int n = 3 * one.problem.contacts;
        double *first = numbers(n);
        scree_kernel_config team = scree_kernel_config_of(NULL);
        scree_rigid_sweep(&set, &team, SCREE_SWEEP_FORWARDS, SCREE_SWEEP_TRACED, 0, 1);
        scree_rigid_impulses(&set, first);
        double small = 1e-13 * largest(first, n);
        scree_rigid_lead(&set, &team, (scree_momentum){ 0, 0, true, 0 });
        CHECK_NEAR(compare_multiple(&set, first, 1.25, n), 0, small);  // 1 + 1/4
        scree_rigid_lead(&set, &team, (scree_momentum){ 1, 0, true, 0 });
        CHECK_NEAR(compare_multiple(&set, first, 1.75, n), 0, small);  // + 2/5 (1/4 + 1)
        for (int k = 0; k < 24 * set.batches; k++) set.change[k] *= -0.1;
        scree_rigid_lead(&set, &team, (scree_momentum){ 1, 0, true, 0 });
        CHECK_NEAR(compare_multiple(&set, first, 1.75, n), 0, small);  // turned round: no further
        scree_rigid_lead(&set, &team, (scree_momentum){ 1, 0, true, 0 });
        CHECK_NEAR(compare_multiple(&set, first, 1.725, n), 0, small);  // - 1/4 of 1/10
        scree_rigid_lead(&set, &team, (scree_momentum){ 1, 0, true, 0 });
        CHECK_NEAR(compare_multiple(&set, first, 1.675, n), 0, small);  // - 2/5 (1/40 + 1/10)
        for (int k = 0; k < 24 * set.batches; k++) set.change[k] *= -0.1;
        scree_rigid_lead(&set, &team, (scree_momentum){ 1, 0, true, 0.5 });
        CHECK_NEAR(compare_multiple(&set, first, 1.665, n), 0, small);  // - 1/4 (1/20 - 1/100)
        free(first);
        scree_arena_free(&memory);
        close_world(&one);
    }
}

/// Conjugate gradients end where sweeps end, after fewer of them; sweeps do not end at all in the
/// last recipe.
static void conjugate_gradients_need_fewer_sweeps(void) {
    seed = 1;
    for (int i = 0; i < RECIPES - 1; i++) {
        world one;
        recipe r = recipes[i];
        r.side = 8;
        make_lattice(&one, r);
        int nb = one.bodies.rigid, nc = one.problem.contacts;
        double *v = numbers(6 * nb);
        scree_solver_options options = options_of("nsgs-bodies", 1e-6, 50000);
        options.criterion = SCREE_CRITERION_SCALED;
        scree_report sweeps = solve(&one, &options);
        memcpy(v, one.out, 6 * (size_t)nb * sizeof *v);
        memset(one.impulse, 0, 3 * (size_t)nc * sizeof *one.impulse);
        options.name = "ncg";
        scree_report report = solve(&one, &options);
        printf("%d contacts: %d sweeps, %d with conjugate gradients\n", nc, sweeps.iterations,
               report.iterations);
        CHECK(sweeps.converged && report.converged);
        CHECK(report.iterations < 0.7 * sweeps.iterations);
        CHECK_NEAR(difference(v, one.out, 6 * nb), 0, 1e-3);
        free(v);
        close_world(&one);
    }
}

static void conjugate_gradients_do_not_depend_on_threads(void) {
    const char *const names[] = { "ncg" };
    compare_threads(names, 1);
}

/// Towers of two balls beside each other, whose guess is right to a millionth but for a few of
/// them: those are solved, the others keep their guess bit for bit, and one that is wrong is not
/// kept.
static void what_rests_is_left_alone(void) {
    enum { TOWERS = 2000, WRONG = 40 };
    const recipe r = { .balls = true, .friction = -1 };
    const double up[3] = { 0, 0, 1 };
    world one;
    int at = 0;
    open_world(&one, 2 * TOWERS, 2 * TOWERS, true);
    for (int i = 0; i < 2 * TOWERS; i++) {
        one.radius[i] = 1;
        set_ball(&one, i, 1, 2.5);
        one.inverse[7 * i] = 1;
        one.velocity[6 * i + 2] = -0.01;
        one.position[3 * i] = 3 * (i / 2);
        one.position[3 * i + 2] = 1 + 2 * (i % 2);
        add_contact(&one, &at, i, i % 2 ? i - 1 : SCREE_FIXED, up, r);
        set_frame(one.frame + 9 * i, up);
        one.w[3 * i] = 0;
        one.impulse[3 * i] = (i % 2 ? 0.01 : 0.02) * (i / 2 < TOWERS - WRONG ? 1 + 1e-6 : 0.5);
    }
    double *guess = numbers(6 * TOWERS);
    memcpy(guess, one.impulse, 6 * TOWERS * sizeof *guess);
    scree_solver_options options = options_of("auto", 1e-4, 10000);
    scree_report report = solve(&one, &options);
    int kept = 6 * (TOWERS - WRONG);
    CHECK(report.converged && report.islands == TOWERS);
    CHECK(memcmp(guess, one.impulse, (size_t)kept * sizeof *guess) == 0);
    for (int i = 2 * (TOWERS - WRONG); i < 2 * TOWERS; i++)
        CHECK_NEAR(one.impulse[3 * i], i % 2 ? 0.01 : 0.02, 1e-5);
    free(guess);
    close_world(&one);
}

typedef struct onlooker {
    const world *one;
    int looks;
    bool enough;
} onlooker;

static bool look_on(void *with, const double *p, double scaled) {
    onlooker *who = with;
    int nc = who->one->problem.contacts;
    double *s = numbers(3 * nc);
    scree_residual judged = scree_problem_residual(&who->one->problem, p, s);
    CHECK_NEAR(judged.scaled, scaled, 1e-6 * scaled);
    CHECK(scaled <= 1e-1 && scaled > 1e-5);
    free(s);
    who->looks++;
    return !who->enough;
}

/// Who asks for it sees impulses half way, once, and sweeps go on from there or end.
static void loose_answers_are_shown_once(void) {
    seed = 1;
    world one;
    recipe r = recipes[0];
    r.side = 8;
    make_lattice(&one, r);
    scree_workspace *workspace = scree_workspace_new();
    for (int enough = 0; enough < 2; enough++)
        for (int k = 0; k < 2; k++) {
            onlooker who = { &one, 0, enough };
            scree_halfway half = { .tolerance = 1e-1, .look = look_on, .with = &who };
            scree_solver_options options = options_of(k ? "auto" : "ncg", 1e-5, 10000);
            scree_report report = { 0 };
            scree_error err;
            workspace->halfway = &half;
            options.workspace = workspace;
            memset(one.impulse, 0, 3 * (size_t)one.problem.contacts * sizeof *one.impulse);
            CHECK_INT(scree_solve(problem_of(&one), &options, one.impulse, &report, &err),
                      SCREE_OK);
            CHECK_INT(who.looks, 1);
            CHECK(half.looked && half.ended == who.enough);
            CHECK(report.converged == !enough);
            CHECK(report.residual.scaled <= (enough ? 1e-1 : 1e-5));
        }
    scree_workspace_free(workspace);
    close_world(&one);
}

// -------------------------------------------------------------------------------------------------
// cohesion

static void solve_cohesive(world *one, double tolerance) {
    int nc = one->problem.contacts, d = one->problem.dimension, pulls = 0;
    double *c = numbers(nc), *s = numbers(d * nc), *p = numbers(d * nc);
    for (int i = 0; i < nc; i++) c[i] = uniform(0, 1) < 0.2 ? 0 : uniform(0, 0.05);
    one->problem.cohesion = c;
    scree_problem whole = *problem_of(one);
    CHECK(scree_rigid_serves(&whole));
    CHECK_INT(scree_problem_assemble(&whole, NULL), SCREE_OK);

    // impulses inside and outside of their cones are judged as W judges them, and come back
    for (int k = 0; k < d * nc; k++) one->impulse[k] = uniform(k % d ? -0.3 : -0.1, 0.5);
    scree_residual judged = scree_problem_residual(&whole, one->impulse, s);
    scree_arena memory;
    scree_rigid_set set;
    if (!prepare(one, &memory, &set)) return;
    scree_kernel_config config = scree_kernel_config_of(NULL);
    scree_rigid_refresh(&set, &config);
    scree_residual own =
        scree_residual_of(scree_rigid_judge(&set, &config).sums, scree_residual_scale(&whole));
    CHECK_NEAR(own.natural, judged.natural, 1e-11 * judged.natural);
    CHECK_NEAR(own.scaled, judged.scaled, 1e-11 * judged.scaled);
    CHECK_NEAR(own.pull_rounding, judged.pull_rounding, 1e-11 * judged.pull_rounding);
    scree_rigid_impulses(&set, p);
    CHECK_NEAR(difference(p, one->impulse, d * nc), 0, 1e-14);
    scree_arena_free(&memory);

    for (int threads = 1; threads <= 3; threads += 2) {
        scree_solver_options options = options_of("ncg", tolerance, 20000);
        scree_report report = { 0 };
        scree_error err;
        options.threads = threads;
        memset(one->impulse, 0, (size_t)(d * nc) * sizeof *p);
        CHECK_INT(scree_solve(&one->problem, &options, one->impulse, &report, &err), SCREE_OK);
        CHECK(report.converged);
        judged = scree_problem_residual(&whole, one->impulse, s);
        CHECK(scree_residual_meets(judged, 1.001 * tolerance));
        CHECK_NEAR(judged.scaled, report.residual.scaled, 1e-6 * judged.scaled);
        if (threads > 1) CHECK(memcmp(p, one->impulse, (size_t)(d * nc) * sizeof *p) == 0);
        memcpy(p, one->impulse, (size_t)(d * nc) * sizeof *p);
    }
    for (int i = 0; i < nc; i++) pulls += one->impulse[d * i] < -0.1 * c[i];
    CHECK(pulls > nc / 100);
    scree_problem_release(&whole);
    one->problem.cohesion = NULL;
    free(c);
    free(s);
    free(p);
}

/// Contacts that cohere pull up to their cohesion, and are judged as W judges them, in every
/// kernel.
static void cohesive_contacts_are_swept(void) {
    seed = 17;
    world one;
    for (int i = 0; i < RECIPES; i++) {
        recipe r = recipes[i];
        r.side = 6;
        make_lattice(&one, r);
        solve_cohesive(&one, r.friction > 1 ? 2e-3 : 1e-5);
        close_world(&one);
    }
    make_plane(&one, 60, 4);
    solve_cohesive(&one, 1e-5);
    close_world(&one);
}

TEST_FILE(test_rigid_ways) {
    TEST(planar_contacts_are_swept);
    TEST(planar_heaps_are_swept_first);
    TEST(strays_do_not_spoil_the_order);
    TEST(leading_keeps_cones_and_velocities);
    TEST(clocks_go_on_contact_by_contact);
    TEST(conjugate_gradients_need_fewer_sweeps);
    TEST(conjugate_gradients_do_not_depend_on_threads);
    TEST(what_rests_is_left_alone);
    TEST(loose_answers_are_shown_once);
    TEST(cohesive_contacts_are_swept);
    return harness_end();
}
