// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// from_scene.h - what the two halves of scene -> model share.

#ifndef SCREE_MODEL_FROM_SCENE_H
#define SCREE_MODEL_FROM_SCENE_H

#include "scene/scene.h"
#include "scree/model.h"

/// The path of a file that a scene names: relative to the folder of the scene. NULL without memory.
char *scree_from_scene_path(const scree_scene *scene, const char *file, scree_arena *arena);

/// The file of that name that is kept with the scene, or NULL.
const scree_embedded_file *scree_from_scene_kept(const scree_scene *scene, const char *name);

/// The file of that name that is in memory (scene->supply), or NULL.
const scree_embedded_file *scree_from_scene_supplied(const scree_scene *scene, const char *name);

/// Keep a file with the scene, for the run file; NULL without memory.
const scree_embedded_file *scree_from_scene_keep(scree_scene *scene, const char *name,
                                                 const char *text, size_t length);

/// The bytes of a file, which are kept: of one that was read before, that is in memory or on disk.
scree_status scree_from_scene_file(scree_scene *scene, const char *name, const char *path,
                                   const scree_embedded_file **file, scree_error *err);

/// Read motions that stand in files; false if there was an error, which becomes a finding.
bool scree_motions_from_scene(scree_scene *scene, scree_findings *findings);

/// Add an elastic body to the model; false if there was an error, which becomes a finding. The
/// scratch arena holds what is needed until then.
bool scree_from_scene_elastic(const scree_scene *scene, const scree_scene_elastic *given,
                              scree_model *model, scree_arena *scratch, scree_findings *findings);

/// Add the markers of a scene to the model, where what they hang on is.
bool scree_markers_from_scene(scree_scene *scene, scree_model *model, scree_findings *findings);

/// The side of a joint that has this name: a body, a marker, or the ground.
int scree_joint_side_from_scene(const scree_scene *scene, const int *first, const char *name);

/// Add the joints of a scene to the model whose bodies are there; first: body of each generator.
bool scree_joints_from_scene(const scree_scene *scene, scree_model *model, const int *first,
                             scree_findings *findings);

/// The same for its springs and motors; joints are there.
bool scree_drives_from_scene(scree_scene *scene, scree_model *model, const int *first,
                             scree_findings *findings);

/// A formula of the state (scree_scene_formula) as a function of it, with what its own names (`x`)
/// are of; NULL, and it is said why.
const void *scree_state_formula_from_scene(scree_scene *scene, const scree_model *model,
                                           const int *first, const scree_scene_formula *formula,
                                           int body, scree_findings *findings);
double scree_state_formula_value(const void *self, const struct scree_state *state);

/// The same for its forces that see the state.
bool scree_forces_from_scene(scree_scene *scene, scree_model *model, const int *first,
                             scree_findings *findings);

/// Where a key of joint k of the model is written.
scree_source_location scree_joint_place(const scree_scene *scene, int k, const char *key);

#endif
