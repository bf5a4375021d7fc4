// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// run.h - a whole run: step to the end, store, stop when asked, resume.

#ifndef SCREE_RUN_H
#define SCREE_RUN_H

#include "scree/run_file.h"
#include "scree/simulation.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct scree_run_request {
    const char *path;  // of the run file; NULL: nothing is stored
    bool resume;       // go on with the run in path
    /// Called after every step (may be NULL); a value other than 0 stops the run.
    int (*watch)(void *data, const scree_simulation *simulation);
    void *data;
} scree_run_request;

/// Step the simulation to its end. A run that stops early (refused step, broken ledger, watch)
/// leaves its last good state in the run file, from which it can be resumed. wall_seconds, if not
/// NULL, gets the time of the loop, storing included.
SCREE_API scree_status scree_run(scree_simulation *simulation, const scree_run_request *request,
                                 double *wall_seconds, scree_error *err);

/// Open the simulation that a run file holds, at its start (mistakes go to findings).
SCREE_API scree_simulation *scree_run_simulation(const scree_run_reader *reader,
                                                 scree_findings *findings);

#ifdef __cplusplus
}
#endif

#endif
