// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// test_proximal_newton.c - does proximal-newton find what closed forms say, in few factorisations,
// to the last digits, and whatever the rank of W?

#include <stdlib.h>

#include "harness.h"
#include "random.h"
#include "scree/problem_file.h"
#include "solve/solver_context.h"

enum { MOST = 1000 };  // contacts of a problem here

typedef struct body_problem {  // contacts between bodies of 6 freedoms, all dense by contact pairs
    scree_problem problem;
    scree_motion motion;
    int contacts, d, dofs;
    double *H;  // (contacts x d) x dofs
    double *M;  // diagonal
    int *row, *column, *diagonal, *M_first, *M_row, *H_first, *H_dof;
    double *block, *b, *mu, *packed, *f, *w;
} body_problem;

static void *zeroed(size_t count, size_t size) {
    void *memory = calloc(count + 1, size);
    if (!memory) abort();
    return memory;
}

static void begin(body_problem *one, int contacts, int d, int dofs) {
    size_t nc = (size_t)contacts, rows = nc * (size_t)d, n = (size_t)dofs;
    *one = (body_problem){ .contacts = contacts, .d = d, .dofs = dofs };
    one->H = zeroed(rows * n, sizeof *one->H);
    one->M = zeroed(n, sizeof *one->M);
    one->b = zeroed(rows, sizeof *one->b);
    one->mu = zeroed(nc, sizeof *one->mu);
    one->f = zeroed(n, sizeof *one->f);
    one->w = zeroed(rows, sizeof *one->w);
}

static bool shares_dof(const body_problem *one, int i, int j) {
    for (int k = one->H_first[i], l = one->H_first[j];
         k < one->H_first[i + 1] && l < one->H_first[j + 1];)
        if (one->H_dof[k] == one->H_dof[l])
            return true;
        else if (one->H_dof[k] < one->H_dof[l])
            k++;
        else
            l++;
    return false;
}

static void pack_motion(body_problem *one) {
    int nc = one->contacts, d = one->d, n = one->dofs, entries = 0;
    one->H_first = zeroed((size_t)nc + 1, sizeof(int));
    one->H_dof = zeroed((size_t)nc * (size_t)n, sizeof(int));
    one->packed = zeroed((size_t)nc * (size_t)d * (size_t)n, sizeof(double));
    for (int i = 0; i < nc; i++) {
        for (int j = 0; j < n; j++) {
            bool any = false;
            for (int k = 0; k < d; k++) {
                double value = one->H[(size_t)(i * d + k) * (size_t)n + (size_t)j];
                one->packed[entries * d + k] = value;
                any = any || value != 0;
            }
            if (any) one->H_dof[entries++] = j;
        }
        one->H_first[i + 1] = entries;
    }
    one->M_first = zeroed((size_t)n + 1, sizeof(int));
    one->M_row = zeroed((size_t)n, sizeof(int));
    for (int j = 0; j < n; j++) {
        one->M_first[j + 1] = j + 1;
        one->M_row[j] = j;
    }
}

