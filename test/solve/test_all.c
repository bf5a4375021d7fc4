// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// test_all.c - are all solutions found, and nothing but solutions?
//
// Known counts (P- and N-matrices, products of small problems, Painlevé's rod, six contacts, a body
// on three points), then random problems against brute_force.h.

#include "solve/brute_force.h"

static const double TOLERANCE = 1e-10;

// -------------------------------------------------------------------------------------------------
// the sets themselves

static scree_solution_set all_of_lcp(const lcp *given) {
    scree_lcp view = view_lcp(given);
    scree_solution_set set;
    scree_error err = { 0 };
    CHECK_INT(scree_lcp_all(&view, TOLERANCE, &set, &err), SCREE_OK);
    check_reported(&set, lcp_error_of, given);
    return set;
}

static scree_solution_set all_of_planar(planar *given) {
    scree_problem view = view_planar(given);
    scree_solution_set set;
    scree_error err = { 0 };
    CHECK_INT(scree_solve_all(&view, TOLERANCE, &set, &err), SCREE_OK);
    check_reported(&set, planar_error_of, given);
    return set;
}

static void check_count(const lcp *given, int count) {
    scree_solution_set set = all_of_lcp(given);
    CHECK_INT(set.solutions, count);
    scree_solution_set_free(&set);
}

// -------------------------------------------------------------------------------------------------
// known counts

static void matrices_of_class_P_have_one_solution(void) {
    for (int trial = 0; trial < 300; trial++) {
        lcp given = { .n = random_int(1, 20) };
        double A[N][N];
        for (int i = 0; i < given.n; i++)
            for (int j = 0; j < given.n; j++) A[i][j] = uniform(-1, 1);
        for (int i = 0; i < given.n; i++) {
            given.q[i] = uniform(-1, 1);
            for (int j = 0; j < given.n; j++) {  // positive definite, not symmetric
                double skew = i == j ? 0.1 : i < j ? A[i][j] : -A[j][i];
                for (int k = 0; k < given.n; k++) skew += A[i][k] * A[j][k];
                given.M[i * given.n + j] = skew;
            }
        }
        check_count(&given, 1);
    }
}

// M with negative principal minors: see the counts by sign of M and q
static void matrices_of_class_N_have_their_counts(void) {
    int kinds[4] = { 0 };
    for (int trial = 0; trial < 400; trial++) {
        lcp given = { .n = 2 };
        double a = uniform(0.5, 2), d = uniform(0.5, 2), more = sqrt(a * d) * uniform(1.1, 2);
        double sign = uniform(0, 1) < 0.5 ? -1 : 1;
        bool positive = uniform(0, 1) < 0.5;
        double M[4] = { -a, sign * more, sign * more * uniform(1, 2), -d };
        memcpy(given.M, M, sizeof M);
        given.q[0] = uniform(0.1, 1);
        given.q[1] = positive ? uniform(0.1, 1) : -uniform(0.1, 1);
        kinds[2 * (sign > 0) + positive]++;
        check_count(&given, sign < 0 ? positive ? 2 : 0 : positive ? 3 : 1);
    }
    for (int k = 0; k < 4; k++) CHECK(kinds[k] > 0);
    lcp one = { 2, { -1, -2, -2, -1 }, { 1, 1 } };
    scree_solution_set set = all_of_lcp(&one);
    CHECK_INT(set.solutions, 2);
    CHECK_NEAR(set.solution[1].vertex[0], 1.0 / 3, 1e-14);
    CHECK_NEAR(set.solution[1].vertex[1], 1.0 / 3, 1e-14);
    CHECK_INT(set.solution[0].pattern[0], SCREE_PATTERN_OPEN);
    CHECK_INT(set.solution[1].pattern[0], SCREE_PATTERN_CLOSED);
    scree_solution_set_free(&set);
}

