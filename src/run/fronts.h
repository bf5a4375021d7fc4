// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// fronts.h - bodies that a scene puts behind surfaces that touch with their front alone.

#ifndef SCREE_RUN_FRONTS_H
#define SCREE_RUN_FRONTS_H

#include "run/integrator.h"

/// A mistake for each surface that bodies start behind and none in front of, a warning for each
/// that some start behind.
scree_status scree_fronts_check(const scree_integrator_input *input, const double *q,
                                scree_findings *mistakes, scree_findings *warnings,
                                scree_error *err);

#endif
