// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// run.c - scree run: simulate a scene, or go on with a run.

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/progress.h"
#include "cli/serve.h"
#include "show/page.h"

static const char LONGER[] = "scheme.duration=";  // what a run that goes on may be told

enum { STEPS_MOST = 1000 };  // that --when names

typedef struct watcher {
    cli_progress progress;
    int64_t total;
    const cli_args *args;
    const char *shown;  // run file of the live view, NULL: none is wanted
    pid_t view;         // its process, 0: none yet
} watcher;

static int on_step(void *data, const scree_simulation *simulation) {
    watcher *w = data;
    if (w->shown && !w->view) w->view = cli_serve_beside(w->args, w->shown);
    if (w->progress.stream)
        cli_progress_update(&w->progress, scree_simulation_state(simulation)->step, w->total, NULL);
    return cli_stop_asked();
}

// the simulation that a run file holds, and the energy it began with
static scree_simulation *open_run(const cli_args *args, double *energy_start, int64_t *steps,
                                  scree_findings *findings) {
    int count;
    const char *path = cli_value(args, "resume");
    const char *const *set = cli_values(args, "set", &count);
    scree_error err = { 0 };
    scree_run_reader *reader;
    if (scree_run_reader_open(path, &reader, &err)) {
        scree_findings_take(findings, (scree_source_location){ path, 0, 0 }, &err);
        return NULL;
    }
    scree_simulation *simulation =
        scree_run_simulation_to(reader, count ? set[count - 1] : NULL, findings);
    if (simulation) *energy_start = scree_simulation_energy(simulation);
    *steps = reader->steps - 1;
    scree_run_reader_close(reader);
    if (simulation && count && scree_simulation_steps(simulation) < *steps) {
        scree_findings_add(findings, (scree_source_location){ path, 0, 0 },
                           "has %lld steps already: a run can be made longer, not shorter",
                           (long long)*steps);
        scree_simulation_free(simulation);
        return NULL;
    }
    return simulation;
}

static scree_simulation *open_scene(const cli_args *args, double *energy_start,
                                    scree_findings *findings) {
    int count;
    const char *const *overrides = cli_values(args, "set", &count);
    scree_simulation *simulation = cli_open_scene(args->positional[0], overrides, count, findings);
    if (simulation) *energy_start = scree_simulation_energy(simulation);
    return simulation;
}

// the run file: as it is told, or called like the scene; to be freed
static char *path_of_run(const cli_args *args) {
    const char *given =
        cli_flag(args, "resume") ? cli_value(args, "resume") : cli_value(args, "output");
    if (given) return strdup(given);
    size_t size = strlen(args->positional[0]) + 16;  // "-" is called stdin
    char *path = malloc(size);
    if (!path) return NULL;
    cli_scene_stem(args->positional[0], path, size - 4);
    strcat(path, ".h5");
    return path;
}

static bool read_number(const char **word, int64_t *number) {
    char *end;
    if (!isdigit((unsigned char)**word)) return false;
    errno = 0;
    *number = strtoll(*word, &end, 10);
    *word = end;
    return !errno && *number >= 1;
}

// N,M,...; returns how many, 0 for what is not that, at most so many
static int read_steps(const char *word, int64_t *step, int most) {
    int count = 0;
    while (count < most && read_number(&word, &step[count])) {
        count++;
        if (!*word) return count;
        if (*word++ != ',') return 0;
    }
    return 0;
}

// --when: unconverged, all, every:N, or step:N,M,...
static bool read_when(const char *word, int64_t *step, scree_run_dump *dump) {
    static const char every[] = "every:", single[] = "step:";
    dump->every = dump->steps = 0;
    if (!word || strcmp(word, "unconverged") == 0) return true;
    if (strncmp(word, single, strlen(single)) == 0) {
        dump->step = step;
        dump->steps = read_steps(word + strlen(single), step, STEPS_MOST);
        return dump->steps > 0;
    }
    dump->every = 1;
    if (strcmp(word, "all") == 0) return true;
    if (strncmp(word, every, strlen(every)) != 0) return false;
    int64_t number;
    word += strlen(every);
    if (!read_number(&word, &number) || *word || number > INT_MAX) return false;
    dump->every = (int)number;
    return true;
}

static int wrong_dump(const cli_args *args) {
    scree_run_dump dump;
    int64_t step[STEPS_MOST];
    const char *when = cli_value(args, "when"), *folder = cli_value(args, "dump-problems");
    if (folder && !*folder)
        return cli_wrong_use(args, "--dump-problems needs the name of a folder");
    if (when && !folder) return cli_wrong_use(args, "--when goes with --dump-problems DIR");
    if (!read_when(when, step, &dump))
        return cli_wrong_use(args,
                             "--when must be unconverged, all, every:N or step:N,M,... with "
                             "whole numbers from 1, got '%.60s'",
                             when);
    return CLI_DONE;
}

