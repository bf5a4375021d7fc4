// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// test_methods.c - does every solver of the menu find the solution of problems made from one?
//
// Bodies, masses and contacts are random, and so are the statuses. From impulses r in the cone and
// velocities u that go with them by Coulomb's law, b = u - W r makes (r, u) a solution. Every
// solver starts from nothing and must reach its tolerance by the judge written here; where friction
// is small the velocities are unique, and must be those the problem was made from.
//
// And: walls that squeeze a body have no solution. That has to be said, with a proof that is
// checked here, and never of a problem that has one.

#include <stdbool.h>
#include <stdlib.h>

#include "harness.h"
#include "random.h"
#include "scree/problem_file.h"
#include "scree/solve.h"
#include "solve/infeasibility.h"

enum { BODIES = 12, DOFS = 6 * BODIES, CONTACTS = 24, ROWS = 5 * CONTACTS };

typedef struct sample {  // a problem that owns its numbers, and the solution it was made from
    scree_problem problem;
    int row[CONTACTS + 1], column[CONTACTS * CONTACTS], diagonal[CONTACTS];
    double block[ROWS * ROWS], b[ROWS], mu[CONTACTS], mu_rolling[CONTACTS];
    unsigned char equality[CONTACTS];
    double W[ROWS][ROWS], H[ROWS][DOFS], mass[DOFS];
    double r[ROWS], u[ROWS];
    int n, dofs;
} sample;

typedef struct kind {
    const char *name;
    int d, contacts, bodies;
    double least_mu, largest_mu;  // 0: none
    bool joints;
} kind;

static const double tolerance = 1e-8;

// -------------------------------------------------------------------------------------------------
// problems made from a solution

/// Random rows of contact i on one or two bodies of the given number of freedoms.
static void connect(sample *one, int i, int d, int bodies, int freedoms) {
    int first = random_int(0, bodies - 1), second = random_int(0, bodies - 1);
    for (int r = i * d; r < (i + 1) * d; r++)
        for (int k = 0; k < freedoms; k++) {
            one->H[r][first * freedoms + k] = uniform(-1, 1);
            if (second != first) one->H[r][second * freedoms + k] = uniform(-1, 1);
        }
}

static void condense(sample *one) {
    for (int i = 0; i < one->n; i++)
        for (int j = 0; j < one->n; j++) {
            one->W[i][j] = 0;
            for (int k = 0; k < one->dofs; k++)
                one->W[i][j] += one->H[i][k] * one->H[j][k] / one->mass[k];
        }
}

/// W in blocks; blocks of zeros are left out.
static void store(sample *one, int d) {
    int count = 0, nc = one->n / d;
    for (int i = 0; i < nc; i++) {
        for (int j = 0; j < nc; j++) {
            bool empty = true;
            for (int r = 0; r < d; r++)
                for (int c = 0; c < d; c++) empty &= one->W[i * d + r][j * d + c] == 0;
            if (empty && i != j) continue;
            if (i == j) one->diagonal[i] = count;
            for (int r = 0; r < d; r++)
                for (int c = 0; c < d; c++)
                    one->block[(count * d + r) * d + c] = one->W[i * d + r][j * d + c];
            one->column[count++] = j;
        }
        one->row[i + 1] = count;
    }
}

/// Velocity and impulse of a pair of tangential components of the cone |p| <= m p_N.
static void random_part(double *r, double *u, double normal, double m, int count) {
    double t[2] = { uniform(-1, 1), count == 2 ? uniform(-1, 1) : 0 }, size = hypot(t[0], t[1]);
    bool slips = m == 0 || uniform(0, 1) < 0.5;
    double speed = uniform(0.1, 1), share = slips ? 1 : uniform(0, 0.9);
    for (int k = 0; k < count; k++) {
        r[k] = share * m * normal * t[k] / size;
        u[k] = slips ? -speed * t[k] / size : 0;
    }
}