// small LCPs with known counts beside each other, in random order and units: counts multiply
static void products_have_the_product_of_the_counts(void) {
    for (int trial = 0; trial < 100; trial++) {
        lcp given = { .n = 12 };
        double M[N][N] = { { 0 } }, q[N], scale[N], weight[N];
        int place[N] = { 0 }, count = 1;
        for (int i = 0; i < given.n; i += 2) {
            bool three = uniform(0, 1) < 0.5;
            M[i][i] = M[i + 1][i + 1] = -1;
            M[i][i + 1] = M[i + 1][i] = three ? 2 : -2;
            q[i] = q[i + 1] = 1;
            count *= three ? 3 : 2;
        }
        for (int i = 0; i < given.n; i++) {
            int other = random_int(0, i);
            place[i] = place[other];
            place[other] = i;
            scale[i] = exp(uniform(-7, 7));
            weight[i] = exp(uniform(-7, 7));
        }
        for (int i = 0; i < given.n; i++) {
            given.q[place[i]] = scale[i] * q[i];
            for (int j = 0; j < given.n; j++)
                given.M[place[i] * given.n + place[j]] = scale[i] * M[i][j] * weight[j];
        }
        scree_lcp view = view_lcp(&given);
        scree_solution_set set;
        CHECK_INT(scree_lcp_all(&view, TOLERANCE, &set, NULL), SCREE_OK);
        CHECK_INT(set.solutions, count);
        scree_solution_set_free(&set);
    }
}

// -------------------------------------------------------------------------------------------------
// Painlevé's rod: uniform, sliding so that friction presses the tip in

static void the_sliding_rod_has_none_one_or_two_accelerations(void) {
    int seen[3] = { 0 };
    for (int trial = 0; trial < 2000; trial++) {
        double angle = uniform(0.1, 1.5), mu = uniform(0.5, 3), omega = uniform(0, 10);
        double A = 1 + 3 * cos(angle) * (cos(angle) - mu * sin(angle));
        double B = 0.5 * omega * omega * sin(angle) - 9.81;
        lcp given = { 1, { A }, { B } };
        scree_solution_set set = all_of_lcp(&given);
        int expected = A > 0 ? 1 : B > 0 ? 2 : 0;
        CHECK(A > 0 || mu > 4.0 / 3);
        CHECK_INT(set.solutions, expected);
        CHECK(set.certified_none == (expected == 0));
        seen[expected]++;
        scree_solution_set_free(&set);
    }
    CHECK(seen[0] > 50 && seen[1] > 50 && seen[2] > 50);

    double angle = atan(2);
    lcp paradox = { 1,
                    { 1 + 3 * cos(angle) * (cos(angle) - 1.5 * sin(angle)) },
                    { 0.5 * 36 * sin(angle) - 9.81 } };
    CHECK_NEAR(paradox.M[0], -0.2, 1e-15);
    scree_solution_set set = all_of_lcp(&paradox);
    CHECK_INT(set.solutions, 2);
    CHECK_NEAR(set.solution[1].vertex[0], 31.448447, 1e-6);
    scree_solution_set_free(&set);
}

// the same rod as a time step: W is positive definite, so there is a finite impulse
static void the_sliding_rod_has_a_finite_impact(void) {
    int paradoxes = 0;
    for (int trial = 0; trial < 1000; trial++) {
        double angle = uniform(0.1, 1.5), c = cos(angle), s = sin(angle);
        planar rod = { .nc = 1,
                       .W = { 1 + 3 * c * c, -3 * s * c, -3 * s * c, 1 + 3 * s * s },
                       .b = { -uniform(0, 0.1), -uniform(0.5, 2) },
                       .mu = { uniform(0.5, 3) } };
        paradoxes += 1 + 3 * c * (c - rod.mu[0] * s) < 0;
        scree_solution_set set = all_of_planar(&rod);
        CHECK(set.solutions >= 1);
        for (int i = 0; i < set.solutions; i++) {
            CHECK_INT(set.solution[i].freedom, 0);
            CHECK(set.solution[i].vertex[0] > 0 && set.solution[i].vertex[0] < 1e3);
        }
        scree_solution_set_free(&set);
    }
    CHECK(paradoxes > 100);
}

