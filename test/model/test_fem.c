// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// test_fem.c - matrices and forces of finite elements against closed forms and a dense assembly.

#include "fem_body.h"

static const scree_material rubber = {
    .young = 5.75, .poisson = 0.358, .density = 1.3, .thickness = 1.7
};

static const double unit[3] = { 1, 1, 1 };

// a small grid of each kind, nodes moved a little
static body sample(scree_element kind, const scree_material *material, bool boundary_too) {
    static const int flat[2] = { 5, 4 }, solid[3] = { 3, 3, 2 };
    static const double size[3] = { 2, 1.5, 1.2 };
    body b = grid(kind, size, is_planar(kind) ? flat : solid, material);
    distort(&b, is_quadratic(kind) ? 0.03 : 0.06, boundary_too);
    assemble(&b);
    return b;
}

static void fill_random(double *x, int count) {
    for (int k = 0; k < count; k++) x[k] = uniform(-1, 1);
}

static double dot(const double *x, const double *y, int count) {
    double sum = 0;
    for (int k = 0; k < count; k++) sum += x[k] * y[k];
    return sum;
}

// ---- stiffness

static void rigid_motions_carry_no_energy(void) {
    for (int kind = 0; kind < KINDS; kind++) {
        body b = sample((scree_element)kind, &rubber, true);
        double *x = vector(&b), *y = vector(&b), size;
        int s = b.mesh->space;
        for (int k = 0; k < b.dofs; k++) x[k] = k % s == 0 ? 1234.5 : k % s == 1 ? -0.1 : 7e7;
        CHECK(scree_fem_stiffness_form(&b.fem, x, &size) == 0 && size == 0);
        scree_fem_stiffness(&b.fem, x, y);
        for (int k = 0; k < b.dofs; k++) CHECK(y[k] == 0);
        for (int a = 0; a < (s == 2 ? 1 : 3); a++) {
            int p = a, q = (a + 1) % s;  // turns within the plane of axes p and q
            memset(x, 0, (size_t)b.dofs * sizeof *x);
            for (int i = 0; i < b.mesh->nodes; i++) {
                x[i * s + p] = -b.mesh->node[i * s + q];
                x[i * s + q] = b.mesh->node[i * s + p];
            }
            double energy = scree_fem_stiffness_form(&b.fem, x, &size);
            CHECK_NEAR(energy, 0, 1e-15 * size);
            CHECK(size > 1);
            scree_fem_stiffness(&b.fem, x, y);
            for (int k = 0; k < b.dofs; k++) CHECK_NEAR(y[k], 0, 1e-14 * size);
        }
        drop(&b);
    }
}

static void compare_dense(scree_element kind, const scree_material *material) {
    body b = sample(kind, material, true);
    double *K = dense_stiffness(&b), *x = vector(&b), *y = vector(&b), largest = 0, size;
    int n = b.dofs;
    for (int k = 0; k < n * n; k++) largest = fmax(largest, fabs(K[k]));
    for (int c = 0; c < n; c++) {  // column after column
        memset(x, 0, (size_t)n * sizeof *x);
        x[c] = 1;
        scree_fem_stiffness(&b.fem, x, y);
        for (int r = 0; r < n; r++) CHECK_NEAR(y[r], K[r * n + c], 4e-15 * largest);
        CHECK_NEAR(scree_fem_stiffness_form(&b.fem, x, &size), K[c * n + c], 4e-15 * largest);
    }
    for (int trial = 0; trial < 10; trial++) {
        double expected = 0, there = 0;
        fill_random(x, n);
        for (int k = 0; k < n; k++) there += fabs(x[k]);
        for (int r = 0; r < n; r++) expected += x[r] * dot(K + r * n, x, n);
        double energy = scree_fem_stiffness_form(&b.fem, x, &size);
        CHECK_NEAR(energy, expected, 1e-14 * size);
        CHECK(size >= energy * (1 - 1e-14) && energy > 0);
        scree_fem_stiffness(&b.fem, x, y);
        CHECK_NEAR(dot(x, y, n), expected, 1e-14 * largest * there);
    }
    drop(&b);
}

static void dense_assembly_agrees(void) {
    scree_material other = rubber;
    for (int kind = 0; kind < LINEAR_KINDS; kind++) compare_dense((scree_element)kind, &rubber);
    other.plane_stress = true;
    other.poisson = -0.6;
    for (int kind = 0; kind < 2; kind++) compare_dense((scree_element)kind, &other);
}

