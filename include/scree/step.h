// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// step.h - from a state to the next one.
//
//     M (v' - v) + h K q_theta + h C v_theta - h F_theta = H^T p
//     q' = q + h v_theta,      u = H v + w,   u' = H v' + w'
//     s = u' + (e u_N, tau u_T),      K* ∋ s + (mu |s_T|, 0)  ⟂  p ∈ K
//
// with x_theta = (1 - theta) x + theta x'. tau is the law's in moreau-jean (0 if it is not given)
// and (1 - theta)/theta in moreau-jean-fremond. moreau is Moreau's Contact Dynamics: theta = 1/2,
// and H and the gaps at q + (h/2) v. H is evaluated once per step; docs/theory.md has the whole
// story.

#ifndef SCREE_STEP_H
#define SCREE_STEP_H

#include "scree/contact_id.h"
#include "scree/model.h"
#include "scree/solve.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum scree_scheme {
    SCREE_MOREAU_JEAN,
    SCREE_MOREAU_JEAN_FREMOND,
    SCREE_MOREAU,
    SCREE_NSCD,          // for matrix systems and mechanisms; docs/events.md
    SCREE_EVENT_DRIVEN,  // the same and few bodies in the plane, and not by a stepper but by
                         // scree_simulation_step; events.h
} scree_scheme;

/// Which contacts enter the problem of a step.
typedef enum scree_activation {
    SCREE_ACTIVATE_PREDICTED,         // gap(q + h v) <= tolerance
    SCREE_ACTIVATE_PREDICTED_LINEAR,  // gap(q) + h u_N <= tolerance
    SCREE_ACTIVATE_HALF,              // gap(q) + (h/2) u_N <= tolerance
    SCREE_ACTIVATE_CLOSED,            // gap <= tolerance where H is evaluated
    SCREE_ACTIVATE_FREE_END,          // the motion without contact ends with gap <= 0, u_N <= 0
} scree_activation;

typedef enum scree_approach {
    SCREE_APPROACH_AUTO,      // see scree_scheme_choose
    SCREE_APPROACH_REQUIRED,  // and u_N <= tolerance
    SCREE_APPROACH_IGNORED,
    SCREE_APPROACH_KEPT,      // or u_N > 0 and closed already: then the law is on the mean velocity
    SCREE_APPROACH_FORESEEN,  // the same, and open pairs that impacts of the step would close: they
                              // may use up their gap, 0 <= u_N,theta + gap/h _|_ p_N >= 0
} scree_approach;

/// What becomes of bodies that sank into each other, after each step.
typedef enum scree_correction {
    SCREE_CORRECT_NONE,
    SCREE_CORRECT_PROJECTION,  // they are pushed apart
    SCREE_CORRECT_LIMITED,     // they are pushed apart as far as they sank deeper than 1/200 of the
                               // size of the smaller one
    SCREE_CORRECT_AUTO,        // see scree_scheme_choose
} scree_correction;

/// Where H, gap and u are evaluated.
typedef enum scree_jacobian {
    SCREE_JACOBIAN_START,     // at q
    SCREE_JACOBIAN_FREE_END,  // at the end of the motion without contact
    SCREE_JACOBIAN_MIDDLE,    // at q + (h/2) v
} scree_jacobian;

/// What tells a scheme of steps from the others. With v_alpha = (1 - alpha) v + alpha v'
///
///     M (v' - v) + h K q_theta + h C v_alpha - h F_theta = H^T p,      q' = q + h v_alpha
///
/// and works are done with v_alpha. A scheme of one's own is a row of one's own.
typedef struct scree_scheme_row {
    const char *name;
    double alpha;                 // NaN: theta
    double theta_min, theta_max;  // which theta it takes
    bool rules_fixed;  // the three rules are the row's, those of the options are not asked
    scree_activation activation;
    scree_approach approach;
    scree_jacobian jacobian;
    scree_impact impact;  // of laws that do not say
    double obstacle_at;   // 1: the obstacle's velocities w, w' are those of t and t + h;
                          // below 1: both are that of t + obstacle_at h
    bool inelastic;       // laws with restitution are refused
    bool steps;           // false: no scheme of steps (event-driven)
} scree_scheme_row;

