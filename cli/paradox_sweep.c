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
#include "show/chart.h"
#include "show/map.h"

enum { POINTS_MAX = 250000, OVERRIDES_MAX = 256, NAME = 64 };
enum { NONE, ONE, TWO, MORE, ENDLESS, UNFIT_COUNT };  // kinds of counts
enum { UNFIT = SCREE_OUTCOME_REFUSED + 1 };           // behind the outcomes
static const double shrink = 0.25;                    // of the step, to see what vanishes with it

typedef struct axis {
    char name[NAME];
    double low, high;
    int count;
} axis;

typedef struct point {
    int count;  // of solutions; -1: infinitely many
    double A, B;
} point;

typedef struct grid {
    axis axis[2];
    int points;
    point *point;                         // (points), the first parameter running
    unsigned char *kind;                  // (points)
    unsigned char *outcome[CLI_SCHEMES];  // (points)
    int unfit;
    char reason[600];  // of the first point that is
} grid;

// ---- what is asked for ----

// "NAME=LOW:HIGH:COUNT" of length bytes
static bool read_axis(const char *text, size_t length, axis *a) {
    char word[200], *end;
    if (length >= sizeof word) return false;
    memcpy(word, text, length);
    word[length] = '\0';
    char *equals = strchr(word, '='), *first = equals ? strchr(equals, ':') : NULL;
    char *second = first ? strchr(first + 1, ':') : NULL;
    if (!second || equals == word || equals - word >= NAME) return false;
    *equals = *first = *second = '\0';
    snprintf(a->name, sizeof a->name, "%.*s", NAME - 1, word);
    a->low = strtod(equals + 1, &end);
    bool fine = end != equals + 1 && !*end && isfinite(a->low);
    a->high = strtod(first + 1, &end);
    fine = fine && end != first + 1 && !*end && isfinite(a->high) && a->high > a->low;
    long count = strtol(second + 1, &end, 10);
    a->count = count > POINTS_MAX ? POINTS_MAX + 1 : (int)count;
    return fine && end != second + 1 && !*end && count >= 2;
}

static int read_grid(const cli_args *args, grid *g) {
    const char *text = cli_value(args, "sweep"), *comma = strchr(text, ',');
    bool fine = comma && read_axis(text, (size_t)(comma - text), &g->axis[0]) &&
                read_axis(comma + 1, strlen(comma + 1), &g->axis[1]);
    if (!fine)
        return cli_wrong_use(args,
                             "--sweep wants two parameters of the scene with ranges and at least "
                             "two points, as theta0=0.1:1.5:100,mu=0:2:80; got '%s'",
                             text);
    if (strcmp(g->axis[0].name, g->axis[1].name) == 0)
        return cli_wrong_use(args, "--sweep wants two different parameters, got %s twice",
                             g->axis[0].name);
    double points = (double)g->axis[0].count * g->axis[1].count;
    if (points > POINTS_MAX)
        return cli_wrong_use(
            args, "--sweep: a grid has at most %d points, this one has %s%.0f", POINTS_MAX,
            g->axis[0].count > POINTS_MAX || g->axis[1].count > POINTS_MAX ? "more than " : "",
            points);
    g->points = (int)points;
    return CLI_DONE;
}

static double value_at(const axis *a, int i) {
    double part = (double)i / (a->count - 1);
    return i == a->count - 1 ? a->high : a->low + part * (a->high - a->low);
}

static bool allocate(grid *g) {
    size_t n = (size_t)g->points;
    g->point = calloc(n, sizeof *g->point);
    g->kind = calloc(n, 1);
    bool fine = g->point && g->kind;
    for (int s = 0; s < CLI_SCHEMES; s++) fine = (g->outcome[s] = calloc(n, 1)) != NULL && fine;
    return fine;
}

static void clear(grid *g) {
    free(g->point);
    free(g->kind);
    for (int s = 0; s < CLI_SCHEMES; s++) free(g->outcome[s]);
}

// ---- one point of the grid ----

