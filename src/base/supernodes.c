// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// supernodes.c - the symbolic half of A = L L^T: order of elimination, and columns of L in panels.
//
// in: pattern of the lower triangle.  out: order, supernodes, their rows.  work: an arena.
//
// AMD orders, or nested dissection where that means less work. Row i of L has entries where the
// paths of the elimination tree lead that start at the entries of row i of A and end at i (Liu
// 1990): one walk gives parent, count (the entries of each column) and, once columns are grouped,
// the rows of each group in ascending order. Columns whose rows are the same but for themselves
// form a supernode; supernodes that would hold few zeros together are amalgamated with their parent
// (Ashcraft and Grimes 1989), because one wide panel is faster than two narrow ones.

#include "base/supernodes.h"

#include <stdint.h>
#include <string.h>
#include <suitesparse/amd.h>

#include "base/nested_dissection.h"

enum { DISSECT_FROM = 400 };  // operations for an entry of L

typedef struct upper {  // rows above the diagonal of each column of A, reordered
    int n, *first, *row;
} upper;

typedef struct tree {     // the elimination tree
    int *parent, *count;  // of each column, -1 for roots; entries of L in it
    double flops, entries;
} tree;

typedef struct group {  // a supernode in the making
    int first, width, rows;
    double zeros;  // entries of the panel that are zero
} group;

// ---- order and elimination tree

static bool find_order(int n, const int *first, const int *row, int *order) {
    double control[AMD_CONTROL], info[AMD_INFO];
    amd_defaults(control);
    return amd_order(n, first, row, order, control, info) >= 0;
}

static bool reorder(int n, const int *first, const int *row, const int *order, scree_arena *arena,
                    upper *out) {
    int *back = SCREE_NEW(arena, int, n), *at = SCREE_NEW(arena, int, n + 1);
    *out = (upper){ n, SCREE_NEW(arena, int, n + 1), SCREE_NEW(arena, int, first[n]) };
    if (!back || !at || !out->first || !out->row) return false;
    for (int i = 0; i < n; i++) back[order[i]] = i;
    for (int fill = 0; fill < 2; fill++) {  // count, then fill
        for (int j = 0; j < n; j++)
            for (int e = first[j]; e < first[j + 1]; e++) {
                int a = back[j], b = back[row[e]], low = a < b ? a : b, high = a < b ? b : a;
                if (low == high) continue;
                if (fill)
                    out->row[at[high]++] = low;
                else
                    out->first[high + 1]++;
            }
        if (fill) break;
        for (int i = 0; i < n; i++) out->first[i + 1] += out->first[i];
        memcpy(at, out->first, (size_t)(n + 1) * sizeof *at);
    }
    return true;
}

static void eliminate(const upper *A, tree *t, int *seen) {
    for (int k = 0; k < A->n; k++) {
        t->parent[k] = -1;
        t->count[k] = 1;
        seen[k] = k;
        for (int e = A->first[k]; e < A->first[k + 1]; e++)
            for (int i = A->row[e]; seen[i] != k; i = t->parent[i]) {
                if (t->parent[i] < 0) t->parent[i] = k;
                t->count[i]++;
                seen[i] = k;
            }
    }
    for (int k = 0; k < A->n; k++) {
        t->flops += (double)t->count[k] * t->count[k];
        t->entries += t->count[k];
    }
}

// children before parents, the one with most entries next to its parent, where it may join it
static void postorder(int n, const tree *t, int *post, int *child, int *next, int *stack) {
    int *largest = stack, depth = 0, k = 0;
    for (int i = 0; i < n; i++) child[i] = largest[i] = -1;
    for (int i = 0; i < n; i++) {
        int p = t->parent[i];
        if (p >= 0 && (largest[p] < 0 || t->count[i] >= t->count[largest[p]])) largest[p] = i;
    }
    for (int p = 0; p < n; p++)
        if (largest[p] >= 0) {
            next[largest[p]] = -1;
            child[p] = largest[p];
        }
    for (int i = n - 1; i >= 0; i--) {
        int p = t->parent[i];
        if (p < 0 || largest[p] == i) continue;
        next[i] = child[p];
        child[p] = i;
    }
    for (int root = 0; root < n; root++) {
        if (t->parent[root] >= 0) continue;
        for (stack[depth++] = root; depth > 0;) {
            int top = stack[depth - 1], first = child[top];
            if (first < 0) {
                post[k++] = top;
                depth--;
            } else {
                child[top] = next[first];
                stack[depth++] = first;
            }
        }
    }
}

// rename the columns of tree and order
static void apply_postorder(int n, const int *post, tree *t, int *order, int *back, int *copy) {
    for (int i = 0; i < n; i++) back[post[i]] = i;
    int *of[3] = { t->parent, t->count, order };
    for (int a = 0; a < 3; a++) {
        memcpy(copy, of[a], (size_t)n * sizeof *copy);
        for (int i = 0; i < n; i++) of[a][i] = copy[post[i]];
    }
    for (int i = 0; i < n; i++)
        if (t->parent[i] >= 0) t->parent[i] = back[t->parent[i]];
}

// ---- supernodes

static double panel_entries(double width, double rows) { return width * (rows - (width - 1) / 2); }

static bool is_worth_it(double width, double share_of_zeros) {
    if (width <= 4) return true;
    if (width <= 16) return share_of_zeros < 0.8;
    if (width <= 48) return share_of_zeros < 0.1;
    return share_of_zeros < 0.05;
}

