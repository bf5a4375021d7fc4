// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// tableau.c - dictionaries: exchange, repair, questions.
// in: scaled B, b and the sides of the variables.   out: a point, or a row that excludes all.

#include "solve/tableau.h"

#include <math.h>
#include <string.h>

static const double ROUNDING = 1e-11;  // of scaled coefficients

static double *row_of(const scree_tableau *tableau, int row) {
    return tableau->a + (size_t)row * (size_t)(tableau->modes->unknowns + 1);
}

static double constant(const scree_tableau *tableau, int row) {
    return row_of(tableau, row)[tableau->modes->unknowns];
}

bool scree_tableau_create(const scree_mode_problem *modes, scree_arena *arena,
                          scree_tableau *tableau) {
    *tableau = (scree_tableau){
        .modes = modes,
        .a = SCREE_NEW(arena, double, (modes->rows * (modes->unknowns + 1))),
        .basic = SCREE_NEW(arena, int, modes->rows),
        .other = SCREE_NEW(arena, int, modes->unknowns),
        .side = SCREE_NEW(arena, scree_side, modes->unknowns + modes->rows),
        .decided = SCREE_NEW(arena, unsigned char, modes->units),
    };
    return tableau->a && tableau->basic && tableau->other && tableau->side && tableau->decided;
}

static void load_dictionary(scree_tableau *tableau) {
    const scree_mode_problem *modes = tableau->modes;
    int n = modes->unknowns;
    for (int i = 0; i < modes->rows; i++) {
        double *row = row_of(tableau, i);
        memcpy(row, modes->B + (size_t)i * (size_t)n, (size_t)n * sizeof *row);
        row[n] = modes->b[i];
        tableau->basic[i] = n + i;
    }
    for (int j = 0; j < n; j++) tableau->other[j] = j;
}

void scree_tableau_begin(scree_tableau *tableau) {
    const scree_mode_problem *modes = tableau->modes;
    load_dictionary(tableau);
    memcpy(tableau->side, modes->side,
           (size_t)(modes->unknowns + modes->rows) * sizeof *tableau->side);
    memset(tableau->decided, 0, (size_t)modes->units);
}

void scree_tableau_copy(const scree_tableau *from, scree_tableau *to) {
    size_t n = (size_t)from->modes->unknowns, m = (size_t)from->modes->rows;
    memcpy(to->a, from->a, m * (n + 1) * sizeof *to->a);
    memcpy(to->basic, from->basic, m * sizeof *to->basic);
    memcpy(to->other, from->other, n * sizeof *to->other);
    memcpy(to->side, from->side, (n + m) * sizeof *to->side);
    memcpy(to->decided, from->decided, (size_t)from->modes->units);
}

void scree_tableau_pivot(scree_tableau *tableau, int row, int other) {
    int n = tableau->modes->unknowns;
    double *r = row_of(tableau, row), factor = 1 / r[other];
    for (int k = 0; k <= n; k++) r[k] *= -factor;
    r[other] = factor;
    for (int i = 0; i < tableau->modes->rows; i++) {
        if (i == row) continue;
        double *a = row_of(tableau, i), c = a[other];
        if (c == 0) continue;
        a[other] = 0;
        for (int k = 0; k <= n; k++) a[k] += c * r[k];
    }
    int swap = tableau->basic[row];
    tableau->basic[row] = tableau->other[other];
    tableau->other[other] = swap;
}

double scree_tableau_smallest(const scree_tableau *tableau, int row) {
    const double *a = row_of(tableau, row);
    double largest = 1;
    for (int j = 0; j < tableau->modes->unknowns; j++) largest = fmax(largest, fabs(a[j]));
    return ROUNDING * largest;
}

// how far a value is from the side its variable must be on: positive must grow, negative shrink
static double wanted(scree_side side, double value, double tolerance) {
    if (value < -tolerance && (side == SCREE_SIDE_UP || side == SCREE_SIDE_ZERO)) return -value;
    if (value > tolerance && (side == SCREE_SIDE_DOWN || side == SCREE_SIDE_ZERO)) return -value;
    return 0;
}

// the worst row, or with the cautious rule that of the first variable; -1: all are on their side
static int pick_row(const scree_tableau *tableau, bool cautious) {
    int row = -1;
    double worst = 0;
    for (int i = 0; i < tableau->modes->rows; i++) {
        double miss = fabs(wanted(tableau->side[tableau->basic[i]], constant(tableau, i),
                                  tableau->modes->tolerance));
        bool better = cautious ? row < 0 || tableau->basic[i] < tableau->basic[row] : miss > worst;
        if (miss == 0 || !better) continue;
        row = i;
        worst = miss;
    }
    return row;
}

