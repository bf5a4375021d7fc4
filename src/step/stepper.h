// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// stepper.h - what a stepper consists of.

#ifndef SCREE_STEP_STEPPER_H
#define SCREE_STEP_STEPPER_H

#include <math.h>

#include "base/arena.h"
#include "law/impact.h"
#include "model/part.h"
#include "model/presence.h"
#include "scree/step.h"
#include "solve/workspace.h"
#include "step/contacts.h"

struct scree_stepper {
    const scree_model *model;
    scree_scheme_options scheme;
    scree_solver_options solver;
    scree_arena arena;    // lives as long as the stepper
    scree_arena scratch;  // emptied by each step
    int rows;
    scree_parts *parts;  // kinds of parts (rows)
    scree_inertia inertia;
    scree_stage stage;  // what they see of a step
    scree_contact_set set;
    scree_step_record record;
    double *free_velocity;            // without contact (dofs)
    double *end_velocity;             // v' as laws see it, where that differs (dofs)
    double *start_velocity;           // v, with spins as seen from the end of the step (dofs)
    double *obstacle_velocity;        // of what is driven, where it is not that of an end (dofs)
    double *load, *load_next, *work;  // (dofs)
    double *q_trial;                  // (coordinates)
    scree_force_fn *force_fn;         // of the program, or NULL
    void *force_data;
    scree_law_fn *law_fn;  // the same
    void *law_data;
    scree_law *asked_law;  // the laws of the set, behind them one for each contact; owned
    int asked_room;        // contacts that there is room for
    double *force;         // that see the state, of this step (dofs); NULL: there are none
    double *force_loads;   // loads with them at both ends of the step (2 x dofs)
    struct scree_mean_work *mean_forces;  // those at the mean of the step; NULL: there are none
    double *body_theta;     // 1/2 for bodies in the air (bodies); NULL: none is told apart
    bool *pinned;           // in a linkage with a marker (bodies), made by the first correction
    int *island;            // room for those of bodies in contact (bodies)
    double *mean_velocity;  // (1-theta) v + theta v' with these (dofs); NULL without
    scree_velocity_scale *velocity_scale;  // (bodies)
    scree_workspace *workspace;            // of the solver, if it is not the caller's
    scree_halfway *halfway;                // who wants to see loose impulses, or NULL: foresee.c
    scree_solver_options exact;            // the solver's own options, where they are looser now
    bool load_known;                       // load is F at the current time
    bool loads_vary;                       // does any load depend on t?
    bool apart;                            // do laws see another v' of any part?
    bool refreshes;           // does the inertia of any part, or a force, depend on impulses?
    bool follows;             // does any H?
    double ease;              // compliance of joints' equations over their W
    double give;              // the same of contacts
    bool interrupted;         // something in the step was cut short: it is not taken
    bool moved;               // the record ends where the impulses lead
    bool attempted;           // the record holds a refused step that can be accepted
    bool friction_varies;     // does any law's friction depend on time or speed?
    bool has_births;          // is any body born or removed?
    bool has_deposits;        // and lowered onto others then?
    scree_presence presence;  // of the time at which the step begins
    bool stale;  // the places where the next step is to be made are not those of two steps before
    bool lists_far;  // are contacts wanted in the record that cannot close within the step?
};

/// All numbers of a vector that can have changed (dofs) to 0: not those of bodies still to come.
void scree_stepper_clear(const scree_stepper *stepper, double *v);

/// The threads of a step, those of its solver.
static inline scree_thread_pool *scree_stepper_pool(const scree_stepper *stepper) {
    return &stepper->solver.workspace->pool;
}

/// How fast bodies are with v at the start and another vector (dofs).
void scree_velocity_scale_find(scree_stepper *stepper, const double *other);

/// The size of the numbers from which the velocities of contact i are made; the other vector is
/// that of scree_velocity_scale_find.
double scree_velocity_scale_of(const scree_stepper *stepper, int i, const double *other);

/// How far anything moves in the step that is as fast as the fastest body or node.
double scree_stepper_reach(const scree_stepper *stepper);

/// Room for forces at the mean of the step, if the model has any.
scree_status scree_mean_forces_make(scree_stepper *stepper, scree_error *err);

/// The step begins: those of its start are added to stepper->force.
void scree_mean_forces_begin(scree_stepper *stepper);

/// Find them, with these impulses H^T p of contacts (NULL: none), and v_free and A with them; sets
/// changed, or leaves it. The end of the step in the record is overwritten.
scree_status scree_mean_forces_settle(scree_stepper *stepper, const double *push, bool *changed,
                                      scree_error *err);

