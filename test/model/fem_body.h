// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// fem_body.h - a mesh with its matrices, and a second way to them: dense, by B^T D B in the
// notation of Voigt, slopes of shape functions by differences, and no code of the library's.

#ifndef SCREE_TEST_FEM_BODY_H
#define SCREE_TEST_FEM_BODY_H

#include <stdlib.h>

#include "harness.h"
#include "model/fem.h"
#include "random.h"

typedef struct body {
    scree_mesh *mesh;
    scree_material material;
    scree_arena arena;
    scree_fem fem;
    int dofs;
} body;

enum { KINDS = SCREE_ELEMENT_KINDS, LINEAR_KINDS = SCREE_H8 + 1 };

static const char *const kind_name[KINDS] = { "T3", "Q4", "T4", "H8", "T6", "Q8", "T10", "H20" };

static inline bool is_planar(scree_element kind) {
    return kind == SCREE_T3 || kind == SCREE_Q4 || kind == SCREE_T6 || kind == SCREE_Q8;
}
static inline bool is_quadratic(scree_element kind) { return (int)kind >= LINEAR_KINDS; }

/// Is its strain the same everywhere?
static inline bool is_constant(scree_element kind) { return kind == SCREE_T3 || kind == SCREE_T4; }

static inline double *vector(body *b) { return SCREE_NEW(&b->arena, double, b->dofs); }
static inline unsigned char *flags(body *b) { return SCREE_NEW(&b->arena, unsigned char, b->dofs); }

static void assemble(body *b) {
    scree_error err = { 0 };
    b->dofs = b->mesh->nodes * b->mesh->space;
    if (scree_fem_assemble(b->mesh, &b->material, &b->arena, &b->fem, &err)) {
        printf("no matrices: %s\n", err.text);
        exit(1);
    }
}

/// A rectangle or a box; thickness and width are 1 unless the caller changes the material.
static body grid(scree_element kind, const double *size, const int *cells,
                 const scree_material *material) {
    static const double low[3] = { 0 };
    body b = { .material = *material };
    scree_error err = { 0 };
    scree_status status =
        is_planar(kind)
            ? scree_mesh_rectangle(low, size, cells, kind, SCREE_DIAGONAL_ALTERNATE, &b.mesh, &err)
            : scree_mesh_box(low, size, cells, kind, &b.mesh, &err);
    if (status) {
        printf("no mesh: %s\n", err.text);
        exit(1);
    }
    return b;
}

static void drop(body *b) {
    scree_mesh_free(b->mesh);
    scree_arena_free(&b->arena);
}

static bool is_on_boundary(const scree_mesh *mesh, int node) {
    const scree_mesh_group *all = &mesh->group[scree_mesh_find(mesh, "boundary")];
    for (int k = 0; k < all->nodes; k++)
        if (all->node[k] == node) return true;
    return false;
}

/// Move nodes at random, by at most `most` along each axis: all of them, or those inside.
static inline void distort(body *b, double most, bool boundary_too) {
    for (int i = 0; i < b->mesh->nodes; i++)
        for (int c = 0; c < b->mesh->space; c++) {
            double move = uniform(-most, most);
            if (boundary_too || !is_on_boundary(b->mesh, i))
                b->mesh->node[i * b->mesh->space + c] += move;
        }
}

static inline const scree_mesh_group *group(const body *b, const char *name) {
    return &b->mesh->group[scree_mesh_find(b->mesh, name)];
}

// ---- the other way

// shape function a at xi
static double shape_value(scree_element kind, int a, const double *xi) {
    static const int cube[8] = { 0, 1, 3, 2, 4, 5, 7, 6 };  // bits: which side along x, y, z
    if (kind == SCREE_T3 || kind == SCREE_T4) {
        double rest = 1 - xi[0] - xi[1] - (kind == SCREE_T4 ? xi[2] : 0);
        return a == 0 ? rest : xi[a - 1];
    }
    double value = 1;
    for (int c = 0; c < (kind == SCREE_Q4 ? 2 : 3); c++)
        value *= cube[a] >> c & 1 ? (1 + xi[c]) / 2 : (1 - xi[c]) / 2;
    return value;
}

// it is linear in each coordinate
static double shape_slope(scree_element kind, int a, const double *xi, int axis) {
    double up[3] = { xi[0], xi[1], xi[2] }, down[3] = { xi[0], xi[1], xi[2] };
    up[axis] = 1;
    down[axis] = -1;
    return (shape_value(kind, a, up) - shape_value(kind, a, down)) / 2;
}

