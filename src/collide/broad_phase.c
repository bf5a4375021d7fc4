// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// broad_phase.c - which boxes overlap: each with the structure that suits it.
// in: boxes.   out: sorted pairs.   work: kept from call to call.
//
//     moves, like others    the grid, sorted anew in every call
//     moves, few and huge   a tree, built anew in every call
//     does not move         a tree, built when one of its boxes has changed
//     infinite              a list, held against everything

#include "collide/broad_phase.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "collide/grid.h"

enum { FIRST_FOUND = 64 };

typedef struct group {  // boxes in a tree
    int count;
    int *number;      // in the caller's list    (count)
    scree_aabb *box;  //                         (count)
    scree_tree *tree;
    scree_arena arena;
} group;

struct scree_broad_phase {
    int count, space;
    const int *owner;
    const unsigned char *moves;
    scree_grid *grid;
    scree_pairs pairs;
    size_t *start;           // scratch of sorting               (count + 1)
    int *moving, *infinite;  // numbers                          (count)
    int moving_count, infinite_count;
    bool infinite_moves;  // does any of the infinite ones?
    group still, large;
    bool changed;  // a box that does not move is not the one in the tree
    int *found;    // by a tree
    int room;
};

static scree_status no_memory(const scree_broad_phase *broad, scree_error *err) {
    return scree_fail(err, SCREE_NO_MEMORY, SCREE_NOWHERE, "out of memory for pairs of %d boxes",
                      broad->count);
}

static bool make_group(int count, group *made) {
    made->number = calloc((size_t)count + 1, sizeof *made->number);
    made->box = calloc((size_t)count + 1, sizeof *made->box);
    return made->number && made->box;
}

static void free_group(group *old) {
    free(old->number);
    free(old->box);
    scree_arena_free(&old->arena);
}

scree_status scree_broad_phase_new(int count, int space, const int *owner,
                                   const unsigned char *moves, scree_broad_phase **broad,
                                   scree_error *err) {
    *broad = NULL;
    scree_broad_phase *made = calloc(1, sizeof *made);
    if (!made)
        return scree_fail(err, SCREE_NO_MEMORY, SCREE_NOWHERE, "out of memory for %d boxes", count);
    size_t n = (size_t)count;
    int still = 0;
    for (int i = 0; i < count; i++) still += !moves[i];
    *made = (scree_broad_phase){
        .count = count,
        .space = space,
        .owner = owner,
        .moves = moves,
        .grid = scree_grid_new(count - still, count, space),
        .start = calloc(n + 1, sizeof *made->start),
        .moving = calloc(n + 1, sizeof *made->moving),
        .infinite = calloc(n + 1, sizeof *made->infinite),
        .found = calloc(FIRST_FOUND, sizeof *made->found),
        .room = FIRST_FOUND,
    };
    bool fine = made->grid && made->start && made->moving && made->infinite && made->found;
    fine = make_group(still, &made->still) && fine;
    fine = make_group(SCREE_GRID_LARGES, &made->large) && fine;
    if (!fine) {
        scree_status status = no_memory(made, err);
        scree_broad_phase_free(made);
        return status;
    }
    *broad = made;
    return SCREE_OK;
}

void scree_broad_phase_free(scree_broad_phase *broad) {
    if (!broad) return;
    scree_grid_free(broad->grid);
    scree_pairs_free(&broad->pairs);
    free(broad->start);
    free(broad->moving);
    free(broad->infinite);
    free(broad->found);
    free_group(&broad->still);
    free_group(&broad->large);
    free(broad);
}

// -------------------------------------------------------------------------------------------------
// who goes where

typedef enum sort_of_box { ABSENT, FINITE, INFINITE, NOT_A_NUMBER } sort_of_box;

static sort_of_box sort_of(const scree_aabb *box, int space) {
    bool there = true, finite = true, number = true;
    for (int d = 0; d < space; d++) {
        double low = box->low[d], high = box->high[d];
        number = number && !isnan(low) && !isnan(high);
        there = there && low <= high;
        // differences of what is larger may not be finite
        finite = finite && low >= -DBL_MAX / 4 && high <= DBL_MAX / 4;
    }
    return !number ? NOT_A_NUMBER : !there ? ABSENT : finite ? FINITE : INFINITE;
}

static scree_aabb flat_or_not(const scree_aabb *box, int space) {
    scree_aabb copy = *box;
    if (space == 2) copy.low[2] = copy.high[2] = 0;
    return copy;
}

/// Put a box into the list of those that do not move, and note whether it was not there before.
static void add_still(scree_broad_phase *broad, const scree_aabb *box, int number, int known) {
    group *still = &broad->still;
    scree_aabb copy = flat_or_not(box, broad->space);
    int at = still->count++;
    if (at < known && still->number[at] == number &&
        memcmp(&still->box[at], &copy, sizeof copy) == 0)
        return;
    still->number[at] = number;
    still->box[at] = copy;
    broad->changed = true;
}

// Where nothing has changed but finite boxes that move, only these are put in place; false: there
// is more to do.
static bool distribute_moving(scree_broad_phase *broad, const scree_aabb *box,
                              scree_boxes_changed changed) {
    if (!changed.number || !broad->still.tree || broad->changed || broad->infinite_moves)
        return false;
    broad->moving_count = 0;
    for (int k = 0; k < changed.count; k++) {
        int i = changed.number[k];
        sort_of_box sort = sort_of(&box[i], broad->space);
        if (sort == ABSENT) continue;
        if (sort != FINITE || !broad->moves[i]) return false;
        broad->moving[broad->moving_count++] = i;
    }
    return true;
}

