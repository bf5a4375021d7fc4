// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// assemble.c - the Delassus matrix W = H A H^T in blocks.
// in: H by blocks or frames, A by parts.   out: W.   work: lists of contacts per part, A H_j^T.
//
// Column after column: the columns of a row come in ascending order by themselves, so that the next
// free block of each row is the right one. Of a symmetric W the upper half is computed, the lower
// one is its mirror image: symmetric to the last bit.

#include "law/assemble.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "law/bodies.h"

static const double memory_most = 4e9;  // bytes of W [one body that all contacts touch fills it]

typedef struct assembly {
    const scree_problem *problem;
    const scree_bodies *bodies;
    scree_arena *arena;
    int contacts, d;
    const int *first;                    // blocks of H, by contact (nc + 1)
    const scree_jacobian_block *block;   // and those of parts that do not move
    const scree_jacobian_block *pushed;  // those of impulses, mostly the same
    int parts, *part;                    // entries of each part that moves (parts + 1)
    int *contact, *entry;                // of each entry, ascending: contact, its block of H
    int *mark, *near, *at, *next;        // (nc): seen for which contact, neighbours, their place in
                                         // W, and the next free one of each row
    double *Y;                           // A H_j^T of one block (d x widest part)
    int *row, *column, *diagonal;
    double *W;
} assembly;

// H of all contacts that are given by frames
static bool expand_frames(assembly *a) {
    int nc = a->contacts, count = 0;
    size_t size = (size_t)a->d * (size_t)a->bodies->width;
    int *first = SCREE_NEW(a->arena, int, nc + 1);
    scree_jacobian_block *block = SCREE_NEW(a->arena, scree_jacobian_block, 2 * (size_t)nc);
    double *H = SCREE_NEW(a->arena, double, 2 * (size_t)nc * size);
    if (!first || !block || !H) return false;
    for (int i = 0; i < nc; i++) {
        scree_frame_rows room;
        const scree_jacobian_block *own;
        int blocks = scree_bodies_rows(a->problem, i, &room, &own);
        for (int k = 0; k < blocks; k++, count++) {
            memcpy(H + (size_t)count * size, own[k].H, size * sizeof *H);
            block[count] = own[k];
            block[count].H = H + (size_t)count * size;
        }
        first[i + 1] = count;
    }
    a->first = first;
    a->block = block;
    return true;
}

// which contacts touch each part that moves
static bool list_parts(assembly *a) {
    int entries = a->first[a->contacts], widest = a->bodies->width;
    a->parts = a->bodies->rigid + a->bodies->parts;
    a->part = SCREE_NEW(a->arena, int, 2 * (size_t)a->parts + 1 + 2 * (size_t)entries);
    if (!a->part) return false;
    int *next = a->part + a->parts + 1;
    a->contact = next + a->parts;
    a->entry = a->contact + entries;
    for (int e = 0; e < entries; e++)
        if (scree_bodies_moves(a->bodies, a->block[e].part)) a->part[a->block[e].part + 1]++;
    for (int m = 0; m < a->parts; m++) a->part[m + 1] += a->part[m];
    memcpy(next, a->part, (size_t)a->parts * sizeof *next);
    for (int i = 0; i < a->contacts; i++)
        for (int e = a->first[i]; e < a->first[i + 1]; e++) {
            int m = a->block[e].part;
            if (a->part[m] == a->part[m + 1]) continue;
            a->contact[next[m]] = i;
            a->entry[next[m]++] = e;
        }
    for (int m = 0; m < a->bodies->parts; m++)
        if (a->bodies->part[m].width > widest) widest = a->bodies->part[m].width;
    a->Y = SCREE_NEW(a->arena, double, ((size_t)a->d * (size_t)widest));
    return a->Y != NULL;
}

