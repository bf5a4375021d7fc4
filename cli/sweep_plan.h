// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// sweep_plan.h - which runs a sweep has, where their files are and what each of them came to.

#ifndef SCREE_CLI_SWEEP_PLAN_H
#define SCREE_CLI_SWEEP_PLAN_H

#include "cli/commands.h"

enum { CLI_SWEEP_AXES = 8, CLI_SWEEP_RUNS = 20000, CLI_SWEEP_LINE = 1000 };

/// A key of the scene and the values it takes, as they stand behind --set.
typedef struct cli_sweep_axis {
    char path[160];
    char **word;     // owned (count)
    double *number;  // what they are as numbers, NaN for words; owned (count)
    int count;
} cli_sweep_axis;

typedef struct cli_sweep_plan {
    const char *scene;
    cli_sweep_axis axis[CLI_SWEEP_AXES];  // (axes); the last one runs first
    int axes;
    int runs;
    char folder[600];  // of run files and summaries
    bool stores;       // run files are wanted
    char state[40];    // of the scene's file: runs of another one do not count
} cli_sweep_plan;

/// Read --set and --output. On false the complaint is written.
bool cli_sweep_plan_read(const cli_args *args, cli_sweep_plan *plan);
void cli_sweep_plan_free(cli_sweep_plan *plan);

/// Which value of each axis run `run` (from 0) has.
void cli_sweep_plan_point(const cli_sweep_plan *plan, int run, int place[CLI_SWEEP_AXES]);

/// The line of a run: its number from 1, then overrides, with tabs between them. False: too long.
bool cli_sweep_plan_line(const cli_sweep_plan *plan, int run, char line[CLI_SWEEP_LINE]);

/// Numbers that a run comes to, in the order of the table.
enum { CLI_SWEEP_NUMBERS = 14 };
extern const char *const cli_sweep_number_name[CLI_SWEEP_NUMBERS];
extern const char *const cli_sweep_number_label[CLI_SWEEP_NUMBERS];

/// What a run came to.
typedef struct cli_sweep_summary {
    char line[CLI_SWEEP_LINE];        // that it was made of
    char status[32];                  // done, or why not; empty: there is none yet
    char verdict[32];                 // of the run, or ""
    char message[800];                // the sentence, or ""
    double value[CLI_SWEEP_NUMBERS];  // NaN: not known
} cli_sweep_summary;

/// Make one run of a line and leave its summary in the folder. Exit status of the worker; one that
/// was interrupted leaves no summary.
int cli_sweep_run_line(const cli_sweep_plan *plan, const char *line);

/// Write a summary for a run that did not live to do it.
bool cli_sweep_run_mark(const cli_sweep_plan *plan, const char *line, const char *message);

/// The summary of a run; false: there is none of this line.
bool cli_sweep_run_read(const cli_sweep_plan *plan, const char *line, cli_sweep_summary *summary);

#endif
