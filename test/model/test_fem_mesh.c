// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// test_fem_mesh.c - meshes of rectangles, boxes, discs and from arrays: volumes, boundaries,
// groups, and everything that is refused.

#include <stdlib.h>

#include "failing.h"
#include "model/mesh_judge.h"
#include "random.h"

// -------------------------------------------------------------------------------------------------
// grids

static void check_end(const scree_mesh *m, const char *name, int axis, double at, int nodes,
                      int facets) {
    int g = scree_mesh_find(m, name);
    if (g < 0) {
        COMPLAIN("no group %s", name);
        return;
    }
    CHECK_INT(m->group[g].nodes, nodes);
    CHECK_INT(m->group[g].facets, facets);
    for (int i = 0; i < m->group[g].nodes; i++)
        CHECK_NEAR(mesh_point(m, m->group[g].node[i])[axis], at, 0);
    for (int i = 0; i < m->group[g].facets; i++)
        for (int k = 0; k < mesh_facet_corners(m, m->group[g].facet[i]); k++)
            CHECK_NEAR(mesh_point(m, m->facet[4 * m->group[g].facet[i] + k])[axis], at, 0);
}

static void rectangles(void) {
    for (int round = 0; round < 24; round++) {
        scree_element kind = round % 2 ? SCREE_Q4 : SCREE_T3;
        int cells[2] = { 1 + round % 5, 1 + round % 7 }, per_cell = kind == SCREE_Q4 ? 1 : 2;
        double low[2] = { -1.5, 1000 }, size[2] = { 0.25 * cells[0], 3 };
        scree_mesh *m;
        scree_error err = { 0 };
        if (scree_mesh_rectangle(low, size, cells, kind, (scree_diagonal)(round % 3), &m, &err)) {
            COMPLAIN("refused: %s", err.text);
            return;
        }
        CHECK_INT(m->nodes, (cells[0] + 1) * (cells[1] + 1));
        CHECK_INT(m->elements, per_cell * cells[0] * cells[1]);
        CHECK_INT(m->facets, 2 * (cells[0] + cells[1]));
        CHECK_INT(m->groups, 5);
        CHECK_NEAR(judge_mesh(m), size[0] * size[1], 1e-12 * size[0] * size[1]);
        check_end(m, "left", 0, low[0], cells[1] + 1, cells[1]);
        check_end(m, "right", 0, low[0] + size[0], cells[1] + 1, cells[1]);
        check_end(m, "bottom", 1, low[1], cells[0] + 1, cells[0]);
        check_end(m, "top", 1, low[1] + size[1], cells[0] + 1, cells[0]);
        for (int j = 0; j <= cells[1]; j++)
            for (int i = 0; i <= cells[0]; i++) {
                const double *x = mesh_point(m, j * (cells[0] + 1) + i);
                CHECK_NEAR(x[0], low[0] + 0.25 * i, 0);
                CHECK_NEAR(x[1], low[1] + 3.0 * j / cells[1], 1e-12);
            }
        scree_mesh_free(m);
    }
}

static int shared_node(const scree_mesh *m, int e, int node) {
    int count = 0;
    for (int k = m->first[e]; k < m->first[e + 2]; k++) count += m->corner[k] == node;
    return count;
}

/// The two nodes that both triangles of a cell have are those of its diagonal.
static void diagonals(void) {
    static const char *const expected[] = { "////", "\\\\\\\\", "/\\\\/" };
    for (int d = 0; d < 3; d++) {
        const double low[2] = { 0, 0 }, size[2] = { 2, 2 };
        const int cells[2] = { 2, 2 };
        scree_mesh *m;
        CHECK_INT(scree_mesh_rectangle(low, size, cells, SCREE_T3, (scree_diagonal)d, &m, NULL), 0);
        for (int cell = 0; m && cell < 4; cell++) {
            int corner = cell / 2 * 3 + cell % 2;
            bool right = expected[d][cell] == '/';
            CHECK_INT(shared_node(m, 2 * cell, corner), right ? 2 : 1);
            CHECK_INT(shared_node(m, 2 * cell, corner + 4), right ? 2 : 1);
            CHECK_INT(shared_node(m, 2 * cell, corner + 1), right ? 1 : 2);
            CHECK_INT(shared_node(m, 2 * cell, corner + 3), right ? 1 : 2);
        }
        scree_mesh_free(m);
    }
}

