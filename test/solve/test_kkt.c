// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// test_kkt.c - does the sparse system of kkt.h give what a dense elimination gives?
//
// The judge here solves (1 + D Ws) q = g with full pivoting by rows on the dense symmetric part of
// W; u = Ws q. It shares nothing with the library.

#include <float.h>
#include <stdlib.h>

#include "harness.h"
#include "random.h"
#include "solve/kkt.h"

enum { MOST = 80, WIDTH = 5, DOFS = 90 };  // contacts, d, degrees of freedom

static struct sample {  // a problem that owns its numbers
    scree_problem problem;
    scree_motion motion;
    int row[MOST + 1], column[MOST * MOST], diagonal[MOST];
    double block[MOST * MOST * WIDTH * WIDTH], b[MOST * WIDTH], mu[MOST];
    int M_first[DOFS + 1], M_row[DOFS * DOFS], H_first[MOST + 1], H_dof[MOST * DOFS];
    double M[DOFS * DOFS], H[MOST * DOFS * WIDTH], f[DOFS], w[MOST * WIDTH];
    double dense[MOST * WIDTH * MOST * WIDTH];      // W once more
    double symmetric[MOST * WIDTH * MOST * WIDTH];  // its symmetric part
    double full_M[DOFS * DOFS], full_H[MOST * WIDTH * DOFS];
    int dofs, size;
} one;

// ---- dense linear algebra of the judge

/// A x = x for each of the columns of X (n x columns), by elimination with row exchanges.
static void eliminate(double *A, double *X, int n, int columns) {
    for (int k = 0; k < n; k++) {
        int pivot = k;
        for (int i = k + 1; i < n; i++)
            if (fabs(A[i * n + k]) > fabs(A[pivot * n + k])) pivot = i;
        for (int j = 0; j < n; j++) {
            double keep = A[k * n + j];
            A[k * n + j] = A[pivot * n + j];
            A[pivot * n + j] = keep;
        }
        for (int j = 0; j < columns; j++) {
            double keep = X[k * columns + j];
            X[k * columns + j] = X[pivot * columns + j];
            X[pivot * columns + j] = keep;
        }
        for (int i = k + 1; i < n; i++) {
            double factor = A[i * n + k] / A[k * n + k];
            if (factor == 0) continue;
            for (int j = k; j < n; j++) A[i * n + j] -= factor * A[k * n + j];
            for (int j = 0; j < columns; j++) X[i * columns + j] -= factor * X[k * columns + j];
        }
    }
    for (int k = n - 1; k >= 0; k--)
        for (int j = 0; j < columns; j++) {
            for (int i = k + 1; i < n; i++) X[k * columns + j] -= A[k * n + i] * X[i * columns + j];
            X[k * columns + j] /= A[k * n + k];
        }
}

/// W = H M^-1 H^T.
static void condense(void) {
    static double A[DOFS * DOFS], X[DOFS * MOST * WIDTH];
    int n = one.dofs, size = one.size;
    memcpy(A, one.full_M, sizeof A);
    for (int i = 0; i < size; i++)
        for (int k = 0; k < n; k++) X[k * size + i] = one.full_H[i * n + k];
    eliminate(A, X, n, size);
    for (int i = 0; i < size; i++)
        for (int j = 0; j < size; j++) {
            double sum = 0;
            for (int k = 0; k < n; k++) sum += one.full_H[i * n + k] * X[k * size + j];
            one.dense[i * size + j] = sum;
        }
}

// ---- problems

/// Bodies of up to 6 freedoms with a full M each, a contact between any two or at one of them.
static void random_motion(int contacts, int d) {
    int part = random_int(1, 6), bodies = random_int(2, DOFS / 6), n = part * bodies;
    one.dofs = n;
    one.size = contacts * d;
    memset(one.full_M, 0, sizeof one.full_M);
    memset(one.full_H, 0, sizeof one.full_H);
    for (int body = 0; body < bodies; body++)
        for (int k = 0; k < part; k++) {  // M += x x^T, and something on the diagonal
            double x[6];
            for (int i = 0; i < part; i++) x[i] = uniform(-1, 1);
            for (int i = 0; i < part; i++)
                for (int j = 0; j < part; j++)
                    one.full_M[(body * part + i) * n + body * part + j] += x[i] * x[j];
            one.full_M[(body * part + k) * n + body * part + k] += 0.5;
        }
    for (int i = 0; i < contacts; i++)
        for (int side = 0; side < 2; side++) {
            int body = random_int(side ? -1 : 0, bodies - 1);
            if (body < 0) continue;
            for (int k = 0; k < d; k++)
                for (int j = 0; j < part; j++)
                    one.full_H[(i * d + k) * n + body * part + j] = uniform(-1, 1);
        }
    condense();
}

