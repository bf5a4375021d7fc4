// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// mesh_judge.h - what must be true of any mesh: volumes by elements and by the boundary agree, the
// boundary is closed and points outwards, groups are in order.

#ifndef SCREE_TEST_MODEL_MESH_JUDGE_H
#define SCREE_TEST_MODEL_MESH_JUDGE_H

#include <stdlib.h>

#include "harness.h"
#include "scree/fem.h"

static const double *mesh_point(const scree_mesh *m, int node) { return m->node + node * m->space; }

static double mesh_det(const double a[3], const double b[3], const double c[3]) {
    return a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) +
           a[2] * (b[0] * c[1] - b[1] * c[0]);
}

static void mesh_minus(const double *a, const double *b, int space, double *out) {
    out[2] = 0;
    for (int c = 0; c < space; c++) out[c] = a[c] - b[c];
}

/// Two points of Gauss in each direction, which is exact here.
static double mesh_brick(const scree_mesh *m, const int *corner) {
    static const int sign[8][3] = { { -1, -1, -1 }, { 1, -1, -1 }, { 1, 1, -1 }, { -1, 1, -1 },
                                    { -1, -1, 1 },  { 1, -1, 1 },  { 1, 1, 1 },  { -1, 1, 1 } };
    double volume = 0;
    for (int g = 0; g < 8; g++) {
        double x[3], jacobian[3][3] = { { 0 } };
        for (int c = 0; c < 3; c++) x[c] = sign[g][c] / sqrt(3);
        for (int k = 0; k < 8; k++)
            for (int c = 0; c < 3; c++) {
                int d = (c + 1) % 3, e = (c + 2) % 3;
                double slope = sign[k][c] * (1 + sign[k][d] * x[d]) * (1 + sign[k][e] * x[e]) / 8;
                for (int i = 0; i < 3; i++) jacobian[c][i] += slope * mesh_point(m, corner[k])[i];
            }
        volume += mesh_det(jacobian[0], jacobian[1], jacobian[2]);
    }
    return volume;
}

static double mesh_element_volume(const scree_mesh *m, int e) {
    const int *corner = m->corner + m->first[e];
    int count = m->first[e + 1] - m->first[e];
    double a[3], b[3], c[3], up[3] = { 0, 0, 1 }, sum = 0;
    if (count == 8) return mesh_brick(m, corner);
    const double *origin = mesh_point(m, corner[0]);
    if (m->space == 3) {
        mesh_minus(mesh_point(m, corner[1]), origin, 3, a);
        mesh_minus(mesh_point(m, corner[2]), origin, 3, b);
        mesh_minus(mesh_point(m, corner[3]), origin, 3, c);
        return mesh_det(a, b, c) / 6;
    }
    for (int k = 1; k + 1 < count; k++) {
        mesh_minus(mesh_point(m, corner[k]), origin, 2, a);
        mesh_minus(mesh_point(m, corner[k + 1]), origin, 2, b);
        sum += mesh_det(a, b, up) / 2;
    }
    return sum;
}

static double mesh_volume(const scree_mesh *m) {
    double sum = 0;
    for (int e = 0; e < m->elements; e++) sum += mesh_element_volume(m, e);
    return sum;
}

static int mesh_facet_corners(const scree_mesh *m, int f) {
    int count = 0;
    while (count < 4 && m->facet[4 * f + count] >= 0) count++;
    return count;
}

/// Outward normal times area of a flat facet, and its middle.
static void mesh_facet_normal(const scree_mesh *m, int f, double normal[3], double middle[3]) {
    const int *node = m->facet + 4 * f;
    int count = mesh_facet_corners(m, f);
    double a[3], b[3];
    for (int c = 0; c < 3; c++) normal[c] = middle[c] = 0;
    for (int k = 0; k < count; k++)
        for (int c = 0; c < m->space; c++) middle[c] += mesh_point(m, node[k])[c] / count;
    if (m->space == 2) {
        mesh_minus(mesh_point(m, node[1]), mesh_point(m, node[0]), 2, a);
        normal[0] = a[1];
        normal[1] = -a[0];
        return;
    }
    // half the product of the diagonals, or of two edges
    mesh_minus(mesh_point(m, node[2]), mesh_point(m, node[0]), 3, a);
    mesh_minus(mesh_point(m, node[count - 1]), mesh_point(m, node[count == 3 ? 0 : 1]), 3, b);
    if (count == 3) {
        mesh_minus(mesh_point(m, node[1]), mesh_point(m, node[0]), 3, a);
        mesh_minus(mesh_point(m, node[2]), mesh_point(m, node[0]), 3, b);
    }
    normal[0] = (a[1] * b[2] - a[2] * b[1]) / 2;
    normal[1] = (a[2] * b[0] - a[0] * b[2]) / 2;
    normal[2] = (a[0] * b[1] - a[1] * b[0]) / 2;
}

static void judge_ascending(const int *number, int count, int end) {
    for (int i = 0; i < count; i++)
        CHECK(number[i] >= 0 && number[i] < end && (i == 0 || number[i] > number[i - 1]));
}

static void judge_groups(const scree_mesh *m) {
    for (int g = 0; g < m->groups; g++) {
        const scree_mesh_group *group = &m->group[g];
        CHECK_INT(scree_mesh_find(m, group->name), g);
        judge_ascending(group->node, group->nodes, m->nodes);
        judge_ascending(group->facet, group->facets, m->facets);
        CHECK(group->nodes > 0);
    }
    int all = scree_mesh_find(m, "boundary");
    CHECK(all >= 0);
    if (all >= 0) CHECK_INT(m->group[all].facets, m->facets);
    CHECK_INT(scree_mesh_find(m, "no such group"), -1);
}

/// Everything that holds for meshes whose boundary facets are flat. Returns the volume.
static double judge_mesh(const scree_mesh *m) {
    double volume = mesh_volume(m), sum = 0, total[3] = { 0 }, area = 0;
    for (int e = 0; e < m->elements; e++) {
        CHECK(mesh_element_volume(m, e) > 0);
        CHECK_INT(m->first[e + 1] - m->first[e], scree_element_corners(m->kind[e]));
    }
    const double *origin = mesh_point(m, 0);
    for (int f = 0; f < m->facets; f++) {
        double normal[3], middle[3], size = 0;
        mesh_facet_normal(m, f, normal, middle);
        for (int c = 0; c < m->space; c++) {
            sum += normal[c] * (middle[c] - origin[c]);
            total[c] += normal[c];
            size += normal[c] * normal[c];
        }
        area += sqrt(size);
        // away from the middle of its element, to which all its nodes belong
        int e = m->owner[f], corners = m->first[e + 1] - m->first[e], own = 0;
        const int *corner = m->corner + m->first[e];
        double out = 0;
        for (int k = 0; k < corners; k++)
            for (int c = 0; c < m->space; c++)
                out += normal[c] * (middle[c] - mesh_point(m, corner[k])[c]);
        CHECK(out > 0);
        for (int k = 0; k < mesh_facet_corners(m, f); k++)
            for (int i = 0; i < corners; i++) own += corner[i] == m->facet[4 * f + k];
        CHECK_INT(own, mesh_facet_corners(m, f));
    }
    CHECK_NEAR(sum / m->space, volume, 1e-12 * volume + 1e-14 * area * area);
    for (int c = 0; c < m->space; c++) CHECK_NEAR(total[c], 0, 1e-12 * area);
    judge_groups(m);
    return volume;
}

#endif
