// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// order.h - numbers in ascending order, and lists turned round.

#ifndef SCREE_BASE_ORDER_H
#define SCREE_BASE_ORDER_H

/// For qsort and bsearch.
static inline int scree_order_ints(const void *x, const void *y) {
    int a = *(const int *)x, b = *(const int *)y;
    return (a > b) - (a < b);
}

static inline int scree_order_doubles(const void *x, const void *y) {
    double a = *(const double *)x, b = *(const double *)y;
    return (a > b) - (a < b);
}

/// Insertion sort, for lists of a few.
static inline void scree_order_insert(int *list, int count) {
    for (int i = 1; i < count; i++) {
        int moved = list[i], at = i;
        for (; at > 0 && list[at - 1] > moved; at--) list[at] = list[at - 1];
        list[at] = moved;
    }
}

static inline void scree_order_reverse(int *list, int count) {
    for (int i = 0, j = count - 1; i < j; i++, j--) {
        int moved = list[i];
        list[i] = list[j];
        list[j] = moved;
    }
}

#endif
