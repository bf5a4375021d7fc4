// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// machine.h - a scene with a mechanism -> what steps it.

#ifndef SCREE_RUN_MACHINE_H
#define SCREE_RUN_MACHINE_H

#include "run/engine.h"

/// The engine of a scene with a mechanism, and its model. Mistakes go to findings,
/// penetrating contacts among them; false if there are any. The scene is borrowed.
bool scree_machine_build(const scree_scene *scene, scree_engine **engine, scree_model **model,
                         scree_findings *findings);

#endif
