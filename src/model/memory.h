// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// memory.h - what a model holds besides its public fields.

#ifndef SCREE_MODEL_MEMORY_H
#define SCREE_MODEL_MEMORY_H

#include "base/arena.h"
#include "model/collision_shape.h"
#include "model/forces.h"
#include "model/joint.h"
#include "model/laws.h"
#include "model/part.h"
#include "model/sources.h"
#include "scree/contact_id.h"

struct scree_model_memory {
    scree_arena arena;
    int body_room, shape_room, solid_room, group_room, contact_room;
    scree_collision_shape *solid;  // (shapes)
    scree_laws laws;
    scree_joints joints;
    int drive_room;
    scree_mean_forces mean_forces;  // `at` NULL: there are none
    int sources;
    scree_added_source source[SCREE_SOURCES_MAX - SCREE_SOURCE_OWN];  // (sources)
    int rows;            // kinds of parts that there are
    scree_parts *parts;  // (rows)
    bool finished;
};

#endif
