// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// siconos_joint.c - joints and boundary conditions of Siconos' scenes.
// in: data/joints, data/boundary_conditions.   out: joints of a scene, motions of bodies.
//
// Points and axes are in the world or, if the joint is not `absolute`, in the frame of its first
// body. Siconos' coordinate x of a joint is minus ours: a stop at x = p with a positive direction
// is the upper limit -p. A relay's bounds are impulses of a step, and half of them act. Found by
// running such joints in Siconos 4.4.0.

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "import/siconos.h"
#include "model/rotation.h"

enum { STOPS_MOST = 64, TEXTS_MOST = 16, INDICES = 6 };

typedef struct kind {
    const char *class_name, *type;
    bool point, axis;
    int coordinate;  // of Siconos' coordinates the one that a scene's joint has, -1: none
} kind;

static const kind kinds[] = {
    { "PivotJointR", "hinge", true, true, 0 },
    { "PrismaticJointR", "slider", false, true, 0 },
    { "CylindricalJointR", "cylindrical", true, true, 0 },
    { "KneeJointR", "ball", true, false, -1 },
    { "FixedJointR", "weld", false, false, -1 },
};

static const kind *find_kind(const char *class_name) {
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(kinds[i].class_name, class_name) == 0) return &kinds[i];
    return NULL;
}

// a point (from is its body's place) or a direction (from NULL), in the world
static bool read_vector(hid_t node, const char *name, const scree_siconos_body *frame,
                        bool is_point, double out[3]) {
    double value[3 * STOPS_MOST];
    int count = scree_siconos_numbers(node, name, 3 * STOPS_MOST, value);
    if (count < 3) return false;
    memcpy(out, value, 3 * sizeof *out);
    if (!frame) return true;
    scree_rotation_vector(frame->turn, out, out);
    for (int k = 0; k < 3 && is_point; k++) out[k] += frame->position[k];
    return true;
}

// stops of the coordinate become limits
static void take_stops(scree_siconos *s, hid_t node, const kind *k, scree_draft_joint *joint) {
    double stop[3 * STOPS_MOST];
    const char *law[TEXTS_MOST];
    int count = scree_siconos_numbers(node, "stops", 3 * STOPS_MOST, stop);
    int laws = scree_siconos_texts(node, "nslaws", &s->draft->arena, TEXTS_MOST, law);
    for (int i = 0; i < count / 3; i++) {
        if ((int)stop[3 * i] != k->coordinate) {
            scree_draft_note(s->draft, "joint \"%s\": no stop on its coordinate %d", joint->name,
                             (int)stop[3 * i]);
            continue;
        }
        double limit = -stop[3 * i + 1];
        if (stop[3 * i + 2] > 0)
            joint->upper = isnan(joint->upper) ? limit : fmin(joint->upper, limit);
        else
            joint->lower = isnan(joint->lower) ? limit : fmax(joint->lower, limit);
        const scree_siconos_law *found = laws
                                             ? scree_siconos_find_law(s, law[laws == 1  ? 0
                                                                             : i < laws ? i
                                                                                        : laws - 1])
                                             : NULL;
        if (found) joint->restitution = fmax(joint->restitution, found->restitution);
    }
}

static void take_friction(scree_siconos *s, hid_t node, const kind *k, scree_draft_joint *joint) {
    const char *law[TEXTS_MOST];
    int laws = scree_siconos_texts(node, "friction", &s->draft->arena, TEXTS_MOST, law);
    for (int i = 0; i < laws; i++) {
        const scree_siconos_law *found = *law[i] ? scree_siconos_find_law(s, law[i]) : NULL;
        if (!*law[i]) continue;
        if (!found || i != k->coordinate || found->low != -found->high) {
            scree_draft_note(s->draft, "joint \"%s\": its friction \"%s\" is not carried over",
                             joint->name, law[i]);
            continue;
        }
        joint->dry_friction = found->high / (2 * s->draft->step);
        scree_draft_note(
            s->draft,
            "joint \"%s\": Siconos' relay bounds the impulse of a step, and half of it "
            "acts, so its dry friction is %.6g over the step",
            joint->name, found->high / 2);
    }
}

