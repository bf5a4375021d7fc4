// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// overlaps.c - contacts that penetrate where a scene puts them: at the start, and at births.
// in: the record of a state or step.   out: findings with places, or a refusal.

#include "run/overlaps.h"

#include <math.h>

#include "model/collision_shape.h"
#include "model/from_scene.h"
#include "model/joint.h"
#include "model/mechanism.h"
#include "model/part.h"
#include "scene/scene.h"
#include "scree/mechanism.h"

// where in the scene a side of a contact is described
static scree_source_location place_of_side(const scree_scene *scene, int side) {
    const scree_scene_contact *contact = scene->top.system.contacts.item;
    const scree_scene_touch *touch = scene->top.mechanism.contacts.item;
    if (side >= 0) return scree_scene_body_place(scene, side);
    int row = -2 - side, first = scene->top.system.contacts.count;
    return scree_scene_place(row < first ? &contact[row].section : &touch[row - first].section,
                             "gap");
}

// the size of the numbers that gaps are made of
static double extent_of(const scree_model *model, const double *q) {
    double size = scree_parts_extent(model, q);
    for (int i = 0; i < model->shapes; i++)
        if (isfinite(model->solid[i].bound)) size = fmax(size, model->solid[i].bound);
    return size;
}

// the same for one gap of a mechanism
static double length_of(const scree_model *model, int c, const double *whole) {
    const scree_mechanism_def *m = model->mechanism;
    const double *q = whole + scree_model_parts_of(model, &scree_mechanism_kind)->coordinate;
    double normal[SCREE_MECHANISM_COORDINATES], tangent[SCREE_MECHANISM_COORDINATES], rate[2],
        size = 0;
    scree_configuration_gap(m, c, 0, q, normal, tangent, rate);
    for (int i = 0; i < m->coordinates; i++) size += fabs(normal[i]) * fmax(1, fabs(q[i]));
    return size;
}

// How deep shapes that are placed to touch overlap: by the rounding of sums, and by that of
// coordinates that were written with some ten digits, which is a share of the smaller shape.
static const double written = 1e-8;

static double rounding_of(const scree_contact *contact, double share, double extent) {
    return fmax(1e-12 * extent, share * contact->size);
}

// a limit of a joint that is passed, or a rope that is too short
static void check_joint(const scree_integrator_input *input, int k, const scree_contact *contact,
                        const double *q, scree_findings *findings) {
    const scree_model *model = input->model;
    const scree_joint *joint = &model->joint[k];
    double by = -contact->gap_after;
    bool upper = scree_contact_id_unpack(contact->id).feature == SCREE_JOINT_UPPER;
    double limit = upper ? joint->upper : joint->lower;
    if (!(by > written * fmax(1, scree_joint_size(model, k, q)))) return;
    if (scree_joint_is_bush(contact))
        scree_findings_add(findings, scree_joint_place(input->scene, k, "clearance"),
                           "joint \"%s\": its pin or block is %.6g from the middle of its bush "
                           "or guide at the start, and its clearance is %.6g; move its bodies, or "
                           "set overlaps: accept",
                           joint->name, joint->clearance + by, joint->clearance);
    else if (joint->kind == SCREE_ROPE && upper)
        scree_findings_add(findings, scree_joint_place(input->scene, k, "length"),
                           "rope \"%s\" of length %.6g is too short by %.6g at the start; move its "
                           "ends together, or set overlaps: accept",
                           joint->name, limit, by);
    else
        scree_findings_add(findings, scree_joint_place(input->scene, k, upper ? "upper" : "lower"),
                           "joint \"%s\" is at %.6g at the start and violates its %s limit %.6g by "
                           "%.6g; move its bodies, or set overlaps: accept",
                           joint->name, upper ? limit + by : limit - by, upper ? "upper" : "lower",
                           limit, by);
}

