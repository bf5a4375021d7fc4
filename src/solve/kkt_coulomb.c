// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// kkt_coulomb.c - LU with the answers of Coulomb's law, or GMRES on the shifts, each in units of
// sqrt(D) of its contact.
// in: problem, weights D, velocities s, impulses g.   out: q, u, sigma.   work: the factor,
// Krylov's vectors.

#include "solve/kkt_coulomb.h"

#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "law/cone.h"
#include "solve/solver_context.h"

enum { STEPS = 40 };
static const double most_blocks = 1e6;  // of U, that are worth the analysis

typedef struct rotations {   // the triangular factor of the small least squares problem
    double R[STEPS][STEPS];  // column after column
    double cosine[STEPS], sine[STEPS];
    double right[STEPS + 1];
} rotations;

// the derivative of the shift by the velocity of its contact
static void find_slope(const scree_kkt_coulomb *shifted, int i, double *slope) {
    scree_cone cone = scree_cone_of(shifted->problem, i);
    const double *s = shifted->s + i * cone.d;
    memset(slope, 0, (size_t)cone.d * sizeof *slope);
    for (int k = 1; !cone.free && k < cone.d; k += 2) {
        int width = cone.d == 2 ? 1 : 2;
        double mu = k == 1 ? cone.mu : cone.mu_rolling;
        double speed = width == 1 ? fabs(s[k]) : hypot(s[k], s[k + 1]);
        for (int c = k; c < k + width && speed > 0; c++) slope[c] = mu * s[c] / speed;
    }
}

static double shift_of(const scree_kkt_coulomb *shifted, int i, const double *u) {
    int d = shifted->problem->dimension;
    double slope[SCREE_CONE_MAX], sum = 0;
    find_slope(shifted, i, slope);
    for (int k = 1; k < d; k++) sum += slope[k] * u[i * d + k];
    return sum;
}

// ---- LU

// An LU that costs no more than so many solves with it is cheaper than the solves that GMRES takes
// for the three right sides of a step.
static bool is_thin(const scree_body_lu *lu) {
    enum { SOLVES = 60 };
    return lu && scree_body_lu_factor_cost(lu) <= SOLVES * scree_body_lu_solve_cost(lu);
}

static bool init_lu(scree_kkt_coulomb *shifted, scree_arena *arena) {
    const scree_problem *problem = shifted->problem;
    size_t d = (size_t)problem->dimension;
    shifted->C = SCREE_NEW(arena, double, ((size_t)problem->contacts * d * d));
    return shifted->C && scree_body_lu_allocate(shifted->lu);
}

// C = D (1 + n (mu t)^T)
static bool factor_lu(scree_kkt_coulomb *shifted) {
    int d = shifted->problem->dimension;
    for (int i = 0; i < shifted->problem->contacts; i++) {
        const double *D = shifted->weight + (size_t)i * (size_t)(d * d);
        double *C = shifted->C + (size_t)i * (size_t)(d * d), slope[SCREE_CONE_MAX];
        find_slope(shifted, i, slope);
        for (int r = 0; r < d; r++)
            for (int c = 0; c < d; c++) C[r * d + c] = D[r * d + c] + D[r * d] * slope[c];
    }
    return scree_body_lu_factor(shifted->lu, shifted->C);
}

static void solve_lu(scree_kkt_coulomb *shifted, const double *g, double *q, double *u,
                     double *sigma) {
    int d = shifted->problem->dimension;
    scree_body_lu_solve(shifted->lu, g, u);
    for (int i = 0; i < shifted->problem->contacts; i++) {
        const double *C = shifted->C + (size_t)i * (size_t)(d * d);
        sigma[i] = shift_of(shifted, i, u);
        for (int r = 0; r < d; r++) {
            double sum = g[i * d + r];
            for (int c = 0; c < d; c++) sum -= C[r * d + c] * u[i * d + c];
            q[i * d + r] = sum;
        }
    }
}

// ---- GMRES

static bool init_gmres(scree_kkt_coulomb *shifted, scree_arena *arena) {
    const scree_problem *problem = shifted->problem;
    size_t nc = (size_t)problem->contacts;
    shifted->unit = SCREE_NEW(arena, double, nc);
    shifted->trial = SCREE_NEW(arena, double, nc);
    shifted->krylov = SCREE_NEW(arena, double, (nc * (STEPS + 1)));
    if (!shifted->unit || !shifted->trial || !shifted->krylov) return false;
    scree_context_diagonal(problem, shifted->unit);
    for (size_t i = 0; i < nc; i++) shifted->unit[i] = sqrt(shifted->unit[i]);
    shifted->kkt = scree_kkt_new(problem);
    return shifted->kkt;
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
    for (int i = 0; i < nc; i++) out[i] = x[i] - shift_of(shifted, i, u) / shifted->unit[i];
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

static void solve_gmres(scree_kkt_coulomb *shifted, double tolerance, const double *g, double *q,
                        double *u, double *sigma) {
    int nc = shifted->problem->contacts, k = 0;
    double *Q = shifted->krylov;
    rotations turn;
    memset(sigma, 0, (size_t)nc * sizeof *sigma);
    respond(shifted, g, sigma, q, u);
    for (int i = 0; i < nc; i++) Q[i] = shift_of(shifted, i, u) / shifted->unit[i];
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

// ---- either

bool scree_kkt_coulomb_init(scree_kkt_coulomb *shifted, const scree_problem *problem,
                            const double *weight, const double *s, scree_arena *arena) {
    *shifted = (scree_kkt_coulomb){ .problem = problem, .weight = weight, .s = s };
    scree_arena_mark mark = scree_arena_mark_of(arena);
    shifted->lu = problem->motion ? scree_body_lu_new(problem, most_blocks, arena) : NULL;
    if (is_thin(shifted->lu)) return init_lu(shifted, arena);
    scree_arena_release(arena, mark);
    shifted->lu = NULL;
    return init_gmres(shifted, arena);
}

void scree_kkt_coulomb_end(scree_kkt_coulomb *shifted) { scree_kkt_free(shifted->kkt); }

bool scree_kkt_coulomb_factor(scree_kkt_coulomb *shifted) {
    return shifted->lu ? factor_lu(shifted) : scree_kkt_factor(shifted->kkt, shifted->weight);
}

void scree_kkt_coulomb_solve(scree_kkt_coulomb *shifted, double tolerance, const double *g,
                             double *q, double *u, double *sigma) {
    if (shifted->lu)
        solve_lu(shifted, g, q, u, sigma);
    else
        solve_gmres(shifted, tolerance, g, q, u, sigma);
}
