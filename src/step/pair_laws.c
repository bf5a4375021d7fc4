// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// pair_laws.c - laws of contacts between bodies that a program gives, contact by contact.
// in: contacts with the laws of the model.   out: the same with those of the program, and friction
// as it is in this step where it depends on time and speed: that of the sliding speed where the
// step begins, at the time where it ends, a number for the whole step.

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "law/impact.h"
#include "model/laws.h"
#include "step/stepper.h"

void scree_stepper_set_laws(scree_stepper *stepper, scree_law_fn *law, void *data) {
    stepper->law_fn = law;
    stepper->law_data = data;
}

// how many laws the set has by itself
static int given(const scree_stepper *stepper) {
    const scree_model *model = stepper->model;
    return stepper->set.pair_laws + model->matrix_contacts + model->joints;
}

// room for one law for each contact, behind those of the set
static scree_status make_room(scree_stepper *stepper, scree_error *err) {
    scree_contact_set *set = &stepper->set;
    int first = given(stepper), room = set->count + set->count / 2 + 16;
    if (stepper->asked_law && stepper->asked_room >= set->count) return SCREE_OK;
    scree_law *grown = malloc(((size_t)first + (size_t)room) * sizeof *grown);
    if (!grown)
        return scree_fail(err, SCREE_NO_MEMORY, SCREE_NOWHERE, "out of memory for %d laws", room);
    memcpy(grown, set->laws, (size_t)first * sizeof *grown);
    free(stepper->asked_law);
    set->laws = stepper->asked_law = grown;
    stepper->asked_room = room;
    return SCREE_OK;
}

// what the model cannot have decided for a law that it has not seen
static scree_status check(const scree_stepper *stepper, const scree_law *law, scree_error *err) {
    const scree_scheme_options *scheme = &stepper->scheme;
    scree_status status = scree_laws_check(stepper->model, law, err);
    if (status) return status;
    if (law->rolling > 0 && stepper->model->dimension < 5)
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                          "rolling resistance must be in a law of the model too");
    if (scheme->adapts && scheme->theta * (1 + law->restitution) > 1 + 1e-12)
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                          "restitution %g is more than the largest of the model's laws, by which "
                          "theta = %g was chosen: give the model a law that has it, or set theta",
                          law->restitution, scheme->theta);
    return SCREE_OK;
}

static scree_status evaluate_law(scree_stepper *stepper, int i, scree_error *err) {
    scree_contact_set *set = &stepper->set;
    scree_contact *contact = &set->contact[i];
    const scree_model *model = stepper->model;
    scree_law law = *scree_model_law(model, contact->a, contact->b);
    scree_error why = { 0 };
    scree_stepper_velocity_before(stepper, i);
    scree_status status =
        stepper->law_fn(stepper->law_data, &stepper->record.before, contact, &law, &why);
    if (!status) status = check(stepper, &law, &why);
    if (status)
        return scree_fail(err, status, SCREE_NOWHERE,
                          "step %lld at time %.9g: the law between \"%s\" and \"%s\": %s",
                          (long long)stepper->record.after.step, stepper->record.before.time,
                          scree_model_side_name(model, contact->a),
                          scree_model_side_name(model, contact->b), why.text);
    int number = given(stepper) + i;
    set->laws[number] = scree_impact_resolve(&law, &stepper->scheme);
    scree_contacts_set_law(set, i, number);
    if (law.friction_across > 0)
        scree_contacts_tangent(model->space, &law, contact->normal, contact->tangent);
    return SCREE_OK;
}

static scree_status find_friction(scree_stepper *stepper, int i, scree_error *err) {
    const scree_law *law = scree_contacts_law(&stepper->set, i);
    scree_contact *contact = &stepper->set.contact[i];
    double speed = 0;
    scree_stepper_velocity_before(stepper, i);
    for (int k = 1; k < stepper->model->space; k++) speed = hypot(speed, contact->u_before[k]);
    double mu = scree_law_friction(law, stepper->record.after.time, speed);
    if (!(mu >= 0 && isfinite(mu)))
        return scree_fail(
            err, SCREE_BAD_INPUT, SCREE_NOWHERE,
            "step %lld at time %.9g: friction between \"%s\" and \"%s\" is %g: it must "
            "not be negative",
            (long long)stepper->record.after.step, stepper->record.after.time,
            scree_model_side_name(stepper->model, contact->a),
            scree_model_side_name(stepper->model, contact->b), mu);
    if (law->friction_across > 0 && law->friction > 0)
        contact->friction_across = law->friction_across * mu / law->friction;
    contact->friction = mu;
    return SCREE_OK;
}

scree_status scree_pair_laws_evaluate(scree_stepper *stepper, scree_error *err) {
    const scree_contact_set *set = &stepper->set;
    if (!set->count) return SCREE_OK;
    scree_status status = stepper->law_fn ? make_room(stepper, err) : SCREE_OK;
    for (int i = 0; stepper->law_fn && !status && i < set->count; i++)
        if (set->contact[i].a >= 0 && set->contact[i].b >= 0)
            status = evaluate_law(stepper, i, err);
    for (int i = 0; (stepper->friction_varies || stepper->law_fn) && !status && i < set->count; i++)
        if (scree_law_friction_varies(scree_contacts_law(set, i)))
            status = find_friction(stepper, i, err);
    return status;
}
