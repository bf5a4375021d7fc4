// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// fem_grid.c - regular meshes of rectangles, boxes and discs.
// in: size, cells, kind of element.   out: a mesh.   work: nodes, corners, facets of the groups.
//
// Quadratic elements are made of those that have their corners alone, with nodes in the middle of
// edges: where the grid has its middle, which on the outline of a disc is on the circle.

#include <limits.h>
#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "model/fem_kind.h"
#include "model/fem_mesh.h"
#include "model/fem_order.h"

enum { GROUPS = 6 };

typedef struct grid {
    int space;
    int cells[3];  // along each axis; 1 behind the last axis
    int nodes, elements, groups;
    double *node;
    scree_element shape;  // of the elements while they have corners alone
    scree_element *kind;
    int *corner;
    const double *low, *size;  // of rectangles and boxes
    const double *centre;      // of discs
    double radius;
    scree_mesh_part part[GROUPS];
    scree_arena arena;
    scree_error *err;
} grid;

#define FAIL(g, ...) scree_fail((g)->err, SCREE_BAD_INPUT, SCREE_NOWHERE, __VA_ARGS__)

static scree_status no_memory(const grid *g) { return scree_fail_memory(g->err, "a mesh"); }

static scree_status check_place(const grid *g, const double *low, const double *size) {
    for (int c = 0; c < g->space; c++) {
        if (!isfinite(low[c]))
            return FAIL(g, "the low corner of a mesh must be finite, got %g", low[c]);
        if (!(size[c] > 0 && isfinite(size[c])))
            return FAIL(g, "the size of a mesh must be positive, got %g", size[c]);
    }
    return SCREE_OK;
}

// nodes, elements and memory for them; each cell becomes some elements
static scree_status begin(grid *g, const int *cells, scree_element kind, int per_cell) {
    double nodes = 1, elements = per_cell;
    g->shape = scree_fem_kind_of(kind)->corner_kind;
    for (int c = 0; c < 3; c++) {
        g->cells[c] = c < g->space ? cells[c] : 1;
        if (g->cells[c] < 1) return FAIL(g, "a mesh needs 1 cell or more, got %d", cells[c]);
        elements *= g->cells[c];
        if (c < g->space) nodes *= g->cells[c] + 1.0;
    }
    if (nodes > SCREE_MESH_MOST || elements > SCREE_MESH_MOST)
        return FAIL(g, "%.15g nodes and %.15g elements are too many: at most %d each", nodes,
                    elements, (int)SCREE_MESH_MOST);
    g->nodes = (int)nodes;
    g->elements = (int)elements;
    size_t corners = (size_t)g->elements * (size_t)scree_element_corners(kind);
    g->node = SCREE_NEW(&g->arena, double, ((size_t)g->nodes * (size_t)g->space));
    g->kind = SCREE_NEW(&g->arena, scree_element, g->elements);
    g->corner = SCREE_NEW(&g->arena, int, corners);
    if (!g->node || !g->kind || !g->corner) return no_memory(g);
    for (int e = 0; e < g->elements; e++) g->kind[e] = kind;
    return SCREE_OK;
}

// Squares of half side r around the middle become circles of radius r, in arcs of the same length,
// at the outline, and stay squares in the middle. The share of the square keeps spacings along axes
// and diagonals within a fifth of each other.
static void place_round(double a, double b, double *x) {
    const double quarter = 0.78539816339744830962, square = 0.85;
    double r = fmax(fabs(a), fabs(b));
    bool steep = fabs(a) < fabs(b);
    double along = steep ? b : a, across = steep ? a : b;
    double angle = r > 0 ? quarter * across / along : 0;
    double u = along * (r * cos(angle) + (1 - r) * square);
    double v = r * along * sin(angle) + (1 - r) * square * across;
    x[0] = steep ? v : u;
    x[1] = steep ? u : v;
}

static int node_at(const grid *g, int i, int j, int k) {
    return (k * (g->cells[1] + 1) + j) * (g->cells[0] + 1) + i;
}

