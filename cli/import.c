// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// import.c - scree import: a file of another program as a scene, and what did not come along.

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/commands.h"

// --gravity X,Y or X,Y,Z; false: the complaint is written
static bool read_gravity(const cli_args *args, double gravity[3]) {
    const char *text = cli_value(args, "gravity");
    int count = 0;
    for (char *end; text && count < 3; text = *end ? end + 1 : NULL) {
        gravity[count++] = strtod(text, &end);
        if (end == text || (*end && *end != ',') || !isfinite(gravity[count - 1])) {
            count = -1;
            break;
        }
    }
    if (!cli_value(args, "gravity") || (count >= 2 && !text)) {
        if (count == 2) gravity[2] = 0;
        return true;
    }
    cli_wrong_use(args, "--gravity: expected two or three numbers with commas between them");
    return false;
}

static bool read_options(const cli_args *args, scree_import_options *o) {
    const double most = DBL_MAX;
    o->format = cli_value(args, "format");
    o->fixed = cli_value(args, "fixed");
    o->scree_defaults = cli_flag(args, "own-scheme");
    return read_gravity(args, o->gravity) &&
           cli_number(args, "step", CLI_POSITIVE, most, &o->step) &&
           cli_number(args, "duration", CLI_POSITIVE, most, &o->duration) &&
           cli_number(args, "density", CLI_POSITIVE, most, &o->density) &&
           cli_number(args, "friction", 0, most, &o->friction) &&
           cli_number(args, "restitution", 0, 1, &o->restitution) &&
           cli_number(args, "scale", CLI_POSITIVE, most, &o->scale);
}

static void print_made(const scree_imported *made, const char *path, bool as_json) {
    if (!as_json) {
        printf("%s: %d bod%s, %d joint%s\n", path, made->bodies, made->bodies == 1 ? "y" : "ies",
               made->joints, made->joints == 1 ? "" : "s");
        return;
    }
    cli_json json = cli_json_begin(stdout);
    cli_json_object_begin(&json);
    cli_json_text(cli_json_key(&json, "file"), path);
    cli_json_integer(cli_json_key(&json, "bodies"), made->bodies);
    cli_json_integer(cli_json_key(&json, "joints"), made->joints);
    cli_json_array_begin(cli_json_key(&json, "notes"));
    for (int i = 0; i < made->notes; i++) cli_json_text(&json, made->note[i]);
    cli_json_array_end(&json);
    cli_json_object_end(&json);
    cli_json_end(&json);
}

// the scene is there in any case; whether it can be run is said at once
static int check_made(const char *path, bool json) {
    scree_findings findings = { 0 };
    scree_simulation *simulation = cli_open_scene(path, NULL, 0, &findings);
    int status = simulation ? CLI_DONE : cli_complain(&findings, json);
    scree_simulation_free(simulation);
    scree_findings_free(&findings);
    return status;
}

int cli_import(const cli_args *args) {
    scree_import_options options = scree_import_options_default();
    scree_imported made;
    scree_error err = { 0 };
    bool json = cli_flag(args, "json");
    if (!read_options(args, &options)) return CLI_WRONG_USE;
    char stem[500];
    cli_scene_stem(args->positional[0], stem, sizeof stem);
    const char *output = cli_value(args, "output");
    char *path = output ? cli_path("%s", output) : cli_path("%s.yaml", stem);
    if (!path) return CLI_SAYS_NO;
    int status = CLI_DONE;
    if (scree_import(args->positional[0], &options, &made, &err) ||
        cli_write_scene(path, made.scene, made.length, cli_flag(args, "force"), &err))
        status = cli_fail(&err, json);
    for (int i = 0; !status && !json && i < made.notes; i++)
        fprintf(stderr, "note: %s\n", made.note[i]);
    if (!status) status = check_made(path, json);
    if (!status) print_made(&made, path, json);
    scree_imported_free(&made);
    free(path);
    return status;
}