// -------------------------------------------------------------------------------------------------
// six contacts, three solutions: the first contact has three (open, stick, slip), whatever the
// others do, and the others, which feel it, have one each time because their friction is small
static planar six_contacts(const double *shuffle) {
    planar out = { .nc = 6 };
    double W[12][12], b[12];
    const double first[2][2] = { { 1, -0.9 }, { -0.9, 1 } };
    for (int r = 0; r < 12; r++)
        for (int c = 0; c < 12; c++) W[r][c] = r < 2 ? 0 : r == c ? 3 : uniform(-0.3, 0.3);
    for (int r = 2; r < 12; r++) {
        b[r] = uniform(-1, 1);
        for (int c = 2; c < r; c++) W[r][c] = W[c][r];
    }
    for (int r = 0; r < 2; r++)
        for (int c = 0; c < 2; c++) W[r][c] = first[r][c];
    b[0] = 1;
    b[1] = -2;
    for (int i = 0; i < 6; i++) {  // contact i goes to the place of its random number
        int at = 0;
        for (int j = 0; j < 6; j++) at += shuffle[j] < shuffle[i];
        out.mu[at] = i == 0 ? 2 : uniform(0.05, 0.15);
        for (int k = 0; k < 2; k++) out.b[2 * at + k] = b[2 * i + k];
        for (int j = 0; j < 6; j++) {
            int to = 0;
            for (int k = 0; k < 6; k++) to += shuffle[k] < shuffle[j];
            for (int k = 0; k < 4; k++) block(&out, at, to)[k] = W[2 * i + k / 2][2 * j + k % 2];
        }
    }
    return out;
}

static void six_contacts_have_three_solutions(void) {
    for (int trial = 0; trial < 200; trial++) {
        double shuffle[6];
        int first = 0, statuses[5] = { 0 };
        for (int i = 0; i < 6; i++) shuffle[i] = uniform(0, 1);
        for (int i = 1; i < 6; i++) first += shuffle[i] < shuffle[0];
        planar given = six_contacts(shuffle);
        scree_solution_set set = all_of_planar(&given);
        CHECK_INT(set.solutions, 3);
        for (int i = 0; i < set.solutions; i++) {
            const double *p = set.solution[i].vertex + 2 * first;
            int status = set.solution[i].pattern[first];
            statuses[status]++;
            CHECK_NEAR(p[0],
                       status == SCREE_PATTERN_OPEN    ? 0
                       : status == SCREE_PATTERN_STICK ? 0.8 / 0.19
                                                       : 1.25,
                       1e-12);
            CHECK_NEAR(p[1],
                       status == SCREE_PATTERN_OPEN    ? 0
                       : status == SCREE_PATTERN_STICK ? 1.1 / 0.19
                                                       : 2.5,
                       1e-12);
        }
        CHECK_INT(statuses[SCREE_PATTERN_OPEN], 1);
        CHECK_INT(statuses[SCREE_PATTERN_STICK], 1);
        CHECK_INT(statuses[SCREE_PATTERN_SLIP_PLUS], 1);
        scree_solution_set_free(&set);
    }
}

// -------------------------------------------------------------------------------------------------
// families

static const scree_solution *only_one(const scree_solution_set *set, int freedom, int vertices,
                                      int rays) {
    static scree_solution none;
    CHECK_INT(set->solutions, 1);
    if (set->solutions != 1) return &none;
    CHECK_INT(set->solution[0].freedom, freedom);
    CHECK_INT(set->solution[0].vertices, vertices);
    CHECK_INT(set->solution[0].rays, rays);
    return &set->solution[0];
}

