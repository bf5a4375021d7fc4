// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// ledger.h - where the energy of a step went.
//
//     dE = W_ext + W_damp + (1/2 - theta)(|v'-v|_M^2 + |q'-q|_K^2)
//          + sum of contacts (u_N,theta p_N + u_T,theta . p_T) + boundary work (-w_theta . p)
//          + work of held displacements + r
//
// An identity of the discrete step: r is rounding and nothing else, whatever the solver did.

#ifndef SCREE_LEDGER_H
#define SCREE_LEDGER_H

#include "scree/step.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Energies at the end of the step, works of the step [J]. Works are positive when they give
/// energy to the system.
typedef struct scree_ledger {
    double kinetic, elastic, potential;
    double spring;                   // energy of springs (drive.h)
    double motor_work;               // of motors
    double external_work;            // applied loads, without gravity
    double damping_work;             // <= 0 if C is positive semidefinite
    double numerical_dissipation;    // <= 0 for theta >= 1/2 and K positive semidefinite
    double contact_normal_work;      // sum of u_N,theta p_N
    double contact_tangential_work;  // sum of u_T,theta . p_T
    double boundary_work;            // done by moving obstacles
    double joint_work;               // of joints: 0 where they are ideal, limits and friction take
    double correction_work;          // of pushing bodies apart that sank into each other
    double prescribed_work;          // of what holds nodes of elastic bodies and moves them
    double exchange;                 // energy of bodies that appeared, less that of removed ones
    double residual;                 // what is left of the identity
    double bound;                    // |residual| beyond this is no rounding: the step is wrong
} scree_ledger;

/// The two works of one contact in one step.
typedef struct scree_contact_work {
    double normal, tangential;
    double threshold;  // a positive work below this is the solver's tolerance or rounding
} scree_contact_work;

/// The works of a contact, with the theta of its step and the tolerance of the solver.
SCREE_API scree_contact_work scree_ledger_contact(const scree_contact *contact, int dimension,
                                                  double theta, double tolerance);

/// Energies of a state; all works zero.
SCREE_API scree_ledger scree_ledger_of_state(const scree_model *model, const scree_state *state);

/// The ledger of one step. In: the energies before the step; out: energies and works of the step.
/// scratch: room for 3 x dofs.
SCREE_API void scree_ledger_step(const scree_model *model, double theta,
                                 const scree_step_record *record, scree_ledger *ledger,
                                 double *scratch);

/// Does the dissipation theorem speak about this run (docs/theory.md, proposition 1; Acary &
/// Collins-Craft (77), (78))?
typedef struct scree_theorem {
    bool holds;
    char reason[240];
} scree_theorem;

/// What the theorem says about a model under a scheme, before a run.
SCREE_API scree_theorem scree_ledger_theorem(const scree_model *model,
                                             const scree_scheme_options *scheme);

/// The same for one law: what it asks of theta, and of the velocity that its friction looks at. A
/// scene is covered if all of its laws are, whichever impact law each of them has.
SCREE_API scree_theorem scree_ledger_law_theorem(const scree_law *law,
                                                 const scree_scheme_options *scheme);

/// Law i of all that can hold in a model, with the names of its sides (NULL: any). Behind those
/// that were given come the contacts of a system, what holds between bodies that no law speaks of,
/// and, with the sides "joints" and one of "equations", "friction", "limits", "ropes", "springs",
/// "motors", each kind of what joints bring.
typedef struct scree_law_verdict {
    const char *side[2];
    scree_theorem theorem;
} scree_law_verdict;

/// False behind the last law.
SCREE_API bool scree_ledger_law(const scree_model *model, const scree_scheme_options *scheme, int i,
                                scree_law_verdict *verdict);

/// All that one step is remembered by.
typedef struct scree_account {
    scree_ledger ledger;
    double energy_created;        // sum of the contacts' positive works that nothing explains [J]
    double energy_tolerated;      // and of those that the solver's residual explains [J]
    double tangential_work_max;   // largest tangential work of a contact [J]; -inf: no impulse
    double penetration;           // largest -gap at the end of the step, or 0 [m]
    double penetration_relative;  // largest -gap over the size of the smaller shape, or 0
    scree_residual residual;      // of the contact problem
    int32_t iterations, active;   // sweeps; contacts in the problem
    int32_t converged;            // 0: accepted without reaching the tolerance, 1: solved, 2: taken
                                  // with what `worst` of the solver's options allows
} scree_account;

/// The account of a step, from the one before it (of which the energies are used).
/// tolerance: the solver's; scratch: room for 3 x dofs.
SCREE_API void scree_account_step(const scree_model *model, double theta, double tolerance,
                                  const scree_step_record *record, scree_account *account,
                                  double *scratch);

/// Running sums and extremes over the steps of a run; begin with scree_totals_none.
typedef struct scree_totals {
    double residual_max;             // largest |ledger residual|
    double residual_over_bound_max;  // largest |residual| / bound: below 1, or the run failed
    double external_work, damping_work, numerical_dissipation;  // sums of the ledger's columns
    double contact_normal_work, contact_tangential_work, boundary_work;
    double correction_work, prescribed_work, exchange, joint_work, motor_work;
    double tangential_work_max;      // of one contact in one step
    double energy_created;           // sum, over steps where it is more than the ledger's bound
    double energy_created_unsolved;  // what of it is in steps that `unconverged` counts
    double energy_tolerated;         // sum
    double kinetic_max;              // largest kinetic energy [J]
    double solver_residual_max;
    double penetration_max, penetration_relative_max;
    int64_t steps_creating_energy;
    int64_t solver_iterations;
    int64_t unconverged;      // steps accepted without reaching the tolerance
    int64_t loosened;         // steps taken with what `worst` of the solver's options allows
    int64_t contacts_solved;  // active contacts, summed over the steps
} scree_totals;

/// Sums over no step.
SCREE_API scree_totals scree_totals_none(void);

/// Add the account of a step.
SCREE_API void scree_totals_add(scree_totals *totals, const scree_account *account);

/// What is left of a certificate after a run: steps that created energy, or that were accepted
/// without being solved, revoke it, whatever the reason.
SCREE_API scree_theorem scree_totals_judge(const scree_totals *totals, scree_theorem theorem);

#ifdef __cplusplus
}
#endif

#endif
