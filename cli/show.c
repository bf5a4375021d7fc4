// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// show.c - scree show: a run as a page that plays it, in one HTML file or on this machine's own
// address.

#include <stdio.h>

#include "cli/serve.h"

static void print_report(const char *path, const show_page_report *report, bool as_json) {
    if (as_json) {
        cli_json json = cli_json_begin(stdout);
        cli_json_object_begin(&json);
        cli_json_text(cli_json_key(&json, "file"), path);
        cli_json_integer(cli_json_key(&json, "frames"), report->frames);
        cli_json_integer(cli_json_key(&json, "every"), report->every);
        cli_json_integer(cli_json_key(&json, "contacts"), report->contacts);
        cli_json_integer(cli_json_key(&json, "contacts_all"), report->contacts_all);
        cli_json_number(cli_json_key(&json, "megabytes"), report->megabytes);
        cli_json_object_end(&json);
        cli_json_end(&json);
        return;
    }
    printf("%s: %lld state%s, %.2f MB\n", path, (long long)report->frames,
           report->frames == 1 ? "" : "s", report->megabytes);
    if (report->every > 1)
        printf("note: every %lld-th stored state is in it (--max-size and --every choose)\n",
               (long long)report->every);
    if (report->contacts < report->contacts_all)
        printf("note: of %lld contacts it has the strongest %lld\n",
               (long long)report->contacts_all, (long long)report->contacts);
}

int cli_show(const cli_args *args) {
    const char *path = cli_value(args, "html");
    show_page_options options = show_page_options_default();
    double every = options.every, wait = 600;
    if (!cli_read_number(args, "max-size", 0.1, &options.megabytes) ||
        !cli_read_number(args, "every", 1, &every) || !cli_read_number(args, "wait", 0, &wait))
        return CLI_WRONG_USE;
    options.every = every < 1e9 ? (int)every : 1000000000;
    options.served = !path;
    if (!path) return cli_serve(args, args->positional[0], &options, wait);
    scree_error err = { 0 };
    scree_run_reader *reader;
    show_page_report report;
    bool json = cli_flag(args, "json");
    if (scree_run_reader_open(args->positional[0], &reader, &err)) return cli_fail(&err, json);
    scree_status status = show_page_write(reader, &options, path, &report, &err);
    scree_run_reader_close(reader);
    if (status) return cli_fail(&err, json);
    print_report(path, &report, json);
    return CLI_DONE;
}
