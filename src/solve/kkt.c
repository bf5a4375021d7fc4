// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// kkt.c - the linear system of kkt.h, on the graph of bodies or on the graph of contacts.
// in: problem, weights D, impulses g.   out: q, u.   work: pattern, values and factor of the
// matrix.

#include "solve/kkt.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/order.h"
#include "base/sparse_cholesky.h"
#include "base/sparse_rows.h"
#include "law/cone.h"

typedef struct matrix {  // the matrix of one graph: lower triangle by columns
    int n;
    int *first, *row;
    double *value;
    scree_sparse_cholesky *chol;
} matrix;

typedef struct edge {  // two contacts i <= j that W couples
    int i, j;
} edge;

struct scree_kkt {
    const scree_problem *problem;
    scree_arena arena;
    matrix matrix;
    bool by_bodies;
    double *C;    // factors of the weights (nc x d x d), by contacts; the weights by bodies
    double *x;    // right side and solution (n)
    double *t;    // a vector of contacts (nc x d)
    edge *edges;  // by contacts: pairs that are coupled, i <= j, in order
    int edge_count;
    double *W;     // by contacts: symmetric part, a block (i, j) for each edge
    int *rank;     // by contacts: of each weight (nc)
    int *scatter;  // by bodies: where the pairs of degrees of freedom of each contact go
    int *scatter_first;
    double *M;  // by bodies: values of M in the pattern
};

// ---- the graph of contacts: 1 + C^T W C

static int compare_edges(const void *a, const void *b) {
    const edge *x = a, *y = b;
    return x->i != y->i ? (x->i > y->i) - (x->i < y->i) : (x->j > y->j) - (x->j < y->j);
}

bool scree_kkt_exact(const scree_problem *problem) {
    int d = problem->dimension;
    double largest = 0, apart = 0;
    for (int i = 0; i < problem->contacts; i++)
        for (int at = problem->row[i]; at < problem->row[i + 1]; at++) {
            const double *W = problem->block + (size_t)at * (size_t)(d * d);
            int twin =
                scree_sparse_rows_find(problem->row, problem->column, problem->column[at], i);
            if (twin < 0) return false;
            const double *V = problem->block + (size_t)twin * (size_t)(d * d);
            for (int r = 0; r < d; r++)
                for (int c = 0; c < d; c++) {
                    largest = fmax(largest, fabs(W[r * d + c]));
                    apart = fmax(apart, fabs(W[r * d + c] - V[c * d + r]));
                }
        }
    return apart <= 64 * DBL_EPSILON * largest;
}

// the pairs of coupled contacts, each once, in order: W may hold either block or both
static bool find_edges(scree_kkt *kkt) {
    const scree_problem *problem = kkt->problem;
    int nc = problem->contacts, count = 0;
    bool ordered = true;
    edge *edges = SCREE_NEW(&kkt->arena, edge, problem->row[nc]);
    if (!edges) return false;
    for (int i = 0; i < nc; i++)
        for (int at = problem->row[i]; at < problem->row[i + 1]; at++) {
            int j = problem->column[at];
            if (j >= i)
                edges[count++] = (edge){ i, j };
            else if (scree_sparse_rows_find(problem->row, problem->column, j, i) < 0) {
                edges[count++] = (edge){ j, i };
                ordered = false;
            }
        }
    if (!ordered) qsort(edges, (size_t)count, sizeof *edges, compare_edges);
    kkt->edges = edges;
    kkt->edge_count = count;
    return true;
}

