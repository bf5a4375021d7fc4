// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// semidefinite.c - a stiffness that does not hold everything: what closed contacts hold besides.
// in: stiffness, contacts.   out: directions without resistance; K and F with springs.

#include "lab/semidefinite.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// P^T K P = L L^T as far as there are pivots: A is overwritten by L, order by P; returns the rank,
// -1 if what is left is not zero
static int factor(double *A, int n, int *order, double tolerance) {
    for (int j = 0; j < n; j++) {
        int best = j;
        for (int i = j; i < n; i++) {
            if (A[i * n + i] < -tolerance) return -1;
            if (A[i * n + i] > A[best * n + best]) best = i;
        }
        if (A[best * n + best] <= tolerance) {
            for (int i = j; i < n; i++)
                for (int k = j; k <= i; k++)
                    if (fabs(A[i * n + k]) > tolerance) return -1;
            return j;
        }
        for (int k = 0; k < n && best != j; k++) {
            double keep = A[j * n + k];
            A[j * n + k] = A[best * n + k];
            A[best * n + k] = keep;
        }
        for (int k = 0; k < n && best != j; k++) {
            double keep = A[k * n + j];
            A[k * n + j] = A[k * n + best];
            A[k * n + best] = keep;
        }
        int kept = order[j];
        order[j] = order[best];
        order[best] = kept;
        double root = sqrt(A[j * n + j]);
        for (int i = j; i < n; i++) A[i * n + j] /= root;
        for (int i = j + 1; i < n; i++)
            for (int k = j + 1; k < n; k++) A[i * n + k] -= A[i * n + j] * A[k * n + j];
    }
    return n;
}

int scree_semidefinite_null(const double *K, int n, double *z) {
    double *A = malloc((size_t)n * (size_t)n * sizeof *A), most = 0;
    int *order = malloc((size_t)n * sizeof *order);
    int rank = -2;
    if (A && order) {
        memcpy(A, K, (size_t)n * (size_t)n * sizeof *A);
        for (int i = 0; i < n; i++) {
            order[i] = i;
            most = fmax(most, fabs(K[i * n + i]));
        }
        rank = factor(A, n, order, 64 * n * DBL_EPSILON * most);
    }
    // L_11^T x = -L_21^T e for each row behind the last pivot
    for (int v = 0; rank >= 0 && v < n - rank; v++) {
        double *x = z + (size_t)v * (size_t)n;
        memset(x, 0, (size_t)n * sizeof *x);
        x[order[rank + v]] = 1;
        for (int i = rank - 1; i >= 0; i--) {
            double sum = A[(rank + v) * n + i];
            for (int k = i + 1; k < rank; k++) sum += A[k * n + i] * x[order[k]];
            x[order[i]] = -sum / A[i * n + i];
        }
    }
    free(A);
    free(order);
    return rank >= 0 ? n - rank : rank;
}

static double size_of(const double *row, int n) {
    double sum = 0;
    for (int k = 0; k < n; k++) sum += row[k] * row[k];
    return sum;
}

static void add_spring(const double *row, int n, double s, double gap, double *K, double *F) {
    for (int i = 0; i < n; i++) {
        F[i] -= s * gap * row[i];
        for (int k = 0; k < n; k++) K[i * n + k] += s * row[i] * row[k];
    }
}

void scree_semidefinite_stiffen(const scree_equilibrium_system *system, uint64_t closed,
                                bool tangents, double *K, double *F) {
    int n = system->coordinates;
    double most = 0;
    memcpy(K, system->stiffness, (size_t)n * (size_t)n * sizeof *K);
    memcpy(F, system->load, (size_t)n * sizeof *F);
    for (int i = 0; i < n; i++) most = fmax(most, K[i * n + i]);
    if (!(most > 0)) most = 1;
    for (int c = 0; c < system->contacts; c++) {
        const double *normal = system->normal + c * n, *tangent = system->tangent + c * n;
        if (!(closed >> c & 1)) continue;
        if (size_of(normal, n) > 0)
            add_spring(normal, n, most / size_of(normal, n), system->gap[c], K, F);
        if (tangents && system->mu[c] > 0 && size_of(tangent, n) > 0)
            add_spring(tangent, n, most / size_of(tangent, n), 0, K, F);
    }
}
