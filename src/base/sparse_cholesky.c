// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// sparse_cholesky.c - A = L L^T by supernodes: columns of L with the same rows, one dense panel
// each.
//
// The matrices of contact problems have panels of a few columns, where calls cost more than
// arithmetic: entries of A go straight to their place in the panels, and what one panel takes from
// another has been looked up beforehand. BLAS is called where panels are large, on one thread: its
// results depend on how many it has.
//
// For many solves with one factor each panel L_1 (its square) and L_2 (below) is turned into
//
//     D^-1 = L_1^-T L_1^-1,   G = L_2 L_1^-1,   A = (1 + G) D (1 + G)^T
//
// so that nothing is left but products of matrices with vectors: no divisions, and no row that has
// to wait for the one before.

#include "base/sparse_cholesky.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/clones.h"
#include "base/parallel.h"
#include "base/supernodes.h"

typedef struct panel {  // columns of L that share their rows
    int first, width;   // columns
    int rows;           // its own columns among them
    int row;            // in chol->row
    size_t at;          // in chol->x: rows x width, by columns
    int run, runs;      // in chol->run: where the rows below go
} panel;

typedef struct run {  // rows of a panel that are columns of another
    int from, to;     // rows of the panel, counted from its top
    int target;       // panel
    int place;        // in chol->place: rows of the target that rows from ... are
} run;

struct scree_sparse_cholesky {
    int n, panels;
    int *order, *row, *place;
    panel *panel;
    run *run;
    size_t *entry;  // where each entry of A goes
    size_t entries, size;
    int longest;             // rows of a panel
    double *x, *y, *update;  // L; a vector (n); what a large panel takes from others
    bool settled;            // x holds D^-1 and G
    double *piece;           // products of a panel with a vector, two of them
    double flops, lnz;
    scree_arena arena;
};

extern void openblas_set_num_threads(int threads) __attribute__((weak));
extern void dpotrf_(const char *uplo, const int *n, double *A, const int *lda, int *info, size_t);
extern void dtrsm_(const char *side, const char *uplo, const char *trans, const char *diag,
                   const int *m, const int *n, const double *alpha, const double *A, const int *lda,
                   double *B, const int *ldb, size_t, size_t, size_t, size_t);
extern void dsyrk_(const char *uplo, const char *trans, const int *n, const int *k,
                   const double *alpha, const double *A, const int *lda, const double *beta,
                   double *C, const int *ldc, size_t, size_t);

extern void dgemm_(const char *transa, const char *transb, const int *m, const int *n, const int *k,
                   const double *alpha, const double *A, const int *lda, const double *B,
                   const int *ldb, const double *beta, double *C, const int *ldc, size_t, size_t);
extern void dpotri_(const char *uplo, const int *n, double *A, const int *lda, int *info, size_t);

enum {
    LANES = 4,        // numbers of a vector; the last one may reach beyond the end
    MANY = 32,        // right-hand sides at a time
    ONE_PANEL = 60,   // rows up to which an analysis costs more than it gains
    BLAS_WIDTH = 12,  // columns and rows from which a panel is worth calls of BLAS
    BLAS_ROWS = 40,
};

// ---- analysis

static bool is_large(const panel *p) { return p->width >= BLAS_WIDTH && p->rows >= BLAS_ROWS; }

static bool make_one_panel(scree_sparse_cholesky *chol) {
    int n = chol->n;
    chol->panels = 1;
    chol->order = SCREE_NEW(&chol->arena, int, n);
    chol->row = SCREE_NEW(&chol->arena, int, n);
    chol->panel = SCREE_NEW(&chol->arena, panel, 1);
    if (!chol->order || !chol->row || !chol->panel) return false;
    for (int i = 0; i < n; i++) chol->order[i] = chol->row[i] = i;
    chol->panel[0] = (panel){ .width = n, .rows = n };
    chol->size = (size_t)n * (size_t)n;
    chol->flops = (double)n * n * n / 3;
    chol->lnz = (double)n * n / 2;
    return true;
}