/// W and b from H, M, f and w; with the motion kept or not.
static void finish(body_problem *one, bool keep_motion) {
    int nc = one->contacts, d = one->d, n = one->dofs, blocks = 0;
    pack_motion(one);
    one->row = zeroed((size_t)nc + 1, sizeof(int));
    one->diagonal = zeroed((size_t)nc, sizeof(int));
    for (int i = 0; i < nc; i++)
        for (int j = 0; j < nc; j++) blocks += i == j || shares_dof(one, i, j);
    one->column = zeroed((size_t)blocks, sizeof(int));
    one->block = zeroed((size_t)blocks * (size_t)(d * d), sizeof(double));
    blocks = 0;
    for (int i = 0; i < nc; i++) {
        for (int j = 0; j < nc; j++) {
            if (i != j && !shares_dof(one, i, j)) continue;
            if (i == j) one->diagonal[i] = blocks;
            double *W = one->block + (size_t)blocks * (size_t)(d * d);
            for (int e = one->H_first[i]; e < one->H_first[i + 1]; e++)
                for (int k = 0; k < d * d; k++) {
                    int dof = one->H_dof[e];
                    W[k] += one->packed[e * d + k / d] / one->M[dof] *
                            one->H[(size_t)(j * d + k % d) * (size_t)n + (size_t)dof];
                }
            one->column[blocks++] = j;
        }
        one->row[i + 1] = blocks;
        for (int k = 0; k < d; k++) {
            one->b[i * d + k] = one->w[i * d + k];
            for (int e = one->H_first[i]; e < one->H_first[i + 1]; e++)
                one->b[i * d + k] +=
                    one->packed[e * d + k] * one->f[one->H_dof[e]] / one->M[one->H_dof[e]];
        }
    }
    one->motion = (scree_motion){ .dofs = n,
                                  .M_first = one->M_first,
                                  .M_row = one->M_row,
                                  .M = one->M,
                                  .H_first = one->H_first,
                                  .H_dof = one->H_dof,
                                  .H = one->packed,
                                  .f = one->f,
                                  .w = one->w };
    one->problem = (scree_problem){ .contacts = nc,
                                    .dimension = d,
                                    .row = one->row,
                                    .column = one->column,
                                    .diagonal = one->diagonal,
                                    .block = one->block,
                                    .b = one->b,
                                    .mu = one->mu,
                                    .motion = keep_motion ? &one->motion : NULL };
}

static void release(body_problem *one) {
    void *parts[] = { one->H,      one->M,       one->row,     one->column, one->diagonal,
                      one->M_row,  one->M_first, one->H_first, one->H_dof,  one->block,
                      one->packed, one->b,       one->mu,      one->f,      one->w };
    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++) free(parts[k]);
}

static scree_report solve(const scree_problem *problem, double tolerance, int limit,
                          scree_criterion criterion, double *p) {
    scree_solver_options options = { .name = "proximal-newton",
                                     .tolerance = tolerance,
                                     .max_sweeps = limit,
                                     .criterion = criterion,
                                     .threads = 1 };
    scree_report report = { .islands = 1 };
    scree_arena arena = { 0 };
    scree_error err;
    scree_limits limits = scree_limits_of(&options);
    scree_solver_context context = { .problem = problem,
                                     .options = &options,
                                     .p = p,
                                     .report = &report,
                                     .arena = &arena,
                                     .scales = scree_residual_scale(problem),
                                     .limits = &limits,
                                     .most_effort = HUGE_VAL };
    CHECK_INT(scree_proximal_newton_solve(&context, &err), SCREE_OK);
    scree_arena_free(&arena);
    CHECK_TEXT(report.solver, "proximal-newton");
    return report;
}

// ---- closed forms

/// N equal spheres upon each other on the ground, for a step under gravity.
static void make_column(body_problem *one, int count, bool keep_motion) {
    double mass = 2, radius = 0.3, inertia = 0.4 * mass * radius * radius;
    begin(one, count, 3, 6 * count);
    for (int i = 0; i < count; i++) {
        for (int k = 0; k < 6; k++) one->M[6 * i + k] = k < 3 ? mass : inertia;
        one->f[6 * i + 1] = -mass * 9.81 * 1e-3;
        one->mu[i] = 0.3;
        // normal along y, tangents along z and x: the lower point of sphere i, the upper of i - 1
        for (int side = 0; side < 2 && i - side >= 0; side++) {
            double sign = side ? -1 : 1, arm = side ? radius : -radius;
            size_t n = (size_t)one->dofs, from = 6 * (size_t)(i - side);
            double *H = one->H + (size_t)(3 * i) * n + from;
            H[1] = sign;
            H[n + 2] = sign;  // v_z + (omega x r)_z = v_z + omega_x arm
            H[n + 3] = sign * arm;
            H[2 * n] = sign;  // v_x - omega_z arm
            H[2 * n + 5] = -sign * arm;
        }
    }
    finish(one, keep_motion);
}

