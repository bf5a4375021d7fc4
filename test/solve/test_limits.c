// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// test_limits.c - is scree_solve honest when it cannot do what it is asked?
//
// Limits of time and iterations, problems without a solution, W that no bodies have, numbers that
// are none, contacts that nothing moves, scales at the end of what a double holds, garbage: every
// solver must come back, with the truth. The residual is computed here once more, from its
// definition.

#include <time.h>

#include "mechanism.h"
#include "random.h"

static double flat[3][3] = { { 0, 0, 1 }, { 1, 0, 0 }, { 0, 1, 0 } };
static double up[3] = { 0, 0, 1 }, down[3] = { 0, 0, -1 };

// -------------------------------------------------------------------------------------------------
// the residual, from its definition

typedef struct cone {
    int d;
    bool free;
    double mu, rolling;
} cone;

static double part_size(const double *x, int from, int to) {
    double size = 0;
    for (int k = from; k < to; k++) size = hypot(size, x[k]);
    return size;
}

/// Nearest point of the cone: its normal part t solves an equation with one root.
static void project(const cone *on, double *y) {
    int end = on->d < 3 ? on->d : 3;
    double slide = part_size(y, 1, end), roll = part_size(y, end, on->d);
    if (on->free) return;
    double low = 0, high = fabs(y[0]) + on->mu * slide + on->rolling * roll;
    for (int k = 0; k < 2000 && low < high; k++) {
        double t = 0.5 * (low + high);
        double excess = y[0] + on->mu * fmax(0, slide - on->mu * t) +
                        on->rolling * fmax(0, roll - on->rolling * t) - t;
        if (t <= low || t >= high) break;
        *(excess > 0 ? &low : &high) = t;
    }
    for (int k = 1; k < on->d; k++) {
        double size = k < end ? slide : roll, most = (k < end ? on->mu : on->rolling) * low;
        if (size > most) y[k] *= most / size;
    }
    y[0] = low;
}

static double natural_miss(const cone *on, const double *p, const double *s, double rho) {
    double y[5] = { 0 }, sum = 0;
    int end = on->d < 3 ? on->d : 3;
    for (int k = 0; k < on->d; k++) y[k] = p[k] - rho * s[k];
    y[0] -= rho * (on->mu * part_size(s, 1, end) + on->rolling * part_size(s, end, on->d));
    if (on->free)
        for (int k = 0; k < on->d; k++) y[k] = p[k] - rho * s[k];
    project(on, y);
    for (int k = 0; k < on->d; k++) sum += (p[k] - y[k]) * (p[k] - y[k]);
    return sum;
}

static void velocity_of(const scree_problem *problem, const double *p, double *s) {
    int d = problem->dimension;
    for (int i = 0; i < problem->contacts; i++)
        for (int r = 0; r < d; r++) {
            long double sum = problem->b[i * d + r];
            for (int at = problem->row[i]; at < problem->row[i + 1]; at++)
                for (int c = 0; c < d; c++)
                    sum += (long double)problem->block[(at * d + r) * d + c] *
                           p[problem->column[at] * d + c];
            s[i * d + r] = (double)sum;
        }
}

/// Field and scaled, for plain, rolling and free contacts.
static scree_residual residual_of(const scree_problem *problem, const double *p, const double *s) {
    int d = problem->dimension;
    double natural = 0, scaled = 0, size = 0, energy = 0;
    for (int i = 0; i < problem->contacts; i++) {
        const double *W = problem->block + problem->diagonal[i] * d * d;
        cone on = { d, problem->equality && problem->equality[i], problem->mu[i],
                    d == 5 ? problem->mu_rolling[i] : 0 };
        double D = 0, x[5], y[5];
        natural += natural_miss(&on, p + i * d, s + i * d, 1);
        double slide = d == 5 ? W[6] + W[12] : 0, roll = d == 5 ? W[18] + W[24] : 0;
        double length = slide > 0 && roll > 0 ? sqrt(slide / roll) : 1;
        for (int k = 0; k < d; k++) {
            double unit = k < 3 ? 1 : length, b = problem->b[i * d + k];
            D += W[k * d + k] * unit * unit / d;
            x[k] = p[i * d + k] / unit;
            y[k] = s[i * d + k] * unit;
            size += b * b;
        }
        if (!(D > 0)) D = 1;
        on.rolling /= length;
        scaled += D * natural_miss(&on, x, y, 1 / D);
        for (int k = 0; k < d; k++) {
            double b = problem->b[i * d + k] * (k < 3 ? 1 : length);
            energy += b * b / D;
        }
    }
    return (scree_residual){ .natural = sqrt(natural) / (1 + sqrt(size)),
                             .scaled = scaled > 0 ? sqrt(scaled / energy) : 0 };
}

