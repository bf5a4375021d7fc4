// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// fem_stiffness.c - the stiffness of one finite element.
// in: nodes, moduli.   out: blocks between nodes.
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
//
// Quadratic elements bend by themselves, and would still hardly keep their volume. In the term of
// lambda they have the change of volume that is linear in xi and nearest to theirs, with the
// gradients
//
//     G_a = sum_k psi_k c_ka,   sum_l (int psi_k psi_l) c_la = int psi_k g_a,   psi = 1, xi_1, ...
//
// Constants are among the psi, so that the patch test holds; the terms of mu are as they are, so
// that nothing moves without resistance.

#include "base/dense.h"
#include "base/space.h"
#include "model/fem_element.h"
#include "model/fem_kind.h"

enum { MODES = 12, MOST = 3 * 8, LINEAR = 4, MILD = 10 };

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
        add_modes(&point[p], shape->nodes, moduli, &m);
    }
    return condense(&m, shape->nodes, K);
}

// ---- changes of volume

typedef struct dilatation {
    double c[LINEAR][SCREE_FEM_NODES][3];
    double mean[SCREE_FEM_NODES][3];  // of the gradients
} dilatation;

static bool find_dilatation(const scree_fem_shape *shape, const scree_fem_point *point, int points,
                            dilatation *d) {
    int n = shape->space + 1;
    double gram[LINEAR * LINEAR] = { 0 };
    *d = (dilatation){ 0 };
    for (const scree_fem_point *p = point; p < point + points; p++) {
        const double psi[LINEAR] = { 1, p->xi[0], p->xi[1], p->xi[2] };
        for (int k = 0; k < n; k++) {
            for (int l = 0; l < n; l++) gram[k * n + l] += p->volume * psi[k] * psi[l];
            for (int a = 0; a < shape->nodes; a++)
                for (int c = 0; c < shape->space; c++)
                    d->c[k][a][c] += p->volume * psi[k] * p->gradient[a][c];
        }
    }
    double volume = gram[0];
    if (scree_dense_cholesky(gram, n)) return false;
    for (int a = 0; a < shape->nodes; a++)
        for (int c = 0; c < shape->space; c++) {
            double x[LINEAR];
            d->mean[a][c] = d->c[0][a][c] / volume;
            for (int k = 0; k < n; k++) x[k] = d->c[k][a][c];
            scree_dense_solve(gram, n, x);
            for (int k = 0; k < n; k++) d->c[k][a][c] = x[k];
        }
    return true;
}

static void place_dilatation(const dilatation *d, const scree_fem_shape *shape, const double xi[3],
                             double (*G)[3]) {
    for (int a = 0; a < shape->nodes; a++)
        for (int c = 0; c < 3; c++) {
            G[a][c] = d->c[0][a][c];
            for (int k = 0; k < shape->space; k++) G[a][c] += xi[k] * d->c[k + 1][a][c];
        }
}

bool scree_fem_stiffness_dilatation(const scree_fem_shape *shape,
                                    double gradient[SCREE_FEM_NODES][3]) {
    scree_fem_point point[SCREE_FEM_POINTS], middle;
    dilatation d;
    int points = scree_fem_element_points(shape, point);
    if (!points || !find_dilatation(shape, point, points, &d) ||
        !scree_fem_element_middle(shape, &middle))
        return false;
    place_dilatation(&d, shape, middle.xi, gradient);
    return true;
}

// ---- all of it

static void add_volume(const double a[3], const double b[3], double lambda, int space, double *K) {
    for (int r = 0; r < space; r++)
        for (int c = 0; c < space; c++) K[space * r + c] += lambda * a[r] * b[c];
}

static void add_quadratic_point(const scree_fem_shape *shape, const scree_fem_point *p,
                                const dilatation *d, scree_fem_moduli moduli, double *K) {
    double G[SCREE_FEM_NODES][3], mu = moduli.mu * p->volume, lambda = moduli.lambda * p->volume;
    int space = shape->space;
    bool sparing = shape->row->simplex && space == 3 && lambda > MILD * mu;
    double linear = sparing ? MILD * mu : lambda;
    place_dilatation(d, shape, p->xi, G);
    for (int a = 0; a < shape->nodes; a++)
        for (int b = a + 1; b < shape->nodes; b++, K += space * space) {
            add_block(p->gradient[a], p->gradient[b], 0, mu, space, K);
            add_volume(G[a], G[b], linear, space, K);
            if (sparing) add_volume(d->mean[a], d->mean[b], lambda - linear, space, K);
        }
}

static bool add_quadratic(const scree_fem_shape *shape, const scree_fem_point *point, int points,
                          scree_fem_moduli moduli, double *K) {
    dilatation d;
    if (!find_dilatation(shape, point, points, &d)) return false;
    for (int p = 0; p < points; p++) add_quadratic_point(shape, &point[p], &d, moduli, K);
    return true;
}

bool scree_fem_stiffness_element(const scree_fem_shape *shape, scree_fem_moduli moduli, double *K) {
    scree_fem_point point[SCREE_FEM_POINTS];
    int points = scree_fem_element_points(shape, point), space = shape->space;
    int size = shape->nodes * (shape->nodes - 1) / 2 * space * space;
    for (int k = 0; k < size; k++) K[k] = 0;
    if (points == 0) return false;
    if (shape->row->quadratic) return add_quadratic(shape, point, points, moduli, K);
    for (const scree_fem_point *p = point; p < point + points; p++) {
        double *block = K;
        for (int a = 0; a < shape->nodes; a++)
            for (int b = a + 1; b < shape->nodes; b++, block += space * space)
                add_block(p->gradient[a], p->gradient[b], moduli.lambda * p->volume,
                          moduli.mu * p->volume, space, block);
    }
    return shape->row->simplex || take_modes(shape, point, points, moduli, K);
}