static bool find_symmetric_part(scree_kkt *kkt) {
    const scree_problem *problem = kkt->problem;
    int d = problem->dimension;
    size_t dd = (size_t)(d * d);
    kkt->W = SCREE_NEW(&kkt->arena, double, (dd * (size_t)kkt->edge_count));
    if (!kkt->W) return false;
    for (int e = 0; e < kkt->edge_count; e++) {
        edge pair = kkt->edges[e];
        int upper = scree_sparse_rows_find(problem->row, problem->column, pair.i, pair.j),
            lower = scree_sparse_rows_find(problem->row, problem->column, pair.j, pair.i);
        const double *A = problem->block + dd * (size_t)upper;
        const double *B = problem->block + dd * (size_t)lower;
        double *W = kkt->W + dd * (size_t)e;
        for (int r = 0; r < d; r++)
            for (int c = 0; c < d; c++)
                W[r * d + c] =
                    0.5 * ((upper < 0 ? 0 : A[r * d + c]) + (lower < 0 ? 0 : B[c * d + r]));
    }
    return true;
}

// block column i of the lower triangle holds the blocks (j, i) of its edges
static bool pattern_of_contacts(scree_kkt *kkt) {
    int nc = kkt->problem->contacts, d = kkt->problem->dimension;
    matrix *A = &kkt->matrix;
    if (!find_edges(kkt) || !find_symmetric_part(kkt)) return false;
    size_t entries = (size_t)kkt->edge_count * (size_t)(d * d);
    if (entries > INT32_MAX) return false;
    A->n = nc * d;
    A->first = SCREE_NEW(&kkt->arena, int, A->n + 1);
    A->row = SCREE_NEW(&kkt->arena, int, entries);
    A->value = SCREE_NEW(&kkt->arena, double, entries);
    kkt->rank = SCREE_NEW(&kkt->arena, int, nc);
    if (!A->first || !A->row || !A->value || !kkt->rank) return false;
    int next = 0;
    for (int begin = 0, end; begin < kkt->edge_count; begin = end) {
        int i = kkt->edges[begin].i;
        for (end = begin; end < kkt->edge_count && kkt->edges[end].i == i;) end++;
        for (int c = 0; c < d; c++) {
            for (int e = begin; e < end; e++)
                for (int r = e == begin ? c : 0; r < d; r++)
                    A->row[next++] = kkt->edges[e].j * d + r;
            A->first[i * d + c + 1] = next;
        }
    }
    A->chol = scree_sparse_cholesky_new(A->n, A->first, A->row);
    return A->chol;
}

// C with D = C C^T, columns beyond the rank zero: Cholesky with the largest pivot first. Returns
// the rank.
static int factor_weight(const double *D, int d, double *C) {
    double R[SCREE_CONE_MAX * SCREE_CONE_MAX], largest = 0;
    memcpy(R, D, (size_t)(d * d) * sizeof *R);
    memset(C, 0, (size_t)(d * d) * sizeof *C);
    for (int k = 0; k < d; k++) largest = fmax(largest, R[k * d + k]);
    for (int k = 0; k < d * d; k++)
        if (!isfinite(R[k])) C[0] = NAN;  // the factorisation will say no
    for (int k = 0; k < d; k++) {
        int pivot = 0;
        for (int i = 1; i < d; i++)
            if (R[i * d + i] > R[pivot * d + pivot]) pivot = i;
        double size = R[pivot * d + pivot];
        if (!(size > 8 * DBL_EPSILON * largest)) return isnan(C[0]) ? d : k;
        double root = sqrt(size), column[SCREE_CONE_MAX];
        for (int i = 0; i < d; i++) C[i * d + k] = column[i] = R[i * d + pivot] / root;
        for (int i = 0; i < d; i++)
            for (int j = 0; j < d; j++) R[i * d + j] -= column[i] * column[j];
        R[pivot * d + pivot] = 0;
    }
    return d;
}

// S = C_i^T W_ij C_j
static inline __attribute__((always_inline)) void congruence(const double *Ci, const double *W,
                                                             const double *Cj, int d, double *S) {
    double T[SCREE_CONE_MAX * SCREE_CONE_MAX];
    for (int r = 0; r < d; r++)
        for (int c = 0; c < d; c++) {
            double sum = 0;
            for (int k = 0; k < d; k++) sum += W[r * d + k] * Cj[k * d + c];
            T[r * d + c] = sum;
        }
    for (int r = 0; r < d; r++)
        for (int c = 0; c < d; c++) {
            double sum = 0;
            for (int k = 0; k < d; k++) sum += Ci[k * d + r] * T[k * d + c];
            S[r * d + c] = sum;
        }
}

