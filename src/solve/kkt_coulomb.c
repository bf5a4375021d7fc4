// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// kkt_coulomb.c - GMRES on the shifts, each in units of sqrt(D) of its contact.

#include "solve/kkt_coulomb.h"

#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "law/cone.h"

enum { STEPS = 40 };

typedef struct rotations {   // the triangular factor of the small least squares problem
    double R[STEPS][STEPS];  // column after column
    double cosine[STEPS], sine[STEPS];
    double right[STEPS + 1];
} rotations;

bool scree_kkt_coulomb_init(scree_kkt_coulomb *shifted, const scree_problem *problem,
                            scree_kkt *kkt, const double *weight, const double *s,
                            scree_arena *arena) {
    size_t nc = (size_t)problem->contacts, d = (size_t)problem->dimension;
    *shifted = (scree_kkt_coulomb){ .problem = problem,
                                    .kkt = kkt,
                                    .weight = weight,
                                    .s = s,
                                    .unit = SCREE_NEW(arena, double, nc),
                                    .trial = SCREE_NEW(arena, double, nc),
                                    .krylov = SCREE_NEW(arena, double, (nc * (STEPS + 1))) };
    if (!shifted->unit || !shifted->trial || !shifted->krylov) return false;
    for (size_t i = 0; i < nc; i++) {
        const double *W = problem->block + (size_t)problem->diagonal[i] * d * d;
        for (size_t k = 0; k < d; k++) shifted->unit[i] += W[k * d + k] / (double)d;
        shifted->unit[i] = sqrt(shifted->unit[i]);
    }
    return true;
}

// m t . u over one tangential pair of components
static double pair_slope(const double *s, const double *u, int count, double m) {
    double length = count == 1 ? fabs(s[0]) : hypot(s[0], s[1]), sum = 0;
    for (int k = 0; k < count && length > 0; k++) sum += m * s[k] / length * u[k];
    return sum;
}

static double slope(const scree_kkt_coulomb *shifted, int i, const double *u) {
    scree_cone cone = scree_cone_of(shifted->problem, i);
    const double *s = shifted->s + i * cone.d, *ui = u + i * cone.d;
    if (cone.free) return 0;
    double sum = pair_slope(s + 1, ui + 1, cone.d == 2 ? 1 : 2, cone.mu);
    return cone.d == 5 ? sum + pair_slope(s + 3, ui + 3, 2, cone.mu_rolling) : sum;
}

// q and u for impulses g (NULL: none) with the shifts held
static void respond(scree_kkt_coulomb *shifted, const double *g, const double *sigma, double *q,
                    double *u) {
    int d = shifted->problem->dimension, nc = shifted->problem->contacts;
    for (int i = 0; i < nc; i++)
        for (int k = 0; k < d; k++)
            q[i * d + k] = (g ? g[i * d + k] : 0) - shifted->weight[(i * d + k) * d] * sigma[i];
    scree_kkt_solve(shifted->kkt, q, q, u);
}

// out = x - slope(u) for the shifts x
static void apply(scree_kkt_coulomb *shifted, const double *x, double *out, double *q, double *u) {
    int nc = shifted->problem->contacts;
    for (int i = 0; i < nc; i++) shifted->trial[i] = x[i] * shifted->unit[i];
    respond(shifted, NULL, shifted->trial, q, u);
    for (int i = 0; i < nc; i++) out[i] = x[i] - slope(shifted, i, u) / shifted->unit[i];
}

// make the new vector orthogonal to the k + 1 before it; returns what is left of its length
static double orthogonalise(const double *Q, int k, int n, double *next, double *column) {
    for (int j = 0; j <= k; j++) {
        const double *q = Q + (size_t)j * (size_t)n;
        column[j] = scree_dense_dot(next, q, n);
        for (int i = 0; i < n; i++) next[i] -= column[j] * q[i];
    }
    double rest = sqrt(scree_dense_dot(next, next, n));
    for (int i = 0; i < n && rest > 0; i++) next[i] /= rest;
    return rest;
}

// turn column k, whose entry below the diagonal is rest, into one of a triangle
static bool rotate(rotations *turn, int k, double rest) {
    double *column = turn->R[k];
    for (int j = 0; j < k; j++) {
        double a = column[j], b = column[j + 1];
        column[j] = turn->cosine[j] * a + turn->sine[j] * b;
        column[j + 1] = turn->cosine[j] * b - turn->sine[j] * a;
    }
    double length = hypot(column[k], rest);
    if (!(length > 0)) return false;
    turn->cosine[k] = column[k] / length;
    turn->sine[k] = rest / length;
    column[k] = length;
    turn->right[k + 1] = -turn->sine[k] * turn->right[k];
    turn->right[k] *= turn->cosine[k];
    return true;
}

static void combine(const rotations *turn, int k, const double *Q, int n, double *x) {
    double e[STEPS];
    memset(x, 0, (size_t)n * sizeof *x);
    for (int j = k - 1; j >= 0; j--) {
        e[j] = turn->right[j];
        for (int l = j + 1; l < k; l++) e[j] -= turn->R[l][j] * e[l];
        e[j] /= turn->R[j][j];
        for (int i = 0; i < n; i++) x[i] += e[j] * Q[(size_t)j * (size_t)n + (size_t)i];
    }
}

void scree_kkt_coulomb_solve(scree_kkt_coulomb *shifted, double tolerance, const double *g,
                             double *q, double *u, double *sigma) {
    int nc = shifted->problem->contacts, k = 0;
    double *Q = shifted->krylov;
    rotations turn;
    memset(sigma, 0, (size_t)nc * sizeof *sigma);
    respond(shifted, g, sigma, q, u);
    for (int i = 0; i < nc; i++) Q[i] = slope(shifted, i, u) / shifted->unit[i];
    double size = turn.right[0] = sqrt(scree_dense_dot(Q, Q, nc));
    if (!(size > 0 && isfinite(size))) return;
    for (int i = 0; i < nc; i++) Q[i] /= size;
    for (; k < STEPS && fabs(turn.right[k]) > tolerance * size; k++) {
        double *next = Q + (size_t)(k + 1) * (size_t)nc, column[STEPS + 1];
        apply(shifted, Q + (size_t)k * (size_t)nc, next, q, u);
        double rest = orthogonalise(Q, k, nc, next, column);
        memcpy(turn.R[k], column, (size_t)(k + 1) * sizeof *column);
        if (!rotate(&turn, k, rest)) break;
    }
    combine(&turn, k, Q, nc, sigma);
    for (int i = 0; i < nc; i++) sigma[i] *= shifted->unit[i];
    respond(shifted, g, sigma, q, u);
}
