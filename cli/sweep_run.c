// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// sweep_run.c - one run of a sweep: from its line to its run file and its summary, a small text
// file of lines key=value that appears whole or not at all.

#include <errno.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/sweep_plan.h"

enum {
    STEPS,
    TIME,
    ENERGY_START,
    ENERGY,
    EXTERNAL,
    CONTACT,
    DISSIPATION,
    CREATED,
    RESIDUAL,
    DEPTH,
    DEPTH_RELATIVE,
    CONTACTS,
    UNCONVERGED,
    WALL
};

const char *const cli_sweep_number_name[CLI_SWEEP_NUMBERS] = {
    "steps",         "time",         "energy_start",         "energy",
    "external_work", "contact_work", "dissipation",          "energy_created",
    "residual",      "penetration",  "penetration_relative", "contacts",
    "unconverged",   "wall_seconds",
};

const char *const cli_sweep_number_label[CLI_SWEEP_NUMBERS] = {
    "steps",
    "time [s]",
    "energy at the start [J]",
    "energy at the end [J]",
    "work of loads [J]",
    "work of contacts [J]",
    "numerical dissipation [J]",
    "energy created [J]",
    "ledger residual over its bound",
    "largest penetration [m]",
    "largest penetration over the size",
    "contacts in a step, mean",
    "unconverged steps",
    "wall time [s]",
};

static void path_of(const cli_sweep_plan *plan, const char *line, const char *ending, char *path,
                    size_t size) {
    snprintf(path, size, "%s/%05d%s", plan->folder, atoi(line), ending);
}

static bool write_summary(const cli_sweep_plan *plan, const cli_sweep_summary *summary) {
    char path[700], fresh[720];
    path_of(plan, summary->line, ".txt", path, sizeof path);
    snprintf(fresh, sizeof fresh, "%s.new", path);
    if (mkdir(plan->folder, 0777) && errno != EEXIST) return false;
    FILE *stream = fopen(fresh, "w");
    if (!stream) return false;
    fprintf(stream, "line=%s\nscene=%s\nstate=%s\nstatus=%s\nverdict=%s\nmessage=%s\n",
            summary->line, plan->scene, plan->state, summary->status, summary->verdict,
            summary->message);
    for (int k = 0; k < CLI_SWEEP_NUMBERS; k++)
        fprintf(stream, "%s=%.17g\n", cli_sweep_number_name[k], summary->value[k]);
    bool fine = !ferror(stream);
    return fclose(stream) == 0 && fine && rename(fresh, path) == 0;
}

static void begin_summary(const char *line, cli_sweep_summary *summary) {
    *summary = (cli_sweep_summary){ 0 };
    snprintf(summary->line, sizeof summary->line, "%s", line);
    for (int k = 0; k < CLI_SWEEP_NUMBERS; k++) summary->value[k] = NAN;
}

// one line of it
static void say(cli_sweep_summary *summary, const char *status, const char *message) {
    snprintf(summary->status, sizeof summary->status, "%s", status);
    snprintf(summary->message, sizeof summary->message, "%s", message ? message : "");
    for (char *c = summary->message; *c; c++)
        if (*c == '\n') *c = ' ';
}

bool cli_sweep_run_mark(const cli_sweep_plan *plan, const char *line, const char *message) {
    cli_sweep_summary summary;
    begin_summary(line, &summary);
    say(&summary, "crashed", message);
    return write_summary(plan, &summary);
}

static void fill(const scree_simulation *simulation, double energy_start, double wall,
                 cli_sweep_summary *summary) {
    const scree_totals *totals = scree_simulation_totals(simulation);
    const scree_state *state = scree_simulation_state(simulation);
    double *value = summary->value;
    value[STEPS] = (double)state->step;
    value[TIME] = state->time;
    value[ENERGY_START] = energy_start;
    value[ENERGY] = scree_simulation_energy(simulation);
    value[EXTERNAL] = totals->external_work;
    value[CONTACT] = totals->contact_normal_work + totals->contact_tangential_work;
    value[DISSIPATION] = totals->numerical_dissipation;
    value[CREATED] = totals->energy_created;
    value[RESIDUAL] = totals->residual_over_bound_max;
    value[DEPTH] = totals->penetration_max;
    value[DEPTH_RELATIVE] = totals->penetration_relative_max;
    value[CONTACTS] = state->step ? (double)totals->contacts_solved / (double)state->step : 0;
    value[UNCONVERGED] = (double)totals->unconverged;
    value[WALL] = wall;
    snprintf(summary->verdict, sizeof summary->verdict, "%s",
             scree_run_verdict_name(scree_simulation_verdict(simulation)));
}

