// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// scene_source.c - where a scene comes from: a file, or one of those built in.

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/nearest.h"
#include "cli/commands.h"

enum { SCENES_MAX = 256 };

const cli_scene *cli_scene_find(const char *name) {
    for (const cli_scene *scene = cli_scene_list; scene->name; scene++)
        if (strcmp(scene->name, name) == 0) return scene;
    return NULL;
}

static void complain_unknown(const char *name, scree_findings *findings) {
    const char *known[SCENES_MAX];
    int count = 0;
    for (; cli_scene_list[count].name && count < SCENES_MAX; count++)
        known[count] = cli_scene_list[count].name;
    const char *near = scree_nearest(name, known, count);
    scree_place at = { name, 0, 0 };
    if (near)
        scree_findings_add(findings, at, "no such file or built-in scene; did you mean \"%s\"?",
                           near);
    else
        scree_findings_add(findings, at,
                           "no such file or built-in scene (scree scenes lists them)");
}

scree_simulation *cli_open_scene(const char *scene, const char *const *overrides, int count,
                                 scree_findings *findings) {
    if (access(scene, F_OK) == 0) return scree_simulation_open(scene, overrides, count, findings);
    const cli_scene *built_in = cli_scene_find(scene);
    if (built_in)
        return scree_simulation_parse(scene, built_in->text, built_in->length, overrides, count,
                                      findings);
    complain_unknown(scene, findings);
    return NULL;
}

void cli_scene_stem(const char *scene, char *buffer, size_t size) {
    const char *slash = strrchr(scene, '/');
    snprintf(buffer, size, "%s", slash ? slash + 1 : scene);
    char *dot = strrchr(buffer, '.');
    if (dot && dot != buffer && (strcmp(dot, ".yaml") == 0 || strcmp(dot, ".yml") == 0))
        *dot = '\0';
}
