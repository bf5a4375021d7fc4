// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// facets.c - solids -> polygons.
// in: a shape's solid.   out: corners and polygons; of a solid body every edge lies in two of them.

#include "store/facets.h"

#include <math.h>
#include <string.h>

#include "base/space.h"
#include "model/collision_shape.h"
#include "model/hull.h"

// of a full circle, and of a quarter of one
enum { AROUND = 24, QUARTER = 6 };
enum { STRIP = 20, CUTS = 16 };  // of the view's radius: strips of half-planes; cuts of one

typedef struct builder {
    const scree_collision_shape *solid;
    scree_arena *arena;
    scree_facets *facets;
    scree_error *err;
    int corners;  // so far
} builder;

static scree_status no_memory(const builder *b) {
    return scree_fail_memory(b->err, "a shape's facets");
}

bool scree_facets_ball(scree_shape_kind kind) {
    return kind == SCREE_POINT || kind == SCREE_DISC || kind == SCREE_SPHERE;
}

static bool make_room(builder *b, int points, int polygons, int corners) {
    scree_facets *f = b->facets;
    f->point = SCREE_NEW(b->arena, double, 3 * (size_t)points);
    f->first = SCREE_NEW(b->arena, int, (size_t)polygons + 1);
    f->corner = SCREE_NEW(b->arena, int, corners);
    return f->point && f->first && f->corner;
}

static void add_point(builder *b, const double x[3]) {
    memcpy(b->facets->point + 3 * (size_t)b->facets->points++, x, 3 * sizeof *x);
}

static void add_polygon(builder *b, int count, const int *corner) {
    scree_facets *f = b->facets;
    memcpy(f->corner + b->corners, corner, (size_t)count * sizeof *corner);
    b->corners += count;
    f->first[++f->polygons] = b->corners;
}

// all points, in order, are one polygon or line
static void join_all(builder *b) {
    scree_facets *f = b->facets;
    for (int i = 0; i < f->points; i++) f->corner[i] = i;
    f->polygons = 1;
    f->first[1] = f->points;
}

// ---- in the plane

// the angle of the normal of the side from vertex i on
static double side_angle(const scree_collision_shape *solid, int i) {
    const double *p = solid->vertex + 3 * (size_t)i,
                 *q = solid->vertex + 3 * (size_t)((i + 1) % solid->vertices);
    return atan2(p[0] - q[0], q[1] - p[1]);
}

// the outline of a core: an arc around each vertex, from side to side
static scree_status make_outline(builder *b) {
    const scree_collision_shape *solid = b->solid;
    const double full = 6.283185307179586;
    int n = solid->vertices, most = n * (AROUND + 2);
    if (!make_room(b, most, 1, most)) return no_memory(b);
    for (int i = 0; i < n; i++) {
        const double *v = solid->vertex + 3 * (size_t)i;
        double from = side_angle(solid, (i + n - 1) % n), turn = side_angle(solid, i) - from;
        while (turn < 0) turn += full;
        int steps = solid->radius > 0 ? (int)ceil(fmin(turn, full) / full * AROUND) : 0;
        for (int k = 0; k <= steps; k++) {
            double angle = from + (steps ? turn * k / steps : 0);
            add_point(b, (double[3]){ v[0] + solid->radius * cos(angle),
                                      v[1] + solid->radius * sin(angle), 0 });
        }
    }
    join_all(b);
    return SCREE_OK;
}

// the segments follow each other; a closed chain ends where it began
static scree_status make_chain(builder *b) {
    const scree_surface *surface = &b->solid->surface;
    const double *vertex = b->solid->vertex;
    int n = surface->pieces;
    if (!make_room(b, n + 1, 1, n + 1)) return no_memory(b);
    add_point(b, vertex + 3 * (size_t)surface->piece[0]);
    for (int i = 0; i < n; i++) add_point(b, vertex + 3 * (size_t)surface->piece[2 * i + 1]);
    join_all(b);
    b->facets->line = true;
    return SCREE_OK;
}

// ---- planes

// the point of the boundary that is nearest to the view's centre
static void find_middle(const scree_collision_shape *solid, const scree_facets_view *view,
                        double out[3]) {
    double away[3];
    for (int k = 0; k < 3; k++) away[k] = view->centre[k] - solid->vertex[k];
    double height = scree_dot(away, solid->normal);
    for (int k = 0; k < 3; k++) out[k] = view->centre[k] - height * solid->normal[k];
}

// in space a square
static scree_status make_plane(builder *b, const scree_facets_view *view) {
    const double *n = b->solid->normal, r = view->radius;
    const double corner[4][2] = { { -r, -r }, { r, -r }, { r, r }, { -r, r } };
    double middle[3], along[3], across[3];
    scree_tangents(n, along, across);
    if (!make_room(b, 4, 1, 4)) return no_memory(b);
    find_middle(b->solid, view, middle);
    for (int i = 0; i < 4; i++) {
        double x[3];
        for (int k = 0; k < 3; k++)
            x[k] = middle[k] + corner[i][0] * along[k] + corner[i][1] * across[k];
        add_point(b, x);
    }
    join_all(b);
    return SCREE_OK;
}

