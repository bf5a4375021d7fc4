// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// fem_stiffness.c - the stiffness of one finite element.
// in: corners, moduli.   out: blocks between corners.
//
//     K_ab = int  lambda g_a g_b^T + mu g_b g_a^T + mu (g_a . g_b) 1,     g_a: gradient of N_a
//
// which is B_a^T D B_b of an isotropic material written out.
//
// Q4 and H8 alone cannot bend, and cannot keep their volume. They get strains besides those of
// their corners, which nobody outside of the element sees (incompatible modes, Taylor's form):
//
//     of displacements 1 - xi_k^2 along each axis, gradient  g = (j_0 / j) J_0^-1 (-2 xi_k e_k)
//     H8: of the volume alone, strain  (j_0 / j) xi_k xi_l 1
//
// with J_0, j_0 of the middle. Their integrals over the element are zero, so that constant stress
// does no work in them and the patch test holds in any shape. They are condensed:
//
//     K - C^T A^-1 C,     A: among the modes,   C: of modes and corners

#include "base/dense.h"
#include "base/space.h"
#include "model/fem_element.h"

enum { MODES = 12, MOST = 3 * SCREE_FEM_CORNERS };

static void add_block(const double a[3], const double b[3], double lambda, double mu, int space,
                      double *K) {
    double both = mu * scree_dot(a, b);
    for (int r = 0; r < space; r++) {
        for (int c = 0; c < space; c++) K[space * r + c] += lambda * a[r] * b[c] + mu * b[r] * a[c];
        K[space * r + r] += both;
    }
}

// ---- modes

typedef struct modes {
    int space, axes, volumes, count;  // displacements, strains of the volume; of all
    double gradient[3][3];            // of the displacements at a point
    double strain[3];                 // of the volumes there
    double A[MODES * MODES];
    double C[MODES * MOST];  // a row for each mode: corner after corner
} modes;

static void place_modes(const scree_fem_point *middle, double unit, const scree_fem_point *p,
                        modes *m) {
    double share = middle->determinant / p->determinant;
    for (int k = 0; k < m->axes; k++)
        for (int c = 0; c < 3; c++)
            m->gradient[k][c] = -2 * p->xi[k] * share * middle->inverse[k][c];
    for (int k = 0; k < m->volumes; k++)
        m->strain[k] = share * p->xi[k] * p->xi[(k + 1) % 3] * unit;
}

static void add_modes(const scree_fem_point *p, int corners, scree_fem_moduli moduli, modes *m) {
    double lambda = moduli.lambda * p->volume, mu = moduli.mu * p->volume;
    double bulk = 3 * lambda + 2 * mu;
    int s = m->space, width = s * corners;
    for (int k = 0; k < m->axes; k++) {
        double block[9];
        for (int b = 0; b < corners + m->axes; b++) {
            bool inner = b >= corners;
            for (int i = 0; i < s * s; i++) block[i] = 0;
            add_block(m->gradient[k], inner ? m->gradient[b - corners] : p->gradient[b], lambda, mu,
                      s, block);
            for (int r = 0; r < s; r++)
                for (int c = 0; c < s; c++) {
                    int row = s * k + r;
                    double *to = inner ? &m->A[row * m->count + s * (b - corners) + c]
                                       : &m->C[row * width + s * b + c];
                    *to += block[s * r + c];
                }
        }
    }
    for (int k = 0; k < m->volumes; k++) {
        int row = s * m->axes + k;
        double stress = bulk * m->strain[k];
        for (int b = 0; b < corners; b++)
            for (int c = 0; c < s; c++) m->C[row * width + s * b + c] += stress * p->gradient[b][c];
        for (int b = 0; b < m->axes; b++)
            for (int c = 0; c < s; c++)
                m->A[row * m->count + s * b + c] += stress * m->gradient[b][c];
        for (int b = 0; b < m->volumes; b++)
            m->A[row * m->count + s * m->axes + b] += 3 * stress * m->strain[b];
    }
}

// K_ab -= Y_a^T Y_b, where L Y = C and A = L L^T
static bool condense(modes *m, int corners, double *K) {
    int s = m->space, width = s * corners, n = m->count;
    if (scree_dense_cholesky(m->A, n)) return false;
    for (int r = 0; r < n; r++)
        for (int c = 0; c < width; c++) {
            double sum = m->C[r * width + c];
            for (int k = 0; k < r; k++) sum -= m->A[r * n + k] * m->C[k * width + c];
            m->C[r * width + c] = sum / m->A[r * n + r];
        }
    for (int a = 0; a < corners; a++)
        for (int b = a + 1; b < corners; b++, K += s * s)
            for (int k = 0; k < n; k++)
                for (int r = 0; r < s; r++)
                    for (int c = 0; c < s; c++)
                        K[s * r + c] -= m->C[k * width + s * a + r] * m->C[k * width + s * b + c];
    return true;
}

static bool take_modes(const scree_fem_shape *shape, const scree_fem_point *point, int points,
                       scree_fem_moduli moduli, double *K) {
    scree_fem_point middle;
    modes m = { .space = shape->space, .axes = shape->space };
    if (!scree_fem_element_middle(shape, &middle)) return false;
    m.volumes = shape->space == 3 ? 3 : 0;
    m.count = m.axes * m.space + m.volumes;
    // as long as a gradient is, so that A has entries of one size
    double size = scree_length(middle.inverse[0]);
    for (int p = 0; p < points; p++) {
        place_modes(&middle, size, &point[p], &m);
        add_modes(&point[p], shape->corners, moduli, &m);
    }
    return condense(&m, shape->corners, K);
}

bool scree_fem_stiffness_element(const scree_fem_shape *shape, scree_fem_moduli moduli, double *K) {
    scree_fem_point point[SCREE_FEM_POINTS];
    int points = scree_fem_element_points(shape, point), space = shape->space;
    int size = shape->corners * (shape->corners - 1) / 2 * space * space;
    for (int k = 0; k < size; k++) K[k] = 0;
    for (const scree_fem_point *p = point; p < point + points; p++) {
        double *block = K;
        for (int a = 0; a < shape->corners; a++)
            for (int b = a + 1; b < shape->corners; b++, block += space * space)
                add_block(p->gradient[a], p->gradient[b], moduli.lambda * p->volume,
                          moduli.mu * p->volume, space, block);
    }
    if (points == 0) return false;
    bool simplex = shape->corners == space + 1;
    return simplex || take_modes(shape, point, points, moduli, K);
}
