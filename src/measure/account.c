// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// account.c - what a step is remembered by, and the totals of a run.
//
// Totals are nothing but accounts added up in order: a run that is resumed adds up the stored ones
// and has the same bits.

#include <math.h>
#include <stdio.h>

#include "scree/drive.h"
#include "scree/ledger.h"

static void lift(double *most, double value) {
    if (value > *most) *most = value;
}

// what sticks together, or a joint, may rub without an impulse along its first row
static double size_of_impulse(const scree_contact *contact, int dimension) {
    double size = 0;
    for (int k = 0; k < dimension; k++) size += fabs(contact->impulse[k]);
    return size;
}

// The solver's tolerance is for the problem as a whole. So the fastest contact says what it allows
// at one; in all it allows what the residual explains (residual.c), and where contacts open, whose
// impulse is what is missed, a part of what is exchanged, sum |p| |u|.
static void add_contacts(const scree_model *model, const scree_step_record *record,
                         double tolerance, double fastest, scree_account *account) {
    double exchanged = 0;
    for (int i = 0; i < record->contacts; i++) {
        const scree_contact *contact = &record->contact[i];
        double size = size_of_impulse(contact, model->dimension);
        if (contact->status == SCREE_CONTACT_INACTIVE || size == 0) continue;
        if (scree_drive_of_contact(model, contact) >= 0) continue;  // they may give
        scree_contact_work work =
            scree_ledger_contact(contact, model->dimension, record->alpha, tolerance);
        if (contact->velocity_scale > 0) work.threshold *= fastest / contact->velocity_scale;
        lift(&account->tangential_work_max, work.tangential);
        if (work.normal > work.threshold) account->energy_created += work.normal;
        if (work.tangential > work.threshold) account->energy_created += work.tangential;
        exchanged += size * contact->velocity_scale;
    }
    double explained = account->converged == 1 ? record->report.residual.work : 0;
    if (account->energy_created <= fmax(explained, tolerance * exchanged))
        account->energy_created = 0;
}

void scree_account_step(const scree_model *model, double theta, double tolerance,
                        const scree_step_record *record, scree_account *account, double *scratch) {
    scree_ledger_step(model, theta, record, &account->ledger, scratch);
    account->energy_created = 0;
    account->tangential_work_max = -HUGE_VAL;
    account->penetration = account->penetration_relative = 0;
    account->residual = record->report.residual;
    account->iterations = record->report.iterations;
    account->active = record->active;
    account->converged = record->loosened ? 2 : record->report.converged;
    double fastest = 0;
    for (int i = 0; i < record->contacts; i++) {
        const scree_contact *contact = &record->contact[i];
        if (contact->status != SCREE_CONTACT_INACTIVE) lift(&fastest, contact->velocity_scale);
        lift(&account->penetration, -contact->gap_after);
        if (contact->size > 0)
            lift(&account->penetration_relative, -contact->gap_after / contact->size);
    }
    // where masses differ much a step is solved to their rounding, which may be above the tolerance
    if (account->converged == 1) lift(&tolerance, scree_residual_max(record->report.residual));
    if (record->active) add_contacts(model, record, tolerance, fastest, account);
}

scree_totals scree_totals_none(void) { return (scree_totals){ .tangential_work_max = -HUGE_VAL }; }

void scree_totals_add(scree_totals *totals, const scree_account *account) {
    const scree_ledger *ledger = &account->ledger;
    double residual = fabs(ledger->residual);
    lift(&totals->residual_max, residual);
    if (residual > 0) lift(&totals->residual_over_bound_max, residual / ledger->bound);
    lift(&totals->penetration_max, account->penetration);
    lift(&totals->penetration_relative_max, account->penetration_relative);
    totals->external_work += ledger->external_work;
    totals->damping_work += ledger->damping_work;
    totals->numerical_dissipation += ledger->numerical_dissipation;
    totals->correction_work += ledger->correction_work;
    totals->prescribed_work += ledger->prescribed_work;
    totals->exchange += ledger->exchange;
    if (!account->active) return;
    totals->boundary_work += ledger->boundary_work;
    totals->joint_work += ledger->joint_work;
    totals->motor_work += ledger->motor_work;
    totals->contact_normal_work += ledger->contact_normal_work;
    totals->contact_tangential_work += ledger->contact_tangential_work;
    lift(&totals->tangential_work_max, account->tangential_work_max);
    if (account->energy_created > ledger->bound) {  // below it is rounding
        totals->energy_created += account->energy_created;
        if (!account->converged) totals->energy_created_unsolved += account->energy_created;
        totals->steps_creating_energy++;
    }
    lift(&totals->solver_residual_max, account->residual.natural);
    lift(&totals->solver_residual_max, account->residual.scaled);
    totals->solver_iterations += account->iterations;
    totals->unconverged += !account->converged;
    totals->loosened += account->converged == 2;
    totals->contacts_solved += account->active;
}

scree_theorem scree_totals_judge(const scree_totals *totals, scree_theorem theorem) {
    if (!theorem.holds) return theorem;
    if (totals->steps_creating_energy) {
        theorem.holds = false;
        snprintf(theorem.reason, sizeof theorem.reason,
                 "revoked: its hypotheses were met, but %lld step(s) created %.3g J",
                 (long long)totals->steps_creating_energy, totals->energy_created);
    } else if (totals->unconverged) {
        theorem.holds = false;
        snprintf(theorem.reason, sizeof theorem.reason,
                 "revoked: %lld step(s) missed the solver's tolerance and were accepted",
                 (long long)totals->unconverged);
    }
    return theorem;
}