// keep the part of a convex polygon that is not deeper than so much in a half-plane; returns its
// corners, of which there is one more at most
static int cut(const scree_collision_shape *by, double depth, int count, const double (*x)[2],
               double (*kept)[2]) {
    int n = 0;
    for (int i = 0; i < count; i++) {
        const double *from = x[i], *to = x[(i + 1) % count];
        double a = (from[0] - by->vertex[0]) * by->normal[0] +
                   (from[1] - by->vertex[1]) * by->normal[1] + depth;
        double c = (to[0] - by->vertex[0]) * by->normal[0] +
                   (to[1] - by->vertex[1]) * by->normal[1] + depth;
        if (a >= 0) memcpy(kept[n++], from, sizeof kept[0]);
        if ((a >= 0) == (c >= 0)) continue;
        for (int k = 0; k < 2; k++) kept[n][k] = from[k] + a / (a - c) * (to[k] - from[k]);
        n++;
    }
    return n;
}

// in the plane a strip of the solid, as far as it is not inside of another half-plane of the body:
// the sides of a vessel meet in its corners
static scree_status make_strip(builder *b, const scree_model *model, int shape,
                               const scree_facets_view *view) {
    const double *n = b->solid->normal, r = view->radius, depth = r / STRIP;
    double middle[3], x[2][4 + CUTS][2];
    int count = 4, now = 0, cuts = 0;
    find_middle(b->solid, view, middle);
    for (int i = 0; i < 4; i++) {  // counter-clockwise
        double side = i == 0 || i == 3 ? -r : r, down = i < 2 ? depth : 0;
        x[0][i][0] = middle[0] + side * n[1] - down * n[0];
        x[0][i][1] = middle[1] - side * n[0] - down * n[1];
    }
    for (int s = 0; s < model->shapes && cuts < CUTS; s++) {
        const scree_collision_shape *other = &model->solid[s];
        if (s == shape || model->shape[s].body != model->shape[shape].body ||
            other->kind != SCREE_COLLISION_HALF_SPACE)
            continue;
        cuts++;
        int left = cut(other, depth, count, x[now], x[1 - now]);
        if (left < 3) continue;  // behind it altogether: drawn as it is
        count = left;
        now = 1 - now;
    }
    if (!make_room(b, count, 1, count)) return no_memory(b);
    for (int i = 0; i < count; i++) add_point(b, (double[3]){ x[now][i][0], x[now][i][1], 0 });
    join_all(b);
    return SCREE_OK;
}

// ---- in space

static scree_status make_surface(builder *b) {
    const scree_collision_shape *solid = b->solid;
    const scree_surface *surface = &solid->surface;
    if (!make_room(b, solid->vertices, surface->pieces, 3 * surface->pieces)) return no_memory(b);
    for (int i = 0; i < solid->vertices; i++) add_point(b, solid->vertex + 3 * (size_t)i);
    for (int i = 0; i < surface->pieces; i++) add_polygon(b, 3, surface->piece + 3 * (size_t)i);
    return SCREE_OK;
}

static scree_status make_faces(builder *b) {
    const scree_collision_shape *solid = b->solid;
    if (!make_room(b, solid->vertices, solid->faces, solid->face_first[solid->faces]))
        return no_memory(b);
    for (int i = 0; i < solid->vertices; i++) add_point(b, solid->vertex + 3 * (size_t)i);
    for (int f = 0; f < solid->faces; f++)
        add_polygon(b, solid->face_first[f + 1] - solid->face_first[f],
                    solid->face_vertex + solid->face_first[f]);
    return SCREE_OK;
}

// a ring of points around the axis; radius 0 at the ends of a capsule is one point
typedef struct ring {
    int first, count;
} ring;

typedef struct axis {
    double end[2][3], along[3], first[3], second[3];
} axis;

static ring add_ring(builder *b, const axis *a, int side, double height, double radius) {
    ring made = { b->facets->points, radius > 0 ? AROUND : 1 };
    for (int i = 0; i < made.count; i++) {
        double angle = 6.283185307179586 * i / AROUND, x[3];
        for (int k = 0; k < 3; k++)
            x[k] = a->end[side][k] + height * a->along[k] +
                   radius * (cos(angle) * a->first[k] + sin(angle) * a->second[k]);
        add_point(b, x);
    }
    return made;
}

static void join_rings(builder *b, ring low, ring high) {
    for (int i = 0; i < AROUND; i++) {
        int j = (i + 1) % AROUND;
        if (low.count == 1)
            add_polygon(b, 3, (int[3]){ low.first, high.first + j, high.first + i });
        else if (high.count == 1)
            add_polygon(b, 3, (int[3]){ low.first + i, low.first + j, high.first });
        else
            add_polygon(b, 4,
                        (int[4]){ low.first + i, low.first + j, high.first + j, high.first + i });
    }
}

