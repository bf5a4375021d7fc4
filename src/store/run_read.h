// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// run_read.h - the inside of a reader of run files, for the files that read.

#ifndef SCREE_STORE_RUN_READ_H
#define SCREE_STORE_RUN_READ_H

#include "store/columns.h"
#include "store/run_header.h"

/// Data sets and types of a file of before, whose tables are rows (run_old.c).
typedef struct scree_run_old {
    hid_t steps, frames, q, v, contacts, strain, stress, reactions;
    hid_t step_type, frame_type, contact_type, q_type, v_type, tensor_type, force_type;
} scree_run_old;

struct scree_run_reader_memory {
    scree_arena arena;
    hid_t file;
    scree_run_settings settings;
    int format;
    bool rows;      // of before
    bool restarts;  // the states are rounded, the last one is kept apart
    bool lenient;   // what is damaged ends the run instead of being refused
    double began;   // to be read
    scree_columns_reader steps, frames, contacts, q, v, strain, stress, reactions;
    scree_run_old old;
    scree_frame_record *frame;            // looked through when the file was opened   (frames)
    bool *verified;                       // are the contacts of a frame what they were? (frames)
    const struct scree_simulation *lent;  // that made a run without a scene; or NULL
};

/// The last row of a run file, which says what it holds in all.
typedef struct scree_run_end {
    double wall_seconds;
    int64_t steps, frames, contacts;  // -1: the run is not closed; -2 - n: n rows count, what
                                      // stands behind them is being taken away
    uint64_t digest;                  // of the digests of all steps and of all frames
    uint64_t check;                   // digest of the numbers before
} scree_run_end;

/// Type of it in memory; close with H5Tclose.
hid_t scree_run_end_type(void);
uint64_t scree_run_end_check(const scree_run_end *end);

/// The row while tables are cut back to so many rows.
scree_run_end scree_run_end_of_cut(double wall_seconds, int64_t steps, int64_t frames,
                                   int64_t contacts);

/// Write it to a file, whose data set is there already.
bool scree_run_end_write(hid_t file, scree_run_end *end);

/// Read it; false if it is not whole.
bool scree_run_end_read(hid_t file, scree_run_end *end);

/// The digests of all steps and of all frames so far.
typedef struct scree_run_sums {
    scree_digest steps, frames;
} scree_run_sums;

uint64_t scree_run_sums_digest(const scree_run_sums *sums);

/// Those of the first rows of a file of today.
bool scree_run_reader_sums(const scree_run_reader *reader, int64_t steps, int64_t frames,
                           scree_run_sums *sums);

/// Hold the contacts of some frames against their digests.
scree_status scree_run_reader_check_contacts(scree_run_reader *reader, int64_t first, int64_t count,
                                             scree_error *err);

/// The sentence about damage of a file; status SCREE_BAD_INPUT, unless it is being written to.
scree_status scree_run_reader_damaged(const scree_run_reader *reader, const char *where,
                                      scree_error *err);

/// Hold every row against its digest, and see that the run can go on in the file; the first steps
/// and frames are fine, up to the first that is not. Files of before have no digests.
scree_status scree_run_reader_verify(scree_run_reader *reader, int64_t *steps, int64_t *frames,
                                     scree_error *err);

/// Is the file a run of scree's, be it of another version or damaged behind its header?
bool scree_run_reader_knows(const char *path);

/// Is it a file of before?
bool scree_run_reader_before(const scree_run_reader *reader);

/// Open the tables of a file of before; reader->steps, frames, contacts ... become what they have.
bool scree_run_old_open(scree_run_reader *reader);
void scree_run_old_close(scree_run_old *old);

/// Rows of a table of a file of before.
bool scree_run_old_rows(hid_t set, hid_t type, int64_t first, int64_t count, void *out);

/// The file as far as its tables can be read, whatever their digests say; without any rows if they
/// or its options cannot be.
scree_status scree_run_reader_open_part(const char *path, scree_run_reader **reader,
                                        scree_error *err);

/// The same of a file whose end may be missing.
scree_status scree_run_recover_header(const char *path, scree_run_reader **reader,
                                      scree_error *err);

#endif
