// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// superblock.c - the head of an HDF5 file: signature, version 2 or 3, sizes of offsets and lengths,
// marks, base, extension, end, root, checksum.

#include "store/superblock.h"

#include <string.h>

enum { VERSION = 8, OFFSETS = 9, LENGTHS = 10, MARKS = 11, END = 28, CHECKSUM = 44, BLOCK = 12 };

static uint64_t get(const unsigned char *from, int bytes) {
    uint64_t number = 0;
    for (int k = bytes - 1; k >= 0; k--) number = number << 8 | from[k];
    return number;
}

static void put(unsigned char *to, int bytes, uint64_t number) {
    for (int k = 0; k < bytes; k++) to[k] = (unsigned char)(number >> 8 * k);
}

static uint32_t rotate(uint32_t x, int by) { return x << by | x >> (32 - by); }

// HDF5's checksum, which is Bob Jenkins' lookup3, of the 44 bytes before it
static uint32_t checksum_of(const unsigned char *block) {
    static const int turn[] = { 4, 6, 8, 16, 19, 4 }, last[] = { 14, 11, 25, 16, 4, 14, 24 };
    uint32_t s[3];  // a, b, c
    for (int k = 0; k < 3; k++) s[k] = 0xdeadbeef + CHECKSUM;
    int at = 0;
    for (; CHECKSUM - at > BLOCK; at += BLOCK) {
        for (int k = 0; k < 3; k++) s[k] += (uint32_t)get(block + at + 4 * k, 4);
        for (int k = 0; k < 6; k++) {
            uint32_t *x = &s[k % 3], *y = &s[(k + 1) % 3], z = s[(k + 2) % 3];
            *x = (*x - z) ^ rotate(z, turn[k]);
            s[(k + 2) % 3] = z + *y;
        }
    }
    for (int k = 0; k < 2; k++) s[k] += (uint32_t)get(block + at + 4 * k, 4);
    for (int k = 0; k < 7; k++) {
        uint32_t *x = &s[(k + 2) % 3], z = s[(k + 1) % 3];
        *x = (*x ^ z) - rotate(z, last[k]);
    }
    return s[2];
}

static bool is_known(const unsigned char *block) {
    return memcmp(block, "\x89HDF\r\n\x1a\n", VERSION) == 0 &&
           (block[VERSION] == 2 || block[VERSION] == 3) && block[OFFSETS] == 8 &&
           block[LENGTHS] == 8;
}

uint64_t scree_superblock_end(const unsigned char block[SCREE_SUPERBLOCK_SIZE]) {
    return is_known(block) ? get(block + END, 8) : 0;
}

bool scree_superblock_mend(unsigned char block[SCREE_SUPERBLOCK_SIZE], uint64_t end) {
    if (!is_known(block) || checksum_of(block) == get(block + CHECKSUM, 4)) return false;
    block[MARKS] = 0;
    put(block + END, 8, end);
    put(block + CHECKSUM, 4, checksum_of(block));
    return true;
}
