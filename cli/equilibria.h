// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// equilibria.h - what scree equilibria and its --sweep share.

#ifndef SCREE_CLI_EQUILIBRIA_H
#define SCREE_CLI_EQUILIBRIA_H

#include "cli/commands.h"
#include "scree/equilibria.h"

enum { CLI_KIND_TEXT = 400 };

/// A scene with its equations of rest.
typedef struct cli_resting {
    scree_simulation *simulation;
    scree_equilibrium_system system;
    double load[2];  // of a particle whose A is set
} cli_resting;

/// Open a scene with overrides. On failure returns false, with findings or err filled.
bool cli_resting_open(const char *scene, const char *const *overrides, int count,
                      cli_resting *resting, scree_findings *findings, scree_error *err);
void cli_resting_close(cli_resting *resting);

/// The kind of a set: statuses and families without numbers, "free + slip+ point + stuck ray".
void cli_kind_of(const scree_equilibria *set, char *buffer, size_t size);

/// Print an error with the name of the scene. Returns the exit status.
int cli_equilibria_fail(const cli_args *args, scree_error *err);

/// scree equilibria --sweep
int cli_equilibria_sweep(const cli_args *args, double tolerance);

#endif
