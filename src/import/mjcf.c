// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// mjcf.c - models of MuJoCo: bodies, geoms, what they weigh.
// in: <mujoco>.   out: a draft.
//
// A body without a joint is a part of the one that it is in. Masses come from <inertial>, or from
// geoms by their mass or density (1000).

#include "import/mjcf.h"

#include <math.h>
#include <string.h>

#include "base/space.h"
#include "import/formats.h"
#include "model/rotation.h"

enum { BODIES_MOST = 100000 };

// ---- attributes and their defaults

static const scree_xml *find_class(const scree_xml *from, const char *name) {
    for (const scree_xml *one = from; one; one = one->next) {
        if (strcmp(one->name, "default") != 0) continue;
        const char *own = scree_xml_get(one, "class");
        if (own && strcmp(own, name) == 0) return one;
        const scree_xml *inner = find_class(one->first, name);
        if (inner) return inner;
    }
    return NULL;
}

// the class of an element: its own, or that of the bodies that it is in
static const scree_xml *class_of(const scree_mjcf *m, const scree_xml *node) {
    const char *name = scree_xml_get(node, "class");
    for (const scree_xml *up = node->parent; up && !name; up = up->parent)
        name = scree_xml_get(up, "childclass");
    const scree_xml *found = name && m->defaults ? find_class(m->defaults, name) : NULL;
    return found ? found : m->defaults;
}

const char *scree_mjcf_get(const scree_mjcf *m, const scree_xml *node, const char *key) {
    const char *value = scree_xml_get(node, key);
    if (!node) return NULL;
    for (const scree_xml *class_ = class_of(m, node);
         !value && class_ && strcmp(class_->name, "default") == 0; class_ = class_->parent)
        value = scree_xml_get(scree_xml_child(class_, node->name), key);
    return value;
}

int scree_mjcf_numbers(const scree_mjcf *m, const scree_xml *node, const char *key, int most,
                       double *out) {
    const char *value = scree_mjcf_get(m, node, key);
    const char *keys[1] = { key }, *values[1] = { value };
    const scree_xml one = { .attributes = value != NULL, .key = keys, .value = values };
    return scree_xml_numbers(&one, key, most, out);
}

double scree_mjcf_number(const scree_mjcf *m, const scree_xml *node, const char *key,
                         double otherwise) {
    double value;
    return scree_mjcf_numbers(m, node, key, 1, &value) == 1 ? value : otherwise;
}

// ---- frames

void scree_mjcf_turn_z(const double direction[3], double turn[4]) {
    double length = scree_length(direction), axis[3];
    const double z[3] = { 0, 0, 1 }, x[3] = { 1, 0, 0 };
    memcpy(turn, (double[4]){ 1, 0, 0, 0 }, 4 * sizeof *turn);
    if (!(length > 0)) return;
    scree_cross(z, direction, axis);
    double sine = scree_length(axis) / length, cosine = direction[2] / length;
    if (sine > 1e-12)
        scree_rotation_about(axis, atan2(sine, cosine), turn);
    else if (cosine < 0)
        scree_rotation_about(x, acos(-1), turn);
}

// columns of a rotation -> quaternion
static void turn_of_axes(const double x[3], const double y[3], double turn[4]) {
    double first[3], second[3], third[3], length = scree_length(x), along;
    for (int k = 0; k < 3; k++) first[k] = x[k] / length;
    along = scree_dot(first, y);
    for (int k = 0; k < 3; k++) second[k] = y[k] - along * first[k];
    length = scree_length(second);
    for (int k = 0; k < 3; k++) second[k] /= length;
    scree_cross(first, second, third);
    // first z, then the turn about it
    double to_z[4], seen[3];
    scree_mjcf_turn_z(third, to_z);
    const double back[4] = { to_z[0], -to_z[1], -to_z[2], -to_z[3] }, z[3] = { 0, 0, 1 };
    scree_rotation_vector(back, first, seen);
    double about[4];
    scree_rotation_about(z, atan2(seen[1], seen[0]), about);
    scree_rotation_product(to_z, about, turn);
}

static void turn_of_euler(const scree_mjcf *m, const double angle[3], double turn[4]) {
    memcpy(turn, (double[4]){ 1, 0, 0, 0 }, 4 * sizeof *turn);
    for (int k = 0; k < 3 && m->sequence[k]; k++) {
        char letter = m->sequence[k];
        double axis[3] = { 0 }, one[4];
        axis[(letter | 32) == 'x' ? 0 : (letter | 32) == 'y' ? 1 : 2] = 1;
        scree_rotation_about(axis, angle[k] * m->angle, one);
        if (letter >= 'a')  // about axes that turn with it
            scree_rotation_product(turn, one, turn);
        else
            scree_rotation_product(one, turn, turn);
    }
}

