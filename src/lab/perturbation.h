// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// perturbation.h - is an equilibrium stable? Push it and look.

#ifndef SCREE_LAB_PERTURBATION_H
#define SCREE_LAB_PERTURBATION_H

#include "scree/equilibria.h"

typedef struct scree_perturbation scree_perturbation;

/// What is common to all equilibria of a set. length: the largest displacement among them, or the
/// reach of rigid bodies; time: of the slowest oscillation, or of a fall through the length.
scree_status scree_perturbation_new(const scree_model *model, const scree_run_options *options,
                                    const scree_equilibrium_system *system,
                                    const scree_equilibria *set, scree_perturbation **experiment,
                                    scree_error *err);
void scree_perturbation_free(scree_perturbation *experiment);

/// Write the verdict of one piece. A place that was tried already keeps its verdict.
scree_status scree_perturbation_test(scree_perturbation *experiment, scree_equilibrium *piece,
                                     scree_error *err);

#endif