static bool find_panels(scree_sparse_cholesky *chol, const int *first, const int *row) {
    scree_supernodes found;
    if (!scree_supernodes_find(chol->n, first, row, &chol->arena, &found)) return false;
    chol->panels = found.count;
    chol->order = found.order;
    chol->row = found.row;
    chol->flops = found.flops;
    chol->lnz = found.entries;
    chol->panel = SCREE_NEW(&chol->arena, panel, found.count);
    if (!chol->panel) return false;
    for (int k = 0; k < found.count; k++) {
        panel *p = &chol->panel[k];
        *p = (panel){ .first = found.column[k],
                      .width = found.column[k + 1] - found.column[k],
                      .rows = found.first[k + 1] - found.first[k],
                      .row = found.first[k],
                      .at = chol->size };
        chol->size += (size_t)p->width * (size_t)p->rows;
    }
    return true;
}

// the place of a row among those of a panel, which holds it; halves without branches, which no
// processor would guess
static int find_row(const scree_sparse_cholesky *chol, const panel *p, int row) {
    const int *rows = chol->row + p->row, *low = rows;
    for (int left = p->rows; left > 1;) {
        int half = left / 2;
        low += low[half - 1] < row ? half : 0;
        left -= half;
    }
    return (int)(low - rows);
}

static bool find_entries(scree_sparse_cholesky *chol, const int *first, const int *row,
                         const int *owner) {
    int *back = SCREE_NEW(&chol->arena, int, chol->n);
    chol->entries = (size_t)first[chol->n];
    chol->entry = SCREE_NEW(&chol->arena, size_t, chol->entries);
    if (!back || !chol->entry) return false;
    for (int i = 0; i < chol->n; i++) back[chol->order[i]] = i;
    for (int j = 0; j < chol->n; j++)
        for (int at = first[j]; at < first[j + 1]; at++) {
            int a = back[j], b = back[row[at]], column = a < b ? a : b, low = a < b ? b : a;
            const panel *p = &chol->panel[owner[column]];
            chol->entry[at] = p->at + (size_t)(column - p->first) * (size_t)p->rows +
                              (size_t)find_row(chol, p, low);
        }
    return true;
}

// where the rows below each panel go; counts first, when chol->run is not there yet
static void find_runs(scree_sparse_cholesky *chol, const int *owner, int *runs, size_t *places) {
    *runs = 0;
    *places = 0;
    for (int k = 0; k < chol->panels; k++) {
        panel *p = &chol->panel[k];
        const int *rows = chol->row + p->row;
        p->run = *runs;
        for (int from = p->width, to; from < p->rows; from = to) {
            int target = owner[rows[from]];
            for (to = from; to < p->rows && owner[rows[to]] == target;) to++;
            if (chol->run) {
                chol->run[*runs] = (run){ from, to, target, (int)*places };
                for (int i = from; i < p->rows; i++)
                    chol->place[*places + (size_t)(i - from)] =
                        find_row(chol, &chol->panel[target], rows[i]);
            }
            (*runs)++;
            *places += (size_t)(p->rows - from);
        }
        p->runs = *runs - p->run;
    }
}

static bool look_up(scree_sparse_cholesky *chol, const int *first, const int *row) {
    int *owner = SCREE_NEW(&chol->arena, int, chol->n), runs;
    size_t places, most = 0;
    if (!owner) return false;
    for (int k = 0; k < chol->panels; k++) {
        const panel *p = &chol->panel[k];
        for (int j = 0; j < p->width; j++) owner[p->first + j] = k;
        size_t below = (size_t)(p->rows - p->width), need = is_large(p) ? below * below : below;
        if (need > most) most = need;
        if (p->rows > chol->longest) chol->longest = p->rows;
    }
    find_runs(chol, owner, &runs, &places);
    if (places > INT32_MAX) return false;
    chol->run = SCREE_NEW(&chol->arena, run, runs);
    chol->place = SCREE_NEW(&chol->arena, int, places);
    chol->x = SCREE_NEW(&chol->arena, double, chol->size + LANES);  // lanes may read beyond the end
    chol->piece = SCREE_NEW(&chol->arena, double, chol->longest + LANES);
    chol->y = SCREE_NEW(&chol->arena, double, chol->n);
    chol->update = SCREE_NEW(&chol->arena, double, most);
    if (!chol->run || !chol->place || !chol->x || !chol->piece || !chol->y || !chol->update)
        return false;
    find_runs(chol, owner, &runs, &places);
    return find_entries(chol, first, row, owner);
}