static inline __attribute__((always_inline)) void values_of_dimension(scree_kkt *kkt, int d) {
    size_t dd = (size_t)(d * d);
    matrix *A = &kkt->matrix;
    for (int e = 0, begin = 0; e < kkt->edge_count; e++) {
        edge pair = kkt->edges[e];
        if (pair.i == pair.j) begin = e;
        double S[SCREE_CONE_MAX * SCREE_CONE_MAX] = { 0 };
        if (kkt->rank[pair.i] > 0 && kkt->rank[pair.j] > 0)
            congruence(kkt->C + dd * (size_t)pair.i, kkt->W + dd * (size_t)e,
                       kkt->C + dd * (size_t)pair.j, d, S);
        for (int c = 0; c < d; c++) {  // row c of block (i, j) is column c of block (j, i)
            double *value = A->value + A->first[pair.i * d + c];
            if (e == begin)
                for (int r = c; r < d; r++) value[r - c] = S[c * d + r] + (r == c);
            else
                for (int r = 0; r < d; r++) value[(e - begin) * d - c + r] = S[c * d + r];
        }
    }
}

static void values_of_contacts(scree_kkt *kkt, const double *D) {
    int nc = kkt->problem->contacts, d = kkt->problem->dimension;
    size_t dd = (size_t)(d * d);
    for (int i = 0; i < nc; i++)
        kkt->rank[i] = factor_weight(D + dd * (size_t)i, d, kkt->C + dd * (size_t)i);
    if (d == 3)  // loops of known length are worth it
        values_of_dimension(kkt, 3);
    else if (d == 2)
        values_of_dimension(kkt, 2);
    else
        values_of_dimension(kkt, d);
}

static inline __attribute__((always_inline)) void product_of_dimension(const scree_kkt *kkt,
                                                                       const double *x, double *t,
                                                                       int d) {
    for (int e = 0; e < kkt->edge_count; e++) {
        const double *W = kkt->W + (size_t)e * (size_t)(d * d);
        int i = kkt->edges[e].i * d, j = kkt->edges[e].j * d;
        for (int r = 0; r < d; r++) {
            double sum = 0;
            for (int c = 0; c < d; c++) sum += W[r * d + c] * x[j + c];
            t[i + r] += sum;
        }
        if (i == j) continue;
        for (int c = 0; c < d; c++) {
            double sum = 0;
            for (int r = 0; r < d; r++) sum += W[r * d + c] * x[i + r];
            t[j + c] += sum;
        }
    }
}

// t = Ws x
static void product(const scree_kkt *kkt, const double *x, double *t) {
    int nc = kkt->problem->contacts, d = kkt->problem->dimension;
    memset(t, 0, (size_t)nc * (size_t)d * sizeof *t);
    if (d == 3)
        product_of_dimension(kkt, x, t, 3);
    else if (d == 2)
        product_of_dimension(kkt, x, t, 2);
    else
        product_of_dimension(kkt, x, t, d);
}

// q = g - C z,  (1 + C^T Ws C) z = C^T t
static void answer(scree_kkt *kkt, const double *t, const double *g, double *q) {
    int nc = kkt->problem->contacts, d = kkt->problem->dimension;
    for (int i = 0; i < nc; i++)
        for (int c = 0; c < d; c++) {
            const double *C = kkt->C + (size_t)i * (size_t)(d * d);
            double sum = 0;
            for (int r = 0; r < d; r++) sum += C[r * d + c] * t[i * d + r];
            kkt->x[i * d + c] = sum;
        }
    scree_sparse_cholesky_solve(kkt->matrix.chol, kkt->x);
    for (int i = 0; i < nc; i++)
        for (int r = 0; r < d; r++) {
            const double *C = kkt->C + (size_t)i * (size_t)(d * d);
            double sum = 0;
            for (int c = 0; c < d; c++) sum += C[r * d + c] * kkt->x[i * d + c];
            q[i * d + r] = g ? g[i * d + r] - sum : sum;
        }
}

