// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// test_joint_rows.c - rows of joints with limits, friction on reactions, compliance.
//
// Answers are held against the law in words (mechanism.h and below), a closed form, and other forms
// of the same problem.

#include "mechanism.h"
#include "random.h"

enum { MOST = 40 };

typedef struct rows {  // of the joints among the contacts of a mechanism
    double limit[MOST * 3], weight[MOST * 3], compliance[MOST * 3];
    int bearing[MOST];
    int kind[MOST];  // 0: Coulomb, 1: equations, 2: friction on them, 3: motor
} rows;

static void random_vector(double *x, double size, int d) {
    for (int k = 0; k < 3; k++) x[k] = k < d ? uniform(-size, size) : 0;
}

static void hold_at(mechanism *one, int i, const int body[2]) {
    double normal[3], arm[3], frame[3][3];
    random_vector(normal, 1, one->d);
    make_frame(normal, one->d == 2 ? 0 : uniform(0, 6), frame);
    if (one->d == 2) memcpy(frame[1], (double[]){ -frame[0][1], frame[0][0], 0 }, sizeof frame[1]);
    for (int e = 0; e < 2; e++) {
        random_vector(arm, 1, one->d);
        attach(one, i, e, body[e], arm, frame);
    }
}

// the row is not there: no velocity in it
static void remove_row(mechanism *one, rows *of, int i, int k) {
    for (int e = 0; e < 2; e++) memset(one->hold[i].H[e][k], 0, sizeof one->hold[i].H[e][k]);
    of->limit[i * one->d + k] = -1;
}

// moments are measured in other units than forces
static void scale_row(mechanism *one, int i, int k, double factor) {
    for (int e = 0; e < 2; e++)
        for (int m = 0; m < 6; m++) one->hold[i].H[e][k][m] *= factor;
}

// a chain of joints with friction and motors, and contacts between anything; joints hold the chain
static mechanism *random_linkage(int d, int bodies, int contacts, bool bearings, rows *of) {
    int joints = 3 * (bodies - 1), nc = joints + contacts;
    mechanism *one = mechanism_new(d, bodies, nc);
    for (int k = 0; k < bodies; k++) set_mass(one, k, uniform(0.5, 2), uniform(0.2, 1));
    for (int k = 0; k < bodies * 6; k++) one->velocity[k] = uniform(-1, 1);
    for (int k = 0; k < MOST * 3; k++) {
        of->limit[k] = HUGE_VAL;
        of->weight[k] = uniform(0.5, 1.5);
        of->compliance[k] = uniform(0, 1) < 0.2 ? uniform(0, 0.5) : 0;
    }
    for (int i = 0; i < nc; i++) {
        int pair[2] = { i / 3 + 1, i / 3 }, any[2] = { random_int(0, bodies - 1), -1 };
        of->kind[i] = i < joints ? 1 + i % 3 : 0;
        of->bearing[i] = bearings && of->kind[i] == 2 ? i - 1 : -1;
        hold_at(one, i, i < joints ? pair : any);
        one->equality[i] = i < joints;
        one->mu[i] = i < joints && !bearings ? 0 : uniform(0.05, 0.4);
        for (int k = 0; k < d && of->kind[i] > 1; k++)
            of->limit[i * d + k] = of->kind[i] == 2 ? uniform(0, 0.1) : uniform(0, 0.5);
        if (of->kind[i] == 1 || of->kind[i] == 3) scale_row(one, i, d - 1, uniform(0.1, 10));
        if (of->kind[i] > 1) remove_row(one, of, i, random_int(0, d - 1));
    }
    condense(one);
    for (int k = 0; k < nc * d; k++)
        one->block[(size_t)one->diagonal[k / d] * (size_t)(d * d) + (size_t)(k % d * (d + 1))] +=
            of->compliance[k];
    one->problem.limit = of->limit;
    if (bearings) one->problem.bearing = of->bearing;
    if (bearings) one->problem.bearing_weight = of->weight;
    return one;
}