static void families_of_lcps_are_known(void) {
    // z1 + z2 = 1
    lcp segment = { 2, { 1, 1, 1, 1 }, { -1, -1 } };
    scree_solution_set set = all_of_lcp(&segment);
    const scree_solution *one = only_one(&set, 1, 2, 0);
    if (one->vertices == 2) {
        CHECK_NEAR(one->vertex[0] + one->vertex[1], 1, 1e-14);
        CHECK_NEAR(fabs(one->vertex[0] - one->vertex[2]), 1, 1e-14);
        CHECK_INT(one->pattern[0], SCREE_PATTERN_CLOSED);
    }
    scree_solution_set_free(&set);

    // (0, 1) + t (1, 1)
    lcp ray = { 2, { 1, -1, -1, 1 }, { 1, -1 } };
    set = all_of_lcp(&ray);
    one = only_one(&set, 1, 1, 1);
    if (one->rays == 1) {
        CHECK_NEAR(one->vertex[1] - one->vertex[0], 1, 1e-14);
        CHECK_NEAR(one->ray[0], 1, 1e-14);
        CHECK_NEAR(one->ray[1], 1, 1e-14);
    }
    scree_solution_set_free(&set);

    // M = 0: free where q = 0, none where q < 0
    lcp zero = { 20, { 0 }, { 0 } };
    zero.q[3] = zero.q[7] = 1;
    set = all_of_lcp(&zero);
    only_one(&set, 18, 1, 18);
    scree_solution_set_free(&set);
    zero.q[3] = -1;
    set = all_of_lcp(&zero);
    CHECK_INT(set.solutions, 0);
    CHECK(set.certified_none);
    scree_solution_set_free(&set);

    // two rays with a common end, of which neither contains the other: z1 z2 = 0
    lcp corner = { 2, { 0, 1, 1, 0 }, { 0, 0 } };
    set = all_of_lcp(&corner);
    CHECK_INT(set.solutions, 2);
    for (int i = 0; i < set.solutions; i++) {
        CHECK_INT(set.solution[i].freedom, 1);
        CHECK_INT(set.solution[i].rays, 1);
    }
    scree_solution_set_free(&set);
}

// a body of weight 1 on points at x = -1, 0, 1, without friction: p = (a, 1 - 2a, a)
static planar body_on_three_points(double mu) {
    planar out = { .nc = 3 };
    const double x[3] = { -1, 0, 1 };
    for (int i = 0; i < 3; i++) {
        out.mu[i] = mu;
        out.b[2 * i] = -1;
        for (int j = 0; j < 3; j++) {  // lever arms: x along, 0.5 above the ground
            double *W = block(&out, i, j);
            W[0] = 1 + 2 * x[i] * x[j];
            W[1] = 2 * x[i] * 0.5;
            W[2] = 2 * 0.5 * x[j];
            W[3] = 1 + 2 * 0.25;
        }
    }
    return out;
}

static void a_body_on_three_points_has_a_family(void) {
    planar smooth = body_on_three_points(0);
    scree_solution_set set = all_of_planar(&smooth);
    const scree_solution *one = only_one(&set, 1, 2, 0);
    for (int v = 0; v < one->vertices; v++) {
        const double *p = one->vertex + 6 * v;
        CHECK_NEAR(p[0], p[4], 1e-14);
        CHECK_NEAR(p[0] + p[2] + p[4], 1, 1e-14);
        CHECK_NEAR(p[0] * p[2] * p[4], 0, 1e-14);
    }
    scree_solution_set_free(&set);

    // with friction six impulses are left three equations
    planar rough = body_on_three_points(0.3);
    set = all_of_planar(&rough);
    CHECK_INT(set.solutions, 1);
    CHECK_INT(set.solutions ? set.solution[0].freedom : 0, 3);
    for (int i = 0; set.solutions && i < 3; i++)
        CHECK_INT(set.solution[0].pattern[i], SCREE_PATTERN_STICK);
    planar_vertices(&rough);
    check_against_brute_force(&set, planar_error_of, &rough);
    scree_solution_set_free(&set);
}

// many iterative starts must end within what is reported
static void other_solvers_end_in_the_family(void) {
    planar rough = body_on_three_points(0.5);
    rough.b[1] = rough.b[3] = rough.b[5] = 0.2;
    scree_problem problem = view_planar(&rough);
    scree_solution_set set = all_of_planar(&rough);
    scree_solver_options options = scree_solver_options_default();
    options.name = "nsgs";
    for (int trial = 0; trial < 200; trial++) {
        double p[6];
        scree_report report;
        for (int k = 0; k < 6; k++) p[k] = uniform(-1, 1);
        CHECK_INT(scree_solve(&problem, &options, p, &report, NULL), SCREE_OK);
        CHECK(report.converged);
        CHECK(is_reported(&set, p, -1));
    }
    scree_solution_set_free(&set);
}

