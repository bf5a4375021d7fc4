// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// machine.c - scene with a mechanism -> engine, and the names that run files want.

#include "run/machine.h"

#include <math.h>

#include "scene/scene.h"

enum { N = SCREE_MECHANISM_COORDINATES };

// a gap that should be zero misses it by rounding
static void check_overlaps(const scree_scene *scene, scree_findings *findings) {
    const scree_mechanism_def *m = scene->mechanics;
    const scree_scene_touch *touch = scene->top.mechanism.contacts.item;
    for (int c = 0; c < m->contacts; c++) {
        double normal[N], tangent[N], size = 0;
        double gap = m->contact(m->self, c, m->position, normal, tangent);
        for (int i = 0; i < m->coordinates; i++)
            size += fabs(normal[i]) * fmax(1, fabs(m->position[i]));
        if (gap >= -1e-12 * size) continue;
        scree_findings_add(findings, scree_scene_place(&touch[c].section, "gap"),
                           "contact \"%s\" penetrates by %.6g at the start; move the mechanism, or "
                           "set overlaps: accept",
                           touch[c].name, -gap);
    }
}

bool scree_machine_build(const scree_scene *scene, scree_engine **engine, scree_model **model,
                         scree_findings *findings) {
    scree_error err = { 0 };
    *engine = NULL;
    *model = scree_model_from_scene(scene, findings);
    if (!*model) return false;
    if (!scene->options.accept_overlaps) check_overlaps(scene, findings);
    scree_status status =
        scree_engine_of_mechanism(scene->mechanics, &scene->options, engine, &err);
    if (status)
        scree_findings_add(findings, scree_scene_place(&scene->top.scheme.section, "name"), "%s",
                           err.text);
    if (!status && !findings->count) return true;
    scree_engine_free(*engine);
    scree_model_free(*model);
    *engine = NULL;
    *model = NULL;
    return false;
}
