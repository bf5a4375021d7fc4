// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// layout.h - the tables of a run file as HDF5 types; writer and reader share them.

#ifndef SCREE_STORE_LAYOUT_H
#define SCREE_STORE_LAYOUT_H

#include <hdf5.h>

#include "base/arena.h"
#include "scree/run_file.h"

/// Raised when scree of before can no longer read what is written. Format 3 has identities of 64
/// bits: it is read, and a run of it goes on in it.
enum { SCREE_RUN_FORMAT = 4, SCREE_RUN_FORMAT_64 = 3 };

/// Tables of rows: steps, frames, contacts.
typedef enum scree_table {
    SCREE_TABLE_STEPS,
    SCREE_TABLE_FRAMES,
    SCREE_TABLE_CONTACTS
} scree_table;

typedef struct scree_extent {
    int space, dimension;  // of the model: lengths of places and of local components
    bool single;           // numbers of contacts have four bytes in the file
    int format;            // of the file
} scree_extent;

/// Type of a table's rows in memory (the structs of run_file.h) or, packed, in the file. A negative
/// value when HDF5 refuses; close with H5Tclose.
hid_t scree_layout_type(scree_table table, scree_extent extent, bool packed);

/// Pieces of a row in memory that stand one after the other in a packed row of the file.
typedef struct scree_span {
    size_t offset, size;  // in the struct
    bool single;          // doubles that become floats
} scree_span;

enum { SCREE_SPANS_MAX = 24 };

/// Fill span and return how many there are; adjacent pieces of one precision are merged.
int scree_layout_spans(scree_table table, scree_extent extent, scree_span *span);

/// HDF5 prints errors by itself unless told otherwise: keep it silent between quiet and loud, and
/// give the host program its own setting back.
typedef struct scree_quiet {
    H5E_auto2_t function;
    void *data;
} scree_quiet;
scree_quiet scree_layout_quiet(void);
void scree_layout_loud(scree_quiet quiet);

/// Attributes, and a dataset of texts of one width; *fine becomes false if HDF5 refuses.
void scree_layout_put_text(hid_t where, const char *name, const char *text, size_t length,
                           bool *fine);
void scree_layout_put_number(hid_t where, const char *name, hid_t type, const void *value,
                             bool *fine);
void scree_layout_put_texts(hid_t where, const char *name, const char *const *texts, int count,
                            bool *fine);

/// Read such a dataset; false if it is not there or no such thing.
bool scree_layout_texts(hid_t where, const char *name, scree_arena *arena, const char ***texts,
                        int *count);

/// The innermost reason HDF5 gives for its last failure, in text.
void scree_layout_reason(char *text, size_t size);

#endif
