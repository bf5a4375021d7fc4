// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// engine.h - what the stepper does not step, other schemes and mechanisms: the same records and
// accounts from other hands.

#ifndef SCREE_RUN_ENGINE_H
#define SCREE_RUN_ENGINE_H

#include "scree/events.h"
#include "scree/ledger.h"
#include "scree/mechanism.h"
#include "scree/scene.h"

typedef struct scree_engine scree_engine;

/// Is a scheme stepped by an engine instead of the stepper?
bool scree_engine_serves(scree_scheme scheme);

/// At the model's initial state; model and options are borrowed.
scree_status scree_engine_new(const scree_model *model, const scree_run_options *options,
                              scree_engine **engine, scree_error *err);

/// The same of a mechanism, by any scheme.
scree_status scree_engine_of_mechanism(const scree_mechanism_def *mechanics,
                                       const scree_run_options *options, scree_engine **engine,
                                       scree_error *err);
void scree_engine_free(scree_engine *engine);

/// One step and its account.
scree_status scree_engine_step(scree_engine *engine, scree_account *account, scree_error *err);

const scree_step_record *scree_engine_record(const scree_engine *engine);
scree_status scree_engine_restore(scree_engine *engine, const scree_state *state, scree_error *err);
scree_theorem scree_engine_theorem(const scree_engine *engine, const scree_model *model,
                                   const scree_scheme_options *scheme);

/// Energies of the present state, all works zero.
scree_ledger scree_engine_ledger(const scree_engine *engine, const scree_model *model);

/// The mechanism that is stepped, or NULL.
const scree_mechanism_def *scree_engine_mechanics(const scree_engine *engine);

/// The events of a run with the scheme event-driven, otherwise NULL.
const scree_events *scree_engine_events(const scree_engine *engine);

#endif
