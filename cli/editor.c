// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// editor.c - the line by which editors find the schema of a scene (docs/editors.md).

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/commands.h"

// relative to the folder of the command: where it is installed, and where it is built
static const char *const places[] = { "../share/scree/scree-schema.json", "scree-schema.json" };

void cli_schema_line(char *line, size_t size) {
    char folder[PATH_MAX - 64], path[PATH_MAX], real[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", folder, sizeof folder - 1);
    folder[length > 0 ? length : 0] = '\0';
    char *slash = strrchr(folder, '/');
    const char *found = "scree-schema.json";
    for (size_t i = 0; slash && i < sizeof places / sizeof *places; i++) {
        *slash = '\0';
        snprintf(path, sizeof path, "%s/%s", folder, places[i]);
        if (realpath(path, real)) {
            found = real;
            break;
        }
    }
    snprintf(line, size, "# yaml-language-server: $schema=%s\n", found);
}
