// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// kernel.c - the linear system of kernel.h, on the graph of bodies or on the graph of contacts.
// in: problem, weights D, impulses g.   out: q, u.   work: pattern, values and factor of the
// matrix.

#include "solve/kernel.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/sparse_cholesky.h"
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

struct scree_kernel {
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

// where the block (i, j) stands, or -1
static int find_block(const scree_problem *problem, int i, int j) {
    int low = problem->row[i], high = problem->row[i + 1] - 1;
    while (low < high) {
        int middle = (low + high) / 2;
        if (problem->column[middle] < j)
            low = middle + 1;
        else
            high = middle;
    }
    return low <= high && problem->column[low] == j ? low : -1;
}

bool scree_kernel_exact(const scree_problem *problem) {
    int d = problem->dimension;
    double largest = 0, apart = 0;
    for (int i = 0; i < problem->contacts; i++)
        for (int at = problem->row[i]; at < problem->row[i + 1]; at++) {
            const double *W = problem->block + (size_t)at * (size_t)(d * d);
            int twin = find_block(problem, problem->column[at], i);
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
static bool find_edges(scree_kernel *kernel) {
    const scree_problem *problem = kernel->problem;
    int nc = problem->contacts, count = 0;
    bool ordered = true;
    edge *edges = SCREE_NEW(&kernel->arena, edge, problem->row[nc]);
    if (!edges) return false;
    for (int i = 0; i < nc; i++)
        for (int at = problem->row[i]; at < problem->row[i + 1]; at++) {
            int j = problem->column[at];
            if (j >= i)
                edges[count++] = (edge){ i, j };
            else if (find_block(problem, j, i) < 0) {
                edges[count++] = (edge){ j, i };
                ordered = false;
            }
        }
    if (!ordered) qsort(edges, (size_t)count, sizeof *edges, compare_edges);
    kernel->edges = edges;
    kernel->edge_count = count;
    return true;
}

static bool find_symmetric_part(scree_kernel *kernel) {
    const scree_problem *problem = kernel->problem;
    int d = problem->dimension;
    size_t dd = (size_t)(d * d);
    kernel->W = SCREE_NEW(&kernel->arena, double, dd *(size_t)kernel->edge_count);
    if (!kernel->W) return false;
    for (int e = 0; e < kernel->edge_count; e++) {
        edge pair = kernel->edges[e];
        int upper = find_block(problem, pair.i, pair.j),
            lower = find_block(problem, pair.j, pair.i);
        const double *A = problem->block + dd * (size_t)upper;
        const double *B = problem->block + dd * (size_t)lower;
        double *W = kernel->W + dd * (size_t)e;
        for (int r = 0; r < d; r++)
            for (int c = 0; c < d; c++)
                W[r * d + c] =
                    0.5 * ((upper < 0 ? 0 : A[r * d + c]) + (lower < 0 ? 0 : B[c * d + r]));
    }
    return true;
}

// block column i of the lower triangle holds the blocks (j, i) of its edges
static bool pattern_of_contacts(scree_kernel *kernel) {
    int nc = kernel->problem->contacts, d = kernel->problem->dimension;
    matrix *A = &kernel->matrix;
    if (!find_edges(kernel) || !find_symmetric_part(kernel)) return false;
    size_t entries = (size_t)kernel->edge_count * (size_t)(d * d);
    if (entries > INT32_MAX) return false;
    A->n = nc * d;
    A->first = SCREE_NEW(&kernel->arena, int, A->n + 1);
    A->row = SCREE_NEW(&kernel->arena, int, entries);
    A->value = SCREE_NEW(&kernel->arena, double, entries);
    kernel->rank = SCREE_NEW(&kernel->arena, int, nc);
    if (!A->first || !A->row || !A->value || !kernel->rank) return false;
    int next = 0;
    for (int begin = 0, end; begin < kernel->edge_count; begin = end) {
        int i = kernel->edges[begin].i;
        for (end = begin; end < kernel->edge_count && kernel->edges[end].i == i;) end++;
        for (int c = 0; c < d; c++) {
            for (int e = begin; e < end; e++)
                for (int r = e == begin ? c : 0; r < d; r++)
                    A->row[next++] = kernel->edges[e].j * d + r;
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

static inline __attribute__((always_inline)) void values_of_dimension(scree_kernel *kernel, int d) {
    size_t dd = (size_t)(d * d);
    matrix *A = &kernel->matrix;
    for (int e = 0, begin = 0; e < kernel->edge_count; e++) {
        edge pair = kernel->edges[e];
        if (pair.i == pair.j) begin = e;
        double S[SCREE_CONE_MAX * SCREE_CONE_MAX] = { 0 };
        if (kernel->rank[pair.i] > 0 && kernel->rank[pair.j] > 0)
            congruence(kernel->C + dd * (size_t)pair.i, kernel->W + dd * (size_t)e,
                       kernel->C + dd * (size_t)pair.j, d, S);
        for (int c = 0; c < d; c++) {  // row c of block (i, j) is column c of block (j, i)
            double *value = A->value + A->first[pair.i * d + c];
            if (e == begin)
                for (int r = c; r < d; r++) value[r - c] = S[c * d + r] + (r == c);
            else
                for (int r = 0; r < d; r++) value[(e - begin) * d - c + r] = S[c * d + r];
        }
    }
}

static void values_of_contacts(scree_kernel *kernel, const double *D) {
    int nc = kernel->problem->contacts, d = kernel->problem->dimension;
    size_t dd = (size_t)(d * d);
    for (int i = 0; i < nc; i++)
        kernel->rank[i] = factor_weight(D + dd * (size_t)i, d, kernel->C + dd * (size_t)i);
    if (d == 3)  // loops of known length are worth it
        values_of_dimension(kernel, 3);
    else if (d == 2)
        values_of_dimension(kernel, 2);
    else
        values_of_dimension(kernel, d);
}

static inline __attribute__((always_inline)) void product_of_dimension(const scree_kernel *kernel,
                                                                       const double *x, double *t,
                                                                       int d) {
    for (int e = 0; e < kernel->edge_count; e++) {
        const double *W = kernel->W + (size_t)e * (size_t)(d * d);
        int i = kernel->edges[e].i * d, j = kernel->edges[e].j * d;
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
static void product(const scree_kernel *kernel, const double *x, double *t) {
    int nc = kernel->problem->contacts, d = kernel->problem->dimension;
    memset(t, 0, (size_t)nc * (size_t)d * sizeof *t);
    if (d == 3)
        product_of_dimension(kernel, x, t, 3);
    else if (d == 2)
        product_of_dimension(kernel, x, t, 2);
    else
        product_of_dimension(kernel, x, t, d);
}

// q = g - C z,  (1 + C^T Ws C) z = C^T t
static void answer(scree_kernel *kernel, const double *t, const double *g, double *q) {
    int nc = kernel->problem->contacts, d = kernel->problem->dimension;
    for (int i = 0; i < nc; i++)
        for (int c = 0; c < d; c++) {
            const double *C = kernel->C + (size_t)i * (size_t)(d * d);
            double sum = 0;
            for (int r = 0; r < d; r++) sum += C[r * d + c] * t[i * d + r];
            kernel->x[i * d + c] = sum;
        }
    scree_sparse_cholesky_solve(kernel->matrix.chol, kernel->x);
    for (int i = 0; i < nc; i++)
        for (int r = 0; r < d; r++) {
            const double *C = kernel->C + (size_t)i * (size_t)(d * d);
            double sum = 0;
            for (int c = 0; c < d; c++) sum += C[r * d + c] * kernel->x[i * d + c];
            q[i * d + r] = g ? g[i * d + r] - sum : sum;
        }
}

static void solve_by_contacts(scree_kernel *kernel, const double *g, double *q, double *u) {
    product(kernel, g, kernel->t);
    answer(kernel, kernel->t, g, q);
    product(kernel, q, u);
}

// With g = D x = C (C^T x) the answer is q = C y, (1 + C^T Ws C) y = C^T x: a product less.
static void solve_weighted_by_contacts(scree_kernel *kernel, const double *x, double *q,
                                       double *u) {
    answer(kernel, x, NULL, q);
    product(kernel, q, u);
}

// ---- the graph of bodies: M + H^T D H

static int compare_ints(const void *a, const void *b) {
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

// the rows of each column of the lower triangle, ascending: M's, and those coupled by contacts
static bool rows_of_bodies(scree_kernel *kernel) {
    const scree_motion *motion = kernel->problem->motion;
    int nc = kernel->problem->contacts, n = motion->dofs;
    matrix *A = &kernel->matrix;
    // which contacts act on each degree of freedom
    int *first = SCREE_NEW(&kernel->arena, int, n + 1), *mark = SCREE_NEW(&kernel->arena, int, n);
    int *contact = SCREE_NEW(&kernel->arena, int, motion->H_first[nc]);
    A->first = SCREE_NEW(&kernel->arena, int, n + 1);
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
            if (pass) qsort(row, (size_t)count, sizeof *row, compare_ints);
            entries += count;
            if (entries > INT32_MAX / 2) return false;
            if (!pass) A->first[j + 1] = (int)entries;
        }
        if (pass) break;
        A->n = n;
        A->row = SCREE_NEW(&kernel->arena, int, entries);
        A->value = SCREE_NEW(&kernel->arena, double, entries);
        if (!A->row || !A->value) return false;
    }
    return true;
}

static int entry_of(const matrix *A, int row, int column) {
    const int *begin = A->row + A->first[column];
    const int *found = bsearch(&row, begin, (size_t)(A->first[column + 1] - A->first[column]),
                               sizeof row, compare_ints);
    return (int)(found - A->row);
}

static bool pattern_of_bodies(scree_kernel *kernel) {
    const scree_motion *motion = kernel->problem->motion;
    int nc = kernel->problem->contacts;
    matrix *A = &kernel->matrix;
    if (!rows_of_bodies(kernel)) return false;
    kernel->M = SCREE_NEW(&kernel->arena, double, A->first[A->n]);
    kernel->scatter_first = SCREE_NEW(&kernel->arena, int, nc + 1);
    if (!kernel->M || !kernel->scatter_first) return false;
    for (int j = 0; j < A->n; j++)
        for (int k = motion->M_first[j]; k < motion->M_first[j + 1]; k++) {
            int r = motion->M_row[k], low = r > j ? j : r, high = r > j ? r : j;
            kernel->M[entry_of(A, high, low)] += (r == j ? 1 : 0.5) * motion->M[k];
        }
    for (int i = 0; i < nc; i++) {
        int width = motion->H_first[i + 1] - motion->H_first[i];
        kernel->scatter_first[i + 1] = kernel->scatter_first[i] + width * (width + 1) / 2;
    }
    kernel->scatter = SCREE_NEW(&kernel->arena, int, kernel->scatter_first[nc]);
    if (!kernel->scatter) return false;
    for (int i = 0; i < nc; i++) {
        int *next = kernel->scatter + kernel->scatter_first[i];
        for (int k = motion->H_first[i]; k < motion->H_first[i + 1]; k++)
            for (int l = k; l < motion->H_first[i + 1]; l++)
                *next++ = entry_of(A, motion->H_dof[l], motion->H_dof[k]);
    }
    A->chol = scree_sparse_cholesky_new(A->n, A->first, A->row);
    return A->chol;
}

static void values_of_bodies(scree_kernel *kernel, const double *D) {
    const scree_motion *motion = kernel->problem->motion;
    int nc = kernel->problem->contacts, d = kernel->problem->dimension;
    matrix *A = &kernel->matrix;
    memcpy(kernel->C, D, (size_t)nc * (size_t)(d * d) * sizeof *D);
    memcpy(A->value, kernel->M, (size_t)A->first[A->n] * sizeof *A->value);
    for (int i = 0; i < nc; i++) {
        const double *Di = D + (size_t)i * (size_t)(d * d);
        const int *next = kernel->scatter + kernel->scatter_first[i];
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

static void solve_by_bodies(scree_kernel *kernel, const double *g, double *q, double *u) {
    const scree_motion *motion = kernel->problem->motion;
    int nc = kernel->problem->contacts, d = kernel->problem->dimension;
    memset(kernel->x, 0, (size_t)motion->dofs * sizeof *kernel->x);
    for (int i = 0; i < nc; i++)
        for (int k = motion->H_first[i]; k < motion->H_first[i + 1]; k++)
            for (int r = 0; r < d; r++)
                kernel->x[motion->H_dof[k]] += motion->H[k * d + r] * g[i * d + r];
    scree_sparse_cholesky_solve(kernel->matrix.chol, kernel->x);
    for (int i = 0; i < nc; i++) {
        double *ui = u + (size_t)i * (size_t)d;
        const double *D = kernel->C + (size_t)i * (size_t)(d * d);
        for (int r = 0; r < d; r++) ui[r] = 0;
        for (int k = motion->H_first[i]; k < motion->H_first[i + 1]; k++)
            for (int r = 0; r < d; r++) ui[r] += motion->H[k * d + r] * kernel->x[motion->H_dof[k]];
        for (int r = 0; r < d; r++) {
            double sum = g[i * d + r];
            for (int c = 0; c < d; c++) sum -= D[r * d + c] * ui[c];
            q[i * d + r] = sum;
        }
    }
}

// ---- either graph

static scree_kernel *kernel_on(const scree_problem *problem, bool by_bodies) {
    scree_kernel *kernel = calloc(1, sizeof *kernel);
    if (!kernel) return NULL;
    kernel->problem = problem;
    kernel->by_bodies = by_bodies;
    size_t rows = (size_t)problem->contacts * (size_t)problem->dimension;
    bool fine = by_bodies ? pattern_of_bodies(kernel) : pattern_of_contacts(kernel);
    if (fine) {
        kernel->C = SCREE_NEW(&kernel->arena, double, rows *(size_t)problem->dimension);
        kernel->t = SCREE_NEW(&kernel->arena, double, rows);
        kernel->x = SCREE_NEW(&kernel->arena, double, kernel->matrix.n);
    }
    if (!fine || !kernel->C || !kernel->t || !kernel->x) {
        scree_kernel_free(kernel);
        return NULL;
    }
    return kernel;
}

scree_kernel *scree_kernel_new(const scree_problem *problem) {
    if (!problem->motion) return kernel_on(problem, false);
    scree_kernel *bodies = kernel_on(problem, true);
    // a matrix of bodies that is no larger than that of contacts is never dearer
    if (bodies && bodies->matrix.n <= problem->contacts * problem->dimension) return bodies;
    scree_kernel *contacts = kernel_on(problem, false);
    if (!bodies || !contacts) return bodies ? bodies : contacts;
    bool keep = scree_kernel_factor_cost(bodies) <= scree_kernel_factor_cost(contacts);
    scree_kernel_free(keep ? contacts : bodies);
    return keep ? bodies : contacts;
}

void scree_kernel_free(scree_kernel *kernel) {
    if (!kernel) return;
    scree_sparse_cholesky_free(kernel->matrix.chol);
    scree_arena_free(&kernel->arena);
    free(kernel);
}

bool scree_kernel_factor(scree_kernel *kernel, const double *D) {
    if (kernel->by_bodies)
        values_of_bodies(kernel, D);
    else
        values_of_contacts(kernel, D);
    return scree_sparse_cholesky_factor(kernel->matrix.chol, kernel->matrix.value);
}

void scree_kernel_solve(scree_kernel *kernel, const double *g, double *q, double *u) {
    if (kernel->by_bodies)
        solve_by_bodies(kernel, g, q, u);
    else
        solve_by_contacts(kernel, g, q, u);
}

void scree_kernel_solve_weighted(scree_kernel *kernel, const double *x, double *q, double *u) {
    int nc = kernel->problem->contacts, d = kernel->problem->dimension;
    if (!kernel->by_bodies) {
        solve_weighted_by_contacts(kernel, x, q, u);
        return;
    }
    for (int i = 0; i < nc; i++) {
        const double *D = kernel->C + (size_t)i * (size_t)(d * d);
        for (int r = 0; r < d; r++) {
            double sum = 0;
            for (int c = 0; c < d; c++) sum += D[r * d + c] * x[i * d + c];
            kernel->t[i * d + r] = sum;
        }
    }
    solve_by_bodies(kernel, kernel->t, q, u);
}

double scree_kernel_factor_cost(const scree_kernel *kernel) {
    return scree_sparse_cholesky_flops(kernel->matrix.chol);
}

double scree_kernel_solve_cost(const scree_kernel *kernel) {
    return 4 * scree_sparse_cholesky_entries(kernel->matrix.chol);
}
