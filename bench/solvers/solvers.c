// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// solvers.c - how long one of scree's solvers needs for one problem file.
//
// in: PROBLEM SOLVER TOLERANCE SECONDS REACTIONS, or nothing for the menu.
// out: one JSON line (or the solvers' names, one a line); the reactions go to the file REACTIONS as
// plain doubles, for a judge that shares no code with the library.
//
// Only scree_solve is timed, cold from p = 0, best of several calls. SECONDS limits one call.

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "scree/problem_file.h"
#include "scree/solve.h"

typedef struct best_call {
    double seconds;
    int repetitions;
    scree_report report;
} best_call;

static double now(clockid_t clock) {
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// the same rule as the rival's: short calls for 20 ms and three times at least, one second at most
static bool again(int repetitions, double total) {
    return (total < 0.02 || repetitions < 3) && total < 1 && repetitions < 2000;
}

static scree_status solve_cold(const scree_problem *problem, const scree_solver_options *options,
                               double *p, best_call *best, double *total, scree_error *err) {
    memset(p, 0, sizeof *p * (size_t)problem->contacts * (size_t)problem->dimension);
    double busy = now(CLOCK_PROCESS_CPUTIME_ID), start = now(CLOCK_MONOTONIC);
    scree_status status = scree_solve(problem, options, p, &best->report, err);
    double elapsed = now(CLOCK_MONOTONIC) - start;
    busy = now(CLOCK_PROCESS_CPUTIME_ID) - busy;

    // a machine with other work makes the elapsed time longer, never the processor's
    double seconds = fmin(busy, elapsed);
    best->seconds = best->repetitions == 0 ? seconds : fmin(best->seconds, seconds);
    best->repetitions++;
    *total += seconds;
    return status;
}

static bool write_reactions(const char *path, const double *p, size_t count) {
    FILE *file = fopen(path, "wb");
    if (!file) {
        return false;
    }
    bool written = fwrite(p, sizeof *p, count, file) == count;
    return fclose(file) == 0 && written;
}

static void print_call(const best_call *best) {
    const scree_report *r = &best->report;
    printf(
        "{\"seconds\": %.9g, \"repetitions\": %d, \"engine\": \"%s\", \"converged\": %s, "
        "\"reason\": \"%s\", \"iterations\": %d, \"factorizations\": %d, \"islands\": %d, "
        "\"own_residual\": \"%.3e\", \"scaled\": \"%.3e\"}\n",
        best->seconds, best->repetitions, r->solver, r->converged ? "true" : "false",
        scree_stop_reason_text(r->reason), r->iterations, r->factorizations, r->islands,
        r->residual.natural, r->residual.scaled);
}

static int fail(const char *what, const char *why) {
    fprintf(stderr, "solvers: %s: %s\n", what, why);
    return 1;
}

static int measure(const scree_problem *problem, const scree_solver_options *options,
                   const char *reactions) {
    size_t count = (size_t)problem->contacts * (size_t)problem->dimension;
    double *p = calloc(count + 1, sizeof *p), total = 0;
    if (!p) {
        return fail(options->name, "no memory");
    }
    scree_error err = { 0 };
    best_call best = { 0 };
    scree_status status;
    do {
        status = solve_cold(problem, options, p, &best, &total, &err);
    } while (status == SCREE_OK && again(best.repetitions, total));

    int result = status == SCREE_OK ? 0 : fail(options->name, err.text);
    if (result == 0 && !write_reactions(reactions, p, count)) {
        result = fail(reactions, "cannot be written");
    }
    if (result == 0) {
        print_call(&best);
    }
    free(p);
    return result;
}

static int list(void) {
    for (const scree_solver_entry *entry = scree_solver_list(); entry->with_blocks; entry++) {
        printf("%s\n", entry->name);
    }
    return 0;
}

int main(int argc, char **argv) {
    if (argc == 1) {
        return list();
    }
    if (argc != 6) {
        return fail("usage", "solvers [PROBLEM SOLVER TOLERANCE SECONDS REACTIONS]");
    }
    scree_solver_options options = scree_solver_options_default();
    options.name = argv[2];
    options.tolerance = strtod(argv[3], NULL);
    options.max_seconds = strtod(argv[4], NULL);
    options.max_sweeps = INT_MAX;  // the limit of time is what ends a solver
    options.criterion = SCREE_CRITERION_NATURAL;
    options.threads = 1;

    scree_problem_file file;
    scree_error err = { 0 };
    if (scree_problem_read(argv[1], &file, &err) != SCREE_OK) {
        return fail(argv[1], err.text);
    }
    int result = file.is_lcp ? fail(argv[1], "an LCP, not a friction problem")
                             : measure(&file.problem, &options, argv[5]);
    scree_problem_file_free(&file);
    return result;
}