/// Blocks from dense. A one-sided block is stored on one side alone, so that W is not symmetric.
static void store_blocks(int contacts, int d, double one_sided, double asymmetry) {
    int size = contacts * d, blocks = 0;
    for (int i = 0; i < contacts; i++)
        for (int j = 0; j < contacts; j++) {
            bool drop = i != j && uniform(0, 1) < one_sided;
            for (int k = 0; k < d * d; k++) {
                double *value = &one.dense[(i * d + k / d) * size + j * d + k % d];
                if (drop) *value = 0;
                *value *= 1 + asymmetry * uniform(-1, 1);
            }
        }
    for (int i = 0; i < contacts; i++) {
        one.row[i] = blocks;
        for (int j = 0; j < contacts; j++) {
            bool empty = i != j;
            for (int k = 0; k < d * d; k++) {
                double value = one.dense[(i * d + k / d) * size + j * d + k % d];
                one.block[blocks * d * d + k] = value;
                empty = empty && value == 0;
            }
            if (empty) continue;
            if (i == j) one.diagonal[i] = blocks;
            one.column[blocks++] = j;
        }
    }
    one.row[contacts] = blocks;
    for (int i = 0; i < size; i++)
        for (int j = 0; j < size; j++)
            one.symmetric[i * size + j] = 0.5 * (one.dense[i * size + j] + one.dense[j * size + i]);
    one.problem = (scree_problem){ .contacts = contacts,
                                   .dimension = d,
                                   .row = one.row,
                                   .column = one.column,
                                   .diagonal = one.diagonal,
                                   .block = one.block,
                                   .b = one.b,
                                   .mu = one.mu };
}

static void store_motion(int contacts, int d) {
    int entries = 0, n = one.dofs;
    for (int j = 0; j < n; j++) {
        one.M_first[j] = entries;
        for (int i = 0; i < n; i++)
            if (one.full_M[i * n + j] != 0) {
                one.M_row[entries] = i;
                one.M[entries++] = one.full_M[i * n + j];
            }
    }
    one.M_first[n] = entries;
    entries = 0;
    for (int i = 0; i < contacts; i++) {
        one.H_first[i] = entries;
        for (int j = 0; j < n; j++) {
            if (one.full_H[i * d * n + j] == 0) continue;
            one.H_dof[entries] = j;
            for (int k = 0; k < d; k++) one.H[entries * d + k] = one.full_H[(i * d + k) * n + j];
            entries++;
        }
    }
    one.H_first[contacts] = entries;
    one.motion = (scree_motion){ .dofs = n,
                                 .M_first = one.M_first,
                                 .M_row = one.M_row,
                                 .M = one.M,
                                 .H_first = one.H_first,
                                 .H_dof = one.H_dof,
                                 .H = one.H,
                                 .f = one.f,
                                 .w = one.w };
    one.problem.motion = &one.motion;
}

/// D_i of rank 0 to d, now and then of very different sizes.
static void random_weights(int contacts, int d, double *D) {
    memset(D, 0, (size_t)(contacts * d * d) * sizeof *D);
    for (int i = 0; i < contacts; i++) {
        int rank = random_int(0, d);
        double size = pow(10, uniform(-2, 3));
        for (int k = 0; k < rank; k++) {
            double x[WIDTH];
            for (int r = 0; r < d; r++) x[r] = uniform(-1, 1);
            for (int r = 0; r < d; r++)
                for (int c = 0; c < d; c++) D[(i * d + r) * d + c] += size * x[r] * x[c];
        }
    }
}