static void close_ring(builder *b, ring end, bool top) {
    int corner[AROUND];
    for (int i = 0; i < AROUND; i++) corner[i] = end.first + (top ? i : AROUND - 1 - i);
    add_polygon(b, AROUND, corner);
}

// capsules and cylinders: rings from the lower end to the upper one
static scree_status make_turned(builder *b, bool round) {
    const scree_collision_shape *solid = b->solid;
    axis a;
    double length = 0;
    int rings = round ? 2 * (QUARTER + 1) : 2;
    if (!make_room(b, rings * AROUND, rings * AROUND + 2, 4 * rings * AROUND + 2 * AROUND))
        return no_memory(b);
    memcpy(a.end, solid->vertex, sizeof a.end);
    for (int k = 0; k < 3; k++) a.along[k] = a.end[1][k] - a.end[0][k];
    length = scree_length(a.along);
    for (int k = 0; k < 3; k++) a.along[k] /= length;
    scree_tangents(a.along, a.first, a.second);
    ring last = { 0, 0 };
    for (int i = 0; i < rings; i++) {
        // down to the pole, or flat
        int side = i >= rings / 2, step = side ? i - rings / 2 : rings / 2 - 1 - i;
        double angle = round ? 1.5707963267948966 * step / QUARTER : 0;
        double height = (side ? 1 : -1) * solid->radius * sin(angle);
        double radius = round && step == QUARTER ? 0 : solid->radius * cos(angle);
        ring next = add_ring(b, &a, side, height, radius);
        if (i > 0) join_rings(b, last, next);
        if (!round) close_ring(b, next, side);
        last = next;
    }
    return SCREE_OK;
}

// the vertex that is farthest along a direction
static const double *support(const scree_collision_shape *solid, const double d[3]) {
    const double *best = solid->vertex;
    for (int i = 1; i < solid->vertices; i++) {
        const double *v = solid->vertex + 3 * (size_t)i;
        if (scree_dot(v, d) > scree_dot(best, d)) best = v;
    }
    return best;
}

// a rounded polyhedron as the hull of points of it: its faces moved outwards, and what is seen
// farthest from many sides
static scree_status make_rounded(builder *b) {
    enum { SIDES = 300 };
    const scree_collision_shape *solid = b->solid;
    const double golden = 2.399963229728653;  // the angle that spreads directions evenly
    int total = solid->face_first[solid->faces] + SIDES, count = 0;
    double *point = SCREE_NEW(b->arena, double, 3 * (size_t)total);
    if (!point) return no_memory(b);
    for (int f = 0; f < solid->faces; f++)
        for (int i = solid->face_first[f]; i < solid->face_first[f + 1]; i++, count++)
            for (int k = 0; k < 3; k++)
                point[3 * count + k] = solid->vertex[3 * solid->face_vertex[i] + k] +
                                       solid->radius * solid->face_normal[3 * f + k];
    for (int i = 0; i < SIDES; i++, count++) {
        double z = 1 - (2 * i + 1.0) / SIDES, flat = sqrt(1 - z * z);
        const double d[3] = { flat * cos(golden * i), flat * sin(golden * i), z };
        const double *v = support(solid, d);
        for (int k = 0; k < 3; k++) point[3 * count + k] = v[k] + solid->radius * d[k];
    }
    scree_hull hull;
    scree_status status = scree_hull_find(total, point, 2 * solid->bound, b->arena, &hull, b->err);
    if (status) return status;
    if (!make_room(b, hull.corners, hull.faces, hull.face_first[hull.faces])) return no_memory(b);
    for (int i = 0; i < hull.corners; i++) add_point(b, point + 3 * (size_t)hull.corner[i]);
    for (int f = 0; f < hull.faces; f++)
        add_polygon(b, hull.face_first[f + 1] - hull.face_first[f],
                    hull.face_corner + hull.face_first[f]);
    return SCREE_OK;
}

scree_status scree_facets_make(const scree_model *model, int shape, const scree_facets_view *view,
                               scree_arena *arena, scree_facets *facets, scree_error *err) {
    const scree_collision_shape *solid = &model->solid[shape];
    *facets = (scree_facets){ 0 };
    builder b = { solid, arena, facets, err, 0 };
    switch (solid->kind) {
        case SCREE_COLLISION_HALF_SPACE:
            return model->space == 2 ? make_strip(&b, model, shape, view) : make_plane(&b, view);
        case SCREE_COLLISION_SURFACE:
            return model->space == 2 ? make_chain(&b) : make_surface(&b);
        case SCREE_COLLISION_CYLINDER:
            return make_turned(&b, false);
        default:
            break;
    }
    if (model->space == 2) return make_outline(&b);
    if (solid->vertices == 2) return make_turned(&b, true);
    return solid->radius > 0 ? make_rounded(&b) : make_faces(&b);
}
