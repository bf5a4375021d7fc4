// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// layout.h - the tables of a run file as HDF5 types; writer and reader share them.

#ifndef SCREE_STORE_LAYOUT_H
#define SCREE_STORE_LAYOUT_H

#include <hdf5.h>

#include "base/arena.h"
#include "scree/run_file.h"

/// Raised when scree of before can no longer read what is written. Files of before have rows
/// instead of columns, and in format 3 identities of 64 bits; they are read, and become files of
/// today when a run in them goes on.
enum { SCREE_RUN_FORMAT = 4, SCREE_RUN_FORMAT_64 = 3 };

/// Tables: steps, frames, contacts.
typedef enum scree_table {
    SCREE_TABLE_STEPS,
    SCREE_TABLE_FRAMES,
    SCREE_TABLE_CONTACTS
} scree_table;

typedef struct scree_extent {
    int space, dimension;  // of the model: lengths of places and of local components
    bool rows;             // a file of before, whose tables are rows
    int format;            // of the file
} scree_extent;

/// A row of frames as it is stored: with the digests of what belongs to it.
typedef struct scree_frame_record {
    scree_frame_row row;
    uint64_t contacts_digest, state_digest;    // of its contacts, of q and v
    uint64_t stress_digest, reactions_digest;  // of strain and stress, of reactions; 0: none
} scree_frame_record;

typedef struct scree_layout_column {
    const char *name;
    size_t offset;  // in the struct of a row
    char type;      // d double, l int64, i int32, v double[dimension], p double[space], t double[3]
                    // that is there in space only, u uint64, b int32 that is a byte in the file, x
                    // digest of the columns before, o an id of 64 bits
    char when;      // private: in which files
} scree_layout_column;

/// Columns of a table; the one behind the last has no name.
const scree_layout_column *scree_layout_columns(scree_table table);

/// Bytes of the struct of a row.
size_t scree_layout_row_bytes(scree_table table);

/// Is it in such a file?
bool scree_layout_has(const scree_layout_column *column, scree_extent extent);

/// How many numbers a row has in it, and whether they are doubles.
int scree_layout_length(char type, scree_extent extent);
bool scree_layout_real(char type);

/// Type of a table's rows in memory, for files of before. A negative value when HDF5 refuses; close
/// with H5Tclose.
hid_t scree_layout_row_type(scree_table table, scree_extent extent);

/// HDF5 prints errors by itself unless told otherwise: keep it silent between quiet and loud, and
/// give the host program its own setting back.
typedef struct scree_quiet {
    H5E_auto2_t function;
    void *data;
} scree_quiet;
scree_quiet scree_layout_quiet(void);
void scree_layout_loud(scree_quiet quiet);

/// A group whose links and attributes lie in its head, where it is made, under HDF5's checksums:
/// many of them would go into a heap that has none, at the end of what is written. -1 if HDF5
/// refuses.
hid_t scree_layout_group(hid_t where, const char *name);

/// The same with room for so many links from the start.
hid_t scree_layout_group_of(hid_t where, const char *name, unsigned links);

/// The same for the root, as properties of a new file with room for its links; close with H5Pclose.
hid_t scree_layout_root(void);

/// Open a data set or a group that is in the file itself: links into other files are not followed
/// (which would open them, whatever they are), and a data set that is a view of others, or whose
/// numbers stand in another file, is refused. -1 then, or if there is none.
hid_t scree_layout_open(hid_t where, const char *name);
hid_t scree_layout_enter(hid_t where, const char *name);

/// Attributes, and a dataset of texts of one width; *fine becomes false if HDF5 refuses.
void scree_layout_put_text(hid_t where, const char *name, const char *text, size_t length,
                           bool *fine);
void scree_layout_put_number(hid_t where, const char *name, hid_t type, const void *value,
                             bool *fine);
void scree_layout_put_texts(hid_t where, const char *name, const char *const *texts, int count,
                            bool *fine);

/// A dataset of numbers, rows x columns; columns 1: of one dimension.
void scree_layout_put_array(hid_t where, const char *name, hid_t type, int rows, int columns,
                            const void *data, bool *fine);

/// Read an attribute: a text ("" if there is none; memory from the arena), an integer (-1), a
/// number (NaN).
const char *scree_layout_text(hid_t where, const char *name, scree_arena *arena);
int scree_layout_integer(hid_t where, const char *name);
double scree_layout_double(hid_t where, const char *name);

/// Read such a dataset; false if it is not there or no such thing.
bool scree_layout_texts(hid_t where, const char *name, scree_arena *arena, const char ***texts,
                        int *count);

/// Are the bytes of this data set in the file? Data elsewhere, or announced and never written,
/// would take memory that the file does not justify. count: numbers, or what else it holds.
bool scree_layout_stored(hid_t set, hid_t type, size_t count);

/// Can all of the index of a data set in chunks be read, also behind its rows? It is added to when
/// a run goes on.
bool scree_layout_indexed(hid_t set);

/// The innermost reason HDF5 gives for its last failure, in text.
void scree_layout_reason(char *text, size_t size);

#endif