static double largest_of(const double *x, int count) {
    double most = 0;
    for (int k = 0; k < count; k++) most = fmax(most, fabs(x[k]));
    return most;
}

/// A report against the truth. Rounding of p and of W p is no lie.
static void check_report(const char *what, const scree_problem *problem,
                         const scree_solver_options *options, const double *p,
                         const scree_report *report) {
    int n = problem->contacts * problem->dimension;
    double *s = zeros((size_t)n, sizeof *s);
    if (report->converged != (report->reason == SCREE_STOP_SOLVED))
        COMPLAIN("%s, %s: converged %d, but \"%s\"", what, options->name, report->converged,
                 scree_stop_reason_text(report->reason));
    // enumerate counts the linear systems of one search, which is none of repeated steps
    bool counts = strcmp(options->name, "enumerate") != 0;
    if (report->iterations < 0 || (counts && report->iterations > options->max_sweeps))
        COMPLAIN("%s, %s: %d iterations of %d", what, options->name, report->iterations,
                 options->max_sweeps);
    for (int k = 0; k < n; k++)
        if (!isfinite(p[k])) COMPLAIN("%s, %s: p[%d] = %g", what, options->name, k, p[k]);
    if (report->converged) {
        velocity_of(problem, p, s);
        scree_residual own = residual_of(problem, p, s);
        double W = 0, move = largest_of(problem->b, n) + 1e-300;
        for (int i = 0; i < problem->row[problem->contacts]; i++)
            W = fmax(W, fabs(problem->block[i * problem->dimension * problem->dimension]));
        double impulse = largest_of(p, n), room = 1e-13 * n * impulse * W / move;
        if (!(own.natural <= 1.001 * options->tolerance + 1e-13 * n * impulse * (1 + W)))
            COMPLAIN("%s, %s: \"solved\", but field %g", what, options->name, own.natural);
        if (!(own.scaled <= 1.001 * options->tolerance + room))
            COMPLAIN("%s, %s: \"solved\", but scaled %g", what, options->name, own.scaled);
    }
    free(s);
}

static scree_report solve_problem(const char *what, const scree_problem *problem,
                                  const scree_solver_options *options, double *p) {
    scree_report report = { .iterations = -1 };
    scree_error err = { 0 };
    scree_status status = scree_solve(problem, options, p, &report, &err);
    if (status) {
        if (!is_planar_solver(options->name) || status != SCREE_BAD_INPUT || !err.text[0])
            COMPLAIN("%s, %s: status %d, \"%s\"", what, options->name, (int)status, err.text);
        return (scree_report){ .solver = NULL, .reason = SCREE_STOP_BROKEN };
    }
    check_report(what, problem, options, p, &report);
    return report;
}

// -------------------------------------------------------------------------------------------------
// limits

