// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// images.c - pairs of boxes in a world that repeats itself.
// in: boxes of shapes.   out: boxes of their images; pairs of images -> pairs of shapes.

#include "step/images.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

scree_status scree_images_make(const scree_model *model, const int *owner,
                               const unsigned char *moves, scree_arena *arena, scree_images *images,
                               scree_error *err) {
    images->copies = 1;
    for (int k = 0; k < 3; k++)
        if (model->period[k] > 0) images->copies *= 2;
    if (model->shapes > INT_MAX / images->copies)
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE, "too many shapes");
    int count = images->copies * model->shapes;
    images->box = SCREE_NEW(arena, scree_aabb, count);
    images->owner = SCREE_NEW(arena, int, count);
    images->moves = SCREE_NEW(arena, unsigned char, count);
    if (!images->box || !images->owner || !images->moves)
        return scree_fail(err, SCREE_NO_MEMORY, SCREE_NOWHERE, "out of memory for %d shapes",
                          model->shapes);
    for (int i = 0; i < count; i++) {
        images->owner[i] = owner[i % model->shapes];
        images->moves[i] = moves[i % model->shapes];
    }
    return SCREE_OK;
}

void scree_images_free(scree_images *images) { free(images->pair); }

static bool is_finite(const scree_aabb *box, int k) {
    return isfinite(box->low[k]) && isfinite(box->high[k]) && box->low[k] <= box->high[k];
}

static void move(scree_aabb *box, int k, double way) {
    box->low[k] += way;
    box->high[k] += way;
}

// into the cell by their middles; returns half of the longest
static double wrap(const scree_model *model, scree_aabb *box, int k) {
    double longest = 0, period = model->period[k];
    for (int i = 0; i < model->shapes; i++) {
        if (!is_finite(&box[i], k)) continue;
        double middle = box[i].low[k] / 2 + box[i].high[k] / 2;
        move(&box[i], k, -period * floor(middle / period));
        longest = fmax(longest, box[i].high[k] - box[i].low[k]);
    }
    return longest / 2;
}

void scree_images_place(const scree_model *model, scree_images *images) {
    static const scree_aabb nothing = { { 1, 1, 1 }, { 0, 0, 0 } };
    int n = model->shapes, made = 1;
    for (int k = 0; k < 3; k++) {
        if (!(model->period[k] > 0)) continue;
        double reach = wrap(model, images->box, k);
        // all that was made so far once more
        for (int i = 0; i < made * n; i++) {
            scree_aabb *image = &images->box[made * n + i];
            const scree_aabb *box = &images->box[i];
            bool near = is_finite(box, k) && box->low[k] <= reach;
            *image = near ? *box : nothing;
            if (near) move(image, k, model->period[k]);
        }
        made *= 2;
    }
}

static int by_shapes(const void *a, const void *b) {
    const int *one = a, *two = b;
    int first = (one[0] > two[0]) - (one[0] < two[0]);
    return first ? first : (one[1] > two[1]) - (one[1] < two[1]);
}

scree_status scree_images_merge(const scree_model *model, scree_images *images, const int **pair,
                                size_t *pairs, scree_error *err) {
    const int *given = *pair;
    int n = model->shapes;
    if (*pairs > (size_t)images->room) {
        size_t room = *pairs + *pairs / 2;
        int *grown = room > INT_MAX / 2 ? NULL : realloc(images->pair, 2 * room * sizeof *grown);
        if (!grown) return scree_fail_memory(err, "pairs");
        images->pair = grown;
        images->room = (int)room;
    }
    size_t count = 0, last = 0;
    for (size_t k = 0; k < *pairs; k++) {
        int i = given[2 * k] % n, j = given[2 * k + 1] % n;
        // bits: axes along which each of them is an image. Along one axis both: a pair that is
        // found without
        if (given[2 * k] / n & given[2 * k + 1] / n) continue;
        images->pair[2 * count] = i < j ? i : j;
        images->pair[2 * count++ + 1] = i < j ? j : i;
    }
    if (count) qsort(images->pair, count, 2 * sizeof *images->pair, by_shapes);
    for (size_t k = 0; k < count; k++) {
        if (last && by_shapes(&images->pair[2 * k], &images->pair[2 * last - 2]) == 0) continue;
        memmove(&images->pair[2 * last++], &images->pair[2 * k], 2 * sizeof *images->pair);
    }
    *pair = images->pair;
    *pairs = last;
    return SCREE_OK;
}
