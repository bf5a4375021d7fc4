// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// pack.c - chunks of columns, shuffled and deflated.
// in: numbers.   out: a stream of zlib.
//
// Shuffled numbers are planes: the first bytes of all of them, then the second ones. The upper
// bytes of doubles repeat, the lower ones are noise, which deflate goes through at the same price
// for nothing: planes that look like noise go into the stream as they are, those of long runs as
// runs, and zlib sees what is left.

#include "store/pack.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/clones.h"
#include "store/pack_stream.h"

enum { PLANES_MOST = 8, VALUES = 256, NOISE_LEAST = 512, NOISE_MOST = 1 << 20 };

// of zlib, for what is neither noise nor runs
static bool set_level(scree_packer *packer, int level) {
    enum { MEMORY = 7 };  // a table of 32 kB, which is cleared each time
    if (packer->level == level || !level) return true;
    if (packer->level) deflateEnd(&packer->zlib);
    packer->level = 0;
    packer->zlib = (z_stream){ 0 };
    if (deflateInit2(&packer->zlib, level, Z_DEFLATED, -MAX_WBITS, MEMORY, Z_DEFAULT_STRATEGY) !=
        Z_OK)
        return false;
    packer->level = level;
    return true;
}

// what a piece of so many bytes may become
static size_t room_for(size_t bytes) {
    enum { HEAD = 64 };
    return bytes + bytes / 64 + HEAD;
}

static bool make_room(scree_packer *packer, size_t bytes) {
    enum { HEADS = 80 * (PLANES_MOST + 1) };  // of all pieces, and of the whole
    size_t room = room_for(bytes) + HEADS;
    if (room <= packer->room) return true;
    free(packer->shuffled);
    free(packer->packed);
    packer->shuffled = malloc(room);
    packer->packed = malloc(room);
    packer->room = packer->shuffled && packer->packed ? room : 0;
    return packer->room;
}

// Byte k of all words, for words whose bytes change from one to the next.
SCREE_VECTOR_CLONES
static void pick_of_words(const char *from, size_t count, unsigned k, unsigned char *to) {
    for (size_t i = 0; i < count; i++) {
        uint64_t word;
        memcpy(&word, from + i * sizeof word, sizeof word);
        to[i] = (unsigned char)(word >> 8 * k);
    }
}

SCREE_VECTOR_CLONES
static void pick_of_halves(const char *from, size_t count, unsigned k, unsigned char *to) {
    for (size_t i = 0; i < count; i++) {
        uint32_t word;
        memcpy(&word, from + i * sizeof word, sizeof word);
        to[i] = (unsigned char)(word >> 8 * k);
    }
}

