// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// compare.c - scree compare: one scene under several schemes, ledgers side by side.

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/commands.h"
#include "show/figures.h"

enum { SCHEMES_MAX = 8, OVERRIDES_MAX = 256 };

typedef struct contender {
    char scheme[80];
    char path[800];
    scree_simulation *simulation;
    double energy_start, wall;
} contender;

typedef struct contest {
    contender one[SCHEMES_MAX];
    int count;
    char folder[600];
    bool temporary;
} contest;

static int split_schemes(const cli_args *args, contest *c) {
    const char *given = cli_value(args, "schemes");
    if (!given) given = "moreau-jean,moreau-jean-fremond";
    while (*given) {
        size_t length = strcspn(given, ",");
        if (c->count == SCHEMES_MAX || length == 0 || length >= sizeof c->one[0].scheme)
            return cli_wrong_use(args, "--schemes wants 1 to %d names with commas between them",
                                 SCHEMES_MAX);
        snprintf(c->one[c->count++].scheme, sizeof c->one[0].scheme, "%.*s", (int)length, given);
        given += length + (given[length] == ',');
    }
    return c->count ? CLI_DONE : cli_wrong_use(args, "--schemes is empty");
}

// run files are kept where --output says, otherwise in a folder that goes away again
static int make_folder(const cli_args *args, contest *c) {
    const char *output = cli_value(args, "output");
    const char *base = getenv("TMPDIR");
    c->temporary = !output;
    if (output)
        snprintf(c->folder, sizeof c->folder, "%s", output);
    else
        snprintf(c->folder, sizeof c->folder, "%s/scree-XXXXXX", base && *base ? base : "/tmp");
    bool fine = output ? mkdir(output, 0777) == 0 || errno == EEXIST : mkdtemp(c->folder) != NULL;
    if (fine) return CLI_DONE;
    fprintf(stderr, "%s: error: cannot be created: %s\n", c->folder, strerror(errno));
    return CLI_SAYS_NO;
}

static int stop_asked(void *data, const scree_simulation *simulation) {
    (void)data;
    (void)simulation;
    return cli_stop_asked();
}

static int run_one(const cli_args *args, contest *c, contender *one) {
    int count;
    const char *const *given = cli_values(args, "set", &count);
    const char *overrides[OVERRIDES_MAX + 1];
    char scheme[100], stem[300];
    if (count > OVERRIDES_MAX) return cli_wrong_use(args, "too many --set");
    for (int i = 0; i < count; i++) overrides[i] = given[i];
    snprintf(scheme, sizeof scheme, "scheme.name=%s", one->scheme);
    overrides[count] = scheme;

    scree_findings findings = { 0 };
    one->simulation = cli_open_scene(args->positional[0], overrides, count + 1, &findings);
    if (!one->simulation) {
        int status = cli_complain(&findings, cli_flag(args, "json"));
        scree_findings_free(&findings);
        return status;
    }
    cli_scene_stem(args->positional[0], stem, sizeof stem);
    snprintf(one->path, sizeof one->path, "%.500s/%.200s.%.70s.h5", c->folder, stem, one->scheme);
    one->energy_start = cli_energy(one->simulation);
    scree_run_request request = { .path = one->path, .on_step = stop_asked };
    scree_error err = { 0 };
    scree_status status = scree_run(one->simulation, &request, &one->wall, &err);
    return status ? cli_fail(&err, cli_flag(args, "json")) : CLI_DONE;
}

// a row of the table; one that is zero for every scheme is left out unless it must stand
static void row(const contest *c, const char *name, double (*value)(const contender *), bool must) {
    bool any = must;
    for (int i = 0; i < c->count; i++) any |= value(&c->one[i]) != 0;
    if (!any) return;
    printf("  %-28s", name);
    for (int i = 0; i < c->count; i++) printf(" %22.12g", value(&c->one[i]));
    printf("\n");
}

static const scree_totals *totals_of(const contender *one) {
    return scree_simulation_totals(one->simulation);
}
static double start_energy(const contender *one) { return one->energy_start; }
static double end_energy(const contender *one) { return cli_energy(one->simulation); }
static double normal_work(const contender *one) { return totals_of(one)->contact_normal_work; }
static double tangential_work(const contender *one) {
    return totals_of(one)->contact_tangential_work;
}
static double external_work(const contender *one) { return totals_of(one)->external_work; }
static double boundary_work(const contender *one) { return totals_of(one)->boundary_work; }
static double damping_work(const contender *one) { return totals_of(one)->damping_work; }
static double numerical_work(const contender *one) { return totals_of(one)->numerical_dissipation; }
static double largest_work(const contender *one) {
    double most = totals_of(one)->tangential_work_max;
    return isfinite(most) ? most : 0;
}
static double creating(const contender *one) {
    return (double)totals_of(one)->steps_creating_energy;
}
static double created(const contender *one) { return totals_of(one)->energy_created; }
static double residual(const contender *one) { return totals_of(one)->residual_max; }
static double solver(const contender *one) { return totals_of(one)->solver_residual_max; }
static double penetration(const contender *one) { return totals_of(one)->penetration_max; }
static double wall(const contender *one) { return one->wall; }

