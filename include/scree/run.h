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

/// Contact problems of single steps, each written as FCLIB file folder/step-0001234.hdf5 (see
/// scree_problem_write). Its solution group holds the impulses of a step that met its tolerance;
/// the best iterate of one that did not is no solution and is left out. Steps without contacts
/// have no problem.
typedef struct scree_run_dump {
    const char *folder;   // is made if it is not there
    int every;            // steps whose number is a multiple; 0: steps that missed their
                          // tolerance, and one whose ledger is broken
    const int64_t *step;  // just these instead                          (steps)
    int steps;
    int64_t written;      // out: how many
    scree_error failure;  // out: why the problem that stopped the run could not be written
} scree_run_dump;

typedef struct scree_run_request {
    const char *path;  // of the run file; NULL: nothing is stored
    bool resume;       // go on with the run in path
    /// Called after every step (may be NULL); a value other than 0 stops the run.
    int (*on_step)(void *data, const scree_simulation *simulation);
    void *data;
    scree_run_dump *dump;    // or NULL
    scree_run_claim *claim;  // on the run to go on with, which scree_run takes over; NULL: it is
                             // claimed first of all
} scree_run_request;

/// What a writer of run files wants to know of a simulation. Borrowed.
SCREE_API scree_run_origin scree_simulation_origin(const scree_simulation *simulation);

/// Nothing is stored, nobody is called.
SCREE_API scree_run_request scree_run_request_default(void);

/// Step the simulation to its end. A run that stops early (refused step, broken ledger, watch)
/// leaves its last good state in the run file, from which it can be resumed. wall_seconds, if not
/// NULL, gets the time of the loop, storing included.
///
/// Any simulation can be stored. One of a model of your own, or with forces, laws, states or bodies
/// of a program, is resumed by that program alone: it builds the same simulation and asks for
/// `resume`. Commands take it where there is a scene. One that is not at its start is stored from
/// where it is, and cannot be resumed.
SCREE_API scree_status scree_run(scree_simulation *simulation, const scree_run_request *request,
                                 double *wall_seconds, scree_error *err);

/// How a run ended, in one word: "done", "unconverged", "bad-input", ...
SCREE_API const char *scree_run_status_name(scree_status status);

/// Lend the reader of a run that has no scene, of a model that a program built, the simulation that
/// made it: scree_run_simulation, and so pictures and pages, begin with that model. Borrowed for as
/// long as the reader is open.
SCREE_API void scree_run_reader_lend(scree_run_reader *reader, const scree_simulation *simulation);

/// Open the simulation that a run file holds, at its start (mistakes go to findings).
SCREE_API scree_simulation *scree_run_simulation(const scree_run_reader *reader,
                                                 scree_findings *findings);

/// The same with another duration, as "scheme.duration=value"; NULL: that of the run.
SCREE_API scree_simulation *scree_run_simulation_to(const scree_run_reader *reader,
                                                    const char *duration, scree_findings *findings);

/// Cut a damaged run file back (scree_run_recover). Where its tables cannot be read at all, but
/// scene and model can, the file begins again with the start, from which the run goes on to the
/// same bits; with options that are damaged, for as long as the scene says.
SCREE_API scree_status scree_run_restore(const char *path, scree_recovery *found, scree_error *err);

#ifdef __cplusplus
}
#endif

#endif
