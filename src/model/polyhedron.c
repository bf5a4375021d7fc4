// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// polyhedron.c - a body given by triangles is convex if each lies in a face of the hull, and it is
// closed if together they are as large as all faces.
// in: the hull, triangles.   work: the faces around each corner.

#include "model/polyhedron.h"

#include <math.h>

#define INSIDE 1e-6  // of the extent: deeper is not on the hull
#define OPEN 1e-4    // of the hull's area: what may be missing

typedef struct around {
    const scree_hull *hull;
    const double *vertex;
    double extent;
    int *first, *face;  // faces around each vertex, none if it is no corner (vertices + 1)
    scree_arena arena;
} around;

static bool find_faces_around(around *a, int vertices) {
    const scree_hull *hull = a->hull;
    int places = hull->face_first[hull->faces];
    a->first = SCREE_NEW(&a->arena, int, (size_t)vertices + 2);
    a->face = SCREE_NEW(&a->arena, int, places);
    if (!a->first || !a->face) return false;
    for (int k = 0; k < places; k++) a->first[hull->corner[hull->face_corner[k]] + 2]++;
    for (int i = 2; i < vertices + 2; i++) a->first[i] += a->first[i - 1];
    for (int f = 0; f < hull->faces; f++)
        for (int k = hull->face_first[f]; k < hull->face_first[f + 1]; k++)
            a->face[a->first[hull->corner[hull->face_corner[k]] + 1]++] = f;
    return true;
}

static bool lies_in(const around *a, const int *corner, int face) {
    const double *n = a->hull->face_normal + 3 * (size_t)face;
    int base = a->hull->corner[a->hull->face_corner[a->hull->face_first[face]]];
    const double *p = a->vertex + 3 * (size_t)base;
    for (int k = 0; k < 3; k++) {
        const double *v = a->vertex + 3 * (size_t)corner[k];
        double depth = 0;
        for (int c = 0; c < 3; c++) depth += n[c] * (p[c] - v[c]);
        if (!(fabs(depth) <= INSIDE * a->extent)) return false;
    }
    return true;
}

// nearly always it is a face around one of its vertices
static bool is_on_hull(const around *a, const int *corner) {
    for (int k = 0; k < 3; k++)
        for (int i = a->first[corner[k]]; i < a->first[corner[k] + 1]; i++)
            if (lies_in(a, corner, a->face[i])) return true;
    for (int f = 0; f < a->hull->faces; f++)
        if (lies_in(a, corner, f)) return true;
    return false;
}

static double area_of(const around *a, int v, int w, int x) {
    const double *p = a->vertex + 3 * (size_t)v, *q = a->vertex + 3 * (size_t)w,
                 *r = a->vertex + 3 * (size_t)x;
    double u[3], s[3];
    for (int c = 0; c < 3; c++) {
        u[c] = (q[c] - p[c]) / a->extent;
        s[c] = (r[c] - p[c]) / a->extent;
    }
    double X = u[1] * s[2] - u[2] * s[1], Y = u[2] * s[0] - u[0] * s[2],
           Z = u[0] * s[1] - u[1] * s[0];
    return sqrt(X * X + Y * Y + Z * Z) / 2;
}

static double area_of_hull(const around *a) {
    const scree_hull *hull = a->hull;
    double area = 0;
    for (int f = 0; f < hull->faces; f++) {
        const int *corner = hull->face_corner + hull->face_first[f];
        for (int k = 2; k < hull->face_first[f + 1] - hull->face_first[f]; k++)
            area += area_of(a, hull->corner[corner[0]], hull->corner[corner[k - 1]],
                            hull->corner[corner[k]]);
    }
    return area;
}

static scree_status check_each(const around *a, int vertices, int triangles, const int *triangle,
                               scree_error *err) {
    double area = 0, whole = area_of_hull(a);
    for (int t = 0; t < triangles; t++) {
        const int *corner = triangle + 3 * (size_t)t;
        for (int k = 0; k < 3; k++)
            if (corner[k] < 0 || corner[k] >= vertices)
                return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                                  "polyhedron: triangle %d has vertex %d of %d", t + 1,
                                  corner[k] + 1, vertices);
        if (!is_on_hull(a, corner))
            return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                              "polyhedron: not convex: triangle %d lies inside the hull; give "
                              "convex parts as several shapes, or fix the body and use a mesh",
                              t + 1);
        area += area_of(a, corner[0], corner[1], corner[2]);
    }
    if (!(area >= (1 - OPEN) * whole))
        return scree_fail(
            err, SCREE_BAD_INPUT, SCREE_NOWHERE,
            "polyhedron: open: the triangles cover %.4g %% of their hull; close it, or "
            "give the vertices alone",
            100 * area / whole);
    return SCREE_OK;
}

scree_status scree_polyhedron_check(const scree_hull *hull, int vertices, const double *vertex,
                                    int triangles, const int *triangle, double extent,
                                    scree_error *err) {
    around a = { .hull = hull, .vertex = vertex, .extent = extent };
    scree_status status =
        find_faces_around(&a, vertices)
            ? check_each(&a, vertices, triangles, triangle, err)
            : scree_fail(err, SCREE_NO_MEMORY, SCREE_NOWHERE,
                         "out of memory for a polyhedron of %d triangles", triangles);
    scree_arena_free(&a.arena);
    return status;
}
