// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// presence.h - which bodies take part at a time: looked up in every step, found anew only when one
// has come or gone.

#ifndef SCREE_MODEL_PRESENCE_H
#define SCREE_MODEL_PRESENCE_H

#include "base/arena.h"
#include "scree/model.h"

// When a body comes and goes.
typedef struct scree_stay {
    double birth, removal;  // removal 0: never
    bool fixed;             // for good, from the start to the end
} scree_stay;

/// Begin zeroed; then scree_presence_make.
typedef struct scree_presence {
    scree_stay *stay;  // of each body
    int *body;         // those that are there and not fixed for good, ascending (count)
    int count;
    int come;            // bodies but for those at the end of the list that are still to come
    double from, until;  // this holds for from <= t < until
} scree_presence;

scree_status scree_presence_make(const scree_model *model, scree_arena *arena,
                                 scree_presence *presence, scree_error *err);

/// Who is there at time t.
void scree_presence_find(const scree_model *model, double t, scree_presence *presence);

/// How many have come at time t, without those at the end of the list that are still to come.
int scree_presence_come(const scree_model *model, double t, const scree_presence *presence);

/// The same; true if that is not who was there at the time before, or is asked for the first time.
static inline bool scree_presence_update(const scree_model *model, double t,
                                         scree_presence *presence) {
    if (t >= presence->from && t < presence->until) return false;
    scree_presence_find(model, t, presence);
    return true;
}

#endif