/// Forces that see the state, of this step; nothing without any.
scree_status scree_free_forces(scree_stepper *stepper, scree_error *err);

/// state -> velocity without contact; inertia and spins as they are at the end of the step.
scree_status scree_free_velocity(scree_stepper *stepper, scree_error *err);

/// The same with the forces that see the state as they stand.
scree_status scree_free_loaded(scree_stepper *stepper, scree_error *err);

/// Bodies turn another way with impulses push (H^T p, dofs) than without: let inertia, spins and
/// free velocity follow, and say whether anything changed.
scree_status scree_free_refresh(scree_stepper *stepper, const double *push, bool *changed,
                                scree_error *err);

/// Where to look for contacts that velocities v can close in a step from q at t.
scree_contact_query scree_stepper_query(const scree_stepper *stepper, const double *q, double t,
                                        const double *v);

/// Contacts that v or w (dofs) can close in the step, with what is driven in them.
scree_status scree_stepper_find_contacts(scree_stepper *stepper, const double *w, scree_error *err);

/// Laws of the program for all contacts between bodies, if it gives any (pair_laws.c).
scree_status scree_pair_laws_evaluate(scree_stepper *stepper, scree_error *err);

/// Velocities before the step and of what is driven, of all contacts as they are now.
void scree_contacts_update_velocities(scree_stepper *stepper);

/// Let H of contacts be that of the step to q_end, and say whether anything changed.
void scree_stepper_follow(scree_stepper *stepper, const double *q_end, bool *changed);

/// The gap that contact i ends with by its own H, where bodies move with the mean velocity.
double scree_stepper_gap_ahead(const scree_stepper *stepper, int i);

/// The velocity of contact i before the step; what is driven in it is known.
void scree_stepper_velocity_before(scree_stepper *stepper, int i);

/// v_alpha of the motion without contact (dofs), in stepper->work.
const double *scree_stepper_free_rate(scree_stepper *stepper);

/// Contacts -> active ones; sets the velocities of all before the step.
void scree_activate(scree_stepper *stepper);

/// Do something to contacts 0 to count - 1, on threads if there are many; it may only write to what
/// belongs to its contact.
typedef void scree_contact_fn(scree_stepper *stepper, int i, void *with);
void scree_contacts_parallel_for(scree_stepper *stepper, int count, scree_contact_fn *work,
                                 void *with);

/// The same to all contacts, chunk after chunk: each begins with the first contact of a pair
/// and ends with the last of one.
typedef void scree_chunk_fn(scree_stepper *stepper, int first, int last, void *with);
void scree_contacts_parallel_for_chunks(scree_stepper *stepper, scree_chunk_fn *work, void *with);

/// Contacts come in the order of their first bodies: the second ones may be anywhere in memory, and
/// records of contacts are larger than what a processor fetches by itself. Ask for the numbers x
/// (dofs) of contact i, SCREE_PREFETCH_DISTANCE contacts before they are needed, and for the
/// records of later ones.
enum { SCREE_PREFETCH_DISTANCE = 10 };
void scree_contacts_prefetch(const scree_stepper *stepper, int i, const double *x);

/// How deep bodies may sink into each other before something is done about it, of the size of the
/// smaller shape.
#define SCREE_DEPTH_ALLOWED 5e-3

/// Want contacts in the record however far apart their bodies are, where there are few pairs. They
/// change nothing else.
void scree_stepper_list_far(scree_stepper *stepper);

/// Do contacts that cannot close within the step not matter to its rule of activation?
static inline bool scree_stepper_near_only(const scree_stepper *stepper) {
    return isnan(stepper->scheme.gap_tolerance) && stepper->scheme.jacobian == SCREE_JACOBIAN_START;
}

/// The weight of the end of the step in the mean velocity of a contact.
static inline double scree_stepper_theta(const scree_stepper *stepper,
                                         const scree_contact *contact) {
    return contact->theta > 0 ? contact->theta : stepper->scheme.theta;
}

/// The share of h |u_N| that the step of an impact goes on for.
static inline double scree_stepper_goes_on(const scree_stepper *stepper,
                                           const scree_contact *contact) {
    return fmax(1 - stepper->scheme.theta * (1 + contact->restitution), 0);
}

/// A pair that uses up its gap has |u'_N| left, with which it impacts in the next step, and that
/// one goes on for a share of h |u'_N|, at most this: so much of the gap it leaves, as far as the
/// normal work stays negative. way: of the step over h if u' were 0.
static inline double scree_stepper_room(const scree_stepper *stepper, const scree_contact *contact,
                                        double theta, double way) {
    double on = scree_stepper_goes_on(stepper, contact);
    bool possible =
        contact->reserve > 0 && on > 0 && way > 0 && on * way <= (theta + on) * contact->reserve;
    return possible ? on : 0;
}