static unsigned char kind_of(int count) {
    return (unsigned char)(count < 0 ? ENDLESS : count > 2 ? MORE : count);
}

static void mark_unfit(grid *g, int at, const char *reason) {
    g->point[at] = (point){ .A = NAN, .B = NAN };
    g->kind[at] = UNFIT_COUNT;
    for (int s = 0; s < CLI_SCHEMES; s++) g->outcome[s][at] = UNFIT;
    if (!g->unfit++)
        snprintf(g->reason, sizeof g->reason, "%s = %.9g, %s = %.9g: %s", g->axis[0].name,
                 value_at(&g->axis[0], at % g->axis[0].count), g->axis[1].name,
                 value_at(&g->axis[1], at / g->axis[0].count), reason);
}

static scree_status try_scheme(const scree_simulation *simulation, int s, unsigned char *outcome,
                               scree_error *err) {
    scree_trial trial[2];
    double h = scree_simulation_options(simulation)->scheme.step;
    for (int k = 0; k < 2; k++, h *= shrink) {
        scree_status status = cli_paradox_try(simulation, s, h, &trial[k], err);
        if (status) return status;
    }
    *outcome = (unsigned char)scree_paradox_outcome(&trial[0], &trial[1]);
    return SCREE_OK;
}

static void look_at(const scree_simulation *simulation, double tolerance, int at, grid *g) {
    scree_paradox paradox;
    scree_error err = { 0 };
    scree_status status = cli_paradox_find(simulation, tolerance, &paradox, &err);
    for (int s = 0; !status && s < CLI_SCHEMES; s++)
        status = try_scheme(simulation, s, &g->outcome[s][at], &err);
    if (status) {
        mark_unfit(g, at, err.text);
        return;
    }
    g->point[at] = (point){ paradox.count, paradox.A, paradox.B };
    g->kind[at] = kind_of(paradox.count);
}

static int sweep(const cli_args *args, double tolerance, grid *g) {
    int count;
    const char *const *given = cli_values(args, "set", &count);
    const char *overrides[OVERRIDES_MAX + 2];
    char text[2][NAME + 60];
    if (count > OVERRIDES_MAX) return cli_wrong_use(args, "too many --set");
    for (int i = 0; i < count; i++) overrides[i] = given[i];
    for (int k = 0; k < 2; k++) overrides[count + k] = text[k];
    for (int at = 0; at < g->points && !cli_stop_asked(); at++) {
        const int place[2] = { at % g->axis[0].count, at / g->axis[0].count };
        for (int k = 0; k < 2; k++)
            snprintf(text[k], sizeof text[k], "parameters.%s=%.17g", g->axis[k].name,
                     value_at(&g->axis[k], place[k]));
        scree_findings findings = { 0 };
        scree_simulation *simulation =
            cli_open_scene(args->positional[0], overrides, count + 2, &findings);
        if (simulation)
            look_at(simulation, tolerance, at, g);
        else
            mark_unfit(g, at, findings.count ? findings.item[0].text : "out of memory");
        scree_simulation_free(simulation);
        scree_findings_free(&findings);
    }
    return CLI_DONE;
}

// ---- what came of it ----

static const char *outcome_name(unsigned char outcome) {
    return outcome == UNFIT ? "unfit" : scree_outcome_name((scree_outcome)outcome);
}

static void write_row(const grid *g, int at, FILE *stream) {
    const point *p = &g->point[at];
    fprintf(stream, "%.17g,%.17g,", value_at(&g->axis[0], at % g->axis[0].count),
            value_at(&g->axis[1], at / g->axis[0].count));
    if (g->kind[at] == UNFIT_COUNT)
        fprintf(stream, ",,");
    else if (p->count < 0)
        fprintf(stream, "infinite,%.17g,%.17g", p->A, p->B);
    else
        fprintf(stream, "%d,%.17g,%.17g", p->count, p->A, p->B);
    for (int s = 0; s < CLI_SCHEMES; s++) fprintf(stream, ",%s", outcome_name(g->outcome[s][at]));
    fputc('\n', stream);
}