// mass M + stiffness K of what is free, against products with unit vectors
static void check_combined(body *b, double mass, double stiffness) {
    scree_error err = { 0 };
    scree_fem_matrix A;
    int *number = SCREE_NEW(&b->arena, int, b->dofs), n = 0;
    double *x = vector(b), *y = vector(b), *z = vector(b), largest = 0;
    for (int k = 0; k < b->dofs; k++) number[k] = k % 7 == 3 ? -1 : n++;
    for (int k = 0; k < b->dofs; k++)  // numbers in any order
        if (number[k] >= 0) number[k] = (11 * number[k] + 2) % n;
    CHECK(n % 11 != 0);
    CHECK_INT(scree_fem_combine(&b->fem, mass, stiffness, number, &b->arena, &A, &err), SCREE_OK);
    CHECK_INT(A.size, n);
    double *full = SCREE_NEW(&b->arena, double, (n * n));
    for (int c = 0; c < n; c++) {
        CHECK_INT(A.row[A.first[c]], c);
        for (int at = A.first[c]; at < A.first[c + 1]; at++) {
            CHECK(at == A.first[c] || A.row[at] > A.row[at - 1]);
            full[A.row[at] * n + c] = full[c * n + A.row[at]] = A.value[at];
            largest = fmax(largest, fabs(A.value[at]));
        }
    }
    for (int k = 0; k < b->dofs; k++) {
        if (number[k] < 0) continue;
        memset(x, 0, (size_t)b->dofs * sizeof *x);
        x[k] = 1;
        scree_fem_mass(&b->fem, x, y);
        scree_fem_stiffness(&b->fem, x, z);
        for (int r = 0; r < b->dofs; r++)
            if (number[r] >= 0)
                CHECK_NEAR(full[number[r] * n + number[k]], mass * y[r] + stiffness * z[r],
                           4e-15 * largest);
    }
    if (stiffness == 0 && b->fem.lumped) CHECK_INT(A.first[n], n);
}

static void combinations(void) {
    for (int kind = 0; kind < KINDS; kind++)
        for (int lumped = 0; lumped < 2; lumped++) {
            scree_material material = rubber;
            material.lumped = lumped;
            body b = sample((scree_element)kind, &material, true);
            check_combined(&b, 2.5, 0.3);
            check_combined(&b, 0, 1);
            check_combined(&b, 1, 0);
            drop(&b);
        }
}

// ---- the patch test

static scree_error last;

static scree_status find_static(body *b, const unsigned char *held, const double *force,
                                double *u) {
    memset(&last, 0, sizeof last);
    return scree_fem_static(b->mesh, &b->fem, held, force, u, &last);
}

// the law of Hooke the other way round: strains of stresses
static void check_law(const scree_material *m, int space, const double *strain,
                      const double *stress) {
    double trace = stress[0] + stress[1] + stress[2];
    for (int k = 0; k < 6; k++) {
        double expected =
            ((1 + m->poisson) * stress[k] - (k < 3 ? m->poisson * trace : 0)) / m->young;
        CHECK_NEAR(strain[k], expected, 2e-13);
    }
    if (space == 2) CHECK(m->plane_stress ? stress[2] == 0 : strain[2] == 0);
}

static void check_patch(scree_element kind, const scree_material *material) {
    static const int row[6] = { 0, 1, 2, 0, 1, 0 }, column[6] = { 0, 1, 2, 1, 2, 2 };
    body b = sample(kind, material, true);
    int s = b.mesh->space;
    double A[3][3] = { { 0 } }, *u = vector(&b), *force = vector(&b), *exact = vector(&b);
    unsigned char *held = flags(&b);
    for (int r = 0; r < s; r++)
        for (int c = 0; c < s; c++) A[r][c] = uniform(-1, 1);
    for (int i = 0; i < b.mesh->nodes; i++)
        for (int r = 0; r < s; r++) {
            double sum = 3;
            for (int c = 0; c < s; c++) sum += A[r][c] * b.mesh->node[i * s + c];
            exact[i * s + r] = sum;
            held[i * s + r] = is_on_boundary(b.mesh, i);
            u[i * s + r] = held[i * s + r] ? sum : 99;
        }
    CHECK_INT(find_static(&b, held, force, u), SCREE_OK);
    for (int k = 0; k < b.dofs; k++) CHECK_NEAR(u[k], exact[k], 4e-14);
    double *strain = SCREE_NEW(&b.arena, double, 6 * b.mesh->elements);
    double *stress = SCREE_NEW(&b.arena, double, 6 * b.mesh->elements);
    scree_fem_stress(b.mesh, material, u, strain, stress);
    for (int e = 0; e < b.mesh->elements; e++) {
        for (int k = 0; k < 6; k++)
            if (s == 3 || k != 2)
                CHECK_NEAR(strain[6 * e + k], (A[row[k]][column[k]] + A[column[k]][row[k]]) / 2,
                           2e-13);
        check_law(material, s, strain + 6 * e, stress + 6 * e);
    }
    // and the energy of constant stress
    double energy = 0, size;
    for (int e = 0; e < b.mesh->elements; e++)
        for (int k = 0; k < 6; k++)
            energy += scree_fem_volume(b.mesh, material, e) * (k < 3 ? 1 : 2) * strain[6 * e + k] *
                      stress[6 * e + k];
    CHECK_NEAR(scree_fem_stiffness_form(&b.fem, u, &size), energy, 1e-13 * energy);
    scree_fem_stress(b.mesh, material, u, NULL, stress);
    scree_fem_stress(b.mesh, material, u, strain, NULL);
    drop(&b);
}

