// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// test_semidefinite.c - equilibria with a stiffness that holds only some directions, while closed
// contacts hold the others.

#include "harness.h"
#include "lab/semidefinite.h"
#include "random.h"
#include "small_equilibria.h"

// no spring along the normal: pressed by the load FN, held along T by KT and friction
static void dry_oscillator(void) {
    const double gap[2] = { 0, 0.25 };
    for (int k = 0; k < 2; k++) {
        small s = particle(0, 2, 0, 3, 0.5, 0.4);
        s.gap[0] = gap[k];
        scree_equilibrium_system system = view(&s);
        scree_equilibria set;
        scree_error err = { 0 };
        CHECK_INT(scree_equilibria_find(&system, TOLERANCE, &set, &err), SCREE_OK);
        CHECK_INT(set.count, 3);  // stuck between two ends about to slip; never free
        for (int i = 0; i < set.count; i++) {
            const scree_equilibrium *piece = &set.item[i];
            for (int v = 0; v < piece->vertices; v++) {
                double end = piece->r[2 * v + 1] > 0 ? 1 : -1;
                CHECK_NEAR(piece->u[2 * v], gap[k], 1e-14);
                CHECK_NEAR(piece->r[2 * v], 3, 1e-14);
                CHECK_NEAR(piece->r[2 * v + 1], end * 1.2, 1e-14);
                CHECK_NEAR(piece->u[2 * v + 1], (0.5 + end * 1.2) / 2, 1e-14);
            }
            CHECK_INT(piece->freedom, piece->status[0] == SCREE_REST_STUCK);
        }
        scree_equilibria_free(&set);
    }
}

// a particle without springs in a corner: pressed into it, or pulled out of it
static void corner_without_springs(void) {
    small s = { .n = 2,
                .contacts = 2,
                .F = { -2, -3 },
                .normal = { 1, 0, 0, 1 },
                .tangent = { 0, 1, 1, 0 },
                .gap = { 0.5, 0 } };
    scree_equilibrium_system system = view(&s);
    scree_equilibria set;
    scree_error err = { 0 };
    CHECK_INT(scree_equilibria_find(&system, TOLERANCE, &set, &err), SCREE_OK);
    CHECK_INT(set.count, 1);
    if (set.count == 1) {
        const scree_equilibrium *piece = &set.item[0];
        CHECK_INT(piece->freedom, 0);
        CHECK_NEAR(piece->u[0], -0.5, 1e-14);
        CHECK_NEAR(piece->u[1], 0, 1e-14);
        CHECK_NEAR(piece->r[0], 2, 1e-14);
        CHECK_NEAR(piece->r[2], 3, 1e-14);
    }
    scree_equilibria_free(&set);
    s.F[0] = 2;
    CHECK_INT(scree_equilibria_find(&system, TOLERANCE, &set, &err), SCREE_OK);
    CHECK_INT(set.count, 0);
    scree_equilibria_free(&set);
}

// it may lie anywhere along the wall; or there is a negative direction
static void refusals(void) {
    const small s[2] = { particle(0, 0, 0, 3, 0, 0.4), particle(0, -1, 0, 3, 0, 0.4) };
    const char *words[2] = { "equilibria go on without end", "must be positive definite" };
    for (int k = 0; k < 2; k++) {
        scree_equilibrium_system system = view(&s[k]);
        scree_equilibria set;
        scree_error err = { 0 };
        CHECK_INT(scree_equilibria_find(&system, TOLERANCE, &set, &err), SCREE_BAD_INPUT);
        if (!strstr(err.text, words[k])) COMPLAIN("\"%s\" does not say \"%s\"", err.text, words[k]);
    }
}

// K = B^T B of random rows: as many directions are left as there are rows too few
static void null_spaces(void) {
    enum { MOST = 6 };
    for (int trial = 0; trial < 200; trial++) {
        int n = random_int(1, MOST), rows = random_int(0, n);
        double B[MOST * MOST], K[MOST * MOST] = { 0 }, z[MOST * MOST];
        for (int k = 0; k < rows * n; k++) B[k] = uniform(-1, 1);
        for (int r = 0; r < rows; r++)
            for (int i = 0; i < n; i++)
                for (int k = 0; k < n; k++) K[i * n + k] += B[r * n + i] * B[r * n + k];
        int count = scree_semidefinite_null(K, n, z);
        CHECK_INT(count, n - rows);
        for (int v = 0; v < count; v++) {
            double size = 0, most = 0;
            for (int i = 0; i < n; i++) {
                double sum = 0;
                for (int k = 0; k < n; k++) sum += K[i * n + k] * z[v * n + k];
                most = fmax(most, fabs(sum));
                size = fmax(size, fabs(z[v * n + i]));
            }
            CHECK(size >= 1 && most <= 1e-10 * size);
        }
        K[0] -= 100;
        CHECK_INT(scree_semidefinite_null(K, n, z), -1);
    }
}

TEST_FILE(test_semidefinite) {
    TEST(dry_oscillator);
    TEST(corner_without_springs);
    TEST(refusals);
    TEST(null_spaces);
    return harness_end();
}
