// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// sparse_rows.h - sparse matrices by rows: row[i] is the first entry of row i, column[] ascends
// within a row.

#ifndef SCREE_BASE_SPARSE_ROWS_H
#define SCREE_BASE_SPARSE_ROWS_H

/// Where the entry (i, j) stands, or -1.
static inline int scree_sparse_rows_find(const int *row, const int *column, int i, int j) {
    int low = row[i], high = row[i + 1] - 1;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (column[middle] < j)
            low = middle + 1;
        else
            high = middle;
    }
    return low <= high && column[low] == j ? low : -1;
}

#endif