/// What the law of contact i adds to u' in one of its rows: e u_N, tau u_T, and where it rests or a
/// gap may be used up (u_N,theta + gap/h)/theta - u'_N; the same in all rows of joints.
static inline double scree_stepper_law_share(const scree_stepper *stepper, int i, int row) {
    const scree_contact *contact = &stepper->set.contact[i];
    double theta = scree_stepper_theta(stepper, contact);
    const scree_row_law *rows = scree_contacts_row_law(&stepper->set, i);
    if (rows) {
        double h = stepper->scheme.step, off = rows->off[row] / h;
        if (rows->soft && row == 0) off = scree_row_law_soft(rows, theta, h).off;
        if (rows->rule == SCREE_ROW_END) return 0;
        double rest = (1 - theta) * contact->u_before[row] + off;
        return rows->rule == SCREE_ROW_SETTLES ? rest : rest / theta;
    }
    if (row == 0 && (contact->rests || contact->reserve > 0)) {
        double way = (1 - theta) * contact->u_before[0] + contact->reserve;
        return way / (theta + scree_stepper_room(stepper, contact, theta, way));
    }
    return contact->u_before[row] * scree_impact_restitution(scree_contacts_law(&stepper->set, i),
                                                             &stepper->scheme, theta,
                                                             contact->u_before[0], row);
}

/// What holds contact i together: nothing across a gap.
static inline double scree_stepper_cohesion(const scree_contact *contact) {
    return contact->reserve > 0 ? 0 : contact->cohesion;
}

/// W by bodies of these contacts of a set, with their number and the dimension; memory of the step.
/// b and the laws are left to the caller.
scree_status scree_problem_of_contacts(scree_stepper *stepper, const scree_inertia *inertia,
                                       const scree_contact_set *set, const int *chosen, int count,
                                       scree_problem *problem, scree_error *err);

/// The problem of the active contacts into the record.
scree_status scree_problem_of_step(scree_stepper *stepper, scree_error *err);

/// The same as it is near these impulses, which led to its H (near.c); share: of the mobility of a
/// row, what it gives way by as its impulse changes.
scree_status scree_problem_near(scree_stepper *stepper, const double *impulse, double share,
                                scree_error *err);

/// Impulses of the active contacts (active_count x dimension) with the law's velocities s; memory
/// of the step. Whether they solve the problem is in the report. Where W was not built s is only
/// room for them.
scree_status scree_impulses_find(scree_stepper *stepper, double **impulse, double **s,
                                 scree_error *err);

/// v' = v_free + Mhat^-1 H^T p and q' = q + h v_alpha with these impulses; the mean velocity.
void scree_impulses_move(scree_stepper *stepper, const double *impulse);

/// The kinetic energy at the start of the step [J].
double scree_impulses_energy(const scree_stepper *stepper);

/// The same as scree_impulses_find, with open pairs in the problem that its impulses would close.
scree_status scree_foresee_impulses(scree_stepper *stepper, double **impulse, double **s,
                                    scree_error *err);

/// Of all impulses of redundant joints that lead to the same motion those of least norm, with the
/// law's velocities s.
void scree_least_reactions(scree_stepper *stepper, double *impulse, double *s);

/// Bodies turn with the push H^T p (dofs): where the step ends, and H there. Whether anything
/// changed; stepper->work is overwritten where H follows the step.
scree_status scree_impulses_turn(scree_stepper *stepper, const double *push, bool *changed,
                                 scree_error *err);

/// Does the law hold with these impulses, with bodies that turn as they do now? Into the report.
scree_status scree_impulses_judge(scree_stepper *stepper, const double *impulse, double *s,
                                  scree_error *err);

/// Can Newton's method find the end of the step? Rigid bodies in joints, nothing else (tangent.c).
bool scree_tangent_serves(const scree_stepper *stepper);

/// Impulses of the active contacts by it, from those that are given and the problem of the record;
/// whether they solve the problem that they lead to is in the report.
scree_status scree_tangent_find(scree_stepper *stepper, double *impulse, double *s,
                                scree_error *err);

/// stepper->work = H^T p.
void scree_impulses_apply(scree_stepper *stepper, const double *impulse);

/// Lower bodies that were not there at the time `since` and are now onto what is below them. Was
/// there any?
bool scree_deposit_newborn(scree_stepper *stepper, double since);

/// Push bodies apart that have sunk into each other at the end of the step.
scree_status scree_project_positions(scree_stepper *stepper, scree_error *err);

#endif
