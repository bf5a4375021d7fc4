// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// sweep_plan.c - the --set of a sweep as axes, and its runs as lines.

#include "cli/sweep_plan.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/sweep.h"

static bool no_memory(void) {
    fprintf(stderr, "error: out of memory\n");
    return false;
}

// names without a dot are parameters, but for keys of the scene
static void name_axis(const char *text, size_t length, char *path, size_t size) {
    const scree_schema_row *row = scree_schema();
    bool key = memchr(text, '.', length) != NULL;
    for (; !key && row->key; row++)
        key = strlen(row->key) == length && !strncmp(row->key, text, length);
    snprintf(path, size, "%s%.*s", key ? "" : "parameters.", (int)length, text);
}

static bool add_word(cli_sweep_axis *axis, const char *text, size_t length) {
    size_t count = (size_t)axis->count + 1;
    char **word = realloc(axis->word, count * sizeof *word);
    if (word) axis->word = word;
    double *number = realloc(axis->number, count * sizeof *number);
    if (number) axis->number = number;
    char *copy = word && number ? strndup(text, length) : NULL;
    if (!copy) return no_memory();
    char *end;
    double value = strtod(copy, &end);
    axis->word[axis->count] = copy;
    axis->number[axis->count++] = end != copy && !*end ? value : (double)NAN;
    return true;
}

static bool add_range(cli_sweep_axis *axis, cli_axis *range) {
    bool fine = cli_sweep_fill(range) || no_memory();
    for (int i = 0; fine && i < range->count; i++) {
        char text[40];
        snprintf(text, sizeof text, "%.15g", range->value[i]);
        fine = add_word(axis, text, strlen(text));
    }
    free(range->value);
    return fine;
}

// values with commas between them; commas within brackets are those of one value
static bool add_list(cli_sweep_axis *axis, const char *text) {
    bool fine = true;
    while (fine && text) {
        int depth = 0;
        size_t length = 0;
        for (; text[length] && (text[length] != ',' || depth); length++)
            depth += (text[length] == '[' || text[length] == '{') -
                     (text[length] == ']' || text[length] == '}');
        fine = add_word(axis, text, length);
        text = text[length] ? text + length + 1 : NULL;
    }
    return fine;
}

static bool read_set(const cli_args *args, const char *text, cli_sweep_plan *plan) {
    size_t name = strcspn(text, "=");
    cli_axis range[2] = { { .count = 0 } };
    if (!text[name] || !name || name > 120) {
        cli_wrong_use(args, "--set: expected PATH=VALUES, got \"%s\"", text);
        return false;
    }
    if (plan->axes == CLI_SWEEP_AXES) {
        cli_wrong_use(args, "--set: at most %d values can be changed", CLI_SWEEP_AXES);
        return false;
    }
    cli_sweep_axis *axis = &plan->axis[plan->axes++];
    name_axis(text, name, axis->path, sizeof axis->path);
    for (int a = 0; a + 1 < plan->axes; a++)
        if (strcmp(plan->axis[a].path, axis->path) == 0) {
            cli_wrong_use(args, "--set: %s is given twice", axis->path);
            return false;
        }
    bool fine = cli_sweep_read_range(text + name + 1, CLI_SWEEP_RUNS, &range[0])
                    ? add_range(axis, &range[0])
                    : add_list(axis, text + name + 1);
    double runs = (double)plan->runs * axis->count;
    if (fine && runs > CLI_SWEEP_RUNS) {
        cli_wrong_use(args, "a sweep has at most %d runs, these are %.0f", CLI_SWEEP_RUNS, runs);
        return false;
    }
    plan->runs = (int)runs;
    return fine;
}

// a digest (FNV-1a) of what the scene's file says; of a built-in scene the version
static void find_state(cli_sweep_plan *plan) {
    FILE *stream = fopen(plan->scene, "r");
    uint64_t sum = 14695981039346656037u;
    int byte;
    snprintf(plan->state, sizeof plan->state, "%s", scree_version());
    if (!stream) return;
    while ((byte = fgetc(stream)) != EOF) sum = (sum ^ (uint64_t)byte) * 1099511628211u;
    fclose(stream);
    snprintf(plan->state, sizeof plan->state, "%016" PRIx64, sum);
}

bool cli_sweep_plan_read(const cli_args *args, cli_sweep_plan *plan) {
    int count;
    const char *const *set = cli_values(args, "set", &count);
    const char *output = cli_value(args, "output");
    *plan = (cli_sweep_plan){ .scene = args->positional[0], .runs = 1 };
    plan->stores = !cli_flag(args, "no-store");
    if (strcmp(plan->scene, "-") == 0) {
        cli_wrong_use(args, "a sweep reads its scene again and again: give it a file");
        return false;
    }
    char stem[300];
    cli_scene_stem(plan->scene, stem, sizeof stem);
    if (output)
        snprintf(plan->folder, sizeof plan->folder, "%.*s.runs",
                 (int)(strrchr(output, '.') && !strchr(strrchr(output, '.'), '/')
                           ? (size_t)(strrchr(output, '.') - output)
                           : strlen(output)),
                 output);
    else
        snprintf(plan->folder, sizeof plan->folder, "%s-sweep.runs", stem);
    find_state(plan);
    bool fine = true;
    for (int i = 0; fine && i < count; i++) fine = read_set(args, set[i], plan);
    return fine;
}

void cli_sweep_plan_free(cli_sweep_plan *plan) {
    for (int a = 0; a < plan->axes; a++) {
        for (int i = 0; i < plan->axis[a].count; i++) free(plan->axis[a].word[i]);
        free(plan->axis[a].word);
        free(plan->axis[a].number);
    }
}

void cli_sweep_plan_point(const cli_sweep_plan *plan, int run, int place[CLI_SWEEP_AXES]) {
    for (int a = plan->axes - 1; a >= 0; a--) {
        place[a] = run % plan->axis[a].count;
        run /= plan->axis[a].count;
    }
}

bool cli_sweep_plan_line(const cli_sweep_plan *plan, int run, char line[CLI_SWEEP_LINE]) {
    int place[CLI_SWEEP_AXES];
    cli_sweep_plan_point(plan, run, place);
    int used = snprintf(line, CLI_SWEEP_LINE, "%d", run + 1);
    for (int a = 0; a < plan->axes && used < CLI_SWEEP_LINE; a++)
        used += snprintf(line + used, (size_t)(CLI_SWEEP_LINE - used), "\t%s=%s",
                         plan->axis[a].path, plan->axis[a].word[place[a]]);
    return used < CLI_SWEEP_LINE;
}
