// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// contact_memory.c - the impulses of the last step, for the next one to begin with.
// in: contacts of two steps, ascending by id.   out: impulses in the axes of the second.

#include <stdlib.h>
#include <string.h>

#include "base/space.h"
#include "step/contacts.h"

// the impulse of the last step in the axes of this one
static void carry(int space, const scree_kept *old, const scree_contact *contact, double *p) {
    if (space == 2) {
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
void scree_contacts_match(const scree_model *model, int first, scree_contact_set *set) {
    int k = set->matched;
    for (int i = first; i < set->count; i++) {
        const scree_contact *contact = &set->contact[i];
        double *p = set->wanted + (size_t)i * SCREE_ROWS_MAX;
        while (k < set->kept && set->keep[k].id < contact->id) k++;
        bool known = k < set->kept && set->keep[k].id == contact->id;
        set->status_before[i] =
            (unsigned char)(known ? set->keep[k].status : SCREE_CONTACT_INACTIVE);
        if (known)
            carry(model->space, &set->keep[k], contact, p);
        else
            memset(p, 0, SCREE_ROWS_MAX * sizeof *p);
    }
    set->matched = k;
}

static bool make_kept_room(scree_contact_set *set, int count) {
    if (count <= set->kept_room) return true;
    int room = count + count / 2;
    scree_kept *grown = realloc(set->keep, (size_t)room * sizeof *grown);
    if (!grown) return false;
    set->keep = grown;
    set->kept_room = room;
    return true;
}

static void forget_rows(const scree_model *model, scree_contact_set *set) {
    size_t rows = (size_t)model->row_contacts;
    memset(set->keep_row, 0, rows * SCREE_ROWS_MAX * sizeof *set->keep_row);
    memset(set->keep_row_status, SCREE_CONTACT_INACTIVE, rows);
}

static void keep_row(scree_contact_set *set, const scree_contact *contact) {
    memcpy(set->keep_row + (size_t)contact->id * SCREE_ROWS_MAX, contact->impulse,
           sizeof contact->impulse);
    set->keep_row_status[contact->id] = (unsigned char)contact->status;
}

static void keep(scree_contact_set *set, const scree_contact *contact) {
    scree_kept *kept = &set->keep[set->kept++];
    kept->id = contact->id;
    kept->status = contact->status;
    memcpy(kept->normal, contact->normal, sizeof kept->normal);
    memcpy(kept->tangent, contact->tangent, sizeof kept->tangent);
    memcpy(kept->impulse, contact->impulse, sizeof kept->impulse);
}

scree_status scree_contacts_keep(const scree_model *model, scree_contact_set *set,
                                 scree_error *err) {
    set->kept = 0;
    if (!make_kept_room(set, set->active_count))
        return scree_fail(err, SCREE_NO_MEMORY, SCREE_NOWHERE, "out of memory for %d contacts",
                          set->active_count);
    forget_rows(model, set);
    for (int k = 0; k < set->active_count; k++) {
        const scree_contact *contact = &set->contact[set->active[k]];
        if (contact->a >= 0)
            keep(set, contact);
        else
            keep_row(set, contact);
    }
    return SCREE_OK;
}

static int by_id(const void *a, const void *b) {
    const scree_kept *one = a, *two = b;
    return (one->id > two->id) - (one->id < two->id);
}

scree_status scree_contacts_restore(const scree_model *model, const scree_contact *contact,
                                    int contacts, scree_contact_set *set, scree_error *err) {
    set->kept = 0;
    if (!make_kept_room(set, contacts))
        return scree_fail(err, SCREE_NO_MEMORY, SCREE_NOWHERE, "out of memory for %d contacts",
                          contacts);
    forget_rows(model, set);
    int last = model->bodies + model->elastics;
    for (int i = 0; i < contacts; i++) {
        const scree_contact *given = &contact[i];
        bool row = given->a < 0;
        bool known = row ? given->id < (uint64_t)model->row_contacts
                         : given->a < last && given->b >= 0 && given->b < last;
        if (!known)
            return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                              "the stored contact %llu is not in this model",
                              (unsigned long long)given->id);
        if (given->status == SCREE_CONTACT_INACTIVE) continue;
        if (row) {
            keep_row(set, given);
            continue;
        }
        keep(set, given);
        const scree_law *law = scree_model_law(model, given->a, given->b);
        scree_contacts_tangent(model->space, law, given->normal, set->keep[set->kept - 1].tangent);
    }
    if (set->kept) qsort(set->keep, (size_t)set->kept, sizeof *set->keep, by_id);
    return SCREE_OK;
}