static void random_contact(sample *one, int i, int d) {
    double *r = one->r + i * d, *u = one->u + i * d;
    if (one->equality[i]) {
        for (int k = 0; k < d; k++) r[k] = uniform(-1, 1);
        return;
    }
    if (uniform(0, 1) < 0.3) {  // open
        for (int k = 0; k < d; k++) u[k] = uniform(-1, 1);
        u[0] = uniform(0.1, 1);
        return;
    }
    r[0] = uniform(0.1, 1);
    random_part(r + 1, u + 1, r[0], one->mu[i], d == 2 ? 1 : 2);
    if (d == 5) random_part(r + 3, u + 3, r[0], one->mu_rolling[i], 2);
}

static double random_mu(const kind *of) {
    return of->largest_mu > 0 ? uniform(of->least_mu, of->largest_mu) : 0;
}

static sample *make(const kind *of) {
    sample *one = calloc(1, sizeof *one);
    int d = of->d, nc = of->contacts, freedoms = d == 2 ? 3 : 6;
    if (!one) abort();
    one->n = nc * d;
    one->dofs = of->bodies * freedoms;
    for (int k = 0; k < one->dofs; k++) one->mass[k] = uniform(0.5, 2);
    for (int i = 0; i < nc; i++) {
        connect(one, i, d, of->bodies, freedoms);
        one->mu[i] = random_mu(of);
        one->mu_rolling[i] = random_mu(of);
        one->equality[i] = of->joints && i % 6 == 0;
    }
    condense(one);
    store(one, d);
    for (int i = 0; i < nc; i++) random_contact(one, i, d);
    for (int i = 0; i < one->n; i++) {
        one->b[i] = one->u[i];
        for (int j = 0; j < one->n; j++) one->b[i] -= one->W[i][j] * one->r[j];
    }
    one->problem = (scree_problem){ .contacts = nc,
                                    .dimension = d,
                                    .row = one->row,
                                    .column = one->column,
                                    .diagonal = one->diagonal,
                                    .block = one->block,
                                    .b = one->b,
                                    .mu = one->mu,
                                    .mu_rolling = d == 5 ? one->mu_rolling : NULL,
                                    .equality = of->joints ? one->equality : NULL };
    return one;
}

// -------------------------------------------------------------------------------------------------
// the judge: Coulomb's law in words, without projections

static double size_of(const double *x, int count) {
    return count == 1 ? fabs(x[0]) : hypot(x[0], x[1]);
}

/// How far a part is from: no motion, or the largest impulse against the motion.
static double part_miss(const double *p, const double *s, double normal, double m, int count) {
    double excess = fmax(0, size_of(p, count) - m * normal), speed = size_of(s, count);
    double against = 0;
    for (int k = 0; k < count; k++) {
        double off = speed * p[k] + m * normal * s[k];
        against += off * off;
    }
    return fmax(excess, sqrt(against));
}

static double law_miss(const sample *one, const double *p, const double *s) {
    int d = one->problem.dimension;
    double worst = 0;
    for (int i = 0; i < one->problem.contacts; i++) {
        const double *pi = p + i * d, *si = s + i * d;
        if (one->equality[i]) {
            for (int k = 0; k < d; k++) worst = fmax(worst, fabs(si[k]));
            continue;
        }
        worst = fmax(worst, fmax(-pi[0], fmax(-si[0], fabs(pi[0] * si[0]))));
        worst = fmax(worst, part_miss(pi + 1, si + 1, pi[0], one->mu[i], d == 2 ? 1 : 2));
        if (d == 5) worst = fmax(worst, part_miss(pi + 3, si + 3, pi[0], one->mu_rolling[i], 2));
    }
    return worst;
}

static void velocity(const sample *one, const double *p, double *s) {
    for (int i = 0; i < one->n; i++) {
        s[i] = one->b[i];
        for (int j = 0; j < one->n; j++) s[i] += one->W[i][j] * p[j];
    }
}

// -------------------------------------------------------------------------------------------------
// every solver

static bool is_planar_only(const char *solver) {
    return strcmp(solver, "lemke") == 0 || strcmp(solver, "enumerate") == 0;
}

