// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// elastic.h - what elastic bodies add to the ledger.

#ifndef SCREE_MEASURE_ELASTIC_H
#define SCREE_MEASURE_ELASTIC_H

#include "scree/ledger.h"

/// Add the energies of elastic body number e.
void scree_ledger_energies(const scree_model *model, int e, const scree_state *state,
                           scree_ledger *ledger);

/// Add its energies at the end of the step, damping, numerical dissipation and the work of what is
/// held; returns the size of the numbers added up. scratch: room for 3 x dofs.
double scree_ledger_elastic(const scree_model *model, int e, double theta,
                            const scree_step_record *record, double *scratch, scree_ledger *ledger);

#endif
