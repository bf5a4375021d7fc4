// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// sweep_command.c - scree sweep: runs of many values side by side, their table and a figure.

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/progress.h"
#include "cli/sweep.h"
#include "cli/text.h"
#include "show/chart.h"

enum { JOBS_MOST = 256 };

static const char *const number_label[SCREE_SWEEP_NUMBERS] = {
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

static const char *number_name(int number) {
    return scree_sweep_number_name((scree_sweep_number)number);
}

typedef struct sweep {
    const cli_args *args;
    scree_sweep plan;
    char *table;                   // owned; where it goes
    scree_sweep_summary *summary;  // owned (runs)
    pid_t process[JOBS_MOST];      // at work (jobs), 0: none
    int of[JOBS_MOST];             // and its run
    int jobs;
} sweep;

// ---- what is asked for ----

// of run files and summaries, beside the table; to be freed
static char *name_folder(const cli_args *args) {
    const char *output = cli_value(args, "output");
    char stem[300];
    cli_scene_stem(args->positional[0], stem, sizeof stem);
    const char *dot = output ? strrchr(output, '.') : NULL;
    size_t length = !output                    ? 0
                    : dot && !strchr(dot, '/') ? (size_t)(dot - output)
                                               : strlen(output);
    return output ? cli_path("%.*s.runs", (int)length, output) : cli_path("%s-sweep.runs", stem);
}

// on false the complaint is written
static bool read_plan(const cli_args *args, scree_sweep *plan) {
    int count;
    const char *const *set = cli_values(args, "set", &count);
    const scree_study study = { .open = cli_open_scene, .scene = args->positional[0] };
    scree_error err = { 0 };
    *plan = scree_sweep_default(&study);
    plan->store = !cli_flag(args, "no-store");
    plan->retry = cli_flag(args, "retry");
    plan->interrupt = cli_stop_flag();
    plan->folder = name_folder(args);
    if (!plan->folder) return false;
    if (strcmp(plan->scene, "-") == 0) {
        cli_wrong_use(args, "a sweep reads its scene again and again: give it a file");
        return false;
    }
    scree_status status = SCREE_OK;
    for (int i = 0; !status && i < count; i++) status = scree_sweep_add(plan, set[i], &err);
    if (status) cli_wrong_use(args, "--set: %s", err.text);
    return !status;
}

// ---- runs ----

static bool is_done(const sweep *s, int run) {
    const scree_sweep_summary *summary = &s->summary[run];
    return summary->status[0] && !(s->plan.retry && strcmp(summary->status, "done"));
}

// this program again, as a worker that has one line to read
static pid_t start_worker(const sweep *s, int run) {
    char line[SCREE_SWEEP_LINE];
    int ends[2];
    const char *output = cli_value(s->args, "output");
    if (!scree_sweep_line(&s->plan, run, line) || pipe(ends)) return -1;
    pid_t child = fork();
    if (child == 0) {
        const char *word[10] = { "scree", "sweep", s->plan.scene, "--worker" };
        int count = 4;
        if (output) {
            word[count++] = "--output";
            word[count++] = output;
        }
        if (!s->plan.store) word[count++] = "--no-store";
        dup2(ends[0], STDIN_FILENO);
        close(ends[0]);
        close(ends[1]);
        execv("/proc/self/exe", (char *const *)word);
        _exit(127);
    }
    close(ends[0]);
    size_t length = strlen(line);
    line[length] = '\n';
    // one that has ended already reads nothing, and its status says why
    if (child > 0 && write(ends[1], line, length + 1) < 0 && errno != EPIPE) child = -1;
    close(ends[1]);
    return child;
}

// what a worker left behind, or what became of it
static void take(sweep *s, int run, int status) {
    char line[SCREE_SWEEP_LINE], message[120];
    scree_sweep_line(&s->plan, run, line);
    bool there = scree_sweep_read(&s->plan, line, &s->summary[run]);
    if (there || cli_stop_asked()) return;
    if (WIFSIGNALED(status))
        snprintf(message, sizeof message, "the process was ended by signal %d (%s)",
                 WTERMSIG(status), strsignal(WTERMSIG(status)));
    else
        snprintf(message, sizeof message, "the process ended with status %d and left no summary",
                 WEXITSTATUS(status));
    scree_sweep_mark(&s->plan, line, message, NULL);
    if (scree_sweep_read(&s->plan, line, &s->summary[run])) return;
    snprintf(s->summary[run].status, sizeof s->summary[run].status, "crashed");
    snprintf(s->summary[run].message, sizeof s->summary[run].message, "%s", message);
}

static int wait_one(sweep *s) {
    int status;
    pid_t ended = waitpid(-1, &status, 0);
    if (ended < 0) return 0;
    for (int k = 0; k < s->jobs; k++)
        if (s->process[k] == ended) {
            s->process[k] = 0;
            take(s, s->of[k], status);
            return 1;
        }
    return 0;
}

static bool run_all(sweep *s) {
    cli_progress progress = cli_progress_begin(stderr, cli_flag(s->args, "quiet"));
    int next = 0, working = 0, done = 0;
    bool fine = true, stopped = false;
    for (int i = 0; i < s->plan.runs; i++) done += is_done(s, i);
    while (fine) {
        while (next < s->plan.runs && is_done(s, next)) next++;
        for (int k = 0; cli_stop_asked() && !stopped && k < s->jobs; k++)
            if (s->process[k] > 0) kill(s->process[k], SIGTERM);
        stopped = cli_stop_asked();
        if (next < s->plan.runs && working < s->jobs && !stopped) {
            int k = 0;
            while (s->process[k]) k++;
            s->of[k] = next;
            s->process[k] = start_worker(s, next++);
            fine = s->process[k] > 0;
            if (!fine) s->process[k] = 0;
            working += fine;
            continue;
        }
        if (!working) break;
        int ended = wait_one(s);
        working -= ended;
        done += ended;
        cli_progress_update(&progress, done, s->plan.runs, NULL);
    }
    cli_progress_end(&progress);
    if (!fine) fprintf(stderr, "error: a run cannot be started: %s\n", strerror(errno));
    return fine;
}

// ---- tables ----

static const char *word_of(const sweep *s, int run, int axis) {
    int place[SCREE_SWEEP_AXES];
    scree_sweep_point(&s->plan, run, place);
    return s->plan.axis[axis].word[place[axis]];
}

static bool is_numeric(const scree_sweep_axis *axis) {
    for (int i = 0; i < axis->count; i++)
        if (isnan(axis->number[i])) return false;
    return true;
}

static void write_csv(const void *what, FILE *stream) {
    const sweep *s = what;
    fprintf(stream, "run");
    for (int a = 0; a < s->plan.axes; a++) fprintf(stream, ",%s", s->plan.axis[a].path);
    fprintf(stream, ",status,verdict");
    for (int k = 0; k < SCREE_SWEEP_NUMBERS; k++) fprintf(stream, ",%s", number_name(k));
    fprintf(stream, ",message\n");
    for (int i = 0; i < s->plan.runs; i++) {
        const scree_sweep_summary *summary = &s->summary[i];
        fprintf(stream, "%d", i + 1);
        for (int a = 0; a < s->plan.axes; a++) {
            putc(',', stream);
            cli_text_csv(word_of(s, i, a), stream);
        }
        fprintf(stream, ",%s,%s", summary->status[0] ? summary->status : "missing",
                summary->verdict);
        for (int k = 0; k < SCREE_SWEEP_NUMBERS; k++) {
            putc(',', stream);
            if (!isnan(summary->value[k])) fprintf(stream, "%.17g", summary->value[k]);
        }
        putc(',', stream);
        cli_text_csv(summary->message, stream);
        putc('\n', stream);
    }
}

static void write_json(const void *what, FILE *stream) {
    const sweep *s = what;
    cli_json document = cli_json_begin(stream), *json = &document;
    cli_json_object_begin(json);
    cli_json_text(cli_json_key(json, "scene"), s->plan.scene);
    cli_json_text(cli_json_key(json, "folder"), s->plan.folder);
    cli_json_array_begin(cli_json_key(json, "parameters"));
    for (int a = 0; a < s->plan.axes; a++) cli_json_text(json, s->plan.axis[a].path);
    cli_json_array_end(json);
    cli_json_array_begin(cli_json_key(json, "runs"));
    for (int i = 0; i < s->plan.runs; i++) {
        const scree_sweep_summary *summary = &s->summary[i];
        int place[SCREE_SWEEP_AXES];
        scree_sweep_point(&s->plan, i, place);
        cli_json_object_begin(json);
        cli_json_integer(cli_json_key(json, "run"), i + 1);
        cli_json_array_begin(cli_json_key(json, "values"));
        for (int a = 0; a < s->plan.axes; a++) {
            const scree_sweep_axis *axis = &s->plan.axis[a];
            if (isnan(axis->number[place[a]]))
                cli_json_text(json, axis->word[place[a]]);
            else
                cli_json_number(json, axis->number[place[a]]);
        }
        cli_json_array_end(json);
        cli_json_text(cli_json_key(json, "status"),
                      summary->status[0] ? summary->status : "missing");
        cli_json_text(cli_json_key(json, "verdict"), summary->verdict);
        cli_json_text(cli_json_key(json, "message"), summary->message);
        for (int k = 0; k < SCREE_SWEEP_NUMBERS; k++)
            cli_json_number(cli_json_key(json, number_name(k)), summary->value[k]);
        cli_json_object_end(json);
    }
    cli_json_array_end(json);
    cli_json_object_end(json);
    cli_json_end(json);
}

static bool ends_with(const char *path, const char *ending) {
    const char *dot = strrchr(path, '.');
    return dot && strcmp(dot, ending) == 0;
}

// a table in HDF5 replaces nothing but such a table, which is better told before than after
static int check_table(const char *path) {
    scree_error err = { 0 };
    if (ends_with(path, ".csv") || ends_with(path, ".json")) return CLI_DONE;
    return scree_study_table_check(path, &err) ? cli_fail(&err, false) : CLI_DONE;
}

static int save(const sweep *s, const char *path) {
    scree_error err = { 0 };
    bool csv = ends_with(path, ".csv");
    if (!csv && !ends_with(path, ".json"))
        return scree_sweep_write(&s->plan, s->summary, path, &err) ? cli_fail(&err, false)
                                                                   : CLI_DONE;
    if (cli_save(path, csv ? write_csv : write_json, s)) return CLI_DONE;
    fprintf(stderr, "%s: error: cannot be written: %s\n", path, strerror(errno));
    return CLI_SAYS_NO;
}

static void print_table(const sweep *s, FILE *stream) {
    static const scree_sweep_number shown[] = { SCREE_SWEEP_ENERGY, SCREE_SWEEP_ENERGY_CREATED,
                                                SCREE_SWEEP_PENETRATION, SCREE_SWEEP_WALL_SECONDS };
    fprintf(stream, "%5s", "run");
    for (int a = 0; a < s->plan.axes; a++) fprintf(stream, " %20.20s", s->plan.axis[a].path);
    fprintf(stream, " %13s", "status");
    for (size_t k = 0; k < sizeof shown / sizeof *shown; k++)
        fprintf(stream, " %14.14s", scree_sweep_number_name(shown[k]));
    fprintf(stream, "\n");
    for (int i = 0; i < s->plan.runs; i++) {
        const scree_sweep_summary *summary = &s->summary[i];
        fprintf(stream, "%5d", i + 1);
        for (int a = 0; a < s->plan.axes; a++) fprintf(stream, " %20.20s", word_of(s, i, a));
        fprintf(stream, " %13s", summary->status[0] ? summary->status : "missing");
        for (size_t k = 0; k < sizeof shown / sizeof *shown; k++)
            fprintf(stream, " %14.6g", summary->value[shown[k]]);
        fprintf(stream, "%s%s\n", summary->message[0] ? "  " : "", summary->message);
    }
}

// ---- figure ----

static int draw(const sweep *s, const char *path) {
    enum { LINES = 7 };
    const char *what = cli_value(s->args, "what") ? cli_value(s->args, "what") : "energy";
    const scree_sweep_axis *first = &s->plan.axis[0], *second = &s->plan.axis[1];
    int lines = s->plan.axes == 2 ? second->count : 1, number = 0;
    scree_series series[LINES];
    char label[LINES][200], x_label[200], caption[700];
    scree_error err = { 0 };
    while (strcmp(number_name(number), what) != 0) number++;
    if (s->plan.axes < 1 || s->plan.axes > 2 || !is_numeric(first) || lines > LINES)
        return cli_wrong_use(s->args,
                             "--plot: one or two parameters, the first of numbers, the second with "
                             "at most %d values",
                             LINES);
    double *y = malloc((size_t)s->plan.runs * sizeof *y);
    if (!y) return CLI_SAYS_NO;
    for (int k = 0; k < lines; k++) {
        double *own = y + (size_t)k * (size_t)first->count;
        char name[190];
        for (int i = 0; i < first->count; i++) {
            const scree_sweep_summary *summary = &s->summary[i * lines + k];
            own[i] = strcmp(summary->status, "done") == 0 ? summary->value[number] : (double)NAN;
        }
        snprintf(name, sizeof name, "%.90s = %.90s", second->path,
                 lines > 1 ? second->word[k] : "");
        scree_chart_escape(name, label[k], sizeof label[k]);
        series[k] = (scree_series){ s->plan.axes == 2 ? label[k] : NULL,
                                    first->number,
                                    own,
                                    first->count,
                                    first->count > 1 ? SCREE_LINE : SCREE_DOTS,
                                    -1 };
    }
    scree_chart_escape(first->path, x_label, sizeof x_label);
    snprintf(caption, sizeof caption, "%s, %d runs, scree %s", s->plan.scene, s->plan.runs,
             scree_version());
    const scree_panel panel = {
        .x_label = x_label, .y_label = number_label[number], .series = series, .series_count = lines
    };
    const scree_figure figure = { .caption = caption, .panel = &panel, .panels = 1 };
    scree_status status = scree_chart_draw(&figure, path, &err);
    free(y);
    return status ? cli_fail(&err, false) : CLI_DONE;
}

// ---- the whole of it ----

static int run_line(const scree_sweep *plan, const char *line) {
    const scree_study study = { .open = cli_open_scene, .scene = plan->scene };
    scree_sweep_summary summary;
    scree_error err = { 0 };
    scree_status status = scree_sweep_run(&study, plan, line, &summary, &err);
    if (!status) return CLI_DONE;
    if (status == SCREE_INTERRUPTED) return CLI_SAYS_NO;
    cli_fail(&err, false);
    return CLI_WRONG_USE;
}

static int work(const scree_sweep *plan) {
    char line[SCREE_SWEEP_LINE];
    int code = CLI_DONE;
    while (code == CLI_DONE && !cli_stop_asked() && fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\r\n")] = '\0';
        if (!line[0]) continue;
        if (atoi(line) > 0 && atoi(line) <= SCREE_SWEEP_RUNS) {
            code = run_line(plan, line);
            continue;
        }
        fprintf(stderr,
                "error: a line of --list begins with the number of its run, got \"%.80s\"\n", line);
        code = CLI_WRONG_USE;
    }
    return code;
}

static void list(const scree_sweep *plan) {
    char line[SCREE_SWEEP_LINE];
    for (int i = 0; i < plan->runs; i++)
        if (scree_sweep_line(plan, i, line)) printf("%s\n", line);
}

static int report(sweep *s) {
    const char *plot = cli_value(s->args, "plot");
    int left = 0, failed = 0;
    for (int i = 0; i < s->plan.runs; i++) {
        left += !s->summary[i].status[0];
        failed += s->summary[i].status[0] && strcmp(s->summary[i].status, "done") != 0;
    }
    int code = save(s, s->table);
    if (!code && plot) code = draw(s, plot);
    if (code) return code;
    if (cli_flag(s->args, "json"))
        write_json(s, stdout);
    else if (!cli_flag(s->args, "quiet")) {
        print_table(s, stdout);
        printf("%d of %d runs are done, %d failed; table: %s, runs: %s\n",
               s->plan.runs - left - failed, s->plan.runs, failed, s->table, s->plan.folder);
    }
    if (left) fprintf(stderr, "%d runs are left: the same command goes on with them\n", left);
    return left || failed ? CLI_SAYS_NO : CLI_DONE;
}

static int sweep_all(sweep *s) {
    char line[SCREE_SWEEP_LINE];
    const char *output = cli_value(s->args, "output");
    s->table = output ? cli_path("%s", output)
                      : cli_path("%.*s.h5", (int)(strlen(s->plan.folder) - strlen(".runs")),
                                 s->plan.folder);
    if (!s->table) return CLI_SAYS_NO;
    int taken = check_table(s->table);
    if (taken) return taken;
    if (mkdir(s->plan.folder, 0777) && errno != EEXIST) {
        fprintf(stderr, "%s: error: cannot be made: %s\n", s->plan.folder, strerror(errno));
        return CLI_SAYS_NO;
    }
    s->summary = calloc((size_t)s->plan.runs, sizeof *s->summary);
    if (!s->summary) return CLI_SAYS_NO;
    for (int i = 0; i < s->plan.runs; i++) {
        if (!scree_sweep_line(&s->plan, i, line))
            return cli_wrong_use(s->args, "the values of run %d are too long", i + 1);
        scree_sweep_read(&s->plan, line, &s->summary[i]);
    }
    return run_all(s) ? report(s) : CLI_SAYS_NO;
}

int cli_sweep_main(const cli_args *args) {
    sweep *s = calloc(1, sizeof *s);
    if (!s) return CLI_SAYS_NO;
    s->args = args;
    s->jobs = 1;
    int code = CLI_WRONG_USE;
    if (read_plan(args, &s->plan) && cli_integer(args, "jobs", 1, JOBS_MOST, &s->jobs)) {
        cli_catch_signals();
        signal(SIGPIPE, SIG_IGN);  // a worker that ends early is told of by its status
        code = CLI_DONE;
        if (cli_flag(args, "list"))
            list(&s->plan);
        else
            code = cli_flag(args, "worker") ? work(&s->plan) : sweep_all(s);
    }
    scree_sweep_free(&s->plan);
    free((char *)s->plan.folder);
    free(s->table);
    free(s->summary);
    free(s);
    return code;
}
