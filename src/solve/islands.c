// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// islands.c - connected parts of the graph of contacts.
// in: problem.   out: lists of contacts; one part as a problem.   work: a stack.

#include "solve/islands.h"

#include <stdlib.h>
#include <string.h>

#include "base/order.h"
#include "base/union_find.h"

bool scree_islands_find(const scree_problem *problem, scree_arena *arena, scree_islands *islands) {
    int nc = problem->contacts;
    int *parent = SCREE_NEW(arena, int, nc), *number = SCREE_NEW(arena, int, nc);
    islands->contact = SCREE_NEW(arena, int, nc);
    islands->place = SCREE_NEW(arena, int, nc);
    if (!parent || !number || !islands->contact || !islands->place) return false;
    for (int i = 0; i < nc; i++) parent[i] = i;
    for (int i = 0; i < nc; i++)
        for (int at = problem->row[i]; at < problem->row[i + 1]; at++) {
            int one = scree_union_find_root(parent, i),
                other = scree_union_find_root(parent, problem->column[at]);
            if (one < other)  // the smallest contact is the root
                parent[other] = one;
            else
                parent[one] = other;
        }
    islands->count = 0;
    for (int i = 0; i < nc; i++) {
        int root = scree_union_find_root(parent, i);
        number[i] = root == i ? islands->count++ : number[root];
    }
    islands->first = SCREE_NEW(arena, int, islands->count + 1);
    if (!islands->first) return false;
    for (int i = 0; i < nc; i++) {
        islands->place[i] = islands->first[number[i] + 1]++;
    }
    for (int k = 0; k < islands->count; k++) islands->first[k + 1] += islands->first[k];
    for (int i = 0; i < nc; i++)
        islands->contact[islands->first[number[i]] + islands->place[i]] = i;
    return true;
}

static const double *gather(const double *x, int width, const int *contact, int count,
                            scree_arena *arena, bool *fine) {
    if (!x) return NULL;
    size_t bytes = (size_t)width * sizeof *x;
    double *part = SCREE_NEW(arena, double, ((size_t)count * (size_t)width));
    if (!part) {
        *fine = false;
        return NULL;
    }
    for (int k = 0; k < count; k++)
        memcpy(part + (size_t)k * (size_t)width, x + (size_t)contact[k] * (size_t)width, bytes);
    return part;
}

static bool extract_blocks(const scree_problem *problem, const scree_islands *islands,
                           const int *contact, int count, scree_arena *arena, scree_problem *part) {
    size_t dd = (size_t)(problem->dimension * problem->dimension);
    int *row = SCREE_NEW(arena, int, count + 1), *diagonal = SCREE_NEW(arena, int, count);
    if (!row || !diagonal) return false;
    for (int k = 0; k < count; k++)
        row[k + 1] = row[k] + problem->row[contact[k] + 1] - problem->row[contact[k]];
    int *column = SCREE_NEW(arena, int, row[count]);
    double *block = SCREE_NEW(arena, double, (size_t)row[count] * dd);
    if (!column || !block) return false;
    for (int k = 0; k < count; k++) {
        int begin = problem->row[contact[k]], size = row[k + 1] - row[k];
        diagonal[k] = row[k] + problem->diagonal[contact[k]] - begin;
        for (int at = 0; at < size; at++)
            column[row[k] + at] = islands->place[problem->column[begin + at]];
        memcpy(block + dd * (size_t)row[k], problem->block + dd * (size_t)begin,
               dd * (size_t)size * sizeof *block);
    }
    part->row = row;
    part->column = column;
    part->diagonal = diagonal;
    part->block = block;
    return true;
}

// Degrees of freedom that the island's contacts reach, through M too, numbered anew in their order.
// returns how many, listed in `stack`; number: -1 for the others, before and after
static int reach(const scree_motion *motion, const int *contact, int count, int *number,
                 int *stack) {
    int reached = 0;
    for (int k = 0; k < count; k++)
        for (int e = motion->H_first[contact[k]]; e < motion->H_first[contact[k] + 1]; e++)
            if (number[motion->H_dof[e]] < 0) {
                number[motion->H_dof[e]] = 0;
                stack[reached++] = motion->H_dof[e];
            }
    for (int next = 0; next < reached; next++)
        for (int e = motion->M_first[stack[next]]; e < motion->M_first[stack[next] + 1]; e++)
            if (number[motion->M_row[e]] < 0) {
                number[motion->M_row[e]] = 0;
                stack[reached++] = motion->M_row[e];
            }
    qsort(stack, (size_t)reached, sizeof *stack, scree_order_ints);
    for (int j = 0; j < reached; j++) number[stack[j]] = j;
    return reached;
}