static void print_table(const cli_args *args, const contest *c) {
    const scree_state *state = scree_simulation_state(c->one[0].simulation);
    printf("%s: %" PRId64 " steps to t = %.9g s\n\n  %-28s", args->positional[0], state->step,
           state->time, "");
    for (int i = 0; i < c->count; i++) printf(" %22s", c->one[i].scheme);
    printf("\n");
    row(c, "energy at the start [J]", start_energy, true);
    row(c, "energy at the end [J]", end_energy, true);
    row(c, "normal work [J]", normal_work, true);
    row(c, "tangential work [J]", tangential_work, true);
    row(c, "work of loads [J]", external_work, false);
    row(c, "work of obstacles [J]", boundary_work, false);
    row(c, "work of damping [J]", damping_work, false);
    row(c, "numerical dissipation [J]", numerical_work, false);
    row(c, "largest tangential work [J]", largest_work, true);
    row(c, "steps creating energy", creating, true);
    row(c, "energy created [J]", created, true);
    row(c, "ledger residual, largest [J]", residual, true);
    row(c, "solver residual, largest", solver, true);
    row(c, "penetration, largest [m]", penetration, true);
    row(c, "wall time [s]", wall, true);
    printf("\n");
    for (int i = 0; i < c->count; i++) {
        scree_theorem theorem = scree_simulation_theorem(c->one[i].simulation);
        printf("  theorem, %s: %s: %s\n", c->one[i].scheme, theorem.holds ? "holds" : "no",
               theorem.reason);
    }
}

static void print_json(const contest *c, const char *plot) {
    cli_json json = cli_json_begin(stdout);
    cli_json_object_begin(&json);
    cli_json_array_begin(cli_json_key(&json, "runs"));
    for (int i = 0; i < c->count; i++)
        cli_report_json(c->one[i].simulation, c->one[i].energy_start, c->one[i].wall,
                        c->temporary ? NULL : c->one[i].path, SCREE_OK, NULL, &json);
    cli_json_array_end(&json);
    cli_json_text(cli_json_key(&json, "plot"), plot);
    cli_json_object_end(&json);
    cli_json_end(&json);
}

static int draw(const cli_args *args, const contest *c, const char *file) {
    scree_run_reader *reader[SCHEMES_MAX] = { NULL };
    const char *label[SCHEMES_MAX];
    const char *what = cli_value(args, "what") ? cli_value(args, "what") : "overview";
    scree_error err = { 0 };
    scree_status status = SCREE_OK;
    for (int i = 0; !status && i < c->count; i++) {
        label[i] = c->one[i].scheme;
        status = scree_run_reader_open(c->one[i].path, &reader[i], &err);
    }
    if (!status) status = show_draw(reader, label, c->count, what, file, &err);
    for (int i = 0; i < c->count; i++) scree_run_reader_close(reader[i]);
    return status ? cli_fail(&err, cli_flag(args, "json")) : CLI_DONE;
}

static void clear(contest *c) {
    for (int i = 0; i < c->count; i++) {
        scree_simulation_free(c->one[i].simulation);
        if (c->temporary && c->one[i].path[0]) unlink(c->one[i].path);
    }
    if (c->temporary && c->folder[0]) rmdir(c->folder);
}

int cli_compare(const cli_args *args) {
    contest *c = calloc(1, sizeof *c);
    if (!c) return CLI_SAYS_NO;
    const char *plot = cli_value(args, "plot");
    int code = split_schemes(args, c);
    if (!code) code = make_folder(args, c);
    cli_catch_signals();
    for (int i = 0; !code && i < c->count; i++) code = run_one(args, c, &c->one[i]);
    if (!code && plot) code = draw(args, c, plot);
    if (!code && cli_flag(args, "json"))
        print_json(c, plot);
    else if (!code) {
        print_table(args, c);
        if (plot) printf("  figure: %s\n", plot);
    }
    clear(c);
    free(c);
    return code;
}