static void write_table(const grid *g, FILE *stream) {
    fprintf(stream, "%s,%s,count,A,B", g->axis[0].name, g->axis[1].name);
    for (int s = 0; s < CLI_SCHEMES; s++)
        fprintf(stream, ",%s", scree_scheme_name((scree_scheme)s));
    fputc('\n', stream);
    for (int at = 0; at < g->points; at++) write_row(g, at, stream);
}

static scree_status save_table(const grid *g, const char *file, scree_error *err) {
    if (strcmp(file, "-") == 0) {
        write_table(g, stdout);
        return SCREE_OK;
    }
    FILE *stream = fopen(file, "w");
    if (stream) write_table(g, stream);
    bool fine = stream && !ferror(stream);
    if (stream && fclose(stream) != 0) fine = false;
    if (fine) return SCREE_OK;
    return scree_fail(err, SCREE_FILE_ERROR, (scree_source_location){ file, 0, 0 },
                      "cannot write the table: %s", strerror(errno));
}

static void axes_to_json(cli_json *json, const grid *g) {
    cli_json_array_begin(cli_json_key(json, "parameters"));
    for (int k = 0; k < 2; k++) {
        cli_json_object_begin(json);
        cli_json_text(cli_json_key(json, "name"), g->axis[k].name);
        cli_json_array_begin(cli_json_key(json, "values"));
        for (int i = 0; i < g->axis[k].count; i++) cli_json_number(json, value_at(&g->axis[k], i));
        cli_json_array_end(json);
        cli_json_object_end(json);
    }
    cli_json_array_end(json);
}

static void count_to_json(cli_json *json, const grid *g, int at) {
    if (g->kind[at] == UNFIT_COUNT)
        cli_json_null(json);
    else
        cli_paradox_count(json, g->point[at].count);
}

static void A_to_json(cli_json *json, const grid *g, int at) {
    cli_json_number(json, g->point[at].A);
}

static void B_to_json(cli_json *json, const grid *g, int at) {
    cli_json_number(json, g->point[at].B);
}

// a row for each value of the second parameter
static void field_to_json(cli_json *json, const grid *g, const char *key,
                          void (*entry)(cli_json *, const grid *, int)) {
    cli_json_array_begin(cli_json_key(json, key));
    for (int row = 0; row < g->axis[1].count; row++) {
        cli_json_array_begin(json);
        for (int i = 0; i < g->axis[0].count; i++) entry(json, g, row * g->axis[0].count + i);
        cli_json_array_end(json);
    }
    cli_json_array_end(json);
}

static void outcomes_to_json(cli_json *json, const grid *g) {
    cli_json_object_begin(cli_json_key(json, "schemes"));
    for (int s = 0; s < CLI_SCHEMES; s++) {
        cli_json_array_begin(cli_json_key(json, scree_scheme_name((scree_scheme)s)));
        for (int row = 0; row < g->axis[1].count; row++) {
            cli_json_array_begin(json);
            for (int i = 0; i < g->axis[0].count; i++)
                cli_json_text(json, outcome_name(g->outcome[s][row * g->axis[0].count + i]));
            cli_json_array_end(json);
        }
        cli_json_array_end(json);
    }
    cli_json_object_end(json);
}

static void grid_to_json(const grid *g, const char *scene, double tolerance, const char *plot) {
    cli_json document = cli_json_begin(stdout), *json = &document;
    cli_json_object_begin(json);
    cli_json_text(cli_json_key(json, "scene"), scene);
    cli_json_number(cli_json_key(json, "tolerance"), tolerance);
    axes_to_json(json, g);
    field_to_json(json, g, "counts", count_to_json);
    field_to_json(json, g, "A", A_to_json);
    field_to_json(json, g, "B", B_to_json);
    outcomes_to_json(json, g);
    cli_json_integer(cli_json_key(json, "unfit"), g->unfit);
    cli_json_text(cli_json_key(json, "unfit_reason"), g->unfit ? g->reason : NULL);
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
    [UNFIT] = { "unfit: no friction, or not one closed contact", SHOW_MAP_GREY },
};

