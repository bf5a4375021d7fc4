// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// islands.c - connected parts of the graph of contacts.
// in: problem.   out: lists of contacts; one part as a problem.   work: a stack.

#include "solve/islands.h"

#include <string.h>

// the neighbours that a row names, and those that name it: a union-find forest over both
static int root_of(int *parent, int i) {
    while (parent[i] != i) {
        parent[i] = parent[parent[i]];
        i = parent[i];
    }
    return i;
}

bool scree_islands_find(const scree_problem *problem, scree_arena *arena, scree_islands *islands) {
    int nc = problem->contacts;
    int *parent = SCREE_NEW(arena, int, nc), *number = SCREE_NEW(arena, int, nc);
    islands->contact = SCREE_NEW(arena, int, nc);
    islands->place = SCREE_NEW(arena, int, nc);
    if (!parent || !number || !islands->contact || !islands->place) return false;
    for (int i = 0; i < nc; i++) parent[i] = i;
    for (int i = 0; i < nc; i++)
        for (int at = problem->row[i]; at < problem->row[i + 1]; at++) {
            int one = root_of(parent, i), other = root_of(parent, problem->column[at]);
            if (one < other)  // the smallest contact is the root
                parent[other] = one;
            else
                parent[one] = other;
        }
    islands->count = 0;
    for (int i = 0; i < nc; i++) {
        int root = root_of(parent, i);
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
// returns how many; number: -1 for the others
static int reach(const scree_motion *motion, const int *contact, int count, int *number,
                 int *stack) {
    int top = 0, reached = 0;
    for (int j = 0; j < motion->dofs; j++) number[j] = -1;
    for (int k = 0; k < count; k++)
        for (int e = motion->H_first[contact[k]]; e < motion->H_first[contact[k] + 1]; e++)
            if (number[motion->H_dof[e]] < 0) {
                number[motion->H_dof[e]] = 0;
                stack[top++] = motion->H_dof[e];
            }
    while (top) {
        int j = stack[--top];
        for (int e = motion->M_first[j]; e < motion->M_first[j + 1]; e++)
            if (number[motion->M_row[e]] < 0) {
                number[motion->M_row[e]] = 0;
                stack[top++] = motion->M_row[e];
            }
    }
    for (int j = 0; j < motion->dofs; j++)
        if (number[j] == 0) number[j] = reached++;
    return reached;
}

static bool extract_motion(const scree_problem *problem, const int *contact, int count,
                           scree_arena *arena, scree_problem *part) {
    const scree_motion *whole = problem->motion;
    int d = problem->dimension, entries = 0;
    int *number = SCREE_NEW(arena, int, whole->dofs), *stack = SCREE_NEW(arena, int, whole->dofs);
    scree_motion *motion = SCREE_NEW(arena, scree_motion, 1);
    if (!number || !stack || !motion) return false;
    motion->dofs = reach(whole, contact, count, number, stack);
    for (int k = 0; k < count; k++)
        entries += whole->H_first[contact[k] + 1] - whole->H_first[contact[k]];
    int *M_first = SCREE_NEW(arena, int, motion->dofs + 1);
    int *M_row = SCREE_NEW(arena, int, whole->M_first[whole->dofs]);
    double *M = SCREE_NEW(arena, double, whole->M_first[whole->dofs]);
    double *f = SCREE_NEW(arena, double, motion->dofs);
    int *H_first = SCREE_NEW(arena, int, count + 1), *H_dof = SCREE_NEW(arena, int, entries);
    double *H = SCREE_NEW(arena, double, ((size_t)entries * (size_t)d));
    if (!M_first || !M_row || !M || !f || !H_first || !H_dof || !H) return false;
    for (int j = 0, next = 0; j < whole->dofs; j++) {
        if (number[j] < 0) continue;
        f[number[j]] = whole->f[j];
        for (int e = whole->M_first[j]; e < whole->M_first[j + 1]; e++, next++) {
            M_row[next] = number[whole->M_row[e]];
            M[next] = whole->M[e];
        }
        M_first[number[j] + 1] = next;
    }
    for (int k = 0, next = 0; k < count; k++) {
        for (int e = whole->H_first[contact[k]]; e < whole->H_first[contact[k] + 1]; e++, next++) {
            H_dof[next] = number[whole->H_dof[e]];
            memcpy(H + (size_t)next * (size_t)d, whole->H + (size_t)e * (size_t)d,
                   (size_t)d * sizeof *H);
        }
        H_first[k + 1] = next;
    }
    bool fine = true;
    *motion = (scree_motion){ .dofs = motion->dofs,
                              .M_first = M_first,
                              .M_row = M_row,
                              .M = M,
                              .H_first = H_first,
                              .H_dof = H_dof,
                              .H = H,
                              .f = f,
                              .w = gather(whole->w, d, contact, count, arena, &fine) };
    part->motion = motion;
    return fine;
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
    if (!fine || !extract_blocks(problem, islands, contact, count, arena, part)) return false;
    if (problem->equality) {
        unsigned char *equality = SCREE_NEW(arena, unsigned char, count);
        if (!equality) return false;
        for (int k = 0; k < count; k++) equality[k] = problem->equality[contact[k]];
        part->equality = equality;
    }
    return !problem->motion || extract_motion(problem, contact, count, arena, part);
}