// A x = r by elimination with pivots; returns det A
static double solve_dense(int n, double *A, double *x) {
    double determinant = 1;
    for (int k = 0; k < n; k++) {
        int pivot = k;
        for (int r = k + 1; r < n; r++)
            if (fabs(A[r * n + k]) > fabs(A[pivot * n + k])) pivot = r;
        if (pivot != k) {
            determinant = -determinant;
            double keep = x[k];
            x[k] = x[pivot];
            x[pivot] = keep;
            for (int c = 0; c < n; c++) {
                keep = A[k * n + c];
                A[k * n + c] = A[pivot * n + c];
                A[pivot * n + c] = keep;
            }
        }
        determinant *= A[k * n + k];
        for (int r = k + 1; r < n; r++) {
            double factor = A[r * n + k] / A[k * n + k];
            for (int c = k; c < n; c++) A[r * n + c] -= factor * A[k * n + c];
            x[r] -= factor * x[k];
        }
    }
    for (int k = n - 1; k >= 0; k--) {
        for (int c = k + 1; c < n; c++) x[k] -= A[k * n + c] * x[c];
        x[k] /= A[k * n + k];
    }
    return determinant;
}

// the matrix of Voigt: stresses of angles
static void fill_law(const scree_material *m, int space, double *D) {
    double E = m->young, nu = m->poisson;
    int n = space == 2 ? 3 : 6;
    memset(D, 0, (size_t)(n * n) * sizeof *D);
    double factor = m->plane_stress ? E / (1 - nu * nu) : E / ((1 + nu) * (1 - 2 * nu));
    for (int r = 0; r < space; r++)
        for (int c = 0; c < space; c++)
            D[r * n + c] =
                m->plane_stress ? factor * (r == c ? 1 : nu) : factor * (r == c ? 1 - nu : nu);
    for (int r = space; r < n; r++) D[r * n + r] = E / (2 * (1 + nu));
}

// slopes of all shape functions at xi, and det J
static double slopes(const scree_mesh *mesh, int e, const double *xi, double (*g)[3]) {
    int s = mesh->space, first = mesh->first[e], n = mesh->first[e + 1] - first;
    double determinant = 0;
    for (int a = 0; a < n; a++) {
        double J[9] = { 0 };
        for (int k = 0; k < s; k++) {
            g[a][k] = shape_slope(mesh->kind[e], a, xi, k);
            for (int b = 0; b < n; b++)
                for (int c = 0; c < s; c++)
                    J[k * s + c] += shape_slope(mesh->kind[e], b, xi, k) *
                                    mesh->node[mesh->corner[first + b] * s + c];
        }
        determinant = solve_dense(s, J, g[a]);
    }
    return determinant;
}

// the matrix B of a gradient for each of some displacements: angles, rows of 36
enum { COLUMNS = 36 };

static void fill_strains(int s, int n, double (*g)[3], double *B) {
    static const int pair[2][3][2] = { { { 0, 1 } }, { { 0, 1 }, { 1, 2 }, { 0, 2 } } };
    for (int a = 0; a < n; a++)
        for (int c = 0; c < s; c++) B[c * COLUMNS + a * s + c] = g[a][c];
    for (int a = 0; a < n; a++)
        for (int k = s; k < (s == 2 ? 3 : 6); k++) {
            const int *axes = pair[s - 2][k - s];
            B[k * COLUMNS + a * s + axes[0]] = g[a][axes[1]];
            B[k * COLUMNS + a * s + axes[1]] = g[a][axes[0]];
        }
}

// slopes of 1 - xi_k^2 in the axes of the middle, of one integral zero
static void inner_slopes(const scree_mesh *mesh, int e, const double *xi, double (*g)[3]) {
    int s = mesh->space, first = mesh->first[e], n = mesh->first[e + 1] - first;
    static const double zero[3] = { 0 };
    double unused[8][3];
    double share = slopes(mesh, e, zero, unused) / slopes(mesh, e, xi, unused);
    for (int k = 0; k < s; k++) {
        double J[9] = { 0 };
        for (int b = 0; b < n; b++)
            for (int r = 0; r < s; r++)
                for (int c = 0; c < s; c++)
                    J[r * s + c] += shape_slope(mesh->kind[e], b, zero, r) *
                                    mesh->node[mesh->corner[first + b] * s + c];
        for (int c = 0; c < s; c++) g[k][c] = c == k ? -2 * xi[k] : 0;
        solve_dense(s, J, g[k]);
        for (int c = 0; c < s; c++) g[k][c] *= share;
    }
}

// strains of an element at xi: of its corners, and behind them of what is condensed; det J
static double all_strains(const scree_mesh *mesh, int e, const double *xi, int *inner, double *B) {
    int s = mesh->space, n = mesh->first[e + 1] - mesh->first[e];
    double g[11][3], determinant = slopes(mesh, e, xi, g);
    memset(B, 0, 6 * COLUMNS * sizeof *B);
    *inner = 0;
    if (n == s + 1) {
        fill_strains(s, n, g, B);
        return determinant;
    }
    inner_slopes(mesh, e, xi, g + n);
    fill_strains(s, n + s, g, B);
    *inner = s * s;
    for (int k = 0; s == 3 && k < 3; k++, ++*inner)  // volume alone, as xi_k xi_l
        for (int c = 0; c < 3; c++)
            B[c * COLUMNS + s * n + *inner] = xi[k] * xi[(k + 1) % 3] / determinant;
    return determinant;
}