static void patch_test(void) {
    scree_material other = rubber;
    for (int kind = 0; kind < KINDS; kind++) check_patch((scree_element)kind, &rubber);
    other.plane_stress = true;
    for (int kind = 0; kind < KINDS; kind++)
        if (is_planar((scree_element)kind)) check_patch((scree_element)kind, &other);
    other = rubber;
    other.poisson = 0.49;
    check_patch(SCREE_H8, &other);
    for (int kind = LINEAR_KINDS; kind < KINDS; kind++) check_patch((scree_element)kind, &other);
}

// ---- mass

static void mass_is_that_of_the_body(void) {
    for (int kind = 0; kind < KINDS; kind++)
        for (int lumped = 0; lumped < 2; lumped++) {
            scree_material material = rubber;
            material.lumped = lumped;
            body b = sample((scree_element)kind, &material, false);
            int s = b.mesh->space;
            double volume = 2 * 1.5 * (s == 2 ? 1.7 : 1.2), whole = 1.3 * volume, sum = 0, size;
            double *v = vector(&b), *p = vector(&b);
            for (int e = 0; e < b.mesh->elements; e++)
                sum += scree_fem_volume(b.mesh, &material, e);
            CHECK_NEAR(sum, volume, 1e-14 * volume);
            for (int k = 0; k < b.dofs; k++) v[k] = k % s == 1 ? 3 : 0;
            CHECK_NEAR(scree_fem_mass_form(&b.fem, v, &size), 9 * whole, 2e-14 * whole);
            CHECK_NEAR(size, 9 * whole, 2e-14 * whole);
            scree_fem_mass(&b.fem, v, p);
            sum = 0;
            for (int k = 1; k < b.dofs; k += s) sum += p[k];
            CHECK_NEAR(sum, 3 * whole, 1e-14 * whole);
            // v_x = x: exact by integrals of squares of what the elements can do
            for (int k = 0; k < b.dofs; k++) v[k] = k % s == 0 ? b.mesh->node[k] : 0;
            double form = scree_fem_mass_form(&b.fem, v, &size), exact = whole * 4 / 3;
            // where edges are curved that is more than the points can do
            double off = is_quadratic((scree_element)kind) ? 1e-6 : 1e-14;
            if (!lumped) CHECK_NEAR(form, exact, off * exact);
            scree_fem_mass(&b.fem, v, p);
            CHECK_NEAR(dot(v, p, b.dofs), form, 1e-14 * exact);
            // lumped mass is larger where the motion is not constant
            if (lumped) CHECK(form > exact * (1 + 1e-3));
            drop(&b);
        }
}

static void mass_is_integrated_exactly(void) {
    for (int kind = SCREE_Q4; kind <= SCREE_H8; kind += SCREE_H8 - SCREE_Q4) {
        body b = sample((scree_element)kind, &rubber, true);
        double *M = dense_mass(&b), factor = 1.3 * (kind == SCREE_Q4 ? 1.7 : 1);
        int n = b.mesh->nodes;
        for (int i = 0; i < n; i++) {
            CHECK_NEAR(b.fem.diagonal[i], factor * M[i * n + i], 1e-15);
            for (int p = b.fem.row[i]; p < b.fem.row[i + 1]; p++)
                CHECK_NEAR(b.fem.mass[p], factor * M[i * n + b.fem.column[p]], 1e-15);
        }
        drop(&b);
    }
}