// takes a child into its parent's group, if that leaves few zeros; the child stands just before it
static bool amalgamate(const group *child, group *parent) {
    group both = { child->first, child->width + parent->width, child->width + parent->rows, 0 };
    both.zeros = child->zeros + parent->zeros + (double)child->width * (both.rows - child->rows);
    if (!is_worth_it(both.width, both.zeros / panel_entries(both.width, both.rows))) return false;
    *parent = both;
    return true;
}

static int find_groups(int n, const tree *t, group *found) {
    int count = 0;
    for (int j = 0; j < n;) {
        group now = { j, 1, t->count[j], 0 };
        for (j++; j < n && t->parent[j - 1] == j && t->count[j] == t->count[j - 1] - 1; j++)
            now.width++;
        while (count > 0 && t->parent[now.first - 1] >= now.first &&
               t->parent[now.first - 1] < now.first + now.width &&
               amalgamate(&found[count - 1], &now))
            count--;
        found[count++] = now;
    }
    return count;
}

static bool find_rows(const upper *A, const tree *t, const group *found, scree_arena *arena,
                      int *owner, scree_supernodes *out) {
    int *seen = SCREE_NEW(arena, int, out->count), *at = SCREE_NEW(arena, int, out->count);
    if (!seen || !at) return false;
    for (int k = 0; k < out->count; k++) {
        at[k] = out->first[k];
        seen[k] = -1;
        for (int j = 0; j < found[k].width; j++) {
            owner[found[k].first + j] = k;
            out->row[at[k]++] = found[k].first + j;
        }
    }
    for (int i = 0; i < A->n; i++)
        for (int e = A->first[i]; e < A->first[i + 1]; e++)
            for (int k = owner[A->row[e]]; k != owner[i] && seen[k] != i;
                 k = owner[t->parent[out->column[k + 1] - 1]]) {
                out->row[at[k]++] = i;
                seen[k] = i;
            }
    return true;
}

static bool make_supernodes(const upper *A, const tree *t, const group *found, scree_arena *scratch,
                            int *owner, scree_arena *arena, scree_supernodes *out) {
    int64_t rows = 0;
    for (int k = 0; k < out->count; k++) rows += found[k].rows;
    if (rows > INT32_MAX) return false;
    out->column = SCREE_NEW(arena, int, out->count + 1);
    out->first = SCREE_NEW(arena, int, out->count + 1);
    out->row = SCREE_NEW(arena, int, rows);
    if (!out->column || !out->first || !out->row) return false;
    for (int k = 0; k < out->count; k++) {
        out->column[k + 1] = found[k].first + found[k].width;
        out->first[k + 1] = out->first[k] + found[k].rows;
    }
    return find_rows(A, t, found, scratch, owner, out);
}

static bool eliminate_in(const int *order, int n, const int *first, const int *row,
                         scree_arena *scratch, int *seen, upper *A, tree *t) {
    t->parent = SCREE_NEW(scratch, int, n);
    t->count = SCREE_NEW(scratch, int, n);
    if (!t->parent || !t->count || !reorder(n, first, row, order, scratch, A)) return false;
    eliminate(A, t, seen);
    return true;
}

// AMD's order, or nested dissection's where the matrix is worth the search and that needs less
static bool choose_order(int n, const int *first, const int *row, scree_arena *scratch, int *other,
                         int *seen, int *order, tree *t) {
    upper A;
    tree dissected = { 0 };
    if (!find_order(n, first, row, order) ||
        !eliminate_in(order, n, first, row, scratch, seen, &A, t))
        return false;
    if (t->flops < DISSECT_FROM * t->entries) return true;
    if (!scree_nested_dissection_order(n, first, row, other) ||
        !eliminate_in(other, n, first, row, scratch, seen, &A, &dissected))
        return false;
    if (dissected.flops < t->flops) {
        *t = dissected;
        memcpy(order, other, (size_t)n * sizeof *order);
    }
    return true;
}

static bool analyse(int n, const int *first, const int *row, scree_arena *scratch,
                    scree_arena *arena, scree_supernodes *out) {
    upper A;
    tree t = { 0 };
    int *work[4];
    for (int i = 0; i < 4; i++) work[i] = SCREE_NEW(scratch, int, n);
    group *found = SCREE_NEW(scratch, group, n);
    out->order = SCREE_NEW(arena, int, n);
    if (!work[0] || !work[1] || !work[2] || !work[3] || !found || !out->order ||
        !choose_order(n, first, row, scratch, work[0], work[1], out->order, &t))
        return false;
    postorder(n, &t, work[0], work[1], work[2], work[3]);
    apply_postorder(n, work[0], &t, out->order, work[1], work[2]);
    out->count = find_groups(n, &t, found);
    out->flops = t.flops;
    out->entries = t.entries;
    return reorder(n, first, row, out->order, scratch, &A) &&
           make_supernodes(&A, &t, found, scratch, work[0], arena, out);
}

bool scree_supernodes_find(int n, const int *first, const int *row, scree_arena *arena,
                           scree_supernodes *out) {
    scree_arena scratch = { 0 };
    *out = (scree_supernodes){ 0 };
    bool fine = analyse(n, first, row, &scratch, arena, out);
    scree_arena_free(&scratch);
    return fine;
}
