// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// verdict.h - whether a run is to be believed, and why a step was refused.

#ifndef SCREE_VERDICT_H
#define SCREE_VERDICT_H

#include "scree/base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum scree_refusal_reason {
    SCREE_REFUSED_NO_SOLUTION,  // there is none, proven: by impulses that contradict all motions,
                                // or by all combinations of statuses of a small planar problem
    SCREE_REFUSED_EXISTENCE,    // the sufficient criterion for a solution fails: contacts jam
    SCREE_REFUSED_BUDGET,       // the limit of iterations or of time came first
    SCREE_REFUSED_NOT_FOUND,    // every engine gave up
    SCREE_REFUSED_TURNING,      // bodies turn so far in a step that it cannot be closed
    SCREE_REFUSED_LEDGER,       // the energy ledger is off by more than rounding
} scree_refusal_reason;

/// no-solution-proven, existence-criterion-fails, budget, not-found, turning, ledger.
SCREE_API const char *scree_refusal_reason_name(scree_refusal_reason reason);

/// The step that ended a run.
typedef struct scree_refusal {
    scree_refusal_reason reason;
    int64_t step;      // its number, from 1
    double time;       // its end [s]
    int contacts;      // in its problem
    char detail[300];  // a sentence: what is known of the reason, and who is concerned
    char advice[240];  // what can be done about it
} scree_refusal;

typedef enum scree_run_verdict {
    SCREE_RUN_GOOD,
    SCREE_RUN_WARNED,   // all steps were taken, but see the warnings
    SCREE_RUN_REFUSED,  // a step was refused
} scree_run_verdict;

/// What it is called in scenes, files and reports.
SCREE_API const char *scree_run_verdict_name(scree_run_verdict verdict);

typedef enum scree_warning_kind {
    SCREE_WARNING_PENETRATION,  // bodies lie in each other
    SCREE_WARNING_CREATED,      // contacts created energy
    SCREE_WARNING_UNCONVERGED,  // steps were accepted that missed the tolerance
    SCREE_WARNING_LOOSENED,     // steps were taken with what `worst` of the solver's options allows
    SCREE_WARNING_CORRECTION,   // pushing bodies apart brought energy, against what contacts did
    SCREE_WARNING_TOLERATED,  // what steps were solved to brought energy, against what contacts did
    SCREE_WARNING_TURNED,     // an elastic body turned further than small rotations go
    SCREE_WARNINGS
} scree_warning_kind;

typedef struct scree_warning {
    scree_warning_kind kind;
    bool allowed;  // by penetration, energy_created or accept_unconverged of scree_run_options;
                   // small enough
    char text[240];
} scree_warning;

#ifdef __cplusplus
}
#endif

#endif
