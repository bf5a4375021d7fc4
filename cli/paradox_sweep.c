// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// paradox_sweep.c - scree paradox --sweep: the number of motions over a grid of two parameters, and
// beside it what each scheme does there.

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/paradox.h"
#include "cli/sweep.h"
#include "show/chart.h"
#include "show/map.h"

enum { POINTS_MAX = 250000, SCHEMES = SCREE_TRIAL_SCHEMES };
enum { NONE, ONE, TWO, MORE, ENDLESS, UNFIT_COUNT };  // kinds of counts

typedef struct grid {
    cli_axis axis[2];  // the first one running
    scree_paradox_grid found;
    unsigned char *kind;  // of counts (points)
    char reason[600];     // of the first point that is unfit
} grid;

static int read_grid(const cli_args *args, grid *g) {
    const char *text = cli_value(args, "sweep");
    cli_axis *a = g->axis;
    bool fine =
        cli_sweep_read(text, POINTS_MAX, a) == 2 && a[0].high > a[0].low && a[1].high > a[1].low;
    if (!fine)
        return cli_wrong_use(args,
                             "--sweep wants two parameters of the scene with ranges and at least "
                             "two points, as theta0=0.1:1.5:100,mu=0:2:80; got '%s'",
                             text);
    if (strcmp(a[0].name, a[1].name) == 0)
        return cli_wrong_use(args, "--sweep wants two different parameters, got %s twice",
                             a[0].name);
    double points = (double)a[0].count * a[1].count;
    if (points > POINTS_MAX)
        return cli_wrong_use(
            args, "--sweep: a grid has at most %d points, this one has %s%.0f", POINTS_MAX,
            a[0].count > POINTS_MAX || a[1].count > POINTS_MAX ? "more than " : "", points);
    return CLI_DONE;
}

static unsigned char kind_of(int count) {
    return (unsigned char)(count == SCREE_PARADOX_UNFIT ? UNFIT_COUNT
                           : count < 0                  ? ENDLESS
                           : count > 2                  ? MORE
                                                        : count);
}

static double value_at(const grid *g, int k, int at) {
    return g->axis[k].value[k ? at / g->axis[0].count : at % g->axis[0].count];
}

static scree_status sweep(const cli_args *args, double tolerance, grid *g, scree_error *err) {
    const scree_study study = cli_study(args);
    const scree_axis axis[2] = { { g->axis[1].name, g->axis[1].value, g->axis[1].count },
                                 { g->axis[0].name, g->axis[0].value, g->axis[0].count } };
    scree_paradox_grid *found = &g->found;
    scree_status status = scree_paradox_grid_find(&study, axis, 2, tolerance, found, err);
    for (int at = 0; !status && at < found->points; at++) g->kind[at] = kind_of(found->count[at]);
    if (!status && found->unfit)
        snprintf(g->reason, sizeof g->reason, "%s = %.9g, %s = %.9g: %s", g->axis[0].name,
                 value_at(g, 0, found->first_unfit), g->axis[1].name,
                 value_at(g, 1, found->first_unfit), found->reason);
    if (!status && found->unfit == found->points)
        status =
            scree_fail(err, SCREE_BAD_INPUT, (scree_source_location){ args->positional[0], 0, 0 },
                       "no point of the grid can be looked at; the first: %s", g->reason);
    return status;
}

// ---- what came of it ----

static const char *outcome_name(const grid *g, int scheme, int at) {
    return scree_outcome_name((scree_outcome)g->found.outcome[scheme][at]);
}

static void write_table(const void *what, FILE *stream) {
    const grid *g = what;
    fprintf(stream, "%s,%s,count,A,B", g->axis[0].name, g->axis[1].name);
    for (int s = 0; s < SCHEMES; s++) fprintf(stream, ",%s", scree_scheme_name((scree_scheme)s));
    for (int at = 0; at < g->found.points; at++) {
        int count = g->found.count[at];
        fprintf(stream, "\n%.17g,%.17g,", value_at(g, 0, at), value_at(g, 1, at));
        if (count >= 0) fprintf(stream, "%d", count);
        if (count == -1) fprintf(stream, "infinite");
        if (count == SCREE_PARADOX_UNFIT)
            fprintf(stream, ",,");
        else
            fprintf(stream, ",%.17g,%.17g", g->found.A[at], g->found.B[at]);
        for (int s = 0; s < SCHEMES; s++) fprintf(stream, ",%s", outcome_name(g, s, at));
    }
    fputc('\n', stream);
}