// -------------------------------------------------------------------------------------------------
// against brute force

static void degenerate_lcps_agree_with_brute_force(void) {
    int families = 0, many = 0, none = 0;
    for (int trial = 0; trial < 3000; trial++) {
        lcp given = { .n = random_int(1, 4) };
        int range = random_int(1, 2);  // small integers: ties and singular blocks everywhere
        for (int k = 0; k < given.n * given.n; k++) given.M[k] = random_int(-range, range);
        for (int k = 0; k < given.n; k++) given.q[k] = random_int(-range, range);
        scree_solution_set set = all_of_lcp(&given);
        lcp_vertices(&given);
        check_against_brute_force(&set, lcp_error_of, &given);
        check_no_repetition(&set);
        CHECK((set.solutions == 0) == (found.count == 0));
        for (int i = 0; i < set.solutions; i++) families += set.solution[i].freedom > 0;
        many += set.solutions > 1;
        none += set.solutions == 0;
        scree_solution_set_free(&set);
    }
    CHECK(families > 300 && many > 300 && none > 300);
}

static void random_contacts_agree_with_brute_force(void) {
    int families = 0, many = 0;
    for (int trial = 0; trial < 600; trial++) {
        planar given = random_planar(random_int(1, 3), random_int(1, 2), trial % 2 ? 0.6 : 5,
                                     trial % 3 ? 0.1 : 0);
        scree_solution_set set = all_of_planar(&given);
        planar_vertices(&given);
        check_against_brute_force(&set, planar_error_of, &given);
        check_no_repetition(&set);
        for (int i = 0; i < set.solutions; i++) families += set.solution[i].freedom > 0;
        many += set.solutions > 1;
        scree_solution_set_free(&set);
    }
    CHECK(families > 20 && many > 20);
}

// -------------------------------------------------------------------------------------------------
// size, limits, other laws

static void ten_contacts_of_few_bodies_are_possible(void) {
    for (int trial = 0; trial < 4; trial++) {
        planar given = random_planar(10, trial < 2 ? 8 : 4, 0.5, 0.1);
        scree_solution_set set = all_of_planar(&given);
        CHECK(set.solutions >= 1);
        scree_solution_set_free(&set);
    }
}

static void limits_are_said(void) {
    static double M[64 * 64], q[64];
    scree_lcp large = { 64, M, q };
    scree_solution_set set;
    scree_error err = { 0 };
    CHECK_INT(scree_lcp_all(&large, TOLERANCE, &set, &err), SCREE_BAD_INPUT);
    CHECK_TEXT(err.text, "all solutions can be found of LCPs up to size 63; this one has 64");
    CHECK(set.owner == NULL);

    // 2^n solutions, each by itself
    lcp many = { .n = 16 };
    for (int i = 0; i < many.n; i++) {
        many.M[i * many.n + i] = -1;
        many.q[i] = 1;
    }
    scree_lcp view = view_lcp(&many);
    CHECK_INT(scree_lcp_all(&view, TOLERANCE, &set, &err), SCREE_BAD_INPUT);
    CHECK_TEXT(err.text, "there are more than 10000 separate solutions");
    many.q[2] = NAN;
    CHECK_INT(scree_lcp_all(&view, TOLERANCE, &set, &err), SCREE_BAD_INPUT);

    planar flat = random_planar(2, 2, 0.5, 0.1);
    scree_problem problem = view_planar(&flat);
    problem.dimension = 3;
    CHECK_INT(scree_solve_all(&problem, TOLERANCE, &set, &err), SCREE_BAD_INPUT);
    CHECK_TEXT(err.text, "all solutions can be found of planar problems; this one has dimension 3");
}

