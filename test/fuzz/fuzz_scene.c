// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// fuzz_scene.c - libFuzzer target: any bytes as a scene must end in findings or in a few steps.
// Scenes whose generators make many bodies or cells are read, but not built: they would only take
// time. Neither are those that name files.

#include <stddef.h>
#include <stdint.h>

#include "scree/scree.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { BODIES_MAX = 30, CELLS_MAX = 150 };

static bool is_too_much(const uint8_t *data, size_t size) {
    scree_findings findings = { 0 };
    scree_scene *scene = scree_scene_parse("fuzz", (const char *)data, size, NULL, 0, &findings);
    bool many =
        scene && (scree_scene_bodies(scene) > BODIES_MAX ||
                  !(scree_scene_cells(scene) <= CELLS_MAX) || scree_scene_needs_files(scene));
    scree_scene_free(scene);
    scree_findings_free(&findings);
    return many;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (is_too_much(data, size)) return 0;
    scree_findings findings = { 0 };
    scree_error err = { 0 };
    scree_simulation *simulation =
        scree_simulation_parse("fuzz", (const char *)data, size, NULL, 0, &findings);
    // a scene without findings must run, a scene with findings must not
    if ((simulation != NULL) != (findings.count == 0 && !findings.truncated)) __builtin_trap();
    for (int i = 0; simulation && i < 3; i++)
        if (scree_simulation_step(simulation, &err)) break;
    scree_simulation_free(simulation);
    scree_findings_free(&findings);
    return 0;
}
