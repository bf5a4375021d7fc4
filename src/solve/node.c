// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// node.c - dictionaries: exchange, repair, questions.
// in: scaled B, b and the sides of the variables.   out: a point, or a row that excludes all.

#include "solve/node.h"

#include <math.h>
#include <string.h>

static const double ROUNDING = 1e-11;  // of scaled coefficients

static int width(const scree_node *node) { return node->cells->unknowns + 1; }

static double *row_of(const scree_node *node, int row) {
    return node->a + (size_t)row * (size_t)width(node);
}

static double constant(const scree_node *node, int row) {
    return row_of(node, row)[node->cells->unknowns];
}

bool scree_node_create(const scree_cells *cells, scree_arena *arena, scree_node *node) {
    *node = (scree_node){
        .cells = cells,
        .a = SCREE_NEW(arena, double, cells->rows *(cells->unknowns + 1)),
        .basic = SCREE_NEW(arena, int, cells->rows),
        .other = SCREE_NEW(arena, int, cells->unknowns),
        .side = SCREE_NEW(arena, scree_side, cells->unknowns + cells->rows),
        .decided = SCREE_NEW(arena, unsigned char, cells->units),
    };
    return node->a && node->basic && node->other && node->side && node->decided;
}

static void load_dictionary(scree_node *node) {
    const scree_cells *cells = node->cells;
    int n = cells->unknowns;
    for (int i = 0; i < cells->rows; i++) {
        double *row = row_of(node, i);
        memcpy(row, cells->B + (size_t)i * (size_t)n, (size_t)n * sizeof *row);
        row[n] = cells->b[i];
        node->basic[i] = n + i;
    }
    for (int j = 0; j < n; j++) node->other[j] = j;
}

void scree_node_begin(scree_node *node) {
    const scree_cells *cells = node->cells;
    load_dictionary(node);
    memcpy(node->side, cells->side, (size_t)(cells->unknowns + cells->rows) * sizeof *node->side);
    memset(node->decided, 0, (size_t)cells->units);
}

void scree_node_copy(const scree_node *from, scree_node *to) {
    size_t n = (size_t)from->cells->unknowns, m = (size_t)from->cells->rows;
    memcpy(to->a, from->a, m * (n + 1) * sizeof *to->a);
    memcpy(to->basic, from->basic, m * sizeof *to->basic);
    memcpy(to->other, from->other, n * sizeof *to->other);
    memcpy(to->side, from->side, (n + m) * sizeof *to->side);
    memcpy(to->decided, from->decided, (size_t)from->cells->units);
}

void scree_node_pivot(scree_node *node, int row, int other) {
    int n = node->cells->unknowns;
    double *r = row_of(node, row), factor = 1 / r[other];
    for (int k = 0; k <= n; k++) r[k] *= -factor;
    r[other] = factor;
    for (int i = 0; i < node->cells->rows; i++) {
        if (i == row) continue;
        double *a = row_of(node, i), c = a[other];
        if (c == 0) continue;
        a[other] = 0;
        for (int k = 0; k <= n; k++) a[k] += c * r[k];
    }
    int swap = node->basic[row];
    node->basic[row] = node->other[other];
    node->other[other] = swap;
}

double scree_node_smallest(const scree_node *node, int row) {
    const double *a = row_of(node, row);
    double largest = 1;
    for (int j = 0; j < node->cells->unknowns; j++) largest = fmax(largest, fabs(a[j]));
    return ROUNDING * largest;
}

// how far a value is from the side its variable must be on: positive must grow, negative shrink
static double wanted(scree_side side, double value, double tolerance) {
    if (value < -tolerance && (side == SCREE_SIDE_UP || side == SCREE_SIDE_ZERO)) return -value;
    if (value > tolerance && (side == SCREE_SIDE_DOWN || side == SCREE_SIDE_ZERO)) return -value;
    return 0;
}

// the worst row, or with the cautious rule that of the first variable; -1: all are on their side
static int pick_row(const scree_node *node, bool cautious) {
    int row = -1;
    double worst = 0;
    for (int i = 0; i < node->cells->rows; i++) {
        double miss =
            fabs(wanted(node->side[node->basic[i]], constant(node, i), node->cells->tolerance));
        bool better = cautious ? row < 0 || node->basic[i] < node->basic[row] : miss > worst;
        if (miss == 0 || !better) continue;
        row = i;
        worst = miss;
    }
    return row;
}

