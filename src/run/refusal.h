// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// refusal.h - why a step was refused.

#ifndef SCREE_RUN_REFUSAL_H
#define SCREE_RUN_REFUSAL_H

#include "scree/step.h"
#include "scree/verdict.h"

/// Look into the record of a step that missed the solver's tolerance, with bounded effort: is there
/// a proof that its problem has no solution, does the criterion for one fail, who presses? Without
/// memory the reason is what the solver said.
scree_refusal scree_refusal_find(const scree_model *model, const scree_step_record *record,
                                 const scree_solver_options *solver);

#endif
