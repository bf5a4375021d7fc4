// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// test_nsgs.c - does scree_solve find the impulses, and does it tell the truth about them?
//
// The judge here shares nothing with the library: it works on the dense W and recomputes both
// residuals from their definitions.

#include <stdint.h>
#include <stdlib.h>

#include "dense_sample.h"
#include "harness.h"
#include "random.h"
#include "scree/solve.h"

// -------------------------------------------------------------------------------------------------
// building problems

/// W = H H^T, H with n columns.
static void operator_of(sample *one, int size, int n, const double *H) {
    for (int i = 0; i < size; i++)
        for (int j = 0; j <= i; j++) {
            double sum = 0;
            for (int k = 0; k < n; k++) sum += H[i * n + k] * H[j * n + k];
            one->dense[i * size + j] = one->dense[j * size + i] = sum;
        }
}

/// Any rows: badly conditioned or without full rank, as they come.
static void random_operator(sample *one, int contacts, int d) {
    int size = contacts * d, n = random_int(d + 1, size + 4), reach = random_int(d, n < 8 ? n : 8);
    double *H = calloc((size_t)(size * n), sizeof *H);
    for (int i = 0; i < contacts; i++) {
        int from = random_int(0, n - 1);
        for (int k = 0; k < d; k++)
            for (int j = 0; j < reach; j++)
                H[(i * d + k) * n + (from + j) % n] = uniform(-1, 1) + (k == j % d);
    }
    operator_of(one, size, n, H);
    free(H);
}

/// Contacts between rigid bodies of unit mass: a turned frame and two arms each. More contacts than
/// freedoms for one in two of them.
static void bodies_operator(sample *one, int contacts, int d) {
    int size = contacts * d, dofs = d == 2 ? 3 : 6, bodies = 1 + random_int(contacts / 3, contacts);
    int n = bodies * dofs;
    double *H = calloc((size_t)(size * n), sizeof *H);
    for (int i = 0; i < contacts; i++) {
        double angle = uniform(0, 6.28), c = cos(angle), s = sin(angle);
        double frame[3][3] = { { c, s, 0 }, { -s, c, 0 }, { 0, 0, 1 } };
        int side[2] = { random_int(0, bodies - 1), random_int(-1, bodies - 1) };
        if (side[1] == side[0]) side[1] = -1;
        for (int e = 0; e < 2; e++) {
            if (side[e] < 0) continue;
            double r[3] = { uniform(-1, 1), uniform(-1, 1), d == 2 ? 0 : uniform(-1, 1) };
            for (int k = 0; k < d; k++) {
                double *row = H + (i * d + k) * n + side[e] * dofs, *f = frame[k];
                double sign = e ? -1 : 1, z = r[0] * f[1] - r[1] * f[0];
                for (int j = 0; j < d; j++) row[j] = sign * f[j];
                if (d == 2) row[2] = sign * z;
                if (d == 3) row[3] = sign * (r[1] * f[2] - r[2] * f[1]);
                if (d == 3) row[4] = sign * (r[2] * f[0] - r[0] * f[2]);
                if (d == 3) row[5] = sign * z;
            }
        }
    }
    operator_of(one, size, n, H);
    free(H);
}

/// Choose s and p that satisfy the law, and b so that they belong together.
static void manufacture(sample *one, int contacts, int d, double friction, bool bodies) {
    int size = contacts * d;
    (bodies ? bodies_operator : random_operator)(one, contacts, d);
    memset(one->solution, 0, sizeof one->solution);
    memset(one->s, 0, sizeof one->s);
    for (int i = 0; i < contacts; i++) {
        double *p = one->solution + i * d, *s = one->s + i * d;
        double angle = uniform(0, 6.2831853), way[2] = { cos(angle), sin(angle) };
        if (d == 2) way[0] = angle < 3.14159 ? 1 : -1;
        double mu = one->mu[i] = uniform(0, 1) < 0.1 ? 0 : uniform(0, friction);
        int status = random_int(0, 2);
        if (status == 0) {  // open
            s[0] = uniform(0, 1);
            for (int k = 1; k < d; k++) s[k] = uniform(-1, 1);
            continue;
        }
        p[0] = uniform(0.1, 1);
        double share = mu * p[0] * (status == 1 ? uniform(0, 0.99) : 1), slide = uniform(0, 1);
        for (int k = 1; k < d; k++) {
            p[k] = share * way[k - 1];
            if (status == 2 || mu == 0) s[k] = -slide * way[k - 1];
        }
    }
    for (int i = 0; i < size; i++) {
        one->b[i] = one->s[i];
        for (int j = 0; j < size; j++) one->b[i] -= one->dense[i * size + j] * one->solution[j];
    }
    finish(one, contacts, d);
}

