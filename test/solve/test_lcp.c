// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// test_lcp.c - do Lemke's method and enumeration solve LCPs and planar contact problems, and do
// they say so when there is nothing to find?
//
// The judge recomputes complementarity in long double. Where solutions are unique they are known by
// construction; where they are not, all of them are asked for (test_all.c judges that).

#include <dirent.h>
#include <stdbool.h>
#include <stdlib.h>

#include "harness.h"
#include "random.h"
#include "scree/lcp.h"
#include "scree/problem_file.h"

enum { N = 60, CONTACTS = 40 };

typedef struct lcp {
    int n;
    double M[N * N], q[N];
} lcp;

static scree_lcp view(const lcp *given) { return (scree_lcp){ given->n, given->M, given->q }; }

// -------------------------------------------------------------------------------------------------
// the judge

static double error_of(const scree_lcp *given, const double *z) {
    int n = given->size;
    double worst = 0;
    for (int i = 0; i < n; i++) {
        long double w = given->q[i], size = 1 + fabs(given->q[i]);
        for (int j = 0; j < n; j++) {
            w += (long double)given->M[i * n + j] * z[j];
            size += fabs(given->M[i * n + j] * z[j]);
        }
        worst = fmax(worst, fabs((double)(fminl(z[i], w) / size)));
    }
    return worst;
}

/// z >= 0, M^T z <= 0 and q.z < 0?
static void check_proof(const scree_lcp *given, const double *z) {
    int n = given->size;
    double qz = 0;
    for (int i = 0; i < n; i++) {
        double sum = 0, size = 1;
        for (int j = 0; j < n; j++) {
            sum += given->M[j * n + i] * z[j];
            size += fabs(given->M[j * n + i]);
        }
        CHECK(z[i] >= 0);
        CHECK(sum <= 1e-10 * size);
        qz += given->q[i] * z[i];
    }
    CHECK(qz < 0);
}

static scree_report solve(const scree_lcp *given, const char *name, double *z) {
    scree_solver_options options = scree_solver_options_default();
    scree_report report;
    scree_error err = { 0 };
    options.name = name;
    CHECK_INT(scree_lcp_solve(given, &options, z, &report, &err), SCREE_OK);
    CHECK(report.converged == (report.reason == SCREE_STOP_SOLVED));
    if (report.converged) CHECK_NEAR(error_of(given, z), 0, 1e-9);
    if (report.reason == SCREE_STOP_INFEASIBLE) check_proof(given, z);
    return report;
}

// -------------------------------------------------------------------------------------------------
// random LCPs

/// A A^T of rank at most n, plus a skew part: monotone, and copositive-plus, so that Lemke's path
/// ends in a solution or in a proof that there is none.
static void fill_monotone(lcp *given, int rank, double skew, double diagonal) {
    int n = given->n;
    static double A[N][N], S[N][N];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            A[i][j] = uniform(-1, 1);
            S[i][j] = skew * uniform(-1, 1);
        }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double sum = i == j ? diagonal : i < j ? S[i][j] : -S[j][i];
            for (int k = 0; k < rank; k++) sum += A[i][k] * A[j][k];
            given->M[i * n + j] = sum;
        }
}

/// q = w - M z with complementary z and w.
static void fill_q(lcp *given, double *z, double ties) {
    int n = given->n;
    double w[N];
    for (int i = 0; i < n; i++) {
        bool open = uniform(0, 1) < 0.5, tie = uniform(0, 1) < ties;
        z[i] = open || tie ? 0 : exp(uniform(-3, 1));
        w[i] = open && !tie ? exp(uniform(-3, 1)) : 0;
    }
    for (int i = 0; i < n; i++) {
        given->q[i] = w[i];
        for (int j = 0; j < n; j++) given->q[i] -= given->M[i * n + j] * z[j];
    }
}

static void known_solutions_are_found(void) {
    for (int trial = 0; trial < 400; trial++) {
        lcp given = { .n = random_int(1, trial % 10 ? 20 : N) };
        double known[N], z[N];
        fill_monotone(&given, given.n, 1, 0.2);  // positive definite: one solution
        fill_q(&given, known, trial % 3 ? 0 : 0.3);
        scree_lcp problem = view(&given);
        const char *name = trial % 2 ? "lemke" : "auto";
        if (given.n <= 20 && trial % 4 == 0) name = "enumerate";
        scree_report report = solve(&problem, name, z);
        CHECK(report.converged);
        for (int i = 0; i < given.n; i++) CHECK_NEAR(z[i], known[i], 1e-8);
    }
}

