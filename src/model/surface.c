// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// surface.c - chains of segments and meshes of triangles: neighbours, normals, and what is refused.
// in: vertices, triangles.   out: a surface.   work: sides of triangles, sorted.
//
// Messages count vertices and triangles from 1. Lengths are judged against the extent of the whole.

#include "model/surface.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/space.h"

#define NO_LENGTH 1e-12  // of the extent

static scree_status no_memory(int pieces, scree_error *err) {
    return scree_fail(err, SCREE_NO_MEMORY, SCREE_NOWHERE,
                      "out of memory for a surface of %d pieces", pieces);
}

// neighbours are none until they are found
static bool make_arrays(int pieces, int sides, scree_arena *arena, scree_surface *surface,
                        int **neighbour, double **normal) {
    size_t count = (size_t)pieces * (size_t)sides;
    *neighbour = SCREE_NEW(arena, int, count);
    *normal = SCREE_NEW(arena, double, 3 * (size_t)pieces);
    if (!*neighbour || !*normal) return false;
    for (size_t s = 0; s < count; s++) (*neighbour)[s] = -1;
    surface->pieces = pieces;
    surface->neighbour = *neighbour;
    surface->normal = *normal;
    return true;
}

// ---- chains

typedef struct placed {
    double x, y;
    int number;
} placed;

static int by_place(const void *a, const void *b) {
    const placed *p = a, *q = b;
    if (p->x != q->x) return p->x < q->x ? -1 : 1;
    if (p->y != q->y) return p->y < q->y ? -1 : 1;
    return p->number < q->number ? -1 : p->number > q->number;
}

static scree_status check_repeated(int vertices, const double *vertex, scree_error *err) {
    scree_arena scratch = { 0 };
    placed *sorted = SCREE_NEW(&scratch, placed, vertices);
    scree_status status = sorted ? SCREE_OK : no_memory(vertices, err);
    for (int i = 0; i < vertices && !status; i++)
        sorted[i] = (placed){ vertex[3 * i], vertex[3 * i + 1], i };
    if (!status) qsort(sorted, (size_t)vertices, sizeof *sorted, by_place);
    for (int i = 1; i < vertices && !status; i++)
        if (sorted[i].x == sorted[i - 1].x && sorted[i].y == sorted[i - 1].y)
            status = scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                                "chain: vertices %d and %d are the same point",
                                sorted[i - 1].number + 1, sorted[i].number + 1);
    scree_arena_free(&scratch);
    return status;
}

static scree_status set_segment(const double *vertex, int v, int w, double extent, double *normal,
                                scree_error *err) {
    double x = vertex[3 * w] - vertex[3 * v], y = vertex[3 * w + 1] - vertex[3 * v + 1];
    double length = hypot(x, y);
    if (!(length > NO_LENGTH * extent))
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                          "chain: no length between vertices %d and %d", v + 1, w + 1);
    normal[0] = -y / length;
    normal[1] = x / length;
    return SCREE_OK;
}

scree_status scree_surface_chain(int *vertices, const double *vertex, double extent,
                                 scree_arena *arena, scree_surface *surface, scree_error *err) {
    int n = *vertices;
    bool closed = n > 3 && vertex[0] == vertex[3 * n - 3] && vertex[1] == vertex[3 * n - 2];
    if (closed) n--;
    int pieces = closed ? n : n - 1, *neighbour;
    double *normal;
    int *piece = SCREE_NEW(arena, int, 2 * (size_t)pieces);
    if (!piece || !make_arrays(pieces, 2, arena, surface, &neighbour, &normal))
        return no_memory(pieces, err);
    for (int k = 0; k < pieces; k++) {
        piece[2 * k] = k;
        piece[2 * k + 1] = (k + 1) % n;
        if (k > 0 || closed) neighbour[2 * k] = (k + pieces - 1) % pieces;
        if (k < pieces - 1 || closed) neighbour[2 * k + 1] = (k + 1) % pieces;
        scree_status status =
            set_segment(vertex, k, piece[2 * k + 1], extent, normal + 3 * (size_t)k, err);
        if (status) return status;
    }
    surface->piece = piece;
    *vertices = n;
    return check_repeated(n, vertex, err);
}

