// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// sweep_find.c - all runs of a sweep, several at a time, and the table of what they came to.
// in: a study, a sweep.   out: a summary for each run; an HDF5 table.

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/team.h"
#include "study/study.h"

// ---- runs ----

typedef struct work {
    const scree_study *study;
    const scree_sweep *sweep;
    scree_sweep_summary *summary;
    atomic_int next, done, failed;  // failed: the sweep ends, first has why
    scree_error first;
    pthread_mutex_t mutex;  // around first
    pthread_t caller;
    int told;  // runs done when on_progress was last called
} work;

static bool is_done(const scree_sweep *sweep, const scree_sweep_summary *summary) {
    return summary->status[0] && !(sweep->retry && strcmp(summary->status, "done") != 0);
}

static void fail(work *w, const scree_error *err) {
    pthread_mutex_lock(&w->mutex);
    if (!atomic_load(&w->failed)) w->first = *err;
    atomic_store(&w->failed, 1);
    pthread_mutex_unlock(&w->mutex);
}

static void tell(work *w) {
    int done = atomic_load(&w->done);
    scree_error err = { 0 };
    if (done == w->told) return;
    w->told = done;
    if (!scree_study_progress(w->study, "runs", done, w->sweep->runs)) return;
    scree_fail(&err, SCREE_INTERRUPTED, SCREE_NOWHERE, "stopped after %d of %d runs", done,
               w->sweep->runs);
    fail(w, &err);
}

// every member of the team takes one run after the other
static void take_runs(void *with) {
    work *w = with;
    const bool mine = pthread_equal(pthread_self(), w->caller);
    char line[SCREE_SWEEP_LINE];
    for (int run;
         !atomic_load(&w->failed) && (run = atomic_fetch_add(&w->next, 1)) < w->sweep->runs;) {
        scree_error err = { 0 };
        if (is_done(w->sweep, &w->summary[run])) continue;
        scree_sweep_line(w->sweep, run, line);
        if (scree_sweep_run(w->study, w->sweep, line, &w->summary[run], &err)) fail(w, &err);
        if (w->summary[run].status[0]) atomic_fetch_add(&w->done, 1);
        if (mine) tell(w);
    }
}

scree_status scree_sweep_find(const scree_study *study, const scree_sweep *sweep,
                              scree_sweep_summary *summary, scree_error *err) {
    char line[SCREE_SWEEP_LINE];
    work w = { .study = study, .sweep = sweep, .summary = summary, .caller = pthread_self() };
    for (int i = 0; i < sweep->runs; i++) {
        if (!scree_sweep_line(sweep, i, line))
            return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                              "the values of run %d are too long", i + 1);
        scree_sweep_read(sweep, line, &summary[i]);
        if (is_done(sweep, &summary[i])) atomic_fetch_add(&w.done, 1);
    }
    pthread_mutex_init(&w.mutex, NULL);
    tell(&w);
    scree_team *team = scree_team_begin(sweep->jobs < sweep->runs ? sweep->jobs : sweep->runs);
    scree_team_run(team, SCREE_TEAM_ALL, take_runs, &w);
    scree_team_end(team);
    if (!atomic_load(&w.failed)) tell(&w);
    pthread_mutex_destroy(&w.mutex);
    if (!atomic_load(&w.failed)) return SCREE_OK;
    if (err) *err = w.first;
    return w.first.status;
}

// ---- table ----

typedef struct columns {
    const scree_sweep *sweep;
    const scree_sweep_summary *summary;
    double *number;     // room for all  (columns x runs)
    const char **text;  // the same
    scree_study_column column[4 + SCREE_SWEEP_AXES + SCREE_SWEEP_NUMBERS];
    int count;
} columns;

static void add_column(columns *c, const char *name, bool numbers) {
    size_t at = (size_t)c->count * (size_t)c->sweep->runs;
    c->column[c->count++] =
        (scree_study_column){ name, numbers ? c->number + at : NULL, c->text + at };
}

static void add_axis(columns *c, int a) {
    const scree_sweep_axis *axis = &c->sweep->axis[a];
    size_t at = (size_t)c->count * (size_t)c->sweep->runs;
    bool numbers = true;
    for (int i = 0; i < axis->count; i++) numbers = numbers && !isnan(axis->number[i]);
    add_column(c, axis->path, numbers);
    for (int i = 0; i < c->sweep->runs; i++) {
        int place[SCREE_SWEEP_AXES];
        scree_sweep_point(c->sweep, i, place);
        c->text[at + (size_t)i] = axis->word[place[a]];
        c->number[at + (size_t)i] = axis->number[place[a]];
    }
}

static void add_value(columns *c, int number) {
    size_t at = (size_t)c->count * (size_t)c->sweep->runs;
    add_column(c, scree_sweep_number_name((scree_sweep_number)number), true);
    for (int i = 0; i < c->sweep->runs; i++)
        c->number[at + (size_t)i] = c->summary[i].value[number];
}

static void add_texts(columns *c, const char *name, size_t offset, const char *none) {
    size_t at = (size_t)c->count * (size_t)c->sweep->runs;
    add_column(c, name, false);
    for (int i = 0; i < c->sweep->runs; i++) {
        const char *word = (const char *)&c->summary[i] + offset;
        c->text[at + (size_t)i] = *word ? word : none;
    }
}

scree_status scree_sweep_write(const scree_sweep *sweep, const scree_sweep_summary *summary,
                               const char *path, scree_error *err) {
    columns c = { .sweep = sweep, .summary = summary };
    size_t room = sizeof c.column / sizeof *c.column * (size_t)sweep->runs;
    scree_status status = SCREE_NO_MEMORY;
    c.number = malloc(room * sizeof *c.number);
    c.text = malloc(room * sizeof *c.text);
    if (c.number && c.text) {
        add_column(&c, "run", true);
        for (int i = 0; i < sweep->runs; i++) c.number[i] = i + 1;
        for (int a = 0; a < sweep->axes; a++) add_axis(&c, a);
        add_texts(&c, "status", offsetof(scree_sweep_summary, status), "missing");
        add_texts(&c, "verdict", offsetof(scree_sweep_summary, verdict), "");
        for (int k = 0; k < SCREE_SWEEP_NUMBERS; k++) add_value(&c, k);
        add_texts(&c, "message", offsetof(scree_sweep_summary, message), "");
        const scree_study_table table = { sweep->scene, c.column, c.count, sweep->runs };
        status = scree_study_table_write(path, &table, err);
    } else {
        scree_fail(err, status, SCREE_NOWHERE, "out of memory");
    }
    free(c.number);
    free(c.text);
    return status;
}
