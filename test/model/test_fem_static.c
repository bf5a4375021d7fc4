// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// test_fem_static.c - equilibrium and free vibration against closed forms, orders in the size of
// elements, what can still move, and the solver of many right-hand sides.

#include "base/nested_dissection.h"
#include "base/sparse_cholesky.h"
#include "failing.h"
#include "fem_body.h"

static const double pi = 3.14159265358979323846;
static const scree_material steel = {
    .young = 200, .poisson = 0.3, .density = 8, .thickness = 0.5
};
static scree_error last;

static scree_status find_static(body *b, const unsigned char *held, const double *force,
                                double *u) {
    memset(&last, 0, sizeof last);
    return scree_fem_static(b->mesh, &b->fem, held, force, u, &last);
}

static void hold(const body *b, const char *name, int axis, unsigned char *held) {
    const scree_mesh_group *all = group(b, name);
    for (int k = 0; k < all->nodes; k++) held[all->node[k] * b->mesh->space + axis] = 1;
}

// ---- closed forms

// pulled at its right end, free to contract: stress is the traction everywhere
static void bar_under_end_load(void) {
    static const int cells[3] = { 6, 2, 2 };
    static const double size[3] = { 6, 1, 1 }, pull[3] = { 3 };
    for (int kind = 0; kind < 4; kind++)
        for (int plane_stress = 0; plane_stress < (kind < 2 ? 2 : 1); plane_stress++) {
            scree_material m = steel;
            m.plane_stress = plane_stress;
            body b = grid((scree_element)kind, size, cells, &m);
            distort(&b, 0.1, false);
            assemble(&b);
            int s = b.mesh->space;
            double *force = vector(&b), *u = vector(&b), nu = m.poisson;
            unsigned char *held = flags(&b);
            hold(&b, "left", 0, held);
            hold(&b, s == 2 ? "bottom" : "front", 1, held);
            if (s == 3) hold(&b, "bottom", 2, held);
            scree_traction traction = { .group = scree_mesh_find(b.mesh, "right") };
            scree_fem_add_traction(b.mesh, &m, &traction, pull, force);
            CHECK_INT(find_static(&b, held, force, u), SCREE_OK);
            bool strain = s == 2 && !plane_stress;  // across the plane nothing may contract
            double along = 3 * (strain ? 1 - nu * nu : 1) / m.young;
            double across = -3 * nu * (strain ? 1 + nu : 1) / m.young;
            for (int k = 0; k < b.dofs; k++)
                CHECK_NEAR(u[k], (k % s ? across : along) * b.mesh->node[k], 1e-14);
            drop(&b);
        }
}

// a column that hangs under its weight, nu = 0: u = rho g (L z - z^2 / 2) / E, exact at the nodes
static void column_hangs(void) {
    static const int cells[3] = { 5, 2, 2 };
    static const double size[3] = { 6, 1, 1 };
    // weights of triangles are not the same at all nodes of a cross section, and bend it
    static const scree_element kinds[2] = { SCREE_Q4, SCREE_H8 };
    for (int kind = 0; kind < 2; kind++) {
        scree_material m = steel;
        m.poisson = 0;
        body b = grid(kinds[kind], size, cells, &m);
        assemble(&b);
        int s = b.mesh->space;
        double *force = vector(&b), *u = vector(&b), *reaction = vector(&b), sum = 0;
        unsigned char *held = flags(&b);
        for (int a = 0; a < s; a++) hold(&b, "left", a, held);
        scree_fem_add_volume_force(b.mesh, &m, (double[3]){ m.density * 9.81 }, force);
        CHECK_INT(find_static(&b, held, force, u), SCREE_OK);
        double most = m.density * 9.81 * 18 / m.young;  // at the end that hangs free
        for (int k = 0; k < b.dofs; k++) {
            double x = b.mesh->node[k - k % s];
            CHECK_NEAR(u[k], k % s ? 0 : m.density * 9.81 * (6 * x - x * x / 2) / m.young,
                       1e-13 * most);
        }
        scree_fem_stiffness(&b.fem, u, reaction);
        for (int k = 0; k < b.dofs; k += s)
            if (held[k]) sum += reaction[k] - force[k];
        double weight = m.density * 9.81 * 6 * (s == 2 ? m.thickness : 1);
        CHECK_NEAR(sum, -weight, 1e-13 * weight);
        drop(&b);
    }
}

