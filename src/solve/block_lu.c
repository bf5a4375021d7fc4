// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// block_lu.c - row by row (Doolittle), blocks of d x d, on a pattern that is fixed beforehand.
// in: values in the pattern of W.   out: L, U by rows, inverses of the pivots.   work: one row.

#include "solve/block_lu.h"

#include <math.h>
#include <string.h>
#include <suitesparse/amd.h>

#include "base/clones.h"
#include "base/order.h"
#include "solve/block.h"

struct scree_block_lu {
    const scree_problem *problem;
    int nodes, d, size;        // size: numbers of a block; 3 x 3 has rows of four
    int *order, *place;        // order[k]: contact eliminated k-th; place: the inverse
    int *upper_first, *upper;  // columns (places) behind the diagonal of each row of U, ascending
    int *lower_first, *lower;  // columns (places) before the diagonal of each row of L, ascending
    double *U, *L, *pivot;     // blocks; inverses of the diagonal blocks of U
    double *row;               // the row being worked on, by place
    double *y;                 // (nodes x d)
    bool *active;              // by place
    scree_arena *arena;        // numbers are drawn when the first factorisation comes
    double multiplications;
};

enum { SMALL = 8 };  // contacts whose order does not matter

// ---- symbolic

static bool symmetric_graph(const scree_problem *problem, scree_arena *arena, int **first_out,
                            int **column_out) {
    int nc = problem->contacts, blocks = problem->row[nc];
    int *first = SCREE_NEW(arena, int, nc + 2), *column = SCREE_NEW(arena, int, 2 * (size_t)blocks);
    int *mark = SCREE_NEW(arena, int, nc), *other = SCREE_NEW(arena, int, nc + 1);
    int *transposed = SCREE_NEW(arena, int, blocks);
    if (!first || !column || !mark || !other || !transposed) return false;
    for (int at = 0; at < blocks; at++) other[problem->column[at] + 1]++;
    for (int i = 0; i < nc; i++) other[i + 1] += other[i];
    memcpy(mark, other, (size_t)nc * sizeof *mark);
    for (int i = 0; i < nc; i++)
        for (int at = problem->row[i]; at < problem->row[i + 1]; at++)
            transposed[mark[problem->column[at]]++] = i;
    int count = 0;
    for (int i = 0; i < nc; i++) mark[i] = -1;
    for (int i = 0; i < nc; i++) {
        mark[i] = i;
        for (int at = problem->row[i]; at < problem->row[i + 1]; at++) {
            int j = problem->column[at];
            if (mark[j] == i) continue;
            mark[j] = i;
            column[count++] = j;
        }
        for (int at = other[i]; at < other[i + 1]; at++) {
            int j = transposed[at];
            if (mark[j] == i) continue;
            mark[j] = i;
            column[count++] = j;
        }
        first[i + 1] = count;
    }
    *first_out = first;
    *column_out = column;
    return true;
}

// rows of U: the row's own columns and those its children in the elimination tree pass on
static bool fill_upper(scree_block_lu *lu, const int *first, const int *column, double most,
                       scree_arena *arena) {
    int n = lu->nodes;
    int *mark = SCREE_NEW(arena, int, n), *child = SCREE_NEW(arena, int, n);
    int *sibling = SCREE_NEW(arena, int, n), *found = SCREE_NEW(arena, int, n);
    lu->upper_first = SCREE_NEW(arena, int, n + 1);
    if (!mark || !child || !sibling || !found || !lu->upper_first) return false;
    long room = 4 * (long)first[n] + n;
    lu->upper = SCREE_NEW(arena, int, room);
    for (int k = 0; lu->upper && k < n; k++) mark[k] = child[k] = sibling[k] = -1;
    for (int k = 0; lu->upper && k < n; k++) {
        int count = 0, i = lu->order[k];
        mark[k] = k;
        for (int at = first[i]; at < first[i + 1]; at++) {
            int j = lu->place[column[at]];
            if (j < k || mark[j] == k) continue;
            mark[j] = k;
            found[count++] = j;
        }
        for (int c = child[k]; c >= 0; c = sibling[c])
            for (int at = lu->upper_first[c]; at < lu->upper_first[c + 1]; at++) {
                int j = lu->upper[at];
                if (j <= k || mark[j] == k) continue;
                mark[j] = k;
                found[count++] = j;
            }
        scree_order_insert(found, count);
        if (lu->upper_first[k] + count > most) {
            lu->multiplications = HUGE_VAL;
            return true;
        }
        if (lu->upper_first[k] + count > room) {
            int *more = SCREE_NEW(arena, int, 2 * room + count);
            if (!more) return false;
            memcpy(more, lu->upper, (size_t)lu->upper_first[k] * sizeof *more);
            lu->upper = more;
            room = 2 * room + count;
        }
        memcpy(lu->upper + lu->upper_first[k], found, (size_t)count * sizeof *found);
        lu->upper_first[k + 1] = lu->upper_first[k] + count;
        if (count) {  // the parent is the first column
            sibling[k] = child[found[0]];
            child[found[0]] = k;
        }
        lu->multiplications += (double)(count + 1) * (count + 1);
    }
    return lu->upper;
}