scree_sparse_cholesky *scree_sparse_cholesky_new(int n, const int *first, const int *row) {
    scree_sparse_cholesky *chol = calloc(1, sizeof *chol);
    if (!chol) return NULL;
    if (openblas_set_num_threads) openblas_set_num_threads(1);
    chol->n = n;
    bool fine = n <= ONE_PANEL ? make_one_panel(chol) : find_panels(chol, first, row);
    if (fine && look_up(chol, first, row)) return chol;
    scree_sparse_cholesky_free(chol);
    return NULL;
}

void scree_sparse_cholesky_free(scree_sparse_cholesky *chol) {
    if (!chol) return;
    scree_arena_free(&chol->arena);
    free(chol);
}

// ---- factorisation

// the panel itself: columns one after the other
static inline __attribute__((always_inline)) bool factor_small(const panel *p, double *L) {
    int m = p->rows;
    for (int j = 0; j < p->width; j++) {
        double *column = L + (size_t)j * (size_t)m;
        for (int k = 0; k < j; k++) {
            const double *other = L + (size_t)k * (size_t)m;
            double factor = other[j];
            if (factor == 0) continue;
            for (int i = j; i < m; i++) column[i] -= factor * other[i];
        }
        if (!(column[j] > 0)) return false;
        double root = sqrt(column[j]), inverse = 1 / root;
        column[j] = root;
        for (int i = j + 1; i < m; i++) column[i] *= inverse;
    }
    return true;
}

// what the rows below take from the panels they are columns of
static inline __attribute__((always_inline)) void spread_small(scree_sparse_cholesky *chol,
                                                               const panel *p, const double *L) {
    int m = p->rows;
    double *sum = chol->update;
    for (int r = p->run; r < p->run + p->runs; r++) {
        run to_one = chol->run[r];
        const panel *t = &chol->panel[to_one.target];
        const int *place = chol->place + to_one.place - to_one.from;
        for (int j = to_one.from; j < to_one.to; j++) {
            bool any = false;
            for (int k = 0; k < p->width; k++) {
                const double *column = L + (size_t)k * (size_t)m;
                double factor = column[j];
                if (factor == 0) continue;
                if (any)
                    for (int i = j; i < m; i++) sum[i - j] += factor * column[i];
                else
                    for (int i = j; i < m; i++) sum[i - j] = factor * column[i];
                any = true;
            }
            if (!any) continue;
            double *to = chol->x + t->at + (size_t)place[j] * (size_t)t->rows;
            for (int i = j; i < m; i++) to[place[i]] -= sum[i - j];
        }
    }
}

static bool factor_large(const panel *p, double *L) {
    int m = p->rows, w = p->width, below = m - w, info = 0;
    double one = 1;
    dpotrf_("L", &w, L, &m, &info, 1);
    for (int j = 0; j < w; j++)  // not every LAPACK stops at what is no number
        if (!(L[(size_t)j * (size_t)m + (size_t)j] > 0)) return false;
    if (info) return false;
    if (below > 0) dtrsm_("R", "L", "T", "N", &below, &w, &one, L, &m, L + w, &m, 1, 1, 1, 1);
    return true;
}

static void spread_large(scree_sparse_cholesky *chol, const panel *p, const double *L) {
    int m = p->rows, w = p->width, below = m - w;
    double one = 1, zero = 0, *U = chol->update;
    if (below == 0) return;
    dsyrk_("L", "N", &below, &w, &one, L + w, &m, &zero, U, &below, 1, 1);
    for (int r = p->run; r < p->run + p->runs; r++) {
        run to_one = chol->run[r];
        const panel *t = &chol->panel[to_one.target];
        const int *place = chol->place + to_one.place - to_one.from;
        for (int j = to_one.from; j < to_one.to; j++) {
            double *to = chol->x + t->at + (size_t)place[j] * (size_t)t->rows;
            const double *from = U + (size_t)(j - w) * (size_t)below - w;
            for (int i = j; i < m; i++) to[place[i]] -= from[i];
        }
    }
}