static void boxes(void) {
    for (int round = 0; round < 16; round++) {
        scree_element kind = round % 2 ? SCREE_H8 : SCREE_T4;
        int n[3] = { 1 + round % 3, 1 + round % 4, 1 + round % 5 }, t = kind == SCREE_T4 ? 2 : 1;
        double low[3] = { 5, -2, 0 }, size[3] = { 1, 0.5 * n[1], 1e-3 };
        scree_mesh *m;
        scree_error err = { 0 };
        if (scree_mesh_box(low, size, n, kind, &m, &err)) {
            COMPLAIN("refused: %s", err.text);
            return;
        }
        double volume = size[0] * size[1] * size[2];
        CHECK_INT(m->nodes, (n[0] + 1) * (n[1] + 1) * (n[2] + 1));
        CHECK_INT(m->elements, (kind == SCREE_T4 ? 6 : 1) * n[0] * n[1] * n[2]);
        // no facet inside: neighbours fit
        CHECK_INT(m->facets, 2 * t * (n[0] * n[1] + n[1] * n[2] + n[2] * n[0]));
        CHECK_INT(m->groups, 7);
        CHECK_NEAR(judge_mesh(m), volume, 1e-12 * volume);
        static const char *const name[] = { "left", "right", "front", "back", "bottom", "top" };
        for (int g = 0; g < 6; g++) {
            int axis = g / 2, u = (axis + 1) % 3, v = (axis + 2) % 3;
            check_end(m, name[g], axis, low[axis] + (g % 2 ? size[axis] : 0),
                      (n[u] + 1) * (n[v] + 1), t * n[u] * n[v]);
        }
        const double *x = mesh_point(m, (n[1] + 1) * (n[0] + 1) + (n[0] + 1) + 1);
        CHECK_NEAR(x[0], low[0] + size[0] / n[0], 1e-15);
        CHECK_NEAR(x[1], low[1] + size[1] / n[1], 1e-15);
        CHECK_NEAR(x[2], low[2] + size[2] / n[2], 1e-15);
        for (int e = 0; e < m->elements; e++)
            CHECK_NEAR(mesh_element_volume(m, e), volume / m->elements, 1e-12 * volume);
        scree_mesh_free(m);
    }
}

/// Of triangles, in degrees.
static double least_angle(const scree_mesh *m) {
    double least = 180, a[3], b[3];
    for (int k = 0; k < 3 * m->elements; k++) {
        const int *corner = m->corner + k / 3 * 3;
        const double *at = mesh_point(m, corner[k % 3]);
        mesh_minus(mesh_point(m, corner[(k + 1) % 3]), at, 2, a);
        mesh_minus(mesh_point(m, corner[(k + 2) % 3]), at, 2, b);
        double angle = atan2(a[0] * b[1] - a[1] * b[0], a[0] * b[0] + a[1] * b[1]);
        least = fmin(least, 180 / M_PI * angle);
    }
    return least;
}

static void discs(void) {
    for (int cells = 1; cells <= 24; cells++)
        for (int k = 0; k < 2; k++) {
            const double centre[2] = { 3, -7 }, radius = 0.01 * cells;
            scree_mesh *m;
            scree_error err = { 0 };
            if (scree_mesh_disc(centre, radius, cells, k ? SCREE_Q4 : SCREE_T3, &m, &err)) {
                COMPLAIN("refused: %s", err.text);
                return;
            }
            int sides = 4 * cells;
            double area = sides * radius * radius * sin(2 * M_PI / sides) / 2;
            CHECK_INT(m->facets, sides);
            CHECK_INT(m->elements, (k ? 1 : 2) * cells * cells);
            CHECK_INT(m->groups, 1);
            CHECK_NEAR(judge_mesh(m), area, 1e-11 * area);
            for (int f = 0; f < m->facets; f++) {
                const double *a = mesh_point(m, m->facet[4 * f]),
                             *b = mesh_point(m, m->facet[4 * f + 1]);
                CHECK_NEAR(hypot(a[0] - centre[0], a[1] - centre[1]), radius, 4e-15);
                CHECK_NEAR(hypot(a[0] - b[0], a[1] - b[1]), 2 * radius * sin(M_PI / sides), 8e-15);
            }
            // elements stay good ones, however many there are
            double least = INFINITY;
            for (int e = 0; e < m->elements; e++)
                least = fmin(least, mesh_element_volume(m, e) * m->elements / area);
            CHECK(least > 0.8);
            if (k == 0) CHECK(least_angle(m) > 30);
            scree_mesh_free(m);
        }
}

