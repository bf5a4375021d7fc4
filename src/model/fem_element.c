// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// fem_element.c - one finite element: shape functions, mass.
// in: corners, moduli.   out: points with gradients, integrals of shape functions.
//
// Integrals are sums over points of Gauss: one for T3 and T4, 2 in each direction for Q4 and H8.
// That is exact for the mass of Q4 too; H8 needs 3, as its Jacobian is quadratic in each direction.

#include "model/fem_element.h"

#include <math.h>

#include "base/space.h"

// signs of the corners of Q4 (the first four, without z) and H8 in the reference cube
static const double sign[SCREE_FEM_CORNERS][3] = {
    { -1, -1, -1 }, { 1, -1, -1 }, { 1, 1, -1 }, { -1, 1, -1 },
    { -1, -1, 1 },  { 1, -1, 1 },  { 1, 1, 1 },  { -1, 1, 1 },
};

static bool is_simplex(scree_element kind) { return kind == SCREE_T3 || kind == SCREE_T4; }

void scree_fem_element_shape(const scree_mesh *mesh, int element, scree_fem_shape *shape) {
    int space = mesh->space, first = mesh->first[element];
    *shape = (scree_fem_shape){ .kind = mesh->kind[element],
                                .corners = mesh->first[element + 1] - first,
                                .space = space,
                                .node = mesh->corner + first };
    const double *origin = mesh->node + (size_t)shape->node[0] * (size_t)space;
    for (int a = 1; a < shape->corners; a++) {
        const double *x = mesh->node + (size_t)shape->node[a] * (size_t)space;
        for (int c = 0; c < space; c++) shape->at[a][c] = x[c] - origin[c];
    }
}

// ---- shape functions

// N and its derivatives by the reference coordinates: barycentric ones of the corners behind the
// first, or those of the cube
static void fill_simplex(int corners, const double xi[3], double *value, double (*slope)[3]) {
    value[0] = 1;
    for (int c = 0; c < 3; c++) slope[0][c] = -1;
    for (int a = 1; a < corners; a++) {
        value[0] -= xi[a - 1];
        value[a] = xi[a - 1];
        for (int c = 0; c < 3; c++) slope[a][c] = c == a - 1;
    }
}

static void fill_cube(int corners, int space, const double xi[3], double *value,
                      double (*slope)[3]) {
    for (int a = 0; a < corners; a++) {
        double factor[3] = { 1, 1, 1 };
        for (int c = 0; c < space; c++) factor[c] = (1 + sign[a][c] * xi[c]) / 2;
        value[a] = factor[0] * factor[1] * factor[2];
        slope[a][0] = sign[a][0] / 2 * factor[1] * factor[2];
        slope[a][1] = factor[0] * sign[a][1] / 2 * factor[2];
        slope[a][2] = space == 3 ? factor[0] * factor[1] * sign[a][2] / 2 : 0;
    }
}

// the cofactors of J = dx / dxi, row after row of the inverse's transpose; returns det J
static double cofactors(double (*J)[3], double (*cofactor)[3]) {
    scree_cross(J[1], J[2], cofactor[0]);
    scree_cross(J[2], J[0], cofactor[1]);
    scree_cross(J[0], J[1], cofactor[2]);
    return scree_dot(J[0], cofactor[0]);
}

static bool fill_point(const scree_fem_shape *shape, const double xi[3], double weight,
                       scree_fem_point *point) {
    double slope[SCREE_FEM_CORNERS][3], J[3][3] = { { 0 } }, inverse[3][3];
    for (int c = 0; c < 3; c++) point->xi[c] = xi[c];
    if (is_simplex(shape->kind))
        fill_simplex(shape->corners, xi, point->value, slope);
    else
        fill_cube(shape->corners, shape->space, xi, point->value, slope);
    for (int a = 1; a < shape->corners; a++)  // the first corner is the origin
        for (int k = 0; k < shape->space; k++)
            for (int c = 0; c < shape->space; c++) J[k][c] += slope[a][k] * shape->at[a][c];
    if (shape->space == 2) J[2][2] = 1;
    double determinant = cofactors(J, inverse);
    if (!(determinant > 0)) return false;
    point->volume = weight * determinant;
    point->determinant = determinant;
    for (int k = 0; k < 3; k++)
        for (int c = 0; c < 3; c++) point->inverse[k][c] = inverse[k][c] / determinant;
    for (int a = 0; a < shape->corners; a++)
        for (int c = 0; c < 3; c++) {
            double sum = 0;
            for (int k = 0; k < shape->space; k++) sum += slope[a][k] * inverse[k][c];
            point->gradient[a][c] = c < shape->space ? sum / determinant : 0;
        }
    return true;
}

