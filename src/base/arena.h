// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// arena.h - memory that is given back all at once.
//
// A scene or a model keeps one arena for its whole life; a step takes a mark, draws scratch and
// releases back to the mark. Chunks are kept for reuse, so that a steady run allocates nothing.

#ifndef SCREE_BASE_ARENA_H
#define SCREE_BASE_ARENA_H

#include <stddef.h>

typedef struct scree_arena_chunk scree_arena_chunk;

typedef struct scree_arena {  // begin with a zeroed struct
    scree_arena_chunk *first, *current;
} scree_arena;

typedef struct scree_arena_mark {
    scree_arena_chunk *chunk;
    size_t used;
} scree_arena_mark;

/// Begin with a buffer of the caller's, aligned to 64 bytes and larger than that, instead of
/// nothing: what fits into it costs no allocation.
void scree_arena_begin(scree_arena *arena, void *buffer, size_t size);

/// Zeroed memory aligned to 64 bytes, or NULL when memory ran out. size 0 gives a valid pointer.
void *scree_arena_alloc(scree_arena *arena, size_t count, size_t size);

/// The same with what was there before: for what is large and written before it is read.
void *scree_arena_room(scree_arena *arena, size_t count, size_t size);

/// A copy of length bytes of text with a closing zero, or NULL.
char *scree_arena_text(scree_arena *arena, const char *text, size_t length);

scree_arena_mark scree_arena_mark_of(const scree_arena *arena);
void scree_arena_release(scree_arena *arena, scree_arena_mark mark);
void scree_arena_free(scree_arena *arena);

#define SCREE_NEW(arena, type, count) \
    ((type *)scree_arena_alloc((arena), (size_t)(count), sizeof(type)))
#define SCREE_ROOM(arena, type, count) \
    ((type *)scree_arena_room((arena), (size_t)(count), sizeof(type)))

#endif