// pressed down at its top, clamped at its bottom; values of the paper's block
static void pressed_block(void) {
    static const double low[2] = { 0, 0 }, size[2] = { 40, 25 };
    static const int cells[2] = { 40, 25 };
    scree_error err = { 0 };
    body b = { .material = { .young = 5750, .poisson = 0.358, .density = 1, .thickness = 15 } };
    CHECK_INT(scree_mesh_rectangle(low, size, cells, SCREE_T3, SCREE_DIAGONAL_RIGHT, &b.mesh, &err),
              SCREE_OK);
    assemble(&b);
    double *force = vector(&b), *u = vector(&b), *reaction = vector(&b), sum = 0, bound;
    unsigned char *held = flags(&b);
    hold(&b, "bottom", 0, held);
    hold(&b, "bottom", 1, held);
    hold(&b, "top", 1, held);
    const scree_mesh_group *top = group(&b, "top"), *bottom = group(&b, "bottom");
    for (int k = 0; k < top->nodes; k++) u[2 * top->node[k] + 1] = -0.005;
    CHECK_INT(find_static(&b, held, force, u), SCREE_OK);
    double energy = scree_fem_stiffness_form(&b.fem, u, &bound) / 2;
    CHECK_NEAR(energy, 2.1180720028602, 1e-12 * 2.1180720028602);
    scree_fem_stiffness(&b.fem, u, reaction);
    for (int k = 0; k < bottom->nodes; k++) sum += reaction[2 * bottom->node[k] + 1];
    CHECK_NEAR(sum, 847.2288011440763, 1e-12 * 847.2288011440763);
    // far away nothing changes but the rounding of the displacements themselves
    double *far = vector(&b);
    for (int k = 0; k < b.dofs; k++) far[k] = (k % 2 ? -3 : 1) * 4096 + (held[k] ? u[k] : 0);
    CHECK_INT(find_static(&b, held, force, far), SCREE_OK);
    CHECK_NEAR(scree_fem_stiffness_form(&b.fem, far, &bound) / 2, energy, 1e-9 * energy);
    drop(&b);
}

// ---- cantilever of length 8 and height 2: the exact field of elasticity (cubic), held to it on
// the left, loaded by a parabola of shear on the right

static const double length = 8, height = 2, load = 0.7;

static void exact_cantilever(const scree_material *m, const double *at, double u[2]) {
    double I = height * height * height / 12, D = height * height / 4, nu = m->poisson;
    double factor = load / (6 * m->young * I), x = at[0], y = at[1] - height / 2;
    u[0] = factor * y * ((6 * length - 3 * x) * x + (2 + nu) * (y * y - D));
    u[1] =
        -factor * (3 * nu * y * y * (length - x) + (4 + 5 * nu) * D * x + (3 * length - x) * x * x);
}

// int N (D - y^2) over the facets on the right, by three points of Gauss; in space they are one
// wide
static void add_shear(const body *b, double *force) {
    static const double place[3] = { -0.7745966692414834, 0, 0.7745966692414834 };
    static const double weight[3] = { 5.0 / 9, 8.0 / 9, 5.0 / 9 };
    const scree_mesh *mesh = b->mesh;
    const scree_mesh_group *right = group(b, "right");
    double I = height * height * height / 12;
    int s = mesh->space, corners = s == 2 ? 2 : 4;
    for (int k = 0; k < right->facets; k++) {
        const int *corner = mesh->facet + SCREE_FACET_CORNERS * right->facet[k];
        double low = INFINITY, high = -INFINITY;
        for (int c = 0; c < corners; c++) {
            low = fmin(low, mesh->node[corner[c] * s + 1]);
            high = fmax(high, mesh->node[corner[c] * s + 1]);
        }
        for (int p = 0; p < 3; p++)
            for (int c = 0; c < corners; c++) {
                double side = mesh->node[corner[c] * s + 1] == high ? 1 : -1;
                double y = (low + high) / 2 + place[p] * (high - low) / 2 - height / 2;
                double shear = -load / (2 * I) * (height * height / 4 - y * y);
                double share = weight[p] * (high - low) / 2 * (1 + side * place[p]) / 2;
                force[corner[c] * s + 1] += shear * share / (s == 2 ? 1 : 2);
            }
    }
}

