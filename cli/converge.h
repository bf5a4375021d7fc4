// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// converge.h - what scree converge and its tables share.

#ifndef SCREE_CLI_CONVERGE_H
#define SCREE_CLI_CONVERGE_H

#include "cli/commands.h"
#include "cli/progress.h"

/// What is measured, and what came of it.
typedef struct cli_converge {
    const cli_args *args;
    cli_names schemes;
    scree_convergence_options options;
    scree_units units;
    bool energies;  // the scene has energies
    scree_convergence found;
    cli_progress progress;
    scree_error err;
} cli_converge;

/// What was found, on standard output.
void cli_converge_print(const cli_converge *c);
void cli_converge_json(const cli_converge *c);
bool cli_converge_csv(const cli_converge *c, const char *path);

#endif
