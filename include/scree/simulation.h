// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// simulation.h - a model that is stepped, booked and never trusted blindly.
//
//     scree_simulation *sim = scree_simulation_open("ball.yaml", NULL, 0, &findings);
//     while (scree_simulation_left(sim) > 0 && scree_simulation_step(sim, &err) == SCREE_OK) ...

#ifndef SCREE_SIMULATION_H
#define SCREE_SIMULATION_H

#include "scree/events.h"
#include "scree/ledger.h"
#include "scree/scene.h"
#include "scree/verdict.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct scree_simulation scree_simulation;

/// Start from a model of your own (borrowed, finished). scheme.step and duration must be set.
SCREE_API scree_status scree_simulation_new(const scree_model *model,
                                            const scree_run_options *options,
                                            scree_simulation **simulation, scree_error *err);

/// Read a scene, build its model, refuse overlaps at the start; every mistake goes to findings.
/// The simulation owns scene and model. NULL if there was a mistake.
SCREE_API scree_simulation *scree_simulation_open(const char *file, const char *const *overrides,
                                                  int count, scree_findings *findings);

/// The same for a scene in memory (see scree_scene_parse).
SCREE_API scree_simulation *scree_simulation_parse(const char *name, const char *text,
                                                   size_t length, const char *const *overrides,
                                                   int count, scree_findings *findings);

/// The same with files that the scene names: those of the list (the row behind the last one has no
/// name) are taken from memory instead of being read.
SCREE_API scree_simulation *scree_simulation_parse_with(const char *name, const char *text,
                                                        size_t length, const char *const *overrides,
                                                        int count,
                                                        const scree_embedded_file *supply,
                                                        scree_findings *findings);

/// Free it, with all that it owns.
SCREE_API void scree_simulation_free(scree_simulation *simulation);

/// One step, with its ledger. SCREE_UNCONVERGED leaves the state as it was before the step;
/// SCREE_LEDGER_BROKEN comes after a step that must not be believed, so stop there; so does
/// SCREE_BAD_INPUT for energies beyond numbers, and for a scene's body that is born into another.
SCREE_API scree_status scree_simulation_step(scree_simulation *simulation, scree_error *err);

/// Forces of the program on body `body` (its force, then its torque about the centre of mass in
/// world axes: x, y, torque in the plane, six numbers in space) in every step from now on, until
/// they are set anew [N, N m]. Booked as external work. Fixed and driven bodies feel none.
SCREE_API scree_status scree_simulation_set_force(scree_simulation *simulation, int body,
                                                  const double *force, scree_error *err);

/// The same for all degrees of freedom at once (dofs), in place of what was set before; NULL: none.
/// Of systems and elastic bodies they are forces along each coordinate.
SCREE_API scree_status scree_simulation_set_load(scree_simulation *simulation, const double *load,
                                                 scree_error *err);

/// Forces that see the state, asked once before each step (scree_force_fn in model.h); those of
/// scree_simulation_set_force act besides. NULL: none.
SCREE_API scree_status scree_simulation_set_forces(scree_simulation *simulation,
                                                   scree_force_fn *force, void *data,
                                                   scree_error *err);

/// Laws of contacts between bodies by a function (scree_law_fn in step.h); NULL: those of the
/// model. The dissipation theorem does not speak about them; the ledger does.
SCREE_API scree_status scree_simulation_set_laws(scree_simulation *simulation, scree_law_fn *law,
                                                 void *data, scree_error *err);

/// Put the simulation to another state at the same time: q (coordinates) and v (dofs), which may
/// be those of its state. The energy that this brings is booked as exchange of the next step.
/// Contacts are found anew.
SCREE_API scree_status scree_simulation_set_state(scree_simulation *simulation, const double *q,
                                                  const double *v, scree_error *err);

