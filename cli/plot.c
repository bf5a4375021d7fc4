// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// plot.c - scree plot: a figure of a run.

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/commands.h"
#include "show/bodies.h"
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

enum { PICTURES_MOST = 24 };

typedef struct picture_options {
    double at[PICTURES_MOST];
    int count;  // 0: none was given
    show_bodies_options bodies;
} picture_options;

static bool read_times(const cli_args *args, const char *text, picture_options *to) {
    const char *from = text;
    for (;;) {
        char *rest;
        double time = strtod(from, &rest);
        if (rest == from || !isfinite(time) || (*rest && *rest != ',')) {
            cli_wrong_use(args, "--at wants times with commas between them, got \"%s\"", text);
            return false;
        }
        if (to->count == PICTURES_MOST) {
            cli_wrong_use(args, "--at takes at most %d times", PICTURES_MOST);
            return false;
        }
        to->at[to->count++] = time;
        if (!*rest) return true;
        from = rest + 1;
    }
}

static bool read_picture_options(const cli_args *args, const char *what, picture_options *to) {
    const char *at = cli_value(args, "at");
    bool bodies = strcmp(what, "bodies") == 0;
    to->bodies = show_bodies_options_default();
    if (at && !bodies && strcmp(what, "deformed") != 0) {
        cli_wrong_use(args, "--at goes with the figures bodies and deformed");
        return false;
    }
    static const char *const own[] = { "view", "colour", "with", "region", "born" };
    for (size_t k = 0; k < sizeof own / sizeof *own && !bodies; k++)
        if (cli_value(args, own[k])) {
            cli_wrong_use(args, "--%s goes with the figure bodies", own[k]);
            return false;
        }
    if (at && !read_times(args, at, to)) return false;
    if (to->count > 1 && !bodies) {
        cli_wrong_use(args, "the figure deformed takes one time");
        return false;
    }
    if (to->count) {
        to->bodies.at = to->at;
        to->bodies.pictures = to->count;
    }
    return cli_read_style(args, &to->bodies);
}

static scree_status draw(scree_run_reader *reader, const char *what, const picture_options *picture,
                         const char *path, scree_error *err) {
    if (strcmp(what, "bodies") == 0) return show_draw_bodies(reader, &picture->bodies, path, err);
    if (picture->count) return show_draw_deformed(&reader, NULL, 1, picture->at[0], path, err);
    return show_draw(&reader, NULL, 1, what, path, err);
}

int cli_plot(const cli_args *args) {
    if (cli_flag(args, "list")) return list_kinds(cli_flag(args, "json"));
    if (args->positionals < 1) return cli_wrong_use(args, "expected a RUN (or --list)");
    const char *what = args->positionals > 1 ? args->positional[1] : "overview";
    picture_options picture = { 0 };
    if (!read_picture_options(args, what, &picture)) return CLI_WRONG_USE;
    scree_error err = { 0 };
    scree_run_reader *reader;
    bool json = cli_flag(args, "json");
    if (scree_run_reader_open(args->positional[0], &reader, &err)) return cli_fail(&err, json);
    char stem[500], *path;
    cli_scene_stem(args->positional[0], stem, sizeof stem);
    path = cli_value(args, "output") ? cli_path("%s", cli_value(args, "output"))
                                     : cli_path("%s-%s.svg", stem, what);
    scree_status status =
        path ? draw(reader, what, &picture, path, &err) : scree_fail_memory(&err, NULL);
    scree_run_reader_close(reader);
    if (!status) cli_print_file(path, json);
    free(path);
    return status ? cli_fail(&err, json) : CLI_DONE;
}
