// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// sweep.c - which runs a sweep has: values as axes, runs as lines.
// in: texts of values, "e=0.1:0.9:9".   out: axes, and the overrides of each run.

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scree/scene.h"
#include "scree/study.h"

// ---- ranges ----

const char *scree_range_read(const char *text, int most, scree_range *range) {
    double number[3];
    const char *at = text;
    for (int k = 0; k < 3; k++) {
        char *end;
        number[k] = strtod(at, &end);
        if (end == at || !isfinite(number[k]) || (k < 2 && *end != ':')) return NULL;
        at = k < 2 ? end + 1 : end;
    }
    if (number[2] < 2 || number[2] != floor(number[2]) || (*at && *at != ',')) return NULL;
    int count = number[2] > most ? most + 1 : (int)number[2];
    *range = (scree_range){ number[0], number[1], count };
    return *at ? at + 1 : at;
}

void scree_range_fill(const scree_range *range, double *value) {
    int last = range->count - 1;
    for (int i = 0; i <= last; i++) value[i] = (range->low * (last - i) + range->high * i) / last;
}

// ---- axes ----

// names without a dot are parameters, but for keys of the scene
static void name_axis(const char *name, size_t length, char *path, size_t size) {
    const scree_schema_row *row = scree_schema();
    bool key = memchr(name, '.', length) != NULL;
    for (; !key && row->key; row++)
        key = strlen(row->key) == length && !strncmp(row->key, name, length);
    snprintf(path, size, "%s%.*s", key ? "" : "parameters.", (int)length, name);
}

static scree_status add_word(scree_sweep_axis *axis, const char *text, size_t length,
                             scree_error *err) {
    size_t count = (size_t)axis->count + 1;
    char **word = realloc(axis->word, count * sizeof *word);
    if (word) axis->word = word;
    double *number = realloc(axis->number, count * sizeof *number);
    if (number) axis->number = number;
    char *copy = word && number ? strndup(text, length) : NULL;
    if (!copy) return scree_fail_memory(err, NULL);
    char *end;
    double value = strtod(copy, &end);
    axis->word[axis->count] = copy;
    axis->number[axis->count++] = end != copy && !*end ? value : (double)NAN;
    if (strpbrk(copy, "\t\r\n"))
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                          "%s: a value of a sweep has no tabs and line ends", axis->path);
    return SCREE_OK;
}

static scree_status add_range(scree_sweep_axis *axis, const scree_range *range, scree_error *err) {
    double *value = malloc((size_t)range->count * sizeof *value);
    scree_status status = value ? SCREE_OK : scree_fail_memory(err, NULL);
    if (value) scree_range_fill(range, value);
    for (int i = 0; !status && i < range->count; i++) {
        char text[40];
        snprintf(text, sizeof text, "%.15g", value[i]);
        status = add_word(axis, text, strlen(text), err);
    }
    free(value);
    return status;
}

// values with commas between them; commas within brackets are those of one value
static scree_status add_list(scree_sweep_axis *axis, const char *text, scree_error *err) {
    scree_status status = SCREE_OK;
    while (!status && text) {
        int depth = 0;
        size_t length = 0;
        for (; text[length] && (text[length] != ',' || depth); length++)
            depth += (text[length] == '[' || text[length] == '{') -
                     (text[length] == ']' || text[length] == '}');
        status = add_word(axis, text, length, err);
        text = text[length] ? text + length + 1 : NULL;
    }
    return status;
}

// an axis without values yet, NULL: not one more
static scree_sweep_axis *begin_axis(scree_sweep *sweep, const char *name, size_t length,
                                    scree_error *err) {
    if (sweep->axes == SCREE_SWEEP_AXES) {
        scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE, "at most %d values can be changed",
                   SCREE_SWEEP_AXES);
        return NULL;
    }
    scree_sweep_axis *axis = &sweep->axis[sweep->axes];
    *axis = (scree_sweep_axis){ .count = 0 };
    name_axis(name, length, axis->path, sizeof axis->path);
    for (int a = 0; a < sweep->axes; a++)
        if (strcmp(sweep->axis[a].path, axis->path) == 0) {
            scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE, "%s is given twice", axis->path);
            return NULL;
        }
    sweep->axes++;
    return axis;
}

