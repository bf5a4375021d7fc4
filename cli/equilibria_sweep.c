// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// equilibria_sweep.c - scree equilibria --sweep: kinds of equilibria over one or two parameters.
//
// One parameter: critical values are found by halving between neighbours of different kinds, so
// they are numerical, and changes there and back between neighbours go unseen. A kind that holds at
// a single value (mu = KT/|W|) holds within the tolerance of it, which halving meets.

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/equilibria.h"
#include "show/equilibria.h"

enum {
    POINTS_MAX = 100000,
    KINDS_MAX = 1000,
    NAME = 64,
    OVERRIDES = 64,
    HALVINGS = 60,
    CHANGES = 4
};

typedef struct axis {
    char name[NAME];
    bool is_A;      // not a parameter of the scene: A = KT FN - W FT, through the tangential load
    double *value;  // owned (count)
    int count;
} axis;

typedef struct critical {
    double value;
    int below, at, above;  // kinds; at: -1 if none of its own
} critical;

typedef struct sweep {
    const cli_args *args;
    double tolerance;
    int axes;
    axis axis[2];
    const char *override[OVERRIDES];
    int overrides;
    int *kind;           // of each point (points)
    double *low, *high;  // of r_N of all contacts and pieces (points)
    int *pieces;         // (points)
    char *label[KINDS_MAX];
    int kinds;
    critical *change;
    int changes;
    scree_findings findings;
    scree_error err;
} sweep;

static int points_of(const sweep *s) {
    return s->axis[0].count * (s->axes == 2 ? s->axis[1].count : 1);
}

// ---- what to sweep ----

// name=low:high:count up to the next comma; returns what follows, or NULL
static const char *read_axis(const char *text, axis *a) {
    const char *equals = strchr(text, '=');
    if (!equals || equals == text || equals - text >= NAME) return NULL;
    snprintf(a->name, NAME, "%.*s", (int)(equals - text), text);
    double number[3];
    const char *at = equals + 1;
    for (int k = 0; k < 3; k++) {
        char *end;
        number[k] = strtod(at, &end);
        if (end == at || !isfinite(number[k]) || (k < 2 && *end != ':')) return NULL;
        at = k < 2 ? end + 1 : end;
    }
    if (number[2] < 2 || number[2] > POINTS_MAX || number[2] != floor(number[2])) return NULL;
    if (*at && *at != ',') return NULL;
    a->count = (int)number[2];
    a->value = calloc((size_t)a->count, sizeof *a->value);
    if (!a->value) return NULL;
    // symmetric in the ends, so that middles of round numbers are met exactly
    for (int i = 0; i < a->count; i++)
        a->value[i] = (number[0] * (a->count - 1 - i) + number[1] * i) / (a->count - 1);
    return *at ? at + 1 : at;
}

static bool read_axes(const char *text, sweep *s) {
    while (*text && s->axes < 2) {
        text = read_axis(text, &s->axis[s->axes]);
        if (!text) return false;
        s->axes++;
        if (s->axes == 2 && strcmp(s->axis[0].name, s->axis[1].name) == 0) return false;
    }
    return s->axes > 0 && !*text;
}

// ---- one point ----

static bool set_A(cli_resting *resting, double A, double tolerance, scree_error *err) {
    scree_klarbring p;
    const scree_equilibrium_system *system = &resting->system;
    const scree_model *model = scree_simulation_model(resting->simulation);
    if (!scree_klarbring_of(model, system, tolerance, &p) || p.W == 0) {
        scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                   "there is no parameter A, and only Klarbring's particle with W != 0 has an A");
        return false;
    }
    double more = (p.KT * p.FN - A) / p.W - p.FT;
    for (int k = 0; k < 2; k++) resting->load[k] = system->load[k] + more * system->tangent[k];
    resting->system.load = resting->load;
    return true;
}

