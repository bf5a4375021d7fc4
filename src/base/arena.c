// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// arena.c - a chain of chunks, each at least twice as large as the one before.

#include "base/arena.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { ALIGNMENT = 64, FIRST_CHUNK = 16384 };

struct scree_arena_chunk {
    scree_arena_chunk *next;
    size_t capacity, used;  // bytes behind the header
    int borrowed;           // the caller's memory: not freed
};

static const size_t header = (sizeof(scree_arena_chunk) + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;

static scree_arena_chunk *add_chunk(scree_arena *arena, size_t need) {
    size_t capacity = arena->current ? 2 * arena->current->capacity : FIRST_CHUNK;
    while (capacity < need) capacity *= 2;
    scree_arena_chunk *chunk = aligned_alloc(ALIGNMENT, header + capacity);
    if (!chunk) return NULL;
    *chunk = (scree_arena_chunk){ .capacity = capacity };
    // an empty successor that is too small stays in the chain behind the new one
    if (arena->current) {
        chunk->next = arena->current->next;
        arena->current->next = chunk;
    } else {
        chunk->next = arena->first;
        arena->first = chunk;
    }
    return chunk;
}

void scree_arena_begin(scree_arena *arena, void *buffer, size_t size) {
    scree_arena_chunk *chunk = buffer;
    *chunk = (scree_arena_chunk){ .capacity = size - header, .borrowed = 1 };
    *arena = (scree_arena){ .first = chunk, .current = chunk };
}

void *scree_arena_room(scree_arena *arena, size_t count, size_t size) {
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes) || bytes > SIZE_MAX / 8) return NULL;
    size_t need = (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    scree_arena_chunk *chunk = arena->current;
    if (!chunk || chunk->capacity - chunk->used < need) {
        scree_arena_chunk *next = chunk ? chunk->next : arena->first;
        chunk = next && next->capacity >= need ? next : add_chunk(arena, need);
        if (!chunk) return NULL;
        chunk->used = 0;
        arena->current = chunk;
    }
    char *memory = (char *)chunk + header + chunk->used;
    chunk->used += need;
    return memory;
}

void *scree_arena_alloc(scree_arena *arena, size_t count, size_t size) {
    void *memory = scree_arena_room(arena, count, size);
    return memory ? memset(memory, 0, count * size) : NULL;
}

char *scree_arena_text(scree_arena *arena, const char *text, size_t length) {
    char *copy = scree_arena_alloc(arena, length + 1, 1);
    if (copy && length) memcpy(copy, text, length);
    return copy;
}

scree_arena_mark scree_arena_mark_of(const scree_arena *arena) {
    return (scree_arena_mark){ arena->current, arena->current ? arena->current->used : 0 };
}

void scree_arena_release(scree_arena *arena, scree_arena_mark mark) {
    arena->current = mark.chunk;
    if (mark.chunk) mark.chunk->used = mark.used;
}

void scree_arena_free(scree_arena *arena) {
    for (scree_arena_chunk *chunk = arena->first; chunk;) {
        scree_arena_chunk *next = chunk->next;
        if (!chunk->borrowed) free(chunk);
        chunk = next;
    }
    *arena = (scree_arena){ 0 };
}
