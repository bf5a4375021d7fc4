// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// problem_entries.c - entries in any order -> lines in order.

#include "store/problem_entries.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

static bool grow(void **array, size_t capacity, size_t size) {
    void *larger = realloc(*array, capacity * size);
    if (larger) *array = larger;
    return larger;
}

bool scree_entries_add(scree_entries *entries, int row, int column, double value) {
    if (value == 0) return true;
    if (entries->count == entries->capacity) {
        size_t capacity = entries->capacity ? 2 * entries->capacity : 256;
        if (entries->count >= INT_MAX) return false;
        if (!grow((void **)&entries->row, capacity, sizeof *entries->row) ||
            !grow((void **)&entries->column, capacity, sizeof *entries->column) ||
            !grow((void **)&entries->value, capacity, sizeof *entries->value))
            return false;
        entries->capacity = capacity;
    }
    entries->row[entries->count] = row;
    entries->column[entries->count] = column;
    entries->value[entries->count++] = value;
    return true;
}

void scree_entries_free(scree_entries *entries) {
    free(entries->row);
    free(entries->column);
    free(entries->value);
    *entries = (scree_entries){ 0 };
}

// first[k] becomes the number of entries before those with key k
static void count_keys(const int *key, size_t count, int keys, int *first) {
    for (size_t e = 0; e < count; e++) first[key[e] + 1]++;
    for (int k = 0; k < keys; k++) first[k + 1] += first[k];
}

// add what stands at the same place, and close the gaps
static void merge(scree_lines *lines, int count) {
    int put = 0;
    for (int line = 0; line < count; line++) {
        int begin = lines->first[line], end = lines->first[line + 1], start = put;
        for (int e = begin; e < end; e++) {
            if (put > start && lines->index[put - 1] == lines->index[e]) {
                lines->value[put - 1] += lines->value[e];
            } else {
                lines->index[put] = lines->index[e];
                lines->value[put++] = lines->value[e];
            }
        }
        lines->first[line] = start;
    }
    lines->first[count] = put;
}

static bool sort(const scree_entries *entries, const int *line, int count, const int *place,
                 int places, scree_arena *arena, scree_lines *out, scree_arena *scratch) {
    scree_arena_mark mark = scree_arena_mark_of(scratch);
    out->first = SCREE_NEW(arena, int, (size_t)count + 1);
    out->index = SCREE_NEW(arena, int, entries->count);
    out->value = SCREE_NEW(arena, double, entries->count);
    int *before = SCREE_NEW(scratch, int, (size_t)places + 1);
    int *next = SCREE_NEW(scratch, int, (size_t)count + 1);
    int *order = SCREE_NEW(scratch, int, entries->count);
    bool fine = out->first && out->index && out->value && before && next && order;
    if (fine) {
        // by place first, then by line, each keeping the order of equals
        count_keys(place, entries->count, places, before);
        for (size_t e = 0; e < entries->count; e++) order[before[place[e]]++] = (int)e;
        count_keys(line, entries->count, count, out->first);
        memcpy(next, out->first, ((size_t)count + 1) * sizeof *next);
        for (size_t k = 0; k < entries->count; k++) {
            int e = order[k], at = next[line[e]]++;
            out->index[at] = place[e];
            out->value[at] = entries->value[e];
        }
        merge(out, count);
    }
    scree_arena_release(scratch, mark);
    return fine;
}

bool scree_entries_by_row(const scree_entries *entries, scree_arena *arena, scree_lines *lines,
                          scree_arena *scratch) {
    return sort(entries, entries->row, entries->rows, entries->column, entries->columns, arena,
                lines, scratch);
}

bool scree_entries_by_column(const scree_entries *entries, scree_arena *arena, scree_lines *lines,
                             scree_arena *scratch) {
    return sort(entries, entries->column, entries->columns, entries->row, entries->rows, arena,
                lines, scratch);
}
