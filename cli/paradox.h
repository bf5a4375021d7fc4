// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// paradox.h - what the parts of scree paradox share.

#ifndef SCREE_CLI_PARADOX_H
#define SCREE_CLI_PARADOX_H

#include "cli/commands.h"

/// A count, or -1 as "infinite".
void cli_paradox_count(cli_json *json, int count);

/// scree paradox SCENE --sweep.
int cli_paradox_sweep(const cli_args *args, double tolerance);

#endif
