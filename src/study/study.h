// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// study.h - what the studies share: opening their scene, saying how far they are.

#ifndef SCREE_STUDY_STUDY_H
#define SCREE_STUDY_STUDY_H

#include "scree/study.h"

/// Open the scene with overrides of its own behind those of the study.
scree_simulation *scree_study_open(const scree_study *study, const char *const *own, int count,
                                   scree_findings *findings);

/// The same, with the first mistake as a sentence.
scree_status scree_study_try_open(const scree_study *study, const char *const *own, int count,
                                  scree_simulation **simulation, scree_error *err);

/// Open it at a point of a grid, by its parameters; without those whose name is NULL.
scree_simulation *scree_grid_open(const scree_study *study, const scree_axis *axis, int axes,
                                  const double *value, scree_findings *findings);

/// Is the study to end?
bool scree_study_progress(const scree_study *study, const char *what, int64_t done, int64_t total);

/// The sentence of an open that failed.
const char *scree_study_mistake(const scree_findings *findings);

#endif
