// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// pack.h - a chunk of numbers -> fewer bytes, as HDF5's filters shuffle and deflate undo it.

#ifndef SCREE_STORE_PACK_H
#define SCREE_STORE_PACK_H

#include <stdbool.h>
#include <stddef.h>
#include <zlib.h>

/// What all chunks of a writer share.
typedef struct scree_packer {
    z_stream zlib;
    int level;  // that it is for; 0: there is none
    char *shuffled, *packed;
    size_t room;
} scree_packer;

/// Pack numbers of `size` bytes each into packer->packed, which has room for one byte more. How
/// many bytes they are then; 0 if there is no room for what zlib makes of them. Level 0: without
/// zlib, which only sees what is neither noise nor runs. False in *fine: out of memory.
size_t scree_pack(scree_packer *packer, int level, const char *chunk, size_t bytes, size_t size,
                  bool *fine);

/// Are more than half of the bytes of numbers like those of the number `width` places on, as far as
/// some places tell? Then to pack them without zlib takes less time than to write them.
bool scree_pack_pays(const char *chunk, size_t bytes, size_t size, size_t width);

void scree_packer_free(scree_packer *packer);

#endif