// -------------------------------------------------------------------------------------------------
// meshes from arrays

typedef struct sample {
    int space, nodes, elements, parts;
    double node[3 * 64];
    scree_element kind[64];
    int corner[8 * 64];
    scree_mesh_part part[8];
} sample;

static scree_status make(const sample *s, scree_mesh **m, scree_error *err) {
    return scree_mesh_make(s->space, s->nodes, s->node, s->elements, s->kind, s->corner, s->parts,
                           s->part, m, err);
}

static void refuse(const sample *s, const char *sentence) {
    scree_mesh *m = (scree_mesh *)1;
    scree_error err = { 0 };
    CHECK_INT(make(s, &m, &err), SCREE_BAD_INPUT);
    CHECK(m == NULL);
    CHECK_INT(err.line, 0);
    if (!strstr(err.text, sentence)) COMPLAIN("\"%s\" instead of \"%s\"", err.text, sentence);
}

/// Six by two nodes, the left cells quadrilaterals, the right ones cut in two.
static sample strip(void) {
    sample s = { .space = 2, .nodes = 12 };
    for (int i = 0; i < 12; i++) {
        s.node[2 * i] = i % 6;
        s.node[2 * i + 1] = i / 6;
    }
    int *corner = s.corner;
    for (int i = 0; i < 5; i++) {
        int c[4] = { i, i + 1, i + 7, i + 6 };
        int list[6] = { c[0], c[1], c[2], i < 2 ? c[3] : c[0], c[2], c[3] };
        for (int k = 0; k < (i < 2 ? 4 : 6); k++) *corner++ = list[k];
        s.kind[s.elements++] = i < 2 ? SCREE_Q4 : SCREE_T3;
        if (i >= 2) s.kind[s.elements++] = SCREE_T3;
    }
    return s;
}

/// Eight H8, two by two by two.
static sample bricks(void) {
    sample s = { .space = 3, .nodes = 27, .elements = 8 };
    int *corner = s.corner;
    for (int i = 0; i < 27; i++) {
        s.node[3 * i] = i % 3;
        s.node[3 * i + 1] = i / 3 % 3;
        s.node[3 * i + 2] = i / 9;
    }
    for (int e = 0; e < 8; e++) {
        int at = e % 2 + e / 2 % 2 * 3 + e / 4 * 9;
        int list[8] = { at, at + 1, at + 4, at + 3, at + 9, at + 10, at + 13, at + 12 };
        for (int k = 0; k < 8; k++) *corner++ = list[k];
        s.kind[e] = SCREE_H8;
    }
    return s;
}

