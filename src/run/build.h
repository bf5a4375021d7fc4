// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// build.h - scene -> simulation.

#ifndef SCREE_RUN_BUILD_H
#define SCREE_RUN_BUILD_H

#include "scree/simulation.h"

/// Build the simulation of a scene, which may be NULL and is taken, also if it fails. Mistakes go
/// to findings; NULL if there are any.
scree_simulation *scree_simulation_build(scree_scene *scene, scree_findings *findings);

#endif
