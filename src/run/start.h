// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// start.h - the state of a run as the start of another one.
//
// A scene that says `start: {run: settled.h5}` begins with bodies of that run. What it takes from
// there is kept with the scene as a text, as the files of its shapes are: a run file needs nothing
// beside it.

#ifndef SCREE_RUN_START_H
#define SCREE_RUN_START_H

#include "base/arena.h"
#include "scree/simulation.h"

typedef enum scree_start_kind {  // as its letter
    SCREE_START_FIXED = 'f',     // or driven: partners of contacts alone
    SCREE_START_RIGID = 'r',
    SCREE_START_ELASTIC = 'e',
} scree_start_kind;

typedef struct scree_start_part {
    scree_start_kind kind;
    const char *name;
    int coordinates, dofs;
    const double *q, *v;
} scree_start_part;

typedef struct scree_start_contact {
    int part[2];   // its bodies
    int shape[2];  // of each body, and the piece of that shape
    int piece[2];
    uint64_t feature;
    int status;
    double normal[3], impulse[SCREE_ROWS_MAX];
} scree_start_contact;

typedef struct scree_start {
    double step;  // of the run [s]
    int parts, contacts;
    scree_start_part *part;        // (parts)
    scree_start_contact *contact;  // between shapes, those of its step (contacts)
} scree_start;

/// The text of a start, allocated; NULL without memory.
char *scree_start_text_write(const scree_start *start, size_t *length);

/// And back, of a text with a zero at its end: memory from the arena. NULL if it is no such text,
/// or without memory.
const scree_start *scree_start_text_parse(const char *text, size_t length, scree_arena *arena);

/// What the scene starts from, which is kept with it, or NULL: nothing, or there is a finding.
const scree_start *scree_start_find(scree_scene *scene, scree_arena *arena,
                                    scree_findings *findings);

/// Bodies that were there in the run are there from the beginning.
void scree_start_wake(const scree_start *start, scree_model *model);

/// Go to the start. Fails if no body of the model is in it, or if one is another one.
scree_status scree_start_restore(const scree_start *start, bool rest, scree_simulation *simulation,
                                 scree_error *err);

#endif
