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
    z_stream stream;
    int level;  // that the stream is for; 0: there is none
    char *shuffled, *packed;
    size_t room;
} scree_packer;

/// Pack numbers of `size` bytes each into packer->packed, which has room for one byte more. How
/// many bytes they are then; 0 if zlib refuses. False in *fine: out of memory.
size_t scree_pack(scree_packer *packer, int level, const char *chunk, size_t bytes, size_t size,
                  bool *fine);

void scree_packer_free(scree_packer *packer);

#endif