static bool find_at(sweep *s, const double value[2], scree_equilibria *set) {
    char text[2][NAME + 60];
    int count = s->overrides;
    cli_resting resting;
    for (int a = 0; a < s->axes; a++) {
        snprintf(text[a], sizeof text[a], "parameters.%s=%.17g", s->axis[a].name, value[a]);
        if (!s->axis[a].is_A) s->override[count++] = text[a];
    }
    bool found = cli_resting_open(s->args->positional[0], s->override, count, &resting,
                                  &s->findings, &s->err);
    for (int a = 0; a < s->axes && found; a++)
        if (s->axis[a].is_A) found = set_A(&resting, value[a], s->tolerance, &s->err);
    if (found && scree_equilibria_find(&resting.system, s->tolerance, set, &s->err)) found = false;
    cli_resting_close(&resting);
    return found;
}

// the number of a kind, new ones at the end; -1 if there are too many or no memory
static int number_of(sweep *s, const scree_equilibria *set) {
    char text[CLI_KIND_TEXT];
    cli_kind_of(set, text, sizeof text);
    for (int k = 0; k < s->kinds; k++)
        if (strcmp(s->label[k], text) == 0) return k;
    if (s->kinds == KINDS_MAX || !(s->label[s->kinds] = strdup(text))) {
        scree_fail(&s->err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                   "the sweep meets more than %d kinds of equilibria", KINDS_MAX);
        return -1;
    }
    return s->kinds++;
}

static bool kind_at(sweep *s, const double value[2], int *kind) {
    scree_equilibria set = { 0 };
    bool found = find_at(s, value, &set);
    if (found) *kind = number_of(s, &set);
    scree_equilibria_free(&set);
    return found && *kind >= 0;
}

static bool look_at(sweep *s, int point) {
    int second = s->axes == 2 ? s->axis[1].count : 1;
    const double value[2] = { s->axis[0].value[point / second],
                              s->axes == 2 ? s->axis[1].value[point % second] : 0 };
    scree_equilibria set = { 0 };
    bool found = find_at(s, value, &set);
    if (found) {
        s->kind[point] = number_of(s, &set);
        s->pieces[point] = set.count;
        s->low[point] = set.count ? HUGE_VAL : (double)NAN;
        s->high[point] = set.count ? 0 : (double)NAN;
        for (int i = 0; i < set.count; i++)
            for (int c = 0; c < set.contacts; c++) {
                s->low[point] = fmin(s->low[point], set.item[i].rn[2 * c]);
                s->high[point] = fmax(s->high[point], set.item[i].rn[2 * c + 1]);
            }
    }
    scree_equilibria_free(&set);
    return found && s->kind[point] >= 0;
}

// ---- critical values of one parameter ----

typedef struct bracket {  // two values of different kinds
    double low, high;
    int below, above;
} bracket;

// until no number is left in between
static bool halve(sweep *s, bracket *b) {
    for (int k = 0; k < HALVINGS; k++) {
        const double middle[2] = { b->low + (b->high - b->low) / 2, 0 };
        int kind;
        if (middle[0] == b->low || middle[0] == b->high) break;
        if (!kind_at(s, middle, &kind)) return false;
        if (kind == b->below) {
            b->low = middle[0];
        } else {
            b->high = middle[0];
            b->above = kind;
        }
    }
    return true;
}

// two changes that are closer than the tolerance can part are one, and what is between them holds
// at it
static void add_change(sweep *s, const bracket *b) {
    double width = s->axis[0].value[1] - s->axis[0].value[0],
           value = b->low + (b->high - b->low) / 2;
    critical *last = s->changes ? &s->change[s->changes - 1] : NULL;
    if (last && fabs(value - last->value) <= 1e-9 * fabs(width)) {
        last->at = last->above;
        last->above = b->above;
        last->value += (value - last->value) / 2;
    } else {
        s->change[s->changes++] = (critical){ value, b->below, -1, b->above };
    }
}