// one point's part of the matrix of an element, COLUMNS wide
static void add_point(const body *b, int e, const double *xi, double weight, int *inner,
                      double *k) {
    const scree_mesh *mesh = b->mesh;
    int s = mesh->space, rows = s == 2 ? 3 : 6, n = mesh->first[e + 1] - mesh->first[e];
    double D[36], B[6 * COLUMNS];
    double share = weight * all_strains(mesh, e, xi, inner, B);
    share *= s == 2 ? b->material.thickness : 1;
    fill_law(&b->material, s, D);
    for (int p = 0; p < n * s + *inner; p++)
        for (int q = 0; q < n * s + *inner; q++)
            for (int r = 0; r < rows; r++)
                for (int t = 0; t < rows; t++)
                    k[p * COLUMNS + q] +=
                        share * B[r * COLUMNS + p] * D[r * rows + t] * B[t * COLUMNS + q];
}

// take the last out, one after the other, and put what is left where it belongs
static void put_element(const body *b, int e, int inner, double *k, double *K) {
    int s = b->mesh->space, first = b->mesh->first[e];
    int outer = s * (b->mesh->first[e + 1] - first);
    for (int last = outer + inner - 1; last >= outer; last--)
        for (int p = 0; p < last; p++)
            for (int q = 0; q < last; q++)
                k[p * COLUMNS + q] -=
                    k[p * COLUMNS + last] * k[last * COLUMNS + q] / k[last * COLUMNS + last];
    for (int p = 0; p < outer; p++)
        for (int q = 0; q < outer; q++) {
            int row = b->mesh->corner[first + p / s] * s + p % s;
            int column = b->mesh->corner[first + q / s] * s + q % s;
            K[row * b->dofs + column] += k[p * COLUMNS + q];
        }
}

/// K as a dense matrix (dofs x dofs), drawn from the body's arena.
static inline double *dense_stiffness(body *b) {
    double *K = SCREE_NEW(&b->arena, double, b->dofs * b->dofs);
    double third[3] = { 1.0 / 3, 1.0 / 3, 0 }, quarter[3] = { 0.25, 0.25, 0.25 };
    for (int e = 0; e < b->mesh->elements; e++) {
        scree_element kind = b->mesh->kind[e];
        double k[COLUMNS * COLUMNS] = { 0 };
        int inner = 0, points = kind == SCREE_Q4 ? 4 : kind == SCREE_H8 ? 8 : 0;
        if (kind == SCREE_T3) add_point(b, e, third, 1.0 / 2, &inner, k);
        if (kind == SCREE_T4) add_point(b, e, quarter, 1.0 / 6, &inner, k);
        for (int p = 0; p < points; p++) {
            double xi[3];
            for (int c = 0; c < 3; c++) xi[c] = (p >> c & 1 ? 1 : -1) / sqrt(3);
            add_point(b, e, xi, 1, &inner, k);
        }
        put_element(b, e, inner, k, K);
    }
    return K;
}

/// int N_i N_j over Q4 or H8 by four points in each direction, for density and thickness 1 (nodes x
/// nodes).
static inline double *dense_mass(body *b) {
    static const double place[4] = { -0.8611363115940526, -0.3399810435848563, 0.3399810435848563,
                                     0.8611363115940526 };
    static const double weight[4] = { 0.3478548451374538, 0.6521451548625461, 0.6521451548625461,
                                      0.3478548451374538 };
    const scree_mesh *mesh = b->mesh;
    double *M = SCREE_NEW(&b->arena, double, mesh->nodes * mesh->nodes), g[8][3];
    for (int e = 0; e < mesh->elements; e++)
        for (int p = 0; p < (mesh->space == 2 ? 16 : 64); p++) {
            int first = mesh->first[e], n = mesh->first[e + 1] - first,
                at[3] = { p % 4, p / 4 % 4, p / 16 };
            double xi[3], share = 1;
            for (int c = 0; c < mesh->space; c++) {
                xi[c] = place[at[c]];
                share *= weight[at[c]];
            }
            share *= slopes(mesh, e, xi, g);
            for (int k = 0; k < n; k++)
                for (int l = 0; l < n; l++)
                    M[mesh->corner[first + k] * mesh->nodes + mesh->corner[first + l]] +=
                        share * shape_value(mesh->kind[e], k, xi) *
                        shape_value(mesh->kind[e], l, xi);
        }
    return M;
}

#endif