SCREE_VECTOR_CLONES
bool scree_sparse_cholesky_factor(scree_sparse_cholesky *chol, const double *value) {
    chol->settled = false;
    memset(chol->x, 0, chol->size * sizeof *chol->x);
    for (size_t e = 0; e < chol->entries; e++) chol->x[chol->entry[e]] = value[e];
    for (int k = 0; k < chol->panels; k++) {
        const panel *p = &chol->panel[k];
        double *L = chol->x + p->at;
        if (is_large(p)) {
            if (!factor_large(p, L)) return false;
            spread_large(chol, p, L);
        } else {
            if (!factor_small(p, L)) return false;
            spread_small(chol, p, L);
        }
    }
    return true;
}

// ---- for many solves

// G = L_2 L_1^-1, column after column from the last, then T = L_1^-1 and T^T T in its place
static inline __attribute__((always_inline)) void settle_small(const panel *p, double *L) {
    int m = p->rows, w = p->width;
    size_t stride = (size_t)m;
    for (int j = w - 1; j >= 0; j--) {
        double *column = L + (size_t)j * stride, inverse = 1 / column[j];
        for (int k = j + 1; k < w; k++) {
            const double *other = L + (size_t)k * stride;
            double factor = column[k];
            for (int i = w; i < m; i++) column[i] -= factor * other[i];
        }
        for (int i = w; i < m; i++) column[i] *= inverse;
    }
    for (int j = w - 1; j >= 0; j--) {  // T_kj = - (sum of T_ki L_ij over i from j + 1 to k) / L_jj
        double *column = L + (size_t)j * stride, inverse = 1 / column[j];
        for (int k = w - 1; k > j; k--) {
            double sum = 0;
            for (int i = j + 1; i <= k; i++) sum += L[(size_t)i * stride + (size_t)k] * column[i];
            column[k] = -sum * inverse;
        }
        column[j] = inverse;
    }
    for (int j = 0; j < w; j++)
        for (int i = j; i < w; i++) {
            const double *a = L + (size_t)i * stride, *b = L + (size_t)j * stride;
            double sum = 0;
            for (int k = i; k < w; k++) sum += a[k] * b[k];
            L[(size_t)j * stride + (size_t)i] = sum;
        }
}

static void settle_large(const panel *p, double *L) {
    int m = p->rows, w = p->width, below = m - w, info = 0;
    double one = 1;
    if (below > 0) dtrsm_("R", "L", "N", "N", &below, &w, &one, L, &m, L + w, &m, 1, 1, 1, 1);
    dpotri_("L", &w, L, &m, &info, 1);
}

SCREE_VECTOR_CLONES
void scree_sparse_cholesky_settle(scree_sparse_cholesky *chol) {
    if (chol->settled) return;
    for (int k = 0; k < chol->panels; k++) {
        const panel *p = &chol->panel[k];
        double *L = chol->x + p->at;
        size_t stride = (size_t)p->rows;
        if (is_large(p))
            settle_large(p, L);
        else
            settle_small(p, L);
        for (size_t j = 0; j < (size_t)p->width; j++)
            for (size_t i = 0; i < j; i++) L[j * stride + i] = L[i * stride + j];
    }
    chol->settled = true;
}

#define INLINE static inline __attribute__((always_inline))

// right-hand sides that are mostly zero, as those of contacts are, leave most panels alone at first
INLINE bool is_zero(const double *y, size_t count) {
    size_t i = 0;
    while (i < count && y[i] == 0) i++;
    return i == count;
}

// four numbers, wherever they stand
typedef double four __attribute__((vector_size(LANES * sizeof(double)), aligned(8), may_alias));
#define FOUR(x) (*(four *)(x))
#define FOUR_OF(x) (*(const four *)(x))

