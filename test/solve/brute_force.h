// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// brute_force.h - a judge of sets of solutions that shares no code with the search for them.
//
// It finds the vertices of the solution set by brute force: each square choice of the equations
// that statuses can demand, solved by elimination. Each of them, and mixtures of two that solve,
// must lie in what is reported; and every vertex, ray and mixture that is reported must solve the
// problem.

#ifndef SCREE_TEST_BRUTE_FORCE_H
#define SCREE_TEST_BRUTE_FORCE_H

#include <stdbool.h>
#include <stdlib.h>

#include "harness.h"
#include "random.h"
#include "scree/lcp.h"

enum { N = 20, CONTACTS = 10, LIST = 20000 };

// -------------------------------------------------------------------------------------------------
// problems

typedef struct lcp {
    int n;
    double M[N * N], q[N];
} lcp;

typedef struct planar {  // a contact problem with a full W
    int nc;
    double W[4 * CONTACTS * CONTACTS], b[2 * CONTACTS], mu[CONTACTS];
    int row[CONTACTS + 1], column[CONTACTS * CONTACTS], diagonal[CONTACTS];
} planar;

static scree_lcp view_lcp(const lcp *given) { return (scree_lcp){ given->n, given->M, given->q }; }

static double *block(planar *given, int i, int j) {
    return given->W + 4 * (size_t)(i * given->nc + j);
}

static scree_problem view_planar(planar *given) {
    int nc = given->nc;
    for (int i = 0; i < nc; i++) {
        given->row[i + 1] = (i + 1) * nc;
        given->diagonal[i] = i * nc + i;
        for (int j = 0; j < nc; j++) given->column[i * nc + j] = j;
    }
    return (scree_problem){ .contacts = nc,
                            .dimension = 2,
                            .row = given->row,
                            .column = given->column,
                            .diagonal = given->diagonal,
                            .block = given->W,
                            .b = given->b,
                            .mu = given->mu };
}

/// W = H D H^T of contacts on bodies with three degrees of freedom; b = H v, and with walls that
/// move -w.
static planar random_planar(int nc, int bodies, double mu, double walls) {
    planar out = { .nc = nc };
    double H[2 * CONTACTS][3 * CONTACTS] = { { 0 } }, D[3 * CONTACTS], v[3 * CONTACTS];
    for (int k = 0; k < 3 * bodies; k++) {
        D[k] = exp(uniform(-1, 1));
        v[k] = uniform(-1, 1);
    }
    for (int i = 0; i < nc; i++) {
        int one = random_int(0, bodies - 1), two = random_int(-1, bodies - 1);
        for (int k = 0; k < 3; k++) {
            H[2 * i][3 * one + k] = uniform(-1, 1);
            H[2 * i + 1][3 * one + k] = uniform(-1, 1);
            if (two >= 0 && two != one) H[2 * i][3 * two + k] = uniform(-1, 1);
        }
        out.mu[i] = uniform(0, 1) < 0.2 ? 0 : uniform(0, mu);
        out.b[2 * i] = -walls * uniform(0, 1);
    }
    for (int r = 0; r < 2 * nc; r++)
        for (int k = 0; k < 3 * bodies; k++) {
            out.b[r] += H[r][k] * v[k];
            for (int c = 0; c < 2 * nc; c++)
                block(&out, r / 2, c / 2)[2 * (r % 2) + c % 2] += H[r][k] * D[k] * H[c][k];
        }
    return out;
}

// -------------------------------------------------------------------------------------------------
// the judge: how far a point is from solving, relative to the sizes in each row

static double lcp_error(const lcp *given, const double *z) {
    double worst = 0;
    for (int i = 0; i < given->n; i++) {
        long double w = given->q[i], size = 1 + fabs(given->q[i]);
        for (int j = 0; j < given->n; j++) {
            w += (long double)given->M[i * given->n + j] * z[j];
            size += fabs(given->M[i * given->n + j] * z[j]) + fabs(z[j]);
        }
        worst = fmax(worst, fabs((double)(fminl(z[i], w) / size)));
    }
    return worst;
}

static void velocity(const planar *given, const double *p, double *s) {
    int nc = given->nc;
    for (int r = 0; r < 2 * nc; r++) {
        s[r] = given->b[r];
        for (int c = 0; c < 2 * nc; c++)
            s[r] += given->W[4 * ((r / 2) * nc + c / 2) + 2 * (r % 2) + c % 2] * p[c];
    }
}