// where the grid is at a place in cells
static void place(const grid *g, const double at[3], double *x) {
    if (g->centre) {
        double n = g->cells[0];
        place_round((2 * at[0] - n) / n, (2 * at[1] - n) / n, x);
        for (int c = 0; c < 2; c++) x[c] = g->centre[c] + g->radius * x[c];
        return;
    }
    for (int c = 0; c < g->space; c++) x[c] = g->low[c] + g->size[c] * at[c] / g->cells[c];
}

static void cell_of(const grid *g, int node, double at[3]) {
    for (int c = 0; c < 3; node /= g->cells[c] + 1, c++)
        at[c] = c < g->space ? node % (g->cells[c] + 1) : 0;
}

static void place_nodes(const grid *g) {
    for (int n = 0; n < g->nodes; n++) {
        double at[3];
        cell_of(g, n, at);
        place(g, at, g->node + (size_t)n * (size_t)g->space);
    }
}

// give the elements their middles
static scree_status raise(grid *g) {
    scree_fem_order order;
    if (!scree_fem_order_raise(g->kind[0], g->nodes, g->elements, g->corner, &g->arena, &order))
        return no_memory(g);
    if ((double)g->nodes + order.middles > SCREE_MESH_MOST)
        return FAIL(g, "%.15g nodes are too many: at most %d", (double)g->nodes + order.middles,
                    (int)SCREE_MESH_MOST);
    size_t space = (size_t)g->space, corners = (size_t)g->nodes;
    double *node = SCREE_NEW(&g->arena, double, ((corners + (size_t)order.middles) * space));
    if (!node) return no_memory(g);
    memcpy(node, g->node, corners * space * sizeof *node);
    for (int m = 0; m < order.middles; m++) {
        double a[3], b[3];
        cell_of(g, order.end[2 * m], a);
        cell_of(g, order.end[2 * m + 1], b);
        for (int c = 0; c < 3; c++) a[c] = (a[c] + b[c]) / 2;
        place(g, a, node + (corners + (size_t)m) * space);
    }
    g->node = node;
    g->corner = order.node;
    g->nodes += order.middles;
    return SCREE_OK;
}

static scree_status finish(grid *g, scree_mesh **mesh) {
    scree_status status = g->kind[0] == g->shape ? SCREE_OK : raise(g);
    if (status) return status;
    return scree_mesh_make(g->space, g->nodes, g->node, g->elements, g->kind, g->corner, g->groups,
                           g->part, mesh, g->err);
}

// ---- groups: the two ends of each axis

// the facet of a cell at an end of an axis; at: the cell, with the end's layer of nodes
static void name_facet(const grid *g, const int at[3], int axis, int *facet) {
    static const int step[4][2] = { { 0, 0 }, { 1, 0 }, { 1, 1 }, { 0, 1 } };
    int u = axis == 0 ? 1 : 0, v = axis == 2 ? 1 : 2;
    for (int k = 0; k < SCREE_FACET_CORNERS; k++) {
        int x[3] = { at[0], at[1], at[2] };
        x[u] += step[k][0];
        x[v] += step[k][1];
        facet[k] = g->space == 3 || k < 2 ? node_at(g, x[0], x[1], x[2]) : -1;
    }
}

// a quadrilateral as the two triangles that T4 have there: on one diagonal, from low to high
static int split_facet(int *facet) {
    int *other = facet + SCREE_FACET_CORNERS;
    other[0] = facet[0];
    other[1] = facet[2];
    other[2] = facet[3];
    facet[3] = other[3] = -1;
    return 2;
}

