// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// sources.h - contact sources of one's own, carried by a model for the steppers made of it.

#ifndef SCREE_MODEL_SOURCES_H
#define SCREE_MODEL_SOURCES_H

#include "scree/model.h"

struct scree_contact_source;  // step/source.h

typedef struct scree_added_source {
    const struct scree_contact_source *kind;
    const void *data;
} scree_added_source;

/// Add a source to a model that is not finished. Its number is one from SCREE_SOURCE_OWN on and
/// used once; sources are added ascending by number. Kind and data must outlive the model.
scree_status scree_model_add_source(scree_model *model, int number,
                                    const struct scree_contact_source *kind, const void *data,
                                    scree_error *err);

/// Source k of those that were added, or NULL.
const scree_added_source *scree_model_source(const scree_model *model, int k);

#endif