// walls that close in on a body with more speed than it can escape: b_N < 0 on both sides
static void a_squeeze_is_certified(void) {
    planar given = { .nc = 2, .W = { 0 }, .b = { -1, 0.1, -0.5, 0 }, .mu = { 0.3, 0 } };
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++) {
            block(&given, i, j)[0] = i == j ? 2 : -2;
            block(&given, i, j)[3] = i == j ? 2 : 1;
        }
    scree_solution_set set = all_of_planar(&given);
    CHECK_INT(set.solutions, 0);
    CHECK(set.certified_none);
    if (set.certified_none) {
        const double *y = set.certificate;
        double Wy[4] = { 0 }, by = 0;
        for (int r = 0; r < 4; r++) {
            by += given.b[r] * y[r];
            for (int c = 0; c < 4; c++)
                Wy[r] += block(&given, c / 2, r / 2)[2 * (c % 2) + r % 2] * y[c];
        }
        CHECK(by < -0.1);
        for (int i = 0; i < 2; i++) {
            CHECK(y[2 * i] >= 0 && y[2 * i + 1] == 0);
            CHECK(-Wy[2 * i] >= given.mu[i] * fabs(Wy[2 * i + 1]) - 1e-14);
        }
    }
    scree_solution_set_free(&set);
}

// cohesion moves the cone: p_N + c in place of p_N
static void cohesion_and_joints_are_served(void) {
    planar given = { .nc = 1, .W = { 2, 0.5, 0.5, 1 }, .b = { 0.375, 0.05 }, .mu = { 0.5 } };
    double cohesion[1] = { 0.4 };
    scree_problem problem = view_planar(&given);
    problem.cohesion = cohesion;
    scree_solution_set set;
    CHECK_INT(scree_solve_all(&problem, TOLERANCE, &set, NULL), SCREE_OK);
    CHECK_INT(set.solutions, 1);
    if (set.solutions == 1) {  // it sticks, pulled: s = 0
        CHECK_NEAR(set.solution[0].vertex[0], -0.2, 1e-15);
        CHECK_NEAR(set.solution[0].vertex[1], 0.05, 1e-15);
        CHECK_INT(set.solution[0].pattern[0], SCREE_PATTERN_STICK);
    }
    scree_solution_set_free(&set);

    // the same as a joint; and a joint that is there twice shares its impulse along two lines
    unsigned char joint[2] = { 1, 1 };
    problem.cohesion = NULL;
    problem.equality = joint;
    CHECK_INT(scree_solve_all(&problem, TOLERANCE, &set, NULL), SCREE_OK);
    CHECK_INT(set.solutions, 1);
    CHECK_NEAR(set.solutions ? set.solution[0].vertex[0] : 0, -0.2, 1e-15);
    scree_solution_set_free(&set);
    planar twice = { .nc = 2, .b = { 0.375, 0.05, 0.375, 0.05 } };
    for (int k = 0; k < 4; k++) memcpy(block(&twice, k / 2, k % 2), given.W, 4 * sizeof(double));
    problem = view_planar(&twice);
    problem.equality = joint;
    CHECK_INT(scree_solve_all(&problem, TOLERANCE, &set, NULL), SCREE_OK);
    const scree_solution *one = only_one(&set, 2, 1, 4);
    for (int r = 0; r < one->rays; r++) {
        CHECK_NEAR(one->ray[4 * r] + one->ray[4 * r + 2], 0, 1e-14);
        CHECK_NEAR(one->ray[4 * r + 1] + one->ray[4 * r + 3], 0, 1e-14);
    }
    scree_solution_set_free(&set);
}

TEST_FILE(test_all) {
    TEST(matrices_of_class_P_have_one_solution);
    TEST(matrices_of_class_N_have_their_counts);
    TEST(products_have_the_product_of_the_counts);
    TEST(the_sliding_rod_has_none_one_or_two_accelerations);
    TEST(the_sliding_rod_has_a_finite_impact);
    TEST(six_contacts_have_three_solutions);
    TEST(families_of_lcps_are_known);
    TEST(a_body_on_three_points_has_a_family);
    TEST(other_solvers_end_in_the_family);
    TEST(degenerate_lcps_agree_with_brute_force);
    TEST(random_contacts_agree_with_brute_force);
    TEST(ten_contacts_of_few_bodies_are_possible);
    TEST(limits_are_said);
    TEST(a_squeeze_is_certified);
    TEST(cohesion_and_joints_are_served);
    return harness_end();
}
