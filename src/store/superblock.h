// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// superblock.h - the first 48 bytes of an HDF5 file, without which nothing in it is found.
//
// HDF5 writes them over themselves whenever the file grows or is closed. Of a run file only two of
// their fields ever change, the mark of an open file and where it ends, so that a torn one can be
// made good.

#ifndef SCREE_STORE_SUPERBLOCK_H
#define SCREE_STORE_SUPERBLOCK_H

#include <stdbool.h>
#include <stdint.h>

enum { SCREE_SUPERBLOCK_SIZE = 48 };

/// Where the block says that the file ends; 0 if it is none.
uint64_t scree_superblock_end(const unsigned char block[SCREE_SUPERBLOCK_SIZE]);

/// If its checksum is wrong: the block of a closed file that ends there. False if nothing had to be
/// changed.
bool scree_superblock_mend(unsigned char block[SCREE_SUPERBLOCK_SIZE], uint64_t end);

#endif
