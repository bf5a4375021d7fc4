// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// urdf.c - ROS' robot descriptions.
// in: <robot> with <link> and <joint>.   out: a draft.
//
// Links are placed from the root on, all joints at zero, which is where a scene's coordinates
// begin. Collision geometry alone is taken. A link without mass that is fixed to another one
// becomes a part of that.

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "import/formats.h"
#include "import/robot.h"
#include "import/xml.h"
#include "model/rotation.h"

typedef struct link {
    scree_xml *node;
    scree_xml *joint;  // that it hangs on, NULL: a root
    int parent;        // -1: a root
    int part_of;       // the link that carries it: itself, or one above
    bool placed;
    scree_robot_body body;
} link;

typedef struct reader {
    scree_draft *draft;
    scree_xml *robot;
    int links;
    link *link;
} reader;

static int find_link(const reader *r, const char *name) {
    for (int i = 0; name && i < r->links; i++)
        if (strcmp(r->link[i].body.name, name) == 0) return i;
    return -1;
}

// <origin xyz rpy>: turned about fixed x, y and z, one after the other
static void read_origin(const scree_xml *node, double at[3], double turn[4]) {
    static const double axis[3][3] = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };
    double rpy[3] = { 0 };
    const scree_xml *origin = scree_xml_child(node, "origin");
    memset(at, 0, 3 * sizeof *at);
    memcpy(turn, (double[4]){ 1, 0, 0, 0 }, 4 * sizeof *turn);
    scree_xml_numbers(origin, "xyz", 3, at);
    scree_xml_numbers(origin, "rpy", 3, rpy);
    for (int k = 0; k < 3; k++) {
        double one[4];
        scree_rotation_about(axis[k], rpy[k], one);
        scree_rotation_product(one, turn, turn);
    }
}

// ---- links

static void read_inertial(link *l) {
    const scree_xml *inertial = scree_xml_child(l->node, "inertial");
    const scree_xml *inertia = scree_xml_child(inertial, "inertia");
    static const char *const name[6] = { "ixx", "ixy", "ixz", "iyy", "iyz", "izz" };
    scree_mass *mass = &l->body.mass;
    double turn[4];
    if (!inertial) return;
    read_origin(inertial, mass->centre, turn);
    mass->mass = scree_xml_number(scree_xml_child(inertial, "mass"), "value", 0);
    for (int k = 0; k < 6; k++) mass->inertia[k] = scree_xml_number(inertia, name[k], 0);
    scree_robot_turn_inertia(turn, mass->inertia, mass->inertia);
}

static bool read_geometry(reader *r, const scree_xml *geometry, scree_draft_shape *shape) {
    const scree_xml *one = geometry ? geometry->first : NULL;
    double scale[3] = { 1, 1, 1 };
    const char *kind = one ? one->name : "nothing";
    shape->radius = scree_xml_number(one, "radius", 0);
    shape->length = scree_xml_number(one, "length", 0);
    if (strcmp(kind, "box") == 0 && scree_xml_numbers(one, "size", 3, shape->size) == 3)
        shape->type = "box";
    else if (strcmp(kind, "sphere") == 0 && shape->radius > 0)
        shape->type = "sphere";
    else if ((strcmp(kind, "cylinder") == 0 || strcmp(kind, "capsule") == 0) && shape->radius > 0 &&
             shape->length > 0)
        shape->type = kind;
    else if (strcmp(kind, "mesh") == 0 && scree_xml_get(one, "filename")) {
        scree_xml_numbers(one, "scale", 3, scale);
        return scree_robot_mesh(r->draft, "", scree_xml_get(one, "filename"), scale, shape);
    }
    return shape->type;
}

// shapes of a link, in the frame of the link that carries it
static scree_status read_collisions(reader *r, const link *l, const scree_robot_frame *within,
                                    scree_robot_body *carrier) {
    for (scree_xml *c = scree_xml_child(l->node, "collision"); c;
         c = scree_xml_next(c, "collision")) {
        scree_draft_shape shape = { 0 };
        double at[3], turn[4];
        read_origin(c, at, turn);
        if (!read_geometry(r, scree_xml_child(c, "geometry"), &shape)) {
            scree_draft_note(r->draft, "link \"%s\": a collision geometry (line %d) is left out",
                             l->body.name, c->line);
            continue;
        }
        scree_robot_frame place = scree_robot_place(within, at, turn);
        memcpy(shape.at, place.at, sizeof shape.at);
        memcpy(shape.turn, place.turn, sizeof shape.turn);
        if (!scree_robot_put(r->draft, carrier, &shape)) return scree_draft_no_memory(r->draft);
    }
    return SCREE_OK;
}

