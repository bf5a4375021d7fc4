// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// siconos_shape.c - shapes of Siconos' contactors, and the inertia that it takes from them.
// in: data/ref, a contactor.   out: a shape of a scene, an inertia.
//
// Cylinders, capsules and cones lie along y. Bullet, which finds Siconos' contacts, gets half of
// the length of capsules and cones, and that is what is seen to collide. Where no inertia is given,
// Siconos takes that of the last contactor in the order of names, wherever and however it is
// turned in the body, by Bullet's rules: spheres and cylinders as they are, everything else as a
// box around it, margins added. Measured by asking bodies of Siconos 4.4.0 for their mass matrix.

#include <math.h>
#include <string.h>

#include "import/siconos.h"
#include "model/rotation.h"

enum { POINTS_MOST = 1 << 20, CONE_SIDES = 32 };

// Siconos stores shapes in single precision: 0.3 is meant, not 0.30000001192
static bool read_shape(scree_siconos *s, hid_t node, int most, scree_siconos_table *table) {
    if (!scree_siconos_read(node, &s->draft->arena, 0, most, table)) return false;
    for (size_t i = 0; i < (size_t)table->rows * (size_t)table->columns; i++)
        if ((double)(float)table->value[i] == table->value[i])
            table->value[i] = scree_siconos_digits(table->value[i], 7);
    return true;
}

typedef struct margins {
    double inside, outside;
} margins;

static margins margins_of(hid_t shape, double smallest) {
    return (margins){ fabs(scree_siconos_number(shape, "insideMargin", 0.02 * smallest)),
                      fabs(scree_siconos_number(shape, "outsideMargin", 0)) };
}

static void set_diagonal(double mass, double x, double y, double z, double inertia[6]) {
    const double made[6] = { mass * x, 0, 0, mass * y, 0, mass * z };
    memcpy(inertia, made, sizeof made);
}

static void set_box(double mass, double x, double y, double z, double inertia[6]) {
    set_diagonal(mass / 12, y * y + z * z, x * x + z * z, x * x + y * y, inertia);
}

static void turn_onto_y(scree_draft_shape *shape) {
    static const double x[3] = { 1, 0, 0 };
    double onto[4];
    scree_rotation_about(x, -acos(-1) / 2, onto);
    scree_rotation_product(shape->turn, onto, shape->turn);
}

// the base below, the tip above, its middle in the origin
static bool make_cone(scree_siconos *s, double radius, double height, scree_draft_shape *shape) {
    double *vertex = SCREE_NEW(&s->draft->arena, double, 3 * (CONE_SIDES + 1));
    if (!vertex) scree_draft_fail(s->draft);
    if (!vertex) return false;
    for (int i = 0; i < CONE_SIDES; i++) {
        double angle = 2 * acos(-1) * i / CONE_SIDES;
        vertex[3 * i] = radius * cos(angle);
        vertex[3 * i + 1] = -height / 2;
        vertex[3 * i + 2] = radius * sin(angle);
    }
    vertex[3 * CONE_SIDES + 1] = height / 2;
    shape->type = "polyhedron";
    shape->vertices = CONE_SIDES + 1;
    shape->vertex = vertex;
    scree_draft_note(s->draft, "cones are polyhedra of %d sides", CONE_SIDES);
    return true;
}

static bool round_shape(scree_siconos *s, const char *kind, double radius, double length, margins m,
                        double mass, scree_draft_shape *shape, double inertia[6]) {
    double r = radius + m.outside, l = length + 2 * m.outside, around = 6 * (m.inside + m.outside);
    shape->radius = radius;
    if (strcmp(kind, "Cylinder") == 0) {
        shape->type = "cylinder";
        shape->length = length;
        double across = (3 * r * r + l * l) / 12;
        set_diagonal(mass, across, r * r / 2, across, inertia);
    } else if (strcmp(kind, "Capsule") == 0) {
        shape->type = "capsule";
        shape->length = length / 2;
        set_box(mass, 2 * r, l / 2 + 2 * r, 2 * r, inertia);
        scree_draft_note(s->draft,
                         "capsules are half as long between their ends as the file says: so does "
                         "Siconos take them");
    } else {
        shape->radius = 0;
        set_box(mass, 2 * r + around, l / 2 + around, 2 * r + around, inertia);
        return make_cone(s, radius, length / 2, shape);
    }
    turn_onto_y(shape);
    return true;
}

static bool primitive(scree_siconos *s, hid_t node, const char *kind, double mass,
                      scree_draft_shape *shape, double inertia[6]) {
    scree_siconos_table p;
    bool any = read_shape(s, node, 1, &p);
    int count = any ? p.columns : 0;
    if (strcmp(kind, "Plane") == 0) {
        shape->type = "plane";
        shape->normal[2] = 1;
        return true;
    }
    double least = INFINITY;
    for (int i = 0; i < count; i++) least = fmin(least, p.value[i]);
    if (!any || !(least > 0)) return false;
    margins m = margins_of(node, least);
    double more = 2 * m.inside + 6 * m.outside;
    memcpy(shape->size, p.value, sizeof(double) * (size_t)(count < 3 ? count : 3));
    if (strcmp(kind, "Box") == 0 && count == 3) {
        shape->type = "box";
        set_box(mass, p.value[0] + more, p.value[1] + more, p.value[2] + more, inertia);
        return true;
    }
    if (strcmp(kind, "Box2d") == 0 && count == 2) {
        shape->type = "box";
        return true;
    }
    memset(shape->size, 0, sizeof shape->size);
    bool disk = strcmp(kind, "Disk") == 0;
    if ((disk || strcmp(kind, "Sphere") == 0) && count == 1) {
        double r = p.value[0] + m.outside;
        shape->type = disk ? "disc" : "sphere";
        shape->radius = p.value[0];
        set_diagonal(0.4 * mass, r * r, r * r, r * r, inertia);
        return true;
    }
    bool known =
        strcmp(kind, "Cylinder") == 0 || strcmp(kind, "Capsule") == 0 || strcmp(kind, "Cone") == 0;
    return known && count == 2 &&
           round_shape(s, kind, p.value[0], p.value[1], m, mass, shape, inertia);
}