void scree_mjcf_place(const scree_mjcf *m, const scree_xml *node, double at[3], double turn[4]) {
    double value[6] = { 0 };
    memset(at, 0, 3 * sizeof *at);
    memcpy(turn, (double[4]){ 1, 0, 0, 0 }, 4 * sizeof *turn);
    scree_mjcf_numbers(m, node, "pos", 3, at);
    if (scree_mjcf_numbers(m, node, "quat", 4, value) == 4) {
        const double none[4] = { 1, 0, 0, 0 };
        double square = value[0] * value[0] + scree_dot(value + 1, value + 1);
        if (square > 0) scree_rotation_product(value, none, turn);
    } else if (scree_mjcf_numbers(m, node, "axisangle", 4, value) == 4) {
        if (scree_length(value) > 0) scree_rotation_about(value, value[3] * m->angle, turn);
    } else if (scree_mjcf_numbers(m, node, "euler", 3, value) == 3) {
        turn_of_euler(m, value, turn);
    } else if (scree_mjcf_numbers(m, node, "zaxis", 3, value) == 3) {
        scree_mjcf_turn_z(value, turn);
    } else if (scree_mjcf_numbers(m, node, "xyaxes", 6, value) == 6) {
        double across[3];
        scree_cross(value, value + 3, across);
        if (scree_length(across) > 0) turn_of_axes(value, value + 3, turn);
    }
}

// ---- geoms

// capsules and cylinders between two points
static void take_ends(const double end[6], scree_draft_shape *shape) {
    double along[3];
    for (int k = 0; k < 3; k++) {
        shape->at[k] = (end[k] + end[3 + k]) / 2;
        along[k] = end[3 + k] - end[k];
    }
    shape->length = scree_length(along);
    scree_mjcf_turn_z(along, shape->turn);
}

static bool take_mesh(scree_mjcf *m, const scree_xml *geom, scree_draft_shape *shape) {
    const char *name = scree_mjcf_get(m, geom, "mesh");
    double scale[3] = { 1, 1, 1 };
    for (const scree_xml *one = scree_xml_child(m->assets, "mesh"); one && name;
         one = scree_xml_next(one, "mesh")) {
        const char *file = scree_mjcf_get(m, one, "file"), *own = scree_xml_get(one, "name");
        if (!file) continue;
        const char *slash = strrchr(file, '/'), *stem = slash ? slash + 1 : file;
        size_t length = strcspn(stem, ".");
        if (own ? strcmp(own, name) != 0
                : strlen(name) != length || strncmp(stem, name, length) != 0)
            continue;
        scree_mjcf_numbers(m, one, "scale", 3, scale);
        return scree_robot_mesh(m->draft, m->folder, file, scale, shape);
    }
    return false;
}

static bool take_shape(scree_mjcf *m, const scree_xml *geom, scree_draft_shape *shape) {
    const char *type = scree_mjcf_get(m, geom, "type");
    double size[3] = { 0 }, end[6];
    int sizes = scree_mjcf_numbers(m, geom, "size", 3, size);
    bool ends = scree_mjcf_numbers(m, geom, "fromto", 6, end) == 6;
    if (!type) type = scree_mjcf_get(m, geom, "mesh") ? "mesh" : ends ? "capsule" : "sphere";
    scree_mjcf_place(m, geom, shape->at, shape->turn);
    bool round = strcmp(type, "capsule") == 0 || strcmp(type, "cylinder") == 0;
    if (strcmp(type, "mesh") == 0) return take_mesh(m, geom, shape);
    if (strcmp(type, "plane") == 0) {
        const double z[3] = { 0, 0, 1 };
        shape->type = "plane";
        scree_rotation_vector(shape->turn, z, shape->normal);
        memset(shape->turn, 0, sizeof shape->turn);
        if (sizes > 0 && (size[0] > 0 || size[1] > 0))
            scree_draft_note(m->draft, "planes have no end");
        return true;
    }
    if (sizes < 1 || !(size[0] > 0)) return false;
    if (strcmp(type, "box") == 0 && sizes == 3) {
        shape->type = "box";
        for (int k = 0; k < 3; k++) shape->size[k] = 2 * size[k];
        return size[1] > 0 && size[2] > 0;
    }
    shape->radius = size[0];
    if (round) {
        shape->type = strcmp(type, "capsule") == 0 ? "capsule" : "cylinder";
        shape->length = 2 * size[1];
        if (ends) take_ends(end, shape);
        return shape->length > 0;
    }
    shape->type = "sphere";
    return strcmp(type, "sphere") == 0;
}