/// Add bodies, with their definitions and now; their numbers follow those of the rigid bodies that
/// are there. shape->body counts from the first of them; groups are those of the model. The energy
/// that they bring is booked as exchange of the next step. The model is another one from here on,
/// and q and v of the state may have moved.
SCREE_API scree_status scree_simulation_add_bodies(scree_simulation *simulation,
                                                   const scree_body *body, int bodies,
                                                   const scree_shape *shape, int shapes,
                                                   scree_error *err);

/// Take rigid bodies out (of the numbers body[0 .. bodies - 1]): from now on they are not there,
/// and neither are their contacts and joints. They keep their numbers and their places in q and v.
/// The energy that they take along is booked as exchange of the next step.
SCREE_API scree_status scree_simulation_remove_bodies(scree_simulation *simulation, const int *body,
                                                      int bodies, scree_error *err);

/// Steps of the whole run (duration / step, rounded up), and those still to do.
SCREE_API int64_t scree_simulation_steps(const scree_simulation *simulation);

/// Steps that are still to be done; 0 also where more were done than the run has.
SCREE_API int64_t scree_simulation_left(const scree_simulation *simulation);

/// What is simulated. Borrowed.
SCREE_API const scree_model *scree_simulation_model(const scree_simulation *simulation);

/// The scene that it comes from, or NULL: it comes from a model of a program. Borrowed.
SCREE_API const scree_scene *scree_simulation_scene(const scree_simulation *simulation);

/// Its options, with what they left open decided. Borrowed.
SCREE_API const scree_run_options *scree_simulation_options(const scree_simulation *simulation);

/// The state as it is. The struct and its q and v stay where they are and are up to date after
/// every call, until the simulation is freed. Only scree_simulation_add_bodies may move q and v;
/// what they were before can be read all the same, but does not follow any more.
SCREE_API const scree_state *scree_simulation_state(const scree_simulation *simulation);

/// What a scene most likely does not mean, with its place, but can be run.
SCREE_API const scree_findings *scree_simulation_warnings(const scree_simulation *simulation);

/// What integrates the simulation: steppers, events, mechanisms and sweeping processes answer
/// alike.
typedef struct scree_integration {
    const char *integrator;  // stepper, event-driven, mechanism, sweeping
    const char *method;      // its scheme, or the method of a sweeping process
    const char *method_key;  // the key of scenes that chooses it: scheme.name or method
    bool energies;           // states have contacts and energies. The point of a sweeping process
                             // has neither; its q is the point, v its velocity during the last
                             // step, and penetration in its account how far it is outside
    bool problems;           // steps have contact problems
    char text[120];          // what is integrated, in a few words
} scree_integration;

/// What integrates this one.
SCREE_API scree_integration scree_simulation_integration(const scree_simulation *simulation);

/// What a run with the scheme event-driven has gone through so far, otherwise NULL.
SCREE_API const scree_events *scree_simulation_events(const scree_simulation *simulation);

/// The last step: its contacts, problem and report; nothing before the first one.
SCREE_API const scree_step_record *scree_simulation_record(const scree_simulation *simulation);

/// Look at the state as it is, after a refused step: gaps and velocities of all contacts, with the
/// impulses of the last step that was taken.
SCREE_API const scree_step_record *scree_simulation_snapshot(scree_simulation *simulation);

/// The ledger of the last step, or the energies at the start.
SCREE_API const scree_ledger *scree_simulation_ledger(const scree_simulation *simulation);

/// The sum of the energies of the present state [J].
SCREE_API double scree_simulation_energy(const scree_simulation *simulation);

/// What the last step is remembered by, its ledger included.
SCREE_API const scree_account *scree_simulation_account(const scree_simulation *simulation);

/// Where the time of all steps went, since the simulation was opened.
SCREE_API scree_step_seconds scree_simulation_seconds(const scree_simulation *simulation);

/// Sums and extremes over all steps.
SCREE_API const scree_totals *scree_simulation_totals(const scree_simulation *simulation);