typedef struct scree_scheme_options {
    scree_scheme name;
    double theta;  // in [1/2, 1]; NaN: by the model, see scree_scheme_choose
    double step;   // h > 0 [s]
    scree_activation activation;
    scree_approach approach;
    scree_jacobian jacobian;
    double gap_tolerance;       // >= 0 [m], NaN: from the rounding of each gap
    double velocity_tolerance;  // >= 0 [m/s], NaN: from the velocities of the step
    scree_correction correct;
    bool adapts;  // theta is the least: bodies that touch have 1/(1+e) of what bounces among them;
                  // scree_scheme_choose sets it
    const scree_scheme_row *row;  // a scheme of one's own instead of `name`; NULL: that of the name
} scree_scheme_options;

/// moreau-jean-fremond, theta and approach by the model, the rule `predicted`, H at q; the step
/// must be set.
SCREE_API scree_scheme_options scree_scheme_options_default(void);

/// What it is called in scenes, files and reports.
SCREE_API const char *scree_scheme_name(scree_scheme scheme);

/// The row of a scheme: the options' own, or that of the name.
SCREE_API const scree_scheme_row *scree_scheme_row_of(const scree_scheme_options *scheme);

/// alpha of the row; theta if it has none.
SCREE_API double scree_scheme_alpha(const scree_scheme_options *scheme);

/// The options with the rules that the scheme has by itself; theta 1/2 where none is given.
SCREE_API scree_scheme_options scree_scheme_resolve(const scree_scheme_options *scheme);

/// Is theta one that the scheme takes?
SCREE_API scree_status scree_scheme_check_theta(const scree_scheme_options *scheme,
                                                scree_error *err);

typedef enum scree_contact_status {
    SCREE_CONTACT_INACTIVE,  // not in the problem of this step
    SCREE_CONTACT_OPEN,      // in the problem, no impulse (cohesion: all of its pull)
    SCREE_CONTACT_STICK,     // the law's tangential velocity is zero
    SCREE_CONTACT_SLIP,      // the impulse is on the boundary of the cone; mu = 0: always
} scree_contact_status;

/// What it is called in scenes, files and reports.
SCREE_API const char *scree_contact_status_name(scree_contact_status status);

enum { SCREE_ROWS_MAX = 5 };

/// One possible contact during one step. Vectors of local components hold the normal one first.
typedef struct scree_contact {
    scree_contact_id id;
    int a, b;  // sides: a body's number; a system is -1, its contact number c is -2 - c;
               // joints: -1, and joint k is -2 - matrix_contacts - k
    scree_contact_status status;
    double gap;         // where H was evaluated [m]; negative: penetration
    double gap_after;   // at the end of the step [m]
    double normal[3];   // bodies: unit, from b to a
    double tangent[3];  // the first one; in the plane (-normal[1], normal[0]), in space the second
                        // is normal x tangent
    double point[3];    // bodies: where the impulse acts on both [m]
    double restitution, tangential_restitution, friction;  // the law: e, tau, mu
    double friction_across, rolling, cohesion;             // what may be added to it: [1, m, N]
    // components: normal, tangential, and with rolling resistance the two of rolling [rad/s, N m s]
    double u_before[SCREE_ROWS_MAX], u_after[SCREE_ROWS_MAX];  // u, u' [m/s]
    double w_before[SCREE_ROWS_MAX], w_after[SCREE_ROWS_MAX];  // what is driven in them [m/s]
    double impulse[SCREE_ROWS_MAX];                            // p [N s]
    double theta;    // the weight of u' in u_theta, that of its bodies; 0: that of the scheme
    bool rests;      // its normal velocity is rounding: the law is on u_N,theta
    double reserve;  // gap/h where the gap may be used up within the step: then the law is on
                     // u_N,theta + reserve; else 0 [m/s]
    double size;     // of the smaller shape: the radius of a ball around it; 0 if it has none [m]
    double velocity_scale;  // size of the numbers that u is made of, its scale for rounding; 0 if
                            // far [m/s]
} scree_contact;

