// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// simulation_text.h - a simulation from the text of a scene.

#ifndef SCREE_TEST_SIMULATION_TEXT_H
#define SCREE_TEST_SIMULATION_TEXT_H

#include "harness.h"
#include "scree/simulation.h"

/// NULL with a complaint if the text is NULL or no scene.
static scree_simulation *open_text(const char *text, const char *const *overrides, int count) {
    scree_findings findings = { 0 };
    scree_simulation *made =
        text ? scree_simulation_parse("test", text, strlen(text), overrides, count, &findings)
             : NULL;
    if (!made) COMPLAIN("%s", findings.count ? findings.item[0].text : "no simulation");
    scree_findings_free(&findings);
    return made;
}

#endif
