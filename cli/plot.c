// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// plot.c - scree plot: a figure of a run.

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/commands.h"
#include "show/figures.h"

static int list_kinds(bool as_json) {
    cli_json json = cli_json_begin(stdout);
    if (as_json) cli_json_array_begin(&json);
    for (const show_kind *kind = show_kinds(); kind->name; kind++) {
        if (as_json)
            cli_json_text(&json, kind->name);
        else
            printf("%-18s %s\n", kind->name, kind->summary);
    }
    if (as_json) {
        cli_json_array_end(&json);
        cli_json_end(&json);
    }
    return CLI_DONE;
}

int cli_plot(const cli_args *args) {
    if (cli_flag(args, "list")) return list_kinds(cli_flag(args, "json"));
    if (args->positionals < 1) return cli_wrong_use(args, "expected a RUN (or --list)");
    const char *what = args->positionals > 1 ? args->positional[1] : "overview";
    char path[800];
    if (cli_value(args, "output")) {
        snprintf(path, sizeof path, "%s", cli_value(args, "output"));
    } else {
        char stem[500];
        cli_scene_stem(args->positional[0], stem, sizeof stem);
        snprintf(path, sizeof path, "%s-%s.svg", stem, what);
    }

    double at = NAN;
    if (cli_value(args, "at")) {
        char *rest;
        at = strtod(cli_value(args, "at"), &rest);
        if (strcmp(what, "deformed") != 0)
            return cli_wrong_use(args, "--at goes with the figure deformed");
        if (*rest || !*cli_value(args, "at") || !isfinite(at))
            return cli_wrong_use(args, "--at wants a time, got \"%s\"", cli_value(args, "at"));
    }

    scree_error err = { 0 };
    scree_run_reader *reader;
    bool json = cli_flag(args, "json");
    if (scree_run_reader_open(args->positional[0], &reader, &err)) return cli_fail(&err, json);
    scree_status status = isnan(at) ? show_draw(&reader, NULL, 1, what, path, &err)
                                    : show_draw_deformed(&reader, NULL, 1, at, path, &err);
    scree_run_reader_close(reader);
    if (status) return cli_fail(&err, json);
    cli_print_file(path, json);
    return CLI_DONE;
}