// a cylindrical joint whose coordinates are coupled is a screw
static void take_coupling(scree_siconos *s, hid_t node, scree_draft_joint *joint) {
    double coupled[3];
    int count = scree_siconos_numbers(node, "coupled", 3, coupled);
    if (count < 0 && H5Aexists(node, "coupled") <= 0) return;
    bool forward = count == 3 && coupled[0] == 0 && coupled[1] == 1;
    bool backward = count == 3 && coupled[0] == 1 && coupled[1] == 0;
    double turns = forward ? coupled[2] : backward && coupled[2] != 0 ? 1 / coupled[2] : 0;
    if (strcmp(joint->type, "cylindrical") != 0 || turns == 0) {
        scree_draft_note(s->draft, "joint \"%s\": its coupling is not carried over", joint->name);
        return;
    }
    joint->type = "screw";
    joint->pitch = 2 * acos(-1) / turns;
}

// a joint keeps its two bodies from touching, and the parts that they became as well
static void keep_apart(scree_siconos *s, const scree_siconos_body *first,
                       const scree_siconos_body *second) {
    for (int i = -1; i < first->parts; i++)
        for (int k = -1; k < second->parts; k++)
            if (i >= 0 || k >= 0)
                scree_siconos_part(s, i < 0 ? first->in_scene : first->part[i],
                                   k < 0 ? second->in_scene : second->part[k]);
}

static void add_plain(scree_siconos *s, hid_t node, const char *name, const kind *k,
                      const scree_siconos_body *first, const scree_siconos_body *second) {
    scree_draft_joint joint = { .name = name,
                                .type = k->type,
                                .first = first->in_scene,
                                .second = second ? second->in_scene : NULL,
                                .lower = NAN,
                                .upper = NAN };
    bool absolute = scree_siconos_number(node, "absolute", 1) != 0;
    const scree_siconos_body *frame = absolute ? NULL : first;
    memcpy(joint.at, first->position, sizeof joint.at);
    bool fine = (!k->point || read_vector(node, "points", frame, true, joint.at)) &&
                (!k->axis || read_vector(node, "axes", frame, false, joint.axis));
    if (!fine || (k->axis && joint.axis[0] == 0 && joint.axis[1] == 0 && joint.axis[2] == 0)) {
        scree_draft_note(s->draft, "joint \"%s\" is left out: it has no point or axis", name);
        return;
    }
    take_coupling(s, node, &joint);
    take_stops(s, node, k, &joint);
    take_friction(s, node, k, &joint);
    joint.collide = scree_siconos_number(node, "allow_self_collide", 0) != 0;
    scree_draft_add_joint(s->draft, &joint);
    if (second && !joint.collide) keep_apart(s, first, second);
}

// the bodies of a joint
static const char *body_of(scree_siconos *s, hid_t joints, const char *joint, const char *side) {
    hid_t node = scree_siconos_open(joints, joint);
    const char *name = scree_siconos_text(node, side, &s->draft->arena);
    if (node >= 0) H5Oclose(node);
    return name;
}

// x of the second = ratio * x of the first, both against the body that they share
static void add_coupler(scree_siconos *s, hid_t joints, hid_t node, const char *name,
                        const char *first, const char *second) {
    const char *reference[3], *side[2][2];
    double coupled[3];
    int count = scree_siconos_texts(node, "references", &s->draft->arena, 3, reference);
    bool fine = count >= 2 && scree_siconos_numbers(node, "coupled", 3, coupled) == 3 &&
                coupled[0] == 0 && coupled[1] == 0 && coupled[2] != 0;
    double sign = 1;
    for (int i = 0; fine && i < 2; i++) {
        side[i][0] = body_of(s, joints, reference[i], "object1");
        side[i][1] = body_of(s, joints, reference[i], "object2");
        const char *mine = i ? second : first;
        bool front = strcmp(side[i][0], mine) == 0, back = strcmp(side[i][1], mine) == 0;
        fine = (front || back) && *side[i][0] && *side[i][1];
        if (back) sign = -sign;
    }
    if (!fine) {
        scree_draft_note(s->draft,
                         "coupler \"%s\" is left out: only couplers of two joints with a body "
                         "that both share are carried over",
                         name);
        return;
    }
    scree_draft_joint joint = { .name = name,
                                .type = "coupler",
                                .first = reference[0],
                                .second = reference[1],
                                .ratio = -sign / coupled[2],
                                .lower = NAN,
                                .upper = NAN };
    scree_draft_add_joint(s->draft, &joint);
    scree_draft_note(s->draft,
                     "coupler \"%s\" couples turns against the body that its joints share; Siconos "
                     "leaves out what that body turns itself",
                     name);
}