// ---- the comparison

/// |A x - y| / scale at most, for q and u of the kernel against their two equations' solution.
static void compare(const double *D, int contacts, int d, double tolerance) {
    static double A[MOST * WIDTH * MOST * WIDTH];
    static double g[MOST * WIDTH], x[MOST * WIDTH], q[MOST * WIDTH], u[MOST * WIDTH];
    int size = contacts * d;
    scree_kkt *kkt = scree_kkt_new(&one.problem);
    CHECK(kkt);
    if (!kkt) return;
    CHECK(scree_kkt_factor(kkt, D));
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < size; i++) x[i] = q[i] = g[i] = uniform(-1, 1);
        for (int i = 0; i < size; i++)  // 1 + D Ws
            for (int j = 0; j < size; j++) {
                double sum = i == j;
                for (int k = 0; k < d; k++)
                    sum += D[i * d + k] * one.symmetric[(i / d * d + k) * size + j];
                A[i * size + j] = sum;
            }
        eliminate(A, x, size, 1);
        scree_kkt_solve(kkt, pass ? q : g, q, u);  // the second time in place
        double off_q = 0, off_u = 0, size_q = 0, size_u = 0;
        for (int i = 0; i < size; i++) {
            double v = 0;
            for (int j = 0; j < size; j++) v += one.symmetric[i * size + j] * x[j];
            off_q = fmax(off_q, fabs(q[i] - x[i]));
            off_u = fmax(off_u, fabs(u[i] - v));
            size_q = fmax(size_q, fabs(x[i]));
            for (int j = 0; j < size; j++)
                size_u = fmax(size_u, fabs(one.symmetric[i * size + j] * g[j]));
        }
        CHECK_NEAR(off_q / size_q, 0, tolerance);
        CHECK_NEAR(off_u / size_u, 0, tolerance);
    }
    // g = D x
    for (int i = 0; i < size; i++) x[i] = uniform(-1, 1);
    for (int i = 0; i < size; i++) {
        g[i] = 0;
        for (int k = 0; k < d; k++) g[i] += D[i * d + k] * x[i / d * d + k];
    }
    static double v[MOST * WIDTH], again[MOST * WIDTH];
    double off = 0, largest = 0;
    scree_kkt_solve(kkt, g, again, v);
    scree_kkt_solve_weighted(kkt, x, q, u);
    for (int i = 0; i < size; i++) {
        off = fmax(off, fmax(fabs(q[i] - again[i]), fabs(u[i] - v[i])));
        largest = fmax(largest, fabs(g[i]));
    }
    CHECK(off <= tolerance * largest);
    CHECK(scree_kkt_factor_cost(kkt) > 0 && scree_kkt_solve_cost(kkt) > 0);
    scree_kkt_free(kkt);
}

static int random_dimension(void) { return (int[]){ 2, 3, 5 }[random_int(0, 2)]; }

static double weights[MOST * WIDTH * WIDTH];

static void from_W_alone(void) {
    for (int k = 0; k < 60; k++) {
        int d = random_dimension(), contacts = random_int(1, k < 50 ? 12 : MOST / 2);
        random_motion(contacts, d);
        store_blocks(contacts, d, 0, 0);
        random_weights(contacts, d, weights);
        compare(weights, contacts, d, 1e-7);
    }
}

static void from_bodies(void) {
    for (int k = 0; k < 60; k++) {
        int d = random_dimension(), contacts = random_int(1, k < 50 ? 12 : MOST / 2);
        random_motion(contacts, d);
        store_blocks(contacts, d, 0, 0);
        store_motion(contacts, d);
        random_weights(contacts, d, weights);
        compare(weights, contacts, d, 1e-7);
    }
}

/// Any W whose symmetric part is positive enough; blocks may lack their twin.
static void unsymmetric(void) {
    for (int k = 0; k < 60; k++) {
        int d = random_dimension(), contacts = random_int(2, k < 50 ? 12 : MOST / 2);
        random_motion(contacts, d);
        for (int i = 0; i < contacts * d; i++)  // dropping blocks must not make it indefinite
            for (int j = 0; j < contacts * d; j++)
                if (i != j)
                    one.dense[i * contacts * d + i] += fabs(one.dense[i * contacts * d + j]);
        store_blocks(contacts, d, k % 2 ? 0.3 : 0, 2.5e-3);
        random_weights(contacts, d, weights);
        compare(weights, contacts, d, 1e-8);
    }
}