// a variable that can move and moves the row's variable in the wanted direction; -1: none
static int pick_other(const scree_tableau *tableau, int row, bool cautious) {
    const double *a = row_of(tableau, row);
    double direction = wanted(tableau->side[tableau->basic[row]], constant(tableau, row), 0);
    double most = scree_tableau_smallest(tableau, row);
    int best = -1;
    for (int j = 0; j < tableau->modes->unknowns; j++) {
        scree_side side = tableau->side[tableau->other[j]];
        double size = fabs(a[j]);
        bool grows = (a[j] > 0) == (direction > 0);  // must the other one grow?
        if (side == SCREE_SIDE_ZERO || size <= most) continue;
        if (side == (grows ? SCREE_SIDE_DOWN : SCREE_SIDE_UP)) continue;
        if (cautious && best >= 0 && tableau->other[j] > tableau->other[best]) continue;
        best = j;
        if (!cautious) most = size;
    }
    return best;
}

static int repair(scree_tableau *tableau) {
    // the cautious rule cannot cycle but is slow; a node that does not settle within the limit is
    // kept, because only proofs exclude
    int patience = 40 + 4 * tableau->modes->rows, limit = 50 * patience;
    for (int step = 0; step < limit; step++) {
        bool cautious = step > patience;
        int row = pick_row(tableau, cautious);
        if (row < 0) return -1;
        int other = pick_other(tableau, row, cautious);
        if (other < 0) return row;
        scree_tableau_pivot(tableau, row, other);
    }
    return -1;
}

// Variables that must be zero leave the basis for those that may move, so that what they imply for
// others can be read off the dictionary. Returns whether any did.
static bool expel_zeros(scree_tableau *tableau) {
    bool any = false;
    for (int i = 0; i < tableau->modes->rows; i++) {
        if (tableau->side[tableau->basic[i]] != SCREE_SIDE_ZERO) continue;
        const double *a = row_of(tableau, i);
        double most = scree_tableau_smallest(tableau, i);
        int best = -1;
        for (int j = 0; j < tableau->modes->unknowns; j++)
            if (tableau->side[tableau->other[j]] != SCREE_SIDE_ZERO && fabs(a[j]) > most) {
                most = fabs(a[j]);
                best = j;
            }
        if (best >= 0) scree_tableau_pivot(tableau, i, best);
        any = any || best >= 0;
    }
    return any;
}

int scree_tableau_dual_simplex(scree_tableau *tableau) {
    int row = repair(tableau);
    return row < 0 && expel_zeros(tableau) ? repair(tableau) : row;
}

void scree_tableau_values(const scree_tableau *tableau, double *value) {
    for (int j = 0; j < tableau->modes->unknowns; j++) value[tableau->other[j]] = 0;
    for (int i = 0; i < tableau->modes->rows; i++) value[tableau->basic[i]] = constant(tableau, i);
}

bool scree_tableau_vanishes(const scree_tableau *tableau, int variable) {
    if (tableau->side[variable] == SCREE_SIDE_ZERO) return true;
    for (int i = 0; i < tableau->modes->rows; i++) {
        if (tableau->basic[i] != variable) continue;
        if (fabs(constant(tableau, i)) > tableau->modes->tolerance) return false;
        const double *a = row_of(tableau, i);
        double small = scree_tableau_smallest(tableau, i);
        for (int j = 0; j < tableau->modes->unknowns; j++)
            if (tableau->side[tableau->other[j]] != SCREE_SIDE_ZERO && fabs(a[j]) > small)
                return false;
        return true;
    }
    return false;
}

// Bring the unknowns marked in basis into the basis, the largest pivot first. Of a basis that is
// singular but for rounding only a part comes in, which is as good a place to start from.
static void enter_all(scree_tableau *tableau, const bool *basis) {
    int n = tableau->modes->unknowns;
    for (;;) {
        int row = -1, other = -1;
        double most = 0;
        bool complete = true;
        for (int j = 0; j < n; j++) {
            if (!basis[tableau->other[j]]) continue;
            complete = false;
            for (int i = 0; i < tableau->modes->rows; i++)
                if (!basis[tableau->basic[i]] && fabs(row_of(tableau, i)[j]) > most) {
                    most = fabs(row_of(tableau, i)[j]);
                    row = i;
                    other = j;
                }
        }
        if (complete || !(most > ROUNDING)) return;
        scree_tableau_pivot(tableau, row, other);
    }
}

bool scree_tableau_refactor(scree_tableau *tableau) {
    const scree_mode_problem *modes = tableau->modes;
    bool basis[SCREE_MODE_VARIABLES] = { false };
    for (int i = 0; i < modes->rows; i++) basis[tableau->basic[i]] = true;
    load_dictionary(tableau);
    enter_all(tableau, basis);
    return scree_tableau_dual_simplex(tableau) < 0;
}