static void mass_of_one_triangle(void) {
    static const int corner[3] = { 2, 0, 1 };
    static const double node[6] = { 1, 0.5, 4, 1, 2, 3 };
    scree_element kind = SCREE_T3;
    scree_error err = { 0 };
    body b = { .material = rubber };
    CHECK_INT(scree_mesh_make(2, 3, node, 1, &kind, corner, 0, NULL, &b.mesh, &err), SCREE_OK);
    assemble(&b);
    double area = (3 * 2.5 - 1 * 0.5) / 2, mass = 1.3 * 1.7 * area;
    for (int i = 0; i < 3; i++) CHECK_NEAR(b.fem.diagonal[i], mass / 6, 1e-15 * mass);
    CHECK_INT(b.fem.row[3], 3);
    for (int p = 0; p < 3; p++) CHECK_NEAR(b.fem.mass[p], mass / 12, 1e-15 * mass);
    // height over the longest side
    CHECK_NEAR(scree_fem_extent(b.mesh, 0), 2 * area / sqrt(9.25), 1e-15 * area);
    drop(&b);
}

static void sizes(void) {
    static const int cells[3] = { 4, 3, 2 };
    static const double size[3] = { 4, 1.5, 3 };
    body b = grid(SCREE_Q4, size, cells, &rubber);
    CHECK_NEAR(scree_fem_extent(b.mesh, 5), 0.5, 1e-15);
    drop(&b);
    b = grid(SCREE_H8, size, cells, &rubber);
    CHECK_NEAR(scree_fem_extent(b.mesh, 5), 0.5, 1e-15);
    CHECK_NEAR(scree_fem_volume(b.mesh, &rubber, 5), 0.75, 1e-15);
    drop(&b);
    // the corner of a cube: three right angles of length 1
    static const double node[12] = { 5, 5, 5, 6, 5, 5, 5, 6, 5, 5, 5, 6 };
    static const int corner[4] = { 0, 1, 2, 3 };
    scree_element kind = SCREE_T4;
    scree_error err = { 0 };
    b = (body){ .material = rubber };
    CHECK_INT(scree_mesh_make(3, 4, node, 1, &kind, corner, 0, NULL, &b.mesh, &err), SCREE_OK);
    CHECK_NEAR(scree_fem_extent(b.mesh, 0), 1 / sqrt(3), 1e-15);
    drop(&b);
    scree_material m = { .young = 210e9, .poisson = 0.3, .density = 7850 };
    CHECK_NEAR(scree_material_wave_speed(&m), sqrt(210e9 * 0.7 / (1.3 * 0.4 * 7850)), 1e-10);
    m.plane_stress = true;
    CHECK_NEAR(scree_material_wave_speed(&m), sqrt(210e9 / (0.91 * 7850)), 1e-10);
}

// ---- numbering

static void check_numbering(scree_element kind) {
    body b = sample(kind, &rubber, true), c = { .material = rubber };
    scree_error err = { 0 };
    int s = b.mesh->space, nodes = b.mesh->nodes, corners = b.mesh->first[b.mesh->elements];
    int *to = SCREE_NEW(&b.arena, int, nodes), *corner = SCREE_NEW(&b.arena, int, corners);
    double *node = vector(&b), *x = vector(&b), *y = vector(&b), *z = vector(&b), size;
    for (int i = 0; i < nodes; i++) to[i] = i;
    for (int i = nodes - 1; i > 0; i--) {
        int j = random_int(0, i), keep = to[i];
        to[i] = to[j];
        to[j] = keep;
    }
    fill_random(x, b.dofs);
    for (int i = 0; i < nodes; i++)
        for (int a = 0; a < s; a++) {
            node[to[i] * s + a] = b.mesh->node[i * s + a];
            y[to[i] * s + a] = x[i * s + a];
        }
    for (int k = 0; k < corners; k++) corner[k] = to[b.mesh->corner[k]];
    CHECK_INT(scree_mesh_make(s, nodes, node, b.mesh->elements, b.mesh->kind, corner, 0, NULL,
                              &c.mesh, &err),
              SCREE_OK);
    assemble(&c);
    double energy = scree_fem_stiffness_form(&b.fem, x, &size);
    CHECK_NEAR(scree_fem_stiffness_form(&c.fem, y, &size), energy, 1e-14 * size);
    double kinetic = scree_fem_mass_form(&b.fem, x, &size);
    CHECK_NEAR(scree_fem_mass_form(&c.fem, y, &size), kinetic, 1e-14 * size);
    scree_fem_stiffness(&b.fem, x, node);
    scree_fem_stiffness(&c.fem, y, z);
    for (int i = 0; i < nodes; i++)
        for (int a = 0; a < s; a++) CHECK_NEAR(z[to[i] * s + a], node[i * s + a], 4e-14 * energy);
    drop(&b);
    drop(&c);
}

