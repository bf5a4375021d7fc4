// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// converge.h - what the runs of scree converge and its tables share.

#ifndef SCREE_CLI_CONVERGE_H
#define SCREE_CLI_CONVERGE_H

#include "cli/commands.h"
#include "cli/progress.h"

enum { CLI_LEVELS = 16, CLI_SCHEMES = 8 };

/// How far a run is from what it is compared with, as the largest component of the difference; of
/// several runs the mean of that.
typedef struct cli_distance {
    double most;  // over all steps of the run
    double mean;  // over all of them
    double last;  // at the end
} cli_distance;

/// One step. The errors are not numbers if a run, or what it is compared with, stopped.
typedef struct cli_level {
    double h;          // [s]
    int64_t steps;     // to the end
    bool opened;       // the scheme took the scene
    char reason[480];  // why there are no errors
    cli_distance q, v;
    double order_q, order_v;  // against the level before; not a number: not known
} cli_level;

/// All steps of one scheme.
typedef struct cli_ladder {
    char scheme[80];
    cli_level level[CLI_LEVELS];
    double travel;            // largest displacement of the reference [m]
    double size_q, size_v;    // its largest coordinate and velocity
    double order_q, order_v;  // fitted
} cli_ladder;

/// What is measured.
typedef struct cli_converge {
    const cli_args *args;
    const char *key;     // of the scene, under which schemes are chosen
    double first;        // the longest step [s]
    int levels;          // each has half the step of the one before
    int spread;          // runs of each level
    int64_t coarse;      // steps of the longest one
    double end;          // coarse x first [s]
    bool at_end;         // errors at the end alone
    bool self;           // each run against one with half its step
    char why_self[480];  // empty: it was asked for
    cli_ladder *ladder;  // owned (schemes)
    int schemes;
    cli_progress progress;
    int64_t done, total;    // steps of all runs
    bool reference_failed;  // while it ran
    scree_error err;
} cli_converge;

/// Which of the errors count: at the end, or the largest of positions and the mean of velocities.
double cli_error_q(const cli_converge *c, const cli_level *level);
double cli_error_v(const cli_converge *c, const cli_level *level);

/// Run a scheme with all steps beside its reference and measure the errors; where a run stops, its
/// level says why. An error: interrupted, no memory, or an event-driven reference that stopped.
scree_status cli_converge_run(cli_converge *c, cli_ladder *ladder);

/// How many steps the runs of one scheme take, those of references not counted.
int64_t cli_converge_steps(const cli_converge *c);

/// Errors are not told from rounding below this.
double cli_floor_q(const cli_ladder *ladder);
double cli_floor_v(const cli_ladder *ladder);

/// What was found, on standard output.
void cli_converge_print(const cli_converge *c);
void cli_converge_json(const cli_converge *c);
bool cli_converge_csv(const cli_converge *c, const char *path);

#endif
