// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// scenes.c - scree scenes and scree new: the built-in scenes.

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

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
    scree_error err = { 0 };
    bool json = cli_flag(args, "json");
    if (!scene) {
        const char *near = cli_scene_nearest(args->positional[0]);
        scree_fail(&err, SCREE_BAD_INPUT, (scree_place){ args->positional[0], 0, 0 },
                   "no such built-in scene%s%s%s (scree scenes lists them)",
                   near ? "; did you mean \"" : "", near ? near : "", near ? "\"?" : "");
        return cli_fail(&err, json);
    }
    char path[600];
    if (cli_value(args, "output"))
        snprintf(path, sizeof path, "%s", cli_value(args, "output"));
    else
        snprintf(path, sizeof path, "%s.yaml", scene->name);
    FILE *file = fopen(path, cli_flag(args, "force") ? "w" : "wx");
    if (!file) {
        scree_fail(&err, SCREE_BAD_INPUT, (scree_place){ path, 0, 0 }, "cannot be created: %s%s",
                   strerror(errno), errno == EEXIST ? " (--force replaces it)" : "");
        return cli_fail(&err, json);
    }
    size_t written = fwrite(scene->text, 1, scene->length, file);
    if (fclose(file) != 0 || written != scene->length) {
        scree_fail(&err, SCREE_FILE_ERROR, (scree_place){ path, 0, 0 }, "cannot be written: %s",
                   strerror(errno));
        struct stat about;
        if (stat(path, &about) == 0 && S_ISREG(about.st_mode)) remove(path);
        return cli_fail(&err, json);
    }
    cli_print_file(path, json);
    return CLI_DONE;
}