// out = (D^-1; G) y, four columns at a time; the last rows of out may be some too many
INLINE void multiply(const panel *p, const double *restrict P, const double *restrict y,
                     double *restrict out) {
    size_t m = (size_t)p->rows, w = (size_t)p->width, j = w % 4;
    for (size_t i = 0; i < m; i += 4) FOUR(out + i) = (four){ 0 };
    for (size_t k = 0; k < j; k++)
        for (size_t i = 0; i < m; i += 4) FOUR(out + i) += FOUR_OF(P + k * m + i) * y[k];
    for (; j < w; j += 4) {
        const double *a = P + j * m, *b = a + m, *c = b + m, *d = c + m;
        double ya = y[j], yb = y[j + 1], yc = y[j + 2], yd = y[j + 3];
        for (size_t i = 0; i < m; i += 4)
            FOUR(out + i) += (FOUR_OF(a + i) * ya + FOUR_OF(b + i) * yb) +
                             (FOUR_OF(c + i) * yc + FOUR_OF(d + i) * yd);
    }
}

// y -= G^T below, four columns at a time; below is filled up with zeros
INLINE void multiply_back(const panel *p, const double *restrict P, const double *restrict below,
                          double *restrict y) {
    size_t m = (size_t)p->rows, w = (size_t)p->width, count = m - w, j = 0;
    for (; j + 4 <= w; j += 4) {
        const double *a = P + j * m + w, *b = a + m, *c = b + m, *d = c + m;
        four A = { 0 }, B = A, C = A, D = A;
        for (size_t i = 0; i < count; i += 4) {
            four x = FOUR_OF(below + i);
            A += FOUR_OF(a + i) * x;
            B += FOUR_OF(b + i) * x;
            C += FOUR_OF(c + i) * x;
            D += FOUR_OF(d + i) * x;
        }
        y[j] -= (A[0] + A[2]) + (A[1] + A[3]);
        y[j + 1] -= (B[0] + B[2]) + (B[1] + B[3]);
        y[j + 2] -= (C[0] + C[2]) + (C[1] + C[3]);
        y[j + 3] -= (D[0] + D[2]) + (D[1] + D[3]);
    }
    for (; j < w; j++) {
        const double *column = P + j * m + w;
        four A = { 0 };
        for (size_t i = 0; i < count; i += 4) A += FOUR_OF(column + i) * FOUR_OF(below + i);
        y[j] -= (A[0] + A[2]) + (A[1] + A[3]);
    }
}

SCREE_VECTOR_CLONES
static void solve_settled(const scree_sparse_cholesky *chol, double *restrict y,
                          double *restrict piece) {
    for (int k = 0; k < chol->panels; k++) {
        const panel *p = &chol->panel[k];
        const int *rows = chol->row + p->row;
        if (is_zero(y + p->first, (size_t)p->width)) continue;
        multiply(p, chol->x + p->at, y + p->first, piece);
        memcpy(y + p->first, piece, (size_t)p->width * sizeof *y);
        for (int i = p->width; i < p->rows; i++) y[rows[i]] -= piece[i];
    }
    for (int k = chol->panels - 1; k >= 0; k--) {
        const panel *p = &chol->panel[k];
        const int *rows = chol->row + p->row + p->width;
        int below = p->rows - p->width;
        for (int i = 0; i < below; i++) piece[i] = y[rows[i]];
        for (int i = below; i < below + LANES; i++) piece[i] = 0;
        multiply_back(p, chol->x + p->at, piece, y + p->first);
    }
}

// ---- solution