static scree_status list_links(reader *r) {
    for (scree_xml *l = scree_xml_child(r->robot, "link"); l; l = scree_xml_next(l, "link"))
        r->links++;
    r->link = SCREE_NEW(&r->draft->arena, link, r->links);
    if (!r->link) return scree_draft_no_memory(r->draft);
    int i = 0;
    for (scree_xml *l = scree_xml_child(r->robot, "link"); l; l = scree_xml_next(l, "link"), i++) {
        const char *name = scree_xml_get(l, "name");
        r->link[i] = (link){ .node = l, .parent = -1, .part_of = i };
        r->link[i].body =
            (scree_robot_body){ .name = name ? name : "link", .frame = { .turn = { 1, 0, 0, 0 } } };
        read_inertial(&r->link[i]);
    }
    for (scree_xml *j = scree_xml_child(r->robot, "joint"); j; j = scree_xml_next(j, "joint")) {
        int child = find_link(r, scree_xml_get(scree_xml_child(j, "child"), "link"));
        int parent = find_link(r, scree_xml_get(scree_xml_child(j, "parent"), "link"));
        if (child < 0 || parent < 0 || child == parent)
            return scree_fail(r->draft->err, SCREE_BAD_INPUT,
                              (scree_source_location){ r->draft->path, j->line, 1 },
                              "joint \"%s\": its parent or child is no link of this robot",
                              scree_xml_get(j, "name") ? scree_xml_get(j, "name") : "");
        if (r->link[child].joint) {
            scree_draft_note(r->draft, "link \"%s\" hangs on two joints: one of them is left out",
                             r->link[child].body.name);
            continue;
        }
        r->link[child].joint = j;
        r->link[child].parent = parent;
    }
    return SCREE_OK;
}

static const char *type_of(const scree_xml *joint) {
    const char *type = scree_xml_get(joint, "type");
    return type ? type : "";
}

// poses from the root on; false: the link hangs on itself
static bool place_link(reader *r, int i, int depth) {
    link *l = &r->link[i];
    if (l->placed) return true;
    if (depth > r->links) return false;
    if (l->parent >= 0) {
        double at[3], turn[4];
        if (!place_link(r, l->parent, depth + 1)) return false;
        read_origin(l->joint, at, turn);
        l->body.frame = scree_robot_place(&r->link[l->parent].body.frame, at, turn);
        bool fixed = strcmp(type_of(l->joint), "fixed") == 0;
        if (fixed && !(l->body.mass.mass > 0)) l->part_of = r->link[l->parent].part_of;
    }
    l->body.fixed = l->parent < 0 && !(l->body.mass.mass > 0);
    if (l->body.fixed)
        scree_draft_note(r->draft, "link \"%s\", the root, has no mass: it is fixed", l->body.name);
    l->placed = true;
    return true;
}

// a frame of the world as it is seen from another one
static scree_robot_frame seen_from(const scree_robot_frame *base, const scree_robot_frame *frame) {
    const double back[4] = { base->turn[0], -base->turn[1], -base->turn[2], -base->turn[3] };
    scree_robot_frame made;
    double apart[3];
    for (int k = 0; k < 3; k++) apart[k] = frame->at[k] - base->at[k];
    scree_rotation_vector(back, apart, made.at);
    scree_rotation_product(back, frame->turn, made.turn);
    return made;
}

static scree_status add_links(reader *r) {
    for (int i = 0; i < r->links; i++)
        if (!place_link(r, i, 0))
            return SCREE_DRAFT_FAIL(r->draft, "link \"%s\" hangs on itself", r->link[i].body.name);
    for (int i = 0; i < r->links; i++) {
        link *l = &r->link[i], *carrier = &r->link[l->part_of];
        scree_robot_frame within = seen_from(&carrier->body.frame, &l->body.frame);
        scree_status status = read_collisions(r, l, &within, &carrier->body);
        if (status) return status;
    }
    for (int i = 0; i < r->links; i++) {
        if (r->link[i].part_of != i) continue;
        scree_status status = scree_robot_add(r->draft, &r->link[i].body);
        if (status) return status;
    }
    return SCREE_OK;
}

// ---- joints

