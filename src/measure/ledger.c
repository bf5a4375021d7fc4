// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// ledger.c - energies, works and what is left of the balance, from the record of a step.
// in: model, record.   out: a ledger whose residual must be rounding.   work: four vectors.
//
// Nothing here comes from the solver: the works are products of impulses and velocities as the
// step left them, the energies are those of its two states.

#include "scree/ledger.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/sum.h"
#include "law/impact.h"
#include "law/status.h"
#include "model/drive.h"
#include "model/joint.h"
#include "model/part.h"

// Acary & Collins-Craft (59)
scree_contact_work scree_ledger_contact(const scree_contact *contact, int dimension, double theta,
                                        double tolerance) {
    scree_contact_work work = { 0 };
    double size = 0;
    if (contact->theta > 0) theta = contact->theta;
    for (int k = 0; k < dimension; k++) {
        double mean = (1 - theta) * contact->u_before[k] + theta * contact->u_after[k];
        double done = mean * contact->impulse[k];
        if (k == 0)
            work.normal = done;
        else
            work.tangential += done;
        size += fabs(contact->impulse[k]);
    }
    // what the activation rule's slack and the solver's tolerance allow
    work.threshold = 2 * scree_law_velocity_slack(tolerance) * size * contact->velocity_scale;
    return work;
}

scree_ledger scree_ledger_of_state(const scree_model *model, const scree_state *state) {
    scree_ledger ledger = { 0 };
    const scree_parts *row;
    int rows = scree_model_parts(model, &row);
    for (int k = 0; k < rows; k++) row[k].kind->energies(&row[k], state, &ledger);
    if (model->drives) ledger.spring = scree_drives_energy(model, state);
    return ledger;
}

// the weight of the end of the step for a degree of freedom, where all others have this one
static double weight_of(const scree_model *model, const scree_step_record *record, int dof,
                        double other) {
    bool rigid = record->body_theta && dof < model->bodies * model->body_dofs;
    return rigid ? record->body_theta[dof / model->body_dofs] : other;
}

// Acary & Collins-Craft (57), h v_alpha . F_theta; its absolute values are added to scale
static double external_work(const scree_model *model, double theta, const scree_step_record *record,
                            double *scratch, double *scale) {
    int dofs = model->dofs;
    double *load = scratch, *load_next = scratch + dofs, *mean = scratch + 2 * (long)dofs, sum = 0;
    const scree_parts *row;
    int rows = scree_model_parts(model, &row);
    scree_inertia_load(model, record->before.time, load);
    scree_inertia_load(model, record->after.time, load_next);
    for (int i = 0; record->force && i < dofs; i++) {
        load[i] += record->force[i];
        load_next[i] += record->force[i];
    }
    for (int i = 0; i < dofs; i++) {
        double alpha = weight_of(model, record, i, record->alpha);
        mean[i] = (1 - alpha) * record->before.v[i] + alpha * record->after.v[i];
    }
    for (int k = 0; k < rows; k++)
        if (row[k].kind->mean_velocity) row[k].kind->mean_velocity(&row[k], theta, record, mean);
    for (int i = 0; i < dofs; i++) {
        double end = weight_of(model, record, i, theta);
        double work = record->h * mean[i] * ((1 - end) * load[i] + end * load_next[i]);
        sum += work;
        *scale += fabs(work);
    }
    return sum;
}

