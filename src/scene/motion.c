// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// motion.c - tables of places, or of accelerations, as functions of time, straight between the
// rows. in: rows t, place, angle; or t, acceleration.   out: functions with exact rates.

#include <string.h>

#include "scene/scene.h"

typedef struct column {
    int rows, columns, number;
    const double *table;  // (rows x columns), times in the first column
    double *speed, *way;  // of an acceleration: at each row, from rest (rows)
} column;

// the row with row <= t < next; t lies within the table
static int row_at(const column *c, double t) {
    int low = 0, high = c->rows - 1;
    while (high - low > 1) {
        int middle = low + (high - low) / 2;
        if (c->table[(size_t)middle * (size_t)c->columns] <= t)
            low = middle;
        else
            high = middle;
    }
    return low;
}

// at rest outside; at a row the rate is that of the stretch which begins there
static double column_at(const void *self, double t, double *rate) {
    const column *c = self;
    const double *first = c->table, *last = c->table + (size_t)(c->rows - 1) * (size_t)c->columns;
    *rate = 0;
    if (t < first[0]) return first[c->number];
    if (!(t < last[0])) return last[c->number];

    const double *from = c->table + (size_t)row_at(c, t) * (size_t)c->columns,
                 *to = from + c->columns;
    *rate = (to[c->number] - from[c->number]) / (to[0] - from[0]);
    return from[c->number] + *rate * (t - from[0]);
}

bool scree_motion_from_table(scree_scene_motion *motion, int space, scree_arena *arena) {
    int columns = motion->table.columns;
    column *made = SCREE_NEW(arena, column, columns);
    scree_function *along = SCREE_NEW(arena, scree_function, space);
    if (!made || !along) return false;
    for (int i = 1; i < columns; i++) {
        made[i] = (column){ motion->table.count, columns, i, motion->table.item, NULL, NULL };
        scree_function function = { .at = column_at, .self = &made[i] };
        if (i <= space)
            along[i - 1] = function;
        else
            motion->angle = function;
    }
    motion->position = (scree_list){ .count = space, .item = along };
    return true;
}

// `after` seconds behind a row, where the acceleration is a + slope * after
static double advance(const column *c, int row, double a, double slope, double after,
                      double *speed) {
    *speed = c->speed[row] + after * (a + after * slope / 2);
    return c->way[row] + after * (c->speed[row] + after * (a / 2 + after * slope / 6));
}

// at rest before the first row, straight on after the last one
static double integral_at(const void *self, double t, double *rate) {
    const column *c = self;
    int last = c->rows - 1;
    double end = c->table[(size_t)last * (size_t)c->columns];
    *rate = 0;
    if (t < c->table[0]) return 0;
    if (!(t < end)) return advance(c, last, 0, 0, t - end, rate);
    int row = row_at(c, t);
    const double *from = c->table + (size_t)row * (size_t)c->columns, *to = from + c->columns;
    double slope = (to[c->number] - from[c->number]) / (to[0] - from[0]);
    return advance(c, row, from[c->number], slope, t - from[0], rate);
}

static void integrate(column *c) {
    for (int i = 1; i < c->rows; i++) {
        const double *from = c->table + (size_t)(i - 1) * (size_t)c->columns;
        const double *to = from + c->columns;
        double after = to[0] - from[0], slope = (to[c->number] - from[c->number]) / after;
        c->way[i] = advance(c, i - 1, from[c->number], slope, after, &c->speed[i]);
    }
}

bool scree_motion_from_acceleration(scree_scene_motion *motion, int space, scree_arena *arena) {
    const scree_list *rows = &motion->acceleration;
    column *made = SCREE_NEW(arena, column, space);
    scree_function *along = SCREE_NEW(arena, scree_function, space);
    if (!made || !along) return false;
    for (int k = 0; k < space; k++) {
        made[k] = (column){ rows->count,
                            rows->columns,
                            k + 1,
                            rows->item,
                            SCREE_NEW(arena, double, rows->count),
                            SCREE_NEW(arena, double, rows->count) };
        if (!made[k].speed || !made[k].way) return false;
        integrate(&made[k]);
        along[k] = (scree_function){ .at = integral_at, .self = &made[k] };
    }
    motion->position = (scree_list){ .count = space, .item = along };
    return true;
}