static void mixed(void) {
    sample s = strip();
    scree_mesh *m;
    scree_error err = { 0 };
    CHECK_INT(make(&s, &m, &err), SCREE_OK);
    CHECK_INT(m->facets, 12);
    CHECK_NEAR(judge_mesh(m), 5, 1e-14);
    scree_mesh_free(m);
    s = bricks();
    for (int c = 0; c < 3; c++) s.node[3 * 13 + c] += 0.1 * (c + 1);
    CHECK_INT(make(&s, &m, &err), SCREE_OK);
    CHECK_INT(m->facets, 24);
    CHECK_NEAR(judge_mesh(m), 8, 1e-13);
    scree_mesh_free(m);
    // a T4 on an edge of a brick: two bodies at a hinge, odd but well formed
    s = (sample){ .space = 3, .nodes = 10, .elements = 2, .kind = { SCREE_H8, SCREE_T4 } };
    const int corner[12] = { 0, 1, 2, 3, 4, 5, 6, 7, 1, 8, 5, 9 };
    const double node[30] = { 0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1,  0, 0, 0,  1,
                              1, 0, 1, 1, 1, 1, 0, 1, 1, 2, -1, 0, 1, -1, 0 };
    memcpy(s.corner, corner, sizeof corner);
    memcpy(s.node, node, sizeof node);
    if (make(&s, &m, &err)) COMPLAIN("%s", err.text);
    if (m) CHECK_INT(m->facets, 10);
    if (m) CHECK_NEAR(judge_mesh(m), 1 + 1. / 6, 1e-13);
    scree_mesh_free(m);
    // and on half a face of it
    s.corner[9] = 2;
    s.corner[10] = 5;
    s.corner[11] = 8;
    s.nodes = 9;
    s.node[3 * 8] = 2;
    s.node[3 * 8 + 1] = 0.5;
    refuse(&s, "elements 0 (H8) and 1 (T4) do not fit: a triangle lies on half");
}

static int times_in(const scree_mesh *m, const int *facet, int corners, const int *name) {
    int times = 0;
    for (int f = 0; f < m->facets; f++) {
        if (mesh_facet_corners(m, f) != corners) continue;
        // the same cycle from another start
        for (int shift = 0; shift < corners; shift++) {
            int same = 0;
            for (int k = 0; k < corners; k++)
                same += m->facet[4 * f + (k + shift) % corners] == name[facet[k]];
            times += same == corners;
        }
    }
    return times;
}

/// Nodes renamed and elements in another order: the same facets under their new names.
static void numbering(void) {
    seed = 7;
    for (int round = 0; round < 40; round++) {
        sample s = round % 2 ? strip() : bricks(), t = s;
        scree_mesh *m, *n;
        int name[64], order[64], end = 0, first[65] = { 0 };
        shuffle(name, s.nodes);
        shuffle(order, s.elements);
        for (int e = 0; e < s.elements; e++)
            first[e + 1] = first[e] + scree_element_corners(s.kind[e]);
        for (int i = 0; i < s.nodes; i++)
            for (int c = 0; c < s.space; c++)
                t.node[name[i] * s.space + c] = s.node[i * s.space + c];
        for (int e = 0; e < s.elements; e++) {
            t.kind[e] = s.kind[order[e]];
            for (int k = first[order[e]]; k < first[order[e] + 1]; k++)
                t.corner[end++] = name[s.corner[k]];
        }
        CHECK_INT(make(&s, &m, NULL), SCREE_OK);
        CHECK_INT(make(&t, &n, NULL), SCREE_OK);
        if (!m || !n) return;
        CHECK_INT(m->facets, n->facets);
        CHECK_NEAR(judge_mesh(m), judge_mesh(n), 1e-12);
        for (int f = 0; f < m->facets; f++)
            CHECK_INT(times_in(n, m->facet + 4 * f, mesh_facet_corners(m, f), name), 1);
        scree_mesh_free(m);
        scree_mesh_free(n);
    }
}