/// Balls on a lattice, each on the two below and leaning on its neighbour, with much friction:
/// slow for sweeps, and large enough to take Newton some time.
static mechanism *wall(int d, int layers, int width) {
    mechanism *one = mechanism_new(d, layers * width, 2 * layers * width);
    int at = 0;
    for (int k = 0; k < layers * width; k++) {
        int layer = k / width, place = k % width;
        set_mass(one, k, 1 + k % 3, 0.4);
        one->velocity[k * 6] = uniform(-0.1, 0.1);
        one->velocity[k * 6 + 2] = -0.1;
        for (int side = 0; side < 2; side++) {
            int other = place + (layer % 2 ? side : side - 1);
            double n[3] = { side ? -0.5 : 0.5, 0, sqrt(0.75) }, arm[3] = { -n[0], 0, -n[2] };
            double frame[3][3] = { { n[0], 0, n[2] }, { n[2], 0, -n[0] }, { 0, 1, 0 } };
            bool ground = layer == 0 || other < 0 || other >= width;
            one->mu[at] = 0.5;
            attach(one, at, 0, k, arm, frame);
            attach(one, at++, 1, ground ? -1 : k - place - width + other, n, frame);
        }
    }
    condense(one);
    return one;
}

static double processor_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/// 0.05 s are given, a tolerance that nobody reaches is asked for, and 2 s of the processor are
/// the most.
static void time_is_respected(void) {
    for (const scree_solver_entry *entry = scree_solver_list(); entry->with_blocks; entry++) {
        bool few = strcmp(entry->name, "enumerate") == 0 || strcmp(entry->name, "lemke") == 0;
        seed = 31;
        mechanism *one = few ? wall(2, 12, 10) : wall(3, 20, 30);
        double *p = zeros((size_t)rows_of(one), sizeof *p), start = processor_seconds();
        scree_solver_options options = scree_solver_options_default();
        options.name = entry->name;
        options.tolerance = 1e-30;
        options.max_sweeps = 1 << 30;
        options.max_seconds = 0.05;
        scree_report report = solve_problem("a wall", &one->problem, &options, p);
        double took = processor_seconds() - start;
        printf("%s: %.2f s of 0.05, %s\n", entry->name, took,
               report.solver ? scree_stop_reason_text(report.reason) : "refused");
        if (!(took <= 2)) COMPLAIN("%s: %g s", entry->name, took);
        free(p);
        mechanism_free(one);
    }
}

/// Iterations are respected by all, and more of them never give a worse answer.
static void iterations_are_respected(void) {
    for (const scree_solver_entry *entry = scree_solver_list(); entry->with_blocks; entry++)
        for (int d = is_planar_solver(entry->name) ? 2 : 3; d >= 2; d--) {
            seed = 32;
            mechanism *one = wall(d, 4, 5);
            double last = HUGE_VAL;
            for (int sweeps = 1; sweeps <= 128; sweeps = sweeps * 2 + (sweeps == 4)) {
                double p[120] = { 0 }, s[120];
                scree_solver_options options = scree_solver_options_default();
                options.name = entry->name;
                options.tolerance = 1e-30;
                options.max_sweeps = sweeps;
                scree_report report = solve_problem("few sweeps", &one->problem, &options, p);
                if (!report.solver) break;
                CHECK(!report.converged);
                velocity_of(&one->problem, p, s);
                scree_residual own = residual_of(&one->problem, p, s);
                double now = fmax(own.natural, own.scaled);
                if (!(now <= last * (1 + 1e-6) + 1e-14) && !is_planar_solver(entry->name))
                    COMPLAIN("%s: %d sweeps give %.6g, fewer %.6g", entry->name, sweeps, now, last);
                CHECK_NEAR(report.residual.natural, own.natural, 1e-13 + 1e-6 * own.natural);
                CHECK_NEAR(report.residual.scaled, own.scaled, 1e-13 + 1e-6 * own.scaled);
                last = now;
            }
            mechanism_free(one);
        }
}

