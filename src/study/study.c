// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// study.c - a scene that is opened with many overrides.
// in: a study.   out: simulations at its scene, at points of a grid; what is asked of one of them.

#include "study/study.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OVERRIDE = 160 };

scree_study scree_study_default(const char *file) {
    return (scree_study){ .open = scree_simulation_open, .scene = file };
}

scree_simulation *scree_study_open(const scree_study *study, const char *const *own, int count,
                                   scree_findings *findings) {
    size_t given = (size_t)study->overrides, all = given + (size_t)count;
    const char **override = calloc(all + 1, sizeof *override);
    if (!override) return NULL;
    if (given) memcpy(override, study->override, given * sizeof *override);
    if (count) memcpy(override + given, own, (size_t)count * sizeof *override);
    scree_simulation *simulation = study->open(study->scene, override, (int)all, findings);
    free(override);
    return simulation;
}

const char *scree_study_mistake(const scree_findings *findings) {
    return findings->count ? findings->item[0].text : "out of memory";
}

scree_status scree_study_try_open(const scree_study *study, const char *const *own, int count,
                                  scree_simulation **simulation, scree_error *err) {
    scree_findings findings = { 0 };
    scree_status status = SCREE_OK;
    *simulation = scree_study_open(study, own, count, &findings);
    if (!*simulation)
        status =
            scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE, "%s", scree_study_mistake(&findings));
    scree_findings_free(&findings);
    return status;
}

bool scree_study_progress(const scree_study *study, const char *what, int64_t done, int64_t total) {
    return study->on_progress && study->on_progress(study->data, what, done, total);
}

// ---- grids ----

int scree_grid_points(const scree_axis *axis, int axes) {
    int points = 1;
    for (int a = 0; a < axes; a++) points *= axis[a].count;
    return points;
}

void scree_grid_values(const scree_axis *axis, int axes, int point, double *value) {
    for (int a = axes - 1; a >= 0; a--) {
        value[a] = axis[a].value[point % axis[a].count];
        point /= axis[a].count;
    }
}

scree_simulation *scree_grid_open(const scree_study *study, const scree_axis *axis, int axes,
                                  const double *value, scree_findings *findings) {
    char text[SCREE_AXES][OVERRIDE];
    const char *own[SCREE_AXES];
    int count = 0;
    for (int a = 0; a < axes; a++) {
        if (!axis[a].name) continue;
        snprintf(text[a], sizeof text[a], "parameters.%.100s=%.17g", axis[a].name, value[a]);
        own[count++] = text[a];
    }
    return scree_study_open(study, own, count, findings);
}

// ---- what is asked of a simulation at its start ----

scree_status scree_study_paradox(const scree_simulation *simulation, double tolerance,
                                 scree_paradox *paradox, scree_error *err) {
    const scree_model *model = scree_simulation_model(simulation);
    const scree_mechanism_def *mechanics = model->mechanism;
    if (mechanics && model->dofs == mechanics->coordinates)
        return scree_paradox_find_mechanism(mechanics, tolerance, paradox, err);
    return scree_paradox_find(model, tolerance, paradox, err);
}

scree_status scree_study_trial(const scree_simulation *simulation, scree_scheme scheme, double h,
                               scree_trial *trial, scree_error *err) {
    const scree_model *model = scree_simulation_model(simulation);
    const scree_run_options *options = scree_simulation_options(simulation);
    scree_scheme_options chosen = options->scheme;
    chosen.name = scheme;
    chosen.step = h;
    const scree_scheme_row *row = scree_scheme_row_of(&chosen);
    if (row->theta_max == 0.5 || (model->mechanism && row->impact == SCREE_IMPACT_FREMOND))
        chosen.theta = 0.5;
    return scree_paradox_try(model, &chosen, &options->solver, trial, err);
}