/// Where there are more contacts than motions, methods of first order may run out of steam.
static bool may_stall(const char *solver, bool hyperstatic) {
    return hyperstatic && (strncmp(solver, "nsgs", 4) == 0 || strcmp(solver, "apgd") == 0);
}

static void solve_one(const sample *one, const kind *of, const char *solver, bool unique,
                      double *worst_law, double *worst_velocity) {
    scree_solver_options options = scree_solver_options_default();
    scree_report report;
    scree_error err = { 0 };
    double p[ROWS] = { 0 }, s[ROWS] = { 0 };
    options.name = solver;
    options.tolerance = tolerance;
    options.max_sweeps = 100000;
    if (scree_solve(&one->problem, &options, p, &report, &err)) {
        if (!is_planar_only(solver) || !strstr(err.text, solver))
            COMPLAIN("%s, %s: %s", solver, of->name, err.text);
        return;
    }
    if (!report.converged) {
        if (may_stall(solver, !unique) && scree_residual_max(report.residual) < 1e-3) return;
        COMPLAIN("%s, %s: %s, residual %.3g", solver, of->name,
                 scree_stop_reason_text(report.reason), scree_residual_max(report.residual));
        return;
    }
    CHECK_INT(report.reason, SCREE_STOP_SOLVED);
    velocity(one, p, s);
    *worst_law = fmax(*worst_law, law_miss(one, p, s));
    for (int i = 0; i < one->n && unique; i++)
        *worst_velocity = fmax(*worst_velocity, fabs(s[i] - one->u[i]));
}

static void solvers_find_it(const kind *of, int rounds, bool unique) {
    for (const scree_solver_entry *entry = scree_solver_list(); entry->with_blocks; entry++) {
        double law = 0, velocities = 0;
        seed = 1;
        for (int round = 0; round < rounds; round++) {
            sample *one = make(of);
            CHECK(law_miss(one, one->r, one->u) <= 1e-14);  // the maker does what it says
            solve_one(one, of, entry->name, unique, &law, &velocities);
            free(one);
        }
        // the tolerance is one of the whole problem, and b is a few times larger than 1
        if (!(law <= 1e-5))
            COMPLAIN("%s, %s: the law is missed by %.3g", entry->name, of->name, law);
        if (!(velocities <= 1e-5))
            COMPLAIN("%s, %s: velocities are off by %.3g", entry->name, of->name, velocities);
    }
}

static void planar_contacts(void) {
    solvers_find_it(&(kind){ "planar", 2, 8, 6, 0.05, 0.2, false }, 10, true);
}
static void planar_contacts_more_than_motions(void) {
    solvers_find_it(&(kind){ "planar, hyperstatic", 2, 12, 3, 0.1, 0.8, false }, 10, false);
}
static void spatial_contacts(void) {
    solvers_find_it(&(kind){ "spatial", 3, 16, 12, 0.05, 0.2, false }, 10, true);
}
static void spatial_contacts_more_than_motions(void) {
    solvers_find_it(&(kind){ "spatial, hyperstatic", 3, 20, 4, 0.1, 0.8, false }, 10, false);
}
static void contacts_without_friction(void) {
    solvers_find_it(&(kind){ "frictionless, planar", 2, 10, 8, 0, 0, false }, 10, true);
    solvers_find_it(&(kind){ "frictionless, spatial", 3, 16, 10, 0, 0, false }, 10, true);
}
static void rolling_contacts(void) {
    solvers_find_it(&(kind){ "rolling", 5, 10, 12, 0.05, 0.2, false }, 10 / FEWER, true);
    solvers_find_it(&(kind){ "rolling, hyperstatic", 5, 16, 6, 0.1, 0.5, false }, 10 / FEWER,
                    false);
    solvers_find_it(&(kind){ "rolling, frictionless", 5, 10, 12, 0, 0, false }, 5, true);
}
static void joints_and_contacts(void) {
    solvers_find_it(&(kind){ "joints, planar", 2, 10, 8, 0.05, 0.2, true }, 10, true);
    solvers_find_it(&(kind){ "joints, spatial", 3, 16, 12, 0.05, 0.2, true }, 10, true);
}

