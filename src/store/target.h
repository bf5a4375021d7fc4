// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// target.h - the place of a run file or a table: one writer at a time, and nothing of anybody
// else's is lost.
//
// HDF5 gives its own lock back when single-writer mode begins, since readers are welcome then; ours
// is held as long as a writer lives. It is advisory, lies behind the end of any file, goes with the
// process, and does not concern readers.

#ifndef SCREE_STORE_TARGET_H
#define SCREE_STORE_TARGET_H

#include <stdbool.h>

#include "scree/run_file.h"

typedef struct scree_target {
    char *path;      // owned; links are followed, so that a link stays one
    int descriptor;  // that holds the lock; -1: none, there is no file yet
} scree_target;

/// What may be replaced: empty files, and those that are known.
typedef struct scree_target_kind {
    bool (*knows)(const char *path);
    const char *name;  // for messages
} scree_target_kind;

/// Take the place for a new file. What is there must be of its kind, and nobody writes to it, or
/// nothing.
scree_status scree_target_claim(const char *path, scree_target_kind kind, scree_target *target,
                                scree_error *err);

/// Take a run file that is there, to go on with it.
scree_status scree_target_claim_run(const char *path, scree_target *target, scree_error *err);

/// What was claimed, which frees the claim.
scree_target scree_target_of_claim(scree_run_claim *claim);

/// A name that nobody has in the folder of a file, for one that is to take its place: to be created
/// without opening what is there. NULL without memory.
char *scree_target_beside(const char *path);

/// Put the file `fresh` in this place, and hold it. Fails if somebody was faster.
scree_status scree_target_replace(scree_target *target, const char *fresh, scree_error *err);

/// Is another process writing to a file, or was it written to after this time (seconds of
/// CLOCK_REALTIME)? What was read of it since may be of two moments.
bool scree_target_changes(const char *path, double since);

/// Give the place back.
void scree_target_release(scree_target *target);

#endif
