// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// events_run.h - a run of the event-driven scheme, between its files.

#ifndef SCREE_LAB_EVENTS_RUN_H
#define SCREE_LAB_EVENTS_RUN_H

#include "lab/events_system.h"

struct scree_events {
    const scree_run_options *options;
    scree_matrix_system matrix;        // one of these three
    scree_mechanism_system mechanism;  // is what the small system stands for
    scree_planar_system *planar;       // or NULL
    scree_small_system small;
    scree_flow flow;
    double y[SCREE_SMALL_Y], t;
    double stride;                // of the next step of integration
    int sign;                     // of the determinant of the phases
    scree_mode_solution *choice;  // (SCREE_MODE_SOLUTIONS)
    scree_event *event;
    int events, room;
    scree_step_record record;
    scree_contact contact[SCREE_SMALL_C];
    double *q[2], *v[2];  // of the record (small.coordinates)
    bool fresh;           // nothing since the start but what happened at time 0
    double created;       // sum of the positive works of percussions in this step
    double corrected;     // energy that taking gaps away brought in this step
    int pieces;           // steps of integration in this step
    double size;          // of the numbers that the energies of the last state are made of
    double largest;       // sum of the sizes of energies and works of a step, so far
    scree_ledger ledger;  // energies of the last state
};

/// The system as it is now.
void scree_events_evaluate(const scree_events *events, scree_evaluation *view);

/// Take away what rounding and integration have left of gaps and velocities of closed contacts.
void scree_events_hold(scree_events *events);

/// At an event: impacts until nothing approaches, then statuses. start: nothing was before.
scree_status scree_events_settle(scree_events *events, bool start, scree_error *err);

#endif