// how far the deflection in the middle of the right end is off, relative
static double cantilever_error(scree_element kind, int layers) {
    const double size[3] = { length, height, 1 };
    const int cells[3] = { 4 * layers, layers, 1 };
    scree_material m = steel;
    m.plane_stress = kind < SCREE_T4;
    m.thickness = 1;
    if (kind >= SCREE_T4) m.poisson = 0;  // then the plane field is one in space
    body b = grid(kind, size, cells, &m);
    assemble(&b);
    int s = b.mesh->space;
    double *u = vector(&b), *force = vector(&b), exact[2], off = NAN;
    unsigned char *held = flags(&b);
    for (int i = 0; i < b.mesh->nodes; i++) {
        if (b.mesh->node[i * s] > 0) continue;
        exact_cantilever(&m, b.mesh->node + i * s, exact);
        for (int a = 0; a < s; a++) {
            held[i * s + a] = 1;
            u[i * s + a] = a < 2 ? exact[a] : 0;
        }
    }
    add_shear(&b, force);
    CHECK_INT(find_static(&b, held, force, u), SCREE_OK);
    for (int i = 0; i < b.mesh->nodes; i++) {
        const double *at = b.mesh->node + i * s;
        if (at[0] < length || at[1] != height / 2) continue;
        exact_cantilever(&m, at, exact);
        off = u[i * s + 1] / exact[1] - 1;
    }
    drop(&b);
    return off;
}

static void cantilever_converges(void) {
    static const scree_element kinds[3] = { SCREE_T3, SCREE_Q4, SCREE_H8 };
    static const int coarsest[3] = { 4, 4, 2 };
    for (int kind = 0; kind < 3; kind++) {
        double off[3];
        for (int k = 0; k < 3; k++) off[k] = cantilever_error(kinds[kind], coarsest[kind] << k);
        double order = log2(off[1] / off[2]);
        printf("cantilever of %s: off by %.2e %.2e %.2e, order %.2f\n", kind_name[kinds[kind]],
               off[0], off[1], off[2], order);
        // too stiff, and better with the square of the size of the elements
        CHECK(off[0] < off[1] && off[1] < off[2] && off[2] < 0);
        CHECK_NEAR(order, 2, 0.08);
    }
}

// ---- free vibration: K x = omega^2 M x by inverse iteration

typedef struct vibration {
    body *b;
    const unsigned char *held;
    int *number;
    scree_sparse_cholesky *chol;  // of K
    double *product, *right;
} vibration;

static void set_length(const vibration *now, double *v) {  // v . M v = 1
    double size, scale = 1 / sqrt(scree_fem_mass_form(&now->b->fem, v, &size));
    for (int k = 0; k < now->b->dofs; k++) v[k] *= scale;
}

// v without its part along the mode w
static void take_out(const vibration *now, const double *w, double *v) {
    double share = 0;
    scree_fem_mass(&now->b->fem, v, now->product);
    for (int k = 0; k < now->b->dofs; k++) share += now->product[k] * w[k];
    for (int k = 0; k < now->b->dofs; k++) v[k] -= share * w[k];
}

// v = K^-1 M v
static void iterate(const vibration *now, double *v) {
    scree_fem_mass(&now->b->fem, v, now->product);
    for (int k = 0; k < now->b->dofs; k++)
        if (!now->held[k]) now->right[now->number[k]] = now->product[k];
    scree_sparse_cholesky_solve(now->chol, now->right);
    for (int k = 0; k < now->b->dofs; k++) v[k] = now->held[k] ? 0 : now->right[now->number[k]];
}

