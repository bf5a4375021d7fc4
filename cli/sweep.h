// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// sweep.h - parameters and their ranges as --sweep names them, and tables of what comes of it.

#ifndef SCREE_CLI_SWEEP_H
#define SCREE_CLI_SWEEP_H

#include <stdio.h>

#include "cli/commands.h"

typedef struct cli_axis {
    char name[64];
    double low, high;
    int count;
    double *value;  // owned (count)
} cli_axis;

/// Read "NAME=LOW:HIGH:COUNT" of one or two parameters with a comma between them. Counts above most
/// become most + 1. Returns how many there are, 0: it reads otherwise, or a count is below 2.
int cli_sweep_read(const char *text, int most, cli_axis axis[2]);

/// Fill the values of an axis; false without memory.
bool cli_sweep_fill(cli_axis *axis);

/// Is it wrong use, because --json and --output - both want standard output?
bool cli_output_taken(const cli_args *args);

/// Write a table into a file, or on standard output (-). False, with errno, if it cannot be.
bool cli_save(const char *path, void (*write)(const void *what, FILE *stream), const void *what);

#endif
