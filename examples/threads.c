// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// threads.c - several simulations in several threads, each with its own run file; the same scene
// gives the same bits in all of them. A simulation belongs to one thread at a time.
// prints: 4 runs in 4 threads: the same bits

#include <pthread.h>
#include <scree/scree.h>
#include <stdio.h>
#include <string.h>

static const char scene[] =
    "gravity: [0, -9.81]\n"
    "bodies:\n"
    "  - {name: ground, fixed: true, shapes: [{type: half-plane, normal: [0, 1]}]}\n"
    "generate:\n"
    "  - {name: disc, arrange: grid, count: [4, 3], spacing: 0.21, origin: [0, 0.1],\n"
    "     body: {density: 1000, velocity: [0.1, 0], shapes: [{type: disc, radius: 0.1}]}}\n"
    "laws: [{friction: 0.3, restitution: 0.2}]\n"
    "scheme: {step: 1e-3, duration: 0.2}\n";

enum { RUNS = 4, NUMBERS = 13 * 3 };

typedef struct job {
    int number;
    double q[NUMBERS];
    scree_error err;  // its own, as everything
} job;

static void *work(void *data) {
    job *own = data;
    char path[32];
    scree_findings findings = { 0 };
    scree_simulation *simulation =
        scree_simulation_parse("discs", scene, sizeof scene - 1, NULL, 0, &findings);
    snprintf(path, sizeof path, "threads-%d.h5", own->number);
    const scree_run_request request = { .path = path };
    if (!simulation)
        scree_fail(&own->err, SCREE_BAD_INPUT, SCREE_NOWHERE, "%s", findings.item[0].text);
    else if (!scree_run(simulation, &request, NULL, &own->err))
        memcpy(own->q, scree_simulation_state(simulation)->q, sizeof own->q);
    scree_findings_free(&findings);
    scree_simulation_free(simulation);
    return NULL;
}

int main(void) {
    static job jobs[RUNS];
    pthread_t thread[RUNS];
    for (int i = 0; i < RUNS; i++) {
        jobs[i].number = i;
        if (pthread_create(&thread[i], NULL, work, &jobs[i])) return 1;
    }
    bool same = true;
    for (int i = 0; i < RUNS; i++) {
        pthread_join(thread[i], NULL);
        if (jobs[i].err.status) return fprintf(stderr, "%s\n", jobs[i].err.text), 1;
        same = same && memcmp(jobs[i].q, jobs[0].q, sizeof jobs[0].q) == 0;
    }
    printf("%d runs in %d threads: %s\n", RUNS, RUNS, same ? "the same bits" : "other bits");
    return !same;
}
