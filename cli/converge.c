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
#include "cli/sweep.h"
#include "cli/text.h"
#include "show/canvas.h"
#include "show/converge.h"

enum { SPREAD_MAX = 100, NAMES = 32 };

static const double STEPS_MAX = 1e9;  // of the shortest step

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

static int read_schemes(cli_converge *c, const scree_simulation *simulation) {
    bool sweeping = !scree_simulation_integration(simulation).energies;
    const char *given = cli_value(c->args, "schemes");
    const scree_scheme own = scree_simulation_options(simulation)->scheme.name;
    if (!given) given = sweeping ? "catching-up" : scree_scheme_name(own);
    int code = cli_split(c->args, "schemes", given, &c->schemes);
    for (int i = 0; !code && i < c->schemes.count; i++)
        code = wrong_scheme(c->args, c->schemes.name[i], names_of_schemes(sweeping));
    c->options.scheme = c->schemes.name;
    c->options.schemes = c->schemes.count;
    return code;
}

// FIRST:COUNT
static int read_steps(cli_converge *c) {
    const char *given = cli_value(c->args, "steps");
    if (!given) return CLI_DONE;
    char *end;
    double first = strtod(given, &end);
    bool fine = end != given && *end == ':' && first > 0 && isfinite(first);
    const char *digits = end + 1;
    double count = fine ? strtod(digits, &end) : 0;
    fine = fine && end != digits && !*end && count >= 2 && count <= SCREE_CONVERGENCE_LEVELS &&
           count == floor(count);
    c->options.first = first;
    c->options.levels = (int)count;
    return fine ? CLI_DONE
                : cli_wrong_use(c->args,
                                "--steps wants the longest step and how many there are, each half "
                                "of the one before, from 2 to %d: for example 1e-2:6; got '%.60s'",
                                SCREE_CONVERGENCE_LEVELS, given);
}

// where the runs end: after whole numbers of the longest step
static int read_end(cli_converge *c, double duration) {
    const char *option = cli_value(c->args, "at") ? "at" : "duration";
    bool asked = cli_flag(c->args, option);
    double first = c->options.first;
    c->options.at_end = cli_flag(c->args, "at");
    if (c->options.at_end && cli_flag(c->args, "duration"))
        return cli_wrong_use(c->args, "--at is where the runs end: give no --duration beside it");
    if (!cli_number(c->args, option, CLI_POSITIVE, 1e300, &duration)) return CLI_WRONG_USE;
    double steps = duration / first, whole = nearbyint(steps);
    bool divides = fabs(steps - whole) <= 1e-9 * whole;
    if (!divides && steps < 1)
        return cli_wrong_use(c->args, "the longest step, %.9g, is longer than the runs, %.9g",
                             first, duration);
    if (!divides && asked)
        return cli_wrong_use(c->args,
                             "--%s %.9g is not a whole number of steps of %.9g: take %.9g or %.9g, "
                             "or other --steps",
                             option, duration, first, floor(steps) * first, ceil(steps) * first);
    steps = divides ? whole : floor(steps);
    if (ldexp(steps, c->options.levels) > STEPS_MAX)
        return cli_wrong_use(c->args, "the shortest step would be taken %.3g times, at most %.0e",
                             ldexp(steps, c->options.levels - 1), STEPS_MAX);
    c->options.coarse = (int64_t)steps;
    return CLI_DONE;
}

static scree_reference reference_of(const char *wanted) {
    return !wanted || strcmp(wanted, "auto") == 0 ? SCREE_REFERENCE_AUTO
           : strcmp(wanted, "self") == 0          ? SCREE_REFERENCE_SELF
                                                  : SCREE_REFERENCE_EVENT_DRIVEN;
}

// ---- figure ----

