// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// mass.c - mass, centre and inertia of solids of one density.
// in: a solid.   out: its mass, centre, inertia about the centre.
//
// A core in the plane is cut into triangles, rectangles along its sides and sectors at its corners
// (Steiner); a polyhedron into tetrahedra, whose second moments are
//
//     int x x^T = V/20 (s s^T + a a^T + b b^T + c c^T),   s = a + b + c,   6 V = a . (b x c)
//
// for the corners a, b, c seen from the fourth. Sums are taken about the middle of the solid, so
// that nothing is lost far from the origin.

#include "model/mass.h"

#include <math.h>

#include "base/space.h"
#include "model/collision_shape.h"

static const double pi = 3.141592653589793;

static const int row_of[6] = { 0, 0, 0, 1, 1, 2 }, column_of[6] = { 0, 1, 2, 1, 2, 2 };

// ---- in the plane

typedef struct moments {  // about the middle of the solid
    double area, first[2], polar;
} moments;

// a piece whose moments are known about the point (x, y)
static void add_piece(moments *sum, double x, double y, const moments *piece) {
    sum->area += piece->area;
    sum->first[0] += piece->first[0] + x * piece->area;
    sum->first[1] += piece->first[1] + y * piece->area;
    sum->polar += piece->polar + 2 * (x * piece->first[0] + y * piece->first[1]) +
                  (x * x + y * y) * piece->area;
}

// the triangle of the middle and a side from v to w
static void add_triangle(moments *sum, const double *v, const double *w) {
    double area = (v[0] * w[1] - v[1] * w[0]) / 2;
    double x = v[0] + w[0], y = v[1] + w[1];
    moments piece = { area,
                      { area * x / 3, area * y / 3 },
                      area / 6 *
                          (v[0] * v[0] + v[1] * v[1] + v[0] * w[0] + v[1] * w[1] + w[0] * w[0] +
                           w[1] * w[1]) };
    add_piece(sum, 0, 0, &piece);
}

// outside of the side from v to w, as wide as the radius
static void add_rectangle(moments *sum, const double *v, const double *w, const double *normal,
                          double radius) {
    double length = hypot(w[0] - v[0], w[1] - v[1]), area = length * radius;
    moments piece = { area, { 0 }, area * (length * length + radius * radius) / 12 };
    add_piece(sum, (v[0] + w[0] + radius * normal[0]) / 2, (v[1] + w[1] + radius * normal[1]) / 2,
              &piece);
}

// at the corner v, from one normal counter-clockwise to the other
static void add_sector(moments *sum, const double *v, const double *from, const double *to,
                       double angle, double radius) {
    double square = radius * radius;
    moments piece = { angle * square / 2,
                      { radius * square / 3 * (to[1] - from[1]),
                        radius * square / 3 * (from[0] - to[0]) },
                      angle * square * square / 4 };
    add_piece(sum, v[0], v[1], &piece);
}

static void set_normal(const double *v, const double *w, double *normal) {
    double x = w[0] - v[0], y = w[1] - v[1], length = hypot(x, y);
    normal[0] = y / length;
    normal[1] = -x / length;
}

static void corner_of(const scree_collision_shape *solid, int k, double corner[2]) {
    const double *v = solid->vertex + 3 * (size_t)(k % solid->vertices);
    corner[0] = v[0] - solid->centre[0];
    corner[1] = v[1] - solid->centre[1];
}

// a segment is a polygon of two sides, there and back
static moments planar_moments(const scree_collision_shape *solid) {
    moments sum = { 0 };
    double v[2], w[2], x[2], before[2], after[2], r = solid->radius;
    if (solid->vertices == 1) {
        const double right[2] = { 1, 0 };
        corner_of(solid, 0, v);
        add_sector(&sum, v, right, right, 2 * pi, r);
        return sum;
    }
    for (int k = 0; k < solid->vertices; k++) {
        corner_of(solid, k, v);
        corner_of(solid, k + 1, w);
        corner_of(solid, k + 2, x);
        set_normal(v, w, before);
        set_normal(w, x, after);
        double cross = before[0] * after[1] - before[1] * after[0];
        double dot = before[0] * after[0] + before[1] * after[1];
        add_triangle(&sum, v, w);
        add_rectangle(&sum, v, w, before, r);
        add_sector(&sum, w, before, after, fabs(atan2(cross, dot)), r);
    }
    return sum;
}