// how far row k of joint i is from its law, p and s against the largest
static double row_miss(const mechanism *one, const rows *of, int i, int k, const double *p,
                       const double *s, double impulse, double speed) {
    int d = one->d, at = i * d + k;
    double limit = of->limit[at], reaction = 0;
    for (int c = 0; of->bearing[i] >= 0 && c < d; c++)
        reaction = hypot(reaction, of->weight[i * d + c] * p[of->bearing[i] * d + c]);
    if (limit < 0) return fabs(p[at]) / impulse;
    limit += one->mu[i] * reaction;
    double over = (fabs(p[at]) - limit) / impulse, moving = fabs(s[at]) / speed;
    double rest = limit == HUGE_VAL ? HUGE_VAL : fabs(p[at] + copysign(limit, s[at])) / impulse;
    return fmax(over, fmin(moving, rest));
}

static double miss_of(const mechanism *one, const rows *of, const double *p) {
    double s[MOST * 3], v[MOST * 6], impulse = 1e-300, speed = 1e-300, worst = 0;
    int d = one->d;
    move(one, p, v, s);
    for (int k = 0; k < rows_of(one); k++) {
        s[k] += of->compliance[k] * p[k];
        impulse = fmax(impulse, fabs(p[k]));
        speed = fmax(speed, fabs(one->b[k]));
    }
    for (int i = 0; i < one->contacts; i++) {
        double x[5], y[5];
        for (int k = 0; k < d; k++) {
            x[k] = p[i * d + k] / impulse;
            y[k] = s[i * d + k] / speed;
            if (of->kind[i]) worst = fmax(worst, row_miss(one, of, i, k, p, s, impulse, speed));
        }
        if (!of->kind[i]) worst = fmax(worst, contact_miss(one, i, x, y, 0));
    }
    return worst;
}

static bool is_sweeping(const char *name) {
    return strncmp(name, "nsgs", 4) == 0 || strcmp(name, "apgd") == 0 || strcmp(name, "admm") == 0;
}

static void every_solver(int d, bool bearings, int rounds) {
    for (const scree_solver_entry *entry = scree_solver_list(); entry->with_blocks; entry++) {
        int solved = 0, refused = 0;
        double worst = 0;
        seed = 77;
        for (int round = 0; round < rounds; round++) {
            rows of;
            mechanism *one = random_linkage(d, 5, 4, bearings, &of);
            double p[MOST * 3] = { 0 };
            scree_report report;
            scree_error err = { 0 };
            scree_solver_options options = scree_solver_options_default();
            options.name = entry->name;
            options.tolerance = 1e-9;
            options.max_sweeps = 20000;
            scree_status status = scree_solve(&one->problem, &options, p, &report, &err);
            bool takes = entry->joints >= (bearings ? SCREE_JOINTS_BEARINGS : SCREE_JOINTS_LIMITS);
            CHECK(takes ? status == SCREE_OK
                        : status == SCREE_BAD_INPUT && strstr(err.text, "not"));
            refused += status != SCREE_OK;
            if (!status && report.converged) worst = fmax(worst, miss_of(one, &of, p));
            solved += !status && report.converged;
            mechanism_free(one);
        }
        printf("d %d, %s, %s: %d of %d solved, %d refused, law missed by %.2g\n", d,
               bearings ? "bearings" : "limits", entry->name, solved, rounds, refused, worst);
        CHECK(worst <= 1e-6);
        CHECK(refused == rounds || solved >= (is_sweeping(entry->name) ? rounds / 2 : rounds));
    }
}

static void limits(void) {
    every_solver(2, false, 20);
    every_solver(3, false, 20);
}

static void friction_on_reactions(void) {
    every_solver(2, true, 20);
    every_solver(3, true, 20);
}

// -------------------------------------------------------------------------------------------------

// A unit mass at speed 1 along a slider, pressed against it by 3 sin 2t: its reaction brakes by
// mu |3 sin 2t|. v = 1 - mu (3/2) (1 - cos 2t) at t <= pi/2, so that v(1)^2/2 = 0.0657879.
static void rails(void) {
    const int row[] = { 0, 2, 4 }, column[] = { 0, 1, 0, 1 }, diagonal[] = { 0, 3 };
    const int bearing[] = { -1, 0 };
    const double block[] = { 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0 };
    const double limit[] = { HUGE_VAL, -1, 0, -1 }, mu[] = { 0, 0.3 };
    const unsigned char equality[] = { 1, 1 };
    double last = 0;
    for (int steps = 100; steps <= 400; steps *= 2) {
        double v = 1, h = 1.0 / steps, p[4] = { 0 };
        for (int k = 0; k < steps; k++) {
            double b[4] = { h * 3 * sin(2 * (k + 0.5) * h), 0, v, 0 };
            scree_problem problem = { .contacts = 2,
                                      .dimension = 2,
                                      .row = row,
                                      .column = column,
                                      .diagonal = diagonal,
                                      .block = block,
                                      .b = b,
                                      .mu = mu,
                                      .equality = equality,
                                      .limit = limit,
                                      .bearing = bearing };
            scree_solver_options options = scree_solver_options_default();
            scree_report report;
            scree_error err = { 0 };
            CHECK(scree_solve(&problem, &options, p, &report, &err) == SCREE_OK);
            CHECK(report.converged);
            v += p[2];
        }
        double miss = fabs(v * v / 2 - 0.0657879);
        printf("%d steps: energy %.7f\n", steps, v * v / 2);
        if (last > 0 && miss > 1e-6) CHECK(miss < last / 3);
        last = miss;
    }
    CHECK(last < 1e-5);
}