SCREE_VECTOR_CLONES
static void solve_once(const scree_sparse_cholesky *chol, double *y) {
    for (int k = 0; k < chol->panels; k++) {
        const panel *p = &chol->panel[k];
        const int *rows = chol->row + p->row;
        for (int j = 0; j < p->width; j++) {
            const double *L = chol->x + p->at + (size_t)j * (size_t)p->rows;
            double z = y[p->first + j] /= L[j], *own = y + p->first;
            for (int i = j + 1; i < p->width; i++) own[i] -= z * L[i];
            for (int i = p->width; i < p->rows; i++) y[rows[i]] -= z * L[i];
        }
    }
    for (int k = chol->panels - 1; k >= 0; k--) {
        const panel *p = &chol->panel[k];
        const int *rows = chol->row + p->row;
        for (int j = p->width - 1; j >= 0; j--) {
            const double *L = chol->x + p->at + (size_t)j * (size_t)p->rows;
            double sum = y[p->first + j];
            for (int i = j + 1; i < p->rows; i++) sum -= L[i] * y[rows[i]];
            y[p->first + j] = sum / L[j];
        }
    }
}

static void solve_ordered(scree_sparse_cholesky *chol) {
    if (chol->settled)
        solve_settled(chol, chol->y, chol->piece);
    else
        solve_once(chol, chol->y);
}

void scree_sparse_cholesky_solve(scree_sparse_cholesky *chol, double *x) {
    double *y = chol->y;
    for (int i = 0; i < chol->n; i++) y[i] = x[chol->order[i]];
    solve_ordered(chol);
    for (int i = 0; i < chol->n; i++) x[chol->order[i]] = y[i];
}

void scree_sparse_cholesky_solve_at(scree_sparse_cholesky *chol, const int *place, double *x) {
    double *y = chol->y;
    for (int i = 0; i < chol->n; i++) y[i] = x[place[chol->order[i]]];
    solve_ordered(chol);
    for (int i = 0; i < chol->n; i++) x[place[chol->order[i]]] = y[i];
}

// ---- many right-hand sides: MANY of them side by side in every row

// (D^-1; G) y and y - G^T below
static void multiply_large(const panel *p, const double *P, const double *y, double *out) {
    int m = p->rows, w = p->width, many = MANY;
    double one = 1, zero = 0;
    dgemm_("N", "T", &many, &m, &w, &one, y, &many, P, &m, &zero, out, &many, 1, 1);
}

static void multiply_back_large(const panel *p, const double *P, const double *below, double *y) {
    int m = p->rows, w = p->width, b = m - w, many = MANY;
    double one = 1, minus = -1;
    dgemm_("N", "N", &many, &w, &b, &minus, below, &many, P + w, &m, &one, y, &many, 1, 1);
}

// the same where they are small
INLINE void multiply_lanes(const panel *p, const double *restrict P, const double *restrict y,
                           double *restrict out) {
    size_t m = (size_t)p->rows, w = (size_t)p->width, j = w % 4;
    for (size_t i = 0; i < m * MANY; i++) out[i] = 0;
    for (size_t k = 0; k < j; k++)
        for (size_t i = 0; i < m; i++)
            for (size_t l = 0; l < MANY; l++) out[i * MANY + l] += P[k * m + i] * y[k * MANY + l];
    for (; j < w; j += 4) {
        const double *P0 = P + j * m, *P1 = P0 + m, *P2 = P1 + m, *P3 = P2 + m;
        const double *y0 = y + j * MANY, *y1 = y0 + MANY, *y2 = y1 + MANY, *y3 = y2 + MANY;
        for (size_t i = 0; i < m; i++)
            for (size_t l = 0; l < MANY; l++)
                out[i * MANY + l] +=
                    (P0[i] * y0[l] + P1[i] * y1[l]) + (P2[i] * y2[l] + P3[i] * y3[l]);
    }
}

INLINE void multiply_back_lanes(const panel *p, const double *restrict P,
                                const double *restrict below, double *restrict y) {
    size_t m = (size_t)p->rows, w = (size_t)p->width, i = (m - w) % 4;
    const double *G = P + w;
    for (size_t k = 0; k < i; k++)
        for (size_t j = 0; j < w; j++)
            for (size_t l = 0; l < MANY; l++) y[j * MANY + l] -= G[j * m + k] * below[k * MANY + l];
    for (; i < m - w; i += 4) {
        const double *b0 = below + i * MANY, *b1 = b0 + MANY, *b2 = b1 + MANY, *b3 = b2 + MANY;
        for (size_t j = 0; j < w; j++) {
            const double *g = G + j * m + i;
            for (size_t l = 0; l < MANY; l++)
                y[j * MANY + l] -= (g[0] * b0[l] + g[1] * b1[l]) + (g[2] * b2[l] + g[3] * b3[l]);
        }
    }
}

