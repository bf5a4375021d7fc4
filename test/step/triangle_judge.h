// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// triangle_judge.h - matrices of bodies made of triangles, from the textbook: the strain of a
// triangle is constant. Dense, and nothing of src/model is used but the lists of the mesh.

#ifndef SCREE_TEST_STEP_TRIANGLE_JUDGE_H
#define SCREE_TEST_STEP_TRIANGLE_JUDGE_H

#include <stdlib.h>
#include <string.h>

#include "scree/fem.h"

/// K (6 x 6) of the triangle x0 y0 x1 y1 x2 y2; returns its area.
static inline double triangle_stiffness(const double x[6], const scree_material *m, double *K) {
    double E = m->young, nu = m->poisson, area = 0, B[3][6] = { { 0 } }, D[3][3] = { { 0 } };
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        area += (x[2 * i] * x[2 * j + 1] - x[2 * j] * x[2 * i + 1]) / 2;
        B[0][2 * i] = B[2][2 * i + 1] = x[2 * j + 1] - x[2 * k + 1];  // 2 A dN/dx
        B[1][2 * i + 1] = B[2][2 * i] = x[2 * k] - x[2 * j];          // 2 A dN/dy
    }
    double lame = m->plane_stress ? E * nu / (1 - nu * nu) : E * nu / ((1 + nu) * (1 - 2 * nu));
    double shear = E / (2 * (1 + nu));
    D[0][0] = D[1][1] = lame + 2 * shear;
    D[0][1] = D[1][0] = lame;
    D[2][2] = shear;
    for (int r = 0; r < 6; r++)
        for (int c = 0; c < 6; c++) {
            double sum = 0;
            for (int a = 0; a < 3; a++)
                for (int b = 0; b < 3; b++) sum += B[a][r] * D[a][b] * B[b][c];
            K[6 * r + c] = sum * m->thickness / (4 * area);
        }
    return area;
}

static inline void triangle_places(const scree_mesh *mesh, int e, double x[6], int dof[6]) {
    for (int i = 0; i < 6; i++) {
        dof[i] = 2 * mesh->corner[mesh->first[e] + i / 2] + i % 2;
        x[i] = mesh->node[dof[i]];
    }
}

/// force += K u.
static inline void triangle_forces(const scree_mesh *mesh, const scree_material *m, const double *u,
                                   double *force) {
    for (int e = 0; e < mesh->elements; e++) {
        double x[6], K[36];
        int dof[6];
        triangle_places(mesh, e, x, dof);
        triangle_stiffness(x, m, K);
        for (int r = 0; r < 6; r++)
            for (int c = 0; c < 6; c++) force[dof[r]] += K[6 * r + c] * u[dof[c]];
    }
}

/// Dense K and M (n x n, n = 2 nodes), added to what is there.
static inline void triangle_matrices(const scree_mesh *mesh, const scree_material *m, double *K,
                                     double *M) {
    int n = 2 * mesh->nodes;
    for (int e = 0; e < mesh->elements; e++) {
        double x[6], own[36];
        int dof[6];
        triangle_places(mesh, e, x, dof);
        double mass = m->density * m->thickness * triangle_stiffness(x, m, own);
        for (int r = 0; r < 6; r++)
            for (int c = 0; c < 6; c++) {
                bool same_node = r / 2 == c / 2, same_axis = r % 2 == c % 2;
                double share = m->lumped   ? (same_node ? 1.0 / 3 : 0)
                               : same_node ? 1.0 / 6
                                           : 1.0 / 12;
                K[(long)dof[r] * n + dof[c]] += own[6 * r + c];
                if (same_axis) M[(long)dof[r] * n + dof[c]] += share * mass;
            }
    }
}

#endif