/// Whatever the guess, what comes back is not worse than the guess.
static void the_best_is_returned(void) {
    for (const scree_solver_entry *entry = scree_solver_list(); entry->with_blocks; entry++) {
        if (is_planar_solver(entry->name)) continue;  // they take no guess
        for (int round = 0; round < 30; round++) {
            seed = 33 + (uint64_t)round;
            mechanism *one = wall(3, 3, 4);
            double p[72], guess[72] = { 0 }, s[72], size = round % 3 ? 1e-3 : 1;
            scree_solver_options options = scree_solver_options_default();
            options.name = entry->name;
            options.max_sweeps = 2000;
            solve_problem("a guess", &one->problem, &options, guess);
            for (int k = 0; k < 72; k++) guess[k] += size * uniform(-1, 1);
            memcpy(p, guess, sizeof p);
            options.tolerance = 1e-30;
            options.max_sweeps = 1 + round % 5;
            scree_report report = solve_problem("a guess", &one->problem, &options, p);
            velocity_of(&one->problem, guess, s);
            scree_residual before = residual_of(&one->problem, guess, s);
            if (!(scree_residual_max(report.residual) <=
                  (1 + 1e-9) * fmax(before.natural, before.scaled)))
                COMPLAIN("%s: %g from a guess of %g", entry->name,
                         scree_residual_max(report.residual), fmax(before.natural, before.scaled));
            mechanism_free(one);
        }
    }
}

// -------------------------------------------------------------------------------------------------
// no solution

/// p pushes only and moves nothing, and b works against it: then s_N >= 0 is impossible.
static void check_proof(const char *what, const mechanism *one, const double *p) {
    int n = rows_of(one), d = one->d;
    double *s = zeros((size_t)n, sizeof *s), work = 0, size = 0, W = 0;
    velocity_of(&one->problem, p, s);
    for (int i = 0; i < one->row[one->contacts] * d * d; i++) W = fmax(W, fabs(one->block[i]));
    for (int k = 0; k < n; k++) {
        if (!one->equality[k / d] && !(k % d ? p[k] == 0 : p[k] >= 0))
            COMPLAIN("%s: p[%d] = %g in the proof", what, k, p[k]);
        CHECK_NEAR(s[k] - one->b[k], 0, 1e-9 * W);
        work += one->b[k] * p[k];
        size += p[k] * p[k];
    }
    CHECK_NEAR(size, 1, 1e-9);
    if (!(work < 0)) COMPLAIN("%s: the work is %g", what, work);
    free(s);
}

/// Balls in a row between two walls; the first stands, the second comes nearer at `speed`. The
/// second ball rests on something else as well.
static mechanism *squeeze(int d, int balls, double speed, double mu) {
    mechanism *one = mechanism_new(d, balls, balls + 2);
    double x[3][3] = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } }, left[3] = { -1, 0, 0 };
    double right[3] = { 1, 0, 0 }, low[3] = { 0, -1, 0 };
    double y[3][3] = { { 0, 1, 0 }, { 1, 0, 0 }, { 0, 0, 1 } };
    for (int k = 0; k < balls; k++) {
        set_mass(one, k, 1 + k % 3, 0.5);
        one->velocity[k * 6] = uniform(-1, 1);
        one->velocity[k * 6 + 1] = uniform(-1, 0);
    }
    for (int i = 0; i <= balls; i++) {
        attach(one, i, 0, i < balls ? i : -1, left, x);
        attach(one, i, 1, i - 1, right, x);
        one->mu[i] = mu;
        if (d == 5) one->mu_rolling[i] = 0.1;
    }
    attach(one, balls + 1, 0, balls - 1, low, y);
    attach(one, balls + 1, 1, -1, low, y);
    one->mu[balls + 1] = mu;
    one->w[balls * d] = -speed;
    condense(one);
    return one;
}

static void squeezed(const char *what, mechanism *one, bool possible) {
    double *p = zeros((size_t)rows_of(one), sizeof *p);
    scree_solver_options options = scree_solver_options_default();
    options.tolerance = 1e-8;
    scree_report report = { 0 };
    scree_error err = { 0 };
    CHECK_INT(scree_solve(&one->problem, &options, p, &report, &err), SCREE_OK);
    if (possible != (report.reason != SCREE_STOP_INFEASIBLE) || report.converged != possible)
        COMPLAIN("%s, d = %d, %d contacts: %s, residual %g", what, one->d, one->contacts,
                 scree_stop_reason_text(report.reason), scree_residual_max(report.residual));
    else if (!possible)
        check_proof(what, one, p);
    free(p);
    mechanism_free(one);
}