// Murty's examples, on which complementary pivoting takes many steps: ones on the diagonal, twos on
// one side of it, q = -1; the only solution has one component
static void triangles_of_twos_are_solved(void) {
    for (int n = 1; n <= 14; n++)
        for (int upper = 0; upper < 2; upper++) {
            lcp given = { .n = n };
            double z[N];
            for (int i = 0; i < n; i++) {
                given.q[i] = -1;
                for (int j = 0; j < n; j++)
                    given.M[i * n + j] = i == j ? 1 : (j > i) == (upper == 1) ? 2 : 0;
            }
            scree_lcp problem = view(&given);
            CHECK(solve(&problem, "lemke", z).converged);
            for (int i = 0; i < n; i++) CHECK_NEAR(z[i], i == (upper ? n - 1 : 0) ? 1 : 0, 1e-12);
            CHECK(solve(&problem, "enumerate", z).converged);
        }
}

// units must not matter: rows and columns in units up to 1e6 apart
static void units_do_not_matter(void) {
    for (int trial = 0; trial < 200; trial++) {
        lcp given = { .n = random_int(2, 15) };
        double known[N], z[N], scale[N];
        fill_monotone(&given, given.n, 0.5, 0.2);
        fill_q(&given, known, 0);
        for (int i = 0; i < given.n; i++) scale[i] = exp(uniform(-7, 7));
        for (int i = 0; i < given.n; i++) {
            given.q[i] *= scale[i];
            for (int j = 0; j < given.n; j++) given.M[i * given.n + j] *= scale[i] * scale[j];
        }
        scree_lcp problem = view(&given);
        scree_solver_options options = scree_solver_options_default();
        scree_report report;
        options.criterion = SCREE_CRITERION_SCALED;
        CHECK_INT(scree_lcp_solve(&problem, &options, z, &report, NULL), SCREE_OK);
        CHECK(report.converged);
        for (int i = 0; i < given.n; i++) CHECK_NEAR(z[i] * scale[i], known[i], 1e-7);
    }
}

static int count_all(const scree_lcp *given) {
    scree_solution_set set;
    scree_error err = { 0 };
    CHECK_INT(scree_lcp_all(given, 1e-10, &set, &err), SCREE_OK);
    int count = set.solutions;
    scree_solution_set_free(&set);
    return count;
}

// what enumeration says there is, Lemke finds when M is monotone, and never otherwise more
static void lemke_agrees_with_enumeration(void) {
    int solved = 0, none = 0, missed = 0;
    for (int trial = 0; trial < 4000; trial++) {
        lcp given = { .n = random_int(1, 7) };
        bool monotone = trial % 2, integers = trial % 3 == 0;
        double z[N];
        if (monotone)
            fill_monotone(&given, random_int(0, given.n), random_int(0, 1), 0);
        else
            for (int k = 0; k < given.n * given.n; k++) given.M[k] = uniform(-1, 1);
        for (int k = 0; k < given.n; k++) given.q[k] = uniform(-1, 1);
        for (int k = 0; integers && k < given.n; k++) given.q[k] = random_int(-1, 1);
        if (integers && !monotone)
            for (int k = 0; k < given.n * given.n; k++) given.M[k] = random_int(-2, 2);
        scree_lcp problem = view(&given);
        int count = count_all(&problem);
        bool lemke = solve(&problem, "lemke", z).converged;
        bool any = solve(&problem, "auto", z).converged;
        CHECK(any == (count > 0));
        if (monotone) CHECK(lemke == (count > 0));
        if (count == 0) CHECK(!lemke);
        solved += lemke;
        none += count == 0;
        missed += count > 0 && !lemke;
    }
    CHECK(solved > 1000 && none > 500 && missed > 0);
}

// y >= 0, M^T y <= 0, q.y < 0 by construction
static void proofs_are_given(void) {
    for (int trial = 0; trial < 300; trial++) {
        lcp given = { .n = random_int(1, trial % 10 ? 12 : N) };
        int n = given.n;
        double y[N], z[N], square = 0, qy = 0;
        for (int i = 0; i < n; i++) {
            y[i] = uniform(0, 1) < 0.3 ? 0 : uniform(0.1, 1);
            given.q[i] = uniform(-1, 1);
            square += y[i] * y[i];
        }
        if (square == 0) square = y[0] = 1;
        for (int j = 0; j < n;
             j++) {  // push each column until it does not see y, or goes against it
            double sum = 0;
            for (int i = 0; i < n; i++) sum += (given.M[i * n + j] = uniform(-1, 1)) * y[i];
            if (uniform(0, 1) < 0.5) sum += uniform(0, 1);
            for (int i = 0; i < n; i++) {
                double *entry = &given.M[i * n + j];
                *entry -= sum * y[i] / square;
                if (fabs(*entry) < 1e-12)
                    *entry = 0;  // else z may be as large as rounding is small
            }
        }
        for (int i = 0; i < n; i++) qy += given.q[i] * y[i];
        for (int i = 0; i < n; i++) given.q[i] -= (qy + 0.1) * y[i] / square;
        scree_lcp problem = view(&given);
        CHECK_INT(solve(&problem, trial % 2 ? "auto" : "lemke", z).reason, SCREE_STOP_INFEASIBLE);
    }
}

