// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// scenes.c - scree scenes and scree new: the built-in scenes.

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/commands.h"

int cli_scenes(const cli_args *args) {
    bool as_json = cli_flag(args, "json");
    cli_json json = cli_json_begin(stdout);
    if (as_json) cli_json_array_begin(&json);
    for (const cli_scene *scene = cli_scene_list; scene->name; scene++) {
        char about[200];
        cli_scene_about(scene, about, sizeof about);
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

scree_status cli_write_file(const char *path, const char *text, size_t length, bool force,
                            scree_error *err) {
    scree_source_location at = { path, 0, 0 };
    FILE *file = fopen(path, force ? "w" : "wx");
    if (!file)
        return scree_fail(err, SCREE_BAD_INPUT, at, "cannot be created: %s%s", strerror(errno),
                          errno == EEXIST ? " (--force replaces it)" : "");
    size_t written = fwrite(text, 1, length, file);
    if (fclose(file) == 0 && written == length) return SCREE_OK;
    scree_fail(err, SCREE_FILE_ERROR, at, "cannot be written: %s", strerror(errno));
    struct stat about;
    if (stat(path, &about) == 0 && S_ISREG(about.st_mode)) remove(path);
    return SCREE_FILE_ERROR;
}

scree_status cli_write_scene(const char *path, const char *text, size_t length, bool force,
                             scree_error *err) {
    char line[CLI_SCHEMA_LINE];
    cli_schema_line(line, sizeof line);
    size_t first = strlen(line);
    char *whole = malloc(first + length + 1);
    if (!whole)
        return scree_fail(err, SCREE_NO_MEMORY, (scree_source_location){ path, 0, 0 },
                          "out of memory for this scene");
    memcpy(whole, line, first);
    memcpy(whole + first, text, length);
    scree_status status = cli_write_file(path, whole, first + length, force, err);
    free(whole);
    return status;
}

// files that the scene names go beside it
static scree_status write_beside(const cli_scene *scene, const char *path, bool force,
                                 scree_error *err) {
    const char *slash = strrchr(path, '/');
    int folder = slash ? (int)(slash - path) + 1 : 0;
    scree_status status = SCREE_OK;
    for (const scree_embedded_file *file = cli_file_list; !status && file->name; file++) {
        if (!strstr(scene->text, file->name)) continue;
        char *beside = cli_path("%.*s%s", folder, path, file->name);
        status = beside ? cli_write_file(beside, file->text, file->length, force, err)
                        : scree_fail_memory(err, NULL);
        free(beside);
    }
    return status;
}

int cli_new(const cli_args *args) {
    const cli_scene *scene = cli_scene_find(args->positional[0]);
    scree_error err = { 0 };
    bool json = cli_flag(args, "json");
    if (!scene) {
        const char *near = cli_scene_nearest(args->positional[0]);
        scree_fail(&err, SCREE_BAD_INPUT, (scree_source_location){ args->positional[0], 0, 0 },
                   "no such built-in scene%s%s%s (scree scenes lists them)",
                   near ? "; did you mean \"" : "", near ? near : "", near ? "\"?" : "");
        return cli_fail(&err, json);
    }
    const char *output = cli_value(args, "output");
    char *path = output ? cli_path("%s", output) : cli_path("%s.yaml", scene->name);
    if (!path) return CLI_SAYS_NO;
    bool force = cli_flag(args, "force");
    scree_status status = cli_write_scene(path, scene->text, scene->length, force, &err);
    if (!status) status = write_beside(scene, path, force, &err);
    if (!status) cli_print_file(path, json);
    free(path);
    return status ? cli_fail(&err, json) : CLI_DONE;
}
