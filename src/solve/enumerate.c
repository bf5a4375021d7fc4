// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// enumerate.c - rescue for small planar problems on which Gauss-Seidel creeps.
//
// Where e and tau differ, b is not in the range of H, and contacts of one body that both stick can
// contradict each other by a little: their tangential impulses then grow against each other, sweep
// by sweep, until one of them slips. With the statuses given the law is linear:
//
//     open: p = 0      stick: s = 0      slip: s_N = 0, p_T = +-mu p_N
//
// so each combination is one small linear system, and the judge says which of them is a solution.

#include "solve/enumerate.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { SIZE = 2 * SCREE_ENUMERATE_CONTACTS };

typedef enum status { OPEN, STICK, SLIP_PLUS, SLIP_MINUS, STATUSES } status;

bool scree_enumerate_can(const scree_problem *problem) {
    return problem->dimension == 2 && problem->contacts <= SCREE_ENUMERATE_CONTACTS;
}

// W as a full matrix
static void spread(const scree_problem *problem, double W[SIZE][SIZE]) {
    memset(W, 0, sizeof(double) * SIZE * SIZE);
    for (int i = 0; i < problem->contacts; i++)
        for (int at = problem->row[i]; at < problem->row[i + 1]; at++) {
            const double *block = problem->block + 4 * (size_t)at;
            int j = problem->column[at];
            W[2 * i][2 * j] = block[0];
            W[2 * i][2 * j + 1] = block[1];
            W[2 * i + 1][2 * j] = block[2];
            W[2 * i + 1][2 * j + 1] = block[3];
        }
}

// the two equations of one contact; those without W are scaled like those with it
static void equations(const scree_problem *problem, const double W[SIZE][SIZE], int i, status s,
                      double A[SIZE][SIZE + 1]) {
    int n = 2 * problem->contacts, first = 2 * i, second = first + 1;
    double scale = W[first][first], mu = problem->mu[i];
    memset(A[first], 0, sizeof A[first]);
    memset(A[second], 0, sizeof A[second]);
    if (s == OPEN) {
        A[first][first] = A[second][second] = scale;
        return;
    }
    memcpy(A[first], W[first], (size_t)n * sizeof(double));
    A[first][n] = -problem->b[first];
    if (s == STICK) {
        memcpy(A[second], W[second], (size_t)n * sizeof(double));
        A[second][n] = -problem->b[second];
    } else {
        A[second][second] = scale;
        A[second][first] = s == SLIP_PLUS ? -mu * scale : mu * scale;
    }
}

// Gauss elimination with full pivoting; unknowns that the equations leave open are zero. False if
// the equations contradict each other.
static bool eliminate(double A[SIZE][SIZE + 1], int n, double *x) {
    int column[SIZE], rank = 0;
    double largest = 0;
    for (int i = 0; i < n; i++) column[i] = i;
    for (; rank < n; rank++) {
        int row = rank, col = rank;
        for (int i = rank; i < n; i++)
            for (int j = rank; j < n; j++)
                if (fabs(A[i][column[j]]) > fabs(A[row][column[col]])) row = i, col = j;
        double pivot = fabs(A[row][column[col]]);
        largest = fmax(largest, pivot);
        if (pivot <= n * 8 * DBL_EPSILON * largest) break;
        int swap = column[rank];
        column[rank] = column[col];
        column[col] = swap;
        for (int j = 0; row != rank && j <= n; j++) {
            double keep = A[row][j];
            A[row][j] = A[rank][j];
            A[rank][j] = keep;
        }
        for (int i = rank + 1; i < n; i++) {
            double factor = A[i][column[rank]] / A[rank][column[rank]];
            for (int j = rank; j < n; j++) A[i][column[j]] -= factor * A[rank][column[j]];
            A[i][n] -= factor * A[rank][n];
        }
    }
    double size = 0;
    for (int i = 0; i < rank; i++) size = fmax(size, fabs(A[i][n]));
    for (int i = rank; i < n; i++)
        if (fabs(A[i][n]) > 1e-10 * size) return false;
    for (int i = 0; i < n; i++) x[i] = 0;
    for (int i = rank - 1; i >= 0; i--) {
        double sum = A[i][n];
        for (int j = i + 1; j < rank; j++) sum -= A[i][column[j]] * x[column[j]];
        x[column[i]] = sum / A[i][column[i]];
    }
    return true;
}

// the next combination, an odometer; false after the last one
static bool next(status *pattern, int contacts) {
    for (int i = 0; i < contacts; i++) {
        pattern[i] = (status)(pattern[i] + 1);
        if (pattern[i] < STATUSES) return true;
        pattern[i] = OPEN;
    }
    return false;
}

void scree_enumerate_solve(const scree_problem *problem, const scree_solver_options *options,
                           double *p, scree_report *report) {
    double W[SIZE][SIZE], A[SIZE][SIZE + 1], x[SIZE], s[SIZE];
    status pattern[SCREE_ENUMERATE_CONTACTS] = { OPEN };
    int nc = problem->contacts;
    spread(problem, W);
    for (bool more = true; more && !(scree_residual_worse(report->residual) <= options->tolerance);
         more = next(pattern, nc)) {
        for (int i = 0; i < nc; i++) equations(problem, (const double(*)[SIZE])W, i, pattern[i], A);
        if (!eliminate(A, 2 * nc, x)) continue;
        scree_residual residual = scree_problem_residual(problem, x, s);
        if (!(scree_residual_worse(residual) < scree_residual_worse(report->residual))) continue;
        memcpy(p, x, 2 * (size_t)nc * sizeof *p);
        report->residual = residual;
        report->solver = "enumerate";
    }
    report->converged = scree_residual_worse(report->residual) <= options->tolerance;
    if (report->converged) report->reason = SCREE_STOP_SOLVED;
}
