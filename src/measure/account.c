// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// account.c - what a step is remembered by, and the totals of a run.
//
// Totals are nothing but accounts added up in order: a run that is resumed adds up the stored ones
// and has the same bits.

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "scree/drive.h"
#include "scree/joint.h"
#include "scree/ledger.h"
#include "solve/residual.h"

static void lift(double *most, double value) {
    if (value > *most) *most = value;
}

// Works above zero of one step: the theorem allows none. What the solver leaves of the law can do
// some, which are told apart.
typedef struct positive {
    double contacts, joints;  // sums [J]
} positive;

static double size_of_impulse(const scree_contact *contact, int dimension) {
    double size = 0;
    for (int k = 0; k < dimension; k++) size += fabs(contact->impulse[k]);
    return size;
}

// works of contacts above rounding; or above the slack of the activation rule and what explains
// them, one after another
static positive add_up(const scree_model *model, const scree_step_record *record,
                       const double *explained) {
    positive sum = { 0 };
    int d = model->dimension;
    for (int i = 0; i < record->contacts; i++) {
        const scree_contact *contact = &record->contact[i];
        if (contact->status == SCREE_CONTACT_INACTIVE) continue;
        scree_contact_work work = scree_ledger_contact(contact, d, record->alpha, 0);
        if (!(work.normal > 0 || work.tangential > 0)) {  // nothing to be told, or explained
            explained += explained != NULL;
            continue;
        }
        double rounding = 64 * DBL_EPSILON * size_of_impulse(contact, d) * contact->velocity_scale;
        double most = explained ? work.threshold + *explained++ : rounding;
        if (scree_drive_of_contact(model, contact) >= 0) continue;  // they may give
        double *to = scree_joint_of_contact(model, contact) >= 0 ? &sum.joints : &sum.contacts;
        if (work.normal > most) *to += work.normal;
        if (work.tangential > most) *to += work.tangential;
    }
    return sum;
}

// s = W p + b of the step's problem; NULL when memory ran out
static const double *velocities(const scree_step_record *record, const double *p,
                                scree_arena *arena) {
    const scree_problem *problem = &record->problem;
    if (record->law_velocity && !problem->compliance) return record->law_velocity;
    double *s = SCREE_NEW(arena, double, ((size_t)problem->contacts * (size_t)problem->dimension));
    return s && scree_problem_velocity(problem, p, s) ? s : NULL;
}

// what explains the works of the step's active contacts, of those that do some above the slack, 0
// of others; NULL when memory ran out
static double *explain(const scree_step_record *record, scree_arena *arena) {
    size_t n = (size_t)record->active, d = (size_t)record->problem.dimension;
    double *p = SCREE_NEW(arena, double, (n * d));
    double *explained = SCREE_NEW(arena, double, n);
    bool *asked = SCREE_NEW(arena, bool, n);
    if (!p || !explained || !asked) return NULL;
    for (int i = 0, k = 0; i < record->contacts; i++) {
        const scree_contact *contact = &record->contact[i];
        if (contact->status == SCREE_CONTACT_INACTIVE) continue;
        scree_contact_work work = scree_ledger_contact(contact, (int)d, record->alpha, 0);
        memcpy(p + (size_t)k * d, contact->impulse, d * sizeof *p);
        asked[k++] = work.normal > work.threshold || work.tangential > work.threshold;
    }
    const double *s = velocities(record, p, arena);
    return s && scree_residual_works(&record->problem, p, s, asked, explained) ? explained : NULL;
}

// ||p|| in the norm of D, from what the judge tells
static double impulse_norm(const scree_residual *residual) {
    if (!(residual->scaled > 0)) return 0;
    return sqrt(residual->work / residual->scaled * (residual->rounding / DBL_EPSILON));
}

// What opens in joints while a step is solved is closed in the next one, which does as much work
// again: both are of the size that a residual as large as the tolerance explains. That of the step
// before was a share of its own velocities, which may have been those of an impact, but not above
// the energy of motion.
static double explained_in_joints(const scree_step_record *record, double tolerance,
                                  double kinetic) {
    const scree_residual *residual = &record->report.residual;
    double loose = residual->scaled > 0 ? fmax(1, tolerance / residual->scaled) : 1;
    double before = tolerance * sqrt(2 * kinetic) * impulse_norm(residual);
    return 2 * fmax(loose * residual->work, before);
}

static void judge_works(const scree_model *model, const scree_step_record *record, double tolerance,
                        scree_account *account) {
    positive all = add_up(model, record, NULL), left = all;
    if (all.contacts + all.joints <= account->ledger.bound) return;  // rounding
    if (account->converged && record->problem.contacts == record->active) {
        scree_arena arena = { 0 };
        const double *explained = explain(record, &arena);
        if (explained) left = add_up(model, record, explained);
        scree_arena_free(&arena);
        double most = explained_in_joints(record, tolerance, account->ledger.kinetic);
        if (left.joints <= most) left.joints = 0;
    }
    account->energy_created = left.contacts + left.joints;
    account->energy_tolerated = all.contacts + all.joints - account->energy_created;
}

void scree_account_step(const scree_model *model, double theta, double tolerance,
                        const scree_step_record *record, scree_account *account, double *scratch) {
    scree_ledger_step(model, theta, record, &account->ledger, scratch);
    account->energy_created = account->energy_tolerated = 0;
    account->tangential_work_max = -HUGE_VAL;
    account->penetration = account->penetration_relative = 0;
    account->residual = record->report.residual;
    account->iterations = record->report.iterations;
    account->active = record->active;
    account->converged = record->loosened ? 2 : record->report.converged;
    for (int i = 0; i < record->contacts; i++) {
        const scree_contact *contact = &record->contact[i];
        bool acts = contact->status != SCREE_CONTACT_INACTIVE &&
                    size_of_impulse(contact, model->dimension) > 0 &&
                    scree_drive_of_contact(model, contact) < 0;
        if (acts)
            lift(&account->tangential_work_max,
                 scree_ledger_contact(contact, model->dimension, record->alpha, 0).tangential);
        lift(&account->penetration, -contact->gap_after);
        if (contact->size > 0)
            lift(&account->penetration_relative, -contact->gap_after / contact->size);
    }
    if (record->active) judge_works(model, record, tolerance, account);
}

scree_totals scree_totals_none(void) { return (scree_totals){ .tangential_work_max = -HUGE_VAL }; }

void scree_totals_add(scree_totals *totals, const scree_account *account) {
    const scree_ledger *ledger = &account->ledger;
    double residual = fabs(ledger->residual);
    lift(&totals->residual_max, residual);
    if (residual > 0) lift(&totals->residual_over_bound_max, residual / ledger->bound);
    lift(&totals->kinetic_max, ledger->kinetic);
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
    totals->energy_tolerated += account->energy_tolerated;
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