static int wrong_mix(const cli_args *args) {
    int count;
    const char *const *set = cli_values(args, "set", &count);
    bool resume = cli_flag(args, "resume");
    if (!resume && args->positionals != 1)
        return cli_wrong_use(args, "expected a SCENE, or --resume RUN");
    if (resume && (args->positionals || cli_flag(args, "output") || cli_flag(args, "no-store")))
        return cli_wrong_use(args,
                             "--resume takes scene, settings and file from the run: give "
                             "nothing beside it but --set scheme.duration=...");
    for (int i = 0; resume && i < count; i++)
        if (strncmp(set[i], LONGER, strlen(LONGER)) != 0)
            return cli_wrong_use(args,
                                 "--resume goes on bit for bit with the scene and the settings of "
                                 "the run: %s... alone can be set, got '%.60s'",
                                 LONGER, set[i]);
    if (cli_flag(args, "output") && !*cli_value(args, "output"))
        return cli_wrong_use(args, "--output needs the name of a file");
    static const char *const of_file[] = { "output", "html", "show" };
    for (int k = 0; k < 3; k++)
        if (cli_flag(args, of_file[k]) && cli_flag(args, "no-store"))
            return cli_wrong_use(args, "--%s and --no-store do not go together", of_file[k]);
    if ((cli_flag(args, "wait") || cli_flag(args, "no-open")) && !cli_flag(args, "show"))
        return cli_wrong_use(args, "--wait and --no-open go with --show");
    double wait = 0;
    if (!cli_read_number(args, "wait", 0, &wait)) return CLI_WRONG_USE;
    return wrong_dump(args);
}

static void tell(const cli_args *args, const scree_simulation *simulation, double energy_start,
                 double wall, const char *path, scree_status status, const char *message) {
    if (cli_flag(args, "json")) {
        cli_json json = cli_json_begin(stdout);
        cli_report_json(simulation, energy_start, wall, path, status, message, &json);
        cli_json_end(&json);
    } else if (!status && !cli_flag(args, "quiet")) {
        cli_report(simulation, energy_start, wall, path, stdout);
    }
}

// standard output is the report's, or the document's
static void tell_dump(const cli_args *args, const scree_run_dump *dump) {
    char text[800];
    if (!dump->folder) return;
    scree_error_format(&dump->failure, text, sizeof text);
    if (dump->failure.status) fprintf(stderr, "%s\n", text);
    if (!cli_flag(args, "quiet"))
        fprintf(stderr, "%lld contact problem(s) written to %s\n", (long long)dump->written,
                dump->folder);
}

// a disk that was full in the middle of a run, whose file can be read as far as it got
static void tell_file(const char *path, bool began) {
    scree_error err = { 0 };
    scree_run_reader *reader;
    if (!began || scree_run_reader_open(path, &reader, &err)) return;
    scree_run_reader_close(reader);
    fprintf(stderr,
            "the run as far as it was stored is in %s; when it can be written again, go on with: "
            "scree run --resume %s\n",
            path, path);
}

// all steps were taken, but it sank, missed or created energy, and its scene does not allow that
static bool is_wrong(const scree_simulation *simulation) {
    scree_warning warning[SCREE_WARNINGS];
    int warnings = scree_simulation_run_warnings(simulation, warning);
    for (int i = 0; i < warnings; i++)
        if (!warning[i].allowed) return true;
    return false;
}

// a run of which nothing else is told says at least why it failed
static void tell_quietly(const scree_simulation *simulation) {
    scree_warning warning[SCREE_WARNINGS];
    int warnings = scree_simulation_run_warnings(simulation, warning);
    for (int i = 0; i < warnings; i++)
        if (!warning[i].allowed) fprintf(stderr, "warning: %s\n", warning[i].text);
}

static void tell_advice(const scree_simulation *simulation) {
    const scree_refusal *refusal = scree_simulation_refusal(simulation);
    if (!refusal || !*refusal->advice) return;
    bool accepts = refusal->reason != SCREE_REFUSED_LEDGER && refusal->contacts;
    fprintf(stderr, "what can be done: %s%s\n", refusal->advice,
            accepts ? "; solver.unconverged=accept goes on and counts such steps" : "");
}