// -------------------------------------------------------------------------------------------------
// smallest, limits, bad input

static void small_ones_are_right(void) {
    static const struct {
        double M, q, z;
        scree_stop_reason reason;
    } rows[] = {
        { 2, -3, 1.5, SCREE_STOP_SOLVED },   { 2, 3, 0, SCREE_STOP_SOLVED },
        { 0, 0, 0, SCREE_STOP_SOLVED },      { 0, 1, 0, SCREE_STOP_SOLVED },
        { 0, -1, 1, SCREE_STOP_INFEASIBLE }, { -1, -1, 1, SCREE_STOP_INFEASIBLE },
        { -1, 1, 0, SCREE_STOP_SOLVED },
    };
    static const char *names[] = { "auto", "lemke", "enumerate" };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
        for (size_t s = 0; s < 3; s++) {
            double z;
            scree_lcp problem = { 1, &rows[k].M, &rows[k].q };
            CHECK_INT(solve(&problem, names[s], &z).reason, rows[k].reason);
            bool two = rows[k].M < 0 && rows[k].q > 0 && z > 0;  // then 1 is a solution as well
            CHECK_NEAR(z, two ? 1 : rows[k].z, 1e-15);
        }
    scree_lcp empty = { 0, NULL, NULL };
    double none[1];
    for (size_t s = 0; s < 3; s++) CHECK(solve(&empty, names[s], none).converged);
}

static void bad_input_is_refused(void) {
    static double M[64 * 64], q[64], z[64];
    scree_solver_options options = scree_solver_options_default();
    scree_report report;
    scree_error err = { 0 };
    scree_lcp large = { 2401, M, q };
    CHECK_INT(scree_lcp_solve(&large, &options, z, &report, &err), SCREE_BAD_INPUT);
    CHECK_TEXT(err.text, "auto solves LCPs up to size 2400; this one has 2401");
    large.size = 64;
    options.name = "enumerate";
    CHECK_INT(scree_lcp_solve(&large, &options, z, &report, &err), SCREE_BAD_INPUT);
    CHECK_TEXT(err.text, "enumerate solves LCPs up to size 63; this one has 64");
    options.name = "nsgs";
    CHECK_INT(scree_lcp_solve(&large, &options, z, &report, &err), SCREE_BAD_INPUT);
    CHECK_TEXT(err.text, "\"nsgs\" does not solve LCPs; auto, lemke and enumerate do");
    options.name = "auto";
    q[3] = NAN;
    CHECK_INT(scree_lcp_solve(&large, &options, z, &report, &err), SCREE_OK);
    CHECK_INT(report.reason, SCREE_STOP_BROKEN);
    CHECK(!report.converged);
}

static void limits_are_kept(void) {
    lcp given = { .n = N };
    double known[N], z[N];
    fill_monotone(&given, N, 1, 0.2);
    fill_q(&given, known, 0);
    scree_lcp problem = view(&given);
    scree_solver_options options = scree_solver_options_default();
    scree_report report;
    options.name = "lemke";
    options.max_sweeps = 3;
    CHECK_INT(scree_lcp_solve(&problem, &options, z, &report, NULL), SCREE_OK);
    CHECK_INT(report.reason, SCREE_STOP_LIMIT);
    CHECK_INT(report.iterations, 3);
    CHECK(report.residual.natural > 1e-6);
    options.max_sweeps = 10000;
    options.max_seconds = 1e-9;
    CHECK_INT(scree_lcp_solve(&problem, &options, z, &report, NULL), SCREE_OK);
    CHECK_INT(report.reason, SCREE_STOP_TIME);
}

// -------------------------------------------------------------------------------------------------
// planar contact problems

typedef struct planar {
    int nc;
    double W[4 * CONTACTS * CONTACTS], b[2 * CONTACTS], mu[CONTACTS];
    int row[CONTACTS + 1], column[CONTACTS * CONTACTS], diagonal[CONTACTS];
} planar;

static planar scene;  // too large for the stack of some systems

