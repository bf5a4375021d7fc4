// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// converge.c - scree converge: how fast the errors of schemes fall with the step.
// docs/convergence.md says what is measured and why.

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/suggestion.h"
#include "cli/converge.h"
#include "cli/text.h"
#include "show/canvas.h"
#include "show/converge.h"

enum { DEFAULT_LEVELS = 5, SPREAD_MAX = 100, NAMES = 32 };

static const double DEFAULT_COARSER = 8;  // the longest step, in steps of the scene
static const double STEPS_MAX = 1e9;      // of the shortest step

// ---- what to run ----

// the row of a key; sections by their rows
static const scree_schema_row *row_of(const scree_schema_row *rows, const char *key) {
    for (; rows->key; rows++)
        if (strcmp(rows->key, key) == 0) return rows;
    return NULL;
}

// the names that the scene language has for schemes, or for the methods of a sweeping process
static const char *names_of_schemes(bool sweeping) {
    const scree_schema_row *row = row_of(scree_schema(), sweeping ? "method" : "scheme");
    if (row && !sweeping) row = row_of(row->rows, "name");
    return row ? row->choices : "";
}

static int wrong_scheme(const cli_args *args, const char *word, const char *choices) {
    char name[NAMES][80], list[400], shown[120];
    const char *candidate[NAMES], *choice, *cursor = choices;
    size_t length;
    int count = 0;
    while (count < NAMES && cli_next_choice(&cursor, &choice, &length)) {
        snprintf(name[count], sizeof name[count], "%.*s", (int)length, choice);
        if (strcmp(name[count], word) == 0) return CLI_DONE;
        candidate[count] = name[count];
        count++;
    }
    const char *near = scree_suggestion(word, candidate, count);
    cli_tidy(word, 60, shown, sizeof shown);
    if (near) return cli_wrong_use(args, "unknown scheme '%s'; did you mean '%s'?", shown, near);
    return cli_wrong_use(args, "unknown scheme '%s'; there are %s", shown,
                         cli_list_choices(choices, list, sizeof list));
}

static int read_schemes(cli_converge *c, const char *given, const char *choices) {
    c->ladder = calloc(CLI_SCHEMES, sizeof *c->ladder);
    if (!c->ladder) return cli_wrong_use(c->args, "out of memory");
    while (*given) {
        size_t length = strcspn(given, ",");
        char *name = c->ladder[c->schemes].scheme;
        if (c->schemes == CLI_SCHEMES || length == 0 || length >= sizeof c->ladder[0].scheme)
            return cli_wrong_use(c->args, "--schemes wants 1 to %d names with commas between them",
                                 CLI_SCHEMES);
        snprintf(name, sizeof c->ladder[0].scheme, "%.*s", (int)length, given);
        if (wrong_scheme(c->args, name, choices)) return CLI_WRONG_USE;
        c->schemes++;
        given += length + (given[length] == ',');
    }
    return c->schemes ? CLI_DONE : cli_wrong_use(c->args, "--schemes is empty");
}

// FIRST:COUNT
static int read_steps(cli_converge *c, double scene_step) {
    const char *given = cli_value(c->args, "steps");
    c->first = DEFAULT_COARSER * scene_step;
    c->levels = DEFAULT_LEVELS;
    if (!given) return CLI_DONE;
    char *end;
    c->first = strtod(given, &end);
    bool fine = end != given && *end == ':' && c->first > 0 && isfinite(c->first);
    const char *digits = end + 1;
    double count = fine ? strtod(digits, &end) : 0;
    fine = fine && end != digits && !*end && count >= 2 && count <= CLI_LEVELS &&
           count == floor(count);
    c->levels = (int)count;
    return fine ? CLI_DONE
                : cli_wrong_use(c->args,
                                "--steps wants the longest step and how many there are, each half "
                                "of the one before, from 2 to %d: for example 1e-2:6; got '%.60s'",
                                CLI_LEVELS, given);
}

