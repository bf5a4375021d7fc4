// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// problem_text_sample.h - matrices in every storage of the text formats.

#ifndef SCREE_TEST_PROBLEM_TEXT_SAMPLE_H
#define SCREE_TEST_PROBLEM_TEXT_SAMPLE_H

#include "problem_sample.h"

static void put_dense(FILE *out, matrix a) {
    fprintf(out, "%d\t%d\n", a.rows, a.columns);
    for (int j = 0; j < a.columns; j++)
        for (int i = 0; i < a.rows; i++)
            fprintf(out, " %32.24e%s", *at(a, i, j), i == a.rows - 1 ? "\n" : "");
}

static int block_is_there(matrix a, int i, int j, int rows, int columns) {
    for (int r = 0; r < rows; r++)
        for (int c = 0; c < columns; c++)
            if (*at(a, i * rows + r, j * columns + c) != 0) return 1;
    return 0;
}

static void put_blocks(FILE *out, matrix a, int rows, int columns) {
    int block_rows = a.rows / rows, block_columns = a.columns / columns, count = 0, used = 0;
    for (int i = 0; i < block_rows; i++)
        for (int j = 0; j < block_columns; j++)
            if (block_is_there(a, i, j, rows, columns)) count++, used = i + 1;
    fprintf(out, "%d\n", count);
    if (!count) return;
    fprintf(out, "%d\n%d\n", block_rows, block_columns);
    for (int i = 1; i <= block_rows; i++) fprintf(out, "%d\t", i * rows);
    fprintf(out, "\n");
    for (int j = 1; j <= block_columns; j++) fprintf(out, "%d\t", j * columns);
    // empty block rows at the end are left out of the pointer
    fprintf(out, "\n%d\n%d\n0\t", used + 1, count);
    for (int i = 0, sum = 0; i < used; i++) {
        for (int j = 0; j < block_columns; j++) sum += block_is_there(a, i, j, rows, columns);
        fprintf(out, "%d\t", sum);
    }
    fprintf(out, "\n");
    for (int i = 0; i < block_rows; i++)
        for (int j = 0; j < block_columns; j++)
            if (block_is_there(a, i, j, rows, columns)) fprintf(out, "%d\t", j);
    fprintf(out, "\n");
    for (int i = 0, k = 0; i < block_rows; i++)
        for (int j = 0; j < block_columns; j++) {
            if (!block_is_there(a, i, j, rows, columns)) continue;
            fprintf(out, "%d\n", k++);
            for (int c = 0; c < columns; c++)
                for (int r = 0; r < rows; r++)
                    fprintf(out, "%32.24e\n", *at(a, i * rows + r, j * columns + c));
        }
}

static int entries_of(matrix a) {
    int count = 0;
    for (int k = 0; k < a.rows * a.columns; k++) count += a.x[k] != 0;
    return count;
}

// from the last entry to the first, each in two halves that add up exactly
static void put_triplets(FILE *out, matrix a) {
    int count = 2 * entries_of(a);
    fprintf(out, "1\nCSparse Version 0.0, a banner\ntriplet: %d-by-%d, nzmax: %d nnz: %d\n", a.rows,
            a.columns, count + 5, count);
    for (int k = a.rows * a.columns - 1; k >= 0; k--)
        for (int half = 0; half < 2 && a.x[k] != 0; half++)
            fprintf(out, "    %d %d : %.17g\n", k / a.columns, k % a.columns, a.x[k] / 2);
}

static void put_lines(FILE *out, matrix a, int by_row) {
    int lines = by_row ? a.rows : a.columns, places = by_row ? a.columns : a.rows, location = 0;
    int count = entries_of(a);
    fprintf(out, "%d\nCSparse Version 0.0, a banner\n%s%d-by-%d, nzmax: %d nnz: %d, 1-norm: 0\n",
            by_row ? 3 : 2, by_row ? "csr: " : "", a.rows, a.columns, count, count);
    for (int line = 0; line < lines; line++) {
        int inside = 0;
        for (int k = 0; k < places; k++)
            inside += (by_row ? *at(a, line, k) : *at(a, k, line)) != 0;
        fprintf(out, "    %s %d : locations %d to %d\n", by_row ? "row" : "col", line, location,
                location + inside - 1);
        location += inside;
        for (int k = 0; k < places; k++) {
            double x = by_row ? *at(a, line, k) : *at(a, k, line);
            if (x != 0) fprintf(out, "      %d : %.17g\n", k, x);
        }
    }
}

// rows, columns: size of a block
static void put_matrix(FILE *out, matrix a, storage how, int rows, int columns) {
    fprintf(out, "%d\n%d\n%d\n",
            how == STORE_DENSE    ? 0
            : how == STORE_BLOCKS ? 1
                                  : 2,
            a.rows, a.columns);
    if (how == STORE_DENSE) put_dense(out, a);
    if (how == STORE_BLOCKS) put_blocks(out, a, rows, columns);
    if (how == STORE_TRIPLET) put_triplets(out, a);
    if (how == STORE_CSC) put_lines(out, a, 0);
    if (how == STORE_CSR) put_lines(out, a, 1);
}

static void put_vector(FILE *out, const double *x, int n) {
    for (int i = 0; i < n; i++) fprintf(out, " %32.24e", x[i]);
    fprintf(out, "\n");
}

#endif
