// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// joint.c - joints of a model: what may be joined how.
// in: definitions.   out: joints.

#include "model/joint.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/dense.h"
#include "base/space.h"
#include "model/inertia.h"
#include "model/memory.h"

const char *scree_joint_kind_name(scree_joint_kind kind) {
    static const char *const name[] = { "hinge",   "slider",     "ball",          "cylindrical",
                                        "planar",  "universal",  "weld",          "screw",
                                        "rod",     "rope",       "point-on-line", "point-on-plane",
                                        "coupler", "coordinate", "distance",      "hold" };
    return name[kind];
}

scree_joint scree_joint_default(scree_joint_kind kind, int a, int b) {
    return (scree_joint){ .kind = kind,
                          .a = a,
                          .b = b,
                          .axis = { 0, 0, 1 },
                          .ratio = 1,
                          .lower = -HUGE_VAL,
                          .upper = HUGE_VAL };
}

bool scree_joint_is_limited(const scree_joint *joint) {
    return joint->kind == SCREE_ROPE || joint->clearance > 0 || joint->lower > -HUGE_VAL ||
           joint->upper < HUGE_VAL;
}

scree_law scree_joint_law(const scree_joint *joint) {
    return (scree_law){ .restitution = joint->restitution,
                        .friction = joint->clearance > 0 ? joint->friction : 0 };
}

bool scree_joint_is_bush(const scree_contact *contact) {
    uint64_t feature = scree_contact_id_unpack(contact->id).feature;
    return feature >= SCREE_JOINT_BUSH && feature < SCREE_JOINT_DRIVE;
}

static scree_status bad(scree_error *err, const char *name, const char *what) {
    return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE, "joint \"%s\": %s", name, what);
}

// in the plane: which kinds there are; in space all
static bool exists(const scree_model *model, scree_joint_kind kind) {
    return model->space == 3 || kind == SCREE_HINGE || kind == SCREE_SLIDER || kind == SCREE_WELD ||
           kind == SCREE_ROD || kind == SCREE_ROPE || kind == SCREE_POINT_ON_LINE ||
           kind == SCREE_COUPLER || kind == SCREE_COORDINATE || kind == SCREE_DISTANCE ||
           kind == SCREE_HOLD;
}

static bool has_axis(const scree_model *model, scree_joint_kind kind) {
    if (kind == SCREE_HINGE) return model->space == 3;
    return kind != SCREE_BALL && kind != SCREE_WELD && kind != SCREE_ROD && kind != SCREE_ROPE &&
           kind != SCREE_COUPLER && kind != SCREE_DISTANCE && kind != SCREE_HOLD;
}

static scree_status check_bodies(const scree_model *model, const scree_joint *joint,
                                 const char *name, scree_error *err) {
    const int side[2] = { joint->a, joint->b };
    bool moves = false;
    for (int i = 0; i < 2; i++) {
        int m = scree_marker_of_side(side[i]);
        if (side[i] >= model->bodies || m >= scree_model_markers(model))
            return bad(err, name, "there is no such body");
        moves |= m >= 0 || (side[i] >= 0 && scree_body_moves(&model->body[side[i]]));
    }
    if (joint->a == joint->b) return bad(err, name, "a joint is between two bodies, not one");
    if (!moves) return bad(err, name, "neither of its bodies can move");
    return SCREE_OK;
}

static scree_status check_axes(const scree_model *model, const scree_joint *joint, const char *name,
                               scree_error *err) {
    double length =
        model->space == 3 ? scree_length(joint->axis) : hypot(joint->axis[0], joint->axis[1]);
    double second = scree_length(joint->axis_second);
    if (!scree_dense_finite(joint->axis, 3) || !(length > 0))
        return bad(err, name, "an axis is a direction with a length");
    if (joint->kind != SCREE_UNIVERSAL) return SCREE_OK;
    if (!scree_dense_finite(joint->axis_second, 3) || !(second > 0))
        return bad(err, name, "its second axis is a direction with a length");
    if (fabs(scree_dot(joint->axis, joint->axis_second)) > 0.5 * length * second)
        return bad(err, name, "its two axes must be at right angles");
    return SCREE_OK;
}