static void column_of_spheres(void) {
    for (int count = 10; count <= MOST; count *= 10)
        for (int motion = 0; motion < 2; motion++) {
            body_problem one;
            make_column(&one, count, motion);
            double *p = zeroed((size_t)count * 3, sizeof *p);
            scree_report report = solve(&one.problem, 1e-10, 1000, SCREE_CRITERION_BOTH, p);
            CHECK(report.converged);
            CHECK_INT(report.reason, SCREE_STOP_SOLVED);
            CHECK(report.factorizations <= 5);
            double weight = 2 * 9.81 * 1e-3;
            for (int i = 0; i < count; i++) {
                CHECK_NEAR(p[3 * i], weight * (count - i), 1e-7 * weight * count);
                CHECK_NEAR(hypot(p[3 * i + 1], p[3 * i + 2]), 0, 1e-7 * weight * count);
            }
            free(p);
            release(&one);
        }
}

/// A box on side x side points, pushed along x at the height of its centre.
static void make_box(body_problem *one, int side, double mu, double push, bool keep_motion) {
    double mass = 3, inertia[3] = { 0.7, 0.9, 0.5 }, height = 0.25;
    begin(one, side * side, 3, 6);
    for (int k = 0; k < 6; k++) one->M[k] = k < 3 ? mass : inertia[k - 3];
    one->f[0] = push;
    one->f[2] = -mass * 9.81 * 1e-2;
    for (int i = 0; i < side * side; i++) {
        double r[3] = { (double)(i % side) / (side - 1) - 0.5,
                        (double)(i / side) / (side - 1) - 0.5, -height };
        static const int axis[3] = { 2, 0, 1 };  // normal z, tangents x and y
        for (int k = 0; k < 3; k++) {
            double *H = one->H + (size_t)(3 * i + k) * 6;
            int a = axis[k], b = (a + 1) % 3, c = (a + 2) % 3;
            H[a] = 1;  // v_a + omega_b r_c - omega_c r_b
            H[3 + b] = r[c];
            H[3 + c] = -r[b];
        }
        one->mu[i] = mu;
    }
    finish(one, keep_motion);
}

static void hyperstatic_box(void) {
    double weight = 3 * 9.81 * 1e-2;
    for (int side = 2; side <= 4; side++)
        for (int k = 0; k < 6; k++) {
            body_problem one;
            double mu = 0.4, push = (k % 3) * 0.3 * weight;  // 0, holds, slides
            bool slides = push > mu * weight;
            make_box(&one, side, mu, push, k / 3);
            double p[48] = { 0 }, s[48], sum[3] = { 0 };
            scree_report report = solve(&one.problem, 1e-12, 500, SCREE_CRITERION_BOTH, p);
            CHECK(report.converged);
            CHECK(report.factorizations <= 60);
            scree_residual residual = scree_problem_residual(&one.problem, p, s);
            CHECK(residual.natural <= 1e-12 && residual.scaled <= 1e-12);
            for (int i = 0; i < 3 * side * side; i++) sum[i % 3] += p[i];
            CHECK_NEAR(sum[0], weight, 1e-10);
            CHECK_NEAR(sum[1], slides ? -mu * weight : -push, 1e-10);
            CHECK_NEAR(sum[2], 0, 1e-10);
            for (int i = 0; i < side * side; i++) {
                CHECK_NEAR(s[3 * i], 0, 1e-10);
                CHECK_NEAR(s[3 * i + 1], slides ? (push - mu * weight) / 3 : 0, 1e-10);
            }
            release(&one);
        }
}

// ---- random problems with a known solution

