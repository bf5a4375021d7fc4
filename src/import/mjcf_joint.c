// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// mjcf_joint.c - joints, actuators, equalities and exclusions of MuJoCo's models.
//
// A body may have several joints there; of these a scene has a joint of its own where they are a
// cylindrical, planar or ball joint together.

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/space.h"
#include "import/mjcf.h"
#include "model/rotation.h"

enum { JOINTS_MOST = 6 };

typedef struct joint {
    const scree_xml *node;
    bool turns;  // a hinge, not a slide
    double at[3], axis[3];
} joint;

static const char *name_of(scree_mjcf *m, const scree_xml *node) {
    const char *name = scree_xml_get(node, "name");
    char made[40];
    if (name) return name;
    snprintf(made, sizeof made, "joint-%d", ++m->joints);
    const char *kept = scree_arena_text(&m->draft->arena, made, strlen(made));
    if (!kept) scree_draft_fail(m->draft);
    return kept ? kept : "joint";
}

static bool is_limited(const scree_mjcf *m, const scree_xml *node) {
    const char *limited = scree_mjcf_get(m, node, "limited");
    const char *automatic = scree_xml_get(scree_xml_child(m->root, "compiler"), "autolimits");
    bool by_range = !automatic || strcmp(automatic, "true") == 0;
    return limited && strcmp(limited, "auto") != 0 ? strcmp(limited, "true") == 0
                                                   : by_range && scree_mjcf_get(m, node, "range");
}

// limits, friction, and a spring with its damper
static void take_properties(scree_mjcf *m, const joint *j, scree_draft_joint *made) {
    double unit = j->turns ? m->angle : 1, range[2];
    double start = unit * scree_mjcf_number(m, j->node, "ref", 0);
    if (is_limited(m, j->node) && scree_mjcf_numbers(m, j->node, "range", 2, range) == 2) {
        made->lower = unit * range[0] - start;
        made->upper = unit * range[1] - start;
        if (j->turns && (made->lower < -acos(-1) || made->upper > acos(-1))) {
            made->lower = made->upper = NAN;
            scree_draft_note(m->draft, "joint \"%s\": limits beyond half a turn are left out",
                             made->name);
        }
    }
    made->dry_friction = scree_mjcf_number(m, j->node, "frictionloss", 0);
    scree_draft_drive spring = {
        .name = made->name,
        .joint = made->name,
        .stiffness = scree_mjcf_number(m, j->node, "stiffness", 0),
        .damping = scree_mjcf_number(m, j->node, "damping", 0),
        .rest = unit * scree_mjcf_number(m, j->node, "springref", 0) - start,
    };
    if (spring.stiffness > 0 || spring.damping > 0) scree_draft_add_spring(m->draft, &spring);
    if (scree_mjcf_number(m, j->node, "armature", 0) > 0)
        scree_draft_note(m->draft, "armatures of joints are not carried over");
}

static void read_joint(const scree_mjcf *m, const scree_xml *node, const scree_robot_frame *frame,
                       joint *out) {
    const char *type = scree_mjcf_get(m, node, "type");
    double axis[3] = { 0, 0, 1 }, at[3] = { 0 };
    const double none[4] = { 1, 0, 0, 0 };
    scree_mjcf_numbers(m, node, "axis", 3, axis);
    scree_mjcf_numbers(m, node, "pos", 3, at);
    *out = (joint){ .node = node, .turns = !type || strcmp(type, "slide") != 0 };
    scree_robot_frame place = scree_robot_place(frame, at, none);
    memcpy(out->at, place.at, sizeof out->at);
    scree_rotation_vector(frame->turn, axis, out->axis);
}

static bool is_along(const double a[3], const double b[3]) {
    double c[3];
    scree_cross(a, b, c);
    return scree_length(c) <= 1e-6 * scree_length(a) * scree_length(b);
}

// several joints of one body as one of ours; NULL: there is none that does the same
static const char *combine(const joint *j, int count, const joint **axis) {
    const joint *turn[JOINTS_MOST], *slide[JOINTS_MOST];
    int turns = 0, slides = 0;
    for (int k = 0; k < count; k++)
        if (j[k].turns)
            turn[turns++] = &j[k];
        else
            slide[slides++] = &j[k];
    bool one_place = true;
    for (int k = 1; k < turns; k++) {
        double apart[3];
        for (int i = 0; i < 3; i++) apart[i] = turn[k]->at[i] - turn[0]->at[i];
        one_place &= scree_length(apart) < 1e-9;
    }
    *axis = turns ? turn[0] : slide[0];
    if (turns == 3 && !slides && one_place) return "ball";
    if (turns == 1 && slides == 1 && is_along(turn[0]->axis, slide[0]->axis)) return "cylindrical";
    bool across = turns == 1 && slides == 2;
    for (int k = 0; k < slides && across; k++)
        across = fabs(scree_dot(turn[0]->axis, slide[k]->axis)) <=
                 1e-6 * scree_length(turn[0]->axis) * scree_length(slide[k]->axis);
    if (across && !is_along(slide[0]->axis, slide[1]->axis)) return "planar";
    return NULL;
}

