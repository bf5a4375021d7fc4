// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// sweep.c - the axes of --sweep.

#include "cli/sweep.h"

#include <stdlib.h>
#include <string.h>

// with its name before it
static const char *read_axis(const char *text, int most, cli_axis *axis) {
    size_t name = strcspn(text, "=");
    if (!text[name] || name == 0 || name >= sizeof axis->name) return NULL;
    snprintf(axis->name, sizeof axis->name, "%.*s", (int)name, text);
    scree_range range = { 0 };
    const char *rest = scree_range_read(text + name + 1, most, &range);
    axis->low = range.low;
    axis->high = range.high;
    axis->count = range.count;
    return rest;
}

int cli_sweep_read(const char *text, int most, cli_axis axis[2]) {
    int axes = 0;
    while (text && *text && axes < 2) text = read_axis(text, most, &axis[axes++]);
    return text && !*text ? axes : 0;
}

bool cli_sweep_fill(cli_axis *axis) {
    const scree_range range = { axis->low, axis->high, axis->count };
    axis->value = calloc((size_t)axis->count, sizeof *axis->value);
    if (axis->value) scree_range_fill(&range, axis->value);
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