// each pair once, with its deepest point; contacts of a pair follow each other
void scree_overlaps_at_start(const scree_integrator_input *input, const scree_step_record *record,
                             scree_findings *findings) {
    const scree_model *model = input->model;
    const double *q = record->after.q;
    double size = extent_of(model, q);
    // what another run left may have sunk in as deep as a good run may
    double share = input->scene->top.start.run ? input->options->penetration : written;
    for (int i = 0, next; i < record->contacts; i = next) {
        const scree_contact *contact = &record->contact[i];
        double gap = contact->gap_after;
        int joint = scree_joint_of_contact(model, contact);
        next = i + 1;
        if (joint >= 0) {
            check_joint(input, joint, contact, q, findings);
            continue;
        }
        for (; next < record->contacts && record->contact[next].a == contact->a &&
               record->contact[next].b == contact->b;
             next++)
            gap = fmin(gap, record->contact[next].gap_after);
        bool formula = scree_contact_id_source(contact->id) == SCREE_SOURCE_FORMULAS;
        int number = -2 - contact->b - model->mechanism_contact;
        double extent = formula ? length_of(model, number, q) : size;
        if (gap >= -rounding_of(contact, share, extent)) continue;
        scree_source_location at =
            place_of_side(input->scene, contact->a < 0 ? contact->b : contact->a);
        const char *b = scree_model_side_name(model, contact->b);
        if (formula)
            scree_findings_add(findings, at,
                               "contact \"%s\" penetrates by %.6g at the start; move the "
                               "mechanism, or set overlaps: accept",
                               b, -gap);
        else
            scree_findings_add(findings, at,
                               "%s and %s overlap by %.6g at the start; move them apart, or set "
                               "overlaps: accept",
                               scree_model_side_name(model, contact->a), b, -gap);
    }
}

// the first step of a body that was not there before
static bool begins_with(const scree_model *model, const scree_step_record *record, int body) {
    const scree_state *before = &record->before;
    double last = (double)(before->step - 1) * record->h;
    if (body < 0 || body >= model->bodies) return false;
    const scree_body *own = &model->body[body];
    return own->birth_time > 0 && own->birth_time <= before->time && own->birth_time > last;
}

static bool any_begins(const scree_model *model, const scree_step_record *record) {
    if (record->together <= (double)(record->before.step - 1) * record->h) return false;
    for (int i = 0; i < model->bodies; i++)
        if (begins_with(model, record, i)) return true;
    return false;
}

// how far a gap may have closed since the start of the step, where it is not taken there
static double closed_since(const scree_run_options *options, const scree_contact *contact) {
    bool there = scree_scheme_resolve(&options->scheme).jacobian == SCREE_JACOBIAN_START;
    return there ? 0 : options->scheme.step * contact->velocity_scale;
}

// bodies that are born into others, as those that overlap at the start
scree_status scree_overlaps_at_birth(const scree_integrator_input *input,
                                     const scree_step_record *record, scree_error *err) {
    const scree_run_options *options = input->options;
    const scree_model *model = input->model;
    if (!record->contacts || !input->scene || options->accept_overlaps ||
        !any_begins(model, record))
        return SCREE_OK;
    double size = extent_of(model, record->before.q);
    for (int i = 0; i < record->contacts; i++) {
        const scree_contact *contact = &record->contact[i];
        bool second = begins_with(model, record, contact->b);
        if (!second && !begins_with(model, record, contact->a)) continue;
        if (contact->gap >= -rounding_of(contact, written, size) - closed_since(options, contact))
            continue;
        int birth_time = second ? contact->b : contact->a, other = second ? contact->a : contact->b;
        return scree_fail(err, SCREE_BAD_INPUT, place_of_side(input->scene, birth_time),
                          "step %lld at time %.9g: %s is born into %s and overlaps it by %.6g; let "
                          "it be born elsewhere or later, or set overlaps: accept",
                          (long long)record->before.step, record->before.time,
                          scree_model_side_name(model, birth_time),
                          scree_model_side_name(model, other), -contact->gap);
    }
    return SCREE_OK;
}
