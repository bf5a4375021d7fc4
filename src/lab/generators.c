// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// generators.c - double description of small polyhedra.

#include "lab/generators.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool grow(scree_generators *set) {
    if (set->count < set->room) return true;
    if (set->room == SCREE_EQUILIBRIUM_GENERATORS) {
        set->too_many = true;
        return false;
    }
    int room = set->room ? 2 * set->room : 64;
    scree_cone_generator *item = realloc(set->item, (size_t)room * sizeof *item);
    if (!item) return false;
    set->item = item;
    long double *value = realloc(set->value, (size_t)room * sizeof *value);
    if (!value) return false;
    set->value = value;
    set->room = room;
    return true;
}

bool scree_generators_begin(scree_generators *set, int size, uint64_t alive, double tolerance) {
    set->size = size;
    set->count = set->equalities = 0;
    set->tolerance = tolerance;
    uint64_t all = ((uint64_t)1 << size) - 1;
    for (int k = 0; k < size; k++) {
        if (!(alive >> k & 1)) continue;
        if (!grow(set)) return false;
        scree_cone_generator *g = &set->item[set->count++];
        memset(g, 0, sizeof *g);
        g->x[k] = 1;
        g->zeros = all & ~((uint64_t)1 << k);
    }
    return true;
}

static long double product(const scree_generators *set, int i, const long double *row) {
    long double sum = 0, size = 0;
    for (int k = 0; k < set->size; k++) {
        long double term = row[k] * set->item[i].x[k];
        sum += term;
        size += fabsl(term);
    }
    return fabsl(sum) <= set->tolerance * size ? 0 : sum;
}

// do two generators span an edge: has no third one all their common zeros?
static bool is_edge(const scree_generators *set, int before, int i, int j) {
    uint64_t common = set->item[i].zeros & set->item[j].zeros;
    if (__builtin_popcountll(common) < set->size - set->equalities - 2) return false;
    for (int k = 0; k < before; k++)
        if (k != i && k != j && (set->item[k].zeros & common) == common) return false;
    return true;
}

// the point between i (value > 0) and j (value < 0) where the row is zero
static void intersect_edge(scree_generators *set, int i, int j, uint64_t mark) {
    const scree_cone_generator *up = &set->item[i], *down = &set->item[j];
    scree_cone_generator *g = &set->item[set->count++];
    long double largest = 0;
    g->zeros = (up->zeros & down->zeros) | mark;
    for (int k = 0; k < SCREE_GENERATOR_SIZE; k++) {
        bool zero = k >= set->size || (g->zeros >> k & 1);
        g->x[k] = zero ? 0 : set->value[i] * down->x[k] - set->value[j] * up->x[k];
        largest = fmaxl(largest, fabsl(g->x[k]));
    }
    for (int k = 0; k < set->size && largest > 0; k++) g->x[k] /= largest;
}

static bool cut(scree_generators *set, const long double *row, uint64_t mark, bool equal) {
    int before = set->count;
    for (int i = 0; i < before; i++) set->value[i] = product(set, i, row);
    for (int i = 0; i < before; i++)
        for (int j = 0; j < before && set->value[i] > 0; j++) {
            if (set->value[j] >= 0 || !is_edge(set, before, i, j)) continue;
            if (!grow(set)) return false;
            intersect_edge(set, i, j, mark);
        }
    // those on the bad side go
    int kept = 0;
    for (int i = 0; i < set->count; i++) {
        if (i < before && (set->value[i] < 0 || (equal && set->value[i] > 0))) continue;
        if (i < before && set->value[i] == 0) set->item[i].zeros |= mark;
        set->item[kept++] = set->item[i];
    }
    set->count = kept;
    return true;
}

bool scree_generators_equal(scree_generators *set, const long double *row) {
    if (!cut(set, row, 0, true)) return false;
    set->equalities++;
    return true;
}

bool scree_generators_above(scree_generators *set, const long double *row, int bit) {
    return cut(set, row, (uint64_t)1 << bit, false);
}

bool scree_generators_any_vertex(const scree_generators *set) {
    for (int i = 0; i < set->count; i++)
        if (!scree_cone_generator_is_ray(&set->item[i])) return true;
    return false;
}

void scree_generators_finish(scree_generators *set) {
    for (int i = 0; i < set->count; i++) {
        scree_cone_generator *g = &set->item[i];
        long double t = g->x[0];
        for (int k = 0; k < set->size && t > 0; k++) g->x[k] /= t;
    }
}

void scree_generators_free(scree_generators *set) {
    free(set->item);
    free(set->value);
    *set = (scree_generators){ 0 };
}
