// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// compare.c - scree compare: one scene under several schemes, ledgers side by side.

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/commands.h"
#include "show/figures.h"

typedef struct contest {
    cli_names schemes;
    scree_comparison found;
    char *folder;  // owned
    bool temporary;
} contest;

// run files are kept where --output says, otherwise in a folder that goes away again
static int make_folder(const cli_args *args, contest *c) {
    const char *output = cli_value(args, "output");
    const char *base = getenv("TMPDIR");
    c->temporary = !output;
    c->folder = output ? cli_path("%s", output)
                       : cli_path("%s/scree-XXXXXX", base && *base ? base : "/tmp");
    if (!c->folder) return CLI_SAYS_NO;
    bool fine = output ? mkdir(output, 0777) == 0 || errno == EEXIST : mkdtemp(c->folder) != NULL;
    if (fine) return CLI_DONE;
    fprintf(stderr, "%s: error: cannot be created: %s\n", c->folder, strerror(errno));
    return CLI_SAYS_NO;
}

static int run_all(const cli_args *args, contest *c) {
    char stem[300];
    const scree_study study = cli_study(args);
    scree_findings findings = { 0 };
    scree_error err = { 0 };
    bool json = cli_flag(args, "json");
    cli_scene_stem(study.scene, stem, sizeof stem);
    scree_status status = scree_comparison_find(&study, c->schemes.name, c->schemes.count,
                                                c->folder, stem, &c->found, &findings, &err);
    int code = findings.count ? cli_complain(&findings, json)
               : status       ? cli_fail(&err, json)
                              : CLI_DONE;
    scree_findings_free(&findings);
    return code;
}

// rows of the table, from the totals; one that is zero for every scheme may be left out
static const struct {
    const char *name;
    size_t total;  // where it is
    bool must;
} works[] = {
    { "normal work [J]", offsetof(scree_totals, contact_normal_work), true },
    { "tangential work [J]", offsetof(scree_totals, contact_tangential_work), true },
    { "work of loads [J]", offsetof(scree_totals, external_work), false },
    { "work of obstacles [J]", offsetof(scree_totals, boundary_work), false },
    { "work of damping [J]", offsetof(scree_totals, damping_work), false },
    { "numerical dissipation [J]", offsetof(scree_totals, numerical_dissipation), false },
    { "largest tangential work [J]", offsetof(scree_totals, tangential_work_max), true },
    { "steps creating energy", offsetof(scree_totals, steps_creating_energy), true },
    { "energy created [J]", offsetof(scree_totals, energy_created), true },
    { "ledger residual, largest [J]", offsetof(scree_totals, residual_max), true },
    { "solver residual, largest", offsetof(scree_totals, solver_residual_max), true },
    { "penetration, largest [m]", offsetof(scree_totals, penetration_max), true },
};

static void print_row(scree_units units, const char *name, const double *value, int count,
                      bool must) {
    for (int i = 0; i < count; i++) must |= value[i] != 0;
    if (!must) return;
    printf("  %-28s", scree_units_label(units, name).text);
    for (int i = 0; i < count; i++) printf(" %22.12g", value[i]);
    printf("\n");
}

// without any impulse there is no largest work: 0
static double total_at(const scree_comparison_run *run, size_t offset) {
    const scree_totals *totals = scree_simulation_totals(run->simulation);
    if (offset == offsetof(scree_totals, steps_creating_energy))
        return (double)totals->steps_creating_energy;
    double value = *(const double *)((const char *)totals + offset);
    return value == -HUGE_VAL ? 0 : value;
}

static void print_table(const cli_args *args, const contest *c) {
    const scree_state *state = scree_simulation_state(c->found.run[0].simulation);
    scree_units units = scree_scene_units(scree_simulation_scene(c->found.run[0].simulation));
    printf("%s: %" PRId64 " steps to t = %.9g %s\n\n  %-28s", args->positional[0], state->step,
           state->time, scree_units_name(units, "s").text, "");
    for (int i = 0; i < c->found.runs; i++) printf(" %22s", c->found.run[i].scheme);
    printf("\n");
    int runs = c->found.runs;
    double value[CLI_NAMES], end[CLI_NAMES], wall[CLI_NAMES];
    for (int i = 0; i < runs; i++) {
        value[i] = c->found.run[i].energy_start;
        end[i] = scree_simulation_energy(c->found.run[i].simulation);
        wall[i] = c->found.run[i].wall;
    }
    print_row(units, "energy at the start [J]", value, runs, true);
    print_row(units, "energy at the end [J]", end, runs, true);
    for (size_t k = 0; k < sizeof works / sizeof *works; k++) {
        for (int i = 0; i < runs; i++) value[i] = total_at(&c->found.run[i], works[k].total);
        print_row(units, works[k].name, value, runs, works[k].must);
    }
    print_row((scree_units){ 0 }, "wall time [s]", wall, runs, true);
    printf("\n");
    for (int i = 0; i < c->found.runs; i++) {
        scree_theorem theorem = scree_simulation_theorem(c->found.run[i].simulation);
        printf("  theorem, %s: %s: %s\n", c->found.run[i].scheme, theorem.holds ? "holds" : "no",
               theorem.reason);
    }
}

static void print_json(const contest *c, const char *plot) {
    cli_json json = cli_json_begin(stdout);
    cli_json_object_begin(&json);
    cli_json_array_begin(cli_json_key(&json, "runs"));
    for (int i = 0; i < c->found.runs; i++)
        cli_report_json(c->found.run[i].simulation, c->found.run[i].energy_start,
                        c->found.run[i].wall, c->temporary ? NULL : c->found.run[i].path, SCREE_OK,
                        NULL, &json);
    cli_json_array_end(&json);
    cli_json_text(cli_json_key(&json, "plot"), plot);
    cli_json_object_end(&json);
    cli_json_end(&json);
}

static int draw(const cli_args *args, const contest *c, const char *file) {
    scree_run_reader *reader[CLI_NAMES] = { NULL };
    const char *label[CLI_NAMES];
    const char *what = cli_value(args, "what") ? cli_value(args, "what") : "overview";
    scree_error err = { 0 };
    scree_status status = SCREE_OK;
    for (int i = 0; !status && i < c->found.runs; i++) {
        label[i] = c->found.run[i].scheme;
        status = scree_run_reader_open(c->found.run[i].path, &reader[i], &err);
    }
    if (!status) status = show_draw(reader, label, c->found.runs, what, file, &err);
    for (int i = 0; i < c->found.runs; i++) scree_run_reader_close(reader[i]);
    return status ? cli_fail(&err, cli_flag(args, "json")) : CLI_DONE;
}

static void clear(contest *c) {
    for (int i = 0; i < c->found.runs; i++)
        if (c->temporary && c->found.run[i].path) unlink(c->found.run[i].path);
    if (c->temporary && c->folder) rmdir(c->folder);
    free(c->folder);
    scree_comparison_free(&c->found);
}

int cli_compare(const cli_args *args) {
    contest c = { 0 };
    const char *plot = cli_value(args, "plot"), *schemes = cli_value(args, "schemes");
    int code = cli_split(args, "schemes", schemes ? schemes : "moreau-jean,moreau-jean-fremond",
                         &c.schemes);
    if (!code) code = make_folder(args, &c);
    cli_catch_signals();
    if (!code) code = run_all(args, &c);
    if (!code && plot) code = draw(args, &c, plot);
    if (!code && cli_flag(args, "json"))
        print_json(&c, plot);
    else if (!code) {
        print_table(args, &c);
        if (plot) printf("  figure: %s\n", plot);
    }
    clear(&c);
    return code;
}