static scree_status distribute(scree_broad_phase *broad, const scree_aabb *box, scree_error *err) {
    int known = broad->still.count;
    broad->moving_count = broad->infinite_count = broad->still.count = 0;
    broad->infinite_moves = false;
    for (int i = 0; i < broad->count; i++) {
        switch (sort_of(&box[i], broad->space)) {
            case ABSENT:
                break;
            case FINITE:
                if (broad->moves[i])
                    broad->moving[broad->moving_count++] = i;
                else
                    add_still(broad, &box[i], i, known);
                break;
            case INFINITE:
                broad->infinite[broad->infinite_count++] = i;
                broad->infinite_moves |= broad->moves[i];
                break;
            case NOT_A_NUMBER:
                // the list of those that do not move is not complete
                broad->changed = true;
                return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE, "box %d is not a number", i);
        }
    }
    broad->changed = broad->changed || broad->still.count != known || !broad->still.tree;
    return SCREE_OK;
}

static scree_status grow_tree(group *of, scree_error *err) {
    of->tree = NULL;
    scree_arena_release(&of->arena, (scree_arena_mark){ 0 });
    return scree_tree_make(of->box, of->count, &of->arena, &of->tree, err);
}

// -------------------------------------------------------------------------------------------------
// meeting

static bool may_meet(const scree_broad_phase *broad, int i, int j) {
    return broad->owner[i] != broad->owner[j] && (broad->moves[i] || broad->moves[j]);
}

/// Add the pairs of a box with those in a tree.
static bool meet_tree(scree_broad_phase *broad, const scree_aabb *box, int number,
                      const group *in) {
    scree_aabb flat = flat_or_not(box, broad->space);
    int count = scree_tree_find(in->tree, &flat, broad->found, broad->room);
    if (count > broad->room) {
        int *more = realloc(broad->found, (size_t)count * sizeof *more);
        if (!more) return false;
        broad->found = more;
        broad->room = count;
        scree_tree_find(in->tree, &flat, broad->found, broad->room);
    }
    for (int k = 0; k < count; k++) {
        int other = in->number[broad->found[k]];
        if (may_meet(broad, number, other)) scree_pairs_add(&broad->pairs, number, other);
    }
    return true;
}

static bool overlap(const scree_aabb *a, const scree_aabb *b, int space) {
    for (int d = 0; d < space; d++)
        if (!(a->low[d] <= b->high[d] && b->low[d] <= a->high[d])) return false;
    return true;
}

/// An infinite box against everything that comes after it or is finite.
static void meet_all(scree_broad_phase *broad, const scree_aabb *box, int k) {
    int number = broad->infinite[k];
    const scree_aabb *own = &box[number];
    const int *list[3] = { broad->moving, broad->still.number, broad->infinite + k + 1 };
    int count[3] = { broad->moving_count, broad->still.count, broad->infinite_count - k - 1 };
    for (int l = 0; l < 3; l++)
        for (int m = 0; m < count[l]; m++) {
            int other = list[l][m];
            if (may_meet(broad, number, other) && overlap(own, &box[other], broad->space))
                scree_pairs_add(&broad->pairs, number, other);
        }
}

/// Few and huge: each against those after it.
static void meet_large(scree_broad_phase *broad) {
    const group *large = &broad->large;
    for (int i = 0; i < large->count; i++)
        for (int j = i + 1; j < large->count; j++)
            if (may_meet(broad, large->number[i], large->number[j]) &&
                overlap(&large->box[i], &large->box[j], broad->space))
                scree_pairs_add(&broad->pairs, large->number[i], large->number[j]);
}

static bool meet_trees(scree_broad_phase *broad, const scree_aabb *box) {
    const group *still = &broad->still, *large = &broad->large;
    if (still->count == 0 && large->count == 0) return true;
    for (int m = 0, next = 0; m < broad->moving_count; m++) {
        int number = broad->moving[m];
        bool member = next < large->count && large->number[next] == number;
        if (member) next++;
        if (still->count && !meet_tree(broad, &box[number], number, still)) return false;
        if (large->count && !member && !meet_tree(broad, &box[number], number, large)) return false;
    }
    return true;
}

scree_status scree_broad_phase_find(scree_broad_phase *broad, const scree_aabb *box,
                                    scree_boxes_changed changed, const int **pair, size_t *pairs,
                                    scree_error *err) {
    *pair = NULL;
    *pairs = 0;
    broad->pairs.count = 0;
    broad->pairs.full = false;
    scree_status status =
        distribute_moving(broad, box, changed) ? SCREE_OK : distribute(broad, box, err);
    if (!status && broad->changed) status = grow_tree(&broad->still, err);
    if (status) return status;
    broad->changed = false;

    group *large = &broad->large;
    large->count = scree_grid_find(broad->grid, box, broad->owner, broad->moving,
                                   broad->moving_count, large->number, &broad->pairs);
    for (int k = 0; k < large->count; k++)
        large->box[k] = flat_or_not(&box[large->number[k]], broad->space);
    status = grow_tree(large, err);
    if (status) return status;
    bool fine = meet_trees(broad, box);
    meet_large(broad);
    for (int k = 0; k < broad->infinite_count; k++) meet_all(broad, box, k);

    fine = fine && !broad->pairs.full;
    if (!fine || !scree_pairs_sort(&broad->pairs, broad->count, broad->start))
        return no_memory(broad, err);
    *pair = broad->pairs.sorted;
    *pairs = broad->pairs.count;
    return SCREE_OK;
}
