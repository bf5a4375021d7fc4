// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// paradox.h - what the parts of scree paradox share.

#ifndef SCREE_CLI_PARADOX_H
#define SCREE_CLI_PARADOX_H

#include "cli/commands.h"
#include "scree/paradox.h"

enum { CLI_SCHEMES = SCREE_MOREAU + 1 };

/// The scene's own settings with another scheme and step.
scree_scheme_options cli_paradox_scheme(const scree_run_options *options, int scheme, double h);

/// Read "1,2.5,-3" into numbers; false unless there are exactly count.
bool cli_paradox_numbers(const char *text, double *number, int count);

/// A count, or -1 as "infinite".
void cli_paradox_count(cli_json *json, int count);

/// scree paradox SCENE --sweep.
int cli_paradox_sweep(const cli_args *args, double tolerance);

#endif