static scree_status name_end(grid *g, const char *name, int axis, int layer) {
    int count[3] = { g->cells[0], g->cells[1], g->space == 3 ? g->cells[2] : 1 }, facets = 0;
    count[axis] = 1;
    bool split = g->shape == SCREE_T4;
    size_t most = (size_t)count[0] * (size_t)count[1] * (size_t)count[2] * (split ? 2 : 1);
    int *facet = SCREE_NEW(&g->arena, int, (most * SCREE_FACET_CORNERS));
    if (!facet) return no_memory(g);
    for (int k = 0; k < count[2]; k++)
        for (int j = 0; j < count[1]; j++)
            for (int i = 0; i < count[0]; i++) {
                int at[3] = { i, j, k };
                at[axis] = layer;
                int *here = facet + (size_t)facets * SCREE_FACET_CORNERS;
                name_facet(g, at, axis, here);
                facets += split ? split_facet(here) : 1;
            }
    g->part[g->groups++] = (scree_mesh_part){ .name = name, .node = facet, .facets = facets };
    return SCREE_OK;
}

static scree_status name_ends(grid *g, const char *const names[][2]) {
    scree_status status = SCREE_OK;
    for (int axis = 0; axis < g->space && !status; axis++) {
        status = name_end(g, names[axis][0], axis, 0);
        if (!status) status = name_end(g, names[axis][1], axis, g->cells[axis]);
    }
    return status;
}

// ---- rectangles

static bool leans_left(scree_diagonal diagonal, int i, int j) {
    return diagonal == SCREE_DIAGONAL_LEFT || (diagonal == SCREE_DIAGONAL_ALTERNATE && (i + j) % 2);
}

// a cell from its four corners, counter-clockwise from the lower left
static int *fill_cell(const int c[4], scree_element kind, bool left, int *corner) {
    static const int right_hand[6] = { 0, 1, 2, 0, 2, 3 }, left_hand[6] = { 0, 1, 3, 1, 2, 3 };
    int count = kind == SCREE_Q4 ? 4 : 6;
    for (int k = 0; k < count; k++)
        *corner++ = kind == SCREE_Q4 ? c[k] : c[left ? left_hand[k] : right_hand[k]];
    return corner;
}

static int *fill_planar(const grid *g, int i, int j, bool left, int *corner) {
    int c[4] = { node_at(g, i, j, 0), node_at(g, i + 1, j, 0), node_at(g, i + 1, j + 1, 0),
                 node_at(g, i, j + 1, 0) };
    return fill_cell(c, g->shape, left, corner);
}

static scree_status check_planar(const grid *g, scree_element kind, const char *what) {
    const scree_fem_kind *row = scree_fem_kind_of(kind);
    if (row && row->space == 2) return SCREE_OK;
    return FAIL(g, "a %s is made of T3, Q4, T6 or Q8", what);
}

static scree_status make_rectangle(grid *g, const double *low, const double *size, const int *cells,
                                   scree_element kind, scree_diagonal diagonal) {
    static const char *const names[2][2] = { { "left", "right" }, { "bottom", "top" } };
    scree_status status = check_planar(g, kind, "rectangle");
    if (!status) status = check_place(g, low, size);
    if (!status) status = begin(g, cells, kind, scree_element_corners(kind) == 4 ? 1 : 2);
    if (status) return status;
    g->low = low;
    g->size = size;
    place_nodes(g);
    int *corner = g->corner;
    for (int j = 0; j < cells[1]; j++)
        for (int i = 0; i < cells[0]; i++)
            corner = fill_planar(g, i, j, leans_left(diagonal, i, j), corner);
    return name_ends(g, names);
}

scree_status scree_mesh_rectangle(const double low[2], const double size[2], const int cells[2],
                                  scree_element kind, scree_diagonal diagonal, scree_mesh **mesh,
                                  scree_error *err) {
    grid g = { .space = 2, .err = err };
    *mesh = NULL;
    scree_status status = make_rectangle(&g, low, size, cells, kind, diagonal);
    if (!status) status = finish(&g, mesh);
    scree_arena_free(&g.arena);
    return status;
}

// ---- boxes

