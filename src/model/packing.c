// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// packing.c - random sequential addition: each ball is tried at random places until it fits.
// in: radii, a box.   out: places.   work: a grid of cells for each halving of the radius.
//
// The largest come first, which fills the box better, and makes every ball that is in the way at
// least as large as the new one (but for its level): cells as wide as the balls in them are enough.

#include "model/packing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    TRIES = 10000,  // in a row without room: the box is full
    LEVELS = 40,    // of radii, each half of the one above; the last takes all that are smaller
};

typedef struct ranked {
    double radius;
    int index;
} ranked;

typedef struct field {
    const scree_packing *packing;
    double *place;
    int levels;           // in use
    double cell[LEVELS];  // width
    double largest[LEVELS];
    uint32_t mask;  // of the table
    int *head;      // first ball of a cell, by hash, -1: none (mask + 1)
    int *next;      // (count)
} field;

static int compare(const void *a, const void *b) {
    const ranked *x = a, *y = b;
    if (x->radius != y->radius) return x->radius > y->radius ? -1 : 1;
    return (x->index > y->index) - (x->index < y->index);
}

// cells of other places may share a slot: what is found there is measured anyway
static uint32_t slot_of(const field *f, int level, const int64_t cell[3]) {
    uint64_t h = (uint64_t)level;
    for (int i = 0; i < f->packing->space; i++) {
        h = (h ^ (uint64_t)cell[i]) * 0x9e3779b97f4a7c15u;
        h ^= h >> 29;
    }
    return (uint32_t)(h >> 16) & f->mask;
}

static int64_t cell_of(const field *f, int level, int axis, double x) {
    return (int64_t)floor((x - f->packing->low[axis]) / f->cell[level]);
}

static bool touches(const field *f, int ball, const double x[3], double radius) {
    const double *other = f->place + 3 * (size_t)ball;
    double reach = radius + f->packing->radius[ball] + f->packing->gap, square = 0;
    for (int i = 0; i < f->packing->space; i++) square += (x[i] - other[i]) * (x[i] - other[i]);
    return square < reach * reach;
}

// is there a ball of this level in the way?
static bool blocked(const field *f, int level, const double x[3], double radius) {
    double reach = radius + f->largest[level] + f->packing->gap;
    int64_t low[3] = { 0 }, high[3] = { 0 }, cell[3];
    for (int i = 0; i < f->packing->space; i++) {
        low[i] = cell_of(f, level, i, x[i] - reach);
        high[i] = cell_of(f, level, i, x[i] + reach);
    }
    for (cell[2] = low[2]; cell[2] <= high[2]; cell[2]++)
        for (cell[1] = low[1]; cell[1] <= high[1]; cell[1]++)
            for (cell[0] = low[0]; cell[0] <= high[0]; cell[0]++)
                for (int b = f->head[slot_of(f, level, cell)]; b >= 0; b = f->next[b])
                    if (touches(f, b, x, radius)) return true;
    return false;
}

static bool fits(const field *f, const double x[3], double radius) {
    for (int level = 0; level < f->levels; level++)
        if (f->largest[level] > 0 && blocked(f, level, x, radius)) return false;
    return true;
}

static void insert(field *f, int ball, int level) {
    int64_t cell[3] = { 0 };
    const double *x = f->place + 3 * (size_t)ball;
    for (int i = 0; i < f->packing->space; i++) cell[i] = cell_of(f, level, i, x[i]);
    uint32_t slot = slot_of(f, level, cell);
    f->next[ball] = f->head[slot];
    f->head[slot] = ball;
}

// the level of a ball; the first one that comes to a level is its largest
static int level_of(field *f, double radius, double greatest) {
    int level = 0;
    while (level + 1 < LEVELS && radius <= ldexp(greatest, -level - 1)) level++;
    if (level >= f->levels) f->levels = level + 1;
    if (f->largest[level] == 0) {
        double widest = 0;
        for (int i = 0; i < f->packing->space; i++)
            widest = fmax(widest, f->packing->high[i] - f->packing->low[i]);
        f->largest[level] = radius;
        // in a vast box wider cells, whose numbers stay small
        f->cell[level] = fmax(2 * radius + f->packing->gap, widest * 0x1p-20);
    }
    return level;
}

static bool place_ball(field *f, int ball, int level, uint64_t *random) {
    const scree_packing *packing = f->packing;
    double radius = packing->radius[ball], *x = f->place + 3 * (size_t)ball;
    for (int try = 0; try < TRIES; try++) {
        for (int i = 0; i < packing->space; i++) {
            double low = packing->low[i] + radius, high = packing->high[i] - radius;
            if (high < low) return false;
            x[i] = low + (high - low) * scree_random(random);
        }
        if (!fits(f, x, radius)) continue;
        insert(f, ball, level);
        return true;
    }
    return false;
}

static scree_status full(const scree_packing *packing, const ranked *order, int placed,
                         scree_error *err) {
    double box = 1, balls = 0;
    for (int i = 0; i < packing->space; i++) box *= packing->high[i] - packing->low[i];
    double unit = packing->space == 3 ? 4.0 / 3 * 3.14159265358979 : 3.14159265358979;
    for (int i = 0; i < placed; i++) balls += unit * pow(order[i].radius, packing->space);
    return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                      "the region is full: %d of %d bodies could be placed at random, and their "
                      "balls fill %.3g of it; make it larger, or the bodies fewer or smaller",
                      placed, packing->count, balls / box);
}

static bool begin(field *f, scree_arena *scratch) {
    size_t count = (size_t)f->packing->count, slots = 64;
    while (slots < 2 * count) slots *= 2;
    f->mask = (uint32_t)(slots - 1);
    f->head = SCREE_NEW(scratch, int, slots);
    f->next = SCREE_NEW(scratch, int, count);
    if (f->head) memset(f->head, 0xff, slots * sizeof *f->head);
    return f->head && f->next;
}

scree_status scree_packing_fill(const scree_packing *packing, uint64_t *random,
                                scree_arena *scratch, double *place, scree_error *err) {
    field f = { .packing = packing, .place = place };
    for (int i = 0; i < packing->space; i++)
        if (!isfinite(packing->high[i] - packing->low[i]))
            return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE, "the region has no end");
    ranked *order = SCREE_NEW(scratch, ranked, packing->count);
    if (!begin(&f, scratch) || !order)
        return scree_fail(err, SCREE_NO_MEMORY, SCREE_NOWHERE, "out of memory for %d bodies",
                          packing->count);
    for (int i = 0; i < packing->count; i++) order[i] = (ranked){ packing->radius[i], i };
    qsort(order, (size_t)packing->count, sizeof *order, compare);
    for (int i = 0; i < packing->count; i++) {
        int level = level_of(&f, order[i].radius, order[0].radius);
        if (!place_ball(&f, order[i].index, level, random)) return full(packing, order, i, err);
    }
    return SCREE_OK;
}