/// How many of the steps taken since the simulation was opened a solver had the last word in.
typedef struct scree_engine_steps {
    const char *solver;
    int64_t steps;
} scree_engine_steps;
enum { SCREE_ENGINES = 24 };

/// Those that had it in any, in the order in which they came, at most so many; steps without
/// contacts have none. Returns how many.
SCREE_API int scree_simulation_engines(const scree_simulation *simulation,
                                       scree_engine_steps engine[SCREE_ENGINES]);

/// In how many of the steps taken since it was opened bodies turned with their momentum, as the
/// impulses and the way they turn could not be brought together (docs/bodies.md, section 2).
SCREE_API int64_t scree_simulation_held(const scree_simulation *simulation);

/// Steps taken since it was opened in which joints gave way, because their linkage was in a
/// singular position (docs/joints.md), and what that left open at most.
typedef struct scree_eased_steps {
    int64_t steps;
    double opening;  // of the size of the joint
} scree_eased_steps;

/// How many these are.
SCREE_API scree_eased_steps scree_simulation_eased(const scree_simulation *simulation);

/// Let a step end soon once the flag, which a signal handler may set, is not 0: it is not taken,
/// and scree_simulation_step says SCREE_INTERRUPTED. NULL: nobody asks.
SCREE_API void scree_simulation_interrupt(scree_simulation *simulation, const volatile int *flag);

/// Does the dissipation theorem speak about the run, and has nothing happened so far that it
/// excludes (see scree_totals_judge)?
SCREE_API scree_theorem scree_simulation_theorem(const scree_simulation *simulation);

/// What it says about law i by itself, before the run; false behind the last law.
SCREE_API bool scree_simulation_law(const scree_simulation *simulation, int i,
                                    scree_law_verdict *verdict);

/// What is to be said about the run so far, beside the warnings of its scene, most important first:
/// up to SCREE_WARNINGS. Returns how many.
SCREE_API int scree_simulation_run_warnings(const scree_simulation *simulation,
                                            scree_warning warning[SCREE_WARNINGS]);

/// The step that ended the run, or NULL: none was refused.
SCREE_API const scree_refusal *scree_simulation_refusal(const scree_simulation *simulation);

/// Is the run to be believed so far?
SCREE_API scree_run_verdict scree_simulation_verdict(const scree_simulation *simulation);

/// How elastic body number `elastic` is solved for (see step.h).
SCREE_API scree_elastic_route scree_simulation_elastic(const scree_simulation *simulation,
                                                       int elastic);

/// Continue from a stored state (see scree_stepper_restore).
SCREE_API scree_status scree_simulation_restore(scree_simulation *simulation,
                                                const scree_state *state,
                                                const scree_contact *contact, int contacts,
                                                const scree_totals *totals, scree_error *err);

/// Whether a configuration can stand as it is: are there forces in the friction cones that hold all
/// loads? And what Coulomb's law makes of it from rest, which may be a motion all the same.
typedef struct scree_static_check {
    bool admissible;           // the forces of the record's contacts hold all loads
    bool inadmissible;         // no forces do, and it has been verified; neither: not decided
    double left;               // acceleration that the best forces leave [m/s^2]
    double needed;             // if it falls: forces would have to be this large against the loads
    double acceleration;       // that Coulomb's law lets it begin with; NaN: not solved [m/s^2]
    double free_acceleration;  // what it would be without contacts [m/s^2]
    double step;               // forces are impulses of the record over it [s]
    const scree_step_record *record;
    scree_stepper *stepper;  // owns the record
} scree_static_check;

/// Accelerations are those of the point that has most of it. Bodies are taken to be at rest.
SCREE_API scree_status scree_static_check_find(const scree_model *model,
                                               const scree_run_options *options,
                                               const scree_state *state,
                                               scree_static_check *standing, scree_error *err);

/// Free it, with all that it owns.
SCREE_API void scree_static_check_free(scree_static_check *standing);

#ifdef __cplusplus
}
#endif

#endif