// planes of which one byte is enough have no more
static void shuffle(const char *from, size_t count, size_t size, unsigned constant, char *to) {
    for (unsigned k = 0; k < size; k++) {
        unsigned char *plane = (unsigned char *)to + k * count;
        if (constant >> k & 1)
            *plane = (unsigned char)from[k];
        else if (size == sizeof(uint64_t))
            pick_of_words(from, count, k, plane);
        else if (size == sizeof(uint32_t))
            pick_of_halves(from, count, k, plane);
        else
            for (size_t i = 0; i < count; i++) plane[i] = (unsigned char)from[i * size + k];
    }
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

// how many bytes of a plane are not like the one before
SCREE_VECTOR_CLONES
static size_t count_changes(const unsigned char *plane, size_t n) {
    uint32_t changes = 0;
    for (size_t i = 1; i < n; i++) changes += plane[i] != plane[i - 1];
    return changes;
}

// Pieces are of one byte only, of runs, noise, or of what zlib is for: what repeats or holds few
// bits in a byte, and what does not repeat, but where some bytes come more often than others.
typedef enum kind { CONSTANT, RUNS, NOISE, MIXED, SKEWED } kind;

// A piece that zlib would go through for little is noise: more than seven and a half bits in a
// byte, and nothing repeats. Above six bits it need not look for what repeats.
static kind kind_of(const unsigned char *piece, size_t n, int level) {
    const size_t share = level ? 64 : 16;  // where zlib would find more in it
    if (count_changes(piece, n) <= n / share) return RUNS;
    if (!level) return NOISE;
    if (n < NOISE_LEAST || n > NOISE_MOST || is_flat(piece) || is_flat(piece + n / 2)) return MIXED;
    uint64_t bits = bits_of(piece, (uint32_t)n);
    if (bits <= 6 * n || repeats(piece, n)) return MIXED;
    return 2 * bits > 15 * n ? NOISE : SKEWED;
}

// the bits that are not the same in all words
SCREE_VECTOR_CLONES
static uint64_t changing_bits(const char *chunk, size_t bytes, uint64_t first) {
    uint64_t changing = 0, word;
    size_t at = 0;
    for (; at + sizeof word <= bytes; at += sizeof word) {
        memcpy(&word, chunk + at, sizeof word);
        changing |= word ^ first;
    }
    return changing;
}

// planes that hold one byte only
static unsigned find_constant(const char *chunk, size_t bytes, size_t size) {
    uint64_t first = 0;
    for (size_t i = 0; i < sizeof first; i++)
        first |= (uint64_t)(unsigned char)chunk[i % size] << 8 * i;
    size_t whole = bytes / sizeof first * sizeof first;
    uint64_t changing = changing_bits(chunk, whole, first);
    for (size_t i = whole; i < bytes; i++)
        changing |= (uint64_t)(unsigned char)(chunk[i] ^ chunk[i % size]) << 8 * (i % size);
    unsigned planes = 0;
    for (size_t i = 0; i < sizeof first; i++)
        if (changing >> 8 * i & 0xff) planes |= 1u << i % size;
    return ~planes;
}

// What the planes are made of: zlib looks at whole ones, runs and noise may take turns in one.
typedef struct pieces {
    const unsigned char *plane;
    size_t count, planes;  // bytes of a plane
    unsigned constant;     // planes
    size_t each;           // bytes of a piece
    int level;
} pieces;

// of the piece that begins at a byte of a plane; where it ends
static kind look(const pieces *p, size_t k, size_t at, size_t *end) {
    *end = p->count;
    if (p->constant >> k & 1) return CONSTANT;
    if (p->count - at > p->each) *end = at + p->each;
    return kind_of(p->plane + k * p->count + at, *end - at, p->level);
}

static bool put_piece(scree_packer *packer, scree_pack_stream *stream, kind of,
                      const unsigned char *piece, size_t bytes) {
    switch (of) {
        case CONSTANT:
            scree_pack_stream_repeat(stream, *piece, bytes);
            return true;
        case RUNS:
            scree_pack_stream_runs(stream, piece, bytes);
            return true;
        case NOISE:
            scree_pack_stream_put(stream, piece, bytes);
            return true;
        default:
            return scree_pack_stream_deflate(stream, &packer->zlib, packer->level,
                                             of == SKEWED ? Z_HUFFMAN_ONLY : Z_DEFAULT_STRATEGY,
                                             piece, bytes, room_for(bytes));
    }
}

// neighbours of one kind together
static bool put_planes(scree_packer *packer, scree_pack_stream *stream, const pieces *p) {
    size_t from = 0, to = 0, end;
    kind now = CONSTANT;
    bool fine = true;
    for (size_t k = 0; k < p->planes; k++) {
        for (size_t at = 0; fine && at < p->count; at = end) {
            kind next = look(p, k, at, &end);
            if (to > from && (next != now || next == CONSTANT)) {
                fine = put_piece(packer, stream, now, p->plane + from, to - from);
                from = to;
            }
            now = next;
            to = k * p->count + end;
        }
    }
    return fine && put_piece(packer, stream, now, p->plane + from, to - from);
}

bool scree_pack_pays(const char *chunk, size_t bytes, size_t size, size_t width) {
    enum { TRIES = 64 };
    size_t last = bytes / size, others = 0;
    if (last <= width) return false;
    last -= width;
    for (size_t k = 0; k < TRIES; k++) {
        uint64_t a = 0, b = 0;
        const char *at = chunk + last * k / TRIES * size;
        memcpy(&a, at, size);
        memcpy(&b, at + width * size, size);
        for (a ^= b; a; a >>= 8) others += (a & 0xff) != 0;
    }
    return 2 * others < TRIES * size;
}

size_t scree_pack(scree_packer *packer, int level, const char *chunk, size_t bytes, size_t size,
                  bool *fine) {
    if (!make_room(packer, bytes) || !set_level(packer, level)) {
        *fine = false;
        return 0;
    }
    unsigned constant = find_constant(chunk, bytes, size);
    shuffle(chunk, bytes / size, size, constant, packer->shuffled);
    enum { PIECE = 2048 };
    const pieces all = { .plane = (const unsigned char *)packer->shuffled,
                         .count = bytes / size,
                         .planes = size,
                         .constant = constant,
                         .each = level ? bytes : PIECE,
                         .level = level };
    scree_pack_stream stream = scree_pack_stream_begin(packer->packed);
    if (!put_planes(packer, &stream, &all)) return 0;
    return (size_t)((char *)scree_pack_stream_end(&stream) - packer->packed);
}

void scree_packer_free(scree_packer *packer) {
    if (packer->level) deflateEnd(&packer->zlib);
    free(packer->shuffled);
    free(packer->packed);
    *packer = (scree_packer){ 0 };
}