// Coulomb's law of one contact, by its cases
static double contact_error(const double *p, const double *s, double mu) {
    double cone = fmax(0, fmax(-p[0], fabs(p[1]) - mu * p[0]));
    double open = fmax(fabs(p[0]) + fabs(p[1]), fmax(0, -s[0]));
    double stick = fmax(fabs(s[0]), fabs(s[1]));
    double plus = fmax(fabs(s[0]), fmax(fabs(p[1] - mu * p[0]), fmax(0, s[1])));
    double minus = fmax(fabs(s[0]), fmax(fabs(p[1] + mu * p[0]), fmax(0, -s[1])));
    return fmax(cone, fmin(fmin(open, stick), fmin(plus, minus)));
}

static double planar_error(const planar *given, const double *p) {
    double s[2 * CONTACTS], worst = 0, size = 1;
    velocity(given, p, s);
    for (int k = 0; k < 2 * given->nc; k++) size = fmax(size, fabs(p[k]));
    for (int i = 0; i < given->nc; i++)
        worst = fmax(worst, contact_error(p + 2 * i, s + 2 * i, given->mu[i]) / size);
    return worst;
}

typedef double error_function(const void *given, const double *x);
static double lcp_error_of(const void *given, const double *x) { return lcp_error(given, x); }
static double planar_error_of(const void *given, const double *x) { return planar_error(given, x); }

// weights that are positive and add up to 1
static void random_weights(double *weight, int count) {
    double sum = 0;
    for (int i = 0; i < count; i++) sum += weight[i] = -log(uniform(1e-12, 1));
    for (int i = 0; i < count; i++) weight[i] /= sum;
}

static void mix(const scree_solution *solution, int n, double *x) {
    double *weight = calloc((size_t)solution->vertices, sizeof *weight);
    random_weights(weight, solution->vertices);
    for (int k = 0; k < n; k++) x[k] = 0;
    for (int i = 0; i < solution->vertices; i++)
        for (int k = 0; k < n; k++) x[k] += weight[i] * solution->vertex[i * n + k];
    for (int i = 0; i < solution->rays; i++) {
        double along = uniform(0, 3);
        for (int k = 0; k < n; k++) x[k] += along * solution->ray[i * n + k];
    }
    free(weight);
}

/// Everything reported solves: vertices, vertices with rays, mixtures.
static void check_reported(const scree_solution_set *set, error_function *error,
                           const void *given) {
    double x[N];
    for (int i = 0; i < set->solutions; i++) {
        const scree_solution *solution = &set->solution[i];
        CHECK((solution->freedom == 0) == (solution->vertices + solution->rays == 1));
        for (int v = 0; v < solution->vertices; v++)
            CHECK_NEAR(error(given, solution->vertex + v * set->size), 0, 1e-8);
        for (int trial = 0; trial < 10 && solution->freedom > 0; trial++) {
            mix(solution, set->size, x);
            CHECK_NEAR(error(given, x), 0, 1e-8);
        }
    }
}

// -------------------------------------------------------------------------------------------------
// linear systems

/// Gauss elimination with full pivoting; false when a pivot is not above smallest.
static bool solve(int n, double A[N][N + 1], double *x, double smallest) {
    int column[N];
    for (int j = 0; j < n; j++) column[j] = j;
    for (int k = 0; k < n; k++) {
        int row = k, col = k;
        for (int i = k; i < n; i++)
            for (int j = k; j < n; j++)
                if (fabs(A[i][column[j]]) > fabs(A[row][column[col]])) row = i, col = j;
        if (!(fabs(A[row][column[col]]) > smallest)) return false;
        int swap = column[k];
        column[k] = column[col];
        column[col] = swap;
        for (int j = 0; j <= n && row != k; j++) {
            double keep = A[k][j];
            A[k][j] = A[row][j];
            A[row][j] = keep;
        }
        for (int i = k + 1; i < n; i++) {
            double factor = A[i][column[k]] / A[k][column[k]];
            for (int j = k; j < n; j++) A[i][column[j]] -= factor * A[k][column[j]];
            A[i][n] -= factor * A[k][n];
        }
    }
    for (int k = n - 1; k >= 0; k--) {
        double sum = A[k][n];
        for (int j = k + 1; j < n; j++) sum -= A[k][column[j]] * x[column[j]];
        x[column[k]] = sum / A[k][column[k]];
    }
    return true;
}

