// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// sum.h - a sum that carries its own rounding along (Neumaier): its error does not grow with the
// terms.

#ifndef SCREE_BASE_SUM_H
#define SCREE_BASE_SUM_H

#include <math.h>

typedef struct scree_sum {
    double sum, carry;
} scree_sum;

static inline void scree_sum_add(scree_sum *total, double x) {
    double sum = total->sum + x;
    total->carry += fabs(total->sum) >= fabs(x) ? (total->sum - sum) + x : (x - sum) + total->sum;
    total->sum = sum;
}

static inline double scree_sum_value(scree_sum total) { return total.sum + total.carry; }

#endif