static void solve_by_contacts(scree_kkt *kkt, const double *g, double *q, double *u) {
    product(kkt, g, kkt->t);
    answer(kkt, kkt->t, g, q);
    product(kkt, q, u);
}

// ---- the graph of bodies: M + H^T D H

// the rows of each column of the lower triangle, ascending: M's, and those coupled by contacts
static bool rows_of_bodies(scree_kkt *kkt) {
    const scree_motion *motion = kkt->problem->motion;
    int nc = kkt->problem->contacts, n = motion->dofs;
    matrix *A = &kkt->matrix;
    // which contacts act on each degree of freedom
    int *first = SCREE_NEW(&kkt->arena, int, n + 1), *mark = SCREE_NEW(&kkt->arena, int, n);
    int *contact = SCREE_NEW(&kkt->arena, int, motion->H_first[nc]);
    A->first = SCREE_NEW(&kkt->arena, int, n + 1);
    if (!first || !mark || !contact || !A->first) return false;
    for (int k = 0; k < motion->H_first[nc]; k++) first[motion->H_dof[k] + 1]++;
    for (int j = 0; j < n; j++) first[j + 1] += first[j];
    for (int i = 0; i < nc; i++)
        for (int k = motion->H_first[i]; k < motion->H_first[i + 1]; k++)
            contact[first[motion->H_dof[k]] + mark[motion->H_dof[k]]++] = i;
    memset(mark, 0, (size_t)n * sizeof *mark);
    for (int pass = 0; pass < 2; pass++) {  // count, then fill
        long entries = 0;
        for (int j = 0; j < n; j++) {
            int stamp = pass * n + j + 1, *row = pass ? A->row + A->first[j] : NULL, count = 0;
            mark[j] = stamp;
            if (pass) row[count] = j;
            count++;
            for (int k = motion->M_first[j]; k < motion->M_first[j + 1]; k++) {
                int r = motion->M_row[k];
                if (r <= j || mark[r] == stamp) continue;
                mark[r] = stamp;
                if (pass) row[count] = r;
                count++;
            }
            for (int e = first[j]; e < first[j + 1]; e++)
                for (int k = motion->H_first[contact[e]]; k < motion->H_first[contact[e] + 1];
                     k++) {
                    int r = motion->H_dof[k];
                    if (r <= j || mark[r] == stamp) continue;
                    mark[r] = stamp;
                    if (pass) row[count] = r;
                    count++;
                }
            if (pass) qsort(row, (size_t)count, sizeof *row, scree_order_ints);
            entries += count;
            if (entries > INT32_MAX / 2) return false;
            if (!pass) A->first[j + 1] = (int)entries;
        }
        if (pass) break;
        A->n = n;
        A->row = SCREE_NEW(&kkt->arena, int, entries);
        A->value = SCREE_NEW(&kkt->arena, double, entries);
        if (!A->row || !A->value) return false;
    }
    return true;
}

static int entry_of(const matrix *A, int row, int column) {
    const int *begin = A->row + A->first[column];
    const int *found = bsearch(&row, begin, (size_t)(A->first[column + 1] - A->first[column]),
                               sizeof row, scree_order_ints);
    return (int)(found - A->row);
}

