// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// digest.h - what rows of a run file are checked with: two sums over words of 64 bits.
//
//     a_0 = 1, b_0 = 0,   a_i = a_(i-1) + w_i,   b_i = b_(i-1) + a_i          (modulo 2^64)
//     digest = the upper halves of C a_n and C b_n,   C = 0x9e3779b97f4a7c15
//
// Numbers count by the bits of the double they are read as, integers as 64 bits, so that any
// program can find the digest of what it has read. Every flipped bit changes the first half, words
// that change places the second.

#ifndef SCREE_STORE_DIGEST_H
#define SCREE_STORE_DIGEST_H

#include <stdint.h>
#include <string.h>

typedef struct scree_digest {
    uint64_t a, b;
} scree_digest;

static inline scree_digest scree_digest_begin(void) { return (scree_digest){ 1, 0 }; }

static inline void scree_digest_word(scree_digest *digest, uint64_t word) {
    digest->a += word;
    digest->b += digest->a;
}

static inline void scree_digest_number(scree_digest *digest, double number) {
    uint64_t word;
    memcpy(&word, &number, sizeof word);
    scree_digest_word(digest, word);
}

/// Bytes, the last word filled up with zeros. Both sums of all words are found at once: one that
/// waits for the other takes a multiple of the time.
static inline void scree_digest_bytes(scree_digest *digest, const void *bytes, size_t size) {
    uint64_t sum = 0, ramp = 0, word, count = size / sizeof word;
    const char *at = bytes;
    for (uint64_t left = count; left > 0; left--, at += sizeof word) {
        memcpy(&word, at, sizeof word);
        sum += word;
        ramp += left * word;
    }
    digest->b += count * digest->a + ramp;
    digest->a += sum;
    size_t rest = size % sizeof word;
    if (!rest) return;
    word = 0;
    memcpy(&word, at, rest);
    scree_digest_word(digest, word);
}

static inline void scree_digest_numbers(scree_digest *digest, const double *number, size_t count) {
    scree_digest_bytes(digest, number, count * sizeof *number);
}

static inline uint64_t scree_digest_value(const scree_digest *digest) {
    const uint64_t c = 0x9e3779b97f4a7c15u, upper = 0xffffffff00000000u;
    return ((digest->a * c) & upper) | (digest->b * c) >> 32;
}

#endif