static void print_summary(const cli_args *args, const grid *g) {
    int found[UNFIT_COUNT + 1] = { 0 };
    for (int at = 0; at < g->points; at++) found[g->kind[at]]++;
    printf("%s: %d points over %s and %s\n", args->positional[0], g->points, g->axis[0].name,
           g->axis[1].name);
    for (int k = 0; k <= UNFIT_COUNT; k++)
        if (found[k]) printf("  %-32s %d\n", count_kinds[k].label, found[k]);
    if (g->unfit) printf("  first unfit: %s\n", g->reason);
    for (int s = 0; s < CLI_SCHEMES; s++) {
        int impacts = 0;
        for (int at = 0; at < g->points; at++) impacts += g->outcome[s][at] == SCREE_OUTCOME_IMPACT;
        printf("  %-32s impact without collision at %d\n", scree_scheme_name((scree_scheme)s),
               impacts);
    }
}

static scree_status draw(const cli_args *args, const grid *g, const char *file, scree_error *err) {
    char label[2][2 * NAME], title[300], caption[400];
    for (int k = 0; k < 2; k++) scree_chart_escape(g->axis[k].name, label[k], sizeof label[k]);
    scree_chart_escape(args->positional[0], title, sizeof title);
    snprintf(caption, sizeof caption, "%.200s, %d x %d points, scree %s", args->positional[0],
             g->axis[0].count, g->axis[1].count, scree_version());
    show_map_panel panel[1 + CLI_SCHEMES] = { { "solutions of Coulomb's law", count_kinds,
                                                UNFIT_COUNT + 1, g->kind } };
    for (int s = 0; s < CLI_SCHEMES; s++)
        panel[1 + s] = (show_map_panel){ scree_scheme_name((scree_scheme)s), outcome_kinds,
                                         UNFIT + 1, g->outcome[s] };
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
        .panels = 1 + CLI_SCHEMES,
    };
    return show_map_draw(&map, file, err);
}

static int show(const cli_args *args, const grid *g, double tolerance) {
    const char *plot = cli_value(args, "plot"), *output = cli_value(args, "output");
    bool json = cli_flag(args, "json"), table = output && strcmp(output, "-") == 0;
    scree_error err = { 0 };
    scree_status status = SCREE_OK;
    if (cli_stop_asked())
        status = scree_fail(&err, SCREE_INTERRUPTED, SCREE_NOWHERE, "stopped before the end");
    else if (g->unfit == g->points)
        status =
            scree_fail(&err, SCREE_BAD_INPUT, (scree_source_location){ args->positional[0], 0, 0 },
                       "no point of the grid can be looked at; the first: %s", g->reason);
    if (!status && plot) status = draw(args, g, plot, &err);
    if (!status && output) status = save_table(g, output, &err);
    if (status) return cli_fail(&err, json);
    if (json)
        grid_to_json(g, args->positional[0], tolerance, plot);
    else if (!table) {
        print_summary(args, g);
        if (plot) printf("  figure: %s\n", plot);
        if (output) printf("  table: %s\n", output);
    }
    return CLI_DONE;
}

int cli_paradox_sweep(const cli_args *args, double tolerance) {
    grid g = { 0 };
    const char *output = cli_value(args, "output");
    if (cli_flag(args, "json") && output && strcmp(output, "-") == 0)
        return cli_wrong_use(args, "--json and --output - both want standard output");
    int code = read_grid(args, &g);
    if (code) return code;
    scree_error err = { 0 };
    if (allocate(&g)) {
        cli_catch_signals();
        code = sweep(args, tolerance, &g);
        if (!code) code = show(args, &g, tolerance);
    } else {
        scree_fail(&err, SCREE_NO_MEMORY, SCREE_NOWHERE, "out of memory for %d points", g.points);
        code = cli_fail(&err, cli_flag(args, "json"));
    }
    clear(&g);
    return code;
}