static scree_status check_coupler(const scree_model *model, const scree_joint *joint,
                                  const char *name, scree_error *err) {
    for (int i = 0; i < 2; i++)
        if (joint->joint[i] < 0 || joint->joint[i] >= model->joints ||
            !scree_joint_has_coordinate(model, joint->joint[i]))
            return bad(err, name,
                       "a coupler holds two joints that have a coordinate and were "
                       "added before");
    if (joint->joint[0] == joint->joint[1])
        return bad(err, name, "a coupler is between two joints, not one");
    if (!isfinite(joint->ratio) || joint->ratio == 0)
        return bad(err, name, "the ratio of a coupler is a number other than 0");
    return SCREE_OK;
}

static scree_status check_limits(const scree_model *model, const scree_joint *joint,
                                 const char *name, scree_error *err) {
    bool angle = joint->kind == SCREE_HINGE && model->space == 3;
    if (!(joint->restitution >= 0 && joint->restitution <= 1))
        return bad(err, name, "restitution is between 0 and 1");
    if (joint->kind != SCREE_ROPE && !(joint->lower < joint->upper))
        return bad(err, name, "the lower limit must be below the upper one");
    if (angle && isfinite(joint->lower) && !(joint->lower > -M_PI))
        return bad(err, name,
                   "the lower limit of a hinge in space must be above -pi: its angle is "
                   "within (-pi, pi]");
    if (angle && isfinite(joint->upper) && !(joint->upper < M_PI))
        return bad(err, name,
                   "the upper limit of a hinge in space must be below pi: its angle is "
                   "within (-pi, pi]");
    bool limits = isfinite(joint->lower) || isfinite(joint->upper);
    bool one = joint->kind == SCREE_HINGE || joint->kind == SCREE_SLIDER ||
               joint->kind == SCREE_CYLINDRICAL || joint->kind == SCREE_SCREW ||
               joint->kind == SCREE_POINT_ON_LINE || joint->kind == SCREE_COORDINATE;
    if (limits && !one)
        return bad(err, name,
                   "limits are for joints with one angle or way: hinge, slider, "
                   "cylindrical, screw, point-on-line, coordinate");
    return SCREE_OK;
}

static scree_status check_friction(const scree_joint *joint, const char *name, scree_error *err) {
    bool rubs = joint->kind == SCREE_HINGE || joint->kind == SCREE_SLIDER ||
                joint->kind == SCREE_CYLINDRICAL || joint->kind == SCREE_POINT_ON_LINE ||
                (joint->clearance > 0 && !(joint->dry_friction > 0));
    if (!(joint->friction >= 0 && joint->dry_friction >= 0 && joint->radius >= 0 &&
          isfinite(joint->friction + joint->dry_friction + joint->radius)))
        return bad(err, name, "friction and radius must not be negative");
    if ((joint->friction > 0 || joint->dry_friction > 0) && !rubs)
        return bad(err, name,
                   "friction is for hinge, slider, cylindrical and point-on-line joints");
    if (joint->kind == SCREE_HINGE && joint->friction > 0 && !(joint->radius > 0))
        return bad(err, name, "friction of a hinge needs the radius where it rubs");
    return SCREE_OK;
}

static scree_status check_clearance(const scree_model *model, const scree_joint *joint,
                                    const char *name, scree_error *err) {
    bool pin = joint->kind == SCREE_HINGE, block = joint->kind == SCREE_SLIDER;
    bool is_long = block || (pin && model->space == 3);
    if (!(joint->clearance >= 0 && isfinite(joint->clearance)))
        return bad(err, name, "its clearance must not be negative");
    if (joint->clearance > 0 && !pin && !block && joint->kind != SCREE_BALL)
        return bad(err, name, "clearance is for hinges, sliders and ball joints");
    if (joint->clearance > 0 && is_long && !(joint->length > 0))
        return bad(
            err, name,
            "clearance of a slider, and of a hinge in space, needs the length of its block or "
            "pin");
    if (joint->clearance > 0 && block && model->space == 3 && !(joint->radius > 0))
        return bad(err, name,
                   "clearance of a slider in space needs the radius of its block: half its width");
    unsigned known = model->space == 2
                         ? SCREE_HOLD_X | SCREE_HOLD_Y | SCREE_HOLD_TURN
                         : SCREE_HOLD_X | SCREE_HOLD_Y | SCREE_HOLD_Z | SCREE_HOLD_TURN;
    if ((joint->kind == SCREE_HOLD) != (joint->held > 0) || (joint->held & ~known))
        return bad(err, name, "what is held is one or more of the coordinates of a body");
    if (joint->kind == SCREE_HOLD && joint->b != SCREE_GROUND)
        return bad(err, name, "coordinates of a body are held against the ground");
    return SCREE_OK;
}

