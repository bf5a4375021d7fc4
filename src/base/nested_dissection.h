// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// nested_dissection.h - halves, halves of halves, and what separates them: an order of elimination.

#ifndef SCREE_BASE_NESTED_DISSECTION_H
#define SCREE_BASE_NESTED_DISSECTION_H

#include <stdbool.h>

/// Order the pattern of the lower triangle, by columns: first (n + 1), row (the diagonal included).
/// order (n): row and column that is eliminated as number i. The same for the same pattern. False
/// without memory.
bool scree_nested_dissection_order(int n, const int *first, const int *row, int *order);

#endif