// where the runs end: after whole numbers of the longest step
static int read_end(cli_converge *c, double duration) {
    const char *option = cli_value(c->args, "at") ? "at" : "duration";
    bool asked = cli_flag(c->args, option);
    c->at_end = cli_flag(c->args, "at");
    if (c->at_end && cli_flag(c->args, "duration"))
        return cli_wrong_use(c->args, "--at is where the runs end: give no --duration beside it");
    if (!cli_number(c->args, option, CLI_POSITIVE, 1e300, &duration)) return CLI_WRONG_USE;
    double steps = duration / c->first, whole = nearbyint(steps);
    bool divides = fabs(steps - whole) <= 1e-9 * whole;
    if (!divides && steps < 1)
        return cli_wrong_use(c->args, "the longest step, %.9g, is longer than the runs, %.9g",
                             c->first, duration);
    if (!divides && asked)
        return cli_wrong_use(c->args,
                             "--%s %.9g is not a whole number of steps of %.9g: take %.9g or %.9g, "
                             "or other --steps",
                             option, duration, c->first, floor(steps) * c->first,
                             ceil(steps) * c->first);
    steps = divides ? whole : floor(steps);
    if (ldexp(steps, c->levels) > STEPS_MAX)
        return cli_wrong_use(c->args, "the shortest step would be taken %.3g times, at most %.0e",
                             ldexp(steps, c->levels - 1), STEPS_MAX);
    c->coarse = (int64_t)steps;
    c->end = steps * c->first;
    return CLI_DONE;
}

// does the event-driven scheme take the scene? if not, why
static bool takes_events(const cli_converge *c, char *why, size_t size) {
    int count;
    const char *const *given = cli_values(c->args, "set", &count);
    const char **override = calloc((size_t)count + 1, sizeof *override);
    snprintf(why, size, override ? "a sweeping process has no events" : "out of memory");
    if (!override || strcmp(c->key, "scheme.name") != 0) {
        free(override);
        return false;
    }
    for (int i = 0; i < count; i++) override[i] = given[i];
    override[count] = "scheme.name=event-driven";
    scree_findings findings = { 0 };
    scree_simulation *simulation =
        cli_open_scene(c->args->positional[0], override, count + 1, &findings);
    bool takes = simulation != NULL;
    snprintf(why, size, "%.440s", findings.count ? findings.item[0].text : "out of memory");
    scree_simulation_free(simulation);
    scree_findings_free(&findings);
    free(override);
    return takes;
}

static scree_status choose_reference(cli_converge *c) {
    const char *wanted = cli_value(c->args, "reference");
    char why[480];
    if (wanted && strcmp(wanted, "self") == 0) {
        c->self = true;
    } else if (!takes_events(c, why, sizeof why)) {
        if (wanted && strcmp(wanted, "event-driven") == 0)
            return scree_fail(&c->err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                              "--reference event-driven is not for this scene: %.400s", why);
        c->self = true;
        snprintf(c->why_self, sizeof c->why_self, "%s", why);
    }
    return SCREE_OK;
}

// ---- figure ----

static scree_status draw(cli_converge *c, const char *path) {
    double h[CLI_SCHEMES][CLI_LEVELS], q[CLI_SCHEMES][CLI_LEVELS], v[CLI_SCHEMES][CLI_LEVELS];
    show_errors errors[CLI_SCHEMES];
    for (int s = 0; s < c->schemes; s++) {
        errors[s] = (show_errors){ c->ladder[s].scheme, h[s], q[s], v[s], c->levels };
        for (int i = 0; i < c->levels; i++) {
            h[s][i] = c->ladder[s].level[i].h;
            q[s][i] = cli_error_q(c, &c->ladder[s].level[i]);
            v[s][i] = cli_error_v(c, &c->ladder[s].level[i]);
        }
    }
    char caption[400], means[60] = "";
    if (c->spread > 1) snprintf(means, sizeof means, "means over %d runs, ", c->spread);
    snprintf(caption, sizeof caption, "%.200s, %s t = %.9g s, against %s, %sscree %s",
             c->args->positional[0], c->at_end ? "at" : "up to", c->end,
             c->self ? "half the step" : "event-driven", means, scree_version());
    return show_convergence(errors, c->schemes, c->at_end, caption, path, &c->err);
}

// ---- the whole of it ----