static void walls_that_squeeze(void) {
    const int dimensions[] = { 2, 3, 5 }, balls[] = { 1, 2, 5, 20 };
    seed = 34;
    for (int k = 0; k < 24; k++) {
        int d = dimensions[k % 3], count = balls[k / 3 % 4];
        double mu = k < 12 ? 0 : 0.5;
        squeezed("squeezed", squeeze(d, count, 1, mu), false);
        squeezed("squeezed slowly", squeeze(d, count, 0.01, mu), false);
        squeezed("held", squeeze(d, count, 0, mu), true);
        squeezed("released slowly", squeeze(d, count, -1e-3, mu), true);
        squeezed("released", squeeze(d, count, -1, mu), true);
    }
}

/// One part of a problem is impossible, the other is not: it is impossible, and the proof stays in
/// its part.
static void one_part_is_squeezed(void) {
    seed = 35;
    for (int possible = 0; possible < 2; possible++) {
        mechanism *one = squeeze(3, 4, possible ? -1 : 1, 0.3);
        // contact 2 is cut: ball 2 and ball 1 have walls of their own that stand still
        one->hold[2].body[1] = -1;
        memset(one->hold[2].H[1], 0, sizeof one->hold[2].H[1]);
        condense(one);
        squeezed("a part", one, possible);
    }
}

static void squeezed_with_other_laws(void) {
    seed = 36;
    for (int k = 0; k < 8; k++) {
        mechanism *one = squeeze(3, 3, k < 4 ? 1 : -1, 0.3);
        for (int i = 0; i < one->contacts; i++) {
            if (k % 2) one->cohesion[i] = 0.5;
            if (k % 4 >= 2) one->mu_second[i] = 0.1;
        }
        condense(one);
        squeezed("other laws", one, k >= 4);
    }
}

/// Two joints that want a body to move in different ways.
static void joints_that_contradict(void) {
    for (int d = 2; d <= 3; d++)
        for (int possible = 0; possible < 2; possible++) {
            mechanism *one = mechanism_new(d, 1, 2);
            set_mass(one, 0, 2, 1);
            for (int i = 0; i < 2; i++) {
                attach(one, i, 0, 0, up, flat);
                attach(one, i, 1, -1, up, flat);
                one->equality[i] = 1;
                one->w[i * d] = possible ? 1 : 1 + 0.1 * i;
            }
            condense(one);
            squeezed("joints", one, possible);
        }
}

// -------------------------------------------------------------------------------------------------
// problems that no bodies have

static mechanism *random_blocks(int d, int contacts, bool symmetric, bool definite) {
    mechanism *one = mechanism_new(d, 1, contacts);
    int blocks = 0;
    one->column = zeros((size_t)(contacts * contacts), sizeof(int));
    one->block = zeros((size_t)(contacts * contacts * d * d), sizeof(double));
    for (int i = 0; i < contacts; i++) {
        for (int j = 0; j < contacts; j++) {
            if (i != j && (i + j) % 3 == 1) continue;
            if (i == j) one->diagonal[i] = blocks;
            for (int k = 0; k < d * d; k++) {
                int r = k / d, c = k % d, a = i * d + r, b = j * d + c;
                double value = uniform(-1, 1);
                if (symmetric) value = sin(1.7 * (a + b) + 0.3 * a * b);
                if (a == b) value = definite ? contacts * d : value;
                one->block[blocks * d * d + k] = value;
            }
            one->column[blocks++] = j;
        }
        one->row[i + 1] = blocks;
        one->mu[i] = uniform(0, 1);
        one->mu_rolling[i] = uniform(0, 1);
        for (int k = 0; k < d; k++) one->b[i * d + k] = uniform(-1, 1);
    }
    one->problem = (scree_problem){ .contacts = contacts,
                                    .dimension = d,
                                    .row = one->row,
                                    .column = one->column,
                                    .diagonal = one->diagonal,
                                    .block = one->block,
                                    .b = one->b,
                                    .mu = one->mu,
                                    .mu_rolling = d == 5 ? one->mu_rolling : NULL };
    return one;
}

