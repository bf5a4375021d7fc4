// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// export_vtk.c - scree export --to vtk: files for ParaView.

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/progress.h"

typedef struct teller {
    cli_progress progress;
    const char *folder;
    cli_json *json;  // or NULL: names of the collections as text
    bool open;       // the document has begun
} teller;

static int on_frame(void *data, int64_t done, int64_t frames) {
    teller *t = data;
    cli_progress_update(&t->progress, done, frames, NULL);
    return cli_stop_asked();
}

// called when nothing can go wrong any more
static void tell(void *data, const char *path) {
    teller *t = data;
    const char *ending = strrchr(path, '.');
    if (t->json && !t->open) {
        cli_json_object_begin(t->json);
        cli_json_text(cli_json_key(t->json, "folder"), t->folder);
        cli_json_array_begin(cli_json_key(t->json, "files"));
        t->open = true;
    }
    if (t->json)
        cli_json_text(t->json, path);
    else if (ending && strcmp(ending, ".pvd") == 0)
        printf("%s\n", path);
}

static void end_document(teller *t) {
    if (!t->open) return;
    cli_json_array_end(t->json);
    cli_json_object_end(t->json);
    cli_json_end(t->json);
}

// without slashes at the end, which would make names with two of them; to be freed
static char *name_folder(const cli_args *args) {
    const char *output = cli_value(args, "output");
    size_t length = output ? strlen(output) : 0;
    while (length > 1 && output[length - 1] == '/') length--;
    if (output) return cli_path("%.*s", (int)length, output);
    char stem[500];
    cli_scene_stem(args->positional[0], stem, sizeof stem);
    return cli_path("%s-vtk", stem);
}

int cli_export_vtk(const cli_args *args, scree_run_reader *reader,
                   const scree_simulation *simulation) {
    int every = 1;
    bool as_json = cli_flag(args, "json");
    if (!cli_integer(args, "every", 1, INT_MAX, &every)) return CLI_WRONG_USE;
    if (cli_value(args, "output") && !*cli_value(args, "output"))
        return cli_wrong_use(args, "--output needs the name of a folder");
    char *folder = name_folder(args);
    if (!folder) return CLI_SAYS_NO;
    cli_catch_signals();
    cli_json json = cli_json_begin(stdout);
    teller t = { cli_progress_begin(stderr, false), folder, as_json ? &json : NULL, false };
    scree_vtk_request request = { folder, every, on_frame, tell, &t };
    scree_error err = { 0 };
    scree_status status = scree_vtk_export(reader, scree_simulation_model(simulation),
                                           scree_simulation_options(simulation), &request, &err);
    cli_progress_end(&t.progress);
    end_document(&t);
    free(folder);
    return status ? cli_fail(&err, as_json) : CLI_DONE;
}