static void groups(void) {
    static const int ends[] = { 6, 0, -1, -1, 5, 11, -1, -1 }, point[] = { 9, 2, 9 },
                     inner[] = { 8, 2, -1, -1, 1, 7, -1, -1 };
    sample s = strip();
    s.parts = 3;
    s.part[0] = (scree_mesh_part){ .name = "two ends", .node = ends, .facets = 2 };
    s.part[1] = (scree_mesh_part){ .name = "points", .node = point, .nodes = 3 };
    s.part[2] = (scree_mesh_part){ .name = "inside", .node = inner, .facets = 2 };
    scree_mesh *m;
    CHECK_INT(make(&s, &m, NULL), SCREE_OK);
    judge_mesh(m);
    CHECK_INT(m->groups, 4);
    CHECK_INT(m->group[0].facets, 2);
    CHECK_INT(m->group[0].nodes, 4);
    for (int k = 0; k < 2; k++) {
        const int *node = m->facet + 4 * m->group[0].facet[k];
        CHECK((node[0] == 6 && node[1] == 0) || (node[0] == 5 && node[1] == 11));
    }
    CHECK_INT(m->group[1].facets, 0);
    CHECK_INT(m->group[1].nodes, 2);
    CHECK(m->group[1].node[0] == 2 && m->group[1].node[1] == 9);
    CHECK_INT(m->group[2].facets, 0);
    CHECK_INT(m->group[2].nodes, 4);
    CHECK_TEXT(m->group[3].name, "boundary");
    scree_mesh_free(m);
    // the whole boundary under its own name, given from a mesh that knows it
    s.parts = 0;
    CHECK_INT(make(&s, &m, NULL), SCREE_OK);
    s.parts = 2;
    s.part[0] = (scree_mesh_part){ .name = "boundary", .node = m->facet, .facets = m->facets };
    scree_mesh *again;
    CHECK_INT(make(&s, &again, NULL), SCREE_OK);
    CHECK_INT(again->groups, 2);
    judge_mesh(again);
    s.part[0].facets--;
    refuse(&s, "group \"boundary\" has 11 of 12 facets: the name means all of them");
    scree_mesh_free(again);
    scree_mesh_free(m);
}

static void bad_groups(void) {
    sample s = strip();
    s.parts = 1;
    const int half_inside[] = { 6, 0, -1, -1, 1, 7, -1, -1 }, nothing[] = { 0, 8, -1, -1 },
              far_away[] = { 3, 12 }, strange[] = { 0, 99, -1, -1 }, one[] = { 1 };
    s.part[0] = (scree_mesh_part){ .name = "x", .node = half_inside, .facets = 2 };
    refuse(&s, "group \"x\": 1 of its 2 facets lie inside the body, such as that of nodes 1 7");
    s.part[0] = (scree_mesh_part){ .name = "x", .node = nothing, .facets = 1 };
    refuse(&s, "group \"x\": nodes 0 8 are not a side of an element");
    s.part[0] = (scree_mesh_part){ .name = "x", .node = strange, .facets = 1 };
    refuse(&s, "group \"x\": nodes 0 99 are not a side of an element");
    s.part[0] = (scree_mesh_part){ .name = "x", .node = far_away, .nodes = 2 };
    refuse(&s, "group \"x\" names node 12: the mesh has nodes 0 to 11");
    s.part[0] = (scree_mesh_part){ .name = "x", .node = one };
    refuse(&s, "group \"x\" is empty");
    s.part[0] = (scree_mesh_part){ .name = "x", .node = one, .facets = -1 };
    refuse(&s, "group \"x\" is empty");
    s.part[0] = (scree_mesh_part){ .name = "", .node = one, .nodes = 1 };
    refuse(&s, "group 0 of the mesh has no name");
    s.part[0].name = NULL;
    refuse(&s, "group 0 of the mesh has no name");
    s.part[0] = s.part[1] = (scree_mesh_part){ .name = "x", .node = one, .nodes = 1 };
    s.part[0].nodes = 2000000000;
    refuse(&s, "group \"x\" is too large: at most 10000000");
    s.part[0].nodes = 1;
    s.parts = 2;
    refuse(&s, "two groups are called \"x\"");
}

/// In the plane all elements may be clockwise; some of them, or those of space, may not.
static void turned(void) {
    sample s = strip(), t = s;
    int first = 0;
    for (int e = 0; e < s.elements; e++) {
        int count = scree_element_corners(s.kind[e]);
        for (int k = 0; k < count; k++) t.corner[first + k] = s.corner[first + count - 1 - k];
        first += count;
    }
    scree_mesh *m;
    CHECK_INT(make(&t, &m, NULL), SCREE_OK);
    CHECK_NEAR(judge_mesh(m), 5, 1e-14);
    scree_mesh_free(m);
    memcpy(t.corner, s.corner, 4 * sizeof *s.corner);
    refuse(&t, "7 of 8 elements cannot be used: element 1 is turned inside out, element 2 is ");
    s = bricks();
    for (int e = 0; e < 8; e++)
        for (int k = 0; k < 4; k++) {
            int kept = s.corner[8 * e + k];
            s.corner[8 * e + k] = s.corner[8 * e + 4 + k];
            s.corner[8 * e + 4 + k] = kept;
        }
    refuse(&s, "8 of 8 elements cannot be used: element 0 is turned inside out, element 1");
    refuse(&s, "element 4 is turned inside out, ...");
}

