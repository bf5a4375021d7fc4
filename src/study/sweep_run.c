// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// sweep_run.c - one run of a sweep: from its line to its run file and its summary, a small text
// file of lines key=value that appears whole or not at all.
// in: a line, "3 <tab> parameters.e=0.5".   out: NNNNN.h5 and NNNNN.txt in the sweep's folder.

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "scree/run.h"
#include "study/study.h"

static const char *const number_name[SCREE_SWEEP_NUMBERS] = {
    [SCREE_SWEEP_STEPS] = "steps",
    [SCREE_SWEEP_TIME] = "time",
    [SCREE_SWEEP_ENERGY_START] = "energy_start",
    [SCREE_SWEEP_ENERGY] = "energy",
    [SCREE_SWEEP_EXTERNAL_WORK] = "external_work",
    [SCREE_SWEEP_CONTACT_WORK] = "contact_work",
    [SCREE_SWEEP_DISSIPATION] = "dissipation",
    [SCREE_SWEEP_ENERGY_CREATED] = "energy_created",
    [SCREE_SWEEP_RESIDUAL] = "residual",
    [SCREE_SWEEP_PENETRATION] = "penetration",
    [SCREE_SWEEP_PENETRATION_RELATIVE] = "penetration_relative",
    [SCREE_SWEEP_CONTACTS] = "contacts",
    [SCREE_SWEEP_UNCONVERGED] = "unconverged",
    [SCREE_SWEEP_WALL_SECONDS] = "wall_seconds",
};

const char *scree_sweep_number_name(scree_sweep_number number) {
    return (unsigned)number < SCREE_SWEEP_NUMBERS ? number_name[number] : "";
}

// to be freed; NULL without memory, or where nothing is kept
static char *path_of(const scree_sweep *sweep, const char *line, const char *ending) {
    if (!sweep->folder) return NULL;
    size_t size = strlen(sweep->folder) + strlen(ending) + 16;
    char *path = malloc(size);
    if (path) snprintf(path, size, "%s/%05d%s", sweep->folder, atoi(line), ending);
    return path;
}

static scree_status write_summary(const scree_sweep *sweep, const scree_sweep_summary *summary,
                                  scree_error *err) {
    if (!sweep->folder) return SCREE_OK;
    char *path = path_of(sweep, summary->line, ".txt");
    char *fresh = path_of(sweep, summary->line, ".txt.new");
    bool made = mkdir(sweep->folder, 0777) == 0 || errno == EEXIST;
    FILE *stream = path && fresh && made ? fopen(fresh, "w") : NULL;
    bool fine = stream;
    if (stream) {
        fprintf(stream, "line=%s\nscene=%s\nstate=%s\nstatus=%s\nverdict=%s\nmessage=%s\n",
                summary->line, sweep->scene, sweep->state, summary->status, summary->verdict,
                summary->message);
        for (int k = 0; k < SCREE_SWEEP_NUMBERS; k++)
            fprintf(stream, "%s=%.17g\n", number_name[k], summary->value[k]);
        fine = !ferror(stream);
        fine = fclose(stream) == 0 && fine && rename(fresh, path) == 0;
    }
    scree_status status =
        fine              ? SCREE_OK
        : !path || !fresh ? scree_fail_memory(err, NULL)
                          : scree_fail(err, SCREE_FILE_ERROR, (scree_source_location){ path, 0, 0 },
                                       "the summary of run %d cannot be written: %s",
                                       atoi(summary->line), strerror(errno));
    free(path);
    free(fresh);
    return status;
}

static void begin_summary(const char *line, scree_sweep_summary *summary) {
    *summary = (scree_sweep_summary){ 0 };
    snprintf(summary->line, sizeof summary->line, "%s", line);
    for (int k = 0; k < SCREE_SWEEP_NUMBERS; k++) summary->value[k] = NAN;
}

// one line of it
static void say(scree_sweep_summary *summary, const char *status, const char *message) {
    snprintf(summary->status, sizeof summary->status, "%s", status);
    snprintf(summary->message, sizeof summary->message, "%s", message);
    for (char *c = summary->message; *c; c++)
        if (*c == '\n') *c = ' ';
}

scree_status scree_sweep_mark(const scree_sweep *sweep, const char *line, const char *message,
                              scree_error *err) {
    scree_sweep_summary summary;
    begin_summary(line, &summary);
    say(&summary, "crashed", message);
    return write_summary(sweep, &summary, err);
}

