// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// columns.h - a table of a run file: columns of one length, each a data set, that grow together.
//
// A column of numbers has one dimension, rows; one of vectors two; arrays of a state three. The
// rows of a chunk are collected in memory and written at once, by a thread in the background where
// there is one, while the next ones are collected; a chunk of nothing but zeros is not written:
// HDF5 reads zeros where nothing is.

#ifndef SCREE_STORE_COLUMNS_H
#define SCREE_STORE_COLUMNS_H

#include "base/background.h"
#include "store/digest.h"
#include "store/layout.h"
#include "store/pack.h"

enum { SCREE_COLUMNS_MOST = 64, SCREE_COLUMN_NAME = 64 };

typedef struct scree_column {
    char name[SCREE_COLUMN_NAME];  // of the data set
    char type;                     // as in layout.h
    size_t offset;                 // in the struct of a row
    int rank;
    hsize_t inner[2];  // sizes behind the rows, of a rank above 1
    size_t width;      // numbers of a row, or of its part
    size_t first;      // number in the row that a part begins with; parts share a data set
    size_t size;       // bytes of a number in the file
    bool plain;        // one word a row, the same in memory and in the file
    hid_t set;
    bool packs;    // its chunks may be packed
    size_t place;  // of its rows in a block
    char *chunk;   // those of the chunk that is being filled
    bool filled;   // they are there; false: they are zeros
} scree_column;

/// Rows of a chunk of all columns, as they are written.
typedef struct scree_columns_block {
    char *byte;
    hsize_t rows;  // of the table, these included
    size_t used;
    bool filled[SCREE_COLUMNS_MOST];
    size_t stored[SCREE_COLUMNS_MOST];  // bytes that the chunk has in the file; 0: none
} scree_columns_block;

typedef struct scree_columns {
    int count;  // 0: there is no such table
    scree_column column[SCREE_COLUMNS_MOST];
    bool single;      // doubles are floats in the file
    int compression;  // level; 0: chunks that are written once lose what repeats, and no more
    hsize_t chunk;    // rows of a chunk
    hsize_t rows;     // all, those in memory included
    size_t used;      // rows of the chunk that is being filled
    bool fresh;       // something has come since the last flush
    bool ends;        // nothing will come behind what is written now
    scree_packer *packer;
    scree_digest *digest;  // of a table with digests of its own: what they go to; else NULL
    char *waiting;         // the last rows of a table whose rows go to the columns some at a time
    size_t waits, row_bytes;  // row_bytes: 0 if they do not
    size_t block_bytes;
    scree_columns_block block[2];  // that is being filled, and the one before it
    scree_background *background;  // NULL: chunks are written at once
    unsigned ticket;               // of the block that it was given last
    bool refused;                  // a block was; to be read when it has been waited for
    char *zeros;                   // what a chunk that is not full is filled up with
    size_t zeros_room;
} scree_columns;

/// The columns of a table, in a group of its name.
void scree_columns_describe(scree_columns *columns, const char *name, scree_table table,
                            scree_extent extent);

/// One data set of arrays, rows x columns numbers each; columns 0: of one dimension, whose chunks
/// may hold one of so many equal parts of the rows each: parts that are zeros need no room.
void scree_columns_describe_array(scree_columns *columns, const char *name, int rows, int numbers,
                                  int parts);

/// Make the data sets, with chunks of so many rows; or open them, to go on behind so many rows.
/// False if HDF5 refuses, memory runs out or the sets are others.
bool scree_columns_create(scree_columns *columns, hid_t file, hsize_t chunk);
bool scree_columns_open(scree_columns *columns, hid_t file, hsize_t rows);

/// Take away what stands behind these rows.
bool scree_columns_cut(const scree_columns *columns);

/// Add a row, which is a struct, or an array; its numbers go to the digest.
bool scree_columns_put(scree_columns *columns, const void *row, scree_digest *digest);

/// Of a table that keeps digests of its rows: where the next row is put, as a struct, and how it is
/// added when all of it is there.
void *scree_columns_next(scree_columns *columns);
bool scree_columns_add(scree_columns *columns);

/// Give all rows to HDF5; readers see them when it has flushed the file. Chunks that a thread still
/// has must have been waited for.
bool scree_columns_flush(scree_columns *columns);

/// The same where no row will follow.
bool scree_columns_end(scree_columns *columns);
void scree_columns_close(scree_columns *columns);

// ---- reading

/// A table that is read. Columns are found by their names, in the order that the file tells.
typedef struct scree_columns_reader {
    int count;
    struct {
        hid_t set;
        char type;
        bool known;
        size_t offset, width;
    } column[SCREE_COLUMNS_MOST];
    int64_t rows;
} scree_columns_reader;

/// Open a group of columns; those that are not known are read for the digest alone.
bool scree_columns_find(scree_columns_reader *reader, hid_t file, const char *name,
                        scree_table table, scree_extent extent);

/// Open one data set of numbers with `rank` dimensions, of `width` numbers a row (0: any).
bool scree_columns_find_array(scree_columns_reader *reader, hid_t file, const char *name, int rank,
                              size_t width);

/// Read rows into structs of `size` bytes. The numbers of row i go to digest[i], which is begun;
/// what a column of digests says goes to said[i], if that is not NULL.
bool scree_columns_read(const scree_columns_reader *reader, int64_t first, int64_t count, void *row,
                        size_t size, scree_digest *digest, uint64_t *said);

void scree_columns_forget(scree_columns_reader *reader);

#endif