static void add_several(scree_mjcf *m, const scree_mjcf_body *b, const joint *j, int count,
                        const char *parent) {
    const joint *axis;
    const char *type = combine(j, count, &axis);
    if (!type) {
        scree_draft_note(m->draft,
                         "body \"%s\" has %d joints that no joint of a scene does together: it is "
                         "free",
                         b->body.name, count);
        return;
    }
    scree_draft_joint made = { .name = name_of(m, axis->node),
                               .type = type,
                               .first = b->body.in_scene,
                               .second = parent,
                               .lower = NAN,
                               .upper = NAN };
    memcpy(made.at, axis->at, sizeof made.at);
    if (strcmp(type, "ball") != 0) memcpy(made.axis, axis->axis, sizeof made.axis);
    scree_draft_add_joint(m->draft, &made);
    scree_draft_note(m->draft,
                     "body \"%s\": its %d joints are one, %s; their limits, springs and frictions "
                     "are left out",
                     b->body.name, count, type);
}

void scree_mjcf_joints(scree_mjcf *m, int i) {
    const scree_mjcf_body *b = &m->body[i];
    const scree_mjcf_body *up = &m->body[m->body[b->parent].part_of];
    const char *parent = up == m->body ? NULL : up->body.in_scene;
    joint j[JOINTS_MOST];
    int count = 0;
    if (scree_xml_child(b->node, "freejoint")) return;
    for (const scree_xml *one = scree_xml_child(b->node, "joint"); one && count < JOINTS_MOST;
         one = scree_xml_next(one, "joint")) {
        const char *type = scree_mjcf_get(m, one, "type");
        if (type && strcmp(type, "free") == 0) return;
        read_joint(m, one, &b->body.frame, &j[count++]);
    }
    if (count != 1) {
        add_several(m, b, j, count, parent);
        return;
    }
    const char *type = scree_mjcf_get(m, j->node, "type");
    bool ball = type && strcmp(type, "ball") == 0;
    scree_draft_joint made = { .name = name_of(m, j->node),
                               .type = ball       ? "ball"
                                       : j->turns ? "hinge"
                                                  : "slider",
                               .first = b->body.in_scene,
                               .second = parent,
                               .lower = NAN,
                               .upper = NAN };
    memcpy(made.at, j->at, sizeof made.at);
    if (!ball) memcpy(made.axis, j->axis, sizeof made.axis);
    if (!ball)
        take_properties(m, j, &made);
    else if (scree_mjcf_get(m, j->node, "range") ||
             scree_mjcf_number(m, j->node, "stiffness", 0) > 0 ||
             scree_mjcf_number(m, j->node, "damping", 0) > 0)
        scree_draft_note(m->draft, "limits, springs and dampers of ball joints are left out");
    scree_draft_add_joint(m->draft, &made);
}

// ---- the rest

static const scree_robot_body *find_body(const scree_mjcf *m, const char *name) {
    for (int i = 0; name && i < m->bodies; i++)
        if (strcmp(m->body[i].body.name, name) == 0) return &m->body[m->body[i].part_of].body;
    return NULL;
}

static const scree_xml *find_joint(const scree_xml *body, const char *name) {
    for (const scree_xml *one = body ? body->first : NULL; one; one = one->next) {
        const char *own = strcmp(one->name, "joint") == 0 ? scree_xml_get(one, "name") : NULL;
        if (own && strcmp(own, name) == 0) return one;
        const scree_xml *inner = strcmp(one->name, "body") == 0 ? find_joint(one, name) : NULL;
        if (inner) return inner;
    }
    return NULL;
}

// the place 0 of a joint there, in a coordinate that begins with 0 where the joint is at its ref
static const char *zero_of(scree_mjcf *m, const char *name) {
    const scree_xml *node = find_joint(scree_xml_child(m->root, "worldbody"), name);
    const char *type = node ? scree_mjcf_get(m, node, "type") : NULL;
    double ref = node ? scree_mjcf_number(m, node, "ref", 0) : 0;
    char text[40];
    if (ref == 0) return "0";
    snprintf(text, sizeof text, "%.15g",
             -ref * (type && strcmp(type, "slide") == 0 ? 1 : m->angle));
    const char *kept = scree_arena_text(&m->draft->arena, text, strlen(text));
    if (!kept) scree_draft_fail(m->draft);
    return kept ? kept : "0";
}