static void add_joint(scree_siconos *s, hid_t joints, const char *name, bool couplers) {
    hid_t node = scree_siconos_open(joints, name);
    scree_arena *arena = &s->draft->arena;
    const char *class_name = scree_siconos_text(node, "type", arena);
    const char *first = scree_siconos_text(node, "object1", arena);
    const char *second = scree_siconos_text(node, "object2", arena);
    const scree_siconos_body *a = scree_siconos_find_body(s, first);
    const scree_siconos_body *b = *second ? scree_siconos_find_body(s, second) : NULL;
    const kind *k = find_kind(class_name);
    bool coupler = strcmp(class_name, "CouplerJointR") == 0;
    if (coupler == couplers) {
        if (s->draft->space == 2)
            scree_draft_note(s->draft, "joint \"%s\" is left out: Siconos' joints are in space",
                             name);
        else if (coupler)
            add_coupler(s, joints, node, name, first, second);
        else if (!k || !a || (*second && !b))
            scree_draft_note(s->draft, "joint \"%s\" (%s of \"%s\"%s%s) is left out: %s", name,
                             class_name, first, *second ? " and " : "", second,
                             k ? "there is no such body" : "scenes have none of this kind");
        else
            add_plain(s, node, name, k, a, b);
    }
    if (node >= 0) H5Oclose(node);
}

void scree_siconos_joints(scree_siconos *s) {
    hid_t joints = scree_siconos_open(s->data, "joints");
    char **name;
    int count = scree_siconos_names(joints, &s->draft->arena, &name);
    // couplers name joints that stand above them
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < count; i++) add_joint(s, joints, name[i], pass);
    if (joints >= 0) H5Oclose(joints);
}

// ---- boundary conditions: velocities that are given

typedef struct course {
    bool given, still;
    double a, b, omega, phi;  // v = a + b cos(omega t + phi)
} course;

static double part(hid_t node, const char *name, int i) {
    double value[INDICES];
    int count = scree_siconos_numbers(node, name, INDICES, value);
    return count < 1 ? 0 : value[i < count ? i : count - 1];
}

// false: some of it cannot be read
static bool read_courses(hid_t node, const char *type, course out[INDICES]) {
    double index[INDICES];
    int count = scree_siconos_numbers(node, "indices", INDICES, index);
    for (int i = 0; i < count; i++) {
        if (!(index[i] >= 0 && index[i] < INDICES)) return false;
        course *c = &out[(int)index[i]];
        *c = (course){ .given = true, .still = true };
        if (strcmp(type, "BoundaryCondition") == 0) c->a = part(node, "v", i);
        if (strcmp(type, "HarmonicBC") == 0)
            *c = (course){ true,
                           true,
                           part(node, "a", i),
                           part(node, "b", i),
                           part(node, "omega", i),
                           part(node, "phi", i) };
        c->still = c->a == 0 && c->b == 0;
    }
    return count > 0;
}

// the integral of a course, as arithmetic of t
static void put_course(scree_draft_text *out, const course *c) {
    if (c->b == 0 || c->omega == 0)
        scree_draft_print(out, "%.15g*t", c->a + c->b * cos(c->phi));
    else
        scree_draft_print(out, "%.15g*t + %.15g*(sin(%.15g*t + %.15g) - sin(%.15g))", c->a,
                          c->b / c->omega, c->omega, c->phi, c->phi);
}

static const char *write_motion(scree_siconos *s, const course *c, const double turn[4],
                                int turning) {
    int space = s->draft->space;
    scree_draft_text out = { 0 };
    scree_draft_print(&out, "position: [");
    for (int k = 0; k < space; k++) {
        if (k) scree_draft_print(&out, ", ");
        scree_draft_print(&out, "\"");
        put_course(&out, &c[k]);
        scree_draft_print(&out, "\"");
    }
    scree_draft_print(&out, "]");
    if (turning >= 0) {
        double axis[3] = { 0 };
        scree_draft_print(&out, ", angle: \"");
        put_course(&out, &c[turning]);
        scree_draft_print(&out, "\"");
        if (space == 3) {
            axis[turning - 3] = 1;
            scree_rotation_vector(turn, axis, axis);
            scree_draft_print(&out, ", axis: [%.15g, %.15g, %.15g]", axis[0], axis[1], axis[2]);
        }
    }
    const char *kept = out.failed ? NULL : scree_arena_text(&s->draft->arena, out.text, out.length);
    free(out.text);
    if (!kept) scree_draft_fail(s->draft);
    return kept;
}