/// Unsymmetric, indefinite, both: right, or no.
static void matrices_that_are_none(void) {
    const int dimensions[] = { 2, 3, 5 };
    for (const scree_solver_entry *entry = scree_solver_list(); entry->with_blocks; entry++) {
        int solved[4] = { 0 }, proved = 0;
        seed = 37;
        for (int k = 0; k < 48; k++) {
            mechanism *one = random_blocks(dimensions[k % 3], 1 + k % 8, k / 4 % 2, k / 12 % 2);
            double p[60] = { 0 };
            scree_solver_options options = scree_solver_options_default();
            options.name = entry->name;
            options.max_seconds = 0.1;
            scree_report report = solve_problem("random W", &one->problem, &options, p);
            solved[k / 4 % 2 + 2 * (k / 12 % 2)] += report.converged;
            if (report.solver && report.reason == SCREE_STOP_INFEASIBLE) {
                check_proof("random W", one, p);
                proved++;
            }
            mechanism_free(one);
        }
        printf("%s: solved %d unsymmetric, %d indefinite, %d dominated, %d symmetric; %d proofs\n",
               entry->name, solved[0], solved[1], solved[2], solved[3], proved);
        // with a diagonal that dominates there is one solution, and auto finds it
        if (strcmp(entry->name, "auto") == 0) CHECK_INT(solved[2] + solved[3], 24);
    }
}

static void spoil(mechanism *one, int what, int place, double with) {
    int at = place % one->contacts;
    one->problem.cohesion = what == 3 ? one->cohesion : NULL;
    one->problem.mu_second = what == 4 ? one->mu_second : NULL;
    for (int i = 0; i < one->contacts; i++) one->mu_second[i] = 0.3;
    if (what == 0) one->block[one->diagonal[at] * one->d * one->d] = with;
    if (what == 1) one->b[at * one->d + place % one->d] = with;
    if (what == 2) one->mu[at] = with;
    if (what == 3) one->cohesion[at] = with;
    if (what == 4) one->mu_second[at] = with;
    if (what == 5) one->mu_rolling[at] = with;
}

static void numbers_that_are_none(void) {
    const double with[] = { NAN, INFINITY, -INFINITY, -0.5 };
    for (const scree_solver_entry *entry = scree_solver_list(); entry->with_blocks; entry++)
        for (int k = 0; k < 6 * 4 * 3; k++) {
            int what = k % 6, place = k / 24;
            double value = with[k / 6 % 4];
            if (value == -0.5 && what < 2) continue;  // b and W may be negative
            seed = 38;
            mechanism *one = random_blocks(what == 5 ? 5 : 3, 4, true, true);
            double p[20] = { 0 };
            spoil(one, what, place, value);
            scree_solver_options options = scree_solver_options_default();
            scree_report report = { .converged = true };
            scree_error err = { 0 };
            options.name = entry->name;
            scree_status status = scree_solve(&one->problem, &options, p, &report, &err);
            if (status == SCREE_OK && (report.converged || report.reason != SCREE_STOP_BROKEN))
                COMPLAIN("%s, %g in array %d: %s", entry->name, value, what,
                         scree_stop_reason_text(report.reason));
            for (int j = 0; j < rows_of(one); j++) CHECK(isfinite(p[j]));
            mechanism_free(one);
        }
}