/// Enough rows, and few enough entries, for the sparse factorisation: chains with a few long links.
static void sparse_ones(void) {
    for (int k = 0; k < 6; k++) {
        int d = (int[]){ 2, 3, 5 }[k % 3], contacts = MOST, size = contacts * d;
        one.size = size;
        memset(one.dense, 0, sizeof one.dense);
        for (int i = 0; i < size; i++)
            for (int j = 0; j < i; j++) {
                if (i / d - j / d > 1 && uniform(0, 1) > 1e-3) continue;
                double value = uniform(-1, 1);
                one.dense[i * size + j] = one.dense[j * size + i] = value;
                one.dense[i * size + i] += fabs(value);
                one.dense[j * size + j] += fabs(value);
            }
        for (int i = 0; i < size; i++) one.dense[i * size + i] += 0.1;
        store_blocks(contacts, d, k < 3 ? 0 : 0.2, 0);
        random_weights(contacts, d, weights);
        compare(weights, contacts, d, 1e-8);
    }
}

/// A chain of bodies, each tied to the next by one contact: the matrix of bodies is sparse.
static void chain_of_bodies(void) {
    int d = 3, bodies = DOFS / 6, contacts = bodies * 4, n = bodies * 6;
    one.dofs = n;
    one.size = contacts * d;
    memset(one.full_M, 0, sizeof one.full_M);
    memset(one.full_H, 0, sizeof one.full_H);
    for (int k = 0; k < n; k++) one.full_M[k * n + k] = uniform(0.5, 2);
    for (int i = 0; i < contacts; i++)
        for (int r = 0; r < d; r++)
            for (int j = 0; j < 12; j++)
                if (i / 4 * 6 + j < n) one.full_H[(i * d + r) * n + i / 4 * 6 + j] = uniform(-1, 1);
    condense();
    store_blocks(contacts, d, 0, 0);
    random_weights(contacts, d, weights);
    compare(weights, contacts, d, 1e-7);
    store_motion(contacts, d);
    compare(weights, contacts, d, 1e-7);
}

/// Without weights nothing answers: q = g.
static void no_weights(void) {
    random_motion(5, 3);
    store_blocks(5, 3, 0, 0);
    memset(weights, 0, sizeof weights);
    compare(weights, 5, 3, 1e-12);
    store_motion(5, 3);
    compare(weights, 5, 3, 1e-12);
}

/// A factorisation replaces the one before, whatever ranks the weights had then.
static void factor_again(void) {
    random_motion(10, 3);
    store_blocks(10, 3, 0, 0);
    scree_kkt *kkt = scree_kkt_new(&one.problem);
    CHECK(kkt);
    if (!kkt) return;
    double g[30], q[30], u[30], again[30];
    for (int i = 0; i < 30; i++) g[i] = uniform(-1, 1);
    static double other[MOST * WIDTH * WIDTH];
    random_weights(10, 3, weights);
    random_weights(10, 3, other);
    CHECK(scree_kkt_factor(kkt, weights));
    scree_kkt_solve(kkt, g, q, u);
    CHECK(scree_kkt_factor(kkt, other));
    scree_kkt_solve(kkt, g, again, u);
    CHECK(memcmp(q, again, sizeof q) != 0);
    CHECK(scree_kkt_factor(kkt, weights));
    scree_kkt_solve(kkt, g, again, u);
    CHECK(memcmp(q, again, sizeof q) == 0);
    weights[0] = NAN;
    CHECK(!scree_kkt_factor(kkt, weights));
    scree_kkt_free(kkt);
}

TEST_FILE(test_kkt) {
    TEST(from_W_alone);
    TEST(from_bodies);
    TEST(unsymmetric);
    TEST(sparse_ones);
    TEST(chain_of_bodies);
    TEST(no_weights);
    TEST(factor_again);
    return harness_end();
}