// -------------------------------------------------------------------------------------------------
// is a point in what is reported? Nonnegative least squares with an active set (Lawson and Hanson)
// on the weights of the vertices, which add up to 1 (an extra row), and of the rays.

typedef struct weights {
    int rows, count;
    double (*column)[N + 1];  // (count)
    double *value;            // (count)
    bool *active;             // may be positive
    double rest[N + 1];       // what the weights do not explain
} weights;

static double along(const weights *w, int i, const double *x) {
    double sum = 0;
    for (int k = 0; k < w->rows; k++) sum += w->column[i][k] * x[k];
    return sum;
}

static void update_rest(weights *w, const double *x) {
    memcpy(w->rest, x, sizeof w->rest);
    for (int i = 0; i < w->count; i++)
        for (int k = 0; k < w->rows; k++) w->rest[k] -= w->value[i] * w->column[i][k];
}

/// Move the active weights to their least squares solution, or up to where the first is zero, which
/// is then not active any more. False if it got all the way.
static bool move_weights(weights *w, const double *x) {
    double A[N][N + 1], to[N];
    int index[N], n = 0, first = -1;
    for (int i = 0; i < w->count && n < N; i++)
        if (w->active[i]) index[n++] = i;
    for (int r = 0; r < n; r++) {
        for (int c = 0; c < n; c++) A[r][c] = along(w, index[r], w->column[index[c]]);
        A[r][n] = along(w, index[r], x);
        A[r][r] *= 1 + 1e-13;
    }
    if (!solve(n, A, to, 0)) return false;
    double part = 1;
    for (int r = 0; r < n; r++) {
        double here = w->value[index[r]];
        if (to[r] > 0 || here / (here - to[r]) > part) continue;
        part = here / (here - to[r]);
        first = index[r];
    }
    for (int r = 0; r < n; r++) w->value[index[r]] += part * (to[r] - w->value[index[r]]);
    if (first >= 0) {
        w->value[first] = 0;
        w->active[first] = false;
    }
    return first >= 0;
}

static double distance(const scree_solution *solution, int n, const double *given) {
    int count = solution->vertices + solution->rays;
    double x[N + 1] = { 0 }, size = 1, miss = 0;
    weights w = { .rows = n + 1,
                  .count = count,
                  .column = calloc((size_t)count, sizeof *w.column),
                  .value = calloc((size_t)count, sizeof *w.value),
                  .active = calloc((size_t)count, sizeof *w.active) };
    for (int k = 0; k < n; k++) size = fmax(size, fabs(x[k] = given[k]));
    x[n] = size;
    for (int i = 0; i < count; i++) {
        bool ray = i >= solution->vertices;
        memcpy(w.column[i],
               ray ? solution->ray + (i - solution->vertices) * n : solution->vertex + i * n,
               (size_t)n * sizeof *x);
        w.column[i][n] = ray ? 0 : size;
    }
    for (int round = 0; round < 10 * count; round++) {
        update_rest(&w, x);
        int best = -1;
        double most = 1e-9 * size;
        for (int i = 0; i < count; i++) {
            double gain = along(&w, i, w.rest) / sqrt(along(&w, i, w.column[i]));
            if (w.active[i] || gain <= most) continue;
            most = gain;
            best = i;
        }
        if (best < 0) break;
        w.active[best] = true;
        while (move_weights(&w, x)) continue;
    }
    for (int k = 0; k <= n; k++) miss = fmax(miss, fabs(w.rest[k]) / size);
    free(w.column);
    free(w.value);
    free(w.active);
    return miss;
}

static bool is_reported(const scree_solution_set *set, const double *x, int except) {
    for (int i = 0; i < set->solutions; i++)
        if (i != except && distance(&set->solution[i], set->size, x) < 1e-6) return true;
    return false;
}

/// None of the sets lies in another one.
static void check_no_repetition(const scree_solution_set *set) {
    double x[N];
    for (int i = 0; i < set->solutions; i++) {
        mix(&set->solution[i], set->size, x);
        CHECK(!is_reported(set, x, i));
    }
}

