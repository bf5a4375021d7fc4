// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// comparison.c - one scene under several schemes.
// in: a study, names of schemes.   out: a simulation at its end for each, and run files.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scree/run.h"
#include "study/study.h"

typedef struct watcher {
    const scree_study *study;
    const char *scheme;
} watcher;

static int on_step(void *data, const scree_simulation *simulation) {
    const watcher *w = data;
    int64_t all = scree_simulation_steps(simulation);
    return scree_study_progress(w->study, w->scheme, all - scree_simulation_left(simulation), all);
}

static char *path_of(const char *folder, const char *stem, const char *scheme) {
    size_t size = strlen(folder) + strlen(stem) + strlen(scheme) + sizeof "/..h5";
    char *path = malloc(size);
    if (path) snprintf(path, size, "%s/%s.%s.h5", folder, stem, scheme);
    return path;
}

static scree_status run_one(const scree_study *study, const char *folder, const char *stem,
                            scree_comparison_run *run, scree_findings *findings, scree_error *err) {
    char name[100];
    const char *own[] = { name };
    snprintf(name, sizeof name, "scheme.name=%s", run->scheme);
    run->simulation = scree_study_open(study, own, 1, findings);
    if (!run->simulation)
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE, "%s", scree_study_mistake(findings));
    if (folder && !(run->path = path_of(folder, stem, run->scheme)))
        return scree_fail_memory(err, NULL);
    run->energy_start = scree_simulation_energy(run->simulation);
    watcher w = { study, run->scheme };
    const scree_run_request request = { .path = run->path, .on_step = on_step, .data = &w };
    return scree_run(run->simulation, &request, &run->wall, err);
}

scree_status scree_comparison_find(const scree_study *study, const char *const *scheme, int schemes,
                                   const char *folder, const char *stem,
                                   scree_comparison *comparison, scree_findings *findings,
                                   scree_error *err) {
    scree_status status = SCREE_OK;
    *comparison = (scree_comparison){ calloc((size_t)schemes + 1, sizeof *comparison->run), 0 };
    if (!comparison->run) return scree_fail_memory(err, NULL);
    for (int i = 0; !status && i < schemes; i++) {
        scree_comparison_run *run = &comparison->run[comparison->runs++];
        snprintf(run->scheme, sizeof run->scheme, "%s", scheme[i]);
        status = run_one(study, folder, stem, run, findings, err);
    }
    return status;
}

void scree_comparison_free(scree_comparison *comparison) {
    for (int i = 0; i < comparison->runs; i++) {
        scree_simulation_free(comparison->run[i].simulation);
        free(comparison->run[i].path);
    }
    free(comparison->run);
    *comparison = (scree_comparison){ 0 };
}