// the overrides of a line, cut apart in place; how many
static int split(char *line, const char *override[CLI_SWEEP_AXES]) {
    int count = 0;
    char *at = strchr(line, '\t');
    while (at && count < CLI_SWEEP_AXES) {
        *at++ = '\0';
        override[count++] = at;
        at = strchr(at, '\t');
    }
    return count;
}

static int stop_asked(void *data, const scree_simulation *simulation) {
    (void)data, (void)simulation;
    return cli_stop_asked();
}

int cli_sweep_run_line(const cli_sweep_plan *plan, const char *line) {
    const char *override[CLI_SWEEP_AXES];
    char words[CLI_SWEEP_LINE], path[700];
    cli_sweep_summary summary;
    scree_findings findings = { 0 };
    scree_error err = { 0 };
    double wall = 0;
    begin_summary(line, &summary);
    snprintf(words, sizeof words, "%s", line);
    path_of(plan, line, ".h5", path, sizeof path);
    mkdir(plan->folder, 0777);  // what is wrong with it is told where a file is written
    int count = split(words, override);
    scree_simulation *simulation = cli_open_scene(plan->scene, override, count, &findings);
    scree_status status = SCREE_BAD_INPUT;
    if (simulation) {
        double energy_start = scree_simulation_energy(simulation);
        scree_simulation_interrupt(simulation, cli_stop_flag());
        const scree_run_request request = { .path = plan->stores ? path : NULL,
                                            .on_step = stop_asked };
        status = scree_run(simulation, &request, &wall, &err);
        fill(simulation, energy_start, wall, &summary);
    } else {
        char text[800] = "out of memory";
        if (findings.count) scree_error_format(&findings.item[0], text, sizeof text);
        snprintf(err.text, sizeof err.text, "%s", text);
    }
    say(&summary, cli_status_name(status), status ? err.text : NULL);
    scree_simulation_free(simulation);
    scree_findings_free(&findings);
    if (status == SCREE_INTERRUPTED) return CLI_SAYS_NO;
    if (write_summary(plan, &summary)) return CLI_DONE;
    fprintf(stderr, "%s: error: the summary of run %d cannot be written: %s\n", plan->folder,
            atoi(line), strerror(errno));
    return CLI_WRONG_USE;
}

static bool take(const char *row, const char *key, char *to, size_t size) {
    size_t length = strlen(key);
    if (strncmp(row, key, length) != 0 || row[length] != '=') return false;
    snprintf(to, size, "%s", row + length + 1);
    return true;
}

bool cli_sweep_run_read(const cli_sweep_plan *plan, const char *line, cli_sweep_summary *summary) {
    char path[700], row[CLI_SWEEP_LINE + 16], scene[600] = "", state[64] = "", number[64];
    begin_summary("", summary);
    path_of(plan, line, ".txt", path, sizeof path);
    FILE *stream = fopen(path, "r");
    if (!stream) return false;
    while (fgets(row, sizeof row, stream)) {
        row[strcspn(row, "\n")] = '\0';
        take(row, "line", summary->line, sizeof summary->line);
        take(row, "scene", scene, sizeof scene);
        take(row, "state", state, sizeof state);
        take(row, "status", summary->status, sizeof summary->status);
        take(row, "verdict", summary->verdict, sizeof summary->verdict);
        take(row, "message", summary->message, sizeof summary->message);
        for (int k = 0; k < CLI_SWEEP_NUMBERS; k++)
            if (take(row, cli_sweep_number_name[k], number, sizeof number))
                summary->value[k] = strtod(number, NULL);
    }
    fclose(stream);
    return strcmp(summary->line, line) == 0 && strcmp(scene, plan->scene) == 0 &&
           strcmp(state, plan->state) == 0;
}
