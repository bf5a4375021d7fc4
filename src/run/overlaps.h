// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// overlaps.h - contacts that penetrate where a scene puts them.

#ifndef SCREE_RUN_OVERLAPS_H
#define SCREE_RUN_OVERLAPS_H

#include "run/integrator.h"

/// A finding for each pair that overlaps at the start; the record shows it.
void scree_overlaps_at_start(const scree_integrator_input *input, const scree_step_record *record,
                             scree_findings *findings);

/// The same for bodies that are born in the record's step, as a refusal of it.
scree_status scree_overlaps_at_birth(const scree_integrator_input *input,
                                     const scree_step_record *record, scree_error *err);

#endif