// what a geom weighs that has no shape here
static bool ellipsoid_mass(const scree_mjcf *m, const scree_xml *geom,
                           const scree_robot_frame *within, scree_mass *own) {
    const char *type = scree_mjcf_get(m, geom, "type");
    double at[3], turn[4], a[3];
    if (!type || strcmp(type, "ellipsoid") != 0 || scree_mjcf_numbers(m, geom, "size", 3, a) != 3)
        return false;
    double volume = 4 * acos(-1) / 3 * a[0] * a[1] * a[2];
    double mass =
        scree_mjcf_number(m, geom, "mass", volume * scree_mjcf_number(m, geom, "density", 1000));
    const double square[3] = { a[0] * a[0], a[1] * a[1], a[2] * a[2] };
    *own = (scree_mass){ .mass = mass,
                         .inertia = { mass / 5 * (square[1] + square[2]), 0, 0,
                                      mass / 5 * (square[0] + square[2]), 0,
                                      mass / 5 * (square[0] + square[1]) } };
    scree_mjcf_place(m, geom, at, turn);
    scree_robot_frame place = scree_robot_place(within, at, turn);
    memcpy(own->centre, place.at, sizeof own->centre);
    scree_robot_turn_inertia(place.turn, own->inertia, own->inertia);
    return volume > 0;
}

scree_status scree_mjcf_geoms(scree_mjcf *m, const scree_xml *node, const scree_robot_frame *within,
                              scree_robot_body *body, bool masses) {
    for (scree_xml *geom = scree_xml_child(node, "geom"); geom;
         geom = scree_xml_next(geom, "geom")) {
        scree_draft_shape shape = { 0 };
        if (!take_shape(m, geom, &shape)) {
            const char *type = scree_mjcf_get(m, geom, "type");
            scree_mass own;
            bool weighs = masses && ellipsoid_mass(m, geom, within, &own);
            if (weighs) scree_mass_add(&body->mass, 3, &own);
            scree_draft_note(m->draft, "body \"%s\": a geom (%s, line %d) %s", body->name,
                             type ? type : "sphere", geom->line,
                             weighs ? "counts for the mass alone" : "is left out");
            continue;
        }
        scree_robot_frame place = scree_robot_place(within, shape.at, shape.turn);
        memcpy(shape.at, place.at, sizeof shape.at);
        bool plane = strcmp(shape.type, "plane") == 0;
        if (plane)
            scree_rotation_vector(within->turn, shape.normal, shape.normal);
        else
            memcpy(shape.turn, place.turn, sizeof shape.turn);
        scree_mass own;
        if (masses &&
            scree_robot_shape_mass(m->draft, &shape, scree_mjcf_number(m, geom, "mass", 0),
                                   scree_mjcf_number(m, geom, "density", 1000), &own))
            scree_mass_add(&body->mass, 3, &own);
        // for the eye alone
        if (scree_mjcf_number(m, geom, "contype", 1) == 0 &&
            scree_mjcf_number(m, geom, "conaffinity", 1) == 0)
            continue;
        if (!scree_robot_put(m->draft, body, &shape)) return scree_draft_no_memory(m->draft);
    }
    return SCREE_OK;
}

// ---- bodies

static scree_mjcf_body *new_body(scree_mjcf *m) {
    if (m->bodies == m->room) {
        int room = m->room ? 2 * m->room : 64;
        scree_mjcf_body *grown = SCREE_NEW(&m->draft->arena, scree_mjcf_body, room);
        if (!grown) return NULL;
        if (m->bodies) memcpy(grown, m->body, (size_t)m->bodies * sizeof *grown);
        m->body = grown;
        m->room = room;
    }
    return &m->body[m->bodies++];
}