static bool is_listed(const char *name) {
    for (const scree_solver_entry *entry = scree_solver_list(); entry->with_blocks; entry++)
        if (strcmp(entry->name, name) == 0) return true;
    return false;
}

static void the_menu_has_the_methods(void) {
    CHECK(is_listed("apgd"));
    CHECK(is_listed("admm"));
    CHECK(is_listed("alart-curnier"));
    CHECK(is_listed("interior-point"));
}

/// A good guess is kept: a solved problem takes no iterations, whatever the solver.
static void a_solution_is_left_alone(void) {
    kind of = { "planar", 2, 8, 6, 0.05, 0.2, false };
    seed = 5;
    sample *one = make(&of);
    for (const scree_solver_entry *entry = scree_solver_list(); entry->with_blocks; entry++) {
        scree_solver_options options = scree_solver_options_default();
        scree_report report;
        scree_error err = { 0 };
        double p[ROWS];
        memcpy(p, one->r, sizeof p);
        options.name = entry->name;
        if (is_planar_only(entry->name)) continue;  // these are direct: they take no guess
        CHECK_INT(scree_solve(&one->problem, &options, p, &report, &err), SCREE_OK);
        CHECK(report.converged);
        if (report.iterations > 0) COMPLAIN("%s: %d iterations", entry->name, report.iterations);
    }
    free(one);
}

// -------------------------------------------------------------------------------------------------
// threads

enum { LINKS = 3000 };  // enough for every thread to have a share

static struct chain {  // a row of balls in the plane that do not turn, pushed at random
    int row[LINKS + 1], column[3 * LINKS], diagonal[LINKS];
    double block[3 * LINKS * 4], b[2 * LINKS], mu[LINKS], p[3][2 * LINKS];
} chain;

static void link_balls(double coupling, int j, int *count) {
    chain.column[*count] = j;
    chain.block[*count * 4] = chain.block[*count * 4 + 3] = coupling;
    ++*count;
}

static void make_chain(void) {
    int count = 0;
    for (int i = 0; i < LINKS; i++) {
        if (i > 0) link_balls(-1, i - 1, &count);
        chain.diagonal[i] = count;
        link_balls(2, i, &count);
        if (i + 1 < LINKS) link_balls(-1, i + 1, &count);
        chain.row[i + 1] = count;
        chain.mu[i] = 0.3;
        chain.b[2 * i] = uniform(-1, 0.5);
        chain.b[2 * i + 1] = uniform(-1, 1);
    }
}

/// The bits of apgd do not depend on the number of threads.
static void threads_do_not_change_apgd(void) {
    const int threads[] = { 1, 2, 5 };
    make_chain();
    scree_problem problem = { .contacts = LINKS,
                              .dimension = 2,
                              .row = chain.row,
                              .column = chain.column,
                              .diagonal = chain.diagonal,
                              .block = chain.block,
                              .b = chain.b,
                              .mu = chain.mu };
    for (int k = 0; k < 3; k++) {
        scree_solver_options options = scree_solver_options_default();
        scree_report report;
        scree_error err = { 0 };
        options.name = "apgd";
        options.threads = threads[k];
        options.max_sweeps = 200;
        CHECK_INT(scree_solve(&problem, &options, chain.p[k], &report, &err), SCREE_OK);
        CHECK(report.iterations >= 200);  // not over before anything could differ
        CHECK(memcmp(chain.p[0], chain.p[k], sizeof chain.p[0]) == 0);
    }
}

// -------------------------------------------------------------------------------------------------
// walls that squeeze

