// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// generators.h - vertices and rays of a small polyhedron { y >= 0, rows = 0, rows >= 0 }.
//
// In homogeneous form (t, y) it is a cone that begins as the orthant; each row keeps what is on its
// good side and adds a generator on each edge that crosses it. Which variables are zero at a
// generator is kept as bits, so that faces are compared without arithmetic. The arithmetic is long
// double: what the rows lose by cancellation stays below the last digit of the data.

#ifndef SCREE_LAB_GENERATORS_H
#define SCREE_LAB_GENERATORS_H

#include <stdbool.h>
#include <stdint.h>

#include "scree/equilibria.h"

enum { SCREE_GENERATOR_SIZE = 1 + 2 * SCREE_EQUILIBRIUM_CONTACTS };

typedef struct scree_cone_generator {
    uint64_t zeros;                       // bit k: x[k] = 0; further bits are the rows'
    long double x[SCREE_GENERATOR_SIZE];  // t, y; a vertex has t = 1, a ray t = 0
} scree_cone_generator;

typedef struct scree_generators {  // begin zeroed
    int size;                      // 1 + unknowns
    int equalities;
    int count, room;
    scree_cone_generator *item;  // owned (room)
    long double *value;          // scratch (room)
    double tolerance;            // a sum is zero below this times the sizes of its terms
    bool too_many;               // the limit SCREE_EQUILIBRIUM_GENERATORS was met
} scree_generators;

/// The orthant of the variables whose bits are set in `alive` (bit 0: t); false: no memory.
bool scree_generators_begin(scree_generators *set, int size, uint64_t alive, double tolerance);

/// Intersect with row.(t, y) = 0, or >= 0 with `bit` marking where it is 0. False when memory ran
/// out or there are too many.
bool scree_generators_equal(scree_generators *set, const long double *row);
bool scree_generators_above(scree_generators *set, const long double *row, int bit);

/// Vertices get t = 1.
void scree_generators_finish(scree_generators *set);

/// Is there a point at all?
bool scree_generators_any_vertex(const scree_generators *set);

void scree_generators_free(scree_generators *set);

static inline bool scree_cone_generator_is_ray(const scree_cone_generator *g) {
    return g->zeros & 1;
}

#endif
