// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// recover.c - scree recover: a damaged run file, cut back to what stands before the damage.

#include <stdio.h>

#include "cli/commands.h"

int cli_recover(const cli_args *args) {
    const char *path = args->positional[0];
    bool json = cli_flag(args, "json");
    scree_recovery found;
    scree_error err = { 0 };
    if (scree_run_restore(path, &found, &err)) return cli_fail(&err, json);
    if (json) {
        cli_json out = cli_json_begin(stdout);
        cli_json_object_begin(&out);
        cli_json_boolean(cli_json_key(&out, "whole"), found.whole);
        cli_json_integer(cli_json_key(&out, "steps"), found.steps - 1);
        cli_json_integer(cli_json_key(&out, "states"), found.frames);
        cli_json_number(cli_json_key(&out, "time"), found.time);
        cli_json_object_end(&out);
        cli_json_end(&out);
    } else if (found.whole) {
        printf("%s is whole: %lld steps, %lld stored states, to t = %.9g\n", path,
               (long long)found.steps - 1, (long long)found.frames, found.time);
    } else {
        printf(
            "%s holds %lld steps and %lld stored states again, to t = %.9g; what it was is in "
            "%s.damaged\n",
            path, (long long)found.steps - 1, (long long)found.frames, found.time, path);
    }
    return CLI_DONE;
}
