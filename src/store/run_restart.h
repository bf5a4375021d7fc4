// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// run_restart.h - the last state of a run with every digit, beside tables that are rounded.
//
// Two slots are written in turn, each with a checksum: a writer that is killed leaves at least one
// of them whole. A slot is a row of doubles:
//
//     checksum, step, number of contacts, q, v,
//     then for each contact: id / 2^32, id mod 2^32, a, b, status, normal (space), impulse
//     (dimension)

#ifndef SCREE_STORE_RUN_RESTART_H
#define SCREE_STORE_RUN_RESTART_H

#include <time.h>

#include "store/run_header.h"

typedef struct scree_restart {
    int space, dimension, coordinates, dofs, format;
    hid_t set[2];
    int next;      // the slot to write
    double *word;  // of the slot to write            (room)
    size_t room;
    struct timespec finished;  // the last writing
    double seconds;            // that it took
} scree_restart;

/// Make empty slots in a new file, or open those of an old one to go on behind slot `last`.
bool scree_restart_create(scree_restart *restart, hid_t file);
bool scree_restart_open(scree_restart *restart, hid_t file, int last);

/// A slot of many bodies takes its time: is it long enough ago, for a share of a twentieth?
bool scree_restart_due(const scree_restart *restart);

/// Write a state and those contacts that are in its problem to the next slot, down to the disk.
bool scree_restart_write(scree_restart *restart, const scree_state *state,
                         const scree_contact *contact, int contacts);
void scree_restart_close(scree_restart *restart);

/// Read a slot of a file; NULL if it is not whole. To be freed.
double *scree_restart_read(const scree_restart *shape, hid_t file, int slot);

/// Can both slots be written to?
bool scree_restart_is_sound(hid_t file);

/// Make the slots of a file that has none, the first with what was read; or empty, if that is NULL.
bool scree_restart_renew(const scree_restart *shape, hid_t file, const double *word);

int64_t scree_restart_step(const double *word);
int scree_restart_contacts(const double *word);

/// Take state and contacts (there is room for them) out of a slot that was read.
void scree_restart_take(const scree_restart *shape, const double *word, scree_state *state,
                        scree_contact *contact);

/// Where a run goes on, and how many rows of its tables belong to what was before.
typedef struct scree_resume_point {
    int64_t step;
    int64_t frames, contacts;  // rows that stay
    int slot;                  // whose state it is, or -1: that of the last frame
    double *word;              // of the slot, or NULL; to be freed
} scree_resume_point;

/// In run_reader.c.
scree_run_settings scree_run_reader_settings(const scree_run_reader *reader);

/// In run_resume.c: what its slots are made of.
scree_restart scree_run_reader_shape(const scree_run_reader *reader);

/// In run_resume.c: the last point that everything stored in the file reaches.
scree_status scree_run_reader_point(scree_run_reader *reader, scree_resume_point *point,
                                    scree_error *err);

#endif
