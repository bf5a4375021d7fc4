// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// test_fem_bending.c - slender bodies and materials that hardly change their volume: what each kind
// of element gives of a beam, of Cook's membrane, of tubes and shells under pressure.

#include "fem_body.h"

static const double pi = 3.14159265358979323846;

static void solve(body *b, const unsigned char *held, const double *force, double *u) {
    scree_error err = { 0 };
    CHECK_INT(scree_fem_static(b->mesh, &b->fem, held, force, u, &err), SCREE_OK);
}

static void hold(const body *b, const char *name, int axis, unsigned char *held) {
    const scree_mesh_group *all = group(b, name);
    for (int k = 0; k < all->nodes; k++) held[all->node[k] * b->mesh->space + axis] = 1;
}

static void push(const body *b, const char *name, bool pressure, double x, double y,
                 double *force) {
    scree_traction traction = { .group = scree_mesh_find(b->mesh, name), .pressure = pressure };
    scree_fem_add_traction(b->mesh, &b->material, &traction, (double[3]){ x, y }, force);
}

static int node_at(const body *b, const double *at) {
    int s = b->mesh->space, best = 0;
    double nearest = INFINITY;
    for (int i = 0; i < b->mesh->nodes; i++) {
        double off = 0;
        for (int c = 0; c < s; c++) off += fabs(b->mesh->node[i * s + c] - at[c]);
        if (off < nearest) best = i;
        nearest = fmin(nearest, off);
    }
    CHECK(nearest < 1e-9);
    return best;
}

// ---- a beam of length 1 and height 0.02, clamped, with a force at its end

// over what Euler and Bernoulli give, less the shear
static double beam(scree_element kind, int along, int layers, double skew) {
    const double size[3] = { 1, 0.02, 0.02 }, E = 2.1e11;
    const int cells[3] = { along, layers, 1 };
    scree_material m = { .young = E, .poisson = 0.3, .density = 7800, .thickness = 0.02 };
    m.plane_stress = is_planar(kind);
    body b = grid(kind, size, cells, &m);
    int s = b.mesh->space;
    for (int i = 0; i < b.mesh->nodes; i++) {  // sides lean this way and that
        double *x = b.mesh->node + i * s, bump = sin(pi * x[0] * along / 2 + 0.7);
        x[0] += skew * bump * (x[1] - 0.01) * (x[0] > 0 && x[0] < 1);
    }
    assemble(&b);
    double *u = vector(&b), *force = vector(&b), I = 0.02 * 0.02 * 0.02 * 0.02 / 12;
    unsigned char *held = flags(&b);
    for (int a = 0; a < s; a++) hold(&b, "left", a, held);
    push(&b, "right", false, 0, -1 / (0.02 * 0.02), force);
    solve(&b, held, force, u);
    int end = node_at(&b, (double[3]){ 1, 0, 0 });
    double exact = -1 / (3 * E * I) * (1 + 0.78 * 0.02 * 0.02);
    double share = u[end * s + 1] / exact;
    drop(&b);
    return share;
}

static void beams_bend(void) {
    static const int along[6] = { 10, 50, 50, 50, 200, 200 }, layers[6] = { 1, 1, 2, 4, 1, 4 };
    for (int kind = 0; kind < KINDS; kind++) {
        double share[6] = { 0 };
        int meshes = is_planar((scree_element)kind) ? 6 : 2;
        printf("beam of %-3s", kind_name[kind]);
        for (int k = 0; k < meshes; k++) {
            share[k] = beam((scree_element)kind, along[k], layers[k], 0);
            printf("  %dx%d %.4f", along[k], layers[k], share[k]);
        }
        double leaning = beam((scree_element)kind, 50, 1, 0.4);
        printf("  50x1 leaning %.4f\n", leaning);
        if (is_constant((scree_element)kind)) continue;  // T3 and T4 do not bend
        CHECK(share[0] > (kind == SCREE_T10 ? 0.97 : 0.98) && share[0] < 1.002);
        CHECK(share[1] > 0.995 && share[1] < 1.002);
        CHECK(leaning > 0.9 && leaning < 1.002);
    }
}

// ---- Cook's membrane: a trapezoid, sheared at its right side

static double membrane(scree_element kind, int cells_each, double poisson) {
    const double size[3] = { 1, 1, 1 };
    const int cells[3] = { cells_each, cells_each, 1 };
    scree_material m = { .young = 1, .poisson = poisson, .density = 1, .thickness = 1 };
    m.plane_stress = is_planar(kind) && poisson < 0.4;
    body b = grid(kind, size, cells, &m);
    int s = b.mesh->space;
    for (int i = 0; i < b.mesh->nodes; i++) {
        double *x = b.mesh->node + i * s, a = x[0], t = x[1];
        x[0] = 48 * a;
        x[1] = 44 * a + t * (44 - 28 * a);
    }
    assemble(&b);
    double *u = vector(&b), *force = vector(&b);
    unsigned char *held = flags(&b);
    for (int a = 0; a < s; a++) hold(&b, "left", a, held);
    if (s == 3) {  // plane strain
        hold(&b, "bottom", 2, held);
        hold(&b, "top", 2, held);
    }
    push(&b, "right", false, 0, 1.0 / 16, force);
    solve(&b, held, force, u);
    double moved = u[node_at(&b, (double[3]){ 48, 52, 0 }) * s + 1];
    drop(&b);
    return moved;
}

