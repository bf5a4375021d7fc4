// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// dense_sample.h - a problem that owns its numbers, with W dense as well for a judge of its own.

#ifndef SCREE_TEST_DENSE_SAMPLE_H
#define SCREE_TEST_DENSE_SAMPLE_H

#include <stdbool.h>

#include "scree/problem.h"

enum { MOST = 70 };  // contacts of a problem

typedef struct sample {
    scree_problem problem;
    int row[MOST + 1], column[MOST * MOST], diagonal[MOST];
    double block[MOST * MOST * 9], b[MOST * 3], mu[MOST];
    double dense[MOST * 3 * MOST * 3];       // W once more
    double solution[MOST * 3], s[MOST * 3];  // of manufactured problems
} sample;

/// Fill blocks from dense; blocks of zeros are left out.
static void finish(sample *one, int contacts, int d) {
    int size = contacts * d, blocks = 0;
    for (int i = 0; i < contacts; i++) {
        for (int j = 0; j < contacts; j++) {
            bool empty = i != j;
            for (int k = 0; k < d * d; k++) {
                double value = one->dense[(i * d + k / d) * size + j * d + k % d];
                one->block[blocks * d * d + k] = value;
                empty = empty && value == 0;
            }
            if (empty) continue;
            if (i == j) one->diagonal[i] = blocks;
            one->column[blocks++] = j;
        }
        one->row[i + 1] = blocks;
    }
    one->problem = (scree_problem){ .contacts = contacts,
                                    .dimension = d,
                                    .row = one->row,
                                    .column = one->column,
                                    .diagonal = one->diagonal,
                                    .block = one->block,
                                    .b = one->b,
                                    .mu = one->mu };
}

#endif
