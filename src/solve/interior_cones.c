// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// interior_cones.c - pieces of contacts, their weights and steps.

#include "solve/interior_cones.h"

#include <math.h>
#include <string.h>

#include "law/cone.h"
#include "solve/solver_context.h"

enum { PIECES = 2 };  // of a contact, at most

static const double joint_weight = 1e8;  // of the rows of a joint, against 1 / D

typedef scree_interior_piece piece;
typedef scree_interior_cones cones;

static int index_of(const piece *one, int i) { return i == 0 ? 0 : one->first + i - 1; }

// factor between a component of the piece and of the contact, for impulses
static double factor_of(const piece *one, int i) { return i == 0 ? one->mu : 1; }

static void add_piece(cones *all, int i, int k, int first, double mu) {
    all->piece[i * PIECES + all->pieces[i]++] = (piece){ .cone.k = k, .first = first, .mu = mu };
    all->cones++;
}

bool scree_interior_cones_make(cones *all, const scree_problem *problem, scree_arena *arena) {
    size_t nc = (size_t)problem->contacts, d = (size_t)problem->dimension;
    *all = (cones){ .problem = problem, .nc = problem->contacts, .d = problem->dimension };
    all->D = SCREE_NEW(arena, double, nc);
    all->weight = SCREE_NEW(arena, double, (nc * d * d));
    all->piece = SCREE_NEW(arena, piece, nc * PIECES);
    all->pieces = SCREE_NEW(arena, int, nc);
    if (!all->D || !all->weight || !all->piece || !all->pieces) return false;
    scree_context_diagonal(problem, all->D);
    for (int i = 0; i < all->nc; i++) {
        scree_cone cone = scree_cone_of(problem, i);
        if (cone.free) continue;
        if (cone.mu > 0) add_piece(all, i, all->d == 2 ? 1 : 2, 1, cone.mu);
        if (all->d == 5 && cone.mu_rolling > 0) add_piece(all, i, 2, 3, cone.mu_rolling);
        if (all->pieces[i] == 0) add_piece(all, i, 0, 1, 1);
    }
    return true;
}

void scree_interior_cones_place(cones *all, double energy, double *r) {
    for (int i = 0; i < all->nc; i++) {
        double impulse = energy / sqrt(all->D[i]), velocity = energy * sqrt(all->D[i]);
        if (all->pieces[i] > 0) r[i * all->d] = impulse;
        for (int j = 0; j < all->pieces[i]; j++) {
            piece *one = all->piece + i * PIECES + j;
            one->cone.x[0] = one->mu * impulse;
            one->cone.y[0] = velocity / one->mu;
        }
    }
}

// two pieces share the room of s^_N
void scree_interior_cones_begin(cones *all, const double *r, const double *s) {
    for (int i = 0; i < all->nc; i++, r += all->d, s += all->d) {
        scree_cone cone = scree_cone_of(all->problem, i);
        double room = (s[0] - scree_cone_shift(&cone, s)) / (all->pieces[i] ? all->pieces[i] : 1);
        for (int j = 0; j < all->pieces[i]; j++) {
            piece *one = all->piece + i * PIECES + j;
            double slip = 0;
            for (int a = 0; a <= one->cone.k; a++) {
                one->cone.x[a] = factor_of(one, a) * r[index_of(one, a)];
                one->cone.y[a] = s[index_of(one, a)];
                if (a) slip = hypot(slip, one->cone.y[a]);
            }
            one->cone.y[0] = slip + room / one->mu;
        }
    }
}

// ---- weights

// M += D or its inverse, in the coordinates of the contact
static void add_weight(const piece *one, int d, bool inverse, double *M) {
    for (int a = 0; a <= one->cone.k; a++)
        for (int c = 0; c <= one->cone.k; c++) {
            double value = scree_lorentz_weight(&one->cone, inverse, a, c);
            double f = factor_of(one, a) * factor_of(one, c);
            M[index_of(one, a) * d + index_of(one, c)] += value * (inverse ? f : 1 / f);
        }
}

// inverse of a symmetric positive definite matrix of a contact, by Gauss and Jordan
static bool invert(double *M, int d) {
    for (int k = 0; k < d; k++) {
        double pivot = M[k * d + k];
        if (!(pivot > 0)) return false;
        for (int c = 0; c < d; c++) M[k * d + c] /= c == k ? 1 : pivot;
        for (int r = 0; r < d; r++) {
            if (r == k) continue;
            double f = M[r * d + k];
            for (int c = 0; c < d; c++)
                if (c != k) M[r * d + c] -= f * M[k * d + c];
            M[r * d + k] = -f / pivot;
        }
        M[k * d + k] = 1 / pivot;
    }
    return true;
}

static bool weigh(cones *all, int i) {
    int d = all->d;
    double *D = all->weight + (size_t)i * (size_t)(d * d);
    memset(D, 0, (size_t)(d * d) * sizeof *D);
    if (all->pieces[i] == 0)
        for (int k = 0; k < d; k++) D[k * d + k] = joint_weight / all->D[i];
    for (int j = 0; j < all->pieces[i]; j++)
        if (!scree_lorentz_prepare(&all->piece[i * PIECES + j].cone)) return false;
    for (int j = 0; j < all->pieces[i]; j++)
        add_weight(all->piece + i * PIECES + j, d, all->pieces[i] == 2, D);
    return all->pieces[i] < 2 || invert(D, d);
}

bool scree_interior_cones_weigh(cones *all) {
    for (int i = 0; i < all->nc; i++)
        if (!weigh(all, i)) return false;
    return true;
}

// ---- right sides