static bool pattern_of_bodies(scree_kkt *kkt) {
    const scree_motion *motion = kkt->problem->motion;
    int nc = kkt->problem->contacts;
    matrix *A = &kkt->matrix;
    if (!rows_of_bodies(kkt)) return false;
    kkt->M = SCREE_NEW(&kkt->arena, double, A->first[A->n]);
    kkt->scatter_first = SCREE_NEW(&kkt->arena, int, nc + 1);
    if (!kkt->M || !kkt->scatter_first) return false;
    for (int j = 0; j < A->n; j++)
        for (int k = motion->M_first[j]; k < motion->M_first[j + 1]; k++) {
            int r = motion->M_row[k], low = r > j ? j : r, high = r > j ? r : j;
            kkt->M[entry_of(A, high, low)] += (r == j ? 1 : 0.5) * motion->M[k];
        }
    for (int i = 0; i < nc; i++) {
        int width = motion->H_first[i + 1] - motion->H_first[i];
        kkt->scatter_first[i + 1] = kkt->scatter_first[i] + width * (width + 1) / 2;
    }
    kkt->scatter = SCREE_NEW(&kkt->arena, int, kkt->scatter_first[nc]);
    if (!kkt->scatter) return false;
    for (int i = 0; i < nc; i++) {
        int *next = kkt->scatter + kkt->scatter_first[i];
        for (int k = motion->H_first[i]; k < motion->H_first[i + 1]; k++)
            for (int l = k; l < motion->H_first[i + 1]; l++)
                *next++ = entry_of(A, motion->H_dof[l], motion->H_dof[k]);
    }
    A->chol = scree_sparse_cholesky_new(A->n, A->first, A->row);
    return A->chol;
}

static void values_of_bodies(scree_kkt *kkt, const double *D) {
    const scree_motion *motion = kkt->problem->motion;
    int nc = kkt->problem->contacts, d = kkt->problem->dimension;
    matrix *A = &kkt->matrix;
    memcpy(kkt->C, D, (size_t)nc * (size_t)(d * d) * sizeof *D);
    memcpy(A->value, kkt->M, (size_t)A->first[A->n] * sizeof *A->value);
    for (int i = 0; i < nc; i++) {
        const double *Di = D + (size_t)i * (size_t)(d * d);
        const int *next = kkt->scatter + kkt->scatter_first[i];
        for (int k = motion->H_first[i]; k < motion->H_first[i + 1]; k++) {
            double DH[SCREE_CONE_MAX];
            for (int r = 0; r < d; r++) {
                DH[r] = 0;
                for (int c = 0; c < d; c++) DH[r] += Di[r * d + c] * motion->H[k * d + c];
            }
            for (int l = k; l < motion->H_first[i + 1]; l++) {
                double sum = 0;
                for (int r = 0; r < d; r++) sum += motion->H[l * d + r] * DH[r];
                A->value[*next++] += sum;
            }
        }
    }
}

static void solve_by_bodies(scree_kkt *kkt, const double *g, double *q, double *u) {
    const scree_motion *motion = kkt->problem->motion;
    int nc = kkt->problem->contacts, d = kkt->problem->dimension;
    memset(kkt->x, 0, (size_t)motion->dofs * sizeof *kkt->x);
    for (int i = 0; i < nc; i++)
        for (int k = motion->H_first[i]; k < motion->H_first[i + 1]; k++)
            for (int r = 0; r < d; r++)
                kkt->x[motion->H_dof[k]] += motion->H[k * d + r] * g[i * d + r];
    scree_sparse_cholesky_solve(kkt->matrix.chol, kkt->x);
    for (int i = 0; i < nc; i++) {
        double *ui = u + (size_t)i * (size_t)d;
        const double *D = kkt->C + (size_t)i * (size_t)(d * d);
        for (int r = 0; r < d; r++) ui[r] = 0;
        for (int k = motion->H_first[i]; k < motion->H_first[i + 1]; k++)
            for (int r = 0; r < d; r++) ui[r] += motion->H[k * d + r] * kkt->x[motion->H_dof[k]];
        for (int r = 0; r < d; r++) {
            double sum = g[i * d + r];
            for (int c = 0; c < d; c++) sum -= D[r * d + c] * ui[c];
            q[i * d + r] = sum;
        }
    }
}

// ---- either graph