static void read_inertial(scree_mjcf *m, const scree_xml *inertial, const scree_robot_frame *within,
                          scree_mass *total) {
    double at[3], turn[4], value[6] = { 0 };
    scree_mass own = { .mass = scree_xml_number(inertial, "mass", 0) };
    scree_mjcf_place(m, inertial, at, turn);
    if (scree_xml_numbers(inertial, "fullinertia", 6, value) == 6)  // xx yy zz xy xz yz
        memcpy(own.inertia,
               (double[6]){ value[0], value[3], value[4], value[1], value[5], value[2] },
               sizeof own.inertia);
    else if (scree_xml_numbers(inertial, "diaginertia", 3, value) == 3)
        memcpy(own.inertia, (double[6]){ value[0], 0, 0, value[1], 0, value[2] },
               sizeof own.inertia);
    scree_robot_frame place = scree_robot_place(within, at, turn);
    memcpy(own.centre, place.at, sizeof own.centre);
    scree_robot_turn_inertia(place.turn, own.inertia, own.inertia);
    scree_mass_add(total, 3, &own);
}

static scree_status read_body(scree_mjcf *m, scree_xml *node, int parent) {
    int i = m->bodies;
    scree_mjcf_body *b = i < BODIES_MOST ? new_body(m) : NULL;
    const char *name = scree_xml_get(node, "name");
    if (!b) return scree_draft_no_memory(m->draft);
    bool world = parent < 0;
    double at[3] = { 0 }, turn[4] = { 1, 0, 0, 0 };
    if (!world) scree_mjcf_place(m, node, at, turn);
    const scree_robot_frame origin = { .turn = { 1, 0, 0, 0 } };
    *b = (scree_mjcf_body){ .node = node, .parent = parent };
    bool joined = scree_xml_child(node, "joint") || scree_xml_child(node, "freejoint");
    b->part_of = world || joined ? i : m->body[parent].part_of;
    b->body.name = world ? "world" : name ? name : "body";
    b->body.fixed = world;
    b->body.frame = scree_robot_place(world ? &origin : &m->body[parent].body.frame, at, turn);
    // what it is within the body that carries it
    scree_robot_body *carrier = &m->body[b->part_of].body;
    const double *base = carrier->frame.turn;
    const double back[4] = { base[0], -base[1], -base[2], -base[3] };
    scree_robot_frame within;
    for (int k = 0; k < 3; k++) within.at[k] = b->body.frame.at[k] - carrier->frame.at[k];
    scree_rotation_vector(back, within.at, within.at);
    scree_rotation_product(back, b->body.frame.turn, within.turn);
    const scree_xml *inertial = m->by_geoms ? NULL : scree_xml_child(node, "inertial");
    if (inertial) read_inertial(m, inertial, &within, &carrier->mass);
    scree_status status = scree_mjcf_geoms(m, node, &within, carrier, !inertial);
    for (scree_xml *child = scree_xml_child(node, "body"); child && !status;
         child = scree_xml_next(child, "body"))
        status = read_body(m, child, i);
    return status;
}

// ---- the whole

static void read_compiler(scree_mjcf *m) {
    const scree_xml *compiler = scree_xml_child(m->root, "compiler");
    const char *angle = scree_xml_get(compiler, "angle"),
               *sequence = scree_xml_get(compiler, "eulerseq"),
               *folder = scree_xml_get(compiler, "meshdir");
    m->angle = angle && strcmp(angle, "radian") == 0 ? 1 : acos(-1) / 180;
    m->sequence = sequence && strlen(sequence) == 3 ? sequence : "xyz";
    m->folder = folder ? folder : "";
    const char *by_geoms = scree_xml_get(compiler, "inertiafromgeom");
    m->by_geoms = by_geoms && strcmp(by_geoms, "true") == 0;
}

// settotalmass: all masses and inertias by one factor
static void scale_masses(scree_mjcf *m) {
    double wanted = scree_xml_number(scree_xml_child(m->root, "compiler"), "settotalmass", 0);
    double total = 0;
    for (int i = 1; i < m->bodies; i++)
        if (m->body[i].part_of == i) total += m->body[i].body.mass.mass;
    if (!(wanted > 0 && total > 0)) return;
    for (int i = 1; i < m->bodies; i++) {
        scree_mass *mass = &m->body[i].body.mass;
        mass->mass *= wanted / total;
        for (int k = 0; k < 6; k++) mass->inertia[k] *= wanted / total;
    }
}