static void axes_to_json(cli_json *json, const grid *g) {
    cli_json_array_begin(cli_json_key(json, "parameters"));
    for (int k = 0; k < 2; k++) {
        cli_json_object_begin(json);
        cli_json_text(cli_json_key(json, "name"), g->axis[k].name);
        cli_json_array_begin(cli_json_key(json, "values"));
        for (int i = 0; i < g->axis[k].count; i++) cli_json_number(json, g->axis[k].value[i]);
        cli_json_array_end(json);
        cli_json_object_end(json);
    }
    cli_json_array_end(json);
}

static void count_to_json(cli_json *json, const grid *g, int unused, int at) {
    (void)unused;
    if (g->found.count[at] == SCREE_PARADOX_UNFIT)
        cli_json_null(json);
    else
        cli_paradox_count(json, g->found.count[at]);
}

static void A_or_B_to_json(cli_json *json, const grid *g, int B, int at) {
    cli_json_number(json, (B ? g->found.B : g->found.A)[at]);
}

static void outcome_to_json(cli_json *json, const grid *g, int scheme, int at) {
    cli_json_text(json, outcome_name(g, scheme, at));
}

// a row for each value of the second parameter
static void field_to_json(cli_json *json, const grid *g, const char *key, int which,
                          void (*entry)(cli_json *, const grid *, int which, int at)) {
    cli_json_array_begin(cli_json_key(json, key));
    for (int row = 0; row < g->axis[1].count; row++) {
        cli_json_array_begin(json);
        for (int i = 0; i < g->axis[0].count; i++)
            entry(json, g, which, row * g->axis[0].count + i);
        cli_json_array_end(json);
    }
    cli_json_array_end(json);
}

static void grid_to_json(const grid *g, const char *scene, double tolerance, const char *plot) {
    cli_json document = cli_json_begin(stdout), *json = &document;
    cli_json_object_begin(json);
    cli_json_text(cli_json_key(json, "scene"), scene);
    cli_json_number(cli_json_key(json, "tolerance"), tolerance);
    axes_to_json(json, g);
    field_to_json(json, g, "counts", 0, count_to_json);
    field_to_json(json, g, "A", 0, A_or_B_to_json);
    field_to_json(json, g, "B", 1, A_or_B_to_json);
    cli_json_object_begin(cli_json_key(json, "schemes"));
    for (int s = 0; s < SCHEMES; s++)
        field_to_json(json, g, scree_scheme_name((scree_scheme)s), s, outcome_to_json);
    cli_json_object_end(json);
    cli_json_integer(cli_json_key(json, "unfit"), g->found.unfit);
    cli_json_text(cli_json_key(json, "unfit_reason"), g->found.unfit ? g->reason : NULL);
    cli_json_text(cli_json_key(json, "plot"), plot);
    cli_json_object_end(json);
    cli_json_end(json);
}

static const show_map_kind count_kinds[] = {
    [NONE] = { "none: impact without collision", SHOW_MAP_RED },
    [ONE] = { "one", SHOW_MAP_PALE },
    [TWO] = { "two", SHOW_MAP_ORANGE },
    [MORE] = { "three or more", SHOW_MAP_GREEN },
    [ENDLESS] = { "infinitely many", SHOW_MAP_BLUE },
    [UNFIT_COUNT] = { "unfit: no friction, or not one closed contact", SHOW_MAP_GREY },
};
static const show_map_kind outcome_kinds[] = {
    [SCREE_OUTCOME_FREE] = { "no impulse", SHOW_MAP_GREEN },
    [SCREE_OUTCOME_FORCE] = { "impulse vanishes with the step: a force", SHOW_MAP_PALE },
    [SCREE_OUTCOME_IMPACT] = { "impulse stays: an impact", SHOW_MAP_RED },
    [SCREE_OUTCOME_UNCLEAR] = { "impulse with some steps only", SHOW_MAP_ORANGE },
    [SCREE_OUTCOME_REFUSED] = { "step refused", SHOW_MAP_PURPLE },
    [SCREE_OUTCOME_UNFIT] = { "unfit: no friction, or not one closed contact", SHOW_MAP_GREY },
};

