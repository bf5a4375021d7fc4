// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// lemke.c - Lemke's method with the lexicographic ratio test on a dense dictionary.
// in: LCP.   out: a solution, or the end of the path.   work: the dictionary, n x (n + 2).
//
//     w = M z + q + d z0,   d > 0
//
// z0 first grows until w >= 0; then the complement of the variable that left enters, until z0 is
// back at zero. Ties are broken as if q had independent small additions e^1, e^2, ...: their
// factors in a row are the coefficients of the w that are not basic, so no step is degenerate and
// no cycle possible.
//
// M is scaled by congruence, C M C, which keeps what convergence rests on (copositive stays so).

#include "solve/lemke.h"

#include <math.h>
#include <string.h>

#include "solve/solver_context.h"

static const double ROUNDING = 1e-11;

typedef struct path {  // variables: w 0..n-1, z n..2n-1, z0 2n
    int n;
    double *a;           // basic = a other, constant last    (n x (n + 2))
    double *start;       // the first dictionary
    int *basic, *other;  // (n), (n + 1)
    int *place;          // of a variable: its row, or -1 - its column    (2n + 1)
    double *scale;       // z = scale x scaled z      (n)
    double size;         // of q
} path;

static double *row_of(const path *t, int i) { return t->a + (size_t)i * (size_t)(t->n + 2); }

static int complement(const path *t, int variable) {
    return variable < t->n ? variable + t->n : variable - t->n;
}

// -------------------------------------------------------------------------------------------------
// the dictionary

static bool allocate(const scree_lcp *lcp, scree_arena *arena, path *t) {
    size_t n = (size_t)lcp->size;
    *t = (path){ .n = lcp->size,
                 .a = SCREE_NEW(arena, double, (n * (n + 2))),
                 .start = SCREE_NEW(arena, double, (n * (n + 2))),
                 .basic = SCREE_NEW(arena, int, n),
                 .other = SCREE_NEW(arena, int, n + 1),
                 .place = SCREE_NEW(arena, int, 2 * n + 1),
                 .scale = SCREE_NEW(arena, double, n) };
    return t->a && t->start && t->basic && t->other && t->place && t->scale;
}

// entries of C M C about 1, by powers of two
static void find_scale(const scree_lcp *lcp, path *t) {
    int n = t->n;
    for (int i = 0; i < n; i++) t->scale[i] = 1;
    for (int round = 0; round < 6; round++)
        for (int i = 0; i < n; i++) {
            double largest = 0;
            for (int j = 0; j < n; j++) {
                double across = fabs(lcp->M[(size_t)i * (size_t)n + (size_t)j]);
                double down = fabs(lcp->M[(size_t)j * (size_t)n + (size_t)i]);
                largest = fmax(largest, fmax(across, down) * t->scale[j]);
            }
            if (largest > 0) t->scale[i] = sqrt(t->scale[i] / largest);
        }
    for (int i = 0; i < n; i++) t->scale[i] = exp2(round(log2(t->scale[i])));
}

static void begin(const scree_lcp *lcp, path *t) {
    size_t n = (size_t)t->n;
    find_scale(lcp, t);
    t->size = 0;
    for (size_t i = 0; i < n; i++) t->size = fmax(t->size, fabs(lcp->q[i]) * t->scale[i]);
    t->size = t->size > 0 ? exp2(round(log2(t->size))) : 1;
    for (size_t i = 0; i < n; i++) {
        double *row = t->start + i * (n + 2);
        for (size_t j = 0; j < n; j++) row[j] = t->scale[i] * lcp->M[i * n + j] * t->scale[j];
        row[n] = 1;
        row[n + 1] = t->scale[i] * lcp->q[i] / t->size;
    }
}

static void load(path *t) {
    int n = t->n;
    memcpy(t->a, t->start, (size_t)n * (size_t)(n + 2) * sizeof *t->a);
    for (int i = 0; i < n; i++) {
        t->basic[i] = i;
        t->place[i] = i;
    }
    for (int j = 0; j <= n; j++) {
        t->other[j] = n + j;
        t->place[n + j] = -1 - j;
    }
}

static void pivot(path *t, int row, int column) {
    int width = t->n + 2;
    double *r = row_of(t, row), factor = 1 / r[column];
    for (int k = 0; k < width; k++) r[k] *= -factor;
    r[column] = factor;
    for (int i = 0; i < t->n; i++) {
        double *a = row_of(t, i), c = a[column];
        if (i == row || c == 0) continue;
        a[column] = 0;
        for (int k = 0; k < width; k++) a[k] += c * r[k];
    }
    int entered = t->other[column], left = t->basic[row];
    t->basic[row] = entered;
    t->other[column] = left;
    t->place[entered] = row;
    t->place[left] = -1 - column;
}

// The dictionary of the same basis from the numbers of the problem. Each column that has to enter
// takes the row with its largest entry.
static bool rebuild(path *t, bool *wanted) {
    for (int v = 0; v <= 2 * t->n; v++) wanted[v] = t->place[v] >= 0;
    load(t);
    for (int v = t->n; v <= 2 * t->n; v++) {
        if (!wanted[v]) continue;
        int column = -1 - t->place[v], row = -1;
        double most = ROUNDING;
        for (int i = 0; i < t->n; i++)
            if (!wanted[t->basic[i]] && fabs(row_of(t, i)[column]) > most) {
                most = fabs(row_of(t, i)[column]);
                row = i;
            }
        if (row < 0) return false;
        pivot(t, row, column);
    }
    return true;
}

