// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// export.h - what the tables of scree export share.

#ifndef SCREE_CLI_EXPORT_H
#define SCREE_CLI_EXPORT_H

#include <stdbool.h>
#include <stdio.h>

#include "scree/run_file.h"
#include "scree/simulation.h"

typedef struct cli_table {
    scree_run_reader *reader;
    const scree_model *model;
    scree_simulation *simulation;  // of the run, at its start
    double h;                      // a step's time is its number times this, bit for bit
    scree_units units;             // that headers say, if the scene does
    FILE *out;
    bool quoted;  // texts stand in quotes, whatever they hold, and numbers do not
} cli_table;

/// Names of columns with commas between them, each with its unit where the scene names units.
void cli_table_header(const cli_table *t, const char *names);

/// A comma and then the numbers with every digit, or a word.
void cli_table_numbers(const cli_table *t, const double *x, int count);
void cli_table_text(const cli_table *t, const char *word);

/// Nodes and elements of elastic bodies; in export_elastic.c.
scree_status cli_table_nodes(const cli_table *t, scree_error *err);
scree_status cli_table_elements(const cli_table *t, scree_error *err);

/// Positions of a point in a sweeping process.
scree_status cli_table_path(const cli_table *t, scree_error *err);

/// Coordinates and reactions of joints.
scree_status cli_table_joints(const cli_table *t, scree_error *err);

/// Events of a run with the scheme event-driven, which is gone through once more.
scree_status cli_table_events(const cli_table *t, scree_error *err);

#endif