// ---- meshes: each triangle

static scree_status check_numbers(int vertices, int triangles, const int *triangle,
                                  scree_error *err) {
    for (int t = 0; t < triangles; t++)
        for (int k = 0; k < 3; k++) {
            int v = triangle[3 * (size_t)t + (size_t)k];
            if (v < 0 || v >= vertices)
                return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                                  "mesh: triangle %d has vertex %d of %d", t + 1, v + 1, vertices);
        }
    return SCREE_OK;
}

// false if the triangle is not higher above its longest side than rounding
static bool find_normal(const double *vertex, const int *corner, double extent, double *normal) {
    double side[3][3], longest = 0, twice = 0;
    for (int k = 0; k < 3; k++) {
        const double *v = vertex + 3 * (size_t)corner[k];
        const double *w = vertex + 3 * (size_t)corner[(k + 1) % 3];
        for (int c = 0; c < 3; c++) side[k][c] = (w[c] - v[c]) / extent;
        longest = fmax(longest, sqrt(side[k][0] * side[k][0] + side[k][1] * side[k][1] +
                                     side[k][2] * side[k][2]));
    }
    for (int c = 0; c < 3; c++) {
        int d = (c + 1) % 3, e = (c + 2) % 3;
        normal[c] = side[0][d] * side[1][e] - side[0][e] * side[1][d];
        twice += normal[c] * normal[c];
    }
    twice = sqrt(twice);
    if (!(twice > NO_LENGTH * longest)) return false;
    for (int c = 0; c < 3; c++) normal[c] /= twice;
    return true;
}

// the first few by number, the rest by how many
static scree_status complain_of(const int *bad, int count, int all, scree_error *err) {
    enum { NAMED = 12 };
    char list[16 * NAMED] = "";
    size_t at = 0;
    for (int i = 0; i < count && i < NAMED; i++)
        at += (size_t)snprintf(list + at, sizeof list - at, "%s%d", i ? ", " : "", bad[i] + 1);
    if (count == 1)
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                          "mesh: triangle %s of %d has no area", list, all);
    if (count <= NAMED)
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                          "mesh: triangles %s of %d have no area", list, all);
    return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                      "mesh: triangles %s and %d more of %d have no area", list, count - NAMED,
                      all);
}

static scree_status find_normals(const double *vertex, int triangles, const int *triangle,
                                 double extent, double *normal, scree_error *err) {
    int bad[16], count = 0;
    for (int t = 0; t < triangles; t++) {
        if (find_normal(vertex, triangle + 3 * (size_t)t, extent, normal + 3 * (size_t)t)) continue;
        if (count < 16) bad[count] = t;
        count++;
    }
    return count ? complain_of(bad, count, triangles, err) : SCREE_OK;
}

// ---- meshes: across the edges

typedef struct side {
    int low, high;  // vertices
    int number;     // 3 triangle + k
    bool forward;   // from low to high
} side;

static int by_ends(const void *a, const void *b) {
    const side *x = a, *y = b;
    if (x->low != y->low) return x->low < y->low ? -1 : 1;
    if (x->high != y->high) return x->high < y->high ? -1 : 1;
    return x->number < y->number ? -1 : x->number > y->number;
}

static bool same_edge(const side *a, const side *b) {
    return a->low == b->low && a->high == b->high;
}

static scree_status join_sides(const side *sorted, int sides, int *neighbour, scree_error *err) {
    for (int s = 0; s + 1 < sides; s++) {
        const side *a = &sorted[s], *b = a + 1;
        if (!same_edge(a, b)) continue;
        int t = a->number / 3, u = b->number / 3;
        if (s + 2 < sides && same_edge(a, b + 1))
            return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                              "mesh: triangles %d, %d and %d share the edge of vertices %d and %d",
                              t + 1, u + 1, b[1].number / 3 + 1, a->low + 1, a->high + 1);
        if (a->forward == b->forward)
            return scree_fail(
                err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                "mesh: triangles %d and %d share an edge and face opposite ways; turn "
                "one of them around",
                t + 1, u + 1);
        neighbour[a->number] = u;
        neighbour[b->number] = t;
        s++;
    }
    return SCREE_OK;
}

