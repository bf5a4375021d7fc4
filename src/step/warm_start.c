// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// warm_start.c - the warm start: impulses of the last step, for the next one to begin with.
// in: contacts of two steps, ascending by id.   out: impulses in the axes of the second.

#include <stdlib.h>
#include <string.h>

#include "base/space.h"
#include "step/contacts.h"

// the impulse of the last step in the axes of this one
static void rotate_to_frame(int space, const scree_cached_impulse *old,
                            const scree_contact *contact, double *p) {
    if (space == 2 || contact->a < 0) {
        memcpy(p, old->impulse, SCREE_ROWS_MAX * sizeof *p);
        return;
    }
    double second[3], world[3], moment[3], now[3];
    scree_cross(old->normal, old->tangent, second);
    scree_cross(contact->normal, contact->tangent, now);
    for (int k = 0; k < 3; k++) {
        world[k] = old->impulse[0] * old->normal[k] + old->impulse[1] * old->tangent[k] +
                   old->impulse[2] * second[k];
        moment[k] = old->impulse[3] * old->tangent[k] + old->impulse[4] * second[k];
    }
    p[0] = scree_dot(world, contact->normal);
    p[1] = scree_dot(world, contact->tangent);
    p[2] = scree_dot(world, now);
    p[3] = scree_dot(moment, contact->tangent);
    p[4] = scree_dot(moment, now);
}

// both lists ascend by id
void scree_contacts_warm_start(const scree_model *model, scree_contact_set *set) {
    int k = set->matched;
    for (int i = set->warm_started; i < set->count; i++) {
        const scree_contact *contact = &set->contact[i];
        double *p = set->warm_start + (size_t)i * SCREE_ROWS_MAX;
        while (k < set->cached && scree_contact_id_less(set->impulse_cache[k].id, contact->id)) k++;
        bool known =
            k < set->cached && scree_contact_id_equal(set->impulse_cache[k].id, contact->id);
        set->status_before[i] =
            (unsigned char)(known ? set->impulse_cache[k].status : SCREE_CONTACT_INACTIVE);
        if (known)
            rotate_to_frame(model->space, &set->impulse_cache[k], contact, p);
        else
            memset(p, 0, SCREE_ROWS_MAX * sizeof *p);
    }
    set->matched = k;
    set->warm_started = set->count;
}

static bool make_cache_room(scree_contact_set *set, int count) {
    if (count <= set->cache_room) return true;
    int room = count + count / 2;
    scree_cached_impulse *grown = realloc(set->impulse_cache, (size_t)room * sizeof *grown);
    if (!grown) return false;
    set->impulse_cache = grown;
    set->cache_room = room;
    return true;
}

static void cache_impulse(scree_contact_set *set, const scree_contact *contact) {
    scree_cached_impulse *cached = &set->impulse_cache[set->cached++];
    cached->id = contact->id;
    cached->status = contact->status;
    memcpy(cached->normal, contact->normal, sizeof cached->normal);
    memcpy(cached->tangent, contact->tangent, sizeof cached->tangent);
    memcpy(cached->impulse, contact->impulse, sizeof cached->impulse);
}

scree_status scree_contacts_cache_impulses(scree_contact_set *set, scree_error *err) {
    set->cached = 0;
    if (!make_cache_room(set, set->active_count))
        return scree_fail(err, SCREE_NO_MEMORY, SCREE_NOWHERE, "out of memory for %d contacts",
                          set->active_count);
    for (int k = 0; k < set->active_count; k++) cache_impulse(set, &set->contact[set->active[k]]);
    return SCREE_OK;
}

static int by_id(const void *a, const void *b) {
    const scree_cached_impulse *one = a, *two = b;
    return scree_contact_id_less(two->id, one->id) - scree_contact_id_less(one->id, two->id);
}

scree_status scree_contacts_restore(const scree_model *model, const scree_contact *contact,
                                    int contacts, scree_contact_set *set, scree_error *err) {
    set->cached = 0;
    if (!make_cache_room(set, contacts))
        return scree_fail(err, SCREE_NO_MEMORY, SCREE_NOWHERE, "out of memory for %d contacts",
                          contacts);
    for (int i = 0; i < contacts; i++) {
        const scree_contact *given = &contact[i];
        scree_contact_key key = scree_contact_id_unpack(given->id);
        // files up to format 4 have contacts of a mechanism as rows
        bool formula = key.source == SCREE_SOURCE_ROWS && !set->by_number[SCREE_SOURCE_ROWS];
        if (formula) key.source = SCREE_SOURCE_FORMULAS;
        const scree_source *source = set->by_number[key.source];
        bool known = source && source->kind->knows(source, given, key);
        if (!known) {
            char id[SCREE_ID_TEXT];
            scree_contact_id_text(given->id, id);
            return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                              "the stored contact %s is not in this model", id);
        }
        if (given->status == SCREE_CONTACT_INACTIVE) continue;
        cache_impulse(set, given);
        if (formula)
            set->impulse_cache[set->cached - 1].id =
                scree_contact_id_pack(SCREE_SOURCE_FORMULAS, key.a, 0, 0);
        if (given->a < 0) continue;
        const scree_law *law = scree_model_law(model, given->a, given->b);
        scree_contacts_tangent(model->space, law, given->normal,
                               set->impulse_cache[set->cached - 1].tangent);
    }
    if (set->cached)
        qsort(set->impulse_cache, (size_t)set->cached, sizeof *set->impulse_cache, by_id);
    return SCREE_OK;
}