// all changes between two neighbours that halving meets
static bool find_between(sweep *s, int i) {
    double high = s->axis[0].value[i + 1];
    bracket b = { .high = s->axis[0].value[i], .above = s->kind[i] };
    for (int k = 0; k < CHANGES && b.above != s->kind[i + 1]; k++) {
        b = (bracket){ b.high, high, b.above, s->kind[i + 1] };
        if (!halve(s, &b)) return false;
        add_change(s, &b);
    }
    return true;
}

static bool find_changes(sweep *s) {
    s->change = calloc((size_t)s->axis[0].count * CHANGES, sizeof *s->change);
    if (!s->change) {
        scree_fail(&s->err, SCREE_NO_MEMORY, SCREE_NOWHERE, "out of memory");
        return false;
    }
    for (int i = 0; i + 1 < s->axis[0].count; i++)
        if (!find_between(s, i)) return false;
    return true;
}

// ---- output ----

static bool write_csv(const sweep *s, const char *path) {
    FILE *file = strcmp(path, "-") == 0 ? stdout : fopen(path, "w");
    if (!file) return false;
    int second = s->axes == 2 ? s->axis[1].count : 1;
    fprintf(file, "%s", s->axis[0].name);
    if (s->axes == 2) fprintf(file, ",%s", s->axis[1].name);
    fprintf(file, ",kind,pieces,rn_min,rn_max\n");
    for (int p = 0; p < points_of(s); p++) {
        fprintf(file, "%.17g", s->axis[0].value[p / second]);
        if (s->axes == 2) fprintf(file, ",%.17g", s->axis[1].value[p % second]);
        fprintf(file, ",%s,%d,%.17g,%.17g\n", s->label[s->kind[p]], s->pieces[p], s->low[p],
                s->high[p]);
    }
    bool written = !ferror(file);
    if (file != stdout) written = fclose(file) == 0 && written;
    return written;
}

static void print_sweep(const sweep *s) {
    printf("%s: %d points, %d kind%s of equilibria\n", s->args->positional[0], points_of(s),
           s->kinds, s->kinds == 1 ? "" : "s");
    for (int k = 0; k < s->kinds; k++) {
        int count = 0;
        for (int p = 0; p < points_of(s); p++) count += s->kind[p] == k;
        printf("  %6d  %s\n", count, s->label[k]);
    }
    for (int i = 0; i < s->changes; i++) {
        const critical *c = &s->change[i];
        printf("  changes at %s = %.12g (by halving): %s", s->axis[0].name, c->value,
               s->label[c->below]);
        if (c->at >= 0) printf(" | %s", s->label[c->at]);
        printf(" | %s\n", s->label[c->above]);
    }
}

