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
    return presence->body ? SCREE_OK : scree_fail_memory(err, "bodies");
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
        const scree_body *body = &model->body[i];
        bool comes = body->birth_time > 0, goes = body->removal_time != 0;
        note_event(presence, body->birth_time, t);  // 0 of most, which is after -infinity
        if (goes) note_event(presence, body->removal_time, t);
        if ((!body->fixed || comes || goes) && scree_body_present(body, t))
            presence->body[presence->count++] = i;
    }
}