static bool fill_lower(scree_block_lu *lu, scree_arena *arena) {
    int n = lu->nodes, entries = lu->upper_first[n];
    int *next = SCREE_NEW(arena, int, n);
    lu->lower_first = SCREE_NEW(arena, int, n + 1);
    lu->lower = SCREE_NEW(arena, int, entries);
    if (!next || !lu->lower_first || !lu->lower) return false;
    for (int at = 0; at < entries; at++) lu->lower_first[lu->upper[at] + 1]++;
    for (int k = 0; k < n; k++) lu->lower_first[k + 1] += lu->lower_first[k];
    memcpy(next, lu->lower_first, (size_t)n * sizeof *next);
    for (int k = 0; k < n; k++)
        for (int at = lu->upper_first[k]; at < lu->upper_first[k + 1]; at++)
            lu->lower[next[lu->upper[at]]++] = k;
    return true;
}

scree_block_lu *scree_block_lu_new(const scree_problem *problem, double most, scree_arena *arena) {
    int n = problem->contacts, d = problem->dimension, *first, *column;
    scree_block_lu *lu = SCREE_NEW(arena, scree_block_lu, 1);
    if (!lu) return NULL;
    *lu = (scree_block_lu){ .problem = problem, .nodes = n, .d = d, .size = scree_block_size(d) };
    lu->order = SCREE_NEW(arena, int, n);
    lu->place = SCREE_NEW(arena, int, n);
    if (!lu->order || !lu->place || !symmetric_graph(problem, arena, &first, &column)) return NULL;
    for (int k = 0; k < n; k++) lu->order[k] = k;
    if (n > SMALL && amd_order(n, first, column, lu->order, NULL, NULL) < 0) return NULL;
    for (int k = 0; k < n; k++) lu->place[lu->order[k]] = k;
    if (!fill_upper(lu, first, column, most, arena)) return NULL;
    lu->multiplications *= d * d * d;
    if (lu->multiplications < HUGE_VAL && !fill_lower(lu, arena)) return NULL;
    lu->arena = arena;
    return lu;
}

bool scree_block_lu_allocate(scree_block_lu *lu) {
    if (lu->U) return true;
    size_t n = (size_t)lu->nodes, size = (size_t)lu->size;
    size_t entries = (size_t)lu->upper_first[lu->nodes];
    lu->L = SCREE_NEW(lu->arena, double, (entries * size));
    lu->pivot = SCREE_NEW(lu->arena, double, (n * size));
    lu->row = SCREE_NEW(lu->arena, double, (n * size));
    lu->y = SCREE_NEW(lu->arena, double, (n * (size_t)lu->d));
    lu->active = SCREE_NEW(lu->arena, bool, n);
    if (!lu->L || !lu->pivot || !lu->row || !lu->y || !lu->active) return false;
    lu->U = SCREE_NEW(lu->arena, double, (entries * size));  // the last: it says that all is there
    return lu->U;
}

// ---- numeric

// scatter row k of the matrix into the working row
static inline __attribute__((always_inline)) void load_row(scree_block_lu *lu, int k,
                                                           const double *value, int d) {
    const scree_problem *problem = lu->problem;
    int stride = scree_block_stride(d), i = lu->order[k];
    const size_t size = (size_t)scree_block_size(d), bytes = size * sizeof *lu->row;
    memset(lu->row + size * (size_t)k, 0, bytes);
    for (int at = lu->lower_first[k]; at < lu->lower_first[k + 1]; at++)
        memset(lu->row + size * (size_t)lu->lower[at], 0, bytes);
    for (int at = lu->upper_first[k]; at < lu->upper_first[k + 1]; at++)
        memset(lu->row + size * (size_t)lu->upper[at], 0, bytes);
    for (int at = problem->row[i]; at < problem->row[i + 1]; at++) {
        int j = lu->place[problem->column[at]];
        if (!lu->active[j]) continue;
        const double *A = value + (size_t)at * (size_t)(d * d);
        double *block = lu->row + size * (size_t)j;
        for (int r = 0; r < d; r++)
            for (int c = 0; c < d; c++) block[r * stride + c] = A[r * d + c];
    }
}