// the lowest frequencies with what is held, each orthogonal to the ones before
static void find_frequencies(body *b, const unsigned char *held, int count, double *omega) {
    scree_error err = { 0 };
    scree_fem_matrix K;
    int *number = SCREE_NEW(&b->arena, int, b->dofs), n = 0;
    double *mode = SCREE_NEW(&b->arena, double, (b->dofs * count)), size;
    for (int k = 0; k < b->dofs; k++) number[k] = held[k] ? -1 : n++;
    CHECK_INT(scree_fem_combine(&b->fem, 0, 1, number, &b->arena, &K, &err), SCREE_OK);
    vibration now = { b,         held,
                      number,    scree_sparse_cholesky_new(K.size, K.first, K.row),
                      vector(b), vector(b) };
    CHECK(scree_sparse_cholesky_factor(now.chol, K.value));
    scree_sparse_cholesky_settle(now.chol);
    for (int m = 0; m < count; m++) {
        double *v = mode + m * b->dofs, before = 0;
        omega[m] = 1;
        for (int k = 0; k < b->dofs; k++) v[k] = held[k] ? 0 : uniform(0, 1);
        for (int round = 0; round < 300 && fabs(omega[m] / before - 1) > 1e-14; round++) {
            iterate(&now, v);
            for (int other = 0; other < m; other++) take_out(&now, mode + other * b->dofs, v);
            set_length(&now, v);
            before = omega[m];
            omega[m] = sqrt(scree_fem_stiffness_form(&b->fem, v, &size));
        }
    }
    scree_sparse_cholesky_free(now.chol);
}

// a rod that is held on the left and moves along x alone: omega = (2 k - 1) pi c / (2 L)
static void rod_errors(scree_element kind, bool lumped, int cells_along, double *off) {
    const int cells[3] = { cells_along, 1, 1 };
    const double size[3] = { 3, 0.5, 0.5 };
    scree_material m = steel;
    m.poisson = 0;
    m.plane_stress = kind < SCREE_T4;
    m.lumped = lumped;
    body b = grid(kind, size, cells, &m);
    assemble(&b);
    unsigned char *held = flags(&b);
    double omega[2], c = scree_material_wave_speed(&m);
    hold(&b, "left", 0, held);
    for (int k = 0; k < b.dofs; k++)
        if (k % b.mesh->space) held[k] = 1;
    find_frequencies(&b, held, 2, omega);
    for (int k = 0; k < 2; k++) off[k] = omega[k] / ((2 * k + 1) * pi * c / 6) - 1;
    drop(&b);
}

static void rod_rings(void) {
    static const scree_element kinds[2] = { SCREE_Q4, SCREE_H8 };
    for (int kind = 0; kind < 2; kind++)
        for (int lumped = 0; lumped < 2; lumped++) {
            double coarse[2], fine[2];
            rod_errors(kinds[kind], lumped, 16, coarse);
            rod_errors(kinds[kind], lumped, 32, fine);
            for (int k = 0; k < 2; k++) {
                double order = log2(coarse[k] / fine[k]), z = (2 * k + 1) * pi / 2 / 32;
                printf("rod of %s, %s mass, mode %d: off by %.2e %.2e, order %.3f\n",
                       kind_name[kinds[kind]], lumped ? "lumped" : "consistent", k + 1, coarse[k],
                       fine[k], order);
                CHECK_NEAR(order, 2, 0.02);
                CHECK(lumped ? fine[k] < 0 : fine[k] > 0);
                // what the row of springs and masses must give, for z = omega h / c
                double exact =
                    lumped ? 2 * sin(z / 2) / z : sqrt(6 * (1 - cos(z)) / (2 + cos(z))) / z;
                CHECK_NEAR(fine[k], exact - 1, 1e-10);
            }
        }
}