static void print_summary(const cli_args *args, const grid *g) {
    int found[UNFIT_COUNT + 1] = { 0 };
    for (int at = 0; at < g->found.points; at++) found[g->kind[at]]++;
    printf("%s: %d points over %s and %s\n", args->positional[0], g->found.points, g->axis[0].name,
           g->axis[1].name);
    for (int k = 0; k <= UNFIT_COUNT; k++)
        if (found[k]) printf("  %-32s %d\n", count_kinds[k].label, found[k]);
    if (g->found.unfit) printf("  first unfit: %s\n", g->reason);
    for (int s = 0; s < SCHEMES; s++) {
        int impacts = 0;
        for (int at = 0; at < g->found.points; at++)
            impacts += g->found.outcome[s][at] == SCREE_OUTCOME_IMPACT;
        printf("  %-32s impact without collision at %d\n", scree_scheme_name((scree_scheme)s),
               impacts);
    }
}

static scree_status draw(const cli_args *args, const grid *g, const char *file, scree_error *err) {
    char label[2][2 * sizeof g->axis[0].name], title[300], caption[400];
    for (int k = 0; k < 2; k++) scree_chart_escape(g->axis[k].name, label[k], sizeof label[k]);
    scree_chart_escape(args->positional[0], title, sizeof title);
    snprintf(caption, sizeof caption, "%.200s, %d x %d points, scree %s", args->positional[0],
             g->axis[0].count, g->axis[1].count, scree_version());
    show_map_panel panel[1 + SCHEMES] = { { "solutions of Coulomb's law", count_kinds,
                                            UNFIT_COUNT + 1, g->kind } };
    for (int s = 0; s < SCHEMES; s++)
        panel[1 + s] = (show_map_panel){ scree_scheme_name((scree_scheme)s), outcome_kinds,
                                         SCREE_OUTCOME_UNFIT + 1, g->found.outcome[s] };
    const show_map map = {
        .title = title,
        .caption = caption,
        .x_label = label[0],
        .y_label = label[1],
        .x_low = g->axis[0].low,
        .x_high = g->axis[0].high,
        .y_low = g->axis[1].low,
        .y_high = g->axis[1].high,
        .columns = g->axis[0].count,
        .rows = g->axis[1].count,
        .panel = panel,
        .panels = 1 + SCHEMES,
    };
    return show_map_draw(&map, file, err);
}

static scree_status show(const cli_args *args, const grid *g, double tolerance, scree_error *err) {
    const char *plot = cli_value(args, "plot"), *output = cli_value(args, "output");
    scree_status status = plot ? draw(args, g, plot, err) : SCREE_OK;
    if (status) return status;
    if (output && !cli_save(output, write_table, g))
        return scree_fail_file(err, output, "cannot write the table", errno);
    if (cli_flag(args, "json")) {
        grid_to_json(g, args->positional[0], tolerance, plot);
    } else if (!output || strcmp(output, "-") != 0) {
        print_summary(args, g);
        if (plot) printf("  figure: %s\n", plot);
        if (output) printf("  table: %s\n", output);
    }
    return SCREE_OK;
}

int cli_paradox_sweep(const cli_args *args, double tolerance) {
    grid g = { 0 };
    scree_error err = { 0 };
    if (cli_output_taken(args) || read_grid(args, &g)) return CLI_WRONG_USE;
    size_t points = (size_t)g.axis[0].count * (size_t)g.axis[1].count;
    g.kind = calloc(points, 1);
    if (!g.kind || !cli_sweep_fill(&g.axis[0]) || !cli_sweep_fill(&g.axis[1])) {
        scree_fail(&err, SCREE_NO_MEMORY, SCREE_NOWHERE, "out of memory for %zu points", points);
    } else {
        cli_catch_signals();
        if (!sweep(args, tolerance, &g, &err)) show(args, &g, tolerance, &err);
    }
    scree_paradox_grid_free(&g.found);
    for (int k = 0; k < 2; k++) free(g.axis[k].value);
    free(g.kind);
    return err.status ? cli_fail(&err, cli_flag(args, "json")) : CLI_DONE;
}
