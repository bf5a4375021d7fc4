// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// export_events.c - scree export: the events of a run with the scheme event-driven, as CSV.
//
// A run file holds states at multiples of the step, no events. They are had by going through the
// run again: the same scene gives the same bits.

#include "cli/export.h"

static void write_event(const cli_table *t, const scree_events *events, const scree_event *event) {
    fprintf(t->out, "%.17g", event->time);
    char room[SCREE_EVENT_NAME];
    cli_table_text(t, scree_events_contact_name(events, event->contact, room));
    cli_table_text(t, scree_event_kind_name(event->kind));
    cli_table_numbers(t, event->u_before, 2);
    cli_table_numbers(t, event->u_after, 2);
    cli_table_numbers(t, event->impulse, 2);
    putc('\n', t->out);
}

scree_status cli_table_events(const cli_table *t, scree_error *err) {
    const scree_events *events = scree_simulation_events(t->simulation);
    if (!events)
        return scree_fail(err, SCREE_BAD_INPUT, (scree_source_location){ t->reader->path, 0, 0 },
                          "has no events: its scheme is not event-driven");
    scree_frame_row last = { 0 };
    scree_status status = SCREE_OK;
    if (t->reader->frames)
        status = scree_run_reader_frames(t->reader, t->reader->frames - 1, 1, &last, err);
    while (!status && scree_simulation_state(t->simulation)->step < last.step)
        status = scree_simulation_step(t->simulation, err);
    if (status) return status;
    const scree_event *event;
    int count = scree_events_list(events, &event);
    cli_table_header(t, "time,contact,event,un_before,ut_before,un_after,ut_after,pn,pt\n");
    for (int k = 0; k < count; k++) write_event(t, events, &event[k]);
    return SCREE_OK;
}