static bool convex(scree_siconos *s, hid_t node, double mass, scree_draft_shape *shape,
                   double inertia[6]) {
    int space = s->draft->space;
    scree_siconos_table p;
    if (!read_shape(s, node, POINTS_MOST, &p) || p.columns != space) return false;
    double size[3] = { 0 }, smallest = INFINITY;
    for (int k = 0; k < space; k++) {
        double low = INFINITY, high = -INFINITY;
        for (int i = 0; i < p.rows; i++) {
            low = fmin(low, p.value[i * space + k]);
            high = fmax(high, p.value[i * space + k]);
        }
        size[k] = high - low;
        smallest = fmin(smallest, size[k]);
    }
    margins m = margins_of(node, smallest);
    double more = 4 * (m.inside + m.outside) + 2 * m.outside;
    shape->type = space == 2 ? "polygon" : "polyhedron";
    shape->vertices = p.rows;
    shape->vertex = p.value;
    set_box(mass, size[0] + more, size[1] + more, size[2] + more, inertia);
    return true;
}

// rows go along x in the file, along y in a scene
static bool height_map(scree_siconos *s, hid_t node, scree_draft_shape *shape) {
    scree_siconos_table p;
    double rectangle[2];
    if (!read_shape(s, node, POINTS_MOST, &p) || p.rows < 2 || p.columns < 2 ||
        scree_siconos_numbers(node, "rect", 2, rectangle) != 2)
        return false;
    double *height = SCREE_NEW(&s->draft->arena, double, ((size_t)p.rows * (size_t)p.columns));
    if (!height) scree_draft_fail(s->draft);
    if (!height) return false;
    for (int i = 0; i < p.rows; i++)
        for (int j = 0; j < p.columns; j++) height[j * p.rows + i] = p.value[i * p.columns + j];
    shape->type = "height-field";
    memcpy(shape->size, rectangle, sizeof rectangle);
    shape->rows = p.columns;
    shape->columns = p.rows;
    shape->height = height;
    return true;
}

static bool place(scree_siconos *s, hid_t contactor, const double centre[3],
                  scree_draft_shape *shape) {
    double at[3] = { 0 }, turn[4] = { 1, 0, 0, 0 };
    int places = scree_siconos_numbers(contactor, "translation", 3, at);
    int turns = scree_siconos_numbers(contactor, "orientation", 4, turn);
    double length =
        sqrt(turn[0] * turn[0] + turn[1] * turn[1] + turn[2] * turn[2] + turn[3] * turn[3]);
    for (int k = 0; k < 3; k++) shape->at[k] = at[k] - centre[k];
    for (int k = 0; k < 4 && length > 0; k++) shape->turn[k] = turn[k] / length;
    if (!(length > 0)) shape->turn[0] = 1;
    return places >= s->draft->space && turns == 4;
}

bool scree_siconos_shape(scree_siconos *s, hid_t contactor, const char *body, bool moves,
                         const double centre[3], double mass, scree_draft_shape *shape,
                         double inertia[6]) {
    scree_arena *arena = &s->draft->arena;
    const char *name = scree_siconos_text(contactor, "shape_name", arena);
    hid_t node = *name ? scree_siconos_open(s->shapes, name) : -1;
    const char *type = scree_siconos_text(node, "type", arena);
    const char *kind = scree_siconos_text(node, "primitive", arena);
    *shape = (scree_draft_shape){ 0 };
    bool fine = place(s, contactor, centre, shape);
    bool surface = strcmp(type, "heightmap") == 0;
    if (fine && *kind)
        fine = primitive(s, node, kind, mass, shape, inertia);
    else if (fine && strcmp(type, "convex") == 0)
        fine = convex(s, node, mass, shape, inertia);
    else if (fine && surface && !moves)
        fine = height_map(s, node, shape);
    else
        fine = false;
    if (!fine)
        scree_draft_note(s->draft, "body \"%s\" is without the shape \"%s\" (%s): %s", body, name,
                         *kind   ? kind
                         : *type ? type
                                 : "not in the file",
                         surface && moves ? "surfaces are for bodies that do not move"
                                          : "of a kind that scenes do not have, or damaged");
    if (fine && (scree_siconos_number(node, "insideMargin", 0) != 0 ||
                 scree_siconos_number(node, "outsideMargin", 0) != 0))
        scree_draft_note(s->draft,
                         "margins around shapes, with which Siconos finds contacts earlier and "
                         "rounds edges, are not carried over; edges are sharp");
    if (node >= 0) H5Oclose(node);
    return fine;
}
