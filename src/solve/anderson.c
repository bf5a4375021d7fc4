// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// anderson.c - Anderson's acceleration by normal equations on columns of length 1.
//
// A little of the identity is added to them: nearly parallel columns then share their weight
// instead of taking huge ones of opposite sign.

#include "solve/anderson.h"

#include <math.h>
#include <string.h>

#include "base/dense.h"

static const double regularisation = 1e-10;  // against 1, the squared length of a scaled column

bool scree_anderson_init(scree_anderson *anderson, int n, int m, const double *weight,
                         scree_arena *arena) {
    if (m > SCREE_ANDERSON_MAX) m = SCREE_ANDERSON_MAX;
    size_t length = (size_t)n, all = length * (size_t)m;
    double *room = SCREE_ROOM(arena, double, 2 * all + 3 * length + (size_t)(m * m));
    if (!room) return false;
    *anderson = (scree_anderson){
        .n = n,
        .m = m,
        .weight = weight,
        .dG = room,
        .dT = room + all,
        .G = room + 2 * all,
        .last_G = room + 2 * all + length,
        .last_T = room + 2 * all + 2 * length,
        .gram = room + 2 * all + 3 * length,
    };
    return true;
}

void scree_anderson_reset(scree_anderson *anderson) {
    anderson->count = anderson->next = 0;
    anderson->started = false;
}

// the change since the last step becomes a column, over the oldest one
static void add_column(scree_anderson *a, const double *T) {
    int at = a->next;
    double *dG = a->dG + (size_t)at * (size_t)a->n, *dT = a->dT + (size_t)at * (size_t)a->n;
    for (int i = 0; i < a->n; i++) {
        dG[i] = a->G[i] - a->last_G[i];
        dT[i] = T[i] - a->last_T[i];
    }
    if (a->count < a->m) a->count++;
    a->next = (at + 1) % a->m;
    for (int j = 0; j < a->count; j++)
        a->gram[at * a->m + j] = a->gram[j * a->m + at] =
            scree_dense_dot(dG, a->dG + (size_t)j * (size_t)a->n, a->n);
}

// gamma of the least residual; false when the columns say nothing
static bool find_weights(const scree_anderson *a, double *gamma) {
    double A[SCREE_ANDERSON_MAX * SCREE_ANDERSON_MAX], length[SCREE_ANDERSON_MAX];
    int k = a->count;
    for (int i = 0; i < k; i++) {
        length[i] = sqrt(a->gram[i * a->m + i]);
        if (!(length[i] > 0 && isfinite(length[i]))) return false;
        gamma[i] = scree_dense_dot(a->dG + (size_t)i * (size_t)a->n, a->G, a->n) / length[i];
    }
    for (int i = 0; i < k; i++)
        for (int j = 0; j < k; j++) A[i * k + j] = a->gram[i * a->m + j] / (length[i] * length[j]);
    for (int i = 0; i < k; i++) A[i * k + i] += regularisation;
    if (scree_dense_cholesky(A, k) != 0) return false;
    scree_dense_solve(A, k, gamma);
    for (int i = 0; i < k; i++) gamma[i] /= length[i];
    return true;
}

void scree_anderson_mix(scree_anderson *a, const double *T, double *x) {
    double gamma[SCREE_ANDERSON_MAX];
    for (int i = 0; i < a->n; i++) a->G[i] = (T[i] - x[i]) * (a->weight ? a->weight[i] : 1);
    if (a->started) add_column(a, T);
    memcpy(a->last_G, a->G, (size_t)a->n * sizeof *a->G);
    memcpy(a->last_T, T, (size_t)a->n * sizeof *T);
    a->started = true;
    memcpy(x, T, (size_t)a->n * sizeof *x);
    if (a->count == 0) return;
    if (!find_weights(a, gamma)) {
        scree_anderson_reset(a);
        return;
    }
    for (int j = 0; j < a->count; j++) {
        const double *dT = a->dT + (size_t)j * (size_t)a->n;
        for (int i = 0; i < a->n; i++) x[i] -= gamma[j] * dT[i];
    }
}
