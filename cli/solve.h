// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// solve.h - what the parts of scree solve share: a problem file and what came of it.

#ifndef SCREE_CLI_SOLVE_H
#define SCREE_CLI_SOLVE_H

#include "cli/commands.h"

typedef struct cli_solving {
    const char *path;
    scree_problem_file file;
    scree_solver_options options;
    bool warm;  // began with the guess of the file
    scree_report report;
    double seconds;    // the solve alone [s]
    double processor;  // the same in time of the processor
    double *p;         // impulses (nc x d), z of an LCP (n), or a certificate
    double *s;         // W p + b, or w
    scree_statuses statuses;
    const char *output;  // where the solution was written, or NULL
} cli_solving;

/// Numbers of an answer: nc x d, or n.
size_t cli_solving_size(const cli_solving *solving);

/// Does p prove that there is no solution, instead of being one?
bool cli_solving_infeasible(const cli_solving *solving);

const char *cli_criterion_name(scree_criterion criterion);

/// The impulses and velocities as CSV, every digit kept; path "-" is standard output. A failure
/// leaves no half-written file.
scree_status cli_solution_write(const cli_solving *solving, const char *path, scree_error *err);

void cli_solving_print(const cli_solving *solving, FILE *stream);
void cli_solving_print_json(const cli_solving *solving);

/// Complain about the problem: an error without a place is about its file. Returns the exit status.
int cli_solving_fail(const cli_solving *solving, scree_error *err, bool json);

/// Every solution of the problem in the file. Returns the exit status.
int cli_solve_all(const cli_solving *solving, bool json);

#endif
