// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// nscd.h - the NSCD algorithm for matrix systems: implicit in the velocity, inelastic contacts.

#ifndef SCREE_LAB_NSCD_H
#define SCREE_LAB_NSCD_H

#include "scree/ledger.h"
#include "scree/scene.h"

typedef struct scree_nscd scree_nscd;

/// At the model's initial state. Model and options are borrowed; refused are bodies, restitution
/// and theta outside of [1/2, 1].
scree_status scree_nscd_new(const scree_model *model, const scree_run_options *options,
                            scree_nscd **nscd, scree_error *err);
void scree_nscd_free(scree_nscd *nscd);

/// One step and its account, as scree_simulation_step has them; an account whose residual is beyond
/// its bound is left to the caller.
scree_status scree_nscd_step(scree_nscd *nscd, scree_account *account, scree_error *err);

/// Go to another state of the same model; the record shows it.
void scree_nscd_restore(scree_nscd *nscd, const scree_state *state);

const scree_step_record *scree_nscd_record(const scree_nscd *nscd);

/// Contacts never create energy with this scheme: whether that holds here, and why.
scree_theorem scree_nscd_theorem(const scree_model *model, const scree_scheme_options *scheme);

#endif