/// p and s that satisfy the law; b so that they belong together. Some contacts are joints.
static void manufacture(body_problem *one, double friction, unsigned char *equality, double *roll,
                        double *p, double *s) {
    int d = one->d;
    for (int i = 0; i < one->contacts; i++) {
        double *pi = p + i * d, *si = s + i * d, angle = uniform(0, 6.28);
        memset(pi, 0, (size_t)d * sizeof *pi);
        memset(si, 0, (size_t)d * sizeof *si);
        one->mu[i] = uniform(0, 1) < 0.1 ? 0 : uniform(0, friction);
        roll[i] = uniform(0, friction);
        equality[i] = uniform(0, 1) < 0.1;
        int status = equality[i] ? 3 : random_int(0, 2);
        if (status == 0) {
            for (int k = 0; k < d; k++) si[k] = k ? uniform(-1, 1) : uniform(0, 1);
            continue;
        }
        pi[0] = status == 3 ? uniform(-1, 1) : uniform(0.1, 1);
        for (int k = 1; k < d; k++) {
            double way = d == 2 ? (angle < 3.14 ? 1 : -1) : k % 2 ? cos(angle) : sin(angle);
            double share = pi[0] * (k < 3 ? one->mu[i] : roll[i]);
            pi[k] = status == 3 ? uniform(-1, 1) : way * share * (status == 1 ? 0.8 : 1);
            if (status == 2 || (share == 0 && status != 3)) si[k] = -way * 0.5;
        }
    }
    scree_problem_velocity(&one->problem, p, one->w);
    for (int k = 0; k < one->contacts * d; k++) one->b[k] += s[k] - one->w[k];
}

static void random_bodies(body_problem *one, int contacts, int d, bool keep_motion) {
    int bodies = random_int(2, 2 + contacts / 2);
    begin(one, contacts, d, 6 * bodies);
    for (int k = 0; k < one->dofs; k++) one->M[k] = uniform(0.5, 2);
    for (int i = 0; i < contacts; i++)
        for (int side = 0; side < 2; side++) {
            int body = side ? random_int(-1, bodies - 1) : random_int(0, bodies - 1);
            for (int k = 0; body >= 0 && k < d; k++)
                for (int j = 0; j < 6; j++)
                    one->H[(size_t)(i * d + k) * (size_t)one->dofs + (size_t)(6 * body + j)] =
                        (k == j) + uniform(-0.5, 0.5);
        }
    finish(one, keep_motion);
}

static void manufactured_solutions(void) {
    enum { CONTACTS = 30 };
    int unique = 0;
    for (int k = 0; k < 150; k++) {
        body_problem one;
        unsigned char equality[CONTACTS];
        double roll[CONTACTS], known[CONTACTS * 5], moves[CONTACTS * 5], p[CONTACTS * 5] = { 0 };
        double s[CONTACTS * 5], friction = k % 2 ? 0.1 : 0.5;
        int d = (int[]){ 2, 3, 5 }[k % 3], contacts = random_int(1, CONTACTS);
        random_bodies(&one, contacts, d, false);
        manufacture(&one, friction, equality, roll, known, moves);
        one.problem.equality = equality;
        if (d == 5) one.problem.mu_rolling = roll;
        CHECK(scree_problem_residual(&one.problem, known, s).scaled < 1e-13);
        scree_report report = solve(&one.problem, 1e-10, 1000, SCREE_CRITERION_SCALED, p);
        CHECK(report.converged);
        CHECK(scree_problem_residual(&one.problem, p, s).scaled <= 1.0001e-10);
        double off = 0;
        for (int i = 0; i < contacts * d; i++) off = fmax(off, fabs(s[i] - moves[i]));
        unique += friction < 0.2 && off < 1e-6;

        // the answer again, from itself
        double again[CONTACTS * 5];
        memcpy(again, p, sizeof again);
        report = solve(&one.problem, 1e-10, 1000, SCREE_CRITERION_SCALED, again);
        CHECK(report.converged);
        CHECK_INT(report.iterations, 0);
        CHECK(memcmp(again, p, sizeof p) == 0);
        release(&one);
    }
    CHECK(unique >= 70);  // of 75 with little friction
}

/// As in files: W is symmetric but for some thousandths, and the answer is that of W, also where
/// the motion says something else by as much.
static void unsymmetric(void) {
    enum { CONTACTS = 30 };
    int solved = 0;
    for (int k = 0; k < 50; k++) {
        body_problem one;
        unsigned char equality[CONTACTS];
        double roll[CONTACTS], known[CONTACTS * 3], moves[CONTACTS * 3], p[CONTACTS * 3] = { 0 };
        double s[CONTACTS * 3];
        int d = 2 + k % 2, contacts = random_int(2, CONTACTS);
        random_bodies(&one, contacts, d, k % 4 < 2);
        for (int e = 0; e < one.row[contacts] * d * d; e++)
            one.block[e] *= 1 + 2.5e-3 * uniform(-1, 1);
        manufacture(&one, 0.3, equality, roll, known, moves);
        scree_report report = solve(&one.problem, 1e-10, 1000, SCREE_CRITERION_SCALED, p);
        solved += report.converged;
        if (report.converged)
            CHECK(scree_problem_residual(&one.problem, p, s).scaled <= 1.0001e-10);
        release(&one);
    }
    CHECK(solved >= 45);  // rank deficient ones may lose their solution
}