static void add_actuators(scree_mjcf *m) {
    const scree_xml *all = scree_xml_child(m->root, "actuator");
    for (const scree_xml *one = all ? all->first : NULL; one; one = one->next) {
        const char *driven = scree_xml_get(one, "joint"), *name = scree_xml_get(one, "name");
        bool position = strcmp(one->name, "position") == 0, motor = strcmp(one->name, "motor") == 0;
        bool velocity = strcmp(one->name, "velocity") == 0;
        double range[2];
        scree_draft_drive made = { .name = name ? name : driven, .joint = driven, .target = "0" };
        if (!driven || !(position || motor || velocity)) {
            scree_draft_note(m->draft, "actuator \"%s\" (%s) is not carried over", name ? name : "",
                             one->name);
            continue;
        }
        made.kind = position ? "position" : motor ? "force" : "velocity";
        // lengths of an actuator are those of the joint times its gear, and so are forces
        const double gear = scree_mjcf_number(m, one, "gear", 1), square = gear * gear;
        if (position) made.target = zero_of(m, driven);
        if (position) made.stiffness = square * scree_mjcf_number(m, one, "kp", 1);
        if (position) made.damping = square * scree_mjcf_number(m, one, "kv", 0);
        if (velocity) {
            // without a spring, as a damper against the rate that is wanted
            made.kind = "position";
            made.damping = square * scree_mjcf_number(m, one, "kv", 1);
            scree_draft_note(m->draft, "actuator \"%s\" of a velocity is a damper: its rate is 0",
                             made.name);
            scree_draft_add_spring(m->draft, &(scree_draft_drive){ .name = made.name,
                                                                   .joint = driven,
                                                                   .damping = made.damping,
                                                                   .rest = NAN });
            continue;
        }
        if (position && scree_mjcf_numbers(m, one, "forcerange", 2, range) == 2 && range[1] > 0)
            made.limit = fabs(gear) * range[1];
        scree_draft_add_motor(m->draft, &made);
        scree_draft_note(m->draft, "actuators get the control 0; write formulas of t instead");
    }
}

static void add_equalities(scree_mjcf *m) {
    const scree_xml *all = scree_xml_child(m->root, "equality");
    for (const scree_xml *one = all ? all->first : NULL; one; one = one->next) {
        const scree_robot_body *a = find_body(m, scree_xml_get(one, "body1")),
                               *b = find_body(m, scree_xml_get(one, "body2"));
        bool weld = strcmp(one->name, "weld") == 0;
        double anchor[3] = { 0 };
        scree_draft_joint made = { .name = name_of(m, one), .lower = NAN, .upper = NAN };
        if ((weld || strcmp(one->name, "connect") == 0) && a && a->in_scene) {
            const double none[4] = { 1, 0, 0, 0 };
            made.type = weld ? "weld" : "ball";
            made.first = a->in_scene;
            made.second = b && !b->fixed ? b->in_scene : NULL;
            scree_xml_numbers(one, "anchor", 3, anchor);
            scree_robot_frame place = scree_robot_place(&a->frame, anchor, none);
            memcpy(made.at, place.at, sizeof made.at);
            scree_draft_add_joint(m->draft, &made);
        } else if (strcmp(one->name, "joint") == 0 && scree_xml_get(one, "joint1") &&
                   scree_xml_get(one, "joint2")) {
            double curve[5] = { 0, 1 };
            scree_xml_numbers(one, "polycoef", 5, curve);
            made.type = "coupler";
            made.first = scree_xml_get(one, "joint1");
            made.second = scree_xml_get(one, "joint2");
            made.ratio = -curve[1];
            scree_draft_add_joint(m->draft, &made);
            if (curve[0] != 0 || curve[2] != 0 || curve[3] != 0 || curve[4] != 0)
                scree_draft_note(m->draft,
                                 "the equality of joints in line %d is linear, and holds as at the "
                                 "start",
                                 one->line);
        } else {
            scree_draft_note(m->draft, "the equality \"%s\" (line %d) is not carried over",
                             one->name, one->line);
        }
    }
}

void scree_mjcf_rest(scree_mjcf *m) {
    add_actuators(m);
    add_equalities(m);
    const scree_xml *contact = scree_xml_child(m->root, "contact");
    for (const scree_xml *one = contact ? contact->first : NULL; one; one = one->next) {
        const scree_robot_body *a = find_body(m, scree_xml_get(one, "body1")),
                               *b = find_body(m, scree_xml_get(one, "body2"));
        if (strcmp(one->name, "exclude") == 0 && a && b && a != b && a->in_scene && b->in_scene)
            scree_draft_add_law(m->draft,
                                &(scree_draft_law){ a->in_scene, b->in_scene, .apart = true });
        else
            scree_draft_note(m->draft, "<contact>: \"%s\" (line %d) is not carried over", one->name,
                             one->line);
    }
}