static scree_mass planar_mass(const scree_collision_shape *solid, double density) {
    moments sum = planar_moments(solid);
    scree_mass made = { .mass = density * sum.area };
    double x = sum.first[0] / sum.area, y = sum.first[1] / sum.area;
    made.centre[0] = solid->centre[0] + x;
    made.centre[1] = solid->centre[1] + y;
    made.inertia[5] = density * (sum.polar - sum.area * (x * x + y * y));
    return made;
}

// ---- in space

// a ball, a capsule or a cylinder: what it weighs around its axis and across
static scree_mass round_mass(const scree_collision_shape *solid, double density) {
    const double *v = solid->vertex, *w = solid->vertices == 2 ? v + 3 : v;
    double axis[3], length = 0, r = solid->radius;
    for (int c = 0; c < 3; c++) {
        axis[c] = w[c] - v[c];
        length += axis[c] * axis[c];
    }
    length = sqrt(length);
    for (int c = 0; c < 3 && length > 0; c++) axis[c] /= length;
    double ball = solid->kind == SCREE_COLLISION_CYLINDER ? 0 : density * 4 / 3 * pi * r * r * r;
    double tube = density * pi * r * r * length;
    double around = r * r * (tube / 2 + ball * 2 / 5);
    double across = tube * (length * length / 12 + r * r / 4) +
                    ball * (r * r * 2 / 5 + length * length / 4 + length * r * 3 / 8);
    scree_mass made = { .mass = ball + tube };
    for (int c = 0; c < 3; c++) made.centre[c] = v[c] / 2 + w[c] / 2;
    for (int k = 0; k < 6; k++) {
        int i = row_of[k], j = column_of[k];
        made.inertia[k] = (i == j ? across : 0) + (around - across) * axis[i] * axis[j];
    }
    return made;
}

typedef void visit(void *sum, const double *a, const double *b, const double *c, double volume);

typedef struct frame {
    double about[3], axis[3][3];  // unit vectors
} frame;

// into the frame
static void see(const frame *in, const double *vertex, double seen[3]) {
    double d[3];
    for (int c = 0; c < 3; c++) d[c] = vertex[c] - in->about[c];
    for (int k = 0; k < 3; k++) seen[k] = scree_dot(in->axis[k], d);
}

// the direction of the vertex that is farthest from the middle, or from the axis already there
static double find_axis(const scree_collision_shape *solid, frame *in, int axes) {
    double longest = -1, *found = in->axis[axes];
    for (int i = 0; i < solid->vertices; i++) {
        double d[3], along = 0;
        for (int c = 0; c < 3; c++) d[c] = solid->vertex[3 * i + c] - in->about[c];
        // twice, because what is left of the first time may be rounding
        for (int again = 0; again < 2 && axes; again++) {
            along = scree_dot(d, in->axis[0]);
            for (int c = 0; c < 3; c++) d[c] -= along * in->axis[0][c];
        }
        double length = scree_length(d);
        if (!(length > longest)) continue;
        longest = length;
        for (int c = 0; c < 3; c++) found[c] = d[c] / length;
    }
    return longest;
}

// Sums over needles and plates that lie askew would lose what is thin in the rounding of what is
// long; along axes of their own they do not. All others keep the axes they have.
static frame find_frame(const scree_collision_shape *solid) {
    frame plain = { .axis = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } } }, own = { 0 };
    for (int c = 0; c < 3; c++) plain.about[c] = own.about[c] = solid->centre[c];
    double length = find_axis(solid, &own, 0), thickness = 0, seen[3];
    find_axis(solid, &own, 1);
    for (int c = 0; c < 3; c++) {
        int d = (c + 1) % 3, e = (c + 2) % 3;
        own.axis[2][c] = own.axis[0][d] * own.axis[1][e] - own.axis[0][e] * own.axis[1][d];
    }
    for (int i = 0; i < solid->vertices; i++) {
        see(&own, solid->vertex + 3 * (size_t)i, seen);
        thickness = fmax(thickness, fabs(seen[2]));
    }
    return thickness < 0.01 * length ? own : plain;
}

static void for_each_tetrahedron(const scree_collision_shape *solid, const frame *in, visit *add,
                                 void *sum) {
    for (int f = 0; f < solid->faces; f++)
        for (int k = solid->face_first[f] + 2; k < solid->face_first[f + 1]; k++) {
            const int corner[3] = { solid->face_vertex[solid->face_first[f]],
                                    solid->face_vertex[k - 1], solid->face_vertex[k] };
            double p[3][3];
            for (int i = 0; i < 3; i++) see(in, solid->vertex + 3 * (size_t)corner[i], p[i]);
            double volume = (p[0][0] * (p[1][1] * p[2][2] - p[1][2] * p[2][1]) +
                             p[0][1] * (p[1][2] * p[2][0] - p[1][0] * p[2][2]) +
                             p[0][2] * (p[1][0] * p[2][1] - p[1][1] * p[2][0])) /
                            6;
            add(sum, p[0], p[1], p[2], volume);
        }
}

