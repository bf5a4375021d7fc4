// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// fem_order.h - elements of second order from those that have corners alone.

#ifndef SCREE_MODEL_FEM_ORDER_H
#define SCREE_MODEL_FEM_ORDER_H

#include "base/arena.h"
#include "scree/fem.h"

typedef struct scree_fem_order {
    int middles;  // edges, each with a node in its middle, numbered behind the corners
    int *end;     // the two corners of each (middles x 2)
    int *node;    // of each element: corners and middles (elements x nodes of the kind)
} scree_fem_order;

/// kind: of second order; corner (elements x its corners) out of `corners` nodes. Memory from the
/// arena; false without it.
bool scree_fem_order_raise(scree_element kind, int corners, int elements, const int *corner,
                           scree_arena *arena, scree_fem_order *order);

#endif