// the page that plays the run, also one that was refused: what is stored of it
static bool write_page(const cli_args *args, const char *path) {
    scree_error err = { 0 };
    scree_run_reader *reader;
    const show_page_options options = show_page_options_default();
    show_page_report report;
    scree_status status = scree_run_reader_open(path, &reader, &err);
    if (!status) {
        status = show_page_write(reader, &options, cli_value(args, "html"), &report, &err);
        scree_run_reader_close(reader);
    }
    if (status)
        cli_fail(&err, false);
    else if (!cli_flag(args, "quiet"))
        fprintf(stderr, "page that plays it: %s\n", cli_value(args, "html"));
    return !status;
}

int cli_run(const cli_args *args) {
    if (wrong_mix(args)) return CLI_WRONG_USE;
    double energy_start = 0, wall = 0;
    int64_t steps_before = 0;
    scree_findings findings = { 0 };
    const char *resume = cli_value(args, "resume");
    const char *known = resume ? resume : cli_value(args, "output");
    scree_error taken = { 0 };
    scree_run_claim *claim = NULL;
    // before a long run is read or built; what else may be wrong with the file is told later
    if (resume) scree_run_claim_take(resume, &claim, &taken);
    if (!claim && known && !cli_flag(args, "check-equilibrium") &&
        scree_run_check_writer(known, &taken))
        return cli_fail(&taken, cli_flag(args, "json"));
    scree_simulation *simulation = resume ? open_run(args, &energy_start, &steps_before, &findings)
                                          : open_scene(args, &energy_start, &findings);
    if (!simulation) {
        int status = cli_complain(&findings, cli_flag(args, "json"));
        scree_findings_free(&findings);
        scree_run_claim_release(claim);
        return status;
    }
    cli_warn(simulation);

    if (cli_flag(args, "plot") && !cli_flag(args, "check-equilibrium")) {
        scree_run_claim_release(claim);
        scree_simulation_free(simulation);
        return cli_wrong_use(args,
                             "--plot goes with --check-equilibrium; a run is drawn by "
                             "scree plot");
    }
    if (cli_flag(args, "check-equilibrium")) {
        int code = cli_check_equilibrium(args, simulation);
        scree_run_claim_release(claim);
        scree_simulation_free(simulation);
        return code;
    }
    char *path = path_of_run(args);
    scree_error err = { 0 };
    if (!path) {
        scree_fail(&err, SCREE_NO_MEMORY, SCREE_NOWHERE, "out of memory");
        scree_run_claim_release(claim);
        scree_simulation_free(simulation);
        return cli_fail(&err, cli_flag(args, "json"));
    }
    cli_catch_signals();
    watcher w = { cli_progress_begin(stderr, cli_flag(args, "quiet")),
                  scree_simulation_steps(simulation), args, cli_flag(args, "show") ? path : NULL,
                  0 };
    const char *stored = cli_flag(args, "no-store") ? NULL : path;
    scree_run_dump dump = { .folder = cli_value(args, "dump-problems") };
    int64_t step[STEPS_MOST];
    read_when(cli_value(args, "when"), step, &dump);
    scree_simulation_interrupt(simulation, cli_stop_flag());
    scree_run_request request = { .path = stored,
                                  .resume = resume != NULL,
                                  .claim = claim,
                                  .on_step = on_step,
                                  .data = &w,
                                  .dump = dump.folder ? &dump : NULL };
    scree_status status = scree_run(simulation, &request, &wall, &err);
    cli_progress_end(&w.progress);
    tell(args, simulation, energy_start, wall, stored, status, status ? err.text : NULL);
    int code = status ? cli_fail(&err, false) : is_wrong(simulation) ? CLI_SAYS_NO : CLI_DONE;
    if (!status && cli_flag(args, "quiet") && !cli_flag(args, "json")) tell_quietly(simulation);
    tell_dump(args, &dump);
    if (status == SCREE_INTERRUPTED && stored)
        fprintf(stderr, "the run so far is in %s; go on with: scree run --resume %s\n", path, path);
    if (status == SCREE_FILE_ERROR && stored)
        tell_file(path, scree_simulation_state(simulation)->step > steps_before);
    if (status == SCREE_UNCONVERGED && stored)
        fprintf(stderr, "the run up to there is in %s\n", path);
    tell_advice(simulation);
    if (resume && !status && steps_before == w.total)
        fprintf(stderr, "%s was finished already: there was nothing to do\n", path);
    scree_simulation_free(simulation);
    if (cli_value(args, "html") && !write_page(args, path)) code = code ? code : CLI_SAYS_NO;
    // a run that was refused at once, or had nothing left to do, is looked at, too
    if (w.shown && !w.view && status != SCREE_FILE_ERROR) w.view = cli_serve_beside(args, path);
    if (w.view) cli_serve_wait(w.view);
    free(path);
    return code;
}