static void add_first(void *sum, const double *a, const double *b, const double *c, double volume) {
    scree_mass *of = sum;
    of->mass += volume;
    for (int i = 0; i < 3; i++) of->centre[i] += volume * (a[i] + b[i] + c[i]) / 4;
}

static void add_second(void *sum, const double *a, const double *b, const double *c,
                       double volume) {
    double *second = sum;
    for (int k = 0; k < 6; k++) {
        int i = row_of[k], j = column_of[k];
        second[k] +=
            volume / 20 *
            ((a[i] + b[i] + c[i]) * (a[j] + b[j] + c[j]) + a[i] * a[j] + b[i] * b[j] + c[i] * c[j]);
    }
}

// from the frame to the axes of the body: A^T I A
static void turn_back(const frame *in, const double own[3][3], double inertia[6]) {
    for (int k = 0; k < 6; k++) {
        inertia[k] = 0;
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++)
                inertia[k] += in->axis[i][row_of[k]] * own[i][j] * in->axis[j][column_of[k]];
    }
}

// about the middle first, then about the centre of mass
static scree_mass polyhedron_mass(const scree_collision_shape *solid, double density) {
    scree_mass made = { 0 }, seen = { 0 };
    frame in = find_frame(solid);
    double second[6] = { 0 }, own[3][3];
    for_each_tetrahedron(solid, &in, add_first, &seen);
    made.mass = density * seen.mass;
    for (int k = 0; k < 3; k++)
        for (int c = 0; c < 3; c++) in.about[c] += seen.centre[k] / seen.mass * in.axis[k][c];
    for (int c = 0; c < 3; c++) made.centre[c] = in.about[c];
    for_each_tetrahedron(solid, &in, add_second, second);
    double trace = second[0] + second[3] + second[5];
    for (int k = 0; k < 6; k++)
        own[row_of[k]][column_of[k]] = own[column_of[k]][row_of[k]] =
            density * ((row_of[k] == column_of[k] ? trace : 0) - second[k]);
    turn_back(&in, own, made.inertia);
    return made;
}

// ---- all

static const char *why_massless(const scree_collision_shape *solid) {
    if (solid->kind == SCREE_COLLISION_SURFACE) return "a surface has no mass";
    if (solid->kind == SCREE_COLLISION_HALF_SPACE) return "a half-space has no mass";
    if (solid->radius == 0 && solid->vertices == 1) return "a point has no mass";
    if (solid->faces > 0 && solid->radius > 0)
        return "the mass of a rounded polyhedron is not computed";
    return NULL;
}

scree_status scree_collision_shape_mass(const scree_collision_shape *solid, double density,
                                        double *mass, double centre[3], double inertia[6],
                                        scree_error *err) {
    const char *why = why_massless(solid);
    if (why)
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE, "%s: give mass and inertia", why);
    if (!(density > 0 && isfinite(density)))
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE, "density must be positive, got %g",
                          density);
    scree_mass made = solid->space == 2   ? planar_mass(solid, density)
                      : solid->faces == 0 ? round_mass(solid, density)
                                          : polyhedron_mass(solid, density);
    *mass = made.mass;
    for (int c = 0; c < 3; c++) centre[c] = made.centre[c];
    for (int k = 0; k < 6; k++) inertia[k] = made.inertia[k];
    return SCREE_OK;
}

void scree_mass_add(scree_mass *total, int space, const scree_mass *part) {
    double sum = total->mass + part->mass, apart[3], square = 0;
    if (!(part->mass > 0)) return;
    for (int c = 0; c < 3; c++) {
        apart[c] = part->centre[c] - total->centre[c];
        square += apart[c] * apart[c];
        total->centre[c] += part->mass / sum * apart[c];
    }
    // parallel axes
    double reduced = total->mass * (part->mass / sum);
    for (int k = space == 2 ? 5 : 0; k < 6; k++) {
        int i = row_of[k], j = column_of[k];
        total->inertia[k] +=
            part->inertia[k] + reduced * ((i == j ? square : 0) - apart[i] * apart[j]);
    }
    total->mass = sum;
}