// A spring over a step (model/drive.h): what of its work is neither its energy's nor numerical is
// its damper's, and what it has no more when its slider has gone. Where a correction moved bodies
// afterwards, what that did to the spring is its work. Returns the size of the numbers.
static double add_spring(const scree_model *model, const scree_step_record *record,
                         const scree_drive *drive, double theta, double work, double way,
                         scree_ledger *ledger) {
    double slope, e = scree_drive_elongation(model, drive, record->before.q, record->before.time);
    double end = e + scree_drive_sign(drive) * way;
    double after = scree_drive_elongation(model, drive, record->after.q, record->after.time);
    double before_energy = scree_drive_energy(drive, e, NULL);
    double energy = scree_drive_energy(drive, end, &slope), change = energy - before_energy;
    double numerical = (1 - 2 * theta) * (slope * (end - e) - change);
    double kept = scree_drive_energy(drive, scree_drive_kept(drive, end), NULL);
    double moved = scree_drive_energy(drive, after, NULL) - kept;
    ledger->numerical_dissipation += numerical;
    ledger->damping_work += work + change - numerical + (kept - energy);
    if (record->scheme->correct == SCREE_CORRECT_NONE)
        ledger->damping_work += moved;
    else
        ledger->correction_work += moved;
    return fabs(before_energy) + fabs(energy) +
           (fabs(slope) + drive->stiffness * fabs(e)) *
               scree_joint_size(model, drive->joint, record->after.q);
}

// Springs and motors; the size of the numbers.
static double add_drive(const scree_model *model, const scree_step_record *record,
                        const scree_contact *contact, const scree_drive *drive,
                        scree_ledger *ledger) {
    double theta = contact->theta > 0 ? contact->theta : record->alpha, p = contact->impulse[0];
    double u = (1 - theta) * contact->u_before[0] + theta * contact->u_after[0];
    double w = (1 - theta) * contact->w_before[0] + theta * contact->w_after[0];
    if (drive->kind != SCREE_SPRING) {
        ledger->motor_work += (u - w) * p;
        return 0;
    }
    ledger->boundary_work -= w * p;
    return add_spring(model, record, drive, theta, u * p, record->h * u, ledger);
}

// works of contacts; returns the size of the numbers that they are made of
static double add_contacts(const scree_model *model, const scree_step_record *record,
                           scree_ledger *ledger) {
    scree_sum normal = { 0 }, tangential = { 0 }, boundary = { 0 }, joints = { 0 };
    int dimension = model->dimension;
    double scale = 0;
    for (int i = 0; i < record->contacts; i++) {
        const scree_contact *contact = &record->contact[i];
        double alpha = contact->theta > 0 ? contact->theta : record->alpha;
        for (int k = 0; k < dimension; k++)
            scale +=
                fabs(contact->impulse[k]) *
                (contact->velocity_scale + fabs(contact->u_before[k]) + fabs(contact->u_after[k]));
        if (contact->status == SCREE_CONTACT_INACTIVE) continue;
        int drive = scree_drive_of_contact(model, contact);
        if (drive >= 0) {
            scale += add_drive(model, record, contact, &model->drive[drive], ledger);
            continue;
        }
        scree_contact_work done = scree_ledger_contact(contact, dimension, alpha, 0);
        bool joint = scree_joint_of_contact(model, contact) >= 0;
        scree_sum_add(joint ? &joints : &normal, done.normal);
        scree_sum_add(joint ? &joints : &tangential, done.tangential);
        for (int k = 0; k < dimension; k++)
            scree_sum_add(&boundary, -contact->impulse[k] * ((1 - alpha) * contact->w_before[k] +
                                                             alpha * contact->w_after[k]));
    }
    ledger->contact_normal_work = scree_sum_value(normal);
    ledger->contact_tangential_work = scree_sum_value(tangential);
    ledger->boundary_work += scree_sum_value(boundary);
    ledger->joint_work = scree_sum_value(joints);
    return scale;
}

