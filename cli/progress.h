// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// progress.h - one line that tells how far a run is, on standard error if that is a terminal.
//
//     cli_progress progress = cli_progress_begin(stderr, quiet);
//     while (...) cli_progress_update(&progress, step, steps, "t = 1.2 s");
//     cli_progress_end(&progress);

#ifndef SCREE_CLI_PROGRESS_H
#define SCREE_CLI_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

typedef struct cli_progress {
    FILE *stream;    // borrowed; NULL: show nothing
    double began;    // [s]
    double shown;    // when the line was last drawn [s]
    int64_t before;  // steps done before the first update, not this run's merit; -1 until then
    int columns;     // of the line that stands there now
} cli_progress;

/// Nothing is ever written if quiet, if stream is no terminal or if the terminal is dumb.
cli_progress cli_progress_begin(FILE *stream, bool quiet);

/// Draw the line, at most ten times per second; cheap in between. total 0: not known. note may be
/// NULL.
void cli_progress_update(cli_progress *progress, int64_t done, int64_t total, const char *note);

/// Take the line away, before a message or at the end; the next update draws it again.
void cli_progress_erase(cli_progress *progress);
void cli_progress_end(cli_progress *progress);

/// The line itself, at most columns wide: percent, bar, steps per second, time left, note. Returns
/// its columns.
int cli_progress_line(int64_t done, int64_t total, double rate, const char *note, int columns,
                      char *buffer, size_t size);

#endif