// -------------------------------------------------------------------------------------------------
// the judge

static void project(double *y, double mu, int d) {
    double n = d == 2 ? fabs(y[1]) : hypot(y[1], y[2]), scale = 1;
    if (y[0] >= 0 && n <= mu * y[0]) return;
    if (mu * n <= -y[0]) {
        y[0] = scale = 0;
    } else {
        y[0] = (y[0] + mu * n) / (1 + mu * mu);
        scale = mu * y[0] / n;
    }
    for (int k = 1; k < d; k++) y[k] *= scale;
}

static scree_residual judge(const sample *one, const double *p) {
    int contacts = one->problem.contacts, d = one->problem.dimension, size = contacts * d;
    double natural = 0, scaled = 0, plain = 0, weighed = 0;
    for (int i = 0; i < contacts; i++) {
        double s[3] = { 0 }, D = 0;
        for (int k = 0; k < d; k++) {
            const double *row = one->dense + (size_t)(i * d + k) * (size_t)size;
            s[k] = one->b[i * d + k];
            for (int j = 0; j < size; j++) s[k] += row[j] * p[j];
            D += row[i * d + k] / d;
        }
        s[0] += one->mu[i] * (d == 2 ? fabs(s[1]) : hypot(s[1], s[2]));
        for (int variant = 0; variant < 2; variant++) {
            double y[3] = { 0 }, rho = variant ? 1 / D : 1, miss = 0;
            for (int k = 0; k < d; k++) y[k] = p[i * d + k] - rho * s[k];
            project(y, one->mu[i], d);
            for (int k = 0; k < d; k++) miss += (p[i * d + k] - y[k]) * (p[i * d + k] - y[k]);
            *(variant ? &scaled : &natural) += variant ? D * miss : miss;
        }
        for (int k = 0; k < d; k++) {
            plain += one->b[i * d + k] * one->b[i * d + k];
            weighed += one->b[i * d + k] * one->b[i * d + k] / D;
        }
    }
    return (scree_residual){ .natural = sqrt(natural) / (1 + sqrt(plain)),
                             .scaled = weighed > 0 ? sqrt(scaled / weighed) : sqrt(scaled) };
}

static const char *solver = "auto";

/// Solve, and hold the report against the judge.
static scree_report solve(const sample *one, double tolerance, int sweeps, double *p) {
    scree_solver_options options = scree_solver_options_default();
    options.name = solver;
    options.tolerance = tolerance;
    options.max_sweeps = sweeps;
    scree_report report = { .iterations = -1 };
    scree_error err = { 0 };
    CHECK_INT(scree_solve(&one->problem, &options, p, &report, &err), SCREE_OK);
    scree_residual own = judge(one, p);
    double size = 0;
    for (int i = 0; i < one->problem.contacts * one->problem.dimension; i++)
        size = fmax(size, fabs(p[i]));
    double room = 1e-13 * (1 + size);
    CHECK_NEAR(report.residual.natural, own.natural, room + 1e-6 * own.natural);
    CHECK_NEAR(report.residual.scaled, own.scaled, room + 1e-6 * own.scaled);
    CHECK(report.converged == (report.reason == SCREE_STOP_SOLVED));
    CHECK(report.iterations >= 0 && report.iterations <= sweeps);
    if (report.converged && !(own.natural <= tolerance + room && own.scaled <= tolerance + room))
        COMPLAIN("\"converged\" at %.3g, %.3g with tolerance %.3g", own.natural, own.scaled,
                 tolerance);
    if (!report.converged && own.natural + room < tolerance && own.scaled + room < tolerance)
        COMPLAIN("not \"converged\" at %.3g, %.3g, reason %s", own.natural, own.scaled,
                 scree_stop_reason_text(report.reason));
    return report;
}

// -------------------------------------------------------------------------------------------------
// tests

static sample one, two;  // large

