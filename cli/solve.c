// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// solve.c - scree solve: a stored contact problem, or a linear complementarity problem.

#include "cli/solve.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/suggestion.h"

enum { SOLVERS = 48 };

size_t cli_solving_size(const cli_solving *solving) {
    const scree_problem *problem = &solving->file.problem;
    return solving->file.is_lcp ? (size_t)solving->file.lcp.size
                                : (size_t)problem->contacts * (size_t)problem->dimension;
}

bool cli_solving_infeasible(const cli_solving *solving) {
    return solving->report.reason == SCREE_STOP_INFEASIBLE;
}

const char *cli_criterion_name(scree_criterion criterion) {
    return criterion == SCREE_CRITERION_NATURAL  ? "field"
           : criterion == SCREE_CRITERION_SCALED ? "scaled"
                                                 : "both";
}

// ---- the command line ----

static int list_solvers(bool as_json) {
    cli_json json = cli_json_begin(stdout);
    if (as_json) cli_json_array_begin(&json);
    for (const scree_solver_entry *entry = scree_solver_list(); entry->name; entry++) {
        if (!as_json) {
            printf("%-18s %s\n", entry->name, entry->summary);
            continue;
        }
        cli_json_object_begin(&json);
        cli_json_text(cli_json_key(&json, "name"), entry->name);
        cli_json_text(cli_json_key(&json, "summary"), entry->summary);
        cli_json_object_end(&json);
    }
    if (as_json) {
        cli_json_array_end(&json);
        cli_json_end(&json);
    }
    return CLI_DONE;
}

static bool known_solver(const cli_args *args, const char *name) {
    const char *candidates[SOLVERS];
    int count = 0;
    for (const scree_solver_entry *entry = scree_solver_list(); entry->name; entry++) {
        if (strcmp(entry->name, name) == 0) return true;
        if (count < SOLVERS) candidates[count++] = entry->name;
    }
    const char *near = scree_suggestion(name, candidates, count);
    if (near)
        cli_wrong_use(args, "there is no solver '%.60s'; did you mean '%s'?", name, near);
    else
        cli_wrong_use(args, "there is no solver '%.60s'; scree solve --list shows them", name);
    return false;
}

static scree_criterion read_criterion(const char *word) {
    if (word && strcmp(word, "scaled") == 0) return SCREE_CRITERION_SCALED;
    if (word && strcmp(word, "both") == 0) return SCREE_CRITERION_BOTH;
    return SCREE_CRITERION_NATURAL;
}

static bool good_mix(const cli_args *args) {
    const char *output = cli_value(args, "output");
    if (args->positionals != 1)
        return cli_wrong_use(args, "expected a PROBLEM (or --list)") == CLI_DONE;
    if (output && !*output)
        return cli_wrong_use(args, "--output needs the name of a file") == CLI_DONE;
    if (output && strcmp(output, "-") == 0 && cli_flag(args, "json"))
        return cli_wrong_use(args, "--json and --output - both want standard output") == CLI_DONE;
    if (!cli_flag(args, "all")) return true;
    if (output || cli_flag(args, "solver"))
        return cli_wrong_use(args,
                             "--all goes through all statuses and prints what it finds: give "
                             "no --solver and no --output") == CLI_DONE;
    return true;
}

static bool read_options(const cli_args *args, scree_solver_options *options) {
    *options = scree_solver_options_default();
    options->name = cli_value(args, "solver") ? cli_value(args, "solver") : "auto";
    // which statuses agree is decided by exact arithmetic but for rounding
    options->tolerance = cli_flag(args, "all") ? 1e-12 : 1e-8;
    options->criterion = read_criterion(cli_value(args, "residual"));
    // the limit of time ends a solve; sweeps are too unlike each other for a useful number
    options->max_seconds = 60;
    options->max_sweeps = 100000000;
    return good_mix(args) && known_solver(args, options->name) &&
           cli_number(args, "tolerance", CLI_POSITIVE, DBL_MAX, &options->tolerance) &&
           cli_number(args, "max-seconds", 0, DBL_MAX, &options->max_seconds) &&
           cli_integer(args, "max-iterations", 1, INT_MAX, &options->max_sweeps) &&
           cli_integer(args, "threads", 0, SCREE_THREADS_MOST, &options->threads);
}

// a refused command line, as a document
static void refusal_to_json(char *complaint) {
    complaint[strcspn(complaint, "\n")] = '\0';
    cli_json json = cli_json_begin(stdout);
    cli_json_object_begin(&json);
    cli_json_text(cli_json_key(&json, "status"), "bad-input");
    cli_json_text(cli_json_key(&json, "message"), complaint);
    cli_json_object_end(&json);
    cli_json_end(&json);
}

// the same for options that make no sense: --json has its one document even then
static bool hear_options(const cli_args *args, scree_solver_options *options) {
    char *complaint = NULL;
    size_t length = 0;
    cli_args heard = *args;
    FILE *kept = open_memstream(&complaint, &length);
    if (!kept) return read_options(args, options);
    heard.errors = kept;
    bool good = read_options(&heard, options);
    bool told = fclose(kept) == 0 && complaint;
    if (!good && told) {
        fputs(complaint, args->errors);
        if (cli_flag(args, "json")) refusal_to_json(complaint);
    }
    free(complaint);
    return good;
}

// ---- solving ----

