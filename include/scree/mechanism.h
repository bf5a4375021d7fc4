// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// mechanism.h - mechanisms in minimal coordinates: M(q), V(q), contacts, all as functions.
//
//     d/dt (M(q) v) - grad_q (v.M(q) v / 2) + grad V(q) = Q(t, q, v) + H(q)^T lambda
//
// moreau-jean takes M and H at the start of a step, moreau in its middle, nscd at its start with V
// and the laws at its end; they book what that costs as numerical. moreau-jean-fremond has a
// discrete gradient of the energy, so that
//
//     dE = h vbar.Q + p.(H vbar)      exactly, with vbar = (q' - q)/h,
//
// and takes its law on s = 2 H vbar - ((1 - e) u_N, 0): contacts never create energy, for any M(q)
// and any step (docs/mechanisms.md). event-driven is in events.h.

#ifndef SCREE_MECHANISM_H
#define SCREE_MECHANISM_H

#include "scree/ledger.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { SCREE_MECHANISM_COORDINATES = 40, SCREE_MECHANISM_CONTACTS = 64 };

/// A mechanism as functions; matrices are row after row. All must be smooth in q.
typedef struct scree_mechanism_def {
    int coordinates, contacts;
    const void *self;  // handed to every function
    /// M(q), symmetric positive definite (n x n), and its derivatives dM/dq_k, k after k (n x n x
    /// n).
    void (*mass)(const void *self, const double *q, double *M, double *dM);
    /// V(q) and its gradient (n); NULL: none.
    double (*potential)(const void *self, const double *q, double *gradient);
    /// Q(t, q, v), all forces that V does not have (n); NULL: none.
    void (*force)(const void *self, double t, const double *q, const double *v, double *Q);
    /// The gap of a contact and its rows of H (n each): normal is the gap's gradient, tangent gives
    /// the sliding velocity.
    double (*contact)(const void *self, int contact, const double *q, double *normal,
                      double *tangent);
    const scree_law *law;               // restitution and friction (contacts)
    const double *position, *velocity;  // at the start (n)
    const char *const *contact_name;    // for messages (contacts); NULL: their numbers
    /// contact with obstacles that move: of t, too; rate gets how gap and sliding place change
    /// with t alone. NULL: none does. Asked instead of contact.
    double (*moving)(const void *self, int contact, double t, const double *q, double *normal,
                     double *tangent, double rate[2]);
    /// Friction in space: the row of the sliding velocity across `tangent` (n), at a right angle to
    /// it on the obstacle, and how that place changes with t alone; zeros where a contact has none.
    /// NULL: contacts are planar. By schemes of steps.
    void (*across)(const void *self, int contact, double t, const double *q, double *row,
                   double *rate);
} scree_mechanism_def;

typedef struct scree_mechanism scree_mechanism;

/// A model with this mechanism alone (scree_model_set_mechanism puts it beside others), at the
/// start; the description and all behind it is borrowed, the options are copied. All schemes but
/// event-driven, which is scree_events_of_mechanism.
SCREE_API scree_status scree_mechanism_new(const scree_mechanism_def *mechanics,
                                           const scree_scheme_options *scheme,
                                           const scree_solver_options *solver,
                                           scree_mechanism **mechanism, scree_error *err);

/// Free it, with all that it owns.
SCREE_API void scree_mechanism_free(scree_mechanism *mechanism);

/// One step with its account. SCREE_UNCONVERGED: the step is too long for its equations, or the
/// contact problem missed its tolerance; the state did not move.
SCREE_API scree_status scree_mechanism_step(scree_mechanism *mechanism, scree_account *account,
                                            scree_error *err);

/// Go to a state of the same mechanism, whose contacts with their impulses are the warm start of
/// the next step: what follows has the bits of a run without interruption. The record shows the
/// state.
SCREE_API scree_status scree_mechanism_restore(scree_mechanism *mechanism, const scree_state *state,
                                               const scree_contact *contact, int contacts,
                                               scree_error *err);

/// States and contacts of the last step; gaps and velocities of contacts are by H where the scheme
/// has it, and u_after of moreau-jean-fremond is 2 H vbar - u_before, which is u' where M does not
/// change.
SCREE_API const scree_step_record *scree_mechanism_record(const scree_mechanism *mechanism);

/// Energies of the present state, all works zero.
SCREE_API scree_ledger scree_mechanism_ledger(const scree_mechanism *mechanism);

/// The impact of contacts at q: M (v' - v) = H^T p with Newton's law, and Coulomb's law on u_T' for
/// moreau-jean, on the mean of u_T and u_T' for moreau-jean-fremond. All contacts of the mechanism
/// take part. impulse (2 x contacts) may be NULL.
SCREE_API scree_status scree_mechanism_impact(const scree_mechanism_def *mechanics,
                                              scree_scheme law, const scree_solver_options *solver,
                                              const double *q, const double *v, double *after,
                                              double *impulse, scree_error *err);

#ifdef __cplusplus
}
#endif

#endif