/// The answer itself, in the library's eyes and in the judge's.
static double known_residual(int d) {
    double s[MOST * 3];
    scree_residual known = scree_problem_residual(&one.problem, one.solution, s);
    scree_residual own = judge(&one, one.solution);
    CHECK(known.natural < 1e-13 && known.scaled < 1e-13);
    CHECK(own.natural < 1e-13 && own.scaled < 1e-13);
    for (int i = 0; i < one.problem.contacts * d; i++) CHECK_NEAR(s[i], one.s[i], 1e-12);
    return fmax(known.natural, known.scaled);
}

static void manufactured(int d, int most, double friction, bool bodies, int sweeps_at_most,
                         int least) {
    double worst = 0;
    int solved = 0, limit = 0, stalled = 0, gaining = 0, problems = 200;
    int64_t sweeps = 0;
    for (int k = 0; k < problems; k++) {
        manufacture(&one, random_int(1, most), d, friction, bodies);
        worst = fmax(worst, known_residual(d));
        double p[MOST * 3] = { 0 }, s[MOST * 3];
        scree_report report = solve(&one, 1e-10, sweeps_at_most, p);
        solved += report.converged;
        limit += report.reason == SCREE_STOP_LIMIT;
        sweeps += report.iterations;
        if (report.reason == SCREE_STOP_STALLED) {
            // "no progress any more": as many sweeps again gain nothing to speak of
            double before = fmax(report.residual.natural, report.residual.scaled);
            report = solve(&one, 1e-10, 2000, p);
            gaining += fmax(report.residual.natural, report.residual.scaled) < 0.8 * before;
            stalled++;
            continue;
        }
        if (friction > 0.02 || !report.converged) continue;
        // little friction: the velocities are unique
        scree_problem_velocity(&one.problem, p, s);
        for (int i = 0; i < one.problem.contacts * d; i++) CHECK_NEAR(s[i], one.s[i], 1e-5);
    }
    printf(
        "%s, %d contacts, d = %d, mu <= %g: %d of %d solved, %d limit, %d stalled (%d of them "
        "not), mean "
        "%.0f sweeps; known answer %.2g\n",
        bodies ? "bodies" : "any rows", most, d, friction, solved, problems, limit, stalled,
        gaining, (double)sweeps / problems, worst);
    CHECK(solved >= least);
    if (friction < 0.5) CHECK_INT(gaining, 0);  // with more, a cycle can be left by luck
}

static void manufactured_solutions(void) {
    for (int d = 2; d <= 3; d++) {
        manufactured(d, 4, 0.02, true, 200000, 200);  // all of them
        manufactured(d, 4, 0.1, true, 200000, 200);
        manufactured(d, 16, 0.1, true, 10000, 190);
        manufactured(d, 16, 1, true, 10000, 180);
        manufactured(d, 16, 0.02, false, 10000, 150);
        manufactured(d, 16, 1, false, 10000, 150);
    }
}

/// Wrong answers must look wrong: the two judges agree far from the solution too.
static void judges_agree_anywhere(void) {
    for (int k = 0; k < 2000; k++) {
        int d = 2 + k % 2;
        manufacture(&one, random_int(1, 6), d, 2, true);
        double p[MOST * 3], s[MOST * 3], scale = exp(uniform(-8, 4));
        for (int i = 0; i < one.problem.contacts * d; i++)
            p[i] = one.solution[i] + scale * uniform(-1, 1);
        scree_residual known = scree_problem_residual(&one.problem, p, s), own = judge(&one, p);
        CHECK_NEAR(known.natural, own.natural, 1e-12 + 1e-10 * own.natural);
        CHECK_NEAR(known.scaled, own.scaled, 1e-12 + 1e-10 * own.scaled);
    }
}

/// Other units of mass and velocity: the scaled residual is the same.
static void scaled_residual_has_no_unit(void) {
    for (int k = 0; k < 500; k++) {
        int d = 2 + k % 2;
        manufacture(&one, random_int(1, 6), d, 2, true);
        two = one;
        int size = one.problem.contacts * d;
        double mass = exp(uniform(-20, 20)), velocity = exp(uniform(-20, 20));
        double p[MOST * 3], q[MOST * 3], s[MOST * 3];
        for (int i = 0; i < size; i++) {
            p[i] = one.solution[i] + uniform(-1, 1);
            q[i] = p[i] * mass * velocity;
            two.b[i] *= velocity;
            for (int j = 0; j < size; j++) two.dense[i * size + j] /= mass;
        }
        finish(&two, one.problem.contacts, d);
        double first = scree_problem_residual(&one.problem, p, s).scaled;
        double second = scree_problem_residual(&two.problem, q, s).scaled;
        CHECK_NEAR(second, first, 1e-11 * first);
    }
}

