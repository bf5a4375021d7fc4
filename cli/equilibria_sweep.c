// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// equilibria_sweep.c - scree equilibria --sweep: kinds of equilibria over one or two parameters.

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/equilibria.h"
#include "cli/sweep.h"
#include "show/equilibria.h"

enum { POINTS_MAX = 100000 };

typedef struct sweep {
    const cli_args *args;
    int axes;
    cli_axis axis[2];
    scree_axis given[2];
    scree_equilibria_grid found;
} sweep;

// ---- output ----

static void write_csv(const void *what, FILE *file) {
    const sweep *s = what;
    for (int a = 0; a < s->axes; a++) fprintf(file, "%s,", s->axis[a].name);
    fprintf(file, "kind,pieces,rn_min,rn_max\n");
    for (int p = 0; p < s->found.points; p++) {
        double value[2];
        scree_grid_values(s->given, s->axes, p, value);
        for (int a = 0; a < s->axes; a++) fprintf(file, "%.17g,", value[a]);
        fprintf(file, "%s,%d,%.17g,%.17g\n", s->found.label[s->found.kind[p]], s->found.pieces[p],
                s->found.low[p], s->found.high[p]);
    }
}

static void print_sweep(const sweep *s) {
    printf("%s: %d points, %d kind%s of equilibria\n", s->args->positional[0], s->found.points,
           s->found.kinds, s->found.kinds == 1 ? "" : "s");
    for (int k = 0; k < s->found.kinds; k++) {
        int count = 0;
        for (int p = 0; p < s->found.points; p++) count += s->found.kind[p] == k;
        printf("  %6d  %s\n", count, s->found.label[k]);
    }
    for (int i = 0; i < s->found.criticals; i++) {
        const scree_critical *c = &s->found.critical[i];
        printf("  changes at %s = %.12g (by halving): %s", s->axis[0].name, c->value,
               s->found.label[c->below]);
        if (c->at >= 0) printf(" | %s", s->found.label[c->at]);
        printf(" | %s\n", s->found.label[c->above]);
    }
}

static void changes_to_json(cli_json *json, const sweep *s) {
    cli_json_array_begin(cli_json_key(json, "critical"));
    for (int i = 0; i < s->found.criticals; i++) {
        const scree_critical *c = &s->found.critical[i];
        cli_json_object_begin(json);
        cli_json_number(cli_json_key(json, "value"), c->value);
        cli_json_text(cli_json_key(json, "below"), s->found.label[c->below]);
        cli_json_text(cli_json_key(json, "at"), c->at >= 0 ? s->found.label[c->at] : NULL);
        cli_json_text(cli_json_key(json, "above"), s->found.label[c->above]);
        cli_json_text(cli_json_key(json, "ground"), "numerical: halving between grid points");
        cli_json_object_end(json);
    }
    cli_json_array_end(json);
}

static void sweep_to_json(const sweep *s) {
    int second = s->axes == 2 ? s->axis[1].count : 1;
    cli_json document = cli_json_begin(stdout), *json = &document;
    cli_json_object_begin(json);
    cli_json_text(cli_json_key(json, "status"), "done");
    cli_json_text(cli_json_key(json, "scene"), s->args->positional[0]);
    cli_json_array_begin(cli_json_key(json, "parameters"));
    for (int a = 0; a < s->axes; a++) cli_json_text(json, s->axis[a].name);
    cli_json_array_end(json);
    cli_json_array_begin(cli_json_key(json, "values"));
    for (int a = 0; a < s->axes; a++) cli_json_numbers(json, s->axis[a].value, s->axis[a].count);
    cli_json_array_end(json);
    cli_json_array_begin(cli_json_key(json, "kinds"));
    for (int k = 0; k < s->found.kinds; k++) cli_json_text(json, s->found.label[k]);
    cli_json_array_end(json);
    cli_json_array_begin(cli_json_key(json, "map"));
    for (int i = 0; i < s->axis[0].count; i++) {
        if (s->axes == 2) cli_json_array_begin(json);
        for (int j = 0; j < second; j++) cli_json_integer(json, s->found.kind[i * second + j]);
        if (s->axes == 2) cli_json_array_end(json);
    }
    cli_json_array_end(json);
    if (s->axes == 1) changes_to_json(json, s);
    cli_json_object_end(json);
    cli_json_end(json);
}