// by counting for the lower vertex, then those few of each vertex by comparing
static void sort_sides(int vertices, int triangles, const int *triangle, int *first, side *sorted) {
    for (int s = 0; s < 3 * triangles; s++) {
        int v = triangle[s], w = triangle[s % 3 == 2 ? s - 2 : s + 1];
        first[(v < w ? v : w) + 2]++;
    }
    for (int v = 2; v < vertices + 2; v++) first[v] += first[v - 1];
    for (int s = 0; s < 3 * triangles; s++) {
        int v = triangle[s], w = triangle[s % 3 == 2 ? s - 2 : s + 1];
        sorted[first[(v < w ? v : w) + 1]++] = (side){ v < w ? v : w, v < w ? w : v, s, v < w };
    }
    for (int v = 0; v < vertices; v++)
        qsort(sorted + first[v], (size_t)(first[v + 1] - first[v]), sizeof *sorted, by_ends);
}

static scree_status find_neighbours(int vertices, int triangles, const int *triangle,
                                    int *neighbour, scree_error *err) {
    scree_arena scratch = { 0 };
    side *sorted = SCREE_NEW(&scratch, side, 3 * (size_t)triangles);
    int *first = SCREE_NEW(&scratch, int, (size_t)vertices + 2);
    scree_status status = SCREE_OK;
    if (sorted && first) {
        sort_sides(vertices, triangles, triangle, first, sorted);
        status = join_sides(sorted, 3 * triangles, neighbour, err);
    } else {
        status = no_memory(triangles, err);
    }
    scree_arena_free(&scratch);
    return status;
}

scree_status scree_surface_mesh(int vertices, const double *vertex, int triangles,
                                const int *triangle, double extent, scree_arena *arena,
                                scree_surface *surface, scree_error *err) {
    if (triangles < 1 || triangles > INT_MAX / 3)
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                          "mesh: needs 1 to %d triangles, got %d", INT_MAX / 3, triangles);
    scree_status status = check_numbers(vertices, triangles, triangle, err);
    if (status) return status;
    int *neighbour, *piece = SCREE_NEW(arena, int, 3 * (size_t)triangles);
    double *normal;
    if (!piece || !make_arrays(triangles, 3, arena, surface, &neighbour, &normal))
        return no_memory(triangles, err);
    memcpy(piece, triangle, 3 * (size_t)triangles * sizeof *piece);
    surface->piece = piece;
    status = find_normals(vertex, triangles, triangle, extent, normal, err);
    return status ? status : find_neighbours(vertices, triangles, triangle, neighbour, err);
}

double scree_surface_volume(const scree_collision_shape *solid) {
    const scree_surface *surface = &solid->surface;
    if (solid->kind != SCREE_COLLISION_SURFACE || solid->space != 3) return 0;
    double sum = 0;
    for (int i = 0; i < surface->pieces; i++) {
        double corner[3][3], cross[3];
        for (int k = 0; k < 3; k++) {
            const double *at =
                solid->vertex + 3 * (size_t)surface->piece[3 * (size_t)i + (size_t)k];
            if (surface->neighbour[3 * (size_t)i + (size_t)k] < 0) return 0;
            // from near the middle, so that far away nothing is lost
            for (int c = 0; c < 3; c++) corner[k][c] = at[c] - solid->centre[c];
        }
        scree_cross(corner[1], corner[2], cross);
        sum += scree_dot(corner[0], cross) / 6;
    }
    return sum;
}

int *scree_surface_grid(int rows, int columns, scree_arena *arena) {
    int *made = SCREE_NEW(arena, int, 6 * (size_t)(rows - 1) * (size_t)(columns - 1)), *at = made;
    for (int r = 0; r + 1 < rows && made; r++)
        for (int c = 0; c + 1 < columns; c++) {
            int near = r * columns + c, far = near + columns;
            const int cell[6] = { near, near + 1, far + 1, near, far + 1, far };
            memcpy(at, cell, sizeof cell);
            at += 6;
        }
    return made;
}