/// Contact k of a column carries N - k + 1 spheres.
static void column(int spheres, int d, double mass, double gh) {
    int size = spheres * d;
    memset(one.dense, 0, sizeof one.dense);
    memset(one.b, 0, sizeof one.b);
    for (int i = 0; i < spheres; i++) {
        one.mu[i] = 0.3;
        for (int k = 0; k < d; k++) {
            one.dense[(i * d + k) * size + i * d + k] = (i ? 2 : 1) / mass;
            if (!i) continue;
            one.dense[(i * d + k) * size + (i - 1) * d + k] = -1 / mass;
            one.dense[((i - 1) * d + k) * size + i * d + k] = -1 / mass;
        }
    }
    one.b[0] = -gh;
    finish(&one, spheres, d);
}

static void column_of_spheres(void) {
    for (int d = 2; d <= 3; d++)
        for (int spheres = 1; spheres <= 20; spheres = spheres * 2 + (spheres == 4)) {
            double mass = 1.7, gh = 9.81e-3, p[MOST * 3] = { 0 };
            column(spheres, d, mass, gh);
            scree_report report = solve(&one, 1e-12, 10000, p);
            CHECK(report.converged);
            if (spheres >= 18) printf("column of %d: %d sweeps\n", spheres, report.iterations);
            for (int k = 0; k < spheres; k++) {
                double expected = (spheres - k) * mass * gh;
                CHECK_NEAR(p[k * d], expected, 1e-8 * spheres * mass * gh);
                CHECK_NEAR(p[k * d + 1], 0, 1e-9 * mass * gh);
            }
        }
}

/// 0.93 N^2 sweeps per digit: slow, but no reason to give up.
static void tall_column(void) {
    double p[MOST * 3] = { 0 };
    column(60, 2, 1, 0.1);
    scree_report report = solve(&one, 1e-10, 100000, p);
    if (!report.converged)
        COMPLAIN("%s after %d sweeps at %.3g", scree_stop_reason_text(report.reason),
                 report.iterations, report.residual.scaled);
    for (int k = 0; k < 60 && report.converged; k++) CHECK_NEAR(p[k * 2], (60 - k) * 0.1, 1e-5);
}

static void limit_of_sweeps(void) {
    double last = INFINITY;
    solver = "nsgs";
    for (int sweeps = 1; sweeps <= 200; sweeps = sweeps * 2 + 1) {
        double p[MOST * 3] = { 0 };
        column(40, 2, 1, 0.1);
        scree_report report = solve(&one, 1e-12, sweeps, p);
        CHECK(!report.converged);
        CHECK_INT(report.reason, SCREE_STOP_LIMIT);
        CHECK_INT(report.iterations, sweeps);
        CHECK(fmax(report.residual.natural, report.residual.scaled) <= last * (1 + 1e-12));
        last = fmax(report.residual.natural, report.residual.scaled);
    }
    solver = "auto";
}

/// What comes back is never worse than the guess: not every sweep is judged, but the guess is.
static void best_iterate_is_kept(void) {
    int rose = 0;
    solver = "nsgs";
    for (int k = 0; k < 400; k++) {
        int d = 2 + k % 2;
        // much friction: sweeps do not always gain; too many contacts to try all statuses
        manufacture(&one, random_int(9, 16), d, 3, k % 4 < 2);
        double guess[MOST * 3] = { 0 }, s[MOST * 3];
        for (int i = 0; i < one.problem.contacts * d; i++)
            guess[i] = one.solution[i] * (1 + 1e-6 * uniform(-1, 1));
        scree_residual start = scree_problem_residual(&one.problem, guess, s);
        double last = fmax(start.natural, start.scaled);
        for (int sweeps = 1; sweeps <= 64; sweeps *= 2) {
            double p[MOST * 3];
            memcpy(p, guess, sizeof p);
            scree_report report = solve(&one, 1e-15, sweeps, p);
            double now = fmax(report.residual.natural, report.residual.scaled);
            if (!(now <= last * (1 + 1e-9) + 1e-14)) {
                COMPLAIN("%d sweeps: %.6g after %.6g", sweeps, now, last);
                rose++;
            }
        }
    }
    CHECK_INT(rose, 0);
    solver = "auto";
}