void scree_interior_cones_subtract(const cones *all, double *miss) {
    for (int i = 0; i < all->nc; i++, miss += all->d) {
        if (scree_cone_of(all->problem, i).free) continue;
        double tangential[SCREE_CONE_MAX] = { 0 };
        for (int j = 0; j < all->pieces[i]; j++) {
            const piece *one = all->piece + i * PIECES + j;
            miss[0] -= one->mu * one->cone.y[0];
            for (int a = 1; a <= one->cone.k; a++)
                tangential[index_of(one, a)] = miss[index_of(one, a)] - one->cone.y[a];
        }
        for (int k = 1; k < all->d; k++) miss[k] = tangential[k];
    }
}

void scree_interior_cones_predict(cones *all) {
    for (int i = 0; i < all->nc; i++)
        for (int j = 0; j < all->pieces[i]; j++) {
            piece *one = all->piece + i * PIECES + j;
            for (int a = 0; a <= one->cone.k; a++) one->cone.c[a] = -one->cone.x[a];
        }
}

void scree_interior_cones_correct(cones *all, double target) {
    for (int i = 0; i < all->nc; i++)
        for (int j = 0; j < all->pieces[i]; j++)
            scree_lorentz_correct(&all->piece[i * PIECES + j].cone, target);
}

void scree_interior_cones_forget(cones *all) {
    for (int i = 0; i < all->nc * PIECES; i++) {
        memset(all->piece[i].cone.dx, 0, sizeof all->piece[i].cone.dx);
        memset(all->piece[i].cone.dy, 0, sizeof all->piece[i].cone.dy);
    }
}

// c of the contact: dr + D ds = c
static void gather_right(const cones *all, int i, double *c) {
    int d = all->d;
    const double *D = all->weight + (size_t)i * (size_t)(d * d);
    double e[SCREE_CONE_MAX] = { 0 };
    for (int j = 0; j < all->pieces[i]; j++) {
        const piece *one = all->piece + i * PIECES + j;
        double z[SCREE_LORENTZ_MAX];
        memcpy(z, one->cone.c, sizeof z);
        if (all->pieces[i] == 2) {
            scree_lorentz_unscale(&one->cone, z, z);
            scree_lorentz_unscale(&one->cone, z, z);
        }
        for (int a = 0; a <= one->cone.k; a++)
            e[index_of(one, a)] +=
                all->pieces[i] == 2 ? factor_of(one, a) * z[a] : z[a] / factor_of(one, a);
    }
    for (int r = 0; r < d; r++) {
        c[r] = all->pieces[i] == 2 ? 0 : e[r];
        for (int k = 0; all->pieces[i] == 2 && k < d; k++) c[r] += D[r * d + k] * e[k];
    }
}

void scree_interior_cones_gather(const cones *all, const double *miss, double *g) {
    int d = all->d;
    for (int i = 0; i < all->nc; i++, miss += d, g += d) {
        const double *D = all->weight + (size_t)i * (size_t)(d * d);
        gather_right(all, i, g);
        for (int r = 0; r < d; r++)
            for (int k = 0; k < d; k++) g[r] -= D[r * d + k] * miss[k];
    }
}

// ---- steps

// dx and dy of the pieces of a contact
static void spread_step(cones *all, int i, const double *dr, const double *ds) {
    for (int j = 0; j < all->pieces[i]; j++) {
        piece *one = all->piece + i * PIECES + j;
        for (int a = 0; a <= one->cone.k; a++)
            one->cone.dx[a] = factor_of(one, a) * dr[index_of(one, a)];
        if (all->pieces[i] == 1) {
            for (int a = 0; a <= one->cone.k; a++)
                one->cone.dy[a] = ds[index_of(one, a)] / factor_of(one, a);
            continue;
        }
        double z[SCREE_LORENTZ_MAX] = { 0 };
        for (int a = 0; a <= one->cone.k; a++) z[a] = one->cone.c[a] - one->cone.dx[a];
        scree_lorentz_unscale(&one->cone, z, z);
        scree_lorentz_unscale(&one->cone, z, one->cone.dy);
    }
}

void scree_interior_cones_spread(cones *all, const double *dr, const double *ds) {
    for (int i = 0; i < all->nc; i++) spread_step(all, i, dr + i * all->d, ds + i * all->d);
}

double scree_interior_cones_step(const cones *all) {
    double length = HUGE_VAL;
    for (int i = 0; i < all->nc; i++)
        for (int j = 0; j < all->pieces[i]; j++)
            length = fmin(length, scree_lorentz_step(&all->piece[i * PIECES + j].cone));
    return length;
}

double scree_interior_cones_mean(const cones *all, double length) {
    double sum = 0;
    for (int i = 0; i < all->nc; i++)
        for (int j = 0; j < all->pieces[i]; j++) {
            const piece *one = all->piece + i * PIECES + j;
            for (int a = 0; a <= one->cone.k; a++)
                sum += (one->cone.x[a] + length * one->cone.dx[a]) *
                       (one->cone.y[a] + length * one->cone.dy[a]);
        }
    return all->cones > 0 ? sum / all->cones : 0;
}

void scree_interior_cones_take(cones *all, double length, const double *r) {
    for (int i = 0; i < all->nc; i++)
        for (int j = 0; j < all->pieces[i]; j++) {
            piece *one = all->piece + i * PIECES + j;
            for (int a = 0; a <= one->cone.k; a++) {
                one->cone.x[a] = factor_of(one, a) * r[i * all->d + index_of(one, a)];
                one->cone.y[a] += length * one->cone.dy[a];
            }
        }
}