static scree_kkt *kkt_on(const scree_problem *problem, bool by_bodies) {
    scree_kkt *kkt = calloc(1, sizeof *kkt);
    if (!kkt) return NULL;
    kkt->problem = problem;
    kkt->by_bodies = by_bodies;
    size_t rows = (size_t)problem->contacts * (size_t)problem->dimension;
    bool fine = by_bodies ? pattern_of_bodies(kkt) : pattern_of_contacts(kkt);
    if (fine) {
        kkt->C = SCREE_NEW(&kkt->arena, double, (rows * (size_t)problem->dimension));
        kkt->t = SCREE_NEW(&kkt->arena, double, rows);
        kkt->x = SCREE_NEW(&kkt->arena, double, kkt->matrix.n);
    }
    if (!fine || !kkt->C || !kkt->t || !kkt->x) {
        scree_kkt_free(kkt);
        return NULL;
    }
    return kkt;
}

scree_kkt *scree_kkt_new(const scree_problem *problem) {
    if (!problem->motion) return kkt_on(problem, false);
    scree_kkt *bodies = kkt_on(problem, true);
    // a matrix of bodies that is no larger than that of contacts is never dearer
    if (bodies && bodies->matrix.n <= problem->contacts * problem->dimension) return bodies;
    scree_kkt *contacts = kkt_on(problem, false);
    if (!bodies || !contacts) return bodies ? bodies : contacts;
    bool keep = scree_kkt_factor_cost(bodies) <= scree_kkt_factor_cost(contacts);
    scree_kkt_free(keep ? contacts : bodies);
    return keep ? bodies : contacts;
}

void scree_kkt_free(scree_kkt *kkt) {
    if (!kkt) return;
    scree_sparse_cholesky_free(kkt->matrix.chol);
    scree_arena_free(&kkt->arena);
    free(kkt);
}

bool scree_kkt_factor(scree_kkt *kkt, const double *D) {
    if (kkt->by_bodies)
        values_of_bodies(kkt, D);
    else
        values_of_contacts(kkt, D);
    return scree_sparse_cholesky_factor(kkt->matrix.chol, kkt->matrix.value);
}

void scree_kkt_solve(scree_kkt *kkt, const double *g, double *q, double *u) {
    if (kkt->by_bodies)
        solve_by_bodies(kkt, g, q, u);
    else
        solve_by_contacts(kkt, g, q, u);
}

void scree_kkt_solve_weighted(scree_kkt *kkt, const double *x, double *q, double *u) {
    int nc = kkt->problem->contacts, d = kkt->problem->dimension;
    if (!kkt->by_bodies) {
        // with g = D x = C (C^T x) it is q = C y, (1 + C^T Ws C) y = C^T x: a product less
        answer(kkt, x, NULL, q);
        product(kkt, q, u);
        return;
    }
    for (int i = 0; i < nc; i++) {
        const double *D = kkt->C + (size_t)i * (size_t)(d * d);
        for (int r = 0; r < d; r++) {
            double sum = 0;
            for (int c = 0; c < d; c++) sum += D[r * d + c] * x[i * d + c];
            kkt->t[i * d + r] = sum;
        }
    }
    solve_by_bodies(kkt, kkt->t, q, u);
}

double scree_kkt_factor_cost(const scree_kkt *kkt) {
    return scree_sparse_cholesky_flops(kkt->matrix.chol);
}

double scree_kkt_solve_cost(const scree_kkt *kkt) {
    return 4 * scree_sparse_cholesky_entries(kkt->matrix.chol);
}

bool scree_kkt_feasible(const scree_problem *problem) {
    const double most_flops = 1e12, most_entries = 2e8;
    scree_kkt *kkt = scree_kkt_new(problem);
    bool fits = kkt && scree_kkt_factor_cost(kkt) <= most_flops &&
                scree_sparse_cholesky_entries(kkt->matrix.chol) <= most_entries;
    scree_kkt_free(kkt);
    return fits;
}
