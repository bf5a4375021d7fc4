// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// events_modes.c - Signorini's and Coulomb's laws by trying all contact modes: y = W p + b.
// in: W, b, which statuses are possible.   out: all that agree with the laws.
//
//     0 <= y_N _|_ p_N >= 0,    |p_T| <= mu p_N,    p_T = -mu p_N sign(slip) where it slides
//
// y are accelerations and p forces in a phase, velocities and percussions at an impact.

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/dense.h"
#include "lab/events_system.h"

enum { ROWS = 2 * SCREE_EVENTS_CONTACTS };

static double slip_sign(scree_contact_mode phase) {
    return phase == SCREE_MODE_SLIP_PLUS ? 1 : phase == SCREE_MODE_SLIP_MINUS ? -1 : 0;
}

typedef struct equations {
    int count;
    int row[ROWS];  // row of W that must vanish, and the unknown: 2c normal, 2c + 1 tangential
    double A[ROWS][ROWS + 1];
} equations;

static void set_up(const scree_evaluation *view, const double *mu, const double b[][2],
                   const scree_mode_solution *choice, equations *e) {
    e->count = 0;
    for (int c = 0; c < view->contacts; c++) {
        if (choice->phase[c] == SCREE_MODE_OPEN) continue;
        e->row[e->count++] = 2 * c;
        if (choice->phase[c] == SCREE_MODE_STICK) e->row[e->count++] = 2 * c + 1;
    }
    for (int i = 0; i < e->count; i++) {
        const double *row = view->W[e->row[i]];
        for (int j = 0; j < e->count; j++) {
            int c = e->row[j] / 2;
            e->A[i][j] = row[e->row[j]];
            if (e->row[j] % 2 == 0)
                e->A[i][j] -= slip_sign(choice->phase[c]) * mu[c] * row[2 * c + 1];
        }
        e->A[i][e->count] = -b[e->row[i] / 2][e->row[i] % 2];
    }
}

static void exchange(equations *e, int i, int k) {
    for (int j = 0; j <= e->count; j++) {
        double keep = e->A[i][j];
        e->A[i][j] = e->A[k][j];
        e->A[k][j] = keep;
    }
}

static void exchange_columns(equations *e, int j, int k, int *order) {
    int swap = order[j];
    order[j] = order[k];
    order[k] = swap;
    for (int i = 0; i < e->count; i++) {
        double keep = e->A[i][j];
        e->A[i][j] = e->A[i][k];
        e->A[i][k] = keep;
    }
}

// what x has along a unit vector
static void take_away(int n, const double *unit, double *x) {
    double part = scree_dense_dot(unit, x, n);
    for (int i = 0; i < n; i++) x[i] -= part * unit[i];
}

// elimination with the largest pivot of a column; sign of the determinant
static int solve(equations *e, double *x) {
    int n = e->count, sign = 1;
    double largest = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) largest = fmax(largest, fabs(e->A[i][j]));
    for (int k = 0; k < n; k++) {
        int pivot = k;
        for (int i = k + 1; i < n; i++)
            if (fabs(e->A[i][k]) > fabs(e->A[pivot][k])) pivot = i;
        if (!(fabs(e->A[pivot][k]) > 64 * DBL_EPSILON * largest)) return 0;
        if (pivot != k) {
            exchange(e, pivot, k);
            sign = -sign;
        }
        if (e->A[k][k] < 0) sign = -sign;
        for (int i = k + 1; i < n; i++) {
            double factor = e->A[i][k] / e->A[k][k];
            for (int j = k; j <= n; j++) e->A[i][j] -= factor * e->A[k][j];
        }
    }
    for (int k = n - 1; k >= 0; k--) {
        x[k] = e->A[k][n];
        for (int j = k + 1; j < n; j++) x[k] -= e->A[k][j] * x[j];
        x[k] /= e->A[k][k];
    }
    return sign;
}

// Contacts that stick may hold the system more than once: of the answers the shortest. Elimination
// with the largest pivot of all; what is left over is free, and its part of the answer goes.
static void solve_redundant(equations *e, double *x) {
    static const double none = 1e-11;
    int n = e->count, rank = 0, order[ROWS];
    double largest = 0, loose[ROWS][ROWS];
    for (int i = 0; i < n; i++) {
        order[i] = i;
        for (int j = 0; j < n; j++) largest = fmax(largest, fabs(e->A[i][j]));
    }
    for (; rank < n; rank++) {
        int row = rank, column = rank;
        for (int i = rank; i < n; i++)
            for (int j = rank; j < n; j++)
                if (fabs(e->A[i][j]) > fabs(e->A[row][column])) {
                    row = i;
                    column = j;
                }
        if (!(fabs(e->A[row][column]) > none * largest)) break;
        exchange(e, rank, row);
        exchange_columns(e, rank, column, order);
        for (int i = 0; i < n; i++) {
            if (i == rank) continue;
            double factor = e->A[i][rank] / e->A[rank][rank];
            for (int j = rank; j <= n; j++) e->A[i][j] -= factor * e->A[rank][j];
        }
    }
    for (int i = 0; i < n; i++) x[order[i]] = i < rank ? e->A[i][n] / e->A[i][i] : 0;
    for (int f = rank; f < n; f++) {
        double *way = loose[f - rank];
        for (int i = 0; i < n; i++) way[order[i]] = i < rank ? -e->A[i][f] / e->A[i][i] : i == f;
        for (int k = 0; k < f - rank; k++) take_away(n, loose[k], way);
        double length = sqrt(scree_dense_dot(way, way, n));
        for (int i = 0; i < n; i++) way[i] /= length;
        take_away(n, way, x);
    }
}

