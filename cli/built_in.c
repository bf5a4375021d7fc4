// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// built_in.c - a scene by its name: a file, or one of those built in.

#include "cli/built_in.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/suggestion.h"

enum { SCENES_MAX = 256 };

const cli_scene *cli_scene_find(const char *name) {
    for (const cli_scene *scene = cli_scene_list; scene->name; scene++)
        if (strcmp(scene->name, name) == 0) return scene;
    return NULL;
}

const char *cli_scene_nearest(const char *name) {
    const char *known[SCENES_MAX];
    int count = 0;
    for (; cli_scene_list[count].name && count < SCENES_MAX; count++)
        known[count] = cli_scene_list[count].name;
    return scree_suggestion(name, known, count);
}

void cli_scene_about(const cli_scene *scene, char *buffer, size_t size) {
    const char *text = scene->text + strspn(scene->text, "# ");
    snprintf(buffer, size, "%.*s", (int)strcspn(text, "\n"), text);
}

scree_simulation *cli_open_named(const char *scene, const char *const *overrides, int count,
                                 scree_findings *findings) {
    if (access(scene, F_OK) == 0) return scree_simulation_open(scene, overrides, count, findings);
    const cli_scene *built_in = cli_scene_find(scene);
    if (built_in)
        return scree_simulation_parse_with(scene, built_in->text, built_in->length, overrides,
                                           count, cli_file_list, findings);
    const char *near = cli_scene_nearest(scene);
    scree_findings_add(findings, (scree_source_location){ scene, 0, 0 },
                       "no such file or built-in scene%s%s%s", near ? "; did you mean \"" : "",
                       near ? near : " (scree scenes lists them)", near ? "\"?" : "");
    return NULL;
}