typedef struct scree_state {
    int64_t step;  // steps done
    double time;   // step * h [s]
    double *q;     // positions  (coordinates)
    double *v;     // velocities (dofs)
} scree_state;

/// Where the time of a step went; 0 for steps with few contacts, where clocks would cost more than
/// they tell.
typedef struct scree_step_seconds {
    double detect;     // free motion, contacts found and chosen [s]
    double solve;      // problem and impulses
    double processor;  // the same in time of the processor, of all threads
    double finish;     // next state, velocities and gaps of contacts
} scree_step_seconds;

/// What one step did: the two states and all that happened between them. Borrowed from the
/// stepper and valid until its next step.
typedef struct scree_step_record {
    scree_state before, after;
    double h;      // length of the step [s]; the difference of the times carries their rounding
    double alpha;  // q' = q + h v_alpha, and works are done with v_alpha
    const double *body_theta;  // of each rigid body, if they differ: 1/2 in the air (bodies); NULL:
                               // all have that of the scheme
    int dormant;  // rigid bodies at the end of the list that are still to come: nothing of them has
                  // changed
    double together;                     // the same bodies have been there since then [s]
    const scree_scheme_options *scheme;  // with nothing left open
    const double *force;  // what acted during the step besides the model's loads of t (dofs), or
                          // NULL: forces that see the state and those of the program [N, N m]
    const double *v_end;  // the velocity that laws and works see at the end (dofs): v', and for
                          // mechanisms under moreau-jean-fremond 2 (q' - q)/h - v
    int contacts;         // closed ones and those that can close within the step; where
                          // pairs are few and all contacts are to be stored, all
    const scree_contact *contact;  // (contacts)
    int active;                    // how many of them were in the problem
    scree_problem problem;         // of the active ones, in their order: by bodies, and in blocks
                                   // if the solver wanted them
    const double *law_velocity;    // s (active x dimension)
    scree_report report;
    double eased;   // what joints in a singular position, or contacts of joined bodies that
                    // are jammed, give way by, of their size; mostly 0
    int held;       // bodies that turned with their momentum, see docs/bodies.md, section 2
    bool loosened;  // above the solver's tolerance, and not above its worst: taken
    double correction_work;  // energy that pushing sunk bodies apart brought [J]
    scree_step_seconds seconds;
} scree_step_record;

/// The contacts of a body, one after the other: the number in the record of the first one behind
/// number `behind` (-1: of all) that body `body` is a side of; -1 if there is none.
SCREE_API int scree_contact_next(const scree_step_record *record, int body, int behind);

typedef struct scree_stepper scree_stepper;

/// The options with everything decided that they leave to the model (docs/defaults.md): theta is
/// 1/(1 + e) with the largest restitution if all that moves is rigid, else 1/2; contacts are kept,
/// and ignored by the rule `half`.
SCREE_API scree_scheme_options scree_scheme_choose(const scree_model *model,
                                                   const scree_scheme_options *scheme);

/// A key of `scheme` that the options leave open: what scree_scheme_choose takes, and why.
typedef struct scree_scheme_reason {
    const char *key;
    char value[32], why[160];
} scree_scheme_reason;

/// Reason i of what was chosen, from 0 on; false: there are no more.
SCREE_API bool scree_scheme_explain(const scree_model *model, const scree_scheme_options *scheme,
                                    int i, scree_scheme_reason *reason);

/// The solver's tolerance where options leave it open (NaN): 1e-10, 1e-5 where more than 100 bodies
/// move (1e-6 with joints), 1e-4 where more than 1000 do, ten times as much where these are discs
/// or balls without joints; and why (reason may be NULL).
SCREE_API double scree_scheme_choose_tolerance(const scree_model *model,
                                               scree_scheme_reason *reason);

/// The residual that a step is taken with where the tolerance was left open and is not reached: a
/// tenth of its root, 1e-6 of 1e-10; 0, none is taken, where there are joints.
SCREE_API double scree_scheme_worst(const scree_model *model, double tolerance);

