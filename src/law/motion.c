// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// motion.c - M v = f + H^T p, s = H v + w: the matrices of a problem by bodies.
// in: H and A by parts, v_free, b.   out: M = A^-1, H, f = M v_free, w = b - H v_free.
//
// A row with compliance c acts on a degree of freedom of its own besides, of mass 1/c: an impulse p
// gives it the velocity c p.

#include "law/motion.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#include "base/space.h"
#include "law/bodies.h"

// a body that impulses move, but cannot push or turn, would have an infinite inertia
static bool is_regular(const scree_bodies *bodies, int body) {
    double J[6];
    if (!scree_bodies_moves(bodies, body)) return true;
    const double *inverse = bodies->inverse + (size_t)body * (bodies->width == 3 ? 2 : 7);
    if (!(inverse[0] > 0)) return false;
    return bodies->width == 3 ? inverse[1] > 0 : scree_symmetric_inverse(inverse + 1, J);
}

bool scree_motion_known(const scree_problem *problem) {
    const scree_bodies *bodies = problem->bodies;
    for (int k = 0; k < bodies->rigid; k++)
        if (!is_regular(bodies, k)) return false;
    for (int k = 0; k < bodies->parts; k++)
        if (!bodies->part[k].factor) return false;
    return !bodies->unsymmetric;
}

// M of one part, dense (width x width)
static void inertia_of(const scree_bodies *bodies, int part, double *M) {
    int n = scree_bodies_width(bodies, part);
    if (part >= bodies->rigid) {
        const double *L = bodies->part[part - bodies->rigid].factor;
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) {
                M[i * n + j] = 0;
                for (int k = 0; k <= (i < j ? i : j); k++)
                    M[i * n + j] += L[i * n + k] * L[j * n + k];
            }
        return;
    }
    memset(M, 0, (size_t)(n * n) * sizeof *M);
    if (n == 3) {
        const double *inverse = bodies->inverse + 2 * (size_t)part;
        M[0] = M[4] = 1 / inverse[0];
        M[8] = 1 / inverse[1];
        return;
    }
    const double *inverse = bodies->inverse + 7 * (size_t)part;
    double J[6] = { 0 };
    scree_symmetric_inverse(inverse + 1, J);
    const double full[9] = { J[0], J[1], J[2], J[1], J[3], J[4], J[2], J[4], J[5] };
    for (int k = 0; k < 3; k++) {
        M[7 * k] = 1 / inverse[0];
        for (int j = 0; j < 3; j++) M[6 * (3 + k) + 3 + j] = full[3 * k + j];
    }
}

typedef struct matrices {  // of the motion while it is made
    int dofs, *M_first, *M_row, *H_first, *H_dof;
    double *M, *H, *f, *w;
    int *first;       // degree of freedom of each part, -1: it does not move (parts)
    int soft;         // the first degree of freedom of rows with compliance
    double *inertia;  // of one part (widest x widest)
} matrices;

// rows of contact i that are soft
static int soft_rows(const scree_problem *problem, int i) {
    int count = 0, d = problem->dimension;
    for (int k = 0; problem->compliance && k < d; k++) count += problem->compliance[i * d + k] > 0;
    return count;
}

static bool draw(const scree_problem *problem, scree_arena *arena, matrices *to) {
    const scree_bodies *bodies = problem->bodies;
    int parts = bodies->rigid + bodies->parts, widest = bodies->width;
    size_t d = (size_t)problem->dimension, nc = (size_t)problem->contacts;
    double entries = 0, columns = 0;
    to->first = SCREE_NEW(arena, int, parts);
    if (!to->first) return false;
    for (int k = 0; k < parts; k++) {
        int width = scree_bodies_width(bodies, k);
        to->first[k] = scree_bodies_moves(bodies, k) ? to->dofs : -1;
        if (to->first[k] < 0) continue;
        to->dofs += width;
        entries += (double)width * width;
        if (width > widest) widest = width;
    }
    scree_frame_rows room;
    const scree_jacobian_block *block;
    for (int i = 0; i < problem->contacts; i++) {
        int count = scree_bodies_rows(problem, i, &room, &block);
        for (int k = 0; k < count; k++) columns += scree_bodies_width(bodies, block[k].part);
        columns += soft_rows(problem, i);
    }
    to->soft = to->dofs;
    for (int i = 0; i < problem->contacts; i++) to->dofs += soft_rows(problem, i);
    entries += to->dofs - to->soft;
    if (entries > INT_MAX || columns > INT_MAX) return false;
    to->M_first = SCREE_NEW(arena, int, to->dofs + 1);
    to->M_row = SCREE_NEW(arena, int, entries);
    to->M = SCREE_NEW(arena, double, entries);
    to->H_first = SCREE_NEW(arena, int, nc + 1);
    to->H_dof = SCREE_NEW(arena, int, columns);
    to->H = SCREE_NEW(arena, double, ((size_t)columns * d));
    to->f = SCREE_NEW(arena, double, to->dofs);
    to->w = SCREE_NEW(arena, double, (nc * d));
    to->inertia = SCREE_NEW(arena, double, ((size_t)widest * (size_t)widest));
    return to->M_first && to->M_row && to->M && to->H_first && to->H_dof && to->H && to->f &&
           to->w && to->inertia;
}

