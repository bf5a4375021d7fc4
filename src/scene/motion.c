// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// motion.c - a table of times and places as functions of time, straight between its rows.
// in: rows t, place, angle.   out: functions with exact rates, at rest outside of the table.

#include <string.h>

#include "scene/scene.h"

typedef struct column {
    int rows, columns, number;
    const double *table;  // (rows x columns), times in the first column
} column;

// at a row the rate is that of the stretch which begins there
static double column_at(const void *self, double t, double *rate) {
    const column *c = self;
    const double *first = c->table, *last = c->table + (size_t)(c->rows - 1) * (size_t)c->columns;
    *rate = 0;
    if (t < first[0]) return first[c->number];
    if (!(t < last[0])) return last[c->number];

    int low = 0, high = c->rows - 1;  // row[low] <= t < row[high]
    while (high - low > 1) {
        int middle = low + (high - low) / 2;
        if (c->table[(size_t)middle * (size_t)c->columns] <= t)
            low = middle;
        else
            high = middle;
    }
    const double *from = c->table + (size_t)low * (size_t)c->columns, *to = from + c->columns;
    *rate = (to[c->number] - from[c->number]) / (to[0] - from[0]);
    return from[c->number] + *rate * (t - from[0]);
}

bool scree_motion_from_table(scree_scene_motion *motion, int space, scree_arena *arena) {
    int columns = motion->table.columns;
    column *made = SCREE_NEW(arena, column, columns);
    scree_function *along = SCREE_NEW(arena, scree_function, space);
    if (!made || !along) return false;
    for (int i = 1; i < columns; i++) {
        made[i] = (column){ motion->table.count, columns, i, motion->table.item };
        scree_function function = { .at = column_at, .self = &made[i] };
        if (i <= space)
            along[i - 1] = function;
        else
            motion->angle = function;
    }
    motion->position = (scree_list){ .count = space, .item = along };
    return true;
}