void scree_ledger_step(const scree_model *model, double theta, const scree_step_record *record,
                       scree_ledger *ledger, double *scratch) {
    double kinetic = ledger->kinetic, elastic = ledger->elastic, potential = ledger->potential;
    double spring = ledger->spring;
    const scree_parts *row;
    int rows = scree_model_parts(model, &row), roundings = 0;
    double scale = 0;
    *ledger = (scree_ledger){ .correction_work = record->correction_work };
    for (int k = 0; k < rows; k++) {
        row[k].kind->fill_ledger(&row[k], theta, record, scratch, ledger, &scale);
        if (row[k].roundings > roundings) roundings = row[k].roundings;
    }
    scale += fabs(record->correction_work);
    if (model->has_loads || record->force)
        ledger->external_work += external_work(model, theta, record, scratch, &scale);
    if (model->drives) ledger->spring = scree_drives_energy(model, &record->after);
    if (record->active) scale += add_contacts(model, record, ledger);

    double change = (ledger->kinetic - kinetic) + (ledger->elastic - elastic) +
                    (ledger->potential - potential) + (ledger->spring - spring);
    // Acary & Collins-Craft (56), with moving obstacles
    ledger->residual = change - ledger->external_work - ledger->damping_work -
                       ledger->numerical_dissipation - ledger->contact_normal_work -
                       ledger->contact_tangential_work - ledger->boundary_work -
                       ledger->joint_work - ledger->motor_work - ledger->correction_work -
                       ledger->prescribed_work - ledger->exchange;
    // what rounding can do: every number added up, times a small multiple of epsilon
    ledger->bound = roundings * DBL_EPSILON * scale;
}

static scree_theorem verdict(bool holds, const char *format, double x, double y) {
    scree_theorem theorem = { .holds = holds };
    snprintf(theorem.reason, sizeof theorem.reason, format, x, y);
    return theorem;
}

// what the laws of a model have in common
typedef struct extremes {
    double restitution;     // the largest
    bool friction;          // is there any?
    scree_theorem verdict;  // the first that does not hold, or one that does
} extremes;

static bool has_friction(const scree_law *law) {
    return law->friction > 0 || law->friction_across > 0 || law->rolling > 0 ||
           scree_law_friction_varies(law);
}

// Works are had contact by contact, each by its own law (docs/theory.md, section 5): what another
// pair does is of no account. Acary & Collins-Craft (61) for the normal work, (80) for the other.
scree_theorem scree_ledger_law_theorem(const scree_law *given, const scree_scheme_options *scheme) {
    const scree_law law = scree_impact_resolve(given, scheme);
    double theta = scree_scheme_alpha(scheme), limit = 1 / (1 + law.restitution),
           mean = (1 - theta) / theta;
    bool tangential = fabs(law.tangential_restitution - mean) <= 4 * DBL_EPSILON;
    // with alpha = 1 and e = 0 the normal work is p_N u_N' = 0, whatever u_N is
    if (scheme->approach == SCREE_APPROACH_IGNORED && !(theta == 1 && law.restitution == 0))
        return verdict(
            false, "contacts may be active while they separate: u_N <= 0 is not required", 0, 0);
    if (theta > limit * (1 + 4 * DBL_EPSILON))
        return verdict(false, "theta = %g is above 1/(1+e) = %g: normal works can be positive",
                       theta, limit);
    if (has_friction(&law) && !tangential && law.tangential_restitution > 0)
        return verdict(
            false,
            "the tangential restitution %g is not (1-theta)/theta = %g: tangential works "
            "can be positive",
            law.tangential_restitution, mean);
    if (law.friction == 0 && law.friction_across == 0 && law.rolling > 0 && !tangential)
        return verdict(false,
                       "Newton's impact law takes rolling resistance on the final velocity: with "
                       "%g m and theta = %g < 1 works of rolling can be positive",
                       law.rolling, theta);
    if (has_friction(&law) && !tangential)
        return verdict(false,
                       "Newton's impact law takes Coulomb's law on the final velocity: with "
                       "friction (mu = %g) and theta = %g < 1 tangential works can be positive",
                       fmax(law.friction, law.friction_across), theta);
    if (law.cohesion > 0 && theta < limit * (1 - 4 * DBL_EPSILON))
        return verdict(false,
                       "cohesion %g pulls at contacts that approach, and theta = %g is below "
                       "1/(1+e): normal works can be positive",
                       law.cohesion, theta);
    // a contact that separates within the tolerance has Newton's law only where it is not kept
    bool newton = law.impact == SCREE_IMPACT_NEWTON && scheme->approach != SCREE_APPROACH_KEPT &&
                  scheme->approach != SCREE_APPROACH_FORESEEN;
    if (newton && scheme->velocity_tolerance > 0 && theta < limit * (1 - 4 * DBL_EPSILON))
        return verdict(false,
                       "contacts that separate with up to %g may be active, and Newton's impact "
                       "law gives them up to %g p_N: leave velocity_tolerance at auto, or 0",
                       scheme->velocity_tolerance,
                       (1 - theta / limit) * scheme->velocity_tolerance);
    if (scree_law_friction_varies(&law))
        return verdict(
            true,
            "friction of time or speed is a number within each step, Coulomb's law with it "
            "is on the mean velocity, and 1/2 <= theta = %g <= 1/(1+e) = %g",
            theta, limit);
    if (!has_friction(&law))
        return verdict(true, "no friction, and 1/2 <= theta = %g <= 1/(1+e) = %g", theta, limit);
    return verdict(true,
                   "Coulomb's law on the mean velocity, and 1/2 <= theta = %g <= 1/(1+e) = %g",
                   theta, limit);
}