// joints with the ground that hold so many translations and rotations; the axis is that of what is
// left of the translations, or of the rotations, or of what is held of the translations
static const struct holding {
    int translations, rotations;
    char axis;  // t: the free translation, r: the free rotation, h: the held translation, 0: none
    const char *type;
} holdings[] = {
    { 3, 3, 0, "weld" },     { 3, 2, 'r', "hinge" },          { 3, 0, 0, "ball" },
    { 2, 3, 't', "slider" }, { 2, 2, 't', "cylindrical" },    { 2, 0, 't', "point-on-line" },
    { 1, 2, 'h', "planar" }, { 1, 0, 'h', "point-on-plane" },
};

// velocities of which some are held at zero, in space: the joint that does it
static bool find_holding(const course *c, const double turn[4], scree_siconos_held *held) {
    int count[2] = { 0 }, free_axis[2] = { -1, -1 }, held_axis = -1;
    for (int k = 0; k < INDICES; k++) {
        count[k / 3] += c[k].given;
        if (!c[k].given) free_axis[k / 3] = k % 3;
        if (c[k].given && k < 3) held_axis = k;
        if (c[k].given && !c[k].still) return false;
    }
    for (size_t i = 0; i < sizeof holdings / sizeof *holdings; i++) {
        const struct holding *h = &holdings[i];
        if (h->translations != count[0] || h->rotations != count[1]) continue;
        int axis = h->axis == 't' ? free_axis[0] : h->axis == 'r' ? free_axis[1] : held_axis;
        // rotations are those about axes of the body
        if (count[1] == 2 && count[0] < 3 && free_axis[1] != axis) return false;
        held->type = h->type;
        if (h->axis) held->axis[axis] = 1;
        if (h->axis == 'r') scree_rotation_vector(turn, held->axis, held->axis);
        return true;
    }
    return false;
}

// of all that is given of a body: what moves it, which joint holds it, or neither
static const char *judge(scree_siconos *s, const char *body, const course *c, const double turn[4],
                         scree_siconos_held *held) {
    int space = s->draft->space, dofs = space == 2 ? 3 : 6, given = 0, turning = -1, rotations = 0;
    for (int k = 0; k < dofs; k++) {
        given += c[k].given;
        if (k < space || !c[k].given || c[k].still) continue;
        turning = k;
        rotations++;
    }
    if (given == dofs && rotations <= 1) return write_motion(s, c, turn, turning);
    if (space == 3 && find_holding(c, turn, held)) return NULL;
    scree_draft_note(s->draft,
                     "body \"%s\": its boundary condition is not carried over: it is moved in some "
                     "directions and free in others, or held in a way that no joint does",
                     body);
    return NULL;
}

const char *scree_siconos_motion(scree_siconos *s, const char *body, const double turn[4],
                                 scree_siconos_held *held) {
    hid_t conditions = scree_siconos_open(s->data, "boundary_conditions");
    scree_arena *arena = &s->draft->arena;
    char **name;
    course c[INDICES] = { { 0 } };
    bool any = false;
    int count = scree_siconos_names(conditions, arena, &name);
    for (int i = 0; i < count; i++) {
        hid_t node = scree_siconos_open(conditions, name[i]);
        if (strcmp(scree_siconos_text(node, "object1", arena), body) == 0) {
            // a later condition of a body takes the place of the one before
            memset(c, 0, sizeof c);
            any = read_courses(node, scree_siconos_text(node, "type", arena), c);
            if (!any)
                scree_draft_note(s->draft, "boundary condition \"%s\" is unreadable", name[i]);
        }
        if (node >= 0) H5Oclose(node);
    }
    if (conditions >= 0) H5Oclose(conditions);
    held->any = any;
    return any ? judge(s, body, c, turn, held) : NULL;
}