// y = W p + b, of those that can touch
static void find_rates(const scree_evaluation *view, const double b[][2],
                       scree_mode_solution *choice) {
    for (int c = 0; c < view->contacts; c++)
        for (int k = 0; k < 2; k++) {
            double sum = b[c][k];
            for (int e = 0; e < view->contacts && !view->far[c]; e++) {
                if (choice->phase[e] == SCREE_MODE_OPEN) continue;
                for (int l = 0; l < 2; l++) sum += view->W[2 * c + k][2 * e + l] * choice->p[e][l];
            }
            choice->y[c][k] = sum;
        }
}

int scree_modes_solve(const scree_evaluation *view, const double *mu, const double b[][2],
                      scree_mode_solution *choice) {
    equations e;
    double x[ROWS];
    set_up(view, mu, b, choice, &e);
    int sign = solve(&e, x), sticking = 0;
    for (int c = 0; c < view->contacts; c++) sticking += choice->phase[c] == SCREE_MODE_STICK;
    if (!sign && sticking < 2) return 0;
    if (!sign) {
        set_up(view, mu, b, choice, &e);
        solve_redundant(&e, x);
        sign = 1;
    }
    memset(choice->p, 0, sizeof choice->p);
    for (int i = 0; i < e.count; i++) choice->p[e.row[i] / 2][e.row[i] % 2] = x[i];
    for (int c = 0; c < view->contacts; c++)
        if (slip_sign(choice->phase[c]) != 0)
            choice->p[c][1] = -slip_sign(choice->phase[c]) * mu[c] * choice->p[c][0];
    find_rates(view, b, choice);
    return sign;
}

static bool agrees(const scree_evaluation *view, const double *mu, const double *scale,
                   const int *may, double tolerance, const scree_mode_solution *choice) {
    for (int c = 0; c < view->contacts; c++) {
        const double *p = choice->p[c], *y = choice->y[c];
        if (choice->phase[c] == SCREE_MODE_OPEN && may[c] & SCREE_IS_FAR) continue;
        double slack = tolerance * scale[c], give = tolerance * (scale[c] / view->W[2 * c][2 * c]);
        if (choice->phase[c] == SCREE_MODE_OPEN) {
            if (y[0] < -slack) return false;
            continue;
        }
        if (p[0] < -give || fabs(y[0]) > slack) return false;
        if (choice->phase[c] == SCREE_MODE_STICK) {
            if (fabs(y[1]) > slack) return false;
            if (fabs(p[1]) > mu[c] * p[0] + give * (1 + mu[c])) return false;
        } else if (mu[c] > 0 && !(may[c] & SCREE_IS_SLIDING)) {
            if (slip_sign(choice->phase[c]) * y[1] < -slack) return false;
        }
    }
    return true;
}

int scree_modes_enumerate(const scree_evaluation *view, const double *mu, const double b[][2],
                          const double *scale, const int *may, double tolerance,
                          scree_mode_solution *choice) {
    int near[SCREE_EVENTS_CONTACTS], nears = 0, patterns = 1, found = 0;
    for (int c = 0; c < view->contacts; c++) {
        if (!(may[c] & ~(SCREE_MAY_OPEN | SCREE_IS_FAR))) continue;
        if (nears == SCREE_EVENTS_CONTACTS) return -1;
        near[nears++] = c;
        patterns *= SCREE_MODES;
    }
    for (int k = 0; k < patterns && found < SCREE_MODE_SOLUTIONS; k++) {
        scree_mode_solution *next = &choice[found];
        bool possible = true;
        for (int c = 0; c < view->contacts; c++) next->phase[c] = SCREE_MODE_OPEN;
        for (int i = 0, rest = k; i < nears; i++, rest /= SCREE_MODES) {
            next->phase[near[i]] = (scree_contact_mode)(rest % SCREE_MODES);
            possible = possible && may[near[i]] & 1 << next->phase[near[i]];
        }
        if (!possible || !scree_modes_solve(view, mu, b, next)) continue;
        if (agrees(view, mu, scale, may, tolerance, next)) found++;
    }
    return found;
}

bool scree_modes_same(const scree_evaluation *view, const double *scale,
                      const scree_mode_solution *one, const scree_mode_solution *other) {
    static const double alike = 1e-8;
    // a change of p that W does not see moves nothing
    for (int c = 0; c < view->contacts; c++)
        for (int k = 0; k < 2 && !view->far[c]; k++)
            if (fabs(one->y[c][k] - other->y[c][k]) > alike * scale[c]) return false;
    return true;
}