// bending: Euler and Bernoulli's 1.8751^2 sqrt(E I / (rho A)) / L^2, less what shear takes, which
// Dunkerley's rule gives to second order in height over length
static void slender_cantilever_rings(void) {
    double omega[3], L = 20, H = 1;
    for (int k = 0; k < 3; k++) {
        const int cells[2] = { 40 << k, 2 << k };
        const double size[2] = { L, H };
        scree_material m = steel;
        m.plane_stress = true;
        body b = grid(SCREE_Q4, size, cells, &m);
        assemble(&b);
        unsigned char *held = flags(&b);
        hold(&b, "left", 0, held);
        hold(&b, "left", 1, held);
        find_frequencies(&b, held, 1, &omega[k]);
        drop(&b);
    }
    double beam = 1.8751040687119611 * 1.8751040687119611 * sqrt(200.0 / 12 / 8) / (L * L);
    double shear = pi / (2 * L) * sqrt(5.0 / 6 * 200 / 2.6 / 8);
    double lower = beam / sqrt(1 + beam * beam / (shear * shear));
    printf("cantilever of Q4 rings at %.6f %.6f %.6f; beam %.6f, with shear %.6f\n", omega[0],
           omega[1], omega[2], beam, lower);
    // too stiff, ever less so
    CHECK(omega[0] < beam && omega[1] < omega[0] && omega[2] < omega[1] && lower < omega[2]);
    CHECK_NEAR(omega[0], lower, 1e-3 * beam);
    CHECK_NEAR(omega[2], lower, 5e-4 * beam);
}

// ---- what can still move

static void expect_free(body *b, const unsigned char *held, const char *text) {
    double *force = vector(b), *u = vector(b);
    CHECK_INT(find_static(b, held, force, u), SCREE_BAD_INPUT);
    CHECK_TEXT(last.text, text);
}

static int find_node(const body *b, double x, double y, double z) {
    const double at[3] = { x, y, z };
    int s = b->mesh->space, best = -1;
    for (int i = 0; i < b->mesh->nodes; i++) {
        double off = 0;
        for (int c = 0; c < s; c++) off += fabs(b->mesh->node[i * s + c] - at[c]);
        if (off < 1e-9) best = i;
    }
    CHECK(best >= 0);
    return best;
}

static void motions_in_the_plane_are_named(void) {
    static const int cells[2] = { 4, 3 };
    static const double size[2] = { 4, 3 };
    body b = grid(SCREE_T3, size, cells, &steel);
    for (int k = 0; k < 2 * b.mesh->nodes; k++) b.mesh->node[k] += 1000;  // far from the origin
    assemble(&b);
    unsigned char *held = flags(&b);
    double *force = vector(&b), *u = vector(&b);
    expect_free(&b, held,
                "no static state: the body can still move along x and y and turn about z");
    held[2 * 7] = 1;
    expect_free(&b, held, "no static state: the body can still move along y and turn about z");
    held[2 * 7 + 1] = 1;
    expect_free(&b, held, "no static state: the body can still turn about z");
    held[2 * 8] = 1;  // beside it: x does not see the turn
    expect_free(&b, held, "no static state: the body can still turn about z");
    held[2 * 8 + 1] = 1;
    CHECK_INT(find_static(&b, held, force, u), SCREE_OK);
    memset(held, 0, (size_t)b.dofs);
    hold(&b, "bottom", 1, held);
    expect_free(&b, held, "no static state: the body can still move along x");
    drop(&b);
}

static void motions_in_space_are_named(void) {
    static const int cells[3] = { 3, 4, 2 };
    static const double size[3] = { 3, 4, 2 };
    body b = grid(SCREE_H8, size, cells, &steel);
    assemble(&b);
    unsigned char *held = flags(&b);
    double *force = vector(&b), *u = vector(&b);
    expect_free(&b, held,
                "no static state: the body can still move along x and y and z and turn about x and "
                "y and z");
    hold(&b, "bottom", 2, held);
    expect_free(&b, held,
                "no static state: the body can still move along x and y and turn about z");
    memset(held, 0, (size_t)b.dofs);
    int corner = find_node(&b, 0, 0, 0);
    for (int a = 0; a < 3; a++) held[3 * corner + a] = 1;
    expect_free(&b, held, "no static state: the body can still turn about x and y and z");
    int slanted = find_node(&b, 3, 4, 0);  // a hinge between two corners
    for (int a = 0; a < 3; a++) held[3 * slanted + a] = 1;
    expect_free(&b, held, "no static state: the body can still turn about (0.6, 0.8, 0)");
    memset(held + 3 * slanted, 0, 3);
    for (int a = 0; a < 3; a++) held[3 * find_node(&b, 3, 0, 0) + a] = 1;
    expect_free(&b, held, "no static state: the body can still turn about x");
    held[3 * find_node(&b, 1, 1, 0) + 2] = 1;
    CHECK_INT(find_static(&b, held, force, u), SCREE_OK);
    drop(&b);
}

