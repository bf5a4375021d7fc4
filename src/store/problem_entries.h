// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// problem_entries.h - sparse matrices on their way from a file to a problem.

#ifndef SCREE_STORE_PROBLEM_ENTRIES_H
#define SCREE_STORE_PROBLEM_ENTRIES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"

/// Entries as they were read, in any order; those at the same place add up. Begin with a zeroed
/// struct; the arrays are owned.
typedef struct scree_entries {
    int rows, columns;
    size_t count, capacity;
    int *row, *column;
    double *value;
} scree_entries;

/// Append an entry; zeros are left out. False when memory ran out or there are more than INT_MAX.
bool scree_entries_add(scree_entries *entries, int row, int column, double value);
void scree_entries_free(scree_entries *entries);

/// Line after line (rows or columns), ascending within a line, each place once.
typedef struct scree_lines {
    int *first;     // first entry of each line (lines + 1)
    int *index;     // place within the line    (entries)
    double *value;  //                          (entries)
} scree_lines;

/// Sorted by counting, in linear time; entries at one place are added in the order they came in.
/// False when memory ran out. scratch: released by the caller.
bool scree_entries_by_row(const scree_entries *entries, scree_arena *arena, scree_lines *lines,
                          scree_arena *scratch);
bool scree_entries_by_column(const scree_entries *entries, scree_arena *arena, scree_lines *lines,
                             scree_arena *scratch);

#endif
