// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// fem_order.c - elements of second order from those that have corners alone.
// in: corners of elements.   out: edges in the order of their corners, nodes of elements.
// work: the edges of all elements, sorted.

#include "model/fem_order.h"

#include <stdlib.h>
#include <string.h>

#include "model/fem_kind.h"

typedef struct edge {
    int low, high;  // corners
    int slot;       // in the list of nodes: where its middle goes to
} edge;

static int by_corners(const void *a, const void *b) {
    const edge *p = a, *q = b;
    if (p->low != q->low) return p->low < q->low ? -1 : 1;
    if (p->high != q->high) return p->high < q->high ? -1 : 1;
    return (p->slot > q->slot) - (p->slot < q->slot);
}

// the edges of all elements, and the corners to where they belong
static void list_edges(const scree_fem_kind *row, int elements, const int *corner, edge *list,
                       int *node) {
    for (int e = 0; e < elements; e++, corner += row->corners) {
        int first = e * row->nodes;
        memcpy(node + first, corner, (size_t)row->corners * sizeof *node);
        for (int k = row->corners; k < row->nodes; k++, list++) {
            int a = corner[row->edge[k - row->corners][0]];
            int b = corner[row->edge[k - row->corners][1]];
            *list = (edge){ a < b ? a : b, a < b ? b : a, first + k };
        }
    }
}

bool scree_fem_order_raise(scree_element kind, int corners, int elements, const int *corner,
                           scree_arena *arena, scree_fem_order *order) {
    const scree_fem_kind *row = scree_fem_kind_of(kind);
    size_t edges = (size_t)elements * (size_t)(row->nodes - row->corners);
    edge *list = SCREE_NEW(arena, edge, edges);
    *order = (scree_fem_order){ .end = SCREE_NEW(arena, int, 2 * edges) };
    order->node = SCREE_NEW(arena, int, ((size_t)elements * (size_t)row->nodes));
    if (!list || !order->end || !order->node) return false;
    list_edges(row, elements, corner, list, order->node);
    qsort(list, edges, sizeof *list, by_corners);
    for (size_t i = 0; i < edges; i++) {
        if (i == 0 || list[i].low != list[i - 1].low || list[i].high != list[i - 1].high) {
            order->end[2 * order->middles] = list[i].low;
            order->end[2 * order->middles++ + 1] = list[i].high;
        }
        order->node[list[i].slot] = corners + order->middles - 1;
    }
    return true;
}