// two squares apart from each other, or joined in one corner
static void parts_are_told_apart(void) {
    static const double node[16] = { 0, 0, 1, 0, 1, 1, 0, 1, 2, 1, 3, 1, 3, 2, 2, 2 };
    static const double joined[14] = { 0, 0, 1, 0, 1, 1, 0, 1, 2, 1, 2, 2, 1, 2 };
    static const int corner[8] = { 0, 1, 2, 3, 4, 5, 6, 7 }, at_two[8] = { 0, 1, 2, 3, 2, 4, 5, 6 };
    static const scree_element kind[2] = { SCREE_Q4, SCREE_Q4 };
    scree_error err = { 0 };
    body b = { .material = steel };
    CHECK_INT(scree_mesh_make(2, 8, node, 2, kind, corner, 0, NULL, &b.mesh, &err), SCREE_OK);
    assemble(&b);
    unsigned char *held = flags(&b);
    for (int k = 0; k < 4; k++) held[k] = 1;
    held[2 * 4 + 1] = held[2 * 5 + 1] = 1;
    expect_free(&b, held,
                "no static state: the part of the mesh with node 4 (from 0) can still move along "
                "x; 1 of 2 parts can move");
    drop(&b);
    b = (body){ .material = steel };
    CHECK_INT(scree_mesh_make(2, 7, joined, 2, kind, at_two, 0, NULL, &b.mesh, &err), SCREE_OK);
    assemble(&b);
    held = flags(&b);
    for (int k = 0; k < 4; k++) held[k] = 1;
    double *force = vector(&b), *u = vector(&b);
    force[2 * 4 + 1] = -1;  // turns the upper one about the corner
    CHECK_INT(find_static(&b, held, force, u), SCREE_BAD_INPUT);
    CHECK(strstr(last.text, "hang together in one node or edge only"));
    drop(&b);
}

// ---- many right-hand sides

static void check_many(scree_element kind, const int *cells, int count) {
    static const double size[3] = { 4, 2.5, 2 };
    scree_error err = { 0 };
    scree_fem_matrix A;
    body b = grid(kind, size, cells, &steel);
    assemble(&b);
    int *number = SCREE_NEW(&b.arena, int, b.dofs), n = b.dofs;
    for (int k = 0; k < n; k++) number[k] = k;
    CHECK_INT(scree_fem_combine(&b.fem, 1, 1e-2, number, &b.arena, &A, &err), SCREE_OK);
    scree_sparse_cholesky *chol = scree_sparse_cholesky_new(n, A.first, A.row);
    CHECK(scree_sparse_cholesky_factor(chol, A.value));
    size_t all = (size_t)n * (size_t)count;
    double *plain = SCREE_NEW(&b.arena, double, all), *settled = SCREE_NEW(&b.arena, double, all);
    double *many = SCREE_NEW(&b.arena, double, all), *threads = SCREE_NEW(&b.arena, double, all);
    for (int c = 0; c < count; c++) {  // dense ones and unit vectors
        double *x = plain + (size_t)c * (size_t)n;
        for (int k = 0; k < n; k++) x[k] = c % 2 ? uniform(-1, 1) : k == c * 7 % n;
    }
    memcpy(settled, plain, all * sizeof *plain);
    memcpy(many, plain, all * sizeof *plain);
    memcpy(threads, plain, all * sizeof *plain);
    for (int c = 0; c < count; c++) scree_sparse_cholesky_solve(chol, plain + (size_t)(c * n));
    scree_sparse_cholesky_settle(chol);
    for (int c = 0; c < count; c++) scree_sparse_cholesky_solve(chol, settled + (size_t)(c * n));
    CHECK(scree_sparse_cholesky_solve_many(chol, count, many, 1));
    CHECK(scree_sparse_cholesky_solve_many(chol, count, threads, 3));
    CHECK(memcmp(many, threads, all * sizeof *many) == 0);
    double largest = 0;
    for (size_t k = 0; k < all; k++) largest = fmax(largest, fabs(plain[k]));
    CHECK(largest > 0);
    for (size_t k = 0; k < all; k++) {
        CHECK_NEAR(settled[k], plain[k], 1e-13 * largest);
        CHECK_NEAR(many[k], plain[k], 1e-13 * largest);
    }
    // a new factor is a fresh start: half the solution, by plain solves again
    double *x = settled, *y = vector(&b), *z = vector(&b);
    for (int at = 0; at < A.first[n]; at++) A.value[at] *= 2;
    CHECK(scree_sparse_cholesky_factor(chol, A.value));
    for (int k = 0; k < n; k++) y[k] = x[k] = uniform(-1, 1);
    scree_sparse_cholesky_solve(chol, x);
    scree_fem_mass(&b.fem, x, z);
    for (int k = 0; k < n; k++) y[k] -= 2 * z[k];
    scree_fem_stiffness(&b.fem, x, z);
    for (int k = 0; k < n; k++) CHECK_NEAR(y[k], 2e-2 * z[k], 1e-13);
    scree_sparse_cholesky_free(chol);
    drop(&b);
}