/// A row of `balls` between two walls that come nearer with the given speed each; d = 2 or 3.
/// Contact i joins ball i - 1 and ball i, the first and last one the walls.
static sample *make_row(int d, int balls, double speed, double mu) {
    sample *one = calloc(1, sizeof *one);
    if (!one) abort();
    int freedoms = d;  // balls that do not turn
    one->n = (balls + 1) * d;
    one->dofs = balls * freedoms;
    for (int k = 0; k < one->dofs; k++) one->mass[k] = 1 + k % 3;
    for (int i = 0; i <= balls; i++) {
        one->mu[i] = mu;
        for (int r = 0; r < d; r++) {
            if (i > 0) one->H[i * d + r][(i - 1) * freedoms + r] = -1;
            if (i < balls) one->H[i * d + r][i * freedoms + r] = 1;
        }
    }
    condense(one);
    store(one, d);
    one->b[0] = one->b[balls * d] = -speed;
    one->b[1] = 0.3;  // and one of them moves sideways
    one->problem = (scree_problem){ .contacts = balls + 1,
                                    .dimension = d,
                                    .row = one->row,
                                    .column = one->column,
                                    .diagonal = one->diagonal,
                                    .block = one->block,
                                    .b = one->b,
                                    .mu = one->mu };
    return one;
}

/// p pushes only, has length 1, moves nothing, and b works against it.
static void check_certificate(const sample *one, const double *p) {
    int d = one->problem.dimension;
    double work = 0, length = 0;
    for (int i = 0; i < one->n; i++) {
        double moved = 0;
        for (int j = 0; j < one->n; j++) moved += one->W[i][j] * p[j];
        CHECK(fabs(moved) <= 1e-9);
        CHECK(i % d == 0 ? p[i] >= 0 : p[i] == 0);
        work += one->b[i] * p[i];
        length += p[i] * p[i];
    }
    CHECK_NEAR(length, 1, 1e-12);
    CHECK(work < -1e-4);
}

static bool proved(const sample *one, double *direction) {
    scree_arena arena = { 0 };
    scree_report report = { 0 };
    scree_solver_options options = scree_solver_options_default();
    double p[ROWS] = { 0 };
    scree_limits limits = scree_limits_of(&options);
    scree_solver_context context = { .problem = &one->problem,
                                     .options = &options,
                                     .p = p,
                                     .report = &report,
                                     .arena = &arena,
                                     .limits = &limits,
                                     .most_effort = HUGE_VAL };
    bool found = scree_infeasibility_find(&context, direction);
    scree_arena_free(&arena);
    return found;
}

static void walls_that_squeeze_have_no_solution(void) {
    for (int d = 2; d <= 3; d++)
        for (int balls = 1; balls <= 7; balls += 2)
            for (int friction = 0; friction < 2; friction++) {
                sample *one = make_row(d, balls, 1, friction ? 0.5 : 0);
                scree_solver_options options = scree_solver_options_default();
                scree_report report;
                scree_error err = { 0 };
                double p[ROWS] = { 0 };
                CHECK(proved(one, p));
                check_certificate(one, p);
                options.name = "interior-point";
                memset(p, 0, sizeof p);
                CHECK_INT(scree_solve(&one->problem, &options, p, &report, &err), SCREE_OK);
                CHECK_INT(report.reason, SCREE_STOP_INFEASIBLE);
                CHECK(!report.converged);
                check_certificate(one, p);
                free(one);
            }
}

static void walls_that_leave_room_have_one(void) {
    double direction[ROWS];
    for (int d = 2; d <= 3; d++)
        for (int balls = 1; balls <= 7; balls += 2) {
            sample *apart = make_row(d, balls, -1, 0.5), *still = make_row(d, balls, 0, 0.5);
            CHECK(!proved(apart, direction));
            CHECK(!proved(still, direction));
            free(apart);
            free(still);
        }
}

/// One wall follows the other: both press, and there is room.
static void a_wall_that_gives_way_leaves_room(void) {
    double direction[ROWS];
    for (int balls = 1; balls <= 7; balls += 2) {
        sample *one = make_row(3, balls, 1, 0.5);
        one->b[balls * 3] = 1 + 1e-6;
        CHECK(!proved(one, direction));
        one->b[balls * 3] = 1 - 1e-3;
        CHECK(proved(one, direction));
        check_certificate(one, direction);
        free(one);
    }
}