static void fill(const scree_simulation *simulation, double energy_start, double wall,
                 scree_sweep_summary *summary) {
    const scree_totals *totals = scree_simulation_totals(simulation);
    const scree_state *state = scree_simulation_state(simulation);
    double *value = summary->value;
    value[SCREE_SWEEP_STEPS] = (double)state->step;
    value[SCREE_SWEEP_TIME] = state->time;
    value[SCREE_SWEEP_ENERGY_START] = energy_start;
    value[SCREE_SWEEP_ENERGY] = scree_simulation_energy(simulation);
    value[SCREE_SWEEP_EXTERNAL_WORK] = totals->external_work;
    value[SCREE_SWEEP_CONTACT_WORK] = totals->contact_normal_work + totals->contact_tangential_work;
    value[SCREE_SWEEP_DISSIPATION] = totals->numerical_dissipation;
    value[SCREE_SWEEP_ENERGY_CREATED] = totals->energy_created;
    value[SCREE_SWEEP_RESIDUAL] = totals->residual_over_bound_max;
    value[SCREE_SWEEP_PENETRATION] = totals->penetration_max;
    value[SCREE_SWEEP_PENETRATION_RELATIVE] = totals->penetration_relative_max;
    value[SCREE_SWEEP_CONTACTS] =
        state->step ? (double)totals->contacts_solved / (double)state->step : 0;
    value[SCREE_SWEEP_UNCONVERGED] = (double)totals->unconverged;
    value[SCREE_SWEEP_WALL_SECONDS] = wall;
    snprintf(summary->verdict, sizeof summary->verdict, "%s",
             scree_run_verdict_name(scree_simulation_verdict(simulation)));
}

// the overrides of a line, cut apart in place; how many
static int split(char *line, const char *override[SCREE_SWEEP_AXES]) {
    int count = 0;
    char *at = strchr(line, '\t');
    while (at && count < SCREE_SWEEP_AXES) {
        *at++ = '\0';
        override[count++] = at;
        at = strchr(at, '\t');
    }
    return count;
}

static int stop_asked(void *data, const scree_simulation *simulation) {
    const scree_sweep *sweep = data;
    (void)simulation;
    return sweep->interrupt && *sweep->interrupt;
}

static scree_status run_simulation(const scree_sweep *sweep, scree_simulation *simulation,
                                   scree_sweep_summary *summary, scree_error *err) {
    double wall = 0, energy_start = scree_simulation_energy(simulation);
    const bool store = sweep->store && sweep->folder;
    char *path = store ? path_of(sweep, summary->line, ".h5") : NULL;
    if (store && !path) return scree_fail_memory(err, NULL);
    if (store) mkdir(sweep->folder, 0777);  // what is wrong with it is told by the writer
    scree_simulation_interrupt(simulation, sweep->interrupt);
    const scree_run_request request = { .path = path,
                                        .on_step = stop_asked,
                                        .data = (void *)sweep };
    scree_status status = scree_run(simulation, &request, &wall, err);
    free(path);
    fill(simulation, energy_start, wall, summary);
    return status;
}

scree_status scree_sweep_run(const scree_study *study, const scree_sweep *sweep, const char *line,
                             scree_sweep_summary *summary, scree_error *err) {
    const char *override[SCREE_SWEEP_AXES];
    char words[SCREE_SWEEP_LINE], text[800] = "out of memory";
    scree_findings findings = { 0 };
    scree_error reason = { 0 };
    scree_status status = SCREE_BAD_INPUT;
    begin_summary(line, summary);
    snprintf(words, sizeof words, "%s", line);
    int count = split(words, override);
    scree_simulation *simulation = scree_study_open(study, override, count, &findings);
    if (simulation) {
        status = run_simulation(sweep, simulation, summary, &reason);
        snprintf(text, sizeof text, "%s", status ? reason.text : "");
    } else if (findings.count) {
        scree_error_format(&findings.item[0], text, sizeof text);
    }
    say(summary, scree_run_status_name(status), text);
    scree_simulation_free(simulation);
    scree_findings_free(&findings);
    if (status != SCREE_INTERRUPTED) return write_summary(sweep, summary, err);
    summary->status[0] = '\0';
    return scree_fail(err, SCREE_INTERRUPTED, SCREE_NOWHERE, "run %d: %s", atoi(line), reason.text);
}

static bool take(const char *row, const char *key, char *to, size_t size) {
    size_t length = strlen(key);
    if (strncmp(row, key, length) != 0 || row[length] != '=') return false;
    snprintf(to, size, "%s", row + length + 1);
    return true;
}

bool scree_sweep_read(const scree_sweep *sweep, const char *line, scree_sweep_summary *summary) {
    char state[64] = "", number[64], *row = NULL;
    bool same = false;
    size_t room = 0;
    begin_summary("", summary);
    char *path = path_of(sweep, line, ".txt");
    FILE *stream = path ? fopen(path, "r") : NULL;
    free(path);
    if (!stream) return false;
    while (getline(&row, &room, stream) > 0) {
        row[strcspn(row, "\n")] = '\0';
        if (strncmp(row, "scene=", 6) == 0) same = strcmp(row + 6, sweep->scene) == 0;
        take(row, "line", summary->line, sizeof summary->line);
        take(row, "state", state, sizeof state);
        take(row, "status", summary->status, sizeof summary->status);
        take(row, "verdict", summary->verdict, sizeof summary->verdict);
        take(row, "message", summary->message, sizeof summary->message);
        for (int k = 0; k < SCREE_SWEEP_NUMBERS; k++)
            if (take(row, number_name[k], number, sizeof number))
                summary->value[k] = strtod(number, NULL);
    }
    free(row);
    fclose(stream);
    if (strcmp(summary->line, line) == 0 && same && strcmp(state, sweep->state) == 0) return true;
    begin_summary(line, summary);
    return false;
}
