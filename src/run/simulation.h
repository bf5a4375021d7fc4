// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// simulation.h - what a simulation is made of.

#ifndef SCREE_RUN_SIMULATION_H
#define SCREE_RUN_SIMULATION_H

#include "base/arena.h"
#include "run/integrator.h"
#include "scree/simulation.h"

struct scree_simulation {
    scree_scene *scene;      // owned, or NULL
    scree_model *own_model;  // owned, or NULL
    scree_arena arena;       // room for states
    int places, dofs;        // that there is room for
    const scree_model *model;
    scree_run_options options;
    scree_integrator *integrator;
    scree_state state;  // what the record says, in room that stays where it is
    scree_account account;
    scree_totals totals;
    scree_step_seconds seconds;  // of all steps
    scree_engine_steps engine[SCREE_ENGINES];
    int engines;
    int64_t held;  // steps in which bodies were
    scree_eased_steps eased;
    double turn;                    // largest of elastic bodies in the steps taken here [rad]
    int turned;                     // and whose it is
    const volatile int *interrupt;  // or NULL
    bool refused;
    scree_refusal refusal;  // of the last step that was asked for, if it was
    scree_findings warnings;

    bool program;              // a program has had a hand in it: program.c
    int storing;               // runs of it that are being stored
    bool changed;              // its bodies are not those of the scene any more
    int past_models;           // models of before that the present one shares things with
    scree_model **past_model;  // owned (past_models)
    double *applied;           // its forces (dofs), or NULL
    scree_force_fn *force_fn;  // those that it computes, or NULL
    void *force_data;
    scree_law_fn *law_fn;  // and laws, or NULL
    void *law_data;
    double exchange;  // energy that it brought since the last step
};

static inline const scree_integrator_row *scree_simulation_row(const scree_simulation *simulation) {
    return simulation->integrator->row;
}

/// Room for the state, of the size of the model; it moves only if it was too small.
scree_status scree_simulation_make_state(scree_simulation *simulation, scree_error *err);

/// Let an integrator take forces, laws and interruptions of the program, if there are any.
scree_status scree_simulation_connect(scree_simulation *simulation, scree_integrator *integrator,
                                      scree_error *err);

/// Take the state from the record.
void scree_simulation_show(scree_simulation *simulation);

#endif