SCREE_VECTOR_CLONES
static void solve_lanes(const scree_sparse_cholesky *chol, double *restrict y,
                        double *restrict piece) {
    for (int k = 0; k < chol->panels; k++) {
        const panel *p = &chol->panel[k];
        const int *rows = chol->row + p->row;
        double *own = y + (size_t)p->first * MANY;
        if (is_zero(own, (size_t)p->width * MANY)) continue;
        if (is_large(p))
            multiply_large(p, chol->x + p->at, own, piece);
        else
            multiply_lanes(p, chol->x + p->at, own, piece);
        memcpy(own, piece, (size_t)p->width * MANY * sizeof *y);
        for (int i = p->width; i < p->rows; i++)
            for (size_t l = 0; l < MANY; l++)
                y[(size_t)rows[i] * MANY + l] -= piece[(size_t)i * MANY + l];
    }
    for (int k = chol->panels - 1; k >= 0; k--) {
        const panel *p = &chol->panel[k];
        const int *rows = chol->row + p->row + p->width;
        for (int i = 0; i < p->rows - p->width; i++)
            memcpy(piece + (size_t)i * MANY, y + (size_t)rows[i] * MANY, MANY * sizeof *y);
        if (is_large(p))
            multiply_back_large(p, chol->x + p->at, piece, y + (size_t)p->first * MANY);
        else
            multiply_back_lanes(p, chol->x + p->at, piece, y + (size_t)p->first * MANY);
    }
}

// count columns of x, at most MANY; y and piece are scratch
static void solve_block(const scree_sparse_cholesky *chol, int count, double *x, double *y,
                        double *piece) {
    size_t n = (size_t)chol->n, columns = (size_t)count;
    memset(y, 0, n * MANY * sizeof *y);
    for (size_t c = 0; c < columns; c++)
        for (size_t i = 0; i < n; i++) y[i * MANY + c] = x[c * n + (size_t)chol->order[i]];
    solve_lanes(chol, y, piece);
    for (size_t c = 0; c < columns; c++)
        for (size_t i = 0; i < n; i++) x[c * n + (size_t)chol->order[i]] = y[i * MANY + c];
}

typedef struct solving {  // of many right-hand sides
    const scree_sparse_cholesky *chol;
    int count, blocks, workers;
    double *x, *scratch;  // (count x n), (workers x need)
    size_t need;
} solving;

static void solve_blocks(void *with, int worker) {
    const solving *now = with;
    size_t n = (size_t)now->chol->n;
    double *y = now->scratch + (size_t)worker * now->need, *piece = y + n * MANY;
    for (int b = worker; b < now->blocks; b += now->workers) {
        int left = now->count - b * MANY;
        solve_block(now->chol, left < MANY ? left : MANY, now->x + (size_t)b * MANY * n, y, piece);
    }
}

bool scree_sparse_cholesky_solve_many(scree_sparse_cholesky *chol, int count, double *x,
                                      int threads) {
    int blocks = (count + MANY - 1) / MANY, workers = scree_parallel_threads(threads);
    if (workers > blocks) workers = blocks;
    size_t need = ((size_t)chol->n + (size_t)chol->longest) * MANY;
    double *scratch = malloc(((size_t)workers * need + 1) * sizeof *scratch);
    if (!scratch) return false;
    scree_sparse_cholesky_settle(chol);
    solving now = { chol, count, blocks, workers, x, scratch, need };
    scree_thread_pool pool = { .threads = workers > 0 ? workers : 1 };
    scree_parallel_for(&pool, workers, solve_blocks, &now);
    scree_thread_pool_end(&pool);
    free(scratch);
    return true;
}

double scree_sparse_cholesky_flops(const scree_sparse_cholesky *chol) { return chol->flops; }
double scree_sparse_cholesky_entries(const scree_sparse_cholesky *chol) { return chol->lnz; }