static scree_problem contact_problem(void) {
    int nc = scene.nc;
    for (int i = 0; i < nc; i++) {
        scene.row[i + 1] = (i + 1) * nc;
        scene.diagonal[i] = i * nc + i;
        for (int j = 0; j < nc; j++) scene.column[i * nc + j] = j;
    }
    return (scree_problem){ .contacts = nc,
                            .dimension = 2,
                            .row = scene.row,
                            .column = scene.column,
                            .diagonal = scene.diagonal,
                            .block = scene.W,
                            .b = scene.b,
                            .mu = scene.mu };
}

/// Contacts of planar bodies of unit size and mass; b = H v, so that rest solves the problem of the
/// velocities and a solution exists.
static void fill_scene(int nc, int bodies, double mu) {
    static double H[2 * CONTACTS][3 * CONTACTS];
    double v[3 * CONTACTS];
    memset(&scene, 0, sizeof scene);
    memset(H, 0, sizeof H);
    scene.nc = nc;
    for (int k = 0; k < 3 * bodies; k++) v[k] = uniform(-1, 1);
    for (int i = 0; i < nc; i++) {
        int body[2] = { i % bodies, random_int(-1, bodies - 1) };
        double angle = uniform(0, 6.28), n[2] = { cos(angle), sin(angle) };
        scene.mu[i] = uniform(0, 1) < 0.2 ? 0 : uniform(0.01, mu);
        for (int side = 0; side < 2; side++) {
            double sign = side ? -1 : 1, x = uniform(-1, 1), y = uniform(-1, 1);
            if (body[side] < 0 || (side && body[1] == body[0])) continue;
            double *normal = &H[2 * i][3 * body[side]], *tangent = &H[2 * i + 1][3 * body[side]];
            normal[0] = sign * n[0];
            normal[1] = sign * n[1];
            normal[2] = sign * 2 * (x * n[1] - y * n[0]);
            tangent[0] = -sign * n[1];
            tangent[1] = sign * n[0];
            tangent[2] = sign * 2 * (x * n[0] + y * n[1]);
        }
    }
    for (int r = 0; r < 2 * nc; r++)
        for (int k = 0; k < 3 * bodies; k++) {
            scene.b[r] += H[r][k] * v[k];
            for (int c = 0; c < 2 * nc; c++)
                scene.W[4 * ((r / 2) * nc + c / 2) + 2 * (r % 2) + c % 2] += H[r][k] * H[c][k];
        }
}

/// Coulomb's law by its cases, in long double.
static double law_error(const double *p) {
    int nc = scene.nc;
    double worst = 0, size = 1;
    for (int k = 0; k < 2 * nc; k++) size = fmax(size, fabs(p[k]));
    for (int i = 0; i < nc; i++) {
        long double s[2] = { scene.b[2 * i], scene.b[2 * i + 1] }, pn = p[2 * i], pt = p[2 * i + 1];
        long double limit = scene.mu[i] * pn;
        for (int k = 0; k < 2; k++)
            for (int c = 0; c < 2 * nc; c++)
                s[k] += (long double)scene.W[4 * (i * nc + c / 2) + 2 * k + c % 2] * p[c];
        long double cone = fmaxl(-pn, fabsl(pt) - limit);
        long double open = fmaxl(fabsl(pn) + fabsl(pt), -s[0]);
        long double stick = fmaxl(fabsl(s[0]), fabsl(s[1]));
        long double plus = fmaxl(fabsl(s[0]), fmaxl(fabsl(pt - limit), s[1]));
        long double minus = fmaxl(fabsl(s[0]), fmaxl(fabsl(pt + limit), -s[1]));
        long double best = fminl(fminl(open, stick), fminl(plus, minus));
        worst = fmax(worst, (double)fmaxl(cone, best) / size);
    }
    return worst;
}

static scree_report solve_scene(const char *name, double *p) {
    scree_problem problem = contact_problem();
    scree_solver_options options = scree_solver_options_default();
    scree_report report;
    options.name = name;
    memset(p, 0, 2 * (size_t)scene.nc * sizeof *p);
    CHECK_INT(scree_solve(&problem, &options, p, &report, NULL), SCREE_OK);
    CHECK(report.converged == (report.reason == SCREE_STOP_SOLVED));
    if (report.converged) CHECK_NEAR(law_error(p), 0, 1e-8);
    return report;
}

static void contacts_are_solved(void) {
    int missed = 0, trials = 600;
    for (int trial = 0; trial < trials; trial++) {
        double p[2 * CONTACTS];
        int nc = random_int(1, trial % 10 ? 12 : CONTACTS);
        fill_scene(nc, random_int(1, nc), trial % 3 ? 0.8 : 3);
        missed += !solve_scene("lemke", p).converged;
    }
    CHECK_INT(missed, 0);
}