static void many_right_hand_sides(void) {
    static const int tiny[3] = { 2, 2, 1 }, flat[2] = { 20, 12 }, solid[3] = { 8, 6, 5 };
    check_many(SCREE_T3, tiny, 3);    // one panel
    check_many(SCREE_T3, flat, 70);   // small panels
    check_many(SCREE_H8, solid, 37);  // and large ones
}

// everything that allocates, once; what it returned last
static scree_status allocate_all(body *b, const int *number, const unsigned char *held,
                                 const double *force, double *u) {
    scree_arena arena = { 0 };
    scree_fem fem;
    scree_fem_matrix A;
    scree_error err = { 0 };
    scree_status status = scree_fem_assemble(b->mesh, &b->material, &arena, &fem, &err);
    if (!status) status = scree_fem_combine(&fem, 1, 1, number, &arena, &A, &err);
    if (!status) status = scree_fem_static(b->mesh, &fem, held, force, u, &err);
    if (!status) {
        scree_sparse_cholesky *chol = scree_sparse_cholesky_new(A.size, A.first, A.row);
        int *order = SCREE_NEW(&arena, int, A.size);
        bool fine = chol && scree_sparse_cholesky_factor(chol, A.value) &&
                    scree_sparse_cholesky_solve_many(chol, 1, u, 1) && order &&
                    scree_nested_dissection_order(A.size, A.first, A.row, order);
        scree_sparse_cholesky_free(chol);
        if (!fine) status = scree_fail(&err, SCREE_NO_MEMORY, SCREE_NOWHERE, "no solver");
    }
    scree_arena_free(&arena);
    CHECK_INT(err.status, status);
    return status;
}

static void allocations(void) {
    static const int cells[2] = { 60, 40 };
    static const double size[2] = { 6, 4 };
    body b = grid(SCREE_Q4, size, cells, &steel);
    assemble(&b);
    int *number = SCREE_NEW(&b.arena, int, b.dofs), failures = 0;
    double *force = vector(&b), *u = vector(&b);
    unsigned char *held = flags(&b);
    for (int k = 0; k < b.dofs; k++) number[k] = k;
    hold(&b, "left", 0, held);
    hold(&b, "left", 1, held);
    for (fails_at = 1; fails_at < 1000; fails_at++) {
        calls = 0;
        scree_status status = allocate_all(&b, number, held, force, u);
        if (calls < fails_at) {
            CHECK_INT(status, SCREE_OK);
            break;
        }
        CHECK_INT(status, SCREE_NO_MEMORY);
        failures++;
    }
    fails_at = 0;
    CHECK(failures > 15 && failures < 999);
    drop(&b);
}

TEST_FILE(test_fem_static) {
    TEST(bar_under_end_load);
    TEST(column_hangs);
    TEST(pressed_block);
    TEST(cantilever_converges);
    TEST(rod_rings);
    TEST(slender_cantilever_rings);
    TEST(motions_in_the_plane_are_named);
    TEST(motions_in_space_are_named);
    TEST(parts_are_told_apart);
    TEST(many_right_hand_sides);
    TEST(allocations);
    return harness_end();
}