// -------------------------------------------------------------------------------------------------

enum { LINKS = 90 };

// A row of unit masses in the plane, each joined to the one before it, soft along it and limited
// across: by bodies, from which W in blocks and the motion are made.
static void soft_chain(void) {
    static int first[LINKS + 1], part[LINKS];
    static double inverse[2 * LINKS], H[LINKS][2][6], v[3 * LINKS], b[2 * LINKS], mu[LINKS];
    static double limit[2 * LINKS], compliance[2 * LINKS], p[2][2 * LINKS], s[2][2 * LINKS];
    static scree_jacobian_block block[2 * LINKS];
    static unsigned char equality[LINKS];
    int blocks = 0;
    seed = 5;
    for (int i = 0; i < LINKS; i++) {
        part[i] = i;
        inverse[2 * i] = inverse[2 * i + 1] = 1;
        for (int k = 0; k < 3; k++) v[3 * i + k] = uniform(-1, 1);
        for (int e = 0; e < 2; e++) {
            const double rows_of_one[6] = { 1, 0, 0, 0, 1, e ? 0.5 : -0.5 };
            for (int k = 0; k < 6; k++) H[i][e][k] = (e ? -1 : 1) * rows_of_one[k];
        }
        first[i] = blocks;
        if (i) block[blocks++] = (scree_jacobian_block){ .part = part[i - 1], .H = H[i][1] };
        block[blocks++] = (scree_jacobian_block){ .part = part[i], .H = H[i][0] };
        equality[i] = 1;
        compliance[2 * i] = i % 3 ? 0 : 0.7;
        limit[2 * i] = HUGE_VAL;
        limit[2 * i + 1] = i % 4 ? 0.2 : HUGE_VAL;
    }
    first[LINKS] = blocks;
    scree_bodies bodies = {
        .rigid = LINKS, .width = 3, .inverse = inverse, .first = first, .block = block, .v_free = v
    };
    scree_problem problem = { .contacts = LINKS,
                              .dimension = 2,
                              .b = b,
                              .mu = mu,
                              .equality = equality,
                              .limit = limit,
                              .compliance = compliance,
                              .bodies = &bodies };
    const char *solver[] = { "contact-newton", "proximal-newton" };
    scree_problem_offset(&problem, b);
    for (int k = 0; k < 2; k++) {
        scree_solver_options options = scree_solver_options_default();
        scree_report report;
        scree_error err = { 0 };
        options.name = solver[k];
        CHECK(scree_solve(&problem, &options, p[k], &report, &err) == SCREE_OK);
        CHECK(report.converged);
        CHECK(scree_residual_max(scree_problem_residual(&problem, p[k], s[k])) < 1e-9);
        CHECK(scree_problem_velocity(&problem, p[k], s[k]));
    }
    scree_error err = { 0 };
    CHECK(scree_problem_assemble(&problem, &err) == SCREE_OK);
    CHECK(scree_residual_max(scree_problem_residual(&problem, p[0], s[1])) < 1e-9);
    for (int k = 0; k < 2 * LINKS; k++) {
        CHECK(fabs(s[0][k] - s[1][k]) < 1e-12);
        CHECK(fabs(p[0][k] - p[1][k]) < 1e-6);
    }
    scree_problem_release(&problem);
}

TEST_FILE(test_joint_rows) {
    TEST(limits);
    TEST(friction_on_reactions);
    TEST(rails);
    TEST(soft_chain);
    return harness_end();
}
