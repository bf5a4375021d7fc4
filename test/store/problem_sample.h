// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// problem_sample.h - random matrices of contact problems, and how files may store them.

#ifndef SCREE_TEST_PROBLEM_SAMPLE_H
#define SCREE_TEST_PROBLEM_SAMPLE_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "random.h"

typedef struct matrix {  // dense, row after row
    int rows, columns;
    double *x;
} matrix;

static matrix matrix_new(int rows, int columns) {
    matrix a = { rows, columns, calloc((size_t)(rows * columns) + 1, sizeof(double)) };
    return a;
}

static double *at(matrix a, int i, int j) { return &a.x[i * a.columns + j]; }

static double *random_vector(int n, double low, double high) {
    double *x = calloc((size_t)n + 1, sizeof *x);
    for (int i = 0; i < n; i++) x[i] = uniform(low, high);
    return x;
}

// blocks of rows x columns, each there with a given probability, the diagonal ones always; some
// entries of a block that is there are zero
static matrix random_blocks(int block_rows, int block_columns, int rows, int columns,
                            double probability) {
    matrix a = matrix_new(block_rows * rows, block_columns * columns);
    for (int i = 0; i < block_rows; i++)
        for (int j = 0; j < block_columns; j++) {
            if (i != j && uniform(0, 1) > probability) continue;
            for (int r = 0; r < rows; r++)
                for (int c = 0; c < columns; c++)
                    if (uniform(0, 1) > 0.15)
                        *at(a, i * rows + r, j * columns + c) =
                            uniform(-1, 1) + (i == j && r == c ? rows + 1 : 0);
        }
    return a;
}

// parts of a given size on the diagonal, not symmetric, far from singular
static matrix random_mass(int parts, int size) {
    matrix a = matrix_new(parts * size, parts * size);
    for (int k = 0; k < parts; k++)
        for (int r = 0; r < size; r++)
            for (int c = 0; c < size; c++)
                *at(a, k * size + r, k * size + c) =
                    r == c ? uniform(1, 2) * size : uniform(-0.8, 0.8);
    return a;
}

typedef enum storage { STORE_DENSE, STORE_BLOCKS, STORE_TRIPLET, STORE_CSC, STORE_CSR } storage;
enum { STORAGES = 5 };

// a file of this process in the folder for such files
static const char *scratch_path(const char *name) {
    static char path[400];
    const char *folder = getenv("TMPDIR");
    snprintf(path, sizeof path, "%s/scree-%ld-%s", folder ? folder : "/tmp", (long)getpid(), name);
    return path;
}

#endif