static void fill_M(const scree_problem *problem, matrices *to) {
    const scree_bodies *bodies = problem->bodies;
    int at = 0;
    for (int k = 0; k < bodies->rigid + bodies->parts; k++) {
        int n = scree_bodies_width(bodies, k), dof = to->first[k];
        if (dof < 0) continue;
        inertia_of(bodies, k, to->inertia);
        for (int j = 0; j < n; j++) {
            const double *v = bodies->v_free ? bodies->v_free + scree_bodies_dof(bodies, k) : NULL;
            for (int i = 0; i < n; i++) {
                double value = to->inertia[i * n + j];
                if (v) to->f[dof + i] += value * v[j];
                if (value == 0) continue;
                to->M_row[at] = dof + i;
                to->M[at++] = value;
            }
            to->M_first[dof + j + 1] = at;
        }
    }
    for (int k = 0, dof = to->soft; dof < to->dofs; k++) {
        if (!(problem->compliance[k] > 0)) continue;
        to->M_row[at] = dof;
        to->M[at++] = 1 / problem->compliance[k];
        to->M_first[++dof] = at;
    }
}

// the columns of one block, which ascend as its part's do; what they add to s goes out of w
static void fill_block(const scree_problem *problem, const scree_jacobian_block *block, double *w,
                       int *at, matrices *to) {
    const scree_bodies *bodies = problem->bodies;
    int d = problem->dimension, width = scree_bodies_width(bodies, block->part);
    int columns = block->columns ? block->columns : width;
    for (int c = 0; c < columns; c++) {
        int own = block->columns ? block->column[c] : c;
        double v = bodies->v_free ? bodies->v_free[scree_bodies_dof(bodies, block->part) + own] : 0;
        to->H_dof[*at] = to->first[block->part] + own;
        for (int r = 0; r < d; r++) {
            double H = block->H[r * columns + c];
            to->H[(size_t)*at * (size_t)d + (size_t)r] = H;
            w[r] -= H * v;
        }
        (*at)++;
    }
}

static void fill_H(const scree_problem *problem, matrices *to) {
    size_t d = (size_t)problem->dimension;
    scree_frame_rows room;
    const scree_jacobian_block *block;
    int at = 0, soft = to->soft;
    memcpy(to->w, problem->b, (size_t)problem->contacts * d * sizeof *to->w);
    for (int i = 0; i < problem->contacts; i++) {
        int count = scree_bodies_rows(problem, i, &room, &block);
        int low = count == 2 && block[1].part < block[0].part;  // degrees of freedom ascend
        for (int k = 0; k < count; k++) {
            const scree_jacobian_block *one = &block[count == 2 ? k ^ low : k];
            if (to->first[one->part] >= 0) fill_block(problem, one, to->w + (size_t)i * d, &at, to);
        }
        for (size_t k = 0; problem->compliance && k < d; k++) {
            if (!(problem->compliance[(size_t)i * d + k] > 0)) continue;
            to->H_dof[at] = soft++;
            to->H[(size_t)at++ * d + k] = 1;
        }
        to->H_first[i + 1] = at;
    }
}

const scree_motion *scree_motion_of_bodies(const scree_problem *problem, scree_arena *arena) {
    matrices to = { 0 };
    scree_motion *motion = SCREE_NEW(arena, scree_motion, 1);
    if (!motion || !draw(problem, arena, &to)) return NULL;
    fill_M(problem, &to);
    fill_H(problem, &to);
    *motion = (scree_motion){ .dofs = to.dofs,
                              .M_first = to.M_first,
                              .M_row = to.M_row,
                              .M = to.M,
                              .H_first = to.H_first,
                              .H_dof = to.H_dof,
                              .H = to.H,
                              .f = to.f,
                              .w = to.w };
    return motion;
}