// Six tetrahedra, one for each order in which the axes can be gone along from the low corner to the
// high one. All cells have the same diagonals, and so do their faces: neighbours fit.
static int *fill_tetrahedra(const grid *g, const int at[3], int *corner) {
    static const int order[6][3] = { { 0, 1, 2 }, { 1, 2, 0 }, { 2, 0, 1 },
                                     { 0, 2, 1 }, { 2, 1, 0 }, { 1, 0, 2 } };
    for (int t = 0; t < 6; t++) {
        int x[3] = { at[0], at[1], at[2] }, node[4];
        for (int k = 0; k < 4; k++) {
            node[k] = node_at(g, x[0], x[1], x[2]);
            if (k < 3) x[order[t][k]]++;
        }
        bool odd = t >= 3;
        *corner++ = node[0];
        *corner++ = node[odd ? 2 : 1];
        *corner++ = node[odd ? 1 : 2];
        *corner++ = node[3];
    }
    return corner;
}

static int *fill_hexahedron(const grid *g, const int at[3], int *corner) {
    for (int k = 0; k < 2; k++) {
        *corner++ = node_at(g, at[0], at[1], at[2] + k);
        *corner++ = node_at(g, at[0] + 1, at[1], at[2] + k);
        *corner++ = node_at(g, at[0] + 1, at[1] + 1, at[2] + k);
        *corner++ = node_at(g, at[0], at[1] + 1, at[2] + k);
    }
    return corner;
}

static scree_status make_box(grid *g, const double *low, const double *size, const int *cells,
                             scree_element kind) {
    static const char *const names[3][2] = { { "left", "right" },
                                             { "front", "back" },
                                             { "bottom", "top" } };
    const scree_fem_kind *row = scree_fem_kind_of(kind);
    if (!row || row->space != 3) return FAIL(g, "a box is made of T4, H8, T10 or H20");
    scree_status status = check_place(g, low, size);
    if (!status) status = begin(g, cells, kind, row->simplex ? 6 : 1);
    if (status) return status;
    g->low = low;
    g->size = size;
    place_nodes(g);
    int *corner = g->corner;
    for (int k = 0; k < cells[2]; k++)
        for (int j = 0; j < cells[1]; j++)
            for (int i = 0; i < cells[0]; i++) {
                int at[3] = { i, j, k };
                corner =
                    row->simplex ? fill_tetrahedra(g, at, corner) : fill_hexahedron(g, at, corner);
            }
    return name_ends(g, names);
}

scree_status scree_mesh_box(const double low[3], const double size[3], const int cells[3],
                            scree_element kind, scree_mesh **mesh, scree_error *err) {
    grid g = { .space = 3, .err = err };
    *mesh = NULL;
    scree_status status = make_box(&g, low, size, cells, kind);
    if (!status) status = finish(&g, mesh);
    scree_arena_free(&g.arena);
    return status;
}

// ---- discs

static scree_status make_disc(grid *g, const double *centre, double radius, int cells,
                              scree_element kind) {
    const int both[2] = { cells, cells };
    scree_status status = check_planar(g, kind, "disc");
    if (status) return status;
    if (!isfinite(centre[0]) || !isfinite(centre[1]))
        return FAIL(g, "the centre of a disc must be finite, got (%g, %g)", centre[0], centre[1]);
    if (!(radius > 0 && isfinite(radius)))
        return FAIL(g, "the radius of a disc must be positive, got %g", radius);
    status = begin(g, both, kind, scree_element_corners(kind) == 4 ? 1 : 2);
    if (status) return status;
    g->centre = centre;
    g->radius = radius;
    place_nodes(g);
    int *corner = g->corner;
    for (int j = 0; j < cells; j++)
        for (int i = 0; i < cells; i++) {
            // diagonals run outwards, so that the flat angles at the square's corners are halved
            bool left = (2 * i + 1 - cells) * (2 * j + 1 - cells) < 0;
            corner = fill_planar(g, i, j, left, corner);
        }
    return SCREE_OK;
}

scree_status scree_mesh_disc(const double centre[2], double radius, int cells, scree_element kind,
                             scree_mesh **mesh, scree_error *err) {
    grid g = { .space = 2, .err = err };
    *mesh = NULL;
    scree_status status = make_disc(&g, centre, radius, cells, kind);
    if (!status) status = finish(&g, mesh);
    scree_arena_free(&g.arena);
    return status;
}
