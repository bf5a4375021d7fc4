// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// built_in.h - scenes that need no file, and what a name of a scene means.

#ifndef SCREE_CLI_BUILT_IN_H
#define SCREE_CLI_BUILT_IN_H

#include "scree/simulation.h"

/// A scene that is built into the command; the row after the last one has no name.
typedef struct cli_scene {
    const char *name;
    const char *text;
    size_t length;
} cli_scene;

/// Files that built-in scenes name; the row after the last one has no name.
extern const scree_embedded_file cli_file_list[];
extern const cli_scene cli_scene_list[];  // made from scenes/*.yaml when building
const cli_scene *cli_scene_find(const char *name);
const char *cli_scene_nearest(const char *name);

/// What the scene shows: the first line of its comment.
void cli_scene_about(const cli_scene *scene, char *buffer, size_t size);

/// Open a file, or a built-in scene of that name, with overrides. Complaints go to findings.
scree_simulation *cli_open_named(const char *scene, const char *const *overrides, int count,
                                 scree_findings *findings);

#endif