static void read_option(scree_mjcf *m) {
    const scree_xml *option = scree_xml_child(m->root, "option");
    const scree_xml *geom = scree_xml_child(m->defaults, "geom");
    double gravity[3] = { 0, 0, -9.81 }, friction[3] = { 1 };
    scree_xml_numbers(option, "gravity", 3, gravity);
    scree_xml_numbers(geom, "friction", 3, friction);
    scree_draft_choose_rest(m->draft, "any", scree_xml_number(option, "timestep", 0.002),
                            friction[0]);
    for (int k = 0; k < 3; k++)
        m->draft->gravity[k] = scree_draft_choose(m->draft->options->gravity[k], gravity[k], 0);
    scree_draft_note(
        m->draft,
        "contacts are hard, with the friction of the default geom everywhere; MuJoCo's "
        "are springs (solref, solimp), its friction is that of the geom with more");
}

static bool is_among(const char *name, const char *const *known) {
    while (*known && strcmp(*known, name) != 0) known++;
    return *known;
}

// attributes that change the motion and are not taken; defaults are looked at like the elements
static void note_attributes(scree_mjcf *m, const scree_xml *node) {
    static const struct {
        const char *element, *attribute;
    } lost[] = {
        { "compiler", "boundmass" },
        { "compiler", "boundinertia" },
        { "compiler", "balanceinertia" },
        { "compiler", "coordinate" },
        { "option", "wind" },
        { "option", "density" },
        { "option", "viscosity" },
        { "body", "gravcomp" },
        { "body", "mocap" },
        { "geom", "condim" },
        { "geom", "margin" },
        { "geom", "gap" },
        { "geom", "fluidshape" },
        { "geom", "shellinertia" },
        { "joint", "actuatorfrcrange" },
        { "joint", "springdamper" },
        { "motor", "forcerange" },
        { "position", "timeconst" },
        { "position", "dampratio" },
    };
    for (size_t k = 0; k < sizeof lost / sizeof *lost; k++)
        if (strcmp(lost[k].element, node->name) == 0 && scree_xml_get(node, lost[k].attribute))
            scree_draft_note(m->draft, "%s of <%s> is not carried over", lost[k].attribute,
                             node->name);
    for (const scree_xml *one = node->first; one; one = one->next) note_attributes(m, one);
}

static void note_elements(scree_mjcf *m, const scree_xml *body) {
    static const char *const known[] = { "body", "geom",   "joint", "freejoint", "inertial",
                                         "site", "camera", "light", NULL };
    for (const scree_xml *one = body->first; one; one = one->next) {
        if (!is_among(one->name, known))
            scree_draft_note(m->draft, "<%s> (line %d) and what is in it are not carried over",
                             one->name, one->line);
        else if (strcmp(one->name, "body") == 0)
            note_elements(m, one);
    }
}

static void note_rest(scree_mjcf *m, const scree_xml *world) {
    static const char *const known[] = { "compiler", "option",   "default", "asset",  "worldbody",
                                         "actuator", "equality", "contact", "visual", "statistic",
                                         "size",     "custom",   NULL };
    for (const scree_xml *one = m->root->first; one; one = one->next)
        if (!is_among(one->name, known))
            scree_draft_note(m->draft, "<%s> (line %d) is not carried over", one->name, one->line);
    note_elements(m, world);
    note_attributes(m, m->root);
}

scree_status scree_mjcf_import(scree_draft *draft) {
    scree_mjcf m = { .draft = draft };
    scree_status status = scree_xml_read(draft->path, &draft->arena, &m.root, draft->err);
    draft->program = "MuJoCo (MJCF)";
    draft->space = 3;
    draft->overlaps = true;
    if (!status && strcmp(m.root->name, "mujoco") != 0)
        status = SCREE_DRAFT_FAIL(draft, "expected the element mujoco, found \"%s\"", m.root->name);
    if (status) return status;
    m.defaults = scree_xml_child(m.root, "default");
    m.assets = scree_xml_child(m.root, "asset");
    read_compiler(&m);
    read_option(&m);
    scree_xml *world = scree_xml_child(m.root, "worldbody");
    if (!world) return SCREE_DRAFT_FAIL(draft, "there is no worldbody in this file");
    status = read_body(&m, world, -1);
    if (!status) scale_masses(&m);
    for (int i = 0; i < m.bodies && !status; i++)
        if (m.body[i].part_of == i && (i || m.body[0].body.shapes))
            status = scree_robot_add(draft, &m.body[i].body);
    if (status) return status;
    for (int i = 1; i < m.bodies; i++)
        if (m.body[i].part_of == i) scree_mjcf_joints(&m, i);
    scree_mjcf_rest(&m);
    note_rest(&m, world);
    return SCREE_OK;
}