static void numbering_changes_nothing(void) {
    for (int kind = 0; kind < KINDS; kind++) check_numbering((scree_element)kind);
}

// ---- forces

static void check_sum(const body *b, const double *force, const double *expected, double scale) {
    int s = b->mesh->space;
    double sum[3] = { 0 };
    for (int k = 0; k < b->dofs; k++) sum[k % s] += force[k];
    for (int c = 0; c < s; c++) CHECK_NEAR(sum[c], expected[c], 2e-14 * scale);
}

static void check_moment(const body *b, const double *force, double most) {
    int s = b->mesh->space;
    double sum[3] = { 0 };
    for (int i = 0; i < b->mesh->nodes; i++)
        for (int a = 0; a < 3; a++) {
            int p = a, q = (a + 1) % 3;
            if (p >= s || q >= s) continue;
            sum[a] += b->mesh->node[i * s + p] * force[i * s + q] -
                      b->mesh->node[i * s + q] * force[i * s + p];
        }
    for (int a = 0; a < 3; a++) CHECK_NEAR(sum[a], 0, most);
}

static void forces_add_up(void) {
    static const double value[3] = { 3, -2, 0.7 };
    for (int kind = 0; kind < KINDS; kind++) {
        body b = sample((scree_element)kind, &rubber, false);
        int s = b.mesh->space;
        double thickness = s == 2 ? 1.7 : 1, expected[3], *force = vector(&b);
        // the volume, whose inside is distorted
        double volume = 2 * 1.5 * (s == 2 ? 1 : 1.2) * thickness;
        for (int c = 0; c < 3; c++) expected[c] = value[c] * volume;
        scree_fem_add_volume_force(b.mesh, &rubber, value, force);
        check_sum(&b, force, expected, volume);
        // consistent mass gives the same weight
        double *v = vector(&b), *p = vector(&b);
        for (int k = 0; k < b.dofs; k++) v[k] = value[k % s];
        scree_fem_mass(&b.fem, v, p);
        for (int k = 0; k < b.dofs; k++) CHECK_NEAR(p[k], 1.3 * force[k], 1e-14);
        // a side
        scree_traction traction = { .group = scree_mesh_find(b.mesh, "right") };
        double area = 1.5 * (s == 2 ? 1 : 1.2) * thickness;
        memset(force, 0, (size_t)b.dofs * sizeof *force);
        scree_fem_add_traction(b.mesh, &rubber, &traction, value, force);
        for (int c = 0; c < 3; c++) expected[c] = value[c] * area;
        check_sum(&b, force, expected, area);
        for (int i = 0; i < b.mesh->nodes; i++)
            if (b.mesh->node[i * s] < 2) CHECK(force[i * s] == 0 && force[i * s + 1] == 0);
        traction.pressure = true;  // on top of it
        scree_fem_add_traction(b.mesh, &rubber, &traction, value, force);
        expected[0] -= value[0] * area;
        check_sum(&b, force, expected, area);
        drop(&b);
        // all around, the outside distorted: faces of H8 are not flat
        b = sample((scree_element)kind, &rubber, true);
        traction.group = scree_mesh_find(b.mesh, "boundary");
        force = vector(&b);
        scree_fem_add_traction(b.mesh, &rubber, &traction, value, force);
        check_sum(&b, force, (double[3]){ 0 }, 30);
        bool exact = kind != SCREE_H20;  // whose curved sides are of a higher degree
        check_moment(&b, force, exact ? 1e-12 : 1e-5);
        double work = 0, inside = 0;  // of x against the pressure: volume times dimension
        for (int k = 0; k < b.dofs; k++) work += b.mesh->node[k] * force[k];
        for (int e = 0; e < b.mesh->elements; e++) inside += scree_fem_volume(b.mesh, &rubber, e);
        CHECK_NEAR(work, -value[0] * s * inside, (exact ? 1e-13 : 1e-6) * inside);
        drop(&b);
    }
}

