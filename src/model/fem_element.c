// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// fem_element.c - one finite element: shape functions, mass.
// in: nodes, moduli.   out: points with gradients, integrals of shape functions.
//
// Integrals are sums over points: one for T3 and T4, 2 in each direction (Gauss) for Q4 and H8.
// That is exact for the mass of Q4 too; H8 needs 3, as its Jacobian is quadratic in each direction.
// Q8 and H20 have 3, T6 six points that are exact for polynomials of degree 4, T10 fourteen for 5:
// so the integrals of gradients are exact also where edges are curved, as the patch test wants it.

#include "model/fem_element.h"

#include <math.h>

#include "base/space.h"
#include "model/fem_kind.h"

// signs of the corners of Q4 (the first four, without z) and H8 in the reference cube
static const double sign[8][3] = {
    { -1, -1, -1 }, { 1, -1, -1 }, { 1, 1, -1 }, { -1, 1, -1 },
    { -1, -1, 1 },  { 1, -1, 1 },  { 1, 1, 1 },  { -1, 1, 1 },
};

void scree_fem_element_shape(const scree_mesh *mesh, int element, scree_fem_shape *shape) {
    int space = mesh->space, first = mesh->first[element];
    *shape = (scree_fem_shape){ .row = scree_fem_kind_of(mesh->kind[element]),
                                .nodes = mesh->first[element + 1] - first,
                                .space = space,
                                .node = mesh->corner + first };
    const double *origin = mesh->node + (size_t)shape->node[0] * (size_t)space;
    for (int a = 1; a < shape->nodes; a++) {
        const double *x = mesh->node + (size_t)shape->node[a] * (size_t)space;
        for (int c = 0; c < space; c++) shape->at[a][c] = x[c] - origin[c];
    }
}

// ---- shape functions

// N and its derivatives by the reference coordinates: barycentric ones of the corners behind the
// first, or those of the cube
static void fill_linear_simplex(int corners, const double xi[3], double *value,
                                double (*slope)[3]) {
    value[0] = 1;
    for (int c = 0; c < 3; c++) slope[0][c] = -1;
    for (int a = 1; a < corners; a++) {
        value[0] -= xi[a - 1];
        value[a] = xi[a - 1];
        for (int c = 0; c < 3; c++) slope[a][c] = c == a - 1;
    }
}

// corners L (2 L - 1), middles 4 L_a L_b
static void fill_quadratic_simplex(const scree_fem_kind *kind, const double xi[3], double *value,
                                   double (*slope)[3]) {
    double L[4], dL[4][3];
    fill_linear_simplex(kind->corners, xi, L, dL);
    for (int a = 0; a < kind->corners; a++) {
        value[a] = L[a] * (2 * L[a] - 1);
        for (int c = 0; c < 3; c++) slope[a][c] = (4 * L[a] - 1) * dL[a][c];
    }
    for (int m = kind->corners; m < kind->nodes; m++) {
        int a = kind->edge[m - kind->corners][0], b = kind->edge[m - kind->corners][1];
        value[m] = 4 * L[a] * L[b];
        for (int c = 0; c < 3; c++) slope[m][c] = 4 * (L[a] * dL[b][c] + L[b] * dL[a][c]);
    }
}