/// A guess that is no number is no reason to fail.
static void guess_that_is_none(void) {
    for (const scree_solver_entry *entry = scree_solver_list(); entry->with_blocks; entry++) {
        seed = 39;
        mechanism *one = wall(2, 2, 2);
        double p[16] = { NAN, INFINITY, 1, 2, -INFINITY };
        scree_solver_options options = scree_solver_options_default();
        options.name = entry->name;
        options.tolerance = 1e-8;
        CHECK(solve_problem("guess", &one->problem, &options, p).converged);
        mechanism_free(one);
    }
}

static void no_contacts(void) {
    for (const scree_solver_entry *entry = scree_solver_list(); entry->with_blocks; entry++) {
        int row[1] = { 0 };
        scree_problem problem = { .dimension = 3, .row = row };
        scree_solver_options options = scree_solver_options_default();
        scree_report report = { 0 };
        scree_error err = { 0 };
        options.name = entry->name;
        CHECK_INT(scree_solve(&problem, &options, NULL, &report, &err), SCREE_OK);
        CHECK(report.converged && report.reason == SCREE_STOP_SOLVED && report.iterations == 0);
    }
}

/// A contact of two bodies that nothing moves: fine where it opens by itself, without a solution
/// where it closes. Beside a ball on the ground the whole may be called broken, but not solved.
static void contact_that_nothing_moves(void) {
    const int dimensions[] = { 2, 3, 5 };
    for (const scree_solver_entry *entry = scree_solver_list(); entry->with_blocks; entry++)
        for (int k = 0; k < 12; k++) {
            int d = dimensions[k % 3], others = k / 3 % 2;
            bool closes = k >= 6;
            mechanism *one = mechanism_new(d, 1, 1 + others);
            set_mass(one, 0, 2, 1);
            one->velocity[2] = -1;
            one->velocity[0] = 0.1;
            attach(one, 0, 0, -1, up, flat);
            attach(one, 0, 1, -1, up, flat);
            for (int i = 0; i <= others; i++) one->mu[i] = one->mu_rolling[i] = 0.2;
            if (others) attach(one, 1, 0, 0, down, flat);
            if (others) attach(one, 1, 1, -1, down, flat);
            one->w[0] = closes ? -1 : 1;
            one->w[1] = 0.5;
            condense(one);
            double p[10] = { 0 };
            scree_solver_options options = scree_solver_options_default();
            options.name = entry->name;
            options.max_seconds = 1;
            scree_report report = solve_problem("no mobility", &one->problem, &options, p);
            if (closes && report.converged) COMPLAIN("%s: \"solved\", d = %d", entry->name, d);
            if (strcmp(entry->name, "auto") == 0) {
                if (!closes && !report.converged && (!others || report.reason != SCREE_STOP_BROKEN))
                    COMPLAIN("auto, d = %d, %d others: %s", d, others,
                             scree_stop_reason_text(report.reason));
                if (report.reason == SCREE_STOP_INFEASIBLE) check_proof("no mobility", one, p);
            }
            mechanism_free(one);
        }
}

/// Masses and speeds at the end of what a double holds.
static void extreme_scales(void) {
    const double scales[] = { 1e-150, 1e-75, 1e-20, 1e20, 1e75, 1e150 };
    for (const scree_solver_entry *entry = scree_solver_list(); entry->with_blocks; entry++)
        for (int k = 0; k < 36; k++) {
            seed = 40;
            mechanism *one = wall(2, 2, 2);
            double p[16] = { 0 }, mass = scales[k % 6], speed = scales[k / 6];
            for (int j = 0; j < one->bodies * 6; j++) {
                one->inverse[j] /= mass;
                one->velocity[j] *= speed;
            }
            condense(one);
            scree_solver_options options = scree_solver_options_default();
            options.name = entry->name;
            options.tolerance = 1e-8;
            options.criterion = SCREE_CRITERION_SCALED;
            options.max_seconds = 0.1;
            scree_report report = { .iterations = -1 };
            scree_error err = { 0 };
            CHECK_INT(scree_solve(&one->problem, &options, p, &report, &err), SCREE_OK);
            CHECK(report.converged == (report.reason == SCREE_STOP_SOLVED));
            double s[16], v[24], impulse = log10(mass) + log10(speed), motion = log10(speed);
            for (int j = 0; j < 16; j++)
                if (!isfinite(p[j])) COMPLAIN("%s: mass %g, speed %g", entry->name, mass, speed);
            if (!report.converged) {
                // up to 1e20 nothing needs to overflow
                if (fabs(log10(mass)) < 30 && fabs(log10(speed)) < 30)
                    COMPLAIN("%s, mass %g, speed %g: %s", entry->name, mass, speed,
                             scree_stop_reason_text(report.reason));
            } else if (fabs(impulse) < 140 && fabs(motion) < 140 && fabs(impulse + motion) < 280) {
                // beyond, squares are no numbers any more: all that can be asked for is no crash
                move(one, p, v, s);
                if (!(law_miss(one, p, s) <= 1e-5))
                    COMPLAIN("%s, mass %g, speed %g: law missed by %g", entry->name, mass, speed,
                             law_miss(one, p, s));
            }
            mechanism_free(one);
        }
}