static scree_status draw(cli_converge *c, const char *path) {
    enum { LEVELS = SCREE_CONVERGENCE_LEVELS };
    const scree_convergence *found = &c->found;
    double h[CLI_NAMES][LEVELS], q[CLI_NAMES][LEVELS], v[CLI_NAMES][LEVELS];
    show_errors errors[CLI_NAMES];
    for (int s = 0; s < found->schemes; s++) {
        errors[s] = (show_errors){ found->ladder[s].scheme, h[s], q[s], v[s], found->levels };
        for (int i = 0; i < found->levels; i++) {
            h[s][i] = found->ladder[s].level[i].h;
            q[s][i] = found->ladder[s].level[i].error_q;
            v[s][i] = found->ladder[s].level[i].error_v;
        }
    }
    // the energy of the first scheme; a swept point has none
    const double *time[LEVELS], *energy[LEVELS];
    for (int i = 0; i < found->levels; i++) {
        time[i] = found->ladder[0].level[i].time;
        energy[i] = found->ladder[0].level[i].curve;
    }
    const show_energies energies = { .scheme = found->ladder[0].scheme,
                                     .h = h[0],
                                     .time = time,
                                     .energy = energy,
                                     .count = c->energies ? found->levels : 0,
                                     .samples = SCREE_CONVERGENCE_SAMPLES };
    char caption[400], means[60] = "";
    if (c->options.spread > 1)
        snprintf(means, sizeof means, "means over %d runs, ", c->options.spread);
    snprintf(caption, sizeof caption, "%.200s, %s t = %.9g %s, against %s, %sscree %s",
             c->args->positional[0], c->options.at_end ? "at" : "up to", found->end,
             scree_units_name(c->units, "s").text, found->self ? "half the step" : "event-driven",
             means, scree_version());
    return show_convergence(errors, found->schemes, &energies, c->options.at_end, c->units, caption,
                            path, &c->err);
}

// ---- the whole of it ----

// the schemes that took the scene, and the runs with an error to show
static int count_runs(const scree_convergence *found, int *opened) {
    int shown = 0;
    *opened = 0;
    for (int s = 0; s < found->schemes; s++) {
        *opened += found->ladder[s].opened;
        for (int i = 0; i < found->levels; i++) shown += !isnan(found->ladder[s].level[i].q.last);
    }
    return shown;
}

static int report(cli_converge *c) {
    bool json = cli_flag(c->args, "json");
    const char *plot = cli_value(c->args, "plot"), *output = cli_value(c->args, "output");
    int opened, shown = count_runs(&c->found, &opened);
    if (!opened) {
        scree_fail(&c->err, SCREE_BAD_INPUT, SCREE_NOWHERE, "no scheme takes the scene; %s: %.300s",
                   c->found.ladder[0].scheme, c->found.ladder[0].level[0].reason);
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

static bool on_progress(void *data, const char *what, int64_t done, int64_t total) {
    cli_converge *c = data;
    cli_progress_update(&c->progress, done, total, what);
    return cli_stop_asked();
}

static int converge(cli_converge *c, const scree_simulation *simulation) {
    bool json = cli_flag(c->args, "json");
    c->options = scree_convergence_options_default(simulation);
    c->units = scree_scene_units(scree_simulation_scene(simulation));
    c->energies = scree_simulation_integration(simulation).energies;
    c->options.reference = reference_of(cli_value(c->args, "reference"));
    if (read_schemes(c, simulation) || read_steps(c) ||
        read_end(c, scree_simulation_options(simulation)->duration) ||
        !cli_integer(c->args, "spread", 1, SPREAD_MAX, &c->options.spread))
        return CLI_WRONG_USE;

    scree_study study = cli_study(c->args);
    study.on_progress = on_progress;
    study.data = c;
    cli_catch_signals();
    c->progress = cli_progress_begin(stderr, cli_flag(c->args, "quiet"));
    scree_error err = { 0 };
    scree_status status = scree_convergence_find(&study, &c->options, &c->found, &err);
    cli_progress_end(&c->progress);
    if (!status) return report(c);
    bool refused = status == SCREE_BAD_INPUT && c->found.ladder && !c->found.ladder->scheme[0];
    scree_fail(&c->err, status, SCREE_NOWHERE, "%s%.460s", refused ? "--reference " : "", err.text);
    return cli_fail(&c->err, json);
}

int cli_converge_main(const cli_args *args) {
    const char *plot = cli_value(args, "plot");
    bool json = cli_flag(args, "json");
    scree_canvas_format format;
    cli_converge c = { .args = args };
    if (cli_output_taken(args)) return CLI_WRONG_USE;
    // a wrong name is told before the work, not after it
    if (plot && scree_canvas_format_of(plot, &format, &c.err)) return cli_fail(&c.err, json);

    int count, code;
    const char *const *overrides = cli_values(args, "set", &count);
    scree_findings findings = { 0 };
    scree_simulation *simulation = cli_open_scene(args->positional[0], overrides, count, &findings);
    code = simulation ? converge(&c, simulation) : cli_complain(&findings, json);
    scree_findings_free(&findings);
    scree_simulation_free(simulation);
    scree_convergence_free(&c.found);
    return code;
}
