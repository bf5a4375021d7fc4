// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// presence.c - which bodies take part at a time.
// in: model, time.   out: a list of bodies, and how long it holds.

#include "model/presence.h"

#include <math.h>

#include "model/inertia.h"

scree_status scree_presence_make(const scree_model *model, scree_arena *arena,
                                 scree_presence *presence, scree_error *err) {
    *presence = (scree_presence){ .from = HUGE_VAL, .until = -HUGE_VAL };
    presence->body = SCREE_NEW(arena, int, model->bodies);
    presence->stay = SCREE_NEW(arena, scree_stay, model->bodies);
    if (!presence->body || !presence->stay) return scree_fail_memory(err, "bodies");
    for (int i = 0; i < model->bodies; i++) {
        const scree_body *body = &model->body[i];
        bool changes = body->birth_time > 0 || body->removal_time != 0;
        presence->stay[i] =
            (scree_stay){ body->birth_time, body->removal_time, body->fixed && !changes };
    }
    return SCREE_OK;
}

int scree_presence_come(const scree_model *model, double t, const scree_presence *presence) {
    int come = model->bodies;
    while (come > 0 && presence->stay[come - 1].birth > t) come--;
    return come;
}

// a body comes or goes at this time
static void note_event(scree_presence *presence, double event, double t) {
    if (event <= t)
        presence->from = fmax(presence->from, event);
    else
        presence->until = fmin(presence->until, event);
}

void scree_presence_find(const scree_model *model, double t, scree_presence *presence) {
    presence->from = -HUGE_VAL;
    presence->until = HUGE_VAL;
    presence->count = 0;
    for (int i = 0; i < model->bodies; i++) {
        const scree_stay *stay = &presence->stay[i];
        note_event(presence, stay->birth, t);  // 0 of most, which is after -infinity
        if (stay->removal != 0) note_event(presence, stay->removal, t);
        if (!stay->fixed && scree_present_within(stay->birth, stay->removal, t))
            presence->body[presence->count++] = i;
    }
    presence->come = scree_presence_come(model, t, presence);
}