static scree_status count_runs(scree_sweep *sweep, const scree_sweep_axis *axis, scree_error *err) {
    double runs = (double)sweep->runs * axis->count;
    if (runs > SCREE_SWEEP_RUNS)
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                          "a sweep has at most %d runs, these are %.0f", SCREE_SWEEP_RUNS, runs);
    if (runs < 1)
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE, "%s has no values", axis->path);
    sweep->runs = (int)runs;
    return SCREE_OK;
}

scree_status scree_sweep_add(scree_sweep *sweep, const char *text, scree_error *err) {
    size_t name = strcspn(text, "=");
    scree_range range;
    if (!text[name] || !name || name > 120)
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE, "expected PATH=VALUES, got \"%s\"",
                          text);
    scree_sweep_axis *axis = begin_axis(sweep, text, name, err);
    if (!axis) return SCREE_BAD_INPUT;
    const char *values = text + name + 1;
    const char *rest = scree_range_read(values, SCREE_SWEEP_RUNS, &range);
    scree_status status =
        rest && !*rest ? add_range(axis, &range, err) : add_list(axis, values, err);
    return status ? status : count_runs(sweep, axis, err);
}

scree_status scree_sweep_add_values(scree_sweep *sweep, const char *name, const char *const *value,
                                    int count, scree_error *err) {
    size_t length = strlen(name);
    if (!length || length > 120)
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                          "expected the path of a value of the scene, got \"%s\"", name);
    scree_sweep_axis *axis = begin_axis(sweep, name, length, err);
    scree_status status = axis ? SCREE_OK : SCREE_BAD_INPUT;
    for (int i = 0; !status && i < count; i++)
        status = add_word(axis, value[i], strlen(value[i]), err);
    return status ? status : count_runs(sweep, axis, err);
}

// ---- the whole of it ----

static void digest(uint64_t *sum, const char *text) {
    do *sum = (*sum ^ (unsigned char)*text) * 1099511628211u;
    while (*text++);
}

// FNV-1a of what the scene's file says, of a built-in scene the version; then of the overrides
static void find_state(const scree_study *study, char *state, size_t size) {
    FILE *stream = fopen(study->scene, "r");
    uint64_t sum = 14695981039346656037u;
    int byte;
    while (stream && (byte = fgetc(stream)) != EOF) sum = (sum ^ (uint64_t)byte) * 1099511628211u;
    if (stream) fclose(stream);
    for (int i = 0; i < study->overrides; i++) digest(&sum, study->override[i]);
    if (stream || study->overrides)
        snprintf(state, size, "%016" PRIx64, sum);
    else
        snprintf(state, size, "%s", scree_version());
}

scree_sweep scree_sweep_default(const scree_study *study) {
    scree_sweep sweep = { .runs = 1, .store = true, .jobs = 1, .scene = study->scene };
    find_state(study, sweep.state, sizeof sweep.state);
    return sweep;
}

void scree_sweep_free(scree_sweep *sweep) {
    for (int a = 0; a < sweep->axes; a++) {
        for (int i = 0; i < sweep->axis[a].count; i++) free(sweep->axis[a].word[i]);
        free(sweep->axis[a].word);
        free(sweep->axis[a].number);
    }
    sweep->axes = 0;
    sweep->runs = 1;
}

void scree_sweep_point(const scree_sweep *sweep, int run, int place[SCREE_SWEEP_AXES]) {
    for (int a = sweep->axes - 1; a >= 0; a--) {
        place[a] = run % sweep->axis[a].count;
        run /= sweep->axis[a].count;
    }
}

bool scree_sweep_line(const scree_sweep *sweep, int run, char line[SCREE_SWEEP_LINE]) {
    int place[SCREE_SWEEP_AXES];
    scree_sweep_point(sweep, run, place);
    int used = snprintf(line, SCREE_SWEEP_LINE, "%d", run + 1);
    for (int a = 0; a < sweep->axes && used < SCREE_SWEEP_LINE; a++)
        used += snprintf(line + used, (size_t)(SCREE_SWEEP_LINE - used), "\t%s=%s",
                         sweep->axis[a].path, sweep->axis[a].word[place[a]]);
    return used < SCREE_SWEEP_LINE;
}