// have the columns of A ready that contacts of a part need
static scree_status require_columns(const assembly *a, scree_error *err) {
    scree_status status = SCREE_OK;
    for (int m = a->bodies->rigid; !status && m < a->parts; m++) {
        if (!a->bodies->part[m - a->bodies->rigid].column) continue;
        int count = a->part[m + 1] - a->part[m];
        const scree_jacobian_block **block =
            SCREE_NEW(a->arena, const scree_jacobian_block *, count);
        if (!block)
            return scree_fail(err, SCREE_NO_MEMORY, SCREE_NOWHERE,
                              "out of memory for a problem of %d contacts", a->contacts);
        for (int e = 0; e < count; e++) block[e] = &a->block[a->entry[a->part[m] + e]];
        status = scree_bodies_require(a->bodies, block, count, a->arena, err);
    }
    return status;
}

// the contacts that share a part with j, itself included, each once, in no order; how many
static int neighbours_of(const assembly *a, int j) {
    int count = 0;
    a->mark[j] = j + 1;
    a->near[count++] = j;
    for (int k = a->first[j]; k < a->first[j + 1]; k++) {
        int m = a->block[k].part;
        for (int e = a->part[m]; e < a->part[m + 1]; e++) {
            int i = a->contact[e];
            if (a->mark[i] == j + 1) continue;
            a->mark[i] = j + 1;
            a->near[count++] = i;
        }
    }
    return count;
}

// sharing a part is mutual: the size of a row is the number of neighbours of its contact
static scree_status count_blocks(assembly *a, scree_error *err) {
    double blocks = 0, size = (double)(a->d * a->d) * sizeof(double);
    for (int i = 0; i < a->contacts; i++) {
        int count = neighbours_of(a, i);
        blocks += count;
        if (blocks * size > memory_most || blocks > INT_MAX)
            return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                              "W of these %d contacts would take more than %g GB", a->contacts,
                              memory_most * 1e-9);
        a->row[i + 1] = a->row[i] + count;
    }
    return SCREE_OK;
}

// the blocks of column j of Acary & Collins-Craft (84), or its upper half if W is symmetric
static void fill_column(const assembly *a, int j) {
    size_t size = (size_t)(a->d * a->d);
    for (int k = a->first[j]; k < a->first[j + 1]; k++) {
        const scree_jacobian_block *own = &a->pushed[k];
        int m = own->part, begin = a->part[m], end = a->part[m + 1];
        if (begin == end) continue;
        if (m < a->bodies->rigid || !a->bodies->part[m - a->bodies->rigid].column)
            scree_bodies_spread(a->bodies, own, a->d, a->Y);
        for (int e = begin; e < end; e++) {
            int i = a->contact[e];
            if (i > j && !a->bodies->unsymmetric) break;
            scree_bodies_couple(a->bodies, &a->block[a->entry[e]], own, a->Y, a->d,
                                a->W + (size_t)a->at[i] * size);
        }
    }
}

static void symmetrise(double *block, int d) {
    for (int r = 0; r < d; r++)
        for (int c = 0; c < r; c++)
            block[c * d + r] = block[r * d + c] = (block[r * d + c] + block[c * d + r]) / 2;
}

// the lower half, which comes row after row of the upper one in the order of its own rows
static void mirror(const assembly *a) {
    int d = a->d;
    size_t size = (size_t)(d * d);
    memcpy(a->next, a->row, (size_t)a->contacts * sizeof *a->next);
    for (int i = 0; i < a->contacts; i++) {
        double *own = a->W + (size_t)a->diagonal[i] * size;
        symmetrise(own, d);
        for (int at = a->diagonal[i] + 1; at < a->row[i + 1]; at++) {
            const double *upper = a->W + (size_t)at * size;
            double *lower = a->W + (size_t)a->next[a->column[at]]++ * size;
            for (int r = 0; r < d; r++)
                for (int c = 0; c < d; c++) lower[c * d + r] = upper[r * d + c];
        }
    }
}

static void fill(assembly *a) {
    memcpy(a->next, a->row, (size_t)a->contacts * sizeof *a->next);
    memset(a->mark, 0, (size_t)a->contacts * sizeof *a->mark);
    for (int j = 0; j < a->contacts; j++) {
        int count = neighbours_of(a, j);
        for (int k = 0; k < count; k++) {
            int i = a->near[k];
            a->column[a->at[i] = a->next[i]++] = j;
        }
        a->diagonal[j] = a->at[j];
        fill_column(a, j);
    }
    if (!a->bodies->unsymmetric) mirror(a);
    const double *compliance = a->problem->compliance;
    for (int i = 0; compliance && i < a->contacts; i++)
        for (int k = 0; k < a->d; k++)
            a->W[(size_t)a->diagonal[i] * (size_t)(a->d * a->d) + (size_t)(k * (a->d + 1))] +=
                compliance[i * a->d + k];
}

