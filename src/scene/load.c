// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// load.c - from a file to a checked scene.
// in: file or text, overrides.   out: a scene, and findings about everything that is wrong in it.

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scene/scene.h"

enum { SCENE_BYTES_MAX = 64 << 20 };

scree_run_options scree_run_options_default(void) {
    scree_run_options options = {
        .scheme = scree_scheme_options_default(),
        .solver = scree_solver_options_default(),
        .duration = NAN,
        .penetration = 0.05,
        .store_every = 1,
        .store_active_only = true,
        .compression = -1,
        .checkpoint = 30,
    };
    options.solver.tolerance = NAN;  // by the model
    return options;
}

static void fill_options(scree_scene *scene) {
    const double FLOW_TOLERANCE = 1e-4;
    const scree_scene_scheme *scheme = &scene->top.scheme;
    const scree_scene_solver *solver = &scene->top.solver;
    const scree_scene_output *output = &scene->top.output;
    bool flow = solver->mode == 1,
         loose = flow && !scree_scene_given(&solver->section, "tolerance");
    scene->options = (scree_run_options){
        .scheme = { .name = (scree_scheme)scheme->name,
                    .theta = scheme->theta,
                    .step = scheme->step,
                    .activation = (scree_activation)scheme->activation,
                    .approach = (scree_approach)scheme->approach,
                    .jacobian = (scree_jacobian)scheme->jacobian,
                    .gap_tolerance = scheme->gap_tolerance,
                    .velocity_tolerance = scheme->velocity_tolerance,
                    .correct = (scree_correction)scheme->correction },
        .solver = { .name = scree_solver_list()[solver->name].name,
                    .tolerance = loose ? FLOW_TOLERANCE : solver->tolerance,
                    .max_sweeps = flow ? solver->sweeps : solver->max_sweeps,
                    .max_seconds = solver->max_seconds,
                    .max_effort = solver->max_effort,
                    .threads = solver->threads },
        .duration = scheme->duration,
        .penetration = scheme->penetration,
        .energy_created = scheme->energy_created,
        .accept_unconverged = flow || solver->unconverged == 1,
        .flow = flow,
        .accept_overlaps = scene->top.overlaps == 1,
        .store_every = output->every,
        .store_active_only = output->contacts == 0,
        .precision_single = output->precision == 1,
        .checkpoint = scene->top.output.checkpoint,
        .compression =
            isnan(scene->top.output.compression) ? -1 : (int)scene->top.output.compression,
        .store_stress = output->stress,
        .store_reactions = output->reactions,
    };
}

scree_scene *scree_scene_parse(const char *name, const char *text, size_t length,
                               const char *const *overrides, int count, scree_findings *findings) {
    scree_source_location at = { name, 0, 0 };
    scree_scene *scene = calloc(1, sizeof *scene);
    if (!scene) {
        scree_findings_no_memory(findings);
        return NULL;
    }
    scree_arena *arena = &scene->arena;
    scene->file = scree_arena_text(arena, name, strlen(name));
    scene->text = scree_arena_text(arena, text, length);
    scene->length = length;
    scene->override = SCREE_NEW(arena, const char *, count);
    bool fine = scene->file && scene->text && scene->override;
    for (int i = 0; fine && i < count; i++) {
        scene->override[i] = scree_arena_text(arena, overrides[i], strlen(overrides[i]));
        fine = scene->override[scene->overrides++];
    }
    if (!fine) scree_findings_no_memory(findings);
    scree_node *root =
        fine ? scree_yaml_parse(scene->file, scene->text, length, arena, findings) : NULL;
    if (!root) {
        if (!findings->count) scree_findings_no_memory(findings);
        scree_scene_free(scene);
        return NULL;
    }
    for (int i = 0; i < count; i++) scree_override_apply(root, overrides[i], arena, findings);
    if (root->kind == SCREE_NODE_MAP && root->count == 0) {
        at = (scree_source_location){ scene->file, 1, 1 };
        scree_findings_add(findings, at, "the scene is empty (scree new writes one to start from)");
        return scene;
    }
    scree_renamed_apply(scree_schema(), root);
    scree_reader_fill(scene, root, findings);
    if (scene->top.section.node) scree_check_scene(scene, findings);
    scree_findings_sort(findings);
    fill_options(scene);
    return scene;
}

// the whole file in memory, or NULL with a finding
static char *read_file(const char *file, size_t *length, scree_findings *findings) {
    scree_source_location at = { file, 0, 0 };
    FILE *stream = fopen(file, "rb");
    if (!stream) {
        scree_findings_add(findings, at, "cannot be opened: %s", strerror(errno));
        return NULL;
    }
    char *text = NULL;
    size_t room = 0, used = 0, got = 1;
    while (got > 0 && used < SCENE_BYTES_MAX) {
        if (used == room) {
            char *more = realloc(text, room = room ? 2 * room : 65536);
            if (!more) break;
            text = more;
        }
        got = fread(text + used, 1, room - used, stream);
        used += got;
    }
    bool failed = ferror(stream);
    int reason = errno;
    fclose(stream);
    if (!failed && got == 0) {
        *length = used;
        return text;
    }
    free(text);
    if (failed)
        scree_findings_add(findings, at, "cannot be read: %s", strerror(reason));
    else
        scree_findings_add(findings, at, "is too large for a scene (%d MiB at most)",
                           SCENE_BYTES_MAX >> 20);
    return NULL;
}

scree_scene *scree_scene_load(const char *file, const char *const *overrides, int count,
                              scree_findings *findings) {
    size_t length = 0;
    char *text = read_file(file, &length, findings);
    if (!text) return NULL;
    scree_scene *scene = scree_scene_parse(file, text, length, overrides, count, findings);
    free(text);
    return scene;
}

void scree_scene_free(scree_scene *scene) {
    if (!scene) return;
    scree_arena_free(&scene->arena);
    free(scene);
}

const char *scree_scene_title(const scree_scene *scene) {
    return scene->top.title ? scene->top.title : "";
}

const char *scree_scene_coordinate(const scree_scene *scene, int i) {
    const scree_list *names = &scene->top.mechanism.coordinates;
    return i >= 0 && i < names->count ? ((const char **)names->item)[i] : NULL;
}

const scree_run_options *scree_scene_options(const scree_scene *scene) { return &scene->options; }

const char *scree_scene_text(const scree_scene *scene, size_t *length) {
    *length = scene->length;
    return scene->text;
}

const char *scree_scene_file(const scree_scene *scene) { return scene->file; }

int scree_scene_overrides(const scree_scene *scene, const char *const **overrides) {
    *overrides = scene->override;
    return scene->overrides;
}