// Law i of all that can hold in the model, with its sides: those given, those of the system's
// contacts, and that of pairs nobody has said anything about.
static const scree_law *law_of(const scree_model *model, int i, const char *side[2]) {
    static const scree_law none = { 0 };
    int given = 0;
    bool complete = model->bodies + model->elastics == 0;
    for (; scree_model_laws(model, given); given++)
        complete |=
            !scree_model_law_side(model, given, 0) && !scree_model_law_side(model, given, 1);
    for (int k = 0; k < 2; k++) side[k] = i < given ? scree_model_law_side(model, i, k) : NULL;
    if (i < given) return scree_model_laws(model, i);
    if (i < given + model->matrix_contacts) {
        side[0] = "system";
        side[1] = model->matrix_contact[i - given].name;
        return &model->matrix_contact[i - given].law;
    }
    return i == given + model->matrix_contacts && !complete ? &none : NULL;
}

// -------------------------------------------------------------------------------------------------
// what joints and drives bring (docs/theory.md, section 5): false: there is nothing of the kind

typedef enum stop { LIMIT, ROPE, CLEARANCE, STOPS } stop;

static stop stop_of(const scree_joint *joint) {
    if (!scree_joint_is_limited(joint)) return STOPS;
    if (joint->clearance > 0) return CLEARANCE;
    return joint->kind == SCREE_ROPE ? ROPE : LIMIT;
}

// of joints that stop in this way the one that bounces most, or NULL
static const scree_joint *bounciest(const scree_model *model, stop kind) {
    const scree_joint *most = NULL;
    for (int k = 0; k < model->joints; k++) {
        const scree_joint *joint = &model->joint[k];
        if (stop_of(joint) != kind) continue;
        if (!most || joint->restitution > most->restitution) most = joint;
    }
    return most;
}

// the friction of joints that counts most, or 0
static double joint_friction(const scree_model *model, double *dry) {
    double mu = *dry = 0;
    for (int k = 0; k < model->joints; k++) {
        mu = fmax(mu, model->joint[k].friction);
        *dry = fmax(*dry, model->joint[k].dry_friction);
    }
    return mu;
}

static const scree_drive *first_drive(const scree_model *model, bool spring) {
    for (int k = 0; k < model->drives; k++)
        if ((model->drive[k].kind == SCREE_SPRING) == spring) return &model->drive[k];
    return NULL;
}

static bool judge_equations(const scree_model *model, const scree_scheme_options *scheme,
                            scree_theorem *theorem) {
    int equations = 0;
    for (int k = 0; k < model->joints; k++) equations += scree_joint_equations(model, k);
    (void)scheme;
    *theorem = verdict(true, "equations of joints on the mean velocity do no work", 0, 0);
    return equations > 0;
}