static scree_status draw(const sweep *s, scree_error *err) {
    const char *path = cli_value(s->args, "plot");
    char caption[300];
    if (!path) return SCREE_OK;
    snprintf(caption, sizeof caption, "%s, scree %s", s->args->positional[0], scree_version());
    show_kinds_grid map = { .name = { s->axis[0].name, s->axes == 2 ? s->axis[1].name : NULL },
                            .value = { s->axis[0].value, s->axis[1].value },
                            .count = { s->axis[0].count, s->axes == 2 ? s->axis[1].count : 1 },
                            .kind = s->found.kind,
                            .label = (const char *const *)s->found.label,
                            .kinds = s->found.kinds };
    return show_kinds_map(&map, caption, path, err);
}

// ---- the whole of it ----

static scree_status report(const sweep *s, scree_error *err) {
    const char *path = cli_value(s->args, "output");
    scree_status status = draw(s, err);
    if (!status && path && !cli_save(path, write_csv, s))
        status = scree_fail(err, SCREE_FILE_ERROR, SCREE_NOWHERE, "cannot write %s: %s", path,
                            strerror(errno));
    if (status) return status;
    if (cli_flag(s->args, "json"))
        sweep_to_json(s);
    else if (!path || strcmp(path, "-") != 0)
        print_sweep(s);
    return SCREE_OK;
}

static bool read_axes(const cli_args *args, sweep *s) {
    const char *text = cli_value(args, "sweep");
    s->axes = cli_sweep_read(text, POINTS_MAX, s->axis);
    bool twice = s->axes == 2 && strcmp(s->axis[0].name, s->axis[1].name) == 0;
    bool fine = s->axes > 0 && !twice;
    for (int a = 0; a < s->axes; a++) fine = fine && s->axis[a].count <= POINTS_MAX;
    if (fine) return true;
    cli_wrong_use(args,
                  "--sweep: expected NAME=LOW:HIGH:COUNT for one or two parameters, with 2 to "
                  "%d values, for example A=-1:1:41,mu=0:2:41; got \"%s\"",
                  POINTS_MAX, text);
    return false;
}

static scree_status find(sweep *s, double tolerance, scree_findings *findings, scree_error *err) {
    if (s->axes == 2 && s->axis[0].count > POINTS_MAX / s->axis[1].count)
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                          "a sweep has at most %d points; %d x %d are too many", POINTS_MAX,
                          s->axis[0].count, s->axis[1].count);
    for (int a = 0; a < s->axes; a++) {
        if (!cli_sweep_fill(&s->axis[a])) return scree_fail_memory(err, NULL);
        s->given[a] = (scree_axis){ s->axis[a].name, s->axis[a].value, s->axis[a].count };
    }
    const scree_study study = cli_study(s->args);
    return scree_equilibria_grid_find(&study, s->given, s->axes, tolerance, &s->found, findings,
                                      err);
}

int cli_equilibria_sweep(const cli_args *args, double tolerance) {
    sweep s = { .args = args };
    bool json = cli_flag(args, "json");
    scree_findings findings = { 0 };
    scree_error err = { 0 };
    if (cli_output_taken(args) || !read_axes(args, &s)) return CLI_WRONG_USE;
    scree_status status = find(&s, tolerance, &findings, &err);
    if (!status) status = report(&s, &err);
    int code = findings.count ? cli_complain(&findings, json)
               : status       ? cli_equilibria_fail(args, &err)
                              : CLI_DONE;
    scree_equilibria_grid_free(&s.found);
    for (int a = 0; a < 2; a++) free(s.axis[a].value);
    scree_findings_free(&findings);
    return code;
}
