// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// events.h - from event to event: smooth phases integrated to rounding, impacts in between.
//
//     M dv/dt + C v + K q = F(t) + H^T lambda,   every contact open, stuck or sliding one way,
//
// until a gap closes, a normal force vanishes, a sliding velocity vanishes or friction does not
// hold any more. What follows is found among all statuses that agree with the contact laws of
// accelerations; a system that has none, or several, is stopped with an error. For matrix systems
// and mechanisms (mechanism.h) of up to SCREE_EVENTS_COORDINATES coordinates with planar contacts,
// and for as many rigid bodies in the plane; up to SCREE_EVENTS_CONTACTS contacts are closed at one
// moment.

#ifndef SCREE_EVENTS_H
#define SCREE_EVENTS_H

#include "scree/ledger.h"
#include "scree/mechanism.h"
#include "scree/scene.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Limits: coordinates, contacts that may be closed at one moment, and all that could close.
enum {
    SCREE_EVENTS_COORDINATES = 24,
    SCREE_EVENTS_CONTACTS = 8,
    SCREE_EVENTS_GAPS = 48,
    SCREE_EVENT_NAME = 96,
};

typedef enum scree_event_kind {
    SCREE_EVENT_IMPACT,      // percussion at a contact that closes, or holds while another closes
    SCREE_EVENT_TOUCH,       // closed from here on
    SCREE_EVENT_LIFT_OFF,    // open from here on
    SCREE_EVENT_STICK,       // does not slide from here on
    SCREE_EVENT_SLIP_PLUS,   // slides with u_T > 0 from here on
    SCREE_EVENT_SLIP_MINUS,  // slides with u_T < 0 from here on
} scree_event_kind;

/// What it is called in scenes, files and reports.
SCREE_API const char *scree_event_kind_name(scree_event_kind kind);

typedef struct scree_event {
    double time;  // [s]
    scree_event_kind kind;
    int contact;                     // of the model's row contacts, of the mechanism's, or of
                                     // bodies: scree_events_contact_name
    double u_before[2], u_after[2];  // normal, tangential [m/s]; the same but for impacts
    double impulse[2];               // of an impact [N s]
} scree_event;

typedef struct scree_events scree_events;

/// At the model's initial state and time 0, with the statuses that follow from it. Of the options
/// the step (states are shown at its multiples) and velocity_tolerance are used: a contact that
/// would rebound slower than that (auto: 1e-10 of the fastest it has moved) does not rebound, which
/// ends accumulating impacts. Model and options are borrowed.
SCREE_API scree_status scree_events_new(const scree_model *model, const scree_run_options *options,
                                        scree_events **events, scree_error *err);

/// The same of a mechanism, which is borrowed, too.
SCREE_API scree_status scree_events_of_mechanism(const scree_mechanism_def *mechanics,
                                                 const scree_run_options *options,
                                                 scree_events **events, scree_error *err);

/// Free it, with all that it owns.
SCREE_API void scree_events_free(scree_events *events);

/// Go on for one step of the options, through all events in it. The account's residual is what
/// integration left of the energy balance. After an error the state is that of the last step.
SCREE_API scree_status scree_events_step(scree_events *events, scree_account *account,
                                         scree_error *err);

/// The last step: its two states, and contacts with all that they bore in it, percussions included.
SCREE_API const scree_step_record *scree_events_record(const scree_events *events);

/// What a contact is called; bodies: as "block corner 2 on ground", written into room.
SCREE_API const char *scree_events_contact_name(const scree_events *events, int contact,
                                                char room[SCREE_EVENT_NAME]);

/// All events since time 0 in their order; valid until the next step.
SCREE_API int scree_events_list(const scree_events *events, const scree_event **list);

/// Go to a state of the same run, by running through it again from the start.
SCREE_API scree_status scree_events_restore(scree_events *events, const scree_state *state,
                                            scree_error *err);

/// Can contacts create energy in a run with the scheme event-driven?
SCREE_API scree_theorem scree_events_theorem(const scree_model *model);

#ifdef __cplusplus
}
#endif

#endif