static bool judge_friction(const scree_model *model, const scree_scheme_options *scheme,
                           scree_theorem *theorem) {
    double dry, mu = joint_friction(model, &dry);
    (void)scheme;
    *theorem = verdict(true,
                       "friction in joints (mu up to %g, dry up to %g) is on the mean velocity, "
                       "whatever the impact law: it takes energy for any theta",
                       mu, dry);
    return mu > 0 || dry > 0;
}

// a contact, but for clearances without friction
static bool judge_limit(const scree_joint *joint, const scree_scheme_options *scheme,
                        scree_theorem *theorem) {
    if (!joint) return false;
    const scree_law law = scree_joint_law(joint);
    scree_theorem found = scree_ledger_law_theorem(&law, scheme);
    theorem->holds = found.holds;
    snprintf(theorem->reason, sizeof theorem->reason, "joint \"%.60s\": %.160s", joint->name,
             found.reason);
    return true;
}

static bool judge_limits(const scree_model *model, const scree_scheme_options *scheme,
                         scree_theorem *theorem) {
    return judge_limit(bounciest(model, LIMIT), scheme, theorem);
}

static bool judge_ropes(const scree_model *model, const scree_scheme_options *scheme,
                        scree_theorem *theorem) {
    return judge_limit(bounciest(model, ROPE), scheme, theorem);
}

static bool judge_clearances(const scree_model *model, const scree_scheme_options *scheme,
                             scree_theorem *theorem) {
    return judge_limit(bounciest(model, CLEARANCE), scheme, theorem);
}

// k e^2/2 is convex, on one side too; of a function nobody knows
static bool judge_springs(const scree_model *model, const scree_scheme_options *scheme,
                          scree_theorem *theorem) {
    bool unknown = false;
    for (int k = 0; k < model->drives; k++)
        unknown |= model->drive[k].kind == SCREE_SPRING && model->drive[k].energy;
    if (unknown && (scheme->theta > 0.5 || scheme->adapts))
        *theorem = verdict(false,
                           "a spring has an energy of its own, which is not known to be convex, "
                           "and theta is not 1/2 throughout: it is %g or more",
                           scheme->theta, 0);
    else
        *theorem = verdict(true,
                           unknown ? "with theta = 1/2 springs give back what they stored, less "
                                     "what their dampers take"
                                   : "energies of springs are convex, dampers and what yields take "
                                     "energy; work of a rest length that moves is boundary_work",
                           0, 0);
    return first_drive(model, true);
}

static bool judge_motors(const scree_model *model, const scree_scheme_options *scheme,
                         scree_theorem *theorem) {
    (void)scheme;
    *theorem = verdict(true,
                       "not bounded by the theorem, as applied loads are not: motors do any work, "
                       "which is booked as motor_work",
                       0, 0);
    return first_drive(model, false);
}

static const struct {
    const char *name;
    bool (*judge)(const scree_model *model, const scree_scheme_options *scheme,
                  scree_theorem *theorem);
} joint_law[] = { { "equations", judge_equations },   { "friction", judge_friction },
                  { "limits", judge_limits },         { "ropes", judge_ropes },
                  { "clearances", judge_clearances }, { "springs", judge_springs },
                  { "motors", judge_motors } };

enum { JOINT_LAWS = sizeof joint_law / sizeof *joint_law };

static void add_joint_laws(const scree_model *model, const scree_scheme_options *scheme,
                           extremes *most) {
    double dry;
    most->friction |= joint_friction(model, &dry) > 0 || dry > 0;
    for (stop kind = LIMIT; kind < STOPS; kind++) {
        const scree_joint *joint = bounciest(model, kind);
        if (joint) most->restitution = fmax(most->restitution, joint->restitution);
    }
    for (int k = 0; k < JOINT_LAWS; k++) {
        scree_theorem found;
        if (joint_law[k].judge(model, scheme, &found) && most->verdict.holds) most->verdict = found;
    }
}