// ---- limits and broken problems

static void limit_of_iterations(void) {
    body_problem one;
    make_box(&one, 3, 0.4, 0.2, false);
    double p[27] = { 0 };
    scree_report report = solve(&one.problem, 1e-300, 7, SCREE_CRITERION_NATURAL, p);
    CHECK(!report.converged);
    CHECK_INT(report.reason, SCREE_STOP_LIMIT);
    CHECK_INT(report.iterations, 7);
    // no digits left: it says so long before the limit
    report = solve(&one.problem, 1e-300, 1000000, SCREE_CRITERION_NATURAL, p);
    CHECK(!report.converged && report.iterations < 100000);
    CHECK_INT(report.reason, SCREE_STOP_STALLED);
    CHECK(report.residual.natural < 1e-13);
    release(&one);
}

static void normal_without_mobility(void) {
    body_problem one;
    make_box(&one, 2, 0.4, 0.1, false);
    for (int k = 0; k < 9; k++) one.block[one.diagonal[1] * 9 + k] = 0;
    double p[12] = { 0 };
    scree_report report = solve(&one.problem, 1e-8, 100, SCREE_CRITERION_NATURAL, p);
    CHECK(!report.converged);
    CHECK_INT(report.reason, SCREE_STOP_BROKEN);
    release(&one);
}

// ---- problems of real simulations

/// Factorisations are held to about twice what they were found to be.
static void real_problems(void) {
    static const struct {
        const char *name;
        int most;
    } files[] = { { "Box_Stacks-i0122-82-5.hdf5", 10 },
                  { "Capsules-i125-1213.hdf5", 100 },
                  { "Confeti-ex03-Fc3D-SBM.dat", 20 },
                  { "FrictionContactProblem00237.dat", 100 },
                  { "KaplasTower-i1061-4.hdf5.dat", 70 },
                  { "LMGC_100_PR_PerioBox-i00361-60-03000.hdf5", 80 },
                  { "OneObject-i100000-316.hdf5.dat", 45 },
                  { "OneObject-i1028-138.hdf5.dat", 45 },
                  { "spheres-in-a-box-98-i10000-256-10.hdf5", 180 } };
    const char *folder = getenv("SCREE_PROBLEMS");
    if (!folder) {
        printf("SKIPPED real_problems: SCREE_PROBLEMS is not set\n");
        return;
    }
    for (size_t k = 0; k < sizeof files / sizeof *files; k++) {
        char path[4096];
        scree_problem_file file;
        scree_error err;
        snprintf(path, sizeof path, "%s/friction/%s", folder, files[k].name);
        if (scree_problem_read(path, &file, &err)) {
            COMPLAIN("%s: %s", path, err.text);
            continue;
        }
        size_t n = (size_t)(file.problem.contacts * file.problem.dimension);
        double *p = zeroed(n, sizeof *p), *s = zeroed(n, sizeof *s);
        scree_report report = solve(&file.problem, 1e-8, 1000, SCREE_CRITERION_NATURAL, p);
        CHECK(report.converged);
        CHECK(scree_problem_residual(&file.problem, p, s).natural <= 1.0001e-8);
        if (report.factorizations > files[k].most)
            COMPLAIN("%s: %d factorisations", files[k].name, report.factorizations);
        free(p);
        free(s);
        scree_problem_file_free(&file);
    }
}

TEST_FILE(test_proximal_newton) {
    TEST(column_of_spheres);
    TEST(hyperstatic_box);
    TEST(manufactured_solutions);
    TEST(unsymmetric);
    TEST(limit_of_iterations);
    TEST(normal_without_mobility);
    TEST(real_problems);
    return harness_end();
}