static void what_was_made_from_a_solution_is_never_refused(void) {
    const kind kinds[] = { { "planar", 2, 8, 6, 0.05, 0.2, false },
                           { "hyperstatic", 3, 20, 4, 0.1, 0.8, false },
                           { "joints", 3, 16, 12, 0.05, 0.2, true },
                           { "rolling", 5, 16, 6, 0.1, 0.5, false } };
    double direction[ROWS];
    seed = 3;
    for (int k = 0; k < 4; k++)
        for (int round = 0; round < 20; round++) {
            sample *one = make(&kinds[k]);
            CHECK(!proved(one, direction));
            free(one);
        }
}

// -------------------------------------------------------------------------------------------------
// problems from simulations

static void solve_file(const char *folder, const char *name, const char *solver) {
    char path[1024];
    scree_problem_file file;
    scree_error err = { 0 };
    scree_solver_options options = scree_solver_options_default();
    scree_report report;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    if (scree_problem_read(path, &file, &err)) {
        COMPLAIN("%s: %s", path, err.text);
        return;
    }
    size_t n = (size_t)file.problem.contacts * (size_t)file.problem.dimension;
    double *p = calloc(n, sizeof *p);
    if (!p) abort();
    options.name = solver;
    options.tolerance = tolerance;
    options.criterion = SCREE_CRITERION_NATURAL;
    CHECK_INT(scree_solve(&file.problem, &options, p, &report, &err), SCREE_OK);
    if (!report.converged)
        COMPLAIN("%s, %s: %s, residual %.3g", name, solver, scree_stop_reason_text(report.reason),
                 report.residual.natural);
    free(p);
    scree_problem_file_free(&file);
}

static void problems_from_simulations(void) {
    const char *folder = getenv("SCREE_PROBLEMS");
    const char *const every[] = { "apgd", "admm", "alart-curnier", "interior-point", NULL };
    const char *const newton[] = { "alart-curnier", "interior-point", NULL };
    const struct {
        const char *file;
        const char *const *solvers;
    } rows[] = {
        { "friction/Box_Stacks-i0122-82-5.hdf5", every },
        { "friction/Confeti-ex03-Fc3D-SBM.dat", every },
        { "friction/LMGC_100_PR_PerioBox-i00361-60-03000.hdf5", every },
        { "friction/OneObject-i100000-316.hdf5.dat", every },
        { "friction/FrictionContactProblem00071.dat", every },
        { "friction/Rover1039.dat", every },
        { "friction/gfc2d_granularflowonwall_00069_00350.dat", every },
        { "rolling/Chute-ndof-768-nc-4-3.hdf5", every },
        { "rolling/RFC3D_cube_1.dat", every },
        { "friction/Capsules-i101-404.dat", newton },
        { "rolling/rockfall_14_25792.dat", newton },
    };
    if (!folder) {
        printf("SKIPPED problems from simulations: SCREE_PROBLEMS is not set\n");
        return;
    }
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
        for (const char *const *solver = rows[k].solvers; *solver; solver++)
            solve_file(folder, rows[k].file, *solver);
}

TEST_FILE(test_methods) {
    TEST(the_menu_has_the_methods);
    TEST(planar_contacts);
    TEST(planar_contacts_more_than_motions);
    TEST(spatial_contacts);
    TEST(spatial_contacts_more_than_motions);
    TEST(contacts_without_friction);
    TEST(rolling_contacts);
    TEST(joints_and_contacts);
    TEST(a_solution_is_left_alone);
    TEST(threads_do_not_change_apgd);
    TEST(walls_that_squeeze_have_no_solution);
    TEST(walls_that_leave_room_have_one);
    TEST(a_wall_that_gives_way_leaves_room);
    TEST(what_was_made_from_a_solution_is_never_refused);
    TEST(problems_from_simulations);
    return harness_end();
}