static void edge_in_halves(void) {  // of a slanted edge, by hand
    static const double node[6] = { 0, 0, 4, 0, 0, 3 };
    static const int corner[3] = { 0, 1, 2 }, edge[4] = { 2, 1, -1, -1 };
    scree_element kind = SCREE_T3;
    scree_error err = { 0 };
    scree_mesh_part part = { .name = "slope", .node = edge, .facets = 1 };
    body b = { .material = rubber };
    CHECK_INT(scree_mesh_make(2, 3, node, 1, &kind, corner, 1, &part, &b.mesh, &err), SCREE_OK);
    double force[6] = { 0 };
    scree_traction traction = { .group = scree_mesh_find(b.mesh, "slope") };
    scree_fem_add_traction(b.mesh, &rubber, &traction, (double[3]){ 2, 10 }, force);
    const double pulled[6] = { 0, 0, 1.7 * 5, 1.7 * 25, 1.7 * 5, 1.7 * 25 };
    for (int k = 0; k < 6; k++) CHECK_NEAR(force[k], pulled[k], 1e-14);
    memset(force, 0, sizeof force);
    traction.pressure = true;
    scree_fem_add_traction(b.mesh, &rubber, &traction, (double[3]){ 2 }, force);
    const double pushed[6] = { 0, 0, -1.7 * 3, -1.7 * 4, -1.7 * 3, -1.7 * 4 };
    for (int k = 0; k < 6; k++) CHECK_NEAR(force[k], pushed[k], 1e-14);
    drop(&b);
}

// ---- refusals

static void refuse(scree_material material, int space, const char *part) {
    static const int cells[3] = { 1, 1, 1 };
    body b = grid(space == 2 ? SCREE_Q4 : SCREE_H8, unit, cells, &material);
    scree_error err = { 0 };
    CHECK_INT(scree_fem_assemble(b.mesh, &material, &b.arena, &b.fem, &err), SCREE_BAD_INPUT);
    if (!strstr(err.text, part)) COMPLAIN("\"%s\" does not say \"%s\"", err.text, part);
    drop(&b);
}

static void refusals(void) {
    scree_material m = rubber;
#define REFUSE(field, value, space, text) \
    m.field = (value);                    \
    refuse(m, space, text);               \
    m = rubber
    REFUSE(young, 0, 2, "Young's modulus of an elastic body is 0: it must be positive");
    REFUSE(young, (double)INFINITY, 3, "Young's modulus");
    REFUSE(young, (double)NAN, 3, "Young's modulus");
    REFUSE(poisson, 0.5, 2, "must be below 0.5; for a material that keeps its volume");
    REFUSE(poisson, -1, 2, "must be above -1");
    REFUSE(poisson, (double)NAN, 2, "Poisson's ratio");
    REFUSE(density, -1, 3, "density of an elastic body is -1");
    REFUSE(thickness, 0, 2, "thickness");
    REFUSE(damping_mass, -1e-9, 2, "damping by mass");
    REFUSE(damping_stiffness, -2, 3, "damping by stiffness");
    REFUSE(plane_stress, true, 3, "plane stress is for bodies in the plane");
#undef REFUSE
    // thickness means nothing in space
    static const int cells[3] = { 2, 1, 1 };
    scree_error err = { 0 };
    m.thickness = 0;
    body b = grid(SCREE_H8, unit, cells, &m);
    CHECK_INT(scree_fem_assemble(b.mesh, &m, &b.arena, &b.fem, &err), SCREE_OK);
    // an element that was turned inside out after the mesh was made
    for (int i = 0; i < b.mesh->nodes; i++)
        if (b.mesh->node[3 * i] == 1) b.mesh->node[3 * i] = 0.25;
    CHECK_INT(scree_fem_assemble(b.mesh, &m, &b.arena, &b.fem, &err), SCREE_BAD_INPUT);
    CHECK_TEXT(err.text, "element 1 (from 0) is turned inside out or has no size");
    drop(&b);
}

TEST_FILE(test_fem) {
    TEST(rigid_motions_carry_no_energy);
    TEST(dense_assembly_agrees);
    TEST(combinations);
    TEST(patch_test);
    TEST(mass_is_that_of_the_body);
    TEST(mass_is_integrated_exactly);
    TEST(mass_of_one_triangle);
    TEST(sizes);
    TEST(numbering_changes_nothing);
    TEST(forces_add_up);
    TEST(edge_in_halves);
    TEST(refusals);
    return harness_end();
}