static scree_status no_memory(const assembly *a, scree_error *err) {
    return scree_fail(err, SCREE_NO_MEMORY, SCREE_NOWHERE,
                      "out of memory for a problem of %d contacts", a->contacts);
}

// Has the problem one contact, on as many parts as it has blocks? Then W is its W_ii.
static bool is_single(const scree_problem *problem) {
    const scree_bodies *bodies = problem->bodies;
    if (problem->contacts != 1 || bodies->unsymmetric) return false;
    for (int k = 0; bodies->block && k < bodies->first[1]; k++)
        for (int l = 0; l < k; l++)
            if (bodies->block[k].part == bodies->block[l].part) return false;
    return true;
}

static scree_status assemble_single(scree_problem *problem, scree_arena *arena, scree_error *err) {
    static const int row[2] = { 0, 1 }, none = 0;
    int d = problem->dimension;
    double *W = SCREE_NEW(arena, double, (size_t)(d * d));
    if (!W || !scree_bodies_diagonal(problem, NULL, W, arena))
        return no_memory(&(assembly){ .contacts = 1 }, err);
    symmetrise(W, d);
    problem->row = row;
    problem->column = problem->diagonal = &none;
    problem->block = W;
    return SCREE_OK;
}

scree_status scree_assemble_pushed(scree_problem *problem, const scree_jacobian_block *pushed,
                                   scree_arena *arena, scree_error *err) {
    int nc = problem->contacts;
    if (is_single(problem)) return assemble_single(problem, arena, err);
    int *room = SCREE_NEW(arena, int, 6 * (size_t)nc + 1);
    if (!room) return no_memory(&(assembly){ .contacts = nc }, err);
    assembly a = { .problem = problem,
                   .bodies = problem->bodies,
                   .arena = arena,
                   .contacts = nc,
                   .d = problem->dimension,
                   .first = problem->bodies->first,
                   .block = problem->bodies->block,
                   .row = room,
                   .diagonal = room + nc + 1,
                   .mark = room + 2 * (size_t)nc + 1,
                   .near = room + 3 * (size_t)nc + 1,
                   .at = room + 4 * (size_t)nc + 1,
                   .next = room + 5 * (size_t)nc + 1 };
    if ((!a.block && !expand_frames(&a)) || !list_parts(&a)) return no_memory(&a, err);
    a.pushed = pushed ? pushed : a.block;
    scree_status status = count_blocks(&a, err);
    if (!status) status = require_columns(&a, err);
    if (status) return status;
    a.column = SCREE_NEW(arena, int, a.row[nc]);
    a.W = SCREE_NEW(arena, double, (size_t)a.row[nc] * (size_t)(a.d * a.d));
    if (!a.column || !a.W) return no_memory(&a, err);
    fill(&a);
    problem->row = a.row;
    problem->column = a.column;
    problem->diagonal = a.diagonal;
    problem->block = a.W;
    return SCREE_OK;
}

scree_status scree_assemble(scree_problem *problem, scree_arena *arena, scree_error *err) {
    return scree_assemble_pushed(problem, NULL, arena, err);
}

scree_status scree_problem_assemble(scree_problem *problem, scree_error *err) {
    scree_arena *arena = calloc(1, sizeof *arena);
    if (!arena) return no_memory(&(assembly){ .contacts = problem->contacts }, err);
    scree_status status = scree_assemble(problem, arena, err);
    problem->owner = arena;
    if (status) scree_problem_release(problem);
    return status;
}

void scree_problem_release(scree_problem *problem) {
    if (!problem->owner) return;
    scree_arena_free(problem->owner);
    free(problem->owner);
    problem->row = problem->column = problem->diagonal = NULL;
    problem->block = NULL;
    problem->owner = NULL;
}
