// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// sweeping_integrator.h - a sweeping process in the place of the stepper: the same states, records
// and accounts.

#ifndef SCREE_RUN_SWEEPING_INTEGRATOR_H
#define SCREE_RUN_SWEEPING_INTEGRATOR_H

#include "scree/ledger.h"
#include "scree/scene.h"
#include "scree/sweeping.h"

typedef struct scree_sweeping_integrator scree_sweeping_integrator;

/// The process of a scene of kind sweeping, and its model: q is the point, v its velocity during
/// the step before. Mistakes go to findings; false if there are any. The scene is borrowed.
bool scree_sweeping_integrator_build(const scree_scene *scene, scree_sweeping_integrator **sweep,
                                     scree_model **model, scree_findings *findings);
void scree_sweeping_integrator_free(scree_sweeping_integrator *sweep);

/// One step and its account: no energies, but in penetration how far the point is outside.
scree_status scree_sweeping_integrator_step(scree_sweeping_integrator *sweep,
                                            scree_account *account, scree_error *err);
scree_status scree_sweeping_integrator_restore(scree_sweeping_integrator *sweep,
                                               const scree_state *state, scree_error *err);

const scree_sweeping *scree_sweeping_integrator_process(const scree_sweeping_integrator *sweep);
const scree_step_record *scree_sweeping_integrator_record(const scree_sweeping_integrator *sweep);

#endif