static int measure(cli_converge *c, bool may_change) {
    scree_status status = SCREE_OK;
    c->done = 0;
    c->reference_failed = false;
    c->total = cli_converge_steps(c) * c->schemes;
    for (int s = 0; !status && s < c->schemes; s++) status = cli_converge_run(c, &c->ladder[s]);
    if (!c->reference_failed || !may_change || c->self) return (int)status;

    // a reference that was not asked for and did not reach the end
    c->self = true;
    snprintf(c->why_self, sizeof c->why_self, "%s", c->err.text);
    return measure(c, false);
}

// the schemes that took the scene, and the runs with an error to show
static int count_runs(const cli_converge *c, int *opened) {
    int shown = 0;
    *opened = 0;
    for (int s = 0; s < c->schemes; s++) {
        bool any = false;
        for (int i = 0; i < c->levels; i++) {
            any |= c->ladder[s].level[i].opened;
            shown += !isnan(c->ladder[s].level[i].q.last);
        }
        *opened += any;
    }
    return shown;
}

static int report(cli_converge *c) {
    bool json = cli_flag(c->args, "json");
    const char *plot = cli_value(c->args, "plot"), *output = cli_value(c->args, "output");
    int opened, shown = count_runs(c, &opened);
    if (!opened) {
        scree_fail(&c->err, SCREE_BAD_INPUT, SCREE_NOWHERE, "no scheme takes the scene; %s: %.300s",
                   c->ladder[0].scheme, c->ladder[0].level[0].reason);
        return cli_fail(&c->err, json);
    }
    if (plot && shown && draw(c, plot)) return cli_fail(&c->err, json);
    if (output && !cli_converge_csv(c, output)) {
        scree_fail(&c->err, SCREE_FILE_ERROR, SCREE_NOWHERE, "cannot write %s: %s", output,
                   strerror(errno));
        return cli_fail(&c->err, json);
    }
    if (json)
        cli_converge_json(c);
    else if (!output || strcmp(output, "-") != 0)
        cli_converge_print(c);
    if (!shown) fprintf(stderr, "error: no run could be compared%s\n", plot ? ", no figure" : "");
    return shown ? CLI_DONE : CLI_SAYS_NO;
}

static int converge(cli_converge *c, const scree_simulation *simulation) {
    const scree_run_options *options = scree_simulation_options(simulation);
    scree_integration about = scree_simulation_integration(simulation);
    bool sweeping = !about.energies, json = cli_flag(c->args, "json");
    const char *schemes = cli_value(c->args, "schemes");
    c->key = about.method_key;
    if (!schemes) schemes = sweeping ? "catching-up" : scree_scheme_name(options->scheme.name);
    if (read_schemes(c, schemes, names_of_schemes(sweeping)) ||
        read_steps(c, options->scheme.step) || read_end(c, options->duration) ||
        !cli_integer(c->args, "spread", 1, SPREAD_MAX, &c->spread))
        return CLI_WRONG_USE;
    if (choose_reference(c)) return cli_fail(&c->err, json);

    cli_catch_signals();
    c->progress = cli_progress_begin(stderr, cli_flag(c->args, "quiet"));
    const char *wanted = cli_value(c->args, "reference");
    int status = measure(c, !wanted || strcmp(wanted, "auto") == 0);
    cli_progress_end(&c->progress);
    return status ? cli_fail(&c->err, json) : report(c);
}

int cli_converge_main(const cli_args *args) {
    const char *output = cli_value(args, "output"), *plot = cli_value(args, "plot");
    bool json = cli_flag(args, "json");
    scree_canvas_format format;
    cli_converge c = { .args = args, .spread = 1 };
    if (json && output && strcmp(output, "-") == 0)
        return cli_wrong_use(args, "--json and --output - both want standard output");
    // a wrong name is told before the work, not after it
    if (plot && scree_canvas_format_of(plot, &format, &c.err)) return cli_fail(&c.err, json);

    int count, code;
    const char *const *overrides = cli_values(args, "set", &count);
    scree_findings findings = { 0 };
    scree_simulation *simulation = cli_open_scene(args->positional[0], overrides, count, &findings);
    code = simulation ? converge(&c, simulation) : cli_complain(&findings, json);
    scree_findings_free(&findings);
    scree_simulation_free(simulation);
    free(c.ladder);
    return code;
}