/// What penetration is to be expected, from step, speeds and sizes alone.
typedef struct scree_scheme_forecast {
    double speed;  // of the fastest body: at the start, or after a fall through the scene [m/s]
    double size;   // of the smallest shape that moves, as in penetrations; 0: it has none [m]
    double way;    // of that body in a step over that size
    double penetration;  // over that size; infinite where what rests sinks without end
} scree_scheme_forecast;

/// The forecast for a model under a scheme.
SCREE_API scree_scheme_forecast scree_scheme_forecast_of(const scree_model *model,
                                                         const scree_scheme_options *scheme,
                                                         double duration);

/// A stepper at the model's initial state. The model is borrowed and must outlive it.
SCREE_API scree_status scree_stepper_new(const scree_model *model,
                                         const scree_scheme_options *scheme,
                                         const scree_solver_options *solver,
                                         scree_stepper **stepper, scree_error *err);

/// Free it, with all that it owns.
SCREE_API void scree_stepper_free(scree_stepper *stepper);

/// Forces of the program, NULL: none. What was set before is replaced; those of the model
/// (scree_model_set_forces) act besides.
SCREE_API scree_status scree_stepper_set_forces(scree_stepper *stepper, scree_force_fn *force,
                                                void *data, scree_error *err);

/// The law of one contact between two bodies, by a function of the program: law is that of the
/// model for the pair and may be changed; the contact has its sides, identity, place, frame, gap
/// and u_before. Asked for all contacts of a step whenever they are found, which may be more than
/// once a step: one after the other, ascending by identity, with the state before the step. The
/// answer must follow from its arguments. With a status other than SCREE_OK the step is not taken.
///
/// Rolling resistance must be in some law of the model; restitution must not be more than the
/// largest of the model's laws where theta is left to the model, as it is chosen by them.
typedef scree_status scree_law_fn(void *data, const scree_state *state,
                                  const scree_contact *contact, scree_law *law, scree_error *err);

/// Laws of the program, NULL: those of the model. data must outlive the stepper.
SCREE_API void scree_stepper_set_laws(scree_stepper *stepper, scree_law_fn *law, void *data);

/// Let solvers end soon, and the step be refused, once the flag is not 0; NULL: nobody asks.
SCREE_API void scree_stepper_interrupt(scree_stepper *stepper, const volatile int *flag);

/// One step. SCREE_UNCONVERGED: the problem missed its tolerance, the state did not move; the
/// record holds the refused attempt, and scree_stepper_accept can take it all the same.
SCREE_API scree_status scree_stepper_advance(scree_stepper *stepper, scree_error *err);

/// Take the step that was refused, with the best impulses found. SCREE_UNCONVERGED, with err as it
/// was, if there are none, because a body turns too far.
SCREE_API scree_status scree_stepper_accept(scree_stepper *stepper, scree_error *err);

/// The velocity that the last step would have ended with if nothing touched (dofs).
SCREE_API const double *scree_stepper_free_velocity(const scree_stepper *stepper);

/// How an elastic body is solved for: entries of the Cholesky factor of Mhat, degrees of freedom
/// that can touch, columns of Mhat^-1 that are there for them, and whether all of them are kept
/// once they are.
typedef struct scree_elastic_route {
    double entries;
    int touching, columns;
    bool condensed;
} scree_elastic_route;

/// The route of elastic body number `elastic`.
SCREE_API scree_elastic_route scree_stepper_elastic(const scree_stepper *stepper, int elastic);

/// The present state; its q and v move from step to step.
SCREE_API const scree_state *scree_stepper_state(const scree_stepper *stepper);

/// The last step.
SCREE_API const scree_step_record *scree_stepper_record(const scree_stepper *stepper);

/// Show the state as it is in the record: gaps and velocities of all contacts, and the impulses of
/// the last step that was taken.
SCREE_API const scree_step_record *scree_stepper_snapshot(scree_stepper *stepper);

/// Go to a stored state; contacts with their impulses are the warm start of the next step, which
/// makes the continuation equal bit for bit. The record shows the state (see
/// scree_stepper_snapshot).
SCREE_API scree_status scree_stepper_restore(scree_stepper *stepper, const scree_state *state,
                                             const scree_contact *contact, int contacts,
                                             scree_error *err);

#ifdef __cplusplus
}
#endif

#endif
