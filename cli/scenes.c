// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// scenes.c - scree scenes and scree new: the built-in scenes.

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/commands.h"

// the first comment line says what the scene shows
static void first_comment(const cli_scene *scene, char *buffer, size_t size) {
    const char *text = scene->text + strspn(scene->text, "# ");
    snprintf(buffer, size, "%.*s", (int)strcspn(text, "\n"), text);
}

int cli_scenes(const cli_args *args) {
    bool as_json = cli_flag(args, "json");
    cli_json json = cli_json_begin(stdout);
    if (as_json) cli_json_array_begin(&json);
    for (const cli_scene *scene = cli_scene_list; scene->name; scene++) {
        char about[200];
        first_comment(scene, about, sizeof about);
        if (as_json) {
            cli_json_object_begin(&json);
            cli_json_text(cli_json_key(&json, "name"), scene->name);
            cli_json_text(cli_json_key(&json, "about"), about);
            cli_json_object_end(&json);
        } else if (cli_flag(args, "names")) {
            printf("%s\n", scene->name);
        } else {
            printf("%-20s %s\n", scene->name, about);
        }
    }
    if (as_json) {
        cli_json_array_end(&json);
        cli_json_end(&json);
    }
    return CLI_DONE;
}

int cli_new(const cli_args *args) {
    const cli_scene *scene = cli_scene_find(args->positional[0]);
    if (!scene)
        return cli_wrong_use(args, "there is no built-in scene \"%s\" (scree scenes lists them)",
                             args->positional[0]);
    char path[600];
    if (cli_value(args, "output"))
        snprintf(path, sizeof path, "%s", cli_value(args, "output"));
    else
        snprintf(path, sizeof path, "%s.yaml", scene->name);
    FILE *file = fopen(path, cli_flag(args, "force") ? "w" : "wx");
    if (!file) {
        fprintf(stderr, "%s: error: cannot be created: %s%s\n", path, strerror(errno),
                errno == EEXIST ? " (--force replaces it)" : "");
        return CLI_WRONG_USE;
    }
    size_t written = fwrite(scene->text, 1, scene->length, file);
    if (fclose(file) != 0 || written != scene->length) {
        fprintf(stderr, "%s: error: cannot be written: %s\n", path, strerror(errno));
        return CLI_SAYS_NO;
    }
    if (cli_flag(args, "json")) {
        cli_json json = cli_json_begin(stdout);
        cli_json_object_begin(&json);
        cli_json_text(cli_json_key(&json, "file"), path);
        cli_json_object_end(&json);
        cli_json_end(&json);
    } else {
        printf("%s\n", path);
    }
    return CLI_DONE;
}
