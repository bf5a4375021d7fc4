// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// sweep.h - a sweeping process in the place of the stepper: the same states, records and accounts.

#ifndef SCREE_RUN_SWEEP_H
#define SCREE_RUN_SWEEP_H

#include "scree/ledger.h"
#include "scree/scene.h"
#include "scree/sweeping.h"

typedef struct scree_sweep scree_sweep;

/// The process of a scene of kind sweeping, and a model that says how many coordinates a state has:
/// q is the point, v its velocity during the step before. Mistakes go to findings; false if there
/// are any. The scene is borrowed.
bool scree_sweep_build(const scree_scene *scene, scree_sweep **sweep, scree_model **model,
                       scree_findings *findings);
void scree_sweep_free(scree_sweep *sweep);

/// One step and its account: no energies, but in penetration how far the point is outside.
scree_status scree_sweep_step(scree_sweep *sweep, scree_account *account, scree_error *err);
scree_status scree_sweep_restore(scree_sweep *sweep, const scree_state *state, scree_error *err);

const scree_sweeping *scree_sweep_process(const scree_sweep *sweep);
const scree_step_record *scree_sweep_record(const scree_sweep *sweep);

#endif