// d is known when compiling
static inline __attribute__((always_inline)) bool factor(scree_block_lu *lu, const double *value,
                                                         int d) {
    const size_t size = (size_t)scree_block_size(d), bytes = size * sizeof *lu->U;
    for (int k = 0; k < lu->nodes; k++) {
        if (!lu->active[k]) continue;
        load_row(lu, k, value, d);
        for (int at = lu->lower_first[k]; at < lu->lower_first[k + 1]; at++) {
            int j = lu->lower[at];
            double *L = lu->L + size * (size_t)at;
            if (!lu->active[j]) {
                memset(L, 0, bytes);
                continue;
            }
            scree_block_times(lu->row + size * (size_t)j, lu->pivot + size * (size_t)j, d, L);
            // a copy that nothing which is written can change
            _Alignas(sizeof(scree_four)) double kept[SCREE_CONE_MAX * SCREE_CONE_MAX];
            memcpy(kept, L, bytes);
            for (int up = lu->upper_first[j]; up < lu->upper_first[j + 1]; up++)
                if (lu->active[lu->upper[up]])
                    scree_block_subtract(kept, lu->U + size * (size_t)up, d,
                                         lu->row + size * (size_t)lu->upper[up]);
        }
        const double *own = lu->row + size * (size_t)k;
        double *pivot = lu->pivot + size * (size_t)k;
        if (!scree_block_invert(own, d, pivot)) return false;
        for (int at = lu->upper_first[k]; at < lu->upper_first[k + 1]; at++)
            memcpy(lu->U + size * (size_t)at, lu->row + size * (size_t)lu->upper[at], bytes);
    }
    return true;
}

SCREE_VECTOR_CLONES
static bool factor_planar(scree_block_lu *lu, const double *value) { return factor(lu, value, 2); }

SCREE_VECTOR_CLONES
static bool factor_spatial(scree_block_lu *lu, const double *value) { return factor(lu, value, 3); }

bool scree_block_lu_factor(scree_block_lu *lu, const double *value, const bool *active) {
    for (int k = 0; k < lu->nodes; k++) lu->active[k] = !active || active[lu->order[k]];
    switch (lu->d) {
        case 2:
            return factor_planar(lu, value);
        case 3:
            return factor_spatial(lu, value);
        default:
            return factor(lu, value, lu->d);
    }
}

// of a block, by elimination with row pivoting
static double block_sign(const double *A, int d) {
    int stride = scree_block_stride(d);
    double B[SCREE_CONE_MAX][SCREE_CONE_MAX], sign = 1;
    for (int r = 0; r < d; r++)
        for (int c = 0; c < d; c++) B[r][c] = A[r * stride + c];
    for (int k = 0; k < d; k++) {
        int pivot = k;
        for (int r = k + 1; r < d; r++)
            if (fabs(B[r][k]) > fabs(B[pivot][k])) pivot = r;
        if (pivot != k) sign = -sign;
        for (int c = 0; c < d; c++) {
            double swap = B[k][c];
            B[k][c] = B[pivot][c];
            B[pivot][c] = swap;
        }
        if (B[k][k] < 0) sign = -sign;
        for (int r = k + 1; r < d && B[k][k] != 0; r++)
            for (int c = d - 1; c >= k; c--) B[r][c] -= B[r][k] / B[k][k] * B[k][c];
    }
    return sign;
}

double scree_block_lu_sign(const scree_block_lu *lu) {
    double sign = 1;
    for (int k = 0; k < lu->nodes; k++)
        if (lu->active[k]) sign *= block_sign(lu->pivot + (size_t)lu->size * (size_t)k, lu->d);
    return sign;
}

static inline __attribute__((always_inline)) void solve(const scree_block_lu *lu, double *x,
                                                        int d) {
    int stride = scree_block_stride(d);
    const size_t size = (size_t)scree_block_size(d), bytes = (size_t)d * sizeof *x;
    for (int k = 0; k < lu->nodes; k++) {
        if (!lu->active[k]) continue;
        double *y = lu->y + (size_t)k * (size_t)d;
        memcpy(y, x + (size_t)lu->order[k] * (size_t)d, bytes);
        for (int at = lu->lower_first[k]; at < lu->lower_first[k + 1]; at++)
            if (lu->active[lu->lower[at]])
                scree_block_subtract_vector(lu->L + size * (size_t)at,
                                            lu->y + (size_t)lu->lower[at] * (size_t)d, d, y);
    }
    for (int k = lu->nodes - 1; k >= 0; k--) {
        if (!lu->active[k]) continue;
        double *y = lu->y + (size_t)k * (size_t)d, z[SCREE_CONE_MAX];
        for (int at = lu->upper_first[k]; at < lu->upper_first[k + 1]; at++)
            if (lu->active[lu->upper[at]])
                scree_block_subtract_vector(lu->U + size * (size_t)at,
                                            lu->y + (size_t)lu->upper[at] * (size_t)d, d, y);
        const double *inverse = lu->pivot + size * (size_t)k;
        for (int r = 0; r < d; r++) {
            z[r] = 0;
            for (int c = 0; c < d; c++) z[r] += inverse[r * stride + c] * y[c];
        }
        memcpy(y, z, bytes);
        memcpy(x + (size_t)lu->order[k] * (size_t)d, z, bytes);
    }
}

void scree_block_lu_solve(const scree_block_lu *lu, double *x) {
    switch (lu->d) {
        case 2:
            solve(lu, x, 2);
            break;
        case 3:
            solve(lu, x, 3);
            break;
        default:
            solve(lu, x, lu->d);
    }
}

double scree_block_lu_factor_cost(const scree_block_lu *lu) { return lu->multiplications; }

double scree_block_lu_solve_cost(const scree_block_lu *lu) {
    return 2.0 * lu->upper_first[lu->nodes] * lu->d * lu->d;
}