// points of Gauss, `order` of them in each direction of the cube
static int fill_points(const scree_fem_shape *shape, int order, scree_fem_point *point) {
    static const double place[4][3] = { [1] = { 0 },
                                        [2] = { -0.57735026918962576, 0.57735026918962576 },
                                        [3] = { -0.77459666924148338, 0, 0.77459666924148338 } };
    static const double weight[4][3] = {
        [1] = { 2 }, [2] = { 1, 1 }, [3] = { 5.0 / 9, 8.0 / 9, 5.0 / 9 }
    };
    int count = 0, levels = shape->space == 3 ? order : 1;
    for (int k = 0; k < levels; k++)
        for (int j = 0; j < order; j++)
            for (int i = 0; i < order; i++) {
                double xi[3] = { place[order][i], place[order][j], place[order][k] };
                double share = weight[order][i] * weight[order][j];
                if (shape->space == 3) share *= weight[order][k];
                if (!fill_point(shape, xi, share, &point[count++])) return 0;
            }
    return count;
}

bool scree_fem_element_middle(const scree_fem_shape *shape, scree_fem_point *point) {
    if (!is_simplex(shape->kind)) return fill_points(shape, 1, point) == 1;
    double part = 1.0 / shape->corners;
    return fill_point(shape, (double[3]){ part, part, part }, shape->space == 2 ? 1.0 / 2 : 1.0 / 6,
                      point);
}

int scree_fem_element_points(const scree_fem_shape *shape, scree_fem_point *point) {
    if (is_simplex(shape->kind)) return scree_fem_element_middle(shape, point);
    return fill_points(shape, 2, point);
}

// ---- integrals

scree_fem_moduli scree_fem_element_moduli(const scree_material *material, int space) {
    double E = material->young, nu = material->poisson;
    scree_fem_moduli moduli = { .mu = E / (2 * (1 + nu)) };
    if (space == 2 && material->plane_stress)
        moduli.lambda = E * nu / ((1 - nu) * (1 + nu));
    else
        moduli.lambda = E * nu / ((1 - 2 * nu) * (1 + nu));
    return moduli;
}

double scree_material_wave_speed(const scree_material *material) {
    scree_fem_moduli moduli = scree_fem_element_moduli(material, 2);
    return sqrt((moduli.lambda + 2 * moduli.mu) / material->density);
}

// int N_a N_b = volume / (n (n + 1)) for different corners of a simplex, twice that for one
static bool fill_simplex_mass(const scree_fem_shape *shape, double *pair, double *own) {
    scree_fem_point point;
    int n = shape->corners;
    if (!scree_fem_element_middle(shape, &point)) return false;
    double part = point.volume / (n * (n + 1));
    for (int k = 0; k < n * (n - 1) / 2; k++) pair[k] = part;
    for (int a = 0; a < n; a++) own[a] = 2 * part;
    return true;
}

bool scree_fem_element_mass(const scree_fem_shape *shape, double *pair, double *own) {
    scree_fem_point point[SCREE_FEM_POINTS];
    int n = shape->corners;
    if (is_simplex(shape->kind)) return fill_simplex_mass(shape, pair, own);
    int points = fill_points(shape, shape->space == 3 ? 3 : 2, point);
    for (int k = 0; k < n * (n - 1) / 2; k++) pair[k] = 0;
    for (int a = 0; a < n; a++) own[a] = 0;
    for (const scree_fem_point *p = point; p < point + points; p++) {
        double *to = pair;
        for (int a = 0; a < n; a++) {
            own[a] += p->volume * p->value[a] * p->value[a];
            for (int b = a + 1; b < n; b++) *to++ += p->volume * p->value[a] * p->value[b];
        }
    }
    return points > 0;
}