static void numbers_that_are_none(void) {
    const double none[] = { NAN, INFINITY, -INFINITY };
    for (int what = 0; what < 4; what++)
        for (int k = 0; k < 3; k++)
            for (int place = 0; place < 4; place++) {
                manufacture(&one, 4, 2, 0.5, true);
                double p[MOST * 3] = { 0 };
                if (what == 0) one.b[place * 2] = none[k];
                if (what == 1) one.b[place * 2 + 1] = none[k];
                if (what == 2) one.block[place * 4 + place % 4] = none[k];
                if (what == 3) one.mu[place] = none[k];
                scree_solver_options options = scree_solver_options_default();
                scree_report report = { .converged = true };
                scree_error err;
                CHECK_INT(scree_solve(&one.problem, &options, p, &report, &err), SCREE_OK);
                if (report.converged || report.reason != SCREE_STOP_BROKEN)
                    COMPLAIN("%g in %s: %s", none[k],
                             what < 2    ? "b"
                             : what == 2 ? "W"
                                         : "mu",
                             scree_stop_reason_text(report.reason));
            }
}

/// A guess that is no number must not end as an answer that is none.
static void guess_that_is_no_number(void) {
    manufacture(&one, 4, 2, 0.1, true);
    double p[MOST * 3] = { NAN, 1, INFINITY, -1, 0, 0, NAN, NAN };
    scree_solver_options options = scree_solver_options_default();
    scree_report report = { .converged = true };
    scree_error err;
    CHECK_INT(scree_solve(&one.problem, &options, p, &report, &err), SCREE_OK);
    for (int i = 0; i < 8 && report.converged; i++) CHECK(isfinite(p[i]));
    CHECK(report.converged || report.reason == SCREE_STOP_BROKEN);
}

static void normal_without_mobility(void) {
    manufacture(&one, 3, 2, 0.1, true);
    for (int k = 0; k < 4; k++) one.block[one.diagonal[1] * 4 + k] = 0;
    double p[MOST * 3] = { 0 };
    scree_solver_options options = scree_solver_options_default();
    scree_report report = { .converged = true };
    scree_error err;
    CHECK_INT(scree_solve(&one.problem, &options, p, &report, &err), SCREE_OK);
    CHECK(!report.converged);  // such a W is no W: others depend on what does not move
    CHECK(report.reason != SCREE_STOP_SOLVED);
}

static void no_contacts(void) {
    int row[1] = { 0 };
    scree_problem problem = { .contacts = 0, .dimension = 3, .row = row };
    scree_solver_options options = scree_solver_options_default();
    scree_report report = { .iterations = -1 };
    scree_error err;
    CHECK_INT(scree_solve(&problem, &options, NULL, &report, &err), SCREE_OK);
    CHECK(report.converged);
    CHECK_INT(report.reason, SCREE_STOP_SOLVED);
    CHECK_INT(report.iterations, 0);
    CHECK(report.residual.natural == 0 && report.residual.scaled == 0);
}

/// Nothing slides and nothing rubs, exactly: the cone is a half line, its projection a maximum.
static void frictionless_and_straight(void) {
    for (int d = 2; d <= 3; d++) {
        memset(&one, 0, sizeof one);
        for (int k = 0; k < 2 * d; k++) one.dense[k * 2 * d + k] = 2;
        one.b[0] = 3;   // opens
        one.b[d] = -4;  // closes
        finish(&one, 2, d);
        double p[6] = { 0 }, pull[6] = { -1.5, 0 }, s[6];
        pull[d] = 2;
        CHECK(solve(&one, 1e-12, 10, p).converged);
        CHECK_NEAR(p[0], 0, 0);
        CHECK_NEAR(p[d], 2, 1e-15);
        // s = 0 by an impulse that pulls is no answer
        CHECK_NEAR(scree_problem_residual(&one.problem, pull, s).natural, 1.5 / 6, 1e-15);
        CHECK(scree_problem_residual(&one.problem, pull, s).scaled > 0.1);
    }
}

