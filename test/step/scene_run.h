// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// scene_run.h - a scene from its text, run to its end; a step that does not close its ledger is an
// error. What is overridden is written as on the command line, up to eight.

#ifndef SCREE_TEST_SCENE_RUN_H
#define SCREE_TEST_SCENE_RUN_H

#include <stdarg.h>
#include <stdio.h>

#include "harness.h"
#include "scree/scree.h"

/// The simulation of a text with these values, the last one NULL; NULL with a complaint.
static scree_simulation *scene_begin(const char *text, ...) {
    const char *value[8];
    int count = 0;
    scree_findings findings = { 0 };
    va_list args;
    va_start(args, text);
    for (const char *one; count < 8 && (one = va_arg(args, const char *));) value[count++] = one;
    va_end(args);
    scree_simulation *simulation =
        scree_simulation_parse("scene", text, strlen(text), value, count, &findings);
    for (int i = 0; !simulation && i < findings.count; i++)
        COMPLAIN("line %d: %s", findings.item[i].line, findings.item[i].text);
    scree_findings_free(&findings);
    return simulation;
}

/// All its steps, or up to a time; false with a complaint.
static inline bool scene_run_to(scree_simulation *simulation, double time) {
    scree_error err = { 0 };
    while (simulation && scree_simulation_left(simulation) > 0 &&
           scree_simulation_state(simulation)->time < time) {
        scree_status status = scree_simulation_step(simulation, &err);
        if (status) COMPLAIN("status %d: %s", (int)status, err.text);
        if (status) return false;
    }
    return simulation;
}

/// The first mistake of a text, as "line:column: sentence"; empty: there is none.
static inline const char *scene_mistake(const char *text) {
    static char said[400];
    scree_findings findings = { 0 };
    scree_simulation *simulation =
        scree_simulation_parse("scene", text, strlen(text), NULL, 0, &findings);
    said[0] = 0;
    if (findings.count)
        snprintf(said, sizeof said, "%d:%d: %s", findings.item[0].line, findings.item[0].column,
                 findings.item[0].text);
    scree_simulation_free(simulation);
    scree_findings_free(&findings);
    return said;
}

#define CHECK_MISTAKE(scene, expected)                                                      \
    do {                                                                                    \
        const char *said_ = scene_mistake(scene);                                           \
        if (!strstr(said_, expected)) COMPLAIN("said \"%s\", not \"%s\"", said_, expected); \
    } while (0)

#endif
