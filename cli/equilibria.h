// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// equilibria.h - what scree equilibria and its --sweep share.

#ifndef SCREE_CLI_EQUILIBRIA_H
#define SCREE_CLI_EQUILIBRIA_H

#include "cli/commands.h"

/// Print an error with the name of the scene. Returns the exit status.
int cli_equilibria_fail(const cli_args *args, scree_error *err);

/// scree equilibria --sweep
int cli_equilibria_sweep(const cli_args *args, double tolerance);

#endif
