// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// paradox.h - what the parts of scree paradox share.

#ifndef SCREE_CLI_PARADOX_H
#define SCREE_CLI_PARADOX_H

#include "cli/commands.h"
#include "scree/paradox.h"

enum { CLI_SCHEMES = SCREE_MOREAU + 1 };

/// Every motion that may follow from the start of a scene, of bodies or of a mechanism, and what
/// one scheme does with it.
scree_status cli_paradox_find(const scree_simulation *simulation, double tolerance,
                              scree_paradox *paradox, scree_error *err);
scree_status cli_paradox_try(const scree_simulation *simulation, int scheme, double h,
                             scree_trial *trial, scree_error *err);

/// Read "1,2.5,-3" into numbers; false unless there are exactly count.
bool cli_paradox_numbers(const char *text, double *number, int count);

/// A count, or -1 as "infinite".
void cli_paradox_count(cli_json *json, int count);

/// scree paradox SCENE --sweep.
int cli_paradox_sweep(const cli_args *args, double tolerance);

#endif