/// Anything: each solver comes back in time, with the truth.
static void garbage(void) {
    const int dimensions[] = { 2, 3, 5 };
    for (const scree_solver_entry *entry = scree_solver_list(); entry->with_blocks; entry++) {
        int reasons[6] = { 0 }, refused = 0;
        for (int k = 0; k < 30; k++) {
            seed = 1000 + (uint64_t)k;
            int contacts = random_int(1, 30);
            mechanism *one = random_blocks(dimensions[k % 3], contacts, uniform(0, 1) < 0.3,
                                           uniform(0, 1) < 0.6);
            double *p = zeros((size_t)rows_of(one), sizeof *p);
            for (int j = 0; j < one->row[contacts] * one->d * one->d; j++)
                one->block[j] *= uniform(0, 1) < 0.02 ? 0 : exp(uniform(-2, 2));
            for (int j = 0; j < rows_of(one); j++) one->b[j] *= exp(uniform(-5, 5));
            for (int j = 0; j < contacts; j++) {
                one->equality[j] = uniform(0, 1) < 0.1;
                if (uniform(0, 1) < 0.2) one->mu[j] = 0;
                if (uniform(0, 1) < 0.2) one->mu_rolling[j] *= 100;
            }
            if (k % 4 == 0) one->problem.equality = one->equality;
            if (k % 4) memset(one->equality, 0, (size_t)contacts);
            scree_solver_options options = scree_solver_options_default();
            options.name = entry->name;
            options.max_seconds = 0.03;
            options.max_sweeps = k % 2 ? 100 : 100000;
            double start = processor_seconds();
            scree_report report = solve_problem("garbage", &one->problem, &options, p);
            if (processor_seconds() - start > 2)
                COMPLAIN("%s: %g s", entry->name, processor_seconds() - start);
            if (report.solver && report.reason == SCREE_STOP_INFEASIBLE)
                check_proof("garbage", one, p);
            if (report.solver)
                reasons[report.reason]++;
            else
                refused++;
            free(p);
            mechanism_free(one);
        }
        printf(
            "garbage, %s: %d solved, %d limit, %d time, %d stalled, %d infeasible, %d broken, "
            "%d refused\n",
            entry->name, reasons[0], reasons[1], reasons[2], reasons[3], reasons[4], reasons[5],
            refused);
    }
}

TEST_FILE(test_limits) {
    TEST(time_is_respected);
    TEST(iterations_are_respected);
    TEST(the_best_is_returned);
    TEST(walls_that_squeeze);
    TEST(one_part_is_squeezed);
    TEST(squeezed_with_other_laws);
    TEST(joints_that_contradict);
    TEST(matrices_that_are_none);
    TEST(numbers_that_are_none);
    TEST(guess_that_is_none);
    TEST(no_contacts);
    TEST(contact_that_nothing_moves);
    TEST(extreme_scales);
    TEST(garbage);
    return harness_end();
}
