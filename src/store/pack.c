// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// pack.c - chunks of columns, shuffled and deflated.
// in: numbers.   out: a stream of zlib.
//
// Shuffled numbers are planes: the first bytes of all of them, then the second ones. The upper
// bytes of doubles repeat, the lower ones are noise, which deflate goes through at the same price
// for nothing: planes that look like noise go into the stream as they are.

#include "store/pack.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { PLANES_MOST = 8, VALUES = 256, NOISE_LEAST = 512, NOISE_MOST = 1 << 20 };

static bool make_room(scree_packer *packer, int level, size_t bytes) {
    enum { MEMORY = 7 };                // a table of 32 kB, which is cleared for each chunk
    enum { HEADS = 16 * PLANES_MOST };  // of blocks that change from one kind of plane to the other
    if (packer->level != level) {
        if (packer->level) deflateEnd(&packer->stream);
        packer->level = 0;
        packer->stream = (z_stream){ 0 };
        if (deflateInit2(&packer->stream, level, Z_DEFLATED, MAX_WBITS, MEMORY,
                         Z_DEFAULT_STRATEGY) != Z_OK)
            return false;
        packer->level = level;
    }
    size_t room = deflateBound(&packer->stream, bytes) + HEADS + 1;
    if (room <= packer->room) return true;
    free(packer->shuffled);
    free(packer->packed);
    packer->shuffled = malloc(room);
    packer->packed = malloc(room);
    packer->room = packer->shuffled && packer->packed ? room : 0;
    return packer->room;
}

// halves, quarters, then single bytes of eight words change places, which makes columns of rows
static void turn(uint64_t w[8]) {
    static const uint64_t lower[] = { 0x00000000ffffffffu, 0x0000ffff0000ffffu,
                                      0x00ff00ff00ff00ffu };
    for (int stage = 0, apart = 4; stage < 3; stage++, apart /= 2) {
        for (int i = 0; i < 8; i++) {
            if (i & apart) continue;
            uint64_t x = ((w[i] >> (8 * apart)) ^ w[i + apart]) & lower[stage];
            w[i + apart] ^= x;
            w[i] ^= x << (8 * apart);
        }
    }
}

static void shuffle(const char *from, size_t bytes, size_t size, char *to) {
    enum { WORD = sizeof(uint64_t) };
    size_t count = bytes / size, done = 0;
    for (; size == WORD && done + WORD <= count; done += WORD) {
        uint64_t w[WORD];
        memcpy(w, from + done * WORD, sizeof w);
        turn(w);
        for (size_t k = 0; k < WORD; k++) memcpy(to + k * count + done, &w[k], WORD);
    }
    for (size_t k = 0; k < size; k++)
        for (size_t i = done; i < count; i++) to[k * count + i] = from[i * size + k];
}

// log2 of n in units of 2^-16, as a line between powers of two
static uint64_t log_of(uint32_t n) {
    uint32_t power = 31 - (uint32_t)__builtin_clz(n);
    return ((uint64_t)power << 16) + (((uint64_t)n << 16 >> power) - (1u << 16));
}

// bits of information in n bytes if they were drawn one by one
static uint64_t bits_of(const unsigned char *plane, uint32_t n) {
    uint32_t even[VALUES] = { 0 }, odd[VALUES] = { 0 };
    for (size_t i = 0; i + 1 < n; i += 2) {
        even[plane[i]]++;
        odd[plane[i + 1]]++;
    }
    uint64_t sum = n * log_of(n);
    for (int v = 0; v < VALUES; v++)
        if (even[v] + odd[v]) sum -= (even[v] + odd[v]) * log_of(even[v] + odd[v]);
    return sum >> 16;
}

static uint32_t three(const unsigned char *at) {
    return at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16;
}

// does what comes later repeat what was there? Some places of the second half are looked for in the
// first, by their first three bytes.
static bool repeats(const unsigned char *plane, size_t n) {
    enum { SHIFT = 20, SLOTS = 1 << (32 - SHIFT), TRIES = 128, LEAST = 13 };
    const uint32_t spread = 2654435761u;
    uint32_t last[SLOTS] = { 0 };
    int found = 0;
    for (size_t i = 0; i < n / 2; i++) {
        uint32_t x = three(plane + i);
        last[x * spread >> SHIFT] = x + 1;
    }
    for (size_t k = 0; k < TRIES; k++) {
        uint32_t x = three(plane + n / 2 + k * (n / 2 - 3) / TRIES);
        found += last[x * spread >> SHIFT] == x + 1;
    }
    return found >= LEAST;
}

static bool is_flat(const unsigned char *plane) { return memcmp(plane, plane + 1, 64) == 0; }

// A plane that deflate would go through for little: more than six bits in a byte, and
// nothing repeats.
static bool is_noise(const unsigned char *plane, size_t n) {
    if (n < NOISE_LEAST || n > NOISE_MOST || is_flat(plane) || is_flat(plane + n / 2)) return false;
    return bits_of(plane, (uint32_t)n) > 6 * n && !repeats(plane, n);
}

// all planes, neighbours of one kind together
static bool put_planes(scree_packer *packer, size_t count, size_t planes) {
    z_stream *stream = &packer->stream;
    bool noise[PLANES_MOST];
    unsigned char *plane = (unsigned char *)packer->shuffled;
    for (size_t k = 0; k < planes; k++) noise[k] = is_noise(plane + k * count, count);
    for (size_t k = 0, next; k < planes; k = next) {
        for (next = k + 1; next < planes && noise[next] == noise[k];) next++;
        if (deflateParams(stream, noise[k] ? 0 : packer->level, Z_DEFAULT_STRATEGY) != Z_OK)
            return false;
        stream->next_in = plane + k * count;
        stream->avail_in = (uInt)((next - k) * count);
        if (next < planes && deflate(stream, Z_NO_FLUSH) != Z_OK) return false;
    }
    return deflate(stream, Z_FINISH) == Z_STREAM_END;
}

size_t scree_pack(scree_packer *packer, int level, const char *chunk, size_t bytes, size_t size,
                  bool *fine) {
    if (!make_room(packer, level, bytes)) {
        *fine = false;
        return 0;
    }
    shuffle(chunk, bytes, size, packer->shuffled);
    deflateReset(&packer->stream);
    packer->stream.next_out = (Bytef *)packer->packed;
    packer->stream.avail_out = (uInt)packer->room - 1;
    return put_planes(packer, bytes / size, size) ? packer->stream.total_out : 0;
}

void scree_packer_free(scree_packer *packer) {
    if (packer->level) deflateEnd(&packer->stream);
    free(packer->shuffled);
    free(packer->packed);
    *packer = (scree_packer){ 0 };
}
