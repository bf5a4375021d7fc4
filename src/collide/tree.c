// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// tree.c - a tree of AABBs (bounding volume hierarchy, BVH): halved at the median of their centres,
// laid out in the order of a walk.
//
// Halving whatever the boxes are keeps the tree as deep as the logarithm of their number. The near
// child of a node follows it; a node that is missed says where the walk goes on, so that a walk
// needs no stack.

#include <math.h>
#include <string.h>

#include "collide/broad_phase.h"

enum { LEAF = 4 };

typedef struct node {
    scree_aabb box;
    int next;          // node after this one and all below it
    int first, count;  // of a leaf: its boxes; else count is 0
} node;

struct scree_tree {
    int nodes;
    node *node;
    scree_aabb *box;  // in the order of the leaves
    int *number;      // that they were given with
};

typedef struct builder {
    const scree_aabb *box;  // as given
    double *centre;         // (count x 3)
    scree_tree *tree;
} builder;

static bool overlap(const scree_aabb *a, const scree_aabb *b) {
    return a->low[0] <= b->high[0] && b->low[0] <= a->high[0] && a->low[1] <= b->high[1] &&
           b->low[1] <= a->high[1] && a->low[2] <= b->high[2] && b->low[2] <= a->high[2];
}

static void join(scree_aabb *box, const scree_aabb *other) {
    for (int d = 0; d < 3; d++) {
        box->low[d] = fmin(box->low[d], other->low[d]);
        box->high[d] = fmax(box->high[d], other->high[d]);
    }
}

// halves first: the sum of two large numbers is larger than any
static double centre_of(double low, double high) {
    return isinf(low) && isinf(high) ? 0 : low / 2 + high / 2;
}

static int widest(const builder *b, const int *number, int count) {
    double low[3], high[3];
    for (int d = 0; d < 3; d++) low[d] = HUGE_VAL, high[d] = -HUGE_VAL;
    for (int i = 0; i < count; i++)
        for (int d = 0; d < 3; d++) {
            double x = b->centre[3 * (size_t)number[i] + (size_t)d];
            low[d] = fmin(low[d], x);
            high[d] = fmax(high[d], x);
        }
    int axis = 0;
    for (int d = 1; d < 3; d++)
        if (high[d] - low[d] > high[axis] - low[axis]) axis = d;
    return axis;
}

// bring the `half` smallest centres to the front
static void split(const builder *b, int axis, int *number, int count, int half) {
    const double *centre = b->centre + axis;
    int left = 0, right = count - 1;
    while (left < right) {
        double pivot = centre[3 * (size_t)number[left + (right - left) / 2]];
        int i = left, j = right;
        while (i <= j) {
            while (centre[3 * (size_t)number[i]] < pivot) i++;
            while (centre[3 * (size_t)number[j]] > pivot) j--;
            if (i > j) break;
            int swap = number[i];
            number[i++] = number[j];
            number[j--] = swap;
        }
        if (half <= j)
            right = j;
        else if (half >= i)
            left = i;
        else
            return;
    }
}

static void build(const builder *b, int first, int count) {
    scree_tree *tree = b->tree;
    int *number = tree->number + first;
    node *here = &tree->node[tree->nodes++];
    *here = (node){ .box = b->box[number[0]], .first = first };
    for (int i = 1; i < count; i++) join(&here->box, &b->box[number[i]]);
    if (count <= LEAF) {
        here->count = count;
    } else {
        int half = count / 2;
        split(b, widest(b, number, count), number, count, half);
        build(b, first, half);
        build(b, first + half, count - half);
    }
    here->next = tree->nodes;
}

static scree_status take(const scree_aabb *box, int count, builder *b, int *taken,
                         scree_error *err) {
    for (int i = 0; i < count; i++) {
        bool there = true;
        for (int d = 0; d < 3; d++) {
            double low = box[i].low[d], high = box[i].high[d];
            if (isnan(low) || isnan(high))
                return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                                  "box %d of a tree is not a number", i);
            there = there && low <= high;
            b->centre[3 * (size_t)i + (size_t)d] = centre_of(low, high);
        }
        if (there) b->tree->number[(*taken)++] = i;
    }
    return SCREE_OK;
}

scree_status scree_tree_make(const scree_aabb *box, int count, scree_arena *arena,
                             scree_tree **tree, scree_error *err) {
    *tree = NULL;
    size_t n = (size_t)count;
    scree_tree *made = SCREE_NEW(arena, scree_tree, 1);
    // halves of more than LEAF boxes have at least LEAF / 2
    node *nodes = SCREE_NEW(arena, node, n + 1);
    scree_aabb *boxes = SCREE_NEW(arena, scree_aabb, n);
    int *number = SCREE_NEW(arena, int, n);
    double *centre = SCREE_NEW(arena, double, 3 * n);
    if (!made || !nodes || !boxes || !number || !centre)
        return scree_fail(err, SCREE_NO_MEMORY, SCREE_NOWHERE, "out of memory for %d boxes", count);
    *made = (scree_tree){ 0, nodes, boxes, number };
    builder b = { box, centre, made };
    int taken = 0;
    scree_status status = take(box, count, &b, &taken, err);
    if (status) return status;
    if (taken > 0) build(&b, 0, taken);
    for (int i = 0; i < taken; i++) boxes[i] = box[number[i]];
    *tree = made;
    return SCREE_OK;
}

// -------------------------------------------------------------------------------------------------
// the smallest numbers that were found: a list, from the first that finds no room a heap

static void sink(int *heap, int count, int at) {
    int value = heap[at];
    for (int child; (child = 2 * at + 1) < count; at = child) {
        if (child + 1 < count && heap[child + 1] > heap[child]) child++;
        if (heap[child] <= value) break;
        heap[at] = heap[child];
    }
    heap[at] = value;
}

static void make_heap(int *list, int count) {
    for (int at = count / 2 - 1; at >= 0; at--) sink(list, count, at);
}

static void sort_heap(int *heap, int count) {
    for (int last = count - 1; last > 0; last--) {
        int largest = heap[0];
        heap[0] = heap[last];
        heap[last] = largest;
        sink(heap, last, 0);
    }
}

static void sort_list(int *list, int count) {
    if (count > 32) {
        make_heap(list, count);
        sort_heap(list, count);
        return;
    }
    for (int i = 1; i < count; i++) {
        int value = list[i], at = i;
        for (; at > 0 && list[at - 1] > value; at--) list[at] = list[at - 1];
        list[at] = value;
    }
}

static void keep(int number, int count, int *found, int room) {
    if (count < room) {
        found[count] = number;
    } else if (room > 0) {
        if (count == room) make_heap(found, room);
        if (number >= found[0]) return;
        found[0] = number;
        sink(found, room, 0);
    }
}

int scree_tree_find(const scree_tree *tree, const scree_aabb *box, int *found, int room) {
    int count = 0;
    if (!overlap(box, box)) return 0;  // it is not there
    for (int i = 0; i < tree->nodes;) {
        const node *here = &tree->node[i];
        if (!overlap(&here->box, box)) {
            i = here->next;
            continue;
        }
        for (int k = here->first; k < here->first + here->count; k++)
            if (overlap(&tree->box[k], box)) keep(tree->number[k], count++, found, room);
        i++;
    }
    if (count > room)
        sort_heap(found, room);
    else
        sort_list(found, count);
    return count;
}
