// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// pack_stream.c - a stream of zlib that is put together of pieces.
// in: bytes.   out: blocks of RFC 1951, and Adler-32 of what they stand for.

#include "store/pack_stream.h"

#include <string.h>

#include "base/clones.h"

enum { STORED = 0, FIXED = 1 };  // kinds of blocks
enum { END_OF_BLOCK = 256, SHORTEST = 3, LONGEST = 258 };

// ---- Adler-32

enum { MODULUS = 65521, TOGETHER = 4096 };  // bytes whose sums fit into 32 bits

SCREE_VECTOR_CLONES
static void add_bytes(const unsigned char *byte, uint32_t count, uint32_t *sum, uint32_t *ramp) {
    uint32_t plain = 0, weighted = 0;
    for (uint32_t i = 0; i < count; i++) {
        plain += byte[i];
        weighted += byte[i] * (count - i);
    }
    *sum = plain;
    *ramp = weighted;
}

static void check_bytes(scree_pack_stream *s, const unsigned char *byte, size_t count) {
    for (size_t at = 0; at < count; at += TOGETHER) {
        uint32_t n = count - at < TOGETHER ? (uint32_t)(count - at) : TOGETHER, sum, ramp;
        add_bytes(byte + at, n, &sum, &ramp);
        s->b = (uint32_t)((s->b + (uint64_t)n * s->a + ramp) % MODULUS);
        s->a = (s->a + sum) % MODULUS;
    }
}

static void check_repeated(scree_pack_stream *s, unsigned char byte, size_t count) {
    uint64_t n = count % MODULUS, ramp = n * (n + 1) / 2 % MODULUS;
    s->b = (uint32_t)((s->b + n * s->a + byte * ramp) % MODULUS);
    s->a = (uint32_t)((s->a + byte * n) % MODULUS);
}

// ---- bits

// the first one in the lowest place
static void put_bits(scree_pack_stream *s, uint32_t bits, int count) {
    s->bits |= (uint64_t)bits << s->held;
    for (s->held += count; s->held >= 8; s->held -= 8, s->bits >>= 8)
        *s->at++ = (unsigned char)s->bits;
}

static void fill_byte(scree_pack_stream *s) {
    if (s->held) put_bits(s, 0, 8 - s->held);
}

static void put_head(scree_pack_stream *s, int kind, bool last) {
    put_bits(s, (uint32_t)(kind << 1 | last), 3);
}

// a word of the fixed code, which begins with its highest bit
static uint32_t turned(uint32_t code, int length) {
    uint32_t bits = 0;
    for (int i = 0; i < length; i++) bits |= (code >> i & 1) << (length - 1 - i);
    return bits;
}

static void put_code(scree_pack_stream *s, uint32_t code, int length) {
    put_bits(s, turned(code, length), length);
}

static void put_symbol(scree_pack_stream *s, uint32_t symbol) {
    if (symbol < 144)
        put_code(s, 0x30 + symbol, 8);
    else if (symbol < END_OF_BLOCK)
        put_code(s, 0x190 + symbol - 144, 9);
    else if (symbol < 280)
        put_code(s, symbol - END_OF_BLOCK, 7);
    else
        put_code(s, 0xc0 + symbol - 280, 8);
}

enum { DISTANCE = 5 };  // bits of the code of distance 1, which are 0

// the byte before, so many times more, less than the longest run
static void put_repeat(scree_pack_stream *s, uint32_t count) {
    uint32_t x = count - SHORTEST;
    int extra = x < 8 ? 0 : 29 - __builtin_clz(x);
    put_symbol(s, END_OF_BLOCK + 1 + 4u * (uint32_t)extra + (x >> extra));
    put_bits(s, x & ((1u << extra) - 1), extra + DISTANCE);
}

static void put_run(scree_pack_stream *s, unsigned char byte, size_t count) {
    const uint32_t longest = turned(0xc5, 8);
    put_symbol(s, byte);
    for (count--; count >= LONGEST; count -= LONGEST) put_bits(s, longest, 8 + DISTANCE);
    if (count >= SHORTEST)
        put_repeat(s, (uint32_t)count);
    else
        for (; count > 0; count--) put_symbol(s, byte);
}

// ---- pieces

scree_pack_stream scree_pack_stream_begin(void *to) {
    scree_pack_stream stream = { .at = to, .a = 1 };
    put_bits(&stream, 0x78, 8);  // deflate, a window of 32 kB
    put_bits(&stream, 0x01, 8);  // the fastest kind; both are a multiple of 31
    return stream;
}

void scree_pack_stream_put(scree_pack_stream *s, const unsigned char *byte, size_t count) {
    enum { MOST = 65535 };
    check_bytes(s, byte, count);
    for (size_t at = 0; at < count; at += MOST) {
        uint32_t n = count - at < MOST ? (uint32_t)(count - at) : MOST;
        put_head(s, STORED, false);
        fill_byte(s);
        put_bits(s, n, 16);
        put_bits(s, n ^ 0xffff, 16);
        memcpy(s->at, byte + at, n);
        s->at += n;
    }
}

void scree_pack_stream_repeat(scree_pack_stream *s, unsigned char byte, size_t count) {
    check_repeated(s, byte, count);
    put_head(s, FIXED, false);
    put_run(s, byte, count);
    put_symbol(s, END_OF_BLOCK);
}

// how many bytes from the first one on are like it
static size_t run_of(const unsigned char *byte, size_t count) {
    uint64_t word, like = byte[0] * UINT64_C(0x0101010101010101);
    size_t n = 1;
    for (; n + sizeof word <= count; n += sizeof word) {
        memcpy(&word, byte + n, sizeof word);
        if (word != like) break;
    }
    while (n < count && byte[n] == byte[0]) n++;
    return n;
}

void scree_pack_stream_runs(scree_pack_stream *s, const unsigned char *byte, size_t count) {
    check_bytes(s, byte, count);
    put_head(s, FIXED, false);
    for (size_t at = 0, run; at < count; at += run) {
        run = run_of(byte + at, count - at);
        put_run(s, byte[at], run);
    }
    put_symbol(s, END_OF_BLOCK);
}

bool scree_pack_stream_deflate(scree_pack_stream *s, z_stream *zlib, int level, int strategy,
                               const unsigned char *byte, size_t count, size_t room) {
    check_bytes(s, byte, count);
    put_head(s, STORED, false);  // of nothing: what follows begins with a byte
    fill_byte(s);
    put_bits(s, 0xffff0000u, 32);
    zlib->next_in = (Bytef *)byte;
    zlib->avail_in = (uInt)count;
    zlib->next_out = s->at;
    zlib->avail_out = (uInt)room;
    bool fine = deflateReset(zlib) == Z_OK && deflateParams(zlib, level, strategy) == Z_OK &&
                deflate(zlib, Z_SYNC_FLUSH) == Z_OK && zlib->avail_in == 0 && zlib->avail_out > 0;
    s->at = zlib->next_out;
    return fine;
}

unsigned char *scree_pack_stream_end(scree_pack_stream *s) {
    put_head(s, FIXED, true);
    put_symbol(s, END_OF_BLOCK);
    fill_byte(s);
    for (int shift = 24; shift >= 0; shift -= 8)
        *s->at++ = (unsigned char)((s->b << 16 | s->a) >> shift);
    return s->at;
}