static double processor_seconds(void) {
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

// begin with the guess of the file if that is nearer to a solution than zero
static void choose_start(cli_solving *solving) {
    const scree_problem *problem = &solving->file.problem;
    const double *guess = solving->file.guess;
    if (solving->file.is_lcp || !guess) return;
    double zero = scree_problem_residual(problem, solving->p, solving->s).natural;
    double warm = scree_problem_residual(problem, guess, solving->s).natural;
    solving->warm = warm < zero;
    if (solving->warm) memcpy(solving->p, guess, cli_solving_size(solving) * sizeof *guess);
}

// w = M z + q, and which of the two is zero beside the numbers it was made of
static void judge_lcp(cli_solving *solving) {
    const scree_lcp *lcp = &solving->file.lcp;
    double largest = 0;
    for (int i = 0; i < lcp->size; i++) largest = fmax(largest, fabs(solving->p[i]));
    for (int i = 0; i < lcp->size; i++) {
        double w = lcp->q[i], size = fabs(w);
        for (int j = 0; j < lcp->size; j++) {
            double part = lcp->M[(size_t)i * (size_t)lcp->size + (size_t)j] * solving->p[j];
            w += part;
            size += fabs(part);
        }
        solving->s[i] = w;
        solving->statuses.open += fabs(solving->p[i]) <= solving->options.tolerance * largest;
        solving->statuses.stick += fabs(w) <= solving->options.tolerance * size;
    }
}

static void judge(cli_solving *solving) {
    const scree_problem *problem = &solving->file.problem;
    if (solving->file.is_lcp) {
        judge_lcp(solving);
        return;
    }
    scree_problem_velocity(problem, solving->p, solving->s);
    solving->statuses =
        scree_problem_statuses(problem, solving->p, solving->s, solving->options.tolerance);
}

// Are there other answers? Then the least of them, which takes no part in the solver's time.
static scree_status settle(cli_solving *solving, scree_error *err) {
    size_t bytes = cli_solving_size(solving) * sizeof *solving->p;
    scree_solver_options options = solving->options;
    scree_report report;
    if (solving->file.is_lcp || !solving->report.converged) return SCREE_OK;
    options.name = "auto";
    options.least = true;
    memcpy(solving->s, solving->p, bytes);
    scree_status status = scree_solve(&solving->file.problem, &options, solving->s, &report, err);
    if (status || !report.converged) return status;
    memcpy(solving->p, solving->s, bytes);
    solving->report.unique = report.unique;
    solving->report.freedom = report.freedom;
    solving->report.least = report.least;
    solving->report.residual = report.residual;
    return SCREE_OK;
}

static scree_status solve(cli_solving *solving, bool cold, scree_error *err) {
    size_t size = cli_solving_size(solving);
    solving->p = calloc(size + 1, sizeof *solving->p);
    solving->s = calloc(size + 1, sizeof *solving->s);
    if (!solving->p || !solving->s) return scree_fail_memory(err, NULL);
    if (!cold) choose_start(solving);
    double start = now(), processor = processor_seconds();
    scree_status status = solving->file.is_lcp
                              ? scree_lcp_solve(&solving->file.lcp, &solving->options, solving->p,
                                                &solving->report, err)
                              : scree_solve(&solving->file.problem, &solving->options, solving->p,
                                            &solving->report, err);
    solving->seconds = now() - start;
    solving->processor = processor_seconds() - processor;
    if (!status) status = settle(solving, err);
    if (!status) judge(solving);
    return status;
}

// ---- telling ----

int cli_solving_fail(const cli_solving *solving, scree_error *err, bool json) {
    if (!*err->file && err->status == SCREE_BAD_INPUT)
        snprintf(err->file, sizeof err->file, "%s", solving->path);
    return cli_fail(err, json);
}

static scree_status write_solution(cli_solving *solving, const char *path, scree_error *err) {
    if (!path) return SCREE_OK;
    if (cli_solving_infeasible(solving)) {
        fprintf(stderr, "warning: there is no solution, %s is not written\n", path);
        return SCREE_OK;
    }
    scree_status status = cli_solution_write(solving, path, err);
    if (status) return status;
    solving->output = path;
    if (!solving->report.converged)
        fprintf(stderr,
                "warning: %s holds the best iterate, which is not solved to the tolerance\n",
                strcmp(path, "-") == 0 ? "the table" : path);
    return SCREE_OK;
}

static int solve_file(const cli_args *args, cli_solving *solving) {
    scree_error err = { 0 };
    bool json = cli_flag(args, "json");
    const char *output = cli_value(args, "output");
    scree_status status = solve(solving, cli_flag(args, "cold"), &err);
    if (!status) status = write_solution(solving, output, &err);
    if (status) return cli_solving_fail(solving, &err, json);
    if (json)
        cli_solving_print_json(solving);
    else
        cli_solving_print(solving, output && strcmp(output, "-") == 0 ? stderr : stdout);
    return solving->report.converged ? CLI_DONE : CLI_SAYS_NO;
}

int cli_solve(const cli_args *args) {
    bool json = cli_flag(args, "json");
    if (cli_flag(args, "list")) return list_solvers(json);
    cli_solving solving = { .path = args->positional[0] };
    if (!hear_options(args, &solving.options)) return CLI_WRONG_USE;

    scree_error err = { 0 };
    scree_status status = scree_problem_read(solving.path, &solving.file, &err);
    if (status) {
        cli_fail(&err, json);
        return status == SCREE_NO_MEMORY ? CLI_SAYS_NO : CLI_WRONG_USE;
    }
    int code = cli_flag(args, "all") ? cli_solve_all(&solving, json) : solve_file(args, &solving);
    free(solving.p);
    free(solving.s);
    scree_problem_file_free(&solving.file);
    return code;
}