// a variable that can move and moves the row's variable in the wanted direction; -1: none
static int pick_other(const scree_node *node, int row, bool cautious) {
    const double *a = row_of(node, row);
    double direction = wanted(node->side[node->basic[row]], constant(node, row), 0);
    double most = scree_node_smallest(node, row);
    int best = -1;
    for (int j = 0; j < node->cells->unknowns; j++) {
        scree_side side = node->side[node->other[j]];
        double size = fabs(a[j]);
        bool grows = (a[j] > 0) == (direction > 0);  // must the other one grow?
        if (side == SCREE_SIDE_ZERO || size <= most) continue;
        if (side == (grows ? SCREE_SIDE_DOWN : SCREE_SIDE_UP)) continue;
        if (cautious && best >= 0 && node->other[j] > node->other[best]) continue;
        best = j;
        if (!cautious) most = size;
    }
    return best;
}

static int repair(scree_node *node) {
    // the cautious rule cannot cycle but is slow; a node that does not settle within the limit is
    // kept, because only proofs exclude
    int patience = 40 + 4 * node->cells->rows, limit = 50 * patience;
    for (int step = 0; step < limit; step++) {
        bool cautious = step > patience;
        int row = pick_row(node, cautious);
        if (row < 0) return -1;
        int other = pick_other(node, row, cautious);
        if (other < 0) return row;
        scree_node_pivot(node, row, other);
    }
    return -1;
}

// Variables that must be zero leave the basis for those that may move, so that what they imply for
// others can be read off the dictionary. Returns whether any did.
static bool expel_zeros(scree_node *node) {
    bool any = false;
    for (int i = 0; i < node->cells->rows; i++) {
        if (node->side[node->basic[i]] != SCREE_SIDE_ZERO) continue;
        const double *a = row_of(node, i);
        double most = scree_node_smallest(node, i);
        int best = -1;
        for (int j = 0; j < node->cells->unknowns; j++)
            if (node->side[node->other[j]] != SCREE_SIDE_ZERO && fabs(a[j]) > most) {
                most = fabs(a[j]);
                best = j;
            }
        if (best >= 0) scree_node_pivot(node, i, best);
        any = any || best >= 0;
    }
    return any;
}

int scree_node_settle(scree_node *node) {
    int row = repair(node);
    return row < 0 && expel_zeros(node) ? repair(node) : row;
}

void scree_node_values(const scree_node *node, double *value) {
    for (int j = 0; j < node->cells->unknowns; j++) value[node->other[j]] = 0;
    for (int i = 0; i < node->cells->rows; i++) value[node->basic[i]] = constant(node, i);
}

bool scree_node_vanishes(const scree_node *node, int variable) {
    if (node->side[variable] == SCREE_SIDE_ZERO) return true;
    for (int i = 0; i < node->cells->rows; i++) {
        if (node->basic[i] != variable) continue;
        if (fabs(constant(node, i)) > node->cells->tolerance) return false;
        const double *a = row_of(node, i);
        double small = scree_node_smallest(node, i);
        for (int j = 0; j < node->cells->unknowns; j++)
            if (node->side[node->other[j]] != SCREE_SIDE_ZERO && fabs(a[j]) > small) return false;
        return true;
    }
    return false;
}

// Bring the unknowns marked in basis into the basis, the largest pivot first. Of a basis that is
// singular but for rounding only a part comes in, which is as good a place to start from.
static void enter_all(scree_node *node, const bool *basis) {
    int n = node->cells->unknowns;
    for (;;) {
        int row = -1, other = -1;
        double most = 0;
        bool complete = true;
        for (int j = 0; j < n; j++) {
            if (!basis[node->other[j]]) continue;
            complete = false;
            for (int i = 0; i < node->cells->rows; i++)
                if (!basis[node->basic[i]] && fabs(row_of(node, i)[j]) > most) {
                    most = fabs(row_of(node, i)[j]);
                    row = i;
                    other = j;
                }
        }
        if (complete || !(most > ROUNDING)) return;
        scree_node_pivot(node, row, other);
    }
}

bool scree_node_polish(scree_node *node) {
    const scree_cells *cells = node->cells;
    bool basis[SCREE_CELLS_VARIABLES] = { false };
    for (int i = 0; i < cells->rows; i++) basis[node->basic[i]] = true;
    load_dictionary(node);
    enter_all(node, basis);
    return scree_node_settle(node) < 0;
}