static void bad_elements(void) {
    sample s = strip();
    s.node[2 * 7] = 3.5;  // past its neighbours
    refuse(&s, "1 of 8 elements cannot be used: element 1 is flat or folded inwards at a corner");
    s = strip();
    s.node[2 * 11 + 1] = s.node[2 * 5 + 1];
    refuse(&s, "element 6 has no size");
    s = strip();
    s.corner[9] = s.corner[8];
    refuse(&s, "element 2 names a node twice");
    s = strip();
    s.node[2 * 6] = s.node[2 * 6 + 1] = 0.5;  // a corner of 180 degrees
    refuse(&s, "1 of 8 elements cannot be used: element 0 is flat or folded inwards at a corner");
    s = bricks();
    s.node[3 * 13] = s.node[3 * 13 + 1] = s.node[3 * 13 + 2] = -0.1;
    refuse(&s, "element 0 is ");
    s = strip();
    s.corner[3] = 12;
    refuse(&s, "element 0 names node 12: the mesh has nodes 0 to 11");
    s.corner[3] = -1;
    refuse(&s, "element 0 names node -1");
    s = strip();
    s.kind[2] = SCREE_T4;
    refuse(&s, "element 2 is of the kind T4: not one of the plane, T3, Q4, T6 or Q8");
    s.kind[2] = (scree_element)9;
    refuse(&s, "element 2 is of the kind ?: not one of the plane");
    s.kind[2] = (scree_element)-1;
    refuse(&s, "element 2 is of the kind ?");
    s = bricks();
    s.kind[0] = SCREE_Q4;
    refuse(&s, "element 0 is of the kind Q4: not one of space, T4, H8, T10 or H20");
    s = strip();
    s.node[7] = NAN;
    s.node[20] = INFINITY;
    refuse(&s, "coordinates must be finite, those of 2 of 12 are not: 3, 10");
    s = strip();
    s.nodes = 20;
    refuse(&s, "nodes without an element: 12, 13, 14, 15, 16, ... (8 of 20)");
    CHECK_INT(scree_element_corners((scree_element)9), 0);
}

static void bad_neighbours(void) {
    sample s = { .space = 2, .nodes = 5, .elements = 3 };
    const double node[] = { 0, 0, 1, 0, 0, 1, 0.2, 0.8, 1, -1 };
    const int corner[] = { 0, 1, 2, 0, 1, 3, 1, 0, 4 };
    memcpy(s.node, node, sizeof node);
    memcpy(s.corner, corner, sizeof corner);
    refuse(&s, "3 elements share one side: elements 0, 1, 2");
    s.elements = 2;
    s.nodes = 4;
    refuse(&s, "elements 0 and 1 overlap: they lie on the same side of what they share");
    // the same element twice
    s.nodes = 3;
    s.corner[5] = 2;
    refuse(&s, "elements 0 and 1 overlap");
    // two bricks one in the other on a face that they share
    s = bricks();
    memcpy(s.corner + 8, s.corner, 8 * sizeof *s.corner);
    s.elements = 2;
    s.nodes = 14;
    refuse(&s, "nodes without an element: 2, 5, 6, 7, 8, ... (6 of 14)");
}

static void bad_counts(void) {
    sample s = strip();
    s.space = 1;
    refuse(&s, "a mesh has 2 or 3 dimensions, got 1");
    s = strip();
    s.nodes = 0;
    refuse(&s, "a mesh of 0 nodes, 8 elements and 0 groups");
    s = strip();
    s.elements = -1;
    refuse(&s, "a mesh of 12 nodes, -1 elements");
    s = strip();
    s.elements = 10000001;
    refuse(&s, "12 nodes and 10000001 elements are too many: at most 10000000 each");
    scree_mesh_free(NULL);
}