static void order_of_contacts(void) {
    int compared = 0;
    for (int k = 0; k < 100; k++) {
        int d = 2 + k % 2, contacts = random_int(2, 12), place[MOST], size = contacts * d;
        manufacture(&one, contacts, d, 0.1, true);
        for (int i = 0; i < contacts; i++) {  // shuffle
            int j = random_int(0, i);
            place[i] = place[j];
            place[j] = i;
        }
        for (int i = 0; i < contacts; i++) {
            two.mu[place[i]] = one.mu[i];
            for (int a = 0; a < d; a++) {
                two.b[place[i] * d + a] = one.b[i * d + a];
                for (int j = 0; j < contacts; j++)
                    for (int b = 0; b < d; b++)
                        two.dense[(place[i] * d + a) * size + place[j] * d + b] =
                            one.dense[(i * d + a) * size + j * d + b];
            }
        }
        finish(&two, contacts, d);
        double p[MOST * 3] = { 0 }, q[MOST * 3] = { 0 }, s[MOST * 3], r[MOST * 3];
        if (!solve(&one, 1e-12, 100000, p).converged) continue;
        if (!solve(&two, 1e-12, 100000, q).converged) continue;
        scree_problem_velocity(&one.problem, p, s);
        scree_problem_velocity(&two.problem, q, r);
        for (int i = 0; i < size; i++)
            CHECK_NEAR(r[place[i / d] * d + i % d], s[i], 1e-6);  // rank deficient: not p
        compared++;
    }
    CHECK(compared > 90);
}

static void solved_problem_needs_no_sweep(void) {
    for (int k = 0; k < 100; k++) {
        manufacture(&one, random_int(1, 10), 2 + k % 2, 0.2, true);
        double p[MOST * 3] = { 0 }, again[MOST * 3], known[MOST * 3];
        if (!solve(&one, 1e-10, 10000, p).converged) continue;
        memcpy(again, p, sizeof again);
        memcpy(known, one.solution, sizeof known);
        int most = one.problem.contacts == 1;  // a single contact is solved, not judged
        CHECK(solve(&one, 1e-10, 10000, again).iterations <= most);
        CHECK(memcmp(again, p, sizeof p) == 0);  // not a bit is touched
        CHECK(solve(&one, 1e-10, 10000, known).iterations <= most);
    }
}

static void the_menu(void) {
    const scree_solver_entry *list = scree_solver_list();
    scree_solver_options options = scree_solver_options_default();
    bool found = false;
    for (; list->name; list++) {
        CHECK(list->summary && list->summary[0]);
        found = found || strcmp(list->name, options.name) == 0;
    }
    CHECK(found);
    CHECK_TEXT(options.name, "auto");
    CHECK(options.tolerance == 1e-10);
    CHECK_INT(options.max_sweeps, 10000);

    manufacture(&one, 2, 2, 0.1, true);
    double p[MOST * 3] = { 0 };
    scree_report report;
    scree_error err = { 0 };
    options.name = "nsgz";
    CHECK_INT(scree_solve(&one.problem, &options, p, &report, &err), SCREE_BAD_INPUT);
    CHECK(err.status == SCREE_BAD_INPUT && strstr(err.text, "nsgz"));
    CHECK_INT(scree_solve(&one.problem, &options, p, &report, NULL), SCREE_BAD_INPUT);
    for (int a = SCREE_STOP_SOLVED; a <= SCREE_STOP_BROKEN; a++)
        for (int b = SCREE_STOP_SOLVED; b < a; b++)
            CHECK(strcmp(scree_stop_reason_text(a), scree_stop_reason_text(b)) != 0);
}

TEST_FILE(test_nsgs) {
    TEST(manufactured_solutions);
    TEST(judges_agree_anywhere);
    TEST(scaled_residual_has_no_unit);
    TEST(column_of_spheres);
    TEST(tall_column);
    TEST(limit_of_sweeps);
    TEST(best_iterate_is_kept);
    TEST(numbers_that_are_none);
    TEST(guess_that_is_no_number);
    TEST(normal_without_mobility);
    TEST(no_contacts);
    TEST(frictionless_and_straight);
    TEST(order_of_contacts);
    TEST(solved_problem_needs_no_sweep);
    TEST(the_menu);
    return harness_end();
}
