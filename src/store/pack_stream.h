// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// pack_stream.h - a stream of zlib (RFC 1950, 1951) that is put together of pieces: bytes as they
// are, runs of one byte, and what zlib deflates.
//
// Where little repeats but single bytes, as in the planes of shuffled numbers, runs are found and
// written many times as fast as deflate would.

#ifndef SCREE_STORE_PACK_STREAM_H
#define SCREE_STORE_PACK_STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <zlib.h>

typedef struct scree_pack_stream {
    unsigned char *at;  // where it goes on
    uint64_t bits;      // of a byte that is not full
    int held;           // so many
    uint32_t a, b;      // Adler-32 of what it stands for
} scree_pack_stream;

/// Begin at a place with room for all that will come.
scree_pack_stream scree_pack_stream_begin(void *to);

/// Bytes as they are: 5 bytes more for each 64 kB.
void scree_pack_stream_put(scree_pack_stream *stream, const unsigned char *byte, size_t count);

/// One byte many times over: 13 bits for each 258.
void scree_pack_stream_repeat(scree_pack_stream *stream, unsigned char byte, size_t count);

/// Bytes many of which are like the one before: at most 29 bits for each other one.
void scree_pack_stream_runs(scree_pack_stream *stream, const unsigned char *byte, size_t count);

/// What zlib makes of bytes at this level and by this strategy, with a stream of its own that is
/// raw; false if `room` is too small.
bool scree_pack_stream_deflate(scree_pack_stream *stream, z_stream *zlib, int level, int strategy,
                               const unsigned char *byte, size_t count, size_t room);

/// The end; behind it is the first byte that is not its own.
unsigned char *scree_pack_stream_end(scree_pack_stream *stream);

#endif
