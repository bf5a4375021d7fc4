// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// contacts.c - the possible contacts of a step, from all sources.

#include "step/contacts.h"

#include <stdlib.h>
#include <string.h>

#include "law/impact.h"
#include "model/joint.h"
#include "model/laws.h"
#include "model/memory.h"
#include "model/sources.h"

// sources of the model's own fields, ascending by number
static const scree_contact_source *const kinds[] = { &scree_source_shapes, &scree_source_nodes,
                                                     &scree_source_rows, &scree_source_joints,
                                                     &scree_source_formulas };

// the laws of all that can touch, as the scheme takes them
static scree_status make_laws(const scree_model *model, const scree_scheme_options *scheme,
                              scree_arena *arena, scree_contact_set *set, scree_error *err) {
    static const scree_law none = { 0 };
    const scree_law *law;
    int count = 0;
    while (scree_model_laws(model, count)) count++;
    set->pair_laws = count + 1;
    set->laws =
        SCREE_NEW(arena, scree_law, set->pair_laws + model->matrix_contacts + model->joints);
    if (!set->laws)
        return scree_fail(err, SCREE_NO_MEMORY, SCREE_NOWHERE, "out of memory for %d laws", count);
    set->laws[0] = scree_impact_resolve(&none, scheme);
    for (int i = 0; (law = scree_model_laws(model, i)); i++)
        set->laws[1 + i] = scree_impact_resolve(law, scheme);
    for (int c = 0; c < model->matrix_contacts; c++)
        set->laws[set->pair_laws + c] = scree_impact_resolve(&model->matrix_contact[c].law, scheme);
    for (int k = 0; k < model->joints; k++) {  // of limits and clearances
        const scree_law limit = scree_joint_law(&model->joint[k]);
        set->laws[set->pair_laws + model->matrix_contacts + k] =
            scree_impact_resolve(&limit, scheme);
    }
    return SCREE_OK;
}

static scree_status add_source(const scree_model *model, const scree_contact_source *kind,
                               const void *data, scree_arena *arena, scree_contact_set *set,
                               scree_error *err) {
    if (kind->serves && !kind->serves(model)) return SCREE_OK;
    scree_source *source = &set->source[set->sources++];
    *source = (scree_source){
        .kind = kind, .model = model, .data = data, .predicts = kind->gap_at != NULL
    };
    set->by_number[kind->number] = source;
    set->row_laws |= kind->row_law != NULL;
    return kind->make ? kind->make(source, set, arena, err) : SCREE_OK;
}

scree_status scree_contacts_make(const scree_model *model, const scree_scheme_options *scheme,
                                 scree_arena *arena, scree_contact_set *set, scree_error *err) {
    bool parted = model->joints || scree_laws_part(&model->memory->laws);
    *set = (scree_contact_set){ .parted = parted ? model : NULL };
    scree_status status = make_laws(model, scheme, arena, set, err);
    for (size_t k = 0; !status && k < sizeof kinds / sizeof *kinds; k++)
        status = add_source(model, kinds[k], NULL, arena, set, err);
    const scree_added_source *added;
    for (int k = 0; !status && (added = scree_model_source(model, k)); k++)
        status = add_source(model, added->kind, added->data, arena, set, err);
    return status;
}

void scree_contacts_free(scree_contact_set *set) {
    if (set->projection_contacts) scree_contacts_free(set->projection_contacts);
    for (int k = 0; k < set->sources; k++)
        if (set->source[k].kind->free && set->source[k].self)
            set->source[k].kind->free(&set->source[k]);
    free(set->contact);
    free(set->stencil);
    free(set->shapes);
    free(set->law);
    free(set->arm);
    free(set->gap_scale);
    free(set->warm_start);
    free(set->status_before);
    free(set->active);
    free(set->impulse_cache);
}

scree_status scree_contacts_find(const scree_model *model, const scree_contact_query *query,
                                 scree_contact_set *set, scree_error *err) {
    scree_status status = SCREE_OK;
    set->count = set->active_count = set->matched = set->warm_started = 0;
    for (int k = 0; !status && k < set->sources; k++) {
        scree_source *source = &set->source[k];
        source->first = set->count;
        status = source->kind->find(source, query, set, err);
        source->last = set->count;
    }
    if (status) {
        set->count = 0;
        for (int k = 0; k < set->sources; k++) set->source[k].first = set->source[k].last = 0;
        return status;
    }
    scree_contacts_warm_start(model, set);
    return SCREE_OK;
}

void scree_contacts_obstacles(const scree_state *before, const scree_state *after,
                              scree_contact_set *set) {
    for (int k = 0; k < set->sources; k++) {
        const scree_source *source = &set->source[k];
        if (source->first < source->last)
            source->kind->obstacle(source, set, source->first, source->last, before, after);
    }
}

void scree_contacts_invalidate(scree_contact_set *set) {
    for (int k = 0; k < set->sources; k++)
        if (set->source[k].kind->invalidate) set->source[k].kind->invalidate(&set->source[k]);
}

void scree_contacts_update_poses(const double *q, scree_contact_set *set) {
    for (int k = 0; k < set->sources; k++)
        if (set->source[k].kind->update_poses)
            set->source[k].kind->update_poses(&set->source[k], set, q);
}

void scree_contacts_update_chunk(int first, int last, scree_contact_set *set) {
    for (int k = 0; k < set->sources; k++) {
        const scree_source *source = &set->source[k];
        int from = first > source->first ? first : source->first;
        int to = last < source->last ? last : source->last;
        if (from < to && source->kind->update_chunk)
            source->kind->update_chunk(source, set, from, to);
    }
}

void scree_contacts_update_gaps(const double *q, double t, scree_contact_set *set) {
    for (int k = 0; k < set->sources; k++) {
        scree_source *source = &set->source[k];
        const scree_contact_source *kind = source->kind;
        if (kind->update_gaps) kind->update_gaps(source, set, q, t);
        for (int i = source->first; !kind->update_gaps && kind->gap_at && i < source->last; i++)
            kind->gap_at(source, set, i, q, t, &set->contact[i].gap_after);
    }
}

int scree_contact_next(const scree_step_record *record, int body, int behind) {
    for (int i = behind + 1; i < record->contacts; i++)
        if (record->contact[i].a == body || record->contact[i].b == body) return i;
    return -1;
}

int scree_contacts_begin_of_pair(const scree_contact_set *set, int i) {
    while (i > 0 && i < set->count &&
           scree_contact_id_same_pair(set->contact[i].id, set->contact[i - 1].id))
        i--;
    return i;
}

int scree_contacts_active_from(const scree_contact_set *set, int i) {
    int low = 0, high = set->active_count;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (set->active[middle] < i)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}
