// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// sweep.c - the axes of --sweep.

#include "cli/sweep.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// low:high:count up to the next comma; returns what follows, or NULL
static const char *read_range(const char *text, int most, cli_axis *axis) {
    double number[3];
    const char *at = text;
    for (int k = 0; k < 3; k++) {
        char *end;
        number[k] = strtod(at, &end);
        if (end == at || !isfinite(number[k]) || (k < 2 && *end != ':')) return NULL;
        at = k < 2 ? end + 1 : end;
    }
    if (number[2] < 2 || number[2] != floor(number[2]) || (*at && *at != ',')) return NULL;
    axis->low = number[0];
    axis->high = number[1];
    axis->count = number[2] > most ? most + 1 : (int)number[2];
    return *at ? at + 1 : at;
}

bool cli_sweep_read_range(const char *text, int most, cli_axis *axis) {
    const char *rest = read_range(text, most, axis);
    return rest && !*rest;
}

// with its name before it
static const char *read_axis(const char *text, int most, cli_axis *axis) {
    size_t name = strcspn(text, "=");
    if (!text[name] || name == 0 || name >= sizeof axis->name) return NULL;
    snprintf(axis->name, sizeof axis->name, "%.*s", (int)name, text);
    return read_range(text + name + 1, most, axis);
}

int cli_sweep_read(const char *text, int most, cli_axis axis[2]) {
    int axes = 0;
    while (text && *text && axes < 2) text = read_axis(text, most, &axis[axes++]);
    return text && !*text ? axes : 0;
}

// symmetric in the ends, so that middles of round numbers are met exactly
bool cli_sweep_fill(cli_axis *axis) {
    int last = axis->count - 1;
    axis->value = calloc((size_t)axis->count, sizeof *axis->value);
    for (int i = 0; axis->value && i <= last; i++)
        axis->value[i] = (axis->low * (last - i) + axis->high * i) / last;
    return axis->value;
}

bool cli_output_taken(const cli_args *args) {
    const char *output = cli_value(args, "output");
    bool both = cli_flag(args, "json") && output && strcmp(output, "-") == 0;
    if (both) cli_wrong_use(args, "--json and --output - both want standard output");
    return both;
}

bool cli_save(const char *path, void (*write)(const void *what, FILE *stream), const void *what) {
    FILE *stream = strcmp(path, "-") == 0 ? stdout : fopen(path, "w");
    if (!stream) return false;
    write(what, stream);
    bool fine = !ferror(stream);
    if (stream != stdout) fine = fclose(stream) == 0 && fine;
    return fine;
}