static void add_dynamics(reader *r, const scree_xml *joint, const char *name,
                         scree_draft_joint *made) {
    const scree_xml *limit = scree_xml_child(joint, "limit"),
                    *dynamics = scree_xml_child(joint, "dynamics");
    bool limited = strcmp(type_of(joint), "continuous") != 0;
    double damping = scree_xml_number(dynamics, "damping", 0);
    if (limited) {
        made->lower = scree_xml_number(limit, "lower", 0);
        made->upper = scree_xml_number(limit, "upper", 0);
    }
    // angles of hinges are known between -pi and pi
    bool turns = strcmp(made->type, "hinge") == 0;
    if (limited && turns && (made->lower < -acos(-1) || made->upper > acos(-1))) {
        made->lower = made->upper = NAN;
        scree_draft_note(r->draft, "joint \"%s\": limits beyond half a turn are left out", name);
    }
    made->dry_friction = scree_xml_number(dynamics, "friction", 0);
    if (limit && (scree_xml_get(limit, "effort") || scree_xml_get(limit, "velocity")))
        scree_draft_note(r->draft,
                         "efforts and velocities of joints are limits of motors; scenes have them "
                         "where there is a motor");
    if (damping > 0)
        scree_draft_add_spring(
            r->draft,
            &(scree_draft_drive){ .name = name, .joint = name, .damping = damping, .rest = NAN });
}

static void add_joint(reader *r, const link *l) {
    static const struct {
        const char *type, *ours;
        bool axis;
    } kinds[] = { { "revolute", "hinge", true },
                  { "continuous", "hinge", true },
                  { "prismatic", "slider", true },
                  { "fixed", "weld", false },
                  { "planar", "planar", true } };
    const char *type = type_of(l->joint), *name = scree_xml_get(l->joint, "name");
    if (strcmp(type, "floating") == 0) return;
    scree_draft_joint made = {
        .name = name ? name : l->body.name, .first = l->body.in_scene, .lower = NAN, .upper = NAN
    };
    const scree_robot_body *parent = &r->link[r->link[l->parent].part_of].body;
    made.second = parent->in_scene;
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        if (strcmp(kinds[k].type, type) != 0) continue;
        double axis[3] = { 1, 0, 0 };
        made.type = kinds[k].ours;
        scree_xml_numbers(scree_xml_child(l->joint, "axis"), "xyz", 3, axis);
        if (kinds[k].axis) scree_rotation_vector(l->body.frame.turn, axis, made.axis);
    }
    if (!made.type) {
        scree_draft_note(r->draft, "joint \"%s\" of the kind \"%s\" is left out", made.name, type);
        return;
    }
    memcpy(made.at, l->body.frame.at, sizeof made.at);
    if (strcmp(made.type, "hinge") == 0 || strcmp(made.type, "slider") == 0)
        add_dynamics(r, l->joint, made.name, &made);
    scree_draft_add_joint(r->draft, &made);
}

static void add_mimics(reader *r) {
    for (int i = 0; i < r->links; i++) {
        const scree_xml *joint = r->link[i].joint, *mimic = scree_xml_child(joint, "mimic");
        const char *other = scree_xml_get(mimic, "joint"), *name = scree_xml_get(joint, "name");
        if (!mimic || !other || !name || r->link[i].part_of != i) continue;
        scree_draft_text text = { 0 };
        scree_draft_print(&text, "%s follows %s", name, other);
        scree_draft_joint made = { .name = text.failed ? name : text.text,
                                   .type = "coupler",
                                   .first = name,
                                   .second = other,
                                   .ratio = -scree_xml_number(mimic, "multiplier", 1),
                                   .lower = NAN,
                                   .upper = NAN };
        if (text.failed) scree_draft_fail(r->draft);
        if (scree_xml_number(mimic, "offset", 0) != 0)
            scree_draft_note(
                r->draft, "joint \"%s\": the offset of its mimic is 0 here, as at the start", name);
        if (made.ratio != 0) scree_draft_add_joint(r->draft, &made);
        free(text.text);
    }
}

scree_status scree_urdf_import(scree_draft *draft) {
    reader r = { .draft = draft };
    scree_status status = scree_xml_read(draft->path, &draft->arena, &r.robot, draft->err);
    draft->program = "ROS (URDF)";
    draft->space = 3;
    draft->overlaps = true;
    if (!status && strcmp(r.robot->name, "robot") != 0)
        status = SCREE_DRAFT_FAIL(draft, "expected the element robot, found \"%s\"", r.robot->name);
    if (!status) status = list_links(&r);
    if (!status) status = add_links(&r);
    if (status) return status;
    for (int i = 0; i < r.links; i++)
        if (r.link[i].parent >= 0 && r.link[i].part_of == i) add_joint(&r, &r.link[i]);
    add_mimics(&r);
    scree_draft_choose_rest(draft, "any", NAN, NAN);
    scree_draft_note(draft,
                     "visual geometry, transmissions and what other programs add are left "
                     "out; a robot brings no ground");
    return SCREE_OK;
}
