// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// simd_lanes.h - SIMD: LANES contacts at a time in the compiler's vectors.
//
// Nothing here but IEEE operations lane by lane, so that every width gives the same bits. The
// includer defines LANES: 1, 2, 4 or 8.

#ifndef SCREE_SOLVE_SIMD_LANES_H
#define SCREE_SOLVE_SIMD_LANES_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

typedef double lanes __attribute__((vector_size(8 * LANES)));
typedef int64_t mask __attribute__((vector_size(8 * LANES)));  // all bits of a lane, or none

#define INLINE static inline __attribute__((always_inline))

INLINE lanes load(const double *from) {
    lanes x;
    memcpy(&x, __builtin_assume_aligned(from, sizeof x), sizeof x);
    return x;
}

INLINE void store(double *to, lanes x) {
    memcpy(__builtin_assume_aligned(to, sizeof x), &x, sizeof x);
}

INLINE lanes all(double x) { return (lanes){ 0 } + x; }

// of two values, the first where the mask is set
INLINE lanes choose(mask m, lanes yes, lanes no) {
    return (lanes)(((mask)yes & m) | ((mask)no & ~m));
}

INLINE lanes where(mask m, lanes yes) { return (lanes)((mask)yes & m); }

INLINE lanes larger(lanes x, lanes y) { return choose(x > y, x, y); }

INLINE bool any(mask m) {
    int64_t bits = 0;
    for (int l = 0; l < LANES; l++) bits |= m[l];
    return bits != 0;
}

// in all lanes, where asking costs less than what it may save; else nobody knows
INLINE bool everywhere(mask m) { return LANES <= 2 && !any(~m); }

INLINE lanes root(lanes x) {
    for (int l = 0; l < LANES; l++) x[l] = sqrt(x[l]);
    return x;
}

INLINE lanes magnitude(lanes x) { return choose(x < 0, -x, x); }

// rows to columns of a LANES x LANES block, in registers
#if LANES == 1
INLINE void transpose(lanes *row) { (void)row; }
#elif LANES == 2
INLINE void transpose(lanes *row) {
    lanes low = __builtin_shufflevector(row[0], row[1], 0, 2);
    row[1] = __builtin_shufflevector(row[0], row[1], 1, 3);
    row[0] = low;
}
#elif LANES == 4
INLINE void transpose(lanes *row) {
    lanes even0 = __builtin_shufflevector(row[0], row[1], 0, 4, 2, 6);
    lanes odd0 = __builtin_shufflevector(row[0], row[1], 1, 5, 3, 7);
    lanes even1 = __builtin_shufflevector(row[2], row[3], 0, 4, 2, 6);
    lanes odd1 = __builtin_shufflevector(row[2], row[3], 1, 5, 3, 7);
    row[0] = __builtin_shufflevector(even0, even1, 0, 1, 4, 5);
    row[1] = __builtin_shufflevector(odd0, odd1, 0, 1, 4, 5);
    row[2] = __builtin_shufflevector(even0, even1, 2, 3, 6, 7);
    row[3] = __builtin_shufflevector(odd0, odd1, 2, 3, 6, 7);
}
#else
INLINE void transpose(lanes *row) {
    lanes t[8], u[8];
    for (int k = 0; k < 8; k += 2) {
        t[k] = __builtin_shufflevector(row[k], row[k + 1], 0, 8, 2, 10, 4, 12, 6, 14);
        t[k + 1] = __builtin_shufflevector(row[k], row[k + 1], 1, 9, 3, 11, 5, 13, 7, 15);
    }
    for (int k = 0; k < 8; k += 4)
        for (int e = 0; e < 2; e++) {
            lanes x = t[k + e], y = t[k + 2 + e];
            u[k + e] = __builtin_shufflevector(x, y, 0, 1, 8, 9, 4, 5, 12, 13);
            u[k + 2 + e] = __builtin_shufflevector(x, y, 2, 3, 10, 11, 6, 7, 14, 15);
        }
    for (int k = 0; k < 4; k++) {
        row[k] = __builtin_shufflevector(u[k], u[k + 4], 0, 1, 2, 3, 8, 9, 10, 11);
        row[k + 4] = __builtin_shufflevector(u[k], u[k + 4], 4, 5, 6, 7, 12, 13, 14, 15);
    }
}
#endif

// one line of eight numbers for each lane, that many bytes from base
INLINE void gather(const void *base, const uint32_t *offset, lanes column[8]) {
    for (int l = 0; l < LANES; l++) {
        const double *line = (const double *)((const char *)base + offset[l]);
        for (int first = 0; first < 8; first += LANES) column[first + l] = load(line + first);
    }
    for (int first = 0; first < 8; first += LANES) transpose(column + first);
}

INLINE void scatter(void *base, const uint32_t *offset, lanes column[8]) {
    for (int first = 0; first < 8; first += LANES) transpose(column + first);
    for (int l = 0; l < LANES; l++) {
        double *line = (double *)((char *)base + offset[l]);
        for (int first = 0; first < 8; first += LANES) store(line + first, column[first + l]);
    }
}

INLINE lanes dot(const lanes *x, const lanes *y) { return x[0] * y[0] + x[1] * y[1] + x[2] * y[2]; }

INLINE void cross(const lanes *x, const lanes *y, lanes *z) {
    z[0] = x[1] * y[2] - x[2] * y[1];
    z[1] = x[2] * y[0] - x[0] * y[2];
    z[2] = x[0] * y[1] - x[1] * y[0];
}

#endif
