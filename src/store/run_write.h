// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// run_write.h - the inside of a writer of run files, for the files that write.

#ifndef SCREE_STORE_RUN_WRITE_H
#define SCREE_STORE_RUN_WRITE_H

#include <time.h>

#include "store/driver.h"
#include "store/run_read.h"
#include "store/run_restart.h"
#include "store/target.h"

/// Tables, in the order of flushing: frames come after what they point to.
enum {
    SCREE_RUN_CONTACTS,
    SCREE_RUN_Q,
    SCREE_RUN_V,
    SCREE_RUN_STRAIN,
    SCREE_RUN_STRESS,
    SCREE_RUN_REACTIONS,
    SCREE_RUN_STEPS,
    SCREE_RUN_FRAMES,
    SCREE_RUN_TABLES
};

struct scree_run_writer {
    hid_t file, driver;
    scree_driver_errors errors;
    scree_target target;  // held for as long as it is written
    char *path;
    const scree_model *model;
    double alpha;  // the mean of u and u' that works are done with
    double steps;  // of the whole run
    double duration;
    int every;
    bool active_only, single;
    int compression;  // -1: by itself
    scree_packer packer;
    scree_background *background;  // to which full chunks go; NULL: none
    scree_columns table[SCREE_RUN_TABLES];
    scree_run_sums sums;
    double *strain, *stress, *reaction;  // of elastic bodies, of one state; NULL: not stored
    double *scratch;                     // (2 x dofs)
    scree_restart restart;               // of a run in single precision
    double checkpoint;                   // seconds from sync to sync, 0: none before the end
    struct timespec began, flushed, synced;
    double wall_before;  // of the runs before a resume [s]
};

/// A frame whose contacts are being put.
typedef struct scree_run_frame {
    int64_t first, count;
    scree_digest contacts;
} scree_run_frame;

scree_status scree_run_writer_fail(const scree_run_writer *writer, const char *what,
                                   scree_error *err);

/// Put rows; false if HDF5 refuses. Contacts come before their frame; strain and stress, and
/// reactions, are NULL where the run has none.
bool scree_run_writer_put_step(scree_run_writer *writer, int64_t step, double time,
                               const scree_account *account);
scree_run_frame scree_run_writer_begin_frame(const scree_run_writer *writer);
bool scree_run_writer_put_contact(scree_run_writer *writer, const scree_contact *contact,
                                  scree_run_frame *frame);
bool scree_run_writer_put_frame(scree_run_writer *writer, const scree_run_frame *frame,
                                const scree_state *state, const double *strain,
                                const double *stress, const double *reaction);

/// Keep a state with every digit, where the tables round it.
scree_status scree_run_writer_keep_state(scree_run_writer *writer, const scree_state *state,
                                         const scree_contact *contact, int contacts,
                                         scree_error *err);

/// In run_convert.c: all rows of a file of before, up to the point where it goes on; and the
/// coordinates at its start.
scree_status scree_run_convert(scree_run_writer *writer, scree_run_reader *before,
                               const scree_resume_point *point, scree_error *err);
scree_status scree_run_convert_start(scree_run_reader *before, double *q, scree_error *err);

/// From now on a program has a hand in the run: what is stored behind this is not the scene's
/// alone.
scree_status scree_run_writer_note_program(scree_run_writer *writer, scree_error *err);

#endif
