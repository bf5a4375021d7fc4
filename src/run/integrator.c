// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// integrator.c - the table of integrators.

#include "run/integrator.h"

#include <string.h>

#include "scene/scene.h"

// in the order they are asked; the last one serves everything
static const scree_integrator_row *const table[] = {
    &scree_integrator_sweeping,
    &scree_integrator_events,
    &scree_integrator_stepper,
};

const scree_integrator_row *scree_integrator_choose(const scree_integrator_input *input) {
    int i = 0;
    while (!table[i]->serves(input)) i++;
    return table[i];
}

scree_source_location scree_integrator_place(const scree_integrator_row *row,
                                             const scree_scene *scene) {
    const char *dot = strchr(row->key, '.');
    return dot ? scree_scene_place(&scene->top.scheme.section, dot + 1)
               : scree_scene_place(&scene->top.section, row->key);
}