static void changes_to_json(cli_json *json, const sweep *s) {
    cli_json_array_begin(cli_json_key(json, "critical"));
    for (int i = 0; i < s->changes; i++) {
        const critical *c = &s->change[i];
        cli_json_object_begin(json);
        cli_json_number(cli_json_key(json, "value"), c->value);
        cli_json_text(cli_json_key(json, "below"), s->label[c->below]);
        cli_json_text(cli_json_key(json, "at"), c->at >= 0 ? s->label[c->at] : NULL);
        cli_json_text(cli_json_key(json, "above"), s->label[c->above]);
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
    for (int k = 0; k < s->kinds; k++) cli_json_text(json, s->label[k]);
    cli_json_array_end(json);
    cli_json_array_begin(cli_json_key(json, "map"));
    for (int i = 0; i < s->axis[0].count; i++) {
        if (s->axes == 2) cli_json_array_begin(json);
        for (int j = 0; j < second; j++) cli_json_integer(json, s->kind[i * second + j]);
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
                            .kind = s->kind,
                            .label = (const char *const *)s->label,
                            .kinds = s->kinds };
    return show_kinds_map(&map, caption, path, err);
}

// ---- the whole of it ----

// is A a parameter of the scene, or the particle's?
static void recognise_A(sweep *s) {
    cli_resting resting;
    for (int a = 0; a < s->axes; a++) {
        scree_findings findings = { 0 };
        scree_error err = { 0 };
        if (strcmp(s->axis[a].name, "A") != 0) continue;
        s->override[s->overrides] = "parameters.A=0";
        cli_resting_open(s->args->positional[0], s->override, s->overrides + 1, &resting, &findings,
                         &err);
        s->axis[a].is_A = findings.count > 0;
        cli_resting_close(&resting);
        scree_findings_free(&findings);
    }
}

static bool find_all(sweep *s) {
    size_t points = (size_t)points_of(s);
    s->kind = calloc(points, sizeof *s->kind);
    s->pieces = calloc(points, sizeof *s->pieces);
    s->low = calloc(points, sizeof *s->low);
    s->high = calloc(points, sizeof *s->high);
    bool fine = s->kind && s->pieces && s->low && s->high;
    if (!fine) scree_fail(&s->err, SCREE_NO_MEMORY, SCREE_NOWHERE, "out of memory");
    for (int p = 0; p < (int)points && fine; p++) fine = look_at(s, p);
    return fine && (s->axes == 2 || find_changes(s));
}

static void free_sweep(sweep *s) {
    for (int k = 0; k < s->kinds; k++) free(s->label[k]);
    free(s->axis[0].value);
    free(s->axis[1].value);
    free(s->kind);
    free(s->pieces);
    free(s->low);
    free(s->high);
    free(s->change);
    scree_findings_free(&s->findings);
}

static int report(sweep *s) {
    const char *path = cli_value(s->args, "output");
    bool json = cli_flag(s->args, "json");
    if (draw(s, &s->err)) return cli_equilibria_fail(s->args, &s->err);
    if (path && !write_csv(s, path)) {
        scree_fail(&s->err, SCREE_FILE_ERROR, SCREE_NOWHERE, "cannot write %s: %s", path,
                   strerror(errno));
        return cli_equilibria_fail(s->args, &s->err);
    }
    if (json)
        sweep_to_json(s);
    else if (!path || strcmp(path, "-") != 0)
        print_sweep(s);
    return CLI_DONE;
}

int cli_equilibria_sweep(const cli_args *args, double tolerance) {
    sweep *s = calloc(1, sizeof *s);
    int count, code = CLI_WRONG_USE;
    const char *const *overrides = cli_values(args, "set", &count);
    bool json = cli_flag(args, "json");
    if (!s) return cli_wrong_use(args, "out of memory");
    s->args = args;
    s->tolerance = tolerance;
    for (int i = 0; i < count && i < OVERRIDES - 2; i++) s->override[s->overrides++] = overrides[i];
    if (count > OVERRIDES - 2) {
        cli_wrong_use(args, "--sweep takes at most %d times --set", OVERRIDES - 2);
    } else if (json && cli_value(args, "output") && strcmp(cli_value(args, "output"), "-") == 0) {
        cli_wrong_use(args, "--json and --output - both want standard output");
    } else if (!read_axes(cli_value(args, "sweep"), s)) {
        cli_wrong_use(args,
                      "--sweep: expected NAME=LOW:HIGH:COUNT for one or two parameters, with 2 to "
                      "%d values, for example A=-1:1:41,mu=0:2:41; got \"%s\"",
                      POINTS_MAX, cli_value(args, "sweep"));
    } else if (s->axes == 2 && s->axis[0].count > POINTS_MAX / s->axis[1].count) {
        scree_fail(&s->err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                   "a sweep has at most %d points; %d x %d are too many", POINTS_MAX,
                   s->axis[0].count, s->axis[1].count);
        code = cli_equilibria_fail(s->args, &s->err);
    } else {
        recognise_A(s);
        if (find_all(s))
            code = report(s);
        else
            code = s->findings.count ? cli_complain(&s->findings, json)
                                     : cli_equilibria_fail(s->args, &s->err);
    }
    free_sweep(s);
    free(s);
    return code;
}
