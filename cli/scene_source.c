// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// scene_source.c - where a scene comes from: a file, standard input, or one of those built in.

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/commands.h"

// the text on standard input, read when it is first asked for: studies open their scene often
static const char *standard_input(size_t *length) {
    static char *text;
    static size_t size;
    for (size_t room = 0; !feof(stdin) && !ferror(stdin);) {
        if (size + 1 >= room) {
            room = 2 * room + 65536;
            char *grown = realloc(text, room);
            if (!grown) return NULL;
            text = grown;
        }
        size += fread(text + size, 1, room - size - 1, stdin);
    }
    if (!text || ferror(stdin)) return NULL;
    text[size] = '\0';
    *length = size;
    return text;
}

static scree_simulation *open_standard_input(const char *const *overrides, int count,
                                             scree_findings *findings) {
    size_t length;
    const char *text = standard_input(&length);
    if (text)
        return scree_simulation_parse(CLI_STANDARD_INPUT, text, length, overrides, count, findings);
    scree_findings_add(findings, (scree_source_location){ CLI_STANDARD_INPUT, 0, 0 },
                       "cannot be read");
    return NULL;
}

scree_simulation *cli_open_scene(const char *scene, const char *const *overrides, int count,
                                 scree_findings *findings) {
    if (strcmp(scene, "-") == 0) return open_standard_input(overrides, count, findings);
    return cli_open_named(scene, overrides, count, findings);
}

int cli_split(const cli_args *args, const char *option, const char *given, cli_names *names) {
    for (names->count = 0; *given; names->count++) {
        size_t length = strcspn(given, ",");
        if (names->count == CLI_NAMES || length == 0 || length >= sizeof names->text[0])
            return cli_wrong_use(args, "--%s wants 1 to %d names with commas between them", option,
                                 CLI_NAMES);
        char *text = names->text[names->count];
        snprintf(text, sizeof names->text[0], "%.*s", (int)length, given);
        names->name[names->count] = text;
        given += length + (given[length] == ',');
    }
    return names->count ? CLI_DONE : cli_wrong_use(args, "--%s is empty", option);
}

static bool stop_asked(void *data, const char *what, int64_t done, int64_t total) {
    (void)data, (void)what, (void)done, (void)total;
    return cli_stop_asked();
}

scree_study cli_study(const cli_args *args) {
    scree_study study = { cli_open_scene, args->positional[0], .on_progress = stop_asked };
    study.override = cli_values(args, "set", &study.overrides);
    return study;
}

char *cli_path(const char *format, ...) {
    va_list values, again;
    va_start(values, format);
    va_copy(again, values);
    size_t size = (size_t)vsnprintf(NULL, 0, format, values) + 1;
    char *path = malloc(size);
    if (path) vsnprintf(path, size, format, again);
    va_end(again);
    va_end(values);
    if (!path) fprintf(stderr, "error: out of memory\n");
    return path;
}

void cli_scene_stem(const char *scene, char *buffer, size_t size) {
    const char *slash = strrchr(scene, '/');
    if (strcmp(scene, "-") == 0) scene = CLI_STANDARD_INPUT;
    snprintf(buffer, size, "%s", slash ? slash + 1 : scene);
    char *dot = strrchr(buffer, '.');
    static const char *const endings[] = { ".yaml", ".yml", ".h5" };
    for (int i = 0; dot && dot != buffer && i < 3; i++)
        if (strcmp(dot, endings[i]) == 0) *dot = '\0';
}