static bool extract_M(const scree_motion *whole, const int *dof, const int *number,
                      scree_arena *arena, scree_motion *motion) {
    int n = motion->dofs, entries = 0;
    for (int j = 0; j < n; j++) entries += whole->M_first[dof[j] + 1] - whole->M_first[dof[j]];
    int *first = SCREE_NEW(arena, int, n + 1), *row = SCREE_NEW(arena, int, entries);
    double *M = SCREE_NEW(arena, double, entries), *f = SCREE_NEW(arena, double, n);
    if (!first || !row || !M || !f) return false;
    for (int j = 0, next = 0; j < n; j++) {
        f[j] = whole->f[dof[j]];
        for (int e = whole->M_first[dof[j]]; e < whole->M_first[dof[j] + 1]; e++, next++) {
            row[next] = number[whole->M_row[e]];
            M[next] = whole->M[e];
        }
        first[j + 1] = next;
    }
    motion->M_first = first;
    motion->M_row = row;
    motion->M = M;
    motion->f = f;
    return true;
}

static bool extract_H(const scree_motion *whole, int d, const int *contact, int count,
                      const int *number, scree_arena *arena, scree_motion *motion) {
    int entries = 0;
    for (int k = 0; k < count; k++)
        entries += whole->H_first[contact[k] + 1] - whole->H_first[contact[k]];
    int *first = SCREE_NEW(arena, int, count + 1), *dof = SCREE_NEW(arena, int, entries);
    double *H = SCREE_NEW(arena, double, ((size_t)entries * (size_t)d));
    bool fine = true;
    motion->w = gather(whole->w, d, contact, count, arena, &fine);
    if (!first || !dof || !H || !fine) return false;
    for (int k = 0, next = 0; k < count; k++) {
        for (int e = whole->H_first[contact[k]]; e < whole->H_first[contact[k] + 1]; e++, next++) {
            dof[next] = number[whole->H_dof[e]];
            memcpy(H + (size_t)next * (size_t)d, whole->H + (size_t)e * (size_t)d,
                   (size_t)d * sizeof *H);
        }
        first[k + 1] = next;
    }
    motion->H_first = first;
    motion->H_dof = dof;
    motion->H = H;
    return true;
}

const scree_motion *scree_islands_motion(const scree_island_origin *origin, scree_arena *arena) {
    const scree_motion *whole = origin->whole->motion;
    const scree_islands *islands = origin->islands;
    const int *contact = islands->contact + islands->first[origin->island];
    int count = islands->first[origin->island + 1] - islands->first[origin->island];
    scree_motion *motion = SCREE_NEW(arena, scree_motion, 1);
    if (!motion) return NULL;
    motion->dofs = reach(whole, contact, count, origin->number, origin->stack);
    bool fine =
        extract_M(whole, origin->stack, origin->number, arena, motion) &&
        extract_H(whole, origin->whole->dimension, contact, count, origin->number, arena, motion);
    for (int j = 0; j < motion->dofs; j++) origin->number[origin->stack[j]] = -1;
    return fine ? motion : NULL;
}

bool scree_islands_prepare_motions(scree_island_origin *origin, scree_arena *arena) {
    int dofs = origin->whole->motion->dofs;
    origin->number = SCREE_NEW(arena, int, dofs);
    origin->stack = SCREE_NEW(arena, int, dofs);
    if (!origin->number || !origin->stack) return false;
    for (int j = 0; j < dofs; j++) origin->number[j] = -1;
    return true;
}

bool scree_islands_extract(const scree_problem *problem, const scree_islands *islands, int island,
                           scree_arena *arena, scree_problem *part) {
    const int *contact = islands->contact + islands->first[island];
    int count = islands->first[island + 1] - islands->first[island];
    bool fine = true;
    *part = (scree_problem){
        .contacts = count,
        .dimension = problem->dimension,
        .b = gather(problem->b, problem->dimension, contact, count, arena, &fine),
        .mu = gather(problem->mu, 1, contact, count, arena, &fine),
        .mu_second = gather(problem->mu_second, 1, contact, count, arena, &fine),
        .mu_rolling = gather(problem->mu_rolling, 1, contact, count, arena, &fine),
        .rolling_length = gather(problem->rolling_length, 1, contact, count, arena, &fine),
        .cohesion = gather(problem->cohesion, 1, contact, count, arena, &fine),
    };
    part->limit = gather(problem->limit, problem->dimension, contact, count, arena, &fine);
    part->bearing_weight =
        gather(problem->bearing_weight, problem->dimension, contact, count, arena, &fine);
    if (!fine || !extract_blocks(problem, islands, contact, count, arena, part)) return false;
    if (problem->bearing) {
        int *bearing = SCREE_NEW(arena, int, count);
        if (!bearing) return false;
        for (int k = 0; k < count; k++) {
            int of = problem->bearing[contact[k]];
            bearing[k] = of < 0 ? of : islands->place[of];  // a block of W joins the two
        }
        part->bearing = bearing;
    }
    if (problem->equality) {
        unsigned char *equality = SCREE_NEW(arena, unsigned char, count);
        if (!equality) return false;
        for (int k = 0; k < count; k++) equality[k] = problem->equality[contact[k]];
        part->equality = equality;
    }
    return true;
}