static void cook(void) {
    // of the middle of the right side, where others found 23.96
    scree_element best = SCREE_Q4;
    double loose = membrane(best, 64, 1.0 / 3), stiff = membrane(best, 64, 0.4999);
    printf("membrane: %.4f, nearly incompressible %.4f\n", loose, stiff);
    CHECK_NEAR(loose, 23.96, 0.02);
    for (int kind = 0; kind < KINDS; kind++) {
        bool planar = is_planar((scree_element)kind);
        double a = planar ? membrane((scree_element)kind, 8, 1.0 / 3) / loose : (double)NAN;
        double b = membrane((scree_element)kind, 8, 0.4999) / stiff;
        printf("membrane of 8 x 8 %-3s: %.4f, nearly incompressible %.4f\n", kind_name[kind], a, b);
        if (is_constant((scree_element)kind)) continue;
        if (planar) CHECK(a > 0.96 && a < 1.01);
        CHECK(b > 0.9 && b < 1.01);
    }
}

// ---- a thick tube and a thick shell under pressure from inside, by Lame

static const double inner = 1, outer = 2;

static double tube_exact(const scree_material *m, double r) {
    double nu = m->poisson, a = inner * inner, b = outer * outer;
    return (1 + nu) / m->young * a / (b - a) * ((1 - 2 * nu) * r + b / r);
}

// what the inside moves, over what it should
static double tube(scree_element kind, double poisson) {
    const double size[3] = { 1, 1, 0.5 };
    const int cells[3] = { 6, 8, 1 };
    scree_material m = { .young = 3, .poisson = poisson, .density = 1, .thickness = 1 };
    body b = grid(kind, size, cells, &m);
    int s = b.mesh->space;
    for (int i = 0; i < b.mesh->nodes; i++) {
        double *x = b.mesh->node + i * s, r = inner + x[0] * (outer - inner), turn = pi / 2 * x[1];
        x[0] = r * cos(turn);
        x[1] = r * sin(turn);
    }
    assemble(&b);
    double *u = vector(&b), *force = vector(&b);
    unsigned char *held = flags(&b);
    hold(&b, s == 2 ? "bottom" : "front", 1, held);
    hold(&b, s == 2 ? "top" : "back", 0, held);
    if (s == 3) hold(&b, "bottom", 2, held);
    if (s == 3) hold(&b, "top", 2, held);
    push(&b, "left", true, 1, 0, force);
    solve(&b, held, force, u);
    double share = u[node_at(&b, (double[3]){ inner, 0, 0 }) * s] / tube_exact(&m, inner);
    drop(&b);
    return share;
}

static double shell(scree_element kind, double poisson) {
    const double size[3] = { 1, 1, 1 };
    const int cells[3] = { 5, 4, 4 };
    scree_material m = { .young = 3, .poisson = poisson, .density = 1, .thickness = 1 };
    body b = grid(kind, size, cells, &m);
    double a3 = inner * inner * inner, b3 = outer * outer * outer, nu = poisson;
    b.dofs = 3 * b.mesh->nodes;
    double *exact = vector(&b), *u = vector(&b), *force = vector(&b);
    unsigned char *held = flags(&b);
    hold(&b, "front", 1, held);
    hold(&b, "bottom", 2, held);
    for (int a = 0; a < 3; a++) hold(&b, "back", a, held);
    for (int a = 0; a < 3; a++) hold(&b, "top", a, held);
    for (int i = 0; i < b.mesh->nodes; i++) {
        double *x = b.mesh->node + 3 * i, r = inner + x[0] * (outer - inner);
        double y = tan(pi / 4 * x[1]), z = tan(pi / 4 * x[2]), across = sqrt(1 + y * y + z * z);
        double out = a3 / (m.young * (b3 - a3)) * ((1 - 2 * nu) * r + (1 + nu) * b3 / (2 * r * r));
        const double direction[3] = { 1 / across, y / across, z / across };
        for (int c = 0; c < 3; c++) {
            x[c] = r * direction[c];
            exact[3 * i + c] = out * direction[c];
            u[3 * i + c] = held[3 * i + c] ? exact[3 * i + c] : 0;
        }
    }
    assemble(&b);
    push(&b, "left", true, 1, 0, force);
    solve(&b, held, force, u);
    int at = 3 * node_at(&b, (double[3]){ inner, 0, 0 });
    double share = u[at] / exact[at];
    drop(&b);
    return share;
}

static void pressed_from_inside(void) {
    static const double poisson[4] = { 0.3, 0.49, 0.4999, 0.499999 };
    for (int kind = 0; kind < KINDS; kind++) {
        printf("of %-3s, Poisson's ratio 0.3, 0.49, 0.4999, 0.499999:", kind_name[kind]);
        for (int k = 0; k < 4; k++) {
            double share = tube((scree_element)kind, poisson[k]);
            printf(" %.4f", share);
            if (is_constant((scree_element)kind)) continue;
            CHECK(share > 0.97 && share < 1.01);
        }
        for (int k = 0; k < 4 && !is_planar((scree_element)kind); k++) {
            double share = shell((scree_element)kind, poisson[k]);
            printf("%s %.4f", k ? "" : "; shell", share);
            if (is_constant((scree_element)kind)) continue;
            CHECK(share > 0.95 && share < 1.02);
        }
        printf("\n");
    }
}

TEST_FILE(test_fem_bending) {
    TEST(beams_bend);
    TEST(cook);
    TEST(pressed_from_inside);
    return harness_end();
}
