// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// integrator.h - what takes a simulation from a state to the next: rows of a table, all with the
// same records and accounts. A simulation holds one integrator and asks its row, never its kind.
//
//     stepper        one contact problem a step             all that has a mass
//     event-driven   from event to event (events.h)         small systems, mechanisms, few bodies
//     sweeping       projections (sweeping.h)               the point of a sweeping process

#ifndef SCREE_RUN_INTEGRATOR_H
#define SCREE_RUN_INTEGRATOR_H

#include "scree/events.h"
#include "scree/ledger.h"
#include "scree/scene.h"

typedef struct scree_integrator scree_integrator;

/// What is to be integrated; everything is borrowed and outlives the integrator.
typedef struct scree_integrator_input {
    const scree_scene *scene;  // or NULL
    const scree_model *model;
    const scree_run_options *options;
} scree_integrator_input;

typedef struct scree_integrator_row {
    const char *name;
    const char *key;         // the key of scenes that a refusal to make it is about
    const char *method_key;  // the key of scenes that says which scheme or method it is
    bool energies;           // states have contacts and energies
    bool problems;           // steps have contact problems
    bool judges_laws;        // the theorem is had law by law (scree_ledger_law)
    bool (*serves)(const scree_integrator_input *input);
    /// At the model's initial state, which the record shows.
    scree_status (*make)(const scree_integrator_input *input, scree_integrator **integrator,
                         scree_error *err);
    void (*free)(scree_integrator *integrator);

    /// One step; in: the account of the step before, out: its own. SCREE_UNCONVERGED: the state is
    /// as it was, and accept (NULL: nothing can be accepted) takes the step all the same.
    scree_status (*step)(scree_integrator *integrator, scree_account *account, scree_error *err);
    scree_status (*accept)(scree_integrator *integrator, scree_account *account, scree_error *err);
    /// Let a step end soon, refused, once the flag is not 0; NULL: steps are short.
    void (*interrupt)(scree_integrator *integrator, const volatile int *flag);
    /// Forces of the program (scree_stepper_set_forces); NULL: it takes none.
    scree_status (*set_forces)(scree_integrator *integrator, scree_force_fn *force, void *data,
                               scree_error *err);
    /// Laws of the program (scree_stepper_set_laws); NULL: it takes none.
    void (*set_laws)(scree_integrator *integrator, scree_law_fn *law, void *data);
    const scree_step_record *(*record)(const scree_integrator *integrator);
    /// The state as it is, also after a refused step; NULL: the record always shows it.
    const scree_step_record *(*snapshot)(scree_integrator *integrator);
    /// Go to a stored state; contacts with their impulses are a warm start.
    scree_status (*restore)(scree_integrator *integrator, const scree_state *state,
                            const scree_contact *contact, int contacts, scree_error *err);

    /// Energies of the present state, all works zero.
    scree_ledger (*ledger)(const scree_integrator *integrator);
    scree_theorem (*theorem)(const scree_integrator *integrator);
    /// The name of the scheme or method.
    const char *(*method)(const scree_integrator *integrator);
    /// What is integrated, in a few words without full stop.
    void (*describe)(const scree_integrator *integrator, char *text, size_t size);
    const scree_events *(*events)(const scree_integrator *integrator);              // or NULL
    scree_elastic_route (*route)(const scree_integrator *integrator, int elastic);  // or NULL
} scree_integrator_row;

struct scree_integrator {  // the first member of every integrator
    const scree_integrator_row *row;
    scree_integrator_input input;
};

extern const scree_integrator_row scree_integrator_stepper, scree_integrator_events,
    scree_integrator_sweeping;

/// The first row that serves.
const scree_integrator_row *scree_integrator_choose(const scree_integrator_input *input);

/// Where in a scene a refusal of the row belongs.
scree_source_location scree_integrator_place(const scree_integrator_row *row,
                                             const scree_scene *scene);

#endif