// -------------------------------------------------------------------------------------------------
// brute force

typedef struct vertex_list {  // found by brute force
    int count, n;
    double x[LIST][N];
} vertex_list;

static vertex_list found;

static void keep(const double *x) {
    for (int i = 0; i < found.count; i++) {
        double gap = 0;
        for (int k = 0; k < found.n; k++) gap = fmax(gap, fabs(x[k] - found.x[i][k]));
        if (gap < 1e-7) return;
    }
    if (found.count < LIST)
        memcpy(found.x[found.count++], x, (size_t)found.n * sizeof *x);
    else
        COMPLAIN("the list of vertices is full");
}

// every choice of n of the 2n equations z_i = 0, w_i = 0
static void lcp_vertices(const lcp *given) {
    int n = given->n;
    found.count = 0;
    found.n = n;
    for (unsigned choice = 0; choice < 1u << 2 * n; choice++) {
        if (__builtin_popcount(choice) != n) continue;
        double A[N][N + 1] = { { 0 } }, z[N];
        for (int e = 0, r = 0; e < 2 * n; e++) {
            if (!(choice >> e & 1)) continue;
            if (e < n) A[r][e] = 1;
            for (int j = 0; e >= n && j < n; j++) A[r][j] = given->M[(e - n) * n + j];
            A[r++][n] = e < n ? 0 : -given->q[e - n];
        }
        if (solve(n, A, z, 1e-9) && lcp_error(given, z) < 1e-9) keep(z);
    }
}

// every contact gives two of: p_N = 0, p_T = mu p_N, p_T = -mu p_N, s_N = 0, s_T = 0
static void planar_vertices(const planar *given) {
    static const int pair[10][2] = { { 0, 1 }, { 0, 2 }, { 0, 3 }, { 0, 4 }, { 1, 2 },
                                     { 1, 3 }, { 1, 4 }, { 2, 3 }, { 2, 4 }, { 3, 4 } };
    int nc = given->nc, n = 2 * nc;
    long choices = 1;
    found.count = 0;
    found.n = n;
    for (int i = 0; i < nc; i++) choices *= 10;
    for (long choice = 0; choice < choices; choice++) {
        double A[N][N + 1] = { { 0 } }, p[N];
        long rest = choice;
        for (int i = 0; i < nc; i++, rest /= 10)
            for (int e = 0; e < 2; e++) {
                int equation = pair[rest % 10][e], r = 2 * i + e;
                if (equation <= 2) {
                    A[r][2 * i] = equation == 0 ? 1 : equation == 1 ? given->mu[i] : -given->mu[i];
                    A[r][2 * i + 1] = equation == 0 ? 0 : -1;
                    continue;
                }
                for (int c = 0; c < n; c++)
                    A[r][c] = given->W[4 * (i * nc + c / 2) + 2 * (equation - 3) + c % 2];
                A[r][n] = -given->b[2 * i + equation - 3];
            }
        if (solve(n, A, p, 1e-9) && planar_error(given, p) < 1e-9) keep(p);
    }
}

/// All that brute force finds, and mixtures of it that are solutions, is reported; and the vertices
/// reported are among what it finds.
static void check_against_brute_force(const scree_solution_set *set, error_function *error,
                                      const void *given) {
    double x[N];
    for (int i = 0; i < found.count; i++) CHECK(is_reported(set, found.x[i], -1));
    for (int trial = 0; trial < 20 && found.count > 1; trial++) {
        int i = random_int(0, found.count - 1), j = random_int(0, found.count - 1);
        double part = uniform(0, 1);
        for (int k = 0; k < found.n; k++) x[k] = part * found.x[i][k] + (1 - part) * found.x[j][k];
        if (error(given, x) < 1e-10) CHECK(is_reported(set, x, -1));
    }
    for (int i = 0; i < set->solutions; i++)
        for (int v = 0; v < set->solution[i].vertices; v++) {
            double nearest = HUGE_VAL;
            for (int f = 0; f < found.count; f++) {
                double gap = 0;
                for (int k = 0; k < found.n; k++)
                    gap =
                        fmax(gap, fabs(set->solution[i].vertex[v * set->size + k] - found.x[f][k]));
                nearest = fmin(nearest, gap);
            }
            CHECK_NEAR(nearest, 0, 1e-6);
        }
}

#endif
