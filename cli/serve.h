// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// serve.h - a page on this machine alone: 127.0.0.1, a random address, and it stops by itself.

#ifndef SCREE_CLI_SERVE_H
#define SCREE_CLI_SERVE_H

#include <sys/types.h>

#include "cli/commands.h"
#include "show/page.h"

/// Serve the page of a run, made anew for each visit, until the page is closed, nobody has come for
/// `wait` seconds, or a signal says so. Returns the exit status.
int cli_serve(const cli_args *args, const char *run, const show_page_options *options, double wait);

/// The view of a run that is being written: another process, `scree show`, that ends as that does.
/// Returns its id, 0 if it cannot be started.
pid_t cli_serve_beside(const cli_args *args, const char *run);

/// Wait until it has ended; a signal ends it, too.
void cli_serve_wait(pid_t beside);

#endif
