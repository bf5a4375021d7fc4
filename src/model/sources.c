// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// sources.c - contact sources of one's own, carried by a model.

#include "model/sources.h"

#include "model/memory.h"
#include "scree/contact_id.h"

scree_status scree_model_add_source(scree_model *model, int number,
                                    const struct scree_contact_source *kind, const void *data,
                                    scree_error *err) {
    struct scree_model_memory *memory = model->memory;
    if (memory->finished)
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                          "the model is finished: no source can be added");
    if (number < SCREE_SOURCE_OWN + memory->sources || number >= SCREE_SOURCES_MAX)
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                          "the next contact source has a number from %d to %d, got %d",
                          SCREE_SOURCE_OWN + memory->sources, SCREE_SOURCES_MAX - 1, number);
    memory->source[memory->sources++] = (scree_added_source){ kind, data };
    return SCREE_OK;
}

const scree_added_source *scree_model_source(const scree_model *model, int k) {
    return k < model->memory->sources ? &model->memory->source[k] : NULL;
}