static scree_status check(const scree_model *model, const scree_joint *joint, const char *name,
                          scree_error *err) {
    if (model->memory->finished) return bad(err, name, "the model is finished already");
    if (!exists(model, joint->kind))
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                          "joint \"%s\": a %s joint is for bodies in space", name,
                          scree_joint_kind_name(joint->kind));
    if (joint->kind == SCREE_COUPLER) return check_coupler(model, joint, name, err);
    scree_status status = check_bodies(model, joint, name, err);
    if (!status && has_axis(model, joint->kind)) status = check_axes(model, joint, name, err);
    if (!status) status = check_limits(model, joint, name, err);
    if (!status) status = check_clearance(model, joint, name, err);
    if (!status) status = check_friction(joint, name, err);
    if (status) return status;
    if (!scree_dense_finite(joint->anchor[0], 6))
        return bad(err, name, "its anchors must be finite");
    if (!(joint->length >= 0 && isfinite(joint->length)))
        return bad(err, name, "its length must not be negative");
    if (joint->kind == SCREE_SCREW && !isfinite(joint->pitch))
        return bad(err, name, "its pitch must be finite");
    if (joint->kind == SCREE_ROD || joint->kind == SCREE_ROPE) {
        double way[3];
        for (int k = 0; k < 3; k++) way[k] = joint->anchor[0][k] - joint->anchor[1][k];
        if (!(joint->length > 0) && !(scree_length(way) > 0))
            return bad(err, name, "its anchors are at one place: give its length");
    }
    return SCREE_OK;
}

scree_status scree_model_add_joint(scree_model *model, const scree_joint *joint, scree_error *err) {
    scree_joints *joints = &model->memory->joints;
    const char *name = joint->name ? joint->name : "";
    scree_status status = check(model, joint, name, err);
    if (status) return status;
    if (model->joints == joints->room) {
        int room = joints->room ? 2 * joints->room : 8;
        scree_joint *grown = realloc(model->joint, (size_t)room * sizeof *grown);
        if (!grown) return scree_fail_memory(err, NULL);
        model->joint = grown;
        joints->room = room;
    }
    scree_joint *own = &model->joint[model->joints];
    *own = *joint;
    own->name = scree_arena_text(&model->memory->arena, name, strlen(name));
    if (!own->name) return scree_fail_memory(err, NULL);
    if (joint->kind == SCREE_COUPLER) {
        own->a = model->joint[joint->joint[0]].a;
        own->b = model->joint[joint->joint[1]].a;
    }
    model->joints++;
    return SCREE_OK;
}

// -------------------------------------------------------------------------------------------------
// who is kept apart

static int by_pair(const void *a, const void *b) {
    const int *x = a, *y = b;
    return x[0] != y[0] ? (x[0] > y[0]) - (x[0] < y[0]) : (x[1] > y[1]) - (x[1] < y[1]);
}

bool scree_joints_apart(const scree_model *model, int a, int b) {
    const scree_joints *joints = &model->memory->joints;
    const int key[2] = { a < b ? a : b, a < b ? b : a };
    return joints->aparts &&
           bsearch(key, joints->apart, (size_t)joints->aparts, sizeof key, by_pair);
}

int scree_joint_of_contact(const scree_model *model, const scree_contact *contact) {
    if (scree_contact_id_source(contact->id) != SCREE_SOURCE_JOINTS) return -1;
    uint64_t k = scree_contact_id_unpack(contact->id).a;
    return k < (uint64_t)model->joints ? (int)k : -1;
}