static void small_contact_problems_are_enumerated(void) {
    for (int trial = 0; trial < 400; trial++) {
        double p[2 * CONTACTS];
        int nc = random_int(1, 10);
        fill_scene(nc, random_int(1, nc), trial % 3 ? 0.8 : 3);
        CHECK(solve_scene("enumerate", p).converged);
    }
}

// two walls that close in faster than they let the body go: W d = 0, b.d < 0 with d along the
// normals
static void a_squeeze_has_a_proof(void) {
    static const char *names[] = { "lemke", "enumerate" };
    for (size_t k = 0; k < 2; k++) {
        double p[2 * CONTACTS];
        memset(&scene, 0, sizeof scene);
        scene.nc = 2;
        for (int i = 0; i < 4; i++) {
            double *W = scene.W + 4 * i;
            W[0] = i == 0 || i == 3 ? 1 : -1;
            W[3] = i == 0 || i == 3 ? 3 : -1;
        }
        scene.b[0] = -1;
        scene.b[1] = 0.3;
        scene.b[2] = 0.5;
        scene.mu[0] = scene.mu[1] = 0.4;
        CHECK_INT(solve_scene(names[k], p).reason, SCREE_STOP_INFEASIBLE);
        CHECK_NEAR(p[0], sqrt(0.5), 1e-12);
        CHECK_NEAR(p[2], sqrt(0.5), 1e-12);
        CHECK_NEAR(fabs(p[1]) + fabs(p[3]), 0, 0);
        scene.b[2] = 1.5;  // and slower: solved
        CHECK(solve_scene(names[k], p).converged);
    }
}

static void what_lemke_cannot_do_is_said(void) {
    double p[2 * CONTACTS] = { 0 };
    fill_scene(3, 2, 0.5);
    scree_problem problem = contact_problem();
    scree_solver_options options = scree_solver_options_default();
    scree_report report;
    scree_error err = { 0 };
    unsigned char joint[3] = { 0, 1, 0 };
    problem.equality = joint;
    options.name = "lemke";
    CHECK_INT(scree_solve(&problem, &options, p, &report, &err), SCREE_BAD_INPUT);
    CHECK_TEXT(err.text, "lemke cannot solve problems with joints (contact 1)");
    options.name = "enumerate";
    CHECK_INT(scree_solve(&problem, &options, p, &report, &err), SCREE_OK);
    CHECK(report.converged);
}

// -------------------------------------------------------------------------------------------------
// files of the field

static void check_file(const char *path) {
    static double z[2400];
    scree_problem_file file;
    scree_error err = { 0 };
    CHECK_INT(scree_problem_read(path, &file, &err), SCREE_OK);
    if (err.status != SCREE_OK) {
        printf("%s\n", err.text);
        return;
    }
    CHECK(file.is_lcp);
    scree_report report = solve(&file.lcp, "auto", z);
    printf("%s: size %d, %s, %s after %d\n", path, file.lcp.size, report.solver,
           scree_stop_reason_text(report.reason), report.iterations);
    CHECK(report.converged);
    CHECK_NEAR(scree_lcp_residual(&file.lcp, z).natural, report.residual.natural, 0);
    scree_problem_file_free(&file);
}

static void files_are_solved(void) {
    const char *root = getenv("SCREE_PROBLEMS");
    char path[1024];
    if (!root) {
        printf("SKIPPED files_are_solved: SCREE_PROBLEMS is not set\n");
        return;
    }
    snprintf(path, sizeof path, "%s/lcp", root);
    DIR *folder = opendir(path);
    CHECK(folder != NULL);
    if (!folder) return;
    int files = 0;
    for (struct dirent *entry; (entry = readdir(folder));) {
        if (!strstr(entry->d_name, ".dat")) continue;
        snprintf(path, sizeof path, "%s/lcp/%s", root, entry->d_name);
        check_file(path);
        files++;
    }
    closedir(folder);
    CHECK(files > 0);
}

TEST_FILE(test_lcp) {
    TEST(small_ones_are_right);
    TEST(known_solutions_are_found);
    TEST(triangles_of_twos_are_solved);
    TEST(units_do_not_matter);
    TEST(lemke_agrees_with_enumeration);
    TEST(proofs_are_given);
    TEST(bad_input_is_refused);
    TEST(limits_are_kept);
    TEST(contacts_are_solved);
    TEST(small_contact_problems_are_enumerated);
    TEST(a_squeeze_has_a_proof);
    TEST(what_lemke_cannot_do_is_said);
    TEST(files_are_solved);
    return harness_end();
}