static void fill_linear_cube(int corners, int space, const double xi[3], double *value,
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

// A product of functions of one coordinate each, and of a sum: corners (1 + s xi)/2 and the sum of
// all s xi less space - 1; middles have 1 - xi^2 along their edge and no sum.
static void fill_quadratic_cube(const scree_fem_kind *kind, const double xi[3], double *value,
                                double (*slope)[3]) {
    for (int n = 0; n < kind->nodes; n++) {
        bool corner = n < kind->corners;
        int a = corner ? n : kind->edge[n - kind->corners][0];
        int b = corner ? n : kind->edge[n - kind->corners][1];
        double f[3] = { 1, 1, 1 }, df[3] = { 0 }, sum = corner ? 1.0 - kind->space : 1;
        for (int c = 0; c < kind->space; c++) {
            bool along = sign[a][c] != sign[b][c];
            f[c] = along ? 1 - xi[c] * xi[c] : (1 + sign[a][c] * xi[c]) / 2;
            df[c] = along ? -2 * xi[c] : sign[a][c] / 2;
            if (corner) sum += sign[a][c] * xi[c];
        }
        double product = f[0] * f[1] * f[2];
        value[n] = product * sum;
        for (int c = 0; c < 3; c++) {
            double rest = df[c] * f[(c + 1) % 3] * f[(c + 2) % 3];
            bool inner = corner && c < kind->space;
            slope[n][c] = rest * sum + (inner ? product * sign[a][c] : 0);
        }
    }
}

static void fill_functions(const scree_fem_shape *shape, const double xi[3], double *value,
                           double (*slope)[3]) {
    const scree_fem_kind *row = shape->row;
    if (row->simplex && row->quadratic)
        fill_quadratic_simplex(row, xi, value, slope);
    else if (row->simplex)
        fill_linear_simplex(row->nodes, xi, value, slope);
    else if (row->quadratic)
        fill_quadratic_cube(row, xi, value, slope);
    else
        fill_linear_cube(row->nodes, shape->space, xi, value, slope);
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
    double slope[SCREE_FEM_NODES][3], J[3][3] = { { 0 } }, inverse[3][3];
    for (int c = 0; c < 3; c++) point->xi[c] = xi[c];
    fill_functions(shape, xi, point->value, slope);
    for (int a = 1; a < shape->nodes; a++)  // the first node is the origin
        for (int k = 0; k < shape->space; k++)
            for (int c = 0; c < shape->space; c++) J[k][c] += slope[a][k] * shape->at[a][c];
    if (shape->space == 2) J[2][2] = 1;
    double determinant = cofactors(J, inverse);
    if (!(determinant > 0)) return false;
    point->volume = weight * determinant;
    point->determinant = determinant;
    for (int k = 0; k < 3; k++)
        for (int c = 0; c < 3; c++) point->inverse[k][c] = inverse[k][c] / determinant;
    for (int a = 0; a < shape->nodes; a++)
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

// points of a triangle and of a tetrahedron, orbit by orbit: all but one of the barycentric
// coordinates are a, or two are a and two 1/2 - a. Weights add up to 1.
static int fill_orbits(const scree_fem_shape *shape, scree_fem_point *point) {
    static const double triangle[2][2] = { { 0.44594849091596488632, 0.22338158967801146570 },
                                           { 0.09157621350977074346, 0.10995174365532186764 } };
    static const double corners[2][2] = { { 0.31088591926330060980, 0.11268792571801585080 },
                                          { 0.09273525031089122640, 0.07349304311636194934 } };
    static const double edges[2] = { 0.04550370412564964949, 0.04254602077708146686 };
    int count = 0, s = shape->space;
    for (int orbit = 0; orbit < 2; orbit++)
        for (int odd = 0; odd <= s; odd++) {
            double a = s == 2 ? triangle[orbit][0] : corners[orbit][0], xi[3] = { a, a, a };
            double weight = s == 2 ? triangle[orbit][1] / 2 : corners[orbit][1] / 6;
            if (odd > 0) xi[odd - 1] = 1 - s * a;
            if (!fill_point(shape, xi, weight, &point[count++])) return 0;
        }
    for (int pair = 0; s == 3 && pair < 6; pair++) {
        const signed char *both = scree_fem_kind_of(SCREE_T10)->edge[pair];
        double xi[3];
        for (int c = 0; c < 3; c++)
            xi[c] = both[0] == c + 1 || both[1] == c + 1 ? edges[0] : 0.5 - edges[0];
        if (!fill_point(shape, xi, edges[1] / 6, &point[count++])) return 0;
    }
    return count;
}

bool scree_fem_element_middle(const scree_fem_shape *shape, scree_fem_point *point) {
    if (!shape->row->simplex) return fill_points(shape, 1, point) == 1;
    double part = 1.0 / (shape->space + 1);
    return fill_point(shape, (double[3]){ part, part, part }, shape->space == 2 ? 1.0 / 2 : 1.0 / 6,
                      point);
}

int scree_fem_element_points(const scree_fem_shape *shape, scree_fem_point *point) {
    const scree_fem_kind *row = shape->row;
    if (row->simplex)
        return row->quadratic ? fill_orbits(shape, point) : scree_fem_element_middle(shape, point);
    return fill_points(shape, row->quadratic ? 3 : 2, point);
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
    int n = shape->nodes;
    if (!scree_fem_element_middle(shape, &point)) return false;
    double part = point.volume / (n * (n + 1));
    for (int k = 0; k < n * (n - 1) / 2; k++) pair[k] = part;
    for (int a = 0; a < n; a++) own[a] = 2 * part;
    return true;
}

bool scree_fem_element_mass(const scree_fem_shape *shape, double *pair, double *own) {
    scree_fem_point point[SCREE_FEM_POINTS];
    int n = shape->nodes;
    if (shape->row->simplex && !shape->row->quadratic) return fill_simplex_mass(shape, pair, own);
    int points = shape->row == scree_fem_kind_of(SCREE_H8) ? fill_points(shape, 3, point)
                                                           : scree_fem_element_points(shape, point);
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