static void refuse_box(double low, double size, int cells, scree_element kind,
                       const char *sentence) {
    const double lows[3] = { 0, 0, low }, sizes[3] = { 1, 1, size };
    const int all[3] = { 200, 200, cells };
    scree_mesh *m = (scree_mesh *)1;
    scree_error err = { 0 };
    CHECK_INT(scree_mesh_box(lows, sizes, all, kind, &m, &err), SCREE_BAD_INPUT);
    CHECK(m == NULL);
    if (!strstr(err.text, sentence)) COMPLAIN("\"%s\" instead of \"%s\"", err.text, sentence);
}

static void bad_grids(void) {
    refuse_box(0, 1, 1, SCREE_T3, "a box is made of T4, H8, T10 or H20");
    refuse_box(0, 0, 1, SCREE_T4, "the size of a mesh must be positive, got 0");
    refuse_box(0, NAN, 1, SCREE_T4, "the size of a mesh must be positive, got nan");
    refuse_box(INFINITY, 1, 1, SCREE_T4, "the low corner of a mesh must be finite, got inf");
    refuse_box(0, 1, 0, SCREE_H8, "a mesh needs 1 cell or more, got 0");
    refuse_box(0, 1, 2000000000, SCREE_H8,
               "80802000040401 nodes and 80000000000000 elements are too many");
    refuse_box(1e20, 1, 1, SCREE_H8, "40000 of 40000 elements cannot be used: element 0 has no");
    const double at[2] = { 0, 0 }, size[2] = { 1, 1 };
    const int cells[2] = { 1, 1 };
    scree_mesh *m;
    scree_error err = { 0 };
    CHECK_INT(scree_mesh_rectangle(at, size, cells, SCREE_H8, 0, &m, &err), SCREE_BAD_INPUT);
    CHECK_TEXT(err.text, "a rectangle is made of T3, Q4, T6 or Q8");
    CHECK_INT(scree_mesh_disc(at, 1, 3, SCREE_T4, &m, &err), SCREE_BAD_INPUT);
    CHECK_TEXT(err.text, "a disc is made of T3, Q4, T6 or Q8");
    CHECK_INT(scree_mesh_disc(at, -1, 3, SCREE_T3, &m, &err), SCREE_BAD_INPUT);
    CHECK_TEXT(err.text, "the radius of a disc must be positive, got -1");
    CHECK_INT(scree_mesh_disc(at, 1, 0, SCREE_T3, &m, &err), SCREE_BAD_INPUT);
    CHECK_TEXT(err.text, "a mesh needs 1 cell or more, got 0");
    const double nowhere[2] = { 0, NAN };
    CHECK_INT(scree_mesh_disc(nowhere, 1, 2, SCREE_T3, &m, &err), SCREE_BAD_INPUT);
    CHECK(strstr(err.text, "the centre of a disc must be finite") != NULL);
}

static void allocations(void) {
    const double low[3] = { 0, 0, 0 }, size[3] = { 1, 1, 1 };
    const int cells[3] = { 12, 12, 12 };
    long all = 0;
    for (long n = 0; n <= all; n++) {
        scree_mesh *m;
        scree_error err = { 0 };
        calls = 0;
        fails_at = n ? n : 1000000;
        scree_status status = scree_mesh_box(low, size, cells, SCREE_T4, &m, &err);
        fails_at = 0;
        if (n == 0) all = calls;
        CHECK_INT(status, n ? SCREE_NO_MEMORY : SCREE_OK);
        CHECK((m != NULL) == (n == 0));
        if (n) CHECK_TEXT(err.text, "out of memory for a mesh");
        scree_mesh_free(m);
    }
    CHECK(all > 10);
}

TEST_FILE(test_fem_mesh) {
    TEST(rectangles);
    TEST(diagonals);
    TEST(boxes);
    TEST(discs);
    TEST(mixed);
    TEST(numbering);
    TEST(groups);
    TEST(bad_groups);
    TEST(turned);
    TEST(bad_elements);
    TEST(bad_neighbours);
    TEST(bad_counts);
    TEST(bad_grids);
    TEST(allocations);
    return harness_end();
}