// -------------------------------------------------------------------------------------------------
// the whole

static extremes extremes_of(const scree_model *model, const scree_scheme_options *scheme) {
    extremes most = { .verdict.holds = true };
    const scree_law *law;
    const char *side[2];
    for (int i = 0; (law = law_of(model, i, side)); i++) {
        scree_theorem found = scree_ledger_law_theorem(law, scheme);
        most.restitution = fmax(most.restitution, law->restitution);
        most.friction |= has_friction(law);
        if (most.verdict.holds) most.verdict = found;
    }
    add_joint_laws(model, scheme, &most);
    return most;
}

bool scree_ledger_law(const scree_model *model, const scree_scheme_options *scheme, int i,
                      scree_law_verdict *verdict) {
    const scree_scheme_options own = scree_scheme_choose(model, scheme);
    int before = 0;
    *verdict = (scree_law_verdict){ 0 };
    const scree_law *law = law_of(model, i, verdict->side);
    if (law) {
        verdict->theorem = scree_ledger_law_theorem(law, &own);
        return true;
    }
    const char *unused[2];
    for (int k = 0; k < i && law_of(model, k, unused); k++) before++;
    for (int k = 0; k < JOINT_LAWS; k++) {
        if (!joint_law[k].judge(model, &own, &verdict->theorem) || before++ < i) continue;
        verdict->side[0] = "joints";
        verdict->side[1] = joint_law[k].name;
        return true;
    }
    return false;
}

static bool is_passive(const scree_model *model) {
    const scree_parts *row;
    int rows = scree_model_parts(model, &row);
    for (int k = 0; k < rows; k++)
        if (row[k].kind->is_passive && !row[k].kind->is_passive(&row[k])) return false;
    return true;
}

static const char *objection_of(const scree_model *model, const scree_scheme_options *scheme) {
    const scree_parts *row;
    int rows = scree_model_parts(model, &row);
    const char *why = NULL;
    for (int k = 0; !why && k < rows; k++)
        if (row[k].kind->objection) why = row[k].kind->objection(&row[k], scheme);
    return why;
}

// Acary & Collins-Craft (77) holds if (78) does
scree_theorem scree_ledger_theorem(const scree_model *model, const scree_scheme_options *given) {
    const scree_scheme_options own = scree_scheme_choose(model, given), *scheme = &own;
    extremes most = extremes_of(model, scheme);
    const scree_scheme_row *row = scree_scheme_row_of(given);
    double theta = scheme->theta;
    const char *why = objection_of(model, scheme);

    if (why) return verdict(false, why, 0, 0);
    if (row->rules_fixed && row->activation == SCREE_ACTIVATE_CLOSED) {
        scree_theorem theorem = { .holds = false };
        snprintf(theorem.reason, sizeof theorem.reason,
                 "%s takes contacts that are closed halfway, whether they approach or not",
                 row->name);
        return theorem;
    }
    if (!most.verdict.holds) return most.verdict;
    if (theta > 0.5 && !is_passive(model))
        return verdict(false,
                       "the stiffness matrix is not positive semidefinite, and theta = %g > 1/2",
                       theta, 0);
    if (row->inelastic)
        return verdict(true,
                       "inelastic contacts with Coulomb's law on the final velocity, which is the "
                       "one that works are done with",
                       0, 0);
    scree_theorem theorem = verdict(
        true,
        most.friction ? "Coulomb's law on the mean velocity, and 1/2 <= theta = %g <= 1/(1+e) = %g"
                      : "no friction, and 1/2 <= theta = %g <= 1/(1+e) = %g",
        theta, 1 / (1 + most.restitution));
    size_t length = strlen(theorem.reason);
    if (first_drive(model, false))
        snprintf(theorem.reason + length, sizeof theorem.reason - length,
                 "; work of motors is beside it, as that of loads");
    return theorem;
}