// -------------------------------------------------------------------------------------------------
// the path

// factor of e^k in a row: w_k = ... holds for w_k - e^k
static double addition(const path *t, int row, int k) {
    int place = t->place[k];
    if (place >= 0) return place == row ? 1 : 0;
    return -row_of(t, row)[-1 - place];
}

// is row i, divided by di, lexicographically before row j divided by dj?
static bool comes_before(const path *t, int i, double di, int j, double dj) {
    double one = fmax(row_of(t, i)[t->n + 1], 0) / di, two = fmax(row_of(t, j)[t->n + 1], 0) / dj;
    for (int k = 0; k < t->n; k++) {
        if (fabs(one - two) > 1e-12 * (1 + fabs(one) + fabs(two))) return one < two;
        one = addition(t, i, k) / di;
        two = addition(t, j, k) / dj;
    }
    return one < two;
}

// the first row to reach zero when the variable of a column grows; -1: none does
static int blocking_row(const path *t, int column) {
    int best = -1;
    double largest = 1;
    for (int i = 0; i < t->n; i++) largest = fmax(largest, fabs(row_of(t, i)[column]));
    for (int i = 0; i < t->n; i++) {
        double slope = -row_of(t, i)[column];
        if (slope <= ROUNDING * largest) continue;
        if (best < 0 || comes_before(t, i, slope, best, -row_of(t, best)[column])) best = i;
    }
    // among equals z0 goes first: that is the end
    int z0 = t->place[2 * t->n];
    if (best >= 0 && z0 >= 0 && z0 != best) {
        double slope = -row_of(t, z0)[column], there = row_of(t, z0)[t->n + 1];
        double first = fmax(row_of(t, best)[t->n + 1], 0) / -row_of(t, best)[column];
        if (slope > ROUNDING * largest && there / slope <= first + 1e-13 * (1 + first)) return z0;
    }
    return best;
}

// the row that holds z0 back when it first enters: q_i + e^i is the least; -1: q >= 0
static int first_row(const path *t) {
    int best = 0;
    for (int i = 1; i < t->n; i++)
        if (row_of(t, i)[t->n + 1] <= row_of(t, best)[t->n + 1]) best = i;
    return row_of(t, best)[t->n + 1] < 0 ? best : -1;
}

static scree_lemke_end follow(path *t, scree_lemke_effort *effort, bool *scratch) {
    int row = first_row(t), column = t->n;
    int rebuild_after = 100 + t->n / 2;  // pivots: the rounding of the way, against the cost
    if (row < 0) return SCREE_LEMKE_SOLVED;
    for (;;) {
        if (effort->pivots >= effort->max_pivots) return SCREE_LEMKE_LIMIT;
        if (effort->limits && scree_limits_passed(effort->limits)) return SCREE_LEMKE_LATE;
        pivot(t, row, column);
        int left = t->other[column];
        effort->pivots++;
        if (left == 2 * t->n) return SCREE_LEMKE_SOLVED;
        if (effort->pivots % rebuild_after == 0) {
            effort->rebuilds++;
            if (!rebuild(t, scratch)) return SCREE_LEMKE_LOST;
        }
        column = -1 - t->place[complement(t, left)];
        row = blocking_row(t, column);
        if (row < 0) return SCREE_LEMKE_RAY;
    }
}

// -------------------------------------------------------------------------------------------------
// the solution

static void read_solution(const path *t, double *z) {
    for (int k = 0; k < t->n; k++) {
        int row = t->place[t->n + k];
        z[k] = row >= 0 ? row_of(t, row)[t->n + 1] : 0;
    }
}

// one step of refinement: what w should be zero and is not moves z along its columns
static void refine(const path *t, double *z, double *step) {
    int n = t->n;
    memset(step, 0, (size_t)n * sizeof *step);
    for (int k = 0; k < n; k++) {
        if (t->place[k] >= 0) continue;
        const double *row = t->start + (size_t)k * (size_t)(n + 2);
        double w = row[n + 1];
        for (int j = 0; j < n; j++) w += row[j] * z[j];
        for (int i = 0; i < n; i++)
            if (t->basic[i] >= n && t->basic[i] < 2 * n)
                step[t->basic[i] - n] -= row_of(t, i)[-1 - t->place[k]] * w;
    }
    for (int j = 0; j < n; j++) z[j] += step[j];
}

scree_lemke_end scree_lemke_run(const scree_lcp *lcp, scree_lemke_effort *effort, double *z,
                                scree_arena *arena) {
    path t;
    bool *wanted = SCREE_NEW(arena, bool, 2 * lcp->size + 1);
    double *step = SCREE_NEW(arena, double, lcp->size);
    if (!wanted || !step || !allocate(lcp, arena, &t)) return SCREE_LEMKE_NO_MEMORY;
    memset(z, 0, (size_t)lcp->size * sizeof *z);
    if (lcp->size == 0) return SCREE_LEMKE_SOLVED;
    begin(lcp, &t);
    load(&t);
    scree_lemke_end end = follow(&t, effort, wanted);
    read_solution(&t, z);
    if (end == SCREE_LEMKE_SOLVED && effort->pivots > 0) {
        effort->rebuilds++;
        if (rebuild(&t, wanted)) {
            read_solution(&t, z);
            refine(&t, z, step);
        }
    }
    for (int k = 0; k < t.n; k++) z[k] = fmax(z[k], 0) * t.scale[k] * t.size;
    return end;
}
