// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// schema_rows.h - words that the rows of the scene language are written with.

#ifndef SCREE_SCENE_SCHEMA_ROWS_H
#define SCREE_SCENE_SCHEMA_ROWS_H

#include <limits.h>
#include <math.h>

#include "scene/scene.h"

#define AT(type, field) .offset = offsetof(type, field)
#define ANY .low = -HUGE_VAL, .high = HUGE_VAL
#define POSITIVE .low = 0, .above_low = true, .high = HUGE_VAL
#define NOT_NEGATIVE .low = 0, .high = HUGE_VAL
#define FROM_TO(first, last) .low = (first), .high = (last)
#define END \
    { .key = NULL }

/// The keys of an elastic body.
extern const scree_schema_row scree_schema_elastic[];

/// The keys of a joint, and of a marker.
extern const scree_schema_row scree_schema_joint[], scree_schema_marker[];

/// The keys of springs and of motors.
extern const scree_schema_row scree_schema_spring[], scree_schema_motor[];

#endif
